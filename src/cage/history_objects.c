/*
 * history_objects.c: which objects are gone after a command, and whether anything misses them.
 *
 * Before the first command each object gets a second name in the mirror, which outlives the removal
 * of the first; copies, which outlive writing too, follow some at a time. After a command an object
 * whose change time, which nobody can set, is later than its start is compared with its copy.
 *
 * An object that is gone is fine when a pack has it. For the rest git itself is asked whether all
 * that references and logs reach is there: then git has removed what nothing needed. Else all that
 * is gone comes back.
 */
#include "cage/history_objects.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cage/pack_names.h"
#include "io/io.h"

enum {
    FANS = 256,
    LINKS = 1 << 17,    /* objects that get a second name before one command: the others later */
    COPIES = 1024,      /* and those that are copied */
    SETTLED_MS = 2000,  /* a directory that changed later may change within the same tick */
    SLACK_MS = 20,      /* the clock of a file system is coarse */
    FILE_MAX = 1 << 28, /* bytes of a file that is compared */
    COPY_MAX = 1 << 20, /* bytes of an object that is copied */
};

struct fan {
    bool there, kept, settled;
    bool copied; /* each by a copy, none by a second name */
    int64_t changed_ns;
};

/* What may still be done before this command. */
struct budget {
    size_t links, copies;
};

struct pack_file {
    char *path; /* below the git directory */
    off_t size;
    int64_t changed_ns;
};

struct sf_object_store {
    char *objects; /* "objects" below the git directory, with the prefix */
    struct fan fans[FANS];
    struct pack_file *packs;
    size_t pack_count, pack_cap;
    int64_t packs_changed_ns;
    bool packs_settled;
    int64_t kept_ns; /* when the command could start, by the clock of files */
};

struct sf_object_store *sf_object_store_new(const char *prefix)
{
    struct sf_object_store *s = sf_alloc(sizeof(*s));
    struct sf_strbuf path = SF_STRBUF_INIT;

    sf_strbuf_addf(&path, "%sobjects", prefix);
    s->objects = sf_strbuf_detach(&path);
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

/* A copy where it is possible only; what is empty is no object, and no loss. */
static bool keep_object(const struct sf_keeper *dirs, const char *name, struct budget *budget)
{
    struct stat st;

    if (!budget->links)
        return false;
    budget->links--;
    if (linkat(dirs->live, name, dirs->store, name, 0) == 0)
        return true;
    if (fstatat(dirs->live, name, &st, AT_SYMLINK_NOFOLLOW) < 0 || !st.st_size)
        return true;
    if (!budget->copies)
        return false;
    budget->copies--;
    return sf_keeper_keep(dirs, name, &st, SF_KEEPER_SHARE);
}

/* False: not all of them are kept. */
static bool keep_names(const struct sf_keeper *k, const char *dir, struct budget *budget)
{
    struct sf_strlist names = SF_STRLIST_INIT;
    struct sf_keeper dirs;
    struct stat st;
    bool ok;

    sf_keeper_dirs(k, dir, &dirs);
    sf_keeper_list(k->live, dir, &names);
    ok = dirs.live >= 0 && dirs.store >= 0;
    for (size_t i = 0; ok && i < names.count; i++)
        if (is_object(names.items[i]) &&
            fstatat(dirs.store, names.items[i], &st, AT_SYMLINK_NOFOLLOW) < 0)
            ok = keep_object(&dirs, names.items[i], budget);
    sf_keeper_close(&dirs);
    sf_strlist_release(&names);
    return ok;
}

/* False: some are a second name still. A large one stays that, see keeper.h. */
static bool copy_names(const struct sf_keeper *k, const char *dir, struct budget *budget)
{
    struct sf_strlist names = SF_STRLIST_INIT;
    struct sf_keeper dirs;
    struct stat st;
    bool all;

    sf_keeper_dirs(k, dir, &dirs);
    sf_keeper_list(k->store, dir, &names);
    all = dirs.live >= 0 && dirs.store >= 0;
    for (size_t i = 0; all && i < names.count; i++) {
        if (fstatat(dirs.store, names.items[i], &st, AT_SYMLINK_NOFOLLOW) < 0 || st.st_nlink < 2 ||
            st.st_size > COPY_MAX)
            continue;
        all = budget->copies > 0;
        if (all && fstatat(dirs.live, names.items[i], &st, AT_SYMLINK_NOFOLLOW) == 0) {
            budget->copies--;
            sf_keeper_keep(&dirs, names.items[i], &st, SF_KEEPER_COPY);
        }
    }
    sf_keeper_close(&dirs);
    sf_strlist_release(&names);
    return all;
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
                     struct budget *budget)
{
    struct fan *fan = &s->fans[i];
    char *path = fan_path(s, i);
    bool was = fan->there;
    struct stat st;

