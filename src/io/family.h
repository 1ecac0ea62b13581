/*
 * family: the descendants of this process, as /proc shows them at one moment; internal to the
 * room. For the supervisor, which is forked and never executed: nothing here allocates or locks.
 */
#ifndef SF_IO_FAMILY_H
#define SF_IO_FAMILY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { SF_FAMILY_MAX = 32768 };

struct sf_relative {
    pid_t pid, parent;
    char state; /* as in /proc/PID/stat; Z is a zombie */
    bool ours;  /* a descendant */
    uint32_t threads;
    uint64_t resident; /* bytes in memory, shared ones too */
};

/* Ascending by pid, as /proc lists them. Only the supervisor's copy is ever touched. */
extern struct sf_relative sf_family[SF_FAMILY_MAX];

/* Fills the table with all processes and marks ours; how many there are, 0 without /proc. */
size_t sf_family_look(void);

struct sf_family_use {
    uint64_t processes; /* threads count, as they do for the kernel */
    uint64_t memory;    /* bytes */
};

/*
 * What the descendants use by now. Pages that several share count in each, which is quick to
 * read and too much; only when that is more than `enough` they are counted in fair parts, with
 * what was swapped out.
 */
void sf_family_measure(struct sf_family_use *use, uint64_t enough);

#endif
