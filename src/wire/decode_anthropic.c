/*
 * decode_anthropic.c: Anthropic Messages as a stream. Blocks are numbered, begin, grow and end in
 * the open, so each event has one row here. Thinking comes with a signature and is kept as the
 * whole block it will be sent back as; without its signature it is worth nothing to the service.
 */
#include <string.h>

#include "base/base.h"
#include "wire/decoder.h"

static const struct {
    const char *type;
    enum sf_block_kind kind;
    bool sealed;
} kinds[] = {
    { "text", SF_BLOCK_TEXT, false },
    { "thinking", SF_BLOCK_REASONING, false },
    { "redacted_thinking", SF_BLOCK_REASONING, true },
    { "tool_use", SF_BLOCK_CALL, false },
};

static const struct {
    const char *type, *member;
    enum sf_block_kind kind;
    bool raw;
} deltas[] = {
    { "text_delta", "text", SF_BLOCK_TEXT, false },
    { "input_json_delta", "partial_json", SF_BLOCK_CALL, false },
    { "thinking_delta", "thinking", SF_BLOCK_REASONING, false },
    { "signature_delta", "signature", SF_BLOCK_REASONING, true },
};

static const struct {
    const char *reason;
    enum sf_stop stop;
} stops[] = {
    { "end_turn", SF_STOP_END },
    { "stop_sequence", SF_STOP_END },
    { "tool_use", SF_STOP_CALLS },
    { "max_tokens", SF_STOP_LENGTH },
    { "model_context_window_exceeded", SF_STOP_CONTEXT },
    { "refusal", SF_STOP_REFUSAL },
    { "pause_turn", SF_STOP_PAUSE },
};

static void read_usage(struct sf_decoder *d, const struct sf_json *usage)
{
    if (!usage)
        return;
    sf_wire_int(usage, "input_tokens", &d->usage.input);
    sf_wire_int(usage, "output_tokens", &d->usage.output);
    sf_wire_int(usage, "cache_read_input_tokens", &d->usage.cache_read);
    sf_wire_int(usage, "cache_creation_input_tokens", &d->usage.cache_write);
    sf_decoder_tell_usage(d);
}

static void on_start(struct sf_decoder *d, const struct sf_json *json)
{
    const struct sf_json *message = sf_wire_get(json, "message");

    sf_decoder_begin(d, sf_wire_str(message, "model"));
    read_usage(d, sf_wire_get(message, "usage"));
}

static int64_t index_of(const struct sf_json *json)
{
    int64_t index = -1;

    sf_wire_int(json, "index", &index);
    return index;
}

static void read_start(struct sf_decoder *d, struct sf_slot *slot, const struct sf_json *block)
{
    const struct sf_json *input = sf_wire_get(block, "input");

    if (slot->kind == SF_BLOCK_TEXT)
        sf_decoder_add(d, slot, sf_wire_str(block, "text"));
    if (slot->kind == SF_BLOCK_REASONING) {
        sf_decoder_add(d, slot, sf_wire_str(block, "thinking"));
        sf_decoder_add_raw(d, slot, sf_wire_str(block, "signature"));
        sf_decoder_add_raw(d, slot, sf_wire_str(block, "data"));
    }
    if (slot->kind != SF_BLOCK_CALL)
        return;
    sf_decoder_call(d, slot, sf_wire_str(block, "id"), sf_wire_str(block, "name"));
    if (input && sf_json_type(input) == SF_JSON_OBJECT && sf_json_first(input)) {
        struct sf_strbuf whole = SF_STRBUF_INIT;
        struct sf_json_writer w;

        sf_jw_init(&w, &whole);
        sf_jw_json(&w, input);
        sf_decoder_add_raw(d, slot, whole.buf); /* all of it, should no pieces follow */
        sf_strbuf_release(&whole);
    }
}

static void on_block_start(struct sf_decoder *d, const struct sf_json *json)
{
    const struct sf_json *block = sf_wire_get(json, "content_block");
    int64_t index = index_of(json);
    struct sf_slot *slot;

    if (index < 0 || sf_decoder_find(d, index)) {
        sf_decoder_fail(d, SF_FAULT_MALFORMED, "a part of the answer begins twice");
        return;
    }
    slot = sf_decoder_open(d, index, SF_BLOCK_TEXT);
    if (!slot)
        return;
    slot->ignored = true;
    for (size_t i = 0; i < SF_COUNT(kinds); i++) {
        if (sf_wire_is(block, "type", kinds[i].type)) {
            slot->kind = kinds[i].kind;
            slot->sealed = kinds[i].sealed;
            slot->ignored = false;
        }
    }
    if (!slot->ignored)
        read_start(d, slot, block);
}

