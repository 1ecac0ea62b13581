/*
 * tzif: time zone files built by hand, right or wrong, for tests.
 */
#ifndef SF_TESTS_SUPPORT_TZIF_H
#define SF_TESTS_SUPPORT_TZIF_H

#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

struct test_tzif {
    int version;
    size_t time_count;
    int64_t times[3];
    unsigned char begins[3];
    size_t type_count;
    struct {
        int32_t offset;
        unsigned char dst, abbrev;
    } types[3];
    const char *chars;
    size_t char_count;
    size_t leaps;
    const char *footer;
};

/* Winter time, then summer time, then winter time, then what the rule says. */
extern const struct test_tzif test_tzif_good;

/* Appends the bytes of the file; from version 2 on an empty block with short times comes first. */
void test_tzif_build(struct sf_strbuf *sb, const struct test_tzif *file);

/* Builds the file and parses it as the zone Test/Zone. */
struct sf_zone *test_tzif_parse(const struct test_tzif *file, struct sf_error *err);

#endif
