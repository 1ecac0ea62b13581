/*
 * How long to wait: a table, and that no chance leads out of its bounds.
 */
#include "base/base.h"
#include "model/retry.h"
#include "support/test.h"

static const struct {
    const char *name;
    int64_t first, max;
    int attempt;
    int64_t asked;
    uint64_t chance;
    int64_t want;
} waits[] = {
    { "the first, no luck", 1000, 60000, 1, -1, 0, 500 },
    { "the first, all luck", 1000, 60000, 1, -1, 500, 1000 },
    { "the second", 1000, 60000, 2, -1, 0, 1000 },
    { "the fifth", 1000, 60000, 5, -1, 8000, 16000 },
    { "capped", 1000, 60000, 30, -1, 30000, 60000 },
    { "capped, no luck", 1000, 60000, 30, -1, 0, 30000 },
    { "at once is no wish", 1000, 60000, 1, 0, 0, 500 },
    { "as asked", 1000, 60000, 1, 5000, 0, 5000 },
    { "as asked, scattered", 1000, 60000, 1, 5000, 500, 5500 },
    { "asked too much", 1000, 60000, 1, 3600000, 0, 60000 },
    { "asked too much, scattered", 1000, 60000, 1, 3600000, 6000, 60000 },
    { "asked little, late", 1000, 60000, 6, 100, 0, 100 },
    { "first above the cap", 5000, 1000, 1, -1, 500, 1000 },
    { "tiny", 1, 1, 4, -1, 1, 1 },
    { "the greatest numbers", INT64_MAX, INT64_MAX, 60, -1, 0, INT64_MAX - INT64_MAX / 2 },
};

static void test_waits(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(waits); i++) {
        const struct sf_retry_rule rule = { waits[i].first, waits[i].max };
        int64_t got = sf_retry_wait(&rule, waits[i].attempt, waits[i].asked, waits[i].chance);

        if (got != waits[i].want)
            fail_msg("%s: %lld, want %lld", waits[i].name, (long long)got,
                     (long long)waits[i].want);
    }
}

static void test_bounds(void **state)
{
    const struct sf_retry_rule rule = { 700, 9000 };

    (void)state;
    for (int attempt = 1; attempt < 12; attempt++)
        for (uint64_t chance = 0; chance < UINT64_MAX / 2; chance = chance * 3 + 1) {
            int64_t wait = sf_retry_wait(&rule, attempt, -1, chance);
            int64_t asked = sf_retry_wait(&rule, attempt, 2000, chance);

            assert_in_range(wait, 350, 9000);
            assert_in_range(asked, 2000, 2200);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_waits),
                                        cmocka_unit_test(test_bounds) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
