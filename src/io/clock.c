/*
 * clock.c: the only place that reads a clock.
 */
#include "io/clock.h"

#include <string.h>
#include <time.h>

#include "base/base.h"

enum {
    JUST_S = 120, /* from here on minutes are counted */
    HOUR_S = 3600,
    DAY_S = 86400,
    HOURS_MOST = 6, /* hours that are counted past midnight */
    DAYS_MOST = 13,
};

static int64_t read_ms(clockid_t id)
{
    struct timespec now;

    clock_gettime(id, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int64_t sf_clock_wall_ms(void)
{
    return read_ms(CLOCK_REALTIME);
}

int64_t sf_clock_monotonic_ms(void)
{
    return read_ms(CLOCK_MONOTONIC);
}

void sf_clock_local(char out[SF_CLOCK_MAX], const char *instant)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct tm tm;
    int64_t ms;
    time_t at;

    out[0] = '\0';
    if (!sf_time_parse_rfc3339(instant, strlen(instant), &ms, &ignored))
        return;
    at = (time_t)(ms / 1000);
    if (!localtime_r(&at, &tm) || !strftime(out, SF_CLOCK_MAX, "%F %T", &tm))
        out[0] = '\0';
}

/* The number of the day in local time; days of one zone differ by one, whatever their length. */
static int64_t local_day(int64_t ms)
{
    time_t at = (time_t)(ms / 1000);
    struct tm tm;

    if (!localtime_r(&at, &tm))
        return 0;
    tm.tm_hour = 12;
    tm.tm_min = tm.tm_sec = 0;
    tm.tm_isdst = 0;
    return (int64_t)timegm(&tm) / DAY_S;
}

void sf_clock_age(char out[SF_CLOCK_MAX], const char *instant, int64_t now_ms)
{
    struct sf_error ignored = SF_ERROR_INIT;
    int64_t ms, seconds, days;

    sf_clock_local(out, instant);
    if (!*out || !sf_time_parse_rfc3339(instant, strlen(instant), &ms, &ignored))
        return;
    seconds = (now_ms - ms) / 1000;
    days = local_day(now_ms) - local_day(ms);
    if (seconds < -JUST_S || days > DAYS_MOST)
        out[10] = '\0'; /* the date alone */
    else if (seconds < JUST_S)
        snprintf(out, SF_CLOCK_MAX, "just now");
    else if (seconds < HOUR_S)
        snprintf(out, SF_CLOCK_MAX, "%d min ago", (int)(seconds / 60));
    else if (days <= 0 || seconds / HOUR_S < HOURS_MOST)
        snprintf(out, SF_CLOCK_MAX, "%d h ago", (int)(seconds / HOUR_S));
    else if (days == 1)
        snprintf(out, SF_CLOCK_MAX, "yesterday");
    else
        snprintf(out, SF_CLOCK_MAX, "%d days ago", (int)days);
}
