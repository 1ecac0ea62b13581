/*
 * Answers that are written: another command or text in place of the one asked about, why not, the
 * answer to a question, the word that confirms. And that a card which cannot be seen takes none.
 */
#include <sys/stat.h>

#include "support/test.h"
#include "support/tui_case.h"

enum { ROWS = 24, COLS = 80 };

#define ESC    "\033[27u"
#define CTRL_C "\003"
#define CTRL_J "\n"
#define CTRL_U "\025"
#define DOWN   "\033[B"
#define HOME   "\033[H"
#define END    "\033[F"
#define PGUP   "\033[5~"
#define PGDN   "\033[6~"

#define RUNS(command)                                \
    "reply\n"                                        \
    "    call Bash {\"command\": \"" command "\"}\n" \
    "reply\n"

static void expect_sql(struct tui_case *c, const char *sql, const char *want)
{
    char *got = tui_case_sql(c, sql);

    if (strcmp(got, want) != 0)
        fail_msg("%s: %s", sql, got);
    free(got);
}

#define DECISIONS \
    "select action, verdict, coalesce(answer,'-'), coalesce(answered_by,'-') from decisions"

static void open_card(struct tui_case *c, const char *scenario)
{
    tui_case_serve(c, scenario);
    tui_case_open(c, "'go on'", ROWS, COLS);
    vt_wait_text(c->vt, "waiting for you"); /* it listens */
}

/* ---- another command ---- */

static void test_edit_command(void **state)
{
    struct tui_case *c = *state;

    open_card(c, RUNS("echo one | tee a.txt") //
              "    expect-tool-result Bash contains \"The user changed this call\"\n"
              "    expect-tool-result Bash contains \"echo one two | tee a.txt\"\n"
              "    expect-contains \"echo one | tee a.txt\"\n"
              "    text \"All right.\"\n");
    vt_type(c->vt, "e");
    vt_wait_text(c->vt, "run it");
    vt_wait_no_text(c->vt, "y once");
    vt_type(c->vt, CTRL_U);
    tui_case_say(c, "echo one two | tee a.txt");
    vt_wait_text(c->vt, "All right.");
    vt_wait_text(c->vt, "Ran      echo one two | tee a.txt");
    agent_sandbox_check(c->server, "a changed command");
    tui_case_quit(c);
    expect_sql(c, DECISIONS,
               "echo one | tee a.txt\task\tchanged\tuser\n"
               "echo one two | tee a.txt\task\tallow once\tuser\n");
    tui_case_open(c, "-c", ROWS, COLS);
    vt_wait_text(c->vt, "Ran      echo one two | tee a.txt");
}

/* Nothing was changed, so nothing is said of a change. */
static void test_edit_nothing(void **state)
{
    struct tui_case *c = *state;

    open_card(c, RUNS("touch a.txt") //
              "    expect-tool-result Bash lacks \"changed\"\n"
              "    text \"All right.\"\n");
    vt_type(c->vt, "e");
    vt_wait_text(c->vt, "run it");
    vt_type(c->vt, "\r");
    vt_wait_text(c->vt, "All right.");
    agent_sandbox_check(c->server, "a command as it was");
    tui_case_quit(c);
    expect_sql(c, DECISIONS, "touch a.txt\task\tallow once\tuser\n");
}

/* What the engine refuses is refused to everybody; the card and what was written stay. */
static void test_edit_refused(void **state)
{
    struct tui_case *c = *state;

    open_card(c, RUNS("touch a.txt") "    text \"All right.\"\n");
    vt_type(c->vt, "e");
    vt_wait_text(c->vt, "run it");
    vt_type(c->vt, CTRL_U "rm -rf /\r");
    vt_wait_text(c->vt, "refused by rule delete-root");
    vt_wait_text(c->vt, "run: rm -rf /");
    vt_type(c->vt, CTRL_C);
    vt_wait_no_text(c->vt, "run: rm");
    tui_case_say(c, "touch b.txt");
    vt_wait_text(c->vt, "All right.");
    tui_case_quit(c);
    expect_sql(c, DECISIONS,
               "touch a.txt\task\tchanged\tuser\n"
               "rm -rf /\tdeny\t-\t-\n"
               "touch b.txt\task\tallow once\tuser\n");
}

