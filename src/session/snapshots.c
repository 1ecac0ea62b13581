/*
 * snapshots.c: the snapshots of a conversation. The first call of a turn that could change files
 * waits until a snapshot was taken; another is taken when the turn is over. All blocking work on
 * the side repository goes through one queue, one job at a time on a worker, so the loop never
 * waits and jobs see each other's work in order.
 *
 * Sub-agents work in the turn of the user's session and share its snapshots. A snapshot that fails
 * is reported once and does not stop the call.
 */
#include "session/snapshots.h"

#include <assert.h>

#include "base/base.h"
#include "journal/journal.h"

/* ---- the queue ---- */

static void run_first(void *ctx)
{
    struct sf_snapshots *k = ctx;
    struct sf_snapshot_job *job = k->first;

    if (!k->snap && (k->enabled || !job->bare))
        k->snap = sf_snap_open(k->dir, k->root, &job->err);
    if (k->snap || job->bare)
        job->run(job, k->snap);
}

static void first_done(void *ctx)
{
    struct sf_snapshots *k = ctx;
    struct sf_snapshot_job *job = k->first;

    k->first = job->next;
    if (!k->first)
        k->end = &k->first;
    else
        sf_workers_start(k->session->setup.workers, run_first, first_done, k);
    if (job->call)
        job->call->job = NULL;
    job->done(job);
}

void sf_snapshots_start(struct sf_snapshots *k, struct sf_snapshot_job *job)
{
    bool idle = !k->first;

    job->snapshots = k;
    if (job->call)
        job->call->job = job;
    *k->end = job;
    k->end = &job->next;
    if (idle)
        sf_workers_start(k->session->setup.workers, run_first, first_done, k);
}

void sf_snapshots_leave(struct sf_call *c)
{
    if (!c->job)
        return;
    atomic_store(&c->job->cancel, true);
    c->job->call = NULL;
    c->job = NULL;
}

struct then {
    struct sf_snapshot_job job;
    bool has_work;
    sf_loop_fn *fn;
    void *ctx;
};

static void run_nothing(struct sf_snapshot_job *job, struct sf_snap *snap)
{
    (void)snap;
    job->ok = true;
}

static void all_done(struct sf_snapshot_job *job)
{
    struct then *t = (struct then *)job;

    if (!t->has_work || job->call)
        t->fn(t->ctx);
    free(t);
}

void sf_snapshots_then(struct sf_snapshots *k, struct sf_call *c, sf_loop_fn *fn, void *ctx)
{
    struct then *t = sf_alloc(sizeof(*t));

    *t = (struct then){ .has_work = c != NULL, .fn = fn, .ctx = ctx };
    t->job =
        (struct sf_snapshot_job){ .run = run_nothing, .done = all_done, .call = c, .bare = true };
    sf_snapshots_start(k, &t->job);
}

/* ---- life ---- */

struct sf_undo_place sf_snapshots_place(struct sf_snapshots *k)
{
    return (struct sf_undo_place){ .store = k->session->setup.store,
                                   .worktree = k->root,
                                   .session = k->session->id,
                                   .running =
                                       k->touched && k->before == SF_SNAPSHOT_TAKEN ? k->row : 0,
                                   .began = k->before == SF_SNAPSHOT_TAKEN ? k->row : 0 };
}

void sf_snapshots_learn(struct sf_snapshots *k, const struct sf_strlist *paths)
{
    for (size_t i = 0; i < paths->count && k->extra.count < SF_SNAPSHOT_EXTRA_MAX; i++)
        if (!sf_strlist_has(&k->extra, paths->items[i]))
            sf_strlist_add(&k->extra, paths->items[i]);
}

/* The newest row lists the ignored files that earlier runs of the session touched. */
void sf_snapshots_recall(struct sf_snapshots *k)
{
    const struct sf_undo_place place = sf_snapshots_place(k);
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_undo last = SF_UNDO_INIT;

    if (sf_undo_turns(&place, 1, &last, &ignored))
        sf_snapshots_learn(k, &last.extra);
    sf_undo_release(&last);
}

