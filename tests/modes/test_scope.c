/*
 * Write scopes: which entry covers which.
 */
#include "base/base.h"
#include "modes/modes.h"
#include "support/test.h"

static const struct {
    const char *name, *other, *entry;
    bool want;
} cases[] = {
    { "everything covers a directory", "*", "src/", true },
    { "everything covers itself", "*", "*", true },
    { "a directory does not cover everything", "src/", "*", false },
    { "a directory covers itself", "src/", "src/", true },
    { "a directory covers a file below", "src/", "src/a.c", true },
    { "a directory covers a directory below", "src/", "src/deep/er/", true },
    { "a longer name is another directory", "src/", "src-evil/", false },
    { "a parent is wider", "src/guard/", "src/", false },
    { "a file covers itself", "README.md", "README.md", true },
    { "a file does not cover a longer name", "README.md", "README.md.bak", false },
    { "a file does not cover a directory", "src", "src/", false },
    { "dots lead out", "src/", "src/../tests/", false },
    { "a single dot is refused as well", "src/", "src/./a.c", false },
    { "nothing covers nothing", "", "a", false },
};

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++)
        if (sf_scope_entry_covers(cases[i].other, cases[i].entry) != cases[i].want)
            fail_msg("%s", cases[i].name);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_cases) };

    return cmocka_run_group_tests_name("scope", tests, NULL, NULL);
}
