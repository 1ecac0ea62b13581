/*
 * secrets.c: a walk from the root outwards, level by level, so that a bound cuts off what is far
 * away. A directory whose change time is what it was is not read again; that time cannot be set
 * by anybody. One that changed a moment ago may change again within the same tick of the clock,
 * so it is read again the next time too.
 */
#include "cage/secrets.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cage/objects.h"
#include "cage/plan.h"
#include "guard/guard.h"
#include "io/io.h"

enum {
    ENTRIES_OF_DIR = 64, /* on average; some have many */
    SETTLED_MS = 2000,
    SEEN_MAX = 1024,
    KEY_FILE_MAX = 1024 * 1024, /* a larger one is not read, and taken for a key */
};

struct dir {
    char *path;   /* below the root, "" is the root */
    bool fetched; /* or in what was fetched */
    int64_t changed_ns;
    ino_t inode;
    bool read, settled;
    struct sf_strlist below, named; /* names of directories, and of what sounds secret */
};

/* Content that need not be hidden, when the file was as this says: git has it, or there is no key. */
struct held {
    char *path;
    int64_t changed_ns;
    ino_t inode;
};

/* A file that was found once. */
struct seen {
    dev_t device;
    ino_t inode;
    bool here; /* in the look that runs, too */
};

struct sf_secrets {
    struct sf_secrets_where where;
    int root;
    struct dir *dirs;
    size_t count, cap;
    struct held *held;
    size_t held_count, held_cap;
    struct seen *seen;
    size_t seen_count, seen_cap;
    struct sf_strlist found;
    struct sf_strlist later; /* directories of what was fetched, for the end of the look */
    size_t entries, dirs_max;
    bool looked;
    bool cut;     /* the user's own files were not all looked at, */
    bool skimmed; /* or what was fetched was not */
};

/* What programs fetched or built: much, and none of it the user's secret. */
static const char *const fetched_names[] = {
    ".git",          "node_modules", ".venv",  "venv",    "site-packages",    "__pycache__",
    "dist-packages", "target",       "vendor", ".gradle", "bower_components", ".tox",
    ".terraform",    ".cache",       ".nox",   ".yarn",   ".pnpm-store",      ".svn",
};

struct sf_secrets *sf_secrets_new(const struct sf_secrets_where *where)
{
    struct sf_secrets *s = sf_alloc(sizeof(*s));

    s->where = *where;
    s->root = open(where->root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return s;
}

static void release_dirs(struct dir *dirs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(dirs[i].path);
        sf_strlist_release(&dirs[i].below);
        sf_strlist_release(&dirs[i].named);
    }
    free(dirs);
}

void sf_secrets_free(struct sf_secrets *s)
{
    if (!s)
        return;
    release_dirs(s->dirs, s->count);
    for (size_t i = 0; i < s->held_count; i++)
        free(s->held[i].path);
    free(s->held);
    free(s->seen);
    sf_strlist_release(&s->found);
    sf_strlist_release(&s->later);
    if (s->root >= 0)
        close(s->root);
    free(s);
}

static int64_t changed_ns(const struct stat *st)
{
    return (int64_t)st->st_ctim.tv_sec * 1000000000 + st->st_ctim.tv_nsec;
}

/* ---- names ---- */

static bool is_fetched(const char *name)
{
    for (size_t i = 0; i < SF_COUNT(fetched_names); i++)
        if (!strcmp(fetched_names[i], name))
            return true;
    return false;
}

static bool sounds_secret(const struct sf_secrets *s, const char *path)
{
    const struct sf_path_places places = { .root = s->where.root,
                                           .home = s->where.home,
                                           .moved = s->where.moved,
                                           .moved_count = s->where.moved_count };
    const struct sf_path_rule *rule = sf_path_rule_for(path, true, &places);

    return rule && sf_path_rule_is_secret(rule);
}

static bool is_readable(const struct sf_secrets *s, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

    for (const char *const *p = s->where.readable; p && *p; p++)
        if (fnmatch(*p, strchr(*p, '/') ? path : name, FNM_PATHNAME) == 0)
            return true;
    return false;
}

/* ---- directories ---- */

static char *below(const char *dir, const char *name)
{
    return *dir ? sf_path_join(dir, name) : sf_strdup(name);
}

static bool is_dir(const struct sf_secrets *s, const char *path, const struct dirent *entry)
{
    struct stat st;

    if (entry->d_type != DT_UNKNOWN)
        return entry->d_type == DT_DIR;
    return fstatat(s->root, path, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode);
}

/* A bound was reached there. */
static void stop_at(struct sf_secrets *s, bool fetched)
{
    if (fetched)
        s->skimmed = true;
    else
        s->cut = true;
}

