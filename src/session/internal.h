/*
 * internal: a running session's fields, shared by the files of this room that make it up.
 *
 *     session.c        opening, what surfaces call
 *     closing.c        ending what runs, and freeing
 *     turn_start.c     a prompt, and everything that goes with it, begins a turn
 *     load.c           reading the log of a resumed session
 *     effects.c        performing the agent's effects in order
 *     axes.c           the axes, which other processes may change too
 *     call.c           a call as a table of stages
 *     call_cage.c      how the commands of calls are confined
 *     call_record.c    results of calls, recorded and then sent
 *     approvals.c      questions to the user, and the answers
 *     refusal.c        the last refusal, for the end of the turn
 *     amend.c          calls that the user edited on the card
 *     session_tools.c  tools that the session itself implements
 *     plan.c           plans: noted, submitted, accepted
 *     snapshots.c      snapshots around turns, and the queue for the side repository
 *     scope_audit.c    what shell commands changed outside the scope
 *     scope_news.c     what was found of background jobs, until it is told
 *     restore.c        the user's restore, and what waits for it
 *     restore_job.c    one restore, for every surface
 *     revert.c         RevertTurn, the model's restore
 *     rehearsal.c      edits that would fail, found before the user is asked
 *     loss_preview.c   what a call would delete, looked up before the user is asked
 *     loss_git.c       what git says of the files, where a command deletes by that
 *     loss_cover.c     whether a snapshot brings all of that back
 *     shell.c          commands the user typed
 *     unit.c           units of a run: a fresh context, holding, checks
 *     side_state.c     state beside the conversation that a resumed session gets back
 *     acquire.c        taking ownership of a session
 *     watch.c          following and taking over a session that another process owns
 *     custom_run.c     custom commands, from their name to the turn
 *     model_link.c     choosing the model, sending requests
 *     review.c         reviews: collected, begun, reported
 *     review_places.c  whether the places that findings name are there
 *     review_git.c     the changes of a review, asked of git
 *     review_ask.c     one question to git
 *     review_span.c    the revisions between which the changes lie
 *     review_paths.c   the paths that a review was asked for
 *     review_withheld.c  files that may hold secrets, and what stood in them
 *     review_binary.c  files that attributes call binary
 *     goal.c           the goal: counting, changing, reporting
 *     pins.c           facts the user pinned
 *     dirs.c           directories the user added
 *     briefing.c       the system prompt, and what changed since it was made
 *     turn_meta.c      the facts that go with every turn
 *     event.c          making events, and reading them from the log
 */
#ifndef SF_SESSION_INTERNAL_H
#define SF_SESSION_INTERNAL_H

#include "judge/judge.h"
#include "session/goal.h"
#include "session/session.h"
#include "workspace/workspace.h"

/* What a shell command may change, and the snapshot to compare with when it has ended. */
struct sf_scope_audit {
    char mark[SF_SNAP_ID + 1];
    bool own; /* the mark was taken for this audit alone, and is dropped afterwards */
    struct sf_writable writable;
    char scope[SF_SCOPE_NAME_MAX + 1];
    struct sf_error err; /* why there is no mark */

    struct sf_write_record *record; /* what the command writes; NULL: nobody knows */
    bool builds;                    /* new files are its products, see scope_products.c */
    struct sf_strlist places;       /* entries of the other scopes */

    int64_t job; /* the background job to audit; 0: none, and the fields below are unused */
    char session[SF_ID_LEN + 1];
    char *command;
    struct sf_strlist others; /* files that file tools wrote since the mark */
};

/* Audits of the background jobs that still run. */
struct sf_scope_audits {
    struct sf_scope_audit **items;
    size_t count, cap;
    struct sf_strlist products; /* of commands, that were named already */
};

/* The stages of a call, in their order; the table is in call.c. */
enum sf_call_stage_name {
    SF_STAGE_DESCRIBE,  /* find the tool, parse the arguments, name what they touch */
    SF_STAGE_INTERCEPT, /* reserved for interceptors */
    SF_STAGE_LOOK,      /* look up what would be deleted, where the user confirmed deletions */
    SF_STAGE_JUDGE,     /* make the verdict and write its row */
    SF_STAGE_REHEARSE,  /* try the edit, so that nobody is asked about one that fails */
    SF_STAGE_PREVIEW,   /* look up what a destructive call would delete */
    SF_STAGE_ASK,       /* ask the user where the verdict says so */
    SF_STAGE_SNAPSHOT,  /* take a snapshot, so that the change can be undone */
    SF_STAGE_KEEP,      /* keep what git has recorded, so that a command cannot destroy it */
    SF_STAGE_RUN,
    SF_STAGE_COVER,  /* keep what a command found where snapshots have nothing */
    SF_STAGE_AUDIT,  /* put back what a command wrote outside its scope */
    SF_STAGE_COACH,  /* reserved for the coach */
    SF_STAGE_RECORD, /* record the result, then send it */
    SF_STAGE_COUNT,
};

