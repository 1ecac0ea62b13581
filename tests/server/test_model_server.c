/*
 * The model server as a partner: HTTP as clients speak it, keys, scripts with expectations, what is
 * remembered of each request, and reasoning that must come back as it was sent.
 */
#include <stdlib.h>
#include <string.h>

#include "io/io.h"
#include "support/model_client.h"
#include "support/model_server.h"
#include "support/test.h"

#define MESSAGES  "/v1/messages"
#define CHAT      "/v1/chat/completions"
#define RESPONSES "/v1/responses"

#define HI "{\"role\":\"user\",\"content\":\"hi\"}"

static const char asks_messages[] = "{\"model\":\"m\",\"max_tokens\":9,\"messages\":[" HI "]}";
static const char asks_chat[] = "{\"model\":\"m\",\"messages\":[" HI "]}";

struct fixture {
    struct model_server *server;
    struct model_client client;
    struct model_response r; /* the last one */
    struct sf_strbuf text;
    struct sf_json *json;
    char *dir;
};

static int setup(void **state)
{
    struct fixture *f = sf_alloc(sizeof(*f));

    f->client.fd = -1;
    sf_strbuf_init(&f->client.in);
    sf_strbuf_init(&f->text);
    sf_strbuf_init(&f->r.head);
    sf_strbuf_init(&f->r.body);
    f->dir = test_dir_new();
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    model_client_close(&f->client);
    model_response_release(&f->r);
    model_server_stop(f->server);
    sf_strbuf_release(&f->text);
    sf_json_free(f->json);
    test_dir_free(f->dir);
    free(f);
    return 0;
}

static void serve(struct fixture *f, const char *scenario)
{
    struct sf_error err = SF_ERROR_INIT;
    struct model_server_options options = { .scenario = scenario };

    f->server = model_server_start(&options, &err);
    if (!f->server)
        fail_msg("%s", err.msg);
    assert_true(model_client_open(&f->client, model_server_port(f->server)));
}

static void send_text(struct fixture *f, const char *text)
{
    assert_true(model_client_send(&f->client, text, strlen(text)));
}

static int status_of_next(struct fixture *f)
{
    model_response_release(&f->r);
    model_client_read(&f->client, &f->r);
    return f->r.status;
}

static int post(struct fixture *f, const char *path, const char *key, const char *body)
{
    assert_true(model_client_post(&f->client, path, key, body));
    return status_of_next(f);
}

static void expect(struct fixture *f, int status, const char *says, const char *path,
                   const char *body)
{
    if (post(f, path, NULL, body) != status || !strstr(f->r.body.buf, says))
        fail_msg("%s %s: got %d %s", path, body, f->r.status, f->r.body.buf);
}

static const char endless[] = "key test-key\nloop\nreply\n  text \"hello\"\n";

static void test_keep_alive(void **state)
{
    struct fixture *f = *state;

    serve(f, endless);
    expect(f, 200, "hello", MESSAGES, asks_messages);
    expect(f, 200, "hello", CHAT, asks_chat);
    expect(f, 400, "Missing", CHAT, "{}");
    expect(f, 200, "hello", RESPONSES, "{\"model\":\"m\",\"input\":\"hi\"}");
    assert_int_equal(model_server_count(f->server), 4);
    assert_int_equal(model_server_connection(f->server, 0), 1);
    assert_int_equal(model_server_connection(f->server, 3), 1);
    assert_int_equal(model_server_replies(f->server), 3);
}

static void test_chunked_request(void **state)
{
    struct fixture *f = *state;
    size_t len;

    serve(f, endless);
    send_text(f, "POST " CHAT " HTTP/1.1\r\nhost: a\r\nauthorization: Bearer test-key\r\n"
                 "content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
                 "a;x=y\r\n{\"model\":\"\r\n");
    sf_strbuf_addf(&f->text, "%zX\r\n%s\r\n0\r\nTrailer: 1\r\n\r\n", strlen(asks_chat) - 10,
                   asks_chat + 10);
    for (size_t i = 0; i < f->text.len; i++)
        assert_true(model_client_send(&f->client, f->text.buf + i, 1));
    assert_int_equal(status_of_next(f), 200);
    assert_string_equal(model_server_body(f->server, 0, &len), asks_chat);
    assert_int_equal(len, strlen(asks_chat));
}

