/*
 * The supervisor: nothing a command starts may stay, however it hides, and whoever dies first.
 */
#include <errno.h>
#include <linux/capability.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "support/child.h"
#include "support/test.h"

/* Scripts that leave something behind; $1 marks it. "w" waits until it is really there. */
#define W "while ! [ -e up ]; do sleep 0.005; done; "

static const struct {
    const char *name, *script;
} leavers[] = {
    { "in the background", "sleep 1000.$1 & touch up; " W },
    { "daemon with a session of its own",
      "(setsid sh -c 'touch up; exec sleep 1000.$1' x $1 </dev/null >/dev/null 2>&1 &) ; " W },
    { "daemon that ignores SIGTERM",
      "(setsid sh -c 'trap \"\" TERM; touch up; while :; do sleep 1000.$1; done' x $1 &) ; " W },
    { "daemon that ignores every polite signal",
      "(setsid sh -c 'trap \"\" HUP INT QUIT TERM; touch up; sleep 1000.$1' x $1 &) ; " W },
    { "stopped process", "sleep 1000.$1 & kill -STOP $!; touch up; " W },
    { "deep chain",
      "sh -c '(sh -c \"(sleep 1000.$1 & touch up; sleep 1000.$1) & sleep 1000.$1\" x $1) & "
      "sleep 1000.$1' x $1 & " W },
    { "one that never stops writing", "(touch up; while :; do echo $1; done) & " W },
    { "many", "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do "
              "(setsid sleep 1000.$1 &); done; touch up; " W },
    { "one that starts another when told to end",
      "(setsid sh -c 'trap \"setsid sleep 1000.$1 & exit\" TERM; touch up; sleep 1000.$1 & wait' "
      "x $1 &) ; " W },
};

static void test_nothing_outlives_a_normal_end(void **state)
{
    struct child_fixture *f = *state;
    char *up = test_path(f->dir, "up");

    for (size_t i = 0; i < SF_COUNT(leavers); i++) {
        struct sf_strbuf script = SF_STRBUF_INIT;
        const struct sf_child_result *r;
        int left;

        sf_strbuf_addf(&script, "%s exit 9", leavers[i].script);
        r = child_run_script(f, (struct sf_child_spec){ 0 }, script.buf);
        left = child_count_marked(f->marker);
        sf_strbuf_release(&script);
        unlink(up);
        if (r->how != SF_CHILD_EXITED || r->code != 9 || left || r->left_count)
            fail_msg("%s: how %d, code %d, %d left", leavers[i].name, r->how, r->code, left);
    }
    free(up);
}

/* One child on a loop of its own, with callbacks that note what happened. */
struct session {
    struct sf_loop *loop;
    struct sf_child *child;
    struct child_fixture *fixture;
    void (*react)(struct session *s); /* to the first output */
    const char *go;                   /* a file to make at the deadline */
    struct sf_strbuf seen;
    uint64_t total;
    size_t left;
    int exits, deadlines, code, signo;
    enum sf_child_how how;
    pid_t stayed; /* the first of those that are left */
};

static void see_output(void *ctx, enum sf_child_stream stream, const char *data, size_t len)
{
    struct session *s = ctx;

    (void)stream;
    sf_strbuf_add(&s->seen, data, len);
    if (s->react)
        s->react(s);
    s->react = NULL;
}

static void see_deadline(void *ctx, struct sf_child *child)
{
    struct session *s = ctx;

    s->deadlines++;
    if (s->go)
        test_write(s->go, "", 0);
    else
        sf_child_cancel(child);
}

static void see_exit(void *ctx, const struct sf_child_result *r)
{
    struct session *s = ctx;

    s->exits++;
    s->how = r->how;
    s->code = r->code;
    s->signo = r->signo;
    s->left = r->left_count;
    s->stayed = r->left_count ? r->left[0] : 0;
    s->total = r->total[SF_CHILD_STREAM_OUT];
    sf_child_cancel(s->child);
}

