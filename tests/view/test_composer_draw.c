/*
 * The composer on screen, as text: wrapping, scrolling, chips, the cursor, looks and clicks, from
 * one cell to wide areas. "|" marks the cursor: it stands in front of its cell.
 */
#include <string.h>

#include "base/base.h"
#include "support/compose.h"
#include "support/frame_text.h"
#include "support/test.h"

struct fixture {
    struct sf_composer *composer;
    struct sf_frame frame;
};

static int setup(void **state)
{
    static struct fixture f;

    f = (struct fixture){ sf_composer_new(), SF_FRAME_INIT };
    *state = &f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    sf_composer_free(f->composer);
    sf_frame_release(&f->frame);
    return 0;
}

static void draw(struct fixture *f, int rows, int cols)
{
    sf_frame_resize(&f->frame, rows, cols);
    sf_composer_draw(f->composer, sf_frame_area(&f->frame), "› ", sf_look(SF_LOOK_ACCENT),
                     "say something");
}

/* The bytes of the row's text in front of the column. */
static size_t bytes_before(const struct sf_frame *frame, int row, int col)
{
    size_t bytes = 0;
    char out[4];

    for (int i = 0; i < col; i++) {
        const struct sf_cell *cell = sf_frame_cell(frame, row, i);

        for (int p = 0; cell->width && p < SF_CELL_POINTS && cell->points[p]; p++)
            bytes += sf_utf8_encode(cell->points[p], out);
    }
    return bytes;
}

static void picture(const struct sf_frame *frame, struct sf_strbuf *out)
{
    for (int row = 0; row < frame->rows; row++) {
        size_t start = out->len;

        frame_row_text(frame, row, out);
        if (frame->cursor && frame->cursor_row == row) {
            size_t at = bytes_before(frame, row, frame->cursor_col);

            if (out->len - start < at)
                sf_strbuf_fill(out, ' ', at - (out->len - start));
            sf_strbuf_splice(out, start + at, 0, "|", 1);
        }
        sf_strbuf_addch(out, '\n');
    }
}

static const struct {
    const char *name, *script;
    int rows, cols;
    const char *want;
} cases[] = {
    { "empty", "", 1, 20, "› |say something\n" },
    { "empty and narrow", "", 1, 8, "› |say s…\n" },
    { "empty and very narrow", "", 1, 3, "|sa…\n" },
    { "one cell", "", 1, 1, "|…\n" },
    { "a line", "hello", 1, 20, "› hello|\n" },
    { "the cursor inside", "hello<left*2>", 1, 20, "› hel|lo\n" },
    { "two lines are indented alike", "one\ntwo", 3, 20, "› one\n  two|\n\n" },
    { "an empty line between", "a\n\nb", 3, 20, "› a\n\n  b|\n" },
    { "a newline at the end", "a\n", 2, 20, "› a\n  |\n" },
    { "broken at a space", "one two three", 3, 10, "› one two\n  three|\n\n" },
    { "a word longer than the row", "abcdefghijkl", 3, 8, "› abcdef\n  ghijkl\n  |\n" },
    { "the edge itself", "abcdef", 2, 8, "› abcdef\n  |\n" },
    { "the edge, the cursor elsewhere", "abcdef<left>", 2, 8, "› abcde|f\n\n" },
    { "the edge with a line below", "abcdef\nx<up><end>", 3, 8, "› abcdef\n  |\n  x\n" },
    { "a space over the edge", "abcdef ", 2, 8, "› abcdef\n  |\n" },
    { "a space over the edge, then a word", "abcdef g", 2, 8, "› abcdef\n  g|\n" },
    { "two spaces over the edge", "abcdef  ", 2, 8, "› abcdef\n   |\n" },
    { "wide characters", "漢字仮名", 3, 8, "› 漢字仮\n  名|\n\n" },
    { "a wide character that does not fit", "abcde漢", 2, 8, "› abcde\n  漢|\n" },
    { "the cursor before a wide character", "漢字<left>", 1, 10, "› 漢|字\n" },
    { "words and wide characters", "ab 漢字 cd", 3, 8, "› ab 漢\n  字 cd|\n\n" },
    { "marks take no room", "e\xcc\x81g", 1, 10, "› ég|\n" },
    { "tabs", "a\tb", 1, 20, "› a   b|\n" },
    { "tabs by column", "\tabc\td", 1, 20, "›     abc d|\n" },
    { "a chip", "see <chip> ok", 1, 40, "› see [paste 1: 9 lines] ok|\n" },
    { "two chips", "<chip> <chip>", 1, 60, "› [paste 1: 9 lines] [paste 2: 9 lines]|\n" },
    { "a chip is not broken", "see this <chip>", 3, 24, "› see this\n  [paste 1: 9 lines]|\n\n" },
    { "a chip wider than the row", "a<chip>b", 4, 10, "› a\n  [paste …\n  b|\n\n" },
    { "numbers go on", "<chip><kill-word>x<chip>", 1, 40, "› x[paste 2: 9 lines]|\n" },
    { "and begin anew", "<chip><clear><chip>", 1, 40, "› [paste 1: 9 lines]|\n" },
    { "scrolled to the cursor", "1\n2\n3\n4\n5", 3, 10, "  3\n  4\n  5|\n" },
    { "with hints", "1\n2\n3\n4\n5\n6", 4, 14, "  ↑ 3 more\n  4\n  5\n  6|\n" },
    { "hints on both sides", "1\n2\n3\n4\n5\n6\n7<up*3>", 4, 14,
      "  ↑ 2 more\n  3\n  4|\n  ↓ 3 more\n" },
    { "a hint below", "1\n2\n3\n4\n5\n6<first>", 4, 14, "› |1\n  2\n  3\n  ↓ 3 more\n" },
    { "no prompt in two columns", "abc", 2, 3, "abc\n|\n" },
    { "one column", "ab", 3, 1, "a\nb\n|\n" },
    { "a wide character in one column", "漢", 2, 1, "\n|\n" },
    { "controls never reach a cell", "<set:a\x1b]0;x\x07z>", 1, 20, "› a]0;xz|\n" },
    { "hidden characters are shown",
      "a\xe2\x80\xae"
      "b",
      1, 20, "› a�b|\n" },
};

