/*
 * cage_probe.c: attempts to leave the cage that no shell can make. Each verb tries one thing and
 * prints ESCAPED when the kernel let it.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/io_uring.h>
#include <linux/perf_event.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

static const char *arg; /* of the verb, or "" */

static int try_truncate(void)
{
    return truncate(arg, 0);
}

static int try_chmod(void)
{
    return chmod(arg, 0777);
}

static int try_chown(void)
{
    return chown(arg, 12345, 12345);
}

static int try_utimes(void)
{
    return utimensat(AT_FDCWD, arg, NULL, 0);
}

static int try_xattr(void)
{
    return setxattr(arg, "user.probe", "x", 1, 0);
}

static int try_creat(void)
{
    int fd = open(arg, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

    return fd >= 0 && write(fd, "x", 1) == 1 ? 0 : -1;
}

static int try_read(void)
{
    char text[256];
    int fd = open(arg, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, text, sizeof(text)) : -1;

    return n > 0 && fwrite(text, 1, (size_t)n, stdout) == (size_t)n ? 0 : -1;
}

/* A descriptor of a directory that is allowed, and then upwards. */
static int try_climb(void)
{
    int dir = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    return dir >= 0 && openat(dir, "../outside/climbed", O_WRONLY | O_CREAT, 0644) >= 0 ? 0 : -1;
}

/* Through any descriptor that was left open. */
static int try_inherited(void)
{
    int found = -1;

    for (int fd = 3; fd < 1024; fd++)
        if (fcntl(fd, F_GETFD) >= 0)
            found = 0;
    return found;
}

static int try_handle(void)
{
    struct {
        struct file_handle head;
        char room[128];
    } handle = { .head = { .handle_bytes = 128 } };
    int id, top = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (name_to_handle_at(AT_FDCWD, arg, &handle.head, &id, 0) < 0)
        return -1;
    return open_by_handle_at(top, &handle.head, O_RDONLY) >= 0 ? 0 : -1;
}

static int connect_inet(int type, unsigned short family)
{
    struct sockaddr_in addr = { .sin_family = family, .sin_port = htons((uint16_t)atoi(arg)) };
    int fd = socket(family, type, 0);

    addr.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || connect(fd, (struct sockaddr *)&addr, sizeof(addr)) < 0)
        return -1;
    return send(fd, "x", 1, MSG_NOSIGNAL) == 1 ? 0 : -1;
}

static int try_tcp(void)
{
    return connect_inet(SOCK_STREAM, AF_INET);
}

static int try_udp(void)
{
    connect_inet(SOCK_DGRAM, AF_INET); /* whether it arrives is seen elsewhere */
    return -1;
}

static int try_tcp6(void)
{
    struct sockaddr_in6 addr = { .sin6_family = AF_INET6, .sin6_port = htons((uint16_t)atoi(arg)) };
    int fd = socket(AF_INET6, SOCK_STREAM, 0);

    /* ::ffff:127.0.0.1, which is the same service */
    addr.sin6_addr.s6_addr[10] = addr.sin6_addr.s6_addr[11] = 0xff;
    addr.sin6_addr.s6_addr[12] = 127;
    addr.sin6_addr.s6_addr[15] = 1;
    return fd >= 0 ? connect(fd, (struct sockaddr *)&addr, sizeof(addr)) : -1;
}

static int connect_unix(int abstract)
{
    struct sockaddr_un addr = { .sun_family = AF_UNIX };
    size_t n = strlen(arg);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    if (fd < 0 || n + 1 >= sizeof(addr.sun_path))
        return -1;
    memcpy(addr.sun_path + abstract, arg, n);
    return connect(fd, (struct sockaddr *)&addr,
                   (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n + 1));
}

static int try_unix(void)
{
    return connect_unix(0);
}

static int try_abstract(void)
{
    return connect_unix(1);
}

static int try_family(void)
{
    return socket(atoi(arg), SOCK_RAW, 0) >= 0 || socket(atoi(arg), SOCK_STREAM, 0) >= 0 ? 0 : -1;
}

static int try_kill(void)
{
    return kill(atoi(arg), SIGKILL);
}

/* What it has already, so that it can go on; nobody may be lowered for a trial. */
static int try_limit(void)
{
    struct rlimit now;

    return prlimit(atoi(arg), RLIMIT_CPU, NULL, &now) < 0
               ? -1
               : prlimit(atoi(arg), RLIMIT_CPU, &now, NULL);
}

static int try_priority(void)
{
    return setpriority(PRIO_PROCESS, (id_t)atoi(arg), 19); /* whatever it runs at */
}

static int try_priorities(void)
{
    return setpriority(PRIO_USER, 0, 0);
}

static int try_io_priority(void)
{
    enum { WHO_PROCESS = 1, BEST_EFFORT = 2 << 13 };

    return (int)syscall(SYS_ioprio_set, WHO_PROCESS, atoi(arg), BEST_EFFORT | 7);
}

static int try_scheduler(void)
{
    const struct sched_param none = { 0 };

    return sched_setscheduler(atoi(arg), SCHED_BATCH, &none);
}

static int try_processors(void)
{
    cpu_set_t set;

    return sched_getaffinity(atoi(arg), sizeof(set), &set) < 0
               ? -1
               : sched_setaffinity(atoi(arg), sizeof(set), &set);
}

static int try_ptrace(void)
{
    return (int)ptrace(PTRACE_SEIZE, atoi(arg), NULL, NULL);
}

