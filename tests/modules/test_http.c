/*
 * The http module against real sockets: what callers are told of every kind of answer, what is
 * refused, and whom it trusts.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "io/io.h"
#include "modules/modules.h"
#include "support/http_case.h"
#include "support/peer.h"
#include "support/test.h"

/* clang-format off */
static const struct {
    const char *name;
    struct peer_answer answer;
    enum sf_http_end end;
    int status;
    const char *body, *message;
} endings[] = {
    { "a length", { .bytes = OK_HEAD "Content-Length: 5\r\n\r\nhello", .then = PEER_KEEP },
      SF_HTTP_DONE, 200, "hello", "" },
    { "byte by byte", { .bytes = OK_HEAD "Content-Length: 5\r\n\r\nhello", .piece = 1 },
      SF_HTTP_DONE, 200, "hello", "" },
    { "chunks", { .bytes = OK_HEAD "Transfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n", .piece = 3 },
      SF_HTTP_DONE, 200, "hello", "" },
    { "until it closes", { .bytes = OK_HEAD "\r\nhello", .then = PEER_CLOSE },
      SF_HTTP_DONE, 200, "hello", "" },
    { "continue first", { .bytes = "HTTP/1.1 100 Continue\r\nLocation: no\r\n\r\n" OK_HEAD "Content-Length: 2\r\n\r\nok" },
      SF_HTTP_DONE, 200, "ok", "" },
    { "an error status is an answer", { .bytes = "HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\nbusy" },
      SF_HTTP_DONE, 503, "busy", "" },
    { "nothing but a head", { .bytes = "HTTP/1.1 204 None\r\n\r\n" }, SF_HTTP_DONE, 204, "", "" },
    { "cut in the length", { .bytes = OK_HEAD "Content-Length: 10\r\n\r\nhello", .then = PEER_CLOSE },
      SF_HTTP_CONNECT, 200, "hello", "broke off" },
    { "cut in a chunk", { .bytes = OK_HEAD "Transfer-Encoding: chunked\r\n\r\nff\r\nhello", .then = PEER_CLOSE },
      SF_HTTP_CONNECT, 200, "hello", "127.0.0.1" },
    { "closed at once", { .bytes = "", .then = PEER_CLOSE }, SF_HTTP_CONNECT, 0, "", "without an answer" },
    { "reset", { .bytes = OK_HEAD "Content-Length: 10\r\n\r\nhello", .then = PEER_RESET },
      SF_HTTP_CONNECT, 200, NULL, "127.0.0.1" },
    { "no HTTP at all", { .bytes = "220 mail.test ready\r\n", .then = PEER_CLOSE },
      SF_HTTP_OTHER, 0, "", "does not answer as it should" },
    { "elsewhere", { .bytes = "HTTP/1.1 307 Moved\r\nLocation: http://127.0.0.1:1/v2\r\nContent-Length: 0\r\n\r\n" },
      SF_HTTP_REDIRECT, 307, "", "redirects elsewhere" },
};
/* clang-format on */

static void test_endings(void **state)
{
    struct http_case *f = *state;
    struct probe *p = &f->probes[0];
    char url[64];

    for (size_t i = 0; i < SF_COUNT(endings); i++) {
        struct sf_http_request request = { .url = url };

        probe_reset(p);
        http_case_serve(f, &endings[i].answer, 1);
        http_case_url("http", peer_port(f->peer), url, sizeof(url));
        probe_begin(p, &request);
        probe_wait(p);
        if (p->end != endings[i].end || p->status != endings[i].status || p->ends != 1 ||
            (endings[i].body && strcmp(p->body.buf, endings[i].body) != 0) ||
            p->heads != (endings[i].status != 0) || !strstr(p->message, endings[i].message))
            fail_msg("%s: end %d, status %d, %d heads, body '%s', message '%s'", endings[i].name,
                     p->end, p->status, p->heads, p->body.buf, p->message);
        if (peer_requests(f->peer) != 1)
            fail_msg("%s: %zu requests", endings[i].name, peer_requests(f->peer));
    }
}

