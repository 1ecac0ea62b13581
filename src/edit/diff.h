/*
 * diff: what changed between two texts, line by line, as data and as a unified diff. The script
 * is the shortest one as long as that is cheap; beyond a fixed effort it becomes coarse, never
 * wrong. Memory grows with the number of lines, not with the changes.
 *
 * A line includes its ending, so a changed ending is a changed line. Lines end with "\n", as
 * diff counts them; only where neither text has one, "\r" ends them.
 *
 * Life: sf_diff_init, use, sf_diff_release; both texts must outlive it.
 */
#ifndef SF_EDIT_DIFF_H
#define SF_EDIT_DIFF_H

#include "base/base.h"
#include "edit/lines.h"

/* A run of lines that became another; either count may be 0, never both. Counted from 0. */
struct sf_diff_change {
    size_t old_at, old_count;
    size_t new_at, new_count;
};

struct sf_diff {
    const char *old_text, *new_text;
    struct sf_lines old_lines, new_lines;
    enum sf_line_rule rule;
    struct sf_diff_change *changes; /* in order, with at least one common line between two */
    size_t count, cap;
    size_t removed, added; /* lines */
    bool coarse;           /* the effort ran out: right, but longer than need be */
};

/* Changes that stand together, with the common lines around them. */
struct sf_diff_hunk {
    size_t old_at, old_count;
    size_t new_at, new_count;
    size_t change, changes; /* the first one and how many */
};

struct sf_diff_style {
    const char *old_name, *new_name; /* the two header lines; NULL: none */
    size_t context;                  /* common lines around a change, usually 3 */
    size_t max;                      /* bytes of output, about; 0: as many as it takes */
};

struct sf_diff_left { /* what the ceiling left out */
    size_t hunks, removed, added;
};

void sf_diff_init(struct sf_diff *diff, const char *old_text, size_t old_len, const char *new_text,
                  size_t new_len);
void sf_diff_release(struct sf_diff *diff);

/* Walks the hunks: start with a zeroed struct, false behind the last one. */
bool sf_diff_next(const struct sf_diff *diff, size_t context, struct sf_diff_hunk *hunk);

/*
 * Appends the unified diff; nothing when the texts are the same. What does not fit is left out
 * and counted, in a last line and in `left` (or NULL); true when all of it is there.
 */
bool sf_diff_add(struct sf_strbuf *out, const struct sf_diff *diff,
                 const struct sf_diff_style *style, struct sf_diff_left *left);

#endif
