/*
 * What a check proves, by the words of common runners: nothing that ran no test has passed, and
 * nothing that counts a failure. Real outputs of runners are in corpus/test-output.
 */
#include <stdlib.h>

#include "base/base.h"
#include "support/test.h"
#include "verify/verify.h"

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
    { "cmocka", 0,
      "[==========] tests: Running 4 test(s).\n[==========] tests: 4 test(s) run.\n"
      "[  PASSED  ] 4 test(s).\n",
      SF_PROOF_PASSED },
    { "cmocka that does not come to its end", 0, "[==========] tests: Running 4 test(s).\n",
      SF_PROOF_NONE },
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
    { "a summary with failures, ended by a filter", 0, "5 passed, 2 failed\n", SF_PROOF_FAILED },
    { "unittest with failures and 0", 0, "Ran 3 tests in 0.1s\n\nFAILED (failures=2)\n",
      SF_PROOF_FAILED },
    { "unittest, the last line only", 0, "FAILED (failures=2)\n", SF_PROOF_FAILED },
    { "unittest with an error and 0", 0, "FAILED (errors=1)\n", SF_PROOF_FAILED },
    { "unittest that skips all", 0, "Ran 2 tests in 0.0s\n\nOK (skipped=2)\n", SF_PROOF_NONE },
    { "unittest that expects a failure", 0, "Ran 2 tests in 0.0s\n\nOK (expected failures=1)\n",
      SF_PROOF_PASSED },
    { "pytest that skips all", 0, "1 skipped in 0.01s\n", SF_PROOF_NONE },
    { "pytest that skips all, in colours", 0,
      "\033[33m==== \033[33m\033[1m1 skipped\033[0m\033[33m in 0.01s\033[0m ====\n",
      SF_PROOF_NONE },
    { "pytest with an error and 0", 0, "==== 3 passed, 1 warning, 1 error in 0.05s ====\n",
      SF_PROOF_FAILED },
    { "pytest that only collects", 0, "collected 3 items\n<Module a>\n3 tests collected in 0.01s\n",
      SF_PROOF_NONE },
    { "Jest without tests", 0, "Test Suites: 1 passed, 1 total\nTests:       0 total\n",
      SF_PROOF_NONE },
    { "Jest with a plan only", 0, "Test Suites: 1 passed, 1 total\nTests:       1 todo, 1 total\n",
      SF_PROOF_NONE },
    { "Jest", 0,
      "Test Suites: 1 passed, 1 total\nTests:       2 passed, 2 total\n"
      "Snapshots:   0 total\n",
      SF_PROOF_PASSED },
    { "Jest, a suite of which crashed", 0, "Test Suites: 1 failed, 1 total\nTests: 0 total\n",
      SF_PROOF_FAILED },
    { "Jest and tests with alarming names", 0,
      "  \xe2\x9c\x93 retries after 3 failed attempts (2 ms)\n"
      "  \xe2\x9c\x93 3 failed logins lock the account\nTests:       2 passed, 2 total\n",
      SF_PROOF_PASSED },
    { "Vitest that skips all", 0, " Test Files  1 skipped (1)\n      Tests  2 skipped (2)\n",
      SF_PROOF_NONE },
    { "mocha with a failure and 0", 0, "  1 passing (4ms)\n  1 failing\n", SF_PROOF_FAILED },
    { "PHPUnit", 0, "OK (2 tests, 2 assertions)\n", SF_PROOF_PASSED },
    { "JUnit without tests", 0, "OK (0 tests)\n", SF_PROOF_NONE },
    { "PHPUnit and a class without tests", 0,
      "No tests found in class \"A\".\n\nWARNINGS!\nTests: 1, Assertions: 0, Warnings: 1.\n",
      SF_PROOF_NONE },
    { "PHPUnit with failures and 0", 0,
      "FAILURES!\nTests: 4, Assertions: 2, Errors: 1, Failures: 1, Skipped: 1.\n",
      SF_PROOF_FAILED },
    { "dotnet", 0, "Passed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3\n",
      SF_PROOF_PASSED },
    { "dotnet that skips all", 0,
      "Passed!  - Failed:     0, Passed:     0, Skipped:     3, Total:     3\n", SF_PROOF_NONE },
    { "dotnet with a failure and 0", 0,
      "Failed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3\n", SF_PROOF_FAILED },
    { "dotnet, newer", 0, "Test summary: total: 2, failed: 1, succeeded: 1, skipped: 0\n",
      SF_PROOF_FAILED },
    { "gradle with a failure and 0", 0, "4 tests completed, 2 failed, 1 skipped\n",
      SF_PROOF_FAILED },
    { "bats for people", 0, "3 tests, 0 failures, 1 skipped\n", SF_PROOF_PASSED },
    { "bats that skips all", 0, "1 test, 0 failures, 1 skipped\n", SF_PROOF_NONE },
    { "bats with a failure and 0", 0, "3 tests, 1 failure\n", SF_PROOF_FAILED },
    { "minitest with an error and 0", 0, "3 runs, 4 assertions, 0 failures, 1 errors, 0 skips\n",
      SF_PROOF_FAILED },
    { "minitest", 0, "3 runs, 4 assertions, 0 failures, 0 errors, 1 skips\n", SF_PROOF_PASSED },
    { "rspec with a failure and 0", 0, "3 examples, 1 failure, 1 pending\n", SF_PROOF_FAILED },
    { "rspec that leaves all for later", 0, "1 example, 0 failures, 1 pending\n", SF_PROOF_NONE },
    { "go with a failure and 0", 0, "--- FAIL: TestBad (0.00s)\nFAIL\nFAIL\tex\t0.003s\n",
      SF_PROOF_FAILED },
    { "go that skips all", 0, "--- SKIP: TestLater (0.00s)\nPASS\nok  \tex\t0.003s\n",
      SF_PROOF_NONE },
    { "go that skips one", 0,
      "--- PASS: TestOne (0.00s)\n--- SKIP: TestLater (0.00s)\nPASS\nok  \tex\t0.003s\n",
      SF_PROOF_PASSED },
    { "cargo that ignores all", 0,
      "running 1 test\ntest a ... ignored\n\ntest result: ok. 0 passed; 0 failed; 1 ignored;\n",
      SF_PROOF_NONE },
    { "cargo with a failure and 0", 0, "test result: FAILED. 1 passed; 1 failed; 1 ignored;\n",
      SF_PROOF_FAILED },
    { "ctest that skips all", 0,
      "1/1 Test #1: a ....***Skipped   0.00 sec\n\n100% tests passed, 0 tests failed out of 1\n",
      SF_PROOF_NONE },
    { "ctest with failures and 0", 0, "33% tests passed, 2 tests failed out of 3\n",
      SF_PROOF_FAILED },
    { "TAP with a failure and 0", 0, "1..2\nok 1\nnot ok 2 - b\n", SF_PROOF_FAILED },
    { "TAP with a failure that is expected", 0, "1..2\nok 1\nnot ok 2 - b # TODO later\n",
      SF_PROOF_PASSED },
    { "TAP that skips all", 0, "1..1\nok 1 # SKIP no network\n", SF_PROOF_NONE },
    { "deno", 0, "ok | 3 passed | 0 failed | 1 ignored (5ms)\n", SF_PROOF_PASSED },
    { "deno without tests", 0, "ok | 0 passed | 0 failed (0ms)\n", SF_PROOF_NONE },
    { "bun with a failure and 0", 0, " 2 pass\n 1 fail\nRan 3 tests across 1 files.\n",
      SF_PROOF_FAILED },
    { "maven with tests that are switched off", 0, "[INFO] Tests are skipped.\n", SF_PROOF_NONE },
    { "make that goes on behind an error", 0, "make: *** [Makefile:3: test] Error 1\ndone\n",
      SF_PROOF_FAILED },
    { "a command that is not there, and more", 0, "bash: line 1: nosuchtest: command not found\n\n",
      SF_PROOF_NONE },
    { "the same of another shell", 0, "sh: 1: nosuchtest: not found\n", SF_PROOF_NONE },
    { "a script that is not there, and more", 0,
      "bash: line 1: ./test.sh: No such file or directory\ndone\n", SF_PROOF_NONE },
    { "a command that a script misses", 0, "./lint.sh: line 3: shellcheck: command not found\n",
      SF_PROOF_NONE },
    { "a page that is not there", 0, "GET /nope: 404: not found\n", SF_PROOF_PASSED },
    { "a filter that stops reading", 141, "1 passed\n", SF_PROOF_NONE },
    { "a linter that counts files", 0, "12 files checked, 3 skipped, 0 errors\n", SF_PROOF_PASSED },
    { "a compiler", 0, "   Compiling c v0.1.0\n    Finished in 0.18s\n", SF_PROOF_PASSED },
    { "a linter without complaints", 0, "Found 0 errors in 5 files (checked 5 source files)\n",
      SF_PROOF_PASSED },
};

