/*
 * The http module's engine: connections that are used again, many calls at once, and calls that
 * are cancelled, finished or lose their engine at any moment.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "io/io.h"
#include "modules/modules.h"
#include "support/http_case.h"
#include "support/peer.h"
#include "support/test.h"

static void test_one_connection_for_many(void **state)
{
    static const struct peer_answer answer = { .bytes = OK_HEAD "Content-Length: 5\r\n\r\nhello" };
    struct http_case *f = *state;
    struct probe *p = &f->probes[0];
    struct sf_http_request request = { .body = "x", .body_len = 1 };
    char url[64];

    http_case_serve(f, &answer, 1);
    request.url = http_case_url("http", peer_port(f->peer), url, sizeof(url));
    for (int i = 0; i < 100; i++) {
        probe_reset(p);
        probe_begin(p, &request);
        probe_wait(p);
        assert_int_equal(p->end, SF_HTTP_DONE);
    }
    assert_int_equal(peer_requests(f->peer), 100);
    assert_int_equal(peer_connections(f->peer), 1);
}

static void test_many_at_once(void **state)
{
    static const struct peer_answer answer = { .bytes = OK_HEAD "Content-Length: 5\r\n\r\nhello",
                                               .piece = 1 };
    struct http_case *f = *state;
    struct sf_http_request request = { 0 };
    char url[64];

    http_case_serve(f, &answer, 1);
    request.url = http_case_url("http", peer_port(f->peer), url, sizeof(url));
    for (size_t i = 0; i < SF_COUNT(f->probes); i++)
        probe_begin(&f->probes[i], &request);
    for (size_t i = 0; i < SF_COUNT(f->probes); i++)
        probe_wait(&f->probes[i]);
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
    struct http_case *f = *state;
    struct probe *p = &f->probes[0];
    struct sf_error err = SF_ERROR_INIT;
    char url[64];

    for (size_t i = 0; i < SF_COUNT(deeds); i++) {
        struct sf_http_request request = { .url = url };

        probe_reset(p);
        p->moment = deeds[i].moment;
        p->deed = deeds[i].deed;
        http_case_serve(f, &deeds[i].answer, 1);
        http_case_url("http", peer_port(f->peer), url, sizeof(url));
        probe_begin(p, &request);
        while (!p->did && !p->ends)
            sf_loop_turn(f->loop, -1);
        http_case_settle(f);
        if (!p->did || p->after || p->ends > (deeds[i].moment == AT_END))
            fail_msg("%s: %d callbacks behind it, %d ends, %s", deeds[i].name, p->after, p->ends,
                     p->message);
        if (!f->engine)
            f->engine = f->http->open(f->loop, &err);
        assert_non_null(f->engine);
    }
}

/* Before anything happened, while connecting, and while nothing comes. */
static void test_cancel_between_turns(void **state)
{
    static const struct peer_answer silent = { .bytes = "", .then = PEER_STALL, .deaf = true };
    struct http_case *f = *state;
    struct probe *p = &f->probes[0];
    struct sf_http_request request = { 0 };
    char url[64];

    http_case_serve(f, &silent, 1);
    request.url = http_case_url("https", peer_port(f->peer), url, sizeof(url));
    for (int turns = 0; turns < 12; turns++) {
        probe_reset(p);
        probe_begin(p, &request);
        for (int i = 0; i < turns; i++)
            sf_loop_turn(f->loop, 1);
        f->http->cancel(p->call);
        http_case_settle(f);
        assert_int_equal(p->heads + p->pieces + p->ends, 0);
    }
}

static void test_cancel_while_a_name_is_looked_up(void **state)
{
    struct http_case *f = *state;
    struct probe *p = &f->probes[0];
    struct sf_http_request request = { .url = UNKNOWN_HOST, .proxy = "" };

    for (int i = 0; i < 20; i++) {
        probe_reset(p);
        probe_begin(p, &request);
        sf_loop_turn(f->loop, 0);
        if (p->ends)
            continue; /* the answer was faster */
        f->http->cancel(p->call);
        http_case_settle(f);
        assert_int_equal(p->ends, 0);
    }
}

