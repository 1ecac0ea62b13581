/*
 * recent.c: a cache of directories. Walks look up one path after the other, and each path leads
 * through the same directories; reading a directory of thousands of files again for each of them
 * would take quadratic time. Objects are named by their content, so the cache never goes stale.
 */
#include "base/base.h"
#include "snap/internal.h"

enum { ITEMS_MAX = 500000 }; /* in all cached directories together, except the last one */

void sf_snap_recent_drop(struct sf_snap *snap)
{
    for (size_t i = 0; i < SF_COUNT(snap->recent); i++) {
        sf_snap_dir_release(&snap->recent[i].dir);
        snap->recent[i] = (struct sf_snap_recent){ .dir = SF_SNAP_DIR_INIT };
    }
}

static struct sf_snap_recent *find(struct sf_snap *snap, const struct sf_oid *files,
                                   const struct sf_oid *modes)
{
    for (size_t i = 0; i < SF_COUNT(snap->recent); i++)
        if (snap->recent[i].used && sf_oid_same(&snap->recent[i].files, files) &&
            sf_oid_same(&snap->recent[i].modes, modes))
            return &snap->recent[i];
    return NULL;
}

/* The slot of the least recently used directory. */
static struct sf_snap_recent *make_room(struct sf_snap *snap)
{
    struct sf_snap_recent *oldest = &snap->recent[0];
    size_t items = 0;

    for (size_t i = 0; i < SF_COUNT(snap->recent); i++)
        items += snap->recent[i].dir.count;
    if (items > ITEMS_MAX)
        sf_snap_recent_drop(snap);
    for (size_t i = 1; i < SF_COUNT(snap->recent); i++)
        if (snap->recent[i].used < oldest->used)
            oldest = &snap->recent[i];
    sf_snap_dir_release(&oldest->dir);
    *oldest = (struct sf_snap_recent){ .dir = SF_SNAP_DIR_INIT };
    return oldest;
}

const struct sf_snap_dir *sf_snap_recent_get(struct sf_snap *snap, const struct sf_oid *files,
                                             const struct sf_oid *modes, struct sf_error *err)
{
    struct sf_snap_recent *r = find(snap, files, modes);

    if (!r) {
        r = make_room(snap);
        if (!sf_snap_dir_load(snap, files, modes, &r->dir, err)) {
            sf_snap_dir_release(&r->dir);
            return NULL;
        }
        r->files = *files;
        r->modes = *modes;
    }
    r->used = ++snap->asked;
    return &r->dir;
}
