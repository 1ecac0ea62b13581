/*
 * beneath.c: openat2 does the whole walk in the kernel; where it is missing, the components are
 * opened one by one.
 */
#include "find/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/base.h"

#define DIR_FLAGS    (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#define FILE_FLAGS   (O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
#define AGAIN_ROUNDS 8

/* -1 with ENOSYS where the kernel or a filter does not have the call. */
static int open_at_once(int root, const char *path)
{
    static atomic_bool absent;
    struct open_how how = {
        .flags = DIR_FLAGS,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
    };
    long fd = -1;

    if (atomic_load(&absent)) {
        errno = ENOSYS;
        return -1;
    }
    /* EAGAIN: a rename somewhere made the kernel unsure; it asks to be asked again. */
    for (int round = 0; round < AGAIN_ROUNDS; round++) {
        fd = syscall(SYS_openat2, root, path, &how, sizeof(how));
        if (fd >= 0 || errno != EAGAIN)
            break;
    }
    if (fd < 0 && (errno == ENOSYS || errno == EPERM || errno == EINVAL || errno == E2BIG)) {
        atomic_store(&absent, true);
        errno = ENOSYS;
    }
    return (int)fd;
}

static int open_by_steps(int root, const char *path)
{
    int fd = openat(root, ".", DIR_FLAGS);

    while (fd >= 0 && *path) {
        char name[NAME_MAX + 1];
        size_t n = strcspn(path, "/");
        int next = -1;

        if (n > NAME_MAX) {
            errno = ENAMETOOLONG;
        } else {
            memcpy(name, path, n);
            name[n] = '\0';
            next = openat(fd, name, DIR_FLAGS);
        }
        int problem = errno;

        close(fd);
        errno = problem;
        fd = next;
        path += n + (path[n] == '/');
    }
    return fd;
}

int sf_beneath_open_dir(int root, const char *path)
{
    int fd;

    if (!*path)
        return openat(root, ".", DIR_FLAGS);
    fd = open_at_once(root, path);
    return fd < 0 && (errno == ENOSYS || errno == EAGAIN) ? open_by_steps(root, path) : fd;
}

int sf_beneath_open_file(int dir, const char *name, struct stat *st)
{
    int fd = openat(dir, name, FILE_FLAGS);

    if (fd < 0)
        return -1;
    if (fstat(fd, st) == 0 && S_ISREG(st->st_mode))
        return fd;
    close(fd);
    errno = EINVAL;
    return -1;
}

bool sf_beneath_read(int fd, size_t max, struct sf_strbuf *out)
{
    enum { CHUNK = 16384 };

    for (size_t left = max; left;) {
        size_t want = left < CHUNK ? left : CHUNK;
        ssize_t n = read(fd, sf_strbuf_room(out, want), want);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        if (!n)
            break;
        sf_strbuf_grew(out, (size_t)n);
        left -= (size_t)n;
    }
    return true;
}

bool sf_beneath_normalize(const char *path, struct sf_strbuf *out, struct sf_error *err)
{
    if (*path == '/')
        return sf_fail(err, SF_E_ARG, "the path %s is not relative", path);
    if (strlen(path) >= PATH_MAX)
        return sf_fail(err, SF_E_LIMIT, "the path is longer than %d bytes", PATH_MAX - 1);
    while (*path) {
        size_t n = strcspn(path, "/");

        if (n == 2 && !memcmp(path, "..", 2))
            return sf_fail(err, SF_E_ARG, "the path leads out of the tree");
        if (n && !(n == 1 && *path == '.')) {
            if (out->len)
                sf_strbuf_addch(out, '/');
            sf_strbuf_add(out, path, n);
        }
        path += n + (path[n] == '/');
    }
    return true;
}
