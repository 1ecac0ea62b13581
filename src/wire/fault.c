/*
 * fault.c: what went wrong at the other end, told by what can be done about it. Services agree
 * on status codes only roughly: being out of credit and being too fast are both 429, a prompt too
 * long is 400 like any mistake. So the service's own word for the error comes first, then its
 * sentence where the word is too general, and the status last.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "wire/decoder.h"
#include "wire/stream.h"

enum { BODY_MAX = 256 * 1024, TITLE_MAX = 200, WAIT_DAYS_MAX = 7 };

#define WAIT_MAX_MS ((int64_t)WAIT_DAYS_MAX * 24 * 60 * 60 * 1000)

/* clang-format off */
const struct sf_fault_info sf_faults[] = {
    { SF_FAULT_NONE,      "none",       false, false, "" },
    { SF_FAULT_AUTH,      "auth",       false, false, "check the provider's key: its variable, file or command" },
    { SF_FAULT_FORBIDDEN, "forbidden",  false, false, "check what the account may use: the model, its region, the limits of the key" },
    { SF_FAULT_QUOTA,     "quota",      false, false, "add credit with the provider, or choose another with --model" },
    { SF_FAULT_REQUEST,   "request",    false, false, "choose another model with --model, or start a new session" },
    { SF_FAULT_MODEL,     "model",      false, false, "choose another model with --model, or check the provider's address" },
    { SF_FAULT_CONTEXT,   "context",    false, false, "start a new session, or choose a model with a larger window with --model" },
    { SF_FAULT_RATE,      "rate-limit", true,  true,  "wait a moment and try again" },
    { SF_FAULT_OVERLOAD,  "overload",   true,  true,  "wait a moment and try again, or choose another model with --model" },
    { SF_FAULT_SERVER,    "server",     true,  true,  "wait a moment and try again" },
    { SF_FAULT_CONNECT,   "connect",    true,  true,  "check the network and the provider's address" },
    { SF_FAULT_TLS,       "tls",        false, false, "check the date of this computer, the proxy and the provider's address" },
    { SF_FAULT_STALL,     "stall",      true,  true,  "ask again; if it stays silent, choose another model with --model" },
    { SF_FAULT_TIMEOUT,   "timeout",    false, true,  "ask for less at a time, or choose a faster model with --model" },
    { SF_FAULT_MALFORMED, "malformed",  true,  true,  "check that the provider's address and format are right" },
    { SF_FAULT_OVERSIZE,  "oversize",   false, false, "ask for less at a time, or choose another model with --model" },
    { SF_FAULT_REPLAY,    "replay",     false, false, "record it anew; a recording without its request lines is played unchecked" },
    { SF_FAULT_CANCELLED, "cancelled",  false, false, "" },
};

static const struct {
    int first, last;
    enum sf_fault fault;
    const char *message;
} statuses[] = {
    { 300, 399, SF_FAULT_MODEL,    "the service redirects to another address" },
    { 401, 401, SF_FAULT_AUTH,     "the service does not accept the key" },
    { 402, 402, SF_FAULT_QUOTA,    "the account is out of credit" },
    { 403, 403, SF_FAULT_FORBIDDEN, "the service does not allow this" },
    { 404, 405, SF_FAULT_MODEL,    "there is no such model or address" },
    { 408, 409, SF_FAULT_SERVER,   "the service gave up on the request" },
    { 413, 413, SF_FAULT_CONTEXT,  "the conversation is too long for the service" },
    { 425, 425, SF_FAULT_SERVER,   "the service is not ready" },
    { 429, 429, SF_FAULT_RATE,     "too many requests" },
    { 400, 499, SF_FAULT_REQUEST,  "the service rejects the request" },
    { 503, 503, SF_FAULT_OVERLOAD, "the service is busy" },
    { 529, 529, SF_FAULT_OVERLOAD, "the service is overloaded" },
    { 500, 599, SF_FAULT_SERVER,   "the service failed" },
    { 200, 299, SF_FAULT_MALFORMED, "the service sent an unexpected answer" },
    { 0,   0,   SF_FAULT_SERVER,   "the service failed" },
};

