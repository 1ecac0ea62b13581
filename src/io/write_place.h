/*
 * write_place: what a call of the command is about, found out while the command stands still;
 * internal to the room. Runs in the supervisor, and like it neither allocates nor locks.
 */
#ifndef SF_IO_WRITE_PLACE_H
#define SF_IO_WRITE_PLACE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

/* What is there before the call. */
struct sf_write_place {
    char path[PATH_MAX]; /* real; "": nothing to note */
    bool exists;
    struct stat stat; /* when it exists */
    int fd;           /* of what exists, opened as a path only; -1: none */
};

/* Where a call names its path: relative to `dir`, at an address in the memory of `pid`. */
struct sf_write_name {
    pid_t pid;
    int dir; /* a descriptor of the command, or AT_FDCWD */
    uint64_t address;
    bool follow; /* the call follows a link at the end of the path */
};

/* The first to tell stands still, so its view of the file system can be had. */
bool sf_write_place_begin(pid_t pid);

/* False: what the call is about cannot be known. `place` must be closed either way. */
bool sf_write_place_look(struct sf_write_place *place, const struct sf_write_name *name);

/* The place of an open descriptor of the command, or "". */
void sf_write_place_of_fd(struct sf_write_place *place, pid_t pid, int fd);

void sf_write_place_close(struct sf_write_place *place);

/* Opens the regular file that is there, to read; -1: that is not possible. */
int sf_write_place_open(const struct sf_write_place *place);

#endif
