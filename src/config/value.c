/*
 * value.c: single values: parses them from TOML, compares their strictness, and writes TOML.
 */
#include <strings.h>

#include "base/base.h"
#include "config/config_build.h"
#include "modes/modes.h"

static bool read_enum(const struct sf_toml_value *from, struct sf_config_value *out,
                      struct sf_strbuf *why)
{
    const char *const *values = out->setting->values;
    struct sf_suggest s;

    if (from->type != SF_TOML_STRING)
        goto bad;
    sf_suggest_start(&s, from->as.str.text);
    for (size_t i = 0; values[i]; i++) {
        if (!strcmp(values[i], from->as.str.text)) {
            out->text = values[i];
            out->integer = (int64_t)i;
            return true;
        }
        sf_suggest_offer(&s, values[i]);
    }
    if (s.best)
        sf_strbuf_addf(why, "'%s' is unknown; did you mean '%s'?", from->as.str.text, s.best);
bad:
    if (!why->len)
        sf_strbuf_adds(why, "expected one of");
    else
        sf_strbuf_adds(why, " (one of");
    for (size_t i = 0; values[i]; i++)
        sf_strbuf_addf(why, "%s %s", i ? "," : "", values[i]);
    if (strchr(why->buf, '('))
        sf_strbuf_addch(why, ')');
    return false;
}

static bool read_int(const struct sf_toml_value *from, struct sf_config_value *out,
                     struct sf_strbuf *why)
{
    const struct sf_setting *s = out->setting;

    if (from->type != SF_TOML_INTEGER)
        return false;
    out->integer = from->as.integer;
    if ((s->min || s->max) && (out->integer < s->min || out->integer > s->max)) {
        sf_strbuf_addf(why, "expected an integer from %lld to %lld", (long long)s->min,
                       (long long)s->max);
        return false;
    }
    return true;
}

static bool read_float(const struct sf_toml_value *from, struct sf_config_value *out,
                       struct sf_strbuf *why)
{
    const struct sf_setting *s = out->setting;

    if (from->type != SF_TOML_INTEGER && from->type != SF_TOML_FLOAT)
        return false;
    out->number = from->type == SF_TOML_INTEGER ? (double)from->as.integer : from->as.number;
    if (!(out->number >= (double)s->min && out->number <= (double)s->max)) {
        sf_strbuf_addf(why, "expected a number from %lld to %lld", (long long)s->min,
                       (long long)s->max);
        return false;
    }
    return true;
}

static bool read_list(struct sf_config *config, const struct sf_toml_value *from,
                      struct sf_config_value *out)
{
    if (from->type != SF_TOML_ARRAY)
        return false;
    out->count = from->as.array.count;
    out->items = sf_arena_alloc(&config->arena, out->count * sizeof(*out->items));
    for (size_t i = 0; i < out->count; i++) {
        const struct sf_toml_value *item = from->as.array.items[i];

        if (item->type != SF_TOML_STRING || strlen(item->as.str.text) != item->as.str.len)
            return false;
        out->items[i].text = sf_arena_strndup(&config->arena, item->as.str.text, item->as.str.len);
        out->items[i].origin = out->origin;
    }
    return true;
}

static bool is_array_of_tables(const struct sf_toml_value *from)
{
    if (from->type != SF_TOML_ARRAY)
        return false;
    for (size_t i = 0; i < from->as.array.count; i++)
        if (from->as.array.items[i]->type != SF_TOML_TABLE)
            return false;
    return true;
}

/* The empty text stands for no address. */
static bool is_address(const char *text)
{
    return !*text || !strncasecmp(text, "https://", 8) || !strncasecmp(text, "http://", 7);
}

