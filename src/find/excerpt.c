/*
 * excerpt.c: writing lines once each. Lines behind a match wait until the next match is known,
 * since they may turn out to be lines before it, or the match itself.
 */
#include "find/excerpt.h"

#include <string.h>

#include "base/base.h"

void sf_excerpt_show_path(struct sf_strbuf *out, const char *path)
{
    for (; *path; path++) {
        unsigned char c = (unsigned char)*path;

        if (c < ' ' || c == 127)
            sf_strbuf_addf(out, "\\x%02x", c);
        else
            sf_strbuf_addch(out, (char)c);
    }
}

static size_t line_end(const struct sf_excerpt *e, size_t at)
{
    const char *lf = memchr(e->text + at, '\n', e->len - at);

    return lf ? (size_t)(lf - e->text) : e->len;
}

static uint64_t count_lines(const char *text, size_t len)
{
    const char *end = text + len;
    uint64_t n = 0;

    while (text < end && (text = memchr(text, '\n', (size_t)(end - text))) != NULL) {
        text++;
        n++;
    }
    return n;
}

/* The number of the line that begins at `at`; asked for in order. */
static uint64_t number_of(struct sf_excerpt *e, size_t at)
{
    e->number += count_lines(e->text + e->number_at, at - e->number_at);
    e->number_at = at;
    return e->number + 1;
}

static bool inside_char(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* What fits of a line that is too long: around the match, characters whole. */
static void write_window(struct sf_excerpt *e, const char *line, size_t len, size_t match_from,
                         size_t match_to)
{
    size_t from = 0, to;

    if (match_to > e->columns_max)
        from = match_from > e->columns_max / 4 ? match_from - e->columns_max / 4 : 0;
    to = len - from > e->columns_max ? from + e->columns_max : len;
    for (int i = 0; i < 3 && from < to && inside_char(line[from]); i++)
        from++;
    for (int i = 0; i < 3 && to > from && to < len && inside_char(line[to]); i++)
        to--;
    if (from)
        sf_strbuf_adds(e->out, "[…] ");
    sf_strbuf_add(e->out, line + from, to - from);
    sf_strbuf_addf(e->out, " [… the line has %zu bytes]", len);
}

static bool no_room(struct sf_excerpt *e)
{
    e->full = e->full || e->lines >= e->lines_max || e->out->len >= e->bytes_max;
    return e->full;
}

static void write_number(struct sf_strbuf *out, uint64_t number, char mark)
{
    char digits[24];
    size_t at = sizeof(digits);

    digits[--at] = mark;
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    digits[--at] = mark;
    sf_strbuf_add(out, digits + at, sizeof(digits) - at);
}

/* One line, from `at` to `end`; the span (or NULL) is where it matches. */
static void write_line(struct sf_excerpt *e, size_t at, size_t end, const struct sf_span *span)
{
    size_t len = end - at;
    uint64_t number;

    if (no_room(e))
        return;
    number = number_of(e, at);
    if (len && e->text[end - 1] == '\r')
        len--;
    sf_strbuf_adds(e->out, e->path);
    write_number(e->out, number, span ? ':' : '-');
    if (len <= e->columns_max)
        sf_strbuf_add(e->out, e->text + at, len);
    else
        write_window(e, e->text + at, len, span && span->from > at ? span->from - at : 0,
                     span && span->to < end && span->to > at ? span->to - at : len);
    sf_strbuf_addch(e->out, '\n');
    e->lines++;
}

/* Lines behind the last match, up to `stop`. */
static void write_pending(struct sf_excerpt *e, size_t stop)
{
    while (e->pending && e->done < stop && !e->full) {
        size_t end = line_end(e, e->done);

        write_line(e, e->done, end, NULL);
        e->done = end < e->len ? end + 1 : e->len;
        e->pending--;
    }
}

static size_t start_before(const struct sf_excerpt *e, size_t at)
{
    for (size_t n = 0; n < e->before && at > e->done; n++) {
        const char *lf = memrchr(e->text + e->done, '\n', at - e->done - 1);

        at = lf ? (size_t)(lf - e->text) + 1 : e->done;
    }
    return at;
}

static void write_gap(struct sf_excerpt *e, size_t start)
{
    if (!e->lines || !(e->before || e->after) || start <= e->done || no_room(e))
        return;
    sf_strbuf_adds(e->out, "--\n");
    e->lines++;
}

void sf_excerpt_match(struct sf_excerpt *e, const struct sf_span *span)
{
    size_t at = span->line_from;

    if (e->full)
        return;
    write_pending(e, at);
    if (at > e->done) {
        size_t start = start_before(e, at);

        write_gap(e, start);
        e->done = start;
    }
    while (e->done < span->line_to || (e->done == span->line_to && e->done < e->len)) {
        size_t end = line_end(e, e->done);

        write_line(e, e->done, end, e->done >= at ? span : NULL);
        e->done = end < e->len ? end + 1 : e->len;
    }
    e->pending = e->after;
}

void sf_excerpt_finish(struct sf_excerpt *e)
{
    write_pending(e, e->len);
}
