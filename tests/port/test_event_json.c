/*
 * test_event_json.c: what is written of events is what the schema says, and the schema lets nothing
 * else pass: every type is seen in scripted runs, and lines that are wrong anywhere are refused.
 */
#include <string.h>

#include "port/port.h"
#include "support/agent_sandbox.h"
#include "support/event_tour.h"
#include "support/schema.h"
#include "support/test.h"

/* ---- every type ---- */

static void add_line(void *ctx, const struct sf_event *event)
{
    struct sf_strbuf *lines = ctx;

    sf_event_json_add(event, lines);
    sf_strbuf_addch(lines, '\n');
}

static void add_run(struct sandbox *w, const char *words, struct sf_strbuf *lines)
{
    struct outcome o = sandbox_run(w, words);

    sf_strbuf_add(lines, o.out, o.out_len);
    outcome_release(&o);
}

/* What a run adds to its session: with words, with a command, and without its model. */
static void add_runs(struct sf_strbuf *lines)
{
    void *sandbox = NULL;

    assert_int_equal(sandbox_setup(&sandbox), 0);
    add_run(sandbox, "exec --output-format stream-json 'read nope.txt'", lines);
    add_run(sandbox, "exec --output-format stream-json /status", lines);
    agent_sandbox_nobody(sandbox, SF_WIRE_ANTHROPIC);
    add_run(sandbox, "exec --output-format stream-json hello", lines);
    add_run(sandbox, "exec --output-format stream-json --input-format stream-json hello", lines);
    sandbox_teardown(&sandbox);
}

static const char *type_of(const struct sf_json *branch)
{
    const struct sf_json *members = sf_json_get(branch, "properties");
    struct sf_error err = SF_ERROR_INIT;
    const char *type;

    assert_true(sf_json_get_str(sf_json_get(members, "type"), "const", &type, &err));
    return type;
}

static void test_every_type(void **state)
{
    struct sf_strbuf lines = SF_STRBUF_INIT, mark = SF_STRBUF_INIT;
    const struct sf_json *branches = sf_json_get(schema_of_events(), "oneOf");

    event_tour_run(*state, add_line, &lines);
    add_runs(&lines);
    schema_check_stream(lines.buf, lines.len, "the tour");
    for (const struct sf_json *it = sf_json_first(branches); it; it = sf_json_next(it)) {
        sf_strbuf_reset(&mark);
        sf_strbuf_addf(&mark, "{\"v\":1,\"type\":\"%s\",", type_of(it));
        if (!strstr(lines.buf, mark.buf))
            fail_msg("nobody ever sees the type %s", type_of(it));
    }
    sf_strbuf_release(&mark);
    sf_strbuf_release(&lines);
}

/* Each kind of event has a type, and every type has one kind. */
static void test_every_kind(void **state)
{
    const struct sf_json *branches = sf_json_get(schema_of_events(), "oneOf");

    (void)state;
    /* the end of a turn has two types: of the session, and of a sub-agent's */
    assert_int_equal(sf_json_count(branches), SF_EVENT_COUNT + 1);
}

/* ---- responses ---- */

static const char *const themes[] = { "dark", "light", NULL };

static const struct {
    const char *name;
    struct sf_response response;
    const char *has, *lacks;
} responses[] = {
    { "a note has no members of other kinds",
      { .kind = SF_RESPONSE_NOTE, .command = "queue", .part = "" },
      "\"command\":\"queue\",\"kind\":\"note\",\"bad\":false}",
      "\"part\"" },
    { "one of several answers of a command",
      { .kind = SF_RESPONSE_CHOICE, .command = "connect", .part = "models" },
      "\"part\":\"models\",\"kind\":\"choice\"",
      "\"editable\"" },
    { "a page that may be changed",
      { .kind = SF_RESPONSE_PAGE, .command = "memory", .part = "", .editable = true },
      "\"editable\":true",
      "\"secret\"" },
    { "a field with a list of values",
      { .kind = SF_RESPONSE_FIELD, .command = "config", .part = "", .values = themes },
      "\"values\":[\"dark\",\"light\"]",
      "\"secret\"" },
    { "a field for a key",
      { .kind = SF_RESPONSE_FIELD, .command = "connect", .part = "key", .secret = true },
      "\"secret\":true",
      "\"values\"" },
};

