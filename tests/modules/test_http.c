/*
 * The http module against real sockets: what callers are told of every kind of answer, what is
 * refused, and that a call can be dropped at any moment.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "modules/modules.h"
#include "support/child.h"
#include "support/peer.h"
#include "support/test.h"

/* What a call left behind, and what its callbacks do. */
enum moment { NEVER, AT_HEAD, AT_BODY, AT_END };
enum deed { CANCEL, FINISH, CLOSE };

struct probe {
    struct fixture *fixture;
    struct sf_http_call *call;
    int heads, pieces, ends;
    int status;
    char type[128], retry_after[128], request_id[128], location[128];
    struct sf_strbuf body;
    enum sf_http_end end;
    char message[512];
    enum moment moment;
    enum deed deed;
    int after; /* callbacks behind the deed */
    bool did;
};

struct fixture {
    struct sf_loop *loop;
    const struct sf_http_api *http;
    struct sf_http_engine *engine;
    struct peer *peer;
    struct probe probes[16];
    int fds;
};

static int setup(void **state)
{
    struct fixture *f = sf_alloc(sizeof(*f));
    struct sf_error err = SF_ERROR_INIT;

    *state = f;
    for (size_t i = 0; i < SF_COUNT(f->probes); i++) {
        f->probes[i].fixture = f;
        sf_strbuf_init(&f->probes[i].body);
    }
    f->fds = child_count_fds();
    f->loop = sf_loop_new(&err);
    f->http = sf_module_http(&err);
    if (!f->http)
        print_error("%s\n", err.msg);
    f->engine = f->http ? f->http->open(f->loop, &err) : NULL;
    return f->engine ? 0 : -1;
}

/* A lookup that was given up ends in its own time and takes its descriptors with it. */
static bool descriptors_return_to(int count)
{
    for (int i = 0; i < 5000 && child_count_fds() != count; i++)
        usleep(1000);
    return child_count_fds() == count;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    int fds;

    if (f->http)
        f->http->close(f->engine);
    peer_stop(f->peer);
    sf_loop_free(f->loop);
    for (size_t i = 0; i < SF_COUNT(f->probes); i++)
        sf_strbuf_release(&f->probes[i].body);
    fds = f->fds;
    free(f);
    if (descriptors_return_to(fds))
        return 0;
    print_error("descriptors were %d and are %d\n", fds, child_count_fds());
    return -1;
}

#define ON_WIRE(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

static void do_deed(struct probe *p, enum moment moment)
{
    struct fixture *f = p->fixture;

    if (p->did)
        p->after++;
    if (p->did || p->moment != moment)
        return;
    p->did = true;
    if (p->deed == CANCEL)
        f->http->cancel(p->call);
    if (p->deed == FINISH)
        f->http->finish(p->call);
    if (p->deed == CLOSE) {
        f->http->close(f->engine);
        f->engine = NULL;
    }
    p->call = NULL;
}

static void on_head(void *ctx, const struct sf_http_head *head)
{
    struct probe *p = ctx;

    p->heads++;
    p->status = head->status;
    snprintf(p->type, sizeof(p->type), "%s", head->content_type);
    snprintf(p->retry_after, sizeof(p->retry_after), "%s", head->retry_after);
    snprintf(p->request_id, sizeof(p->request_id), "%s", head->request_id);
    snprintf(p->location, sizeof(p->location), "%s", head->location);
    do_deed(p, AT_HEAD);
}

static void on_body(void *ctx, const char *data, size_t len)
{
    struct probe *p = ctx;

    p->pieces++;
    sf_strbuf_add(&p->body, data, len);
    do_deed(p, AT_BODY);
}

static void on_end(void *ctx, const struct sf_http_result *result)
{
    struct probe *p = ctx;

    p->ends++;
    p->end = result->end;
    snprintf(p->message, sizeof(p->message), "%s", result->message);
    do_deed(p, AT_END);
    p->call = NULL;
}

static const struct sf_http_events events = { on_head, on_body, on_end };

static void begin(struct probe *p, const struct sf_http_request *request)
{
    struct sf_error err = SF_ERROR_INIT;

    p->call = p->fixture->http->start(p->fixture->engine, request, &events, p, &err);
    if (!p->call)
        fail_msg("not started: %s", err.msg);
    assert_int_equal(p->heads + p->pieces + p->ends, 0);
}

static void run_to_end(struct probe *p)
{
    while (!p->ends)
        sf_loop_turn(p->fixture->loop, -1);
}

