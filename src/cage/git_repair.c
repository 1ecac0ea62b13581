/*
 * git_repair.c: one list of parts, made before and after, and one table of what is done about a
 * part that differs. Everything is done through a handle on the directory a part lies in, and no
 * link is followed: a command that still runs may put one anywhere.
 */
#include "cage/git_repair.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cage/plan.h"
#include "guard/guard.h"
#include "io/io.h"

enum {
    TEXT_MAX = 1 << 20,
    HOOKS_MAX = 1024,
    TOLD_MAX = 8,
    OBEYED_MAX = 256, /* files in directories that others obey */
    OBEYED_DEPTH = 3,
};

enum kind { SETTINGS, HOOKS, COMMON, BACK, POINTER, POLICY, OBEYED, KINDS };

struct part {
    enum kind kind;
    char *path;
    bool linked; /* lies in the directory of a linked worktree */
    bool held;   /* by a mount, while the command ran */
    bool there, regular;
    mode_t mode;
    char *link;              /* where a link leads, or NULL */
    struct sf_strbuf text;   /* of a regular file */
    struct sf_strlist items; /* HOOKS: what can be run, POLICY: what is no work of sf's */
};

struct parts {
    struct part *list;
    size_t count, cap, obeyed;
    struct sf_map by_path;
};

struct sf_git_repair {
    struct sf_repositories *all;
    struct sf_git_repair_how how;
    struct sf_strlist may_change; /* what how.may_change points to */
    struct parts before;
    struct sf_repositories_found kept; /* directories of the history, copied; the rest is empty */
    bool keeps;                        /* the history was kept and is not settled */
    atomic_bool hurry;
};

/* What goes on while parts are put back. */
struct mending {
    struct sf_git_repair *care;
    struct sf_strlist mended, failed;
    struct sf_strlist policy;
    struct sf_strlist obeyed;
};

/* In a git directory. */
static const struct {
    const char *name;
    enum kind kind;
} parts_of_git[] = {
    { "config", SETTINGS }, { "config.worktree", SETTINGS },
    { "hooks", HOOKS },     { "commondir", COMMON },
    { "gitdir", BACK },
};

/* Beneath .sf: what is not policy. */
static const char *const works_of_sf[] = { "plans", "tasks", "research" };

/* ---- handles ---- */

/* The directory of a path, without following links, and the name in there. */
static int open_parent(const char *path, const char **name)
{
    const struct open_how how = { .flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
                                  .resolve = RESOLVE_NO_SYMLINKS };
    const char *slash = strrchr(path, '/');
    char *dir = sf_strndup(path, slash == path ? 1 : (size_t)(slash - path));
    int fd = (int)syscall(SYS_openat2, AT_FDCWD, dir, &how, sizeof(how));

    *name = slash + 1;
    free(dir);
    return fd;
}

static bool remove_path(const char *path)
{
    const char *name;
    int dir = open_parent(path, &name);
    bool ok = dir >= 0 && unlinkat(dir, name, 0) == 0;

    if (dir >= 0)
        close(dir);
    return ok;
}

