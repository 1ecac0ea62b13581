/*
 * amend.c: adds files to a snapshot. An ignored file is in no snapshot until a tool is about to
 * edit it, or a command has touched it; then it is added to the snapshot of the turn as it was, so
 * that a restore covers it too. So is a file of another repository. The new trees are laid over
 * those of the snapshot; nothing else of it changes.
 */
#include <fcntl.h>
#include <sys/stat.h>

#include "base/base.h"
#include "snap/internal.h"

struct layer {
    struct sf_snap *snap;
    struct sf_strbuf path;
    struct sf_error *err;
};

static bool lay_over(struct layer *l, struct sf_snap_item *under, const struct sf_snap_item *over);

/* For a directory that only the upper layer has, the workspace tells the permissions. */
static uint32_t dir_mode(const struct layer *l)
{
    struct stat st;

    if (fstatat(l->snap->fd, l->path.buf, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISDIR(st.st_mode))
        return S_IFDIR | 0755;
    return (uint32_t)(st.st_mode & (S_IFMT | 03777));
}

static bool lay_item(struct layer *l, const struct sf_snap_item *below,
                     const struct sf_snap_item *above, struct sf_snap_item *out)
{
    size_t len = l->path.len;
    bool ok = true;

    if (!S_ISDIR(above->mode)) {
        *out = *above;
        return true;
    }
    if (len)
        sf_strbuf_addch(&l->path, '/');
    sf_strbuf_add(&l->path, above->name, above->len);
    *out = *above;
    if (below && S_ISDIR(below->mode)) {
        *out = *below;
        ok = lay_over(l, out, above);
    } else {
        const struct sf_snap_item upper = *above;

        *out = (struct sf_snap_item){ .name = above->name, .len = above->len };
        out->mode = dir_mode(l);
        if (below && below->mode == SF_SNAP_REPOSITORY)
            out->mode |= SF_SNAP_SOME;
        ok = lay_over(l, out, &upper);
    }
    sf_strbuf_truncate(&l->path, len);
    return ok;
}

/* Merges the trees of `over` into those of `under`; `over` wins. */
static bool lay_over(struct layer *l, struct sf_snap_item *under, const struct sf_snap_item *over)
{
    struct sf_snap_dir a = SF_SNAP_DIR_INIT, b = SF_SNAP_DIR_INIT;
    struct sf_snap_item *items = NULL;
    size_t count = 0;
    bool ok = sf_snap_dir_load(l->snap, &under->oid, &under->modes, &a, l->err) &&
              sf_snap_dir_load(l->snap, &over->oid, &over->modes, &b, l->err);

    items = sf_alloc_array(a.count + b.count + 1, sizeof(*items));
    for (size_t i = 0; ok && i < a.count; i++)
        if (!sf_snap_dir_find(&b, a.items[i].name, a.items[i].len))
            items[count++] = a.items[i];
    for (size_t i = 0; ok && i < b.count; i++)
        ok = lay_item(l, sf_snap_dir_find(&a, b.items[i].name, b.items[i].len), &b.items[i],
                      &items[count++]);
    ok = ok && sf_snap_dir_write(l->snap, items, count, under, l->err);
    free(items);
    sf_snap_dir_release(&a);
    sf_snap_dir_release(&b);
    return ok;
}

/* Appends one list of paths to the other. */
static bool join_lists(struct sf_snap *snap, struct sf_oid *to, const struct sf_oid *more,
                       struct sf_error *err)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    bool ok = sf_oid_none(to) || snap->git->read(snap->odb, to, SF_OBJECT_BLOB, &text, err);

    ok = ok && (sf_oid_none(more) || snap->git->read(snap->odb, more, SF_OBJECT_BLOB, &text, err));
    if (ok && text.len)
        ok = snap->git->write(snap->odb, SF_OBJECT_BLOB, &text, to, err);
    sf_strbuf_release(&text);
    return ok;
}

