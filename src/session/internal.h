/*
 * internal: a running session's fields, shared by the files of this room that make it up.
 *
 *     session.c     opening, closing, what surfaces call
 *     load.c     an old session's log on its way back into memory
 *     effects.c  the agent's effects, one after the other
 *     call.c     calls on their way, as a table of stages
 *     call_cage.c    how their commands are confined
 *     call_record.c  their results, written down and told
 *     approvals.c     questions to the user, and their answers
 *     session_tools.c      the tools that are the session's own
 *     plan.c     plans: noted, submitted, accepted
 *     snapshots.c     snapshots around turns, and whatever else blocks on them
 *     scope_audit.c    the scope of shell commands, looked at afterwards
 *     restore.c  the user's way back, and what waits meanwhile
 *     revert.c   the model's way back
 *     rehearsal.c  changes that cannot be made, found out before anybody is asked
 *     loss_preview.c     what a call would take away, found out before anybody is asked
 *     shell.c    commands the user typed
 *     side_state.c what is no part of the conversation and comes back with it
 *     acquire.c    a session becomes ours
 *     watch.c    a session that another process talks in: following it, taking it over
 *     custom_run.c  custom commands, from their name to the turn
 *     model_link.c     the model: which one, what is sent, what comes back
 *     goal.c     the goal: counted, changed, told
 *     pins.c     facts the user pinned
 *     briefing.c the system prompt, and what changed since it was made
 *     turn_meta.c what is told with every turn
 */
#ifndef SF_SESSION_INTERNAL_H
#define SF_SESSION_INTERNAL_H

#include "judge/judge.h"
#include "session/goal.h"
#include "session/session.h"
#include "workspace/workspace.h"

/* What a shell command may change, and the state to compare with when it has ended. */
struct sf_scope_audit {
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
struct sf_scope_audits {
    struct sf_scope_audit **items;
    size_t count, cap;
};

/* The stages of a call, in their order; the table is in call.c. */
enum sf_call_stage_name {
    SF_STAGE_DESCRIBE,  /* what it would do: the tool, its arguments, what they name */
    SF_STAGE_INTERCEPT, /* the place of interceptors */
    SF_STAGE_JUDGE,     /* the verdict, with its row */
    SF_STAGE_REHEARSE,  /* a change that cannot be made is not asked about */
    SF_STAGE_PREVIEW,   /* what it would take away is found out for the question */
    SF_STAGE_ASK,       /* somebody allows it, where somebody must */
    SF_STAGE_SNAPSHOT,  /* the workspace as it is, so that there is a way back */
    SF_STAGE_RUN,
    SF_STAGE_AUDIT,  /* what a command wrote outside of its scope is put back */
    SF_STAGE_COACH,  /* the place of the coach */
    SF_STAGE_RECORD, /* the result is written down, then told */
    SF_STAGE_COUNT,
};

struct sf_call;
struct sf_call_stage {
    const char *name;
    void (*begin)(struct sf_call *c); /* finishes now or later with one sf_call_next */
    bool always;                      /* also once the log cannot be written: what ran, ran */
};
extern const struct sf_call_stage sf_call_stages[SF_STAGE_COUNT];

/* One call of the running answer. */
struct sf_call {
    struct sf_session *session;
    size_t index;
    char *id, *name, *args; /* as the model sent them */
    size_t len;
    struct sf_tool_call *tool_call;
    const char *what;              /* it is about, borrowed from that; NULL: nobody knows */
    enum sf_call_stage_name stage; /* that comes next */
    struct sf_judged judged;
    bool has_judged;
    struct sf_mode_state axes; /* by which it was judged, and by which all that follows goes */
    bool approved;             /* who was asked said yes */
    bool answered;             /* by sf itself: `own` is its result */
    struct sf_tool_result own;
    enum {
        SF_CALL_FREE,
        SF_CALL_JUDGED,    /* on its way, and nothing of it has to be ended */
        SF_CALL_REHEARSED, /* a worker tries it */
        SF_CALL_ASKED,
        SF_CALL_QUESTION,
        SF_CALL_SUBMITTED, /* submitted, and waiting to be accepted */
        SF_CALL_RUNNING,
        SF_CALL_OVER, /* its result is on the way into the log */
    } state;
    bool counted;             /* the axes' machine knows that it runs */
    bool asks;                /* the log says that somebody is asked about it */
    int64_t started_ms;       /* monotonic; 0: it has not run */
    int64_t took_ms;          /* once it is over; -1: it never ran */
    struct sf_session *child; /* the sub-agent that does it */

