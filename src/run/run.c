/*
 * run.c: the life of a run, and its inputs in order. The machine is fed one input at a time; what
 * comes while its effects are performed waits, and what comes from within the session's own work
 * waits for the loop.
 */
#include <stdlib.h>

#include "run/internal.h"

static const int64_t tick_ms = 20000;

/* ---- inputs ---- */

static void drop_input(struct sf_run_input *i)
{
    free(i->task);
    free(i->text);
    free(i->digest);
}

static void put(struct sf_run *run, const struct sf_units_input *in)
{
    struct sf_run_input *i;

    run->inputs = sf_grow(run->inputs, &run->cap, run->count + 1, sizeof(*run->inputs));
    i = &run->inputs[run->count++];
    *i = (struct sf_run_input){ .in = *in,
                                .task = in->task ? sf_strdup(in->task) : NULL,
                                .text = in->text ? sf_strdup(in->text) : NULL,
                                .digest = in->digest ? sf_strdup(in->digest) : NULL };
    if (in->used)
        i->used = *in->used;
}

static bool works(const struct sf_run *run)
{
    enum sf_units_state state = sf_units_state(run->units);

    return !run->dead && (state == SF_UNITS_STATE_GOING || state == SF_UNITS_STATE_PAUSING ||
                          state == SF_UNITS_STATE_STOPPING);
}

static void tick(void *ctx)
{
    const struct sf_units_input in = { .kind = SF_UNITS_IN_TIME };
    struct sf_run *run = ctx;
    struct sf_error err = SF_ERROR_INIT;

    run->tick_timer = 0;
    if (!sf_run_renew(run, &err))
        sf_run_fail(run, &err);
    sf_run_feed(run, &in);
}

/* The clock runs only while something is under way. */
static void keep_time(struct sf_run *run)
{
    bool wanted = works(run) && !run->dead;

    if (wanted && !run->tick_timer)
        run->tick_timer = sf_loop_add_timer(run->setup.loop, tick_ms, 0, tick, run);
    if (wanted || !run->tick_timer)
        return;
    sf_loop_remove(run->setup.loop, run->tick_timer);
    run->tick_timer = 0;
}

static void step(struct sf_run *run, struct sf_run_input *i)
{
    struct sf_units_effects effects = { NULL, 0, 0 };

    i->in.task = i->task;
    i->in.text = i->text;
    i->in.digest = i->digest;
    i->in.used = i->in.used ? &i->used : NULL;
    i->in.now_ms = sf_clock_monotonic_ms();
    sf_units_step(run->units, &i->in, &effects);
    for (size_t n = 0; n < effects.count && !run->dead; n++)
        sf_run_perform(run, &effects.items[n]);
    sf_units_effects_release(&effects);
}

static void drain(struct sf_run *run)
{
    if (run->stepping)
        return;
    run->stepping = true;
    for (size_t n = 0; n < run->count; n++) {
        struct sf_run_input i = run->inputs[n]; /* the queue may grow, and move */

        if (!run->dead)
            step(run, &i);
        drop_input(&i);
    }
    run->count = 0;
    run->stepping = false;
    keep_time(run);
}

void sf_run_feed(struct sf_run *run, const struct sf_units_input *in)
{
    put(run, in);
    drain(run);
}

static void later(void *ctx)
{
    struct sf_run *run = ctx;

    run->turn_timer = 0;
    drain(run);
}

void sf_run_feed_later(struct sf_run *run, const struct sf_units_input *in)
{
    put(run, in);
    if (!run->turn_timer)
        run->turn_timer = sf_loop_add_timer(run->setup.loop, 0, 0, later, run);
}

/* ---- life ---- */

struct sf_run *sf_run_open(const struct sf_run_setup *setup, const char *plan, struct sf_error *err)
{
    struct sf_run *run = sf_alloc(sizeof(*run));
    struct sf_units_setup units = sf_units_defaults;

