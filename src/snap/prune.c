/*
 * prune.c: enforces the budget. Deletes snapshots, oldest first, never those of live sessions or
 * those an interrupted restore needs; then every unreachable object: loose ones one by one, packs
 * when less than half of their objects are reachable, after copying these. Objects that cannot be
 * read are left alone.
 */
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "snap/internal.h"

const struct sf_snap_budget sf_snap_budget_default = {
    .bytes = UINT64_C(2) << 30,
    .count = 1000,
    .age_ms = INT64_C(30) * 24 * 3600 * 1000,
};

enum { LOOSE_MAX = 4000, ROUNDS = 8 };

/* ---- listing ---- */

typedef void file_fn(void *ctx, int dir, const char *parent, const char *name);

/* Visits every file in the directory, and with `deep` those one level below. */
static void each_file(const char *path, bool deep, file_fn *fn, void *ctx)
{
    DIR *dir = opendir(path);
    struct dirent *entry;

    while (dir && (entry = readdir(dir))) {
        char *below;

        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        fn(ctx, dirfd(dir), path, entry->d_name);
        if (!deep || entry->d_type != DT_DIR)
            continue;
        below = sf_path_join(path, entry->d_name);
        each_file(below, false, fn, ctx);
        free(below);
    }
    if (dir)
        closedir(dir);
}

static void add_size(void *ctx, int dir, const char *parent, const char *name)
{
    uint64_t *sum = ctx;
    struct stat st;

    (void)parent;
    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode))
        *sum += (uint64_t)st.st_size;
}

static uint64_t size_of(const struct sf_snap *snap)
{
    uint64_t sum = 0;

    each_file(snap->objects, true, add_size, &sum);
    return sum;
}

struct snapshot {
    char id[SF_OID_HEX + 1];
    int64_t time_ms;
    bool pinned;
};

struct snapshots {
    struct snapshot *items;
    size_t count, cap;
};

static void add_snapshot(void *ctx, int dir, const char *parent, const char *name)
{
    struct snapshots *all = ctx;
    struct snapshot s = { .id = "" };
    struct sf_oid oid;
    struct stat st;

    (void)parent;
    if (strlen(name) != SF_OID_HEX || !sf_oid_read(name, &oid) ||
        fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return;
    memcpy(s.id, name, SF_OID_HEX + 1);
    s.time_ms = (int64_t)st.st_mtim.tv_sec * 1000 + st.st_mtim.tv_nsec / 1000000;
    all->items = sf_grow(all->items, &all->cap, all->count + 1, sizeof(s));
    all->items[all->count++] = s;
}

static int by_time(const void *a, const void *b)
{
    const struct snapshot *x = a, *y = b;

    return (x->time_ms > y->time_ms) - (x->time_ms < y->time_ms);
}

/* Keeps the snapshots that a journal names: its lines of forty digits. */
static void add_journal(void *ctx, int dir, const char *parent, const char *name)
{
    struct sf_strlist *out = ctx;
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;
    char *path = sf_path_join(parent, name);
    struct sf_oid oid;

    (void)dir;
    if (!strncmp(name, "restore-", 8) && sf_file_read(path, 1 << 20, &text, &ignored))
        for (const char *at = text.buf; at && *at; at = strchr(at, '\n'), at += at != NULL)
            if (strcspn(at, "\n") == SF_OID_HEX && sf_oid_read(at, &oid))
                sf_strlist_adopt(out, sf_strndup(at, SF_OID_HEX));
    sf_strbuf_release(&text);
    free(path);
}

static bool is_live(struct sf_snap *snap, const struct snapshot *s,
                    const struct sf_snap_budget *budget)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_snap_about about;
    struct sf_oid id, tree;

    return budget->live && sf_oid_read(s->id, &id) &&
           sf_snap_about(snap, &id, &about, &tree, &ignored) &&
           sf_strlist_has(budget->live, about.session);
}

static void list_snapshots(struct sf_snap *snap, const struct sf_snap_budget *budget,
                           struct snapshots *all)
{
    struct sf_strlist journals = SF_STRLIST_INIT;