/* Who wrote it has approved it, but what destroys takes the word all the same. */
static void test_edit_into_destructive(void **state)
{
    struct tui_case *c = *state;

    agent_sandbox_file(c->sandbox, "old.txt", "old\n");
    open_card(c, RUNS("ls > list.txt") //
              "    expect-tool-result Bash contains \"rm old.txt\"\n"
              "    text \"All right.\"\n");
    vt_type(c->vt, "e");
    vt_wait_text(c->vt, "run it");
    vt_type(c->vt, CTRL_U "rm old.txt\r");
    vt_wait_text(c->vt, "hard to take back");
    vt_wait_text(c->vt, "as you changed it");
    vt_wait_text(c->vt, "lost     old.txt");
    vt_wait_text(c->vt, "waiting for you");
    tui_case_say(c, "yes");
    vt_wait_text(c->vt, "All right.");
    agent_sandbox_check(c->server, "a change that destroys");
    tui_case_quit(c);
    expect_sql(c, DECISIONS,
               "ls > list.txt\task\tchanged\tuser\n"
               "rm old.txt\task\tallow once\tuser\n");
}

/* ---- another text of a file ---- */

static void use_editor(struct tui_case *c, const char *script)
{
    char *editor = test_path(c->sandbox->dir, "editor");

    test_write(editor, script, strlen(script));
    assert_int_equal(chmod(editor, 0755), 0);
    sandbox_setenv(c->sandbox, "EDITOR", editor);
    free(editor);
}

/* The card shows what came out of the editor before anything is written. */
static void test_edit_file(void **state)
{
    struct tui_case *c = *state;
    char *text;

    use_editor(c, "#!/bin/sh\nsed -i s/two/three/ \"$1\"\necho >>\"$1\"\n");
    open_card(c, "reply\n"
                 "    call Write {\"file_path\": \"a.txt\", \"content\": \"one\\ntwo\"}\n"
                 "reply\n"
                 "    expect-tool-result Write contains \"The user changed this call\"\n"
                 "    expect-tool-result Write contains \"+three\"\n"
                 "    text \"All right.\"\n");
    vt_type(c->vt, "e");
    vt_wait_text(c->vt, "+three");
    vt_wait_text(c->vt, "as you changed it");
    vt_wait_text(c->vt, "waiting for you");
    vt_type(c->vt, "y");
    vt_wait_text(c->vt, "All right.");
    agent_sandbox_check(c->server, "a changed file");
    text = agent_sandbox_text(c->sandbox, "a.txt");
    assert_string_equal(text, "one\nthree");
    free(text);
    tui_case_quit(c);
    expect_sql(c, DECISIONS,
               "a.txt\task\tchanged\tuser\n"
               "a.txt\task\tallow once\tuser\n");
}

/* Several edits are no one text; the key is not offered and does nothing. */
static void test_edit_not_offered(void **state)
{
    struct tui_case *c = *state;

    agent_sandbox_file(c->sandbox, "a.txt", "one\ntwo\n");
    open_card(c, "reply\n"
                 "    call Read {\"file_path\": \"a.txt\"}\n"
                 "reply\n"
                 "    call MultiEdit {\"file_path\": \"a.txt\", \"edits\": [{\"old_string\": "
                 "\"one\", \"new_string\": \"1\"}]}\n");
    vt_wait_text(c->vt, "y once");
    vt_wait_no_text(c->vt, "e edit");
    vt_type(c->vt, "e");
    vt_wait_quiet(c->vt);
    vt_wait_text(c->vt, "y once");
}

/* ---- why not ---- */

