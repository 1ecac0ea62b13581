/*
 * config.c: the merged settings: storing values, deciding what a project may set, reading. A value
 * comes with its origin, and a project layer's value is compared with the one below it before it
 * may replace it.
 */
#include "config/config.h"

#include <assert.h>
#include <stdarg.h>

#include "base/base.h"
#include "config/config_build.h"
#include "modes/modes.h"

const char *sf_layer_name(enum sf_layer layer)
{
    static const char *const names[] = {
        [SF_LAYER_BUILTIN] = "built in",          [SF_LAYER_USER] = "user",
        [SF_LAYER_PROFILE] = "profile",           [SF_LAYER_KIBITZER] = "kibitzer",
        [SF_LAYER_PROJECT] = "project",           [SF_LAYER_ENVIRONMENT] = "environment",
        [SF_LAYER_COMMAND_LINE] = "command line",
    };

    return names[layer];
}

void sf_origin_add(struct sf_strbuf *out, const struct sf_origin *origin)
{
    sf_strbuf_adds(out, sf_layer_name(origin->layer));
    if (*origin->name)
        sf_strbuf_addf(out, " %s", origin->name);
    if (origin->line)
        sf_strbuf_addf(out, ":%u:%u", origin->line, origin->column);
}

void sf_config_note(struct sf_config *config, bool error, const struct sf_origin *origin,
                    const char *hint, const char *format, ...)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    struct sf_config_note *note;
    va_list args;

    if (config->note_count == SF_CONFIG_MAX_NOTES)
        return;
    va_start(args, format);
    sf_strbuf_vaddf(&sb, format, args);
    va_end(args);
    config->notes =
        sf_grow(config->notes, &config->note_cap, config->note_count + 1, sizeof(*config->notes));
    note = &config->notes[config->note_count++];
    note->error = error;
    note->origin = *origin;
    note->text = sf_arena_strndup(&config->arena, sb.buf, sb.len);
    note->hint = sf_arena_strndup(&config->arena, hint, strlen(hint));
    sf_strbuf_release(&sb);
}

/* The rules of all layers apply, so new ones are appended. */
static void add_rules(struct sf_config *config, struct sf_config_value *into,
                      const struct sf_config_value *value)
{
    size_t count = into->count + value->count;
    struct sf_config_item *items = sf_arena_alloc(&config->arena, count * sizeof(*items));

    if (into->count)
        memcpy(items, into->items, into->count * sizeof(*items));
    if (value->count)
        memcpy(items + into->count, value->items, value->count * sizeof(*items));
    into->items = items;
    into->count = count;
    into->origin = value->origin;
}

void sf_config_put(struct sf_config *config, const struct sf_config_value *value)
{
    struct sf_config_value *old = sf_map_gets(&config->values, value->key);

    if (!old) {
        old = sf_arena_alloc(&config->arena, sizeof(*old));
        *old = *value;
        old->key = sf_arena_strndup(&config->arena, value->key, strlen(value->key));
        sf_map_add(&config->values, old->key, strlen(old->key), old);
    } else if (value->setting->type == SF_SETTING_RULES) {
        add_rules(config, old, value);
    } else {
        const char *key = old->key;

        *old = *value;
        old->key = key;
    }
}

/* Whether the layer may set the value; adds a note if not. */
static bool may_set(struct sf_config *config, const struct sf_config_value *value, bool trusted)
{
    static const char hint[] = "read the file, then `sf trust add` if you mean it";
    const struct sf_setting *s = value->setting;
    const struct sf_config_value *current;

    if (value->origin.layer != SF_LAYER_KIBITZER && value->origin.layer != SF_LAYER_PROJECT)
        return true;
    if (s->trust == SF_SETTING_TRUST_USER) {
        sf_config_note(config, false, &value->origin, "set it in your own settings",
                       "'%s' is ignored: a project cannot set it", value->key);
        return false;
    }
    if (trusted || s->trust == SF_SETTING_TRUST_ANY)
        return true;
    if (s->trust == SF_SETTING_TRUST_TRUSTED) {
        sf_config_note(config, false, &value->origin, hint,
                       "'%s' is ignored: this workspace is not trusted (see `sf trust`)",
                       value->key);
        return false;
    }
    current = sf_config_find(config, value->key);
    if (sf_config_value_is_narrower(value, current))
        return true;
    sf_config_note(config, false, &value->origin, hint,
                   "'%s' is ignored: a workspace that is not trusted may only make it stricter "
                   "(see `sf trust`)",
                   value->key);
    return false;
}

