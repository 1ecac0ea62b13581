/*
 * internal: a running session's fields, shared by the files of this room that make it up.
 *
 *     talk.c     opening, closing, what surfaces call
 *     load.c     an old session's log on its way back into memory
 *     perform.c  the agent's effects, one after the other
 *     work.c     calls on their way: judged, asked about, running, answered
 *     own.c      the tools that are the session's own
 *     plan.c     plans: noted, submitted, accepted
 *     keep.c     snapshots around turns, and whatever else blocks on them
 *     fence.c    the scope of shell commands, looked at afterwards
 *     revert.c   the model's way back
 *     shell.c    commands the user typed
 *     line.c     the model: which one, what is sent, what comes back
 */
#ifndef SF_SESSION_INTERNAL_H
#define SF_SESSION_INTERNAL_H

#include "session/confine.h"
#include "session/judge.h"
#include "session/talk.h"
#include "session/undo.h"

/* What a shell command may change, and the state to compare with when it has ended. */
struct sf_fence {
    char mark[SF_SNAP_ID + 1];
    bool own; /* the mark is nobody else's, and goes afterwards */
    struct sf_writable writable;
    char scope[SF_SCOPE_NAME_MAX + 1];
    struct sf_error err; /* why there is no mark */
    int64_t job;         /* of the background, which the fence follows; 0: none */
};

/* One call of the running answer. */
struct sf_work {
    struct sf_talk *talk;
    size_t index;
    char *id, *name, *args; /* as the model sent them */
    size_t len;
    struct sf_call *call;
    struct sf_judged judged;
    bool has_judged;
    enum {
        SF_WORK_FREE,
        SF_WORK_JUDGED,
        SF_WORK_ASKED,
        SF_WORK_QUESTION,
        SF_WORK_SUBMITTED, /* submitted, and waiting to be accepted */
        SF_WORK_RUNNING,
    } state;
    bool counted;          /* the axes' machine knows that it runs */
    struct sf_talk *child; /* the sub-agent that does it */

    struct sf_keep_job *job; /* that it waits for, or NULL */
    struct sf_fence *fence;  /* of a command, or NULL */
    struct sf_undo undo;     /* of RevertTurn: where to */
    char *about, *preview;   /* of RevertTurn: for the card; or NULL */
    char *plan;              /* that was submitted, as it stands now; or NULL */
    bool plan_edited;        /* by the user */
};

/* A call that is over, until its result is written down and may be told. */
struct sf_finished {
    struct sf_work work;
    struct sf_tool_result *result; /* of the call, or `own` */
    struct sf_tool_result own;
};

/* An input that came while effects were being performed. */
struct sf_queued {
    enum sf_input_kind kind;
    size_t call;
    struct sf_block result;
    char *detail;
};

struct sf_talk {
    struct sf_talk_setup setup;
    char *model_asked, *append;
    char id[SF_ID_LEN + 1];
    struct sf_lock lock;
    int depth;
    char *parent_call;
    bool titled;
    struct sf_load *load; /* what is still to be read; NULL: nothing */

    struct sf_agent *agent;
    struct sf_mode_machine *machine;
    struct sf_confine *confine;
    struct sf_tool_cage cage;
    struct sf_toolbox *box;
    struct sf_client *client;
    struct sf_keep *keep;   /* of the user's own session, shared by its sub-agents */
    struct sf_fence **jobs; /* fences of background jobs */
    size_t job_count, job_cap;

    char *system;
    char *model; /* the concrete one */
    const struct sf_model_row *row;
    enum sf_model_mode mode; /* of this turn */
    bool routed, patches;
    struct sf_arena faces_arena;
    struct sf_tool_face *faces;
    size_t face_count;
    int faces_profile; /* they were made for; -1: not yet */

    struct sf_work works[SF_AGENT_CALLS_MAX + 1]; /* the last one is the user's own command */
    struct sf_strbuf shown;                       /* such commands the model was not told of yet */
    int64_t shell_count;
    struct sf_finished *finished[SF_AGENT_CALLS_MAX];
    struct sf_queued *queue;
    size_t queue_count, queue_cap;
    bool performing;

    struct sf_strbuf fresh; /* text that came and was not told yet */
    uint64_t flush_timer, time_timer, close_timer;
    bool dead;               /* the log cannot be written: nothing goes on */
    bool denied;             /* something was refused for want of an answer */
    struct sf_talk *closing; /* a sub-agent that ended and is to be closed from the loop */
};

/* ---- talk.c ---- */

struct sf_talk *sf_talk_open_child(struct sf_work *work, const struct sf_talk_setup *setup,
                                   struct sf_error *err);
void sf_talk_tell(struct sf_talk *t, struct sf_told *told); /* fills in whose it is */

