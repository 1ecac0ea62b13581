/*
 * What goes wrong on purpose: each fault of a script is looked at from the wire, for all three
 * services, and garbage is always the same garbage and always ends.
 */
#include <stdlib.h>
#include <string.h>

#include "support/model_client.h"
#include "support/model_server.h"
#include "support/test.h"

static const struct service {
    const char *path, *request, *whole, *end;
} services[] = {
    { "/v1/messages",
      "{\"model\":\"m\",\"max_tokens\":9,\"stream\":true,"
      "\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}",
      "{\"model\":\"m\",\"max_tokens\":9,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}",
      "event: message_stop" },
    { "/v1/chat/completions",
      "{\"model\":\"m\",\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}",
      "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}", "data: [DONE]" },
    { "/v1/responses", "{\"model\":\"m\",\"stream\":true,\"input\":\"hi\"}",
      "{\"model\":\"m\",\"input\":\"hi\"}", "event: response.completed" },
};

static struct model_server *start(const char *scenario)
{
    struct sf_error err = SF_ERROR_INIT;
    struct model_server_options options = { .scenario = scenario };
    struct model_server *server = model_server_start(&options, &err);

    if (!server)
        print_error("%s\n", err.msg);
    return server;
}

static int stop(void **state)
{
    model_server_stop(*state);
    *state = NULL;
    return 0;
}

/* A server with that reply, left in *state for the teardown, and a request on its way to it. */
static bool send_request(void **state, const char *reply, const struct service *service,
                         struct model_client *client)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    stop(state);
    sf_strbuf_addf(&text, "loop\nreply\n%s\n", reply);
    *state = start(text.buf);
    sf_strbuf_release(&text);
    return *state && model_client_open(client, model_server_port(*state)) &&
           model_client_post(client, service->path, NULL, service->request);
}

static void ask(void **state, const char *reply, const struct service *service,
                struct model_response *r)
{
    struct model_client client = { -1, SF_STRBUF_INIT };
    bool sent = send_request(state, reply, service, &client);

    *r = (struct model_response){ .head = SF_STRBUF_INIT, .body = SF_STRBUF_INIT };
    if (sent)
        model_client_read(&client, r);
    model_client_close(&client);
    assert_true(sent);
}

#define ANY SIZE_MAX

