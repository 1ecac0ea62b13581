/*
 * fork: a new session that begins with the conversation of another one, up to a point. It shares
 * those events with its parent, which stays as it is; nothing is copied.
 *
 * The point is right before a prompt, or after the last turn if that is over: never between a call
 * and its result, so the history is valid for every service. The fork gets the title, the model and
 * the current axes of the parent, so permissions that were revoked since do not come back.
 * Approvals given for the session, pending changes of the axes, and costs are not taken over.
 */
#ifndef SF_JOURNAL_FORK_H
#define SF_JOURNAL_FORK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"
#include "store/store.h"

/* The newest point: after the last turn, or before it if it is not over. */
#define SF_FORK_LAST (-1)

struct sf_fork {
    struct sf_store *store;
    const char *session; /* the id or a unique prefix of it */
    int64_t at;          /* the last shared event, as in sf_prompt_entry; or SF_FORK_LAST */
    const char *surface;
};

/* Sets `shortened` (or NULL) if the last turn was not over and is not in the fork. */
bool sf_fork_make(const struct sf_fork *fork, char id_out[SF_ID_LEN + 1], bool *shortened,
                  struct sf_error *err) SF_MUST_CHECK;

#endif
