/*
 * fuzzy: which of many names a few letters mean. All letters must occur in order; matches at the
 * start of words, of the file's name, in a row and in the same case count more, gaps and length
 * less. A lower-case query matches either case.
 */
#ifndef SF_VIEW_FUZZY_H
#define SF_VIEW_FUZZY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SF_FUZZY_QUERY = 64 }; /* bytes of a query that count */

/* The higher the better; false: no match. `at` (or NULL) receives a bit for each matched byte of the
 * first 64 in front of which nothing is lost. */
bool sf_fuzzy_score(const char *query, size_t query_len, const char *name, size_t len, int *score);

/* Offsets of the matched bytes, for highlighting; returns how many (at most SF_FUZZY_QUERY). */
size_t sf_fuzzy_spots(const char *query, size_t query_len, const char *name, size_t len,
                      uint32_t spots[SF_FUZZY_QUERY]);

struct sf_fuzzy_hit {
    uint32_t index;
    int score;
};

/*
 * The best `max` of the names, best first, equal ones in their order; returns how many. Filters by
 * a bit mask of letters first: 100,000 paths take a few milliseconds.
 */
struct sf_fuzzy_set; /* names with their masks */
struct sf_fuzzy_set *sf_fuzzy_set_new(void);
void sf_fuzzy_set_free(struct sf_fuzzy_set *set); /* NULL is welcome */
void sf_fuzzy_set_add(struct sf_fuzzy_set *set, const char *name, size_t len);
size_t sf_fuzzy_set_count(const struct sf_fuzzy_set *set);
const char *sf_fuzzy_set_name(const struct sf_fuzzy_set *set, size_t index);
size_t sf_fuzzy_set_best(const struct sf_fuzzy_set *set, const char *query, size_t len,
                         struct sf_fuzzy_hit *hits, size_t max);

#endif