    fan->there = fstatat(k->live, path, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode);
    if (!fan->there && was) {
        forget_gone(k, path);
    } else if (fan->there && !(fan->kept && fan->settled && fan->changed_ns == changed_ns(&st))) {
        const struct timespec mark[2] = { { .tv_nsec = UTIME_OMIT }, st.st_ctim };

        fan->changed_ns = changed_ns(&st);
        fan->settled = is_settled(fan->changed_ns);
        fan->kept = is_marked(k, path, &st);
        fan->copied = false;
        if (!fan->kept) {
            forget_gone(k, path);
            fan->kept = keep_names(k, path, budget);
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
            s->packs[s->pack_count++] =
                (struct pack_file){ sf_strdup(path.buf), st.st_size, changed_ns(&st) };
        }
    }
    sf_strlist_release(&names);
    sf_strbuf_release(&dir);
    sf_strbuf_release(&path);
}

/* The mark of a mirror is of its last change, so it is set again. */
static void copy_fan(struct sf_object_store *s, const struct sf_keeper *k, unsigned i,
                     struct budget *budget)
{
    char *path = fan_path(s, i);
    struct stat st;

    if (fstatat(k->store, path, &st, AT_SYMLINK_NOFOLLOW) == 0) {
        const struct timespec mark[2] = { { .tv_nsec = UTIME_OMIT }, st.st_mtim };

        s->fans[i].copied = copy_names(k, path, budget);
        utimensat(k->store, path, mark, AT_SYMLINK_NOFOLLOW);
    }
    free(path);
}

static int64_t now_ns(void)
{
    return (sf_clock_wall_ms() - SLACK_MS) * 1000000;
}

void sf_object_store_keep(struct sf_object_store *s, const struct sf_keeper *k)
{
    struct budget budget = { LINKS, COPIES };

    keep_packs(s, k);
    for (unsigned i = 0; i < FANS; i++)
        keep_fan(s, k, i, &budget);
    for (unsigned i = 0; i < FANS && budget.copies; i++)
        if (s->fans[i].there && !s->fans[i].copied)
            copy_fan(s, k, i, &budget);
    s->kept_ns = now_ns();
}

/* ---- what packs have ---- */

struct after {
    struct sf_object_store *store;
    const struct sf_keeper *k;
    struct sf_pack_names *packs; /* all that are there now */
    size_t count, cap;
    struct sf_strlist gone;    /* paths: nothing has them any more */
    struct sf_strlist damaged; /* paths of what is there and is not what it was */
    bool unsure;               /* some that were not kept may be gone */
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
            sf_pack_names_read(&a->packs[a->count++], a->k->live, path.buf);
    }
    sf_strlist_release(&names);
    sf_strbuf_release(&dir);
    sf_strbuf_release(&path);
}

static bool is_packed(struct after *a, const unsigned char *name)
{
    read_packs(a);
    for (size_t i = 0; i < a->count; i++)
        if (sf_pack_names_have(&a->packs[i], name))
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
    struct sf_pack_names had;
    bool all;

    sf_strbuf_add(&path, pack, (size_t)(strrchr(pack, '.') - pack));
    sf_strbuf_adds(&path, ".idx");
    sf_pack_names_read(&had, a->k->store, path.buf);
    all = had.count > 0;
    for (size_t i = 0; all && i < had.count; i++)
        all = is_packed(a, had.list + i * had.width) ||
              is_loose(a, had.list + i * had.width, had.width);
    sf_strbuf_release(&had.text);
    sf_strbuf_release(&path);
    return all;
}

/* ---- settling ---- */

