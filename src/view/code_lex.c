/*
 * code_lex.c: the lexer. At each place the first thing that fits wins: an open comment or string,
 * then what may begin one, a number, a word, anything else. Every byte is looked at a fixed number
 * of times, whatever the text is.
 */
#include "view/code_lex.h"

#include <ctype.h>
#include <string.h>

enum { OTHER, SPACE = 1, DIGIT = 2, WORD = 4, STARTER = 8 };

/* ---- words ---- */

static size_t slot_of(const struct sf_lexer *lexer, const char *text, size_t len)
{
    bool folds = lexer->language->flags & SF_LANGUAGE_FOLDS;
    uint32_t hash = 2166136261u;

    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];

        if (folds && c >= 'A' && c <= 'Z')
            c |= 0x20;
        hash = (hash ^ c) * 16777619u;
    }
    return (hash ^ hash >> 15) % SF_LEX_SLOTS;
}

static const struct sf_lex_word *find_word(const struct sf_lexer *lexer, const char *text,
                                           size_t len)
{
    bool folds = lexer->language->flags & SF_LANGUAGE_FOLDS;
    size_t slot = slot_of(lexer, text, len);

    for (; lexer->words[slot].text; slot = (slot + 1) % SF_LEX_SLOTS) {
        const struct sf_lex_word *word = &lexer->words[slot];

        if (word->len == len &&
            !(folds ? strncasecmp(word->text, text, len) : memcmp(word->text, text, len)))
            return word;
    }
    return NULL;
}

static void add_words(struct sf_lexer *lexer, const char *list, enum sf_look_role role)
{
    while (list && *list) {
        size_t len = strcspn(list, " ");

        if (!find_word(lexer, list, len)) {
            size_t slot = slot_of(lexer, list, len);

            while (lexer->words[slot].text)
                slot = (slot + 1) % SF_LEX_SLOTS;
            lexer->words[slot] = (struct sf_lex_word){ list, (uint8_t)len, (uint8_t)role };
        }
        list += len + (list[len] == ' ');
    }
}

static void add_starters(struct sf_lexer *lexer)
{
    const struct sf_language *language = lexer->language;

    for (const char *list = language->line_comments; list && *list;) {
        lexer->classes[(unsigned char)*list] |= STARTER;
        list += strcspn(list, " ");
        list += *list == ' ';
    }
    if (language->block_open)
        lexer->classes[(unsigned char)*language->block_open] |= STARTER;
    for (const struct sf_quote *quote = language->quotes; quote && quote->open; quote++)
        lexer->classes[(unsigned char)*quote->open] |= STARTER;
}

void sf_lexer_init(struct sf_lexer *lexer, const struct sf_language *language)
{
    *lexer = (struct sf_lexer){ .language = language };
    if (!language)
        return;
    for (int c = 0; c < 256; c++)
        lexer->classes[c] = c == ' ' || c == '\t'                ? SPACE
                            : c >= '0' && c <= '9'               ? DIGIT
                            : c >= 128 || c == '_' || isalpha(c) ? WORD
                                                                 : OTHER;
    for (const char *c = language->word_extra; c && *c; c++)
        lexer->classes[(unsigned char)*c] |= WORD;
    add_starters(lexer);
    add_words(lexer, language->keywords, SF_LOOK_KEYWORD);
    add_words(lexer, language->types, SF_LOOK_TYPE);
    add_words(lexer, language->constants, SF_LOOK_NUMBER);
}

/* ---- one line ---- */

struct scan {
    struct sf_lexer *lexer;
    const char *line;
    size_t len, at;
    size_t waiting; /* bytes in front of `at` that are nothing special and not yet given out */
    sf_lex_fn *emit;
    void *ctx;
};

static void give_waiting(struct scan *s)
{
    if (s->waiting)
        s->emit(s->ctx, s->line + s->at - s->waiting, s->waiting, sf_look(SF_LOOK_CODE));
    s->waiting = 0;
}

static void give(struct scan *s, size_t len, enum sf_look_role role)
{
    if (role == SF_LOOK_CODE) {
        s->waiting += len;
        s->at += len;
        return;
    }
    give_waiting(s);
    if (len)
        s->emit(s->ctx, s->line + s->at, len, sf_look(role));
    s->at += len;
}

static bool has(const struct scan *s, size_t at, const char *text)
{
    size_t len = strlen(text);

    return len <= s->len - at && !memcmp(s->line + at, text, len);
}

