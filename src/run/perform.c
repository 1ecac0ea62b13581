/*
 * perform.c: the effects of the machine, a row for each. An effect whose outcome comes later feeds
 * exactly one input when it is there.
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "health/health.h"
#include "run/internal.h"

/* ---- the lease ---- */

static void feed_text(struct sf_run *run, enum sf_units_input_kind kind, const char *text,
                      bool flag)
{
    const struct sf_units_input in = { .kind = kind, .text = text, .flag = flag };

    sf_run_feed(run, &in);
}

static void claim(struct sf_run *run, const struct sf_units_effect *e)
{
    char *path = sf_path_join(run->setup.state_dir, "run.lock");
    struct sf_error err = SF_ERROR_INIT;

    (void)e;
    if (!sf_lock_take(path, 0, &run->lease, &err))
        feed_text(run, SF_UNITS_IN_TAKEN, "another sf process", true);
    else if (sf_run_read_log(run, &err) && sf_run_read_tasks(run, &err) &&
             sf_run_end_leases(run, &err))
        feed_text(run, SF_UNITS_IN_LEASED, NULL, true);
    else
        sf_run_fail(run, &err);
    free(path);
}

static void release(struct sf_run *run, const struct sf_units_effect *e)
{
    (void)e;
    sf_lock_drop(&run->lease);
}

/* ---- health ---- */

struct sf_run_gate {
    struct sf_run *run; /* NULL: it was closed meanwhile */
    const struct sf_workspace *workspace;
    char *state_dir;
    bool open;
    struct sf_strbuf findings;
};

static void look(void *ctx)
{
    struct sf_run_gate *gate = ctx;
    struct sf_health_report report = { NULL, 0, 0 };

    gate->open = sf_health_gate(gate->workspace, gate->state_dir, &report);
    for (size_t i = 0; i < report.count; i++)
        sf_strbuf_addf(&gate->findings, "%s%s: %s%s%s", i ? "\n" : "", report.items[i].name,
                       report.items[i].text, *report.items[i].hint ? "; " : "",
                       report.items[i].hint);
    sf_health_release(&report);
}

static void looked(void *ctx)
{
    struct sf_run_gate *gate = ctx;
    struct sf_run *run = gate->run;

    if (run) {
        run->gate = NULL;
        feed_text(run, SF_UNITS_IN_GATE,
                  gate->findings.len || gate->open ? gate->findings.buf : "it could not be looked",
                  gate->open);
    }
    sf_strbuf_release(&gate->findings);
    free(gate->state_dir);
    free(gate);
}

static void gate(struct sf_run *run, const struct sf_units_effect *e)
{
    struct sf_run_gate *g = sf_alloc(sizeof(*g));

    (void)e;
    *g = (struct sf_run_gate){ .run = run,
                               .workspace = run->setup.workspace,
                               .state_dir = sf_strdup(run->setup.state_dir) };
    sf_strbuf_init(&g->findings);
    run->gate = g;
    sf_workers_start(run->setup.workers, look, looked, g);
}

void sf_run_gate_leave(struct sf_run *run)
{
    if (run->gate)
        run->gate->run = NULL;
    run->gate = NULL;
}

static void reconcile(struct sf_run *run, const struct sf_units_effect *e)
{
    struct sf_error err = SF_ERROR_INIT;

    (void)e;
    if (sf_run_read_tasks(run, &err))
        feed_text(run, SF_UNITS_IN_RECONCILED, NULL, false);
    else
        sf_run_fail(run, &err);
}

/* ---- the unit ---- */

static void start(struct sf_run *run, const struct sf_units_effect *e)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_units_input in = { .kind = SF_UNITS_IN_ENDED, .end = SF_UNITS_END_FAILED };

    sf_run_brief(run, e, &text);
    run->errand = SF_ERRAND_UNIT;
    if (!sf_session_unit(run->setup.session, text.buf, text.len, &err)) {
        run->errand = SF_ERRAND_NONE;
        in.text = err.msg;
        sf_run_feed(run, &in);
    }
    sf_strbuf_release(&text);
}