static void add_entry(struct sf_secrets *s, struct dir *d, const struct dirent *entry)
{
    bool maybe = sf_path_name_may_be_secret(entry->d_name);
    char *path;

    if (!maybe && entry->d_type != DT_DIR && entry->d_type != DT_UNKNOWN)
        return;
    path = below(d->path, entry->d_name);
    if (maybe && sounds_secret(s, path))
        sf_strlist_add(&d->named, entry->d_name);
    else if (is_dir(s, path, entry))
        sf_strlist_add(&d->below, entry->d_name);
    free(path);
}

static void read_dir(struct sf_secrets *s, struct dir *d)
{
    int fd =
        openat(s->root, *d->path ? d->path : ".", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *stream = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *entry;

    while (stream && (entry = readdir(stream))) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        if (s->entries++ >= s->dirs_max * ENTRIES_OF_DIR) {
            stop_at(s, d->fetched);
            break;
        }
        add_entry(s, d, entry);
    }
    if (stream)
        closedir(stream);
    else if (fd >= 0)
        close(fd);
    d->read = fd >= 0;
}

/* Adopts the path. */
static void push(struct sf_secrets *s, char *path, bool fetched)
{
    if (s->count == s->dirs_max) {
        stop_at(s, fetched);
        free(path);
        return;
    }
    s->dirs = sf_grow(s->dirs, &s->cap, s->count + 1, sizeof(*s->dirs));
    s->dirs[s->count++] = (struct dir){ .path = path, .fetched = fetched };
}

static void push_below(struct sf_secrets *s, size_t at, const char *name)
{
    char *path = below(s->dirs[at].path, name);

    if (!s->dirs[at].fetched && is_fetched(name))
        sf_strlist_adopt(&s->later, path);
    else
        push(s, path, s->dirs[at].fetched);
}

/* Takes over what was read last time, when the directory is as it was. */
static bool recall(struct dir *d, struct dir *before)
{
    if (!before || !before->read || !before->settled || before->inode != d->inode ||
        before->changed_ns != d->changed_ns)
        return false;
    sf_strlist_release(&d->below);
    sf_strlist_release(&d->named);
    d->below = before->below;
    d->named = before->named;
    before->below = before->named = (struct sf_strlist)SF_STRLIST_INIT;
    d->read = d->settled = true;
    return true;
}

static void visit(struct sf_secrets *s, size_t at, const struct sf_map *before, int64_t now_ms)
{
    struct dir *d = &s->dirs[at];
    struct stat st;

    if (fstatat(s->root, *d->path ? d->path : ".", &st, AT_SYMLINK_NOFOLLOW) < 0) {
        if (errno != ENOENT && errno != ENOTDIR)
            stop_at(s, d->fetched); /* a way that is too long, say */
        return;
    }
    d->changed_ns = changed_ns(&st);
    d->inode = st.st_ino;
    if (!recall(d, sf_map_gets(before, d->path))) {
        read_dir(s, d);
        d->settled = now_ms - d->changed_ns / 1000000 > SETTLED_MS;
    }
    for (size_t i = 0; i < s->dirs[at].below.count; i++)
        push_below(s, at, s->dirs[at].below.items[i]);
}

/* ---- files ---- */

static bool is_known_held(const struct sf_secrets *s, const char *path, const struct stat *st)
{
    for (size_t i = 0; i < s->held_count; i++)
        if (!strcmp(s->held[i].path, path) && s->held[i].inode == st->st_ino &&
            s->held[i].changed_ns == changed_ns(st))
            return true;
    return false;
}

/* A file of PEM holds certificates, keys or both; what it holds it says. */
static bool is_certificate(const char *path, const struct stat *st)
{
    const char *dot = strrchr(path, '.');
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error ignored = SF_ERROR_INIT;
    bool yes;

    if (!dot || strcasecmp(dot, ".pem") != 0 || st->st_size > KEY_FILE_MAX ||
        !sf_file_read(path, KEY_FILE_MAX, &text, &ignored))
        return false;
    yes = memmem(text.buf, text.len, "-----BEGIN", 10) &&
          !memmem(text.buf, text.len, "PRIVATE KEY", 11);
    sf_strbuf_release(&text);
    return yes;
}

static bool is_held(struct sf_secrets *s, const char *path, const struct stat *st)
{
    bool held;

    if (!S_ISREG(st->st_mode) || st->st_size > SF_OBJECTS_FILE_MAX)
        return false;
    if (is_known_held(s, path, st))
        return true;
    held = is_certificate(path, st);
    for (const char *const *dir = s->where.git_dirs; dir && *dir && !held; dir++)
        held = sf_objects_hold(*dir, path);
    if (held && s->held_count < SF_SECRETS_MAX) {
        s->held = sf_grow(s->held, &s->held_cap, s->held_count + 1, sizeof(*s->held));
        s->held[s->held_count++] = (struct held){ sf_strdup(path), changed_ns(st), st->st_ino };
    }
    return held;
}

/* A link to something of the user's hides that; one to the system's files hides nothing. */
static bool is_ours(const struct sf_secrets *s, const char *real)
{
    return sf_cage_below(s->where.root, real) ||
           (s->where.home && sf_cage_below(s->where.home, real));
}

