/*
 * units: the state machine of a run: which unit of work comes next, and what follows when it ends.
 * It looks at tasks and at its own log, never at a model. Feed it inputs, perform the effects it
 * appends, in order, and feed back their outcomes. One iteration, in this order:
 *
 *     CLAIM ─► GATE ─► RECONCILE ─► pick ─► ASK approval ─► stuck? ─► budget? ─► SAVE, START …
 *       ▲                                                                           │ ended
 *       └─── CLOSE ◄── SAVE done ◄── ASK review ◄── OPINION ◄── SAVE verdict ◄── VERIFY
 *
 * How to perform it:
 *
 * - A SAVE must be durable before the next effect is performed. One transaction checks the lease's
 *   token and the task's state `from`, and writes the row of the move, the task and the event. If
 *   the store refuses, perform none of the rest, stop what runs, and replace this machine by one
 *   that is loaded again. Nothing is saved without the lease.
 * - Life: new, load every event of the run's log in order, sf_units_task for every task, then step.
 *   A machine does nothing before it is told to go. What ran when a process died is found by the
 *   next one that has the lease; it is never replayed but starts again with a briefing.
 * - Between winning the lease and feeding SF_UNITS_IN_LEASED, load what the log has gained. On
 *   RECONCILE, feed sf_units_task for each row that may have changed, then SF_UNITS_IN_RECONCILED.
 * - Keep the lease alive by a heartbeat of its own, never by this machine's steps; a step may be
 *   hours away. Feed SF_UNITS_IN_TIME at least every `tick_ms`: a longer gap counts as `tick_ms`,
 *   since the computer was asleep.
 * - Ask sf_units_may_spend before each request to the model, and before each call with a side
 *   effect sf_units_may_act. Feed SF_UNITS_IN_USED after each request, before the next one.
 * - HOLD: start no new call and no request; SF_UNITS_IN_HELD when the running call has ended.
 *   RESUME lets the same turn go on.
 */
#ifndef SF_AGENT_UNITS_H
#define SF_AGENT_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/budget.h"
#include "base/base.h"
#include "plan/plan.h"
#include "verify/verify.h"

enum {
    SF_UNITS_ID_MAX = 120,       /* bytes of a task's id */
    SF_UNITS_TEXT_MAX = 4096,    /* bytes of a reason or of words, in the log; longer is cut */
    SF_UNITS_TASKS_MAX = 100000, /* tasks of a run */
    SF_UNITS_WINDOW = 6,         /* dispatches that the rules against circles look at */
};

/* ---- setup ---- */

enum sf_units_scope { SF_UNITS_PER_UNIT, SF_UNITS_PER_RUN, SF_UNITS_PER_DAY, SF_UNITS_PER_COUNT };

extern const char *const sf_units_scopes[]; /* "unit", "run", "day", NULL */

/* What happens when the health gate fails. */
enum sf_units_repair { SF_UNITS_REPAIR_ASK, SF_UNITS_REPAIR_AUTO, SF_UNITS_REPAIR_LOG };

struct sf_units_setup {
    int64_t limit[SF_UNITS_PER_COUNT][SF_BUDGET_COUNT]; /* 0: none */
    int64_t soft_ms, hard_ms;                           /* of a unit, times its estimate's share */
    int64_t idle_ms;     /* without output, file change or child CPU */
    int64_t estimate_ms; /* the estimate for which these hold */
    int64_t tick_ms;     /* most that one step may count as */
    int attempts;        /* of a task that says no other number */
    int continues;       /* further units for a goal */
    int repairs;         /* repair units of a run */
    int dear;            /* times the average that pauses a unit */
    int dear_after;      /* finished units of a kind that make one */
    enum sf_units_repair repair;
    bool opinion; /* a passed verification is judged once more */
};

extern const struct sf_units_setup sf_units_defaults;

struct sf_units;

struct sf_units *sf_units_new(const struct sf_units_setup *setup);
void sf_units_free(struct sf_units *units); /* NULL is welcome */

