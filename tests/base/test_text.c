/*
 * Text on a terminal: columns, clusters, and the promise that nothing sanitised can command a
 * terminal. The exhaustive cases go through every code point; the sequences are generated, so
 * that each introducer meets each spelling, body and ending.
 */
#include <locale.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <utf8proc.h>

#include "base/base.h"
#include "support/test.h"

#define ZWJ  "\xe2\x80\x8d"
#define VS16 "\xef\xb8\x8f"
#define R    "\xef\xbf\xbd"

static const struct {
    const char *name;
    const char *in;
    const char *shown;
    size_t columns;
} shown[] = {
    { "nothing", "", "", 0 },
    { "plain text", "plain text", "plain text", 10 },
    { "two CJK characters", "漢字", "漢字", 4 },
    { "an emoji", "😀", "😀", 2 },
    { "a flag", "🇩🇪", "🇩🇪", 2 },
    { "a combining accent composes", "e\xcc\x81", "é", 1 },
    { "an accent on ASCII inside a word", "cafe\xcc\x81s", "cafés", 5 },
    { "two accents in the wrong order", "a\xcc\x81\xcc\xa3", "ạ\xcc\x81", 1 },
    { "a joined family comes apart", "👨" ZWJ "👩" ZWJ "👧", "👨👩👧", 6 },
    { "a heart loses its selector", "❤" VS16, "❤", 1 },
    { "a keycap loses its selector", "1" VS16 "\xe2\x83\xa3", "1\xe2\x83\xa3", 1 },
    { "a thumb loses its skin tone", "👍🏽", "👍", 2 },
    { "a devanagari cluster", "क्षि", "क्षि", 3 },
    { "a soft hyphen goes", "co\xc2\xadop", "coop", 4 },
    { "conjoining jamo compose", "\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab", "한", 2 },
    { "joiners go and what they parted composes", "e" ZWJ "\xcc\x81", "é", 1 },
    { "a cjk compatibility ideograph", "\xef\xa4\x80", "豈", 2 },
    { "private use is kept", "\xee\x80\x80", "\xee\x80\x80", 1 },
    { "escape", "\x1b[31mred", "\xe2\x90\x9b[31mred", 8 },
    { "delete", "a\x7f", "a\xe2\x90\xa1", 2 },
    { "bell and backspace", "\a\b", "\xe2\x90\x87\xe2\x90\x88", 2 },
    { "a C1 control in UTF-8",
      "\xc2\x9b"
      "31m",
      R "31m", 4 },
    { "a C1 control as a bare byte",
      "\x9b"
      "31m",
      R "31m", 4 },
    { "an override",
      "user\xe2\x80\xae"
      "txt.exe",
      "user" R "txt.exe", 12 },
    { "an isolate", "\xe2\x81\xa6x\xe2\x81\xa9", R "x" R, 3 },
    { "an arabic letter mark", "\xd8\x9c", R, 1 },
    { "a left-to-right mark", "\xe2\x80\x8e", R, 1 },
    { "a zero width space",
      "a\xe2\x80\x8b"
      "b",
      "a" R "b", 3 },
    { "a byte order mark", "\xef\xbb\xbf#!", R "#!", 3 },
    { "hidden tag letters", "x\xf3\xa0\x81\xa1\xf3\xa0\x81\xa2", "x" R R, 3 },
    { "a hangul filler", "\xe3\x85\xa4", R, 1 },
    { "a line separator", "\xe2\x80\xa8", R, 1 },
    { "a noncharacter", "\xef\xbf\xbf", R, 1 },
    { "an unassigned code point", "\xf3\xa1\x80\x80", R, 1 },
    { "damage", "a\xff\xe4\xbd", "a" R R, 3 },
    { "a visible format character stays", "\xd8\x80", "\xd8\x80", 1 },
    { "line breaks and tabs without a flag", "\t\r\n", "\xe2\x90\x89\xe2\x90\x8d\xe2\x90\x8a", 3 },
};

static char *sanitized(const char *s, size_t len, unsigned flags, size_t *out_len)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;

    sf_text_sanitize(&sb, s, len, flags);
    *out_len = sb.len;
    return sf_strbuf_detach(&sb);
}

static void test_what_is_shown(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(shown); i++) {
        size_t len, width;
        char *got = sanitized(shown[i].in, strlen(shown[i].in), 0, &len);
        bool same = !strcmp(got, shown[i].shown);

        width = sf_text_width(got, len);
        free(got);
        if (!same)
            fail_msg("%s: shown wrongly", shown[i].name);
        if (width != shown[i].columns)
            fail_msg("%s: %zu columns, want %zu", shown[i].name, width, shown[i].columns);
    }
}

