/*
 * plain: what a program wrote for a terminal, as text. A line is held until it ends, so that
 * what overwrites itself leaves its last state: a progress bar becomes one line, a backspace
 * takes a character back, colours and titles go. Nothing is held longer than a line, and any
 * chunking of the bytes gives the same text.
 *
 * The text is valid UTF-8 and holds no control but newlines and tabs. Other controls are shown
 * as pictures (NUL is U+2400), damage and hidden characters as U+FFFD. The end of a line ends
 * every escape sequence, so an unfinished one hides no more than that line.
 *
 * Cursor movement between lines is not followed; columns are counted in characters.
 * Life: SF_PLAIN_INIT, sf_plain_add, …, sf_plain_end, sf_plain_release.
 */
#ifndef SF_BASE_PLAIN_H
#define SF_BASE_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

enum {
    SF_PLAIN_LINE = 4096, /* characters of a line that can still be overwritten */
    SF_PLAIN_SKIP = 4096, /* characters one escape sequence may hide */
};

struct sf_plain {
    uint32_t *cells; /* the line so far */
    size_t count, cap, cursor;
    bool begun;    /* a part of the line was too long to hold and has gone out */
    bool returned; /* the cursor went back to the start and nothing was written since */

    int state;       /* of the escape sequence, in plain.c */
    unsigned number; /* its first parameter */
    bool first;      /* that parameter is still being read */
    bool odd;        /* it is of a kind that is skipped whatever its letter */
    size_t skipped;  /* its characters so far */
    char part[4];    /* the beginning of a character */
    size_t part_len;
};

/* clang-format off */
#define SF_PLAIN_INIT { .cells = NULL }
/* clang-format on */

/* Appends the lines that are finished; at most three bytes for each one that came. */
void sf_plain_add(struct sf_plain *plain, const char *data, size_t len, struct sf_strbuf *out);

/* Appends the unfinished line as it stands. */
void sf_plain_line(const struct sf_plain *plain, struct sf_strbuf *out);

/* No more comes: appends the rest, and is ready for another text. */
void sf_plain_end(struct sf_plain *plain, struct sf_strbuf *out);

void sf_plain_release(struct sf_plain *plain);

#endif
