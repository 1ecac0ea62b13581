/*
 * zone_rule: the POSIX TZ rule at the end of a TZif file, which says how a zone goes on for
 * ever: "CET-1CEST,M3.5.0,M10.5.0/3". Only zone.c includes this. Seconds count from 1970, UTC.
 */
#ifndef SF_BASE_ZONE_RULE_H
#define SF_BASE_ZONE_RULE_H

#include <stdbool.h>
#include <stdint.h>

enum { SF_ZONE_ABBREV_MAX = 16 }; /* with its NUL */

/* One kind of local time: winter time, summer time. */
struct sf_zone_type {
    int offset; /* seconds east of UTC */
    bool dst;
    char abbrev[SF_ZONE_ABBREV_MAX];
};

/* A stretch of time with one offset: from `start` up to, without, `end`. */
struct sf_zone_period {
    int64_t start, end; /* INT64_MIN, INT64_MAX: no such end */
    const struct sf_zone_type *type;
};

enum sf_zone_day_kind {
    SF_ZONE_DAY_JULIAN,   /* Jn: 1 to 365, as if 29 February did not exist */
    SF_ZONE_DAY_OF_YEAR,  /* n: 0 to 365 */
    SF_ZONE_DAY_OF_MONTH, /* Mm.w.d: the w-th weekday d of month m, week 5 being the last */
};

struct sf_zone_change {
    enum sf_zone_day_kind kind;
    int month, week;
    int day;
    int seconds; /* local time of the change, counted from midnight; may leave the day */
};

struct sf_zone_rule {
    struct sf_zone_type standard, summer;
    bool has_summer;
    struct sf_zone_change to_summer, to_standard;
};

/* False when the text, all of it, is not such a rule. */
bool sf_zone_rule_parse(struct sf_zone_rule *rule, const char *text);

/* The period of the rule that holds `second`. */
void sf_zone_rule_find(const struct sf_zone_rule *rule, int64_t second,
                       struct sf_zone_period *period);

#endif
