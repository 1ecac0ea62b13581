/*
 * snapshots.c: the snapshots of a conversation. The first call of a turn that could change files
 * waits until a snapshot was taken; another is taken when the turn is over. All blocking work on
 * the side repository goes through one queue, one job at a time on a worker, so the loop never
 * waits and jobs see each other's work in order.
 *
 * Sub-agents work in the turn of the user's session and share its snapshots. A snapshot that fails
 * is reported once and does not stop the call.
 */
#include <sys/stat.h>

#include "base/base.h"
#include "journal/journal.h"
#include "session/internal.h"

enum { LABEL_COLUMNS = 80, EXTRA_MAX = 1000 };

struct sf_snapshots {
    struct sf_session *session; /* the user's own session */
    struct sf_snap *snap;       /* used by the running job only; opened by the first job */
    char *dir, *root;
    bool enabled, closing;
    struct sf_snap_budget budget;
    struct sf_snapshot_job *first, **end; /* the first job runs */

    unsigned turn; /* counts beginnings and ends of turns */
    char *label;
    enum { NONE, TAKING, TAKEN, FAILED } before;
    char id[SF_SNAP_ID + 1]; /* of the turn's first snapshot, when taken */
    int64_t row;
    bool touched;
    bool event;              /* a failure was reported; no snapshot succeeded since */
    char *owed;              /* a notice for the beginning of the next turn, or NULL */
    struct sf_strlist extra; /* ignored files that tools of the session touched */
    struct sf_strlist known; /* paths that the turn's first snapshot was already told to cover */
    struct sf_write_record **records; /* of the turn's commands, and of jobs that still run */
    size_t record_count, record_cap;
    bool unsure; /* files changed in this turn that no record has, by sf itself */
    struct sf_scope_audits audits;
};

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
                                   .running = k->touched && k->before == TAKEN ? k->row : 0,
                                   .began = k->before == TAKEN ? k->row : 0 };
}

static void learn(struct sf_snapshots *k, const struct sf_strlist *paths)
{
    for (size_t i = 0; i < paths->count && k->extra.count < EXTRA_MAX; i++)
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
        learn(k, &last.extra);
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

void sf_snapshots_free(struct sf_snapshots *k)
{
    if (!k)
        return;
    k->closing = true;
    for (struct sf_snapshot_job *job = k->first; job; job = job->next)
        if (job->call)
            sf_snapshots_leave(job->call);
    while (k->first)
        sf_loop_turn(k->session->setup.loop, -1);
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
    return k->before == FAILED ? SF_COVER_FAILED : k->before == NONE ? SF_COVER_WILL : SF_COVER_HAS;
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

/* What is over with the turn is let go; a job goes on, and its next writes belong to the next. */
static void let_records_go(struct sf_snapshots *k)
{
    size_t left = 0;

    for (size_t i = 0; i < k->record_count; i++) {
        if (sf_write_record_has_ended(k->records[i]))
            sf_write_record_drop(k->records[i]);
        else
            k->records[left++] = k->records[i];
    }
    k->record_count = left;
}

/* ---- what all snapshots have in common ---- */

static void copy_list(const struct sf_strlist *from, struct sf_strlist *to)
{
    for (size_t i = 0; i < from->count; i++)
        sf_strlist_add(to, from->items[i]);
}

/* What a snapshot request needs, copied for the worker. */
struct wish {
    char *label, *dir;
    char session[SF_ID_LEN + 1];
    struct sf_strlist extra, live;
    struct sf_snap_budget budget;
    unsigned turn;
};

static void wish_init(struct wish *w, struct sf_snapshots *k)
{
    w->label = sf_strdup(k->label);
    w->dir = sf_strdup(k->dir);
    memcpy(w->session, k->session->id, sizeof(w->session));
    copy_list(&k->extra, &w->extra);
    w->budget = k->budget;
    w->turn = k->turn;
}

static void wish_release(struct wish *w)
{
    free(w->label);
    free(w->dir);
    sf_strlist_release(&w->extra);
    sf_strlist_release(&w->live);
}

/* Runs on the worker, since sf_live_sessions reads a directory. */
static struct sf_snap_request request_of(struct wish *w, enum sf_snap_kind kind,
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

/* What a row says about its snapshot; every member may be 0. */
struct details {
    int64_t before; /* the row of the turn's first snapshot */
    const struct sf_undo_stat *stat;
    uint64_t skipped;
    const struct sf_strlist *others; /* paths that changed in the turn, and not by it */
};

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

static void write_details(struct sf_strbuf *out, const struct sf_snapshots *k,
                          const struct details *d)
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
    sf_jw_object_end(&w);
}

static bool add_row(struct sf_snapshots *k, const struct wish *wish, enum sf_snap_kind kind,
                    const struct sf_snap_result *result, const struct sf_strbuf *details,
                    int64_t *id)
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

static void notice(struct sf_snapshots *k, const char *text)
{
    struct sf_event event = sf_event_of_notice(text, strlen(text));

    sf_log(SF_LOG_WARN, "%s", text);
    if (!k->closing)
        sf_session_tell(k->session, &event);
}

/* Reported once until a snapshot succeeds: changes from here on cannot be undone. */
static void tell_failure(struct sf_snapshots *k, const struct sf_error *err)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_addf(&text, "%s; what this session changes cannot be put back by sf", err->msg);
    if (*err->hint)
        sf_strbuf_addf(&text, " (%s)", err->hint);
    if (!k->event)
        notice(k, text.buf);
    k->event = true;
    sf_strbuf_release(&text);
}

/* ---- before a call ---- */

struct hold {
    struct sf_snapshot_job job;
    struct wish wish;
    bool before;             /* take the turn's first snapshot */
    char id[SF_SNAP_ID + 1]; /* else the snapshot to add `paths` to; "": none */
    struct sf_strlist paths; /* files that the call writes */
    struct sf_snap_result result;
    struct sf_scope_audit *audit; /* needs a mark to compare with; or NULL */
};

static void take_mark(struct hold *h, struct sf_snap *snap)
{
    const struct sf_snap_request request = request_of(&h->wish, SF_SNAP_MARK, &h->job.cancel);
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
        copy_list(&h->paths, &h->wish.extra);
        request = request_of(&h->wish, SF_SNAP_BEFORE, &job->cancel);
        job->ok = sf_snap_take(snap, &request, &h->result, &job->err);
    } else if (*h->id && h->paths.count) {
        request = request_of(&h->wish, SF_SNAP_BEFORE, &job->cancel);
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

    learn(k, &h->result.extra);
    write_details(&details, k, &(struct details){ .skipped = h->result.skipped });
    if (add_row(k, &h->wish, SF_SNAP_BEFORE, &h->result, &details, &k->row)) {
        memcpy(k->id, h->result.id, sizeof(k->id));
        k->before = TAKEN;
        k->event = false;
    }
    sf_strbuf_release(&details);
}

static void note_amended(struct sf_snapshots *k, struct hold *h)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!*h->result.id)
        return;
    learn(k, &h->result.extra);
    memcpy(k->id, h->result.id, sizeof(k->id));
    if (!sf_store_snapshot_moved(k->session->setup.store, k->row, k->id, &err))
        sf_session_die(k->session, &err);
}

