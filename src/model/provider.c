/*
 * provider.c: from a name to a service that can be asked. Settings beat the environment, which
 * beats the catalog; a key never travels where others could read it.
 */
#include "model/provider.h"

#include <ctype.h>

#include "base/base.h"
#include "io/io.h"
#include "model/address.h"
#include "model/key.h"
#include "model/replay.h"

enum { NAME_LIMIT = 64 };

/* The provider that is asked for: `row` is NULL when only the settings describe it. */
struct wish {
    const char *name;
    const struct sf_provider_row *row;
    const struct sf_provider_sources *sources;
    const char *key; /* to be tried; or NULL */
};

static char *ask(const struct sf_provider_sources *sources, const char *key)
{
    const char *value = sources->setting ? sources->setting(sources->ctx, key) : NULL;

    return value && *value ? sf_strdup(value) : NULL;
}

/* The setting models.NAME.KEY, owned; NULL when it is not set or empty. */
static char *setting(const struct wish *wish, const char *key)
{
    char full[NAME_LIMIT + 64];

    snprintf(full, sizeof(full), "models.%s.%s", wish->name, key);
    return ask(wish->sources, full);
}

/* What may stand in the middle of a setting's key without quotes. */
static bool is_name(const char *name)
{
    size_t len = strlen(name);

    if (!len || len > NAME_LIMIT)
        return false;
    for (size_t i = 0; i < len; i++)
        if (!isalnum((unsigned char)name[i]) && name[i] != '-' && name[i] != '_')
            return false;
    return true;
}

/* The address, owned, and where it comes from, for messages; NULL: nowhere. */
static char *find_address(const struct wish *wish, char *source, size_t size)
{
    const struct sf_provider_row *row = wish->row;
    char *own = setting(wish, "base_url");
    const char *value = row && *row->url_env ? sf_env_get(row->url_env) : NULL;

    snprintf(source, size, "models.%s.base_url", wish->name);
    if (own || !row)
        return own;
    snprintf(source, size, value ? "the variable %s" : "base_url of %s in models.toml",
             value ? row->url_env : wish->name);
    return sf_strdup(value ? value : row->base_url);
}

static bool open_address(struct sf_provider *provider, const struct wish *wish,
                         struct sf_error *err)
{
    char source[256];
    char *url = find_address(wish, source, sizeof(source));
    const char *wrong = url ? sf_address_objection(url) : "is not set";

    if (wrong) {
        sf_fail(err, SF_E_ARG, "%s %s", source, wrong);
    } else {
        provider->base_url = sf_address_trim(url);
        provider->local = sf_address_is_loopback(url);
    }
    free(url);
    return !wrong;
}

static bool open_format(struct sf_provider *provider, const struct wish *wish, struct sf_error *err)
{
    char *own = setting(wish, "format");
    bool found = !own;

    provider->format = wish->row ? wish->row->format : SF_WIRE_CHAT;
    for (size_t i = 0; own && sf_wire_format_names[i] && !found; i++)
        if (!strcmp(sf_wire_format_names[i], own)) {
            provider->format = (enum sf_wire_format)i;
            found = true;
        }
    if (!found)
        sf_fail(err, SF_E_ARG, "models.%s.format must be anthropic, chat or responses", wish->name);
    free(own);
    return found;
}

/* The provider's own setting, else the one for all providers, else the catalog's. */
static void open_tiers(struct sf_provider *provider, const struct wish *wish)
{
    for (size_t i = 0; sf_tier_names[i]; i++) {
        char general[32];

        snprintf(general, sizeof(general), "models.%s", sf_tier_names[i]);
        provider->tiers[i] = setting(wish, sf_tier_names[i]);
        if (!provider->tiers[i])
            provider->tiers[i] = ask(wish->sources, general);
        if (!provider->tiers[i] && wish->row && *wish->row->tiers[i])
            provider->tiers[i] = sf_strdup(wish->row->tiers[i]);
    }
}

struct key_settings {
    char *cmd, *file, *env;
};

static struct key_settings key_settings_get(const struct wish *wish)
{
    struct key_settings s = { setting(wish, "api_key_cmd"), setting(wish, "api_key_file"),
                              setting(wish, "api_key_env") };

    if (!s.env && wish->row && *wish->row->key_env)
        s.env = sf_strdup(wish->row->key_env);
    return s;
}

static void key_settings_release(struct key_settings *s)
{
    free(s->cmd);
    free(s->file);
    free(s->env);
}

static void hint_at_key(const struct wish *wish, const struct key_settings *s, struct sf_error *err)
{
    sf_error_prefix(err, "there is no key for %s: ", wish->row ? wish->row->title : wish->name);
    sf_hint(err, "set %s, or models.%s.api_key_file or api_key_cmd in your config.toml", s->env,
            wish->name);
}

