/*
 * internal: a running session's fields, shared by the files of this room that make it up.
 *
 *     talk.c     opening, closing, what surfaces call
 *     load.c     an old session's log on its way back into memory
 *     perform.c  the agent's effects, one after the other
 *     work.c     calls on their way: judged, asked about, running, answered
 *     asks.c     questions to the user, and their answers
 *     own.c      the tools that are the session's own
 *     plan.c     plans: noted, submitted, accepted
 *     keep.c     snapshots around turns, and whatever else blocks on them
 *     fence.c    the scope of shell commands, looked at afterwards
 *     revert.c   the model's way back
 *     rehearsal.c  changes that cannot be made, found out before anybody is asked
 *     loss.c     what a call would take away, found out before anybody is asked
 *     shell.c    commands the user typed
 *     keepsake.c what is no part of the conversation and comes back with it
 *     enter.c    a session becomes ours
 *     watch.c    a session that another process talks in: following it, taking it over
 *     custom_run.c  custom commands, from their name to the turn
 *     line.c     the model: which one, what is sent, what comes back
 *     goal.c     the goal: counted, changed, told
 *     pins.c     facts the user pinned
 *     briefing.c the system prompt, and what changed since it was made
 *     restored.c files that went back
 *     standing.c what is told with every turn
 */
#ifndef SF_SESSION_INTERNAL_H
#define SF_SESSION_INTERNAL_H

#include "session/confine.h"
#include "session/goal.h"
#include "session/instructions.h"
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

    int64_t job; /* of the background, which the fence follows; 0: none; then: */
    char session[SF_ID_LEN + 1];
    char *command;
    bool shared;              /* others may have written since the mark: nothing is put back */
    struct sf_strlist others; /* what file tools wrote since, which is theirs */
};

/* Of the jobs that run. */
struct sf_fences {
    struct sf_fence **items;
    size_t count, cap;
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
        SF_WORK_REHEARSED, /* a worker tries it */
        SF_WORK_ASKED,
        SF_WORK_QUESTION,
        SF_WORK_SUBMITTED, /* submitted, and waiting to be accepted */
        SF_WORK_RUNNING,
    } state;
    bool counted;          /* the axes' machine knows that it runs */
    bool asks;             /* the log says that somebody is asked about it */
    int64_t started_ms;    /* monotonic; 0: it has not run */
    int64_t took_ms;       /* once it is over; -1: it never ran */
    struct sf_talk *child; /* the sub-agent that does it */

    struct sf_keep_job *job; /* that it waits for, or NULL */
    struct sf_fence *fence;  /* of a command, or NULL */
    struct sf_undo undo;     /* of RevertTurn: where to */
    char *about, *preview;   /* of RevertTurn: for the card; or NULL */
    char *planned;           /* what a rehearsed change would change, as a diff; or NULL */
    char *amended;           /* the arguments as the user changed them; or NULL */
    struct sf_strlist facts; /* of what destroys: "lost\tsrc/", for the card */
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

/* What a turn has besides its words; NULL or empty: nothing. */
struct sf_wish {
    const char *more; /* said behind the words, in tags of its own */
    size_t more_len;
    const char *model;
    const struct sf_strlist *tools; /* no others may be called */
};

struct sf_custom_run;

/* The last refusal of a turn. */
struct sf_refusal {
    bool stands;    /* nothing has made up for it */
    bool lasts;     /* nothing can: nobody was there to answer one */
    bool looked;    /* it only wanted to look */
    char text[640]; /* what was refused, why, and what would let it pass */
};

struct sf_talk {
    struct sf_talk_setup setup;
    char *model_asked, *append;
    bool provider_asked; /* somebody named the provider for this session */
    bool model_news;     /* what was named is not in the log yet */
    char *cwd;           /* of the shell, as the log has it; NULL: the root */
    char *jobs_kept;     /* commands in the background, as the log has them; NULL: none */
    char id[SF_ID_LEN + 1];
    struct sf_lock lock;
    struct sf_notice *axes; /* tells when they may have changed; NULL: nobody does */
    uint64_t axes_timer;
    struct sf_watch *watch;  /* NULL: the session is ours */
    int64_t last_read;       /* the event of the log that was read last */
    int64_t last_transition; /* the number of the last one there was when they were looked at */
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
    struct sf_keep *keep;  /* of the user's own session, shared by its sub-agents */
    struct sf_strbuf news; /* what jobs did, until the model is told */

