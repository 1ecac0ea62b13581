/*
 * unit_effect.c: the list of effects, and the one place that moves a task. A move that the table of
 * states does not know for its mover is not made; the caller then lets go of the unit.
 */
#include "agent/unit_parts.h"
#include "base/base.h"

struct sf_units_effect *sf_unit_effect(struct sf_units_effects *fx, enum sf_units_effect_kind kind)
{
    struct sf_units_effect *e;

    fx->items = sf_grow(fx->items, &fx->cap, fx->count + 1, sizeof(*fx->items));
    e = &fx->items[fx->count++];
    *e = (struct sf_units_effect){ .kind = kind };
    sf_strbuf_init(&e->json);
    sf_strbuf_init(&e->text);
    return e;
}

struct sf_units_effect *sf_unit_effect_of(const struct sf_units *u, struct sf_units_effects *fx,
                                          enum sf_units_effect_kind kind, int task)
{
    struct sf_units_effect *e = sf_unit_effect(fx, kind);

    e->task = task >= 0 ? u->tasks[task]->id : NULL;
    return e;
}

void sf_units_effects_reset(struct sf_units_effects *fx)
{
    for (size_t i = 0; i < fx->count; i++) {
        sf_strbuf_release(&fx->items[i].json);
        sf_strbuf_release(&fx->items[i].text);
    }
    fx->count = 0;
}

void sf_units_effects_release(struct sf_units_effects *fx)
{
    sf_units_effects_reset(fx);
    free(fx->items);
    *fx = (struct sf_units_effects){ NULL, 0, 0 };
}

/* Whether this was the last of its milestone. */
static bool milestone_over(const struct sf_units *u, const struct sf_unit *t)
{
    if (!*t->milestone)
        return false;
    for (size_t i = 0; i < u->count; i++) {
        const struct sf_unit *o = u->tasks[i];

        if (!o->gone && o->state != SF_TASK_DONE && o->state != SF_TASK_CANCELLED &&
            !strcmp(o->milestone, t->milestone))
            return false;
    }
    return true;
}

void sf_unit_over_effect(struct sf_units *u, int task, struct sf_units_effects *fx)
{
    struct sf_units_effect *e = sf_unit_effect_of(u, fx, SF_UNITS_DO_UNIT_OVER, task);

    e->to = u->tasks[task]->state;
    e->flag = milestone_over(u, u->tasks[task]);
}

static int mover_name(enum sf_task_mover mover)
{
    return mover == SF_TASK_BY_MACHINE ? 0 : mover == SF_TASK_BY_VERDICT ? 1 : 2;
}

bool sf_unit_move(struct sf_units *u, int task, enum sf_task_state to, enum sf_task_mover mover,
                  const char *why, struct sf_units_effects *fx)
{
    struct sf_unit *t = u->tasks[task];
    enum sf_task_state from = t->state;
    struct sf_unit_event e = { .word = { [SF_UNIT_F_TASK] = t->id, [SF_UNIT_F_TEXT] = why },
                               .number = { [SF_UNIT_N_FROM] = (int)from,
                                           [SF_UNIT_N_TO] = (int)to,
                                           [SF_UNIT_N_BY] = mover_name(mover) } };
    bool current = u->log.current == task;
    size_t at = fx->count;

    if (to == SF_TASK_DONE)
        e.word[SF_UNIT_F_KIND] = t->kind; /* averages are the log's, kinds the row's */
    if (from == to)
        return true;
    if (!sf_task_move_may(from, to, mover))
        return false;
    sf_unit_save(u, SF_UNITS_LOG_MOVE, &e, fx);
    fx->items[at].task = t->id;
    fx->items[at].from = from;
    fx->items[at].to = to;
    fx->items[at].mover = mover;
    if (current && u->log.current != task)
        sf_unit_over_effect(u, task, fx);
    return true;
}