static struct seen *find_seen(const struct sf_secrets *s, const struct stat *st)
{
    for (size_t i = 0; i < s->seen_count; i++)
        if (s->seen[i].inode == st->st_ino && s->seen[i].device == st->st_dev)
            return &s->seen[i];
    return NULL;
}

static void remember(struct sf_secrets *s, const struct stat *st)
{
    struct seen *seen = find_seen(s, st);

    if (seen) {
        seen->here = true;
    } else if (s->seen_count < SEEN_MAX) {
        s->seen = sf_grow(s->seen, &s->seen_cap, s->seen_count + 1, sizeof(*s->seen));
        s->seen[s->seen_count++] = (struct seen){ st->st_dev, st->st_ino, true };
    }
}

/* Of what was fetched: hidden files, which no package needs, and what lay elsewhere before. */
static bool counts(const struct sf_secrets *s, const char *path, bool fetched,
                   const struct stat *st)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

    return !fetched || find_seen(s, st) || (*name == '.' && S_ISREG(st->st_mode));
}

static void add_file(struct sf_secrets *s, const char *path, bool fetched)
{
    char *full = sf_path_join(s->where.root, path);
    char real[PATH_MAX];
    struct stat st;

    if (!is_readable(s, path) && realpath(full, real) && is_ours(s, real) && stat(real, &st) == 0 &&
        (S_ISREG(st.st_mode) || (S_ISDIR(st.st_mode) && !strcmp(real, full))) &&
        counts(s, path, fetched, &st) && !is_held(s, real, &st) &&
        !sf_strlist_has(&s->found, real)) {
        remember(s, &st);
        if (s->found.count < SF_SECRETS_MAX)
            sf_strlist_add(&s->found, real);
        else
            s->cut = true;
    }
    free(full);
}

/* What a variable names may be called anything: KUBECONFIG=$PWD/cluster.yaml. */
static void add_moved(struct sf_secrets *s)
{
    size_t root = strlen(s->where.root);

    for (size_t i = 0; i < s->where.moved_count; i++) {
        const char *at = s->where.moved[i].at;

        if (sf_cage_below(s->where.root, at) && at[root] == '/' && sounds_secret(s, at + root + 1))
            add_file(s, at + root + 1, false);
    }
}

static void look_into(struct sf_secrets *s, size_t at, const struct sf_map *before, int64_t now)
{
    visit(s, at, before, now);
    for (size_t k = 0; k < s->dirs[at].named.count; k++) {
        char *path = below(s->dirs[at].path, s->dirs[at].named.items[k]);

        add_file(s, path, s->dirs[at].fetched);
        free(path);
    }
}

/* All of it, what was fetched last, within so many directories. */
static void walk(struct sf_secrets *s, size_t dirs_max)
{
    struct sf_map before = SF_MAP_INIT;
    struct dir *old = s->dirs;
    size_t old_count = s->count, at = 0;
    int64_t now = sf_clock_wall_ms();

    for (size_t i = 0; i < old_count; i++)
        sf_map_add(&before, old[i].path, strlen(old[i].path), &old[i]);
    s->dirs = NULL;
    s->count = s->cap = s->entries = 0;
    s->dirs_max = dirs_max;
    s->cut = s->skimmed = false;
    sf_strlist_release(&s->found);
    sf_strlist_release(&s->later);
    for (size_t i = 0; i < s->seen_count; i++)
        s->seen[i].here = false;
    if (s->root >= 0)
        push(s, sf_strdup(""), false);
    while (at < s->count)
        look_into(s, at++, &before, now);
    for (size_t i = 0; i < s->later.count; i++)
        push(s, sf_strdup(s->later.items[i]), true);
    while (at < s->count)
        look_into(s, at++, &before, now);
    add_moved(s);
    release_dirs(old, old_count);
    sf_map_release(&before);
}

/* Whether one that was found before is in no place that was looked at. */
static bool misses_one(const struct sf_secrets *s)
{
    for (size_t i = 0; i < s->seen_count; i++)
        if (!s->seen[i].here)
            return true;
    return false;
}

static void forget_missing(struct sf_secrets *s)
{
    size_t kept = 0;

    for (size_t i = 0; i < s->seen_count; i++)
        if (s->seen[i].here)
            s->seen[kept++] = s->seen[i];
    s->seen_count = kept;
}

const struct sf_strlist *sf_secrets_look(struct sf_secrets *s)
{
    walk(s, SF_SECRETS_DIRS);
    if ((s->cut || s->skimmed) && misses_one(s)) {
        walk(s, SF_SECRETS_DEEP);
        s->cut = s->cut || (s->skimmed && misses_one(s));
    }
    if (!s->cut && !s->skimmed)
        forget_missing(s);
    s->looked = true;
    return &s->found;
}

bool sf_secrets_is_cut(struct sf_secrets *s)
{
    if (!s->looked)
        sf_secrets_look(s);
    return s->cut;
}