/* No key is fine on this machine, and where neither the settings nor the catalog speak of one. */
static bool open_key(struct sf_provider *provider, const struct wish *wish, struct sf_error *err)
{
    struct key_settings s = key_settings_get(wish);
    const struct sf_key_sources sources = { s.cmd, s.file, s.env };
    bool named = s.cmd || s.file || s.env, ok = true;

    if (named)
        provider->key_from = sf_strdup(s.cmd ? "api_key_cmd" : s.file ? s.file : s.env);
    if (wish->key) {
        provider->key = sf_strdup(wish->key);
    } else if (named) {
        provider->key = sf_key_find(&sources, err);
        ok = provider->key || (err->code == SF_E_NOENT && !s.cmd && !s.file && provider->local);
        if (!ok && err->code == SF_E_NOENT && !s.cmd && !s.file)
            hint_at_key(wish, &s, err);
        if (ok)
            err->code = SF_E_NONE;
    }
    if (ok && provider->key && !provider->local && sf_address_is_plain(provider->base_url)) {
        sf_fail(err, SF_E_ARG, "the key of %s would be sent unencrypted to %s", wish->name,
                provider->base_url);
        ok = sf_hint(err, "use an https:// address in models.%s.base_url", wish->name);
    }
    key_settings_release(&s);
    return ok;
}

static bool open_http(struct sf_provider *provider, const struct wish *wish, struct sf_error *err)
{
    provider->kind = SF_PROVIDER_HTTP;
    provider->name = sf_strdup(wish->name);
    if (!open_address(provider, wish, err) || !open_format(provider, wish, err) ||
        !open_key(provider, wish, err))
        return false;
    open_tiers(provider, wish);
    return true;
}

static bool open_replay(struct sf_provider *provider, const char *file, struct sf_error *err)
{
    if (!*file) {
        sf_fail(err, SF_E_ARG, "replay needs a file to play");
        return sf_hint(err, "write replay:FILE");
    }
    provider->kind = SF_PROVIDER_REPLAY;
    provider->name = sf_strdup("replay");
    provider->replay = sf_replay_new(file);
    provider->local = true;
    return sf_replay_look(provider->replay, provider, err);
}

static bool open_offline(struct sf_provider *provider)
{
    provider->kind = SF_PROVIDER_OFFLINE;
    provider->name = sf_strdup("offline");
    provider->local = true;
    return true;
}

/* Whether a key is to be expected, without fetching it: a command may ask for a password. */
static bool has_key_source(const struct wish *wish)
{
    struct key_settings s = key_settings_get(wish);
    bool has = s.cmd || s.file || (s.env && sf_env_get(s.env));

    key_settings_release(&s);
    return has;
}

const char *const sf_key_places[] = { "none", "missing", "environment", "file", "command", NULL };

static void look_for_key(struct sf_provider_facts *facts, const struct wish *wish)
{
    struct key_settings s = key_settings_get(wish);
    const char *source = s.cmd ? s.cmd : s.file ? s.file : s.env ? s.env : "";

    facts->place = s.cmd               ? SF_KEY_PLACE_CMD
                   : s.file            ? SF_KEY_PLACE_FILE
                   : !s.env            ? SF_KEY_PLACE_UNNEEDED
                   : sf_env_get(s.env) ? SF_KEY_PLACE_ENV
                                       : SF_KEY_PLACE_MISSING;
    facts->source = sf_strdup(source);
    key_settings_release(&s);
}

/* Whose model that is; NULL: no table says. A date may stand behind the name. */
static const struct sf_provider_row *owner_of(const struct sf_catalog *catalog, const char *model)
{
    for (size_t i = 0; i < sf_catalog_model_count(catalog); i++) {
        const struct sf_model_row *row = sf_catalog_model_at(catalog, i);
        size_t n = strlen(row->name);

        if (!strncmp(model, row->name, n) && (!model[n] || model[n] == '-'))
            return sf_catalog_provider(catalog, row->provider);
    }
    return NULL;
}

/* The first with a key; of `only` where that is given. */
static const struct sf_provider_row *first_with_key(const struct sf_provider_sources *sources,
                                                    const struct sf_provider_row *only)
{
    for (size_t i = 0; i < sf_catalog_provider_count(sources->catalog); i++) {
        const struct sf_provider_row *row = sf_catalog_provider_at(sources->catalog, i);
        const struct wish wish = { row->name, row, sources, NULL };

        if ((!only || row == only) && is_name(row->name) && has_key_source(&wish))
            return row;
    }
    return NULL;
}

/* The model that is asked for by name, owned; NULL: none is. */
static char *named_model(const struct sf_provider_sources *sources)
{
    char *model = ask(sources, "models.model");

    if (model && !strcmp(model, "auto")) {
        free(model);
        model = NULL;
    }
    return model;
}

/* The one whose model is asked for, else the first with a key; NULL: there is none. */
static const struct sf_provider_row *find_auto(const struct sf_provider_sources *sources,
                                               const char *model)
{
    const struct sf_provider_row *owner = model ? owner_of(sources->catalog, model) : NULL;
    const struct sf_provider_row *row = owner ? first_with_key(sources, owner) : NULL;

    return row ? row : first_with_key(sources, NULL);
}

