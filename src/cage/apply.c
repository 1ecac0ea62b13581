/*
 * apply.c: what runs between fork and exec. Nothing here allocates, locks or uses stdio, and
 * every step that was promised and fails stops the start.
 */
#include "cage/apply.h"

#include <errno.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cage/landlock.h"
#include "cage/prepare.h"

#define BIT(cap) (UINT64_C(1) << (cap))

/* Root in a container works on files of others; all else that makes root is dropped. */
#define ROOT_KEEPS                                                                \
    (BIT(CAP_CHOWN) | BIT(CAP_DAC_OVERRIDE) | BIT(CAP_FOWNER) | BIT(CAP_FSETID) | \
     BIT(CAP_SETUID) | BIT(CAP_SETGID))

static bool lower_limit(int resource, rlim_t value)
{
    struct rlimit limit;

    if (getrlimit(resource, &limit) < 0)
        return false;
    if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < value)
        value = limit.rlim_max;
    limit.rlim_cur = limit.rlim_max = value;
    return setrlimit(resource, &limit) == 0;
}

static bool set_limits(const struct sf_cage_limits *limits)
{
    return lower_limit(RLIMIT_CORE, 0) && lower_limit(RLIMIT_NPROC, limits->processes) &&
           lower_limit(RLIMIT_FSIZE, limits->file_bytes);
}

/* /dev/shm is a file system of this command's own, if there is one: no rule could name it before. */
static bool enter_landlock(const struct sf_cage *cage)
{
    static const struct sf_grant memory = { "/dev/shm", SF_LL_READ | SF_LL_CHANGE, 0 };

    return (!cage->spaces.mounts || sf_ruleset_add(cage->ruleset, &memory, cage->handled.fs)) &&
           sf_ll_restrict(cage->ruleset) == 0;
}

static bool drop_powers(void)
{
    struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
    struct __user_cap_data_struct data[2];
    uint64_t keep = geteuid() == 0 ? ROOT_KEEPS : 0;

    for (unsigned cap = 0; cap < 64 && prctl(PR_CAPBSET_READ, cap, 0, 0, 0) >= 0; cap++)
        if (!(keep & BIT(cap)) && prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) < 0 && errno != EPERM)
            return false;
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0 && errno != EINVAL)
        return false;
    if (syscall(SYS_capget, &header, data) < 0)
        return false;
    for (unsigned i = 0; i < 2; i++) {
        uint32_t part = (uint32_t)(keep >> (32 * i));

        data[i].effective &= part;
        data[i].permitted &= part;
        data[i].inheritable = 0;
    }
    return syscall(SYS_capset, &header, data) == 0;
}

static bool enter_spaces(const struct sf_cage *cage)
{
    if (!cage->spaces.mounts && !cage->spaces.nets)
        return true;
    return sf_namespaces_enter(&cage->spaces) &&
           (!cage->spaces.nets || sf_namespaces_loopback_up()) &&
           (!cage->spaces.mounts ||
            sf_namespaces_mount(cage->mounts, cage->mount_count, cage->fence));
}

bool sf_cage_enter(void *ctx)
{
    const struct sf_cage *cage = ctx;

    if (!cage->limited)
        return true;
    return set_limits(&cage->limits) && enter_spaces(cage) &&
           prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           (!cage->landlock || enter_landlock(cage)) && drop_powers() &&
           (!cage->filters || sf_seccomp_load(&cage->filter));
}
