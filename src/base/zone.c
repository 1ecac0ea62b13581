/*
 * zone.c: reads TZif and answers questions by period: a stretch of time with one offset, from
 * the file's transitions as far as they go and from the footer's rule beyond them.
 *
 * A version 2+ file holds everything twice: first with 32-bit times for readers of the last
 * century, skipped here, then with 64-bit times. Counts have ceilings before they are
 * multiplied, and a block is known to be complete before it is read.
 */
#include "base/zone.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/zone_rule.h"

enum {
    HEADER_BYTES = 44,
    TYPE_BYTES = 6,
    FOOTER_MAX = 256,
    COUNT_MAX = 16 * 1024, /* of anything in a file */
    TYPES_MAX = 256,       /* types are counted in a byte */
    OFFSET_MIN = -89999,   /* RFC 9636: more than 25 hours west or 26 east is nonsense */
    OFFSET_MAX = 93599,
    REACH = 100000, /* seconds; no offset is larger */
};

struct sf_zone {
    char *name;
    struct sf_zone_type *types;
    size_t type_count;
    int64_t *times;        /* ascending: when a new type begins */
    unsigned char *begins; /* which type that is */
    size_t time_count;
    bool has_rule; /* from the last transition on */
    struct sf_zone_rule rule;
};

struct header {
    char version;
    size_t universals, standards, leaps, times, types, chars;
};

struct reader {
    const char *name; /* of the zone, for messages */
    const unsigned char *at;
    size_t left;
    struct sf_error *err;
};

static char utc_name[] = "UTC";
static struct sf_zone_type utc_type = { .abbrev = "UTC" };
static struct sf_zone utc = { .name = utc_name, .types = &utc_type, .type_count = 1 };

struct sf_zone *sf_zone_utc(void)
{
    return &utc;
}

void sf_zone_free(struct sf_zone *zone)
{
    if (!zone || zone == &utc)
        return;
    free(zone->begins);
    free(zone->times);
    free(zone->types);
    free(zone->name);
    free(zone);
}

const char *sf_zone_name(const struct sf_zone *zone)
{
    return zone->name;
}

bool sf_zone_name_ok(const char *name)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+-";
    const char *p = name;

    if (strnlen(name, SF_ZONE_NAME_MAX + 1) > SF_ZONE_NAME_MAX)
        return false;
    for (;;) {
        size_t n = strspn(p, letters);

        if (!n || (p[n] && p[n] != '/'))
            return false;
        if (!p[n])
            return true;
        p += n + 1;
    }
}

static bool damaged(struct reader *r, const char *why)
{
    sf_fail(r->err, SF_E_DAMAGED, "the time zone data of %s is damaged: %s", r->name, why);
    return sf_hint(r->err, "reinstall the tzdata package");
}

