/*
 * unit_stuck.c: the rules against going in circles, one row each. They look at the last dispatches
 * and at the task that would be started next. A person's words about a task clear what they see.
 */
#include "agent/unit_parts.h"
#include "base/base.h"

/* The dispatch that many before the last one; NULL: there was none. */
static const struct sf_unit_past *past(const struct sf_units *u, int back)
{
    int at = u->log.past_count - 1 - back;

    return at >= 0 ? &u->log.past[at] : NULL;
}

static bool was(const struct sf_units *u, int back, int task)
{
    const struct sf_unit_past *p = past(u, back);

    return p && p->task == task;
}

static bool thrice(const struct sf_units *u, int task)
{
    return was(u, 0, task) && was(u, 1, task) && was(u, 2, task);
}

static bool alternates(const struct sf_units *u, int task)
{
    const struct sf_unit_past *other = past(u, 0);

    return other && other->task != task && was(u, 1, task) && was(u, 2, other->task);
}

static bool same_error(const struct sf_units *u, int task)
{
    const struct sf_unit_past *a = past(u, 0), *b = past(u, 1);

    (void)task;
    return a && b && a->error[0] && !strcmp(a->error, b->error);
}

static bool same_path(const struct sf_units *u, int task)
{
    const struct sf_unit_past *a = past(u, 0), *b = past(u, 1);

    (void)task;
    return a && b && a->path[0] && !strcmp(a->path, b->path);
}

static const struct {
    bool (*meets)(const struct sf_units *u, int task);
    const char *why;
} rules[] = {
    { same_error, "the same error ended two units in a row" },
    { same_path, "the same missing path ended two units in a row" },
    { thrice, "the same unit was started three times in a row" },
    { alternates, "two units take turns without an end" },
};

const char *sf_unit_stuck(const struct sf_units *u, int task)
{
    for (size_t i = 0; i < SF_COUNT(rules); i++)
        if (rules[i].meets(u, task))
            return rules[i].why;
    return NULL;
}
