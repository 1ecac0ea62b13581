/*
 * test_pattern.c: what they match in a text of many lines, which must be what they match in each line
 * alone, whatever shortcut is taken; what is no pattern; and what is too hard.
 */
#include <stdlib.h>
#include <string.h>

#include "find/find.h"
#include "support/test.h"
#include "support/tree.h"

static struct sf_pattern *make(const char *text, struct sf_pattern_options options)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_pattern *p = sf_pattern_new(text, strlen(text), &options, &err);

    if (!p)
        fail_msg("%s: %s", text, err.msg);
    return p;
}

/* The numbers of the lines that match: "1 3 4", and "!" for a failure. */
static void matching_lines(const struct sf_pattern *p, const char *text, size_t len,
                           struct sf_strbuf *out)
{
    struct sf_matcher *m = sf_matcher_new(p, NULL);
    enum sf_match answer = SF_MATCH_NONE;
    struct sf_span span;

    sf_matcher_start(m, text, len);
    for (size_t at = 0; at < len; at = span.line_to + 1) {
        unsigned line = 1;

        answer = sf_matcher_next(m, at, &span);
        if (answer != SF_MATCH_FOUND)
            break;
        assert_true(span.from >= span.line_from && span.to <= span.line_to);
        assert_true(span.line_from == 0 || text[span.line_from - 1] == '\n');
        assert_true(span.line_to == len || text[span.line_to] == '\n');
        for (size_t i = 0; i < span.line_from; i++)
            line += text[i] == '\n';
        sf_strbuf_addf(out, "%s%u", out->len ? " " : "", line);
    }
    if (answer == SF_MATCH_FAILED)
        sf_strbuf_addch(out, '!');
    sf_matcher_free(m);
}