static uint32_t read_u32(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static int64_t read_time(const unsigned char *p, size_t size)
{
    if (size == 4)
        return (int32_t)read_u32(p);
    return (int64_t)((uint64_t)read_u32(p) << 32 | read_u32(p + 4));
}

static const unsigned char *take(struct reader *r, size_t n)
{
    const unsigned char *from = r->at;

    assert(n <= r->left);
    r->at += n;
    r->left -= n;
    return from;
}

static size_t block_bytes(const struct header *h, size_t time_size)
{
    return h->times * (time_size + 1) + h->types * TYPE_BYTES + h->chars +
           h->leaps * (time_size + 4) + h->standards + h->universals;
}

/* Reads a header; the block it announces is complete behind it. */
static bool take_header(struct reader *r, struct header *h)
{
    size_t *const counts[] = { &h->universals, &h->standards, &h->leaps,
                               &h->times,      &h->types,     &h->chars };
    const unsigned char *p;

    if (r->left < HEADER_BYTES || memcmp(r->at, "TZif", 4) != 0)
        return damaged(r, "it is not in the TZif format");
    p = take(r, HEADER_BYTES);
    h->version = (char)p[4];
    if (h->version && (h->version < '2' || h->version > '9'))
        return damaged(r, "unknown version");
    p += 20;
    for (size_t i = 0; i < SF_COUNT(counts); i++, p += 4) {
        *counts[i] = read_u32(p);
        if (*counts[i] > COUNT_MAX)
            return damaged(r, "a count is too large");
    }
    return true;
}

/* `chars` holds abbreviations, each with its NUL, that may share their ends. */
static bool copy_abbrev(struct sf_zone_type *type, const unsigned char *chars, size_t left)
{
    size_t n = 0;

    for (; n < left && chars[n]; n++) {
        unsigned char c = chars[n];
        bool ok = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
                  c == '+' || c == '-';

        if (!ok || n == sizeof(type->abbrev) - 1)
            return false;
        type->abbrev[n] = (char)c;
    }
    return n > 0 && n < left;
}

static bool read_types(struct sf_zone *zone, struct reader *r, const unsigned char *p,
                       size_t char_count)
{
    const unsigned char *chars = p + zone->type_count * TYPE_BYTES;

    for (size_t i = 0; i < zone->type_count; i++, p += TYPE_BYTES) {
        struct sf_zone_type *type = &zone->types[i];

        type->offset = (int32_t)read_u32(p);
        type->dst = p[4];
        if (type->offset < OFFSET_MIN || type->offset > OFFSET_MAX)
            return damaged(r, "an offset is impossible");
        if (p[4] > 1 || p[5] >= char_count || !copy_abbrev(type, chars + p[5], char_count - p[5]))
            return damaged(r, "a local time type is unreadable");
    }
    return true;
}

static bool read_transitions(struct sf_zone *zone, struct reader *r, const unsigned char *p,
                             size_t time_size)
{
    const unsigned char *types = p + zone->time_count * time_size;

    for (size_t i = 0; i < zone->time_count; i++, p += time_size) {
        zone->times[i] = read_time(p, time_size);
        zone->begins[i] = types[i];
        if (i && zone->times[i] <= zone->times[i - 1])
            return damaged(r, "its transitions are not in order");
        if (types[i] >= zone->type_count)
            return damaged(r, "a transition leads nowhere");
    }
    return true;
}

static bool take_block(struct sf_zone *zone, struct reader *r, const struct header *h,
                       size_t time_size)
{
    const unsigned char *p;

    if (r->left < block_bytes(h, time_size))
        return damaged(r, "it is cut short");
    if (!h->types || h->types > TYPES_MAX || !h->chars)
        return damaged(r, "it has no local time types");
    if (h->leaps)
        return damaged(r, "it counts leap seconds, which POSIX time does not");
    p = take(r, block_bytes(h, time_size));
    zone->type_count = h->types;
    zone->types = sf_alloc_array(h->types, sizeof(*zone->types));
    zone->time_count = h->times;
    zone->times = sf_alloc_array(h->times + 1, sizeof(*zone->times));
    zone->begins = sf_alloc_array(h->times + 1, sizeof(*zone->begins));
    return read_types(zone, r, p + h->times * (time_size + 1), h->chars) &&
           read_transitions(zone, r, p, time_size);
}

/* A line of its own at the end: the rule, or nothing. */
static bool take_footer(struct sf_zone *zone, struct reader *r)
{
    const unsigned char *end;
    char text[FOOTER_MAX];
    size_t n;

    if (!r->left || *take(r, 1) != '\n')
        return damaged(r, "its footer is missing");
    end = memchr(r->at, '\n', r->left < sizeof(text) ? r->left : sizeof(text));
    if (!end)
        return damaged(r, "its footer has no end");
    n = (size_t)(end - r->at);
    memcpy(text, take(r, n), n);
    text[n] = '\0';
    if (!n)
        return true;
    if (strlen(text) != n || !sf_zone_rule_parse(&zone->rule, text))
        return damaged(r, "the rule in its footer is unreadable");
    zone->has_rule = true;
    return true;
}

static bool take_file(struct sf_zone *zone, struct reader *r)
{
    struct header h = { 0 };

    if (!take_header(r, &h))
        return false;
    if (!h.version)
        return take_block(zone, r, &h, 4);
    if (r->left < block_bytes(&h, 4))
        return damaged(r, "it is cut short");
    take(r, block_bytes(&h, 4));
    return take_header(r, &h) && take_block(zone, r, &h, 8) && take_footer(zone, r);
}

struct sf_zone *sf_zone_parse(const char *name, const void *tzif, size_t len, struct sf_error *err)
{
    struct reader r = { name, tzif, len, err };
    struct sf_zone *zone;

    if (!sf_zone_name_ok(name)) {
        sf_fail(err, SF_E_ARG, "that is not the name of a time zone");
        sf_hint(err, "names look like Europe/Berlin");
        return NULL;
    }
    if (len > SF_ZONE_MAX_BYTES) {
        sf_fail(err, SF_E_LIMIT, "the time zone data of %s is larger than %d bytes", name,
                SF_ZONE_MAX_BYTES);
        return NULL;
    }
    zone = sf_alloc(sizeof(*zone));
    zone->name = sf_strdup(name);
    if (!take_file(zone, &r)) {
        sf_zone_free(zone);
        return NULL;
    }
    return zone;
}

/* How many transitions have happened by `second`. */
static size_t count_past(const struct sf_zone *zone, int64_t second)
{
    size_t low = 0, high = zone->time_count;

    while (low < high) {
        size_t mid = (low + high) / 2;

        if (zone->times[mid] <= second)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static void find_period(const struct sf_zone *zone, int64_t second, struct sf_zone_period *p)
{
    size_t past = count_past(zone, second);
    int64_t start = past ? zone->times[past - 1] : INT64_MIN;

    if (past == zone->time_count && zone->has_rule) {
        sf_zone_rule_find(&zone->rule, second, p);
        if (p->start < start)
            p->start = start;
        return;
    }
    p->start = start;
    p->end = past < zone->time_count ? zone->times[past] : INT64_MAX;
    p->type = &zone->types[past ? zone->begins[past - 1] : 0];
}

void sf_zone_at(const struct sf_zone *zone, int64_t ms, int *offset_seconds, bool *is_dst,
                const char **abbrev)
{
    struct sf_zone_period period;

    find_period(zone, ms / 1000 - (ms % 1000 < 0), &period);
    if (offset_seconds)
        *offset_seconds = period.type->offset;
    if (is_dst)
        *is_dst = period.type->dst;
    if (abbrev)
        *abbrev = period.type->abbrev;
}

/*
 * Walks the periods around the reading, earliest first. In each, the reading names one second,
 * which lies before, inside or behind the period. Inside is an answer. A step from behind one
 * period to before the next is the gap that swallowed the reading; the first period cannot be
 * "before" nor the last one "behind", so without an answer there is such a step.
 */
enum sf_wall sf_zone_resolve(const struct sf_zone *zone, const struct sf_civil *civil, int64_t *ms)
{
    int64_t wall = sf_civil_to_ms(civil) / 1000 - (sf_civil_to_ms(civil) % 1000 < 0);
    int64_t answer = 0, gap = 0, behind = 0;
    struct sf_zone_period p;
    bool was_behind = false, has_gap = false;
    int answers = 0;

    for (find_period(zone, wall - REACH, &p);; find_period(zone, p.end, &p)) {
        int64_t second = wall - p.type->offset;

        if (second >= p.start && second < p.end && !answers++)
            answer = second;
        if (second < p.start && was_behind && !has_gap) {
            has_gap = true;
            gap = behind;
        }
        was_behind = second >= p.end;
        behind = second;
        if (p.end > wall + REACH)
            break;
    }
    assert(answers || has_gap);
    *ms = (answers ? answer : gap) * 1000 + civil->ms;
    return answers > 1 ? SF_WALL_OVERLAP : answers ? SF_WALL_UNIQUE : SF_WALL_GAP;
}
