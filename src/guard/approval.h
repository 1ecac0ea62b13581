/*
 * approval: what an approval is kept by. Whoever answers "for the session" has seen one call; what
 * passes unasked afterwards is that call again, with nothing changed but what cannot make it more:
 * flags and names a table lists. Everything else is part of the key.
 *
 * A key is a text: the row of the matrix that was asked about, a sign, and what was seen.
 *
 *     command-build:cargo build         `:` every command of the family
 *     command-build=./run.sh --all      `=` exactly this command
 *     edit@src/a.c                      `@` a path, a site, a tool
 *
 * A call may have several keys (`make && make test` has two). It is covered when each of them was
 * kept, letter by letter: there is no matching that could be wider than what was meant.
 */
#ifndef SF_GUARD_APPROVAL_H
#define SF_GUARD_APPROVAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "guard/action.h"
#include "guard/rule.h"

enum { SF_APPROVAL_TEXT = 1000 }; /* bytes of a command that can be kept */

/* The keys of an action; none when it is asked about each time. */
void sf_approval_keys(const struct sf_action *action, struct sf_strlist *keys);

/* The rule that is an approval and covers the action, or NULL; the last key's is named. */
const struct sf_rule *sf_approval_hit(const struct sf_rule *rules, size_t count,
                                      const struct sf_action *action);

/* False: kept by an older version, in a form that no call has any more. */
bool sf_approval_holds(const char *key);

/* A key in words: "every `cargo build`", "changing src/a.c". */
void sf_approval_words(const char *key, struct sf_strbuf *out);

#endif
