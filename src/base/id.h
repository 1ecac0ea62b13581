/*
 * id: names for sessions, events and tasks: ULIDs in lower case. 26 characters of Crockford's
 * base 32, the first ten a time in milliseconds, the rest random; sorting them as text sorts
 * them by time. The caller brings the clock and the randomness.
 */
#ifndef SF_BASE_ID_H
#define SF_BASE_ID_H

#include <stdbool.h>
#include <stdint.h>

enum { SF_ID_LEN = 26, SF_ID_RANDOM = 10 };

/* Times before 1970 count as 1970, those past 10889 as the last moment there is. */
void sf_id_make(char out[SF_ID_LEN + 1], int64_t wall_ms, const unsigned char random[SF_ID_RANDOM]);

#endif
