/*
 * Two terminals on one session: the second shows the same, live, sends nothing and says who holds
 * it; when the first ends, by itself or by SIGKILL, the second goes on with the session.
 */
#include <signal.h>
#include <string.h>

#include "support/agent_sandbox.h"
#include "support/pty_case.h"
#include "support/test.h"

/* Two people at two terminals, in one sandbox. */
struct pair {
    struct pty_case *first, *second;
};

enum { REST_MS = 2000, SETTLE_MS = 500 };

#define AT_TWO(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

static int setup(void **state)
{
    struct pair *p = sf_alloc(sizeof(*p));
    void *first;

    pty_case_setup(&first);
    p->first = first;
    p->second = sf_alloc(sizeof(*p->second));
    *p->second = *p->first;
    *state = p;
    return 0;
}

static int teardown(void **state)
{
    struct pair *p = *state;
    void *first = p->first;

    vt_close(p->second->vt);
    free(p->second);
    pty_case_teardown(&first);
    free(p);
    return 0;
}

static void begin_both(struct pair *p)
{
    pty_case_begin(p->first, NULL);
    pty_case_type(p->first, "list\r", "Listed");
    vt_wait_no_text(p->first->vt, "Esc cancels");
    pty_case_begin(p->second, "-c");
    vt_wait_text(p->second->vt, "you watch");
}

/* The line names the process, and the terminal of the first. */
static void expect_holder(struct pair *p)
{
    char who[64];

    snprintf(who, sizeof(who), "process %d on pts/", (int)vt_pid(p->first->vt));
    vt_wait_text(p->second->vt, who);
}

static void test_follows(void **state)
{
    struct pair *p = *state;

    begin_both(p);
    expect_holder(p);
    vt_wait_text(p->second->vt, "Listed");
    pty_case_type(p->first, "!echo sum-$((40+2))\r", "sum-42");
    vt_wait_text(p->second->vt, "sum-42");
    pty_case_type(p->first, "/mode build\r", "SF  build");
    vt_wait_text(p->second->vt, "SF  build");
}

static void test_sends_nothing(void **state)
{
    struct pair *p = *state;

    begin_both(p);
    pty_case_type(p->second, "words of mine", "› words of mine");
    pty_case_type(p->second, "\r", "not sent: process");
    assert_true(pty_case_sees(p->second, "› words of mine"));
    assert_false(pty_case_sees(p->first, "words of mine"));
    vt_type(p->second->vt, "\003");
    vt_wait_no_text(p->second->vt, "words of mine");
    pty_case_type(p->second, "!echo no-$((1+1))\r", "not sent: process");
    assert_false(pty_case_sees(p->first, "no-2"));
}

/* What the watcher does to the axes is as good as `sf mode`: the holder's badge follows. */
static void test_axes_from_both_sides(void **state)
{
    struct pair *p = *state;

    begin_both(p);
    pty_case_type(p->second, "/mode review\r", "SF  review");
    vt_wait_text(p->first->vt, "SF  review");
    sandbox_expect(p->first->sandbox, "mode build", 0, "build", NULL);
    vt_wait_text(p->first->vt, "SF  build");
    vt_wait_text(p->second->vt, "SF  build");
    pty_case_type(p->first, "/mode repair\r", "SF  repair");
    vt_wait_text(p->second->vt, "SF  repair");
}

/*
 * From outside, at a moment of its own: it waits in the store, both badges show it, and it comes
 * true when the unit of the one who holds the session ends. One at once takes its place.
 */
static void test_changes_that_wait(void **state)
{
    struct pair *p = *state;
    struct sandbox *w = p->first->sandbox;

    begin_both(p);
    pty_case_type(p->first, "run sh wait.sh\r", "waiting for you");
    sandbox_expect(w, "mode '/steer mode review after-current-unit'", 0, "chat→review", NULL);
    vt_wait_text(p->first->vt, "SF  chat→review");
    vt_wait_text(p->second->vt, "SF  chat→review");
    sandbox_expect(w, "mode --json", 0, "\"pending\":{\"workMode\":\"review\"", NULL);
    vt_type(p->first->vt, "n");
    vt_wait_text(p->first->vt, "SF  review");
    vt_wait_text(p->second->vt, "SF  review");
    sandbox_expect(w, "mode", 0, "SF review |", NULL);

    pty_case_type(p->first, "run sh wait.sh\r", "waiting for you");
    pty_case_type(p->second, "/steer mode plan after-current-unit\r", "SF  review→plan");
    vt_wait_text(p->first->vt, "SF  review→plan");
    sandbox_expect(w, "mode build", 0, "SF build |", NULL);
    vt_wait_text(p->first->vt, "SF  build |");
    vt_wait_text(p->second->vt, "SF  build |");
    vt_type(p->first->vt, "n");
    vt_wait_no_text(p->first->vt, "waiting for you");
    sandbox_expect(w, "log --sql 'select group_concat(outcome) as o from mode_transitions'", 0,
                   "applied,superseded,applied", NULL);
}

