/*
 * splice.c: builds the bytes of a replacement. The span and the old text have the same number of
 * lines, whatever rung they met on, so line k of the one is line k of the other; the diff of old
 * and new text says which of them stay.
 */
#include "edit/splice.h"

static size_t indent_of(const char *line, size_t len)
{
    size_t n = 0;

    while (n < len && (line[n] == ' ' || line[n] == '\t'))
        n++;
    return n;
}

static bool is_blank(const char *line, size_t len)
{
    size_t n = 0;

    while (n < len && (sf_fold_is_space(line[n]) || line[n] == '\n' || line[n] == '\r'))
        n++;
    return n == len;
}

static bool same(const char *a, size_t a_len, const char *b, size_t b_len)
{
    return a_len == b_len && !memcmp(a, b, a_len);
}

bool sf_indents_learn(struct sf_indents *in, const char *asked, size_t asked_len, const char *there,
                      size_t there_len)
{
    struct sf_indent pair = { asked, there, indent_of(asked, asked_len),
                              indent_of(there, there_len) };

    if (is_blank(asked, asked_len))
        return true;
    for (size_t i = 0; i < in->count; i++)
        if (same(in->pairs[i].asked, in->pairs[i].asked_len, asked, pair.asked_len))
            return same(in->pairs[i].there, in->pairs[i].there_len, there, pair.there_len);
    if (in->count == SF_INDENTS_MAX)
        return false;
    in->pairs[in->count++] = pair;
    return true;
}

static bool begins(const struct sf_indent *longer, const struct sf_indent *shorter)
{
    return longer->asked_len > shorter->asked_len && longer->there_len > shorter->there_len &&
           !memcmp(longer->asked, shorter->asked, shorter->asked_len) &&
           !memcmp(longer->there, shorter->there, shorter->there_len);
}

/* One level more, in both texts: the first two pairs where one goes on from the other. */
static struct sf_indent step_of(const struct sf_indents *in)
{
    for (size_t i = 0; i < in->count; i++) {
        for (size_t k = 0; k < in->count; k++) {
            const struct sf_indent *a = &in->pairs[i], *b = &in->pairs[k];

            if (begins(b, a))
                return (struct sf_indent){ b->asked + a->asked_len, b->there + a->there_len,
                                           b->asked_len - a->asked_len,
                                           b->there_len - a->there_len };
        }
    }
    return (struct sf_indent){ NULL, NULL, 0, 0 };
}

void sf_indents_add(const struct sf_indents *in, struct sf_strbuf *out, const char *line,
                    size_t len)
{
    size_t indent = indent_of(line, len), done = 0;
    struct sf_indent step = step_of(in);
    const struct sf_indent *best = NULL;

    for (size_t i = 0; i < in->count && !is_blank(line, len); i++) {
        const struct sf_indent *pair = &in->pairs[i];

        if (pair->asked_len <= indent && !memcmp(pair->asked, line, pair->asked_len) &&
            (!best || pair->asked_len > best->asked_len))
            best = pair;
    }
    if (best) {
        sf_strbuf_add(out, best->there, best->there_len);
        done = best->asked_len;
        while (step.asked_len && indent - done >= step.asked_len &&
               !memcmp(line + done, step.asked, step.asked_len)) {
            sf_strbuf_add(out, step.there, step.there_len);
            done += step.asked_len;
        }
    }
    sf_strbuf_add(out, line + done, len - done);
}

const char *sf_ending_near(const char *text, const struct sf_lines *lines, size_t i,
                           const char *fallback, size_t *len)
{
    for (size_t tries = 0; lines->count && tries < 2; tries++) {
        size_t end = i < lines->count ? lines->starts[i + 1] : lines->starts[lines->count];

        *len = sf_line_ending(text, end);
        if (*len)
            return text + end - *len;
        if (!i)
            break;
        i = i < lines->count ? i - 1 : lines->count - 1;
    }
    *len = strlen(fallback);
    return fallback;
}

void sf_splice_init(struct sf_splice *splice, const char *text, const struct sf_lines *lines,
                    const char *ending)
{
    *splice = (struct sf_splice){ .text = text, .lines = lines, .ending = ending };
}

void sf_splice_texts(struct sf_splice *splice, const char *old_text, size_t old_len,
                     const char *new_text, size_t new_len)
{
    sf_splice_release(splice);
    splice->old_text = old_text;
    splice->old_len = old_len;
    splice->new_text = new_text;
    splice->new_len = new_len;
    sf_diff_init(&splice->diff, old_text, old_len, new_text, new_len);
}

void sf_splice_release(struct sf_splice *splice)
{
    sf_diff_release(&splice->diff);
}

/* One span being written. */
struct writer {
    const struct sf_splice *splice;
    struct sf_strbuf *out;
    const char *span;      /* its bytes */
    struct sf_lines lines; /* of the span */
    struct sf_indents indents;
    size_t line; /* of the file, where the span begins */
    enum sf_rung rung;
};

struct piece {
    const char *text;
    size_t len;
};

/* A line's text between its indentation and the white space at its end. */
static struct piece core_of(const char *line, size_t len)
{
    size_t indent;

    len -= sf_line_ending(line, len);
    while (len && sf_fold_is_space(line[len - 1]))
        len--;
    indent = indent_of(line, len);
    return (struct piece){ line + indent, len - indent };
}

static bool inside_character(const char *text, size_t at, size_t len)
{
    return at < len && ((unsigned char)text[at] & 0xc0) == 0x80;
}