    each_file(snap->own, false, add_journal, &journals);
    each_file(snap->refs, false, add_snapshot, all);
    if (all->count)
        qsort(all->items, all->count, sizeof(*all->items), by_time);
    for (size_t i = 0; i < all->count; i++)
        all->items[i].pinned =
            sf_strlist_has(&journals, all->items[i].id) || is_live(snap, &all->items[i], budget);
    sf_strlist_release(&journals);
}

/* ---- reachable objects ---- */

struct marks {
    struct sf_snap *snap;
    struct sf_map seen;
    struct sf_arena ids;
};

static bool mark(struct marks *m, const struct sf_oid *oid) /* true: not marked before */
{
    char *id;

    if (sf_map_get(&m->seen, (const char *)oid->id, SF_OID_SIZE))
        return false;
    id = sf_arena_strndup(&m->ids, (const char *)oid->id, SF_OID_SIZE);
    return sf_map_add(&m->seen, id, SF_OID_SIZE, id);
}

static bool is_marked(const struct marks *m, const struct sf_oid *oid)
{
    return sf_map_get(&m->seen, (const char *)oid->id, SF_OID_SIZE) != NULL;
}

/* A tree that cannot be read has nothing below it that could be saved. */
static void mark_tree(struct marks *m, const struct sf_oid *tree)
{
    static const struct sf_oid none;
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_snap_dir dir = SF_SNAP_DIR_INIT;

    if (sf_oid_none(tree) || !mark(m, tree))
        return;
    if (!sf_snap_dir_load(m->snap, tree, &none, &dir, &ignored))
        sf_log(SF_LOG_WARN, "pruning snapshots: %s", ignored.msg);
    for (size_t i = 0; i < dir.count; i++) {
        if (S_ISDIR(dir.items[i].mode))
            mark_tree(m, &dir.items[i].oid);
        else
            mark(m, &dir.items[i].oid);
    }
    sf_snap_dir_release(&dir);
}

static void mark_index(void *ctx, int dir, const char *parent, const char *name)
{
    struct marks *m = ctx;
    struct sf_oid files, modes;
    char *path = sf_path_join(parent, name);

    (void)dir;
    if (!strncmp(name, "index-", 6) && sf_index_root(path, &files, &modes)) {
        mark_tree(m, &files);
        mark_tree(m, &modes);
    }
    free(path);
}

static bool mark_all(struct marks *m, struct sf_error *err)
{
    struct sf_strlist refs = SF_STRLIST_INIT;
    bool ok = sf_snap_ref_list(m->snap, &refs, err);

    for (size_t i = 0; ok && i < refs.count; i++) {
        struct sf_error ignored = SF_ERROR_INIT;
        struct sf_snap_about about;
        struct sf_oid id, tree;

        sf_oid_read(refs.items[i], &id);
        mark(m, &id);
        if (sf_snap_about(m->snap, &id, &about, &tree, &ignored))
            mark_tree(m, &tree);
    }
    each_file(m->snap->own, false, mark_index, m);
    sf_strlist_release(&refs);
    return ok;
}

/* ---- sweeping ---- */

struct sweep {
    struct marks *marks;
    struct sf_strlist packs;  /* indexes of packs */
    struct sf_strlist doomed; /* files to delete once everything is copied */
    size_t loose;             /* number of reachable loose objects */
    struct sf_error *err;
    bool ok;
};

static bool loose_oid(const char *parent, const char *name, struct sf_oid *oid)
{
    char hex[SF_OID_HEX + 1];
    size_t len = strlen(parent);

    if (strlen(name) != SF_OID_HEX - 2 || len < 3 || parent[len - 3] != '/')
        return false;
    snprintf(hex, sizeof(hex), "%s%s", parent + len - 2, name);
    return sf_oid_read(hex, oid);
}

