/*
 * model_messages.c: POST /v1/messages, the check. The rules are those the service enforces on a
 * conversation with tools: which block may stand where, every tool_use answered at once, thinking
 * handed back unchanged.
 */
#include "support/model_messages.h"

#include "support/model_wire.h"

enum { USER = 1, ASSISTANT = 2 };
enum { CACHE_MARKS_MAX = 4, THINKING_MIN = 1024 };

struct walk {
    struct model_request *request;
    struct model_refusal *no;
    size_t cache_marks;
    size_t index;  /* of the message */
    unsigned role; /* of the message */
    bool other;    /* the message has something else than results */
    bool reasoned; /* the message has a call that came with thinking */
    bool last;     /* it is the last message of the assistant */
};

static void words_unknown(struct sf_strbuf *out, const char *path)
{
    sf_strbuf_addf(out, "%s: Extra inputs are not permitted", path);
}

static void words_missing(struct sf_strbuf *out, const char *path)
{
    sf_strbuf_addf(out, "%s: Field required", path);
}

static void words_type(struct sf_strbuf *out, const char *path, unsigned want,
                       enum sf_json_type got)
{
    static const struct {
        unsigned type;
        const char *name;
    } names[] = {
        { MODEL_STRING, "string" }, { MODEL_INTEGER, "integer" }, { MODEL_NUMBER, "number" },
        { MODEL_BOOL, "boolean" },  { MODEL_ARRAY, "list" },      { MODEL_OBJECT, "dictionary" },
    };
    size_t count = 0;

    (void)got;
    sf_strbuf_addf(out, "%s: Input should be a valid ", path);
    for (size_t i = 0; i < SF_COUNT(names); i++)
        if (want & names[i].type)
            sf_strbuf_addf(out, "%s%s", count++ ? " or " : "", names[i].name);
}

static const struct model_field_words words = {
    .unknown = words_unknown,
    .missing = words_missing,
    .type = words_type,
};

static const struct model_field top_fields[] = {
    { "model", MODEL_STRING | MODEL_MUST },
    { "messages", MODEL_ARRAY | MODEL_MUST },
    { "max_tokens", MODEL_INTEGER | MODEL_MUST },
    { "system", MODEL_STRING | MODEL_ARRAY },
    { "tools", MODEL_ARRAY },
    { "tool_choice", MODEL_OBJECT },
    { "stream", MODEL_BOOL },
    { "temperature", MODEL_NUMBER },
    { "top_p", MODEL_NUMBER },
    { "top_k", MODEL_INTEGER },
    { "stop_sequences", MODEL_ARRAY },
    { "metadata", MODEL_OBJECT },
    { "thinking", MODEL_OBJECT },
    { "output_config", MODEL_OBJECT },
    { "service_tier", MODEL_STRING },
    { "container", MODEL_STRING | MODEL_OBJECT | MODEL_NULL },
    { "context_management", MODEL_OBJECT | MODEL_NULL },
    { "cache_control", MODEL_OBJECT | MODEL_NULL },
    { NULL, 0 },
};

static const struct model_field tool_fields[] = {
    { "name", MODEL_STRING | MODEL_MUST },
    { "input_schema", MODEL_OBJECT | MODEL_MUST },
    { "description", MODEL_STRING },
    { "type", MODEL_STRING | MODEL_NULL },
    { "cache_control", MODEL_OBJECT | MODEL_NULL },
    { "strict", MODEL_BOOL },
    { "eager_input_streaming", MODEL_BOOL | MODEL_NULL },
    { "defer_loading", MODEL_BOOL },
    { "input_examples", MODEL_ARRAY },
    { NULL, 0 },
};

static const struct model_field thinking_fields[] = {
    { "type", MODEL_STRING | MODEL_MUST },
    { "budget_tokens", MODEL_INTEGER },
    { "display", MODEL_STRING | MODEL_NULL },
    { NULL, 0 },
};

