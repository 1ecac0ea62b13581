/*
 * unit_world_run.c: what becomes of the effects in the world of units: outcomes of every kind, time
 * that passes, leases that are lost, and the plan that it all begins with.
 */
#include <inttypes.h>

#include "base/base.h"
#include "support/test.h"
#include "support/unit_world_parts.h"

enum { CALL_MOST = 20 };

/* Small enough that each is reached now and then; a run has about half of them. */
static const int64_t limits[SF_UNITS_PER_COUNT][SF_BUDGET_COUNT] = {
    [SF_UNITS_PER_UNIT] = { [SF_BUDGET_TOKENS] = 1500,
                            [SF_BUDGET_COST] = 40,
                            [SF_BUDGET_TURNS] = 4,
                            [SF_BUDGET_CALLS] = 5 },
    [SF_UNITS_PER_RUN] = { [SF_BUDGET_TOKENS] = 6000,
                           [SF_BUDGET_COST] = 130,
                           [SF_BUDGET_TURNS] = 13,
                           [SF_BUDGET_CALLS] = 18,
                           [SF_BUDGET_TIME] = 43200000 },
    [SF_UNITS_PER_DAY] = { [SF_BUDGET_TOKENS] = 200000,
                           [SF_BUDGET_COST] = 4000,
                           [SF_BUDGET_TURNS] = 600,
                           [SF_BUDGET_CALLS] = 900,
                           [SF_BUDGET_TIME] = 86400000 },
};

static const char *const phrases[] = { "no such file", "it does not build", "two tests fail" };

static const char *phrase(struct world *w)
{
    return phrases[world_random(w, SF_COUNT(phrases))];
}

/* ---- outcomes ---- */

static void answer_claim(struct world *w, struct world_proc *p)
{
    int me = (int)(p - w->procs);
    bool alive = w->holder >= 0 && w->holder != me && w->procs[w->holder].units;
    struct sf_units_input in = { .kind = alive ? SF_UNITS_IN_TAKEN : SF_UNITS_IN_LEASED,
                                 .flag = alive,
                                 .text = "process 4711" };

    if (!alive && w->holder >= 0 && w->holder != me && world_chance(w, 50)) {
        in = (struct sf_units_input){ .kind = SF_UNITS_IN_TAKEN, .text = "process 4711" };
        w->holder = -1; /* the claim that follows takes it over */
    } else if (!alive) {
        w->holder = me;
        p->token = ++w->token;
        world_load(w, p->units, &p->loaded);
        world_feed_rows(w, p->units);
    }
    world_send(w, p, &in);
}

static bool is_over(const struct world *w, const int64_t *spent, enum sf_units_scope scope)
{
    for (int k = 0; k < SF_BUDGET_TIME; k++)
        if (w->setup.limit[scope][k] > 0 && spent[k] >= w->setup.limit[scope][k])
            return true;
    return false;
}

static void call_model(struct world *w, struct world_proc *p)
{
    struct sf_budget used = { .spent = { [SF_BUDGET_TURNS] = 1 } };
    struct sf_units_input in = { .kind = SF_UNITS_IN_USED, .used = &used };
    const char *why;

    used.spent[SF_BUDGET_COST] = 1 + (int64_t)world_random(w, w->gentle ? 2 : CALL_MOST);
    used.spent[SF_BUDGET_TOKENS] = 1 + (int64_t)world_random(w, w->gentle ? 50 : 1000);
    used.spent[SF_BUDGET_CALLS] = (int64_t)world_random(w, w->gentle ? 2 : 4);
    if (!sf_units_may_spend(p->units, &why))
        return;
    if (p->paused)
        world_wrong(w, "the model is asked after a pause");
    if (world_has_lease(w, p) &&
        ((p->running >= 0 && is_over(w, w->tasks[p->running].spent, SF_UNITS_PER_UNIT)) ||
         is_over(w, w->run_spent, SF_UNITS_PER_RUN) || is_over(w, w->day_spent, SF_UNITS_PER_DAY)))
        world_wrong(w, "the model is asked although a budget is used up");
    world_send(w, p, &in);
}

static void end_unit(struct world *w, struct world_proc *p)
{
    struct sf_units_input in = { .kind = SF_UNITS_IN_ENDED, .end = SF_UNITS_END_DONE };

    if (!w->gentle && world_chance(w, 40))
        in.end = (enum sf_units_end)world_random(w, SF_UNITS_END_DENIED + 1);
    if (in.end != SF_UNITS_END_DONE)
        in.text = phrase(w);
    if (in.end != SF_UNITS_END_DONE && world_chance(w, 20))
        in.path = "src/gone.c";
    p->running = -1;
    world_send(w, p, &in);
}

