/*
 * Text that somebody decides about: what a terminal would not show has a mark, what it shows as it
 * is has none, and no byte is passed over, wherever the text is cut into parts.
 */
#include <string.h>

#include "base/base.h"
#include "support/test.h"

#define ZWJ  "\xe2\x80\x8d"
#define VS16 "\xef\xb8\x8f"

#define TEN   "          "
#define FIFTY TEN TEN TEN TEN TEN

static const struct {
    const char *name, *in, *want;
} cases[] = {
    { "nothing", "", "" },
    { "plain text", "make test && echo 'a b'  c", "make test && echo 'a b'  c" },
    { "letters of all kinds", "grün 漢字 e\xcc\x81", "grün 漢字 e\xcc\x81" },
    { "a line break", "a\nb", "a↵\nb" },
    { "a line break at the end", "a\n", "a↵" },
    { "a tab", "a\tb", "a→\tb" },
    { "blanks in front of a line break", "a  \nb", "a··↵\nb" },
    { "blanks at the end", "a ", "a·" },
    { "indentation stays", "a\n    b", "a↵\n    b" },
    { "many blanks hide nothing", "ls" FIFTY "; rm x", "ls⟨50 blanks⟩; rm x" },
    { "many blanks before a line break", "ls" FIFTY "\nrm x", "ls⟨50 blanks⟩↵\nrm x" },
    { "a carriage return", "a\rb", "a␍b" },
    { "the line break of another system", "a \r\nb", "a·␍↵\nb" },
    { "escape and delete", "\x1b[31m\x7f", "␛[31m␡" },
    { "a blank that does not break",
      "a\xc2\xa0"
      "b",
      "a⟨U+00A0⟩b" },
    { "an ideographic blank",
      "a\xe3\x80\x80"
      "b",
      "a⟨U+3000⟩b" },
    { "braille's blank", "\xe2\xa0\x80", "⟨U+2800⟩" },
    { "a space without a width",
      "a\xe2\x80\x8b"
      "b",
      "a⟨U+200B⟩b" },
    { "an override",
      "a\xe2\x80\xae"
      "b",
      "a⟨U+202E⟩b" },
    { "a soft hyphen", "co\xc2\xadop", "co⟨U+00AD⟩op" },
    { "a joiner between letters", "a" ZWJ "b", "a⟨U+200D⟩b" },
    { "a selector behind a letter", "a" VS16, "a⟨U+FE0F⟩" },
    { "a family is one picture", "👨" ZWJ "👩", "👨" ZWJ "👩" },
    { "a heart with its selector", "❤" VS16 " ok", "❤" VS16 " ok" },
    { "and no second one", "❤" VS16 VS16, "❤" VS16 "⟨U+FE0F⟩" },
    { "a thumb with its skin", "👍🏽", "👍🏽" },
    { "tags that spell something", "a\xf3\xa0\x81\xa1", "a⟨U+E0061⟩" },
    { "a control of the second set", "\xc2\x9b", "⟨U+009B⟩" },
    { "more marks than a letter has", "a\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81",
      "a\xcc\x81\xcc\x81\xcc\x81\xcc\x81⟨U+0301⟩" },
    { "bytes that are no text",
      "a\xff\xfe"
      "b",
      "a⟨0xFF⟩⟨0xFE⟩b" },
    { "a replacement character is one", "\xef\xbf\xbd", "\xef\xbf\xbd" },
};

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_strbuf got = SF_STRBUF_INIT;

        sf_exact_add(&got, cases[i].in, strlen(cases[i].in), false);
        if (strcmp(got.buf, cases[i].want) != 0)
            fail_msg("%s: %s", cases[i].name, got.buf);
        sf_strbuf_release(&got);
    }
}

static void test_one_line(void **state)
{
    struct sf_strbuf got = SF_STRBUF_INIT;

    (void)state;
    sf_exact_add(&got, "a\tb\nc ", 6, true);
    assert_string_equal(got.buf, "a→b↵c·");
    sf_strbuf_release(&got);
}

/* What stands behind a part decides what a blank in it means. */
static void test_parts(void **state)
{
    static const char text[] = "a  b  \nrm -rf x";

    (void)state;
    for (size_t cut = 0; cut < strlen(text); cut++) {
        struct sf_strbuf got = SF_STRBUF_INIT;
        struct sf_exact first = { .text = text, .len = strlen(text), .end = cut };
        struct sf_exact rest = first;
        enum sf_exact_kind kind;

        rest.at = cut;
        rest.end = rest.len;
        while (sf_exact_next(&first, &got, &kind) || sf_exact_next(&rest, &got, &kind))
            ;
        assert_string_equal(got.buf, "a  b··↵\nrm -rf x");
        sf_strbuf_release(&got);
    }
}

static void test_kinds(void **state)
{
    static const char text[] = "a\n\xe2\x80\xae";
    static const enum sf_exact_kind want[] = { SF_EXACT_PLAIN, SF_EXACT_BLANK, SF_EXACT_ODD };
    struct sf_exact e = { .text = text, .len = strlen(text), .end = strlen(text) };
    struct sf_strbuf got = SF_STRBUF_INIT;
    enum sf_exact_kind kind;

    (void)state;
    for (size_t i = 0; i < SF_COUNT(want); i++) {
        assert_true(sf_exact_next(&e, &got, &kind));
        assert_int_equal(kind, want[i]);
    }
    assert_false(sf_exact_next(&e, &got, &kind));
    sf_strbuf_release(&got);
}

/* Nothing but what sanitising leaves as it is, and every hidden character is seen. */
static void test_every_character(void **state)
{
    (void)state;
    for (uint32_t cp = 1; cp <= SF_UTF8_LAST; cp++) {
        struct sf_strbuf in = SF_STRBUF_INIT, got = SF_STRBUF_INIT, safe = SF_STRBUF_INIT;

        sf_strbuf_adds(&in, "a");
        sf_utf8_add(&in, cp);
        sf_strbuf_adds(&in, "b");
        sf_exact_add(&got, in.buf, in.len, true);
        sf_text_sanitize(&safe, got.buf, got.len, 0);
        if (sf_text_width(safe.buf, safe.len) < 2 ||
            (sf_text_is_hidden(cp) && !strstr(got.buf, "⟨U+")) || strchr(got.buf, '\n'))
            fail_msg("U+%04X: %s", (unsigned)cp, got.buf);
        sf_strbuf_release(&in);
        sf_strbuf_release(&got);
        sf_strbuf_release(&safe);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),           cmocka_unit_test(test_one_line),
        cmocka_unit_test(test_parts),           cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_every_character),
    };

    return cmocka_run_group_tests_name("exact", tests, NULL, NULL);
}
