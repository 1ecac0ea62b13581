/*
 * json_equal: whether two JSON values are the same, and a child by its number. Members must come in
 * the same order. Numbers are compared as doubles, but as text where a double may hold neither.
 * Here alone, so that fuzzers can use them without the rest of the support.
 */
#ifndef SF_TESTS_SUPPORT_JSON_EQUAL_H
#define SF_TESTS_SUPPORT_JSON_EQUAL_H

#include <stdbool.h>
#include <string.h>

#include "base/base.h"

/* The array's item or the object's member with this number; NULL: there is none. */
static inline const struct sf_json *json_item(const struct sf_json *json, size_t index)
{
    const struct sf_json *it = sf_json_first(json);

    while (it && index--)
        it = sf_json_next(it);
    return it;
}

static inline bool json_same_text(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : !a && !b;
}

static inline bool json_same_number(const struct sf_json *a, const struct sf_json *b)
{
    const char *left = sf_json_number_text(a), *right = sf_json_number_text(b);
    struct sf_error ignored = SF_ERROR_INIT;
    double x = 0, y = 0;

    if (left && right)
        return !strcmp(left, right);
    return sf_json_as_double(a, "", &x, &ignored) && sf_json_as_double(b, "", &y, &ignored) &&
           x == y;
}

static inline bool json_same_leaf(const struct sf_json *a, const struct sf_json *b)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const char *left = NULL, *right = NULL;
    bool yes = false, no = false;

    if (sf_json_type(a) != sf_json_type(b))
        return false;
    if (sf_json_type(a) == SF_JSON_NUMBER)
        return json_same_number(a, b);
    if (sf_json_type(a) == SF_JSON_STRING)
        return sf_json_as_str(a, "", &left, &ignored) && sf_json_as_str(b, "", &right, &ignored) &&
               json_same_text(left, right);
    if (sf_json_type(a) == SF_JSON_BOOL)
        return sf_json_as_bool(a, "", &yes, &ignored) && sf_json_as_bool(b, "", &no, &ignored) &&
               yes == no;
    return true;
}

/* Recurses as deep as the values are nested, which the parser limits. */
static inline bool json_equal(const struct sf_json *a, const struct sf_json *b)
{
    const struct sf_json *x = sf_json_first(a), *y = sf_json_first(b);

    if (!json_same_leaf(a, b))
        return false;
    for (; x && y; x = sf_json_next(x), y = sf_json_next(y))
        if (!json_same_text(sf_json_key(x), sf_json_key(y)) || !json_equal(x, y))
            return false;
    return !x && !y;
}

#endif
