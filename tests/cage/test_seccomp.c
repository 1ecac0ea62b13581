/*
 * What the filter of system calls answers, asked of the program itself: many a refused call would
 * fail for want of a power as well, so that a command which tries it proves nothing about the filter.
 */
#include <errno.h>
#include <linux/audit.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/base.h"
#include "cage/seccomp.h"
#include "support/test.h"

#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x00000080
#endif

#if defined(__x86_64__)
#define NATIVE_ARCH  AUDIT_ARCH_X86_64
#define FOREIGN_ARCH AUDIT_ARCH_I386
#else
#define NATIVE_ARCH  AUDIT_ARCH_AARCH64
#define FOREIGN_ARCH AUDIT_ARCH_ARM
#endif

enum { STEPS_MAX = SF_SECCOMP_MAX, ALLOWED = 0 };

static const struct sf_seccomp_wish nothing = { 0 };
static const struct sf_seccomp_wish everything = { true, true, true };
static const struct sf_seccomp_wish internet = { .internet = true };
static const struct sf_seccomp_wish local = { .local = true };

/* The kernel's machine, as far as a filter of this room may need it. */
static uint32_t run(const struct sf_seccomp *f, const struct seccomp_data *data)
{
    uint32_t loaded = 0;
    size_t at = 0;

    for (int steps = 0; steps < STEPS_MAX; steps++) {
        const struct sock_filter *i;
        bool yes;

        assert_true(at < f->len);
        i = &f->code[at++];
        if (i->code == (BPF_RET | BPF_K))
            return i->k;
        if (i->code == (BPF_LD | BPF_W | BPF_ABS)) {
            assert_true(i->k % 4 == 0 && i->k + 4 <= sizeof(*data));
            memcpy(&loaded, (const char *)data + i->k, sizeof(loaded));
            continue;
        }
        assert_int_equal(BPF_CLASS(i->code), BPF_JMP);
        yes = BPF_OP(i->code) == BPF_JEQ    ? loaded == i->k
              : BPF_OP(i->code) == BPF_JSET ? (loaded & i->k) != 0
                                            : loaded >= i->k;
        at += yes ? i->jt : i->jf;
    }
    fail_msg("the filter does not end");
    return 0;
}

/* The error that a call gets, or 0. */
static int answer(const struct sf_seccomp_wish *wish, const struct seccomp_data *data)
{
    static struct sf_seccomp f;
    uint32_t said;

    if (!sf_seccomp_is_known())
        test_not_run("the filter has no numbers for this machine");
    sf_seccomp_make(&f, wish);
    said = run(&f, data);
    if (said == SECCOMP_RET_ALLOW)
        return ALLOWED;
    assert_int_equal(said & SECCOMP_RET_ACTION_FULL, SECCOMP_RET_ERRNO);
    return (int)(said & SECCOMP_RET_DATA);
}

static int answer_to(const struct sf_seccomp_wish *wish, int number, const uint64_t args[3])
{
    struct seccomp_data data = { .nr = number, .arch = NATIVE_ARCH };

    memcpy(data.args, args, 3 * sizeof(args[0]));
    return answer(wish, &data);
}

