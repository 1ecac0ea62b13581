/*
 * tally: the tests that the output of a check tells of, in the words of common runners. A number
 * counts where a summary puts it: between the words of a row, or in a list such as "2 passed, 1
 * failed", never in the middle of a sentence. Within the room.
 */
#ifndef SF_AGENT_TALLY_H
#define SF_AGENT_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sf_tally {
    int64_t total;   /* Tests that there were, skipped ones among them, where a runner says that. */
    int64_t passed;  /* Tests that it says have passed. */
    int64_t failed;  /* Failures, errors, and lines that say that something failed. */
    int64_t skipped; /* Skipped, ignored, pending, and those that were expected to fail. */
    bool counted;    /* Some number of tests was told, be it none. */
    bool nothing;    /* A sentence says that there was nothing to run. */
    bool idle;       /* make says that there was nothing to do for a target. */
    bool said;       /* Something was printed besides make's own lines. */
    bool missing;    /* A shell says that it did not find a command, or could not run it. */
};

/* The output may hold the escape sequences of a terminal. */
struct sf_tally sf_tally_read(const char *output, size_t len);

/* How many tests ran to their end, as far as it was told. */
int64_t sf_tally_ran(const struct sf_tally *tally);

#endif