/* The service's word; REQUEST and RATE are general and may be told more exactly below. */
static const struct {
    const char *code;
    enum sf_fault fault;
} codes[] = {
    { "authentication_error",       SF_FAULT_AUTH },
    { "permission_error",           SF_FAULT_FORBIDDEN },
    { "invalid_api_key",            SF_FAULT_AUTH },
    { "invalid_authentication_error", SF_FAULT_AUTH },
    { "billing_error",              SF_FAULT_QUOTA },
    { "insufficient_quota",         SF_FAULT_QUOTA },
    { "billing_hard_limit_reached", SF_FAULT_QUOTA },
    { "billing_not_active",         SF_FAULT_QUOTA },
    { "exceeded_current_quota_error", SF_FAULT_QUOTA },
    { "usage_limit_reached",        SF_FAULT_QUOTA },
    { "usage_not_included",         SF_FAULT_QUOTA },
    { "model_not_found",            SF_FAULT_MODEL },
    { "not_found_error",            SF_FAULT_MODEL },
    { "context_length_exceeded",    SF_FAULT_CONTEXT },
    { "string_above_max_length",    SF_FAULT_CONTEXT },
    { "request_too_large",          SF_FAULT_CONTEXT },
    { "exceed_context_size_error",  SF_FAULT_CONTEXT },
    { "overloaded_error",           SF_FAULT_OVERLOAD },
    { "engine_overloaded_error",    SF_FAULT_OVERLOAD },
    { "server_is_overloaded",       SF_FAULT_OVERLOAD },
    { "slow_down",                  SF_FAULT_OVERLOAD },
    { "rate_limit_error",           SF_FAULT_RATE },
    { "rate_limit_exceeded",        SF_FAULT_RATE },
    { "rate_limit_reached_error",   SF_FAULT_RATE },
    { "api_error",                  SF_FAULT_SERVER },
    { "server_error",               SF_FAULT_SERVER },
    { "internal_server_error",      SF_FAULT_SERVER },
    { "timeout_error",              SF_FAULT_SERVER },
    { "invalid_request_error",      SF_FAULT_REQUEST },
    { "invalid_prompt",             SF_FAULT_REQUEST },
};

/* Sentences, in lower case, with the fault they stand for whenever `from` is all that is known. */
static const struct {
    const char *words;
    enum sf_fault from, fault;
} sentences[] = {
    { "prompt is too long",                SF_FAULT_REQUEST, SF_FAULT_CONTEXT },
    { "maximum context length",            SF_FAULT_REQUEST, SF_FAULT_CONTEXT },
    { "context length",                    SF_FAULT_REQUEST, SF_FAULT_CONTEXT },
    { "context window",                    SF_FAULT_REQUEST, SF_FAULT_CONTEXT },
    { "context size",                      SF_FAULT_REQUEST, SF_FAULT_CONTEXT },
    { "input is too long",                 SF_FAULT_REQUEST, SF_FAULT_CONTEXT },
    { "exceed context limit",              SF_FAULT_REQUEST, SF_FAULT_CONTEXT },
    { "too many tokens",                   SF_FAULT_REQUEST, SF_FAULT_CONTEXT },
    { "credit balance is too low",         SF_FAULT_REQUEST, SF_FAULT_QUOTA },
    { "insufficient balance",              SF_FAULT_REQUEST, SF_FAULT_QUOTA },
    { "api key not valid",                 SF_FAULT_REQUEST, SF_FAULT_AUTH },
    { "invalid api key",                   SF_FAULT_REQUEST, SF_FAULT_AUTH },
    { "model not found",                   SF_FAULT_REQUEST, SF_FAULT_MODEL },
    { "model does not exist",              SF_FAULT_REQUEST, SF_FAULT_MODEL },
    { "not a valid model",                 SF_FAULT_REQUEST, SF_FAULT_MODEL },
    { "unknown model",                     SF_FAULT_REQUEST, SF_FAULT_MODEL },
    { "overloaded",                        SF_FAULT_REQUEST, SF_FAULT_OVERLOAD },
    { "context size",                      SF_FAULT_SERVER,  SF_FAULT_CONTEXT },
    { "context length",                    SF_FAULT_SERVER,  SF_FAULT_CONTEXT },
    { "overloaded",                        SF_FAULT_SERVER,  SF_FAULT_OVERLOAD },
    { "exceeded your current quota",       SF_FAULT_RATE,    SF_FAULT_QUOTA },
    { "insufficient balance",              SF_FAULT_RATE,    SF_FAULT_QUOTA },
    { "insufficient_quota",                SF_FAULT_RATE,    SF_FAULT_QUOTA },
};
/* clang-format on */

/* Appends "…" in place of what does not fit, at a character. */
static void copy_cut(char *out, size_t size, const struct sf_strbuf *text)
{
    static const char mark[] = "\xe2\x80\xa6";
    size_t n = text->len;

    if (n >= size) {
        n = size - sizeof(mark);
        while (n > 0 && ((unsigned char)text->buf[n] & 0xc0) == 0x80)
            n--;
        memcpy(out + n, mark, sizeof(mark));
    } else {
        out[n] = '\0';
    }
    memcpy(out, text->buf, n);
}

