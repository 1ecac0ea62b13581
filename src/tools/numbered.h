/*
 * numbered: lines of a file as a model sees them, "12: text", within the bounds of one result.
 * Lines too long are folded with a note that tells how long they are.
 */
#ifndef SF_TOOLS_NUMBERED_H
#define SF_TOOLS_NUMBERED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

enum {
    SF_NUMBERED_LINES = 2000,      /* in one result */
    SF_NUMBERED_CHARS = 2000,      /* of one line */
    SF_NUMBERED_BYTES = 50 * 1024, /* in one result */
};

struct sf_numbered {
    struct sf_strbuf text; /* safe to show */
    size_t bytes_max;
    int64_t count;  /* lines added */
    size_t folded;  /* of them, too long */
    size_t damaged; /* parts that are not UTF-8 */
};

void sf_numbered_init(struct sf_numbered *n, size_t bytes_max);
void sf_numbered_release(struct sf_numbered *n);

/*
 * One line, without its ending. Of a line of `full` bytes the first `len` are given, which are
 * all, or more than SF_NUMBERED_CHARS characters. False: it does not fit, and nothing changed;
 * the first line always fits.
 */
bool sf_numbered_add(struct sf_numbered *n, int64_t number, const char *line, size_t len,
                     size_t full);

#endif
