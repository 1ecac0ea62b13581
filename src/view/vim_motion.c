/*
 * vim_motion.c: where vim's motions lead and what an operator takes on the way. Those that go step
 * by step are rows of a table, and a count repeats the step; the others go by lines or look for a
 * character. An inclusive motion takes the character it ends on.
 */
#include <limits.h>

#include "base/base.h"
#include "view/composer_parts.h"

enum how { EXCLUSIVE, INCLUSIVE, LINES };

static bool is_line_start(const struct sf_composer *c, size_t at)
{
    return !at || c->text.buf[at - 1] == '\n';
}

static bool is_line_end(const struct sf_composer *c, size_t at)
{
    return at >= c->text.len || c->text.buf[at] == '\n';
}

static bool is_empty_line(const struct sf_composer *c, size_t at)
{
    return is_line_start(c, at) && is_line_end(c, at);
}

/* Words of W, B and E are whatever stands between white space. */
static enum sf_letter letter(const struct sf_composer *c, size_t at, bool big)
{
    enum sf_letter kind = sf_composer_letter(c, at);

    return big && kind == SF_LETTER_PUNCT ? SF_LETTER_WORD : kind;
}

/* ---- one step each; the same place: it cannot go on ---- */

static size_t step_left(const struct sf_composer *c, size_t at)
{
    return is_line_start(c, at) ? at : sf_composer_prev(c, at);
}

static size_t step_right(const struct sf_composer *c, size_t at)
{
    return is_line_end(c, at) ? at : sf_composer_next(c, at);
}

static size_t word_start(const struct sf_composer *c, size_t at, bool big)
{
    enum sf_letter kind = letter(c, at, big);

    if (kind == SF_LETTER_CHIP)
        at = sf_composer_next(c, at);
    else if (kind != SF_LETTER_SPACE)
        while (at < c->text.len && letter(c, at, big) == kind)
            at = sf_composer_next(c, at);
    else if (is_empty_line(c, at) && at < c->text.len)
        at++;
    while (at < c->text.len && letter(c, at, big) == SF_LETTER_SPACE && !is_empty_line(c, at))
        at = sf_composer_next(c, at);
    return at;
}

static size_t word_end(const struct sf_composer *c, size_t at, bool big)
{
    size_t next = sf_composer_next(c, at);
    enum sf_letter kind;

    while (next < c->text.len && letter(c, next, big) == SF_LETTER_SPACE)
        next = sf_composer_next(c, next);
    if (next >= c->text.len)
        return c->text.len ? sf_composer_prev(c, c->text.len) : 0;
    kind = letter(c, next, big);
    do {
        at = next;
        next = sf_composer_next(c, at);
    } while (next < c->text.len && kind != SF_LETTER_CHIP && letter(c, next, big) == kind);
    return at;
}

static size_t word_back(const struct sf_composer *c, size_t at, bool big)
{
    enum sf_letter kind;

    if (!at)
        return 0;
    at = sf_composer_prev(c, at);
    while (at && letter(c, at, big) == SF_LETTER_SPACE && !is_empty_line(c, at))
        at = sf_composer_prev(c, at);
    kind = letter(c, at, big);
    while (at && kind != SF_LETTER_SPACE && kind != SF_LETTER_CHIP &&
           letter(c, sf_composer_prev(c, at), big) == kind)
        at = sf_composer_prev(c, at);
    return at;
}

static size_t step_w(const struct sf_composer *c, size_t at)
{
    return word_start(c, at, false);
}

static size_t step_big_w(const struct sf_composer *c, size_t at)
{
    return word_start(c, at, true);
}

static size_t step_e(const struct sf_composer *c, size_t at)
{
    return word_end(c, at, false);
}

static size_t step_big_e(const struct sf_composer *c, size_t at)
{
    return word_end(c, at, true);
}

static size_t step_b(const struct sf_composer *c, size_t at)
{
    return word_back(c, at, false);
}

static size_t step_big_b(const struct sf_composer *c, size_t at)
{
    return word_back(c, at, true);
}

static size_t line_start(const struct sf_composer *c, size_t at)
{
    return sf_composer_line_start(c, at);
}

static size_t first_letter(const struct sf_composer *c, size_t at)
{
    at = sf_composer_line_start(c, at);
    while (!is_line_end(c, at) && sf_composer_letter(c, at) == SF_LETTER_SPACE)
        at = sf_composer_next(c, at);
    return at;
}

static const struct motion {
    uint32_t key;
    size_t (*step)(const struct sf_composer *c, size_t at);
    enum how how;
    bool once; /* a count means nothing */
} motions[] = {
    { 'h', step_left, EXCLUSIVE, false },   { 'l', step_right, EXCLUSIVE, false },
    { ' ', step_right, EXCLUSIVE, false },  { 'w', step_w, EXCLUSIVE, false },
    { 'W', step_big_w, EXCLUSIVE, false },  { 'b', step_b, EXCLUSIVE, false },
    { 'B', step_big_b, EXCLUSIVE, false },  { 'e', step_e, INCLUSIVE, false },
    { 'E', step_big_e, INCLUSIVE, false },  { '0', line_start, EXCLUSIVE, true },
    { '^', first_letter, EXCLUSIVE, true }, { '_', first_letter, EXCLUSIVE, true },
};

static const struct motion *find_motion(uint32_t key)
{
    for (size_t i = 0; i < SF_COUNT(motions); i++)
        if (motions[i].key == key)
            return &motions[i];
    return NULL;
}

bool sf_vim_is_motion(uint32_t key)
{
    return key && (find_motion(key) || (key < 0x80 && strchr("jkG$fFtT;,", (int)key)));
}

