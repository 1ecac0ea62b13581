#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/page_case.h"
#include "support/test.h"
#include "view/code.h"

static int setup(void **state)
{
    static struct sf_page page;

    page = (struct sf_page)SF_PAGE_INIT;
    *state = &page;
    return 0;
}

static int teardown(void **state)
{
    sf_page_release(*state);
    return 0;
}

static void lay(struct sf_page *page, int width, const char *diff, size_t max_lines, bool headers)
{
    const struct sf_diff_lay how = { .lead = "", .max_lines = max_lines, .headers = headers };

    sf_page_reset(page, width);
    sf_diff_lay(page, diff, strlen(diff), &how);
}

#define FILE_A "--- a/a.txt\n+++ b/a.txt\n"

static const struct {
    const char *name, *diff, *want;
    size_t max_lines;
    bool headers;
} cases[] = {
    { "a changed line", FILE_A "@@ -41 +41 @@\n-    for (i < hi)\n+    for (i <= hi)\n",
      "41 │ -    for (i < hi)\n41 │ +    for (i <= hi)\n", 0, false },
    { "context counts on", FILE_A "@@ -9,3 +9,4 @@\n a\n+b\n c\n d\n",
      " 9 │  a\n10 │ +b\n11 │  c\n12 │  d\n", 0, false },
    { "what was removed has its old number", FILE_A "@@ -5,3 +7,1 @@\n-a\n-b\n c\n",
      "5 │ -a\n6 │ -b\n7 │  c\n", 0, false },
    { "the file's name", FILE_A "@@ -1 +1 @@\n-a\n+b\n", "a.txt\n1 │ -a\n1 │ +b\n", 0, true },
    { "a new file", "--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+a\n", "a.txt  new\n1 │ +a\n", 0,
      true },
    { "a removed file", "--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
      "a.txt  removed\n1 │ -a\n", 0, true },
    { "a renamed file", "--- a/a.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-a\n+b\n",
      "a.txt → b.txt\n1 │ -a\n1 │ +b\n", 0, true },
    { "names without prefixes, with dates",
      "--- old/x\t2026-01-01 00:00:00\n+++ old/x\t2026-01-02\n@@ -1 +1 @@\n-a\n+b\n",
      "old/x\n1 │ -a\n1 │ +b\n", 0, true },
    { "several files are always named",
      FILE_A "@@ -1 +1 @@\n-a\n+b\n--- a/c\n+++ b/c\n@@ -1 +1 @@\n-d\n+e\n",
      "a.txt\n1 │ -a\n1 │ +b\n\nc\n1 │ -d\n1 │ +e\n", 0, false },
    { "a mark between hunks", FILE_A "@@ -1 +1 @@\n-a\n+b\n@@ -20 +20 @@\n-c\n+d\n",
      " 1 │ -a\n 1 │ +b\n ⋯\n20 │ -c\n20 │ +d\n", 0, false },
    { "with the function it is in",
      FILE_A "@@ -1 +1 @@\n-a\n+b\n@@ -20 +20 @@ int f(void)\n-c\n+d\n",
      " 1 │ -a\n 1 │ +b\n ⋯   int f(void)\n20 │ -c\n20 │ +d\n", 0, false },
    { "what git says is left out",
      "diff --git a/a.txt b/a.txt\nindex 1..2 100644\n" FILE_A "@@ -1 +1 @@\n-a\n+b\n",
      "1 │ -a\n1 │ +b\n", 0, false },
    { "but not what matters",
      "diff --git a/a b/a\nold mode 100644\nnew mode 100755\n" FILE_A "@@ -1 +1 @@\n-a\n+b\n",
      "  │ old mode 100644\n  │ new mode 100755\n1 │ -a\n1 │ +b\n", 0, false },
    { "no newline at the end", FILE_A "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n",
      "1 │ -a\n  │ \\ No newline at end of file\n1 │ +a\n", 0, false },
    { "lines that look like headers", FILE_A "@@ -1,2 +1,2 @@\n--- a\n-@@ x\n+++ b\n+@@ y\n",
      "1 │ --- a\n2 │ -@@ x\n1 │ +++ b\n2 │ +@@ y\n", 0, false },
    { "an empty line without its space", FILE_A "@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n",
      "1 │  a\n2 │\n3 │ -b\n3 │ +c\n", 0, false },
    { "a hunk that is too short", FILE_A "@@ -1,9 +1,9 @@\n a\n-b\n", "1 │  a\n2 │ -b\n", 0,
      false },
    { "a hunk that is too long", FILE_A "@@ -1 +1 @@\n-a\n+b\n+c\nd\n",
      "1 │ -a\n1 │ +b\n  │ +c\n  │ d\n", 0, false },
    { "no diff at all", "hello\n  world\n", "hello\n  world\n", 0, false },
    { "an empty one", "", "\n", 0, false },
    { "a header alone", FILE_A, "--- a/a.txt\n+++ b/a.txt\n", 0, false },
    { "a broken hunk", FILE_A "@@ -x +1 @@\n-a\n", "--- a/a.txt\n+++ b/a.txt\n@@ -x +1 @@\n-a\n", 0,
      false },
    { "a hunk's numbers that no file has", "@@ -99999999999999999999 +1 @@\n-a\n",
      "@@ -99999999999999999999 +1 @@\n-a\n", 0, false },
    { "a hunk without a file", "@@ -1 +1 @@\n-a\n+b\n", "1 │ -a\n1 │ +b\n", 0, false },
    { "so many lines and no more", FILE_A "@@ -1,5 +1,5 @@\n a\n b\n c\n-d\n+e\n f\n",
      "1 │  a\n2 │  b\n… 4 more lines\n", 3, false },
    { "as many as there are", FILE_A "@@ -1,2 +1,2 @@\n a\n-d\n+e\n", "1 │  a\n2 │ -d\n2 │ +e\n", 3,
      false },
    { "one line for what is left out", FILE_A "@@ -1,2 +1,2 @@\n a\n-d\n+e\n", "… 3 more lines\n",
      1, false },
    { "carriage returns everywhere are nothing", FILE_A "@@ -1,2 +1,2 @@\n a\r\n-d\r\n+e\r\n",
      "1 │  a\n2 │ -d\n2 │ +e\n", 0, false },
    { "carriage returns that changed are shown", FILE_A "@@ -1 +1 @@\n-d\r\n+d\n",
      "1 │ -d␍\n1 │ +d\n", 0, false },
    { "controls are pictures", FILE_A "@@ -1 +1 @@\n-\x1b[31m\n+a\n", "1 │ -␛[31m\n1 │ +a\n", 0,
      false },
};