struct sf_snapshots *sf_snapshots_new(struct sf_session *s)
{
    struct sf_snapshots *k = sf_alloc(sizeof(*k));
    struct sf_config *config = s->setup.config;

    k->session = s;
    k->dir = sf_strdup(s->setup.state_dir);
    k->root = sf_strdup(s->setup.workspace->root);
    k->enabled = sf_config_bool(config, "snapshots.enabled");
    k->budget = sf_live_snap_budget(config);
    k->end = &k->first;
    k->label = sf_strdup("");
    if (s->setup.resume)
        sf_snapshots_recall(k);
    return k;
}

bool sf_snapshots_stop(struct sf_snapshots *k)
{
    k->closing = true;
    for (struct sf_snapshot_job *job = k->first; job; job = job->next) {
        if (job->call)
            sf_snapshots_leave(job->call);
        if (job->unseen)
            atomic_store(job->unseen, true);
    }
    return !k->first;
}

void sf_snapshots_free(struct sf_snapshots *k)
{
    if (!k)
        return;
    assert(!k->first);
    for (size_t i = 0; i < k->audits.count; i++)
        sf_scope_audit_free(k->audits.items[i]);
    free(k->audits.items);
    sf_strlist_release(&k->audits.products);
    for (size_t i = 0; i < k->record_count; i++)
        sf_write_record_drop(k->records[i]);
    free(k->records);
    sf_snap_close(k->snap);
    sf_strlist_release(&k->extra);
    sf_strlist_release(&k->known);
    sf_strlist_release(&k->uncovered);
    free(k->label);
    free(k->owed);
    free(k->dir);
    free(k->root);
    free(k);
}

struct sf_session *sf_snapshots_session(struct sf_snapshots *k)
{
    return k->session;
}

struct sf_scope_audits *sf_snapshots_audits(struct sf_snapshots *k)
{
    return &k->audits;
}

enum sf_snapshot_cover sf_snapshot_cover(const struct sf_snapshots *k)
{
    if (!k->enabled)
        return SF_COVER_OFF;
    return k->before == SF_SNAPSHOT_FAILED ? SF_COVER_FAILED
           : k->before == SF_SNAPSHOT_NONE ? SF_COVER_WILL
                                           : SF_COVER_HAS;
}

void sf_snapshots_mended(struct sf_snapshots *k)
{
    k->unsure = true;
}

void sf_snapshots_reverted(struct sf_snapshots *k)
{
    k->touched = false;
    sf_snapshots_mended(k);
}

void sf_snapshots_record(struct sf_snapshots *k, struct sf_write_record *record)
{
    k->records =
        sf_grow(k->records, &k->record_cap, k->record_count + 1, sizeof(struct sf_write_record *));
    k->records[k->record_count++] = sf_write_record_hold(record);
}

void sf_snapshots_unrecorded(struct sf_snapshots *k)
{
    k->unrecorded = true;
}

/* ---- what all snapshots have in common ---- */

void sf_snapshot_wish_init(struct sf_snapshot_wish *w, struct sf_snapshots *k)
{
    w->label = sf_strdup(k->label);
    w->dir = sf_strdup(k->dir);
    memcpy(w->session, k->session->id, sizeof(w->session));
    sf_strlist_append(&w->extra, &k->extra);
    w->budget = k->budget;
    w->turn = k->turn;
}

void sf_snapshot_wish_release(struct sf_snapshot_wish *w)
{
    free(w->label);
    free(w->dir);
    sf_strlist_release(&w->extra);
    sf_strlist_release(&w->live);
}

