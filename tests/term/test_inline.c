/*
 * The block below what is printed, shown by an emulator: colours, changes of height, the cursor.
 */
#include "support/test.h"
#include "support/vt.h"
#include "term/inline.h"

enum { ROWS = 10, COLS = 30 };

struct fixture {
    struct vt *vt;
    struct sf_inline block;
    struct sf_frame frame;
    struct sf_strbuf out;
    int cols; /* of what is drawn next */
};

static int setup(void **state)
{
    struct fixture *f = sf_alloc(sizeof(*f));

    f->vt = vt_new(ROWS, COLS);
    f->cols = COLS;
    sf_inline_init(&f->block, SF_COLOURS_256, true);
    assert_true(sf_theme_builtin(&f->block.theme, "dark"));
    f->frame = (struct sf_frame)SF_FRAME_INIT;
    sf_strbuf_init(&f->out);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    vt_close(f->vt);
    sf_inline_release(&f->block);
    sf_frame_release(&f->frame);
    sf_strbuf_release(&f->out);
    free(f);
    return 0;
}

static void flush(struct fixture *f)
{
    vt_feed(f->vt, f->out.buf, f->out.len);
    sf_strbuf_reset(&f->out);
}

/* Lines split at '|', the cursor in the last one, behind its text. */
static void draw(struct fixture *f, const char *lines)
{
    int rows = 1, row = 0, used = 0;

    for (const char *c = lines; *c; c++)
        rows += *c == '|';
    sf_frame_resize(&f->frame, rows, f->cols);
    while (*lines) {
        size_t len = strcspn(lines, "|");

        used = sf_area_put(sf_frame_area(&f->frame), row++, 0, lines, len, sf_look(SF_LOOK_ERROR));
        lines += len + (lines[len] == '|');
    }
    sf_area_cursor(sf_frame_area(&f->frame), rows - 1, used);
}

static void block(struct fixture *f, const char *lines)
{
    draw(f, lines);
    sf_inline_add_block(&f->block, &f->frame, 0, &f->out);
    flush(f);
}

static void print(struct fixture *f, const char *lines)
{
    draw(f, lines);
    sf_inline_print(&f->block, &f->frame);
}

static void expect(struct fixture *f, const char *text)
{
    char *all = vt_text(f->vt);
    size_t len = strlen(all);

    while (len && all[len - 1] == '\n')
        all[--len] = '\0';
    assert_string_equal(all, text);
    free(all);
}

static void test_prints_above(void **state)
{
    struct fixture *f = *state;
    int row, col;

    block(f, "rule|> a");
    print(f, "one|two");
    block(f, "rule|> ab");
    expect(f, "one\ntwo\nrule\n> ab");
    vt_cursor(f->vt, &row, &col);
    assert_int_equal(row, 3);
    assert_int_equal(col, 4);
    block(f, "rule|menu|menu|> ab");
    block(f, "> ab");
    expect(f, "one\ntwo\n> ab");
    sf_inline_add_leave(&f->block, &f->out);
    flush(f);
    expect(f, "one\ntwo");
}

static void test_scrolls(void **state)
{
    struct fixture *f = *state;

    block(f, "rule|>");
    for (int i = 0; i < 30; i++) {
        char line[32];

        snprintf(line, sizeof(line), "line %d", i);
        print(f, line);
        block(f, "rule|>");
    }
    expect(f, "line 22\nline 23\nline 24\nline 25\nline 26\nline 27\nline 28\nline 29\nrule\n>");
}

/* Lines as wide as the terminal, with wide characters at the end. */
static void test_full_lines(void **state)
{
    struct fixture *f = *state;

    print(f, "123456789012345678901234567890|1234567890123456789012345678日");
    block(f, "123456789012345678901234567890|> 日本");
    expect(f, "123456789012345678901234567890\n1234567890123456789012345678日\n"
              "123456789012345678901234567890\n> 日本");
}

static void test_nothing_new(void **state)
{
    struct fixture *f = *state;

    block(f, "rule|> a");
    sf_inline_add_block(&f->block, &f->frame, 0, &f->out);
    assert_int_equal(f->out.len, 0);
}

/* What a terminal that breaks lines anew has made of its screen, at this width. */
static void narrow(struct fixture *f, int cols)
{
    char *all = vt_text(f->vt);
    size_t len = strlen(all);

    while (len && all[len - 1] == '\n')
        len--;
    vt_close(f->vt);
    f->vt = vt_new(ROWS, cols);
    for (size_t i = 0; i < len; i++)
        vt_feed(f->vt, all[i] == '\n' ? "\r\n" : all + i, all[i] == '\n' ? 2 : 1);
    free(all);
}

static const struct {
    const char *name, *block;
    int cols;
} narrower[] = {
    { "a full row", "123456789012345678901234567890|> ab", 29 },
    { "half", "123456789012345678901234567890|> ab", 15 },
    { "a third", "123456789012345678901234567890|> ab", 10 },
    { "a short one above", "x|123456789012345678901234567890|> ab", 12 },
    { "the cursor's own row", "123456789012345678901234567890|> a line that is long", 11 },
    { "wide characters", "日本語日本語日本語日本語日本語|> ab", 9 },
    { "nothing breaks", "12345678901234567|> ab", 20 },
};

