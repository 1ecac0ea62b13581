/*
 * diff.c: compares two snapshots by walking both trees side by side, skipping entries with the
 * same name and the same objects.
 */
#include <sys/stat.h>

#include "base/base.h"
#include "snap/internal.h"

struct diff {
    struct sf_snap *snap;
    struct sf_strbuf path;
    sf_diff_fn *fn;
    void *ctx;
};

static bool same_item(const struct sf_snap_item *a, const struct sf_snap_item *b)
{
    return a->mode == b->mode && sf_oid_same(&a->oid, &b->oid) && sf_oid_same(&a->modes, &b->modes);
}

static bool walk(struct diff *d, const struct sf_snap_item *from, const struct sf_snap_item *to,
                 struct sf_error *err);

/* A directory itself counts as changed if its mode differs; its contents follow. */
static bool visit(struct diff *d, const struct sf_snap_item *from, const struct sf_snap_item *to,
                  struct sf_error *err)
{
    static const struct sf_snap_item nothing;
    bool down = S_ISDIR(from->mode) || S_ISDIR(to->mode);
    struct sf_tree_change change = { d->path.buf, d->path.len, *from, *to };

    if (same_item(from, to))
        return true;
    if ((from->mode != to->mode || !S_ISDIR(from->mode)) && !d->fn(d->ctx, &change, err))
        return false;
    return !down ||
           walk(d, S_ISDIR(from->mode) ? from : &nothing, S_ISDIR(to->mode) ? to : &nothing, err);
}

static int order_of(const struct sf_snap_item *a, const struct sf_snap_item *b)
{
    size_t n = a->len < b->len ? a->len : b->len;
    int order = memcmp(a->name, b->name, n);

    return order ? order : (a->len > b->len) - (a->len < b->len);
}

static bool merge(struct diff *d, const struct sf_snap_dir *a, const struct sf_snap_dir *b,
                  struct sf_error *err)
{
    static const struct sf_snap_item nothing;
    size_t i = 0, j = 0, len = d->path.len;
    bool ok = true;

    while (ok && (i < a->count || j < b->count)) {
        int order = i == a->count ? 1 : j == b->count ? -1 : order_of(&a->items[i], &b->items[j]);
        const struct sf_snap_item *x = order <= 0 ? &a->items[i++] : &nothing;
        const struct sf_snap_item *y = order >= 0 ? &b->items[j++] : &nothing;
        const struct sf_snap_item *named = order <= 0 ? x : y;

        if (len)
            sf_strbuf_addch(&d->path, '/');
        sf_strbuf_add(&d->path, named->name, named->len);
        ok = visit(d, x, y, err);
        sf_strbuf_truncate(&d->path, len);
    }
    return ok;
}

static bool walk(struct diff *d, const struct sf_snap_item *from, const struct sf_snap_item *to,
                 struct sf_error *err)
{
    struct sf_snap_dir a = SF_SNAP_DIR_INIT, b = SF_SNAP_DIR_INIT;
    bool ok = sf_snap_dir_load(d->snap, &from->oid, &from->modes, &a, err) &&
              sf_snap_dir_load(d->snap, &to->oid, &to->modes, &b, err) && merge(d, &a, &b, err);

    sf_snap_dir_release(&a);
    sf_snap_dir_release(&b);
    return ok;
}

bool sf_snap_diff_trees(struct sf_snap *snap, const struct sf_snap_state *from,
                        const struct sf_snap_state *to, sf_diff_fn *fn, void *ctx,
                        struct sf_error *err)
{
    const struct sf_snap_item a = { .mode = S_IFDIR, .oid = from->files, .modes = from->modes };
    const struct sf_snap_item b = { .mode = S_IFDIR, .oid = to->files, .modes = to->modes };
    struct diff d = { snap, SF_STRBUF_INIT, fn, ctx };
    bool ok = same_item(&a, &b) || walk(&d, &a, &b, err);

    sf_strbuf_release(&d.path);
    return ok;
}

/* ---- the public interface ---- */

struct teller {
    struct sf_skips from, to;
    sf_snap_change_fn *fn;
    void *ctx;
    bool stopped;
};

