/*
 * safe.c: one pass over the code points. Runs of plain text are copied whole.
 */
#include "tools/safe.h"

#include "base/base.h"

struct range {
    uint32_t first, last;
};

/* Characters that reorder or hide text. */
static const struct range hidden[] = {
    { 0x80, 0x9f },       /* C1 controls */
    { 0x2028, 0x202e },   /* line separators, embeddings and overrides */
    { 0x2066, 0x2069 },   /* isolates */
    { 0xfff9, 0xfffb },   /* interlinear annotation */
    { 0xe0000, 0xe007f }, /* tags: text nobody sees */
};

static bool is_hidden(uint32_t cp)
{
    for (size_t i = 0; i < SF_COUNT(hidden); i++)
        if (cp >= hidden[i].first && cp <= hidden[i].last)
            return true;
    return false;
}

/* The replacement for the code point; most stay as they are. */
static uint32_t shown_as(uint32_t cp)
{
    if (cp == '\n' || cp == '\t')
        return cp;
    if (cp < 0x20)
        return 0x2400 + cp;
    if (cp == 0x7f)
        return 0x2421;
    if (cp == SF_UTF8_INVALID || (cp >= 0x80 && is_hidden(cp)))
        return SF_UTF8_REPLACEMENT;
    return cp;
}

size_t sf_safe_add(struct sf_strbuf *out, const char *text, size_t len)
{
    size_t at = 0, start = 0, damage = 0;

    while (at < len) {
        uint32_t cp, as;
        size_t n = sf_utf8_decode(text + at, len - at, &cp);

        damage += cp == SF_UTF8_INVALID;
        as = shown_as(cp);
        if (as != cp) {
            sf_strbuf_add(out, text + start, at - start);
            start = at + n;
            if (cp != '\r' || start >= len || text[start] != '\n')
                sf_utf8_add(out, as);
        }
        at += n;
    }
    sf_strbuf_add(out, text + start, len - start);
    return damage;
}

char *sf_safe_line(const char *text, size_t columns)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    size_t fit, len = strnlen(text, 4 * columns + 4);

    sf_text_sanitize(&sb, text, len, SF_TEXT_ONE_LINE);
    fit = sf_text_fit(sb.buf, sb.len, columns, NULL);
    if (fit < sb.len || text[len]) {
        sf_strbuf_truncate(&sb, fit);
        sf_strbuf_adds(&sb, "…");
    }
    return sf_strbuf_detach(&sb);
}
