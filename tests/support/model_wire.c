/*
 * model_wire.c: helpers of the three services. Nothing here knows one of them, except for the
 * words that chat and Responses share.
 */
#include "support/model_wire.h"

#include "support/model_words.h"

void model_request_release(struct model_request *request)
{
    sf_strlist_release(&request->tools);
    sf_strlist_release(&request->calls);
    sf_strlist_release(&request->names);
    sf_strlist_release(&request->pending);
    free(request->results);
    sf_json_free(request->body);
    sf_arena_release(&request->arena);
}

const struct sf_json *model_first(const struct sf_json *json)
{
    return json ? sf_json_first(json) : NULL;
}

static void refuse(struct model_refusal *no, const char *code, const char *param)
{
    no->status = 400;
    no->type = "invalid_request_error";
    no->code = code;
    snprintf(no->param, sizeof(no->param), "%s", param ? param : "");
}

bool model_refuse(struct model_refusal *no, const char *param, const char *format, ...)
{
    va_list args;

    refuse(no, NULL, param);
    va_start(args, format);
    vsnprintf(no->msg, sizeof(no->msg), format, args);
    va_end(args);
    return false;
}

bool model_refuse_code(struct model_refusal *no, const char *code, const char *param,
                       const char *format, ...)
{
    va_list args;

    refuse(no, code, param);
    va_start(args, format);
    vsnprintf(no->msg, sizeof(no->msg), format, args);
    va_end(args);
    return false;
}

static bool type_fits(const struct sf_json *value, unsigned types)
{
    struct sf_error ignored = SF_ERROR_INIT;
    int64_t number;

    if (types & 1u << sf_json_type(value))
        return true;
    return types & MODEL_INTEGER && sf_json_as_int(value, "", &number, &ignored);
}

static const struct model_field *find_field(const struct model_field *fields, const char *name)
{
    for (; fields->name; fields++)
        if (!strcmp(fields->name, name))
            return fields;
    return NULL;
}

static bool check_field(const struct sf_json *it, const char *path, const struct model_field *field,
                        const struct model_field_words *words, struct model_refusal *no)
{
    struct sf_strbuf msg = SF_STRBUF_INIT;
    const char *code = NULL;

    if (!field) {
        words->unknown(&msg, path);
        code = words->unknown_code;
    } else if (!type_fits(it, field->types)) {
        words->type(&msg, path, field->types, sf_json_type(it));
        code = words->type_code;
    }
    if (msg.len)
        model_refuse_code(no, code, path, "%s", msg.buf);
    sf_strbuf_release(&msg);
    return !no->status;
}

static bool check_present(const struct sf_json *object, const char *path,
                          const struct model_field *fields, const struct model_field_words *words,
                          struct model_refusal *no)
{
    for (; fields->name; fields++) {
        struct sf_strbuf full = SF_STRBUF_INIT, msg = SF_STRBUF_INIT;

        if (!(fields->types & MODEL_MUST) || sf_json_get(object, fields->name))
            continue;
        sf_strbuf_addf(&full, "%s%s", path, fields->name);
        words->missing(&msg, full.buf);
        model_refuse_code(no, words->missing_code, full.buf, "%s", msg.buf);
        sf_strbuf_release(&full);
        sf_strbuf_release(&msg);
        return false;
    }
    return true;
}

bool model_check_fields(const struct sf_json *object, const char *path,
                        const struct model_field *fields, const struct model_field_words *words,
                        struct model_refusal *no)
{
    struct sf_strbuf full = SF_STRBUF_INIT;
    bool ok = true;

    if (sf_json_type(object) != SF_JSON_OBJECT) {
        const struct model_field field = { "", MODEL_OBJECT };

        sf_strbuf_adds(&full, path);
        if (full.len)
            sf_strbuf_truncate(&full, full.len - 1);
        ok = check_field(object, full.buf, &field, words, no);
    }
    for (const struct sf_json *it = model_first(object); ok && it; it = sf_json_next(it)) {
        sf_strbuf_reset(&full);
        sf_strbuf_addf(&full, "%s%s", path, sf_json_key(it));
        ok = check_field(it, full.buf, find_field(fields, sf_json_key(it)), words, no);
    }
    sf_strbuf_release(&full);
    return ok && check_present(object, path, fields, words, no);
}

