/*
 * matcher.c: one thread's search in one text, line by line in effect and hardly ever in fact. The
 * invariant of all ways but "whole": what is reported is a match of its line alone.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "find/pattern_build.h"

enum {
    BLOCK = 32 * 1024,
    STACK_MIN = 32 * 1024,
    LINES_A_LOOK = 256, /* between looks at the flag that cancels */
    QUICK_STEPS = 20000 /* what an attempt may take before its block is taken line by line */
};

struct sf_matcher {
    const struct sf_pattern *pattern;
    const atomic_bool *cancel;
    pcre2_match_data *data;
    pcre2_match_context *context, *quick;
    pcre2_jit_stack *stack;
    const char *text;
    size_t len;
    size_t block_from, block_to; /* lines that `block_code` fits */
    const struct sf_pattern_code *block_code;
    bool block_hard; /* its lines are taken one by one, so that a cancel need not wait for all */
    int problem;     /* PCRE2's number */
};

static pcre2_match_context *context_new(pcre2_jit_stack *stack, uint32_t steps)
{
    pcre2_match_context *context = pcre2_match_context_create(NULL);

    if (context) {
        pcre2_set_match_limit(context, steps);
        pcre2_jit_stack_assign(context, NULL, stack);
    }
    return context;
}

struct sf_matcher *sf_matcher_new(const struct sf_pattern *pattern, const atomic_bool *cancel)
{
    struct sf_matcher *m = sf_alloc(sizeof(*m));

    m->pattern = pattern;
    m->cancel = cancel;
    m->data = pcre2_match_data_create(1, NULL);
    m->stack = pcre2_jit_stack_create(STACK_MIN, SF_PATTERN_STACK_MAX, NULL);
    m->context = context_new(m->stack, pattern->steps_max);
    m->quick = context_new(m->stack, QUICK_STEPS);
    return m;
}

void sf_matcher_free(struct sf_matcher *matcher)
{
    if (!matcher)
        return;
    pcre2_match_data_free(matcher->data);
    pcre2_match_context_free(matcher->context);
    pcre2_match_context_free(matcher->quick);
    pcre2_jit_stack_free(matcher->stack);
    free(matcher);
}

static bool is_ascii(const char *text, size_t len)
{
    uint64_t sum = 0, word;

    for (; len >= 32; text += 32, len -= 32) {
        for (size_t i = 0; i < 32; i += 8) {
            memcpy(&word, text + i, 8);
            sum |= word;
        }
        if (sum & 0x8080808080808080u)
            return false;
    }
    for (size_t i = 0; i < len; i++)
        sum |= (unsigned char)text[i];
    return !(sum & 0x8080808080808080u);
}

static const struct sf_pattern_code *code_for(const struct sf_matcher *m, size_t from, size_t to)
{
    const struct sf_pattern *p = m->pattern;

    return p->ascii.code && is_ascii(m->text + from, to - from) ? &p->ascii : &p->unicode;
}

/* A part of the text, and where in it matching begins. */
struct part {
    size_t from, to, at;
};

/* Offsets of the answer are the text's. Without its JIT program PCRE2 counts steps otherwise. */
static enum sf_match match(struct sf_matcher *m, const struct sf_pattern_code *code,
                           struct part part, bool quick, struct sf_span *span)
{
    PCRE2_SPTR text = (PCRE2_SPTR)m->text + part.from;
    size_t len = part.to - part.from, at = part.at - part.from;
    const PCRE2_SIZE *found;
    int n;

    if (!m->data || !m->context || !m->quick)
        n = PCRE2_ERROR_NOMEMORY;
    else if (code->jit)
        n = pcre2_jit_match(code->code, text, len, at, 0, m->data, quick ? m->quick : m->context);
    else
        n = pcre2_match(code->code, text, len, at, 0, m->data, m->context);
    if (n == PCRE2_ERROR_NOMATCH)
        return SF_MATCH_NONE;
    if (n < 0) {
        m->problem = n;
        return SF_MATCH_FAILED;
    }
    found = pcre2_get_ovector_pointer(m->data);
    span->from = part.from + found[0];
    /* \K can turn them round */
    span->to = part.from + (found[1] < found[0] ? found[0] : found[1]);
    return SF_MATCH_FOUND;
}

