/*
 * decoder.c: the states bytes walk through. Each state has a step; a step that returns false has
 * left its state and wants the byte looked at again in the next one. Finished sequences are read
 * in decoder_csi.c and decoder_string.c.
 *
 * Nothing can hold the keyboard for long: a sequence ends at ESC, at its ceiling or after a few
 * timeouts; only a bracketed paste waits for its own end.
 */
#include "term/decoder.h"

#include "term/decoder_build.h"
#include "term/key.h"

enum { BEL = 0x07, CAN = 0x18, SUB = 0x1a, ESC = 0x1b, DEL = 0x7f };

typedef bool step_fn(struct sf_term_decoder *d, unsigned char byte);

struct sf_term_decoder *sf_term_decoder_new(sf_term_event_fn *fn, void *ctx)
{
    struct sf_term_decoder *d = sf_alloc(sizeof(*d));

    d->fn = fn;
    d->ctx = ctx;
    sf_strbuf_init(&d->text);
    sf_strbuf_init(&d->paste);
    sf_strbuf_init(&d->held);
    return d;
}

void sf_term_decoder_free(struct sf_term_decoder *d)
{
    if (!d)
        return;
    sf_strbuf_release(&d->text);
    sf_strbuf_release(&d->paste);
    sf_strbuf_release(&d->held);
    free(d);
}

void sf_term_decoder_burst(struct sf_term_decoder *d, size_t bytes)
{
    d->burst = bytes;
}

/* ---- telling ---- */

static void flush_text(struct sf_term_decoder *d)
{
    const struct sf_term_event event = { .kind = SF_TERM_TEXT,
                                         .text = d->text.buf,
                                         .len = d->text.len };

    if (!event.len)
        return;
    d->fn(d->ctx, &event);
    sf_strbuf_reset(&d->text);
}

/* The first of two ESC was a key after all. */
static void settle(struct sf_term_decoder *d)
{
    const struct sf_term_event event = { .kind = SF_TERM_KEY, .key = { SF_KEY_ESCAPE, 0 } };

    if (!d->escaped)
        return;
    d->escaped = false;
    flush_text(d);
    d->fn(d->ctx, &event);
}

void sf_decode_tell(struct sf_term_decoder *d, const struct sf_term_event *event)
{
    settle(d);
    flush_text(d);
    d->fn(d->ctx, event);
}

void sf_decode_key(struct sf_term_decoder *d, struct sf_key key)
{
    const struct sf_term_event event = { .kind = SF_TERM_KEY, .key = key };

    sf_decode_tell(d, &event);
}

void sf_decode_char(struct sf_term_decoder *d, uint32_t cp)
{
    settle(d);
    if (!sf_key_is_printable(cp))
        return;
    if (d->text.len >= SF_DECODE_TEXT)
        flush_text(d);
    sf_utf8_add(&d->text, cp);
}

static void tell_alt(struct sf_term_decoder *d, uint32_t cp)
{
    unsigned shift = sf_key_lower(cp) != cp ? SF_MOD_SHIFT : 0;

    if (sf_key_is_printable(cp) && cp != SF_UTF8_REPLACEMENT)
        sf_decode_key(d, sf_key_normal(cp, SF_MOD_ALT | shift));
}

/* ---- characters ---- */