static void test_pictures(void **state)
{
    struct fixture *f = *state;
    int wrong = 0;

    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_strbuf got = SF_STRBUF_INIT;

        sf_composer_free(f->composer);
        f->composer = sf_composer_new();
        compose_run(f->composer, cases[i].script, cases[i].name);
        draw(f, cases[i].rows, cases[i].cols);
        picture(&f->frame, &got);
        if (strcmp(got.buf, cases[i].want) != 0) {
            print_error("%s: got\n%swant\n%s", cases[i].name, got.buf, cases[i].want);
            wrong++;
        }
        sf_strbuf_release(&got);
    }
    assert_int_equal(wrong, 0);
}

/* One letter for each cell's role in the first row. */
static void roles(const struct sf_frame *frame, char out[64])
{
    int col = 0;

    for (; col < frame->cols && col < 63; col++) {
        switch (sf_frame_cell(frame, 0, col)->look.role) {
        case SF_LOOK_ACCENT:
            out[col] = 'A';
            break;
        case SF_LOOK_CHIP:
            out[col] = 'C';
            break;
        case SF_LOOK_DIM:
            out[col] = 'D';
            break;
        case SF_LOOK_MARKED:
            out[col] = 'M';
            break;
        default:
            out[col] = '.';
        }
    }
    out[col] = '\0';
}

static void test_looks(void **state)
{
    static const struct {
        const char *script, *want;
    } rows[] = {
        { "", "AADDDDDDDDDD" },           { "plain", "AA.........." },
        { "/mode x", "AAAAAAA....." },    { "a /mode", "AA.........." },
        { "!ls -l", "AAA........." },     { "#note", "AAA........." },
        { "to @a/b ok", "AA...AAAA..." }, { "a@b @", "AA.........." },
        { "(@a", "AA.AA......." },        { "x <chip>", "..CCCCCCCCCC" }, /* scrolled by a row */
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        char got[64];

        sf_composer_free(f->composer);
        f->composer = sf_composer_new();
        compose_run(f->composer, rows[i].script, rows[i].script);
        draw(f, 2, 12);
        roles(&f->frame, got);
        if (strcmp(got, rows[i].want) != 0)
            fail_msg("%s: got %s, want %s", rows[i].script, got, rows[i].want);
    }
}

static void test_more_looks(void **state)
{
    struct fixture *f = *state;
    char got[64];

    compose_run(f->composer, "<chip>x", "a chip");
    draw(f, 1, 24);
    roles(&f->frame, got);
    assert_string_equal(got, "AACCCCCCCCCCCCCCCCCC....");
    sf_composer_clear(f->composer);
    sf_composer_set_vim(f->composer, true);
    compose_run(f->composer, "abcd<esc>0lvl", "a selection");
    draw(f, 1, 8);
    roles(&f->frame, got);
    assert_string_equal(got, "AA.MM...");
    /* a mention that is broken stays one */
    sf_composer_set_vim(f->composer, false);
    sf_composer_clear(f->composer);
    compose_run(f->composer, "@abcdefghij<first><down>", "a long mention");
    draw(f, 1, 8);
    roles(&f->frame, got);
    assert_string_equal(got, "..AAAAA.");
}

