/*
 * The services are as strict as the real ones: tables of requests, good and bad, with the status
 * and the words of each answer. ' stands for " in the bodies.
 */
#include <stdlib.h>
#include <string.h>

#include "support/model_client.h"
#include "support/model_server.h"
#include "support/test.h"

struct row {
    const char *name, *body;
    int status;
    const char *says; /* NULL: anything */
};

/* clang-format off */
#define M(rest)     "{'model':'m','max_tokens':9," rest "}"
#define HI          "{'role':'user','content':'hi'}"
#define SAYS(parts) M("'messages':[" parts "]")
#define USE(id)     "{'type':'tool_use','id':'" id "','name':'read','input':{}}"
#define RESULT(id)  "{'type':'tool_result','tool_use_id':'" id "','content':'ok'}"
#define TURN(r, c)  "{'role':'" r "','content':[" c "]}"
#define READ        "{'name':'read','input_schema':{'type':'object'}}"
#define TOOLS(list) M("'messages':[" HI "],'tools':[" list "]")
#define TALK(parts) M("'tools':[" READ "],'messages':[" parts "]")
#define CACHED(t)   "{'type':'text','text':'" t "','cache_control':{'type':'ephemeral'}}"

static const struct row messages_rows[] = {
    { "plain text", SAYS(HI), 200, "\"text\":\"hello\"" },
    { "two user messages", SAYS(HI "," HI), 200, NULL },
    { "a stream", M("'stream':true,'messages':[" HI "]"), 200, "event: message_stop" },
    { "a call and its result", TALK(HI "," TURN("assistant", USE("a")) "," TURN("user", RESULT("a"))),
      200, NULL },
    { "two calls and their results, then text",
      TALK(HI "," TURN("assistant", USE("a") "," USE("b")) ","
              TURN("user", RESULT("b") "," RESULT("a") ",{'type':'text','text':'go on'}")),
      200, NULL },
    { "four cache marks",
      M("'system':[" CACHED("s") "],'messages':[" TURN("user", CACHED("1") "," CACHED("2") ","
        CACHED("3")) "]"), 200, NULL },
    { "no JSON", "{'model':", 400, "not valid JSON" },
    { "a key twice", "{'model':'m','model':'m'}", 400, "not valid JSON" },
    { "an array", "[]", 400, "Input should be a valid dictionary" },
    { "an unknown field", M("'foo':1,'messages':[" HI "]"), 400,
      "foo: Extra inputs are not permitted" },
    { "no model", "{'max_tokens':9,'messages':[" HI "]}", 400, "model: Field required" },
    { "no max_tokens", "{'model':'m','messages':[" HI "]}", 400, "max_tokens: Field required" },
    { "max_tokens 0", "{'model':'m','max_tokens':0,'messages':[" HI "]}", 400,
      "max_tokens: Input should be greater than or equal to 1" },
    { "max_tokens as text", "{'model':'m','max_tokens':'9','messages':[" HI "]}", 400,
      "max_tokens: Input should be a valid integer" },
    { "max_tokens with a fraction", "{'model':'m','max_tokens':9.5,'messages':[" HI "]}", 400,
      "max_tokens: Input should be a valid integer" },
    { "no messages", "{'model':'m','max_tokens':9}", 400, "messages: Field required" },
    { "empty messages", SAYS(""), 400, "messages: at least one message is required" },
    { "a message that is text", SAYS("'hi'"), 400,
      "messages.0: Input should be a valid dictionary" },
    { "the assistant first", SAYS("{'role':'assistant','content':'hi'}"), 400,
      "messages: first message must use the \\\"user\\\" role" },
    { "a system message", SAYS(HI ",{'role':'system','content':'x'}"), 400,
      "Unexpected role \\\"system\\\"" },
    { "the assistant last", SAYS(HI ",{'role':'assistant','content':'so'}"), 400,
      "must end with a user message" },
    { "empty content", SAYS("{'role':'user','content':''}"), 400,
      "messages.0: all messages must have non-empty content" },
    { "no blocks", SAYS("{'role':'user','content':[]}"), 400,
      "messages.0: all messages must have non-empty content" },
    { "an empty text block", SAYS(TURN("user", "{'type':'text','text':''}")), 400,
      "text content blocks must be non-empty" },
    { "a blank text block", SAYS(TURN("user", "{'type':'text','text':' \\n'}")), 400,
      "must contain non-whitespace text" },
    { "a block of unknown type", SAYS(TURN("user", "{'type':'song'}")), 400,
      "messages.0.content.0.type: Input tag 'song'" },
    { "an unknown field in a block", SAYS(TURN("user", "{'type':'text','text':'x','id':'1'}")), 400,
      "messages.0.content.0.id: Extra inputs are not permitted" },
    { "a call by the user", TALK(TURN("user", USE("a"))), 400, "Input tag 'tool_use'" },
    { "a result by the assistant", TALK(HI "," TURN("assistant", RESULT("a"))), 400,
      "Input tag 'tool_result'" },
    { "a call without result at the end", TALK(HI "," TURN("assistant", USE("a"))), 400,
      "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: a." },
    { "a call without result in the next message", TALK(HI "," TURN("assistant", USE("a")) "," HI),
      400, "immediately after: a." },
    { "one of two results", TALK(HI "," TURN("assistant", USE("a") "," USE("b")) ","
                                    TURN("user", RESULT("a"))), 400, "immediately after: b." },
    { "the assistant goes on after a call",
      TALK(HI "," TURN("assistant", USE("a")) "," TURN("assistant", USE("b")) ","
              TURN("user", RESULT("a") "," RESULT("b"))), 400, "immediately after: a." },
    { "text before the result",
      TALK(HI "," TURN("assistant", USE("a")) ","
              TURN("user", "{'type':'text','text':'x'}," RESULT("a"))), 400,
      "messages.2.content.1: `tool_result` blocks must come first" },
    { "a result for no call", TALK(TURN("user", RESULT("a"))), 400,
      "unexpected `tool_use_id` found in `tool_result` blocks: a." },
    { "a result twice", TALK(HI "," TURN("assistant", USE("a")) ","
                                TURN("user", RESULT("a") "," RESULT("a"))), 400,
      "messages.2.content.1: unexpected `tool_use_id`" },
    { "a result for an older call",
      TALK(HI "," TURN("assistant", USE("a")) "," TURN("user", RESULT("a")) ","
              TURN("assistant", USE("b")) "," TURN("user", RESULT("a"))), 400,
      "messages.4.content.0: unexpected `tool_use_id`" },
    { "an id used twice",
      TALK(HI "," TURN("assistant", USE("a") "," USE("a")) "," TURN("user", RESULT("a"))), 400,
      "`tool_use` ids must be unique" },
    { "input that is text",
      TALK(HI "," TURN("assistant", "{'type':'tool_use','id':'a','name':'read','input':'{}'}")),
      400, "input: Input should be a valid dictionary" },
    { "results without tools",
      SAYS(HI "," TURN("assistant", USE("a")) "," TURN("user", RESULT("a"))), 400,
      "must define tools" },
    { "a tool name with a blank", TOOLS("{'name':'a b','input_schema':{'type':'object'}}"), 400,
      "tools.0.name: String should match pattern" },
    { "a tool without schema", TOOLS("{'name':'a'}"), 400, "tools.0.input_schema: Field required" },
    { "a schema of another type", TOOLS("{'name':'a','input_schema':{'type':'string'}}"), 400,
      "tools.0.input_schema.type: Input should be 'object'" },
    { "a tool twice", TOOLS(READ "," READ), 400, "Tool names must be unique" },
    { "an OpenAI tool", TOOLS("{'type':'function','function':{'name':'a'}}"), 400, "tools.0.name" },
    { "five cache marks",
      M("'system':[" CACHED("s") "],'messages':[" TURN("user", CACHED("1") "," CACHED("2") ","
        CACHED("3") "," CACHED("4")) "]"), 400,
      "A maximum of 4 blocks with cache_control may be provided. Found 5." },
    { "a cache mark of unknown life",
      SAYS(TURN("user", "{'type':'text','text':'x','cache_control':{'type':'ephemeral','ttl':'9h'}}")),
      400, "cache_control.ttl: Input should be '5m' or '1h'" },
    { "thinking without signature",
      SAYS(HI "," TURN("assistant", "{'type':'thinking','thinking':'x'}") "," HI), 400,
      "messages.1.content.0.signature: Field required" },
    { "thinking with a made-up signature",
      SAYS(HI "," TURN("assistant", "{'type':'thinking','thinking':'x','signature':'sig_1'}") "," HI),
      400, "messages.1.content.0: Invalid `signature` in `thinking` block" },
    { "redacted thinking that was changed",
      SAYS(HI "," TURN("assistant", "{'type':'redacted_thinking','data':'61.sig_1'}") "," HI), 400,
      "Invalid `data` in `redacted_thinking` block" },
    { "a small thinking budget",
      "{'model':'m','max_tokens':4000,'thinking':{'type':'enabled','budget_tokens':9},"
      "'messages':[" HI "]}", 400, "budget_tokens: Input should be greater" },
    { "a thinking budget above max_tokens",
      M("'thinking':{'type':'enabled','budget_tokens':2000},'messages':[" HI "]"), 400,
      "`max_tokens` must be greater than `thinking.budget_tokens`" },
};

