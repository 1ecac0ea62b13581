/*
 * restore_job: files go back, as one job with a state of its own. A terminal's /undo, /redo and
 * /restore, `sf restore`, the model's RevertTurn and every diff of the workspace are this job:
 *
 *     planning ──look──► planned ──confirm──► running ──run──► recorded
 *         └──────────────────┴───────────────────┴──────────► ended
 *
 * Looking and running block, so a session gives them to its worker and the command line simply
 * waits. They touch neither the state nor anything a surface reads meanwhile; the state changes on
 * the loop alone. A running session does all of it through sf_session_restore, which also keeps
 * turns and calls from starting while files go back.
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

/* Which state is meant. */
enum sf_restore_goal {
    SF_RESTORE_TO_NUMBER,  /* the snapshot with this number */
    SF_RESTORE_TO_TURN,    /* before the last turns that changed files, `number` of them */
    SF_RESTORE_TO_REDO,    /* before the last undo that was not taken back */
    SF_RESTORE_TO_RESTORE, /* before the last restore, whatever it was */
    SF_RESTORE_TO_START,   /* before the session changed anything */
    SF_RESTORE_TO_FINISH,  /* where an interrupted restore was going */
    SF_RESTORE_TO_ORIGIN,  /* where an interrupted restore came from */
};

struct sf_restore_what {
    enum sf_restore_goal goal;
    int64_t number;
};

/* Texts and lists are copied; all of it may be 0. */
struct sf_restore_how {
    const char *reason; /* for the log: "undoing a turn"; NULL: "going back to snapshot 7" */
    bool overwrite;     /* what somebody else changed since goes back too */
    const struct sf_strlist *paths; /* only these and what lies below them; NULL or empty: all */
    bool diff_only;                 /* nobody will confirm it: only the diff is wanted */
    size_t diff_max;                /* bytes of diff that looking makes, about; 0: none */
};

enum sf_restore_state {
    SF_RESTORE_STATE_PLANNING, /* the state is found and compared with the files */
    SF_RESTORE_STATE_PLANNED,  /* what it would do is known, and somebody has to confirm it */
    SF_RESTORE_STATE_RUNNING,  /* files go back */
    SF_RESTORE_STATE_RECORDED, /* they are back, and the log says so */
    SF_RESTORE_STATE_ENDED,    /* refused, cancelled, failed (`err`), or only looked at */
};

/* Facts to be read; only the functions below change them. */
struct sf_restore_job {
    enum sf_restore_state state;
    struct sf_restore_what what;
    char *reason; /* or NULL */
    bool overwrite, diff_only;
    struct sf_strlist paths;
    size_t diff_max;
    char session[SF_ID_LEN + 1]; /* whose it is; "": nobody's */
    atomic_bool cancel;          /* set by anybody: looking and running end soon */

    struct sf_undo undo;          /* found: where it goes */
    struct sf_strbuf preview;     /* looked: what it would do, a line a path, and counts */
    struct sf_snap_tally tally;   /* those counts */
    struct sf_strbuf diff;        /* looked, with `diff_max` */
    struct sf_undo_stat stat;     /* of the diff */
    struct sf_snap_restored done; /* ran: what it did */
    struct sf_error err;          /* of looking or running, when that failed */
};

struct sf_restore_job *sf_restore_job_new(const struct sf_restore_what *what,
                                          const struct sf_restore_how *how);
void sf_restore_job_free(struct sf_restore_job *job); /* NULL is welcome */

/* In the store, on the loop: which state that is. */
bool sf_restore_find(struct sf_restore_job *job, const struct sf_undo_place *place,
                     struct sf_error *err) SF_MUST_CHECK;

/* Both block. False: `job->err` says why. A run that is cancelled takes back what it did. */
bool sf_restore_look(struct sf_restore_job *job, struct sf_snap *snap) SF_MUST_CHECK;
bool sf_restore_run(struct sf_restore_job *job, struct sf_snap *snap) SF_MUST_CHECK;

/* Along the picture above; anything else is a broken invariant. */
void sf_restore_advance(struct sf_restore_job *job, enum sf_restore_state to);

/* On the loop: rows for both ends of a run and its event, and then the job is recorded. */
bool sf_restore_record(struct sf_restore_job *job, const struct sf_undo_place *place,
                       const char *surface, struct sf_error *err) SF_MUST_CHECK;

#endif