    char *system;
    struct sf_briefing *briefing; /* what of it is in the log, and what changed since */
    char *model;                  /* the concrete one */
    const struct sf_model_row *row;
    enum sf_model_mode mode; /* of this turn */
    bool routed, patches;
    char *wished_model;             /* for this turn alone, or NULL */
    struct sf_strlist wished_tools; /* no others in this turn, when narrowed */
    bool narrowed;
    struct sf_custom_run *custom; /* a custom command on its way to become a turn, or NULL */
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

    struct sf_strlist notices; /* of opening, told when the loop runs */
    uint64_t notice_timer;
    struct sf_strbuf fresh; /* text that came and was not told yet */
    uint64_t flush_timer, time_timer, close_timer;
    struct sf_goal goal;
    int64_t goal_mark; /* of the time the turns took: counted for the goal up to here */
    bool goal_news;    /* it has used up its budget, and the turn was not told yet */
    int weighed;       /* one more than the profile for which this was done */
    int64_t instruction_tokens, memory_tokens; /* of the system prompt, about */
    struct sf_strlist pins;
    bool pins_news; /* they changed since the model was told */
    bool dead;      /* the log cannot be written: nothing goes on */
    struct sf_refusal refusal;
    struct sf_talk *closing; /* a sub-agent that ended and is to be closed from the loop */
};

/* ---- refusal.c ---- */

/* The call is refused by its verdict; or by the list of tools. */
void sf_refusal_note(struct sf_work *w);
void sf_refusal_withheld(struct sf_work *w);
/* A sub-agent ended with one. */
void sf_refusal_adopt(struct sf_talk *t, const struct sf_told *child);
/* The call came to this end, which may make up for what was refused before it. */
void sf_refusal_outdo(struct sf_work *w, const struct sf_tool_result *result);

/* ---- talk.c ---- */

struct sf_talk *sf_talk_open_child(struct sf_work *work, const struct sf_talk_setup *setup,
                                   struct sf_error *err);
void sf_talk_tell(struct sf_talk *t, struct sf_told *told); /* fills in whose it is */
void sf_talk_note(struct sf_talk *t, const char *text); /* a notice, told once somebody listens */

/* sf_talk_send, with what the turn has besides; a running one takes no wishes. */
bool sf_talk_say(struct sf_talk *t, const char *text, size_t len, const struct sf_wish *wish,
                 struct sf_error *err) SF_MUST_CHECK;

bool sf_talk_find(struct sf_talk *t, struct sf_error *err); /* its row, and the axes in there */

/* ---- load.c ---- */

bool sf_load_begin(struct sf_talk *t, struct sf_error *err) SF_MUST_CHECK;
bool sf_load_all(struct sf_talk *t, struct sf_error *err) SF_MUST_CHECK; /* what is left of it */
void sf_load_drop(struct sf_talk *t);
int64_t sf_load_context(const struct sf_talk *t); /* of sf_talk_context */
bool sf_load_event(struct sf_talk *t, const struct sf_event_row *event,
                   struct sf_error *err) SF_MUST_CHECK; /* behind all that was read */
bool sf_load_repair(struct sf_talk *t, struct sf_error *err) SF_MUST_CHECK; /* after the last one */

/* ---- keepsake.c ---- */

void sf_keepsake_write(struct sf_talk *t, struct sf_json_writer *w); /* beside a result */
void sf_keepsake_model(struct sf_talk *t);                           /* the user chose another */
bool sf_keepsake_names(const struct sf_talk_setup *setup); /* a provider that can be kept */
void sf_keepsake_named(struct sf_talk *t);           /* so did the command line; once it is ours */
void sf_keepsake_jobs(struct sf_talk *t, bool last); /* as they are now; the last word of them */
void sf_keepsake_read(struct sf_talk *t, const struct sf_event_row *event);

/* The model is not waited for: it is found by its kind, or is in an event of now. */
void sf_keepsake_read_model(struct sf_talk *t, const struct sf_event_row *event);
bool sf_keepsake_find_model(struct sf_talk *t, struct sf_error *err) SF_MUST_CHECK;

/* ---- enter.c ---- */

bool sf_talk_hold(struct sf_talk *t, struct sf_error *err);      /* its lock, or a watch */
bool sf_talk_enter(struct sf_talk *t, struct sf_error *err);     /* it is ours now */
bool sf_talk_can(const struct sf_talk *t, struct sf_error *err); /* say and do something */

/* ---- watch.c ---- */

struct sf_watch *sf_watch_new(struct sf_talk *t, struct sf_error *err);
void sf_watch_free(struct sf_watch *w);                               /* NULL is welcome */
bool sf_watch_refuse(const struct sf_watch *w, struct sf_error *err); /* in words */

/* ---- perform.c ---- */

