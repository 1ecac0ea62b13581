/*
 * model_chat.c: POST /v1/chat/completions, the check. The heart is the order of messages: calls of
 * the assistant are answered by tool messages before anybody else speaks.
 */
#include "support/model_chat.h"

static const struct model_field top_fields[] = {
    { "model", MODEL_STRING | MODEL_MUST },
    { "messages", MODEL_ARRAY | MODEL_MUST },
    { "max_tokens", MODEL_INTEGER | MODEL_NULL },
    { "max_completion_tokens", MODEL_INTEGER | MODEL_NULL },
    { "stream", MODEL_BOOL | MODEL_NULL },
    { "stream_options", MODEL_OBJECT | MODEL_NULL },
    { "tools", MODEL_ARRAY },
    { "tool_choice", MODEL_STRING | MODEL_OBJECT },
    { "parallel_tool_calls", MODEL_BOOL },
    { "temperature", MODEL_NUMBER | MODEL_NULL },
    { "top_p", MODEL_NUMBER | MODEL_NULL },
    { "n", MODEL_INTEGER | MODEL_NULL },
    { "stop", MODEL_STRING | MODEL_ARRAY | MODEL_NULL },
    { "presence_penalty", MODEL_NUMBER | MODEL_NULL },
    { "frequency_penalty", MODEL_NUMBER | MODEL_NULL },
    { "logit_bias", MODEL_OBJECT | MODEL_NULL },
    { "logprobs", MODEL_BOOL | MODEL_NULL },
    { "top_logprobs", MODEL_INTEGER | MODEL_NULL },
    { "user", MODEL_STRING },
    { "response_format", MODEL_OBJECT },
    { "seed", MODEL_INTEGER | MODEL_NULL },
    { "store", MODEL_BOOL | MODEL_NULL },
    { "metadata", MODEL_OBJECT | MODEL_NULL },
    { "reasoning_effort", MODEL_STRING | MODEL_NULL },
    { "verbosity", MODEL_STRING | MODEL_NULL },
    { "service_tier", MODEL_STRING | MODEL_NULL },
    { "prompt_cache_key", MODEL_STRING },
    { "prompt_cache_retention", MODEL_STRING | MODEL_NULL },
    { "safety_identifier", MODEL_STRING },
    { NULL, 0 },
};

static const struct model_field stream_fields[] = {
    { "include_usage", MODEL_BOOL },
    { "include_obfuscation", MODEL_BOOL },
    { NULL, 0 },
};

static const struct model_field tool_fields[] = {
    { "type", MODEL_STRING | MODEL_MUST },
    { "function", MODEL_OBJECT | MODEL_MUST },
    { NULL, 0 },
};

static const struct model_field function_fields[] = {
    { "name", MODEL_STRING | MODEL_MUST },
    { "description", MODEL_STRING },
    { "parameters", MODEL_OBJECT },
    { "strict", MODEL_BOOL | MODEL_NULL },
    { NULL, 0 },
};

static const struct model_field speaker_fields[] = {
    /* system, developer, user */
    { "role", MODEL_STRING | MODEL_MUST },
    { "content", MODEL_STRING | MODEL_ARRAY | MODEL_MUST },
    { "name", MODEL_STRING },
    { NULL, 0 },
};

static const struct model_field assistant_fields[] = {
    { "role", MODEL_STRING | MODEL_MUST },
    { "content", MODEL_STRING | MODEL_ARRAY | MODEL_NULL },
    { "refusal", MODEL_STRING | MODEL_NULL },
    { "name", MODEL_STRING },
    { "tool_calls", MODEL_ARRAY },
    { "reasoning_content", MODEL_STRING | MODEL_NULL },
    { NULL, 0 },
};

static const struct model_field answer_fields[] = {
    { "role", MODEL_STRING | MODEL_MUST },
    { "content", MODEL_STRING | MODEL_ARRAY | MODEL_MUST },
    { "tool_call_id", MODEL_STRING | MODEL_MUST },
    { NULL, 0 },
};

