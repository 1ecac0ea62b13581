#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/frame_text.h"
#include "support/page_case.h"
#include "support/test.h"
#include "view/page.h"

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

static void lay(struct sf_page *page, int width, const char *first, const char *rest,
                const char *text, bool keep)
{
    sf_page_reset(page, width);
    sf_page_begin(page, first, rest, sf_look(SF_LOOK_DIM), keep);
    sf_page_adds(page, text, sf_look(SF_LOOK_TEXT));
    sf_page_end(page);
}

static const struct {
    const char *name;
    int width;
    const char *first, *rest, *text, *want;
    bool keep;
} breaks[] = {
    { "nothing is an empty line", 10, "", "", "", "\n", false },
    { "what fits stays", 10, "", "", "one two", "one two\n", false },
    { "words go to the next line whole", 10, "", "", "one two three", "one two\nthree\n", false },
    { "a full line is not too long", 7, "", "", "one two three", "one two\nthree\n", false },
    { "several spaces fall away at a break", 7, "", "", "one two    three", "one two\nthree\n",
      false },
    { "spaces hang over the edge", 7, "", "", "one two    ", "one two\n", false },
    { "a word longer than the line is cut", 5, "", "", "abcdefghijkl", "abcde\nfghij\nkl\n",
      false },
    { "and begins on a line of its own", 5, "", "", "a bcdefghij", "a\nbcdef\nghij\n", false },
    { "indentation stays", 20, "", "", "  two in", "  two in\n", false },
    { "code breaks anywhere", 5, "", "", "ab cd ef", "ab cd\n ef\n", true },
    { "code keeps its spaces", 20, "", "", "a   b  ", "a   b\n", true },
    { "newlines end lines", 10, "", "", "a\nb\n\nc", "a\nb\n\nc\n", false },
    { "carriage returns before them go", 10, "", "", "a\r\nb", "a\nb\n", false },
    { "the first lead and the rest", 8, "- ", "  ", "one two three", "- one\n  two\n  three\n",
      false },
    { "the rest is spaces unless said", 8, "sf ", NULL, "one two", "sf one\n   two\n", false },
    { "a bar leads every line", 8, "│ ", "│ ", "one two three", "│ one\n│ two\n│ three\n", false },
    { "tabs go to the next stop", 20, "", "", "a\tb\tc", "a   b   c\n", true },
    { "a tab at a stop goes to the next", 20, "", "", "abcd\te", "abcd    e\n", true },
    { "tabs count from the line's start", 20, "", "", "abc\n\tx", "abc\n    x\n", true },
    { "tabs count wide characters", 20, "", "", "日\tb", "日  b\n", true },
    { "wide characters may part", 6, "", "", "日本語文字", "日本語\n文字\n", false },
    { "half a wide character never shows", 5, "", "", "日本語", "日本\n語\n", false },
    { "a full stop stays with its word", 6, "", "", "日本語。文", "日本\n語。文\n", false },
    { "an opening bracket goes with the next", 6, "", "", "日本「語」", "日本\n「語」\n", false },
    { "wide and narrow part", 5, "", "", "日本abc", "日本\nabc\n", false },
    { "marks stay with their letter", 3, "", "",
      "e\xcc\x81"
      "e\xcc\x81"
      "e\xcc\x81"
      "e\xcc\x81",
      "ééé\né\n", true },
    { "emoji are wide", 4, "", "", "👍👍👍", "👍👍\n👍\n", false },
    { "jamo that do not compose are cut like letters", 4, "", "",
      "\xe1\x84\x80\xe1\x84\x80\xe1\x84\x80", "\xe1\x84\x80\xe1\x84\x80\n\xe1\x84\x80\n", true },
    { "escapes become pictures", 20, "", "", "\x1b[31mred", "␛[31mred\n", false },
    { "hidden text is shown to be there", 20, "", "",
      "a\xe2\x80\xae"
      "b",
      "a\xef\xbf\xbd"
      "b\n",
      false },
    { "damage is replaced", 20, "", "",
      "a\xff"
      "b",
      "a\xef\xbf\xbd"
      "b\n",
      false },
    { "a lead leaves room for text", 8, "          ", "          ", "abcdef", "    abcd\n    ef\n",
      false },
    { "a lead is made safe", 20, "\x1b> ", "> ", "a", "␛> a\n", false },
    { "one column is enough", 1, "> ", "> ", "abc", "a\nb\nc\n", false },
};

