/*
 * inline.c: cells into bytes, and the steps from the cursor to the block's first row and back. The
 * block is sent whole when a cell of it changed: it is a few lines, in one write.
 */
#include "term/inline.h"

#include <string.h>

void sf_inline_init(struct sf_inline *in, enum sf_colours colours, bool utf8)
{
    *in = (struct sf_inline){
        .colours = colours, .utf8 = utf8, .shown = SF_FRAME_INIT, .above = SF_STRBUF_INIT
    };
}

void sf_inline_release(struct sf_inline *in)
{
    sf_frame_release(&in->shown);
    sf_strbuf_release(&in->above);
}

/* ---- looks ---- */

static void add_colour(const struct sf_inline *in, int32_t colour, bool policy,
                       struct sf_strbuf *out)
{
    int n;

    if (colour == SF_COLOUR_DEFAULT || in->colours == SF_COLOURS_NONE)
        return;
    if (in->colours == SF_COLOURS_TRUE && colour >= 0 && colour <= 0xffffff) {
        sf_strbuf_addf(out, ";%d;2;%d;%d;%d", policy ? 48 : 38, (int)(colour >> 16 & 0xff),
                       (int)(colour >> 8 & 0xff), (int)(colour & 0xff));
    } else if (in->colours == SF_COLOURS_16) {
        n = sf_colour_16(colour);
        sf_strbuf_addf(out, ";%d", (n < 8 ? 30 + n : 82 + n) + (policy ? 10 : 0));
    } else {
        sf_strbuf_addf(out, ";%d;5;%d", policy ? 48 : 38, sf_colour_256(colour));
    }
}

static void add_look(const struct sf_inline *in, struct sf_look look, struct sf_strbuf *out)
{
    static const struct {
        unsigned attr;
        int code;
    } codes[] = { { SF_LOOK_BOLD, 1 },
                  { SF_LOOK_FAINT, 2 },
                  { SF_LOOK_ITALIC, 3 },
                  { SF_LOOK_UNDERLINE, 4 },
                  { SF_LOOK_REVERSE, 7 } };
    const struct sf_paint paint = sf_theme_paint(&in->theme, look, in->colours);

    sf_strbuf_adds(out, "\033[0");
    for (size_t i = 0; i < SF_COUNT(codes); i++)
        if (paint.attrs & codes[i].attr)
            sf_strbuf_addf(out, ";%d", codes[i].code);
    add_colour(in, paint.fg, false, out);
    add_colour(in, paint.bg, true, out);
    sf_strbuf_addch(out, 'm');
}

/* ---- cells ---- */

static void add_cell(const struct sf_inline *in, const struct sf_cell *cell, struct sf_strbuf *out)
{
    if (!in->utf8 && cell->points[0] > 0x7e) {
        sf_strbuf_adds(out, cell->width == 2 ? "? " : "?");
        return;
    }
    for (int i = 0; i < SF_CELL_POINTS && cell->points[i]; i++)
        sf_utf8_add(out, cell->points[i]);
}

static bool is_blank(const struct sf_cell *cell)
{
    return cell->points[0] == ' ' && !cell->points[1] && cell->look.role == SF_LOOK_TEXT &&
           !cell->look.attrs && !cell->look.ground;
}

static void add_row(const struct sf_inline *in, const struct sf_frame *frame, int row,
                    struct sf_strbuf *out)
{
    const struct sf_cell *cells = sf_frame_cell(frame, row, 0);
    int end = frame->cols;
    bool styled = false;

    while (end > 0 && is_blank(&cells[end - 1]))
        end--;
    for (int col = 0; col < end; col++) {
        if (!cells[col].width)
            continue;
        if (!styled || !sf_look_same(cells[col].look, cells[col - 1].look))
            add_look(in, cells[col].look, out);
        styled = true;
        add_cell(in, &cells[col], out);
    }
    if (styled)
        sf_strbuf_adds(out, "\033[0m");
}

/* ---- the block ---- */

/* Rows that the first `end` columns of a row take in a terminal of so many columns. */
static int rows_of(const struct sf_cell *cells, int end, int cols)
{
    int rows = 1, col = 0;

    for (int i = 0; i < end; i++) {
        if (!cells[i].width)
            continue;
        if (col + cells[i].width > cols) { /* a wide character goes down as a whole */
            rows++;
            col = 0;
        }
        col += cells[i].width;
    }
    return rows;
}

static bool is_broken(const struct sf_inline *in)
{
    return in->there && in->rewraps && in->cols >= 2 && in->cols < in->shown.cols;
}

/* Rows that those of the block before `end` take, in the terminal as it is now. */
static int rows_before(const struct sf_inline *in, int end)
{
    const struct sf_frame *shown = &in->shown;
    int rows = 0;

    if (!is_broken(in))
        return in->there ? end : 0;
    for (int row = 0; row < end; row++) {
        const struct sf_cell *cells = sf_frame_cell(shown, row, 0);
        int cols = shown->cols;

        while (cols > 0 && is_blank(&cells[cols - 1]))
            cols--;
        rows += rows_of(cells, cols, in->cols);
    }
    return rows;
}

