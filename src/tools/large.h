/*
 * large: a range of lines of a file that is too large for memory. The file is read once from front
 * to back; only the lines asked for are kept.
 */
#ifndef SF_TOOLS_LARGE_H
#define SF_TOOLS_LARGE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"
#include "tools/numbered.h"

#define SF_LARGE_DIGEST ((int64_t)256 * 1024 * 1024) /* larger ones are not read to their end */

struct sf_large {
    int64_t offset, limit; /* the lines asked for, from 1 */

    int64_t total;  /* number of lines; -1: not read to the end */
    uint64_t bytes; /* number of bytes read */
    bool complete;  /* the whole file was read, and `digest` is valid */
    bool cut;       /* not all lines asked for did fit */
    unsigned char digest[SF_SHA256_SIZE];
};

/* Fills `out` and the fields after the empty line; SF_E_CANCELLED if `cancelled` becomes true. */
bool sf_large_read(struct sf_large *large, int fd, const char *shown, struct sf_numbered *out,
                   const atomic_bool *cancelled, struct sf_error *err) SF_MUST_CHECK;

#endif
