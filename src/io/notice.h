/*
 * notice: being woken when files change, instead of looking again and again. It says that
 * something happened, not what: whoever is told looks for themselves. At rest it costs nothing.
 *
 * Life: sf_notice_new, sf_notice_add for each path, sf_notice_free. The kernel has few to give; NULL
 * and false mean that nobody will be told, and looking now and then is what is left.
 */
#ifndef SF_IO_NOTICE_H
#define SF_IO_NOTICE_H

#include <stdbool.h>

#include "base/base.h"
#include "io/loop.h"

struct sf_notice;

enum { SF_NOTICE_PATHS = 4 };

typedef void sf_notice_fn(void *ctx, unsigned which); /* a bit for each path, in their order */

struct sf_notice *sf_notice_new(struct sf_loop *loop, sf_notice_fn *fn, void *ctx);
void sf_notice_free(struct sf_notice *notice); /* NULL is welcome */

/* A file, or the files of a directory: written to, or closed by one who could write. */
bool sf_notice_add(struct sf_notice *notice, const char *path) SF_MUST_CHECK;

#endif
