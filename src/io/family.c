/*
 * family.c: reads /proc by hand into a fixed table, because the supervisor, which was forked from
 * a program with threads, may neither allocate nor lock.
 */
#include "io/family.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdalign.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"

#define MARK_PASSES 16

struct sf_relative sf_family[SF_FAMILY_MAX];

static bool read_number(const char **at, pid_t *number)
{
    long value = 0;
    const char *s = *at;

    while (*s >= '0' && *s <= '9' && value < INT_MAX / 10)
        value = value * 10 + (*s++ - '0');
    if (s == *at || (*s >= '0' && *s <= '9'))
        return false;
    *at = s;
    *number = (pid_t)value;
    return true;
}

/* "PID (NAME) STATE PARENT …", where the name may hold anything, parentheses too. */
static bool parse_stat(const char *text, struct sf_relative *p)
{
    const char *at = strrchr(text, ')');

    if (!at || at[1] != ' ' || !at[2] || at[3] != ' ')
        return false;
    p->state = at[2];
    at += 4;
    return read_number(&at, &p->parent);
}

static bool read_process(int proc, const char *name, struct sf_relative *p)
{
    const char *at = name;
    char path[32], text[512];
    size_t len = strlen(name);
    size_t have = 0;
    ssize_t n = 1;
    int fd;

    *p = (struct sf_relative){ 0 };
    if (!read_number(&at, &p->pid) || *at || len + sizeof("/stat") > sizeof(path))
        return false;
    memcpy(mempcpy(path, name, len), "/stat", sizeof("/stat"));
    fd = openat(proc, path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    while (n > 0 || (n < 0 && errno == EINTR)) {
        n = read(fd, text + have, sizeof(text) - 1 - have);
        have += n > 0 ? (size_t)n : 0;
    }
    close(fd);
    text[have] = '\0';
    return parse_stat(text, p);
}

/*
 * Fills the table. When it is full only our direct children still enter, in the last place: as
 * they are ended, their children become ours, and the next scan finds those.
 */
static size_t list_processes(void)
{
    alignas(struct dirent64) char buf[8192];
    int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    pid_t self = getpid();
    size_t count = 0;
    ssize_t n;

    if (proc < 0)
        return 0;
    while ((n = getdents64(proc, buf, sizeof(buf))) > 0) {
        for (ssize_t at = 0; at < n;) {
            const struct dirent64 *entry = (const struct dirent64 *)(const void *)(buf + at);
            struct sf_relative p;

            at += entry->d_reclen;
            if (!read_process(proc, entry->d_name, &p))
                continue;
            if (count < SF_FAMILY_MAX)
                sf_family[count++] = p;
            else if (p.parent == self)
                sf_family[SF_FAMILY_MAX - 1] = p;
        }
    }
    close(proc);
    return count;
}

static const struct sf_relative *find_relative(pid_t pid, size_t count)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (sf_family[middle].pid < pid)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && sf_family[low].pid == pid ? &sf_family[low] : NULL;
}

/*
 * Marks the descendants in the table. Parents mostly stand before their children, so one pass
 * does; where pids wrapped around it takes more, and what is missed is found by the next sweep.
 */
size_t sf_family_look(void)
{
    size_t count = list_processes();
    pid_t self = getpid();
    bool changed = true;

    for (int pass = 0; changed && pass < MARK_PASSES; pass++) {
        changed = false;
        for (size_t i = 0; i < count; i++) {
            struct sf_relative *p = &sf_family[i];
            const struct sf_relative *parent;

            if (p->ours)
                continue;
            parent = p->parent == self ? NULL : find_relative(p->parent, count);
            p->ours = p->parent == self || (parent && parent->ours);
            changed = changed || p->ours;
        }
    }
    return count;
}
