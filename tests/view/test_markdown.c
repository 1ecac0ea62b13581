#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/page_case.h"
#include "support/test.h"
#include "view/markdown.h"

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

static void lay(struct sf_page *page, int width, const char *text)
{
    sf_page_reset(page, width);
    sf_markdown_lay(page, text, strlen(text), "", "", sf_look(SF_LOOK_TEXT));
}

static const struct {
    const char *name;
    int width;
    const char *text, *want;
} cases[] = {
    { "nothing", 40, "", "" },
    { "blank lines alone are nothing", 40, "\n\n  \n", "" },
    { "a paragraph with a line break", 40, "one\ntwo", "one\ntwo\n" },
    { "paragraphs stay apart", 40, "one\n\n\n\ntwo", "one\n\ntwo\n" },
    { "a paragraph is wrapped", 10, "one two three", "one two\nthree\n" },
    { "a heading has no mark", 40, "# Title\ntext", "Title\n\ntext\n" },
    { "closing marks of a heading go too", 40, "## Title ##", "Title\n" },
    { "an underlined heading", 40, "Title\n=====\ntext", "Title\n\ntext\n" },
    { "no heading without a space", 40, "#hash", "#hash\n" },
    { "emphasis loses its marks", 40, "*a* _b_ **c** __d__ ***e*** ~~f~~", "a b c d e f\n" },
    { "stars that mark nothing stay", 40, "2 * 3 * 4 and a_b_c", "2 * 3 * 4 and a_b_c\n" },
    { "escaped marks stay", 40, "\\*a\\* \\# \\`", "*a* # `\n" },
    { "inline code keeps what is in it", 40, "`*a* <b> &amp;`", "*a* <b> &amp;\n" },
    { "code with backticks in it", 40, "``a`b``", "a`b\n" },
    { "a hard break by spaces", 40, "a  \nb", "a\nb\n" },
    { "a hard break by a backslash", 40, "a\\\nb", "a\nb\n" },
    { "a hard break as a tag", 40, "a<br>b<br/>c<BR />d", "a\nb\nc\nd\n" },
    { "a link says its address", 60, "[the docs](https://example.com/a)",
      "the docs (https://example.com/a)\n" },
    { "a link that is its address says it once", 60, "[https://example.com](https://example.com)",
      "https://example.com\n" },
    { "without the scheme and the slash it is the same", 60, "[example.com](https://example.com/)",
      "example.com\n" },
    { "a link that lies shows where it leads", 60, "[https://good.example](https://bad.example)",
      "https://good.example (https://bad.example)\n" },
    { "a link's title", 60, "[a](b \"c &amp; d\")", "a (b \"c & d\")\n" },
    { "an address in angles", 60, "<https://example.com>", "https://example.com\n" },
    { "a mail address in angles", 60, "<a@b.example>", "a@b.example\n" },
    { "a bare address with marks in it", 60, "see https://example.com/a_b_c_d.",
      "see "
      "https://example.com/a_b_c_d.\n" },
    { "an empty link", 40, "[](x)", " (x)\n" },
    { "an image", 40, "![a cat](cat.png)", "[image: a cat (cat.png)]\n" },
    { "an image within a link", 60, "[![a](b)](c)", "[image: a (b)] (c)\n" },
    { "references stay as they are", 60, "see [it][1]\n\n[1]: https://example.com",
      "see [it][1]\n\n[1]: https://example.com\n" },
    { "a definition within a paragraph's lines", 60, "[a]: b\n[c]: d", "[a]: b\n[c]: d\n" },
    { "a footnote", 60, "a[^1]\n\n[^1]: note", "a[^1]\n\n[^1]: note\n" },
    { "a bullet list", 40, "- a\n- b", "• a\n• b\n" },
    { "all bullets are one", 40, "* a\n\n+ b", "• a\n\n• b\n" },
    { "a loose list has gaps", 40, "- a\n\n- b", "• a\n\n• b\n" },
    { "nested lists", 40, "- a\n  - b\n    - c\n- d", "• a\n  – b\n    – c\n• d\n" },
    { "an item is wrapped under its text", 12, "- one two three", "• one two\n  three\n" },
    { "an ordered list", 40, "1. a\n2. b", "1. a\n2. b\n" },
    { "it keeps its start and its sign", 40, "7) a\n8) b", "7) a\n8) b\n" },
    { "numbers stand right", 40, "9. a\n10. b", " 9. a\n10. b\n" },
    { "and text under text", 12, "9. one two three\n10. b", " 9. one two\n    three\n10. b\n" },
    { "a list in an ordered one", 40, "1. a\n   - b\n2. c", "1. a\n   – b\n2. c\n" },
    { "an ordered list in a list", 40, "- a\n  1. b\n  2. c", "• a\n  1. b\n  2. c\n" },
    { "an item with two paragraphs", 40, "- a\n\n  b\n- c", "• a\n\n  b\n\n• c\n" },
    { "lists that begin on one line", 40, "- - a\n  - b", "• – a\n  – b\n" },
    { "an empty item", 40, "- \n- b", "•\n• b\n" },
    { "tasks", 40, "- [ ] a\n- [x] b\n- [X] c", "☐ a\n☑ b\n☑ c\n" },
    { "code in an item", 40, "- a\n  ```\n  b\n\n  c\n  ```\n- d", "• a\n    b\n\n    c\n• d\n" },
    { "an item that is code", 40, "- ```\n  b\n  ```", "•\n    b\n" },
    { "code that should have stood in the item", 40, "1. a\n```\nb\n\nc\n```\n2. d",
      "1. a\n\n  b\n\n  c\n\n2. d\n" },
    { "a list behind a paragraph", 40, "Steps:\n- a\n- b", "Steps:\n\n• a\n• b\n" },
    { "a quote", 40, "> a\n> b", "│ a\n│ b\n" },
    { "a quote has its bar on every line", 8, "> one two three", "│ one\n│ two\n│ three\n" },
    { "a quote of two paragraphs", 40, "> a\n>\n> b", "│ a\n│\n│ b\n" },
    { "a quote in a quote", 40, "> a\n> > b", "│ a\n│\n│ │ b\n" },
    { "a list in a quote", 40, "> - a\n> - b", "│ • a\n│ • b\n" },
    { "a quote in a list", 40, "- > a", "•\n  │ a\n" },
    { "code in a quote", 40, "> ```\n> a\n> ```", "│   a\n" },
    { "two quotes stay two", 40, "> a\n\n> b", "│ a\n\n│ b\n" },
    { "a rule", 8, "a\n\n---\n\nb", "a\n\n────────\n\nb\n" },
    { "fenced code", 40, "```c\nint  a;\n\n\tb;\n```", "  int  a;\n\n      b;\n" },
    { "a fence of tildes", 40, "~~~\n```\n~~~", "  ```\n" },
    { "a longer fence holds a shorter one", 40, "````\n```\n````", "  ```\n" },
    { "an open fence goes to the end", 40, "```\na\n\n# b", "  a\n\n  # b\n" },
    { "an empty fence", 40, "```\n```", "\n" },
    { "an indented fence takes its indentation away", 40, "  ```\n  a\n    b\n  ```",
      "  a\n    b\n" },
    { "a fence between lines", 40, "a\n```\nb\n```\nc", "a\n\n  b\n\nc\n" },
    { "three backticks in a line are no fence", 40, "```a``` b", "a b\n" },
    { "indented code", 40, "a\n\n    b\n      c\n\n    d", "a\n\n  b\n    c\n\n  d\n" },
    { "long code is broken with a mark", 10, "```\nabcdefghijkl\n```", "  abcdefgh\n↪ ijkl\n" },
    { "a table", 40, "| a | bcd |\n|---|---|\n| ef | g |", "a   bcd\n──  ───\nef  g\n" },
    { "a table's alignment", 40, "|l|c|r|\n|:-|:-:|-:|\n|aaa|bbb|ccc|\n|d|e|f|",
      "l     c     r\n───  ───  ───\naaa  bbb  ccc\nd     e     f\n" },
    { "cells with marks in them", 40, "|a|b|\n|-|-|\n|**x**|`y|`|\n|[l](u)|a \\| b|",
      "a      b\n─────  ─────\nx      y|\nl (u)  a | b\n" },
    { "an escaped pipe in a cell's code", 40, "|a|\n|-|\n|`x\\|y`|", "a\n───\nx|y\n" },
    { "cells with breaks", 40, "|a|b|\n|-|-|\n|x<br>y|z|", "a  b\n─  ─\nx  z\ny\n" },
    { "rows with too few cells", 40, "|a|b|\n|-|-|\n|x|\n| |y|", "a  b\n─  ─\nx\n   y\n" },
    { "a table too wide is wrapped in its cells", 24,
      "|name|what it does|\n|-|-|\n|one|a long text that needs lines|",
      "name  what it does\n────  ──────────────────\none   a long text that\n      needs lines\n" },
    { "wide characters in a table", 40, "|a|b|\n|-|-|\n|日本|x|\n|y|z|",
      "a     b\n────  ─\n日本  x\ny     z\n" },
    { "a table with no room becomes records", 12,
      "|first|second|\n|-|-|\n|one two|three four|\n|five six|seven ei|",
      "first: one\ntwo\nsecond:\nthree four\n\nfirst: five\nsix\nsecond:\nseven ei\n" },
    { "a table in a quote", 40, "> |a|b|\n> |-|-|\n> |c|d|", "│ a  b\n│ ─  ─\n│ c  d\n" },
    { "a table in a list", 40, "- x\n\n  |a|b|\n  |-|-|\n  |c|d|",
      "• x\n\n  a  b\n  ─  ─\n  c  d\n" },
    { "a table's rule in code stays as it is", 40, "- x\n  ```\n  |a|\n  |-|\n  ```\n\n> -|:-",
      "• x\n    |a|\n    |-|\n\n│ -|:-\n" },
    { "pipes without a rule are text", 40, "| a | b |", "| a | b |\n" },
    { "entities", 60, "&lt;a&gt; &amp; &copy; &#65; &#x42; &rarr; &mdash;", "<a> & © A B → —\n" },
    { "unknown entities stay", 40, "&foo; &; &#; &#xz;", "&foo; &; &#; &#xz;\n" },
    { "entities cannot command", 40, "&#27;[31m &#x202e; &#0;",
      "␛[31m \xef\xbf\xbd \xef\xbf\xbd\n" },
    { "inline HTML is text", 40, "a <b>c</b> <!-- d -->", "a <b>c</b> <!-- d -->\n" },
    { "a block of HTML is text", 40, "<div>\n  a *b*\n</div>", "<div>\n  a *b*\n</div>\n" },
    { "controls are pictures", 40, "a \x1b[31m `\x07` \x7f", "a ␛[31m ␇ ␡\n" },
    { "controls in code", 40, "```\n\x1b]0;x\x07\n```", "  ␛]0;x␇\n" },
    { "the mark used within is nothing special", 40,
      "a\x01"
      "b",
      "a␁b\n" },
    { "carriage returns", 40, "# a\r\n\r\nb\r\n- c\r\n", "a\n\nb\n\n• c\n" },
    { "wide text wraps", 8, "日本語のテキスト", "日本語の\nテキスト\n" },
};

