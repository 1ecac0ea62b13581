/*
 * snapshot_hold.c: what a call that could change files waits for: the turn's first snapshot, the
 * files of its own that this one left out, and a mark for the scope audit.
 */
#include "base/base.h"
#include "session/snapshots.h"

struct hold {
    struct sf_snapshot_job job;
    struct sf_snapshot_wish wish;
    bool before;             /* take the turn's first snapshot */
    char id[SF_SNAP_ID + 1]; /* else the snapshot to add `paths` to; "": none */
    struct sf_strlist paths; /* files that the call writes */
    struct sf_snap_result result;
    struct sf_scope_audit *audit; /* needs a mark to compare with; or NULL */
};

static void take_mark(struct hold *h, struct sf_snap *snap)
{
    const struct sf_snap_request request =
        sf_snapshot_request(&h->wish, SF_SNAP_MARK, &h->job.cancel);
    struct sf_snap_result result = SF_SNAP_RESULT_INIT;

    if (h->before && h->job.ok) {
        memcpy(h->audit->mark, h->result.id, sizeof(h->audit->mark));
    } else if (sf_snap_take(snap, &request, &result, &h->audit->err)) {
        memcpy(h->audit->mark, result.id, sizeof(h->audit->mark));
        h->audit->own = true;
    }
    sf_snap_result_release(&result);
}

static void run_hold(struct sf_snapshot_job *job, struct sf_snap *snap)
{
    struct hold *h = (struct hold *)job;
    struct sf_snap_request request;

    job->ok = true;
    if (h->before) {
        sf_strlist_append(&h->wish.extra, &h->paths);
        request = sf_snapshot_request(&h->wish, SF_SNAP_BEFORE, &job->cancel);
        job->ok = sf_snap_take(snap, &request, &h->result, &job->err);
    } else if (*h->id && h->paths.count) {
        request = sf_snapshot_request(&h->wish, SF_SNAP_BEFORE, &job->cancel);
        request.budget = NULL;
        request.extra = &h->paths;
        job->ok = sf_snap_amend(snap, h->id, &request, &h->result, &job->err);
    }
    if (h->audit)
        take_mark(h, snap);
}

static void note_before(struct sf_snapshots *k, struct hold *h)
{
    struct sf_strbuf details = SF_STRBUF_INIT;

    sf_snapshots_learn(k, &h->result.extra);
    sf_snapshot_details_write(&details, k,
                              &(struct sf_snapshot_details){ .skipped = h->result.skipped });
    if (sf_snapshot_add_row(k, &h->wish, SF_SNAP_BEFORE, &h->result, &details, &k->row)) {
        memcpy(k->id, h->result.id, sizeof(k->id));
        k->before = SF_SNAPSHOT_TAKEN;
        k->event = false;
    }
    sf_strbuf_release(&details);
}

/* Takes in the result of the job, unless its turn has ended meanwhile. */
static void settle(struct sf_snapshots *k, struct hold *h)
{
    bool current = h->wish.turn == k->turn;

    if (current && h->job.ok && h->before)
        note_before(k, h);
    else if (current && h->job.ok)
        sf_snapshots_amended(k, &h->result);
    else if (current && h->before)
        k->before = h->job.err.code == SF_E_CANCELLED ? SF_SNAPSHOT_NONE : SF_SNAPSHOT_FAILED;
    if (!h->job.ok && h->job.err.code != SF_E_CANCELLED && (h->before || *h->id))
        sf_snapshots_tell_failure(k, &h->job.err);
}

static void hold_done(struct sf_snapshot_job *job)
{
    struct hold *h = (struct hold *)job;
    struct sf_snapshots *k = job->snapshots;
    struct sf_call *c = job->call;

    settle(k, h);
    if (h->audit && !*h->audit->mark && h->audit->err.code == SF_E_NONE)
        h->audit->err = job->err;
    if (c && !k->session->dead) {
        c->audit = h->audit;
        h->audit = NULL;
        k->touched = true;
        sf_call_held(c);
    }
    sf_snapshot_wish_release(&h->wish);
    sf_strlist_release(&h->paths);
    sf_snap_result_release(&h->result);
    sf_scope_audit_free(h->audit);
    free(h);
}

/* Collects files below the root that the call writes and that this turn has not covered yet. */
static void collect_paths(struct sf_snapshots *k, const struct sf_call *c, struct sf_strlist *out)
{
    for (size_t i = 0; i < c->tool_call->target_count; i++) {
        const struct sf_tool_call_target *t = &c->tool_call->targets[i];

        if (t->act == SF_ACT_READ || !t->place.inside || !*t->place.real ||
            sf_strlist_has(&k->known, t->place.real))
            continue;
        sf_strlist_add(&k->known, t->place.real);
        sf_strlist_add(out, t->place.real);
    }
}

static bool is_restoring(const struct sf_snapshots *k)
{
    const struct sf_snapshot_job *job = k->first;

    while (job && !job->restores)
        job = job->next;
    return job != NULL;
}

static void hold_again(void *ctx)
{
    if (!sf_snapshots_hold(ctx))
        sf_call_held(ctx);
}

/* During a restore no call starts, not even one that only reads. */
bool sf_snapshots_hold(struct sf_call *c)
{
    struct sf_snapshots *k = c->session->snapshots;
    struct hold *h;

    if (is_restoring(k)) {
        sf_snapshots_then(k, c, hold_again, c);
        return true;
    }
    if (!sf_action_may_change(&c->judged.action))
        return false;
    h = sf_alloc(sizeof(*h));
    h->result = (struct sf_snap_result)SF_SNAP_RESULT_INIT;
    h->audit = sf_scope_audit_new(c);
    sf_scope_audit_meanwhile(c);
    if (k->enabled)
        collect_paths(k, c, &h->paths);
    h->before = k->enabled && k->before == SF_SNAPSHOT_NONE;
    if (k->before == SF_SNAPSHOT_TAKEN)
        memcpy(h->id, k->id, sizeof(h->id));
    if (!h->before && !h->audit && !(*h->id && h->paths.count)) {
        sf_strlist_release(&h->paths);
        free(h);
        k->touched = true;
        return false;
    }
    if (h->before)
        k->before = SF_SNAPSHOT_TAKING;
    sf_snapshot_wish_init(&h->wish, k);
    h->job = (struct sf_snapshot_job){ .run = run_hold, .done = hold_done, .call = c };
    sf_snapshots_start(k, &h->job);
    return true;
}
