/*
 * trial.c: key, address, question, in that order; the first that fails ends it.
 *
 *     start ──► key, from a command ──► open ──► one small request ──► told
 *                                           └──► list of models ────►
 *
 * Every step is told of from the loop, so `fn` never runs within the start.
 */
#include "model/trial.h"

#include "model/catalog.h"
#include "model/client.h"
#include "model/key.h"
#include "model/model_list.h"
#include "wire/wire.h"

enum {
    TOKENS = 16, /* the least all services take */
    FIRST_BYTE_MS = 30000,
    TOTAL_MS = 60000,
    LISTING_MS = 10000,
    SETTING_MAX = 128,
};

struct sf_trial {
    struct sf_loop *loop;
    struct sf_provider_sources sources; /* the caller's */
    char *name, *key, *cmd, *file, *env, *model, *proxy, *ca_file;
    sf_trial_fn *fn;
    void *ctx;

    struct sf_key_wait *wait;
    uint64_t timer; /* the next step, or the end */
    struct sf_provider provider;
    bool opened;
    struct sf_client *client;
    struct sf_model_list *listing;
    struct sf_strlist models;
    struct sf_error error;
};

static void release(struct sf_trial *t)
{
    sf_loop_remove(t->loop, t->timer);
    sf_client_free(t->client);
    sf_model_list_free(t->listing);
    if (t->opened)
        sf_provider_release(&t->provider);
    sf_strlist_release(&t->models);
    sf_key_free(t->key);
    free(t->name);
    free(t->cmd);
    free(t->file);
    free(t->env);
    free(t->model);
    free(t->proxy);
    free(t->ca_file);
    free(t);
}

static void tell(void *ctx)
{
    struct sf_trial *t = ctx;
    const struct sf_trial_result result = { .ok = !t->error.code,
                                            .error = t->error,
                                            .opened = t->opened ? &t->provider : NULL,
                                            .models = &t->models };

    t->timer = 0;
    t->fn(t->ctx, &result);
    release(t);
}

/* From any step: what it learned is told in the next turn, outside of whoever called. */
static void end(struct sf_trial *t)
{
    sf_loop_remove(t->loop, t->timer);
    t->timer = sf_loop_add_timer(t->loop, 0, 0, tell, t);
}

/* ---- the question ---- */

static void on_models(void *ctx, const struct sf_strlist *models, const struct sf_error *err)
{
    struct sf_trial *t = ctx;

    for (size_t i = 0; models && i < models->count; i++)
        sf_strlist_add(&t->models, models->items[i]);
    if (!models)
        t->error = *err;
    else if (!models->count) {
        sf_fail(&t->error, SF_E_NOENT, "%s has no models", t->name);
        sf_hint(&t->error, "load one there first, then try again");
    }
    end(t);
}

static void ask_for_models(struct sf_trial *t)
{
    const struct sf_model_list_wish wish = { .loop = t->loop,
                                             .provider = &t->provider,
                                             .proxy = t->proxy,
                                             .ca_file = t->ca_file,
                                             .timeout_ms = LISTING_MS };

    t->listing = sf_model_list_start(&wish, on_models, t, &t->error);
    if (!t->listing)
        end(t);
}

static void on_stream(void *ctx, const struct sf_stream_event *event)
{
    struct sf_trial *t = ctx;

    if (event->kind == SF_STREAM_ERROR) {
        sf_fail(&t->error, event->error->fault == SF_FAULT_AUTH ? SF_E_ARG : SF_E_IO, "%.240s",
                event->error->message);
        sf_hint(&t->error, "%s", sf_faults[event->error->fault].hint);
    }
    if (event->kind == SF_STREAM_ERROR || event->kind == SF_STREAM_END)
        end(t);
}

static void ask_question(struct sf_trial *t, const char *model)
{
    static const char words[] = "Answer with the word ok.";
    const struct sf_client_events events = { .on_stream = on_stream, .ctx = t };
    const struct sf_client_setup setup = {
        .loop = t->loop,
        .provider = &t->provider,
        .limits = { .first_byte_ms = FIRST_BYTE_MS, .total_ms = TOTAL_MS, .tries = 1 },
        .proxy = t->proxy,
        .ca_file = t->ca_file
    };
    struct sf_history history = SF_HISTORY_INIT;
    struct sf_strbuf body = SF_STRBUF_INIT;
    const struct sf_wire_request request = { .format = t->provider.format,
                                             .model = model,
                                             .system = "",
                                             .history = &history,
                                             .max_output = TOKENS };

    sf_message_add_text(sf_history_add(&history, SF_ROLE_USER), words, sizeof(words) - 1);
    sf_wire_request_add(&request, &body);
    t->client = sf_client_new(&setup);
    if (!sf_client_start(t->client, &request, &body, &events, &t->error))
        end(t);
    sf_strbuf_release(&body);
    sf_history_release(&history);
}

