/*
 * Reading TZif: every version, every kind of damage. Files are built by hand, cut at each byte
 * and damaged at random; what is accepted must still answer without contradicting itself.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "support/test.h"
#include "support/tzif.h"

static int offset_at(const struct sf_zone *zone, int64_t second)
{
    int offset;

    sf_zone_at(zone, second * 1000, &offset, NULL, NULL);
    return offset;
}

static int64_t january(int year)
{
    return sf_civil_days(year, 1, 1) * 86400;
}

static int64_t july(int year)
{
    return sf_civil_days(year, 7, 1) * 86400;
}

static void test_every_version(void **state)
{
    static const int versions[] = { 0, '2', '3', '4', '5' };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(versions); i++) {
        struct sf_error err = SF_ERROR_INIT;
        struct test_tzif file = test_tzif_good;
        struct sf_zone *zone;
        int summer;

        file.version = versions[i];
        zone = test_tzif_parse(&file, &err);
        if (!zone)
            fail_msg("version %d: %s", versions[i], err.msg);
        assert_int_equal(offset_at(zone, -1), 3600);
        assert_int_equal(offset_at(zone, 0), 7200);
        assert_int_equal(offset_at(zone, 999999), 7200);
        assert_int_equal(offset_at(zone, 1000000), 3600);
        summer = offset_at(zone, july(2100));
        sf_zone_free(zone);
        assert_int_equal(summer, versions[i] ? 7200 : 3600); /* version 1 has no rule */
    }
}

static void test_a_rule_alone_holds_always(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    struct test_tzif file = test_tzif_good;
    struct sf_zone *zone;
    int summer, winter;

    (void)state;
    file.time_count = 0;
    zone = test_tzif_parse(&file, &err);
    assert_non_null(zone);
    summer = offset_at(zone, july(1950));
    winter = offset_at(zone, january(1950));
    sf_zone_free(zone);
    assert_int_equal(summer, 7200);
    assert_int_equal(winter, 3600);
}

static void test_no_rule_means_no_change(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    struct test_tzif file = test_tzif_good;
    struct sf_zone *zone;
    int summer;

    (void)state;
    file.footer = "";
    zone = test_tzif_parse(&file, &err);
    assert_non_null(zone);
    summer = offset_at(zone, july(2100));
    sf_zone_free(zone);
    assert_int_equal(summer, 3600);
}

static void refuse(const char *name, const struct test_tzif *file)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_zone *zone = test_tzif_parse(file, &err);

    if (zone) {
        sf_zone_free(zone);
        fail_msg("%s: accepted", name);
    }
    if (err.code != SF_E_DAMAGED || !strstr(err.msg, "Test/Zone") || !err.hint[0])
        fail_msg("%s: a bad refusal: %s", name, err.msg);
}

static void test_refuses_damaged_files(void **state)
{
    struct test_tzif s;

    (void)state;
    refuse("version 1 in letters", (s = test_tzif_good, s.version = '1', &s));
    refuse("an unknown version", (s = test_tzif_good, s.version = 'x', &s));
    refuse("no types", (s = test_tzif_good, s.type_count = 0, s.time_count = 0, &s));
    refuse("no names", (s = test_tzif_good, s.char_count = 0, &s));
    refuse("a name that does not end", (s = test_tzif_good, s.char_count = 8, &s));
    refuse("a name beyond the names", (s = test_tzif_good, s.types[1].abbrev = 9, &s));
    refuse("an empty name", (s = test_tzif_good, s.types[1].abbrev = 3, &s));
    refuse("a name with an escape in it", (s = test_tzif_good,
                                           s.chars = "A\x1b"
                                                     "A\0BBBB",
                                           &s));
    refuse("a name without end",
           (s = test_tzif_good, s.chars = "ABCDEFGHIJKLMNOPQ", s.char_count = 18, &s));
    refuse("summer time 2", (s = test_tzif_good, s.types[0].dst = 2, &s));
    refuse("an offset far in the east", (s = test_tzif_good, s.types[0].offset = 93600, &s));
    refuse("an offset far in the west", (s = test_tzif_good, s.types[0].offset = -90000, &s));
    refuse("the most negative offset", (s = test_tzif_good, s.types[0].offset = INT32_MIN, &s));
    refuse("times out of order", (s = test_tzif_good, s.times[1] = -1, &s));
    refuse("a time twice", (s = test_tzif_good, s.times[1] = 0, &s));
    refuse("a type that does not exist", (s = test_tzif_good, s.begins[0] = 2, &s));
    refuse("leap seconds", (s = test_tzif_good, s.leaps = 1, &s));
    refuse("no footer", (s = test_tzif_good, s.footer = NULL, &s));
}

static const char *const bad_rules[] = {
    "AAA",
    "AA1",
    "1",
    "A+A1",
    "<AAA1",
    "<A A>1",
    "<+1>1",
    "AAA25",
    "AAA1:60",
    "AAA1:00:60",
    "AAA1:",
    "AAA999999999999",
    "AAA1BBB",
    "AAA1BBB,M3.2.0",
    "AAA1BBB,M3.2.0,",
    "AAA1BBB,M3.2.0,M11.1",
    "AAA1BBB,M0.2.0,M11.1.0",
    "AAA1BBB,M13.2.0,M11.1.0",
    "AAA1BBB,M3.0.0,M11.1.0",
    "AAA1BBB,M3.6.0,M11.1.0",
    "AAA1BBB,M3.2.7,M11.1.0",
    "AAA1BBB,J0,M11.1.0",
    "AAA1BBB,J366,M11.1.0",
    "AAA1BBB,366,M11.1.0",
    "AAA1BBB,-1,M11.1.0",
    "AAA1BBB,M3.2.0/168,M11.1.0",
    "AAA1BBB,M3.2.0/-168,M11.1.0",
    "AAA1BBB,M3.2.0/,M11.1.0",
    "AAA1BBB,M3.2.0,M11.1.0,",
    "AAA1BBB,M3.2.0,M11.1.0 ",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ1",
};

