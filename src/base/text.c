/*
 * text.c: one table says which characters are not shown as themselves; `show` is its only
 * reader, and both measuring and sanitising go through it, which is why they agree.
 *
 * Sanitising maps code point by code point, decomposes, and composes again in stretches that
 * end at ASCII, with which nothing in front of it ever composes. Marks are counted in decomposed
 * form: that bounds the sort, and makes a second pass count what the first one counted.
 */
#include "base/text.h"

#include <inttypes.h>
#include <locale.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <wchar.h>

#include <utf8proc.h>

#include "base/base.h"

enum fate { DROP, HIDDEN };

/*
 * Ascending. Everything Unicode calls default ignorable is here, plus skin tones, separators
 * and the format characters without a glyph; Arabic number signs and their like are format
 * characters too, but visible, and stay.
 */
static const struct unshown {
    uint32_t first, last;
    enum fate fate;
} unshown[] = {
    { 0x00ad, 0x00ad, DROP },     /* soft hyphen */
    { 0x034f, 0x034f, DROP },     /* combining grapheme joiner */
    { 0x061c, 0x061c, HIDDEN },   /* arabic letter mark: bidi */
    { 0x115f, 0x1160, HIDDEN },   /* hangul fillers: look like nothing, count as letters */
    { 0x17b4, 0x17b5, DROP },     /* khmer inherent vowels */
    { 0x180b, 0x180f, DROP },     /* mongolian variation selectors, vowel separator */
    { 0x200b, 0x200b, HIDDEN },   /* zero width space */
    { 0x200c, 0x200d, DROP },     /* the joiners */
    { 0x200e, 0x200f, HIDDEN },   /* bidi marks */
    { 0x2028, 0x202e, HIDDEN },   /* separators, bidi embeddings and overrides */
    { 0x2060, 0x206f, HIDDEN },   /* word joiner, invisible operators, bidi isolates */
    { 0x3164, 0x3164, HIDDEN },   /* hangul filler */
    { 0xfe00, 0xfe0f, DROP },     /* variation selectors */
    { 0xfeff, 0xfeff, HIDDEN },   /* byte order mark */
    { 0xffa0, 0xffa0, HIDDEN },   /* hangul filler, half width */
    { 0xfff0, 0xfffb, HIDDEN },   /* interlinear annotation */
    { 0x13430, 0x1343f, HIDDEN }, /* hieroglyph format controls */
    { 0x1bca0, 0x1bca3, HIDDEN }, /* shorthand format controls */
    { 0x1d173, 0x1d17a, HIDDEN }, /* musical format controls */
    { 0x1f3fb, 0x1f3ff, DROP },   /* skin tones */
    { 0xe0000, 0xe00ff, HIDDEN }, /* tags: ASCII nobody sees */
    { 0xe0100, 0xe01ef, DROP },   /* variation selectors */
    { 0xe01f0, 0xe0fff, HIDDEN }, /* reserved to be ignorable */
};

static const struct unshown *find_unshown(uint32_t cp)
{
    size_t low = 0, high = SF_COUNT(unshown);

    while (low < high) {
        size_t mid = (low + high) / 2;

        if (cp > unshown[mid].last)
            low = mid + 1;
        else
            high = mid;
    }
    return low < SF_COUNT(unshown) && cp >= unshown[low].first ? &unshown[low] : NULL;
}

bool sf_text_is_hidden(uint32_t cp)
{
    const struct unshown *u = cp < unshown[0].first ? NULL : find_unshown(cp);

    return u && u->fate == HIDDEN;
}

static locale_t utf8_ctype; /* lives as long as the process; 0: this system has no C.UTF-8 */

static void load_ctype(void)
{
    utf8_ctype = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
}