static uint8_t class_at(const struct scan *s, size_t at)
{
    return at < s->len ? s->lexer->classes[(unsigned char)s->line[at]] : OTHER;
}

static bool is_set(const struct scan *s, unsigned flag)
{
    return s->lexer->language->flags & flag;
}

static size_t skip_spaces(const struct scan *s, size_t at)
{
    while (class_at(s, at) & SPACE)
        at++;
    return at;
}

/* The rest of an open block comment, or all of the line. */
static void in_comment(struct scan *s, size_t at)
{
    const struct sf_language *language = s->lexer->language;

    while (at < s->len && s->lexer->state.depth) {
        if (has(s, at, language->block_close)) {
            s->lexer->state.depth--;
            at += strlen(language->block_close);
        } else if (is_set(s, SF_LANGUAGE_NESTS) && has(s, at, language->block_open)) {
            s->lexer->state.depth++;
            at += strlen(language->block_open);
        } else {
            at++;
        }
    }
    give(s, at - s->at, SF_LOOK_COMMENT);
}

/* A key is a string or word with a colon or equals sign behind it: of data files only. */
static bool is_key(const struct scan *s, size_t end)
{
    if (!is_set(s, SF_LANGUAGE_KEYS))
        return false;
    end = skip_spaces(s, end);
    return end < s->len && (s->line[end] == ':' || s->line[end] == '=');
}

/* The rest of an open string; one that may not go on over lines ends with its line. */
static void in_string(struct scan *s, const struct sf_quote *quote, size_t at)
{
    s->lexer->state.quote = quote;
    while (at < s->len && s->lexer->state.quote) {
        if (quote->flags & SF_QUOTE_ESCAPES && s->line[at] == '\\') {
            at += at + 1 < s->len ? 2 : 1;
        } else if (has(s, at, quote->close)) {
            at += strlen(quote->close);
            s->lexer->state.quote = NULL;
        } else {
            at++;
        }
    }
    if (!(quote->flags & SF_QUOTE_LINES))
        s->lexer->state.quote = NULL;
    give(s, at - s->at, !s->lexer->state.quote && is_key(s, at) ? SF_LOOK_TYPE : SF_LOOK_STRING);
}

/* 'x', '\n', '\u{1f600}': bytes of it, or 0 when the quote is a lifetime or an apostrophe. */
static size_t char_len(const struct scan *s, size_t at)
{
    enum { ESCAPE_MAX = 12 };
    size_t end = at + 1;
    uint32_t cp;

    if (end >= s->len || s->line[end] == '\'')
        return 0;
    if (s->line[end] == '\\') {
        end += 2;
        while (end < s->len && s->line[end] != '\'' && end - at < ESCAPE_MAX)
            end++;
    } else {
        end += sf_utf8_decode(s->line + end, s->len - end, &cp);
    }
    return end < s->len && s->line[end] == '\'' ? end + 1 - at : 0;
}

static bool line_comment(struct scan *s)
{
    bool spaced = is_set(s, SF_LANGUAGE_SPACED);

    if (spaced && s->at && !(class_at(s, s->at - 1) & SPACE))
        return false;
    for (const char *list = s->lexer->language->line_comments; list && *list;) {
        size_t len = strcspn(list, " ");

        if (len <= s->len - s->at && !memcmp(s->line + s->at, list, len)) {
            give(s, s->len - s->at, SF_LOOK_COMMENT);
            return true;
        }
        list += len + (list[len] == ' ');
    }
    return false;
}

static bool string(struct scan *s)
{
    const struct sf_quote *quote = s->lexer->language->quotes;

    if (is_set(s, SF_LANGUAGE_TAGS) && !s->lexer->state.in_tag)
        return false;
    for (; quote && quote->open; quote++) {
        size_t len = has(s, s->at, quote->open) ? strlen(quote->open) : 0;

        if (len && quote->flags & SF_QUOTE_CHAR)
            len = char_len(s, s->at);
        if (!len)
            continue;
        if (quote->flags & SF_QUOTE_CHAR) {
            give(s, len, SF_LOOK_STRING);
            return true;
        }
        in_string(s, quote, s->at + len);
        return true;
    }
    return false;
}

static bool started(struct scan *s)
{
    const struct sf_language *language = s->lexer->language;

    if (language->block_open && has(s, s->at, language->block_open)) {
        s->lexer->state.depth = 1;
        in_comment(s, s->at + strlen(language->block_open));
        return true;
    }
    return line_comment(s) || string(s);
}

