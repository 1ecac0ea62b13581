/*
 * session: one session, from its surface's point of view. Open it, send words, watch its events,
 * answer what it asks, close it. All of it happens on the loop; an event is durable before it is
 * told.
 *
 * Life: sf_session_open, sf_session_send …, sf_session_close. A turn ends with exactly one SF_EVENT_DONE.
 * Closing in mid-turn is like dying: the log is valid, and whoever resumes repairs the turn.
 *
 * One process talks in a session. Others may watch: opened with `seen`, the same session follows the
 * log, refuses to say anything, and takes over by itself when the one who talks is gone.
 *
 * Decisions, each with the tests that hold it:
 *
 * - A refusal stands until something did as much.
 *   Problem: A model that found an allowed way has not failed, but a question nobody answered has
 *     not been solved either.
 *   Decision: What nobody was there to answer is exit code 3 for good; what a rule refused is no
 *     failure when another call did as much. The advice comes from the layer that decided.
 *   Cost: The session has to remember what was refused and what would make up for it.
 *   Enforced by: app/exec, app/exec_ends, app/ask
 *
 * - A custom command is typed by name, so its questions are asked.
 *   Problem: Whoever typed `!make` has read it; whoever typed `/ship` has not seen what stands in
 *     the file.
 *   Decision: Commands inside a custom command are judged as the model's are. What is filled in is
 *     never read again, and only characters that no shell interprets are put into a command.
 *   Cost: Arguments with other characters are refused.
 *   Enforced by: session/custom_run, tui/custom
 *
 * - A session stays with its provider and its model.
 *   Problem: An answer from another service would look like one from the model that the user chose.
 *   Decision: The settings decide for new sessions. Where its provider cannot be opened, the
 *     session is not. Only the offline operator, unless it was named, gives way to a service that
 *     was connected since, and a line says so.
 *   Cost: A session whose provider is gone can be read, forked and exported, but not resumed.
 *   Enforced by: session/resume, app/resume
 *
 * - What is to be said at opening is told when the loop runs.
 *   Problem: A surface clears its place for a session when it has it, so what came before is lost.
 *   Decision: Such events wait for the first turn of the loop.
 *   Cost: One more state at the start.
 *   Enforced by: session/resume
 *
 * - What another process changed comes first.
 *   Problem: Axes can be changed from another process at any moment.
 *   Decision: They are read from the store before a verdict and before a change; where two write at
 *     once, the second starts again from what the first wrote.
 *   Cost: One read of a row for each call.
 *   Enforced by: store/mode, tui/watch
 *
 * - A change is rehearsed before it is asked about.
 *   Problem: People were asked about edits that could not be made.
 *   Decision: A worker plans the edit on the file, only where the file may be read unasked. What
 *     cannot be done is the model's to mend, and the card shows what the plan found. What was
 *     approved is planned again.
 *   Cost: An edit is planned twice.
 *   Enforced by: session/rehearsal
 *
 * - A call that the user changed is another call.
 *   Problem: Approving a command that the user edited would record words the model never said.
 *   Decision: The text goes back into the arguments and through reading, judging and rehearsing,
 *     with a decision of its own. Writing a command approves it, but not what needs a confirmation.
 *     The history keeps what the model asked, the result tells what was done.
 *   Cost: Two decisions for one call.
 *   Enforced by: tui/answers
 *
 * - What destroys is looked at before it is asked about.
 *   Problem: `rm -r build` says nothing about what is in there.
 *   Decision: A short look on the worker names what goes, and what of it a snapshot would not hold.
 *     What the look could not tell is said, and verdicts never rest on it.
 *   Cost: Such questions come a moment later.
 *   Enforced by: session/loss_preview
 *
 * - The scope of commands is kept by looking afterwards.
 *   Problem: A fence in the kernel knows directories, not which of them a mode may write, and a
 *     build must write its ignored output.
 *   Decision: The command runs; what it changed outside the scope goes back to the state right
 *     before it, never to an older one. A background job is looked at when it ends: in its own turn
 *     what it wrote goes back, later it is only told. The ignore rules are those of the state
 *     before.
 *   Cost: A snapshot before each command under a narrow scope.
 *   Enforced by: snap/audit, session/snapshots
 *
 * - RevertTurn is asked by the safety harness.
 *   Problem: Going back destroys work, and a rule could allow it unseen.
 *   Decision: No profile, rule or policy answers that question. It shows the plan, so the plan is
 *     made before the verdict.
 *   Cost: RevertTurn always needs a person.
 *   Enforced by: app/turns, session/snapshots
 *
 * - Undone turns are passed over, not deleted.
 *   Problem: Undo, redo and undo again need a history that is not a line.
 *   Decision: A restore's row names the row it went to, and walking back from the newest jumps from
 *     there.
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
#include "session/event.h"
#include "session/goal.h"
#include "session/restore_job.h"
#include "store/store.h"
#include "tools/tools.h"
#include "workspace/workspace.h"

struct sf_session;

/* ---- what somebody sees who watches ---- */

