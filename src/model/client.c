/*
 * client.c: tries until one succeeds, is beyond help, or patience ends. A try is an attempt over
 * http or a tape; both tell events through on_event, and their last one is the end of the try.
 *
 *     idle ──start──► trying ──END, or an ERROR that stays──► idle
 *                       ▲  │ERROR worth another try
 *                       └──┴── waiting
 *
 * User callbacks are always the last thing a function does: they may cancel, start or free.
 */
#include "model/client.h"

#include <assert.h>
#include <sys/random.h>

#include "base/base.h"
#include "model/attempt.h"
#include "model/offline.h"
#include "model/replay.h"
#include "model/retry.h"
#include "model/tape.h"
#include "modules/modules.h"

static const struct sf_client_limits defaults = {
    .connect_ms = 20000,
    .first_byte_ms = 120000,
    .silence_ms = 60000,
    .total_ms = 1800000,
    .tries = 6,
    .wait_first_ms = 1000,
    .wait_max_ms = 60000,
};

struct sf_client {
    struct sf_loop *loop;
    const struct sf_provider *provider;
    struct sf_client_limits limits;
    char *proxy, *ca_file;
    const struct sf_http_api *http; /* NULL: not needed yet */
    struct sf_http_engine *engine;
    struct sf_recording *recording; /* or NULL */
    struct {
        struct sf_strbuf request; /* what is asked, as a line of a recording */
        struct sf_strbuf lines;   /* the answer so far */
        struct sf_strbuf text;    /* its text that came in this turn of the loop */
        uint64_t turn;            /* a timer for the end of the turn; 0: nothing came in it yet */
        bool waited;              /* what comes next comes in a later turn than what came before */
    } tape_out;

    bool active;
    struct sf_client_events events;
    struct sf_strbuf body;
    char model[64]; /* that the running request is for */
    int tried;
    struct sf_attempt *attempt;
    struct sf_tape *tape;
    uint64_t wait;
};

static int64_t or_default(int64_t value, int64_t fallback)
{
    return value > 0 ? value : fallback;
}

static struct sf_client_limits fill_in(const struct sf_client_limits *given)
{
    return (struct sf_client_limits){
        .connect_ms = or_default(given->connect_ms, defaults.connect_ms),
        .first_byte_ms = or_default(given->first_byte_ms, defaults.first_byte_ms),
        .silence_ms = or_default(given->silence_ms, defaults.silence_ms),
        .total_ms = or_default(given->total_ms, defaults.total_ms),
        .tries = given->tries > 0 ? given->tries : defaults.tries,
        .wait_first_ms = or_default(given->wait_first_ms, defaults.wait_first_ms),
        .wait_max_ms = or_default(given->wait_max_ms, defaults.wait_max_ms),
    };
}

static char *copy_or_null(const char *text)
{
    return text ? sf_strdup(text) : NULL;
}

struct sf_client *sf_client_new(const struct sf_client_setup *setup)
{
    struct sf_client *client = sf_alloc(sizeof(*client));

    client->loop = setup->loop;
    client->provider = setup->provider;
    client->limits = fill_in(&setup->limits);
    client->proxy = copy_or_null(setup->proxy);
    client->ca_file = copy_or_null(setup->ca_file);
    client->recording = setup->recording;
    sf_strbuf_init(&client->body);
    sf_strbuf_init(&client->tape_out.request);
    sf_strbuf_init(&client->tape_out.lines);
    sf_strbuf_init(&client->tape_out.text);
    return client;
}

static void end_try(struct sf_client *client)
{
    sf_attempt_free(client->attempt);
    sf_tape_free(client->tape);
    sf_loop_remove(client->loop, client->wait);
    client->attempt = NULL;
    client->tape = NULL;
    client->wait = 0;
}

/* ---- recording ---- */

static void flush_text(struct sf_client *client)
{
    const struct sf_strbuf *text = &client->tape_out.text;

    if (text->len)
        sf_replay_line_event(&client->tape_out.lines,
                             &(struct sf_stream_event){
                                 .kind = SF_STREAM_TEXT, .text = text->buf, .len = text->len });
    sf_strbuf_reset(&client->tape_out.text);
}

static void on_turn_over(void *ctx)
{
    struct sf_client *client = ctx;

    client->tape_out.turn = 0;
    client->tape_out.waited = true;
    flush_text(client);
}

static void end_recorded(struct sf_client *client)
{
    flush_text(client);
    sf_recording_add(client->recording, client->provider, client->model, &client->tape_out.lines);
    sf_strbuf_reset(&client->tape_out.lines);
    sf_loop_remove(client->loop, client->tape_out.turn);
    client->tape_out.turn = 0;
    client->tape_out.waited = false;
}