static void test_breaks(void **state)
{
    for (size_t i = 0; i < SF_COUNT(breaks); i++) {
        lay(*state, breaks[i].width, breaks[i].first, breaks[i].rest, breaks[i].text,
            breaks[i].keep);
        page_case_check(*state, breaks[i].name);
        page_case_same(breaks[i].name, page_case_text(*state), breaks[i].want);
    }
}

static const char sample[] =
    "The quick brown fox: 日本語のテキスト、テスト。 jumps over\tthe lazy dog.\n\n"
    "  indented   text with    gaps and_a_very_long_word_that_never_ends_at_all 👍👍🏽 e\xcc\x81 e\n"
    "\x1b]0;title\x07 \xff\xfe plain \xe1\x84\x80\xe1\x84\x80\xe1\x85\xa1 end";

/* What is seen of a text: no spaces. */
static char *seen(const char *text)
{
    struct sf_strbuf out = SF_STRBUF_INIT;

    for (; *text; text++)
        if (*text != ' ' && *text != '\n' && *text != '\t')
            sf_strbuf_addch(&out, *text);
    return sf_strbuf_detach(&out);
}

static void test_any_width_keeps_all(void **state)
{
    struct sf_strbuf safe = SF_STRBUF_INIT;
    char *want, *copy, name[64];

    sf_text_sanitize(&safe, sample, strlen(sample), SF_TEXT_NEWLINES | SF_TEXT_TABS);
    want = seen(safe.buf);
    sf_strbuf_release(&safe);
    for (int width = 1; width <= 200; width++)
        for (int keep = 0; keep < 2; keep++) {
            snprintf(name, sizeof(name), "width %d, keep %d", width, keep);
            lay(*state, width, "• ", "│ ", sample, keep);
            page_case_check(*state, name);
            copy = page_case_copy(*state);
            page_case_same(name, seen(copy), want);
            free(copy);
        }
    free(want);
}

static void test_code_is_copied_as_it_is(void **state)
{
    static const char code[] = "  if (a)   b();\n\n    return  x;  ";

    for (int width = 4; width <= 40; width++) {
        lay(*state, width, "  ", "  ", code, true);
        page_case_same("code", page_case_copy(*state), code);
    }
}

static void test_paragraphs_are_copied_without_breaks(void **state)
{
    static const char text[] = "one two three four five six seven\neight nine";

    for (int width = 9; width <= 40; width++) {
        lay(*state, width, "> ", "> ", text, false);
        page_case_same("paragraph", page_case_copy(*state), text);
    }
}

static void test_copy_of_a_part(void **state)
{
    struct sf_page *page = *state;
    static const struct {
        size_t from, to;
        int from_col, to_col;
        const char *want;
    } cases[] = {
        { 0, 0, 2, 5, "one" },
        { 0, 0, 0, 5, "one" },
        { 0, 1, 6, 5, "two thr" },
        { 1, 1, 2, 4, "th" },
        { 0, 1, 2, 99, "one two three" },
        { 0, 0, 5, 5, "" },
        { 0, 0, -3, 4, "on" },
        { 0, 9, 2, 9, "one two three" },
    };

    lay(page, 9, "> ", "> ", "one two three", false);
    assert_int_equal(page->count, 2);
    assert_true(page->lines[1].soft && page->lines[1].spaced);
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_strbuf out = SF_STRBUF_INIT;

        sf_page_copy(page, cases[i].from, cases[i].from_col, cases[i].to, cases[i].to_col, &out);
        page_case_same("part", sf_strbuf_detach(&out), cases[i].want);
    }
}

static void test_looks(void **state)
{
    struct sf_page *page = *state;

    sf_page_reset(page, 9);
    sf_page_begin(page, "> ", "> ", sf_look(SF_LOOK_DIM), false);
    sf_page_adds(page, "one ", sf_look(SF_LOOK_TEXT));
    sf_page_adds(page, "two three", sf_look_with(SF_LOOK_CODE, SF_LOOK_BOLD));
    sf_page_adds(page, "", sf_look(SF_LOOK_LINK));
    sf_page_adds(page, " x", sf_look_with(SF_LOOK_CODE, SF_LOOK_BOLD));
    sf_page_end(page);
    page_case_check(page, "looks");
    page_case_same("looks", page_case_looks(page), "<text>one <code,b>two\n<code,b>three x\n");
    assert_int_equal(page->runs[page->lines[0].run].look.role, SF_LOOK_DIM);
    assert_int_equal(page->lines[0].lead, 2);
}

