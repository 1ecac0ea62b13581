/*
 * decode_responses.c: OpenAI Responses as a stream. Items are numbered, grow by deltas and are
 * said once more in full when they are done. Text that was shown stays as it was shown; arguments
 * and sealed reasoning are taken from the finished item, which alone is complete.
 */
#include <string.h>

#include "base/base.h"
#include "wire/decoder.h"

static const struct {
    const char *type;
    enum sf_block_kind kind;
} kinds[] = {
    { "message", SF_BLOCK_TEXT },
    { "reasoning", SF_BLOCK_REASONING },
    { "function_call", SF_BLOCK_CALL },
};

static const struct {
    const char *type;
    enum sf_block_kind kind;
} deltas[] = {
    { "response.output_text.delta", SF_BLOCK_TEXT },
    { "response.refusal.delta", SF_BLOCK_TEXT },
    { "response.reasoning_summary_text.delta", SF_BLOCK_REASONING },
    { "response.reasoning_text.delta", SF_BLOCK_REASONING },
    { "response.function_call_arguments.delta", SF_BLOCK_CALL },
};

static const struct {
    const char *reason;
    enum sf_stop stop;
} stops[] = {
    { "max_output_tokens", SF_STOP_LENGTH },
    { "content_filter", SF_STOP_REFUSAL },
};

static void read_usage(struct sf_decoder *d, const struct sf_json *usage)
{
    const struct sf_json *input = sf_wire_get(usage, "input_tokens_details");
    struct sf_usage u = { 0 };

    if (!usage || sf_json_type(usage) != SF_JSON_OBJECT)
        return;
    sf_wire_int(usage, "input_tokens", &u.input);
    sf_wire_int(usage, "output_tokens", &u.output);
    sf_wire_int(input, "cached_tokens", &u.cache_read);
    sf_wire_int(input, "cache_write_tokens", &u.cache_write);
    sf_wire_int(sf_wire_get(usage, "output_tokens_details"), "reasoning_tokens", &u.reasoning);
    sf_decoder_set_usage(d, &u);
}

/* The item an event speaks of: by number, or the one being written. */
static struct sf_slot *slot_of(struct sf_decoder *d, const struct sf_json *json, int64_t *key)
{
    *key = -1;
    sf_wire_int(json, "output_index", key);
    if (*key >= 0)
        return sf_decoder_find(d, *key);
    *key = (int64_t)d->count;
    return d->count && !d->slots[d->count - 1].closed ? &d->slots[d->count - 1] : NULL;
}

static struct sf_slot *open_item(struct sf_decoder *d, int64_t key, const struct sf_json *item)
{
    struct sf_slot *slot = sf_decoder_open(d, key, SF_BLOCK_TEXT);

    if (!slot)
        return NULL;
    slot->ignored = true;
    for (size_t i = 0; i < SF_COUNT(kinds); i++) {
        if (sf_wire_is(item, "type", kinds[i].type)) {
            slot->kind = kinds[i].kind;
            slot->ignored = false;
        }
    }
    if (slot->kind == SF_BLOCK_CALL)
        sf_decoder_call(d, slot, sf_wire_str(item, "call_id"), sf_wire_str(item, "name"));
    return slot;
}

static void on_item_added(struct sf_decoder *d, const struct sf_json *json)
{
    int64_t key = -1;

    sf_wire_int(json, "output_index", &key);
    if (key >= 0 && sf_decoder_find(d, key))
        sf_decoder_fail(d, SF_FAULT_MALFORMED, "a part of the answer begins twice");
    else
        open_item(d, key >= 0 ? key : (int64_t)d->count, sf_wire_get(json, "item"));
}

static void on_delta(struct sf_decoder *d, const struct sf_json *json, enum sf_block_kind kind)
{
    int64_t key;
    struct sf_slot *slot = slot_of(d, json, &key);

    if (!slot)
        slot = sf_decoder_open(d, key, kind);
    if (!slot || slot->ignored)
        return;
    if (slot->kind != kind || slot->closed)
        sf_decoder_fail(d, SF_FAULT_MALFORMED, "a piece of the answer belongs to nothing");
    else
        sf_decoder_add(d, slot, sf_wire_str(json, "delta"));
}

static void on_part_added(struct sf_decoder *d, const struct sf_json *json)
{
    int64_t key;
    struct sf_slot *slot = slot_of(d, json, &key);

    if (slot && !slot->closed && slot->kind == SF_BLOCK_REASONING && slot->text.len)
        sf_decoder_add(d, slot, "\n\n");
}

/* Text of a list of parts, for services that sent no deltas. */
static void add_parts(struct sf_decoder *d, struct sf_slot *slot, const struct sf_json *parts)
{
    for (const struct sf_json *it = sf_wire_item(parts); it; it = sf_json_next(it)) {
        sf_decoder_add(d, slot, sf_wire_str(it, "text"));
        sf_decoder_add(d, slot, sf_wire_str(it, "refusal"));
    }
}

static void finish_message(struct sf_decoder *d, struct sf_slot *slot, const struct sf_json *item)
{
    const struct sf_json *parts = sf_wire_get(item, "content");

    for (const struct sf_json *it = sf_wire_item(parts); it; it = sf_json_next(it))
        d->refused = d->refused || sf_wire_is(it, "type", "refusal");
    if (!slot->text.len)
        add_parts(d, slot, parts);
}

