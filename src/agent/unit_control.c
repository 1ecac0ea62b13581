/*
 * unit_control.c: run control and the lease. What a person wants waits for the lease, because
 * nothing is saved without it; a holder that is dead is no reason to wait.
 */
#include "agent/unit_parts.h"
#include "base/base.h"

/* ---- run control ---- */

static void add_request(struct sf_units *u, struct sf_units_effects *fx)
{
    struct sf_unit_event e = { .word = { [SF_UNIT_F_TASK] = u->request,
                                         [SF_UNIT_F_KIND] = "request",
                                         [SF_UNIT_F_TEXT] = u->request_text } };

    if (u->request && sf_unit_find(u, u->request) < 0)
        sf_unit_save(u, SF_UNITS_LOG_ADDED, &e, fx);
    free(u->request);
    free(u->request_text);
    u->request = u->request_text = NULL;
}

void sf_unit_save_control(struct sf_units *u, const char *kind, bool flag,
                          struct sf_units_effects *fx)
{
    struct sf_unit_event e = { .word = { [SF_UNIT_F_WHO] = u->actor },
                               .number = { [SF_UNIT_N_FLAG] = flag } };

    sf_unit_save(u, kind, &e, fx);
}

/* The same turn goes on where it was held. */
static void resume(struct sf_units *u, struct sf_units_effects *fx)
{
    const struct sf_unit *t = sf_unit_current(u);

    u->phase = SF_UNITS_PHASE_RUNNING;
    u->held = false;
    if (t && t->state == SF_TASK_PAUSED)
        sf_unit_move(u, t->place, SF_TASK_RUNNING, SF_TASK_BY_PERSON, "goes on", fx);
    sf_unit_effect_of(u, fx, SF_UNITS_DO_RESUME, u->log.current);
}

/*
 * Whether the run has halted twice for what still stands, so that going on would end there again.
 * Health and what is left have to be looked at anew first; that starts no unit.
 */
static bool is_in_vain(const struct sf_units *u)
{
    const struct sf_units_halt *h = &u->log.halt;
    int task = sf_unit_find(u, h->task);

    if (u->engaged || u->request || !u->log.halted || !h->again)
        return false;
    if (h->guard == SF_UNITS_GUARD_BUDGET)
        return sf_unit_over(u, task, NULL);
    if (h->guard == SF_UNITS_GUARD_STUCK)
        return task >= 0 && sf_unit_pick(u) == task && sf_unit_stuck(u, task);
    return h->guard == SF_UNITS_GUARD_FAILURE; /* without words, no third time */
}

static void go_on(struct sf_units *u, bool single, struct sf_units_effects *fx)
{
    const struct sf_units_log *log = &u->log;
    bool fresh = !u->engaged, cards = log->halted && (log->halt.guard == SF_UNITS_GUARD_REVIEW ||
                                                      log->halt.guard == SF_UNITS_GUARD_UNVERIFIED);
    bool held =
        u->phase == SF_UNITS_PHASE_RUNNING && log->state == SF_UNITS_STATE_PAUSING && u->cancel < 0;

    if (!fresh && log->state == SF_UNITS_STATE_STOPPING)
        return;
    if (is_in_vain(u)) {
        sf_unit_effect(fx, SF_UNITS_DO_HALT)->halt = &log->halt;
        return;
    }
    add_request(u, fx);
    if (fresh || log->single != single || log->state != SF_UNITS_STATE_GOING)
        sf_unit_save_control(
            u, log->state == SF_UNITS_STATE_OFF ? SF_UNITS_LOG_BEGIN : SF_UNITS_LOG_GO, single, fx);
    u->engaged = true;
    u->reason = -1;
    if (fresh && cards)
        sf_unit_effect_of(u, fx, SF_UNITS_DO_WITHDRAW, log->current);
    if (fresh)
        sf_unit_iterate(u);
    if (held)
        sf_unit_effect_of(u, fx, SF_UNITS_DO_RESUME, log->current);
    else if (fresh && u->live && u->phase == SF_UNITS_PHASE_REST)
        resume(u, fx);
    sf_unit_advance(u, fx);
}

