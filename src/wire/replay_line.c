/*
 * replay_line.c: writes the lines of a recording, one object with one member each. Nothing of a
 * request goes into it but the user's words and digests of results: no headers, keys or addresses.
 */
#include "wire/replay_line.h"

enum { CALL_MAX = 160 }; /* bytes of a call that are kept, to name it */

static void begin(struct sf_json_writer *w, struct sf_strbuf *out, const char *kind)
{
    sf_jw_init(w, out);
    sf_jw_object_begin(w);
    sf_jw_key(w, kind);
}

static void end(struct sf_json_writer *w, struct sf_strbuf *out)
{
    sf_jw_object_end(w);
    sf_strbuf_addch(out, '\n');
}

void sf_replay_line_head(struct sf_strbuf *out, const struct sf_replay_head *head)
{
    struct sf_json_writer w;

    begin(&w, out, "replay");
    sf_jw_object_begin(&w);
    sf_jw_key_int(&w, "version", SF_REPLAY_VERSION);
    sf_jw_key_str(&w, "provider", head->provider);
    sf_jw_key_str(&w, "model", head->model);
    sf_jw_key_bool(&w, "local", head->local);
    sf_jw_object_end(&w);
    end(&w, out);
}

/* ---- what was asked ---- */

static const struct sf_block *find_call(const struct sf_history *history, const char *id)
{
    for (size_t m = history->count; m-- > 0;)
        for (size_t i = 0; i < history->messages[m].count; i++) {
            const struct sf_block *b = &history->messages[m].blocks[i];

            if (b->kind == SF_BLOCK_CALL && !strcmp(b->id, id))
                return b;
        }
    return NULL;
}

/* Blanks between tokens are not kept, as they are not when the call is played. */
static void add_arguments(struct sf_strbuf *out, const struct sf_block *call)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_json *json = sf_json_parse(call->text, call->len, NULL, &ignored);
    struct sf_json_writer w;

    sf_jw_init(&w, out);
    if (json)
        sf_jw_json(&w, json);
    else
        sf_strbuf_add(out, call->text, call->len);
    sf_json_free(json);
}

static void write_result(struct sf_json_writer *w, const struct sf_history *history,
                         const struct sf_block *result)
{
    const struct sf_block *call = find_call(history, result->id);
    struct sf_strbuf name = SF_STRBUF_INIT;
    char digest[SF_SHA256_HEX + 1];

    sf_strbuf_addf(&name, "%s ", result->name);
    if (call)
        add_arguments(&name, call);
    if (name.len > CALL_MAX)
        sf_strbuf_truncate(&name, sf_utf8_cut(name.buf, CALL_MAX));
    sf_sha256_hex(result->text, result->len, digest);
    sf_jw_object_begin(w);
    sf_jw_key_str(w, "call", name.buf);
    sf_jw_key_str(w, "sha256", digest);
    sf_jw_object_end(w);
    sf_strbuf_release(&name);
}

static void write_results(struct sf_json_writer *w, const struct sf_history *history,
                          const struct sf_message *last)
{
    sf_jw_key(w, "results");
    sf_jw_array_begin(w);
    for (size_t i = 0; i < last->count; i++)
        if (last->blocks[i].kind == SF_BLOCK_RESULT)
            write_result(w, history, &last->blocks[i]);
    sf_jw_array_end(w);
}

static const struct sf_block *find_first(const struct sf_message *message, enum sf_block_kind kind)
{
    for (size_t i = 0; message && i < message->count; i++)
        if (message->blocks[i].kind == kind)
            return &message->blocks[i];
    return NULL;
}

static bool starts_with(const struct sf_block *b, const char *prefix)
{
    size_t n = strlen(prefix);

    return b->len >= n && !memcmp(b->text, prefix, n);
}

/* What the user said while the calls ran stands behind their results, beside remarks of sf's. */
static void write_steers(struct sf_json_writer *w, const struct sf_message *last)
{
    bool any = false;

    for (size_t i = 0; i < last->count; i++) {
        const struct sf_block *b = &last->blocks[i];

        if (b->kind != SF_BLOCK_TEXT || starts_with(b, SF_META_TAG) || starts_with(b, SF_OWN_TAG))
            continue;
        if (!any) {
            sf_jw_key(w, "steers");
            sf_jw_array_begin(w);
        }
        any = true;
        sf_jw_strn(w, b->text, b->len);
    }
    if (any)
        sf_jw_array_end(w);
}

