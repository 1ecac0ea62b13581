/*
 * pattern.c: names against the patterns of the tables: alternatives apart by bars, with stars.
 */
#include <string.h>

#include "shell/facts.h"

/* The usual matching of stars: on a mismatch the last star takes one byte more. */
static bool fits_one(const char *pattern, size_t len, const char *text)
{
    const char *end = pattern + len, *star = NULL, *mark = text;

    while (*text) {
        if (pattern < end && *pattern == '*') {
            star = pattern++;
            mark = text;
        } else if (pattern < end && *pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++mark;
        } else {
            return false;
        }
    }
    while (pattern < end && *pattern == '*')
        pattern++;
    return pattern == end;
}

bool sf_pattern_fits(const char *pattern, size_t len, const char *text)
{
    while (len) {
        const char *bar = memchr(pattern, '|', len);
        size_t n = bar ? (size_t)(bar - pattern) : len;

        if (fits_one(pattern, n, text))
            return true;
        pattern += n + (bar != NULL);
        len -= n + (bar != NULL);
    }
    return false;
}
