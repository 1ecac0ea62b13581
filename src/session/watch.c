/*
 * watch.c: hears when another process writes into the project's store, without asking again and
 * again: the kernel says that the log of the database was written, SQLite says whether it was by
 * somebody else. Where the kernel gives no watch, a session looks when its next turn begins.
 */
#include <sys/inotify.h>
#include <unistd.h>

#include "base/base.h"
#include "session/internal.h"

static const char wal[] = "sf.db-wal";

/* Whether one of the pending events is about the log of the database. */
static bool drain(int fd)
{
    _Alignas(struct inotify_event) char events[4096];
    bool seen = false;
    ssize_t n;

    while ((n = read(fd, events, sizeof(events))) > 0) {
        for (size_t at = 0; at < (size_t)n;) {
            const struct inotify_event *e = (const void *)(events + at);

            seen = seen || (e->mask & IN_Q_OVERFLOW) || (e->len && !strcmp(e->name, wal));
            at += sizeof(*e) + e->len;
        }
    }
    return seen;
}

static void written(void *ctx, int fd, unsigned events)
{
    struct sf_talk *t = ctx;
    struct sf_error err = SF_ERROR_INIT;
    bool changed;

    (void)events;
    if (!drain(fd) || t->dead)
        return;
    if (!sf_store_changed(t->setup.store, &changed, &err) || (changed && !sf_goal_refresh(t, &err)))
        sf_log(SF_LOG_WARN, "what others wrote cannot be read: %s", err.msg);
}

void sf_watch_open(struct sf_talk *t)
{
    struct sf_error ignored = SF_ERROR_INIT;
    bool changed;

    if (t->depth || !t->setup.attended)
        return;
    t->watch_fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (t->watch_fd < 0 || inotify_add_watch(t->watch_fd, t->setup.state_dir, IN_MODIFY) < 0 ||
        !sf_store_changed(t->setup.store, &changed, &ignored)) {
        sf_watch_close(t);
        return;
    }
    t->watch = sf_loop_watch_fd(t->setup.loop, t->watch_fd, SF_FD_READ, written, t);
}

void sf_watch_close(struct sf_talk *t)
{
    sf_loop_remove(t->setup.loop, t->watch);
    t->watch = 0;
    if (t->watch_fd >= 0)
        close(t->watch_fd);
    t->watch_fd = -1;
}
