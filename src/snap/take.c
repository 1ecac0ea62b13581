/*
 * take.c: takes snapshots of the whole workspace, or of a few files before they are edited. The
 * reference is written last; objects without one are removed by the next pruning.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "snap/internal.h"

static bool write_list(struct sf_snap *snap, const struct sf_strbuf *list, struct sf_oid *out,
                       struct sf_error *err)
{
    return !list->len || snap->git->write(snap->odb, SF_OBJECT_BLOB, list, out, err);
}

bool sf_snap_note_absent(struct sf_snap *snap, const struct sf_strlist *paths,
                         struct sf_snap_state *state, struct sf_snap_result *out,
                         struct sf_error *err)
{
    struct sf_strbuf list = SF_STRBUF_INIT;
    struct stat st;
    bool ok = true, ignored;

    for (size_t i = 0; ok && paths && i < paths->count; i++) {
        const char *path = paths->items[i];

        if (fstatat(snap->fd, path, &st, AT_SYMLINK_NOFOLLOW) == 0 || errno != ENOENT)
            continue;
        ok = sf_snap_ignores(snap, state, path, false, &ignored, err);
        if (ok && ignored) {
            sf_strbuf_add(&list, path, strlen(path) + 1);
            sf_strlist_add(&out->extra, path);
        }
    }
    ok = ok && write_list(snap, &list, &state->absent, err);
    sf_strbuf_release(&list);
    return ok;
}

bool sf_snap_take(struct sf_snap *snap, const struct sf_snap_request *request,
                  struct sf_snap_result *out, struct sf_error *err)
{
    struct sf_scan_request scan = { .extra = request->extra, .cancel = request->cancel };
    struct sf_lock lock = SF_LOCK_INIT;
    struct sf_snap_state state, since;
    bool ok = sf_snap_lock(snap, request->cancel, &lock, err) &&
              sf_snap_make_room(snap, request->budget, &out->pruned, &scan.room, err);

    if (ok && request->since) {
        ok = sf_snap_load(snap, request->since, &since, err);
        scan.exclude = &since;
    }
    ok = ok && sf_snap_scan(snap, &scan, &state, out, err) &&
         sf_snap_note_absent(snap, request->extra, &state, out, err) &&
         sf_snap_commit(snap, &state, request, out, err);

    snap->git->drop(snap->odb);
    sf_lock_drop(&lock);
    return ok;
}

void sf_snap_forget(struct sf_snap *snap, const char *id)
{
    char *path = sf_path_join(snap->refs, id);

    unlink(path);
    free(path);
}

/* ---- pre-images ---- */

/* A tree of a few files that is being built; directories are found by name. */
struct node {
    struct sf_snap_item item;
    struct node *below, *next;
};

static struct node *child(struct node *dir, const char *name, size_t len, struct sf_arena *arena)
{
    struct node *n;

    for (n = dir->below; n; n = n->next)
        if (n->item.len == len && !memcmp(n->item.name, name, len))
            return n;
    n = sf_arena_alloc(arena, sizeof(*n));
    n->item = (struct sf_snap_item){ .name = sf_arena_strndup(arena, name, len), .len = len };
    n->next = dir->below;
    dir->below = n;
    return n;
}

static bool write_node(struct sf_snap *snap, struct node *dir, struct sf_error *err)
{
    struct sf_snap_item *items = NULL;
    size_t count = 0, cap = 0;
    bool ok = true;

    for (struct node *n = dir->below; ok && n; n = n->next) {
        if (n->below)
            ok = write_node(snap, n, err);
        items = sf_grow(items, &cap, count + 1, sizeof(*items));
        items[count++] = n->item;
    }
    ok = ok && sf_snap_dir_write(snap, items, count, &dir->item, err);
    free(items);
    return ok;
}

struct keep {
    struct sf_snap *snap;
    const struct sf_snap_request *images; /* or NULL */
    struct node top;
    struct sf_arena arena;
    struct sf_strbuf absent, skipped, times;
    struct sf_snap_result *out;
};

/* Opens the directory of the path below the root without following links; -1 with errno. */
static int open_parent(struct sf_snap *snap, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *dir = sf_strndup(path, slash ? (size_t)(slash - path) : 0);
    int fd = sf_beneath_open_dir(snap->fd, dir);

    free(dir);
    return fd;
}

