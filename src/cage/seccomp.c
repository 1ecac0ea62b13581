/*
 * seccomp.c: from tables to a filter program. Each row costs two instructions, compared one
 * after the other; the common calls fall through to the end in well under a microsecond.
 */
#include "cage/seccomp.h"

#include <assert.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/base.h"

#if defined(__x86_64__)
#define NATIVE_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE_ARCH AUDIT_ARCH_AARCH64
#else
#define NATIVE_ARCH 0
#endif

#define X32_BIT 0x40000000U

#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x00000080
#endif
#define NEW_SPACES                                                                             \
    (CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS | \
     CLONE_NEWCGROUP)

/* Numbers that Debian's headers or one of the machines do not have are given by hand. */
enum {
    NR_QUOTACTL_FD = 443,
    NR_MOUNT_SETATTR = 442,
    NR_OPEN_TREE_ATTR = 467,
};

enum { WHO_USER = 3 }; /* of ioprio_set, which no header of libc has */

/* Refused whatever the arguments are. */
static const struct {
    int number;
    int error;
} refused[] = {
    /* a process arranges its own view of the system */
    { SYS_mount, EPERM },
    { SYS_umount2, EPERM },
    { SYS_pivot_root, EPERM },
    { SYS_chroot, EPERM },
    { SYS_setns, EPERM },
    { SYS_open_tree, EPERM },
    { SYS_move_mount, EPERM },
    { SYS_fsopen, EPERM },
    { SYS_fsconfig, EPERM },
    { SYS_fsmount, EPERM },
    { SYS_fspick, EPERM },
    { NR_MOUNT_SETATTR, EPERM },
    { NR_OPEN_TREE_ATTR, EPERM },
    /* files without a path */
    { SYS_open_by_handle_at, EPERM },
    /* large interfaces that see past the other fences, or were often broken */
    { SYS_io_uring_setup, ENOSYS },
    { SYS_io_uring_enter, ENOSYS },
    { SYS_io_uring_register, ENOSYS },
    { SYS_bpf, EPERM },
    { SYS_perf_event_open, EPERM },
    { SYS_userfaultfd, EPERM },
    { SYS_keyctl, EPERM },
    { SYS_add_key, EPERM },
    { SYS_request_key, EPERM },
    /* the machine itself */
    { SYS_kexec_load, EPERM },
    { SYS_kexec_file_load, EPERM },
    { SYS_init_module, EPERM },
    { SYS_finit_module, EPERM },
    { SYS_delete_module, EPERM },
    { SYS_reboot, EPERM },
    { SYS_swapon, EPERM },
    { SYS_swapoff, EPERM },
    { SYS_acct, EPERM },
    { SYS_quotactl, EPERM },
    { NR_QUOTACTL_FD, EPERM },
    { SYS_settimeofday, EPERM },
    { SYS_clock_settime, EPERM },
    { SYS_clock_adjtime, EPERM },
    { SYS_adjtimex, EPERM },
    { SYS_sethostname, EPERM },
    { SYS_setdomainname, EPERM },
    { SYS_syslog, EPERM },
    { SYS_vhangup, EPERM },
    { SYS_fanotify_init, EPERM },
#ifdef SYS_iopl
    { SYS_iopl, EPERM },
    { SYS_ioperm, EPERM },
#endif
    /* its flags are behind a pointer; libc falls back to clone */
    { SYS_clone3, ENOSYS },
};

/* Other processes: refused where Landlock does not keep them to the same cage. */
static const int reaching[] = {
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_pidfd_getfd, SYS_process_madvise,
    SYS_kcmp,   SYS_move_pages,       SYS_migrate_pages,
};

static void add(struct sf_seccomp *f, uint16_t code, uint8_t yes, uint8_t no, uint32_t k)
{
    assert(f->len < SF_SECCOMP_MAX);
    f->code[f->len++] = (struct sock_filter){ code, yes, no, k };
}

static void load(struct sf_seccomp *f, size_t offset)
{
    add(f, BPF_LD | BPF_W | BPF_ABS, 0, 0, (uint32_t)offset);
}

static void load_number(struct sf_seccomp *f)
{
    load(f, offsetof(struct seccomp_data, nr));
}

/* The low half; nearly every argument looked at here is an int to the kernel. */
static void load_arg(struct sf_seccomp *f, unsigned n)
{
    load(f, offsetof(struct seccomp_data, args) + n * sizeof(uint64_t));
}

/* The other half, of a pointer. */
static void load_high(struct sf_seccomp *f, unsigned n)
{
    load(f, offsetof(struct seccomp_data, args) + n * sizeof(uint64_t) + sizeof(uint32_t));
}

static void give(struct sf_seccomp *f, int error)
{
    add(f, BPF_RET | BPF_K, 0, 0, error ? SECCOMP_RET_ERRNO | (uint32_t)error : SECCOMP_RET_ALLOW);
}

/* The next instruction counts only when the loaded word is `k`. */
static void if_equal(struct sf_seccomp *f, uint32_t k)
{
    add(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, k);
}

static void check_machine(struct sf_seccomp *f)
{
    load(f, offsetof(struct seccomp_data, arch));
    add(f, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, NATIVE_ARCH);
    give(f, ENOSYS);
    load_number(f);
#if defined(__x86_64__)
    add(f, BPF_JMP | BPF_JGE | BPF_K, 0, 1, X32_BIT);
    give(f, ENOSYS);
#endif
}

