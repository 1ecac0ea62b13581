/*
 * unit_close.c: what follows for the unit that is current: how its turn ended, its verification,
 * the second opinion, done, the close-out. Everything is decided from what the log says, so that
 * a machine that was loaded decides the same.
 */
#include "agent/unit_parts.h"
#include "base/base.h"

static enum sf_unit_flow halt(struct sf_units *u, enum sf_units_guard guard, const char *why,
                              const char *input, struct sf_units_effects *fx)
{
    int task = u->log.current >= 0 ? u->log.current : u->log.last;

    sf_unit_halt(u, &(struct sf_unit_cause){ guard, task, why, input, -1 }, fx);
    return SF_UNIT_WAIT;
}

static enum sf_unit_flow again(struct sf_units *u)
{
    sf_unit_iterate(u);
    return SF_UNIT_AGAIN;
}

static void drop(struct sf_units *u, struct sf_units_effects *fx)
{
    int task = u->log.current;
    struct sf_unit_event e = { .word = { [SF_UNIT_F_TASK] = task >= 0 ? u->tasks[task]->id : "" } };

    sf_unit_save(u, SF_UNITS_LOG_DROPPED, &e, fx);
    if (task >= 0)
        sf_unit_over_effect(u, task, fx);
}

/* ---- the turn has ended ---- */

/* By enum sf_units_end. */
static const struct end_row {
    enum sf_task_state to; /* RETRYING: while there are attempts, then FAILED */
    int guard;             /* enum sf_units_guard, or -1: the run goes on */
    const char *why;
} ends[] = {
    [SF_UNITS_END_DONE] = { SF_TASK_VERIFYING, -1, "" },
    [SF_UNITS_END_CANCELLED] = { SF_TASK_PAUSED, SF_UNITS_GUARD_USER, "the turn was cancelled" },
    [SF_UNITS_END_FAILED] = { SF_TASK_RETRYING, -1, "it failed" },
    [SF_UNITS_END_PROVIDER] = { SF_TASK_PAUSED, SF_UNITS_GUARD_PROVIDER,
                                "the model was not there" },
    [SF_UNITS_END_LIMIT] = { SF_TASK_PAUSED, SF_UNITS_GUARD_BUDGET, "its turn reached a limit" },
    [SF_UNITS_END_BLOCKED] = { SF_TASK_RETRYING, -1, "it repeated the same call" },
    [SF_UNITS_END_REFUSED] = { SF_TASK_BLOCKED, -1, "the model declined" },
    [SF_UNITS_END_UNABLE] = { SF_TASK_BLOCKED, -1, "the operator could not do it" },
    [SF_UNITS_END_DENIED] = { SF_TASK_BLOCKED, SF_UNITS_GUARD_PERMISSION, "it was not permitted" },
    [SF_UNITS_END_BUDGET] = { SF_TASK_PAUSED, SF_UNITS_GUARD_BUDGET, "a budget was used up" },
    [SF_UNITS_END_IDLE] = { SF_TASK_RETRYING, -1, "nothing happened any more" },
    [SF_UNITS_END_HARD] = { SF_TASK_RETRYING, -1, "it took too long" },
    [SF_UNITS_END_ABORTED] = { SF_TASK_RETRYING, -1, "it is to start again" },
    [SF_UNITS_END_STOPPED] = { SF_TASK_TODO, -1, "the run was stopped" },
    [SF_UNITS_END_INTERRUPTED] = { SF_TASK_RETRYING, -1, "its process died" },
};

static bool may_retry(const struct sf_units *u, const struct sf_unit *t)
{
    int most = t->attempts > 0 ? t->attempts : u->setup.attempts;

    return t->failures < most;
}

static void error_digest(enum sf_units_end end, const char *text, char hex[SF_SHA256_HEX + 1])
{
    struct sf_strbuf sb = SF_STRBUF_INIT;

    sf_strbuf_addf(&sb, "%s\n%s", sf_units_ends[end], text ? text : "");
    sf_sha256_hex(sb.buf, sb.len, hex);
    sf_strbuf_release(&sb);
}

/* Ends that are errors have a digest, for the rule about the same error twice. */
static bool is_error(enum sf_units_end end)
{
    return ends[end].to == SF_TASK_BLOCKED ||
           (end < SF_UNITS_END_ABORTED && ends[end].to == SF_TASK_RETRYING);
}

void sf_unit_ended(struct sf_units *u, enum sf_units_end end, const struct sf_units_input *in,
                   struct sf_units_effects *fx)
{
    const struct sf_unit *t = sf_unit_current(u);
    char error[SF_SHA256_HEX + 1] = "", path[SF_SHA256_HEX + 1] = "";
    struct sf_unit_event e = { .word = { [SF_UNIT_F_TASK] = t ? t->id : "",
                                         [SF_UNIT_F_TEXT] = in->text ? in->text : ends[end].why,
                                         [SF_UNIT_F_DIGEST] = error,
                                         [SF_UNIT_F_PATH] = path },
                               .number = { [SF_UNIT_N_END] = (int)end } };

