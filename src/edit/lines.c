/*
 * lines.c: the index of lines. Counted first and filled second, so that a text of nothing but
 * newlines costs four bytes a line and no more.
 */
#include "edit/lines.h"

#include <assert.h>

#include "base/base.h"

/* The offset behind the line that begins at `at`. */
static size_t line_end(const char *text, size_t len, size_t at, enum sf_line_rule rule)
{
    const char *stop;

    if (rule != SF_LINES_ANY) {
        stop = memchr(text + at, rule == SF_LINES_LF ? '\n' : '\r', len - at);
        return stop ? (size_t)(stop - text) + 1 : len;
    }
    while (at < len && text[at] != '\n' && text[at] != '\r')
        at++;
    if (at + 1 < len && text[at] == '\r' && text[at + 1] == '\n')
        return at + 2;
    return at < len ? at + 1 : len;
}

void sf_lines_init(struct sf_lines *lines, const char *text, size_t len, enum sf_line_rule rule)
{
    size_t i = 0;

    assert(len < UINT32_MAX);
    lines->count = 0;
    for (size_t at = 0; at < len; at = line_end(text, len, at, rule))
        lines->count++;
    lines->starts = sf_alloc_array(lines->count + 1, sizeof(*lines->starts));
    for (size_t at = 0; at < len; at = line_end(text, len, at, rule))
        lines->starts[i++] = (uint32_t)at;
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
