/*
 * page: text laid out to a width, as lines of styled runs. Markdown, code, diffs and plain text
 * are all laid out into pages; panes draw lines of pages and copy from them.
 *
 * A line knows whether it goes on the line above (it was broken to fit), and which of its first
 * bytes are decoration (indentation, a bar, a line number): so a copy has the text without breaks
 * and ornaments. All text in a page is safe to show.
 *
 * Life: SF_PAGE_INIT, lay out, draw, sf_page_release. To lay out: any number of
 *     sf_page_begin(page, lead, …), sf_page_add(page, text, look) …, sf_page_end(page)
 * each of which is one paragraph, broken into lines at sf_page_end.
 */
#ifndef SF_VIEW_PAGE_H
#define SF_VIEW_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "view/frame.h"
#include "view/look.h"

enum {
    SF_PAGE_TAB = 4,                      /* columns between tab stops */
    SF_PAGE_BETWEEN = 2,                  /* columns between two texts beside each other */
    SF_PAGE_PROSE = 100,                  /* columns of prose, however wide the page */
    SF_PAGE_BYTES_MAX = 64 * 1024 * 1024, /* what is beyond is left out, and a line says so */
};

struct sf_text_run {
    uint32_t len; /* bytes */
    struct sf_look look;
};

/* One of two texts on a line: its bytes, counted from the line's first. */
struct sf_page_side {
    uint32_t at, len;
    bool soft;
    bool there; /* the other one has more lines, or stands alone */
};

struct sf_page_sides {
    struct sf_page_side side[2]; /* left and right */
    uint16_t col;                /* where the right one's decoration begins */
};

struct sf_page_line {
    uint32_t at, len; /* bytes of the page's text */
    uint32_t run;     /* its first run; runs never cross lines */
    uint32_t runs;
    uint16_t lead;  /* bytes of decoration in front, not part of what is copied */
    bool soft;      /* goes on the line above: nothing stood between them but perhaps a space */
    bool spaced;    /* of a soft one: and the space was dropped */
    bool code;      /* of code: its break kept every byte */
    bool ornament;  /* all of it is decoration: a copy has not even its end */
    uint8_t ground; /* an enum sf_look_ground the line goes on with behind its text, up to: */
    uint16_t fill;  /* columns */
    uint32_t sides; /* number of a struct sf_page_sides of the page, from 1; 0: one text */
};

struct sf_page {
    int width;
    struct sf_strbuf text;
    struct sf_text_run *runs;
    size_t run_count, run_cap;
    struct sf_page_line *lines;
    size_t count, cap;
    struct sf_page_sides *sides;
    size_t side_count, side_cap;

    /* the paragraph being made */
    struct sf_strbuf open;
    struct sf_text_run *open_runs;
    size_t open_count, open_cap;
    size_t tab_at, tab_cols;      /* bytes of it whose columns are counted, for tab stops */
    struct sf_strbuf first, rest; /* leads */
    struct sf_look lead_look;
    struct sf_look rest_look; /* of `rest`: as lead_look, unless set behind sf_page_begin */
    bool keep;                /* spaces and all: code */
    bool prose;               /* at most SF_PAGE_PROSE columns: as !keep, unless set behind it */
    bool ornament;            /* decoration: no, unless set behind sf_page_begin */
    uint8_t ground;           /* an enum sf_look_ground, and its columns */
    int ground_from, ground_to;
    bool full, event; /* the ceiling is reached; and the line that says so is there */
    size_t anchor_at; /* bytes of it in front of the anchor; SIZE_MAX: it has none */
    size_t anchor;    /* the line that the anchor came to stand on */
};

/* clang-format off */
#define SF_PAGE_INIT { .width = 80, .text = SF_STRBUF_INIT, .open = SF_STRBUF_INIT, \
                       .first = SF_STRBUF_INIT, .rest = SF_STRBUF_INIT, .anchor_at = SIZE_MAX }
/* clang-format on */

void sf_page_release(struct sf_page *page);
void sf_page_reset(struct sf_page *page, int width); /* empty, for lines of so many columns */

/*
 * Begins a paragraph whose first line starts with `first` and whose further ones with `rest`
 * (NULL: with as many spaces). With `keep` it is broken at any cluster and no byte is dropped, as
 * code must be; otherwise at spaces and, where the script has none, between characters, and long
 * before the edge of a wide page: lines of prose are hard to follow there. Leads too wide for the
 * page are cut, so that some columns are always left for the text.
 */
void sf_page_begin(struct sf_page *page, const char *first, const char *rest, struct sf_look lead,
                   bool keep);

/* The open paragraph stands on the ground from one column to another, the last exclusive. */
void sf_page_ground(struct sf_page *page, enum sf_look_ground ground, int from, int to);

/* Any bytes: made safe; tabs become spaces, a newline ends the line within the paragraph. */
void sf_page_add(struct sf_page *page, const char *text, size_t len, struct sf_look look);
void sf_page_adds(struct sf_page *page, const char *text, struct sf_look look);

/* The same with marks for what would not be seen (base/exact.h); marks keep the attributes. */
void sf_page_add_exact(struct sf_page *page, struct sf_exact text, struct sf_look look);

/* What is added next is what the page is about: `anchor` becomes its line. */
void sf_page_anchor(struct sf_page *page);
void sf_page_end(struct sf_page *page);

void sf_page_blank(struct sf_page *page); /* an empty line; never two in a row, never the first */

/* One line as it is: cut at the width with "…" instead of broken. */
void sf_page_line(struct sf_page *page, const char *text, size_t len, struct sf_look look);

/* Puts the lines of two pages beside each other; both have as many. */
void sf_page_beside(struct sf_page *page, const char *lead, const struct sf_page *left,
                    const struct sf_page *right);

/* Draws the line's runs from `col` on; columns drawn. */
int sf_page_draw(const struct sf_page *page, size_t line, struct sf_area area, int row, int col);

/* Is the place in the left one of two texts? Column 0 is in none. */
bool sf_page_is_left(const struct sf_page *page, size_t line, int col);

/* The columns of the left or right text among those of the line, where it has two. */
void sf_page_clip(const struct sf_page *page, size_t line, bool left, int *from, int *to);

/* Appends what a person would want copied from line/column to line/column, the last exclusive. */
void sf_page_copy(const struct sf_page *page, size_t from, int from_col, size_t to, int to_col,
                  struct sf_strbuf *out);

#endif
