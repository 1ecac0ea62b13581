/*
 * model_http.c: the reader of requests. Strict where a client of ours could be wrong: lines end
 * in CR LF, lengths are plain digits, a body has one framing.
 */
#include "support/model_http.h"

#include <strings.h>

struct fault {
    int status;
    const char *why;
};

static enum model_http_state bad(struct fault *fault, int status, const char *why)
{
    *fault = (struct fault){ status, why };
    return MODEL_HTTP_BAD;
}

const char *model_http_header(const struct model_http *http, const char *name)
{
    for (size_t i = 0; i < http->names.count; i++)
        if (!strcasecmp(http->names.items[i], name))
            return http->values.items[i];
    return NULL;
}

void model_http_release(struct model_http *http)
{
    free(http->method);
    free(http->path);
    sf_strlist_release(&http->names);
    sf_strlist_release(&http->values);
    if (http->body.buf)
        sf_strbuf_release(&http->body);
    *http = (struct model_http){ .body = SF_STRBUF_INIT };
}

void model_http_reset(struct model_http *http)
{
    model_http_release(http);
}

static bool read_request_line(struct model_http *http, const char *line, size_t len)
{
    const char *path = memchr(line, ' ', len), *version;

    if (!path || path == line)
        return false;
    http->method = sf_strndup(line, (size_t)(path - line));
    path++;
    version = memchr(path, ' ', len - (size_t)(path - line));
    if (!version || *path != '/')
        return false;
    http->path = sf_strndup(path, (size_t)(version - path));
    http->keep_alive = len - (size_t)(version - line) == 9 && !memcmp(version, " HTTP/1.1", 9);
    return http->keep_alive ||
           (len - (size_t)(version - line) == 9 && !memcmp(version, " HTTP/1.0", 9));
}

