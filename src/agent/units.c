/*
 * units.c: what each input means. The steps between them are in unit_loop.c, what follows for a
 * unit in unit_close.c; unit_log.c alone changes what outlives the process.
 */
#include "agent/units.h"

#include "agent/unit_parts.h"
#include "base/base.h"

const char *const sf_units_words[] = { "accept", "redo", "revert", "skip", "approve", NULL };

const char *const sf_units_ends[] = { "done",    "cancelled", "failed",      "provider",
                                      "limit",   "blocked",   "refused",     "unable",
                                      "denied",  "budget",    "idle",        "hard",
                                      "aborted", "stopped",   "interrupted", NULL };

const char *const sf_units_closes[] = { "committed", "nothing", "hook", "refused", "failed", NULL };

const char *const sf_units_states[] = { "off", "going", "pausing", "paused", "stopping", NULL };

#define MINUTE INT64_C(60000)

/* What holds where no setting says otherwise. */
const struct sf_units_setup sf_units_defaults = {
    .limit = {
        [SF_UNITS_PER_UNIT] = { [SF_BUDGET_TOKENS] = 4000000, [SF_BUDGET_COST] = 5000000,
                                [SF_BUDGET_TURNS] = 150, [SF_BUDGET_CALLS] = 500,
                                [SF_BUDGET_TIME] = 180 * MINUTE },
        [SF_UNITS_PER_RUN] = { [SF_BUDGET_TOKENS] = 40000000, [SF_BUDGET_COST] = 25000000,
                               [SF_BUDGET_TURNS] = 2000, [SF_BUDGET_CALLS] = 8000,
                               [SF_BUDGET_TIME] = 720 * MINUTE },
        [SF_UNITS_PER_DAY] = { [SF_BUDGET_TOKENS] = 100000000, [SF_BUDGET_COST] = 50000000,
                               [SF_BUDGET_TURNS] = 6000, [SF_BUDGET_CALLS] = 24000,
                               [SF_BUDGET_TIME] = 1440 * MINUTE },
    },
    .soft_ms = 20 * MINUTE,
    .idle_ms = 10 * MINUTE,
    .hard_ms = 30 * MINUTE,
    .estimate_ms = 10 * MINUTE,
    .tick_ms = MINUTE,
    .attempts = 3,
    .continues = 10,
    .repairs = 3,
    .dear = 3,
    .dear_after = 3,
    .repair = SF_UNITS_REPAIR_ASK,
};

/* ---- life ---- */

struct sf_units *sf_units_new(const struct sf_units_setup *setup)
{
    struct sf_units *u = sf_alloc(sizeof(*u));

    u->setup = *setup;
    u->log.current = u->log.last = SF_UNIT_NONE;
    u->log.halt.why = sf_strdup("");
    u->cancel = u->reason = -1;
    u->only = u->reverting = SF_UNIT_NONE;
    u->closed_before = true;
    sf_unit_iterate(u);
    return u;
}

void sf_units_free(struct sf_units *u)
{
    if (!u)
        return;
    for (size_t i = 0; i < u->count; i++)
        sf_unit_free(u->tasks[i]);
    for (size_t i = 0; i < u->log.kind_count; i++)
        free(u->log.kinds[i].name);
    sf_unit_forget_word(u);
    sf_map_release(&u->index);
    free(u->log.kinds);
    free(u->log.halt.why);
    free(u->apart.why);
    free(u->tasks);
    free(u->cause);
    free(u->findings);
    free(u->request);
    free(u->request_text);
    free(u);
}

void sf_units_set(struct sf_units *u, const struct sf_units_setup *setup)
{
    u->setup = *setup;
}

/* ---- facts ---- */

void sf_unit_replace(char **to, const char *text)
{
    char *fresh;

    if (*to && !strcmp(*to, text))
        return;
    fresh = sf_strdup(text);
    free(*to);
    *to = fresh;
}

