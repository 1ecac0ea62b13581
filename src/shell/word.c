/*
 * word.c: words and quotes. A word under construction keeps its known text on the
 * reader's text stack; words inside its substitutions grow above it and are gone when it goes
 * on, so every byte of the input is copied once.
 */
#include <string.h>

#include "shell/reader.h"

enum { BRACE_OPEN = 1, BRACE_SEPARATED = 2 };

const struct sf_piece sf_piece_unknown = { .kind = SF_PIECE_UNKNOWN };

void sf_word_begin(struct sf_reader *r, struct sf_word_builder *w)
{
    *w = (struct sf_word_builder){ .start = r->text_stack.len, .at = r->pos, .pieces = r->npieces };
}

static size_t known(const struct sf_reader *r, const struct sf_word_builder *w)
{
    return r->text_stack.len - w->start;
}

void sf_word_put(struct sf_reader *r, struct sf_word_builder *w, char c)
{
    (void)w;
    sf_strbuf_addch(&r->text_stack, c);
}

void sf_word_expands(struct sf_reader *r, struct sf_word_builder *w, unsigned flags)
{
    if (!(w->flags & SF_WORD_EXPANDS))
        w->head = known(r, w);
    w->behind = known(r, w);
    w->flags |= flags | SF_WORD_EXPANDS;
}

void sf_word_piece(struct sf_reader *r, struct sf_word_builder *w, enum sf_piece_kind kind,
                   const char *name)
{
    w->crowded = w->crowded || r->npieces - w->pieces >= SF_SHELL_PIECES;
    if (w->crowded)
        return;
    r->pieces = sf_grow(r->pieces, &r->pieces_cap, r->npieces + 1, sizeof(*r->pieces));
    r->pieces[r->npieces++] =
        (struct sf_piece){ .name = name, .kind = kind, .at = (uint32_t)known(r, w) };
}

/* Gives the pieces of the word to it. */
static void keep_pieces(struct sf_reader *r, const struct sf_word_builder *w, struct sf_word *out)
{
    size_t n = r->npieces - w->pieces;

    if (w->crowded) {
        out->pieces = &sf_piece_unknown;
        out->npieces = 1;
    } else if (n) {
        struct sf_piece *kept = sf_arena_alloc(r->arena, n * sizeof(*kept));

        memcpy(kept, r->pieces + w->pieces, n * sizeof(*kept));
        out->pieces = kept;
        out->npieces = (uint32_t)n;
    }
    r->npieces = w->pieces;
}

void sf_word_finish(struct sf_reader *r, struct sf_word_builder *w, struct sf_word *out)
{
    size_t len = known(r, w);

    *out = (struct sf_word){
        .text = sf_arena_strndup(r->arena, r->text_stack.buf + w->start, len),
        .lead = w->lead,
        .len = (uint32_t)len,
        .head = (uint32_t)(w->flags & SF_WORD_EXPANDS ? w->head : len),
        .tail = (uint32_t)(w->flags & SF_WORD_EXPANDS ? len - w->behind : len),
        .at = (uint32_t)sf_reader_place(r, w->at),
        .span = (uint32_t)(r->copied ? 0 : r->pos - w->at),
        .flags = w->flags,
    };
    sf_strbuf_truncate(&r->text_stack, w->start);
    keep_pieces(r, w, out);
    if (r->arena->used > SF_SHELL_MEMORY)
        sf_reader_fail(r, "it is too large");
}

void sf_word_single(struct sf_reader *r, struct sf_word_builder *w)
{
    const char *from = r->text + r->pos;
    const char *quote = memchr(from, '\'', r->end - r->pos);

    w->flags |= SF_WORD_QUOTED;
    if (!quote) {
        sf_reader_fail(r, "a quote is not closed");
        return;
    }
    sf_strbuf_add(&r->text_stack, from, (size_t)(quote - from));
    r->out->steps += (size_t)(quote - from) + 1;
    sf_reader_skip(r, (size_t)(quote - from) + 1);
}

