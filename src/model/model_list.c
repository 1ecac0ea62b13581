/*
 * model_list.c: asks for the list and reads it. What is there may be any program that listens on the
 * port, so nothing of its answer is believed: sizes are bounded, names must be plain words.
 */
#include "model/model_list.h"

#include "model/attempt.h"
#include "modules/modules.h"
#include "wire/wire.h"

enum { BODY_MAX = 4 * 1024 * 1024, TIMEOUT_MS = 10000 };

struct sf_model_list {
    struct sf_loop *loop;
    const struct sf_http_api *http;
    struct sf_http_engine *engine;
    struct sf_http_call *call;
    uint64_t timer;
    char *key; /* to keep it out of messages */
    sf_model_list_fn *fn;
    void *ctx;
    int status;
    int64_t timeout_ms;
    struct sf_strbuf body;
    bool too_long, busy, dead;
};

/* ---- reading ---- */

static bool is_plain(const char *name)
{
    size_t len = strlen(name);

    for (size_t i = 0; i < len; i++)
        if (name[i] <= ' ' || name[i] >= 0x7f)
            return false;
    return len > 0 && len <= SF_MODEL_LIST_NAME;
}

bool sf_model_list_read(const char *text, size_t len, struct sf_strlist *models,
                        struct sf_error *err)
{
    const struct sf_json_limits limits = { .bytes = BODY_MAX, .depth = 16, .nodes = 200000 };
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_json *json = sf_json_parse(text, len, &limits, &ignored);
    const struct sf_json *list = json ? sf_json_get(json, "data") : NULL;
    bool ok = list && sf_json_type(list) == SF_JSON_ARRAY;

    for (const struct sf_json *it = ok ? sf_json_first(list) : NULL; it; it = sf_json_next(it)) {
        const char *name;

        if (models->count < SF_MODEL_LIST_MODELS && sf_json_get_str(it, "id", &name, &ignored) &&
            is_plain(name))
            sf_strlist_add(models, name);
    }
    sf_json_free(json);
    return ok || sf_fail(err, SF_E_SYNTAX, "it does not answer as a model service does");
}

/* ---- asking ---- */

static void release(struct sf_model_list *l)
{
    if (l->engine)
        l->http->close(l->engine);
    if (l->key)
        explicit_bzero(l->key, strlen(l->key));
    free(l->key);
    sf_strbuf_release(&l->body);
    free(l);
}

void sf_model_list_free(struct sf_model_list *l)
{
    if (!l)
        return;
    sf_loop_remove(l->loop, l->timer);
    l->timer = 0;
    if (l->call)
        l->http->cancel(l->call);
    l->call = NULL;
    l->dead = true;
    if (!l->busy)
        release(l);
}

static void tell(struct sf_model_list *l, const struct sf_strlist *models, struct sf_error *err)
{
    sf_loop_remove(l->loop, l->timer);
    l->timer = 0;
    sf_attempt_hide_key(err->msg, l->key);
    l->busy = true;
    l->fn(l->ctx, models, err);
    l->busy = false;
    if (l->dead)
        release(l);
}

static void fail_by_status(const struct sf_model_list *l, struct sf_error *err)
{
    struct sf_wire_error error;

    sf_wire_error_read(l->status, NULL, 0, l->body.buf, l->body.len, &error);
    sf_fail(err, error.fault == SF_FAULT_AUTH ? SF_E_ARG : SF_E_IO, "%.240s", error.message);
    sf_hint(err, "%s", sf_faults[error.fault].hint);
}

static void on_head(void *ctx, const struct sf_http_head *head)
{
    struct sf_model_list *l = ctx;

    l->status = head->status;
}

static void on_body(void *ctx, const char *data, size_t len)
{
    struct sf_model_list *l = ctx;
    size_t room = BODY_MAX - l->body.len;

    l->too_long = l->too_long || len > room;
    sf_strbuf_add(&l->body, data, len < room ? len : room);
}

static void on_end(void *ctx, const struct sf_http_result *result)
{
    struct sf_model_list *l = ctx;
    struct sf_strlist models = SF_STRLIST_INIT;
    struct sf_error err = SF_ERROR_INIT;
    bool ok = false;

    l->call = NULL;
    if (result->end != SF_HTTP_DONE) {
        sf_fail(&err, SF_E_IO, "%.240s", result->message);
        sf_hint(&err, "%s", sf_faults[SF_FAULT_CONNECT].hint);
    } else if (l->status < 200 || l->status > 299) {
        fail_by_status(l, &err);
    } else if (l->too_long) {
        sf_fail(&err, SF_E_LIMIT, "its list of models is far too long");
    } else {
        ok = sf_model_list_read(l->body.buf, l->body.len, &models, &err);
    }
    tell(l, ok ? &models : NULL, &err);
    sf_strlist_release(&models);
}

static void on_late(void *ctx)
{
    struct sf_model_list *l = ctx;
    struct sf_error err = SF_ERROR_INIT;

    l->timer = 0;
    if (l->call)
        l->http->cancel(l->call);
    l->call = NULL;
    sf_fail(&err, SF_E_TIMEOUT, "no answer within %g s", (double)l->timeout_ms / 1000);
    sf_hint(&err, "%s", sf_faults[SF_FAULT_CONNECT].hint);
    tell(l, NULL, &err);
}

static bool send(struct sf_model_list *l, const struct sf_model_list_wish *wish,
                 struct sf_error *err)
{
    static const struct sf_http_events events = { on_head, on_body, on_end };
    const struct sf_provider *provider = wish->provider;
    struct sf_strlist headers = SF_STRLIST_INIT;
    struct sf_strbuf url = SF_STRBUF_INIT;
    struct sf_http_request request = { .connect_ms = l->timeout_ms,
                                       .proxy = wish->proxy,
                                       .ca_file = wish->ca_file,
                                       .http2 = true,
                                       .plain = !provider->key };

    sf_attempt_add_headers(provider, &headers);
    sf_strbuf_addf(&url, "%s%s/models", provider->base_url,
                   provider->format == SF_WIRE_ANTHROPIC ? "/v1" : "");
    request.url = url.buf;
    request.headers = (const char *const *)headers.items;
    l->call = l->http->start(l->engine, &request, &events, l, err);
    sf_strbuf_release(&url);
    sf_attempt_wipe_headers(&headers);
    return l->call != NULL;
}

struct sf_model_list *sf_model_list_start(const struct sf_model_list_wish *wish,
                                          sf_model_list_fn *fn, void *ctx, struct sf_error *err)
{
    const struct sf_http_api *http = sf_module_http(err);
    struct sf_model_list *l;

    if (!http)
        return NULL;
    l = sf_alloc(sizeof(*l));
    *l = (struct sf_model_list){ .loop = wish->loop,
                                 .http = http,
                                 .key = wish->provider->key ? sf_strdup(wish->provider->key) : NULL,
                                 .fn = fn,
                                 .ctx = ctx,
                                 .timeout_ms = wish->timeout_ms ? wish->timeout_ms : TIMEOUT_MS,
                                 .body = SF_STRBUF_INIT };
    l->engine = http->open(wish->loop, err);
    if (!l->engine || !send(l, wish, err)) {
        release(l);
        return NULL;
    }
    l->timer = sf_loop_add_timer(wish->loop, l->timeout_ms, 0, on_late, l);
    return l;
}
