/*
 * types: kinds of files by name: "py", "rust", "make". A type is a row of globs; names and globs
 * are those people know from ripgrep.
 */
#ifndef SF_FIND_TYPES_H
#define SF_FIND_TYPES_H

#include "base/base.h"

struct sf_file_type {
    const char *name;     /* and its other names, separated by blanks */
    const char *patterns; /* globs without a slash, separated by blanks */
};

extern const struct sf_file_type sf_file_types[];
extern const size_t sf_file_type_count;

/* NULL with `err`, which offers the nearest name, when there is no such type. */
const struct sf_file_type *sf_file_type_find(const char *name, struct sf_error *err);

#endif