static void test_cases(void **state)
{
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        lay(*state, 60, cases[i].diff, cases[i].max_lines, cases[i].headers);
        page_case_check(*state, cases[i].name);
        page_case_same(cases[i].name, page_case_text(*state), cases[i].want);
    }
}

static const struct {
    const char *name, *diff, *want;
} looks[] = {
    { "one word", "@@ -1 +1 @@\n-for (i < hi)\n+for (i <= hi)\n",
      "<removed@removed>-<code@removed>for (i < hi)\n<added@added>+<code@added>for (i <<added_word@added>=<code@added> hi)\n" },
    { "words in both", "@@ -1 +1 @@\n-int count = one;\n+int count = two;\n",
      "<removed@removed>-<code@removed>int count = <removed_word@removed>one<code@removed>;\n"
      "<added@added>+<code@added>int count = <added_word@added>two<code@added>;\n" },
    { "words side by side are one mark",
      "@@ -1 +1 @@\n-a long line here: x y\n+a long line here: z w\n",
      "<removed@removed>-<code@removed>a long line here: <removed_word@removed>x y\n<added@added>+<code@added>a long line here: <added_word@added>z w\n" },
    { "too little in common", "@@ -1 +1 @@\n-alpha beta\n+gamma delta\n",
      "<removed@removed>-<code@removed>alpha beta\n<added@added>+<code@added>gamma delta\n" },
    { "pairs in a run", "@@ -1,2 +1,2 @@\n-value a\n-value b\n+value c\n+value d\n",
      "<removed@removed>-<code@removed>value <removed_word@removed>a\n<removed@removed>-<code@removed>value <removed_word@removed>b\n"
      "<added@added>+<code@added>value <added_word@added>c\n<added@added>+<code@added>value <added_word@added>d\n" },
    { "more removed than added", "@@ -1,2 +1 @@\n-value a\n-value b\n+value c\n",
      "<removed@removed>-<code@removed>value <removed_word@removed>a\n<removed@removed>-<code@removed>value b\n<added@added>+<code@added>value <added_word@added>c\n" },
    { "only spaces changed", "@@ -1 +1 @@\n-a  b\n+a b\n",
      "<removed@removed>-<code@removed>a<removed_word@removed>  <code@removed>b\n<added@added>+<code@added>a<added_word@added> <code@added>b\n" },
    { "context has the file's colours", "--- a/a.c\n+++ b/a.c\n@@ -1,2 +1,2 @@\n int a;\n-b\n+c\n",
      "<code> <type>int<code> a;\n<removed@removed>-<code@removed>b\n<added@added>+<code@added>c\n" },
    { "an open comment goes on",
      "--- a/a.c\n+++ b/a.c\n@@ -1,2 +1,3 @@\n /* a\n+int\n int */ int\n",
      "<code> <comment>/* a\n<added@added>+<comment@added>int\n<code> <comment>int */<code> <type>int\n" },
    { "changed lines keep the file's colours",
      "--- a/a.c\n+++ b/a.c\n@@ -1 +1 @@\n-int a = 1;\n+int a = 22;\n",
      "<removed@removed>-<type@removed>int<code@removed> a = <removed_word@removed>1<code@removed>;\n"
      "<added@added>+<type@added>int<code@added> a = <added_word@added>22<code@added>;\n" },
    { "a comment that went does not colour what came",
      "--- a/a.c\n+++ b/a.c\n@@ -1,2 +1,2 @@\n-/* a\n+int x;\n int y;\n",
      "<removed@removed>-<comment@removed>/* a\n<added@added>+<type@added>int<code@added> x;\n"
      "<code> <type>int<code> y;\n" },
};