#define C(rest)      "{'model':'m'," rest "}"
#define CHAT(parts)  C("'messages':[" parts "]")
#define CALL(id)     "{'id':'" id "','type':'function','function':{'name':'read','arguments':'{}'}}"
#define CALLS(list)  "{'role':'assistant','content':null,'tool_calls':[" list "]}"
#define ANSWER(id)   "{'role':'tool','tool_call_id':'" id "','content':'ok'}"
#define FN(inner)    C("'messages':[" HI "],'tools':[{'type':'function','function':{" inner "}}]")
#define WITH_ARGS(a) CHAT(HI ",{'role':'assistant','tool_calls':[{'id':'a','type':'function'," \
                          "'function':{'name':'read','arguments':" a "}}]}," ANSWER("a"))

static const struct row chat_rows[] = {
    { "plain text", CHAT(HI), 200, "\"content\":\"hello\"" },
    { "a stream", C("'stream':true,'messages':[" HI "]"), 200, "data: [DONE]" },
    { "a stream with usage",
      C("'stream':true,'stream_options':{'include_usage':true},'messages':[" HI "]"), 200,
      "\"choices\":[],\"usage\":{\"prompt_tokens\"" },
    { "calls and their answers", CHAT(HI "," CALLS(CALL("a") "," CALL("b")) "," ANSWER("b") ","
                                      ANSWER("a") "," HI), 200, NULL },
    { "an empty answer of a tool",
      CHAT(HI "," CALLS(CALL("a")) ",{'role':'tool','tool_call_id':'a','content':''}"), 200, NULL },
    { "no JSON", "nothing", 400, "not valid JSON" },
    { "an unknown field", C("'max':1,'messages':[" HI "]"), 400, "Unknown parameter: 'max'." },
    { "an Anthropic field", C("'system':'x','messages':[" HI "]"), 400,
      "Unknown parameter: 'system'." },
    { "no model", "{'messages':[" HI "]}", 400, "Missing required parameter: 'model'." },
    { "no messages", "{'model':'m'}", 400, "Missing required parameter: 'messages'." },
    { "messages as text", C("'messages':'hi'"), 400,
      "Invalid type for 'messages': expected an array, but got a string instead." },
    { "empty messages", CHAT(""), 400, "Invalid 'messages': empty array" },
    { "an unknown role", CHAT("{'role':'model','content':'x'}"), 400, "Invalid value: 'model'." },
    { "no role", CHAT("{'content':'x'}"), 400, "Missing required parameter: 'messages[0].role'." },
    { "empty content", CHAT("{'role':'user','content':''}"), 400, "Invalid 'messages[0].content'" },
    { "no content", CHAT("{'role':'user'}"), 400,
      "Missing required parameter: 'messages[0].content'." },
    { "an assistant that says nothing", CHAT(HI ",{'role':'assistant','content':null}"), 400,
      "expected a string, got null" },
    { "an empty list of calls", CHAT(HI ",{'role':'assistant','content':'x','tool_calls':[]}"), 400,
      "Invalid 'messages[1].tool_calls': empty array" },
    { "a call without answer", CHAT(HI "," CALLS(CALL("a"))), 400,
      "did not have response messages: a" },
    { "one of two answers", CHAT(HI "," CALLS(CALL("a") "," CALL("b")) "," ANSWER("a") "," HI), 400,
      "did not have response messages: b" },
    { "the user speaks before the answer", CHAT(HI "," CALLS(CALL("a")) "," HI "," ANSWER("a")),
      400, "did not have response messages: a" },
    { "an answer without call", CHAT(HI "," ANSWER("a")), 400,
      "messages with role 'tool' must be a response to a preceeding message" },
    { "an answer to another call", CHAT(HI "," CALLS(CALL("a")) "," ANSWER("z")), 400,
      "'tool_call_id' of 'z' not found" },
    { "an answer twice", CHAT(HI "," CALLS(CALL("a")) "," ANSWER("a") "," ANSWER("a")), 400,
      "'tool_call_id' of 'a' not found" },
    { "an id used twice", CHAT(HI "," CALLS(CALL("a") "," CALL("a")) "," ANSWER("a")), 400,
      "tool call ids must be unique" },
    { "arguments that are an object", WITH_ARGS("{}"), 400,
      "Invalid type for 'messages[1].tool_calls[0].function.arguments'" },
    { "arguments that are no JSON", WITH_ARGS("'{x'"), 400, "expected a string with a JSON object" },
    { "arguments that are a list", WITH_ARGS("'[]'"), 400, "expected a string with a JSON object" },
    { "stream options without stream", C("'stream_options':{},'messages':[" HI "]"), 400,
      "only allowed when 'stream' is enabled" },
    { "a tool name with a dot", FN("'name':'a.b'"), 400, "string does not match pattern" },
    { "a schema of another type", FN("'name':'a','parameters':{'type':'array'}"), 400,
      "schema must be a JSON Schema of 'type: \\\"object\\\"'" },
    { "strict without closed schema",
      FN("'name':'a','strict':true,'parameters':{'type':'object','properties':{}}"), 400,
      "'additionalProperties' is required" },
    { "strict with an optional property",
      FN("'name':'a','strict':true,'parameters':{'type':'object','additionalProperties':false,"
         "'properties':{'x':{}},'required':[]}"), 400, "Missing 'x'." },
    { "strict with a list of properties",
      FN("'name':'a','strict':true,'parameters':{'type':'object','additionalProperties':false,"
         "'properties':[1]}"), 400, "'properties' must be an object" },
    { "an Anthropic tool", C("'messages':[" HI "],'tools':[" READ "]"), 400,
      "Unknown parameter: 'tools[0].name'." },
    { "no tools", C("'messages':[" HI "],'tools':[]"), 400, "Invalid 'tools': empty array" },
};