/* A backslash inside double quotes: only four characters and the newline are special. */
static void double_backslash(struct sf_reader *r, struct sf_word_builder *w)
{
    char c = sf_reader_at(r, 1);

    sf_reader_skip(r, 2);
    if (c == '\n')
        return;
    if (c == '\0')
        sf_reader_fail(r, "a quote is not closed");
    else if (!strchr("$`\"\\", c))
        sf_word_put(r, w, '\\');
    sf_word_put(r, w, c);
}

/* The next character inside of quotes; false: the text ends before they do, or was refused. */
static bool next_quoted(struct sf_reader *r, char *c)
{
    if (sf_reader_failed(r))
        return false;
    *c = sf_reader_at(r, 0);
    r->out->steps++;
    if (*c == '\0')
        sf_reader_fail(r, "a quote is not closed");
    return *c != '\0';
}

void sf_word_double(struct sf_reader *r, struct sf_word_builder *w)
{
    char c;

    w->flags |= SF_WORD_QUOTED;
    while (next_quoted(r, &c)) {
        if (c == '"') {
            sf_reader_skip(r, 1);
            return;
        } else if (c == '\\') {
            double_backslash(r, w);
        } else if (c == '$') {
            sf_expand_dollar(r, w, true);
        } else if (c == '`') {
            sf_expand_backtick(r, w, true);
        } else {
            sf_word_put(r, w, c);
            sf_reader_skip(r, 1);
        }
    }
}

static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}

/* At most `max` digits in `base`; the count of digits read goes to *n. */
static unsigned number(struct sf_reader *r, int base, unsigned max, unsigned *n)
{
    unsigned value = 0;

    for (*n = 0; *n < max && digit_value(sf_reader_at(r, 0)) < base; (*n)++, sf_reader_skip(r, 1))
        value = value * (unsigned)base + (unsigned)digit_value(sf_reader_at(r, 0));
    return value;
}

static void put_utf8(struct sf_reader *r, struct sf_word_builder *w, unsigned code)
{
    if (code < 0x80) {
        sf_word_put(r, w, (char)code);
    } else {
        /* Which character it is does not matter to any rule, only that it is not ASCII. */
        sf_word_put(r, w, (char)0xc2);
        sf_word_put(r, w, (char)0x80);
    }
}

static void ansi_number(struct sf_reader *r, struct sf_word_builder *w, int base, unsigned max)
{
    unsigned digits;
    unsigned code = number(r, base, max, &digits);

    if (!digits || !(code & 0xff))
        sf_reader_fail(r, "an escape stands for no character");
    else if (max <= 3)
        sf_word_put(r, w, (char)(code & 0xff));
    else
        put_utf8(r, w, code);
}

static void ansi_escape(struct sf_reader *r, struct sf_word_builder *w)
{
    static const char letters[] = "abeEfnrtv\\'\"?";
    static const char values[] = "\a\b\033\033\f\n\r\t\v\\'\"?";
    char c = sf_reader_at(r, 0);
    const char *found = c ? strchr(letters, c) : NULL;

    if (found) {
        sf_word_put(r, w, values[found - letters]);
        sf_reader_skip(r, 1);
    } else if (c >= '0' && c <= '7') {
        ansi_number(r, w, 8, 3);
    } else if (c == 'x' || c == 'u' || c == 'U') {
        sf_reader_skip(r, 1);
        ansi_number(r, w, 16, c == 'x' ? 2 : c == 'u' ? 4 : 8);
    } else if (c == 'c') {
        sf_reader_skip(r, 2);
        sf_word_put(r, w, '\001');
    } else {
        sf_word_put(r, w, '\\');
    }
}

void sf_word_ansi(struct sf_reader *r, struct sf_word_builder *w)
{
    char c;

    w->flags |= SF_WORD_QUOTED;
    while (next_quoted(r, &c)) {
        sf_reader_skip(r, 1);
        if (c == '\'')
            return;
        if (c == '\\')
            ansi_escape(r, w);
        else
            sf_word_put(r, w, c);
    }
}

static void plain_backslash(struct sf_reader *r, struct sf_word_builder *w)
{
    char c = sf_reader_at(r, 1);

    if (c == '\0') {
        sf_reader_fail(r, "it ends in a backslash");
        return;
    }
    sf_reader_skip(r, 2);
    if (c == '\n')
        return;
    w->flags |= SF_WORD_QUOTED;
    sf_word_put(r, w, c);
}