static void wrap_up(struct sf_run *run, const struct sf_units_effect *e)
{
    (void)e;
    sf_session_remark(run->setup.session,
                      "This unit has taken long. Bring it to an end now: leave the files in a "
                      "state that works, and say what is done and what is not.");
}

static void rests(void *ctx)
{
    feed_text(ctx, SF_UNITS_IN_HELD, NULL, false);
}

static void hold(struct sf_run *run, const struct sf_units_effect *e)
{
    (void)e;
    sf_session_hold(run->setup.session, rests, run);
}

static void resume(struct sf_run *run, const struct sf_units_effect *e)
{
    (void)e;
    sf_session_release(run->setup.session);
}

static void cancel(struct sf_run *run, const struct sf_units_effect *e)
{
    (void)e;
    if (run->errand != SF_ERRAND_NONE)
        sf_session_cancel(run->setup.session);
    sf_session_release(run->setup.session);
}

/* ---- verification ---- */

/* The verdict; `text` is why it did not pass, `digest` tells one failure from another. */
static void conclude(struct sf_run *run, enum sf_proof verdict, const char *text,
                     const char *digest)
{
    const char *task = sf_units_current(run->units);
    struct sf_run_row *row = task ? sf_run_row(run, task) : NULL;
    const struct sf_units_input in = {
        .kind = SF_UNITS_IN_VERDICT, .verdict = verdict, .text = text, .digest = digest
    };

    sf_run_keep_verdict(run, verdict, text, digest);
    if (row) {
        free(row->failed);
        row->failed = sf_strdup(text);
    }
    sf_run_feed(run, &in);
}

/* A check that never ran proves nothing. */
static enum sf_proof judge(const char *check, const struct sf_check_outcome *o, const char **why)
{
    *why = "the check was refused";
    return o->refused ? SF_PROOF_NONE : sf_proof_of(check, o->exit_code, o->text, o->len, why);
}

static void checked(void *ctx, const struct sf_check_outcome *o)
{
    struct sf_run *run = ctx;
    const char *task = sf_units_current(run->units), *why = "";
    struct sf_strbuf check = SF_STRBUF_INIT, text = SF_STRBUF_INIT;
    struct sf_failure failure = SF_FAILURE_INIT;
    enum sf_proof verdict;

    run->errand = SF_ERRAND_NONE;
    if (task)
        sf_run_check_of(run, task, &check);
    verdict = judge(check.buf, o, &why);
    if (verdict == SF_PROOF_FAILED)
        sf_failure_read(&failure, o->exit_code, o->text, o->len);
    if (verdict != SF_PROOF_PASSED)
        sf_strbuf_addf(&text, "%s%s%s", why, *why && failure.excerpt.len ? "\n" : "",
                       failure.excerpt.len ? failure.excerpt.buf : "");
    conclude(run, verdict, text.buf, failure.digest);
    sf_failure_release(&failure);
    sf_strbuf_release(&check);
    sf_strbuf_release(&text);
}

static void verify(struct sf_run *run, const struct sf_units_effect *e)
{
    static const char none[] = "the task names no check, and work.verify has none";
    struct sf_strbuf check = SF_STRBUF_INIT, line = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    sf_run_check_of(run, e->task, &check);
    sf_strbuf_addf(&line, "%s%s", sf_proof_is_piped(check.buf) ? "set -o pipefail; " : "",
                   check.buf);
    run->errand = SF_ERRAND_CHECK;
    if (!check.len)
        conclude(run, SF_PROOF_NONE, none, "");
    else if (!sf_session_check(run->setup.session, line.buf, checked, run, &err))
        conclude(run, SF_PROOF_NONE, err.msg, "");
    if (!check.len || *err.msg)
        run->errand = SF_ERRAND_NONE;
    sf_strbuf_release(&check);
    sf_strbuf_release(&line);
}