static const struct model_field message_fields[] = {
    { "role", MODEL_STRING | MODEL_MUST },
    { "content", MODEL_STRING | MODEL_ARRAY | MODEL_MUST },
    { NULL, 0 },
};

static const struct model_field cache_fields[] = {
    { "type", MODEL_STRING | MODEL_MUST },
    { "ttl", MODEL_STRING },
    { NULL, 0 },
};

static const struct model_field text_fields[] = {
    { "type", MODEL_STRING | MODEL_MUST },
    { "text", MODEL_STRING | MODEL_MUST },
    { "cache_control", MODEL_OBJECT | MODEL_NULL },
    { "citations", MODEL_ARRAY | MODEL_NULL },
    { NULL, 0 },
};

static const struct model_field source_fields[] = {
    { "type", MODEL_STRING | MODEL_MUST },
    { "source", MODEL_OBJECT | MODEL_MUST },
    { "cache_control", MODEL_OBJECT | MODEL_NULL },
    { "title", MODEL_STRING | MODEL_NULL },
    { "context", MODEL_STRING | MODEL_NULL },
    { "citations", MODEL_OBJECT | MODEL_NULL },
    { NULL, 0 },
};

static const struct model_field thinking_block_fields[] = {
    { "type", MODEL_STRING | MODEL_MUST },
    { "thinking", MODEL_STRING | MODEL_MUST },
    { "signature", MODEL_STRING | MODEL_MUST },
    { NULL, 0 },
};

static const struct model_field redacted_fields[] = {
    { "type", MODEL_STRING | MODEL_MUST },
    { "data", MODEL_STRING | MODEL_MUST },
    { NULL, 0 },
};

static const struct model_field use_fields[] = {
    { "type", MODEL_STRING | MODEL_MUST },
    { "id", MODEL_STRING | MODEL_MUST },
    { "name", MODEL_STRING | MODEL_MUST },
    { "input", MODEL_OBJECT | MODEL_MUST },
    { "cache_control", MODEL_OBJECT | MODEL_NULL },
    { "caller", MODEL_OBJECT | MODEL_NULL },
    { NULL, 0 },
};

static const struct model_field result_fields[] = {
    { "type", MODEL_STRING | MODEL_MUST },          { "tool_use_id", MODEL_STRING | MODEL_MUST },
    { "content", MODEL_STRING | MODEL_ARRAY },      { "is_error", MODEL_BOOL | MODEL_NULL },
    { "cache_control", MODEL_OBJECT | MODEL_NULL }, { NULL, 0 },
};

static bool is_blank(const char *text)
{
    return !text[strspn(text, " \t\r\n")];
}

static bool check_cache(struct walk *w, const struct sf_json *holder, const char *path)
{
    const struct sf_json *cache = sf_json_get(holder, "cache_control");
    char inner[200];
    const char *ttl;

    if (!cache || sf_json_type(cache) == SF_JSON_NULL)
        return true;
    snprintf(inner, sizeof(inner), "%scache_control.", path);
    if (!model_check_fields(cache, inner, cache_fields, &words, w->no))
        return false;
    ttl = model_get_text(cache, "ttl");
    if (strcmp(model_get_text(cache, "type"), "ephemeral") != 0)
        return model_refuse(w->no, NULL, "%stype: Input should be 'ephemeral'", inner);
    if (*ttl && strcmp(ttl, "5m") != 0 && strcmp(ttl, "1h") != 0)
        return model_refuse(w->no, NULL, "%sttl: Input should be '5m' or '1h'", inner);
    w->cache_marks++;
    return true;
}

static bool check_text(struct walk *w, const struct sf_json *block, const char *path)
{
    const struct sf_json *cache = sf_json_get(block, "cache_control");

    (void)path;
    if (!*model_get_text(block, "text")) {
        if (cache && sf_json_type(cache) != SF_JSON_NULL)
            return model_refuse(w->no, NULL, "cache_control cannot be set for empty text blocks");
        return model_refuse(w->no, NULL, "messages: text content blocks must be non-empty");
    }
    if (is_blank(model_get_text(block, "text")))
        return model_refuse(w->no, NULL,
                            "messages: text content blocks must contain non-whitespace text");
    return true;
}

