/*
 * A stored message from a stranger's hand: what is taken writes to the very bytes it would have
 * been written as, and may go into a request of any format without spoiling it.
 */
#include <stdint.h>
#include <stdlib.h>

#include "support/json_equal.h"
#include "wire/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void write_message(const struct sf_message *message, struct sf_strbuf *out)
{
    struct sf_json_writer w;

    sf_jw_init(&w, out);
    sf_message_json(message, &w);
    require(sf_jw_done(&w));
}

static struct sf_json *parse(const char *text, size_t len)
{
    const struct sf_json_limits wide = { .bytes = SIZE_MAX, .depth = SF_JSON_DEPTH_MAX };
    struct sf_error err = SF_ERROR_INIT;

    return sf_json_parse(text, len, &wide, &err);
}

static void round_trip(const struct sf_message *message, const struct sf_json *json)
{
    struct sf_strbuf first = SF_STRBUF_INIT, second = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_message again;
    struct sf_json *copy;

    write_message(message, &first);
    copy = parse(first.buf, first.len);
    require(copy && json_equal(json, copy));
    require(sf_message_from_json(&again, copy, &err));
    write_message(&again, &second);
    require(first.len == second.len && !memcmp(first.buf, second.buf, first.len));
    sf_message_release(&again);
    sf_json_free(copy);
    sf_strbuf_release(&first);
    sf_strbuf_release(&second);
}

/* Even one that no service would take must make JSON. */
static void request(struct sf_message *message)
{
    struct sf_history history = { message, 1, 1 };
    struct sf_strbuf body = SF_STRBUF_INIT;

    for (int format = 0; format < 6; format++) {
        struct sf_wire_request r = { .format = (enum sf_wire_format)(format % 3),
                                     .model = "m",
                                     .system = "",
                                     .history = &history,
                                     .images = format > 2,
                                     .cache = format > 2,
                                     .reasoning_back = format > 2 };
        struct sf_json *json;

        sf_strbuf_reset(&body);
        sf_wire_request_add(&r, &body);
        json = parse(body.buf, body.len);
        require(json != NULL);
        sf_json_free(json);
    }
    sf_strbuf_release(&body);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json *json = sf_json_parse((const char *)data, size, NULL, &err);
    struct sf_message message;

    if (json && sf_message_from_json(&message, json, &err)) {
        struct sf_history history = { &message, 1, 1 };

        round_trip(&message, json);
        require(sf_message_tokens(&message) > 0);
        require(sf_history_check(&history, &err) || err.msg[0]);
        request(&message);
        sf_message_release(&message);
    }
    sf_json_free(json);
    return 0;
}
