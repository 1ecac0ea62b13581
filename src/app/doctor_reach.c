/*
 * doctor_reach.c: whether the chosen service answers at all. One request without a key: any
 * answer is one, whatever its status. One on this machine is asked always, others with --online.
 */
#include <stdlib.h>

#include "app/doctor.h"
#include "io/io.h"
#include "model/model.h"
#include "modules/modules.h"

enum { REACH_MS = 10000, LOCAL_MS = 2000 };

struct probe {
    struct sf_doctor *doctor;
    struct sf_loop *loop;
    const char *url;
    const char *hint; /* when it does not answer */
    int patience_ms;
};

static void on_end(void *ctx, const struct sf_http_result *result)
{
    struct probe *p = ctx;

    if (result->status)
        sf_doctor_say(p->doctor, SF_HEALTH_OK, "", "%s answers", p->url);
    else
        sf_doctor_say(p->doctor, SF_HEALTH_PROBLEM, p->hint, "%s: %s", p->url,
                      *result->message ? result->message : "no answer");
    sf_loop_stop(p->loop);
}

static void on_late(void *ctx)
{
    struct probe *p = ctx;

    sf_doctor_say(p->doctor, SF_HEALTH_PROBLEM, p->hint, "%s does not answer within %d s", p->url,
                  p->patience_ms / 1000);
    sf_loop_stop(p->loop);
}

static bool ask(struct probe *p, struct sf_config *config, struct sf_error *err)
{
    static const struct sf_http_events events = { .on_end = on_end };
    const struct sf_http_request request = { .url = p->url,
                                             .connect_ms = p->patience_ms,
                                             .proxy = sf_app_setting(config, "network.proxy"),
                                             .ca_file = sf_app_setting(config, "network.ca_file"),
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

static bool reach(struct sf_doctor *d, const struct sf_provider *provider, struct sf_config *config,
                  struct sf_error *err)
{
    struct probe p = { .doctor = d,
                       .url = provider->base_url,
                       .hint = "look at the network, network.proxy and network.ca_file",
                       .patience_ms = REACH_MS };
    bool ok;

    if (provider->kind != SF_PROVIDER_HTTP) {
        sf_doctor_say(d, SF_HEALTH_OK, "", "provider %s needs no network", provider->name);
        return true;
    }
    if (!provider->local && !d->online) {
        sf_doctor_say(d, SF_HEALTH_OK, "sf doctor --online asks it", "%s: not looked at", p.url);
        return true;
    }
    if (provider->local) {
        p.hint = "start the server there, or connect another model: sf connect";
        p.patience_ms = LOCAL_MS;
    }
    p.loop = sf_loop_new(err);
    ok = p.loop && ask(&p, config, err);
    sf_loop_free(p.loop);
    return ok;
}

void sf_doctor_reach(struct sf_doctor *d)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_config *config = sf_app_config(d->app, &err);
    struct sf_catalog *catalog = config ? sf_app_catalog(&err) : NULL;
    const struct sf_provider_sources sources = { catalog, sf_app_setting, config };
    struct sf_provider provider;
    bool ok = true;

    if (catalog && !d->online && sf_doctor_key_commands(config)) {
        sf_doctor_say(d, SF_HEALTH_OK, "sf doctor --online asks it", "not looked at");
    } else if (catalog && sf_provider_open(&provider, sf_config_text(config, "models.provider"),
                                           &sources, &err)) {
        ok = reach(d, &provider, config, &err);
        sf_provider_release(&provider);
    } else if (d->online) { /* else the line about the model says it */
        ok = false;
    }
    if (!ok)
        sf_doctor_error(d, SF_HEALTH_PROBLEM, &err);
    sf_catalog_free(catalog);
}
