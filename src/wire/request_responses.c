/*
 * request_responses.c: OpenAI Responses. The conversation is one flat list of items; nothing is
 * kept at the service, so reasoning travels along in the sealed form it came in. Items carry no
 * ids of their own but those of calls: an id the service does not remember is an error to it.
 */
#include <string.h>

#include "base/base.h"
#include "wire/request_build.h"

static void begin_typed(struct sf_json_writer *w, const char *type)
{
    sf_jw_object_begin(w);
    sf_jw_key_str(w, "type", type);
}

static void text_part(struct sf_json_writer *w, const char *type, const char *text)
{
    begin_typed(w, type);
    sf_jw_key_str(w, "text", text);
    sf_jw_object_end(w);
}

static void image_part(struct sf_request_writer *rw, const struct sf_block *block)
{
    if (!rw->request->images) {
        text_part(rw->w, "input_text", sf_request_no_image);
        return;
    }
    begin_typed(rw->w, "input_image");
    sf_jw_key_str(rw->w, "detail", "auto");
    sf_request_image_url(rw, "image_url", block);
    sf_jw_object_end(rw->w);
}

static void begin_message(struct sf_json_writer *w, const char *role)
{
    begin_typed(w, "message");
    sf_jw_key_str(w, "role", role);
    sf_jw_key(w, "content");
    sf_jw_array_begin(w);
}

static void end_message(struct sf_json_writer *w)
{
    sf_jw_array_end(w);
    sf_jw_object_end(w);
}

static void write_call(struct sf_request_writer *rw, const struct sf_block *block)
{
    struct sf_json_writer *w = rw->w;

    begin_typed(w, "function_call");
    sf_jw_key_str(w, "call_id", sf_request_id(rw, block));
    sf_jw_key_str(w, "name", sf_request_name(rw, block->name));
    sf_jw_key_str(w, "arguments", sf_request_arguments(block));
    sf_jw_object_end(w);
}

static void write_result(struct sf_request_writer *rw, const struct sf_block *block)
{
    const char *text = sf_request_outcome(block);
    struct sf_json_writer *w = rw->w;

    begin_typed(w, "function_call_output");
    sf_jw_key_str(w, "call_id", sf_request_id(rw, block));
    sf_jw_key(w, "output");
    if (block->data) {
        sf_jw_array_begin(w);
        if (*text)
            text_part(w, "input_text", text);
        image_part(rw, block);
        sf_jw_array_end(w);
    } else {
        sf_jw_str(w, text);
    }
    sf_jw_object_end(w);
}

static void write_assistant(struct sf_request_writer *rw, const struct sf_message *message)
{
    struct sf_json_writer *w = rw->w;

    sf_request_heard(rw, message);
    for (size_t i = 0; i < message->count; i++) {
        const struct sf_block *block = &message->blocks[i];

        if (block->kind == SF_BLOCK_CALL) {
            write_call(rw, block);
        } else if (block->kind == SF_BLOCK_REASONING && sf_request_keeps(rw, message, i)) {
            sf_jw_raw(w, block->raw, strlen(block->raw));
        } else if (block->kind == SF_BLOCK_TEXT && block->len) {
            begin_message(w, "assistant");
            text_part(w, "output_text", block->text);
            end_message(w);
        }
    }
}

static bool is_said(const struct sf_block *block)
{
    return block->kind == SF_BLOCK_IMAGE || (block->kind == SF_BLOCK_TEXT && block->len);
}

static void write_user(struct sf_request_writer *rw, const struct sf_message *message)
{
    struct sf_json_writer *w = rw->w;
    bool said = false;

    for (size_t i = 0; i < message->count; i++) {
        said = said || is_said(&message->blocks[i]);
        if (message->blocks[i].kind == SF_BLOCK_RESULT)
            write_result(rw, &message->blocks[i]);
    }
    if (!said)
        return;
    begin_message(w, "user");
    for (size_t i = 0; i < message->count; i++) {
        const struct sf_block *block = &message->blocks[i];

        if (block->kind == SF_BLOCK_IMAGE)
            image_part(rw, block);
        else if (is_said(block))
            text_part(w, "input_text", block->text);
    }
    end_message(w);
}

static void write_input(struct sf_request_writer *rw)
{
    const struct sf_history *history = rw->request->history;

    sf_jw_key(rw->w, "input");
    sf_jw_array_begin(rw->w);
    for (size_t i = 0; i < history->count; i++) {
        if (history->messages[i].role == SF_ROLE_USER)
            write_user(rw, &history->messages[i]);
        else
            write_assistant(rw, &history->messages[i]);
    }
    sf_jw_array_end(rw->w);
}

static void write_tools(struct sf_request_writer *rw)
{
    struct sf_json_writer *w = rw->w;

    if (!rw->request->tool_count)
        return;
    sf_jw_key_bool(w, "parallel_tool_calls", true);
    sf_jw_key(w, "tools");
    sf_jw_array_begin(w);
    for (size_t i = 0; i < rw->request->tool_count; i++) {
        const struct sf_tool_schema *tool = &rw->request->tools[i];

        begin_typed(w, "function");
        sf_jw_key_str(w, "name", tool->name);
        sf_jw_key_str(w, "description", tool->help);
        sf_jw_key(w, "parameters");
        sf_jw_raw(w, tool->schema, strlen(tool->schema));
        sf_jw_key_bool(w, "strict", false);
        sf_jw_object_end(w);
    }
    sf_jw_array_end(w);
}

/* Models that do not reason refuse a request that so much as mentions sealed reasoning. */
static void write_reasoning(struct sf_request_writer *rw)
{
    struct sf_json_writer *w = rw->w;

    if (!rw->request->effort)
        return;
    sf_jw_key(w, "reasoning");
    sf_jw_object_begin(w);
    sf_jw_key_str(w, "effort", rw->request->effort);
    if (rw->request->summaries)
        sf_jw_key_str(w, "summary", "auto");
    sf_jw_object_end(w);
    sf_jw_key(w, "include");
    sf_jw_array_begin(w);
    sf_jw_str(w, "reasoning.encrypted_content");
    sf_jw_array_end(w);
}

static void write_format(struct sf_request_writer *rw)
{
    struct sf_json_writer *w = rw->w;

    if (!rw->request->schema)
        return;
    sf_jw_key(w, "text");
    sf_jw_object_begin(w);
    sf_jw_key(w, "format");
    begin_typed(w, "json_schema");
    sf_request_schema(rw);
    sf_jw_object_end(w);
    sf_jw_object_end(w);
}

void sf_request_responses(struct sf_request_writer *rw)
{
    const struct sf_wire_request *request = rw->request;
    struct sf_json_writer *w = rw->w;

    if (request->max_output > 0)
        sf_jw_key_int(w, "max_output_tokens", request->max_output);
    sf_jw_key_bool(w, "stream", true);
    sf_jw_key_bool(w, "store", false);
    write_reasoning(rw);
    write_format(rw);
    if (request->session)
        sf_jw_key_str(w, "prompt_cache_key", request->session);
    write_tools(rw);
    if (request->system && *request->system)
        sf_jw_key_str(w, "instructions", request->system);
    write_input(rw);
}