/* ---- closing ---- */

static void close_out(struct sf_run *run, const struct sf_units_effect *e)
{
    const struct sf_units_input in = { .kind = SF_UNITS_IN_CLOSED,
                                       .close = SF_UNITS_CLOSE_NOTHING };

    (void)e;
    sf_run_feed(run, &in);
}

static void ask(struct sf_run *run, const struct sf_units_effect *e)
{
    const struct sf_units_input nobody = { .kind = SF_UNITS_IN_ANSWER, .text = "nobody" };
    const struct sf_run_row *row = sf_run_row(run, e->task);
    bool approval = e->ask == SF_UNITS_ASK_APPROVAL;

    if (!run->setup.attended && approval)
        sf_run_feed(run, &nobody);
    else if (run->setup.attended && run->setup.ask)
        run->setup.ask(run->setup.ctx, approval ? SF_ASKED_APPROVAL : SF_ASKED_REVIEW, e->task,
                       !approval && row && row->failed ? row->failed : "");
}

static void withdraw(struct sf_run *run, const struct sf_units_effect *e)
{
    (void)e;
    if (run->setup.withdraw)
        run->setup.withdraw(run->setup.ctx);
}

static void alert(struct sf_run *run, const struct sf_units_effect *e)
{
    struct sf_event event = sf_event_of_notice(e->text.buf, e->text.len);

    sf_session_report(run->setup.session, &event);
}

static void control(struct sf_run *run, const struct sf_units_effect *e)
{
    (void)e;
    if (run->setup.control)
        run->setup.control(run->setup.ctx, sf_units_state(run->units));
}

/*
 * A halt without a row of its own, because another process has the lease or nothing has changed
 * since the last one, is not in the log; people have to know of it all the same.
 */
static void halt(struct sf_run *run, const struct sf_units_effect *e)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_event event;

    if (!run->halt_told) {
        sf_strbuf_addf(&text,
                       "the run halts: %s: %s; to go on: ", sf_units_guards[e->halt->guard].what,
                       e->halt->why);
        sf_units_way_out(e->halt, &text);
        event = sf_event_of_notice(text.buf, text.len);
        sf_session_report(run->setup.session, &event);
    }
    run->halt_told = false;
    control(run, e);
    sf_strbuf_release(&text);
}

static void save(struct sf_run *run, const struct sf_units_effect *e)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_run_save(run, e, &err))
        sf_run_fail(run, &err);
    run->halt_told = !strcmp(e->event, SF_UNITS_LOG_HALT);
}

static void (*const rows[])(struct sf_run *run, const struct sf_units_effect *e) = {
    [SF_UNITS_DO_SAVE] = save,
    [SF_UNITS_DO_CLAIM] = claim,
    [SF_UNITS_DO_RELEASE] = release,
    [SF_UNITS_DO_GATE] = gate,
    [SF_UNITS_DO_RECONCILE] = reconcile,
    [SF_UNITS_DO_START] = start,
    [SF_UNITS_DO_WRAP_UP] = wrap_up,
    [SF_UNITS_DO_HOLD] = hold,
    [SF_UNITS_DO_RESUME] = resume,
    [SF_UNITS_DO_CANCEL] = cancel,
    [SF_UNITS_DO_VERIFY] = verify,
    [SF_UNITS_DO_CLOSE] = close_out,
    [SF_UNITS_DO_ASK] = ask,
    [SF_UNITS_DO_WITHDRAW] = withdraw,
    [SF_UNITS_DO_ALERT] = alert,
    [SF_UNITS_DO_HALT] = halt,
    [SF_UNITS_DO_END] = control,
};

void sf_run_perform(struct sf_run *run, const struct sf_units_effect *effect)
{
    if ((size_t)effect->kind < SF_COUNT(rows) && rows[effect->kind])
        rows[effect->kind](run, effect);
}