struct sf_call;
struct sf_call_stage {
    const char *name;
    void (*begin)(struct sf_call *c); /* finishes now or later with one sf_call_next */
    bool always;                      /* runs even when the log cannot be written any more */
};
extern const struct sf_call_stage sf_call_stages[SF_STAGE_COUNT];

/* What the question about a call shows besides the verdict; each part may be missing. */
struct sf_call_card {
    char *about, *preview; /* what RevertTurn would put back */
    char *planned;         /* the diff of a rehearsed edit, byte for byte; NULL: none */
    size_t planned_len;
    bool planned_cut;            /* it was longer than that */
    struct sf_losses losses;     /* what a destructive call would delete */
    struct sf_deletion deletion; /* the same, for a confirmation given beforehand */
    bool looked;                 /* `deletion` is filled in */
};

/* A plan that was submitted; plan.c. */
struct sf_submission {
    char *text;         /* the current text; NULL: the call submits no plan */
    bool edited;        /* the user edited the text */
    int64_t acceptance; /* id of the decision that waits for an answer; 0: none */
};

/* The beginning of a character whose other bytes come with the next piece of output. */
struct sf_cut_character {
    char bytes[4];
    size_t len;
};

/* One call of the running answer. */
struct sf_call {
    struct sf_session *session;
    size_t index;
    char *id, *name, *args; /* as the model sent them */
    size_t len;
    struct sf_offer_terms terms; /* on which the tool is offered */
    struct sf_tool_call *tool_call;
    const char *what;              /* the call's subject, borrowed from tool_call; or NULL */
    enum sf_call_stage_name stage; /* the next stage */
    struct sf_judged judged;
    bool has_judged;
    struct sf_mode_state axes; /* the axes of the verdict, which hold for the rest of the call */
    bool approved;             /* the user said yes */
    bool answered;             /* sf itself answered: `own` is the result */
    struct sf_tool_result own;
    enum {
        SF_CALL_FREE,
        SF_CALL_JUDGED,    /* between stages, with nothing running that would have to be stopped */
        SF_CALL_REHEARSED, /* a worker rehearses the edit */
        SF_CALL_ASKED,
        SF_CALL_QUESTION,
        SF_CALL_SUBMITTED, /* the plan waits to be accepted */
        SF_CALL_RUNNING,
        SF_CALL_OVER, /* the result is being recorded */
    } state;
    bool counted;             /* the mode machine counts the call as running */
    bool held;                /* it may run, and waits for the end of a hold */
    bool asks;                /* the log says that the user is being asked about the call */
    int64_t started_ms;       /* monotonic; 0: the call has not run */
    int64_t took_ms;          /* set when the call is over; -1: the call never ran */
    struct sf_session *child; /* the sub-agent that does the work */

    struct sf_snapshot_job *job;    /* the job the call waits for, or NULL */
    struct sf_scope_audit *audit;   /* for a command, or NULL */
    struct sf_git_repair *care;     /* of a command that is about to start, or NULL */
    struct sf_write_record *record; /* of a command that can write, or NULL */
    struct sf_restore_job *restore; /* the plan of RevertTurn, or NULL */
    char *amended;                  /* the arguments as the user changed them, or NULL */
    struct sf_cut_character cut;
    struct sf_call_card card;
    struct sf_submission plan;
};

/* An input that came while effects were being performed. */
struct sf_queued_input {
    enum sf_input_kind kind;
    size_t call;
    struct sf_block result;
    char *detail;
};

/* What a custom command or a parent asks of a turn besides its prompt; NULL or empty: nothing. */
struct sf_wish {
    const char *more; /* text that follows the prompt, in tags of its own */
    size_t more_len;
    const char *model;
    const struct sf_strlist *tools; /* the only tools that may be called */
    bool review;                    /* the turn is a review, see review.c */
    bool afresh;                    /* the model sees nothing of the conversation so far */
};

struct sf_custom_run;

/* A prompt or a shell command of the user's that waits for a restore to end. */
struct sf_waiting_words {
    bool shell;
    char *text;
    size_t len;
};

enum { SF_WAITING_WORDS_MAX = 32 };

/* The restore of a running session, and what waits for it; restore.c. */
struct sf_session_restore {
    struct sf_restore_job *job; /* NULL: the restore is over, and waiting prompts are due */
    sf_restore_fn *fn;
    void *ctx;
    struct sf_waiting_words items[SF_WAITING_WORDS_MAX];
    size_t count;
    uint64_t timer;
};

/* The refusals of a turn; whether the last one stands decides how the turn ended. */
struct sf_refusal {
    bool stands;             /* no call of a later answer has made up for it */
    int reach;               /* how far the furthest of those that stand would have gone */
    int answer;              /* the answer of the model that the last one belongs to */
    struct sf_strlist texts; /* what was refused, why, and what would allow it */
};