static void test_looks(void **state)
{
    for (size_t i = 0; i < SF_COUNT(looks); i++) {
        lay(*state, 60, looks[i].diff, 0, false);
        page_case_check(*state, looks[i].name);
        page_case_same(looks[i].name, page_case_looks(*state), looks[i].want);
    }
}

static void test_long_lines(void **state)
{
    const struct sf_diff_lay how = { .lead = "  " };
    static const char diff[] = "@@ -7 +7 @@\n-abcdefghijklmnop\n+x\n";

    sf_page_reset(*state, 16);
    sf_diff_lay(*state, diff, strlen(diff), &how);
    page_case_same("long", page_case_text(*state), "  7 │ -abcdefghi\n    │  jklmnop\n  7 │ +x\n");
    page_case_same("copied", page_case_copy(*state), "-abcdefghijklmnop\n+x");
}

/* Of a change that is asked about nothing goes unseen; of what stays the same it may. */
static void test_exact(void **state)
{
    const struct sf_diff_lay how = { .lead = "", .exact = true };
    static const char diff[] = "@@ -1,3 +1,3 @@\n a\tb\r\n-c \r\n+c\td\xe2\x80\xae\r\n e \r\n";
    static const char patch[] = "*** Begin Patch\n+a \n+b\tc\n";

    sf_page_reset(*state, 60);
    sf_diff_lay(*state, diff, strlen(diff), &how);
    page_case_same("exact", page_case_text(*state),
                   "1 │  a  b\n2 │ -c·␍\n2 │ +c→ d⟨U+202E⟩␍\n3 │  e\n");
    sf_page_reset(*state, 60);
    sf_diff_lay(*state, patch, strlen(patch), &how);
    page_case_same("no diff", page_case_text(*state), "*** Begin Patch↵\n+a·↵\n+b→ c\n");
}

/* Any piece of a diff, at any width. */
static void test_every_cut(void **state)
{
    static const char diff[] =
        "diff --git a/日.c b/日.c\nindex 1..2\n--- a/日.c\n+++ b/日.c\n@@ -1,4 +1,4 @@ f()\n int\ta;\n"
        "-日本語 \"a\" 1\n+日本 \"b\" 12\n /* x\n y */\n@@ -90,2 +91,3 @@\n a\n\n+b\n\\ No newline\n";
    size_t len = strlen(diff);
    char *text;

    for (int width = 1; width <= 200; width += width < 20 ? 1 : 37)
        for (size_t from = 0; from < len; from += 3)
            for (size_t to = from; to <= len; to += 7) {
                const struct sf_diff_lay how = { .lead = "  ", .max_lines = to % 5 };

                text = sf_strndup(diff + from, to - from);
                sf_page_reset(*state, width);
                sf_diff_lay(*state, text, to - from, &how);
                page_case_check(*state, "cut");
                free(text);
            }
}

static void test_large(void **state)
{
    struct sf_strbuf diff = SF_STRBUF_INIT;
    enum { LINES = 20000 };

    sf_strbuf_addf(&diff, "@@ -1,%d +1,%d @@\n", LINES, LINES);
    for (int i = 0; i < LINES; i++)
        sf_strbuf_addf(&diff, "-value %d of many\n", i);
    for (int i = 0; i < LINES; i++)
        sf_strbuf_addf(&diff, "+value %d of more\n", i);
    lay(*state, 80, diff.buf, 0, false);
    assert_int_equal(((struct sf_page *)*state)->count, 2 * LINES);
    page_case_check(*state, "large");
    sf_strbuf_release(&diff);
}

/* ---- beside each other ---- */

#define PAIR "@@ -9,3 +9,3 @@\n a\n-old words here\n+new words here\n c\n"

