/*
 * diff_parts: reading a unified diff line by line, and the words that changed between two lines.
 * Internal to the room; diff_lay.c is the one user.
 */
#ifndef SF_VIEW_DIFF_PARTS_H
#define SF_VIEW_DIFF_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- reading ---- */

enum sf_diff_kind {
    SF_DIFF_FILE,    /* --- and +++ together; `text` is the first, `more` the second */
    SF_DIFF_HUNK,    /* @@ … @@; `text` is what stands behind it */
    SF_DIFF_CONTEXT, /* `text` is without the sign from here on */
    SF_DIFF_REMOVED,
    SF_DIFF_ADDED,
    SF_DIFF_NOTE,  /* \ No newline at end of file */
    SF_DIFF_OTHER, /* anything else, as it is */
};

struct sf_diff_row {
    enum sf_diff_kind kind;
    const char *text, *more;
    size_t len, more_len;
    uint64_t number; /* of the line in its file: the old one for what was removed */
};

struct sf_diff_reader {
    const char *text;
    size_t len, at;
    uint64_t old_line, new_line, old_left, new_left; /* of the hunk we are in */
};

/* The next row; false at the end. A line that fits nowhere is SF_DIFF_OTHER. */
bool sf_diff_read(struct sf_diff_reader *reader, struct sf_diff_row *row);

/* ---- words ---- */

struct sf_diff_span {
    size_t at, len; /* bytes that changed */
};

struct sf_diff_words {
    struct sf_diff_span *spans[2]; /* of the old line and of the new one, in order */
    size_t count[2], cap[2];
};

/* False when the lines have too little in common for marks to mean anything; no spans then. */
bool sf_diff_words_find(struct sf_diff_words *words, const char *old_text, size_t old_len,
                        const char *new_text, size_t new_len);
void sf_diff_words_release(struct sf_diff_words *words);

#endif
