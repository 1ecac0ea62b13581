/*
 * connect_models.c: connecting a model, second half: the service has answered, now its models for
 * fast, smart and deep are looked over, and all of it is written at once.
 */
#include <string.h>

#include "tui/connect_parts.h"

/* ---- writing it ---- */

static void say_connected(struct sf_tui *ui, bool now)
{
    const struct sf_session_setup *setup = sf_port_raw_next(ui->port);

    if (strcmp(setup->provider->name, ui->connect->name) != 0)
        sf_tui_say(ui, true, "%s is kept, but something stronger says %s: sf config --origin",
                   sf_connect_name(ui), setup->provider->name);
    else if (now)
        sf_tui_say(ui, false, "%s is connected: %s answers", sf_connect_name(ui),
                   sf_port_model(ui->port));
    else
        sf_tui_say(ui, false, "%s is connected and answers from the next session on: /new",
                   sf_connect_name(ui));
}

static void keep(struct sf_tui *ui)
{
    struct sf_connect *c = ui->connect;
    const struct sf_connect_choice choice = { .settings_file = sf_port_settings_file(ui->port),
                                              .catalog = sf_port_raw_setup(ui->port)->catalog,
                                              .name = c->name,
                                              .key = c->typed ? c->key : NULL,
                                              .cmd = c->cmd,
                                              .file = c->file,
                                              .env = c->env,
                                              .tiers = { c->tiers[0], c->tiers[1], c->tiers[2] } };
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_connect_keep(&choice, &err)) {
        sf_error_prefix(&err, "%s is not connected: ", sf_connect_name(ui));
        sf_tui_fail(ui, &err);
    } else {
        say_connected(ui, sf_port_renew(ui->port, c->name, c->key));
    }
    sf_connect_free(ui);
}

/* ---- one model ---- */

static void model_chosen(struct sf_tui *ui, const char *value)
{
    struct sf_connect *c = ui->connect;

    free(c->tiers[c->tier]);
    c->tiers[c->tier] = sf_strdup(value);
    sf_connect_show_models(ui);
}

static void add_models(struct sf_tui *ui)
{
    const struct sf_connect *c = ui->connect;
    const struct sf_catalog *catalog = sf_port_raw_setup(ui->port)->catalog;

    for (size_t i = 0; i < c->models.count; i++)
        sf_overlay_row(ui, c->models.items[i], "%s", c->models.items[i]);
    for (size_t i = 0; !c->models.count && i < sf_catalog_model_count(catalog); i++) {
        const struct sf_model_row *row = sf_catalog_model_at(catalog, i);

        if (!strcmp(row->provider, c->name))
            sf_overlay_row(ui, row->name, "%s\t%s", row->name, row->tier);
    }
}

static void pick_model(struct sf_tui *ui, int tier)
{
    static const struct sf_overlay_kind kind = { .title = "",
                                                 .keys = "Enter choose",
                                                 .filter = true,
                                                 .chosen = model_chosen,
                                                 .closed = sf_connect_show_models };
    struct sf_strbuf title = SF_STRBUF_INIT;

    ui->connect->tier = tier;
    sf_strbuf_addf(&title, "%s for %s", sf_connect_name(ui), sf_tier_names[tier]);
    sf_overlay_list(ui, &kind);
    sf_overlay_title(ui, title.buf);
    add_models(ui);
    if (ui->connect->tiers[tier])
        sf_overlay_choose(ui, ui->connect->tiers[tier]);
    sf_strbuf_release(&title);
}

/* ---- all three ---- */

static void row_chosen(struct sf_tui *ui, const char *value)
{
    if (!strcmp(value, "keep"))
        keep(ui);
    else
        pick_model(ui, atoi(value));
}

static void left(struct sf_tui *ui)
{
    sf_connect_leave(ui);
    sf_tui_say(ui, false, "nothing was changed");
}

/* What Enter writes, and where. */
static void show_plan(struct sf_tui *ui)
{
    const struct sf_connect *c = ui->connect;
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;
    char *path = c->typed ? sf_connect_key_path(c->name, &ignored) : NULL;

    sf_strbuf_addf(&text, "%s answers. ", sf_connect_name(ui));
    if (path)
        sf_strbuf_addf(&text, "The key goes into %s, which only you can read. ", path);
    else if (c->cmd)
        sf_strbuf_adds(&text, "The command goes into your settings, the key nowhere. ");
    else if (c->env)
        sf_strbuf_adds(&text, "The variable's name goes into your settings, the key nowhere. ");
    sf_strbuf_adds(&text, "Provider and models go into your settings.");
    sf_overlay_preview(ui, text.buf, text.len);
    sf_strbuf_release(&text);
    free(path);
}

void sf_connect_show_models(struct sf_tui *ui)
{
    static const struct sf_overlay_kind kind = {
        .title = "", .keys = "Enter choose", .chosen = row_chosen, .closed = left
    };
    const struct sf_connect *c = ui->connect;
    struct sf_strbuf title = SF_STRBUF_INIT;
    char value[16];

    sf_strbuf_addf(&title, "Models of %s", sf_connect_name(ui));
    sf_overlay_list(ui, &kind);
    sf_overlay_title(ui, title.buf);
    sf_overlay_row(ui, "keep", "connect\twith these models");
    for (int i = 0; i < 3; i++) {
        snprintf(value, sizeof(value), "%d", i);
        sf_overlay_row(ui, value, "%s\t%s", sf_tier_names[i], c->tiers[i] ? c->tiers[i] : "none");
    }
    show_plan(ui);
    sf_strbuf_release(&title);
}
