/*
 * unit_budget.c: what a unit, a run and a day may use, and how long a unit may take. Both are
 * looked at while the unit runs, not only between units. The clocks stand still while a question
 * to the user is open and while the unit is held, and a gap between two steps that is too long for
 * a running program does not count: the computer was asleep.
 */
#include "agent/unit_parts.h"
#include "base/base.h"

const char *const sf_units_scopes[] = { "unit", "run", "day", NULL };

/* The day's use by all runs. */
static struct sf_budget whole_day(const struct sf_units *u)
{
    struct sf_budget day = u->others;

    if (!strcmp(u->log.today, u->day))
        for (int i = 0; i < SF_BUDGET_COUNT; i++)
            sf_budget_spend(&day, (enum sf_budget_kind)i, u->log.day.spent[i]);
    return day;
}

/* The scope's budget with its limits; time that no event has counted yet is in it. */
static struct sf_budget scoped(const struct sf_units *u, enum sf_units_scope scope, int task)
{
    struct sf_budget b = { .limit = { 0 } };

    if (scope == SF_UNITS_PER_DAY)
        b = whole_day(u);
    else if (scope == SF_UNITS_PER_RUN)
        b = u->log.run;
    else if (task >= 0)
        b = u->tasks[task]->used;
    memcpy(b.limit, u->setup.limit[scope], sizeof(b.limit));
    sf_budget_spend(&b, SF_BUDGET_TIME, u->clock.unsaved_ms);
    return b;
}

void sf_units_budget(const struct sf_units *u, enum sf_units_scope scope, struct sf_budget *out)
{
    *out = scoped(u, scope, u->log.current);
}

bool sf_unit_over(const struct sf_units *u, int task, struct sf_strbuf *out)
{
    for (int s = 0; s < SF_UNITS_PER_COUNT; s++) {
        struct sf_budget b = scoped(u, (enum sf_units_scope)s, task);
        int over = sf_budget_over(&b);

        if (over < 0)
            continue;
        if (out) {
            sf_strbuf_addf(out, "%s of the %s is used up: ", sf_budgets[over].what,
                           sf_units_scopes[s]);
            sf_budget_text(&b, (enum sf_budget_kind)over, out);
        }
        return true;
    }
    return false;
}

void sf_unit_cancel(struct sf_units *u, enum sf_units_end end, struct sf_units_effects *fx)
{
    if (u->cancel >= 0 && end != SF_UNITS_END_STOPPED)
        return;
    if (u->cancel < 0)
        sf_unit_effect_of(u, fx, SF_UNITS_DO_CANCEL, u->log.current);
    u->cancel = (int)end;
    u->held = false;
    u->phase = SF_UNITS_PHASE_RUNNING;
}

void sf_unit_hold(struct sf_units *u, int guard, const char *cause, const char *who,
                  struct sf_units_effects *fx)
{
    struct sf_unit_event e = { .word = { [SF_UNIT_F_WHO] = who } };

    free(u->cause);
    u->cause = sf_strdup(cause);
    u->reason = guard;
    sf_unit_save(u, SF_UNITS_LOG_PAUSING, &e, fx);
    if (u->phase == SF_UNITS_PHASE_RUNNING && u->cancel < 0)
        sf_unit_effect_of(u, fx, SF_UNITS_DO_HOLD, u->log.current);
}

/* ---- use ---- */

static void alert(struct sf_units *u, int scope, int kind, struct sf_units_effects *fx)
{
    struct sf_budget b = scoped(u, (enum sf_units_scope)scope, u->log.current);
    struct sf_units_effect *e;

    if (!u->alerts[scope][kind])
        return;
    e = sf_unit_effect_of(u, fx, SF_UNITS_DO_ALERT, u->log.current);
    e->scope = (enum sf_units_scope)scope;
    e->budget = (enum sf_budget_kind)kind;
    e->percent = u->alerts[scope][kind];
    sf_strbuf_addf(&e->text, "%d %% of %s of the %s used: ", e->percent, sf_budgets[kind].what,
                   sf_units_scopes[scope]);
    sf_budget_text(&b, (enum sf_budget_kind)kind, &e->text);
    u->alerts[scope][kind] = 0;
}

static void charge(struct sf_units *u, const struct sf_budget *used, struct sf_units_effects *fx)
{
    const struct sf_unit *t = sf_unit_current(u);
    struct sf_unit_event e = { .word = {
                                   [SF_UNIT_F_TASK] = t ? t->id : "", [SF_UNIT_F_DAY] = u->day } };

    if (used)
        memcpy(e.used, used->spent, sizeof(e.used));
    e.used[SF_BUDGET_TIME] = u->clock.unsaved_ms;
    u->clock.unsaved_ms = 0;
    memset(u->alerts, 0, sizeof(u->alerts));
    sf_unit_save(u, SF_UNITS_LOG_USED, &e, fx);
    for (int s = 0; s < SF_UNITS_PER_COUNT; s++)
        for (int k = 0; k < SF_BUDGET_COUNT; k++)
            alert(u, s, k, fx);
}

