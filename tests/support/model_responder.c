/*
 * model_responder.c: who asks (key), for what (path, body), and what the script has for it. All
 * refusals are worded by the service that was called.
 */
#include "support/model_responder.h"

#include "io/io.h"
#include "support/model_garbage.h"

static const struct model_service *const services[] = {
    &model_messages,
    &model_chat,
    &model_responses,
};

struct visit {
    struct model_responder *responder;
    const struct model_http *http;
    struct model_outgoing *out;
    const struct model_service *service;
    struct model_request request;
    struct model_refusal no;
    struct model_bill bills[MODEL_BILLS];
    size_t bill_count;
};

void model_responder_init(struct model_responder *responder, struct model_scenario *scenario)
{
    *responder =
        (struct model_responder){ .scenario = scenario, .script = { .scenario = scenario } };
}

void model_responder_release(struct model_responder *responder)
{
    model_scenario_free(responder->scenario);
    sf_strlist_release(&responder->reasoned);
    *responder = (struct model_responder){ 0 };
}

void model_outgoing_release(struct model_outgoing *out)
{
    if (out->head.buf)
        sf_strbuf_release(&out->head);
    if (out->body.bytes.buf)
        model_plan_release(&out->body);
    free(out->complaint);
    *out = (struct model_outgoing){ 0 };
}

static void init_outgoing(struct model_outgoing *out, int status)
{
    model_outgoing_release(out);
    *out = (struct model_outgoing){
        .status = status,
        .head = SF_STRBUF_INIT,
        .body = MODEL_PLAN_INIT,
        .cut_at = MODEL_NEVER,
        .stall_at = MODEL_NEVER,
    };
}

static const char *reason(int status)
{
    static const struct {
        int status;
        const char *text;
    } reasons[] = {
        { 200, "OK" },
        { 302, "Found" },
        { 307, "Temporary Redirect" },
        { 308, "Permanent Redirect" },
        { 400, "Bad Request" },
        { 401, "Unauthorized" },
        { 403, "Forbidden" },
        { 404, "Not Found" },
        { 405, "Method Not Allowed" },
        { 413, "Content Too Large" },
        { 422, "Unprocessable Content" },
        { 429, "Too Many Requests" },
        { 500, "Internal Server Error" },
        { 502, "Bad Gateway" },
        { 503, "Service Unavailable" },
        { 529, "Site is overloaded" },
    };

    for (size_t i = 0; i < SF_COUNT(reasons); i++)
        if (reasons[i].status == status)
            return reasons[i].text;
    return "Status";
}

static void add_head(struct model_outgoing *out, const char *type)
{
    sf_strbuf_addf(&out->head, "HTTP/1.1 %d %s\r\nContent-Type: %s\r\n", out->status,
                   reason(out->status), type);
}

static void end_head(struct model_outgoing *out, bool keep_alive)
{
    out->close = out->close || !keep_alive;
    sf_strbuf_addf(&out->head, "Connection: %s\r\n\r\n", out->close ? "close" : "keep-alive");
}

static void set_whole(struct model_outgoing *out, const char *body, size_t len, bool keep_alive)
{
    model_plan_add(&out->body, body, len);
    sf_strbuf_addf(&out->head, "Content-Length: %llu\r\n",
                   (unsigned long long)model_plan_total(&out->body));
    end_head(out, keep_alive);
}

void model_responder_plain(struct model_outgoing *out, int status, const char *text)
{
    struct sf_strbuf body = SF_STRBUF_INIT;

    init_outgoing(out, status);
    add_head(out, "text/plain");
    sf_strbuf_addf(&body, "%s\n", text);
    set_whole(out, body.buf, body.len, false);
    out->complaint = sf_strdup(text);
    sf_strbuf_release(&body);
}

/* Says no in the words of the service. */
static void send_refusal(struct visit *v)
{
    struct sf_strbuf body = SF_STRBUF_INIT;

    init_outgoing(v->out, v->no.status);
    v->service->refuse(&v->no, &body);
    add_head(v->out, "application/json");
    set_whole(v->out, body.buf, body.len, v->http->keep_alive);
    v->out->complaint = sf_strdup(v->no.msg);
    sf_strbuf_release(&body);
}