/* How much of the file's core stands for the first `upto` bytes of the asked-for one. */
static size_t follow(struct piece there, struct piece asked, size_t upto)
{
    size_t at = 0;

    for (size_t done = 0; done < upto && at < there.len;) {
        size_t asked_took, there_took;

        sf_fold_character(asked.text + done, asked.len - done, &asked_took);
        sf_fold_character(there.text + at, there.len - at, &there_took);
        done += asked_took;
        at += there_took;
    }
    return at;
}

/*
 * A line found loosely and changed in part: what the change does not touch keeps the file's own
 * characters, its quotes above all.
 */
static void add_changed(struct writer *w, struct piece there, struct piece asked, struct piece line)
{
    struct piece file = core_of(there.text, there.len), old = core_of(asked.text, asked.len);
    struct piece new = core_of(line.text, line.len);
    size_t head = 0, tail = 0, least = old.len < new.len ? old.len : new.len;
    struct sf_strbuf text = SF_STRBUF_INIT;

    while (head < least && old.text[head] == new.text[head])
        head++;
    while (head && inside_character(old.text, head, old.len))
        head--;
    while (tail < least - head && old.text[old.len - 1 - tail] == new.text[new.len - 1 - tail])
        tail++;
    while (tail && inside_character(old.text, old.len - tail, old.len))
        tail--;
    sf_strbuf_add(&text, line.text, (size_t)(new.text - line.text));
    sf_strbuf_add(&text, file.text, follow(file, old, head));
    sf_strbuf_add(&text, new.text + head, new.len - head - tail);
    head = follow(file, old, old.len - tail);
    sf_strbuf_add(&text, file.text + head, file.len - head);
    sf_strbuf_add(&text, new.text + new.len, line.len - (size_t)(new.text + new.len - line.text));
    sf_indents_add(&w->indents, w->out, text.buf, text.len);
    sf_strbuf_release(&text);
}

static struct piece line_at(const char *text, const struct sf_lines *lines, size_t i)
{
    return (struct piece){ text + lines->starts[i], lines->starts[i + 1] - lines->starts[i] };
}

/*
 * Where line `i` of the span begins. The old text may have one line more, of nothing but the
 * white space that was ignored behind its last newline.
 */
static size_t span_at(const struct writer *w, size_t i)
{
    return w->lines.starts[i < w->lines.count ? i : w->lines.count];
}

static struct piece span_line(const struct writer *w, size_t i)
{
    return (struct piece){ w->span + span_at(w, i), span_at(w, i + 1) - span_at(w, i) };
}

/* New line `k` of a change, without its ending. */
static void add_content(struct writer *w, const struct sf_diff_change *c, size_t k)
{
    const struct sf_splice *s = w->splice;
    struct piece line = line_at(s->new_text, &s->diff.new_lines, c->new_at + k);

    line.len -= sf_line_ending(line.text, line.len);
    if (w->rung != SF_RUNG_EXACT && k < c->old_count)
        add_changed(w, span_line(w, c->old_at + k),
                    line_at(s->old_text, &s->diff.old_lines, c->old_at + k), line);
    else
        sf_indents_add(&w->indents, w->out, line.text, line.len);
}

/* The ending of the span's line in whose place the new one comes, or that of the neighbours. */
static void add_ending(struct writer *w, const struct sf_diff_change *c, size_t k)
{
    size_t last = c->old_count ? c->old_at + c->old_count - 1 : 0, len = 0;
    const char *ending;

    if (c->old_count) {
        struct piece line = span_line(w, c->old_at + k < last ? c->old_at + k : last);

        len = sf_line_ending(line.text, line.len);
        if (len) {
            sf_strbuf_add(w->out, line.text + line.len - len, len);
            return;
        }
    }
    ending = sf_ending_near(w->splice->text, w->splice->lines, w->line + c->old_at,
                            w->splice->ending, &len);
    sf_strbuf_add(w->out, ending, len);
}

static void add_change(struct writer *w, const struct sf_diff_change *c)
{
    const struct sf_diff *diff = &w->splice->diff;

    for (size_t k = 0; k < c->new_count; k++) {
        struct piece line = line_at(w->splice->new_text, &diff->new_lines, c->new_at + k);

        add_content(w, c, k);
        if (sf_line_ending(line.text, line.len))
            add_ending(w, c, k);
    }
}

static bool learn_indents(struct writer *w)
{
    const struct sf_lines *olds = &w->splice->diff.old_lines;

    if (w->rung != SF_RUNG_INDENT && w->rung != SF_RUNG_LOOSE)
        return true;
    for (size_t i = 0; i < olds->count; i++) {
        struct piece asked = line_at(w->splice->old_text, olds, i);
        struct piece there = span_line(w, i);

        if (!sf_indents_learn(&w->indents, asked.text, asked.len, there.text, there.len))
            return false;
    }
    return true;
}

bool sf_splice_add(const struct sf_splice *splice, struct sf_strbuf *out, struct sf_line_span span,
                   enum sf_rung rung)
{
    const struct sf_diff *diff = &splice->diff;
    struct writer w = { .splice = splice, .out = out, .span = splice->text + span.start };
    size_t at = 0;
    bool ok;

    w.rung = rung;
    w.line = sf_lines_at(splice->lines, span.start);
    sf_lines_init(&w.lines, w.span, span.end - span.start, SF_LINES_ANY);
    ok = learn_indents(&w);
    for (size_t i = 0; ok && i < diff->count; i++) {
        const struct sf_diff_change *c = &diff->changes[i];

        sf_strbuf_add(out, w.span + span_at(&w, at), span_at(&w, c->old_at) - span_at(&w, at));
        add_change(&w, c);
        at = c->old_at + c->old_count;
    }
    if (ok)
        sf_strbuf_add(out, w.span + span_at(&w, at), span.end - span.start - span_at(&w, at));
    sf_lines_release(&w.lines);
    return ok;
}
