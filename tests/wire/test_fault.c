/*
 * test_fault.c: real shapes of errors and what they are taken for, waits in headers and sentences, and
 * messages that are safe to show whatever a service puts into them.
 */
#include "base/base.h"
#include "support/stream_log.h"
#include "support/test.h"
#include "wire/wire.h"

#define NOW_MS INT64_C(784111777000) /* Sun, 06 Nov 1994 08:49:37 GMT */
#define DAY_MS INT64_C(86400000)

static void test_table(void **state)
{
    (void)state;
    for (size_t i = 0; i <= SF_FAULT_CANCELLED; i++) {
        assert_int_equal(sf_faults[i].fault, i);
        assert_true(*sf_faults[i].name);
        assert_true(*sf_faults[i].hint || i == SF_FAULT_NONE || i == SF_FAULT_CANCELLED);
        assert_true(!sf_faults[i].retry || sf_faults[i].temporary);
    }
}

static const struct {
    const char *name;
    int status;
    const char *body; /* with single quotes */
    enum sf_fault want;
    const char *says;
} cases[] = {
    { "anthropic, key", 401,
      "{'type':'error','error':{'type':'authentication_error','message':'invalid x-api-key'}}",
      SF_FAULT_AUTH, "invalid x-api-key" },
    { "anthropic, overloaded", 529,
      "{'type':'error','error':{'type':'overloaded_error','message':'Overloaded'}}",
      SF_FAULT_OVERLOAD, "Overloaded" },
    { "anthropic, overloaded in mid-stream", 0,
      "{'type':'error','error':{'type':'overloaded_error','message':'Overloaded'}}",
      SF_FAULT_OVERLOAD, "Overloaded" },
    { "anthropic, too long", 400,
      "{'type':'error','error':{'type':'invalid_request_error','message':'prompt is too long: "
      "215000 tokens > 200000 maximum'}}",
      SF_FAULT_CONTEXT, "prompt is too long: 215000 tokens > 200000 maximum" },
    { "anthropic, input and output together", 400,
      "{'type':'error','error':{'type':'invalid_request_error','message':'input length and "
      "`max_tokens` exceed context limit: 190000 + 20000 > 200000'}}",
      SF_FAULT_CONTEXT, "input length" },
    { "anthropic, no credit", 400,
      "{'type':'error','error':{'type':'invalid_request_error','message':'Your credit balance is "
      "too low to access the API.'}}",
      SF_FAULT_QUOTA, "Your credit" },
    { "anthropic, no such model", 404,
      "{'type':'error','error':{'type':'not_found_error','message':'model: x'}}", SF_FAULT_MODEL,
      "model: x" },
    { "anthropic, too large", 413,
      "{'type':'error','error':{'type':'request_too_large','message':'Request exceeds the maximum "
      "size'}}",
      SF_FAULT_CONTEXT, "Request exceeds" },
    { "anthropic, our mistake", 400,
      "{'type':'error','error':{'type':'invalid_request_error','message':'messages: field "
      "required'}}",
      SF_FAULT_REQUEST, "messages: field required" },
    { "openai, too fast", 429,
      "{'error':{'message':'Rate limit reached','type':'tokens','param':null,"
      "'code':'rate_limit_exceeded'}}",
      SF_FAULT_RATE, "Rate limit reached" },
    { "openai, out of credit", 429,
      "{'error':{'message':'You exceeded your current quota','type':'insufficient_quota',"
      "'param':null,'code':'insufficient_quota'}}",
      SF_FAULT_QUOTA, "You exceeded your current quota" },
    { "openai, too long", 400,
      "{'error':{'message':'too long','type':'invalid_request_error','param':'messages',"
      "'code':'context_length_exceeded'}}",
      SF_FAULT_CONTEXT, "too long" },
    { "openai, no such model", 404,
      "{'error':{'message':'The model `x` does not exist','type':'invalid_request_error',"
      "'param':null,'code':'model_not_found'}}",
      SF_FAULT_MODEL, "The model" },
    { "openai, key", 401,
      "{'error':{'message':'Incorrect API key provided','type':'invalid_request_error',"
      "'code':'invalid_api_key'}}",
      SF_FAULT_AUTH, "Incorrect API key provided" },
    { "a key refused with a general word", 401,
      "{'error':{'message':'no','type':'invalid_request_error'}}", SF_FAULT_AUTH, "no" },
    { "responses, bare error", 0,
      "{'type':'error','code':'server_error','message':'Oops','param':null}", SF_FAULT_SERVER,
      "Oops" },
    { "responses, failed", 0, "{'error':{'code':'rate_limit_exceeded','message':'slow'}}",
      SF_FAULT_RATE, "slow" },
    { "deepseek, no balance", 402,
      "{'error':{'message':'Insufficient Balance','type':'unknown_error','param':null,"
      "'code':'invalid_request_error'}}",
      SF_FAULT_QUOTA, "Insufficient Balance" },
    { "openrouter, status inside", 200, "{'error':{'code':402,'message':'Insufficient credits'}}",
      SF_FAULT_QUOTA, "Insufficient credits" },
    { "gemini in a list, waits", 429,
      "[{'error':{'code':429,'message':'You exceeded your current quota. Please retry in 30.5s.',"
      "'status':'RESOURCE_EXHAUSTED'}}]",
      SF_FAULT_RATE, "You exceeded" },
    { "ollama", 404, "{'error':'model \\u0027x\\u0027 not found'}", SF_FAULT_MODEL,
      "model 'x' not found" },
    { "ollama behind a 400", 400,
      "{'error':'model \\u0027x\\u0027 not found, try pulling it first'}", SF_FAULT_MODEL,
      "model" },
    { "llama.cpp, too long", 400,
      "{'error':{'code':400,'message':'the request exceeds the available context size',"
      "'type':'exceed_context_size_error','n_ctx':4096}}",
      SF_FAULT_CONTEXT, "the request exceeds" },
    { "llama.cpp, too long, as a failure", 500,
      "{'error':{'code':500,'message':'context size exceeded','type':'server_error'}}",
      SF_FAULT_CONTEXT, "context size exceeded" },
    { "vLLM", 400,
      "{'object':'error','message':'This model\xe2\x80\x99s maximum context length is 4096 tokens',"
      "'type':'BadRequestError','code':400}",
      SF_FAULT_CONTEXT, "This model" },
    { "a framework", 422, "{'detail':[{'loc':['body'],'msg':'field required'}]}", SF_FAULT_REQUEST,
      "field required" },
    { "a framework, short", 404, "{'detail':'Not Found'}", SF_FAULT_MODEL, "Not Found" },
    { "a list of errors", 400, "{'errors':[{'message':'bad'}]}", SF_FAULT_REQUEST, "bad" },
    { "a proxy's page", 502,
      "<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head></html>", SF_FAULT_SERVER,
      "502 Bad Gateway" },
    { "a page without a title", 503, "<html>", SF_FAULT_OVERLOAD, "the service is busy" },
    { "plain text", 500, "upstream connect error\nor disconnect", SF_FAULT_SERVER,
      "upstream connect error or disconnect" },
    { "nothing", 500, "", SF_FAULT_SERVER, "the service failed" },
    { "nothing, 403", 403, "", SF_FAULT_FORBIDDEN, "the service does not allow this" },
    { "a redirect", 301, "", SF_FAULT_MODEL, "the service redirects" },
    { "408", 408, "", SF_FAULT_SERVER, "the service gave up" },
    { "418", 418, "", SF_FAULT_REQUEST, "the service rejects" },
    { "599", 599, "", SF_FAULT_SERVER, "the service failed" },
    { "a status nobody knows", 999, "", SF_FAULT_SERVER, "the service failed" },
    { "JSON of another world", 500, "42", SF_FAULT_SERVER, "42" },
    { "an empty object", 500, "{}", SF_FAULT_SERVER, "the service failed" },
    { "an error that is null", 400, "{'error':null}", SF_FAULT_REQUEST, "the service rejects" },
    { "an empty list", 400, "[]", SF_FAULT_REQUEST, "the service rejects" },
};