/* A new file takes its place when it is complete, and no other name of the old one is written to. */
static bool write_path(const char *path, const char *text, size_t len)
{
    const char *name;
    char temp[40];
    int dir = open_parent(path, &name), fd = -1;
    bool ok;

    snprintf(temp, sizeof(temp), ".sf-mended-%d", (int)getpid());
    if (dir >= 0 && (unlinkat(dir, temp, 0) == 0 || errno == ENOENT))
        fd = openat(dir, temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    ok = fd >= 0 && sf_fd_write_all(fd, text, len) && renameat(dir, temp, dir, name) == 0;
    if (!ok && fd >= 0)
        unlinkat(dir, temp, 0);
    if (fd >= 0)
        close(fd);
    if (dir >= 0)
        close(dir);
    return ok;
}

/* The directories between the two, where they are missing. */
static void make_parents(const char *root, const char *path)
{
    char *at = sf_strdup(path);

    for (char *slash = at + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
        const char *name;
        int dir;

        *slash = '\0';
        dir = open_parent(at, &name);
        if (dir >= 0) {
            mkdirat(dir, name, 0755);
            close(dir);
        }
        *slash = '/';
    }
    free(at);
}

/* ---- looking ---- */

static void read_text(int dir, const char *name, struct part *p)
{
    int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    char chunk[4096];
    ssize_t n;

    while (fd >= 0 && p->text.len <= TEXT_MAX && (n = read(fd, chunk, sizeof(chunk))) > 0)
        sf_strbuf_add(&p->text, chunk, (size_t)n);
    if (fd >= 0)
        close(fd);
}

static bool is_sample(const char *name)
{
    size_t n = strlen(name);

    return n > 7 && !strcmp(name + n - 7, ".sample");
}

/* Each as "NAME/IDENTITY": one that was written or replaced is another. */
static void read_hooks(int dir, struct part *p)
{
    DIR *stream = fdopendir(dir);
    const struct dirent *entry;

    while (stream && (entry = readdir(stream)) && p->items.count < HOOKS_MAX) {
        struct stat st;

        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") ||
            is_sample(entry->d_name) || fstatat(dir, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
            (!S_ISLNK(st.st_mode) && (!S_ISREG(st.st_mode) || !(st.st_mode & 0111))))
            continue;
        sf_strlist_addf(&p->items, "%s/%llu %lld.%ld", entry->d_name, (unsigned long long)st.st_ino,
                        (long long)st.st_ctim.tv_sec, st.st_ctim.tv_nsec);
    }
    if (stream)
        closedir(stream);
    else
        close(dir);
}

static void read_policy(int dir, struct part *p)
{
    DIR *stream = fdopendir(dir);
    const struct dirent *entry;

    while (stream && (entry = readdir(stream)) && p->items.count < TOLD_MAX) {
        bool work = !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..");

        for (size_t i = 0; !work && i < SF_COUNT(works_of_sf); i++)
            work = !strcmp(entry->d_name, works_of_sf[i]);
        if (!work)
            sf_strlist_add(&p->items, entry->d_name);
    }
    if (stream)
        closedir(stream);
    else
        close(dir);
}

static void look_into(struct part *p, int dir, const char *name, const struct stat *st)
{
    char target[PATH_MAX];
    ssize_t n;
    int fd;

    if (S_ISLNK(st->st_mode)) {
        n = readlinkat(dir, name, target, sizeof(target) - 1);
        p->link = sf_strndup(target, n > 0 ? (size_t)n : 0);
    } else if (S_ISREG(st->st_mode)) {
        p->regular = true;
        read_text(dir, name, p);
    } else if (S_ISDIR(st->st_mode) && (p->kind == HOOKS || p->kind == POLICY)) {
        fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd >= 0 && p->kind == HOOKS)
            read_hooks(fd, p);
        else if (fd >= 0)
            read_policy(fd, p);
    }
}

static bool has_part(const struct parts *parts, const char *path)
{
    for (size_t i = 0; i < parts->count; i++)
        if (!strcmp(parts->list[i].path, path))
            return true;
    return false;
}

/* Adopts the path. */
static void add_part(struct parts *parts, const struct part *like)
{
    struct part p = *like;
    const char *name;
    struct stat st;
    int dir = open_parent(p.path, &name);

    sf_strbuf_init(&p.text);
    p.there = dir >= 0 && fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
    if (p.there) {
        p.mode = st.st_mode & 0777;
        look_into(&p, dir, name, &st);
    }
    p.held = p.held && p.there && !p.link;
    if (dir >= 0)
        close(dir);
    parts->list = sf_grow(parts->list, &parts->cap, parts->count + 1, sizeof(*parts->list));
    parts->list[parts->count++] = p;
}

