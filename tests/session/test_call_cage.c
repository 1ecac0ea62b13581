/*
 * What a command left behind in git is put right beside the loop. A command removes objects and
 * leaves a pipe where git expects a file, so that whoever asks git waits until somebody opens the
 * pipe's other end; a timer of the loop does, which it can only while the loop turns.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "support/session_case.h"
#include "support/test.h"
#include "support/tree.h"

enum { TICK_MS = 5 };

/* What happens as soon as git is seen to wait. */
enum then { LET_GO, CANCEL, CLOSE };

struct fixture {
    struct session_case *c;
    char *pipe;
    enum then then;
    int fd; /* the other end; -1: git has not waited yet */
    bool met;
    uint64_t timer;
};

static const char spoil[] = "#!/bin/sh\n"
                            "rm -rf .git/objects/[0-9a-f][0-9a-f]\n"
                            "mkfifo .git/shallow\n";

static void leave_pipe(struct fixture *f)
{
    if (f->fd >= 0)
        close(f->fd);
    f->fd = -1;
}

/* One turn finds git waiting; a later one acts on it. */
static void on_tick(void *ctx)
{
    struct fixture *f = ctx;

    if (!f->met) {
        f->fd = open(f->pipe, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
        f->met = f->fd >= 0;
    } else if (f->then == LET_GO) {
        leave_pipe(f);
    } else if (f->then == CANCEL && f->c->session) {
        sf_session_cancel(f->c->session);
    }
}

static int setup(void **state)
{
    struct fixture *f = sf_alloc(sizeof(*f));
    void *inner;

    session_case_setup(&inner);
    f->c = inner;
    f->fd = -1;
    f->c->attended = true;
    f->c->reply = SF_REPLY_ONCE;
    sf_strlist_add(&f->c->tools, "Bash");
    f->pipe = test_path(f->c->workspace.root, ".git/shallow");
    tree_puts(f->c->workspace.root, "a.txt", "one\n");
    tree_puts(f->c->workspace.root, "spoil", spoil);
    free(tree_run(f->c->workspace.root,
                  "chmod +x spoil && git init -q && git add -A && git -c user.name=t "
                  "-c user.email=t@t commit -qm first",
                  NULL));
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    void *inner = f->c;

    sf_loop_remove(f->c->loop, f->timer);
    leave_pipe(f);
    session_case_teardown(&inner);
    free(f->pipe);
    free(f);
    return 0;
}

static void begin(struct fixture *f, const char *scenario, enum then then)
{
    session_case_serve(f->c, SF_WIRE_ANTHROPIC, scenario);
    session_case_open(f->c, NULL);
    f->then = then;
    f->timer = sf_loop_add_timer(f->c->loop, TICK_MS, TICK_MS, on_tick, f);
}

/* All that the first commit needs is there. */
static void expect_whole(struct fixture *f)
{
    char *said;

    leave_pipe(f);
    unlink(f->pipe);
    said = tree_run(f->c->workspace.root, "git fsck --strict 2>&1 && git log --format=%s", NULL);
    assert_string_equal(said, "first\n");
    free(said);
}

static void expect_told(const struct fixture *f)
{
    if (!strstr(f->c->heard.buf, "Put back, since the command had removed or emptied it and git's "
                                 "history needs it: "))
        fail_msg("not told: %s", f->c->heard.buf);
}

static void run_typed(struct fixture *f)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_session_shell(f->c->session, "./spoil", &err))
        fail_msg("%s", err.msg);
    while (sf_session_shell_runs(f->c->session))
        sf_loop_turn(f->c->loop, -1);
}

static void test_loop_turns_while_git_is_asked(void **state)
{
    struct fixture *f = *state;

    begin(f, "reply\n    text \"x\"\n", LET_GO);
    run_typed(f);
    assert_true(f->met);
    expect_told(f);
    expect_whole(f);
}

static void test_cancelled_meanwhile(void **state)
{
    struct fixture *f = *state;

    begin(f, "reply\n    text \"x\"\n", CANCEL);
    run_typed(f);
    assert_true(f->met);
    expect_told(f);
    expect_whole(f);
}

static const char background[] =
    "reply\n    call Bash {\"command\": \"./spoil\", \"run_in_background\": true}\n"
    "reply\n    text \"started\"\n"
    "reply\n    call BashOutput {\"id\": 1, \"wait_ms\": 600000}\n"
    "reply\n    text \"seen\"\n";

struct seen {
    bool runs;
    char status[80];
};

static void see_job(void *ctx, const struct sf_job_view *job)
{
    struct seen *seen = ctx;

    seen->runs = job->running;
    snprintf(seen->status, sizeof(seen->status), "%s", job->status);
}

/* Turns the loop until git waits for somebody, and the job with it. */
static void meet(struct fixture *f)
{
    struct seen seen = { .runs = true };

    while (!f->met && seen.runs) {
        sf_loop_turn(f->c->loop, -1);
        sf_session_each_job(f->c->session, see_job, &seen);
    }
    assert_true(f->met);
    assert_true(seen.runs);
    assert_string_equal(seen.status, "ended; what it left behind is being looked at");
}

/* Whoever waits for the job hears of its end together with what was put back. */
static void test_background_job(void **state)
{
    struct fixture *f = *state;
    const char *result;

    sf_strlist_add(&f->c->tools, "BashOutput");
    begin(f, background, LET_GO);
    session_case_turn(f->c, "start it");
    meet(f);
    sf_strbuf_reset(&f->c->heard);
    session_case_turn(f->c, "and now?");
    expect_told(f);
    result = strstr(f->c->heard.buf, "BashOutput: ");
    assert_non_null(result);
    assert_non_null(strstr(result, "[job 1, ./spoil: exit code 0]\n[sf] Put back"));
    expect_whole(f);
}

static void test_session_ends_meanwhile(void **state)
{
    struct fixture *f = *state;

    begin(f, background, CLOSE);
    session_case_turn(f->c, "start it");
    meet(f);
    sf_session_close(f->c->session);
    f->c->session = NULL;
    expect_whole(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_loop_turns_while_git_is_asked, setup, teardown),
        cmocka_unit_test_setup_teardown(test_cancelled_meanwhile, setup, teardown),
        cmocka_unit_test_setup_teardown(test_background_job, setup, teardown),
        cmocka_unit_test_setup_teardown(test_session_ends_meanwhile, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
