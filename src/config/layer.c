/*
 * layer.c: adds one source to the settings: the tables of a file, a profile, the environment, the
 * command line. For an unknown key the nearest known one is suggested.
 */
#include <assert.h>

#include "base/base.h"
#include "config/config_build.h"

enum { MAX_PARTS = 8 };

struct walk {
    struct sf_config *config;
    const struct sf_toml *doc;
    struct sf_origin origin;
    bool trusted;
    const char *path[MAX_PARTS];
};

static struct sf_origin origin_at(const struct walk *w, size_t offset)
{
    struct sf_origin origin = w->origin;

    sf_toml_where(w->doc, offset, &origin.line, &origin.column);
    return origin;
}

/* Unknown keys in .kibitzer/config.toml are ignored: it has keys that sf does not use. */
static void unknown_key(const struct walk *w, size_t depth, const struct sf_toml_value *v)
{
    struct sf_strbuf near = SF_STRBUF_INIT, hint = SF_STRBUF_INIT;
    struct sf_origin origin = origin_at(w, v->key_at);

    if (w->origin.layer == SF_LAYER_KIBITZER)
        return;
    if (sf_setting_suggest(w->path, depth, &near))
        sf_strbuf_addf(&hint, "did you mean '%s'?", near.buf);
    sf_config_note(w->config, false, &origin, hint.buf, "unknown key '%s'", w->path[depth - 1]);
    sf_strbuf_release(&near);
    sf_strbuf_release(&hint);
}

static void walk_table(struct walk *w, size_t depth, const struct sf_toml_value *table);

static void walk_value(struct walk *w, size_t depth, const struct sf_toml_value *v)
{
    struct sf_origin origin;

    if (sf_setting_find(w->path, depth)) {
        origin = origin_at(w, v->key_at);
        sf_config_apply(w->config, w->path, depth, v, &origin, w->trusted);
    } else if (!sf_setting_is_table(w->path, depth)) {
        unknown_key(w, depth, v);
    } else if (v->type != SF_TOML_TABLE) {
        origin = origin_at(w, v->key_at);
        sf_config_note(w->config, true, &origin, "", "'%s': expected a table, not %s",
                       w->path[depth - 1], sf_toml_type_name(v->type));
    } else {
        walk_table(w, depth, v);
    }
}

/* [profiles] is allowed only in the user's file, and is read only when a profile is chosen. */
static bool is_profiles(const struct walk *w, size_t depth, const struct sf_toml_value *v)
{
    struct sf_origin origin;

    if (depth != 1 || strcmp(w->path[0], "profiles") != 0)
        return false;
    if (w->origin.layer == SF_LAYER_USER)
        return true;
    origin = origin_at(w, v->key_at);
    sf_config_note(w->config, false, &origin, "profiles belong in your own settings",
                   "'profiles' is ignored here");
    return true;
}

static void walk_table(struct walk *w, size_t depth, const struct sf_toml_value *table)
{
    const struct sf_map *keys = &table->as.table->keys;

    assert(depth < MAX_PARTS);
    for (size_t i = 0; i < keys->count; i++) {
        const struct sf_toml_value *v = keys->entries[i].value;

        w->path[depth] = keys->entries[i].key;
        if (strlen(keys->entries[i].key) != keys->entries[i].len)
            unknown_key(w, depth + 1, v);
        else if (!is_profiles(w, depth + 1, v))
            walk_value(w, depth + 1, v);
    }
}

/* What an unreadable file would have forbidden is unknown, so as little as possible is allowed. */
static void tighten(struct sf_config *config, const struct sf_origin *origin)
{
    for (size_t i = 0; i < sf_setting_count; i++) {
        const struct sf_setting *s = &sf_settings[i];
        struct sf_config_value value = { .key = s->key, .setting = s, .origin = *origin };

        if (strncmp(s->key, "defaults.", 9) != 0 && strncmp(s->key, "guard.", 6) != 0)
            continue;
        if (sf_config_value_strictest(s, &value))
            sf_config_put(config, &value);
    }
}