static bool refuse(struct visit *v, int status, const char *type, const char *code, const char *msg)
{
    v->no = (struct model_refusal){ .status = status, .type = type, .code = code };
    snprintf(v->no.msg, sizeof(v->no.msg), "%s", msg);
    return false;
}

static bool key_fits(const struct visit *v, const char *given)
{
    const char *key = v->responder->scenario->key;

    return key ? !strcmp(given, key) : *given != 0;
}

static bool check_key_messages(struct visit *v)
{
    const char *given = model_http_header(v->http, "x-api-key");
    const char *version = model_http_header(v->http, "anthropic-version");

    if (!given)
        return refuse(v, 401, "authentication_error", NULL, "x-api-key header is required");
    if (!key_fits(v, given))
        return refuse(v, 401, "authentication_error", NULL, "invalid x-api-key");
    if (!version)
        return refuse(v, 400, "invalid_request_error", NULL,
                      "anthropic-version: header is required");
    if (strcmp(version, "2023-06-01") != 0)
        return refuse(v, 400, "invalid_request_error", NULL,
                      "anthropic-version: this is not a valid version; use 2023-06-01");
    return true;
}

static bool check_key_openai(struct visit *v)
{
    const char *given = model_http_header(v->http, "authorization");

    if (!given || strncmp(given, "Bearer ", 7) != 0)
        return refuse(v, 401, "invalid_request_error", NULL,
                      "You didn't provide an API key. You need to provide your API key in an "
                      "Authorization header using Bearer auth (i.e. Authorization: Bearer "
                      "YOUR_KEY).");
    if (!key_fits(v, given + 7))
        return refuse(v, 401, "invalid_request_error", "invalid_api_key",
                      "Incorrect API key provided.");
    return true;
}

/* "-" stands for servers on the user's own machine, which want none. */
static bool check_key(struct visit *v)
{
    const char *key = v->responder->scenario->key;

    if (key && !strcmp(key, "-"))
        return true;
    return v->service == &model_messages ? check_key_messages(v) : check_key_openai(v);
}

static bool check_type(struct visit *v)
{
    const char *type = model_http_header(v->http, "content-type");

    if (type && !strncmp(type, "application/json", 16))
        return true;
    return refuse(v, 400, "invalid_request_error", NULL,
                  "content-type: the header must be application/json");
}

static bool check_json(struct visit *v)
{
    static const struct sf_json_limits limits = { .bytes = MODEL_HTTP_BODY, .depth = 128 };
    struct sf_error err = SF_ERROR_INIT;
    char msg[700];

    v->request.body = sf_json_parse(v->http->body.buf, v->http->body.len, &limits, &err);
    v->request.body_len = v->http->body.len;
    if (v->request.body)
        return true;
    snprintf(msg, sizeof(msg), "The request body is not valid JSON: %s: line %u column %u", err.msg,
             err.line, err.column);
    return refuse(v, 400, "invalid_request_error", NULL, msg);
}

static bool check_model(struct visit *v)
{
    const char *model = v->responder->scenario->model;
    char msg[300];

    if (!model || !strcmp(model, v->request.model))
        return true;
    if (v->service == &model_messages) {
        snprintf(msg, sizeof(msg), "model: %.200s", v->request.model);
        return refuse(v, 404, "not_found_error", NULL, msg);
    }
    snprintf(msg, sizeof(msg), "The model `%.200s` does not exist or you do not have access to it.",
             v->request.model);
    return refuse(v, 404, "invalid_request_error", "model_not_found", msg);
}

/* Counted as `usage` makes it up: four bytes a token. */
static bool check_window(struct visit *v)
{
    size_t window = v->responder->scenario->window, tokens = v->request.body_len / 4 + 1;
    char msg[120];

    if (!window || tokens <= window)
        return true;
    snprintf(msg, sizeof(msg), "prompt is too long: %zu tokens > %zu maximum", tokens, window);
    return refuse(v, 400, "invalid_request_error", "context_length_exceeded", msg);
}