/* Limits and policies have changed; they hold from the next step on. */
void sf_units_set(struct sf_units *units, const struct sf_units_setup *setup);

/* ---- facts ---- */

/* A task as its row has it; everything is borrowed for the call. */
struct sf_units_task {
    const char *id;
    const char *kind;      /* what averages are kept by: "task", "request", "goal", "repair" */
    const char *milestone; /* or "" */
    enum sf_task_state state;
    const struct sf_strlist *depends_on; /* ids; NULL: none */
    int priority;                        /* the lowest number comes first */
    int64_t order;                       /* among equals */
    int attempts;                        /* 0: the setup's number */
    int64_t estimate_ms;                 /* 0: unknown */
    bool asks;                           /* its approval is ask or its mutation external */
    bool held;                           /* another living process works on it */
    bool gone;                           /* its row was dropped */
};

/*
 * Takes in a task or what has changed of it. The row's state is the truth, whatever the log says.
 * False: there are too many tasks, or the id is too long.
 */
bool sf_units_task(struct sf_units *units, const struct sf_units_task *task,
                   struct sf_error *err) SF_MUST_CHECK;

/* The day that `per day` means, and what other runs have used in it; "" before the first. */
void sf_units_day(struct sf_units *units, const char *day, const struct sf_budget *used);

/* Whether an active goal asks for further units. */
void sf_units_goal(struct sf_units *units, bool active);

/* ---- inputs ---- */

enum sf_units_input_kind {
    SF_UNITS_IN_GO,      /* autonomous; also on, after a pause or a halt. actor */
    SF_UNITS_IN_NEXT,    /* one unit, then its review. actor */
    SF_UNITS_IN_REQUEST, /* task: id of a new unit without a plan; text: its words */
    SF_UNITS_IN_PAUSE,   /* actor */
    SF_UNITS_IN_STOP,    /* actor */
    SF_UNITS_IN_WORD,    /* task, word, text: a person decides about a task. actor */
    SF_UNITS_IN_LEASED,  /* the lease is held */
    SF_UNITS_IN_TAKEN,   /* another has it: text: who; flag: it is alive */
    SF_UNITS_IN_LOST,    /* the lease was lost */
    SF_UNITS_IN_GATE,    /* flag: healthy; text: findings; also when looking failed */
    SF_UNITS_IN_RECONCILED,
    SF_UNITS_IN_ANSWER,   /* ask: flag: yes; or text "nobody": there is nobody to ask */
    SF_UNITS_IN_USED,     /* used: what a request cost, and calls */
    SF_UNITS_IN_ACTIVE,   /* output, a changed file, or CPU of a child */
    SF_UNITS_IN_QUESTION, /* flag: a question was asked; else it was answered */
    SF_UNITS_IN_HELD,     /* after HOLD: nothing runs any more */
    SF_UNITS_IN_ABORT,    /* the running unit is to start again: a change of axes now; text */
    SF_UNITS_IN_ENDED,    /* end, text: why; path: that was missing, or NULL */
    SF_UNITS_IN_VERDICT,  /* verdict, text: the failing part; digest of the failure */
    SF_UNITS_IN_OPINION,  /* verdict, text: of the second opinion */
    SF_UNITS_IN_CLOSED,   /* close, text */
    SF_UNITS_IN_REVERTED, /* flag: the files are back; text */
    SF_UNITS_IN_TIME,     /* only the clock */
};

enum sf_units_word {
    SF_UNITS_WORD_ACCEPT,  /* it is done */
    SF_UNITS_WORD_REDO,    /* again, with words */
    SF_UNITS_WORD_REVERT,  /* its changes are undone */
    SF_UNITS_WORD_SKIP,    /* it is not done at all */
    SF_UNITS_WORD_APPROVE, /* it may start */
};

extern const char *const sf_units_words[];

