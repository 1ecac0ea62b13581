/*
 * revert.c: RevertTurn, the model's restore. The plan is made before the user is asked, so that
 * the question shows it. The turn continues meanwhile, so no prompts have to wait as they do in
 * restore.c; calls wait in the queue of snapshots.
 */
#include "base/base.h"
#include "session/internal.h"

static void refuse(struct sf_call *c, const struct sf_error *err)
{
    sf_call_answerf(c, true, "[sf] %s%s%s", err->msg, *err->hint ? ". " : "", err->hint);
}

/* ---- looking ---- */

static void describe(struct sf_call *c, struct sf_restore_job *job)
{
    struct sf_strbuf about = SF_STRBUF_INIT;

    sf_strbuf_addf(&about, "back to %s (%s): ", *job->undo.label ? job->undo.label : "a snapshot",
                   job->undo.time);
    sf_undo_add_tally(&about, &job->tally);
    c->card.about = sf_strbuf_detach(&about);
    c->card.preview = sf_strndup(job->preview.buf, job->preview.len);
}

static void looked(void *ctx, struct sf_restore_job *job, struct sf_call *c, bool ok)
{
    (void)ctx;
    if (c && ok && sf_undo_is_work(&job->tally)) {
        sf_restore_advance(job, SF_RESTORE_STATE_PLANNED);
        describe(c, job);
        c->restore = job;
        sf_call_next(c);
        return;
    }
    if (c && ok)
        sf_call_answerf(c, true, "[sf] There is nothing to put back.\n%s", job->preview.buf);
    else if (c)
        refuse(c, &job->err);
    sf_restore_job_free(job);
}

static struct sf_restore_job *new_job(const struct sf_call *c)
{
    int64_t number = sf_arg_int(c->tool_call->args, "snapshot", 0);
    const struct sf_restore_what what = {
        .goal = number ? SF_RESTORE_TO_NUMBER : SF_RESTORE_TO_TURN,
        .number = number ? number : sf_arg_int(c->tool_call->args, "turns", 1),
    };
    const struct sf_restore_how how = { 0 };

    return sf_restore_job_new(&what, &how);
}

static void look(void *ctx)
{
    struct sf_call *c = ctx;
    struct sf_snapshots *k = c->session->snapshots;
    const struct sf_undo_place place = sf_snapshots_place(k);
    struct sf_restore_job *job = new_job(c);

    if (sf_restore_find(job, &place, &job->err)) {
        sf_restore_start(k, job, c, looked, NULL);
        return;
    }
    refuse(c, &job->err);
    sf_restore_job_free(job);
}

/* Behind the queue of snapshots: the snapshot after the last turn tells sf's changes apart. */
void sf_revert_look(struct sf_call *c)
{
    if (c->session->setup.attended)
        sf_snapshots_then(c->session->snapshots, c, look, c);
    else
        sf_call_next(c); /* the verdict refuses it in any case */
}

/* ---- running ---- */

static void report(struct sf_call *c, const struct sf_restore_job *job)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_adds(&text, "Put back: ");
    sf_undo_add_tally(&text, &job->done.tally);
    sf_strbuf_addf(&text,
                   ". The conversation is unchanged; files may differ from what you "
                   "remember, so read them again.\n%s",
                   c->card.preview ? c->card.preview : "");
    sf_undo_add_left(&text, &job->done);
    sf_call_answerf(c, false, "%s", text.buf);
    sf_strbuf_release(&text);
}

/* The restore is recorded even if the turn was stopped meanwhile: the files have changed. */
static void ran(void *ctx, struct sf_restore_job *job, struct sf_call *c, bool ok)
{
    struct sf_snapshots *k = ctx;
    struct sf_error err = SF_ERROR_INIT;

    if (ok)
        sf_snapshots_reverted(k);
    if (ok && !sf_restore_save(k, job, true, &err))
        sf_session_die(sf_snapshots_session(k), &err);
    else if (c && ok)
        report(c, job);
    else if (c)
        refuse(c, &job->err);
    sf_restore_job_free(job);
}

/* The user's own command is the only call that can run in parallel with RevertTurn. */
static bool user_runs(struct sf_snapshots *k)
{
    const struct sf_call *c = &sf_snapshots_session(k)->calls[SF_CALL_USER];

    return c->state == SF_CALL_RUNNING && c->counted;
}

void sf_revert_run(struct sf_call *c)
{
    struct sf_snapshots *k = c->session->snapshots;
    struct sf_restore_job *job = c->restore;

    if (user_runs(k)) {
        sf_call_answerf(c, true,
                        "[sf] Not run: a command of the user's is running and may be writing "
                        "files. Try again when it has ended.");
        return;
    }
    c->restore = NULL;
    sf_restore_advance(job, SF_RESTORE_STATE_RUNNING);
    sf_restore_start(k, job, c, ran, k);
}
