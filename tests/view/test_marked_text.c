/*
 * sf's own words: what stands between backticks is code and the backticks are gone; a backtick
 * alone is text; what does not fit ends in an ellipsis.
 */
#include "base/base.h"
#include "support/frame_text.h"
#include "support/test.h"
#include "view/view.h"

enum { COLS = 20 };

static const struct {
    const char *name, *text, *want, *code; /* of the row: what is seen, and c where it is code */
    int cols;
} cases[] = {
    { "no code", "see the file", "see the file", "            ", COLS },
    { "code at the end", "see `sf trust`", "see sf trust", "    cccccccc", COLS },
    { "code at the beginning", "`sf x` helps", "sf x helps", "cccc      ", COLS },
    { "two pieces", "`a` or `b`", "a or b", "c    c", COLS },
    { "no partner", "it`s here", "it`s here", "         ", COLS },
    { "nothing between", "a `` b", "a `` b", "      ", COLS },
    { "cut in the code", "see `sf trust add`", "see sf tr…", "    ccccc ", 10 },
    { "fits to the column", "see `sf x`", "see sf x", "    cccc", 8 },
    { "wide characters", "`漢字` x", "漢字 x", "c c   ", COLS },
};

static void check(size_t i, const struct sf_frame *frame, int used)
{
    struct sf_strbuf is = SF_STRBUF_INIT, code = SF_STRBUF_INIT;

    for (int col = 0; col < used; col++) {
        const struct sf_cell *cell = &frame->cells[col];

        sf_strbuf_addch(&code, cell->look.role == SF_LOOK_CODE && cell->width ? 'c' : ' ');
    }
    frame_row_text(frame, 0, &is);
    if (strcmp(is.buf, cases[i].want) != 0 || strcmp(code.buf, cases[i].code) != 0)
        fail_msg("%s: got '%s' '%s', want '%s' '%s'", cases[i].name, is.buf, code.buf,
                 cases[i].want, cases[i].code);
    sf_strbuf_release(&is);
    sf_strbuf_release(&code);
}

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_frame frame = SF_FRAME_INIT;

        sf_frame_resize(&frame, 1, COLS);
        check(i, &frame,
              sf_area_put_marked(sf_frame_area(&frame), 0, 0, cases[i].cols, cases[i].text,
                                 sf_look(SF_LOOK_DIM)));
        sf_frame_release(&frame);
    }
}

static void test_width(void **state)
{
    (void)state;
    assert_int_equal(sf_marked_width("see `sf x`, or `y"), 15);
}

/* A pair on two lines is none. */
static void test_page(void **state)
{
    struct sf_page page = SF_PAGE_INIT;
    static const char text[] = "run `sf x`\nand `y\nor`";

    (void)state;
    sf_page_reset(&page, 40);
    sf_page_begin(&page, "", NULL, sf_look(SF_LOOK_DIM), false);
    sf_page_add_marked(&page, text, strlen(text), sf_look(SF_LOOK_DIM));
    sf_page_end(&page);
    assert_int_equal(page.count, 3);
    assert_int_equal(page.lines[0].len, strlen("run sf x"));
    assert_int_equal(page.lines[1].len, strlen("and `y"));
    assert_int_equal(page.lines[2].len, strlen("or`"));
    sf_page_release(&page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_width),
        cmocka_unit_test(test_page),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