static const char *quickest(const struct sf_trial *t)
{
    for (size_t i = 0; !t->model && i < SF_COUNT(t->provider.tiers); i++)
        if (t->provider.tiers[i])
            return t->provider.tiers[i];
    return t->model;
}

/* ---- the key ---- */

/* The settings, but with the one source of the key that is tried. */
static const char *setting(void *ctx, const char *key)
{
    const struct sf_trial *t = ctx;
    const struct {
        const char *name, *value;
    } sources[] = { { "api_key_cmd", t->cmd },
                    { "api_key_file", t->file },
                    { "api_key_env", t->env } };
    char full[SETTING_MAX];

    for (size_t i = 0; (t->cmd || t->file || t->env) && i < SF_COUNT(sources); i++) {
        snprintf(full, sizeof(full), "models.%s.%s", t->name, sources[i].name);
        if (!strcmp(full, key))
            return sources[i].value;
    }
    return t->sources.setting ? t->sources.setting(t->sources.ctx, key) : NULL;
}

static void open_provider(struct sf_trial *t)
{
    const struct sf_provider_sources sources = { t->sources.catalog, setting, t };
    const char *model;

    t->opened = sf_provider_open_with(&t->provider, t->name, t->key, &sources, &t->error);
    if (t->opened && t->provider.kind != SF_PROVIDER_HTTP) {
        sf_fail(&t->error, SF_E_ARG, "%s needs no connecting", t->name);
        end(t);
        return;
    }
    if (!t->opened) {
        end(t);
        return;
    }
    model = quickest(t);
    if (model && (t->provider.key || !t->provider.local))
        ask_question(t, model);
    else
        ask_for_models(t);
}

static void on_key(void *ctx, char *key, const struct sf_error *err)
{
    struct sf_trial *t = ctx;

    t->wait = NULL;
    sf_key_free(t->key);
    t->key = key;
    if (t->error.code) { /* it was cancelled meanwhile */
        end(t);
    } else if (!key) {
        t->error = *err;
        end(t);
    } else {
        open_provider(t);
    }
}

/* A command of the settings is fetched in the same way: opening must not wait for it. */
static void begin(void *ctx)
{
    struct sf_trial *t = ctx;
    const struct sf_provider_sources sources = { t->sources.catalog, setting, t };
    struct sf_provider_facts facts = { .base_url = NULL };

    t->timer = 0;
    if (t->error.code) {
        end(t);
        return;
    }
    if (t->env && !sf_env_get(t->env)) {
        sf_fail(&t->error, SF_E_NOENT, "the variable %s is not set", t->env);
        sf_hint(&t->error, "set it where sf is started, then try again");
        end(t);
    } else if (!sf_provider_look(&facts, t->name, &sources, &t->error)) {
        end(t);
    } else if (!t->key && facts.place == SF_KEY_PLACE_CMD) {
        t->wait = sf_key_wait_start(t->loop, facts.source, on_key, t, &t->error);
        if (!t->wait)
            end(t);
    } else {
        open_provider(t);
    }
    sf_provider_facts_release(&facts);
}

static char *copy(const char *text)
{
    return text ? sf_strdup(text) : NULL;
}

struct sf_trial *sf_trial_start(const struct sf_trial_wish *wish, sf_trial_fn *fn, void *ctx)
{
    struct sf_trial *t = sf_alloc(sizeof(*t));

    *t = (struct sf_trial){ .loop = wish->loop,
                            .sources = *wish->sources,
                            .name = sf_strdup(wish->name),
                            .cmd = copy(wish->cmd),
                            .file = copy(wish->file),
                            .env = copy(wish->env),
                            .model = copy(wish->model),
                            .proxy = copy(wish->proxy),
                            .ca_file = copy(wish->ca_file),
                            .fn = fn,
                            .ctx = ctx,
                            .models = SF_STRLIST_INIT };
    if (wish->key)
        t->key = sf_key_make(wish->key, strlen(wish->key), "what was typed", &t->error);
    t->timer = sf_loop_add_timer(t->loop, 0, 0, begin, t);
    return t;
}

void sf_trial_cancel(struct sf_trial *t)
{
    if (!t->error.code)
        sf_fail(&t->error, SF_E_CANCELLED, "stopped");
    if (t->client)
        sf_client_cancel(t->client);
    sf_model_list_free(t->listing);
    t->listing = NULL;
    if (t->wait)
        sf_key_wait_cancel(t->wait);
    else
        end(t);
}
