/*
 * filter: which files are wanted, by globs and a type. A file passes when it has the type, when
 * it matches one of the globs (if there are any), and when no glob with "!" in front matches it
 * or a directory above it. Filters only narrow: they bring back nothing that is ignored.
 */
#ifndef SF_FIND_FILTER_H
#define SF_FIND_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

struct sf_filter;

enum { SF_FILTER_GLOBS_MAX = 64 };

/* `globs` has a NULL at its end; it, or `type`, may itself be NULL. NULL with `err` on failure. */
struct sf_filter *sf_filter_new(const char *const *globs, const char *type, struct sf_error *err);
void sf_filter_free(struct sf_filter *filter); /* NULL is welcome */

/* Paths are below the start. A NULL filter lets everything pass. */
bool sf_filter_file(const struct sf_filter *filter, const char *path, size_t len);
bool sf_filter_dir(const struct sf_filter *filter, const char *path, size_t len);

#endif
