/*
 * proctree.c: reads /proc by hand into a fixed table, because the supervisor, which was forked from
 * a program with threads, may neither allocate nor lock.
 *
 * Reading a process needs a file to be opened, and a process of the same user can forbid that
 * (prlimit). The list of our children is one file, which was opened before there were any.
 */
#include "io/proctree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdalign.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"

#define MARK_PASSES 16

struct sf_relative sf_proctree[SF_PROCTREE_MAX];

static int proc_dir = -1, children_file = -1;

static bool read_number(const char **at, uint64_t max, uint64_t *number)
{
    uint64_t value = 0;
    const char *s = *at;

    while (*s >= '0' && *s <= '9' && value <= max / 10)
        value = value * 10 + (uint64_t)(*s++ - '0');
    if (s == *at || (*s >= '0' && *s <= '9') || value > max)
        return false;
    *at = s;
    *number = value;
    return true;
}

static bool read_pid(const char **at, pid_t *pid)
{
    uint64_t value;

    if (!read_number(at, INT_MAX, &value))
        return false;
    *pid = (pid_t)value;
    return true;
}

/* Skips `count` words and the space after each. */
static const char *skip_words(const char *at, unsigned count)
{
    while (count-- > 0) {
        at += strcspn(at, " ");
        at += *at == ' ';
    }
    return at;
}

/*
 * "PID (NAME) STATE PARENT …", where the name may contain anything, even parentheses. The number of
 * threads is the 20th word, the resident pages are the 24th; without them a process counts as one.
 */
static bool parse_stat(const char *text, struct sf_relative *p)
{
    const char *at = strrchr(text, ')');
    uint64_t threads = 1, pages = 0;

    if (!at || at[1] != ' ' || !at[2] || at[3] != ' ')
        return false;
    p->state = at[2];
    at += 4;
    if (!read_pid(&at, &p->parent))
        return false;
    at = skip_words(at, 16);
    if (read_number(&at, UINT32_MAX, &threads)) {
        at = skip_words(at, 4);
        read_number(&at, UINT64_MAX >> 20, &pages);
    }
    p->threads = (uint32_t)threads;
    p->resident = pages * (uint64_t)sysconf(_SC_PAGESIZE);
    return true;
}

/* Writes the pid in decimal at the end of `room`, which is large enough for any pid. */
static const char *write_pid(pid_t pid, char *room, size_t size)
{
    char *at = room + size - 1;

    *at = '\0';
    for (; pid && at > room; pid /= 10)
        *--at = (char)('0' + pid % 10);
    return at;
}

bool sf_proctree_open(void)
{
    char room[16], path[64];
    const char *self = write_pid(getpid(), room, sizeof(room));

    proc_dir = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    memcpy(mempcpy(mempcpy(path, "self/task/", 10), self, strlen(self)), "/children", 10);
    if (proc_dir >= 0)
        children_file = openat(proc_dir, path, O_RDONLY | O_CLOEXEC);
    return proc_dir >= 0;
}

void sf_proctree_fds(int fds[2])
{
    fds[0] = proc_dir;
    fds[1] = children_file;
}

/* Whether the process is merely gone, or another user's and hidden, so that it need not count. */
static bool is_no_loss(int error)
{
    return error == ENOENT || error == ESRCH || error == EACCES || error == EPERM;
}