static void sweep_loose(void *ctx, int dir, const char *parent, const char *name)
{
    struct sweep *s = ctx;
    struct sf_oid oid;
    bool object = loose_oid(parent, name, &oid);

    if (!strncmp(name, "tmp_", 4) || (object && !is_marked(s->marks, &oid)))
        unlinkat(dir, name, 0);
    else if (object)
        s->loose++;
}

/* Copies a loose object to the new pack. */
static void gather_loose(void *ctx, int dir, const char *parent, const char *name)
{
    struct sweep *s = ctx;
    struct sf_snap *snap = s->marks->snap;
    struct sf_oid oid;

    (void)dir;
    if (!s->ok || !loose_oid(parent, name, &oid))
        return;
    s->ok = snap->git->copy(snap->odb, &oid, s->err);
    sf_strlist_adopt(&s->doomed, sf_path_join(parent, name));
}

static void list_pack(void *ctx, int dir, const char *parent, const char *name)
{
    struct sweep *s = ctx;
    size_t len = strlen(name);
    char *other;

    if (!strncmp(name, "tmp_", 4) || !strncmp(name, ".sf-tmp-", 8)) {
        unlinkat(dir, name, 0);
    } else if (len > 4 && !strcmp(name + len - 4, ".idx")) {
        sf_strlist_adopt(&s->packs, sf_path_join(parent, name));
    } else if (len > 5 && !strcmp(name + len - 5, ".pack")) {
        other = sf_strndup(name, len - 1);
        snprintf(other + len - 5, 5, ".idx");
        if (faccessat(dir, other, F_OK, 0) < 0)
            unlinkat(dir, name, 0);
        free(other);
    }
}

struct census {
    const struct marks *marks;
    struct sf_oid *living;
    size_t alive, cap, all;
};

static void count_object(void *ctx, const struct sf_oid *oid)
{
    struct census *c = ctx;

    c->all++;
    if (!is_marked(c->marks, oid))
        return;
    c->living = sf_grow(c->living, &c->cap, c->alive + 1, sizeof(*oid));
    c->living[c->alive++] = *oid;
}

/* A pack with less than half of its objects reachable is copied and deleted. */
static bool sweep_pack(struct sweep *s, const char *idx, struct sf_error *err)
{
    struct sf_error unreadable = SF_ERROR_INIT;
    struct sf_snap *snap = s->marks->snap;
    struct census c = { .marks = s->marks };
    bool ok = true;

    if (snap->git->each_packed(idx, count_object, &c, &unreadable) && c.alive * 2 < c.all) {
        for (size_t i = 0; ok && i < c.alive; i++)
            ok = snap->git->copy(snap->odb, &c.living[i], err);
        if (ok) {
            sf_strlist_add(&s->doomed, idx);
            sf_strlist_addf(&s->doomed, "%.*s.pack", (int)strlen(idx) - 4, idx);
        }
    }
    free(c.living);
    return ok;
}

/* Leftovers go first: a pack that is being written has a name like theirs. */
static bool sweep(struct marks *m, struct sf_error *err)
{
    struct sweep s = { .marks = m, .err = err, .ok = true };
    struct sf_snap *snap = m->snap;
    char *packs = sf_path_join(snap->objects, "pack");
    bool ok;

    each_file(snap->objects, true, sweep_loose, &s);
    each_file(packs, false, list_pack, &s);
    if (s.loose > LOOSE_MAX)
        each_file(snap->objects, true, gather_loose, &s);
    ok = s.ok;
    for (size_t i = 0; ok && i < s.packs.count; i++)
        ok = sweep_pack(&s, s.packs.items[i], err);
    ok = ok && snap->git->flush(snap->odb, err);
    for (size_t i = 0; ok && i < s.doomed.count; i++)
        unlink(s.doomed.items[i]);
    snap->git->drop(snap->odb);
    ok = sf_snap_odb_open(snap, ok ? err : &(struct sf_error)SF_ERROR_INIT) && ok;
    sf_strlist_release(&s.packs);
    sf_strlist_release(&s.doomed);
    free(packs);
    return ok;
}

