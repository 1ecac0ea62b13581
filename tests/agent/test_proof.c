/*
 * What a check proves, by the words of common runners: nothing that ran no test has passed.
 */
#include "agent/agent.h"
#include "base/base.h"
#include "support/test.h"

static const struct {
    const char *name;
    int code;
    const char *output;
    enum sf_proof want;
} cases[] = {
    { "a script of one's own", 0, "all fine\n", SF_PROOF_PASSED },
    { "silence", 0, "", SF_PROOF_PASSED },
    { "a failing script", 1, "", SF_PROOF_FAILED },
    { "a crash", 139, "running 3 tests\n", SF_PROOF_FAILED },
    { "it never ended", -1, "3 passed", SF_PROOF_NONE },
    { "no such command", 127, "sh: 1: pytest: not found\n", SF_PROOF_NONE },
    { "a file that is no program", 126, "", SF_PROOF_NONE },
    { "pytest", 0, "collected 3 items\n\n3 passed in 0.01s\n", SF_PROOF_PASSED },
    { "pytest that fails", 1, "collected 3 items\n\n3 failed in 0.01s\n", SF_PROOF_FAILED },
    { "pytest without tests", 5, "collected 0 items\n\n=== no tests ran in 0.00s ===\n",
      SF_PROOF_NONE },
    { "unittest", 0, "Ran 2 tests in 0.000s\n\nOK\n", SF_PROOF_PASSED },
    { "unittest without tests", 0, "Ran 0 tests in 0.000s\n\nOK\n", SF_PROOF_NONE },
    { "cargo, whose documents have none", 0,
      "running 5 tests\ntest result: ok. 5 passed; 0 failed\n\nrunning 0 tests\n"
      "test result: ok. 0 passed; 0 failed\n",
      SF_PROOF_PASSED },
    { "cargo without tests", 0, "running 0 tests\n\ntest result: ok. 0 passed; 0 failed\n",
      SF_PROOF_NONE },
    { "go", 0, "?   \tm/cmd\t[no test files]\nok  \tm/lib\t0.002s\n", SF_PROOF_PASSED },
    { "go without tests", 0, "?   \tm/cmd\t[no test files]\n", SF_PROOF_NONE },
    { "go with a pattern that meets none", 0, "ok  \tm/lib\t0.002s [no tests to run]\n",
      SF_PROOF_NONE },
    { "ctest", 0, "100% tests passed, 0 tests failed out of 12\n", SF_PROOF_PASSED },
    { "ctest without tests", 0, "No tests were found!!!\n", SF_PROOF_NONE },
    { "cmocka", 0, "[==========] tests: Running 4 test(s).\n", SF_PROOF_PASSED },
    { "cmocka without tests", 0, "[==========] tests: Running 0 test(s).\n", SF_PROOF_NONE },
    { "node", 0, "# tests 4\n# pass 4\n", SF_PROOF_PASSED },
    { "node without tests", 0, "# tests 0\n# pass 0\n", SF_PROOF_NONE },
    { "mocha without tests", 0, "\n  0 passing (1ms)\n", SF_PROOF_NONE },
    { "jest without tests", 1, "No tests found, exiting with code 1\n", SF_PROOF_NONE },
    { "rspec without tests", 0, "0 examples, 0 failures\n", SF_PROOF_NONE },
    { "maven", 0, "Tests run: 7, Failures: 0\n", SF_PROOF_PASSED },
    { "maven without tests", 0, "Tests run: 0, Failures: 0\n", SF_PROOF_NONE },
    { "TAP", 0, "1..3\nok 1\nok 2\nok 3\n", SF_PROOF_PASSED },
    { "TAP without tests", 0, "1..0 # skipped\n", SF_PROOF_NONE },
    { "make without a recipe", 0, "make: Nothing to be done for 'test'.\n", SF_PROOF_NONE },
    { "make and a file called test", 0, "make: 'test' is up to date.\n", SF_PROOF_NONE },
    { "make in two directories without a recipe", 0,
      "make -C lib test\nmake[1]: Entering directory '/w/lib'\n"
      "make[1]: Nothing to be done for 'test'.\nmake[1]: Leaving directory '/w/lib'\n",
      SF_PROOF_NONE },
    { "make with a note of sf's own", 0,
      "make: Nothing to be done for 'test'.\n[sf] The command left a new file.\n", SF_PROOF_NONE },
    { "a library that is up to date, and a script", 0,
      "make[1]: 'lib.a' is up to date.\nall 12 checks ok\n", SF_PROOF_PASSED },
    { "a library that is up to date, and an error", 2,
      "make[1]: 'lib.a' is up to date.\nmake: *** [Makefile:3: test] Error 1\n", SF_PROOF_FAILED },
    { "nothing to do, and an error", 2,
      "make[1]: Nothing to be done for 'all'.\nmake: *** [Makefile:3: test] Error 1\n",
      SF_PROOF_FAILED },
    { "automake", 0,
      "make[1]: Nothing to be done for 'all'.\nPASS: a\nPASS: b\n# TOTAL: 2\n# PASS:  2\n"
      "# SKIP:  0\n# XFAIL: 0\n# FAIL:  0\n# XPASS: 0\n# ERROR: 0\n",
      SF_PROOF_PASSED },
    { "automake with one blank", 0, "make[1]: Nothing to be done for 'all'.\n# PASS: 2\n",
      SF_PROOF_PASSED },
    { "automake that fails", 2,
      "make[1]: Nothing to be done for 'all'.\n# TOTAL: 2\n# PASS:  0\n# FAIL:  2\n",
      SF_PROOF_FAILED },
    { "automake that skips all", 0,
      "# TOTAL: 2\n# PASS:  0\n# SKIP:  2\n# XFAIL: 0\n# FAIL:  0\n# XPASS: 0\n# ERROR: 0\n",
      SF_PROOF_NONE },
    { "automake without tests", 0,
      "Making check in src\nmake[1]: Nothing to be done for 'check'.\n", SF_PROOF_NONE },
    { "go with a package that is not built", 1,
      "?   \tm/cmd\t[no test files]\nFAIL\tm/lib [build failed]\n", SF_PROOF_FAILED },
    { "cargo with a crate that crashes", 101, "running 0 tests\nerror: test failed\n",
      SF_PROOF_FAILED },
    { "pytest with a file it cannot read", 2, "collected 0 items / 1 error\n\n1 error in 0.05s\n",
      SF_PROOF_FAILED },
    { "unittest without tests, newer", 5, "Ran 0 tests in 0.000s\n\nNO TESTS RAN\n",
      SF_PROOF_NONE },
    { "vitest without tests", 1, "No test files found, exiting with code 1\n", SF_PROOF_NONE },
};

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        const char *why;
        enum sf_proof got =
            sf_proof_of(cases[i].code, cases[i].output, strlen(cases[i].output), &why);

        if (got != cases[i].want)
            fail_msg("%s: %s (%s)", cases[i].name, sf_proof_names[got], why);
        assert_int_equal(!*why, got != SF_PROOF_NONE);
    }
}

