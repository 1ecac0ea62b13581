/*
 * unit_world_person.c: what a person does in the world of units: the commands of run control, words
 * about tasks, and the way out that a halt names, which has to lead on.
 */
#include <inttypes.h>

#include "base/base.h"
#include "support/test.h"
#include "support/unit_world_parts.h"

static void say(struct world *w, struct world_proc *p, enum sf_units_word word, const char *task)
{
    struct sf_units_input in = {
        .kind = SF_UNITS_IN_WORD, .word = word, .task = task, .text = "mind the edge"
    };

    p->paused = false;
    world_send(w, p, &in);
}

void world_control(struct world *w, struct world_proc *p, enum sf_units_input_kind kind)
{
    struct sf_units_input in = { .kind = kind };
    bool was = sf_units_may_act(p->units) || sf_units_phase(p->units) != SF_UNITS_PHASE_REST;

    p->paused = false;
    world_send(w, p, &in);
    if (kind != SF_UNITS_IN_PAUSE || !p->units || !was || !world_has_lease(w, p))
        return;
    if (sf_units_state(p->units) == SF_UNITS_STATE_PAUSING ||
        sf_units_state(p->units) == SF_UNITS_STATE_PAUSED)
        p->paused = true;
}

static void raise_limits(struct world *w)
{
    for (int s = 0; s < SF_UNITS_PER_COUNT; s++)
        for (int k = 0; k < SF_BUDGET_COUNT; k++)
            if (w->setup.limit[s][k] < INT64_MAX / 100)
                w->setup.limit[s][k] *= 10;
    for (int i = 0; i < WORLD_PROCS; i++)
        if (w->procs[i].units)
            sf_units_set(w->procs[i].units, &w->setup);
    sf_units_set(w->shadow, &w->setup);
}

/* Another process has gone on meanwhile: what is shown is read again. */
bool world_is_stale(struct world *w, struct world_proc *p)
{
    if (p->loaded == w->events.count || !sf_units_halt(p->units))
        return false;
    if (sf_units_halt(p->units)->guard == SF_UNITS_GUARD_LEASE)
        return false;
    world_spawn(w, p);
    return true;
}

/* Does what the halt says leads on. */
void world_leave(struct world *w, struct world_proc *p)
{
    const struct sf_units_halt *h = sf_units_halt(p->units);
    static const enum sf_units_word words[] = { SF_UNITS_WORD_ACCEPT, SF_UNITS_WORD_REDO,
                                                SF_UNITS_WORD_SKIP };
    enum sf_units_exit way = h->exit;
    char task[SF_UNITS_ID_MAX + 1];
    bool saved = w->gentle;

    snprintf(task, sizeof(task), "%s", h->task);
    p->left = *h;
    p->left.why = NULL;
    p->leaving = true;
    world_note(w, "%d leaves %s by %d", (int)(p - w->procs), sf_units_guards[h->guard].name,
               (int)way);
    w->gentle = true;
    if (way == SF_UNITS_EXIT_LIMITS)
        raise_limits(w);
    if (way == SF_UNITS_EXIT_DOCTOR)
        w->sick = false;
    if (way == SF_UNITS_EXIT_HOLDER) {
        w->holder = -1;
        for (int i = 0; i < WORLD_PROCS; i++)
            if (&w->procs[i] != p && w->procs[i].units)
                world_kill(w, &w->procs[i]);
    }
    if (way == SF_UNITS_EXIT_REVIEW)
        say(w, p, words[world_random(w, SF_COUNT(words))], task);
    else if (way == SF_UNITS_EXIT_REDO)
        say(w, p, SF_UNITS_WORD_REDO, task);
    else if (way == SF_UNITS_EXIT_SKIP)
        say(w, p, SF_UNITS_WORD_SKIP, task);
    else if (way == SF_UNITS_EXIT_APPROVE)
        say(w, p, SF_UNITS_WORD_APPROVE, task);
    else
        world_control(w, p, SF_UNITS_IN_GO);
    for (int i = 0; i < 8 && p->leaving && sf_units_phase(p->units) != SF_UNITS_PHASE_REST; i++)
        world_outcome(w, p);
    if (p->leaving && sf_units_phase(p->units) == SF_UNITS_PHASE_REST)
        world_wrong(w, "the way out of a halt does nothing");
    w->gentle = saved;
}

void world_person(struct world *w, struct world_proc *p)
{
    static const enum sf_units_input_kind controls[] = { SF_UNITS_IN_GO,    SF_UNITS_IN_GO,
                                                         SF_UNITS_IN_NEXT,  SF_UNITS_IN_PAUSE,
                                                         SF_UNITS_IN_PAUSE, SF_UNITS_IN_STOP };
    struct sf_units_input in = { .kind = SF_UNITS_IN_REQUEST, .text = "tidy up" };
    char id[32];

    if (world_is_stale(w, p))
        return;
    if (sf_units_halt(p->units) && sf_units_phase(p->units) == SF_UNITS_PHASE_REST &&
        world_chance(w, 60)) {
        world_leave(w, p);
    } else if (world_chance(w, 25)) {
        say(w, p, (enum sf_units_word)world_random(w, SF_UNITS_WORD_APPROVE + 1),
            w->tasks[world_random(w, (uint64_t)w->count)].id);
    } else if (world_chance(w, 4) && w->count < WORLD_TASKS / 2) {
        snprintf(id, sizeof(id), "request-%" PRId64, w->steps);
        in.task = id;
        in.flag = world_chance(w, 50);
        p->paused = false;
        world_send(w, p, &in);
    } else {
        world_control(w, p, controls[world_random(w, SF_COUNT(controls))]);
    }
}
