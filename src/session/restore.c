/*
 * restore.c: the restore of a running session. From the request until the restore is recorded or
 * has ended, no turn begins: prompts and commands wait here, in order, and continue from the loop
 * afterwards. The blocking steps go through the queue of snapshots, so that no snapshot and no
 * audit sees files that are half restored; calls wait in that queue too.
 *
 *     sf_session_restore ─► find ─► look ─► `fn`: planned ─► sf_session_restore_answer
 *                                                       ─► run ─► record ─► `fn`: recorded
 */
#include <assert.h>

#include "base/base.h"
#include "session/snapshots.h"

/* ---- a step on the queue of snapshots ---- */

struct step {
    struct sf_snapshot_job base;
    struct sf_restore_job *job;
    sf_restore_step_fn *fn;
    void *ctx;
};

static void run_look(struct sf_snapshot_job *base, struct sf_snap *snap)
{
    base->ok = sf_restore_look(((struct step *)base)->job, snap);
}

static void run_run(struct sf_snapshot_job *base, struct sf_snap *snap)
{
    base->ok = sf_restore_run(((struct step *)base)->job, snap);
}

static void step_done(struct sf_snapshot_job *base)
{
    struct step step = *(struct step *)base;

    free(base);
    if (!step.base.ok && step.base.err.code != SF_E_NONE) /* the repository cannot be opened */
        step.job->err = step.base.err;
    step.fn(step.ctx, step.job, step.base.call, step.base.ok);
}

void sf_restore_start(struct sf_snapshots *k, struct sf_restore_job *job, struct sf_call *c,
                      sf_restore_step_fn *fn, void *ctx)
{
    struct step *step = sf_alloc(sizeof(*step));
    bool runs = job->state == SF_RESTORE_STATE_RUNNING;

    *step = (struct step){ .job = job, .fn = fn, .ctx = ctx };
    step->base = (struct sf_snapshot_job){ .run = runs ? run_run : run_look,
                                           .done = step_done,
                                           .call = c,
                                           .unseen = runs ? NULL : &job->cancel,
                                           .restores = runs };
    sf_snapshots_start(k, &step->base);
}

/* ---- looking only ---- */

struct look {
    struct sf_session *session;
    struct sf_restore_job *job;
    sf_restore_fn *fn;
    void *ctx;
};

static void end_look(struct look *l)
{
    struct look look = *l;

    free(l);
    sf_restore_advance(look.job, SF_RESTORE_STATE_ENDED);
    look.fn(look.ctx, look.job);
    sf_restore_job_free(look.job);
}

static void looked_only(void *ctx, struct sf_restore_job *job, struct sf_call *c, bool ok)
{
    (void)job;
    (void)c;
    (void)ok;
    end_look(ctx);
}

static void find_look(void *ctx)
{
    struct look *l = ctx;
    struct sf_snapshots *k = l->session->snapshots;
    const struct sf_undo_place place = sf_snapshots_place(k);

    if (k->closing)
        sf_fail(&l->job->err, SF_E_CANCELLED, "the session has ended");
    if (!k->closing && sf_restore_find(l->job, &place, &l->job->err))
        sf_restore_start(k, l->job, NULL, looked_only, l);
    else
        end_look(l);
}

/* A watcher takes no snapshots, but may look at existing ones, so the queue is made on demand. */
void sf_session_look(struct sf_session *s, const struct sf_restore_what *what,
                     const struct sf_restore_how *how, sf_restore_fn *fn, void *ctx)
{
    struct look *l = sf_alloc(sizeof(*l));

    *l = (struct look){ .session = s, .job = sf_restore_job_new(what, how), .fn = fn, .ctx = ctx };
    if (!s->snapshots)
        s->snapshots = sf_snapshots_new(s);
    sf_snapshots_settle(s->snapshots, find_look, l);
}

/* ---- waiting prompts ---- */

bool sf_restore_has_waiting(const struct sf_session *s)
{
    return s->restore && s->restore->count;
}

