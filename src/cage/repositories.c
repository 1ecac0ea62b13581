/*
 * repositories.c: three ways to a git directory: from the workspace's own to those below it, by a
 * walk over the workspace's directories, and by the entries of git's index. The walk remembers
 * what it read until a directory's change time differs.
 */
#include "cage/repositories.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cage/gitlinks.h"
#include "cage/plan.h"
#include "guard/guard.h"
#include "io/io.h"

enum {
    ENTRIES_MAX = 200000,
    SETTLED_MS = 2000,
    POINTER_MAX = 8192,
    SETTINGS_MAX = 1 << 20,
    INDEX_MAX = 64 << 20,
    MODULES_DEPTH = 6,
    BELOW_MAX = 1024, /* entries of modules/ and worktrees/ that are looked at */
};

/* What a directory has that makes it, or leads to, a git directory. */
enum { HAS_GIT = 1, HAS_HEAD = 2, HAS_OBJECTS = 4, HAS_REFS = 8 };

static const struct {
    const char *name;
    unsigned mark;
} marks[] = {
    { ".git", HAS_GIT },
    { "HEAD", HAS_HEAD },
    { "objects", HAS_OBJECTS },
    { "refs", HAS_REFS },
};

/* Packages, by the thousand. */
static const char *const fetched[] = {
    "node_modules", ".venv", "venv",  "site-packages", "__pycache__", "dist-packages",
    "target",       ".tox",  ".yarn", ".pnpm-store",   ".gradle",     ".terraform",
};

struct dir {
    char *path; /* below the root, "" is the root */
    unsigned depth, marks;
    int64_t changed_ns;
    ino_t inode;
    bool read, settled;
    bool skips; /* some directory in it is not searched */
    struct sf_strlist below, obeyed;
};

struct sf_repositories {
    const char *root, *home;
    const char *const *git_dirs;
    struct dir *dirs;
    size_t count, cap, entries;
    struct sf_repositories_found found;
    bool looked;

    struct stat index; /* as it was when its links were read */
    struct sf_strlist links;
    bool links_known;
};

static void drop_found(struct sf_repositories_found *f)
{
    for (size_t i = 0; i < f->count; i++)
        free(f->dirs[i].path);
    free(f->dirs);
    sf_strlist_release(&f->pointers);
    sf_strlist_release(&f->hooks);
    sf_strlist_release(&f->settings);
    sf_strlist_release(&f->obeyed);
    *f = (struct sf_repositories_found){ 0 };
}

static void drop_dirs(struct dir *dirs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(dirs[i].path);
        sf_strlist_release(&dirs[i].below);
        sf_strlist_release(&dirs[i].obeyed);
    }
    free(dirs);
}

struct sf_repositories *sf_repositories_new(const char *root, const char *home,
                                            const char *const *git_dirs)
{
    struct sf_repositories *all = sf_alloc(sizeof(*all));

    all->root = root;
    all->home = home;
    all->git_dirs = git_dirs;
    return all;
}

void sf_repositories_free(struct sf_repositories *all)
{
    if (!all)
        return;
    drop_found(&all->found);
    drop_dirs(all->dirs, all->count);
    sf_strlist_release(&all->links);
    free(all);
}

const char *sf_repositories_root(const struct sf_repositories *all)
{
    return all->root;
}

static bool is_own(const struct sf_repositories *all, const char *path)
{
    for (const char *const *dir = all->git_dirs; dir && *dir; dir++)
        if (sf_cage_below(*dir, path))
            return true;
    return false;
}

bool sf_repositories_reach(const struct sf_repositories *all, const char *path)
{
    return sf_cage_below(all->root, path) || is_own(all, path);
}

