/*
 * sf --inline: the conversation is printed and stays the terminal's, the rest is drawn below it;
 * lists and looking back take the alternate screen for a while.
 */
#include <signal.h>
#include <sys/wait.h>

#include "support/test.h"
#include "support/tui_case.h"

enum { ROWS = 40, COLS = 90 };

#define ESC  "\033[27u"
#define PGUP "\033[5~"
#define PGDN "\033[6~"

static const char answers[] = "reply\n    text \"The first answer.\"\n"
                              "reply\n    text \"The second answer.\"\n"
                              "reply\n    text \"The third answer.\"\n";

static size_t times_in(struct vt *vt, const char *text)
{
    char *all = vt_text(vt);
    size_t count = 0;

    for (const char *at = all; (at = strstr(at, text)); at++)
        count++;
    free(all);
    return count;
}

static size_t times_seen(struct tui_case *c, const char *text)
{
    return times_in(c->vt, text);
}

static bool is_once(struct vt *vt, const void *text)
{
    return times_in(vt, text) == 1;
}

/* While a block moves up it may be there twice, or not at all, for a frame. */
static void expect_once(struct tui_case *c, const char *text)
{
    vt_wait(c->vt, is_once, text, text);
}

static void open_inline(struct tui_case *c, const char *scenario, const char *more, int rows)
{
    struct sf_strbuf words = SF_STRBUF_INIT;

    if (scenario)
        tui_case_serve(c, scenario);
    sf_strbuf_addf(&words, "--inline%s%s", *more ? " " : "", more);
    tui_case_open(c, words.buf, rows, COLS);
    sf_strbuf_release(&words);
}

static void test_prints(void **state)
{
    struct tui_case *c = *state;

    open_inline(c, answers, "", ROWS);
    assert_false(vt_modes(c->vt)->alternate);
    assert_false(vt_modes(c->vt)->mouse);
    tui_case_say(c, "one");
    vt_wait_text(c->vt, "The first answer.");
    tui_case_say(c, "two");
    vt_wait_text(c->vt, "The second answer.");
    vt_wait_quiet(c->vt);
    assert_false(vt_modes(c->vt)->alternate);
    expect_once(c, "Welcome to");
    expect_once(c, "The first answer.");
    expect_once(c, "The second answer.");
    expect_once(c, "›");
    expect_once(c, "chat | manual | normal | smart");
}

/* What does not fit any more went up, in order, and the block is whole. */
static void test_scrolls_away(void **state)
{
    struct tui_case *c = *state;

    open_inline(c, answers, "", 8);
    tui_case_say(c, "one");
    vt_wait_text(c->vt, "The first answer.");
    tui_case_say(c, "two");
    vt_wait_text(c->vt, "The second answer.");
    tui_case_say(c, "three");
    vt_wait_text(c->vt, "The third answer.");
    vt_wait_quiet(c->vt);
    expect_once(c, "The third answer.");
    expect_once(c, "›");
    vt_wait_no_text(c->vt, "Welcome to");
    vt_wait_no_text(c->vt, "The first answer.");
}

static bool is_alternate(struct vt *vt, const void *ctx)
{
    const bool *wanted = ctx;

    return vt_modes(vt)->alternate == *wanted;
}

static void wait_alternate(struct tui_case *c, bool wanted)
{
    vt_wait(c->vt, is_alternate, &wanted, wanted ? "the alternate screen" : "the shell's screen");
}

static bool is_in_composer(struct vt *vt, const void *ctx)
{
    int row, col;

    (void)ctx;
    vt_cursor(vt, &row, &col);
    return col == 3;
}

static void test_lists_have_their_screen(void **state)
{
    struct tui_case *c = *state;

    open_inline(c, answers, "one", 9);
    vt_wait_text(c->vt, "The first answer.");
    tui_case_say(c, "/status");
    vt_wait_text(c->vt, "workspace");
    wait_alternate(c, true);
    vt_type(c->vt, ESC);
    wait_alternate(c, false);
    vt_wait_text(c->vt, "›");
    expect_once(c, "The first answer.");
    expect_once(c, "›");
    vt_wait(c->vt, is_in_composer, NULL, "the cursor in the composer");
    tui_case_say(c, "two");
    vt_wait_text(c->vt, "The second answer.");
    vt_type(c->vt, PGUP);
    wait_alternate(c, true);
    vt_type(c->vt, PGUP);
    vt_wait_text(c->vt, "Welcome to");
    vt_type(c->vt, PGDN PGDN);
    wait_alternate(c, false);
    tui_case_say(c, "three");
    vt_wait_text(c->vt, "The third answer.");
    vt_wait_quiet(c->vt);
    expect_once(c, "The third answer.");
    expect_once(c, "›");
}