static void openai_unknown(struct sf_strbuf *out, const char *path)
{
    sf_strbuf_addf(out, "Unknown parameter: '%s'.", path);
}

static void openai_missing(struct sf_strbuf *out, const char *path)
{
    sf_strbuf_addf(out, "Missing required parameter: '%s'.", path);
}

static void openai_type(struct sf_strbuf *out, const char *path, unsigned want,
                        enum sf_json_type got)
{
    static const char *const names[] = { "null",     "a boolean", "a number",
                                         "a string", "an array",  "an object" };
    size_t count = 0;

    sf_strbuf_addf(out, "Invalid type for '%s': expected ", path);
    if (want & MODEL_INTEGER)
        sf_strbuf_adds(out, count++ ? " or an integer" : "an integer");
    for (size_t i = 0; i < SF_COUNT(names); i++)
        if (want & 1u << i)
            sf_strbuf_addf(out, "%s%s", count++ ? " or " : "", names[i]);
    sf_strbuf_addf(out, ", but got %s instead.", names[got]);
}

const struct model_field_words model_openai_words = {
    .unknown_code = "unknown_parameter",
    .missing_code = "missing_required_parameter",
    .type_code = "invalid_type",
    .unknown = openai_unknown,
    .missing = openai_missing,
    .type = openai_type,
};

void model_openai_refuse(const struct model_refusal *no, struct sf_strbuf *out)
{
    struct sf_json_writer w;

    sf_jw_init(&w, out);
    sf_jw_object_begin(&w);
    sf_jw_key(&w, "error");
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "message", no->msg);
    sf_jw_key_str(&w, "type", no->type);
    sf_jw_key_str(&w, "param", *no->param ? no->param : NULL);
    sf_jw_key_str(&w, "code", no->code);
    sf_jw_object_end(&w);
    sf_jw_object_end(&w);
}

const char *model_get_text(const struct sf_json *object, const char *key)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const char *text = "";

    return object && sf_json_get_str(object, key, &text, &ignored) ? text : "";
}

bool model_tool_name_ok(const char *name)
{
    size_t len = strlen(name);

    return len >= 1 && len <= 64 &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == len;
}

bool model_schema_is_object(const struct sf_json *schema)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const char *type = NULL;

    return schema && sf_json_get_str(schema, "type", &type, &ignored) && !strcmp(type, "object");
}

static bool lists_text(const struct sf_json *array, const char *text)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const char *item = NULL;

    for (const struct sf_json *it = model_first(array); it; it = sf_json_next(it))
        if (sf_json_as_str(it, "", &item, &ignored) && !strcmp(item, text))
            return true;
    return false;
}

/* What strict: true asks of a schema, on its top level. */
static bool check_strict(const struct sf_json *schema, const char *name, const char *path,
                         struct model_refusal *no)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const struct sf_json *properties = sf_json_get(schema, "properties");
    bool more = true;

    if (!sf_json_get_bool(schema, "additionalProperties", &more, &ignored) || more)
        return model_refuse_code(no, "invalid_function_parameters", path,
                                 "Invalid schema for function '%s': In context=(), "
                                 "'additionalProperties' is required to be supplied and to be "
                                 "false.",
                                 name);
    if (!properties || sf_json_type(properties) != SF_JSON_OBJECT)
        return model_refuse_code(no, "invalid_function_parameters", path,
                                 "Invalid schema for function '%s': 'properties' must be an "
                                 "object.",
                                 name);
    for (const struct sf_json *it = model_first(properties); it; it = sf_json_next(it))
        if (!lists_text(sf_json_get(schema, "required"), sf_json_key(it)))
            return model_refuse_code(no, "invalid_function_parameters", path,
                                     "Invalid schema for function '%s': In context=(), 'required' "
                                     "is required to be supplied and to be an array including "
                                     "every key in properties. Missing '%s'.",
                                     name, sf_json_key(it));
    return true;
}

