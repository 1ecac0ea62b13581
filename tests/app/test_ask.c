/*
 * Approvals at a terminal: sf -p on a real pty, with the offline operator asking for a build. The
 * answer decides, is written down with who gave it, and lasts as long as it said.
 */
#include <pty.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "support/agent_sandbox.h"
#include "support/test.h"

struct terminal {
    pid_t pid;
    int fd;
    struct sf_strbuf seen;
};

static void begin(struct terminal *t, struct sandbox *w, const char *const *argv)
{
    struct winsize size = { .ws_row = 24, .ws_col = 100 };

    sf_strbuf_init(&t->seen);
    t->pid = forkpty(&t->fd, NULL, NULL, &size);
    assert_true(t->pid >= 0);
    if (t->pid == 0) {
        if (chdir(w->workspace) != 0)
            _exit(126);
        execve(SF_PROGRAM, (char *const *)(uintptr_t)argv, w->env.items);
        _exit(127);
    }
}

static bool read_more(struct terminal *t)
{
    char buf[1024];
    ssize_t n = read(t->fd, buf, sizeof(buf));

    if (n > 0)
        sf_strbuf_add(&t->seen, buf, (size_t)n);
    return n > 0;
}

static void wait_for(struct terminal *t, const char *text)
{
    while (!strstr(t->seen.buf, text))
        if (!read_more(t))
            fail_msg("%s never came:\n%s", text, t->seen.buf);
}

static void type(struct terminal *t, const char *text)
{
    sf_strbuf_reset(&t->seen);
    assert_int_equal(write(t->fd, text, strlen(text)), strlen(text));
}

