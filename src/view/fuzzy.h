/*
 * fuzzy: which of many names a few letters mean. All letters must occur in order; matches in the
 * file's own name beat those in its directories, and those at the start of words, in a row and in
 * the same case count more, gaps and length less. A lower-case query matches either case. Words of
 * a query, separated by spaces, must all match, in any order; what stands in front of a "/" is
 * looked for in the directories.
 */
#ifndef SF_VIEW_FUZZY_H
#define SF_VIEW_FUZZY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SF_FUZZY_QUERY = 64,                /* bytes of a query that count */
    SF_FUZZY_NAME = 4096,               /* a longer name is not taken */
    SF_FUZZY_NAMES = 1000000,           /* nor are more */
    SF_FUZZY_BYTES = 256 * 1024 * 1024, /* of all names */
};

/* The higher the better; false: no match. An empty query matches everything, short names best. */
bool sf_fuzzy_score(const char *query, size_t query_len, const char *name, size_t len, int *score);

/* Offsets of the matched bytes, ascending, for highlighting; returns how many. */
size_t sf_fuzzy_spots(const char *query, size_t query_len, const char *name, size_t len,
                      uint32_t spots[SF_FUZZY_QUERY]);

struct sf_fuzzy_hit {
    uint32_t index;
    int score;
};

/*
 * Names with what speeds up the search: a bit mask of the letters in each, by which most are passed
 * over; 100,000 paths take a few milliseconds.
 */
struct sf_fuzzy_set;

struct sf_fuzzy_set *sf_fuzzy_set_new(void);
void sf_fuzzy_set_free(struct sf_fuzzy_set *set); /* NULL is welcome */
/* False: the name is too long or there are too many, and it is left out. */
bool sf_fuzzy_set_add(struct sf_fuzzy_set *set, const char *name, size_t len);
size_t sf_fuzzy_set_count(const struct sf_fuzzy_set *set);
const char *sf_fuzzy_set_name(const struct sf_fuzzy_set *set,
                              size_t index); /* until the next add */

/* The best `max` of the names, best first, equal ones in their order; returns how many. */
size_t sf_fuzzy_set_best(const struct sf_fuzzy_set *set, const char *query, size_t len,
                         struct sf_fuzzy_hit *hits, size_t max);

#endif
