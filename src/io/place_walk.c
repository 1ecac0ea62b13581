/*
 * place_walk.c: the walk. At every step there is one open directory and its real path as text; a
 * component is opened without following it, and only then examined, so the walk enters exactly what
 * it examined. Text and handle can diverge while other processes move directories; therefore a
 * second walk down the real path must arrive at the same directory.
 */
#include "io/place_walk.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdatomic.h>
#include <stdint.h>
#include <strings.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/base.h"

#define OUTSIDE      SIZE_MAX
#define REST_MAX     65536 /* bytes of path still to walk, link targets included */
#define O_PLAIN_DIR  (O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#define AGAIN_ROUNDS 8

struct walk {
    struct sf_place *place;
    int fd;                /* the current directory of the walk */
    struct sf_strbuf at;   /* its real path; "" is / */
    size_t base;           /* where in `at` the path below the root begins, or OUTSIDE */
    struct sf_strbuf rest; /* the path still to walk, from `next` on */
    size_t next;
    int hops;
    bool follow_last;
};

static enum sf_place_kind kind_of(mode_t mode)
{
    static const struct {
        mode_t type;
        enum sf_place_kind kind;
    } kinds[] = {
        { S_IFREG, SF_PLACE_FILE }, { S_IFDIR, SF_PLACE_DIR },     { S_IFLNK, SF_PLACE_LINK },
        { S_IFIFO, SF_PLACE_FIFO }, { S_IFSOCK, SF_PLACE_SOCKET },
    };

    for (size_t i = 0; i < SF_COUNT(kinds); i++)
        if ((mode & S_IFMT) == kinds[i].type)
            return kinds[i].kind;
    return SF_PLACE_DEVICE;
}

static bool fail_busy(const struct sf_place *place, struct sf_error *err)
{
    sf_fail(err, SF_E_BUSY, "%s is not where it was: the directories changed", place->shown);
    return sf_hint(err, "look again, then repeat the step");
}

static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* -1 with ENOSYS where the kernel or a seccomp filter does not allow the call. */
static int open_beneath(int dir, const char *path)
{
    static atomic_bool absent;
    struct open_how how = {
        .flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
    };
    long fd = -1;

    if (atomic_load(&absent)) {
        errno = ENOSYS;
        return -1;
    }
    /* EAGAIN: a rename somewhere raced with the lookup; openat2(2) says to try again. */
    for (int round = 0; round < AGAIN_ROUNDS && fd < 0; round++) {
        fd = syscall(SYS_openat2, dir, path, &how, sizeof(how));
        if (fd < 0 && errno != EAGAIN)
            break;
    }
    if (fd < 0 && (errno == ENOSYS || errno == EPERM || errno == EINVAL || errno == E2BIG)) {
        atomic_store(&absent, true);
        errno = ENOSYS;
    }
    return (int)fd;
}

static int open_child(int dir, const char *name, size_t len)
{
    char text[NAME_MAX + 1];

    if (len > NAME_MAX) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(text, name, len);
    text[len] = '\0';
    return openat(dir, text, O_PLAIN_DIR);
}

/* Called for each directory on a walk down a real path, including the first. */
typedef void step_fn(int dir, size_t below, void *ctx);

static int walk_down(int dir, const char *path, size_t len, step_fn *step, void *ctx)
{
    int fd = fcntl(dir, F_DUPFD_CLOEXEC, 0);
    size_t at = 0;

    while (fd >= 0) {
        const char *slash = memchr(path + at, '/', len - at);
        size_t n = slash ? (size_t)(slash - path) - at : len - at;
        int child;

        if (step)
            step(fd, at, ctx);
        if (at >= len)
            break;
        child = open_child(fd, path + at, n);
        close(fd);
        fd = child;
        at += n + (slash != NULL);
        if (!slash && step && fd >= 0)
            step(fd, len + 1, ctx);
        if (!slash)
            break;
    }
    return fd;
}

/* Opens the directory at a real path below `dir`; -1 with errno when it is gone. */
static int open_plain(int dir, const char *path, size_t len)
{
    char *text = len ? sf_strndup(path, len) : sf_strdup(".");
    int fd = open_beneath(dir, text);

    if (fd < 0 && (errno == ENOSYS || errno == EAGAIN))
        fd = walk_down(dir, path, len, NULL, NULL);
    free(text);
    return fd;
}

static int open_top(void)
{
    return open("/", O_PLAIN_DIR);
}

