/*
 * git_dirty.c: two comparisons. The worktree with git's index: the times and sizes that git noted
 * settle nearly all files, the others are read. The index with the last commit: the tree that git
 * noted for the index settles it, or else the trees are walked.
 */
#include "snap/git_dirty.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "find/find.h"
#include "io/io.h"
#include "snap/git_index.h"
#include "snap/internal.h"

enum {
    LOOK_MS = 2000,
    INDEX_MAX = 128 * 1024 * 1024,
    READ_MAX = 64 * 1024 * 1024, /* bytes of files that are read, all in all */
    SMALL_MAX = 64 * 1024,       /* of a file of git's that has a line or a few */
    REFS_MAX = 16 * 1024 * 1024,
    CHECK_EVERY = 256,
};

struct look {
    const char *root;
    const atomic_bool *cancel;
    int64_t deadline;
    char *git, *common; /* directories: of the worktree, and the one all worktrees share */
    int fd;             /* the worktree */
    int dir;            /* the directory of the last file, called `below`; -1: it is none */
    struct sf_strbuf below;
    struct stat index;
    size_t budget; /* bytes that may still be read */
    bool no_modes; /* the file system has no permissions, as git has noted */
    struct sf_strbuf data;
};

static bool is_late(const struct look *l)
{
    return atomic_load(l->cancel) || sf_clock_monotonic_ms() > l->deadline;
}

/* ---- places ---- */

static char *absolute(const char *base, const char *line)
{
    char *name = sf_strndup(line, strcspn(line, "\n"));
    char *path = name[0] == '/' ? sf_strdup(name) : sf_path_join(base, name);

    free(name);
    return path;
}

static bool read_small(const char *dir, const char *name, size_t max, struct sf_strbuf *out)
{
    struct sf_error ignored = SF_ERROR_INIT;
    char *path = sf_path_join(dir, name);
    bool ok;

    sf_strbuf_reset(out);
    ok = sf_file_read(path, max, out, &ignored);
    free(path);
    return ok;
}

static bool find_git(struct look *l)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    char *git = sf_path_join(l->root, ".git");
    struct stat st;
    bool ok = stat(git, &st) == 0;

    if (ok && !S_ISDIR(st.st_mode)) {
        ok = read_small(l->root, ".git", SMALL_MAX, &text) && !strncmp(text.buf, "gitdir: ", 8);
        free(git);
        git = ok ? absolute(l->root, text.buf + 8) : NULL;
    }
    l->git = git;
    if (ok)
        l->common = read_small(git, "commondir", SMALL_MAX, &text) ? absolute(git, text.buf)
                                                                   : sf_strdup(git);
    sf_strbuf_release(&text);
    return ok;
}

/* Settings are only searched for the one that says how to read permissions. */
static void read_settings(struct look *l)
{
    struct sf_strbuf text = SF_STRBUF_INIT, plain = SF_STRBUF_INIT;

    if (read_small(l->common, "config", SMALL_MAX, &text))
        for (size_t i = 0; i < text.len; i++)
            if (text.buf[i] != ' ' && text.buf[i] != '\t')
                sf_strbuf_addch(&plain, text.buf[i]);
    l->no_modes = strcasestr(plain.buf, "\nfilemode=false") != NULL;
    sf_strbuf_release(&plain);
    sf_strbuf_release(&text);
}

/* ---- a file and its entry ---- */

static void hash_blob(const struct sf_strbuf *text, struct sf_oid *out)
{
    struct sf_sha1 hash;
    char head[32];
    int len = snprintf(head, sizeof(head), "blob %zu", text->len);

    sf_sha1_init(&hash);
    sf_sha1_update(&hash, head, (size_t)len + 1);
    sf_sha1_update(&hash, text->buf, text->len);
    sf_sha1_final(&hash, out->id);
}

static bool is_same(const struct sf_oid *a, const struct sf_oid *b)
{
    return !memcmp(a->id, b->id, SF_OID_SIZE);
}

/* Git may keep a text with other ends of lines than the worktree. */
static void drop_returns(struct sf_strbuf *text)
{
    size_t to = 0;

    for (size_t i = 0; i < text->len; i++)
        if (text->buf[i] != '\r' || i + 1 == text->len || text->buf[i + 1] != '\n')
            text->buf[to++] = text->buf[i];
    sf_strbuf_truncate(text, to);
}

static bool has_content(struct sf_strbuf *text, const struct sf_oid *oid)
{
    struct sf_oid found;

    hash_blob(text, &found);
    if (is_same(&found, oid))
        return true;
    drop_returns(text);
    hash_blob(text, &found);
    return is_same(&found, oid);
}

