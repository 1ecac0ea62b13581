/*
 * test_report.c: what is counted is what happened, for a session with failures, refusals, a sub-agent and
 * a cancelled turn; both texts say it; what outsiders named does not break out of them.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "journal/export.h"
#include "journal/report.h"
#include "support/session_case.h"
#include "support/store_case.h"
#include "support/test.h"

static const char script[] =
    "reply\n    usage input=10 output=1\n"
    "    call Write {\"file_path\":\"a.txt\",\"content\":\"one\\n\"}\n"
    "    call Write {\"file_path\":\"b/c.txt\",\"content\":\"two\\n\"}\n"
    "    call Read {\"file_path\":\"nowhere\"}\n"
    "reply\n    usage input=20 output=2 cache-read=5\n"
    "    call Edit {\"file_path\":\"a.txt\",\"old_string\":\"one\",\"new_string\":\"1\"}\n"
    "    call Bash {\"command\":\"exit 3\"}\n"
    "    call Agent {\"prompt\":\"count\",\"description\":\"count\"}\n"
    "reply\n    usage input=30 output=3 cache-write=7\n    call LS {\"path\":\".\"}\n"
    "reply\n    usage input=40 output=4\n    text \"two\"\n"
    "reply\n    usage input=50 output=5\n    text \"Done.\"\n"
    "reply\n    status 400 \"no\"\n";

static void run(struct session_case *c)
{
    static const char *const names[] = { "LS", "Write", "Edit", "Read", "Bash", "Agent" };

    sf_strlist_release(&c->tools);
    for (size_t i = 0; i < SF_COUNT(names); i++)
        sf_strlist_add(&c->tools, names[i]);
    session_case_serve(c, SF_WIRE_ANTHROPIC, script);
    session_case_open(c, NULL);
    session_case_turn(c, "do it");
    assert_int_equal(c->status, SF_TURN_DONE);
    session_case_turn(c, "and again");
    assert_int_equal(c->status, SF_TURN_FAILED);
}

static void count(struct session_case *c, struct sf_session_report *r)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_report_read(r, c->store, c->state_dir, sf_session_id(c->session), &err))
        fail_msg("%s", err.msg);
}

static void test_counts(void **state)
{
    static const struct {
        const char *name;
        int64_t calls, failed;
    } tools[] = {
        { "Write", 2, 0 }, { "Agent", 1, 0 }, { "Bash", 1, 1 },
        { "Edit", 1, 0 },  { "LS", 1, 0 },    { "Read", 1, 1 },
    };
    struct session_case *c = *state;
    struct sf_session_report r;

    run(c);
    count(c, &r);
    assert_int_equal(r.turns, 2);
    assert_int_equal(r.units, 1);
    assert_int_equal(r.end_count, 2);
    assert_int_equal(r.agents, 1);
    assert_true(r.busy_ms <= r.span_ms);
    assert_int_equal(r.spent.requests, 5);
    assert_int_equal(r.spent.input, 150);
    assert_int_equal(r.spent.output, 15);
    assert_int_equal(r.spent.cache_read, 5);
    assert_int_equal(r.spent.cache_write, 7);
    assert_int_equal(r.tool_count, SF_COUNT(tools));
    for (size_t i = 0; i < r.tool_count; i++) {
        assert_string_equal(r.tools[i].name, tools[i].name);
        assert_int_equal(r.tools[i].calls, tools[i].calls);
        assert_int_equal(r.tools[i].failed, tools[i].failed);
    }
    assert_int_equal(r.files.count, 2);
    assert_string_equal(r.files.items[0], "a.txt");
    assert_string_equal(r.files.items[1], "b/c.txt");
    assert_int_equal(r.verdict_count, 1);
    assert_string_equal(r.verdicts[0].verdict, "allow");
    sf_report_release(&r);
}

static void test_texts(void **state)
{
    static const char *const words[] = { "turns: 2, of which 1 done, 1 failed",
                                         "sub-agents: 1",
                                         "| Bash | 1 | 1 |",
                                         "| allow |",
                                         "- `b/c.txt`",
                                         "test-model | 5 | 150 | 5 | 7 | 15 |" };
    struct session_case *c = *state;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_session_report r;
    struct sf_json *json;
    char *path;

    run(c);
    count(c, &r);
    sf_report_markdown(&r, &text);
    for (size_t i = 0; i < SF_COUNT(words); i++)
        if (!strstr(text.buf, words[i]))
            fail_msg("no \"%s\" in\n%s", words[i], text.buf);
    sf_strbuf_reset(&text);
    sf_report_json(&r, &text);
    json = sf_json_parse(text.buf, text.len, NULL, &err);
    assert_non_null(json);
    sf_json_free(json);
    path = test_path(c->dir, "report.json");
    assert_true(sf_export_text(path, &text, &err));
    assert_false(sf_export_text(path, &text, &err)); /* never over what is there */
    assert_int_equal(err.code, SF_E_EXIST);
    free(path);
    sf_report_release(&r);
    sf_strbuf_release(&text);
}