static struct sf_slot *open_slot(struct sf_decoder *d, const struct sf_json *json)
{
    struct sf_slot *slot = sf_decoder_find(d, index_of(json));

    if (slot && !slot->closed)
        return slot;
    sf_decoder_fail(d, SF_FAULT_MALFORMED, "a piece of the answer belongs to nothing");
    return NULL;
}

static void on_block_delta(struct sf_decoder *d, const struct sf_json *json)
{
    const struct sf_json *delta = sf_wire_get(json, "delta");
    struct sf_slot *slot = open_slot(d, json);

    for (size_t i = 0; slot && !slot->ignored && i < SF_COUNT(deltas); i++) {
        if (!sf_wire_is(delta, "type", deltas[i].type))
            continue;
        if (slot->kind != deltas[i].kind)
            sf_decoder_fail(d, SF_FAULT_MALFORMED, "a piece of the answer is of the wrong kind");
        else if (deltas[i].raw)
            sf_decoder_add_raw(d, slot, sf_wire_str(delta, deltas[i].member));
        else
            sf_decoder_add(d, slot, sf_wire_str(delta, deltas[i].member));
    }
}

/* Signature or sealed data alone so far; what goes back is the block around it. */
static void seal(struct sf_slot *slot)
{
    struct sf_strbuf block = SF_STRBUF_INIT;
    struct sf_json_writer w;
    bool thinking = !slot->sealed;

    if (!slot->raw.len)
        return;
    sf_jw_init(&w, &block);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "type", thinking ? "thinking" : "redacted_thinking");
    if (thinking)
        sf_jw_key_str(&w, "thinking", slot->text.buf);
    sf_jw_key_str(&w, thinking ? "signature" : "data", slot->raw.buf);
    sf_jw_object_end(&w);
    sf_strbuf_release(&slot->raw);
    slot->raw = block;
}

static void on_block_stop(struct sf_decoder *d, const struct sf_json *json)
{
    struct sf_slot *slot = open_slot(d, json);

    if (!slot)
        return;
    if (slot->kind == SF_BLOCK_REASONING)
        seal(slot);
    if (slot->kind == SF_BLOCK_CALL && !slot->text.len) {
        sf_strbuf_add(&slot->text, slot->raw.buf, slot->raw.len);
        sf_strbuf_reset(&slot->raw);
    }
    sf_decoder_close(d, slot);
}

static void on_delta(struct sf_decoder *d, const struct sf_json *json)
{
    const struct sf_json *delta = sf_wire_get(json, "delta");

    for (size_t i = 0; i < SF_COUNT(stops); i++)
        if (sf_wire_is(delta, "stop_reason", stops[i].reason))
            sf_decoder_stop(d, stops[i].stop);
    if (!d->stopped && sf_wire_str(delta, "stop_reason"))
        sf_decoder_stop(d, SF_STOP_END);
    read_usage(d, sf_wire_get(json, "usage"));
}

static void on_stop(struct sf_decoder *d, const struct sf_json *json)
{
    (void)json;
    sf_decoder_end(d);
}

static const struct {
    const char *type;
    void (*read)(struct sf_decoder *d, const struct sf_json *json);
} events[] = {
    { "message_start", on_start },
    { "content_block_start", on_block_start },
    { "content_block_delta", on_block_delta },
    { "content_block_stop", on_block_stop },
    { "message_delta", on_delta },
    { "message_stop", on_stop },
    { "error", sf_decoder_fail_json },
};

static void on_event(struct sf_decoder *d, const char *name, const struct sf_json *json)
{
    const char *type = sf_wire_str(json, "type");

    if (!type)
        type = name;
    for (size_t i = 0; i < SF_COUNT(events); i++) {
        if (!strcmp(events[i].type, type)) {
            events[i].read(d, json);
            return;
        }
    }
}

const struct sf_dialect sf_dialect_anthropic = { .event = on_event };
