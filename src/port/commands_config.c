/*
 * commands_config.c: /config lists all settings with value, origin and meaning, and writes one to
 * the user's file. An invalid value is refused and nothing is written. Settings that the surface
 * uses itself take effect at once; for others a note says when, or which layer overrides them.
 */
#include <string.h>

#include "port/internal.h"
#include "port/permissions.h"

#define APPROVAL_MODE "guard.approval_mode"

/* ---- names that only the surface knows ---- */

static bool names_setting(const struct sf_port *p, const struct sf_setting *setting, size_t index,
                          struct sf_named_setting *out)
{
    const struct sf_port_surface *s = &p->setup.surface;

    return s->settings && s->settings->named &&
           s->settings->named(s->ctx, setting->key, index, out);
}

/* Finds the surface's name "send" for the key "keys.send" and the row "keys.*". */
static bool find_named(const struct sf_port *p, const char *key, const struct sf_setting *setting,
                       struct sf_named_setting *out)
{
    size_t lead = strcspn(setting->key, "*");

    if (!setting->key[lead])
        return false;
    for (size_t i = 0; names_setting(p, setting, i, out); i++)
        if (!strcmp(key + lead, out->name))
            return true;
    return false;
}

static bool is_live(const struct sf_port *p, const char *key)
{
    const struct sf_port_surface *s = &p->setup.surface;

    return !strcmp(key, APPROVAL_MODE) || !strcmp(key, SF_STATUSLINE) ||
           (s->settings && s->settings->is_live(s->ctx, key));
}

/* ---- writing ---- */

/* An empty text removes the setting from the file; "" in quotes is the empty value. */
static const char *typed(const char *text)
{
    return !*text ? NULL : !strcmp(text, "\"\"") ? "" : text;
}

static const char *held(bool live, bool removed)
{
    if (!live)
        return "; it holds from the next start of sf";
    return removed ? ", from now on" : " and holds from now on";
}

/* Says whether the new value is in force, overridden by another layer, or takes effect later. */
static void say_written(struct sf_port *p, const char *key, bool removed)
{
    const struct sf_config_value *v = sf_config_find(sf_port_settings(p), key);
    struct sf_strbuf where = SF_STRBUF_INIT;

    if (v)
        sf_origin_add(&where, &v->origin);
    if (v && v->origin.layer > SF_LAYER_USER && v->setting->type != SF_SETTING_RULES)
        sf_port_note(p, true, "%s is written, but hidden: %s says otherwise", key, where.buf);
    else
        sf_port_note(p, false, "%s %s%s", key, removed ? "is no longer set" : "is written",
                     held(is_live(p, key), removed));
    sf_strbuf_release(&where);
}

/* The badge shows it, so it cannot wait for the next start. */
static bool apply_approval_mode(struct sf_port *p, struct sf_error *err)
{
    const struct sf_config_value *v = sf_config_find(sf_port_settings(p), APPROVAL_MODE);

    return sf_session_set_approval_mode(p->session, (enum sf_approval_mode)v->integer, err);
}

bool sf_port_check_setting(const char *key, const char *typed, struct sf_error *err)
{
    return sf_permissions_check(key, typed, err) && sf_statusline_check(key, typed, err);
}

bool sf_port_change_setting(struct sf_port *p, const char *key, const char *text,
                            struct sf_error *err)
{
    const struct sf_port_surface *s = &p->setup.surface;

    if (s->settings && *text && !s->settings->check(s->ctx, key, typed(text), err))
        return false;
    if (!sf_port_check_setting(key, typed(text), err))
        return false;
    if (!sf_port_write_setting(p, key, typed(text), err) || !sf_port_reload(p, err))
        return false;
    if (s->settings)
        s->settings->apply(s->ctx, key);
    sf_overview_catch_up(p);
    if (!strcmp(key, APPROVAL_MODE) && !apply_approval_mode(p, err))
        return false;
    say_written(p, key, !*text);
    return true;
}

/* ---- one setting ---- */

/* The value as it would be typed; if it is not set, the surface's default. */
static void add_typed(const struct sf_port *p, const char *key, const struct sf_setting *setting,
                      struct sf_strbuf *out)
{
    const struct sf_config_value *v = sf_config_find(sf_port_settings(p), key);
    struct sf_named_setting named;

    if (v && v->text && v->setting->type != SF_SETTING_TABLES)
        sf_strbuf_adds(out, v->text);
    else if (v)
        sf_config_add_literal(out, v);
    else if (find_named(p, key, setting, &named))
        sf_strbuf_adds(out, named.fallback);
}

static const char *help_of(const struct sf_port *p, const char *key,
                           const struct sf_setting *setting)
{
    struct sf_named_setting named;

    return find_named(p, key, setting, &named) ? named.help : setting->help;
}

static const struct sf_setting *setting_of(const char *key)
{
    struct sf_strlist path = SF_STRLIST_INIT;
    struct sf_error ignored = SF_ERROR_INIT;
    const struct sf_setting *s = sf_config_lookup(key, &path, &ignored);

    sf_strlist_release(&path);
    return s;
}