static const struct sf_child_events plain_events = { .on_output = see_output, .on_exit = see_exit };
static const struct sf_child_events deadline_events = {
    .on_output = see_output,
    .on_deadline = see_deadline,
    .on_exit = see_exit,
};

static void start_session(struct session *s, struct child_fixture *f, struct sf_child_spec spec,
                          const struct sf_child_events *events, const char *script)
{
    const char *argv[] = { "sh", "-c", script, "sh", f->marker, NULL };
    struct sf_error err = SF_ERROR_INIT;

    sf_strbuf_init(&s->seen);
    s->loop = sf_loop_new(&err);
    assert_non_null(s->loop);
    spec.argv = argv;
    spec.cwd = f->dir;
    s->child = sf_child_start(s->loop, &spec, events, s, &err);
    if (!s->child)
        fail_msg("%s", err.msg);
}

static void end_session(struct session *s)
{
    sf_loop_run(s->loop);
    sf_loop_free(s->loop);
    sf_strbuf_release(&s->seen);
}

static void cancel_twice(struct session *s)
{
    sf_child_cancel(s->child);
    sf_child_cancel(s->child);
}

/* So long that only a hang gets to its end; short where the end is waited for. */
enum { AMPLE_MS = 60000, SHORT_MS = 50 };

static const struct {
    const char *name, *script; /* it is cancelled when it first says something */
    int grace_ms, code, signo;
} cancels[] = {
    { "ends when told", "echo up; exec sleep 1000.$1", AMPLE_MS, -1, SIGTERM },
    { "ignores SIGTERM", "trap '' TERM; echo up; sleep 1000.$1; sleep 1000.$1", SHORT_MS, -1,
      SIGKILL },
    { "tidies up and exits", "trap 'exit 6' TERM; sleep 1000.$1 & echo up; wait", AMPLE_MS, 6, 0 },
    { "stopped itself", "echo up; kill -STOP $$; exit 1", AMPLE_MS, -1, SIGTERM },
    { "busy", "echo up; while :; do :; done", AMPLE_MS, -1, SIGTERM },
};

static void test_cancels(void **state)
{
    struct child_fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(cancels); i++) {
        struct session s = { .react = cancel_twice };

        start_session(&s, f, (struct sf_child_spec){ .grace_ms = cancels[i].grace_ms },
                      &plain_events, cancels[i].script);
        end_session(&s);
        if (s.exits != 1 || s.how != SF_CHILD_CANCELLED || s.code != cancels[i].code ||
            s.signo != cancels[i].signo || child_count_marked(f->marker))
            fail_msg("%s: how %d, code %d, signal %d", cancels[i].name, s.how, s.code, s.signo);
    }
    assert_false(child_any_waiting());
}

static void test_nothing_outlives_a_cancel(void **state)
{
    struct child_fixture *f = *state;
    char *up = test_path(f->dir, "up");

    for (size_t i = 0; i < SF_COUNT(leavers); i++) {
        struct session s = { .react = cancel_twice };
        struct sf_strbuf script = SF_STRBUF_INIT;
        int left;

        sf_strbuf_addf(&script, "trap '' TERM; %s echo; sleep 1000.$1; sleep 1000.$1",
                       leavers[i].script);
        start_session(&s, f, (struct sf_child_spec){ .grace_ms = SHORT_MS }, &plain_events,
                      script.buf);
        end_session(&s);
        left = child_count_marked(f->marker);
        sf_strbuf_release(&script);
        unlink(up);
        if (s.how != SF_CHILD_CANCELLED || s.signo != SIGKILL || left || s.left)
            fail_msg("%s: how %d, signal %d, %d left", leavers[i].name, s.how, s.signo, left);
    }
    free(up);
}

