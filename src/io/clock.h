/*
 * clock: the two clocks. Wall time is for people and records, and may jump; monotonic time is
 * for deadlines, and may not.
 */
#ifndef SF_IO_CLOCK_H
#define SF_IO_CLOCK_H

#include <stdint.h>

int64_t sf_clock_wall_ms(void);      /* milliseconds since 1970, UTC */
int64_t sf_clock_monotonic_ms(void); /* milliseconds since some fixed moment */

enum { SF_CLOCK_MAX = 32 };

/*
 * Formats an instant (RFC 3339) in local time, for people: "2026-11-17 08:51:09". Callers may cut
 * the result. An invalid instant becomes "".
 */
void sf_clock_local(char out[SF_CLOCK_MAX], const char *instant);

/*
 * Formats how long ago an instant (RFC 3339) was at `now_ms`, for lists: "just now", "5 min ago",
 * "3 h ago", "yesterday", "4 days ago", and from two weeks on its date. What lies ahead, as after a
 * clock was put back, gets its date, too; an invalid instant becomes "".
 */
void sf_clock_age(char out[SF_CLOCK_MAX], const char *instant, int64_t now_ms);

#endif
