/*
 * The same failure has the same digest, whatever the clock, the machine and the order of the tests
 * were; another failure has another one. The excerpt shows what failed and is short.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "support/test.h"
#include "verify/verify.h"

static const struct {
    const char *name, *one, *other;
    bool same;
} pairs[] = {
    { "the time that it took", "--- FAIL: TestA (0.01s)\n", "--- FAIL: TestA (1.20s)\n", true },
    { "the time of a test of jest", "  ✕ bad (3 ms)\n", "  ✕ bad (12 ms)\n", true },
    { "an address", "ERROR: at 0x7ffe12\n", "ERROR: at 0x55aa00ff\n", true },
    { "a temporary path", "Error: no /tmp/abc12/x.txt\n", "Error: no /tmp/zz/y\n", true },
    { "the number of a process", "ERROR: pid 1234 died\n", "ERROR: pid 77 died\n", true },
    { "a thread of Rust", "thread 'a' (23538) panicked at src/lib.rs:1:65:\n",
      "thread 'a' (99) panicked at src/lib.rs:9:1:\n", true },
    { "a time of day", "ERROR: 10:15:00.123 lost\n", "ERROR: 23:01:59 lost\n", true },
    { "a date", "ERROR: 2026-11-17T03:05:12Z lost\n", "ERROR: 2027-01-02T13:00:00Z lost\n", true },
    { "a sanitizer", "==123==ERROR: AddressSanitizer: x\n", "==9==ERROR: AddressSanitizer: x\n",
      true },
    { "a line that moved", "a.c:10:3: error: x\n", "a.c:12:5: error: x\n", true },
    { "the order of two tests", "not ok 1 - a\nnot ok 1 - b\n", "not ok 1 - b\nnot ok 1 - a\n",
      true },
    { "a colour", "FAIL: a\n", "\033[31mFAIL: a\033[0m\n", true },
    { "what passed", "PASS: x\nFAIL: a\n", "PASS: y\nFAIL: a\nPASS: z\n", true },
    { "another test", "--- FAIL: TestA (0.01s)\n", "--- FAIL: TestB (0.01s)\n", false },
    { "one test less", "FAIL: a\nFAIL: b\n", "FAIL: a\n", false },
    { "another value", "E   assert 3 == 4\n", "E   assert 3 == 5\n", false },
    { "another message", "a.c:10:3: error: x\n", "a.c:10:3: error: y\n", false },
    { "another number of tests", "not ok 1 - a\n", "not ok 2 - a\n", false },
    { "a silent script", "something\n", "something else\n", false },
};

static void digest(const char *text, size_t len, int code, char out[SF_SHA256_HEX + 1])
{
    struct sf_failure failure = SF_FAILURE_INIT;

    sf_failure_read(&failure, code, text, len);
    memcpy(out, failure.digest, sizeof(failure.digest));
    sf_failure_release(&failure);
}

static void test_digests(void **state)
{
    char one[SF_SHA256_HEX + 1], other[SF_SHA256_HEX + 1];

    (void)state;
    for (size_t i = 0; i < SF_COUNT(pairs); i++) {
        digest(pairs[i].one, strlen(pairs[i].one), 1, one);
        digest(pairs[i].other, strlen(pairs[i].other), 1, other);
        assert_int_equal(strlen(one), SF_SHA256_HEX);
        if (!strcmp(one, other) != pairs[i].same)
            fail_msg("%s: %s", pairs[i].name, pairs[i].same ? "differs" : "is the same");
    }
    digest("FAIL: a\n", 8, 1, one);
    digest("FAIL: a\n", 8, 139, other);
    assert_string_not_equal(one, other);
}

/* Failures of every runner of the corpus, all told apart, and each found in its excerpt. */
static void test_corpus(void **state)
{
    static const char *const files[][2] = {
        { "ctest/fail.txt", "***Failed" },
        { "automake/fail.txt", "FAIL: f.sh" },
        { "make/fail.txt", "x == 3" },
        { "pytest/fail.txt", "test_bad" },
        { "pytest/crash.txt", "nosuchmodule" },
        { "unittest/fail.txt", "2 != 3" },
        { "node-test/fail.txt", "1 == 2" },
        { "prove/fail.txt", "Failed: 1" },
        { "tap/fail.txt", "not ok 2 - b" },
        { "bats/fail.txt", "not ok 2 bad" },
        { "meson/fail.txt", "beta" },
        { "vitest/fail.txt", "expected 2 to be 3" },
        { "jest/fail.txt", "Expected: 3" },
        { "mocha/fail.txt", "1 == 2" },
        { "ava/fail.txt", "bad" },
        { "cargo/fail.txt", "tests::bad" },
        { "cargo/crash.txt", "mismatched" },
        { "go/fail.txt", "got 4, want 3" },
        { "go/build.txt", "build failed" },
        { "phpunit/fail.txt", "testBad" },
        { "rspec/fail.txt", "expected: 2" },
        { "cmocka/fail.txt", "0x3 != 0x4" },
        { "gtest/fail.txt", "A.bad" },
        { "catch2/fail.txt", "3==4" },
        { "maven/quiet-fail.txt", "expected" },
        { "gradle/fail.txt", "bad FAILED" },
    };
    char digests[SF_COUNT(files)][SF_SHA256_HEX + 1];

    (void)state;
    for (size_t i = 0; i < SF_COUNT(files); i++) {
        struct sf_failure failure = SF_FAILURE_INIT;
        struct sf_strbuf path = SF_STRBUF_INIT;
        size_t len;
        char *text;

        sf_strbuf_addf(&path, "corpus/test-output/%s", files[i][0]);
        text = test_read(path.buf, &len);
        sf_failure_read(&failure, 1, text, len);
        if (!strstr(failure.excerpt.buf, files[i][1]))
            fail_msg("%s does not show %s: %s", files[i][0], files[i][1], failure.excerpt.buf);
        memcpy(digests[i], failure.digest, sizeof(digests[i]));
        for (size_t k = 0; k < i; k++)
            if (!strcmp(digests[k], digests[i]))
                fail_msg("%s and %s are the same", files[k][0], files[i][0]);
        free(text);
        sf_strbuf_release(&path);
        sf_failure_release(&failure);
    }
}

/* Much output around a failure is left out; many failures leave the first and the last ones. */
static void test_excerpt(void **state)
{
    struct sf_failure failure = SF_FAILURE_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;

    (void)state;
    for (unsigned i = 0; i < 5000; i++)
        sf_strbuf_addf(&text, i == 2500 ? "FAIL: the one\n" : "line %u\n", i);
    sf_failure_read(&failure, 1, text.buf, text.len);
    assert_non_null(strstr(failure.excerpt.buf, "FAIL: the one"));
    assert_non_null(strstr(failure.excerpt.buf, "line 2499"));
    assert_null(strstr(failure.excerpt.buf, "line 4999"));
    sf_strbuf_reset(&text);
    for (unsigned i = 0; i < 5000; i++)
        sf_strbuf_addf(&text, "FAIL: test %u, which has a name of some length\n", i);
    sf_strbuf_fill(&text, 'x', 100000);
    sf_failure_read(&failure, 1, text.buf, text.len);
    assert_true(failure.excerpt.len <= SF_FAILURE_EXCERPT);
    assert_non_null(strstr(failure.excerpt.buf, "FAIL: test 0,"));
    sf_failure_read(&failure, 1, "", 0);
    assert_int_equal(failure.excerpt.len, 0);
    sf_strbuf_release(&text);
    sf_failure_release(&failure);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_digests),
        cmocka_unit_test(test_corpus),
        cmocka_unit_test(test_excerpt),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
