/*
 * session: one session, from its surface's point of view. Open it, send prompts, watch its events,
 * answer its questions, close it. Everything happens on the loop. An event is durable before the
 * surface gets it.
 *
 * Life: sf_session_open, sf_session_send …, sf_session_close. A turn ends with exactly one
 * SF_EVENT_DONE. Closing in mid-turn is like a crash: the log stays valid, and resuming the session
 * repairs the turn.
 *
 * One process at a time owns a session. Others may watch: a session opened with `seen` follows the
 * log, refuses prompts, and takes over by itself when the owner exits.
 *
 * Decisions, each with the tests that hold it:
 *
 * - A refusal stands until a later call makes up for it.
 *   Problem: A model that found an allowed way has not failed, but a question that went unanswered
 *     has not been solved either.
 *   Decision: A call refused because nobody was there to answer always ends in exit code 3. A call
 *     refused by a rule is no failure once another call did as much. The advice comes from the
 *     layer that decided.
 *   Cost: The session has to remember what was refused and what would make up for it.
 *   Enforced by: app/exec, app/exec_ends, app/ask
 *
 * - A custom command is typed by name, so its questions are asked.
 *   Problem: A user who types `!make` has read the command; a user who types `/ship` has not seen
 *     the commands in its file.
 *   Decision: Commands inside a custom command are judged like the model's. Text that was filled
 *     in is not expanded again, and only characters that no shell interprets are filled into a
 *     command.
 *   Cost: Arguments with other characters are refused.
 *   Enforced by: session/custom_run, tui/custom
 *
 * - A session stays with its provider and its model.
 *   Problem: An answer from another service would look like one from the model that the user chose.
 *   Decision: The settings decide for new sessions only. A session whose provider cannot be opened
 *     is not opened. Only the offline operator, unless the user named it, gives way to a service
 *     that was connected since, and a notice says so.
 *   Cost: A session whose provider is gone can be read, forked and exported, but not resumed.
 *   Enforced by: session/resume, app/resume
 *
 * - A session works where the user stands now.
 *   Problem: A user in src/app means src/app/a.c by a.c, but scopes, rules and snapshots are about
 *     the whole repository, and a session may be resumed somewhere else.
 *   Decision: Relative paths of every tool and the shell begin in the directory in which sf was
 *     started, also in a resumed session; <turn_meta> names it. Paths are resolved, judged and
 *     shown from the workspace's root, which stays the fence. A `cd` of the model moves its shell
 *     until sf ends, and no other tool.
 *   Cost: A path has two spellings, and results are translated for the model.
 *   Enforced by: io/stand, tools/stand, app/where, port/log_replay, session/watch
 *
 * - Notices about opening a session are sent once the loop runs.
 *   Problem: A surface clears its state when it gets a session, so earlier events would be lost.
 *   Decision: Such events wait for the first turn of the loop.
 *   Cost: One more state at the start.
 *   Enforced by: session/resume
 *
 * - Changes of another process come first.
 *   Problem: Another process can change the axes at any moment.
 *   Decision: The axes are read from the store before a verdict and before a change. When two
 *     processes write at once, the second starts again from what the first wrote.
 *   Cost: One read of a row for each call.
 *   Enforced by: store/mode, tui/watch
 *
 * - A change is rehearsed before it is asked about.
 *   Problem: People were asked about edits that could not be made.
 *   Decision: A worker plans the edit, provided the file may be read without asking. An edit that
 *     cannot be made goes back to the model as an error; otherwise the card shows the plan as a
 *     diff. An approved edit is planned again before it is made.
 *   Cost: An edit is planned twice.
 *   Enforced by: session/rehearsal
 *
 * - A call that the user changed is another call.
 *   Problem: Approving a command that the user edited would record words the model never said.
 *   Decision: The new text replaces the argument, and the call is parsed, judged and rehearsed
 *     again, with a decision of its own. Sending the text approves it, unless the new verdict needs
 *     a confirmation. The history keeps what the model asked for; the result says what was done.
 *   Cost: Two decisions for one call.
 *   Enforced by: tui/answers
 *
 * - What a destructive call would delete is looked up before the user is asked.
 *   Problem: `rm -r build` says nothing about what is in there.
 *   Decision: A worker takes a short look and names what would be lost, and how much of that no
 *     snapshot holds. The card says so when the look was incomplete, and a verdict depends on it only
 *     where deletions were confirmed beforehand: then the look comes first, and a gap refuses.
 *   Cost: Such questions come a moment later.
 *   Enforced by: session/loss_preview
 *
 * - The scope of commands is enforced by an audit afterwards.
 *   Problem: Confinement by the kernel knows directories, not which files a mode may write, and a
 *     build must write its ignored output.
 *   Decision: The command runs; files it changed outside the scope are put back to their state
 *     right before the command, never to an older one. A background job is audited when it ends:
 *     within its own turn its changes are put back, later they are only reported. The ignore rules
 *     are those of the state before the command.
 *   Cost: A snapshot before each command under a narrow scope.
 *   Enforced by: snap/audit, session/snapshots
 *
 * - RevertTurn is asked by the safety harness.
 *   Problem: Restoring files destroys work, and a rule could allow it unseen.
 *   Decision: No profile, rule or policy can answer this question; only a person can. The question
 *     shows the plan, so the plan is made before the verdict.
 *   Cost: RevertTurn always needs a person.
 *   Enforced by: app/turns, session/snapshots
 *
 * - Undone turns are skipped, not deleted.
 *   Problem: Undo, redo and undo again need a history that is not a straight line.
 *   Decision: The row of a restore names the row it restored, and a walk back from the newest row
 *     continues from there.
 *   Cost: The list has to be walked to know what undo means.
 *   Enforced by: session/snapshots, app/turns
 */
