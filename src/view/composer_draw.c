/*
 * composer_draw.c: the rows on screen. What does not fit is scrolled; the rows at the borders then
 * say how much is hidden. A cursor behind a full row stands at the start of a row of its own,
 * which only the picture has: `spare` is where it would be.
 */
#include "base/base.h"
#include "view/composer_parts.h"

enum { NO_SPARE = -1, HINT_ROWS = 4 /* less are too precious for hints */, LOOK_BACK = 1024 };

/* The picture: as many rows as the text has, and perhaps the spare one. */
struct picture {
    int rows, spare; /* its index, or NO_SPARE */
    int row, col;    /* the cursor */
};

static struct picture picture_of(struct sf_composer *c, int cols)
{
    struct picture p = { .spare = NO_SPARE };
    size_t row;

    sf_composer_lay(c, cols);
    row = sf_composer_row_of(c, c->cursor);
    p.rows = c->row_count < INT32_MAX ? (int)c->row_count : INT32_MAX - 1;
    p.row = (int)row;
    p.col = sf_composer_col_of(c, row, c->cursor);
    if (p.col >= c->cols) {
        p.spare = p.row = (int)row + 1;
        p.col = 0;
        p.rows++;
    }
    return p;
}

/* The text's row that a row of the picture shows; false for the spare one. */
static bool text_row(const struct picture *p, int row, size_t *out)
{
    *out = (size_t)(p->spare == NO_SPARE || row < p->spare ? row : row - 1);
    return row != p->spare;
}

int sf_composer_rows(struct sf_composer *c, int cols)
{
    return picture_of(c, cols).rows;
}

/* ---- looks ---- */

static bool is_blank_byte(char ch)
{
    return ch == ' ' || ch == '\t' || ch == '\n' || ch == SF_MARK;
}

static bool begins_mention(const struct sf_composer *c, size_t at)
{
    const char *s = c->text.buf;

    return s[at] == '@' && (!at || is_blank_byte(s[at - 1]) || s[at - 1] == '(') &&
           at + 1 < c->text.len && !is_blank_byte(s[at + 1]);
}

/* Whether the word that holds `at` is a command's name or a mention. */
static bool is_tinted(const struct sf_composer *c, size_t at)
{
    size_t start = at, far = at > LOOK_BACK ? at - LOOK_BACK : 0;

    while (start > far && !is_blank_byte(c->text.buf[start - 1]) && !begins_mention(c, start))
        start--;
    return begins_mention(c, start) || (!start && c->text.buf[0] == '/');
}

struct brush {
    bool tinted; /* this word */
    size_t from, to;
    bool selects;
};

static struct sf_look look_at(const struct sf_composer *c, struct brush *b, size_t at)
{
    char ch = c->text.buf[at];

    if (b->selects && at >= b->from && at < b->to)
        return sf_look(SF_LOOK_MARKED);
    if (ch == SF_MARK)
        return sf_look(SF_LOOK_CHIP);
    if (is_blank_byte(ch))
        b->tinted = false;
    else if (begins_mention(c, at))
        b->tinted = true;
    if (b->tinted || (!at && (ch == '!' || ch == '#')))
        return sf_look(SF_LOOK_ACCENT);
    return sf_look(SF_LOOK_TEXT);
}

/* ---- rows ---- */

static void draw_cluster(const struct sf_composer *c, struct sf_area area, int col, size_t at,
                         size_t next, struct sf_look look)
{
    char label[SF_CHIP_LABEL];
    const char *s = c->text.buf + at;

    if (*s == SF_MARK) {
        sf_composer_chip_label(sf_composer_chip(c, s), label);
        sf_area_put_cut(area, 0, col, area.cols - col, label, look);
    } else if (*s == '\t') {
        for (int i = 0; i < sf_composer_width(c, at, next, col); i++)
            sf_area_put(area, 0, col + i, " ", 1, look);
    } else {
        sf_area_put(area, 0, col, s, next - at, look);
    }
}

