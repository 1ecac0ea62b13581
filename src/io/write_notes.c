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
#include <linux/audit.h>
#include <linux/filter.h>
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
    SEEN_MAX = 1 << 15,
    SEEN_FULL = SEEN_MAX / 4 * 3,
    NOTIFICATION_MAX = 512, /* bytes; a newer kernel may have more members */
    WRITES = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC,
};

/* What a call does with the last part of its path. */
enum last { LAST_ITSELF, LAST_FOLLOWED, LAST_BY_FLAGS, LAST_BY_HOW, LAST_DESCRIPTOR };

/*
 * Numbers of arguments: directory and path, twice for calls with two paths. Calls that only set a
 * time or an owner, or give a file another name, count as well: by them a file looks changed since
 * the command began, or is changed under a name that is not its own.
 */
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
    { SYS_link, HERE, 0, HERE, 1, NONE, LAST_ITSELF },
    { SYS_symlink, HERE, 1, NONE, NONE, NONE, LAST_ITSELF },
    { SYS_chmod, HERE, 0, NONE, NONE, NONE, LAST_FOLLOWED },
    { SYS_renameat, 0, 1, 2, 3, NONE, LAST_ITSELF },
    { SYS_chown, HERE, 0, NONE, NONE, NONE, LAST_FOLLOWED },
    { SYS_lchown, HERE, 0, NONE, NONE, NONE, LAST_ITSELF },
    { SYS_utime, HERE, 0, NONE, NONE, NONE, LAST_FOLLOWED },
    { SYS_utimes, HERE, 0, NONE, NONE, NONE, LAST_FOLLOWED },
    { SYS_futimesat, 0, 1, NONE, NONE, NONE, LAST_FOLLOWED },
#endif
    { SYS_openat, 0, 1, NONE, NONE, 2, LAST_BY_FLAGS },
    { SYS_openat2, 0, 1, NONE, NONE, NONE, LAST_BY_HOW },
    { SYS_truncate, HERE, 0, NONE, NONE, NONE, LAST_FOLLOWED },
    { SYS_mkdirat, 0, 1, NONE, NONE, NONE, LAST_ITSELF },
    { SYS_unlinkat, 0, 1, NONE, NONE, NONE, LAST_ITSELF },
    { SYS_mknodat, 0, 1, NONE, NONE, NONE, LAST_ITSELF },
    { SYS_renameat2, 0, 1, 2, 3, NONE, LAST_ITSELF },
    { SYS_linkat, 0, 1, 2, 3, NONE, LAST_ITSELF },
    { SYS_symlinkat, 1, 2, NONE, NONE, NONE, LAST_ITSELF },
    { SYS_fchmodat, 0, 1, NONE, NONE, NONE, LAST_FOLLOWED },
    { NR_FCHMODAT2, 0, 1, NONE, NONE, NONE, LAST_FOLLOWED },
    { SYS_fchownat, 0, 1, NONE, NONE, NONE, LAST_FOLLOWED },
    { SYS_utimensat, 0, 1, NONE, NONE, NONE, LAST_FOLLOWED },
    { SYS_fchmod, 0, NONE, NONE, NONE, NONE, LAST_DESCRIPTOR },
    { SYS_fchown, 0, NONE, NONE, NONE, NONE, LAST_DESCRIPTOR },
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

bool sf_write_notes_work(void)
{
    const uint32_t action = SECCOMP_RET_USER_NOTIF;

    return NATIVE_ARCH && syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
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

static bool is_later(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec > b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec >= b->tv_nsec);
}

enum novelty { OLD, NEW, UNKNOWN };

/* A command must not find two paths that look the same here: the secret is this process's own. */
static enum novelty novelty_of(const char *path, char kind)
{
    uint64_t hash = secret ^ (uint64_t)(unsigned char)kind;

