/*
 * confirm: deletions that the user confirmed beforehand, for runs where nobody can answer: with
 * `--confirm delete[:PATHS]` or `guard.confirm` of their own settings. A confirmation answers one
 * question of the safety harness and no other: whether files of the workspace may be deleted that a
 * snapshot brings back completely.
 */
#ifndef SF_GUARD_CONFIRM_H
#define SF_GUARD_CONFIRM_H

#include <stdbool.h>

#include "base/base.h"
#include "guard/action.h"

/* Life: SF_CONFIRMATION_INIT, sf_confirmation_read, sf_confirmation_release. */
struct sf_confirmation {
    bool deletes;            /* something is confirmed at all */
    struct sf_strlist paths; /* files and directories below the workspace; none: all of it */
    char *who;               /* who confirmed it, how and when: for the row of a decision */
};

/* clang-format off */
#define SF_CONFIRMATION_INIT { .paths = SF_STRLIST_INIT }
/* clang-format on */

/* Reads `delete` or `delete:PATH,PATH`. */
bool sf_confirmation_read(struct sf_confirmation *confirmation, const char *text,
                          struct sf_error *err) SF_MUST_CHECK;
void sf_confirmation_release(struct sf_confirmation *confirmation);

/* Whether the action is a deletion of a kind that can be confirmed, wherever its paths lead. */
bool sf_confirmation_speaks(const struct sf_action *action);

/* Whether the confirmation answers for the action; if not, `why` says what is missing. */
bool sf_confirmation_covers(const struct sf_confirmation *confirmation,
                            const struct sf_action *action, const char **why);

#endif
