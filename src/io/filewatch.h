/*
 * filewatch: being woken when files change, instead of looking again and again. It says that
 * something happened, not what: whoever is told looks for themselves. At rest it costs nothing.
 *
 * Life: sf_filewatch_new, sf_filewatch_add for each path, sf_filewatch_free. The kernel has few to give; NULL
 * and false mean that nobody will be told, and looking now and then is what is left.
 */
#ifndef SF_IO_FILEWATCH_H
#define SF_IO_FILEWATCH_H

#include <stdbool.h>

#include "base/base.h"
#include "io/loop.h"

struct sf_filewatch;

enum { SF_FILEWATCH_PATHS = 4 };

typedef void sf_filewatch_fn(void *ctx, unsigned which); /* a bit for each path, in their order */

struct sf_filewatch *sf_filewatch_new(struct sf_loop *loop, sf_filewatch_fn *fn, void *ctx);
void sf_filewatch_free(struct sf_filewatch *notice); /* NULL is welcome */

/* A file, or the files of a directory: written to, or closed by one who could write. */
bool sf_filewatch_add(struct sf_filewatch *notice, const char *path) SF_MUST_CHECK;

#endif
