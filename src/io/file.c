/*
 * file.c: reading with a ceiling, writing in one step. The order inside a write is the point:
 * bytes, fsync, rename, fsync of the directory; any failure before the rename leaves the old
 * file untouched and the temporary one removed.
 */
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"

#define READ_CHUNK 65536
#define LINK_HOPS  40 /* as many as the kernel follows */

/* For the one message both directions share: "cannot read x: it is a directory". */
static bool fail_kind(const char *act, const char *path, mode_t mode, struct sf_error *err)
{
    return sf_fail(err, SF_E_ARG, "cannot %s %s: it is %s", act, path,
                   S_ISDIR(mode) ? "a directory" : "not a regular file");
}

static int open_regular(const char *path, struct stat *st, struct sf_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

    if (fd < 0) {
        sf_fail_errno(err, "cannot open %s", path);
        return -1;
    }
    if (fstat(fd, st) < 0)
        sf_fail_errno(err, "cannot read %s", path);
    else if (S_ISREG(st->st_mode))
        return fd;
    else
        fail_kind("read", path, st->st_mode, err);
    close(fd);
    return -1;
}

static ssize_t read_some(int fd, void *buf, size_t size)
{
    ssize_t n;

    do
        n = read(fd, buf, size);
    while (n < 0 && errno == EINTR);
    return n;
}

static bool fail_large(const char *path, size_t max, struct sf_error *err)
{
    return sf_fail(err, SF_E_LIMIT, "%s is larger than %zu bytes", path, max);
}

bool sf_file_read(const char *path, size_t max, struct sf_strbuf *out, struct sf_error *err)
{
    size_t before = out->len;
    bool ok = false;
    struct stat st;
    ssize_t n = 1;
    int fd = open_regular(path, &st, err);

    if (fd < 0)
        return false;
    if (st.st_size > 0 && (uintmax_t)st.st_size > max) {
        fail_large(path, max, err);
        goto out;
    }
    sf_strbuf_room(out, (size_t)st.st_size + 1);
    /* The size above is a hint: the file may grow, and files of /proc claim to be empty. */
    while (n > 0) {
        size_t want = out->cap - out->len > 1 ? out->cap - out->len - 1 : READ_CHUNK;

        n = read_some(fd, sf_strbuf_room(out, want), want);
        if (n < 0) {
            sf_fail_errno(err, "cannot read %s", path);
            goto out;
        }
        sf_strbuf_grew(out, (size_t)n);
        if (out->len - before > max) {
            fail_large(path, max, err);
            goto out;
        }
    }
    ok = true;
out:
    close(fd);
    if (!ok)
        sf_strbuf_truncate(out, before);
    return ok;
}

/* Replaces `path` by what the link says, read from the directory the link stands in. */
static bool follow_link(struct sf_strbuf *path, struct sf_error *err)
{
    char target[PATH_MAX];
    ssize_t n = readlink(path->buf, target, sizeof(target) - 1);
    const char *slash = strrchr(path->buf, '/');

    if (n < 0)
        return sf_fail_errno(err, "cannot read the link %s", path->buf);
    target[n] = '\0';
    sf_strbuf_truncate(path, target[0] == '/' || !slash ? 0 : (size_t)(slash + 1 - path->buf));
    sf_strbuf_adds(path, target);
    return true;
}

/*
 * Follows the links of the last component by hand, because realpath() refuses a link whose
 * target is still to be made. `st->st_mode` is 0 when nothing is there yet.
 */
static bool find_target(struct sf_strbuf *path, struct stat *st, struct sf_error *err)
{
    for (int hop = 0; hop < LINK_HOPS; hop++) {
        *st = (struct stat){ 0 };
        if (lstat(path->buf, st) < 0)
            return errno == ENOENT || sf_fail_errno(err, "cannot write %s", path->buf);
        if (!S_ISLNK(st->st_mode))
            return S_ISREG(st->st_mode) || fail_kind("write", path->buf, st->st_mode, err);
        if (!follow_link(path, err))
            return false;
    }
    errno = ELOOP;
    return sf_fail_errno(err, "cannot write %s", path->buf);
}

/* One write in the making; `temp` lies in the directory `dir`, as does the final `name`. */
struct replacement {
    const char *path; /* for messages */
    const char *name;
    int dir, fd;
    char temp[32]; /* empty: there is no temporary file to remove */
};

static bool open_dir(struct replacement *r, const struct sf_strbuf *path, struct sf_error *err)
{
    const char *slash = strrchr(path->buf, '/');
    char *dir = slash ? sf_strndup(path->buf, (size_t)(slash - path->buf) + 1) : sf_strdup(".");

    r->name = slash ? slash + 1 : path->buf;
    r->dir = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (r->dir < 0)
        sf_fail_errno(err, "cannot write %s", r->path);
    free(dir);
    return r->dir >= 0;
}