/* Takes in the result of the job, unless its turn has ended meanwhile. */
static void settle(struct sf_snapshots *k, struct hold *h)
{
    bool current = h->wish.turn == k->turn;

    if (current && h->job.ok && h->before)
        note_before(k, h);
    else if (current && h->job.ok)
        note_amended(k, h);
    else if (current && h->before)
        k->before = h->job.err.code == SF_E_CANCELLED ? NONE : FAILED;
    if (!h->job.ok && h->job.err.code != SF_E_CANCELLED && (h->before || *h->id))
        tell_failure(k, &h->job.err);
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
        sf_call_next(c);
    }
    wish_release(&h->wish);
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
        sf_call_next(ctx);
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
    h->before = k->enabled && k->before == NONE;
    if (k->before == TAKEN)
        memcpy(h->id, k->id, sizeof(h->id));
    if (!h->before && !h->audit && !(*h->id && h->paths.count)) {
        sf_strlist_release(&h->paths);
        free(h);
        k->touched = true;
        return false;
    }
    if (h->before)
        k->before = TAKING;
    wish_init(&h->wish, k);
    h->job = (struct sf_snapshot_job){ .run = run_hold, .done = hold_done, .call = c };
    sf_snapshots_start(k, &h->job);
    return true;
}

/* ---- turns ---- */

void sf_snapshots_turn(struct sf_snapshots *k, const char *words)
{
    struct sf_strbuf label = SF_STRBUF_INIT;

    sf_text_sanitize(&label, words, strcspn(words, "\n"), SF_TEXT_ONE_LINE);
    sf_strbuf_truncate(&label, sf_text_fit(label.buf, label.len, LABEL_COLUMNS, NULL));
    free(k->label);
    k->label = sf_strbuf_detach(&label);
    k->turn++;
    k->before = NONE;
    k->touched = false;
    k->unsure = false;
    let_records_go(k);
    sf_strlist_release(&k->known);
    if (k->owed)
        notice(k, k->owed);
    free(k->owed);
    k->owed = NULL;
}