struct sf_snap_request sf_snapshot_request(struct sf_snapshot_wish *w, enum sf_snap_kind kind,
                                           const atomic_bool *cancel)
{
    bool whole = kind == SF_SNAP_BEFORE || kind == SF_SNAP_AFTER;

    if (whole && !w->live.count)
        sf_live_sessions(w->dir, &w->live);
    w->budget.live = &w->live;
    return (struct sf_snap_request){ .kind = kind,
                                     .label = w->label,
                                     .session = w->session,
                                     .extra = &w->extra,
                                     .budget = whole ? &w->budget : NULL,
                                     .cancel = cancel };
}

static void write_list(struct sf_json_writer *w, const char *key, const struct sf_strlist *list)
{
    if (!list || !list->count)
        return;
    sf_jw_key(w, key);
    sf_jw_array_begin(w);
    for (size_t i = 0; i < list->count; i++)
        sf_jw_str(w, list->items[i]);
    sf_jw_array_end(w);
}

void sf_snapshot_details_write(struct sf_strbuf *out, const struct sf_snapshots *k,
                               const struct sf_snapshot_details *d)
{
    const struct sf_undo_stat *stat = d->stat;
    struct sf_json_writer w;

    sf_jw_init(&w, out);
    sf_jw_object_begin(&w);
    if (d->before)
        sf_jw_key_int(&w, "before", d->before);
    if (stat) {
        sf_jw_key_int(&w, "files", (int64_t)stat->files);
        sf_jw_key_int(&w, "plus", (int64_t)stat->plus);
        sf_jw_key_int(&w, "minus", (int64_t)stat->minus);
        if (stat->left)
            sf_jw_key_int(&w, "left", (int64_t)stat->left);
    }
    if (d->skipped)
        sf_jw_key_int(&w, "skipped", (int64_t)d->skipped);
    write_list(&w, "extra", &k->extra);
    write_list(&w, "others", d->others);
    if (d->is_mixed)
        sf_jw_key_int(&w, "mixed", 1);
    write_list(&w, "uncovered", d->uncovered);
    sf_jw_object_end(&w);
}

bool sf_snapshot_add_row(struct sf_snapshots *k, const struct sf_snapshot_wish *wish,
                         enum sf_snap_kind kind, const struct sf_snap_result *result,
                         const struct sf_strbuf *details, int64_t *id)
{
    struct sf_store *store = k->session->setup.store;
    const struct sf_snapshot_new row = { .session = wish->session,
                                         .kind = sf_snap_kind_names[kind],
                                         .worktree = k->root,
                                         .commit = result->id,
                                         .label = wish->label,
                                         .details = details->buf,
                                         .bytes = (int64_t)result->bytes };
    struct sf_error err = SF_ERROR_INIT;
    bool ok = sf_store_snapshot_add(store, &row, id, &err);

    for (size_t i = 0; ok && i < result->pruned.count; i++)
        ok = sf_store_snapshot_pruned(store, result->pruned.items[i], &err);
    if (!ok)
        sf_session_die(k->session, &err);
    return ok;
}

void sf_snapshots_notice(struct sf_snapshots *k, const char *text)
{
    struct sf_event event = sf_event_of_notice(text, strlen(text));

    sf_log(SF_LOG_WARN, "%s", text);
    if (!k->closing)
        sf_session_tell(k->session, &event);
}

/* Reported once until a snapshot succeeds: changes from here on cannot be undone. */
void sf_snapshots_tell_failure(struct sf_snapshots *k, const struct sf_error *err)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_addf(&text, "%s; what this session changes cannot be put back by sf", err->msg);
    if (*err->hint)
        sf_strbuf_addf(&text, " (%s)", err->hint);
    if (!k->event)
        sf_snapshots_notice(k, text.buf);
    k->event = true;
    sf_strbuf_release(&text);
}

void sf_snapshots_amended(struct sf_snapshots *k, const struct sf_snap_result *result)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!*result->id)
        return;
    sf_snapshots_learn(k, &result->extra);
    memcpy(k->id, result->id, sizeof(k->id));
    if (!sf_store_snapshot_moved(k->session->setup.store, k->row, k->id, &err))
        sf_session_die(k->session, &err);
}
