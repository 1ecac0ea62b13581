/*
 * write_notes: the side of a write record that runs in the forked processes; internal to the room.
 * Like the supervisor it neither allocates nor locks.
 *
 * The notes are a file in memory: one byte that is not 0 when something could not be noted, then
 * for each path a byte for its kind, the path below the root, and a NUL; behind that of an image
 * the struct. What was at a path is noted once, before the first call that could change it.
 */
#ifndef SF_IO_WRITE_NOTES_H
#define SF_IO_WRITE_NOTES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "io/write_image.h"

enum sf_write_kind {
    SF_WRITE_OWN = 'w',
    SF_WRITE_BOTH = 'b', /* the file had changed since the record began when it was first touched */
    SF_WRITE_TREE = 't', /* a directory was renamed from or to here */

    SF_WRITE_IMAGE = 'i',  /* this file, link or renamed directory was there */
    SF_WRITE_ABSENT = 'a', /* nothing was there */
};

enum { SF_WRITE_NOTES_MAX = 4 * 1024 * 1024 };

/* Made before the fork. */
struct sf_write_notes {
    int file;         /* -1: nothing is recorded */
    int images;       /* where copies go; -1: nothing is copied */
    const char *root; /* without a slash at its end */
    struct timespec began;
};

bool sf_write_notes_work(void); /* whether the kernel knows such filters */

/*
 * In the command's process, last before the exec: asks the kernel to tell of writing calls, and
 * sends the descriptor on which it does through `channel`. Needs and sets no_new_privs.
 */
bool sf_write_notes_ask(int channel);

/* In the supervisor: takes the descriptor from the channel; -1: none was sent. */
int sf_write_notes_take(int channel);

/* Notes and answers one call; false: the descriptor has nothing more to tell. */
bool sf_write_notes_answer(const struct sf_write_notes *notes, int listener);

void sf_write_notes_unsure(const struct sf_write_notes *notes);

#endif
