/*
 * settings.c: settings of the terminal surface: colours, keys, mouse, motion. A change takes effect
 * at once. The names in [keys] are those of the actions.
 */
#include <string.h>

#include "tui/internal.h"

/* ---- taking effect ---- */

/*
 * All actions that [keys] names lose their keys before any of them gets new ones, so that two
 * actions can swap their keys; an action whose new keys are refused keeps its default ones.
 */
static struct sf_keymap *make_keys(const struct sf_tui *ui, struct sf_error *err)
{
    struct sf_keymap *map = sf_keymap_new();
    struct sf_error ignored = SF_ERROR_INIT;

    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < sf_action_row_count; i++) {
            const char *name = sf_action_rows[i].name;
            struct sf_strbuf key = SF_STRBUF_INIT;
            const char *chords;

            sf_strbuf_addf(&key, "keys.%s", name);
            chords = sf_port_setting(ui->port, key.buf);
            sf_strbuf_release(&key);
            if (!chords)
                continue;
            if (!sf_keymap_bind(map, name, pass ? chords : "", err) &&
                !sf_keymap_bind(map, name, NULL, &ignored))
                continue;
        }
    return map;
}

void sf_settings_keys(struct sf_tui *ui)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_keymap *map = make_keys(ui, &err);

    sf_keymap_free(ui->keyboard.map);
    ui->keyboard.map = map;
    if (err.code) {
        sf_error_prefix(&err, "[keys] ");
        sf_tui_fail(ui, &err);
    }
}

static void apply_theme(struct sf_tui *ui)
{
    struct sf_error err = SF_ERROR_INIT;

    if (sf_tui_theme(sf_port_setting(ui->port, "ui.theme"), &ui->theme, &err))
        sf_terminal_set_theme(ui->terminal, &ui->theme);
    else
        sf_tui_fail(ui, &err);
}

static void apply_mouse(struct sf_tui *ui)
{
    ui->setup.mouse = sf_port_setting_is_on(ui->port, "ui.mouse");
    sf_terminal_set_mouse(ui->terminal, ui->setup.mouse);
}

static void apply_vim(struct sf_tui *ui)
{
    sf_composer_set_vim(ui->draft.composer, sf_port_setting_is_on(ui->port, "ui.vim"));
}

static void apply_motion(struct sf_tui *ui)
{
    ui->painter.low_motion = sf_port_setting_is_on(ui->port, "ui.low_motion");
}

void sf_settings_sidebar(struct sf_tui *ui)
{
    const char *name = sf_port_setting(ui->port, "ui.sidebar");

    for (int i = 0; sf_sidebar_names[i]; i++)
        if (!strcmp(sf_sidebar_names[i], name))
            ui->sidebar = (enum sf_sidebar)i;
    sf_sidebar_want(ui);
}

/* ---- checks beyond the type of a value ---- */

static bool check_theme(struct sf_tui *ui, const char *key, const char *text, struct sf_error *err)
{
    struct sf_theme theme = ui->theme;

    (void)key;
    return sf_tui_theme(text, &theme, err);
}

static bool check_keys(struct sf_tui *ui, const char *key, const char *text, struct sf_error *err)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_keymap *map = make_keys(ui, &ignored);
    const char *dot = strchr(key, '.');
    bool ok = sf_keymap_bind(map, dot + 1, text, err);

    sf_keymap_free(map);
    return ok;
}

static const struct live {
    const char *key; /* A key, or the beginning of one up to its dot. */
    bool (*check)(struct sf_tui *ui, const char *key, const char *text, struct sf_error *err);
    void (*apply)(struct sf_tui *ui);
} lives[] = {
    { "ui.theme", check_theme, apply_theme },
    { "ui.mouse", NULL, apply_mouse },
    { "ui.vim", NULL, apply_vim },
    { "ui.low_motion", NULL, apply_motion },
    { "ui.sidebar", NULL, sf_settings_sidebar },
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

static bool is_live(void *ctx, const char *key)
{
    (void)ctx;
    return find_live(key) != NULL;
}

static bool check(void *ctx, const char *key, const char *value, struct sf_error *err)
{
    const struct live *live = find_live(key);

    return !live || !live->check || live->check(ctx, key, value, err);
}

static void apply(void *ctx, const char *key)
{
    const struct live *live = find_live(key);

    if (live)
        live->apply(ctx);
}

static bool named(void *ctx, const char *row, size_t index, struct sf_named_setting *out)
{
    (void)ctx;
    if (strcmp(row, "keys.*") != 0 || index >= sf_action_row_count)
        return false;
    *out = (struct sf_named_setting){ sf_action_rows[index].name, sf_action_rows[index].chords,
                                      sf_action_rows[index].help };
    return true;
}

const struct sf_surface_settings sf_tui_settings = { is_live, check, apply, named };