/* The name says nothing of the target's, so that it fits wherever the target's does. */
static bool open_temp(struct replacement *r, mode_t mode, struct sf_error *err)
{
    for (int attempt = 0; attempt < 16 && r->fd < 0; attempt++) {
        uint64_t lot;

        if (getrandom(&lot, sizeof(lot), 0) != (ssize_t)sizeof(lot))
            continue;
        snprintf(r->temp, sizeof(r->temp), ".sf-tmp-%016llx", (unsigned long long)lot);
        r->fd = openat(r->dir, r->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
        if (r->fd < 0 && errno != EEXIST && errno != EINTR)
            break;
    }
    if (r->fd >= 0)
        return true;
    r->temp[0] = '\0';
    return sf_fail_errno(err, "cannot write %s", r->path);
}

/*
 * The owner is kept when that is permitted; when it is not, the bits that would lend the new
 * owner's rights to others go.
 */
static bool keep_attributes(struct replacement *r, const struct stat *st, struct sf_error *err)
{
    mode_t mode = st->st_mode & 07777;
    struct stat now;

    if (fstat(r->fd, &now) < 0)
        return sf_fail_errno(err, "cannot write %s", r->path);
    if ((now.st_uid != st->st_uid || now.st_gid != st->st_gid) &&
        fchown(r->fd, st->st_uid, st->st_gid) < 0)
        mode &= 0777;
    if (fchmod(r->fd, mode) < 0)
        return sf_fail_errno(err, "cannot keep the mode of %s", r->path);
    return true;
}

static bool write_all(int fd, const void *data, size_t len)
{
    const char *at = data;

    while (len > 0) {
        ssize_t n = write(fd, at, len);

        if (n < 0 && errno == EINTR)
            continue;
        if (n == 0)
            errno = ENOSPC;
        if (n <= 0)
            return false;
        at += n;
        len -= (size_t)n;
    }
    return true;
}

static bool sync_fd(int fd)
{
    int rc;

    do
        rc = fsync(fd);
    while (rc < 0 && errno == EINTR);
    return rc == 0;
}

/* A directory that cannot be opened for reading, or a system without the notion, is let be. */
static bool sync_dir(const struct replacement *r, struct sf_error *err)
{
    int fd = openat(r->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool ok = fd < 0 || sync_fd(fd) || errno == EINVAL || errno == EROFS;

    if (!ok)
        sf_fail_errno(err, "cannot make the change of %s durable", r->path);
    if (fd >= 0)
        close(fd);
    return ok;
}

static bool fill_temp(struct replacement *r, const void *data, size_t len, struct sf_error *err)
{
    int fd = r->fd;
    bool ok = write_all(fd, data, len) && sync_fd(fd);
    int problem = errno;

    r->fd = -1;
    if (close(fd) < 0 && ok && errno != EINTR) {
        problem = errno;
        ok = false;
    }
    errno = problem;
    return ok || sf_fail_errno(err, "cannot write %s", r->path);
}

static bool put_in_place(struct replacement *r, struct sf_error *err)
{
    if (renameat(r->dir, r->temp, r->dir, r->name) < 0)
        return sf_fail_errno(err, "cannot replace %s", r->path);
    r->temp[0] = '\0';
    return sync_dir(r, err);
}

static void abandon(struct replacement *r)
{
    if (r->fd >= 0)
        close(r->fd);
    if (r->temp[0])
        unlinkat(r->dir, r->temp, 0);
    if (r->dir >= 0)
        close(r->dir);
}

bool sf_file_write_atomic(const char *path, const void *data, size_t len, mode_t mode_if_new,
                          struct sf_error *err)
{
    struct replacement r = { .path = path, .dir = -1, .fd = -1 };
    struct sf_strbuf target = SF_STRBUF_INIT;
    bool ok = false;
    struct stat st;

    sf_strbuf_adds(&target, path);
    if (!find_target(&target, &st, err) || !open_dir(&r, &target, err))
        goto out;
    if (st.st_mode && faccessat(r.dir, r.name, W_OK, AT_EACCESS) < 0) {
        sf_fail_errno(err, "cannot write %s", path);
        goto out;
    }
    if (!open_temp(&r, st.st_mode ? 0600 : mode_if_new, err))
        goto out;
    if (st.st_mode && !keep_attributes(&r, &st, err))
        goto out;
    ok = fill_temp(&r, data, len, err) && put_in_place(&r, err);
out:
    abandon(&r);
    sf_strbuf_release(&target);
    return ok;
}

static bool make_one(const char *path, mode_t mode, struct sf_error *err)
{
    struct stat st;

    if (mkdir(path, mode) == 0)
        return true;
    /* mkdir may complain about rights or a read-only place before it sees what is there. */
    if (errno != ENOENT && errno != ENOTDIR) {
        int problem = errno;

        if (stat(path, &st) == 0)
            return S_ISDIR(st.st_mode) || sf_fail(err, SF_E_EXIST, "%s is not a directory", path);
        errno = problem;
    }
    return sf_fail_errno(err, "cannot make the directory %s", path);
}

bool sf_dir_make(const char *path, mode_t mode, struct sf_error *err)
{
    char *part = sf_strdup(path);
    bool ok = true;

    if (!*path)
        ok = sf_fail(err, SF_E_ARG, "a directory needs a name");
    for (char *at = part; ok && *at;) {
        at += strspn(at, "/");
        at += strcspn(at, "/");
        if (at[0] && at[1]) {
            *at = '\0';
            ok = make_one(part, mode, err);
            *at = '/';
        } else {
            ok = make_one(part, mode, err);
            break;
        }
    }
    free(part);
    return ok;
}

char *sf_path_join(const char *dir, const char *name)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;

    sf_strbuf_adds(&sb, dir);
    while (sb.len > 1 && sb.buf[sb.len - 1] == '/')
        sf_strbuf_truncate(&sb, sb.len - 1);
    name += strspn(name, "/");
    if (sb.len && sb.buf[sb.len - 1] != '/')
        sf_strbuf_addch(&sb, '/');
    sf_strbuf_adds(&sb, name);
    return sf_strbuf_detach(&sb);
}

char *sf_path_real(const char *path, struct sf_error *err)
{
    char *found = realpath(path, NULL);

    if (!found)
        sf_fail_errno(err, "cannot find %s", path);
    return found;
}
