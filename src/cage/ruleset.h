/*
 * ruleset: Landlock's rules, made before the fork and used again by the next command while all
 * they name is what it was; internal to the room. Some hundred rules cost as much as a fork, and
 * a rule binds a file by what it is, not by its name: so each name is looked at again, and where
 * one has become something else, all of them are made anew. Names from a directory that has not
 * changed since are believed, unless something was mounted meanwhile.
 */
#ifndef SF_CAGE_RULESET_H
#define SF_CAGE_RULESET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cage/landlock.h"

struct sf_grant {
    const char *path; /* real, absolute */
    uint64_t rights;
    uint64_t version; /* while it is the same, so is what the path names; 0: it must be asked */
};

/* What one ruleset is to hold; borrowed. */
struct sf_ruleset_wish {
    struct sf_ll_ruleset handled;
    int version;
    const struct sf_grant *grants;
    size_t count;
};

struct sf_rulesets;

struct sf_rulesets *sf_rulesets_new(void);
void sf_rulesets_free(struct sf_rulesets *all); /* NULL is welcome */

/* A descriptor for the caller to close, or -1 with errno. */
int sf_rulesets_open(struct sf_rulesets *all, const struct sf_ruleset_wish *wish);

/* Adds one grant; system calls alone. What is gone or out of reach needs none. */
bool sf_ruleset_add(int ruleset, const struct sf_grant *grant, uint64_t known);

#endif
