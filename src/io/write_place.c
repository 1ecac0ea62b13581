/*
 * write_place.c: resolves a path as the command would: from its working directory, its descriptors
 * and its root with its mounts. The path is read from the command's memory.
 */
#include "io/write_place.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/base.h"

enum { PAGE = 4096, LINKS_MAX = 8 };

static int view = -1; /* the root directory of the command, with its mounts */

/* Adds "PREFIX/NUMBER/REST" to `out`, which has room for any. */
static void write_path(char *out, pid_t pid, const char *rest)
{
    char digits[16], *at = digits + sizeof(digits);
    static const char proc[] = "/proc/";

    *--at = '\0';
    for (; pid > 0; pid /= 10)
        *--at = (char)('0' + pid % 10);
    out = mempcpy(out, proc, sizeof(proc) - 1);
    out = mempcpy(out, at, strlen(at));
    memcpy(out, rest, strlen(rest) + 1);
}

/* What a link of /proc says; false: nothing that has a path. */
static bool read_link(const char *link, char path[PATH_MAX])
{
    static const char gone[] = " (deleted)";
    ssize_t n = readlink(link, path, PATH_MAX - 1);
    size_t tail = sizeof(gone) - 1;

    if (n <= 0 || path[0] != '/')
        return false;
    path[n] = '\0';
    return (size_t)n < tail || strcmp(path + (size_t)n - tail, gone) != 0;
}

static void write_fd_link(char link[64], pid_t pid, int fd)
{
    char rest[32] = "/fd/", digits[16], *at = digits + sizeof(digits);
    unsigned n = (unsigned)fd;

    *--at = '\0';
    do
        *--at = (char)('0' + n % 10);
    while (n /= 10);
    memcpy(rest + 4, at, strlen(at) + 1);
    write_path(link, pid, rest);
}

static bool path_of_fd(pid_t pid, int fd, char path[PATH_MAX])
{
    char link[64];

    if (fd < 0 && fd != AT_FDCWD)
        return false;
    if (fd == AT_FDCWD)
        write_path(link, pid, "/cwd");
    else
        write_fd_link(link, pid, fd);
    return read_link(link, path);
}

/* The text at an address of the command, up to its NUL; in two pieces, as pages end. */
static bool read_text(pid_t pid, uint64_t address, char text[PATH_MAX])
{
    size_t first = PAGE - address % PAGE;
    const struct iovec here = { text, PATH_MAX };
    const struct iovec there[] = { { (void *)(uintptr_t)address, first },
                                   { (void *)(uintptr_t)(address + first), PATH_MAX - first } };
    ssize_t n = process_vm_readv(pid, &here, 1, there, first < PATH_MAX ? 2 : 1, 0);

    return n > 0 && memchr(text, '\0', (size_t)n);
}