/* Opens the directory where real paths of the place start; `skip` is the prefix it stands for. */
static int open_anchor(const struct sf_place *place, size_t *skip)
{
    *skip = place->inside ? 0 : 1;
    return place->inside ? fcntl(place->root->fd, F_DUPFD_CLOEXEC, 0) : open_top();
}

static bool held_is(const struct sf_place *place, int fd)
{
    struct stat held, found;

    return fd >= 0 && fstat(fd, &found) == 0 && fstat(place->dir, &held) == 0 &&
           same_file(&held, &found);
}

/* Whether the judged path leads to the held directory; `step` (or NULL) sees each directory. */
static bool arrives(const struct sf_place *place, step_fn *step, void *ctx)
{
    size_t skip;
    int top = open_anchor(place, &skip), fd = -1;
    bool ok;

    if (top >= 0 && step)
        fd = walk_down(top, place->real + skip, place->dir_len - skip, step, ctx);
    else if (top >= 0)
        fd = open_plain(top, place->real + skip, place->dir_len - skip);
    ok = held_is(place, fd);
    if (fd >= 0)
        close(fd);
    if (top >= 0)
        close(top);
    return ok;
}

/*
 * Down from the root, not up from the handle: arriving at the held directory by its judged path
 * proves that it is inside and that the judgement about scope and names still holds, which ".."
 * up to the root, or the text in /proc/self/fd, would not.
 */
bool sf_place_confirm(const struct sf_place *place, struct sf_error *err)
{
    return arrives(place, NULL, NULL) || fail_busy(place, err);
}

/* Names that git reads in a git directory; the first three make a directory one. */
static const char *const git_names[] = {
    "HEAD",  "objects", "refs",    "config", "config.worktree", "hooks", "info",        "commondir",
    "index", "logs",    "modules", "gitdir", "packed-refs",     "lfs",   "description", "worktrees",
};
#define GIT_PARTS 3

/* Whether the name at `below`, put into this directory, would be part of a git directory. */
static bool makes_git(int dir, const char *name)
{
    size_t n = strcspn(name, "/"), missing = 0, known = SF_COUNT(git_names);
    struct stat st;

    for (size_t i = 0; i < SF_COUNT(git_names); i++)
        if (!strncasecmp(git_names[i], name, n) && !git_names[i][n])
            known = i;
    for (size_t i = 0; i < GIT_PARTS; i++)
        if (i != known &&
            fstatat(dir, git_names[i], &st, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT) < 0)
            missing++;
    return known < SF_COUNT(git_names) && !missing;
}

static void look_for_git(int dir, size_t below, void *ctx)
{
    struct sf_place *place = ctx;

    below += !place->inside;
    if (below < strlen(place->real) && makes_git(dir, place->real + below))
        place->git_dir = true;
}

/* The second walk: looks for git directories, and must end where the first did. */
static bool survey(struct sf_place *place, struct sf_error *err)
{
    return arrives(place, look_for_git, place) || fail_busy(place, err);
}

/* Moves the walk to the handle. Once it reaches the root, by whatever path, it is inside. */
static bool stand_in(struct walk *w, int fd, struct sf_error *err)
{
    const struct sf_place_root *root = w->place->root;
    struct stat st;

    if (fd < 0 || fstat(fd, &st) < 0) {
        sf_fail_errno(err, "cannot look at %s", w->place->shown);
        if (fd >= 0)
            close(fd);
        return false;
    }
    if (w->fd >= 0)
        close(w->fd);
    w->fd = fd;
    if (st.st_dev == root->dev && st.st_ino == root->ino)
        w->base = w->at.len;
    return true;
}

static bool start_top(struct walk *w, struct sf_error *err)
{
    sf_strbuf_reset(&w->at);
    w->base = OUTSIDE;
    return stand_in(w, open_top(), err);
}

static bool start(struct walk *w, struct sf_error *err)
{
    const struct sf_place_root *root = w->place->root;

    if (w->rest.buf[0] == '/')
        return start_top(w, err);
    sf_strbuf_adds(&w->at, root->path[1] ? root->path : "");
    w->base = w->at.len;
    return stand_in(w, fcntl(root->fd, F_DUPFD_CLOEXEC, 0), err);
}

static bool climb(struct walk *w, struct sf_error *err)
{
    const char *slash = strrchr(w->at.buf, '/');

    if (!slash)
        return true; /* above / is / */
    sf_strbuf_truncate(&w->at, (size_t)(slash - w->at.buf));
    if (w->base != OUTSIDE && w->at.len < w->base)
        w->base = OUTSIDE;
    return stand_in(w, openat(w->fd, "..", O_PLAIN_DIR), err);
}

