/*
 * composer_move.c: where the cursor may stand and where it goes: clusters, words, lines, rows.
 * Nothing here changes the text. Going back to a cluster's start begins at the nearest place that
 * is a boundary whatever stands before it, as clusters can be counted forward only.
 */
#include "base/base.h"
#include "view/composer_parts.h"

/* ---- clusters ---- */

size_t sf_composer_next(const struct sf_composer *c, size_t at)
{
    if (at >= c->text.len)
        return c->text.len;
    if (c->text.buf[at] == SF_MARK)
        return at + SF_MARK_LEN;
    return at + sf_grapheme_next(c->text.buf + at, c->text.len - at);
}

static bool is_plain(char ch)
{
    return ch >= 0x20 && ch < 0x7f;
}

/* Between two plain characters, at line breaks and at chips; `at` is neither start nor end. */
static bool is_boundary(const char *s, size_t at)
{
    return s[at] == '\n' || s[at - 1] == '\n' || s[at] == SF_MARK ||
           (is_plain(s[at - 1]) && is_plain(s[at])) || (at >= SF_MARK_LEN && s[at - 5] == SF_MARK);
}

/* The last cluster start in front of `at`, which is not 0. */
size_t sf_composer_prev(const struct sf_composer *c, size_t at)
{
    size_t start = at ? at - 1 : 0, next;

    while (start && !is_boundary(c->text.buf, start))
        start--;
    while ((next = sf_composer_next(c, start)) < at)
        start = next;
    return start;
}

size_t sf_composer_snap(const struct sf_composer *c, size_t at)
{
    if (!at || at >= c->text.len)
        return at ? c->text.len : 0;
    return is_boundary(c->text.buf, at) ? at : sf_composer_next(c, sf_composer_prev(c, at));
}

/* ---- words ---- */

/* Above ASCII all are letters but these; ascending. */
static const struct {
    uint32_t first, last;
    enum sf_letter kind;
} kinds[] = {
    { 0x00a0, 0x00a0, SF_LETTER_SPACE }, { 0x00a1, 0x00a9, SF_LETTER_PUNCT },
    { 0x00ab, 0x00b4, SF_LETTER_PUNCT }, { 0x00b6, 0x00b9, SF_LETTER_PUNCT },
    { 0x00bb, 0x00bf, SF_LETTER_PUNCT }, { 0x00d7, 0x00d7, SF_LETTER_PUNCT },
    { 0x00f7, 0x00f7, SF_LETTER_PUNCT }, { 0x2000, 0x200a, SF_LETTER_SPACE },
    { 0x2010, 0x2027, SF_LETTER_PUNCT }, { 0x2028, 0x2029, SF_LETTER_SPACE },
    { 0x202f, 0x202f, SF_LETTER_SPACE }, { 0x2030, 0x205e, SF_LETTER_PUNCT },
    { 0x2190, 0x2bff, SF_LETTER_PUNCT }, { 0x3000, 0x3000, SF_LETTER_SPACE },
    { 0x3001, 0x3003, SF_LETTER_PUNCT }, { 0x3008, 0x3020, SF_LETTER_PUNCT },
    { 0xff01, 0xff0f, SF_LETTER_PUNCT }, { 0xff1a, 0xff20, SF_LETTER_PUNCT },
    { 0xff3b, 0xff3e, SF_LETTER_PUNCT }, { 0xff5b, 0xff65, SF_LETTER_PUNCT },
};

static enum sf_letter letter_of(uint32_t cp)
{
    if (cp == ' ' || cp == '\t' || cp == '\n')
        return SF_LETTER_SPACE;
    if (cp < 0x80)
        return (cp | 0x20) - 'a' < 26 || cp - '0' < 10 || cp == '_' ? SF_LETTER_WORD
                                                                    : SF_LETTER_PUNCT;
    for (size_t i = 0; i < SF_COUNT(kinds); i++)
        if (cp >= kinds[i].first && cp <= kinds[i].last)
            return kinds[i].kind;
    return SF_LETTER_WORD;
}

enum sf_letter sf_composer_letter(const struct sf_composer *c, size_t at)
{
    uint32_t cp;

    if (at >= c->text.len)
        return SF_LETTER_SPACE;
    if (c->text.buf[at] == SF_MARK)
        return SF_LETTER_CHIP;
    sf_utf8_decode(c->text.buf + at, c->text.len - at, &cp);
    return letter_of(cp);
}

static size_t skip_space_left(const struct sf_composer *c, size_t at)
{
    while (at && sf_composer_letter(c, sf_composer_prev(c, at)) == SF_LETTER_SPACE)
        at = sf_composer_prev(c, at);
    return at;
}

size_t sf_composer_word_left(const struct sf_composer *c, size_t at)
{
    enum sf_letter kind;

    at = skip_space_left(c, at);
    if (!at)
        return 0;
    at = sf_composer_prev(c, at);
    kind = sf_composer_letter(c, at);
    while (at && kind != SF_LETTER_CHIP && sf_composer_letter(c, sf_composer_prev(c, at)) == kind)
        at = sf_composer_prev(c, at);
    return at;
}

size_t sf_composer_word_right(const struct sf_composer *c, size_t at)
{
    enum sf_letter kind;

    while (at < c->text.len && sf_composer_letter(c, at) == SF_LETTER_SPACE)
        at = sf_composer_next(c, at);
    if (at == c->text.len)
        return at;
    kind = sf_composer_letter(c, at);
    at = sf_composer_next(c, at);
    while (at < c->text.len && kind != SF_LETTER_CHIP && sf_composer_letter(c, at) == kind)
        at = sf_composer_next(c, at);
    return at;
}

size_t sf_composer_blank_left(const struct sf_composer *c, size_t at)
{
    at = skip_space_left(c, at);
    if (!at)
        return 0;
    at = sf_composer_prev(c, at);
    while (at && sf_composer_letter(c, at) != SF_LETTER_CHIP) {
        size_t before = sf_composer_prev(c, at);
        enum sf_letter kind = sf_composer_letter(c, before);

        if (kind == SF_LETTER_SPACE || kind == SF_LETTER_CHIP)
            break;
        at = before;
    }
    return at;
}

/* ---- lines ---- */

size_t sf_composer_line_start(const struct sf_composer *c, size_t at)
{
    const char *nl = at ? memrchr(c->text.buf, '\n', at) : NULL;

    return nl ? (size_t)(nl - c->text.buf) + 1 : 0;
}

size_t sf_composer_line_end(const struct sf_composer *c, size_t at)
{
    const char *nl = memchr(c->text.buf + at, '\n', c->text.len - at);

    return nl ? (size_t)(nl - c->text.buf) : c->text.len;
}

bool sf_composer_go(struct sf_composer *c, size_t at)
{
    if (at == c->cursor)
        return false;
    c->cursor = at;
    return true;
}

bool sf_composer_go_rows(struct sf_composer *c, int by)
{
    size_t row;

    sf_composer_lay(c, c->cols ? c->cols : SF_COMPOSER_COLS);
    row = sf_composer_row_of(c, c->cursor);
    if (c->was != SF_LAST_WENT)
        c->goal = sf_composer_col_of(c, row, c->cursor);
    c->last = SF_LAST_WENT;
    if (by < 0 ? !row : row + 1 == c->row_count)
        return false;
    c->cursor = sf_composer_at_col(c, by < 0 ? row - 1 : row + 1, c->goal);
    return true;
}
