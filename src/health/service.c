/*
 * service.c: whether the chosen service answers at all. It sends one request without a key; any
 * response counts, whatever its status. A local service is always asked, others with --online.
 */
#include <stdlib.h>

#include "health/internal.h"
#include "io/io.h"
#include "model/model.h"
#include "modules/modules.h"

enum { REACH_MS = 10000, LOCAL_MS = 2000 };

struct probe {
    struct sf_health *health;
    struct sf_loop *loop;
    const char *url;
    const char *hint; /* if it does not answer */
    int patience_ms;
};

static void on_end(void *ctx, const struct sf_http_result *result)
{
    struct probe *p = ctx;

    if (result->status)
        sf_health_say(p->health, SF_HEALTH_OK, "", "%s answers", p->url);
    else
        sf_health_say(p->health, SF_HEALTH_PROBLEM, p->hint, "%s: %s", p->url,
                      *result->message ? result->message : "no answer");
    sf_loop_stop(p->loop);
}

static void on_late(void *ctx)
{
    struct probe *p = ctx;

    sf_health_say(p->health, SF_HEALTH_PROBLEM, p->hint, "%s does not answer within %d s", p->url,
                  p->patience_ms / 1000);
    sf_loop_stop(p->loop);
}

static bool ask(struct probe *p, struct sf_error *err)
{
    static const struct sf_http_events events = { .on_end = on_end };
    const struct sf_health_context *at = p->health->at;
    const struct sf_http_request request = { .url = p->url,
                                             .connect_ms = p->patience_ms,
                                             .proxy = at->setting(at->config, "network.proxy"),
                                             .ca_file = at->setting(at->config, "network.ca_file"),
                                             .http2 = true,
                                             .plain = true };
    const struct sf_http_api *http = sf_module_http(err);
    struct sf_http_engine *engine = http ? http->open(p->loop, err) : NULL;
    bool ok = engine && http->start(engine, &request, &events, p, err);

    if (ok) {
        sf_loop_add_timer(p->loop, p->patience_ms, 0, on_late, p);
        sf_loop_run(p->loop);
    }
    if (engine)
        http->close(engine);
    return ok;
}

static bool reach(struct sf_health *h, const struct sf_provider *provider, struct sf_error *err)
{
    struct probe p = { .health = h,
                       .url = provider->base_url,
                       .hint = "look at the network, network.proxy and network.ca_file",
                       .patience_ms = REACH_MS };
    bool ok;

    if (provider->kind != SF_PROVIDER_HTTP) {
        sf_health_say(h, SF_HEALTH_OK, "", "provider %s needs no network", provider->name);
        return true;
    }
    if (!provider->local && !h->at->online) {
        sf_health_say(h, SF_HEALTH_OK, "sf doctor --online asks it", "%s: not looked at", p.url);
        return true;
    }
    if (provider->local) {
        p.hint = "start the server there, or connect another model: sf connect";
        p.patience_ms = LOCAL_MS;
    }
    p.loop = sf_loop_new(err);
    ok = p.loop && ask(&p, err);
    sf_loop_free(p.loop);
    return ok;
}

/* The check of the model reports a provider that cannot be opened; here only with --online. */
static bool open_and_reach(struct sf_health *h, struct sf_error *err)
{
    const struct sf_health_context *at = h->at;
    const struct sf_provider_sources sources = { at->catalog, at->setting, at->config };
    struct sf_provider provider;
    bool ok;

    if (!sf_provider_open(&provider, sf_config_text(at->config, "models.provider"), &sources, err))
        return !at->online;
    ok = reach(h, &provider, err);
    sf_provider_release(&provider);
    return ok;
}

void sf_health_look_service(struct sf_health *h)
{
    const struct sf_health_context *at = h->at;
    struct sf_error err = at->config ? at->no_catalog : at->no_config;
    bool ok = !at->online;

    if (at->config && at->catalog) {
        if (!at->online && sf_health_key_commands(at->config))
            sf_health_say(h, SF_HEALTH_OK, "sf doctor --online asks it", "not looked at");
        else
            ok = open_and_reach(h, &err);
    }
    if (!ok)
        sf_health_error(h, SF_HEALTH_PROBLEM, &err);
}