static void test_refuses_damaged_rules(void **state)
{
    char endless[600];
    struct test_tzif s = test_tzif_good;

    (void)state;
    for (size_t i = 0; i < SF_COUNT(bad_rules); i++) {
        s.footer = bad_rules[i];
        refuse(bad_rules[i], &s);
    }
    memset(endless, '1', sizeof(endless));
    endless[sizeof(endless) - 1] = '\0';
    s.footer = endless;
    refuse("a rule without end", &s);
}

static void test_every_cut_is_refused(void **state)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    size_t accepted = 0;

    (void)state;
    test_tzif_build(&sb, &test_tzif_good);
    for (size_t len = 0; len < sb.len; len++) {
        struct sf_error err = SF_ERROR_INIT;
        char *cut = malloc(len + 1); /* exact, so that reading past the end is seen */
        struct sf_zone *zone;

        memcpy(cut + 1, sb.buf, len);
        zone = sf_zone_parse("Test/Zone", cut + 1, len, &err);
        accepted += zone != NULL;
        sf_zone_free(zone);
        free(cut);
    }
    sf_strbuf_release(&sb);
    assert_int_equal(accepted, 0);
}

/* Whatever a damaged file still means, answers must be consistent with one another. */
static const char *contradiction(const struct sf_zone *zone, int64_t ms)
{
    struct sf_civil civil;
    int64_t back;
    int offset, there;

    sf_zone_at(zone, ms, &offset, NULL, NULL);
    sf_civil_from_ms(&civil, ms + offset * INT64_C(1000));
    if (!sf_civil_ok(&civil))
        return NULL;
    if (sf_zone_resolve(zone, &civil, &back) == SF_WALL_GAP)
        return "an instant lies in a gap";
    sf_zone_at(zone, back, &there, NULL, NULL);
    if (back + there * INT64_C(1000) != ms + offset * INT64_C(1000) || back > ms)
        return "the reading belongs to another instant";
    return NULL;
}

static void test_random_damage(void **state)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    uint64_t random = 20260101;
    size_t survivors = 0;
    const char *why = NULL;

    (void)state;
    for (int round = 0; !why && round < 20000; round++) {
        struct sf_error err = SF_ERROR_INIT;
        struct sf_zone *zone;

        sf_strbuf_reset(&sb);
        test_tzif_build(&sb, &test_tzif_good);
        for (int i = 0; i <= round % 3; i++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
            sb.buf[(random >> 33) % sb.len] = (char)(random >> 20);
        }
        zone = sf_zone_parse("Test/Zone", sb.buf, sb.len, &err);
        for (int64_t s = -5000; zone && !why && s < INT64_C(5000000000); s += 123456789)
            why = contradiction(zone, s * 1000);
        survivors += zone != NULL;
        sf_zone_free(zone);
    }
    sf_strbuf_release(&sb);
    if (why)
        fail_msg("%s", why);
    assert_true(survivors > 100 && survivors < 19900);
}

static void test_refuses_by_size_and_name(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    char *large = calloc(1, SF_ZONE_MAX_BYTES + 1);
    struct sf_zone *zone = sf_zone_parse("Test/Zone", large, SF_ZONE_MAX_BYTES + 1, &err);

    (void)state;
    free(large);
    assert_null(zone);
    assert_int_equal(err.code, SF_E_LIMIT);
    assert_null(sf_zone_parse("../x", "", 0, &err));
    assert_int_equal(err.code, SF_E_ARG);
}

/* Counts near the top of what four bytes hold must not overflow into something small. */
static void test_absurd_counts(void **state)
{
    (void)state;
    for (size_t which = 0; which < 6; which++)
        for (size_t second_header = 0; second_header < 2; second_header++) {
            struct sf_strbuf sb = SF_STRBUF_INIT;
            struct sf_error err = SF_ERROR_INIT;
            struct sf_zone *zone;

            test_tzif_build(&sb, &test_tzif_good);
            memset(sb.buf + second_header * 44 + 20 + which * 4, 0xff, 4);
            zone = sf_zone_parse("Test/Zone", sb.buf, sb.len, &err);
            sf_strbuf_release(&sb);
            assert_null(zone);
            assert_int_equal(err.code, SF_E_DAMAGED);
            assert_non_null(strstr(err.msg, "a count is too large"));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_version),
        cmocka_unit_test(test_a_rule_alone_holds_always),
        cmocka_unit_test(test_no_rule_means_no_change),
        cmocka_unit_test(test_refuses_damaged_files),
        cmocka_unit_test(test_refuses_damaged_rules),
        cmocka_unit_test(test_every_cut_is_refused),
        cmocka_unit_test(test_random_damage),
        cmocka_unit_test(test_refuses_by_size_and_name),
        cmocka_unit_test(test_absurd_counts),
    };

    return cmocka_run_group_tests_name("tzif", tests, NULL, NULL);
}
