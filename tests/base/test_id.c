/*
 * test_id.c: known texts, order by time, what counts as one.
 */
#include "base/base.h"
#include "support/test.h"

static const unsigned char zeros[SF_ID_RANDOM],
    ones[SF_ID_RANDOM] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
static const unsigned char steps[SF_ID_RANDOM] = { 0x00, 0x44, 0x32, 0x14, 0xc7,
                                                   0x42, 0x54, 0xb6, 0x35, 0xcf };

static const struct {
    const char *name;
    int64_t wall_ms;
    const unsigned char *random;
    const char *want;
} known[] = {
    { "the beginning", 0, zeros, "00000000000000000000000000" },
    { "before the beginning", -1, zeros, "00000000000000000000000000" },
    { "the end", INT64_C(281474976710655), ones, "7zzzzzzzzzzzzzzzzzzzzzzzzz" },
    { "behind the end", INT64_MAX, ones, "7zzzzzzzzzzzzzzzzzzzzzzzzz" },
    { "a time of the ULID text", INT64_C(1469918176385), zeros, "01aryz6s410000000000000000" },
    { "each letter in turn", 32, steps, "00000000100123456789abcdef" },
};

static void test_known(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(known); i++) {
        char id[SF_ID_LEN + 1];

        sf_id_make(id, known[i].wall_ms, known[i].random);
        if (strcmp(id, known[i].want) != 0)
            fail_msg("%s: %s", known[i].name, id);
        assert_int_equal(strspn(id, "0123456789abcdefghjkmnpqrstvwxyz"), SF_ID_LEN);
    }
}

static void test_sorts_by_time(void **state)
{
    char last[SF_ID_LEN + 1] = "", id[SF_ID_LEN + 1];

    (void)state;
    for (int64_t ms = 1; ms < INT64_C(1) << 48; ms += ms / 3 + 1) {
        sf_id_make(id, ms, ms % 2 ? zeros : ones);
        assert_true(strcmp(last, id) < 0);
        memcpy(last, id, sizeof(last));
    }
}

/* A byte lost or used twice would leave two ids the same. */
static void test_every_random_bit_counts(void **state)
{
    char base[SF_ID_LEN + 1], id[SF_ID_LEN + 1];

    (void)state;
    sf_id_make(base, 1000, zeros);
    for (int bit = 0; bit < SF_ID_RANDOM * 8; bit++) {
        unsigned char random[SF_ID_RANDOM] = { 0 };
        int differ = 0;

        random[bit / 8] = (unsigned char)(0x80 >> bit % 8);
        sf_id_make(id, 1000, random);
        for (int i = 0; i < SF_ID_LEN; i++)
            differ += id[i] != base[i];
        assert_int_equal(differ, 1);
        assert_true(id[10 + bit / 5] != base[10 + bit / 5]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),
        cmocka_unit_test(test_sorts_by_time),
        cmocka_unit_test(test_every_random_bit_counts),
    };

    return cmocka_run_group_tests_name("id", tests, NULL, NULL);
}
