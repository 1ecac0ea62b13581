/*
 * names: lists of words, NULL-terminated and indexed by an enum, and the error for a word that is
 * not in a list. Words come from people and models, so an error never repeats them unsanitised.
 */
#ifndef SF_MODES_NAMES_H
#define SF_MODES_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

enum { SF_QUOTE_MAX = 256 };

/* The first 40 columns of the text, sanitised; "…" marks a cut. Returns `out`. */
const char *sf_quote(char out[SF_QUOTE_MAX], const char *text, size_t len);

/* The index of the word, compared exactly; -1: none. */
int sf_names_find(const char *const *names, const char *word);

/*
 * As sf_names_find, but an unknown word is an error: `there is no work mode called "biuld"`, with
 * the nearest name or the whole list as its hint. `what` is the noun.
 */
bool sf_names_parse(const char *const *names, const char *what, const char *word, int *out,
                    struct sf_error *err) SF_MUST_CHECK;

#endif