/* Rows are fed again at every iteration, and hardly ever differ. */
static void replace_list(struct sf_strlist *to, const struct sf_strlist *list)
{
    size_t count = list ? list->count : 0, same = 0;

    while (same < count && same < to->count && !strcmp(to->items[same], list->items[same]))
        same++;
    if (same == count && same == to->count)
        return;
    sf_strlist_release(to);
    if (list)
        sf_strlist_append(to, list);
}

bool sf_unit_id_is_good(const char *id, struct sf_error *err)
{
    size_t len = strlen(id), bad;

    if (!len || len > SF_UNITS_ID_MAX)
        return sf_fail(err, SF_E_LIMIT, "the id of a task has 1 to %d bytes", SF_UNITS_ID_MAX);
    if (!sf_utf8_valid(id, len, &bad))
        return sf_fail(err, SF_E_SYNTAX, "the id of a task is not text");
    return true;
}

bool sf_units_task(struct sf_units *u, const struct sf_units_task *task, struct sf_error *err)
{
    struct sf_unit *t;

    if (!sf_unit_id_is_good(task->id, err) || !(t = sf_unit_add(u, task->id, err)))
        return false;
    sf_unit_replace(&t->kind, task->kind);
    sf_unit_replace(&t->milestone, task->milestone);
    replace_list(&t->depends_on, task->depends_on);
    t->state = task->state;
    t->priority = task->priority;
    t->order = task->order;
    t->attempts = task->attempts;
    t->estimate_ms = task->estimate_ms;
    t->asks = task->asks;
    t->held = task->held;
    t->gone = task->gone;
    return true;
}

void sf_units_day(struct sf_units *u, const char *day, const struct sf_budget *used)
{
    snprintf(u->day, sizeof(u->day), "%s", day);
    u->others = used ? *used : (struct sf_budget){ .limit = { 0 } };
}

void sf_units_goal(struct sf_units *u, bool active)
{
    u->goal = active;
}

/* ---- what it is at ---- */

enum sf_units_state sf_units_state(const struct sf_units *u)
{
    if (!u->engaged && u->log.state != SF_UNITS_STATE_OFF)
        return SF_UNITS_STATE_PAUSED; /* also where its process died */
    return u->log.state;
}

enum sf_units_phase sf_units_phase(const struct sf_units *u)
{
    return u->phase;
}

bool sf_units_is_single(const struct sf_units *u)
{
    return u->log.single;
}

const struct sf_units_halt *sf_units_halt(const struct sf_units *u)
{
    return u->aside ? &u->apart : u->log.halted ? &u->log.halt : NULL;
}

const char *sf_units_current(const struct sf_units *u)
{
    const struct sf_unit *t = sf_unit_current(u);

    return t ? t->id : NULL;
}

int sf_units_continues_left(const struct sf_units *u)
{
    int left = u->setup.continues - u->log.continues;

    return left > 0 ? left : 0;
}

const char *sf_units_peek(const struct sf_units *u)
{
    int at = sf_unit_pick(u);

    return at >= 0 ? u->tasks[at]->id : NULL;
}

/* ---- gate and rows ---- */

static void sick(struct sf_units *u, const char *findings, struct sf_units_effects *fx)
{
    char digest[SF_SHA256_HEX + 1];
    bool tried, open = u->log.current != SF_UNIT_NONE;

    sf_sha256_hex(findings, strlen(findings), digest);
    tried = !strcmp(digest, u->log.findings) || u->log.repairs >= u->setup.repairs;
    if (tried || open || u->setup.repair == SF_UNITS_REPAIR_LOG) {
        sf_unit_halt(
            u, &(struct sf_unit_cause){ SF_UNITS_GUARD_HEALTH, SF_UNIT_NONE, findings, NULL, -1 },
            fx);
        return;
    }
    if (u->setup.repair == SF_UNITS_REPAIR_AUTO) {
        sf_unit_repair(u, findings, fx);
        return;
    }
    sf_unit_replace(&u->findings, findings);
    u->ask = SF_UNITS_ASK_REPAIR;
    u->phase = SF_UNITS_PHASE_ASKING;
    sf_unit_effect(fx, SF_UNITS_DO_ASK)->ask = u->ask;
}

