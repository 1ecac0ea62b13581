/*
 * catalog_read.c: models.toml into rows. Both kinds of table are described field by field below;
 * a key that is not listed is an error that names the nearest one, because a misspelled price
 * would otherwise be silently unknown.
 */
#include <math.h>

#include "base/base.h"
#include "model/catalog_rows.h"

enum kind { TEXT, FORMAT, TIER, TOKENS, DOLLARS, FLAG, THREE_TEXTS, THREE_COUNTS };

struct field {
    const char *name;
    enum kind kind;
    size_t offset;
};

#define PROVIDER(member) offsetof(struct sf_provider_row, member)
#define MODEL(member)    offsetof(struct sf_model_row, member)

/* clang-format off */
static const struct field provider_fields[] = {
    { "title",      TEXT,   PROVIDER(title) },
    { "base_url",   TEXT,   PROVIDER(base_url) },
    { "format",     FORMAT, PROVIDER(format) },
    { "key_env",    TEXT,   PROVIDER(key_env) },
    { "url_env",    TEXT,   PROVIDER(url_env) },
    { "fast",       TEXT,   PROVIDER(tiers[0]) },
    { "smart",      TEXT,   PROVIDER(tiers[1]) },
    { "deep",       TEXT,   PROVIDER(tiers[2]) },
    { "window",     TOKENS, PROVIDER(window) },
    { "max_output", TOKENS, PROVIDER(max_output) },
};

static const struct field model_fields[] = {
    { "window",            TOKENS,       MODEL(window) },
    { "max_output",        TOKENS,       MODEL(max_output) },
    { "price_input",       DOLLARS,      MODEL(price_input) },
    { "price_output",      DOLLARS,      MODEL(price_output) },
    { "price_cache_read",  DOLLARS,      MODEL(price_cache_read) },
    { "price_cache_write", DOLLARS,      MODEL(price_cache_write) },
    { "tier",              TIER,         MODEL(tier) },
    { "efforts",           THREE_TEXTS,  MODEL(efforts) },
    { "thinking",          THREE_COUNTS, MODEL(thinking_budgets) },
    { "images",            FLAG,         MODEL(images) },
    { "schemas",           FLAG,         MODEL(schemas) },
    { "patches",           FLAG,         MODEL(patches) },
    { "reasoning_back",    FLAG,         MODEL(reasoning_back) },
    { "cache_mark",        FLAG,         MODEL(cache_mark) },
};
/* clang-format on */

enum { TOKENS_MAX = 100000000, DOLLARS_MAX = 100000, NAME_MAX_BYTES = 256 };

struct reader {
    struct sf_catalog *catalog;
    const struct sf_toml *doc;
    struct sf_error *err;
    char where[600]; /* "models.openai.gpt-5": the table being read */
};

static bool refuse(struct reader *r, const struct sf_toml_value *value, const char *key,
                   const char *expected)
{
    sf_fail(r->err, SF_E_SYNTAX, "%s.%s must be %s", r->where, key, expected);
    sf_toml_where(r->doc, value->at, &r->err->line, &r->err->column);
    return false;
}

static bool is_plain_text(const struct sf_toml_value *value)
{
    if (value->type != SF_TOML_STRING || value->as.str.len > SF_CATALOG_TEXT_MAX)
        return false;
    for (size_t i = 0; i < value->as.str.len; i++)
        if ((unsigned char)value->as.str.text[i] < ' ' || value->as.str.text[i] == 0x7f)
            return false;
    return true;
}

static const char *copy_text(struct reader *r, const struct sf_toml_value *value)
{
    return sf_arena_strndup(&r->catalog->arena, value->as.str.text, value->as.str.len);
}

static bool read_choice(const struct sf_toml_value *value, const char *const *names, size_t *at)
{
    if (value->type != SF_TOML_STRING)
        return false;
    for (*at = 0; names[*at]; (*at)++)
        if (!strcmp(names[*at], value->as.str.text))
            return true;
    return false;
}

static bool read_tokens(const struct sf_toml_value *value, int64_t least, int64_t *out)
{
    if (value->type != SF_TOML_INTEGER || value->as.integer < least ||
        value->as.integer > TOKENS_MAX)
        return false;
    *out = value->as.integer;
    return true;
}

