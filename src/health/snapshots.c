/*
 * snapshots.c: checks of the snapshots: their repository, its size, content that is gone, a restore
 * that was cut short. A repository that is not whole is not opened, since opening would complete it.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "health/internal.h"
#include "io/io.h"
#include "snap/snap.h"
#include "store/store.h"
#include "tools/tools.h"

enum { DEPTH_MAX = 4, REFS_MAX = 20000, SHOWN = 5 };

/* The repository's path, owned; NULL: there is none, which is said, or a part is missing. */
static char *find(struct sf_health *h)
{
    char *path;

    if (!sf_health_has_workspace(h) || !sf_health_has_state(h))
        return NULL;
    path = sf_path_join(h->at->state_dir, "snapshots.git");
    if (access(path, F_OK) == 0)
        return path;
    sf_health_say(h, SF_HEALTH_OK, "", "there are none yet");
    free(path);
    return NULL;
}

static bool is_whole(const char *path)
{
    static const char *const parts[] = { "HEAD", "config", "objects/pack", "refs/sf", "sf" };

    for (size_t i = 0; i < SF_COUNT(parts); i++)
        if (!sf_health_exists(path, parts[i]))
            return false;
    return true;
}

static bool add_size(void *ctx, const char *path, const struct stat *st)
{
    (void)path;
    if (S_ISREG(st->st_mode))
        *(uint64_t *)ctx += (uint64_t)st->st_size;
    return true;
}

static uint64_t size_of(const char *path)
{
    uint64_t size = 0;
    struct sf_health_walk walk = {
        .fn = add_size, .ctx = &size, .depth = DEPTH_MAX, .left = SIZE_MAX
    };

    sf_health_walk(&walk, path);
    return size;
}

/* ---- how many, how large ---- */

static bool count_one(void *ctx, const struct sf_snapshot_row *row)
{
    (void)row;
    ++*(size_t *)ctx;
    return true;
}

void sf_health_look_snapshots(struct sf_health *h)
{
    struct sf_strbuf size = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_snapshot_filter filter = { .worktree = NULL };
    struct sf_store *store = NULL;
    char *path = find(h);
    size_t count = 0;

    if (path) {
        filter.worktree = h->at->workspace->root;
        store = sf_store_open(h->at->state_dir, SF_STORE_READ, &err);
        sf_kind_size(&size, size_of(path));
        if (!store || !sf_store_each_snapshot(store, &filter, count_one, &count, &err))
            sf_health_error(h, SF_HEALTH_WARNING, &err);
        else
            sf_health_say(h, SF_HEALTH_OK, "", "%zu of this workspace; all of the project take %s",
                          count, size.buf);
    }
    sf_store_close(store);
    sf_strbuf_release(&size);
    free(path);
}

/* Between two snapshots the newest may pass the limit; the next one then deletes the oldest. */
void sf_health_look_budget(struct sf_health *h)
{
    struct sf_strbuf have = SF_STRBUF_INIT, most = SF_STRBUF_INIT;
    const struct sf_snap_budget *budget = &sf_snap_budget_default;
    char *path = find(h);
    uint64_t size = path ? size_of(path) : 0;

    if (path) {
        sf_kind_size(&have, size);
        sf_kind_size(&most, budget->bytes);
        if (size > budget->bytes + budget->bytes / 10)
            sf_health_say(h, SF_HEALTH_WARNING,
                          "end sessions that hold old ones; the next snapshot deletes the rest",
                          "snapshots take %s of %s", have.buf, most.buf);
        else
            sf_health_say(h, SF_HEALTH_OK, "", "%s of %s", have.buf, most.buf);
    }
    sf_strbuf_release(&have);
    sf_strbuf_release(&most);
    free(path);
}

/* ---- damage ---- */

struct newest {
    char id[SF_SNAP_ID + 1];
    struct timespec time;
    const char *worktree;
};

static bool take_newest(void *ctx, const char *path, const struct stat *st)
{
    struct newest *n = ctx;
    const char *name = strrchr(path, '/') + 1;
    bool later = st->st_mtim.tv_sec > n->time.tv_sec ||
                 (st->st_mtim.tv_sec == n->time.tv_sec && st->st_mtim.tv_nsec >= n->time.tv_nsec);

    if (S_ISREG(st->st_mode) && strlen(name) == SF_SNAP_ID && later) {
        snprintf(n->id, sizeof(n->id), "%s", name);
        n->time = st->st_mtim;
    }
    return true;
}

