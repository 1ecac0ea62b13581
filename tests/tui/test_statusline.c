/*
 * test_statusline.c: the user's own line of facts on the screen: above the composer while nothing
 * else is said there, from the moment it is set, and at the next start.
 */
#include "support/agent_sandbox.h"
#include "support/pty_case.h"
#include "support/screen_case.h"
#include "support/test.h"

static void test_pictures(void **state)
{
    static const struct screen_step steps[] = {
        SEE("test-model · topic"),
        SHOT("statusline", AT_SOME | AT_10 | AT_120),
        KEYS("/statusline {model} on {brnch}\r"),
        SEE("did you mean"),
        SHOT("statusline_refused", AT_80),
        KEYS("/statusline\r"),
        SEE("Esc close"),
        SHOT("overlay_statusline", AT_80 | AT_120),
        END,
    };
    static const struct screen_run run = {
        .name = "statusline",
        .scenario = "reply\n    text \"Hello.\"\n",
        .settings = "statusline = \"{model} · {branch}{dirty} · {jobs} · ctx {context}\"\n",
        .prepare = "git init -q . && echo 'ref: refs/heads/topic' >.git/HEAD",
        .steps = steps,
    };

    screen_play(state, &run);
}

static void test_life(void **state)
{
    struct pty_case *s = *state;

    pty_case_serve(s, "reply\n    text \"One.\"\n    delay 60000\n    text \"Two.\"\n");
    pty_case_begin(s, NULL);
    pty_case_type(s, "/statusline with {model} here\r", "with test-model here");
    vt_type(s->vt, "go\r");
    vt_wait_text(s->vt, "One.");
    vt_wait_no_text(s->vt, "with test-model here"); /* the work has the row */
    vt_type(s->vt, "\033[27u");
    vt_wait_text(s->vt, "with test-model here");
    pty_case_leave(s);
    pty_case_begin(s, NULL);
    vt_wait_text(s->vt, "with test-model here");
    vt_type(s->vt, "/statusline off\r");
    vt_wait_no_text(s->vt, "with test-model here");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_pictures, screen_setup, screen_teardown),
        cmocka_unit_test_setup_teardown(test_life, pty_case_setup, pty_case_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