static void draw_row(const struct sf_composer *c, struct sf_area area, size_t row)
{
    const struct sf_composer_row *r = &c->rows[row];
    struct brush b = { .tinted = r->at < c->text.len && is_tinted(c, r->at) };
    int col = 0;

    b.selects = sf_vim_selection(c, &b.from, &b.to);
    for (size_t p = r->at, next; p < r->end && col < area.cols; p = next) {
        next = sf_composer_next(c, p);
        draw_cluster(c, area, col, p, next, look_at(c, &b, p));
        col += sf_composer_width(c, p, next, col);
    }
}

static void draw_hint(struct sf_area area, int row, const char *arrow, int hidden)
{
    char text[32];

    snprintf(text, sizeof(text), "%s %d more", arrow, hidden);
    sf_area_puts(area, row, 0, text, sf_look(SF_LOOK_DIM));
}

/* Moves the first row shown as little as it takes to see the cursor between the hints. */
static void scroll(struct sf_composer *c, const struct picture *p, int rows)
{
    int hint = rows >= HINT_ROWS, last = p->rows - rows, top;

    if (last <= 0) {
        c->top = 0;
        return;
    }
    top = c->top < (size_t)last ? (int)c->top : last;
    if (p->row < top + (top ? hint : 0))
        top = p->row - hint > 0 ? p->row - hint : 0;
    if (p->row > top + rows - 1 - (top < last ? hint : 0))
        top = p->row - rows + 1 + hint < last ? p->row - rows + 1 + hint : last;
    c->top = (size_t)top;
}

static void draw_rows(struct sf_composer *c, struct sf_area area, const struct picture *p)
{
    int top = (int)c->top, below = p->rows - top - area.rows;
    bool hints = area.rows >= HINT_ROWS;

    for (int i = 0; i < area.rows && top + i < p->rows; i++) {
        size_t row;

        if (hints && !i && top)
            draw_hint(area, i, "↑", top + 1);
        else if (hints && i == area.rows - 1 && below > 0)
            draw_hint(area, i, "↓", below + 1);
        else if (text_row(p, top + i, &row))
            draw_row(c, sf_area_part(area, i, 0, 1, area.cols), row);
    }
}

void sf_composer_draw(struct sf_composer *c, struct sf_area area, const char *prompt,
                      struct sf_look prompt_look, const char *placeholder)
{
    int lead = (int)sf_text_width(prompt, strlen(prompt));
    struct sf_area text;
    struct picture p;

    if (lead + 2 > area.cols) /* a wide character and nothing else */
        lead = 0;
    text = sf_area_part(area, 0, lead, area.rows, area.cols - lead);
    p = picture_of(c, text.cols);
    scroll(c, &p, area.rows > 0 ? area.rows : 1);
    c->drawn_rows = area.rows;
    c->drawn_lead = lead;
    if (lead && !c->top)
        sf_area_puts(area, 0, 0, prompt, prompt_look);
    if (!c->text.len && placeholder)
        sf_area_put_cut(text, 0, 0, text.cols, placeholder, sf_look(SF_LOOK_DIM));
    draw_rows(c, text, &p);
    sf_area_cursor(text, p.row - (int)c->top, p.col);
}

void sf_composer_click(struct sf_composer *c, int row, int col)
{
    struct picture p = picture_of(c, c->cols ? c->cols : SF_COMPOSER_COLS);
    size_t at;
    int shown;

    sf_composer_begin(c);
    sf_vim_note(c, NULL, 0);
    shown = (int)c->top + (row < 0 ? 0 : row < c->drawn_rows ? row : c->drawn_rows - 1);
    shown = shown < 0 ? 0 : shown < p.rows ? shown : p.rows - 1;
    text_row(&p, shown, &at);
    c->cursor = sf_composer_at_col(c, at, shown == p.spare ? c->cols : col - c->drawn_lead);
    sf_vim_settle(c);
}
