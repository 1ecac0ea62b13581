/*
 * diff_parts: reading a unified diff line by line, the words that changed between two lines, and
 * lines with the colours of their language. Internal to the room; diff_lay.c is the one user.
 */
#ifndef SF_VIEW_DIFF_PARTS_H
#define SF_VIEW_DIFF_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "view/code_lex.h"

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
    uint64_t before; /* of a line that stayed: its number in the old one */
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

/* ---- lines ---- */

/* What is marked in a line. */
struct sf_diff_marks {
    const struct sf_diff_span *spans;
    size_t count;
};

struct sf_diff_piece {
    size_t end; /* bytes of the line up to its end */
    struct sf_look look;
};

/* Both files have a state, since what was removed may open a comment that the new one has not. */
struct sf_diff_painter {
    struct sf_lexer lexer;
    struct sf_lex_state states[2]; /* of the old file and of the new one */
    struct sf_diff_piece *pieces;  /* of the line at hand */
    size_t count, cap;
};

void sf_diff_painter_begin(struct sf_diff_painter *painter, const struct sf_language *language);
void sf_diff_painter_release(struct sf_diff_painter *painter);

/*
 * Adds the first `len` bytes of a line to the open paragraph; `exact` marks what would not be seen
 * in changed ones. `now`: it is a line of the new file, else of the old one.
 */
void sf_diff_paint(struct sf_diff_painter *painter, struct sf_page *page,
                   const struct sf_diff_row *row, size_t len, struct sf_diff_marks marks,
                   bool exact, bool now);

/* A line that stayed was painted as one of the new file: the old one has it as well. */
void sf_diff_painter_pass(struct sf_diff_painter *painter, const char *text, size_t len,
                          const struct sf_lex_state *before);

#endif
