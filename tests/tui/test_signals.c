/*
 * Whatever ends sf, the terminal is usable afterwards, nobody is left behind, and what was said
 * and what was being written are still there.
 */
#include <dirent.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/pty_case.h"
#include "support/test.h"

#define AT_TERMINAL(fn) cmocka_unit_test_setup_teardown(fn, pty_case_setup, pty_case_teardown)

#define WAITS "reply\n call Bash {\"command\": \"until test -e go; do sleep 0.02; done\"}\n"

static const struct {
    const char *name;
    int signo, code; /* -1: it dies of the signal, or as a sanitizer wants it */
} cases[] = {
    { "SIGTERM", SIGTERM, 143 }, { "SIGHUP", SIGHUP, 129 },  { "SIGINT", SIGINT, 130 },
    { "SIGSEGV", SIGSEGV, -1 },  { "SIGABRT", SIGABRT, -1 }, { "SIGQUIT", SIGQUIT, -1 },
};

static void test_terminal_is_restored(void **state)
{
    struct pty_case *s = *state;

    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        int status;

        pty_case_begin(s, NULL);
        assert_true(vt_modes(s->vt)->alternate && vt_modes(s->vt)->other_keys == 2);
        vt_signal(s->vt, cases[i].signo);
        status = vt_wait_exit(s->vt);
        if (cases[i].code >= 0 ? !WIFEXITED(status) || WEXITSTATUS(status) != cases[i].code
                               : status == 0)
            fail_msg("%s: status %x", cases[i].name, (unsigned)status);
        pty_case_expect_restored(s->vt, cases[i].name);
    }
}

/* In an overlay, over a card and in mid-turn it is the same. */
static void test_restored_from_everywhere(void **state)
{
    struct pty_case *s = *state;

    pty_case_serve(s, "reply\n call Write {\"file_path\": \"made.txt\", \"content\": \"made\\n\"}\n"
                      "reply\n text delta=4 \"${fill:4000}\"\n write 16 pace=5\n");
    pty_case_begin(s, NULL);
    pty_case_type(s, "\033OP", "Esc close");
    vt_signal(s->vt, SIGTERM);
    assert_int_equal(WEXITSTATUS(vt_wait_exit(s->vt)), 143);
    pty_case_expect_restored(s->vt, "in help");
    pty_case_begin(s, NULL);
    pty_case_type(s, "begin\r", "waiting for you");
    vt_signal(s->vt, SIGTERM);
    assert_int_equal(WEXITSTATUS(vt_wait_exit(s->vt)), 143);
    pty_case_expect_restored(s->vt, "over a card");
    pty_case_begin(s, NULL);
    pty_case_type(s, "begin\r", "xxxx");
    vt_signal(s->vt, SIGHUP);
    assert_int_equal(WEXITSTATUS(vt_wait_exit(s->vt)), 129);
    pty_case_expect_restored(s->vt, "while it streams");
}

/* ---- nobody left behind ---- */

static bool read_link(const char *pid, const char *name, char *out, size_t size)
{
    char path[300];
    ssize_t n;

    snprintf(path, sizeof(path), "/proc/%s/%s", pid, name);
    n = readlink(path, out, size - 1);
    out[n > 0 ? n : 0] = '\0';
    return n > 0;
}

/* Processes that work in the sandbox's directory; one of them in `pid`. */
static int count_in_sandbox(const struct pty_case *s, pid_t *pid)
{
    DIR *proc = opendir("/proc");
    const struct dirent *entry;
    int count = 0;

    while (proc && (entry = readdir(proc))) {
        char at[600];

        if (entry->d_name[0] < '1' || entry->d_name[0] > '9' ||
            !read_link(entry->d_name, "cwd", at, sizeof(at)) ||
            strncmp(at, s->sandbox->dir, strlen(s->sandbox->dir)) != 0)
            continue;
        count++;
        *pid = (pid_t)atoi(entry->d_name);
    }
    if (proc)
        closedir(proc);
    return count;
}

static void expect_nobody(const struct pty_case *s, const char *name)
{
    pid_t pid = 0;
    int count = count_in_sandbox(s, &pid);

    if (count)
        fail_msg("%s: %d processes are left, one is %d", name, count, (int)pid);
}

static bool has_child(struct vt *vt, const void *ctx)
{
    pid_t pid;

    (void)vt;
    return count_in_sandbox(ctx, &pid) >= 2;
}