static const struct fault {
    const char *name, *reply;
    int status;
    enum model_ending ending;
    size_t len;                     /* of the body, or ANY */
    bool ends;                      /* the stream has its last event */
    const char *head, *has, *lacks; /* NULL: nothing to look for */
} faults[] = {
    { "nothing", "text \"abc\"", 200, MODEL_ENDED, ANY, true, "text/event-stream", "abc", "\r" },
    { "cut", "text \"abc\"\ncut 10", 200, MODEL_CUT, 10, false, "chunked", NULL, NULL },
    { "cut at once", "text \"abc\"\ncut 0", 200, MODEL_CUT, 0, false, "chunked", NULL, NULL },
    { "cut with a length", "text \"abc\"\nframing length\ncut 10", 200, MODEL_CUT, 10, false,
      "Content-Length: ", NULL, NULL },
    { "reset", "text \"abc\"\ncut 10 how=rst", 200, MODEL_RESET, 10, false, "chunked", NULL, NULL },
    { "closed before the headers", "cut headers", 0, MODEL_CUT, 0, false, NULL, NULL, NULL },
    { "reset before the headers", "cut headers how=rst", 0, MODEL_RESET, 0, false, NULL, NULL,
      NULL },
    { "status", "status 529", 529, MODEL_ENDED, ANY, false, "application/json", "\"error\":{",
      NULL },
    { "status with seconds", "status 429 retry-after=7 \"slow down\"", 429, MODEL_ENDED, ANY, false,
      "Retry-After: 7\r\n", "slow down", NULL },
    { "status with a date", "status 503 retry-date=90", 503, MODEL_ENDED, ANY, false, " GMT\r\n",
      "error", NULL },
    { "status with a code", "status 429 code=insufficient_quota \"pay\"", 429, MODEL_ENDED, ANY,
      false, NULL, "insufficient_quota", NULL },
    { "a header", "text \"a\"\nheader X-Should-Retry \"no\"", 200, MODEL_ENDED, ANY, true,
      "\r\nX-Should-Retry: no\r\n", NULL, NULL },
    { "an error event", "text \"abc\"\nerror overloaded_error \"busy\"\ntext \"def\"", 200,
      MODEL_ENDED, ANY, false, NULL, "overloaded_error", "def" },
    { "CR LF", "text \"abc\"\nnewline crlf", 200, MODEL_ENDED, ANY, true, NULL, "}\r\n\r\n",
      "}\n" },
    { "CR", "text \"abc\"\nnewline cr", 200, MODEL_ENDED, ANY, true, NULL, "}\r\r", "\n" },
    { "one byte a write", "text \"abc\"\nwrite 1", 200, MODEL_ENDED, ANY, true, NULL, "abc", NULL },
    { "slow writes", "text \"abc\"\nwrite 500 pace=1", 200, MODEL_ENDED, ANY, true, NULL, "abc",
      NULL },
    { "delays", "delay 1\ntext \"abc\"\ndelay 1\nheaders-delay 1", 200, MODEL_ENDED, ANY, true,
      NULL, "abc", NULL },
    { "comments", "text delta=1 \"abc\"\ncomments", 200, MODEL_ENDED, ANY, true, NULL,
      ": still here\n\n", NULL },
    { "pings", "text delta=1 \"abc\"\npings", 200, MODEL_ENDED, ANY, true, NULL, "ping", NULL },
    { "a ping", "ping\ntext \"abc\"", 200, MODEL_ENDED, ANY, true, NULL, "ping", NULL },
    { "an unknown event", "unknown-event\ntext \"abc\"", 200, MODEL_ENDED, ANY, true, NULL,
      "event: model.mood\n", NULL },
    { "malformed JSON", "malformed\ntext \"abc\"", 200, MODEL_ENDED, ANY, true, NULL,
      "\"delta\":{\n\n", NULL },
    { "raw bytes", "bytes hex=ff0041\nbytes times=3 \"data\\n\"", 200, MODEL_ENDED, ANY, true, NULL,
      NULL, NULL },
    { "no last event", "text \"abc\"\nno-end", 200, MODEL_ENDED, ANY, false, NULL, "abc", NULL },
    { "a wrong content type", "text \"a\"\ncontent-type \"text/plain\"", 200, MODEL_ENDED, ANY,
      true, "Content-Type: text/plain\r\n", NULL, NULL },
    { "an HTML page", "html 502", 502, MODEL_ENDED, ANY, false, "text/html", "<html>", NULL },
    { "a redirect", "redirect \"${url}/elsewhere\"", 307, MODEL_ENDED, 0, false,
      "\r\nLocation: http://127.0.0.1:", NULL, NULL },
    { "gzip that is declared", "text \"abc\"\ngzip declared", 200, MODEL_ENDED, ANY, true,
      "Content-Encoding: gzip\r\n", "\x1f\x8b\x08", NULL },
    { "a body up to the end", "text \"abc\"\nframing close", 200, MODEL_ENDED, ANY, true,
      "Connection: close", "abc", NULL },
    { "a length too large", "text \"abc\"\nlength 100k", 200, MODEL_CUT, ANY, true,
      "Content-Length: 102400\r\n", "abc", NULL },
    { "a length too small", "text \"abc\"\nlength 9", 200, MODEL_ENDED, 9, false,
      "Content-Length: 9\r\n", NULL, NULL },
    { "ids that are the same", "call a {}\ncall b {}\nsame-ids", 200, MODEL_ENDED, ANY, true, NULL,
      "_same\"", "_0000_1\"" },
    { "max_tokens", "text \"abc\"\nstop max_tokens", 200, MODEL_ENDED, ANY, false, NULL, NULL,
      "end_turn" },
};