/* {a,b} and {1..3} make several words; {} and {name} do not. */
static void note_brace(struct sf_reader *r, struct sf_word_builder *w, char c)
{
    if (c == '{') {
        if (!(w->brace & BRACE_OPEN) && !(w->flags & SF_WORD_EXPANDS))
            w->head = known(r, w);
        w->brace |= BRACE_OPEN;
    } else if (w->brace & BRACE_OPEN) {
        if (c == ',' || (c == '.' && sf_reader_at(r, 1) == '.'))
            w->brace |= BRACE_SEPARATED;
        else if (c == '}' && w->brace & BRACE_SEPARATED)
            w->flags |= SF_WORD_BRACE;
    }
}

static void note_character(struct sf_reader *r, struct sf_word_builder *w, char c)
{
    unsigned char byte = (unsigned char)c;

    if (c == '*' || c == '?' || (c == ']' && w->bracket))
        w->flags |= SF_WORD_GLOB;
    else if (c == '[')
        w->bracket = true;
    else if (c == '~' && !known(r, w) && !(w->flags & SF_WORD_QUOTED))
        w->flags |= SF_WORD_TILDE;
    else if (strchr("{},.", c))
        note_brace(r, w, c);
    else if (byte < ' ' || byte >= 0x7f)
        w->flags |= SF_WORD_ODD;
}

static void plain_character(struct sf_reader *r, struct sf_word_builder *w, char c)
{
    unsigned char byte = (unsigned char)c;

    if ((byte < ' ' && c != '\r') || byte == 0x7f) {
        sf_reader_fail(r, "it holds a control character outside quotes");
        return;
    }
    note_character(r, w, c);
    sf_word_put(r, w, c);
    sf_reader_skip(r, 1);
}

/* Extended globs and regular expressions hold characters that end a word elsewhere. */
static bool takes_meta(const struct sf_reader *r, struct sf_word_builder *w, enum sf_word_mode mode)
{
    char c = sf_reader_at(r, 0);
    char before = '\0';

    if (known(r, w))
        before = r->text_stack.buf[r->text_stack.len - 1];
    if (mode == SF_WORD_MODE_PLAIN || c == '\0' || c == '\n')
        return false;
    if (c == '(' &&
        (mode == SF_WORD_MODE_REGEX || w->parens || (before && strchr("?*+@!", before)))) {
        w->parens++;
        return true;
    }
    if (c == ')' && w->parens) {
        w->parens--;
        return true;
    }
    if (w->parens)
        return true;
    return c == '|' && mode == SF_WORD_MODE_REGEX && sf_reader_at(r, 1) != '|';
}

static void read_piece(struct sf_reader *r, struct sf_word_builder *w, char c)
{
    if (c == '\'') {
        sf_reader_skip(r, 1);
        sf_word_single(r, w);
    } else if (c == '"') {
        sf_reader_skip(r, 1);
        sf_word_double(r, w);
    } else if (c == '\\') {
        plain_backslash(r, w);
    } else if (c == '$') {
        sf_expand_dollar(r, w, false);
    } else if (c == '`') {
        sf_expand_backtick(r, w, false);
    } else {
        plain_character(r, w, c);
    }
}

bool sf_word_read(struct sf_reader *r, enum sf_word_mode mode, struct sf_word *out)
{
    struct sf_word_builder w;

    sf_word_begin(r, &w);
    while (!sf_reader_failed(r)) {
        char c = sf_reader_at(r, 0);

        r->out->steps++;
        if ((c == '<' || c == '>') && sf_reader_at(r, 1) == '(' && mode == SF_WORD_MODE_PLAIN) {
            sf_expand_process(r, &w);
        } else if (sf_is_meta(c)) {
            if (!takes_meta(r, &w, mode))
                break;
            sf_word_put(r, &w, c);
            sf_reader_skip(r, 1);
        } else {
            read_piece(r, &w, c);
        }
    }
    if (w.flags & SF_WORD_BRACE) {
        size_t head = w.head;

        sf_word_expands(r, &w, SF_WORD_SPLITS);
        w.head = head;
    }
    if (r->pos == w.at)
        sf_reader_fail(r, "a word is missing");
    sf_word_finish(r, &w, out);
    return !sf_reader_failed(r);
}