/* Not only the command is asked before it is killed: the one below it tidies up, and is awaited. */
static void test_descendants_are_asked_first(void **state)
{
    struct child_fixture *f = *state;
    struct session s = { .react = cancel_twice };
    char *tidy = test_path(f->dir, "tidy");
    int there;

    start_session(&s, f, (struct sf_child_spec){ .grace_ms = AMPLE_MS }, &plain_events,
                  "sh -c 'trap \"touch tidy; exit\" TERM; touch up; sleep 1000.$1 & wait' x $1 & " W
                  "trap : TERM; echo; wait; wait");
    end_session(&s);
    there = access(tidy, F_OK);
    free(tidy);
    assert_int_equal(there, 0);
    assert_int_equal(child_count_marked(f->marker), 0);
}

/* An ignored signal stays ignored through exec, so the command is deaf from its first moment. */
static bool ignore_sigterm(void *ctx)
{
    (void)ctx;
    return signal(SIGTERM, SIG_IGN) != SIG_ERR;
}

static void test_deadlines(void **state)
{
    struct child_fixture *f = *state;
    struct sf_child_spec spec = { .deadline_ms = 300, .grace_ms = AMPLE_MS };
    const struct sf_child_result *r = child_run_script(f, spec, "exec sleep 1000.$1");

    assert_int_equal(r->how, SF_CHILD_DEADLINE);
    assert_int_equal(r->signo, SIGTERM);
    spec.setup = ignore_sigterm;
    spec.grace_ms = SHORT_MS;
    r = child_run_script(f, spec, "exec sleep 1000.$1");
    assert_int_equal(r->how, SF_CHILD_DEADLINE);
    assert_int_equal(r->signo, SIGKILL);
    assert_int_equal(child_count_marked(f->marker), 0);
    spec.deadline_ms = 60000;
    r = child_run_script(f, spec, "exit 2");
    assert_int_equal(r->how, SF_CHILD_EXITED);
}

static void test_cancel_at_once(void **state)
{
    struct child_fixture *f = *state;

    for (int i = 0; i < 20; i++) {
        struct session s = { 0 };

        start_session(&s, f, (struct sf_child_spec){ 0 }, &plain_events, "exec sleep 1000.$1");
        sf_child_cancel(s.child);
        end_session(&s);
        assert_int_equal(s.exits, 1);
        assert_int_equal(s.how, SF_CHILD_CANCELLED);
        assert_int_equal(child_count_marked(f->marker), 0);
    }
}

/* The deadline belongs to the owner: the command goes on and ends as it likes. */
static void test_owner_decides_at_the_deadline(void **state)
{
    struct child_fixture *f = *state;
    char *go = test_path(f->dir, "go");
    struct session s = { .go = go };
    struct session t = { 0 };

    start_session(&s, f, (struct sf_child_spec){ .deadline_ms = 20 }, &deadline_events,
                  "while ! [ -e go ]; do sleep 0.005; done; echo went; exit 7");
    end_session(&s);
    assert_int_equal(s.deadlines, 1);
    assert_int_equal(s.exits, 1);
    assert_int_equal(s.how, SF_CHILD_EXITED);
    assert_int_equal(s.code, 7);

    start_session(&t, f, (struct sf_child_spec){ .deadline_ms = 20 }, &deadline_events,
                  "exec sleep 1000.$1");
    end_session(&t);
    assert_int_equal(t.deadlines, 1);
    assert_int_equal(t.how, SF_CHILD_CANCELLED);
    free(go);
}

static void test_callback_sees_every_byte(void **state)
{
    struct child_fixture *f = *state;
    struct session s = { 0 };

    start_session(&s, f, (struct sf_child_spec){ .output_cap = 10 }, &plain_events,
                  "head -c 300000 /dev/zero");
    sf_loop_run(s.loop);
    assert_int_equal(s.seen.len, 300000);
    end_session(&s);
    assert_int_equal(s.total, 300000);
}

static pid_t supervisor_of(const struct session *s)
{
    return (pid_t)atoi(s->seen.buf);
}

static void kill_supervisor(struct session *s)
{
    kill(supervisor_of(s), SIGKILL);
}

static void stop_supervisor(struct session *s)
{
    kill(supervisor_of(s), SIGSTOP);
    sf_child_cancel(s->child);
}

static void ask_supervisor(struct session *s)
{
    kill(supervisor_of(s), SIGTERM);
}