/* The anchor is the line on which what follows it begins, wherever the breaks fall. */
static void test_anchor(void **state)
{
    static const struct {
        int width;
        size_t line;
    } rows[] = { { 80, 2 }, { 4, 3 }, { 2, 5 } };
    struct sf_page *page = *state;

    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        sf_page_reset(page, rows[i].width);
        sf_page_line(page, "head", 4, sf_look(SF_LOOK_TEXT));
        sf_page_begin(page, "", NULL, sf_look(SF_LOOK_TEXT), true);
        sf_page_adds(page, "abcdef\nxy", sf_look(SF_LOOK_TEXT));
        sf_page_anchor(page);
        sf_page_adds(page, "rm", sf_look(SF_LOOK_ERROR));
        sf_page_end(page);
        assert_int_equal(page->anchor, rows[i].line);
    }
}

/* Marks have a look of their own, and an underlined part goes on under them. */
static void test_exact(void **state)
{
    struct sf_page *page = *state;
    const struct sf_exact text = { .text = "a\tb\xc2\xa0", .len = 5, .end = 5 };

    sf_page_reset(page, 40);
    sf_page_begin(page, "", NULL, sf_look(SF_LOOK_TEXT), true);
    sf_page_add_exact(page, text, sf_look_with(SF_LOOK_ERROR, SF_LOOK_UNDERLINE));
    sf_page_end(page);
    page_case_same("exact", page_case_looks(page),
                   "<error,u>a<dim,u>→  <error,u>b<warning,u,r>⟨U+00A0⟩\n");
}

static void test_blank_lines(void **state)
{
    struct sf_page *page = *state;

    sf_page_reset(page, 20);
    sf_page_blank(page);
    assert_int_equal(page->count, 0);
    sf_page_line(page, "a", 1, sf_look(SF_LOOK_TEXT));
    sf_page_blank(page);
    sf_page_blank(page);
    sf_page_line(page, "b", 1, sf_look(SF_LOOK_TEXT));
    page_case_same("blank", page_case_text(page), "a\n\nb\n");
}

static void test_line_is_cut(void **state)
{
    struct sf_page *page = *state;

    sf_page_reset(page, 5);
    sf_page_line(page, "abcde", 5, sf_look(SF_LOOK_TEXT));
    sf_page_line(page, "abcdef", 6, sf_look(SF_LOOK_TEXT));
    sf_page_line(page, "a\nb\t\x1b", 5, sf_look(SF_LOOK_TEXT));
    sf_page_line(page, "日本語", strlen("日本語"), sf_look(SF_LOOK_TEXT));
    page_case_check(page, "line");
    page_case_same("line", page_case_text(page), "abcde\nabcd…\na b ␛\n日本…\n");
}

static void test_draw(void **state)
{
    struct sf_page *page = *state;
    struct sf_frame frame = SF_FRAME_INIT;
    struct sf_strbuf row = SF_STRBUF_INIT;

    lay(page, 9, "> ", "> ", "日本 x", false);
    sf_frame_resize(&frame, 1, 12);
    assert_int_equal(sf_page_draw(page, 0, sf_frame_area(&frame), 0, 1), 8);
    frame_row_text(&frame, 0, &row);
    assert_string_equal(row.buf, " > 日本 x");
    assert_int_equal(sf_frame_cell(&frame, 0, 1)->look.role, SF_LOOK_DIM);
    assert_int_equal(sf_frame_cell(&frame, 0, 3)->look.role, SF_LOOK_TEXT);
    sf_strbuf_release(&row);
    sf_frame_release(&frame);
}

static void test_ceiling(void **state)
{
    enum { CHUNK = 1 << 20 };
    struct sf_page *page = *state;
    char *chunk = malloc(CHUNK);
    size_t count;

    memset(chunk, '\n', CHUNK);
    sf_page_reset(page, 40);
    for (int i = 0; i < SF_PAGE_BYTES_MAX / CHUNK; i++) {
        sf_page_begin(page, "", "", sf_look(SF_LOOK_DIM), true);
        sf_page_add(page, chunk, CHUNK, sf_look(SF_LOOK_TEXT));
        sf_page_end(page);
    }
    count = page->count;
    assert_true(count * sizeof(*page->lines) < 2 * (size_t)SF_PAGE_BYTES_MAX);
    assert_non_null(strstr(page->text.buf, "too long to show"));
    sf_page_line(page, "more", 4, sf_look(SF_LOOK_TEXT));
    sf_page_blank(page);
    assert_int_equal(page->count, count);
    free(chunk);
    sf_page_reset(page, 40);
    sf_page_line(page, "again", 5, sf_look(SF_LOOK_TEXT));
    page_case_same("again", page_case_text(page), "again\n");
}