static const struct model_field call_fields[] = {
    { "id", MODEL_STRING | MODEL_MUST },
    { "type", MODEL_STRING | MODEL_MUST },
    { "function", MODEL_OBJECT | MODEL_MUST },
    { NULL, 0 },
};

static const struct model_field called_fields[] = {
    { "name", MODEL_STRING | MODEL_MUST },
    { "arguments", MODEL_STRING | MODEL_MUST },
    { NULL, 0 },
};

struct walk {
    struct model_request *request;
    struct model_refusal *no;
    char path[64]; /* of the message */
};

static bool fields_ok(struct walk *w, const struct sf_json *object, const char *path,
                      const struct model_field *fields)
{
    char prefix[200];

    snprintf(prefix, sizeof(prefix), "%s.", path);
    return model_check_fields(object, prefix, fields, &model_openai_words, w->no);
}

/* Parts of a message: text, and for the user pictures and files. */
static bool check_parts(struct walk *w, const struct sf_json *content, bool user)
{
    size_t i = 0;

    for (const struct sf_json *it = model_first(content); it; it = sf_json_next(it), i++) {
        const char *type = model_get_text(it, "type");
        bool other =
            !strcmp(type, "image_url") || !strcmp(type, "file") || !strcmp(type, "input_audio");

        if (!strcmp(type, "text") && sf_json_get(it, "text"))
            continue;
        if (!other || !user)
            return model_refuse_code(w->no, "invalid_value", w->path,
                                     "Invalid value: '%s'. Part %zu of '%s.content' must be of "
                                     "type 'text' with its 'text'.",
                                     type, i, w->path);
    }
    return true;
}

static bool check_content(struct walk *w, const struct sf_json *message, bool user)
{
    const struct sf_json *content = sf_json_get(message, "content");
    bool empty = sf_json_type(content) == SF_JSON_STRING ? !*model_get_text(message, "content")
                                                         : !model_first(content);

    if (empty)
        return model_refuse_code(w->no, "invalid_value", w->path,
                                 "Invalid '%s.content': expected content that is not empty.",
                                 w->path);
    return check_parts(w, content, user);
}

static bool check_user(struct walk *w, const struct sf_json *message)
{
    return check_content(w, message, true);
}

static bool check_system(struct walk *w, const struct sf_json *message)
{
    return check_content(w, message, false);
}

static bool check_arguments(struct walk *w, const struct sf_json *function, const char *path)
{
    struct sf_error err = SF_ERROR_INIT;
    const char *text = model_get_text(function, "arguments");
    struct sf_json *json = sf_json_parse(text, strlen(text), NULL, &err);
    bool ok = json && sf_json_type(json) == SF_JSON_OBJECT;

    sf_json_free(json);
    return ok || model_refuse_code(w->no, "invalid_value", path,
                                   "Invalid '%s.function.arguments': expected a string with a JSON "
                                   "object.",
                                   path);
}

static bool check_call(struct walk *w, const struct sf_json *call, const char *path)
{
    const struct sf_json *function = sf_json_get(call, "function");
    const char *id = model_get_text(call, "id");
    char inner[160];

    if (!fields_ok(w, call, path, call_fields))
        return false;
    snprintf(inner, sizeof(inner), "%s.function", path);
    if (!fields_ok(w, function, inner, called_fields) || !check_arguments(w, function, path))
        return false;
    if (strcmp(model_get_text(call, "type"), "function") != 0)
        return model_refuse_code(w->no, "invalid_value", path,
                                 "Invalid value: '%s'. Supported values are: 'function'.",
                                 model_get_text(call, "type"));
    if (!model_tool_name_ok(model_get_text(function, "name")))
        return model_refuse_code(w->no, "invalid_value", path,
                                 "Invalid '%s.function.name': string does not match pattern "
                                 "'^[a-zA-Z0-9_-]+$'.",
                                 path);
    if (!*id || !model_add_call(w->request, id, model_get_text(function, "name")))
        return model_refuse_code(w->no, "invalid_value", path,
                                 "Invalid '%s.id': tool call ids must be unique and not empty; got "
                                 "'%s'.",
                                 path, id);
    return true;
}

