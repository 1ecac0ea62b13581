/*
 * restore_job.c: the steps of a restore and their order. Finding the snapshot, counting and
 * recording is the work of the undo in journal; this file only knows which step follows which.
 */
#include "session/restore_job.h"

#include <assert.h>
#include <stdlib.h>

#include "base/base.h"

struct sf_restore_job *sf_restore_job_new(const struct sf_restore_what *what,
                                          const struct sf_restore_how *how)
{
    struct sf_restore_job *job = sf_alloc(sizeof(*job));

    *job = (struct sf_restore_job){ .what = *what,
                                    .reason = how->reason ? sf_strdup(how->reason) : NULL,
                                    .overwrite = how->overwrite,
                                    .diff_only = how->diff_only,
                                    .diff_max = how->diff_max,
                                    .count_files = how->count_files,
                                    .paths = SF_STRLIST_INIT,
                                    .undo = SF_UNDO_INIT,
                                    .preview = SF_STRBUF_INIT,
                                    .diff = SF_STRBUF_INIT,
                                    .done = SF_SNAP_RESTORED_INIT,
                                    .err = SF_ERROR_INIT };
    for (size_t i = 0; how->paths && i < how->paths->count; i++)
        sf_strlist_add(&job->paths, how->paths->items[i]);
    return job;
}

void sf_restore_job_free(struct sf_restore_job *job)
{
    if (!job)
        return;
    for (size_t i = 0; i < job->file_count; i++)
        free(job->files[i].path);
    free(job->files);
    sf_snap_restored_release(&job->done);
    sf_strbuf_release(&job->diff);
    sf_strbuf_release(&job->preview);
    sf_undo_release(&job->undo);
    sf_strlist_release(&job->paths);
    free(job->reason);
    free(job);
}

/* ---- the order ---- */

void sf_restore_advance(struct sf_restore_job *job, enum sf_restore_state to)
{
    enum {
        PLANNED = 1 << SF_RESTORE_STATE_PLANNED,
        RUNNING = 1 << SF_RESTORE_STATE_RUNNING,
        RECORDED = 1 << SF_RESTORE_STATE_RECORDED,
        ENDED = 1 << SF_RESTORE_STATE_ENDED
    };
    static const unsigned next[] = {
        [SF_RESTORE_STATE_PLANNING] = PLANNED | ENDED,
        [SF_RESTORE_STATE_PLANNED] = RUNNING | ENDED,
        [SF_RESTORE_STATE_RUNNING] = RECORDED | ENDED,
        [SF_RESTORE_STATE_RECORDED] = 0,
        [SF_RESTORE_STATE_ENDED] = 0,
    };

    assert(next[job->state] & 1u << to);
    job->state = to;
}

/* ---- which state ---- */

static bool find_nothing(const struct sf_undo_place *place, int64_t number, struct sf_undo *out,
                         struct sf_error *err)
{
    (void)place;
    (void)number;
    (void)out;
    (void)err;
    return true; /* the side repository knows both ends of an interrupted restore */
}

static bool find_redo(const struct sf_undo_place *place, int64_t number, struct sf_undo *out,
                      struct sf_error *err)
{
    (void)number;
    return sf_undo_redo(place, out, err);
}

static bool find_restore(const struct sf_undo_place *place, int64_t number, struct sf_undo *out,
                         struct sf_error *err)
{
    (void)number;
    return sf_undo_restore(place, out, err);
}

static bool find_start(const struct sf_undo_place *place, int64_t number, struct sf_undo *out,
                       struct sf_error *err)
{
    (void)number;
    return sf_undo_start(place, out, err);
}

bool sf_restore_find(struct sf_restore_job *job, const struct sf_undo_place *place,
                     struct sf_error *err)
{
    static bool (*const find[])(const struct sf_undo_place *place, int64_t number,
                                struct sf_undo *out, struct sf_error *err) = {
        [SF_RESTORE_TO_NUMBER] = sf_undo_number, [SF_RESTORE_TO_TURN] = sf_undo_turns,
        [SF_RESTORE_TO_REDO] = find_redo,        [SF_RESTORE_TO_RESTORE] = find_restore,
        [SF_RESTORE_TO_START] = find_start,      [SF_RESTORE_TO_FINISH] = find_nothing,
        [SF_RESTORE_TO_ORIGIN] = find_nothing,
    };