/* Some services repeat the address they were asked at. */
static void hide_host(const struct sf_client *client, struct sf_wire_error *error)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_url url;

    sf_attempt_hide_key(error->message, client->provider->base_url);
    if (client->provider->base_url && sf_url_read(&url, client->provider->base_url, &ignored))
        sf_attempt_hide_key(error->message, url.host);
}

/*
 * A recording has the service's own words about a failure. Where none was reached, the words are
 * libcurl's, with addresses of the service, of proxies and of files.
 */
static void write_failure(struct sf_client *client, const struct sf_wire_error *error)
{
    struct sf_wire_error kept = *error;

    if (error->fault == SF_FAULT_CONNECT || error->fault == SF_FAULT_TLS)
        snprintf(kept.message, sizeof(kept.message), "the service was not reached");
    hide_host(client, &kept);
    sf_replay_line_event(&client->tape_out.lines,
                         &(struct sf_stream_event){ .kind = SF_STREAM_ERROR, .error = &kept });
}

/*
 * Pieces of text that come in one turn of the loop reach a surface as one, so they are recorded as
 * one, and what comes in a later turn is played in a later one.
 */
static void record(struct sf_client *client, const struct sf_stream_event *event)
{
    if (!client->recording)
        return;
    if (client->tape_out.waited)
        sf_strbuf_adds(&client->tape_out.lines, "{\"wait_ms\":0}\n");
    client->tape_out.waited = false;
    if (!client->tape_out.turn)
        client->tape_out.turn = sf_loop_add_timer(client->loop, 0, 0, on_turn_over, client);
    if (event->kind == SF_STREAM_TEXT) {
        sf_strbuf_add(&client->tape_out.text, event->text, event->len);
        return;
    }
    flush_text(client);
    if (event->kind == SF_STREAM_ERROR)
        write_failure(client, event->error);
    else
        sf_replay_line_event(&client->tape_out.lines, event);
    if (event->kind == SF_STREAM_END || event->kind == SF_STREAM_ERROR)
        end_recorded(client);
}

/* An answer that nobody waited for has no end of its own. */
static void record_cancel(struct sf_client *client)
{
    struct sf_wire_error error = { SF_FAULT_REPLAY, 0, -1,
                                   "the request was stopped when this was recorded" };

    if (client->active && client->recording)
        record(client, &(struct sf_stream_event){ .kind = SF_STREAM_ERROR, .error = &error });
    sf_loop_remove(client->loop, client->tape_out.turn);
    client->tape_out.turn = 0;
}

void sf_client_cancel(struct sf_client *client)
{
    record_cancel(client);
    end_try(client);
    client->active = false;
    sf_strbuf_release(&client->body);
}

void sf_client_free(struct sf_client *client)
{
    if (!client)
        return;
    sf_client_cancel(client);
    if (client->http)
        client->http->close(client->engine);
    sf_strbuf_release(&client->tape_out.request);
    sf_strbuf_release(&client->tape_out.lines);
    sf_strbuf_release(&client->tape_out.text);
    free(client->proxy);
    free(client->ca_file);
    free(client);
}

static void start_try(struct sf_client *client);

static void on_waited(void *ctx)
{
    struct sf_client *client = ctx;

    client->wait = 0;
    start_try(client);
}

static uint64_t chance(void)
{
    uint64_t bits;

    if (getrandom(&bits, sizeof(bits), GRND_NONBLOCK) != sizeof(bits))
        bits = (uint64_t)sf_clock_monotonic_ms();
    return bits;
}

static void try_again(struct sf_client *client, const struct sf_wire_error *why)
{
    const struct sf_retry_rule rule = { client->limits.wait_first_ms, client->limits.wait_max_ms };
    const struct sf_retry_notice notice = {
        .attempt = client->tried,
        .of = client->limits.tries,
        .wait_ms = sf_retry_wait(&rule, client->tried, why->retry_after_ms, chance()),
        .why = why,
    };

    client->wait = sf_loop_add_timer(client->loop, notice.wait_ms, 0, on_waited, client);
    if (client->events.on_retry)
        client->events.on_retry(client->events.ctx, &notice);
}

/*
 * The message with who was asked for what, so that a wrong address, model or key can be told apart.
 * The service's own words come first and are cut where both do not fit.
 */
