/*
 * Events as sentences: every kind has one, what nobody knows or cannot read keeps its data, and
 * nothing in an event moves the cursor or fills the screen.
 */
#include "base/base.h"
#include "session/session.h"
#include "support/test.h"

#define MESSAGE(role, block) "{\"message\":{\"role\":\"" role "\",\"blocks\":[" block "]}"

static const struct {
    const char *name, *kind, *json, *want;
} cases[] = {
    { "a prompt", "user", MESSAGE("user", "{\"kind\":\"text\",\"text\":\"fix\\nit\"}") "}",
      "you: fix it" },
    { "an answer", "assistant", MESSAGE("assistant", "{\"kind\":\"text\",\"text\":\"Done.\"}") "}",
      "sf: Done." },
    { "an answer that calls", "assistant",
      MESSAGE("assistant", "{\"kind\":\"text\",\"text\":\"Look.\"},{\"kind\":\"call\",\"id\":\"1\","
                           "\"name\":\"Read\",\"arguments\":\"{\\\"limit\\\":3,\\\"file_path\\\":"
                           "\\\"a.c\\\"}\"},{\"kind\":\"call\",\"id\":\"2\",\"name\":\"LS\","
                           "\"arguments\":\"{}\"}") "}",
      "sf: Look.; calls Read a.c; LS" },
    { "a result with a summary", "result",
      MESSAGE(
          "user",
          "{\"kind\":\"result\",\"id\":\"1\",\"name\":\"Read\",\"error\":false,\"text\":\"…\"}") ",\"detail\":{\"summary\":\"read a.c (3 lines)\"}}",
      "Read: read a.c (3 lines)" },
    { "a failure", "result",
      MESSAGE("user", "{\"kind\":\"result\",\"id\":\"1\",\"name\":\"Bash\",\"error\":true,"
                      "\"text\":\"no\"}") "}",
      "Bash failed: no" },
    { "an end", "end", "{\"status\":\"done\"}", "the turn is over: done" },
    { "an end with its reason", "end",
      "{\"status\":\"failed\",\"fault\":\"auth\",\"message\":\"the key is wrong\"}",
      "the turn is over: failed: the key is wrong" },
    { "an end at a limit", "end", "{\"status\":\"stopped\",\"limit\":\"max_turns\"}",
      "the turn is over: stopped, limit max_turns" },
    { "a command of the user's", "shell", "{\"command\":\"ls\",\"exit\":0,\"text\":\"\"}",
      "you ran ls: exit 0" },
    { "a plan", "plan", "{\"items\":[{\"x\":1},{\"x\":2}]}", "noted a plan of 2 steps" },
    { "a goal", "goal", "{\"goal\":{\"text\":\"ship it\",\"status\":\"paused\"}}",
      "the goal is paused: ship it" },
    { "a change of the mode", "transition",
      "{\"timestamp\":\"x\",\"from\":{\"work\":\"plan\",\"profile\":\"default\"},\"to\":"
      "{\"work\":\"build\",\"profile\":\"default\",\"trust\":true},\"reason\":\"go\","
      "\"actor\":\"user\",\"outcome\":\"refused\",\"note\":\"not now\"}",
      "user changes the mode, refused: work build, trust true; go; not now" },
    { "a change of nothing", "transition",
      "{\"from\":{\"work\":\"plan\"},\"to\":{\"work\":\"plan\"},\"reason\":\"\",\"actor\":"
      "\"model\",\"outcome\":\"applied\"}",
      "model changes the mode, applied: nothing" },
    { "a pinned fact", "pin", "{\"text\":\"tabs\"}", "pinned: tabs" },
    { "an unpinned fact", "unpin", "{\"text\":\"tabs\"}", "no longer pinned: tabs" },
    { "words of sf's", "remark", "{\"text\":\"half is used\"}", "sf to the model: half is used" },
    { "a verdict", "decision",
      "{\"tool\":\"Write\",\"action\":\"a.txt\",\"verdict\":\"ask\",\"rule\":\"manual\","
      "\"reason\":\"it asks\",\"answer\":\"allow once\",\"answered_by\":\"user\"}",
      "ask Write a.txt, rule manual: it asks; user said allow once" },
    { "a verdict nobody was asked about", "decision",
      "{\"tool\":\"LS\",\"action\":\"\",\"verdict\":\"allow\",\"rule\":\"read\","
      "\"reason\":\"it reads\",\"answer\":null,\"answered_by\":null}",
      "allow LS, rule read: it reads" },
    { "a list is joined", "scope_audit",
      "{\"scope\":\"test\",\"what\":\"put back\",\"paths\":[\"a\",\"b\"]}",
      "outside scope test, put back: a, b" },
    { "a repair", "doctor.repaired",
      "{\"number\":3,\"check\":\"git-locks\",\"text\":\"a lock stayed\",\"acts\":[]}",
      "repair 3, git-locks: a lock stayed" },
    { "a kind nobody knows", "moon", "{\"phase\":\"full\"}", "{\"phase\":\"full\"}" },
    { "a kind of another shape", "user", "{\"x\":1}", "{\"x\":1}" },
    { "no JSON", "end", "\033[2Jnonsense", "␛[2Jnonsense" },
};

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_strbuf out = SF_STRBUF_INIT;

        sf_event_text_add(&out, cases[i].kind, cases[i].json, strlen(cases[i].json));
        if (strcmp(out.buf, cases[i].want) != 0)
            fail_msg("%s: got '%s', want '%s'", cases[i].name, out.buf, cases[i].want);
        sf_strbuf_release(&out);
    }
}

