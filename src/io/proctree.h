/*
 * proctree: the descendants of this process, as /proc shows them at one moment; internal to the
 * room. For the supervisor, which is forked and never executed: nothing here allocates or locks.
 */
#ifndef SF_IO_PROCTREE_H
#define SF_IO_PROCTREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/base.h"

enum { SF_PROCTREE_MAX = 32768 };

struct sf_relative {
    pid_t pid, parent;
    char state; /* as in /proc/PID/stat; Z is a zombie */
    bool ours;  /* a descendant */
    uint32_t threads;
    uint64_t resident; /* bytes in memory, shared ones too */
};

/* Ascending by pid, as /proc lists them. Only the supervisor's copy is ever touched. */
extern struct sf_relative sf_proctree[SF_PROCTREE_MAX];

/*
 * Opens the files of /proc for the life of the process, before there is a command that could use
 * up or forbid descriptors. False: this system shows no processes.
 */
bool sf_proctree_open(void);
void sf_proctree_fds(int fds[2]); /* what it holds open; -1: nothing */

/*
 * Fills the table with all processes and marks ours. False: they cannot be read now; then the table
 * has only our direct children, with nothing but their pids, or is empty if even they cannot be
 * listed. Since orphans become our children, that is enough to end all descendants one generation
 * after the other. False never means that there are none.
 */
bool sf_proctree_look(size_t *count);

struct sf_proctree_use {
    uint64_t processes; /* threads count, as they do for the kernel */
    uint64_t memory;    /* bytes */
};

/*
 * Measures what the descendants use. Resident memory is quick to read, but counts shared pages once
 * per process; only when the sum is above `enough`, proportional set sizes with swap are read
 * instead. False: the processes could not be read.
 */
bool sf_proctree_measure(struct sf_proctree_use *use, uint64_t enough) SF_MUST_CHECK;

#endif
