/*
 * test_clock.c: how long ago something was, as lists say it.
 */
#include <stdlib.h>
#include <time.h>

#include "io/io.h"
#include "support/test.h"

#define NOW "2026-03-10T15:00:00.000Z"

static const struct {
    const char *name, *instant, *want;
} rows[] = {
    { "this moment", NOW, "just now" },
    { "a minute", "2026-03-10T14:58:30.000Z", "just now" },
    { "two minutes", "2026-03-10T14:58:00.000Z", "2 min ago" },
    { "nearly an hour", "2026-03-10T14:00:01.000Z", "59 min ago" },
    { "an hour", "2026-03-10T14:00:00.000Z", "1 h ago" },
    { "early on the same day", "2026-03-10T00:30:00.000Z", "14 h ago" },
    { "late on the day before", "2026-03-09T23:30:00.000Z", "yesterday" },
    { "early on the day before", "2026-03-09T00:10:00.000Z", "yesterday" },
    { "three days", "2026-03-07T16:00:00.000Z", "3 days ago" },
    { "thirteen days", "2026-02-25T16:00:00.000Z", "13 days ago" },
    { "two weeks", "2026-02-24T15:00:00.000Z", "2026-02-24" },
    { "a clock that was put back a little", "2026-03-10T15:01:00.000Z", "just now" },
    { "tomorrow", "2026-03-11T15:00:00.000Z", "2026-03-11" },
    { "no instant", "yesterday", "" },
    { "nothing", "", "" },
};

static void test_age(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    int64_t now = 0;

    (void)state;
    setenv("TZ", "UTC", 1);
    tzset();
    assert_true(sf_time_parse_rfc3339(NOW, sizeof(NOW) - 1, &now, &err));
    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        char got[SF_CLOCK_MAX];

        sf_clock_age(got, rows[i].instant, now);
        if (strcmp(got, rows[i].want) != 0)
            fail_msg("%s: %s, not %s", rows[i].name, got, rows[i].want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_age) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