/* Takes the next component, which must exist. */
static bool take(struct walk *w, char name[NAME_MAX + 1], struct sf_error *err)
{
    const char *from = w->rest.buf + w->next + strspn(w->rest.buf + w->next, "/");
    size_t n = strcspn(from, "/");

    w->next = (size_t)(from - w->rest.buf) + n;
    if (n > NAME_MAX)
        return sf_fail(err, SF_E_LIMIT, "%s: file name too long: a part is over %d bytes",
                       w->place->shown, NAME_MAX);
    memcpy(name, from, n);
    name[n] = '\0';
    return true;
}

static const char *to_come(const struct walk *w)
{
    return w->rest.buf + w->next;
}

static bool only_slashes(const char *text)
{
    return text[strspn(text, "/")] == '\0';
}

/* Appends the real path of the current directory: relative to the root, or absolute outside. */
static void add_real(const struct walk *w, struct sf_strbuf *out)
{
    if (w->base == OUTSIDE)
        sf_strbuf_add(out, w->at.buf, w->at.len);
    else if (w->at.len > w->base)
        sf_strbuf_add(out, w->at.buf + w->base + 1, w->at.len - w->base - 1);
}

static void add_part(const struct walk *w, struct sf_strbuf *out, const char *part)
{
    if (out->len || w->base == OUTSIDE)
        sf_strbuf_addch(out, '/');
    sf_strbuf_adds(out, part);
}

static void note_link(struct walk *w, const char *name)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;

    add_real(w, &sb);
    add_part(w, &sb, name);
    sf_strbuf_adds(&sb, to_come(w));
    sf_strlist_adopt(&w->place->via, sf_strbuf_detach(&sb));
}

/*
 * Links of /proc are not followed: /proc/self/root, cwd and fd/N lead anywhere without a path in
 * between, and /proc/self is sf itself.
 */
static bool may_follow(struct walk *w, int link, struct sf_error *err)
{
    struct statfs fs;

    if (++w->hops > SF_PLACE_HOPS_MAX)
        return sf_fail(err, SF_E_ARG, "%s: too many levels of symbolic links", w->place->shown);
    if (fstatfs(link, &fs) < 0)
        return sf_fail_errno(err, "cannot look at %s", w->place->shown);
    if (fs.f_type == PROC_SUPER_MAGIC)
        return sf_fail(err, SF_E_ARG, "%s leads through a link of /proc", w->place->shown);
    return true;
}

static bool follow(struct walk *w, int link, const char *name, struct sf_error *err)
{
    char target[PATH_MAX];
    ssize_t n;

    if (!may_follow(w, link, err))
        return false;
    n = readlinkat(link, "", target, sizeof(target) - 1);
    if (n < 0)
        return sf_fail_errno(err, "cannot look at %s", w->place->shown);
    if (n == 0 || (size_t)n + w->rest.len - w->next > REST_MAX)
        return sf_fail(err, SF_E_ARG, "%s leads through a broken link", w->place->shown);
    note_link(w, name);
    target[n] = '\0';
    sf_strbuf_splice(&w->rest, 0, w->next, target, (size_t)n);
    w->next = 0;
    return target[0] != '/' || start_top(w, err);
}

static bool fail_not_dir(const struct walk *w, const char *name, struct sf_error *err)
{
    return sf_fail(err, SF_E_ARG, "%s: %s is not a directory", w->place->shown, name);
}

/* Passes the handle to the place. */
static bool finish(struct walk *w, struct sf_strbuf *missing, const char *name,
                   struct sf_error *err)
{
    struct sf_place *place = w->place;
    struct sf_strbuf real = SF_STRBUF_INIT;

    add_real(w, &real);
    place->inside = w->base != OUTSIDE;
    place->dir_len = real.len ? real.len : !place->inside;
    if (missing->len)
        add_part(w, &real, missing->buf);
    if (strcmp(name, ".") != 0)
        add_part(w, &real, name);
    else if (!real.len && !place->inside)
        sf_strbuf_addch(&real, '/');
    place->missing = sf_strbuf_detach(missing);
    place->name = sf_strdup(name);
    place->dir = w->fd;
    w->fd = -1;
    if (real.len > SF_PLACE_PATH_MAX)
        sf_fail(err, SF_E_LIMIT, "%s: file name too long: it leads to a path over %d bytes",
                place->shown, SF_PLACE_PATH_MAX);
    place->real = sf_strbuf_detach(&real);
    return strlen(place->real) <= SF_PLACE_PATH_MAX && survey(place, err);
}

