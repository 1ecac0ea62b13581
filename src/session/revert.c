/*
 * revert.c: RevertTurn. What going back would change is found out before anybody is asked, so that
 * the question shows it; going itself is the common undo, with the session's rows.
 */
#include "base/base.h"
#include "session/internal.h"

struct revert {
    struct sf_snapshot_job job;
    struct sf_undo undo;
    char session[SF_ID_LEN + 1];
    struct sf_strbuf text;
    struct sf_snap_tally tally;
    struct sf_snap_restored done;
};

static struct revert *begin(struct sf_call *c)
{
    struct revert *r = sf_alloc(sizeof(*r));

    r->undo = c->undo;
    c->undo = (struct sf_undo)SF_UNDO_INIT;
    r->done = (struct sf_snap_restored)SF_SNAP_RESTORED_INIT;
    memcpy(r->session, sf_snapshots_place(c->session->snapshots).session, sizeof(r->session));
    sf_strbuf_init(&r->text);
    return r;
}

static void end(struct revert *r)
{
    sf_undo_release(&r->undo);
    sf_strbuf_release(&r->text);
    sf_snap_restored_release(&r->done);
    free(r);
}

static void refuse(struct sf_call *c, const struct sf_error *err)
{
    sf_call_answerf(c, true, "[sf] %s%s%s", err->msg, *err->hint ? ". " : "", err->hint);
}

/* ---- looking ---- */

static void run_look(struct sf_snapshot_job *job, struct sf_snap *snap)
{
    struct revert *r = (struct revert *)job;
    const struct sf_undo_how how = { .session = r->session };

    job->ok = sf_undo_preview(snap, &r->undo, &how, &r->text, &r->tally, &job->err);
}

static void describe(struct sf_call *c, struct revert *r)
{
    struct sf_strbuf about = SF_STRBUF_INIT;

    sf_strbuf_addf(&about, "back to %s (%s): ", *r->undo.label ? r->undo.label : "a snapshot",
                   r->undo.time);
    sf_undo_add_tally(&about, &r->tally);
    c->about = sf_strbuf_detach(&about);
    c->preview = sf_strbuf_detach(&r->text);
    c->undo = r->undo;
    r->undo = (struct sf_undo)SF_UNDO_INIT;
}

static void look_done(struct sf_snapshot_job *job)
{
    struct revert *r = (struct revert *)job;
    struct sf_call *c = job->call;

    if (c && !job->ok) {
        refuse(c, &job->err);
    } else if (c && !sf_undo_is_work(&r->tally)) {
        sf_call_answerf(c, false, "There is nothing to put back.\n%s", r->text.buf);
    } else if (c) {
        describe(c, r);
        sf_call_next(c);
    }
    end(r);
}

static bool choose(struct sf_call *c, struct sf_error *err)
{
    const struct sf_undo_place place = sf_snapshots_place(c->session->snapshots);
    int64_t number = sf_arg_int(c->tool_call->args, "snapshot", 0);

    return number
               ? sf_undo_number(&place, number, &c->undo, err)
               : sf_undo_turns(&place, sf_arg_int(c->tool_call->args, "turns", 1), &c->undo, err);
}

static void look(void *ctx)
{
    struct sf_call *c = ctx;
    struct sf_error err = SF_ERROR_INIT;
    struct revert *r;

    if (!choose(c, &err)) {
        refuse(c, &err);
        return;
    }
    r = begin(c);
    r->job = (struct sf_snapshot_job){ .run = run_look, .done = look_done, .call = c };
    sf_snapshots_start(c->session->snapshots, &r->job);
}

/* The end of the last turn may be on its way to be written down, and says what was sf's. */
void sf_revert_look(struct sf_call *c)
{
    if (c->session->setup.attended)
        sf_snapshots_then(c->session->snapshots, c, look, c);
    else
        sf_call_next(c); /* refused whatever it would do */
}

/* ---- going ---- */

static void run_go(struct sf_snapshot_job *job, struct sf_snap *snap)
{
    struct revert *r = (struct revert *)job;
    const struct sf_undo_how how = { .session = r->session };

    job->ok = sf_undo_go(snap, &r->undo, &how, &r->done, &job->err);
}

static void report(struct sf_call *c, struct revert *r)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_adds(&text, "Put back: ");
    sf_undo_add_tally(&text, &r->done.tally);
    sf_strbuf_addf(&text,
                   ". The conversation is unchanged; files may differ from what you "
                   "remember, so read them again.\n%s",
                   c->preview ? c->preview : "");
    sf_undo_add_left(&text, &r->done);
    sf_call_answerf(c, false, "%s", text.buf);
    sf_strbuf_release(&text);
}

static void go_done(struct sf_snapshot_job *job)
{
    struct revert *r = (struct revert *)job;
    struct sf_call *c = job->call;
    struct sf_session *s = sf_snapshots_session(job->snapshots);
    struct sf_undo_place place = sf_snapshots_place(job->snapshots);
    const char *surface = sf_axis_name(SF_AXIS_SURFACE, (int)s->setup.state.surface);
    struct sf_error err = SF_ERROR_INIT;
    char what[64];

    place.by_model = true;
    snprintf(what, sizeof(what), "going back to snapshot %lld", (long long)r->undo.number);
    if (job->ok)
        sf_snapshots_reverted(job->snapshots);
    if (job->ok && !sf_undo_record(&place, &r->undo, what, surface, &r->done, &err))
        sf_session_die(s, &err);
    else if (c && job->ok)
        report(c, r);
    else if (c)
        refuse(c, &job->err);
    end(r);
}

void sf_revert_run(struct sf_call *c)
{
    struct revert *r = begin(c);

    sf_scope_audit_meanwhile(c, NULL);
    r->job = (struct sf_snapshot_job){ .run = run_go, .done = go_done, .call = c };
    sf_snapshots_start(c->session->snapshots, &r->job);
}
