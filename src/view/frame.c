/*
 * frame.c: cells and areas. Text becomes cells cluster by cluster, sanitised first, so that what
 * stands in a cell has the width it claims; a wide character that would be cut in half by the
 * area's edge is left out, and one that is overwritten in half becomes a space.
 */
#include "view/frame.h"

#include <string.h>

const char *const sf_look_role_names[] = {
    "text",     "dim",          "accent", "success",    "warning",      "error",
    "info",     "brand",        "user",   "agent",      "rule",         "key",
    "selected", "marked",       "match",  "chip",       "heading",      "code",
    "link",     "quote",        "added",  "removed",    "added_word",   "removed_word",
    "hunk",     "keyword",      "type",   "string",     "number",       "comment",
    "function", "preprocessor", "panel",  "added_line", "removed_line", NULL,
};

static int bound(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

static const struct sf_cell blank = { .points = { ' ' }, .width = 1 };

void sf_frame_clear(struct sf_frame *frame)
{
    size_t count = (size_t)frame->rows * (size_t)frame->cols;

    for (size_t i = 0; i < count; i++)
        frame->cells[i] = blank;
    frame->cursor = false;
}

void sf_frame_resize(struct sf_frame *frame, int rows, int cols)
{
    rows = bound(rows, 0, SF_FRAME_ROWS);
    cols = bound(cols, 0, SF_FRAME_COLS);
    if (rows != frame->rows || cols != frame->cols) {
        size_t count = (size_t)rows * (size_t)cols;

        frame->cells = sf_realloc_array(frame->cells, count ? count : 1, sizeof(*frame->cells));
        frame->rows = rows;
        frame->cols = cols;
    }
    sf_frame_clear(frame);
}

void sf_frame_release(struct sf_frame *frame)
{
    free(frame->cells);
    *frame = (struct sf_frame)SF_FRAME_INIT;
}

static struct sf_cell *cell_at(const struct sf_frame *frame, int row, int col)
{
    return &frame->cells[(size_t)row * (size_t)frame->cols + (size_t)col];
}

const struct sf_cell *sf_frame_cell(const struct sf_frame *frame, int row, int col)
{
    bool inside = row >= 0 && col >= 0 && row < frame->rows && col < frame->cols;

    return inside ? cell_at(frame, row, col) : &blank;
}

/* ---- areas ---- */

struct sf_area sf_frame_area(struct sf_frame *frame)
{
    return (struct sf_area){ frame, 0, 0, frame->rows, frame->cols };
}

struct sf_area sf_area_part(struct sf_area area, int row, int col, int rows, int cols)
{
    int top = bound(row, 0, area.rows), left = bound(col, 0, area.cols);

    return (struct sf_area){ area.frame, area.row + top, area.col + left,
                             bound(rows, 0, area.rows - top), bound(cols, 0, area.cols - left) };
}

struct sf_area sf_area_take_top(struct sf_area *area, int rows)
{
    struct sf_area part = sf_area_part(*area, 0, 0, rows, area->cols);

    *area = sf_area_part(*area, part.rows, 0, area->rows - part.rows, area->cols);
    return part;
}

struct sf_area sf_area_take_bottom(struct sf_area *area, int rows)
{
    int taken = bound(rows, 0, area->rows);
    struct sf_area part = sf_area_part(*area, area->rows - taken, 0, taken, area->cols);

    *area = sf_area_part(*area, 0, 0, area->rows - taken, area->cols);
    return part;
}

/* A wide character that loses one of its halves is a space in the other. */
static void detach(struct sf_frame *frame, int row, int col)
{
    struct sf_cell *cell = cell_at(frame, row, col);

    if (cell->width == 2 && col + 1 < frame->cols)
        cell_at(frame, row, col + 1)[0] =
            (struct sf_cell){ .points = { ' ' }, .width = 1, .look = cell->look };
    if (!cell->width && col > 0)
        cell_at(frame, row, col - 1)[0] =
            (struct sf_cell){ .points = { ' ' }, .width = 1, .look = cell->look };
}

static struct sf_cell make_cell(const char *text, size_t len, size_t width, struct sf_look look)
{
    struct sf_cell cell = { .look = look, .width = (uint8_t)width };

    for (int count = 0; len && count < SF_CELL_POINTS; count++) {
        size_t n = sf_utf8_decode(text, len, &cell.points[count]);

        text += n;
        len -= n;
    }
    return cell;
}

static void set_cell(struct sf_frame *frame, int row, int col, struct sf_cell cell)
{
    struct sf_cell *at = cell_at(frame, row, col);

    for (int i = 0; i < cell.width; i++)
        detach(frame, row, col + i);
    *at = cell;
    if (cell.width == 2)
        at[1] = (struct sf_cell){ .look = cell.look };
}

static int put_safe(struct sf_area area, int row, int col, const char *text, size_t len,
                    struct sf_look look)
{
    int start = col;

    while (len) {
        size_t n = sf_grapheme_next(text, len);
        size_t width = sf_grapheme_width(text, n);

        if (width > 2) /* a cluster of several wide parts: one cell cannot hold it */
            n = sf_utf8_decode(text, len, &(uint32_t){ 0 }), width = sf_text_width(text, n);
        if (col + (int)width > area.cols)
            break;
        if (width)
            set_cell(area.frame, area.row + row, area.col + col, make_cell(text, n, width, look));
        col += (int)width;
        text += n;
        len -= n;
    }
    return col - start;
}

static bool is_plain(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (text[i] < ' ' || text[i] > '~')
            return false;
    return true;
}

int sf_area_put(struct sf_area area, int row, int col, const char *text, size_t len,
                struct sf_look look)
{
    struct sf_strbuf safe = SF_STRBUF_INIT;
    int used;

    if (row < 0 || row >= area.rows || col < 0 || col >= area.cols)
        return 0;
    if (is_plain(text, len))
        return put_safe(area, row, col, text, len, look);
    sf_text_sanitize(&safe, text, len, SF_TEXT_ONE_LINE);
    used = put_safe(area, row, col, safe.buf, safe.len, look);
    sf_strbuf_release(&safe);
    return used;
}

int sf_area_puts(struct sf_area area, int row, int col, const char *text, struct sf_look look)
{
    return sf_area_put(area, row, col, text, strlen(text), look);
}

int sf_area_put_cut(struct sf_area area, int row, int col, int cols, const char *text,
                    struct sf_look look)
{
    struct sf_strbuf safe = SF_STRBUF_INIT;
    struct sf_area part = sf_area_part(area, 0, 0, area.rows, col + cols);
    size_t width, fit;
    int used;

    sf_text_sanitize(&safe, text, strlen(text), SF_TEXT_ONE_LINE);
    width = sf_text_width(safe.buf, safe.len);
    if (cols > 0 && width > (size_t)cols) {
        fit = sf_text_fit(safe.buf, safe.len, (size_t)cols - 1, NULL);
        sf_strbuf_truncate(&safe, fit);
        sf_strbuf_adds(&safe, "…");
    }
    used = sf_area_put(part, row, col, safe.buf, safe.len, look);
    sf_strbuf_release(&safe);
    return used;
}

int sf_area_put_right(struct sf_area area, int row, const char *text, struct sf_look look)
{
    int width = (int)sf_text_width(text, strlen(text));
    int col = width < area.cols ? area.cols - width : 0;

    sf_area_puts(area, row, col, text, look);
    return col;
}

void sf_area_fill(struct sf_area area, struct sf_look look)
{
    struct sf_cell space = make_cell(" ", 1, 1, look);

    for (int row = 0; row < area.rows; row++)
        for (int col = 0; col < area.cols; col++)
            set_cell(area.frame, area.row + row, area.col + col, space);
}

void sf_area_rule(struct sf_area area, int row, struct sf_look look)
{
    struct sf_cell line = make_cell("─", strlen("─"), 1, look);

    if (row < 0 || row >= area.rows)
        return;
    for (int col = 0; col < area.cols; col++)
        set_cell(area.frame, area.row + row, area.col + col, line);
}

void sf_area_tint(struct sf_area area, int row, int col, int cols, struct sf_look look)
{
    struct sf_area part = sf_area_part(area, row, col, 1, cols);

    for (int i = 0; part.rows && i < part.cols; i++)
        cell_at(part.frame, part.row, part.col + i)->look = look;
}

struct sf_area sf_area_box(struct sf_area area, const char *title, const char *note,
                           struct sf_look look)
{
    int last = area.rows - 1, right = area.cols - 1;

    if (area.rows < 2 || area.cols < 4)
        return area;
    sf_area_rule(area, 0, look);
    sf_area_rule(area, last, look);
    for (int row = 1; row < last; row++) {
        sf_area_puts(area, row, 0, "│", look);
        sf_area_puts(area, row, right, "│", look);
    }
    sf_area_puts(area, 0, 0, "┌", look);
    sf_area_puts(area, 0, right, "┐", look);
    sf_area_puts(area, last, 0, "└", look);
    sf_area_puts(area, last, right, "┘", look);
    if (title && *title) {
        int used = sf_area_put_cut(area, 0, 2, area.cols - 4, title, look);

        sf_area_puts(area, 0, 1, " ", look);
        sf_area_puts(area, 0, 2 + used, " ", look);
    }
    if (note && *note && (int)sf_text_width(note, strlen(note)) + 8 < area.cols) {
        int at = area.cols - 4 - (int)sf_text_width(note, strlen(note));

        sf_area_puts(area, 0, at, " ", look);
        sf_area_puts(area, 0, at + 1, note, look);
        sf_area_puts(area, 0, area.cols - 3, " ", look);
    }
    return sf_area_part(area, 1, 2, area.rows - 2, area.cols - 4);
}

void sf_area_cursor(struct sf_area area, int row, int col)
{
    area.frame->cursor = row >= 0 && row < area.rows && col >= 0 && col < area.cols;
    area.frame->cursor_row = area.row + row;
    area.frame->cursor_col = area.col + col;
}
