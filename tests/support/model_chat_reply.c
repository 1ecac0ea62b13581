/*
 * model_chat_reply.c: answers of POST /v1/chat/completions, as chunks that end in [DONE] or as one
 * completion. Reasoning goes where local servers put it, in reasoning_content.
 */
#include "support/model_chat.h"

struct writer {
    struct model_answer *answer;
    struct sf_strbuf json;
    struct sf_json_writer w;
    char *id;
    size_t calls;
};

static const char *finish_reason(const struct model_reply *reply)
{
    static const char *const reasons[] = {
        [MODEL_STOP_END] = "stop",
        [MODEL_STOP_MAX_TOKENS] = "length",
        [MODEL_STOP_REFUSAL] = "content_filter",
        [MODEL_STOP_CONTEXT] = "length",
    };

    if (reply->stop != MODEL_STOP_AUTO)
        return reasons[reply->stop];
    return model_has_calls(reply) ? "tool_calls" : "stop";
}

static void put_head(struct writer *w, const char *object)
{
    sf_jw_object_begin(&w->w);
    sf_jw_key_str(&w->w, "id", w->id);
    sf_jw_key_str(&w->w, "object", object);
    sf_jw_key_int(&w->w, "created", 1700000000);
    sf_jw_key_str(&w->w, "model", w->answer->request->model);
    sf_jw_key_str(&w->w, "system_fingerprint", "fp_1");
}

static void put_usage(struct writer *w)
{
    const struct model_answer *a = w->answer;
    int64_t prompt = a->input + a->reply->cache_read + a->reply->cache_write;

    model_bill(w->answer, a->output);
    model_bill_as_input(w->answer);
    sf_jw_key(&w->w, "usage");
    sf_jw_object_begin(&w->w);
    sf_jw_key_int(&w->w, "prompt_tokens", prompt);
    sf_jw_key_int(&w->w, "completion_tokens", a->output);
    sf_jw_key_int(&w->w, "total_tokens", prompt + a->output);
    sf_jw_key(&w->w, "prompt_tokens_details");
    sf_jw_object_begin(&w->w);
    sf_jw_key_int(&w->w, "cached_tokens", a->reply->cache_read);
    sf_jw_object_end(&w->w);
    sf_jw_object_end(&w->w);
}

static void begin_chunk(struct writer *w)
{
    sf_strbuf_reset(&w->json);
    sf_jw_init(&w->w, &w->json);
    put_head(w, "chat.completion.chunk");
    sf_jw_key(&w->w, "choices");
    sf_jw_array_begin(&w->w);
}

static void begin_delta(struct writer *w)
{
    begin_chunk(w);
    sf_jw_object_begin(&w->w);
    sf_jw_key_int(&w->w, "index", 0);
    sf_jw_key(&w->w, "delta");
    sf_jw_object_begin(&w->w);
}

static void end_chunk(struct writer *w)
{
    sf_jw_array_end(&w->w);
    if (w->answer->request->wants_usage) {
        sf_jw_key_str(&w->w, "usage", NULL);
    }
    sf_jw_object_end(&w->w);
    model_event(w->answer, NULL, w->json.buf, w->json.len);
}

static void end_delta(struct writer *w, const char *finish)
{
    sf_jw_object_end(&w->w);
    sf_jw_key_str(&w->w, "logprobs", NULL);
    sf_jw_key_str(&w->w, "finish_reason", finish);
    sf_jw_object_end(&w->w);
    end_chunk(w);
}

static void write_start(struct writer *w)
{
    begin_delta(w);
    sf_jw_key_str(&w->w, "role", "assistant");
    sf_jw_key_str(&w->w, "content", model_has_calls(w->answer->reply) ? NULL : "");
    end_delta(w, NULL);
}

static void write_pieces(struct writer *w, const struct model_step *step, const char *key)
{
    for (size_t at = 0, n; at < step->len; at += n) {
        n = model_next_piece(step, at);
        begin_delta(w);
        sf_jw_key(&w->w, key);
        sf_jw_strn(&w->w, step->text + at, n);
        end_delta(w, NULL);
    }
}

/* A piece of a call; the first one (`id` not NULL) carries id, type and name. */
static void write_call_piece(struct writer *w, const struct model_step *step, const char *id,
                             size_t at, size_t len)
{
    begin_delta(w);
    sf_jw_key(&w->w, "tool_calls");
    sf_jw_array_begin(&w->w);
    sf_jw_object_begin(&w->w);
    sf_jw_key_int(&w->w, "index", (int64_t)w->calls);
    if (id) {
        sf_jw_key_str(&w->w, "id", id);
        sf_jw_key_str(&w->w, "type", "function");
    }
    sf_jw_key(&w->w, "function");
    sf_jw_object_begin(&w->w);
    if (id)
        sf_jw_key_str(&w->w, "name", step->name);
    sf_jw_key(&w->w, "arguments");
    sf_jw_strn(&w->w, step->text + at, len);
    sf_jw_object_end(&w->w);
    sf_jw_object_end(&w->w);
    sf_jw_array_end(&w->w);
    end_delta(w, NULL);
}