static bool refuse_model(const char *model, const struct sf_provider_row *owner,
                         struct sf_error *err)
{
    if (!owner) {
        sf_fail(err, SF_E_ARG, "there is no provider with a key to ask for %s", model);
        return sf_hint(err, "name one with --provider, or see sf connect");
    }
    sf_fail(err, SF_E_ARG, "%s is a model of %s, and there is no key for it", model, owner->title);
    return sf_hint(err, "sf connect %s%s%s", owner->name, *owner->key_env ? ", or set " : "",
                   owner->key_env);
}

/* Who asks for a model by name wants that one, and nobody else's words in its place. */
static bool open_auto(struct sf_provider *provider, const struct sf_provider_sources *sources,
                      struct sf_error *err)
{
    char *model = named_model(sources);
    const struct sf_provider_row *row = find_auto(sources, model);
    bool ok;

    if (row)
        ok = open_http(provider, &(struct wish){ row->name, row, sources, NULL }, err);
    else
        ok = model ? refuse_model(model, owner_of(sources->catalog, model), err)
                   : open_offline(provider);
    free(model);
    return ok;
}

const char *sf_provider_meant(const char *name, const struct sf_provider_sources *sources)
{
    const struct sf_provider_row *row;
    char *model;

    if (strcmp(name, "auto") != 0)
        return name;
    model = named_model(sources);
    row = find_auto(sources, model);
    free(model);
    return row ? row->name : "offline";
}

static bool refuse_name(const char *name, const struct sf_provider_sources *sources,
                        struct sf_error *err)
{
    static const char *const special[] = { "auto", "offline", "replay:FILE" };
    struct sf_suggest near;

    sf_suggest_start(&near, name);
    for (size_t i = 0; i < sf_catalog_provider_count(sources->catalog); i++)
        sf_suggest_offer(&near, sf_catalog_provider_at(sources->catalog, i)->name);
    for (size_t i = 0; i < SF_COUNT(special); i++)
        sf_suggest_offer(&near, special[i]);
    sf_fail(err, SF_E_NOENT, "there is no provider called %s", name);
    return sf_suggest_hint(&near, "set models.NAME.base_url to make one of your own", err);
}

static bool open_named(struct sf_provider *provider, const char *name, const char *key,
                       const struct sf_provider_sources *sources, struct sf_error *err)
{
    const struct wish wish = { name, sf_catalog_provider(sources->catalog, name), sources, key };
    char *own = is_name(name) ? setting(&wish, "base_url") : NULL;
    bool known = is_name(name) && (wish.row || own);

    free(own);
    return known ? open_http(provider, &wish, err) : refuse_name(name, sources, err);
}

bool sf_provider_look(struct sf_provider_facts *facts, const char *name,
                      const struct sf_provider_sources *sources, struct sf_error *err)
{
    const struct wish wish = { name, sf_catalog_provider(sources->catalog, name), sources, NULL };
    struct sf_provider provider = { .kind = SF_PROVIDER_HTTP };
    char *own = is_name(name) ? setting(&wish, "base_url") : NULL;
    bool ok = is_name(name) && (wish.row || own) ? open_address(&provider, &wish, err)
                                                 : refuse_name(name, sources, err);

    *facts = (struct sf_provider_facts){ .base_url = provider.base_url, .local = provider.local };
    if (ok)
        look_for_key(facts, &wish);
    free(own);
    return ok;
}

void sf_provider_facts_release(struct sf_provider_facts *facts)
{
    free(facts->base_url);
    free(facts->source);
    *facts = (struct sf_provider_facts){ .base_url = NULL };
}

bool sf_provider_open(struct sf_provider *provider, const char *name,
                      const struct sf_provider_sources *sources, struct sf_error *err)
{
    return sf_provider_open_with(provider, name, NULL, sources, err);
}

bool sf_provider_open_with(struct sf_provider *provider, const char *name, const char *key,
                           const struct sf_provider_sources *sources, struct sf_error *err)
{
    bool ok;

    *provider = (struct sf_provider){ .kind = SF_PROVIDER_OFFLINE };
    if (!strcmp(name, "offline"))
        ok = open_offline(provider);
    else if (!strncmp(name, "replay:", 7))
        ok = open_replay(provider, name + 7, err);
    else if (!strcmp(name, "auto"))
        ok = open_auto(provider, sources, err);
    else
        ok = open_named(provider, name, key, sources, err);
    if (!ok)
        sf_provider_release(provider);
    return ok;
}

void sf_provider_release(struct sf_provider *provider)
{
    free(provider->name);
    free(provider->base_url);
    sf_key_free(provider->key);
    free(provider->key_from);
    sf_replay_free(provider->replay);
    free(provider->plays);
    for (size_t i = 0; i < SF_COUNT(provider->tiers); i++)
        free(provider->tiers[i]);
    *provider = (struct sf_provider){ .kind = SF_PROVIDER_OFFLINE };
}
