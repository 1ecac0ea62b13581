/*
 * toml_write.c: TOML out, and comparison. Everything written here reads back as the same data.
 */
#include <math.h>

#include "base/base.h"
#include "base/toml_parse.h"

static bool is_bare_key(const char *key)
{
    static const char bare[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

    return *key && key[strspn(key, bare)] == '\0';
}

void sf_toml_add_key(struct sf_strbuf *out, const char *key)
{
    if (is_bare_key(key))
        sf_strbuf_adds(out, key);
    else
        sf_toml_add_string(out, key, strlen(key));
}

void sf_toml_add_string(struct sf_strbuf *out, const char *text, size_t len)
{
    static const char special[] = "\b\t\n\f\r\"\\", letters[] = "btnfr\"\\";

    sf_strbuf_addch(out, '"');
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        const char *found = c ? strchr(special, c) : NULL;

        if (found)
            sf_strbuf_addf(out, "\\%c", letters[found - special]);
        else if (c < 0x20 || c == 0x7f)
            sf_strbuf_addf(out, "\\u%04X", c);
        else
            sf_strbuf_addch(out, (char)c);
    }
    sf_strbuf_addch(out, '"');
}

void sf_toml_add_float(struct sf_strbuf *out, double number)
{
    char text[40];

    if (isnan(number)) {
        sf_strbuf_adds(out, "nan");
        return;
    }
    if (isinf(number)) {
        sf_strbuf_adds(out, number < 0 ? "-inf" : "inf");
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof(text), "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    sf_strbuf_adds(out, text);
    if (!strpbrk(text, ".e"))
        sf_strbuf_adds(out, ".0");
}

static void add_array(struct sf_strbuf *out, const struct sf_toml_value *value)
{
    sf_strbuf_addch(out, '[');
    for (size_t i = 0; i < value->as.array.count; i++) {
        if (i)
            sf_strbuf_adds(out, ", ");
        sf_toml_add_value(out, value->as.array.items[i]);
    }
    sf_strbuf_addch(out, ']');
}

static void add_table(struct sf_strbuf *out, const struct sf_toml_value *value)
{
    const struct sf_map *keys = &value->as.table->keys;

    sf_strbuf_adds(out, "{");
    for (size_t i = 0; i < keys->count; i++) {
        const struct sf_map_entry *e = &keys->entries[i];

        sf_strbuf_adds(out, i ? ", " : " ");
        if (strlen(e->key) == e->len)
            sf_toml_add_key(out, e->key);
        else
            sf_toml_add_string(out, e->key, e->len);
        sf_strbuf_adds(out, " = ");
        sf_toml_add_value(out, e->value);
    }
    sf_strbuf_adds(out, keys->count ? " }" : "}");
}

void sf_toml_add_value(struct sf_strbuf *out, const struct sf_toml_value *value)
{
    switch (value->type) {
    case SF_TOML_STRING:
        sf_toml_add_string(out, value->as.str.text, value->as.str.len);
        break;
    case SF_TOML_INTEGER:
        sf_strbuf_addf(out, "%lld", (long long)value->as.integer);
        break;
    case SF_TOML_FLOAT:
        sf_toml_add_float(out, value->as.number);
        break;
    case SF_TOML_BOOLEAN:
        sf_strbuf_adds(out, value->as.boolean ? "true" : "false");
        break;
    case SF_TOML_DATETIME:
    case SF_TOML_DATETIME_LOCAL:
    case SF_TOML_DATE_LOCAL:
    case SF_TOML_TIME_LOCAL:
        sf_strbuf_add(out, value->as.str.text, value->as.str.len);
        break;
    case SF_TOML_ARRAY:
        add_array(out, value);
        break;
    case SF_TOML_TABLE:
        add_table(out, value);
        break;
    }
}

static bool equal_tables(const struct sf_toml_value *a, const struct sf_toml_value *b)
{
    const struct sf_map *left = &a->as.table->keys, *right = &b->as.table->keys;

    if (left->count != right->count)
        return false;
    for (size_t i = 0; i < left->count; i++) {
        const struct sf_map_entry *e = &left->entries[i];
        const struct sf_toml_value *other = sf_map_get(right, e->key, e->len);

        if (!other || !sf_toml_equal(e->value, other))
            return false;
    }
    return true;
}

static bool equal_arrays(const struct sf_toml_value *a, const struct sf_toml_value *b)
{
    if (a->as.array.count != b->as.array.count)
        return false;
    for (size_t i = 0; i < a->as.array.count; i++)
        if (!sf_toml_equal(a->as.array.items[i], b->as.array.items[i]))
            return false;
    return true;
}

static bool equal_numbers(double a, double b)
{
    return (isnan(a) && isnan(b)) || (a == b && !signbit(a) == !signbit(b));
}

bool sf_toml_equal(const struct sf_toml_value *a, const struct sf_toml_value *b)
{
    if (a->type != b->type)
        return false;
    switch (a->type) {
    case SF_TOML_INTEGER:
        return a->as.integer == b->as.integer;
    case SF_TOML_FLOAT:
        return equal_numbers(a->as.number, b->as.number);
    case SF_TOML_BOOLEAN:
        return a->as.boolean == b->as.boolean;
    case SF_TOML_ARRAY:
        return equal_arrays(a, b);
    case SF_TOML_TABLE:
        return equal_tables(a, b);
    case SF_TOML_STRING:
    case SF_TOML_DATETIME:
    case SF_TOML_DATETIME_LOCAL:
    case SF_TOML_DATE_LOCAL:
    case SF_TOML_TIME_LOCAL:
        return a->as.str.len == b->as.str.len &&
               !memcmp(a->as.str.text, b->as.str.text, a->as.str.len);
    }
    return false;
}