static void test_cases(void **state)
{
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        lay(*state, cases[i].width, cases[i].text);
        page_case_check(*state, cases[i].name);
        page_case_same(cases[i].name, page_case_text(*state), cases[i].want);
    }
}

static const struct {
    const char *name, *text, *want;
} looks[] = {
    { "plain", "a", "<text>a\n" },
    { "a heading", "# a *b*", "<heading,b>a <heading,b,i>b\n" },
    { "emphasis", "*a* **b** ***c***", "<text,i>a<text> <text,b>b<text> <text,b,i>c\n" },
    { "what no longer holds", "~~a~~ b", "<text,f>a<text> b\n" },
    { "inline code", "a `b`", "<text>a <code>b\n" },
    { "strong code", "**`b`**", "<code,b>b\n" },
    { "a link", "[a](b)", "<link>a<dim> (b)\n" },
    { "a bare address", "https://a.example x", "<link>https://a.example<text> x\n" },
    { "an image", "![a](b)", "<dim>[image: <link>a<dim> (b)]\n" },
    { "a list", "- a", "<dim>• <text>a\n" },
    { "a number", "1. a", "<dim>1. <text>a\n" },
    { "tasks", "- [x] a\n- [ ] b", "<success>☑ <text>a\n<dim>☐ <text>b\n" },
    { "a quote", "> a", "<quote>a\n" },
    { "a rule", "---", "<rule>────────────────────────────────\n" },
    { "code by its name", "```c\nint a = 1;\n```", "<type>int<code> a = <number>1<code>;\n" },
    { "code by a name with more behind it", "```rust,ignore\nlet a;\n```",
      "<keyword>let<code> a;\n" },
    { "code in a list by its name", "- x\n  ```py\n  pass\n  ```",
      "<dim>• <text>x\n<keyword>pass\n" },
    { "code nobody knows", "```nope\nint a;\n```", "<code>int a;\n" },
    { "a table's head", "|a|\n|-|\n|b|", "<text,b>a\n<rule>─\n<text>b\n" },
    { "a table's cells", "|a|\n|-|\n|`b`|", "<text,b>a\n<rule>─\n<code>b\n" },
};