static bool read_typed(struct sf_config *config, const struct sf_toml_value *from,
                       struct sf_config_value *out, struct sf_strbuf *why)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;

    switch (out->setting->type) {
    case SF_SETTING_STRING:
    case SF_SETTING_ADDRESS:
        if (from->type != SF_TOML_STRING || strlen(from->as.str.text) != from->as.str.len)
            return false;
        if (out->setting->type == SF_SETTING_ADDRESS && !is_address(from->as.str.text)) {
            sf_strbuf_adds(why, "expected an address that begins with https:// or http://");
            return false;
        }
        out->text = sf_arena_strndup(&config->arena, from->as.str.text, from->as.str.len);
        return true;
    case SF_SETTING_ENUM:
        return read_enum(from, out, why);
    case SF_SETTING_BOOL:
        out->boolean = from->type == SF_TOML_BOOLEAN && from->as.boolean;
        return from->type == SF_TOML_BOOLEAN;
    case SF_SETTING_INT:
        return read_int(from, out, why);
    case SF_SETTING_FLOAT:
        return read_float(from, out, why);
    case SF_SETTING_LIST:
    case SF_SETTING_RULES:
    case SF_SETTING_SCOPE:
        return read_list(config, from, out);
    case SF_SETTING_TABLES:
        if (!is_array_of_tables(from))
            return false;
        sf_toml_add_value(&sb, from);
        out->text = sf_arena_strndup(&config->arena, sb.buf, sb.len);
        sf_strbuf_release(&sb);
        return true;
    }
    return false;
}

bool sf_config_value_read(struct sf_config *config, const struct sf_toml_value *from,
                          struct sf_config_value *out, struct sf_strbuf *why)
{
    if (read_typed(config, from, out, why))
        return true;
    if (!why->len)
        sf_strbuf_addf(why, "expected %s, not %s", sf_setting_type_name(out->setting->type),
                       sf_toml_type_name(from->type));
    return false;
}

static int64_t last_index(const char *const *values)
{
    int64_t n = 0;

    while (values[n + 1])
        n++;
    return n;
}

bool sf_config_value_strictest(const struct sf_setting *setting, struct sf_config_value *out)
{
    bool low = setting->strict == SF_STRICT_LOW;

    if (setting->strict == SF_STRICT_NONE)
        return false;
    out->boolean = !low;
    out->items = NULL;
    out->count = 0;
    out->integer = low ? setting->min : setting->max;
    out->number = (double)out->integer;
    if (setting->type == SF_SETTING_ENUM) {
        out->integer = low ? 0 : last_index(setting->values);
        out->text = setting->values[out->integer];
    }
    return true;
}

static bool scope_covered(const struct sf_config_value *value,
                          const struct sf_config_value *current)
{
    for (size_t i = 0; i < value->count; i++) {
        bool covered = false;

        for (size_t j = 0; j < current->count && !covered; j++)
            covered = sf_scope_entry_covers(current->items[j].text, value->items[i].text);
        if (!covered)
            return false;
    }
    return true;
}

/* Negative if `a` is stricter than `b` in the direction of LOW. */
static int compare(const struct sf_config_value *a, const struct sf_config_value *b)
{
    switch (a->setting->type) {
    case SF_SETTING_BOOL:
        return (int)a->boolean - (int)b->boolean;
    case SF_SETTING_FLOAT:
        return (a->number > b->number) - (a->number < b->number);
    case SF_SETTING_ENUM:
    case SF_SETTING_INT:
        return (a->integer > b->integer) - (a->integer < b->integer);
    case SF_SETTING_STRING:
    case SF_SETTING_ADDRESS:
    case SF_SETTING_LIST:
    case SF_SETTING_RULES:
    case SF_SETTING_SCOPE:
    case SF_SETTING_TABLES:
        break;
    }
    return 1;
}

bool sf_config_value_is_narrower(const struct sf_config_value *value,
                                 const struct sf_config_value *current)
{
    int order;

    if (!current)
        return true;
    if (value->setting->type == SF_SETTING_SCOPE)
        return scope_covered(value, current);
    order = compare(value, current);
    return value->setting->strict == SF_STRICT_HIGH ? order >= 0 : order <= 0;
}