/* Turns until the loop has nothing left to do but timers and idle watches. */
static void settle(struct fixture *f)
{
    for (int i = 0; i < 50; i++)
        sf_loop_turn(f->loop, 1);
}

static char *url_of(const char *scheme, int port, char *buf, size_t size)
{
    snprintf(buf, size, "%s://127.0.0.1:%d/v1/x", scheme, port);
    return buf;
}

static void serve(struct fixture *f, const struct peer_answer *answers, size_t count)
{
    peer_stop(f->peer);
    f->peer = peer_start(answers, count);
}

static void reset(struct probe *p)
{
    struct fixture *f = p->fixture;

    sf_strbuf_release(&p->body);
    memset(p, 0, sizeof(*p));
    sf_strbuf_init(&p->body);
    p->fixture = f;
}

/* clang-format off */
#define OK_HEAD "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"

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
      SF_HTTP_REDIRECT, 307, "", "sends us elsewhere" },
};
/* clang-format on */

static void test_endings(void **state)
{
    struct fixture *f = *state;
    struct probe *p = &f->probes[0];
    char url[64];

    for (size_t i = 0; i < SF_COUNT(endings); i++) {
        struct sf_http_request request = { .url = url };

        reset(p);
        serve(f, &endings[i].answer, 1);
        url_of("http", peer_port(f->peer), url, sizeof(url));
        begin(p, &request);
        run_to_end(p);
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
    struct fixture *f = *state;
    struct probe *p = &f->probes[0];
    struct sf_http_request request = { 0 };
    char url[64];

    serve(f, &answer, 1);
    request.url = url_of("http", peer_port(f->peer), url, sizeof(url));
    begin(p, &request);
    run_to_end(p);
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
    struct fixture *f = *state;
    struct probe *p = &f->probes[0];
    struct sf_http_request request = { .headers = headers, .body = "{\"a\":1}", .body_len = 7 };
    char url[64], *seen;

    serve(f, &answer, 1);
    request.url = url_of("http", peer_port(f->peer), url, sizeof(url));
    begin(p, &request);
    run_to_end(p);
    seen = peer_last_request(f->peer);
    if (strncmp(seen, "POST /v1/x HTTP/1.1\r\n", 21) != 0 || !strstr(seen, "X-Api-Key: k\r\n") ||
        !strstr(seen, "\r\n\r\n{\"a\":1}") || strcasestr(seen, "expect") ||
        strcasestr(seen, "accept-encoding") || strcasestr(seen, "form-urlencoded"))
        fail_msg("%s", seen);
    free(seen);
}

static void test_refused(void **state)
{
    struct fixture *f = *state;
    struct probe *p = &f->probes[0];
    struct sf_http_request request = { 0 };
    char url[64];

    request.url = url_of("http", peer_dead_port(), url, sizeof(url));
    begin(p, &request);
    run_to_end(p);
    assert_int_equal(p->end, SF_HTTP_CONNECT);
    assert_non_null(strstr(p->message, "cannot be reached"));
}

/* A label of more than 63 letters is wrong without asking anybody. */
#define UNKNOWN_HOST \
    "https://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.test/"

static void test_unknown_host(void **state)
{
    struct fixture *f = *state;
    struct probe *p = &f->probes[0];
    struct sf_http_request request = {
        .url =
            "https://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.test/"
    };

    begin(p, &request);
    run_to_end(p);
    assert_int_equal(p->end, SF_HTTP_CONNECT);
    assert_non_null(strstr(p->message, "there is no host called"));
}

static void test_tls_to_a_plain_port(void **state)
{
    static const struct peer_answer answer = { .bytes = "HTTP/1.1 400 Bad\r\n\r\n",
                                               .then = PEER_CLOSE,
                                               .deaf = true };
    struct fixture *f = *state;
    struct probe *p = &f->probes[0];
    struct sf_http_request request = { 0 };
    char url[64];

    serve(f, &answer, 1);
    request.url = url_of("https", peer_port(f->peer), url, sizeof(url));
    begin(p, &request);
    run_to_end(p);
    assert_int_equal(p->end, SF_HTTP_TLS);
    assert_int_equal(p->heads, 0);
}

static void test_handshake_that_never_ends(void **state)
{
    static const struct peer_answer answer = { .bytes = "", .then = PEER_STALL, .deaf = true };
    struct fixture *f = *state;
    struct probe *p = &f->probes[0];
    struct sf_http_request request = { .connect_ms = 30 };
    char url[64];

    serve(f, &answer, 1);
    request.url = url_of("https", peer_port(f->peer), url, sizeof(url));
    begin(p, &request);
    run_to_end(p);
    assert_int_equal(p->end, SF_HTTP_TIMEOUT);
}

static void test_huge_headers(void **state)
{
    struct fixture *f = *state;
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
    serve(f, &answer, 1);
    request.url = url_of("http", peer_port(f->peer), url, sizeof(url));
    begin(p, &request);
    run_to_end(p);
    peer_stop(f->peer);
    f->peer = NULL;
    sf_strbuf_release(&bytes);
    assert_int_equal(p->end, SF_HTTP_OTHER);
    assert_non_null(strstr(p->message, "headers"));
    assert_int_equal(p->heads + p->pieces, 0);
}

static void test_large_body(void **state)
{
    struct fixture *f = *state;
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
    serve(f, &answer, 1);
    request.url = url_of("http", peer_port(f->peer), url, sizeof(url));
    begin(p, &request);
    run_to_end(p);
    for (size_t i = 0; i < p->body.len; i++)
        same += p->body.buf[i] == (char)(i * 31);
    peer_stop(f->peer);
    f->peer = NULL;
    sf_strbuf_release(&bytes);
    assert_int_equal(p->body.len, size);
    assert_int_equal(same, size);
}

static void test_one_connection_for_many(void **state)
{
    static const struct peer_answer answer = { .bytes = OK_HEAD "Content-Length: 5\r\n\r\nhello" };
    struct fixture *f = *state;
    struct probe *p = &f->probes[0];
    struct sf_http_request request = { .body = "x", .body_len = 1 };
    char url[64];

    serve(f, &answer, 1);
    request.url = url_of("http", peer_port(f->peer), url, sizeof(url));
    for (int i = 0; i < 100; i++) {
        reset(p);
        begin(p, &request);
        run_to_end(p);
        assert_int_equal(p->end, SF_HTTP_DONE);
    }
    assert_int_equal(peer_requests(f->peer), 100);
    assert_int_equal(peer_connections(f->peer), 1);
}

static void test_many_at_once(void **state)
{
    static const struct peer_answer answer = { .bytes = OK_HEAD "Content-Length: 5\r\n\r\nhello",
                                               .piece = 1 };
    struct fixture *f = *state;
    struct sf_http_request request = { 0 };
    char url[64];

    serve(f, &answer, 1);
    request.url = url_of("http", peer_port(f->peer), url, sizeof(url));
    for (size_t i = 0; i < SF_COUNT(f->probes); i++)
        begin(&f->probes[i], &request);
    for (size_t i = 0; i < SF_COUNT(f->probes); i++)
        run_to_end(&f->probes[i]);
    for (size_t i = 0; i < SF_COUNT(f->probes); i++) {
        assert_int_equal(f->probes[i].ends, 1);
        assert_string_equal(f->probes[i].body.buf, "hello");
    }
}

static const struct {
    const char *name;
    enum moment moment;
    enum deed deed;
    struct peer_answer answer;
} deeds[] = {
    { "cancelled at the head",
      AT_HEAD,
      CANCEL,
      { .bytes = OK_HEAD "\r\nhello", .then = PEER_STALL } },
    { "cancelled at the head of a whole answer",
      AT_HEAD,
      CANCEL,
      { .bytes = OK_HEAD "Content-Length: 5\r\n\r\nhello" } },
    { "cancelled in the body",
      AT_BODY,
      CANCEL,
      { .bytes = OK_HEAD "\r\nhello", .then = PEER_STALL } },
    { "cancelled in the body of a whole answer",
      AT_BODY,
      CANCEL,
      { .bytes = OK_HEAD "Content-Length: 5\r\n\r\nhello" } },
    { "cancelled at the end",
      AT_END,
      CANCEL,
      { .bytes = OK_HEAD "Content-Length: 5\r\n\r\nhello" } },
    { "finished in the body",
      AT_BODY,
      FINISH,
      { .bytes = OK_HEAD "\r\nhello", .then = PEER_STALL } },
    { "finished in the body of a whole answer",
      AT_BODY,
      FINISH,
      { .bytes = OK_HEAD "Content-Length: 5\r\n\r\nhello" } },
    { "finished at the end",
      AT_END,
      FINISH,
      { .bytes = OK_HEAD "Content-Length: 5\r\n\r\nhello" } },
    { "engine closed at the head",
      AT_HEAD,
      CLOSE,
      { .bytes = OK_HEAD "\r\nhello", .then = PEER_STALL } },
    { "engine closed in the body",
      AT_BODY,
      CLOSE,
      { .bytes = OK_HEAD "\r\nhello", .then = PEER_STALL } },
    { "engine closed at the end",
      AT_END,
      CLOSE,
      { .bytes = OK_HEAD "Content-Length: 5\r\n\r\nhello" } },
};

static void test_deeds(void **state)
{
    struct fixture *f = *state;
    struct probe *p = &f->probes[0];
    struct sf_error err = SF_ERROR_INIT;
    char url[64];

    for (size_t i = 0; i < SF_COUNT(deeds); i++) {
        struct sf_http_request request = { .url = url };

        reset(p);
        p->moment = deeds[i].moment;
        p->deed = deeds[i].deed;
        serve(f, &deeds[i].answer, 1);
        url_of("http", peer_port(f->peer), url, sizeof(url));
        begin(p, &request);
        while (!p->did)
            sf_loop_turn(f->loop, -1);
        settle(f);
        if (p->after || p->ends > (deeds[i].moment == AT_END))
            fail_msg("%s: %d callbacks behind it, %d ends", deeds[i].name, p->after, p->ends);
        if (!f->engine)
            f->engine = f->http->open(f->loop, &err);
        assert_non_null(f->engine);
    }
}

/* Before anything happened, while connecting, and while nothing comes. */
static void test_cancel_between_turns(void **state)
{
    static const struct peer_answer silent = { .bytes = "", .then = PEER_STALL, .deaf = true };
    struct fixture *f = *state;
    struct probe *p = &f->probes[0];
    struct sf_http_request request = { 0 };
    char url[64];

    serve(f, &silent, 1);
    request.url = url_of("https", peer_port(f->peer), url, sizeof(url));
    for (int turns = 0; turns < 12; turns++) {
        reset(p);
        begin(p, &request);
        for (int i = 0; i < turns; i++)
            sf_loop_turn(f->loop, 1);
        f->http->cancel(p->call);
        settle(f);
        assert_int_equal(p->heads + p->pieces + p->ends, 0);
    }
}

static void test_cancel_while_a_name_is_looked_up(void **state)
{
    struct fixture *f = *state;
    struct probe *p = &f->probes[0];
    struct sf_http_request request = { .url = UNKNOWN_HOST, .proxy = "" };

    for (int i = 0; i < 20; i++) {
        reset(p);
        begin(p, &request);
        sf_loop_turn(f->loop, 0);
        if (p->ends)
            continue; /* the answer was faster */
        f->http->cancel(p->call);
        settle(f);
        assert_int_equal(p->ends, 0);
    }
}

#define WITHOUT_END OK_HEAD "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"

/* The end of the answer comes late; the caller has what it wanted, the connection stays. */
static void finish_and_ask_again(struct fixture *f, enum deed deed, size_t connections)
{
    static const struct peer_answer answers[] = {
        { .bytes = WITHOUT_END "0\r\n\r\n", .hold = sizeof(WITHOUT_END) - 1 },
        { .bytes = OK_HEAD "Content-Length: 5\r\n\r\nagain" },
    };
    struct probe *p = &f->probes[0], *q = &f->probes[1];
    struct sf_http_request request = { 0 };
    char url[64];

    reset(p);
    reset(q);
    serve(f, answers, SF_COUNT(answers));
    request.url = url_of("http", peer_port(f->peer), url, sizeof(url));
    p->moment = AT_BODY;
    p->deed = deed;
    begin(p, &request);
    while (!p->did)
        sf_loop_turn(f->loop, -1);
    peer_go_on(f->peer);
    settle(f);
    begin(q, &request);
    run_to_end(q);
    assert_int_equal(p->ends, 0);
    assert_string_equal(q->body.buf, "again");
    assert_int_equal(peer_connections(f->peer), connections);
}

static void test_finished_connection_is_used_again(void **state)
{
    finish_and_ask_again(*state, FINISH, 1);
    finish_and_ask_again(*state, CANCEL, 2);
}

static void start_from_end(void *ctx, const struct sf_http_result *result)
{
    struct probe *p = ctx;
    struct fixture *f = p->fixture;
    struct sf_http_request request = { 0 };
    char url[64];

    on_end(ctx, result);
    request.url = url_of("http", peer_port(f->peer), url, sizeof(url));
    begin(&f->probes[1], &request);
}

static void test_start_from_a_callback(void **state)
{
    static const struct peer_answer answer = { .bytes = OK_HEAD "Content-Length: 5\r\n\r\nhello" };
    static const struct sf_http_events chained = { NULL, NULL, start_from_end };
    struct fixture *f = *state;
    struct sf_http_request request = { 0 };
    struct sf_error err = SF_ERROR_INIT;
    char url[64];

    serve(f, &answer, 1);
    request.url = url_of("http", peer_port(f->peer), url, sizeof(url));
    assert_non_null(f->http->start(f->engine, &request, &chained, &f->probes[0], &err));
    run_to_end(&f->probes[1]);
    assert_string_equal(f->probes[1].body.buf, "hello");
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
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(addresses); i++) {
        struct sf_http_request request = { .url = addresses[i].url,
                                           .plain = addresses[i].plain,
                                           .proxy = "" };
        struct sf_error err = SF_ERROR_INIT;
        struct sf_http_call *call =
            f->http->start(f->engine, &request, &events, &f->probes[0], &err);

        if (call)
            f->http->cancel(call);
        if (!call == addresses[i].taken)
            fail_msg("%s: %s", addresses[i].url, call ? "taken" : err.msg);
    }
}

