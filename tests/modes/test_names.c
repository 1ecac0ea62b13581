/*
 * Word lists: what is found, what is offered instead, and words that try to escape.
 */
#include "base/base.h"
#include "modes/modes.h"
#include "support/test.h"

static const char *const fruit[] = { "apple", "banana", "cherry", NULL };

static const struct {
    const char *name, *word, *hint;
    int want; /* -1: an error with that hint */
} cases[] = {
    { "the first", "apple", "", 0 },
    { "the last", "cherry", "", 2 },
    { "a slip", "banan", "did you mean banana?", -1 },
    { "a stranger gets the list", "fig", "one of apple, banana, cherry", -1 },
    { "nothing", "", "one of apple, banana, cherry", -1 },
    { "capital letters are another word", "APPLE", "one of apple, banana, cherry", -1 },
    { "a blank behind", "apple ", "did you mean apple?", -1 },
};

static void test_parse(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_error err = SF_ERROR_INIT;
        int got = -1;

        if (sf_names_parse(fruit, "fruit", cases[i].word, &got, &err) != (cases[i].want >= 0) ||
            got != cases[i].want || strcmp(err.hint, cases[i].hint) != 0)
            fail_msg("%s: %d, %s", cases[i].name, got, err.hint);
        if (got < 0 && !strstr(err.msg, "there is no fruit called \""))
            fail_msg("%s: %s", cases[i].name, err.msg);
    }
}

static const struct {
    const char *name, *text, *want;
} quotes[] = {
    { "plain", "build", "build" },
    { "empty", "", "" },
    { "an escape is pictured", "\x1b[31m", "\xe2\x90\x9b[31m" },
    { "damage", "a\xff", "a\xef\xbf\xbd" },
    { "forty columns stay", "0123456789012345678901234567890123456789",
      "0123456789012345678901234567890123456789" },
    { "the forty-first is cut", "01234567890123456789012345678901234567890",
      "0123456789012345678901234567890123456789\xe2\x80\xa6" },
};

static void test_quote(void **state)
{
    char out[SF_QUOTE_MAX], widest[4096];

    (void)state;
    for (size_t i = 0; i < SF_COUNT(quotes); i++)
        if (strcmp(sf_quote(out, quotes[i].text, strlen(quotes[i].text)), quotes[i].want) != 0)
            fail_msg("%s: %s", quotes[i].name, out);
    memset(widest, '\x01', sizeof(widest));
    assert_true(strlen(sf_quote(out, widest, sizeof(widest))) < SF_QUOTE_MAX - 1);
    assert_true(sf_utf8_valid(out, strlen(out), NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse),
        cmocka_unit_test(test_quote),
    };

    return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
