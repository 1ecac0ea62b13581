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
 * Opens what looking needs, for good, while nobody is there yet who could use it up or forbid it.
 * False: this system shows no processes.
 */
bool sf_proctree_open(void);
void sf_proctree_fds(int fds[2]); /* what it holds open; -1: nothing */

/*
 * Fills the table with all processes and marks ours. False: they cannot be read now; then `count`
 * is our children alone, of which no more than the pid is known, or nobody where not even they
 * can be told. As all descendants become children when those between have ended, that is enough to
 * end them one generation after the other, and never means that there are none.
 */
bool sf_proctree_look(size_t *count);

struct sf_proctree_use {
    uint64_t processes; /* threads count, as they do for the kernel */
    uint64_t memory;    /* bytes */
};

/*
 * What the descendants use by now. Pages that several share count in each, which is quick to
 * read and too much; only when that is more than `enough` they are counted in fair parts, with
 * what was swapped out. False: nothing is known of them.
 */
bool sf_proctree_measure(struct sf_proctree_use *use, uint64_t enough) SF_MUST_CHECK;

#endif
