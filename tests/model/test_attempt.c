/*
 * What services do, in all three formats, and what becomes of it: which faults are told, which
 * are tried again and how often, and that every request has exactly one end.
 */
#include <stdlib.h>

#include "base/base.h"
#include "support/client_case.h"
#include "support/peer.h"
#include "support/test.h"

static const enum sf_wire_format formats[] = { SF_WIRE_ANTHROPIC, SF_WIRE_CHAT, SF_WIRE_RESPONSES };

#define GOOD "reply\n text \"hello\"\n"

/* clang-format off */
static const struct {
    const char *name, *scenario;
    enum sf_fault fault;      /* NONE: it ends well, with "hello" */
    enum sf_fault retried;    /* what was tried again */
    size_t requests;
    const char *message;      /* part of the error's */
} cases[] = {
    { "an answer", GOOD, SF_FAULT_NONE, SF_FAULT_NONE, 1, "" },
    { "too fast, at once again", "reply\n status 429 retry-after=0\n" GOOD, SF_FAULT_NONE, SF_FAULT_RATE, 2, "" },
    { "too fast, a second", "reply\n status 429 retry-after=1\n" GOOD, SF_FAULT_NONE, SF_FAULT_RATE, 2, "" },
    { "too fast, a date", "reply\n status 429 retry-date=1\n" GOOD, SF_FAULT_NONE, SF_FAULT_RATE, 2, "" },
    { "too fast, no word", "reply\n status 429\n" GOOD, SF_FAULT_NONE, SF_FAULT_RATE, 2, "" },
    { "too fast for good", "reply repeat=9\n status 429 \"slow down\"\n", SF_FAULT_RATE, SF_FAULT_RATE, 3, "slow down" },
    { "failed twice", "reply repeat=2\n status 500\n" GOOD, SF_FAULT_NONE, SF_FAULT_SERVER, 3, "" },
    { "failed for good", "reply repeat=9\n status 500 \"broken\"\n", SF_FAULT_SERVER, SF_FAULT_SERVER, 3, "broken" },
    { "overloaded", "reply\n status 529\n" GOOD, SF_FAULT_NONE, SF_FAULT_OVERLOAD, 2, "" },
    { "unavailable", "reply\n html 503\n" GOOD, SF_FAULT_NONE, SF_FAULT_OVERLOAD, 2, "" },
    { "a gateway's page", "reply\n html 502\n" GOOD, SF_FAULT_NONE, SF_FAULT_SERVER, 2, "" },
    { "a wrong key", "reply\n status 401 \"wrong key\"\n", SF_FAULT_AUTH, SF_FAULT_NONE, 1, "wrong key" },
    { "a key that is repeated", "reply\n status 401 \"not test-key, no: test-key\"\n", SF_FAULT_AUTH, SF_FAULT_NONE, 1, "not ***, no: ***" },
    { "no rights", "reply\n status 403\n", SF_FAULT_FORBIDDEN, SF_FAULT_NONE, 1, "" },
    { "a bad request", "reply\n status 400 \"no such field\"\n", SF_FAULT_REQUEST, SF_FAULT_NONE, 1, "no such field" },
    { "no such model", "reply\n status 404\n", SF_FAULT_MODEL, SF_FAULT_NONE, 1, "" },
    { "an error with a number", "reply\n header request-id \"req_77\"\n status 400 \"no\"\n", SF_FAULT_REQUEST, SF_FAULT_NONE, 1, "(request req_77)" },
    { "elsewhere", "reply\n redirect \"http://127.0.0.1:1/v2\"\n", SF_FAULT_MODEL, SF_FAULT_NONE, 1, "http://127.0.0.1:1/v2" },
    { "moved for good", "reply\n redirect status=301 \"https://elsewhere.invalid/\"\n", SF_FAULT_MODEL, SF_FAULT_NONE, 1, "elsewhere.invalid" },
    { "a page", "reply repeat=9\n html 200\n", SF_FAULT_MALFORMED, SF_FAULT_MALFORMED, 3, "web page" },
    { "closed before a word", "reply\n text \"hel\"\n cut headers\n" GOOD, SF_FAULT_NONE, SF_FAULT_CONNECT, 2, "" },
    { "reset in the middle", "reply\n text \"hel\"\n cut 50 how=rst\n" GOOD, SF_FAULT_NONE, SF_FAULT_CONNECT, 2, "" },
    { "always cut", "reply repeat=9\n text \"hel\"\n cut 50\n", SF_FAULT_CONNECT, SF_FAULT_CONNECT, 3, "127.0.0.1" },
    { "cut where nobody counts", "reply\n text \"hel\"\n framing close\n cut 50\n" GOOD, SF_FAULT_NONE, SF_FAULT_CONNECT, 2, "" },
    { "no end", "reply\n text \"hello\"\n no-end\n framing close\n" GOOD, SF_FAULT_NONE, SF_FAULT_NONE, 0, "" },
    { "an error in the stream", "reply\n text \"hel\"\n error overloaded_error \"later\"\n" GOOD, SF_FAULT_NONE, SF_FAULT_OVERLOAD, 2, "" },
    { "nonsense in the stream", "reply\n text \"hel\"\n malformed\n" GOOD, SF_FAULT_NONE, SF_FAULT_MALFORMED, 2, "" },
    { "carriage returns", "reply\n text \"hello\"\n newline crlf\n", SF_FAULT_NONE, SF_FAULT_NONE, 1, "" },
    { "only carriage returns", "reply\n text \"hello\"\n newline cr\n", SF_FAULT_NONE, SF_FAULT_NONE, 1, "" },
    { "byte by byte", "reply\n text delta=2 \"hello\"\n write 1\n", SF_FAULT_NONE, SF_FAULT_NONE, 1, "" },
    { "pings and comments", "reply\n ping times=3\n text delta=1 \"hello\"\n pings\n comments\n unknown-event\n", SF_FAULT_NONE, SF_FAULT_NONE, 1, "" },
    { "called plain text", "reply\n text \"hello\"\n content-type \"text/plain\"\n", SF_FAULT_NONE, SF_FAULT_NONE, 1, "" },
    { "called JSON", "reply\n text \"hello\"\n content-type \"application/json\"\n", SF_FAULT_NONE, SF_FAULT_NONE, 1, "" },
    { "called nothing", "reply\n text \"hello\"\n content-type \"\"\n", SF_FAULT_NONE, SF_FAULT_NONE, 1, "" },
    { "with a length", "reply\n text \"hello\"\n framing length\n", SF_FAULT_NONE, SF_FAULT_NONE, 1, "" },
    { "until it closes", "reply\n text \"hello\"\n framing close\n", SF_FAULT_NONE, SF_FAULT_NONE, 1, "" },
    { "late headers", "reply\n headers-delay 30\n text \"hello\"\n", SF_FAULT_NONE, SF_FAULT_NONE, 1, "" },
};
/* clang-format on */

