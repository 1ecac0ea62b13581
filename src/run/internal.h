/*
 * internal: the fields of a run, shared by the files of this room.
 *
 *     run.c        life, inputs in order, what a person asks for
 *     perform.c    the machine's effects
 *     rows.c       tasks and events, read and written
 *     briefing.c   what the model of a unit is told
 *     follow.c     the session's events, as inputs
 *     run_event.c  rows as events for people
 */
#ifndef SF_RUN_INTERNAL_H
#define SF_RUN_INTERNAL_H

#include "io/io.h"
#include "plan/plan.h"
#include "run/run.h"
#include "store/store.h"

/* An input that waits for the end of the step before it; texts are owned. */
struct sf_run_input {
    struct sf_units_input in;
    char *task, *text, *digest;
    struct sf_budget used;
};

/* What the session is doing for the run. */
enum sf_errand { SF_ERRAND_NONE, SF_ERRAND_UNIT, SF_ERRAND_CHECK };

struct sf_run_gate;

/* What the store has of a task. */
struct sf_run_row {
    char *path, *id; /* M1/S1/T1, and the key of its row */
    enum sf_task_state state;
    int64_t fence;
    char *failed; /* the failing part of its last check, or why it could not be verified */
};

struct sf_run {
    struct sf_run_setup setup;
    struct sf_units *units;
    char *plan; /* its name */
    char *plan_text;
    struct sf_plan parsed;
    struct sf_run_row *rows;
    size_t row_count, row_cap;
    struct sf_lock lease;
    enum sf_proof verdict; /* of the last check */
    char *why;             /* it did not pass; or NULL */
    char digest[SF_SHA256_HEX + 1];
    int64_t seen; /* number of the last row of the log that the machine knows */

    struct sf_run_input *inputs;
    size_t count, cap;
    bool stepping;
    uint64_t turn_timer, tick_timer;

    enum sf_errand errand;
    bool halt_told;           /* the row of the halt that follows was told */
    struct sf_run_gate *gate; /* the look at the health that runs, or NULL */
    bool dead;                /* trouble: nothing is performed any more */
};

/* ---- run.c ---- */

/* Now, or behind what is being performed; everything is copied. */
void sf_run_feed(struct sf_run *run, const struct sf_units_input *in);
/* From the loop: for what comes from a callback of the session. */
void sf_run_feed_later(struct sf_run *run, const struct sf_units_input *in);
void sf_run_fail(struct sf_run *run, const struct sf_error *err);

/* ---- perform.c ---- */

void sf_run_perform(struct sf_run *run, const struct sf_units_effect *effect);
void sf_run_gate_leave(struct sf_run *run); /* nobody waits for the look any more */

/* ---- rows.c ---- */

bool sf_run_find_plan(struct sf_run *run, const char *name, struct sf_error *err);
/* Gives the machine every task as its row is now. */
bool sf_run_read_tasks(struct sf_run *run, struct sf_error *err);
/* Gives the machine what the log has gained since the last time. */
bool sf_run_read_log(struct sf_run *run, struct sf_error *err);
void sf_run_keep_verdict(struct sf_run *run, enum sf_proof verdict, const char *why,
                         const char *digest);
/* Writes the row of an effect; false: it must not happen. */
bool sf_run_save(struct sf_run *run, const struct sf_units_effect *save, struct sf_error *err);
struct sf_run_row *sf_run_row(const struct sf_run *run, const char *id);
bool sf_run_end_leases(struct sf_run *run, struct sf_error *err);
bool sf_run_renew(struct sf_run *run, struct sf_error *err); /* of the current task */
const struct sf_plan_task *sf_run_task(const struct sf_run *run, const char *id);

/* ---- briefing.c ---- */

void sf_run_brief(const struct sf_run *run, const struct sf_units_effect *start,
                  struct sf_strbuf *out);
/* The command that verifies the task; "": none is known. */
void sf_run_check_of(const struct sf_run *run, const char *task, struct sf_strbuf *out);

#endif
