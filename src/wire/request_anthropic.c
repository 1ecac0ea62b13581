/*
 * request_anthropic.c: Anthropic Messages. Everything that never changes in a conversation stands
 * in front of the messages. Cache markers sit at the end of the fixed part and on the two newest
 * messages of the user: the older finds what the last request stored, the newer stores anew. A
 * marker is always the last member of its block, so moving it disturbs nothing else.
 */
#include <stdint.h>
#include <string.h>

#include "base/base.h"
#include "wire/request_build.h"

enum {
    OUTPUT_DEFAULT = 4096,
    BUDGET_MIN = 1024, /* the service takes no less */
    MARKED_MESSAGES = 2,
};

static void marker(struct sf_request_writer *rw)
{
    sf_jw_key(rw->w, "cache_control");
    sf_jw_object_begin(rw->w);
    sf_jw_key_str(rw->w, "type", "ephemeral");
    sf_jw_object_end(rw->w);
}

static void begin_typed(struct sf_json_writer *w, const char *type)
{
    sf_jw_object_begin(w);
    sf_jw_key_str(w, "type", type);
}

static void text_block(struct sf_request_writer *rw, const char *text, bool marked)
{
    begin_typed(rw->w, "text");
    sf_jw_key_str(rw->w, "text", text);
    if (marked)
        marker(rw);
    sf_jw_object_end(rw->w);
}

static void image_block(struct sf_request_writer *rw, const struct sf_block *block, bool marked)
{
    struct sf_json_writer *w = rw->w;

    if (!rw->request->images) {
        text_block(rw, sf_request_no_image, marked);
        return;
    }
    begin_typed(w, "image");
    sf_jw_key(w, "source");
    begin_typed(w, "base64");
    sf_jw_key_str(w, "media_type", block->media);
    sf_jw_key_str(w, "data", block->data);
    sf_jw_object_end(w);
    if (marked)
        marker(rw);
    sf_jw_object_end(w);
}

static void result_block(struct sf_request_writer *rw, const struct sf_block *block, bool marked)
{
    struct sf_json_writer *w = rw->w;
    const char *text = sf_request_outcome(block);

    begin_typed(w, "tool_result");
    sf_jw_key_str(w, "tool_use_id", sf_request_id(rw, block));
    sf_jw_key(w, "content");
    if (block->data) {
        sf_jw_array_begin(w);
        if (!sf_request_blank(text))
            text_block(rw, text, false);
        image_block(rw, block, false);
        sf_jw_array_end(w);
    } else {
        sf_jw_str(w, text);
    }
    if (block->is_error)
        sf_jw_key_bool(w, "is_error", true);
    if (marked)
        marker(rw);
    sf_jw_object_end(w);
}

static void call_block(struct sf_request_writer *rw, const struct sf_block *block)
{
    const char *arguments = sf_request_arguments(block);
    struct sf_json_writer *w = rw->w;

    begin_typed(w, "tool_use");
    sf_jw_key_str(w, "id", sf_request_id(rw, block));
    sf_jw_key_str(w, "name", sf_request_name(rw, block->name));
    sf_jw_key(w, "input");
    sf_jw_raw(w, arguments, strlen(arguments));
    sf_jw_object_end(w);
}

/* The service refuses text without a visible character. */
static bool is_sent(const struct sf_request_writer *rw, const struct sf_message *message, size_t at)
{
    const struct sf_block *block = &message->blocks[at];

    if (block->kind == SF_BLOCK_REASONING)
        return sf_request_keeps(rw, message, at);
    return block->kind != SF_BLOCK_TEXT || !sf_request_blank(block->text);
}

static void write_block(struct sf_request_writer *rw, const struct sf_block *block, bool marked)
{
    switch (block->kind) {
    case SF_BLOCK_TEXT:
        text_block(rw, block->text, marked);
        break;
    case SF_BLOCK_REASONING:
        sf_jw_raw(rw->w, block->raw, strlen(block->raw));
        break;
    case SF_BLOCK_CALL:
        call_block(rw, block);
        break;
    case SF_BLOCK_RESULT:
        result_block(rw, block, marked);
        break;
    case SF_BLOCK_IMAGE:
        image_block(rw, block, marked);
        break;
    }
}

static bool is_empty(const struct sf_request_writer *rw, const struct sf_message *message)
{
    for (size_t i = 0; i < message->count; i++)
        if (is_sent(rw, message, i))
            return false;
    return true;
}

/* The block that is written last: results go in front. */
static size_t last_sent(const struct sf_request_writer *rw, const struct sf_message *message)
{
    size_t last = 0;
    bool found = false;

    for (size_t i = 0; i < message->count; i++) {
        bool result = message->blocks[i].kind == SF_BLOCK_RESULT;

        if (!is_sent(rw, message, i) ||
            (result && found && message->blocks[last].kind != SF_BLOCK_RESULT))
            continue;
        last = i;
        found = true;
    }
    return last;
}

static void write_message(struct sf_request_writer *rw, const struct sf_message *message,
                          bool marked)
{
    struct sf_json_writer *w = rw->w;
    size_t last = last_sent(rw, message);

    sf_jw_object_begin(w);
    sf_jw_key_str(w, "role", message->role == SF_ROLE_USER ? "user" : "assistant");
    sf_jw_key(w, "content");
    sf_jw_array_begin(w);
    for (int results = 1; results >= 0; results--)
        for (size_t i = 0; i < message->count; i++)
            if ((message->blocks[i].kind == SF_BLOCK_RESULT) == results && is_sent(rw, message, i))
                write_block(rw, &message->blocks[i], marked && i == last);
    sf_jw_array_end(w);
    sf_jw_object_end(w);
}

