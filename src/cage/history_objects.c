/*
 * history_objects.c: which objects are gone after a command, and whether anything misses them.
 *
 * Objects never change under their name, so a directory whose change time is the same has lost none;
 * the kernel tells which directories had a file written in place. An object that is gone is fine
 * when a pack has it. For the rest git itself is asked whether all that references and logs reach is
 * there: then git has removed what nothing needed. Else all that is gone comes back.
 */
#include "cage/history_objects.h"

#include <endian.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "io/io.h"

enum {
    FANS = 256,
    COPIES = 64,         /* a directory with more objects has them kept by a second name */
    STEP = 1024,         /* objects that are kept so before one command: the others later */
    COPY_COST = 16,      /* a copy takes as long as so many of them */
    SETTLED_MS = 2000,   /* a directory that changed later may change within the same tick */
    INDEX_MAX = 1 << 28, /* bytes */
    NAMES_AT = 8 + 4 * FANS,
};

struct fan {
    bool there, kept, settled, written;
    int64_t changed_ns;
    int watch;
};

struct pack_file {
    char *path; /* below the git directory */
    off_t size;
};

struct sf_object_store {
    char *objects; /* "objects" below the git directory, with the prefix */
    struct fan fans[FANS];
    struct pack_file *packs;
    size_t pack_count, pack_cap;
    int64_t packs_changed_ns;
    bool packs_settled;
    int events; /* tells of files that are written; -1: nothing does */
};

struct sf_object_store *sf_object_store_new(const char *prefix)
{
    struct sf_object_store *s = sf_alloc(sizeof(*s));
    struct sf_strbuf path = SF_STRBUF_INIT;

    sf_strbuf_addf(&path, "%sobjects", prefix);
    s->objects = sf_strbuf_detach(&path);
    s->events = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    for (unsigned i = 0; i < FANS; i++)
        s->fans[i].watch = -1;
    return s;
}

static void drop_packs(struct sf_object_store *s)
{
    for (size_t i = 0; i < s->pack_count; i++)
        free(s->packs[i].path);
    s->pack_count = 0;
}

void sf_object_store_free(struct sf_object_store *s)
{
    if (!s)
        return;
    drop_packs(s);
    free(s->packs);
    free(s->objects);
    if (s->events >= 0)
        close(s->events);
    free(s);
}

static int64_t changed_ns(const struct stat *st)
{
    return (int64_t)st->st_ctim.tv_sec * 1000000000 + st->st_ctim.tv_nsec;
}

static bool is_settled(int64_t changed)
{
    return sf_clock_wall_ms() - changed / 1000000 > SETTLED_MS;
}

static bool is_object(const char *name)
{
    size_t n = strlen(name);

    return (n == 38 || n == 62) && strspn(name, "0123456789abcdef") == n;
}

static char *fan_path(const struct sf_object_store *s, unsigned i)
{
    struct sf_strbuf path = SF_STRBUF_INIT;

    sf_strbuf_addf(&path, "%s/%02x", s->objects, i);
    return sf_strbuf_detach(&path);
}

/* ---- keeping ---- */

/* Which directories had files written in since this was last asked. */
static void read_events(struct sf_object_store *s)
{
    char buffer[16384];
    struct inotify_event event;
    ssize_t n;

    while (s->events >= 0 && (n = read(s->events, buffer, sizeof(buffer))) > 0)
        for (ssize_t at = 0; at < n; at += (ssize_t)(sizeof(event) + event.len)) {
            memcpy(&event, buffer + at, sizeof(event));
            for (unsigned i = 0; i < FANS; i++)
                if (event.wd == s->fans[i].watch || (event.mask & IN_Q_OVERFLOW))
                    s->fans[i].written = true;
        }
}

static void watch(struct sf_object_store *s, const struct sf_keeper *k, unsigned i,
                  const char *path)
{
    struct sf_strbuf name = SF_STRBUF_INIT;

    if (s->events < 0 || s->fans[i].watch >= 0)
        return;
    sf_strbuf_addf(&name, "/proc/self/fd/%d/%s", k->live, path);
    s->fans[i].watch =
        inotify_add_watch(s->events, name.buf, IN_MODIFY | IN_CLOSE_WRITE | IN_ONLYDIR);
    sf_strbuf_release(&name);
}

static void join(struct sf_strbuf *out, const char *dir, const char *name)
{
    sf_strbuf_reset(out);
    sf_strbuf_addf(out, "%s/%s", dir, name);
}

