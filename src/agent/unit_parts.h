/*
 * unit_parts: the fields of the machine that runs units, shared by the files that make it up. What
 * outlives the process is in `log`, and nothing but an event changes it; the rest is what this
 * process awaits. Within the room.
 */
#ifndef SF_AGENT_UNIT_PARTS_H
#define SF_AGENT_UNIT_PARTS_H

#include "agent/units.h"
#include "base/base.h"

enum { SF_UNIT_NONE = -1, SF_UNIT_REPAIR = -2 }; /* instead of the index of a task */

/* A task: what its row says, and what the log says about it. */
struct sf_unit {
    int place; /* its index */
    char *id, *kind, *milestone;
    struct sf_strlist depends_on;
    enum sf_task_state state;
    int priority, attempts;
    int64_t order, estimate_ms;
    bool asks, held, gone;

    int starts;       /* times it was started */
    int failures;     /* attempts that count, since a person last said something about it */
    bool approved;    /* a person lets it start */
    bool accepted;    /* a person says that it is done */
    bool dear_ok;     /* a person knows what it costs */
    bool interrupted; /* it was begun and left */
    bool judged;      /* the second opinion was given */
    bool same;        /* the last failure was the one before, too */
    enum sf_proof verdict;
    char failure[SF_SHA256_HEX + 1]; /* of the last verification, or "" */
    char *words;                     /* by a person, or NULL */
    struct sf_budget used;
};

enum sf_unit_stage {
    SF_UNIT_STAGE_RUNNING,
    SF_UNIT_STAGE_BROKEN,  /* its turn ended otherwise than done; `end` says how */
    SF_UNIT_STAGE_ENDED,   /* to be verified */
    SF_UNIT_STAGE_JUDGED,  /* there is a verdict */
    SF_UNIT_STAGE_CLOSING, /* done, to be closed out */
};

struct sf_unit_kind {
    char *name;
    int64_t count, cost; /* of units that are done */
};

/* One of the last dispatches, for the rules against circles. */
struct sf_unit_past {
    int task;
    char error[SF_SHA256_HEX + 1];
    char path[SF_SHA256_HEX + 1];
};

struct sf_units_log {
    int64_t events;
    enum sf_units_state state;
    bool single, over; /* one unit only; and that one is over */
    bool halted;
    struct sf_units_halt halt;
    int current; /* index of the task, or SF_UNIT_NONE, SF_UNIT_REPAIR */
    enum sf_unit_stage stage;
    enum sf_units_end end;
    int last; /* the task started last */
    struct sf_unit_past past[SF_UNITS_WINDOW];
    int past_count;
    struct sf_budget run, day;
    char today[32];                                     /* the day that `day` is of */
    char seen[SF_UNITS_GUARD_COUNT][SF_SHA256_HEX + 1]; /* input of each guard's last halt, or "" */
    bool repairing;
    int repairs, continues;
    char findings[SF_SHA256_HEX + 1]; /* of the gate, which a repair unit was started for */
    struct sf_unit_kind *kinds;
    size_t kind_count, kind_cap;
};

/* What the user wants as soon as the lease is there. */
enum sf_unit_wish { SF_UNIT_WISH_NONE, SF_UNIT_WISH_GO, SF_UNIT_WISH_NEXT, SF_UNIT_WISH_STOP };

struct sf_unit_clock {
    int64_t last_ms;
    int64_t active_ms, idle_ms; /* of the running unit */
    int64_t unsaved_ms;         /* time that no event has counted yet */
    bool told;                  /* to wrap up */
    int questions;              /* open ones stop the clock */
};

struct sf_units {
    struct sf_units_setup setup;
    struct sf_units_log log;
    struct sf_unit **tasks;
    size_t count, cap;
    struct sf_map index;     /* id to a task, whose place is `place` */
    struct sf_budget others; /* what other runs have used in the day */
    char day[32];
    bool goal;