/* NULL when the case went as it should. */
static const char *judge(struct client_case *c, size_t i)
{
    if (c->ends != 1)
        return "not one end";
    if (cases[i].fault != c->error.fault)
        return "another fault";
    if (!c->failed && (strcmp(c->blocks.buf, "hello") != 0 || strcmp(c->deltas.buf, "hello") != 0))
        return "another answer";
    if (cases[i].requests && model_server_count(c->server) != cases[i].requests)
        return "another number of requests";
    if (cases[i].requests && (size_t)c->retries + 1 != cases[i].requests)
        return "another number of retries";
    if (cases[i].requests && c->retried_for.fault != cases[i].retried)
        return "retried for something else";
    if (c->retries && (c->notice.of != 3 || c->notice.attempt != c->retries ||
                       c->notice.wait_ms < 0 || c->notice.wait_ms > 4))
        return "a strange notice";
    return strstr(c->error.message, cases[i].message) ? NULL : "another message";
}

static void test_cases(void **state)
{
    struct client_case *c = *state;

    for (size_t i = 0; i < SF_COUNT(cases); i++)
        for (size_t f = 0; f < SF_COUNT(formats); f++) {
            const char *wrong;

            client_case_serve(c, cases[i].scenario);
            client_case_connect(c, formats[f], NULL);
            client_case_ask(c);
            client_case_wait(c);
            wrong = judge(c, i);
            if (wrong)
                fail_msg("%s, %s: %s: %s: '%s', %d retries for '%s', %zu requests, text '%s'",
                         sf_wire_format_names[formats[f]], cases[i].name, wrong,
                         sf_faults[c->error.fault].name, c->error.message, c->retries,
                         c->retried_for.message, model_server_count(c->server), c->blocks.buf);
            client_case_check_server(c, cases[i].name);
        }
}