/* Where in the conversation events belong; set by effects.c. */
struct sf_event_place {
    int64_t turn; /* number of the row that began the running turn; 0: no turn runs */
    int message;  /* index of the answer within the turn, from 1 */
    int answers;  /* number of complete answers in the turn */
};

/* The axes, which other processes may change too; axes.c and session.c. */
struct sf_session_axes {
    struct sf_mode_machine *machine;
    struct sf_filewatch *watch; /* reports writes to the store; NULL: not watched */
    uint64_t timer;
    int64_t last_transition; /* number of the newest transition at the last refresh */
};

/* The link to the model: which one answers, and the tools it may call; model_link.c. */
struct sf_model_link {
    struct sf_client *client;
    char *asked;                    /* the model named for this session, or NULL */
    bool provider_asked;            /* the provider was named for this session */
    bool news;                      /* the log does not have these names yet */
    char *wished;                   /* the model for this turn alone, or NULL */
    struct sf_strlist wished_tools; /* the only tools of this turn, if registry.turn points here */
    char *model;                    /* the concrete model */
    const struct sf_model_row *row;
    struct sf_model_row own; /* the data file's row, as settings change it */
    enum sf_model_mode mode; /* for this turn */
    bool routed;             /* `auto` chose the model */
    bool fell;               /* the other model took over for this turn */
    bool sums;               /* the request is for a summary */
    struct sf_arena schemas_arena;
    struct sf_tool_schema *schemas;
    size_t schema_count;
    int schemas_profile; /* the profile the schemas were made for; -1: none made yet */
};

/* The system prompt and its size; briefing.c and turn_meta.c. */
struct sf_session_prompt {
    char *system;
    char *append;                 /* text appended to the system prompt, or NULL */
    char *role;                   /* text instead of sf's own at its beginning, or NULL */
    struct sf_briefing *briefing; /* what the log has of the prompt, and what changed since */
    int weighed; /* the profile for which the overhead was estimated, plus one; 0: not yet */
    int64_t instruction_tokens, memory_tokens; /* estimated parts of the system prompt */
};

/* Inputs for the agent that arrived while effects were being performed; effects.c. */
struct sf_session_inputs {
    struct sf_queued_input *items;
    size_t count, cap;
    bool performing;
};

/* Events that are sent from the loop, a little later; session.c and effects.c. */
struct sf_session_outbox {
    struct sf_strlist notices; /* about opening the session */
    uint64_t notice_timer;
    struct sf_strbuf text; /* a piece of the answer that was not sent yet */
    uint64_t text_timer;
};

/* The goal, as this process knows it; goal.c. */
struct sf_session_goal {
    struct sf_goal now;
    int64_t mark; /* turn time in ms that is already counted for the goal */
    bool news;    /* the goal's budget is used up, and the model does not know yet */
};

/* Facts that the user pinned; pins.c. */
struct sf_session_pins {
    struct sf_strlist list;
    bool news; /* the list changed since the model last got it */
};

/* Commands that the user typed, shell.c, and images that go with the next prompt, turn_start.c. */
struct sf_session_typed {
    struct sf_message attached; /* images for the next prompt */
    struct sf_strbuf shown;     /* notes that go to the model with the next prompt */
    int64_t count;
};

/* What the log has beside the conversation; side_state.c. */
struct sf_session_kept {
    char *jobs;             /* background jobs as JSON; NULL: none */
    struct sf_strlist dirs; /* that the user added; dirs.c */
};

/* The review that runs, or the last one; review.c. */
struct sf_review_job;
struct sf_session_review {
    struct sf_review_job *job;      /* its changes are being collected; or NULL */
    bool open;                      /* it began, and the log has no report of it yet */
    bool past;                      /* it is another process's, read from the log */
    struct sf_review_report report; /* as the log has it */
    struct sf_review_diff diff;     /* what is reviewed, if has_diff */
    bool has_diff;
    bool here;                  /* the state under review is the workspace's */
    bool reported;              /* the turn that runs has reported already */
    struct sf_strlist withheld; /* changed files that nobody is shown */
};

/* What a run of units has asked for; unit.c. */
struct sf_session_unit {
    bool held;         /* no request and no call starts */
    bool asks;         /* a request waits for the end of the hold */
    sf_loop_fn *rests; /* called once nothing runs any more under the hold, or NULL */
    void *rests_ctx;
    uint64_t timer;
    sf_check_fn *check; /* gets the outcome of the check that runs; NULL: none does */
    void *check_ctx;
};

