/*
 * test_frame.c: what is drawn stays inside its area, wide characters are whole or not there, and no
 * control character ever gets into a cell.
 */
#include <string.h>

#include "support/frame_text.h"
#include "support/test.h"
#include "view/frame.h"

struct fixture {
    struct sf_frame frame;
    struct sf_strbuf text;
};

static int setup(void **state)
{
    struct fixture *f = sf_alloc(sizeof(*f));

    f->frame = (struct sf_frame)SF_FRAME_INIT;
    sf_strbuf_init(&f->text);
    sf_frame_resize(&f->frame, 4, 10);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    sf_frame_release(&f->frame);
    sf_strbuf_release(&f->text);
    free(f);
    return 0;
}

#define WITH_FRAME(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

static const struct sf_look plain = { .role = SF_LOOK_TEXT };
static const struct sf_look marked = { .role = SF_LOOK_MATCH, .attrs = SF_LOOK_BOLD };

static const char *row(struct fixture *f, int at)
{
    sf_strbuf_reset(&f->text);
    frame_row_text(&f->frame, at, &f->text);
    return f->text.buf;
}

/* Every wide cell has its half, every half its wide cell, every cell a character it may show. */
static void check_whole(const struct sf_frame *frame, const char *name)
{
    for (int r = 0; r < frame->rows; r++)
        for (int c = 0; c < frame->cols; c++) {
            const struct sf_cell *cell = sf_frame_cell(frame, r, c);
            bool half = c > 0 && sf_frame_cell(frame, r, c - 1)->width == 2;

            if ((cell->width == 0) != half || (cell->width && cell->points[0] < ' ') ||
                (cell->width == 2 && c + 1 == frame->cols) || cell->points[0] == 0x7f ||
                (cell->points[0] >= 0x80 && cell->points[0] < 0xa0))
                fail_msg("%s: the cell at %d,%d is broken", name, r, c);
        }
}

/* ---- putting text ---- */

static const struct {
    const char *name;
    int col;
    const char *text;
    int used;
    const char *want;
} puts_cases[] = {
    { "plain", 0, "hello", 5, "hello" },
    { "from a column on", 4, "abc", 3, "    abc" },
    { "cut at the edge", 6, "abcdef", 4, "      abcd" },
    { "beyond the edge", 10, "abc", 0, "" },
    { "before the edge", -1, "abc", 0, "" },
    { "nothing", 3, "", 0, "" },
    { "wide", 0, "漢字", 4, "漢字" },
    { "wide that just fits", 8, "漢", 2, "        漢" },
    { "wide cut in half is left out", 9, "漢", 0, "" },
    { "wide behind narrow, cut", 7, "a漢字", 3, "       a漢" },
    { "a mark belongs to its base", 0, "e\xcc\x81x", 2, "éx" },
    { "controls are pictures", 0, "a\033[1mb\a", 7, "a␛[1mb␇" },
    { "damage", 0,
      "a\xff"
      "b",
      3,
      "a\xef\xbf\xbd"
      "b" },
    { "bidi controls are seen", 0,
      "a\xe2\x80\xae"
      "b",
      3,
      "a\xef\xbf\xbd"
      "b" },
};

static void test_puts(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(puts_cases); i++) {
        int used;

        sf_frame_clear(&f->frame);
        used =
            sf_area_puts(sf_frame_area(&f->frame), 1, puts_cases[i].col, puts_cases[i].text, plain);
        if (used != puts_cases[i].used || strcmp(row(f, 1), puts_cases[i].want) != 0)
            fail_msg("%s: %d, '%s'", puts_cases[i].name, used, f->text.buf);
        check_whole(&f->frame, puts_cases[i].name);
        assert_string_equal(row(f, 0), "");
        assert_string_equal(row(f, 2), "");
    }
}

static void test_rows_outside(void **state)
{
    struct fixture *f = *state;
    struct sf_area area = sf_frame_area(&f->frame);

    assert_int_equal(sf_area_puts(area, -1, 0, "x", plain), 0);
    assert_int_equal(sf_area_puts(area, 4, 0, "x", plain), 0);
    sf_area_rule(area, -1, plain);
    sf_area_rule(area, 4, plain);
    sf_area_tint(area, -5, 0, 10, marked);
    sf_area_tint(area, 9, 0, 10, marked);
    for (int r = 0; r < 4; r++)
        assert_string_equal(row(f, r), "");
}

/* ---- half of a wide character overwritten ---- */

static const struct {
    const char *name;
    int col;
    const char *text, *want;
} halves[] = {
    { "its left half", 2, "x", "漢x 語" },
    { "its right half", 3, "x", "漢 x語" },
    { "two neighbours by a wide one", 1, "字", " 字 語" },
    { "all of it", 2, "xy", "漢xy語" },
};