void sf_config_add_key(struct sf_strbuf *out, const char *const *path, size_t depth)
{
    for (size_t i = 0; i < depth; i++) {
        if (i)
            sf_strbuf_addch(out, '.');
        sf_toml_add_key(out, path[i]);
    }
}

void sf_config_apply(struct sf_config *config, const char *const *path, size_t depth,
                     const struct sf_toml_value *from, const struct sf_origin *origin, bool trusted)
{
    struct sf_strbuf key = SF_STRBUF_INIT, why = SF_STRBUF_INIT;
    struct sf_config_value value = { .setting = sf_setting_find(path, depth), .origin = *origin };

    assert(value.setting);
    sf_config_add_key(&key, path, depth);
    value.key = key.buf;
    if (!sf_config_value_read(config, from, &value, &why)) {
        bool strict = sf_config_value_strictest(value.setting, &value);

        sf_config_note(config, true, origin, "", "'%s': %s%s", key.buf, why.buf,
                       strict ? "; the strictest value is used instead" : "");
        if (!strict)
            goto out;
    }
    if (may_set(config, &value, trusted))
        sf_config_put(config, &value);
out:
    sf_strbuf_release(&key);
    sf_strbuf_release(&why);
}

/* Stores one built-in value; the literal is part of sf and cannot be invalid. */
static void put_builtin(struct sf_config *config, const char *key, const struct sf_setting *setting,
                        const char *literal)
{
    static const struct sf_origin origin = { SF_LAYER_BUILTIN, "", 0, 0 };
    struct sf_config_value value = { .key = key, .setting = setting, .origin = origin };
    struct sf_strbuf text = SF_STRBUF_INIT, why = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_toml *doc;
    bool ok;

    sf_strbuf_addf(&text, "v = %s", literal);
    doc = sf_toml_parse(text.buf, text.len, text.len, &err);
    ok = doc && sf_config_value_read(config, sf_toml_get(sf_toml_root(doc), "v"), &value, &why);
    assert(ok);
    if (ok)
        sf_config_put(config, &value);
    sf_toml_free(doc);
    sf_strbuf_release(&text);
    sf_strbuf_release(&why);
}

static void add_list(struct sf_strbuf *out, const char *const *items)
{
    sf_strbuf_addch(out, '[');
    for (size_t i = 0; items[i]; i++) {
        sf_strbuf_adds(out, i ? ", " : "");
        sf_toml_add_string(out, items[i], strlen(items[i]));
    }
    sf_strbuf_addch(out, ']');
}

/* Makes modes.NAME.writable and modes.NAME.strategy, unless they are set. */
static void put_scope(struct sf_config *config, const struct sf_scope *scope, const char *wanted)
{
    static const char *const fields[] = { "writable", "strategy" };
    struct sf_strbuf key = SF_STRBUF_INIT, literal = SF_STRBUF_INIT;

    for (size_t i = 0; i < SF_COUNT(fields); i++) {
        const char *const path[] = { "modes", scope->name, fields[i] };

        sf_strbuf_reset(&key);
        sf_strbuf_reset(&literal);
        sf_strbuf_addf(&key, "modes.%s.%s", scope->name, fields[i]);
        if ((wanted && strcmp(wanted, key.buf) != 0) || sf_map_gets(&config->values, key.buf))
            continue;
        if (i == 0)
            add_list(&literal, scope->writable);
        else
            sf_toml_add_string(&literal, scope->strategy, strlen(scope->strategy));
        put_builtin(config, key.buf, sf_setting_find(path, 3), literal.buf);
    }
    sf_strbuf_release(&key);
    sf_strbuf_release(&literal);
}

/*
 * The built-in layer is below all others, so a value is made only when it is read and no other
 * layer has set it: most commands need two or three of them. NULL makes all.
 */
