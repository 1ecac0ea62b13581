/*
 * lines.c: the index of lines. Counted first and filled second, so that a text of nothing but
 * newlines costs four bytes a line and no more.
 */
#include "edit/lines.h"

#include <assert.h>

#include "base/base.h"

/* Walks the lines. Each kind of ending is looked for again only when it has been passed. */
struct walk {
    const char *text;
    size_t len, at;
    size_t next_lf, next_cr; /* where they are; len: there is none, or they do not count */
};

static size_t find_byte(const char *text, size_t len, size_t at, char c)
{
    const char *hit = at < len ? memchr(text + at, c, len - at) : NULL;

    return hit ? (size_t)(hit - text) : len;
}

static struct walk walk_start(const char *text, size_t len, enum sf_line_rule rule)
{
    return (struct walk){
        .text = text,
        .len = len,
        .next_lf = rule == SF_LINES_CR ? len : find_byte(text, len, 0, '\n'),
        .next_cr = rule == SF_LINES_LF ? len : find_byte(text, len, 0, '\r'),
    };
}

/* Steps over one line. */
static void walk_next(struct walk *w)
{
    bool cr = w->next_cr < w->next_lf,
         lf = w->next_lf < w->len && (!cr || w->next_cr + 1 == w->next_lf);

    w->at = w->len;
    if (cr)
        w->at = w->next_cr + 1;
    if (lf)
        w->at = w->next_lf + 1;
    if (cr)
        w->next_cr = find_byte(w->text, w->len, w->at, '\r');
    if (lf)
        w->next_lf = find_byte(w->text, w->len, w->at, '\n');
}

void sf_lines_init(struct sf_lines *lines, const char *text, size_t len, enum sf_line_rule rule)
{
    size_t i = 0;

    assert(len < UINT32_MAX);
    lines->count = 0;
    for (struct walk w = walk_start(text, len, rule); w.at < len; walk_next(&w))
        lines->count++;
    lines->starts = sf_alloc_array(lines->count + 1, sizeof(*lines->starts));
    for (struct walk w = walk_start(text, len, rule); w.at < len; walk_next(&w))
        lines->starts[i++] = (uint32_t)w.at;
    lines->starts[i] = (uint32_t)len;
}

void sf_lines_release(struct sf_lines *lines)
{
    free(lines->starts);
    *lines = (struct sf_lines){ NULL, 0 };
}

size_t sf_lines_at(const struct sf_lines *lines, size_t offset)
{
    size_t low = 0, high = lines->count;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (lines->starts[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

size_t sf_line_ending(const char *text, size_t len)
{
    if (len >= 2 && text[len - 2] == '\r' && text[len - 1] == '\n')
        return 2;
    return len && (text[len - 1] == '\n' || text[len - 1] == '\r') ? 1 : 0;
}