static void test_head_fields(void **state)
{
    static const struct peer_answer answer = {
        .bytes = "HTTP/1.1 429 Slow\r\nContent-Type:application/json \r\nRETRY-AFTER:  7\r\n"
                 "X-Request-Id: req\033[31m1\r\nContent-Length: 0\r\n\r\n"
    };
    struct http_case *f = *state;
    struct probe *p = &f->probes[0];
    struct sf_http_request request = { 0 };
    char url[64];

    http_case_serve(f, &answer, 1);
    request.url = http_case_url("http", peer_port(f->peer), url, sizeof(url));
    probe_begin(p, &request);
    probe_wait(p);
    assert_int_equal(p->status, 429);
    assert_string_equal(p->type, "application/json");
    assert_string_equal(p->retry_after, "7");
    assert_string_equal(p->request_id, "req?[31m1");
    assert_string_equal(p->location, "");
}

static void test_request_on_the_wire(void **state)
{
    static const struct peer_answer answer = { .bytes = OK_HEAD "Content-Length: 0\r\n\r\n" };
    static const char *const headers[] = { "X-Api-Key: k", "Content-Type: application/json", NULL };
    struct http_case *f = *state;
    struct probe *p = &f->probes[0];
    struct sf_http_request request = { .headers = headers, .body = "{\"a\":1}", .body_len = 7 };
    char url[64], *seen;

    http_case_serve(f, &answer, 1);
    request.url = http_case_url("http", peer_port(f->peer), url, sizeof(url));
    probe_begin(p, &request);
    probe_wait(p);
    seen = peer_last_request(f->peer);
    if (strncmp(seen, "POST /v1/x HTTP/1.1\r\n", 21) != 0 || !strstr(seen, "X-Api-Key: k\r\n") ||
        !strstr(seen, "\r\n\r\n{\"a\":1}") || strcasestr(seen, "expect") ||
        strcasestr(seen, "accept-encoding") || strcasestr(seen, "form-urlencoded"))
        fail_msg("%s", seen);
    free(seen);
}

static void test_refused(void **state)
{
    struct http_case *f = *state;
    struct probe *p = &f->probes[0];
    struct sf_http_request request = { 0 };
    char url[64];

    request.url = http_case_url("http", peer_dead_port(), url, sizeof(url));
    probe_begin(p, &request);
    probe_wait(p);
    assert_int_equal(p->end, SF_HTTP_CONNECT);
    assert_non_null(strstr(p->message, "cannot be reached"));
}

static void test_unknown_host(void **state)
{
    struct http_case *f = *state;
    struct probe *p = &f->probes[0];
    struct sf_http_request request = {
        .url =
            "https://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.test/"
    };

    probe_begin(p, &request);
    probe_wait(p);
    assert_int_equal(p->end, SF_HTTP_CONNECT);
    assert_non_null(strstr(p->message, "there is no host called"));
}

static void test_tls_to_a_plain_port(void **state)
{
    static const struct peer_answer answer = { .bytes = "HTTP/1.1 400 Bad\r\n\r\n",
                                               .then = PEER_CLOSE,
                                               .deaf = true };
    struct http_case *f = *state;
    struct probe *p = &f->probes[0];
    struct sf_http_request request = { 0 };
    char url[64];

    http_case_serve(f, &answer, 1);
    request.url = http_case_url("https", peer_port(f->peer), url, sizeof(url));
    probe_begin(p, &request);
    probe_wait(p);
    assert_int_equal(p->end, SF_HTTP_TLS);
    assert_int_equal(p->heads, 0);
}

static void test_handshake_that_never_ends(void **state)
{
    static const struct peer_answer answer = { .bytes = "", .then = PEER_STALL, .deaf = true };
    struct http_case *f = *state;
    struct probe *p = &f->probes[0];
    struct sf_http_request request = { .connect_ms = 30 };
    char url[64];

    http_case_serve(f, &answer, 1);
    request.url = http_case_url("https", peer_port(f->peer), url, sizeof(url));
    probe_begin(p, &request);
    probe_wait(p);
    assert_int_equal(p->end, SF_HTTP_TIMEOUT);
}

static void test_huge_headers(void **state)
{
    struct http_case *f = *state;
    struct probe *p = &f->probes[0];
    struct sf_http_request request = { 0 };
    struct sf_strbuf bytes = SF_STRBUF_INIT;
    struct peer_answer answer = { .then = PEER_CLOSE };
    char url[64];

    sf_strbuf_adds(&bytes, OK_HEAD);
    for (int i = 0; i < 20000; i++)
        sf_strbuf_addf(&bytes, "X-%d: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n", i);
    sf_strbuf_adds(&bytes, "\r\nhello");
    answer.bytes = bytes.buf;
    http_case_serve(f, &answer, 1);
    request.url = http_case_url("http", peer_port(f->peer), url, sizeof(url));
    probe_begin(p, &request);
    probe_wait(p);
    peer_stop(f->peer);
    f->peer = NULL;
    sf_strbuf_release(&bytes);
    assert_int_equal(p->end, SF_HTTP_OTHER);
    assert_non_null(strstr(p->message, "headers"));
    assert_int_equal(p->heads + p->pieces, 0);
}