static void test_shapes(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        char *body = stream_log_quotes(cases[i].body);
        struct sf_wire_error error;

        sf_wire_error_read(cases[i].status, NULL, NOW_MS, body, strlen(body), &error);
        if (error.fault != cases[i].want)
            fail_msg("%s: %s", cases[i].name, sf_faults[error.fault].name);
        if (strncmp(error.message, cases[i].says, strlen(cases[i].says)) != 0)
            fail_msg("%s: says %s", cases[i].name, error.message);
        free(body);
    }
}

static void test_waits(void **state)
{
    static const struct {
        const char *header;
        int64_t want;
    } rows[] = {
        { NULL, -1 },
        { "", -1 },
        { "0", 0 },
        { "30", 30000 },
        { " 30", 30000 },
        { "1.5", 1500 },
        { "0.0005", 0 },
        { "2s", 2000 },
        { "99999999999999999999", 7 * DAY_MS },
        { "-5", -1 },
        { "soon", -1 },
        { "5 apples", -1 },
        { "1.", -1 },
        { "Sun, 06 Nov 1994 08:49:47 GMT", 10000 },
        { "Sun, 06 Nov 1994 08:49:27 GMT", 0 },
        { "Sun, 06 Nov 2094 08:49:27 GMT", 7 * DAY_MS },
        { "Sun, 36 Nov 1994 08:49:47 GMT", -1 },
        { "Sun, 06 Nov 1994 08:49:47 GMT+1", -1 },
        { "Sun, 06 Foo 1994 08:49:47 GMT", -1 },
        { "1994-11-06T08:49:38Z", 1000 },
    };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        struct sf_wire_error error;

        sf_wire_error_read(429, rows[i].header, NOW_MS, "", 0, &error);
        if (error.retry_after_ms != rows[i].want)
            fail_msg("%s: %lld", rows[i].header, (long long)error.retry_after_ms);
        assert_int_equal(error.fault, SF_FAULT_RATE);
    }
}

