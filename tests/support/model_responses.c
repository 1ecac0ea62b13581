/*
 * model_responses.c: POST /v1/responses, the check. Items refer to each other: outputs to calls,
 * calls to the reasoning before them; reasoning that is not stored comes back encrypted, unchanged
 * and never alone.
 */
#include "support/model_responses.h"

static const struct model_field top_fields[] = {
    { "model", MODEL_STRING | MODEL_MUST },
    { "input", MODEL_STRING | MODEL_ARRAY | MODEL_MUST },
    { "instructions", MODEL_STRING | MODEL_NULL },
    { "tools", MODEL_ARRAY },
    { "tool_choice", MODEL_STRING | MODEL_OBJECT },
    { "parallel_tool_calls", MODEL_BOOL | MODEL_NULL },
    { "max_tool_calls", MODEL_INTEGER | MODEL_NULL },
    { "stream", MODEL_BOOL | MODEL_NULL },
    { "stream_options", MODEL_OBJECT | MODEL_NULL },
    { "store", MODEL_BOOL | MODEL_NULL },
    { "include", MODEL_ARRAY | MODEL_NULL },
    { "reasoning", MODEL_OBJECT | MODEL_NULL },
    { "max_output_tokens", MODEL_INTEGER | MODEL_NULL },
    { "temperature", MODEL_NUMBER | MODEL_NULL },
    { "top_p", MODEL_NUMBER | MODEL_NULL },
    { "truncation", MODEL_STRING | MODEL_NULL },
    { "text", MODEL_OBJECT },
    { "metadata", MODEL_OBJECT | MODEL_NULL },
    { "user", MODEL_STRING },
    { "previous_response_id", MODEL_STRING | MODEL_NULL },
    { "service_tier", MODEL_STRING | MODEL_NULL },
    { "prompt_cache_key", MODEL_STRING },
    { "prompt_cache_retention", MODEL_STRING | MODEL_NULL },
    { "safety_identifier", MODEL_STRING },
    { "background", MODEL_BOOL | MODEL_NULL },
    { NULL, 0 },
};

static const struct model_field function_fields[] = {
    { "type", MODEL_STRING | MODEL_MUST },        { "name", MODEL_STRING | MODEL_MUST },
    { "description", MODEL_STRING | MODEL_NULL }, { "parameters", MODEL_OBJECT | MODEL_NULL },
    { "strict", MODEL_BOOL | MODEL_NULL },        { NULL, 0 },
};

static const struct model_field message_fields[] = {
    { "type", MODEL_STRING },
    { "role", MODEL_STRING | MODEL_MUST },
    { "content", MODEL_STRING | MODEL_ARRAY | MODEL_MUST },
    { "id", MODEL_STRING },
    { "status", MODEL_STRING },
    { "phase", MODEL_STRING | MODEL_NULL },
    { NULL, 0 },
};

static const struct model_field call_fields[] = {
    { "type", MODEL_STRING | MODEL_MUST },
    { "call_id", MODEL_STRING | MODEL_MUST },
    { "name", MODEL_STRING | MODEL_MUST },
    { "arguments", MODEL_STRING | MODEL_MUST },
    { "id", MODEL_STRING },
    { "status", MODEL_STRING },
    { NULL, 0 },
};

static const struct model_field custom_fields[] = {
    { "type", MODEL_STRING | MODEL_MUST },
    { "call_id", MODEL_STRING | MODEL_MUST },
    { "name", MODEL_STRING | MODEL_MUST },
    { "input", MODEL_STRING | MODEL_MUST },
    { "id", MODEL_STRING },
    { "status", MODEL_STRING },
    { NULL, 0 },
};

static const struct model_field output_fields[] = {
    { "type", MODEL_STRING | MODEL_MUST },
    { "call_id", MODEL_STRING | MODEL_MUST },
    { "output", MODEL_STRING | MODEL_ARRAY | MODEL_MUST },
    { "id", MODEL_STRING | MODEL_NULL },
    { "status", MODEL_STRING | MODEL_NULL },
    { NULL, 0 },
};

