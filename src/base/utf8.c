/*
 * utf8.c: the decoder is a table of lead bytes. Only the second byte of a sequence has bounds
 * of its own; they alone keep out overlong forms, surrogates and what lies above U+10FFFF, so a
 * sequence that passes them needs no second look.
 */
#include "base/utf8.h"

#include <string.h>

#include "base/base.h"

static const struct lead {
    unsigned char first, last; /* lead bytes this row speaks for */
    unsigned char more;        /* bytes that follow */
    unsigned char low, high;   /* bounds of the second byte */
} leads[] = {
    { 0xc2, 0xdf, 1, 0x80, 0xbf }, { 0xe0, 0xe0, 2, 0xa0, 0xbf }, { 0xe1, 0xec, 2, 0x80, 0xbf },
    { 0xed, 0xed, 2, 0x80, 0x9f }, { 0xee, 0xef, 2, 0x80, 0xbf }, { 0xf0, 0xf0, 3, 0x90, 0xbf },
    { 0xf1, 0xf3, 3, 0x80, 0xbf }, { 0xf4, 0xf4, 3, 0x80, 0x8f },
};

static const struct lead *find_lead(unsigned char byte)
{
    for (size_t i = 0; i < SF_COUNT(leads); i++)
        if (byte >= leads[i].first && byte <= leads[i].last)
            return &leads[i];
    return NULL;
}

size_t sf_utf8_decode(const char *s, size_t len, uint32_t *cp)
{
    const unsigned char *p = (const unsigned char *)s;
    const struct lead *lead;
    uint32_t value;

    *cp = SF_UTF8_INVALID;
    if (!len)
        return 0;
    if (p[0] < 0x80) {
        *cp = p[0];
        return 1;
    }
    lead = find_lead(p[0]);
    if (!lead)
        return 1;
    value = p[0] & (0x3fu >> lead->more);
    for (size_t i = 1; i <= lead->more; i++) {
        unsigned char low = i == 1 ? lead->low : 0x80, high = i == 1 ? lead->high : 0xbf;

        if (i >= len || p[i] < low || p[i] > high)
            return i;
        value = value << 6 | (p[i] & 0x3fu);
    }
    *cp = value;
    return lead->more + 1u;
}

size_t sf_utf8_encode(uint32_t cp, char out[4])
{
    static const unsigned char marks[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
    size_t n;

    if (cp > SF_UTF8_LAST || (cp >= 0xd800 && cp <= 0xdfff))
        cp = SF_UTF8_REPLACEMENT;
    n = cp < 0x80 ? 1 : cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
    for (size_t i = n - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (cp & 0x3f));
        cp >>= 6;
    }
    out[0] = (char)(marks[n] | cp);
    return n;
}

/* The length of the ASCII text in front, counted in words: most text is nothing else. */
static size_t ascii_span(const char *s, size_t len)
{
    size_t at = 0;
    uint64_t word;

    for (; len - at >= sizeof(word); at += sizeof(word)) {
        memcpy(&word, s + at, sizeof(word));
        if (word & 0x8080808080808080u)
            break;
    }
    while (at < len && (unsigned char)s[at] < 0x80)
        at++;
    return at;
}

/* The length of the valid text in front. */
static size_t valid_span(const char *s, size_t len)
{
    size_t at = 0;

    while ((at += ascii_span(s + at, len - at)) < len) {
        uint32_t cp;
        size_t n = sf_utf8_decode(s + at, len - at, &cp);

        if (cp == SF_UTF8_INVALID)
            break;
        at += n;
    }
    return at;
}

size_t sf_utf8_cut(const char *s, size_t len)
{
    while (len > 0 && ((unsigned char)s[len] & 0xc0) == 0x80)
        len--;
    return len;
}

bool sf_utf8_valid(const char *s, size_t len, size_t *bad_at)
{
    size_t at = len ? valid_span(s, len) : 0;

    if (bad_at)
        *bad_at = at;
    return at == len;
}

void sf_utf8_add(struct sf_strbuf *sb, uint32_t cp)
{
    char bytes[4];

    sf_strbuf_add(sb, bytes, sf_utf8_encode(cp, bytes));
}

void sf_utf8_scrub(struct sf_strbuf *out, const char *s, size_t len)
{
    size_t at = 0;

    while (at < len) {
        size_t good = valid_span(s + at, len - at);
        uint32_t cp;

        sf_strbuf_add(out, s + at, good);
        at += good;
        if (at < len) {
            at += sf_utf8_decode(s + at, len - at, &cp);
            sf_utf8_add(out, SF_UTF8_REPLACEMENT);
        }
    }
}