static const struct {
    const char *command;
    enum sf_proof want; /* where it ends with 0 and prints nothing */
} commands[] = {
    { "./lint.sh", SF_PROOF_PASSED },
    { "make test", SF_PROOF_PASSED },
    { "make -n test", SF_PROOF_NONE },
    { "make -kn test", SF_PROOF_NONE },
    { "make -C lib -j4 --just-print", SF_PROOF_NONE },
    { "make -fn test", SF_PROOF_PASSED },
    { "make -C n -j test", SF_PROOF_PASSED },
    { "cd src && env A=1 gmake -q", SF_PROOF_NONE },
    { "make test | grep -n error", SF_PROOF_PASSED },
    { "echo make -n", SF_PROOF_PASSED },
    { "python3 -m pytest --collect-only", SF_PROOF_NONE },
    { "pytest --co -q", SF_PROOF_NONE },
    { "pytest -n 4", SF_PROOF_NONE }, /* A test run that says nothing. */
    { "mvn -q test", SF_PROOF_NONE },
    { "mvn -q compile", SF_PROOF_PASSED },
    { "cargo build", SF_PROOF_PASSED },
    { "cd sub && env A=1 npx jest --silent", SF_PROOF_NONE },
    { "python3 -m unittest > log", SF_PROOF_NONE },
    { "rspec --dry-run", SF_PROOF_NONE },
    { "npm test -- --listTests", SF_PROOF_NONE },
    { "ctest --test-dir build -N", SF_PROOF_NONE },
    { "ctest --test-dir build --show-only=json-v1", SF_PROOF_NONE },
    { "cargo test --no-run", SF_PROOF_NONE },
    { "mvn -DskipTests package", SF_PROOF_NONE },
    { "sleep 1 &", SF_PROOF_NONE },
    { "( make test ) &", SF_PROOF_NONE },
    { "make test > log 2>&1 &", SF_PROOF_NONE },
    { "make test & wait", SF_PROOF_NONE },
    { "make test & echo started", SF_PROOF_NONE },
    { "make test & wait $!", SF_PROOF_PASSED },
    { "./server & sleep 1; curl -f localhost:80", SF_PROOF_PASSED },
    { "make && make test", SF_PROOF_PASSED },
    { "make test &> log", SF_PROOF_PASSED },
    { "echo 'a &'", SF_PROOF_PASSED },
    { "if", SF_PROOF_PASSED },
};

