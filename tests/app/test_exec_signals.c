/*
 * Signals to a run in the middle of a command: the first ends it cleanly, with the code of the
 * signal, nothing left behind and a session that goes on; the second ends it on the spot.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "support/agent_sandbox.h"
#include "support/child.h"
#include "support/schema.h"
#include "support/test.h"

struct running {
    pid_t pid;
    int out;               /* its standard output */
    struct sf_strbuf seen; /* what it printed so far */
};

static struct running begin(struct sandbox *w)
{
    char *const argv[] = { (char *)(uintptr_t)SF_PROGRAM,
                           (char *)(uintptr_t) "exec",
                           (char *)(uintptr_t) "--permission-profile",
                           (char *)(uintptr_t) "trusted",
                           (char *)(uintptr_t) "--on-ask",
                           (char *)(uintptr_t) "allow",
                           (char *)(uintptr_t) "--output-format",
                           (char *)(uintptr_t) "stream-json",
                           (char *)(uintptr_t) "go",
                           NULL };
    struct running r = { .seen = SF_STRBUF_INIT };
    int fds[2];

    assert_int_equal(pipe(fds), 0);
    r.pid = fork();
    assert_true(r.pid >= 0);
    if (r.pid == 0) {
        int null = open("/dev/null", O_RDWR);

        if (null < 0 || dup2(null, 0) < 0 || dup2(fds[1], 1) < 0 || dup2(null, 2) < 0 ||
            chdir(w->workspace) != 0)
            _exit(126);
        close(fds[0]);
        close(fds[1]);
        execve(argv[0], argv, w->env.items);
        _exit(127);
    }
    close(fds[1]);
    r.out = fds[0];
    return r;
}

/* Reads until the text has come: the run is where the test wants it. */
static void wait_for(struct running *r, const char *text)
{
    struct sf_strbuf *seen = &r->seen;
    char buf[512];
    ssize_t n;

    while (!memmem(seen->buf, seen->len, text, strlen(text)) &&
           (n = read(r->out, buf, sizeof(buf))) > 0)
        sf_strbuf_add(seen, buf, (size_t)n);
    if (!memmem(seen->buf, seen->len, text, strlen(text)))
        fail_msg("%s never came: %s", text, seen->buf);
}

/* The exit code; the output is read to its end first, and is as its schema says. */
static int finish(struct running *r)
{
    char buf[512];
    ssize_t n;
    int status;

    while ((n = read(r->out, buf, sizeof(buf))) > 0)
        sf_strbuf_add(&r->seen, buf, (size_t)n);
    close(r->out);
    schema_check_stream(r->seen.buf, r->seen.len, "a run that gets a signal");
    sf_strbuf_release(&r->seen);
    assert_int_equal(waitpid(r->pid, &status, 0), r->pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Says when it runs, in other letters than the call; then stays. The marker finds it all. */
static struct model_server *serve_waiting(struct sandbox *w, const char *marker)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct model_server *server;

    sf_strbuf_addf(&text,
                   "reply\n    text \"I start it.\"\n"
                   "    call Bash {\"command\":\"echo 'start'ed; sh -c 'sleep 1000; exit' %s\"}\n",
                   marker);
    server = agent_sandbox_serve(w, SF_WIRE_ANTHROPIC, text.buf, NULL);
    sf_strbuf_release(&text);
    return server;
}

static const struct {
    int signo, code;
} signals[] = { { SIGINT, 130 }, { SIGTERM, 143 }, { SIGHUP, 129 } };

static void test_first(void **state)
{
    struct sandbox *w = *state;

    for (size_t i = 0; i < SF_COUNT(signals); i++) {
        char marker[32];
        struct model_server *server;
        struct running r;

        snprintf(marker, sizeof(marker), "sf-%d-%zu", (int)getpid(), i);
        server = serve_waiting(w, marker);
        r = begin(w);
        wait_for(&r, "started");
        kill(r.pid, signals[i].signo);
        assert_int_equal(finish(&r), signals[i].code);
        assert_true(child_wait_until_gone(marker));
        agent_sandbox_check(server, "signal");
        model_server_stop(server);
        server = agent_sandbox_serve(
            w, SF_WIRE_ANTHROPIC, "reply\n    expect-contains \"I start it.\"\n    text \"fine\"\n",
            NULL);
        sandbox_expect(w, "exec --continue", 0, "fine", NULL);
        agent_sandbox_check(server, "after a signal");
        model_server_stop(server);
    }
}

/* While the model is silent: the request ends at once. */
static void test_while_waiting_for_the_model(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server =
        agent_sandbox_serve(w, SF_WIRE_CHAT, "reply\n    text \"so far\"\n    stall 400\n", NULL);
    struct running r = begin(w);

    assert_true(model_server_wait(server, 1, 60000));
    kill(r.pid, SIGINT);
    assert_int_equal(finish(&r), 130);
    model_server_stop(server);
}

/* A command that does not listen holds up the clean end, not the second signal. */
static void test_second(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server = agent_sandbox_serve(
        w, SF_WIRE_ANTHROPIC,
        "reply\n    call Bash {\"command\":\"trap '' TERM; echo 'start'ed; sleep 1000 & wait\"}\n",
        NULL);
    struct running r = begin(w);
    int code;

    wait_for(&r, "started");
    kill(r.pid, SIGINT);
    kill(r.pid, SIGTERM);
    code = finish(&r);
    assert_true(code == 130 || code == 143);
    model_server_stop(server);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, sandbox_setup, sandbox_teardown)
    const struct CMUnitTest tests[] = {
        CASE(test_first),
        CASE(test_while_waiting_for_the_model),
        CASE(test_second),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
