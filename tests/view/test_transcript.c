/*
 * test_transcript.c: the conversation as it is read: what stands where, that the view holds still,
 * that copies have no breaks in them.
 */
#include <string.h>

#include "support/frame_text.h"
#include "support/test.h"
#include "view/view.h"

struct fixture {
    struct sf_transcript *t;
    struct sf_frame frame;
    struct sf_strbuf text;
};

static int setup(void **state)
{
    struct fixture *f = sf_alloc(sizeof(*f));

    *f = (struct fixture){ sf_transcript_new(), SF_FRAME_INIT, SF_STRBUF_INIT };
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    sf_transcript_free(f->t);
    sf_frame_release(&f->frame);
    sf_strbuf_release(&f->text);
    free(f);
    return 0;
}

/* The screen as text, one line a row. */
static const char *draw(struct fixture *f, int rows, int cols)
{
    const struct sf_transcript_now now = { .mono_ms = 5000, .spin = -1 };

    sf_frame_resize(&f->frame, rows, cols);
    sf_transcript_draw(f->t, sf_frame_area(&f->frame), &now);
    sf_strbuf_reset(&f->text);
    for (int row = 0; row < rows; row++) {
        frame_row_text(&f->frame, row, &f->text);
        sf_strbuf_addch(&f->text, '\n');
    }
    return f->text.buf;
}

static void say(struct fixture *f, enum sf_item_kind kind, const char *text)
{
    sf_transcript_add(f->t, kind, text, strlen(text), 0);
}

static void test_speakers(void **state)
{
    struct fixture *f = *state;
    struct sf_call_view call = { .id = "1",
                                 .state = SF_ITEM_CALL_RUNS,
                                 .verb = "Reading",
                                 .what = "src/a.c",
                                 .started_ms = 4000 };

    say(f, SF_ITEM_USER, "fix it");
    say(f, SF_ITEM_ANSWER, "I will ");
    say(f, SF_ITEM_ANSWER, "read it.");
    sf_transcript_call(f->t, &call);
    assert_true(sf_transcript_runs(f->t));
    assert_string_equal(draw(f, 5, 60),
                        " you  fix it\n"
                        "\n"
                        " sf   I will read it.\n"
                        "    • Reading  src/a.c                                1.0 s\n"
                        "\n");
    call.state = SF_ITEM_CALL_DONE;
    call.verb = "Read";
    call.note = "5 lines";
    call.timed = true;
    call.took_ms = 12;
    sf_transcript_call(f->t, &call);
    assert_false(sf_transcript_runs(f->t));
    say(f, SF_ITEM_ANSWER, "Done.");
    sf_transcript_seal(f->t);
    say(f, SF_ITEM_NOTE, "a note");
    say(f, SF_ITEM_ERROR, "it broke\nmend it");
    assert_string_equal(draw(f, 9, 60),
                        " you  fix it\n"
                        "\n"
                        " sf   I will read it.\n"
                        "      Read     src/a.c                     5 lines    12 ms\n"
                        "\n"
                        "      Done.\n"
                        "    · a note\n"
                        "    ✗ it broke\n"
                        "      mend it\n");
}

static void test_narrow(void **state)
{
    struct fixture *f = *state;

    say(f, SF_ITEM_USER, "a request that is too long for the line");
    assert_string_equal(draw(f, 4, 20), " you a request that\n"
                                        "     is too long for\n"
                                        "     the line\n"
                                        "\n");
}

static void add_lines(struct fixture *f, int from, int to)
{
    char text[32];

    for (int i = from; i < to; i++) {
        snprintf(text, sizeof(text), "line %d", i);
        say(f, SF_ITEM_NOTE, text);
    }
}

static void test_view_holds_still(void **state)
{
    struct fixture *f = *state;

    add_lines(f, 0, 100);
    assert_non_null(strstr(draw(f, 10, 60), "line 99"));
    assert_true(sf_transcript_at_end(f->t));
    sf_transcript_scroll(f->t, -20);
    assert_false(sf_transcript_at_end(f->t));
    assert_non_null(strstr(draw(f, 10, 60), "line 70\n"));
    add_lines(f, 100, 200);
    assert_non_null(strstr(draw(f, 10, 60), "line 70\n"));
    assert_null(strstr(f->text.buf, "line 80\n"));
    sf_transcript_scroll(f->t, 1000);
    assert_true(sf_transcript_at_end(f->t));
    add_lines(f, 200, 201);
    assert_non_null(strstr(draw(f, 10, 60), "line 200\n"));
    sf_transcript_top(f->t);
    assert_non_null(strstr(draw(f, 10, 60), "line 0\n"));
}

