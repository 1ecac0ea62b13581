/*
 * skips.c: lists of the paths that a snapshot left out, so that a comparison of two states covers
 * them too: if a file that was too large is gone now, that must be reported.
 *
 * A list is a blob of unsorted "PATH\0why\0"; after the reason and a tab comes the result of stat.
 * Older snapshots do not have that part, and what they left out counts as unchanged.
 */
#include <inttypes.h>
#include <sys/stat.h>

#include "base/base.h"
#include "snap/internal.h"

const char sf_skip_unreadable[] = "cannot be read";
const char sf_skip_large[] = "too large";
const char sf_skip_special[] = "neither file, link nor directory";
const char sf_skip_deep[] = "too deep";
const char sf_skip_names[] = "has too many names";
const char sf_skip_unreachable[] = "cannot be reached";
const char sf_skip_repository[] = "a repository of its own";
const char sf_skip_hidden[] = "ignored since";
static const char other_reason[] = "left out";

/* The static string that equals the reason. */
static const char *lasting(const char *why, size_t len)
{
    static const char *const all[] = {
        sf_skip_unreadable, sf_skip_large,       sf_skip_special,    sf_skip_deep,
        sf_skip_names,      sf_skip_unreachable, sf_skip_repository, sf_skip_hidden,
    };

    for (size_t i = 0; i < SF_COUNT(all); i++)
        if (strlen(all[i]) == len && !memcmp(all[i], why, len))
            return all[i];
    return other_reason;
}

void sf_skips_write(struct sf_strbuf *out, const char *path, const char *why,
                    const struct sf_index_stat *stat)
{
    sf_strbuf_add(out, path, strlen(path) + 1);
    sf_strbuf_adds(out, why);
    if (stat)
        sf_strbuf_addf(out, "\t%" PRIo32 " %" PRIu64 " %" PRIu64 " %" PRId64 " %" PRId64,
                       stat->mode, stat->size, stat->ino, stat->modified, stat->changed);
    sf_strbuf_addch(out, '\0');
}

static int by_path(const void *a, const void *b)
{
    const struct sf_skip *x = a, *y = b;

    return strcmp(x->path, y->path);
}

static void add(struct sf_skips *list, const char *path, const char *why)
{
    size_t len = strcspn(why, "\t");
    struct sf_skip skip = { .path = path, .why = lasting(why, len) };

    skip.known = sscanf(why + len, "\t%" SCNo32 " %" SCNu64 " %" SCNu64 " %" SCNd64 " %" SCNd64,
                        &skip.stat.mode, &skip.stat.size, &skip.stat.ino, &skip.stat.modified,
                        &skip.stat.changed) == 5;
    list->items = sf_grow(list->items, &list->cap, list->count + 1, sizeof(skip));
    list->items[list->count++] = skip;
}

bool sf_skips_load(struct sf_snap *snap, const struct sf_oid *blob, struct sf_skips *out,
                   struct sf_error *err)
{
    size_t left = 0;

    if (sf_oid_none(blob))
        return true;
    if (!snap->git->read(snap->odb, blob, SF_OBJECT_BLOB, &out->text, err))
        return false;
    for (const char *at = out->text.buf, *end = at + out->text.len; at < end;) {
        const char *why = at + strlen(at) + 1;

        if (why >= end)
            break;
        add(out, at, why);
        at = why + strlen(why) + 1;
    }
    if (out->count)
        qsort(out->items, out->count, sizeof(*out->items), by_path);
    for (size_t i = 0; i < out->count; i++) /* a joined list may have duplicates */
        if (!left || strcmp(out->items[left - 1].path, out->items[i].path) != 0)
            out->items[left++] = out->items[i];
    out->count = left;
    return true;
}

void sf_skips_release(struct sf_skips *list)
{
    free(list->items);
    sf_strbuf_release(&list->text);
    *list = (struct sf_skips)SF_SKIPS_INIT;
}

const struct sf_skip *sf_skips_find(const struct sf_skips *list, const char *path)
{
    const struct sf_skip key = { .path = path };

    return list->count ? bsearch(&key, list->items, list->count, sizeof(key), by_path) : NULL;
}

bool sf_skips_touch(const struct sf_skips *list, const char *path)
{
    char *key = list->count ? sf_strdup(path) : NULL;
    bool found = false;

    for (char *end = key; end && !found; end = strrchr(key, '/')) {
        if (end != key)
            *end = '\0';
        found = sf_skips_find(list, key) != NULL;
    }
    free(key);
    return found;
}

/* For pipes, sockets and the like only the type counts: they have no content to compare. */
static bool same(const struct sf_skip *a, const struct sf_skip *b)
{
    if (!a->known || !b->known)
        return true;
    if ((a->stat.mode & S_IFMT) != (b->stat.mode & S_IFMT))
        return false;
    if (!S_ISREG(a->stat.mode) && !S_ISDIR(a->stat.mode))
        return true;
    return a->stat.mode == b->stat.mode && a->stat.size == b->stat.size &&
           a->stat.ino == b->stat.ino && a->stat.modified == b->stat.modified &&
           a->stat.changed == b->stat.changed;
}

struct listener {
    struct sf_snap *snap;
    sf_skip_fn *fn;
    void *ctx;
};

/* Only one side left the path out: reported unless the other side has it or cannot know it. */
static bool tell_single(const struct listener *l, const struct sf_snap_state *other,
                        const struct sf_skips *there, struct sf_skip_change *change,
                        struct sf_error *err)
{
    const struct sf_skip *skip = change->from ? change->from : change->to;
    struct sf_snap_item item;

    if (!sf_snap_lookup(l->snap, other, skip->path, &item, err))
        return false;
    if (item.mode || sf_skips_touch(there, skip->path))
        return true;
    return sf_snap_ignores(l->snap, other, skip->path, S_ISDIR(skip->stat.mode), &change->ignored,
                           err) &&
           l->fn(l->ctx, change, err);
}

bool sf_skips_compare(struct sf_snap *snap, const struct sf_skips_pair *pair, sf_skip_fn *fn,
                      void *ctx, struct sf_error *err)
{
    const struct listener l = { snap, fn, ctx };
    bool ok = true;

    for (size_t i = 0; ok && i < pair->from_list->count; i++) {
        struct sf_skip_change change = { .from = &pair->from_list->items[i] };

        change.to = sf_skips_find(pair->to_list, change.from->path);
        if (!change.to)
            ok = tell_single(&l, pair->to, pair->to_list, &change, err);
        else if (!same(change.from, change.to))
            ok = fn(ctx, &change, err);
    }
    for (size_t i = 0; ok && i < pair->to_list->count; i++) {
        struct sf_skip_change change = { .to = &pair->to_list->items[i] };

        if (!sf_skips_find(pair->from_list, change.to->path))
            ok = tell_single(&l, pair->from, pair->from_list, &change, err);
    }
    return ok;
}