static void test_cards(void **state)
{
    struct tui_case *c = *state;
    char *text;

    open_inline(c,
                "reply\n"
                "    call Write {\"file_path\": \"a.txt\", \"content\": \"one\\n\"}\n"
                "reply\n"
                "    text \"It is there.\"\n",
                "'write it'", ROWS);
    vt_wait_text(c->vt, "sf asks");
    wait_alternate(c, false);
    vt_wait_text(c->vt, "waiting for you"); /* it listens */
    vt_type(c->vt, "y");
    vt_wait_text(c->vt, "It is there.");
    vt_wait_quiet(c->vt);
    vt_wait_no_text(c->vt, "sf asks");
    expect_once(c, "Wrote");
    text = agent_sandbox_text(c->sandbox, "a.txt");
    assert_string_equal(text, "one\n");
    free(text);
}

/* The draft grows and shrinks, the menu comes and goes: nothing of it is left behind. */
static void test_block_changes_height(void **state)
{
    struct tui_case *c = *state;

    open_inline(c, NULL, "", 24);
    vt_type(c->vt, "one\ntwo\nthree");
    vt_wait_text(c->vt, "three");
    vt_type(c->vt, ESC);
    vt_wait_no_text(c->vt, "three");
    vt_type(c->vt, "/");
    vt_wait_text(c->vt, "/status");
    vt_type(c->vt, "\177");
    vt_wait_no_text(c->vt, "/status");
    vt_wait_quiet(c->vt);
    expect_once(c, "›");
    expect_once(c, "Welcome to");
}

static void test_resize(void **state)
{
    struct tui_case *c = *state;

    open_inline(c, answers, "one", 24);
    vt_wait_text(c->vt, "The first answer.");
    vt_wait_quiet(c->vt);
    vt_resize(c->vt, 30, 110);
    vt_wait_quiet(c->vt);
    vt_resize(c->vt, 3, 15);
    vt_wait_quiet(c->vt);
    vt_resize(c->vt, 30, 100);
    vt_wait_quiet(c->vt);
    tui_case_say(c, "two");
    vt_wait_text(c->vt, "The second answer.");
    vt_wait_quiet(c->vt);
    expect_once(c, "The second answer.");
}

static void expect_restored(struct tui_case *c)
{
    const struct vt_modes *m = vt_modes(c->vt);

    assert_true(vt_is_cooked(c->vt));
    assert_true(m->cursor);
    assert_false(m->alternate || m->paste || m->focus || m->mouse || m->sync);
    assert_int_equal(m->kitty, 0);
    assert_int_equal(m->other_keys, 0);
}

static void test_quit(void **state)
{
    struct tui_case *c = *state;

    open_inline(c, answers, "one", ROWS);
    vt_wait_text(c->vt, "The first answer.");
    tui_case_quit(c);
    expect_once(c, "The first answer.");
    expect_once(c, "resume with: sf -r");
    assert_int_equal(times_seen(c, "›"), 0);
    assert_int_equal(times_seen(c, "Enter send"), 0);
    expect_restored(c);
}

/* In mid-answer: what came is printed, and the terminal is as it was. */
static void test_signals(void **state)
{
    struct tui_case *c = *state;
    static const int signals[] = { SIGTERM, SIGHUP, SIGSEGV };

    for (size_t i = 0; i < SF_COUNT(signals); i++) {
        int status;

        open_inline(c, "reply\n    text \"It begins\"\n    stall 100000\n", "one", ROWS);
        vt_signal(c->vt, signals[i]);
        status = vt_wait_exit(c->vt);
        assert_true(WIFSIGNALED(status) || WEXITSTATUS(status));
        expect_restored(c);
        model_server_stop(c->server);
        c->server = NULL;
    }
}

int main(void)
{
#define AT_TERMINAL(fn) cmocka_unit_test_setup_teardown(fn, tui_case_setup, tui_case_teardown)
    const struct CMUnitTest tests[] = {
        AT_TERMINAL(test_prints),
        AT_TERMINAL(test_scrolls_away),
        AT_TERMINAL(test_lists_have_their_screen),
        AT_TERMINAL(test_cards),
        AT_TERMINAL(test_block_changes_height),
        AT_TERMINAL(test_resize),
        AT_TERMINAL(test_quit),
        AT_TERMINAL(test_signals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