/* A paragraph larger than the ceiling leaves words, not nothing. */
static void test_too_large_at_once(void **state)
{
    struct sf_page *page = *state;
    size_t len = (size_t)SF_PAGE_BYTES_MAX + 1;
    char *text = malloc(len);

    memset(text, 'x', len);
    sf_page_reset(page, 40);
    sf_page_begin(page, "", "", sf_look(SF_LOOK_DIM), true);
    sf_page_add(page, text, len, sf_look(SF_LOOK_TEXT));
    sf_page_end(page);
    page_case_same("too large", page_case_text(page), "\n… the rest is too long to show\n");
    free(text);
}

static void test_many_tabs_on_one_line(void **state)
{
    enum { TABS = 1 << 18 };
    char *text = malloc(2 * TABS + 1);

    for (size_t i = 0; i < TABS; i++)
        memcpy(text + 2 * i, "a\t", 2);
    text[(size_t)2 * TABS] = '\0';
    lay(*state, 80, "", "", text, true);
    assert_int_equal(((struct sf_page *)*state)->count, TABS * SF_PAGE_TAB / 80 + 1);
    free(text);
}

/* ---- wide pages ---- */

static size_t widest(const struct sf_page *page)
{
    size_t most = 0;

    for (size_t i = 0; i < page->count; i++) {
        size_t width = sf_text_width(page->text.buf + page->lines[i].at, page->lines[i].len);

        most = width > most ? width : most;
    }
    return most;
}

static void add_words(struct sf_strbuf *out, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sf_strbuf_adds(out, i ? " word" : "word");
}

static const struct {
    const char *name, *lead;
    int width;
    bool keep;
    size_t want; /* columns of the widest line */
} measures[] = {
    { "prose fills a narrow page", "", 60, false, 59 },
    { "and one of a hundred columns", "", 100, false, 99 },
    { "but no wider one", "", 200, false, 99 },
    { "its lead counts", "      ", 200, false, 100 },
    { "code fills any", "", 200, true, 200 },
    { "a deep lead leaves room",
      "                                                            "
      "                    ",
      200, false, 129 },
};

static void test_prose_ends_in_time(void **state)
{
    struct sf_page *page = *state;
    struct sf_strbuf text = SF_STRBUF_INIT, copy = SF_STRBUF_INIT;

    add_words(&text, 200);
    for (size_t i = 0; i < SF_COUNT(measures); i++) {
        lay(page, measures[i].width, measures[i].lead, NULL, text.buf, measures[i].keep);
        page_case_check(page, measures[i].name);
        if (widest(page) != measures[i].want)
            fail_msg("%s: %zu columns", measures[i].name, widest(page));
        sf_strbuf_reset(&copy);
        sf_page_copy(page, 0, 0, page->count - 1, 400, &copy);
        assert_string_equal(copy.buf, text.buf);
    }
    sf_strbuf_release(&copy);
    sf_strbuf_release(&text);
}

static void test_ornaments_are_not_copied(void **state)
{
    struct sf_page *page = *state;

    sf_page_reset(page, 60);
    for (int i = 0; i < 4; i++) {
        sf_page_begin(page, "  ", NULL, sf_look(SF_LOOK_DIM), true);
        page->ornament = i % 2 == 0;
        sf_page_adds(page, i % 2 ? "text" : "----", sf_look(SF_LOOK_TEXT));
        sf_page_end(page);
    }
    page_case_same("shown", page_case_text(page), "  ----\n  text\n  ----\n  text\n");
    page_case_same("copied", page_case_copy(page), "text\ntext");
}