static void test_looks(void **state)
{
    for (size_t i = 0; i < SF_COUNT(looks); i++) {
        lay(*state, 40, looks[i].text);
        page_case_check(*state, looks[i].name);
        page_case_same(looks[i].name, page_case_looks(*state), looks[i].want);
    }
}

static const struct {
    const char *name, *text, *want;
} leads[] = {
    { "a paragraph", "one two three four", "sf  one two\n    three four\n" },
    { "a list first", "- a\n- b", "sf  • a\n    • b\n" },
    { "code first", "```\na\nb\n```", "sf    a\n      b\n" },
    { "a quote first", "> a b c d e f", "sf  │ a b c d\n    │ e f\n" },
    { "a table first", "|a|b|\n|-|-|\n|c|d|", "sf  a  b\n    ─  ─\n    c  d\n" },
    { "a rule first", "---\na", "sf  ──────────\n\n    a\n" },
    { "HTML first", "<div>\na", "sf  <div>\n    a\n" },
};

static void test_leads(void **state)
{
    struct sf_page *page = *state;

    for (size_t i = 0; i < SF_COUNT(leads); i++) {
        sf_page_reset(page, 14);
        sf_markdown_lay(page, leads[i].text, strlen(leads[i].text), "sf  ", NULL,
                        sf_look(SF_LOOK_AGENT));
        page_case_check(page, leads[i].name);
        page_case_same(leads[i].name, page_case_text(page), leads[i].want);
        assert_int_equal(page->runs[page->lines[0].run].look.role, SF_LOOK_AGENT);
    }
}