/* A step back keeps the words; lines are lines. */
static void test_why(void **state)
{
    struct tui_case *c = *state;

    open_card(c, RUNS("touch a.txt") //
              "    expect-tool-result Bash contains \"refused this call: not there\\nbut here\"\n"
              "    text \"All right.\"\n");
    vt_type(c->vt, "d");
    vt_wait_text(c->vt, "refuse with these words");
    vt_type(c->vt, "not there");
    vt_wait_text(c->vt, "why: not there");
    vt_type(c->vt, ESC);
    vt_wait_text(c->vt, "y once");
    vt_wait_no_text(c->vt, "not there");
    vt_type(c->vt, "d");
    vt_wait_text(c->vt, "why: not there");
    vt_type(c->vt, CTRL_J "but here");
    vt_wait_text(c->vt, "but here");
    vt_type(c->vt, "\r");
    vt_wait_text(c->vt, "All right.");
    agent_sandbox_check(c->server, "why not");
}

/* ---- leaving ---- */

#define ASKS                                                                             \
    "reply\n"                                                                            \
    "    call AskUser {\"question\": \"Which one?\", \"options\": [\"foo\", \"bar\"]}\n" \
    "reply\n"

/* What is written goes first; then Esc is no answer, and the turn goes on. */
static void test_question_escape(void **state)
{
    struct tui_case *c = *state;

    open_card(c, ASKS "    expect-tool-result AskUser contains \"(no answer)\"\n"
                      "    text \"All right.\"\n");
    vt_wait_text(c->vt, "Esc no answer");
    vt_type(c->vt, "neither");
    vt_wait_text(c->vt, "Esc clear");
    vt_type(c->vt, ESC);
    vt_wait_no_text(c->vt, "neither");
    vt_wait_text(c->vt, "Esc no answer");
    vt_type(c->vt, ESC);
    vt_wait_text(c->vt, "All right.");
    agent_sandbox_check(c->server, "no answer");
}

/* Ctrl+C clears what was typed, then stops the turn that asked. */
static void test_question_interrupt(void **state)
{
    struct tui_case *c = *state;

    open_card(c, ASKS "    text \"never said\"\n");
    vt_wait_text(c->vt, "^C stop");
    vt_type(c->vt, "neither, use foo");
    vt_wait_text(c->vt, "use foo");
    vt_type(c->vt, CTRL_C);
    vt_wait_no_text(c->vt, "use foo");
    vt_wait_text(c->vt, "sf has a question");
    vt_type(c->vt, CTRL_C);
    vt_wait_no_text(c->vt, "sf has a question");
    vt_wait_text(c->vt, "Enter send");
    vt_wait_no_text(c->vt, "never said");
}

static void test_confirm_clears_first(void **state)
{
    struct tui_case *c = *state;

    agent_sandbox_file(c->sandbox, "old.txt", "old\n");
    open_card(c, RUNS("rm old.txt") "    text \"All right.\"\n");
    vt_type(c->vt, "ye");
    vt_wait_text(c->vt, "type yes: ye");
    vt_type(c->vt, CTRL_C);
    vt_wait_no_text(c->vt, "type yes: ye");
    vt_wait_text(c->vt, "hard to take back");
    tui_case_say(c, "yes");
    vt_wait_text(c->vt, "All right.");
}

/* Once the field holds text n is a letter of it, and the card says what refuses then. */
static void test_confirm_with_other_words(void **state)
{
    struct tui_case *c = *state;

    agent_sandbox_file(c->sandbox, "old.txt", "old\n");
    open_card(c, RUNS("rm old.txt") "    text \"All right.\"\n");
    vt_type(c->vt, "x");
    vt_wait_text(c->vt, "type yes: x");
    vt_type(c->vt, "\r");
    vt_wait_text(c->vt, "only the whole word yes runs it; Esc clears");
    vt_type(c->vt, "n");
    vt_wait_text(c->vt, "type yes: xn");
    vt_type(c->vt, ESC);
    vt_wait_no_text(c->vt, "type yes: xn");
    vt_type(c->vt, "n");
    vt_wait_text(c->vt, "All right.");
}