static void test_proxies(void **state)
{
    static const struct peer_answer answer = { .bytes = OK_HEAD "Content-Length: 5\r\n\r\nhello" };
    struct fixture *f = *state;
    struct probe *p = &f->probes[0];
    struct sf_http_request request = { .url = "http://sf-test.invalid/a", .plain = true };
    char url[64], *seen;

    serve(f, &answer, 1);
    request.proxy = url_of("http", peer_port(f->peer), url, sizeof(url));
    begin(p, &request);
    run_to_end(p);
    seen = peer_last_request(f->peer);
    assert_int_equal(strncmp(seen, "GET http://sf-test.invalid/a ", 29), 0);
    free(seen);

    reset(p);
    request = (struct sf_http_request){ .url = url, .proxy = "http://127.0.0.1:1" };
    setenv("http_proxy", "http://127.0.0.1:1", 1);
    begin(p, &request);
    run_to_end(p);
    unsetenv("http_proxy");
    assert_int_equal(p->end, SF_HTTP_DONE);
}

static void test_engine_is_shared(void **state)
{
    struct fixture *f = *state;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_http_engine *second = f->http->open(f->loop, &err);
    struct sf_loop *other = sf_loop_new(&err);
    struct sf_http_engine *third = f->http->open(other, &err);

    assert_ptr_equal(second, f->engine);
    assert_ptr_not_equal(third, f->engine);
    f->http->close(second);
    f->http->close(third);
    f->http->close(NULL);
    sf_loop_free(other);
}

