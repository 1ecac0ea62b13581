/*
 * settings.c: the list of settings: what each is, where it comes from and what it is for; Enter
 * writes one. A value that does not fit is refused and nothing is written. What the desk itself
 * looks at takes effect at once, the rest says when; a value that something stronger hides says so.
 */
#include <string.h>

#include "tui/commands.h"
#include "tui/internal.h"

enum { VALUE_COLS = 28 };

static const char *const booleans[] = { "true", "false", NULL };

/* ---- what takes effect at once ---- */

/*
 * All that [keys] names loses its keys before any gets new ones, so that two actions can swap
 * them; one that cannot have what it wants keeps its own.
 */
static struct sf_keymap *make_keys(struct sf_config *config, struct sf_error *err)
{
    struct sf_keymap *map = sf_keymap_new();
    struct sf_error ignored = SF_ERROR_INIT;

    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < sf_action_row_count; i++) {
            const char *name = sf_action_rows[i].name;
            const struct sf_config_value *v;
            struct sf_strbuf key = SF_STRBUF_INIT;

            sf_strbuf_addf(&key, "keys.%s", name);
            v = sf_config_find(config, key.buf);
            sf_strbuf_release(&key);
            if (!v || !v->text)
                continue;
            if (!sf_keymap_bind(map, name, pass ? v->text : "", err) &&
                !sf_keymap_bind(map, name, NULL, &ignored))
                continue;
        }
    return map;
}

void sf_settings_keys(struct sf_tui *ui)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_keymap *map = make_keys(sf_port_settings(ui->port), &err);

    sf_keymap_free(ui->keys);
    ui->keys = map;
    if (err.code) {
        sf_error_prefix(&err, "[keys] ");
        sf_tui_fail(ui, &err);
    }
}

static void apply_theme(struct sf_tui *ui)
{
    struct sf_error err = SF_ERROR_INIT;

    if (sf_tui_theme(sf_config_text(sf_port_settings(ui->port), "ui.theme"), &ui->theme, &err))
        sf_terminal_set_theme(ui->terminal, &ui->theme);
    else
        sf_tui_fail(ui, &err);
}

static void apply_mouse(struct sf_tui *ui)
{
    ui->setup.mouse = sf_config_bool(sf_port_settings(ui->port), "ui.mouse");
    sf_terminal_set_mouse(ui->terminal, ui->setup.mouse);
}

static void apply_vim(struct sf_tui *ui)
{
    sf_composer_set_vim(ui->composer, sf_config_bool(sf_port_settings(ui->port), "ui.vim"));
}

static void apply_motion(struct sf_tui *ui)
{
    ui->low_motion = sf_config_bool(sf_port_settings(ui->port), "ui.low_motion");
}

/* ---- what a value must be, beyond its type ---- */

static bool check_theme(struct sf_tui *ui, const char *key, const char *text, struct sf_error *err)
{
    struct sf_theme theme = ui->theme;

    (void)key;
    return sf_tui_theme(text, &theme, err);
}

static bool check_keys(struct sf_tui *ui, const char *key, const char *text, struct sf_error *err)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_keymap *map = make_keys(sf_port_settings(ui->port), &ignored);
    const char *dot = strchr(key, '.');
    bool ok = sf_keymap_bind(map, dot + 1, text, err);

    sf_keymap_free(map);
    return ok;
}

static const struct live {
    const char *key; /* or the beginning of one, with its dot */
    bool (*check)(struct sf_tui *ui, const char *key, const char *text, struct sf_error *err);
    void (*apply)(struct sf_tui *ui);
} lives[] = {
    { "ui.theme", check_theme, apply_theme },
    { "ui.mouse", NULL, apply_mouse },
    { "ui.vim", NULL, apply_vim },
    { "ui.low_motion", NULL, apply_motion },
    { "keys.", check_keys, sf_settings_keys },
};

static const struct live *find_live(const char *key)
{
    for (size_t i = 0; i < SF_COUNT(lives); i++) {
        size_t len = strlen(lives[i].key);

        if (!strncmp(lives[i].key, key, len) && (!key[len] || lives[i].key[len - 1] == '.'))
            return &lives[i];
    }
    return NULL;
}

/* ---- writing ---- */

