/*
 * write_notes.c: notes what a command is about to write. The kernel stops the command at every call
 * that could change a file, and the supervisor resolves the path as the command would, notes it,
 * and lets the call go on. The path is read from the command's memory, which another thread of it
 * could change in between: so the notes say whose a change is, and never whether it may be.
 *
 * Which calls there are is one table, from which the filter is made as well.
 */
#include "io/write_notes.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/base.h"

#if defined(__x86_64__)
#define NATIVE_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE_ARCH AUDIT_ARCH_AARCH64
#else
#define NATIVE_ARCH 0
#endif

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif

/* Since Linux 6.6: who is told runs at once, on the processor of who waits. */
#define SET_FLAGS    SECCOMP_IOW(4, uint64_t)
#define SYNC_WAKE_UP UINT64_C(1)

enum {
    NR_FCHMODAT2 = 452,
    NONE = -1,
    HERE = -2, /* relative to the working directory */
    PAGE = 4096,
    SEEN_MAX = 1 << 15,
    SEEN_FULL = SEEN_MAX / 4 * 3,
    LINKS_MAX = 8,
    NOTIFICATION_MAX = 512, /* bytes; a newer kernel may have more members */
    WRITES = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC,
};

/* What a call does with the last part of its path. */
enum last { LAST_ITSELF, LAST_FOLLOWED, LAST_BY_FLAGS, LAST_BY_HOW, LAST_DESCRIPTOR };

/* Numbers of arguments: directory and path, twice for calls with two paths. */
static const struct call {
    int number;
    signed char dir, path, dir2, path2;
    signed char flags;
    enum last last;
} calls[] = {
#ifdef SYS_open
    { SYS_open, HERE, 0, NONE, NONE, 1, LAST_BY_FLAGS },
    { SYS_creat, HERE, 0, NONE, NONE, NONE, LAST_FOLLOWED },
    { SYS_mkdir, HERE, 0, NONE, NONE, NONE, LAST_ITSELF },
    { SYS_rmdir, HERE, 0, NONE, NONE, NONE, LAST_ITSELF },
    { SYS_unlink, HERE, 0, NONE, NONE, NONE, LAST_ITSELF },
    { SYS_mknod, HERE, 0, NONE, NONE, NONE, LAST_ITSELF },
    { SYS_rename, HERE, 0, HERE, 1, NONE, LAST_ITSELF },
    { SYS_link, HERE, 1, NONE, NONE, NONE, LAST_ITSELF },
    { SYS_symlink, HERE, 1, NONE, NONE, NONE, LAST_ITSELF },
    { SYS_chmod, HERE, 0, NONE, NONE, NONE, LAST_FOLLOWED },
    { SYS_renameat, 0, 1, 2, 3, NONE, LAST_ITSELF },
#endif
    { SYS_openat, 0, 1, NONE, NONE, 2, LAST_BY_FLAGS },
    { SYS_openat2, 0, 1, NONE, NONE, NONE, LAST_BY_HOW },
    { SYS_truncate, HERE, 0, NONE, NONE, NONE, LAST_FOLLOWED },
    { SYS_mkdirat, 0, 1, NONE, NONE, NONE, LAST_ITSELF },
    { SYS_unlinkat, 0, 1, NONE, NONE, NONE, LAST_ITSELF },
    { SYS_mknodat, 0, 1, NONE, NONE, NONE, LAST_ITSELF },
    { SYS_renameat2, 0, 1, 2, 3, NONE, LAST_ITSELF },
    { SYS_linkat, 2, 3, NONE, NONE, NONE, LAST_ITSELF },
    { SYS_symlinkat, 1, 2, NONE, NONE, NONE, LAST_ITSELF },
    { SYS_fchmodat, 0, 1, NONE, NONE, NONE, LAST_FOLLOWED },
    { NR_FCHMODAT2, 0, 1, NONE, NONE, NONE, LAST_FOLLOWED },
    { SYS_fchmod, 0, NONE, NONE, NONE, NONE, LAST_DESCRIPTOR },
};

/* ---- in the command's process ---- */

struct program {
    struct sock_filter code[4 * SF_COUNT(calls) + 8];
    unsigned short len;
};

static void add(struct program *p, uint16_t code, uint8_t yes, uint8_t no, uint32_t k)
{
    p->code[p->len++] = (struct sock_filter){ code, yes, no, k };
}

/* Opening to read is by far the most frequent of these calls, and stays without a detour. */
static void make_program(struct program *p)
{
    const uint32_t number = offsetof(struct seccomp_data, nr);

    add(p, BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, arch));
    add(p, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, NATIVE_ARCH);
    add(p, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW);
    add(p, BPF_LD | BPF_W | BPF_ABS, 0, 0, number);
    for (size_t i = 0; i < SF_COUNT(calls); i++) {
        const bool flags = calls[i].last == LAST_BY_FLAGS;
        const uint32_t arg = (uint32_t)(offsetof(struct seccomp_data, args) +
                                        (flags ? (size_t)calls[i].flags : 0) * sizeof(uint64_t));

        add(p, BPF_JMP | BPF_JEQ | BPF_K, 0, flags ? 4 : 1, (uint32_t)calls[i].number);
        if (flags) {
            add(p, BPF_LD | BPF_W | BPF_ABS, 0, 0, arg);
            add(p, BPF_JMP | BPF_JSET | BPF_K, 1, 0, WRITES);
            add(p, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW);
        }
        add(p, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_USER_NOTIF);
    }
    add(p, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW);
}