static void add_git_dir(struct parts *parts, const struct sf_git_dir *dir,
                        const struct sf_git_repair_how *how)
{
    bool held = how->held && dir->kept;

    for (size_t i = 0; i < SF_COUNT(parts_of_git); i++) {
        enum kind kind = parts_of_git[i].kind;
        const struct part part = { .kind = kind,
                                   .path = sf_path_join(dir->path, parts_of_git[i].name),
                                   .linked = dir->linked,
                                   .held =
                                       held && (kind == HOOKS ? !dir->linked : !how->git_alone) };

        add_part(parts, &part);
    }
}

static void add_paths(struct parts *parts, enum kind kind, const struct sf_strlist *paths,
                      bool held)
{
    for (size_t i = 0; i < paths->count; i++) {
        struct part part = { .kind = kind, .held = held };

        if (has_part(parts, paths->items[i]))
            continue;
        part.path = sf_strdup(paths->items[i]);
        add_part(parts, &part);
    }
}

static void add_obeyed(struct parts *parts, const char *path, bool held, unsigned depth);

static void add_obeyed_below(struct parts *parts, const char *dir, unsigned depth)
{
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *stream = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *entry;

    while (stream && (entry = readdir(stream)) && parts->obeyed < OBEYED_MAX) {
        char *path;

        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        path = sf_path_join(dir, entry->d_name);
        add_obeyed(parts, path, false, depth);
        free(path);
    }
    if (stream)
        closedir(stream);
    else if (fd >= 0)
        close(fd);
}

/* What a mount holds is not looked into. */
static void add_obeyed(struct parts *parts, const char *path, bool held, unsigned depth)
{
    const struct part part = { .kind = OBEYED, .path = sf_strdup(path), .held = held };
    bool directory;

    parts->obeyed++;
    add_part(parts, &part);
    directory = parts->list[parts->count - 1].there && !parts->list[parts->count - 1].regular &&
                !parts->list[parts->count - 1].link;
    if (directory && !parts->list[parts->count - 1].held && depth < OBEYED_DEPTH)
        add_obeyed_below(parts, path, depth + 1);
}

static const struct sf_repositories_found *take(struct parts *parts, struct sf_repositories *all,
                                                const struct sf_git_repair_how *how)
{
    const struct sf_repositories_found *found = sf_repositories_look(all);
    const struct part policy = { .kind = POLICY,
                                 .path = sf_path_join(sf_repositories_root(all), ".sf"),
                                 .held = how->held };

    for (size_t i = 0; i < found->count; i++)
        add_git_dir(parts, &found->dirs[i], how);
    add_paths(parts, HOOKS, &found->hooks, how->held);
    add_paths(parts, SETTINGS, &found->settings, how->held);
    add_paths(parts, POINTER, &found->pointers, false);
    for (size_t i = 0; !how->git_alone && i < found->obeyed.count; i++)
        if (!has_part(parts, found->obeyed.items[i]))
            add_obeyed(parts, found->obeyed.items[i],
                       how->held && !sf_cage_is_named(how->may_change, found->obeyed.items[i]), 0);
    add_part(parts, &policy);
    for (size_t i = 0; i < parts->count; i++)
        sf_map_add(&parts->by_path, parts->list[i].path, strlen(parts->list[i].path),
                   &parts->list[i]);
    return found;
}

static void drop(struct parts *parts)
{
    for (size_t i = 0; i < parts->count; i++) {
        free(parts->list[i].path);
        free(parts->list[i].link);
        sf_strbuf_release(&parts->list[i].text);
        sf_strlist_release(&parts->list[i].items);
    }
    free(parts->list);
    sf_map_release(&parts->by_path);
    *parts = (struct parts){ 0 };
}

/* ---- mending ---- */

/* `name`, a path relative to the workspace where it lies in there, is told with what was done. */
static void tell(struct mending *m, bool ok, const char *path, const char *what)
{
    const char *root = sf_repositories_root(m->care->all);
    const char *shown =
        sf_cage_below(root, path) && path[strlen(root)] == '/' ? path + strlen(root) + 1 : path;

    sf_strlist_addf(ok ? &m->mended : &m->failed, "%s (%s)", shown, what);
}

