/*
 * repair.c: the hiding place is a corner of the private characters at the end of Unicode, one for
 * each byte from 0x80. A real character from that corner is hidden byte by byte as well, which
 * keeps the way back unique.
 */
#include "wire/repair.h"

#include <stdint.h>
#include <string.h>

#include "base/base.h"

#define HIDDEN 0x10ff00u

static bool is_hidden(uint32_t cp)
{
    return cp >= (HIDDEN | 0x80) && cp <= (HIDDEN | 0xff);
}

static void hide(struct sf_strbuf *out, const char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        sf_utf8_add(out, HIDDEN | (unsigned char)bytes[i]);
}

static bool read_hex(const char *text, size_t len, uint32_t *code)
{
    static const char digits[] = "0123456789abcdefABCDEF";

    *code = 0;
    if (len < 6 || text[0] != '\\' || text[1] != 'u')
        return false;
    for (int i = 2; i < 6; i++) {
        const char *digit = text[i] ? strchr(digits, text[i]) : NULL;
        ptrdiff_t value = digit ? digit - digits : -1;

        if (value < 0)
            return false;
        *code = *code << 4 | (uint32_t)(value < 16 ? value : value - 6);
    }
    return true;
}

/* At a backslash; returns the bytes it took. */
static size_t repair_escape(struct sf_strbuf *out, const char *text, size_t len, bool *changed)
{
    char bytes[4];
    uint32_t code, low;

    if (!read_hex(text, len, &code)) {
        size_t n = len < 2 ? len : 2;

        if (n == 2 && (unsigned char)text[1] >= 0x80)
            n = 1;
        sf_strbuf_add(out, text, n);
        return n;
    }
    if (code && (code < 0xd800 || code > 0xdfff)) {
        sf_strbuf_add(out, text, 6);
        return 6;
    }
    if (code >= 0xd800 && code < 0xdc00 && read_hex(text + 6, len - 6, &low) && low >= 0xdc00 &&
        low <= 0xdfff) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        if (is_hidden(code))
            hide(out, bytes, sf_utf8_encode(code, bytes));
        else
            sf_strbuf_add(out, text, 12);
        return 12;
    }
    sf_utf8_add(out, SF_UTF8_REPLACEMENT);
    *changed = true;
    return 6;
}

static size_t repair_wide(struct sf_strbuf *out, const char *text, size_t len, bool *changed)
{
    uint32_t cp;
    size_t n = sf_utf8_decode(text, len, &cp);

    if (cp == SF_UTF8_INVALID || is_hidden(cp))
        hide(out, text, n);
    else
        sf_strbuf_add(out, text, n);
    *changed = *changed || cp == SF_UTF8_INVALID;
    return n;
}

bool sf_repair_json(struct sf_strbuf *out, const char *text, size_t len, size_t max)
{
    bool changed = false;

    for (size_t at = 0; at < len && out->len <= max;) {
        size_t plain = at;

        while (plain < len && text[plain] != '\\' && (unsigned char)text[plain] < 0x80)
            plain++;
        sf_strbuf_add(out, text + at, plain - at);
        at = plain;
        if (at < len)
            at += text[at] == '\\' ? repair_escape(out, text + at, len - at, &changed)
                                   : repair_wide(out, text + at, len - at, &changed);
    }
    return changed && out->len <= max;
}

void sf_repair_undo(struct sf_strbuf *out, const char *text, size_t len)
{
    for (size_t at = 0; at < len;) {
        uint32_t cp;
        size_t n = sf_utf8_decode(text + at, len - at, &cp);

        if (is_hidden(cp))
            sf_strbuf_addch(out, (char)(cp & 0xff));
        else
            sf_strbuf_add(out, text + at, n);
        at += n;
    }
}
