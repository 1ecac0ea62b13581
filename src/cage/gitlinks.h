/*
 * gitlinks: the repositories that an index of git's has as entries: submodules, and repositories
 * that were added like one. Internal to the room.
 */
#ifndef SF_CAGE_GITLINKS_H
#define SF_CAGE_GITLINKS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

/* Appends their paths. False when the bytes are not understood, or others belong to them. */
bool sf_gitlinks_read(const unsigned char *data, size_t len, struct sf_strlist *out);

#endif
