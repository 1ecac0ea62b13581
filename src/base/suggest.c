/*
 * suggest.c: optimal string alignment over three rows. Words are short; longer ones than the
 * rows are simply never near anything.
 */
#include <stdint.h>
#include <string.h>

#include "base/base.h"

enum {
    LONGEST = 96,
    PREFIX = 6, /* letters from which on a beginning says what is meant */
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t distance(const char *a, size_t alen, const char *b, size_t blen)
{
    size_t rows[3][LONGEST + 1];
    size_t *prev2 = rows[0], *prev = rows[1], *row = rows[2];

    for (size_t j = 0; j <= blen; j++)
        prev[j] = j;
    for (size_t i = 1; i <= alen; i++) {
        size_t *spare = prev2;

        row[0] = i;
        for (size_t j = 1; j <= blen; j++) {
            size_t cost = a[i - 1] != b[j - 1];

            row[j] = least(least(prev[j], row[j - 1]) + 1, prev[j - 1] + cost);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], prev2[j - 2] + 1);
        }
        prev2 = prev;
        prev = row;
        row = spare;
    }
    return prev[blen];
}

void sf_suggest_start(struct sf_suggest *s, const char *word)
{
    *s = (struct sf_suggest){ .word = word, .best = NULL, .distance = 0 };
}

/* Near enough: a third of the word may differ, at least one letter, at most four. */
static size_t tolerance(size_t len)
{
    size_t t = (len + 2) / 3;

    return t > 4 ? 4 : t;
}

/* "permissions" is "permission-profile" begun: as near as what is typed behind that is long. */
static size_t begun(const char *word, size_t len, const char *name)
{
    size_t same = 0;

    while (same < len && word[same] == name[same])
        same++;
    return same >= PREFIX && 3 * (len - same) <= len ? len - same : SIZE_MAX;
}

void sf_suggest_offer_as(struct sf_suggest *s, const char *spelled, const char *name)
{
    size_t wlen = strlen(s->word), nlen = strlen(spelled), d;

    if (wlen == 0 || wlen > LONGEST || nlen > LONGEST)
        return;
    d = least(distance(s->word, wlen, spelled, nlen), begun(s->word, wlen, spelled));
    if (d > tolerance(wlen) || (s->best && d >= s->distance))
        return;
    s->best = name;
    s->distance = d;
}

void sf_suggest_offer(struct sf_suggest *s, const char *name)
{
    sf_suggest_offer_as(s, name, name);
}

bool sf_suggest_hint(const struct sf_suggest *s, const char *otherwise, struct sf_error *err)
{
    if (s->best)
        return sf_hint(err, "did you mean %s?", s->best);
    return otherwise ? sf_hint(err, "%s", otherwise) : false;
}