static void test_expect_continue(void **state)
{
    struct fixture *f = *state;

    serve(f, endless);
    sf_strbuf_addf(&f->text,
                   "POST " CHAT " HTTP/1.1\r\nAuthorization: Bearer test-key\r\nExpect: "
                   "100-continue\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n",
                   strlen(asks_chat));
    send_text(f, f->text.buf);
    assert_int_equal(status_of_next(f), 100);
    send_text(f, asks_chat);
    assert_int_equal(status_of_next(f), 200);
}

static void test_pipelined(void **state)
{
    struct fixture *f = *state;

    serve(f, endless);
    assert_true(model_client_post(&f->client, CHAT, NULL, asks_chat));
    assert_true(model_client_post(&f->client, MESSAGES, NULL, asks_messages));
    assert_int_equal(status_of_next(f), 200);
    assert_non_null(strstr(f->r.body.buf, "chat.completion"));
    assert_int_equal(status_of_next(f), 200);
    assert_non_null(strstr(f->r.body.buf, "end_turn"));
}

static const struct {
    const char *name, *request;
    int status;
    const char *says;
} wrong[] = {
    { "no HTTP", "hello\r\n\r\n", 400, "the request line is none" },
    { "a header that is none", "GET / HTTP/1.1\r\nfoo\r\n\r\n", 400, "a header line is none" },
    { "a length that is none", "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400,
      "the Content-Length is no number" },
    { "two framings", "POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
      400, "not both" },
    { "a chunk that is none", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", 400,
      "a chunk size is no number" },
    { "a chunk too long", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n", 400,
      "a chunk is longer than it says" },
    { "a body too large", "POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n", 413,
      "too large" },
    { "an unknown path", "GET /v2 HTTP/1.1\r\n\r\n", 404, "nothing under this path" },
    { "a wrong method", "GET " CHAT " HTTP/1.1\r\n\r\n", 405, "Method Not Allowed" },
    { "no key", "POST " CHAT " HTTP/1.1\r\n\r\n", 401, "You didn't provide an API key" },
    { "no key for messages", "POST " MESSAGES " HTTP/1.1\r\n\r\n", 401,
      "\"authentication_error\",\"message\":\"x-api-key header is required\"" },
    { "a bearer for messages",
      "POST " MESSAGES " HTTP/1.1\r\nAuthorization: Bearer test-key\r\n\r\n", 401,
      "x-api-key header is required" },
    { "no version", "POST " MESSAGES " HTTP/1.1\r\nx-api-key: test-key\r\n\r\n", 400,
      "anthropic-version: header is required" },
    { "an unknown version",
      "POST " MESSAGES " HTTP/1.1\r\nx-api-key: test-key\r\nanthropic-version: 2020-01-01\r\n\r\n",
      400, "not a valid version" },
    { "no content type", "POST " CHAT " HTTP/1.1\r\nAuthorization: Bearer test-key\r\n\r\n", 400,
      "content-type: the header must be application/json" },
    { "models without key", "GET /v1/models HTTP/1.1\r\n\r\n", 401, "API key" },
    { "models", "GET /v1/models?limit=9 HTTP/1.1\r\nAuthorization: Bearer test-key\r\n\r\n", 200,
      "{\"object\":\"list\",\"data\":[{\"id\":\"test-model\"" },
    { "models of the other kind",
      "GET /v1/models HTTP/1.1\r\nX-API-Key: test-key\r\nanthropic-version: 2023-06-01\r\n\r\n",
      200, "\"type\":\"model\"" },
};

