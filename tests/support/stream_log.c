/*
 * stream_log.c: one line for one event. Blocks say all they hold.
 */
#include "support/stream_log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

void stream_log_init(struct stream_log *log)
{
    *log = (struct stream_log){ .text = SF_STRBUF_INIT };
}

void stream_log_release(struct stream_log *log)
{
    sf_strbuf_release(&log->text);
}

static bool is_object(const char *text)
{
    struct sf_error unused;
    struct sf_json *json = sf_json_parse(text, strlen(text), NULL, &unused);
    bool object = json && sf_json_type(json) == SF_JSON_OBJECT;

    sf_json_free(json);
    return object;
}

static void log_block(struct stream_log *log, const struct sf_block *block)
{
    static const char *const kinds[] = { "text", "reasoning", "call", "result", "image" };

    sf_strbuf_addf(&log->text, "block %s", kinds[block->kind]);
    if (block->id)
        sf_strbuf_addf(&log->text, " %s %s", block->id, block->name);
    sf_strbuf_addf(&log->text, " [%s]", block->text);
    if (block->raw)
        sf_strbuf_addf(&log->text, " raw %s", block->raw);
    sf_strbuf_addch(&log->text, '\n');
    if (block->kind == SF_BLOCK_CALL) {
        log->calls++;
        log->bad_calls += !is_object(block->text);
    }
}

static void log_usage(struct stream_log *log, const struct sf_usage *usage)
{
    sf_strbuf_addf(&log->text,
                   "usage in %" PRId64 " out %" PRId64 " read %" PRId64 " write %" PRId64
                   " reasoning %" PRId64 "\n",
                   usage->input, usage->output, usage->cache_read, usage->cache_write,
                   usage->reasoning);
}

void stream_log_event(void *ctx, const struct sf_stream_event *event)
{
    static const char *const texts[] = { "begin", "text", "reasoning", "call" };
    struct stream_log *log = ctx;

    log->after_end += log->ends > 0;
    switch (event->kind) {
    case SF_STREAM_BEGIN:
    case SF_STREAM_TEXT:
    case SF_STREAM_REASONING:
    case SF_STREAM_CALL:
        sf_strbuf_addf(&log->text, "%s %.*s\n", texts[event->kind], (int)event->len, event->text);
        break;
    case SF_STREAM_BLOCK:
        log_block(log, event->block);
        break;
    case SF_STREAM_USAGE:
        log_usage(log, &event->usage);
        break;
    case SF_STREAM_END:
        log->ends++;
        sf_strbuf_addf(&log->text, "end %s\n", sf_stop_names[event->stop]);
        break;
    case SF_STREAM_ERROR:
        log->ends++;
        log->fault = event->error->fault;
        sf_strbuf_addf(&log->text, "error %s: %s\n", sf_faults[event->error->fault].name,
                       event->error->message);
        break;
    }
}

void stream_log_run(struct stream_log *log, enum sf_wire_format format, const char *data,
                    size_t len, const size_t *cuts)
{
    struct sf_decoder *decoder = sf_decoder_new(format, stream_log_event, log);
    size_t at = 0, cut = 0;

    while (at < len) {
        size_t n = cuts ? cuts[cut] : len;
        char *piece;

        n = n < len - at ? n : len - at;
        piece = sf_alloc(n); /* a copy of its own, so that reading past it is seen */
        memcpy(piece, data + at, n);
        sf_decoder_feed(decoder, piece, n);
        free(piece);
        at += n;
        cut = cuts && cuts[cut + 1] ? cut + 1 : 0;
    }
    sf_decoder_finish(decoder);
    sf_decoder_free(decoder);
}

char *stream_log_quotes(const char *text)
{
    char *copy = sf_strdup(text);

    for (char *c = copy; *c; c++)
        if (*c == '\'')
            *c = '"';
    return copy;
}

void stream_log_body(struct sf_strbuf *out, const char *events)
{
    char *quoted = stream_log_quotes(events), *line = quoted;

    while (*line) {
        size_t n = strcspn(line, "\n");

        sf_strbuf_addf(out, "data: %.*s\n\n", (int)n, line);
        line += n + (line[n] == '\n');
    }
    free(quoted);
}