static const struct {
    const char *name;
    const char *in;
    unsigned flags;
    const char *out;
} breaks[] = {
    { "newlines stay", "a\nb\n\nc", SF_TEXT_NEWLINES, "a\nb\n\nc" },
    { "CR LF becomes LF", "a\r\nb", SF_TEXT_NEWLINES, "a\nb" },
    { "a lone CR does not stay", "a\rb", SF_TEXT_NEWLINES,
      "a\xe2\x90\x8d"
      "b" },
    { "CR CR LF keeps only the break", "a\r\r\n", SF_TEXT_NEWLINES, "a\xe2\x90\x8d\n" },
    { "tabs do not stay with newlines alone", "\t\n", SF_TEXT_NEWLINES, "\xe2\x90\x89\n" },
    { "tabs stay", "a\tb", SF_TEXT_TABS, "a\tb" },
    { "newlines do not stay with tabs alone", "\t\n", SF_TEXT_TABS, "\t\xe2\x90\x8a" },
    { "both stay", "\t\n", SF_TEXT_TABS | SF_TEXT_NEWLINES, "\t\n" },
    { "one line", "a\nb\tc\r\nd", SF_TEXT_ONE_LINE, "a b c d" },
    { "one line wins", "a\nb\tc", SF_TEXT_ONE_LINE | SF_TEXT_TABS | SF_TEXT_NEWLINES, "a b c" },
    { "a lone CR in one line", "a\rb", SF_TEXT_ONE_LINE,
      "a\xe2\x90\x8d"
      "b" },
    { "vertical tab and form feed never stay", "\v\f", SF_TEXT_TABS | SF_TEXT_NEWLINES,
      "\xe2\x90\x8b\xe2\x90\x8c" },
    { "an accent behind a newline does not reach over it", "e\n\xcc\x81", SF_TEXT_NEWLINES,
      "e\n\xcc\x81" },
};

static void test_line_breaks_and_tabs(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(breaks); i++) {
        size_t len;
        char *got = sanitized(breaks[i].in, strlen(breaks[i].in), breaks[i].flags, &len);
        bool same = !strcmp(got, breaks[i].out);

        free(got);
        if (!same)
            fail_msg("%s", breaks[i].name);
    }
}

/* NULL when the text is safe; otherwise what is wrong with it. */
static const char *complaint(const char *s, size_t len, unsigned flags)
{
    for (size_t at = 0; at < len;) {
        uint32_t cp;

        at += sf_utf8_decode(s + at, len - at, &cp);
        if (cp == SF_UTF8_INVALID)
            return "damaged UTF-8";
        if ((cp == '\n' && (flags & SF_TEXT_NEWLINES)) || (cp == '\t' && (flags & SF_TEXT_TABS)))
            continue;
        if (cp < 0x20 || cp == 0x7f)
            return "a C0 control";
        if (cp >= 0x80 && cp < 0xa0)
            return "a C1 control";
        if ((cp >= 0x202a && cp <= 0x202e) || (cp >= 0x2066 && cp <= 0x2069) || cp == 0x200e ||
            cp == 0x200f || cp == 0x61c)
            return "a bidi control";
    }
    return NULL;
}

/* What holds for the sanitised form of any text whatever; NULL when all of it does. */
static const char *broken_promise(const char *s, size_t len, unsigned flags)
{
    size_t once_len, twice_len;
    char *once = sanitized(s, len, flags, &once_len);
    char *twice = sanitized(once, once_len, flags, &twice_len);
    const char *why = complaint(once, once_len, flags);

    if (!why && (once_len != twice_len || memcmp(once, twice, once_len) != 0))
        why = "a second pass changes it";
    free(twice);
    free(once);
    return why;
}

