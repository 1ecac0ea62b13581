/*
 * plain.c: a terminal of one line. Bytes become characters, characters run through the states
 * of an escape sequence, and what is left is written at the cursor of a line of cells.
 *
 * Every step costs the same whatever the line holds: a sequence never fills or moves cells, so
 * hostile output cannot buy much work with few bytes.
 */
#include "base/plain.h"

#include <stdlib.h>

#include "base/base.h"

enum { GROUND, ESCAPE, ESCAPE_MORE, CSI, STRING };

enum {
    BELL = 0x07,
    BACKSPACE = 0x08,
    SHIFT_OUT = 0x0e,
    SHIFT_IN = 0x0f,
    CANCEL = 0x18,
    SUBSTITUTE = 0x1a,
    ESC = 0x1b,
    DEL = 0x7f,
    NUMBER_MAX = 100000,
};

static void emit_cells(const struct sf_plain *p, struct sf_strbuf *out)
{
    for (size_t i = 0; i < p->count; i++) {
        if (p->cells[i] < 0x80)
            sf_strbuf_addch(out, (char)p->cells[i]);
        else
            sf_utf8_add(out, p->cells[i]);
    }
}

static void clear_line(struct sf_plain *p)
{
    p->count = p->cursor = 0;
    p->returned = false;
}

static void end_line(struct sf_plain *p, struct sf_strbuf *out)
{
    emit_cells(p, out);
    sf_strbuf_addch(out, '\n');
    clear_line(p);
    p->begun = false;
}

/* What has gone out cannot be overwritten any more: the new text gets a line of its own. */
static void put(struct sf_plain *p, uint32_t cp, struct sf_strbuf *out)
{
    if (p->begun && p->returned)
        end_line(p, out);
    if (p->cursor == SF_PLAIN_LINE) {
        emit_cells(p, out);
        clear_line(p);
        p->begun = true;
    }
    p->cells = sf_grow(p->cells, &p->cap, p->cursor + 1, sizeof(*p->cells));
    p->cells[p->cursor++] = cp;
    if (p->cursor > p->count)
        p->count = p->cursor;
    p->returned = false;
}

static void control(struct sf_plain *p, uint32_t cp, struct sf_strbuf *out)
{
    switch (cp) {
    case '\n':
        end_line(p, out);
        break;
    case '\r':
        p->cursor = 0;
        p->returned = true;
        break;
    case BACKSPACE:
        p->cursor -= p->cursor > 0;
        break;
    case BELL:
    case SHIFT_IN:
    case SHIFT_OUT:
        break;
    case '\t':
        put(p, cp, out);
        break;
    default:
        put(p, cp == DEL ? 0x2421 : 0x2400 + cp, out);
    }
}

static void begin(struct sf_plain *p, int state)
{
    p->state = state;
    p->number = 0;
    p->first = true;
    p->odd = false;
}

/* The letter behind ESC; a C1 control is both in one character. */
static void escape(struct sf_plain *p, uint32_t letter)
{
    switch (letter) {
    case '[':
        begin(p, CSI);
        break;
    case ']': /* operating system command */
    case 'P': /* device control */
    case 'X': /* start of string */
    case '^': /* privacy message */
    case '_': /* application program */
        begin(p, STRING);
        break;
    default:
        p->state = letter >= 0x20 && letter < 0x30 ? ESCAPE_MORE : GROUND;
    }
}

static void policy(struct sf_plain *p, uint32_t cp, struct sf_strbuf *out)
{
    p->state = GROUND;
    if (cp == ESC || (cp >= 0x80 && cp < 0xa0))
        p->skipped = 0;
    if (cp == ESC)
        p->state = ESCAPE;
    else if (cp < 0x20 || cp == DEL)
        control(p, cp, out);
    else if (cp >= 0x80 && cp < 0xa0)
        escape(p, cp - 0x40);
    else
        put(p, sf_text_is_hidden(cp) ? SF_UTF8_REPLACEMENT : cp, out);
}

/* The few sequences that matter within a line; an absent number is 0. */
static void move(struct sf_plain *p, uint32_t letter, struct sf_strbuf *out)
{
    size_t n = p->number ? p->number : 1;

    switch (letter) {
    case 'K': /* erase: to the end, or the whole line */
        if (p->number == 0)
            p->count = p->cursor;
        else if (p->number == 2)
            clear_line(p);
        break;
    case 'C': /* right; behind the end one blank keeps words apart */
        if (p->cursor == p->count)
            put(p, ' ', out);
        else
            p->cursor += n < p->count - p->cursor ? n : p->count - p->cursor;
        break;
    case 'D': /* left */
        p->cursor -= n < p->cursor ? n : p->cursor;
        break;
    case 'G': /* to a column */
        p->cursor = n - 1 < p->count ? n - 1 : p->count;
        break;
    default:
        break;
    }
}

