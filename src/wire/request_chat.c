/*
 * request_chat.c: OpenAI Chat Completions, as spoken by dozens of servers. The plainest form is
 * used wherever there is a choice, since local servers read little more: text as a string rather
 * than a list of parts, and no field that only one service knows.
 *
 * A result is a message of its own here and cannot hold an image; its image follows in a message
 * of the user behind all results.
 */
#include <string.h>

#include "base/base.h"
#include "wire/request_build.h"

static void begin_message(struct sf_json_writer *w, const char *role)
{
    sf_jw_object_begin(w);
    sf_jw_key_str(w, "role", role);
}

/* All text of a message, one block below the other. */
static void join_text(const struct sf_message *message, struct sf_strbuf *out)
{
    for (size_t i = 0; i < message->count; i++) {
        const struct sf_block *block = &message->blocks[i];

        if (block->kind != SF_BLOCK_TEXT || !block->len)
            continue;
        if (out->len)
            sf_strbuf_addch(out, '\n');
        sf_strbuf_add(out, block->text, block->len);
    }
}

static void write_call(struct sf_request_writer *rw, const struct sf_block *block)
{
    struct sf_json_writer *w = rw->w;

    sf_jw_object_begin(w);
    sf_jw_key_str(w, "id", sf_request_id(rw, block));
    sf_jw_key_str(w, "type", "function");
    sf_jw_key(w, "function");
    sf_jw_object_begin(w);
    sf_jw_key_str(w, "name", sf_request_name(rw, block->name));
    sf_jw_key_str(w, "arguments", sf_request_arguments(block));
    sf_jw_object_end(w);
    sf_jw_object_end(w);
}

static void write_calls(struct sf_request_writer *rw, const struct sf_message *message)
{
    if (!sf_message_calls(message))
        return;
    sf_jw_key(rw->w, "tool_calls");
    sf_jw_array_begin(rw->w);
    for (size_t i = 0; i < message->count; i++)
        if (message->blocks[i].kind == SF_BLOCK_CALL)
            write_call(rw, &message->blocks[i]);
    sf_jw_array_end(rw->w);
}

/* Services that want it back want it with every message, so an empty one stands for none. */
static void write_reasoning(struct sf_request_writer *rw, const struct sf_message *message)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (!rw->request->reasoning_back)
        return;
    for (size_t i = 0; i < message->count; i++) {
        const struct sf_block *block = &message->blocks[i];

        if (block->kind == SF_BLOCK_REASONING && block->format == SF_WIRE_CHAT && block->text)
            sf_strbuf_add(&text, block->text, block->len);
    }
    sf_jw_key_str(rw->w, "reasoning_content", text.buf);
    sf_strbuf_release(&text);
}

static void write_assistant(struct sf_request_writer *rw, const struct sf_message *message)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_json_writer *w = rw->w;

    sf_request_heard(rw, message);
    join_text(message, &text);
    if (text.len || sf_message_calls(message)) {
        begin_message(w, "assistant");
        sf_jw_key_str(w, "content", text.len ? text.buf : NULL);
        write_reasoning(rw, message);
        write_calls(rw, message);
        sf_jw_object_end(w);
    }
    sf_strbuf_release(&text);
}

static void write_result(struct sf_request_writer *rw, const struct sf_block *block)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_json_writer *w = rw->w;

    sf_strbuf_adds(&text, sf_request_outcome(block));
    if (block->data && !rw->request->images)
        sf_strbuf_addf(&text, "%s%s", text.len ? "\n" : "", sf_request_no_image);
    begin_message(w, "tool");
    sf_jw_key_str(w, "tool_call_id", sf_request_id(rw, block));
    sf_jw_key_str(w, "content", text.buf);
    sf_jw_object_end(w);
    sf_strbuf_release(&text);
}

static void text_part(struct sf_json_writer *w, const char *text)
{
    sf_jw_object_begin(w);
    sf_jw_key_str(w, "type", "text");
    sf_jw_key_str(w, "text", text);
    sf_jw_object_end(w);
}

static void image_part(struct sf_request_writer *rw, const struct sf_block *block)
{
    struct sf_json_writer *w = rw->w;

    sf_jw_object_begin(w);
    sf_jw_key_str(w, "type", "image_url");
    sf_jw_key(w, "image_url");
    sf_jw_object_begin(w);
    sf_request_image_url(rw, "url", block);
    sf_jw_object_end(w);
    sf_jw_object_end(w);
}

static void result_image(struct sf_request_writer *rw, const struct sf_block *block)
{
    struct sf_strbuf line = SF_STRBUF_INIT;

    sf_strbuf_addf(&line, "The image of %s:", sf_request_id(rw, block));
    text_part(rw->w, line.buf);
    image_part(rw, block);
    sf_strbuf_release(&line);
}

