/*
 * ladder.c: searches folded texts. Line boundaries are part of what is searched for (a newline
 * in front, one behind) rather than tested afterwards: a text made to match everywhere but at
 * the boundary would otherwise cost the square of its length.
 */
#include "edit/ladder.h"

#include "edit/lines.h"

static const struct {
    const char *name;
    unsigned flags;
    bool whole;
} rungs[] = {
    [SF_RUNG_EXACT] = { "exact", 0, false },
    [SF_RUNG_TRAILING] = { "ignoring trailing white space", SF_FOLD_TRAILING, false },
    [SF_RUNG_INDENT] = { "ignoring indentation", SF_FOLD_TRAILING | SF_FOLD_INDENT, true },
    [SF_RUNG_PUNCTUATION] = { "ignoring typographic punctuation",
                              SF_FOLD_TRAILING | SF_FOLD_PUNCTUATION, false },
    [SF_RUNG_LOOSE] = { "ignoring indentation and typographic punctuation",
                        SF_FOLD_TRAILING | SF_FOLD_INDENT | SF_FOLD_PUNCTUATION, true },
};

const char *sf_rung_name(enum sf_rung rung)
{
    return rungs[rung].name;
}

void sf_ladder_init(struct sf_ladder *ladder, const char *text, size_t len, bool whole)
{
    *ladder = (struct sf_ladder){ .text = text, .len = len, .whole = whole };
}

void sf_ladder_release(struct sf_ladder *ladder)
{
    for (size_t i = 0; i < SF_RUNGS; i++)
        if (ladder->made[i])
            sf_fold_release(&ladder->folds[i]);
    *ladder = (struct sf_ladder){ .text = "" };
}

static const struct sf_fold *fold_of(struct sf_ladder *ladder, enum sf_rung rung)
{
    unsigned flags = rungs[rung].flags;

    if (rung != SF_RUNG_EXACT || ladder->whole)
        flags |= SF_FOLD_CLOSED;
    if (rungs[rung].whole || ladder->whole)
        flags |= SF_FOLD_OPENED;
    if (!ladder->made[rung]) {
        sf_fold_init(&ladder->folds[rung], ladder->text, ladder->len, flags);
        ladder->made[rung] = true;
    }
    return &ladder->folds[rung];
}

static bool is_blank(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (!sf_fold_is_space(text[i]) && text[i] != '\n' && text[i] != '\r')
            return false;
    return true;
}

static void target_init(struct sf_target *t, struct sf_ladder *ladder, enum sf_rung rung,
                        const char *what, size_t len)
{
    struct sf_fold folded;
    bool trimmed;

    *t = (struct sf_target){ .whole = rungs[rung].whole || ladder->whole };
    t->in = fold_of(ladder, rung);
    t->closed = sf_line_ending(what, len) > 0;
    /* white space cut from its end: then the place reaches to the end of its line */
    trimmed = rung != SF_RUNG_EXACT && len && sf_fold_is_space(what[len - 1]);
    t->lead = t->whole;
    t->tail = !t->closed && (t->whole || trimmed);
    sf_strbuf_init(&t->pattern);
    sf_strbuf_fill(&t->pattern, '\n', t->lead);
    sf_fold_init(&folded, what, len, rungs[rung].flags);
    sf_strbuf_add(&t->pattern, folded.text, folded.len);
    sf_fold_release(&folded);
    sf_strbuf_fill(&t->pattern, '\n', t->tail);
}

/* Where the pattern found at `at` lies in the text's own bytes. */
static struct sf_line_span span_of(const struct sf_target *t, const struct sf_ladder *ladder,
                                   size_t at)
{
    size_t first = at + t->lead, last = at + t->pattern.len - t->tail;
    struct sf_line_span span;

    span.start = t->whole ? sf_fold_end(t->in, first) : sf_fold_start(t->in, first);
    span.end = t->tail ? sf_fold_start(t->in, last) : sf_fold_end(t->in, last);
    span.open = t->closed && span.end == ladder->len && !sf_line_ending(ladder->text, ladder->len);
    return span;
}

/* The first hit at or behind `at`, both in the folded text. */
static bool find(const struct sf_target *t, struct sf_ladder *ladder, size_t *at)
{
    const char *hit;

    if (*at > t->in->len)
        return false;
    hit = memmem(t->in->text + *at, t->in->len - *at, t->pattern.buf, t->pattern.len);
    ladder->work += hit ? (size_t)(hit - t->in->text) - *at : t->in->len - *at;
    ladder->work += t->pattern.len;
    if (hit)
        *at = (size_t)(hit - t->in->text);
    return hit != NULL;
}

static size_t first_at(const struct sf_target *t, size_t from)
{
    size_t at = sf_fold_at(t->in, from);

    return at >= t->lead ? at - t->lead : 0;
}

bool sf_ladder_seek(struct sf_ladder *ladder, enum sf_rung rung, const char *what, size_t len,
                    size_t from, struct sf_places *places)
{
    struct sf_target t;

    *places = (struct sf_places){ .rung = rung };
    if (!len || (rung != SF_RUNG_EXACT && is_blank(what, len)))
        return false;
    target_init(&t, ladder, rung, what, len);
    for (size_t at = first_at(&t, from); places->count < SF_PLACES_MAX && find(&t, ladder, &at);
         at++)
        places->spans[places->count++] = span_of(&t, ladder, at);
    sf_strbuf_release(&t.pattern);
    return places->count > 0;
}

bool sf_ladder_climb(struct sf_ladder *ladder, const char *what, size_t len, size_t from,
                     struct sf_places *places)
{
    for (unsigned rung = SF_RUNG_EXACT; rung < SF_RUNGS; rung++)
        if (sf_ladder_seek(ladder, (enum sf_rung)rung, what, len, from, places))
            return true;
    return false;
}

void sf_seeker_init(struct sf_seeker *search, struct sf_ladder *ladder, const char *what,
                    size_t len)
{
    search->ladder = ladder;
    target_init(&search->target, ladder, SF_RUNG_EXACT, what, len);
    search->at = 0;
}

bool sf_seeker_next(struct sf_seeker *search, struct sf_line_span *span)
{
    const struct sf_target *t = &search->target;

    if (!t->pattern.len || !find(t, search->ladder, &search->at))
        return false;
    *span = span_of(t, search->ladder, search->at);
    search->at += t->pattern.len;
    return true;
}

void sf_seeker_release(struct sf_seeker *search)
{
    sf_strbuf_release(&search->target.pattern);
}