#define INPUT(items) C("'input':[" items "]")
#define FC(id)       "{'type':'function_call','call_id':'" id "','name':'read','arguments':'{}'}"
#define OUT(id)      "{'type':'function_call_output','call_id':'" id "','output':'ok'}"
#define RS(extra)    "{'type':'reasoning','id':'rs_1','summary':[]" extra "}"
#define SAID         "{'role':'assistant','content':[{'type':'output_text','text':'so'}]}"

static const struct row responses_rows[] = {
    { "plain text", C("'input':'hi'"), 200, "\"text\":\"hello\"" },
    { "a stream", C("'stream':true,'input':[" HI "]"), 200, "event: response.completed" },
    { "calls and outputs", INPUT(HI "," FC("a") "," FC("b") "," OUT("b") "," OUT("a")), 200, NULL },
    { "stored reasoning", INPUT(HI "," RS("") "," SAID "," HI), 200, NULL },
    { "an unknown field", C("'messages':[],'input':'hi'"), 400, "Unknown parameter: 'messages'." },
    { "no model", "{'input':'hi'}", 400, "Missing required parameter: 'model'." },
    { "no input", "{'model':'m'}", 400, "Missing required parameter: 'input'." },
    { "input of a wrong type", C("'input':7"), 400, "Invalid type for 'input'" },
    { "empty input", INPUT(""), 400, "Invalid 'input'" },
    { "an unknown item", INPUT("{'type':'song'}"), 400, "Invalid value: 'song'." },
    { "an unknown role", INPUT("{'role':'tool','content':'x'}"), 400, "Invalid value: 'tool'." },
    { "empty content", INPUT("{'role':'user','content':''}"), 400, "Invalid 'input[0].content'" },
    { "text of the wrong kind", INPUT("{'role':'user','content':[{'type':'text','text':'x'}]}"), 400,
      "Invalid value: 'text'." },
    { "input text by the assistant",
      INPUT(HI ",{'role':'assistant','content':[{'type':'input_text','text':'x'}]}"), 400,
      "Supported values are: 'output_text' and 'refusal'." },
    { "an output for no call", INPUT(HI "," OUT("a")), 400,
      "No tool call found for function call output with call_id a." },
    { "an output before its call", INPUT(HI "," OUT("a") "," FC("a")), 400,
      "No tool call found for function call output with call_id a." },
    { "a call without output", INPUT(HI "," FC("a")), 400,
      "No tool output found for function call a." },
    { "a call id twice", INPUT(HI "," FC("a") "," FC("a") "," OUT("a")), 400, "Duplicate" },
    { "arguments that are no JSON",
      INPUT(HI ",{'type':'function_call','call_id':'a','name':'read','arguments':'{'}," OUT("a")),
      400, "Invalid 'input[1].arguments'" },
    { "an id of the wrong kind",
      INPUT(HI ",{'type':'function_call','id':'call_1','call_id':'a','name':'read',"
               "'arguments':'{}'}," OUT("a")), 400, "Expected an ID that begins with 'fc'." },
    { "reasoning alone", INPUT(HI "," RS("")), 400,
      "Item 'rs_1' of type 'reasoning' was provided without its required following item." },
    { "reasoning before the user", INPUT(HI "," RS("") "," HI), 400, "required following item" },
    { "reasoning that nobody stored", C("'store':false,'input':[" HI "," RS("") "," SAID "]"), 400,
      "Items are not persisted when `store` is set to false" },
    { "reasoning replayed without include",
      C("'store':false,'input':[" HI "," RS(",'encrypted_content':'61.sig_1'") "," SAID "]"), 400,
      "must name 'reasoning.encrypted_content'" },
    { "encrypted content that was changed",
      C("'store':false,'include':['reasoning.encrypted_content'],'input':[" HI ","
        RS(",'encrypted_content':'61.sig_1'") "," SAID "]"), 400, "could not be verified" },
    { "a tool in the form of chat",
      C("'input':'hi','tools':[{'type':'function','function':{'name':'a'}}]"), 400,
      "Unknown parameter: 'tools[0].function'." },
    { "a tool without parameters", C("'input':'hi','tools':[{'type':'function','name':'a'}]"), 400,
      "Missing required parameter: 'tools[0].parameters'." },
    { "an earlier response", C("'input':'hi','previous_response_id':'resp_1'"), 400,
      "Previous response with id 'resp_1' not found." },
};