void sf_wire_error_set(struct sf_wire_error *out, enum sf_fault fault, const char *text, size_t len)
{
    struct sf_strbuf safe = SF_STRBUF_INIT;

    *out = (struct sf_wire_error){ .fault = fault, .retry_after_ms = -1 };
    sf_text_sanitize(&safe, text, len < 4 * sizeof(out->message) ? len : 4 * sizeof(out->message),
                     SF_TEXT_ONE_LINE);
    copy_cut(out->message, sizeof(out->message), &safe);
    sf_strbuf_release(&safe);
}

static size_t status_row(int status)
{
    size_t i = 0;

    while (i + 1 < SF_COUNT(statuses) && (status < statuses[i].first || status > statuses[i].last))
        i++;
    return i;
}

static bool find_code(const char *code, enum sf_fault *fault)
{
    for (size_t i = 0; code && i < SF_COUNT(codes); i++) {
        if (!strcmp(codes[i].code, code)) {
            *fault = codes[i].fault;
            return true;
        }
    }
    return false;
}

/* A model that is not there is named between the words, so it takes two of them. */
static bool misses_model(const char *text)
{
    const char *model = strcasestr(text, "model");

    return model && (strcasestr(model, "not found") || strcasestr(model, "does not exist"));
}

/* Where a wait is named, a quota is one that fills up again. */
static enum sf_fault refine(enum sf_fault fault, const char *text, bool waits)
{
    if (fault == SF_FAULT_RATE && waits)
        return fault;
    for (size_t i = 0; i < SF_COUNT(sentences); i++)
        if (sentences[i].from == fault && strcasestr(text, sentences[i].words))
            return sentences[i].fault;
    return fault == SF_FAULT_REQUEST && misses_model(text) ? SF_FAULT_MODEL : fault;
}

/* Digits with or without a fraction, in units of `unit` milliseconds; -1: no number. */
static int64_t read_wait(const char *text, int64_t unit, const char **end)
{
    int64_t ms = 0, scale = unit;
    const char *p = text;

    for (; *p >= '0' && *p <= '9'; p++)
        ms = ms < WAIT_MAX_MS ? ms * 10 + (*p - '0') * unit : WAIT_MAX_MS;
    if (p == text)
        return -1;
    if (*p == '.' && p[1] >= '0' && p[1] <= '9')
        for (p++; *p >= '0' && *p <= '9'; p++) {
            scale /= 10;
            ms += (*p - '0') * scale;
        }
    *end = p;
    return ms < WAIT_MAX_MS ? ms : WAIT_MAX_MS;
}

static bool read_month(const char *text, int *month)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

    for (int i = 0; i < 12; i++) {
        if (!strncmp(months + 3 * (size_t)i, text, 3)) {
            *month = i + 1;
            return true;
        }
    }
    return false;
}

/* Sun, 06 Nov 1994 08:49:37 GMT */
static bool read_http_date(const char *text, int64_t *ms)
{
    struct sf_civil civil = { 0 };
    char month[4] = "";
    int year = 0, end = 0;

    if (sscanf(text, "%*3[A-Za-z], %2d %3s %4d %2d:%2d:%2d GMT%n", &civil.day, month, &year,
               &civil.hour, &civil.minute, &civil.second, &end) != 6 ||
        !end || text[end] || !read_month(month, &civil.month))
        return false;
    civil.year = year;
    if (!sf_civil_ok(&civil))
        return false;
    *ms = sf_civil_to_ms(&civil);
    return true;
}

static int64_t read_retry_after(const char *text, int64_t now_ms)
{
    struct sf_error unused;
    const char *end = "";
    int64_t wait, at;

    if (!text)
        return -1;
    text += strspn(text, " \t");
    wait = read_wait(text, 1000, &end);
    if (wait >= 0 && (!*end || !strcmp(end, "s")))
        return wait;
    if (!read_http_date(text, &at) && !sf_time_parse_rfc3339(text, strlen(text), &at, &unused))
        return -1;
    if (at <= now_ms)
        return 0;
    return now_ms < 0 || at - now_ms > WAIT_MAX_MS ? WAIT_MAX_MS : at - now_ms;
}