    if (is_error(end))
        error_digest(end, in->text, error);
    if (in->path && end != SF_UNITS_END_DONE)
        sf_sha256_hex(in->path, strlen(in->path), path);
    sf_unit_save_time(u, fx);
    u->live = u->held = false;
    u->cancel = -1;
    sf_unit_save(u, SF_UNITS_LOG_ENDED, &e, fx);
}

static enum sf_unit_flow broken(struct sf_units *u, struct sf_units_effects *fx)
{
    struct sf_unit *t = sf_unit_current(u);
    const struct end_row *row = &ends[u->log.end];
    enum sf_task_state to = row->to;
    struct sf_strbuf input = SF_STRBUF_INIT;
    const char *why = row->why;
    bool moved;

    if (to == SF_TASK_RETRYING && !may_retry(u, t))
        to = SF_TASK_FAILED;
    moved = t->state == SF_TASK_RUNNING &&
            sf_unit_move(u, t->place, to, SF_TASK_BY_MACHINE, row->why, fx);
    if (!moved)
        drop(u, fx);
    if (row->guard < 0)
        return again(u);
    sf_strbuf_addf(&input, "%s %d", row->why, t->starts);
    if (row->guard == (int)SF_UNITS_GUARD_BUDGET && sf_unit_over(u, t->place, NULL)) {
        sf_strbuf_reset(&input);
        sf_unit_over(u, t->place, &input);
        why = input.buf;
    }
    sf_unit_halt(
        u, &(struct sf_unit_cause){ (enum sf_units_guard)row->guard, t->place, why, input.buf, -1 },
        fx);
    sf_strbuf_release(&input);
    return SF_UNIT_WAIT;
}

/* ---- verification ---- */

static enum sf_unit_flow verify(struct sf_units *u, struct sf_units_effects *fx)
{
    struct sf_unit *t = sf_unit_current(u);

    if (t->state == SF_TASK_PAUSED) /* its turn ended while it was held; a person said go on */
        sf_unit_move(u, t->place, SF_TASK_RUNNING, SF_TASK_BY_PERSON, "goes on", fx);
    if (t->state != SF_TASK_VERIFYING &&
        !sf_unit_move(u, t->place, SF_TASK_VERIFYING, SF_TASK_BY_MACHINE, "its turn is done", fx)) {
        drop(u, fx);
        return again(u);
    }
    u->phase = SF_UNITS_PHASE_VERIFYING;
    sf_unit_effect_of(u, fx, SF_UNITS_DO_VERIFY, t->place);
    return SF_UNIT_WAIT;
}

/* Brings the unit to its review; false: its row no longer allows it. */
static bool to_review(struct sf_units *u, const struct sf_unit *t, const char *why,
                      struct sf_units_effects *fx)
{
    return sf_unit_move(u, t->place, SF_TASK_REVIEWING, SF_TASK_BY_MACHINE, why, fx);
}

/* The review card, and control with the person. */
static enum sf_unit_flow review(struct sf_units *u, enum sf_units_guard guard, const char *why,
                                struct sf_units_effects *fx)
{
    struct sf_unit *t = sf_unit_current(u);
    struct sf_strbuf input = SF_STRBUF_INIT;

    sf_strbuf_addf(&input, "%s %d", sf_proof_names[t->verdict], t->starts);
    halt(u, guard, why, input.buf, fx);
    sf_unit_effect_of(u, fx, SF_UNITS_DO_ASK, t->place)->ask = SF_UNITS_ASK_REVIEW;
    sf_strbuf_release(&input);
    return SF_UNIT_WAIT;
}

static enum sf_unit_flow opinion(struct sf_units *u, struct sf_units_effects *fx)
{
    u->phase = SF_UNITS_PHASE_JUDGING;
    sf_unit_effect_of(u, fx, SF_UNITS_DO_OPINION, u->log.current);
    return SF_UNIT_WAIT;
}

static enum sf_unit_flow passed(struct sf_units *u, struct sf_units_effects *fx)
{
    struct sf_unit *t = sf_unit_current(u);
    bool ask = u->setup.opinion && !t->judged;

    if ((ask || u->log.single) && !to_review(u, t, "verified, to be reviewed", fx)) {
        drop(u, fx);
        return again(u);
    }
    if (ask)
        return opinion(u, fx);
    if (u->log.single)
        return review(u, SF_UNITS_GUARD_REVIEW, "the unit is verified and waits for a review", fx);
    if (!sf_unit_move(u, t->place, SF_TASK_DONE, SF_TASK_BY_VERDICT, "verified", fx))
        drop(u, fx);
    return SF_UNIT_AGAIN;
}

static enum sf_unit_flow unverified(struct sf_units *u, struct sf_units_effects *fx)
{
    struct sf_unit *t = sf_unit_current(u);

    if (!to_review(u, t, "not verified", fx) ||
        (u->goal && !u->log.single && !strcmp(t->kind, "goal"))) {
        drop(u, fx);
        return again(u);
    }
    return review(u, SF_UNITS_GUARD_UNVERIFIED, "the unit could not be verified", fx);
}