static void test_wrong_requests(void **state)
{
    struct fixture *f = *state;

    serve(f, endless);
    for (size_t i = 0; i < SF_COUNT(wrong); i++) {
        model_client_close(&f->client);
        assert_true(model_client_open(&f->client, model_server_port(f->server)));
        send_text(f, wrong[i].request);
        if (status_of_next(f) != wrong[i].status || !strstr(f->r.body.buf, wrong[i].says))
            fail_msg("%s: got %d %s", wrong[i].name, f->r.status, f->r.body.buf);
    }
}

static void test_wrong_key(void **state)
{
    struct fixture *f = *state;

    serve(f, endless);
    assert_int_equal(post(f, MESSAGES, "other", asks_messages), 401);
    assert_non_null(strstr(f->r.body.buf, "invalid x-api-key"));
    assert_int_equal(post(f, CHAT, "other", asks_chat), 401);
    assert_non_null(strstr(f->r.body.buf, "\"code\":\"invalid_api_key\""));
    assert_int_equal(model_server_replies(f->server), 0);
}

static void test_wrong_model(void **state)
{
    struct fixture *f = *state;

    serve(f, "model other\nloop\nreply\ntext \"a\"\n");
    expect(f, 404, "\"not_found_error\",\"message\":\"model: m\"", MESSAGES, asks_messages);
    expect(f, 404, "The model `m` does not exist", CHAT, asks_chat);
}

/* The first bytes of a TLS hello get an answer that is no TLS. */
static void test_tls_hello(void **state)
{
    static const char hello[] = "\x16\x03\x01\x00\x05\x01\x00\x00\x01\x03";
    struct fixture *f = *state;

    serve(f, endless);
    assert_true(model_client_send(&f->client, hello, sizeof(hello) - 1));
    assert_int_equal(status_of_next(f), 0);
    assert_int_equal(f->r.ending, MODEL_CUT);
    assert_non_null(strstr(f->client.in.buf, "plain HTTP"));
    assert_int_equal(model_server_hellos(f->server), 1);
    assert_int_equal(model_server_count(f->server), 0);
}

static void test_records(void **state)
{
    static const char odd[] = "\xff\0{\"a\":\r\n\r\n\x80";
    struct fixture *f = *state;
    struct model_times one, two;
    size_t len;

    serve(f, endless);
    sf_strbuf_addf(&f->text, "POST %s HTTP/1.1\r\nX-Odd:  a b \r\nContent-Length: %zu\r\n\r\n",
                   CHAT, sizeof(odd));
    sf_strbuf_add(&f->text, odd, sizeof(odd));
    assert_true(model_client_send(&f->client, f->text.buf, f->text.len));
    assert_int_equal(status_of_next(f), 401);
    expect(f, 200, "hello", MESSAGES, asks_messages);
    assert_true(model_server_wait_done(f->server, 2, MODEL_CLIENT_MS));
    assert_memory_equal(model_server_body(f->server, 0, &len), odd, sizeof(odd));
    assert_int_equal(len, sizeof(odd));
    assert_string_equal(model_server_header(f->server, 0, "x-odd"), "a b");
    assert_null(model_server_header(f->server, 0, "x-even"));
    assert_string_equal(model_server_path(f->server, 1), MESSAGES);
    assert_string_equal(model_server_body(f->server, 1, NULL), asks_messages);
    assert_null(model_server_body(f->server, 2, NULL));
    one = model_server_times(f->server, 0);
    two = model_server_times(f->server, 1);
    assert_true(0 < one.first_byte && one.first_byte <= one.received && one.received <= one.sent);
    assert_true(one.sent <= two.first_byte && two.first_byte <= two.sent);
    assert_int_equal(one.gone, 0);
}