/* What its holder did not live to see comes true for the next. */
static void test_changes_that_wait_outlive(void **state)
{
    struct pair *p = *state;

    begin_both(p);
    pty_case_type(p->first, "run sh wait.sh\r", "waiting for you");
    sandbox_expect(p->first->sandbox, "mode '/steer mode review after-current-unit'", 0,
                   "chat→review", NULL);
    vt_wait_text(p->second->vt, "SF  chat→review");
    vt_signal(p->first->vt, SIGKILL);
    vt_wait_text(p->second->vt, "SF  review");
}

/* With nobody at the session there is no unit to wait for, but the next one. */
static void test_changes_without_a_holder(void **state)
{
    struct pair *p = *state;
    struct sandbox *w = p->first->sandbox;

    sandbox_expect(w, "exec list", 0, NULL, NULL);
    sandbox_expect(w, "mode '/steer mode plan after-current-unit'", 0, "SF plan |", NULL);
    sandbox_expect(w, "mode '/steer mode review for-next-unit'", 0, "SF plan→review |", NULL);
    sandbox_expect(w, "mode", 0, "SF plan→review |", NULL);
    sandbox_expect(w, "exec --continue list", 0, NULL, NULL);
    sandbox_expect(w, "mode", 0, "SF plan |", NULL);
    sandbox_expect(w, "log --sql 'select group_concat(outcome) as o from mode_transitions'", 0,
                   "applied,applied,applied", NULL);
}

static void test_goes_on_when_the_first_leaves(void **state)
{
    struct pair *p = *state;

    begin_both(p);
    assert_int_equal(pty_case_leave(p->first), 0);
    vt_wait_text(p->second->vt, "it is yours now");
    pty_case_type(p->second, "!echo mine-$((1+1))\r", "mine-2");
}

static void test_first_goes_to_another_session(void **state)
{
    struct pair *p = *state;

    begin_both(p);
    pty_case_type(p->first, "/new\r", "Welcome");
    vt_wait_text(p->second->vt, "it is yours now");
    pty_case_type(p->second, "!echo mine-$((1+1))\r", "mine-2");
}

static void test_goes_on_after_a_kill(void **state)
{
    struct pair *p = *state;
    int64_t killed;

    pty_case_file(p->first, "wait.sh", "while [ ! -e go ]; do sleep 0.1; done\n");
    begin_both(p);
    pty_case_type(p->first, "run sh wait.sh\r", "sh wait.sh");
    vt_wait_text(p->second->vt, "Running  sh wait.sh");
    pty_case_type(p->second, "kept draft", "› kept draft");
    vt_signal(p->first->vt, SIGKILL);
    killed = sf_clock_monotonic_ms();
    vt_wait_text(p->second->vt, "ended in the middle of a turn");
    print_message("taken over after %d ms\n", (int)(sf_clock_monotonic_ms() - killed));
    vt_wait_text(p->second->vt, "Interrupted: sf ended before");
    assert_true(pty_case_sees(p->second, "› kept draft"));
    vt_wait_exit(p->first->vt);
    pty_case_file(p->first, "go", "");
    vt_type(p->second->vt, "\003");
    pty_case_type(p->second, "!echo mine-$((1+1))\r", "mine-2");
}

static void expect_asked(struct pair *p, const char *what)
{
    char line[128];

    snprintf(line, sizeof(line), "waiting for an answer in the other terminal: %s", what);
    vt_wait_text(p->second->vt, line);
}

/* What the first is asked is seen, cannot be answered here, and goes with its answer. */
static void test_questions(void **state)
{
    struct pair *p = *state;

    pty_case_serve(p->first, "reply\n    text \"hello there\"\n"
                             "reply\n    call Bash {\"command\":\"make sum-$((40+2))\"}\n"
                             "reply\n    call AskUser {\"question\":\"which one\"}\n"
                             "reply\n    text \"that is all\"\n");
    p->second->server = p->first->server;
    pty_case_begin(p->first, NULL);
    pty_case_type(p->first, "say it\r", "hello there");
    pty_case_begin(p->second, "-c");
    vt_wait_text(p->second->vt, "you watch");
    pty_case_type(p->first, "make it\r", "waiting for you");
    expect_asked(p, "Bash: make sum-");
    vt_wait_text(p->second->vt, "? Running  make sum-");
    pty_case_type(p->second, "y", "› y");
    pty_case_type(p->second, "\r", "not sent: process");
    pty_case_wait_card(p->first->vt, 1);
    pty_case_type(p->first, "n", "which one");
    vt_wait_text(p->second->vt, "Refused");
    expect_asked(p, "AskUser: which one");
    pty_case_wait_card(p->first->vt, 1);
    pty_case_type(p->first, "this one\r", "that is all");
    vt_wait_text(p->second->vt, "that is all");
    vt_wait_no_text(p->second->vt, "waiting for an answer");
}