/* The newest snapshot must have its commit and its trees; the others are compared by their rows. */
static bool can_read(const char *dir, const char *root, const char *id, struct sf_error *err)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_snap *snap = sf_snap_open(dir, root, err);
    uint32_t mode = 0;
    bool ok = snap && (!*id || sf_snap_read_blob(snap, id, "?", &text, &mode, err));

    sf_snap_close(snap);
    sf_strbuf_release(&text);
    return ok;
}

void sf_health_look_side(struct sf_health *h)
{
    static const char hint[] = "move snapshots.git away: the next snapshot makes a new one";
    struct newest newest = { .id = "" };
    struct sf_health_walk walk = { .fn = take_newest, .ctx = &newest, .left = REFS_MAX };
    struct sf_error err = SF_ERROR_INIT;
    char *path = find(h), *refs = path ? sf_path_join(path, "refs/sf") : NULL;
    char *objects = path ? sf_path_join(path, "objects") : NULL;

    if (path && !is_whole(path)) {
        sf_health_say(h, SF_HEALTH_PROBLEM, hint, "parts of the snapshots are missing in %s", path);
    } else if (path && access(objects, W_OK | X_OK) < 0) {
        sf_health_say(h, SF_HEALTH_PROBLEM, "make it writable", "%s cannot be written: %s", objects,
                      strerror(errno));
    } else if (path) {
        sf_health_walk(&walk, refs);
        if (can_read(h->at->state_dir, h->at->workspace->root, newest.id, &err))
            sf_health_say(h, SF_HEALTH_OK, "", "the newest can be read");
        else
            sf_health_say(h, SF_HEALTH_PROBLEM, *err.hint ? err.hint : hint,
                          "the newest snapshot cannot be read: %s", err.msg);
    }
    free(path);
    free(refs);
    free(objects);
}

struct lost {
    const char *refs;
    size_t count;
    struct sf_strlist ids;
};

static bool look_row(void *ctx, const struct sf_snapshot_row *row)
{
    struct lost *l = ctx;

    if (!sf_health_exists(l->refs, row->commit) && l->count++ < SHOWN)
        sf_strlist_add(&l->ids, row->commit);
    return true;
}

void sf_health_look_unreachable(struct sf_health *h)
{
    struct lost lost = { .ids = SF_STRLIST_INIT };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_snapshot_filter filter = { .worktree = NULL };
    struct sf_store *store = NULL;
    char *path = find(h), *refs = path ? sf_path_join(path, "refs/sf") : NULL;

    if (path) {
        lost.refs = refs;
        filter.worktree = h->at->workspace->root;
        store = sf_store_open(h->at->state_dir, SF_STORE_READ, &err);
        if (!store || !sf_store_each_snapshot(store, &filter, look_row, &lost, &err))
            sf_health_error(h, SF_HEALTH_WARNING, &err);
        else if (lost.count)
            sf_health_say(h, SF_HEALTH_WARNING, "what they held cannot be restored any more",
                          "the content of %zu snapshot%s is gone: %.10s", lost.count,
                          lost.count == 1 ? "" : "s", lost.ids.items[0]);
        else
            sf_health_say(h, SF_HEALTH_OK, "", "every snapshot of the log is there");
    }
    sf_store_close(store);
    sf_strlist_release(&lost.ids);
    free(path);
    free(refs);
}

/* Looks at the journal alone, so that a turn does not wait for a repository to be opened. */
void sf_health_look_restore(struct sf_health *h)
{
    char *path = find(h);

    if (path && sf_snap_is_between(h->at->state_dir, h->at->workspace->root))
        sf_health_say(h, SF_HEALTH_PROBLEM,
                      "`sf restore resume` finishes it, with --back it is undone",
                      "a restore of this workspace was cut short");
    else if (path)
        sf_health_say(h, SF_HEALTH_OK, "", "no restore is under way");
    free(path);
}
