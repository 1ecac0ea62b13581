/*
 * model_responses_reply.c: answers of POST /v1/responses. Every step that says something is an
 * item; a stream shows each item grow and ends with the response as a whole, which is also the
 * answer without a stream.
 */
#include "support/model_responses.h"

struct writer {
    struct model_answer *answer;
    struct sf_strbuf json;  /* the event being written */
    struct sf_strbuf items; /* all finished items, with commas */
    struct sf_json_writer w;
    char *response_id;
    int64_t sequence;
    size_t index; /* of the item */
    bool reasoning;
    char *id, *call_id; /* of the item */
};

static void begin(struct writer *w, const char *type)
{
    sf_strbuf_reset(&w->json);
    sf_jw_init(&w->w, &w->json);
    sf_jw_object_begin(&w->w);
    sf_jw_key_str(&w->w, "type", type);
    sf_jw_key_int(&w->w, "sequence_number", w->sequence++);
}

static void end(struct writer *w, const char *type)
{
    sf_jw_object_end(&w->w);
    model_event(w->answer, type, w->json.buf, w->json.len);
}

/* An event about the item; `part` is the name of its part's index, or NULL. */
static void begin_item(struct writer *w, const char *type, const char *part)
{
    begin(w, type);
    sf_jw_key_str(&w->w, "item_id", w->id);
    sf_jw_key_int(&w->w, "output_index", (int64_t)w->index);
    if (part)
        sf_jw_key_int(&w->w, part, 0);
}

static void put_usage(struct writer *w)
{
    const struct model_answer *a = w->answer;
    int64_t input = a->input + a->reply->cache_read + a->reply->cache_write;

    model_bill(w->answer, a->output);
    sf_jw_object_begin(&w->w);
    sf_jw_key_int(&w->w, "input_tokens", input);
    sf_jw_key(&w->w, "input_tokens_details");
    sf_jw_object_begin(&w->w);
    sf_jw_key_int(&w->w, "cached_tokens", a->reply->cache_read);
    sf_jw_key_int(&w->w, "cache_write_tokens", a->reply->cache_write);
    sf_jw_object_end(&w->w);
    sf_jw_key_int(&w->w, "output_tokens", a->output);
    sf_jw_key(&w->w, "output_tokens_details");
    sf_jw_object_begin(&w->w);
    sf_jw_key_int(&w->w, "reasoning_tokens", 0);
    sf_jw_object_end(&w->w);
    sf_jw_key_int(&w->w, "total_tokens", input + a->output);
    sf_jw_object_end(&w->w);
}

static const char *why_incomplete(const struct model_reply *reply)
{
    if (reply->stop == MODEL_STOP_MAX_TOKENS || reply->stop == MODEL_STOP_CONTEXT)
        return "max_output_tokens";
    return reply->stop == MODEL_STOP_REFUSAL ? "content_filter" : NULL;
}

static const char *final_status(const struct model_reply *reply)
{
    return why_incomplete(reply) ? "incomplete" : "completed";
}

static void put_incomplete(struct writer *w, const char *status)
{
    sf_jw_key(&w->w, "incomplete_details");
    if (strcmp(status, "incomplete") != 0) {
        sf_jw_null(&w->w);
        return;
    }
    sf_jw_object_begin(&w->w);
    sf_jw_key_str(&w->w, "reason", why_incomplete(w->answer->reply));
    sf_jw_object_end(&w->w);
}

static void put_response(struct writer *w, const char *status, const struct model_step *error)
{
    bool over = strcmp(status, "in_progress") != 0;

    sf_jw_object_begin(&w->w);
    sf_jw_key_str(&w->w, "id", w->response_id);
    sf_jw_key_str(&w->w, "object", "response");
    sf_jw_key_int(&w->w, "created_at", 1700000000);
    sf_jw_key_str(&w->w, "status", status);
    sf_jw_key(&w->w, "error");
    if (error) {
        sf_jw_object_begin(&w->w);
        sf_jw_key_str(&w->w, "code", error->name);
        sf_jw_key_str(&w->w, "message", error->len ? error->text : "The model is overloaded.");
        sf_jw_object_end(&w->w);
    } else {
        sf_jw_null(&w->w);
    }
    put_incomplete(w, status);
    sf_jw_key_str(&w->w, "model", w->answer->request->model);
    sf_jw_key(&w->w, "output");
    sf_strbuf_splice(&w->items, 0, 0, "[", 1);
    sf_strbuf_addch(&w->items, ']');
    sf_jw_raw(&w->w, w->items.buf, w->items.len);
    sf_strbuf_truncate(&w->items, w->items.len - 1);
    sf_strbuf_splice(&w->items, 0, 1, "", 0);
    sf_jw_key(&w->w, "usage");
    if (over && !error)
        put_usage(w);
    else
        sf_jw_null(&w->w);
    sf_jw_object_end(&w->w);
}

