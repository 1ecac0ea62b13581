/*
 * offline_words.c: splits a request into clauses and words. An apostrophe inside a word ("don't")
 * is no quote; one that is never closed is none either.
 */
#include "model/offline_words.h"

#include <ctype.h>
#include <strings.h>

#include "base/base.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The end of a quoted word that begins at `at`, or 0 when nothing closes it. */
static size_t quote_end(const char *text, size_t at)
{
    const char *close = strchr(text + at + 1, text[at]);

    while (close && close[1] && !is_blank(close[1]) && !strchr(".,;:!?)", close[1]))
        close = strchr(close + 1, text[at]);
    return close ? (size_t)(close - text) : 0;
}

static void add_word(struct sf_clause *c, const char *text, size_t at, size_t end, bool quoted)
{
    size_t from = at + quoted, to = end - quoted;

    /* a full stop or comma belongs to the sentence, not to the word */
    while (!quoted && to > from + 1 && strchr(".,;:!?", text[to - 1]) && text[to - 2] != '.')
        to--;
    if (c->count >= SF_WORDS_MAX)
        return;
    c->words = sf_grow(c->words, &c->cap, c->count + 1, sizeof(*c->words));
    c->words[c->count++] = (struct sf_request_word){ sf_strndup(text + from, to - from), quoted, at,
                                                     quoted ? end : to };
}

static void split_words(struct sf_clause *c)
{
    const char *text = c->text;
    size_t at = 0;

    while (text[at]) {
        size_t end = at, close, quote;

        if (is_blank(text[at])) {
            at++;
            continue;
        }
        quote = at + (text[at] == '@'); /* @"a file" */
        close = text[quote] && strchr("'\"`", text[quote]) ? quote_end(text, quote) : 0;
        if (close) {
            add_word(c, text, quote, close + 1, true);
            at = close + 1;
            while (text[at] && strchr(".,;:!?", text[at]))
                at++;
            continue;
        }
        while (text[end] && !is_blank(text[end]))
            end++;
        add_word(c, text, at, end, false);
        at = end;
    }
}

bool sf_word_is(const struct sf_clause *c, size_t index, const char *word)
{
    return index < c->count && !c->words[index].quoted &&
           strcasecmp(c->words[index].text, word) == 0;
}

size_t sf_word_find(const struct sf_clause *c, size_t from, const char *word)
{
    while (from < c->count && !sf_word_is(c, from, word))
        from++;
    return from;
}

char *sf_words_text(const struct sf_clause *c, size_t from, size_t to)
{
    if (to > c->count)
        to = c->count;
    if (from >= to)
        return sf_strdup("");
    if (to - from == 1)
        return sf_strdup(c->words[from].text);
    return sf_strndup(c->text + c->words[from].at, c->words[to - 1].end - c->words[from].at);
}

static void release_clause(struct sf_clause *c)
{
    for (size_t i = 0; i < c->count; i++)
        free(c->words[i].text);
    free(c->words);
    free(c->text);
}

void sf_clauses_release(struct sf_clauses *clauses)
{
    for (size_t i = 0; i < clauses->count; i++)
        release_clause(&clauses->items[i]);
    free(clauses->items);
    *clauses = (struct sf_clauses){ 0 };
}

static void add_clause(struct sf_clauses *clauses, const char *text, size_t len)
{
    struct sf_clause c = { .text = sf_strndup(text, len) };

    split_words(&c);
    if (!c.count || clauses->count >= SF_CLAUSES_MAX) {
        clauses->more = clauses->more || c.count;
        release_clause(&c);
        return;
    }
    clauses->items =
        sf_grow(clauses->items, &clauses->cap, clauses->count + 1, sizeof(*clauses->items));
    clauses->items[clauses->count++] = c;
}

/* Words that join the next clause and say nothing: "and then", "please". */
static size_t skip_joints(const struct sf_clause *c, size_t i)
{
    static const char *const joints[] = { "and", "then", "also", "please", "afterwards", "now" };
    bool again = true;

    while (again && i < c->count) {
        again = false;
        for (size_t k = 0; k < SF_COUNT(joints) && !again; k++)
            again = sf_word_is(c, i, joints[k]);
        i += again;
    }
    return i;
}

/* A clause ends before "then", and before "and" or behind a comma where a verb follows. */
static bool ends_before(const struct sf_clause *c, size_t i, bool (*is_verb)(const char *word))
{
    size_t next = skip_joints(c, i);
    char before = c->text[c->words[i - 1].end];

    if (next >= c->count || c->words[next].quoted || !is_verb(c->words[next].text))
        return false;
    return next > i || before == ',' || before == ';' || before == '.';
}

void sf_clauses_read(struct sf_clauses *clauses, const char *text,
                     bool (*is_verb)(const char *word))
{
    struct sf_clause whole = { .text = sf_strdup(text) };
    size_t from;

    split_words(&whole);
    from = skip_joints(&whole, 0);
    for (size_t i = from + 1; i <= whole.count && from < whole.count; i++) {
        if (i < whole.count && !ends_before(&whole, i, is_verb))
            continue;
        add_clause(clauses, text + whole.words[from].at,
                   whole.words[i - 1].end - whole.words[from].at);
        from = i < whole.count ? skip_joints(&whole, i) : i;
        i = from;
    }
    release_clause(&whole);
}
