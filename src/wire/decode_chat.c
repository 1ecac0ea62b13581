/*
 * decode_chat.c: Chat Completions as a stream, from services that agree on little beyond its
 * name. Nothing says where a block ends, so all end with the answer. What is tolerated here was
 * seen in the wild: calls without a number or an id, two calls under one number, whole messages
 * instead of deltas, arguments as an object, text as a list of parts, no reason for the end.
 */
#include <string.h>

#include "base/base.h"
#include "wire/decoder.h"

/* Keys of slots: calls have the service's numbers, from 0, or our own, from here. */
enum { REASONING_KEY = -1, TEXT_KEY = -2, UNNUMBERED = 1000 * 1000 };

static const struct {
    const char *reason;
    enum sf_stop stop;
} stops[] = {
    { "stop", SF_STOP_END },
    { "tool_calls", SF_STOP_CALLS },
    { "function_call", SF_STOP_CALLS },
    { "length", SF_STOP_LENGTH },
    { "max_tokens", SF_STOP_LENGTH },
    { "model_length", SF_STOP_CONTEXT },
    { "content_filter", SF_STOP_REFUSAL },
    { "sensitive", SF_STOP_REFUSAL },
    { "refusal", SF_STOP_REFUSAL },
};

static const struct {
    const char *reason;
    enum sf_fault fault;
    const char *message;
} failures[] = {
    { "error", SF_FAULT_SERVER, "the service broke off the answer" },
    { "network_error", SF_FAULT_SERVER, "the service broke off the answer" },
    { "insufficient_system_resource", SF_FAULT_OVERLOAD, "the service ran out of capacity" },
};

static void read_usage(struct sf_decoder *d, const struct sf_json *usage)
{
    const struct sf_json *prompt = sf_wire_get(usage, "prompt_tokens_details");
    struct sf_usage u = { 0 };

    if (!usage || sf_json_type(usage) != SF_JSON_OBJECT)
        return;
    sf_wire_int(usage, "prompt_tokens", &u.input);
    sf_wire_int(usage, "completion_tokens", &u.output);
    sf_wire_int(usage, "prompt_cache_hit_tokens", &u.cache_read);
    sf_wire_int(prompt, "cached_tokens", &u.cache_read);
    sf_wire_int(prompt, "cache_write_tokens", &u.cache_write);
    sf_wire_int(sf_wire_get(usage, "completion_tokens_details"), "reasoning_tokens", &u.reasoning);
    sf_decoder_set_usage(d, &u);
}

static void add_to(struct sf_decoder *d, int64_t key, enum sf_block_kind kind, const char *text)
{
    struct sf_slot *slot = sf_decoder_find(d, key);

    if (!text || !*text)
        return;
    if (!slot)
        slot = sf_decoder_open(d, key, kind);
    if (slot)
        sf_decoder_add(d, slot, text);
}

static void add_text(struct sf_decoder *d, const char *text)
{
    add_to(d, TEXT_KEY, SF_BLOCK_TEXT, text);
}

static void add_reasoning(struct sf_decoder *d, const char *text)
{
    add_to(d, REASONING_KEY, SF_BLOCK_REASONING, text);
}

static void read_part(struct sf_decoder *d, const struct sf_json *part)
{
    const struct sf_json *thinking = sf_wire_item(sf_wire_get(part, "thinking"));

    for (; thinking; thinking = sf_json_next(thinking))
        add_reasoning(d, sf_wire_str(thinking, "text"));
    add_text(d, sf_wire_str(part, "text"));
}

static void read_content(struct sf_decoder *d, const struct sf_json *delta)
{
    const struct sf_json *part = sf_wire_item(sf_wire_get(delta, "content"));
    const char *reasoning = sf_wire_str(delta, "reasoning_content");
    const char *refusal = sf_wire_str(delta, "refusal");

    /* some send it under both names */
    add_reasoning(d, reasoning && *reasoning ? reasoning : sf_wire_str(delta, "reasoning"));
    add_text(d, sf_wire_str(delta, "content"));
    for (; part; part = sf_json_next(part))
        read_part(d, part);
    d->refused = d->refused || (refusal && *refusal);
    add_text(d, refusal);
}

static struct sf_slot *find_id(struct sf_decoder *d, const char *id)
{
    for (size_t i = d->count; i > 0; i--)
        if (d->slots[i - 1].id && !strcmp(d->slots[i - 1].id, id))
            return &d->slots[i - 1];
    return NULL;
}

