/*
 * prepare: the inside of a cage, between ready.c, which fills it before the fork, and apply.c,
 * which uses it after; internal to the room.
 */
#ifndef SF_CAGE_PREPARE_H
#define SF_CAGE_PREPARE_H

#include <stdint.h>

#include "cage/apply.h"
#include "cage/disk.h"
#include "cage/namespaces.h"
#include "cage/seccomp.h"

struct sf_grant {
    const char *path;
    uint64_t rights;
};

struct sf_cage {
    struct sf_cage_limits limits;
    struct sf_arena arena; /* holds the paths */

    bool limited; /* false: the cage is off */
    struct sf_namespaces spaces;
    struct sf_mount *mounts;
    size_t mount_count, mount_cap;
    bool fence;      /* all other mounts become read-only */
    bool private[2]; /* /tmp and /var/tmp are the session's own */

    int landlock; /* version to be used; 0: none */
    uint64_t net, scoped;
    struct sf_grant *grants;
    size_t grant_count, grant_cap;

    bool filters;
    struct sf_seccomp filter;
};

#endif
