/*
 * decode_slot.c: blocks while they are being written, and their way out. Text is cut at whole
 * characters before it is shown or kept; the rest of one waits for its other half. Whatever an
 * answer does, the blocks that leave here make a history a service will take back: ids are unique,
 * names are there, arguments are not half of something.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "wire/decoder.h"
#include "wire/repair.h"

enum { TOKENS_MAX = 1000 * 1000 * 1000 };

static void emit(struct sf_decoder *d, const struct sf_stream_event *event)
{
    sf_decoder_begin(d, NULL);
    if (!d->over)
        d->fn(d->ctx, event);
}

static void emit_text(struct sf_decoder *d, enum sf_stream_kind kind, const char *text, size_t len)
{
    emit(d, &(struct sf_stream_event){ .kind = kind, .text = text, .len = len });
}

/* Text of the present event as it was meant: valid or not. Good until the next call. */
static const struct sf_strbuf *meant(struct sf_decoder *d, const char *text)
{
    sf_strbuf_reset(&d->scratch);
    if (d->repaired)
        sf_repair_undo(&d->scratch, text, strlen(text));
    else
        sf_strbuf_adds(&d->scratch, text);
    return &d->scratch;
}

/* A short text of its own, valid and cut to size. */
static char *meant_copy(struct sf_decoder *d, const char *text, size_t max)
{
    const struct sf_strbuf *sb = meant(d, text);
    struct sf_strbuf clean = SF_STRBUF_INIT;

    sf_utf8_scrub(&clean, sb->buf, sb->len < max ? sb->len : max);
    return sf_strbuf_detach(&clean);
}

void sf_decoder_begin(struct sf_decoder *d, const char *model)
{
    char *name;

    if (d->begun || d->over)
        return;
    d->begun = true;
    name = meant_copy(d, model ? model : "", SF_DECODER_NAME_MAX);
    emit_text(d, SF_STREAM_BEGIN, name, strlen(name));
    free(name);
}

struct sf_slot *sf_decoder_open(struct sf_decoder *d, int64_t key, enum sf_block_kind kind)
{
    struct sf_slot *slot;

    if (d->count >= SF_WIRE_BLOCKS_MAX) {
        sf_decoder_fail(d, SF_FAULT_OVERSIZE, "the answer has more than %d parts",
                        SF_WIRE_BLOCKS_MAX);
        return NULL;
    }
    d->slots = sf_grow(d->slots, &d->cap, d->count + 1, sizeof(*d->slots));
    slot = &d->slots[d->count++];
    *slot =
        (struct sf_slot){ .key = key, .kind = kind, .text = SF_STRBUF_INIT, .raw = SF_STRBUF_INIT };
    return slot;
}

struct sf_slot *sf_decoder_find(struct sf_decoder *d, int64_t key)
{
    for (size_t i = d->count; i > 0; i--)
        if (d->slots[i - 1].key == key)
            return &d->slots[i - 1];
    return NULL;
}

/* Bytes at the end that may be the beginning of a character. */
static size_t cut_off(const char *text, size_t len)
{
    for (size_t back = 1; back <= 3 && back <= len; back++) {
        unsigned char lead = (unsigned char)text[len - back];
        uint32_t cp;

        if (lead >= 0xc2 && lead <= 0xf4)
            return sf_utf8_decode(text + len - back, back, &cp) == back && cp == SF_UTF8_INVALID
                       ? back
                       : 0;
        if (lead < 0x80)
            return 0;
    }
    return 0;
}

static bool has_room(struct sf_decoder *d, const struct sf_slot *slot, size_t more)
{
    size_t used = slot->text.len + slot->raw.len;

    if (more > SF_WIRE_BLOCK_MAX - used || more > SF_WIRE_ANSWER_MAX - d->held) {
        sf_decoder_fail(d, SF_FAULT_OVERSIZE, "a part of the answer is longer than %zu MiB",
                        SF_WIRE_BLOCK_MAX / 1024 / 1024);
        return false;
    }
    d->held += more;
    return true;
}