static void write_call(struct writer *w, const struct model_step *step)
{
    char *id = model_call_id(w->answer, step, "call");

    write_call_piece(w, step, id, 0, 0);
    for (size_t at = 0, n; at < step->len; at += n) {
        n = model_next_piece(step, at);
        write_call_piece(w, step, NULL, at, n);
    }
    w->calls++;
    free(id);
}

static void write_error(struct writer *w, const struct model_step *step)
{
    struct model_refusal no = { .type = step->name, .code = step->name };

    snprintf(no.msg, sizeof(no.msg), "%s",
             step->len ? step->text : "The server had an error while processing your request.");
    sf_strbuf_reset(&w->json);
    model_openai_refuse(&no, &w->json);
    model_event(w->answer, NULL, w->json.buf, w->json.len);
    w->answer->ended = true;
}

static void write_end(struct writer *w)
{
    begin_delta(w);
    end_delta(w, finish_reason(w->answer->reply));
    if (w->answer->request->wants_usage) {
        begin_chunk(w);
        sf_jw_array_end(&w->w);
        put_usage(w);
        sf_jw_object_end(&w->w);
        model_event(w->answer, NULL, w->json.buf, w->json.len);
    }
    if (!w->answer->reply->no_end)
        model_event(w->answer, NULL, "[DONE]", 6);
}

static void write_step(struct writer *w, const struct model_step *step)
{
    if (step->kind == MODEL_STEP_ERROR)
        write_error(w, step);
    else if (model_common_step(w->answer, step) || step->kind == MODEL_STEP_REDACTED)
        return; /* chat has no words for what was redacted */
    else if (step->kind == MODEL_STEP_TEXT)
        write_pieces(w, step, "content");
    else if (step->kind == MODEL_STEP_REASONING)
        write_pieces(w, step, "reasoning_content");
    else
        for (size_t n = 0; n < step->times; n++)
            write_call(w, step);
}

void model_chat_stream(struct model_answer *answer)
{
    struct writer w = { .answer = answer, .json = SF_STRBUF_INIT };

    w.id = model_make_id(answer, "chatcmpl");
    write_start(&w);
    for (size_t i = 0; !answer->ended && i < answer->reply->step_count; i++)
        write_step(&w, &answer->reply->steps[i]);
    if (!answer->ended)
        write_end(&w);
    free(w.id);
    sf_strbuf_release(&w.json);
}

/* The texts of all steps of a kind under one key; NULL when there are none. */
static void put_texts(struct writer *w, enum model_step_kind kind, const char *key, bool must)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    const struct model_reply *reply = w->answer->reply;

    for (size_t i = 0; i < reply->step_count; i++)
        if (reply->steps[i].kind == kind)
            sf_strbuf_add(&sb, reply->steps[i].text, reply->steps[i].len);
    if (sb.len || must)
        sf_jw_key_str(&w->w, key, sb.len ? sb.buf : NULL);
    sf_strbuf_release(&sb);
}

static void put_call(struct writer *w, const struct model_step *step)
{
    char *id = model_call_id(w->answer, step, "call");

    sf_jw_object_begin(&w->w);
    sf_jw_key_str(&w->w, "id", id);
    sf_jw_key_str(&w->w, "type", "function");
    sf_jw_key(&w->w, "function");
    sf_jw_object_begin(&w->w);
    sf_jw_key_str(&w->w, "name", step->name);
    sf_jw_key_str(&w->w, "arguments", step->text);
    sf_jw_object_end(&w->w);
    sf_jw_object_end(&w->w);
    free(id);
}

static void put_message(struct writer *w)
{
    const struct model_reply *reply = w->answer->reply;

    sf_jw_object_begin(&w->w);
    sf_jw_key_str(&w->w, "role", "assistant");
    put_texts(w, MODEL_STEP_TEXT, "content", true);
    put_texts(w, MODEL_STEP_REASONING, "reasoning_content", false);
    sf_jw_key_str(&w->w, "refusal", NULL);
    if (model_has_calls(reply)) {
        sf_jw_key(&w->w, "tool_calls");
        sf_jw_array_begin(&w->w);
        for (size_t i = 0; i < reply->step_count; i++)
            for (size_t n = 0; reply->steps[i].kind == MODEL_STEP_CALL && n < reply->steps[i].times;
                 n++)
                put_call(w, &reply->steps[i]);
        sf_jw_array_end(&w->w);
    }
    sf_jw_object_end(&w->w);
}

void model_chat_whole(struct model_answer *answer, struct sf_strbuf *out)
{
    struct writer w = { .answer = answer, .json = SF_STRBUF_INIT };

    w.id = model_make_id(answer, "chatcmpl");
    sf_jw_init(&w.w, out);
    put_head(&w, "chat.completion");
    sf_jw_key(&w.w, "choices");
    sf_jw_array_begin(&w.w);
    sf_jw_object_begin(&w.w);
    sf_jw_key_int(&w.w, "index", 0);
    sf_jw_key(&w.w, "message");
    put_message(&w);
    sf_jw_key_str(&w.w, "logprobs", NULL);
    sf_jw_key_str(&w.w, "finish_reason", finish_reason(answer->reply));
    sf_jw_object_end(&w.w);
    sf_jw_array_end(&w.w);
    put_usage(&w);
    sf_jw_object_end(&w.w);
    free(w.id);
}