/* ---- load.c ---- */

bool sf_load_begin(struct sf_talk *t, struct sf_error *err) SF_MUST_CHECK;
bool sf_load_all(struct sf_talk *t, struct sf_error *err) SF_MUST_CHECK; /* what is left of it */
void sf_load_drop(struct sf_talk *t);
int64_t sf_load_context(const struct sf_talk *t); /* of sf_talk_context */

/* ---- perform.c ---- */

void sf_talk_feed(struct sf_talk *t, struct sf_input *input);
void sf_talk_perform(struct sf_talk *t, struct sf_effects *effects);
void sf_talk_die(struct sf_talk *t, const struct sf_error *err);
void sf_talk_flush(struct sf_talk *t);
bool sf_talk_settle(struct sf_talk *t, struct sf_error *err); /* transitions that are due */
void sf_talk_notify(struct sf_talk *t, enum sf_machine_event event);

/* ---- work.c ---- */

void sf_work_begin(struct sf_talk *t, size_t index, const struct sf_block *block);
void sf_work_run(struct sf_work *w);
void sf_work_stop(struct sf_work *w);
void sf_work_saved(struct sf_talk *t, const struct sf_effect *e); /* its result is */
void sf_work_drop(struct sf_talk *t);                             /* all of them */
void sf_work_answerf(struct sf_work *w, bool is_error, const char *format, ...) SF_PRINTF(3, 4);
void sf_work_release(struct sf_work *w);
struct sf_work *sf_work_waiting(struct sf_talk *t, const char *id); /* for an answer; or NULL */
void sf_work_cage(struct sf_talk *t);  /* fills in how the toolbox confines commands */
void sf_work_go(struct sf_work *w);    /* what it waited for is there */
void sf_work_done(struct sf_work *w);  /* its call's result is complete */
void sf_work_judge(struct sf_work *w); /* its arguments are read, and what it would do is known */

/* ---- own.c ---- */

void sf_own_run(struct sf_work *w);
void sf_own_child_told(void *ctx, const struct sf_told *told);

/* ---- plan.c ---- */

void sf_plan_run(struct sf_work *w);
bool sf_plan_answer(struct sf_work *w, enum sf_reply reply, const char *words, const char *who);

/* ---- keep.c ---- */

struct sf_keep;

/* One thing to do with the snapshots: all of them run one after the other, on a worker. */
struct sf_keep_job {
    void (*run)(struct sf_keep_job *job, struct sf_snap *snap);
    void (*done)(struct sf_keep_job *job); /* on the loop; frees it */
    struct sf_keep *keep;
    struct sf_work *work; /* that waits for it; NULL: nobody, or nobody any more */
    atomic_bool cancel;
    bool ok;             /* set by `run`; it is not called when snapshots cannot be had */
    struct sf_error err; /* otherwise */
    struct sf_keep_job *next;
};

struct sf_keep *sf_keep_new(struct sf_talk *t);
void sf_keep_free(struct sf_keep *keep); /* by turns of the loop: what must be finished, is */
void sf_keep_start(struct sf_keep *keep, struct sf_keep_job *job);
void sf_keep_leave(struct sf_work *w); /* it waits no longer */
struct sf_talk *sf_keep_talk(struct sf_keep *keep);
struct sf_undo_place sf_keep_place(struct sf_keep *keep);

void sf_keep_turn(struct sf_keep *keep, const char *words); /* a turn begins */
void sf_keep_end(struct sf_keep *keep);                     /* it is over */
bool sf_keep_hold(struct sf_work *w);       /* true: sf_work_go follows when all is kept */
bool sf_keep_touched(struct sf_keep *keep); /* the turn changed something since */
void sf_keep_reverted(struct sf_keep *keep);

/* ---- fence.c ---- */

struct sf_fence *sf_fence_new(const struct sf_work *w); /* NULL: it needs none */
bool sf_fence_check(struct sf_work *w);                 /* true: sf_work_done follows */
void sf_fence_free(struct sf_fence *fence);             /* NULL is welcome */

/* ---- revert.c ---- */

void sf_revert_look(struct sf_work *w); /* sf_work_judge follows, or an answer */
void sf_revert_run(struct sf_work *w);

/* ---- shell.c ---- */

enum { SF_WORK_USER = SF_AGENT_CALLS_MAX }; /* the index of the user's own command */

void sf_shell_ended(struct sf_work *w, const struct sf_tool_result *result);
void sf_shell_recall(struct sf_talk *t, const char *kind, const char *json, size_t len);

/* ---- line.c ---- */

void sf_line_choose(struct sf_talk *t, const char *words);    /* the model of this turn */
void sf_line_request(struct sf_talk *t, const char *summary); /* NULL: an ordinary one */

#endif
