/*
 * fd.c: complete reads and writes despite signals, limits enforced despite growing files.
 */
#include "io/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"

#define READ_CHUNK 65536

static ssize_t read_some(int fd, void *buf, size_t size)
{
    ssize_t n;

    do
        n = read(fd, buf, size);
    while (n < 0 && errno == EINTR);
    return n;
}

static bool fail_large(const char *shown, size_t max, struct sf_error *err)
{
    return sf_fail(err, SF_E_LIMIT, "%s is larger than %zu bytes", shown, max);
}

/* The size is a hint: the file may grow, and files of /proc claim to be empty. */
static bool read_to_end(int fd, const char *shown, size_t max, struct sf_strbuf *out,
                        struct sf_error *err)
{
    size_t before = out->len;
    ssize_t n = 1;

    while (n > 0) {
        size_t want = out->cap - out->len > 1 ? out->cap - out->len - 1 : READ_CHUNK;

        n = read_some(fd, sf_strbuf_room(out, want), want);
        if (n < 0)
            return sf_fail_errno(err, "cannot read %s", shown);
        sf_strbuf_grew(out, (size_t)n);
        if (out->len - before > max)
            return fail_large(shown, max, err);
    }
    return true;
}

bool sf_fd_read_all(int fd, const char *shown, size_t max, struct sf_strbuf *out,
                    struct sf_error *err)
{
    size_t before = out->len;
    struct stat st;

    if (fstat(fd, &st) < 0)
        return sf_fail_errno(err, "cannot read %s", shown);
    if (st.st_size > 0 && (uintmax_t)st.st_size > max)
        return fail_large(shown, max, err);
    sf_strbuf_room(out, (size_t)st.st_size + 1);
    if (read_to_end(fd, shown, max, out, err))
        return true;
    sf_strbuf_truncate(out, before);
    return false;
}

bool sf_fd_read_head(int fd, const char *shown, size_t max, struct sf_strbuf *out,
                     struct sf_error *err)
{
    size_t before = out->len;
    ssize_t n = 1;

    while (n > 0 && out->len - before < max) {
        size_t want = max - (out->len - before);

        want = want < READ_CHUNK ? want : READ_CHUNK;
        n = read_some(fd, sf_strbuf_room(out, want), want);
        if (n > 0)
            sf_strbuf_grew(out, (size_t)n);
    }
    if (n >= 0)
        return true;
    sf_fail_errno(err, "cannot read %s", shown);
    sf_strbuf_truncate(out, before);
    return false;
}

bool sf_fd_write_all(int fd, const void *data, size_t len)
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

bool sf_fd_sync(int fd)
{
    int rc;

    do
        rc = fsync(fd);
    while (rc < 0 && errno == EINTR);
    return rc == 0;
}

/* Not an error where the directory cannot be read, or where the file system cannot sync it. */
bool sf_fd_sync_dir(int dir, const char *shown, struct sf_error *err)
{
    int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool ok = fd < 0 || sf_fd_sync(fd) || errno == EINVAL || errno == EROFS;

    if (!ok)
        sf_fail_errno(err, "cannot make the change of %s durable", shown);
    if (fd >= 0)
        close(fd);
    return ok;
}