static bool starts(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

/*
 * Names of a process's own descriptors mean the command's, not ours: the link is replaced by what
 * it leads to. False: it leads to no file, but to a pipe or a socket.
 */
static bool replace_own(pid_t pid, char path[PATH_MAX])
{
    static const struct {
        const char *name, *means;
    } names[] = {
        { "/dev/stdin", "/fd/0" }, { "/dev/stdout", "/fd/1" }, { "/dev/stderr", "/fd/2" },
        { "/dev/fd/", "/fd/" },    { "/proc/self/", "/" },     { "/proc/thread-self/", "/" },
    };
    char link[PATH_MAX + 64], target[PATH_MAX], *rest;
    size_t i = 0, n;

    while (i < SF_COUNT(names) && !starts(path, names[i].name))
        i++;
    if (i == SF_COUNT(names))
        return true;
    write_path(link, pid, names[i].means);
    memcpy(link + strlen(link), path + strlen(names[i].name),
           strlen(path + strlen(names[i].name)) + 1);
    rest = strstr(link, "/fd/");
    rest = rest ? strchr(rest + 4, '/') : strstr(link, "/cwd") ? strstr(link, "/cwd") + 4 : NULL;
    if (rest && *rest)
        *rest++ = '\0';
    if (!read_link(link, target))
        return false;
    n = strlen(target);
    if (rest && *rest && n + strlen(rest) + 2 <= PATH_MAX) {
        target[n++] = '/';
        memcpy(target + n, rest, strlen(rest) + 1);
    }
    memcpy(path, target, PATH_MAX);
    return true;
}

/* The path as the command means it, from its root; "": there is none that matters. */
static bool absolute_path(pid_t pid, int dir, uint64_t address, char path[PATH_MAX])
{
    char text[PATH_MAX];
    size_t n = 0;

    path[0] = '\0';
    text[0] = '\0';
    if (address && !read_text(pid, address, text))
        return false;
    if (text[0] != '/') {
        if (!path_of_fd(pid, dir, path))
            return true; /* a directory that is gone: the call will fail */
        n = strlen(path);
        if (text[0]) /* otherwise the descriptor itself is meant */
            path[n++] = '/';
    }
    if (n + strlen(text) + 1 > PATH_MAX) {
        path[0] = '\0';
        return true; /* too long for the kernel, too */
    }
    memcpy(path + n, text, strlen(text) + 1);
    if (!replace_own(pid, path))
        path[0] = '\0';
    return true;
}

static int open_path(const char *path, int flags)
{
    const struct open_how how = { .flags = (uint64_t)(O_PATH | O_CLOEXEC | flags),
                                  .resolve = RESOLVE_IN_ROOT };

    return (int)syscall(SYS_openat2, view, path, &how, sizeof(how));
}

/* A call with such a path fails, or is about something that is not in the way of anybody. */
static bool is_no_loss(int error)
{
    return error == ENOENT || error == ENOTDIR || error == EACCES || error == ENAMETOOLONG;
}

static bool name_of(int fd, char path[PATH_MAX])
{
    char link[64];

    write_fd_link(link, getpid(), fd);
    return read_link(link, path);
}

/* Keeps the descriptor. */
static void take_existing(struct sf_write_place *place, int fd)
{
    place->fd = fd;
    place->exists = name_of(fd, place->path) && fstat(fd, &place->stat) == 0;
    if (!place->exists)
        place->path[0] = '\0';
}

/* Cuts the last part off and returns it; NULL: there is none. */
static char *split(char *path)
{
    size_t n = strlen(path);
    char *slash;

    while (n > 1 && path[n - 1] == '/')
        path[--n] = '\0';
    slash = strrchr(path, '/');
    if (!slash || !slash[1])
        return NULL;
    *slash = '\0';
    return slash + 1;
}

/* Replaces a link that leads to nothing yet by what it names. */
static bool step_over(int dir, const char *base, const char *name, char path[PATH_MAX])
{
    char target[PATH_MAX];
    ssize_t n = readlinkat(dir, name, target, sizeof(target) - 1);
    size_t len = strlen(base);

    if (n <= 0 || (target[0] != '/' && len + (size_t)n + 2 > PATH_MAX))
        return false;
    target[n] = '\0';
    if (target[0] == '/') {
        memcpy(path, target, (size_t)n + 1);
    } else {
        char *at = mempcpy(path, base, len);

        *at++ = '/';
        memcpy(at, target, (size_t)n + 1);
    }
    return true;
}

/* The place of something that is not there: that of its directory, and its name. */
static bool take_missing(struct sf_write_place *place, char path[PATH_MAX], bool follow,
                         bool *again)
{
    const char *name = split(path);
    char base[PATH_MAX];
    size_t n;
    int dir;

    *again = false;
    if (!name || !strcmp(name, ".") || !strcmp(name, ".."))
        return true;
    dir = open_path(*path ? path : "/", O_DIRECTORY);
    if (dir < 0)
        return is_no_loss(errno);
    if (name_of(dir, base)) {
        *again = follow && step_over(dir, base, name, path);
        n = strlen(base);
        if (!*again && n + strlen(name) + 2 <= PATH_MAX) {
            memcpy(place->path, base, n);
            place->path[n++] = '/';
            memcpy(place->path + n, name, strlen(name) + 1);
        }
    }
    close(dir);
    return true;
}

/* False: what the call is about cannot be known. */
static bool resolve(struct sf_write_place *place, char path[PATH_MAX], bool follow)
{
    bool again = true;

    for (int i = 0; again && i < LINKS_MAX; i++) {
        int fd = open_path(path, follow ? 0 : O_NOFOLLOW);

        if (fd >= 0) {
            take_existing(place, fd);
            return true;
        }
        if (errno != ENOENT)
            return is_no_loss(errno);
        if (!take_missing(place, path, follow, &again))
            return false;
    }
    return !again;
}

bool sf_write_place_begin(pid_t pid)
{
    char link[64];

    if (view >= 0)
        return true;
    write_path(link, pid, "/root");
    view = open(link, O_PATH | O_DIRECTORY | O_CLOEXEC);
    return view >= 0;
}

static void reset(struct sf_write_place *place)
{
    place->path[0] = '\0';
    place->exists = false;
    place->fd = -1;
}

bool sf_write_place_look(struct sf_write_place *place, const struct sf_write_name *name)
{
    char path[PATH_MAX];

    reset(place);
    if (!absolute_path(name->pid, name->dir, name->address, path))
        return false;
    return !*path || resolve(place, path, name->follow);
}

void sf_write_place_of_fd(struct sf_write_place *place, pid_t pid, int fd)
{
    char path[PATH_MAX];
    int here;

    reset(place);
    if (!path_of_fd(pid, fd, path))
        return;
    here = open_path(path, O_NOFOLLOW);
    if (here >= 0)
        take_existing(place, here);
}

void sf_write_place_close(struct sf_write_place *place)
{
    if (place->fd >= 0)
        close(place->fd);
    place->fd = -1;
}

/* By way of the descriptor, so that it is the very file; a lease of others is not waited for. */
int sf_write_place_open(const struct sf_write_place *place)
{
    char link[64];

    write_fd_link(link, getpid(), place->fd);
    return open(link, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}