/* The card of an approval or a repair is taken away. */
static void withdraw(struct sf_units *u, struct sf_units_effects *fx)
{
    if (u->phase != SF_UNITS_PHASE_ASKING)
        return;
    sf_unit_effect_of(u, fx, SF_UNITS_DO_WITHDRAW, u->picked);
    u->phase = SF_UNITS_PHASE_REST;
}

static void pause(struct sf_units *u, struct sf_units_effects *fx)
{
    u->wish = SF_UNIT_WISH_NONE;
    sf_unit_forget_word(u); /* a word that waits would let the run go on */
    if (!u->engaged || !u->leased || u->log.state != SF_UNITS_STATE_GOING)
        return;
    sf_unit_hold(u, -1, "", u->actor, fx);
    withdraw(u, fx);
    sf_unit_advance(u, fx);
}

static void stop(struct sf_units *u, struct sf_units_effects *fx)
{
    if (u->log.state == SF_UNITS_STATE_OFF) {
        sf_unit_effect(fx, SF_UNITS_DO_RELEASE);
        u->leased = false;
        return;
    }
    if (u->engaged && u->log.state == SF_UNITS_STATE_STOPPING)
        return;
    sf_unit_save_control(u, SF_UNITS_LOG_PAUSING, true, fx);
    u->engaged = true;
    u->reason = -1;
    sf_unit_forget_word(u);
    if (u->live)
        sf_unit_cancel(u, SF_UNITS_END_STOPPED, fx);
    else if (u->phase == SF_UNITS_PHASE_VERIFYING || u->phase == SF_UNITS_PHASE_JUDGING ||
             u->phase == SF_UNITS_PHASE_GATING)
        sf_unit_effect_of(u, fx, SF_UNITS_DO_CANCEL, u->log.current);
    withdraw(u, fx);
    sf_unit_advance(u, fx);
}

static void act_on_wish(struct sf_units *u, struct sf_units_effects *fx)
{
    enum sf_unit_wish wish = u->wish;

    u->wish = SF_UNIT_WISH_NONE;
    if (wish == SF_UNIT_WISH_STOP)
        stop(u, fx);
    else if (wish != SF_UNIT_WISH_NONE)
        go_on(u, wish == SF_UNIT_WISH_NEXT, fx);
}

/*
 * When files were put back the run ends, unless a person said meanwhile how it goes on. When that
 * failed it has halted, and only a stop still counts.
 */
void sf_unit_after_revert(struct sf_units *u, bool good, struct sf_units_effects *fx)
{
    if (good && u->wish == SF_UNIT_WISH_NONE)
        sf_unit_end_run(u, false, fx);
    else if (good || u->wish == SF_UNIT_WISH_STOP)
        act_on_wish(u, fx);
    u->wish = SF_UNIT_WISH_NONE;
}

/* Nothing is saved without the lease, so a wish waits for it; also until files are put back. */
static void want(struct sf_units *u, enum sf_unit_wish wish, struct sf_units_effects *fx)
{
    u->wish = wish;
    u->aside = false;
    if (u->leased && u->phase != SF_UNITS_PHASE_REVERTING)
        act_on_wish(u, fx);
    else if (u->phase == SF_UNITS_PHASE_REST)
        sf_unit_claim(u, false, fx);
}

static void request(struct sf_units *u, const struct sf_units_input *in,
                    struct sf_units_effects *fx)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!in->task || !sf_unit_id_is_good(in->task, &err))
        return;
    sf_unit_replace(&u->request, in->task);
    sf_unit_replace(&u->request_text, in->text ? in->text : "");
    want(u, in->flag ? SF_UNIT_WISH_NEXT : SF_UNIT_WISH_GO, fx);
}

