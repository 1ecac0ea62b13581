/*
 * test_child.c: what a command is given, how it ends, and what is known of it afterwards.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "support/child.h"
#include "support/test.h"

static const char *out_of(const struct sf_child_result *r)
{
    return r->output[SF_CHILD_STREAM_OUT].buf;
}

static const struct {
    const char *name, *script;
    enum sf_child_how how;
    int code, signo;
} endings[] = {
    { "success", "exit 0", SF_CHILD_EXITED, 0, 0 },
    { "failure", "exit 3", SF_CHILD_EXITED, 3, 0 },
    { "the greatest code", "exit 255", SF_CHILD_EXITED, 255, 0 },
    { "SIGTERM", "kill -TERM $$", SF_CHILD_SIGNALLED, -1, SIGTERM },
    { "SIGKILL", "kill -KILL $$", SF_CHILD_SIGNALLED, -1, SIGKILL },
    { "SIGSEGV", "kill -SEGV $$", SF_CHILD_SIGNALLED, -1, SIGSEGV },
    { "not found by the shell", "no-such-program 2>/dev/null", SF_CHILD_EXITED, 127, 0 },
    { "closes its output early", "exec >&- 2>&-; exit 4", SF_CHILD_EXITED, 4, 0 },
    { "leaves the pipe to another", "sleep 1000.$1 & exec >&- 2>&-; exit 5", SF_CHILD_EXITED, 5,
      0 },
};

static void test_endings(void **state)
{
    for (size_t i = 0; i < SF_COUNT(endings); i++) {
        const struct sf_child_result *r =
            child_run_script(*state, (struct sf_child_spec){ 0 }, endings[i].script);

        if (r->how != endings[i].how || r->code != endings[i].code ||
            r->signo != endings[i].signo || r->left_count)
            fail_msg("%s: how %d, code %d, signal %d", endings[i].name, r->how, r->code, r->signo);
    }
    assert_false(child_any_waiting());
}

static bool refuse_setup(void *ctx)
{
    (void)ctx;
    errno = EPERM;
    return false;
}

static const struct {
    const char *name, *program, *cwd, *path;
    sf_child_setup_fn *setup;
    const char *words;
} refusals[] = {
    { "unknown name", "no-such-program-at-all", ".", NULL, NULL,
      "cannot run no-such-program-at-all: no such file" },
    { "missing path", "/no/such/program", ".", NULL, NULL, "no such file" },
    { "not executable", "./plain", ".", NULL, NULL, "permission denied" },
    { "not executable, by name", "plain", ".", "PATH=DIR", NULL, "permission denied" },
    { "a directory", "/tmp", ".", NULL, NULL, "permission denied" },
    { "no program inside", "./noise", ".", NULL, NULL, "exec format error" },
    { "no name", "", ".", NULL, NULL, "no such file" },
    { "relative PATH", "tool", ".", "PATH=.:", NULL, "no such file" },
    { "empty PATH", "tool", ".", "PATH=", NULL, "no such file" },
    { "missing directory", "/bin/true", "nowhere", NULL, NULL, "cannot enter the working dir" },
    { "setup says no", "/bin/true", ".", NULL, refuse_setup,
      "cannot confine /bin/true: operation" },
};

static void test_refusals(void **state)
{
    struct child_fixture *f = *state;
    char *plain = test_path(f->dir, "plain"), *noise = test_path(f->dir, "noise");
    char *tool = test_path(f->dir, "tool");
    struct sf_strbuf path = SF_STRBUF_INIT;

    test_write(plain, "#!/bin/sh\n", 10);
    test_write(noise, "\1\2\3\4", 4);
    test_write(tool, "#!/bin/sh\n", 10);
    assert_int_equal(chmod(noise, 0700) | chmod(tool, 0700) | chmod(plain, 0600), 0);
    sf_strbuf_addf(&path, "PATH=%s", f->dir);
    assert_int_equal(chdir(f->dir), 0);
    for (size_t i = 0; i < SF_COUNT(refusals); i++) {
        const char *given = refusals[i].path;
        const char *argv[] = { refusals[i].program, NULL };
        const char *envp[] = { given && !strcmp(given, "PATH=DIR") ? path.buf : given, NULL };
        const struct sf_child_spec spec = {
            .argv = argv,
            .envp = given ? envp : NULL,
            .cwd = refusals[i].cwd,
            .setup = refusals[i].setup,
        };
        const struct sf_child_result *r = child_run(f, &spec);

        if (r->how != SF_CHILD_FAILED || !strstr(r->error.msg, refusals[i].words))
            fail_msg("%s: how %d, %s", refusals[i].name, r->how, r->error.msg);
    }
    assert_int_equal(chdir("/"), 0);
    sf_strbuf_release(&path);
    free(tool);
    free(noise);
    free(plain);
}

static void test_program_is_found_in_its_own_path(void **state)
{
    struct child_fixture *f = *state;
    char *tool = test_path(f->dir, "tool");
    struct sf_strbuf path = SF_STRBUF_INIT;
    const char *argv[] = { "tool", "a b", NULL };
    const char *envp[] = { NULL, NULL };
    const struct sf_child_spec spec = { .argv = argv, .envp = envp, .output_cap = CHILD_CAP };

    test_write(tool, "#!/bin/sh\necho \"mine $1\"\n", 25);
    assert_int_equal(chmod(tool, 0700), 0);
    sf_strbuf_addf(&path, "PATH=/no/where::bin:%s", f->dir);
    envp[0] = path.buf;
    assert_string_equal(out_of(child_run(f, &spec)), "mine a b\n");
    sf_strbuf_release(&path);
    free(tool);
}

static void test_input_goes_through(void **state)
{
    enum { SIZE = 1 << 20 };
    struct child_fixture *f = *state;
    const char *argv[] = { "cat", NULL };
    char *data = sf_alloc(SIZE);
    const struct sf_child_spec spec = {
        .argv = argv,
        .input = data,
        .input_len = SIZE,
        .output_cap = SIZE + 1,
    };
    const struct sf_child_result *r;
    bool same;

    for (int i = 0; i < SIZE; i++)
        data[i] = (char)(i * 7 >> 2);
    r = child_run(f, &spec);
    same = r->output[SF_CHILD_STREAM_OUT].len == SIZE && !memcmp(out_of(r), data, SIZE);
    free(data);
    assert_int_equal(r->how, SF_CHILD_EXITED);
    assert_true(same);
}

/* Nobody reads a mebibyte: no SIGPIPE may reach us, although its action is the default one. */
static void test_unread_input_is_no_matter(void **state)
{
    static char data[1 << 20];
    const struct sf_child_spec spec = { .input = data, .input_len = sizeof(data) };
    const struct sf_child_result *r;
    sigset_t pending;

    signal(SIGPIPE, SIG_DFL);
    r = child_run_script(*state, spec, "exec <&-; sleep 0.05; exit 5");
    assert_int_equal(r->how, SF_CHILD_EXITED);
    assert_int_equal(r->code, 5);
    sigpending(&pending);
    assert_false(sigismember(&pending, SIGPIPE));
}