/* Opens the directory of the file, which is often that of the file before. Links are not followed. */
static const char *enter(struct look *l, const struct sf_git_entry *e)
{
    const char *slash = memrchr(e->path, '/', e->len);
    size_t len = slash ? (size_t)(slash - e->path) : 0;

    if (l->dir < 0 || l->below.len != len || memcmp(l->below.buf, e->path, len) != 0) {
        if (l->dir >= 0)
            close(l->dir);
        sf_strbuf_reset(&l->below);
        sf_strbuf_add(&l->below, e->path, len);
        l->dir = sf_beneath_open_dir(l->fd, l->below.buf);
    }
    return slash ? slash + 1 : e->path;
}

static bool read_content(const struct look *l, const char *name, const struct stat *st,
                         struct sf_strbuf *out)
{
    size_t size = (size_t)st->st_size;
    struct stat opened;
    ssize_t n;
    bool ok;
    int fd;

    if (S_ISLNK(st->st_mode)) {
        n = readlinkat(l->dir, name, sf_strbuf_room(out, size + 1), size + 1);
        ok = n >= 0 && (size_t)n <= size;
        sf_strbuf_grew(out, ok ? (size_t)n : 0);
        return ok;
    }
    fd = sf_beneath_open_file(l->dir, name, &opened);
    ok = fd >= 0 && sf_beneath_read(fd, size + 1, out);
    if (fd >= 0)
        close(fd);
    return ok;
}

static enum sf_dirty compare_content(struct look *l, const struct sf_git_entry *e, const char *name,
                                     const struct stat *st)
{
    size_t size = (size_t)st->st_size;
    struct sf_strbuf text = SF_STRBUF_INIT;
    enum sf_dirty dirty = SF_DIRTY_UNKNOWN;

    if (size >= l->budget)
        return SF_DIRTY_UNKNOWN;
    l->budget -= size;
    if (read_content(l, name, st, &text))
        dirty = has_content(&text, &e->oid) ? SF_DIRTY_NO : SF_DIRTY_YES;
    sf_strbuf_release(&text);
    return dirty;
}

/* A file that was written as late as the index may have changed after git noted its times. */
static bool is_settled(const struct look *l, const struct sf_git_entry *e, const struct stat *st)
{
    const struct timespec *wrote = &l->index.st_mtim;

    return (uint32_t)st->st_size == e->size && (uint32_t)st->st_mtim.tv_sec == e->mtime_s &&
           (uint32_t)st->st_mtim.tv_nsec == e->mtime_ns &&
           (uint32_t)st->st_ctim.tv_sec == e->ctime_s &&
           (uint32_t)st->st_ctim.tv_nsec == e->ctime_ns &&
           (st->st_mtim.tv_sec < wrote->tv_sec ||
            (st->st_mtim.tv_sec == wrote->tv_sec && st->st_mtim.tv_nsec < wrote->tv_nsec));
}

static enum sf_dirty compare_file(struct look *l, const struct sf_git_entry *e)
{
    bool runs = e->mode & S_IXUSR;
    const char *name;
    struct stat st;

