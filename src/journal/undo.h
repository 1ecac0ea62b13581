/*
 * undo: going back: which snapshot is meant, what going there would change, going, and writing it
 * down. A restore (session/restore_job.h) is these calls in this order:
 *
 *     sf_undo_turns, _number, _redo …   looks in the store, on the loop
 *     sf_undo_preview, sf_undo_go       looks at files: blocks, so on a worker
 *     sf_undo_record                    writes rows, on the loop again
 *
 * A turn counts when it changed files, newest first, the running one included. What was undone is
 * passed over, so undoing twice goes two turns back and redoing comes forth again.
 */
#ifndef SF_JOURNAL_UNDO_H
#define SF_JOURNAL_UNDO_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"
#include "snap/snap.h"
#include "store/store.h"

/* Borrowed. */
struct sf_undo_place {
    struct sf_store *store;
    const char *worktree; /* its real path */
    const char *session;  /* whose turns count, and to whom it is written down; NULL: anybody's */
    int64_t running;      /* first snapshot of the running turn, if that changed files; or 0 */
    int64_t began;        /* the same, whatever it changed */
    bool by_model;        /* it goes back itself, and knows of it */
};

/* A state to go back to. Life: SF_UNDO_INIT, one of the functions below, sf_undo_release. */
struct sf_undo {
    int64_t number; /* as `sf restore list` shows it */
    char kind[16];
    char id[SF_SNAP_ID + 1];
    struct sf_snap_lineage lineage; /* what came since, and which of it is somebody else's */
    char *label, *time;
    struct sf_strlist extra; /* ignored files that sf touched */
};

/* clang-format off */
#define SF_UNDO_INIT { .id = "", .extra = SF_STRLIST_INIT }
/* clang-format on */

void sf_undo_release(struct sf_undo *undo);

/* The state before the last `turns` turns; SF_E_NOENT when there are not so many. */
bool sf_undo_turns(const struct sf_undo_place *place, int64_t turns, struct sf_undo *out,
                   struct sf_error *err) SF_MUST_CHECK;

/* The state before the last undo that was not taken back, if no turn came since. */
bool sf_undo_redo(const struct sf_undo_place *place, struct sf_undo *out,
                  struct sf_error *err) SF_MUST_CHECK;

/* The state before the last restore, whatever it was. */
bool sf_undo_restore(const struct sf_undo_place *place, struct sf_undo *out,
                     struct sf_error *err) SF_MUST_CHECK;

bool sf_undo_number(const struct sf_undo_place *place, int64_t number, struct sf_undo *out,
                    struct sf_error *err) SF_MUST_CHECK;

/* The state before the first turn of the session that changed files. */
bool sf_undo_start(const struct sf_undo_place *place, struct sf_undo *out,
                   struct sf_error *err) SF_MUST_CHECK;

/* What else a restore may be told; all of it may be 0. */
struct sf_undo_how {
    const struct sf_strlist *paths;
    bool overwrite;
    const char *session;
    const atomic_bool *cancel; /* set by anybody; SF_E_CANCELLED */
};

/* Appends what it would do, a line a path, and the counts; `tally` says whether it is anything. */
bool sf_undo_preview(struct sf_snap *snap, const struct sf_undo *undo,
                     const struct sf_undo_how *how, struct sf_strbuf *out,
                     struct sf_snap_tally *tally, struct sf_error *err) SF_MUST_CHECK;

bool sf_undo_is_work(const struct sf_snap_tally *tally);
void sf_undo_add_tally(struct sf_strbuf *out, const struct sf_snap_tally *tally);
void sf_undo_add_left(struct sf_strbuf *out, const struct sf_snap_restored *done); /* not done */

bool sf_undo_go(struct sf_snap *snap, const struct sf_undo *undo, const struct sf_undo_how *how,
                struct sf_snap_restored *out, struct sf_error *err) SF_MUST_CHECK;

#define SF_LOG_RESTORE "restore"

/* Rows for both ends and an event; `what` in words: "restoring snapshot 7". */
bool sf_undo_record(const struct sf_undo_place *place, const struct sf_undo *undo, const char *what,
                    const char *surface, const struct sf_snap_restored *done,
                    struct sf_error *err) SF_MUST_CHECK;

struct sf_undo_stat {
    uint64_t files;       /* that differ; links count, directories do not */
    uint64_t plus, minus; /* lines, of text files that are not too large */
    uint64_t left;        /* files besides that differ and are in no snapshot */
};

struct sf_undo_pair {
    const char *from, *to;          /* `to` NULL: the workspace as it is */
    const struct sf_strlist *extra; /* ignored files that count there, or NULL */
    size_t max;                     /* bytes of text, about */
    bool back;                      /* the other way round: what going to `from` would change */
};

/* What differs between two snapshots; `out` (or NULL) takes it as text. */
bool sf_undo_diff(struct sf_snap *snap, const struct sf_undo_pair *pair, struct sf_strbuf *out,
                  struct sf_undo_stat *stat, struct sf_error *err) SF_MUST_CHECK;

/*
 * The snapshots that pass the filter, newest first. `turn` says what the turn that began with the row
 * changed; NULL: the row begins no turn, or its turn has not come to an end.
 */
typedef bool sf_undo_row_fn(void *ctx, const struct sf_snapshot_row *row,
                            const struct sf_undo_stat *turn);
bool sf_undo_each(struct sf_store *store, const struct sf_snapshot_filter *filter,
                  sf_undo_row_fn *fn, void *ctx, struct sf_error *err) SF_MUST_CHECK;

/* A number in a row's details; 0: it is not there. */
int64_t sf_undo_detail(const struct sf_snapshot_row *row, const char *key);

#endif
