/*
 * audit.c: finds what a command changed outside its fence, by the same walk that takes snapshots,
 * and puts it back from the snapshot before the command. There is no journal: each file is put back
 * atomically, and if sf dies in between, the rest stays as the command left it, saved either way.
 *
 * Ignore rules that the command wrote do not hide its other changes: the walk uses those of the
 * mark. .git/info/exclude is in no tree, so it is compared and put back separately.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "snap/internal.h"

static const char exclude_path[] = ".git/info/exclude";

struct audit {
    struct sf_snap *snap;
    const struct sf_snap_fence *fence;
    struct sf_snap_state mark;
    struct sf_strlist *saved;
    sf_snap_change_fn *fn;
    void *ctx;
};

/* Ignored files are nobody's scope, whether the mark has them or rules that hid them are gone. */
static bool drop_untold(const struct audit *a, struct sf_snap_plan *plan, struct sf_error *err)
{
    size_t left = 0;
    bool ok = true;

    for (size_t i = 0; i < plan->count; i++) {
        const struct sf_snap_step *step = &plan->steps[i];
        bool ignored = step->kept == sf_snap_was_ignored;

        ok = ok && (ignored || sf_snap_ignores(a->snap, &a->mark, step->path,
                                               S_ISDIR(step->from.mode) || S_ISDIR(step->to.mode),
                                               &ignored, err));
        if (ignored)
            free(plan->steps[i].path);
        else
            plan->steps[left++] = plan->steps[i];
    }
    plan->count = left;
    return ok;
}

/* Steps that the fence leaves are told like all others, and not done. */
static void leave_some(const struct audit *a, struct sf_snap_plan *plan)
{
    for (size_t i = 0; a->fence->leaves && i < plan->count; i++) {
        const struct sf_snap_change change = sf_snap_step_change(&plan->steps[i]);
        const char *why = change.kept ? NULL : a->fence->leaves(a->fence->ctx, &change);

        if (why)
            sf_snap_plan_keep(plan, &plan->steps[i], why);
    }
}

static bool is_to_do(const struct sf_snap_plan *plan)
{
    for (size_t i = 0; i < plan->count; i++)
        if (!plan->steps[i].kept)
            return true;
    return false;
}

/* ---- .git/info/exclude ---- */

/* Puts back the text of the mark; the saved state has the current one. */
static const char *write_exclude(const struct audit *a, const struct sf_strbuf *text)
{
    int info = sf_beneath_open_dir(a->snap->fd, ".git/info");
    char temp[SF_SNAP_TEMP];
    struct sf_error err = SF_ERROR_INIT;
    bool ok = false;
    int fd = -1;

    if (info >= 0 && sf_snap_temp_name(temp, &err))
        fd = openat(info, temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (fd >= 0) {
        ok = sf_fd_write_all(fd, text->buf, text->len);
        ok = close(fd) == 0 && ok && renameat(info, temp, info, "exclude") == 0;
        if (!ok)
            unlinkat(info, temp, 0);
    }
    if (info >= 0)
        close(info);
    return ok ? NULL : "cannot be written";
}

struct exclude {
    struct sf_strbuf then, now;
    bool changed;
};

/* The next line that is neither empty nor a comment; false: there is none. */
static bool next_rule(const struct sf_strbuf *text, size_t *at, const char **line, size_t *len)
{
    while (*at < text->len) {
        const char *end = memchr(text->buf + *at, '\n', text->len - *at);

        *line = text->buf + *at;
        *len = end ? (size_t)(end - *line) : text->len - *at;
        *at += *len + (end != NULL);
        if (*len && **line != '#')
            return true;
    }
    return false;
}

static bool same_rules(const struct sf_strbuf *a, const struct sf_strbuf *b)
{
    const char *x, *y;
    size_t i = 0, j = 0, n, m;

    for (;;) {
        bool more = next_rule(a, &i, &x, &n);

        if (more != next_rule(b, &j, &y, &m))
            return false;
        if (!more)
            return true;
        if (n != m || memcmp(x, y, n) != 0)
            return false;
    }
}

static void compare_exclude(const struct audit *a, struct exclude *e)
{
    if (sf_oid_none(&a->mark.exclude) || a->fence->may(a->fence->ctx, exclude_path, false))
        return;
    sf_snap_exclude(a->snap, &a->mark, &e->then);
    sf_snap_exclude(a->snap, NULL, &e->now);
    e->changed = !same_rules(&e->then, &e->now);
}

static void settle_exclude(const struct audit *a, const struct exclude *e)
{
    struct sf_snap_change change = {
        .how = SF_SNAP_HOW_CHANGED, .path = exclude_path, .from_mode = S_IFREG, .to_mode = S_IFREG
    };

    if (!e->changed)
        return;
    if (a->fence->put_back && e->then.len < SF_IGNORE_FILE_MAX)
        change.kept = write_exclude(a, &e->then);
    else if (a->fence->put_back)
        change.kept = sf_skip_large; /* the file was not read completely */
    a->fn(a->ctx, &change);
}

/* ---- the walk ---- */

/* Saves the state with the changes, then reverts them. */
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

/* The saved state records the exclude file as the command left it. */
static bool save_exclude(const struct audit *a, const struct exclude *e, struct sf_snap_state *now,
                         struct sf_error *err)
{
    return !e->changed ||
           a->snap->git->write(a->snap->odb, SF_OBJECT_BLOB, &e->now, &now->exclude, err);
}

static bool walk(const struct audit *a, const struct exclude *exclude, struct sf_error *err)
{
    const struct sf_scan_request scan = { .target = &a->mark, .exclude = &a->mark, .strict = true };
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

    ok = ok && drop_untold(a, &plan, err);
    if (ok) {
        leave_some(a, &plan);
        if (a->fence->put_back && (is_to_do(&plan) || exclude->changed))
            ok = save_exclude(a, exclude, &now, err) && put_back(a, &plan, &now, err);
    }
    sf_snap_plan_tell(&plan, a->fn, a->ctx);
    if (ok)
        settle_exclude(a, exclude);
    sf_snap_plan_release(&plan);
    sf_snap_result_release(&result);
    return ok;
}

bool sf_snap_audit(struct sf_snap *snap, const struct sf_snap_fence *fence, sf_snap_change_fn *fn,
                   void *ctx, struct sf_strlist *saved, struct sf_error *err)
{
    struct audit a = { .snap = snap, .fence = fence, .saved = saved, .fn = fn, .ctx = ctx };
    struct exclude exclude = { SF_STRBUF_INIT, SF_STRBUF_INIT, false };
    struct sf_lock lock = SF_LOCK_INIT;
    bool ok = sf_snap_lock(snap, NULL, &lock, err) && sf_snap_load(snap, fence->mark, &a.mark, err);

    if (ok)
        compare_exclude(&a, &exclude);
    ok = ok && walk(&a, &exclude, err);
    snap->git->drop(snap->odb);
    sf_lock_drop(&lock);
    sf_strbuf_release(&exclude.then);
    sf_strbuf_release(&exclude.now);
    return ok;
}