static void test_script(void **state)
{
    struct fixture *f = *state;

    serve(f, "reply repeat=2\ntext \"one\"\nreply\nexpect-contains \"say \\\"two\\\"\"\ntext "
             "\"two\"\n");
    expect(f, 200, "one", CHAT, asks_chat);
    expect(f, 200, "one", MESSAGES, asks_messages);
    expect(f, 422, "line 4: the request should contain", CHAT, asks_chat);
    expect(f, 200, "two", CHAT,
           "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"say \\\"two\\\"\"}]}");
    expect(f, 500, "the scenario has ended", CHAT, asks_chat);
    assert_int_equal(model_server_replies(f->server), 3);
    assert_non_null(strstr(model_server_complaint(f->server, 0), "request 2: line 4: "));
    assert_non_null(strstr(model_server_complaint(f->server, 1), "request 4: the scenario"));
    assert_null(model_server_complaint(f->server, 2));
}

#define TOOL(name) "{\"name\":\"" name "\",\"input_schema\":{\"type\":\"object\"}}"
#define FN(name)   "{\"type\":\"function\",\"function\":{\"name\":\"" name "\"}}"
#define TOOL3(name) \
    "{\"type\":\"function\",\"name\":\"" name "\",\"parameters\":{\"type\":\"object\"}}"

/* The same conversation for each service: read was called and gave "Gr\u00fc\u00dfe". */
static const char *const conversations[][2] = {
    { MESSAGES,
      "{\"model\":\"m\",\"max_tokens\":9,\"tools\":[" TOOL("read") "," TOOL(
          "bash") "],\"messages\":[" HI
                  ",{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"read\","
                  "\"input\":{}}]},{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"a\","
                  "\"content\":[{\"type\":\"text\",\"text\":\"Gr\\u00fc\\u00dfe\"}]}]}]}" },
    { CHAT,
      "{\"model\":\"m\",\"tools\":[" FN("bash") "," FN(
          "read") "],\"messages\":[" HI ","
                  "{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"a\",\"type\":\"function\",\"function\":"
                  "{\"name\":\"read\",\"arguments\":\"{}\"}}]},{\"role\":\"tool\",\"tool_call_id\":\"a\","
                  "\"content\":\"Gr\\u00fc\\u00dfe\"}]}" },
    { RESPONSES,
      "{\"model\":\"m\",\"tools\":[" TOOL3("read") "," TOOL3(
          "bash") "],\"input\":[" HI ","
                  "{\"type\":\"function_call\",\"call_id\":\"a\",\"name\":\"read\",\"arguments\":\"{}\"},"
                  "{\"type\":\"function_call_output\",\"call_id\":\"a\",\"output\":\"Gr\\u00fc\\u00dfe\"}]}" },
};

static const struct {
    const char *line;
    bool holds;
} expectations[] = {
    { "expect-contains \"Gr\\u00fc\\u00dfe\"", true },
    { "expect-contains \"Hello\"", false },
    { "expect-lacks \"Hello\"", true },
    { "expect-lacks \"hi\"", false },
    { "expect-tools read,bash", true },
    { "expect-tools bash,read", true },
    { "expect-tools read", false },
    { "expect-tools read,bash,edit", false },
    { "expect-no-tool edit", true },
    { "expect-no-tool bash", false },
    { "expect-tool-result read contains \"Gr\\u00fc\"", true },
    { "expect-tool-result read contains \"x\"", false },
    { "expect-tool-result read lacks \"x\"", true },
    { "expect-tool-result read lacks \"Gr\"", false },
    { "expect-tool-result bash lacks \"x\"", false },
    { "expect-header content-type contains \"json\"", true },
    { "expect-header content-type contains \"xml\"", false },
    { "expect-header x-none contains \"\"", false },
    { "expect-field model m", true },
    { "expect-field model n", false },
    { "expect-field stream true", false },
};