/* Who comes while it is being asked sees it too. */
static void test_question_of_before(void **state)
{
    struct pair *p = *state;

    pty_case_serve(p->first, "reply\n    call Bash {\"command\":\"make all\"}\n"
                             "reply\n    text \"that is all\"\n");
    p->second->server = p->first->server;
    pty_case_begin(p->first, NULL);
    pty_case_type(p->first, "make it\r", "waiting for you");
    pty_case_begin(p->second, "-c");
    expect_asked(p, "Bash: make all");
    pty_case_wait_card(p->first->vt, 1);
    pty_case_type(p->first, "n", "that is all");
    vt_wait_text(p->second->vt, "you watch");
}

/* An answer that is being written is seen while it comes, and what is left of it stays. */
static void test_answer_that_comes(void **state)
{
    struct pair *p = *state;

    pty_case_serve(p->first,
                   "reply\n    text \"hello there\"\n"
                   "reply\n    text \"the first half\"\n    delay 60000\n    text \"never\"\n"
                   "reply\n    expect-contains \"the first half\"\n    text \"and on\"\n");
    p->second->server = p->first->server;
    pty_case_begin(p->first, NULL);
    pty_case_type(p->first, "say it\r", "hello there");
    pty_case_begin(p->second, "-c");
    vt_wait_text(p->second->vt, "you watch");
    pty_case_type(p->first, "say more\r", "Esc cancels");
    vt_wait_text(p->first->vt, "the first half");
    vt_wait_text(p->second->vt, "the first half");
    vt_signal(p->first->vt, SIGKILL);
    vt_wait_text(p->second->vt, "middle of a turn");
    assert_true(pty_case_sees(p->second, "the first half"));
    pty_case_type(p->second, "go on\r", "and on");
}

static bool is_taken(struct vt *vt, const void *ctx)
{
    const struct pair *p = ctx;

    (void)vt;
    vt_look(p->second->vt, 0);
    return pty_case_sees(p->first, "it is yours now") ||
           pty_case_sees(p->second, "it is yours now");
}

/* Three at one session: one goes on, the third sees who it is now. */
static void test_next_in_line(void **state)
{
    struct pair *p = *state;
    struct pty_case *third = p->first;
    struct vt *first;
    char who[64];

    begin_both(p);
    first = p->first->vt;
    third->vt = NULL;
    pty_case_begin(third, "-c");
    vt_wait_text(third->vt, "you watch");
    vt_signal(first, SIGKILL);
    vt_wait_exit(first);
    vt_close(first);
    vt_wait_until(third->vt, is_taken, p, "one of the two to go on");
    if (pty_case_sees(third, "it is yours now")) {
        p->first = p->second;
        p->second = third;
    }
    /* p->second goes on; the other watches it */
    third = p->second == third ? p->first : third;
    snprintf(who, sizeof(who), "process %d on pts/", (int)vt_pid(p->second->vt));
    vt_wait_text(third->vt, who);
}

static void test_at_rest(void **state)
{
    struct pair *p = *state;
    uint64_t before = 0;

    begin_both(p);
    for (int i = 0; i < 30 && vt_switches(p->second->vt) != before; i++) {
        before = vt_switches(p->second->vt);
        vt_pump(p->second->vt, SETTLE_MS);
    }
    vt_take(p->second->vt);
    before = vt_switches(p->second->vt);
    vt_pump(p->second->vt, REST_MS);
    assert_int_equal(vt_switches(p->second->vt) - before, 0);
    assert_int_equal(vt_take(p->second->vt)->len, 0);
}

/* Without a screen nobody watches: it fails, and says who it is. */
static void test_headless_is_told(void **state)
{
    struct pair *p = *state;
    char who[64];

    pty_case_begin(p->first, NULL);
    pty_case_type(p->first, "list\r", "Listed");
    vt_wait_no_text(p->first->vt, "Esc cancels");
    snprintf(who, sizeof(who), "process %d on pts/", (int)vt_pid(p->first->vt));
    sandbox_expect(p->first->sandbox, "exec --resume latest list", 1, NULL, who);
    sandbox_expect(p->first->sandbox, "-p list --continue", 1, NULL, "holds session");
    vt_signal(p->first->vt, SIGKILL);
    vt_wait_exit(p->first->vt);
    sandbox_expect(p->first->sandbox, "exec --resume latest list", 0, NULL, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        AT_TWO(test_follows),
        AT_TWO(test_sends_nothing),
        AT_TWO(test_axes_from_both_sides),
        AT_TWO(test_changes_that_wait),
        AT_TWO(test_changes_that_wait_outlive),
        AT_TWO(test_changes_without_a_holder),
        AT_TWO(test_goes_on_when_the_first_leaves),
        AT_TWO(test_first_goes_to_another_session),
        AT_TWO(test_goes_on_after_a_kill),
        AT_TWO(test_questions),
        AT_TWO(test_question_of_before),
        AT_TWO(test_answer_that_comes),
        AT_TWO(test_next_in_line),
        AT_TWO(test_at_rest),
        AT_TWO(test_headless_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