void sf_talk_feed(struct sf_talk *t, struct sf_input *input);
void sf_talk_perform(struct sf_talk *t, struct sf_effects *effects);

/* An event of the session that is none of the conversation's. */
bool sf_talk_append(struct sf_talk *t, const char *kind, const struct sf_strbuf *json,
                    struct sf_error *err) SF_MUST_CHECK;

void sf_talk_die(struct sf_talk *t, const struct sf_error *err);
void sf_talk_flush(struct sf_talk *t);
bool sf_talk_refresh(struct sf_talk *t, struct sf_error *err); /* the axes, as the store has them */
bool sf_talk_settle(struct sf_talk *t, struct sf_error *err);  /* transitions that are due */
void sf_talk_notify(struct sf_talk *t, enum sf_machine_event event);

/* ---- work.c ---- */

void sf_work_begin(struct sf_talk *t, size_t index, const struct sf_block *block);
void sf_work_run(struct sf_work *w);
void sf_work_stop(struct sf_work *w);
void sf_work_saved(struct sf_talk *t, const struct sf_effect *e); /* its result is */
void sf_work_drop(struct sf_talk *t);                             /* all of them */
/* By the verdict, which the model is told. */
void sf_work_refuse(struct sf_work *w);
void sf_work_answerf(struct sf_work *w, bool is_error, const char *format, ...) SF_PRINTF(3, 4);
void sf_work_release(struct sf_work *w);
void sf_work_cage(struct sf_talk *t);     /* fills in how the toolbox confines commands */
void sf_work_go(struct sf_work *w);       /* what it waited for is there */
void sf_work_done(struct sf_work *w);     /* its call's result is complete */
void sf_work_possible(struct sf_work *w); /* nothing stands against it but the question */
void sf_work_allow(struct sf_work *w);    /* nobody has to be asked, or somebody said yes */
void sf_work_ask(struct sf_work *w);      /* somebody is asked whether it may run */
void sf_work_judge(struct sf_work *w); /* its arguments are read, and what it would do is known */
bool sf_work_verdict(struct sf_work *w, struct sf_error *err); /* of its call, with its row */
struct sf_told_call sf_work_told(const struct sf_work *w);     /* borrowed from it */

/* ---- asks.c ---- */

void sf_asks_open(struct sf_work *w, const char *what); /* somebody is being asked */
void sf_asks_close(struct sf_work *w);                  /* not any more; if it was asked about */
struct sf_work *sf_asks_waiting(struct sf_talk *t, const char *id); /* for an answer; or NULL */

/* ---- amend.c ---- */

const char *sf_amend_draft(const struct sf_work *w); /* what of it the user may change; or NULL */
void sf_amend_note(const struct sf_work *w, struct sf_tool_result *result); /* if it was changed */

/* ---- own.c ---- */

void sf_own_run(struct sf_work *w);

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
    bool bare;           /* runs without snapshots too; none are made for it */
    bool ok;             /* set by `run`; it is not called when snapshots cannot be had */
    struct sf_error err; /* otherwise */
    struct sf_keep_job *next;
};

struct sf_keep *sf_keep_new(struct sf_talk *t);
void sf_keep_free(struct sf_keep *keep); /* by turns of the loop: what must be finished, is */
void sf_keep_start(struct sf_keep *keep, struct sf_keep_job *job);
void sf_keep_leave(struct sf_work *w); /* it waits no longer */

/* Calls `fn` when all that was started so far is done; with `w` only if that still waits. */
void sf_keep_then(struct sf_keep *keep, struct sf_work *w, sf_loop_fn *fn, void *ctx);
struct sf_talk *sf_keep_talk(struct sf_keep *keep);
struct sf_fences *sf_keep_fences(struct sf_keep *keep);
struct sf_undo_place sf_keep_place(struct sf_keep *keep);

void sf_keep_turn(struct sf_keep *keep, const char *words); /* a turn begins */
void sf_keep_end(struct sf_keep *keep);                     /* it is over */
bool sf_keep_hold(struct sf_work *w); /* true: sf_work_go follows when all is kept */
void sf_keep_reverted(struct sf_keep *keep);

/* Whether the state before the turn's first change can be had again. */
enum sf_keep_cover {
    SF_KEEP_OFF,    /* snapshots are switched off */
    SF_KEEP_FAILED, /* this turn's could not be taken */
    SF_KEEP_WILL,   /* it will be taken before the call runs */
    SF_KEEP_HAS,    /* it was taken before the turn changed anything */
};
enum sf_keep_cover sf_keep_cover(const struct sf_keep *keep);

/* ---- fence.c ---- */