    bool engaged; /* a person said go in this process */
    enum sf_units_phase phase;
    bool leased, gated, reconciled;
    bool closed_before; /* the close-out may have been performed already */
    bool live, held;    /* the turn of the current unit is there, and stands still */
    int picked;         /* index, or SF_UNIT_NONE */
    int reverting;      /* the task whose files are put back, or SF_UNIT_NONE */
    int only;           /* the one unit that a person wants; or SF_UNIT_NONE */
    enum sf_unit_wish wish;
    char actor[32];
    int cancel;  /* enum sf_units_end with which the unit was cancelled, or -1 */
    int reason;  /* enum sf_units_guard that makes the run pause, or -1 */
    char *cause; /* its text */
    struct {
        bool set;
        enum sf_units_word word;
        char *task, *text;
    } word;                       /* by a person, not acted on yet */
    char *request, *request_text; /* a unit to be added, or NULL */
    enum sf_units_ask ask;
    char *findings;             /* of the gate, while the user is asked about a repair */
    bool aside;                 /* halted without the lease, so that no event says so */
    bool aside_seen;            /* there was such a halt before */
    struct sf_units_halt apart; /* that halt */
    struct sf_unit_clock clock;
    unsigned char alerts[SF_UNITS_PER_COUNT][SF_BUDGET_COUNT]; /* percentages just passed */
};

/* ---- unit_event.c ---- */

enum sf_unit_word_field {
    SF_UNIT_F_TASK,
    SF_UNIT_F_TEXT,
    SF_UNIT_F_DIGEST,
    SF_UNIT_F_PATH,
    SF_UNIT_F_WHO,
    SF_UNIT_F_KIND,
    SF_UNIT_F_DAY,
    SF_UNIT_F_WORDS,
};

enum sf_unit_number_field {
    SF_UNIT_N_FROM,
    SF_UNIT_N_TO,
    SF_UNIT_N_BY,
    SF_UNIT_N_WORD,
    SF_UNIT_N_END,
    SF_UNIT_N_VERDICT,
    SF_UNIT_N_CLOSE,
    SF_UNIT_N_GUARD,
    SF_UNIT_N_EXIT,
    SF_UNIT_N_ATTEMPT,
    SF_UNIT_N_FLAG,
    SF_UNIT_N_NUMBERS,
};

/* An event of the log as data; which fields it has is said by a table. */
struct sf_unit_event {
    const char *word[SF_UNIT_F_WORDS]; /* NULL: "" */
    int number[SF_UNIT_N_NUMBERS];
    int64_t used[SF_BUDGET_COUNT];
};

/* Appends a SAVE of the event and lets it change the log, as the event will when it is loaded. */
void sf_unit_save(struct sf_units *u, const char *kind, const struct sf_unit_event *event,
                  struct sf_units_effects *fx);

/* ---- unit_log.c ---- */

/* Lets an event change what outlives the process. */
bool sf_unit_apply(struct sf_units *u, const char *kind, const struct sf_unit_event *event,
                   struct sf_error *err);

/* The task of that id, new if need be; NULL: there are too many. */
struct sf_unit *sf_unit_add(struct sf_units *u, const char *id, struct sf_error *err);

/* The task's index; SF_UNIT_NONE: unknown. */
int sf_unit_find(const struct sf_units *u, const char *id);
struct sf_unit *sf_unit_current(const struct sf_units *u); /* NULL: none, or a repair */
void sf_unit_free(struct sf_unit *task);

/* ---- unit_effect.c ---- */

struct sf_units_effect *sf_unit_effect(struct sf_units_effects *fx, enum sf_units_effect_kind kind);

/* With the task of that index, if it is one. */
struct sf_units_effect *sf_unit_effect_of(const struct sf_units *u, struct sf_units_effects *fx,
                                          enum sf_units_effect_kind kind, int task);

void sf_unit_over_effect(struct sf_units *u, int task, struct sf_units_effects *fx);

/* Appends the move; false if the table has none for this mover. */
bool sf_unit_move(struct sf_units *u, int task, enum sf_task_state to, enum sf_task_mover mover,
                  const char *why, struct sf_units_effects *fx);

/* ---- unit_pick.c ---- */

int sf_unit_pick(const struct sf_units *u); /* SF_UNIT_NONE: nothing may start */

struct sf_unit_left {
    int open;                /* tasks that are neither done nor cancelled */
    int plan;                /* of these, all but goal units that only wait for a review */
    int blocker;             /* the task that needs a person most, or SF_UNIT_NONE */
    enum sf_units_exit exit; /* what that person can do */
    const char *why;
};