/* ---- what is long ---- */

#define LINES_10 "echo\\necho\\necho\\necho\\necho\\necho\\necho\\necho\\necho\\necho\\n"
#define LINES_40 LINES_10 LINES_10 LINES_10 LINES_10

/* A long command is read to its end, line by line and page by page, and then answered. */
static void test_scroll_to_the_end(void **state)
{
    struct tui_case *c = *state;

    open_card(c, RUNS("mkdir first\\n" LINES_40 LINES_40 LINES_40
                      "touch last.txt") "    text \"All right.\"\n");
    vt_wait_text(c->vt, "mkdir first↵");
    vt_wait_no_text(c->vt, "above");
    vt_type(c->vt, DOWN);
    vt_wait_text(c->vt, "PgUp 1 above");
    vt_type(c->vt, PGDN PGDN);
    vt_wait_no_text(c->vt, "mkdir first↵");
    vt_wait_no_text(c->vt, "touch last.txt");
    for (int i = 0; i < 40; i++)
        vt_type(c->vt, PGDN);
    vt_wait_no_text(c->vt, "below");
    vt_wait_text(c->vt, "PgUp");
    vt_type(c->vt, PGUP);
    vt_wait_text(c->vt, "below");
    vt_type(c->vt, HOME);
    vt_wait_text(c->vt, "mkdir first↵");
    vt_type(c->vt, END);
    vt_wait_no_text(c->vt, "below");
    vt_type(c->vt, "y");
    vt_wait_text(c->vt, "All right.");
}

/* The wheel moves the card under it; elsewhere it moves the conversation. */
static void test_wheel(void **state)
{
    struct tui_case *c = *state;

    open_card(c, RUNS("mkdir first\\n" LINES_40 "touch last.txt") "    text \"All right.\"\n");
    vt_type(c->vt, "\033[<65;10;15M");
    vt_wait_text(c->vt, "PgUp 3 above");
    vt_type(c->vt, "\033[<64;10;2M");
    vt_wait_quiet(c->vt);
    vt_wait_text(c->vt, "PgUp 3 above");
    vt_type(c->vt, "\033[<64;10;15M");
    vt_wait_no_text(c->vt, "above");
}

/* ---- what is not seen ---- */

static void test_too_small_to_answer(void **state)
{
    struct tui_case *c = *state;

    open_card(c, RUNS("touch a.txt") "    text \"never said\"\n");
    vt_resize(c->vt, 5, 19);
    vt_wait_text(c->vt, "a question waits");
    vt_type(c->vt, "y");
    vt_wait_quiet(c->vt);
    vt_resize(c->vt, ROWS, COLS);
    vt_wait_text(c->vt, "y once");
    vt_wait_text(c->vt, "waiting for you");
    vt_wait_no_text(c->vt, "never said");
    vt_type(c->vt, "q");
    vt_wait_no_text(c->vt, "y once");
    tui_case_quit(c);
    expect_sql(c, DECISIONS, "touch a.txt\task\tdeny and stop\tuser\n");
}

/*
 * What s and w keep is on the card before they are offered: below a long change it stays in sight,
 * and on a small screen it has to be scrolled to first.
 */
static void test_kept_in_sight(void **state)
{
    struct tui_case *c = *state;

    open_card(c,
              "reply\n"
              "    call Write {\"file_path\": \"big.c\", \"content\": \"" LINES_40 LINES_40 LINES_40
              "\"}\n"
              "reply\n"
              "    text \"All right.\"\n");
    vt_wait_text(c->vt, "below");
    vt_wait_text(c->vt, "s and w  allow changing big.c");
    vt_wait_text(c->vt, "s session");
    vt_type(c->vt, "s");
    vt_wait_text(c->vt, "All right.");
    tui_case_quit(c);
    expect_sql(c, "select count(*) from approvals", "1\n");
}