static bool same_text(const struct part *a, const struct part *b)
{
    return a->text.len == b->text.len &&
           (!a->text.len || !memcmp(a->text.buf, b->text.buf, a->text.len));
}

/* A link that was not there is no file of git's; one that was is left alone. */
static bool mend_link(struct mending *m, const struct part *now, const struct part *before)
{
    if (!now->link)
        return false;
    if (!before || !before->link || strcmp(before->link, now->link) != 0)
        tell(m, remove_path(now->path), now->path, "a link, removed");
    return true;
}

static void put_back(struct mending *m, const struct part *now, const struct part *before)
{
    tell(m, write_path(now->path, before->text.buf, before->text.len), now->path,
         "as before again");
}

/* Settings on their way into the text that is written anew. */
struct sieve {
    struct sf_strlist known; /* those that were there before */
    struct sf_strbuf out, header, last;
    struct sf_strbuf names; /* of those that stay behind */
    bool of_module;
};

static void add_setting_line(struct sf_strbuf *out, const struct sf_git_setting *s)
{
    sf_strbuf_addf(out, "%s\n%s\n%s\n%s", s->section, s->sub ? s->sub : "", s->key,
                   s->value ? s->value : "");
}

static void note_known(void *ctx, const struct sf_git_setting *s)
{
    struct sf_strbuf line = SF_STRBUF_INIT;

    add_setting_line(&line, s);
    sf_strlist_adopt(ctx, sf_strbuf_detach(&line));
}

/* A work tree elsewhere could be anybody's: only a submodule's data needs to name one. */
static bool may_stay(const struct sf_git_setting *s, bool of_module)
{
    return sf_git_setting_is_tame(s) &&
           (of_module || strcmp(s->section, "core") != 0 || strcmp(s->key, "worktree") != 0);
}

static void sift(void *ctx, const struct sf_git_setting *s)
{
    struct sieve *v = ctx;
    struct sf_strbuf line = SF_STRBUF_INIT;

    add_setting_line(&line, s);
    if (!may_stay(s, v->of_module) && !sf_strlist_has(&v->known, line.buf)) {
        sf_strbuf_addf(&v->names, "%s%s.%s", v->names.len ? ", " : "", s->section, s->key);
    } else {
        sf_strbuf_reset(&v->header);
        sf_strbuf_addf(&v->header, s->sub ? "[%s \"%s\"]\n" : "[%s]\n", s->section, s->sub);
        if (strcmp(v->header.buf, v->last.len ? v->last.buf : "") != 0) {
            sf_strbuf_adds(&v->out, v->header.buf);
            sf_strbuf_reset(&v->last);
            sf_strbuf_adds(&v->last, v->header.buf);
        }
        sf_strbuf_addf(&v->out, s->value ? "\t%s = %s\n" : "\t%s\n", s->key, s->value);
    }
    sf_strbuf_release(&line);
}

static void sieve_init(struct sieve *v, const struct part *now, const struct part *before)
{
    *v = (struct sieve){ .of_module = strstr(now->path, "/modules/") != NULL };
    sf_strbuf_init(&v->out);
    sf_strbuf_init(&v->header);
    sf_strbuf_init(&v->last);
    sf_strbuf_init(&v->names);
    if (before && before->text.len)
        sf_git_settings_read(before->text.buf, before->text.len, note_known, &v->known);
}

static void sieve_release(struct sieve *v)
{
    sf_strlist_release(&v->known);
    sf_strbuf_release(&v->out);
    sf_strbuf_release(&v->header);
    sf_strbuf_release(&v->last);
    sf_strbuf_release(&v->names);
}