    if (e->stage || e->promised)
        return SF_DIRTY_YES;
    if (e->unwatched || (e->mode & S_IFMT) == SF_SNAP_REPOSITORY)
        return SF_DIRTY_NO;
    if (!S_ISREG(e->mode) && !S_ISLNK(e->mode))
        return SF_DIRTY_UNKNOWN;
    name = enter(l, e);
    if (l->dir < 0 || fstatat(l->dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT || errno == ENOTDIR || errno == ELOOP ? SF_DIRTY_YES
                                                                     : SF_DIRTY_UNKNOWN;
    if ((st.st_mode & S_IFMT) != (e->mode & S_IFMT) ||
        (S_ISREG(e->mode) && !l->no_modes && !(st.st_mode & S_IXUSR) == runs))
        return SF_DIRTY_YES;
    return is_settled(l, e, &st) ? SF_DIRTY_NO : compare_content(l, e, name, &st);
}

/* Walks the whole index unless a changed file is found before; `x` knows its tree afterwards. */
static enum sf_dirty compare_worktree(struct look *l, struct sf_git_index *x)
{
    enum sf_dirty dirty = SF_DIRTY_NO, one = SF_DIRTY_NO;
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_git_entry entry;
    int more = 0;

    for (size_t i = 1; one != SF_DIRTY_YES && (more = sf_git_index_next(x, &entry, &ignored)) > 0;
         i++) {
        if (i % CHECK_EVERY == 0 && is_late(l))
            return SF_DIRTY_UNKNOWN;
        one = compare_file(l, &entry);
        dirty = one == SF_DIRTY_NO ? dirty : one;
    }
    return more < 0 ? SF_DIRTY_UNKNOWN : dirty;
}

/* ---- the index and the last commit ---- */

/* "OID refs/heads/main", one for each line. */
static bool find_packed(const struct look *l, const char *ref, struct sf_strbuf *text,
                        struct sf_oid *out)
{
    size_t len = strlen(ref);

    if (!read_small(l->common, "packed-refs", REFS_MAX, text))
        return false;
    for (const char *at = text->buf; *at; at += strcspn(at, "\n"), at += *at == '\n')
        if (strcspn(at, "\n") == SF_OID_HEX + 1 + len && !strncmp(at + SF_OID_HEX + 1, ref, len))
            return sf_oid_read(at, out);
    return false;
}

/* `*born` false: the branch has no commit yet. False: it cannot be told. */
static bool find_head(const struct look *l, struct sf_oid *out, bool *born)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    char *ref = NULL;
    bool ok = read_small(l->git, "HEAD", SMALL_MAX, &text);

    *born = true;
    if (ok && !strncmp(text.buf, "ref: refs/", 10)) {
        ref = sf_strndup(text.buf + 5, strcspn(text.buf + 5, "\n"));
        ok = !strstr(ref, "..") && access(l->common, R_OK) == 0;
        if (ok && (read_small(l->git, ref, SMALL_MAX, &text) ||
                   read_small(l->common, ref, SMALL_MAX, &text)))
            ok = sf_oid_read(text.buf, out);
        else if (ok)
            *born = find_packed(l, ref, &text, out);
    } else if (ok) {
        ok = sf_oid_read(text.buf, out);
    }
    free(ref);
    sf_strbuf_release(&text);
    return ok;
}

struct walk {
    struct look *look;
    const struct sf_git_api *git;
    struct sf_odb *odb;
    struct sf_git_index *index;
    struct sf_git_entry entry; /* the next entry of the index, unless `over` */
    bool over;
    size_t trees;
    unsigned depth;          /* of the tree that is compared */
    struct sf_error ignored; /* here, since the walk calls itself */
};

static bool step(struct walk *w)
{
    int more = sf_git_index_next(w->index, &w->entry, &w->ignored);

    w->over = more == 0;
    return more >= 0;
}

static enum sf_dirty compare_tree(struct walk *w, const struct sf_oid *tree,
                                  struct sf_strbuf *path);

/* One entry of a tree: "MODE NAME", a zero, and the id. Returns its size; 0: it is damaged. */
static size_t read_entry(const char *at, size_t len, uint32_t *mode, const char **name)
{
    const char *end = memchr(at, '\0', len);
    char *space;

    if (!end || len - (size_t)(end - at) <= SF_OID_SIZE)
        return 0;
    *mode = (uint32_t)strtoul(at, &space, 8);
    *name = space + 1;
    return *space == ' ' && end > space + 1 ? (size_t)(end - at) + 1 + SF_OID_SIZE : 0;
}

static enum sf_dirty compare_entry(struct walk *w, uint32_t mode, const struct sf_oid *oid,
                                   struct sf_strbuf *path)
{
    const struct sf_git_entry *e = &w->entry;

    if (S_ISDIR(mode)) {
        sf_strbuf_addch(path, '/');
        return compare_tree(w, oid, path);
    }
    if (w->over || e->len != path->len || memcmp(e->path, path->buf, path->len) != 0 ||
        e->mode != mode || !is_same(&e->oid, oid))
        return SF_DIRTY_YES;
    return step(w) ? SF_DIRTY_NO : SF_DIRTY_UNKNOWN;
}

/* The index is sorted as a walk through the trees is, so both go along side by side. */
static enum sf_dirty compare_tree(struct walk *w, const struct sf_oid *tree, struct sf_strbuf *path)
{
    struct sf_strbuf data = SF_STRBUF_INIT;
    enum sf_dirty dirty = SF_DIRTY_NO;
    size_t at = 0, len = path->len;