static void csi(struct sf_plain *p, uint32_t cp, struct sf_strbuf *out)
{
    if (cp >= '0' && cp <= '9') {
        if (p->first && p->number < NUMBER_MAX)
            p->number = p->number * 10 + (cp - '0');
    } else if (cp == ';' || cp == ':') {
        p->first = false;
    } else if (cp < 0x40) {
        p->odd = true;
    } else {
        p->state = GROUND;
        if (!p->odd)
            move(p, cp, out);
    }
}

/* What is no part of any sequence: it ends one, and is taken for itself. */
static bool is_foreign(const struct sf_plain *p, uint32_t cp)
{
    if (cp == '\n' || cp == ESC || (cp >= 0x80 && cp < 0xa0))
        return true;
    return p->skipped > SF_PLAIN_SKIP || (cp >= 0x80 && p->state != STRING);
}

static bool is_last(const struct sf_plain *p, uint32_t cp)
{
    if (cp == CANCEL || cp == SUBSTITUTE)
        return true;
    return p->state == STRING ? cp == BELL : p->state == ESCAPE_MORE && cp >= 0x30 && cp < DEL;
}

static void sequence(struct sf_plain *p, uint32_t cp, struct sf_strbuf *out)
{
    p->skipped++;
    if (is_last(p, cp))
        p->state = GROUND;
    else if (is_foreign(p, cp))
        policy(p, cp, out);
    else if (p->state == STRING || cp == DEL)
        return;
    else if (cp < 0x20)
        control(p, cp, out);
    else if (p->state == CSI)
        csi(p, cp, out);
    else if (p->state == ESCAPE)
        escape(p, cp);
}

static void take(struct sf_plain *p, uint32_t cp, struct sf_strbuf *out)
{
    if (cp == SF_UTF8_INVALID)
        cp = SF_UTF8_REPLACEMENT;
    if (p->state == GROUND)
        policy(p, cp, out);
    else
        sequence(p, cp, out);
}

/* Bytes that are whole lines of plain ASCII, which need no cells. */
static size_t easy_span(const char *data, size_t len)
{
    size_t end = 0;

    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)data[i];

        if (c == '\n')
            end = i + 1;
        else if ((c < 0x20 && c != '\t') || c >= DEL)
            break;
    }
    return end;
}

/* More bytes may still make a character of these. */
static bool is_cut(const char *s, size_t len)
{
    uint32_t cp;

    return (unsigned char)s[0] >= 0xc2 && (unsigned char)s[0] <= 0xf4 &&
           sf_utf8_decode(s, len, &cp) == len && cp == SF_UTF8_INVALID;
}

static void take_part(struct sf_plain *p, struct sf_strbuf *out)
{
    while (p->part_len && !is_cut(p->part, p->part_len)) {
        uint32_t cp;
        size_t n = sf_utf8_decode(p->part, p->part_len, &cp);

        p->part_len -= n;
        memmove(p->part, p->part + n, p->part_len);
        take(p, cp, out);
    }
}

void sf_plain_add(struct sf_plain *p, const char *data, size_t len, struct sf_strbuf *out)
{
    size_t easy;

    for (size_t at = 0; at < len; at += easy) {
        bool fresh = p->state == GROUND && !p->count && !p->begun && !p->part_len;

        easy = fresh ? easy_span(data + at, len - at) : 0;
        if (easy) {
            sf_strbuf_add(out, data + at, easy);
            p->returned = false;
            continue;
        }
        easy = 1;
        p->part[p->part_len++] = data[at];
        take_part(p, out);
    }
}

void sf_plain_line(const struct sf_plain *p, struct sf_strbuf *out)
{
    emit_cells(p, out);
}

void sf_plain_end(struct sf_plain *p, struct sf_strbuf *out)
{
    if (p->part_len)
        take(p, SF_UTF8_INVALID, out);
    emit_cells(p, out);
    clear_line(p);
    p->begun = false;
    p->part_len = 0;
    p->state = GROUND;
}

void sf_plain_release(struct sf_plain *p)
{
    free(p->cells);
    *p = (struct sf_plain)SF_PLAIN_INIT;
}
