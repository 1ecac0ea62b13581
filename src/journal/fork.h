/*
 * fork: another session that begins with what was said in this one, up to a point. It shares those
 * events with its parent, which goes on as it was; nothing is copied.
 *
 * A point is right before a prompt, or behind the last turn when that is over: never between a call
 * and its result, so the history is valid for every service. The fork takes over title, model and
 * the axes as they are now in the parent: no way back to permissions that were taken away since.
 * Approvals given for the session, changes of the axes that wait, and costs are not taken over.
 */
#ifndef SF_JOURNAL_FORK_H
#define SF_JOURNAL_FORK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"
#include "store/store.h"

/* The newest point: behind the last turn, or before it where it is not over. */
#define SF_FORK_LAST (-1)

struct sf_fork {
    struct sf_store *store;
    const char *session; /* its id or a unique beginning */
    int64_t at;          /* the last event both share, as in sf_prompt_entry; or SF_FORK_LAST */
    const char *surface;
};

/* `shortened` (or NULL) says that the last turn was not over and is not in the fork. */
bool sf_fork_make(const struct sf_fork *fork, char id_out[SF_ID_LEN + 1], bool *shortened,
                  struct sf_error *err) SF_MUST_CHECK;

#endif
