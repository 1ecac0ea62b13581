/*
 * Time zones. Answers are compared with libc's, second by second around each change, for zones
 * chosen because each breaks a different assumption, and for rules of every form. How files are
 * read is the matter of test_tzif.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "support/test.h"
#include "support/tzif.h"

#define ZONE_DIR "/usr/share/zoneinfo"
#define DAY      86400

/* A missing file fails the test: without tzdata nothing below would be tested. */
static struct sf_zone *load(const char *name)
{
    struct sf_error err = SF_ERROR_INIT;
    char *path = test_path(ZONE_DIR, name);
    struct sf_zone *zone;
    size_t len;
    char *data;

    if (access(path, R_OK) != 0)
        fail_msg("%s cannot be read: is tzdata installed?", path);
    data = test_read(path, &len);
    zone = sf_zone_parse(name, data, len, &err);
    free(data);
    free(path);
    if (!zone)
        fail_msg("%s: %s", name, err.msg);
    return zone;
}

static int64_t second_of(int year, int month, int day, int hour, int minute)
{
    struct sf_civil c = { year, month, day, hour, minute, 0, 0 };

    return sf_civil_to_ms(&c) / 1000;
}

static void use_tz(const char *tz)
{
    setenv("TZ", tz, 1);
    tzset();
}

static void check_against_libc(const struct sf_zone *zone, const char *label, int64_t second)
{
    time_t t = (time_t)second;
    struct tm tm;
    const char *abbrev;
    int offset;
    bool dst;

    localtime_r(&t, &tm);
    sf_zone_at(zone, second * 1000 + 999, &offset, &dst, &abbrev);
    if (offset != tm.tm_gmtoff || dst != (tm.tm_isdst > 0) || strcmp(abbrev, tm.tm_zone) != 0)
        fail_msg("%s at %lld: %d %d %s, libc says %ld %d %s", label, (long long)second, offset, dst,
                 abbrev, tm.tm_gmtoff, tm.tm_isdst, tm.tm_zone);
}

static bool same_at(const struct sf_zone *zone, int64_t a, int64_t b)
{
    int offset_a, offset_b;
    bool dst_a, dst_b;
    const char *name_a, *name_b;

    sf_zone_at(zone, a * 1000, &offset_a, &dst_a, &name_a);
    sf_zone_at(zone, b * 1000, &offset_b, &dst_b, &name_b);
    return offset_a == offset_b && dst_a == dst_b && !strcmp(name_a, name_b);
}

/* The first second after `a` that differs from it, knowing that `b` does. */
static int64_t find_change(const struct sf_zone *zone, int64_t a, int64_t b)
{
    while (b - a > 1) {
        int64_t mid = a + (b - a) / 2;

        if (same_at(zone, a, mid))
            a = mid;
        else
            b = mid;
    }
    return b;
}

/* What the clock shows at `second`, with `shift` seconds added. */
static struct sf_civil reading(const struct sf_zone *zone, int64_t second, int64_t shift)
{
    struct sf_civil civil;
    int offset;

    sf_zone_at(zone, second * 1000, &offset, NULL, NULL);
    sf_civil_from_ms(&civil, (second + offset + shift) * 1000);
    return civil;
}

/* All instants that show the reading, found the slow way, around one change of offset. */
static int find_slowly(const struct sf_zone *zone, const struct sf_civil *civil,
                       const int offsets[2], int64_t *earliest)
{
    int64_t wall = sf_civil_to_ms(civil);
    int count = 0;

    for (int i = 0; i < 2; i++) {
        int64_t ms = wall - offsets[i] * INT64_C(1000);
        int there;

        sf_zone_at(zone, ms, &there, NULL, NULL);
        if (there != offsets[i] || (i && offsets[0] == offsets[1]))
            continue;
        if (!count || ms < *earliest)
            *earliest = ms;
        count++;
    }
    return count;
}

static void check_resolve_at(const struct sf_zone *zone, const char *label, int64_t change)
{
    static const int shifts[] = { -7200, -3600, -1800, -1, 0, 1, 1800, 3599, 3600, 7200 };
    int offsets[2];

    sf_zone_at(zone, (change - 1) * 1000, &offsets[0], NULL, NULL);
    sf_zone_at(zone, change * 1000, &offsets[1], NULL, NULL);
    for (size_t i = 0; i < SF_COUNT(shifts); i++) {
        struct sf_civil civil = reading(zone, change - 1, 1 + shifts[i]);
        int64_t want = sf_civil_to_ms(&civil) - offsets[0] * INT64_C(1000), got;
        int count = find_slowly(zone, &civil, offsets, &want);
        enum sf_wall wall = sf_zone_resolve(zone, &civil, &got);
        enum sf_wall want_wall = count > 1 ? SF_WALL_OVERLAP : count ? SF_WALL_UNIQUE : SF_WALL_GAP;

        if (wall != want_wall || got != want)
            fail_msg("%s: change at %lld, %d seconds off: %d at %lld, want %d at %lld", label,
                     (long long)change, shifts[i], (int)wall, (long long)got, (int)want_wall,
                     (long long)want);
    }
}