/* An empty text takes the setting out of the file; two quotes are the empty value. */
static const char *typed(const char *text)
{
    return !*text ? NULL : !strcmp(text, "\"\"") ? "" : text;
}

static bool change(struct sf_tui *ui, const char *key, const char *text, struct sf_error *err)
{
    const struct live *live = find_live(key);

    if (live && live->check && *text && !live->check(ui, key, typed(text), err))
        return false;
    if (!sf_port_write_setting(ui->port, key, typed(text), err) || !sf_port_reload(ui->port, err))
        return false;
    if (live)
        live->apply(ui);
    return true;
}

/* What became of it: in force, hidden by something stronger, or to come. */
static void say_written(struct sf_tui *ui, const char *key, bool removed)
{
    const struct sf_config_value *v = sf_config_find(sf_port_settings(ui->port), key);
    struct sf_strbuf where = SF_STRBUF_INIT;

    if (v)
        sf_origin_add(&where, &v->origin);
    if (v && v->origin.layer > SF_LAYER_USER && v->setting->type != SF_SETTING_RULES)
        sf_tui_say(ui, true, "%s is written, but hidden: %s says otherwise", key, where.buf);
    else if (find_live(key))
        sf_tui_say(ui, false, "%s %s and holds from now on", key,
                   removed ? "is out" : "is written");
    else
        sf_tui_say(ui, false, "%s %s; it holds from the next start of sf", key,
                   removed ? "is out" : "is written");
    sf_strbuf_release(&where);
}

/* ---- the list ---- */

/* The value as it would be typed. */
static void add_typed(const struct sf_config_value *v, struct sf_strbuf *out)
{
    if (v && v->text && v->setting->type != SF_SETTING_TABLES)
        sf_strbuf_adds(out, v->text);
    else if (v)
        sf_config_add_literal(out, v);
}

static const char *default_chords(const char *key)
{
    for (size_t i = 0; i < sf_action_row_count; i++)
        if (!strncmp(key, "keys.", 5) && !strcmp(key + 5, sf_action_rows[i].name))
            return sf_action_rows[i].chords;
    return "";
}

static const char *help_of(const char *key, const struct sf_setting *setting)
{
    for (size_t i = 0; i < sf_action_row_count; i++)
        if (!strncmp(key, "keys.", 5) && !strcmp(key + 5, sf_action_rows[i].name))
            return sf_action_rows[i].help;
    return setting->help;
}

static void row_text(struct sf_tui *ui, const char *key, const struct sf_setting *setting,
                     struct sf_strbuf *out)
{
    const struct sf_config_value *v = sf_config_find(sf_port_settings(ui->port), key);
    struct sf_strbuf value = SF_STRBUF_INIT;
    size_t fit;

    add_typed(v, &value);
    if (!v)
        sf_strbuf_adds(&value, default_chords(key));
    if (!value.len)
        sf_strbuf_adds(&value, v ? "\"\"" : "–");
    fit = sf_text_fit(value.buf, value.len, VALUE_COLS, NULL);
    sf_strbuf_addf(out, "%s\t%.*s%s\t%s\t%s", key, (int)fit, value.buf, fit < value.len ? "…" : "",
                   v ? sf_layer_name(v->origin.layer) : "built in", help_of(key, setting));
    sf_strbuf_release(&value);
}

typedef void row_fn(struct sf_tui *ui, const char *key, const struct sf_setting *setting);

struct walk {
    struct sf_tui *desk;
    const struct sf_setting *setting;
    row_fn *fn;
};

static bool walk_named(void *ctx, const struct sf_config_value *v)
{
    const struct walk *w = ctx;

    if (v->setting == w->setting)
        w->fn(w->desk, v->key, v->setting);
    return true;
}

/* Every row: what the schema names, the actions of [keys], and names the user chose himself. */
static void each_row(struct sf_tui *ui, row_fn *fn)
{
    for (size_t i = 0; i < sf_setting_count; i++) {
        const struct sf_setting *s = &sf_settings[i];
        struct walk w = { ui, s, fn };

        if (!strchr(s->key, '*'))
            fn(ui, s->key, s);
        else if (strncmp(s->key, "keys.", 5) != 0)
            sf_config_each(sf_port_settings(ui->port), walk_named, &w);
        for (size_t k = 0; !strncmp(s->key, "keys.", 5) && k < sf_action_row_count; k++) {
            struct sf_strbuf key = SF_STRBUF_INIT;

            sf_strbuf_addf(&key, "keys.%s", sf_action_rows[k].name);
            fn(ui, key.buf, s);
            sf_strbuf_release(&key);
        }
    }
}