struct after {
    struct sf_snapshot_job job;
    struct wish wish;
    char before[SF_SNAP_ID + 1];
    int64_t row;
    struct sf_snap_result result;
    struct sf_undo_stat stat;
    bool counted;
    struct sf_write_set writes; /* of the turn: its tools', and its commands' by their records */
    struct sf_write_record **records;
    size_t record_count;
    struct sf_strlist others; /* paths that changed meanwhile, and not by the turn */
};

/* More than that is as good as not knowing. */
enum { OTHERS_MAX = 1000 };

static bool note_others(void *ctx, const struct sf_snap_change *change)
{
    struct after *a = ctx;

    /* A directory goes only when it is empty, and so with nobody's files. */
    if (!S_ISDIR(change->from_mode ? change->from_mode : change->to_mode) &&
        sf_write_set_writer(&a->writes, change->path) != SF_WRITER_COMMAND)
        sf_strlist_add(&a->others, change->path);
    return a->others.count <= OTHERS_MAX;
}

/* Without a record of each command every change counts as the turn's, as none can be told apart. */
static void find_others(struct after *a, struct sf_snap *snap)
{
    struct sf_error ignored = SF_ERROR_INIT;

    for (size_t i = 0; i < a->record_count; i++)
        sf_write_set_read(&a->writes, a->records[i]);
    if (a->writes.unsure)
        return;
    if (!sf_snap_diff(snap, a->before, a->result.id, note_others, a, &ignored) ||
        a->others.count > OTHERS_MAX)
        sf_strlist_release(&a->others);
}

static void run_after(struct sf_snapshot_job *job, struct sf_snap *snap)
{
    struct after *a = (struct after *)job;
    struct sf_snap_request request = request_of(&a->wish, SF_SNAP_AFTER, &job->cancel);
    const struct sf_undo_pair pair = { .from = a->before,
                                       .to = a->result.id,
                                       .without = &a->others };
    struct sf_error uncounted = SF_ERROR_INIT;

    request.since = a->before; /* an exclude file written in the turn hides none of its changes */
    job->ok = sf_snap_take(snap, &request, &a->result, &job->err);
    if (job->ok)
        find_others(a, snap);
    a->counted = job->ok && sf_undo_diff(snap, &pair, NULL, &a->stat, &uncounted);
}

static void after_done(struct sf_snapshot_job *job)
{
    struct after *a = (struct after *)job;
    struct sf_snapshots *k = job->snapshots;
    struct sf_strbuf details = SF_STRBUF_INIT;
    int64_t id;

    if (job->ok) {
        const struct details d = { .before = a->row,
                                   .stat = a->counted ? &a->stat : NULL,
                                   .skipped = a->result.skipped,
                                   .others = &a->others };

        write_details(&details, k, &d);
        add_row(k, &a->wish, SF_SNAP_AFTER, &a->result, &details, &id);
    } else { /* the turn is over, so the notice waits for the next one */
        sf_strbuf_addf(&details, "the state after the last turn was not kept: %s", job->err.msg);
        sf_log(SF_LOG_WARN, "%s", details.buf);
        free(k->owed);
        k->owed = sf_strdup(details.buf);
    }
    sf_strbuf_release(&details);
    for (size_t i = 0; i < a->record_count; i++)
        sf_write_record_drop(a->records[i]);
    free(a->records);
    sf_write_set_release(&a->writes);
    sf_strlist_release(&a->others);
    wish_release(&a->wish);
    sf_snap_result_release(&a->result);
    free(a);
}

void sf_snapshots_end(struct sf_snapshots *k)
{
    struct after *a;

    k->turn++;
    if (k->before != TAKEN)
        return;
    a = sf_alloc(sizeof(*a));
    a->result = (struct sf_snap_result)SF_SNAP_RESULT_INIT;
    wish_init(&a->wish, k);
    memcpy(a->before, k->id, sizeof(a->before));
    a->row = k->row;
    a->writes = (struct sf_write_set)SF_WRITE_SET_INIT;
    a->writes.unsure = k->unsure;
    for (size_t i = 0; i < k->known.count; i++)
        sf_write_set_add(&a->writes, k->known.items[i]);
    a->records = sf_alloc_array(k->record_count + 1, sizeof(struct sf_write_record *));
    for (size_t i = 0; i < k->record_count; i++)
        a->records[a->record_count++] = sf_write_record_hold(k->records[i]);
    a->job = (struct sf_snapshot_job){ .run = run_after, .done = after_done };
    k->before = NONE;
    sf_snapshots_start(k, &a->job);
}
