/*
 * kernel.c: tries what there is. The trials change the process that makes them for good, so they
 * are made by a child, which tells by its exit code what worked.
 */
#include "cage/kernel.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "cage/landlock.h"
#include "cage/namespaces.h"
#include "cage/seccomp.h"
#include "io/io.h"

enum { WORKS_MOUNTS = 1, WORKS_NETS = 2, ENDED_WELL = 4 };

static struct sf_kernel found;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static SF_NORETURN void try_namespaces(bool privileged)
{
    struct sf_namespaces spaces = { .user = !privileged, .mounts = true, .nets = true };
    int worked = ENDED_WELL;

    sf_namespaces_ids(&spaces);
    if (!sf_namespaces_enter(&spaces))
        _exit(worked);
    if (sf_namespaces_loopback_up())
        worked |= WORKS_NETS;
    if (sf_namespaces_read_only())
        worked |= WORKS_MOUNTS;
    _exit(worked);
}

/* With all signals blocked, so that no handler of the program ever runs in the child. */
static int in_child(bool privileged)
{
    sigset_t all, before;
    int status = 0;
    pid_t pid;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid = _Fork();
    if (pid == 0)
        try_namespaces(privileged);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

static void look(void)
{
    const uint32_t errno_action = SECCOMP_RET_ERRNO;
    int version = sf_ll_version(), worked;

    found.landlock = version > 0 ? version : 0;
    found.seccomp = sf_seccomp_is_known() &&
                    syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &errno_action) == 0;
    worked = in_child(true);
    found.privileged = (worked & (WORKS_MOUNTS | WORKS_NETS)) != 0;
    if (!found.privileged)
        worked = in_child(false);
    found.mounts = (worked & WORKS_MOUNTS) != 0;
    found.nets = (worked & WORKS_NETS) != 0;
}

/* UINT64_MAX: there is no such file, or it says "max". */
static uint64_t group_limit(const char *path)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error ignored = SF_ERROR_INIT;
    unsigned long long value = 0;
    char *end = NULL;

    if (sf_file_read(path, 64, &text, &ignored))
        value = strtoull(text.buf, &end, 10);
    if (end == text.buf)
        value = 0;
    sf_strbuf_release(&text);
    return value ? value : UINT64_MAX;
}

uint64_t sf_kernel_memory(void)
{
    static const char *const limits[] = { "/sys/fs/cgroup/memory.max",
                                          "/sys/fs/cgroup/memory/memory.limit_in_bytes" };
    struct sysinfo info;
    uint64_t memory = UINT64_MAX;

    if (sysinfo(&info) == 0)
        memory = (uint64_t)info.totalram * info.mem_unit;
    for (size_t i = 0; i < SF_COUNT(limits); i++) {
        uint64_t limit = group_limit(limits[i]);

        memory = limit < memory ? limit : memory;
    }
    return memory;
}

bool sf_kernel_fences(void)
{
    return sf_ll_version() > 0;
}

const struct sf_kernel *sf_kernel(void)
{
    pthread_once(&once, look);
    return &found;
}