static void test_rows(void **state)
{
    struct sf_composer *c = ((struct fixture *)*state)->composer;

    assert_int_equal(sf_composer_rows(c, 10), 1);
    compose_run(c, "abcdefghij", "rows");
    assert_int_equal(sf_composer_rows(c, 10), 2); /* the cursor's own */
    assert_int_equal(sf_composer_rows(c, 11), 1);
    assert_int_equal(sf_composer_rows(c, 5), 3);
    assert_int_equal(sf_composer_rows(c, 0), 11);
    sf_composer_do(c, SF_COMPOSE_HOME);
    assert_int_equal(sf_composer_rows(c, 10), 1);
}

static void test_clicks(void **state)
{
    static const struct {
        const char *script;
        int row, col;
        const char *want;
    } clicks[] = {
        { "hello", 0, 4, "he|llo" },
        { "hello", 0, 0, "|hello" },
        { "hello", 0, 50, "hello|" },
        { "hello", 7, 3, "h|ello" },
        { "hello", -1, -1, "|hello" },
        { "a\nbcd", 1, 3, "a\nb|cd" },
        { "漢字", 0, 5, "漢|字" },
        { "a<chip>b", 0, 9, "a|§b" },
        { "abcdefgh<first>", 1, 3, "a|bcdefgh" },
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(clicks); i++) {
        sf_composer_free(f->composer);
        f->composer = sf_composer_new();
        compose_run(f->composer, clicks[i].script, clicks[i].script);
        draw(f, 3, 40);
        sf_composer_click(f->composer, clicks[i].row, clicks[i].col);
        if (!compose_shows(f->composer, clicks[i].want, clicks[i].script))
            fail();
    }
}

/* A click goes to what is shown there, in a text that is scrolled and broken. */
static void test_clicks_where_it_is_scrolled(void **state)
{
    struct fixture *f = *state;

    compose_run(f->composer, "1\n2\n3\n4\n5\n6", "scrolled");
    draw(f, 4, 14);
    sf_composer_click(f->composer, 1, 2);
    assert_true(compose_shows(f->composer, "1\n2\n3\n|4\n5\n6", "a row"));
    sf_composer_click(f->composer, 0, 2);
    assert_true(compose_shows(f->composer, "1\n2\n|3\n4\n5\n6", "what the hint hides"));
    draw(f, 4, 14);
    assert_true(f->frame.cursor);
}

/* The picture stays still while the cursor moves within it. */
static void test_scrolls_no_more_than_it_must(void **state)
{
    struct fixture *f = *state;
    struct sf_strbuf before = SF_STRBUF_INIT, after = SF_STRBUF_INIT;

    compose_run(f->composer, "1\n2\n3\n4\n5\n6\n7\n8\n9", "many");
    draw(f, 5, 14);
    frame_row_text(&f->frame, 2, &before);
    sf_composer_do(f->composer, SF_COMPOSE_UP);
    draw(f, 5, 14);
    frame_row_text(&f->frame, 2, &after);
    assert_string_equal(before.buf, after.buf);
    sf_strbuf_release(&before);
    sf_strbuf_release(&after);
}

/* Every size from one cell on shows the cursor. */
static void test_every_size(void **state)
{
    struct fixture *f = *state;

    compose_run(f->composer, "漢字 and <chip> words\n\tmore 👩‍💻 of it @there<word-left>",
                "sizes");
    for (int rows = 1; rows < 12; rows++) {
        for (int cols = 1; cols < 60; cols++) {
            draw(f, rows, cols);
            assert_true(f->frame.cursor);
            assert_in_range(f->frame.cursor_row, 0, rows - 1);
            assert_in_range(f->frame.cursor_col, 0, cols - 1);
        }
    }
    sf_frame_resize(&f->frame, 0, 0);
    sf_composer_draw(f->composer, sf_frame_area(&f->frame), "› ", sf_look(SF_LOOK_TEXT), NULL);
    assert_false(f->frame.cursor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_pictures, setup, teardown),
        cmocka_unit_test_setup_teardown(test_looks, setup, teardown),
        cmocka_unit_test_setup_teardown(test_more_looks, setup, teardown),
        cmocka_unit_test_setup_teardown(test_rows, setup, teardown),
        cmocka_unit_test_setup_teardown(test_clicks, setup, teardown),
        cmocka_unit_test_setup_teardown(test_clicks_where_it_is_scrolled, setup, teardown),
        cmocka_unit_test_setup_teardown(test_scrolls_no_more_than_it_must, setup, teardown),
        cmocka_unit_test_setup_teardown(test_every_size, setup, teardown),
    };

    return cmocka_run_group_tests_name("composer_draw", tests, NULL, NULL);
}
