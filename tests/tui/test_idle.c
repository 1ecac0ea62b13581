/*
 * At rest nothing happens: not a byte, not a wake-up in ten seconds, under every run control.
 */
#include "io/io.h"
#include "support/agent_sandbox.h"
#include "support/pty_case.h"
#include "support/test.h"

enum { REST_MS = 10000, SETTLE_MS = 1000, SETTLE_TRIES = 30 };

#define AT_TERMINAL(fn) cmocka_unit_test_setup_teardown(fn, pty_case_setup, pty_case_teardown)

/* Late timers (a word that goes away, the draft) end by themselves. */
static void settle(struct vt *vt)
{
    for (int i = 0; i < SETTLE_TRIES; i++) {
        uint64_t before = vt_switches(vt);

        vt_take(vt);
        vt_pump(vt, SETTLE_MS);
        if (vt_switches(vt) == before && !vt_take(vt)->len)
            return;
    }
    fail_msg("sf never comes to rest");
}

static void expect_rest(struct vt *vt)
{
    uint64_t before;

    settle(vt);
    before = vt_switches(vt);
    vt_pump(vt, REST_MS);
    assert_int_equal(vt_switches(vt) - before, 0);
    assert_int_equal(vt_take(vt)->len, 0);
}

/* After some work: a turn, an overlay, a command and a word in the status row have left nothing. */
static void test_rest(void **state)
{
    struct pty_case *s = *state;

    pty_case_begin(s, NULL);
    pty_case_type(s, "list\r", "Listed");
    vt_wait_no_text(s->vt, "Esc cancels");
    pty_case_type(s, "!echo sum-$((20+22))\r", "sum-42");
    pty_case_type(s, "\033OP", "Esc close");
    vt_type(s->vt, "\033");
    vt_wait_no_text(s->vt, "Esc close");
    pty_case_type(s, "a draft", "› a draft");
    expect_rest(s->vt);
}

/* Nothing drives while nothing runs: the badge stands still, and the screen says what it waits for. */
static void test_autonomous(void **state)
{
    struct pty_case *s = *state;

    pty_case_begin(s, NULL);
    pty_case_type(s, "\030a", "chat | autonomous");
    vt_wait_text(s->vt, "waits for you: nothing follows yet");
    expect_rest(s->vt);
}

/* With the sidebar open, after a turn that it tells about. */
static void test_sidebar(void **state)
{
    static const char settings[] = "[ui]\nsidebar = \"on\"\n";
    struct pty_case *s = *state;

    test_write(s->sandbox->config, settings, sizeof(settings) - 1);
    s->rows = 45;
    s->cols = 160;
    pty_case_begin(s, NULL);
    vt_wait_text(s->vt, "┬");
    pty_case_type(s, "list\r", "Listed");
    vt_wait_no_text(s->vt, "Esc cancels");
    expect_rest(s->vt);
    pty_case_type(s, "\030e", "sidebar off");
    vt_wait_no_text(s->vt, "┬");
    pty_case_type(s, "/sidebar auto\r", "sidebar auto");
}

static void test_low_motion(void **state)
{
    struct pty_case *s = *state;
    static const char settings[] = "[ui]\nlow_motion = true\n";

    test_write(s->sandbox->config, settings, sizeof(settings) - 1);
    pty_case_begin(s, NULL);
    pty_case_type(s, "\030a", "chat | autonomous");
    settle(s->vt);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        AT_TERMINAL(test_rest),
        AT_TERMINAL(test_autonomous),
        AT_TERMINAL(test_sidebar),
        AT_TERMINAL(test_low_motion),
    };

    cmocka_set_test_filter(getenv("SF_TEST_FILTER"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