/* Bytes in the body, which may hold NUL. */
static bool holds(const struct sf_strbuf *body, const char *text)
{
    return memmem(body->buf, body->len, text, strlen(text)) != NULL;
}

static bool as_wanted(const struct fault *f, const struct service *s,
                      const struct model_response *r)
{
    return r->status == f->status && r->ending == f->ending &&
           (f->len == ANY || r->body.len == f->len) &&
           (f->status != 200 || f->len != ANY || strstr(f->name, "max_tokens") ||
            holds(&r->body, s->end) == f->ends) &&
           (!f->head || strstr(r->head.buf, f->head)) && (!f->has || holds(&r->body, f->has)) &&
           (!f->lacks || !holds(&r->body, f->lacks));
}

static void test_faults(void **state)
{
    for (size_t i = 0; i < SF_COUNT(faults); i++)
        for (size_t k = 0; k < SF_COUNT(services); k++) {
            struct model_response r;
            bool good;

            ask(state, faults[i].reply, &services[k], &r);
            good = as_wanted(&faults[i], &services[k], &r);
            if (!good)
                print_error("%s %s: %d, ending %d, %zu bytes\n%s%s\n", services[k].path,
                            faults[i].name, r.status, r.ending, r.body.len, r.head.buf, r.body.buf);
            model_response_release(&r);
            assert_true(good);
        }
}

/* Nothing more comes and the connection stays: it is the client that leaves. */
static void test_stalls(void **state)
{
    static const struct {
        const char *reply, *comes;
    } stalls[] = {
        { "text \"abc\"\nstall 5", "\r\n\r\n5\r\nevent\r\n" },
        { "text \"abc\"\nstall 0", "\r\n\r\n" },
        { "stall headers", NULL },
    };

    for (size_t i = 0; i < SF_COUNT(stalls); i++) {
        struct model_client client = { -1, SF_STRBUF_INIT };
        bool came = send_request(state, stalls[i].reply, &services[0], &client) &&
                    model_server_wait(*state, 1, MODEL_CLIENT_MS) &&
                    (!stalls[i].comes || model_client_skip_to(&client, stalls[i].comes));
        bool more = client.in.len > 0;

        model_client_close(&client);
        assert_true(came && !more);
        assert_true(model_server_wait_done(*state, 1, MODEL_CLIENT_MS));
        assert_true(model_server_times(*state, 0).gone > 0);
        assert_int_equal(model_server_times(*state, 0).sent, 0);
    }
}

/* The body of a text with characters of several bytes, sent in that way. */
static void body_sent(void **state, const struct service *service, const char *way,
                      struct sf_strbuf *out)
{
    struct sf_strbuf reply = SF_STRBUF_INIT;
    struct model_response r;

    sf_strbuf_addf(&reply, "text delta=2 \"Gr\\u00fc\\u00dfe \\ud83c\\udf0d\"\n%s", way);
    ask(state, reply.buf, service, &r);
    sf_strbuf_reset(out);
    sf_strbuf_add(out, r.body.buf, r.body.len);
    sf_strbuf_release(&reply);
    model_response_release(&r);
}

/* However the bytes are cut on their way, they are the same. */
static void test_same_bytes(void **state)
{
    static const char *const ways[] = { "write 1", "write 3", "write 7\nframing length",
                                        "framing close" };
    struct sf_strbuf first = SF_STRBUF_INIT, other = SF_STRBUF_INIT;
    bool same = true;

    for (size_t k = 0; k < SF_COUNT(services); k++) {
        body_sent(state, &services[k], "", &first);
        for (size_t i = 0; i < SF_COUNT(ways); i++) {
            body_sent(state, &services[k], ways[i], &other);
            same = same && first.len == other.len && !memcmp(first.buf, other.buf, first.len);
        }
    }
    sf_strbuf_release(&first);
    sf_strbuf_release(&other);
    assert_true(same);
}