/* The first text of a prompt is the user's own; sf's notes, which name the time, stand behind it. */
void sf_replay_line_request(struct sf_strbuf *out, const struct sf_history *history)
{
    const struct sf_message *last = history->count ? &history->messages[history->count - 1] : NULL;
    const struct sf_block *words = find_first(last, SF_BLOCK_TEXT);
    struct sf_json_writer w;

    begin(&w, out, "request");
    sf_jw_object_begin(&w);
    if (find_first(last, SF_BLOCK_RESULT)) {
        write_results(&w, history, last);
        write_steers(&w, last);
    } else if (words) {
        sf_jw_key(&w, "prompt");
        sf_jw_strn(&w, words->text, words->len);
    }
    sf_jw_object_end(&w);
    end(&w, out);
}

/* ---- what was answered ---- */

static void write_words(struct sf_strbuf *out, const char *kind, const char *text, size_t len)
{
    struct sf_json_writer w;

    begin(&w, out, kind);
    sf_jw_strn(&w, text, len);
    end(&w, out);
}

/* Arguments that are no JSON object are kept as the text they are. */
static void write_call(struct sf_strbuf *out, const struct sf_block *call)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_json *arguments = sf_json_parse(call->text, call->len, NULL, &ignored);
    struct sf_json_writer w;

    begin(&w, out, "call");
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "name", call->name);
    sf_jw_key_str(&w, "id", call->id);
    if (arguments && sf_json_type(arguments) == SF_JSON_OBJECT) {
        sf_jw_key(&w, "arguments");
        sf_jw_json(&w, arguments);
    } else {
        sf_jw_key(&w, "arguments_text");
        sf_jw_strn(&w, call->text, call->len);
    }
    sf_jw_object_end(&w);
    end(&w, out);
    sf_json_free(arguments);
}

static void write_usage(struct sf_strbuf *out, const struct sf_usage *usage)
{
    struct sf_json_writer w;

    begin(&w, out, "usage");
    sf_jw_object_begin(&w);
    sf_jw_key_int(&w, "input", usage->input);
    sf_jw_key_int(&w, "output", usage->output);
    sf_jw_key_int(&w, "cache_read", usage->cache_read);
    sf_jw_key_int(&w, "cache_write", usage->cache_write);
    sf_jw_key_int(&w, "reasoning", usage->reasoning);
    sf_jw_object_end(&w);
    end(&w, out);
}

static void write_error(struct sf_strbuf *out, const struct sf_wire_error *error)
{
    struct sf_json_writer w;

    begin(&w, out, "error");
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "fault", sf_faults[error->fault].name);
    sf_jw_key_str(&w, "message", error->message);
    sf_jw_key_int(&w, "status", error->status);
    if (error->retry_after_ms >= 0)
        sf_jw_key_int(&w, "retry_after_ms", error->retry_after_ms);
    sf_jw_object_end(&w);
    end(&w, out);
}

static void write_end(struct sf_strbuf *out, enum sf_stop stop)
{
    write_words(out, "end", sf_stop_names[stop], strlen(sf_stop_names[stop]));
}

void sf_replay_line_event(struct sf_strbuf *out, const struct sf_stream_event *event)
{
    switch (event->kind) {
    case SF_STREAM_BEGIN:
    case SF_STREAM_CALL:
        break;
    case SF_STREAM_TEXT:
        write_words(out, "text", event->text, event->len);
        break;
    case SF_STREAM_REASONING:
        write_words(out, "reasoning", event->text, event->len);
        break;
    case SF_STREAM_BLOCK:
        if (event->block->kind == SF_BLOCK_CALL)
            write_call(out, event->block);
        break;
    case SF_STREAM_USAGE:
        write_usage(out, &event->usage);
        break;
    case SF_STREAM_END:
        write_end(out, event->stop);
        break;
    case SF_STREAM_ERROR:
        write_error(out, event->error);
        break;
    }
}

void sf_replay_line_answer(struct sf_strbuf *out, const struct sf_message *message)
{
    for (size_t i = 0; i < message->count; i++) {
        const struct sf_block *b = &message->blocks[i];

        if (b->kind == SF_BLOCK_TEXT)
            write_words(out, "text", b->text, b->len);
        else if (b->kind == SF_BLOCK_REASONING && b->text)
            write_words(out, "reasoning", b->text, b->len);
        else if (b->kind == SF_BLOCK_CALL)
            write_call(out, b);
    }
    write_end(out, sf_message_calls(message) ? SF_STOP_CALLS : SF_STOP_END);
}