/* The first message to mark, of those counted from the end. */
static size_t first_marked(const struct sf_request_writer *rw)
{
    const struct sf_history *history = rw->request->history;
    size_t at = history->count, left = rw->request->cache ? MARKED_MESSAGES : 0;

    for (size_t i = history->count; i > 0 && left; i--) {
        const struct sf_message *message = &history->messages[i - 1];

        if (message->role == SF_ROLE_USER && !is_empty(rw, message)) {
            at = i - 1;
            left--;
        }
    }
    return at;
}

static void write_messages(struct sf_request_writer *rw)
{
    const struct sf_history *history = rw->request->history;
    size_t marked = first_marked(rw);

    sf_jw_key(rw->w, "messages");
    sf_jw_array_begin(rw->w);
    for (size_t i = 0; i < history->count; i++) {
        const struct sf_message *message = &history->messages[i];

        if (is_empty(rw, message))
            continue;
        if (message->role == SF_ROLE_ASSISTANT)
            sf_request_heard(rw, message);
        write_message(rw, message, i >= marked && message->role == SF_ROLE_USER);
    }
    sf_jw_array_end(rw->w);
}

static bool has(const struct sf_message *message, enum sf_block_kind kind)
{
    for (size_t i = 0; i < message->count; i++)
        if (message->blocks[i].kind == kind)
            return true;
    return false;
}

/*
 * Between calls and their answers the service wants to see that the turn began with thinking. A
 * turn begun by a model that did not think must be finished without.
 */
static bool may_think(const struct sf_request_writer *rw)
{
    const struct sf_history *history = rw->request->history;
    const struct sf_message *began = NULL;

    for (size_t i = history->count; i > 1 && has(&history->messages[i - 1], SF_BLOCK_RESULT);
         i -= 2)
        began = &history->messages[i - 2];
    return !began ||
           (began->blocks[0].kind == SF_BLOCK_REASONING && sf_request_keeps(rw, began, 0));
}

/* A model that knows efforts measures its thinking itself, and need not have begun with it. */
static void write_thinking(struct sf_request_writer *rw, int64_t max_output)
{
    int64_t budget = rw->request->thinking_budget;
    struct sf_json_writer *w = rw->w;

    if (rw->request->effort) {
        sf_jw_key(w, "thinking");
        begin_typed(w, "adaptive");
        sf_jw_object_end(w);
        return;
    }
    if (budget >= max_output)
        budget = max_output / 2;
    if (budget < BUDGET_MIN || !may_think(rw))
        return;
    sf_jw_key(w, "thinking");
    begin_typed(w, "enabled");
    sf_jw_key_int(w, "budget_tokens", budget);
    sf_jw_object_end(w);
}

static void write_tools(struct sf_request_writer *rw, bool marked)
{
    const struct sf_wire_request *request = rw->request;
    struct sf_json_writer *w = rw->w;

    if (!request->tool_count)
        return;
    sf_jw_key(w, "tools");
    sf_jw_array_begin(w);
    for (size_t i = 0; i < request->tool_count; i++) {
        const struct sf_tool_schema *tool = &request->tools[i];

        sf_jw_object_begin(w);
        sf_jw_key_str(w, "name", tool->name);
        sf_jw_key_str(w, "description", tool->help);
        sf_jw_key(w, "input_schema");
        sf_jw_raw(w, tool->schema, strlen(tool->schema));
        if (marked && i + 1 == request->tool_count)
            marker(rw);
        sf_jw_object_end(w);
    }
    sf_jw_array_end(w);
}

/* The schema stands beside the effort; both are about the answer. */
static void write_output(struct sf_request_writer *rw)
{
    const struct sf_wire_request *request = rw->request;
    struct sf_json_writer *w = rw->w;

    if (!request->effort && !request->schema)
        return;
    sf_jw_key(w, "output_config");
    sf_jw_object_begin(w);
    if (request->effort)
        sf_jw_key_str(w, "effort", request->effort);
    if (request->schema) {
        sf_jw_key(w, "format");
        begin_typed(w, "json_schema");
        sf_jw_key(w, "schema");
        sf_jw_raw(w, request->schema, strlen(request->schema));
        sf_jw_object_end(w);
    }
    sf_jw_object_end(w);
}

void sf_request_anthropic(struct sf_request_writer *rw)
{
    const struct sf_wire_request *request = rw->request;
    int64_t max_output = request->max_output > 0 ? request->max_output : OUTPUT_DEFAULT;
    bool system = request->system && !sf_request_blank(request->system);
    struct sf_json_writer *w = rw->w;

    sf_jw_key_int(w, "max_tokens", max_output);
    sf_jw_key_bool(w, "stream", true);
    write_thinking(rw, max_output);
    write_output(rw);
    write_tools(rw, request->cache && !system);
    if (system) {
        sf_jw_key(w, "system");
        sf_jw_array_begin(w);
        text_block(rw, request->system, request->cache);
        sf_jw_array_end(w);
    }
    write_messages(rw);
}
