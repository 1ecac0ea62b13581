/*
 * json_schema_unique.c: uniqueItems. Items are ordered by a hash of what they say, so that only those
 * whose hashes are equal are compared: an answer of many thousand items takes no longer than it
 * should. Members count in any order, and numbers by their value, as when values are compared.
 */
#include <stdlib.h>
#include <string.h>

#include "base/json_schema_walk.h"
#include "base/mem.h"

struct item {
    uint64_t hash;
    const struct sf_json *value;
};

static uint64_t mix(uint64_t hash, const void *data, size_t len)
{
    const unsigned char *p = data;

    for (size_t i = 0; i < len; i++)
        hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t hash_of(const struct sf_json *value);

static uint64_t hash_below(const struct sf_json *value, uint64_t hash)
{
    for (const struct sf_json *it = sf_json_first(value); it; it = sf_json_next(it)) {
        uint64_t own = hash_of(it);

        if (sf_json_type(value) == SF_JSON_OBJECT) /* a sum knows no order */
            hash += mix(own, sf_json_key(it), strlen(sf_json_key(it)));
        else
            hash = mix(hash, &own, sizeof(own));
    }
    return hash;
}

static uint64_t hash_of(const struct sf_json *value)
{
    const enum sf_json_type type = sf_json_type(value);
    const uint64_t hash = mix(UINT64_C(0xcbf29ce484222325), &type, sizeof(type));
    double number = sf_schema_number(value) + 0.0; /* -0 is 0 */
    bool is = sf_schema_bool(value);

    if (type == SF_JSON_OBJECT || type == SF_JSON_ARRAY)
        return hash_below(value, hash);
    if (type == SF_JSON_STRING)
        return mix(hash, sf_schema_text(value), strlen(sf_schema_text(value)));
    return type == SF_JSON_NUMBER ? mix(hash, &number, sizeof(number)) : mix(hash, &is, sizeof(is));
}

static int by_hash(const void *a, const void *b)
{
    const struct item *x = a, *y = b;

    return (x->hash > y->hash) - (x->hash < y->hash);
}

static bool has_twin(struct sf_schema_walk *f, const struct item *items, size_t count, size_t at)
{
    for (size_t i = at + 1; i < count && items[i].hash == items[at].hash && f->steps >= 0; i++)
        if (sf_schema_is_same(f, items[at].value, items[i].value))
            return true;
    return false;
}

bool sf_schema_is_unique(struct sf_schema_walk *f, const struct sf_json *list)
{
    size_t count = 0, all = sf_json_count(list);
    struct item *items = sf_alloc_array(all + 1, sizeof(*items));
    bool unique = true;

    for (const struct sf_json *it = sf_json_first(list); it; it = sf_json_next(it))
        items[count++] = (struct item){ hash_of(it), it };
    qsort(items, count, sizeof(*items), by_hash);
    for (size_t i = 0; i < count && unique; i++)
        unique = !has_twin(f, items, count, i);
    free(items);
    return unique;
}
