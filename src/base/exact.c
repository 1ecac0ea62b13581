/*
 * exact.c: one walk over the code points. Runs of plain text are one piece; every mark is a piece
 * of its own, so that a surface can give it a look.
 */
#include "base/exact.h"

#include <utf8proc.h>

#include "base/base.h"

enum {
    BLANKS = 40, /* more blanks in a row than this are counted instead of shown */
    MARKS = 4,   /* combining marks on one character; no script needs more */
};

/* What may follow a pictograph without being marked. */
enum picture {
    PICTURE_NONE,
    PICTURE_JOINS,  /* a joiner */
    PICTURE_STYLES, /* a joiner, a selector, a skin tone */
};

enum { JOINER = 0x200d, TEXT_STYLE = 0xfe0e, PICTURE_STYLE = 0xfe0f, TONES = 0x1f3fb };

static bool is_styling(uint32_t cp)
{
    return cp == TEXT_STYLE || cp == PICTURE_STYLE || (cp >= TONES && cp < TONES + 5);
}

static bool is_picture(uint32_t cp)
{
    return cp <= SF_UTF8_LAST && utf8proc_get_property((utf8proc_int32_t)cp)->boundclass ==
                                     UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC;
}

/* Follows pictographs and what they are joined with; true: the character belongs to one. */
static bool follow_picture(struct sf_exact *e, uint32_t cp)
{
    bool styles = is_styling(cp) && e->picture == PICTURE_STYLES;
    bool joins = cp == JOINER && e->picture != PICTURE_NONE;

    e->picture = is_picture(cp) && !is_styling(cp) ? PICTURE_STYLES
                 : styles                          ? PICTURE_JOINS
                                                   : PICTURE_NONE;
    return styles || joins;
}

/* Blanks that are not the blank, and what only looks like one. */
static bool is_other_blank(uint32_t cp)
{
    return cp == 0x2800 ||
           (cp > ' ' && utf8proc_category((utf8proc_int32_t)cp) == UTF8PROC_CATEGORY_ZS);
}

static bool is_odd(struct sf_exact *e, const char *s, size_t n, uint32_t cp)
{
    struct sf_strbuf shown = SF_STRBUF_INIT;
    bool changed;

    if (cp < 0x20 || cp == 0x7f || cp == SF_UTF8_INVALID)
        return true;
    if (cp < 0x7f) {
        e->marks = e->picture = 0;
        return false;
    }
    if (follow_picture(e, cp))
        return false;
    e->marks = sf_text_width(s, n) ? 0 : e->marks + 1;
    if (is_other_blank(cp) || e->marks > MARKS)
        return true;
    sf_text_sanitize(&shown, s, n, 0);
    changed = !shown.len || (cp != SF_UTF8_REPLACEMENT && shown.len == 3 &&
                             !memcmp(shown.buf, "\xef\xbf\xbd", 3));
    sf_strbuf_release(&shown);
    return changed;
}

static void add_odd(struct sf_strbuf *out, const char *s, size_t n, uint32_t cp)
{
    if (cp < 0x20 || cp == 0x7f) {
        sf_utf8_add(out, cp == 0x7f ? 0x2421 : 0x2400 + cp);
        return;
    }
    if (cp != SF_UTF8_INVALID) {
        sf_strbuf_addf(out, "⟨U+%04X⟩", (unsigned)cp);
        return;
    }
    for (size_t i = 0; i < n; i++)
        sf_strbuf_addf(out, "⟨0x%02X⟩", (unsigned)(unsigned char)s[i]);
}

static size_t blanks_at(const struct sf_exact *e, size_t at)
{
    size_t n = 0;

    while (at + n < e->len && e->text[at + n] == ' ')
        n++;
    return n;
}

/* Blanks that end a line or are too many to be seen for what they are. */
static bool are_marked(const struct sf_exact *e, size_t at, size_t count)
{
    return count > BLANKS || at + count == e->len || e->text[at + count] == '\n' ||
           e->text[at + count] == '\r';
}

/* The blanks from here on, as far as the walk goes; 0: none that need a mark. */
static size_t add_blanks(const struct sf_exact *e, struct sf_strbuf *out)
{
    size_t count = blanks_at(e, e->at), left = e->end - e->at;
    size_t n = count < left ? count : left;

    if (!n || !are_marked(e, e->at, count))
        return 0;
    if (n > BLANKS)
        sf_strbuf_addf(out, "⟨%zu blanks⟩", n);
    for (size_t i = 0; n <= BLANKS && i < n; i++)
        sf_strbuf_adds(out, "·");
    return n;
}

static size_t add_break(const struct sf_exact *e, struct sf_strbuf *out)
{
    char c = e->text[e->at];

    if (c != '\n' && c != '\t')
        return 0;
    sf_strbuf_adds(out, c == '\n' ? "↵" : "→");
    if (!e->one_line && (c == '\t' || e->at + 1 < e->len))
        sf_strbuf_addch(out, c);
    return 1;
}

/* Bytes of plain text from `at` on; ends before the first thing that needs a mark. */
static size_t plain_len(struct sf_exact *e)
{
    size_t at = e->at, n;
    uint32_t cp;

    for (; at < e->end; at += n) {
        n = e->text[at] == ' ' ? blanks_at(e, at) : 0;
        if (n && are_marked(e, at, n))
            break;
        if (n > e->end - at)
            n = e->end - at;
        if (n)
            continue;
        n = sf_utf8_decode(e->text + at, e->end - at, &cp);
        if (is_odd(e, e->text + at, n, cp))
            break;
    }
    return at - e->at;
}

bool sf_exact_next(struct sf_exact *e, struct sf_strbuf *out, enum sf_exact_kind *kind)
{
    size_t n;
    uint32_t cp;

    if (e->at >= e->end)
        return false;
    n = plain_len(e);
    *kind = SF_EXACT_PLAIN;
    if (n) {
        sf_strbuf_add(out, e->text + e->at, n);
        e->at += n;
        return true;
    }
    *kind = SF_EXACT_BLANK;
    n = add_blanks(e, out);
    if (!n)
        n = add_break(e, out);
    if (!n) {
        *kind = SF_EXACT_ODD;
        n = sf_utf8_decode(e->text + e->at, e->end - e->at, &cp);
        add_odd(out, e->text + e->at, n, cp);
    }
    e->at += n;
    e->picture = PICTURE_NONE;
    e->marks = *kind == SF_EXACT_ODD ? e->marks : 0;
    return true;
}

void sf_exact_add(struct sf_strbuf *out, const char *text, size_t len, bool one_line)
{
    struct sf_exact e = { .text = text, .len = len, .end = len, .one_line = one_line };
    enum sf_exact_kind kind;

    while (sf_exact_next(&e, out, &kind))
        ;
}