/* The connection ends behind every byte. Either the answer was whole by then, or it is repeated. */
static void cut_everywhere(struct client_case *c, enum sf_wire_format format, int step)
{
    int whole = 0, cut = 0;

    for (int at = 0; whole < 3; at += step) {
        char scenario[200];

        snprintf(scenario, sizeof(scenario),
                 "reply\n text \"hello\"\n cut %d%s\nreply\n text \"hello\"\n", at,
                 at / step % 2 ? " how=rst" : "");
        client_case_serve(c, scenario);
        client_case_connect(c, format, NULL);
        client_case_ask(c);
        client_case_wait(c);
        if (c->ends != 1 || c->failed || c->retries > 1 || strcmp(c->blocks.buf, "hello") != 0)
            fail_msg("%s, cut behind %d bytes: %d ends, %d retries, '%s', %s",
                     sf_wire_format_names[format], at, c->ends, c->retries, c->blocks.buf,
                     c->error.message);
        whole += !c->retries;
        cut += c->retries;
        assert_true(at < 100000);
    }
    assert_true(cut > 5);
}

static void test_cut_everywhere(void **state)
{
    cut_everywhere(*state, SF_WIRE_CHAT, 1);
    cut_everywhere(*state, SF_WIRE_ANTHROPIC, 10);
    cut_everywhere(*state, SF_WIRE_RESPONSES, 100);
}

static void test_split_characters(void **state)
{
    struct client_case *c = *state;

    for (size_t f = 0; f < SF_COUNT(formats); f++) {
        client_case_serve(
            c, "reply\n text delta=3 \"gr\xc3\xb6\xc3\x9f"
               "e \xe6\x97\xa5\xe6\x9c\xac \xf0\x9f\x98\x80\"\n write 1\n newline crlf\n");
        client_case_connect(c, formats[f], NULL);
        client_case_ask(c);
        client_case_wait(c);
        assert_string_equal(c->blocks.buf, "gr\xc3\xb6\xc3\x9f"
                                           "e \xe6\x97\xa5\xe6\x9c\xac \xf0\x9f\x98\x80");
        assert_string_equal(c->deltas.buf, c->blocks.buf);
    }
}

static void test_calls_and_usage(void **state)
{
    struct client_case *c = *state;

    for (size_t f = 0; f < SF_COUNT(formats); f++) {
        client_case_serve(c, "reply\n call LS {\"path\":\".\"}\n call Read {\"path\":\"a\"}\n"
                             " usage input=100 output=7 cache-read=30\n");
        client_case_connect(c, formats[f], NULL);
        client_case_ask(c);
        client_case_wait(c);
        assert_string_equal(c->blocks.buf, "LS({\"path\":\".\"})Read({\"path\":\"a\"})");
        assert_int_equal(c->stop, SF_STOP_CALLS);
        assert_int_equal(c->usage.output, 7);
        assert_int_equal(c->usage.cache_read, 30);
    }
}

/*
 * What answers well has to be as quick as the limit wants it, which a busy machine is not each
 * time: there are good answers for many more tries.
 */
#define TRIES 100
#define WELL  "reply repeat=99\n text \"hello\"\n"
#define LONG  CLIENT_CASE_PATIENCE_MS