/* An event with the members that sentences need; without a sentence it is shown as it is. */
static void test_every_kind_has_a_sentence(void **state)
{
    static const char json[] = MESSAGE(
        "user",
        "{\"kind\":\"text\",\"text\":\"x\"}") ",\"goal\":"
                                              "{\"text\":\"x\",\"status\":\"active\"},\"to\":{\"work\":\"plan\"}}";

    (void)state;
    for (size_t i = 0; sf_log_kinds[i]; i++) {
        struct sf_strbuf out = SF_STRBUF_INIT;

        sf_event_text_add(&out, sf_log_kinds[i], json, strlen(json));
        if (out.buf[0] == '{')
            fail_msg("%s has no sentence: %s", sf_log_kinds[i], out.buf);
        sf_strbuf_release(&out);
    }
}

static void test_long_ones_are_cut(void **state)
{
    struct sf_strbuf json = SF_STRBUF_INIT, out = SF_STRBUF_INIT;

    (void)state;
    sf_strbuf_adds(&json, "{\"text\":\"");
    for (int i = 0; i < 10000; i++)
        sf_strbuf_adds(&json, "漢字 ");
    sf_strbuf_adds(&json, "\"}");
    sf_event_text_add(&out, "steer", json.buf, json.len);
    assert_true(sf_text_width(out.buf, out.len) <= SF_EVENT_TEXT_COLUMNS + 1);
    assert_string_equal(out.buf + out.len - strlen("…"), "…");
    assert_true(sf_utf8_valid(out.buf, out.len, NULL));
    sf_strbuf_release(&json);
    sf_strbuf_release(&out);
}

static void test_data(void **state)
{
    struct sf_strbuf out = SF_STRBUF_INIT;
    static const char json[] = "{\"a\":[1,{\"b\":\"x\\ny\"}],\"c\":{},\"d\":[]}";

    (void)state;
    sf_event_text_data(&out, json, strlen(json));
    assert_string_equal(out.buf,
                        "{\n  \"a\": [\n    1,\n    {\n      \"b\": \"x\\ny\"\n    }\n  ],\n"
                        "  \"c\": {},\n  \"d\": []\n}");
    sf_strbuf_reset(&out);
    sf_event_text_data(&out, "nonsense", 8);
    assert_string_equal(out.buf, "nonsense");
    sf_strbuf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_every_kind_has_a_sentence),
        cmocka_unit_test(test_long_ones_are_cut),
        cmocka_unit_test(test_data),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