    for (; *path; path++) {
        hash = (hash ^ (unsigned char)*path) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    hash |= 1; /* 0 is an empty slot */
    for (size_t i = hash % SEEN_MAX;; i = (i + 1) % SEEN_MAX) {
        if (seen[i] == hash)
            return OLD;
        if (!seen[i] && seen_count > SEEN_FULL)
            return UNKNOWN;
        if (!seen[i]) {
            seen[i] = hash;
            seen_count++;
            return NEW;
        }
    }
}

/* Adds a note with what belongs to it, or says that notes are missing. */
static void add_note(const struct sf_write_notes *notes, char kind, const char *path,
                     const struct sf_write_image *image)
{
    static char text[1 + PATH_MAX + sizeof(*image)];
    size_t len = 1 + strlen(path) + 1;

    text[0] = kind;
    memcpy(text + 1, path, len - 1);
    if (image) {
        memcpy(text + len, image, sizeof(*image));
        len += sizeof(*image);
    }
    if (end + (off_t)len > SF_WRITE_NOTES_MAX ||
        pwrite(notes->file, text, len, end) != (ssize_t)len)
        sf_write_notes_unsure(notes);
    else
        end += (off_t)len;
}

/* Once the table is full it is not known whether this is the first touch, so nothing is copied. */
static void note_first(const struct sf_write_notes *notes, const struct sf_write_place *place,
                       const char *path, bool is_first)
{
    struct sf_write_image image;

    if (!place->exists) {
        if (is_first)
            add_note(notes, SF_WRITE_ABSENT, path, NULL);
        return;
    }
    sf_write_image_take(is_first ? notes->images : -1, place, &image);
    add_note(notes, SF_WRITE_IMAGE, path, &image);
}

/* A file that somebody else has changed in the meantime is not the command's alone any more. */
static void note(const struct sf_write_notes *notes, const struct sf_write_place *place, bool tree)
{
    size_t root = strlen(notes->root), len = strlen(place->path);
    bool dir = place->exists && S_ISDIR(place->stat.st_mode);
    bool both = place->exists && !dir && is_later(&place->stat.st_ctim, &notes->began);
    const char *path = place->path + root + 1;
    enum novelty novelty;

    if (len <= root + 1 || memcmp(place->path, notes->root, root) != 0 || place->path[root] != '/')
        return;
    novelty = novelty_of(place->path, tree ? SF_WRITE_TREE : SF_WRITE_OWN);
    if (novelty == OLD)
        return;
    add_note(notes, (char)(tree ? SF_WRITE_TREE : both ? SF_WRITE_BOTH : SF_WRITE_OWN), path, NULL);
    if (tree ? place->exists : !dir)
        note_first(notes, place, path, novelty == NEW);
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

static bool look_at(const struct seccomp_notif *n, signed char dir, signed char arg, bool follow,
                    struct sf_write_place *place)
{
    const struct sf_write_name name = { .pid = (pid_t)n->pid,
                                        .dir = dir == HERE ? AT_FDCWD : (int)n->data.args[dir],
                                        .address = n->data.args[arg],
                                        .follow = follow };

    return sf_write_place_look(place, &name);
}

static bool is_dir(const struct sf_write_place *place)
{
    return place->exists && S_ISDIR(place->stat.st_mode);
}

/* Of a call with two paths both are looked at before either is noted. */
static bool note_paths(const struct sf_write_notes *notes, const struct call *call,
                       const struct seccomp_notif *n, bool follow)
{
    static struct sf_write_place one, other;
    bool two = call->path2 != NONE, tree;
    bool ok = look_at(n, call->dir, call->path, follow, &one);

    other.fd = -1;
    if (ok && two)
        ok = look_at(n, call->dir2, call->path2, false, &other);
    if (ok) {
        tree = two && (is_dir(&one) || is_dir(&other));
        note(notes, &one, tree);
        if (two)
            note(notes, &other, tree);
    }
    sf_write_place_close(&one);
    sf_write_place_close(&other);
    return ok;
}

static bool note_call(const struct sf_write_notes *notes, const struct call *call,
                      const struct seccomp_notif *n)
{
    static struct sf_write_place open;
    uint64_t flags;

    if (!flags_of(call, n, &flags))
        return false;
    if (!(flags & WRITES))
        return true;
    if (call->last == LAST_DESCRIPTOR) {
        sf_write_place_of_fd(&open, (pid_t)n->pid, (int)n->data.args[0]);
        note(notes, &open, false);
        sf_write_place_close(&open);
        return true;
    }
    return note_paths(notes, call, n,
                      !(flags & O_NOFOLLOW) && (flags & (O_CREAT | O_EXCL)) != (O_CREAT | O_EXCL));
}

static const struct call *call_of(int number)
{
    for (size_t i = 0; i < SF_COUNT(calls); i++)
        if (calls[i].number == number)
            return &calls[i];
    return NULL;
}

static bool begin(pid_t pid)
{
    return secret || (sf_write_place_begin(pid) &&
                      getrandom(&secret, sizeof(secret), GRND_NONBLOCK) == sizeof(secret));
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