/* The beginning of /proc/NAME/FILE; false when it cannot be read, with the reason in errno. */
static bool read_text(const char *name, const char *file, char *text, size_t size)
{
    char path[64];
    size_t len = strlen(name), have = 0;
    ssize_t n = 1;
    int fd;

    errno = ENOENT;
    if (len + strlen(file) + 1 > sizeof(path))
        return false;
    memcpy(mempcpy(path, name, len), file, strlen(file) + 1);
    fd = openat(proc_dir, path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    while (n > 0 || (n < 0 && errno == EINTR)) {
        n = read(fd, text + have, size - 1 - have);
        have += n > 0 ? (size_t)n : 0;
    }
    close(fd);
    text[have] = '\0';
    errno = ESRCH;
    return have > 0;
}

/* False with errno 0: the name is not a pid. */
static bool read_process(const char *name, struct sf_relative *p)
{
    const char *at = name;
    char text[1024];

    *p = (struct sf_relative){ 0 };
    if (!read_pid(&at, &p->pid) || *at) {
        errno = 0;
        return false;
    }
    return read_text(name, "/stat", text, sizeof(text)) && parse_stat(text, p);
}

/*
 * Fills the table. When it is full only our direct children still enter, in the last place: as
 * they are ended, their children become ours, and the next scan finds those.
 */
static bool list_processes(size_t *count)
{
    alignas(struct dirent64) char buf[8192];
    pid_t self = getpid();
    ssize_t n = -1;

    *count = 0;
    if (proc_dir < 0 || lseek(proc_dir, 0, SEEK_SET) < 0)
        return false;
    while ((n = getdents64(proc_dir, buf, sizeof(buf))) > 0) {
        for (ssize_t at = 0; at < n;) {
            const struct dirent64 *entry = (const struct dirent64 *)(const void *)(buf + at);
            struct sf_relative p;

            at += entry->d_reclen;
            if (!read_process(entry->d_name, &p)) {
                if (errno && !is_no_loss(errno))
                    return false;
                continue;
            }
            if (*count < SF_PROCTREE_MAX)
                sf_proctree[(*count)++] = p;
            else if (p.parent == self)
                sf_proctree[SF_PROCTREE_MAX - 1] = p;
        }
    }
    return n == 0;
}

/* Reads "PID PID …" from the open file of children. A number may span two reads. */
static size_t list_children(void)
{
    const pid_t self = getpid();
    char buf[4096];
    size_t count = 0;
    pid_t pid = 0;
    ssize_t n;

    if (children_file < 0 || lseek(children_file, 0, SEEK_SET) < 0)
        return 0;
    while ((n = read(children_file, buf, sizeof(buf))) > 0 && count < SF_PROCTREE_MAX) {
        for (ssize_t i = 0; i < n && count < SF_PROCTREE_MAX; i++) {
            bool digit = buf[i] >= '0' && buf[i] <= '9';

            if (!digit && pid)
                sf_proctree[count++] =
                    (struct sf_relative){ .pid = pid, .parent = self, .state = '?', .ours = true };
            pid = digit ? pid * 10 + (buf[i] - '0') : 0;
        }
    }
    return count;
}

static const struct sf_relative *find_relative(pid_t pid, size_t count)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (sf_proctree[middle].pid < pid)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && sf_proctree[low].pid == pid ? &sf_proctree[low] : NULL;
}

/*
 * Marks the descendants in the table. Parents usually come before their children, so one pass is
 * enough; after pids wrapped around it takes more, and the next sweep finds what was missed.
 */
static void mark_ours(size_t count)
{
    pid_t self = getpid();
    bool changed = true;

    for (int pass = 0; changed && pass < MARK_PASSES; pass++) {
        changed = false;
        for (size_t i = 0; i < count; i++) {
            struct sf_relative *p = &sf_proctree[i];
            const struct sf_relative *parent;

            if (p->ours)
                continue;
            parent = p->parent == self ? NULL : find_relative(p->parent, count);
            p->ours = p->parent == self || (parent && parent->ours);
            changed = changed || p->ours;
        }
    }
}

bool sf_proctree_look(size_t *count)
{
    if (list_processes(count)) {
        mark_ours(*count);
        return true;
    }
    *count = list_children();
    return false;
}

/* The number of kibibytes behind a label of smaps_rollup, in bytes. */
static uint64_t value_of(const char *text, const char *label)
{
    const char *at = strstr(text, label);
    uint64_t kib;

    if (!at)
        return 0;
    at += strlen(label);
    at += strspn(at, " ");
    return read_number(&at, UINT64_MAX >> 10, &kib) ? kib * 1024 : 0;
}

/* The proportional set size, or the resident size if that is unreadable (gone, or another user). */
static uint64_t fair_part(const struct sf_relative *p)
{
    char room[16], text[2048];
    uint64_t pages;

    if (!read_text(write_pid(p->pid, room, sizeof(room)), "/smaps_rollup", text, sizeof(text)))
        return p->resident;
    pages = value_of(text, "\nPss:");
    return pages + value_of(text, "\nSwapPss:");
}

bool sf_proctree_measure(struct sf_proctree_use *use, uint64_t enough)
{
    size_t count;

    *use = (struct sf_proctree_use){ 0 };
    if (!sf_proctree_look(&count))
        return false;
    for (size_t i = 0; i < count; i++)
        if (sf_proctree[i].ours && sf_proctree[i].state != 'Z') {
            use->processes += sf_proctree[i].threads;
            use->memory += sf_proctree[i].resident;
        }
    if (!enough || use->memory <= enough)
        return true;
    use->memory = 0;
    for (size_t i = 0; i < count; i++)
        if (sf_proctree[i].ours && sf_proctree[i].state != 'Z')
            use->memory += fair_part(&sf_proctree[i]);
    return true;
}