static void test_kept_out_of_sight(void **state)
{
    struct tui_case *c = *state;

    tui_case_serve(c, RUNS("make test") "    text \"All right.\"\n");
    tui_case_open(c, "'go on'", 12, 40);
    vt_wait_text(c->vt, "waiting for you");
    vt_wait_no_text(c->vt, "s and w");
    vt_wait_no_text(c->vt, "s session");
    vt_type(c->vt, "w");
    vt_wait_text(c->vt, "PgDn first: read what s and w allow");
    vt_type(c->vt, "s");
    vt_wait_quiet(c->vt);
    vt_wait_no_text(c->vt, "All right.");
    vt_type(c->vt, END);
    vt_wait_text(c->vt, "s and w  allow");
    vt_wait_text(c->vt, "s session");
    vt_type(c->vt, HOME);
    vt_wait_text(c->vt, "make test");
    vt_wait_text(c->vt, "s session");
    vt_type(c->vt, "s");
    vt_wait_text(c->vt, "All right.");
    tui_case_quit(c);
    expect_sql(c, "select count(*) from approvals where session_id is not null", "1\n");
}

/* Enter on an approval takes it back and says which; the help has the whole synopsis. */
static void test_take_back(void **state)
{
    struct tui_case *c = *state;

    open_card(c, RUNS("make test") "    text \"All right.\"\n");
    vt_type(c->vt, "w");
    vt_wait_text(c->vt, "All right.");
    vt_wait_text(c->vt, "Enter send");
    tui_case_say(c, "/permissions");
    vt_wait_text(c->vt, "Enter take an approval back");
    vt_type(c->vt, "\r");
    vt_wait_text(c->vt, "· taken back: every make test; it is asked about again");
    tui_case_say(c, "/help permissions");
    vt_wait_text(c->vt, "/permissions [list|revoke N|mode");
    vt_type(c->vt, ESC);
    vt_wait_text(c->vt, "Enter send");
    tui_case_quit(c);
    expect_sql(c, "select count(*) from approvals where revoked_at is null", "0\n");
}

/* The advice names keys, and those that are left once one was pressed. */
static void test_advice_has_keys(void **state)
{
    struct tui_case *c = *state;

    open_card(c, RUNS("make test") "    text \"All right.\"\n");
    vt_wait_text(c->vt, "unasked next time: Ctrl+X s, Ctrl+X p");
    vt_type(c->vt, "\030s");
    vt_wait_text(c->vt, "unasked next time: Ctrl+X p");
    vt_type(c->vt, "\030p");
    vt_wait_text(c->vt, "the next one like it is not asked about");
    vt_wait_text(c->vt, "chat | assisted | trusted | smart");
}

int main(void)
{
#define AT_TERMINAL(fn) cmocka_unit_test_setup_teardown(fn, tui_case_setup, tui_case_teardown)
    const struct CMUnitTest tests[] = {
        AT_TERMINAL(test_edit_command),
        AT_TERMINAL(test_edit_nothing),
        AT_TERMINAL(test_edit_refused),
        AT_TERMINAL(test_edit_into_destructive),
        AT_TERMINAL(test_edit_file),
        AT_TERMINAL(test_edit_not_offered),
        AT_TERMINAL(test_why),
        AT_TERMINAL(test_question_escape),
        AT_TERMINAL(test_question_interrupt),
        AT_TERMINAL(test_confirm_clears_first),
        AT_TERMINAL(test_confirm_with_other_words),
        AT_TERMINAL(test_scroll_to_the_end),
        AT_TERMINAL(test_wheel),
        AT_TERMINAL(test_too_small_to_answer),
        AT_TERMINAL(test_kept_in_sight),
        AT_TERMINAL(test_kept_out_of_sight),
        AT_TERMINAL(test_take_back),
        AT_TERMINAL(test_advice_has_keys),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
