/*
 * At rest nothing happens: not a byte, not a wake-up in ten seconds. The one thing that moves by
 * itself, the pulse of an autonomous session, draws at most twice a second.
 */
#include "io/io.h"
#include "support/agent_sandbox.h"
#include "support/pty_case.h"
#include "support/test.h"

enum { REST_MS = 10000, SETTLE_MS = 1000, SETTLE_TRIES = 30, PULSE_MS = 4000, EVERY_MS = 500 };

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

/* Synchronized output marks each frame. */
static unsigned frames(struct vt *vt)
{
    const struct sf_strbuf *out = vt_take(vt);
    const char *at = out->buf, *end = out->buf + out->len;
    unsigned count = 0;

    while ((at = memmem(at, (size_t)(end - at), "\033[?2026h", 8))) {
        count++;
        at += 8;
    }
    return count;
}

static void test_pulse(void **state)
{
    struct pty_case *s = *state;
    const char *const argv[] = { SF_PROGRAM, NULL };
    int64_t began;
    unsigned seen;

    pty_case_run(s, argv);
    vt_wait_text(s->vt, "F1 help");
    pty_case_type(s, "\030a", "chat | autonomous");
    vt_pump(s->vt, SETTLE_MS);
    frames(s->vt);
    began = sf_clock_monotonic_ms();
    vt_pump(s->vt, PULSE_MS);
    seen = frames(s->vt);
    assert_in_range(seen, 1, (sf_clock_monotonic_ms() - began) / EVERY_MS + 2);
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
        AT_TERMINAL(test_pulse),
        AT_TERMINAL(test_low_motion),
    };

    cmocka_set_test_filter(getenv("SF_TEST_FILTER"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
