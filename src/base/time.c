/*
 * time.c: the calendar counts in eras of 400 years, which all have 146097 days, with years that
 * begin in March, so that the leap day is the last of its year and needs no special case.
 * Readers keep a cursor and stop at the first thing that is wrong; messages say where, and
 * never repeat the text, which may come from anywhere.
 */
#include "base/time.h"

#include <stdio.h>
#include <string.h>

#include "base/base.h"

#define DAY_MS 86400000

enum { ERA_DAYS = 146097, EPOCH_SHIFT = 719468 /* days from 0000-03-01 to 1970-01-01 */ };

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

int64_t sf_civil_days(int64_t year, int month, int day)
{
    int64_t era, year_of_era, day_of_year;

    if (month <= 2)
        year--;
    era = floor_div(year, 400);
    year_of_era = year - era * 400;
    day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    return era * ERA_DAYS + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year -
           EPOCH_SHIFT;
}

void sf_civil_from_days(int64_t days, int64_t *year, int *month, int *day)
{
    int64_t era, day_of_era, year_of_era, day_of_year, march_month;

    days += EPOCH_SHIFT;
    era = floor_div(days, ERA_DAYS);
    day_of_era = days - era * ERA_DAYS;
    year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / (ERA_DAYS - 1)) / 365;
    day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    march_month = (5 * day_of_year + 2) / 153;
    *day = (int)(day_of_year - (153 * march_month + 2) / 5 + 1);
    *month = (int)(march_month < 10 ? march_month + 3 : march_month - 9);
    *year = year_of_era + era * 400 + (*month <= 2);
}

int sf_civil_weekday(int64_t days)
{
    int64_t since_sunday = (days % 7 + 4) % 7; /* 1970-01-01 was a Thursday */

    return (int)(since_sunday < 0 ? since_sunday + 7 : since_sunday);
}

