/*
 * Old sessions that are opened at leisure: whatever is asked of them first, they answer as those do
 * that were read at once, and what no service would take is told where it is needed.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "support/long_session.h"
#include "support/session_case.h"
#include "support/store_case.h"
#include "support/test.h"

enum { EVENTS = 700 };

static const enum sf_wire_format formats[] = { SF_WIRE_ANTHROPIC, SF_WIRE_CHAT, SF_WIRE_RESPONSES };

static void make_long(struct session_case *c, size_t compact, char id[SF_ID_LEN + 1])
{
    const struct long_session how = { c->workspace.project, EVENTS, compact, 1 };
    struct sf_error err = SF_ERROR_INIT;

    if (!long_session_write(c->store, &how, id, &err))
        fail_msg("%s", err.msg);
}

static void append(struct session_case *c, const char *session, const char *kind, const char *json)
{
    const struct sf_event_new event = {
        .session = session, .surface = "tui", .kind = kind, .json = json, .len = strlen(json)
    };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_event_ref ref;

    if (!sf_store_append(c->store, &event, &ref, &err))
        fail_msg("%s", err.msg);
}

static void append_turns(struct session_case *c, const char *session, int count)
{
    for (int i = 0; i < count; i++) {
        append(
            c, session, SF_LOG_USER,
            "{\"message\":{\"role\":\"user\",\"blocks\":[{\"kind\":\"text\",\"text\":\"why?\"}]}}");
        append(c, session, SF_LOG_ASSISTANT,
               "{\"message\":{\"role\":\"assistant\",\"blocks\":[{\"kind\":\"text\",\"text\":"
               "\"So.\"}]}}");
        append(c, session, SF_LOG_END, "{\"status\":\"done\"}");
    }
}

static void fork_of(struct session_case *c, const char *session, char id[SF_ID_LEN + 1])
{
    const struct sf_fork fork = {
        .store = c->store, .session = session, .at = SF_FORK_LAST, .surface = "tui"
    };
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_fork_make(&fork, id, NULL, &err))
        fail_msg("%s", err.msg);
}

/* What the next request of a fork says, without the id of the session and the date. */
static char *next_request(struct session_case *c, const char *session, bool at_leisure)
{
    char id[SF_ID_LEN + 1];
    char *body, *at;

    fork_of(c, session, id);
    c->at_leisure = at_leisure;
    session_case_open(c, id);
    session_case_turn(c, "what next?");
    assert_int_equal(c->status, SF_TURN_DONE);
    session_case_check_server(c, "the request");
    body = session_case_body(c, model_server_count(c->server) - 1);
    for (at = body; (at = strstr(at, id));)
        memmove(at, at + strlen(id), strlen(at + strlen(id)) + 1);
    return body;
}

static void test_same_request(void **state)
{
    static const size_t summaries[] = { 0, 3, 25 };
    struct session_case *c = *state;
    char id[SF_ID_LEN + 1];

    for (size_t i = 0; i < SF_COUNT(summaries); i++) {
        make_long(c, summaries[i], id);
        for (size_t k = 0; k < SF_COUNT(formats); k++) {
            char *at_once, *at_leisure;

            session_case_serve(c, formats[k], "reply repeat=2\n    text \"Nothing.\"\n");
            at_once = next_request(c, id, false);
            at_leisure = next_request(c, id, true);
            assert_string_equal(at_once, at_leisure);
            assert_non_null(strstr(at_once, "of the parser is sound"));
            assert_true(summaries[i] || strstr(at_once, "prompt number 1:"));
            assert_true(!summaries[i] || !strstr(at_once, "prompt number 1:"));
            free(at_once);
            free(at_leisure);
        }
    }
}

static void test_on_the_loop(void **state)
{
    struct session_case *c = *state;
    int64_t deadline = sf_clock_monotonic_ms() + SESSION_CASE_HANG_MS, used, window;
    size_t whole;
    char id[SF_ID_LEN + 1];

    make_long(c, 0, id);
    session_case_serve(c, SF_WIRE_ANTHROPIC, "reply\n    text \"Yes.\"\n");
    session_case_open(c, id);
    whole = sf_session_history(c->session)->count;
    c->at_leisure = true;
    session_case_open(c, id);
    assert_true(sf_session_history(c->session)->count < whole);
    assert_false(sf_session_is_blank(c->session));
    sf_session_context(c->session, &used, &window);
    assert_int_equal(used, 800 + 120 + 4000); /* as the service counted */
    sf_loop_turn(c->loop, 0);
    assert_int_equal(sf_session_history(c->session)->count,
                     0); /* nobody is about to say something */
    sf_session_prepare(c->session);
    while (sf_session_history(c->session)->count < whole) {
        assert_true(sf_clock_monotonic_ms() < deadline);
        sf_loop_turn(c->loop, 1000);
    }
    sf_session_context(c->session, &used, &window);
    assert_int_equal(used, 800 + 120 + 4000);
    session_case_check_history(c, "read on the loop");
}

/* Closed while it is being read: nothing is left behind. */
static void test_closed_early(void **state)
{
    struct session_case *c = *state;
    char id[SF_ID_LEN + 1];

    make_long(c, 0, id);
    session_case_serve(c, SF_WIRE_ANTHROPIC, "reply\n    text \"Yes.\"\n");
    c->at_leisure = true;
    for (int i = 0; i < 3; i++) {
        session_case_open(c, id);
        sf_session_prepare(c->session);
        for (int turn = 0; turn < i; turn++)
            sf_loop_turn(c->loop, 0);
    }
}

