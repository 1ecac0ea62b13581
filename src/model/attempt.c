/*
 * attempt.c: a call of the http module, a decoder and two timers. Whatever ends the try first is
 * put down as its end; once nobody is working on the attempt any more, the owner is told. `fn`
 * may free the attempt at any moment, so freeing waits until the last caller has returned.
 */
#include "model/attempt.h"

#include <stdarg.h>

#include "base/base.h"

enum { ERROR_BODY_MAX = 64 * 1024 };

struct sf_attempt {
    struct sf_attempt_setup setup;
    sf_stream_fn *fn;
    void *ctx;
    int busy;  /* callers inside */
    bool dead; /* freed by its owner */

    struct sf_http_call *call; /* NULL: over, or never begun */
    struct sf_decoder *decoder;
    uint64_t silence, total;
    int64_t heard_ms; /* when the last byte of the body came, or the try began */
    bool has_body;

    int status;
    char retry_after[128], request_id[128];
    struct sf_strbuf error_body; /* of an answer with an error status */

    bool over;
    enum sf_stop stop;
    struct sf_wire_error error; /* fault NONE: it ended well */
};

static void fail(struct sf_attempt *a, enum sf_fault fault, const char *format, ...)
    SF_PRINTF(3, 4);

static void fail(struct sf_attempt *a, enum sf_fault fault, const char *format, ...)
{
    va_list args;

    a->over = true;
    a->error = (struct sf_wire_error){ fault, a->status, -1, "" };
    va_start(args, format);
    vsnprintf(a->error.message, sizeof(a->error.message), format, args);
    va_end(args);
}

static bool has_error_status(const struct sf_attempt *a)
{
    return a->status >= 400;
}

/* What the service said about its error counts, also when not all of it came. */
static void fail_by_status(struct sf_attempt *a)
{
    size_t len;

    a->over = true;
    sf_wire_error_read(a->status, *a->retry_after ? a->retry_after : NULL, sf_clock_wall_ms(),
                       a->error_body.buf, a->error_body.len, &a->error);
    len = strlen(a->error.message);
    if (*a->request_id && len + strlen(a->request_id) + 16 < sizeof(a->error.message))
        snprintf(a->error.message + len, sizeof(a->error.message) - len, " (request %s)",
                 a->request_id);
}

static void release(struct sf_attempt *a)
{
    sf_decoder_free(a->decoder);
    sf_strbuf_release(&a->error_body);
    free(a);
}

static void stop_timers(struct sf_attempt *a)
{
    sf_loop_remove(a->setup.loop, a->silence);
    sf_loop_remove(a->setup.loop, a->total);
    a->silence = a->total = 0;
}

/* An answer that is complete may leave its connection to the next one. */
static void let_go(struct sf_attempt *a, bool complete)
{
    stop_timers(a);
    if (a->call && complete)
        a->setup.http->finish(a->call);
    else if (a->call)
        a->setup.http->cancel(a->call);
    a->call = NULL;
}

/* Some services repeat the key they were sent; messages are shown, stored and passed on. */
void sf_attempt_hide_key(char *message, const char *key)
{
    size_t n = key ? strlen(key) : 0;
    char *at = message;

    while (n >= 3 && (at = strstr(at, key))) {
        memset(at, '*', 3);
        memmove(at + 3, at + n, strlen(at + n) + 1);
        at += 3;
    }
}

static void conclude(struct sf_attempt *a)
{
    bool well = a->error.fault == SF_FAULT_NONE;
    const struct sf_stream_event event = {
        .kind = well ? SF_STREAM_END : SF_STREAM_ERROR,
        .text = "",
        .stop = a->stop,
        .error = well ? NULL : &a->error,
    };

    sf_attempt_hide_key(a->error.message, a->setup.provider->key);
    let_go(a, well);
    a->fn(a->ctx, &event);
}

static void enter(struct sf_attempt *a)
{
    a->busy++;
}

static void leave(struct sf_attempt *a)
{
    if (a->busy == 1 && a->over && !a->dead)
        conclude(a);
    if (--a->busy == 0 && a->dead)
        release(a);
}