static void word(struct sf_units *u, const struct sf_units_input *in, struct sf_units_effects *fx)
{
    bool asked = u->phase == SF_UNITS_PHASE_ASKING && u->ask == SF_UNITS_ASK_APPROVAL;

    if (!in->task)
        return;
    sf_unit_forget_word(u);
    u->word.set = true;
    u->word.word = in->word;
    u->word.task = sf_strdup(in->task);
    u->word.text = sf_strdup(in->text ? in->text : "");
    u->aside = false;
    if (asked && u->picked == sf_unit_find(u, in->task))
        withdraw(u, fx);
    else if (u->phase != SF_UNITS_PHASE_REST && u->leased)
        sf_unit_word(u, fx);
    sf_unit_advance(u, fx);
}

/* ---- the lease ---- */

void sf_unit_leased(struct sf_units *u, const struct sf_units_input *in,
                    struct sf_units_effects *fx)
{
    (void)in;
    if (u->phase != SF_UNITS_PHASE_CLAIMING)
        return;
    u->leased = true;
    u->aside = false;
    u->phase = SF_UNITS_PHASE_REST;
    act_on_wish(u, fx);
    sf_unit_advance(u, fx);
    if (u->leased && !u->engaged && !u->log.halted && u->phase == SF_UNITS_PHASE_REST) {
        sf_unit_effect(fx, SF_UNITS_DO_RELEASE);
        u->leased = false;
    }
}

void sf_unit_taken(struct sf_units *u, const struct sf_units_input *in, struct sf_units_effects *fx)
{
    const char *who = in->text ? in->text : "another process";

    if (u->phase != SF_UNITS_PHASE_CLAIMING)
        return;
    if (!in->flag) {
        sf_unit_claim(u, true, fx);
        return;
    }
    u->phase = SF_UNITS_PHASE_REST;
    u->wish = SF_UNIT_WISH_NONE;
    sf_unit_forget_word(u);
    sf_unit_halt(u, &(struct sf_unit_cause){ SF_UNITS_GUARD_LEASE, SF_UNIT_NONE, who, NULL, -1 },
                 fx);
}

void sf_unit_lost(struct sf_units *u, const struct sf_units_input *in, struct sf_units_effects *fx)
{
    bool runs = (u->live && u->cancel < 0) || u->phase == SF_UNITS_PHASE_VERIFYING ||
                u->phase == SF_UNITS_PHASE_JUDGING || u->phase == SF_UNITS_PHASE_GATING;

    (void)in;
    if (!u->leased)
        return;
    if (runs)
        sf_unit_effect_of(u, fx, SF_UNITS_DO_CANCEL, u->log.current);
    u->leased = u->live = u->held = false;
    u->phase = SF_UNITS_PHASE_LOST;
    sf_unit_halt(u,
                 &(struct sf_unit_cause){ SF_UNITS_GUARD_LEASE, SF_UNIT_NONE, "the lease was lost",
                                          NULL, SF_UNITS_EXIT_GO },
                 fx);
}

/* ---- inputs ---- */

void sf_unit_control(struct sf_units *u, const struct sf_units_input *in,
                     struct sf_units_effects *fx)
{
    snprintf(u->actor, sizeof(u->actor), "%s", in->actor ? in->actor : "user");
    if (in->kind == SF_UNITS_IN_GO)
        want(u, SF_UNIT_WISH_GO, fx);
    else if (in->kind == SF_UNITS_IN_NEXT)
        want(u, SF_UNIT_WISH_NEXT, fx);
    else if (in->kind == SF_UNITS_IN_STOP)
        want(u, SF_UNIT_WISH_STOP, fx);
    else if (in->kind == SF_UNITS_IN_REQUEST)
        request(u, in, fx);
    else if (in->kind == SF_UNITS_IN_WORD)
        word(u, in, fx);
    else
        pause(u, fx);
}
