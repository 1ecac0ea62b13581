/*
 * UTF-8: every code point there and back, and every way to be wrong. What "wrong" means is not
 * taken from the decoder: the test encodes all scalar values by itself and remembers each
 * beginning of a valid sequence; a maximal subpart is the longest such beginning.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "support/test.h"

struct oracle {
    unsigned char one[256 / 8];
    unsigned char two[65536 / 8];
    unsigned char three[16777216 / 8]; /* beginnings of this many bytes */
};

static size_t encode_plainly(uint32_t cp, unsigned char out[4])
{
    if (cp < 0x80) {
        out[0] = (unsigned char)cp;
        return 1;
    }
    if (cp < 0x800) {
        out[0] = (unsigned char)(0xc0 + cp / 64);
        out[1] = (unsigned char)(0x80 + cp % 64);
        return 2;
    }
    if (cp < 0x10000) {
        out[0] = (unsigned char)(0xe0 + cp / 4096);
        out[1] = (unsigned char)(0x80 + cp / 64 % 64);
        out[2] = (unsigned char)(0x80 + cp % 64);
        return 3;
    }
    out[0] = (unsigned char)(0xf0 + cp / 262144);
    out[1] = (unsigned char)(0x80 + cp / 4096 % 64);
    out[2] = (unsigned char)(0x80 + cp / 64 % 64);
    out[3] = (unsigned char)(0x80 + cp % 64);
    return 4;
}

static bool is_scalar(uint32_t cp)
{
    return cp <= 0x10ffff && (cp < 0xd800 || cp > 0xdfff);
}

static uint32_t number(const unsigned char *b, size_t n)
{
    uint32_t value = 0;

    for (size_t i = 0; i < n; i++)
        value = value << 8 | b[i];
    return value;
}

static unsigned char *bits_for(struct oracle *o, size_t n)
{
    return n == 1 ? o->one : n == 2 ? o->two : o->three;
}

static bool begins_something(struct oracle *o, const unsigned char *b, size_t n)
{
    uint32_t v = number(b, n);

    return bits_for(o, n)[v / 8] >> v % 8 & 1;
}

static int oracle_setup(void **state)
{
    struct oracle *o = calloc(1, sizeof(*o));

    if (!o)
        return -1;
    for (uint32_t cp = 0; cp <= 0x10ffff; cp++) {
        unsigned char b[4];
        size_t n = is_scalar(cp) ? encode_plainly(cp, b) : 0;

        for (size_t i = 1; i < n; i++) {
            uint32_t v = number(b, i);

            bits_for(o, i)[v / 8] |= (unsigned char)(1u << v % 8);
        }
    }
    *state = o;
    return 0;
}

static int oracle_teardown(void **state)
{
    free(*state);
    return 0;
}

static void test_every_code_point(void **state)
{
    (void)state;
    for (uint32_t cp = 0; cp <= 0x10ffff; cp++) {
        unsigned char want[4] = { 0 };
        char got[4] = { 0 };
        size_t n = encode_plainly(is_scalar(cp) ? cp : 0xfffd, want);
        uint32_t back;

        if (sf_utf8_encode(cp, got) != n || memcmp(want, got, n) != 0)
            fail_msg("U+%04X is encoded wrongly", cp);
        if (!is_scalar(cp))
            continue;
        if (sf_utf8_decode(got, n, &back) != n || back != cp)
            fail_msg("U+%04X is decoded wrongly", cp);
        if (!sf_utf8_valid(got, n, NULL))
            fail_msg("U+%04X is called invalid", cp);
    }
}

static void test_what_is_no_code_point_is_replaced(void **state)
{
    static const uint32_t bad[] = { 0xd800, 0xdbff, 0xdc00, 0xdfff, 0x110000, SF_UTF8_INVALID };
    char out[4];

    (void)state;
    for (size_t i = 0; i < SF_COUNT(bad); i++) {
        assert_int_equal(sf_utf8_encode(bad[i], out), 3);
        assert_memory_equal(out, "\xef\xbf\xbd", 3);
    }
}