void sf_attempt_free(struct sf_attempt *attempt)
{
    if (!attempt)
        return;
    let_go(attempt, false);
    attempt->dead = true;
    if (!attempt->busy)
        release(attempt);
}

/* The end waits until the decoder has returned, so that the owner may do what it likes. */
static void on_decoded(void *ctx, const struct sf_stream_event *event)
{
    struct sf_attempt *a = ctx;

    if (a->dead)
        return;
    if (event->kind == SF_STREAM_END) {
        a->over = true;
        a->stop = event->stop;
    } else if (event->kind == SF_STREAM_ERROR) {
        a->over = true;
        a->error = *event->error;
        a->error.status = a->status;
    } else {
        a->fn(a->ctx, event);
    }
}

static void on_head(void *ctx, const struct sf_http_head *head)
{
    struct sf_attempt *a = ctx;

    a->status = head->status;
    snprintf(a->retry_after, sizeof(a->retry_after), "%s", head->retry_after);
    snprintf(a->request_id, sizeof(a->request_id), "%s", head->request_id);
    if (head->status >= 200 && head->status < 300)
        a->decoder = sf_decoder_new(a->setup.provider->format, on_decoded, a);
    else if (head->status < 400)
        fail(a, SF_FAULT_MODEL,
             "%s redirects to %s: keys are not sent there, so set models.%s.base_url",
             a->setup.provider->base_url, *head->location ? head->location : "another address",
             a->setup.provider->name);
    enter(a);
    leave(a);
}

static void on_silence(void *ctx);

static void watch_silence(struct sf_attempt *a, int64_t after_ms)
{
    sf_loop_remove(a->setup.loop, a->silence);
    a->silence = sf_loop_add_timer(a->setup.loop, after_ms, 0, on_silence, a);
}

static void on_body(void *ctx, const char *data, size_t len)
{
    struct sf_attempt *a = ctx;
    size_t room = ERROR_BODY_MAX - a->error_body.len;

    enter(a);
    a->heard_ms = sf_clock_monotonic_ms();
    if (!a->has_body)
        watch_silence(a, a->setup.limits->silence_ms);
    a->has_body = true;
    if (a->decoder) {
        sf_decoder_feed(a->decoder, data, len);
    } else {
        sf_strbuf_add(&a->error_body, data, len < room ? len : room);
        if (len >= room && has_error_status(a))
            fail_by_status(a);
    }
    leave(a);
}

static const struct {
    enum sf_http_end end;
    enum sf_fault fault;
} ends[] = {
    { SF_HTTP_CONNECT, SF_FAULT_CONNECT }, { SF_HTTP_TIMEOUT, SF_FAULT_CONNECT },
    { SF_HTTP_TLS, SF_FAULT_TLS },         { SF_HTTP_REDIRECT, SF_FAULT_MODEL },
    { SF_HTTP_OTHER, SF_FAULT_MALFORMED },
};

static void fail_by_http(struct sf_attempt *a, const struct sf_http_result *result)
{
    enum sf_fault fault = SF_FAULT_MALFORMED;

    for (size_t i = 0; i < SF_COUNT(ends); i++)
        if (ends[i].end == result->end)
            fault = ends[i].fault;
    if (fault != SF_FAULT_TLS)
        fail(a, fault, "%.480s", result->message);
    else if (a->setup.ca_file)
        fail(a, fault, "%.300s; ca_file is %.120s", result->message, a->setup.ca_file);
    else
        fail(a, fault,
             "%.300s; if your network has a certificate of its own, name its file in ca_file or "
             "SSL_CERT_FILE",
             result->message);
}

/* Whatever the decoder makes of a broken answer, it is the line that broke, unless it had all. */
static void on_end(void *ctx, const struct sf_http_result *result)
{
    struct sf_attempt *a = ctx;

    enter(a);
    a->call = NULL;
    if (has_error_status(a))
        fail_by_status(a);
    else if (a->decoder)
        sf_decoder_finish(a->decoder);
    if (!a->dead && result->end != SF_HTTP_DONE && !has_error_status(a) &&
        (!a->over || a->error.fault != SF_FAULT_NONE))
        fail_by_http(a, result);
    if (!a->over)
        fail(a, SF_FAULT_MALFORMED, "the service answered with status %d and nothing else",
             a->status);
    leave(a);
}