static void test_copy_keeps_markers_and_drops_bars(void **state)
{
    lay(*state, 12, "> one two three\n\n- one two three\n- b\n\n```\na  b\n```");
    page_case_same("copy", page_case_copy(*state), "one two three\n\n• one two three\n• b\n\na  b");
}

/* ---- real-looking answers ---- */

static const char *const answers[] = {
    "The loop in `parse_range` stops one short. I will fix it.\n\n"
    "1. Change `<` to `<=`:\n\n   ```c\n   for (i = lo; i <= hi; i++)\n\n       use(i);\n   ```\n\n"
    "2. Add a test\n   - for one element\n   - for none\n\n   and run it.\n\n"
    "That is all.\n\n- loose\n\n- list\n\nDone: **48** tests pass.\n",
    "## Summary\n\n| File | Change | Why |\n|:-----|-------:|-----|\n| `src/a.c` | +1 −1 | the bound "
    "was wrong, and the message did not say so |\n| `tests/test_a.c` | +14 | covers it |\n\n"
    "> Note that this changes the *public* interface.\n>\n> > Really.\n\nSee "
    "[the guide](https://example.com/guide) or https://example.com/x_y_z.\n\n---\n\n"
    "```sh\nmake test\n\n# and then\nctest -R range\n```\nand so on\n```diff\n-a\n+b\n```\n",
    "これは日本語の段落です。長いので、何行かに折り返されます。「引用」もあります。\n\n"
    "* 一つ目\n* 二つ目 with **bold** text\n    * 三つ目\n\n    indented under the list\n\n"
    "Ünïcödé e\xcc\x81 and 👍 👨‍👩‍👧 end.\n\n\n\n    indented code\n\n    with a gap\n\n<details>\n<summary>x</summary>\n"
    "\ninside\n\n</details>\n\n[1]: https://example.com\n\n- [ ] a\n- [x] b\n",
    "Code:\n\n```c\nint a; /* a comment\n   ``` in it\n\n   goes on */ int b;\r\n\n/* and one\n"
    "   more */\nchar *c = \"text\";\n```\n\n  ~~~~ py\n  \"\"\"a\n    ~~~\n  b\"\"\" + 1\n\n ~~~~~\n"
    "behind it\n```html\n<a\n  b=\"c\">d</a>\n<!-- e\nf --> g\n",
    "Intro\n```\nunclosed\n\n\n# not a heading\n\n- not a list\n",
    "```\ra\r\n\r\nb\r\n```\r\n\r\nc\r\n\r\n> d\r\n\r\n\r\n1) e\r\n\r\n2) f\r\n\r\ng",
    "- a\n\n  ~~~\n  x\n\ny\n\n- b\n\n``` c ` d\n\n~~~ e\n\n~~~\n\n10. f\n\n    g\n\n* * *\n\nh\n",
};