static struct sf_slot *last_call(struct sf_decoder *d)
{
    for (size_t i = d->count; i > 0; i--)
        if (d->slots[i - 1].kind == SF_BLOCK_CALL)
            return &d->slots[i - 1];
    return NULL;
}

/* The call a piece belongs to; NULL: it begins a new one. */
static struct sf_slot *find_call(struct sf_decoder *d, int64_t index, const char *id,
                                 const char *name)
{
    bool named = name && *name, known = id && *id;
    struct sf_slot *slot;

    if (index < 0 && known)
        return find_id(d, id);
    if (index < 0)
        return named ? NULL : last_call(d);
    slot = sf_decoder_find(d, index);
    if (slot && named && known && slot->id && strcmp(slot->id, id) != 0)
        return find_id(d, id);
    return slot;
}

static void add_arguments(struct sf_decoder *d, struct sf_slot *slot, const struct sf_json *json)
{
    const struct sf_json *arguments = sf_wire_get(json, "arguments");
    struct sf_strbuf whole = SF_STRBUF_INIT;
    struct sf_json_writer w;

    if (arguments && sf_json_type(arguments) == SF_JSON_OBJECT) {
        sf_jw_init(&w, &whole);
        sf_jw_json(&w, arguments);
        sf_decoder_add(d, slot, whole.buf);
        sf_strbuf_release(&whole);
    } else {
        sf_decoder_add(d, slot, sf_wire_str(json, "arguments"));
    }
}

static void read_call(struct sf_decoder *d, const struct sf_json *json)
{
    const struct sf_json *function = sf_wire_get(json, "function");
    const char *id = sf_wire_str(json, "id"), *name = sf_wire_str(function, "name");
    struct sf_slot *slot;
    int64_t index = -1;

    sf_wire_int(json, "index", &index);
    if (index >= UNNUMBERED)
        index = -1;
    slot = find_call(d, index, id, name);
    if (!slot)
        slot =
            sf_decoder_open(d, index < 0 ? UNNUMBERED + (int64_t)d->count : index, SF_BLOCK_CALL);
    if (!slot)
        return;
    sf_decoder_call(d, slot, id, name);
    add_arguments(d, slot, function);
}

static void read_reason(struct sf_decoder *d, const char *reason)
{
    if (!reason || !*reason)
        return;
    for (size_t i = 0; i < SF_COUNT(failures); i++)
        if (!strcmp(failures[i].reason, reason))
            sf_decoder_fail(d, failures[i].fault, "%s", failures[i].message);
    sf_decoder_stop(d, SF_STOP_END);
    for (size_t i = 0; i < SF_COUNT(stops); i++)
        if (!strcmp(stops[i].reason, reason))
            sf_decoder_stop(d, stops[i].stop);
}

/* The first choice; there are others only where somebody asked for them. */
static const struct sf_json *choice_of(const struct sf_json *json)
{
    const struct sf_json *it = sf_wire_item(sf_wire_get(json, "choices"));

    for (; it; it = sf_json_next(it)) {
        int64_t index = 0;

        sf_wire_int(it, "index", &index);
        if (!index)
            break;
    }
    return it;
}

static void on_event(struct sf_decoder *d, const char *name, const struct sf_json *json)
{
    const struct sf_json *choice = choice_of(json), *delta = sf_wire_get(choice, "delta");
    const struct sf_json *call;

    if (sf_wire_get(json, "error") || !strcmp(name, "error")) {
        sf_decoder_fail_json(d, json);
        return;
    }
    sf_decoder_begin(d, sf_wire_str(json, "model"));
    if (!delta && !d->count) /* behind deltas a whole message would say it all again */
        delta = sf_wire_get(choice, "message");
    read_content(d, delta);
    call = sf_wire_item(sf_wire_get(delta, "tool_calls"));
    for (; call && !d->over; call = sf_json_next(call))
        read_call(d, call);
    read_reason(d, sf_wire_str(choice, "finish_reason"));
    read_usage(d, sf_wire_get(json, "usage"));
    read_usage(d, sf_wire_get(sf_wire_get(json, "x_groq"), "usage"));
}

const struct sf_dialect sf_dialect_chat = { .event = on_event, .open_ended = true };