struct sf_session {
    struct sf_session_setup setup;
    char id[SF_ID_LEN + 1];
    struct sf_lock lock;
    struct sf_watch *watch; /* NULL: this process owns the session */
    int64_t last_read;      /* id of the log event that was read last */
    struct sf_load *load;   /* the part of the log still to be read; NULL: none */
    int depth;              /* 0: the user's own session; else a sub-agent's */
    char *parent_call;
    bool titled;
    bool opening;          /* no surface knows the session yet: no event is emitted */
    bool dead;             /* the log cannot be written, so nothing more may happen */
    struct sf_error death; /* why not */

    struct sf_agent *agent;
    struct sf_session_inputs inputs;
    struct sf_event_place at;
    struct sf_session_outbox outbox;
    struct sf_session_axes axes;
    struct sf_model_link link;
    struct sf_session_prompt prompt;
    struct sf_session_goal goal;
    struct sf_session_pins pins;
    struct sf_session_kept kept;
    struct sf_session_review review;
    struct sf_session_unit unit;

    struct sf_toolset tools;      /* the tools of this session */
    struct sf_registry registry;  /* which of them are offered */
    struct sf_custom_run *custom; /* a custom command that has not become a turn yet, or NULL */
    struct sf_confine *confine;
    struct sf_tool_cage cage;
    struct sf_toolbox *box;
    struct sf_snapshots *snapshots;     /* owned by the user's session, shared by sub-agents */
    struct sf_session_restore *restore; /* a restore and the prompts that wait for it, or NULL */
    struct sf_strbuf news;              /* audit results of jobs, for the model's next message */
    size_t errands; /* jobs of call_cage.c and sub-agents that have not gone yet */

    struct sf_call calls[SF_AGENT_CALLS_MAX + 1]; /* the last one is the user's own command */
    struct sf_session_typed typed;
    struct sf_refusal refusal;
    uint64_t time_timer, close_timer;
    struct sf_session *closing; /* a sub-agent that ended and is to be closed from the loop */
};

/* ---- refusal.c ---- */

/* Notes that the call is refused by its verdict, or that the user refuses it. */
void sf_refusal_note(struct sf_call *c);
void sf_refusal_by_user(struct sf_call *c);
/* Takes over the refusals of a sub-agent. */
void sf_refusal_adopt(struct sf_session *s, const struct sf_refusal *child);
void sf_refusal_forget(struct sf_session *s); /* the turn is over */
/* Checks whether the result of the call makes up for an earlier refusal. */
void sf_refusal_outdo(struct sf_call *c, const struct sf_tool_result *result);

/* ---- session.c ---- */

struct sf_session *sf_session_open_child(struct sf_call *call, const struct sf_session_setup *setup,
                                         struct sf_error *err);
/* Closes a sub-agent, from a callback too; NULL is welcome. */
void sf_session_retire_child(struct sf_session *s, struct sf_session *child);
/* Fills in the session and the place of the event, and sends it to the surface. */
void sf_session_tell(struct sf_session *s, struct sf_event *event);
/* Sends a notice from the loop, when the surface is ready for it. */
void sf_session_note(struct sf_session *s, const char *text);

/* Reads the session's row and axes from the store. */
bool sf_session_find(struct sf_session *s, struct sf_error *err);

/* ---- turn_start.c ---- */

/* sf_session_send with a wish for the turn; a turn that already runs ignores the wish. */
bool sf_session_say(struct sf_session *s, const char *text, size_t len, const struct sf_wish *wish,
                    struct sf_error *err) SF_MUST_CHECK;
void sf_turn_take_wish(struct sf_session *s, const struct sf_wish *wish); /* NULL clears it */

/* ---- load.c ---- */

bool sf_load_begin(struct sf_session *s, struct sf_error *err) SF_MUST_CHECK;
bool sf_load_all(struct sf_session *s, struct sf_error *err) SF_MUST_CHECK; /* reads the rest */
void sf_load_drop(struct sf_session *s);
int64_t sf_load_context(const struct sf_session *s); /* `used` of sf_session_context */
/* Takes in an event that was written after all that was read. */
bool sf_load_event(struct sf_session *s, const struct sf_event_row *event,
                   struct sf_error *err) SF_MUST_CHECK;
/* Repairs a turn that was cut off, once the last event was read. */
bool sf_load_repair(struct sf_session *s, struct sf_error *err) SF_MUST_CHECK;

/* ---- side_state.c ---- */

void sf_side_state_write(struct sf_session *s, struct sf_json_writer *c); /* beside a result */
/* Logs the model and the provider that were named for this session. */
void sf_side_state_model(struct sf_session *s);
/* Whether the user named a provider that a later run can use again. */
bool sf_side_state_names(const struct sf_session_setup *setup);
/* Logs what the command line named, unless the log has it; waits until the session is ours. */
void sf_side_state_named(struct sf_session *s);
/* Logs the background jobs as they are; `last`: the session closes, and running jobs end. */
void sf_side_state_jobs(struct sf_session *s, bool last);
void sf_side_state_read(struct sf_session *s, const struct sf_event_row *event);

