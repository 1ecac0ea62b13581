/*
 * test_sidebar.c: the sidebar on the screen: from 130 columns on, beside the conversation, with
 * what is true now; a job that writes is followed, and is named before it ends with sf.
 */
#include "support/agent_sandbox.h"
#include "support/pty_case.h"
#include "support/screen_case.h"
#include "support/test.h"

#define AT_TERMINAL(fn) cmocka_unit_test_setup_teardown(fn, pty_case_setup, pty_case_teardown)

static const char script[] =
    "reply\n    call Plan {\"items\": [{\"content\": \"read the grammar\", \"status\": "
    "\"completed\"}, {\"content\": \"write the list\", \"status\": \"in_progress\"}, "
    "{\"content\": \"measure it\", \"status\": \"pending\"}]}\n"
    "reply\n    call Bash {\"command\": \"echo begun-$((20+3)); exec sleep 600\", "
    "\"run_in_background\": true}\n"
    "reply\n    text \"It runs.\"\n";

static void begin(struct pty_case *s, int rows, int cols)
{
    s->rows = rows;
    s->cols = cols;
    pty_case_serve(s, script);
    pty_case_begin(s, "--mode build --control assisted --permission-profile trusted");
    pty_case_type(s, "go on\r", "It runs.");
    vt_wait_no_text(s->vt, "Esc cancels");
}

/* Below 130 columns its lines are elsewhere: the job stands in the line above the composer. */
static void test_widths(void **state)
{
    struct pty_case *s = *state;

    begin(s, 40, 130);
    vt_wait_text(s->vt, "1 of 3");
    vt_wait_text(s->vt, "│ ▸ write the list");
    vt_wait_text(s->vt, "Running  1 job");
    vt_resize(s->vt, 40, 129);
    vt_wait_no_text(s->vt, "│ ▸ write the list");
    vt_wait_text(s->vt, "1 job running · /tasks");
    vt_resize(s->vt, 45, 160);
    vt_wait_text(s->vt, "│ ▸ write the list");
    pty_case_type(s, "/status\r", "1 of 3 done; now: write the list");
}

/* Its page follows what the job writes; leaving asks, and names the job. */
static void test_job(void **state)
{
    struct pty_case *s = *state;

    begin(s, 24, 80);
    pty_case_type(s, "/bashes 1\r", "begun-23");
    vt_wait_text(s->vt, "x end it");
    vt_type(s->vt, "\033");
    vt_wait_no_text(s->vt, "x end it");
    pty_case_type(s, "/quit\r", "end what runs in the background");
    pty_case_wait_card(s->vt, 1);
    vt_type(s->vt, "n");
    vt_wait_no_text(s->vt, "end what runs in the background");
    pty_case_type(s, "/bashes cancel 1\r", "›");
    vt_wait_no_text(s->vt, "1 job running");
}

/* The same session on screens with and without room for it. */
static void test_pictures(void **state)
{
    static const struct screen_step steps[] = {
        SEE("test-model answers"),
        KEYS("go on\r"),
        SEE("It runs."),
        UNSEE("Esc cancels"),
        SHOT("sidebar", AT_20 | AT_10 | AT_129 | AT_130 | AT_160),
        END,
    };
    static const struct screen_run run = {
        .name = "sidebar",
        .scenario =
            "reply\n    usage input=3000 output=200\n    call Plan {\"items\": [{\"content\": \"read "
            "the grammar\", \"status\": \"completed\"}, {\"content\": \"write the list\", "
            "\"status\": \"in_progress\"}, {\"content\": \"measure it\", \"status\": "
            "\"pending\"}]}\n"
            "reply\n    usage input=4000 output=300\n    call Write {\"file_path\": \"src/list.txt\", "
            "\"content\": \"one\\ntwo\\n\"}\n"
            "reply\n    usage input=5000 output=100\n    call Bash {\"command\": \"exec sleep 600\", "
            "\"run_in_background\": true}\n"
            "reply\n    usage input=6000 output=50\n    text \"It runs.\"\n",
        .args = "--mode build --control assisted --permission-profile trusted",
        .steps = steps,
    };

    screen_play(state, &run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        AT_TERMINAL(test_widths),
        AT_TERMINAL(test_job),
        cmocka_unit_test_setup_teardown(test_pictures, screen_setup, screen_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