static void mend_settings(struct mending *m, const struct part *now, const struct part *before)
{
    struct sf_strbuf what = SF_STRBUF_INIT;
    struct sieve v;
    bool sure;

    if (m->care->how.any || mend_link(m, now, before) || !now->regular ||
        (before && before->regular && same_text(now, before)))
        return;
    sieve_init(&v, now, before);
    sure = now->text.len <= TEXT_MAX &&
           (!now->text.len || sf_git_settings_read(now->text.buf, now->text.len, sift, &v));
    if (!sure && before && before->regular && before->text.len <= TEXT_MAX) {
        put_back(m, now, before);
    } else if (!sure || v.names.len) {
        sf_strbuf_addf(&what, "%s taken out", v.names.len ? v.names.buf : "what is not plain");
        tell(m, write_path(now->path, v.out.len ? v.out.buf : "", v.out.len), now->path, what.buf);
    }
    sieve_release(&v);
    sf_strbuf_release(&what);
}

/* A file stays and can no longer be run; a link to one goes. */
static bool disarm(int dir, const char *name)
{
    struct stat st;

    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return errno == ENOENT;
    if (S_ISREG(st.st_mode) &&
        fchmodat(dir, name, st.st_mode & 07777 & ~0111U, AT_SYMLINK_NOFOLLOW) == 0)
        return true;
    return unlinkat(dir, name, 0) == 0;
}

static void mend_hooks(struct mending *m, const struct part *now, const struct part *before)
{
    const char *unused;
    char *inside;
    int dir;

    if (mend_link(m, now, before) || !now->items.count)
        return;
    inside = sf_path_join(now->path, ".");
    dir = open_parent(inside, &unused);
    for (size_t i = 0; i < now->items.count; i++) {
        char *name = now->items.items[i], *path;

        if (before && sf_strlist_has(&before->items, name))
            continue;
        *strchr(name, '/') = '\0';
        path = sf_path_join(now->path, name);
        tell(m, dir >= 0 && disarm(dir, name), path, "no longer executable");
        free(path);
    }
    if (dir >= 0)
        close(dir);
    free(inside);
}

/* Where a linked worktree finds the rest: always the directory two above. */
static void mend_common(struct mending *m, const struct part *now, const struct part *before)
{
    static const char usual[] = "../..\n";

    if (mend_link(m, now, before) || (before && before->there && same_text(now, before)))
        return;
    if (before && before->regular)
        put_back(m, now, before);
    else if (!now->linked)
        tell(m, remove_path(now->path), now->path, "removed");
    else if (!now->regular || strcmp(now->text.len ? now->text.buf : "", usual) != 0)
        tell(m, write_path(now->path, usual, sizeof(usual) - 1), now->path, "as git writes it");
}

/* Which work tree a linked one is: `git worktree remove` deletes what is named there. */
static void mend_back(struct mending *m, const struct part *now, const struct part *before)
{
    if (!m->care->how.git_alone && before && before->regular && !same_text(now, before))
        put_back(m, now, before);
}

/* A .git that leads into the workspace was followed; one that leads elsewhere is as before. */
static void mend_pointer(struct mending *m, const struct part *now, const struct part *before)
{
    char *target;

    if (before && before->there && same_text(now, before) &&
        (now->link != NULL) == (before->link != NULL) &&
        (!now->link || !strcmp(now->link, before->link)))
        return;
    target = sf_repositories_target(now->path);
    if (target && !sf_repositories_reach(m->care->all, target)) {
        if (before && before->regular)
            put_back(m, now, before);
        else
            tell(m, remove_path(now->path), now->path, "removed: it leads outside");
    }
    free(target);
}

static void mend_policy(struct mending *m, const struct part *now, const struct part *before)
{
    if (!before || before->there)
        return;
    for (size_t i = 0; i < now->items.count; i++)
        sf_strlist_add(&m->policy, now->items.items[i]);
    if (now->link)
        sf_strlist_add(&m->policy, "");
}

