/*
 * sse.c: one state machine over bytes. The value of a line goes straight to where it belongs, the
 * data or the name of the event, so no line is ever held twice and ignored ones are not held at
 * all.
 */
#include "wire/sse.h"

#include <string.h>

#include "base/base.h"

static const char mark[] = "\xef\xbb\xbf";

enum { MARK_LENGTH = sizeof(mark) - 1, MARK_DONE };

enum field { OTHER, DATA, NAME };

void sf_sse_init(struct sf_sse *sse, size_t max, sf_sse_fn *fn, void *ctx)
{
    *sse = (struct sf_sse){
        .fn = fn, .ctx = ctx, .max = max, .name = SF_STRBUF_INIT, .data = SF_STRBUF_INIT
    };
}

void sf_sse_release(struct sf_sse *sse)
{
    sf_strbuf_release(&sse->name);
    sf_strbuf_release(&sse->data);
}

static enum field field_of(const struct sf_sse *sse)
{
    if (sse->field_len == 4 && !memcmp(sse->field, "data", 4))
        return DATA;
    return sse->field_len == 5 && !memcmp(sse->field, "event", 5) ? NAME : OTHER;
}

static void add_field(struct sf_sse *sse, const char *bytes, size_t len)
{
    for (size_t i = 0; i < len && sse->field_len <= SF_SSE_FIELD_MAX; i++) {
        if (sse->field_len < SF_SSE_FIELD_MAX)
            sse->field[sse->field_len] = bytes[i];
        sse->field_len++;
    }
}

/* Behind the colon. Lines of data are joined by newlines, a later name replaces an earlier. */
static bool begin_value(struct sf_sse *sse)
{
    sse->value = sse->space = true;
    if (field_of(sse) == NAME)
        sf_strbuf_reset(&sse->name);
    if (field_of(sse) != DATA)
        return true;
    if (sse->has_data) {
        if (sse->data.len >= sse->max)
            return false;
        sf_strbuf_addch(&sse->data, '\n');
    }
    sse->has_data = true;
    return true;
}

static bool add_value(struct sf_sse *sse, const char *bytes, size_t len)
{
    if (sse->space && len) {
        sse->space = false;
        len -= *bytes == ' ';
        bytes += *bytes == ' ';
    }
    switch (field_of(sse)) {
    case DATA:
        if (len > sse->max - sse->data.len)
            return false;
        sf_strbuf_add(&sse->data, bytes, len);
        break;
    case NAME:
        if (len > SF_SSE_NAME_MAX - sse->name.len)
            len = SF_SSE_NAME_MAX - sse->name.len;
        sf_strbuf_add(&sse->name, bytes, len);
        break;
    case OTHER:
        break;
    }
    return true;
}

/* A stretch of one line, without its end. */
static bool add_stretch(struct sf_sse *sse, const char *bytes, size_t len)
{
    const char *colon = sse->value || !len ? NULL : memchr(bytes, ':', len);
    size_t n = colon ? (size_t)(colon - bytes) : len;

    if (len > sse->max - sse->line)
        return false;
    sse->line += len;
    if (sse->value)
        return add_value(sse, bytes, len);
    add_field(sse, bytes, n);
    if (!colon)
        return true;
    return begin_value(sse) && add_value(sse, colon + 1, len - n - 1);
}

static bool dispatch(struct sf_sse *sse)
{
    bool more = !sse->has_data || sse->fn(sse->ctx, sse->name.buf, sse->data.buf, sse->data.len);

    sf_strbuf_reset(&sse->name);
    sf_strbuf_reset(&sse->data);
    sse->has_data = false;
    return more;
}

static bool end_line(struct sf_sse *sse)
{
    bool empty = !sse->line, ok = true;

    if (!empty && !sse->value)
        ok = begin_value(sse); /* "data" alone is a line of no text */
    sse->line = sse->field_len = 0;
    sse->value = sse->space = false;
    return ok && (!empty || dispatch(sse));
}

/* Swallows the mark; what turned out to be none becomes part of the first line. */
static bool skip_mark(struct sf_sse *sse, const char **bytes, size_t *len)
{
    size_t seen;

    while (*len && sse->bom < MARK_LENGTH && **bytes == mark[sse->bom]) {
        sse->bom++;
        ++*bytes;
        --*len;
    }
    if (sse->bom == MARK_LENGTH) {
        sse->bom = MARK_DONE;
        return true;
    }
    if (!*len)
        return true;
    seen = sse->bom;
    sse->bom = MARK_DONE;
    return add_stretch(sse, mark, seen);
}

static bool take(struct sf_sse *sse, const char *bytes, size_t len)
{
    if (sse->bom != MARK_DONE && !skip_mark(sse, &bytes, &len))
        return false;
    while (len) {
        size_t n = 0;

        if (sse->cr && *bytes == '\n')
            n = 1;
        sse->cr = false;
        bytes += n;
        len -= n;
        for (n = 0; n < len && bytes[n] != '\n' && bytes[n] != '\r';)
            n++;
        if (!add_stretch(sse, bytes, n))
            return false;
        if (n == len)
            break;
        sse->cr = bytes[n] == '\r';
        if (!end_line(sse))
            return false;
        bytes += n + 1;
        len -= n + 1;
    }
    return true;
}

bool sf_sse_feed(struct sf_sse *sse, const char *data, size_t len)
{
    sse->over = sse->over || !take(sse, data, len);
    return !sse->over;
}

bool sf_sse_finish(struct sf_sse *sse)
{
    sse->over = sse->over || (sse->line && !end_line(sse)) || !dispatch(sse);
    return !sse->over;
}
