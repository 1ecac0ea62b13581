/*
 * What the screen says is true: a pause that is not over yet, what follows by itself, what was copied,
 * and sentences that stop being true while they stand there.
 */
#include "support/agent_sandbox.h"
#include "support/pty_case.h"
#include "support/test.h"
#include "support/tree.h"

#define AT_TERMINAL(fn) cmocka_unit_test_setup_teardown(fn, pty_case_setup, pty_case_teardown)

#define WAITS "!sleep 1000\r" /* until Esc */

/* The badge reads `paused` only when nothing runs any more. */
static void test_pausing(void **state)
{
    struct pty_case *s = *state;

    pty_case_begin(s, NULL);
    pty_case_type(s, "/autonomous\r", "chat | autonomous");
    pty_case_type(s, WAITS, "your command runs 0:01");
    pty_case_type(s, "/pause\r", "pausing");
    pty_case_type(s, "x", "› x"); /* what runs moves, so a later key tells a later frame */
    assert_false(pty_case_sees(s, "| paused"));
    assert_false(pty_case_sees(s, "→paused"));
    vt_type(s->vt, "\177");
    vt_wait_no_text(s->vt, "› x");
    pty_case_type(s, "\033", "chat | paused");
    pty_case_lacks(s, "pausing");
}

/* On small screens, too; and a session elsewhere is told of by `sf mode`. */
static void test_pausing_small(void **state)
{
    struct pty_case *s = *state;

    s->rows = 10;
    s->cols = 40;
    pty_case_begin(s, NULL);
    pty_case_type(s, "/autonomous\r", "[C][A][N][S]");
    vt_wait_text(s->vt, "waits for you: nothing follows yet");
    pty_case_type(s, WAITS, "your command runs 0:01");
    pty_case_type(s, "/pause\r", "pausing]");
    pty_case_type(s, "\033", "[C][paused][N][S]");
}

/* While a turn runs in a terminal, another process says of its pause what that one says. */
static void test_pausing_elsewhere(void **state)
{
    struct pty_case *s = *state;

    pty_case_serve(s, "reply\n    headers-delay 60000\n    text \"late\"\n");
    pty_case_begin(s, NULL);
    pty_case_type(s, "/autonomous\r", "chat | autonomous");
    pty_case_type(s, "hello\r", "working");
    pty_case_type(s, "/pause\r", "chat | pausing");
    sandbox_expect(s->sandbox, "mode", 0, "chat | pausing", NULL);
    pty_case_type(s, "\033", "chat | paused");
    sandbox_expect(s->sandbox, "mode", 0, "chat | paused", NULL);
}

/* Esc pauses a run that goes on by itself; the next one cancels its turn. */
static void test_escape_pauses(void **state)
{
    struct pty_case *s = *state;

    pty_case_serve(s, "reply\n    headers-delay 60000\n    text \"late\"\n");
    pty_case_begin(s, NULL);
    pty_case_type(s, "/autonomous\r", "chat | autonomous");
    pty_case_type(s, "hello\r", "Esc pauses");
    pty_case_type(s, "\033", "chat | pausing");
    vt_wait_text(s->vt, "Esc again cancels what runs");
    vt_wait_text(s->vt, "pause off → on");
    vt_wait_text(s->vt, "Esc cancels");
    assert_false(pty_case_sees(s, "| paused"));
    pty_case_type(s, "\033", "chat | paused");
    pty_case_lacks(s, "Esc again cancels what runs");
}

/* Nothing runs, so nothing follows: the screen says what it waits for. */
static void test_nothing_follows(void **state)
{
    struct pty_case *s = *state;

    pty_case_begin(s, NULL);
    pty_case_type(s, "\030a", "waits for you: nothing follows yet");
    pty_case_type(s, "/status\r", "/autonomous carries out a plan");
    pty_case_type(s, "\033", "waits for you: nothing");
    pty_case_type(s, "\030s", "chat | assisted");
    vt_wait_no_text(s->vt, "nothing follows");
}

/* Without a desktop the text goes to the terminal, and nobody knows whether it takes it. */
static void test_copy(void **state)
{
    struct pty_case *s = *state;

    pty_case_begin(s, NULL);
    pty_case_type(s, "list\r", "Listed");
    vt_wait_no_text(s->vt, "Esc cancels");
    pty_case_type(s, "/copy\r", "sent the last answer to the terminal, which may not take it");
}

/* A sentence about what runs goes when that is over. */
static void test_stale(void **state)
{
    struct pty_case *s = *state;

    pty_case_begin(s, NULL);
    pty_case_type(s, WAITS, "your command runs 0:01");
    pty_case_type(s, "\004", "a command of yours is running: Esc cancels it");
    pty_case_type(s, "\033", "plan·agent·yolo");
    pty_case_lacks(s, "is running: Esc cancels it");
    pty_case_type(s, "some words", "› some words");
    pty_case_type(s, "\003", "cleared; Ctrl+_ brings it back");
    pty_case_type(s, "x", "› x");
    pty_case_lacks(s, "cleared");
    vt_type(s->vt, "\003");
    vt_wait_no_text(s->vt, "› x");
    pty_case_type(s, "\003", "Ctrl+C again quits");
    pty_case_type(s, "y", "› y");
    pty_case_lacks(s, "again quits");
}

