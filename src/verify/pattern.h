/*
 * pattern: one line of a runner, as a text with places for its numbers. Within the room.
 *
 *     "#p"   a number of this field: one of the letters of SF_TALLY_LETTERS
 *     "@"    a list of numbers with their words, such as "2 passed, 1 failed" or "Failures: 1"
 *     " "    one or more blanks            "_"    any number of blanks
 *     "*"    anything                      "!"    anything without a blank
 *     "+"    an s, or nothing              "\\"   the next character is itself
 *
 * A pattern stands for a whole line, of which blanks at the end do not count.
 */
#ifndef SF_VERIFY_PATTERN_H
#define SF_VERIFY_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * passed, failed, skipped, total with the skipped ones, total without them, wrongly counted as
 * passed, suites that broke, suites without a test, the plan, whatever is of no interest
 */
#define SF_TALLY_LETTERS "pfstrwbnlx"

enum sf_tally_field {
    SF_TALLY_PASSED,
    SF_TALLY_FAILED,
    SF_TALLY_SKIPPED,
    SF_TALLY_TOTAL,
    SF_TALLY_RAN,
    SF_TALLY_WRONG,
    SF_TALLY_BROKEN,
    SF_TALLY_EMPTY,
    SF_TALLY_PLAN,
    SF_TALLY_OTHER,
    SF_TALLY_COUNT,
};

enum { SF_LINE_MAX = 2048 }; /* bytes of a line that are looked at */

struct sf_numbers {
    int64_t n[SF_TALLY_COUNT]; /* -1: not told */
};

#define SF_NUMBERS_INIT                            \
    {                                              \
        {                                          \
            -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 \
        }                                          \
    }

enum sf_tally_field sf_tally_field_of(char letter);

/* Adds to a number, which is told from then on. */
void sf_numbers_add(struct sf_numbers *numbers, enum sf_tally_field field, int64_t n);

/* The number, or 0 where it is not told. */
int64_t sf_numbers_get(const struct sf_numbers *numbers, enum sf_tally_field field);

/* Adds the bytes that a line which fits can begin with; a set has a bit for each byte. */
void sf_pattern_first(const char *pattern, uint64_t set[4]);

/*
 * Reads a line. `words` are those of the runner's lists with their fields: "passed=p|errors=f".
 * What is told is only in `out` if the line fits.
 */
bool sf_pattern_read(const char *pattern, const char *words, const char *line, size_t len,
                     struct sf_numbers *out);

#endif