static bool check_thinking(struct walk *w, const struct sf_json *block, const char *path)
{
    const char *text = model_get_text(block, "thinking");
    char signature[MODEL_SIGNATURE];

    model_sign(signature, "thinking", text, strlen(text));
    if (strcmp(signature, model_get_text(block, "signature")) != 0)
        return model_refuse(w->no, NULL, "%.*s: Invalid `signature` in `thinking` block",
                            (int)strlen(path) - 1, path);
    return true;
}

/* The data carries its own signature: "TEXT in hexadecimal.SIGNATURE". */
static bool check_redacted(struct walk *w, const struct sf_json *block, const char *path)
{
    const char *data = model_get_text(block, "data"), *dot = strchr(data, '.');
    char signature[MODEL_SIGNATURE];

    if (dot) {
        model_sign(signature, "redacted", data, (size_t)(dot - data));
        if (!strcmp(signature, dot + 1))
            return true;
    }
    return model_refuse(w->no, NULL, "%.*s: Invalid `data` in `redacted_thinking` block",
                        (int)strlen(path) - 1, path);
}

static bool check_use(struct walk *w, const struct sf_json *block, const char *path)
{
    const char *id = model_get_text(block, "id"), *name = model_get_text(block, "name");

    if (!model_tool_name_ok(id))
        return model_refuse(w->no, NULL, "%sid: String should match pattern '^[a-zA-Z0-9_-]+$'",
                            path);
    if (!model_tool_name_ok(name))
        return model_refuse(w->no, NULL,
                            "%sname: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'", path);
    if (!model_add_call(w->request, id, name))
        return model_refuse(w->no, NULL, "messages: `tool_use` ids must be unique");
    if (w->request->reasoned && sf_strlist_has(w->request->reasoned, id))
        w->reasoned = true;
    return true;
}

static bool check_blocks(struct walk *w, const struct sf_json *blocks, const char *path,
                         unsigned places);

static bool check_result(struct walk *w, const struct sf_json *block, const char *path)
{
    const struct sf_json *content = sf_json_get(block, "content");
    const char *id = model_get_text(block, "tool_use_id");
    char inner[200];

    if (w->other)
        return model_refuse(w->no, NULL,
                            "%.*s: `tool_result` blocks must come first in the message, before "
                            "any other content",
                            (int)strlen(path) - 1, path);
    if (!model_add_result(w->request, id, content))
        return model_refuse(w->no, NULL,
                            "%.*s: unexpected `tool_use_id` found in `tool_result` blocks: %s. "
                            "Each `tool_result` block must have a corresponding `tool_use` block "
                            "in the previous message.",
                            (int)strlen(path) - 1, path, id);
    snprintf(inner, sizeof(inner), "%scontent", path);
    return !content || sf_json_type(content) == SF_JSON_STRING ||
           check_blocks(w, content, inner, 0);
}

/* Blocks by their type: in which role's messages they may stand, and inside results. */
static const struct block {
    const char *type;
    unsigned roles;
    bool in_result;
    const struct model_field *fields;
    bool (*check)(struct walk *w, const struct sf_json *block, const char *path);
} blocks_known[] = {
    { "text", USER | ASSISTANT, true, text_fields, check_text },
    { "image", USER, true, source_fields, NULL },
    { "document", USER, true, source_fields, NULL },
    { "tool_result", USER, false, result_fields, check_result },
    { "tool_use", ASSISTANT, false, use_fields, check_use },
    { "thinking", ASSISTANT, false, thinking_block_fields, check_thinking },
    { "redacted_thinking", ASSISTANT, false, redacted_fields, check_redacted },
};