static void test_large_body(void **state)
{
    struct http_case *f = *state;
    struct probe *p = &f->probes[0];
    struct sf_http_request request = { 0 };
    struct sf_strbuf bytes = SF_STRBUF_INIT;
    struct peer_answer answer = { .then = PEER_CLOSE };
    size_t size = 3u << 20, same = 0;
    char url[64];

    sf_strbuf_adds(&bytes, OK_HEAD "\r\n");
    for (size_t i = 0; i < size; i++)
        sf_strbuf_addch(&bytes, (char)(i * 31));
    answer.bytes = bytes.buf;
    answer.len = bytes.len;
    http_case_serve(f, &answer, 1);
    request.url = http_case_url("http", peer_port(f->peer), url, sizeof(url));
    probe_begin(p, &request);
    probe_wait(p);
    for (size_t i = 0; i < p->body.len; i++)
        same += p->body.buf[i] == (char)(i * 31);
    peer_stop(f->peer);
    f->peer = NULL;
    sf_strbuf_release(&bytes);
    assert_int_equal(p->body.len, size);
    assert_int_equal(same, size);
}

static const struct {
    const char *url;
    bool plain, taken;
} addresses[] = {
    { "https://api.example.com/v1", false, true },
    { "http://localhost:1/v1", false, true },
    { "http://127.9.9.9:1/", false, true },
    { "http://[::1]:1/", false, true },
    { "http://192.0.2.1/", true, true },
    { "http://192.0.2.1/", false, false },
    { "http://api.example.com/v1", false, false },
    { "http://127.0.0.1.example.com/", false, false },
    { "http://localhost.example.com/", false, false },
    { "http://[::ffff:127.0.0.1]/", false, false },
    { "http://me:word@127.0.0.1:1/", false, false },
    { "https://me@api.example.com/", false, false },
    { "ftp://127.0.0.1/", false, false },
    { "file:///etc/passwd", true, false },
    { "gopher://127.0.0.1/", true, false },
    { "https://", false, false },
    { "", false, false },
    { "https://exa mple.com/", false, false },
};

static void test_addresses(void **state)
{
    struct http_case *f = *state;

    for (size_t i = 0; i < SF_COUNT(addresses); i++) {
        struct sf_http_request request = { .url = addresses[i].url,
                                           .plain = addresses[i].plain,
                                           .proxy = "" };
        struct sf_error err = SF_ERROR_INIT;
        struct sf_http_call *call =
            f->http->start(f->engine, &request, &probe_events, &f->probes[0], &err);

        if (call)
            f->http->cancel(call);
        if (!call == addresses[i].taken)
            fail_msg("%s: %s", addresses[i].url, call ? "taken" : err.msg);
    }
}

static void test_proxies(void **state)
{
    static const struct peer_answer answer = { .bytes = OK_HEAD "Content-Length: 5\r\n\r\nhello" };
    struct http_case *f = *state;
    struct probe *p = &f->probes[0];
    struct sf_http_request request = { .url = "http://sf-test.invalid/a", .plain = true };
    char url[64], *seen;

    http_case_serve(f, &answer, 1);
    request.proxy = http_case_url("http", peer_port(f->peer), url, sizeof(url));
    probe_begin(p, &request);
    probe_wait(p);
    seen = peer_last_request(f->peer);
    assert_int_equal(strncmp(seen, "GET http://sf-test.invalid/a ", 29), 0);
    free(seen);

    probe_reset(p);
    request = (struct sf_http_request){ .url = url, .proxy = "http://127.0.0.1:1" };
    setenv("http_proxy", "http://127.0.0.1:1", 1);
    probe_begin(p, &request);
    probe_wait(p);
    unsetenv("http_proxy");
    assert_int_equal(p->end, SF_HTTP_DONE);
}

/* A TLS server with a certificate of its own; found by the line in which it says its port. */
struct tls {
    struct http_case *fixture;
    char *dir, *cert;
    struct sf_child *child;
    struct sf_strbuf said;
    bool ended;
};

static void on_said(void *ctx, enum sf_child_stream stream, const char *data, size_t len)
{
    struct tls *tls = ctx;

    (void)stream;
    sf_strbuf_add(&tls->said, data, len);
}

