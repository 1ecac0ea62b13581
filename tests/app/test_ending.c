/*
 * Why a one-shot run ended, in words: whatever came together at its end, no value is missing in them.
 */
#include <string.h>

#include "app/ending.h"
#include "support/test.h"

static const struct {
    const char *name;
    enum sf_turn_status status;
    const char *check; /* NULL: without --verify */
    enum sf_exit code;
    const char *says;
} rows[] = {
    { "done", SF_TURN_DONE, NULL, SF_EXIT_DONE, "" },
    { "a signal with the end of the turn", SF_TURN_DONE, NULL, SF_EXIT_INTERRUPT,
      "the run was stopped when its turn was done" },
    { "another signal then", SF_TURN_DONE, NULL, SF_EXIT_TERMINATED,
      "the run was stopped when its turn was done" },
    { "a signal during the check", SF_TURN_DONE, "make test", SF_EXIT_INTERRUPT,
      "make test was stopped" },
    { "a signal during the turn", SF_TURN_CANCELLED, "make test", SF_EXIT_INTERRUPT, "stopped" },
    { "too late", SF_TURN_DONE, NULL, SF_EXIT_TIMEOUT, "the run timed out" },
    { "a check that proved nothing", SF_TURN_DONE, "make test", SF_EXIT_NOT_VERIFIED,
      "make test: not verified: " },
};

static void test_reasons(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        const struct sf_event_done done = { .status = rows[i].status, .budget = -1 };
        struct sf_strbuf text = SF_STRBUF_INIT;
        struct sf_ending ending;

        sf_ending_init(&ending);
        ending.check = rows[i].check;
        sf_ending_keep(&ending, &done);
        sf_ending_reason(&ending, rows[i].code, &text);
        if (strncmp(text.buf, rows[i].says, strlen(rows[i].says)) != 0 ||
            (!*rows[i].says && text.len))
            fail_msg("%s: '%s'", rows[i].name, text.buf);
        sf_ending_release(&ending);
        sf_strbuf_release(&text);
    }
}

/* Of an earlier turn nothing is left: neither its command, nor its error. */
static void test_turns_follow(void **state)
{
    const struct sf_wire_error error = { .fault = SF_FAULT_RATE, .message = "slow down" };
    const struct sf_event_done failed = { .status = SF_TURN_FAILED, .error = &error, .budget = -1 };
    const struct sf_event_done refused = { .status = SF_TURN_DONE,
                                           .command = "asks",
                                           .budget = -1 };
    const struct sf_event_done done = { .status = SF_TURN_DONE, .budget = -1 };
    struct sf_ending ending;

    (void)state;
    sf_ending_init(&ending);
    sf_ending_keep(&ending, &failed);
    assert_int_equal(sf_ending_code(&ending), SF_EXIT_TEMPORARY);
    sf_ending_keep(&ending, &refused);
    assert_int_equal(ending.error.fault, SF_FAULT_NONE);
    sf_ending_keep(&ending, &refused);
    assert_string_equal(ending.done.command, "asks");
    assert_int_equal(sf_ending_code(&ending), SF_EXIT_DENIED);
    sf_ending_keep(&ending, &done);
    assert_null(ending.done.command);
    assert_int_equal(sf_ending_code(&ending), SF_EXIT_DONE);
    sf_ending_release(&ending);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_reasons),
                                        cmocka_unit_test(test_turns_follow) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