static void make_builtin(struct sf_config *config, const char *wanted)
{
    for (size_t i = 0; i < sf_setting_count; i++) {
        const struct sf_setting *s = &sf_settings[i];

        if (s->fallback && (!wanted || !strcmp(wanted, s->key)) &&
            !sf_map_gets(&config->values, s->key))
            put_builtin(config, s->key, s, s->fallback);
    }
    if (wanted && strncmp(wanted, "modes.", 6) != 0)
        return;
    for (size_t i = 0; i < sf_scope_builtin_count; i++)
        put_scope(config, &sf_scopes_builtin[i], wanted);
}

struct sf_config *sf_config_new(void)
{
    return sf_alloc(sizeof(struct sf_config));
}

void sf_config_free(struct sf_config *config)
{
    if (!config)
        return;
    sf_toml_free(config->user);
    sf_map_release(&config->values);
    free(config->notes);
    sf_arena_release(&config->arena);
    free(config);
}

const struct sf_config_value *sf_config_find(struct sf_config *config, const char *key)
{
    if (!sf_map_gets(&config->values, key))
        make_builtin(config, key);
    return sf_map_gets(&config->values, key);
}

static const struct sf_config_value *must_find(struct sf_config *config, const char *key)
{
    const struct sf_config_value *value = sf_config_find(config, key);

    assert(value);
    return value;
}

const char *sf_config_text(struct sf_config *config, const char *key)
{
    return must_find(config, key)->text;
}

bool sf_config_bool(struct sf_config *config, const char *key)
{
    return must_find(config, key)->boolean;
}

int64_t sf_config_int(struct sf_config *config, const char *key)
{
    return must_find(config, key)->integer;
}

static int by_row_then_key(const void *a, const void *b)
{
    const struct sf_config_value *x = a, *y = b;

    if (x->setting != y->setting)
        return x->setting < y->setting ? -1 : 1;
    return strcmp(x->key, y->key);
}

void sf_config_each(struct sf_config *config, sf_config_fn *fn, void *ctx)
{
    struct sf_config_value *sorted;
    size_t count;

    make_builtin(config, NULL);
    count = config->values.count;
    sorted = sf_alloc_array(count, sizeof(*sorted));
    for (size_t i = 0; i < count; i++)
        sorted[i] = *(const struct sf_config_value *)config->values.entries[i].value;
    qsort(sorted, count, sizeof(*sorted), by_row_then_key);
    for (size_t i = 0; i < count; i++)
        if (!fn(ctx, &sorted[i]))
            break;
    free(sorted);
}

const struct sf_config_note *sf_config_notes(const struct sf_config *config, size_t *count)
{
    *count = config->note_count;
    return config->notes;
}

bool sf_config_split_key(const char *key, struct sf_strlist *path, struct sf_error *err)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error ignored = SF_ERROR_INIT;
    const struct sf_toml_value *v = NULL;
    struct sf_toml *doc = NULL;

    sf_strbuf_addf(&text, "%s = 0", key);
    if (!strpbrk(key, "\n#="))
        doc = sf_toml_parse(text.buf, text.len, text.len, &ignored);
    for (v = doc ? sf_toml_root(doc) : NULL; v && v->type == SF_TOML_TABLE;) {
        sf_strlist_add(path, v->as.table->keys.entries[0].key);
        v = v->as.table->keys.entries[0].value;
    }
    sf_toml_free(doc);
    sf_strbuf_release(&text);
    if (!v) {
        sf_fail(err, SF_E_ARG, "'%s' is not a key", key);
        return sf_hint(err, "keys look like defaults.work_mode");
    }
    return true;
}

const struct sf_setting *sf_config_lookup(const char *key, struct sf_strlist *path,
                                          struct sf_error *err)
{
    const struct sf_setting *setting;
    struct sf_strbuf near = SF_STRBUF_INIT;

    if (!sf_config_split_key(key, path, err))
        return NULL;
    setting = sf_setting_find((const char *const *)path->items, path->count);
    if (setting)
        return setting;
    sf_fail(err, SF_E_ARG, "unknown key '%s'", key);
    if (sf_setting_suggest((const char *const *)path->items, path->count, &near))
        sf_hint(err, "did you mean '%s'?", near.buf);
    else
        sf_hint(err, "`sf config` lists all keys");
    sf_strbuf_release(&near);
    return NULL;
}