static const struct {
    const char *name, *scenario;
    int64_t first_byte_ms, silence_ms, total_ms;
    int tries;
    enum sf_fault fault, retried;
} silences[] = {
    { "no headers", "reply\n text \"hel\"\n stall headers\n" WELL, 100, LONG, LONG, TRIES,
      SF_FAULT_NONE, SF_FAULT_STALL },
    { "headers alone", "reply\n text \"hel\"\n stall 0\n" WELL, 100, LONG, LONG, TRIES,
      SF_FAULT_NONE, SF_FAULT_STALL },
    { "in the middle", "reply\n text \"hel\"\n stall 60\n" WELL, LONG, 100, LONG, TRIES,
      SF_FAULT_NONE, SF_FAULT_STALL },
    { "always", "reply repeat=9\n text \"hel\"\n stall 60\n", LONG, 20, LONG, 3, SF_FAULT_STALL,
      SF_FAULT_STALL },
    { "not silent, but slow", "reply\n text \"hello\"\n write 1 pace=1\n", LONG, LONG, 40, 3,
      SF_FAULT_TIMEOUT, SF_FAULT_NONE },
    { "silent in an error", "reply\n status 400 \"no\"\n stall 5\n", LONG, 20, LONG, 3,
      SF_FAULT_REQUEST, SF_FAULT_NONE },
};

static void test_silences(void **state)
{
    struct client_case *c = *state;

    for (size_t i = 0; i < SF_COUNT(silences); i++)
        for (size_t f = 0; f < SF_COUNT(formats); f++) {
            struct sf_client_limits limits = client_case_limits;

            limits.first_byte_ms = silences[i].first_byte_ms;
            limits.silence_ms = silences[i].silence_ms;
            limits.total_ms = silences[i].total_ms;
            limits.tries = silences[i].tries;
            client_case_serve(c, silences[i].scenario);
            client_case_connect(c, formats[f], &limits);
            client_case_ask(c);
            client_case_wait(c);
            if (c->ends != 1 || c->error.fault != silences[i].fault ||
                c->retried_for.fault != silences[i].retried)
                fail_msg("%s: %s, retried for %s: %s", silences[i].name,
                         sf_faults[c->error.fault].name, sf_faults[c->retried_for.fault].name,
                         c->error.message);
        }
}

static struct sf_provider provider_at(const char *url, enum sf_wire_format format)
{
    return (struct sf_provider){ .kind = SF_PROVIDER_HTTP,
                                 .format = format,
                                 .name = sf_strdup("test"),
                                 .base_url = sf_strdup(url),
                                 .key = sf_strdup("test-key") };
}

static void test_nobody_there(void **state)
{
    struct client_case *c = *state;
    struct sf_provider provider;
    char url[64];

    snprintf(url, sizeof(url), "http://127.0.0.1:%d", peer_dead_port());
    provider = provider_at(url, SF_WIRE_CHAT);
    client_case_connect_to(c, &provider, NULL);
    client_case_ask(c);
    client_case_wait(c);
    assert_int_equal(c->error.fault, SF_FAULT_CONNECT);
    assert_int_equal(c->retries, 2);
    assert_int_equal(c->ends, 1);
}

static void test_no_tls(void **state)
{
    struct client_case *c = *state;
    struct sf_provider provider;
    char url[64];

    client_case_serve(c, GOOD);
    snprintf(url, sizeof(url), "https://127.0.0.1:%d", model_server_port(c->server));
    provider = provider_at(url, SF_WIRE_ANTHROPIC);
    client_case_connect_to(c, &provider, NULL);
    client_case_ask(c);
    client_case_wait(c);
    assert_int_equal(c->error.fault, SF_FAULT_TLS);
    assert_int_equal(c->retries, 0);
    assert_non_null(strstr(c->error.message, "SSL_CERT_FILE"));
    assert_int_equal(model_server_hellos(c->server), 1);
}