/* All of the old block goes and nothing of what was printed, whatever the width. */
static void test_narrower(void **state)
{
    struct fixture *f = *state;

    f->block.rewraps = true;
    for (size_t i = 0; i < SF_COUNT(narrower); i++) {
        char *all;

        vt_close(f->vt);
        f->vt = vt_new(ROWS, COLS);
        f->block.there = false;
        print(f, "said");
        block(f, narrower[i].block);
        narrow(f, narrower[i].cols);
        f->cols = narrower[i].cols;
        block(f, "new|>");
        f->cols = COLS;
        all = vt_text(f->vt);
        if (strncmp(all, "said\nnew\n>\n", 11) != 0 || strspn(all + 11, "\n") != strlen(all + 11))
            fail_msg("%s, %d columns:\n%s", narrower[i].name, narrower[i].cols, all);
        free(all);
    }
}

/* Below rows of the screen that are not its own, as the terminal draws it. */
static void block_in_screen(struct fixture *f, const char *lines)
{
    struct sf_frame screen = SF_FRAME_INIT;
    int first;

    draw(f, lines);
    first = ROWS - f->frame.rows;
    sf_frame_resize(&screen, ROWS, f->frame.cols);
    memcpy(screen.cells + (size_t)first * (size_t)screen.cols, f->frame.cells,
           (size_t)f->frame.rows * (size_t)screen.cols * sizeof(*screen.cells));
    sf_area_cursor(sf_frame_area(&screen), ROWS - 1, f->frame.cursor_col);
    sf_inline_add_block(&f->block, &screen, first, &f->out);
    sf_frame_release(&screen);
    flush(f);
}

/* Its last row stays where it was, and what is printed next takes the rows in between. */
static void test_narrower_keeps_its_place(void **state)
{
    struct fixture *f = *state;

    f->block.rewraps = true;
    print(f, "said");
    block_in_screen(f, "123456789012345678901234567890|>");
    narrow(f, 10);
    f->cols = 10;
    block_in_screen(f, "new|>");
    expect(f, "said\n\n\nnew\n>");
    block_in_screen(f, "new|menu|>");
    expect(f, "said\n\nnew\nmenu\n>");
    print(f, "more");
    block_in_screen(f, "new|>");
    expect(f, "said\nmore\n\nnew\n>");
    print(f, "a|b");
    block_in_screen(f, "new|>");
    expect(f, "said\nmore\na\nb\nnew\n>");
    sf_inline_add_leave(&f->block, &f->out);
    flush(f);
    expect(f, "said\nmore\na\nb");
}

/* Erasing from the first cell on would put the block into some terminals' scrollback. */
static void test_erases_no_screen(void **state)
{
    struct fixture *f = *state;

    block(f, "rule|>");
    draw(f, "rule|> a");
    sf_inline_add_block(&f->block, &f->frame, 0, &f->out);
    assert_non_null(strstr(f->out.buf, "\033[2K\033[C\033[J"));
    flush(f);
    expect(f, "rule\n> a");
}

/* Where lines are cut, going further up would take what was printed. */
static void test_narrower_cut(void **state)
{
    struct fixture *f = *state;

    print(f, "said");
    block(f, "123456789012345678901234567890|> ab");
    vt_resize(f->vt, ROWS, 12);
    f->cols = 12;
    block(f, "new|>");
    expect(f, "said\nnew\n>");
}

static void test_colours(void **state)
{
    struct fixture *f = *state;
    int32_t red = f->block.theme.paints[SF_LOOK_ERROR].fg;
    static const enum sf_colours levels[] = { SF_COLOURS_NONE, SF_COLOURS_16, SF_COLOURS_256,
                                              SF_COLOURS_TRUE };

    for (size_t i = 0; i < SF_COUNT(levels); i++) {
        const int32_t want[] = { VT_DEFAULT, VT_INDEX(sf_colour_16(red)),
                                 VT_INDEX(sf_colour_256(red)), red };
        char text[] = "> a";

        text[2] = (char)('a' + i); /* so that it is drawn */
        f->block.colours = levels[i];
        block(f, text);
        assert_int_equal(vt_cell(f->vt, 0, 0).fg, want[i]);
    }
}

int main(void)
{
#define WITH_BLOCK(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
    const struct CMUnitTest tests[] = {
        WITH_BLOCK(test_prints_above),
        WITH_BLOCK(test_scrolls),
        WITH_BLOCK(test_full_lines),
        WITH_BLOCK(test_nothing_new),
        WITH_BLOCK(test_narrower),
        WITH_BLOCK(test_narrower_cut),
        WITH_BLOCK(test_narrower_keeps_its_place),
        WITH_BLOCK(test_erases_no_screen),
        WITH_BLOCK(test_colours),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
