/*
 * Instants, dates and durations. The calendar is checked day by day over all ten thousand years
 * against a counter that only knows the length of months, and against libc.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/base.h"
#include "support/test.h"

#define FIRST_MS INT64_C(-62167219200000) /* 0000-01-01T00:00:00.000Z */
#define LAST_MS  INT64_C(253402300799999) /* 9999-12-31T23:59:59.999Z */

static int plain_month_days(int64_t year, int month)
{
    if (month == 2)
        return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28;
    return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

static void test_every_day(void **state)
{
    int64_t days = FIRST_MS / 86400000;
    int weekday = 6; /* 0000-01-01 was a Saturday */

    (void)state;
    for (int64_t year = 0; year <= 9999; year++)
        for (int month = 1; month <= 12; month++)
            for (int day = 1; day <= plain_month_days(year, month); day++, days++) {
                int64_t y;
                int m, d;

                sf_civil_from_days(days, &y, &m, &d);
                if (y != year || m != month || d != day ||
                    sf_civil_days(year, month, day) != days || sf_civil_weekday(days) != weekday)
                    fail_msg("day %lld is %lld-%d-%d", (long long)days, (long long)y, m, d);
                weekday = (weekday + 1) % 7;
            }
    assert_int_equal(days, LAST_MS / 86400000 + 1);
}

static void test_agrees_with_libc(void **state)
{
    (void)state;
    for (int64_t s = -(INT64_C(1) << 40); s < INT64_C(1) << 40; s += INT64_C(7654321987)) {
        time_t t = (time_t)s;
        struct sf_civil c;
        struct tm tm;

        assert_non_null(gmtime_r(&t, &tm));
        sf_civil_from_ms(&c, s * 1000 + 7);
        if (c.year != tm.tm_year + 1900 || c.month != tm.tm_mon + 1 || c.day != tm.tm_mday ||
            c.hour != tm.tm_hour || c.minute != tm.tm_min || c.second != tm.tm_sec || c.ms != 7)
            fail_msg("second %lld", (long long)s);
    }
}

static void test_the_ends_of_time(void **state)
{
    static const int64_t ends[] = { INT64_MIN, INT64_MIN + 1, INT64_MAX, -1, 0, 1 };
    char text[SF_TIME_MAX];
    struct sf_civil c;

    (void)state;
    for (size_t i = 0; i < SF_COUNT(ends); i++) {
        sf_civil_from_ms(&c, ends[i]);
        assert_in_range(c.month, 1, 12);
        assert_in_range(c.day, 1, 31);
        assert_in_range(c.ms, 0, 999);
        sf_time_format_utc(text, ends[i]);
        assert_int_equal(strlen(text), 24);
    }
}

static const struct {
    const char *name;
    struct sf_civil civil;
    bool ok;
} civils[] = {
    { "an ordinary reading", { 2026, 11, 16, 5, 9, 53, 123 }, true },
    { "a leap day", { 2024, 2, 29, 0, 0, 0, 0 }, true },
    { "no leap day in 2100", { 2100, 2, 29, 0, 0, 0, 0 }, false },
    { "no thirteenth month", { 2026, 13, 1, 0, 0, 0, 0 }, false },
    { "no month zero", { 2026, 0, 1, 0, 0, 0, 0 }, false },
    { "no day zero", { 2026, 1, 0, 0, 0, 0, 0 }, false },
    { "no 31 April", { 2026, 4, 31, 0, 0, 0, 0 }, false },
    { "no hour 24", { 2026, 1, 1, 24, 0, 0, 0 }, false },
    { "no minute 60", { 2026, 1, 1, 0, 60, 0, 0 }, false },
    { "no second 60", { 2026, 1, 1, 0, 0, 60, 0 }, false },
    { "no negative hour", { 2026, 1, 1, -1, 0, 0, 0 }, false },
    { "no thousand milliseconds", { 2026, 1, 1, 0, 0, 0, 1000 }, false },
    { "the last reading", { 9999, 12, 31, 23, 59, 59, 999 }, true },
    { "no year 10000", { 10000, 1, 1, 0, 0, 0, 0 }, false },
    { "no year before 0", { -1, 12, 31, 0, 0, 0, 0 }, false },
};

static void test_civil_ok(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(civils); i++)
        if (sf_civil_ok(&civils[i].civil) != civils[i].ok)
            fail_msg("%s", civils[i].name);
}