static void test_no_sequence_survives(void **state)
{
    static const char *const starts[] = {
        "\x1b[",
        "\x1b]",
        "\x1bP",
        "\x1b_",
        "\x1b^",
        "\x1bX",
        "\x1b(",
        "\x1b#",
        "\x1b",
        "\x9b",
        "\x9d",
        "\x90",
        "\x9f",
        "\x9e",
        "\x98",
        "\xc2\x9b",
        "\xc2\x9d",
        "\xc2\x90",
        "\xc2\x9f",
        "\xc2\x9e",
        "\xc2\x98",
        "\xc0\x9b[",
        "\xe0\x80\x9b[",
        "\xf0\x80\x80\x9b]",
        "\xe0\x82\x9b",
        "\x1b\xe2\x80\x8d[",
        "\xc2\x1b[",
        "\xe2\x80\x1b]",
        "\xf0\x9f\x98\x9b\x1b[",
        "\x1b\x1b[",
        "e\xcc\x81\x1b[",
    };
    static const char *const bodies[] = {
        "31m", "?1049h", "52;c;aGk=", "0;title", "8;;http://x", "6n", "\x1b[2J", "q#0;2;0;0;0",
    };
    static const char *const ends[] = { "", "\a", "\x1b\\", "\x9c", "\xc2\x9c", "\x18\x1a" };
    static const unsigned flags[] = { 0, SF_TEXT_NEWLINES | SF_TEXT_TABS, SF_TEXT_ONE_LINE };
    size_t tried = 0;

    (void)state;
    for (size_t i = 0; i < SF_COUNT(starts) * SF_COUNT(bodies) * SF_COUNT(ends); i++) {
        struct sf_strbuf text = SF_STRBUF_INIT;
        const char *why = NULL;

        sf_strbuf_adds(&text, starts[i % SF_COUNT(starts)]);
        sf_strbuf_adds(&text, bodies[i / SF_COUNT(starts) % SF_COUNT(bodies)]);
        sf_strbuf_adds(&text, ends[i / SF_COUNT(starts) / SF_COUNT(bodies)]);
        for (size_t f = 0; !why && f < SF_COUNT(flags); f++)
            why = broken_promise(text.buf, text.len, flags[f]);
        sf_strbuf_release(&text);
        if (why)
            fail_msg("sequence %zu: %s", i, why);
        tried++;
    }
    assert_true(tried > 400);
}

static void test_every_pair_of_bytes_is_safe(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 65536; i++) {
        char pair[2] = { (char)(i >> 8), (char)(i & 255) };
        const char *why = broken_promise(pair, 2, SF_TEXT_NEWLINES);

        if (why)
            fail_msg("bytes %04X: %s", i, why);
    }
}

/* Format characters that are there to be seen. */
static bool is_visible_format(uint32_t cp)
{
    static const uint32_t rows[][2] = { { 0x600, 0x605 },    { 0x6dd, 0x6dd }, { 0x70f, 0x70f },
                                        { 0x890, 0x891 },    { 0x8e2, 0x8e2 }, { 0x110bd, 0x110bd },
                                        { 0x110cd, 0x110cd } };

    for (size_t i = 0; i < SF_COUNT(rows); i++)
        if (cp >= rows[i][0] && cp <= rows[i][1])
            return true;
    return false;
}

/* By Unicode's own properties, not by the table in the code. */
static bool must_not_stay(uint32_t cp)
{
    const utf8proc_property_t *p = utf8proc_get_property((utf8proc_int32_t)cp);

    return p->ignorable || p->category == UTF8PROC_CATEGORY_CC ||
           p->category == UTF8PROC_CATEGORY_ZL || p->category == UTF8PROC_CATEGORY_ZP ||
           p->category == UTF8PROC_CATEGORY_CN || (cp >= 0x1f3fb && cp <= 0x1f3ff) ||
           (p->category == UTF8PROC_CATEGORY_CF && !is_visible_format(cp));
}

/* All planes that hold anything, and samples of the empty and the private ones. */
static void test_every_code_point(void **state)
{
    (void)state;
    for (uint32_t cp = 0; cp <= 0x10ffff;
         cp += cp < 0x33000 || (cp >= 0xe0000 && cp < 0xe1000) ? 1 : 173) {
        char in[4];
        size_t len = sf_utf8_encode(cp, in), got_len;
        const char *why = broken_promise(in, len, 0);
        char *got = sanitized(in, len, 0, &got_len);
        bool stays = got_len == len && !memcmp(got, in, len);
        size_t width = sf_text_width(got, got_len), raw = sf_text_width(in, len);

        free(got);
        if (cp >= 0xd800 && cp <= 0xdfff)
            continue;
        if (why)
            fail_msg("U+%04X: %s", cp, why);
        if (stays && must_not_stay(cp))
            fail_msg("U+%04X stays", cp);
        if (stays && (width > 2 || width != raw))
            fail_msg("U+%04X: %zu columns, %zu before", cp, width, raw);
    }
}