/* The members the service takes back; it refuses others it has itself sent. */
static void keep_reasoning(struct sf_decoder *d, struct sf_slot *slot, const struct sf_json *item)
{
    const struct sf_json *summary = sf_wire_get(item, "summary");
    const char *sealed = sf_wire_str(item, "encrypted_content"), *id = sf_wire_str(item, "id");
    struct sf_strbuf raw = SF_STRBUF_INIT;
    struct sf_json_writer w;

    if (!sealed)
        return;
    sf_jw_init(&w, &raw);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "type", "reasoning");
    if (id)
        sf_jw_key_str(&w, "id", id);
    sf_jw_key(&w, "summary");
    if (summary)
        sf_jw_json(&w, summary);
    else
        sf_jw_raw(&w, "[]", 2);
    sf_jw_key_str(&w, "encrypted_content", sealed);
    sf_jw_object_end(&w);
    sf_decoder_add_raw(d, slot, raw.buf);
    sf_strbuf_release(&raw);
}

static void finish_call(struct sf_decoder *d, struct sf_slot *slot, const struct sf_json *item)
{
    const char *arguments = sf_wire_str(item, "arguments");

    sf_decoder_call(d, slot, sf_wire_str(item, "call_id"), sf_wire_str(item, "name"));
    slot->ignored = sf_wire_is(item, "status", "incomplete");
    if (!arguments || !*arguments)
        return;
    sf_strbuf_reset(&slot->text);
    slot->tail_len = 0;
    sf_decoder_add(d, slot, arguments);
}

static void finish_item(struct sf_decoder *d, struct sf_slot *slot, const struct sf_json *item)
{
    if (slot->ignored) {
        sf_decoder_close(d, slot);
        return;
    }
    if (slot->kind == SF_BLOCK_TEXT)
        finish_message(d, slot, item);
    if (slot->kind == SF_BLOCK_CALL)
        finish_call(d, slot, item);
    if (slot->kind == SF_BLOCK_REASONING) {
        if (!slot->text.len)
            add_parts(d, slot, sf_wire_get(item, "summary"));
        if (!slot->text.len)
            add_parts(d, slot, sf_wire_get(item, "content"));
        keep_reasoning(d, slot, item);
    }
    sf_decoder_close(d, slot);
}

static void on_item_done(struct sf_decoder *d, const struct sf_json *json)
{
    const struct sf_json *item = sf_wire_get(json, "item");
    int64_t key;
    struct sf_slot *slot = slot_of(d, json, &key);

    if (!slot)
        slot = open_item(d, key, item);
    if (slot && slot->closed)
        sf_decoder_fail(d, SF_FAULT_MALFORMED, "a part of the answer ends twice");
    else if (slot)
        finish_item(d, slot, item);
}

static void on_created(struct sf_decoder *d, const struct sf_json *json)
{
    sf_decoder_begin(d, sf_wire_str(sf_wire_get(json, "response"), "model"));
}

/* Where no item came by itself, all of them may be here. */
static void read_output(struct sf_decoder *d, const struct sf_json *response)
{
    const struct sf_json *item = sf_wire_item(sf_wire_get(response, "output"));

    if (d->count)
        return;
    for (; item && !d->over; item = sf_json_next(item)) {
        struct sf_slot *slot = open_item(d, (int64_t)d->count, item);

        if (slot)
            finish_item(d, slot, item);
    }
}

static void on_completed(struct sf_decoder *d, const struct sf_json *json)
{
    const struct sf_json *response = sf_wire_get(json, "response");

    sf_decoder_begin(d, sf_wire_str(response, "model"));
    read_output(d, response);
    read_usage(d, sf_wire_get(response, "usage"));
    sf_decoder_stop(d, SF_STOP_END);
    sf_decoder_end(d);
}

static void on_incomplete(struct sf_decoder *d, const struct sf_json *json)
{
    const struct sf_json *response = sf_wire_get(json, "response");
    const struct sf_json *details = sf_wire_get(response, "incomplete_details");

    sf_decoder_begin(d, sf_wire_str(response, "model"));
    read_output(d, response);
    read_usage(d, sf_wire_get(response, "usage"));
    sf_decoder_stop(d, SF_STOP_LENGTH);
    for (size_t i = 0; i < SF_COUNT(stops); i++)
        if (sf_wire_is(details, "reason", stops[i].reason))
            sf_decoder_stop(d, stops[i].stop);
    sf_decoder_end(d);
}

static void on_failed(struct sf_decoder *d, const struct sf_json *json)
{
    const struct sf_json *response = sf_wire_get(json, "response");

    sf_decoder_fail_json(d, response ? response : json);
}

static const struct {
    const char *type;
    void (*read)(struct sf_decoder *d, const struct sf_json *json);
} events[] = {
    { "response.created", on_created },
    { "response.output_item.added", on_item_added },
    { "response.output_item.done", on_item_done },
    { "response.reasoning_summary_part.added", on_part_added },
    { "response.completed", on_completed },
    { "response.incomplete", on_incomplete },
    { "response.failed", on_failed },
    { "response.cancelled", on_failed },
    { "error", sf_decoder_fail_json },
};

static void on_event(struct sf_decoder *d, const char *name, const struct sf_json *json)
{
    const char *type = sf_wire_str(json, "type");

    if (!type)
        type = name;
    for (size_t i = 0; i < SF_COUNT(deltas); i++)
        if (!strcmp(deltas[i].type, type))
            on_delta(d, json, deltas[i].kind);
    for (size_t i = 0; i < SF_COUNT(events); i++)
        if (!strcmp(events[i].type, type))
            events[i].read(d, json);
}

const struct sf_dialect sf_dialect_responses = { .event = on_event };