/* Damage may triple in size, so what is left below the ceiling is counted afterwards. */
static void keep_text(struct sf_decoder *d, struct sf_slot *slot, const char *text, size_t len)
{
    struct sf_strbuf clean = SF_STRBUF_INIT;
    size_t from = slot->text.len;

    sf_utf8_scrub(&clean, text, len);
    if (has_room(d, slot, clean.len)) {
        sf_strbuf_add(&slot->text, clean.buf, clean.len);
        if (clean.len && !slot->ignored && slot->kind == SF_BLOCK_TEXT)
            emit_text(d, SF_STREAM_TEXT, slot->text.buf + from, clean.len);
        if (clean.len && !slot->ignored && slot->kind == SF_BLOCK_REASONING)
            emit_text(d, SF_STREAM_REASONING, slot->text.buf + from, clean.len);
    }
    sf_strbuf_release(&clean);
}

void sf_decoder_add(struct sf_decoder *d, struct sf_slot *slot, const char *text)
{
    struct sf_strbuf *sb = &d->scratch;
    size_t rest;

    if (!text || d->over || slot->ignored)
        return;
    meant(d, text);
    sf_strbuf_splice(sb, 0, 0, slot->tail, slot->tail_len);
    rest = cut_off(sb->buf, sb->len);
    memcpy(slot->tail, sb->buf + sb->len - rest, rest);
    slot->tail_len = rest;
    keep_text(d, slot, sb->buf, sb->len - rest);
}

void sf_decoder_add_raw(struct sf_decoder *d, struct sf_slot *slot, const char *text)
{
    struct sf_strbuf clean = SF_STRBUF_INIT;

    if (!text || d->over || slot->ignored)
        return;
    meant(d, text);
    sf_utf8_scrub(&clean, d->scratch.buf, d->scratch.len);
    if (has_room(d, slot, clean.len))
        sf_strbuf_add(&slot->raw, clean.buf, clean.len);
    sf_strbuf_release(&clean);
}

void sf_decoder_call(struct sf_decoder *d, struct sf_slot *slot, const char *id, const char *name)
{
    if (!slot->id && id && *id && strlen(id) <= SF_DECODER_ID_MAX)
        slot->id = meant_copy(d, id, SF_DECODER_ID_MAX);
    if (slot->name || !name || !*name)
        return;
    slot->name = meant_copy(d, name, SF_DECODER_NAME_MAX);
    emit_text(d, SF_STREAM_CALL, slot->name, strlen(slot->name));
}

static bool is_object(const struct sf_strbuf *text)
{
    struct sf_error unused;
    struct sf_json *json = sf_json_parse(text->buf, text->len, NULL, &unused);
    bool object = json && sf_json_type(json) == SF_JSON_OBJECT;

    sf_json_free(json);
    return object;
}

/* Unique within the answer; made up where the service gave none. */
static char *settle_id(struct sf_decoder *d, const char *given)
{
    struct sf_strbuf id = SF_STRBUF_INIT;
    const char *key;

    if (given)
        sf_strbuf_adds(&id, given);
    else
        sf_strbuf_addf(&id, "call_%zu", d->calls);
    for (size_t n = 2, base = id.len; sf_map_get(&d->ids, id.buf, id.len); n++) {
        sf_strbuf_truncate(&id, base);
        sf_strbuf_addf(&id, "_%zu", n);
    }
    key = sf_arena_strndup(&d->arena, id.buf, id.len);
    sf_map_add(&d->ids, key, id.len, d);
    return sf_strbuf_detach(&id);
}

static void fill_call(struct sf_decoder *d, struct sf_slot *slot, struct sf_block *block)
{
    d->calls++;
    block->id = settle_id(d, slot->id);
    block->name = slot->name ? slot->name : sf_strdup("unknown");
    slot->name = NULL;
    if (!slot->text.buf[strspn(slot->text.buf, " \t\r\n")]) {
        sf_strbuf_reset(&slot->text);
        sf_strbuf_adds(&slot->text, "{}");
    }
}