static void test_commands(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(commands); i++) {
        const char *why;
        enum sf_proof got = sf_proof_of(commands[i].command, 0, "", 0, &why);

        if (got != commands[i].want)
            fail_msg("%s: %s (%s)", commands[i].command, sf_proof_names[got], why);
    }
    assert_true(sf_proof_is_piped("false | true"));
    assert_true(sf_proof_is_piped("cd src && (pytest -q | tail -1)"));
    assert_false(sf_proof_is_piped("false || echo 'a | b'"));
}

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        const char *why;
        enum sf_proof got =
            sf_proof_of("check", cases[i].code, cases[i].output, strlen(cases[i].output), &why);

        if (got != cases[i].want)
            fail_msg("%s: %s (%s)", cases[i].name, sf_proof_names[got], why);
        assert_int_equal(!*why, got == SF_PROOF_PASSED || (got && cases[i].code));
    }
}

static const struct {
    int code;
    enum sf_proof never[2]; /* whatever the output is, or is left of it */
} ends[] = {
    { 1, { SF_PROOF_PASSED, SF_PROOF_PASSED } },   { 2, { SF_PROOF_PASSED, SF_PROOF_PASSED } },
    { 139, { SF_PROOF_PASSED, SF_PROOF_PASSED } }, { -1, { SF_PROOF_PASSED, SF_PROOF_FAILED } },
    { 126, { SF_PROOF_PASSED, SF_PROOF_FAILED } }, { 127, { SF_PROOF_PASSED, SF_PROOF_FAILED } },
};