static enum sf_unit_flow failed(struct sf_units *u, struct sf_units_effects *fx)
{
    struct sf_unit *t = sf_unit_current(u);
    int task = t->place;
    enum sf_task_state to = t->same           ? SF_TASK_PAUSED
                            : may_retry(u, t) ? SF_TASK_RETRYING
                                              : SF_TASK_FAILED;

    if (to == SF_TASK_FAILED && u->log.single && to_review(u, t, "verification failed", fx))
        return review(u, SF_UNITS_GUARD_REVIEW, "verification failed as often as allowed", fx);
    if (!sf_unit_move(u, task, to, SF_TASK_BY_MACHINE, "verification failed", fx)) {
        drop(u, fx);
        return again(u);
    }
    if (to != SF_TASK_PAUSED)
        return again(u);
    sf_unit_halt(u,
                 &(struct sf_unit_cause){ SF_UNITS_GUARD_FAILURE, task,
                                          "verification failed twice in the same way",
                                          u->tasks[task]->failure, -1 },
                 fx);
    return SF_UNIT_WAIT;
}

/* A person's word stands above every verdict. */
static enum sf_unit_flow accepted(struct sf_units *u, struct sf_units_effects *fx)
{
    struct sf_unit *t = sf_unit_current(u);

    if (!to_review(u, t, "accepted", fx) ||
        !sf_unit_move(u, t->place, SF_TASK_DONE, SF_TASK_BY_PERSON, "accepted", fx))
        drop(u, fx);
    return SF_UNIT_AGAIN;
}

static enum sf_unit_flow judged(struct sf_units *u, struct sf_units_effects *fx)
{
    const struct sf_unit *t = sf_unit_current(u);

    if (t->accepted)
        return accepted(u, fx);
    switch (t->verdict) {
    case SF_PROOF_PASSED:
        return passed(u, fx);
    case SF_PROOF_FAILED:
        return failed(u, fx);
    case SF_PROOF_NONE:
        break;
    }
    return unverified(u, fx);
}

static enum sf_unit_flow close_out(struct sf_units *u, struct sf_units_effects *fx)
{
    struct sf_units_effect *e = sf_unit_effect_of(u, fx, SF_UNITS_DO_CLOSE, u->log.current);

    e->flag = u->closed_before;
    u->closed_before = true;
    u->phase = SF_UNITS_PHASE_CLOSING;
    return SF_UNIT_WAIT;
}

enum sf_unit_flow sf_unit_finish(struct sf_units *u, struct sf_units_effects *fx)
{
    if (u->log.current == SF_UNIT_NONE)
        return SF_UNIT_NEXT;
    switch (u->log.stage) {
    case SF_UNIT_STAGE_RUNNING:
        break;
    case SF_UNIT_STAGE_BROKEN:
        return broken(u, fx);
    case SF_UNIT_STAGE_ENDED:
        return verify(u, fx);
    case SF_UNIT_STAGE_JUDGED:
        return judged(u, fx);
    case SF_UNIT_STAGE_CLOSING:
        return close_out(u, fx);
    }
    return SF_UNIT_WAIT;
}

/* ---- the run ends ---- */

/* Puts a unit that is not finished where the next run finds it; its files stay as they are. */
static void put_down(struct sf_units *u, struct sf_units_effects *fx)
{
    struct sf_unit *t = sf_unit_current(u);

    if (!t)
        return;
    if (t->state == SF_TASK_VERIFYING && u->log.stage == SF_UNIT_STAGE_JUDGED)
        to_review(u, t, "the run was stopped", fx);
    else if (t->state == SF_TASK_RUNNING || t->state == SF_TASK_VERIFYING ||
             t->state == SF_TASK_PAUSED)
        sf_unit_move(u, t->place, SF_TASK_TODO, SF_TASK_BY_PERSON, "the run was stopped", fx);
}

void sf_unit_end_run(struct sf_units *u, bool done, struct sf_units_effects *fx)
{
    struct sf_strbuf left = SF_STRBUF_INIT;
    struct sf_unit_event e = { .number = { [SF_UNIT_N_FLAG] = done } };
    struct sf_units_effect *end;

    put_down(u, fx);
    sf_unit_left_text(u, &left);
    e.word[SF_UNIT_F_TEXT] = left.buf;
    if (u->log.repairing)
        sf_unit_effect(fx, SF_UNITS_DO_AXES);
    sf_unit_save(u, SF_UNITS_LOG_END, &e, fx);
    sf_unit_effect(fx, SF_UNITS_DO_RELEASE);
    end = sf_unit_effect(fx, SF_UNITS_DO_END);
    end->flag = done;
    sf_strbuf_add(&end->text, left.buf, left.len);
    u->leased = u->engaged = u->live = u->held = false;
    u->phase = SF_UNITS_PHASE_REST;
    sf_strbuf_release(&left);
}