/* A TLS server with a certificate of its own; found by the line in which it says its port. */
struct tls {
    struct fixture *fixture;
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
        print_error("%s\n", result.output[SF_CHILD_ERR].buf);
    assert_int_equal(result.code, 0);
    sf_child_result_release(&result);
}

static int tls_start(struct tls *tls, struct fixture *f)
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
    struct fixture *f = *state;
    struct sf_error err = SF_ERROR_INIT;
    struct probe *p = &f->probes[0], *q = &f->probes[1], *r = &f->probes[2], *s = &f->probes[3];
    struct sf_http_request request = { .http2 = true };
    struct tls tls;
    char url[64], wrong_name[64];
    int port = tls_start(&tls, f);

    request.url = url_of("https", port, url, sizeof(url));
    begin(p, &request);
    run_to_end(p);
    request.ca_file = tls.cert;
    begin(q, &request);
    run_to_end(q);
    snprintf(wrong_name, sizeof(wrong_name), "https://localhost:%d/", port);
    request.url = wrong_name;
    begin(s, &request);
    run_to_end(s);
    f->http->close(f->engine);
    setenv("SSL_CERT_FILE", tls.cert, 1);
    f->engine = f->http->open(f->loop, &err);
    unsetenv("SSL_CERT_FILE");
    request.ca_file = NULL;
    request.url = url;
    begin(r, &request);
    run_to_end(r);
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
        ON_WIRE(test_one_connection_for_many),
        ON_WIRE(test_many_at_once),
        ON_WIRE(test_deeds),
        ON_WIRE(test_cancel_between_turns),
        ON_WIRE(test_cancel_while_a_name_is_looked_up),
        ON_WIRE(test_finished_connection_is_used_again),
        ON_WIRE(test_start_from_a_callback),
        ON_WIRE(test_addresses),
        ON_WIRE(test_proxies),
        ON_WIRE(test_engine_is_shared),
        ON_WIRE(test_certificates),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
