/*
 * Files that go back hold up what is sent meanwhile: 24,000 of them take a while, the status line
 * says so, words wait in the queue, and the log has the restore before the turn that they began.
 */
#include <string.h>

#include "base/base.h"
#include "support/pty_case.h"
#include "support/test.h"
#include "support/tui_case.h"

#define CASE(test) cmocka_unit_test_setup_teardown(test, tui_case_setup, tui_case_teardown)

/* All in one directory, which is the most that a walk over trees can be asked. */
#define MAKE_MANY(files) "mkdir many && cd many && seq " files " | split -l 1 -a 4"

#define SCENARIO(files)                               \
    "reply\n    call Bash {\"command\":\"" MAKE_MANY( \
        files) "\"}\n"                                \
               "reply\n    text \"made them all\"\n"  \
               "reply\n    text \"the first answer\"\n"

static void make_many(struct tui_case *c, const char *scenario)
{
    tui_case_serve(c, scenario);
    tui_case_open(c, "--mode build --control autonomous --permission-profile trusted", 30, 100);
    vt_type(c->vt, "make them\r");
    vt_wait_text(c->vt, "made them all");
    vt_wait_no_text(c->vt, "Esc pauses");
}

/* The kinds of what was said and put back, in the order of their ids, each on a line. */
static void expect_order(struct tui_case *c, const char *want)
{
    char *got = tui_case_sql(c, "select kind from events where kind in "
                                "('restore', 'user', 'shell', 'end') order by id");
    bool same = !strcmp(got, want);

    if (!same)
        print_error("the log has\n%swant\n%s", got, want);
    free(got);
    assert_true(same);
}

static void go_back(struct tui_case *c)
{
    vt_wait_text(c->vt, "Put files back");
    pty_case_wait_card(c->vt, 1);
    vt_type(c->vt, "y");
}

/* Sent right behind the command, when nobody has been asked yet, and while files go back. */
static void test_words_wait(void **state)
{
    struct tui_case *c = *state;

    make_many(c, SCENARIO("24000"));
    vt_type(c->vt, "/undo\r");
    vt_wait_text(c->vt, "looking at the files");
    vt_type(c->vt, "what now?\r");
    vt_wait_text(c->vt, "⋮ 1  what now?");
    vt_type(c->vt, "/redo\r");
    vt_wait_text(c->vt, "then try again");
    go_back(c);
    vt_wait_text(c->vt, "restoring 24,000 files: your words wait");
    vt_type(c->vt, "!ls | wc -l\r");
    vt_wait_text(c->vt, "⋮ 2  !ls | wc -l");
    vt_wait_text(c->vt, "files are as they were: 0 added, 0 changed, 24000 removed, 1 directory");
    vt_wait_text(c->vt, "the first answer");
    vt_wait_no_text(c->vt, "Esc pauses");
    vt_wait_no_text(c->vt, "Esc cancels");
    vt_wait_no_text(c->vt, "queued");
    vt_wait_no_text(c->vt, "then try again");
    expect_order(c, "user\nend\nrestore\nuser\nend\nshell\n");
    tui_case_quit(c);
}

/* Esc while files go back: they come again, and what was sent waits for the user. */
static void test_cancelled(void **state)
{
    struct tui_case *c = *state;

    make_many(c, SCENARIO("2400"));
    vt_type(c->vt, "/undo\r");
    go_back(c);
    vt_wait_text(c->vt, "restoring 2,400 files: what you send waits");
    vt_type(c->vt, "what now?\r");
    vt_wait_text(c->vt, "your words wait");
    vt_type(c->vt, "\033[27u");
    vt_wait_text(c->vt, "1 queued: kept");
    vt_type(c->vt, "\r");
    vt_wait_text(c->vt, "the first answer");
    vt_wait_no_text(c->vt, "Esc cancels");
    expect_order(c, "user\nend\nuser\nend\n");
    tui_case_quit(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = { CASE(test_words_wait), CASE(test_cancelled) };

    cmocka_set_test_filter(getenv("SF_TEST_FILTER"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