static void number(struct scan *s)
{
    bool hex = has(s, s->at, "0x") || has(s, s->at, "0X");
    size_t at = s->at + 1;

    for (; at < s->len; at++) {
        char c = s->line[at], before = s->line[at - 1];
        bool exponent = hex ? before == 'p' || before == 'P' : before == 'e' || before == 'E';

        if (isalnum((unsigned char)c) || c == '_')
            continue;
        if (c == '.' && before != '.' && at + 1 < s->len && isdigit((unsigned char)s->line[at + 1]))
            continue;
        if (!((c == '+' || c == '-') && exponent && class_at(s, at + 1) & DIGIT))
            break;
    }
    give(s, at - s->at, SF_LOOK_NUMBER);
}

/* Like This, but not like THIS, which is a constant of some kind. */
static bool is_capital(const char *text, size_t len)
{
    if (text[0] < 'A' || text[0] > 'Z')
        return false;
    for (size_t i = 1; i < len; i++)
        if (text[i] >= 'a' && text[i] <= 'z')
            return true;
    return false;
}

/* Where a line's key stands: first, or behind the dash of a list. */
static size_t key_place(const struct scan *s)
{
    size_t at = skip_spaces(s, 0);

    return has(s, at, "- ") ? skip_spaces(s, at + 1) : at;
}

static enum sf_look_role role_of_word(const struct scan *s, size_t end)
{
    const char *text = s->line + s->at;
    size_t len = end - s->at;
    const struct sf_lex_word *word = find_word(s->lexer, text, len);

    if (s->lexer->state.in_tag)
        return SF_LOOK_TYPE;
    if (is_key(s, end) && key_place(s) == s->at)
        return SF_LOOK_TYPE;
    if (word)
        return (enum sf_look_role)word->role;
    if (is_set(s, SF_LANGUAGE_BANGS) && has(s, end, "!") && !has(s, end, "!="))
        return SF_LOOK_FUNCTION;
    if (is_set(s, SF_LANGUAGE_CALLS) && has(s, end, "("))
        return SF_LOOK_FUNCTION;
    if (is_set(s, SF_LANGUAGE_CAPITALS) && is_capital(text, len))
        return SF_LOOK_TYPE;
    return SF_LOOK_CODE;
}

/* r"…", f'…' and their like: the letters belong to the string. */
static bool is_prefix(const struct scan *s, size_t end)
{
    if (end - s->at > 2 || end >= s->len || (s->line[end] != '"' && s->line[end] != '\'') ||
        !(class_at(s, end) & STARTER))
        return false;
    for (size_t at = s->at; at < end; at++)
        if (!strchr("rbfuRBFUL", s->line[at]))
            return false;
    return true;
}

static void word(struct scan *s)
{
    size_t end = s->at + 1;

    while (class_at(s, end) & (WORD | DIGIT))
        end++;
    give(s, end - s->at, is_prefix(s, end) ? SF_LOOK_STRING : role_of_word(s, end));
}

/* $NAME, ${NAME} and $(NAME); anything else behind the sign is lexed as usual. */
static bool variable(struct scan *s)
{
    size_t end = s->at + 1;
    const char *close = has(s, end, "{") ? "}" : has(s, end, "(") ? ")" : "";

    end += strlen(close);
    while (class_at(s, end) & (WORD | DIGIT))
        end++;
    if (end == s->at + 1 || end > s->len || !has(s, end, close))
        return false;
    end += strlen(close);
    give(s, end - s->at, SF_LOOK_TYPE);
    return true;
}

/* #include <x>: the sign, the word, and a file's name in angles. */
static void preprocessor(struct scan *s)
{
    size_t end = skip_spaces(s, s->at + 1);
    bool file = has(s, end, "include") || has(s, end, "import");

    while (class_at(s, end) & WORD)
        end++;
    give(s, end - s->at, SF_LOOK_PREPROCESSOR);
    give(s, skip_spaces(s, s->at) - s->at, SF_LOOK_CODE);
    if (file && has(s, s->at, "<")) {
        const char *close = memchr(s->line + s->at, '>', s->len - s->at);

        give(s, close ? (size_t)(close + 1 - (s->line + s->at)) : s->len - s->at, SF_LOOK_STRING);
    }
}

