/*
 * snapshot: a directory tree as lines, one for each name: "PATH kind mode content". Two
 * snapshots that are equal mean that nothing happened.
 */
#ifndef SF_TESTS_SUPPORT_SNAPSHOT_H
#define SF_TESTS_SUPPORT_SNAPSHOT_H

#include "base/base.h"

/* Appends the lines. */
void snapshot_take(const char *dir, struct sf_strlist *out);

/* The first line of `before` that is not in `after`, or NULL; borrowed. */
const char *snapshot_lost(const struct sf_strlist *before, const struct sf_strlist *after);

#endif
