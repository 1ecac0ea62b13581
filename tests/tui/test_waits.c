/*
 * What the terminal says while something goes on: a turn that streams, a command of the user's; what
 * was sent before, and lists that are typed, pasted and clicked into.
 */
#include <signal.h>
#include <string.h>

#include "support/agent_sandbox.h"
#include "support/pty_case.h"
#include "support/test.h"

#define AT_TERMINAL(fn) cmocka_unit_test_setup_teardown(fn, pty_case_setup, pty_case_teardown)

#define ESC  "\033[27u"
#define UP   "\033[A"
#define DOWN "\033[B"
#define PGUP "\033[5~"
#define PGDN "\033[6~"

#define UNTIL_GO "!until test -e go; do sleep 0.02; done\r"

/* ---- what is said meanwhile ---- */

/* Scrolled away from text that streams in, both are said: that it works, and that there is more. */
static void test_more_below(void **state)
{
    struct pty_case *s = *state;

    pty_case_serve(
        s, "reply\n    text \"1\\n\\n2\\n\\n3\\n\\n4\\n\\n5\\n\\n6\\n\\n7\\n\\n8\\n\\n9\\n\\n"
           "10\\n\\n11\\n\\n12\\n\\n13\\n\\nlast\"\n    until \"${workspace}/go\"\n"
           "    text \", and over\"\n");
    pty_case_begin(s, NULL);
    pty_case_type(s, "count\r", "last");
    assert_false(pty_case_sees(s, "more below"));
    pty_case_type(s, PGUP, "↓ more below");
    vt_wait_text(s->vt, "working 0:");
    assert_true(pty_case_sees(s, "Esc cancels"));
    pty_case_type(s, "\033[1;5F", "last"); /* Ctrl+End */
    vt_wait_no_text(s->vt, "more below");
    pty_case_type(s, "/vim\r", "vim");
    pty_case_type(s, "x", "INSERT · working 0:");
    pty_case_file(s, "go", "");
    vt_wait_text(s->vt, "and over");
    vt_wait_no_text(s->vt, "working");
    vt_wait_text(s->vt, "INSERT");
}

/* A command of the user's is waited for like a turn. */
static void test_own_command(void **state)
{
    struct pty_case *s = *state;

    pty_case_serve(s, "reply\n    text \"it went out\"\nreply\n    text \"the second too\"\n");
    pty_case_begin(s, NULL);
    pty_case_type(s, UNTIL_GO, "your command runs 0:");
    vt_wait_text(s->vt, "Esc cancels");
    vt_wait_text(s->vt, "Tab queue");
    pty_case_type(s, "\004", "a command of yours is running: Esc cancels it");
    pty_case_type(s, "and then\t", "⋮ 1  and then");
    pty_case_file(s, "go", "");
    vt_wait_text(s->vt, "it went out"); /* when the command is over */
    vt_wait_no_text(s->vt, "Esc cancels");
    pty_case_type(s, "!sleep 600\r", "your command runs 0:");
    pty_case_type(s, "kept\t", "⋮ 1  kept");
    pty_case_type(s, ESC, "1 queued: kept"); /* it was stopped */
    vt_wait_no_text(s->vt, "Esc cancels");
    assert_int_equal(model_server_count(s->server), 1);
    pty_case_type(s, "not queued\t", "nothing runs that it could wait for");
}

/* ---- what was sent before ---- */

static void test_going_back(void **state)
{
    struct pty_case *s = *state;

    pty_case_begin(s, NULL);
    pty_case_type(s, "list\r", "Listed");
    vt_wait_no_text(s->vt, "Esc cancels");
    pty_case_type(s, "/status\r", "Esc close");
    pty_case_type(s, ESC, "F1 help");
    vt_wait_no_text(s->vt, "Esc close");
    pty_case_type(s, UP, "› /status");
    assert_false(pty_case_sees(s, "take it")); /* no menu, which would take the next key */
    pty_case_type(s, UP, "› list");
    pty_case_type(s, DOWN, "› /status");
    pty_case_type(s, "\177", "take it"); /* written in: here it is */
}

/* Every line comes back in another run, with all its words. */
static void test_lines_of_before(void **state)
{
    static const char *const lines[] = { "/cost", "!echo mine-$((1+1))", "steered words",
                                         "first line ⏎ second SECRETWORD", "#a note" };
    struct pty_case *s = *state;

    pty_case_serve(s,
                   "reply\n    text \"so far\"\n    until \"${workspace}/go\"\n    text \" over\"\n"
                   "reply\n    text \"heard\"\n");
    pty_case_begin(s, NULL);
    pty_case_type(s, "first line\n", "first line");
    pty_case_type(s, "second SECRETWORD", "SECRETWORD");
    pty_case_type(s, "\r", "so far");
    pty_case_type(s, "steered words\r", "↳ steered words");
    pty_case_file(s, "go", "");
    vt_wait_text(s->vt, "heard");
    vt_wait_no_text(s->vt, "Esc cancels");
    pty_case_type(s, "!echo mine-$((1+1))\r", "mine-2");
    pty_case_type(s, "/cost\r", "Esc close");
    pty_case_type(s, ESC, "F1 help");
    pty_case_type(s, "#a note\r", "noted");
    vt_signal(s->vt, SIGKILL);
    vt_wait_exit(s->vt);
    pty_case_begin(s, NULL);
    pty_case_type(s, "\022", "Sent before");
    for (size_t i = 0; i < SF_COUNT(lines); i++)
        vt_wait_text(s->vt, lines[i]);
    pty_case_type(s, "SECRETW", "/ SECRETW");
    vt_wait_no_text(s->vt, "steered words");
    vt_wait_text(s->vt, "▸ first line ⏎ second SECRETWORD");
}

