/*
 * snapshots: what the files about the snapshots of a conversation share; internal to the room.
 * snapshots.c has the queue and the rows, snapshot_hold.c what comes before a call, cover.c what
 * comes after it, and snapshot_turn.c the ends of turns.
 */
#ifndef SF_SESSION_SNAPSHOTS_H
#define SF_SESSION_SNAPSHOTS_H

#include "session/internal.h"

enum { SF_SNAPSHOT_EXTRA_MAX = 1000 };

/* Of the turn's first snapshot. */
enum sf_snapshot_state {
    SF_SNAPSHOT_NONE,
    SF_SNAPSHOT_TAKING,
    SF_SNAPSHOT_TAKEN,
    SF_SNAPSHOT_FAILED
};

struct sf_snapshots {
    struct sf_session *session; /* the user's own session */
    struct sf_snap *snap;       /* used by the running job only; opened by the first job */
    char *dir, *root;
    bool enabled, closing;
    struct sf_snap_budget budget;
    struct sf_snapshot_job *first, **end; /* the first job runs */

    unsigned turn; /* counts beginnings and ends of turns */
    char *label;
    enum sf_snapshot_state before;
    char id[SF_SNAP_ID + 1]; /* of the turn's first snapshot, when taken */
    int64_t row;
    bool touched;
    bool event;              /* a failure was reported; no snapshot succeeded since */
    char *owed;              /* a notice for the beginning of the next turn, or NULL */
    struct sf_strlist extra; /* ignored files that tools of the session touched */
    struct sf_strlist known; /* paths that the turn's first snapshot was already told to cover */
    struct sf_write_record **records; /* of the turn's commands, and of jobs that still run */
    size_t record_count, record_cap;
    bool unsure;                 /* files changed in this turn that no record has, by sf itself */
    bool unrecorded;             /* a command of this turn ran without a record */
    struct sf_strlist uncovered; /* of this turn, for people */
    struct sf_scope_audits audits;
};

/* Remembers ignored files that later snapshots are to have as well. */
void sf_snapshots_learn(struct sf_snapshots *k, const struct sf_strlist *paths);
void sf_snapshots_notice(struct sf_snapshots *k, const char *text);
void sf_snapshots_tell_failure(struct sf_snapshots *k, const struct sf_error *err);

/* The turn's first snapshot was replaced by one that has more files; "" in the result: it was not. */
void sf_snapshots_amended(struct sf_snapshots *k, const struct sf_snap_result *result);

/* What a snapshot request needs, copied for the worker. */
struct sf_snapshot_wish {
    char *label, *dir;
    char session[SF_ID_LEN + 1];
    struct sf_strlist extra, live;
    struct sf_snap_budget budget;
    unsigned turn;
};

void sf_snapshot_wish_init(struct sf_snapshot_wish *w, struct sf_snapshots *k);
void sf_snapshot_wish_release(struct sf_snapshot_wish *w);
/* Runs on the worker, since it reads a directory. */
struct sf_snap_request sf_snapshot_request(struct sf_snapshot_wish *w, enum sf_snap_kind kind,
                                           const atomic_bool *cancel);

/* What a row says about its snapshot; every member may be 0. */
struct sf_snapshot_details {
    int64_t before; /* the row of the turn's first snapshot */
    const struct sf_undo_stat *stat;
    uint64_t skipped;
    const struct sf_strlist *others;    /* paths that changed in the turn, and not by it */
    bool is_mixed;                      /* those could not be listed: any may be of others */
    const struct sf_strlist *uncovered; /* what changed in the turn and cannot be put back */
};

void sf_snapshot_details_write(struct sf_strbuf *out, const struct sf_snapshots *k,
                               const struct sf_snapshot_details *d);
bool sf_snapshot_add_row(struct sf_snapshots *k, const struct sf_snapshot_wish *wish,
                         enum sf_snap_kind kind, const struct sf_snap_result *result,
                         const struct sf_strbuf *details, int64_t *id);

/* ---- cover.c: files that snapshots leave out and commands touch ---- */

/* Life: SF_COVER_INIT, sf_cover_add on the worker, sf_cover_release. */
struct sf_cover {
    struct sf_snap_result result; /* of the amended snapshot; "": nothing had to be added */
    struct sf_strlist uncovered;  /* what could not be kept, for people */
};

/* clang-format off */
#define SF_COVER_INIT { .result = SF_SNAP_RESULT_INIT, .uncovered = SF_STRLIST_INIT }
/* clang-format on */

void sf_cover_release(struct sf_cover *cover);

/* What is covered, and what records say of it. */
struct sf_cover_wish {
    const char *root, *id; /* the workspace; the turn's first snapshot */
    struct sf_write_record *const *records;
    size_t record_count;
    const struct sf_snap_request *request; /* for the amended snapshot */
    size_t room;                           /* how many files may be added */
};

/* Adds what was touched since the last time to the snapshot; false with `err`: nothing was. */
bool sf_cover_add(struct sf_cover *cover, struct sf_snap *snap, const struct sf_cover_wish *wish,
                  struct sf_error *err) SF_MUST_CHECK;

/* ---- loss_git.c: what git says of the files, where a command deletes by that ---- */

typedef void sf_loss_git_fn(void *ctx, const char *status, const char *path); /* "XY", as git's */

/* Calls `fn` for each entry; false: git could not be asked, and `fn` was not called. */
bool sf_loss_git_status(const char *root, sf_loss_git_fn *fn, void *ctx) SF_MUST_CHECK;

/* ---- loss_cover.c: whether a snapshot brings back all that a call would delete ---- */

/* What is known of the turn. Life: sf_loss_cover_init, check on the worker, sf_loss_cover_release. */
struct sf_loss_cover {
    char snapshot[SF_SNAP_ID + 1];    /* the turn's first, if it was taken; or "" */
    struct sf_strlist tools;          /* what file tools wrote in this turn */
    struct sf_write_record **records; /* of its commands */
    size_t record_count;
    struct sf_write_set commands; /* what those say, read by the worker */
    bool lost_track;              /* something was written of which there is no record */
    char *gap;                    /* the first reason why not, or NULL */
};

/* clang-format off */
#define SF_LOSS_COVER_INIT { .tools = SF_STRLIST_INIT, .commands = SF_WRITE_SET_INIT }
/* clang-format on */

void sf_loss_cover_init(struct sf_loss_cover *cover, struct sf_snapshots *k);
void sf_loss_cover_release(struct sf_loss_cover *cover);

/* False: `gap` says why. `paths` are resolved, and below the root. */
bool sf_loss_cover_check(struct sf_loss_cover *cover, struct sf_snap *snap, const char *root,
                         const struct sf_strlist *paths) SF_MUST_CHECK;

#endif
