/*
 * answer_case.c: effects are performed as a session would, but for what reaches outside.
 */
#include "support/answer_case.h"

#include <stdlib.h>

#include "support/test.h"

enum { PIECE = 512, REQUESTS_MAX = 100 }; /* bytes of one read; requests of one turn */

int answer_case_setup(void **state)
{
    struct answer_case *c = sf_alloc(sizeof(*c));

    sf_strbuf_init(&c->text);
    *state = c;
    return 0;
}

static void forget(struct answer_case *c)
{
    sf_agent_free(c->agent);
    c->agent = NULL;
    sf_strlist_release(&c->kinds);
    sf_strlist_release(&c->events);
}

int answer_case_teardown(void **state)
{
    struct answer_case *c = *state;

    forget(c);
    model_responder_release(&c->responder);
    sf_strlist_release(&c->complaints);
    sf_strbuf_release(&c->text);
    free(c);
    return 0;
}

void answer_case_begin(struct answer_case *c)
{
    const struct sf_agent_setup setup = { 0 };

    forget(c);
    c->agent = sf_agent_new(&setup);
}

void answer_case_serve(struct answer_case *c, enum sf_wire_format format, const char *scenario)
{
    struct sf_error err = SF_ERROR_INIT;
    struct model_scenario *parsed = model_scenario_parse(scenario, strlen(scenario), NULL, &err);

    if (!parsed)
        fail_msg("the scenario's line %u: %s", err.line, err.msg);
    model_responder_release(&c->responder);
    model_responder_init(&c->responder, parsed);
    sf_strlist_release(&c->complaints);
    c->format = format;
    c->replies = 0;
    answer_case_begin(c);
}

void answer_case_reopen(struct answer_case *c)
{
    const struct sf_agent_setup setup = { 0 };
    struct sf_agent *other = sf_agent_new(&setup);
    struct sf_error err = SF_ERROR_INIT;

    for (size_t i = 0; i < c->events.count; i++)
        if (!sf_agent_load(other, c->kinds.items[i], c->events.items[i], strlen(c->events.items[i]),
                           &err))
            fail_msg("event %zu, %s: %s", i, c->kinds.items[i], err.msg);
    sf_agent_free(c->agent);
    c->agent = other;
}

/* ---- effects ---- */

static void feed(struct answer_case *c, struct sf_input *in);

static void answer_call(struct answer_case *c, size_t call)
{
    struct sf_block block = { .kind = SF_BLOCK_RESULT };
    struct sf_input in = { .kind = SF_IN_RESULT, .call = call, .result = &block };

    block.text = sf_strdup("ok");
    block.len = 2;
    feed(c, &in);
}

static void allow_call(struct answer_case *c, size_t call)
{
    struct sf_input in = { .kind = SF_IN_ALLOWED, .call = call };

    feed(c, &in);
}

static void begin_call(struct answer_case *c)
{
    c->calls++;
    c->early_call = c->early_call || !c->finished;
}

static void perform(struct answer_case *c, const struct sf_effect *e)
{
    /* clang-format off */
    switch ((int)e->kind) {
    case SF_DO_SAVE:
        sf_strlist_add(&c->kinds, e->event);
        sf_strlist_adopt(&c->events, sf_strndup(e->json.buf, e->json.len));
        break;
    case SF_DO_REQUEST: c->asked = true; break;
    case SF_DO_CALL: begin_call(c); break;
    case SF_DO_ANSWERED: c->results++; break;
    case SF_DO_TEXT: sf_strbuf_add(&c->text, e->text.buf, e->text.len); break;
    case SF_DO_END:
        c->ends++;
        c->status = e->status;
        c->error = e->error;
        break;
    default: break;
    }
    /* clang-format on */
}

/* What calls come to is told when all effects of the step are done, as it is by a loop. */
static void feed(struct answer_case *c, struct sf_input *in)
{
    struct sf_effects effects = { 0 };

    sf_agent_step(c->agent, in, &effects);
    for (size_t i = 0; i < effects.count; i++)
        perform(c, &effects.items[i]);
    for (size_t i = 0; i < effects.count; i++) {
        if (effects.items[i].kind == SF_DO_CALL)
            allow_call(c, effects.items[i].call);
        else if (effects.items[i].kind == SF_DO_RUN)
            answer_call(c, effects.items[i].call);
    }
    sf_effects_release(&effects);
}

/* ---- the service ---- */

static void add_headers(struct model_http *http)
{
    static const char *const headers[][2] = {
        { "x-api-key", "k" },
        { "authorization", "Bearer k" },
        { "anthropic-version", "2023-06-01" },
        { "content-type", "application/json" },
    };

    for (size_t i = 0; i < SF_COUNT(headers); i++) {
        sf_strlist_add(&http->names, headers[i][0]);
        sf_strlist_add(&http->values, headers[i][1]);
    }
}

/* What the service has for the request that the history makes now. */
static void ask(struct answer_case *c, struct model_outgoing *out)
{
    static const struct sf_tool_schema tools[] = {
        { "Read", "reads a file", "{\"type\":\"object\",\"properties\":{}}" },
        { "Write", "writes a file", "{\"type\":\"object\",\"properties\":{}}" },
    };
    struct sf_wire_request request = { .format = c->format,
                                       .model = "test-model",
                                       .system = "You are a test.",
                                       .history = sf_agent_history(c->agent),
                                       .tools = tools,
                                       .tool_count = SF_COUNT(tools),
                                       .max_output = 8000,
                                       .cache = true,
                                       .summaries = sf_agent_wants_summaries(c->agent),
                                       .session = "s" };
    struct model_http http = { .body = SF_STRBUF_INIT, .keep_alive = true };
    struct sf_strbuf path = SF_STRBUF_INIT;

    sf_strbuf_addf(&path, "%s%s", c->format == SF_WIRE_ANTHROPIC ? "" : "/v1",
                   sf_wire_path(c->format));
    http.method = sf_strdup("POST");
    http.path = sf_strbuf_detach(&path);
    add_headers(&http);
    sf_wire_request_add(&request, &http.body);
    model_responder_answer(&c->responder, &http, out);
    if (out->complaint)
        sf_strlist_add(&c->complaints, out->complaint);
    else
        c->replies++;
    model_http_release(&http);
}