/* ---- lists ---- */

static void test_paste_and_click(void **state)
{
    struct pty_case *s = *state;

    pty_case_begin(s, NULL);
    pty_case_type(s, "a draft", "› a draft");
    pty_case_type(s, "\013", "type to narrow");
    pty_case_type(s, "\033[200~rename\033[201~", "▸ /rename TITLE");
    pty_case_type(s, "\r", "Ctrl+_ or ↑ brings it back");
    vt_wait_text(s->vt, "› /rename");
    pty_case_type(s, "\037", "› a draft");
    pty_case_type(s, "\003", "cleared");
    pty_case_type(s, "/theme\r", "Esc close");
    pty_case_type(s, "\033[<0;10;5M\033[<0;10;5m", "Esc close");
    vt_wait_quiet(s->vt);
    pty_case_type(s, "\033[<0;10;4M\033[<0;10;4m", "▸"); /* the first row */
    vt_wait_quiet(s->vt);
    vt_type(s->vt, "\033[<0;10;4M\033[<0;10;4m"); /* again: it is chosen */
    vt_wait_no_text(s->vt, "Esc close");
}

/* On the smallest screen no line is passed over. */
static void test_small_pages(void **state)
{
    struct pty_case *s = *state;

    s->rows = 6;
    s->cols = 40;
    pty_case_begin(s, NULL);
    pty_case_type(s, "/help\r", "1-3 of");
    pty_case_type(s, PGDN, "3-5 of");
    pty_case_type(s, PGDN, "5-7 of");
    pty_case_type(s, PGUP, "3-5 of");
}

/* A file is named as the picker writes it, blanks and all, and found by that name. */
static void test_mention(void **state)
{
    struct pty_case *s = *state;

    pty_case_file(s, "dir with space/file one.txt", "what it says\n");
    pty_case_file(s, "plain.txt", "plainly\n");
    pty_case_begin(s, NULL);
    pty_case_type(s, "read @fileone", "▸ dir with space/file one.txt");
    pty_case_type(s, "\t", "› read @\"dir with space/file one.txt\"");
    pty_case_type(s, "\r", "what it says");
    vt_wait_no_text(s->vt, "Esc cancels");
    pty_case_type(s, "read @plai", "▸ plain.txt");
    pty_case_type(s, "\t", "› read @plain.txt");
    pty_case_type(s, "\r", "plainly");
}

/* ---- small things ---- */

static void test_long_branch(void **state)
{
    struct pty_case *s = *state;

    pty_case_file(s, ".git/HEAD", "ref: refs/heads/feature/a-name-that-is-longer-than-its-room\n");
    pty_case_begin(s, NULL);
    vt_wait_text(s->vt, "  feature/a-name-that-is-longer-than-its…  ctx ");
}

static void test_copied_characters(void **state)
{
    struct pty_case *s = *state;

    pty_case_begin(s, NULL);
    pty_case_type(s, "漢字漢字漢字\r", "you  漢字漢字漢字");
    vt_wait_no_text(s->vt, "Esc cancels");
    pty_case_type(s, "\033[<0;7;3M\033[<32;18;3M\033[<0;18;3m", "6 characters");
}

/* What would change, as a diff, of the row that is chosen, however fast that was. */
static void test_restore_preview(void **state)
{
    struct pty_case *s = *state;
    char name[32], create[96];

    pty_case_begin(s, "--mode build --control autonomous --permission-profile trusted");
    for (int i = 1; i <= 4; i++) {
        snprintf(name, sizeof(name), "f%d.txt", i);
        snprintf(create, sizeof(create), "create %s with content 'words %d'\r", name, i);
        snprintf(name, sizeof(name), "created f%d.txt", i);
        pty_case_type(s, create, name);
        vt_wait_no_text(s->vt, "Esc pauses");
    }
    pty_case_type(s, "/restore\r", "words 4");
    vt_wait_text(s->vt, "- f4.txt");
    assert_false(pty_case_sees(s, "- f3.txt"));
    vt_type(s->vt, DOWN DOWN DOWN);
    vt_wait_text(s->vt, "- f1.txt");
    vt_wait_text(s->vt, "0 added, 0 changed, 4 removed");
    vt_wait_text(s->vt, "PgUp PgDn");
    assert_false(pty_case_sees(s, "1 │ - words 4"));
    vt_type(s->vt, PGDN PGDN PGDN PGDN PGDN);
    vt_wait_text(s->vt, "words 4");
    vt_type(s->vt, "\r");
    vt_wait_text(s->vt, "Put files back");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        AT_TERMINAL(test_more_below),      AT_TERMINAL(test_own_command),
        AT_TERMINAL(test_going_back),      AT_TERMINAL(test_lines_of_before),
        AT_TERMINAL(test_paste_and_click), AT_TERMINAL(test_small_pages),
        AT_TERMINAL(test_restore_preview), AT_TERMINAL(test_mention),
        AT_TERMINAL(test_long_branch),     AT_TERMINAL(test_copied_characters),
    };

    cmocka_set_test_filter(getenv("SF_TEST_FILTER"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
