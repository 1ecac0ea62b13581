/*
 * What runs without a screen say of the state: whose axes `sf mode` shows, the approval mode beside
 * them, and what is known of files that turns changed.
 */
#include "base/base.h"
#include "support/agent_sandbox.h"
#include "support/test.h"

/* A session in which nothing was said is not the one that -c takes, and says so. */
static void test_which_session(void **state)
{
    struct sandbox *w = *state;

    agent_sandbox_file(w, "src/a.c", "x\n");
    sandbox_expect(w, "-p 'list src'", 0, NULL, NULL);
    sandbox_expect(w, "-p '/mode plan'", 0, "plan | ", "-c changes the last one");
    sandbox_expect(w, "mode", 0, "SF build | ", NULL);
    sandbox_expect(w, "mode chat", 0, "SF chat | ", NULL);
    sandbox_expect(w, "-c -p /status", 0, "| work mode | chat |", NULL);
    sandbox_expect(w, "-c -p '/mode review'", 0, "review | ", "");
    sandbox_expect(w, "mode", 0, "SF review | ", NULL);
}

/* Under `never` the profile alone says nothing, so every state names the mode. */
static void test_approval_mode(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server;
    struct outcome o;

    agent_sandbox_settings(w, "[guard]\napproval_mode = \"never\"\n");
    server =
        agent_sandbox_serve(w, SF_WIRE_CHAT,
                            "reply\n    expect-contains \"approval mode never: nobody is asked\"\n"
                            "    text \"fine\"\n",
                            NULL);
    o = sandbox_run(w, "exec --output-format stream-json hello");
    assert_int_equal(o.code, 0);
    assert_non_null(strstr(o.out, "\"type\":\"axes\""));
    assert_non_null(strstr(o.out, "\"approval_mode\":\"never\""));
    agent_sandbox_check(server, "the model is told");
    model_server_stop(server);
    outcome_release(&o);
    sandbox_expect(w, "mode", 0, "(approval: never)", NULL);
    sandbox_expect(w, "mode --json", 0, "\"approval_mode\":\"never\"", NULL);
    sandbox_expect(w, "-c -p '/control assisted'", 0, "approval never", NULL);
}

static const char *const looks[] = { "-c -p /diff", "-c -p /undo", "-c -p '/backtrack 1 files'" };

/* Without snapshots nobody knows whether a turn changed files, and nobody claims that none did. */
static void test_without_snapshots(void **state)
{
    static const char settings[] = "[snapshots]\nenabled = false\n";
    struct sandbox *w = *state;

    test_write(w->config, settings, sizeof(settings) - 1);
    sandbox_expect(w, "-p 'create x.txt with hello' --on-ask allow --provider offline", 0,
                   "created", NULL);
    for (size_t i = 0; i < SF_COUNT(looks); i++) {
        struct outcome o = sandbox_run(w, looks[i]);

        if (!strstr(o.err, "no snapshot") || strstr(o.err, "no turn"))
            fail_msg("%s: %s", looks[i], o.err);
        outcome_release(&o);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_which_session, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_approval_mode, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_without_snapshots, sandbox_setup, sandbox_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