static int try_memory(void)
{
    char path[64];
    int fd;

    snprintf(path, sizeof(path), "/proc/%s/mem", arg);
    fd = open(path, O_RDWR | O_CLOEXEC);
    return fd >= 0 ? 0 : -1;
}

static int try_vm_read(void)
{
    char byte;
    struct iovec ours = { &byte, 1 }, theirs = { (void *)0x1000, 1 };

    /* a bad address is an answer too: it was let through */
    return process_vm_readv(atoi(arg), &ours, 1, &theirs, 1, 0) >= 0 || errno == EFAULT ? 0 : -1;
}

static int try_environ(void)
{
    char path[64];

    snprintf(path, sizeof(path), "/proc/%s/environ", arg);
    return open(path, O_RDONLY | O_CLOEXEC) >= 0 ? 0 : -1;
}

static int try_root_link(void)
{
    char path[256];

    snprintf(path, sizeof(path), "/proc/%s/root%s/victim.txt", getenv("VICTIM"), arg);
    return truncate(path, 0);
}

static int try_mount(void)
{
    return mount("tmpfs", arg, "tmpfs", 0, NULL);
}

static int try_bind(void)
{
    return mount(getenv("OUT"), arg, NULL, MS_BIND, NULL);
}

static int try_remount(void)
{
    return mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND, NULL);
}

static int try_umount(void)
{
    return umount2(arg, MNT_DETACH);
}

static int try_unshare(void)
{
    return unshare(CLONE_NEWUSER | CLONE_NEWNS);
}

static int try_clone(void)
{
    long pid = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);

    if (pid == 0)
        _exit(0);
    return pid > 0 ? 0 : -1;
}

static int try_setns(void)
{
    char path[64];
    int fd;

    snprintf(path, sizeof(path), "/proc/%s/ns/mnt", arg);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    return fd >= 0 ? setns(fd, 0) : -1;
}

static int try_pivot(void)
{
    return chroot(arg);
}

static int try_uring(void)
{
    struct io_uring_params params = { 0 };

    return syscall(SYS_io_uring_setup, 4, &params) >= 0 ? 0 : -1;
}

static int try_bpf(void)
{
    union bpf_attr attr = {
        .map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1
    };

    return syscall(SYS_bpf, BPF_MAP_CREATE, &attr, sizeof(attr)) >= 0 ? 0 : -1;
}

static int try_perf(void)
{
    struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
                                    .size = sizeof(attr),
                                    .config = PERF_COUNT_SW_CPU_CLOCK };

    return syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0) >= 0 ? 0 : -1;
}

static int try_faults(void)
{
    return syscall(SYS_userfaultfd, 0) >= 0 ? 0 : -1;
}

static int try_keys(void)
{
    return syscall(SYS_keyctl, 0, -3, 1, 0, 0) >= 0 ? 0 : -1;
}

static int try_typing(void)
{
    char c = 'x';
    int fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), other;

    if (fd < 0 || grantpt(fd) < 0 || unlockpt(fd) < 0)
        return -1;
    other = open(ptsname(fd), O_RDWR | O_CLOEXEC);
    return other >= 0 && ioctl(other, TIOCSTI, &c) == 0 ? 0 : -1;
}

static int try_device(void)
{
    return mknod(arg, S_IFBLK | 0600, (dev_t)0xfe00);
}

static int try_hostname(void)
{
    char name[64];

    return gethostname(name, sizeof(name)) == 0 ? sethostname(name, strlen(name)) : -1;
}

static const struct {
    const char *name;
    int (*attempt)(void);
} verbs[] = {
    { "truncate", try_truncate },
    { "chmod", try_chmod },
    { "chown", try_chown },
    { "utimes", try_utimes },
    { "xattr", try_xattr },
    { "creat", try_creat },
    { "read", try_read },
    { "climb", try_climb },
    { "inherited", try_inherited },
    { "handle", try_handle },
    { "tcp", try_tcp },
    { "tcp6", try_tcp6 },
    { "udp", try_udp },
    { "unix", try_unix },
    { "abstract", try_abstract },
    { "family", try_family },
    { "kill", try_kill },
    { "limit", try_limit },
    { "priority", try_priority },
    { "priorities", try_priorities },
    { "io-priority", try_io_priority },
    { "scheduler", try_scheduler },
    { "processors", try_processors },
    { "ptrace", try_ptrace },
    { "memory", try_memory },
    { "vm-read", try_vm_read },
    { "environ", try_environ },
    { "root-link", try_root_link },
    { "mount", try_mount },
    { "bind", try_bind },
    { "remount", try_remount },
    { "umount", try_umount },
    { "unshare", try_unshare },
    { "clone", try_clone },
    { "setns", try_setns },
    { "chroot", try_pivot },
    { "uring", try_uring },
    { "bpf", try_bpf },
    { "perf", try_perf },
    { "faults", try_faults },
    { "keys", try_keys },
    { "typing", try_typing },
    { "device", try_device },
    { "hostname", try_hostname },
};

int main(int argc, char **argv)
{
    arg = argc > 2 ? argv[2] : "";
    for (size_t i = 0; argc > 1 && i < sizeof(verbs) / sizeof(verbs[0]); i++) {
        if (strcmp(verbs[i].name, argv[1]) != 0)
            continue;
        if (verbs[i].attempt() == 0) {
            puts("ESCAPED");
            return 0;
        }
        printf("held: %s\n", strerror(errno));
        return 1;
    }
    puts("there is no such attempt");
    return 2;
}