static void test_expectations(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(expectations); i++) {
        sf_strbuf_reset(&f->text);
        sf_strbuf_addf(&f->text, "loop\nreply\n%s\ntext \"yes\"\n", expectations[i].line);
        serve(f, f->text.buf);
        for (size_t k = 0; k < SF_COUNT(conversations); k++)
            if (post(f, conversations[k][0], NULL, conversations[k][1]) !=
                (expectations[i].holds ? 200 : 422))
                fail_msg("%s %s: %d %s", conversations[k][0], expectations[i].line, f->r.status,
                         f->r.body.buf);
        model_client_close(&f->client);
        model_server_stop(f->server);
        f->server = NULL;
    }
}

/* Keeps the part of the last answer under that key as JSON text. */
static void keep_part(struct fixture *f, const char *key)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json_writer w;

    f->json = sf_json_parse(f->r.body.buf, f->r.body.len, NULL, &err);
    assert_non_null(f->json);
    assert_non_null(sf_json_get(f->json, key));
    sf_strbuf_reset(&f->text);
    sf_jw_init(&w, &f->text);
    sf_jw_json(&w, sf_json_get(f->json, key));
}

/* `format` takes the kept part; `from` in it becomes `to` first. */
static void expect_replay(struct fixture *f, int status, const char *says, const char *path,
                          const char *const parts[2], const char *const change[2])
{
    struct sf_strbuf body = SF_STRBUF_INIT, kept = SF_STRBUF_INIT;
    const char *at;
    bool good;

    sf_strbuf_add(&kept, f->text.buf, f->text.len);
    at = change ? strstr(kept.buf, change[0]) : NULL;
    if (at)
        sf_strbuf_splice(&kept, (size_t)(at - kept.buf), strlen(change[0]), change[1],
                         strlen(change[1]));
    sf_strbuf_addf(&body, "%s%s%s", parts[0], kept.buf, parts[1]);
    good =
        (!change || at) && post(f, path, NULL, body.buf) == status && strstr(f->r.body.buf, says);
    if (!good)
        print_error("%s\n%s: got %d %s\n", body.buf, path, f->r.status, f->r.body.buf);
    sf_strbuf_release(&body);
    sf_strbuf_release(&kept);
    assert_true(good);
}

static const char thinking_script[] =
    "reply\nreasoning \"let me see\"\nredacted \"hidden\"\ncall read "
    "id=c1 {\"a\": 1}\nreply repeat=9\ntext \"done\"\n";

static void test_messages_thinking(void **state)
{
    static const char *const parts[] = {
        "{\"model\":\"m\",\"max_tokens\":4000,\"thinking\":{\"type\":\"enabled\",\"budget_tokens\":2000},"
        "\"tools\":[" TOOL("read") "],\"messages\":[" HI ",{\"role\":\"assistant\",\"content\":",
        "},{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"c1\"}]}]}",
    };
    static const char *const other_text[] = { "let me see", "let me sea" };
    static const char *const other_signature[] = { "sig_", "sig_0" };
    static const char *const other_data[] = { "\"data\":\"", "\"data\":\"0" };
    struct fixture *f = *state;

    serve(f, thinking_script);
    expect(f, 200, "\"thinking\":\"let me see\"", MESSAGES, asks_messages);
    keep_part(f, "content");
    expect_replay(f, 200, "done", MESSAGES, parts, NULL);
    expect_replay(f, 400, "Invalid `signature` in `thinking` block", MESSAGES, parts, other_text);
    expect_replay(f, 400, "Invalid `signature`", MESSAGES, parts, other_signature);
    expect_replay(f, 400, "Invalid `data`", MESSAGES, parts, other_data);
    sf_strbuf_reset(&f->text);
    sf_strbuf_adds(&f->text,
                   "[{\"type\":\"tool_use\",\"id\":\"c1\",\"name\":\"read\",\"input\":{}}]");
    expect_replay(f, 400, "Expected `thinking` or `redacted_thinking`, but found `tool_use`",
                  MESSAGES, parts, NULL);
}

