/*
 * composer_rows.c: the text as rows of a width. Broken behind spaces, and beside wide characters
 * and chips; a space that does not fit hangs over the edge. The rows are kept: an edit lays out
 * the lines it touched and moves the others along.
 */
#include "base/base.h"
#include "view/composer_parts.h"

enum { TAB = 4 };

int sf_composer_width(const struct sf_composer *c, size_t at, size_t next, int col)
{
    char label[SF_CHIP_LABEL];
    const char *s = c->text.buf + at;

    if (*s == '\t')
        return TAB - col % TAB;
    if (*s == SF_MARK) {
        sf_composer_chip_label(sf_composer_chip(c, s), label);
        return (int)strlen(label);
    }
    if (next - at == 1)
        return 1;
    return (int)sf_text_width(s, next - at);
}

/* Where the row from `at` ends within its line, which ends at `stop`. */
static size_t row_end(const struct sf_composer *c, size_t at, size_t stop)
{
    size_t next, space = at;
    int col = 0;

    for (size_t p = at; p < stop; p = next) {
        bool blank = c->text.buf[p] == ' ' || c->text.buf[p] == '\t';
        int width;

        next = sf_composer_next(c, p);
        width = sf_composer_width(c, p, next, col);
        if (width > 1 && !blank)
            space = p;
        if (p > at && col + width > c->cols)
            return blank ? next : space > at ? space : p;
        if (width > 1 || blank)
            space = next;
        col += width;
    }
    return stop;
}

/* Lays out whole lines, the last of which ends at `stop`; returns how many rows were added. */
static size_t lay_lines(const struct sf_composer *c, size_t at, size_t stop,
                        struct sf_composer_row **rows, size_t *cap)
{
    size_t count = 0, line = sf_composer_line_end(c, at);

    for (;;) {
        size_t end = row_end(c, at, line);

        *rows = sf_grow(*rows, cap, count + 1, sizeof(**rows));
        (*rows)[count++] = (struct sf_composer_row){ at, end, end < line };
        if (end >= stop)
            return count;
        at = end < line ? end : end + 1;
        if (end == line)
            line = sf_composer_line_end(c, at);
    }
}

void sf_composer_lay(struct sf_composer *c, int cols)
{
    cols = cols > 1 ? cols : 1;
    if (cols == c->cols)
        return;
    c->cols = cols;
    c->row_count = lay_lines(c, 0, c->text.len, &c->rows, &c->row_cap);
}

/* As it was before: the rows still count in the old text. */
void sf_composer_lay_edit(struct sf_composer *c, size_t at, size_t removed, size_t inserted)
{
    struct sf_composer_row *fresh = NULL;
    size_t cap = 0, count, first, last, rest;

    if (!c->cols)
        return;
    first = sf_composer_row_of(c, at);
    while (first && c->rows[first - 1].soft)
        first--;
    last = sf_composer_row_of(c, at + removed);
    while (c->rows[last].soft)
        last++;
    rest = c->row_count - (last + 1);
    count = lay_lines(c, c->rows[first].at, c->rows[last].end - removed + inserted, &fresh, &cap);
    c->rows = sf_grow(c->rows, &c->row_cap, first + count + rest, sizeof(*c->rows));
    memmove(c->rows + first + count, c->rows + last + 1, rest * sizeof(*c->rows));
    memcpy(c->rows + first, fresh, count * sizeof(*c->rows));
    c->row_count = first + count + rest;
    for (size_t i = first + count; i < c->row_count; i++) {
        c->rows[i].at += inserted - removed;
        c->rows[i].end += inserted - removed;
    }
    free(fresh);
}

size_t sf_composer_row_of(const struct sf_composer *c, size_t at)
{
    size_t low = 0, high = c->row_count;

    while (high - low > 1) {
        size_t mid = low + (high - low) / 2;

        if (c->rows[mid].at <= at)
            low = mid;
        else
            high = mid;
    }
    return low;
}

int sf_composer_col_of(const struct sf_composer *c, size_t row, size_t at)
{
    int col = 0;

    for (size_t p = c->rows[row].at; p < at;) {
        size_t next = sf_composer_next(c, p);

        col += sf_composer_width(c, p, next, col);
        p = next;
    }
    return col < c->cols ? col : c->cols;
}

size_t sf_composer_at_col(const struct sf_composer *c, size_t row, int col)
{
    const struct sf_composer_row *r = &c->rows[row];
    size_t p = r->at;

    for (int used = 0; p < r->end;) {
        size_t next = sf_composer_next(c, p);

        used += sf_composer_width(c, p, next, used);
        if (used > col || (r->soft && next == r->end))
            break;
        p = next;
    }
    return p;
}