static void add_whom(const struct sf_client *client, struct sf_wire_error *error)
{
    const struct sf_provider *p = client->provider;
    char status[32] = "", whom[256];
    size_t most;

    if (error->status)
        snprintf(status, sizeof(status), "HTTP %d from ", error->status);
    snprintf(whom, sizeof(whom), " (%s%.40s at %.90s, model %.60s%s%.60s%s)", status, p->name,
             p->base_url, client->model, p->key_from ? ", " : "", p->key_from ? p->key_from : "",
             !p->key_from ? ""
             : p->key     ? " is set"
                          : " is not set");
    most = sizeof(error->message) - 1 - strlen(whom);
    if (strlen(error->message) > most)
        error->message[sf_utf8_cut(error->message, most)] = '\0';
    snprintf(error->message + strlen(error->message),
             sizeof(error->message) - strlen(error->message), "%s", whom);
}

/* The event is the try's, which lives until its call of this returns. */
static void on_event(void *ctx, const struct sf_stream_event *event)
{
    struct sf_client *client = ctx;
    const struct sf_client_events events = client->events;
    bool ended = event->kind == SF_STREAM_END || event->kind == SF_STREAM_ERROR;
    struct sf_stream_event told = *event;
    struct sf_wire_error error;

    if (ended) {
        end_try(client);
        if (event->kind == SF_STREAM_ERROR && sf_faults[event->error->fault].retry &&
            client->tried < client->limits.tries) {
            record(client, event);
            try_again(client, event->error);
            return;
        }
        if (event->kind == SF_STREAM_ERROR && client->provider->kind == SF_PROVIDER_HTTP) {
            error = *event->error;
            add_whom(client, &error);
            told.error = &error;
        }
        client->active = false;
        sf_strbuf_release(&client->body);
    }
    record(client, event);
    events.on_stream(events.ctx, &told);
}

static void try_http(struct sf_client *client)
{
    const struct sf_attempt_setup setup = {
        .loop = client->loop,
        .http = client->http,
        .engine = client->engine,
        .provider = client->provider,
        .limits = &client->limits,
        .proxy = client->proxy,
        .ca_file = client->ca_file,
    };

    client->attempt =
        sf_attempt_start(&setup, client->body.buf, client->body.len, on_event, client);
}

static void try_replay(struct sf_client *client)
{
    const char *request = client->tried == 1 ? client->tape_out.request.buf : NULL;

    client->tape = sf_tape_new(client->loop, on_event, client);
    sf_replay_next(client->provider->replay, request, client->tape);
    sf_tape_play(client->tape);
}

/* The operator never asks for another try: its tape is recorded when the request comes. */
static void start_try(struct sf_client *client)
{
    client->tried++;
    if (client->provider->kind == SF_PROVIDER_REPLAY)
        try_replay(client);
    else
        try_http(client);
}

static void answer_offline(struct sf_client *client, const struct sf_wire_request *request)
{
    client->tried = client->limits.tries;
    client->tape = sf_tape_new(client->loop, on_event, client);
    sf_offline_answer(request, sf_tape_record, client->tape);
    sf_tape_play(client->tape);
}

static bool load_http(struct sf_client *client, struct sf_error *err)
{
    const struct sf_http_api *http = client->http ? client->http : sf_module_http(err);

    if (!http)
        return false;
    if (!client->engine)
        client->engine = http->open(client->loop, err);
    if (client->engine)
        client->http = http;
    return client->engine != NULL;
}

/* Both a recording and a replay need to know what the answer is given to. */
static void note_request(struct sf_client *client, const struct sf_wire_request *request)
{
    sf_strbuf_reset(&client->tape_out.request);
    if (!client->recording && client->provider->kind != SF_PROVIDER_REPLAY)
        return;
    sf_replay_line_request(&client->tape_out.request, request->history);
    if (client->recording)
        sf_strbuf_add(&client->tape_out.lines, client->tape_out.request.buf,
                      client->tape_out.request.len);
}

bool sf_client_start(struct sf_client *client, const struct sf_wire_request *request,
                     struct sf_strbuf *body, const struct sf_client_events *events,
                     struct sf_error *err)
{
    assert(!client->active);
    if (client->provider->kind == SF_PROVIDER_HTTP && !load_http(client, err))
        return false;
    client->active = true;
    client->events = *events;
    client->body = *body;
    sf_strbuf_init(body);
    client->tried = 0;
    snprintf(client->model, sizeof(client->model), "%s", request->model ? request->model : "");
    note_request(client, request);
    if (client->provider->kind == SF_PROVIDER_OFFLINE)
        answer_offline(client, request);
    else
        start_try(client);
    return true;
}