static bool collect_garbage(struct sf_snap *snap, struct sf_error *err)
{
    struct marks m = { .snap = snap };
    bool ok = mark_all(&m, err) && sweep(&m, err);

    sf_map_release(&m.seen);
    sf_arena_release(&m.ids);
    return ok;
}

/* ---- the budget ---- */

static void drop(struct sf_snap *snap, struct snapshot *s, struct sf_strlist *pruned)
{
    char *path = sf_path_join(snap->refs, s->id);

    if (unlink(path) == 0)
        sf_strlist_add(pruned, s->id);
    s->pinned = true; /* not considered again */
    free(path);
}

/* Drops by age and count, then up to `more`, oldest first. Returns how many were dropped. */
static size_t drop_some(struct sf_snap *snap, const struct sf_snap_budget *budget,
                        struct snapshots *all, size_t more, struct sf_strlist *pruned)
{
    int64_t now = sf_clock_wall_ms();
    size_t left = all->count - pruned->count, before = pruned->count;

    for (size_t i = 0; i < all->count; i++) {
        struct snapshot *s = &all->items[i];
        bool old = budget->age_ms && now - s->time_ms > budget->age_ms;
        bool many = budget->count && left > budget->count;

        if (s->pinned || !(old || many || more))
            continue;
        more -= more && !old && !many;
        drop(snap, s, pruned);
        left--;
    }
    return pruned->count - before;
}

/* Collects garbage if snapshots were dropped or the repository is too large. */
static bool prune_locked(struct sf_snap *snap, const struct sf_snap_budget *budget,
                         struct sf_strlist *pruned, struct sf_error *err)
{
    struct snapshots all = { NULL, 0, 0 };
    struct sf_strlist gone = SF_STRLIST_INIT;
    bool ok = true;

    list_snapshots(snap, budget, &all);
    if (drop_some(snap, budget, &all, 0, &gone) ||
        (budget->bytes && size_of(snap) >= budget->bytes))
        ok = collect_garbage(snap, err);
    for (int round = 0; ok && budget->bytes && round < ROUNDS; round++) {
        if (size_of(snap) < budget->bytes - (round ? budget->bytes / 4 : 0) ||
            !drop_some(snap, budget, &all, all.count / 4 + 1, &gone))
            break;
        ok = collect_garbage(snap, err);
    }
    for (size_t i = 0; i < gone.count; i++)
        sf_strlist_add(pruned, gone.items[i]);
    sf_strlist_release(&gone);
    free(all.items);
    return ok;
}

/* A cheap check whether anything has to be deleted. */
static bool is_over(struct sf_snap *snap, const struct sf_snap_budget *budget, uint64_t size)
{
    struct snapshots all = { NULL, 0, 0 };
    bool over;

    each_file(snap->refs, false, add_snapshot, &all);
    if (all.count)
        qsort(all.items, all.count, sizeof(*all.items), by_time);
    over =
        (budget->bytes && size >= budget->bytes) || (budget->count && all.count >= budget->count) ||
        (budget->age_ms && all.count && sf_clock_wall_ms() - all.items[0].time_ms > budget->age_ms);
    free(all.items);
    return over;
}

bool sf_snap_make_room(struct sf_snap *snap, const struct sf_snap_budget *budget,
                       struct sf_strlist *pruned, uint64_t *room, struct sf_error *err)
{
    struct sf_snap_budget less;
    uint64_t size;

    *room = 0;
    if (!budget)
        return true;
    less = *budget;
    less.count -= less.count > 1; /* leaves room for the new snapshot */
    size = size_of(snap);
    if (is_over(snap, budget, size)) {
        if (!prune_locked(snap, &less, pruned, err))
            return false;
        size = size_of(snap);
    }
    if (budget->bytes && size >= budget->bytes) {
        sf_fail(err, SF_E_LIMIT, "the snapshots of running sessions use all %llu MB there are",
                (unsigned long long)(budget->bytes >> 20));
        return sf_hint(err, "end a session, or raise the budget");
    }
    *room = budget->bytes ? budget->bytes - size : 0;
    return true;
}