static bool wait_for_it(struct sf_session *s, bool shell, const char *text, size_t len,
                        struct sf_error *err)
{
    struct sf_session_restore *r = s->restore;

    if (r->count == SF_WAITING_WORDS_MAX)
        return sf_fail(err, SF_E_LIMIT, "files are going back, and %d lines wait already",
                       SF_WAITING_WORDS_MAX);
    r->items[r->count++] = (struct sf_waiting_words){ shell, sf_strndup(text, len), len };
    return true;
}

bool sf_restore_hold_words(struct sf_session *s, const char *text, size_t len, struct sf_error *err)
{
    return wait_for_it(s, false, text, len, err);
}

/* One command may wait, just as one may run. */
bool sf_restore_hold_shell(struct sf_session *s, const char *command, struct sf_error *err)
{
    for (size_t i = 0; i < s->restore->count; i++)
        if (s->restore->items[i].shell)
            return sf_fail(err, SF_E_BUSY, "a command of yours waits already");
    return wait_for_it(s, true, command, strlen(command), err);
}

/* The surface was told that the prompt was accepted, and waits for the end of a turn. */
static void tell_failed(struct sf_session *s, const struct sf_error *err)
{
    struct sf_wire_error error = { .fault = SF_FAULT_NONE, .retry_after_ms = -1 };
    struct sf_event event = { .kind = SF_EVENT_DONE,
                              .done = { .status = SF_TURN_FAILED, .budget = -1, .error = &error } };

    snprintf(error.message, sizeof(error.message), "%s", err->msg);
    sf_session_tell(s, &event);
}

static void drop(struct sf_session_restore *r)
{
    for (size_t i = 0; i < r->count; i++)
        free(r->items[i].text);
    free(r);
}

static void release(void *ctx)
{
    struct sf_session *s = ctx;
    struct sf_session_restore *r = s->restore;
    struct sf_error err = SF_ERROR_INIT;

    r->timer = 0;
    if (s->dead) /* sf_restore_close saves the waiting prompts */
        return;
    s->restore = NULL;
    for (size_t i = 0; i < r->count; i++) {
        const struct sf_waiting_words *w = &r->items[i];

        if (!(w->shell ? sf_session_shell(s, w->text, &err)
                       : sf_session_send(s, w->text, w->len, &err)))
            tell_failed(s, &err);
    }
    drop(r);
    if (s->custom)
        sf_custom_resume(s);
}

/* Prompts that still wait go into the session's queue, where a resumed session finds them. */
void sf_restore_close(struct sf_session *s)
{
    struct sf_session_restore *r = s->restore;
    struct sf_error err = SF_ERROR_INIT;
    int64_t id;

    if (!r)
        return;
    assert(!r->job); /* the queue of snapshots is empty by now */
    sf_loop_remove(s->setup.loop, r->timer);
    for (size_t i = 0; i < r->count; i++)
        if (!r->items[i].shell &&
            !sf_store_queue_add(s->setup.store, s->id, r->items[i].text, &id, &err))
            sf_log(SF_LOG_WARN, "words that waited for a restore are lost: %s", err.msg);
    drop(r);
    s->restore = NULL;
}

/* ---- the restore ---- */

/* The restore is over. Waiting prompts continue from the loop, since `fn` may close the session. */
static void end(struct sf_session *s)
{
    struct sf_session_restore *r = s->restore;
    struct sf_restore_job *job = r->job;
    sf_restore_fn *fn = r->fn;
    void *ctx = r->ctx;

    r->job = NULL;
    r->timer = sf_loop_add_timer(s->setup.loop, 0, 0, release, s);
    fn(ctx, job);
    sf_restore_job_free(job);
}

static void give_up(struct sf_session *s)
{
    sf_restore_advance(s->restore->job, SF_RESTORE_STATE_ENDED);
    end(s);
}

static bool is_cancelled(struct sf_restore_job *job)
{
    return atomic_load(&job->cancel) &&
           !sf_fail(&job->err, SF_E_CANCELLED, "the restore was cancelled: nothing was put back");
}