static void deliver(struct sf_decoder *d, struct sf_slot *slot)
{
    struct sf_block block = { .kind = slot->kind };

    if (slot->ignored || (slot->kind != SF_BLOCK_CALL && !slot->text.len && !slot->raw.len))
        return;
    if (slot->kind == SF_BLOCK_CALL)
        fill_call(d, slot, &block);
    if (slot->kind == SF_BLOCK_REASONING) {
        block.format = d->format;
        block.raw = slot->raw.len ? sf_strbuf_detach(&slot->raw) : NULL;
    }
    block.len = slot->text.len;
    block.text = sf_strbuf_detach(&slot->text);
    emit(d, &(struct sf_stream_event){ .kind = SF_STREAM_BLOCK, .text = "", .block = &block });
    sf_block_release(&block);
}

static void deliver_ready(struct sf_decoder *d, bool all)
{
    while (d->delivered < d->count && !d->over) {
        struct sf_slot *slot = &d->slots[d->delivered];

        if (!slot->closed || (slot->doubtful && !all))
            break;
        d->delivered++;
        deliver(d, slot);
    }
}

void sf_decoder_close(struct sf_decoder *d, struct sf_slot *slot)
{
    if (d->over || slot->closed)
        return;
    keep_text(d, slot, slot->tail, slot->tail_len);
    slot->tail_len = 0;
    slot->closed = true;
    slot->doubtful = slot->kind == SF_BLOCK_CALL && !slot->ignored && !is_object(&slot->text);
    deliver_ready(d, false);
}

static int64_t less(int64_t from, int64_t part)
{
    return part > 0 && part <= from ? from - part : from;
}

/* Prices are multiplied with these; no service may make that overflow. */
static void bound(int64_t *tokens)
{
    if (*tokens < 0)
        *tokens = 0;
    if (*tokens > TOKENS_MAX)
        *tokens = TOKENS_MAX;
}

void sf_decoder_tell_usage(struct sf_decoder *d)
{
    bound(&d->usage.input);
    bound(&d->usage.output);
    bound(&d->usage.cache_read);
    bound(&d->usage.cache_write);
    bound(&d->usage.reasoning);
    emit(d, &(struct sf_stream_event){ .kind = SF_STREAM_USAGE, .text = "", .usage = d->usage });
}

void sf_decoder_set_usage(struct sf_decoder *d, const struct sf_usage *usage)
{
    d->usage = *usage;
    d->usage.input = less(less(usage->input, usage->cache_read), usage->cache_write);
    sf_decoder_tell_usage(d);
}

void sf_decoder_stop(struct sf_decoder *d, enum sf_stop stop)
{
    d->stopped = true;
    d->stop = stop;
}

/* Nothing more will come. False when something that should have an end has none. */
static bool close_all(struct sf_decoder *d, bool whole)
{
    for (size_t i = 0; i < d->count; i++) {
        struct sf_slot *slot = &d->slots[i];

        if (slot->kind == SF_BLOCK_CALL && !slot->closed && !d->dialect->open_ended) {
            if (whole)
                return false;
            slot->ignored = true;
        }
        if (!slot->closed)
            sf_strbuf_reset(&slot->raw); /* half a seal opens nothing */
        sf_decoder_close(d, slot);
        if (slot->doubtful && !whole)
            slot->ignored = true;
    }
    return true;
}

static bool said_nothing(const struct sf_decoder *d)
{
    for (size_t i = 0; i < d->count; i++)
        if (!d->slots[i].ignored)
            return false;
    return true;
}

void sf_decoder_end(struct sf_decoder *d)
{
    bool whole = !d->stopped || d->stop == SF_STOP_END || d->stop == SF_STOP_CALLS;

    if (d->over)
        return;
    if (!close_all(d, whole)) {
        sf_decoder_fail(d, SF_FAULT_MALFORMED, "the answer ends inside a call");
        return;
    }
    if (whole && (!d->stopped || d->stop == SF_STOP_CALLS) && said_nothing(d)) {
        sf_decoder_fail(d, SF_FAULT_MALFORMED, "the answer says nothing");
        return;
    }
    deliver_ready(d, true);
    if (d->over)
        return;
    if (whole)
        d->stop = d->calls ? SF_STOP_CALLS : d->refused ? SF_STOP_REFUSAL : SF_STOP_END;
    emit(d, &(struct sf_stream_event){ .kind = SF_STREAM_END, .text = "", .stop = d->stop });
    d->over = true;
}