static bool check_script(struct visit *v, const struct model_reply **reply)
{
    struct sf_strbuf why = SF_STRBUF_INIT;
    bool ok;

    *reply = model_script_peek(&v->responder->script);
    if (!*reply)
        return refuse(v, 500, "api_error", NULL,
                      "the scenario has ended: there is no reply for this request");
    ok = model_script_expects(*reply, &v->request, v->http, &why);
    if (!ok)
        refuse(v, 422, "unexpected_request", NULL, why.buf);
    sf_strbuf_release(&why);
    return ok;
}

static const char *status_type(const struct visit *v, int status)
{
    static const struct {
        int status;
        const char *messages, *openai;
    } types[] = {
        { 400, "invalid_request_error", "invalid_request_error" },
        { 401, "authentication_error", "invalid_request_error" },
        { 403, "permission_error", "invalid_request_error" },
        { 404, "not_found_error", "invalid_request_error" },
        { 413, "request_too_large", "invalid_request_error" },
        { 429, "rate_limit_error", "rate_limit_exceeded" },
        { 529, "overloaded_error", "server_error" },
    };

    for (size_t i = 0; i < SF_COUNT(types); i++)
        if (types[i].status == status)
            return v->service == &model_messages ? types[i].messages : types[i].openai;
    return v->service == &model_messages ? "api_error" : "server_error";
}

static void add_date(struct sf_strbuf *out, int64_t ms)
{
    static const char days[] = "SunMonTueWedThuFriSat";
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    struct sf_civil c;
    int day;

    sf_civil_from_ms(&c, ms);
    day = sf_civil_weekday(sf_civil_days(c.year, c.month, c.day));
    sf_strbuf_addf(out, "%.3s, %02d %.3s %04lld %02d:%02d:%02d GMT", days + (size_t)day * 3, c.day,
                   months + ((size_t)c.month - 1) * 3, (long long)c.year, c.hour, c.minute,
                   c.second);
}

static void add_retry(struct model_outgoing *out, const struct model_reply *reply)
{
    if (reply->retry_after == MODEL_NEVER)
        return;
    sf_strbuf_adds(&out->head, "Retry-After: ");
    if (reply->retry_date)
        add_date(&out->head, sf_clock_wall_ms() + reply->retry_after * 1000);
    else
        sf_strbuf_addf(&out->head, "%lld", (long long)reply->retry_after);
    sf_strbuf_adds(&out->head, "\r\n");
}

static void write_status(struct visit *v, const struct model_reply *reply)
{
    struct sf_strbuf body = SF_STRBUF_INIT;
    struct model_refusal no = { .status = reply->status };

    no.type = reply->code ? reply->code : status_type(v, reply->status);
    no.code = reply->code;
    snprintf(no.msg, sizeof(no.msg), "%s", reply->text ? reply->text : reason(reply->status));
    v->service->refuse(&no, &body);
    model_plan_add(&v->out->body, body.buf, body.len);
    sf_strbuf_release(&body);
}

static void write_html(struct visit *v, const struct model_reply *reply)
{
    struct sf_strbuf body = SF_STRBUF_INIT;

    sf_strbuf_addf(&body,
                   "<!DOCTYPE html>\n<html><head><title>%d %s</title></head>\n"
                   "<body><h1>%s</h1><p>gateway &amp; sons</p></body></html>\n",
                   reply->status, reason(reply->status), reason(reply->status));
    model_plan_add(&v->out->body, body.buf, body.len);
    sf_strbuf_release(&body);
}

/* Figures the script did not give: about four bytes a token. */
static void fill_usage(struct model_answer *a)
{
    size_t bytes = 0;

    for (size_t i = 0; i < a->reply->step_count; i++)
        bytes += a->reply->steps[i].len;
    a->input =
        a->reply->input != MODEL_NEVER ? a->reply->input : (int64_t)(a->request->body_len / 4 + 1);
    a->output = a->reply->output != MODEL_NEVER ? a->reply->output : (int64_t)(bytes / 4 + 1);
}

