/*
 * A model service gone mad: the first byte picks the format, the second how the rest is cut. In
 * pieces or whole the events are the same; there is exactly one end, nothing behind it, and what
 * was delivered makes a message that stores, reads back and goes into a request any service can
 * parse.
 */
#include <stdint.h>
#include <stdlib.h>

#include "wire/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct heard {
    struct sf_strbuf log;
    struct sf_message message;
    size_t ends;
    bool good;
};

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void add_line(struct sf_strbuf *log, int kind, const char *text, size_t len)
{
    require(sf_utf8_valid(text, len, NULL));
    sf_strbuf_addf(log, "%d:", kind);
    sf_strbuf_add(log, text, len);
    sf_strbuf_addch(log, '\n');
}

static void hear(void *ctx, const struct sf_stream_event *event)
{
    struct heard *heard = ctx;

    require(!heard->ends);
    add_line(&heard->log, (int)event->kind, event->text, event->len);
    if (event->kind == SF_STREAM_BLOCK) {
        require(event->block->len == strlen(event->block->text));
        add_line(&heard->log, (int)event->block->kind, event->block->text, event->block->len);
        sf_message_adopt(&heard->message, event->block);
    }
    if (event->kind == SF_STREAM_ERROR)
        add_line(&heard->log, (int)event->error->fault, event->error->message,
                 strlen(event->error->message));
    heard->ends += event->kind == SF_STREAM_END || event->kind == SF_STREAM_ERROR;
    heard->good = event->kind == SF_STREAM_END;
}

static void decode(struct heard *heard, enum sf_wire_format format, const uint8_t *data,
                   size_t size, size_t step)
{
    struct sf_decoder *decoder = sf_decoder_new(format, hear, heard);

    *heard = (struct heard){ .log = SF_STRBUF_INIT, .message = SF_MESSAGE_INIT(SF_ROLE_ASSISTANT) };
    for (size_t at = 0; at < size; at += step)
        sf_decoder_feed(decoder, data + at, step < size - at ? step : size - at);
    sf_decoder_finish(decoder);
    sf_decoder_free(decoder);
    require(heard->ends == 1);
}

static void release(struct heard *heard)
{
    sf_message_release(&heard->message);
    sf_strbuf_release(&heard->log);
}

static struct sf_json *parse(const struct sf_strbuf *text)
{
    const struct sf_json_limits wide = { .bytes = SIZE_MAX, .depth = SF_JSON_DEPTH_MAX };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json *json = sf_json_parse(text->buf, text->len, &wide, &err);

    require(json != NULL);
    return json;
}

static void store(const struct sf_message *message)
{
    struct sf_strbuf first = SF_STRBUF_INIT, second = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_message again;
    struct sf_json_writer w;
    struct sf_json *json;

    sf_jw_init(&w, &first);
    sf_message_json(message, &w);
    json = parse(&first);
    require(sf_message_from_json(&again, json, &err));
    sf_jw_init(&w, &second);
    sf_message_json(&again, &w);
    require(first.len == second.len && !memcmp(first.buf, second.buf, first.len));
    sf_message_release(&again);
    sf_json_free(json);
    sf_strbuf_release(&first);
    sf_strbuf_release(&second);
}

/* As the agent would: a question, the answer, the results. */
static void send_back(struct sf_message *message)
{
    struct sf_history history = SF_HISTORY_INIT;
    struct sf_strbuf body = SF_STRBUF_INIT;
    struct sf_message results = SF_MESSAGE_INIT(SF_ROLE_USER);
    struct sf_error err = SF_ERROR_INIT;

    sf_message_add_text(sf_history_add(&history, SF_ROLE_USER), "hi", 2);
    for (size_t i = 0; i < message->count; i++)
        if (message->blocks[i].kind == SF_BLOCK_CALL)
            sf_message_add_result(&results, message->blocks[i].id, message->blocks[i].name, "", 0);
    if (message->count)
        sf_history_adopt(&history, message);
    if (results.count)
        sf_history_adopt(&history, &results);
    require(sf_history_check(&history, &err));
    for (int format = 0; format <= SF_WIRE_RESPONSES; format++) {
        sf_strbuf_reset(&body);
        sf_wire_request_add(&(struct sf_wire_request){ .format = (enum sf_wire_format)format,
                                                       .model = "m",
                                                       .system = "s",
                                                       .history = &history,
                                                       .thinking_budget = 2048,
                                                       .max_output = 9000,
                                                       .cache = true,
                                                       .reasoning_back = true },
                            &body);
        sf_json_free(parse(&body));
    }
    sf_history_release(&history);
    sf_strbuf_release(&body);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct heard whole, pieces;
    struct sf_wire_error error;
    enum sf_wire_format format;

    if (size < 2)
        return 0;
    format = (enum sf_wire_format)(data[0] % 3);
    decode(&whole, format, data + 2, size - 2, size);
    decode(&pieces, format, data + 2, size - 2, 1u + data[1]);
    require(whole.log.len == pieces.log.len &&
            !memcmp(whole.log.buf, pieces.log.buf, whole.log.len));
    store(&whole.message);
    if (whole.good)
        send_back(&whole.message);
    release(&whole);
    release(&pieces);
    sf_wire_error_read(data[0] * 3, NULL, 0, (const char *)data + 2, size - 2, &error);
    require(sf_utf8_valid(error.message, strlen(error.message), NULL));
    return 0;
}
