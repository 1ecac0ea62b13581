/*
 * unit_loop.c: one iteration as a table of steps, in the order in which they have to be. A step
 * says that the next one may follow, that something is awaited, or that a new iteration begins.
 * Every step can be taken again: what it has seen to is a fact by then. All that starts a side
 * effect is behind the check for a pause in sf_unit_advance.
 */
#include <inttypes.h>

#include "agent/unit_parts.h"
#include "base/base.h"

void sf_unit_iterate(struct sf_units *u)
{
    u->gated = u->reconciled = false;
    u->picked = SF_UNIT_NONE;
}

void sf_unit_claim(struct sf_units *u, bool take_over, struct sf_units_effects *fx)
{
    u->phase = SF_UNITS_PHASE_CLAIMING;
    sf_unit_effect(fx, SF_UNITS_DO_CLAIM)->flag = take_over;
}

static enum sf_unit_flow halt(struct sf_units *u, enum sf_units_guard guard, int task,
                              const char *why, struct sf_units_effects *fx)
{
    sf_unit_halt(u, &(struct sf_unit_cause){ guard, task, why, NULL, -1 }, fx);
    return SF_UNIT_WAIT;
}

/* ---- the steps ---- */

static enum sf_unit_flow lease(struct sf_units *u, struct sf_units_effects *fx)
{
    if (u->leased)
        return SF_UNIT_NEXT;
    sf_unit_claim(u, false, fx);
    return SF_UNIT_WAIT;
}

static enum sf_unit_flow gate(struct sf_units *u, struct sf_units_effects *fx)
{
    if (u->gated)
        return SF_UNIT_NEXT;
    u->phase = SF_UNITS_PHASE_GATING;
    sf_unit_effect(fx, SF_UNITS_DO_GATE);
    return SF_UNIT_WAIT;
}

static enum sf_unit_flow reconcile(struct sf_units *u, struct sf_units_effects *fx)
{
    if (u->reconciled)
        return SF_UNIT_NEXT;
    u->phase = SF_UNITS_PHASE_RECONCILING;
    sf_unit_effect(fx, SF_UNITS_DO_RECONCILE);
    return SF_UNIT_WAIT;
}

static void add_goal_unit(struct sf_units *u, struct sf_units_effects *fx)
{
    char id[48];
    struct sf_unit_event e = { .word = { [SF_UNIT_F_TASK] = id, [SF_UNIT_F_KIND] = "goal" } };

    do
        snprintf(id, sizeof(id), "goal-%" PRId64, u->log.events + 1);
    while (sf_unit_find(u, id) >= 0);
    sf_unit_save(u, SF_UNITS_LOG_ADDED, &e, fx);
}

/* Nothing may start: everything is done, a goal wants more, or a person has to do something. */
static enum sf_unit_flow nothing(struct sf_units *u, struct sf_units_effects *fx)
{
    struct sf_unit_left left;

    sf_unit_survey(u, &left);
    if (left.plan == 0 && u->goal && !u->log.over) {
        if (u->log.continues >= u->setup.continues)
            return halt(u, SF_UNITS_GUARD_GOAL, SF_UNIT_NONE,
                        "the goal was continued as often as set", fx);
        add_goal_unit(u, fx);
        return SF_UNIT_AGAIN;
    }
    if (left.open == 0 || u->log.over) {
        sf_unit_end_run(u, left.open == 0, fx);
        return SF_UNIT_WAIT;
    }
    sf_unit_halt(u,
                 &(struct sf_unit_cause){ SF_UNITS_GUARD_BLOCKED, left.blocker, left.why, NULL,
                                          (int)left.exit },
                 fx);
    return SF_UNIT_WAIT;
}

static enum sf_unit_flow pick(struct sf_units *u, struct sf_units_effects *fx)
{
    u->picked = u->log.over ? SF_UNIT_NONE : sf_unit_pick(u);
    return u->picked >= 0 ? SF_UNIT_NEXT : nothing(u, fx);
}

static enum sf_unit_flow approve(struct sf_units *u, struct sf_units_effects *fx)
{
    const struct sf_unit *t = u->tasks[u->picked];

    if (!t->asks || t->approved)
        return SF_UNIT_NEXT;
    u->ask = SF_UNITS_ASK_APPROVAL;
    u->phase = SF_UNITS_PHASE_ASKING;
    sf_unit_effect_of(u, fx, SF_UNITS_DO_ASK, u->picked)->ask = u->ask;
    return SF_UNIT_WAIT;
}

static enum sf_unit_flow stuck(struct sf_units *u, struct sf_units_effects *fx)
{
    const char *why = sf_unit_stuck(u, u->picked);

    return why ? halt(u, SF_UNITS_GUARD_STUCK, u->picked, why, fx) : SF_UNIT_NEXT;
}

static enum sf_unit_flow over_budget(struct sf_units *u, int task, struct sf_units_effects *fx)
{
    struct sf_strbuf why = SF_STRBUF_INIT;
    enum sf_unit_flow flow = SF_UNIT_NEXT;

    if (sf_unit_over(u, task, &why))
        flow = halt(u, SF_UNITS_GUARD_BUDGET, task, why.buf, fx);
    sf_strbuf_release(&why);
    return flow;
}

static enum sf_unit_flow budget(struct sf_units *u, struct sf_units_effects *fx)
{
    return over_budget(u, u->picked, fx);
}

/* ---- dispatch ---- */