static void gated(struct sf_units *u, const struct sf_units_input *in, struct sf_units_effects *fx)
{
    const char *findings = in->text && *in->text ? in->text : "looking at the health failed";

    if (u->phase != SF_UNITS_PHASE_GATING)
        return;
    u->phase = SF_UNITS_PHASE_REST;
    if (u->log.state == SF_UNITS_STATE_GOING && !in->flag)
        sick(u, findings, fx);
    else if (u->log.state == SF_UNITS_STATE_GOING)
        u->gated = true;
    if (u->gated && u->log.repairing) {
        sf_unit_save_control(u, SF_UNITS_LOG_REPAIR, false, fx);
        sf_unit_effect(fx, SF_UNITS_DO_AXES);
    }
    sf_unit_advance(u, fx);
}

/* Work that nobody does any more: its process died. It is never replayed. */
static void recover(struct sf_units *u, struct sf_units_effects *fx)
{
    static const struct sf_units_input died = { .kind = SF_UNITS_IN_ENDED };

    if (u->log.current != SF_UNIT_NONE && u->log.stage == SF_UNIT_STAGE_RUNNING && !u->live)
        sf_unit_ended(u, SF_UNITS_END_INTERRUPTED, &died, fx);
    for (size_t i = 0; i < u->count; i++) {
        const struct sf_unit *t = u->tasks[i];

        if (!t->gone && !t->held && t->place != u->log.current && sf_task_state_is_held(t->state))
            sf_unit_move(u, t->place, SF_TASK_RETRYING, SF_TASK_BY_MACHINE,
                         "it was running with nobody", fx);
    }
}

static void reconciled(struct sf_units *u, const struct sf_units_input *in,
                       struct sf_units_effects *fx)
{
    (void)in;
    if (u->phase != SF_UNITS_PHASE_RECONCILING)
        return;
    u->phase = SF_UNITS_PHASE_REST;
    u->reconciled = true;
    if (u->log.state == SF_UNITS_STATE_GOING)
        recover(u, fx);
    sf_unit_advance(u, fx);
}

/* ---- answers ---- */

static void refuse(struct sf_units *u, bool nobody, struct sf_units_effects *fx)
{
    int task = u->picked;

    if (nobody) {
        sf_unit_halt(u,
                     &(struct sf_unit_cause){ SF_UNITS_GUARD_APPROVAL, task,
                                              "the task needs an approval before it starts", NULL,
                                              -1 },
                     fx);
        return;
    }
    if (u->tasks[task]->state == SF_TASK_PAUSED)
        sf_unit_move(u, task, SF_TASK_TODO, SF_TASK_BY_PERSON, "not approved", fx);
    sf_unit_move(u, task, SF_TASK_BLOCKED, SF_TASK_BY_PERSON, "not approved", fx);
    sf_unit_iterate(u);
}

static void approved(struct sf_units *u, struct sf_units_effects *fx)
{
    struct sf_unit_event e = {
        .word = { [SF_UNIT_F_TASK] = u->tasks[u->picked]->id, [SF_UNIT_F_WHO] = u->actor },
        .number = { [SF_UNIT_N_WORD] = SF_UNITS_WORD_APPROVE }
    };

    sf_unit_save(u, SF_UNITS_LOG_WORD, &e, fx);
}

static void answered(struct sf_units *u, const struct sf_units_input *in,
                     struct sf_units_effects *fx)
{
    bool nobody = in->text && !strcmp(in->text, "nobody");

    if (u->phase != SF_UNITS_PHASE_ASKING)
        return;
    u->phase = SF_UNITS_PHASE_REST;
    if (u->ask == SF_UNITS_ASK_APPROVAL && in->flag)
        approved(u, fx);
    else if (u->ask == SF_UNITS_ASK_APPROVAL)
        refuse(u, nobody, fx);
    else if (in->flag)
        sf_unit_repair(u, u->findings, fx);
    else
        sf_unit_halt(
            u,
            &(struct sf_unit_cause){ SF_UNITS_GUARD_HEALTH, SF_UNIT_NONE, u->findings, NULL, -1 },
            fx);
    sf_unit_advance(u, fx);
}

/* ---- outcomes ---- */