/* Up and down by the same number of lines ends where it began, at every width. */
static void test_scroll_returns(void **state)
{
    struct fixture *f = *state;

    for (int i = 0; i < 40; i++) {
        say(f, i % 3 ? SF_ITEM_ANSWER : SF_ITEM_USER,
            "words that will be broken differently at every width of the screen there is\n\n"
            "- and a list\n- of two\n");
        sf_transcript_seal(f->t);
    }
    for (int cols = 1; cols < 120; cols += 7) {
        char *before;

        draw(f, 12, cols);
        sf_transcript_bottom(f->t);
        draw(f, 12, cols);
        sf_transcript_scroll(f->t, -50);
        before = sf_strdup(draw(f, 12, cols));
        for (int n = 1; n < 40; n += 13) {
            sf_transcript_scroll(f->t, -n);
            sf_transcript_scroll(f->t, n);
            assert_string_equal(draw(f, 12, cols), before);
        }
        free(before);
    }
}

static void test_streams_in_blocks(void **state)
{
    static const char text[] = "First words.\n\nThen a list:\n\n- one\n- two\n\nAnd the end.";
    struct fixture *f = *state;
    char *whole;

    say(f, SF_ITEM_ANSWER, text);
    whole = sf_strdup(draw(f, 12, 60));
    sf_transcript_clear(f->t);
    for (size_t i = 0; i < sizeof(text) - 1; i++) {
        sf_transcript_add(f->t, SF_ITEM_ANSWER, text + i, 1, 0);
        draw(f, 12, 60);
    }
    assert_string_equal(draw(f, 12, 60), whole);
    sf_strbuf_reset(&f->text);
    assert_true(sf_transcript_answer(f->t, &f->text));
    assert_string_equal(f->text.buf, text);
    free(whole);
}

static void test_void_answer_goes(void **state)
{
    struct fixture *f = *state;

    say(f, SF_ITEM_USER, "hello");
    say(f, SF_ITEM_ANSWER, "Half.\n\nAn ans");
    draw(f, 6, 60);
    sf_transcript_drop_open(f->t);
    assert_string_equal(draw(f, 3, 60), " you  hello\n\n\n");
    say(f, SF_ITEM_ANSWER, "Whole.");
    assert_string_equal(draw(f, 3, 60), " you  hello\n\n sf   Whole.\n");
}

/* Whatever happens meanwhile stands before it, and its Markdown stays whole. */
static void test_nothing_breaks_an_answer(void **state)
{
    struct fixture *f = *state;
    const struct sf_call_view call = { .id = "user-1",
                                       .state = SF_ITEM_CALL_DONE,
                                       .verb = "Ran",
                                       .what = "ls",
                                       .output = "a.c",
                                       .output_len = 3,
                                       .begins = true,
                                       .open = true };

    say(f, SF_ITEM_USER, "write it");
    say(f, SF_ITEM_ANSWER, "Here:\n\n```c\nint o");
    say(f, SF_ITEM_NOTE, "profile normal → trusted");
    say(f, SF_ITEM_ANSWER, "ne;\n");
    sf_transcript_call(f->t, &call);
    say(f, SF_ITEM_ERROR, "no such command");
    say(f, SF_ITEM_ANSWER, "```\n\n**done**");
    assert_string_equal(draw(f, 14, 60), " you  write it\n"
                                         "\n"
                                         "    · profile normal → trusted\n"
                                         "\n"
                                         "      Ran      ls\n"
                                         "        a.c\n"
                                         "    ✗ no such command\n"
                                         "\n"
                                         " sf   Here:\n"
                                         "\n"
                                         "        c\n"
                                         "        int one;\n"
                                         "\n"
                                         "      done\n");
    sf_transcript_drop_open(f->t); /* only the answer was void */
    assert_string_equal(draw(f, 7, 60), " you  write it\n"
                                        "\n"
                                        "    · profile normal → trusted\n"
                                        "\n"
                                        "      Ran      ls\n"
                                        "        a.c\n"
                                        "    ✗ no such command\n");
}