/* The tool's child is there before, and gone after. */
static void begin_work(struct pty_case *s)
{
    pty_case_serve(s, WAITS);
    pty_case_begin(s, NULL);
    pty_case_type(s, "begin the work\r", "Running");
    vt_wait_text(s->vt, "caged");
    vt_wait_until(s->vt, has_child, s, "the tool's process");
    pty_case_type(s, "and look in tests\r", "joins the turn at its next step");
    pty_case_type(s, "queued for later\t", "1 queued");
    pty_case_type(s, "half a thou", "› half a thou");
}

static void expect_all_there(struct pty_case *s)
{
    model_server_stop(s->server);
    s->server = NULL;
    pty_case_serve(s,
                   "reply\n expect-contains \"half a thou\"\n text \"going on\"\n"
                   "reply\n expect-contains \"queued for later\"\n text \"and then the rest\"\n");
    pty_case_begin(s, "-c");
    vt_wait_text(s->vt, "begin the work");
    vt_wait_text(s->vt, "and look in tests");
    vt_wait_text(s->vt, "› half a thou");
    vt_wait_text(s->vt, "queued for later");
    pty_case_type(s, "\r", "going on");
    vt_wait_text(s->vt, "and then the rest");
}

static void test_hang_up(void **state)
{
    struct pty_case *s = *state;
    int status;

    begin_work(s);
    vt_hang_up(s->vt);
    status = vt_wait_exit(s->vt);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 129);
    expect_nobody(s, "after the terminal was closed");
    expect_all_there(s);
}

static void test_terminated_in_mid_turn(void **state)
{
    struct pty_case *s = *state;

    begin_work(s);
    vt_signal(s->vt, SIGTERM);
    assert_int_equal(WEXITSTATUS(vt_wait_exit(s->vt)), 143);
    expect_nobody(s, "after SIGTERM");
    expect_all_there(s);
}

/* ---- SIGKILL ---- */

#define BETWEEN "between the two"

static pid_t child_of(pid_t pid)
{
    char path[64], text[64] = "";
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)pid, (int)pid);
    file = fopen(path, "re");
    if (!file || !fgets(text, sizeof(text), file))
        text[0] = '\0';
    if (file)
        fclose(file);
    return (pid_t)atoi(text);
}

static bool wrote_between(struct vt *vt, const void *ctx)
{
    const struct sf_strbuf *out = vt_take(vt);

    (void)ctx;
    return memmem(out->buf, out->len, BETWEEN, strlen(BETWEEN)) != NULL;
}

/* What the first one drew is wiped off before the second one begins. */
static void test_start_after_kill(void **state)
{
    static const char *const shell[] = {
        "/bin/sh", "-c", SF_PROGRAM "; printf '\\033[2J" BETWEEN "\\033[2J'; " SF_PROGRAM, NULL
    };
    struct pty_case *s = *state;
    pid_t first;

    pty_case_run(s, shell);
    vt_wait_text(s->vt, "F1 help");
    pty_case_type(s, "kept over a kill", "› kept over a kill");
    pty_case_wait_draft(s, "kept over a kill");
    first = child_of(vt_pid(s->vt));
    assert_true(first > 0);
    assert_int_equal(kill(first, SIGKILL), 0);
    vt_wait(s->vt, wrote_between, NULL, "the shell between the two");
    vt_wait_text(s->vt, "› kept over a kill");
    vt_type(s->vt, "\003");
    vt_wait_no_text(s->vt, "kept over a kill");
    vt_type(s->vt, "\003\003");
    vt_wait_exit(s->vt);
    pty_case_expect_restored(s->vt, "the start after a SIGKILL");
}

static void test_killed_in_mid_turn(void **state)
{
    struct pty_case *s = *state;

    begin_work(s);
    pty_case_wait_draft(s, "half a thou");
    vt_signal(s->vt, SIGKILL);
    vt_wait_exit(s->vt);
    pty_case_file(s, "go", ""); /* what was left behind ends by itself */
    expect_all_there(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        AT_TERMINAL(test_terminal_is_restored),
        AT_TERMINAL(test_restored_from_everywhere),
        AT_TERMINAL(test_hang_up),
        AT_TERMINAL(test_terminated_in_mid_turn),
        AT_TERMINAL(test_start_after_kill),
        AT_TERMINAL(test_killed_in_mid_turn),
    };

    cmocka_set_test_filter(getenv("SF_TEST_FILTER"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