/* The model is needed before the log is read: its newest event is looked up by kind. */
void sf_side_state_read_model(struct sf_session *s, const struct sf_event_row *event);
bool sf_side_state_find_model(struct sf_session *s, struct sf_error *err) SF_MUST_CHECK;

/* ---- acquire.c ---- */

/* Takes the session's lock, or starts watching where another process has it. */
bool sf_session_lock(struct sf_session *s, struct sf_error *err);
/* Sets up what only the owner of a session has; the lock was taken before. */
bool sf_session_acquire(struct sf_session *s, struct sf_error *err);
/* Fails while this process only watches, or when the log cannot be written. */
bool sf_session_can(const struct sf_session *s, struct sf_error *err);

/* ---- watch.c ---- */

struct sf_watch *sf_watch_new(struct sf_session *s, struct sf_error *err);
void sf_watch_free(struct sf_watch *c); /* NULL is welcome */
/* Always false; `err` names the owner. */
bool sf_watch_refuse(const struct sf_watch *c, struct sf_error *err);

/* ---- effects.c ---- */

void sf_session_feed(struct sf_session *s, struct sf_input *input);
void sf_session_take_stream(void *ctx, const struct sf_stream_event *event); /* from the model */
void sf_session_perform(struct sf_session *s, struct sf_effects *effects);

/* Callbacks of the agent: may calls of the tool run in parallel; micro-USD, -1: unknown. */
bool sf_session_is_taped(const struct sf_session *s);
bool sf_session_is_parallel(void *ctx, const char *name);
int64_t sf_session_cost(void *ctx, const struct sf_usage *usage);

/* Appends an event to the session's log that is no part of the conversation. */
bool sf_session_append(struct sf_session *s, const char *kind, const struct sf_strbuf *json,
                       struct sf_error *err) SF_MUST_CHECK;

void sf_session_die(struct sf_session *s, const struct sf_error *err);
void sf_session_flush(struct sf_session *s);

/* ---- axes.c ---- */

/* Reads the axes from the store, where other processes may have changed them. */
bool sf_session_refresh(struct sf_session *s, struct sf_error *err);
/* Applies the transitions that are due. */
bool sf_session_settle(struct sf_session *s, struct sf_error *err);
void sf_session_notify(struct sf_session *s, enum sf_machine_event event);
/* sf_session_notify for tools, without a refresh: the verdict has just read the axes. */
void sf_session_count_tool(struct sf_session *s, enum sf_machine_event event);
/* Follows changes by other processes, so that the badge is right before anything acts. */
void sf_session_watch_axes(struct sf_session *s);

/* ---- call.c ---- */

void sf_call_begin(struct sf_session *s, size_t index, const struct sf_block *block);
void sf_call_next(struct sf_call *c); /* begins the next stage */
void sf_call_stop(struct sf_call *c);
void sf_call_run(struct sf_call *c);     /* a hold is over */
void sf_call_approve(struct sf_call *c); /* the user said yes */
/* Three ends of a call: refused by its verdict; answered by sf itself; the tool has its result. */
void sf_call_refuse(struct sf_call *c);
void sf_call_answerf(struct sf_call *c, bool is_error, const char *format, ...) SF_PRINTF(3, 4);
void sf_call_end(struct sf_call *c);
void sf_call_held(struct sf_call *c); /* the stage `snapshot` is over, with one or without */
/* Judges the call and writes the row of the decision. */
bool sf_call_verdict(struct sf_call *c, struct sf_error *err);

/* Relative paths of the call begin where the user stands. */
void sf_call_place(const struct sf_session *s, struct sf_tool_call *call);
/* Continues behind the verdict, after an amended call was judged again. */
void sf_call_judged_again(struct sf_call *c);
struct sf_event_call sf_call_event(const struct sf_call *c); /* borrows from the call */
bool sf_call_is_refused(const struct sf_call *c, const struct sf_tool_result *result);

/* ---- call_cage.c ---- */

void sf_call_cage(struct sf_session *s); /* fills in how the toolbox confines commands */
/* Keeps git's history before the command runs; true: sf_call_next follows. */
bool sf_call_keep(struct sf_call *c);
/* A care that no command took over is settled on a worker. */
void sf_call_leave_care(struct sf_call *c);

/* ---- call_record.c ---- */

void sf_call_record(struct sf_call *c); /* the last stage */
/* Sends the result of a call, which is in the log by now. */
void sf_call_saved(struct sf_session *s, const struct sf_effect *e);
void sf_call_release(struct sf_call *c);
void sf_call_drop(struct sf_session *s); /* releases all calls */

/* ---- approvals.c ---- */

