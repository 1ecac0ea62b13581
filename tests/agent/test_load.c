/*
 * test_load.c: an event of the log that cannot be read stops the resuming with a reason; what was read
 * before it stays as it was.
 */
#include <string.h>

#include "agent/agent.h"
#include "support/test.h"

#define USER "{\"message\":{\"role\":\"user\",\"blocks\":[{\"kind\":\"text\",\"text\":\"go\"}]}}"
#define ANSWER \
    "{\"message\":{\"role\":\"assistant\",\"blocks\":[{\"kind\":\"text\",\"text\":\"yes\"}]}}"
#define CALL                                                                                      \
    "{\"message\":{\"role\":\"assistant\",\"blocks\":[{\"kind\":\"call\",\"id\":\"c1\",\"name\":" \
    "\"Read\",\"arguments\":\"{}\"}]}}"
#define RESULT(id)                                                                                 \
    "{\"message\":{\"role\":\"user\",\"blocks\":[{\"kind\":\"result\",\"id\":\"" id "\",\"name\":" \
    "\"Read\",\"error\":false,\"text\":\"x\"}]}}"

static const struct {
    const char *name, *kind, *json;
    const char *why; /* NULL: it can be read */
} rows[] = {
    { "an answer", "assistant", ANSWER, NULL },
    { "a kind of later versions", "holiday", "{\"any\":1}", NULL },
    { "no JSON at all", "assistant", "{\"message\":", "the event assistant cannot be read" },
    { "a user's event without a message", "user", "{}", "it has no message" },
    { "an answer without a message", "assistant", "{}", "it has no message" },
    { "an answer in the user's role", "assistant", USER, "the wrong role" },
    { "words in the model's role", "user", ANSWER, "the wrong role" },
    { "a message of an unknown role", "user", "{\"message\":{\"role\":\"cat\",\"blocks\":[]}}",
      "the event user cannot be read" },
    { "a result of no call", "result", RESULT("c9"), "it answers no call" },
    { "words in place of a result", "result", USER, "it answers no call" },
    { "a steer without words", "steer", "{}", "the event steer cannot be read" },
    { "a remark without words", "remark", "{\"text\":7}", "the event remark cannot be read" },
    { "a compaction without a summary", "compaction", "{\"keep\":0}",
      "the event compaction cannot be read" },
    { "a compaction without a number", "compaction", "{\"summary\":\"s\"}",
      "the event compaction cannot be read" },
    { "a compaction that keeps all there is", "compaction", "{\"summary\":\"s\",\"keep\":1}",
      NULL },
    { "a compaction that keeps more", "compaction", "{\"summary\":\"s\",\"keep\":2}",
      "it keeps more messages than there are" },
    { "a compaction that keeps less than none", "compaction", "{\"summary\":\"s\",\"keep\":-1}",
      "it keeps more messages than there are" },
    { "what to forget is no text", "forget", "{\"what\":3}", "the event forget cannot be read" },
};

static bool load(struct sf_agent *agent, const char *kind, const char *json, struct sf_error *err)
{
    return sf_agent_load(agent, kind, json, strlen(json), err);
}

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        const struct sf_agent_setup setup = { .window = 0 };
        struct sf_agent *agent = sf_agent_new(&setup);
        struct sf_error err = SF_ERROR_INIT;
        size_t count;
        bool ok;

        assert_true(load(agent, "user", USER, &err));
        count = sf_agent_history(agent)->count;
        ok = load(agent, rows[i].kind, rows[i].json, &err);
        if (ok == (rows[i].why != NULL))
            fail_msg("%s: %s", rows[i].name, ok ? "it is taken" : err.msg);
        if (!ok && rows[i].why && !strstr(err.msg, rows[i].why))
            fail_msg("%s: '%s' does not say '%s'", rows[i].name, err.msg, rows[i].why);
        if (!ok && sf_agent_history(agent)->count != count)
            fail_msg("%s: something of it stayed", rows[i].name);
        sf_agent_free(agent);
    }
}

/* A result belongs to a call that waits for it, and to that one only. */
static void test_results(void **state)
{
    const struct sf_agent_setup setup = { .window = 0 };
    struct sf_agent *agent = sf_agent_new(&setup);
    struct sf_error err = SF_ERROR_INIT;

    (void)state;
    assert_true(load(agent, "user", USER, &err));
    assert_true(load(agent, "assistant", CALL, &err));
    assert_false(load(agent, "result", RESULT("c2"), &err));
    if (!load(agent, "result", RESULT("c1"), &err))
        fail_msg("%s", err.msg);
    assert_false(load(agent, "result", RESULT("c1"), &err));
    sf_agent_free(agent);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_results),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