static void held(struct sf_units *u, const struct sf_units_input *in, struct sf_units_effects *fx)
{
    (void)in;
    if (u->phase != SF_UNITS_PHASE_RUNNING || u->log.state != SF_UNITS_STATE_PAUSING ||
        u->cancel >= 0)
        return;
    u->held = true;
    u->phase = SF_UNITS_PHASE_REST;
    sf_unit_save_time(u, fx);
    sf_unit_advance(u, fx);
}

/* What this machine had cancelled ended for that reason, unless it was done just before. */
static void ended(struct sf_units *u, const struct sf_units_input *in, struct sf_units_effects *fx)
{
    enum sf_units_end end = in->end;

    if (!u->live)
        return;
    if (u->cancel >= 0 && (end != SF_UNITS_END_DONE || u->word.set))
        end = (enum sf_units_end)u->cancel;
    u->phase = SF_UNITS_PHASE_REST;
    sf_unit_ended(u, end, in, fx);
    if (u->log.current == SF_UNIT_NONE) /* it was a repair: is it clean now? */
        sf_unit_iterate(u);
    sf_unit_advance(u, fx);
}

/* A check that was cancelled by a stop says nothing. */
static void checked(struct sf_units *u, const struct sf_units_input *in,
                    struct sf_units_effects *fx)
{
    bool second = in->kind == SF_UNITS_IN_OPINION;
    const struct sf_unit *t = sf_unit_current(u);
    char digest[SF_SHA256_HEX + 1] = "";
    struct sf_unit_event e = {
        .word = { [SF_UNIT_F_TASK] = t ? t->id : "",
                  [SF_UNIT_F_TEXT] = in->text,
                  [SF_UNIT_F_DIGEST] = digest },
        .number = { [SF_UNIT_N_VERDICT] = (int)in->verdict, [SF_UNIT_N_FLAG] = second }
    };

    if (!t || u->phase != (second ? SF_UNITS_PHASE_JUDGING : SF_UNITS_PHASE_VERIFYING))
        return;
    if (in->digest)
        snprintf(digest, sizeof(digest), "%s", in->digest);
    else if (in->text)
        sf_sha256_hex(in->text, strlen(in->text), digest);
    u->phase = SF_UNITS_PHASE_REST;
    if (u->log.state != SF_UNITS_STATE_STOPPING)
        sf_unit_save(u, SF_UNITS_LOG_VERDICT, &e, fx);
    sf_unit_advance(u, fx);
}

static void closed(struct sf_units *u, const struct sf_units_input *in, struct sf_units_effects *fx)
{
    const struct sf_unit *t = sf_unit_current(u);
    struct sf_unit_event e = {
        .word = { [SF_UNIT_F_TASK] = t ? t->id : "", [SF_UNIT_F_TEXT] = in->text },
        .number = { [SF_UNIT_N_CLOSE] = (int)in->close }
    };
    bool good = in->close == SF_UNITS_CLOSE_COMMITTED || in->close == SF_UNITS_CLOSE_NOTHING;

    if (!t || u->phase != SF_UNITS_PHASE_CLOSING)
        return;
    u->phase = SF_UNITS_PHASE_REST;
    u->closed_before = false;
    sf_unit_save(u, SF_UNITS_LOG_CLOSED, &e, fx);
    sf_unit_over_effect(u, t->place, fx);
    sf_unit_iterate(u);
    if (!good && u->log.state != SF_UNITS_STATE_STOPPING)
        sf_unit_halt(u,
                     &(struct sf_unit_cause){ SF_UNITS_GUARD_CLOSE, t->place,
                                              in->text ? in->text : "the close-out failed", NULL,
                                              -1 },
                     fx);
    sf_unit_advance(u, fx);
}

static void reverted(struct sf_units *u, const struct sf_units_input *in,
                     struct sf_units_effects *fx)
{
    int task = u->reverting;