/* The ground begins within the lead and goes on behind the text. */
static void test_ground(void **state)
{
    struct sf_page *page = *state;
    struct sf_frame frame = SF_FRAME_INIT;

    sf_page_reset(page, 20);
    sf_page_begin(page, "1234", "    ", sf_look(SF_LOOK_DIM), true);
    sf_page_ground(page, SF_GROUND_PANEL, 2, 12);
    sf_page_adds(page, "ab\nlonger than 12", sf_look(SF_LOOK_CODE));
    sf_page_end(page);
    sf_frame_resize(&frame, 2, 20);
    for (int row = 0; row < 2; row++)
        sf_page_draw(page, (size_t)row, sf_frame_area(&frame), row, 0);
    for (int row = 0; row < 2; row++)
        for (int col = 0; col < 20; col++) {
            bool on = col >= 2 && col < (row ? 18 : 12);

            if (sf_frame_cell(&frame, row, col)->look.ground != (on ? SF_GROUND_PANEL : 0))
                fail_msg("row %d, column %d", row, col);
        }
    sf_frame_release(&frame);
}

static void lay_side(struct sf_page *page, const char *first, const char *second)
{
    const char *const lines[] = { first, second };

    sf_page_reset(page, 8);
    for (int i = 0; i < 2; i++) {
        sf_page_begin(page, "| ", NULL, sf_look(SF_LOOK_DIM), true);
        page->ornament = !*lines[i];
        sf_page_adds(page, lines[i], sf_look(SF_LOOK_CODE));
        sf_page_end(page);
    }
}

static const struct {
    const char *name;
    int from_line, from_col, to_line, to_col;
    const char *want;
} selections[] = {
    { "all of it is the new text", 0, 0, 1, 40, "new\nmore" },
    { "from within the left one", 0, 3, 1, 40, "old" },
    { "a part of the left one", 0, 4, 0, 5, "l" },
    { "a part of the right one", 0, 14, 1, 15, "ew\nmo" },
};

static void test_two_texts(void **state)
{
    struct sf_page *page = *state, left = SF_PAGE_INIT, right = SF_PAGE_INIT;
    struct sf_strbuf out = SF_STRBUF_INIT;
    int from = 0, to = 40;

    lay_side(&left, "old", "");
    lay_side(&right, "new", "more");
    sf_page_reset(page, 40);
    sf_page_beside(page, " ", &left, &right);
    page_case_check(page, "two texts");
    page_case_same("shown", page_case_text(page), " | old     | new\n |         | more\n");
    for (size_t i = 0; i < SF_COUNT(selections); i++) {
        sf_strbuf_reset(&out);
        sf_page_copy(page, (size_t)selections[i].from_line, selections[i].from_col,
                     (size_t)selections[i].to_line, selections[i].to_col, &out);
        if (strcmp(out.buf, selections[i].want) != 0)
            fail_msg("%s: %s", selections[i].name, out.buf);
    }
    assert_true(sf_page_is_left(page, 0, 3) && !sf_page_is_left(page, 0, 12));
    sf_page_clip(page, 0, false, &from, &to);
    assert_true(from == 11 && to == 40);
    sf_strbuf_release(&out);
    sf_page_release(&left);
    sf_page_release(&right);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_breaks, setup, teardown),
        cmocka_unit_test_setup_teardown(test_any_width_keeps_all, setup, teardown),
        cmocka_unit_test_setup_teardown(test_code_is_copied_as_it_is, setup, teardown),
        cmocka_unit_test_setup_teardown(test_paragraphs_are_copied_without_breaks, setup, teardown),
        cmocka_unit_test_setup_teardown(test_copy_of_a_part, setup, teardown),
        cmocka_unit_test_setup_teardown(test_looks, setup, teardown),
        cmocka_unit_test_setup_teardown(test_anchor, setup, teardown),
        cmocka_unit_test_setup_teardown(test_exact, setup, teardown),
        cmocka_unit_test_setup_teardown(test_blank_lines, setup, teardown),
        cmocka_unit_test_setup_teardown(test_line_is_cut, setup, teardown),
        cmocka_unit_test_setup_teardown(test_draw, setup, teardown),
        cmocka_unit_test_setup_teardown(test_ceiling, setup, teardown),
        cmocka_unit_test_setup_teardown(test_too_large_at_once, setup, teardown),
        cmocka_unit_test_setup_teardown(test_many_tabs_on_one_line, setup, teardown),
        cmocka_unit_test_setup_teardown(test_prose_ends_in_time, setup, teardown),
        cmocka_unit_test_setup_teardown(test_ornaments_are_not_copied, setup, teardown),
        cmocka_unit_test_setup_teardown(test_ground, setup, teardown),
        cmocka_unit_test_setup_teardown(test_two_texts, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
