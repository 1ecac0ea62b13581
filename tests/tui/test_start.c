/*
 * How sf begins at a terminal: words on the command line, the last session, one of its own.
 */
#include "support/test.h"
#include "support/tui_case.h"

enum { ROWS = 24, COLS = 90 };

static const char greeting[] = "reply repeat=4\n    text \"Hello to you.\"\n";

static void test_first_words(void **state)
{
    struct tui_case *c = *state;
    static const char *const ways[] = { "'say hello now'", "say hello now", "-- say hello now",
                                        "--mode chat say hello now" };

    tui_case_serve(c, greeting);
    for (size_t i = 0; i < SF_COUNT(ways); i++) {
        tui_case_open(c, ways[i], ROWS, COLS);
        vt_wait_text(c->vt, "say hello now");
        vt_wait_text(c->vt, "Hello to you.");
        tui_case_quit(c);
    }
    agent_sandbox_check(c->server, "first words");
}

static void test_goes_on(void **state)
{
    struct tui_case *c = *state;

    tui_case_serve(c, greeting);
    tui_case_open(c, "'the first thing'", ROWS, COLS);
    vt_wait_text(c->vt, "Hello to you.");
    tui_case_quit(c);
    tui_case_open(c, "-c", ROWS, COLS);
    vt_wait_text(c->vt, "the first thing");
    tui_case_quit(c);
    tui_case_open(c, "-r latest 'the second thing'", ROWS, COLS);
    vt_wait_text(c->vt, "the first thing");
    vt_wait_text(c->vt, "the second thing");
    tui_case_quit(c);
}

/* It stands in an empty conversation alone: the first words, a command, a resumed one end it. */
static void test_welcome(void **state)
{
    struct tui_case *c = *state;

    tui_case_serve(c, greeting);
    tui_case_open(c, "", ROWS, COLS);
    vt_wait_text(c->vt, "Welcome to work. test-model answers, from scripted");
    vt_wait_text(c->vt, "you approve every side effect");
    tui_case_say(c, "/mode build");
    vt_wait_text(c->vt, "change what the scope covers"); /* it follows the badge */
    tui_case_say(c, "say hello now");
    vt_wait_text(c->vt, "Hello to you.");
    vt_wait_no_text(c->vt, "Welcome to work.");
    tui_case_quit(c);
    tui_case_open(c, "-c", ROWS, COLS);
    vt_wait_text(c->vt, "say hello now");
    vt_wait_no_text(c->vt, "Welcome to work.");
    tui_case_say(c, "/new");
    vt_wait_text(c->vt, "Welcome to work.");
    tui_case_say(c, "!true");
    vt_wait_no_text(c->vt, "Welcome to work.");
}

static void test_welcome_offline(void **state)
{
    struct tui_case *c = *state;

    tui_case_open(c, "", ROWS, COLS);
    vt_wait_text(c->vt, "No model is connected yet");
    vt_wait_text(c->vt, "find TODO in src");
    vt_resize(c->vt, 12, 40);
    vt_wait_text(c->vt, "The offline operator");
    vt_resize(c->vt, 6, 20);
    vt_wait_text(c->vt, "Offline: /connect");
}

static bool has_mouse(struct vt *vt, const void *ctx)
{
    (void)ctx;
    return vt_modes(vt)->mouse;
}

static void test_mouse(void **state)
{
    struct tui_case *c = *state;

    tui_case_open(c, "", ROWS, COLS);
    vt_wait(c->vt, has_mouse, NULL, "the mouse");
    tui_case_open(c, "--no-mouse-capture", ROWS, COLS);
    assert_false(vt_modes(c->vt)->mouse);
    tui_case_say(c, "/mouse");
    vt_wait(c->vt, has_mouse, NULL, "the mouse");
}

int main(void)
{
#define AT_TERMINAL(fn) cmocka_unit_test_setup_teardown(fn, tui_case_setup, tui_case_teardown)
    const struct CMUnitTest tests[] = {
        AT_TERMINAL(test_first_words),     AT_TERMINAL(test_goes_on), AT_TERMINAL(test_welcome),
        AT_TERMINAL(test_welcome_offline), AT_TERMINAL(test_mouse),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
