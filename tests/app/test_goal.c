/* sf goal: what other programs ask and set, with exit codes that tell them apart. */
#include "base/base.h"
#include "support/agent_sandbox.h"
#include "support/test.h"

static const struct {
    const char *words;
    int code;
    const char *out, *err;
} steps[] = {
    { "goal", 0, "there is no goal", NULL },
    { "goal get --json", 0, "\"goal\":null", NULL },
    { "goal pause", 2, NULL, "there is no goal" },
    { "goal set", 2, NULL, "a goal needs words" },
    { "goal set port the parser --budget much", 2, NULL, "not a number of tokens" },
    { "goal set port the parser --budget 1.5M", 0, "active: port the parser (0 of 1.5M", NULL },
    { "goal get --json", 0,
      "\"text\":\"port the parser\",\"status\":\"active\",\"why\":null,"
      "\"budget\":1500000,\"tokens_used\":0",
      NULL },
    { "goal resume", 2, NULL, "active already" },
    { "goal pause", 0, "paused: port the parser", NULL },
    { "goal blocked no key yet", 0, "blocked: port the parser (no key yet;", NULL },
    { "goal resume --budget 50k", 0, "active: port the parser (0 of 50k", NULL },
    { "goal set --budget none", 0, "active: port the parser (0 tokens", NULL },
    { "goal complete", 0, "complete: port the parser", NULL },
    { "goal resume", 2, NULL, "complete cannot become active" },
    { "goal set --json another", 0, "\"status\":\"active\"", NULL },
    { "goal set --session nosuch x", 2, NULL, "nosuch" },
    { "goal set --session project x", 2, NULL, "is not a conversation" },
    { "goal clear", 0, "there is no goal", NULL },
    { "goal clear", 2, NULL, "there is no goal" },
    { "log --kind goal --json", 0, "\"status\":\"complete\"", NULL },
};

static void test_steps(void **state)
{
    struct sandbox *w = *state;

    sandbox_expect(w, "goal set x", 2, NULL, "there is no session here yet");
    sandbox_expect(w, "-p hello", 0, NULL, NULL);
    for (size_t i = 0; i < SF_COUNT(steps); i++)
        sandbox_expect(w, steps[i].words, steps[i].code, steps[i].out, steps[i].err);
}

/* A run without a screen has the goal of its session, tells the model and says when it is used up. */
static void test_headless(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server = agent_sandbox_serve(
        w, SF_WIRE_CHAT,
        "reply\n    text \"hello\"\n"
        "reply\n    expect-contains \"goal: port the parser (active; 0 of 1k\"\n"
        "    usage input=2000 output=20\n    text \"done\"\n",
        NULL);

    sandbox_expect(w, "-p hello", 0, "hello", NULL);
    sandbox_expect(w, "goal set port the parser --budget 1k", 0, NULL, NULL);
    sandbox_expect(w, "-c -p go", 0, "done", "goal active → budget_limited");
    sandbox_expect(w, "goal", 0, "budget_limited: port the parser (2k of 1k tokens", NULL);
    agent_sandbox_check(server, "headless");
    model_server_stop(server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_steps, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_headless, sandbox_setup, sandbox_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
