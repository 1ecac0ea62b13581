/*
 * model_messages_reply.c: answers of POST /v1/messages, as events or as one message. Both walk the
 * steps of the script; a block's index is the number of blocks before it.
 */
#include "support/model_messages.h"

struct writer {
    struct model_answer *answer;
    struct sf_strbuf json;
    struct sf_json_writer w;
    size_t index;   /* of the block */
    bool reasoning; /* there was some, so later calls depend on it */
};

static const char *const stop_reasons[] = {
    [MODEL_STOP_END] = "end_turn",
    [MODEL_STOP_MAX_TOKENS] = "max_tokens",
    [MODEL_STOP_REFUSAL] = "refusal",
    [MODEL_STOP_CONTEXT] = "model_context_window_exceeded",
};

static const char *stop_reason(const struct model_reply *reply)
{
    if (reply->stop != MODEL_STOP_AUTO)
        return stop_reasons[reply->stop];
    return model_has_calls(reply) ? "tool_use" : "end_turn";
}

static void put_usage(struct writer *w, int64_t output)
{
    const struct model_answer *a = w->answer;

    model_bill(w->answer, output);
    sf_jw_key(&w->w, "usage");
    sf_jw_object_begin(&w->w);
    sf_jw_key_int(&w->w, "input_tokens", a->input);
    sf_jw_key_int(&w->w, "cache_creation_input_tokens", a->reply->cache_write);
    sf_jw_key_int(&w->w, "cache_read_input_tokens", a->reply->cache_read);
    sf_jw_key_int(&w->w, "output_tokens", output);
    sf_jw_object_end(&w->w);
}

static void begin(struct writer *w, const char *type)
{
    sf_strbuf_reset(&w->json);
    sf_jw_init(&w->w, &w->json);
    sf_jw_object_begin(&w->w);
    sf_jw_key_str(&w->w, "type", type);
}

static void begin_indexed(struct writer *w, const char *type)
{
    begin(w, type);
    sf_jw_key_int(&w->w, "index", (int64_t)w->index);
}

static void end(struct writer *w, const char *type)
{
    sf_jw_object_end(&w->w);
    model_event(w->answer, type, w->json.buf, w->json.len);
}

static void put_head(struct writer *w)
{
    char *id = model_make_id(w->answer, "msg");

    sf_jw_key_str(&w->w, "id", id);
    sf_jw_key_str(&w->w, "type", "message");
    sf_jw_key_str(&w->w, "role", "assistant");
    sf_jw_key_str(&w->w, "model", w->answer->request->model);
    free(id);
}

static void write_start(struct writer *w)
{
    begin(w, "message_start");
    sf_jw_key(&w->w, "message");
    sf_jw_object_begin(&w->w);
    put_head(w);
    sf_jw_key(&w->w, "content");
    sf_jw_array_begin(&w->w);
    sf_jw_array_end(&w->w);
    sf_jw_key_str(&w->w, "stop_reason", NULL);
    sf_jw_key_str(&w->w, "stop_sequence", NULL);
    put_usage(w, 1);
    sf_jw_object_end(&w->w);
    end(w, "message_start");
}

static void write_delta(struct writer *w, const char *type, const char *key, const char *text,
                        size_t len)
{
    begin_indexed(w, "content_block_delta");
    sf_jw_key(&w->w, "delta");
    sf_jw_object_begin(&w->w);
    sf_jw_key_str(&w->w, "type", type);
    sf_jw_key(&w->w, key);
    sf_jw_strn(&w->w, text, len);
    sf_jw_object_end(&w->w);
    end(w, "content_block_delta");
}

static void write_pieces(struct writer *w, const struct model_step *step, const char *type,
                         const char *key)
{
    for (size_t at = 0, n; at < step->len; at += n) {
        n = model_next_piece(step, at);
        write_delta(w, type, key, step->text + at, n);
    }
}

static void write_block_stop(struct writer *w)
{
    begin_indexed(w, "content_block_stop");
    end(w, "content_block_stop");
    w->index++;
}

static void redacted_data(struct sf_strbuf *out, const struct model_step *step)
{
    char signature[MODEL_SIGNATURE];

    for (size_t i = 0; i < step->len; i++)
        sf_strbuf_addf(out, "%02x", (unsigned char)step->text[i]);
    model_sign(signature, "redacted", out->buf, out->len);
    sf_strbuf_addf(out, ".%s", signature);
}

