/*
 * survey.c: counts the files at a path, and how many of them a snapshot would leave out. The user
 * waits for the result, which says what a command would delete, so the time is limited; the result
 * says if the walk was not finished.
 *
 * The tree is walked twice, with ignore files and without; the difference are the ignored files.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "snap/internal.h"

enum { WITHIN_MS = 300 };

struct count {
    int root;
    const char *start;
    uint64_t files, large, unkept, repositories;
};

/* Sockets and devices, and files that may be deleted but not read, are in no snapshot. */
static bool is_kept(const struct sf_walk_entry *entry)
{
    struct stat st;

    if (fstatat(entry->dir, entry->name, &st, AT_SYMLINK_NOFOLLOW))
        return false;
    return S_ISLNK(st.st_mode) ||
           (S_ISREG(st.st_mode) && !faccessat(entry->dir, entry->name, R_OK, AT_EACCESS));
}

static bool count_file(void *ctx, const struct sf_walk_entry *entry)
{
    struct count *c = ctx;
    struct stat st;

    c->files++;
    c->unkept += !is_kept(entry);
    if (!fstatat(entry->dir, entry->name, &st, AT_SYMLINK_NOFOLLOW) &&
        st.st_size > SF_SNAP_FILE_MAX)
        c->large++;
    return true;
}

/* Whether another repository is below the root: a snapshot notes it but keeps none of its files. */
static bool is_repository(int root, const char *path)
{
    struct sf_strbuf git = SF_STRBUF_INIT;
    struct stat st;
    bool found;

    sf_strbuf_addf(&git, "%s/.git", path);
    found = *path && !fstatat(root, git.buf, &st, AT_SYMLINK_NOFOLLOW);
    sf_strbuf_release(&git);
    return found;
}

static bool veto(void *ctx, const char *path, bool dir)
{
    struct count *c = ctx;

    if (!dir || !is_repository(c->root, path) || !strcmp(path, c->start))
        return false;
    c->repositories++;
    return true;
}

static bool walk(struct count *c, bool all, const atomic_bool *cancel, bool *late,
                 struct sf_error *err)
{
    const struct sf_walk_request request = { .root = c->root,
                                             .start = c->start,
                                             .all = all,
                                             .threads = 1,
                                             .cancel = cancel,
                                             .within_ms = WITHIN_MS,
                                             .veto = veto,
                                             .veto_ctx = c };
    struct sf_walk_tally tally = { 0 };
    bool ok = sf_walk(&request, count_file, c, &tally, err);

    *late = *late || tally.late || tally.unreadable;
    return ok;
}

/* Whether ignore files cover the path or a directory above it. */
static bool is_left_out(int root, const char *path, bool dir)
{
    size_t len = strlen(path);
    bool covered = false;

    for (size_t n = 1; n <= len && !covered; n++) {
        char *part;
        struct sf_ignore *rules;

        if (path[n] && path[n] != '/')
            continue;
        part = sf_strndup(path, n);
        rules = sf_ignore_load_above(root, part, NULL);
        covered = rules && sf_ignore_covers(rules, part, n, n < len || dir);
        sf_ignore_unref(rules);
        free(part);
    }
    return covered;
}

static bool has_machinery(const char *path)
{
    while (*path) {
        size_t n = strcspn(path, "/");
        char *name = sf_strndup(path, n);
        bool is = sf_ignore_is_machinery(name);

        free(name);
        if (is)
            return true;
        path += n + (path[n] == '/');
    }
    return false;
}

/* Whether the path lies in another repository. */
static bool is_foreign(int root, const char *path)
{
    bool found = false;

    for (const char *slash = strchr(path, '/'); slash && !found; slash = strchr(slash + 1, '/')) {
        char *above = sf_strndup(path, (size_t)(slash - path));

        found = is_repository(root, above);
        free(above);
    }
    return found;
}

static bool look(int root, const char *path, const atomic_bool *cancel, struct sf_snap_survey *out,
                 struct sf_error *err)
{
    struct count all = { .root = root, .start = path }, kept = all;
    struct stat st;

    out->is_machinery = has_machinery(path);
    if (*path && fstatat(root, path, &st, AT_SYMLINK_NOFOLLOW))
        return errno == ENOENT || errno == ENOTDIR
                   ? true
                   : sf_fail(err, SF_E_IO, "cannot look at %s: %s", path, strerror(errno));
    out->is_there = true;
    out->is_dir = !*path || S_ISDIR(st.st_mode);
    if (is_foreign(root, path) || (out->is_dir && is_repository(root, path))) {
        out->repositories = 1;
        return true;
    }
    if (out->is_machinery || (!out->is_dir && !S_ISREG(st.st_mode))) {
        out->files = !out->is_dir;
        out->unkept = !out->is_dir && !S_ISLNK(st.st_mode);
        out->ignored = out->files && is_left_out(root, path, false);
        return true;
    }
    if (!walk(&all, true, cancel, &out->late, err) || !walk(&kept, false, cancel, &out->late, err))
        return false;
    if (is_left_out(root, path, out->is_dir))
        kept = (struct count){ 0 };
    out->files = all.files;
    out->ignored = all.files > kept.files ? all.files - kept.files : 0;
    out->large = kept.large;
    out->unkept = kept.unkept;
    out->repositories = all.repositories;
    return true;
}

static int open_root(const char *root, struct sf_error *err)
{
    int fd = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd < 0)
        sf_fail(err, SF_E_IO, "cannot open %s: %s", root, strerror(errno));
    return fd;
}

bool sf_snap_look(const char *root, const char *path, const atomic_bool *cancel,
                  struct sf_snap_survey *out, struct sf_error *err)
{
    struct sf_strbuf plain = SF_STRBUF_INIT;
    int fd = open_root(root, err);
    bool ok;

    *out = (struct sf_snap_survey){ 0 };
    ok =
        fd >= 0 && sf_beneath_normalize(path, &plain, err) && look(fd, plain.buf, cancel, out, err);
    sf_strbuf_release(&plain);
    if (fd >= 0)
        close(fd);
    return ok;
}

bool sf_snap_match(const char *root, const char *path, size_t max, struct sf_strlist *out,
                   struct sf_error *err)
{
    const char *slash = strrchr(path, '/'), *pattern = slash ? slash + 1 : path;
    char *above = sf_strndup(path, (size_t)(pattern - path));
    int fd = open_root(root, err), below;
    struct sf_strbuf plain = SF_STRBUF_INIT;
    bool ok = fd >= 0 && sf_beneath_normalize(above, &plain, err);
    DIR *dir;

    below = ok ? sf_beneath_open_dir(fd, plain.buf) : -1;
    if (ok && below < 0 && errno != ENOENT)
        ok = sf_fail(err, SF_E_IO, "cannot look into %s: %s", above, strerror(errno));
    dir = below >= 0 ? fdopendir(below) : NULL;
    for (struct dirent *e; dir && out->count < max && (e = readdir(dir)) != NULL;)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 &&
            !fnmatch(pattern, e->d_name, FNM_PERIOD))
            sf_strlist_addf(out, "%s%s%s", plain.buf, plain.len ? "/" : "", e->d_name);
    if (dir)
        closedir(dir);
    else if (below >= 0)
        close(below);
    if (fd >= 0)
        close(fd);
    sf_strlist_sort(out);
    sf_strbuf_release(&plain);
    free(above);
    return ok;
}