/* Whether both hold the same; a second name of a file says nothing about what that held. */
static bool is_changed(const struct after *a, const char *path, off_t max)
{
    struct sf_strbuf now = SF_STRBUF_INIT, was = SF_STRBUF_INIT;
    struct stat kept;
    bool changed = sf_keeper_has_copy(a->k, path, &kept) && kept.st_size <= max &&
                   sf_keeper_read(a->k->store, path, (size_t)max, &was) &&
                   !(sf_keeper_read(a->k->live, path, (size_t)max, &now) && now.len == was.len &&
                     !memcmp(now.buf, was.buf, was.len));

    sf_strbuf_release(&now);
    sf_strbuf_release(&was);
    return changed;
}

static void look_at_packs(struct after *a)
{
    for (size_t i = 0; i < a->store->pack_count; i++) {
        const struct pack_file *p = &a->store->packs[i];
        struct stat st;

        if (fstatat(a->k->live, p->path, &st, AT_SYMLINK_NOFOLLOW) < 0)
            sf_strlist_add(&a->gone, p->path);
        else if (st.st_size != p->size ||
                 (changed_ns(&st) != p->changed_ns && is_changed(a, p->path, FILE_MAX)))
            sf_strlist_add(&a->damaged, p->path);
    }
}

/* A copy has the size of the object; where there is none, the object was not empty. */
static void look_at_object(struct after *a, int dir, const char *name, const char *path)
{
    struct stat live, kept;

    if (dir < 0 || fstatat(dir, name, &live, AT_SYMLINK_NOFOLLOW) < 0)
        sf_strlist_add(&a->gone, path);
    else if (changed_ns(&live) < a->store->kept_ns)
        return;
    else if (!live.st_size || (sf_keeper_has_copy(a->k, path, &kept) &&
                               (kept.st_size != live.st_size || is_changed(a, path, FILE_MAX))))
        sf_strlist_add(&a->damaged, path);
}

static void look_at_fan(struct after *a, unsigned i)
{
    const struct fan *fan = &a->store->fans[i];
    char *dir = fan_path(a->store, i);
    struct sf_strlist names = SF_STRLIST_INIT;
    struct sf_strbuf path = SF_STRBUF_INIT;
    int fd = sf_keeper_dir(a->k->live, dir);
    struct stat st;

    if (fan->there && !fan->kept &&
        (fd < 0 || fstat(fd, &st) < 0 || changed_ns(&st) != fan->changed_ns))
        a->unsure = true;
    if (fan->there)
        sf_keeper_list(a->k->store, dir, &names);
    for (size_t n = 0; n < names.count; n++) {
        join(&path, dir, names.items[n]);
        if (is_object(names.items[n]))
            look_at_object(a, fd, names.items[n], path.buf);
    }
    if (fd >= 0)
        close(fd);
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

static off_t noted_size(const struct after *a, const char *path)
{
    for (size_t i = 0; i < a->store->pack_count; i++)
        if (!strcmp(a->store->packs[i].path, path))
            return a->store->packs[i].size;
    return 0;
}

/* What was emptied through its second name is no copy. */
static bool put_one_back(const struct after *a, const char *path)
{
    off_t noted = noted_size(a, path);
    struct stat kept;

    return sf_keeper_has_copy(a->k, path, &kept) && kept.st_size > 0 &&
           (!noted || kept.st_size == noted) && sf_keeper_put_back(a->k, path, SF_KEEPER_SHARE);
}

static void put_back(struct after *a, const struct sf_strlist *paths, struct sf_objects_lost *out)
{
    for (size_t i = 0; i < paths->count; i++)
        if (put_one_back(a, paths->items[i]))
            out->put_back++;
        else
            sf_strlist_add(&out->failed, paths->items[i]);
}

/* Of a pack's files one counts. */
static void let_go(const struct after *a, struct sf_history_gone *gone)
{
    for (size_t i = 0; i < a->gone.count; i++) {
        const char *path = a->gone.items[i];

        sf_history_gone_take(gone, a->k, path);
        gone->objects += !strstr(path, "/pack/") || ends_in(path, ".pack");
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

    look_at_packs(&a);
    for (unsigned i = 0; i < FANS; i++)
        look_at_fan(&a, i);
    put_back(&a, &a.damaged, out);
    leave_out_moved(&a);
    if ((a.gone.count || a.unsure) && !view->git_alone &&
        !sf_git_history_is_whole(view->asking, view->git_dir)) {
        put_back(&a, &a.gone, out);
        out->missing = a.unsure && !sf_git_history_is_whole(view->asking, view->git_dir);
    } else {
        let_go(&a, view->gone);
    }
    release(&a);
}