enum sf_units_end {
    SF_UNITS_END_DONE,      /* the model says that it is done */
    SF_UNITS_END_CANCELLED, /* the user cancelled the turn */
    SF_UNITS_END_FAILED,    /* for good */
    SF_UNITS_END_PROVIDER,  /* for now: the service or the network */
    SF_UNITS_END_LIMIT,     /* a limit of its own turn */
    SF_UNITS_END_BLOCKED,   /* the model repeated the same call */
    SF_UNITS_END_REFUSED,   /* the model declined */
    SF_UNITS_END_UNABLE,    /* the offline operator could not do it */
    SF_UNITS_END_DENIED,    /* a permission is needed and nobody can give it */
    SF_UNITS_END_BUDGET,    /* the rest: by this machine, which had it cancelled */
    SF_UNITS_END_IDLE,
    SF_UNITS_END_HARD,
    SF_UNITS_END_ABORTED,
    SF_UNITS_END_STOPPED,
    SF_UNITS_END_INTERRUPTED, /* its process died */
};

extern const char *const sf_units_ends[];

enum sf_units_close {
    SF_UNITS_CLOSE_COMMITTED,
    SF_UNITS_CLOSE_NOTHING, /* there was nothing to commit, or it is not allowed */
    SF_UNITS_CLOSE_HOOK,    /* a hook failed */
    SF_UNITS_CLOSE_REFUSED, /* a verdict refused it */
    SF_UNITS_CLOSE_FAILED,
};

extern const char *const sf_units_closes[];

struct sf_units_input {
    enum sf_units_input_kind kind;
    int64_t now_ms;    /* monotonic */
    const char *actor; /* "user", "remote", "schedule"; NULL: user */
    const char *task;
    const char *text; /* or NULL */
    const char *digest;
    const char *path;
    bool flag;
    enum sf_units_word word;
    enum sf_units_end end;
    enum sf_proof verdict;
    enum sf_units_close close;
    const struct sf_budget *used; /* its `spent` */
};

/* ---- effects ---- */

/* Parts of a unit's briefing. */
enum {
    SF_UNITS_BRIEF_TASK = 1 << 0,
    SF_UNITS_BRIEF_PLAN = 1 << 1,        /* the plan around it */
    SF_UNITS_BRIEF_EARLIER = 1 << 2,     /* what earlier units left */
    SF_UNITS_BRIEF_FAILED = 1 << 3,      /* what failed before */
    SF_UNITS_BRIEF_INTERRUPTED = 1 << 4, /* what was done when it was interrupted */
    SF_UNITS_BRIEF_WORDS = 1 << 5,       /* `words`: by a person */
    SF_UNITS_BRIEF_FILES = 1 << 6,
    SF_UNITS_BRIEF_VERIFY = 1 << 7,
    SF_UNITS_BRIEF_HEALTH = 1 << 8, /* the findings of the health gate, which `words` has */
};

enum sf_units_ask { SF_UNITS_ASK_REVIEW, SF_UNITS_ASK_APPROVAL, SF_UNITS_ASK_REPAIR };

enum sf_units_effect_kind {
    SF_UNITS_DO_SAVE,  /* event, json; of a move also task, from, to, mover; see above */
    SF_UNITS_DO_CLAIM, /* the lease; flag: its holder is dead, take it over with a new token */
    SF_UNITS_DO_RELEASE,
    SF_UNITS_DO_GATE,      /* look at the health */
    SF_UNITS_DO_RECONCILE, /* read the rows again */
    SF_UNITS_DO_START,     /* task (NULL: a repair), attempt, brief, words, limit of the unit */
    SF_UNITS_DO_WRAP_UP,   /* tell the running unit to come to an end */
    SF_UNITS_DO_HOLD,      /* see above */
    SF_UNITS_DO_RESUME,
    SF_UNITS_DO_CANCEL,    /* what runs (unit, check, gate, opinion); its outcome must still come */
    SF_UNITS_DO_VERIFY,    /* task */
    SF_UNITS_DO_OPINION,   /* task: judge a passed verification */
    SF_UNITS_DO_CLOSE,     /* task; flag: may have been done before, look for its trailer first */
    SF_UNITS_DO_REVERT,    /* task: put its files back */
    SF_UNITS_DO_ASK,       /* ask, task: a card. Review is answered by a WORD */
    SF_UNITS_DO_WITHDRAW,  /* take the card away */
    SF_UNITS_DO_AXES,      /* flag: to repair, at most normal; else back to what was before */
    SF_UNITS_DO_ALERT,     /* scope, budget, percent, text */
    SF_UNITS_DO_UNIT_OVER, /* task, to: its state; flag: and so is its milestone */
    SF_UNITS_DO_HALT,      /* halt: control is with the person; show why and the way out */
    SF_UNITS_DO_END,       /* flag: everything is done, else stopped; text: what is left */
};