/* A name that nobody obeys, beside it; what it holds is not lost. */
static bool move_aside(const char *path)
{
    const char *name;
    int dir = open_parent(path, &name);
    bool ok = false;

    for (unsigned i = 1; dir >= 0 && !ok && i < 100; i++) {
        struct sf_strbuf aside = SF_STRBUF_INIT;

        sf_strbuf_addf(&aside, "%s.refused-%u", name + (*name == '.'), i);
        ok = renameat2(dir, name, dir, aside.buf, RENAME_NOREPLACE) == 0;
        if (!ok && errno != EEXIST)
            i = 100;
        sf_strbuf_release(&aside);
    }
    if (dir >= 0)
        close(dir);
    return ok;
}

/* With its mode: a hook that cannot be run is none. */
static bool restore(const struct part *was)
{
    const char *name;
    int dir;
    bool ok = was->text.len <= TEXT_MAX &&
              write_path(was->path, was->text.len ? was->text.buf : "", was->text.len);

    dir = ok ? open_parent(was->path, &name) : -1;
    ok = dir >= 0 && fchmodat(dir, name, was->mode, AT_SYMLINK_NOFOLLOW) == 0;
    if (dir >= 0)
        close(dir);
    return ok;
}

static void tell_obeyed(struct mending *m, bool ok, const char *path, const char *what)
{
    const char *root = sf_repositories_root(m->care->all);

    if (ok)
        sf_strlist_addf(&m->obeyed, "%s (%s)", path + strlen(root) + 1, what);
    else
        tell(m, false, path, "not as it was");
}

static bool is_named(const struct mending *m, const char *path)
{
    for (size_t i = 0; i < m->care->may_change.count; i++)
        if (sf_cage_below(m->care->may_change.items[i], path))
            return true;
    return false;
}

/* What lies in a directory that was moved aside is gone from where it was found. */
static void mend_obeyed(struct mending *m, const struct part *now, const struct part *before)
{
    struct stat st;

    if (is_named(m, now->path) || lstat(now->path, &st) < 0)
        return;
    if (!before || !before->there)
        tell_obeyed(m, move_aside(now->path), now->path, "new, moved aside");
    else if (before->regular && (!now->regular || !same_text(now, before)))
        tell_obeyed(m, restore(before), now->path, "as before again");
    else if (before->link ? !now->link || strcmp(before->link, now->link) != 0 : now->link != NULL)
        tell_obeyed(m, move_aside(now->path), now->path, "replaced, moved aside");
}

/* Those that are gone, where no mount held them. */
static void bring_back(struct mending *m, const struct parts *now)
{
    const struct parts *before = &m->care->before;

    for (size_t i = 0; i < before->count; i++) {
        const struct part *was = &before->list[i], *is = sf_map_gets(&now->by_path, was->path);

        if (was->kind == OBEYED && was->regular && !was->held && !(is && is->there) &&
            !is_named(m, was->path)) {
            make_parents(sf_repositories_root(m->care->all), was->path);
            tell_obeyed(m, restore(was), was->path, "there again");
        }
    }
}

static void (*const menders[KINDS])(struct mending *m, const struct part *now,
                                    const struct part *before) = {
    [SETTINGS] = mend_settings, [HOOKS] = mend_hooks,   [COMMON] = mend_common, [BACK] = mend_back,
    [POINTER] = mend_pointer,   [POLICY] = mend_policy, [OBEYED] = mend_obeyed,
};

/* ---- words ---- */

static void add_list(struct sf_strbuf *out, const struct sf_strlist *list)
{
    for (size_t i = 0; i < list->count && i < TOLD_MAX; i++) {
        sf_strbuf_adds(out, i ? ", " : "");
        sf_text_sanitize(out, list->items[i], strlen(list->items[i]), SF_TEXT_ONE_LINE);
    }
    if (list->count > TOLD_MAX)
        sf_strbuf_addf(out, " and %zu more", list->count - TOLD_MAX);
}