static void test_halves(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(halves); i++) {
        struct sf_area area = sf_frame_area(&f->frame);

        sf_frame_clear(&f->frame);
        sf_area_puts(area, 0, 0, "漢字語", plain);
        sf_area_puts(area, 0, halves[i].col, halves[i].text, plain);
        if (strcmp(row(f, 0), halves[i].want) != 0)
            fail_msg("%s: '%s'", halves[i].name, f->text.buf);
        check_whole(&f->frame, halves[i].name);
    }
}

static void test_fill_over_halves(void **state)
{
    struct fixture *f = *state;
    struct sf_area area = sf_frame_area(&f->frame);

    sf_area_puts(area, 0, 0, "漢字語漢字", plain);
    sf_area_fill(sf_area_part(area, 0, 1, 1, 4), marked);
    assert_string_equal(row(f, 0), "      漢字");
    check_whole(&f->frame, "filled");
    assert_int_equal(sf_frame_cell(&f->frame, 0, 0)->look.role, SF_LOOK_TEXT);
    assert_int_equal(sf_frame_cell(&f->frame, 0, 4)->look.role, SF_LOOK_MATCH);
}

/* ---- cut, right, tint, box ---- */

static const struct {
    const char *name;
    int cols;
    const char *text, *want;
} cuts[] = {
    { "it fits", 5, "hello", "  hello" },
    { "it does not", 4, "hello", "  hel…" },
    { "one column", 1, "hello", "  …" },
    { "no column", 0, "hello", "" },
    { "less than none", -3, "hello", "" },
    { "wide ones", 4, "漢字語", "  漢…" },
    { "wide ones that fit", 6, "漢字語", "  漢字語" },
    { "more than the area has", 40, "0123456789", "  01234567" },
};

static void test_cut(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(cuts); i++) {
        sf_frame_clear(&f->frame);
        sf_area_put_cut(sf_frame_area(&f->frame), 0, 2, cuts[i].cols, cuts[i].text, plain);
        if (strcmp(row(f, 0), cuts[i].want) != 0)
            fail_msg("%s: '%s'", cuts[i].name, f->text.buf);
        check_whole(&f->frame, cuts[i].name);
    }
}

static void test_right(void **state)
{
    struct fixture *f = *state;
    struct sf_area area = sf_frame_area(&f->frame);

    assert_int_equal(sf_area_put_right(area, 0, "漢a", plain), 7);
    assert_string_equal(row(f, 0), "       漢a");
    assert_int_equal(sf_area_put_right(area, 1, "longer than ten", plain), 0);
    assert_string_equal(row(f, 1), "longer tha");
}

static void test_tint(void **state)
{
    struct fixture *f = *state;
    struct sf_area area = sf_frame_area(&f->frame);

    sf_area_puts(area, 0, 0, "abcdef", plain);
    sf_area_tint(area, 0, 2, 3, marked);
    for (int c = 0; c < 10; c++)
        assert_int_equal(sf_frame_cell(&f->frame, 0, c)->look.role,
                         c >= 2 && c < 5 ? SF_LOOK_MATCH : SF_LOOK_TEXT);
    assert_string_equal(row(f, 0), "abcdef");
}

static const struct {
    const char *name;
    int rows, cols;
    const char *title, *note;
    const char *want[4];
    int inner_rows, inner_cols;
} boxes[] = {
    { "plain", 3, 10, NULL, NULL, { "┌────────┐", "│        │", "└────────┘", "" }, 1, 6 },
    { "with a title", 3, 10, "ab", NULL, { "┌ ab ────┐", "│        │", "└────────┘", "" }, 1, 6 },
    { "a title too long",
      3,
      10,
      "abcdefghij",
      NULL,
      { "┌ abcde… ┐", "│        │", "└────────┘", "" },
      1,
      6 },
    { "a note too long",
      3,
      10,
      "ab",
      "nine",
      { "┌ ab ────┐", "│        │", "└────────┘", "" },
      1,
      6 },
    { "a note", 2, 10, NULL, "1", { "┌──── 1 ─┐", "└────────┘", "", "" }, 0, 6 },
    { "too small for one", 1, 10, "ab", NULL, { "", "", "", "" }, 1, 10 },
    { "too narrow for one", 4, 3, "ab", NULL, { "", "", "", "" }, 4, 3 },
};