static void test_no_input_is_end_of_file(void **state)
{
    const struct sf_child_spec empty = { .input = "", .input_len = 0 };
    const char script[] = "cat; readlink /proc/$$/fd/0";

    assert_string_equal(out_of(child_run_script(*state, (struct sf_child_spec){ 0 }, script)),
                        "/dev/null\n");
    assert_memory_equal(out_of(child_run_script(*state, empty, script)), "pipe:", 5);
}

static long resident_kib(void)
{
    char *text = test_read("/proc/self/statm", NULL);
    long pages = 0;

    sscanf(text, "%*d %ld", &pages);
    free(text);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void test_flood_is_counted_and_dropped(void **state)
{
    enum { FLOOD = 50 * 1000 * 1000 };
    const struct sf_child_spec spec = { .output_cap = CHILD_CAP };
    const struct sf_child_result *r;
    long before = resident_kib();

    r = child_run_script(*state, spec, "printf begin; head -c 49999995 /dev/zero");
    assert_int_equal(r->how, SF_CHILD_EXITED);
    assert_int_equal(r->total[SF_CHILD_STREAM_OUT], FLOOD);
    assert_int_equal(r->output[SF_CHILD_STREAM_OUT].len, CHILD_CAP);
    assert_memory_equal(out_of(r), "begin", 5);
    assert_true(resident_kib() - before < 8192);
}

static void test_cap_is_shared_by_both_streams(void **state)
{
    const struct sf_child_spec spec = { .output_cap = 10 };
    const struct sf_child_result *r =
        child_run_script(*state, spec, "printf 1234567; printf abcdefg >&2");
    const struct sf_strbuf *out = &r->output[SF_CHILD_STREAM_OUT],
                           *told = &r->output[SF_CHILD_STREAM_ERR];

    assert_int_equal(out->len + told->len, 10); /* whichever was read first */
    assert_memory_equal(out->buf, "1234567", out->len);
    assert_memory_equal(told->buf, "abcdefg", told->len);
    assert_int_equal(r->total[SF_CHILD_STREAM_OUT], 7);
    assert_int_equal(r->total[SF_CHILD_STREAM_ERR], 7);
}

static void test_streams_apart_and_merged(void **state)
{
    const char script[] = "echo one; echo two >&2; echo three";
    const struct sf_child_result *r = child_run_script(*state, (struct sf_child_spec){ 0 }, script);

    assert_string_equal(out_of(r), "one\nthree\n");
    assert_string_equal(r->output[SF_CHILD_STREAM_ERR].buf, "two\n");
    r = child_run_script(*state, (struct sf_child_spec){ .merge_stderr = true }, script);
    assert_string_equal(out_of(r), "one\ntwo\nthree\n");
    assert_int_equal(r->total[SF_CHILD_STREAM_ERR], 0);
}

static void test_environment_is_what_was_given(void **state)
{
    const char *argv[] = { "/usr/bin/env", NULL };
    const char *envp[] = { "ONE=1", "TWO=with space", NULL };
    const char *none[] = { NULL };
    struct sf_child_spec spec = { .argv = argv, .envp = envp, .output_cap = CHILD_CAP };

    setenv("SECRET_TOKEN", "marker", 1);
    assert_string_equal(out_of(child_run(*state, &spec)), "ONE=1\nTWO=with space\n");
    spec.envp = none;
    assert_string_equal(out_of(child_run(*state, &spec)), "");
    spec.envp = NULL;
    assert_non_null(strstr(out_of(child_run(*state, &spec)), "PATH="));
    assert_null(strstr(out_of(child_run(*state, &spec)), "marker"));
    unsetenv("SECRET_TOKEN");
}

/* The one beside 0, 1 and 2 is the directory ls reads. */
static void test_only_three_descriptors(void **state)
{
    const char *argv[] = { "ls", "/proc/self/fd", NULL };
    const struct sf_child_spec spec = { .argv = argv, .output_cap = CHILD_CAP };
    int careless = open("/dev/null", O_RDONLY);
    int far = fcntl(careless, F_DUPFD, 200);

    assert_true(careless >= 0 && far >= 200);
    assert_string_equal(out_of(child_run(*state, &spec)), "0\n1\n2\n3\n");
    close(far);
    close(careless);
}

static bool open_carelessly(void *ctx)
{
    (void)ctx;
    return open("/dev/null", O_RDONLY) >= 0;
}

static void test_setup_leaks_no_descriptor(void **state)
{
    const char *argv[] = { "ls", "/proc/self/fd", NULL };
    const struct sf_child_spec spec = {
        .argv = argv,
        .output_cap = CHILD_CAP,
        .setup = open_carelessly,
    };

    assert_string_equal(out_of(child_run(*state, &spec)), "0\n1\n2\n3\n");
}

static void test_signals_and_session_are_fresh(void **state)
{
    const char *argv[] = { "cat", "/proc/self/status", "/proc/self/stat", NULL };
    const struct sf_child_spec spec = { .argv = argv, .output_cap = CHILD_CAP };
    const struct sf_child_result *r;
    int pid = 0, group = 0, session = 0, tty = -1;
    sigset_t block, before;
    const char *stat;

    signal(SIGPIPE, SIG_IGN);
    sigemptyset(&block);
    sigaddset(&block, SIGUSR1);
    sigprocmask(SIG_BLOCK, &block, &before);
    r = child_run(*state, &spec);
    sigprocmask(SIG_SETMASK, &before, NULL);
    signal(SIGPIPE, SIG_DFL);
    assert_non_null(strstr(out_of(r), "SigBlk:\t0000000000000000\n"));
    assert_non_null(strstr(out_of(r), "SigIgn:\t0000000000000000\n"));
    stat = strstr(out_of(r), " (cat) ");
    assert_non_null(stat);
    while (stat > out_of(r) && stat[-1] != '\n')
        stat--;
    sscanf(stat, "%d (cat) %*c %*d %d %d %d", &pid, &group, &session, &tty);
    assert_true(pid > 0);
    assert_int_equal(group, pid);
    assert_int_equal(session, pid);
    assert_int_equal(tty, 0);
}

static bool enter_root(void *ctx)
{
    return chdir(ctx) == 0;
}

static void test_directory_and_setup(void **state)
{
    struct child_fixture *f = *state;
    struct sf_error err;
    char *real = sf_path_real(f->dir, &err);
    char root[] = "/";
    const struct sf_child_spec moved = { .setup = enter_root, .setup_ctx = root };
    const struct sf_child_result *r = child_run_script(f, (struct sf_child_spec){ 0 }, "pwd -P");

    assert_memory_equal(out_of(r), real, strlen(real));
    free(real);
    assert_string_equal(out_of(child_run_script(f, moved, "pwd")), "/\n");
}

static void test_resource_use_is_told(void **state)
{
    const struct sf_child_result *r = child_run_script(
        *state, (struct sf_child_spec){ 0 }, "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done");

    assert_true(r->user_ms + r->system_ms > 0);
    assert_true(r->max_rss_kib > 0);
    assert_true(r->duration_ms > 0);
}

static void test_two_hundred_leave_no_trace(void **state)
{
    struct child_fixture *f = *state;
    int before = child_count_fds();

    for (int i = 0; i < 200; i++) {
        const struct sf_child_spec spec = { .input = "x", .input_len = i % 2 };

        assert_int_equal(child_run_script(f, spec, i % 3 ? "exit 1" : "(sleep 1000.$1 &)")->how,
                         SF_CHILD_EXITED);
    }
    assert_int_equal(child_count_fds(), before);
    assert_int_equal(child_count_marked(f->marker), 0);
    assert_false(child_any_waiting());
}

/* Every combination of closed standard descriptors, in a process of its own. */
static int run_with_closed(int which)
{
    const char *argv[] = { "sh", "-c", "cat; echo err >&2; exit 3", NULL };
    const struct sf_child_spec spec = {
        .argv = argv,
        .input = "in",
        .input_len = 2,
        .output_cap = CHILD_CAP,
    };
    struct sf_child_result r;
    struct sf_error err;
    bool ok;

    for (int fd = 0; fd < 3; fd++)
        if (which >> fd & 1)
            close(fd);
    if (!sf_child_run(&spec, &r, &err))
        return 2;
    ok = r.how == SF_CHILD_EXITED && r.code == 3 && !strcmp(out_of(&r), "in") &&
         !strcmp(r.output[SF_CHILD_STREAM_ERR].buf, "err\n");
    for (int fd = 0; fd < 3; fd++)
        if (which >> fd & 1 && fcntl(fd, F_GETFD) >= 0)
            ok = false;
    sf_child_result_release(&r);
    return ok ? 0 : 1;
}

static void test_closed_standard_descriptors(void **state)
{
    (void)state;
    for (int which = 0; which < 8; which++) {
        int code = child_in_process(run_with_closed, which);

        if (code)
            fail_msg("combination %d: code %d", which, code);
    }
}

/* With ever fewer descriptors to have, a start works or is refused, and leaks nothing. */
static int run_with_few(int allowed)
{
    const char *argv[] = { "true", NULL };
    const struct sf_child_spec spec = { .argv = argv, .input = "x", .input_len = 1 };
    struct rlimit limit;
    struct sf_child_result r;
    struct sf_error err = SF_ERROR_INIT;
    int first, last = -1, fd;
    bool ok;

    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = 64;
    if (setrlimit(RLIMIT_NOFILE, &limit) < 0)
        return 2;
    while ((fd = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0)
        last = fd;
    for (first = last; first > last - allowed; first--)
        close(first);
    ok = sf_child_run(&spec, &r, &err);
    if (ok)
        sf_child_result_release(&r);
    else if (!strstr(err.msg, "too many open files"))
        return 3;
    for (int i = 0; i < allowed; i++)
        if (open("/dev/null", O_RDONLY | O_CLOEXEC) < 0)
            return 4;
    return ok ? 10 : 0;
}

static void test_scarce_descriptors(void **state)
{
    int good = 0, refused = 0;

    (void)state;
    for (int allowed = 0; allowed < 20; allowed++) {
        int code = child_in_process(run_with_few, allowed);

        if (code % 10)
            fail_msg("%d descriptors: code %d", allowed, code);
        good += code == 10;
        refused += code == 0;
    }
    assert_true(good > 0);
    assert_true(refused > 0);
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, child_setup, child_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_endings),
        TEST(test_refusals),
        TEST(test_program_is_found_in_its_own_path),
        TEST(test_input_goes_through),
        TEST(test_unread_input_is_no_matter),
        TEST(test_no_input_is_end_of_file),
        TEST(test_flood_is_counted_and_dropped),
        TEST(test_cap_is_shared_by_both_streams),
        TEST(test_streams_apart_and_merged),
        TEST(test_environment_is_what_was_given),
        TEST(test_only_three_descriptors),
        TEST(test_setup_leaks_no_descriptor),
        TEST(test_signals_and_session_are_fresh),
        TEST(test_directory_and_setup),
        TEST(test_resource_use_is_told),
        TEST(test_two_hundred_leave_no_trace),
        TEST(test_closed_standard_descriptors),
        TEST(test_scarce_descriptors),
    };

    return cmocka_run_group_tests_name("child", tests, NULL, NULL);
}