static const struct {
    const char *name, *pattern, *text;
    struct sf_pattern_options options;
    const char *want;
} cases[] = {
    { "a literal", "b", "abc\nxyz\nb\n", { 0 }, "1 3" },
    { "no line end at the end", "b$", "a\nb", { 0 }, "2" },
    { "the ends of lines", "^b$", "ab\nb\nba\n", { 0 }, "2" },
    { "empty lines", "^$", "a\n\nb\n\n", { 0 }, "2 4" },
    { "there is no line behind the last", "$", "a\nb\n", { 0 }, "1 2" },
    { "everything", ".*", "a\n\nb", { 0 }, "1 2 3" },
    { "white space is not a line end", "a\\s+b", "a\nb\na b\n", { 0 }, "3" },
    { "white space in front", "^\\s*b", "\n\nb\n b\n", { 0 }, "3 4" },
    { "not a, but not a line end", "x[^a]y", "x\ny\nxby\n", { 0 }, "3" },
    { "not a word", "x\\Wy", "x\ny\nx.y\n", { 0 }, "3" },
    { "looking ahead stays in the line", "x(?=\\s*y)", "x\ny\nx y\n", { 0 }, "3" },
    { "not ahead stays in the line", "x(?!\\sy)", "x\ny\nx y\nx\n", { 0 }, "1 4" },
    { "the beginning of the line", "\\Ab", "a\nb\n", { 0 }, "2" },
    { "possessive", "x\\s*+$", "x \n\ny\n", { 0 }, "1" },
    { "case", "ABC", "abc\nABC\n", { .ignore_case = true }, "1 2" },
    { "case that the pattern asks for", "(?i)ABC", "abc\nABC\nb\n", { 0 }, "1 2" },
    { "case of other letters", "ÄÖ", "äö\nÄÖ\nao\n", { .ignore_case = true }, "1 2" },
    { "letters of all kinds", "^\\w+$", "äöß\na-b\nчто\n", { 0 }, "1 3" },
    { "one character", "^.$", "é\nee\ne\n", { 0 }, "1 3" },
    { "optional characters of more bytes",
      "^aé?b$",
      "ab\naéb\na\xc3"
      "b\n",
      { 0 },
      "1 2" },
    { "damaged text",
      "b.d",
      "\xff\nabcd\n\xff"
      "bcd\xff\n",
      { 0 },
      "2 3" },
    { "a word", "ab", "ab\nabc\nx ab.\ncab\nab_ ab\n", { .word = true }, "1 3 5" },
    { "a word beside other letters", "ab", "äab\nab\n", { .word = true }, "2" },
    { "a short word", "a", "a\nab\n-a-\n", { .word = true }, "1 3" },
    { "a word that is none", "-a", "x -a\nx-a\n--a b\n", { .word = true }, "1 3" },
    { "fixed text", "a.b(", "a.b(\naxb(\n", { .fixed = true }, "1" },
    { "fixed text, case", "a.B(", "A.b(\naxb(\n", { .fixed = true, .ignore_case = true }, "1" },
    { "fixed text that looks like an escape", "\\w", "\\w\nw\n", { .fixed = true }, "1" },
    { "fixed words", "a+b", "a+b c\nxa+b\n", { .fixed = true, .word = true }, "1" },
    { "a choice", "abc|xyz", "xyz\nab\nabc\n", { 0 }, "1 3" },
    { "a literal that may be missing", "abcx?d", "abcd\nabcxd\nabxd\n", { 0 }, "1 2" },
    { "a literal in a group", "(?:abc)?def", "def\nabcdef\n", { 0 }, "1 2" },
    { "a literal behind a count", "abx{0,2}cde", "abcde\nabxxcde\nabxxxcde\n", { 0 }, "1 2" },
    { "a brace that is itself", "a{b}", "a{b}\nab\n", { 0 }, "1" },
    { "hexadecimal", "\\x41bc", "Abc\n41bc\n", { 0 }, "1" },
    { "a property", "^\\p{Lu}+$", "ÄB\nab\n", { 0 }, "1" },
    { "the same again", "(a+)-\\1$", "aa-aa\naa-ab\n", { 0 }, "1" },
    { "a set with its own end", "[]x]abc", "]abc\nabc\n", { 0 }, "1" },
    { "a class", "^[[:upper:]]bc", "Abc\nabc\n", { 0 }, "1" },
    { "line ends of Windows stay text", "b\r$", "ab\r\nb\n", { 0 }, "1" },
};

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_pattern *p = make(cases[i].pattern, cases[i].options);
        struct sf_strbuf got = SF_STRBUF_INIT;
        bool same;

        matching_lines(p, cases[i].text, strlen(cases[i].text), &got);
        same = !strcmp(got.buf, cases[i].want);
        sf_pattern_free(p);
        if (!same)
            fail_msg("%s: lines %s, want %s", cases[i].name, got.buf, cases[i].want);
        sf_strbuf_release(&got);
    }
}

static const struct {
    const char *name, *pattern;
    struct sf_pattern_options options;
    enum sf_errc code;
    const char *words;
    unsigned column; /* 0: any */
} refused[] = {
    { "nothing", "", { 0 }, SF_E_ARG, "empty", 0 },
    { "an open group", "ab(c", { 0 }, SF_E_SYNTAX, "missing closing parenthesis, at offset 4", 5 },
    { "an open set", "x[a", { 0 }, SF_E_SYNTAX, "missing terminating ]", 4 },
    { "a star on nothing", "*a", { 0 }, SF_E_SYNTAX, "quantifier does not follow", 1 },
    { "an open group, as a word", "ab(c", { .word = true }, SF_E_SYNTAX, "at offset 4", 5 },
    { "a pattern that is no UTF-8", "a\xff", { 0 }, SF_E_SYNTAX, "UTF-8 error", 0 },
    { "too large", "((a{900}){900}){900}", { 0 }, SF_E_SYNTAX, "too large", 0 },
    { "a line break", "a\\nb", { 0 }, SF_E_ARG, "line break", 0 },
    { "a line break, written out", "a\nb", { 0 }, SF_E_ARG, "line break", 0 },
    { "a line break in fixed text", "a\nb", { .fixed = true }, SF_E_ARG, "line break", 0 },
    { "half characters", "a\\Cb", { 0 }, SF_E_SYNTAX, "\\C", 0 },
};

