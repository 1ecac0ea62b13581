/*
 * suggest: "did you mean". Picks the nearest of the known names by edit distance with
 * transpositions, and keeps silent when nothing is near enough to help.
 */
#ifndef SF_BASE_SUGGEST_H
#define SF_BASE_SUGGEST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct sf_suggest {
    const char *word; /* what was typed */
    const char *best; /* the nearest name so far, borrowed; NULL: none is near */
    size_t distance;
};

/* Feed names one by one, then read `best`. */
void sf_suggest_start(struct sf_suggest *s, const char *word);
void sf_suggest_offer(struct sf_suggest *s, const char *name);

/*
 * Hints at the best name, as in "did you mean build?", or says `otherwise` where none is near; NULL:
 * then there is no hint. Returns false, as sf_hint does.
 */
bool sf_suggest_hint(const struct sf_suggest *s, const char *otherwise, struct sf_error *err);

/* Compares with `spelled`, but it is `name` that becomes the best. */
void sf_suggest_offer_as(struct sf_suggest *s, const char *spelled, const char *name);

#endif
