/*
 * A conversation far longer than the window: every request fits, what was pinned, the goal and the
 * rules come through every summary, and the log still has all of it.
 */
#include <string.h>

#include "base/base.h"
#include "session/session.h"
#include "support/session_case.h"
#include "support/test.h"

enum { WINDOW = 8000, OUTPUT = 800, TURNS = 300 };

static const char question[] = "Write a summary from which you could go on";

static bool holds(struct model_server *server, size_t request, const char *text)
{
    size_t len;
    const char *body = model_server_body(server, request, &len);

    return memmem(body, len, text, strlen(text)) != NULL;
}

static void must_hold(struct model_server *server, size_t request, const char *text)
{
    if (!holds(server, request, text))
        fail_msg("request %zu has no %s", request, text);
}

static void goal(struct session_case *c, const char *line)
{
    struct sf_goal_command command;
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_goal_command_parse(line, strlen(line), &command, &err) ||
        !sf_session_goal_do(c->session, &command, &err))
        fail_msg("%s: %s", line, err.msg);
}

static void pin(struct session_case *c, const char *text)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_session_pin(c->session, text, &err))
        fail_msg("%s: %s", text, err.msg);
}

static void serve(struct session_case *c, const char *scenario)
{
    session_case_window(c, WINDOW, OUTPUT);
    session_case_serve(c, SF_WIRE_ANTHROPIC, scenario);
    session_case_open(c, NULL);
}

/* ---- the long run ---- */

static bool count_users(const struct sf_event_row *event, void *ctx)
{
    int *users = ctx;

    *users += !strcmp(event->kind, SF_LOG_USER);
    return true;
}

static void check_log(struct session_case *c, int turns)
{
    const struct sf_event_filter filter = { .session = sf_session_id(c->session) };
    char *path = test_path(c->dir, "all.md"), *text, words[64];
    const struct sf_export how = { .store = c->store,
                                   .session = sf_session_id(c->session),
                                   .format = "md" };
    struct sf_error err = SF_ERROR_INIT;
    int users = 0;
    size_t len;

    assert_true(sf_store_each_event(c->store, &filter, count_users, &users, &err));
    assert_int_equal(users, turns);
    if (!sf_export_file(&how, path, &err))
        fail_msg("%s", err.msg);
    text = test_read(path, &len);
    for (int i = 0; i < turns; i += 37) {
        snprintf(words, sizeof(words), "step %d of the work", i);
        if (!strstr(text, words))
            fail_msg("the export has no %s", words);
    }
    free(text);
    free(path);
}

static void test_long_run(void **state)
{
    struct session_case *c = *state;
    char *agents = test_path(c->workspace.root, "AGENTS.md"), words[400];
    size_t summaries = 0;

    test_write(agents, "Always use tabs.\n", 17);
    free(agents);
    serve(c, "window 8000\nloop\nreply\n    text \"${fill:300} done, and on it goes.\"\n");
    goal(c, "port the parser --budget 1.5M");
    pin(c, "the port is 7433");
    for (int i = 0; i < TURNS; i++) {
        snprintf(words, sizeof(words), "step %d of the work: %0*d", i, 200, i);
        session_case_turn(c, words);
        if (c->status != SF_TURN_DONE)
            fail_msg("turn %d: %s", i, c->error.message);
    }
    session_case_check_history(c, "after all turns");
    session_case_check_server(c, "after all turns"); /* it checks the size of each request */
    for (size_t i = 0; i < model_server_count(c->server); i++) {
        if (!holds(c->server, i, question))
            continue;
        summaries++;
        must_hold(c->server, i, "1. the port is 7433");
        must_hold(c->server, i, "goal: port the parser (active; ");
        must_hold(c->server, i, "Always use tabs.");
        must_hold(c->server, i, "Each call is judged before it runs.");
        must_hold(c->server, i, "axes: build | assisted | trusted | smart");
        must_hold(c->server, i, "# Permissions");
        if (i + 1 < model_server_count(c->server)) {
            must_hold(c->server, i + 1, "1. the port is 7433");
            must_hold(c->server, i + 1, "goal: port the parser (active; ");
        }
    }
    if (summaries < 3)
        fail_msg("only %zu summaries", summaries);
    check_log(c, TURNS);
}

/* ---- pinned facts ---- */

static size_t count_in(struct session_case *c, size_t request, const char *text)
{
    size_t len, count = 0;
    const char *body = model_server_body(c->server, request, &len), *at = body;

    while ((at = memmem(at, len - (size_t)(at - body), text, strlen(text)))) {
        count++;
        at += strlen(text);
    }
    return count;
}