/* Day by day; where a day differs from the one before, second by second around the change. */
static size_t compare(const struct sf_zone *zone, const char *label, int64_t from, int64_t to)
{
    size_t changes = 0;

    for (int64_t s = from; s < to; s += DAY) {
        check_against_libc(zone, label, s);
        for (int64_t a = s; !same_at(zone, a, s + DAY); changes++) {
            int64_t change = find_change(zone, a, s + DAY);

            for (int64_t near = change - 3; near <= change + 3; near++)
                check_against_libc(zone, label, near);
            check_resolve_at(zone, label, change);
            a = change;
        }
    }
    return changes;
}

static const struct {
    const char *name;
    size_t least; /* changes between 1900 and 2150 */
} zones[] = {
    { "UTC", 0 },
    { "Etc/GMT+12", 0 },
    { "America/New_York", 400 },
    { "America/Los_Angeles", 400 },
    { "America/St_Johns", 400 },
    { "America/Sao_Paulo", 60 },
    { "America/Nuuk", 300 },
    { "America/Argentina/San_Luis", 20 },
    { "America/Caracas", 3 },
    { "Europe/London", 400 },
    { "Europe/Dublin", 400 },
    { "Europe/Berlin", 300 },
    { "Europe/Moscow", 60 },
    { "Africa/Casablanca", 60 },
    { "Africa/Cairo", 300 },
    { "Africa/Monrovia", 2 },
    { "Asia/Kolkata", 3 },
    { "Asia/Kathmandu", 2 },
    { "Asia/Tehran", 50 },
    { "Asia/Gaza", 300 },
    { "Asia/Pyongyang", 3 },
    { "Australia/Lord_Howe", 300 },
    { "Australia/Adelaide", 300 },
    { "Pacific/Apia", 15 },
    { "Pacific/Chatham", 300 },
    { "Pacific/Kwajalein", 3 },
    { "Antarctica/Troll", 200 },
    { "Antarctica/Casey", 10 },
};

static int zone_teardown(void **state)
{
    sf_zone_free(*state);
    unsetenv("TZ");
    tzset();
    return 0;
}

static void test_agrees_with_libc(void **state)
{
    for (size_t i = 0; i < SF_COUNT(zones); i++) {
        struct sf_zone *zone = *state = load(zones[i].name);
        size_t changes;

        use_tz(zones[i].name);
        changes =
            compare(zone, zones[i].name, second_of(1900, 1, 1, 5, 17), second_of(2150, 1, 1, 0, 0));
        if (changes < zones[i].least)
            fail_msg("%s: only %zu changes seen", zones[i].name, changes);
        assert_string_equal(sf_zone_name(zone), zones[i].name);
        sf_zone_free(zone);
        *state = NULL;
    }
}

static struct sf_civil read_civil(const char *text)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_civil civil;
    char as_utc[SF_TIME_MAX];
    int64_t ms;

    snprintf(as_utc, sizeof(as_utc), "%sZ", text);
    if (!sf_time_parse_rfc3339(as_utc, strlen(as_utc), &ms, &err))
        fail_msg("%s: %s", text, err.msg);
    sf_civil_from_ms(&civil, ms);
    return civil;
}