/* Who or what ends a run. Each is a row of a table in unit_halt.c. */
enum sf_units_guard {
    SF_UNITS_GUARD_USER,   /* paused */
    SF_UNITS_GUARD_REVIEW, /* one unit was asked for, and it waits for a review */
    SF_UNITS_GUARD_LEASE,  /* another process has the lease */
    SF_UNITS_GUARD_HEALTH,
    SF_UNITS_GUARD_BLOCKED,  /* nothing that is left may start */
    SF_UNITS_GUARD_APPROVAL, /* nobody there to approve a task */
    SF_UNITS_GUARD_STUCK,
    SF_UNITS_GUARD_BUDGET,
    SF_UNITS_GUARD_DEAR,    /* a unit costs several times the average */
    SF_UNITS_GUARD_FAILURE, /* the same verification failure twice */
    SF_UNITS_GUARD_UNVERIFIED,
    SF_UNITS_GUARD_PROVIDER,
    SF_UNITS_GUARD_PERMISSION,
    SF_UNITS_GUARD_CLOSE,
    SF_UNITS_GUARD_GOAL,   /* the goal was continued as often as set */
    SF_UNITS_GUARD_REVERT, /* files could not be put back */
    SF_UNITS_GUARD_COUNT,
};

/* The way out of a halt. */
enum sf_units_exit {
    SF_UNITS_EXIT_GO,
    SF_UNITS_EXIT_REVIEW, /* any word about the task */
    SF_UNITS_EXIT_REDO,
    SF_UNITS_EXIT_SKIP,
    SF_UNITS_EXIT_APPROVE,
    SF_UNITS_EXIT_LIMITS, /* raise the limit, then go */
    SF_UNITS_EXIT_DOCTOR, /* mend, then go */
    SF_UNITS_EXIT_HOLDER, /* stop the other process, then go */
    SF_UNITS_EXIT_COUNT,
};

struct sf_units_halt {
    enum sf_units_guard guard;
    enum sf_units_exit exit;
    char who[32];                   /* "user", or "sf": the guard itself */
    char task[SF_UNITS_ID_MAX + 1]; /* or "" */
    char digest[SF_SHA256_HEX + 1]; /* of the guard's input */
    char *why;                      /* owned */
    bool again;                     /* the same guard with the same input as the last time */
};

struct sf_units_guard_row {
    const char *name;
    const char *what; /* "a budget is used up": for people */
    enum sf_units_exit exit;
};

extern const struct sf_units_guard_row sf_units_guards[SF_UNITS_GUARD_COUNT];

/* Appends the command that leaves the halt: "/autonomous", "/next redo M1/S1/T1 WORDS". */
void sf_units_way_out(const struct sf_units_halt *halt, struct sf_strbuf *out);

/* Owned by the list; ids and `halt` are borrowed from the machine until the next step. */
struct sf_units_effect {
    enum sf_units_effect_kind kind;
    const char *event;     /* of SAVE, one of the SF_UNITS_LOG_ kinds */
    struct sf_strbuf json; /* of SAVE */
    struct sf_strbuf text; /* also the words of START */
    const char *task;      /* NULL: none */
    enum sf_task_state from, to;
    enum sf_task_mover mover;
    int attempt;
    unsigned brief; /* SF_UNITS_BRIEF_ */
    enum sf_units_ask ask;
    enum sf_units_scope scope;
    enum sf_budget_kind budget;
    int percent;
    bool flag;
    const struct sf_units_halt *halt;
};