    if (u->phase != SF_UNITS_PHASE_REVERTING)
        return;
    u->phase = SF_UNITS_PHASE_REST;
    u->reverting = SF_UNIT_NONE;
    if (in->flag)
        sf_unit_move(u, task, SF_TASK_TODO, SF_TASK_BY_PERSON, "its changes are undone", fx);
    else
        sf_unit_halt(u,
                     &(struct sf_unit_cause){ SF_UNITS_GUARD_REVERT, task,
                                              in->text ? in->text : "files could not be put back",
                                              NULL, -1 },
                     fx);
    sf_unit_after_revert(u, in->flag, fx);
    sf_unit_advance(u, fx);
}

/* ---- a step ---- */

/* Its row says that the running unit is no longer to be done. */
static void look_at_row(struct sf_units *u, struct sf_units_effects *fx)
{
    const struct sf_unit *t = sf_unit_current(u);

    if (t && u->live && u->phase == SF_UNITS_PHASE_RUNNING && u->cancel < 0 &&
        (t->gone || t->state != SF_TASK_RUNNING))
        sf_unit_cancel(u, SF_UNITS_END_ABORTED, fx);
}

static void question(struct sf_units *u, const struct sf_units_input *in,
                     struct sf_units_effects *fx)
{
    (void)fx;
    u->clock.questions += in->flag ? 1 : u->clock.questions > 0 ? -1 : 0;
    u->clock.idle_ms = 0;
}

static void used(struct sf_units *u, const struct sf_units_input *in, struct sf_units_effects *fx)
{
    sf_unit_used(u, in->used, fx);
}

static void active(struct sf_units *u, const struct sf_units_input *in, struct sf_units_effects *fx)
{
    (void)in;
    (void)fx;
    u->clock.idle_ms = 0;
}

static void abort_unit(struct sf_units *u, const struct sf_units_input *in,
                       struct sf_units_effects *fx)
{
    (void)in;
    if (u->live)
        sf_unit_cancel(u, SF_UNITS_END_ABORTED, fx);
}

static void time_only(struct sf_units *u, const struct sf_units_input *in,
                      struct sf_units_effects *fx)
{
    (void)u;
    (void)in;
    (void)fx;
}

/* By enum sf_units_input_kind. */
static void (*const inputs[])(struct sf_units *u, const struct sf_units_input *in,
                              struct sf_units_effects *fx) = {
    [SF_UNITS_IN_GO] = sf_unit_control,
    [SF_UNITS_IN_NEXT] = sf_unit_control,
    [SF_UNITS_IN_REQUEST] = sf_unit_control,
    [SF_UNITS_IN_PAUSE] = sf_unit_control,
    [SF_UNITS_IN_STOP] = sf_unit_control,
    [SF_UNITS_IN_WORD] = sf_unit_control,
    [SF_UNITS_IN_LEASED] = sf_unit_leased,
    [SF_UNITS_IN_TAKEN] = sf_unit_taken,
    [SF_UNITS_IN_LOST] = sf_unit_lost,
    [SF_UNITS_IN_GATE] = gated,
    [SF_UNITS_IN_RECONCILED] = reconciled,
    [SF_UNITS_IN_ANSWER] = answered,
    [SF_UNITS_IN_USED] = used,
    [SF_UNITS_IN_ACTIVE] = active,
    [SF_UNITS_IN_QUESTION] = question,
    [SF_UNITS_IN_HELD] = held,
    [SF_UNITS_IN_ABORT] = abort_unit,
    [SF_UNITS_IN_ENDED] = ended,
    [SF_UNITS_IN_VERDICT] = checked,
    [SF_UNITS_IN_OPINION] = checked,
    [SF_UNITS_IN_CLOSED] = closed,
    [SF_UNITS_IN_REVERTED] = reverted,
    [SF_UNITS_IN_TIME] = time_only,
};

void sf_units_step(struct sf_units *u, const struct sf_units_input *in, struct sf_units_effects *fx)
{
    if (u->phase == SF_UNITS_PHASE_LOST)
        return;
    if (in->kind == SF_UNITS_IN_ACTIVE)
        u->clock.idle_ms = 0; /* whatever it was, it happened within the gap */
    sf_unit_time(u, in->now_ms, fx);
    look_at_row(u, fx);
    inputs[in->kind](u, in, fx);
}
