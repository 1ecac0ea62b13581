/*
 * output.c: two windows over one stream of clean text: one over all of it, one over what came since
 * the last look. A window keeps its beginning and, in a ring buffer, its end.
 *
 * As long as nothing was left out, the first window has all the text. That is why the spill file
 * can be made as late as that and still be complete.
 */
#include "tools/output.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"

struct window {
    size_t head_max, tail_max;
    struct sf_strbuf head;
    char *ring; /* tail_max bytes, or NULL while empty */
    size_t ring_at, ring_len;
    uint64_t total, lines; /* bytes and newlines so far */
    uint64_t lines_before; /* newlines before the window */
};

struct sf_output {
    char *spill_dir;
    size_t shown;
    struct sf_plain plain;
    struct sf_strbuf clean; /* text from `plain` for the windows */
    struct window all, news;
    struct sf_strbuf event; /* the unfinished line at the end of the last news */
    uint64_t total;
    bool open; /* the text so far does not end with a newline */

    int fd; /* of the spill file; -1: none, or no longer written */
    char *file;
    size_t kept;
    bool full; /* the text was longer than SF_OUTPUT_KEPT */
    struct sf_error problem;
};

static void window_init(struct window *w, size_t shown)
{
    *w = (struct window){ .head_max = shown / 2, .tail_max = shown - shown / 2 };
    sf_strbuf_init(&w->head);
}

static void window_release(struct window *w)
{
    sf_strbuf_release(&w->head);
    free(w->ring);
}

static uint64_t count_lines(const char *text, size_t len)
{
    uint64_t lines = 0;

    for (const char *at = text, *end = text + len; (at = memchr(at, '\n', (size_t)(end - at)));
         at++)
        lines++;
    return lines;
}

static void ring_add(struct window *w, const char *text, size_t len)
{
    size_t first;

    if (!w->ring)
        w->ring = sf_alloc(w->tail_max);
    if (len > w->tail_max) {
        text += len - w->tail_max;
        len = w->tail_max;
    }
    first = w->tail_max - w->ring_at < len ? w->tail_max - w->ring_at : len;
    memcpy(w->ring + w->ring_at, text, first);
    memcpy(w->ring, text + first, len - first);
    w->ring_at = (w->ring_at + len) % w->tail_max;
    w->ring_len = w->tail_max - w->ring_len < len ? w->tail_max : w->ring_len + len;
}

static void window_add(struct window *w, const char *text, size_t len)
{
    size_t room = w->head_max - w->head.len;
    size_t front = w->ring_len ? 0 : room < len ? room : len;

    w->total += len;
    w->lines += count_lines(text, len);
    sf_strbuf_add(&w->head, text, front);
    if (len > front)
        ring_add(w, text + front, len - front);
}

/* Appends the bytes of the ring buffer in order. */
static void window_tail(const struct window *w, struct sf_strbuf *out)
{
    size_t from = w->ring_len < w->tail_max ? 0 : w->ring_at;

    if (!w->ring_len)
        return;
    sf_strbuf_add(out, w->ring + from, w->ring_len - from);
    sf_strbuf_add(out, w->ring, from);
}

static void window_copy(struct window *to, const struct window *from)
{
    *to = *from;
    sf_strbuf_init(&to->head);
    sf_strbuf_add(&to->head, from->head.buf, from->head.len);
    to->ring = NULL;
    if (from->ring) {
        to->ring = sf_alloc(from->tail_max);
        memcpy(to->ring, from->ring, from->tail_max);
    }
}

