/*
 * lex.c: characters, blanks and line ends of the shell reader. The one idea: a newline is
 * where the bodies of here-documents are, so it is eaten in one place only.
 */
#include <string.h>

#include "shell/reader.h"

char sf_reader_at(const struct sf_reader *r, size_t ahead)
{
    if (ahead >= r->end - r->pos)
        return '\0';
    return r->text[r->pos + ahead];
}

/* Never beyond the end, also behind a failure, which has moved there already. */
void sf_reader_skip(struct sf_reader *r, size_t count)
{
    size_t left = r->end - r->pos;

    r->pos += count < left ? count : left;
}

size_t sf_reader_place(const struct sf_reader *r, size_t pos)
{
    return r->copied ? r->origin : r->origin + pos;
}

bool sf_reader_failed(const struct sf_reader *r)
{
    return r->out->problem != NULL;
}

bool sf_reader_fail(struct sf_reader *r, const char *problem)
{
    if (!r->out->problem) {
        r->out->problem = problem;
        r->out->problem_at = sf_reader_place(r, r->pos);
    }
    r->pos = r->end;
    return false;
}

bool sf_reader_enter(struct sf_reader *r)
{
    if (r->depth >= SF_SHELL_DEPTH)
        return sf_reader_fail(r, "it is nested too deeply");
    r->depth++;
    return true;
}

void sf_reader_leave(struct sf_reader *r)
{
    r->depth--;
}

void sf_reader_trick(struct sf_reader *r, enum sf_shell_trick trick)
{
    if (r->out->tricks & 1u << trick)
        return;
    r->out->tricks |= 1u << trick;
    r->out->trick_at[trick] = sf_reader_place(r, r->pos);
}

bool sf_is_meta(char c)
{
    return c == '\0' || strchr(" \t\n;&|<>()", c) != NULL;
}

bool sf_is_name_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool sf_is_name(char c)
{
    return sf_is_name_start(c) || (c >= '0' && c <= '9');
}

size_t sf_reader_name(const struct sf_reader *r)
{
    size_t n = 0;

    if (sf_is_name_start(sf_reader_at(r, 0)))
        while (sf_is_name(sf_reader_at(r, n)))
            n++;
    return n;
}

static bool continues(const struct sf_reader *r)
{
    return sf_reader_at(r, 0) == '\\' && sf_reader_at(r, 1) == '\n';
}

void sf_reader_blanks(struct sf_reader *r)
{
    size_t from = r->pos;

    for (;;) {
        char c = sf_reader_at(r, 0);

        if (c == ' ' || c == '\t')
            sf_reader_skip(r, 1);
        else if (continues(r))
            sf_reader_skip(r, 2);
        else
            break;
    }
    if (sf_reader_at(r, 0) == '#')
        while (r->pos < r->end && r->text[r->pos] != '\n')
            sf_reader_skip(r, 1);
    r->out->steps += r->pos - from;
}

/* Whether the line [at, at+len) ends the body; tabs in front may be stripped. */
static bool ends_body(const char *line, size_t len, const struct sf_redirect *doc)
{
    while (doc->strips && len && *line == '\t') {
        line++;
        len--;
    }
    return len == doc->target.len && !memcmp(line, doc->target.text, len);
}

static bool ends_in_backslash(const char *line, size_t len)
{
    size_t n = 0;

    while (n < len && line[len - 1 - n] == '\\')
        n++;
    return n % 2 == 1;
}

/*
 * In an expanding body a backslash joins lines before the delimiter is looked for. Where that
 * would swallow the delimiter, shells and readers disagree about what is data: refused.
 */
static bool read_body(struct sf_reader *r, struct sf_redirect *doc)
{
    size_t start = r->pos;
    bool joined = false;

    while (r->pos < r->end) {
        const char *line = r->text + r->pos;
        const char *nl = memchr(line, '\n', r->end - r->pos);
        size_t len = nl ? (size_t)(nl - line) : r->end - r->pos;

        r->out->steps += len + 1;
        if (ends_body(line, len, doc)) {
            if (joined && doc->expands)
                return sf_reader_fail(r, "a here-document ends behind a backslash");
            doc->body = r->text + start;
            doc->body_len = r->pos - start;
            sf_reader_skip(r, len + (nl != NULL));
            return true;
        }
        joined = ends_in_backslash(line, len);
        sf_reader_skip(r, len + (nl != NULL));
    }
    return sf_reader_fail(r, "a here-document has no end");
}

/* One newline and the bodies that wait for it. */
static bool newline(struct sf_reader *r)
{
    if (sf_reader_at(r, 0) != '\n')
        return false;
    if (r->outer_waits)
        return sf_reader_fail(r, "a here-document begins inside a substitution");
    sf_reader_skip(r, 1);
    r->out->steps++;
    for (struct sf_redirect *doc = r->waiting; doc; doc = doc->waits_next) {
        if (!read_body(r, doc))
            return false;
        if (doc->expands)
            sf_expand_body(r, doc);
    }
    r->waiting = NULL;
    r->waiting_tail = &r->waiting;
    return true;
}

void sf_reader_newlines(struct sf_reader *r)
{
    do
        sf_reader_blanks(r);
    while (newline(r));
}

bool sf_reader_eat(struct sf_reader *r, const char *text)
{
    size_t len = strlen(text);

    if (len > r->end - r->pos || memcmp(r->text + r->pos, text, len) != 0)
        return false;
    sf_reader_skip(r, len);
    r->out->steps += len;
    return true;
}

bool sf_reader_keyword(const struct sf_reader *r, const char *word)
{
    size_t len = strlen(word);

    return len <= r->end - r->pos && !memcmp(r->text + r->pos, word, len) &&
           sf_is_meta(sf_reader_at(r, len));
}

bool sf_reader_eat_keyword(struct sf_reader *r, const char *word)
{
    return sf_reader_keyword(r, word) && sf_reader_eat(r, word);
}