static void add_row(struct sf_tui *ui, const char *key, const struct sf_setting *setting)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    row_text(ui, key, setting, &text);
    sf_overlay_row(ui, key, "%s", text.buf);
    sf_strbuf_release(&text);
}

static void renew_row(struct sf_tui *ui, const char *key, const struct sf_setting *setting)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    row_text(ui, key, setting, &text);
    sf_overlay_retext(ui, key, "%s", text.buf);
    sf_strbuf_release(&text);
}

/* ---- one setting ---- */

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

static void show_setting(struct sf_tui *ui, const char *key)
{
    const struct sf_config_value *v = sf_config_find(sf_port_settings(ui->port), key);
    const struct sf_setting *s = setting_of(key);
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (!s)
        return;
    sf_strbuf_addf(&text, "**%s**: %s  \nCan be: ", key, help_of(key, s));
    add_values(s, &text);
    sf_strbuf_adds(&text, "  \nFrom: ");
    if (v)
        sf_origin_add(&text, &v->origin);
    else
        sf_strbuf_adds(&text, "built in");
    sf_strbuf_addf(&text, "  \nProject files: %s  \nTakes effect: %s",
                   sf_setting_trust_name(s->trust),
                   find_live(key) ? "at once" : "with the next start of sf");
    sf_overlay_preview(ui, text.buf, text.len);
    sf_strbuf_release(&text);
}

static void edit_setting(struct sf_tui *ui, const char *key)
{
    const struct sf_config_value *v = sf_config_find(sf_port_settings(ui->port), key);
    const struct sf_setting *s = setting_of(key);
    struct sf_strbuf text = SF_STRBUF_INIT, values = SF_STRBUF_INIT;

    if (!s)
        return;
    add_typed(v, &text);
    if (!v)
        sf_strbuf_adds(&text, default_chords(key));
    add_values(s, &values);
    sf_overlay_edit(ui, key, key, text.buf, s->type == SF_SETTING_BOOL ? booleans : s->values);
    sf_overlay_edit_note(ui, false, "%s; an empty line takes it out of your settings", values.buf);
    sf_strbuf_release(&text);
    sf_strbuf_release(&values);
}

static void setting_edited(struct sf_tui *ui, const char *key, const char *text)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!change(ui, key, text, &err)) {
        sf_overlay_edit_note(ui, true, "%s%s%s", err.msg, *err.hint ? "; " : "", err.hint);
        return;
    }
    sf_overlay_edit_close(ui);
    each_row(ui, renew_row);
    show_setting(ui, key);
    say_written(ui, key, !*text);
}

static void list_settings(struct sf_tui *ui)
{
    static const struct sf_overlay_kind kind = { .title = "Settings",
                                                 .keys = "Enter change   ↑ ↓ choose",
                                                 .filter = true,
                                                 .chosen = edit_setting,
                                                 .moved = show_setting,
                                                 .stays = true,
                                                 .edited = setting_edited };

    sf_overlay_list(ui, &kind);
    each_row(ui, add_row);
}

/* /config, /config KEY, /config KEY VALUE */
void sf_do_config(struct sf_tui *ui, const char *args)
{
    size_t len = strcspn(args, " ");
    char *key = sf_strndup(args, len);
    const char *value = args + len + strspn(args + len, " ");
    struct sf_strlist path = SF_STRLIST_INIT;
    struct sf_error err = SF_ERROR_INIT;

    if (*key && !sf_config_lookup(key, &path, &err)) {
        sf_tui_fail(ui, &err);
    } else if (*value) {
        if (change(ui, key, value, &err))
            say_written(ui, key, false);
        else
            sf_tui_fail(ui, &err);
    } else {
        list_settings(ui);
        sf_overlay_choose(ui, *key ? key : sf_settings[0].key);
        if (*key)
            edit_setting(ui, key);
    }
    sf_strlist_release(&path);
    free(key);
}