/* `places` 0: inside a result. */
static bool check_block(struct walk *w, const struct sf_json *block, const char *path,
                        unsigned places)
{
    const char *type = model_get_text(block, "type");

    if (sf_json_type(block) != SF_JSON_OBJECT)
        return model_refuse(w->no, NULL, "%.*s: Input should be a valid dictionary",
                            (int)strlen(path) - 1, path);
    if (!*type)
        return model_refuse(w->no, NULL, "%stype: Field required", path);
    for (size_t i = 0; i < SF_COUNT(blocks_known); i++) {
        const struct block *known = &blocks_known[i];

        if (strcmp(known->type, type) != 0)
            continue;
        if (places ? !(known->roles & places) : !known->in_result)
            break;
        if (!model_check_fields(block, path, known->fields, &words, w->no) ||
            !check_cache(w, block, path) || (known->check && !known->check(w, block, path)))
            return false;
        w->other = w->other || (places && known->check != check_result);
        return true;
    }
    return model_refuse(w->no, NULL,
                        "%stype: Input tag '%s' found using 'type' does not match any "
                        "of the expected tags",
                        path, type);
}

static bool check_blocks(struct walk *w, const struct sf_json *blocks, const char *path,
                         unsigned places)
{
    size_t i = 0;
    char inner[200];

    for (const struct sf_json *it = model_first(blocks); it; it = sf_json_next(it), i++) {
        snprintf(inner, sizeof(inner), "%s.%zu.", path, i);
        if (!check_block(w, it, inner, places))
            return false;
    }
    return true;
}

static bool refuse_pending(struct walk *w, size_t index)
{
    struct sf_strbuf ids = SF_STRBUF_INIT;

    for (size_t i = 0; i < w->request->pending.count && ids.len < 300; i++)
        sf_strbuf_addf(&ids, "%s%s", i ? ", " : "", w->request->pending.items[i]);
    model_refuse(w->no, NULL,
                 "messages.%zu: `tool_use` ids were found without `tool_result` blocks immediately "
                 "after: %s. Each `tool_use` block must have a corresponding `tool_result` block "
                 "in the next message.",
                 index, ids.buf);
    sf_strbuf_release(&ids);
    return false;
}

/* The message that called tools while thinking must bring its thinking back. */
static bool check_brings_thinking(struct walk *w, const struct sf_json *content)
{
    const char *type = model_get_text(model_first(content), "type");

    if (!w->request->thinks || !w->reasoned || !w->last || !strcmp(type, "thinking") ||
        !strcmp(type, "redacted_thinking"))
        return true;
    return model_refuse(w->no, NULL,
                        "messages.%zu.content.0.type: Expected `thinking` or `redacted_thinking`, "
                        "but found `%s`. When `thinking` is enabled, a final `assistant` message "
                        "must start with a thinking block (preceeding the lastmost set of "
                        "`tool_use` and `tool_result` blocks).",
                        w->index, type);
}

static bool check_content(struct walk *w, const struct sf_json *content)
{
    char path[64];
    const char *text = "";
    struct sf_error ignored = SF_ERROR_INIT;

    if (sf_json_as_str(content, "", &text, &ignored) ? !*text : !model_first(content))
        return model_refuse(w->no, NULL, "messages.%zu: all messages must have non-empty content",
                            w->index);
    if (*text && is_blank(text))
        return model_refuse(w->no, NULL,
                            "messages: text content blocks must contain non-whitespace text");
    snprintf(path, sizeof(path), "messages.%zu.content", w->index);
    w->other = *text != 0;
    w->reasoned = false;
    return check_blocks(w, content, path, w->role);
}