static const struct model_field reasoning_fields[] = {
    { "type", MODEL_STRING | MODEL_MUST },
    { "summary", MODEL_ARRAY | MODEL_MUST },
    { "id", MODEL_STRING },
    { "content", MODEL_ARRAY | MODEL_NULL },
    { "encrypted_content", MODEL_STRING | MODEL_NULL },
    { "status", MODEL_STRING | MODEL_NULL },
    { NULL, 0 },
};

struct walk {
    struct model_request *request;
    struct model_refusal *no;
    char path[64];
    const struct sf_json *next; /* the item behind this one */
    bool stored;
    bool after_reasoning; /* reasoning, then nothing but what the model said itself */
    bool after_output;
};

static const char *item_type(const struct sf_json *item)
{
    const char *type = model_get_text(item, "type");

    return !*type && sf_json_get(item, "role") ? "message" : type;
}

static bool check_part(struct walk *w, const struct sf_json *part, bool assistant, size_t i)
{
    static const char *const inputs[] = { "input_text", "input_image", "input_file" };
    static const char *const outputs[] = { "output_text", "refusal" };
    const char *type = model_get_text(part, "type");
    const char *text = model_get_text(part, strcmp(type, "refusal") ? "text" : "refusal");
    bool known = false;

    for (size_t k = 0; !assistant && k < SF_COUNT(inputs); k++)
        known = known || !strcmp(type, inputs[k]);
    for (size_t k = 0; assistant && k < SF_COUNT(outputs); k++)
        known = known || !strcmp(type, outputs[k]);
    if (!known)
        return model_refuse_code(w->no, "invalid_value", w->path,
                                 "Invalid value: '%s'. Supported values are: %s.", type,
                                 assistant ? "'output_text' and 'refusal'"
                                           : "'input_text', 'input_image', and 'input_file'");
    if (!*text && (assistant || !strcmp(type, "input_text")))
        return model_refuse_code(w->no, "invalid_value", w->path,
                                 "Invalid '%s.content[%zu].text': expected text that is not empty.",
                                 w->path, i);
    return true;
}

static bool check_message(struct walk *w, const struct sf_json *item)
{
    const struct sf_json *content = sf_json_get(item, "content");
    const char *role = model_get_text(item, "role");
    bool assistant = !strcmp(role, "assistant");
    size_t i = 0;

    if (!assistant && strcmp(role, "user") != 0 && strcmp(role, "system") != 0 &&
        strcmp(role, "developer") != 0)
        return model_refuse_code(w->no, "invalid_value", w->path,
                                 "Invalid value: '%s'. Supported values are: 'assistant', "
                                 "'system', 'developer', and 'user'.",
                                 role);
    if (sf_json_type(content) == SF_JSON_STRING ? !*model_get_text(item, "content")
                                                : !model_first(content))
        return model_refuse_code(w->no, "invalid_value", w->path,
                                 "Invalid '%s.content': expected content that is not empty.",
                                 w->path);
    for (const struct sf_json *it = model_first(content); it; it = sf_json_next(it), i++)
        if (!check_part(w, it, assistant, i))
            return false;
    if (assistant)
        w->request->result_count = 0;
    else
        w->after_reasoning = false;
    return true;
}

static bool check_arguments(struct walk *w, const struct sf_json *item)
{
    struct sf_error err = SF_ERROR_INIT;
    const char *text = model_get_text(item, "arguments");
    struct sf_json *json;
    bool ok;

    if (!sf_json_get(item, "arguments"))
        return true;
    json = sf_json_parse(text, strlen(text), NULL, &err);
    ok = json && sf_json_type(json) == SF_JSON_OBJECT;
    sf_json_free(json);
    return ok || model_refuse_code(w->no, "invalid_value", w->path,
                                   "Invalid '%s.arguments': expected a string with a JSON object.",
                                   w->path);
}