#ifndef SF_SESSION_SESSION_H
#define SF_SESSION_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/agent.h"
#include "base/base.h"
#include "config/config.h"
#include "io/io.h"
#include "journal/journal.h"
#include "judge/judge.h"
#include "model/model.h"
#include "session/checkout.h"
#include "session/event.h"
#include "session/goal.h"
#include "session/restore_job.h"
#include "store/store.h"
#include "tools/tools.h"
#include "workspace/workspace.h"

struct sf_session;

/* ---- watching ---- */

/*
 * What a watcher learns about a session that another process owns. Besides these, the watcher gets
 * the answer in progress as SF_EVENT_TEXT, dropped by SF_EVENT_RESTART.
 */
enum sf_watch_event_kind {
    SF_WATCH_EVENT, /* `event` was written to the log */
    SF_WATCH_OWNER, /* `holder` is another process than before */
    SF_WATCH_TAKEN, /* `holder` exited and the session is ours; `cut`: it exited in mid-turn */
    SF_WATCH_LOST,  /* `error`: the session cannot be followed any more */
};

struct sf_watch_event {
    enum sf_watch_event_kind kind;
    const struct sf_event_row *event;
    const struct sf_lock_owner *holder;
    bool cut;
    const struct sf_error *error;
};

typedef void sf_watch_fn(void *ctx, const struct sf_watch_event *seen);

/* ---- opening ---- */

/* Borrowed, and must outlive the session, except `resume`, `model`, `append` and `role`. */
struct sf_session_setup {
    struct sf_loop *loop;
    struct sf_workers *workers;
    struct sf_store *store;
    struct sf_config *config;
    const struct sf_workspace *workspace;
    struct sf_policy_context *policy;
    struct sf_catalog *catalog;
    const struct sf_provider *provider;
    const char *state_dir; /* the project's */
    const char *below;     /* where the user stands, below the workspace root; "": the root */