static bool check_message(struct walk *w, const struct sf_json *message)
{
    const struct sf_json *content = sf_json_get(message, "content");
    const char *role = model_get_text(message, "role");
    bool answers = w->request->pending.count > 0;
    char path[64];

    snprintf(path, sizeof(path), "messages.%zu.", w->index);
    if (!model_check_fields(message, path, message_fields, &words, w->no))
        return false;
    w->role = !strcmp(role, "user") ? USER : !strcmp(role, "assistant") ? ASSISTANT : 0;
    if (!w->role)
        return model_refuse(w->no, NULL,
                            "messages: Unexpected role \"%s\". The Messages API accepts a "
                            "top-level `system` parameter, not \"system\" as an input message "
                            "role.",
                            role);
    if (!w->index && w->role != USER)
        return model_refuse(w->no, NULL, "messages: first message must use the \"user\" role");
    if (answers && w->role == ASSISTANT)
        return refuse_pending(w, w->index - 1);
    if (w->role == USER)
        w->request->result_count = 0;
    if (!check_content(w, content))
        return false;
    if (answers && w->request->pending.count)
        return refuse_pending(w, w->index - 1);
    return w->role == USER || check_brings_thinking(w, content);
}

static size_t last_of_assistant(const struct sf_json *messages)
{
    size_t i = 0, last = SIZE_MAX;

    for (const struct sf_json *it = model_first(messages); it; it = sf_json_next(it), i++)
        if (!strcmp(model_get_text(it, "role"), "assistant"))
            last = i;
    return last;
}

static bool check_messages(struct walk *w)
{
    const struct sf_json *messages = sf_json_get(w->request->body, "messages");
    size_t last = last_of_assistant(messages);

    if (!model_first(messages))
        return model_refuse(w->no, NULL, "messages: at least one message is required");
    for (const struct sf_json *it = model_first(messages); it; it = sf_json_next(it)) {
        w->last = w->index == last;
        if (!check_message(w, it))
            return false;
        w->index++;
    }
    if (w->request->pending.count)
        return refuse_pending(w, w->index - 1);
    if (w->role != USER)
        return model_refuse(w->no, NULL,
                            "This model does not support assistant message prefill. The "
                            "conversation must end with a user message.");
    return true;
}

static bool check_tool(struct walk *w, const struct sf_json *tool, size_t i)
{
    const char *name = model_get_text(tool, "name"), *type = model_get_text(tool, "type");
    char path[64];

    snprintf(path, sizeof(path), "tools.%zu.", i);
    if (!*type || !strcmp(type, "custom")) {
        if (!model_check_fields(tool, path, tool_fields, &words, w->no))
            return false;
        if (!model_schema_is_object(sf_json_get(tool, "input_schema")))
            return model_refuse(w->no, NULL,
                                "tools.%zu.input_schema.type: Input should be "
                                "'object'",
                                i);
    }
    if (!model_tool_name_ok(name))
        return model_refuse(
            w->no, NULL, "tools.%zu.name: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'", i);
    if (sf_strlist_has(&w->request->tools, name))
        return model_refuse(w->no, NULL, "tools: Tool names must be unique.");
    sf_strlist_add(&w->request->tools, name);
    return check_cache(w, tool, path);
}

static bool check_tools(struct walk *w)
{
    const struct sf_json *tools = sf_json_get(w->request->body, "tools");
    size_t i = 0;

    for (const struct sf_json *it = model_first(tools); it; it = sf_json_next(it))
        if (!check_tool(w, it, i++))
            return false;
    if (w->request->calls.count && !i)
        return model_refuse(w->no, NULL,
                            "Requests which include `tool_use` or `tool_result` "
                            "blocks must define tools");
    return true;
}

static bool check_system(struct walk *w)
{
    const struct sf_json *system = sf_json_get(w->request->body, "system");
    char path[64];
    size_t i = 0;

    for (const struct sf_json *it = model_first(system); it; it = sf_json_next(it), i++) {
        snprintf(path, sizeof(path), "system.%zu.", i);
        if (!model_check_fields(it, path, text_fields, &words, w->no) || !check_cache(w, it, path))
            return false;
        if (strcmp(model_get_text(it, "type"), "text") != 0)
            return model_refuse(w->no, NULL, "%stype: Input should be 'text'", path);
        if (is_blank(model_get_text(it, "text")))
            return model_refuse(w->no, NULL, "system: text content blocks must be non-empty");
    }
    return true;
}

