/*
 * "Did you mean": what is near, what is too far, and words too long to bother.
 */
#include "base/base.h"
#include "support/test.h"

static const char *const names[] = { "mode",   "model", "permission-profile", "restore", "sessions",
                                     "status", "undo" };

static const struct {
    const char *name, *word, *want; /* NULL: silence */
} cases[] = {
    { "the very word", "mode", "mode" },
    { "one letter missing", "mde", "mode" },
    { "one letter too many", "modes", "mode" },
    { "one letter wrong", "mofe", "mode" },
    { "two letters swapped", "udno", "undo" },
    { "swapped in a long word", "retsore", "restore" },
    { "the nearer of two", "modell", "model" },
    { "the first of equals", "modx", "mode" },
    { "several mistakes in a long word", "sesions", "sessions" },
    { "two letters of six", "statsu", "status" },
    { "a stranger", "xyzzy", NULL },
    { "too short to guess", "q", NULL },
    { "nothing", "", NULL },
    { "half of a word is too far", "rest", NULL },
    { "a long beginning is near", "permissions", "permission-profile" },
    { "a beginning with too much behind it", "permissionlessness", NULL },
};

static const char *best(const char *word)
{
    struct sf_suggest s;

    sf_suggest_start(&s, word);
    for (size_t i = 0; i < SF_COUNT(names); i++)
        sf_suggest_offer(&s, names[i]);
    return s.best;
}

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        const char *got = best(cases[i].word);

        if (strcmp(got ? got : "", cases[i].want ? cases[i].want : "") != 0)
            fail_msg("%s: %s gave %s", cases[i].name, cases[i].word, got ? got : "nothing");
    }
}

static void test_long_words(void **state)
{
    struct sf_suggest s;
    char word[200], name[200];

    (void)state;
    memset(word, 'a', sizeof(word));
    memset(name, 'a', sizeof(name));
    word[96] = name[95] = '\0';
    sf_suggest_start(&s, word);
    sf_suggest_offer(&s, name);
    assert_ptr_equal(s.best, name);
    assert_int_equal(s.distance, 1);
    word[96] = 'a';
    word[97] = '\0';
    sf_suggest_start(&s, word);
    sf_suggest_offer(&s, name);
    assert_null(s.best);
    sf_suggest_start(&s, name);
    sf_suggest_offer(&s, word);
    assert_null(s.best);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_long_words),
    };

    return cmocka_run_group_tests_name("suggest", tests, NULL, NULL);
}
