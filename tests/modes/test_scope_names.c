/*
 * test_scope_names.c: which names a scope may have, byte by byte and up to the longest.
 */
#include <string.h>

#include "base/base.h"
#include "modes/modes.h"
#include "support/test.h"

static void test_bytes(void **state)
{
    static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";

    (void)state;
    for (int c = 1; c < 256; c++) {
        const char name[] = { 'x', (char)c, 0 };
        bool want = strchr(good, c) != NULL;

        if (sf_scope_name_ok(name) != want)
            fail_msg("byte %d is %s", c, want ? "refused" : "taken");
    }
}

static void test_lengths(void **state)
{
    char name[SF_SCOPE_NAME_MAX + 2];

    (void)state;
    memset(name, 'a', sizeof(name));
    name[SF_SCOPE_NAME_MAX + 1] = '\0';
    assert_false(sf_scope_name_ok(name));
    name[SF_SCOPE_NAME_MAX] = '\0';
    assert_true(sf_scope_name_ok(name));
    assert_false(sf_scope_name_ok(""));
    assert_false(sf_scope_name_ok("-a"));
    assert_true(sf_scope_name_ok("a-"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_lengths),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