static bool check_thinking_config(struct walk *w, int64_t max_tokens)
{
    const struct sf_json *thinking = sf_json_get(w->request->body, "thinking");
    const struct sf_json *temperature = sf_json_get(w->request->body, "temperature");
    const char *type = model_get_text(thinking, "type");
    struct sf_error ignored = SF_ERROR_INIT;
    int64_t budget = 0;
    double heat = 1;

    if (!thinking)
        return true;
    if (!model_check_fields(thinking, "thinking.", thinking_fields, &words, w->no))
        return false;
    w->request->thinks = !strcmp(type, "enabled") || !strcmp(type, "adaptive");
    if (!w->request->thinks && strcmp(type, "disabled") != 0)
        return model_refuse(w->no, NULL,
                            "thinking.type: Input should be 'enabled', 'disabled' or "
                            "'adaptive'");
    if (!strcmp(type, "enabled")) {
        if (!sf_json_get_int(thinking, "budget_tokens", &budget, &ignored))
            return model_refuse(w->no, NULL, "thinking.enabled.budget_tokens: Field required");
        if (budget < THINKING_MIN)
            return model_refuse(w->no, NULL,
                                "thinking.enabled.budget_tokens: Input should be "
                                "greater than or equal to 1024");
        if (budget >= max_tokens)
            return model_refuse(w->no, NULL,
                                "`max_tokens` must be greater than `thinking.budget_tokens`");
    }
    if (temperature && sf_json_as_double(temperature, "temperature", &heat, &ignored) && heat < 1 &&
        w->request->thinks)
        return model_refuse(w->no, NULL,
                            "`temperature` may only be set to 1 when thinking is enabled.");
    return true;
}

static bool check(struct model_request *request, struct model_refusal *no)
{
    struct walk w = { .request = request, .no = no };
    struct sf_error ignored = SF_ERROR_INIT;
    int64_t max_tokens = 0;

    if (!model_check_fields(request->body, "", top_fields, &words, no))
        return false;
    request->model = model_get_text(request->body, "model");
    if (!*request->model)
        return model_refuse(no, NULL, "model: String should have at least 1 character");
    if (!sf_json_get_int(request->body, "max_tokens", &max_tokens, &ignored) || max_tokens < 1)
        return model_refuse(no, NULL, "max_tokens: Input should be greater than or equal to 1");
    if (!sf_json_opt_bool(request->body, "stream", false, &request->stream, &ignored))
        request->stream = false;
    if (!check_thinking_config(&w, max_tokens) || !check_system(&w) || !check_messages(&w) ||
        !check_tools(&w) || !check_cache(&w, request->body, ""))
        return false;
    if (w.cache_marks > CACHE_MARKS_MAX)
        return model_refuse(no, NULL,
                            "A maximum of 4 blocks with cache_control may be provided. Found %zu.",
                            w.cache_marks);
    return true;
}

static void refuse(const struct model_refusal *no, struct sf_strbuf *out)
{
    struct sf_json_writer w;

    sf_jw_init(&w, out);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "type", "error");
    sf_jw_key(&w, "error");
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "type", no->type);
    sf_jw_key_str(&w, "message", no->msg);
    sf_jw_object_end(&w);
    sf_jw_key_str(&w, "request_id", "req_0001");
    sf_jw_object_end(&w);
}

const struct model_service model_messages = {
    .name = "messages",
    .path = "/v1/messages",
    .ping = "event: ping\ndata: {\"type\": \"ping\"}\n\n",
    .check = check,
    .refuse = refuse,
    .stream = model_messages_stream,
    .whole = model_messages_whole,
};