void sf_approvals_open(struct sf_call *c, const char *what); /* the user is being asked */
void sf_approvals_close(struct sf_call *c); /* ends a question about the call, if there is one */
/* What was taken back meanwhile, here or by another process, does not count any more. */
bool sf_approvals_refresh(struct sf_session *s, struct sf_error *err) SF_MUST_CHECK;
/* The approval mode the session was left in, where that is the strictest. */
bool sf_approvals_recall_mode(struct sf_session *s, struct sf_error *err) SF_MUST_CHECK;
void sf_approvals_tell(struct sf_call *c, enum sf_event_kind kind, const char *what);
/* The call of that id if it waits for an answer, or NULL. */
struct sf_call *sf_approvals_waiting(struct sf_session *s, const char *id);
/* Whether a question can show all of the call; only then is an approval kept. */
bool sf_approvals_whole(const struct sf_call *c);

/* ---- amend.c ---- */

/* The argument that the user may edit, or NULL. */
const char *sf_amend_draft(const struct sf_call *c);
/* Tells the model, within the result, that the user changed the call, if so. */
void sf_amend_note(const struct sf_call *c, struct sf_tool_result *result);

/* ---- session_tools.c ---- */

void sf_session_tool_run(struct sf_call *c);
void sf_question_unanswered(struct sf_call *c); /* the model is told that nobody is there */

/* ---- plan.c ---- */

void sf_plan_run(struct sf_call *c);
/* plan_keep.c: keeps an accepted plan that has tasks; what cannot be kept is told. */
void sf_plan_keep(struct sf_call *c, const char *who);
bool sf_plan_answer(struct sf_call *c, enum sf_reply reply, const char *words, const char *who);

/* ---- review.c ---- */

/* A line as short as "/review" would get a model for small talk; this asks for a thorough one. */
#define SF_REVIEW_WORDS "why is this wrong"

void sf_review_run(struct sf_call *c); /* the tool Findings */
void sf_review_saw(const struct sf_call *c,
                   const struct sf_tool_result *result); /* a call is over */
/* The turn of a review is about to begin: enters the work mode and writes the row. */
bool sf_review_begin(struct sf_session *s, const char *line, struct sf_error *err) SF_MUST_CHECK;
/* The turn is over, as the JSON of its last event says, which is about to be written. */
bool sf_review_end(struct sf_session *s, const char *json, size_t len,
                   struct sf_error *err) SF_MUST_CHECK;
void sf_review_recall(struct sf_session *s, const char *kind, const char *json, size_t len);
/* Writes that a review came to nothing in which sf was killed. */
bool sf_review_mend(struct sf_session *s, struct sf_error *err) SF_MUST_CHECK;
bool sf_review_collects(const struct sf_session *s);
void sf_review_cancel(struct sf_session *s); /* stops collecting */
void sf_review_drop(struct sf_session *s);

/* ---- review_places.c ---- */

/* The report is released after the call, unless it was taken. */
typedef void sf_review_places_fn(struct sf_call *c, struct sf_review_report *report);

/* Takes the report. Calls `fn` at once or later, and never if the call was stopped meanwhile. */
void sf_review_places(struct sf_call *c, struct sf_review_report *report, sf_review_places_fn *fn);

/* ---- snapshots.c ---- */

struct sf_snapshots;

/* A job for the side repository. Jobs run on a worker, one at a time. */
struct sf_snapshot_job {
    void (*run)(struct sf_snapshot_job *job, struct sf_snap *snap);
    void (*done)(struct sf_snapshot_job *job); /* on the loop; frees it */
    struct sf_snapshots *snapshots;
    struct sf_call *call; /* the call that waits for the job, or NULL */
    atomic_bool cancel;
    atomic_bool *unseen; /* set when the session ends, as nobody will see what it finds; or NULL */
    bool bare;           /* runs also where snapshots are off or the repository cannot be opened */
    bool restores;       /* puts files back: no call starts before the job is done */
    bool ok; /* set by `run`, which is not called when the repository cannot be opened */
    struct sf_error err; /* why not `ok` */
    struct sf_snapshot_job *next;
};

struct sf_snapshots *sf_snapshots_new(struct sf_session *s);
/* Reads from the store which ignored files earlier runs of the session touched. */
void sf_snapshots_recall(struct sf_snapshots *snapshots);
/* The calls stop waiting, and notices are no longer sent; false: jobs are in the queue. */
bool sf_snapshots_stop(struct sf_snapshots *snapshots);
void sf_snapshots_free(struct sf_snapshots *snapshots); /* after sf_snapshots_stop */
void sf_snapshots_start(struct sf_snapshots *snapshots, struct sf_snapshot_job *job);
void sf_snapshots_leave(struct sf_call *c); /* the call stops waiting; its job is cancelled */

/* Calls `fn` when all jobs started so far are done; with a call `c`, only if it still waits. */
void sf_snapshots_then(struct sf_snapshots *snapshots, struct sf_call *c, sf_loop_fn *fn,
                       void *ctx);