    *run = (struct sf_run){ .setup = *setup, .lease = SF_LOCK_INIT, .parsed = SF_PLAN_INIT };
    units.repair = SF_UNITS_REPAIR_LOG;
    run->units = sf_units_new(&units);
    if (sf_run_find_plan(run, plan, err) && sf_run_read_log(run, err) &&
        sf_run_read_tasks(run, err))
        return run;
    sf_run_close(run);
    return NULL;
}

void sf_run_close(struct sf_run *run)
{
    if (!run)
        return;
    sf_run_gate_leave(run);
    sf_loop_remove(run->setup.loop, run->turn_timer);
    sf_loop_remove(run->setup.loop, run->tick_timer);
    for (size_t i = 0; i < run->count; i++)
        drop_input(&run->inputs[i]);
    for (size_t i = 0; i < run->row_count; i++) {
        free(run->rows[i].path);
        free(run->rows[i].id);
        free(run->rows[i].failed);
    }
    free(run->rows);
    free(run->inputs);
    sf_plan_release(&run->parsed);
    sf_units_free(run->units);
    sf_lock_drop(&run->lease);
    free(run->plan);
    free(run->plan_text);
    free(run->why);
    free(run);
}

/* What is not in the store must not happen: whatever runs is ended, and nothing follows. */
void sf_run_fail(struct sf_run *run, const struct sf_error *err)
{
    if (run->dead)
        return;
    run->dead = true;
    if (run->errand != SF_ERRAND_NONE)
        sf_session_cancel(run->setup.session);
    sf_session_release(run->setup.session);
    sf_lock_drop(&run->lease);
    if (run->setup.trouble)
        run->setup.trouble(run->setup.ctx, err);
}

/* ---- what a person asks for ---- */

static void feed_kind(struct sf_run *run, enum sf_units_input_kind kind)
{
    const struct sf_units_input in = { .kind = kind };

    sf_run_feed(run, &in);
}

void sf_run_go(struct sf_run *run)
{
    feed_kind(run, SF_UNITS_IN_GO);
}

void sf_run_next(struct sf_run *run)
{
    feed_kind(run, SF_UNITS_IN_NEXT);
}

void sf_run_pause(struct sf_run *run)
{
    feed_kind(run, SF_UNITS_IN_PAUSE);
}

void sf_run_stop(struct sf_run *run)
{
    feed_kind(run, SF_UNITS_IN_STOP);
}

bool sf_run_word(struct sf_run *run, enum sf_units_word word, const char *task, const char *words,
                 struct sf_error *err)
{
    const struct sf_units_input in = {
        .kind = SF_UNITS_IN_WORD, .word = word, .task = task, .text = words
    };

    if (!sf_run_row(run, task)) {
        sf_fail(err, SF_E_NOENT, "the plan %s has no task %s", run->plan, task);
        return sf_hint(err, "/plan show %s lists them", run->plan);
    }
    sf_run_feed(run, &in);
    return true;
}

void sf_run_answer(struct sf_run *run, enum sf_run_asked what, bool yes)
{
    const struct sf_units_input in = { .kind = SF_UNITS_IN_ANSWER, .flag = yes };

    if (what == SF_ASKED_APPROVAL)
        sf_run_feed(run, &in);
}

/* ---- looking ---- */

const char *sf_run_plan(const struct sf_run *run)
{
    return run->plan;
}

const struct sf_units *sf_run_units(const struct sf_run *run)
{
    return run->units;
}

bool sf_run_works(const struct sf_run *run)
{
    return works(run);
}

bool sf_run_holds(const struct sf_run *run)
{
    return !run->dead && !works(run) && run->errand == SF_ERRAND_UNIT;
}

void sf_run_count(const struct sf_run *run, struct sf_run_counts *out)
{
    *out = (struct sf_run_counts){ .tasks = run->row_count };
    for (size_t i = 0; i < run->row_count; i++) {
        out->done += run->rows[i].state == SF_TASK_DONE;
        out->failed += run->rows[i].state == SF_TASK_FAILED;
        out->blocked += run->rows[i].state == SF_TASK_BLOCKED;
    }
}