struct sf_units_effects {
    struct sf_units_effect *items;
    size_t count, cap;
};

void sf_units_effects_reset(struct sf_units_effects *effects);
void sf_units_effects_release(struct sf_units_effects *effects);

/* Processes the input and appends effects. Inputs that do not fit are ignored. */
void sf_units_step(struct sf_units *units, const struct sf_units_input *in,
                   struct sf_units_effects *effects);

/* ---- what it is at ---- */

enum sf_units_state {
    SF_UNITS_STATE_OFF, /* nothing was begun, or it has ended */
    SF_UNITS_STATE_GOING,
    SF_UNITS_STATE_PAUSING, /* something runs that cannot be held at once */
    SF_UNITS_STATE_PAUSED,  /* paused or halted: sf_units_halt says why */
    SF_UNITS_STATE_STOPPING,
};

extern const char *const sf_units_states[];

/* What is awaited. */
enum sf_units_phase {
    SF_UNITS_PHASE_REST,
    SF_UNITS_PHASE_CLAIMING,
    SF_UNITS_PHASE_GATING,
    SF_UNITS_PHASE_RECONCILING,
    SF_UNITS_PHASE_ASKING,
    SF_UNITS_PHASE_RUNNING,
    SF_UNITS_PHASE_VERIFYING,
    SF_UNITS_PHASE_JUDGING, /* the second opinion */
    SF_UNITS_PHASE_CLOSING,
    SF_UNITS_PHASE_REVERTING,
    SF_UNITS_PHASE_LOST, /* of no use any more: load another machine */
};

enum sf_units_state sf_units_state(const struct sf_units *units);
enum sf_units_phase sf_units_phase(const struct sf_units *units);
bool sf_units_is_single(const struct sf_units *units);                   /* after NEXT */
const struct sf_units_halt *sf_units_halt(const struct sf_units *units); /* NULL: not halted */
const char *sf_units_current(const struct sf_units *units);              /* id, or NULL */
void sf_units_budget(const struct sf_units *units, enum sf_units_scope scope,
                     struct sf_budget *out); /* of the current unit, the run or the day */
int sf_units_continues_left(const struct sf_units *units); /* further units for the goal */

/* What would be picked now; NULL: nothing. For /status and `sf headless query`. */
const char *sf_units_peek(const struct sf_units *units);

/* False: the running unit may ask the model no more; `why` gets a text for people. */
bool sf_units_may_spend(const struct sf_units *units, const char **why);
/* False: no call with a side effect may start: pausing, stopping, or the lease is gone. */
bool sf_units_may_act(const struct sf_units *units);

/* ---- the log ---- */

#define SF_UNITS_LOG_BEGIN   "run_begin"
#define SF_UNITS_LOG_GO      "run_go"
#define SF_UNITS_LOG_PAUSING "run_pausing"
#define SF_UNITS_LOG_HALT    "run_halt"
#define SF_UNITS_LOG_REPAIR  "run_repair"
#define SF_UNITS_LOG_END     "run_end"
#define SF_UNITS_LOG_ADDED   "unit_added"
#define SF_UNITS_LOG_MOVE    "unit_move"
#define SF_UNITS_LOG_START   "unit_start"
#define SF_UNITS_LOG_USED    "unit_used"
#define SF_UNITS_LOG_ENDED   "unit_ended"
#define SF_UNITS_LOG_VERDICT "unit_verdict"
#define SF_UNITS_LOG_WORD    "unit_word"
#define SF_UNITS_LOG_CLOSED  "unit_closed"
#define SF_UNITS_LOG_DROPPED "unit_dropped"

/* Takes in one event of the log, in order. Other kinds are ignored; damage is an error. */
bool sf_units_load(struct sf_units *units, const char *kind, const char *json, size_t len,
                   struct sf_error *err) SF_MUST_CHECK;

/* Appends everything that outlives the process, as JSON: equal machines give equal bytes. */
void sf_units_canonical(const struct sf_units *units, struct sf_strbuf *out);

#endif
