/*
 * page_use.c: lines of a page drawn, and copied without their ornaments. Of two texts beside each
 * other a copy has one: the left one if it begins there, else the right one.
 */
#include <string.h>

#include "view/page.h"

int sf_page_draw(const struct sf_page *page, size_t index, struct sf_area area, int row, int col)
{
    const struct sf_page_line *line = &page->lines[index];
    size_t at = line->at;
    int used = 0;

    for (size_t run = line->run; run < line->run + line->runs; run++) {
        used += sf_area_put(area, row, col + used, page->text.buf + at, page->runs[run].len,
                            page->runs[run].look);
        at += page->runs[run].len;
    }
    if (line->ground && used < line->fill)
        sf_area_fill(sf_area_part(area, row, col + used, 1, line->fill - used),
                     sf_look_on(sf_look(SF_LOOK_TEXT), (enum sf_look_ground)line->ground));
    return used;
}

static size_t bytes_before(const char *text, size_t len, int col)
{
    return col > 0 ? sf_text_fit(text, len, (size_t)col, NULL) : 0;
}

static const struct sf_page_sides *sides_of(const struct sf_page *page, size_t line)
{
    size_t sides = line < page->count ? page->lines[line].sides : 0;

    return sides ? &page->sides[sides - 1] : NULL;
}

bool sf_page_is_left(const struct sf_page *page, size_t line, int col)
{
    const struct sf_page_sides *sides = sides_of(page, line);

    return sides && col > 0 && col < sides->col;
}

void sf_page_clip(const struct sf_page *page, size_t line, bool left, int *from, int *to)
{
    const struct sf_page_sides *sides = sides_of(page, line);

    if (!sides)
        return;
    if (left && *to > sides->col - SF_PAGE_BETWEEN)
        *to = sides->col - SF_PAGE_BETWEEN;
    if (!left && *from < sides->col)
        *from = sides->col;
}

/* What is copied of a line: bytes from its beginning on; and how it goes on the one before. */
struct piece {
    size_t start, end;
    bool there, soft, spaced;
};

static struct piece piece_of(const struct sf_page *page, size_t index, bool left)
{
    const struct sf_page_line *line = &page->lines[index];
    const struct sf_page_sides *sides = sides_of(page, index);
    const struct sf_page_side *side = sides ? &sides->side[left ? 0 : 1] : NULL;

    if (side)
        return (struct piece){ side->at, side->at + side->len, side->there, side->soft, false };
    return (struct piece){ line->lead, line->len, !line->ornament, line->soft, line->spaced };
}

void sf_page_copy(const struct sf_page *page, size_t from, int from_col, size_t to, int to_col,
                  struct sf_strbuf *out)
{
    bool left = sf_page_is_left(page, from, from_col), begun = false;

    for (size_t i = from; i <= to && i < page->count; i++) {
        const struct sf_page_line *line = &page->lines[i];
        const char *text = page->text.buf + line->at;
        size_t start = i == from ? bytes_before(text, line->len, from_col) : 0;
        size_t end = i == to ? bytes_before(text, line->len, to_col) : line->len;
        struct piece piece = piece_of(page, i, left);

        if (!piece.there)
            continue;
        if (begun && !piece.soft)
            sf_strbuf_addch(out, '\n');
        else if (begun && piece.spaced)
            sf_strbuf_addch(out, ' ');
        begun = true;
        start = start > piece.start ? start : piece.start;
        end = end < piece.end ? end : piece.end;
        if (end > start)
            sf_strbuf_add(out, text + start, end - start);
    }
}
