/*
 * flow.c: requests are collected in the struct; `settle` writes them.
 */
#include "tools/flow.h"

#include "base/base.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

bool sf_flow_full(const struct sf_flow *f)
{
    return f->out->len - f->start >= f->max;
}

size_t sf_flow_shown(const struct sf_flow *f)
{
    return f->shown;
}

void sf_flow_break(struct sf_flow *f, int breaks)
{
    f->space = false;
    if (f->breaks < breaks && !f->bars)
        f->breaks = breaks;
}

void sf_flow_line(struct sf_flow *f)
{
    sf_flow_break(f, f->breaks < 2 ? f->breaks + 1 : 2);
}

void sf_flow_prefix(struct sf_flow *f, const char *prefix)
{
    size_t len = strlen(f->prefix);

    if (len + strlen(prefix) < sizeof(f->prefix))
        snprintf(f->prefix + len, sizeof(f->prefix) - len, "%s", prefix);
}

bool sf_flow_clear(struct sf_flow *f)
{
    bool waiting = *f->prefix;

    f->prefix[0] = '\0';
    return waiting;
}

void sf_flow_bar(struct sf_flow *f)
{
    f->bars++;
    f->space = false;
    if (f->shown > f->row_shown)
        f->breaks = 0;
}

void sf_flow_end_row(struct sf_flow *f)
{
    f->bars = 0;
    f->row_shown = f->shown;
}

static bool at_line_start(const struct sf_flow *f)
{
    return f->out->len == f->start || f->out->buf[f->out->len - 1] == '\n';
}

static void write_breaks(struct sf_flow *f)
{
    size_t len = f->out->len;
    int there = 0;

    while (there < f->breaks && len - (size_t)there > f->start &&
           f->out->buf[len - (size_t)there - 1] == '\n')
        there++;
    if (len > f->start && there < f->breaks)
        sf_strbuf_fill(f->out, '\n', (size_t)(f->breaks - there));
    f->breaks = 0;
}

static void settle(struct sf_flow *f)
{
    bool space = f->space;

    f->space = false;
    if (f->breaks)
        write_breaks(f);
    if (*f->prefix) {
        sf_strbuf_adds(f->out, f->prefix);
        f->prefix[0] = '\0';
        space = false;
    }
    for (; f->bars; f->bars--, space = false)
        sf_strbuf_adds(f->out, at_line_start(f) ? "| " : " | ");
    if (space && !at_line_start(f))
        sf_strbuf_addch(f->out, ' ');
}

static bool is_visible(char c)
{
    return (unsigned char)c > ' ' && c != 0x7f;
}

/* "\r\n" counts once. */
static void add_blank(struct sf_flow *f, char c)
{
    if (!f->exact) {
        f->space = true;
        return;
    }
    if (c == '\r')
        return;
    settle(f);
    sf_strbuf_addch(f->out, (char)(c == '\f' ? '\n' : c));
}

static void add_visible(struct sf_flow *f, const char *text, size_t len)
{
    size_t room;

    settle(f);
    room = sf_flow_full(f) ? 0 : f->max - (f->out->len - f->start);
    sf_strbuf_add(f->out, text, len < room ? len : room);
    f->shown += len;
}

void sf_flow_text(struct sf_flow *f, const char *text, size_t len)
{
    for (size_t at = 0; at < len && !sf_flow_full(f);) {
        size_t n = 0;

        while (at + n < len && is_visible(text[at + n]))
            n++;
        if (n)
            add_visible(f, text + at, n);
        else if (is_blank(text[at]))
            add_blank(f, text[at]);
        at += n ? n : 1;
    }
}

/* A no-break space becomes a space; a soft hyphen is dropped. */
void sf_flow_char(struct sf_flow *f, uint32_t cp)
{
    char bytes[4];

    if (cp == 0xad)
        return;
    sf_flow_text(f, bytes, sf_utf8_encode(cp == 0xa0 ? ' ' : cp, bytes));
}

void sf_flow_mark(struct sf_flow *f, const char *text)
{
    if (!sf_flow_full(f))
        sf_strbuf_adds(f->out, text);
}
