/*
 * commands_model.c: /model chooses the model. A session keeps its provider, whose models can be
 * chosen here; for other providers that have a key, the list says how to start with them.
 */
#include <string.h>

#include "port/internal.h"

#define BY_MODE   "by-mode"     /* each mode uses its own model */
#define ELSEWHERE "--provider " /* prefix of rows that cannot be chosen in this session */

/* ---- rows ---- */

static void add_tokens(struct sf_response *r, int64_t n)
{
    if (n >= 1000000)
        sf_response_cell(r, "%.3gM", (double)n / 1e6);
    else if (n > 0)
        sf_response_cell(r, "%dk", (int)(n / 1000));
    else
        sf_response_cell(r, "–");
}

static void add_price(struct sf_response *r, int64_t micro)
{
    if (micro < 0)
        sf_response_cell(r, "–");
    else
        sf_response_cell(r, "$%.2f", (double)micro / 1e6);
}

/* The modes for which the provider's settings use this model. */
static void add_tiers(struct sf_response *r, const struct sf_provider *provider, const char *model)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    for (int i = 0; i < 3; i++)
        if (provider->tiers[i] && !strcmp(provider->tiers[i], model))
            sf_strbuf_addf(&text, "%s%s", text.len ? ", " : "", sf_tier_names[i]);
    sf_response_cell(r, "%s", text.buf);
    sf_strbuf_release(&text);
}

static void add_model(struct sf_port *p, struct sf_response *r, const struct sf_model_row *model)
{
    sf_response_row(r, model->name)->current = !strcmp(sf_port_model(p), model->name);
    sf_response_cell(r, "%s", model->name);
    add_tokens(r, model->window);
    add_price(r, model->price_input);
    add_price(r, model->price_output);
    add_tiers(r, p->setup.session.provider, model->name);
}

/* Adds a row that is not a model: a name and an explanation. */
static void add_other(struct sf_response *r, const char *value, const char *name, const char *about)
{
    sf_response_row(r, value);
    sf_response_cell(r, "%s", name);
    for (int i = 0; i < 3; i++)
        sf_response_cell(r, "%s", "");
    sf_response_cell(r, "%s", about);
}

/* ---- the list ---- */

static bool is_listed(const struct sf_response *r, const char *name)
{
    for (size_t i = 0; i < r->count; i++)
        if (!strcmp(r->rows[i].value, name))
            return true;
    return false;
}

/* Adds the models of the settings, the current model, and all models of the catalog. */
static void add_models(struct sf_port *p, struct sf_response *r)
{
    const struct sf_provider *provider = p->setup.session.provider;
    struct sf_catalog *catalog = p->setup.session.catalog;

    for (int i = 0; i < 3; i++)
        if (provider->tiers[i] && !is_listed(r, provider->tiers[i]))
            add_model(p, r, sf_catalog_model(catalog, provider->name, provider->tiers[i]));
    if (!is_listed(r, sf_port_model(p)))
        add_model(p, r, sf_catalog_model(catalog, provider->name, sf_port_model(p)));
    for (size_t i = 0; i < sf_catalog_model_count(catalog); i++) {
        const struct sf_model_row *model = sf_catalog_model_at(catalog, i);

        if (!strcmp(model->provider, provider->name) && !is_listed(r, model->name))
            add_model(p, r, model);
    }
}

/* Whether a key is configured; the key itself is not read. */
static bool has_key(const struct sf_port *p, const struct sf_provider_row *row)
{
    static const char *const sources[] = { "api_key_env", "api_key_file", "api_key_cmd" };
    const char *variable = *row->key_env ? getenv(row->key_env) : NULL;

    for (size_t i = 0; i < SF_COUNT(sources); i++) {
        struct sf_strbuf key = SF_STRBUF_INIT;
        const struct sf_config_value *v;

        sf_strbuf_addf(&key, "models.%s.%s", row->name, sources[i]);
        v = sf_config_find(sf_port_settings(p), key.buf);
        sf_strbuf_release(&key);
        if (v && v->text && (i || getenv(v->text)))
            return true;
    }
    return variable && *variable;
}

static void add_elsewhere(struct sf_response *r, const struct sf_provider_row *row)
{
    struct sf_strbuf value = SF_STRBUF_INIT, about = SF_STRBUF_INIT;

    sf_strbuf_addf(&value, ELSEWHERE "%s", row->name);
    sf_strbuf_addf(&about, "sf --provider %s", row->name);
    add_other(r, value.buf, row->title, about.buf);
    sf_strbuf_release(&value);
    sf_strbuf_release(&about);
}

static void add_others(struct sf_port *p, struct sf_response *r)
{
    const struct sf_catalog *catalog = p->setup.session.catalog;
    bool any = false;

    for (size_t i = 0; i < sf_catalog_provider_count(catalog); i++) {
        const struct sf_provider_row *row = sf_catalog_provider_at(catalog, i);

        if (!strcmp(row->name, sf_port_provider(p)) || !has_key(p, row))
            continue;
        if (!any)
            sf_response_heading(r, "With a key, but not in this session");
        any = true;
        add_elsewhere(r, row);
    }
}

static void list(struct sf_port *p)
{
    static const char *const columns[] = { "model", "window", "in", "out", "for", NULL };
    struct sf_response r;

    sf_response_init(&r, SF_RESPONSE_CHOICE, "Model");
    r.columns = columns;
    r.align = "lrrrl";
    add_other(&r, BY_MODE, "by mode", "fast, smart and deep have a model each");
    add_other(&r, "auto", "auto", "routed by what is asked, and said so");
    add_models(p, &r);
    add_others(p, &r);
    sf_port_respond(p, &r);
}

void sf_command_model(struct sf_port *p, const char *args)
{
    if (!*args) {
        list(p);
    } else if (!strncmp(args, ELSEWHERE, strlen(ELSEWHERE))) {
        sf_port_note(p, false, "a session stays with its provider: sf --provider %s begins there",
                     args + strlen(ELSEWHERE));
    } else if (!strcmp(args, BY_MODE)) {
        sf_session_set_model(p->session, "");
        sf_port_note(p, false, "each mode has its model, from the next turn on");
    } else {
        sf_session_set_model(p->session, args);
        sf_port_note(p, false, "%s answers from the next turn on", args);
    }
}