/* ---- lines ---- */

static int column_of(const struct sf_composer *c, size_t at)
{
    int col = 0;

    for (size_t p = sf_composer_line_start(c, at); p < at; p = sf_composer_next(c, p))
        col++;
    return col;
}

static size_t at_column(const struct sf_composer *c, size_t at, int col)
{
    at = sf_composer_line_start(c, at);
    while (col-- > 0 && !is_line_end(c, at))
        at = sf_composer_next(c, at);
    return at;
}

/* The start of the line `count` further down, or as far as there are lines. */
static size_t lines_down(const struct sf_composer *c, size_t at, int count)
{
    at = sf_composer_line_start(c, at);
    while (count-- > 0 && sf_composer_line_end(c, at) < c->text.len)
        at = sf_composer_line_end(c, at) + 1;
    return at;
}

static size_t lines_up(const struct sf_composer *c, size_t at, int count)
{
    at = sf_composer_line_start(c, at);
    while (count-- > 0 && at)
        at = sf_composer_line_start(c, at - 1);
    return at;
}

/* j, k, G and gg, which is asked for as 'g'. */
static bool line_motion(struct sf_composer *c, uint32_t key, int count, struct sf_vim_range *out)
{
    size_t here = sf_composer_line_start(c, c->cursor), there;
    int times = count ? count : 1;

    if (key == 'j')
        there = lines_down(c, here, times);
    else if (key == 'k')
        there = lines_up(c, here, times);
    else if (key == 'G' && !count)
        there = sf_composer_line_start(c, c->text.len);
    else
        there = lines_down(c, 0, times - 1);
    if (there == here && (key == 'j' || key == 'k'))
        return false;
    out->lines = true;
    out->from = here < there ? here : there;
    out->to = sf_composer_line_end(c, here < there ? there : here);
    if (key != 'j' && key != 'k') {
        out->cursor = first_letter(c, there);
        return true;
    }
    if (c->vim.goal < 0)
        c->vim.goal = column_of(c, c->cursor);
    out->cursor = at_column(c, there, c->vim.goal);
    return true;
}

/* ---- finding a character ---- */

static bool holds(const struct sf_composer *c, size_t at, uint32_t wanted)
{
    uint32_t cp;

    sf_utf8_decode(c->text.buf + at, c->text.len - at, &cp);
    return cp == wanted;
}

static bool find_char(struct sf_composer *c, uint32_t how, uint32_t wanted, int count,
                      struct sf_vim_range *out)
{
    bool back = how == 'F' || how == 'T', till = how == 't' || how == 'T';
    size_t at = c->cursor, before = at;

    while (count) {
        before = at;
        if (back ? is_line_start(c, at) : is_line_end(c, at))
            return false;
        at = back ? sf_composer_prev(c, at) : sf_composer_next(c, at);
        if (is_line_end(c, at))
            return false;
        count -= holds(c, at, wanted);
    }
    out->cursor = till ? before : at;
    out->from = back ? out->cursor : c->cursor;
    out->to = back ? c->cursor : sf_composer_next(c, out->cursor);
    return true;
}

static uint32_t other_way(uint32_t how)
{
    return how ^ 0x20; /* f and F, t and T */
}

/* ; of a t that stands right before its character would stay there for ever: it goes past. */
static bool find_again(struct sf_composer *c, bool reverse, int count, struct sf_vim_range *out)
{
    uint32_t how = reverse ? other_way(c->vim.find) : c->vim.find;
    size_t here = c->cursor;

    if (!c->vim.find || !find_char(c, how, c->vim.find_char, count, out))
        return false;
    return out->cursor != here || count > 1 || find_char(c, how, c->vim.find_char, 2, out);
}

/* ---- all of them ---- */

static bool to_line_end(struct sf_composer *c, int count, struct sf_vim_range *out)
{
    size_t line = lines_down(c, c->cursor, count - 1);

    out->from = c->cursor;
    out->to = out->cursor = sf_composer_line_end(c, line);
    c->vim.goal = INT_MAX; /* j and k stay at the ends of lines */
    return true;
}

static bool step_motion(struct sf_composer *c, const struct motion *m, int count,
                        struct sf_vim_range *out)
{
    size_t at = c->cursor, before = at;

    for (int i = 0; i < (m->once ? 1 : count); i++) {
        size_t next = m->step(c, at);

        if (next == at)
            break;
        before = at;
        at = next;
    }
    out->cursor = at;
    out->from = at < c->cursor ? at : c->cursor;
    out->to = at < c->cursor ? c->cursor : at;
    if (m->how == INCLUSIVE)
        out->to = sf_composer_next(c, out->to);
    if ((m->key | 0x20) == 'w' && c->vim.op) { /* an operator stays within the last word's line */
        size_t end = sf_composer_line_end(c, before);

        out->to = end < out->to ? end : out->to;
    }
    return at != c->cursor || m->once || m->how == INCLUSIVE || c->vim.op;
}

bool sf_vim_motion(struct sf_composer *c, uint32_t key, uint32_t with, int count,
                   struct sf_vim_range *out)
{
    const struct motion *m = find_motion(key);
    int times = count ? count : 1;

    *out = (struct sf_vim_range){ .lines = false };
    if (key != 'j' && key != 'k')
        c->vim.goal = -1;
    if (m)
        return step_motion(c, m, times, out);
    if (key == '$')
        return to_line_end(c, times, out);
    if (key == ';' || key == ',')
        return find_again(c, key == ',', times, out);
    if (with && key != 'g') {
        c->vim.find = key;
        c->vim.find_char = with;
        return find_char(c, key, with, times, out);
    }
    return line_motion(c, key, count, out);
}