bool model_openai_check_tool(struct model_request *request, const struct sf_json *tool,
                             const char *path, struct model_refusal *no)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const struct sf_json *schema = sf_json_get(tool, "parameters");
    const char *name = "";
    bool strict = false;

    if (!sf_json_get_str(tool, "name", &name, &ignored) || !model_tool_name_ok(name))
        return model_refuse_code(no, "invalid_value", path,
                                 "Invalid '%s.name': string does not match pattern. Expected a "
                                 "string that matches the pattern '^[a-zA-Z0-9_-]+$' of at most 64 "
                                 "characters.",
                                 path);
    if (sf_strlist_has(&request->tools, name))
        return model_refuse_code(no, "invalid_value", path, "Duplicate tool name: '%s'.", name);
    if (schema && !model_schema_is_object(schema))
        return model_refuse_code(no, "invalid_function_parameters", path,
                                 "Invalid schema for function '%s': schema must be a JSON Schema "
                                 "of 'type: \"object\"'.",
                                 name);
    if (schema && sf_json_opt_bool(tool, "strict", false, &strict, &ignored) && strict &&
        !check_strict(schema, name, path, no))
        return false;
    sf_strlist_add(&request->tools, name);
    return true;
}

bool model_add_call(struct model_request *request, const char *id, const char *name)
{
    if (sf_strlist_has(&request->calls, id))
        return false;
    sf_strlist_add(&request->calls, id);
    sf_strlist_add(&request->names, name);
    sf_strlist_add(&request->pending, id);
    return true;
}

static bool take_pending(struct sf_strlist *pending, const char *id)
{
    for (size_t i = 0; i < pending->count; i++) {
        if (strcmp(pending->items[i], id) != 0)
            continue;
        free(pending->items[i]);
        memmove(&pending->items[i], &pending->items[i + 1],
                (pending->count - i) * sizeof(*pending->items));
        pending->count--;
        return true;
    }
    return false;
}

/* A string, or the texts of parts one behind the other. */
static const char *content_text(struct model_request *request, const struct sf_json *content)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_strbuf sb = SF_STRBUF_INIT;
    const char *text = "";

    if (content && sf_json_as_str(content, "", &text, &ignored))
        return text;
    for (const struct sf_json *it = model_first(content); it; it = sf_json_next(it))
        if (sf_json_get_str(it, "text", &text, &ignored))
            sf_strbuf_adds(&sb, text);
    text = sf_arena_strndup(&request->arena, sb.buf, sb.len);
    sf_strbuf_release(&sb);
    return text;
}

bool model_add_result(struct model_request *request, const char *id, const struct sf_json *content)
{
    struct model_request *r = request;
    const char *name = NULL;

    if (!take_pending(&r->pending, id))
        return false;
    for (size_t i = 0; i < r->calls.count; i++)
        if (!strcmp(r->calls.items[i], id))
            name = r->names.items[i];
    r->results = sf_grow(r->results, &r->result_cap, r->result_count + 1, sizeof(*r->results));
    r->results[r->result_count++] =
        (struct model_result){ name ? name : "", content_text(request, content) };
    return true;
}

void model_sign(char out[MODEL_SIGNATURE], const char *use, const char *text, size_t len)
{
    static const char key[] = "what the model server alone knows";
    struct sf_sha256 hash;
    unsigned char digest[SF_SHA256_SIZE];

    sf_sha256_init(&hash);
    sf_sha256_update(&hash, key, sizeof(key));
    sf_sha256_update(&hash, use, strlen(use) + 1);
    sf_sha256_update(&hash, text, len);
    sf_sha256_final(&hash, digest);
    snprintf(out, MODEL_SIGNATURE, "sig_");
    for (size_t i = 0; i < 16; i++)
        snprintf(out + 4 + 2 * i, 3, "%02x", digest[i]);
}

char *model_make_id(struct model_answer *answer, const char *prefix)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;

    if (answer->reply->same_ids)
        sf_strbuf_addf(&sb, "%s_same", prefix);
    else
        sf_strbuf_addf(&sb, "%s_%04zu_%zu", prefix, answer->number, answer->ids++);
    return sf_strbuf_detach(&sb);
}

char *model_call_id(struct model_answer *answer, const struct model_step *step, const char *prefix)
{
    if (step->id && step->times == 1)
        return sf_strdup(step->id);
    return model_make_id(answer, prefix);
}

bool model_has_calls(const struct model_reply *reply)
{
    for (size_t i = 0; i < reply->step_count; i++)
        if (reply->steps[i].kind == MODEL_STEP_CALL)
            return true;
    return false;
}