static bool check_call(struct walk *w, const struct sf_json *item)
{
    const char *call_id = model_get_text(item, "call_id"), *id = model_get_text(item, "id");
    const char *name = model_get_text(item, "name");

    if (!model_tool_name_ok(name))
        return model_refuse_code(w->no, "invalid_value", w->path,
                                 "Invalid '%s.name': string does not match pattern "
                                 "'^[a-zA-Z0-9_-]+$'.",
                                 w->path);
    if (*id && strncmp(id, "fc_", 3) != 0 && strncmp(id, "ctc_", 4) != 0)
        return model_refuse_code(w->no, "invalid_value", w->path,
                                 "Invalid '%s.id': '%s'. Expected an ID that begins with 'fc'.",
                                 w->path, id);
    if (!check_arguments(w, item))
        return false;
    if (w->after_output)
        w->request->result_count = 0;
    w->after_output = false;
    if (!*call_id || !model_add_call(w->request, call_id, name))
        return model_refuse_code(w->no, "invalid_value", w->path,
                                 "Duplicate or empty call_id '%s' in '%s'.", call_id, w->path);
    if (*id && !w->after_reasoning && w->request->reasoned &&
        sf_strlist_has(w->request->reasoned, id))
        return model_refuse(w->no, "input",
                            "Item '%s' of type 'function_call' was provided without its required "
                            "'reasoning' item.",
                            id);
    return true;
}

static bool check_output(struct walk *w, const struct sf_json *item)
{
    const char *call_id = model_get_text(item, "call_id");

    w->after_output = true;
    w->after_reasoning = false;
    if (!model_add_result(w->request, call_id, sf_json_get(item, "output")))
        return model_refuse(w->no, "input",
                            "No tool call found for function call output with call_id %s.",
                            call_id);
    return true;
}

/* The content carries its own signature: "TEXT in hexadecimal.SIGNATURE". */
static bool encrypted_ok(const char *content)
{
    const char *dot = strchr(content, '.');
    char signature[MODEL_SIGNATURE];

    if (!dot)
        return false;
    model_sign(signature, "reasoning", content, (size_t)(dot - content));
    return !strcmp(signature, dot + 1);
}

static bool is_followed(const struct sf_json *next)
{
    const char *type = next ? item_type(next) : "";

    if (!strcmp(type, "message"))
        return !strcmp(model_get_text(next, "role"), "assistant");
    return !strcmp(type, "function_call") || !strcmp(type, "custom_tool_call") ||
           !strcmp(type, "reasoning");
}

static bool check_reasoning(struct walk *w, const struct sf_json *item)
{
    const char *id = model_get_text(item, "id"),
               *content = model_get_text(item, "encrypted_content");

    if (!is_followed(w->next))
        return model_refuse(w->no, "input",
                            "Item '%s' of type 'reasoning' was provided without its required "
                            "following item.",
                            id);
    if (!w->stored && !*content)
        return model_refuse(w->no, "input",
                            "Item with id '%s' not found. Items are not persisted when `store` is "
                            "set to false. Try again with `store` set to true, or remove this item "
                            "from your input.",
                            id);
    if (!w->stored && !w->request->wants_encrypted)
        return model_refuse(w->no, "include",
                            "Reasoning items are replayed with `store` set to false: `include` "
                            "must name 'reasoning.encrypted_content'.");
    if (*content && !encrypted_ok(content))
        return model_refuse_code(w->no, "invalid_encrypted_content", w->path,
                                 "The encrypted content for item %s could not be verified. Reason: "
                                 "Encrypted content could not be decrypted or parsed.",
                                 id);
    w->request->result_count = 0;
    w->after_reasoning = true;
    return true;
}

static const struct item {
    const char *type;
    const struct model_field *fields;
    bool (*check)(struct walk *w, const struct sf_json *item);
} items[] = {
    { "message", message_fields, check_message },
    { "function_call", call_fields, check_call },
    { "custom_tool_call", custom_fields, check_call },
    { "function_call_output", output_fields, check_output },
    { "custom_tool_call_output", output_fields, check_output },
    { "reasoning", reasoning_fields, check_reasoning },
};

static bool check_item(struct walk *w, const struct sf_json *item)
{
    const char *type = item_type(item);
    char prefix[80];

    snprintf(prefix, sizeof(prefix), "%s.", w->path);
    for (size_t i = 0; i < SF_COUNT(items); i++)
        if (!strcmp(items[i].type, type))
            return model_check_fields(item, prefix, items[i].fields, &model_openai_words, w->no) &&
                   items[i].check(w, item);
    return model_refuse_code(w->no, "invalid_value", w->path,
                             "Invalid value: '%s'. Supported values for '%s.type' are: 'message', "
                             "'function_call', 'custom_tool_call', 'function_call_output', "
                             "'custom_tool_call_output', and 'reasoning'.",
                             type, w->path);
}

