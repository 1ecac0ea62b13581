/*
 * json: reading JSON that others wrote. The reader takes RFC 8259 to the letter and then
 * refuses what C or a careless caller would trip over: duplicate keys, \u0000, lone surrogates,
 * numbers no double can hold, and anything past the ceilings. Errors name line and column.
 *
 * A tree is owned by its root: sf_json_parse, use, sf_json_free. Every pointer taken out of it
 * is borrowed from it. Writing is json_write.h.
 */
#ifndef SF_BASE_JSON_H
#define SF_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/macros.h"

struct sf_json; /* never defined: a node of the library inside json.c */

enum sf_json_type {
    SF_JSON_NULL,
    SF_JSON_BOOL,
    SF_JSON_NUMBER,
    SF_JSON_STRING,
    SF_JSON_ARRAY,
    SF_JSON_OBJECT,
};

enum {
    SF_JSON_BYTES = 16 * 1024 * 1024, /* the defaults */
    SF_JSON_DEPTH = 64,
    SF_JSON_NODES = 1000 * 1000,
    SF_JSON_DEPTH_MAX = 128, /* what a caller may raise the depth to */
    SF_JSON_NUMBER_MAX = 63, /* characters of one number */
};

/*
 * Zero in a field means its default. Values that will be written into a larger document and
 * read again with it should be held to a smaller depth than that.
 */
struct sf_json_limits {
    size_t bytes, depth, nodes;
};

/* `text` needs no NUL behind it and is not kept. `limits` may be NULL. */
struct sf_json *sf_json_parse(const char *text, size_t len, const struct sf_json_limits *limits,
                              struct sf_error *err) SF_MUST_CHECK;
void sf_json_free(struct sf_json *json); /* NULL is welcome */

enum sf_json_type sf_json_type(const struct sf_json *json);
const char *sf_json_type_name(enum sf_json_type type); /* with its article: "a string" */

/*
 * Walking an array or object, linear as a whole:
 *     for (it = sf_json_first(list); it; it = sf_json_next(it))
 * first and next are NULL at the end and for values that hold nothing. count walks from the front
 * each time.
 */
const struct sf_json *sf_json_first(const struct sf_json *json);
const struct sf_json *sf_json_next(const struct sf_json *json);
size_t sf_json_count(const struct sf_json *json);
const char *sf_json_key(const struct sf_json *json); /* of an object's member, else NULL */

/* The member, or NULL when it is absent or `json` is no object. */
const struct sf_json *sf_json_get(const struct sf_json *json, const char *key);

/*
 * The value of one node; `name` stands for it in the error. Integers are exact or refused:
 * 3, 3.0 and 3e0 are 3, but 3.5 and what int64_t cannot hold are errors.
 */
bool sf_json_as_str(const struct sf_json *json, const char *name, const char **out,
                    struct sf_error *err) SF_MUST_CHECK;
bool sf_json_as_int(const struct sf_json *json, const char *name, int64_t *out,
                    struct sf_error *err) SF_MUST_CHECK;
bool sf_json_as_double(const struct sf_json *json, const char *name, double *out,
                       struct sf_error *err) SF_MUST_CHECK;
bool sf_json_as_bool(const struct sf_json *json, const char *name, bool *out,
                     struct sf_error *err) SF_MUST_CHECK;

/* A member that must be there and of that type. `out` changes only on success. */
bool sf_json_get_str(const struct sf_json *json, const char *key, const char **out,
                     struct sf_error *err) SF_MUST_CHECK;
bool sf_json_get_int(const struct sf_json *json, const char *key, int64_t *out,
                     struct sf_error *err) SF_MUST_CHECK;
bool sf_json_get_bool(const struct sf_json *json, const char *key, bool *out,
                      struct sf_error *err) SF_MUST_CHECK;
bool sf_json_get_array(const struct sf_json *json, const char *key, const struct sf_json **out,
                       struct sf_error *err) SF_MUST_CHECK;
bool sf_json_get_object(const struct sf_json *json, const char *key, const struct sf_json **out,
                        struct sf_error *err) SF_MUST_CHECK;

/*
 * A member that may be absent; null counts as absent, since many writers say it that way. Then
 * `*out` is the fallback (NULL for arrays and objects). Any other type is still an error.
 */
bool sf_json_opt_str(const struct sf_json *json, const char *key, const char *fallback,
                     const char **out, struct sf_error *err) SF_MUST_CHECK;
bool sf_json_opt_int(const struct sf_json *json, const char *key, int64_t fallback, int64_t *out,
                     struct sf_error *err) SF_MUST_CHECK;
bool sf_json_opt_bool(const struct sf_json *json, const char *key, bool fallback, bool *out,
                      struct sf_error *err) SF_MUST_CHECK;

/*
 * The source text of a number that a double may not hold exactly, else NULL. Writers copy it,
 * so that such a number survives reading and writing unchanged.
 */
const char *sf_json_number_text(const struct sf_json *json);

#endif