/* A change that waits for a step is in force when the step is over, and no sentence says less. */
static void test_pending(void **state)
{
    struct pty_case *s = *state;

    pty_case_begin(s, NULL);
    pty_case_type(s, WAITS, "your command runs 0:01");
    pty_case_type(s, "/mode plan\r", "in force when the running step ends");
    pty_case_type(s, "\033", "SF  plan | manual");
    pty_case_lacks(s, "in force when");
}

/* ---- the checkout ---- */

#define COMMIT "git -c user.name=A -c user.email=a@example.org commit -q -m "

static void elsewhere(const struct pty_case *s, const char *command)
{
    free(tree_run(s->sandbox->workspace, command, NULL));
}

/* What git does in another terminal shows without a key; a file changed there, with the next line. */
static void test_checkout(void **state)
{
    struct pty_case *s = *state;

    pty_case_file(s, "a.txt", "one\n");
    elsewhere(s, "git init -q -b trunk && git add a.txt && " COMMIT "first");
    pty_case_begin(s, NULL);
    vt_wait_text(s->vt, "  trunk  ");
    elsewhere(s, "git checkout -q -b topic");
    vt_wait_text(s->vt, "  topic  ");
    elsewhere(s, "echo two >a.txt && git add a.txt");
    vt_wait_text(s->vt, "  topic*  ");
    elsewhere(s, COMMIT "second");
    vt_wait_text(s->vt, "  topic  ");
    pty_case_file(s, "a.txt", "three\n");
    pty_case_type(s, "/sidebar auto\r", "  topic*  ");
}

/* A word about something else leaves the running job in sight. */
static void test_job_beside_message(void **state)
{
    struct pty_case *s = *state;

    pty_case_serve(s, "reply\n    call Bash {\"command\": \"exec sleep 600\", "
                      "\"run_in_background\": true}\nreply\n    text \"It runs.\"\n");
    pty_case_begin(s, "--mode build --control assisted --permission-profile trusted");
    pty_case_type(s, "go on\r", "It runs.");
    vt_wait_text(s->vt, "1 job running");
    pty_case_type(s, "/sidebar off\r", "sidebar off");
    assert_true(pty_case_sees(s, "1 job running · /tasks"));
}

/* The card says of a command what its text does not: it goes on behind the answer. */
static void test_background_card(void **state)
{
    struct pty_case *s = *state;

    pty_case_serve(s, "reply\n    call Bash {\"command\": \"touch a && sleep 600\", "
                      "\"run_in_background\": true}\nreply\n    text \"Well.\"\n");
    pty_case_begin(s, NULL);
    pty_case_type(s, "go on\r", "in the background, until it or the session ends");
    pty_case_wait_card(s->vt, 1);
    vt_type(s->vt, "n");
    vt_wait_text(s->vt, "Well.");
}

/* The model may name whole paths; the row says where the file is in the workspace. */
static void test_paths_of_errors(void **state)
{
    struct sf_strbuf scenario = SF_STRBUF_INIT;
    struct pty_case *s = *state;

    pty_case_file(s, "a.txt", "one\n");
    sf_strbuf_addf(&scenario,
                   "reply\n    call Edit {\"file_path\": \"%s/a.txt\", \"old_string\": \"one\", "
                   "\"new_string\": \"two\"}\nreply\n    text \"Well.\"\n",
                   s->sandbox->workspace);
    pty_case_serve(s, scenario.buf);
    sf_strbuf_release(&scenario);
    pty_case_begin(s, "--mode build --control assisted");
    pty_case_type(s, "go on\r", "Well.");
    pty_case_type(s, "\017", "a.txt has not been read yet");
    pty_case_lacks(s, "/a.txt has not");
}

/* What an added directory may be used for is too long for the row above the composer. */
static void test_added_directory(void **state)
{
    struct pty_case *s = *state;

    elsewhere(s, "mkdir ../beside");
    s->rows = 24;
    s->cols = 80;
    pty_case_begin(s, NULL);
    pty_case_type(s, "/add-dir ../beside\r", "writing there asks");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        AT_TERMINAL(test_pausing),
        AT_TERMINAL(test_pausing_small),
        AT_TERMINAL(test_pausing_elsewhere),
        AT_TERMINAL(test_escape_pauses),
        AT_TERMINAL(test_nothing_follows),
        AT_TERMINAL(test_copy),
        AT_TERMINAL(test_stale),
        AT_TERMINAL(test_pending),
        AT_TERMINAL(test_checkout),
        AT_TERMINAL(test_job_beside_message),
        AT_TERMINAL(test_background_card),
        AT_TERMINAL(test_paths_of_errors),
        AT_TERMINAL(test_added_directory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