static const struct {
    int code;
    enum sf_proof never[2]; /* whatever the output is, or is left of it */
} ends[] = {
    { 0, { SF_PROOF_FAILED, SF_PROOF_FAILED } },   { 1, { SF_PROOF_PASSED, SF_PROOF_PASSED } },
    { 2, { SF_PROOF_PASSED, SF_PROOF_PASSED } },   { 139, { SF_PROOF_PASSED, SF_PROOF_PASSED } },
    { -1, { SF_PROOF_PASSED, SF_PROOF_FAILED } },  { 126, { SF_PROOF_PASSED, SF_PROOF_FAILED } },
    { 127, { SF_PROOF_PASSED, SF_PROOF_FAILED } },
};

static void check_part(const char *name, const char *text, size_t len)
{
    char *part = sf_strndup(text, len);

    for (size_t i = 0; i < SF_COUNT(ends); i++) {
        const char *why;
        enum sf_proof got = sf_proof_of(ends[i].code, part, len, &why);

        if (got == ends[i].never[0] || got == ends[i].never[1] || !*why != (got != SF_PROOF_NONE))
            fail_msg("%s, exit code %d, cut to '%s': %s (%s)", name, ends[i].code, part,
                     sf_proof_names[got], why);
    }
    free(part);
}

/* Output is cut at both ends: what is left of a runner's line never outweighs the exit code. */
static void test_every_cut(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++)
        for (size_t n = 0, len = strlen(cases[i].output); n <= len; n++) {
            check_part(cases[i].name, cases[i].output, n);
            check_part(cases[i].name, cases[i].output + n, len - n);
        }
}

/* Where no test ran, a part that said so is not outdone by the lines after it. */
static void test_more_lines(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        bool none = false;

        for (const char *text = cases[i].output, *end = strchr(text, '\n');
             end && !cases[i].code && cases[i].want == SF_PROOF_NONE; end = strchr(end + 1, '\n')) {
            const char *why;
            enum sf_proof got = sf_proof_of(0, text, (size_t)(end + 1 - text), &why);

            if (none && got != SF_PROOF_NONE)
                fail_msg("%s passed after %zu bytes", cases[i].name, (size_t)(end + 1 - text));
            none = got == SF_PROOF_NONE;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_cases),
                                        cmocka_unit_test(test_every_cut),
                                        cmocka_unit_test(test_more_lines) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
