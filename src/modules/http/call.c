/*
 * call.c: one request: its easy handle, what libcurl told of the answer, and telling the caller.
 * libcurl's callbacks write into the call and nothing else.
 */
#include <strings.h>

#include "modules/http/http.h"

enum field { CONTENT_TYPE, RETRY_AFTER, REQUEST_ID, LOCATION };

static const struct {
    const char *name;
    enum field field;
} wanted[] = {
    { "content-type", CONTENT_TYPE }, { "retry-after", RETRY_AFTER }, { "request-id", REQUEST_ID },
    { "x-request-id", REQUEST_ID },   { "location", LOCATION },
};

/* What is not printable ASCII becomes a question mark, or %XX in an address. */
static size_t copy_byte(char *out, size_t room, char c, bool address)
{
    if (address && (c <= ' ' || c > '~'))
        return (size_t)snprintf(out, room, "%%%02X", (unsigned char)c);
    *out = (char)(c >= ' ' && c <= '~' ? c : '?');
    return 1;
}

/* The value without blanks around it. */
static void copy_value(char *out, const char *value, size_t len, bool address)
{
    size_t n = 0;

    while (len && (*value == ' ' || *value == '\t')) {
        value++;
        len--;
    }
    while (len && strchr(" \t\r\n", value[len - 1]))
        len--;
    for (size_t i = 0; i < len && n < HEAD_TEXT - 1; i++)
        n += copy_byte(out + n, HEAD_TEXT - n, value[i], address);
    out[n < HEAD_TEXT ? n : HEAD_TEXT - 1] = '\0';
}

static void note_field(struct sf_http_call *call, const char *line, size_t len)
{
    const char *colon = memchr(line, ':', len);
    size_t name_len = colon ? (size_t)(colon - line) : 0;

    for (size_t i = 0; colon && i < SF_COUNT(wanted); i++)
        if (strlen(wanted[i].name) == name_len && !strncasecmp(wanted[i].name, line, name_len))
            copy_value(call->fields[wanted[i].field], colon + 1, len - name_len - 1,
                       wanted[i].field == LOCATION);
}

/* Several heads may come, 1xx first; the last one counts. Behind it there may be trailers. */
static size_t on_header(char *line, size_t size, size_t count, void *ctx)
{
    struct sf_http_call *call = ctx;
    size_t len = size * count;
    long status = 0;

    if (call->head_ready)
        return len;
    call->head_bytes += len;
    if (call->head_bytes > SF_HTTP_HEAD_MAX) {
        call->head_too_large = true;
        return 0;
    }
    if (len >= 5 && !memcmp(line, "HTTP/", 5)) {
        memset(call->fields, 0, sizeof(call->fields));
        return len;
    }
    if (len > 2 || (len && line[0] != '\r' && line[0] != '\n')) {
        note_field(call, line, len);
        return len;
    }
    curl_easy_getinfo(call->easy, CURLINFO_RESPONSE_CODE, &status);
    call->status = (int)status;
    call->head_ready = status >= 200;
    return len;
}

static size_t on_data(char *data, size_t size, size_t count, void *ctx)
{
    struct sf_http_call *call = ctx;
    size_t len = size * count;

    if (!call->orphan) {
        sf_strbuf_add(&call->body, data, len);
        return len;
    }
    call->lingered += len;
    return call->lingered > SF_HTTP_LINGER_MAX ? 0 : len;
}

static void set_limits(CURL *easy, const struct sf_http_request *request)
{
    int64_t connect_ms = request->connect_ms > 0 ? request->connect_ms : 20000;

    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    /* Otherwise a cancelled call waits for its name server, for seconds. */
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)connect_ms);
    curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
    curl_easy_setopt(easy, CURLOPT_TCP_KEEPIDLE, 60L);
    curl_easy_setopt(easy, CURLOPT_TCP_KEEPINTVL, 30L);
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
    curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION,
                     (long)(request->http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1));
}

static void set_trust(CURL *easy, const struct sf_http_request *request,
                      const struct sf_http_trust *trust)
{
    const char *file = request->ca_file ? request->ca_file : trust->file;
    const char *dir = request->ca_file ? NULL : trust->dir;

    curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    curl_easy_setopt(easy, CURLOPT_CAINFO, file);
    curl_easy_setopt(easy, CURLOPT_CAPATH, dir);
    curl_easy_setopt(easy, CURLOPT_PROXY_CAINFO, file);
    curl_easy_setopt(easy, CURLOPT_PROXY_CAPATH, dir);
}