    const char *resume;         /* session id or a prefix of it; NULL: a new session */
    struct sf_mode_state state; /* starting axes of a new session */
    bool workspace_trusted;
    const char *model; /* "auto", a model for all modes, or NULL: the provider's for the mode */
    bool model_named, provider_named; /* the user named them for this session */
    struct sf_budget budget;
    const struct sf_strlist *allowed, *disallowed; /* tools; NULL: all, none */
    const char *append;                            /* text appended to the system prompt */
    const char *role;     /* text instead of sf's own about who the agent is; NULL: sf's own */
    const char *fallback; /* the model that goes on with a turn where the first is busy; or NULL */
    const char *name;     /* the title; NULL: the first words make one */
    const char *schema; /* a JSON Schema for answers, closed (sf_json_schema_is_closed); or NULL */
    const struct sf_strlist *dirs;  /* that the user adds, as typed; or NULL */
    struct sf_recording *recording; /* gets every answer of a model; or NULL */
    bool attended;                  /* a person can answer questions */
    bool at_leisure; /* show a resumed session first, read its log on demand: sf_session_prepare */
    sf_session_event_fn *event;
    void (*job)(void *ctx, int64_t id); /* a background job wrote something or ended; or NULL */
    sf_watch_fn *seen; /* watch a session that another process owns; NULL: opening it fails */
    void *ctx;
};

struct sf_session *sf_session_open(const struct sf_session_setup *setup, struct sf_error *err);
/* Runs the loop until nothing of the session runs; not to be called from a callback of the loop. */
void sf_session_close(struct sf_session *session); /* NULL is welcome */
/*
 * Closes it from a callback: nothing is heard of it any more, and `fn` is called when it has gone,
 * which may be at once. Until then another session of the same id finds it owned.
 */
void sf_session_retire(struct sf_session *session, sf_loop_fn *fn, void *ctx);

/* The next prompt shows the model this image; takes both texts over. */
void sf_session_attach(struct sf_session *session, char *media, char *data);

const char *sf_session_id(const struct sf_session *session);

/* The process that owns the session while we watch it; NULL: this process owns it. */
const struct sf_lock_owner *sf_session_holder(const struct sf_session *session);
const struct sf_mode_state *sf_session_state(const struct sf_session *session);

/* The concrete model name, as chosen for the last turn. */
const char *sf_session_model(const struct sf_session *session);
const struct sf_budget *sf_session_budget(const struct sf_session *session);
bool sf_session_busy(const struct sf_session *session);

/* The part of the conversation that was read so far. */
const struct sf_history *sf_session_history(const struct sf_session *session);
bool sf_session_is_blank(const struct sf_session *session); /* no prompt was sent yet */

/* The axes as they will be once the pending changes are applied. */
struct sf_mode_state sf_session_preview(const struct sf_session *session);

/* The goal of the session; never NULL. */
const struct sf_goal *sf_session_goal(const struct sf_session *session);
bool sf_session_goal_do(struct sf_session *session, const struct sf_goal_command *command,
                        struct sf_error *err) SF_MUST_CHECK;

/* Facts that every summary repeats to the model. NULL with `err`: the log cannot be read. */
enum { SF_PINS_MAX = 20, SF_PIN_BYTES = 400, SF_PINS_BYTES = 4000 };
const struct sf_strlist *sf_session_pins(struct sf_session *session, struct sf_error *err);
bool sf_session_pin(struct sf_session *session, const char *text,
                    struct sf_error *err) SF_MUST_CHECK;
bool sf_session_unpin(struct sf_session *session, size_t index, struct sf_error *err) SF_MUST_CHECK;

/*
 * Directories outside the workspace that the user added: files in them are read like those of the
 * workspace, and writing one asks. `path` begins where the user stands. NULL with `err`: the log
 * cannot be read.
 */
bool sf_session_add_dir(struct sf_session *session, const char *path,
                        struct sf_error *err) SF_MUST_CHECK;
const struct sf_strlist *sf_session_dirs(struct sf_session *session, struct sf_error *err);