static void lay_part(struct sf_page *page, const char *text, size_t len)
{
    sf_page_blank(page);
    sf_markdown_lay(page, text, len, "  ", "  ", sf_look(SF_LOOK_TEXT));
}

/* A part, which begins within code or outside of it. */
static void lay_any(struct sf_page *page, const char *text, size_t len,
                    const struct sf_markdown_code *code)
{
    if (code->on)
        sf_markdown_lay_code(page, text, len, code, "  ", sf_look(SF_LOOK_TEXT));
    else
        lay_part(page, text, len);
}

/* Lays the text out as it comes in, in steps; what is settled is laid out once. */
static char *lay_growing(const char *text, size_t step, size_t enough, int width)
{
    struct sf_page settled = SF_PAGE_INIT;
    struct sf_markdown_code code = { 0 };
    size_t len = strlen(text), done = 0;
    char *looks_of;

    sf_page_reset(&settled, width);
    for (size_t have = 0; have < len;) {
        size_t n;

        have = have + step < len ? have + step : len;
        do {
            struct sf_markdown_code begin = code;

            n = sf_markdown_split_code(text + done, have - done, enough, &code);
            if (!n && !code.on)
                n = sf_markdown_split(text + done, have - done, enough);
            assert_true(n <= have - done);
            if (n)
                lay_any(&settled, text + done, n, &begin);
            done += n;
        } while (n && done < have);
    }
    lay_any(&settled, text + done, len - done, &code);
    if (settled.count && !settled.lines[settled.count - 1].len)
        settled.count--;
    looks_of = page_case_looks(&settled);
    sf_page_release(&settled);
    return looks_of;
}

static void test_growing_text_looks_the_same(void **state)
{
    static const size_t steps[] = { 1, 2, 3, 7, 16, 50, 333 };
    static const size_t enough[] = { 1, 9, 40, SIZE_MAX };

    for (size_t i = 0; i < SF_COUNT(answers); i++)
        for (int width = 20; width <= 100; width += 40) {
            char *want;

            sf_page_reset(*state, width);
            lay_part(*state, answers[i], strlen(answers[i]));
            page_case_check(*state, "answer");
            want = page_case_looks(*state);
            for (size_t k = 0; k < SF_COUNT(steps) * SF_COUNT(enough); k++)
                page_case_same("growing",
                               lay_growing(answers[i], steps[k % SF_COUNT(steps)],
                                           enough[k / SF_COUNT(steps)], width),
                               want);
            free(want);
        }
}

/* Every prefix: what split says is settled stays as it is, whatever comes. */
static void test_every_cut(void **state)
{
    for (size_t i = 0; i < SF_COUNT(answers); i++) {
        const char *text = answers[i];
        size_t len = strlen(text), before = 0;
        char *want;

        sf_page_reset(*state, 60);
        lay_part(*state, text, len);
        want = page_case_looks(*state);
        for (size_t cut = 0; cut <= len; cut++) {
            size_t at = sf_markdown_split(text, cut, SIZE_MAX);

            assert_true(at >= before && at <= cut);
            if (at == before)
                continue;
            before = at;
            sf_page_reset(*state, 60);
            lay_part(*state, text, at);
            lay_part(*state, text + at, len - at);
            page_case_same("cut", page_case_looks(*state), want);
        }
        assert_true(before > 0);
        free(want);
    }
}