static void set_body(struct sf_http_call *call, const struct sf_http_request *request)
{
    if (request->body) {
        curl_easy_setopt(call->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_len);
        curl_easy_setopt(call->easy, CURLOPT_COPYPOSTFIELDS, request->body);
    }
    if (request->method)
        curl_easy_setopt(call->easy, CURLOPT_CUSTOMREQUEST, request->method);
    if (request->method && !strcmp(request->method, "HEAD"))
        curl_easy_setopt(call->easy, CURLOPT_NOBODY, 1L);
    for (const char *const *at = request->headers; at && *at; at++)
        call->headers = curl_slist_append(call->headers, *at);
    /* Waiting for a "100 Continue" costs a second with servers that never say it. */
    call->headers = curl_slist_append(call->headers, "Expect:");
    curl_easy_setopt(call->easy, CURLOPT_HTTPHEADER, call->headers);
}

static void set_callbacks(struct sf_http_call *call)
{
    curl_easy_setopt(call->easy, CURLOPT_PRIVATE, call);
    curl_easy_setopt(call->easy, CURLOPT_ERRORBUFFER, call->detail);
    curl_easy_setopt(call->easy, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(call->easy, CURLOPT_HEADERDATA, call);
    curl_easy_setopt(call->easy, CURLOPT_WRITEFUNCTION, on_data);
    curl_easy_setopt(call->easy, CURLOPT_WRITEDATA, call);
}

struct sf_http_call *sf_http_call_new(const struct sf_http_request *request,
                                      const struct sf_http_trust *trust, struct sf_error *err)
{
    struct sf_http_call *call = sf_alloc(sizeof(*call));
    bool loopback;

    sf_strbuf_init(&call->body);
    if (!sf_http_address_check(request, call->host, sizeof(call->host), &loopback, err))
        goto fail;
    call->easy = curl_easy_init();
    if (!call->easy) {
        sf_fail(err, SF_E_IO, "no request can be made: out of memory");
        goto fail;
    }
    set_limits(call->easy, request);
    set_trust(call->easy, request, trust);
    sf_http_route_set(call, request, loopback);
    set_callbacks(call);
    set_body(call, request);
    if (curl_easy_setopt(call->easy, CURLOPT_URL, request->url) == CURLE_OK)
        return call;
    sf_fail(err, SF_E_ARG, "the address of the service cannot be used");
fail:
    sf_http_call_free(call);
    return NULL;
}

void sf_http_call_free(struct sf_http_call *call)
{
    sf_http_call_over(call, CURLE_OK);
    sf_strbuf_release(&call->body);
    free(call);
}

void sf_http_call_over(struct sf_http_call *call, CURLcode code)
{
    call->code = code;
    call->done = true;
    if (call->easy)
        curl_easy_cleanup(call->easy);
    curl_slist_free_all(call->headers);
    call->easy = NULL;
    call->headers = NULL;
}

bool sf_http_call_has_news(const struct sf_http_call *call)
{
    return !call->orphan &&
           (call->done || call->body.len || (call->head_ready && !call->head_told));
}

static void tell_head(struct sf_http_call *call)
{
    const struct sf_http_head head = {
        .status = call->status,
        .content_type = call->fields[CONTENT_TYPE],
        .retry_after = call->fields[RETRY_AFTER],
        .request_id = call->fields[REQUEST_ID],
        .location = call->fields[LOCATION],
    };

    call->head_told = true;
    if (call->events.on_head)
        call->events.on_head(call->ctx, &head);
}

static void tell_body(struct sf_http_call *call)
{
    struct sf_strbuf data = call->body;

    sf_strbuf_init(&call->body);
    if (call->events.on_body)
        call->events.on_body(call->ctx, data.buf, data.len);
    sf_strbuf_release(&data);
}

static void tell_end(struct sf_http_call *call)
{
    char message[512];
    struct sf_http_result result = { .status = call->status, .message = message };

    result.end = sf_http_fault(call, message, sizeof(message));
    call->events.on_end(call->ctx, &result);
}

void sf_http_call_tell(struct sf_http_call *call)
{
    call->telling = true;
    if (call->head_ready && !call->head_told)
        tell_head(call);
    if (call->body.len && !call->gone && !call->orphan)
        tell_body(call);
    if (call->done && !call->gone && !call->orphan)
        tell_end(call);
    call->telling = false;
}