/* Without the second flag a program that is sent many signals would ask again at each of them. */
static int load_program(const struct program *p)
{
    const struct sock_fprog program = { .len = p->len,
                                        .filter = (struct sock_filter *)(uintptr_t)p->code };
    const unsigned long flags = SECCOMP_FILTER_FLAG_NEW_LISTENER;
    long fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                      flags | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, &program);

    if (fd < 0 && errno == EINVAL)
        fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
    return (int)fd;
}

/* One byte goes with the descriptor, since a message without any would not arrive. */
union control {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
};

static bool send_descriptor(int channel, int fd)
{
    char byte = 0;
    struct iovec data = { &byte, 1 };
    union control control = { 0 };
    struct msghdr message = { .msg_iov = &data,
                              .msg_iovlen = 1,
                              .msg_control = &control,
                              .msg_controllen = sizeof(control) };
    struct cmsghdr *rights = CMSG_FIRSTHDR(&message);

    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(rights), &fd, sizeof(fd));
    return sendmsg(channel, &message, MSG_NOSIGNAL) == 1;
}

bool sf_write_notes_ask(int channel)
{
    struct program p = { .len = 0 };
    int listener;

    if (!NATIVE_ARCH || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        return false;
    make_program(&p);
    listener = load_program(&p);
    return listener >= 0 && send_descriptor(channel, listener);
}

/* ---- in the supervisor ---- */

static int view = -1; /* the root directory of the command, with its mounts */
static off_t end = 1; /* of the notes */
static uint64_t seen[SEEN_MAX], secret;
static size_t seen_count;

int sf_write_notes_take(int channel)
{
    char byte;
    struct iovec data = { &byte, 1 };
    union control control;
    struct msghdr message = { .msg_iov = &data,
                              .msg_iovlen = 1,
                              .msg_control = &control,
                              .msg_controllen = sizeof(control) };
    const struct cmsghdr *rights;
    int fd = -1;

    if (recvmsg(channel, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) == 1) {
        rights = CMSG_FIRSTHDR(&message);
        if (rights && rights->cmsg_type == SCM_RIGHTS)
            memcpy(&fd, CMSG_DATA(rights), sizeof(fd));
    }
    if (fd >= 0)
        ioctl(fd, SET_FLAGS, SYNC_WAKE_UP); /* older kernels take a moment longer */
    return fd;
}

void sf_write_notes_unsure(const struct sf_write_notes *notes)
{
    const char unsure = 1;

    if (pwrite(notes->file, &unsure, 1, 0) != 1)
        return; /* the file is in memory and has this byte */
}

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
    if (!read_text(pid, address, text))
        return false;
    if (text[0] != '/') {
        if (!path_of_fd(pid, dir, path))
            return true; /* a directory that is gone: the call will fail */
        n = strlen(path);
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

/* What is there before the call. */
struct place {
    char path[PATH_MAX]; /* real; "": nothing to note */
    bool exists, is_dir;
    struct timespec changed;
};

static bool name_of(int fd, char path[PATH_MAX])
{
    char link[64];

    write_fd_link(link, getpid(), fd);
    return read_link(link, path);
}

static void take_existing(struct place *place, int fd)
{
    struct stat st;

    if (!name_of(fd, place->path) || fstat(fd, &st) < 0)
        place->path[0] = '\0';
    place->exists = place->path[0];
    place->is_dir = place->exists && S_ISDIR(st.st_mode);
    if (place->exists)
        place->changed = st.st_ctim;
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
static bool take_missing(struct place *place, char path[PATH_MAX], bool follow, bool *again)
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
static bool resolve(struct place *place, char path[PATH_MAX], bool follow)
{
    bool again = true;

    for (int i = 0; again && i < LINKS_MAX; i++) {
        int fd = open_path(path, follow ? 0 : O_NOFOLLOW);

        if (fd >= 0) {
            take_existing(place, fd);
            close(fd);
            return true;
        }
        if (errno != ENOENT)
            return is_no_loss(errno);
        if (!take_missing(place, path, follow, &again))
            return false;
    }
    return !again;
}

static bool is_later(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec > b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec >= b->tv_nsec);
}

/* A command must not find two paths that look the same here: the secret is this process's own. */
static bool is_new(const char *path, char kind)
{
    uint64_t hash = secret ^ (uint64_t)(unsigned char)kind;

    for (; *path; path++) {
        hash = (hash ^ (unsigned char)*path) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    hash |= 1; /* 0 is an empty slot */
    if (seen_count > SEEN_FULL)
        return true;
    for (size_t i = hash % SEEN_MAX;; i = (i + 1) % SEEN_MAX) {
        if (seen[i] == hash)
            return false;
        if (!seen[i]) {
            seen[i] = hash;
            seen_count++;
            return true;
        }
    }
}

/* A file that somebody else has changed in the meantime is not the command's alone any more. */
static void note(const struct sf_write_notes *notes, const struct place *place, bool tree)
{
    size_t root = strlen(notes->root), len = strlen(place->path);
    char text[PATH_MAX + 2];
    bool both = place->exists && !place->is_dir && is_later(&place->changed, &notes->began);

    if (len <= root + 1 || memcmp(place->path, notes->root, root) != 0 ||
        place->path[root] != '/' || !is_new(place->path, tree ? SF_WRITE_TREE : SF_WRITE_OWN))
        return;
    len -= root + 1;
    text[0] = (char)(tree ? SF_WRITE_TREE : both ? SF_WRITE_BOTH : SF_WRITE_OWN);
    memcpy(text + 1, place->path + root + 1, len + 1);
    if (end + (off_t)len + 2 > SF_WRITE_NOTES_MAX ||
        pwrite(notes->file, text, len + 2, end) != (ssize_t)(len + 2)) {
        sf_write_notes_unsure(notes);
        return;
    }
    end += (off_t)len + 2;
}

/* Flags of openat2 lie in the command's memory. */
static bool flags_of(const struct call *call, const struct seccomp_notif *n, uint64_t *flags)
{
    const struct iovec here = { flags, sizeof(*flags) };
    const struct iovec there = { (void *)(uintptr_t)n->data.args[2], sizeof(*flags) };

    if (call->last == LAST_BY_FLAGS)
        *flags = n->data.args[call->flags];
    else if (call->last != LAST_BY_HOW)
        *flags = call->last == LAST_FOLLOWED ? O_WRONLY : O_WRONLY | O_NOFOLLOW;
    else
        return process_vm_readv((pid_t)n->pid, &here, 1, &there, 1, 0) == (ssize_t)sizeof(*flags);
    return true;
}

static int dir_of(const struct seccomp_notif *n, signed char dir)
{
    return dir == HERE ? AT_FDCWD : (int)n->data.args[dir];
}

static bool look_at(const struct seccomp_notif *n, signed char dir, signed char arg, bool follow,
                    struct place *place)
{
    char path[PATH_MAX];

    *place->path = '\0';
    place->exists = place->is_dir = false;
    if (!absolute_path((pid_t)n->pid, dir_of(n, dir), n->data.args[arg], path))
        return false;
    return !*path || resolve(place, path, follow);
}

static bool note_call(const struct sf_write_notes *notes, const struct call *call,
                      const struct seccomp_notif *n)
{
    static struct place one, other;
    uint64_t flags;
    bool ok, tree;

    if (!flags_of(call, n, &flags))
        return false;
    if (!(flags & WRITES))
        return true;
    if (call->last == LAST_DESCRIPTOR) {
        one.exists = one.is_dir = false;
        if (path_of_fd((pid_t)n->pid, (int)n->data.args[0], one.path))
            note(notes, &one, false);
        return true;
    }
    ok = look_at(n, call->dir, call->path,
                 !(flags & O_NOFOLLOW) && (flags & (O_CREAT | O_EXCL)) != (O_CREAT | O_EXCL), &one);
    if (ok && call->path2 != NONE)
        ok = look_at(n, call->dir2, call->path2, false, &other);
    if (!ok)
        return false;
    tree = call->path2 != NONE && (one.is_dir || other.is_dir);
    note(notes, &one, tree);
    if (call->path2 != NONE)
        note(notes, &other, tree);
    return true;
}

static const struct call *call_of(int number)
{
    for (size_t i = 0; i < SF_COUNT(calls); i++)
        if (calls[i].number == number)
            return &calls[i];
    return NULL;
}

/* The first to tell stands still, so its view can be had; all others have the same. */
static bool begin(pid_t pid)
{
    char link[64];

    if (view >= 0)
        return true;
    write_path(link, pid, "/root");
    view = open(link, O_PATH | O_DIRECTORY | O_CLOEXEC);
    return view >= 0 &&
           getrandom(&secret, sizeof(secret), GRND_NONBLOCK) == (ssize_t)sizeof(secret);
}

bool sf_write_notes_answer(const struct sf_write_notes *notes, int listener)
{
    static union {
        struct seccomp_notif head;
        char room[NOTIFICATION_MAX];
    } told;
    static union {
        struct seccomp_notif_resp head;
        char room[NOTIFICATION_MAX];
    } answer;
    const struct call *call;

    memset(&told, 0, sizeof(told));
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &told) < 0)
        return errno == EINTR || errno == ENOENT; /* whoever asked is gone */
    call = call_of(told.head.data.nr);
    if (call && (!begin((pid_t)told.head.pid) || !note_call(notes, call, &told.head)) &&
        ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &told.head.id) == 0)
        sf_write_notes_unsure(notes);
    memset(&answer, 0, sizeof(answer));
    answer.head.id = told.head.id;
    answer.head.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    return ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer) == 0 || errno == ENOENT;
}
