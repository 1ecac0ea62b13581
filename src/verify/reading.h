/*
 * reading: what the output of a test run says, together with its exit code. The command is not asked
 * for: make, npm and scripts hide what they run.
 */
#ifndef SF_VERIFY_READING_H
#define SF_VERIFY_READING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sf_verdict_of_tests {
    SF_TESTS_PASS,    /* At least one test passed, none failed, and the exit code is 0. */
    SF_TESTS_FAIL,    /* The run came to its end, and something failed. */
    SF_TESTS_NONE,    /* No test ran, whatever the exit code is. */
    SF_TESTS_BROKEN,  /* It could not start or died: what is counted is incomplete. */
    SF_TESTS_UNKNOWN, /* The exit code is 0, and nothing counts tests. */
};

extern const char *const sf_tests_verdicts[]; /* "pass", "fail", …, NULL */

struct sf_reading {
    enum sf_verdict_of_tests verdict;
    int64_t passed, failed, skipped; /* -1: not told */
    const char *runner;              /* The last one that was recognised; "" if none was. */
    bool fails;                      /* Something says that there was a failure. */
    bool untold;                     /* A runner ran, and does not say how many tests. */
    bool missing; /* A shell says that it did not find a command, or could not run it. */
};

/* The output may hold the escape sequences of a terminal. Exit code -1: it did not end. */
struct sf_reading sf_reading_of(int exit_code, const char *output, size_t len);

#endif