static const struct {
    const char *name;
    const char *zone;
    const char *reading;
    enum sf_wall wall;
    const char *utc;
} walls[] = {
    { "an ordinary day", "America/New_York", "2026-07-01 09:00:00.005", SF_WALL_UNIQUE,
      "2026-07-01T13:00:00.005Z" },
    { "a gap", "America/New_York", "2026-03-08 02:30:00.000", SF_WALL_GAP,
      "2026-03-08T07:30:00.000Z" },
    { "the first second of a gap", "America/New_York", "2026-03-08 02:00:00.000", SF_WALL_GAP,
      "2026-03-08T07:00:00.000Z" },
    { "the last before a gap", "America/New_York", "2026-03-08 01:59:59.999", SF_WALL_UNIQUE,
      "2026-03-08T06:59:59.999Z" },
    { "the first after a gap", "America/New_York", "2026-03-08 03:00:00.000", SF_WALL_UNIQUE,
      "2026-03-08T07:00:00.000Z" },
    { "an overlap", "America/New_York", "2026-11-01 01:30:00.000", SF_WALL_OVERLAP,
      "2026-11-01T05:30:00.000Z" },
    { "the end of an overlap", "America/New_York", "2026-11-01 02:00:00.000", SF_WALL_UNIQUE,
      "2026-11-01T07:00:00.000Z" },
    { "a gap in 2100", "Europe/Berlin", "2100-03-28 02:15:00.000", SF_WALL_GAP,
      "2100-03-28T01:15:00.000Z" },
    { "an overlap in 2100", "Europe/Berlin", "2100-10-31 02:15:00.000", SF_WALL_OVERLAP,
      "2100-10-31T00:15:00.000Z" },
    { "summer in 2100", "Europe/Berlin", "2100-07-01 12:00:00.000", SF_WALL_UNIQUE,
      "2100-07-01T10:00:00.000Z" },
    { "summer in the year 9999", "Europe/Berlin", "9999-07-01 12:00:00.000", SF_WALL_UNIQUE,
      "9999-07-01T10:00:00.000Z" },
    { "the south in 2100", "Pacific/Chatham", "2100-01-01 00:00:00.000", SF_WALL_UNIQUE,
      "2099-12-31T10:15:00.000Z" },
    { "half an hour of gap", "Australia/Lord_Howe", "2026-10-04 02:10:00.000", SF_WALL_GAP,
      "2026-10-03T15:40:00.000Z" },
    { "half an hour of overlap", "Australia/Lord_Howe", "2026-04-05 01:40:00.000", SF_WALL_OVERLAP,
      "2026-04-04T14:40:00.000Z" },
    { "two hours of gap", "Antarctica/Troll", "2026-03-29 02:30:00.000", SF_WALL_GAP,
      "2026-03-29T02:30:00.000Z" },
    { "a whole day of gap", "Pacific/Apia", "2011-12-30 12:00:00.000", SF_WALL_GAP,
      "2011-12-30T22:00:00.000Z" },
    { "a whole day of overlap", "America/Juneau", "1867-10-19 00:00:00.000", SF_WALL_OVERLAP,
      "1867-10-18T08:57:41.000Z" },
    { "negative summer time", "Europe/Dublin", "2026-10-25 01:30:00.000", SF_WALL_OVERLAP,
      "2026-10-25T00:30:00.000Z" },
    { "before all changes", "Europe/Berlin", "1800-01-01 00:53:28.000", SF_WALL_UNIQUE,
      "1800-01-01T00:00:00.000Z" },
    { "the first day", "Asia/Kolkata", "0000-01-02 00:00:00.000", SF_WALL_UNIQUE,
      "0000-01-01T18:06:32.000Z" },
};

static void test_wall_clocks(void **state)
{
    for (size_t i = 0; i < SF_COUNT(walls); i++) {
        struct sf_zone *zone = *state = load(walls[i].zone);
        struct sf_civil civil = read_civil(walls[i].reading);
        int64_t ms;
        enum sf_wall wall = sf_zone_resolve(zone, &civil, &ms);
        char utc[SF_TIME_MAX];

        sf_time_format_utc(utc, ms);
        if (wall != walls[i].wall || strcmp(utc, walls[i].utc) != 0)
            fail_msg("%s: %d at %s", walls[i].name, (int)wall, utc);
        sf_zone_free(zone);
        *state = NULL;
    }
}

static void test_utc(void **state)
{
    static const struct sf_civil civil = { 2026, 11, 16, 5, 9, 53, 123 };
    const char *abbrev;
    int64_t ms;
    int offset;
    bool dst;

    (void)state;
    sf_zone_at(sf_zone_utc(), INT64_MIN, &offset, &dst, &abbrev);
    assert_int_equal(offset, 0);
    assert_false(dst);
    assert_string_equal(abbrev, "UTC");
    assert_string_equal(sf_zone_name(sf_zone_utc()), "UTC");
    assert_int_equal(sf_zone_resolve(sf_zone_utc(), &civil, &ms), SF_WALL_UNIQUE);
    assert_int_equal(ms, INT64_C(1794805793123));
    sf_zone_free(sf_zone_utc());
    sf_zone_free(NULL);
    sf_zone_at(sf_zone_utc(), INT64_MAX, NULL, NULL, NULL);
}

static const struct {
    const char *name;
    bool ok;
} names[] = {
    { "UTC", true },
    { "Europe/Berlin", true },
    { "Etc/GMT+12", true },
    { "America/Argentina/San_Luis", true },
    { "America/Port-au-Prince", true },
    { "", false },
    { "/Europe/Berlin", false },
    { "Europe/", false },
    { "Europe//Berlin", false },
    { "..", false },
    { "../etc/passwd", false },
    { "Europe/../UTC", false },
    { ".", false },
    { "zone.tab", false },
    { "Europe\\Berlin", false },
    { "Euro pe", false },
    { "Z\xc3\xbcrich", false },
    { "UTC\n", false },
    { "<+03>-3", false },
    { "/", false },
};