static bool check_input(struct walk *w)
{
    const struct sf_json *input = sf_json_get(w->request->body, "input");
    size_t i = 0;

    if (sf_json_type(input) == SF_JSON_STRING ? !*model_get_text(w->request->body, "input")
                                              : !model_first(input))
        return model_refuse_code(w->no, "empty_array", "input",
                                 "Invalid 'input': expected input that is not empty.");
    for (const struct sf_json *it = model_first(input); it; it = w->next) {
        w->next = sf_json_next(it);
        snprintf(w->path, sizeof(w->path), "input[%zu]", i++);
        if (!check_item(w, it))
            return false;
    }
    if (w->request->pending.count)
        return model_refuse(w->no, "input", "No tool output found for function call %s.",
                            w->request->pending.items[0]);
    return true;
}

static bool check_tools(struct walk *w)
{
    const struct sf_json *tools = sf_json_get(w->request->body, "tools");
    char path[64], prefix[80];
    size_t i = 0;

    for (const struct sf_json *it = model_first(tools); it; it = sf_json_next(it), i++) {
        const char *type = model_get_text(it, "type");
        bool function = !strcmp(type, "function");

        snprintf(path, sizeof(path), "tools[%zu]", i);
        snprintf(prefix, sizeof(prefix), "%s.", path);
        if (!*type)
            return model_refuse_code(w->no, "missing_required_parameter", path,
                                     "Missing required parameter: '%s.type'.", path);
        if (function &&
            !model_check_fields(it, prefix, function_fields, &model_openai_words, w->no))
            return false;
        if (function && !sf_json_get(it, "parameters"))
            return model_refuse_code(w->no, "missing_required_parameter", path,
                                     "Missing required parameter: '%s.parameters'.", path);
        if ((function || !strcmp(type, "custom")) &&
            !model_openai_check_tool(w->request, it, path, w->no))
            return false;
    }
    return true;
}

static bool check_include(struct walk *w)
{
    const struct sf_json *include = sf_json_get(w->request->body, "include");
    struct sf_error ignored = SF_ERROR_INIT;
    const char *name = "";

    for (const struct sf_json *it = model_first(include); it; it = sf_json_next(it)) {
        if (!sf_json_as_str(it, "", &name, &ignored))
            return model_refuse_code(w->no, "invalid_type", "include",
                                     "Invalid type for 'include[0]': expected a string.");
        if (!strcmp(name, "reasoning.encrypted_content"))
            w->request->wants_encrypted = true;
    }
    return true;
}

static bool check(struct model_request *request, struct model_refusal *no)
{
    struct walk w = { .request = request, .no = no };
    struct sf_error ignored = SF_ERROR_INIT;
    const char *earlier = model_get_text(request->body, "previous_response_id");
    int64_t max = 16;

    if (!model_check_fields(request->body, "", top_fields, &model_openai_words, no))
        return false;
    request->model = model_get_text(request->body, "model");
    if (!*request->model)
        return model_refuse_code(no, "missing_required_parameter", "model",
                                 "Missing required parameter: 'model'.");
    if (!sf_json_opt_int(request->body, "max_output_tokens", 16, &max, &ignored) || max < 16)
        return model_refuse_code(no, "integer_below_min_value", "max_output_tokens",
                                 "Invalid 'max_output_tokens': integer below minimum value. "
                                 "Expected a value >= 16, but got %lld instead.",
                                 (long long)max);
    if (*earlier)
        return model_refuse_code(no, "previous_response_not_found", "previous_response_id",
                                 "Previous response with id '%s' not found.", earlier);
    if (!sf_json_opt_bool(request->body, "stream", false, &request->stream, &ignored) ||
        !sf_json_opt_bool(request->body, "store", true, &w.stored, &ignored))
        return model_refuse(no, NULL, "%s", ignored.msg);
    return check_include(&w) && check_tools(&w) && check_input(&w);
}

const struct model_service model_responses = {
    .name = "responses",
    .path = "/v1/responses",
    .ping = ": ping\n\n",
    .check = check,
    .refuse = model_openai_refuse,
    .stream = model_responses_stream,
    .whole = model_responses_whole,
};
