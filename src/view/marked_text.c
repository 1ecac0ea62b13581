/*
 * marked_text.c: one walk over the pieces of a text, and what is done with each of them.
 */
#include "view/marked_text.h"

#include <string.h>

struct piece {
    const char *text;
    size_t len;
    bool code;
};

/* The piece at `*at`, which goes behind it; false: there are no more. */
static bool next(const char *text, size_t len, size_t *at, struct piece *out)
{
    const char *p = text + *at, *end = text + len, *tick, *close;
    size_t line;

    if (p >= end)
        return false;
    tick = memchr(p, '`', (size_t)(end - p));
    *out = (struct piece){ p, tick ? (size_t)(tick - p) : (size_t)(end - p), false };
    if (tick == p) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));

        line = newline ? (size_t)(newline - p) : (size_t)(end - p);
        close = memchr(p + 1, '`', line - 1);
        *out = close > p + 1 ? (struct piece){ p + 1, (size_t)(close - p - 1), true }
                             : (struct piece){ p, 1, false };
    }
    *at = (size_t)(out->text + out->len + out->code - text);
    return true;
}

static struct sf_look look_of(const struct piece *piece, struct sf_look look)
{
    return piece->code ? sf_look(SF_LOOK_CODE) : look;
}

void sf_page_add_marked(struct sf_page *page, const char *text, size_t len, struct sf_look look)
{
    struct piece piece;

    for (size_t at = 0; next(text, len, &at, &piece);)
        sf_page_add(page, piece.text, piece.len, look_of(&piece, look));
}

int sf_marked_width(const char *text)
{
    struct piece piece;
    size_t width = 0;

    for (size_t at = 0; next(text, strlen(text), &at, &piece);)
        width += sf_text_width(piece.text, piece.len);
    return (int)width;
}

int sf_area_put_marked(struct sf_area area, int row, int col, int cols, const char *text,
                       struct sf_look look)
{
    bool cut = sf_marked_width(text) > cols;
    struct sf_area part = sf_area_part(area, 0, 0, area.rows, col + cols - cut);
    struct piece piece;
    int used = 0;

    for (size_t at = 0; next(text, strlen(text), &at, &piece);)
        used += sf_area_put(part, row, col + used, piece.text, piece.len, look_of(&piece, look));
    if (cut && cols > 0)
        used += sf_area_puts(area, row, col + used, "…", look);
    return used;
}

int sf_area_put_marked_right(struct sf_area area, int row, const char *text, struct sf_look look)
{
    int width = sf_marked_width(text), col = width < area.cols ? area.cols - width : 0;

    sf_area_put_marked(area, row, col, area.cols - col, text, look);
    return col;
}
