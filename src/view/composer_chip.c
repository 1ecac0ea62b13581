/*
 * composer_chip.c: folded pastes. A chip lies in a table; texts refer to it by marks, and the
 * references are counted by whoever keeps a text. Its number is one more than the highest a reader
 * could see beside it: in the text or in a kill that may be put back.
 */
#include "base/base.h"
#include "view/composer_parts.h"

static const uint32_t first_mark = 0xf0000;

static size_t mark_index(const char *mark)
{
    uint32_t cp;

    sf_utf8_decode(mark + 1, SF_MARK_LEN - 1, &cp);
    return cp - first_mark;
}

const struct sf_chip *sf_composer_chip(const struct sf_composer *c, const char *mark)
{
    return &c->chips[mark_index(mark)];
}

/* The first mark within the text at or behind `at`, or NULL. */
static const char *find_mark(const char *text, size_t len, size_t at)
{
    return at < len ? memchr(text + at, SF_MARK, len - at) : NULL;
}

static unsigned highest_number(const struct sf_composer *c, const char *text, size_t len)
{
    unsigned highest = 0;

    for (const char *m = text; (m = find_mark(text, len, (size_t)(m - text))); m += SF_MARK_LEN)
        if (sf_composer_chip(c, m)->number > highest)
            highest = sf_composer_chip(c, m)->number;
    return highest;
}

static unsigned next_number(const struct sf_composer *c)
{
    unsigned highest = highest_number(c, c->text.buf, c->text.len);

    for (size_t i = 0; i < c->kill_count; i++) {
        unsigned n = highest_number(c, c->kills[i].text.buf, c->kills[i].text.len);

        highest = n > highest ? n : highest;
    }
    return highest + 1;
}

static size_t count_lines(const char *text, size_t len)
{
    size_t lines = len && text[len - 1] != '\n';

    for (size_t i = 0; i < len; i++)
        lines += text[i] == '\n';
    return lines;
}

bool sf_composer_is_large(const char *text, size_t len)
{
    return len > SF_PASTE_BYTES || count_lines(text, len) > SF_PASTE_LINES;
}

void sf_composer_add_chip(struct sf_composer *c, const char *text, size_t len,
                          char mark[SF_MARK_LEN])
{
    size_t i = 0;

    while (i < c->chip_count && c->chips[i].text)
        i++;
    if (i == c->chip_count) {
        c->chips = sf_grow(c->chips, &c->chip_cap, i + 1, sizeof(*c->chips));
        c->chip_count++;
    }
    c->chips[i] = (struct sf_chip){ .text = sf_strndup(text, len),
                                    .len = len,
                                    .lines = count_lines(text, len),
                                    .number = next_number(c) };
    c->chip_bytes += len;
    mark[0] = SF_MARK;
    sf_utf8_encode(first_mark + (uint32_t)i, mark + 1);
}

void sf_composer_hold(struct sf_composer *c, const char *text, size_t len)
{
    for (const char *m = text; (m = find_mark(text, len, (size_t)(m - text))); m += SF_MARK_LEN)
        c->chips[mark_index(m)].refs++;
}

void sf_composer_let_go(struct sf_composer *c, const char *text, size_t len)
{
    for (const char *m = text; (m = find_mark(text, len, (size_t)(m - text))); m += SF_MARK_LEN) {
        struct sf_chip *chip = &c->chips[mark_index(m)];

        if (--chip->refs)
            continue;
        c->chip_bytes -= chip->len;
        free(chip->text);
        *chip = (struct sf_chip){ .text = NULL };
    }
}

void sf_composer_chip_label(const struct sf_chip *chip, char label[SF_CHIP_LABEL])
{
    if (chip->lines > SF_PASTE_LINES)
        snprintf(label, SF_CHIP_LABEL, "[paste %u: %zu lines]", chip->number, chip->lines);
    else
        snprintf(label, SF_CHIP_LABEL, "[paste %u: %zu KB]", chip->number, chip->len / 1024 + 1);
}

size_t sf_composer_unfolds(const struct sf_composer *c, const char *text, size_t len)
{
    size_t more = 0;

    for (const char *m = text; (m = find_mark(text, len, (size_t)(m - text))); m += SF_MARK_LEN)
        more += sf_composer_chip(c, m)->len - SF_MARK_LEN;
    return more;
}

void sf_composer_add_unfolded(const struct sf_composer *c, const char *text, size_t len,
                              struct sf_strbuf *out)
{
    size_t at = 0;
    const char *m;

    while ((m = find_mark(text, len, at))) {
        const struct sf_chip *chip = sf_composer_chip(c, m);

        sf_strbuf_add(out, text + at, (size_t)(m - text) - at);
        sf_strbuf_add(out, chip->text, chip->len);
        at = (size_t)(m - text) + SF_MARK_LEN;
    }
    sf_strbuf_add(out, text + at, len - at);
}

/* The chip under the cursor, else the one in front of it. */
static bool find_chip(const struct sf_composer *c, size_t *at)
{
    *at = c->cursor;
    if (*at < c->text.len && c->text.buf[*at] == SF_MARK)
        return true;
    *at = sf_composer_prev(c, c->cursor);
    return c->cursor && c->text.buf[*at] == SF_MARK;
}

bool sf_composer_unfold(struct sf_composer *c)
{
    const struct sf_chip *chip;
    size_t at;

    sf_composer_begin(c);
    if (!find_chip(c, &at))
        return false;
    chip = sf_composer_chip(c, c->text.buf + at);
    sf_composer_split(c);
    return sf_composer_edit(c, at, SF_MARK_LEN, chip->text, chip->len);
}