static const struct {
    const char *name;
    void (*react)(struct session *s);
    int grace_ms;
    enum sf_child_how how;
    int signo;
} attacks[] = {
    { "killed", kill_supervisor, SHORT_MS, SF_CHILD_FAILED, 0 },
    { "stopped", stop_supervisor, SHORT_MS, SF_CHILD_CANCELLED, 0 },
    { "asked to end", ask_supervisor, AMPLE_MS, SF_CHILD_SIGNALLED, SIGTERM },
};

static void test_attacks_on_the_supervisor(void **state)
{
    struct child_fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(attacks); i++) {
        struct session s = { .react = attacks[i].react };

        start_session(&s, f, (struct sf_child_spec){ .grace_ms = attacks[i].grace_ms },
                      &plain_events, "sleep 1000.$1 & echo $PPID; exec sleep 1000.$1");
        end_session(&s);
        if (s.exits != 1 || s.how != attacks[i].how || s.signo != attacks[i].signo ||
            !child_wait_until_gone(f->marker))
            fail_msg("%s: how %d, signal %d", attacks[i].name, s.how, s.signo);
    }
    assert_false(child_any_waiting());
}

static void test_many_at_once_do_not_mix(void **state)
{
    enum { MANY = 16 };
    struct child_fixture *f = *state;
    struct session s[MANY];
    struct sf_error err = SF_ERROR_INIT;
    struct sf_loop *loop = sf_loop_new(&err);

    assert_non_null(loop);
    for (int i = 0; i < MANY; i++) {
        char number[16];
        const char *argv[] = { "sh", "-c", "sleep 0.01; echo $1; exit $1", "sh", number, NULL };
        const struct sf_child_spec spec = { .argv = argv, .cwd = f->dir };

        snprintf(number, sizeof(number), "%d", i);
        s[i] = (struct session){ .seen = SF_STRBUF_INIT };
        s[i].child = sf_child_start(loop, &spec, &plain_events, &s[i], &err);
        assert_non_null(s[i].child);
    }
    sf_loop_run(loop);
    sf_loop_free(loop);
    for (int i = 0; i < MANY; i++) {
        int printed = atoi(s[i].seen.buf);

        sf_strbuf_release(&s[i].seen);
        assert_int_equal(s[i].exits, 1);
        assert_int_equal(s[i].code, i);
        assert_int_equal(printed, i);
    }
}

