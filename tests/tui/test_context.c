/*
 * What the model has before it, at the terminal: the goal in its row, the window by its parts, summaries
 * that unfold, pinned facts, and the notes for later sessions.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "support/screen_case.h"
#include "support/test.h"
#include "support/tui_case.h"

enum { ROWS = 30, COLS = 100 };

/* ---- pictures ---- */

static void test_screens(void **state)
{
    static const struct screen_step steps[] = {
        SEE("Welcome"),
        KEYS("/context\r"),
        SEE("Esc close"),
        SHOT("overlay_context", AT_ALL),
        KEYS(ESC),
        UNSEE("Esc close"),
        KEYS("/goal port the parser to the new grammar, with its tests --budget 50k\r"),
        SEE("0 of 50k tokens"),
        SHOT("goal_row", AT_ALL),
        KEYS("/goal blocked the grammar is not decided\r"),
        SEE("goal blocked"),
        SHOT("goal_row_blocked", AT_SOME),
        KEYS("/goal\r"),
        SEE("Esc close"),
        SHOT("overlay_goal", AT_SOME),
        KEYS(ESC),
        UNSEE("Esc close"),
        KEYS("/pin the port is 7433\r"),
        SEE("pinned for this session"),
        KEYS("/pin\r"),
        SEE("/pin drop N"),
        SHOT("overlay_pins", AT_SOME),
        KEYS(ESC),
        UNSEE("Esc close"),
        KEYS("#the tests need a database\r"),
        SEE("noted for later sessions of this project"),
        KEYS("/memory\r"),
        SEE("Esc close"),
        SHOT("overlay_memory", AT_SOME),
        END,
    };
    static const struct screen_run run = { .name = "context", .steps = steps };

    screen_play(state, &run);
}

/* ---- the goal ---- */

/* Another process changes it: the row follows without a key. */
static void test_goal_from_outside(void **state)
{
    struct tui_case *c = *state;

    tui_case_serve(c, "reply\n    text \"Hello.\"\n"
                      "reply\n    usage input=1500 output=20\n    text \"Yes.\"\n");
    tui_case_open(c, "-- hello", ROWS, COLS);
    vt_wait_text(c->vt, "Hello.");
    vt_wait_no_text(c->vt, "Esc cancels"); /* and what it cost is known */
    sandbox_expect(c->sandbox, "goal set port the parser --budget 1k", 0, "active", NULL);
    vt_wait_text(c->vt, "goal port the parser");
    vt_wait_text(c->vt, "0 of 1k tokens");
    sandbox_expect(c->sandbox, "goal pause", 0, "paused", NULL);
    vt_wait_text(c->vt, "goal paused: port the parser");
    tui_case_say(c, "/goal resume");
    vt_wait_text(c->vt, "goal paused → active");
    tui_case_say(c, "go");
    vt_wait_text(c->vt, "goal active → budget_limited");
    vt_wait_text(c->vt, "/goal resume --budget TOKENS gives it");
    tui_case_quit(c);
    tui_case_open(c, "-c", ROWS, COLS);
    vt_wait_text(c->vt, "goal budget_limited: port the parser");
    vt_wait_text(c->vt, "1.5k of 1k tokens");
    tui_case_say(c, "/goal fly --budget much");
    vt_wait_text(c->vt, "much is not a number of tokens");
    tui_case_say(c, "/goal clear");
    vt_wait_text(c->vt, "goal cleared");
}

/* ---- the window and its summaries ---- */