static void check_refused(struct sf_seccomp *f, bool own_children)
{
    for (size_t i = 0; i < SF_COUNT(refused); i++) {
        if_equal(f, (uint32_t)refused[i].number);
        give(f, refused[i].error);
    }
    for (size_t i = 0; !own_children && i < SF_COUNT(reaching); i++) {
        if_equal(f, (uint32_t)reaching[i]);
        give(f, EPERM);
    }
}

/* New namespaces would give back the powers that were dropped. */
static void check_spaces(struct sf_seccomp *f, int number)
{
    add(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 4, (uint32_t)number);
    load_arg(f, 0);
    add(f, BPF_JMP | BPF_JSET | BPF_K, 0, 1, NEW_SPACES);
    give(f, EPERM);
    load_number(f);
}

static void check_unshare_time(struct sf_seccomp *f)
{
    add(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 4, SYS_unshare);
    load_arg(f, 0);
    add(f, BPF_JMP | BPF_JSET | BPF_K, 0, 1, CLONE_NEWTIME);
    give(f, EPERM);
    load_number(f);
}

/* `names` says whom an argument means, 0 being oneself; `wide` is a kind that means all of a user. */
static const struct {
    int number;
    unsigned names;
    bool has_kind; /* the first argument says what kind of name it is */
    uint32_t wide;
} ruling[] = {
    { SYS_setpriority, 1, true, PRIO_USER }, { SYS_ioprio_set, 1, true, WHO_USER },
    { SYS_sched_setscheduler, 0, false, 0 }, { SYS_sched_setparam, 0, false, 0 },
    { SYS_sched_setattr, 0, false, 0 },      { SYS_sched_setaffinity, 0, false, 0 },
};

/*
 * Priorities and processors of others. The kernel asks for the same user alone, and so would let a
 * command still sf itself. A thread that is named by its number cannot be told from a stranger.
 */
static void check_priorities(struct sf_seccomp *f)
{
    for (size_t i = 0; i < SF_COUNT(ruling); i++) {
        const uint8_t kind = ruling[i].has_kind ? 2 : 0;

        add(f, BPF_JMP | BPF_JEQ | BPF_K, 0, (uint8_t)(4 + kind), (uint32_t)ruling[i].number);
        if (ruling[i].has_kind) {
            load_arg(f, 0);
            add(f, BPF_JMP | BPF_JEQ | BPF_K, 2, 0, ruling[i].wide);
        }
        load_arg(f, ruling[i].names);
        add(f, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 0);
        give(f, EPERM);
        load_number(f);
    }
}

/* Limits of others: one of no seconds ends a process, one of no files leaves it helpless. */
static void check_limits(struct sf_seccomp *f)
{
    add(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 8, SYS_prlimit64);
    load_arg(f, 0);
    add(f, BPF_JMP | BPF_JEQ | BPF_K, 5, 0, 0); /* one's own */
    load_arg(f, 2);
    add(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 2, 0);
    load_high(f, 2);
    add(f, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 0); /* no new one: they are only read */
    give(f, EPERM);
    load_number(f);
}

/* Typing into the terminal, and pasting its selection. */
static void check_terminal(struct sf_seccomp *f)
{
    static const uint32_t requests[] = { TIOCSTI, TIOCLINUX, TIOCCONS };
    const uint8_t body = (uint8_t)(2 + 2 * SF_COUNT(requests));

    add(f, BPF_JMP | BPF_JEQ | BPF_K, 0, body, SYS_ioctl);
    load_arg(f, 1);
    for (size_t i = 0; i < SF_COUNT(requests); i++) {
        if_equal(f, requests[i]);
        give(f, EPERM);
    }
    load_number(f);
}

/* Families by name, so that what nobody thought of (vsock, packets, alg …) is refused. */
static void check_sockets(struct sf_seccomp *f, const struct sf_seccomp_wish *wish)
{
    size_t start = f->len;

    add(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, SYS_socket); /* the way past is filled in below */
    load_arg(f, 0);
    if (wish->internet) {
        if_equal(f, AF_INET);
        give(f, 0);
        if_equal(f, AF_INET6);
        give(f, 0);
    }
    if (wish->local) {
        if_equal(f, AF_UNIX);
        give(f, 0);
    }
    add(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 3, AF_NETLINK);
    load_arg(f, 2);
    if_equal(f, NETLINK_ROUTE); /* which addresses there are: asked by every look-up of a host */
    give(f, 0);
    give(f, EACCES);
    f->code[start].jf = (uint8_t)(f->len - start - 1);
}

bool sf_seccomp_is_known(void)
{
    return NATIVE_ARCH != 0;
}

void sf_seccomp_make(struct sf_seccomp *f, const struct sf_seccomp_wish *wish)
{
    f->len = 0;
    check_machine(f);
    check_refused(f, wish->own_children);
    check_spaces(f, SYS_unshare);
    check_unshare_time(f);
    check_spaces(f, SYS_clone);
    check_limits(f);
    check_priorities(f);
    check_terminal(f);
    check_sockets(f, wish);
    give(f, 0);
}

bool sf_seccomp_load(const struct sf_seccomp *f)
{
    struct sock_fprog program = { .len = (unsigned short)f->len,
                                  .filter = (struct sock_filter *)(uintptr_t)f->code };

    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}