static void test_names(void **state)
{
    char longest[SF_ZONE_NAME_MAX + 2];

    (void)state;
    for (size_t i = 0; i < SF_COUNT(names); i++)
        if (sf_zone_name_ok(names[i].name) != names[i].ok)
            fail_msg("the name \"%s\"", names[i].name);
    memset(longest, 'a', sizeof(longest));
    longest[SF_ZONE_NAME_MAX + 1] = '\0';
    assert_false(sf_zone_name_ok(longest));
    longest[SF_ZONE_NAME_MAX] = '\0';
    assert_true(sf_zone_name_ok(longest));
}

/* A zone that is nothing but the rule. */
static struct sf_zone *rule_zone(const char *rule)
{
    struct test_tzif file = test_tzif_good;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_zone *zone;

    file.time_count = 0;
    file.footer = rule;
    zone = test_tzif_parse(&file, &err);
    if (!zone)
        fail_msg("%s: %s", rule, err.msg);
    return zone;
}

static const struct {
    const char *name;
    const char *rule;
} rules[] = {
    { "fixed", "AAA5" },
    { "fixed, in brackets, with seconds", "<-0530>5:30:15" },
    { "the north", "EST5EDT,M3.2.0,M11.1.0" },
    { "the south", "AEST-10AEDT,M10.1.0,M4.1.0/3" },
    { "half an hour", "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0" },
    { "negative summer time", "IST-1GMT0,M10.5.0,M3.5.0/1" },
    { "a change before midnight of the day before", "<-02>2<-01>,M3.5.0/-1,M10.5.0/0" },
    { "a change at 24 o'clock", "EET-2EEST,M4.5.5/0,M10.5.4/24" },
    { "a change days later", "EET-2EEST,M3.4.4/50,M10.4.4/50" },
    { "julian days", "AAA3BBB,J60/0,J300/1:30" },
    { "julian days around the leap day", "AAA3BBB,J59,J61" },
    { "days of the year", "AAA3BBB,58/0,300/0" },
    { "the leap day of the year", "AAA3BBB,59/0,60/0" },
    { "the first and last weeks", "AAA3BBB,M1.1.1/3,M12.5.6/3" },
    { "an offset of its own", "AAA3BBB0:15:30,M5.1.2,M9.3.4" },
};

static void test_rules_agree_with_libc(void **state)
{
    for (size_t i = 0; i < SF_COUNT(rules); i++) {
        *state = rule_zone(rules[i].rule);
        use_tz(rules[i].rule);
        compare(*state, rules[i].name, second_of(1971, 1, 1, 3, 1), second_of(2130, 1, 1, 0, 0));
        sf_zone_free(*state);
        *state = NULL;
    }
}

/* Here libc and the standard part, or libc has no answer. */
static const struct {
    const char *name;
    const char *rule;
    int year, month, day, hour; /* UTC */
    int offset;
} corners[] = {
    { "summer time all year, at new year", "XXX3EDT4,0/0,J365/23", 2026, 1, 1, 3, -14400 },
    { "summer time all year, in July", "XXX3EDT4,0/0,J365/23", 2026, 7, 1, 0, -14400 },
    { "the same, spelled otherwise", "EST5EDT,0/0,J365/25", 2028, 1, 1, 5, -14400 },
    { "summer time of no length", "AAA0BBB,J100/0,J100/1", 2026, 4, 10, 0, 0 },
    { "a week after new year, before it", "AAA0BBB,J365/167,J100/0", 2027, 1, 6, 22, 0 },
    { "a week after new year, after it", "AAA0BBB,J365/167,J100/0", 2027, 1, 6, 23, 3600 },
    { "a week before new year, before it", "AAA0BBB,J1/-167,J100/0", 2025, 12, 25, 0, 0 },
    { "a week before new year, after it", "AAA0BBB,J1/-167,J100/0", 2025, 12, 25, 1, 3600 },
};

static void test_corners_of_rules(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(corners); i++) {
        struct sf_zone *zone = rule_zone(corners[i].rule);
        int64_t second =
            second_of(corners[i].year, corners[i].month, corners[i].day, corners[i].hour, 0);
        int offset;

        sf_zone_at(zone, second * 1000, &offset, NULL, NULL);
        sf_zone_free(zone);
        if (offset != corners[i].offset)
            fail_msg("%s: %d", corners[i].name, offset);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_agrees_with_libc, zone_teardown),
        cmocka_unit_test_teardown(test_wall_clocks, zone_teardown),
        cmocka_unit_test(test_utc),
        cmocka_unit_test(test_names),
        cmocka_unit_test_teardown(test_rules_agree_with_libc, zone_teardown),
        cmocka_unit_test(test_corners_of_rules),
    };

    return cmocka_run_group_tests_name("zone", tests, NULL, NULL);
}