static bool read_dollars(const struct sf_toml_value *value, int64_t *out)
{
    double dollars = value->type == SF_TOML_INTEGER ? (double)value->as.integer
                     : value->type == SF_TOML_FLOAT ? value->as.number
                                                    : -1;

    if (!(dollars >= 0 && dollars <= DOLLARS_MAX))
        return false;
    *out = (int64_t)llround(dollars * 1e6);
    return true;
}

static bool is_array_of_three(const struct sf_toml_value *value)
{
    return value->type == SF_TOML_ARRAY && value->as.array.count == 3;
}

static bool read_three_texts(struct reader *r, const struct sf_toml_value *value, const char **out)
{
    if (!is_array_of_three(value))
        return false;
    for (size_t i = 0; i < 3; i++) {
        if (!is_plain_text(value->as.array.items[i]))
            return false;
        out[i] = copy_text(r, value->as.array.items[i]);
    }
    return true;
}

static bool read_three_counts(const struct sf_toml_value *value, int64_t *out)
{
    if (!is_array_of_three(value))
        return false;
    for (size_t i = 0; i < 3; i++)
        if (!read_tokens(value->as.array.items[i], 0, &out[i]))
            return false;
    return true;
}

static bool read_field(struct reader *r, const struct field *field,
                       const struct sf_toml_value *value, char *row)
{
    void *at = row + field->offset;
    size_t choice;

    switch (field->kind) {
    case TEXT:
        if (!is_plain_text(value))
            return refuse(r, value, field->name, "text without control characters");
        *(const char **)at = copy_text(r, value);
        return true;
    case FORMAT:
        if (!read_choice(value, sf_wire_format_names, &choice))
            return refuse(r, value, field->name, "\"anthropic\", \"chat\" or \"responses\"");
        *(enum sf_wire_format *)at = (enum sf_wire_format)choice;
        return true;
    case TIER:
        if (!read_choice(value, sf_tier_names, &choice))
            return refuse(r, value, field->name, "\"fast\", \"smart\" or \"deep\"");
        *(const char **)at = sf_tier_names[choice];
        return true;
    case TOKENS:
        return read_tokens(value, 1, at) ||
               refuse(r, value, field->name, "a number of tokens from 1 to 100000000");
    case DOLLARS:
        return read_dollars(value, at) ||
               refuse(r, value, field->name, "US dollars a million tokens, from 0 to 100000");
    case FLAG:
        if (value->type != SF_TOML_BOOLEAN)
            return refuse(r, value, field->name, "true or false");
        *(bool *)at = value->as.boolean;
        return true;
    case THREE_TEXTS:
        return read_three_texts(r, value, at) ||
               refuse(r, value, field->name, "three texts, for fast, smart and deep");
    case THREE_COUNTS:
        return read_three_counts(value, at) ||
               refuse(r, value, field->name, "three numbers, for fast, smart and deep");
    }
    return false;
}

static bool refuse_key(struct reader *r, const struct sf_map_entry *entry,
                       const struct field *fields, size_t count)
{
    const struct sf_toml_value *value = entry->value;
    struct sf_suggest near;

    sf_suggest_start(&near, entry->key);
    for (size_t i = 0; i < count; i++)
        sf_suggest_offer(&near, fields[i].name);
    sf_fail(r->err, SF_E_SYNTAX, "there is no key called %s in %s", entry->key, r->where);
    sf_toml_where(r->doc, value->key_at, &r->err->line, &r->err->column);
    return sf_suggest_hint(&near, NULL, r->err);
}

static bool read_fields(struct reader *r, const struct sf_toml_value *table,
                        const struct field *fields, size_t count, void *row)
{
    const struct sf_map *keys = &table->as.table->keys;

    for (size_t k = 0; k < keys->count; k++) {
        const struct field *field = NULL;

        for (size_t i = 0; i < count && !field; i++)
            if (!strcmp(fields[i].name, keys->entries[k].key))
                field = &fields[i];
        if (!field)
            return refuse_key(r, &keys->entries[k], fields, count);
        if (!read_field(r, field, keys->entries[k].value, row))
            return false;
    }
    return true;
}

static bool too_much(struct reader *r, const struct sf_toml_value *at, const char *what)
{
    sf_fail(r->err, SF_E_LIMIT, "%s", what);
    sf_toml_where(r->doc, at->key_at, &r->err->line, &r->err->column);
    return false;
}

