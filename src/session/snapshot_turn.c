/*
 * snapshot_turn.c: where a turn begins and ends for its snapshots. At its end another is taken, and
 * the changes are told apart: those of the turn, by its tools and the records of its commands, and
 * those that others made meanwhile. A turn that sf was killed in gets its end when its session is
 * opened again, or before files are put back.
 */
#include <sys/stat.h>

#include "base/base.h"
#include "journal/journal.h"
#include "session/snapshots.h"

enum { LABEL_COLUMNS = 80 };

/* What is over with the turn is let go; a job goes on, and its next writes belong to the next. */
static void let_records_go(struct sf_snapshots *k)
{
    size_t left = 0;

    for (size_t i = 0; i < k->record_count; i++) {
        if (sf_write_record_has_ended(k->records[i])) {
            sf_write_record_drop(k->records[i]);
        } else {
            sf_write_record_pass(k->records[i]);
            k->records[left++] = k->records[i];
        }
    }
    k->record_count = left;
}

void sf_snapshots_turn(struct sf_snapshots *k, const char *words)
{
    struct sf_strbuf label = SF_STRBUF_INIT;

    sf_text_sanitize(&label, words, strcspn(words, "\n"), SF_TEXT_ONE_LINE);
    sf_strbuf_truncate(&label, sf_text_fit(label.buf, label.len, LABEL_COLUMNS, NULL));
    free(k->label);
    k->label = sf_strbuf_detach(&label);
    k->turn++;
    k->before = SF_SNAPSHOT_NONE;
    k->touched = false;
    k->unsure = k->unrecorded = false;
    let_records_go(k);
    sf_strlist_release(&k->known);
    sf_strlist_release(&k->uncovered);
    if (k->owed)
        sf_snapshots_notice(k, k->owed);
    free(k->owed);
    k->owed = NULL;
}

struct after {
    struct sf_snapshot_job job;
    struct sf_snapshot_wish wish;
    char before[SF_SNAP_ID + 1];
    int64_t row;
    struct sf_snap_result result;
    struct sf_undo_stat stat;
    bool counted;
    bool is_mixed;              /* changes of the turn and of others cannot be listed apart */
    struct sf_write_set writes; /* of the turn: its tools', and its commands' by their records */
    struct sf_write_record **records;
    size_t record_count;
    struct sf_strlist others;    /* paths that changed meanwhile, and not by the turn */
    struct sf_strlist uncovered; /* by calls */
    struct sf_cover cover;       /* of what jobs touched since */
    char *root;
    size_t room;
};

/* With more than that the turn claims no change, so that nothing of others is undone with it. */
enum { OTHERS_MAX = 10000 };

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
    a->is_mixed = !sf_snap_diff(snap, a->before, a->result.id, note_others, a, &ignored) ||
                  a->others.count > OTHERS_MAX;
    if (a->is_mixed)
        sf_strlist_release(&a->others);
}

/* Jobs in the background touch files after the call that started them. */
static void cover_jobs(struct after *a, struct sf_snap *snap)
{
    const struct sf_snap_request request = sf_snapshot_request(&a->wish, SF_SNAP_BEFORE, NULL);
    const struct sf_cover_wish wish = { .root = a->root,
                                        .id = a->before,
                                        .records = a->records,
                                        .record_count = a->record_count,
                                        .request = &request,
                                        .room = a->room };
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_cover_add(&a->cover, snap, &wish, &err))
        sf_log(SF_LOG_WARN, "what jobs changed is not covered: %s", err.msg);
    if (!*a->cover.result.id)
        return;
    memcpy(a->before, a->cover.result.id, sizeof(a->before));
    sf_strlist_append(&a->wish.extra, &a->cover.result.extra);
}

static void run_after(struct sf_snapshot_job *job, struct sf_snap *snap)
{
    struct after *a = (struct after *)job;
    struct sf_snap_request request;
    const struct sf_undo_pair pair = { .from = a->before,
                                       .to = a->result.id,
                                       .without = &a->others };
    struct sf_error uncounted = SF_ERROR_INIT;

    cover_jobs(a, snap);
    request = sf_snapshot_request(&a->wish, SF_SNAP_AFTER, &job->cancel);
    request.since = a->before; /* an exclude file written in the turn hides none of its changes */
    job->ok = sf_snap_take(snap, &request, &a->result, &job->err);
    if (job->ok)
        find_others(a, snap);
    a->counted = job->ok && sf_undo_diff(snap, &pair, NULL, &a->stat, &uncounted);
}

/* The row of the first snapshot names the one that has what jobs found, too. */
static bool move_before(struct sf_snapshots *k, struct after *a)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!*a->cover.result.id)
        return true;
    sf_snapshots_learn(k, &a->cover.result.extra);
    if (sf_store_snapshot_moved(k->session->setup.store, a->row, a->cover.result.id, &err))
        return true;
    sf_session_die(k->session, &err);
    return false;
}