static void place(struct keep *k, const char *path, const struct sf_snap_item *item)
{
    struct node *at = &k->top;

    for (const char *rest = path;;) {
        size_t n = strcspn(rest, "/");

        at = child(at, rest, n, &k->arena);
        if (!rest[n])
            break;
        at->item.mode = S_IFDIR | 0755;
        rest += n + 1;
    }
    at->item.mode = item->mode;
    at->item.oid = item->oid;
    k->out->files++;
}

/* What is at the path now. */
static bool read_present(struct keep *k, const char *path, struct sf_snap_found *found,
                         struct sf_error *err)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    int dir = open_parent(k->snap, path);
    bool ok = true;

    if (dir >= 0) {
        ok = sf_snap_read_item(k->snap, dir, name, found, err);
        close(dir);
    } else if (errno != ENOENT && errno != ENOTDIR) {
        found->skip = sf_skip_unreachable;
    }
    return ok;
}

static bool read_image(struct keep *k, const char *path, struct sf_snap_found *found,
                       struct sf_error *err)
{
    struct sf_snap_image image = { .text = SF_STRBUF_INIT };
    bool ok = true;

    if (!k->images->image(k->images->image_ctx, path, &image))
        found->skip = sf_skip_unreadable;
    else if (image.mode)
        ok = k->snap->git->write(k->snap->odb, SF_OBJECT_BLOB, &image.text, &found->item.oid, err);
    found->item.mode = found->skip ? 0 : image.mode;
    found->stat.modified = image.modified;
    sf_strbuf_release(&image.text);
    return ok;
}

static bool keep_one(struct keep *k, const char *path, struct sf_error *err)
{
    struct sf_snap_found found = { .skip = NULL };

    if (!(k->images ? read_image(k, path, &found, err) : read_present(k, path, &found, err)))
        return false;
    if (found.item.mode) {
        place(k, path, &found.item);
        sf_times_write(&k->times, path, found.stat.modified);
    } else if (found.skip) {
        sf_skips_write(&k->skipped, path, found.skip, found.stat.mode ? &found.stat : NULL);
        sf_strlist_addf(&k->out->skips, "%s: %s", path, found.skip);
        k->out->skipped++;
    } else {
        sf_strbuf_add(&k->absent, path, strlen(path) + 1);
    }
    return true;
}

static bool keep_all(struct keep *k, const struct sf_strlist *paths, struct sf_error *err)
{
    struct sf_strbuf path = SF_STRBUF_INIT;
    bool ok = true;

    for (size_t i = 0; ok && paths && i < paths->count && i < SF_SNAP_SKIPS_MAX; i++) {
        sf_strbuf_reset(&path);
        ok = sf_beneath_normalize(paths->items[i], &path, err) &&
             (!path.len || keep_one(k, path.buf, err));
    }
    sf_strbuf_release(&path);
    return ok;
}

bool sf_snap_keep_locked(struct sf_snap *snap, const struct sf_strlist *paths,
                         const struct sf_snap_request *images, struct sf_snap_state *state,
                         struct sf_snap_result *out, struct sf_error *err)
{
    struct keep k = { .snap = snap,
                      .images = images,
                      .absent = SF_STRBUF_INIT,
                      .skipped = SF_STRBUF_INIT,
                      .times = SF_STRBUF_INIT,
                      .out = out };
    bool ok;

    *state = (struct sf_snap_state){ .partial = true };
    ok = keep_all(&k, paths, err) && write_node(snap, &k.top, err) &&
         write_list(snap, &k.absent, &state->absent, err) &&
         write_list(snap, &k.skipped, &state->skipped, err) &&
         write_list(snap, &k.times, &state->times, err);
    out->bytes += snap->git->batched(snap->odb);
    ok = ok && snap->git->flush(snap->odb, err);
    state->files = k.top.item.oid;
    state->modes = k.top.item.modes;
    sf_arena_release(&k.arena);
    sf_strbuf_release(&k.absent);
    sf_strbuf_release(&k.skipped);
    sf_strbuf_release(&k.times);
    return ok;
}
