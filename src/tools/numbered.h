/*
 * numbered: lines of a file as a model sees them, "12: text", within the limits of one result. Long
 * lines are cut, with a note that says how long they are.
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
    struct sf_strbuf text; /* sanitised */
    size_t bytes_max;
    int64_t count;  /* number of lines added */
    size_t folded;  /* number of lines that were cut */
    size_t damaged; /* number of parts that are not UTF-8 */
};

void sf_numbered_init(struct sf_numbered *n, size_t bytes_max);
void sf_numbered_release(struct sf_numbered *n);

/*
 * Adds one line, without its ending. Of a line of `full` bytes the first `len` are given: all of
 * them, or more than SF_NUMBERED_CHARS characters. False: the line does not fit, and nothing
 * changed; the first line always fits.
 */
bool sf_numbered_add(struct sf_numbered *n, int64_t number, const char *line, size_t len,
                     size_t full);

#endif