/* Estimated tokens of the next request (-1: unknown) and the model's window (0: unknown). */
void sf_session_context(const struct sf_session *session, int64_t *used, int64_t *window);

/* Estimates the context part by part: system prompt, instructions, memory, tools, messages. */
bool sf_session_weigh(struct sf_session *session, struct sf_context *out,
                      struct sf_error *err) SF_MUST_CHECK;

/* Background jobs, see tools/toolbox.h. Ending one is an act of the user and passes no verdict. */
void sf_session_each_job(const struct sf_session *session, sf_job_view_fn *fn, void *ctx);
bool sf_session_end_job(struct sf_session *session, int64_t id);

/* Adds a line of Markdown about the job, and what it has written: whole, or head and tail. */
bool sf_session_job_output(const struct sf_session *session, int64_t id, struct sf_strbuf *about,
                           struct sf_strbuf *output, struct sf_error *err) SF_MUST_CHECK;

/* Describes how the commands of this session are confined. */
void sf_session_cage(const struct sf_session *session, struct sf_strbuf *out);

/* ---- restoring files ---- */

/* The job is borrowed for the call. The callback may close the session unless a plan is ready. */
typedef void sf_restore_fn(void *ctx, const struct sf_restore_job *job);

/*
 * Puts files back. `fn` is called when the plan is ready, to be answered with
 * sf_session_restore_answer, and when the job is over: recorded or ended. A restore starts between
 * turns only, and no turn begins before it is over. Prompts, a shell command and a custom command
 * that arrive meanwhile are accepted and wait until the restore is recorded or has ended.
 * sf_session_cancel cancels the restore and undoes what it has put back so far.
 */
bool sf_session_restore(struct sf_session *session, const struct sf_restore_what *what,
                        const struct sf_restore_how *how, sf_restore_fn *fn, void *ctx,
                        struct sf_error *err) SF_MUST_CHECK;
void sf_session_restore_answer(struct sf_session *session, bool yes); /* no plan: does nothing */
const struct sf_restore_job *sf_session_restoring(const struct sf_session *session); /* or NULL */

/*
 * Makes the plan or the diff alone, at any time and also for a watcher. Calls `fn` once, with
 * SF_E_CANCELLED if the session is closed first.
 */
void sf_session_look(struct sf_session *session, const struct sf_restore_what *what,
                     const struct sf_restore_how *how, sf_restore_fn *fn, void *ctx);

/* ---- talking ---- */

/* The user has begun to type: reads the rest of a resumed session's log piecewise on the loop. */
void sf_session_prepare(struct sf_session *session);

/* Begins a turn; during one, the text joins it at the next boundary. Never call it from `event`. */
bool sf_session_send(struct sf_session *session, const char *text, size_t len,
                     struct sf_error *err) SF_MUST_CHECK;

/*
 * Summarises the conversation now; `focus` (or NULL) says what matters. Reported like a turn, with
 * SF_EVENT_COMPACTED and SF_EVENT_DONE. Between turns only. A failure leaves everything as it is.
 */
bool sf_session_compact(struct sf_session *session, const char *focus,
                        struct sf_error *err) SF_MUST_CHECK;
bool sf_session_sums_up(const struct sf_session *session); /* a summary is made between turns */

/* Cancels the turn, the user's command, a custom command and a restore; SF_EVENT_DONE follows. */
void sf_session_cancel(struct sf_session *session);

/*
 * Runs a command the user typed. The command gets a verdict like any call; having typed it answers
 * the question, except where the verdict needs a confirmation. Its events are those of a call of
 * the model's, and the model reads about it with the next prompt. One at a time.
 */
bool sf_session_shell(struct sf_session *session, const char *command,
                      struct sf_error *err) SF_MUST_CHECK;
#define SF_USER_CALL  "user-"  /* prefix of the call ids of such commands */
#define SF_CHECK_CALL "check-" /* of those of sf_session_check */
bool sf_session_shell_runs(const struct sf_session *session);