/* Whether a part of the path is a name that no snapshot has, such as .git. */
static bool is_machinery(const char *path)
{
    bool found = false;

    for (const char *at = path; !found && *at;) {
        size_t n = strcspn(at, "/");
        char *name = sf_strndup(at, n);

        found = sf_ignore_is_machinery(name);
        free(name);
        at += n + (at[n] == '/');
    }
    return found;
}

/* `absent` is the state's list. */
static bool lacks(struct sf_snap *snap, const struct sf_snap_state *state,
                  const struct sf_strlist *absent, const char *path, size_t *top,
                  struct sf_error *err)
{
    struct sf_snap_item item;

    *top = 0;
    if (!sf_snap_lookup(snap, state, path, &item, err))
        return false;
    return item.mode || sf_snap_absent_has(absent, path) || is_machinery(path) ||
           sf_snap_ignored_top(snap, state, path, false, top, err);
}

bool sf_snap_lacks(struct sf_snap *snap, const char *id, const struct sf_strlist *paths,
                   size_t *tops, struct sf_error *err)
{
    struct sf_strlist absent = SF_STRLIST_INIT;
    struct sf_snap_state state;
    bool ok = sf_snap_load(snap, id, &state, err) && sf_snap_absent(snap, &state, &absent, err);

    for (size_t i = 0; ok && i < paths->count; i++)
        ok = lacks(snap, &state, &absent, paths->items[i], &tops[i], err);
    sf_strlist_release(&absent);
    return ok;
}

/* Finds the paths of which the snapshot knows neither content nor absence. */
static bool find_lacking(struct sf_snap *snap, const struct sf_snap_state *state,
                         const struct sf_strlist *paths, struct sf_strlist *out,
                         struct sf_error *err)
{
    struct sf_strlist absent = SF_STRLIST_INIT;
    bool ok = sf_snap_absent(snap, state, &absent, err);
    size_t top;

    for (size_t i = 0; ok && i < paths->count; i++) {
        ok = lacks(snap, state, &absent, paths->items[i], &top, err);
        if (ok && top)
            sf_strlist_add(out, paths->items[i]);
    }
    sf_strlist_release(&absent);
    return ok;
}

static bool amend_locked(struct sf_snap *snap, struct sf_snap_state *state,
                         const struct sf_snap_request *request, struct sf_snap_result *out,
                         struct sf_error *err)
{
    struct layer l = { .snap = snap, .path = SF_STRBUF_INIT, .err = err };
    struct sf_snap_item top = { .mode = S_IFDIR, .oid = state->files, .modes = state->modes };
    struct sf_snap_item more = { .mode = S_IFDIR };
    struct sf_snap_state some;
    bool ok =
        sf_snap_keep_locked(snap, &out->extra, request->image ? request : NULL, &some, out, err);

    more.oid = some.files;
    more.modes = some.modes;
    ok = ok && lay_over(&l, &top, &more) && join_lists(snap, &state->absent, &some.absent, err) &&
         join_lists(snap, &state->skipped, &some.skipped, err) &&
         join_lists(snap, &state->times, &some.times, err);
    state->files = top.oid;
    state->modes = top.modes;
    sf_strbuf_release(&l.path);
    return ok && sf_snap_commit(snap, state, request, out, err);
}

bool sf_snap_amend(struct sf_snap *snap, const char *id, const struct sf_snap_request *request,
                   struct sf_snap_result *out, struct sf_error *err)
{
    struct sf_lock lock = SF_LOCK_INIT;
    struct sf_snap_state state;
    bool ok = sf_snap_lock(snap, request->cancel, &lock, err) &&
              sf_snap_load(snap, id, &state, err) &&
              find_lacking(snap, &state, request->extra, &out->extra, err);

    if (ok && out->extra.count)
        ok = amend_locked(snap, &state, request, out, err);
    if (ok && *out->id)
        sf_snap_forget(snap, id);
    snap->git->drop(snap->odb);
    sf_lock_drop(&lock);
    return ok;
}
