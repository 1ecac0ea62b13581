/*
 * kernel: what this kernel offers to confine a command with. Looked at once per process, by
 * trying in a child of its own: what is compiled in may still be forbidden here.
 */
#ifndef SF_CAGE_KERNEL_H
#define SF_CAGE_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

struct sf_kernel {
    int landlock;    /* version of its interface; 0: there is none */
    bool seccomp;    /* filters of system calls */
    bool mounts;     /* a mount namespace of one's own, with the tree made read-only in it */
    bool nets;       /* a network namespace of one's own */
    bool privileged; /* both can be had without a user namespace */
};

const struct sf_kernel *sf_kernel(void);

/* Bytes of memory there are for this process and its children: the machine's, or its group's. */
uint64_t sf_kernel_memory(void);

bool sf_kernel_fences(void); /* whether writing can be fenced; asks without trying anything */

#endif
