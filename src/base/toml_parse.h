/*
 * toml_parse: what the three files of the TOML reader share. Private to base.
 */
#ifndef SF_BASE_TOML_PARSE_H
#define SF_BASE_TOML_PARSE_H

#include "base/arena.h"
#include "base/toml.h"

enum { SF_TOML_MAX_DEPTH = 128 };

struct sf_toml {
    struct sf_arena arena;
    const char *text;
    size_t len;
    struct sf_toml_value *root;
    struct sf_toml_table *tables; /* all of them, for the release of their maps */
    size_t first_header;          /* where the first one stands, or the end of the text */
    size_t *lines;                /* offsets where lines start */
    size_t nlines;
};

struct toml_parser {
    struct sf_toml *doc;
    const char *text;
    size_t len, at;
    int depth;
    struct sf_error *err;
};

/* Fails at an offset; returns false. */
bool sf_toml_fail(struct toml_parser *p, size_t at, const char *format, ...) SF_PRINTF(3, 4);

/* The byte `ahead` of the place being read, or -1 behind the end. */
int sf_toml_peek(const struct toml_parser *p, size_t ahead);

/* True, and past it, when the text goes on with `word`. */
bool sf_toml_accept(struct toml_parser *p, const char *word);

/* toml_scalar.c: each reads one scalar at p->at, which must be at its first byte. */
bool sf_toml_read_string(struct toml_parser *p, struct sf_toml_value *out);
bool sf_toml_read_quoted_key(struct toml_parser *p, const char **key, size_t *len);
bool sf_toml_read_plain(struct toml_parser *p, struct sf_toml_value *out);

#endif