/*
 * Of a session that another process talks in. Its answers come as SF_EVENT_TEXT while they are
 * written, void with SF_EVENT_RESTART; changes of the axes as SF_EVENT_TRANSITION.
 */
enum sf_watch_event_kind {
    SF_WATCH_EVENT, /* event: was written */
    SF_WATCH_OWNER, /* holder: another one than before */
    SF_WATCH_TAKEN, /* the holder (as it was) is gone, and the session is ours; `cut`: in a turn */
    SF_WATCH_LOST,  /* error: it cannot be followed any more */
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

/* Everything is borrowed and must outlive the session, but for the texts. */
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
    const char *below;     /* where the user stands, below the workspace; "" is its root */

    const char *resume;         /* id or its beginning; NULL: a new session */
    struct sf_mode_state state; /* of a new one */
    bool workspace_trusted;
    const char *model; /* "auto", or one for all modes, or NULL: the provider's for the mode */
    bool model_named, provider_named; /* for this session: another choice than it has so far */
    struct sf_budget budget;
    const struct sf_strlist *allowed, *disallowed; /* tools; NULL: all, none */
    const char *append;                            /* to the system prompt */
    bool attended;                                 /* somebody answers asks and questions */
    bool at_leisure; /* an old one is shown first and read when it is needed: sf_session_prepare */
    sf_session_event_fn *event;
    sf_watch_fn *seen; /* to watch where another process talks; NULL: opening fails there */
    void *ctx;
};

struct sf_session *sf_session_open(const struct sf_session_setup *setup, struct sf_error *err);
void sf_session_close(struct sf_session *session); /* NULL is welcome */

const char *sf_session_id(const struct sf_session *session);
const struct sf_lock_owner *sf_session_holder(const struct sf_session *session); /* NULL: we are */
const struct sf_mode_state *sf_session_state(const struct sf_session *session);
const char *
sf_session_model(const struct sf_session *session); /* the concrete one, of the last turn */
const struct sf_budget *sf_session_budget(const struct sf_session *session);
bool sf_session_busy(const struct sf_session *session);
const struct sf_history *
sf_session_history(const struct sf_session *session);       /* as far as it was read */
bool sf_session_is_blank(const struct sf_session *session); /* nothing was said yet */

/* The state once the changes that wait have happened. */
struct sf_mode_state sf_session_preview(const struct sf_session *session);

/* What it is to reach; never NULL. */
const struct sf_goal *sf_session_goal(const struct sf_session *session);
bool sf_session_goal_do(struct sf_session *session, const struct sf_goal_command *command,
                        struct sf_error *err) SF_MUST_CHECK;

/* Facts that stay in sight of the model whatever is summed up; NULL: they cannot be read. */
enum { SF_PINS_MAX = 20, SF_PIN_BYTES = 400, SF_PINS_BYTES = 4000 };
const struct sf_strlist *sf_session_pins(struct sf_session *session, struct sf_error *err);
bool sf_session_pin(struct sf_session *session, const char *text,
                    struct sf_error *err) SF_MUST_CHECK;
bool sf_session_unpin(struct sf_session *session, size_t index, struct sf_error *err) SF_MUST_CHECK;

/* Tokens the next request takes, about (-1: not known yet), and how many the model holds (or 0). */
void sf_session_context(const struct sf_session *session, int64_t *used, int64_t *window);

/* Part by part. */
bool sf_session_weigh(struct sf_session *session, struct sf_context *out,
                      struct sf_error *err) SF_MUST_CHECK;

/* Commands in the background, see tools/toolbox.h; ending one is the user's own doing. */
void sf_session_each_job(const struct sf_session *session, sf_job_view_fn *fn, void *ctx);
bool sf_session_end_job(struct sf_session *session, int64_t id);

void sf_session_cage(const struct sf_session *session,
                     struct sf_strbuf *out); /* what holds commands */

/* ---- files as they were ---- */

/* Borrowed for the call. The session may be closed from within, but for a job that is planned. */
typedef void sf_restore_fn(void *ctx, const struct sf_restore_job *job);

/*
 * Puts files back. `fn` is called when it is planned, for sf_session_restore_answer, and when it is
 * over: recorded or ended. Between turns only; until it is over none begins. Words, a command and a
 * custom command that come meanwhile are taken, wait, and go on behind the restore's event, or when
 * nothing came of it. sf_session_cancel cancels it, and what was put back by then is taken back.
 */
bool sf_session_restore(struct sf_session *session, const struct sf_restore_what *what,
                        const struct sf_restore_how *how, sf_restore_fn *fn, void *ctx,
                        struct sf_error *err) SF_MUST_CHECK;
void sf_session_restore_answer(struct sf_session *session, bool yes); /* nothing planned: welcome */
const struct sf_restore_job *sf_session_restoring(const struct sf_session *session); /* or NULL */