/* Without the locale: utf8proc's widths, which differ from wcwidth's on rare scripts only. */
static int fallback_width(uint32_t cp)
{
    utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)cp);

    if (category == UTF8PROC_CATEGORY_CN || category == UTF8PROC_CATEGORY_CC ||
        category == UTF8PROC_CATEGORY_CS)
        return -1;
    return category == UTF8PROC_CATEGORY_CO ? 1 : utf8proc_charwidth((utf8proc_int32_t)cp);
}

/* Columns, or -1 for what is no printable character. ASCII does not load the locale for it. */
static int width_of(uint32_t cp)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    locale_t before;
    int width;

    if (cp >= 0x20 && cp < 0x7f)
        return 1;
    pthread_once(&once, load_ctype);
    if (!utf8_ctype)
        return fallback_width(cp);
    before = uselocale(utf8_ctype);
    width = wcwidth((wchar_t)cp);
    uselocale(before);
    return width;
}

static bool is_plain(char c)
{
    return c >= 0x20 && c < 0x7f;
}

/* Turns the code point into the one to show and returns its columns; -1: show nothing. */
static int show(uint32_t *cp)
{
    const struct unshown *u;
    int width;

    if (*cp < 0x20 || *cp == 0x7f) {
        *cp = *cp == 0x7f ? 0x2421 : 0x2400 + *cp;
        return 1;
    }
    if (*cp < 0x7f)
        return 1;
    u = find_unshown(*cp);
    if (u && u->fate == DROP)
        return -1;
    width = u || *cp > SF_UTF8_LAST ? -1 : width_of(*cp);
    if (width >= 0)
        return width;
    *cp = SF_UTF8_REPLACEMENT;
    return 1;
}

size_t sf_text_width(const char *s, size_t len)
{
    size_t columns = 0;

    for (size_t at = 0; at < len;) {
        uint32_t cp;
        int width;

        at += sf_utf8_decode(s + at, len - at, &cp);
        width = show(&cp);
        columns += width > 0 ? (size_t)width : 0;
    }
    return columns;
}

static utf8proc_int32_t decode_for_break(const char *s, size_t len, size_t *n)
{
    uint32_t cp;

    *n = sf_utf8_decode(s, len, &cp);
    return (utf8proc_int32_t)(cp == SF_UTF8_INVALID ? SF_UTF8_REPLACEMENT : cp);
}

size_t sf_grapheme_next(const char *s, size_t len)
{
    utf8proc_int32_t state = 0, before, cp;
    size_t at, n;

    if (len < 2 || (is_plain(s[0]) && is_plain(s[1])))
        return len ? 1 : 0;
    before = decode_for_break(s, len, &at);
    for (; at < len; at += n) {
        cp = decode_for_break(s + at, len - at, &n);
        if (at + n > SF_GRAPHEME_MAX || utf8proc_grapheme_break_stateful(before, cp, &state))
            break;
        before = cp;
    }
    return at;
}

size_t sf_grapheme_width(const char *s, size_t len)
{
    return sf_text_width(s, sf_grapheme_next(s, len));
}

size_t sf_text_fit(const char *s, size_t len, size_t columns, size_t *used)
{
    size_t at = 0, sum = 0;

    while (at < len) {
        size_t n = sf_grapheme_next(s + at, len - at);
        size_t width = sf_text_width(s + at, n);

        if (width > columns - sum)
            break;
        sum += width;
        at += n;
    }
    if (used)
        *used = sum;
    return at;
}

/* Decomposed text, in canonical order, waiting to be composed into `out`. */
struct stretch {
    struct sf_strbuf *out;
    utf8proc_int32_t *cps;
    size_t count, cap;
    unsigned marks; /* since the last base character */
};

static int combining_class(utf8proc_int32_t cp)
{
    return utf8proc_get_property(cp)->combining_class;
}