static void test_hidden_gzip(void **state)
{
    struct model_response r;
    bool good;

    ask(state, "text \"abc\"\ngzip hidden", &services[0], &r);
    good = !strncmp(r.body.buf, "\x1f\x8b", 2) && !strstr(r.head.buf, "Encoding: gzip");
    model_response_release(&r);
    assert_true(good);
}

/* A line far larger than what the server keeps in memory. */
static void test_huge_line(void **state)
{
    struct model_response r;
    size_t len, xs = 0;

    ask(state, "huge 3\ncall read {\"a\": \"${fill:1M}\"}", &services[0], &r);
    len = r.body.len;
    for (size_t i = 0; i < len; i++)
        xs += r.body.buf[i] == 'x';
    model_response_release(&r);
    assert_in_range(len, 4 * 1024 * 1024, 4 * 1024 * 1024 + 4096);
    assert_in_range(xs, 4 * 1024 * 1024, 4 * 1024 * 1024 + 64);
}

static void test_many_calls(void **state)
{
    struct model_response r;
    size_t starts = 0;
    bool first, last;

    ask(state, "call read times=1000 {}", &services[0], &r);
    for (const char *at = r.body.buf; (at = strstr(at, "event: content_block_start")); at++)
        starts++;
    first = strstr(r.body.buf, "\"toolu_0000_1\"") != NULL;
    last = strstr(r.body.buf, "\"toolu_0000_1000\"") != NULL;
    model_response_release(&r);
    assert_int_equal(starts, 1000);
    assert_true(first && last);
}

/* Without a stream an error step becomes a status. */
static void test_error_without_stream(void **state)
{
    static const int statuses[] = { 529, 503, 503 };

    *state = start("loop\nreply\ntext \"a\"\nerror overloaded_error\n");
    for (size_t i = 0; i < SF_COUNT(services); i++) {
        struct model_response r;
        int status;

        model_client_ask(model_server_port(*state), services[i].path, services[i].whole, &r);
        status = r.status;
        model_response_release(&r);
        assert_int_equal(status, statuses[i]);
    }
}

enum { SEEDS = 100 };

static void garbage_sums(struct model_server *server, const struct service *service,
                         char sums[SEEDS][SF_SHA256_HEX + 1])
{
    for (size_t i = 0; i < SEEDS; i++) {
        struct model_response r;
        enum model_ending ending;

        model_client_ask(model_server_port(server), service->path, service->request, &r);
        ending = r.ending;
        sf_sha256_hex(r.body.buf, r.body.len, sums[i]);
        model_response_release(&r);
        assert_int_not_equal(ending, MODEL_TIMED_OUT);
    }
}

static void test_garbage(void **state)
{
    static char once[SEEDS][SF_SHA256_HEX + 1], again[SEEDS][SF_SHA256_HEX + 1];

    for (size_t k = 0; k < SF_COUNT(services); k++) {
        size_t others = 0;

        *state = start("loop\nreply garbage:1 repeat=100\n");
        garbage_sums(*state, &services[k], once);
        assert_null(model_server_complaint(*state, 0));
        stop(state);
        for (size_t i = 1; i < SEEDS; i++)
            others += strcmp(once[i], once[0]) != 0;
        assert_in_range(others, SEEDS * 9 / 10, SEEDS);
        *state = start("loop\nreply garbage:1 repeat=100\n");
        garbage_sums(*state, &services[k], again);
        stop(state);
        for (size_t i = 0; i < SEEDS; i++)
            assert_string_equal(once[i], again[i]);
    }
}

#define WITH_SERVER(fn) cmocka_unit_test_teardown(fn, stop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SERVER(test_faults),
        WITH_SERVER(test_stalls),
        WITH_SERVER(test_same_bytes),
        WITH_SERVER(test_hidden_gzip),
        WITH_SERVER(test_huge_line),
        WITH_SERVER(test_many_calls),
        WITH_SERVER(test_error_without_stream),
        WITH_SERVER(test_garbage),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