/* Names come from models and imported sessions. */
static void test_outsiders_names(void **state)
{
    static const char result[] =
        "{\"message\":{\"role\":\"user\",\"blocks\":[{\"kind\":\"result\",\"id\":\"x\",\"name\":"
        "\"A\\u001b[31m|B\\nC\",\"error\":false,\"text\":\"\"}]},\"detail\":{\"diff\":"
        "\"--- a/x\\u001b]0;t\\u0007\\n+++ b/x\\u001b]0;t\\u0007\\n@@\\n--- a/none\\n\"}}";
    struct session_case *c = *state;
    struct sf_event_new event = {
        .surface = "tui", .kind = SF_LOG_RESULT, .json = result, .len = sizeof(result) - 1
    };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_event_ref ref;
    struct sf_session_report r;

    session_case_serve(c, SF_WIRE_ANTHROPIC, "reply\n    text \"Yes.\"\n");
    session_case_open(c, NULL);
    event.session = sf_session_id(c->session);
    assert_true(sf_store_append(c->store, &event, &ref, &err));
    count(c, &r);
    assert_int_equal(r.tool_count, 1);
    assert_int_equal(r.files.count, 1);
    sf_report_markdown(&r, &text);
    assert_null(strchr(text.buf, 033));
    assert_non_null(strstr(text.buf, "| 1 | 0 |\n"));
    sf_report_release(&r);
    sf_strbuf_release(&text);
    assert_false(sf_report_read(&r, c->store, c->state_dir, "nosuch", &err));
    sf_report_release(&r);
}

/* Files beyond those that are listed are counted, each once. */
static void test_many_files(void **state)
{
    struct session_case *c = *state;
    struct sf_event_new event = { .surface = "tui", .kind = SF_LOG_RESULT };
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_event_ref ref;
    struct sf_session_report r;

    session_case_serve(c, SF_WIRE_ANTHROPIC, "reply\n    text \"Yes.\"\n");
    session_case_open(c, NULL);
    sf_strbuf_adds(&json, "{\"message\":{\"role\":\"user\",\"blocks\":[{\"kind\":\"result\",\"id\":"
                          "\"x\",\"name\":\"Bash\",\"error\":false,\"text\":\"\"}]},"
                          "\"detail\":{\"diff\":\"");
    for (unsigned i = 0; i < 2 * (SF_REPORT_FILES + 20); i++)
        sf_strbuf_addf(&json, "--- a/%u\\n+++ b/%u\\n@@\\n", i / 2, i / 2);
    sf_strbuf_adds(&json, "\"}}");
    event.session = sf_session_id(c->session);
    event.json = json.buf;
    event.len = json.len;
    assert_true(sf_store_append(c->store, &event, &ref, &err));
    count(c, &r);
    assert_int_equal(r.files.count, SF_REPORT_FILES);
    assert_int_equal(r.more_files, 20);
    sf_report_release(&r);
    sf_strbuf_release(&json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_counts, session_case_setup, session_case_teardown),
        cmocka_unit_test_setup_teardown(test_texts, session_case_setup, session_case_teardown),
        cmocka_unit_test_setup_teardown(test_many_files, session_case_setup, session_case_teardown),
        cmocka_unit_test_setup_teardown(test_outsiders_names, session_case_setup,
                                        session_case_teardown),
    };

    test_use_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