void sf_config_add_broken(struct sf_config *config, enum sf_layer layer, const char *name,
                          const struct sf_error *why)
{
    struct sf_origin origin = { layer, sf_arena_strndup(&config->arena, name, strlen(name)),
                                why->line, why->column };

    sf_config_note(config, true, &origin,
                   "fix the file; until then the strictest settings are in force", "%s", why->msg);
    tighten(config, &origin);
}

void sf_config_add_file(struct sf_config *config, enum sf_layer layer, const char *name,
                        const char *text, size_t len, bool trusted)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_toml *doc = sf_toml_parse(text, len, SF_CONFIG_MAX_BYTES, &err);
    struct walk w = { .config = config, .doc = doc, .trusted = trusted };

    if (!doc) {
        sf_config_add_broken(config, layer, name, &err);
        return;
    }
    w.origin =
        (struct sf_origin){ layer, sf_arena_strndup(&config->arena, name, strlen(name)), 0, 0 };
    walk_table(&w, 0, sf_toml_root(doc));
    if (layer == SF_LAYER_USER && !config->user) {
        config->user = doc;
        config->user_name = w.origin.name;
    } else {
        sf_toml_free(doc);
    }
}

bool sf_config_add_profile(struct sf_config *config, const char *name, struct sf_error *err)
{
    const char *path[] = { "profiles", name };
    const struct sf_toml_value *all = config->user ? sf_toml_find(config->user, path, 1) : NULL;
    const struct sf_toml_value *v = config->user ? sf_toml_find(config->user, path, 2) : NULL;
    struct walk w = { .config = config, .doc = config->user, .trusted = true };
    struct sf_suggest s;

    if (v && v->type == SF_TOML_TABLE) {
        w.origin = (struct sf_origin){ SF_LAYER_PROFILE, config->user_name, 0, 0 };
        walk_table(&w, 0, v);
        return true;
    }
    sf_fail(err, SF_E_ARG, "there is no profile called '%s'", name);
    sf_suggest_start(&s, name);
    for (size_t i = 0; all && all->type == SF_TOML_TABLE && i < all->as.table->keys.count; i++)
        sf_suggest_offer(&s, all->as.table->keys.entries[i].key);
    if (s.best)
        return sf_hint(err, "did you mean '%s'?", s.best);
    return sf_hint(err, "add [profiles.%s] to your settings (`sf config path`)", name);
}

/* Parses a value that was typed for a key; it is checked like any other. */
static bool apply_typed(struct sf_config *config, const char *key, const char *typed,
                        const struct sf_origin *origin, struct sf_error *err)
{
    struct sf_strlist path = SF_STRLIST_INIT;
    struct sf_strbuf literal = SF_STRBUF_INIT, text = SF_STRBUF_INIT;
    const struct sf_setting *setting;
    struct sf_toml *doc = NULL;
    bool ok = false;

    if (!sf_config_split_key(key, &path, err))
        goto out;
    setting = sf_setting_find((const char *const *)path.items, path.count);
    assert(setting);
    if (!sf_config_literal(setting, typed, &literal, err))
        goto out;
    sf_strbuf_addf(&text, "v = %s", literal.buf);
    doc = sf_toml_parse(text.buf, text.len, text.len, err);
    if (!doc)
        goto out;
    sf_config_apply(config, (const char *const *)path.items, path.count,
                    sf_toml_get(sf_toml_root(doc), "v"), origin, true);
    ok = true;
out:
    sf_toml_free(doc);
    sf_strbuf_release(&literal);
    sf_strbuf_release(&text);
    sf_strlist_release(&path);
    return ok;
}

bool sf_config_add_option(struct sf_config *config, const char *option, const char *key,
                          const char *value, struct sf_error *err)
{
    struct sf_origin origin = { SF_LAYER_COMMAND_LINE,
                                sf_arena_strndup(&config->arena, option, strlen(option)), 0, 0 };

    if (apply_typed(config, key, value, &origin, err))
        return true;
    sf_error_prefix(err, "%s: ", option);
    return false;
}

