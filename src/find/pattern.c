/*
 * pattern.c: an expression becomes two programs and a plan. The Unicode program is always there;
 * the one for ASCII only where both surely agree on ASCII text, which is when the expression
 * itself is ASCII.
 */
#include "find/pattern.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "find/pattern_build.h"

enum { USEFUL = 3 }; /* a shorter literal stands in too many lines to be worth the detour */

static bool fail_pattern(int code, size_t at, struct sf_error *err)
{
    PCRE2_UCHAR words[160];

    if (pcre2_get_error_message(code, words, sizeof(words)) < 0)
        words[0] = '\0';
    sf_fail(err, SF_E_SYNTAX, "the pattern is not valid: %s, at offset %zu", (const char *)words,
            at);
    err->column = (unsigned)at + 1;
    return sf_hint(err, "put a backslash before a character that stands for itself");
}

static bool compile(struct sf_pattern_code *out, const struct sf_strbuf *text, uint32_t flags,
                    struct sf_error *err)
{
    pcre2_compile_context *context = pcre2_compile_context_create(NULL);
    PCRE2_SIZE at = 0;
    int code = 0;

    if (!context)
        return sf_fail(err, SF_E_LIMIT, "no memory for the pattern");
    pcre2_set_newline(context, PCRE2_NEWLINE_LF);
    pcre2_set_bsr(context, PCRE2_BSR_UNICODE);
    out->code =
        pcre2_compile((PCRE2_SPTR)text->buf, text->len,
                      flags | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C, &code, &at, context);
    pcre2_compile_context_free(context);
    if (!out->code)
        return fail_pattern(code, at, err);
    out->jit = pcre2_jit_compile(out->code, PCRE2_JIT_COMPLETE) == 0;
    return true;
}

static bool is_ascii(const struct sf_strbuf *text)
{
    for (size_t i = 0; i < text->len; i++)
        if ((unsigned char)text->buf[i] >= 0x80)
            return false;
    return true;
}

static bool compile_both(struct sf_pattern *p, const struct sf_strbuf *text,
                         const struct sf_pattern_options *o, struct sf_error *err)
{
    uint32_t flags = (o->ignore_case ? PCRE2_CASELESS : 0) | (o->multiline ? PCRE2_DOTALL : 0);
    struct sf_error ignored = SF_ERROR_INIT;

    if (!compile(&p->unicode, text, flags | PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF, err))
        return false;
    /* what only Unicode has, such as \x{100}, leaves this one out */
    if (is_ascii(text))
        compile(&p->ascii, text, flags, &ignored);
    return true;
}

static void quote(struct sf_strbuf *out, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if ((unsigned char)text[i] < 0x80 && !isalnum((unsigned char)text[i]))
            sf_strbuf_addch(out, '\\');
        sf_strbuf_addch(out, text[i]);
    }
}

static void read_literal(struct sf_pattern *p, const char *text, size_t len,
                         const struct sf_pattern_options *o)
{
    struct sf_literal *literal = &p->literal;

    if (o->fixed) {
        literal->local = literal->whole = true;
        literal->has_newline = memchr(text, '\n', len);
        sf_strbuf_add(&literal->bytes, text, len);
    } else {
        sf_literal_read(text, len, literal);
    }
    if (o->ignore_case || literal->folded)
        sf_strbuf_reset(&literal->bytes);
    literal->whole = literal->whole && literal->bytes.len && !o->word;
    if (!literal->whole && literal->bytes.len < USEFUL)
        sf_strbuf_reset(&literal->bytes);
}

static enum sf_pattern_way choose_way(const struct sf_pattern *p,
                                      const struct sf_pattern_options *o)
{
    if (p->literal.whole)
        return SF_WAY_PLAIN;
    if (o->multiline)
        return SF_WAY_WHOLE;
    if (p->literal.bytes.len)
        return SF_WAY_CHOSEN;
    return p->literal.local ? SF_WAY_BLOCKS : SF_WAY_LINES;
}

static bool check_text(const char *text, size_t len, struct sf_error *err)
{
    if (!len)
        return sf_fail(err, SF_E_ARG, "the pattern is empty");
    if (len > SF_PATTERN_LEN_MAX)
        return sf_fail(err, SF_E_LIMIT, "the pattern is longer than %d bytes", SF_PATTERN_LEN_MAX);
    if (memchr(text, '\0', len))
        return sf_fail(err, SF_E_ARG, "the pattern has a NUL byte in it");
    return true;
}

static bool build(struct sf_pattern *p, const char *text, size_t len,
                  const struct sf_pattern_options *o, struct sf_error *err)
{
    struct sf_strbuf bare = SF_STRBUF_INIT, worded = SF_STRBUF_INIT;
    bool ok;

    if (o->fixed)
        quote(&bare, text, len);
    else
        sf_strbuf_add(&bare, text, len);
    ok = compile_both(p, &bare, o, err);
    if (ok && p->literal.has_newline && !o->multiline) {
        ok = sf_fail(err, SF_E_ARG, "the pattern asks for a line break, and lines have none");
        sf_hint(err, "search with multiline");
    }
    if (ok && o->word) {
        sf_strbuf_addf(&worded, "(?<!\\w)(?:%s)(?!\\w)", bare.buf);
        pcre2_code_free(p->unicode.code);
        pcre2_code_free(p->ascii.code);
        p->unicode = p->ascii = (struct sf_pattern_code){ NULL, false };
        ok = compile_both(p, &worded, o, err);
    }
    sf_strbuf_release(&bare);
    sf_strbuf_release(&worded);
    return ok;
}

struct sf_pattern *sf_pattern_new(const char *text, size_t len,
                                  const struct sf_pattern_options *options, struct sf_error *err)
{
    struct sf_pattern *p;

    if (!check_text(text, len, err))
        return NULL;
    p = sf_alloc(sizeof(*p));
    p->literal = (struct sf_literal)SF_LITERAL_INIT;
    p->multiline = options->multiline;
    p->steps_max = options->steps_max ? options->steps_max : SF_PATTERN_STEPS_MAX;
    read_literal(p, text, len, options);
    p->way = choose_way(p, options);
    if (build(p, text, len, options, err))
        return p;
    sf_pattern_free(p);
    return NULL;
}

void sf_pattern_free(struct sf_pattern *pattern)
{
    if (!pattern)
        return;
    pcre2_code_free(pattern->unicode.code);
    pcre2_code_free(pattern->ascii.code);
    sf_strbuf_release(&pattern->literal.bytes);
    free(pattern);
}

bool sf_pattern_is_multiline(const struct sf_pattern *pattern)
{
    return pattern->multiline;
}