static size_t line_start(const char *text, size_t at)
{
    const char *lf = memrchr(text, '\n', at);

    return lf ? (size_t)(lf - text) + 1 : 0;
}

static size_t line_end(const char *text, size_t len, size_t at)
{
    const char *lf = at < len ? memchr(text + at, '\n', len - at) : NULL;

    return lf ? (size_t)(lf - text) : len;
}

static bool cancelled(const struct sf_matcher *m)
{
    return m->cancel && atomic_load_explicit(m->cancel, memory_order_relaxed);
}

/* One line, whose bounds are in the span. */
static enum sf_match match_line(struct sf_matcher *m, struct sf_span *span)
{
    const struct part line = { span->line_from, span->line_to, span->line_from };

    return match(m, code_for(m, line.from, line.to), line, false, span);
}

/* The next line from `at` on that has the literal. */
static bool find_literal(const struct sf_matcher *m, size_t at, struct sf_span *span)
{
    const struct sf_strbuf *bytes = &m->pattern->literal.bytes;
    const char *found = sf_literal_find(m->text + at, m->len - at, bytes->buf, bytes->len);

    if (!found)
        return false;
    span->from = (size_t)(found - m->text);
    span->to = span->from + bytes->len;
    span->line_from = line_start(m->text, span->from);
    span->line_to = line_end(m->text, m->len, span->to - 1); /* it may end in a line break */
    return true;
}

static enum sf_match next_chosen(struct sf_matcher *m, size_t at, struct sf_span *span)
{
    enum sf_match answer = SF_MATCH_NONE;

    while (answer == SF_MATCH_NONE && at < m->len && !cancelled(m) && find_literal(m, at, span)) {
        answer = match_line(m, span);
        at = span->line_to + 1;
    }
    return answer;
}

/* Every line that begins before `stop`. */
static enum sf_match next_line(struct sf_matcher *m, size_t at, size_t stop, struct sf_span *span)
{
    enum sf_match answer = SF_MATCH_NONE;

    for (unsigned n = 0; answer == SF_MATCH_NONE && at < stop; n++) {
        if ((m->block_hard || n % LINES_A_LOOK == 0) && cancelled(m))
            break;
        span->line_from = at;
        span->line_to = line_end(m->text, m->len, at);
        answer = match_line(m, span);
        at = span->line_to + 1;
    }
    return answer;
}

/* Whole lines from `at` on, unless it lies in the block already. */
static void enter_block(struct sf_matcher *m, size_t at)
{
    size_t to;

    if (at >= m->block_from && at < m->block_to)
        return;
    to = m->len - at > BLOCK ? line_end(m->text, m->len, at + BLOCK - 1) + 1 : m->len;
    m->block_from = at;
    m->block_to = to < m->len ? to : m->len;
    m->block_code = code_for(m, m->block_from, m->block_to);
    m->block_hard = false;
}

/* The lines of the block from `at` on; a match over several lines is tried again in its own. */
static enum sf_match next_in_block(struct sf_matcher *m, size_t at, struct sf_span *span)
{
    while (at < m->block_to && !m->block_hard) {
        const struct part part = { m->block_from, m->block_to, at };
        enum sf_match answer = match(m, m->block_code, part, true, span);

        m->block_hard = answer == SF_MATCH_FAILED && m->problem == PCRE2_ERROR_MATCHLIMIT;
        if (m->block_hard)
            break;
        if (answer != SF_MATCH_FOUND)
            return answer;
        /* behind the last line break there is no line */
        if (span->from == m->block_to && m->text[span->from - 1] == '\n')
            return SF_MATCH_NONE;
        span->line_from = line_start(m->text, span->from);
        span->line_to = line_end(m->text, m->len, span->from);
        if (span->to > span->line_to)
            answer = match_line(m, span);
        if (answer != SF_MATCH_NONE)
            return answer;
        at = span->line_to + 1;
    }
    return next_line(m, at, m->block_to, span);
}