static void test_responses_reasoning(void **state)
{
    static const char asks[] = "{\"model\":\"m\",\"store\":false,\"include\":"
                               "[\"reasoning.encrypted_content\"],\"input\":\"hi\"}";
    static const char *const parts[] = {
        "{\"model\":\"m\",\"store\":false,\"include\":[\"reasoning.encrypted_content\"],\"input\":[" HI
        ",",
        ",{\"type\":\"function_call_output\",\"call_id\":\"c1\",\"output\":\"x\"}]}",
    };
    static const char *const other[] = { ".sig_", ".sig_0" };
    struct fixture *f = *state;

    serve(f, thinking_script);
    expect(f, 200, "\"encrypted_content\"", RESPONSES, asks);
    keep_part(f, "output");
    sf_strbuf_splice(&f->text, 0, 1, "", 0);
    sf_strbuf_truncate(&f->text, f->text.len - 1);
    expect_replay(f, 200, "done", RESPONSES, parts, NULL);
    expect_replay(f, 400, "could not be verified", RESPONSES, parts, other);
    sf_strbuf_splice(&f->text, 0, (size_t)(strstr(f->text.buf, "{\"id\":\"fc_") - f->text.buf), "",
                     0);
    expect_replay(f, 400, "was provided without its required 'reasoning' item", RESPONSES, parts,
                  NULL);
}

/* A script from a file, a variable, and the files of a record. */
static void test_files(void **state)
{
    struct fixture *f = *state;
    struct sf_error err = SF_ERROR_INIT;
    const char *vars[] = { "workspace=/w", NULL };
    char *script = test_path(f->dir, "script"), *body = test_path(f->dir, "record/request-0.json");
    char *record = test_path(f->dir, "record");
    struct model_server_options options = { .scenario_file = script, .vars = vars };
    char *bytes;

    options.record_dir = record;
    test_write(script, "reply\ntext \"in ${workspace}\"\n", 29);
    f->server = model_server_start(&options, &err);
    assert_non_null(f->server);
    assert_true(model_client_open(&f->client, model_server_port(f->server)));
    expect(f, 200, "in /w", CHAT, asks_chat);
    bytes = test_read(body, NULL);
    assert_string_equal(bytes, asks_chat);
    free(bytes);
    test_write(script, "reply\nsay\n", 10);
    assert_null(model_server_start(&options, &err));
    assert_non_null(strstr(err.msg, "script, line 2: there is no directive \"say\""));
    test_write(script, "", 0);
    assert_null(model_server_start(&options, &err));
    free(script);
    free(body);
    free(record);
}

/* The program says what is wrong with a script, and where. */
static void test_program(void **state)
{
    struct fixture *f = *state;
    struct sf_error err = SF_ERROR_INIT;
    char *script = test_path(f->dir, "script");
    const char *argv[] = { MODEL_SERVER, script, NULL };
    struct sf_child_spec spec = { .argv = argv, .output_cap = 65536 };
    struct sf_child_result result;
    bool ran, event;
    int code;

    test_write(script, "reply\nsay\n", 10);
    ran = sf_child_run(&spec, &result, &err);
    free(script);
    assert_true(ran);
    code = result.code;
    event = strstr(result.output[SF_CHILD_STREAM_ERR].buf, "line 2: there is no directive") != NULL;
    sf_child_result_release(&result);
    assert_int_equal(code, 2);
    assert_true(event);
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_keep_alive),
        CASE(test_chunked_request),
        CASE(test_expect_continue),
        CASE(test_pipelined),
        CASE(test_wrong_requests),
        CASE(test_wrong_key),
        CASE(test_wrong_model),
        CASE(test_tls_hello),
        CASE(test_records),
        CASE(test_script),
        CASE(test_expectations),
        CASE(test_messages_thinking),
        CASE(test_responses_reasoning),
        CASE(test_files),
        CASE(test_program),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