void sf_unit_save_time(struct sf_units *u, struct sf_units_effects *fx)
{
    if (u->clock.unsaved_ms > 0)
        charge(u, NULL, fx);
}

static bool is_dear(const struct sf_units *u, const struct sf_unit *t)
{
    const struct sf_units_log *log = &u->log;

    for (size_t i = 0; i < log->kind_count; i++) {
        const struct sf_unit_kind *k = &log->kinds[i];

        if (!strcmp(k->name, t->kind))
            return u->setup.dear > 0 && k->count >= u->setup.dear_after && k->cost >= k->count &&
                   t->used.spent[SF_BUDGET_COST] / u->setup.dear >= k->cost / k->count;
    }
    return false;
}

static void check(struct sf_units *u, struct sf_units_effects *fx)
{
    const struct sf_unit *t = sf_unit_current(u);

    if (!u->live || u->phase != SF_UNITS_PHASE_RUNNING || u->cancel >= 0)
        return;
    if (sf_unit_over(u, u->log.current, NULL))
        sf_unit_cancel(u, SF_UNITS_END_BUDGET, fx);
    else if (t && !t->dear_ok && u->log.state == SF_UNITS_STATE_GOING && is_dear(u, t))
        sf_unit_hold(u, SF_UNITS_GUARD_DEAR, "the unit costs far more than others of its kind",
                     "sf", fx);
}

void sf_unit_used(struct sf_units *u, const struct sf_budget *used, struct sf_units_effects *fx)
{
    if (!u->leased || (!u->live && u->phase != SF_UNITS_PHASE_JUDGING))
        return;
    charge(u, used, fx);
    check(u, fx);
}

bool sf_units_may_act(const struct sf_units *u)
{
    return u->engaged && u->leased && u->live && u->phase == SF_UNITS_PHASE_RUNNING &&
           u->cancel < 0 && u->log.state == SF_UNITS_STATE_GOING;
}

bool sf_units_may_spend(const struct sf_units *u, const char **why)
{
    bool judging = u->engaged && u->leased && u->phase == SF_UNITS_PHASE_JUDGING &&
                   u->log.state == SF_UNITS_STATE_GOING && u->cancel < 0;

    *why = NULL;
    if (!judging && !sf_units_may_act(u))
        *why = "the run is not going";
    else if (sf_unit_over(u, u->log.current, NULL))
        *why = "a budget is used up";
    return !*why;
}

/* ---- time ---- */

void sf_unit_clock_start(struct sf_units *u)
{
    int64_t last = u->clock.last_ms;

    u->clock = (struct sf_unit_clock){ .last_ms = last };
}

/* A longer estimate gives more time, up to six times as much; a shorter one takes none away. */
static int64_t scaled(const struct sf_units *u, int64_t limit)
{
    const struct sf_unit *t = sf_unit_current(u);
    double share = 1;

    if (t && u->setup.estimate_ms > 0)
        share = (double)t->estimate_ms / (double)u->setup.estimate_ms;
    return (int64_t)((double)limit * (share < 1 ? 1 : share > 6 ? 6 : share));
}

static bool reached(int64_t limit, int64_t value)
{
    return limit > 0 && value >= limit;
}

static void watch(struct sf_units *u, struct sf_units_effects *fx)
{
    struct sf_unit_clock *c = &u->clock;

    if (u->cancel >= 0)
        return;
    if (reached(scaled(u, u->setup.soft_ms), c->active_ms) && !c->told) {
        c->told = true;
        sf_unit_effect_of(u, fx, SF_UNITS_DO_WRAP_UP, u->log.current);
    }
    if (reached(scaled(u, u->setup.hard_ms), c->active_ms))
        sf_unit_cancel(u, SF_UNITS_END_HARD, fx);
    else if (reached(u->setup.idle_ms, c->idle_ms))
        sf_unit_cancel(u, SF_UNITS_END_IDLE, fx);
}

void sf_unit_time(struct sf_units *u, int64_t now_ms, struct sf_units_effects *fx)
{
    struct sf_unit_clock *c = &u->clock;
    int64_t gap = c->last_ms && now_ms > c->last_ms ? now_ms - c->last_ms : 0;

    c->last_ms = now_ms;
    if (!u->live || u->held || u->phase != SF_UNITS_PHASE_RUNNING || c->questions > 0)
        return;
    gap = gap > u->setup.tick_ms ? u->setup.tick_ms : gap;
    c->active_ms += gap;
    c->idle_ms += gap;
    c->unsaved_ms += gap;
    watch(u, fx);
    check(u, fx);
}