static void test_responses(void **state)
{
    struct sf_strbuf line = SF_STRBUF_INIT;

    (void)state;
    for (size_t i = 0; i < SF_COUNT(responses); i++) {
        const struct sf_event event = { .kind = SF_EVENT_RESPONSE,
                                        .response = &responses[i].response };

        sf_strbuf_reset(&line);
        sf_event_json_add(&event, &line);
        if (!strstr(line.buf, responses[i].has) || strstr(line.buf, responses[i].lacks))
            fail_msg("%s: %s", responses[i].name, line.buf);
        sf_strbuf_addch(&line, '\n');
        schema_check_stream(line.buf, line.len, responses[i].name);
    }
    sf_strbuf_release(&line);
}

/* ---- what is wrong ---- */

#define HEAD(type)                                                                            \
    "{\"v\":1,\"type\":\"" type "\",\"time\":\"2026-01-01T00:00:00.000Z\",\"session\":\"s\"," \
    "\"turn_id\":3,\"message_id\":1"

static const struct {
    const char *name, *line, *why; /* why: NULL, where it is right */
} cases[] = {
    { "a line as it should be", HEAD("text") ",\"text\":\"hello\"}", NULL },
    { "without a session",
      "{\"v\":1,\"type\":\"restart\",\"time\":\"\",\"session\":null,"
      "\"turn_id\":null,\"message_id\":null}",
      NULL },
    { "a number for a text", HEAD("text") ",\"text\":1}", ".text: must not be a number" },
    { "a missing member", HEAD("text") "}", "lacks text" },
    { "one too many", HEAD("text") ",\"text\":\"\",\"more\":1}", "must not have more" },
    { "another version",
      "{\"v\":2,\"type\":\"restart\",\"time\":\"\",\"session\":null,"
      "\"turn_id\":null,\"message_id\":null}",
      ".v: is not" },
    { "no head", "{\"v\":1,\"type\":\"restart\"}", "lacks time" },
    { "an unknown type", HEAD("told") "}", "oneOf" },
    { "no object", "[]", "oneOf" },
    { "half a number",
      HEAD("tool_result") ",\"id\":\"a\",\"name\":\"b\",\"is_error\":false,"
                          "\"refused\":false,\"text\":\"\",\"exit_code\":1.5}",
      ".exit_code" },
    { "a word that is none of the list", HEAD("turn_end") ",\"status\":\"fine\"}",
      ".status: is none" },
    { "a wrong member of an inner object",
      HEAD("plan") ",\"plan\":{\"items\":[{\"content\":\"x\","
                   "\"status\":\"pending\",\"who\":1}]}}",
      "must not have who" },
    { "null for an object", HEAD("goal") ",\"goal\":null,\"text\":\"cleared\"}", NULL },
    { "something else for it", HEAD("goal") ",\"goal\":\"\",\"text\":\"cleared\"}", "anyOf" },
    { "any members of a call's arguments",
      HEAD("tool_use") ",\"id\":\"a\",\"name\":\"b\","
                       "\"input\":{\"x\":[1,{}]}}",
      NULL },
    { "arguments that are no object", HEAD("tool_use") ",\"id\":\"a\",\"name\":\"b\",\"input\":[]}",
      ".input" },
    { "what is no JSON", "{", "no JSON" },
};

static void test_wrong_lines(void **state)
{
    struct sf_strbuf why = SF_STRBUF_INIT;

    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        bool ok = schema_check_event(cases[i].line, strlen(cases[i].line), &why);

        if (ok != !cases[i].why || (cases[i].why && !strstr(why.buf, cases[i].why)))
            fail_msg("%s: %s, %s", cases[i].name, ok ? "passes" : "fails", why.buf);
        sf_strbuf_reset(&why);
    }
    sf_strbuf_release(&why);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_every_type, session_case_setup, session_case_teardown),
        cmocka_unit_test(test_every_kind),
        cmocka_unit_test(test_responses),
        cmocka_unit_test(test_wrong_lines),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
