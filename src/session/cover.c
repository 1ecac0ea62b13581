/*
 * cover.c: files that snapshots leave out and commands touch: ignored ones, and those of other
 * repositories. The record of a command knows what was there, so when the command is over this is
 * added to the turn's first snapshot, and a restore brings it back. What could not be kept is named
 * in the row of the call and in that of the turn.
 *
 * A directory that is left out as a whole is covered as a whole or not at all: half a build that is
 * put back is worse than none. Those in which a command touches much are products, and can be made
 * again.
 */
#include <sys/stat.h>

#include "base/base.h"
#include "session/snapshots.h"

enum {
    GROUP_FILES = 200,
    GROUP_BYTES = 4 * 1024 * 1024,
    NAMED = 3, /* in a row */
};

void sf_cover_release(struct sf_cover *cover)
{
    sf_snap_result_release(&cover->result);
    sf_strlist_release(&cover->uncovered);
}

/* ---- what was touched ---- */

struct touch {
    const char *path;
    const struct sf_write_record *record;
    struct sf_write_image image;
    struct group *group;
};

/* All that was touched in one directory that is left out as a whole, or one file. */
struct group {
    char *name; /* with a slash at its end when it is a directory */
    size_t files, existed, unkept;
    uint64_t bytes;
    bool is_covered;
};

struct finder {
    const struct sf_cover_wish *wish;
    const struct sf_write_record *record; /* the one that is visited */
    struct sf_arena arena;
    struct touch *touches;
    size_t count, cap;
    struct sf_map by_path, groups;
    struct sf_strlist paths; /* those of the touches */
};

static void finder_release(struct finder *f)
{
    free(f->touches);
    sf_map_release(&f->by_path);
    sf_map_release(&f->groups);
    sf_strlist_release(&f->paths);
    sf_arena_release(&f->arena);
}

static int64_t nanoseconds(const struct timespec *t)
{
    return (int64_t)t->tv_sec * 1000000000 + t->tv_nsec;
}

/* Temporary files, and files that were opened to write and left alone, are of no interest. */
static bool is_changed(const struct finder *f, const struct sf_write_first *first)
{
    const struct sf_write_image *then = &first->image;
    char *path = sf_path_join(f->wish->root, first->path);
    struct stat now;
    bool there = lstat(path, &now) == 0;

    free(path);
    if (!there || !then->mode)
        return there != (then->mode != 0);
    if ((now.st_mode & S_IFMT) != (then->mode & S_IFMT))
        return true;
    return !S_ISDIR(now.st_mode) &&
           ((now.st_mode & 0777) != (then->mode & 0777) || (uint64_t)now.st_size != then->size ||
            nanoseconds(&now.st_mtim) != then->modified);
}

/* Where two commands touched a path, what the first one found counts. */
static void add_touch(void *ctx, const struct sf_write_first *first)
{
    struct finder *f = ctx;
    size_t len = strlen(first->path);
    struct touch *t;

    if (sf_map_get(&f->by_path, first->path, len) || !is_changed(f, first))
        return;
    f->touches = sf_grow(f->touches, &f->cap, f->count + 1, sizeof(*t));
    t = &f->touches[f->count++];
    *t = (struct touch){ .path = sf_arena_strndup(&f->arena, first->path, len),
                         .record = f->record,
                         .image = first->image };
    sf_map_add(&f->by_path, t->path, len, (void *)(uintptr_t)t->path);
    sf_strlist_add(&f->paths, t->path);
}

/* ---- groups ---- */

static struct group *group_of(struct finder *f, const char *path, size_t top)
{
    struct group *g = sf_map_get(&f->groups, path, top);

    if (!g) {
        g = sf_arena_alloc(&f->arena, sizeof(*g));
        *g = (struct group){ .name = sf_arena_strndup(&f->arena, path, top + (path[top] == '/')) };
        sf_map_add(&f->groups, g->name, top, g);
    }
    return g;
}

static void sort_into_groups(struct finder *f, const size_t *tops)
{
    for (size_t i = 0; i < f->count; i++) {
        struct touch *t = &f->touches[i];

        if (!tops[i])
            continue;
        t->group = group_of(f, t->path, tops[i]);
        t->group->files++;
        t->group->existed += t->image.mode != 0;
        t->group->unkept += t->image.mode && !t->image.copied;
        t->group->bytes += t->image.copied ? t->image.size : 0;
    }
}

static bool is_dir(const struct group *g)
{
    return g->name[strlen(g->name) - 1] == '/';
}

static bool fits(const struct group *g, size_t room)
{
    return !g->unkept && g->files <= room &&
           (!is_dir(g) || (g->files <= GROUP_FILES && g->bytes <= GROUP_BYTES));
}

static void name_group(const struct group *g, struct sf_strlist *out)
{
    if (is_dir(g))
        sf_strlist_addf(out, "%s (%zu file%s)", g->name, g->existed, g->existed == 1 ? "" : "s");
    else
        sf_strlist_add(out, g->name);
}

/* What a command only made is no loss where it stays. */
static void choose(struct finder *f, struct sf_strlist *paths, struct sf_strlist *uncovered)
{
    size_t room = f->wish->room;

    for (size_t i = 0; i < f->count; i++) {
        struct group *g = f->touches[i].group;

        if (!g)
            continue;
        if (g->files && fits(g, room)) {
            room -= g->files;
            g->is_covered = true;
        } else if (g->files && g->existed) {
            name_group(g, uncovered);
        }
        g->files = 0; /* decided */
        if (g->is_covered)
            sf_strlist_add(paths, f->touches[i].path);
    }
}

/* ---- the snapshot ---- */

static int by_path(const void *a, const void *b)
{
    const struct touch *x = a, *y = b;

    return strcmp(x->path, y->path);
}