static void test_copy_without_breaks(void **state)
{
    struct fixture *f = *state;
    struct sf_strbuf out = SF_STRBUF_INIT;

    say(f, SF_ITEM_USER, "a request that is too long for the line");
    draw(f, 6, 20);
    sf_transcript_select(f->t, 0, 0);
    sf_transcript_extend(f->t, 5, 19);
    assert_true(sf_transcript_copy(f->t, &out));
    assert_string_equal(out.buf, "a request that is too long for the line");
    sf_strbuf_reset(&out);
    sf_transcript_select(f->t, 1, 5);
    sf_transcript_extend(f->t, 1, 7);
    assert_true(sf_transcript_copy(f->t, &out));
    assert_string_equal(out.buf, "is");
    sf_transcript_unselect(f->t);
    assert_false(sf_transcript_copy(f->t, &out));
    sf_strbuf_release(&out);
}

static void test_find(void **state)
{
    struct fixture *f = *state;

    add_lines(f, 0, 300);
    say(f, SF_ITEM_NOTE, "the Needle");
    add_lines(f, 300, 600);
    say(f, SF_ITEM_NOTE, "a needle again");
    draw(f, 10, 60);
    assert_int_equal(sf_transcript_find(f->t, "needle"), 2);
    assert_int_equal(sf_transcript_find_next(f->t, -1), 2);
    assert_int_equal(sf_transcript_find_next(f->t, -1), 1);
    assert_non_null(strstr(draw(f, 10, 60), "the Needle"));
    assert_int_equal(sf_transcript_find_next(f->t, 1), 2);
    assert_int_equal(sf_transcript_find(f->t, "nowhere"), 0);
    assert_int_equal(sf_transcript_find_next(f->t, 1), 0);
}

static void test_unfolds(void **state)
{
    struct fixture *f = *state;
    const struct sf_call_view call = { .id = "1",
                                       .state = SF_ITEM_CALL_DONE,
                                       .verb = "Ran",
                                       .what = "make",
                                       .output = "one\ntwo\n",
                                       .output_len = 8 };

    sf_transcript_call(f->t, &call);
    assert_null(strstr(draw(f, 5, 60), "two"));
    sf_transcript_unfold(f->t, true);
    assert_non_null(strstr(draw(f, 5, 60), "two"));
    assert_true(sf_transcript_toggle_at(f->t, 0));
    assert_null(strstr(draw(f, 5, 60), "two"));
    assert_false(sf_transcript_toggle_at(f->t, 3));
    assert_false(sf_transcript_toggle_at(f->t, -1));
}

/* Services number their calls anew in each answer, and so does a conversation behind a summary. */
/* What the user ran is open; unfolding the rest, or what was clicked, hides nothing. */
static void test_unfolding_hides_nothing(void **state)
{
    struct fixture *f = *state;
    struct sf_call_view call = { .id = "user-1",
                                 .state = SF_ITEM_CALL_DONE,
                                 .verb = "Ran",
                                 .what = "ls",
                                 .output = "mine",
                                 .output_len = 4,
                                 .open = true };

    sf_transcript_call(f->t, &call);
    call = (struct sf_call_view){ .id = "1",
                                  .state = SF_ITEM_CALL_DONE,
                                  .verb = "Ran",
                                  .what = "ls",
                                  .output = "clicked",
                                  .output_len = 7 };
    sf_transcript_call(f->t, &call);
    assert_non_null(strstr(draw(f, 5, 60), "mine"));
    assert_null(strstr(draw(f, 5, 60), "clicked"));
    assert_true(sf_transcript_toggle_at(f->t, 2));
    assert_non_null(strstr(draw(f, 5, 60), "clicked"));
    sf_transcript_unfold(f->t, true);
    assert_non_null(strstr(draw(f, 5, 60), "mine"));
    assert_non_null(strstr(draw(f, 5, 60), "clicked"));
    sf_transcript_unfold(f->t, false);
    assert_non_null(strstr(draw(f, 5, 60), "mine"));
    assert_null(strstr(draw(f, 5, 60), "clicked"));
    assert_true(sf_transcript_toggle_at(f->t, 0));
    assert_null(strstr(draw(f, 5, 60), "mine"));
}

static void test_the_same_id_again(void **state)
{
    struct fixture *f = *state;
    struct sf_call_view call = { .id = "call_1", .begins = true, .verb = "Read", .what = "a.c" };
    const char *text;

    sf_transcript_call(f->t, &call);
    sf_transcript_call(f->t, &(struct sf_call_view){ .id = "call_1", .state = SF_ITEM_CALL_DONE });
    say(f, SF_ITEM_ANSWER, "so far");
    call.what = "b.c";
    sf_transcript_call(f->t, &call);
    sf_transcript_call(f->t, &(struct sf_call_view){ .id = "call_1", .note = "9 lines" });
    text = draw(f, 8, 60);
    assert_non_null(strstr(text, "a.c"));
    assert_true(strstr(text, "b.c") > strstr(text, "so far"));
    assert_true(strstr(text, "9 lines") > strstr(text, "b.c"));
}