    struct sf_snapshot_job *job;    /* that it waits for, or NULL */
    struct sf_scope_audit *audit;   /* of a command, or NULL */
    struct sf_restore_job *restore; /* of RevertTurn: where to; or NULL */
    char *about, *preview;          /* of RevertTurn: for the card; or NULL */
    char *planned;                  /* what a rehearsed change would change, as a diff; or NULL */
    char *amended;                  /* the arguments as the user changed them; or NULL */
    struct sf_losses losses;        /* of what destroys, for the card */
    char *plan;                     /* that was submitted, as it stands now; or NULL */
    bool plan_edited;               /* by the user */
    int64_t acceptance;             /* the decision that waits for its answer; 0: none does */
};

/* An input that came while effects were being performed. */
struct sf_queued_input {
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

struct sf_session {
    struct sf_session_setup setup;
    char *model_asked, *append;
    bool provider_asked; /* somebody named the provider for this session */
    bool model_news;     /* what was named is not in the log yet */
    char *cwd;           /* of the shell, as the log has it; NULL: the root */
    char *jobs_kept;     /* commands in the background, as the log has them; NULL: none */
    char id[SF_ID_LEN + 1];
    struct sf_lock lock;
    struct sf_filewatch *axes; /* tells when they may have changed; NULL: nobody does */
    uint64_t axes_timer;
    struct sf_watch *watch;  /* NULL: the session is ours */
    int64_t last_read;       /* the event of the log that was read last */
    int64_t last_transition; /* the number of the last one there was when they were looked at */
    int depth;
    char *parent_call;
    int64_t turn; /* the number of the row that began the running turn; 0: none runs */
    int message;  /* the place of the answer in it that events are about, from 1 */
    int answers;  /* of the turn, that are complete */
    bool titled;
    struct sf_load *load; /* what is still to be read; NULL: nothing */

    struct sf_agent *agent;
    struct sf_mode_machine *machine;
    struct sf_confine *confine;
    struct sf_tool_cage cage;
    struct sf_toolbox *box;
    struct sf_client *client;
    struct sf_snapshots *snapshots;     /* of the user's own session, shared by its sub-agents */
    struct sf_session_restore *restore; /* files go back, or what waited for that; or NULL */
    struct sf_strbuf news;              /* what jobs did, until the model is told */

    char *system;
    struct sf_briefing *briefing; /* what of it is in the log, and what changed since */
    char *model;                  /* the concrete one */
    const struct sf_model_row *row;
    enum sf_model_mode mode; /* of this turn */
    bool routed;
    struct sf_toolset tools;        /* of this session */
    struct sf_registry registry;    /* which of them are offered */
    char *wished_model;             /* for this turn alone, or NULL */
    struct sf_strlist wished_tools; /* no others in this turn, when the registry has them */
    struct sf_custom_run *custom;   /* a custom command on its way to become a turn, or NULL */
    struct sf_arena schemas_arena;
    struct sf_tool_schema *schemas;
    size_t schema_count;
    int schemas_profile; /* they were made for; -1: not yet */

