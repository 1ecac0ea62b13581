/*
 * client_case.c: one request after the other, all events put down.
 */
#include "support/client_case.h"

#include <stdlib.h>

#include "base/base.h"
#include "support/test.h"

const struct sf_client_limits client_case_limits = {
    .connect_ms = CLIENT_CASE_PATIENCE_MS,
    .first_byte_ms = CLIENT_CASE_PATIENCE_MS,
    .silence_ms = CLIENT_CASE_PATIENCE_MS,
    .total_ms = CLIENT_CASE_PATIENCE_MS,
    .tries = 3,
    .wait_first_ms = 1,
    .wait_max_ms = 4,
};

int client_case_setup(void **state)
{
    struct client_case *c = sf_alloc(sizeof(*c));
    struct sf_error err = SF_ERROR_INIT;

    *state = c;
    sf_strbuf_init(&c->deltas);
    sf_strbuf_init(&c->blocks);
    sf_message_add_text(sf_history_add(&c->history, SF_ROLE_USER), "hello", 5);
    c->loop = sf_loop_new(&err);
    return c->loop ? 0 : -1;
}

int client_case_teardown(void **state)
{
    struct client_case *c = *state;

    sf_client_free(c->client);
    sf_provider_release(&c->provider);
    model_server_stop(c->server);
    sf_loop_free(c->loop);
    sf_history_release(&c->history);
    sf_strbuf_release(&c->deltas);
    sf_strbuf_release(&c->blocks);
    free(c);
    return 0;
}

void client_case_serve(struct client_case *c, const char *scenario)
{
    const struct model_server_options options = { .scenario = scenario };
    struct sf_error err = SF_ERROR_INIT;

    model_server_stop(c->server);
    c->server = model_server_start(&options, &err);
    if (!c->server)
        fail_msg("the scenario's line %u: %s", err.line, err.msg);
}

void client_case_connect_to(struct client_case *c, const struct sf_provider *provider,
                            const struct sf_client_limits *limits)
{
    struct sf_client_setup setup = { .loop = c->loop, .provider = &c->provider };

    sf_client_free(c->client);
    sf_provider_release(&c->provider);
    c->provider = *provider;
    setup.limits = limits ? *limits : client_case_limits;
    c->client = sf_client_new(&setup);
}

void client_case_connect(struct client_case *c, enum sf_wire_format format,
                         const struct sf_client_limits *limits)
{
    struct sf_provider provider = { .kind = SF_PROVIDER_HTTP, .format = format, .local = true };
    char url[128];

    snprintf(url, sizeof(url), "%s%s", model_server_url(c->server),
             format == SF_WIRE_ANTHROPIC ? "" : "/v1");
    provider.name = sf_strdup("test");
    provider.base_url = sf_strdup(url);
    provider.key = sf_strdup("test-key");
    client_case_connect_to(c, &provider, limits);
}

static void note(struct client_case *c)
{
    c->events++;
    c->after += c->acted;
    if (c->act_at && c->events == c->act_at && !c->acted) {
        c->acted = true;
        c->act(c);
    }
}

static void note_block(struct client_case *c, const struct sf_block *block)
{
    if (block->kind == SF_BLOCK_CALL)
        sf_strbuf_addf(&c->blocks, "%s(%s)", block->name, block->text);
    else if (block->kind == SF_BLOCK_TEXT)
        sf_strbuf_add(&c->blocks, block->text, block->len);
}

static void on_stream(void *ctx, const struct sf_stream_event *event)
{
    struct client_case *c = ctx;

    switch (event->kind) {
    case SF_STREAM_BEGIN:
        c->begins++;
        break;
    case SF_STREAM_TEXT:
        sf_strbuf_add(&c->deltas, event->text, event->len);
        break;
    case SF_STREAM_BLOCK:
        note_block(c, event->block);
        break;
    case SF_STREAM_USAGE:
        c->usage = event->usage;
        break;
    case SF_STREAM_END:
        c->ends++;
        c->stop = event->stop;
        break;
    case SF_STREAM_ERROR:
        c->ends++;
        c->failed = true;
        c->error = *event->error;
        break;
    case SF_STREAM_REASONING:
    case SF_STREAM_CALL:
        break;
    }
    note(c);
}

static void on_retry(void *ctx, const struct sf_retry_notice *notice)
{
    struct client_case *c = ctx;

    c->retries++;
    c->notice = *notice;
    c->retried_for = *notice->why;
    sf_strbuf_reset(&c->deltas);
    sf_strbuf_reset(&c->blocks);
    note(c);
}

static void empty_record(struct client_case *c)
{
    sf_strbuf_reset(&c->deltas);
    sf_strbuf_reset(&c->blocks);
    c->events = c->begins = c->retries = c->ends = c->after = 0;
    c->failed = c->acted = false;
    c->usage = (struct sf_usage){ 0 };
    c->error = c->retried_for = (struct sf_wire_error){ SF_FAULT_NONE, 0, -1, "" };
}

void client_case_ask(struct client_case *c)
{
    const struct sf_client_events events = { on_stream, on_retry, c };
    const struct sf_wire_request request = { .format = c->provider.format,
                                             .model = "test-model",
                                             .system = "",
                                             .history = &c->history,
                                             .max_output = 1000 };
    struct sf_strbuf body = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    empty_record(c);
    sf_wire_request_add(&request, &body);
    if (!sf_client_start(c->client, &request, &body, &events, &err))
        fail_msg("not started: %s", err.msg);
    assert_int_equal(body.len, 0);
    assert_int_equal(c->events, 0);
}

void client_case_wait(struct client_case *c)
{
    while (!c->ends)
        sf_loop_turn(c->loop, -1);
}

void client_case_settle(struct client_case *c)
{
    for (int i = 0; i < 5; i++)
        sf_loop_turn(c->loop, 1);
}

void client_case_check_server(struct client_case *c, const char *name)
{
    const char *complaint = model_server_complaint(c->server, 0);

    if (complaint)
        fail_msg("%s: the server says: %s", name, complaint);
}
