/*
 * grant: tools as people list them, some with what they are limited to: `Read`,
 * `Bash(git add:*)`, `Edit(src/a.c)`, `Fetch(domain:example.org)`. A directory with all below it
 * ends in two stars. A list of grants only ever takes away: what a grant covers is judged as if
 * there were no list. What stands in the brackets is held against an action by the matching of
 * rules, see rule.h.
 */
#ifndef SF_GUARD_GRANT_H
#define SF_GUARD_GRANT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "guard/action.h"

enum { SF_GRANTS_MAX = 64 };

/* Adds those of "Read, Bash(git add:*)" to the list; which tools there are is not looked at. */
bool sf_grants_read(struct sf_strlist *grants, const char *text,
                    struct sf_error *err) SF_MUST_CHECK;

size_t sf_grant_name(const char *grant); /* how much of it is the tool's name */

/* Whether what stands in the brackets, if anything, can ever cover a call of such a tool. */
bool sf_grant_check(const char *grant, enum sf_act act, struct sf_error *err) SF_MUST_CHECK;

bool sf_grants_name(const struct sf_strlist *grants, const char *tool);  /* limited or not */
bool sf_grants_whole(const struct sf_strlist *grants, const char *tool); /* without a limit */

/* The list names the action's tool with limits alone, and not all of the action lies within. */
bool sf_grants_exceeded(const struct sf_strlist *grants, const struct sf_action *action);

/* Some part of the action lies within a limit: for lists of what is withheld. */
bool sf_grants_touch(const struct sf_strlist *grants, const struct sf_action *action);

/* "git add:*, git status": the limits of that tool. */
void sf_grants_limits(const struct sf_strlist *grants, const char *tool, struct sf_strbuf *out);

#endif