static void on_ended(void *ctx, const struct sf_child_result *result)
{
    struct tls *tls = ctx;

    (void)result;
    tls->ended = true;
}

static void run_openssl(const char *const *argv)
{
    const struct sf_child_spec spec = { .argv = argv, .output_cap = 65536 };
    struct sf_child_result result;
    struct sf_error err = SF_ERROR_INIT;

    assert_true(sf_child_run(&spec, &result, &err));
    if (result.code)
        print_error("%s\n", result.output[SF_CHILD_STREAM_ERR].buf);
    assert_int_equal(result.code, 0);
    sf_child_result_release(&result);
}

static int tls_start(struct tls *tls, struct http_case *f)
{
    static const struct sf_child_events child_events = { .on_output = on_said,
                                                         .on_exit = on_ended };
    char *key, *port;
    struct sf_error err = SF_ERROR_INIT;

    *tls = (struct tls){ .fixture = f, .dir = test_dir_new(), .said = SF_STRBUF_INIT };
    tls->cert = test_path(tls->dir, "cert.pem");
    key = test_path(tls->dir, "key.pem");
    run_openssl((const char *const[]){ "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                                       "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
                                       "/CN=sf", "-addext", "subjectAltName=IP:127.0.0.1",
                                       "-keyout", key, "-out", tls->cert, NULL });
    const char *const argv[] = { "openssl", "s_server", "-accept", "127.0.0.1:0", "-www",
                                 "-cert",   tls->cert,  "-key",    key,           NULL };
    const struct sf_child_spec spec = { .argv = argv, .output_cap = 65536, .merge_stderr = true };

    tls->child = sf_child_start(f->loop, &spec, &child_events, tls, &err);
    assert_non_null(tls->child);
    while (!tls->ended &&
           !((port = strstr(tls->said.buf, "ACCEPT 127.0.0.1:")) && strchr(port, '\n')))
        sf_loop_turn(f->loop, -1);
    free(key);
    assert_false(tls->ended);
    return atoi(strstr(tls->said.buf, "ACCEPT 127.0.0.1:") + 17);
}

static void tls_stop(struct tls *tls)
{
    if (!tls->ended)
        sf_child_cancel(tls->child);
    while (!tls->ended)
        sf_loop_turn(tls->fixture->loop, -1);
    sf_strbuf_release(&tls->said);
    free(tls->cert);
    test_dir_free(tls->dir);
}

static void test_certificates(void **state)
{
    struct http_case *f = *state;
    struct sf_error err = SF_ERROR_INIT;
    struct probe *p = &f->probes[0], *q = &f->probes[1], *r = &f->probes[2], *s = &f->probes[3];
    struct sf_http_request request = { .http2 = true };
    struct tls tls;
    char url[64], wrong_name[64];
    int port = tls_start(&tls, f);

    request.url = http_case_url("https", port, url, sizeof(url));
    probe_begin(p, &request);
    probe_wait(p);
    request.ca_file = tls.cert;
    probe_begin(q, &request);
    probe_wait(q);
    snprintf(wrong_name, sizeof(wrong_name), "https://localhost:%d/", port);
    request.url = wrong_name;
    probe_begin(s, &request);
    probe_wait(s);
    f->http->close(f->engine);
    setenv("SSL_CERT_FILE", tls.cert, 1);
    f->engine = f->http->open(f->loop, &err);
    unsetenv("SSL_CERT_FILE");
    request.ca_file = NULL;
    request.url = url;
    probe_begin(r, &request);
    probe_wait(r);
    tls_stop(&tls);

    assert_int_equal(p->end, SF_HTTP_TLS);
    assert_non_null(strstr(p->message, "not trusted"));
    assert_int_equal(p->heads, 0);
    assert_int_equal(q->end, SF_HTTP_DONE);
    assert_int_equal(q->status, 200);
    assert_int_equal(s->end, SF_HTTP_TLS);
    assert_int_equal(r->end, SF_HTTP_DONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_WIRE(test_endings),
        ON_WIRE(test_head_fields),
        ON_WIRE(test_request_on_the_wire),
        ON_WIRE(test_refused),
        ON_WIRE(test_unknown_host),
        ON_WIRE(test_tls_to_a_plain_port),
        ON_WIRE(test_handshake_that_never_ends),
        ON_WIRE(test_huge_headers),
        ON_WIRE(test_large_body),
        ON_WIRE(test_addresses),
        ON_WIRE(test_proxies),
        ON_WIRE(test_certificates),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