static void test_hostile(void **state)
{
    static const char bad[] = "\033]0;evil\a\033[2J\x9b\xff"
                              "\xe2\x80\xae"
                              "right\r\nnext";
    struct fixture *f = *state;
    const struct sf_call_view call = { .id = "1",
                                       .state = SF_ITEM_CALL_FAILED,
                                       .verb = bad,
                                       .what = bad,
                                       .note = bad,
                                       .output = bad,
                                       .output_len = sizeof(bad) - 1,
                                       .diff = bad,
                                       .diff_len = sizeof(bad) - 1 };

    for (int kind = SF_ITEM_USER; kind <= SF_ITEM_PAGE; kind++)
        if (kind != SF_ITEM_CALL)
            sf_transcript_add(f->t, (enum sf_item_kind)kind, bad, sizeof(bad) - 1, 0);
    sf_transcript_call(f->t, &call);
    sf_transcript_unfold(f->t, true);
    for (int cols = 1; cols < 90; cols++) {
        const char *text = draw(f, 40, cols);

        for (size_t i = 0; i < f->text.len; i++)
            assert_true((unsigned char)text[i] >= ' ' || text[i] == '\n');
        assert_null(strstr(text, "\xe2\x80\xae"));
        assert_true(sf_utf8_valid(text, f->text.len, NULL));
    }
}

/* A block of code of thousands of lines, as it comes in and as it is recalled. */
static void test_long_code_is_taken_apart(void **state)
{
    struct fixture *f = *state;
    struct sf_transcript *at_once = sf_transcript_new();
    struct sf_strbuf text = SF_STRBUF_INIT, answer = SF_STRBUF_INIT;
    char *growing;

    sf_strbuf_adds(&text, "See:\n\n```c\n");
    for (int i = 0; i < 3000; i++)
        sf_strbuf_addf(&text, "int a%d; %s\n", i, i % 7 ? "" : i % 2 ? "/* open" : "shut */");
    sf_strbuf_adds(&text, "```\nThat is all.\n");
    say(f, SF_ITEM_USER, "show it");
    for (size_t at = 0; at < text.len; at += 1000) {
        size_t n = text.len - at < 1000 ? text.len - at : 1000;

        sf_transcript_add(f->t, SF_ITEM_ANSWER, text.buf + at, n, 0);
        draw(f, 10, 60);
    }
    assert_true(sf_transcript_count(f->t) > text.len / 10000);
    sf_transcript_page(f->t, -40);
    growing = sf_strdup(draw(f, 30, 60));
    assert_non_null(strstr(growing, "int a"));
    assert_true(sf_transcript_answer(f->t, &answer));
    assert_string_equal(answer.buf, text.buf);
    sf_transcript_free(f->t);
    f->t = at_once;
    say(f, SF_ITEM_USER, "show it");
    say(f, SF_ITEM_ANSWER, text.buf);
    sf_transcript_seal(f->t);
    draw(f, 10, 60);
    sf_transcript_page(f->t, -40);
    assert_string_equal(draw(f, 30, 60), growing);
    for (int page = 0; page < 60; page++) { /* no gap where the parts meet */
        sf_transcript_page(f->t, -1);
        assert_null(strstr(strstr(draw(f, 30, 60), "int"), "\n\n"));
    }
    free(growing);
    sf_strbuf_release(&text);
    sf_strbuf_release(&answer);
}

/* ---- what came earlier ---- */

static const struct {
    enum sf_item_kind kind;
    const char *text;
} conversation[] = {
    { SF_ITEM_USER, "first" },      { SF_ITEM_CALL, "a" },           { SF_ITEM_ANSWER, "looked" },
    { SF_ITEM_CALL, "b" },          { SF_ITEM_ANSWER, "and again" }, { SF_ITEM_NOTE, "cancelled" },
    { SF_ITEM_USER, "second" },     { SF_ITEM_REASONING, "hm" },     { SF_ITEM_ANSWER, "done" },
    { SF_ITEM_ERROR, "not again" }, { SF_ITEM_USER, "third" },       { SF_ITEM_ANSWER, "yes" },
};

