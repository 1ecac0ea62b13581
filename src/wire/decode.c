/*
 * decode.c: from bytes to events, the part that is the same for all. The first byte that is not
 * blank tells a stream of events from a JSON body and from a web page. All ways out lead through
 * two functions, sf_decoder_end and sf_decoder_fail, and both close the door behind them.
 */
#include "wire/decode.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "wire/decoder.h"
#include "wire/repair.h"

/* One event holds a few values; a hostile one could hold millions. */
static const struct sf_json_limits event_limits = {
    .bytes = 2 * SF_WIRE_LINE_MAX,
    .nodes = (size_t)64 * 1024,
};

static const struct sf_dialect *const dialects[] = {
    [SF_WIRE_ANTHROPIC] = &sf_dialect_anthropic,
    [SF_WIRE_CHAT] = &sf_dialect_chat,
    [SF_WIRE_RESPONSES] = &sf_dialect_responses,
};

const char *const sf_stop_names[] = { "end",     "calls", "length", "context",
                                      "refusal", "pause", "unable", NULL };

static struct sf_json *read_json(struct sf_decoder *d, const char *data, size_t len,
                                 struct sf_error *err)
{
    struct sf_strbuf mended = SF_STRBUF_INIT;
    struct sf_json *json = sf_json_parse(data, len, &event_limits, err);

    d->repaired = false;
    if (!json && err->code == SF_E_SYNTAX && *data == '{' &&
        sf_repair_json(&mended, data, len, event_limits.bytes)) {
        json = sf_json_parse(mended.buf, mended.len, &event_limits, err);
        d->repaired = true;
    }
    sf_strbuf_release(&mended);
    return json;
}

/* Asking again for what is beyond a limit would bring it again. */
static void fail_unread(struct sf_decoder *d, const struct sf_error *err)
{
    sf_decoder_fail(d, err->code == SF_E_LIMIT ? SF_FAULT_OVERSIZE : SF_FAULT_MALFORMED,
                    "the answer cannot be read: %s", err->msg);
}

static bool is_done(const char *data)
{
    return !strncmp(data, "[DONE]", 6) && !data[6 + strspn(data + 6, " \t")];
}

static bool on_event(void *ctx, const char *name, const char *data, size_t len)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_decoder *d = ctx;
    struct sf_json *json;

    if (!data[strspn(data, " \t\n")])
        return true;
    d->heard = true;
    if (is_done(data)) {
        if (d->dialect->open_ended)
            sf_decoder_end(d);
        return !d->over;
    }
    json = read_json(d, data, len, &err);
    if (json)
        d->dialect->event(d, name, json);
    else if (!d->finishing) /* the last event may be cut; then it is the answer that broke off */
        fail_unread(d, &err);
    sf_json_free(json);
    return !d->over;
}

struct sf_decoder *sf_decoder_new(enum sf_wire_format format, sf_stream_fn *fn, void *ctx)
{
    struct sf_decoder *d = sf_alloc(sizeof(*d));

    d->dialect = dialects[format];
    d->format = format;
    d->fn = fn;
    d->ctx = ctx;
    sf_strbuf_init(&d->body);
    sf_strbuf_init(&d->scratch);
    sf_sse_init(&d->sse, SF_WIRE_LINE_MAX, on_event, d);
    return d;
}

static void release_slots(struct sf_decoder *d)
{
    for (size_t i = 0; i < d->count; i++) {
        sf_strbuf_release(&d->slots[i].text);
        sf_strbuf_release(&d->slots[i].raw);
        free(d->slots[i].id);
        free(d->slots[i].name);
    }
    free(d->slots);
}

void sf_decoder_free(struct sf_decoder *decoder)
{
    if (!decoder)
        return;
    release_slots(decoder);
    sf_map_release(&decoder->ids);
    sf_arena_release(&decoder->arena);
    sf_sse_release(&decoder->sse);
    sf_strbuf_release(&decoder->scratch);
    sf_strbuf_release(&decoder->body);
    free(decoder);
}

static void take_stream(struct sf_decoder *d, const char *data, size_t len)
{
    if (!sf_sse_feed(&d->sse, data, len) && !d->over)
        sf_decoder_fail(d, SF_FAULT_OVERSIZE, "a line of the answer is longer than %zu MiB",
                        SF_WIRE_LINE_MAX / 1024 / 1024);
}

static void take_body(struct sf_decoder *d, const char *data, size_t len)
{
    if (len > SF_WIRE_LINE_MAX - d->body.len)
        sf_decoder_fail(d, SF_FAULT_OVERSIZE, "the answer is longer than %zu MiB",
                        SF_WIRE_LINE_MAX / 1024 / 1024);
    else
        sf_strbuf_add(&d->body, data, len);
}

