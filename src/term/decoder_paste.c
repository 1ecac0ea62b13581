/*
 * decoder_paste.c: what is pasted, made plain. Only its own end mark ends a bracketed paste; every
 * other control is dropped but tabs and line breaks, so nothing in it can act as a key. Each byte
 * is looked at once.
 */
#include "term/decoder_build.h"
#include "term/key.h"

enum { KEEP = 64 * 1024 }; /* memory that stays for the next paste */

static const char end_mark[] = "\033[201~";

void sf_decode_paste_begin(struct sf_term_decoder *d, enum sf_decoder_state state)
{
    d->state = state;
    d->part.len = 0;
    d->cut = d->after_cr = false;
    d->matched = 0;
}

static void add(struct sf_term_decoder *d, const char *bytes, size_t len)
{
    size_t room = SF_PASTE_MAX - d->paste.len;

    if (d->cut || len > room) {
        len = d->cut ? 0 : sf_utf8_cut(bytes, room);
        d->cut = true;
    }
    sf_strbuf_add(&d->paste, bytes, len);
}

static void add_char(struct sf_term_decoder *d, uint32_t cp)
{
    bool doubled = d->after_cr && cp == '\n';
    char bytes[4];

    d->after_cr = cp == '\r';
    if (cp == '\r')
        cp = '\n';
    if (!doubled && (cp == '\n' || cp == '\t' || sf_key_is_printable(cp)))
        add(d, bytes, sf_utf8_encode(cp, bytes));
}

static void add_byte(struct sf_term_decoder *d, unsigned char byte)
{
    bool again = true;
    uint32_t cp;

    while (again)
        if (sf_decode_utf8(&d->part, byte, &cp, &again))
            add_char(d, cp);
}

/* Plain ASCII in front goes over as it is. */
static size_t plain_run(const char *bytes, size_t len)
{
    size_t n = 0;

    while (n < len && bytes[n] >= 0x20 && bytes[n] < 0x7f)
        n++;
    return n;
}

static void add_span(struct sf_term_decoder *d, const char *bytes, size_t len)
{
    while (len) {
        size_t n = d->part.len ? 0 : plain_run(bytes, len);

        if (n) {
            add(d, bytes, n);
            d->after_cr = false;
        } else {
            add_byte(d, (unsigned char)bytes[0]);
            n = 1;
        }
        bytes += n;
        len -= n;
    }
}

void sf_decode_paste_end(struct sf_term_decoder *d)
{
    struct sf_term_event event = { .kind = SF_TERM_PASTE };

    if (d->part.len)
        add_char(d, SF_UTF8_REPLACEMENT);
    d->part.len = 0;
    d->state = SF_DECODE_GROUND;
    event.text = d->paste.buf;
    event.len = d->paste.len;
    event.cut = d->cut;
    sf_decode_tell(d, &event);
    if (d->paste.cap > KEEP)
        sf_strbuf_release(&d->paste);
    sf_strbuf_reset(&d->paste);
}

/* A byte where the end mark may stand; what only looked like it is part of the text. */
static void match(struct sf_term_decoder *d, char byte)
{
    if (byte == end_mark[d->matched]) {
        d->matched++;
        return;
    }
    add_span(d, end_mark, d->matched);
    d->matched = byte == end_mark[0];
    if (!d->matched)
        add_span(d, &byte, 1);
}

static size_t before_escape(const char *bytes, size_t len)
{
    const char *esc = memchr(bytes, end_mark[0], len);

    return esc ? (size_t)(esc - bytes) : len;
}

size_t sf_decode_paste(struct sf_term_decoder *d, const char *bytes, size_t len)
{
    size_t at = 0;

    if (d->state == SF_DECODE_BURST) {
        add_span(d, bytes, len);
        return len;
    }
    while (at < len && d->matched < sizeof(end_mark) - 1) {
        size_t n = d->matched ? 0 : before_escape(bytes + at, len - at);

        add_span(d, bytes + at, n);
        at += n;
        if (at < len)
            match(d, bytes[at++]);
    }
    if (d->matched == sizeof(end_mark) - 1)
        sf_decode_paste_end(d);
    return at;
}