static bool check_assistant(struct walk *w, const struct sf_json *message)
{
    const struct sf_json *calls = sf_json_get(message, "tool_calls");
    const struct sf_json *content = sf_json_get(message, "content");
    char path[128];
    size_t i = 0;

    w->request->result_count = 0;
    if (calls && !model_first(calls))
        return model_refuse_code(w->no, "empty_array", w->path,
                                 "Invalid '%s.tool_calls': empty array. Expected an array with "
                                 "minimum length 1, but got an empty array instead.",
                                 w->path);
    if (!calls && (!content || sf_json_type(content) == SF_JSON_NULL) &&
        !*model_get_text(message, "refusal"))
        return model_refuse_code(w->no, "invalid_value", w->path,
                                 "Invalid value for '%s.content': expected a string, got null.",
                                 w->path);
    if (!calls && content && !check_content(w, message, false))
        return false;
    for (const struct sf_json *it = model_first(calls); it; it = sf_json_next(it), i++) {
        snprintf(path, sizeof(path), "%s.tool_calls[%zu]", w->path, i);
        if (!check_call(w, it, path))
            return false;
    }
    return true;
}

static bool check_answer(struct walk *w, const struct sf_json *message)
{
    const char *id = model_get_text(message, "tool_call_id");

    if (!check_parts(w, sf_json_get(message, "content"), false))
        return false;
    if (!w->request->pending.count && !sf_strlist_has(&w->request->calls, id))
        return model_refuse(w->no, w->path,
                            "Invalid parameter: messages with role 'tool' must be a response to a "
                            "preceeding message with 'tool_calls'.");
    if (!model_add_result(w->request, id, sf_json_get(message, "content")))
        return model_refuse(w->no, w->path,
                            "Invalid parameter: 'tool_call_id' of '%s' not found in 'tool_calls' "
                            "of previous message.",
                            id);
    return true;
}

static const struct role {
    const char *name;
    const struct model_field *fields;
    bool (*check)(struct walk *w, const struct sf_json *message);
} roles[] = {
    { "system", speaker_fields, check_system }, { "developer", speaker_fields, check_system },
    { "user", speaker_fields, check_user },     { "assistant", assistant_fields, check_assistant },
    { "tool", answer_fields, check_answer },
};

static bool refuse_pending(struct walk *w)
{
    struct sf_strbuf ids = SF_STRBUF_INIT;

    for (size_t i = 0; i < w->request->pending.count && ids.len < 300; i++)
        sf_strbuf_addf(&ids, "%s%s", i ? ", " : "", w->request->pending.items[i]);
    model_refuse(w->no, w->path,
                 "An assistant message with 'tool_calls' must be followed by tool messages "
                 "responding to each 'tool_call_id'. The following tool_call_ids did not have "
                 "response messages: %s",
                 ids.buf);
    sf_strbuf_release(&ids);
    return false;
}

static bool check_message(struct walk *w, const struct sf_json *message)
{
    const char *role = model_get_text(message, "role");

    if (sf_json_type(message) == SF_JSON_OBJECT && !sf_json_get(message, "role"))
        return model_refuse_code(w->no, "missing_required_parameter", w->path,
                                 "Missing required parameter: '%s.role'.", w->path);
    for (size_t i = 0; i < SF_COUNT(roles); i++) {
        if (strcmp(roles[i].name, role) != 0)
            continue;
        if (w->request->pending.count && roles[i].check != check_answer)
            return refuse_pending(w);
        return fields_ok(w, message, w->path, roles[i].fields) && roles[i].check(w, message);
    }
    return model_refuse_code(w->no, "invalid_value", w->path,
                             "Invalid value: '%s'. Supported values are: 'system', 'assistant', "
                             "'user', 'tool', and 'developer'.",
                             role);
}

