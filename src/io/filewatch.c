/*
 * filewatch.c: inotify on the loop. All events that have arrived are read at once and reported
 * once; when the kernel's queue overflowed, all paths are reported.
 */
#include "io/filewatch.h"

#include <errno.h>
#include <sys/inotify.h>
#include <unistd.h>

struct sf_filewatch {
    struct sf_loop *loop;
    sf_filewatch_fn *fn;
    void *ctx;
    int fd;
    uint64_t watch;
    int paths[SF_FILEWATCH_PATHS];
    size_t count;
};

static unsigned which(const struct sf_filewatch *n, const struct inotify_event *e)
{
    unsigned bits = 0;

    for (size_t i = 0; i < n->count; i++)
        if (n->paths[i] == e->wd || (e->mask & IN_Q_OVERFLOW))
            bits |= 1U << i;
    return bits;
}

static void readable(void *ctx, int fd, unsigned events)
{
    struct sf_filewatch *n = ctx;
    _Alignas(struct inotify_event) char buf[4096];
    unsigned bits = 0;
    ssize_t got;

    (void)events;
    while ((got = read(fd, buf, sizeof(buf))) > 0)
        for (ssize_t at = 0; at < got;) {
            const struct inotify_event *e = (const struct inotify_event *)(const void *)(buf + at);

            bits |= which(n, e);
            at += (ssize_t)(sizeof(*e) + e->len);
        }
    if (bits)
        n->fn(n->ctx, bits);
}

struct sf_filewatch *sf_filewatch_new(struct sf_loop *loop, sf_filewatch_fn *fn, void *ctx)
{
    int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    struct sf_filewatch *n;

    if (fd < 0)
        return NULL;
    n = sf_alloc(sizeof(*n));
    *n = (struct sf_filewatch){ .loop = loop, .fn = fn, .ctx = ctx, .fd = fd };
    n->watch = sf_loop_watch_fd(loop, fd, SF_FD_READ, readable, n);
    return n;
}

void sf_filewatch_free(struct sf_filewatch *n)
{
    if (!n)
        return;
    sf_loop_remove(n->loop, n->watch);
    close(n->fd);
    free(n);
}

bool sf_filewatch_add(struct sf_filewatch *n, const char *path)
{
    int wd =
        n->count < SF_COUNT(n->paths)
            ? inotify_add_watch(n->fd, path, IN_MODIFY | IN_CLOSE_WRITE | IN_CREATE | IN_MOVED_TO)
            : -1;

    if (wd >= 0)
        n->paths[n->count++] = wd;
    return wd >= 0;
}
