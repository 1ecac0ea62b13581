/*
 * connect_models.c: connecting a model, second half: the service has answered, now its models for
 * fast, smart and deep are looked over, and all of it is written at once.
 */
#include <string.h>

#include "desk/connect_parts.h"

/* ---- writing it ---- */

static void say_connected(struct sf_desk *d, bool now)
{
    const struct sf_talk_setup *setup = d->has_next ? &d->next : &d->setup.talk;

    if (strcmp(setup->provider->name, d->connect->name) != 0)
        sf_desk_say(d, true, "%s is kept, but something stronger says %s: sf config --origin",
                    sf_connect_name(d), setup->provider->name);
    else if (now)
        sf_desk_say(d, false, "%s is connected: %s answers", sf_connect_name(d),
                    sf_talk_model(d->talk));
    else
        sf_desk_say(d, false, "%s is connected and answers from the next session on: /new",
                    sf_connect_name(d));
}

static void keep(struct sf_desk *d)
{
    struct sf_connect *c = d->connect;
    const struct sf_connect_choice choice = { .settings_file = d->setup.settings_file,
                                              .catalog = d->setup.talk.catalog,
                                              .name = c->name,
                                              .key = c->typed ? c->key : NULL,
                                              .cmd = c->cmd,
                                              .file = c->file,
                                              .env = c->env,
                                              .tiers = { c->tiers[0], c->tiers[1], c->tiers[2] } };
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_connect_keep(&choice, &err)) {
        sf_error_prefix(&err, "%s is not connected: ", sf_connect_name(d));
        sf_desk_fail(d, &err);
    } else {
        say_connected(d, sf_desk_renew(d, c->name, c->key));
    }
    sf_connect_free(d);
}

/* ---- one model ---- */

static void model_chosen(struct sf_desk *d, const char *value)
{
    struct sf_connect *c = d->connect;

    free(c->tiers[c->tier]);
    c->tiers[c->tier] = sf_strdup(value);
    sf_connect_show_models(d);
}

static void add_models(struct sf_desk *d)
{
    const struct sf_connect *c = d->connect;
    const struct sf_catalog *catalog = d->setup.talk.catalog;

    for (size_t i = 0; i < c->models.count; i++)
        sf_overlay_row(d, c->models.items[i], "%s", c->models.items[i]);
    for (size_t i = 0; !c->models.count && i < sf_catalog_model_count(catalog); i++) {
        const struct sf_model_row *row = sf_catalog_model_at(catalog, i);

        if (!strcmp(row->provider, c->name))
            sf_overlay_row(d, row->name, "%s\t%s", row->name, row->tier);
    }
}

static void pick_model(struct sf_desk *d, int tier)
{
    static const struct sf_overlay_kind kind = { .title = "",
                                                 .keys = "Enter choose",
                                                 .filter = true,
                                                 .chosen = model_chosen,
                                                 .closed = sf_connect_show_models };
    struct sf_strbuf title = SF_STRBUF_INIT;

    d->connect->tier = tier;
    sf_strbuf_addf(&title, "%s for %s", sf_connect_name(d), sf_tier_names[tier]);
    sf_overlay_list(d, &kind);
    sf_overlay_title(d, title.buf);
    add_models(d);
    if (d->connect->tiers[tier])
        sf_overlay_choose(d, d->connect->tiers[tier]);
    sf_strbuf_release(&title);
}

/* ---- all three ---- */

static void row_chosen(struct sf_desk *d, const char *value)
{
    if (!strcmp(value, "keep"))
        keep(d);
    else
        pick_model(d, atoi(value));
}

static void left(struct sf_desk *d)
{
    sf_connect_leave(d);
    sf_desk_say(d, false, "nothing was changed");
}

/* What Enter writes, and where. */
static void show_plan(struct sf_desk *d)
{
    const struct sf_connect *c = d->connect;
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;
    char *path = c->typed ? sf_connect_key_path(c->name, &ignored) : NULL;

    sf_strbuf_addf(&text, "%s answers. ", sf_connect_name(d));
    if (path)
        sf_strbuf_addf(&text, "The key goes into %s, which only you can read. ", path);
    else if (c->cmd)
        sf_strbuf_adds(&text, "The command goes into your settings, the key nowhere. ");
    else if (c->env)
        sf_strbuf_adds(&text, "The variable's name goes into your settings, the key nowhere. ");
    sf_strbuf_adds(&text, "Provider and models go into your settings.");
    sf_overlay_preview(d, text.buf, text.len);
    sf_strbuf_release(&text);
    free(path);
}

void sf_connect_show_models(struct sf_desk *d)
{
    static const struct sf_overlay_kind kind = {
        .title = "", .keys = "Enter choose", .chosen = row_chosen, .closed = left
    };
    const struct sf_connect *c = d->connect;
    struct sf_strbuf title = SF_STRBUF_INIT;
    char value[16];

    sf_strbuf_addf(&title, "Models of %s", sf_connect_name(d));
    sf_overlay_list(d, &kind);
    sf_overlay_title(d, title.buf);
    sf_overlay_row(d, "keep", "connect\twith these models");
    for (int i = 0; i < 3; i++) {
        snprintf(value, sizeof(value), "%d", i);
        sf_overlay_row(d, value, "%s\t%s", sf_tier_names[i], c->tiers[i] ? c->tiers[i] : "none");
    }
    show_plan(d);
    sf_strbuf_release(&title);
}