static void add_part(struct sf_transcript *t, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        const struct sf_call_view call = {
            .id = conversation[i].text, .state = SF_ITEM_CALL_DONE, .verb = "Read", .what = "x"
        };

        sf_transcript_seal(t);
        if (conversation[i].kind == SF_ITEM_CALL)
            sf_transcript_call(t, &call);
        else
            sf_transcript_add(t, conversation[i].kind, conversation[i].text,
                              strlen(conversation[i].text), 0);
    }
    sf_transcript_seal(t);
}

/* Wherever it is cut, and however often: put together, it looks as if it had come in order. */
static void test_earlier_looks_the_same(void **state)
{
    enum { COUNT = SF_COUNT(conversation) };
    struct fixture *f = *state;
    char *whole;

    add_part(f->t, 0, COUNT);
    whole = sf_strdup(draw(f, 30, 60));
    for (size_t cut = 0; cut <= COUNT; cut++)
        for (size_t first = 0; first <= cut; first++) {
            struct sf_transcript *older = sf_transcript_new();

            sf_transcript_clear(f->t);
            say(f, SF_ITEM_EARLIER, "more");
            add_part(f->t, cut, COUNT);
            sf_transcript_add(older, SF_ITEM_EARLIER, "still more", 10, 0);
            add_part(older, first, cut);
            sf_transcript_prepend(f->t, older);
            add_part(older, 0, first);
            sf_transcript_prepend(f->t, older);
            sf_transcript_free(older);
            if (first) /* else what says that there is more stays */
                assert_string_equal(draw(f, 30, 60), whole);
        }
    free(whole);
}

static void test_earlier_holds_still(void **state)
{
    struct fixture *f = *state;
    struct sf_transcript *older = sf_transcript_new();
    char *before;

    say(f, SF_ITEM_EARLIER, "more");
    add_part(f->t, 4, SF_COUNT(conversation));
    draw(f, 6, 60);
    sf_transcript_scroll(f->t, -3);
    before = sf_strdup(draw(f, 6, 60));
    add_part(older, 0, 4);
    sf_transcript_prepend(f->t, older);
    assert_string_equal(draw(f, 6, 60), before);
    sf_transcript_top(f->t);
    assert_non_null(strstr(draw(f, 6, 60), "first"));
    assert_int_equal(sf_transcript_above(f->t), 0);
    assert_int_equal(sf_transcript_count(older), 0);
    free(before);
    sf_transcript_free(older);
}

static void test_earlier_is_found(void **state)
{
    struct fixture *f = *state;
    struct sf_transcript *older = sf_transcript_new();

    say(f, SF_ITEM_EARLIER, "again and again"); /* is no part of what was said */
    add_part(f->t, 6, SF_COUNT(conversation));
    draw(f, 6, 60);
    assert_int_equal(sf_transcript_find(f->t, "again"), 1);
    assert_int_equal(sf_transcript_find_next(f->t, -1), 1);
    add_part(older, 0, 6);
    assert_int_equal(sf_transcript_prepend(f->t, older), 1);
    assert_int_equal(sf_transcript_find_next(f->t, -1), 1); /* it was the second of two by then */
    assert_non_null(strstr(draw(f, 12, 60), "and again"));
    sf_transcript_free(older);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_speakers, setup, teardown),
        cmocka_unit_test_setup_teardown(test_narrow, setup, teardown),
        cmocka_unit_test_setup_teardown(test_view_holds_still, setup, teardown),
        cmocka_unit_test_setup_teardown(test_scroll_returns, setup, teardown),
        cmocka_unit_test_setup_teardown(test_streams_in_blocks, setup, teardown),
        cmocka_unit_test_setup_teardown(test_void_answer_goes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_nothing_breaks_an_answer, setup, teardown),
        cmocka_unit_test_setup_teardown(test_copy_without_breaks, setup, teardown),
        cmocka_unit_test_setup_teardown(test_find, setup, teardown),
        cmocka_unit_test_setup_teardown(test_unfolds, setup, teardown),
        cmocka_unit_test_setup_teardown(test_unfolding_hides_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(test_the_same_id_again, setup, teardown),
        cmocka_unit_test_setup_teardown(test_hostile, setup, teardown),
        cmocka_unit_test_setup_teardown(test_long_code_is_taken_apart, setup, teardown),
        cmocka_unit_test_setup_teardown(test_earlier_looks_the_same, setup, teardown),
        cmocka_unit_test_setup_teardown(test_earlier_holds_still, setup, teardown),
        cmocka_unit_test_setup_teardown(test_earlier_is_found, setup, teardown),
    };

    return cmocka_run_group_tests_name("view/transcript", tests, NULL, NULL);
}
