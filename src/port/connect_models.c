/*
 * connect_models.c: connects a model, second half: the service has answered; now the user reviews
 * its models for fast, smart and deep, and everything is written at once.
 */
#include <string.h>

#include "port/connect_steps.h"

/* ---- writing it ---- */

static void say_connected(struct sf_port *p, bool now)
{
    const struct sf_session_setup *setup = p->has_next ? &p->next : &p->setup.session;

    if (strcmp(setup->provider->name, p->connect->name) != 0)
        sf_port_note(p, true, "%s is kept, but something stronger says %s: sf config --origin",
                     sf_connect_name(p), setup->provider->name);
    else if (now)
        sf_port_note(p, false, "%s is connected: %s answers", sf_connect_name(p), sf_port_model(p));
    else
        sf_port_note(p, false, "%s is connected and answers from the next session on: /new",
                     sf_connect_name(p));
}

static void keep(struct sf_port *p)
{
    const struct sf_connect *c = p->connect;
    const struct sf_connect_choice choice = { .settings_file = p->setup.settings_file,
                                              .catalog = p->setup.session.catalog,
                                              .name = c->name,
                                              .base_url = c->server.base_url,
                                              .format = c->server.open ? sf_connect_server_format(c)
                                                                       : NULL,
                                              .key = c->typed ? c->key : NULL,
                                              .cmd = c->cmd,
                                              .env = c->env,
                                              .tiers = { c->tiers[0], c->tiers[1], c->tiers[2] } };
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_connect_keep(&choice, &err)) {
        sf_error_prefix(&err, "%s is not connected: ", sf_connect_name(p));
        sf_port_fail(p, &err);
    } else {
        say_connected(p, sf_port_renew(p, c->name, c->key));
    }
    sf_connect_free(p);
}

/* ---- one model ---- */

void sf_connect_choose_model(struct sf_port *p, const char *value)
{
    struct sf_connect *c = p->connect;

    free(c->tiers[c->tier]);
    c->tiers[c->tier] = sf_strdup(value);
    sf_connect_show_models(p, false);
}

static void add_models(struct sf_port *p, struct sf_response *r)
{
    const struct sf_connect *c = p->connect;
    const struct sf_catalog *catalog = p->setup.session.catalog;

    for (size_t i = 0; i < c->models.count; i++) {
        sf_response_row(r, c->models.items[i]);
        sf_response_cell(r, "%s", c->models.items[i]);
    }
    for (size_t i = 0; !c->models.count && i < sf_catalog_model_count(catalog); i++) {
        const struct sf_model_row *row = sf_catalog_model_at(catalog, i);

        if (strcmp(row->provider, c->name) != 0)
            continue;
        sf_response_row(r, row->name);
        sf_response_cell(r, "%s", row->name);
        sf_response_cell(r, "%s", row->tier);
    }
}

static void pick_model(struct sf_port *p, int tier)
{
    struct sf_connect *c = p->connect;
    struct sf_response r;

    c->step = SF_CONNECT_MODEL;
    c->tier = tier;
    sf_connect_init(&r, "model", "");
    snprintf(r.title, sizeof(r.title), "%s for %s", sf_connect_name(p), sf_tier_names[tier]);
    r.cursor = c->tiers[tier];
    add_models(p, &r);
    sf_port_respond(p, &r);
}

/* ---- all three ---- */

void sf_connect_choose_row(struct sf_port *p, const char *value)
{
    if (!strcmp(value, "keep"))
        keep(p);
    for (int i = 0; i < 3 && p->connect; i++)
        if (!strcmp(value, sf_tier_names[i]))
            pick_model(p, i);
}

/* Says what choosing "keep" writes, and where. */
static void add_plan(const struct sf_port *p, struct sf_strbuf *out)
{
    const struct sf_connect *c = p->connect;
    struct sf_error ignored = SF_ERROR_INIT;
    char *path = c->typed ? sf_connect_key_path(c->name, &ignored) : NULL;

    sf_strbuf_addf(out, "%s answers. ", sf_connect_name(p));
    if (path)
        sf_strbuf_addf(out, "The key goes into %s, which only you can read. ", path);
    else if (c->cmd)
        sf_strbuf_adds(out, "The command goes into your settings, the key nowhere. ");
    else if (c->env)
        sf_strbuf_adds(out, "The variable's name goes into your settings, the key nowhere. ");
    sf_strbuf_adds(out, "Provider and models go into your settings.");
    free(path);
}

void sf_connect_show_models(struct sf_port *p, bool late)
{
    struct sf_connect *c = p->connect;
    struct sf_response r;

    c->step = SF_CONNECT_MODELS;
    sf_connect_init(&r, "models", "");
    snprintf(r.title, sizeof(r.title), "Models of %s", sf_connect_name(p));
    r.late = late;
    sf_response_row(&r, "keep");
    sf_response_cell(&r, "connect");
    sf_response_cell(&r, "with these models");
    for (int i = 0; i < 3; i++) {
        sf_response_row(&r, sf_tier_names[i]);
        sf_response_cell(&r, "%s", sf_tier_names[i]);
        sf_response_cell(&r, "%s", c->tiers[i] ? c->tiers[i] : "none");
    }
    add_plan(p, &r.text);
    sf_port_respond(p, &r);
}
