/*
 * file.c: reading with a limit, writing atomically. The order inside a write matters: bytes, fsync,
 * rename, fsync of the directory. Any failure before the rename leaves the old file untouched and
 * removes the temporary one.
 */
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "io/fd.h"
#include "io/temp.h"

#define LINK_HOPS 40 /* as many as the kernel follows */

/* The message that reading and writing share: "cannot read x: it is a directory". */
static bool fail_kind(const char *act, const char *path, mode_t mode, struct sf_error *err)
{
    return sf_fail(err, SF_E_ARG, "cannot %s %s: it is %s", act, path,
                   S_ISDIR(mode) ? "a directory" : "not a regular file");
}

static int open_regular(const char *path, struct sf_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat st;

    if (fd < 0) {
        sf_fail_errno(err, "cannot open %s", path);
        return -1;
    }
    if (fstat(fd, &st) < 0)
        sf_fail_errno(err, "cannot read %s", path);
    else if (S_ISREG(st.st_mode))
        return fd;
    else
        fail_kind("read", path, st.st_mode, err);
    close(fd);
    return -1;
}

bool sf_file_read(const char *path, size_t max, struct sf_strbuf *out, struct sf_error *err)
{
    int fd = open_regular(path, err);
    bool ok;

    if (fd < 0)
        return false;
    ok = sf_fd_read_all(fd, path, max, out, err);
    close(fd);
    return ok;
}

bool sf_file_read_head(const char *path, size_t max, struct sf_strbuf *out, struct sf_error *err)
{
    int fd = open_regular(path, err);
    bool ok;

    if (fd < 0)
        return false;
    ok = sf_fd_read_head(fd, path, max, out, err);
    close(fd);
    return ok;
}

/* Replaces `path` by the target of the link, relative to the directory of the link. */
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

/* One write in the making: the final `name` lies in the directory `dir`, as does `temp`. */
struct replacement {
    const char *path; /* for messages */
    const char *name;
    int dir;
    struct sf_temp temp;
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

static bool put_in_place(struct replacement *r, struct sf_error *err)
{
    if (renameat(r->dir, r->temp.name, r->dir, r->name) < 0)
        return sf_fail_errno(err, "cannot replace %s", r->path);
    r->temp.name[0] = '\0';
    return sf_fd_sync_dir(r->dir, r->path, err);
}

bool sf_file_write_atomic(const char *path, const void *data, size_t len, mode_t mode_if_new,
                          struct sf_error *err)
{
    struct replacement r = { .path = path, .dir = -1, .temp = SF_TEMP_INIT };
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
    if (!sf_temp_open(&r.temp, r.dir, path, st.st_mode ? 0600 : mode_if_new, err))
        goto out;
    if (st.st_mode && !sf_temp_keep(&r.temp, &st, err))
        goto out;
    ok = sf_temp_fill(&r.temp, data, len, err) && put_in_place(&r, err);
out:
    sf_temp_discard(&r.temp);
    if (r.dir >= 0)
        close(r.dir);
    sf_strbuf_release(&target);
    return ok;
}

static bool make_one(const char *path, mode_t mode, struct sf_error *err)
{
    struct stat st;

    if (mkdir(path, mode) == 0)
        return true;
    /* mkdir may fail with EACCES or EROFS even if the directory exists. */
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
    char *part;
    bool ok = true;
    struct stat st;

    if (*path && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return true;
    part = sf_strdup(path);
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

int sf_file_new_private(const char *dir, const char *stem, const char *suffix, char **path,
                        struct sf_error *err)
{
    struct sf_strbuf name = SF_STRBUF_INIT;
    unsigned char lot[16];
    int fd = -1;

    if (!sf_dir_make(dir, 0700, err))
        return -1;
    sf_strbuf_addf(&name, "%s%s%s-", dir, dir[strlen(dir) - 1] == '/' ? "" : "/", stem);
    if (getrandom(lot, sizeof(lot), 0) == (ssize_t)sizeof(lot)) {
        for (size_t i = 0; i < sizeof(lot); i++)
            sf_strbuf_addf(&name, "%02x", lot[i]);
        sf_strbuf_adds(&name, suffix);
        fd = open(name.buf, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    }
    if (fd < 0) {
        sf_fail_errno(err, "cannot make a file in %s", dir);
        sf_strbuf_release(&name);
        return -1;
    }
    *path = sf_strbuf_detach(&name);
    return fd;
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

bool sf_program_dir(char *buf, size_t size)
{
    ssize_t n = readlink("/proc/self/exe", buf, size - 1);
    char *slash;

    if (n <= 0 || (size_t)n >= size - 1)
        return false;
    buf[n] = '\0';
    slash = strrchr(buf, '/');
    if (!slash)
        return false;
    *slash = '\0';
    return true;
}
