/*
 * Commands the user types: through the engine, written down, told like calls, and read by the model
 * with the next words; also by one that resumes.
 */
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "support/session_case.h"
#include "support/test.h"
#include "support/tree.h"

static void open_with(struct session_case *c, const char *scenario)
{
    c->attended = true;
    c->reply = SF_REPLY_DENY;
    sf_strlist_add(&c->tools, "Read");
    session_case_serve(c, SF_WIRE_ANTHROPIC, scenario);
    session_case_open(c, NULL);
}

static void run(struct session_case *c, const char *command)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_session_shell(c->session, command, &err))
        fail_msg("%s: %s", command, err.msg);
    for (int i = 0; i < 10000 && sf_session_shell_runs(c->session); i++) {
        if (c->asked) { /* the harness asks, whoever typed it */
            char *id = c->asked;

            c->asked = NULL;
            sf_session_answer(c->session, id, c->reply, NULL, "test");
            free(id);
        }
        sf_loop_turn(c->loop, 100);
    }
    assert_false(sf_session_shell_runs(c->session));
}

static void test_model_reads_it(void **state)
{
    struct session_case *c = *state;

    open_with(c, "reply\n"
                 "    expect-contains \"$ echo one two\"\n"
                 "    expect-contains \"one two\"\n"
                 "    text \"seen\"\n"
                 "reply\n"
                 "    text \"again\"\n");
    run(c, "echo one two");
    assert_int_equal(c->event[SF_EVENT_CALL], 1);
    assert_int_equal(c->event[SF_EVENT_RESULT], 1);
    assert_int_equal(c->event[SF_EVENT_DONE], 0);
    session_case_turn(c, "what did I run?");
    assert_string_equal(c->text.buf, "seen");
    session_case_turn(c, "and now?");
    assert_string_equal(c->text.buf, "again");
    session_case_check_history(c, "after two turns");
    session_case_check_server(c, "after two turns");
}

static void test_resumed_session_knows_it(void **state)
{
    struct session_case *c = *state;
    char id[SF_ID_LEN + 1];

    open_with(c, "reply\n    expect-contains \"kept words\"\n    text \"seen\"\n");
    run(c, "echo kept words");
    snprintf(id, sizeof(id), "%s", sf_session_id(c->session));
    session_case_open(c, id);
    session_case_turn(c, "go on");
    assert_string_equal(c->text.buf, "seen");
    session_case_check_server(c, "resumed");
}

/* What the profile asks about is answered by having typed it; what destroys is not. */
static void test_engine(void **state)
{
    static const struct {
        const char *name, *command;
        bool runs;
    } cases[] = {
        { "an unknown program would ask", "./tool > made.txt", true },
        { "deleting asks whoever it is", "rm -rf src", false },
        { "the denylist holds", "rm -rf /", false },
    };
    struct session_case *c = *state;
    char *path;

    open_with(c, "reply\n    text \"x\"\n");
    tree_puts(c->workspace.root, "src/a.txt", "one\n");
    tree_puts(c->workspace.root, "tool", "#!/bin/sh\necho made\n");
    free(tree_run(c->workspace.root, "chmod +x tool", NULL));
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        run(c, cases[i].command);
        path = test_path(c->workspace.root, cases[i].runs ? "made.txt" : "src/a.txt");
        if (access(path, F_OK) != 0)
            fail_msg("%s: %s is not there", cases[i].name, path);
        free(path);
    }
}

static void test_one_at_a_time_and_cancel(void **state)
{
    struct session_case *c = *state;
    struct sf_error err = SF_ERROR_INIT;

    open_with(c, "reply\n    text \"x\"\n");
    assert_true(sf_session_shell(c->session, "sleep 100", &err));
    assert_false(sf_session_shell(c->session, "echo second", &err));
    assert_int_equal(err.code, SF_E_BUSY);
    sf_session_cancel(c->session);
    for (int i = 0; i < 1000 && sf_session_shell_runs(c->session); i++)
        sf_loop_turn(c->loop, 100);
    assert_false(sf_session_shell_runs(c->session));
    session_case_turn(c, "hello");
    assert_string_equal(c->text.buf, "x");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_model_reads_it, session_case_setup,
                                        session_case_teardown),
        cmocka_unit_test_setup_teardown(test_resumed_session_knows_it, session_case_setup,
                                        session_case_teardown),
        cmocka_unit_test_setup_teardown(test_engine, session_case_setup, session_case_teardown),
        cmocka_unit_test_setup_teardown(test_one_at_a_time_and_cancel, session_case_setup,
                                        session_case_teardown),
    };

    return cmocka_run_group_tests_name("session/shell", tests, NULL, NULL);
}