static const struct {
    const char *name, *diff;
    int width;
    bool beside;
} widths[] = {
    { "a wide page", FILE_A PAIR, 140, true },
    { "within a card on a screen of 140", FILE_A PAIR, 136, true },
    { "a narrower one", FILE_A PAIR, 135, false },
    { "nothing went", FILE_A "@@ -1 +1,2 @@\n a\n+b\n", 200, false },
    { "nothing came", FILE_A "@@ -1,2 +1 @@\n a\n-b\n", 200, false },
    { "without a file", PAIR, 140, true },
};

static void test_wide_pages(void **state)
{
    struct sf_page *page = *state;

    for (size_t i = 0; i < SF_COUNT(widths); i++) {
        lay(page, widths[i].width, widths[i].diff, 0, false);
        page_case_check(page, widths[i].name);
        if ((page->side_count > 0) != widths[i].beside)
            fail_msg("%s", widths[i].name);
    }
}

/* The two halves of each line, without the blanks between them: "9 │  a|9 │  a". */
static char *halves(const struct sf_page *page)
{
    struct sf_strbuf out = SF_STRBUF_INIT;

    for (size_t i = 0; i < page->count; i++) {
        const struct sf_page_line *line = &page->lines[i];
        const char *text = page->text.buf + line->at;
        size_t left = line->len, right = left;

        if (line->sides)
            right = left = sf_text_fit(text, line->len, page->sides[line->sides - 1].col, NULL);
        while (left && text[left - 1] == ' ')
            left--;
        sf_strbuf_add(&out, text, left);
        if (line->sides)
            sf_strbuf_addf(&out, "|%.*s", (int)(line->len - right), text + right);
        while (out.len && out.buf[out.len - 1] == ' ')
            sf_strbuf_truncate(&out, out.len - 1);
        sf_strbuf_addch(&out, '\n');
    }
    return sf_strbuf_detach(&out);
}

#define TEN   "0123456789"
#define FIFTY TEN TEN TEN TEN TEN

static const struct {
    const char *name, *diff, *want, *copy;
    size_t max_lines;
} pairs[] = {
    { "old and new", FILE_A "@@ -9,3 +19,3 @@\n a\n-b\n+c\n d\n",
      " 9 │  a|19 │  a\n10 │ -b|20 │ +c\n11 │  d|21 │  d\n", " a\n+c\n d", 0 },
    { "more went than came", FILE_A "@@ -1,3 +1,2 @@\n-b\n-c\n+d\n e\n",
      "1 │ -b|1 │ +d\n2 │ -c|  │\n3 │  e|2 │  e\n", "+d\n e", 0 },
    { "more came than went", FILE_A "@@ -1,2 +1,3 @@\n-b\n+c\n+d\n e\n",
      "1 │ -b|1 │ +c\n  │|2 │ +d\n2 │  e|3 │  e\n", "+c\n+d\n e", 0 },
    { "a long line is as high on both sides", FILE_A "@@ -1 +1 @@\n-" FIFTY TEN TEN "\n+short\n",
      "1 │ -" FIFTY TEN "0123|1 │ +short\n  │  456789|  │\n", "+short", 0 },
    { "marks between", FILE_A "@@ -1 +1 @@\n-a\n+b\n@@ -8 +8 @@ f()\n-c\n+d\n",
      "1 │ -a|1 │ +b\n⋯   f()\n8 │ -c|8 │ +d\n", "+b\n⋯   f()\n+d", 0 },
    { "what is left out is counted in lines of the diff",
      FILE_A "@@ -1,4 +1,4 @@\n a\n-b\n+c\n d\n e\n",
      "1 │  a|1 │  a\n2 │ -b|2 │ +c\n… 2 more lines\n", " a\n+c\n… 2 more lines", 4 },
};

static void test_pairs(void **state)
{
    struct sf_page *page = *state;

    for (size_t i = 0; i < SF_COUNT(pairs); i++) {
        lay(page, 140, pairs[i].diff, pairs[i].max_lines, false);
        page_case_check(page, pairs[i].name);
        page_case_same(pairs[i].name, halves(page), pairs[i].want);
        page_case_same(pairs[i].name, page_case_copy(page), pairs[i].copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_cases, setup, teardown),
        cmocka_unit_test_setup_teardown(test_looks, setup, teardown),
        cmocka_unit_test_setup_teardown(test_long_lines, setup, teardown),
        cmocka_unit_test_setup_teardown(test_exact, setup, teardown),
        cmocka_unit_test_setup_teardown(test_every_cut, setup, teardown),
        cmocka_unit_test_setup_teardown(test_large, setup, teardown),
        cmocka_unit_test_setup_teardown(test_wide_pages, setup, teardown),
        cmocka_unit_test_setup_teardown(test_pairs, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