/* Those of the mirror that are gone were removed between commands, by whoever may do that. */
static void forget_gone(const struct sf_keeper *k, const char *dir)
{
    struct sf_strlist names = SF_STRLIST_INIT;
    struct sf_strbuf path = SF_STRBUF_INIT;
    struct stat st;

    sf_keeper_list(k->store, dir, &names);
    for (size_t i = 0; i < names.count; i++) {
        join(&path, dir, names.items[i]);
        if (fstatat(k->live, path.buf, &st, AT_SYMLINK_NOFOLLOW) < 0)
            sf_keeper_drop(k, path.buf);
    }
    sf_strlist_release(&names);
    sf_strbuf_release(&path);
}

/* One object of an open directory; where there are many, by a second name. */
static bool keep_object(const struct sf_keeper *dirs, const char *name, bool many, size_t *budget)
{
    struct stat st;

    *budget -= *budget < COPY_COST || many ? 1 : COPY_COST;
    if (many && linkat(dirs->live, name, dirs->store, name, 0) == 0)
        return true;
    return fstatat(dirs->live, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && st.st_size > 0 &&
           sf_keeper_keep(dirs, name, &st, many ? SF_KEEPER_LINK : SF_KEEPER_COPY);
}

/* False: not all of them are kept. */
static bool keep_names(const struct sf_keeper *k, const char *dir, size_t *budget)
{
    struct sf_strlist names = SF_STRLIST_INIT;
    struct sf_keeper dirs;
    struct stat st;
    bool ok;

    sf_keeper_dirs(k, dir, &dirs);
    sf_keeper_list(k->live, dir, &names);
    ok = dirs.live >= 0 && dirs.store >= 0;
    for (size_t i = 0; ok && i < names.count && *budget; i++)
        if (is_object(names.items[i]) &&
            fstatat(dirs.store, names.items[i], &st, AT_SYMLINK_NOFOLLOW) < 0)
            ok = keep_object(&dirs, names.items[i], names.count > COPIES, budget);
    sf_keeper_close(&dirs);
    sf_strlist_release(&names);
    return ok && *budget;
}

/* The mirror of a directory that is complete carries that one's change time, for the next run. */
static bool is_marked(const struct sf_keeper *k, const char *dir, const struct stat *live)
{
    struct stat kept;

    return fstatat(k->store, dir, &kept, AT_SYMLINK_NOFOLLOW) == 0 &&
           kept.st_mtim.tv_sec == live->st_ctim.tv_sec &&
           kept.st_mtim.tv_nsec == live->st_ctim.tv_nsec;
}

static void keep_fan(struct sf_object_store *s, const struct sf_keeper *k, unsigned i,
                     size_t *budget)
{
    struct fan *fan = &s->fans[i];
    char *path = fan_path(s, i);
    bool was = fan->there;
    struct stat st;

    fan->written = false;
    fan->there = fstatat(k->live, path, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode);
    if (!fan->there) {
        fan->watch = -1;
        if (was)
            forget_gone(k, path);
    } else if (!(fan->kept && fan->settled && fan->changed_ns == changed_ns(&st))) {
        const struct timespec mark[2] = { { .tv_nsec = UTIME_OMIT }, st.st_ctim };

        watch(s, k, i, path);
        fan->changed_ns = changed_ns(&st);
        fan->settled = is_settled(fan->changed_ns);
        fan->kept = is_marked(k, path, &st);
        if (!fan->kept) {
            forget_gone(k, path);
            fan->kept = *budget && keep_names(k, path, budget);
        }
        if (fan->kept && fan->settled)
            utimensat(k->store, path, mark, AT_SYMLINK_NOFOLLOW);
    }
    free(path);
}

static bool is_pack_file(const char *name)
{
    static const char *const kinds[] = { ".pack", ".idx", ".keep", ".promisor", ".mtimes" };
    const char *dot = strrchr(name, '.');

    for (size_t i = 0; dot && !strncmp(name, "pack-", 5) && i < SF_COUNT(kinds); i++)
        if (!strcmp(dot, kinds[i]))
            return true;
    return false;
}

static void keep_packs(struct sf_object_store *s, const struct sf_keeper *k)
{
    struct sf_strlist names = SF_STRLIST_INIT;
    struct sf_strbuf dir = SF_STRBUF_INIT, path = SF_STRBUF_INIT;
    struct stat st;
    bool there;

    sf_strbuf_addf(&dir, "%s/pack", s->objects);
    there = fstatat(k->live, dir.buf, &st, AT_SYMLINK_NOFOLLOW) == 0;
    if (there && !(s->packs_settled && s->packs_changed_ns == changed_ns(&st))) {
        s->packs_changed_ns = changed_ns(&st);
        s->packs_settled = is_settled(s->packs_changed_ns);
        drop_packs(s);
        forget_gone(k, dir.buf);
        sf_keeper_list(k->live, dir.buf, &names);
        for (size_t i = 0; i < names.count; i++) {
            join(&path, dir.buf, names.items[i]);
            if (!is_pack_file(names.items[i]) ||
                fstatat(k->live, path.buf, &st, AT_SYMLINK_NOFOLLOW) < 0)
                continue;
            sf_keeper_keep(k, path.buf, &st, SF_KEEPER_SHARE);
            s->packs = sf_grow(s->packs, &s->pack_cap, s->pack_count + 1, sizeof(*s->packs));
            s->packs[s->pack_count++] = (struct pack_file){ sf_strdup(path.buf), st.st_size };
        }
    }
    sf_strlist_release(&names);
    sf_strbuf_release(&dir);
    sf_strbuf_release(&path);
}

void sf_object_store_keep(struct sf_object_store *s, const struct sf_keeper *k)
{
    size_t budget = STEP;

    read_events(s);
    keep_packs(s, k);
    for (unsigned i = 0; i < FANS; i++)
        keep_fan(s, k, i, &budget);
}

/* ---- what a pack has ---- */

/* The sorted names of an index, version 2. */
struct names {
    struct sf_strbuf text;
    const unsigned char *list;
    size_t count, width;
};

static void names_read(struct names *n, int root, const char *path)
{
    static const unsigned char magic[8] = { 0xff, 't', 'O', 'c', 0, 0, 0, 2 };
    size_t len = strlen(path);
    uint32_t count = 0;

    *n = (struct names){ .text = SF_STRBUF_INIT };
    n->width = len > 45 && path[len - 45] == '-' ? 20 : 32; /* by the name of the pack */
    if (!sf_keeper_read(root, path, INDEX_MAX, &n->text) || n->text.len < NAMES_AT ||
        memcmp(n->text.buf, magic, sizeof(magic)) != 0)
        return;
    memcpy(&count, n->text.buf + NAMES_AT - 4, 4);
    count = be32toh(count);
    if ((n->text.len - NAMES_AT) / n->width >= count)
        n->count = count;
    n->list = (const unsigned char *)n->text.buf + NAMES_AT;
}

static bool names_have(const struct names *n, const unsigned char *name)
{
    size_t low = 0, high = n->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = memcmp(n->list + middle * n->width, name, n->width);

        if (!order)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

struct after {
    struct sf_object_store *store;
    const struct sf_keeper *k;
    struct names *packs; /* all that are there now */
    size_t count, cap;
    struct sf_strlist gone;    /* paths: nothing has them any more */
    struct sf_strlist damaged; /* paths of what is there and is not what it was */
};

static bool ends_in(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);

    return n >= m && !strcmp(text + n - m, end);
}

static void read_packs(struct after *a)
{
    struct sf_strlist names = SF_STRLIST_INIT;
    struct sf_strbuf dir = SF_STRBUF_INIT, path = SF_STRBUF_INIT;

    if (a->packs)
        return;
    sf_strbuf_addf(&dir, "%s/pack", a->store->objects);
    sf_keeper_list(a->k->live, dir.buf, &names);
    a->packs = sf_grow(a->packs, &a->cap, names.count + 1, sizeof(*a->packs));
    for (size_t i = 0; i < names.count; i++) {
        join(&path, dir.buf, names.items[i]);
        if (ends_in(names.items[i], ".idx"))
            names_read(&a->packs[a->count++], a->k->live, path.buf);
    }
    sf_strlist_release(&names);
    sf_strbuf_release(&dir);
    sf_strbuf_release(&path);
}

static bool is_packed(struct after *a, const unsigned char *name)
{
    read_packs(a);
    for (size_t i = 0; i < a->count; i++)
        if (names_have(&a->packs[i], name))
            return true;
    return false;
}

static bool is_loose(const struct after *a, const unsigned char *name, size_t width)
{
    struct sf_strbuf path = SF_STRBUF_INIT;
    struct stat st;
    bool yes;

    sf_strbuf_addf(&path, "%s/", a->store->objects);
    for (size_t i = 0; i < width; i++)
        sf_strbuf_addf(&path, i ? "%02x" : "%02x/", name[i]);
    yes = fstatat(a->k->live, path.buf, &st, AT_SYMLINK_NOFOLLOW) == 0 && st.st_size > 0;
    sf_strbuf_release(&path);
    return yes;
}

/* Whether all that the pack had is elsewhere now: git has repacked. */
static bool is_replaced(struct after *a, const char *pack)
{
    struct sf_strbuf path = SF_STRBUF_INIT;
    struct names had;
    bool all;

    sf_strbuf_add(&path, pack, (size_t)(strrchr(pack, '.') - pack));
    sf_strbuf_adds(&path, ".idx");
    names_read(&had, a->k->store, path.buf);
    all = had.count > 0;
    for (size_t i = 0; all && i < had.count; i++)
        all = is_packed(a, had.list + i * had.width) ||
              is_loose(a, had.list + i * had.width, had.width);
    sf_strbuf_release(&had.text);
    sf_strbuf_release(&path);
    return all;
}

/* ---- settling ---- */

static void look_at_packs(struct after *a)
{
    for (size_t i = 0; i < a->store->pack_count; i++) {
        const struct pack_file *p = &a->store->packs[i];
        struct stat st;

        if (fstatat(a->k->live, p->path, &st, AT_SYMLINK_NOFOLLOW) < 0)
            sf_strlist_add(&a->gone, p->path);
        else if (st.st_size != p->size)
            sf_strlist_add(&a->damaged, p->path);
    }
}

static void look_at_object(struct after *a, const char *path)
{
    struct stat live, kept;

    if (fstatat(a->k->live, path, &live, AT_SYMLINK_NOFOLLOW) < 0)
        sf_strlist_add(&a->gone, path);
    else if (!live.st_size || (fstatat(a->k->store, path, &kept, AT_SYMLINK_NOFOLLOW) == 0 &&
                               kept.st_size != live.st_size))
        sf_strlist_add(&a->damaged, path);
}

static void look_at_fan(struct after *a, unsigned i)
{
    const struct fan *fan = &a->store->fans[i];
    char *dir = fan_path(a->store, i);
    struct sf_strlist names = SF_STRLIST_INIT;
    struct sf_strbuf path = SF_STRBUF_INIT;
    struct stat st;
    bool same = fstatat(a->k->live, dir, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
                changed_ns(&st) == fan->changed_ns && fan->settled && !fan->written;

    if (fan->there && !same)
        sf_keeper_list(a->k->store, dir, &names);
    for (size_t n = 0; n < names.count; n++) {
        join(&path, dir, names.items[n]);
        if (is_object(names.items[n]))
            look_at_object(a, path.buf);
    }
    sf_strlist_release(&names);
    sf_strbuf_release(&path);
    free(dir);
}

/* The name of a loose object from its path. */
static size_t name_of(const char *path, unsigned char out[32])
{
    const char *slash = strrchr(path, '/');
    char hex[65];
    size_t n;

    snprintf(hex, sizeof(hex), "%.2s%s", slash - 2, slash + 1);
    n = strlen(hex) / 2;
    for (size_t i = 0; i < n; i++) {
        unsigned value = 0;

        (void)!sscanf(hex + 2 * i, "%2x", &value);
        out[i] = (unsigned char)value;
    }
    return n;
}

static bool is_elsewhere(struct after *a, const char *path)
{
    unsigned char name[32];

    if (strstr(path, "/pack/"))
        return is_replaced(a, path);
    name_of(path, name);
    return is_packed(a, name);
}

/* What is elsewhere is not gone. */
static void leave_out_moved(struct after *a)
{
    struct sf_strlist left = SF_STRLIST_INIT;

    for (size_t i = 0; i < a->gone.count; i++)
        if (!is_elsewhere(a, a->gone.items[i]))
            sf_strlist_add(&left, a->gone.items[i]);
    sf_strlist_release(&a->gone);
    a->gone = left;
}

static void put_back(struct after *a, const struct sf_strlist *paths, struct sf_objects_lost *out)
{
    for (size_t i = 0; i < paths->count; i++) {
        struct stat kept;

        if (fstatat(a->k->store, paths->items[i], &kept, AT_SYMLINK_NOFOLLOW) == 0 &&
            kept.st_size > 0 && sf_keeper_put_back(a->k, paths->items[i], SF_KEEPER_SHARE))
            out->put_back++;
        else
            sf_strlist_add(&out->failed, paths->items[i]);
    }
}

static void release(struct after *a)
{
    for (size_t i = 0; i < a->count; i++)
        sf_strbuf_release(&a->packs[i].text);
    free(a->packs);
    sf_strlist_release(&a->gone);
    sf_strlist_release(&a->damaged);
}

void sf_object_store_settle(struct sf_object_store *s, const struct sf_objects_view *view,
                            struct sf_objects_lost *out)
{
    struct after a = { .store = s, .k = view->k };

    read_events(s);
    look_at_packs(&a);
    for (unsigned i = 0; i < FANS; i++)
        look_at_fan(&a, i);
    put_back(&a, &a.damaged, out);
    leave_out_moved(&a);
    if (a.gone.count && !view->git_alone && !sf_git_history_is_whole(view->asking, view->git_dir))
        put_back(&a, &a.gone, out);
    release(&a);
}