static bool marked(struct scan *s)
{
    size_t end = s->at + 1;

    while (class_at(s, end) & (WORD | DIGIT) || (end > s->at + 1 && has(s, end, ".")))
        end++;
    if (end == s->at + 1)
        return false;
    give(s, end - s->at, SF_LOOK_PREPROCESSOR);
    return true;
}

static bool tag(struct scan *s)
{
    size_t end = s->at + 1;

    if (s->line[s->at] == '>' && s->lexer->state.in_tag) {
        s->lexer->state.in_tag = false;
        give(s, 1, SF_LOOK_KEYWORD);
        return true;
    }
    if (s->line[s->at] != '<')
        return false;
    while (end < s->len && strchr("/?!", s->line[end]))
        end++;
    if (!(class_at(s, end) & WORD))
        return false;
    while (class_at(s, end) & (WORD | DIGIT))
        end++;
    s->lexer->state.in_tag = true;
    give(s, end - s->at, SF_LOOK_KEYWORD);
    return true;
}

/* Signs that mean something in some languages only. */
static bool special(struct scan *s)
{
    char c = s->line[s->at];

    return (c == '$' && is_set(s, SF_LANGUAGE_VARIABLES) && variable(s)) ||
           (c == '@' && is_set(s, SF_LANGUAGE_MARKS) && marked(s)) ||
           (is_set(s, SF_LANGUAGE_TAGS) && tag(s));
}

static void next_piece(struct scan *s)
{
    uint8_t class = class_at(s, s->at);
    bool text = is_set(s, SF_LANGUAGE_TAGS) && !s->lexer->state.in_tag; /* between tags: no code */

    if ((class & STARTER && started(s)) || (!(class & (SPACE | DIGIT)) && special(s)))
        return;
    if (class & DIGIT && !text)
        number(s);
    else if (class & WORD && !text)
        word(s);
    else
        give(s, 1, SF_LOOK_CODE);
}

/* [name] or [[name]]; an array's line begins with a bracket too, but not with a word in it. */
static void section(struct scan *s)
{
    size_t inside = s->at + (has(s, s->at, "[[") ? 2 : 1);
    const char *close = memrchr(s->line, ']', s->len);

    if (class_at(s, inside) & WORD && close && close > s->line + inside)
        give(s, (size_t)(close + 1 - (s->line + s->at)), SF_LOOK_KEYWORD);
}

/* What only the first sign of a line can be. */
static void line_start(struct scan *s)
{
    size_t first = skip_spaces(s, 0);

    if (s->lexer->state.depth || s->lexer->state.quote)
        return;
    give(s, first, SF_LOOK_CODE);
    if (is_set(s, SF_LANGUAGE_HASHES) && has(s, first, "#"))
        preprocessor(s);
    else if (is_set(s, SF_LANGUAGE_SECTIONS) && has(s, first, "["))
        section(s);
}

static enum sf_look_role role_of_diff_line(const char *line, size_t len)
{
    static const struct {
        const char *start;
        enum sf_look_role role;
    } rows[] = {
        { "+++", SF_LOOK_HUNK },   { "---", SF_LOOK_HUNK },    { "@@", SF_LOOK_HUNK },
        { "diff ", SF_LOOK_HUNK }, { "index ", SF_LOOK_HUNK }, { "+", SF_LOOK_ADDED },
        { "-", SF_LOOK_REMOVED },
    };

    for (size_t i = 0; i < SF_COUNT(rows); i++)
        if (strlen(rows[i].start) <= len && !memcmp(line, rows[i].start, strlen(rows[i].start)))
            return rows[i].role;
    return SF_LOOK_CODE;
}

void sf_lexer_line(struct sf_lexer *lexer, const char *line, size_t len, sf_lex_fn *emit, void *ctx)
{
    struct scan s = { .lexer = lexer, .line = line, .len = len, .emit = emit, .ctx = ctx };

    if (!lexer->language || lexer->language->flags & SF_LANGUAGE_DIFF) {
        if (len)
            emit(ctx, line, len,
                 sf_look(lexer->language ? role_of_diff_line(line, len) : SF_LOOK_CODE));
        return;
    }
    line_start(&s);
    while (s.at < s.len) {
        if (lexer->state.depth)
            in_comment(&s, s.at);
        else if (lexer->state.quote)
            in_string(&s, lexer->state.quote, s.at);
        else
            next_piece(&s);
    }
    give_waiting(&s);
}