static const struct {
    const char *name;
    int number, want;
} calls[] = {
    { "mount", SYS_mount, EPERM },
    { "umount2", SYS_umount2, EPERM },
    { "pivot_root", SYS_pivot_root, EPERM },
    { "chroot", SYS_chroot, EPERM },
    { "setns", SYS_setns, EPERM },
    { "open_tree", SYS_open_tree, EPERM },
    { "move_mount", SYS_move_mount, EPERM },
    { "fsopen", SYS_fsopen, EPERM },
    { "fsconfig", SYS_fsconfig, EPERM },
    { "fsmount", SYS_fsmount, EPERM },
    { "fspick", SYS_fspick, EPERM },
    { "mount_setattr", 442, EPERM },
    { "open_tree_attr", 467, EPERM },
    { "open_by_handle_at", SYS_open_by_handle_at, EPERM },
    { "io_uring_setup", SYS_io_uring_setup, ENOSYS },
    { "io_uring_enter", SYS_io_uring_enter, ENOSYS },
    { "io_uring_register", SYS_io_uring_register, ENOSYS },
    { "bpf", SYS_bpf, EPERM },
    { "perf_event_open", SYS_perf_event_open, EPERM },
    { "userfaultfd", SYS_userfaultfd, EPERM },
    { "keyctl", SYS_keyctl, EPERM },
    { "add_key", SYS_add_key, EPERM },
    { "request_key", SYS_request_key, EPERM },
    { "kexec_load", SYS_kexec_load, EPERM },
    { "kexec_file_load", SYS_kexec_file_load, EPERM },
    { "init_module", SYS_init_module, EPERM },
    { "finit_module", SYS_finit_module, EPERM },
    { "delete_module", SYS_delete_module, EPERM },
    { "reboot", SYS_reboot, EPERM },
    { "swapon", SYS_swapon, EPERM },
    { "swapoff", SYS_swapoff, EPERM },
    { "acct", SYS_acct, EPERM },
    { "quotactl", SYS_quotactl, EPERM },
    { "quotactl_fd", 443, EPERM },
    { "settimeofday", SYS_settimeofday, EPERM },
    { "clock_settime", SYS_clock_settime, EPERM },
    { "clock_adjtime", SYS_clock_adjtime, EPERM },
    { "adjtimex", SYS_adjtimex, EPERM },
    { "sethostname", SYS_sethostname, EPERM },
    { "setdomainname", SYS_setdomainname, EPERM },
    { "syslog", SYS_syslog, EPERM },
    { "vhangup", SYS_vhangup, EPERM },
    { "fanotify_init", SYS_fanotify_init, EPERM },
#ifdef SYS_iopl
    { "iopl", SYS_iopl, EPERM },
    { "ioperm", SYS_ioperm, EPERM },
#endif
    { "clone3", SYS_clone3, ENOSYS },
    { "the first of all", 0, ALLOWED },
    { "openat", SYS_openat, ALLOWED },
    { "execve", SYS_execve, ALLOWED },
    { "kill", SYS_kill, ALLOWED },
    { "one that is not made yet", 1000, ALLOWED },
};

/* These are answered the same whatever the cage permits. */
static void test_calls(void **state)
{
    static const uint64_t none[3] = { 0 };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(calls); i++) {
        int strict = answer_to(&nothing, calls[i].number, none);
        int loose = answer_to(&everything, calls[i].number, none);

        if (strict != calls[i].want || loose != calls[i].want)
            fail_msg("%s: %d, %d", calls[i].name, strict, loose);
    }
}

/* Where the kernel keeps a command to its own processes, a debugger of them may run. */
static void test_other_processes(void **state)
{
    static const int reaching[] = {
        SYS_ptrace,      SYS_process_vm_readv, SYS_process_vm_writev,
        SYS_pidfd_getfd, SYS_process_madvise,  SYS_kcmp,
        SYS_move_pages,  SYS_migrate_pages,
    };
    static const uint64_t none[3] = { 0 };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(reaching); i++)
        if (answer_to(&nothing, reaching[i], none) != EPERM ||
            answer_to(&everything, reaching[i], none) != ALLOWED)
            fail_msg("number %d", reaching[i]);
}

