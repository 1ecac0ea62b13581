/*
 * lock_owner.c: one line of text: pid, start time according to the kernel, time of locking,
 * terminal. Reading has a size limit and checks every field, since any process of the user can
 * write the file.
 */
#include "io/lock_owner.h"

#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "io/clock.h"
#include "io/file.h"

enum { LINE_MAX_BYTES = 256, STAT_MAX = 4096, STAT_BEGAN = 20 /* fields behind the name */ };

/* The start time of a process in ticks since boot; 0: no such process. */
static uint64_t began(pid_t pid)
{
    char path[64], *at;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error ignored = SF_ERROR_INIT;
    uint64_t ticks = 0;

    snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
    if (sf_file_read(path, STAT_MAX, &text, &ignored)) {
        at = strrchr(text.buf, ')'); /* the name may hold anything */
        for (int i = 0; at && i < STAT_BEGAN; i++)
            at = strchr(at + 1, ' ');
        ticks = at ? strtoull(at + 1, NULL, 10) : 0;
    }
    sf_strbuf_release(&text);
    return ticks;
}

static bool name_ok(const char *tty)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/";

    return tty[strspn(tty, letters)] == '\0';
}

static void own_tty(char out[SF_LOCK_OWNER_TTY])
{
    static const int fds[] = { STDIN_FILENO, STDERR_FILENO, STDOUT_FILENO };
    char name[5 + SF_LOCK_OWNER_TTY];

    out[0] = '\0';
    for (size_t i = 0; i < SF_COUNT(fds) && !out[0]; i++)
        if (ttyname_r(fds[i], name, sizeof(name)) == 0 && !strncmp(name, "/dev/", 5) &&
            strlen(name + 5) < SF_LOCK_OWNER_TTY && name_ok(name + 5))
            snprintf(out, SF_LOCK_OWNER_TTY, "%s", name + 5);
}

void sf_lock_owner_sign(const struct sf_lock *lock)
{
    char tty[SF_LOCK_OWNER_TTY], line[LINE_MAX_BYTES];
    int len;

    own_tty(tty);
    len = snprintf(line, sizeof(line), "%d %" PRIu64 " %" PRId64 " %s\n", (int)getpid(),
                   began(getpid()), sf_clock_wall_ms(), *tty ? tty : "-");
    /* A partial line would be rejected when it is read, so it is removed. */
    if (ftruncate(lock->fd, 0) == 0 && pwrite(lock->fd, line, (size_t)len, 0) != len)
        (void)!ftruncate(lock->fd, 0);
}

struct sf_lock_owner sf_lock_owner_read(const char *path)
{
    const struct sf_lock_owner unknown = { .pid = 0 };
    struct sf_lock_owner h = unknown;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error ignored = SF_ERROR_INIT;
    uint64_t ticks = 0;
    int pid = 0, end = 0;
    bool ok = sf_file_read(path, LINE_MAX_BYTES, &text, &ignored) &&
              sscanf(text.buf, "%d %" SCNu64 " %" SCNd64 " %31s%n", &pid, &ticks, &h.since_ms,
                     h.tty, &end) == 4 &&
              text.buf[end] == '\n';

    if (ok && !strcmp(h.tty, "-"))
        h.tty[0] = '\0';
    h.pid = (pid_t)pid;
    ok = ok && pid > 0 && ticks && name_ok(h.tty) && began(h.pid) == ticks;
    sf_strbuf_release(&text);
    return ok ? h : unknown;
}

static void add_since(const struct sf_lock_owner *h, int64_t now_ms, struct sf_strbuf *out)
{
    enum { DAY_MS = 24 * 3600 * 1000 };
    bool today = now_ms - h->since_ms < DAY_MS / 2 && now_ms >= h->since_ms;
    time_t at = (time_t)(h->since_ms / 1000);
    char text[32];
    struct tm tm;

    if (localtime_r(&at, &tm) && strftime(text, sizeof(text), today ? "%H:%M" : "%F %H:%M", &tm))
        sf_strbuf_addf(out, " (since %s)", text);
}

void sf_lock_owner_add(const struct sf_lock_owner *h, int64_t now_ms, struct sf_strbuf *out)
{
    if (h->pid <= 0) {
        sf_strbuf_adds(out, "another process");
        return;
    }
    sf_strbuf_addf(out, "process %d", (int)h->pid);
    if (*h->tty)
        sf_strbuf_addf(out, " on %s", h->tty);
    add_since(h, now_ms, out);
}