/* Where nothing is dropped or replaced, the result is the NFC that utf8proc makes at once. */
static bool composes_rightly(const char *text, size_t len)
{
    utf8proc_uint8_t *want = NULL;
    utf8proc_ssize_t want_len = utf8proc_map((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)len,
                                             &want, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    size_t len_got;
    char *got = sanitized(text, len, 0, &len_got);
    bool same = want_len >= 0 && (size_t)want_len == len_got && !memcmp(got, want, len_got);
    bool replaced = strstr(got, R);

    free(got);
    free(want);
    return same || replaced;
}

static void test_every_character_with_marks(void **state)
{
    static const char *const marks[] = { "\xcc\x80", "\xcc\x81\xcc\xa3", "\xcc\xb8", "\xe3\x82\x99",
                                         "\xe1\x85\xa1\xe1\x86\xab" };

    (void)state;
    for (uint32_t cp = 0x20; cp < 0x20000; cp += 1 + (cp > 0x3400 && cp < 0xac00))
        for (size_t i = 0; i < SF_COUNT(marks); i++) {
            char text[16];
            size_t n = sf_utf8_encode(cp, text), m = strlen(marks[i]);
            const char *why;

            memcpy(text + n, marks[i], m);
            why = broken_promise(text, n + m, 0);
            if (!why && !must_not_stay(cp) && !composes_rightly(text, n + m))
                why = "is not in composed form";
            if (why)
                fail_msg("U+%04X with marks %zu: %s", cp, i, why);
        }
}

static const struct {
    const char *name;
    const char *text;
    size_t bytes, columns; /* of the first cluster */
} clusters[] = {
    { "nothing", "", 0, 0 },
    { "a letter", "ab", 1, 1 },
    { "a letter and its accent", "e\xcc\x81x", 3, 1 },
    { "CR LF", "\r\nx", 2, 2 },
    { "a flag, not two", "🇩🇪🇫🇷", 8, 2 },
    { "a joined family as it stands", "👨" ZWJ "👩" ZWJ "👧x", 18, 6 },
    { "a thumb with skin tone", "👍🏽x", 8, 2 },
    { "three jamo", "\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab\xe1\x84\x92", 9, 2 },
    { "damage stands alone",
      "\xff"
      "a",
      1, 1 },
    { "a cut sequence is one piece",
      "\xf0\x9f\x98"
      "a",
      3, 1 },
    { "a leading mark", "\xcc\x81x", 2, 0 },
};

static void test_clusters(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(clusters); i++) {
        size_t len = strlen(clusters[i].text);

        if (sf_grapheme_next(clusters[i].text, len) != clusters[i].bytes)
            fail_msg("%s: %zu bytes", clusters[i].name, sf_grapheme_next(clusters[i].text, len));
        if (sf_grapheme_width(clusters[i].text, len) != clusters[i].columns)
            fail_msg("%s: %zu columns", clusters[i].name, sf_grapheme_width(clusters[i].text, len));
    }
}

static const struct {
    const char *name;
    const char *text;
    size_t columns, bytes, used;
} fits[] = {
    { "all of it", "abc", 3, 3, 3 },
    { "more room than text", "abc", 99, 3, 3 },
    { "a cut in plain text", "abcdef", 4, 4, 4 },
    { "no room", "abc", 0, 0, 0 },
    { "no text", "", 5, 0, 0 },
    { "a wide character does not fit in half", "a漢b", 2, 1, 1 },
    { "a wide character fits exactly", "a漢b", 3, 4, 3 },
    { "marks come along at the edge", "e\xcc\x81x", 1, 3, 1 },
    { "marks need no room", "\xcc\x81x", 0, 2, 0 },
    { "a flag is not cut", "🇩🇪x", 1, 0, 0 },
};

static void test_fit(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(fits); i++) {
        size_t used = 777;
        size_t got = sf_text_fit(fits[i].text, strlen(fits[i].text), fits[i].columns, &used);

        if (got != fits[i].bytes || used != fits[i].used)
            fail_msg("%s: %zu bytes, %zu columns", fits[i].name, got, used);
    }
    assert_int_equal(sf_text_fit("abc", 3, 2, NULL), 2);
}

static const struct {
    const char *name;
    const char *piece;
    size_t most; /* bytes that may be left of a megabyte of it behind an "a"; 0: no matter */
} floods[] = {
    { "accents", "\xcc\x81", 64 },
    { "accents of many classes", "\xcc\x81\xcc\xa3\xcc\x95\xcc\xb8\xd6\xb0", 64 },
    { "double-width marks", "\xe3\x80\xae", 64 },
    { "enclosing marks without a class", "\xe2\x83\xa0", 64 },
    { "characters that decompose into a base and marks", "\xe1\xbe\x82\xcc\xa3", 0 },
    { "joiners", ZWJ, 1 },
    { "selectors", VS16, 1 },
    { "trailing jamo", "\xe1\x86\xab", 64 },
    { "leading jamo", "\xe1\x84\x92", 0 },
    { "syllables", "한", 0 },
    { "joined emoji", "👩" ZWJ, 0 },
    { "regional indicators", "🇩", 0 },
    { "prepended signs", "\xd8\x80", 0 },
    { "overrides", "\xe2\x80\xae", 0 },
    { "escapes", "\x1b[", 0 },
    { "damage", "\xff", 0 },
    { "endless lead bytes", "\xf0", 0 },
};