static void test_summary(void **state)
{
    struct tui_case *c = *state;

    tui_case_serve(c, "reply\n    usage input=9000 output=200\n    text \"Hello.\"\n"
                      "reply\n    expect-contains \"what matters most: the port\"\n"
                      "    text \"It is about ranges, and the port is 7433.\"\n"
                      "reply\n    text \"Go on.\"\n"
                      "reply\n    stall headers\n");
    tui_case_open(c, "-- hello", ROWS, COLS);
    vt_wait_text(c->vt, "Hello.");
    vt_wait_no_text(c->vt, "Esc cancels"); /* and what it cost is known */
    tui_case_say(c, "/context");
    vt_wait_text(c->vt, "About 9.2k of ");
    vt_wait_text(c->vt, "system prompt");
    vt_wait_text(c->vt, "answers, calls");
    vt_wait_text(c->vt, "for the answer");
    vt_type(c->vt, ESC);
    vt_wait_no_text(c->vt, "Esc close");
    tui_case_say(c, "/compact the port");
    vt_wait_text(c->vt, "Summary  about 9.2k → ");
    vt_type(c->vt, "\017"); /* Ctrl+O */
    vt_wait_text(c->vt, "It is about ranges, and the port is 7433.");
    vt_type(c->vt, "\017");
    vt_wait_no_text(c->vt, "It is about ranges");
    tui_case_say(c, "go on");
    vt_wait_text(c->vt, "Go on.");
    vt_wait_no_text(c->vt, "Esc cancels");
    tui_case_say(c, "/compact"); /* the service is silent: it can be given up */
    vt_wait_text(c->vt, "summing up");
    tui_case_say(c, "and then this");
    vt_wait_text(c->vt, "⋮ 1  and then this");
    vt_type(c->vt, ESC);
    vt_wait_text(c->vt, "stopped");
    tui_case_quit(c);
    tui_case_open(c, "-c", ROWS, COLS);
    vt_wait_text(c->vt, "Summary  about 9.2k → ");
}

/* ---- memory ---- */

static void test_memory(void **state)
{
    struct tui_case *c = *state;
    char *editor = test_path(c->sandbox->dir, "editor"), *path, *text;
    size_t len;

    test_write(editor, "#!/bin/sh\necho '- by hand' >>\"$1\"\n", 34);
    assert_int_equal(chmod(editor, 0755), 0);
    sandbox_setenv(c->sandbox, "EDITOR", editor);
    tui_case_open(c, "", ROWS, COLS);
    tui_case_say(c, "##short answers, please");
    vt_wait_text(c->vt, "noted for later sessions of you, in every project");
    tui_case_say(c, "/memory user");
    vt_wait_text(c->vt, "written; sessions that begin from now on read it");
    path = test_path(c->sandbox->dir, "config/sf/memory.md");
    text = test_read(path, &len);
    assert_string_equal(text, "- short answers, please\n- by hand\n");
    free(text);
    tui_case_say(c, "/memory nobody");
    vt_wait_text(c->vt, "/memory, /memory project, /memory user");
    /* what is in it cannot speak to the terminal */
    test_write(path, "- \033]0;evil\007 red \033[31m\n", 22);
    tui_case_say(c, "/memory");
    vt_wait_text(c->vt, "user");
    vt_type(c->vt, DOWN);
    vt_wait_text(c->vt, "␛]0;evil");
    vt_type(c->vt, ESC);
    vt_wait_no_text(c->vt, "Esc close");
    /* nor lead anywhere else */
    assert_int_equal(unlink(path), 0);
    assert_int_equal(symlink(editor, path), 0);
    tui_case_say(c, "##one more");
    vt_wait_text(c->vt, "is a link, which is not followed");
    text = test_read(editor, &len);
    assert_null(strstr(text, "one more"));
    free(text);
    free(path);
    free(editor);
}

/* The notes are shown where they cannot be edited, and stay as they are. */
static void test_memory_without_editor(void **state)
{
    struct tui_case *c = *state;
    char *path = test_path(c->sandbox->dir, "config/sf/memory.md"), *text;
    size_t len;

    sandbox_setenv(c->sandbox, "EDITOR", "no-such-editor --wait");
    tui_case_open(c, "", ROWS, COLS);
    tui_case_say(c, "##short answers, please");
    vt_wait_text(c->vt, "noted for later sessions of you, in every project");
    tui_case_say(c, "/memory user");
    vt_wait_text(c->vt, "There is no editor: set EDITOR");
    vt_wait_text(c->vt, "short answers, please");
    vt_type(c->vt, ESC);
    vt_wait_no_text(c->vt, "Esc close");
    text = test_read(path, &len);
    assert_string_equal(text, "- short answers, please\n");
    free(text);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_screens, screen_setup, screen_teardown),
        cmocka_unit_test_setup_teardown(test_goal_from_outside, tui_case_setup, tui_case_teardown),
        cmocka_unit_test_setup_teardown(test_summary, tui_case_setup, tui_case_teardown),
        cmocka_unit_test_setup_teardown(test_memory, tui_case_setup, tui_case_teardown),
        cmocka_unit_test_setup_teardown(test_memory_without_editor, tui_case_setup,
                                        tui_case_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