/* Takes the rest from the first missing name on: plain names only, the last one is `name`. */
static bool finish_missing(struct walk *w, char name[NAME_MAX + 1], struct sf_error *err)
{
    struct sf_strbuf missing = SF_STRBUF_INIT;
    bool ok = true, is_dir = false;
    char next[NAME_MAX + 1];

    while (ok && !only_slashes(to_come(w)) && (ok = take(w, next, err))) {
        is_dir = !strcmp(next, ".");
        if (is_dir)
            continue;
        if (!strcmp(next, "..")) {
            ok =
                sf_fail(err, SF_E_NOENT, "%s: there is no %s to go up from", w->place->shown, name);
            break;
        }
        sf_strbuf_addf(&missing, "%s%s", missing.len ? "/" : "", name);
        memcpy(name, next, sizeof(next));
    }
    /* "new/" and "new/." name a directory, which must exist. */
    if (ok && (is_dir || to_come(w)[0]))
        ok = sf_fail(err, SF_E_NOENT, "%s: there is no directory %s", w->place->shown, name);
    ok = ok && finish(w, &missing, name, err);
    sf_strbuf_release(&missing);
    return ok;
}

static bool finish_name(struct walk *w, const char *name, const struct stat *st,
                        struct sf_error *err)
{
    struct sf_strbuf none = SF_STRBUF_INIT;

    w->place->st = *st;
    w->place->kind = kind_of(st->st_mode);
    return finish(w, &none, name, err);
}

static bool finish_dir(struct walk *w, struct sf_error *err)
{
    struct stat st;

    if (fstat(w->fd, &st) < 0)
        return sf_fail_errno(err, "cannot look at %s", w->place->shown);
    return finish_name(w, ".", &st, err);
}

enum step { STEP_ON, STEP_DONE, STEP_FAILED };

static enum step settle(bool ok)
{
    return ok ? STEP_DONE : STEP_FAILED;
}

/* Enters one existing name, which was opened but not followed. */
static enum step enter(struct walk *w, int fd, const char *name, struct sf_error *err)
{
    struct stat st;
    bool ok;

    if (fstat(fd, &st) < 0) {
        sf_fail_errno(err, "cannot look at %s", w->place->shown);
        close(fd);
        return STEP_FAILED;
    }
    if (S_ISDIR(st.st_mode)) {
        sf_strbuf_addf(&w->at, "/%s", name);
        return stand_in(w, fd, err) ? STEP_ON : STEP_FAILED;
    }
    if (S_ISLNK(st.st_mode) && (to_come(w)[0] || w->follow_last)) {
        ok = follow(w, fd, name, err);
        close(fd);
        return ok ? STEP_ON : STEP_FAILED;
    }
    close(fd);
    if (to_come(w)[0])
        return settle(fail_not_dir(w, name, err));
    return settle(finish_name(w, name, &st, err));
}

static enum step step(struct walk *w, struct sf_error *err)
{
    char name[NAME_MAX + 1];
    int fd;

    if (only_slashes(to_come(w)))
        return settle(finish_dir(w, err));
    if (!take(w, name, err))
        return STEP_FAILED;
    if (!strcmp(name, "."))
        return STEP_ON;
    if (!strcmp(name, ".."))
        return climb(w, err) ? STEP_ON : STEP_FAILED;
    fd = openat(w->fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0)
        return enter(w, fd, name, err);
    if (errno == ENOENT)
        return settle(finish_missing(w, name, err));
    sf_fail_errno(err, "cannot look at %s", w->place->shown);
    return STEP_FAILED;
}

bool sf_place_walk(struct sf_place *place, const char *path, size_t len, bool follow_last,
                   struct sf_error *err)
{
    struct walk w = {
        .place = place,
        .fd = -1,
        .at = SF_STRBUF_INIT,
        .base = OUTSIDE,
        .rest = SF_STRBUF_INIT,
        .follow_last = follow_last,
    };
    enum step now;

    sf_strbuf_add(&w.rest, path, len);
    now = start(&w, err) ? STEP_ON : STEP_FAILED;
    while (now == STEP_ON)
        now = step(&w, err);
    if (w.fd >= 0)
        close(w.fd);
    sf_strbuf_release(&w.at);
    sf_strbuf_release(&w.rest);
    return now == STEP_DONE;
}