/* The module's own refusal, told from the loop like every other end. */
static void test_key_in_the_open(void **state)
{
    struct client_case *c = *state;
    struct sf_provider provider = provider_at("http://192.0.2.1/v1", SF_WIRE_CHAT);

    client_case_connect_to(c, &provider, NULL);
    client_case_ask(c);
    client_case_wait(c);
    assert_int_equal(c->error.fault, SF_FAULT_REQUEST);
    assert_int_equal(c->retries, 0);
}

static void test_headers(void **state)
{
    static const struct {
        const char *name, *anthropic, *others; /* values; NULL: absent */
    } headers[] = {
        { "x-api-key", "test-key", NULL },
        { "authorization", NULL, "Bearer test-key" },
        { "anthropic-version", "2023-06-01", NULL },
        { "content-type", "application/json", "application/json" },
        { "accept", "text/event-stream", "text/event-stream" },
        { "expect", NULL, NULL },
        { "accept-encoding", NULL, NULL },
    };
    struct client_case *c = *state;

    for (size_t f = 0; f < SF_COUNT(formats); f++) {
        const char *agent;

        client_case_serve(c, GOOD);
        client_case_connect(c, formats[f], NULL);
        client_case_ask(c);
        client_case_wait(c);
        for (size_t i = 0; i < SF_COUNT(headers); i++) {
            const char *got = model_server_header(c->server, 0, headers[i].name);
            const char *want =
                formats[f] == SF_WIRE_ANTHROPIC ? headers[i].anthropic : headers[i].others;

            if (!got != !want || (got && strcmp(got, want) != 0))
                fail_msg("%s: %s", headers[i].name, got ? got : "absent");
        }
        agent = model_server_header(c->server, 0, "user-agent");
        assert_int_equal(strncmp(agent ? agent : "", "sf/", 3), 0);
        client_case_check_server(c, "headers");
    }
}

/* A flood of an error is not kept, and does not have to end. */
static void test_endless_error(void **state)
{
    static const char head[] = "HTTP/1.1 400 Bad\r\nContent-Type: application/json\r\n\r\n";
    struct client_case *c = *state;
    struct sf_strbuf bytes = SF_STRBUF_INIT;
    struct peer_answer answer = { .then = PEER_STALL };
    struct sf_provider provider;
    struct peer *peer;
    char url[64];

    sf_strbuf_adds(&bytes, head);
    sf_strbuf_fill(&bytes, 'x', 200000);
    answer.bytes = bytes.buf;
    peer = peer_start(&answer, 1);
    snprintf(url, sizeof(url), "http://127.0.0.1:%d", peer_port(peer));
    provider = provider_at(url, SF_WIRE_CHAT);
    client_case_connect_to(c, &provider, NULL);
    client_case_ask(c);
    client_case_wait(c);
    sf_client_free(c->client);
    c->client = NULL;
    peer_stop(peer);
    sf_strbuf_release(&bytes);
    assert_int_equal(c->error.fault, SF_FAULT_REQUEST);
    assert_int_equal(c->error.status, 400);
}

static void test_garbage(void **state)
{
    struct client_case *c = *state;

    for (int seed = 0; seed < 60; seed++) {
        struct sf_client_limits limits = client_case_limits;
        char scenario[64];

        limits.tries = 1;
        snprintf(scenario, sizeof(scenario), "reply garbage:%d\n", seed);
        client_case_serve(c, scenario);
        client_case_connect(c, formats[seed % 3], &limits);
        client_case_ask(c);
        client_case_wait(c);
        client_case_settle(c);
        if (c->ends != 1)
            fail_msg("garbage %d: %d ends", seed, c->ends);
    }
}

#define ON_LINE(fn) cmocka_unit_test_setup_teardown(fn, client_case_setup, client_case_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_LINE(test_cases),
        ON_LINE(test_cut_everywhere),
        ON_LINE(test_split_characters),
        ON_LINE(test_calls_and_usage),
        ON_LINE(test_silences),
        ON_LINE(test_nobody_there),
        ON_LINE(test_no_tls),
        ON_LINE(test_key_in_the_open),
        ON_LINE(test_headers),
        ON_LINE(test_endless_error),
        ON_LINE(test_garbage),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
