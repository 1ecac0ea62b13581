/*
 * The scenario reader: what a script may say, and that a slip in it is named with its line.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "support/model_scenario.h"
#include "support/test.h"

static const struct {
    const char *name, *text;
    unsigned line;
    const char *says;
} slips[] = {
    { "nothing", "", 0, "the scenario has no reply" },
    { "comments only", "# a\n\n  # b\n", 0, "the scenario has no reply" },
    { "an unknown word", "reply\n\nsing \"a\"\n", 3, "there is no directive \"sing\"" },
    { "a value alone", "reply\n\"a\"\n", 2, "there is no directive" },
    { "a step before any reply", "text \"a\"\n", 1, "text belongs behind a reply line" },
    { "the key behind a reply", "reply\nkey a\n", 2, "key belongs before the first reply" },
    { "text without value", "reply\ntext\n", 2, "text needs a value in quotes" },
    { "text without quotes", "reply\ntext hello\n", 2, "text takes 0 words, not 1" },
    { "text without end", "reply\ntext \"a\n", 2, "the quoted text has no end" },
    { "text with a wrong escape", "reply\ntext \"\\x\"\n", 2, "" },
    { "two values", "reply\ntext \"a\" \"b\"\n", 2, "one value is enough" },
    { "an object for text", "reply\ntext {}\n", 2, "text takes text in quotes, no object" },
    { "lines without end", "reply\ntext <<END\na\n END2\n", 2, "have no end" },
    { "an unknown option", "reply\ntext size=3 \"a\"\n", 2, "text has no option size" },
    { "an option that is no number", "reply\ntext delta=x \"a\"\n", 2, "\"x\" is no number" },
    { "arguments that are broken", "reply\ncall read {\"a\":}\n", 2, "" },
    { "arguments over lines, broken", "reply\ncall read <<{END\n{\n}}\nEND\n", 2, "" },
    { "a call without a tool", "reply\ncall {\"a\":1}\n", 2, "call takes 1 words, not 0" },
    { "an unknown variable", "reply\ntext \"${home}\"\n", 2, "there is no variable ${home}" },
    { "a variable without end", "reply\ntext \"${home\"\n", 2, "there is no variable" },
    { "fill in what is signed", "reply\nreasoning \"${fill:3}\"\n", 2, "what the server signs" },
    { "an unknown stop", "reply\nstop soon\n", 2, "\"soon\" is none of auto, end" },
    { "a status that is none", "reply\nstatus 42\n", 2, "42 is no status" },
    { "a status too high", "reply\nstatus 1000\n", 2, "1000 is more than 599" },
    { "an unknown way to cut", "reply\ncut 3 how=axe\n", 2, "\"axe\" is none of close, rst" },
    { "a cut nowhere", "reply\ncut here\n", 2, "\"here\" is no number" },
    { "a kind of reply", "reply often\n", 1, "a reply is no \"often\"" },
    { "garbage without seed", "reply garbage:\n", 1, "\"\" is no number" },
    { "a repeat too long", "reply repeat=99G\n", 1, "is more than" },
    { "a comparison", "reply\nexpect-tool-result read is \"a\"\n", 2, "takes \"contains\"" },
    { "bytes of nothing", "reply\nbytes\n", 2, "bytes are a value or hex=" },
    { "half a byte", "reply\nbytes hex=f\n", 2, "two digits each" },
    { "hex that is none", "reply\nbytes hex=zz\n", 2, "hex= takes digits" },
    { "a header of two lines", "reply\nheader A \"b\\r\\nC: d\"\n", 2, "a header is one line" },
};

static void test_slips(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(slips); i++) {
        struct sf_error err = SF_ERROR_INIT;
        struct model_scenario *s =
            model_scenario_parse(slips[i].text, strlen(slips[i].text), NULL, &err);
        bool taken = s != NULL;

        model_scenario_free(s);
        if (taken || err.line != slips[i].line || !strstr(err.msg, slips[i].says))
            fail_msg("%s: %s, line %u: %s", slips[i].name, taken ? "taken" : "refused", err.line,
                     err.msg);
    }
}

static const char full[] = "# all there is\n"
                           "key sk-1\n"
                           "model m-1\n"
                           "loop\n"
                           "reply repeat=3\n"
                           "  expect-tool-result read lacks \"x\"\n"
                           "  text delta=2 <<END\n"
                           "  one\n"
                           "    two ${workspace}\n"
                           "  END\n"
                           "  call bash id=c1 {\"command\": \"ls ${workspace}\"}\n"
                           "  call bash times=1k \"{broken\"\n"
                           "  usage input=1k cache-read=2\n"
                           "  stop max_tokens\n"
                           "reply garbage:7\r\n"
                           "reply\n"
                           "  status 429 retry-date=5 code=slow \"later\"\n"
                           "  cut headers how=rst\n";

static int scenario_setup(void **state)
{
    struct sf_strlist vars = SF_STRLIST_INIT;
    struct sf_error err = SF_ERROR_INIT;

    sf_strlist_add(&vars, "workspace=/a \"b\"");
    *state = model_scenario_parse(full, strlen(full), &vars, &err);
    sf_strlist_release(&vars);
    if (!*state)
        print_error("line %u: %s\n", err.line, err.msg);
    return *state ? 0 : -1;
}

static int scenario_teardown(void **state)
{
    model_scenario_free(*state);
    return 0;
}

static void test_full(void **state)
{
    const struct model_scenario *s = *state;
    const struct model_reply *r = s->replies;

    assert_string_equal(s->key, "sk-1");
    assert_string_equal(s->model, "m-1");
    assert_true(s->loop);
    assert_int_equal(s->count, 3);
    assert_int_equal(r[0].repeat, 3);
    assert_int_equal(r[0].expects[0].kind, MODEL_EXPECT_RESULT_LACKS);
    assert_int_equal(r[0].step_count, 3);
    assert_string_equal(r[0].steps[0].text, "one\n  two /a \"b\"");
    assert_int_equal(r[0].steps[0].delta, 2);
    assert_string_equal(r[0].steps[1].text, "{\"command\": \"ls /a \\\"b\\\"\"}");
    assert_string_equal(r[0].steps[1].id, "c1");
    assert_string_equal(r[0].steps[2].text, "{broken");
    assert_int_equal(r[0].steps[2].times, 1024);
    assert_int_equal(r[0].input, 1024);
    assert_int_equal(r[0].output, MODEL_NEVER);
    assert_int_equal(r[0].cache_read, 2);
    assert_int_equal(r[0].stop, MODEL_STOP_MAX_TOKENS);
    assert_int_equal(r[1].kind, MODEL_REPLY_GARBAGE);
    assert_int_equal(r[1].seed, 7);
    assert_int_equal(r[2].status, 429);
    assert_true(r[2].retry_date);
    assert_string_equal(r[2].code, "slow");
    assert_int_equal(r[2].cut_at, MODEL_AT_HEADERS);
    assert_true(r[2].cut_resets);
}

/* The scripts that are kept can be read. */
static void test_kept_scripts(void **state)
{
    DIR *dir = opendir(SF_SOURCE "/tests/scenarios");
    struct sf_strlist vars = SF_STRLIST_INIT;
    const struct dirent *entry;
    int count = 0, bad = 0;

    (void)state;
    sf_strlist_add(&vars, "workspace=/w");
    sf_strlist_add(&vars, "url=http://127.0.0.1:1");
    while (dir && (entry = readdir(dir))) {
        struct sf_error err = SF_ERROR_INIT;
        struct model_scenario *s;
        char *path, *text;
        size_t len;

        if (!strstr(entry->d_name, ".txt"))
            continue;
        path = test_path(SF_SOURCE "/tests/scenarios", entry->d_name);
        text = test_read(path, &len);
        s = model_scenario_parse(text, len, &vars, &err);
        count++;
        bad += !s;
        if (!s)
            print_error("%s:%u: %s\n", path, err.line, err.msg);
        model_scenario_free(s);
        free(text);
        free(path);
    }
    if (dir)
        closedir(dir);
    sf_strlist_release(&vars);
    assert_true(count > 0);
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slips),
        cmocka_unit_test(test_kept_scripts),
        cmocka_unit_test_setup_teardown(test_full, scenario_setup, scenario_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
