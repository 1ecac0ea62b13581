/*
 * loss_cover: whether a snapshot is sure to bring back all that a call would delete, for a user who
 * confirmed deletions beforehand on that condition.
 */
#ifndef SF_SESSION_LOSS_COVER_H
#define SF_SESSION_LOSS_COVER_H

#include "session/internal.h"

struct sf_loss_cover {
    struct sf_deletion deletion;   /* what is known of it; the caller adds the paths */
    char snapshot[SF_SNAP_ID + 1]; /* the turn's first, if it was taken; or "" */
    struct sf_write_set writes;    /* of the turn so far */
    struct sf_write_record **records;
    size_t record_count;
    char *changed; /* a file that others changed since, or NULL */
};

/* clang-format off */
#define SF_LOSS_COVER_INIT { .deletion = { .paths = SF_STRLIST_INIT }, .writes = SF_WRITE_SET_INIT }
/* clang-format on */

/* Notes the snapshot of the turn and what the turn wrote since; false: there can be none. */
bool sf_loss_cover_begin(struct sf_loss_cover *cover, const struct sf_snapshots *k);

/*
 * Fills in the deletion; on a worker. `snap` is NULL where no snapshot is taken; `lacks` names what
 * of the losses no snapshot is sure to hold, or "".
 */
void sf_loss_cover_find(struct sf_loss_cover *cover, struct sf_snap *snap, const char *lacks);
void sf_loss_cover_release(struct sf_loss_cover *cover);

#endif
