/*
 * clock.c: the only place that reads a clock.
 */
#include "io/clock.h"

#include <string.h>
#include <time.h>

#include "base/base.h"

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
