/*
 * literal.c: a reading of expressions that knows little and is sure of it. It follows the top
 * level only, steps over brackets and groups, and gives up at anything it does not know: without
 * a literal the search is slower, never wrong.
 */
#include "find/literal.h"

#include <ctype.h>
#include <string.h>

#include "base/base.h"

struct reader {
    const char *text;
    size_t len, at;
    struct sf_strbuf run; /* literal bytes in a row, at the top level */
    struct sf_literal *out;
    bool only;     /* nothing but literal bytes so far */
    bool branched; /* there is a choice at the top level: no side is required */
    int depth;
};

static bool starts(const struct reader *r, const char *word)
{
    size_t n = strlen(word);

    return r->len - r->at >= n && !memcmp(r->text + r->at, word, n);
}

/* The run is over; the longest one wins, and of equals the first. */
static void end_run(struct reader *r)
{
    if (r->run.len > r->out->bytes.len) {
        sf_strbuf_reset(&r->out->bytes);
        sf_strbuf_add(&r->out->bytes, r->run.buf, r->run.len);
    }
    sf_strbuf_reset(&r->run);
    r->only = false;
}

/* The last character may be missing from a match: it ends the run without being in it. */
static void drop_char(struct reader *r)
{
    size_t n = r->run.len;

    while (n && ((unsigned char)r->run.buf[n - 1] & 0xc0) == 0x80)
        n--;
    sf_strbuf_truncate(&r->run, n ? n - 1 : 0);
    end_run(r);
}

static void add_byte(struct reader *r, char c)
{
    if (c == '\n')
        r->out->has_newline = true;
    if (!r->depth)
        sf_strbuf_addch(&r->run, c);
    r->at++;
}

/* To behind the "{…}" or the few characters that belong to an escape. */
static bool skip_argument(struct reader *r, size_t most)
{
    if (r->at < r->len && r->text[r->at] == '{') {
        const char *end = memchr(r->text + r->at, '}', r->len - r->at);

        r->at = end ? (size_t)(end - r->text) + 1 : r->len;
        return end != NULL;
    }
    for (size_t n = 0; n < most && r->at < r->len && isalnum((unsigned char)r->text[r->at]); n++)
        r->at++;
    return true;
}

/* At a backslash. Letters that are not known here end the reading. */
static bool read_escape(struct reader *r)
{
    static const char known[] = "wWdDsShHvVbBRtrfean";
    char c;

    if (++r->at >= r->len)
        return false;
    c = r->text[r->at];
    if (!c || (unsigned char)c >= 0x80)
        return false;
    if (!isalnum((unsigned char)c)) {
        add_byte(r, c);
        return true;
    }
    r->at++;
    end_run(r);
    if (c == 'n' || c == 'R')
        r->out->has_newline = true;
    if (c == 'p' || c == 'P')
        return skip_argument(r, 1);
    return c == 'x' ? skip_argument(r, 2) : strchr(known, c) != NULL;
}

/* To behind the closing bracket. */
static bool skip_set(struct reader *r)
{
    size_t at = r->at + 1;

    end_run(r);
    at += at < r->len && r->text[at] == '^';
    at += at < r->len && r->text[at] == ']';
    while (at < r->len && r->text[at] != ']') {
        if (r->text[at] == '\\') {
            at += 2;
        } else if (r->text[at] == '[' && at + 1 < r->len && strchr(":.=", r->text[at + 1])) {
            const char *end = memchr(r->text + at + 2, ']', r->len - at - 2);

            at = end && end[-1] == r->text[at + 1] ? (size_t)(end - r->text) + 1 : at + 1;
        } else {
            at++;
        }
    }
    r->at = at + 1;
    return at < r->len;
}

/* "(?i)" and "(?im:": letters that leave lines what they are. */
static bool open_flags(struct reader *r)
{
    size_t at = r->at + 2;

    while (at < r->len && (r->text[at] == 'i' || r->text[at] == 'm'))
        r->out->folded |= r->text[at++] == 'i';
    if (at == r->at + 2 || at >= r->len || !strchr("):", r->text[at]))
        return false;
    r->depth += r->text[at] == ':';
    r->at = at + 1;
    return true;
}

/* Plain groups, with a name or without. Nearly anything else behind "(?" changes the rules. */
static bool open_group(struct reader *r)
{
    static const char *const plain[] = { "(?:", "(?P<", "(?<", "(?'" };

    end_run(r);
    if (starts(r, "(?<=") || starts(r, "(?<!"))
        return false;
    for (size_t i = 0; i < SF_COUNT(plain); i++)
        if (starts(r, plain[i])) {
            r->depth++;
            r->at += strlen(plain[i]);
            return true;
        }
    if (starts(r, "(?"))
        return open_flags(r);
    r->depth++;
    r->at++;
    return r->at >= r->len || r->text[r->at] != '*';
}

static size_t digits(const struct reader *r, size_t at)
{
    size_t n = 0;

    while (at + n < r->len && isdigit((unsigned char)r->text[at + n]))
        n++;
    return n;
}

/* Bytes of "{n}", "{n,}" or "{n,m}" here; 0: the brace is itself. */
static size_t count_len(const struct reader *r)
{
    size_t at = r->at + 1, n = digits(r, at);

    if (!n)
        return 0;
    at += n;
    if (at < r->len && r->text[at] == ',')
        at += 1 + digits(r, at + 1);
    return at < r->len && r->text[at] == '}' ? at + 1 - r->at : 0;
}

/* False at a possessive quantifier, which takes what a line alone might need. */
static bool skip_quantifier(struct reader *r, size_t len)
{
    if (r->text[r->at] == '+')
        end_run(r);
    else
        drop_char(r);
    r->at += len;
    if (r->at < r->len && r->text[r->at] == '?')
        r->at++;
    return r->at >= r->len || r->text[r->at] != '+';
}

static bool read_part(struct reader *r)
{
    char c = r->text[r->at];
    size_t n = c == '{' ? count_len(r) : c == '*' || c == '+' || c == '?';

    if (n)
        return skip_quantifier(r, n);
    if (c == '\\')
        return read_escape(r);
    if (c == '[')
        return skip_set(r);
    if (c == '(')
        return open_group(r);
    if (c == '|' && !r->depth)
        r->branched = true;
    if (c == ')' && r->depth)
        r->depth--;
    if (!c || !strchr(".^$|)", c)) {
        add_byte(r, c);
        return true;
    }
    end_run(r);
    r->at++;
    return true;
}

void sf_literal_read(const char *pattern, size_t len, struct sf_literal *out)
{
    struct reader r = { .text = pattern, .len = len, .out = out, .only = true };

    sf_strbuf_init(&r.run);
    out->local = true;
    while (r.at < r.len && out->local)
        out->local = read_part(&r);
    out->whole = r.only && out->local && len;
    if (out->whole)
        sf_strbuf_add(&out->bytes, r.run.buf, r.run.len);
    else
        end_run(&r);
    if (!out->local || r.branched)
        sf_strbuf_reset(&out->bytes);
    sf_strbuf_release(&r.run);
}

const char *sf_literal_find(const char *text, size_t len, const char *needle, size_t needle_len)
{
    return memmem(text, len, needle, needle_len);
}
