/*
 * large: a range of lines of a file that is too large to be held. The file is read once from
 * front to back; only the lines asked for are kept.
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

    int64_t total;  /* lines; -1: not counted to the end */
    uint64_t bytes; /* read */
    bool complete;  /* all of it was read, and `digest` is its sum */
    bool cut;       /* not all lines asked for did fit */
    unsigned char digest[SF_SHA256_SIZE];
};

/* Fills `out` and what stands behind the gap; SF_E_CANCELLED when `cancelled` becomes true. */
bool sf_large_read(struct sf_large *large, int fd, const char *shown, struct sf_numbered *out,
                   const atomic_bool *cancelled, struct sf_error *err) SF_MUST_CHECK;

#endif
