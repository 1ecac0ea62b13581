/*
 * filewatch: wakes the caller when files change, instead of polling. It reports that something
 * happened, not what: the callback has to look for itself. An idle watch costs nothing.
 *
 * Life: sf_filewatch_new, sf_filewatch_add for each path, sf_filewatch_free. The kernel limits the
 * number of watches: NULL and false mean that changes will not be reported, and the caller has to
 * poll.
 */
#ifndef SF_IO_FILEWATCH_H
#define SF_IO_FILEWATCH_H

#include <stdbool.h>

#include "base/base.h"
#include "io/loop.h"

struct sf_filewatch;

enum { SF_FILEWATCH_PATHS = 4 };

typedef void sf_filewatch_fn(void *ctx, unsigned which); /* one bit per path, in order of adding */

struct sf_filewatch *sf_filewatch_new(struct sf_loop *loop, sf_filewatch_fn *fn, void *ctx);
void sf_filewatch_free(struct sf_filewatch *notice); /* NULL is welcome */

/*
 * Watches a file, or the files of a directory, for writes and for closes after opening to write; a
 * directory also for files that are put in the place of others.
 */
bool sf_filewatch_add(struct sf_filewatch *notice, const char *path) SF_MUST_CHECK;

#endif