static const struct {
    const char *name, *text;
    size_t want;
} splits[] = {
    { "nothing", "", 0 },
    { "one paragraph", "a b c", 0 },
    { "a paragraph and its blank line", "a\n\n", 0 },
    { "a second one", "a\n\nb", 3 },
    { "the last place counts", "a\n\nb\n\nc", 6 },
    { "a list goes on", "- a\n\n- b", 0 },
    { "a list may go on", "- a\n\n-", 0 },
    { "a number may be an item", "1. a\n\n2", 0 },
    { "a list is over", "- a\n\nb", 5 },
    { "an item goes on", "- a\n\n  b", 0 },
    { "code goes on", "    a\n\n    b", 0 },
    { "a fence is open", "```\na\n\nb", 0 },
    { "a fence may not be one yet", "a\n```", 0 },
    { "a fence begins", "a\n```\n", 2 },
    { "a fence may not be closed yet", "```\na\n```", 0 },
    { "a fence is closed", "```\na\n```\nb", 10 },
    { "a table goes on", "|a|\n|-|\n|b|\n", 0 },
    { "a table is over", "|a|\n|-|\n\nx", 9 },
};

static void test_splits(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(splits); i++) {
        size_t got = sf_markdown_split(splits[i].text, strlen(splits[i].text), SIZE_MAX);

        if (got != splits[i].want)
            fail_msg("%s: got %zu, want %zu", splits[i].name, got, splits[i].want);
    }
}

static void test_any_width(void **state)
{
    char name[64];

    for (size_t i = 0; i < SF_COUNT(answers); i++)
        for (int width = 1; width <= 200; width++) {
            snprintf(name, sizeof(name), "answer %zu at %d", i, width);
            sf_page_reset(*state, width);
            lay_part(*state, answers[i], strlen(answers[i]));
            page_case_check(*state, name);
        }
}

/* ---- hostile texts ---- */

static const struct {
    const char *name, *head, *again, *tail;
} floods[] = {
    { "quotes in quotes", "", "> ", "a\n\nb" },
    { "lists in lists", "", "- ", "a\n\nb" },
    { "pipes", "", "|", "" },
    { "a table too wide to be one", "|a|b\n", "|-", "\n|c" },
    { "rows of nothing", "|a|b|\n|-|-|\n", "|\n", "" },
    { "stars", "", "*", "" },
    { "marks that never match", "", "*a _", "" },
    { "brackets", "", "[", "" },
    { "links that never end", "", "[a](", "" },
    { "backticks", "", "`a``", "" },
    { "comments that never end", "", "<!--", "" },
    { "addresses", "", "http://a.b ", "" },
    { "definitions", "", "[a]: b\n", "" },
    { "fences", "", "```\n", "" },
    { "an open fence", "```c\n", "/* \"", "" },
    { "one long line", "", "word ", "" },
    { "one long word", "", "x", "" },
    { "empty lines", "", "\n", "" },
    { "items", "", "1. a\n", "" },
    { "zero bytes' pictures", "", "&#0;", "" },
    { "marks on one letter", "a", "\xcc\x81", "" },
};

static void test_floods(void **state)
{
    enum { BYTES = 150000 };
    struct sf_strbuf text = SF_STRBUF_INIT;

    for (size_t i = 0; i < SF_COUNT(floods); i++) {
        sf_strbuf_reset(&text);
        sf_strbuf_adds(&text, floods[i].head);
        while (text.len < BYTES)
            sf_strbuf_adds(&text, floods[i].again);
        sf_strbuf_adds(&text, floods[i].tail);
        sf_page_reset(*state, 40);
        lay_part(*state, text.buf, text.len);
        page_case_check(*state, floods[i].name);
        assert_true(sf_markdown_split(text.buf, text.len, SIZE_MAX) <= text.len);
    }
    sf_strbuf_release(&text);
}

static void test_wide_table_is_shown_as_text(void **state)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    char *got;

    for (int i = 0; i < 40; i++)
        sf_strbuf_adds(&text, "|h");
    sf_strbuf_addch(&text, '\n');
    for (int i = 0; i < 40; i++)
        sf_strbuf_adds(&text, "|-");
    lay(*state, 200, text.buf);
    got = page_case_text(*state);
    assert_non_null(strstr(got, "|h|h|h"));
    assert_non_null(strstr(got, "|-|-|-"));
    free(got);
    sf_strbuf_release(&text);
}

/* ---- headings and panels ---- */