static void looked(void *ctx, struct sf_restore_job *job, struct sf_call *c, bool ok)
{
    struct sf_session *s = ctx;

    (void)c;
    if (!ok || s->dead || is_cancelled(job)) {
        give_up(s);
        return;
    }
    sf_restore_advance(job, SF_RESTORE_STATE_PLANNED);
    s->restore->fn(s->restore->ctx, job);
}

/* Runs behind the queue of snapshots, so that the snapshot after the last turn is known. */
static void find(void *ctx)
{
    struct sf_session *s = ctx;
    struct sf_restore_job *job = s->restore->job;
    const struct sf_undo_place place = sf_snapshots_place(s->snapshots);

    if (s->dead || is_cancelled(job) || !sf_restore_find(job, &place, &job->err))
        give_up(s);
    else
        sf_restore_start(s->snapshots, job, NULL, looked, s);
}

bool sf_restore_save(struct sf_snapshots *k, struct sf_restore_job *job, bool by_model,
                     struct sf_error *err)
{
    const struct sf_session *s = sf_snapshots_session(k);
    struct sf_undo_place place = sf_snapshots_place(k);

    place.by_model = by_model;
    return sf_restore_record(job, &place,
                             sf_axis_name(SF_AXIS_SURFACE, (int)s->setup.state.surface), err);
}

static void tell_restored(struct sf_session *s, const struct sf_restore_job *job)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_event event;

    sf_restored_say(&job->done.tally, &job->done.kept, &job->done.lost, &text);
    event = sf_event_of_words(SF_EVENT_RESTORED, text.buf, text.len);
    sf_session_tell(s, &event);
    sf_strbuf_release(&text);
}

/* Recorded even while the session is being closed: the files have changed. */
static void ran(void *ctx, struct sf_restore_job *job, struct sf_call *c, bool ok)
{
    struct sf_session *s = ctx;

    (void)c;
    if (ok && sf_restore_save(s->snapshots, job, false, &job->err)) {
        tell_restored(s, job);
        end(s);
    } else {
        give_up(s);
    }
}

static bool is_free(const struct sf_session *s, struct sf_error *err)
{
    if (!sf_session_can(s, err))
        return false;
    if (sf_session_busy(s))
        return sf_fail(err, SF_E_BUSY, "a turn is running: Esc cancels it");
    if (sf_session_shell_runs(s))
        return sf_fail(err, SF_E_BUSY, "a command of yours is running: Esc cancels it");
    return !s->restore ||
           sf_fail(err, SF_E_BUSY, "one moment: files are being looked at; then try again");
}

bool sf_session_restore(struct sf_session *s, const struct sf_restore_what *what,
                        const struct sf_restore_how *how, sf_restore_fn *fn, void *ctx,
                        struct sf_error *err)
{
    if (!is_free(s, err))
        return false;
    s->restore = sf_alloc(sizeof(*s->restore));
    s->restore->job = sf_restore_job_new(what, how);
    s->restore->fn = fn;
    s->restore->ctx = ctx;
    sf_snapshots_settle(s->snapshots, find, s);
    return true;
}

void sf_session_restore_answer(struct sf_session *s, bool yes)
{
    struct sf_restore_job *job = s->restore ? s->restore->job : NULL;

    if (!job || job->state != SF_RESTORE_STATE_PLANNED)
        return;
    if (!yes) {
        give_up(s);
        return;
    }
    sf_restore_advance(job, SF_RESTORE_STATE_RUNNING);
    sf_restore_start(s->snapshots, job, NULL, ran, s);
}

/* A plan that waits for its confirmation ends here; a step on the worker ends there. */
void sf_restore_cancel(struct sf_session *s)
{
    struct sf_restore_job *job = s->restore ? s->restore->job : NULL;

    if (!job)
        return;
    atomic_store(&job->cancel, true);
    if (job->state == SF_RESTORE_STATE_PLANNED) {
        is_cancelled(job);
        give_up(s);
    }
}