struct sf_session *sf_snapshots_session(struct sf_snapshots *snapshots);
struct sf_scope_audits *sf_snapshots_audits(struct sf_snapshots *snapshots);
struct sf_undo_place sf_snapshots_place(struct sf_snapshots *snapshots);

void sf_snapshots_turn(struct sf_snapshots *snapshots, const char *words); /* a turn begins */
void sf_snapshots_end(struct sf_snapshots *snapshots);                     /* the turn is over */
void sf_snapshots_end_cut(struct sf_snapshots *snapshots); /* so is one that sf was killed in */
/* Calls `fn` as sf_snapshots_then does, after such turns of all other sessions got their ends. */
void sf_snapshots_settle(struct sf_snapshots *snapshots, sf_loop_fn *fn, void *ctx);
bool sf_snapshots_hold(struct sf_call *c); /* true: sf_call_held follows after the snapshot */
void sf_snapshots_reverted(struct sf_snapshots *snapshots);
void sf_snapshots_record(struct sf_snapshots *snapshots, struct sf_write_record *record);
void sf_snapshots_unrecorded(struct sf_snapshots *snapshots); /* a command may write without one */
void sf_snapshots_mended(struct sf_snapshots *snapshots); /* sf itself changed files in the turn */

/* Whether the state before the turn's first change can be restored. */
enum sf_snapshot_cover {
    SF_COVER_OFF,    /* snapshots are off */
    SF_COVER_FAILED, /* the snapshot of this turn failed */
    SF_COVER_WILL,   /* the snapshot will be taken before the call runs */
    SF_COVER_HAS,    /* the snapshot was taken before the turn changed anything */
};
enum sf_snapshot_cover sf_snapshot_cover(const struct sf_snapshots *snapshots);

/* ---- cover.c ---- */

/* Keeps what the command, whose writes were recorded, found where snapshots have nothing; true:
 * sf_call_next follows. */
bool sf_cover_begin(struct sf_call *c);

/* ---- scope_audit.c ---- */

struct sf_scope_audit *sf_scope_audit_new(const struct sf_call *c); /* NULL: no audit needed */
bool sf_scope_audit_check(struct sf_call *c);                       /* true: sf_call_next follows */
void sf_scope_audit_free(struct sf_scope_audit *audit);             /* NULL is welcome */

/* An audited job ended; `c` is about to write files beside the jobs. */
void sf_scope_audit_job_ended(struct sf_session *s, int64_t job);
void sf_scope_audit_meanwhile(const struct sf_call *c);

/* ---- scope_news.c ---- */

/* What audits of jobs found goes with whatever comes next: a call's result, or a message. */
void sf_scope_news_add(struct sf_call *c);
void sf_scope_news_speak(struct sf_session *s, struct sf_message *message);
void sf_scope_news_recall(struct sf_session *s, const char *kind, const char *json, size_t len);

/* ---- scope_products.c ---- */

extern const char sf_scope_product[]; /* why a new file of a build is not put back */

/* Adds the entries of all scopes but `own` and those that are everything. */
void sf_scope_places(const struct sf_scope_set *scopes, const char *own, struct sf_strlist *out);
bool sf_scope_is_product(const struct sf_strlist *places, const char *root,
                         const struct sf_snap_change *change);
/* Adds a line about those of `found` that are not in `named` yet, and puts them there. */
void sf_scope_products_tell(struct sf_strlist *named, const struct sf_strlist *found,
                            struct sf_strbuf *out);

/* ---- rehearsal.c ---- */

bool sf_rehearsal_begin(struct sf_call *c); /* true: sf_call_next or the end of the call follows */
void sf_rehearsal_forget(struct sf_call *c);

/* ---- loss_preview.c ---- */

void sf_loss_preview_begin(struct sf_call *c); /* sf_call_next follows */
void sf_losses_release(struct sf_losses *losses);

/* ---- restore.c ---- */

/* The step is done; `c` is the call that still waits for it, or NULL. Not `ok`: see job->err. */
typedef void sf_restore_step_fn(void *ctx, struct sf_restore_job *job, struct sf_call *c, bool ok);

/* Queues the blocking step of the job's state, looking or running, with the snapshots. */
void sf_restore_start(struct sf_snapshots *snapshots, struct sf_restore_job *job, struct sf_call *c,
                      sf_restore_step_fn *fn, void *ctx);
/* Records that the files were put back. */
bool sf_restore_save(struct sf_snapshots *snapshots, struct sf_restore_job *job, bool by_model,
                     struct sf_error *err) SF_MUST_CHECK;

/* Prompts and one command wait for the end of a restore; false when too many wait already. */
bool sf_restore_hold_words(struct sf_session *s, const char *text, size_t len,
                           struct sf_error *err) SF_MUST_CHECK;
