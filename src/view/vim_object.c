/*
 * vim_object.c: what vim's text objects cover: words within their line, quotes within their line,
 * brackets over lines. "Around" takes the quotes, the brackets or a word's spaces too.
 */
#include "base/base.h"
#include "view/composer_parts.h"

static enum sf_letter letter(const struct sf_composer *c, size_t at, bool big)
{
    enum sf_letter kind = sf_composer_letter(c, at);

    return big && kind == SF_LETTER_PUNCT ? SF_LETTER_WORD : kind;
}

static bool at_line_start(const struct sf_composer *c, size_t at)
{
    return !at || c->text.buf[at - 1] == '\n';
}

static bool at_line_end(const struct sf_composer *c, size_t at)
{
    return at >= c->text.len || c->text.buf[at] == '\n';
}

/* Behind the run of one kind that begins at `at`, within its line. */
static size_t run_end(const struct sf_composer *c, size_t at, enum sf_letter kind, bool big)
{
    while (!at_line_end(c, at) && letter(c, at, big) == kind) {
        at = sf_composer_next(c, at);
        if (kind == SF_LETTER_CHIP)
            break;
    }
    return at;
}

/* The start of the run of one kind that ends in front of `at`. */
static size_t run_start(const struct sf_composer *c, size_t at, enum sf_letter kind, bool big)
{
    while (kind != SF_LETTER_CHIP && !at_line_start(c, at) &&
           letter(c, sf_composer_prev(c, at), big) == kind)
        at = sf_composer_prev(c, at);
    return at;
}

static bool word_object(const struct sf_composer *c, bool around, bool big,
                        struct sf_vim_range *out)
{
    enum sf_letter kind = letter(c, c->cursor, big);
    size_t end;

    if (at_line_end(c, c->cursor))
        return false;
    out->from = run_start(c, c->cursor, kind, big);
    out->to = end = run_end(c, c->cursor, kind, big);
    if (!around)
        return true;
    if (kind == SF_LETTER_SPACE) { /* and the word behind it */
        out->to = run_end(c, end, letter(c, end, big), big);
        return true;
    }
    out->to = run_end(c, end, SF_LETTER_SPACE, big);
    if (out->to == end)
        out->from = run_start(c, out->from, SF_LETTER_SPACE, big);
    return true;
}

/* The pair of quotes of this line that holds the cursor, else the first one behind it. */
static bool quote_object(const struct sf_composer *c, bool around, char quote,
                         struct sf_vim_range *out)
{
    const char *s = c->text.buf;
    size_t end = sf_composer_line_end(c, c->cursor), open = 0;
    bool inside = false;

    for (size_t p = sf_composer_line_start(c, c->cursor); p < end; p++) {
        if (s[p] != quote)
            continue;
        if (inside && p >= c->cursor) {
            out->from = around ? open : open + 1;
            out->to = around ? p + 1 : p;
            return true;
        }
        inside = !inside;
        open = p;
    }
    return false;
}

static bool find_open(const struct sf_composer *c, char open, char close, size_t *at)
{
    const char *s = c->text.buf;
    int depth = 0;

    for (size_t p = c->cursor + 1; p-- > 0;) {
        if (p >= c->text.len)
            continue;
        if (s[p] == open && depth-- == 0) {
            *at = p;
            return true;
        }
        depth += s[p] == close && p != c->cursor;
    }
    return false;
}

static bool pair_object(const struct sf_composer *c, bool around, char open, char close,
                        struct sf_vim_range *out)
{
    const char *s = c->text.buf;
    size_t from;
    int depth = 0;

    if (!find_open(c, open, close, &from))
        return false;
    for (size_t p = from; p < c->text.len; p++) {
        depth += (s[p] == open) - (s[p] == close);
        if (depth)
            continue;
        out->from = around ? from : from + 1;
        out->to = around ? p + 1 : p;
        return true;
    }
    return false;
}

static const struct {
    const char *keys;
    char open, close;
} pairs[] = {
    { "()b", '(', ')' },
    { "[]", '[', ']' },
    { "{}B", '{', '}' },
    { "<>", '<', '>' },
};

static bool find_object(const struct sf_composer *c, bool around, uint32_t key,
                        struct sf_vim_range *out)
{
    if (key == 'w' || key == 'W')
        return word_object(c, around, key == 'W', out);
    if (key == '"' || key == '\'' || key == '`')
        return quote_object(c, around, (char)key, out);
    for (size_t i = 0; key && key < 0x80 && i < SF_COUNT(pairs); i++)
        if (strchr(pairs[i].keys, (int)key))
            return pair_object(c, around, pairs[i].open, pairs[i].close, out);
    return false;
}

bool sf_vim_object(struct sf_composer *c, bool around, uint32_t key, struct sf_vim_range *out)
{
    *out = (struct sf_vim_range){ .lines = false };
    c->vim.goal = -1;
    if (!find_object(c, around, key, out))
        return false;
    out->from = sf_composer_snap(c, out->from); /* a mark may sit on a quote */
    out->to = sf_composer_snap(c, out->to);
    out->cursor = out->from;
    return out->from <= out->to;
}