static void unit_goes_on(struct world *w, struct world_proc *p)
{
    struct sf_units_input in = { .kind = SF_UNITS_IN_ACTIVE };
    uint64_t what = world_random(w, w->gentle ? 6 : 12);

    if (sf_units_state(p->units) == SF_UNITS_STATE_PAUSING && world_chance(w, 70)) {
        in.kind = SF_UNITS_IN_HELD;
        world_send(w, p, &in);
    } else if (what < 3) {
        end_unit(w, p);
    } else if (what < 9) {
        call_model(w, p);
    } else {
        in.kind = what == 9    ? SF_UNITS_IN_QUESTION
                  : what == 10 ? SF_UNITS_IN_ABORT
                               : SF_UNITS_IN_ACTIVE;
        in.flag = world_chance(w, 50);
        world_send(w, p, &in);
    }
}

static void verify(struct world *w, struct world_proc *p, enum sf_units_input_kind kind)
{
    struct sf_units_input in = { .kind = kind, .verdict = SF_PROOF_PASSED };

    if (!w->gentle && world_chance(w, 45))
        in.verdict = world_chance(w, 60) ? SF_PROOF_FAILED : SF_PROOF_NONE;
    if (in.verdict == SF_PROOF_FAILED)
        in.text = phrase(w);
    world_send(w, p, &in);
}

static void close_out(struct world *w, struct world_proc *p)
{
    struct sf_units_input in = { .kind = SF_UNITS_IN_CLOSED, .close = SF_UNITS_CLOSE_COMMITTED };

    if (p->closing < 0)
        world_wrong(w, "a close-out is awaited that was never asked for");
    if (!w->gentle && world_chance(w, 15)) {
        in.close = (enum sf_units_close)world_random(w, SF_UNITS_CLOSE_FAILED + 1);
        in.text = phrase(w);
    } else {
        w->tasks[p->closing].committed = true;
    }
    p->closing = -1;
    world_send(w, p, &in);
}

void world_outcome(struct world *w, struct world_proc *p)
{
    struct sf_units_input in = { .flag = w->gentle || world_chance(w, 85) };

    switch (sf_units_phase(p->units)) {
    case SF_UNITS_PHASE_CLAIMING:
        answer_claim(w, p);
        return;
    case SF_UNITS_PHASE_GATING:
        in.kind = SF_UNITS_IN_GATE;
        in.flag = !w->sick;
        in.text = w->sick ? phrase(w) : NULL;
        w->sick = w->sick && world_chance(w, 80);
        break;
    case SF_UNITS_PHASE_RECONCILING:
        world_feed_rows(w, p->units);
        in.kind = SF_UNITS_IN_RECONCILED;
        break;
    case SF_UNITS_PHASE_ASKING:
        in.kind = SF_UNITS_IN_ANSWER;
        in.text = !in.flag && world_chance(w, 50) ? "nobody" : NULL;
        break;
    case SF_UNITS_PHASE_RUNNING:
        unit_goes_on(w, p);
        return;
    case SF_UNITS_PHASE_VERIFYING:
        verify(w, p, SF_UNITS_IN_VERDICT);
        return;
    case SF_UNITS_PHASE_JUDGING:
        verify(w, p, SF_UNITS_IN_OPINION);
        return;
    case SF_UNITS_PHASE_CLOSING:
        close_out(w, p);
        return;
    case SF_UNITS_PHASE_REVERTING:
        in.kind = SF_UNITS_IN_REVERTED;
        break;
    case SF_UNITS_PHASE_REST:
    case SF_UNITS_PHASE_LOST:
        return;
    }
    world_send(w, p, &in);
}

/* ---- the world ---- */

/* The process was frozen and its lease ran out; it is told when it wakes. */
static void lose_lease(struct world *w, struct world_proc *p)
{
    struct sf_units_input in = { .kind = SF_UNITS_IN_LOST };

    w->holder = -1;
    w->token++;
    world_note(w, "%d loses its lease", (int)(p - w->procs));
    if (world_chance(w, 50)) /* otherwise it finds out when a save is refused */
        world_send(w, p, &in);
}

static void pass_time(struct world *w, struct world_proc *p)
{
    struct sf_units_input in = { .kind = SF_UNITS_IN_TIME };

    if (world_chance(w, 3))
        w->now += world_chance(w, 50) ? 100 * 3600 * 1000 : -3600 * 1000; /* asleep, or set back */
    else
        w->now += (int64_t)world_random(w, 40000);
    world_send(w, p, &in);
}

static void set_goal(struct world *w, bool goal)
{
    w->goal = goal;
    for (int i = 0; i < WORLD_PROCS; i++)
        if (w->procs[i].units)
            sf_units_goal(w->procs[i].units, goal);
}