static bool read_image(void *ctx, const char *path, struct sf_snap_image *out)
{
    const struct finder *f = ctx;
    const struct touch key = { .path = path },
                       *t = bsearch(&key, f->touches, f->count, sizeof(key), by_path);

    if (!t)
        return false;
    out->mode = t->image.mode;
    out->modified = t->image.modified;
    return !out->mode || sf_write_record_copy(t->record, &t->image, &out->text);
}

static bool amend(struct finder *f, struct sf_cover *cover, struct sf_snap *snap,
                  struct sf_error *err)
{
    struct sf_snap_request request = *f->wish->request;
    struct sf_strlist paths = SF_STRLIST_INIT;
    bool ok = true;

    choose(f, &paths, &cover->uncovered);
    qsort(f->touches, f->count, sizeof(*f->touches), by_path);
    request.extra = &paths;
    request.image = read_image;
    request.image_ctx = f;
    request.budget = NULL;
    if (paths.count)
        ok = sf_snap_amend(snap, f->wish->id, &request, &cover->result, err);
    sf_strlist_release(&paths);
    return ok;
}

bool sf_cover_add(struct sf_cover *cover, struct sf_snap *snap, const struct sf_cover_wish *wish,
                  struct sf_error *err)
{
    struct finder f = { .wish = wish,
                        .arena = SF_ARENA_INIT,
                        .by_path = SF_MAP_INIT,
                        .groups = SF_MAP_INIT,
                        .paths = SF_STRLIST_INIT };
    size_t *tops = NULL;
    bool ok = true;

    for (size_t i = 0; i < wish->record_count; i++) {
        f.record = wish->records[i];
        sf_write_record_visit(wish->records[i], add_touch, &f);
    }
    if (f.count) {
        tops = sf_alloc_array(f.count, sizeof(*tops));
        ok = sf_snap_lacks(snap, wish->id, &f.paths, tops, err);
    }
    if (ok && f.count) {
        sort_into_groups(&f, tops);
        ok = amend(&f, cover, snap, err);
    }
    free(tops);
    finder_release(&f);
    return ok;
}

static void take_in(struct sf_snapshots *k, const struct sf_cover *cover)
{
    sf_snapshots_amended(k, &cover->result);
    for (size_t i = 0; i < cover->uncovered.count; i++)
        if (!sf_strlist_has(&k->uncovered, cover->uncovered.items[i]) &&
            k->uncovered.count < SF_SNAPSHOT_EXTRA_MAX)
            sf_strlist_add(&k->uncovered, cover->uncovered.items[i]);
}

/* ---- after a call ---- */

struct after_call {
    struct sf_snapshot_job job;
    struct sf_snapshot_wish wish;
    struct sf_write_record *record;
    char *root;
    char id[SF_SNAP_ID + 1];
    size_t room;
    struct sf_cover cover;
};

static void run_cover(struct sf_snapshot_job *job, struct sf_snap *snap)
{
    struct after_call *a = (struct after_call *)job;
    const struct sf_snap_request request = sf_snapshot_request(&a->wish, SF_SNAP_BEFORE, NULL);
    const struct sf_cover_wish wish = { .root = a->root,
                                        .id = a->id,
                                        .records = &a->record,
                                        .record_count = 1,
                                        .request = &request,
                                        .room = a->room };

    job->ok = sf_cover_add(&a->cover, snap, &wish, &job->err);
}

static void add_summary(const struct sf_strlist *uncovered, struct sf_call *c)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (c->tool_call->result.summary)
        sf_strbuf_addf(&text, "%s; ", c->tool_call->result.summary);
    sf_strbuf_adds(&text, "not covered:");
    for (size_t i = 0; i < uncovered->count && i < NAMED; i++) {
        sf_strbuf_adds(&text, i ? ", " : " ");
        sf_text_sanitize(&text, uncovered->items[i], strlen(uncovered->items[i]), SF_TEXT_ONE_LINE);
    }
    if (uncovered->count > NAMED)
        sf_strbuf_addf(&text, " and %zu more", uncovered->count - NAMED);
    sf_tool_call_summary(c->tool_call, "%s", text.buf);
    sf_strbuf_release(&text);
}

static void cover_done(struct sf_snapshot_job *job)
{
    struct after_call *a = (struct after_call *)job;
    struct sf_snapshots *k = job->snapshots;
    struct sf_call *c = job->call;

    if (a->wish.turn == k->turn && job->ok)
        take_in(k, &a->cover);
    if (!job->ok)
        sf_snapshots_tell_failure(k, &job->err);
    if (c && a->cover.uncovered.count)
        add_summary(&a->cover.uncovered, c);
    if (c)
        sf_call_next(c);
    sf_snapshot_wish_release(&a->wish);
    sf_write_record_drop(a->record);
    sf_cover_release(&a->cover);
    free(a->root);
    free(a);
}

bool sf_cover_begin(struct sf_call *c)
{
    struct sf_snapshots *k = c->session->snapshots;
    struct after_call *a;

    if (k->before != SF_SNAPSHOT_TAKEN || !sf_write_record_has_more(c->record))
        return false;
    a = sf_alloc(sizeof(*a));
    a->cover = (struct sf_cover)SF_COVER_INIT;
    a->record = sf_write_record_hold(c->record);
    a->root = sf_strdup(k->root);
    a->room = SF_SNAPSHOT_EXTRA_MAX - k->extra.count;
    memcpy(a->id, k->id, sizeof(a->id));
    sf_snapshot_wish_init(&a->wish, k);
    a->job = (struct sf_snapshot_job){ .run = run_cover, .done = cover_done, .call = c };
    sf_snapshots_start(k, &a->job);
    return true;
}