int sf_civil_month_days(int64_t year, int month)
{
    static const int lengths[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

    return lengths[month - 1] + (month == 2 && leap);
}

bool sf_civil_ok(const struct sf_civil *c)
{
    return c->year >= 0 && c->year <= 9999 && c->month >= 1 && c->month <= 12 && c->day >= 1 &&
           c->day <= sf_civil_month_days(c->year, c->month) && c->hour >= 0 && c->hour <= 23 &&
           c->minute >= 0 && c->minute <= 59 && c->second >= 0 && c->second <= 59 && c->ms >= 0 &&
           c->ms <= 999;
}

int64_t sf_civil_to_ms(const struct sf_civil *c)
{
    return sf_civil_days(c->year, c->month, c->day) * DAY_MS +
           ((c->hour * INT64_C(60) + c->minute) * 60 + c->second) * 1000 + c->ms;
}

void sf_civil_from_ms(struct sf_civil *c, int64_t ms)
{
    int64_t days = floor_div(ms, DAY_MS);
    int rest = (int)(ms % DAY_MS + (ms % DAY_MS < 0 ? DAY_MS : 0));

    sf_civil_from_days(days, &c->year, &c->month, &c->day);
    c->hour = rest / 3600000;
    c->minute = rest / 60000 % 60;
    c->second = rest / 1000 % 60;
    c->ms = rest % 1000;
}

static const struct sf_civil first_civil = { .year = 0, .month = 1, .day = 1 };
static const struct sf_civil last_civil = { 9999, 12, 31, 23, 59, 59, 999 };

static bool has_four_digit_year(int64_t ms)
{
    return ms >= sf_civil_to_ms(&first_civil) && ms <= sf_civil_to_ms(&last_civil);
}

static void format_civil(char out[SF_TIME_MAX], const struct sf_civil *c, const char *zone)
{
    snprintf(out, SF_TIME_MAX, "%04u-%02u-%02uT%02u:%02u:%02u.%03u%s", (unsigned)c->year % 10000,
             (unsigned)c->month % 100, (unsigned)c->day % 100, (unsigned)c->hour % 100,
             (unsigned)c->minute % 100, (unsigned)c->second % 100, (unsigned)c->ms % 1000, zone);
}

void sf_time_format_utc(char out[SF_TIME_MAX], int64_t ms)
{
    struct sf_civil civil;

    if (!has_four_digit_year(ms))
        civil = ms < 0 ? first_civil : last_civil;
    else
        sf_civil_from_ms(&civil, ms);
    format_civil(out, &civil, "Z");
}

void sf_time_format_offset(char out[SF_TIME_MAX], int64_t ms, int offset_seconds)
{
    int minutes = offset_seconds / 60;
    unsigned size = (unsigned)(minutes < 0 ? -minutes : minutes);
    struct sf_civil civil;
    char zone[8];

    if (size >= 24 * 60 || !has_four_digit_year(ms) ||
        !has_four_digit_year(ms + (int64_t)minutes * 60000)) {
        sf_time_format_utc(out, ms);
        return;
    }
    sf_civil_from_ms(&civil, ms + (int64_t)minutes * 60000);
    snprintf(zone, sizeof(zone), "%c%02u:%02u", minutes < 0 ? '-' : '+', size / 60 % 24, size % 60);
    format_civil(out, &civil, zone);
}

struct cursor {
    const char *text;
    size_t len, at;
    struct sf_error *err;
};

static bool fail_at(struct cursor *c, const char *expected)
{
    sf_fail(c->err, SF_E_SYNTAX, "cannot read the time: expected %s at character %zu", expected,
            c->at + 1);
    return sf_hint(c->err, "write it like 2026-11-16T05:09:53Z or 2026-11-16T06:09:53+01:00");
}

static bool fail_range(struct cursor *c, const char *what)
{
    sf_fail(c->err, SF_E_SYNTAX, "cannot read the time: %s", what);
    return sf_hint(c->err, "write it like 2026-11-16T05:09:53Z or 2026-11-16T06:09:53+01:00");
}

/* One character out of `set`. */
static bool take(struct cursor *c, const char *set, const char *expected)
{
    if (c->at >= c->len || !c->text[c->at] || !strchr(set, c->text[c->at]))
        return fail_at(c, expected);
    c->at++;
    return true;
}

static bool at_digit(const struct cursor *c)
{
    return c->at < c->len && c->text[c->at] >= '0' && c->text[c->at] <= '9';
}

static bool take_number(struct cursor *c, int digits, int *value)
{
    *value = 0;
    for (int i = 0; i < digits; i++, c->at++) {
        if (!at_digit(c))
            return fail_at(c, "a digit");
        *value = *value * 10 + (c->text[c->at] - '0');
    }
    return true;
}

static bool take_date(struct cursor *c, struct sf_civil *civil)
{
    int year;
    bool ok = take_number(c, 4, &year) && take(c, "-", "'-'") && take_number(c, 2, &civil->month) &&
              take(c, "-", "'-'") && take_number(c, 2, &civil->day);

    if (!ok)
        return false;
    civil->year = year;
    if (civil->month < 1 || civil->month > 12)
        return fail_range(c, "the month must be 01 to 12");
    if (civil->day < 1 || civil->day > sf_civil_month_days(year, civil->month))
        return fail_range(c, "that month has no such day");
    return true;
}

static bool take_fraction(struct cursor *c, int *ms)
{
    int scale = 100;

    *ms = 0;
    if (c->at >= c->len || c->text[c->at] != '.')
        return true;
    c->at++;
    if (!at_digit(c))
        return fail_at(c, "a digit");
    for (; at_digit(c); c->at++, scale /= 10)
        *ms += (c->text[c->at] - '0') * scale;
    return true;
}

static bool take_clock(struct cursor *c, struct sf_civil *civil)
{
    if (!take_number(c, 2, &civil->hour) || !take(c, ":", "':'") ||
        !take_number(c, 2, &civil->minute) || !take(c, ":", "':'") ||
        !take_number(c, 2, &civil->second) || !take_fraction(c, &civil->ms))
        return false;
    if (civil->hour > 23 || civil->minute > 59 || civil->second > 60)
        return fail_range(c, "the clock goes from 00:00:00 to 23:59:59");
    return true;
}

static bool take_offset(struct cursor *c, int *minutes)
{
    int hour, minute;
    bool negative;

    *minutes = 0;
    if (!take(c, "Zz+-", "'Z' or an offset such as +01:00"))
        return false;
    negative = c->text[c->at - 1] == '-';
    if (!negative && c->text[c->at - 1] != '+')
        return true;
    if (!take_number(c, 2, &hour) || !take(c, ":", "':'") || !take_number(c, 2, &minute))
        return false;
    if (hour > 23 || minute > 59)
        return fail_range(c, "an offset goes from -23:59 to +23:59");
    *minutes = (hour * 60 + minute) * (negative ? -1 : 1);
    return true;
}

/* `ms` is the last millisecond before the would-be leap second, in UTC. */
static bool may_leap_after(int64_t ms)
{
    struct sf_civil next;

    sf_civil_from_ms(&next, ms + 1);
    return next.day == 1 && next.hour == 0 && next.minute == 0 && next.second == 0;
}

bool sf_time_parse_rfc3339(const char *text, size_t len, int64_t *ms, struct sf_error *err)
{
    struct cursor c = { text, len, 0, err };
    struct sf_civil civil = { 0 };
    int minutes;
    bool leap;
    int64_t instant;

    if (!take_date(&c, &civil) || !take(&c, "Tt ", "'T'") || !take_clock(&c, &civil) ||
        !take_offset(&c, &minutes))
        return false;
    if (c.at != len)
        return fail_at(&c, "the end");
    leap = civil.second == 60;
    if (leap) {
        civil.second = 59;
        civil.ms = 999;
    }
    instant = sf_civil_to_ms(&civil) - (int64_t)minutes * 60000;
    if (leap && !may_leap_after(instant))
        return fail_range(&c, "there was no leap second at that time");
    if (!has_four_digit_year(instant))
        return fail_range(&c, "in UTC it lies outside the years 0000 to 9999");
    *ms = instant;
    return true;
}

static const struct unit {
    const char *name;
    int64_t ms;
} units[] = {
    { "w", 7 * (int64_t)DAY_MS },
    { "d", DAY_MS },
    { "h", 3600000 },
    { "m", 60000 },
    { "s", 1000 },
    { "ms", 1 },
};

static bool fail_duration(struct sf_error *err, enum sf_errc code, const char *why)
{
    sf_fail(err, code, "cannot read the duration: %s", why);
    return sf_hint(err, "write it like 90s, 15m, 1h30m, 2d or 1w");
}

/* Reads digits; false when they do not fit. */
static bool read_count(const char **p, int64_t *count)
{
    *count = 0;
    for (; **p >= '0' && **p <= '9'; (*p)++)
        if (__builtin_mul_overflow(*count, 10, count) ||
            __builtin_add_overflow(*count, **p - '0', count))
            return false;
    return true;
}

/* The unit at `*p`, among those from row `from` on; the row count when there is none. */
static size_t read_unit(const char **p, size_t from)
{
    size_t n = strspn(*p, "wdhms"), i;

    for (i = from; i < SF_COUNT(units); i++)
        if (strlen(units[i].name) == n && !memcmp(*p, units[i].name, n)) {
            *p += n;
            break;
        }
    return i;
}

bool sf_duration_parse(const char *text, int64_t *ms, struct sf_error *err)
{
    int64_t total = 0, count;
    const char *p = text;
    size_t unit = 0;

    do {
        if (*p < '0' || *p > '9')
            return fail_duration(err, SF_E_SYNTAX, "expected a number");
        if (!read_count(&p, &count))
            return fail_duration(err, SF_E_LIMIT, "it is too long");
        unit = read_unit(&p, unit);
        if (unit == SF_COUNT(units))
            return fail_duration(err, SF_E_SYNTAX,
                                 "behind a number stands w, d, h, m, s or ms, larger ones first");
        if (__builtin_mul_overflow(count, units[unit].ms, &count) ||
            __builtin_add_overflow(total, count, &total))
            return fail_duration(err, SF_E_LIMIT, "it is too long");
        unit++;
    } while (*p);
    *ms = total;
    return true;
}

void sf_duration_format(char out[SF_DURATION_MAX], int64_t ms)
{
    uint64_t rest = ms < 0 ? -(uint64_t)ms : (uint64_t)ms;
    size_t at = 0;

    if (ms < 0)
        out[at++] = '-';
    for (size_t i = 0; i < SF_COUNT(units); i++) {
        uint64_t count = rest / (uint64_t)units[i].ms;

        rest %= (uint64_t)units[i].ms;
        if (count)
            at += (size_t)snprintf(out + at, SF_DURATION_MAX - at, "%llu%s",
                                   (unsigned long long)count, units[i].name);
    }
    if (!ms)
        snprintf(out, SF_DURATION_MAX, "0s");
}