static const struct {
    const char *name;
    const char *text;
    int64_t ms;
    const char *utc; /* how it is written again; NULL: it must be refused */
} instants[] = {
    { "the beginning", "1970-01-01T00:00:00Z", 0, "1970-01-01T00:00:00.000Z" },
    { "before it", "1969-12-31T23:59:59.999Z", -1, "1969-12-31T23:59:59.999Z" },
    { "milliseconds", "2026-11-16T05:09:53.123Z", INT64_C(1794805793123),
      "2026-11-16T05:09:53.123Z" },
    { "an offset east", "2026-11-16T06:09:53.123+01:00", INT64_C(1794805793123),
      "2026-11-16T05:09:53.123Z" },
    { "an offset west", "2026-11-15T21:39:53.123-07:30", INT64_C(1794805793123),
      "2026-11-16T05:09:53.123Z" },
    { "the largest offset", "1970-01-01T23:59:00+23:59", 0, "1970-01-01T00:00:00.000Z" },
    { "the smallest offset", "1969-12-31T00:01:00-23:59", 0, "1970-01-01T00:00:00.000Z" },
    { "an unknown offset", "1970-01-01T00:00:00-00:00", 0, "1970-01-01T00:00:00.000Z" },
    { "lower case", "1970-01-01t00:00:01z", 1000, "1970-01-01T00:00:01.000Z" },
    { "a space", "1970-01-01 00:00:01Z", 1000, "1970-01-01T00:00:01.000Z" },
    { "one digit of fraction", "1970-01-01T00:00:00.5Z", 500, "1970-01-01T00:00:00.500Z" },
    { "nanoseconds are cut off", "1970-01-01T00:00:00.001999999Z", 1, "1970-01-01T00:00:00.001Z" },
    { "a fraction longer than any number", "1970-01-01T00:00:00.12300000000000000000000000000Z",
      123, "1970-01-01T00:00:00.123Z" },
    { "a leap day", "2024-02-29T12:00:00Z", INT64_C(1709208000000), "2024-02-29T12:00:00.000Z" },
    { "a leap second", "1990-12-31T23:59:60Z", INT64_C(662687999999), "1990-12-31T23:59:59.999Z" },
    { "a leap second with a fraction", "1990-12-31T23:59:60.4Z", INT64_C(662687999999),
      "1990-12-31T23:59:59.999Z" },
    { "a leap second elsewhere", "1990-12-31T15:59:60-08:00", INT64_C(662687999999),
      "1990-12-31T23:59:59.999Z" },
    { "a leap second on the next day", "1991-01-01T05:29:60+05:30", INT64_C(662687999999),
      "1990-12-31T23:59:59.999Z" },
    { "the first instant", "0000-01-01T00:00:00Z", FIRST_MS, "0000-01-01T00:00:00.000Z" },
    { "the last instant", "9999-12-31T23:59:59.999Z", LAST_MS, "9999-12-31T23:59:59.999Z" },

    { "nothing", "", 0, NULL },
    { "a date alone", "2026-11-16", 0, NULL },
    { "no zone", "2026-11-16T05:09:53", 0, NULL },
    { "no seconds", "2026-11-16T05:09Z", 0, NULL },
    { "no colon in the offset", "2026-11-16T05:09:53+0100", 0, NULL },
    { "an offset of hours only", "2026-11-16T05:09:53+01", 0, NULL },
    { "an offset too large", "2026-11-16T05:09:53+24:00", 0, NULL },
    { "offset minutes too large", "2026-11-16T05:09:53+01:60", 0, NULL },
    { "a point without digits", "2026-11-16T05:09:53.Z", 0, NULL },
    { "a comma for the point", "2026-11-16T05:09:53,5Z", 0, NULL },
    { "something behind", "2026-11-16T05:09:53Z ", 0, NULL },
    { "something in front", " 2026-11-16T05:09:53Z", 0, NULL },
    { "a sign", "+026-11-16T05:09:53Z", 0, NULL },
    { "five digits of year", "12026-11-16T05:09:53Z", 0, NULL },
    { "two digits of year", "26-11-16T05:09:53Z", 0, NULL },
    { "one digit of month", "2026-1-16T05:09:53Z", 0, NULL },
    { "month zero", "2026-00-16T05:09:53Z", 0, NULL },
    { "month thirteen", "2026-13-16T05:09:53Z", 0, NULL },
    { "day zero", "2026-11-00T05:09:53Z", 0, NULL },
    { "31 November", "2026-11-31T05:09:53Z", 0, NULL },
    { "29 February 2026", "2026-02-29T05:09:53Z", 0, NULL },
    { "29 February 1900", "1900-02-29T05:09:53Z", 0, NULL },
    { "hour 24", "2026-11-16T24:00:00Z", 0, NULL },
    { "minute 60", "2026-11-16T05:60:00Z", 0, NULL },
    { "second 61", "1990-12-31T23:59:61Z", 0, NULL },
    { "a leap second at noon", "1990-12-31T12:59:60Z", 0, NULL },
    { "a leap second in local time only", "1990-12-31T23:59:60+01:00", 0, NULL },
    { "a leap second in the middle of a month", "1990-12-30T23:59:60Z", 0, NULL },
    { "a year before 0 in UTC", "0000-01-01T00:00:00+00:01", 0, NULL },
    { "a year beyond 9999 in UTC", "9999-12-31T23:59:59-00:01", 0, NULL },
    { "other digits", "２０２６-11-16T05:09:53Z", 0, NULL },
};

