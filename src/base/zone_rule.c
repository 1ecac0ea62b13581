/*
 * zone_rule.c: reads the rule by recursive descent, and finds a period by listing the changes of
 * the years around an instant. A change may lie a week outside its own year, hence two years to
 * each side.
 */
#include "base/zone_rule.h"

#include <string.h>

#include "base/base.h"

enum { YEARS_AROUND = 2, LIST_MAX = 2 * (2 * YEARS_AROUND + 1) };

static bool is_alpha(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool read_abbrev(const char **p, char out[SF_ZONE_ABBREV_MAX])
{
    bool quoted = **p == '<';
    const char *from = *p + quoted;
    size_t n = 0;

    while (is_alpha(from[n]) || (quoted && (is_digit(from[n]) || from[n] == '+' || from[n] == '-')))
        n++;
    if (n < 3 || n >= SF_ZONE_ABBREV_MAX || (quoted && from[n] != '>'))
        return false;
    memcpy(out, from, n);
    out[n] = '\0';
    *p = from + n + quoted;
    return true;
}

static bool read_number(const char **p, int low, int high, int *value)
{
    if (!is_digit(**p))
        return false;
    *value = 0;
    for (; is_digit(**p); (*p)++) {
        *value = *value * 10 + (**p - '0');
        if (*value > high)
            return false;
    }
    return *value >= low;
}

static bool skip(const char **p, char c)
{
    if (**p != c)
        return false;
    (*p)++;
    return true;
}

/* [+-]hh[:mm[:ss]] */
static bool read_clock(const char **p, int max_hours, int *seconds)
{
    bool negative = **p == '-';
    int hours, minutes = 0, rest = 0;

    if (**p == '-' || **p == '+')
        (*p)++;
    if (!read_number(p, 0, max_hours, &hours))
        return false;
    if (skip(p, ':')) {
        if (!read_number(p, 0, 59, &minutes))
            return false;
        if (skip(p, ':') && !read_number(p, 0, 59, &rest))
            return false;
    }
    *seconds = (hours * 3600 + minutes * 60 + rest) * (negative ? -1 : 1);
    return true;
}

static bool read_day(const char **p, struct sf_zone_change *change)
{
    if (skip(p, 'J')) {
        change->kind = SF_ZONE_DAY_JULIAN;
        return read_number(p, 1, 365, &change->day);
    }
    if (!skip(p, 'M')) {
        change->kind = SF_ZONE_DAY_OF_YEAR;
        return read_number(p, 0, 365, &change->day);
    }
    change->kind = SF_ZONE_DAY_OF_MONTH;
    return read_number(p, 1, 12, &change->month) && skip(p, '.') &&
           read_number(p, 1, 5, &change->week) && skip(p, '.') &&
           read_number(p, 0, 6, &change->day);
}

static bool read_change(const char **p, struct sf_zone_change *change)
{
    change->seconds = 2 * 3600;
    return skip(p, ',') && read_day(p, change) &&
           (!skip(p, '/') || read_clock(p, 167, &change->seconds));
}

/* POSIX counts offsets westwards. */
static bool read_type(const char **p, struct sf_zone_type *type, bool offset_optional, int fallback)
{
    if (!read_abbrev(p, type->abbrev))
        return false;
    type->offset = fallback;
    if (offset_optional && (**p == ',' || !**p))
        return true;
    if (!read_clock(p, 24, &type->offset))
        return false;
    type->offset = -type->offset;
    return true;
}

bool sf_zone_rule_parse(struct sf_zone_rule *rule, const char *text)
{
    const char *p = text;

    *rule = (struct sf_zone_rule){ 0 };
    if (!read_type(&p, &rule->standard, false, 0))
        return false;
    if (!*p)
        return true;
    rule->has_summer = true;
    rule->summer.dst = true;
    return read_type(&p, &rule->summer, true, rule->standard.offset + 3600) &&
           read_change(&p, &rule->to_summer) && read_change(&p, &rule->to_standard) && !*p;
}

static int64_t day_in_year(const struct sf_zone_change *change, int64_t year)
{
    int64_t first = sf_civil_days(year, 1, 1), day;
    int length;

    if (change->kind == SF_ZONE_DAY_OF_YEAR)
        return first + change->day;
    if (change->kind == SF_ZONE_DAY_JULIAN)
        return first + change->day - 1 + (change->day >= 60 && sf_civil_month_days(year, 2) == 29);
    first = sf_civil_days(year, change->month, 1);
    length = sf_civil_month_days(year, change->month);
    day = (change->day - sf_civil_weekday(first) + 7) % 7 + (change->week - 1) * 7;
    return first + (day < length ? day : day - 7);
}

struct moment {
    int64_t at;
    const struct sf_zone_type *type; /* from here on */
};

/*
 * Keeps the list ascending. Of two changes at one instant the later listed stays behind and so
 * decides: years are listed in order, and in a year the change to summer time first. That makes
 * summer time without end (it ends as next year's begins) and summer time of no length (it ends
 * as it begins) both come out right.
 */
static void list_add(struct moment *list, size_t count, struct moment moment)
{
    for (; count && list[count - 1].at > moment.at; count--)
        list[count] = list[count - 1];
    list[count] = moment;
}

static size_t list_changes(const struct sf_zone_rule *rule, int64_t year, struct moment *list)
{
    size_t count = 0;

    for (int64_t y = year - YEARS_AROUND; y <= year + YEARS_AROUND; y++) {
        int64_t summer = day_in_year(&rule->to_summer, y) * 86400 + rule->to_summer.seconds;
        int64_t standard = day_in_year(&rule->to_standard, y) * 86400 + rule->to_standard.seconds;

        list_add(list, count++, (struct moment){ summer - rule->standard.offset, &rule->summer });
        list_add(list, count++, (struct moment){ standard - rule->summer.offset, &rule->standard });
    }
    return count;
}

void sf_zone_rule_find(const struct sf_zone_rule *rule, int64_t second,
                       struct sf_zone_period *period)
{
    struct moment list[LIST_MAX];
    int64_t year, days = second / 86400 - (second % 86400 < 0);
    int month, day;
    size_t count;

    *period = (struct sf_zone_period){ INT64_MIN, INT64_MAX, &rule->standard };
    if (!rule->has_summer)
        return;
    sf_civil_from_days(days, &year, &month, &day);
    count = list_changes(rule, year, list);
    for (size_t i = 0; i < count; i++) {
        if (list[i].at > second) {
            period->end = list[i].at;
            break;
        }
        period->start = list[i].at;
        period->type = list[i].type;
    }
}
