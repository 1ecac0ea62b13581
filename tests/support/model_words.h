/*
 * model_words: one line of a scenario as its parts: the directive, bare words, name=value
 * options and one value, which is a JSON string, a JSON object or a text of several lines
 * between <<WORD and WORD. ${NAME} is replaced here, inside values only.
 */
#ifndef SF_TESTS_SUPPORT_MODEL_WORDS_H
#define SF_TESTS_SUPPORT_MODEL_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

enum { MODEL_WORDS_MAX = 8 };

struct model_source {
    const char *at, *end;
    unsigned line; /* of the line read last */
    const struct sf_strlist *vars;
    struct sf_arena *arena; /* owns all words */
};

struct model_words {
    unsigned line;
    const char *directive;
    const char *words[MODEL_WORDS_MAX];
    size_t count;
    struct {
        const char *name, *value;
    } options[MODEL_WORDS_MAX];
    size_t option_count;
    const char *value; /* NULL: there is none */
    size_t value_len;
    bool value_is_json; /* an object, as written, with the variables in it */
};

/* The next line that says something. False at the end (`*more` false) or with `err` filled. */
bool model_words_next(struct model_source *source, struct model_words *words, bool *more,
                      struct sf_error *err);

const char *model_words_option(const struct model_words *words, const char *name); /* or NULL */

/* A whole number, with k, M or G (1024) behind it if liked. */
bool model_words_number(const char *text, size_t max, size_t *out, struct sf_error *err);

/* If `at` begins with ${fill:N}: its length as text, and N. Otherwise 0. */
size_t model_fill_token(const char *at, size_t len, size_t *fill);

#endif
