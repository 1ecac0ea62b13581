/*
 * offline_words: a request in plain words, taken apart. Words are split at blanks; what stands in
 * quotes or backticks is one word and never a verb. A request may hold several clauses: "replace
 * a with b in x.c, then run the tests".
 */
#ifndef SF_MODEL_OFFLINE_WORDS_H
#define SF_MODEL_OFFLINE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

struct sf_request_word {
    char *text;
    bool quoted;
    size_t at, end; /* where it stands in the clause's text */
};

struct sf_clause {
    char *text; /* the words as they were typed */
    struct sf_request_word *words;
    size_t count, cap;
};

struct sf_clauses {
    struct sf_clause *items;
    size_t count, cap;
    bool more; /* than there may be at once: the rest is left out */
};

enum { SF_CLAUSES_MAX = 16, SF_WORDS_MAX = 400 };

/* `is_verb` says which words may begin a clause behind "and". */
void sf_clauses_read(struct sf_clauses *clauses, const char *text,
                     bool (*is_verb)(const char *word));
void sf_clauses_release(struct sf_clauses *clauses);

/* Whether the word is that one, whatever its case; quoted words never are. */
bool sf_word_is(const struct sf_clause *clause, size_t index, const char *word);

/* Index of the first such word from `from` on; `count` when there is none. */
size_t sf_word_find(const struct sf_clause *clause, size_t from, const char *word);

/* The words from `from` up to `to` as one text: a single quoted word without its quotes. */
char *sf_words_text(const struct sf_clause *clause, size_t from, size_t to);

#endif
