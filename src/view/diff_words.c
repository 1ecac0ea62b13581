/*
 * diff_words.c: the words two lines do not share. A line becomes a text with one token a line, so
 * that the diff of the edit room does the comparing.
 */
#include <ctype.h>
#include <string.h>

#include "edit/edit.h"
#include "view/diff_parts.h"

enum { LINE_MAX_BYTES = 1000 }; /* longer lines are not read word by word anyway */

/* One line taken apart: tokens are words, runs of spaces, and single signs. */
struct tokens {
    struct sf_strbuf text; /* each with a newline behind it */
    size_t *starts;        /* in the line; one more than there are tokens */
    size_t count, cap;
    bool *changed;
};

static int class_of(char c)
{
    return (unsigned char)c >= 0x80 || isalnum((unsigned char)c) || c == '_' ? 1
           : c == ' ' || c == '\t'                                           ? 2
                                                                             : 0;
}

static void take_apart(struct tokens *t, const char *line, size_t len)
{
    *t = (struct tokens){ .text = SF_STRBUF_INIT };
    for (size_t at = 0, end; at < len; at = end) {
        int class = class_of(line[at]);

        for (end = at + 1; class && end < len && class_of(line[end]) == class;)
            end++;
        t->starts = sf_grow(t->starts, &t->cap, t->count + 2, sizeof(*t->starts));
        t->starts[t->count++] = at;
        t->starts[t->count] = end;
        sf_strbuf_add(&t->text, line + at, end - at);
        sf_strbuf_addch(&t->text, '\n');
    }
    t->changed = sf_alloc_array(t->count + 1, sizeof(*t->changed));
}

static void tokens_release(struct tokens *t)
{
    sf_strbuf_release(&t->text);
    free(t->starts);
    free(t->changed);
}

static bool is_space(const struct tokens *t, const char *line, size_t i)
{
    return class_of(line[t->starts[i]]) == 2;
}

/* Bytes that are no space: all of them, and those both lines have. */
static void weigh(const struct tokens *t, const char *line, size_t *all, size_t *common)
{
    *all = *common = 0;
    for (size_t i = 0; i < t->count; i++) {
        size_t len = is_space(t, line, i) ? 0 : t->starts[i + 1] - t->starts[i];

        *all += len;
        *common += t->changed[i] ? 0 : len;
    }
}

/* What changed as spans; a space between two changed words changes with them. */
static void add_spans(struct sf_diff_words *words, int side, const struct tokens *t,
                      const char *line)
{
    for (size_t i = 0; i < t->count; i++) {
        size_t from = i;

        while (i < t->count && (t->changed[i] || (i > from && is_space(t, line, i) &&
                                                  i + 1 < t->count && t->changed[i + 1])))
            i++;
        if (i == from)
            continue;
        words->spans[side] = sf_grow(words->spans[side], &words->cap[side], words->count[side] + 1,
                                     sizeof(*words->spans[side]));
        words->spans[side][words->count[side]++] =
            (struct sf_diff_span){ t->starts[from], t->starts[i] - t->starts[from] };
    }
}

static void mark_changes(struct tokens sides[2])
{
    struct sf_diff diff;

    sf_diff_init(&diff, sides[0].text.buf, sides[0].text.len, sides[1].text.buf, sides[1].text.len);
    for (size_t i = 0; i < diff.count; i++) {
        const struct sf_diff_change *change = &diff.changes[i];

        memset(sides[0].changed + change->old_at, true, change->old_count);
        memset(sides[1].changed + change->new_at, true, change->new_count);
    }
    sf_diff_release(&diff);
}

bool sf_diff_words_find(struct sf_diff_words *words, const char *old_text, size_t old_len,
                        const char *new_text, size_t new_len)
{
    const char *lines[2] = { old_text, new_text };
    size_t all[2], common[2];
    struct tokens sides[2];
    bool alike;

    words->count[0] = words->count[1] = 0;
    if (old_len > LINE_MAX_BYTES || new_len > LINE_MAX_BYTES)
        return false;
    take_apart(&sides[0], old_text, old_len);
    take_apart(&sides[1], new_text, new_len);
    mark_changes(sides);
    for (int i = 0; i < 2; i++)
        weigh(&sides[i], lines[i], &all[i], &common[i]);
    alike = common[0] && common[0] * 2 >= (all[0] > all[1] ? all[0] : all[1]);
    for (int i = 0; i < 2 && alike; i++)
        add_spans(words, i, &sides[i], lines[i]);
    tokens_release(&sides[0]);
    tokens_release(&sides[1]);
    return alike;
}

void sf_diff_words_release(struct sf_diff_words *words)
{
    free(words->spans[0]);
    free(words->spans[1]);
    *words = (struct sf_diff_words){ { NULL, NULL }, { 0, 0 }, { 0, 0 } };
}