/* Bytes only put the clock back; the timer looks at it when it rings. */
static void on_silence(void *ctx)
{
    struct sf_attempt *a = ctx;
    int64_t limit = a->has_body ? a->setup.limits->silence_ms : a->setup.limits->first_byte_ms;
    int64_t left = limit - (sf_clock_monotonic_ms() - a->heard_ms);

    if (left > 0) {
        watch_silence(a, left);
        return;
    }
    enter(a);
    if (has_error_status(a))
        fail_by_status(a);
    else
        fail(a, SF_FAULT_STALL, "%s said nothing for %g s", a->setup.provider->name,
             (double)limit / 1000);
    leave(a);
}

static void on_total(void *ctx)
{
    struct sf_attempt *a = ctx;

    enter(a);
    if (has_error_status(a))
        fail_by_status(a);
    else
        fail(a, SF_FAULT_TIMEOUT, "%s took longer than the %g s an answer may take",
             a->setup.provider->name, (double)a->setup.limits->total_ms / 1000);
    leave(a);
}

void sf_attempt_add_headers(const struct sf_provider *provider, struct sf_strlist *out)
{
    const char *key = provider->key;

    sf_strlist_add(out, "User-Agent: sf/" SF_VERSION);
    if (provider->format == SF_WIRE_ANTHROPIC)
        sf_strlist_add(out, "anthropic-version: 2023-06-01");
    if (key && provider->format == SF_WIRE_ANTHROPIC)
        sf_strlist_addf(out, "x-api-key: %s", key);
    else if (key)
        sf_strlist_addf(out, "Authorization: Bearer %s", key);
}

void sf_attempt_wipe_headers(struct sf_strlist *headers)
{
    for (size_t i = 0; i < headers->count; i++)
        explicit_bzero(headers->items[i], strlen(headers->items[i]));
    sf_strlist_release(headers);
}

static void on_refused(void *ctx)
{
    struct sf_attempt *a = ctx;

    a->silence = 0;
    enter(a);
    leave(a);
}

static void send(struct sf_attempt *a, const void *body, size_t len)
{
    static const struct sf_http_events events = { on_head, on_body, on_end };
    const struct sf_provider *provider = a->setup.provider;
    struct sf_strlist headers = SF_STRLIST_INIT;
    struct sf_strbuf url = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_http_request request = {
        .body = body,
        .body_len = len,
        .connect_ms = a->setup.limits->connect_ms,
        .proxy = a->setup.proxy,
        .ca_file = a->setup.ca_file,
        .http2 = true,
        .plain = !provider->key,
    };

    sf_strlist_add(&headers, "Content-Type: application/json");
    sf_strlist_add(&headers, "Accept: text/event-stream");
    sf_attempt_add_headers(provider, &headers);
    sf_strbuf_adds(&url, provider->base_url);
    sf_strbuf_adds(&url, sf_wire_path(provider->format));
    request.url = url.buf;
    request.headers = (const char *const *)headers.items;
    a->call = a->setup.http->start(a->setup.engine, &request, &events, a, &err);
    if (!a->call)
        fail(a, SF_FAULT_REQUEST, "%.500s", err.msg);
    sf_strbuf_release(&url);
    sf_attempt_wipe_headers(&headers);
}

struct sf_attempt *sf_attempt_start(const struct sf_attempt_setup *setup, const void *body,
                                    size_t len, sf_stream_fn *fn, void *ctx)
{
    struct sf_attempt *a = sf_alloc(sizeof(*a));

    a->setup = *setup;
    a->fn = fn;
    a->ctx = ctx;
    a->heard_ms = sf_clock_monotonic_ms();
    sf_strbuf_init(&a->error_body);
    send(a, body, len);
    if (!a->call) {
        a->silence = sf_loop_add_timer(setup->loop, 0, 0, on_refused, a);
        return a;
    }
    watch_silence(a, setup->limits->first_byte_ms);
    a->total = sf_loop_add_timer(setup->loop, setup->limits->total_ms, 0, on_total, a);
    return a;
}
