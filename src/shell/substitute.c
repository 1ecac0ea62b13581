/*
 * substitute.c: the words of a command with what is known put in. A variable that the text sets
 * may hold an option, a path or several words; each way the words can come out is one choice, and
 * every choice is judged. A word that nothing is known of stays as it is, and is marked when it
 * may be an option.
 */
#include <string.h>

#include "shell/classifier.h"

/* The choices made so far, as far as the words have been looked at. */
struct making {
    struct sf_classifier *j;
    struct sf_word *words[SF_WORD_VALUES_MAX];
    size_t counts[SF_WORD_VALUES_MAX];
    size_t choices, room;
};

/* The ways one word can come out. */
struct ways {
    struct sf_word *words[SF_WORD_VALUES_MAX];
    size_t counts[SF_WORD_VALUES_MAX];
    size_t count;
};

static struct sf_word plain_word(const struct sf_word *w, const char *text, bool matches)
{
    struct sf_word made = { .text = text, .at = w->at, .span = w->span };

    made.len = made.head = made.tail = (uint32_t)strlen(text);
    made.flags = w->flags & SF_WORD_QUOTED;
    if (matches && strpbrk(text, "*?["))
        made.flags |= SF_WORD_GLOB;
    return made;
}

static size_t count_words(const char *text)
{
    size_t n = 0;

    while (*(text += strspn(text, " \t\n"))) {
        text += strcspn(text, " \t\n");
        n++;
    }
    return n;
}

/* One value as the words it falls into. */
static void add_split(struct making *m, struct ways *out, const struct sf_word *w, const char *text)
{
    struct sf_word *words = sf_arena_alloc(m->j->arena, (count_words(text) + 1) * sizeof(*words));
    size_t n = 0;

    while (*(text += strspn(text, " \t\n"))) {
        size_t len = strcspn(text, " \t\n");

        words[n++] = plain_word(w, sf_arena_strndup(m->j->arena, text, len), true);
        text += len;
    }
    out->words[out->count] = words;
    out->counts[out->count++] = n;
}

/* {a,b} are all there at once. */
static void add_together(struct making *m, struct ways *out, const struct sf_word *w,
                         const struct sf_word_values *r)
{
    struct sf_word *words = sf_arena_alloc(m->j->arena, (r->count + 1) * sizeof(*words));

    for (size_t i = 0; i < r->count; i++)
        words[i] = plain_word(w, r->texts[i], true);
    out->words[0] = words;
    out->counts[0] = r->count;
    out->count = 1;
}

static void add_values(struct making *m, struct ways *out, const struct sf_word *w,
                       const struct sf_word_values *r)
{
    for (size_t i = 0; i < r->count; i++) {
        struct sf_word *word;

        if (w->flags & SF_WORD_SPLITS) {
            add_split(m, out, w, r->texts[i]);
            continue;
        }
        word = sf_arena_alloc(m->j->arena, sizeof(*word));
        *word = plain_word(w, r->texts[i], r->glob); /* what a loop over a pattern finds */
        word->flags |= SF_WORD_ONE;
        out->words[out->count] = word;
        out->counts[out->count++] = 1;
    }
}

static bool has_blanks(const struct sf_word_values *r)
{
    for (size_t i = 0; i < r->count; i++)
        if (strpbrk(r->texts[i], " \t\n"))
            return true;
    return false;
}

static bool has_option(const struct sf_word_values *r)
{
    for (size_t i = 0; i < r->count; i++)
        if (*r->texts[i] == '-')
            return true;
    return false;
}

/* All there is to know of it is known; what splits must do so at blanks, and all of it. */
static bool is_known(const struct sf_classifier *j, const struct sf_word *w,
                     const struct sf_word_values *r)
{
    bool mixed = w->flags & SF_WORD_QUOTED || (w->flags & SF_WORD_BRACE && w->npieces);

    if (r->anywhere || r->stands || !r->count)
        return false;
    if (w->flags & SF_WORD_BRACE && (w->npieces || strstr(w->text, "..")))
        return false;
    return !(w->flags & SF_WORD_SPLITS) || (!j->odd_splits && (!mixed || !has_blanks(r)));
}

