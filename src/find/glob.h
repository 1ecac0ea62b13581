/*
 * glob: a pattern for paths, compiled once. Without a slash it is compared with the last
 * component at any depth ("*.c" finds src/a.c); with one, with the whole path below the start
 * ("src/a?c" does not find src/x/abc). A slash in front only says the latter. See wild.h for what
 * a pattern may hold; matching never takes longer than pattern times path.
 */
#ifndef SF_FIND_GLOB_H
#define SF_FIND_GLOB_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

struct sf_glob;

struct sf_glob *sf_glob_new(const char *pattern, struct sf_error *err); /* NULL: no pattern */
void sf_glob_free(struct sf_glob *glob);                                /* NULL is welcome */

bool sf_glob_match(const struct sf_glob *glob, const char *path, size_t len);

/* False only when nothing in that directory, at any depth, can match. */
bool sf_glob_reaches(const struct sf_glob *glob, const char *dir, size_t len);

#endif