static bool is_middle(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* Where the head ends: after a line if one ends nearby, else after a character. */
static size_t head_end(const char *text, size_t len)
{
    const char *line = memrchr(text + len - len / 4, '\n', len / 4);
    size_t at = len;

    if (line)
        return (size_t)(line - text) + 1;
    while (at > 0 && is_middle(text[at - 1]))
        at--;
    if (at > 0 && (unsigned char)text[at - 1] >= 0x80) {
        uint32_t cp;
        size_t n = sf_utf8_decode(text + at - 1, len - (at - 1), &cp);

        return cp == SF_UTF8_INVALID ? at - 1 : at - 1 + n;
    }
    return at;
}

/* Where the tail begins, chosen in the same way. */
static size_t tail_start(const char *text, size_t len)
{
    const char *line = memchr(text, '\n', len / 4);
    size_t at = 0;

    if (line)
        return (size_t)(line - text) + 1;
    while (at < len && is_middle(text[at]))
        at++;
    return at;
}

static void tell_file(const struct sf_output *o, struct sf_strbuf *out)
{
    if (o->problem.code)
        sf_strbuf_addf(out, "they are lost: %s", o->problem.msg);
    else
        sf_strbuf_addf(out, "Read %s by range for them", o->file);
    if (o->full)
        sf_strbuf_addf(out, " (it holds the first %d MiB)", SF_OUTPUT_KEPT / 1024 / 1024);
}

static void tell_gap(const struct sf_output *o, const struct window *w, uint64_t bytes,
                     uint64_t first, uint64_t lines, struct sf_strbuf *out)
{
    if (out->len && out->buf[out->len - 1] != '\n')
        sf_strbuf_addch(out, '\n');
    sf_strbuf_addf(out, "[… %llu bytes", (unsigned long long)bytes);
    if (lines)
        sf_strbuf_addf(out, ", lines %llu to %llu,",
                       (unsigned long long)w->lines_before + first + 1,
                       (unsigned long long)w->lines_before + first + lines);
    sf_strbuf_adds(out, " left out here; ");
    tell_file(o, out);
    sf_strbuf_adds(out, " …]\n");
}

static void show(const struct sf_output *o, const struct window *w, struct sf_strbuf *out)
{
    struct sf_strbuf tail = SF_STRBUF_INIT;
    size_t head = w->head.len, from = 0;

    window_tail(w, &tail);
    if (w->total > w->head.len + tail.len) {
        uint64_t above, below;

        head = head_end(w->head.buf, w->head.len);
        from = tail_start(tail.buf, tail.len);
        above = count_lines(w->head.buf, head);
        below = count_lines(tail.buf + from, tail.len - from);
        sf_strbuf_add(out, w->head.buf, head);
        tell_gap(o, w, w->total - head - (tail.len - from), above, w->lines - above - below, out);
    } else {
        sf_strbuf_add(out, w->head.buf, head);
    }
    sf_strbuf_add(out, tail.buf + from, tail.len - from);
    sf_strbuf_release(&tail);
}

static void stop_file(struct sf_output *o)
{
    if (o->fd >= 0)
        close(o->fd);
    o->fd = -1;
}

/* Writes to the spill file up to the limit, cut between characters. */
static void keep(struct sf_output *o, const char *text, size_t len)
{
    size_t room = SF_OUTPUT_KEPT - o->kept;

    if (o->fd < 0)
        return;
    if (len > room) {
        len = room;
        while (len > 0 && is_middle(text[len]))
            len--;
        o->full = true;
    }
    if (!sf_fd_write_all(o->fd, text, len)) {
        sf_fail_errno(&o->problem, "cannot write %s", o->file);
        stop_file(o);
    }
    o->kept += len;
    if (o->full)
        stop_file(o);
}

static void begin_file(struct sf_output *o)
{
    struct sf_strbuf tail = SF_STRBUF_INIT;

    o->fd = sf_file_new_private(o->spill_dir, "output", ".txt", &o->file, &o->problem);
    keep(o, o->all.head.buf, o->all.head.len);
    window_tail(&o->all, &tail);
    keep(o, tail.buf, tail.len);
    sf_strbuf_release(&tail);
}

/* Whether the text so far, including the unfinished line, exceeds what may be shown. */
static bool is_over(const struct sf_output *o)
{
    uint64_t have = o->all.total + o->clean.len;
    struct sf_strbuf line = SF_STRBUF_INIT;

    if (have + o->plain.count * 4 > o->shown)
        sf_plain_line(&o->plain, &line);
    have += line.len;
    sf_strbuf_release(&line);
    return have > o->shown;
}

static void take_clean(struct sf_output *o)
{
    if (!o->file && !o->problem.code && is_over(o))
        begin_file(o);
    if (o->clean.len)
        o->open = o->clean.buf[o->clean.len - 1] != '\n';
    keep(o, o->clean.buf, o->clean.len);
    window_add(&o->all, o->clean.buf, o->clean.len);
    window_add(&o->news, o->clean.buf, o->clean.len);
    sf_strbuf_reset(&o->clean);
}

struct sf_output *sf_output_new(const char *spill_dir, size_t shown)
{
    struct sf_output *o = sf_alloc(sizeof(*o));

    o->spill_dir = sf_strdup(spill_dir);
    o->shown = shown < 64 ? 64 : shown;
    o->fd = -1;
    sf_strbuf_init(&o->clean);
    sf_strbuf_init(&o->event);
    window_init(&o->all, o->shown);
    window_init(&o->news, o->shown);
    return o;
}

/* In steps, so that the buffer of clean text stays small. */
void sf_output_add(struct sf_output *o, const char *data, size_t len)
{
    enum { STEP = 16384 };

    o->total += len;
    for (size_t at = 0; at < len; at += STEP) {
        sf_plain_add(&o->plain, data + at, len - at < STEP ? len - at : STEP, &o->clean);
        take_clean(o);
    }
}

void sf_output_end(struct sf_output *o)
{
    sf_plain_end(&o->plain, &o->clean);
    take_clean(o);
    stop_file(o);
}

void sf_output_text(const struct sf_output *o, struct sf_strbuf *out)
{
    struct sf_strbuf line = SF_STRBUF_INIT;
    struct window w;

    window_copy(&w, &o->all);
    sf_plain_line(&o->plain, &line);
    window_add(&w, line.buf, line.len);
    show(o, &w, out);
    window_release(&w);
    sf_strbuf_release(&line);
}

/* Removes the part of the line that was shown before, if the line continues it. */
static void skip_told(const struct sf_output *o, struct window *w)
{
    size_t n = o->event.len;

    if (!n || w->head.len < n || memcmp(w->head.buf, o->event.buf, n) != 0)
        return;
    sf_strbuf_splice(&w->head, 0, n, "", 0);
    w->total -= n;
}

void sf_output_news(struct sf_output *o, struct sf_strbuf *out)
{
    struct sf_strbuf line = SF_STRBUF_INIT;
    struct window w;

    window_copy(&w, &o->news);
    sf_plain_line(&o->plain, &line);
    window_add(&w, line.buf, line.len);
    skip_told(o, &w);
    show(o, &w, out);
    window_release(&w);
    sf_strbuf_release(&o->event);
    o->event = line;
    window_release(&o->news);
    window_init(&o->news, o->shown);
    o->news.lines_before = o->all.lines;
}

uint64_t sf_output_lines(const struct sf_output *o)
{
    return o->all.lines + (o->open || o->plain.count > 0);
}

void sf_output_free(struct sf_output *o)
{
    if (!o)
        return;
    stop_file(o);
    window_release(&o->all);
    window_release(&o->news);
    sf_plain_release(&o->plain);
    sf_strbuf_release(&o->clean);
    sf_strbuf_release(&o->event);
    free(o->spill_dir);
    free(o->file);
    free(o);
}
