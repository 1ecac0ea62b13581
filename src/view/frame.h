/*
 * frame: one picture of the screen, as cells. Panes draw into areas of it, which clip; the
 * terminal compares it with what it shows. Text is made safe as it is drawn: no control character
 * ever becomes part of a cell.
 *
 * Life: SF_FRAME_INIT, sf_frame_resize, draw, sf_frame_release.
 */
#ifndef SF_VIEW_FRAME_H
#define SF_VIEW_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "view/look.h"

enum {
    SF_CELL_POINTS = 4,   /* code points of a cell: a base and its marks */
    SF_FRAME_ROWS = 1000, /* a terminal that claims more is drawn in so much of it */
    SF_FRAME_COLS = 2000,
};

/* All zero but the look: the right half of the wide character before it. */
struct sf_cell {
    uint32_t points[SF_CELL_POINTS]; /* 0 behind the last; a space is U+0020 */
    struct sf_look look;
    uint8_t width; /* 1 or 2; 0: the right half; no padding: rows are compared as bytes */
};

struct sf_frame {
    int rows, cols;
    struct sf_cell *cells; /* rows * cols */
    bool cursor;           /* shown, at: */
    int cursor_row, cursor_col;
};

/* clang-format off */
#define SF_FRAME_INIT { 0, 0, NULL, false, 0, 0 }
/* clang-format on */

void sf_frame_resize(struct sf_frame *frame, int rows, int cols); /* and blank */
void sf_frame_clear(struct sf_frame *frame);
void sf_frame_release(struct sf_frame *frame);

const struct sf_cell *sf_frame_cell(const struct sf_frame *frame, int row, int col);

/* ---- areas ---- */

/* A rectangle of a frame; rows and columns below count from its corner. Never larger than it. */
struct sf_area {
    struct sf_frame *frame;
    int row, col, rows, cols;
};

struct sf_area sf_frame_area(struct sf_frame *frame);
struct sf_area sf_area_part(struct sf_area area, int row, int col, int rows, int cols);

/* From the top or bottom `rows`, leaving the rest in `area`. */
struct sf_area sf_area_take_top(struct sf_area *area, int rows);
struct sf_area sf_area_take_bottom(struct sf_area *area, int rows);

/*
 * Draws what fits of one line from `col` on and returns the columns it took; what is wider than
 * the area is cut at a whole cluster. A negative `col` draws nothing.
 */
int sf_area_put(struct sf_area area, int row, int col, const char *text, size_t len,
                struct sf_look look);
int sf_area_puts(struct sf_area area, int row, int col, const char *text, struct sf_look look);

/* As sf_area_put, but ends with "…" where the text does not fit into `cols`. */
int sf_area_put_cut(struct sf_area area, int row, int col, int cols, const char *text,
                    struct sf_look look);

/* Ends in the area's last column. Returns where it began. */
int sf_area_put_right(struct sf_area area, int row, const char *text, struct sf_look look);

void sf_area_fill(struct sf_area area, struct sf_look look);          /* with spaces */
void sf_area_rule(struct sf_area area, int row, struct sf_look look); /* ──── */
void sf_area_tint(struct sf_area area, int row, int col, int cols, struct sf_look look);

/* An edge round the area with a title in its top line and a note at the right of it. */
struct sf_area sf_area_box(struct sf_area area, const char *title, const char *note,
                           struct sf_look look);

void sf_area_cursor(struct sf_area area, int row, int col);

#endif
