/*
 * audit.c: what a command changed beyond its fence, found by the same walk that takes snapshots
 * and put back from the state before it. No journal: each file is put back in one step, and a
 * death in between leaves some of them as the command wanted them, saved either way.
 *
 * An ignore file the command changed could hide what else it did; so once one is put back, the
 * walk is made again.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "snap/internal.h"

enum { ROUNDS = 3 };

struct audit {
    struct sf_snap *snap;
    const struct sf_snap_fence *fence;
    struct sf_snap_state mark;
    struct sf_strlist *saved;
    sf_snap_change_fn *fn;
    void *ctx;
};

static bool is_ignore_file(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

    return !strcmp(name, ".gitignore") || !strcmp(name, ".ignore");
}

/* A file that only shows because ignore rules are gone is no change. */
static void drop_untold(struct sf_snap_plan *plan)
{
    size_t left = 0;

    for (size_t i = 0; i < plan->count; i++) {
        if (plan->steps[i].kept == sf_snap_was_ignored)
            free(plan->steps[i].path);
        else
            plan->steps[left++] = plan->steps[i];
    }
    plan->count = left;
}

/* What the walk could not keep and the mark did not see either: told, since it cannot be undone. */
static bool tell_skipped(const struct audit *a, const struct sf_snap_plan *plan,
                         const struct sf_snap_result *now, struct sf_error *err)
{
    struct sf_strbuf before = SF_STRBUF_INIT;
    bool ok = sf_oid_none(&a->mark.skipped) ||
              a->snap->git->read(a->snap->odb, &a->mark.skipped, SF_OBJECT_BLOB, &before, err);

    for (size_t i = 0; ok && i < now->skips.count; i++) {
        const char *colon = strrchr(now->skips.items[i], ':');
        char *path = sf_strndup(now->skips.items[i], (size_t)(colon - now->skips.items[i]));
        const struct sf_snap_change change = { .how = SF_SNAP_CHANGED,
                                               .path = path,
                                               .kept = colon + 2 };
        bool known = a->fence->may(a->fence->ctx, path, false) ||
                     memmem(before.buf, before.len, path, strlen(path) + 1);

        for (size_t k = 0; !known && k < plan->count; k++)
            known = !strcmp(plan->steps[k].path, path);
        if (!known)
            a->fn(a->ctx, &change);
        free(path);
    }
    sf_strbuf_release(&before);
    return ok;
}

/* The state with the changes is saved, then they go. */
static bool put_back(const struct audit *a, struct sf_snap_plan *plan,
                     const struct sf_snap_state *now, struct sf_error *err)
{
    const struct sf_snap_request request = { .kind = SF_SNAP_EDIT,
                                             .label = a->fence->label,
                                             .session = a->fence->session };
    struct sf_snap_result saved = SF_SNAP_RESULT_INIT;
    char temp[SF_SNAP_TEMP];
    bool ok = sf_snap_commit(a->snap, now, &request, &saved, err);

    if (ok)
        sf_strlist_add(a->saved, saved.id);
    ok = ok && sf_snap_temp_name(temp, err) && sf_snap_apply(a->snap, plan, temp, NULL, err);
    sf_snap_result_release(&saved);
    return ok;
}

/* One walk; `*again` when a further one may find more. */
static bool walk(const struct audit *a, bool *again, struct sf_error *err)
{
    const struct sf_scan_request scan = { .target = &a->mark };
    struct sf_snap_result result = SF_SNAP_RESULT_INIT;
    struct sf_snap_state now;
    struct sf_snap_plan plan = { 0 };
    const struct sf_plan_request request = { .now = &now,
                                             .target = &a->mark,
                                             .spares = a->fence->may,
                                             .ctx = a->fence->ctx,
                                             .overwrite = true };
    bool ok = sf_snap_scan(a->snap, &scan, &now, &result, err) &&
              sf_snap_plan_make(a->snap, &request, &plan, err);

    *again = false;
    if (ok) {
        drop_untold(&plan);
        ok = tell_skipped(a, &plan, &result, err);
    }
    if (ok && a->fence->put_back && plan.count) {
        ok = put_back(a, &plan, &now, err);
        for (size_t i = 0; i < plan.count; i++)
            *again = *again || (!plan.steps[i].kept && is_ignore_file(plan.steps[i].path));
    }
    sf_snap_plan_tell(&plan, a->fn, a->ctx);
    sf_snap_plan_release(&plan);
    sf_snap_result_release(&result);
    return ok;
}

bool sf_snap_audit(struct sf_snap *snap, const struct sf_snap_fence *fence, sf_snap_change_fn *fn,
                   void *ctx, struct sf_strlist *saved, struct sf_error *err)
{
    struct audit a = { .snap = snap, .fence = fence, .saved = saved, .fn = fn, .ctx = ctx };
    struct sf_lock lock = SF_LOCK_INIT;
    bool again = true;
    bool ok = sf_snap_lock(snap, NULL, &lock, err) && sf_snap_load(snap, fence->mark, &a.mark, err);

    for (int round = 0; ok && again && round < ROUNDS; round++)
        ok = walk(&a, &again, err);
    snap->git->drop(snap->odb);
    sf_lock_drop(&lock);
    return ok;
}