/* The plan or the diff alone, at any time and for whoever watches, too; `fn` is called once. */
void sf_session_look(struct sf_session *session, const struct sf_restore_what *what,
                     const struct sf_restore_how *how, sf_restore_fn *fn, void *ctx);

/* ---- talking ---- */

/* Words are being written: what of an old session was not read yet is read on the loop. */
void sf_session_prepare(struct sf_session *session);

/* Begins a turn; during one, the words join it at the next boundary. Never call it from `told`. */
bool sf_session_send(struct sf_session *session, const char *text, size_t len,
                     struct sf_error *err) SF_MUST_CHECK;

/*
 * Sums the conversation up now, with `focus` (or NULL) as what matters; told like a turn, with
 * SF_EVENT_COMPACTED and SF_EVENT_DONE. Between turns only. A failure leaves everything as it is.
 */
bool sf_session_compact(struct sf_session *session, const char *focus,
                        struct sf_error *err) SF_MUST_CHECK;
bool sf_session_sums_up(const struct sf_session *session); /* it does so, outside of a turn */

void sf_session_cancel(
    struct sf_session *session); /* SF_EVENT_DONE follows; a command of the user's too */

/*
 * A command the user typed. It passes the same engine, whose asks are answered by having typed it,
 * but for those of the safety harness; it is told like a call of the model's, and the model is told
 * of it with the next words. One at a time.
 */
bool sf_session_shell(struct sf_session *session, const char *command,
                      struct sf_error *err) SF_MUST_CHECK;
#define SF_USER_CALL "user-" /* what the ids of such commands begin with */
bool sf_session_shell_runs(const struct sf_session *session);

/*
 * A custom command, "/name words", looked up anew and with it the trust in the workspace. Its files
 * and commands are calls of SF_USER_CALL that pass the engine; whoever typed the name has not seen
 * them, so asks are asked. Then its text is said, or it is told why not; either way SF_EVENT_DONE
 * follows. SF_E_NOENT: there is none of that name, and nothing happened.
 */
bool sf_session_custom(struct sf_session *session, const char *line, sf_custom_taken_fn *taken,
                       struct sf_error *err) SF_MUST_CHECK;

/* Where a memory is, there or not; the caller's. */
char *sf_session_memory_path(const struct sf_session *session, enum sf_memory which,
                             struct sf_error *err);

/* Keeps a fact for later sessions; of the project's, as the tool Remember does. */
bool sf_session_remember(struct sf_session *session, enum sf_memory which, const char *note,
                         struct sf_error *err) SF_MUST_CHECK;

enum sf_reply {
    SF_REPLY_ONCE,
    SF_REPLY_SESSION,   /* and what is like it, for the session */
    SF_REPLY_WORKSPACE, /* and for every session of the workspace */
    SF_REPLY_DENY,      /* words: why, for the model */
    SF_REPLY_STOP,      /* deny, and end the turn */
    SF_REPLY_ABSENT,    /* deny: nobody is there who could answer */
};

/* To SF_EVENT_ASK, or with words to SF_EVENT_QUESTION. False: nothing of that id waits. */
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
 * To SF_EVENT_ASK: another text in place of its draft. The call is judged anew, with a row of its
 * own, and told as SF_EVENT_AMENDED. With `run` whoever sent it has approved it, but for what takes
 * a confirmation; that, and without `run` every ask, is told as SF_EVENT_ASK again. False with
 * `err`: it is refused, or there is nothing to change, and the call waits as it was.
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
 * A change of the axes, as the common table parsed it. Refused with `confirm->needed` where it
 * would be taken once the user has confirmed it, and has: `confirm->given`. NULL: nobody can.
 */
struct sf_confirm {
    bool given, needed;
};
bool sf_session_change(struct sf_session *session, const struct sf_mode_change *change,
                       enum sf_when when, const char *reason, struct sf_confirm *confirm,
                       struct sf_error *err) SF_MUST_CHECK;

/*
 * To SF_EVENT_SUBMITTED. An acceptance is bound to the digest of the text the user saw; of another
 * text it is refused. It is written down, and `build` with that profile follows through
 * sf_session_change. False with `err`: nothing happened and the plan still waits. sf_session_answer
 * takes plans too: what allows accepts with the profile there is, what denies rejects.
 */
enum sf_plan_reply {
    SF_PLAN_ACCEPT,     /* and build it one unit at a time */
    SF_PLAN_AUTONOMOUS, /* and build it to its end */
    SF_PLAN_REJECT,     /* words: why, for the model */
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

/* The user's text in place of the plan's; it is told as SF_EVENT_SUBMITTED and waits like it. */
bool sf_session_edit_plan(struct sf_session *session, const char *call_id, const char *text,
                          size_t len, struct sf_error *err) SF_MUST_CHECK;

/* The model for the turns that follow: "auto", a name, or NULL: the provider's for the mode. */
void sf_session_set_model(struct sf_session *session, const char *model);

#endif
