/*
 * restore_job: one restore of files, as a job with a state. The commands /undo, /redo and /restore,
 * `sf restore`, the model's RevertTurn and every diff of the workspace are this job:
 *
 *     planning ──look──► planned ──confirm──► running ──run──► recorded
 *         └──────────────────┴───────────────────┴──────────► ended
 *
 * Looking and running block, so a session gives them to its worker, while the command line simply
 * waits. They touch neither the state nor anything a surface reads meanwhile; the state changes
 * only on the loop. A running session restores through sf_session_restore, which also keeps turns
 * and calls from starting while files are put back.
 *
 * Life: sf_restore_job_new, sf_restore_find, sf_restore_look, sf_restore_advance,
 * sf_restore_record, sf_restore_job_free.
 */
#ifndef SF_SESSION_RESTORE_JOB_H
#define SF_SESSION_RESTORE_JOB_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "journal/journal.h"
#include "snap/snap.h"

/* Which state to restore. */
enum sf_restore_goal {
    SF_RESTORE_TO_NUMBER,  /* the snapshot with this number */
    SF_RESTORE_TO_TURN,    /* before the last `number` turns that changed files */
    SF_RESTORE_TO_REDO,    /* before the last undo that was not itself undone */
    SF_RESTORE_TO_RESTORE, /* before the last restore, whatever it was */
    SF_RESTORE_TO_START,   /* before the session changed anything */
    SF_RESTORE_TO_FINISH,  /* where an interrupted restore was going */
    SF_RESTORE_TO_ORIGIN,  /* where an interrupted restore came from */
};

struct sf_restore_what {
    enum sf_restore_goal goal;
    int64_t number;
};

/* Strings and lists are copied; every member may be 0. */
struct sf_restore_how {
    const char *reason; /* for the log: "undoing a turn"; NULL: "going back to snapshot 7" */
    bool overwrite;     /* also overwrite what others changed since */
    const struct sf_strlist *paths; /* only these paths and below; NULL or empty: all */
    bool diff_only;                 /* make only the diff; the job will not be confirmed */
    size_t diff_max;                /* approximate limit of the diff in bytes; 0: no diff */
    bool count_files;               /* list the files of the diff with their lines */
};

/* A file of the diff, and lines that were added and removed. */
struct sf_restore_file {
    char *path;
    uint64_t plus, minus;
};

enum { SF_RESTORE_FILES_MAX = 200 }; /* listed; the others are only counted */

enum sf_restore_state {
    SF_RESTORE_STATE_PLANNING, /* the snapshot is found and compared with the files */
    SF_RESTORE_STATE_PLANNED,  /* the plan is made and waits for a confirmation */
    SF_RESTORE_STATE_RUNNING,  /* files are being put back */
    SF_RESTORE_STATE_RECORDED, /* files are back, and the log says so */
    SF_RESTORE_STATE_ENDED,    /* refused, cancelled, failed (`err`), or only looked at */
};

/* Open for reading; only the functions below change a job. */
struct sf_restore_job {
    enum sf_restore_state state;
    struct sf_restore_what what;
    char *reason; /* or NULL */
    bool overwrite, diff_only, count_files;
    struct sf_strlist paths;
    size_t diff_max;
    char session[SF_ID_LEN + 1]; /* the session the restore belongs to; "": none */
    atomic_bool cancel;          /* set from any thread: looking and running end soon */

    struct sf_undo undo;           /* after finding: the snapshot to restore */
    struct sf_strbuf preview;      /* after looking: the plan, one line per path, and counts */
    struct sf_snap_tally tally;    /* the counts of the plan */
    struct sf_strbuf diff;         /* after looking, if `diff_max` is set */
    struct sf_undo_stat stat;      /* of the diff */
    struct sf_restore_file *files; /* if `count_files` is set: the first of the diff */
    size_t file_count, file_cap;
    struct sf_snap_restored done; /* after running: what was done */
    struct sf_error err;          /* why looking or running failed */
};

struct sf_restore_job *sf_restore_job_new(const struct sf_restore_what *what,
                                          const struct sf_restore_how *how);
void sf_restore_job_free(struct sf_restore_job *job); /* NULL is welcome */

/* Looks up the snapshot to restore in the store; on the loop. */
bool sf_restore_find(struct sf_restore_job *job, const struct sf_undo_place *place,
                     struct sf_error *err) SF_MUST_CHECK;

/* Both block. False: `job->err` says why. A cancelled run undoes what it did. */
bool sf_restore_look(struct sf_restore_job *job, struct sf_snap *snap) SF_MUST_CHECK;
bool sf_restore_run(struct sf_restore_job *job, struct sf_snap *snap) SF_MUST_CHECK;

/* Moves along the picture above; any other step is a broken invariant. */
void sf_restore_advance(struct sf_restore_job *job, enum sf_restore_state to);

/* Writes rows for both ends of a run and its event, then marks the job recorded; loop only. */
bool sf_restore_record(struct sf_restore_job *job, const struct sf_undo_place *place,
                       const char *surface, struct sf_error *err) SF_MUST_CHECK;

#endif