/* clang-format on */

static const char endless[] = "key test-key\nloop\nreply\n  text \"hello\"\n";

static int server_setup(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    struct model_server_options options = { .scenario = endless };

    *state = model_server_start(&options, &err);
    return *state ? 0 : -1;
}

static int server_teardown(void **state)
{
    model_server_stop(*state);
    return 0;
}

static void run_row(struct model_server *server, const char *path, const struct row *row,
                    const char *shape)
{
    struct model_response r;
    char *body = sf_strdup(row->body);
    bool fits;

    for (char *p = body; *p; p++)
        *p = (char)(*p == '\'' ? '"' : *p);
    model_client_ask(model_server_port(server), path, body, &r);
    fits = r.status == row->status && r.ending == MODEL_ENDED &&
           (!row->says || strstr(r.body.buf, row->says)) &&
           (r.status == 200 || !strncmp(r.body.buf, shape, strlen(shape)));
    if (!fits)
        print_error("%s: %s: got %d %s\n", path, row->name, r.status, r.body.buf);
    model_response_release(&r);
    free(body);
    assert_true(fits);
}

static void test_messages(void **state)
{
    for (size_t i = 0; i < SF_COUNT(messages_rows); i++)
        run_row(*state, "/v1/messages", &messages_rows[i],
                "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":");
}

static void test_chat(void **state)
{
    for (size_t i = 0; i < SF_COUNT(chat_rows); i++)
        run_row(*state, "/v1/chat/completions", &chat_rows[i], "{\"error\":{\"message\":");
}

static void test_responses(void **state)
{
    for (size_t i = 0; i < SF_COUNT(responses_rows); i++)
        run_row(*state, "/v1/responses", &responses_rows[i], "{\"error\":{\"message\":");
}

/* Every refusal is on the list of complaints, and no reply was used up for it. */
static void test_complaints(void **state)
{
    struct model_server *server = *state;
    struct model_response r;

    model_client_ask(model_server_port(server), "/v1/messages", "{}", &r);
    model_response_release(&r);
    assert_string_equal(model_server_complaint(server, 0), "request 0: model: Field required");
    assert_null(model_server_complaint(server, 1));
    assert_int_equal(model_server_replies(server), 0);
    assert_int_equal(model_server_status(server, 0), 400);
}

#define ON_SERVER(fn) cmocka_unit_test_setup_teardown(fn, server_setup, server_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_SERVER(test_messages),
        ON_SERVER(test_chat),
        ON_SERVER(test_responses),
        ON_SERVER(test_complaints),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