    if (w->depth++ > SF_SNAP_DEPTH_MAX || path->len > PATH_MAX || is_late(w->look) ||
        ++w->trees > SF_SNAP_FILES_MAX ||
        !w->git->read(w->odb, tree, SF_OBJECT_TREE, &data, &w->ignored))
        dirty = SF_DIRTY_UNKNOWN;
    while (dirty == SF_DIRTY_NO && at < data.len) {
        const char *name;
        struct sf_oid oid;
        uint32_t mode;
        size_t size = read_entry(data.buf + at, data.len - at, &mode, &name);

        if (!size) {
            dirty = SF_DIRTY_UNKNOWN;
            break;
        }
        memcpy(oid.id, data.buf + at + size - SF_OID_SIZE, SF_OID_SIZE);
        sf_strbuf_adds(path, name);
        dirty = compare_entry(w, mode, &oid, path);
        sf_strbuf_truncate(path, len);
        at += size;
    }
    w->depth--;
    sf_strbuf_release(&data);
    return dirty;
}

static enum sf_dirty walk_trees(struct look *l, const struct sf_git_api *git, struct sf_odb *odb,
                                const struct sf_oid *tree)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_strbuf path = SF_STRBUF_INIT;
    struct sf_git_index index;
    struct walk w = {
        .look = l, .git = git, .odb = odb, .index = &index, .ignored = SF_ERROR_INIT
    };
    enum sf_dirty dirty = SF_DIRTY_UNKNOWN;

    if (sf_git_index_open(&index, &l->data, &ignored) && step(&w))
        dirty = compare_tree(&w, tree, &path);
    if (dirty == SF_DIRTY_NO && !w.over)
        dirty = SF_DIRTY_YES;
    sf_git_index_close(&index);
    sf_strbuf_release(&path);
    return dirty;
}

/* A commit begins with "tree OID". */
static enum sf_dirty compare_commit(struct look *l, const struct sf_git_index *x,
                                    const struct sf_oid *head)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const struct sf_git_api *git = sf_module_git(&ignored);
    char *objects = sf_path_join(l->common, "objects");
    struct sf_odb *odb = git ? git->open(objects, &ignored) : NULL;
    struct sf_strbuf commit = SF_STRBUF_INIT;
    enum sf_dirty dirty = SF_DIRTY_UNKNOWN;
    struct sf_oid tree;

    if (odb && git->read(odb, head, SF_OBJECT_COMMIT, &commit, &ignored) &&
        !strncmp(commit.buf, "tree ", 5) && sf_oid_read(commit.buf + 5, &tree))
        dirty =
            x->has_root && is_same(&tree, &x->root) ? SF_DIRTY_NO : walk_trees(l, git, odb, &tree);
    if (odb)
        git->close(odb);
    free(objects);
    sf_strbuf_release(&commit);
    return dirty;
}

static enum sf_dirty compare(struct look *l)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_git_index index;
    enum sf_dirty dirty = SF_DIRTY_UNKNOWN;
    struct sf_oid head;
    bool born;

    if (sf_git_index_open(&index, &l->data, &ignored)) {
        bool empty = !index.left;

        dirty = compare_worktree(l, &index);
        if (dirty == SF_DIRTY_NO && !find_head(l, &head, &born))
            dirty = SF_DIRTY_UNKNOWN;
        else if (dirty == SF_DIRTY_NO && !born)
            dirty = empty ? SF_DIRTY_NO : SF_DIRTY_YES;
        else if (dirty == SF_DIRTY_NO)
            dirty = compare_commit(l, &index, &head);
    }
    sf_git_index_close(&index);
    return dirty;
}

/* The times of the index are read before its bytes, so that they are not too late. */
static bool read_index(struct look *l)
{
    struct sf_error ignored = SF_ERROR_INIT;
    char *path = sf_path_join(l->git, "index");
    bool ok = stat(path, &l->index) == 0 && sf_file_read(path, INDEX_MAX, &l->data, &ignored);

    free(path);
    return ok;
}

enum sf_dirty sf_git_dirty(const char *root, const atomic_bool *cancel)
{
    struct look l = { .root = root,
                      .cancel = cancel,
                      .deadline = sf_clock_monotonic_ms() + LOOK_MS,
                      .fd = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
                      .dir = -1,
                      .below = SF_STRBUF_INIT,
                      .budget = READ_MAX,
                      .data = SF_STRBUF_INIT };
    enum sf_dirty dirty = SF_DIRTY_UNKNOWN;

    if (l.fd >= 0 && find_git(&l) && read_index(&l)) {
        read_settings(&l);
        dirty = compare(&l);
    }
    if (l.dir >= 0)
        close(l.dir);
    if (l.fd >= 0)
        close(l.fd);
    sf_strbuf_release(&l.below);
    sf_strbuf_release(&l.data);
    free(l.git);
    free(l.common);
    return dirty;
}