static void test_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(refused); i++) {
        struct sf_error err = SF_ERROR_INIT;
        struct sf_pattern *p = sf_pattern_new(refused[i].pattern, strlen(refused[i].pattern),
                                              &refused[i].options, &err);

        sf_pattern_free(p);
        if (p || err.code != refused[i].code || !strstr(err.msg, refused[i].words) ||
            (refused[i].column && err.column != refused[i].column))
            fail_msg("%s: code %d, column %u, %s", refused[i].name, err.code, err.column, err.msg);
    }
}

static void test_too_hard(void **state)
{
    struct sf_pattern *p = make("(a+)+[bc]", (struct sf_pattern_options){ .steps_max = 5000 });
    struct sf_matcher *m = sf_matcher_new(p, NULL);
    struct sf_error err = SF_ERROR_INIT;
    struct sf_span span;
    char text[64];

    (void)state;
    memset(text, 'a', sizeof(text));
    sf_matcher_start(m, text, sizeof(text));
    assert_int_equal(sf_matcher_next(m, 0, &span), SF_MATCH_FAILED);
    assert_false(sf_matcher_problem(m, "x.c", &err));
    assert_int_equal(err.code, SF_E_LIMIT);
    assert_non_null(strstr(err.msg, "x.c: the pattern takes more than 5000 steps"));
    assert_true(err.hint[0]);
    sf_matcher_start(m, "aab", 3);
    assert_int_equal(sf_matcher_next(m, 0, &span), SF_MATCH_FOUND);
    sf_matcher_free(m);
    sf_pattern_free(p);
}

/* A block with one line that takes long is still searched, before and behind that line. */
static void test_one_hard_line(void **state)
{
    struct sf_pattern *p = make("(?:a|b|ab)+[xy]", (struct sf_pattern_options){ 0 });
    struct sf_strbuf text = SF_STRBUF_INIT, got = SF_STRBUF_INIT;

    (void)state;
    sf_strbuf_adds(&text, "ax\n-\nby\n");
    for (int i = 0; i < 15; i++)
        sf_strbuf_adds(&text, "ab");
    sf_strbuf_adds(&text, "-\nabx\n-\n");
    matching_lines(p, text.buf, text.len, &got);
    assert_string_equal(got.buf, "1 3 5");
    sf_strbuf_release(&text);
    sf_strbuf_release(&got);
    sf_pattern_free(p);
}

static void test_cancelled(void **state)
{
    atomic_bool cancel = true;
    struct sf_pattern *p = make("a.c", (struct sf_pattern_options){ 0 });
    struct sf_matcher *m = sf_matcher_new(p, &cancel);
    struct sf_span span;

    (void)state;
    sf_matcher_start(m, "abc\n", 4);
    assert_int_equal(sf_matcher_next(m, 0, &span), SF_MATCH_NONE);
    sf_matcher_free(m);
    sf_pattern_free(p);
}

/* Lines of a text, in two ways: all at once, and each as a text of its own. */
static void check_lines(const char *pattern, struct sf_pattern_options options,
                        const struct sf_strbuf *text)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_pattern *p = sf_pattern_new(pattern, strlen(pattern), &options, &err);
    struct sf_strbuf got = SF_STRBUF_INIT, want = SF_STRBUF_INIT, alone = SF_STRBUF_INIT;
    unsigned line = 1;

    if (p)
        matching_lines(p, text->buf, text->len, &got);
    for (size_t at = 0; p && at < text->len; line++) {
        const char *lf = memchr(text->buf + at, '\n', text->len - at);
        size_t n = lf ? (size_t)(lf - text->buf) - at : text->len - at;

        sf_strbuf_reset(&alone);
        matching_lines(p, text->buf + at, n ? n : 1, &alone);
        if (alone.len)
            sf_strbuf_addf(&want, "%s%u", want.len ? " " : "", line);
        at += n + 1;
    }
    if (strcmp(got.buf, want.buf) != 0)
        fail_msg("%s in <%s>: lines %s, want %s", pattern, text->buf, got.buf, want.buf);
    sf_strbuf_release(&got);
    sf_strbuf_release(&want);
    sf_strbuf_release(&alone);
    sf_pattern_free(p);
}