static void test_box(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(boxes); i++) {
        struct sf_area inner;

        sf_frame_clear(&f->frame);
        inner =
            sf_area_box(sf_area_part(sf_frame_area(&f->frame), 0, 0, boxes[i].rows, boxes[i].cols),
                        boxes[i].title, boxes[i].note, plain);
        for (int r = 0; r < 4; r++)
            if (strcmp(row(f, r), boxes[i].want[r]) != 0)
                fail_msg("%s: row %d is '%s'", boxes[i].name, r, f->text.buf);
        assert_int_equal(inner.rows, boxes[i].inner_rows);
        assert_int_equal(inner.cols, boxes[i].inner_cols);
        check_whole(&f->frame, boxes[i].name);
    }
}

/* ---- areas ---- */

static void test_parts_never_grow(void **state)
{
    static const int wild[] = { -1000, -1, 0, 1, 3, 9, 10, 11, 1000 };
    struct fixture *f = *state;
    struct sf_area whole = sf_area_part(sf_frame_area(&f->frame), 1, 2, 2, 6);
    size_t n = SF_COUNT(wild);

    for (size_t i = 0; i < n * n * n * n; i++) {
        struct sf_area part = sf_area_part(whole, wild[i % n], wild[i / n % n], wild[i / n / n % n],
                                           wild[i / n / n / n]);

        assert_true(part.rows >= 0 && part.cols >= 0 && part.row >= 1 && part.col >= 2 &&
                    part.row + part.rows <= 3 && part.col + part.cols <= 8);
    }
}

static void test_take(void **state)
{
    struct fixture *f = *state;
    struct sf_area rest = sf_frame_area(&f->frame);
    struct sf_area top = sf_area_take_top(&rest, 1), bottom = sf_area_take_bottom(&rest, 2), more;

    assert_true(top.row == 0 && top.rows == 1 && bottom.row == 2 && bottom.rows == 2);
    assert_true(rest.row == 1 && rest.rows == 1);
    more = sf_area_take_bottom(&rest, 5);
    assert_true(more.row == 1 && more.rows == 1 && rest.rows == 0);
    more = sf_area_take_top(&rest, 5);
    assert_int_equal(more.rows, 0);
}

static void test_cursor(void **state)
{
    struct fixture *f = *state;
    struct sf_area part = sf_area_part(sf_frame_area(&f->frame), 1, 2, 2, 3);

    sf_area_cursor(part, 1, 2);
    assert_true(f->frame.cursor && f->frame.cursor_row == 2 && f->frame.cursor_col == 4);
    sf_area_cursor(part, 1, 3);
    assert_false(f->frame.cursor);
    sf_area_cursor(part, 1, 2);
    sf_frame_clear(&f->frame);
    assert_false(f->frame.cursor);
}

static void test_sizes(void **state)
{
    struct fixture *f = *state;

    sf_frame_resize(&f->frame, 0, 0);
    assert_int_equal(sf_area_puts(sf_frame_area(&f->frame), 0, 0, "x", plain), 0);
    assert_int_equal(sf_frame_cell(&f->frame, 0, 0)->points[0], ' ');
    sf_frame_resize(&f->frame, -5, 100000);
    assert_true(f->frame.rows == 0 && f->frame.cols == SF_FRAME_COLS);
    sf_frame_resize(&f->frame, 1, 1);
    sf_area_puts(sf_frame_area(&f->frame), 0, 0, "漢", plain);
    check_whole(&f->frame, "one cell");
}

/* Text of all kinds at all places, again and again over itself. */
static void test_everything_over_everything(void **state)
{
    static const char *const texts[] = { "abc",
                                         "漢字",
                                         "e\xcc\x81",
                                         "😀",
                                         "a漢b",
                                         "\t\033",
                                         "\xf0\x9f\x87\xa9\xf0\x9f\x87\xaa",
                                         "\xe1\x84\x80\xe1\x85\xa1\xe1\x86\xa8" };
    struct fixture *f = *state;
    uint32_t seed = 1;

    for (int i = 0; i < 20000; i++) {
        struct sf_area area = sf_frame_area(&f->frame);

        seed = seed * 1664525 + 1013904223;
        area = sf_area_part(area, 0, (int)(seed >> 28), 4, (int)(seed >> 24 & 15));
        sf_area_puts(area, (int)(seed >> 20 & 3), (int)(seed >> 12 & 15), texts[seed >> 8 & 7],
                     seed & 128 ? plain : marked);
        check_whole(&f->frame, texts[seed >> 8 & 7]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FRAME(test_puts),
        WITH_FRAME(test_rows_outside),
        WITH_FRAME(test_halves),
        WITH_FRAME(test_fill_over_halves),
        WITH_FRAME(test_cut),
        WITH_FRAME(test_right),
        WITH_FRAME(test_tint),
        WITH_FRAME(test_box),
        WITH_FRAME(test_parts_never_grow),
        WITH_FRAME(test_take),
        WITH_FRAME(test_cursor),
        WITH_FRAME(test_sizes),
        WITH_FRAME(test_everything_over_everything),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