static const struct {
    const char *name;
    int width;
    const char *text, *want, *copy;
} blocks[] = {
    { "the highest heading has a rule", 60, "# One two\n\ntext", "One two\n───────\n\ntext\n",
      "One two\n\ntext" },
    { "not on a narrow page", 40, "# One\n", "One\n", "One" },
    { "nor have the others", 60, "## One\n### Two\n", "One\n\nTwo\n", "One\n\nTwo" },
    { "code has its language above", 60, "```c\nint a;\n```\n", "  c\n  int a;\n", "int a;" },
    { "none is named", 60, "```\nint a;\n```\n", "  int a;\n", "int a;" },
    { "as it was written", 60, "```{.Python}\nx\n```\n", "  Python\n  x\n", "x" },
    { "an unknown one too", 60, "```brainfog\nx\n```\n", "  brainfog\n  x\n", "x" },
    { "not on a narrow page", 40, "```c\nint a;\n```\n", "  int a;\n", "int a;" },
    { "within a list", 60, "- one\n\n  ```c\n  int a;\n  ```\n", "• one\n\n    c\n    int a;\n",
      "• one\n\nint a;" },
    { "prose ends before a wide page, a table does not", 120,
      "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
      "sixteen seventeen\n",
      "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
      "sixteen\nseventeen\n",
      "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
      "sixteen seventeen" },
};

static void test_blocks(void **state)
{
    for (size_t i = 0; i < SF_COUNT(blocks); i++) {
        lay(*state, blocks[i].width, blocks[i].text);
        page_case_check(*state, blocks[i].name);
        page_case_same(blocks[i].name, page_case_text(*state), blocks[i].want);
        page_case_same(blocks[i].name, page_case_copy(*state), blocks[i].copy);
    }
}

static const struct {
    const char *name, *text;
    int width;
    unsigned line, from, fill; /* of which line, and where the panel ends; 0: there is none */
} panels[] = {
    { "a line of code", "```c\nint a;\n```\n", 80, 1, 0, 80 },
    { "its language", "```c\nint a;\n```\n", 80, 0, 0, 80 },
    { "on a wide page", "```c\nint a;\n```\n", 180, 1, 0, 100 },
    { "a long line needs more",
      "```\n0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 "
      "0123456789 0123456789\n```\n",
      180, 0, 0, 180 },
    { "on a narrow page", "```c\nint a;\n```\n", 40, 0, 0, 0 },
    { "prose has none", "words\n", 80, 0, 0, 0 },
    { "within a list", "- one\n\n  ```c\n  int a;\n  ```\n", 80, 3, 2, 80 },
};

static void test_panels(void **state)
{
    struct sf_page *page = *state;
    struct sf_frame frame = SF_FRAME_INIT;

    for (size_t i = 0; i < SF_COUNT(panels); i++) {
        lay(page, panels[i].width, panels[i].text);
        sf_frame_resize(&frame, 1, panels[i].width);
        sf_page_draw(page, panels[i].line, sf_frame_area(&frame), 0, 0);
        for (int col = 0; col < panels[i].width; col++) {
            bool on = col >= (int)panels[i].from && col < (int)panels[i].fill;

            if ((sf_frame_cell(&frame, 0, col)->look.ground == SF_GROUND_PANEL) != on)
                fail_msg("%s: column %d", panels[i].name, col);
        }
    }
    sf_frame_release(&frame);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_cases, setup, teardown),
        cmocka_unit_test_setup_teardown(test_looks, setup, teardown),
        cmocka_unit_test_setup_teardown(test_leads, setup, teardown),
        cmocka_unit_test_setup_teardown(test_copy_keeps_markers_and_drops_bars, setup, teardown),
        cmocka_unit_test_setup_teardown(test_growing_text_looks_the_same, setup, teardown),
        cmocka_unit_test_setup_teardown(test_every_cut, setup, teardown),
        cmocka_unit_test_setup_teardown(test_splits, setup, teardown),
        cmocka_unit_test_setup_teardown(test_any_width, setup, teardown),
        cmocka_unit_test_setup_teardown(test_floods, setup, teardown),
        cmocka_unit_test_setup_teardown(test_wide_table_is_shown_as_text, setup, teardown),
        cmocka_unit_test_setup_teardown(test_blocks, setup, teardown),
        cmocka_unit_test_setup_teardown(test_panels, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