static void write_response(struct writer *w, const char *type, const char *status,
                           const struct model_step *error)
{
    begin(w, type);
    sf_jw_key(&w->w, "response");
    put_response(w, status, error);
    end(w, type);
}

static void put_part(struct writer *w, const char *type, const char *text)
{
    sf_jw_object_begin(&w->w);
    sf_jw_key_str(&w->w, "type", type);
    sf_jw_key_str(&w->w, "text", text);
    if (!strcmp(type, "output_text")) {
        sf_jw_key(&w->w, "annotations");
        sf_jw_array_begin(&w->w);
        sf_jw_array_end(&w->w);
    }
    sf_jw_object_end(&w->w);
}

static void put_encrypted(struct writer *w, const struct model_step *step)
{
    struct sf_strbuf data = SF_STRBUF_INIT;
    char signature[MODEL_SIGNATURE];

    for (size_t i = 0; i < step->len; i++)
        sf_strbuf_addf(&data, "%02x", (unsigned char)step->text[i]);
    model_sign(signature, "reasoning", data.buf, data.len);
    sf_strbuf_addf(&data, ".%s", signature);
    sf_jw_key_str(&w->w, "encrypted_content", data.buf);
    sf_strbuf_release(&data);
}

static void put_message(struct writer *w, const struct model_step *step, bool done)
{
    sf_jw_key_str(&w->w, "type", "message");
    sf_jw_key_str(&w->w, "status", done ? "completed" : "in_progress");
    sf_jw_key_str(&w->w, "role", "assistant");
    sf_jw_key(&w->w, "content");
    sf_jw_array_begin(&w->w);
    if (done)
        put_part(w, "output_text", step->text);
    sf_jw_array_end(&w->w);
}

static void put_reasoning(struct writer *w, const struct model_step *step, bool done)
{
    sf_jw_key_str(&w->w, "type", "reasoning");
    sf_jw_key(&w->w, "summary");
    sf_jw_array_begin(&w->w);
    if (done && step->kind == MODEL_STEP_REASONING)
        put_part(w, "summary_text", step->text);
    sf_jw_array_end(&w->w);
    if (w->answer->request->wants_encrypted)
        put_encrypted(w, step);
}

static void put_item(struct writer *w, const struct model_step *step, bool done)
{
    sf_jw_object_begin(&w->w);
    sf_jw_key_str(&w->w, "id", w->id);
    if (step->kind == MODEL_STEP_TEXT) {
        put_message(w, step, done);
    } else if (step->kind == MODEL_STEP_CALL) {
        sf_jw_key_str(&w->w, "type", "function_call");
        sf_jw_key_str(&w->w, "status", done ? "completed" : "in_progress");
        sf_jw_key_str(&w->w, "arguments", done ? step->text : "");
        sf_jw_key_str(&w->w, "call_id", w->call_id);
        sf_jw_key_str(&w->w, "name", step->name);
    } else {
        put_reasoning(w, step, done);
    }
    sf_jw_object_end(&w->w);
}

static void write_item(struct writer *w, const char *type, const struct model_step *step, bool done)
{
    begin(w, type);
    sf_jw_key_int(&w->w, "output_index", (int64_t)w->index);
    sf_jw_key(&w->w, "item");
    put_item(w, step, done);
    end(w, type);
}

static void write_pieces(struct writer *w, const struct model_step *step, const char *type,
                         const char *part)
{
    for (size_t at = 0, n; at < step->len; at += n) {
        n = model_next_piece(step, at);
        begin_item(w, type, part);
        sf_jw_key(&w->w, "delta");
        sf_jw_strn(&w->w, step->text + at, n);
        end(w, type);
    }
}

static void write_part(struct writer *w, const char *event, const char *part, const char *type,
                       const char *text)
{
    begin_item(w, event, part);
    sf_jw_key(&w->w, "part");
    put_part(w, type, text);
    end(w, event);
}

static void write_done(struct writer *w, const char *type, const char *part, const char *key,
                       const struct model_step *step)
{
    begin_item(w, type, part);
    if (step->kind == MODEL_STEP_CALL)
        sf_jw_key_str(&w->w, "name", step->name);
    sf_jw_key_str(&w->w, key, step->text);
    end(w, type);
}