/* Blanks and the mark of UTF-8 say nothing about what follows. */
static size_t sniff(struct sf_decoder *d, const char *data, size_t len)
{
    size_t n = 0;

    while (n < len && data[n] && strchr(" \t\r\n\xef\xbb\xbf", data[n]))
        n++;
    if (n == len)
        return n;
    d->mode = data[n] == '{' || data[n] == '[' ? SF_DECODER_BODY : SF_DECODER_STREAM;
    if (data[n] == '<')
        sf_decoder_fail(d, SF_FAULT_MALFORMED, "the service answered with a web page");
    return n;
}

static void take(struct sf_decoder *d, const char *data, size_t len)
{
    if (d->mode == SF_DECODER_SNIFF) {
        size_t n = sniff(d, data, len);

        data += n;
        len -= n;
    }
    if (d->over || d->mode == SF_DECODER_SNIFF)
        return;
    if (d->mode == SF_DECODER_BODY)
        take_body(d, data, len);
    else
        take_stream(d, data, len);
}

bool sf_decoder_feed(struct sf_decoder *decoder, const void *data, size_t len)
{
    size_t room = SF_WIRE_ANSWER_MAX - decoder->bytes, n = len < room ? len : room;

    if (decoder->over)
        return false;
    take(decoder, data, n);
    decoder->bytes += n;
    if (n < len && !decoder->over)
        sf_decoder_fail(decoder, SF_FAULT_OVERSIZE, "the answer is longer than %zu MiB",
                        SF_WIRE_ANSWER_MAX / 1024 / 1024);
    return !decoder->over;
}

/* An answer in one piece: what would be one event of a stream, or an error. */
static void read_body(struct sf_decoder *d)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json *json = read_json(d, d->body.buf, d->body.len, &err);

    if (!json) {
        fail_unread(d, &err);
        return;
    }
    if (sf_json_type(json) != SF_JSON_OBJECT || sf_wire_get(json, "error"))
        sf_decoder_fail_json(d, json);
    else
        d->dialect->event(d, "", json);
    if (!d->over && (d->stopped || d->count))
        sf_decoder_end(d);
    else if (!d->over)
        sf_decoder_fail(d, SF_FAULT_MALFORMED, "the service sent an unexpected answer");
    sf_json_free(json);
}

void sf_decoder_finish(struct sf_decoder *decoder)
{
    decoder->finishing = true;
    if (!decoder->over && decoder->mode == SF_DECODER_BODY)
        read_body(decoder);
    if (!decoder->over && decoder->mode == SF_DECODER_STREAM)
        sf_sse_finish(&decoder->sse);
    if (decoder->over)
        return;
    if (decoder->stopped)
        sf_decoder_end(decoder);
    else if (decoder->heard)
        sf_decoder_fail(decoder, SF_FAULT_CONNECT, "the answer broke off");
    else if (decoder->mode == SF_DECODER_SNIFF)
        sf_decoder_fail(decoder, SF_FAULT_CONNECT, "the answer was empty");
    else
        sf_decoder_fail(decoder, SF_FAULT_MALFORMED, "the service sent an unexpected answer");
}

void sf_decoder_fail(struct sf_decoder *d, enum sf_fault fault, const char *format, ...)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_wire_error error;
    va_list args;

    if (d->over)
        return;
    va_start(args, format);
    sf_strbuf_vaddf(&text, format, args);
    va_end(args);
    sf_wire_error_set(&error, fault, text.buf, text.len);
    sf_strbuf_release(&text);
    d->over = true;
    d->fn(d->ctx,
          &(struct sf_stream_event){ .kind = SF_STREAM_ERROR, .text = "", .error = &error });
}

void sf_decoder_fail_json(struct sf_decoder *d, const struct sf_json *json)
{
    struct sf_wire_error error;

    if (d->over)
        return;
    sf_wire_error_from_json(json, &error);
    d->over = true;
    d->fn(d->ctx,
          &(struct sf_stream_event){ .kind = SF_STREAM_ERROR, .text = "", .error = &error });
}

const struct sf_json *sf_wire_get(const struct sf_json *json, const char *key)
{
    const struct sf_json *found = json ? sf_json_get(json, key) : NULL;

    return found && sf_json_type(found) != SF_JSON_NULL ? found : NULL;
}

const struct sf_json *sf_wire_item(const struct sf_json *json)
{
    return json && sf_json_type(json) == SF_JSON_ARRAY ? sf_json_first(json) : NULL;
}

const char *sf_wire_str(const struct sf_json *json, const char *key)
{
    const struct sf_json *found = sf_wire_get(json, key);
    const char *text = NULL;
    struct sf_error unused;

    return found && sf_json_as_str(found, key, &text, &unused) ? text : NULL;
}

bool sf_wire_is(const struct sf_json *json, const char *key, const char *text)
{
    const char *found = sf_wire_str(json, key);

    return found && !strcmp(found, text);
}

void sf_wire_int(const struct sf_json *json, const char *key, int64_t *out)
{
    const struct sf_json *found = sf_wire_get(json, key);
    struct sf_error unused;

    if (found && !sf_json_as_int(found, key, out, &unused))
        return;
}