static size_t plain_length(unsigned char lead)
{
    return lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/* What the oracle says about the first sequence in `b`: bytes to take, and whether it is good. */
static size_t expect(struct oracle *o, const unsigned char *b, size_t len, bool *good)
{
    size_t n = 1;

    *good = b[0] < 0x80;
    if (b[0] < 0x80 || !begins_something(o, b, 1))
        return 1;
    while (n < len && n < plain_length(b[0]) - 1 && begins_something(o, b, n + 1))
        n++;
    if (n < len && n == plain_length(b[0]) - 1 && b[n] >= 0x80 && b[n] < 0xc0) {
        *good = true;
        return n + 1;
    }
    return n;
}

static void check_sequence(struct oracle *o, const unsigned char *b, size_t len)
{
    char exact[4]; /* so that reading past the end is seen */
    char *copy = exact + sizeof(exact) - len;
    bool good;
    size_t want = expect(o, b, len, &good);
    uint32_t cp;
    size_t got;

    memcpy(copy, b, len);
    got = sf_utf8_decode(copy, len, &cp);
    if (got != want || (cp != SF_UTF8_INVALID) != good)
        fail_msg("%08X of %zu bytes: took %zu, want %zu (%s)", number(b, len), len, got, want,
                 good ? "good" : "damaged");
}

static void test_every_short_sequence(void **state)
{
    for (unsigned a = 0; a < 256; a++) {
        unsigned char one[1] = { (unsigned char)a };

        check_sequence(*state, one, 1);
        for (unsigned b = 0; b < 256; b++) {
            unsigned char two[2] = { (unsigned char)a, (unsigned char)b };

            check_sequence(*state, two, 2);
        }
    }
}

static void test_long_sequences_at_the_borders(void **state)
{
    static const unsigned char edges[] = { 0x00, 0x41, 0x7f, 0x80, 0x81, 0x8f, 0x90, 0x91,
                                           0x9f, 0xa0, 0xa1, 0xbe, 0xbf, 0xc0, 0xe0, 0xff };

    for (unsigned a = 0xc0; a < 256; a++)
        for (unsigned b = 0; b < 256; b++)
            for (size_t c = 0; c < SF_COUNT(edges); c++) {
                unsigned char s[4] = { (unsigned char)a, (unsigned char)b, edges[c], 0 };

                check_sequence(*state, s, 3);
                for (size_t d = 0; d < SF_COUNT(edges); d++) {
                    s[3] = edges[d];
                    check_sequence(*state, s, 4);
                }
            }
}

#define R "\xef\xbf\xbd"

/* The first four are the examples of the Unicode standard, chapter 3. */
static const struct {
    const char *name;
    const char *in;
    size_t len;
    const char *out;
} scrubs[] = {
    { "not shortest forms",
      "\xc0\xaf\xe0\x80\xbf\xf0\x81\x82"
      "A",
      9, R R R R R R R R "A" },
    { "surrogates",
      "\xed\xa0\x80\xed\xbf\xbf\xed\xaf"
      "A",
      9, R R R R R R R R "A" },
    { "other ill-formed bytes",
      "\xf4\x91\x92\x93\xff"
      "A\x80\xbf"
      "B",
      9, R R R R R "A" R R "B" },
    { "cut sequences",
      "\xe1\x80\xe2\xf0\x91\x92\xf1\xbf"
      "A",
      9, R R R R "A" },
    { "nothing", "", 0, "" },
    { "plain text", "plain", 5, "plain" },
    { "a real replacement character stays", "a" R, 4, "a" R },
    { "cut off at the end", "caf\xc3", 4, "caf" R },
    { "cut off after three of four bytes", "\xf0\x9f\x98", 3, R },
    { "damage behind a long plain start",
      "0123456789abcdef\xff"
      "0123456789abcdef",
      33, "0123456789abcdef" R "0123456789abcdef" },
};

static void test_scrub(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(scrubs); i++) {
        struct sf_strbuf sb = SF_STRBUF_INIT;
        bool same;

        sf_utf8_scrub(&sb, scrubs[i].in, scrubs[i].len);
        same = !strcmp(sb.buf, scrubs[i].out) && sf_utf8_valid(sb.buf, sb.len, NULL);
        sf_strbuf_release(&sb);
        if (!same)
            fail_msg("%s", scrubs[i].name);
    }
}

static void test_scrub_keeps_nul_bytes(void **state)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;

    (void)state;
    sf_utf8_scrub(&sb, "a\0b\xff", 4);
    assert_int_equal(sb.len, 6);
    assert_memory_equal(sb.buf, "a\0b" R, 6);
    sf_strbuf_release(&sb);
}

static void test_finds_damage_at_every_place(void **state)
{
    char text[41];
    size_t at;

    (void)state;
    for (size_t len = 1; len <= 40; len++)
        for (size_t bad = 0; bad < len; bad++) {
            memset(text, 'x', len);
            text[bad] = '\xff';
            assert_false(sf_utf8_valid(text, len, &at));
            assert_int_equal(at, bad);
            assert_true(sf_utf8_valid(text, bad, &at));
            assert_int_equal(at, bad);
        }
}

static void test_cut_at_a_border(void **state)
{
    static const char text[] = "a\xc3\xa9\xf0\x9f\x98\x80z";
    static const size_t want[] = { 0, 1, 1, 3, 3, 3, 3, 7, 8 };

    (void)state;
    for (size_t len = 0; len < sizeof(text); len++)
        assert_int_equal(sf_utf8_cut(text, len), want[len]);
}

static void test_nothing_is_valid(void **state)
{
    uint32_t cp = 7;

    (void)state;
    assert_true(sf_utf8_valid("", 0, NULL));
    assert_true(sf_utf8_valid(NULL, 0, NULL));
    assert_int_equal(sf_utf8_decode("", 0, &cp), 0);
    assert_true(cp == SF_UTF8_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_code_point),
        cmocka_unit_test(test_what_is_no_code_point_is_replaced),
        cmocka_unit_test_setup_teardown(test_every_short_sequence, oracle_setup, oracle_teardown),
        cmocka_unit_test_setup_teardown(test_long_sequences_at_the_borders, oracle_setup,
                                        oracle_teardown),
        cmocka_unit_test(test_scrub),
        cmocka_unit_test(test_scrub_keeps_nul_bytes),
        cmocka_unit_test(test_finds_damage_at_every_place),
        cmocka_unit_test(test_cut_at_a_border),
        cmocka_unit_test(test_nothing_is_valid),
    };

    return cmocka_run_group_tests_name("utf8", tests, NULL, NULL);
}