static const char open_call[] =
    "{\"message\":{\"role\":\"assistant\",\"blocks\":[{\"kind\":\"call\",\"id\":\"x\",\"name\":"
    "\"Read\",\"arguments\":\"{}\"}]}}";
static const char prompt[] =
    "{\"message\":{\"role\":\"user\",\"blocks\":[{\"kind\":\"text\",\"text\":\"one more\"}]}}";

/* A turn that a death cut off is repaired before anybody looks at the log. */
static void test_cut_off(void **state)
{
    struct session_case *c = *state;
    struct sf_event_count results, ends;
    struct sf_error err = SF_ERROR_INIT;
    char id[SF_ID_LEN + 1];

    make_long(c, 20, id);
    append(c, id, SF_LOG_USER, prompt);
    append(c, id, SF_LOG_ASSISTANT, open_call);
    session_case_serve(c, SF_WIRE_ANTHROPIC, "reply\n    text \"Yes.\"\n");
    assert_true(sf_store_event_count(c->store, id, SF_LOG_RESULT, INT64_MAX, &results, &err));
    c->at_leisure = true;
    session_case_open(c, id);
    assert_true(sf_store_event_count(c->store, id, SF_LOG_END, INT64_MAX, &ends, &err));
    assert_true(ends.last > results.last);
    assert_true(sf_store_event_count(c->store, id, SF_LOG_RESULT, INT64_MAX, &results, &err));
    assert_int_equal(results.last, ends.last - 1);
    session_case_turn(c, "go on");
    assert_int_equal(c->status, SF_TURN_DONE);
    session_case_check_server(c, "a turn that was cut off");
}

/* An answer to no call: told with the words that need the history, and nothing is sent. */
static void test_broken(void **state)
{
    struct session_case *c = *state;
    struct sf_error err = SF_ERROR_INIT;
    char id[SF_ID_LEN + 1];

    make_long(c, 0, id);
    append(c, id, SF_LOG_RESULT,
           "{\"message\":{\"role\":\"user\",\"blocks\":[{\"kind\":\"result\",\"id\":\"nobody\","
           "\"name\":\"Read\",\"error\":false,\"text\":\"\"}]},\"detail\":{\"planted\":true}}");
    session_case_serve(c, SF_WIRE_ANTHROPIC, "reply\n    text \"Yes.\"\n");
    c->at_leisure = true;
    session_case_open(c, id);
    for (int i = 0; i < 2; i++) {
        assert_false(sf_session_send(c->session, "go on", 5, &err));
        assert_non_null(strstr(err.msg, "answers no call"));
    }
    assert_false(sf_session_shell(c->session, "true", &err));
    assert_int_equal(model_server_count(c->server), 0);
}

/* What no summary touches comes back too, however far before the last one it lies. */
static void test_keepsakes(void **state)
{
    struct session_case *c = *state;
    struct sf_error err = SF_ERROR_INIT;
    const struct sf_strlist *pins;
    size_t len;
    const char *body;
    char id[SF_ID_LEN + 1];

    make_long(c, 0, id);
    append(c, id, "pin", "{\"text\":\"tabs, not blanks\"}");
    append(c, id, "pin", "{\"text\":\"the port is 7433\"}");
    append(c, id, "unpin", "{\"text\":\"tabs, not blanks\"}");
    append(c, id, "model", "{\"asked\":\"a-model\"}");
    append(c, id, "model", "{\"asked\":\"another-model\"}");
    append(
        c, id, "shell",
        "{\"id\":\"you-1\",\"planted\":true,\"command\":\"cd src\",\"exit\":0,\"error\":false,\"text\":\"\","
        "\"cwd\":\"src\"}");
    append_turns(c, id, 40);
    append(c, id, SF_LOG_COMPACTION, "{\"summary\":\"so far\",\"keep\":2}");
    session_case_serve(c, SF_WIRE_ANTHROPIC, "reply\n    text \"Yes.\"\n");
    c->at_leisure = true;
    session_case_open(c, id);
    assert_string_equal(sf_session_model(c->session), "another-model");
    sf_session_set_model(c->session, "a-third-one"); /* what is read later does not undo it */
    pins = sf_session_pins(c->session, &err);
    assert_non_null(pins);
    assert_int_equal(pins->count, 1);
    assert_string_equal(pins->items[0], "the port is 7433");
    session_case_turn(c, "go on");
    assert_int_equal(c->status, SF_TURN_DONE);
    body = model_server_body(c->server, 0, &len);
    assert_non_null(memmem(body, len, "a-third-one", 11));
    assert_null(memmem(body, len, "directory: src", 14)); /* the shell begins where one stands */
    session_case_check_server(c, "after a summary");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_same_request, session_case_setup,
                                        session_case_teardown),
        cmocka_unit_test_setup_teardown(test_on_the_loop, session_case_setup,
                                        session_case_teardown),
        cmocka_unit_test_setup_teardown(test_closed_early, session_case_setup,
                                        session_case_teardown),
        cmocka_unit_test_setup_teardown(test_cut_off, session_case_setup, session_case_teardown),
        cmocka_unit_test_setup_teardown(test_broken, session_case_setup, session_case_teardown),
        cmocka_unit_test_setup_teardown(test_keepsakes, session_case_setup, session_case_teardown),
    };

    test_use_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