static void add_items(struct sf_strbuf *out, const struct sf_config_value *value)
{
    sf_strbuf_addch(out, '[');
    for (size_t i = 0; i < value->count; i++) {
        sf_strbuf_adds(out, i ? ", " : "");
        sf_toml_add_string(out, value->items[i].text, strlen(value->items[i].text));
    }
    sf_strbuf_addch(out, ']');
}

void sf_config_add_literal(struct sf_strbuf *out, const struct sf_config_value *value)
{
    switch (value->setting->type) {
    case SF_SETTING_STRING:
    case SF_SETTING_ADDRESS:
    case SF_SETTING_ENUM:
        sf_toml_add_string(out, value->text, strlen(value->text));
        break;
    case SF_SETTING_BOOL:
        sf_strbuf_adds(out, value->boolean ? "true" : "false");
        break;
    case SF_SETTING_INT:
        sf_strbuf_addf(out, "%lld", (long long)value->integer);
        break;
    case SF_SETTING_FLOAT:
        sf_toml_add_float(out, value->number);
        break;
    case SF_SETTING_LIST:
    case SF_SETTING_RULES:
    case SF_SETTING_SCOPE:
        add_items(out, value);
        break;
    case SF_SETTING_TABLES:
        sf_strbuf_adds(out, value->text);
        break;
    }
}

/* Appends "a,b" as an array; text that starts with [ is an array already. */
static void add_typed_list(struct sf_strbuf *out, const char *typed)
{
    const char *sep = "";

    if (*typed == '[') {
        sf_strbuf_adds(out, typed);
        return;
    }
    sf_strbuf_addch(out, '[');
    while (*typed) {
        size_t n = strcspn(typed, ",");

        sf_strbuf_adds(out, sep);
        sf_toml_add_string(out, typed, n);
        typed += n + (typed[n] == ',');
        sep = ", ";
    }
    sf_strbuf_addch(out, ']');
}

static void add_typed(struct sf_strbuf *out, const struct sf_setting *setting, const char *typed)
{
    switch (setting->type) {
    case SF_SETTING_STRING:
    case SF_SETTING_ADDRESS:
    case SF_SETTING_ENUM:
        sf_toml_add_string(out, typed, strlen(typed));
        break;
    case SF_SETTING_LIST:
    case SF_SETTING_RULES:
    case SF_SETTING_SCOPE:
        add_typed_list(out, typed);
        break;
    case SF_SETTING_BOOL:
    case SF_SETTING_INT:
    case SF_SETTING_FLOAT:
    case SF_SETTING_TABLES:
        sf_strbuf_adds(out, typed);
        break;
    }
}

bool sf_config_literal(const struct sf_setting *setting, const char *typed, struct sf_strbuf *out,
                       struct sf_error *err)
{
    struct sf_config scratch = { .arena = SF_ARENA_INIT };
    struct sf_config_value value = { .setting = setting };
    struct sf_strbuf text = SF_STRBUF_INIT, why = SF_STRBUF_INIT;
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_toml *doc = NULL;
    bool ok = false;

    if (!sf_utf8_valid(typed, strlen(typed), NULL)) {
        sf_strbuf_adds(&why, "not valid UTF-8");
        goto out;
    }
    sf_strbuf_adds(&text, "v = ");
    add_typed(&text, setting, typed);
    doc = strchr(text.buf, '\n') ? NULL : sf_toml_parse(text.buf, text.len, text.len, &ignored);
    if (!doc)
        sf_strbuf_addf(&why, "expected %s", sf_setting_type_name(setting->type));
    else
        ok = sf_config_value_read(&scratch, sf_toml_get(sf_toml_root(doc), "v"), &value, &why);
    if (ok)
        sf_strbuf_adds(out, text.buf + strlen("v = "));
out:
    if (!ok)
        sf_fail(err, SF_E_ARG, "%s: %s", setting->key, why.buf);
    sf_toml_free(doc);
    sf_arena_release(&scratch.arena);
    sf_strbuf_release(&text);
    sf_strbuf_release(&why);
    return ok;
}
