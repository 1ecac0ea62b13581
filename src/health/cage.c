/*
 * cage.c: how commands are confined on this machine: the level, each layer and whether this kernel
 * has it, every gap and what would close it.
 */
#include "cage/cage.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "health/internal.h"
#include "io/io.h"
#include "judge/judge.h"
#include "tools/tools.h"

static void check_layers(struct sf_health *h, const struct sf_kernel *kernel)
{
    if (kernel->landlock)
        sf_health_say(h, SF_HEALTH_OK, "", "Landlock: version %d of its interface",
                      kernel->landlock);
    else
        sf_health_say(h, SF_HEALTH_WARNING,
                      "boot a kernel from 5.13 on with landlock in its lsm= list",
                      "Landlock: this kernel does not offer it");
    if (kernel->mounts && kernel->nets)
        sf_health_say(h, SF_HEALTH_OK, "", "mount and network namespaces: %s",
                      kernel->privileged ? "as root" : "in a user namespace");
    else
        sf_health_say(h, SF_HEALTH_WARNING,
                      "allow user namespaces: sysctl kernel.unprivileged_userns_clone, "
                      "user.max_user_namespaces, kernel.apparmor_restrict_unprivileged_userns",
                      "mount namespaces: %s, network namespaces: %s",
                      kernel->mounts ? "yes" : "not allowed", kernel->nets ? "yes" : "not allowed");
    if (kernel->seccomp)
        sf_health_say(h, SF_HEALTH_OK, "", "seccomp: yes");
    else
        sf_health_say(h, SF_HEALTH_WARNING, "boot a kernel with CONFIG_SECCOMP_FILTER",
                      "seccomp: this kernel does not filter system calls");
}

/* Lists the levels in order: which one is in force, and the fallbacks below it. */
static void check_level(struct sf_health *h, const struct sf_cage_coverage *held)
{
    for (int level = SF_CAGE_LEVEL_FULL; level >= SF_CAGE_LEVEL_NONE; level--)
        sf_health_say(h, SF_HEALTH_OK, "", "%s %s: %s",
                      level == (int)held->level  ? "in force:"
                      : level > (int)held->level ? "not to be had:"
                                                 : "fallback:",
                      sf_cage_levels[level].name, sf_cage_levels[level].what);
}

static void check_fences(struct sf_health *h, const struct sf_cage_coverage *held)
{
    for (size_t i = 0; i < SF_FENCE_COUNT; i++)
        if (!held->stands[i])
            sf_health_say(h, SF_HEALTH_WARNING, "", "open: %s (%s)",
                          sf_cage_fence_name((enum sf_cage_fence)i),
                          sf_cage_fence_help((enum sf_cage_fence)i));
}

/* What does not work under a fallback, besides the gaps it leaves. */
static void check_work(struct sf_health *h, const struct sf_kernel *kernel)
{
    if (kernel->landlock && !kernel->mounts)
        sf_health_say(h, SF_HEALTH_WARNING, "",
                      "without mount namespaces commands cannot write in /tmp and /dev/shm, which "
                      "Python's multiprocessing needs, nor make local sockets; $TMPDIR is theirs");
    if (kernel->landlock && !kernel->nets)
        sf_health_say(h, SF_HEALTH_WARNING, "",
                      "without network namespaces commands cannot serve on localhost, as tests do, "
                      "unless the verdict was about the network");
}

static void check_limits(struct sf_health *h, const struct sf_confine *confine)
{
    struct sf_child_watch watch = sf_confine_watch(confine);
    struct sf_strbuf memory = SF_STRBUF_INIT;

    sf_kind_size(&memory, watch.memory);
    sf_health_say(
        h, SF_HEALTH_OK, "",
        "limits of one command: %s of memory and %llu processes, both looked after by its "
        "supervisor%s",
        memory.buf, (unsigned long long)watch.processes,
        geteuid() ? ", the latter by the kernel too" : "; the kernel's do not hold root");
    sf_strbuf_release(&memory);
}

/* Builds what commands are confined by, as for a session, and passes it on. */
typedef void confined_fn(struct sf_health *h, const struct sf_confine *confine);

static void with_confine(struct sf_health *h, confined_fn *fn)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_config *config = h->at->config;
    const struct sf_workspace *workspace = h->at->workspace;
    struct sf_confine *confine = NULL;
    struct sf_policy_context policy;
    bool has_policy = false;

    if (!config || !workspace) {
        sf_health_error(h, SF_HEALTH_PROBLEM, config ? &h->at->no_workspace : &h->at->no_config);
        return;
    }
    has_policy = sf_policy_context_init(&policy, config, workspace, &err);
    if (has_policy)
        confine = sf_confine_new(&policy, config, workspace, &err);
    if (confine)
        fn(h, confine);
    else
        sf_health_error(h, SF_HEALTH_PROBLEM, &err);
    sf_confine_free(confine);
    if (has_policy)
        sf_policy_context_release(&policy);
}

static bool is_off(const struct sf_health *h)
{
    return !strcmp(sf_config_text(h->at->config, "guard.cage"), "off");
}

static void check_strength(struct sf_health *h, const struct sf_confine *confine)
{
    struct sf_cage_coverage held = sf_confine_coverage(confine, NULL, false);

    if (is_off(h)) {
        sf_health_say(h, SF_HEALTH_WARNING, "sf config unset guard.cage",
                      "guard.cage is off: nothing confines commands");
        return;
    }
    check_level(h, &held);
    check_layers(h, sf_kernel());
    check_limits(h, confine);
    sf_health_say(h, SF_HEALTH_OK, "",
                  "never stopped: changing the workspace's own files, reading what nothing hides, "
                  "and with an allowed network, sending it");
}

void sf_health_look_cage(struct sf_health *h)
{
    with_confine(h, check_strength);
}

static void check_gaps(struct sf_health *h, const struct sf_confine *confine)
{
    struct sf_cage_coverage held = sf_confine_coverage(confine, NULL, false);
    size_t before = h->out->count;

    if (!is_off(h)) {
        check_fences(h, &held);
        check_work(h, sf_kernel());
    }
    if (h->out->count == before)
        sf_health_say(h, SF_HEALTH_OK, "", "%s",
                      is_off(h) ? "nothing is to be enforced" : "every fence stands");
}

void sf_health_look_gaps(struct sf_health *h)
{
    with_confine(h, check_gaps);
}