static void stretch_insert(struct stretch *st, utf8proc_int32_t cp)
{
    int order = combining_class(cp);
    size_t at = st->count;

    if (!order && width_of((uint32_t)cp) > 0)
        st->marks = 0;
    else if (st->marks == SF_TEXT_MARKS_MAX)
        return;
    else
        st->marks++;
    st->cps = sf_grow(st->cps, &st->cap, st->count + 1, sizeof(*st->cps));
    for (; order && at && combining_class(st->cps[at - 1]) > order; at--)
        st->cps[at] = st->cps[at - 1];
    st->cps[at] = cp;
    st->count++;
}

static void stretch_add(struct stretch *st, uint32_t cp)
{
    utf8proc_int32_t parts[8]; /* no canonical decomposition has more than four */
    int boundary = 0;
    utf8proc_ssize_t n = utf8proc_decompose_char((utf8proc_int32_t)cp, parts, SF_COUNT(parts),
                                                 UTF8PROC_DECOMPOSE, &boundary);

    for (utf8proc_ssize_t i = 0; i < n && i < (utf8proc_ssize_t)SF_COUNT(parts); i++)
        stretch_insert(st, parts[i]);
}

static void stretch_flush(struct stretch *st)
{
    utf8proc_ssize_t n = 0;

    if (st->count)
        n = utf8proc_normalize_utf32(st->cps, (utf8proc_ssize_t)st->count,
                                     UTF8PROC_COMPOSE | UTF8PROC_STABLE);
    for (utf8proc_ssize_t i = 0; i < n; i++)
        sf_utf8_add(st->out, (uint32_t)st->cps[i]);
    st->count = 0;
    st->marks = 0;
}

/* Plain ASCII goes straight through; only its last character may still receive marks. */
static size_t add_plain(struct stretch *st, const char *s, size_t len)
{
    size_t n = 0;

    while (n < len && is_plain(s[n]))
        n++;
    if (n) {
        stretch_flush(st);
        sf_strbuf_add(st->out, s, n - 1);
        stretch_add(st, (unsigned char)s[n - 1]);
    }
    return n;
}

/* A line break or tab that the flags let through; returns the bytes it took, or 0. */
static size_t add_space(struct stretch *st, const char *s, size_t len, unsigned flags)
{
    size_t n = s[0] == '\r' && len > 1 && s[1] == '\n' ? 2 : 1;
    unsigned keep = s[n - 1] == '\n' ? SF_TEXT_NEWLINES : s[0] == '\t' ? SF_TEXT_TABS : 0;

    if (!keep || !(flags & (keep | SF_TEXT_ONE_LINE)))
        return 0;
    stretch_flush(st);
    sf_strbuf_add(st->out, flags & SF_TEXT_ONE_LINE ? " " : s + n - 1, 1);
    return n;
}

void sf_text_sanitize(struct sf_strbuf *out, const char *s, size_t len, unsigned flags)
{
    struct stretch st = { .out = out };
    size_t n;

    for (size_t at = 0; at < len; at += n) {
        uint32_t cp;

        n = add_plain(&st, s + at, len - at);
        if (!n)
            n = add_space(&st, s + at, len - at, flags);
        if (n)
            continue;
        n = sf_utf8_decode(s + at, len - at, &cp);
        if (show(&cp) >= 0)
            stretch_add(&st, cp);
    }
    stretch_flush(&st);
    free(st.cps);
}

void sf_tokens_add(struct sf_strbuf *out, int64_t tokens)
{
    static const struct {
        int64_t unit;
        const char *letter;
    } units[] = { { 1000000000, "G" }, { 1000000, "M" }, { 1000, "k" } };

    for (size_t i = 0; i < SF_COUNT(units); i++) {
        int64_t tenths = tokens / (units[i].unit / 10);

        if (tokens < units[i].unit)
            continue;
        if (tenths < 1000 && tenths % 10)
            sf_strbuf_addf(out, "%" PRId64 ".%" PRId64 "%s", tenths / 10, tenths % 10,
                           units[i].letter);
        else
            sf_strbuf_addf(out, "%" PRId64 "%s", tenths / 10, units[i].letter);
        return;
    }
    sf_strbuf_addf(out, "%" PRId64, tokens);
}