/* The fields of a block: whole, or as content_block_start has them (`empty`). */
static void put_block(struct writer *w, const struct model_step *step, const char *id, bool empty)
{
    struct sf_strbuf data = SF_STRBUF_INIT;
    char signature[MODEL_SIGNATURE] = "";

    sf_jw_object_begin(&w->w);
    if (step->kind == MODEL_STEP_TEXT) {
        sf_jw_key_str(&w->w, "type", "text");
        sf_jw_key_str(&w->w, "text", empty ? "" : step->text);
    } else if (step->kind == MODEL_STEP_REASONING) {
        if (!empty)
            model_sign(signature, "thinking", step->text, step->len);
        sf_jw_key_str(&w->w, "type", "thinking");
        sf_jw_key_str(&w->w, "thinking", empty ? "" : step->text);
        sf_jw_key_str(&w->w, "signature", signature);
    } else if (step->kind == MODEL_STEP_REDACTED) {
        redacted_data(&data, step);
        sf_jw_key_str(&w->w, "type", "redacted_thinking");
        sf_jw_key_str(&w->w, "data", data.buf);
    } else {
        sf_jw_key_str(&w->w, "type", "tool_use");
        sf_jw_key_str(&w->w, "id", id);
        sf_jw_key_str(&w->w, "name", step->name);
        sf_jw_key(&w->w, "input");
        sf_jw_raw(&w->w, empty ? "{}" : step->text, empty ? 2 : step->len);
    }
    sf_jw_object_end(&w->w);
    sf_strbuf_release(&data);
}

static char *call_id(struct writer *w, const struct model_step *step)
{
    char *id = step->kind == MODEL_STEP_CALL ? model_call_id(w->answer, step, "toolu") : NULL;

    if (id && w->reasoning)
        sf_strlist_add(w->answer->reasoned, id);
    w->reasoning =
        w->reasoning || step->kind == MODEL_STEP_REASONING || step->kind == MODEL_STEP_REDACTED;
    return id;
}

static void write_block(struct writer *w, const struct model_step *step)
{
    char *id = call_id(w, step);
    char signature[MODEL_SIGNATURE];

    begin_indexed(w, "content_block_start");
    sf_jw_key(&w->w, "content_block");
    put_block(w, step, id, true);
    end(w, "content_block_start");
    if (step->kind == MODEL_STEP_TEXT)
        write_pieces(w, step, "text_delta", "text");
    if (step->kind == MODEL_STEP_CALL) {
        write_delta(w, "input_json_delta", "partial_json", "", 0);
        write_pieces(w, step, "input_json_delta", "partial_json");
    }
    if (step->kind == MODEL_STEP_REASONING) {
        write_pieces(w, step, "thinking_delta", "thinking");
        model_sign(signature, "thinking", step->text, step->len);
        write_delta(w, "signature_delta", "signature", signature, strlen(signature));
    }
    write_block_stop(w);
    free(id);
}

static void write_error(struct writer *w, const struct model_step *step)
{
    begin(w, "error");
    sf_jw_key(&w->w, "error");
    sf_jw_object_begin(&w->w);
    sf_jw_key_str(&w->w, "type", step->name);
    sf_jw_key_str(&w->w, "message", step->len ? step->text : "Overloaded");
    sf_jw_object_end(&w->w);
    end(w, "error");
    w->answer->ended = true;
}

static void write_end(struct writer *w)
{
    begin(w, "message_delta");
    sf_jw_key(&w->w, "delta");
    sf_jw_object_begin(&w->w);
    sf_jw_key_str(&w->w, "stop_reason", stop_reason(w->answer->reply));
    sf_jw_key_str(&w->w, "stop_sequence", NULL);
    sf_jw_object_end(&w->w);
    put_usage(w, w->answer->output);
    end(w, "message_delta");
    if (w->answer->reply->no_end)
        return;
    begin(w, "message_stop");
    end(w, "message_stop");
}

void model_messages_stream(struct model_answer *answer)
{
    struct writer w = { .answer = answer, .json = SF_STRBUF_INIT };

    write_start(&w);
    for (size_t i = 0; !answer->ended && i < answer->reply->step_count; i++) {
        const struct model_step *step = &answer->reply->steps[i];

        if (step->kind == MODEL_STEP_ERROR)
            write_error(&w, step);
        else if (!model_common_step(answer, step))
            for (size_t n = 0; n < step->times; n++)
                write_block(&w, step);
    }
    if (!answer->ended)
        write_end(&w);
    sf_strbuf_release(&w.json);
}

static bool is_block(const struct model_step *step)
{
    return step->kind <= MODEL_STEP_CALL;
}

void model_messages_whole(struct model_answer *answer, struct sf_strbuf *out)
{
    struct writer w = { .answer = answer, .json = SF_STRBUF_INIT };

    sf_jw_init(&w.w, out);
    sf_jw_object_begin(&w.w);
    put_head(&w);
    sf_jw_key(&w.w, "content");
    sf_jw_array_begin(&w.w);
    for (size_t i = 0; i < answer->reply->step_count; i++) {
        const struct model_step *step = &answer->reply->steps[i];

        for (size_t n = 0; is_block(step) && n < step->times; n++) {
            char *id = call_id(&w, step);

            put_block(&w, step, id, false);
            free(id);
        }
    }
    sf_jw_array_end(&w.w);
    sf_jw_key_str(&w.w, "stop_reason", stop_reason(answer->reply));
    sf_jw_key_str(&w.w, "stop_sequence", NULL);
    put_usage(&w, answer->output);
    sf_jw_object_end(&w.w);
}