static unsigned briefing(const struct sf_unit *t)
{
    bool planned = strcmp(t->kind, "request") != 0 && strcmp(t->kind, "goal") != 0;

    return SF_UNITS_BRIEF_TASK | SF_UNITS_BRIEF_EARLIER | SF_UNITS_BRIEF_FILES |
           SF_UNITS_BRIEF_VERIFY | (planned ? (unsigned)SF_UNITS_BRIEF_PLAN : 0U) |
           (t->failures || *t->failure ? (unsigned)SF_UNITS_BRIEF_FAILED : 0U) |
           (t->interrupted ? (unsigned)SF_UNITS_BRIEF_INTERRUPTED : 0U) |
           (t->words ? (unsigned)SF_UNITS_BRIEF_WORDS : 0U);
}

/* The unit runs in this process from here on. */
static struct sf_units_effect *start(struct sf_units *u, int task, const char *digest,
                                     struct sf_units_effects *fx)
{
    struct sf_unit *t = task >= 0 ? u->tasks[task] : NULL;
    struct sf_unit_event e = { .word = { [SF_UNIT_F_TASK] = t ? t->id : "",
                                         [SF_UNIT_F_KIND] = t ? t->kind : "repair",
                                         [SF_UNIT_F_DIGEST] = digest },
                               .number = { [SF_UNIT_N_ATTEMPT] = t ? t->starts + 1 : 1 } };
    struct sf_units_effect *effect;

    sf_unit_save(u, SF_UNITS_LOG_START, &e, fx);
    effect = sf_unit_effect_of(u, fx, SF_UNITS_DO_START, task);
    effect->attempt = e.number[SF_UNIT_N_ATTEMPT];
    u->phase = SF_UNITS_PHASE_RUNNING;
    u->live = true;
    u->held = u->closed_before = false;
    u->cancel = -1;
    u->only = SF_UNIT_NONE;
    sf_unit_clock_start(u);
    return effect;
}

static enum sf_unit_flow dispatch(struct sf_units *u, struct sf_units_effects *fx)
{
    const struct sf_unit *t = u->tasks[u->picked];
    enum sf_task_mover mover = t->state == SF_TASK_PAUSED ? SF_TASK_BY_PERSON : SF_TASK_BY_MACHINE;
    unsigned brief = briefing(t);
    struct sf_units_effect *effect;

    if (!sf_unit_move(u, u->picked, SF_TASK_RUNNING, mover, "started", fx))
        return SF_UNIT_WAIT;
    effect = start(u, u->picked, "", fx);
    effect->brief = brief;
    sf_strbuf_adds(&effect->text, t->words ? t->words : "");
    return SF_UNIT_WAIT;
}

void sf_unit_repair(struct sf_units *u, const char *findings, struct sf_units_effects *fx)
{
    struct sf_unit_event e = { .word = { [SF_UNIT_F_TEXT] = findings },
                               .number = { [SF_UNIT_N_FLAG] = 1 } };
    char digest[SF_SHA256_HEX + 1];
    struct sf_units_effect *effect;

    if (over_budget(u, SF_UNIT_REPAIR, fx) != SF_UNIT_NEXT)
        return;
    sf_sha256_hex(findings, strlen(findings), digest);
    if (!u->log.repairing) {
        sf_unit_save(u, SF_UNITS_LOG_REPAIR, &e, fx);
        sf_unit_effect(fx, SF_UNITS_DO_AXES)->flag = true;
    }
    effect = start(u, SF_UNIT_REPAIR, digest, fx);
    effect->brief = SF_UNITS_BRIEF_HEALTH;
    sf_strbuf_adds(&effect->text, findings);
}

static enum sf_unit_flow (*const steps[])(struct sf_units *u, struct sf_units_effects *fx) = {
    lease, gate, reconcile, sf_unit_finish, pick, approve, stuck, budget, dispatch,
};

/* ---- going through them ---- */

/* Nothing runs any more: paused, with the unit standing still if it is there. */
static void rest(struct sf_units *u, struct sf_units_effects *fx)
{
    bool user = u->reason < 0;
    int task = u->log.current >= 0 ? u->log.current : SF_UNIT_NONE;
    char input[48];

    if (task >= 0 && u->live && u->tasks[task]->state == SF_TASK_RUNNING)
        sf_unit_move(u, task, SF_TASK_PAUSED, SF_TASK_BY_MACHINE, "paused", fx);
    snprintf(input, sizeof(input), "%" PRId64, u->log.events);
    sf_unit_halt(
        u,
        &(struct sf_unit_cause){ user ? SF_UNITS_GUARD_USER : (enum sf_units_guard)u->reason, task,
                                 user ? "paused" : u->cause, input, -1 },
        fx);
    u->reason = -1;
}

static bool iterate_once(struct sf_units *u, struct sf_units_effects *fx)
{
    enum sf_unit_flow flow = SF_UNIT_NEXT;

    for (size_t i = 0; i < SF_COUNT(steps) && flow == SF_UNIT_NEXT; i++)
        flow = steps[i](u, fx);
    return flow == SF_UNIT_AGAIN;
}

void sf_unit_advance(struct sf_units *u, struct sf_units_effects *fx)
{
    bool more = true;

    while (more && u->phase == SF_UNITS_PHASE_REST) {
        if (u->word.set && !u->leased) {
            sf_unit_claim(u, false, fx);
            return;
        }
        if (u->word.set)
            sf_unit_word(u, fx);
        if (u->phase != SF_UNITS_PHASE_REST)
            return;
        if (u->leased && u->log.state == SF_UNITS_STATE_STOPPING && u->engaged)
            sf_unit_end_run(u, false, fx);
        else if (u->leased && u->log.state == SF_UNITS_STATE_PAUSING && u->engaged)
            rest(u, fx);
        more = u->engaged && iterate_once(u, fx);
    }
}