/* Matches SF_MODELS_OPENAI_BASE_URL with models.*.base_url; `star` gets the name in lower case. */
static bool match_variable(const char *pattern, const char *name, size_t len,
                           struct sf_strbuf *star)
{
    const char *at = strchr(pattern, '*');
    size_t head, tail;

    if (!at)
        return strlen(pattern) == len && !memcmp(pattern, name, len);
    head = (size_t)(at - pattern);
    tail = strlen(at + 1);
    if (len <= head + tail || memcmp(pattern, name, head) != 0 ||
        memcmp(at + 1, name + len - tail, tail) != 0)
        return false;
    for (size_t i = head; i < len - tail; i++)
        sf_strbuf_addch(star,
                        (char)(name[i] >= 'A' && name[i] <= 'Z' ? name[i] - 'A' + 'a' : name[i]));
    return true;
}

static void concrete_key(struct sf_strbuf *out, const char *key, const char *star)
{
    for (const char *p = key; *p; p++) {
        if (*p == '*')
            sf_toml_add_key(out, star);
        else
            sf_strbuf_addch(out, *p);
    }
}

static void apply_variable(struct sf_config *config, const struct sf_setting *setting,
                           const char *key, const char *name, size_t len, const char *value)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_origin origin = { SF_LAYER_ENVIRONMENT, sf_arena_strndup(&config->arena, name, len),
                                0, 0 };
    struct sf_config_value strict = { .key = key, .setting = setting, .origin = origin };

    if (apply_typed(config, key, value, &origin, &err))
        return;
    if (sf_config_value_strictest(setting, &strict))
        sf_config_put(config, &strict);
    sf_config_note(config, true, &origin, "", "%s", err.msg);
}

static bool try_variable(struct sf_config *config, const char *name, size_t len, const char *value)
{
    bool found = false;

    for (size_t i = 0; i < sf_setting_count && !found; i++) {
        struct sf_strbuf pattern = SF_STRBUF_INIT, star = SF_STRBUF_INIT, key = SF_STRBUF_INIT;

        sf_setting_variable(&sf_settings[i], &pattern);
        found = match_variable(pattern.buf, name, len, &star);
        if (found) {
            concrete_key(&key, sf_settings[i].key, star.buf);
            apply_variable(config, &sf_settings[i], key.buf, name, len, value);
        }
        sf_strbuf_release(&pattern);
        sf_strbuf_release(&star);
        sf_strbuf_release(&key);
    }
    return found;
}

/* Other programs use SF_* names too, so there is a note only for a near miss of one of ours. */
static void suggest_variable(struct sf_config *config, const char *name, size_t len)
{
    struct sf_origin origin = { SF_LAYER_ENVIRONMENT, sf_arena_strndup(&config->arena, name, len),
                                0, 0 };
    struct sf_strlist names = SF_STRLIST_INIT;
    struct sf_strbuf hint = SF_STRBUF_INIT;
    struct sf_suggest s;

    sf_suggest_start(&s, origin.name);
    for (size_t i = 0; i < sf_setting_count; i++) {
        struct sf_strbuf variable = SF_STRBUF_INIT;

        sf_setting_variable(&sf_settings[i], &variable);
        sf_strlist_adopt(&names, sf_strbuf_detach(&variable));
        if (!strchr(sf_settings[i].key, '*'))
            sf_suggest_offer(&s, names.items[i]);
    }
    if (s.best) {
        sf_strbuf_addf(&hint, "did you mean %s?", s.best);
        sf_config_note(config, false, &origin, hint.buf, "sf does not know this variable");
    }
    sf_strlist_release(&names);
    sf_strbuf_release(&hint);
}

void sf_config_add_environment(struct sf_config *config, const char *const *environment)
{
    for (size_t i = 0; environment[i]; i++) {
        const char *equals = strchr(environment[i], '=');
        size_t len = equals ? (size_t)(equals - environment[i]) : 0;

        if (len < 4 || strncmp(environment[i], "SF_", 3) != 0 || !equals[1] ||
            (len == 7 && !strncmp(environment[i], "SF_HOME", 7)))
            continue;
        if (!try_variable(config, environment[i], len, equals + 1))
            suggest_variable(config, environment[i], len);
    }
}
