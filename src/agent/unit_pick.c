/*
 * unit_pick.c: which unit comes next, and what stands in the way of the rest. A unit that was
 * paused goes on first when a person says so, then what is to be tried again, then the others by
 * priority and order. A done task is never picked: it is in no state that may start.
 */
#include "agent/unit_parts.h"
#include "base/base.h"

static const struct sf_unit *dependency(const struct sf_units *u, const struct sf_unit *t, size_t i)
{
    int at = sf_unit_find(u, t->depends_on.items[i]);

    return at >= 0 && !u->tasks[at]->gone ? u->tasks[at] : NULL;
}

static bool is_ready(const struct sf_units *u, const struct sf_unit *t)
{
    for (size_t i = 0; i < t->depends_on.count; i++) {
        const struct sf_unit *d = dependency(u, t, i);

        if (!d || d->state != SF_TASK_DONE)
            return false;
    }
    return true;
}

static bool may_start(const struct sf_units *u, const struct sf_unit *t)
{
    return !t->gone && !t->held &&
           (t->state == SF_TASK_TODO || t->state == SF_TASK_RETRYING ||
            (t->state == SF_TASK_PAUSED && t->place == u->log.last));
}

/* The one a person wants; one that goes on; one that is tried again; a new one. */
static int rank(const struct sf_units *u, const struct sf_unit *t)
{
    if (t->place == u->only)
        return 0;
    return t->state == SF_TASK_PAUSED ? 1 : t->state == SF_TASK_RETRYING ? 2 : 3;
}

static bool comes_before(const struct sf_units *u, const struct sf_unit *a, const struct sf_unit *b)
{
    if (rank(u, a) != rank(u, b))
        return rank(u, a) < rank(u, b);
    if (a->priority != b->priority)
        return a->priority < b->priority;
    return a->order != b->order ? a->order < b->order : strcmp(a->id, b->id) < 0;
}

int sf_unit_pick(const struct sf_units *u)
{
    const struct sf_unit *best = NULL;

    for (size_t i = 0; i < u->count; i++) {
        const struct sf_unit *t = u->tasks[i];

        if (may_start(u, t) && (!best || comes_before(u, t, best)) && is_ready(u, t))
            best = t;
    }
    return best ? best->place : SF_UNIT_NONE;
}

/* ---- what is left ---- */

/* Why the task does not start, and what a person can do; NULL: it waits for another that says. */
static const char *obstacle(const struct sf_units *u, const struct sf_unit *t,
                            enum sf_units_exit *way)
{
    static const struct {
        enum sf_task_state state;
        enum sf_units_exit exit;
        const char *why;
    } states[] = {
        { SF_TASK_REVIEWING, SF_UNITS_EXIT_REVIEW, "waits for a review" },
        { SF_TASK_BLOCKED, SF_UNITS_EXIT_REDO, "is blocked" },
        { SF_TASK_FAILED, SF_UNITS_EXIT_REDO, "has failed" },
        { SF_TASK_PAUSED, SF_UNITS_EXIT_REDO, "is paused" },
    };

    for (size_t i = 0; i < SF_COUNT(states); i++)
        if (t->state == states[i].state) {
            *way = states[i].exit;
            return states[i].why;
        }
    *way = t->held ? SF_UNITS_EXIT_HOLDER : SF_UNITS_EXIT_SKIP;
    if (t->held)
        return "is being worked on by another process";
    for (size_t i = 0; i < t->depends_on.count; i++) {
        const struct sf_unit *d = dependency(u, t, i);

        if (!d)
            return "depends on a task that does not exist";
        if (d->state == SF_TASK_CANCELLED)
            return "depends on a task that was cancelled";
    }
    return NULL;
}

static bool is_over(const struct sf_unit *t)
{
    return t->gone || t->state == SF_TASK_DONE || t->state == SF_TASK_CANCELLED;
}

/* Of several blockers, one that needs only a word comes before one that has to be skipped. */
void sf_unit_survey(const struct sf_units *u, struct sf_unit_left *left)
{
    int circle = SF_UNIT_NONE;

    *left = (struct sf_unit_left){ .blocker = SF_UNIT_NONE };
    for (size_t i = 0; i < u->count; i++) {
        const struct sf_unit *t = u->tasks[i];
        enum sf_units_exit way;
        const char *why;

        if (is_over(t))
            continue;
        left->open++;
        left->plan += strcmp(t->kind, "goal") != 0 || t->state != SF_TASK_REVIEWING;
        why = obstacle(u, t, &way);
        if (!why)
            circle = t->place;
        if (why && (left->blocker < 0 || way < left->exit)) {
            left->blocker = t->place;
            left->exit = way;
            left->why = why;
        }
    }
    if (left->blocker < 0 && circle >= 0) {
        left->blocker = circle;
        left->exit = SF_UNITS_EXIT_SKIP;
        left->why = "depends on itself, through others";
    }
}

void sf_unit_left_text(const struct sf_units *u, struct sf_strbuf *out)
{
    enum { NAMED = 20 }; /* a plan may have thousands */
    int named = 0, more = 0;

    for (size_t i = 0; i < u->count; i++) {
        const struct sf_unit *t = u->tasks[i];

        if (is_over(t))
            continue;
        if (named == NAMED) {
            more++;
            continue;
        }
        sf_strbuf_addf(out, "%s%s %s", named++ ? ", " : "", t->id, sf_task_states[t->state]);
    }
    if (more)
        sf_strbuf_addf(out, " and %d more", more);
}
