/*
 * apply.c: what runs between fork and exec. Nothing here allocates, locks or uses stdio, and
 * every step that was promised and fails stops the start.
 */
#include "cage/apply.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/openat2.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
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

/* Real paths hold no links: where one appears by now, somebody put it there. */
static int open_path(const char *path)
{
    const struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS };

    return (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof(how));
}

static bool is_dir(int fd)
{
    struct stat st;

    return fstat(fd, &st) == 0 && S_ISDIR(st.st_mode);
}

/* What is gone or out of reach needs no grant; of a file the rights of directories are none. */
static bool add_grant(int ruleset, const struct sf_grant *grant, uint64_t known)
{
    struct sf_ll_beneath rule = { .allowed = grant->rights & known };
    bool ok;

    rule.parent = open_path(grant->path);
    if (rule.parent < 0)
        return errno == ENOENT || errno == ENOTDIR || errno == EACCES || errno == ELOOP;
    if ((rule.allowed & ~SF_LL_OF_FILES) && !is_dir(rule.parent))
        rule.allowed &= SF_LL_OF_FILES;
    ok = !rule.allowed || sf_ll_add(ruleset, &rule) == 0;
    close(rule.parent);
    return ok;
}

static bool enter_landlock(const struct sf_cage *cage)
{
    const struct sf_ll_ruleset attr = { .fs = sf_ll_fs_rights(cage->landlock),
                                        .net = cage->net,
                                        .scoped = cage->scoped };
    int ruleset = sf_ll_create(&attr, cage->landlock);
    bool ok = ruleset >= 0;

    for (size_t i = 0; ok && i < cage->grant_count; i++)
        ok = add_grant(ruleset, &cage->grants[i], attr.fs);
    ok = ok && sf_ll_restrict(ruleset) == 0;
    if (ruleset >= 0)
        close(ruleset);
    return ok;
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