static void after_done(struct sf_snapshot_job *job)
{
    struct after *a = (struct after *)job;
    struct sf_snapshots *k = job->snapshots;
    struct sf_strbuf details = SF_STRBUF_INIT;
    int64_t id;

    sf_strlist_append(&a->uncovered, &a->cover.uncovered);
    if (!move_before(k, a)) {
        /* the session is over */
    } else if (job->ok) {
        const struct sf_snapshot_details d = { .before = a->row,
                                               .stat = a->counted ? &a->stat : NULL,
                                               .skipped = a->result.skipped,
                                               .others = &a->others,
                                               .is_mixed = a->is_mixed,
                                               .uncovered = &a->uncovered };

        sf_snapshot_details_write(&details, k, &d);
        sf_snapshot_add_row(k, &a->wish, SF_SNAP_AFTER, &a->result, &details, &id);
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
    sf_strlist_release(&a->uncovered);
    sf_cover_release(&a->cover);
    free(a->root);
    sf_snapshot_wish_release(&a->wish);
    sf_snap_result_release(&a->result);
    free(a);
}

void sf_snapshots_end(struct sf_snapshots *k)
{
    struct after *a;

    k->turn++;
    if (k->before != SF_SNAPSHOT_TAKEN)
        return;
    a = sf_alloc(sizeof(*a));
    a->result = (struct sf_snap_result)SF_SNAP_RESULT_INIT;
    sf_snapshot_wish_init(&a->wish, k);
    memcpy(a->before, k->id, sizeof(a->before));
    a->row = k->row;
    a->root = sf_strdup(k->root);
    a->room = SF_SNAPSHOT_EXTRA_MAX - k->extra.count;
    a->cover = (struct sf_cover)SF_COVER_INIT;
    sf_strlist_append(&a->uncovered, &k->uncovered);
    a->writes = (struct sf_write_set)SF_WRITE_SET_INIT;
    a->writes.unsure = k->unsure;
    for (size_t i = 0; i < k->known.count; i++)
        sf_write_set_add(&a->writes, k->known.items[i]);
    a->records = sf_alloc_array(k->record_count + 1, sizeof(struct sf_write_record *));
    for (size_t i = 0; i < k->record_count; i++)
        a->records[a->record_count++] = sf_write_record_hold(k->records[i]);
    a->job = (struct sf_snapshot_job){ .run = run_after, .done = after_done };
    k->before = SF_SNAPSHOT_NONE;
    sf_snapshots_start(k, &a->job);
}

/* ---- a turn that was cut off ---- */

struct late {
    struct sf_snapshot_job job;
    struct sf_cut_turn cut;
};

static void run_late(struct sf_snapshot_job *job, struct sf_snap *snap)
{
    job->ok = sf_cut_turn_look(&((struct late *)job)->cut, snap, &job->err);
}

/* Without its end the turn claims nothing, as before. */
static void late_done(struct sf_snapshot_job *job)
{
    const struct sf_undo_place place = sf_snapshots_place(job->snapshots);
    struct late *late = (struct late *)job;

    if (job->ok)
        job->ok = sf_cut_turn_record(&late->cut, &place, &job->err);
    if (!job->ok)
        sf_log(SF_LOG_WARN, "a turn that was cut off stays without an end: %s", job->err.msg);
    else if (!strcmp(late->cut.session, place.session))
        sf_snapshots_learn(job->snapshots, &late->cut.result.extra);
    sf_cut_turn_release(&late->cut);
    free(late);
}

/* With `live`, a turn of any session but those, to which its own is added; false: there is none. */
static bool start_late(struct sf_snapshots *k, struct sf_strlist *live)
{
    struct sf_undo_place place = sf_snapshots_place(k);
    struct sf_error err = SF_ERROR_INIT;
    struct late *late = sf_alloc(sizeof(*late));

    late->cut = (struct sf_cut_turn)SF_CUT_TURN_INIT;
    late->job = (struct sf_snapshot_job){ .run = run_late, .done = late_done };
    if (live)
        place.session = NULL;
    if (sf_cut_turn_find(&late->cut, &place, live, &err) && late->cut.row) {
        if (live)
            sf_strlist_add(live, late->cut.session);
        sf_snapshots_start(k, &late->job);
        return true;
    }
    if (err.code != SF_E_NONE)
        sf_log(SF_LOG_WARN, "turns that were cut off cannot be looked for: %s", err.msg);
    free(late);
    return false;
}

void sf_snapshots_end_cut(struct sf_snapshots *k)
{
    if (k->enabled)
        start_late(k, NULL);
}

struct settling {
    struct sf_snapshot_job job;
    char *dir;
    struct sf_strlist live;
    sf_loop_fn *fn;
    void *ctx;
};

static void run_settling(struct sf_snapshot_job *job, struct sf_snap *snap)
{
    struct settling *t = (struct settling *)job;

    (void)snap;
    sf_live_sessions(t->dir, &t->live);
    job->ok = true;
}

/* This session lives, whatever the list of them says. */
static void settling_done(struct sf_snapshot_job *job)
{
    struct settling *t = (struct settling *)job;
    struct sf_snapshots *k = job->snapshots;

    sf_strlist_add(&t->live, k->session->id);
    while (start_late(k, &t->live))
        continue;
    sf_snapshots_then(k, NULL, t->fn, t->ctx);
    sf_strlist_release(&t->live);
    free(t->dir);
    free(t);
}

void sf_snapshots_settle(struct sf_snapshots *k, sf_loop_fn *fn, void *ctx)
{
    struct settling *t;

    if (!k->enabled || k->session->watch) {
        sf_snapshots_then(k, NULL, fn, ctx);
        return;
    }
    t = sf_alloc(sizeof(*t));
    t->dir = sf_strdup(k->dir);
    t->live = (struct sf_strlist)SF_STRLIST_INIT;
    t->fn = fn;
    t->ctx = ctx;
    t->job = (struct sf_snapshot_job){ .run = run_settling, .done = settling_done, .bare = true };
    sf_snapshots_start(k, &t->job);
}