static int finish(struct terminal *t)
{
    int status;

    while (read_more(t))
        ;
    close(t->fd);
    assert_int_equal(waitpid(t->pid, &status, 0), t->pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static const char *const run_tests[] = { "sf", "-p", "run the tests", NULL };
static const char *const again[] = { "sf", "exec", "--continue", "run the tests", NULL };

static void fill(struct sandbox *w)
{
    agent_sandbox_file(w, "Makefile", "test:\n\t@echo all of them passed\n");
}

static const struct {
    const char *name, *typed, *shows, *row;
    int code;
    bool asks_in_session, asks_in_next; /* the same again, in this session and in a new one */
} cases[] = {
    { "once", "y\n", "all of them passed", "allow once", 0, true, true },
    { "for the session", "s\n", "all of them passed", "allow for the session", 0, false, true },
    { "no", "n\n", "The user refused", "deny", 3, true, true },
    { "words", "use ninja\n", "use ninja", "deny", 3, true, true },
    { "just Enter decides nothing", "\ny\n", "all of them passed", "allow once", 0, true, true },
    { "stop", "q\n", "stopped", "deny and stop", 130, true, true },
    { "for the workspace", "w\n", "all of them passed", "allow for the workspace", 0, false,
      false },
};

static bool asks(struct sandbox *w, const char *const *argv)
{
    struct terminal t;
    bool asked;

    begin(&t, w, argv);
    while (!strstr(t.seen.buf, "> ") && read_more(&t))
        ;
    asked = strstr(t.seen.buf, "[y] once") != NULL;
    if (asked)
        type(&t, "n\n");
    finish(&t);
    sf_strbuf_release(&t.seen);
    return asked;
}

static void test_answers(void **state)
{
    struct sandbox *w = *state;

    fill(w);
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct terminal t;
        int code;

        begin(&t, w, run_tests);
        wait_for(&t, "why not\r\n> ");
        assert_non_null(strstr(t.seen.buf, "\r\n  cage: "));
        type(&t, cases[i].typed);
        code = finish(&t);
        if (code != cases[i].code || !strstr(t.seen.buf, cases[i].shows))
            fail_msg("%s: exit code %d\n%s", cases[i].name, code, t.seen.buf);
        sf_strbuf_release(&t.seen);
        sandbox_expect(
            w,
            "log --sql 'select answer, answered_by from decisions where answer is not null "
            "order by id desc limit 1'",
            0, cases[i].row, NULL);
        if (asks(w, again) != cases[i].asks_in_session)
            fail_msg("%s: the session asks %s", cases[i].name,
                     cases[i].asks_in_session ? "no more" : "again");
        if (asks(w, run_tests) != cases[i].asks_in_next)
            fail_msg("%s: the next session asks %s", cases[i].name,
                     cases[i].asks_in_next ? "no more" : "again");
    }
}

/* What destroys wants the whole word. */
static void test_confirmation(void **state)
{
    static const char *const argv[] = { "sf", "-p", "run rm -rf build", NULL };
    struct sandbox *w = *state;
    struct terminal t;
    char *path = test_path(w->workspace, "build/x");

    agent_sandbox_file(w, "build/x", "x");
    begin(&t, w, argv);
    wait_for(&t, "type yes to run it");
    type(&t, "y\n");
    assert_int_equal(finish(&t), 3);
    assert_int_equal(access(path, F_OK), 0);
    sf_strbuf_release(&t.seen);
    begin(&t, w, argv);
    wait_for(&t, "type yes to run it");
    type(&t, "yes\n");
    assert_int_equal(finish(&t), 0);
    assert_int_equal(access(path, F_OK), -1);
    sf_strbuf_release(&t.seen);
    free(path);
}

/* What would change is seen before it is approved. */
static void test_plan_is_shown(void **state)
{
    static const char *const argv[] = { "sf",        "-p",     "replace two with three in list.txt",
                                        "--control", "manual", NULL };
    struct sandbox *w = *state;
    struct terminal t;

    agent_sandbox_file(w, "list.txt", "one\ntwo\n");
    begin(&t, w, argv);
    wait_for(&t, "why not\r\n> ");
    assert_non_null(strstr(t.seen.buf, "\r\n   one\r\n  -two\r\n  +three\r\n"));
    type(&t, "n\n");
    assert_int_equal(finish(&t), 3);
    sf_strbuf_release(&t.seen);
}

#define TEN "1\\n2\\n3\\n4\\n5\\n6\\n7\\n8\\n9\\n0\\n"

/* All of a call is printed, with marks for what a terminal would not show. */
static void test_all_is_printed(void **state)
{
    static const char *const argv[] = { "sf", "-p", "go", "--control", "manual", NULL };
    static const char scenario[] =
        "reply\n    call Write {\"file_path\": \"a.txt\", \"content\": \"" TEN TEN TEN TEN TEN TEN
            TEN TEN "last line \\r\\n\"}\n"
        "    call Bash {\"command\": \"make a\\u202eb\\t \\nmake hidden\"}\n"
        "reply\n    text \"Done.\"\n";
    struct sandbox *w = *state;
    struct model_server *server = agent_sandbox_serve(w, SF_WIRE_ANTHROPIC, scenario, NULL);
    struct terminal t;

    begin(&t, w, argv);
    wait_for(&t, "why not\r\n> ");
    assert_non_null(strstr(t.seen.buf, "\r\n  +last line·␍\r\n"));
    type(&t, "n\n");
    wait_for(&t, "why not\r\n> ");
    assert_non_null(strstr(t.seen.buf, "? Bash  make a⟨U+202E⟩b→\t·↵\r\nmake hidden\r\n"));
    /* asked once, also when it comes while another is being answered: nothing typed is dropped */
    assert_null(strstr(strstr(t.seen.buf, "? Bash") + 1, "? Bash"));
    type(&t, "n\n");
    finish(&t);
    assert_null(strstr(t.seen.buf, "? Bash"));
    sf_strbuf_release(&t.seen);
    model_server_stop(server);
}

/* The terminal goes away: nobody will answer, and the run ends by itself. */
static void test_hangup(void **state)
{
    struct sandbox *w = *state;
    struct terminal t;
    int status;

    fill(w);
    begin(&t, w, run_tests);
    wait_for(&t, "why not\r\n> ");
    close(t.fd);
    assert_int_equal(waitpid(t.pid, &status, 0), t.pid);
    assert_true(WIFEXITED(status));
    sf_strbuf_release(&t.seen);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, sandbox_setup, sandbox_teardown)
    const struct CMUnitTest tests[] = {
        CASE(test_answers),        CASE(test_confirmation), CASE(test_plan_is_shown),
        CASE(test_all_is_printed), CASE(test_hangup),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