static void add_values(const struct sf_setting *s, struct sf_strbuf *out)
{
    for (size_t i = 0; s->values && s->values[i]; i++)
        sf_strbuf_addf(out, "%s%s", i ? ", " : "", s->values[i]);
    if (!s->values)
        sf_strbuf_adds(out, sf_setting_type_name(s->type));
    if (s->min || s->max)
        sf_strbuf_addf(out, " from %lld to %lld", (long long)s->min, (long long)s->max);
}

void sf_config_explain(struct sf_port *p, const char *key, struct sf_strbuf *out)
{
    const struct sf_config_value *v = sf_config_find(sf_port_settings(p), key);
    const struct sf_setting *s = setting_of(key);

    if (!s)
        return;
    sf_strbuf_addf(out, "**%s**: %s  \nCan be: ", key, help_of(p, key, s));
    add_values(s, out);
    sf_strbuf_adds(out, "  \nFrom: ");
    if (v)
        sf_origin_add(out, &v->origin);
    else
        sf_strbuf_adds(out, "built in");
    sf_strbuf_addf(out, "  \nProject files: %s  \nTakes effect: %s",
                   sf_setting_trust_name(s->trust),
                   is_live(p, key) ? "at once" : "with the next start of sf");
}

static void ask_value(struct sf_port *p, const char *key, const struct sf_setting *setting)
{
    static const char *const booleans[] = { "true", "false", NULL };
    struct sf_strbuf values = SF_STRBUF_INIT;
    struct sf_response r;

    sf_response_init(&r, SF_RESPONSE_FIELD, key);
    add_typed(p, key, setting, &r.text);
    r.values = setting->type == SF_SETTING_BOOL ? booleans : setting->values;
    add_values(setting, &values);
    snprintf(r.hint, sizeof(r.hint), "%s", values.buf);
    sf_strbuf_release(&values);
    sf_port_ask_field(p, &r, sf_port_change_setting, key);
}

/* ---- the list ---- */

static void add_row(struct sf_port *p, struct sf_response *r, const char *key,
                    const struct sf_setting *setting)
{
    const struct sf_config_value *v = sf_config_find(sf_port_settings(p), key);
    struct sf_strbuf value = SF_STRBUF_INIT;

    add_typed(p, key, setting, &value);
    if (!value.len)
        sf_strbuf_adds(&value, v ? "\"\"" : "–");
    sf_response_row(r, key);
    sf_response_cell(r, "%s", key);
    sf_response_cell(r, "%s", value.buf);
    sf_response_cell(r, "%s", v ? sf_layer_name(v->origin.layer) : "built in");
    sf_response_cell(r, "%s", help_of(p, key, setting));
    sf_strbuf_release(&value);
}

struct walk {
    struct sf_port *port;
    struct sf_response *response;
    const struct sf_setting *setting;
};

static bool add_set(void *ctx, const struct sf_config_value *v)
{
    const struct walk *w = ctx;

    if (v->setting == w->setting)
        add_row(w->port, w->response, v->key, v->setting);
    return true;
}

/* A row with open names: lists the names the surface knows, or else those that are set. */
static void add_open(struct sf_port *p, struct sf_response *r, const struct sf_setting *s)
{
    struct walk walk = { p, r, s };
    struct sf_named_setting named;
    struct sf_strbuf key = SF_STRBUF_INIT;

    if (!names_setting(p, s, 0, &named))
        sf_config_each(sf_port_settings(p), add_set, &walk);
    for (size_t i = 0; names_setting(p, s, i, &named); i++) {
        sf_strbuf_reset(&key);
        sf_strbuf_addf(&key, "%.*s%s", (int)strcspn(s->key, "*"), s->key, named.name);
        add_row(p, r, key.buf, s);
    }
    sf_strbuf_release(&key);
}

static void list(struct sf_port *p)
{
    static const char *const columns[] = { "setting", "value", "from", "what it is for", NULL };
    struct sf_response r;

    sf_response_init(&r, SF_RESPONSE_CHOICE, "Settings");
    r.columns = columns;
    r.cursor = sf_settings[0].key;
    for (size_t i = 0; i < sf_setting_count; i++) {
        if (strchr(sf_settings[i].key, '*'))
            add_open(p, &r, &sf_settings[i]);
        else
            add_row(p, &r, sf_settings[i].key, &sf_settings[i]);
    }
    sf_port_respond(p, &r);
}

/* /config, /config KEY, /config KEY VALUE */
void sf_command_config(struct sf_port *p, const char *args)
{
    size_t len = strcspn(args, " ");
    char *key = sf_strndup(args, len);
    const char *value = args + len + strspn(args + len, " ");
    struct sf_strlist path = SF_STRLIST_INIT;
    struct sf_error err = SF_ERROR_INIT;
    const struct sf_setting *setting = *key ? sf_config_lookup(key, &path, &err) : NULL;

    /* A script may pass on the words of others, which do not change the settings of the user. */
    if (*value && setting && !sf_port_moves(p)) {
        sf_fail(&err, SF_E_ARG, "a run without a screen changes no settings");
        sf_hint(&err, "`sf config set %s …` does", key);
        setting = NULL;
    }
    if (!*key)
        list(p);
    else if (!setting || (*value && !sf_port_change_setting(p, key, value, &err)))
        sf_port_fail(p, &err);
    else if (!*value)
        ask_value(p, key, setting);
    sf_strlist_release(&path);
    free(key);
}