/* Would take hours if anything here were quadratic; the suite's time limit then says so. */
static void test_a_megabyte_of_anything(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(floods); i++) {
        struct sf_strbuf text = SF_STRBUF_INIT;
        size_t len, used, clusters_seen = 0;
        char *safe;
        bool small, agrees;

        sf_strbuf_addch(&text, 'a');
        while (text.len < 1 << 20)
            sf_strbuf_adds(&text, floods[i].piece);
        safe = sanitized(text.buf, text.len, 0, &len);
        small = !floods[i].most || len <= floods[i].most;
        agrees = sf_text_fit(safe, len, SIZE_MAX, &used) == len && used == sf_text_width(safe, len);
        for (size_t at = 0; at < text.len; clusters_seen++)
            at += sf_grapheme_next(text.buf + at, text.len - at);
        free(safe);
        sf_strbuf_release(&text);
        if (!small || !agrees || clusters_seen < (1 << 20) / SF_GRAPHEME_MAX)
            fail_msg("%s: %zu bytes left, %zu clusters", floods[i].name, len, clusters_seen);
    }
}

/* Every length of a hostile mixture: the sum of clusters is the whole, fit never exceeds. */
static void test_fit_and_width_agree(void **state)
{
    static const char mix[] = "a漢e\xcc\x81👨" ZWJ "👩🇩🇪\x1b[3\xff\xe2\x80\xae한\xf0\x9f\r\n\tक्षि";

    (void)state;
    for (size_t len = 0; len < sizeof(mix); len++)
        for (size_t columns = 0; columns < 40; columns++) {
            size_t used, n = sf_text_fit(mix, len, columns, &used);

            assert_true(used <= columns);
            assert_int_equal(used, sf_text_width(mix, n));
            if (n < len)
                assert_true(used + sf_grapheme_width(mix + n, len - n) > columns);
        }
}

static void test_the_locale_is_left_alone(void **state)
{
    locale_t before = uselocale((locale_t)0);

    (void)state;
    assert_string_equal(setlocale(LC_ALL, NULL), "C");
    assert_int_equal(sf_text_width("漢字", 6), 4);
    assert_true(uselocale((locale_t)0) == before);
    assert_string_equal(setlocale(LC_ALL, NULL), "C");
}

/* Runs first, in a child, where nothing was measured yet and no locale file can be opened. */
static void test_a_system_without_the_locale(void **state)
{
    static const struct {
        const char *text;
        size_t columns;
    } basics[] = {
        { "漢字", 4 },         { "😀", 2 },  { "e\xcc\x81", 1 }, { "é", 1 },
        { "\xee\x80\x80", 1 }, { "🇩🇪", 2 }, { "\x1b", 1 },      { "\xf3\xa1\x80\x80", 1 }
    };
    const struct rlimit nothing_opens = { 0, 0 };
    int status;
    pid_t child = fork();

    (void)state;
    assert_true(child >= 0);
    if (!child) {
        setrlimit(RLIMIT_NOFILE, &nothing_opens);
        if (newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0))
            _exit(100); /* then this proves nothing */
        for (size_t i = 0; i < SF_COUNT(basics); i++)
            if (sf_text_width(basics[i].text, strlen(basics[i].text)) != basics[i].columns)
                _exit((int)i + 1);
        _exit(broken_promise("a\xf3\xa1\x80\x80\x1b[e\xcc\x81", 11, 0) ? 101 : 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_system_without_the_locale),
        cmocka_unit_test(test_what_is_shown),
        cmocka_unit_test(test_line_breaks_and_tabs),
        cmocka_unit_test(test_no_sequence_survives),
        cmocka_unit_test(test_every_pair_of_bytes_is_safe),
        cmocka_unit_test(test_every_code_point),
        cmocka_unit_test(test_every_character_with_marks),
        cmocka_unit_test(test_clusters),
        cmocka_unit_test(test_fit),
        cmocka_unit_test(test_fit_and_width_agree),
        cmocka_unit_test(test_a_megabyte_of_anything),
        cmocka_unit_test(test_the_locale_is_left_alone),
    };

    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