    assert(job->state == SF_RESTORE_STATE_PLANNING);
    snprintf(job->session, sizeof(job->session), "%s", place->session ? place->session : "");
    return find[job->what.goal](place, job->what.number, &job->undo, err);
}

/* ---- what blocks ---- */

static struct sf_undo_how how_of(const struct sf_restore_job *job)
{
    return (struct sf_undo_how){ .paths = &job->paths,
                                 .overwrite = job->overwrite,
                                 .session = *job->session ? job->session : NULL,
                                 .cancel = &job->cancel };
}

static void add_file(void *ctx, const char *path, uint64_t plus, uint64_t minus)
{
    struct sf_restore_job *job = ctx;

    if (job->file_count == SF_RESTORE_FILES_MAX)
        return;
    job->files = sf_grow(job->files, &job->file_cap, job->file_count + 1, sizeof(*job->files));
    job->files[job->file_count++] = (struct sf_restore_file){ sf_strdup(path), plus, minus };
}

/* With a plan, the diff shows what the restore would change; alone, what has changed since. */
static bool make_diff(struct sf_restore_job *job, struct sf_snap *snap)
{
    const struct sf_undo_pair pair = { .from = job->undo.id,
                                       .extra = &job->undo.extra,
                                       .max = job->diff_max,
                                       .back = !job->diff_only,
                                       .file = job->count_files ? add_file : NULL,
                                       .cancel = &job->cancel,
                                       .ctx = job };

    return sf_undo_diff(snap, &pair, job->diff_max ? &job->diff : NULL, &job->stat, &job->err);
}

bool sf_restore_look(struct sf_restore_job *job, struct sf_snap *snap)
{
    const struct sf_undo_how how = how_of(job);

    assert(job->state == SF_RESTORE_STATE_PLANNING);
    if (!job->diff_only &&
        !sf_undo_preview(snap, &job->undo, &how, &job->preview, &job->tally, &job->err))
        return false;
    return (!job->diff_max && !job->count_files) || make_diff(job, snap);
}

/* Whether the side repository holds an interrupted restore to the same snapshot. */
static bool is_halfway(const struct sf_restore_job *job, struct sf_snap *snap)
{
    char goal[SF_SNAP_ID + 1], before[SF_SNAP_ID + 1];

    return sf_snap_interrupted(snap, goal, before) && !strcmp(goal, job->undo.id);
}

/* Undoes a cancelled run, so that the files are not half in one state and half in another. */
static void take_back(struct sf_restore_job *job, struct sf_snap *snap)
{
    struct sf_snap_restored back = SF_SNAP_RESTORED_INIT;

    sf_fail(&job->err, SF_E_CANCELLED, "the restore was cancelled: nothing was put back");
    if (is_halfway(job, snap) && !sf_snap_resume(snap, true, &back, &job->err))
        sf_hint(&job->err, "`sf restore resume --back` takes back what was done already");
    sf_snap_restored_release(&back);
}

static bool go(struct sf_restore_job *job, struct sf_snap *snap)
{
    const struct sf_undo_how how = how_of(job);
    bool waits = is_halfway(job, snap); /* an earlier interrupted restore is not ours to undo */

    if (sf_undo_go(snap, &job->undo, &how, &job->done, &job->err))
        return true;
    if (job->err.code == SF_E_CANCELLED && !waits)
        take_back(job, snap);
    return false;
}

bool sf_restore_run(struct sf_restore_job *job, struct sf_snap *snap)
{
    bool back = job->what.goal == SF_RESTORE_TO_ORIGIN;

    assert(job->state == SF_RESTORE_STATE_RUNNING);
    if (back || job->what.goal == SF_RESTORE_TO_FINISH)
        return sf_snap_resume(snap, back, &job->done, &job->err);
    return go(job, snap);
}

/* ---- writing it down ---- */

bool sf_restore_record(struct sf_restore_job *job, const struct sf_undo_place *place,
                       const char *surface, struct sf_error *err)
{
    char reason[64];

    snprintf(reason, sizeof(reason), "going back to snapshot %lld", (long long)job->undo.number);
    if (!sf_undo_record(place, &job->undo, job->reason ? job->reason : reason, surface, &job->done,
                        err))
        return false;
    sf_restore_advance(job, SF_RESTORE_STATE_RECORDED);
    return true;
}