    struct sf_call calls[SF_AGENT_CALLS_MAX + 1]; /* the last one is the user's own command */
    struct sf_strbuf shown;                       /* such commands the model was not told of yet */
    int64_t shell_count;
    struct sf_queued_input *queue;
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
    struct sf_session *closing; /* a sub-agent that ended and is to be closed from the loop */
};

/* ---- refusal.c ---- */

/* The call is refused by its verdict. */
void sf_refusal_note(struct sf_call *c);
/* A sub-agent ended with one. */
void sf_refusal_adopt(struct sf_session *s, const struct sf_event_done *child);
/* The call came to this end, which may make up for what was refused before it. */
void sf_refusal_outdo(struct sf_call *c, const struct sf_tool_result *result);

/* ---- session.c ---- */

struct sf_session *sf_session_open_child(struct sf_call *call, const struct sf_session_setup *setup,
                                         struct sf_error *err);
void sf_session_tell(struct sf_session *s, struct sf_event *event); /* fills in whose it is */
void sf_session_note(struct sf_session *s,
                     const char *text); /* a notice, told once somebody listens */

/* sf_session_send, with what the turn has besides; a running one takes no wishes. */
bool sf_session_say(struct sf_session *s, const char *text, size_t len, const struct sf_wish *wish,
                    struct sf_error *err) SF_MUST_CHECK;

bool sf_session_find(struct sf_session *s,
                     struct sf_error *err); /* its row, and the axes in there */

/* ---- load.c ---- */

bool sf_load_begin(struct sf_session *s, struct sf_error *err) SF_MUST_CHECK;
bool sf_load_all(struct sf_session *s, struct sf_error *err) SF_MUST_CHECK; /* what is left of it */
void sf_load_drop(struct sf_session *s);
int64_t sf_load_context(const struct sf_session *s); /* of sf_session_context */
bool sf_load_event(struct sf_session *s, const struct sf_event_row *event,
                   struct sf_error *err) SF_MUST_CHECK; /* behind all that was read */
bool sf_load_repair(struct sf_session *s,
                    struct sf_error *err) SF_MUST_CHECK; /* after the last one */

/* ---- side_state.c ---- */

void sf_side_state_write(struct sf_session *s, struct sf_json_writer *c); /* beside a result */
void sf_side_state_model(struct sf_session *s);                 /* the user chose another */
bool sf_side_state_names(const struct sf_session_setup *setup); /* a provider that can be kept */
void sf_side_state_named(struct sf_session *s); /* so did the command line; once it is ours */
void sf_side_state_jobs(struct sf_session *s,
                        bool last); /* as they are now; the last word of them */
void sf_side_state_read(struct sf_session *s, const struct sf_event_row *event);

/* The model is not waited for: it is found by its kind, or is in an event of now. */
void sf_side_state_read_model(struct sf_session *s, const struct sf_event_row *event);
bool sf_side_state_find_model(struct sf_session *s, struct sf_error *err) SF_MUST_CHECK;

/* ---- acquire.c ---- */

bool sf_session_lock(struct sf_session *s, struct sf_error *err);      /* its lock, or a watch */
bool sf_session_acquire(struct sf_session *s, struct sf_error *err);   /* it is ours now */
bool sf_session_can(const struct sf_session *s, struct sf_error *err); /* say and do something */

/* ---- watch.c ---- */

struct sf_watch *sf_watch_new(struct sf_session *s, struct sf_error *err);
void sf_watch_free(struct sf_watch *c);                               /* NULL is welcome */
bool sf_watch_refuse(const struct sf_watch *c, struct sf_error *err); /* in words */

/* ---- effects.c ---- */

void sf_session_feed(struct sf_session *s, struct sf_input *input);
void sf_session_perform(struct sf_session *s, struct sf_effects *effects);

/* An event of the session that is none of the conversation's. */
bool sf_session_append(struct sf_session *s, const char *kind, const struct sf_strbuf *json,
                       struct sf_error *err) SF_MUST_CHECK;

void sf_session_die(struct sf_session *s, const struct sf_error *err);
void sf_session_flush(struct sf_session *s);
bool sf_session_refresh(struct sf_session *s,
                        struct sf_error *err); /* the axes, as the store has them */
bool sf_session_settle(struct sf_session *s, struct sf_error *err); /* transitions that are due */
void sf_session_notify(struct sf_session *s, enum sf_machine_event event);
/* Of tools: the axes were read when the call was judged, and are not read again. */
void sf_session_count_tool(struct sf_session *s, enum sf_machine_event event);

/* ---- call.c ---- */

void sf_call_begin(struct sf_session *s, size_t index, const struct sf_block *block);
void sf_call_next(struct sf_call *c); /* the stage it was in is finished */
void sf_call_stop(struct sf_call *c);
void sf_call_approve(struct sf_call *c); /* somebody said yes, or nobody has to */
/* Ends of a call: by its verdict; with words of sf's own; with what its tool came to. */
void sf_call_refuse(struct sf_call *c);
void sf_call_answerf(struct sf_call *c, bool is_error, const char *format, ...) SF_PRINTF(3, 4);
void sf_call_end(struct sf_call *c);
bool sf_call_verdict(struct sf_call *c, struct sf_error *err); /* of its call, with its row */
void sf_call_judged_again(struct sf_call *c);                  /* as another one: on from there */
struct sf_event_call sf_call_event(const struct sf_call *c);   /* borrowed from it */
bool sf_call_is_refused(const struct sf_call *c, const struct sf_tool_result *result);

/* ---- call_cage.c ---- */

void sf_call_cage(struct sf_session *s); /* fills in how the toolbox confines commands */

/* ---- call_record.c ---- */

void sf_call_record(struct sf_call *c);                              /* the last stage */
void sf_call_saved(struct sf_session *s, const struct sf_effect *e); /* its result is */
void sf_call_release(struct sf_call *c);
void sf_call_drop(struct sf_session *s); /* all of them */

/* ---- approvals.c ---- */

void sf_approvals_open(struct sf_call *c, const char *what); /* somebody is being asked */
void sf_approvals_close(struct sf_call *c); /* not any more; if it was asked about */
/* What was taken back meanwhile, here or by another process, does not count any more. */
bool sf_approvals_refresh(struct sf_session *s, struct sf_error *err) SF_MUST_CHECK;
/* The approval mode the session was left in, where that is the strictest. */
bool sf_approvals_recall_mode(struct sf_session *s, struct sf_error *err) SF_MUST_CHECK;
void sf_approvals_tell(struct sf_call *c, enum sf_event_kind kind, const char *what);
struct sf_call *sf_approvals_waiting(struct sf_session *s,
                                     const char *id); /* for an answer; or NULL */

/* ---- amend.c ---- */

const char *sf_amend_draft(const struct sf_call *c); /* what of it the user may change; or NULL */
void sf_amend_note(const struct sf_call *c, struct sf_tool_result *result); /* if it was changed */

/* ---- session_tools.c ---- */

void sf_session_tool_run(struct sf_call *c);

/* ---- plan.c ---- */

void sf_plan_run(struct sf_call *c);
bool sf_plan_answer(struct sf_call *c, enum sf_reply reply, const char *words, const char *who);

/* ---- snapshots.c ---- */

struct sf_snapshots;

/* One thing to do with the snapshots: all of them run one after the other, on a worker. */
struct sf_snapshot_job {
    void (*run)(struct sf_snapshot_job *job, struct sf_snap *snap);
    void (*done)(struct sf_snapshot_job *job); /* on the loop; frees it */
    struct sf_snapshots *snapshots;
    struct sf_call *call; /* that waits for it; NULL: nobody, or nobody any more */
    atomic_bool cancel;
    bool bare;           /* runs without snapshots too; none are made for it */
    bool restores;       /* files go back: no call starts before it is done */
    bool ok;             /* set by `run`; it is not called when snapshots cannot be had */
    struct sf_error err; /* otherwise */
    struct sf_snapshot_job *next;
};

struct sf_snapshots *sf_snapshots_new(struct sf_session *s);
void sf_snapshots_recall(struct sf_snapshots *snapshots); /* the session goes on from its log */
void sf_snapshots_free(
    struct sf_snapshots *snapshots); /* by turns of the loop: what must be finished, is */
void sf_snapshots_start(struct sf_snapshots *snapshots, struct sf_snapshot_job *job);
void sf_snapshots_leave(struct sf_call *c); /* it waits no longer */

/* Calls `fn` when all that was started so far is done; with `w` only if that still waits. */
void sf_snapshots_then(struct sf_snapshots *snapshots, struct sf_call *c, sf_loop_fn *fn,
                       void *ctx);
struct sf_session *sf_snapshots_session(struct sf_snapshots *snapshots);
struct sf_scope_audits *sf_snapshots_audits(struct sf_snapshots *snapshots);
struct sf_undo_place sf_snapshots_place(struct sf_snapshots *snapshots);

void sf_snapshots_turn(struct sf_snapshots *snapshots, const char *words); /* a turn begins */
void sf_snapshots_end(struct sf_snapshots *snapshots);                     /* it is over */
bool sf_snapshots_hold(struct sf_call *c); /* true: sf_call_next follows when all is kept */
void sf_snapshots_reverted(struct sf_snapshots *snapshots);

/* Whether the state before the turn's first change can be had again. */
enum sf_snapshot_cover {
    SF_COVER_OFF,    /* snapshots are switched off */
    SF_COVER_FAILED, /* this turn's could not be taken */
    SF_COVER_WILL,   /* it will be taken before the call runs */
    SF_COVER_HAS,    /* it was taken before the turn changed anything */
};
enum sf_snapshot_cover sf_snapshot_cover(const struct sf_snapshots *snapshots);

/* ---- scope_audit.c ---- */

struct sf_scope_audit *sf_scope_audit_new(const struct sf_call *c); /* NULL: it needs none */
bool sf_scope_audit_check(struct sf_call *c);                       /* true: sf_call_next follows */
void sf_scope_audit_free(struct sf_scope_audit *audit);             /* NULL is welcome */

/* A job that has a fence ended; the turn did while jobs run; something else is about to write. */
void sf_scope_audit_job_ended(struct sf_session *s, int64_t job);
void sf_scope_audit_turn_ended(struct sf_snapshots *snapshots);
void sf_scope_audit_meanwhile(const struct sf_call *c,
                              const struct sf_scope_audit *own); /* `own` or NULL */

void sf_scope_audit_speak(struct sf_session *s,
                          struct sf_message *message); /* of jobs, if there is news */
void sf_scope_audit_recall(struct sf_session *s, const char *kind, const char *json, size_t len);

/* ---- rehearsal.c ---- */

bool sf_rehearsal_begin(struct sf_call *c); /* true: sf_call_next follows, or an answer */

/* ---- loss_preview.c ---- */

void sf_loss_preview_begin(struct sf_call *c); /* sf_call_next follows */
void sf_losses_release(struct sf_losses *losses);

/* ---- restore.c ---- */

/* The step was done; `c` is the call that still waits for it, or NULL. Not `ok`: job->err. */
typedef void sf_restore_step_fn(void *ctx, struct sf_restore_job *job, struct sf_call *c, bool ok);

/* The step that blocks in the job's state, looking or running, on the queue of snapshots. */
void sf_restore_start(struct sf_snapshots *snapshots, struct sf_restore_job *job, struct sf_call *c,
                      sf_restore_step_fn *fn, void *ctx);
bool sf_restore_save(struct sf_snapshots *snapshots, struct sf_restore_job *job, bool by_model,
                     struct sf_error *err) SF_MUST_CHECK; /* that files are back */

/* While the session has a restore, words and a command wait for its end; `err`: too many do. */
bool sf_restore_hold_words(struct sf_session *s, const char *text, size_t len,
                           struct sf_error *err) SF_MUST_CHECK;
bool sf_restore_hold_shell(struct sf_session *s, const char *command,
                           struct sf_error *err) SF_MUST_CHECK;
bool sf_restore_has_waiting(const struct sf_session *s);
void sf_restore_cancel(struct sf_session *s);
void sf_restore_close(struct sf_session *s); /* once the snapshots are */

/* ---- revert.c ---- */

void sf_revert_look(struct sf_call *c); /* sf_call_next follows, or an answer */
void sf_revert_run(struct sf_call *c);

/* ---- shell.c ---- */

enum { SF_CALL_USER = SF_AGENT_CALLS_MAX }; /* the index of the user's own command */

/* Begins a call of the user's own: the tool with one argument. */
void sf_shell_begin(struct sf_session *s, const char *tool, const char *arg, const char *value);

void sf_shell_ended(struct sf_call *c, const struct sf_tool_result *result);
void sf_shell_recall(struct sf_session *s, const char *kind, const char *json, size_t len);

/* ---- goal.c ---- */

bool sf_goal_refresh(struct sf_session *s, struct sf_error *err); /* tells what changed */

/* Before a row of usage is written: it counts for the goal; and behind it. */
void sf_goal_charge(struct sf_session *s, struct sf_usage_new *row);
bool sf_goal_charged(struct sf_session *s, struct sf_error *err);
bool sf_goal_turn_ended(struct sf_session *s, const struct sf_effect *end, struct sf_error *err);
void sf_goal_speak(struct sf_session *s); /* tells the running turn what it should know */

/* ---- pins.c ---- */

#define SF_PINS_TAG "<pinned>"

void sf_pins_recall(struct sf_session *s, const char *kind, const char *json, size_t len);
void sf_pins_add(struct sf_session *s, struct sf_message *message); /* if they changed */
void sf_pins_standing(const struct sf_session *s, struct sf_strbuf *out);

/* ---- briefing.c ---- */

struct sf_briefing *sf_briefing_new(void);
void sf_briefing_free(struct sf_briefing *briefing); /* NULL is welcome */
void sf_briefing_make(struct sf_session *s);         /* as the session is opened */
/* Before words are said: the prompt is in the log, and so is what changed since. */
bool sf_briefing_keep(struct sf_session *s, struct sf_error *err) SF_MUST_CHECK;
void sf_briefing_add(struct sf_session *s, struct sf_message *message); /* if anything did */
void sf_briefing_standing(const struct sf_session *s, struct sf_strbuf *out);
void sf_briefing_recall(struct sf_session *s, const struct sf_event_row *event);

/* ---- turn_meta.c ---- */

void sf_turn_meta_close(struct sf_session *s,
                        struct sf_message *message);     /* what closes each one */
void sf_turn_meta_add(void *ctx, struct sf_strbuf *out); /* for summaries */
/* Which part of the system prompt is whose. */
void sf_turn_meta_note(struct sf_session *s, const struct sf_instructions *files);
/* Tells the machine what goes with each request; the first one need not wait for it. */
void sf_turn_meta_weigh(struct sf_session *s);

/* ---- custom_run.c ---- */

void sf_custom_ended(struct sf_session *s, const struct sf_call *c,
                     const struct sf_tool_result *result); /* a call of its is over */
void sf_custom_cancel(struct sf_session *s);
void sf_custom_resume(struct sf_session *s); /* it was begun during a restore, which is over */
void sf_custom_drop(struct sf_session *s);

/* ---- model_link.c ---- */

void sf_model_link_schemas(struct sf_session *s); /* makes them, as far as they are not there */

void sf_model_link_choose(struct sf_session *s, const char *words);    /* the model of this turn */
void sf_model_link_request(struct sf_session *s, const char *summary); /* NULL: an ordinary one */

#endif