/* A process of its own that starts the script and, at its first word, dies as `react` says. */
static void run_and_die(struct child_fixture *f, void (*react)(struct session *s),
                        const char *script)
{
    int status = 0;
    pid_t pid = fork();

    if (pid == 0) {
        struct session s = { .react = react };

        start_session(&s, f, (struct sf_child_spec){ .grace_ms = 100 }, &plain_events, script);
        end_session(&s);
        _exit(0);
    }
    assert_true(pid > 0);
    assert_int_equal(TEMP_FAILURE_RETRY(waitpid(pid, &status, 0)), pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void die_without_a_word(struct session *s)
{
    (void)s;
    kill(getpid(), SIGKILL);
}

static void test_death_of_the_program_ends_the_family(void **state)
{
    struct child_fixture *f = *state;

    run_and_die(f, die_without_a_word,
                "trap '' TERM; (setsid sleep 1000.$1 &); sleep 1000.$1 & echo up; "
                "sleep 1000.$1; sleep 1000.$1");
    assert_true(child_wait_until_gone(f->marker));
}

/* Supervisor and program die in the same moment: the command still does not stay. */
static void die_with_supervisor(struct session *s)
{
    kill_supervisor(s);
    kill(getpid(), SIGKILL);
}

static void test_death_of_both_ends_the_command(void **state)
{
    struct child_fixture *f = *state;

    run_and_die(f, die_with_supervisor, "echo $PPID; exec sleep 1000.$1");
    assert_true(child_wait_until_gone(f->marker));
}

/* The kernel takes the end of the thread that forked for the parent's death; we do not. */
static void *start_from_thread(void *ctx)
{
    struct session *s = ctx;

    start_session(s, s->fixture, (struct sf_child_spec){ 0 }, &plain_events,
                  "echo up; while ! [ -e go ]; do sleep 0.005; done; exit 4");
    while (!s->seen.len)
        sf_loop_turn(s->loop, -1);
    return NULL;
}

static void test_end_of_the_starting_thread_is_no_death(void **state)
{
    struct child_fixture *f = *state;
    char *go = test_path(f->dir, "go");
    struct session s = { .fixture = f };
    pthread_t thread;

    assert_int_equal(pthread_create(&thread, NULL, start_from_thread, &s), 0);
    pthread_join(thread, NULL);
    test_write(go, "", 0);
    free(go);
    end_session(&s);
    assert_int_equal(s.how, SF_CHILD_EXITED);
    assert_int_equal(s.code, 4);
}

/* When the first bytes are looked at the command is long gone, and its pipe is very full. */
static void wait_for_end(struct session *s)
{
    child_wait_until_gone(s->fixture->marker);
}

static void test_last_words_are_read(void **state)
{
    struct child_fixture *f = *state;
    struct session s = { .react = wait_for_end, .fixture = f };

    start_session(
        &s, f, (struct sf_child_spec){ 0 }, &plain_events,
        "exec perl -e 'fcntl(STDOUT, 1031, 1 << 20); syswrite STDOUT, \"x\" x 900000' $1");
    end_session(&s);
    assert_int_equal(s.how, SF_CHILD_EXITED);
    assert_int_equal(s.total, 900000);
}

/* The command becomes somebody whom a supervisor without CAP_KILL may not signal. */
static bool become_stranger(void *ctx)
{
    (void)ctx;
    return setresuid(65533, 65533, 65533) == 0;
}

static bool drop_kill(void)
{
    struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
    struct __user_cap_data_struct data[2];

    if (syscall(SYS_capget, &header, data) < 0)
        return false;
    data[0].effective &= ~(1U << CAP_KILL);
    data[0].permitted &= ~(1U << CAP_KILL);
    return syscall(SYS_capset, &header, data) == 0;
}

/* It says something when it is one: before that it could be ended. */
static int report_stranger(struct child_fixture *f, const char *path)
{
    const struct sf_child_spec spec = { .setup = become_stranger, .grace_ms = SHORT_MS };
    struct session s = { .react = cancel_twice };

    if (!drop_kill())
        return 1;
    start_session(&s, f, spec, &plain_events, "echo up; exec sleep 1000.$1");
    end_session(&s);
    test_write(path, &s.stayed, sizeof(s.stayed));
    return s.how == SF_CHILD_CANCELLED && s.left == 1 && s.stayed > 0 ? 0 : 2;
}

static void test_who_cannot_be_ended_is_listed(void **state)
{
    struct child_fixture *f = *state;
    char *path;
    pid_t *left;
    int status = 1, gone;
    pid_t pid;

    if (getuid() != 0)
        test_not_run("only root can set this up");
    path = test_path(f->dir, "left");
    pid = fork();
    if (pid == 0)
        _exit(report_stranger(f, path));
    assert_int_equal(TEMP_FAILURE_RETRY(waitpid(pid, &status, 0)), pid);
    assert_int_equal(status, 0);
    left = (pid_t *)(void *)test_read(path, NULL);
    gone = kill(*left, SIGKILL);
    free(left);
    free(path);
    assert_int_equal(gone, 0);
}

static void test_who_is_left_is_said(void **state)
{
    const pid_t left[SF_CHILD_LEFT_MAX] = { 17, 18 }, unknown[SF_CHILD_LEFT_MAX] = { 0 };
    struct sf_strbuf text = SF_STRBUF_INIT;

    (void)state;
    sf_child_say_left(&text, left, 0);
    assert_int_equal(text.len, 0);
    sf_child_say_left(&text, left, 2);
    assert_string_equal(text.buf, "could not end 2 processes, 17, 18");
    sf_strbuf_truncate(&text, 0);
    sf_child_say_left(&text, unknown, 1);
    assert_string_equal(text.buf, "could not end 1 process");
    sf_strbuf_release(&text);
}

/*
 * Who may do so takes away the supervisor's right to open files: it can look at nobody then. The
 * right is taken first, so that all that follows happens in front of a blind one.
 */
#define BLIND "prlimit --pid $PPID --nofile=0:0 || exit 3; "

static void test_a_blind_supervisor_ends_all_the_same(void **state)
{
    struct child_fixture *f = *state;
    char *up = test_path(f->dir, "up");

    for (size_t i = 0; i < SF_COUNT(leavers); i++) {
        struct sf_strbuf script = SF_STRBUF_INIT;
        const struct sf_child_result *r;
        int left;

        sf_strbuf_addf(&script, BLIND "%s exit 9", leavers[i].script);
        r = child_run_script(f, (struct sf_child_spec){ 0 }, script.buf);
        left = child_count_marked(f->marker);
        sf_strbuf_release(&script);
        unlink(up);
        if (r->how != SF_CHILD_EXITED || r->code != 9 || left || r->left_count)
            fail_msg("%s: how %d, code %d, %d left", leavers[i].name, r->how, r->code, left);
    }
    free(up);
}

/* Bounds that cannot be watched do not count as kept. */
static void test_who_blinds_the_watch_is_ended(void **state)
{
    struct child_fixture *f = *state;
    const struct sf_child_spec spec = { .watch = { .memory = UINT64_C(1) << 40 } };
    const struct sf_child_result *r = child_run_script(f, spec, BLIND "sleep 1000.$1");

    assert_int_equal(r->how, SF_CHILD_LIMIT);
    assert_int_equal(r->limit, SF_LIMIT_UNSEEN);
    assert_non_null(strstr(r->error.msg, "could not be seen"));
    assert_int_equal(r->left_count, 0);
    assert_int_equal(child_count_marked(f->marker), 0);
}

/* A signal the program handles must not reach its loop through a process just forked. */
static void note_signal(void *ctx, int signo)
{
    (void)signo;
    ++*(int *)ctx;
}

static void test_handlers_stay_behind(void **state)
{
    struct child_fixture *f = *state;
    struct session s = { 0 };
    int calls = 0;
    uint64_t watch;

    start_session(&s, f, (struct sf_child_spec){ 0 }, &plain_events,
                  "kill -USR1 $PPID; kill -USR1 $$; exit 0");
    watch = sf_loop_watch_signal(s.loop, SIGUSR1, note_signal, &calls);
    while (!s.exits)
        sf_loop_turn(s.loop, -1);
    sf_loop_remove(s.loop, watch);
    end_session(&s);
    assert_int_equal(s.how, SF_CHILD_SIGNALLED);
    assert_int_equal(s.signo, SIGUSR1);
    assert_int_equal(calls, 0);
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, child_setup, child_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_nothing_outlives_a_normal_end),
        TEST(test_cancels),
        TEST(test_nothing_outlives_a_cancel),
        TEST(test_deadlines),
        TEST(test_cancel_at_once),
        TEST(test_owner_decides_at_the_deadline),
        TEST(test_callback_sees_every_byte),
        TEST(test_attacks_on_the_supervisor),
        TEST(test_many_at_once_do_not_mix),
        TEST(test_death_of_the_program_ends_the_family),
        TEST(test_death_of_both_ends_the_command),
        TEST(test_end_of_the_starting_thread_is_no_death),
        TEST(test_last_words_are_read),
        TEST(test_descendants_are_asked_first),
        TEST(test_who_cannot_be_ended_is_listed),
        TEST(test_who_is_left_is_said),
        TEST(test_a_blind_supervisor_ends_all_the_same),
        TEST(test_who_blinds_the_watch_is_ended),
        TEST(test_handlers_stay_behind),
    };

    return cmocka_run_group_tests_name("supervisor", tests, NULL, NULL);
}