struct sf_fence *sf_fence_new(const struct sf_work *w); /* NULL: it needs none */
bool sf_fence_check(struct sf_work *w);                 /* true: sf_work_done follows */
void sf_fence_free(struct sf_fence *fence);             /* NULL is welcome */

/* A job that has a fence ended; the turn did while jobs run; something else is about to write. */
void sf_fence_job_ended(struct sf_talk *t, int64_t job);
void sf_fence_turn_ended(struct sf_keep *keep);
void sf_fence_meanwhile(const struct sf_work *w, const struct sf_fence *own); /* `own` or NULL */

void sf_fence_speak(struct sf_talk *t, struct sf_message *message); /* of jobs, if there is news */
void sf_fence_recall(struct sf_talk *t, const char *kind, const char *json, size_t len);

/* ---- rehearsal.c ---- */

bool sf_rehearsal_begin(struct sf_work *w); /* true: sf_work_possible follows, or an answer */

/* ---- loss.c ---- */

void sf_loss_look(struct sf_work *w); /* sf_work_ask follows */

/* ---- revert.c ---- */

void sf_revert_look(struct sf_work *w); /* sf_work_judge follows, or an answer */
void sf_revert_run(struct sf_work *w);

/* ---- shell.c ---- */

enum { SF_WORK_USER = SF_AGENT_CALLS_MAX }; /* the index of the user's own command */

/* Begins a call of the user's own: the tool with one argument. */
void sf_shell_begin(struct sf_talk *t, const char *tool, const char *arg, const char *value);

void sf_shell_ended(struct sf_work *w, const struct sf_tool_result *result);
void sf_shell_recall(struct sf_talk *t, const char *kind, const char *json, size_t len);

/* ---- goal.c ---- */

bool sf_goal_refresh(struct sf_talk *t, struct sf_error *err); /* tells what changed */

/* Before a row of usage is written: it counts for the goal; and behind it. */
void sf_goal_charge(struct sf_talk *t, struct sf_usage_new *row);
bool sf_goal_charged(struct sf_talk *t, struct sf_error *err);
bool sf_goal_turn_ended(struct sf_talk *t, const struct sf_effect *end, struct sf_error *err);
void sf_goal_speak(struct sf_talk *t); /* tells the running turn what it should know */

/* ---- pins.c ---- */

#define SF_PINS_TAG "<pinned>"

void sf_pins_recall(struct sf_talk *t, const char *kind, const char *json, size_t len);
void sf_pins_add(struct sf_talk *t, struct sf_message *message); /* if they changed */
void sf_pins_standing(const struct sf_talk *t, struct sf_strbuf *out);

/* ---- briefing.c ---- */

struct sf_briefing *sf_briefing_new(void);
void sf_briefing_free(struct sf_briefing *briefing); /* NULL is welcome */
void sf_briefing_make(struct sf_talk *t);            /* as the session is opened */
/* Before words are said: the prompt is in the log, and so is what changed since. */
bool sf_briefing_keep(struct sf_talk *t, struct sf_error *err) SF_MUST_CHECK;
void sf_briefing_add(struct sf_talk *t, struct sf_message *message); /* if anything did */
void sf_briefing_standing(const struct sf_talk *t, struct sf_strbuf *out);
void sf_briefing_recall(struct sf_talk *t, const struct sf_event_row *event);

/* ---- restored.c ---- */

/* Appends which files went back since the last turn. */
bool sf_restored_find(struct sf_talk *t, struct sf_strbuf *out, struct sf_error *err) SF_MUST_CHECK;

/* ---- standing.c ---- */

void sf_standing_close(struct sf_talk *t, struct sf_message *message); /* what closes each one */
void sf_standing_add(void *ctx, struct sf_strbuf *out);                /* for summaries */
/* Which part of the system prompt is whose. */
void sf_standing_note(struct sf_talk *t, const struct sf_instructions *files);
/* Tells the machine what goes with each request; the first one need not wait for it. */
void sf_standing_weigh(struct sf_talk *t);

/* ---- custom_run.c ---- */

void sf_custom_ended(struct sf_talk *t, const struct sf_work *w,
                     const struct sf_tool_result *result); /* a call of its is over */
void sf_custom_cancel(struct sf_talk *t);
void sf_custom_drop(struct sf_talk *t);

/* ---- line.c ---- */

bool sf_line_offers(struct sf_talk *t, const char *tool); /* the session has it, in this turn too */
void sf_line_faces(struct sf_talk *t); /* makes them, as far as they are not there */

void sf_line_choose(struct sf_talk *t, const char *words);    /* the model of this turn */
void sf_line_request(struct sf_talk *t, const char *summary); /* NULL: an ordinary one */

#endif