static size_t length_of(unsigned char lead)
{
    if (lead < 0xc2 || lead > 0xf4)
        return 0;
    return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

bool sf_decode_utf8(struct sf_decoder_part *part, unsigned char byte, uint32_t *cp, bool *again)
{
    size_t n;

    *again = false;
    if (!part->len && byte < 0x80) {
        *cp = byte;
        return true;
    }
    part->bytes[part->len++] = (char)byte;
    n = sf_utf8_decode(part->bytes, part->len, cp);
    if (*cp == SF_UTF8_INVALID) {
        if (n == part->len && n < length_of((unsigned char)part->bytes[0]))
            return false;
        *cp = SF_UTF8_REPLACEMENT;
        *again = n < part->len;
    }
    part->len = 0;
    return true;
}

/* ---- states ---- */

static void begin(struct sf_term_decoder *d, enum sf_decoder_state state)
{
    d->state = state;
    d->seq_len = 0;
    d->timeouts = 0;
}

static void leave(struct sf_term_decoder *d)
{
    d->state = SF_DECODE_GROUND;
    d->part.len = 0;
    settle(d);
}

/* Keeps a byte of a sequence; one without end is given up. */
static void keep(struct sf_term_decoder *d, unsigned char byte)
{
    if (d->seq_len < SF_DECODE_SEQ)
        d->seq[d->seq_len] = (char)byte;
    if (++d->seq_len > SF_DECODE_SWALLOW)
        leave(d);
}

static bool step_ground(struct sf_term_decoder *d, unsigned char byte)
{
    bool again;
    uint32_t cp;

    if (!sf_decode_utf8(&d->part, byte, &cp, &again))
        return true;
    if (cp == ESC)
        begin(d, SF_DECODE_ESC);
    else if (cp < 0x20 || cp == DEL)
        sf_decode_key(d, sf_key_of_control((unsigned char)cp));
    else
        sf_decode_char(d, cp);
    return !again;
}

static bool step_alt(struct sf_term_decoder *d, unsigned char byte)
{
    bool again;
    uint32_t cp;

    if (!sf_decode_utf8(&d->part, byte, &cp, &again))
        return true;
    leave(d);
    tell_alt(d, cp);
    return !again;
}

static void alt_control(struct sf_term_decoder *d, unsigned char byte)
{
    struct sf_key key = sf_key_of_control(byte);

    key.mods |= SF_MOD_ALT;
    leave(d);
    sf_decode_key(d, key);
}

static bool step_esc(struct sf_term_decoder *d, unsigned char byte)
{
    if (byte == ESC) {
        settle(d);
        d->escaped = true;
    } else if (byte == '[') {
        begin(d, SF_DECODE_CSI);
    } else if (byte == 'O') {
        begin(d, SF_DECODE_SS3);
    } else if (byte && strchr("]P_^X", byte)) {
        settle(d);
        begin(d, SF_DECODE_STRING);
        d->kind = (char)byte;
    } else if (byte < 0x20 || byte == DEL) {
        alt_control(d, byte);
    } else {
        d->state = SF_DECODE_ALT;
        return false;
    }
    return true;
}

static bool step_ss3(struct sf_term_decoder *d, unsigned char byte)
{
    if (byte >= '0' && byte <= '9') {
        keep(d, byte);
        return true;
    }
    d->state = SF_DECODE_GROUND;
    if (byte >= 0x20 && byte < DEL)
        sf_decode_ss3(d, (char)byte);
    settle(d);
    return byte >= 0x20 && byte < DEL;
}

/* rxvt ends keys with Shift in "$", which is no end elsewhere: CSI 3 $, but CSI ? 5 ; 1 $ y. */
static bool is_rxvt_shift(const struct sf_term_decoder *d, unsigned char byte)
{
    if (byte != '$' || !d->seq_len || d->seq_len > 2)
        return false;
    for (size_t i = 0; i < d->seq_len; i++)
        if (d->seq[i] < '0' || d->seq[i] > '9')
            return false;
    return true;
}

static bool step_csi(struct sf_term_decoder *d, unsigned char byte)
{
    bool final = (byte >= 0x40 && byte < DEL) || is_rxvt_shift(d, byte);

    if (byte == '[' && !d->seq_len) {
        begin(d, SF_DECODE_CONSOLE);
    } else if (final) {
        d->state = SF_DECODE_GROUND;
        sf_decode_csi(d, (char)byte);
        settle(d);
    } else if (byte >= 0x20 && byte < 0x40) {
        keep(d, byte);
    } else {
        leave(d);
        return false;
    }
    return true;
}

static bool step_console(struct sf_term_decoder *d, unsigned char byte)
{
    d->state = SF_DECODE_GROUND;
    if (byte >= 0x20 && byte < DEL)
        sf_decode_console(d, (char)byte);
    settle(d);
    return byte >= 0x20 && byte < DEL;
}

static bool step_x10(struct sf_term_decoder *d, unsigned char byte)
{
    if (byte < 0x20) {
        leave(d);
        return false;
    }
    keep(d, byte);
    if (d->seq_len == 3) {
        d->state = SF_DECODE_GROUND;
        sf_decode_x10(d);
    }
    return true;
}

static bool step_string(struct sf_term_decoder *d, unsigned char byte)
{
    if (byte == ESC) {
        d->state = SF_DECODE_STRING_ESC;
    } else if (byte == BEL) {
        d->state = SF_DECODE_GROUND;
        sf_decode_string(d);
    } else if (byte == CAN || byte == SUB) {
        leave(d);
    } else {
        keep(d, byte);
    }
    return true;
}

/* Any other byte than "\" drops the string: its ESC began something new. */
static bool step_string_esc(struct sf_term_decoder *d, unsigned char byte)
{
    if (byte == '\\') {
        d->state = SF_DECODE_GROUND;
        sf_decode_string(d);
        return true;
    }
    begin(d, SF_DECODE_ESC);
    return false;
}

static void step(struct sf_term_decoder *d, unsigned char byte)
{
    static step_fn *const steps[] = {
        [SF_DECODE_GROUND] = step_ground,
        [SF_DECODE_ESC] = step_esc,
        [SF_DECODE_ALT] = step_alt,
        [SF_DECODE_SS3] = step_ss3,
        [SF_DECODE_CSI] = step_csi,
        [SF_DECODE_CONSOLE] = step_console,
        [SF_DECODE_X10] = step_x10,
        [SF_DECODE_STRING] = step_string,
        [SF_DECODE_STRING_ESC] = step_string_esc,
    };

    while (!steps[d->state](d, byte))
        ;
}

/* ---- feeding and waiting ---- */

static bool is_break(char c)
{
    return c == '\r' || c == '\n';
}

/* What a feed looks like up to the first control that is neither tab nor line break. */
struct burst {
    size_t printable;
    size_t breaks; /* Line breaks at the end of the feed; 0 where there is another control. */
    bool inside;   /* Text stands behind a line break. */
};

static struct burst look_at(const char *bytes, size_t len)
{
    struct burst b = { 0 };
    size_t i = 0;

    for (; i < len; i++) {
        unsigned char c = (unsigned char)bytes[i];

        if (is_break(bytes[i])) {
            b.breaks++;
        } else if (c >= 0x20 && c != DEL) {
            b.printable++;
            b.inside = b.inside || b.breaks;
            b.breaks = 0;
        } else if (c != '\t') {
            break;
        }
    }
    if (i < len)
        b.breaks = 0;
    return b;
}

static void replay_held(struct sf_term_decoder *d)
{
    for (size_t i = 0; i < d->held.len; i++)
        step(d, (unsigned char)d->held.buf[i]);
    sf_strbuf_reset(&d->held);
}

/* Text or another line break behind those that wait: all of it is a paste. */
static void settle_held(struct sf_term_decoder *d, char next)
{
    if ((unsigned char)next < 0x20 && !is_break(next) && next != '\t') {
        replay_held(d);
        return;
    }
    sf_decode_paste_begin(d, SF_DECODE_BURST);
    sf_decode_paste(d, d->held.buf, d->held.len);
    sf_strbuf_reset(&d->held);
}

/* Returns how many bytes at the end are held back. */
static size_t begin_burst(struct sf_term_decoder *d, const char *bytes, size_t len)
{
    const struct burst b = look_at(bytes, len);

    if (!d->burst || d->state != SF_DECODE_GROUND || d->part.len || b.printable <= d->burst)
        return 0;
    if (b.inside)
        sf_decode_paste_begin(d, SF_DECODE_BURST);
    return b.inside ? 0 : b.breaks;
}

void sf_term_decoder_feed(struct sf_term_decoder *d, const char *bytes, size_t len)
{
    size_t at = 0, held = 0;

    if (d->held.len && len)
        settle_held(d, bytes[0]);
    else
        held = begin_burst(d, bytes, len);
    while (at < len - held) {
        if (d->state == SF_DECODE_PASTE || d->state == SF_DECODE_BURST)
            at += sf_decode_paste(d, bytes + at, len - held - at);
        else
            step(d, (unsigned char)bytes[at++]);
    }
    sf_strbuf_add(&d->held, bytes + at, held);
    flush_text(d);
}

bool sf_term_decoder_bursts(const struct sf_term_decoder *d)
{
    return d->held.len || d->state == SF_DECODE_BURST;
}

bool sf_term_decoder_waits(const struct sf_term_decoder *d)
{
    if (d->state == SF_DECODE_GROUND)
        return d->part.len > 0 || d->held.len > 0;
    return d->state != SF_DECODE_PASTE;
}

/* ESC and the byte that would begin a sequence, and nothing behind them: it was Alt with it. */
static void settle_sequence(struct sf_term_decoder *d, uint32_t begun_by)
{
    if (!d->seq_len && begun_by) {
        leave(d);
        tell_alt(d, begun_by);
    } else if (++d->timeouts >= SF_DECODE_PATIENCE) {
        leave(d);
    }
}

void sf_term_decoder_timeout(struct sf_term_decoder *d)
{
    replay_held(d);
    switch (d->state) {
    case SF_DECODE_GROUND:
        if (d->part.len)
            sf_decode_char(d, SF_UTF8_REPLACEMENT);
        d->part.len = 0;
        break;
    case SF_DECODE_ESC:
    case SF_DECODE_STRING_ESC:
        leave(d);
        sf_decode_key(d, (struct sf_key){ SF_KEY_ESCAPE, 0 });
        break;
    case SF_DECODE_ALT:
        leave(d);
        break;
    case SF_DECODE_SS3:
        settle_sequence(d, 'O');
        break;
    case SF_DECODE_CSI:
        settle_sequence(d, '[');
        break;
    case SF_DECODE_STRING:
        settle_sequence(d, (unsigned char)d->kind);
        break;
    case SF_DECODE_CONSOLE:
    case SF_DECODE_X10:
        settle_sequence(d, 0);
        break;
    case SF_DECODE_PASTE:
        break;
    case SF_DECODE_BURST:
        sf_decode_paste_end(d);
        break;
    }
    flush_text(d);
}
