/*
 * pack_names: which objects a pack has, by its index; internal to the room.
 */
#ifndef SF_CAGE_PACK_NAMES_H
#define SF_CAGE_PACK_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

/* The sorted names of an index. `text` is the reader's to release. */
struct sf_pack_names {
    struct sf_strbuf text;
    const unsigned char *list;
    size_t count, width;
};

/* The index at a path below the handle; one that cannot be read has no names. */
void sf_pack_names_read(struct sf_pack_names *n, int root, const char *path);

bool sf_pack_names_have(const struct sf_pack_names *n, const unsigned char *name);

#endif
