/*
 * time: instants, dates and durations as text. An instant is milliseconds since 1970, UTC, in
 * an int64_t everywhere. Dates are proleptic Gregorian; leap seconds do not exist in instants.
 * No function here reads a clock.
 */
#ifndef SF_BASE_TIME_H
#define SF_BASE_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/macros.h"

enum {
    SF_TIME_MAX = 32,     /* bytes of a formatted instant, with its NUL */
    SF_DURATION_MAX = 40, /* bytes of a formatted duration, with its NUL */
};

/* A reading of calendar and clock, in no zone in particular. */
struct sf_civil {
    int64_t year;
    int month; /* 1 to 12 */
    int day;   /* 1 to 31 */
    int hour, minute, second, ms;
};

/*
 * Days since 1970-01-01, as far as instants reach; month and day must be in range. Weekdays
 * count from 0, Sunday.
 */
int64_t sf_civil_days(int64_t year, int month, int day);
void sf_civil_from_days(int64_t days, int64_t *year, int *month, int *day);
int sf_civil_weekday(int64_t days);
int sf_civil_month_days(int64_t year, int month);

/* True for a reading that exists, in the years 0000 to 9999. */
bool sf_civil_ok(const struct sf_civil *civil);

/* The reading as an instant and back, as if it were UTC; sf_civil_to_ms wants sf_civil_ok. */
int64_t sf_civil_to_ms(const struct sf_civil *civil);
void sf_civil_from_ms(struct sf_civil *civil, int64_t ms);

/*
 * 2026-11-16T05:09:53.123Z: always this shape, so that the order of texts is the order of
 * instants. Instants outside the years 0000 to 9999 become the nearest one inside.
 */
void sf_time_format_utc(char out[SF_TIME_MAX], int64_t ms);

/*
 * 2026-11-16T06:09:53.123+01:00. RFC 3339 knows whole minutes only: seconds of an offset are
 * cut off, from the reading as well, so the instant stays true. Where the reading would leave
 * the years 0000 to 9999, the text is in UTC.
 */
void sf_time_format_offset(char out[SF_TIME_MAX], int64_t ms, int offset_seconds);

/*
 * RFC 3339, strictly, with "t", "z" and a space for "T" allowed; digits beyond milliseconds
 * are cut off. A leap second is accepted where UTC may have one, at 23:59:60 on the last day of
 * a month, and becomes 23:59:59.999.
 */
bool sf_time_parse_rfc3339(const char *text, size_t len, int64_t *ms,
                           struct sf_error *err) SF_MUST_CHECK;

/*
 * A duration is whole numbers with the units w, d, h, m, s, ms, from large to small, each at
 * most once and without spaces: 90s, 1h30m, 250ms. Never negative.
 */
bool sf_duration_parse(const char *text, int64_t *ms, struct sf_error *err) SF_MUST_CHECK;

/* The shortest exact text, which parses back: 1m30s, 1w, 0s; with "-" in front if negative. */
void sf_duration_format(char out[SF_DURATION_MAX], int64_t ms);

#endif