void sf_unit_survey(const struct sf_units *u, struct sf_unit_left *left);
void sf_unit_left_text(const struct sf_units *u, struct sf_strbuf *out);

/* ---- unit_stuck.c ---- */

/* Why starting the task now would be a circle; NULL: it would not. */
const char *sf_unit_stuck(const struct sf_units *u, int task);

/* ---- unit_budget.c ---- */

void sf_unit_used(struct sf_units *u, const struct sf_budget *used, struct sf_units_effects *fx);
void sf_unit_time(struct sf_units *u, int64_t now_ms, struct sf_units_effects *fx);

/* The first limit used up, for the task or a repair; NULL: none. `out` gets the amounts. */
bool sf_unit_over(const struct sf_units *u, int task, struct sf_strbuf *out);
void sf_unit_save_time(struct sf_units *u, struct sf_units_effects *fx);
void sf_unit_clock_start(struct sf_units *u);
void sf_unit_cancel(struct sf_units *u, enum sf_units_end end, struct sf_units_effects *fx);

/* Has the running unit stand still, after which the guard halts. */
void sf_unit_hold(struct sf_units *u, int guard, const char *cause, const char *who,
                  struct sf_units_effects *fx);

/* ---- unit_halt.c ---- */

extern const char *const sf_units_guard_names[]; /* by enum sf_units_guard, NULL at the end */
extern const char *const sf_units_exits[];       /* by enum sf_units_exit, NULL at the end */

struct sf_unit_cause {
    enum sf_units_guard guard;
    int task;
    const char *why;   /* what a person reads */
    const char *input; /* what the guard looked at; NULL: `why` */
    int exit;          /* enum sf_units_exit; -1: the guard's own */
};

void sf_unit_halt(struct sf_units *u, const struct sf_unit_cause *cause,
                  struct sf_units_effects *fx);

/* ---- unit_close.c ---- */

enum sf_unit_flow {
    SF_UNIT_NEXT,  /* the next step of the iteration */
    SF_UNIT_WAIT,  /* an outcome is awaited, or a person */
    SF_UNIT_AGAIN, /* the next iteration */
};

/* What follows for the unit that is current. */
enum sf_unit_flow sf_unit_finish(struct sf_units *u, struct sf_units_effects *fx);
void sf_unit_ended(struct sf_units *u, enum sf_units_end end, const struct sf_units_input *in,
                   struct sf_units_effects *fx);
void sf_unit_end_run(struct sf_units *u, bool done, struct sf_units_effects *fx);

/* ---- unit_word.c ---- */

/* Acts on the word by a person, unless something has to end first. */
void sf_unit_word(struct sf_units *u, struct sf_units_effects *fx);
void sf_unit_forget_word(struct sf_units *u);

/* ---- units.c ---- */

void sf_unit_replace(char **to, const char *text); /* `text` may be the old one */
bool sf_unit_id_is_good(const char *id, struct sf_error *err);

/* ---- unit_control.c ---- */

/* An event of run control, by the actor. */
void sf_unit_save_control(struct sf_units *u, const char *kind, bool flag,
                          struct sf_units_effects *fx);
void sf_unit_control(struct sf_units *u, const struct sf_units_input *in,
                     struct sf_units_effects *fx);
void sf_unit_leased(struct sf_units *u, const struct sf_units_input *in,
                    struct sf_units_effects *fx);
void sf_unit_taken(struct sf_units *u, const struct sf_units_input *in,
                   struct sf_units_effects *fx);
void sf_unit_lost(struct sf_units *u, const struct sf_units_input *in, struct sf_units_effects *fx);
void sf_unit_after_revert(struct sf_units *u, bool good, struct sf_units_effects *fx);

/* ---- unit_loop.c ---- */

/* Takes steps until something is awaited. */
void sf_unit_advance(struct sf_units *u, struct sf_units_effects *fx);
void sf_unit_repair(struct sf_units *u, const char *findings, struct sf_units_effects *fx);
void sf_unit_iterate(struct sf_units *u); /* the next iteration begins */
void sf_unit_claim(struct sf_units *u, bool take_over, struct sf_units_effects *fx);

#endif