static bool tell_change(struct teller *t, struct sf_snap_change *change, struct sf_error *err)
{
    change->how = !change->from_mode ? SF_SNAP_HOW_ADDED
                  : !change->to_mode ? SF_SNAP_HOW_REMOVED
                                     : SF_SNAP_HOW_CHANGED;
    if (t->fn(t->ctx, change))
        return true;
    t->stopped = true;
    return sf_fail(err, SF_E_CANCELLED, "enough");
}

static bool tell(void *ctx, const struct sf_tree_change *c, struct sf_error *err)
{
    struct teller *t = ctx;
    const struct sf_skip *from = c->from.mode ? NULL : sf_skips_find(&t->from, c->path);
    const struct sf_skip *to = c->to.mode ? NULL : sf_skips_find(&t->to, c->path);
    struct sf_snap_change change = {
        .path = c->path,
        .from_mode = from ? from->stat.mode : c->from.mode,
        .to_mode = to ? to->stat.mode : c->to.mode,
        .kept = from ? from->why
                : to ? to->why
                     : NULL,
        .lost = from != NULL,
    };

    return tell_change(t, &change, err);
}

static bool tell_skip(void *ctx, const struct sf_skip_change *c, struct sf_error *err)
{
    const struct sf_skip *any = c->from ? c->from : c->to;
    struct sf_snap_change change = { .path = any->path,
                                     .from_mode = c->from ? S_IFREG : 0,
                                     .to_mode = c->to ? S_IFREG : 0,
                                     .kept = any->why,
                                     .lost = c->from != NULL };

    if (c->ignored || any->why == sf_skip_hidden)
        return true;
    return tell_change(ctx, &change, err);
}

static bool tell_all(struct sf_snap *snap, const struct sf_snap_state *a,
                     const struct sf_snap_state *b, struct teller *t, struct sf_error *err)
{
    const struct sf_skips_pair pair = {
        .from = a, .to = b, .from_list = &t->from, .to_list = &t->to
    };

    return sf_skips_load(snap, &a->skipped, &t->from, err) &&
           sf_skips_load(snap, &b->skipped, &t->to, err) &&
           sf_snap_diff_trees(snap, a, b, tell, t, err) &&
           sf_skips_compare(snap, &pair, tell_skip, t, err);
}

bool sf_snap_diff(struct sf_snap *snap, const char *from, const char *to, sf_snap_change_fn *fn,
                  void *ctx, struct sf_error *err)
{
    struct sf_snap_result counts = SF_SNAP_RESULT_INIT;
    struct sf_scan_request scan = { .extra = NULL };
    struct teller t = { SF_SKIPS_INIT, SF_SKIPS_INIT, fn, ctx, false };
    struct sf_lock lock = SF_LOCK_INIT;
    struct sf_snap_state a, b;
    bool ok = sf_snap_load(snap, from, &a, err);

    scan.target = scan.exclude = &a;
    if (ok && to)
        ok = sf_snap_load(snap, to, &b, err);
    else if (ok)
        ok = sf_snap_lock(snap, NULL, &lock, err) && sf_snap_scan(snap, &scan, &b, &counts, err);
    ok = ok && tell_all(snap, &a, &b, &t, err);
    if (t.stopped)
        *err = (struct sf_error)SF_ERROR_INIT;
    sf_lock_drop(&lock);
    sf_skips_release(&t.from);
    sf_skips_release(&t.to);
    sf_snap_result_release(&counts);
    return ok || t.stopped;
}

bool sf_snap_read_blob(struct sf_snap *snap, const char *id, const char *path,
                       struct sf_strbuf *out, uint32_t *mode, struct sf_error *err)
{
    struct sf_snap_state state;
    struct sf_snap_item item;

    *mode = 0;
    if (!sf_snap_load(snap, id, &state, err) || !sf_snap_lookup(snap, &state, path, &item, err))
        return false;
    *mode = item.mode;
    return !(S_ISREG(item.mode) || S_ISLNK(item.mode)) ||
           snap->git->read(snap->odb, &item.oid, SF_OBJECT_BLOB, out, err);
}
