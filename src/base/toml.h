/*
 * toml: TOML 1.0, complete and strict. A document is read whole or not at all; every error
 * carries its line and column, counted from 1. Values remember where they stand in
 * the text, so that settings can name their origin and an editor can change one and leave
 * the rest of the file, comments included, byte for byte as it was.
 *
 * A document owns everything read from it. Pointers into it are good until sf_toml_free.
 */
#ifndef SF_BASE_TOML_H
#define SF_BASE_TOML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/map.h"
#include "base/strbuf.h"

enum sf_toml_type {
    SF_TOML_STRING,
    SF_TOML_INTEGER,
    SF_TOML_FLOAT,
    SF_TOML_BOOLEAN,
    SF_TOML_DATETIME,
    SF_TOML_DATETIME_LOCAL,
    SF_TOML_DATE_LOCAL,
    SF_TOML_TIME_LOCAL,
    SF_TOML_ARRAY,
    SF_TOML_TABLE,
};

struct sf_toml; /* fields live in toml_parse.h */
struct sf_toml_table;

struct sf_toml_value {
    enum sf_toml_type type;
    size_t key_at;  /* offset of the key that names it, or of the element itself */
    size_t at, end; /* span of the value's text; of the header, for a table made by one */
    union {
        struct { /* strings, and the four kinds of date and time in their normal form */
            const char *text; /* NUL-terminated, but may hold further NULs */
            size_t len;
        } str;
        int64_t integer;
        double number;
        bool boolean;
        struct {
            struct sf_toml_value **items;
            size_t count, cap;
            bool of_tables; /* made by [[headers]], not by [ … ] */
        } array;
        struct sf_toml_table *table;
    } as;
};

/* How a table came to be decides what may still be added to it. */
enum sf_toml_origin {
    SF_TOML_ORIGIN_IMPLICIT, /* named on the way by a longer header */
    SF_TOML_ORIGIN_HEADER,   /* [name], an element of [[name]], or the root */
    SF_TOML_ORIGIN_DOTTED,   /* by dotted keys */
    SF_TOML_ORIGIN_INLINE,   /* { … }: closed */
};

struct sf_toml_table {
    struct sf_map keys; /* to struct sf_toml_value, in order of first mention */
    enum sf_toml_origin origin;
    size_t body_end;            /* behind the last line of the section's own keys; 0: none */
    struct sf_toml_table *next; /* all tables of a document */
};

/* The text is copied. `max` is a ceiling in bytes. */
struct sf_toml *sf_toml_parse(const char *text, size_t len, size_t max, struct sf_error *err);
void sf_toml_free(struct sf_toml *doc); /* NULL is welcome */

const struct sf_toml_value *sf_toml_root(const struct sf_toml *doc);

/* NULL when the table has no such key. */
const struct sf_toml_value *sf_toml_get(const struct sf_toml_value *table, const char *key);

/* Walks a path of names from the root; NULL when it leads nowhere. */
const struct sf_toml_value *sf_toml_find(const struct sf_toml *doc, const char *const *path,
                                         size_t depth);

/* Line and column, counted from 1, of an offset; columns count characters, not bytes. */
void sf_toml_where(const struct sf_toml *doc, size_t offset, unsigned *line, unsigned *column);

const char *sf_toml_type_name(enum sf_toml_type type); /* as in "a string" */

/* A key as TOML writes it: bare where it can be, quoted otherwise. */
void sf_toml_add_key(struct sf_strbuf *out, const char *key);
void sf_toml_add_string(struct sf_strbuf *out, const char *text, size_t len);

/* The shortest text that reads back as the same number: "1.5", "1e+300", "inf", "-0.0". */
void sf_toml_add_float(struct sf_strbuf *out, double number);

/* The value as TOML writes it on one line: the inverse of reading. */
void sf_toml_add_value(struct sf_strbuf *out, const struct sf_toml_value *value);

/* Whether two values hold the same data; order of keys does not count, NaN equals NaN. */
bool sf_toml_equal(const struct sf_toml_value *a, const struct sf_toml_value *b);

#endif