static void write_steps(struct visit *v, struct model_reply *reply)
{
    struct model_answer answer = {
        .request = &v->request,
        .reply = reply,
        .plan = &v->out->body,
        .reasoned = &v->responder->reasoned,
        .number = v->responder->script.number,
    };
    struct sf_strbuf whole = SF_STRBUF_INIT;

    fill_usage(&answer);
    if (reply->kind == MODEL_REPLY_GARBAGE) {
        model_garbage(&answer, reply->seed + v->responder->script.used, reply);
    } else if (v->request.stream) {
        v->service->stream(&answer);
    } else {
        v->service->whole(&answer, &whole);
        model_plan_add(&v->out->body, whole.buf, whole.len);
    }
    if (answer.billing) /* it stands in the whole */
        answer.bills[answer.bill_count - 1].at = model_plan_total(&v->out->body);
    memcpy(v->bills, answer.bills, sizeof(v->bills));
    v->bill_count = answer.bill_count;
    sf_strbuf_release(&whole);
}

static const char *content_type(const struct visit *v, const struct model_reply *reply)
{
    if (reply->content_type)
        return reply->content_type;
    if (reply->kind == MODEL_REPLY_HTML)
        return "text/html; charset=utf-8";
    if (reply->kind == MODEL_REPLY_STEPS && v->request.stream)
        return "text/event-stream; charset=utf-8";
    return "application/json";
}

static void write_head(struct visit *v, const struct model_reply *reply)
{
    struct model_outgoing *out = v->out;
    bool streams = reply->kind == MODEL_REPLY_STEPS && v->request.stream;
    uint64_t total = model_plan_total(&out->body);

    add_head(out, content_type(v, reply));
    sf_strbuf_addf(&out->head, "%s: req_%04zu\r\n",
                   v->service == &model_messages ? "request-id" : "x-request-id",
                   v->responder->script.number);
    add_retry(out, reply);
    for (size_t i = 0; i < reply->lines.count; i++)
        sf_strbuf_addf(&out->head, "%s\r\n", reply->lines.items[i]);
    if (reply->kind == MODEL_REPLY_REDIRECT)
        sf_strbuf_addf(&out->head, "Location: %s\r\n", reply->text);
    if (reply->gzip == MODEL_GZIP_DECLARED)
        sf_strbuf_adds(&out->head, "Content-Encoding: gzip\r\n");
    out->chunked = streams && reply->framing == MODEL_FRAMING_CHUNKED;
    if (out->chunked)
        sf_strbuf_adds(&out->head, "Transfer-Encoding: chunked\r\n");
    else if (reply->framing != MODEL_FRAMING_CLOSE)
        sf_strbuf_addf(&out->head, "Content-Length: %lld\r\n",
                       (long long)(reply->length != MODEL_NEVER ? reply->length : (int64_t)total));
    out->close = reply->framing == MODEL_FRAMING_CLOSE || reply->length != MODEL_NEVER;
    end_head(out, v->http->keep_alive);
}

static void apply_faults(struct model_outgoing *out, const struct model_reply *reply)
{
    out->cut_at = reply->cut_at;
    out->stall_at = reply->stall_at;
    out->cut_resets = reply->cut_resets;
    out->write_size = reply->write_size;
    out->pace_ms = reply->pace_ms;
    out->header_delay_ms = reply->header_delay_ms;
    if (reply->stall_at >= 0)
        model_plan_end(&out->body, (uint64_t)reply->stall_at, MODEL_PIECE_STALL);
    else if (reply->cut_at >= 0)
        model_plan_end(&out->body, (uint64_t)reply->cut_at,
                       reply->cut_resets ? MODEL_PIECE_RESET : MODEL_PIECE_CLOSE);
}

/* The last one that stands in front of where the answer breaks off. */
static void choose_bill(struct visit *v)
{
    uint64_t sent = model_plan_total(&v->out->body);

    for (size_t i = 0; i < v->bill_count && v->bills[i].at <= sent; i++)
        v->out->bill = v->bills[i];
}