static bool check_messages(struct walk *w)
{
    const struct sf_json *messages = sf_json_get(w->request->body, "messages");
    size_t i = 0;

    if (!model_first(messages))
        return model_refuse_code(w->no, "empty_array", "messages",
                                 "Invalid 'messages': empty array. Expected an array with minimum "
                                 "length 1, but got an empty array instead.");
    for (const struct sf_json *it = model_first(messages); it; it = sf_json_next(it), i++) {
        snprintf(w->path, sizeof(w->path), "messages[%zu]", i);
        if (!check_message(w, it))
            return false;
    }
    return !w->request->pending.count || refuse_pending(w);
}

static bool check_tools(struct walk *w)
{
    const struct sf_json *tools = sf_json_get(w->request->body, "tools");
    char path[64], inner[80];
    size_t i = 0;

    if (tools && !model_first(tools))
        return model_refuse_code(w->no, "empty_array", "tools",
                                 "Invalid 'tools': empty array. Expected an array with minimum "
                                 "length 1, but got an empty array instead.");
    for (const struct sf_json *it = model_first(tools); it; it = sf_json_next(it), i++) {
        const struct sf_json *function = sf_json_get(it, "function");

        snprintf(path, sizeof(path), "tools[%zu]", i);
        snprintf(inner, sizeof(inner), "%s.function", path);
        if (!fields_ok(w, it, path, tool_fields) ||
            !fields_ok(w, function, inner, function_fields) ||
            !model_openai_check_tool(w->request, function, inner, w->no))
            return false;
        if (strcmp(model_get_text(it, "type"), "function") != 0)
            return model_refuse_code(w->no, "invalid_value", path,
                                     "Invalid value: '%s'. Supported values are: 'function'.",
                                     model_get_text(it, "type"));
    }
    return true;
}

static bool check_stream(struct walk *w)
{
    const struct sf_json *options = sf_json_get(w->request->body, "stream_options");
    struct sf_error ignored = SF_ERROR_INIT;

    if (!sf_json_opt_bool(w->request->body, "stream", false, &w->request->stream, &ignored))
        w->request->stream = false;
    if (!options || sf_json_type(options) == SF_JSON_NULL)
        return true;
    if (!w->request->stream)
        return model_refuse(w->no, "stream_options",
                            "The 'stream_options' parameter is only "
                            "allowed when 'stream' is enabled.");
    return fields_ok(w, options, "stream_options", stream_fields) &&
           sf_json_opt_bool(options, "include_usage", false, &w->request->wants_usage, &ignored);
}

static bool check(struct model_request *request, struct model_refusal *no)
{
    struct walk w = { .request = request, .no = no };
    const char *choice = model_get_text(request->body, "tool_choice");

    if (!model_check_fields(request->body, "", top_fields, &model_openai_words, no))
        return false;
    request->model = model_get_text(request->body, "model");
    if (!*request->model)
        return model_refuse(no, "model", "you must provide a model parameter");
    if (sf_json_get(request->body, "max_tokens") &&
        sf_json_get(request->body, "max_completion_tokens"))
        return model_refuse(no, "max_tokens",
                            "Setting 'max_tokens' and 'max_completion_tokens' at "
                            "the same time is not supported.");
    if (*choice && !sf_json_get(request->body, "tools"))
        return model_refuse(no, "tool_choice",
                            "'tool_choice' is only allowed when 'tools' are specified.");
    return check_stream(&w) && check_tools(&w) && check_messages(&w);
}

const struct model_service model_chat = {
    .name = "chat",
    .path = "/v1/chat/completions",
    .ping = ": ping\n\n",
    .check = check,
    .refuse = model_openai_refuse,
    .stream = model_chat_stream,
    .whole = model_chat_whole,
};