/* "Please try again in 1.5s": some say it in the sentence alone. */
static int64_t wait_in(const char *text)
{
    static const struct {
        const char *unit;
        int64_t ms;
    } units[] = { { "ms", 1 }, { "s", 1000 }, { "m", 60000 } };
    static const char *const leads[] = { "try again in ", "retry in " };
    const char *at = NULL, *end = "";

    for (size_t i = 0; !at && i < SF_COUNT(leads); i++) {
        at = strcasestr(text, leads[i]);
        at = at ? at + strlen(leads[i]) : NULL;
    }
    if (!at)
        return -1;
    for (size_t i = 0; i < SF_COUNT(units); i++) {
        int64_t wait = read_wait(at, units[i].ms, &end);

        if (wait >= 0 && !strncmp(end + (*end == ' '), units[i].unit, strlen(units[i].unit)))
            return wait;
    }
    return -1;
}

/* The object that tells the error, wherever the service put it. */
static const struct sf_json *error_object(const struct sf_json *json)
{
    const struct sf_json *found;

    if (sf_json_type(json) == SF_JSON_ARRAY && sf_json_first(json))
        json = sf_json_first(json);
    found = sf_wire_get(json, "error");
    if (!found)
        found = sf_wire_item(sf_wire_get(json, "errors"));
    return found && sf_json_type(found) == SF_JSON_OBJECT ? found : json;
}

static const char *error_text(const struct sf_json *json, const struct sf_json *error)
{
    static const char *const members[] = { "message", "error", "detail", "msg" };
    const char *text = NULL;

    for (size_t i = 0; !text && i < SF_COUNT(members); i++)
        text = sf_wire_str(error, members[i]);
    if (!text)
        text = sf_wire_str(json, "message");
    if (!text)
        text = sf_wire_str(sf_wire_item(sf_wire_get(error, "detail")), "msg");
    return text && *text ? text : NULL;
}

/* `wait` is what the header asks for, or -1. */
static void settle(struct sf_wire_error *out, enum sf_fault fault, int status, int64_t wait,
                   const char *text)
{
    if (!text)
        text = statuses[status_row(status)].message;
    if (wait < 0)
        wait = wait_in(text);
    sf_wire_error_set(out, refine(fault, text, wait >= 0), text, strlen(text));
    out->status = status;
    out->retry_after_ms = wait;
}

static void read_json(const struct sf_json *json, int status, int64_t wait,
                      struct sf_wire_error *out)
{
    const struct sf_json *error = error_object(json);
    int64_t code = status;
    enum sf_fault fault;

    /* some put the status into the error; it counts where HTTP said nothing or that all is well */
    sf_wire_int(error, "code", &code);
    if (status < 300 && code >= 300 && code <= 599)
        status = (int)code;
    fault = statuses[status_row(status)].fault;
    if (!find_code(sf_wire_str(error, "code"), &fault))
        find_code(sf_wire_str(error, "type"), &fault);
    if (fault == SF_FAULT_REQUEST && status >= 300) /* too general a word to overrule it */
        fault = statuses[status_row(status)].fault;
    settle(out, fault, status, wait, error_text(json, error));
}

void sf_wire_error_from_json(const struct sf_json *json, struct sf_wire_error *out)
{
    read_json(json, 0, -1, out);
}

/* The title of a web page; else NULL and the page is not worth showing. */
static char *page_title(const char *body)
{
    const char *from = strcasestr(body, "<title>"),
               *to = from ? strcasestr(from, "</title>") : NULL;

    if (!to)
        return NULL;
    from += strlen("<title>");
    return sf_strndup(from, (size_t)(to - from) < TITLE_MAX ? (size_t)(to - from) : TITLE_MAX);
}

static void read_text(const char *body, int status, int64_t wait, struct sf_wire_error *out)
{
    const char *text = body + strspn(body, " \t\r\n");
    char *title = *text == '<' ? page_title(text) : NULL;
    bool shown = title || (*text && *text != '<');

    settle(out, statuses[status_row(status)].fault, status, wait,
           shown ? title ? title : text : NULL);
    free(title);
}

void sf_wire_error_read(int status, const char *retry_after, int64_t now_ms, const char *body,
                        size_t len, struct sf_wire_error *out)
{
    size_t n = len < BODY_MAX ? len : BODY_MAX;
    struct sf_error unused;
    struct sf_json *json = len <= BODY_MAX ? sf_json_parse(body, len, NULL, &unused) : NULL;
    char *text = sf_strndup(n ? body : "", n);
    int64_t wait = read_retry_after(retry_after, now_ms);

    if (json && (sf_json_type(json) == SF_JSON_OBJECT || sf_json_type(json) == SF_JSON_ARRAY))
        read_json(json, status, wait, out);
    else
        read_text(text, status, wait, out);
    free(text);
    sf_json_free(json);
}
