/*
 * Fuzzes everything in base that reads text or time from strangers. Each input goes to all
 * readers; what they accept must keep its promises: scrubbed text is valid, sanitised text is
 * safe and stays as it is, a fit fits, times and durations read back, zones do not contradict
 * themselves. A broken promise aborts.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

#define HOLDS(promise)                                                    \
    do {                                                                  \
        if (!(promise)) {                                                 \
            fprintf(stderr, "line %d: broken: %s\n", __LINE__, #promise); \
            abort();                                                      \
        }                                                                 \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool same(const struct sf_strbuf *a, const char *s, size_t len)
{
    return a->len == len && (!len || !memcmp(a->buf, s, len));
}

static void fuzz_utf8(const char *s, size_t len)
{
    struct sf_strbuf clean = SF_STRBUF_INIT;
    size_t bad_at, at = 0;
    bool valid = sf_utf8_valid(s, len, &bad_at);

    sf_utf8_scrub(&clean, s, len);
    HOLDS(sf_utf8_valid(clean.buf, clean.len, NULL));
    HOLDS(valid == same(&clean, s, len));
    HOLDS(valid == (bad_at == len));
    while (at < len) {
        uint32_t cp;
        size_t n = sf_utf8_decode(s + at, len - at, &cp);

        HOLDS(n >= 1 && n <= 4 && n <= len - at);
        HOLDS((cp == SF_UTF8_INVALID) != sf_utf8_valid(s + at, n, NULL));
        at += n;
    }
    sf_strbuf_release(&clean);
}

static bool is_allowed(uint32_t cp, unsigned flags)
{
    if (cp == '\n')
        return flags & SF_TEXT_NEWLINES && !(flags & SF_TEXT_ONE_LINE);
    if (cp == '\t')
        return flags & SF_TEXT_TABS && !(flags & SF_TEXT_ONE_LINE);
    return cp >= 0x20 && (cp < 0x7f || cp >= 0xa0) && cp != SF_UTF8_INVALID && cp != 0x61c &&
           cp != 0x200e && cp != 0x200f && (cp < 0x202a || cp > 0x202e) &&
           (cp < 0x2066 || cp > 0x2069) && (cp < 0xe0000 || cp > 0xe007f);
}

static void check_measures(const char *s, size_t len, size_t columns)
{
    size_t used, fit = sf_text_fit(s, len, columns, &used), at = 0, sum = 0;

    HOLDS(fit <= len && used <= columns && used == sf_text_width(s, fit));
    HOLDS(fit == len || used + sf_grapheme_width(s + fit, len - fit) > columns);
    while (at < len) {
        size_t n = sf_grapheme_next(s + at, len - at);

        HOLDS(n >= 1 && n <= SF_GRAPHEME_MAX && n <= len - at);
        sum += sf_grapheme_width(s + at, len - at);
        at += n;
    }
    HOLDS(sum == sf_text_width(s, len));
}

static void fuzz_text(const char *s, size_t len, unsigned seed)
{
    struct sf_strbuf once = SF_STRBUF_INIT, twice = SF_STRBUF_INIT;
    unsigned flags = seed & 7;

    sf_text_sanitize(&once, s, len, flags);
    sf_text_sanitize(&twice, once.buf, once.len, flags);
    HOLDS(same(&once, twice.buf, twice.len));
    for (size_t at = 0; at < once.len;) {
        uint32_t cp;

        at += sf_utf8_decode(once.buf + at, once.len - at, &cp);
        HOLDS(is_allowed(cp, flags));
    }
    check_measures(s, len, seed / 8);
    check_measures(once.buf, once.len, seed / 8);
    sf_strbuf_release(&twice);
    sf_strbuf_release(&once);
}

/* Random bytes are seldom UTF-8 and hardly ever marks in a row: the same bytes as code points. */
static void fuzz_points(const uint8_t *data, size_t size, unsigned seed)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    for (size_t i = 0; i + 1 < size; i += 2) {
        uint32_t high = data[i] < 0x40 ? 0x03 : data[i];

        sf_utf8_add(&text, high << 8 | data[i + 1]);
    }
    fuzz_text(text.buf, text.len, seed);
    sf_strbuf_release(&text);
}

static void fuzz_time(const char *s, size_t len)
{
    struct sf_error err = SF_ERROR_INIT;
    char text[SF_TIME_MAX], duration_text[SF_DURATION_MAX];
    char *copy = sf_strndup(s, len);
    int64_t ms, back;

    if (sf_time_parse_rfc3339(s, len, &ms, &err)) {
        sf_time_format_utc(text, ms);
        HOLDS(sf_time_parse_rfc3339(text, strlen(text), &back, &err) && back == ms);
        sf_time_format_offset(text, ms, (int)(ms % 100000));
        HOLDS(sf_time_parse_rfc3339(text, strlen(text), &back, &err) && back == ms);
    } else {
        HOLDS(err.code != SF_E_NONE && sf_utf8_valid(err.msg, strlen(err.msg), NULL));
    }
    if (sf_duration_parse(copy, &ms, &err)) {
        sf_duration_format(duration_text, ms);
        HOLDS(sf_duration_parse(duration_text, &back, &err) && back == ms);
    }
    free(copy);
}

static void check_zone(const struct sf_zone *zone, int64_t ms)
{
    struct sf_civil civil;
    int64_t back;
    int offset, there;

    sf_zone_at(zone, ms, &offset, NULL, NULL);
    sf_civil_from_ms(&civil, ms + offset * INT64_C(1000));
    if (!sf_civil_ok(&civil))
        return;
    HOLDS(sf_zone_resolve(zone, &civil, &back) != SF_WALL_GAP);
    sf_zone_at(zone, back, &there, NULL, NULL);
    HOLDS(back <= ms && back + there * INT64_C(1000) == ms + offset * INT64_C(1000));
}

static void fuzz_zone(const char *s, size_t len)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_zone *zone = sf_zone_parse("Test/Zone", s, len, &err);
    int64_t wide;

    if (!zone) {
        HOLDS(err.code != SF_E_NONE && err.msg[0]);
        return;
    }
    for (int64_t ms = INT64_C(-5000000000000); ms < INT64_C(6000000000000); ms += 98765432101)
        check_zone(zone, ms);
    memcpy(&wide, s, sizeof(wide));
    sf_zone_at(zone, wide, NULL, NULL, NULL);
    sf_zone_at(zone, INT64_MIN, NULL, NULL, NULL);
    sf_zone_at(zone, INT64_MAX, NULL, NULL, NULL);
    sf_zone_free(zone);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *s = (const char *)data;

    fuzz_utf8(s, size);
    fuzz_text(s, size, size ? data[size - 1] : 0);
    fuzz_points(data, size, size ? data[size - 1] : 0);
    fuzz_time(s, size);
    fuzz_zone(s, size);
    return 0;
}