static void write_text(struct writer *w, const struct model_step *step)
{
    write_part(w, "response.content_part.added", "content_index", "output_text", "");
    write_pieces(w, step, "response.output_text.delta", "content_index");
    write_done(w, "response.output_text.done", "content_index", "text", step);
    write_part(w, "response.content_part.done", "content_index", "output_text", step->text);
}

static void write_summary(struct writer *w, const struct model_step *step)
{
    write_part(w, "response.reasoning_summary_part.added", "summary_index", "summary_text", "");
    write_pieces(w, step, "response.reasoning_summary_text.delta", "summary_index");
    write_done(w, "response.reasoning_summary_text.done", "summary_index", "text", step);
    write_part(w, "response.reasoning_summary_part.done", "summary_index", "summary_text",
               step->text);
}

/* Names for the item, and what later calls will depend on. */
static void name_item(struct writer *w, const struct model_step *step)
{
    static const char *const prefixes[] = {
        [MODEL_STEP_TEXT] = "msg",
        [MODEL_STEP_REASONING] = "rs",
        [MODEL_STEP_REDACTED] = "rs",
        [MODEL_STEP_CALL] = "fc",
    };

    w->id = model_make_id(w->answer, prefixes[step->kind]);
    if (step->kind == MODEL_STEP_CALL) {
        w->call_id = model_call_id(w->answer, step, "call");
        if (w->reasoning)
            sf_strlist_add(w->answer->reasoned, w->id);
    }
    w->reasoning =
        w->reasoning || step->kind == MODEL_STEP_REASONING || step->kind == MODEL_STEP_REDACTED;
}

static void finish_item(struct writer *w, const struct model_step *step)
{
    if (w->index++)
        sf_strbuf_addch(&w->items, ',');
    sf_jw_init(&w->w, &w->items);
    put_item(w, step, true);
    free(w->id);
    free(w->call_id);
    w->id = w->call_id = NULL;
}

static void write_step(struct writer *w, const struct model_step *step)
{
    name_item(w, step);
    write_item(w, "response.output_item.added", step, false);
    if (step->kind == MODEL_STEP_TEXT)
        write_text(w, step);
    if (step->kind == MODEL_STEP_REASONING)
        write_summary(w, step);
    if (step->kind == MODEL_STEP_CALL) {
        write_pieces(w, step, "response.function_call_arguments.delta", NULL);
        write_done(w, "response.function_call_arguments.done", NULL, "arguments", step);
    }
    write_item(w, "response.output_item.done", step, true);
    finish_item(w, step);
}

static void write_error(struct writer *w, const struct model_step *step)
{
    begin(w, "error");
    sf_jw_key_str(&w->w, "code", step->name);
    sf_jw_key_str(&w->w, "message", step->len ? step->text : "The model is overloaded.");
    sf_jw_key_str(&w->w, "param", NULL);
    end(w, "error");
    write_response(w, "response.failed", "failed", step);
    w->answer->ended = true;
}

static void release(struct writer *w)
{
    free(w->response_id);
    sf_strbuf_release(&w->json);
    sf_strbuf_release(&w->items);
}

void model_responses_stream(struct model_answer *answer)
{
    struct writer w = { .answer = answer, .json = SF_STRBUF_INIT, .items = SF_STRBUF_INIT };
    const char *status = final_status(answer->reply);

    w.response_id = model_make_id(answer, "resp");
    write_response(&w, "response.created", "in_progress", NULL);
    write_response(&w, "response.in_progress", "in_progress", NULL);
    for (size_t i = 0; !answer->ended && i < answer->reply->step_count; i++) {
        const struct model_step *step = &answer->reply->steps[i];

        if (step->kind == MODEL_STEP_ERROR)
            write_error(&w, step);
        else if (!model_common_step(answer, step))
            for (size_t n = 0; n < step->times; n++)
                write_step(&w, step);
    }
    if (!answer->ended && !answer->reply->no_end)
        write_response(&w,
                       strcmp(status, "completed") ? "response.incomplete" : "response.completed",
                       status, NULL);
    release(&w);
}

void model_responses_whole(struct model_answer *answer, struct sf_strbuf *out)
{
    struct writer w = { .answer = answer, .json = SF_STRBUF_INIT, .items = SF_STRBUF_INIT };

    w.response_id = model_make_id(answer, "resp");
    for (size_t i = 0; i < answer->reply->step_count; i++) {
        const struct model_step *step = &answer->reply->steps[i];

        for (size_t n = 0; step->kind <= MODEL_STEP_CALL && n < step->times; n++) {
            name_item(&w, step);
            finish_item(&w, step);
        }
    }
    sf_jw_init(&w.w, out);
    put_response(&w, final_status(answer->reply), NULL);
    release(&w);
}
