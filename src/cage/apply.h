/*
 * apply: a cage made ready, and entering it. Everything that needs memory or looks at the disk
 * happens in sf_cage_new; sf_cage_enter makes system calls alone and can stand between fork and
 * exec. It brings into force all that sf_cage_coverage promises, or fails.
 *
 * In order: limits, namespaces and mounts, no new privileges, Landlock, powers of root dropped
 * (but those over files), the filter of system calls.
 *
 *     writing    Landlock; where mount namespaces work the rest of the tree is read-only as well,
 *                which also holds modes, owners and times
 *     reading    Landlock, see survey.h. Secrets inside the workspace, see secrets.h, are covered
 *                by mounts, unless the verdict was about them; without a mount namespace they stay
 *                readable, and the verdict on a command that names them is all that guards them
 *     network    a network namespace with a loopback of its own, or else no such sockets at all
 *     sockets    with a mount namespace, /tmp is the session's and every local socket found is
 *                covered, so that docker, tmux, agents and buses are not there; one that appears
 *                elsewhere later is. Without it, local sockets cannot be made, only pairs
 *                A socket that the plan names as readable stays reachable
 *     git        .git must be writable for the index's lock, so hooks and settings are held by
 *                read-only mounts; without a mount namespace they are open. What is not there yet
 *                no mount can hold: see git_repair.h
 *     /dev/shm   empty and private with a mount namespace, else not writable
 */
#ifndef SF_CAGE_APPLY_H
#define SF_CAGE_APPLY_H

#include <stdbool.h>

#include "base/base.h"
#include "cage/coverage.h"
#include "cage/kernel.h"
#include "cage/plan.h"

struct sf_cage;

/* What cages that are made one after the other spare each other. Not to be shared by threads. */
struct sf_cage_memory;

struct sf_cage_memory *sf_cage_memory_new(void);
void sf_cage_memory_free(struct sf_cage_memory *memory); /* NULL is welcome */

/*
 * NULL with `err` when the plan requires what the kernel does not have. The plan is not needed
 * any more afterwards; the cage can be entered by any number of children. `memory` NULL: everything
 * is looked up again.
 */
struct sf_cage *sf_cage_new(const struct sf_cage_plan *plan, const struct sf_kernel *kernel,
                            struct sf_cage_memory *memory, struct sf_error *err) SF_MUST_CHECK;
void sf_cage_free(struct sf_cage *cage); /* NULL is welcome */

bool sf_cage_enter(void *cage); /* an sf_child_setup_fn */

#endif