/* A word of which something stays unknown: whether it may be an option, and which. */
static struct sf_word unknown_word(const struct sf_classifier *j, const struct sf_word *w,
                                   const struct sf_word_values *r)
{
    struct sf_word made = *w;
    bool several = r->listing || j->odd_splits || has_blanks(r);
    bool open =
        r->anywhere || (several && w->flags & SF_WORD_SPLITS) || (has_option(r) && !w->head);

    if (w->flags & SF_WORD_PROCESS || w->npieces == 0)
        open = false;
    if (open && (!w->head || w->text[0] == '-' || w->flags & SF_WORD_SPLITS))
        made.flags |= SF_WORD_ANY;
    else if (!r->anywhere && !r->names && !(w->flags & SF_WORD_BRACE))
        made.flags &= ~(unsigned)SF_WORD_SPLITS; /* one word, and no option */
    return made;
}

/* False: it stays one word that is not known. */
static bool ways_of(struct making *m, const struct sf_word *w, struct ways *out,
                    struct sf_word *unknown)
{
    struct sf_word_values r;

    *unknown = *w;
    if (w->flags & SF_WORD_PROCESS || (w->lead && !strcmp(w->lead, SF_FOUND)))
        return false; /* a pipe; what find and xargs put in, which is a name */
    sf_word_texts_of(m->j, w, &r);
    *unknown = unknown_word(m->j, w, &r);
    if (!is_known(m->j, w, &r))
        return false;
    out->count = 0;
    if (w->flags & SF_WORD_BRACE)
        add_together(m, out, w, &r);
    else
        add_values(m, out, w, &r);
    for (size_t i = 0; r.digits && i < out->count; i++)
        for (size_t k = 0; k < out->counts[i]; k++)
            out->words[i][k].flags |= SF_WORD_STANDS;
    return true;
}

static void put(struct making *m, size_t choice, const struct sf_word *words, size_t count)
{
    memcpy(m->words[choice] + m->counts[choice], words, count * sizeof(*words));
    m->counts[choice] += count;
}

static size_t longest(const struct ways *w)
{
    size_t most = 0;

    for (size_t i = 0; i < w->count; i++)
        most = w->counts[i] > most ? w->counts[i] : most;
    return most;
}

/* Each choice made so far with each of the ways behind it; false: those are too many. */
static bool multiply(struct making *m, const struct ways *w, size_t left)
{
    struct making next = { .j = m->j, .choices = m->choices * w->count };

    next.room = m->room + longest(w);
    if (next.choices > SF_WORD_VALUES_MAX || next.room + left > SF_SHELL_WORDS ||
        m->j->arena->used + next.choices * (next.room + left) * sizeof(struct sf_word) >
            SF_SHELL_MEMORY)
        return false;
    for (size_t i = 0; i < m->choices; i++)
        for (size_t k = 0; k < w->count; k++) {
            size_t n = i * w->count + k;

            next.words[n] =
                sf_arena_alloc(m->j->arena, (next.room + left + 1) * sizeof(**m->words));
            put(&next, n, m->words[i], m->counts[i]);
            put(&next, n, w->words[k], w->counts[k]);
        }
    *m = next;
    return true;
}

static void put_all(struct making *m, const struct sf_word *word)
{
    for (size_t i = 0; i < m->choices; i++)
        put(m, i, word, 1);
    m->room++;
}

size_t sf_substitute(struct sf_classifier *j, const struct sf_word *words, size_t count,
                     struct sf_word_choice out[SF_WORD_VALUES_MAX])
{
    struct making m = { .j = j, .choices = 1 };
    size_t first = 0;

    out[0] = (struct sf_word_choice){ words, count };
    while (first < count && (first == 0 || !(words[first].flags & SF_WORD_EXPANDS)))
        first++;
    if (first >= count || j->arena->used + count * sizeof(*words) > SF_SHELL_MEMORY)
        return 1;
    m.words[0] = sf_arena_alloc(j->arena, (count + 1) * sizeof(*words));
    for (size_t i = 0; i < count; i++) {
        struct ways ways;
        struct sf_word word = words[i];

        if (!i || !(words[i].flags & SF_WORD_EXPANDS) || !ways_of(&m, &words[i], &ways, &word) ||
            !multiply(&m, &ways, count - i - 1))
            put_all(&m, &word);
    }
    for (size_t i = 0; i < m.choices; i++)
        out[i] = (struct sf_word_choice){ m.words[i], m.counts[i] };
    return m.choices;
}