size_t model_next_piece(const struct model_step *step, size_t from)
{
    size_t at = from, fill;

    if (!step->delta)
        return step->len - from;
    while (at < step->len && at - from < step->delta) {
        size_t token = model_fill_token(step->text + at, step->len - at, &fill);
        uint32_t cp;

        at += token ? token : sf_utf8_decode(step->text + at, step->len - at, &cp);
    }
    return at - from;
}

static void add_lines(struct model_answer *answer, const char *text, size_t times)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;

    for (; *text; text++) {
        if (*text == '\n')
            sf_strbuf_adds(&sb, answer->reply->newline);
        else
            sf_strbuf_addch(&sb, *text);
    }
    if (times == 1)
        model_plan_add(answer->plan, sb.buf, sb.len);
    else
        model_plan_repeat(answer->plan, sb.buf, sb.len, times);
    sf_strbuf_release(&sb);
}

void model_bill(struct model_answer *answer, int64_t output)
{
    struct model_bill *bill;

    if (answer->bill_count == MODEL_BILLS)
        answer->bill_count--;
    bill = &answer->bills[answer->bill_count++];
    *bill = (struct model_bill){ .input = answer->input,
                                 .output = output,
                                 .cache_read = answer->reply->cache_read,
                                 .cache_write = answer->reply->cache_write };
    answer->billing = true;
}

void model_bill_as_input(struct model_answer *answer)
{
    struct model_bill *bill = &answer->bills[answer->bill_count - 1];

    bill->input += bill->cache_write;
    bill->cache_write = 0;
}

void model_event(struct model_answer *answer, const char *event, const char *json, size_t len)
{
    const char *newline = answer->reply->newline;
    struct sf_strbuf sb = SF_STRBUF_INIT;

    if (answer->events++ && answer->reply->pings)
        add_lines(answer, answer->request->service->ping, 1);
    if (answer->reply->comments)
        add_lines(answer, ": still here\n\n", 1);
    if (event)
        sf_strbuf_addf(&sb, "event: %s%s", event, newline);
    sf_strbuf_adds(&sb, "data: ");
    sf_strbuf_add(&sb, json, len);
    sf_strbuf_addf(&sb, "%s%s", newline, newline);
    model_plan_add(answer->plan, sb.buf, sb.len);
    if (answer->billing)
        answer->bills[answer->bill_count - 1].at = model_plan_total(answer->plan);
    answer->billing = false;
    sf_strbuf_release(&sb);
}

uint64_t model_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static void add_noise(struct model_answer *answer, const struct model_step *step)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    uint64_t state = step->seed;

    for (size_t i = 0; i < step->number; i++)
        sf_strbuf_addch(&sb, (char)(model_random(&state) & 0xff));
    model_plan_repeat(answer->plan, sb.buf, sb.len, 1);
    sf_strbuf_release(&sb);
}

static void add_comment(struct model_answer *answer, const struct model_step *step)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;

    sf_strbuf_addf(&sb, ": %s\n\n", step->text);
    add_lines(answer, sb.buf, step->times);
    sf_strbuf_release(&sb);
}

bool model_common_step(struct model_answer *answer, const struct model_step *step)
{
    static const char unknown[] = "event: model.mood\n"
                                  "data: {\"type\":\"model.mood\",\"mood\":\"curious\"}\n\n";

    switch (step->kind) {
    case MODEL_STEP_DELAY:
        model_plan_delay(answer->plan, (int64_t)step->number);
        return true;
    case MODEL_STEP_UNTIL:
        model_plan_until(answer->plan, step->text);
        return true;
    case MODEL_STEP_PING:
        add_lines(answer, answer->request->service->ping, step->times);
        return true;
    case MODEL_STEP_COMMENT:
        add_comment(answer, step);
        return true;
    case MODEL_STEP_UNKNOWN:
        add_lines(answer, unknown, step->times);
        return true;
    case MODEL_STEP_MALFORMED:
        add_lines(answer, "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\n\n", 1);
        return true;
    case MODEL_STEP_BYTES:
        model_plan_repeat(answer->plan, step->text, step->len, step->times);
        return true;
    case MODEL_STEP_NOISE:
        add_noise(answer, step);
        return true;
    case MODEL_STEP_TEXT:
    case MODEL_STEP_REASONING:
    case MODEL_STEP_REDACTED:
    case MODEL_STEP_CALL:
    case MODEL_STEP_ERROR:
        break;
    }
    return false;
}