static const struct {
    const char *name;
    const struct sf_seccomp_wish *wish;
    int number;
    uint64_t args[3];
    int want;
} rows[] = {
    { "unshare of the file table", &nothing, SYS_unshare, { CLONE_FILES }, ALLOWED },
    { "of users", &nothing, SYS_unshare, { CLONE_NEWUSER }, EPERM },
    { "of mounts", &nothing, SYS_unshare, { CLONE_NEWNS }, EPERM },
    { "of the network", &nothing, SYS_unshare, { CLONE_NEWNET | CLONE_FILES }, EPERM },
    { "of processes", &nothing, SYS_unshare, { CLONE_NEWPID }, EPERM },
    { "of queues", &nothing, SYS_unshare, { CLONE_NEWIPC }, EPERM },
    { "of the name", &nothing, SYS_unshare, { CLONE_NEWUTS }, EPERM },
    { "of control groups", &nothing, SYS_unshare, { CLONE_NEWCGROUP }, EPERM },
    { "of the time", &nothing, SYS_unshare, { CLONE_NEWTIME }, EPERM },
    { "a child", &nothing, SYS_clone, { 17 }, ALLOWED },
    { "a child whose end is told by signal 128", &nothing, SYS_clone, { CLONE_NEWTIME }, ALLOWED },
    { "a child with users of its own", &nothing, SYS_clone, { CLONE_NEWUSER | 17 }, EPERM },
    { "one's own limit", &nothing, SYS_prlimit64, { 0, RLIMIT_NOFILE, 0x1000 }, ALLOWED },
    { "another's limit", &nothing, SYS_prlimit64, { 7, RLIMIT_NOFILE, 0x1000 }, EPERM },
    { "another's, with a pointer whose low half is empty",
      &nothing,
      SYS_prlimit64,
      { 7, RLIMIT_NOFILE, 0x700000000 },
      EPERM },
    { "another's limit read", &nothing, SYS_prlimit64, { 7, RLIMIT_NOFILE, 0 }, ALLOWED },
    { "one's own priority", &nothing, SYS_setpriority, { PRIO_PROCESS, 0 }, ALLOWED },
    { "another's priority", &nothing, SYS_setpriority, { PRIO_PROCESS, 7 }, EPERM },
    { "all of the user's", &nothing, SYS_setpriority, { PRIO_USER, 0 }, EPERM },
    { "one's own disk priority", &nothing, SYS_ioprio_set, { 1, 0 }, ALLOWED },
    { "another's disk priority", &nothing, SYS_ioprio_set, { 1, 7 }, EPERM },
    { "that of all of the user's", &nothing, SYS_ioprio_set, { 3, 0 }, EPERM },
    { "one's own scheduler", &nothing, SYS_sched_setscheduler, { 0, 7 }, ALLOWED },
    { "another's scheduler", &nothing, SYS_sched_setscheduler, { 7, 0 }, EPERM },
    { "one's own parameters", &nothing, SYS_sched_setparam, { 0, 7 }, ALLOWED },
    { "another's parameters", &nothing, SYS_sched_setparam, { 7 }, EPERM },
    { "one's own attributes", &nothing, SYS_sched_setattr, { 0, 7 }, ALLOWED },
    { "another's attributes", &nothing, SYS_sched_setattr, { 7 }, EPERM },
    { "one's own processors", &nothing, SYS_sched_setaffinity, { 0, 7 }, ALLOWED },
    { "another's processors", &nothing, SYS_sched_setaffinity, { 7 }, EPERM },
    { "the size of the terminal", &nothing, SYS_ioctl, { 0, TIOCGWINSZ }, ALLOWED },
    { "typing into it", &nothing, SYS_ioctl, { 0, TIOCSTI }, EPERM },
    { "typing, asked for with more bits",
      &nothing,
      SYS_ioctl,
      { 0, TIOCSTI | 0x100000000 },
      EPERM },
    { "pasting", &nothing, SYS_ioctl, { 0, TIOCLINUX }, EPERM },
    { "taking the console", &nothing, SYS_ioctl, { 0, TIOCCONS }, EPERM },
    { "the same number as another argument",
      &nothing,
      SYS_ioctl,
      { TIOCSTI, 0, TIOCSTI },
      ALLOWED },
    { "the internet", &nothing, SYS_socket, { AF_INET }, EACCES },
    { "the internet, permitted", &internet, SYS_socket, { AF_INET }, ALLOWED },
    { "the new internet", &local, SYS_socket, { AF_INET6 }, EACCES },
    { "the new internet, permitted", &internet, SYS_socket, { AF_INET6 }, ALLOWED },
    { "a local socket", &internet, SYS_socket, { AF_UNIX }, EACCES },
    { "a local socket, permitted", &local, SYS_socket, { AF_UNIX }, ALLOWED },
    { "the list of addresses", &nothing, SYS_socket, { AF_NETLINK, 0, NETLINK_ROUTE }, ALLOWED },
    { "other news of the kernel",
      &everything,
      SYS_socket,
      { AF_NETLINK, 0, NETLINK_AUDIT },
      EACCES },
    { "a family without a name here", &everything, SYS_socket, { AF_VSOCK }, EACCES },
    { "a family whose number is that of the addresses",
      &everything,
      SYS_socket,
      { AF_PACKET, 0, NETLINK_ROUTE },
      EACCES },
    { "a pair of sockets", &nothing, SYS_socketpair, { AF_UNIX }, ALLOWED },
};

static void test_arguments(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        int said = answer_to(rows[i].wish, rows[i].number, rows[i].args);

        if (said != rows[i].want)
            fail_msg("%s: %d, not %d", rows[i].name, said, rows[i].want);
    }
}

/* The numbers mean other calls on another machine. */
static void test_other_machines(void **state)
{
    struct seccomp_data foreign = { .nr = SYS_openat, .arch = FOREIGN_ARCH };

    (void)state;
    assert_int_equal(answer(&everything, &foreign), ENOSYS);
#if defined(__x86_64__)
    struct seccomp_data x32 = { .nr = 0x40000000, .arch = NATIVE_ARCH };

    assert_int_equal(answer(&everything, &x32), ENOSYS);
    x32.nr += SYS_mount;
    assert_int_equal(answer(&everything, &x32), ENOSYS);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_other_processes),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_other_machines),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