static void write_parts(struct sf_request_writer *rw, const struct sf_message *message)
{
    sf_jw_array_begin(rw->w);
    for (size_t i = 0; i < message->count; i++)
        if (message->blocks[i].kind == SF_BLOCK_RESULT && message->blocks[i].data)
            result_image(rw, &message->blocks[i]);
    for (size_t i = 0; i < message->count; i++) {
        const struct sf_block *block = &message->blocks[i];

        if (block->kind == SF_BLOCK_IMAGE)
            image_part(rw, block);
        else if (block->kind == SF_BLOCK_TEXT && block->len)
            text_part(rw->w, block->text);
    }
    sf_jw_array_end(rw->w);
}

/* Text alone; where images are not taken, their lines stand at its end. */
static void plain_text(const struct sf_message *message, struct sf_strbuf *out)
{
    join_text(message, out);
    for (size_t i = 0; i < message->count; i++)
        if (message->blocks[i].kind == SF_BLOCK_IMAGE)
            sf_strbuf_addf(out, "%s%s", out->len ? "\n" : "", sf_request_no_image);
}

static bool shows_image(const struct sf_request_writer *rw, const struct sf_message *message)
{
    for (size_t i = 0; i < message->count; i++)
        if (message->blocks[i].data)
            return rw->request->images;
    return false;
}

static void write_user(struct sf_request_writer *rw, const struct sf_message *message)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    bool images = shows_image(rw, message);

    for (size_t i = 0; i < message->count; i++)
        if (message->blocks[i].kind == SF_BLOCK_RESULT)
            write_result(rw, &message->blocks[i]);
    if (!images)
        plain_text(message, &text);
    if (images || text.len) {
        begin_message(rw->w, "user");
        sf_jw_key(rw->w, "content");
        if (images)
            write_parts(rw, message);
        else
            sf_jw_strn(rw->w, text.buf, text.len);
        sf_jw_object_end(rw->w);
    }
    sf_strbuf_release(&text);
}

static void write_messages(struct sf_request_writer *rw)
{
    const struct sf_wire_request *request = rw->request;
    struct sf_json_writer *w = rw->w;

    sf_jw_key(w, "messages");
    sf_jw_array_begin(w);
    if (request->system && *request->system) {
        begin_message(w, "system");
        sf_jw_key_str(w, "content", request->system);
        sf_jw_object_end(w);
    }
    for (size_t i = 0; i < request->history->count; i++) {
        const struct sf_message *message = &request->history->messages[i];

        if (message->role == SF_ROLE_USER)
            write_user(rw, message);
        else
            write_assistant(rw, message);
    }
    sf_jw_array_end(w);
}

static void write_tools(struct sf_request_writer *rw)
{
    struct sf_json_writer *w = rw->w;

    if (!rw->request->tool_count)
        return;
    sf_jw_key(w, "tools");
    sf_jw_array_begin(w);
    for (size_t i = 0; i < rw->request->tool_count; i++) {
        const struct sf_tool_schema *tool = &rw->request->tools[i];

        sf_jw_object_begin(w);
        sf_jw_key_str(w, "type", "function");
        sf_jw_key(w, "function");
        sf_jw_object_begin(w);
        sf_jw_key_str(w, "name", tool->name);
        sf_jw_key_str(w, "description", tool->help);
        sf_jw_key(w, "parameters");
        sf_jw_raw(w, tool->schema, strlen(tool->schema));
        sf_jw_object_end(w);
        sf_jw_object_end(w);
    }
    sf_jw_array_end(w);
}

static void write_format(struct sf_request_writer *rw)
{
    struct sf_json_writer *w = rw->w;

    if (!rw->request->schema)
        return;
    sf_jw_key(w, "response_format");
    sf_jw_object_begin(w);
    sf_jw_key_str(w, "type", "json_schema");
    sf_jw_key(w, "json_schema");
    sf_jw_object_begin(w);
    sf_request_schema(rw);
    sf_jw_object_end(w);
    sf_jw_object_end(w);
}

void sf_request_chat(struct sf_request_writer *rw)
{
    const struct sf_wire_request *request = rw->request;
    struct sf_json_writer *w = rw->w;

    /* models with an effort refuse the old name, servers without one do not know the new */
    if (request->max_output > 0)
        sf_jw_key_int(w, request->effort ? "max_completion_tokens" : "max_tokens",
                      request->max_output);
    if (request->effort)
        sf_jw_key_str(w, "reasoning_effort", request->effort);
    sf_jw_key_bool(w, "stream", true);
    if (request->cache && request->cache_mark) {
        sf_jw_key(w, "cache_control");
        sf_jw_object_begin(w);
        sf_jw_key_str(w, "type", "ephemeral");
        sf_jw_object_end(w);
    }
    sf_jw_key(w, "stream_options");
    sf_jw_object_begin(w);
    sf_jw_key_bool(w, "include_usage", true);
    sf_jw_object_end(w);
    write_format(rw);
    write_tools(rw);
    write_messages(rw);
}