/* From the cursor to the block's first row. */
static int rows_up(const struct sf_inline *in)
{
    int col = in->shown.cursor && is_broken(in) ? in->shown.cursor_col / in->cols : 0;

    return in->pad + rows_before(in, in->shown.cursor_row) + col;
}

/* What the block needs no more stays above it, once that began: its last row keeps its place. */
static int next_pad(const struct sf_inline *in, const struct sf_frame *frame, int first)
{
    int rows = frame->rows - first, pad;

    if (!in->pad && !is_broken(in))
        return 0;
    pad = in->pad + rows_before(in, in->shown.rows) - rows - in->printed;
    if (pad > frame->rows - rows)
        pad = frame->rows - rows;
    return pad > 0 ? pad : 0;
}

/*
 * To the block's first row, and all from there on erased: that row alone and then the rest from its
 * second column on, since some terminals keep what is erased from the screen's first cell on in
 * their scrollback.
 */
static void add_home(const struct sf_inline *in, struct sf_strbuf *out)
{
    int up = rows_up(in);

    sf_strbuf_addch(out, '\r');
    if (up > 0)
        sf_strbuf_addf(out, "\033[%dA", up);
    sf_strbuf_adds(out, "\033[2K\033[C\033[J\r");
}

void sf_inline_print(struct sf_inline *in, const struct sf_frame *lines)
{
    for (int row = 0; row < lines->rows; row++) {
        add_row(in, lines, row, &in->above);
        sf_strbuf_adds(&in->above, "\r\n");
    }
    in->printed += lines->rows;
}

/* `shown` becomes the rows from `first` on, the cursor's row counted from there. */
static bool take_block(struct sf_inline *in, const struct sf_frame *frame, int first)
{
    int rows = frame->rows - first, cursor = frame->cursor_row - first;
    size_t size = (size_t)rows * (size_t)frame->cols * sizeof(*frame->cells);
    struct sf_frame *shown = &in->shown;
    bool same = in->there && !in->stale && shown->rows == rows && shown->cols == frame->cols &&
                shown->cursor == frame->cursor && shown->cursor_col == frame->cursor_col &&
                (!frame->cursor || shown->cursor_row == cursor) &&
                !memcmp(shown->cells, sf_frame_cell(frame, first, 0), size);

    if (same && !in->above.len)
        return false;
    in->stale = false;
    sf_frame_resize(shown, rows, frame->cols);
    memcpy(shown->cells, sf_frame_cell(frame, first, 0), size);
    shown->cursor = frame->cursor;
    shown->cursor_col = frame->cursor_col;
    shown->cursor_row = frame->cursor && cursor >= 0 ? cursor : rows - 1;
    return true;
}

static void forget_printed(struct sf_inline *in)
{
    sf_strbuf_reset(&in->above);
    in->printed = 0;
}

void sf_inline_add_block(struct sf_inline *in, const struct sf_frame *frame, int first,
                         struct sf_strbuf *out)
{
    struct sf_strbuf home = SF_STRBUF_INIT;
    const struct sf_frame *shown = &in->shown;
    int pad;

    in->cols = frame->cols;
    add_home(in, &home); /* from where the cursor is until now */
    pad = next_pad(in, frame, first);
    if (first < frame->rows && frame->cols && take_block(in, frame, first)) {
        sf_strbuf_adds(out, "\033[?25l");
        sf_strbuf_add(out, home.buf, home.len);
        sf_strbuf_add(out, in->above.buf, in->above.len);
        forget_printed(in);
        in->pad = pad;
        for (int row = -pad; row < shown->rows; row++) {
            if (row > -pad)
                sf_strbuf_adds(out, "\r\n");
            if (row >= 0)
                add_row(in, shown, row, out);
        }
        if (shown->cursor_row < shown->rows - 1)
            sf_strbuf_addf(out, "\033[%dA", shown->rows - 1 - shown->cursor_row);
        sf_strbuf_addch(out, '\r');
        if (shown->cursor && shown->cursor_col > 0)
            sf_strbuf_addf(out, "\033[%dC", shown->cursor_col);
        if (shown->cursor)
            sf_strbuf_adds(out, "\033[?25h");
        in->there = true;
    }
    sf_strbuf_release(&home);
}

void sf_inline_forget(struct sf_inline *in)
{
    in->stale = true; /* where the cursor is, is still known */
}

void sf_inline_add_leave(struct sf_inline *in, struct sf_strbuf *out)
{
    add_home(in, out);
    sf_strbuf_add(out, in->above.buf, in->above.len);
    forget_printed(in);
    sf_strbuf_adds(out, "\033[?25h");
    in->there = false;
    in->pad = 0;
}
