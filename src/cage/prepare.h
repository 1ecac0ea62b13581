/*
 * prepare: the inside of a cage, between prepare.c, which fills it before the fork, and apply.c,
 * which uses it after; internal to the room.
 */
#ifndef SF_CAGE_PREPARE_H
#define SF_CAGE_PREPARE_H

#include <stdint.h>

#include "cage/apply.h"
#include "cage/disk.h"
#include "cage/namespaces.h"
#include "cage/ruleset.h"
#include "cage/seccomp.h"

struct sf_cage {
    struct sf_cage_limits limits;
    struct sf_arena arena; /* holds all of this: no part of a cage is on the heap */

    bool limited; /* false: the cage is off */
    struct sf_namespaces spaces;
    struct sf_mount *mounts;
    size_t mount_count, mount_cap;
    bool fence;      /* all other mounts become read-only */
    bool private[2]; /* /tmp and /var/tmp are the session's own */

    int landlock; /* version to be used; 0: none */
    int ruleset;  /* with all rules but those about what is made for this command; -1: none */
    struct sf_ll_ruleset handled;

    bool filters;
    struct sf_seccomp filter;
};

struct sf_cage_memory {
    struct sf_listings *listings;
    struct sf_rulesets *rulesets;
};

#endif