/* Names stand in addresses of settings, in messages and in requests. */
static bool check_name(struct reader *r, const struct sf_map_entry *entry)
{
    const struct sf_toml_value *value = entry->value;
    bool ok = entry->len && entry->len < NAME_MAX_BYTES;

    for (size_t i = 0; i < entry->len && ok; i++)
        ok = entry->key[i] > ' ' && entry->key[i] < 0x7f;
    if (!ok)
        return too_much(r, value, "a name has 1 to 255 letters, digits and signs, and no blanks");
    if (value->type != SF_TOML_TABLE)
        return too_much(r, value, "providers and models are described by tables");
    return true;
}

static bool check_limits(struct reader *r, const struct sf_toml_value *table, int64_t window,
                         int64_t max_output)
{
    if (max_output <= window)
        return true;
    return refuse(r, table, "max_output", "no larger than the window");
}

static bool read_provider(struct reader *r, const struct sf_map_entry *entry)
{
    struct sf_provider_row *row;

    if (!check_name(r, entry))
        return false;
    snprintf(r->where, sizeof(r->where), "providers.%s", entry->key);
    row = sf_catalog_add_provider(r->catalog, entry->key);
    if (!row)
        return too_much(r, entry->value, "there are too many providers");
    if (!read_fields(r, entry->value, provider_fields, SF_COUNT(provider_fields), row))
        return false;
    if (!*row->title)
        row->title = row->name;
    if (!*row->base_url)
        return refuse(r, entry->value, "base_url", "given: a provider needs an address");
    return check_limits(r, entry->value, row->window, row->max_output);
}

static bool read_model(struct reader *r, const char *provider, const struct sf_map_entry *entry)
{
    struct sf_model_row *row;

    if (!check_name(r, entry))
        return false;
    snprintf(r->where, sizeof(r->where), "models.%s.%s", provider, entry->key);
    row = sf_catalog_add_model(r->catalog, provider, entry->key);
    if (!row)
        return too_much(r, entry->value, "there are too many models");
    return read_fields(r, entry->value, model_fields, SF_COUNT(model_fields), row) &&
           check_limits(r, entry->value, row->window, row->max_output);
}

static bool read_providers(struct reader *r, const struct sf_toml_value *table)
{
    for (size_t i = 0; i < table->as.table->keys.count; i++)
        if (!read_provider(r, &table->as.table->keys.entries[i]))
            return false;
    return true;
}

static bool read_models(struct reader *r, const struct sf_toml_value *table)
{
    for (size_t i = 0; i < table->as.table->keys.count; i++) {
        const struct sf_map_entry *entry = &table->as.table->keys.entries[i];
        const struct sf_toml_value *inner = entry->value;

        if (!check_name(r, entry))
            return false;
        for (size_t k = 0; k < inner->as.table->keys.count; k++)
            if (!read_model(r, entry->key, &inner->as.table->keys.entries[k]))
                return false;
    }
    return true;
}

static const struct {
    const char *name;
    bool (*read)(struct reader *r, const struct sf_toml_value *table);
} sections[] = { { "providers", read_providers }, { "models", read_models } };

/* Providers first, wherever they stand: their values are the defaults of their models. */
static bool read_sections(struct reader *r)
{
    const struct sf_map *keys = &sf_toml_root(r->doc)->as.table->keys;

    for (size_t i = 0; i < keys->count; i++) {
        const struct sf_toml_value *value = keys->entries[i].value;
        bool known =
            value->type == SF_TOML_TABLE && (!strcmp(keys->entries[i].key, sections[0].name) ||
                                             !strcmp(keys->entries[i].key, sections[1].name));

        if (known)
            continue;
        sf_fail(r->err, SF_E_SYNTAX, "%s is neither [providers.NAME] nor [models.PROVIDER.NAME]",
                keys->entries[i].key);
        sf_toml_where(r->doc, value->key_at, &r->err->line, &r->err->column);
        return false;
    }
    for (size_t i = 0; i < SF_COUNT(sections); i++) {
        const struct sf_toml_value *table = sf_toml_get(sf_toml_root(r->doc), sections[i].name);

        if (table && !sections[i].read(r, table))
            return false;
    }
    return true;
}

bool sf_catalog_read(struct sf_catalog *catalog, const char *text, size_t len, struct sf_error *err)
{
    struct sf_toml *doc = sf_toml_parse(text, len, SF_CATALOG_TEXT_MAX, err);
    struct reader r = { .catalog = catalog, .doc = doc, .err = err };
    bool ok = doc && read_sections(&r);

    sf_toml_free(doc);
    return ok;
}
