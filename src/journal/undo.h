/*
 * undo: finds the snapshot to restore, previews and performs the restore, and records it. A restore
 * (session/restore_job.h) makes these calls in this order:
 *
 *     sf_undo_turns, _number, _redo …   read the store, on the loop
 *     sf_undo_preview, sf_undo_go       read and write files: they block, so on a worker
 *     sf_undo_record                    writes rows, on the loop again
 *
 * Only turns that changed files count, newest first, including the running one. Turns that were
 * undone are skipped, so undoing twice goes back two turns, and redo goes forward again.
 */
#ifndef SF_JOURNAL_UNDO_H
#define SF_JOURNAL_UNDO_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"
#include "snap/snap.h"
#include "store/store.h"

/* Where to look; all pointers are borrowed. */
struct sf_undo_place {
    struct sf_store *store;
    const char *worktree; /* its real path */
    const char *session;  /* whose turns count, and whose log gets the event; NULL: any session */
    int64_t running;      /* first snapshot of the running turn if it changed files; or 0 */
    int64_t began;        /* first snapshot of the running turn, whether or not it changed files */
    bool by_model;        /* the model restores, so it need not be told */
};

/* A snapshot to restore. Life: SF_UNDO_INIT, one of the functions below, sf_undo_release. */
struct sf_undo {
    int64_t number; /* as `sf restore list` shows it */
    char kind[16];
    char id[SF_SNAP_ID + 1];
    struct sf_snap_lineage lineage; /* the states since, and which changes sf did not make */
    char *label, *time;
    bool is_own;                 /* only the turns of one session count as sf's */
    struct sf_strlist extra;     /* ignored files that sf touched */
    struct sf_strlist uncovered; /* what changed since and cannot be put back, for people */
};

/* clang-format off */
#define SF_UNDO_INIT { .id = "", .extra = SF_STRLIST_INIT, .uncovered = SF_STRLIST_INIT }
/* clang-format on */

void sf_undo_release(struct sf_undo *undo);

/* The state before the last `turns` turns; SF_E_NOENT when there are not so many. */
bool sf_undo_turns(const struct sf_undo_place *place, int64_t turns, struct sf_undo *out,
                   struct sf_error *err) SF_MUST_CHECK;

/* The state before the last undo that was not itself undone, if no turn came since. */
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

/* Options of a restore; every member may be 0. */
struct sf_undo_how {
    const struct sf_strlist *paths;
    bool overwrite;
    const char *session;
    const atomic_bool *cancel; /* set from any thread; the call fails with SF_E_CANCELLED */
};

/* Appends the plan, one line per path, and the counts, which are also stored in `tally`. */
bool sf_undo_preview(struct sf_snap *snap, const struct sf_undo *undo,
                     const struct sf_undo_how *how, struct sf_strbuf *out,
                     struct sf_snap_tally *tally, struct sf_error *err) SF_MUST_CHECK;

bool sf_undo_is_work(const struct sf_snap_tally *tally);
void sf_undo_add_tally(struct sf_strbuf *out, const struct sf_snap_tally *tally);
/* Whether files differ although there is no work; sf_undo_fail_left says so, and returns false. */
bool sf_undo_is_left(const struct sf_snap_tally *tally);
bool sf_undo_fail_left(const struct sf_undo *undo, const struct sf_snap_tally *tally,
                       struct sf_error *err);
/* Appends a sentence about files that others may have changed, and what overwrites them, if any. */
void sf_undo_add_since(struct sf_strbuf *out, const struct sf_undo *undo,
                       const struct sf_snap_tally *tally, const char *overwrites);
/* Appends what was kept or could not be restored. */
void sf_undo_add_left(struct sf_strbuf *out, const struct sf_snap_restored *done);

bool sf_undo_go(struct sf_snap *snap, const struct sf_undo *undo, const struct sf_undo_how *how,
                struct sf_snap_restored *out, struct sf_error *err) SF_MUST_CHECK;

/* Writes rows for both ends and an event; `what` is for people: "restoring snapshot 7". */
bool sf_undo_record(const struct sf_undo_place *place, const struct sf_undo *undo, const char *what,
                    const char *surface, const struct sf_snap_restored *done,
                    struct sf_error *err) SF_MUST_CHECK;

struct sf_undo_stat {
    uint64_t files;       /* files that differ, including links but not directories */
    uint64_t plus, minus; /* lines, of text files that are not too large */
    uint64_t left;        /* further files that differ, without a copy in a snapshot */
};

/* A file that differs; lines are counted in text files that are not too large. */
typedef void sf_undo_file_fn(void *ctx, const char *path, uint64_t plus, uint64_t minus);

struct sf_undo_pair {
    const char *from, *to;            /* `to` NULL: the workspace as it is */
    const struct sf_strlist *extra;   /* ignored files to include, or NULL */
    const struct sf_strlist *without; /* files not to count, or NULL */
    const struct sf_strlist *only;    /* the only files to count, or NULL */
    size_t max;                       /* approximate limit of the text in bytes */
    bool back;                        /* reversed: what restoring `from` would change */
    sf_undo_file_fn *file;            /* gets each file that differs, or NULL */
    void *ctx;                        /* for `file` */
    const atomic_bool *cancel;        /* set from any thread: fails with SF_E_CANCELLED; or NULL */
};

/* Compares two snapshots; `out` (or NULL) gets the diff as text. */
bool sf_undo_diff(struct sf_snap *snap, const struct sf_undo_pair *pair, struct sf_strbuf *out,
                  struct sf_undo_stat *stat, struct sf_error *err) SF_MUST_CHECK;

/* One snapshot of a list. */
struct sf_undo_entry {
    const struct sf_snapshot_row *row;
    bool is_state;                   /* from before a turn or a restore, or taken by hand */
    const struct sf_undo_stat *turn; /* what the turn that began here changed; NULL: no turn did, or
                                        it has not ended */
    size_t saved;                    /* states of files that sf put back during that turn */
};

/*
 * Visits the snapshots that pass the filter, newest first. A list for people has the states only:
 * files that sf put back after a command are kept by the hundred, and belong to their turn.
 */
typedef bool sf_undo_row_fn(void *ctx, const struct sf_undo_entry *entry);
bool sf_undo_each(struct sf_store *store, const struct sf_snapshot_filter *filter,
                  sf_undo_row_fn *fn, void *ctx, struct sf_error *err) SF_MUST_CHECK;

/* A number from the row's details; 0 if missing. */
int64_t sf_undo_detail(const struct sf_snapshot_row *row, const char *key);

#endif
