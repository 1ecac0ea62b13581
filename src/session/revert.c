/*
 * revert.c: RevertTurn. What going back would change is found out before anybody is asked, so that
 * the question shows it; going itself is the common undo, with the session's rows.
 */
#include "base/base.h"
#include "session/internal.h"

struct revert {
    struct sf_keep_job job;
    struct sf_undo undo;
    char session[SF_ID_LEN + 1];
    struct sf_strbuf text;
    struct sf_snap_tally tally;
    struct sf_snap_restored done;
};

static struct revert *begin(struct sf_work *w)
{
    struct revert *r = sf_alloc(sizeof(*r));

    r->undo = w->undo;
    w->undo = (struct sf_undo)SF_UNDO_INIT;
    r->done = (struct sf_snap_restored)SF_SNAP_RESTORED_INIT;
    memcpy(r->session, sf_keep_place(w->talk->keep).session, sizeof(r->session));
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

static void refuse(struct sf_work *w, const struct sf_error *err)
{
    sf_work_answerf(w, true, "[sf] %s%s%s", err->msg, *err->hint ? ". " : "", err->hint);
}

/* ---- looking ---- */

static void run_look(struct sf_keep_job *job, struct sf_snap *snap)
{
    struct revert *r = (struct revert *)job;
    const struct sf_undo_how how = { .session = r->session };

    job->ok = sf_undo_preview(snap, &r->undo, &how, &r->text, &r->tally, &job->err);
}

static void describe(struct sf_work *w, struct revert *r)
{
    struct sf_strbuf about = SF_STRBUF_INIT;

    sf_strbuf_addf(&about, "back to %s (%s): ", *r->undo.label ? r->undo.label : "a snapshot",
                   r->undo.time);
    sf_undo_add_tally(&about, &r->tally);
    w->about = sf_strbuf_detach(&about);
    w->preview = sf_strbuf_detach(&r->text);
    w->undo = r->undo;
    r->undo = (struct sf_undo)SF_UNDO_INIT;
}

static void look_done(struct sf_keep_job *job)
{
    struct revert *r = (struct revert *)job;
    struct sf_work *w = job->work;

    if (w && !job->ok) {
        refuse(w, &job->err);
    } else if (w && !sf_undo_is_work(&r->tally)) {
        sf_work_answerf(w, false, "There is nothing to put back.\n%s", r->text.buf);
    } else if (w) {
        describe(w, r);
        sf_work_judge(w);
    }
    end(r);
}

static bool choose(struct sf_work *w, struct sf_error *err)
{
    const struct sf_undo_place place = sf_keep_place(w->talk->keep);
    int64_t number = sf_arg_int(w->call->args, "snapshot", 0);

    return number ? sf_undo_number(&place, number, &w->undo, err)
                  : sf_undo_turns(&place, sf_arg_int(w->call->args, "turns", 1), &w->undo, err);
}

static void look(void *ctx)
{
    struct sf_work *w = ctx;
    struct sf_error err = SF_ERROR_INIT;
    struct revert *r;

    if (!choose(w, &err)) {
        refuse(w, &err);
        return;
    }
    r = begin(w);
    r->job = (struct sf_keep_job){ .run = run_look, .done = look_done, .work = w };
    sf_keep_start(w->talk->keep, &r->job);
}

/* The end of the last turn may be on its way to be written down, and says what was sf's. */
void sf_revert_look(struct sf_work *w)
{
    if (w->talk->setup.attended)
        sf_keep_then(w->talk->keep, w, look, w);
    else
        sf_work_judge(w); /* refused whatever it would do */
}

/* ---- going ---- */

static void run_go(struct sf_keep_job *job, struct sf_snap *snap)
{
    struct revert *r = (struct revert *)job;
    const struct sf_undo_how how = { .session = r->session };

    job->ok = sf_undo_go(snap, &r->undo, &how, &r->done, &job->err);
}

static void report(struct sf_work *w, struct revert *r)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_adds(&text, "Put back: ");
    sf_undo_add_tally(&text, &r->done.tally);
    sf_strbuf_addf(&text,
                   ". The conversation is unchanged; files may differ from what you "
                   "remember, so read them again.\n%s",
                   w->preview ? w->preview : "");
    sf_undo_add_left(&text, &r->done);
    sf_work_answerf(w, false, "%s", text.buf);
    sf_strbuf_release(&text);
}

static void go_done(struct sf_keep_job *job)
{
    struct revert *r = (struct revert *)job;
    struct sf_work *w = job->work;
    struct sf_talk *t = sf_keep_talk(job->keep);
    struct sf_undo_place place = sf_keep_place(job->keep);
    const char *surface = sf_axis_name(SF_AXIS_SURFACE, (int)t->setup.state.surface);
    struct sf_error err = SF_ERROR_INIT;
    char what[64];

    place.by_model = true;
    snprintf(what, sizeof(what), "going back to snapshot %lld", (long long)r->undo.number);
    if (job->ok)
        sf_keep_reverted(job->keep);
    if (job->ok && !sf_undo_record(&place, &r->undo, what, surface, &r->done, &err))
        sf_talk_die(t, &err);
    else if (w && job->ok)
        report(w, r);
    else if (w)
        refuse(w, &job->err);
    end(r);
}

void sf_revert_run(struct sf_work *w)
{
    struct revert *r = begin(w);

    sf_fence_meanwhile(w, NULL);
    r->job = (struct sf_keep_job){ .run = run_go, .done = go_done, .work = w };
    sf_keep_start(w->talk->keep, &r->job);
}