static void test_instants(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(instants); i++) {
        struct sf_error err = SF_ERROR_INIT;
        char text[SF_TIME_MAX];
        int64_t ms = 77;
        bool ok = sf_time_parse_rfc3339(instants[i].text, strlen(instants[i].text), &ms, &err);

        if (ok != !!instants[i].utc)
            fail_msg("%s: %s", instants[i].name, ok ? "accepted" : err.msg);
        if (!ok && (ms != 77 || !err.msg[0] || !err.hint[0] || err.code != SF_E_SYNTAX))
            fail_msg("%s: a bad refusal", instants[i].name);
        if (!ok)
            continue;
        if (ms != instants[i].ms)
            fail_msg("%s: read as %lld", instants[i].name, (long long)ms);
        sf_time_format_utc(text, ms);
        if (strcmp(text, instants[i].utc) != 0)
            fail_msg("%s: written as %s", instants[i].name, text);
    }
}

/* Each cut of a good text is refused and nothing behind the given length is read. */
static void test_cut_texts(void **state)
{
    static const char whole[] = "2026-11-16T05:09:53.123+01:00";
    struct sf_error err = SF_ERROR_INIT;
    int64_t ms;

    (void)state;
    for (size_t len = 0; len < strlen(whole); len++) {
        char *cut = malloc(len + 1);
        bool ok;

        assert_non_null(cut);
        memcpy(cut + 1, whole, len);
        ok = sf_time_parse_rfc3339(cut + 1, len, &ms, &err);
        free(cut);
        if (ok)
            fail_msg("accepted %.*s", (int)len, whole);
    }
    assert_false(sf_time_parse_rfc3339("1970-01-01T00:00:00Z\0", 21, &ms, &err));
    assert_false(sf_time_parse_rfc3339("1970-01-01\0"
                                       "00:00:00Z",
                                       20, &ms, &err));
}

static void test_order_of_texts_is_order_of_instants(void **state)
{
    char before[SF_TIME_MAX], text[SF_TIME_MAX];
    struct sf_error err = SF_ERROR_INIT;
    int64_t back;

    (void)state;
    sf_time_format_utc(before, INT64_MIN);
    assert_string_equal(before, "0000-01-01T00:00:00.000Z");
    for (int64_t ms = FIRST_MS + 1; ms <= LAST_MS; ms += INT64_C(1234567890123) / 100) {
        sf_time_format_utc(text, ms);
        assert_int_equal(strlen(text), 24);
        assert_true(strcmp(before, text) < 0);
        assert_true(sf_time_parse_rfc3339(text, strlen(text), &back, &err));
        assert_int_equal(back, ms);
        memcpy(before, text, sizeof(text));
    }
    sf_time_format_utc(text, INT64_MAX);
    assert_string_equal(text, "9999-12-31T23:59:59.999Z");
}

static const struct {
    const char *name;
    int64_t ms;
    int offset;
    const char *text;
} offsets[] = {
    { "east", INT64_C(1794805793123), 3600, "2026-11-16T06:09:53.123+01:00" },
    { "west", INT64_C(1794805793123), -12600, "2026-11-16T01:39:53.123-03:30" },
    { "none", 0, 0, "1970-01-01T00:00:00.000+00:00" },
    { "less than a minute is none", 0, -30, "1970-01-01T00:00:00.000+00:00" },
    { "seconds are cut off", 0, 3 * 3600 + 59, "1970-01-01T03:00:00.000+03:00" },
    { "seconds are cut off in the west", 0, -3 * 3600 - 59, "1969-12-31T21:00:00.000-03:00" },
    { "a day is too much", 0, 86400, "1970-01-01T00:00:00.000Z" },
    { "the largest", 0, 86340, "1970-01-01T23:59:00.000+23:59" },
    { "a reading beyond 9999", LAST_MS, 3600, "9999-12-31T23:59:59.999Z" },
    { "a reading before 0000", FIRST_MS, -3600, "0000-01-01T00:00:00.000Z" },
    { "an instant beyond everything", INT64_MAX, 3600, "9999-12-31T23:59:59.999Z" },
    { "an absurd offset", 0, INT32_MIN, "1970-01-01T00:00:00.000Z" },
};

static void test_offsets(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(offsets); i++) {
        char text[SF_TIME_MAX];

        sf_time_format_offset(text, offsets[i].ms, offsets[i].offset);
        if (strcmp(text, offsets[i].text) != 0)
            fail_msg("%s: written as %s", offsets[i].name, text);
    }
}

