/*
 * provider.c: checks of who answers: which provider is meant, whether it can be opened, and where
 * its key is from. Keys are listed by the names of their variables only.
 */
#include <stdlib.h>
#include <string.h>

#include "health/internal.h"
#include "io/io.h"
#include "model/model.h"

static bool is_key_command(void *ctx, const struct sf_config_value *value)
{
    size_t n = strlen(value->key), m = strlen(".api_key_cmd");

    if (n > m && !strcmp(value->key + n - m, ".api_key_cmd"))
        *(bool *)ctx = true;
    return true;
}

bool sf_health_key_commands(struct sf_config *config)
{
    bool commands = false;

    sf_config_each(config, is_key_command, &commands);
    return commands;
}

static bool has_parts(struct sf_health *h)
{
    const struct sf_health_context *at = h->at;

    if (!at->config || !at->catalog)
        sf_health_error(h, SF_HEALTH_PROBLEM, at->config ? &at->no_catalog : &at->no_config);
    return at->config && at->catalog;
}

void sf_health_look_model(struct sf_health *h)
{
    struct sf_config *config = h->at->config;
    const struct sf_provider_sources sources = { h->at->catalog, h->at->setting, config };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_provider provider;
    const char *name;

    if (!has_parts(h))
        return;
    name = sf_config_text(config, "models.provider");
    if (sf_health_key_commands(config)) {
        sf_health_say(h, SF_HEALTH_OK, "", "provider %s; a key comes from a command, not run here",
                      name);
        return;
    }
    if (!sf_provider_open(&provider, name, &sources, &err)) {
        sf_health_error(h, SF_HEALTH_PROBLEM, &err);
        return;
    }
    if (provider.kind == SF_PROVIDER_OFFLINE)
        sf_health_say(h, SF_HEALTH_OK, "", "provider %s: the offline operator answers", name);
    else
        sf_health_say(h, SF_HEALTH_OK, "", "provider %s, %s", provider.name,
                      provider.key ? "with a key" : "without a key");
    sf_provider_release(&provider);
}

static void list_keys(struct sf_health *h, const struct sf_catalog *catalog)
{
    struct sf_strbuf names = SF_STRBUF_INIT;

    for (size_t i = 0; i < sf_catalog_provider_count(catalog); i++) {
        const struct sf_provider_row *row = sf_catalog_provider_at(catalog, i);

        if (*row->key_env && sf_env_get(row->key_env))
            sf_strbuf_addf(&names, "%s%s", names.len ? ", " : "", row->key_env);
    }
    if (names.len)
        sf_health_say(h, SF_HEALTH_OK, "", "keys in the environment: %s", names.buf);
    else
        sf_health_say(h, SF_HEALTH_OK, "", "no key of a known service is in the environment");
    sf_strbuf_release(&names);
}

/* Only where it would be is looked at: no key is read, and no command run. */
void sf_health_look_key(struct sf_health *h)
{
    const struct sf_provider_sources sources = { h->at->catalog, h->at->setting, h->at->config };
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_provider_facts facts = { 0 };
    const char *name;

    if (!has_parts(h))
        return;
    list_keys(h, h->at->catalog);
    name = sf_provider_meant(sf_config_text(h->at->config, "models.provider"), &sources);
    if (!sf_provider_look(&facts, name, &sources, &ignored))
        return; /* the offline operator, a replay, or what cannot be opened, which is said above */
    if (facts.place == SF_KEY_PLACE_MISSING && !facts.local)
        sf_health_say(h, SF_HEALTH_WARNING, "sf connect", "there is no key for %s in %s", name,
                      facts.source ? facts.source : "the settings");
    else
        sf_health_say(h, SF_HEALTH_OK, "", "key of %s: %s", name, sf_key_places[facts.place]);
    sf_provider_facts_release(&facts);
}