static void write_words(const struct mending *m, struct sf_strbuf *out)
{
    if (m->mended.count) {
        sf_strbuf_adds(out, "[sf] Put back, since git would run programs by it the next time "
                            "somebody uses it here: ");
        add_list(out, &m->mended);
        sf_strbuf_adds(out, ". Settings of git are changed by a git command alone, hooks by "
                            "people.\n");
    }
    if (m->failed.count) {
        sf_strbuf_adds(out, "[sf] Could not be put back, and git may run programs by it. Use no "
                            "git here before you have looked at: ");
        add_list(out, &m->failed);
        sf_strbuf_adds(out, ".\n");
    }
    if (m->obeyed.count) {
        sf_strbuf_adds(out, "[sf] Put back, since an editor, a shell or an agent would obey it "
                            "later on: ");
        add_list(out, &m->obeyed);
        sf_strbuf_adds(out, ". Such files are for people to write.\n");
    }
    if (m->policy.count) {
        sf_strbuf_adds(out, "[sf] The command made settings of sf for this project: .sf/");
        add_list(out, &m->policy);
        sf_strbuf_adds(out, ". Until somebody trusts them (sf trust) they can only forbid.\n");
    }
}

/* ---- history ---- */

/* The next look, for another command, overwrites what was found. */
static void copy_kept(struct sf_repositories_found *to, const struct sf_repositories_found *found)
{
    for (size_t i = 0; i < found->count; i++) {
        struct sf_git_dir dir = found->dirs[i];

        if (!dir.kept)
            continue;
        dir.path = sf_strdup(dir.path);
        to->dirs = sf_grow(to->dirs, &to->cap, to->count + 1, sizeof(dir));
        to->dirs[to->count++] = dir;
    }
}

void sf_git_repair_keep(struct sf_git_repair *care)
{
    if (care->how.history)
        sf_git_history_keep(care->how.history, &care->kept);
    care->keeps = care->how.history != NULL;
}

/* After the rest: what comes back here is as it was, and must not be taken for the command's. */
void sf_git_repair_settle_history(struct sf_git_repair *care, struct sf_strbuf *out)
{
    const struct sf_git_history_how how = { .git_alone = care->how.git_alone,
                                            .may_change = care->how.may_change,
                                            .hurry = &care->hurry };

    if (care->keeps)
        sf_git_history_settle(care->how.history, &how, out);
    care->keeps = false;
}

void sf_git_repair_hurry(struct sf_git_repair *care)
{
    atomic_store(&care->hurry, true);
}

void sf_git_repair_settle(struct sf_git_repair *care, struct sf_strbuf *out)
{
    struct mending m = { .care = care };
    struct parts now = { 0 };

    take(&now, care->all, &care->how);
    for (size_t i = 0; i < now.count; i++) {
        const struct part *p = &now.list[i], *before = sf_map_gets(&care->before.by_path, p->path);

        if (p->there && !(before && before->held))
            menders[p->kind](&m, p, before);
    }
    bring_back(&m, &now);
    write_words(&m, out);
    drop(&now);
    sf_strlist_release(&m.mended);
    sf_strlist_release(&m.failed);
    sf_strlist_release(&m.policy);
    sf_strlist_release(&m.obeyed);
}

struct sf_git_repair *sf_git_repair_new(struct sf_repositories *all,
                                        const struct sf_git_repair_how *how)
{
    struct sf_git_repair *care = sf_alloc(sizeof(*care));

    care->all = all;
    care->how = *how;
    for (const char *const *path = how->may_change; path && *path; path++)
        sf_strlist_add(&care->may_change, *path);
    care->how.may_change =
        care->may_change.count ? (const char *const *)care->may_change.items : NULL;
    copy_kept(&care->kept, take(&care->before, all, &care->how));
    return care;
}

void sf_git_repair_free(struct sf_git_repair *care)
{
    struct sf_strbuf unheard = SF_STRBUF_INIT;

    if (!care)
        return;
    sf_git_repair_settle_history(care, &unheard);
    sf_strbuf_release(&unheard);
    drop(&care->before);
    for (size_t i = 0; i < care->kept.count; i++)
        free(care->kept.dirs[i].path);
    free(care->kept.dirs);
    sf_strlist_release(&care->may_change);
    free(care);
}
