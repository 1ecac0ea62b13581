/*
 * request: the body of a request, from the conversation and the tools. The same conversation
 * always gives the same bytes, and a longer one begins with them: nothing in front of the newest
 * message depends on it, but for the cache markers, which stand where the service wants them.
 */
#ifndef SF_WIRE_REQUEST_H
#define SF_WIRE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/message.h"

/* A tool as models see it. */
struct sf_tool_schema {
    const char *name;
    const char *help;
    const char *schema; /* a JSON object */
};

/* Everything is borrowed. */
struct sf_wire_request {
    enum sf_wire_format format;
    const char *model;
    const char *system; /* or "" */
    const struct sf_history *history;
    const struct sf_tool_schema *tools;
    size_t tool_count;
    int64_t max_output;      /* tokens */
    const char *effort;      /* the service's own word for how hard to think; NULL: its default */
    int64_t thinking_budget; /* Anthropic, models without effort: tokens of thinking; 0: none */
    bool cache;              /* mark what the service should keep */
    bool images;             /* the model takes them; otherwise a line says one was there */
    const char *schema;      /* the service holds its answer to this JSON Schema; NULL: to none */
    const char *session;     /* a stable key for the service's cache, or NULL */
    bool summaries;          /* Responses: tell in short what was thought */
    bool reasoning_back;     /* Chat: the service wants its reasoning back (DeepSeek, Kimi) */
    bool cache_mark;         /* Chat: it keeps a prompt only when told to (OpenRouter's Claude) */
};

/*
 * Appends the JSON body. The history must pass sf_history_check. Reasoning of another format is
 * left out, as is reasoning nothing follows, and a message that is empty then is left out too.
 * What one service wrote and another would refuse is replaced, always by the same: ids and names
 * with characters outside its alphabet, an id used before, arguments that are no JSON object.
 */
void sf_wire_request_add(const struct sf_wire_request *request, struct sf_strbuf *out);

/* What follows the base address: "/v1/messages", "/chat/completions", "/responses". */
const char *sf_wire_path(enum sf_wire_format format);

#endif
