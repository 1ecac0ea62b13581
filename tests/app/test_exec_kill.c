/*
 * SIGKILL in the middle of a run that uses tools, a hundred times, at moments spread over the
 * whole of it. Each time the session goes on with a history the service accepts, and each file is
 * one of those the run writes, never a part of one.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "support/agent_sandbox.h"
#include "support/test.h"

enum { KILLS = 100 };

/* The program people run: quick enough to be killed a hundred times. */
static const char *program(void)
{
    static const char release[] = SF_SOURCE "/build/release/sf";

    return access(release, X_OK) == 0 ? release : SF_PROGRAM;
}

static void fill(struct sandbox *w)
{
    agent_sandbox_file(w, "src/add.sh", "add() { echo $(( a - b )); }\n");
    agent_sandbox_file(w, "src/version", "1.0\n");
    agent_sandbox_file(w, "tests/run.sh",
                       "a=2 b=3; . src/add.sh; [ \"$(add)\" = 5 ] && echo PASS || echo FAIL\n");
}

static pid_t begin(struct sandbox *w)
{
    static const char *const words[] = { "exec",        "--permission-profile",
                                         "trusted",     "--output-format",
                                         "stream-json", "Make add() add",
                                         NULL };

    return sandbox_start(w, program(), words);
}

/* Waits until the time has come or the run is over; true when it was killed. */
static bool kill_after(pid_t pid, int64_t us)
{
    struct timespec pause = { us / 1000000, us % 1000000 * 1000 };
    int status;

    nanosleep(&pause, NULL); /* the moment is the point of the test, not a way to wait */
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFSIGNALED(status);
}

static void assert_one_of(struct sandbox *w, const char *name, const char *const *texts)
{
    char *is = agent_sandbox_text(w, name);

    while (*texts && strcmp(*texts, is) != 0)
        texts++;
    if (!*texts)
        fail_msg("%s is half-written: %s", name, is);
    free(is);
}

static void check_files(struct sandbox *w)
{
    static const char *const sources[] = { "add() { echo $(( a - b )); }\n",
                                           "add() { echo $(( a + bb )); }\n",
                                           "add() { echo $(( a + b )); }\n", NULL };
    static const char *const versions[] = { "1.0\n", "1.1\n", NULL };

    assert_one_of(w, "src/add.sh", sources);
    assert_one_of(w, "src/version", versions);
}

/* The length of a whole run, in microseconds. */
static int64_t measure(struct sandbox *w)
{
    struct model_server *server = agent_sandbox_serve(w, SF_WIRE_ANTHROPIC, NULL, "ten-steps.txt");
    int64_t start = sf_clock_monotonic_ms();
    int status;

    fill(w);
    assert_int_equal(waitpid(begin(w), &status, 0) > 0, 1);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    model_server_stop(server);
    return (sf_clock_monotonic_ms() - start) * 1000;
}

static void test_kills(void **state)
{
    static const enum sf_wire_format formats[] = { SF_WIRE_ANTHROPIC, SF_WIRE_CHAT,
                                                   SF_WIRE_RESPONSES };
    struct sandbox *w = *state;
    int64_t whole = measure(w), moment;
    int killed = 0;

    for (int i = 0; killed < KILLS && i < 3 * KILLS; i++) {
        enum sf_wire_format format = formats[i % 3];
        struct model_server *server = agent_sandbox_serve(w, format, NULL, "ten-steps.txt");
        struct outcome o;

        fill(w);
        moment = whole * (int64_t)((unsigned)(i + 1) * 37 % 97) / 100;
        if (kill_after(begin(w), moment))
            killed++;
        else
            whole = moment; /* it is shorter than it was when it was measured */
        model_server_stop(server);
        check_files(w);
        server = agent_sandbox_serve(w, format, "reply\n    text \"still here\"\n", NULL);
        o = sandbox_run_program(w, program(), "exec --continue 'Are you there?'");
        if (model_server_complaint(server, 0) || o.code != 0 || !strstr(o.out, "still here"))
            fail_msg("kill %d: exit code %d, the service says: %s\n%s%s", i, o.code,
                     model_server_complaint(server, 0) ? model_server_complaint(server, 0) : "fine",
                     o.out, o.err);
        outcome_release(&o);
        model_server_stop(server);
    }
    print_message("%d kills of a running program: 0 files half-written, 0 sessions lost\n", killed);
    assert_int_equal(killed, KILLS);
    sandbox_expect(w, "store check", 0, NULL, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_kills, sandbox_setup, sandbox_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