static void test_an_offset_keeps_the_instant(void **state)
{
    struct sf_error err = SF_ERROR_INIT;

    (void)state;
    for (int offset = -86399; offset < 86400; offset += 97) {
        int64_t ms = INT64_C(1794805793123) + offset * INT64_C(1009), back;
        char text[SF_TIME_MAX];

        sf_time_format_offset(text, ms, offset);
        assert_true(sf_time_parse_rfc3339(text, strlen(text), &back, &err));
        assert_int_equal(back, ms);
    }
}

static const struct {
    const char *name;
    const char *text;
    int64_t ms; /* -1: refused as text, -2: refused as too long */
    const char *again;
} durations[] = {
    { "seconds", "90s", 90000, "1m30s" },
    { "minutes", "15m", 900000, "15m" },
    { "hours", "2h", 7200000, "2h" },
    { "a day", "1d", 86400000, "1d" },
    { "a week", "1w", 604800000, "1w" },
    { "hours and minutes", "1h30m", 5400000, "1h30m" },
    { "milliseconds", "250ms", 250, "250ms" },
    { "minutes and milliseconds", "1m1ms", 60001, "1m1ms" },
    { "all of them", "1w2d3h4m5s6ms", 788645006, "1w2d3h4m5s6ms" },
    { "zero", "0s", 0, "0s" },
    { "leading zeros", "007s", 7000, "7s" },
    { "the longest", "9223372036854775807ms", INT64_MAX, "15250284452w3d7h12m55s807ms" },
    { "nothing", "", -1, NULL },
    { "no unit", "90", -1, NULL },
    { "no unit behind", "1h30", -1, NULL },
    { "no number", "s", -1, NULL },
    { "an unknown unit", "1y", -1, NULL },
    { "a unit spelled out", "1hms", -1, NULL },
    { "upper case", "1H", -1, NULL },
    { "the wrong order", "30m1h", -1, NULL },
    { "a unit twice", "1h1h", -1, NULL },
    { "milliseconds before seconds", "1ms1s", -1, NULL },
    { "a space", "1h 30m", -1, NULL },
    { "a space in front", " 1h", -1, NULL },
    { "a space behind", "1h ", -1, NULL },
    { "a minus", "-1h", -1, NULL },
    { "a plus", "+1h", -1, NULL },
    { "a fraction", "1.5h", -1, NULL },
    { "more than fits a number", "9223372036854775808ms", -2, NULL },
    { "twenty digits", "99999999999999999999s", -2, NULL },
    { "more weeks than fit", "15250284453w", -2, NULL },
    { "a sum that does not fit", "15250284452w4d", -2, NULL },
};

static void test_durations(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(durations); i++) {
        struct sf_error err = SF_ERROR_INIT;
        char text[SF_DURATION_MAX];
        int64_t ms = 77;
        bool ok = sf_duration_parse(durations[i].text, &ms, &err);
        enum sf_errc want = durations[i].ms == -2 ? SF_E_LIMIT : SF_E_SYNTAX;

        if (ok != (durations[i].ms >= 0))
            fail_msg("%s: %s", durations[i].name, ok ? "accepted" : err.msg);
        if (!ok && (ms != 77 || err.code != want || !err.hint[0]))
            fail_msg("%s: a bad refusal", durations[i].name);
        if (!ok)
            continue;
        sf_duration_format(text, ms);
        if (ms != durations[i].ms || strcmp(text, durations[i].again) != 0)
            fail_msg("%s: read as %lld, written as %s", durations[i].name, (long long)ms, text);
    }
}

static void test_every_duration_reads_back(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    char text[SF_DURATION_MAX];
    int64_t back;

    (void)state;
    for (int64_t ms = 1; ms < INT64_MAX / 3; ms = ms * 3 - ms / 7) {
        sf_duration_format(text, ms);
        assert_true(sf_duration_parse(text, &back, &err));
        assert_int_equal(back, ms);
    }
    sf_duration_format(text, -5400000);
    assert_string_equal(text, "-1h30m");
    sf_duration_format(text, INT64_MIN);
    assert_string_equal(text, "-15250284452w3d7h12m55s808ms");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_day),
        cmocka_unit_test(test_agrees_with_libc),
        cmocka_unit_test(test_the_ends_of_time),
        cmocka_unit_test(test_civil_ok),
        cmocka_unit_test(test_instants),
        cmocka_unit_test(test_cut_texts),
        cmocka_unit_test(test_order_of_texts_is_order_of_instants),
        cmocka_unit_test(test_offsets),
        cmocka_unit_test(test_an_offset_keeps_the_instant),
        cmocka_unit_test(test_durations),
        cmocka_unit_test(test_every_duration_reads_back),
    };

    return cmocka_run_group_tests_name("time", tests, NULL, NULL);
}