void world_step(struct world *w)
{
    struct world_proc *p = &w->procs[world_chance(w, 80) ? 0 : 1];
    int what = (int)world_random(w, 100);

    w->steps++;
    if (!p->units)
        world_spawn(w, p);
    else if (what < 1)
        world_kill(w, p);
    else if (what < 2 && world_has_lease(w, p))
        lose_lease(w, p);
    else if (what < 10)
        pass_time(w, p);
    else if (what < 20 || sf_units_phase(p->units) == SF_UNITS_PHASE_REST ||
             (sf_units_phase(p->units) == SF_UNITS_PHASE_REVERTING && world_chance(w, 40)))
        world_person(w, p);
    else
        world_outcome(w, p);
    if (world_chance(w, 1))
        w->sick = true;
    if (world_chance(w, 2))
        set_goal(w, !w->goal && w->count < WORLD_TASKS / 2);
}

void world_finish(struct world *w)
{
    struct world_proc *p = &w->procs[0];
    int64_t ends = w->ends;

    w->gentle = true;
    w->sick = false;
    for (int i = 1; i < WORLD_PROCS; i++)
        if (w->procs[i].units)
            world_kill(w, &w->procs[i]);
    if (!p->units)
        world_spawn(w, p);
    world_is_stale(w, p);
    set_goal(w, false);
    world_note(w, "from here on everything succeeds");
    for (int i = 0; i < 4000; i++) {
        bool open = false;

        w->steps++;
        w->now += 1000;
        if (sf_units_phase(p->units) != SF_UNITS_PHASE_REST)
            world_outcome(w, p);
        else if (sf_units_halt(p->units))
            world_leave(w, p);
        else
            world_control(w, p, SF_UNITS_IN_GO);
        for (int k = 0; k < w->count; k++)
            open = open ||
                   (w->tasks[k].state != SF_TASK_DONE && w->tasks[k].state != SF_TASK_CANCELLED);
        if (!open && w->ends > ends && sf_units_state(p->units) == SF_UNITS_STATE_OFF)
            return;
    }
    world_wrong(w, "the run does not come to its end");
}

/* Mostly a graph that can be done; sometimes a circle or a task that does not exist. */
static void add_dependencies(struct world *w, int at)
{
    struct world_task *t = &w->tasks[at];

    for (int i = 0; i < at; i++)
        if (world_chance(w, 25))
            sf_strlist_add(&t->deps, w->tasks[i].id);
    if (world_chance(w, 3))
        sf_strlist_add(&t->deps, "nowhere");
    if (world_chance(w, 3))
        sf_strlist_addf(&t->deps, "T%d", (int)world_random(w, (uint64_t)w->count));
}

void world_open(struct world *w, uint64_t seed)
{
    int tasks;

    *w = (struct world){ .seed = seed, .rng = seed * 2 + 1, .now = 1000, .holder = -1 };
    for (int i = 0; i < 4; i++)
        world_random(w, 1);
    w->setup = sf_units_defaults;
    for (int s = 0; s < SF_UNITS_PER_COUNT; s++)
        for (int k = 0; k < SF_BUDGET_COUNT; k++)
            w->setup.limit[s][k] = world_chance(w, 50) ? limits[s][k] : 0;
    w->setup.continues = 2;
    w->goal = world_chance(w, 20);
    w->thorough = seed % 3 == 0;
    w->setup.repair = (enum sf_units_repair)world_random(w, 3);
    w->setup.opinion = world_chance(w, 30);
    tasks = 1 + (int)world_random(w, 6);
    for (int i = 0; i < tasks; i++) {
        char id[16];

        snprintf(id, sizeof(id), "T%d", i);
        world_add_row(w, id, world_chance(w, 70) ? "task" : "docs")->priority =
            (int)world_random(w, 3);
        w->tasks[i].asks = world_chance(w, 10);
        w->tasks[i].estimate_ms = world_chance(w, 30) ? (int64_t)world_random(w, 7200000) : 0;
        snprintf(w->tasks[i].milestone, sizeof(w->tasks[i].milestone), "M%d", i / 3);
    }
    for (int i = 0; i < tasks; i++)
        add_dependencies(w, i);
    w->shadow = sf_units_new(&w->setup);
    world_feed_rows(w, w->shadow);
    for (int i = 0; i < WORLD_PROCS; i++) {
        w->procs[i].running = w->procs[i].closing = -1;
        world_spawn(w, &w->procs[i]);
    }
}

void world_close(struct world *w)
{
    for (int i = 0; i < WORLD_PROCS; i++) {
        sf_units_free(w->procs[i].units);
        sf_units_effects_release(&w->procs[i].fx);
    }
    for (int i = 0; i < w->count; i++)
        sf_strlist_release(&w->tasks[i].deps);
    sf_units_free(w->shadow);
    sf_strlist_release(&w->kinds);
    sf_strlist_release(&w->events);
}