/*
 * Runs a custom command, "/name words". Its file is looked up again, and with it the trust in the
 * workspace. The files and commands it includes are calls with SF_USER_CALL ids; the user who typed
 * the name has not seen them, so their questions are asked. Then its text is sent as a prompt, or a
 * notice says why not; either way SF_EVENT_DONE follows. SF_E_NOENT: no such command, and nothing
 * happened.
 */
bool sf_session_custom(struct sf_session *session, const char *line, sf_custom_taken_fn *taken,
                       struct sf_error *err) SF_MUST_CHECK;

/*
 * Reviews changes, which `words` name (see agent/review.h); `line` is what the user typed. The
 * changes are collected first, then a turn begins in work mode review, which is left when the unit
 * is over. `fn` is called when the turn is about to begin and when it has, or once if none does,
 * also when the session is closed meanwhile.
 */
enum sf_reviewing {
    SF_REVIEWING_STARTS,  /* `text`: the line */
    SF_REVIEWING_STARTED, /* the same */
    SF_REVIEWING_NOTHING, /* `text`: where nothing has changed */
    SF_REVIEWING_UNABLE,  /* nobody can judge code here: SF_EVENT_REVIEW said so */
    SF_REVIEWING_FAILED,  /* `err` says why */
    SF_REVIEWING_DROPPED, /* the session ended first */
};
typedef void sf_review_fn(void *ctx, enum sf_reviewing how, const char *text,
                          const struct sf_error *err);
bool sf_session_review(struct sf_session *session, const char *line, const char *words,
                       sf_review_fn *fn, void *ctx, struct sf_error *err) SF_MUST_CHECK;

/*
 * For a run of units. A unit is a turn whose model sees nothing of the conversation before it; what
 * it has to know is in `text`. A remark goes to the model of the running turn, from sf itself.
 */
bool sf_session_unit(struct sf_session *session, const char *text, size_t len,
                     struct sf_error *err) SF_MUST_CHECK;
void sf_session_remark(struct sf_session *session, const char *text);

/*
 * Until sf_session_release no request and no call starts; what runs comes to its end. `rests` is
 * called once, from the loop, when nothing runs any more. A call that a person has to answer may
 * still be asked about.
 */
void sf_session_hold(struct sf_session *session, sf_loop_fn *rests, void *ctx);
void sf_session_release(struct sf_session *session);

/*
 * Runs a command as a call of its own between turns, judged like the model's. `fn` is called once
 * it is over, unless the session is closed first. sf_session_cancel stops it.
 */
struct sf_check_outcome {
    int exit_code; /* -1: it did not come to an end */
    bool refused;  /* it never ran */
    const char *text;
    size_t len;
};
typedef void sf_check_fn(void *ctx, const struct sf_check_outcome *outcome);
bool sf_session_check(struct sf_session *session, const char *command, sf_check_fn *fn, void *ctx,
                      struct sf_error *err) SF_MUST_CHECK;

/* Sends an event of the room above, such as one about a run, in the session's name. */
void sf_session_report(struct sf_session *session, struct sf_event *event);

/* The path of a memory file, whether or not it exists; owned by the caller. */
char *sf_session_memory_path(const struct sf_session *session, enum sf_memory which,
                             struct sf_error *err);

/* Adds a fact to a memory file, for later sessions; the tool Remember does this for the project. */
bool sf_session_remember(struct sf_session *session, enum sf_memory which, const char *note,
                         struct sf_error *err) SF_MUST_CHECK;

enum sf_reply {
    SF_REPLY_ONCE,
    SF_REPLY_SESSION,   /* allow this and similar calls for the session */
    SF_REPLY_WORKSPACE, /* allow this and similar calls for every session of the workspace */
    SF_REPLY_DENY,      /* `words` tell the model why */
    SF_REPLY_STOP,      /* deny, and end the turn */
    SF_REPLY_ABSENT,    /* deny, because nobody is there to answer */
};