/* The list is told once after it changed, and what was sent before never changes. */
static void test_pins(void **state)
{
    struct session_case *c = *state;
    struct sf_error err = SF_ERROR_INIT;
    char id[SF_ID_LEN + 1];

    serve(c, "loop\nreply\n    text \"yes\"\n");
    pin(c, "tabs, not blanks");
    assert_false(sf_session_pin(c->session, "tabs, not blanks", &err));
    assert_int_equal(err.code, SF_E_EXIST);
    session_case_turn(c, "one");
    session_case_turn(c, "two");
    assert_int_equal(count_in(c, 0, "1. tabs, not blanks"), 1);
    assert_int_equal(count_in(c, 1, "1. tabs, not blanks"), 1);
    pin(c, "the port is 7433");
    snprintf(id, sizeof(id), "%s", sf_session_id(c->session));
    session_case_open(c, id); /* it was never told: who resumes tells it */
    assert_int_equal(sf_session_pins(c->session, &err)->count, 2);
    session_case_turn(c, "three");
    assert_int_equal(count_in(c, 2, "1. tabs, not blanks"), 2);
    assert_int_equal(count_in(c, 2, "2. the port is 7433"), 1);
    session_case_open(c, id);
    session_case_turn(c, "four");
    assert_int_equal(count_in(c, 3, "2. the port is 7433"), 1);
    assert_true(sf_session_unpin(c->session, 0, &err));
    assert_false(sf_session_unpin(c->session, 1, &err));
    assert_true(sf_session_unpin(c->session, 0, &err));
    session_case_turn(c, "five");
    assert_int_equal(count_in(c, 4, "Nothing is pinned any more."), 1);
    session_case_check_server(c, "pins");
}

static void test_pin_caps(void **state)
{
    struct session_case *c = *state;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    int count = 0;

    serve(c, "reply\n    text \"yes\"\n");
    assert_false(sf_session_pin(c->session, "", &err));
    sf_strbuf_fill(&text, 'x', SF_PIN_BYTES + 1);
    assert_false(sf_session_pin(c->session, text.buf, &err));
    assert_int_equal(err.code, SF_E_LIMIT);
    for (; count < 100; count++) {
        sf_strbuf_reset(&text);
        sf_strbuf_addf(&text, "fact %0*d", 300, count);
        if (!sf_session_pin(c->session, text.buf, &err))
            break;
    }
    assert_int_equal(count, SF_PINS_BYTES / 305);
    assert_int_equal(err.code, SF_E_LIMIT);
    sf_strbuf_release(&text);
    text = (struct sf_strbuf)SF_STRBUF_INIT;
    assert_true(sf_session_unpin(c->session, 0, &err));
    pin(c, "red \x1b[31m is not");
    assert_non_null(strstr(sf_session_pins(c->session, &err)->items[12], "\xe2\x90\x9b"));
}

/* ---- asked for ---- */

struct seen {
    int64_t before, after;
    char *summary;
};

static void watch(void *ctx, const struct sf_event *event)
{
    struct seen *seen = ctx;

    if (event->kind != SF_EVENT_COMPACTED)
        return;
    seen->before = event->compacted.before;
    seen->after = event->compacted.after;
    free(seen->summary);
    seen->summary = sf_strndup(event->compacted.summary, event->compacted.len);
}

static void compact(struct session_case *c, const char *focus)
{
    struct sf_error err = SF_ERROR_INIT;

    memset(c->event, 0, sizeof(c->event));
    if (!sf_session_compact(c->session, focus, &err))
        fail_msg("%s", err.msg);
    session_case_wait(c);
}

static void test_asked_for(void **state)
{
    struct session_case *c = *state;
    struct seen seen = { 0 };
    struct sf_error err = SF_ERROR_INIT;
    char id[SF_ID_LEN + 1];
    size_t count;

    c->watch = watch;
    c->watch_ctx = &seen;
    serve(c, "reply repeat=6\n    text \"${fill:2000}\"\n"
             "reply\n    expect-contains \"what matters most: the tests\"\n"
             "    text \"all tests pass but one\"\n"
             "reply\n    expect-contains \"all tests pass but one\"\n    text \"on\"\n");
    assert_false(sf_session_compact(c->session, NULL, &err));
    assert_non_null(strstr(err.msg, "nothing to sum up"));
    for (int i = 0; i < 6; i++)
        session_case_turn(c, "more");
    compact(c, "the tests");
    assert_int_equal(c->status, SF_TURN_DONE);
    assert_true(seen.before > seen.after && seen.after > 0);
    assert_non_null(strstr(seen.summary, "all tests pass but one"));
    count = sf_session_history(c->session)->count;
    snprintf(id, sizeof(id), "%s", sf_session_id(c->session));
    session_case_open(c, id); /* resuming gives the same short history */
    assert_int_equal(sf_session_history(c->session)->count, count);
    session_case_turn(c, "go on");
    session_case_check_server(c, "after the summary");
    free(seen.summary);
}

/* A service that fails costs the user nothing but the try. */
static void test_asked_for_in_vain(void **state)
{
    struct session_case *c = *state;
    size_t count;

    serve(c, "reply\n    text \"yes\"\nreply\n    status 500\nreply\n    text \"on\"\n");
    session_case_turn(c, "one");
    count = sf_session_history(c->session)->count;
    compact(c, NULL);
    assert_int_equal(c->status, SF_TURN_FAILED);
    assert_int_equal(sf_session_history(c->session)->count, count);
    assert_int_equal(c->event[SF_EVENT_COMPACTED], 0);
    session_case_turn(c, "two");
    assert_int_equal(c->status, SF_TURN_DONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_long_run, session_case_setup, session_case_teardown),
        cmocka_unit_test_setup_teardown(test_pins, session_case_setup, session_case_teardown),
        cmocka_unit_test_setup_teardown(test_pin_caps, session_case_setup, session_case_teardown),
        cmocka_unit_test_setup_teardown(test_asked_for, session_case_setup, session_case_teardown),
        cmocka_unit_test_setup_teardown(test_asked_for_in_vain, session_case_setup,
                                        session_case_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