/* ---- the answer ---- */

struct ear {
    struct answer_case *c;
    struct sf_wire_error error;
    enum sf_stop stop;
    bool over;
};

/* The end waits until the decoder has returned, as in a client. */
static void on_stream(void *ctx, const struct sf_stream_event *event)
{
    struct ear *ear = ctx;
    struct sf_input in = { .kind = SF_IN_STREAM, .stream = event };

    if (event->kind == SF_STREAM_END || event->kind == SF_STREAM_ERROR) {
        ear->over = true;
        ear->stop = event->stop;
        if (event->kind == SF_STREAM_ERROR)
            ear->error = *event->error;
    } else {
        feed(ear->c, &in);
    }
}

/* A line that breaks is the fault, whatever the decoder makes of the half. */
static void note_break(struct ear *ear)
{
    if (ear->over && ear->error.fault == SF_FAULT_NONE)
        return;
    ear->over = true;
    ear->error = (struct sf_wire_error){ .fault = SF_FAULT_CONNECT, .retry_after_ms = -1 };
    snprintf(ear->error.message, sizeof(ear->error.message), "the connection broke");
}

static void conclude(struct answer_case *c, struct ear *ear)
{
    bool well = ear->error.fault == SF_FAULT_NONE;
    const struct sf_stream_event event = { .kind = well ? SF_STREAM_END : SF_STREAM_ERROR,
                                           .text = "",
                                           .stop = ear->stop,
                                           .error = well ? NULL : &ear->error };
    struct sf_input in = { .kind = SF_IN_STREAM, .stream = &event };

    c->finished = well;
    feed(c, &in);
}

static enum model_piece_kind read_all(struct model_plan *plan, struct sf_strbuf *out)
{
    enum model_piece_kind kind = MODEL_PIECE_BYTES;
    int64_t ms;

    while (model_plan_read(plan, PIECE, out, &kind, &ms))
        continue;
    return kind;
}

static void decode(struct answer_case *c, struct model_plan *plan, struct ear *ear)
{
    struct sf_decoder *decoder = sf_decoder_new(c->format, on_stream, ear);
    struct sf_strbuf bytes = SF_STRBUF_INIT;
    enum model_piece_kind how = read_all(plan, &bytes);

    for (size_t at = 0; at < bytes.len && !ear->over; at += PIECE)
        sf_decoder_feed(decoder, bytes.buf + at, bytes.len - at < PIECE ? bytes.len - at : PIECE);
    sf_decoder_finish(decoder);
    if (how == MODEL_PIECE_RESET)
        note_break(ear);
    sf_decoder_free(decoder);
    sf_strbuf_release(&bytes);
}

static void read_refusal(struct model_outgoing *out, struct sf_wire_error *error)
{
    struct sf_strbuf body = SF_STRBUF_INIT;

    read_all(&out->body, &body);
    sf_wire_error_read(out->status, NULL, 0, body.buf, body.len, error);
    sf_strbuf_release(&body);
}

static void answer(struct answer_case *c)
{
    struct model_outgoing out = { 0 };
    struct ear ear = { .c = c };

    c->asked = c->finished = false;
    sf_strbuf_reset(&c->text);
    ask(c, &out);
    if (out.status == 200)
        decode(c, &out.body, &ear);
    else
        read_refusal(&out, &ear.error);
    conclude(c, &ear);
    model_outgoing_release(&out);
}

static void say(struct answer_case *c, const char *words)
{
    struct sf_message m = SF_MESSAGE_INIT(SF_ROLE_USER);
    struct sf_input in = { .kind = SF_IN_USER, .message = &m };

    c->calls = c->results = c->ends = 0;
    c->early_call = false;
    sf_message_add_text(&m, words, strlen(words));
    feed(c, &in);
    sf_message_release(&m);
    assert_true(c->asked);
}

void answer_case_turn(struct answer_case *c, const char *words)
{
    say(c, words);
    for (int requests = 0; c->asked; requests++) {
        if (requests == REQUESTS_MAX)
            fail_msg("the turn does not end");
        answer(c);
    }
}

void answer_case_bytes(struct answer_case *c, const char *words, struct sf_strbuf *out)
{
    struct model_outgoing reply = { 0 };

    say(c, words);
    ask(c, &reply);
    read_all(&reply.body, out);
    model_outgoing_release(&reply);
}

void answer_case_check(const struct answer_case *c, const char *name)
{
    const struct sf_history *h = sf_agent_history(c->agent);
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_history_check(h, &err))
        fail_msg("%s: %s", name, err.msg);
    for (size_t i = 0; i < h->count; i++)
        for (size_t k = 0; k < h->messages[i].count; k++) {
            const struct sf_block *b = &h->messages[i].blocks[k];

            if (b->text && !sf_utf8_valid(b->text, b->len, NULL))
                fail_msg("%s: message %zu is no UTF-8", name, i);
        }
}