/* Answers SF_EVENT_ASK or, with `words`, SF_EVENT_QUESTION. False: no call of that id waits. */
bool sf_session_answer(struct sf_session *session, const char *call_id, enum sf_reply reply,
                       const char *words, const char *who);

/* Instructions of the workspace that the user has not seen as they are now; they are not used. */
struct sf_instructions;
void sf_session_instructions_held(const struct sf_session *session, struct sf_instructions *held);

/* Whether questions are asked at all; a change is written down and holds for this session. */
enum sf_approval_mode sf_session_approval_mode(const struct sf_session *session);
bool sf_session_set_approval_mode(struct sf_session *session, enum sf_approval_mode mode,
                                  struct sf_error *err) SF_MUST_CHECK;

/*
 * Answers SF_EVENT_ASK with another text in place of its draft. The call is judged again, with a
 * row of its own, and sent as SF_EVENT_AMENDED. `run` approves the new text unless its verdict
 * needs a confirmation; otherwise an ask is sent as SF_EVENT_ASK again. False with `err`: the new
 * call is refused, or there is nothing to change, and the call waits as before.
 */
struct sf_amendment {
    const char *text;
    size_t len;
    bool run;
    const char *who;
};
bool sf_session_amend(struct sf_session *session, const char *call_id,
                      const struct sf_amendment *amendment, struct sf_error *err) SF_MUST_CHECK;

/*
 * Changes the axes. A change that needs the user's confirmation is refused with `confirm->needed`
 * set; `confirm->given` says that the user has confirmed it. NULL: nobody can confirm.
 */
struct sf_confirm {
    bool given, needed;
};
bool sf_session_change(struct sf_session *session, const struct sf_mode_change *change,
                       enum sf_when when, const char *reason, struct sf_confirm *confirm,
                       struct sf_error *err) SF_MUST_CHECK;

/*
 * Answers SF_EVENT_SUBMITTED. An acceptance names the digest of the text the user saw and is
 * refused for any other text. It is recorded, and then sf_session_change switches to `build` with
 * that profile. False with `err`: nothing happened and the plan still waits. sf_session_answer
 * works for plans too: replies that allow accept with the current profile, others reject.
 */
enum sf_plan_reply {
    SF_PLAN_ACCEPT,     /* build it one unit at a time */
    SF_PLAN_AUTONOMOUS, /* build it to its end */
    SF_PLAN_REJECT,     /* `words` tell the model why */
};
struct sf_plan_answer {
    enum sf_plan_reply reply;
    const char *digest;
    enum sf_profile profile;
    const char *words; /* or NULL */
    const char *who;
};
bool sf_session_answer_plan(struct sf_session *session, const char *call_id,
                            const struct sf_plan_answer *answer, struct sf_confirm *confirm,
                            struct sf_error *err) SF_MUST_CHECK;

/* Replaces the plan with the user's text, which is sent as SF_EVENT_SUBMITTED and waits too. */
bool sf_session_edit_plan(struct sf_session *session, const char *call_id, const char *text,
                          size_t len, struct sf_error *err) SF_MUST_CHECK;

/* Gives the session a title, which no later turn replaces. */
bool sf_session_rename(struct sf_session *session, const char *title,
                       struct sf_error *err) SF_MUST_CHECK;

/* Sets the model of later turns: "auto", a name, or NULL for the provider's model of the mode. */
void sf_session_set_model(struct sf_session *session, const char *model);

/*
 * Where a file goes that the user has sf write: the path without links, which the caller frees.
 * NULL for a protected one, and for one outside the workspace unless that is let pass.
 */
char *sf_save_path(const struct sf_policy_context *policy, const char *path, bool outside,
                   struct sf_error *err);
char *sf_session_save_path(const struct sf_session *session, const char *path, bool outside,
                           struct sf_error *err);

#endif
