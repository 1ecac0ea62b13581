/*
 * models.c: which model answers. A session stays with its provider, whose models are chosen here;
 * of the others that have a key the list says how to go on with them.
 */
#include <string.h>

#include "tui/commands.h"
#include "tui/internal.h"

#define ELSEWHERE "provider:" /* in front of what cannot be chosen here */

/* ---- what a row says ---- */

static void add_tokens(struct sf_strbuf *out, int64_t n)
{
    if (n >= 1000000)
        sf_strbuf_addf(out, "%.3gM", (double)n / 1e6);
    else if (n > 0)
        sf_strbuf_addf(out, "%dk", (int)(n / 1000));
    else
        sf_strbuf_adds(out, "–");
}

static void add_price(struct sf_strbuf *out, int64_t micro)
{
    if (micro < 0)
        sf_strbuf_adds(out, "–");
    else
        sf_strbuf_addf(out, "$%.2f", (double)micro / 1e6);
}

static const char *mark_of(const struct sf_tui *ui, const char *name)
{
    return !strcmp(sf_port_model(ui->port), name) ? "●" : " ";
}

/* The modes a model answers in, as the provider is set up here. */
static void add_tiers(const struct sf_provider *p, const struct sf_model_row *row,
                      struct sf_strbuf *out)
{
    bool any = false;

    for (int i = 0; i < 3; i++)
        if (p->tiers[i] && !strcmp(p->tiers[i], row->name)) {
            sf_strbuf_addf(out, "%s%s", any ? ", " : "", sf_tier_names[i]);
            any = true;
        }
}

static void add_model(struct sf_tui *ui, const struct sf_model_row *row)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_addf(&text, "%s %s\t", mark_of(ui, row->name), row->name);
    add_tokens(&text, row->window);
    sf_strbuf_addch(&text, '\t');
    add_price(&text, row->price_input);
    sf_strbuf_addch(&text, '\t');
    add_price(&text, row->price_output);
    sf_strbuf_addch(&text, '\t');
    add_tiers(sf_port_raw_setup(ui->port)->provider, row, &text);
    sf_overlay_row(ui, row->name, "%s", text.buf);
    sf_strbuf_release(&text);
}

/* ---- the list ---- */

static bool is_listed(const struct sf_tui *ui, const char *name)
{
    const struct sf_overlay *o = ui->overlay;

    for (size_t i = 0; i < o->count; i++)
        if (!o->rows[i].mute && !strcmp(o->rows[i].value, name))
            return true;
    return false;
}

/* What the settings name for the modes, what answers now, and all the catalog knows. */
static void add_models(struct sf_tui *ui)
{
    const struct sf_provider *p = sf_port_raw_setup(ui->port)->provider;
    struct sf_catalog *catalog = sf_port_raw_setup(ui->port)->catalog;

    for (int i = 0; i < 3; i++)
        if (p->tiers[i] && !is_listed(ui, p->tiers[i]))
            add_model(ui, sf_catalog_model(catalog, p->name, p->tiers[i]));
    if (!is_listed(ui, sf_port_model(ui->port)))
        add_model(ui, sf_catalog_model(catalog, p->name, sf_port_model(ui->port)));
    for (size_t i = 0; i < sf_catalog_model_count(catalog); i++) {
        const struct sf_model_row *row = sf_catalog_model_at(catalog, i);

        if (!strcmp(row->provider, p->name) && !is_listed(ui, row->name))
            add_model(ui, row);
    }
}

/* Whether a key is named somewhere; it is not read for this. */
static bool has_key(const struct sf_tui *ui, const struct sf_provider_row *row)
{
    static const char *const sources[] = { "api_key_env", "api_key_file", "api_key_cmd" };
    const char *variable = *row->key_env ? getenv(row->key_env) : NULL;

    for (size_t i = 0; i < SF_COUNT(sources); i++) {
        struct sf_strbuf key = SF_STRBUF_INIT;
        const struct sf_config_value *v;

        sf_strbuf_addf(&key, "models.%s.%s", row->name, sources[i]);
        v = sf_config_find(sf_port_settings(ui->port), key.buf);
        sf_strbuf_release(&key);
        if (v && v->text && (i || getenv(v->text)))
            return true;
    }
    return variable && *variable;
}

static void add_others(struct sf_tui *ui)
{
    const struct sf_catalog *catalog = sf_port_raw_setup(ui->port)->catalog;
    bool any = false;

    for (size_t i = 0; i < sf_catalog_provider_count(catalog); i++) {
        const struct sf_provider_row *row = sf_catalog_provider_at(catalog, i);
        struct sf_strbuf value = SF_STRBUF_INIT;

        if (strcmp(row->name, sf_port_raw_setup(ui->port)->provider->name) != 0 &&
            has_key(ui, row)) {
            if (!any)
                sf_overlay_heading(ui, "With a key, but not in this session");
            any = true;
            sf_strbuf_addf(&value, ELSEWHERE "%s", row->name);
            sf_overlay_row(ui, value.buf, "  %s\t\t\t\tsf --provider %s", row->title, row->name);
        }
        sf_strbuf_release(&value);
    }
}

static void model_chosen(struct sf_tui *ui, const char *value)
{
    if (!strncmp(value, ELSEWHERE, strlen(ELSEWHERE))) {
        sf_tui_say(ui, false, "a session stays with its provider: sf --provider %s begins there",
                   value + strlen(ELSEWHERE));
        return;
    }
    sf_session_set_model(sf_port_raw(ui->port), value);
    if (*value)
        sf_tui_say(ui, false, "%s answers from the next turn on", value);
    else
        sf_tui_say(ui, false, "each mode has its model, from the next turn on");
}

void sf_do_model(struct sf_tui *ui, const char *args)
{
    static const struct sf_overlay_kind kind = {
        .title = "Model",
        .keys = "Enter choose   US dollars a million tokens",
        .filter = true,
        .columns = "  model\twindow\tin\tout\tfor",
        .align = "lrrrl",
        .chosen = model_chosen,
    };

    if (*args) {
        model_chosen(ui, args);
        return;
    }
    sf_overlay_list(ui, &kind);
    sf_overlay_row(ui, "", "  by mode\t\t\t\tfast, smart and deep have a model each");
    sf_overlay_row(ui, "auto", "  auto\t\t\t\trouted by what is asked, and said so");
    add_models(ui);
    add_others(ui);
    sf_overlay_choose(ui, sf_port_model(ui->port));
}