static void send_reply(struct visit *v, const struct model_reply *scripted)
{
    struct model_reply reply = *scripted;
    bool error_first = !v->request.stream && reply.kind == MODEL_REPLY_STEPS;

    for (size_t i = 0; error_first && i < reply.step_count; i++)
        if (reply.steps[i].kind == MODEL_STEP_ERROR) {
            reply.kind = MODEL_REPLY_STATUS;
            reply.status = v->service == &model_messages ? 529 : 503;
            reply.code = reply.steps[i].name;
            reply.text = *reply.steps[i].text ? reply.steps[i].text : NULL;
        }
    init_outgoing(v->out, reply.status ? reply.status : 200);
    if (reply.kind == MODEL_REPLY_STATUS)
        write_status(v, &reply);
    else if (reply.kind == MODEL_REPLY_HTML)
        write_html(v, &reply);
    else if (reply.kind != MODEL_REPLY_REDIRECT)
        write_steps(v, &reply);
    if (reply.gzip != MODEL_GZIP_NONE && !model_plan_gzip(&v->out->body))
        reply.gzip = MODEL_GZIP_NONE;
    write_head(v, &reply);
    apply_faults(v->out, &reply);
    choose_bill(v);
    model_script_advance(&v->responder->script);
}

static void send_models(struct visit *v)
{
    const char *model =
        v->responder->scenario->model ? v->responder->scenario->model : "test-model";
    bool messages = v->service == &model_messages;
    struct sf_strbuf body = SF_STRBUF_INIT;
    struct sf_json_writer w;

    sf_jw_init(&w, &body);
    sf_jw_object_begin(&w);
    if (!messages)
        sf_jw_key_str(&w, "object", "list");
    sf_jw_key(&w, "data");
    sf_jw_array_begin(&w);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "id", model);
    sf_jw_key_str(&w, messages ? "type" : "object", "model");
    sf_jw_key_str(&w, messages ? "display_name" : "owned_by", model);
    sf_jw_object_end(&w);
    sf_jw_array_end(&w);
    if (messages)
        sf_jw_key_bool(&w, "has_more", false);
    sf_jw_object_end(&w);
    init_outgoing(v->out, 200);
    add_head(v->out, "application/json");
    set_whole(v->out, body.buf, body.len, v->http->keep_alive);
    sf_strbuf_release(&body);
}

static bool path_is(const struct model_http *http, const char *path)
{
    size_t len = strlen(path);

    return !strncmp(http->path, path, len) && (!http->path[len] || http->path[len] == '?');
}

/* The service called, or for /v1/models the one the headers speak of. */
static bool find_service(struct visit *v)
{
    for (size_t i = 0; i < SF_COUNT(services); i++)
        if (path_is(v->http, services[i]->path))
            v->service = services[i];
    if (path_is(v->http, "/v1/models"))
        v->service = model_http_header(v->http, "x-api-key") ? &model_messages : &model_chat;
    return v->service != NULL;
}

void model_responder_answer(struct model_responder *responder, const struct model_http *http,
                            struct model_outgoing *out)
{
    struct visit v = { .responder = responder, .http = http, .out = out };
    const struct model_reply *reply = NULL;
    bool models = path_is(http, "/v1/models");

    if (!find_service(&v)) {
        model_responder_plain(out, 404, "there is nothing under this path");
        return;
    }
    v.request.service = v.service;
    v.request.reasoned = &responder->reasoned;
    if (strcmp(http->method, models ? "GET" : "POST") != 0)
        refuse(&v, 405, "invalid_request_error", NULL, "Method Not Allowed");
    else if (check_key(&v) && !models && check_type(&v) && check_json(&v) &&
             v.service->check(&v.request, &v.no) && check_model(&v) && check_window(&v))
        check_script(&v, &reply);
    if (v.no.status)
        send_refusal(&v);
    else if (models)
        send_models(&v);
    else if (reply)
        send_reply(&v, reply);
    model_request_release(&v.request);
}