static void test_lines_alone_and_together(void **state)
{
    static const char *const parts[] = {
        "a",       "b",      "abc",    ".",           "\\s",    "\\s*",  "\\w+",
        "[^a]",    "[^a]*",  "(a|b)",  "^",           "$",      "x*",    "a+?",
        "(?:ab)?", "|",      "é",      "\\b",         "(?=a)",  "(?!b)", "(?<=a)",
        "a{2}",    "b{0,1}", "\\W",    "[[:space:]]", "(?>a*)", "a*+",   "(?i)",
        "\\x61",   "abcab",  "(?i:B)", "[ab]{1,2}",   NULL,
    };
    static const char *const bits[] = { "a", "b", "abc",    " ",    "\n", "\n",
                                        "é", "x", "abcabc", "\xff", NULL };
    struct tree_random r = { 9 };

    (void)state;
    for (int round = 0; round < 4000; round++) {
        struct sf_strbuf pattern = SF_STRBUF_INIT, text = SF_STRBUF_INIT;
        struct sf_pattern_options options = { .ignore_case = tree_pick(&r, 4) == 0,
                                              .word = tree_pick(&r, 6) == 0,
                                              .fixed = tree_pick(&r, 20) == 0 };

        tree_words(&r, parts, 1 + tree_pick(&r, 5), &pattern);
        tree_words(&r, bits, 1 + tree_pick(&r, 40), &text);
        check_lines(pattern.buf, options, &text);
        sf_strbuf_release(&pattern);
        sf_strbuf_release(&text);
    }
}

/* Lines across the blocks in which a long text is matched. */
static void test_long_texts(void **state)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    (void)state;
    for (int i = 0; i < 6000; i++)
        sf_strbuf_addf(&text, "%s%d%s\n", i % 7 ? "a" : "é", i, i % 501 ? " bb" : "  end");
    sf_strbuf_fill(&text, 'z', 100000);
    sf_strbuf_adds(&text, "\nlast end");
    check_lines("[0-9]+\\s+e.d$", (struct sf_pattern_options){ 0 }, &text);
    check_lines("z+$|[a-z] end", (struct sf_pattern_options){ 0 }, &text);
    sf_strbuf_release(&text);
}

static void test_multiline(void **state)
{
    struct sf_pattern *p = make("b.*?\nc", (struct sf_pattern_options){ .multiline = true });
    struct sf_matcher *m = sf_matcher_new(p, NULL);
    static const char text[] = "a\nxb\ny\nc\nd\nb\nc\n";
    struct sf_span span;

    (void)state;
    sf_matcher_start(m, text, strlen(text));
    assert_int_equal(sf_matcher_next(m, 0, &span), SF_MATCH_FOUND);
    assert_int_equal(span.line_from, 2);
    assert_int_equal(span.line_to, 8);
    assert_int_equal(sf_matcher_next(m, span.to, &span), SF_MATCH_FOUND);
    assert_int_equal(span.line_from, 11);
    assert_int_equal(span.line_to, 14);
    assert_int_equal(sf_matcher_next(m, span.to, &span), SF_MATCH_NONE);
    sf_matcher_free(m);
    sf_pattern_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),      cmocka_unit_test(test_refused),
        cmocka_unit_test(test_too_hard),   cmocka_unit_test(test_cancelled),
        cmocka_unit_test(test_multiline),  cmocka_unit_test(test_lines_alone_and_together),
        cmocka_unit_test(test_long_texts), cmocka_unit_test(test_one_hard_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