bool sf_restore_hold_shell(struct sf_session *s, const char *command,
                           struct sf_error *err) SF_MUST_CHECK;
bool sf_restore_has_waiting(const struct sf_session *s);
void sf_restore_cancel(struct sf_session *s);
void sf_restore_close(struct sf_session *s); /* after sf_snapshots_free */

/* ---- revert.c ---- */

void sf_revert_look(struct sf_call *c); /* sf_call_next or the end of the call follows */
void sf_revert_run(struct sf_call *c);

/* ---- shell.c ---- */

enum { SF_CALL_USER = SF_AGENT_CALLS_MAX }; /* the index of the user's own command */

/* Begins a call of the user's own to a tool, with one argument. */
void sf_shell_begin(struct sf_session *s, const char *tool, const char *arg, const char *value);

void sf_shell_ended(struct sf_call *c, const struct sf_tool_result *result);
void sf_shell_recall(struct sf_session *s, const char *kind, const char *json, size_t len);

/* ---- unit.c ---- */

void sf_unit_clear(struct sf_session *s); /* the next prompt is the first the model sees */
/* Whether the request has to wait for the end of a hold. */
bool sf_unit_holds_request(struct sf_session *s);
void sf_unit_look(struct sf_session *s); /* something has ended, perhaps all */
void sf_unit_checked(struct sf_session *s, const struct sf_check_outcome *outcome);
void sf_unit_forget(struct sf_session *s); /* the session ends */

/* ---- goal.c ---- */

bool sf_goal_refresh(struct sf_session *s, struct sf_error *err); /* reports what changed */

/* Marks a row of usage, before it is written, to count for the goal, if there is one. */
void sf_goal_charge(struct sf_session *s, struct sf_usage_new *row);
/* Refreshes the goal after such a row was written. */
bool sf_goal_charged(struct sf_session *s, struct sf_error *err);
bool sf_goal_turn_ended(struct sf_session *s, const struct sf_effect *end, struct sf_error *err);
/* Tells the model within the running turn that the goal's budget is used up. */
void sf_goal_speak(struct sf_session *s);

/* ---- dirs.c ---- */

void sf_dirs_apply(struct sf_session *s); /* the session's directories are in force */
void sf_dirs_recall(struct sf_session *s, const struct sf_event_row *event);

/* ---- pins.c ---- */

#define SF_PINS_TAG "<pinned>"

void sf_pins_recall(struct sf_session *s, const char *kind, const char *json, size_t len);
void sf_pins_add(struct sf_session *s, struct sf_message *message); /* if they changed */
void sf_pins_standing(const struct sf_session *s, struct sf_strbuf *out);

/* ---- briefing.c ---- */

struct sf_briefing *sf_briefing_new(void);
void sf_briefing_free(struct sf_briefing *briefing); /* NULL is welcome */
void sf_briefing_make(struct sf_session *s);         /* when the session is opened */
/* Before a prompt: makes sure that the log has the system prompt and what changed since. */
bool sf_briefing_keep(struct sf_session *s, struct sf_error *err) SF_MUST_CHECK;
void sf_briefing_add(struct sf_session *s, struct sf_message *message); /* adds the changes */
void sf_briefing_standing(const struct sf_session *s, struct sf_strbuf *out);
void sf_briefing_recall(struct sf_session *s, const struct sf_event_row *event);

/* ---- turn_meta.c ---- */

void sf_turn_meta_write(struct sf_session *s, struct sf_strbuf *out); /* <turn_meta> */
void sf_turn_meta_add(void *ctx, struct sf_strbuf *out);              /* for summaries */
/* Estimates how many tokens of the system prompt are instructions and memory. */
void sf_turn_meta_note(struct sf_session *s, const struct sf_instructions *files);
/* Estimates the overhead of each request: the system prompt and the tool schemas. */
void sf_turn_meta_weigh(struct sf_session *s);

/* ---- custom_run.c ---- */

/* A call of the running custom command is over. */
void sf_custom_ended(struct sf_session *s, const struct sf_call *c,
                     const struct sf_tool_result *result);
void sf_custom_cancel(struct sf_session *s);
void sf_custom_resume(struct sf_session *s); /* the restore it waited for is over */
void sf_custom_drop(struct sf_session *s);

/* ---- model_link.c ---- */

void sf_model_link_schemas(struct sf_session *s); /* makes the schemas unless they are current */

void sf_model_link_choose(struct sf_session *s, const char *words); /* the model of this turn */
/* Sends a request; `summary` asks for a summary, NULL is an ordinary request. */
/* Whether the other model goes on, as the first is busy; if so, the event is of no interest. */
bool sf_model_link_fall_back(struct sf_session *s, const struct sf_stream_event *event);
void sf_model_link_request(struct sf_session *s, const char *summary);

#endif