static enum sf_match next_in_blocks(struct sf_matcher *m, size_t at, struct sf_span *span)
{
    enum sf_match answer = SF_MATCH_NONE;

    while (answer == SF_MATCH_NONE && at < m->len && !cancelled(m)) {
        enter_block(m, at);
        answer = next_in_block(m, at, span);
        at = m->block_to;
    }
    return answer;
}

static enum sf_match next_in_whole(struct sf_matcher *m, size_t at, struct sf_span *span)
{
    enum sf_match answer;

    if (at > m->len || (at == m->len && at && m->text[at - 1] == '\n'))
        return SF_MATCH_NONE;
    answer = match(m, m->block_code, (struct part){ 0, m->len, at }, false, span);
    if (answer != SF_MATCH_FOUND)
        return answer;
    if (span->from == m->len && m->len && m->text[m->len - 1] == '\n')
        return SF_MATCH_NONE;
    span->line_from = line_start(m->text, span->from);
    /* a match that ends in a line break does not touch the next line */
    span->line_to = line_end(m->text, m->len, span->to > span->from ? span->to - 1 : span->to);
    return SF_MATCH_FOUND;
}

void sf_matcher_start(struct sf_matcher *matcher, const char *text, size_t len)
{
    const struct sf_strbuf *bytes = &matcher->pattern->literal.bytes;

    matcher->text = text;
    matcher->len = len;
    matcher->block_from = matcher->block_to = 0;
    if (matcher->pattern->way != SF_WAY_WHOLE)
        return;
    if (bytes->len && !sf_literal_find(text, len, bytes->buf, bytes->len))
        matcher->len = 0;
    matcher->block_code = code_for(matcher, 0, matcher->len);
}

enum sf_match sf_matcher_next(struct sf_matcher *matcher, size_t at, struct sf_span *span)
{
    switch (matcher->pattern->way) {
    case SF_WAY_PLAIN:
        return at < matcher->len && find_literal(matcher, at, span) ? SF_MATCH_FOUND
                                                                    : SF_MATCH_NONE;
    case SF_WAY_CHOSEN:
        return next_chosen(matcher, at, span);
    case SF_WAY_BLOCKS:
        return next_in_blocks(matcher, at, span);
    case SF_WAY_LINES:
        return next_line(matcher, at, matcher->len, span);
    case SF_WAY_WHOLE:
        break;
    }
    return matcher->len ? next_in_whole(matcher, at, span) : SF_MATCH_NONE;
}

bool sf_matcher_problem(const struct sf_matcher *matcher, const char *path, struct sf_error *err)
{
    PCRE2_UCHAR words[160];

    if (matcher->problem == PCRE2_ERROR_MATCHLIMIT) {
        sf_fail(err, SF_E_LIMIT, "%s: the pattern takes more than %u steps to match", path,
                (unsigned)matcher->pattern->steps_max);
    } else if (matcher->problem == PCRE2_ERROR_JIT_STACKLIMIT) {
        sf_fail(err, SF_E_LIMIT, "%s: the pattern needs more than %d bytes of stack to match", path,
                SF_PATTERN_STACK_MAX);
    } else {
        if (pcre2_get_error_message(matcher->problem, words, sizeof(words)) < 0)
            words[0] = '\0';
        return sf_fail(err, SF_E_IO, "%s: %s", path, (const char *)words);
    }
    return sf_hint(err, "use fewer nested repetitions, or search fewer files");
}