static bool read_header(struct model_http *http, const char *line, size_t len)
{
    const char *colon = memchr(line, ':', len), *end = line + len;
    char *name;

    if (!colon || colon == line || http->names.count == MODEL_HTTP_HEADERS ||
        memchr(line, ' ', (size_t)(colon - line)) || memchr(line, 0, len))
        return false;
    name = sf_strndup(line, (size_t)(colon - line));
    for (char *p = name; *p; p++)
        *p = (char)(*p >= 'A' && *p <= 'Z' ? *p + 32 : *p);
    for (colon++; colon < end && (*colon == ' ' || *colon == '\t'); colon++)
        ;
    while (end > colon && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    sf_strlist_adopt(&http->names, name);
    sf_strlist_adopt(&http->values, sf_strndup(colon, (size_t)(end - colon)));
    return true;
}

static bool read_number(const char *text, size_t len, unsigned base, uint64_t *out)
{
    static const char digits[] = "0123456789abcdef";
    uint64_t n = 0;

    for (size_t i = 0; i < len; i++) {
        char c = (char)(text[i] >= 'A' && text[i] <= 'F' ? text[i] + 32 : text[i]);
        const char *digit = c ? strchr(digits, c) : NULL;

        if (!digit || digit >= digits + base || n > UINT64_MAX / 32)
            return false;
        n = n * base + (uint64_t)(digit - digits);
    }
    *out = n;
    return len > 0;
}

static enum model_http_state read_framing(struct model_http *http, struct fault *fault)
{
    const char *length = model_http_header(http, "content-length");
    const char *coding = model_http_header(http, "transfer-encoding");
    const char *expect = model_http_header(http, "expect");
    const char *connection = model_http_header(http, "connection");

    if (connection && !strcasecmp(connection, "close"))
        http->keep_alive = false;
    if (length && coding)
        return bad(fault, 400, "a body has a length or chunks, not both");
    if (coding && strcasecmp(coding, "chunked") != 0)
        return bad(fault, 501, "the only transfer coding here is chunked");
    if (length && !read_number(length, strlen(length), 10, &http->left))
        return bad(fault, 400, "the Content-Length is no number");
    if (http->left > MODEL_HTTP_BODY)
        return bad(fault, 413, "the body is too large");
    http->chunked = coding != NULL;
    http->wants_continue =
        expect && !strcasecmp(expect, "100-continue") && (http->left || http->chunked);
    http->has_head = true;
    return MODEL_HTTP_READY;
}

static enum model_http_state read_head(struct model_http *http, struct sf_strbuf *in,
                                       struct fault *fault)
{
    const char *end = memmem(in->buf, in->len, "\r\n\r\n", 4), *line = in->buf;
    bool first = true;

    if (!end)
        return in->len > MODEL_HTTP_HEAD ? bad(fault, 431, "the headers are too large")
                                         : MODEL_HTTP_MORE;
    while (line <= end) {
        const char *eol = memmem(line, (size_t)(end + 2 - line), "\r\n", 2);
        size_t len = (size_t)(eol - line);

        if (first && !read_request_line(http, line, len))
            return bad(fault, 400, "the request line is none");
        if (!first && !read_header(http, line, len))
            return bad(fault, 400, "a header line is none");
        first = false;
        line = eol + 2;
    }
    sf_strbuf_splice(in, 0, (size_t)(end - in->buf) + 4, "", 0);
    return read_framing(http, fault);
}

static void take_body(struct model_http *http, struct sf_strbuf *in)
{
    size_t n = in->len < http->left ? in->len : (size_t)http->left;

    sf_strbuf_add(&http->body, in->buf, n);
    sf_strbuf_splice(in, 0, n, "", 0);
    http->left -= n;
}

/* One line of the chunked framing: a size, the end of a chunk, or a trailer. */
static enum model_http_state read_chunk_line(struct model_http *http, const char *line, size_t len,
                                             struct fault *fault)
{
    const char *extension = memchr(line, ';', len);

    if (http->in_trailer)
        return len ? MODEL_HTTP_MORE : MODEL_HTTP_READY;
    if (http->in_chunk) {
        http->in_chunk = false;
        return len ? bad(fault, 400, "a chunk is longer than it says") : MODEL_HTTP_MORE;
    }
    if (!read_number(line, extension ? (size_t)(extension - line) : len, 16, &http->left))
        return bad(fault, 400, "a chunk size is no number");
    if (http->left > MODEL_HTTP_BODY - http->body.len)
        return bad(fault, 413, "the body is too large");
    http->in_trailer = !http->left;
    http->in_chunk = http->left > 0;
    return MODEL_HTTP_MORE;
}

static enum model_http_state read_chunks(struct model_http *http, struct sf_strbuf *in,
                                         struct fault *fault)
{
    for (;;) {
        enum model_http_state state;
        const char *eol;

        take_body(http, in);
        if (http->left)
            return MODEL_HTTP_MORE;
        eol = memmem(in->buf, in->len, "\r\n", 2);
        if (!eol)
            return in->len > MODEL_HTTP_HEAD ? bad(fault, 400, "a chunk line is too long")
                                             : MODEL_HTTP_MORE;
        state = read_chunk_line(http, in->buf, (size_t)(eol - in->buf), fault);
        sf_strbuf_splice(in, 0, (size_t)(eol - in->buf) + 2, "", 0);
        if (state != MODEL_HTTP_MORE)
            return state;
    }
}

enum model_http_state model_http_feed(struct model_http *http, struct sf_strbuf *in, int *status,
                                      const char **why)
{
    struct fault fault = { 0, NULL };
    enum model_http_state state = MODEL_HTTP_READY;

    if (!http->body.buf)
        sf_strbuf_init(&http->body);
    if (!http->has_head)
        state = read_head(http, in, &fault);
    if (state == MODEL_HTTP_READY && http->chunked) {
        state = read_chunks(http, in, &fault);
    } else if (state == MODEL_HTTP_READY) {
        take_body(http, in);
        state = http->left ? MODEL_HTTP_MORE : MODEL_HTTP_READY;
    }
    *status = fault.status;
    *why = fault.why;
    return state;
}