static bool is_real_dir(const char *path)
{
    struct stat st;

    return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool has(const char *dir, const char *name)
{
    char *path = sf_path_join(dir, name);
    struct stat st;
    bool yes = lstat(path, &st) == 0;

    free(path);
    return yes;
}

/* ---- git directories ---- */

static void add_modules(struct sf_repositories *all, const char *dir, unsigned depth);
static void add_worktrees(struct sf_repositories *all, const char *dir);

static bool is_known(const struct sf_repositories *all, const char *path)
{
    for (size_t i = 0; i < all->found.count; i++)
        if (!strcmp(all->found.dirs[i].path, path))
            return true;
    return false;
}

/* The directory a linked worktree's belongs to, by where it lies; NULL: it is none. */
static char *owner_of(const char *path)
{
    char *owner = sf_strdup(path), *slash = strrchr(owner, '/');

    if (slash)
        *slash = '\0';
    slash = slash ? strrchr(owner, '/') : NULL;
    if (slash && slash != owner && !strcmp(slash, "/worktrees")) {
        *slash = '\0';
        if (has(owner, "HEAD") && has(owner, "objects"))
            return owner;
    }
    free(owner);
    return NULL;
}

/* Where a link in the place of a file of git's leads, if that is in the workspace. */
static void follow(struct sf_repositories *all, const char *dir, const char *name,
                   struct sf_strlist *out)
{
    char *path = sf_path_join(dir, name);
    char real[PATH_MAX];
    struct stat st;

    if (lstat(path, &st) == 0 && S_ISLNK(st.st_mode) && realpath(path, real) &&
        sf_cage_below(all->root, real) && strcmp(all->root, real) != 0 &&
        !sf_strlist_has(out, real))
        sf_strlist_add(out, real);
    free(path);
}

static void add_git_dir(struct sf_repositories *all, const char *path)
{
    struct sf_repositories_found *f = &all->found;
    char *owner, *modules;
    bool own = is_own(all, path), kept = own && f->kept_count < SF_REPOSITORIES_KEPT;

    if (is_known(all, path))
        return;
    f->cut = f->cut || own != kept;
    if (f->count == SF_REPOSITORIES_MAX) {
        f->cut = true;
        return;
    }
    owner = owner_of(path);
    f->dirs = sf_grow(f->dirs, &f->cap, f->count + 1, sizeof(*f->dirs));
    f->dirs[f->count++] = (struct sf_git_dir){ sf_strdup(path), owner != NULL, kept };
    f->kept_count += kept;
    if (owner)
        add_git_dir(all, owner);
    modules = sf_path_join(path, "modules");
    add_modules(all, modules, 0);
    add_worktrees(all, path);
    follow(all, path, "hooks", &f->hooks);
    follow(all, path, "config", &f->settings);
    free(owner);
    free(modules);
}

static void each_below(struct sf_repositories *all, const char *dir,
                       void (*fn)(struct sf_repositories *all, const char *path, unsigned depth),
                       unsigned depth)
{
    DIR *stream = is_real_dir(dir) ? opendir(dir) : NULL;
    const struct dirent *entry;
    size_t seen = 0;

    while (stream && (entry = readdir(stream))) {
        char *path;

        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        if (++seen > BELOW_MAX) {
            all->found.cut = true;
            break;
        }
        path = sf_path_join(dir, entry->d_name);
        if (is_real_dir(path))
            fn(all, path, depth);
        free(path);
    }
    if (stream)
        closedir(stream);
}

/* A submodule's name may hold slashes: what has no HEAD is a part of one. */
static void add_module(struct sf_repositories *all, const char *path, unsigned depth)
{
    if (has(path, "HEAD"))
        add_git_dir(all, path);
    else
        add_modules(all, path, depth + 1);
}

static void add_modules(struct sf_repositories *all, const char *dir, unsigned depth)
{
    if (depth > MODULES_DEPTH)
        all->found.cut = true;
    else
        each_below(all, dir, add_module, depth);
}

static void add_worktree(struct sf_repositories *all, const char *path, unsigned depth)
{
    (void)depth;
    add_git_dir(all, path);
}

static void add_worktrees(struct sf_repositories *all, const char *dir)
{
    char *path = sf_path_join(dir, "worktrees");

    each_below(all, path, add_worktree, 0);
    free(path);
}

char *sf_repositories_target(const char *pointer)
{
    static const char prefix[] = "gitdir: ";
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;
    char *dir = NULL, *real = NULL;
    struct stat st;

    if (lstat(pointer, &st) < 0)
        return NULL;
    if (S_ISLNK(st.st_mode) && stat(pointer, &st) == 0 && S_ISDIR(st.st_mode))
        return sf_path_real(pointer, &ignored);
    if (sf_file_read(pointer, POINTER_MAX, &text, &ignored) && text.len >= sizeof(prefix) &&
        !strncmp(text.buf, prefix, sizeof(prefix) - 1)) {
        const char *path = text.buf + sizeof(prefix) - 1;
        const char *slash = strrchr(pointer, '/');

        text.buf[strcspn(text.buf, "\r\n")] = '\0';
        dir = sf_strndup(pointer, (size_t)(slash - pointer));
        if (*path != '/') {
            char *joined = sf_path_join(dir, path);

            free(dir);
            dir = joined;
        } else {
            free(dir);
            dir = sf_strdup(path);
        }
        real = sf_path_real(dir, &ignored);
    }
    free(dir);
    sf_strbuf_release(&text);
    return real;
}

/* Something called .git. */
static void add_dot_git(struct sf_repositories *all, const char *path)
{
    char *target;

    if (is_real_dir(path)) {
        add_git_dir(all, path);
        return;
    }
    if (sf_strlist_has(&all->found.pointers, path))
        return;
    if (all->found.pointers.count == SF_REPOSITORIES_MAX) {
        all->found.cut = true;
        return;
    }
    sf_strlist_add(&all->found.pointers, path);
    target = sf_repositories_target(path);
    if (target && sf_repositories_reach(all, target))
        add_git_dir(all, target);
    free(target);
}

/* ---- the walk ---- */

static int64_t changed_ns(const struct stat *st)
{
    return (int64_t)st->st_ctim.tv_sec * 1000000000 + st->st_ctim.tv_nsec;
}

static char *below(const char *dir, const char *name)
{
    return *dir ? sf_path_join(dir, name) : sf_strdup(name);
}

static bool is_fetched(const char *name)
{
    for (size_t i = 0; i < SF_COUNT(fetched); i++)
        if (!strcmp(fetched[i], name))
            return true;
    return false;
}

static unsigned mark_of(const char *name)
{
    for (size_t i = 0; i < SF_COUNT(marks); i++)
        if (!strcmp(marks[i].name, name))
            return marks[i].mark;
    return 0;
}

/* What sf itself obeys has rules of its own. */
static bool is_obeyed(const struct sf_repositories *all, const struct dir *d, const char *name)
{
    const struct sf_path_places places = { .root = all->root, .home = all->home };
    const struct sf_path_rule *rule;
    char *path;

    if (!sf_path_name_may_be_obeyed(name) || (!*d->path && !strcmp(name, ".sf")))
        return false;
    path = below(d->path, name);
    rule = sf_path_rule_for(path, true, &places);
    free(path);
    return rule && sf_path_rule_is_obeyed(rule);
}

static bool is_below_dir(int fd, const struct dirent *entry)
{
    struct stat st;

    if (entry->d_type != DT_UNKNOWN)
        return entry->d_type == DT_DIR;
    return fstatat(fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode);
}

/* One that was not read to its end does not count as read, so that it is not recalled as complete. */
static void read_dir(struct sf_repositories *all, struct dir *d, int fd)
{
    DIR *stream = fdopendir(fd);
    const struct dirent *entry;
    bool cut = false;

    while (stream && (entry = readdir(stream))) {
        unsigned mark = mark_of(entry->d_name);

        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        if (all->entries++ >= ENTRIES_MAX) {
            cut = all->found.cut = true;
            break;
        }
        d->marks |= mark;
        if (is_obeyed(all, d, entry->d_name)) {
            sf_strlist_add(&d->obeyed, entry->d_name);
            d->skips = d->skips || is_below_dir(fd, entry);
        } else if (mark != HAS_GIT && is_below_dir(fd, entry)) {
            if (is_fetched(entry->d_name))
                d->skips = true;
            else
                sf_strlist_add(&d->below, entry->d_name);
        }
    }
    if (stream)
        closedir(stream);
    else
        close(fd);
    d->read = stream && !cut;
}

static void push(struct sf_repositories *all, char *path, unsigned depth)
{
    if (all->count == SF_REPOSITORIES_DIRS || depth > SF_REPOSITORIES_DEPTH) {
        all->found.cut = true;
        free(path);
        return;
    }
    all->dirs = sf_grow(all->dirs, &all->cap, all->count + 1, sizeof(*all->dirs));
    all->dirs[all->count++] = (struct dir){ .path = path, .depth = depth };
}

static bool recall(struct dir *d, struct dir *before)
{
    if (!before || !before->read || !before->settled || before->inode != d->inode ||
        before->changed_ns != d->changed_ns)
        return false;
    d->below = before->below;
    d->obeyed = before->obeyed;
    before->below = before->obeyed = (struct sf_strlist)SF_STRLIST_INIT;
    d->marks = before->marks;
    d->skips = before->skips;
    d->read = d->settled = true;
    return true;
}

/* One that cannot be read cannot be searched by the user's git either, nor by the command. */
static void visit(struct sf_repositories *all, int root, size_t at, const struct sf_map *before)
{
    struct dir *d = &all->dirs[at];
    const char *name = *d->path ? d->path : ".";
    struct stat st;
    int fd;

    if (fstatat(root, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return;
    d->changed_ns = changed_ns(&st);
    d->inode = st.st_ino;
    if (!recall(d, sf_map_gets(before, d->path))) {
        fd = openat(root, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd < 0)
            return;
        read_dir(all, d, fd);
        d->settled = sf_clock_wall_ms() - d->changed_ns / 1000000 > SETTLED_MS;
    }
    for (size_t i = 0; i < all->dirs[at].below.count; i++)
        push(all, below(all->dirs[at].path, all->dirs[at].below.items[i]), all->dirs[at].depth + 1);
}

static void take(struct sf_repositories *all, const struct dir *d)
{
    const unsigned shape = HAS_HEAD | HAS_OBJECTS | HAS_REFS;
    char *path = *d->path ? sf_path_join(all->root, d->path) : sf_strdup(all->root);

    if (d->marks & HAS_GIT) {
        char *dot = sf_path_join(path, ".git");

        add_dot_git(all, dot);
        free(dot);
    }
    if ((d->marks & shape) == shape)
        add_git_dir(all, path);
    all->found.skips = all->found.skips || d->skips;
    for (size_t i = 0; i < d->obeyed.count; i++) {
        if (all->found.obeyed.count < SF_REPOSITORIES_OBEYED)
            sf_strlist_adopt(&all->found.obeyed, sf_path_join(path, d->obeyed.items[i]));
        else
            all->found.cut = true;
    }
    free(path);
}

static void walk(struct sf_repositories *all)
{
    struct sf_map before = SF_MAP_INIT;
    struct dir *old = all->dirs;
    size_t old_count = all->count;
    int root = open(all->root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    for (size_t i = 0; i < old_count; i++)
        sf_map_add(&before, old[i].path, strlen(old[i].path), &old[i]);
    all->dirs = NULL;
    all->count = all->cap = all->entries = 0;
    if (root >= 0)
        push(all, sf_strdup(""), 0);
    for (size_t i = 0; i < all->count; i++) {
        visit(all, root, i, &before);
        take(all, &all->dirs[i]);
    }
    if (root >= 0)
        close(root);
    drop_dirs(old, old_count);
    sf_map_release(&before);
}

/* ---- the index ---- */

static char *index_of(const struct sf_repositories *all)
{
    char *dot = sf_path_join(all->root, ".git"), *target, *index;

    if (is_real_dir(dot)) {
        index = sf_path_join(dot, "index");
    } else {
        target = sf_repositories_target(dot);
        index = target ? sf_path_join(target, "index") : NULL;
        free(target);
    }
    free(dot);
    return index;
}

bool sf_repositories_links(const char *index, struct sf_strlist *out)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_strbuf data = SF_STRBUF_INIT;
    bool known = sf_file_read(index, INDEX_MAX, &data, &ignored) &&
                 sf_gitlinks_read((const unsigned char *)data.buf, data.len, out);

    sf_strbuf_release(&data);
    return known;
}

static void add_links(struct sf_repositories *all)
{
    char *index = index_of(all);
    struct stat st;

    if (!index || stat(index, &st) < 0) {
        free(index);
        return;
    }
    if (st.st_ino != all->index.st_ino || changed_ns(&st) != changed_ns(&all->index) ||
        sf_clock_wall_ms() - changed_ns(&st) / 1000000 <= SETTLED_MS) {
        sf_strlist_release(&all->links);
        all->links_known = sf_repositories_links(index, &all->links);
        all->index = st;
    }
    all->found.cut = all->found.cut || !all->links_known;
    for (size_t i = 0; i < all->links.count; i++) {
        char *dir = sf_path_join(all->root, all->links.items[i]), *dot = sf_path_join(dir, ".git");
        char real[PATH_MAX];

        if (has(dir, ".git") && realpath(dir, real) && !strcmp(real, dir))
            add_dot_git(all, dot);
        free(dot);
        free(dir);
    }
    free(index);
}

/* ---- what settings name ---- */

struct naming {
    struct sf_repositories *all;
    const char *file;
};

/* Below the workspace, real where it exists; NULL: elsewhere, and not ours to look after. */
static char *in_workspace(const struct sf_repositories *all, const char *base, const char *path)
{
    char *joined = *path == '/' ? sf_strdup(path) : sf_path_join(base, path);
    char real[PATH_MAX];
    bool there = realpath(joined, real) != NULL;

    if (!there && (strstr(joined, "/../") || strlen(joined) >= sizeof(real))) {
        free(joined);
        return NULL;
    }
    if (there) {
        free(joined);
        joined = sf_strdup(real);
    }
    if (sf_cage_below(all->root, joined) && strcmp(all->root, joined) != 0)
        return joined;
    free(joined);
    return NULL;
}

/* The scripts in husky's .husky/_ run those beside it. */
static void add_hooks(struct sf_repositories *all, const char *value)
{
    char *path = in_workspace(all, all->root, value), *slash = path ? strrchr(path, '/') : NULL;

    if (slash && !strcmp(slash, "/_") && (size_t)(slash - path) > strlen(all->root))
        *slash = '\0';
    if (path && !sf_strlist_has(&all->found.hooks, path))
        sf_strlist_add(&all->found.hooks, path);
    free(path);
}

static void add_included(struct sf_repositories *all, const char *file, const char *value)
{
    char *base = sf_strndup(file, (size_t)(strrchr(file, '/') - file));
    char *path = in_workspace(all, base, value);

    if (path && !sf_strlist_has(&all->found.settings, path))
        sf_strlist_add(&all->found.settings, path);
    free(base);
    free(path);
}

static void note_setting(void *ctx, const struct sf_git_setting *s)
{
    struct naming *n = ctx;
    bool hooks = !strcmp(s->section, "core") && !strcmp(s->key, "hookspath");
    bool included = !strncmp(s->section, "include", 7) && !strcmp(s->key, "path");
    char *value = hooks || included ? sf_git_setting_text(s) : NULL;

    if (value && *value && *value != '~') {
        if (hooks)
            add_hooks(n->all, value);
        else
            add_included(n->all, n->file, value);
    }
    free(value);
}

static void read_settings(struct sf_repositories *all, const char *dir, const char *name)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;
    char *file = sf_path_join(dir, name);
    struct naming naming = { all, file };

    if (sf_file_read(file, SETTINGS_MAX, &text, &ignored))
        sf_git_settings_read(text.buf, text.len, note_setting, &naming);
    sf_strbuf_release(&text);
    free(file);
}

static void add_named(struct sf_repositories *all)
{
    for (const char *const *dir = all->git_dirs; dir && *dir; dir++) {
        read_settings(all, *dir, "config");
        read_settings(all, *dir, "config.worktree");
    }
    if (all->home) {
        read_settings(all, all->home, ".gitconfig");
        read_settings(all, all->home, ".config/git/config");
    }
}

const struct sf_repositories_found *sf_repositories_look(struct sf_repositories *all)
{
    drop_found(&all->found);
    all->looked = true;
    for (const char *const *dir = all->git_dirs; dir && *dir; dir++)
        add_git_dir(all, *dir);
    walk(all);
    add_links(all);
    add_named(all);
    return &all->found;
}

bool sf_repositories_is_cut(struct sf_repositories *all)
{
    if (!all->looked)
        sf_repositories_look(all);
    return all->found.cut;
}