static void check_part(const char *name, const char *part, size_t len)
{
    for (size_t i = 0; i < SF_COUNT(ends); i++) {
        const char *why;
        enum sf_proof got = sf_proof_of("check", ends[i].code, part, len, &why);

        if (got == ends[i].never[0] || got == ends[i].never[1] || !*why != (got != SF_PROOF_NONE))
            fail_msg("%s, exit code %d, cut to '%.*s': %s (%s)", name, ends[i].code, (int)len, part,
                     sf_proof_names[got], why);
    }
}

/* A part tells of no failure where the whole has none. */
static void check_good_part(const char *name, const char *part, size_t len)
{
    const char *why;

    if (sf_proof_of("check", 0, part, len, &why) == SF_PROOF_FAILED)
        fail_msg("%s, cut to '%.*s': failed", name, (int)len, part);
}

/* Output is cut at both ends: what is left of a runner's line never outweighs the exit code. */
static void test_every_cut(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++)
        for (size_t n = 0, len = strlen(cases[i].output); n <= len; n++) {
            char *head = sf_strndup(cases[i].output, n), *tail = sf_strdup(cases[i].output + n);

            check_part(cases[i].name, head, n);
            check_part(cases[i].name, tail, len - n);
            if (!cases[i].code && cases[i].want == SF_PROOF_PASSED &&
                (!n || cases[i].output[n - 1] == '\n')) {
                check_good_part(cases[i].name, head, n);
                check_good_part(cases[i].name, tail, len - n);
            }
            free(head);
            free(tail);
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
            enum sf_proof got = sf_proof_of("check", 0, text, (size_t)(end + 1 - text), &why);

            if (none && got != SF_PROOF_NONE)
                fail_msg("%s passed after %zu bytes", cases[i].name, (size_t)(end + 1 - text));
            none = got == SF_PROOF_NONE;
        }
    }
}

/* The verdicts of the corpus in ours: a run that broke has failed, a silent one verified nothing. */
static const struct {
    const char *verdict;
    enum sf_proof want;
} verdicts[] = {
    { "pass", SF_PROOF_PASSED },   { "fail", SF_PROOF_FAILED },  { "none", SF_PROOF_NONE },
    { "broken", SF_PROOF_FAILED }, { "unknown", SF_PROOF_NONE },
};

static enum sf_proof wanted(const char *verdict)
{
    for (size_t i = 0; i < SF_COUNT(verdicts); i++)
        if (!strcmp(verdicts[i].verdict, verdict))
            return verdicts[i].want;
    fail_msg("no such verdict: %s", verdict);
    return SF_PROOF_NONE;
}

/* The command of the row is told only where nothing else is: make, npm and scripts hide it. */
static void check_sample(const char *file, const char *verdict, int code, const char *row)
{
    struct sf_strbuf path = SF_STRBUF_INIT;
    const char *why;
    enum sf_proof got;
    size_t len;
    char *text;

    sf_strbuf_addf(&path, "corpus/test-output/%s", file);
    text = test_read(path.buf, &len);
    got = sf_proof_of(strcmp(verdict, "unknown") != 0 ? "check" : row, code, text, len, &why);
    if (got != wanted(verdict))
        fail_msg("%s: %s (%s)", file, sf_proof_names[got], why);
    if (!strcmp(verdict, "fail") || !strcmp(verdict, "none")) {
        got = sf_proof_of("check", 0, text, len, &why);
        if (got == SF_PROOF_PASSED)
            fail_msg("%s passed where a filter hid its exit code", file);
    }
    sf_strbuf_release(&path);
    free(text);
}

static void test_corpus(void **state)
{
    size_t len;
    char *table = test_read("corpus/test-output/expected.tsv", &len);
    unsigned rows = 0;

    (void)state;
    for (char *line = table, *end; *line; line = end + 1) {
        char file[64], verdict[16], command[256];
        int code;

        end = strchr(line, '\n');
        assert_non_null(end);
        if (*line == '#')
            continue;
        assert_int_equal(
            sscanf(line, "%63s %*s %*s %*s %15s %d %255[^\n]", file, verdict, &code, command), 4);
        check_sample(file, verdict, code, command);
        rows++;
    }
    assert_true(rows >= 90);
    free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),     cmocka_unit_test(test_commands),
        cmocka_unit_test(test_every_cut), cmocka_unit_test(test_more_lines),
        cmocka_unit_test(test_corpus),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