static void test_waits_in_sentences(void **state)
{
    static const struct {
        const char *body;
        int64_t want;
    } rows[] = {
        { "Please try again in 1.5s.", 1500 },
        { "Please try again in 250ms.", 250 },
        { "Please try again in 2m", 120000 },
        { "Please retry in 7 seconds", 7000 },
        { "Please try again in a while", -1 },
        { "Please try again in 5", -1 },
        { "Please try again", -1 },
    };
    struct sf_wire_error error;

    (void)state;
    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        sf_wire_error_read(429, NULL, NOW_MS, rows[i].body, strlen(rows[i].body), &error);
        if (error.retry_after_ms != rows[i].want)
            fail_msg("%s: %lld", rows[i].body, (long long)error.retry_after_ms);
    }
    sf_wire_error_read(429, "3", NOW_MS, rows[0].body, strlen(rows[0].body), &error);
    assert_int_equal(error.retry_after_ms, 3000); /* the header knows better */
}

static void test_messages_are_safe(void **state)
{
    struct sf_strbuf body = SF_STRBUF_INIT;
    struct sf_wire_error error;

    (void)state;
    sf_strbuf_adds(&body, "{\"error\":\"\\u001b]0;pwned\\u0007\\nline \xe2\x80\xae");
    for (int i = 0; i < 400; i++)
        sf_strbuf_adds(&body, "\xc3\xa9\xe2\x82\xac");
    sf_strbuf_adds(&body, "\"}");
    sf_wire_error_read(500, NULL, NOW_MS, body.buf, body.len, &error);
    assert_null(strchr(error.message, '\x1b'));
    assert_null(strchr(error.message, '\n'));
    assert_true(strlen(error.message) < sizeof(error.message));
    assert_true(sf_utf8_valid(error.message, strlen(error.message), NULL));
    assert_string_equal(error.message + strlen(error.message) - 3, "\xe2\x80\xa6");

    sf_strbuf_reset(&body);
    sf_strbuf_fill(&body, '\xff', (size_t)1024 * 1024);
    sf_wire_error_read(500, NULL, NOW_MS, body.buf, body.len, &error);
    assert_true(sf_utf8_valid(error.message, strlen(error.message), NULL));
    sf_wire_error_read(500, NULL, NOW_MS, NULL, 0, &error);
    assert_string_equal(error.message, "the service failed");
    sf_strbuf_release(&body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_waits),
        cmocka_unit_test(test_waits_in_sentences),
        cmocka_unit_test(test_messages_are_safe),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