#define WITHOUT_END OK_HEAD "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"

/* The end of the answer comes late, when the caller has what it wanted; the connections it took. */
static size_t finish_and_ask_again(struct http_case *f, enum deed deed)
{
    static const struct peer_answer answers[] = {
        { .bytes = WITHOUT_END "0\r\n\r\n", .hold = sizeof(WITHOUT_END) - 1 },
        { .bytes = OK_HEAD "Content-Length: 5\r\n\r\nagain" },
    };
    struct probe *p = &f->probes[0], *q = &f->probes[1];
    struct sf_http_request request = { 0 };
    char url[64];

    probe_reset(p);
    probe_reset(q);
    http_case_serve(f, answers, SF_COUNT(answers));
    request.url = http_case_url("http", peer_port(f->peer), url, sizeof(url));
    p->moment = AT_BODY;
    p->deed = deed;
    probe_begin(p, &request);
    while (!p->did && !p->ends)
        sf_loop_turn(f->loop, -1);
    assert_true(p->did);
    peer_go_on(f->peer);
    while (!peer_answered(f->peer))
        sf_loop_turn(f->loop, 1);
    http_case_settle(f); /* what is written has arrived: one turn reads it */
    probe_begin(q, &request);
    probe_wait(q);
    assert_int_equal(p->ends, 0);
    assert_string_equal(q->body.buf, "again");
    return peer_connections(f->peer);
}

static void test_finished_connection_is_used_again(void **state)
{
    int64_t took = SF_HTTP_LINGER_MS;
    size_t taken = 0;

    /* again where the machine slept so long that the call was given up */
    for (int i = 0; i < 50 && taken != 1 && took >= SF_HTTP_LINGER_MS; i++) {
        int64_t began = sf_clock_monotonic_ms();

        taken = finish_and_ask_again(*state, FINISH);
        took = sf_clock_monotonic_ms() - began;
    }
    assert_int_equal(taken, 1);
    assert_int_equal(finish_and_ask_again(*state, CANCEL), 2);
}

static void start_from_end(void *ctx, const struct sf_http_result *result)
{
    struct probe *p = ctx;
    struct http_case *f = p->fixture;
    struct sf_http_request request = { 0 };
    char url[64];

    probe_events.on_end(ctx, result);
    request.url = http_case_url("http", peer_port(f->peer), url, sizeof(url));
    probe_begin(&f->probes[1], &request);
}

static void test_start_from_a_callback(void **state)
{
    static const struct peer_answer answer = { .bytes = OK_HEAD "Content-Length: 5\r\n\r\nhello" };
    static const struct sf_http_events chained = { NULL, NULL, start_from_end };
    struct http_case *f = *state;
    struct sf_http_request request = { 0 };
    struct sf_error err = SF_ERROR_INIT;
    char url[64];

    http_case_serve(f, &answer, 1);
    request.url = http_case_url("http", peer_port(f->peer), url, sizeof(url));
    assert_non_null(f->http->start(f->engine, &request, &chained, &f->probes[0], &err));
    probe_wait(&f->probes[1]);
    assert_string_equal(f->probes[1].body.buf, "hello");
}

static void test_engine_is_shared(void **state)
{
    struct http_case *f = *state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_WIRE(test_one_connection_for_many),
        ON_WIRE(test_many_at_once),
        ON_WIRE(test_deeds),
        ON_WIRE(test_cancel_between_turns),
        ON_WIRE(test_cancel_while_a_name_is_looked_up),
        ON_WIRE(test_finished_connection_is_used_again),
        ON_WIRE(test_start_from_a_callback),
        ON_WIRE(test_engine_is_shared),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
