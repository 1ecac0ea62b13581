/*
 * The loop: descriptors, signals, threads, removal at awkward moments, and rest when idle.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "support/bench.h"
#include "support/test.h"

static void leave_signal_mark(void *ctx, int signo)
{
    (void)signo;
    leave_mark(ctx);
}

static void stop_loop(void *ctx)
{
    struct bench *b = ctx;

    sf_loop_stop(b->loop);
}

static void test_hook_comes_between_timers_and_waiting(void **state)
{
    struct bench *b = *state;
    struct mark timer = { b, 't', NULL }, hook = { b, 'h', NULL }, fd = { b, 'f', NULL };

    sf_loop_before_wait(b->loop, leave_mark, &hook);
    sf_loop_watch_fd(b->loop, b->pipes[0][1], SF_FD_WRITE, leave_fd_mark, &fd);
    sf_loop_add_timer(b->loop, 0, 0, leave_mark, &timer);
    assert_true(sf_loop_turn(b->loop, -1));
    assert_true(sf_loop_turn(b->loop, -1));
    assert_string_equal(b->trace.buf, "thfhf");
    sf_loop_before_wait(b->loop, NULL, NULL);
    assert_true(sf_loop_turn(b->loop, -1));
    assert_string_equal(b->trace.buf, "thfhff");
}

/* What the hook adds counts for the wait that follows it. */
static void hook_adds_timer(void *ctx)
{
    struct mark *m = ctx;

    if (!m->bench->count++)
        sf_loop_add_timer(m->bench->loop, 0, 0, leave_mark, m);
}

static void test_hook_may_add_work(void **state)
{
    struct bench *b = *state;
    struct mark m = { b, 'x', NULL };

    sf_loop_before_wait(b->loop, hook_adds_timer, &m);
    assert_true(sf_loop_turn(b->loop, -1));
    assert_false(sf_loop_turn(b->loop, -1));
    assert_string_equal(b->trace.buf, "x");
}

static void test_removing_another_ready_descriptor(void **state)
{
    struct bench *b = *state;
    struct mark first = { b, 'a', &b->ids[1] }, second = { b, 'b', &b->ids[0] };

    for (int i = 0; i < 2; i++)
        assert_int_equal(write(b->pipes[i][1], "x", 1), 1);
    b->ids[0] = sf_loop_watch_fd(b->loop, b->pipes[0][0], SF_FD_READ, leave_fd_mark, &first);
    b->ids[1] = sf_loop_watch_fd(b->loop, b->pipes[1][0], SF_FD_READ, leave_fd_mark, &second);
    assert_true(sf_loop_turn(b->loop, 0));
    assert_string_equal(b->trace.buf, "a");
    sf_loop_remove(b->loop, b->ids[1]);
    sf_loop_remove(b->loop, b->ids[0]);
    assert_false(sf_loop_turn(b->loop, 0));
}

/* Closes the other descriptor, whose number a new one then gets, and watches that. */
static void replace_other(void *ctx, int fd, unsigned events)
{
    struct mark *m = ctx;
    struct bench *b = m->bench;
    int fresh[2], old = b->pipes[1][0];

    (void)fd;
    (void)events;
    sf_loop_remove(b->loop, b->ids[0]);
    sf_loop_remove(b->loop, b->ids[1]);
    assert_int_equal(pipe2(fresh, O_CLOEXEC | O_NONBLOCK), 0);
    assert_int_equal(dup2(fresh[0], old), old);
    close(fresh[0]);
    close(b->pipes[1][1]);
    b->pipes[1][1] = fresh[1];
    m->letter = '!';
    b->ids[1] = sf_loop_watch_fd(b->loop, old, SF_FD_READ, leave_fd_mark, m);
}

static void test_reused_number_gets_no_stale_event(void **state)
{
    struct bench *b = *state;
    struct mark m = { b, 'a', NULL };

    for (int i = 0; i < 2; i++)
        assert_int_equal(write(b->pipes[i][1], "x", 1), 1);
    b->ids[0] = sf_loop_watch_fd(b->loop, b->pipes[0][0], SF_FD_READ, replace_other, &m);
    b->ids[1] = sf_loop_watch_fd(b->loop, b->pipes[1][0], SF_FD_READ, leave_fd_mark, &m);
    assert_true(sf_loop_turn(b->loop, 0));
    assert_string_equal(b->trace.buf, "");
    assert_true(sf_loop_turn(b->loop, 0));
    assert_string_equal(b->trace.buf, "");
    assert_int_equal(write(b->pipes[1][1], "x", 1), 1);
    assert_true(sf_loop_turn(b->loop, 0));
    assert_string_equal(b->trace.buf, "!");
}

static void test_ids_are_not_used_twice(void **state)
{
    struct bench *b = *state;
    struct mark m = { b, 'x', NULL };
    uint64_t first = sf_loop_add_timer(b->loop, 1000, 0, leave_mark, &m), second;

    sf_loop_remove(b->loop, first);
    second = sf_loop_watch_fd(b->loop, b->pipes[0][0], SF_FD_READ, leave_fd_mark, &m);
    assert_int_not_equal(first, second);
    sf_loop_remove(b->loop, first);
    sf_loop_remove(b->loop, 0);
    sf_loop_remove(b->loop, UINT64_MAX);
    sf_loop_change_fd(b->loop, first, 0);
    assert_int_equal(write(b->pipes[0][1], "x", 1), 1);
    assert_true(sf_loop_turn(b->loop, 0));
    assert_string_equal(b->trace.buf, "x");
}

/* A resting watch reports nothing, not even that the other side hung up. */
static void test_interest_can_change(void **state)
{
    struct bench *b = *state;
    struct mark m = { b, 'x', NULL };

    b->ids[0] = sf_loop_watch_fd(b->loop, b->pipes[0][0], 0, leave_fd_mark, &m);
    assert_int_equal(write(b->pipes[0][1], "x", 1), 1);
    close(b->pipes[0][1]);
    b->pipes[0][1] = -1;
    assert_true(sf_loop_turn(b->loop, 0));
    assert_string_equal(b->trace.buf, "");
    sf_loop_change_fd(b->loop, b->ids[0], SF_FD_READ);
    assert_true(sf_loop_turn(b->loop, 0));
    assert_string_equal(b->trace.buf, "x");
    sf_loop_change_fd(b->loop, b->ids[0], SF_FD_WRITE);
    assert_true(sf_loop_turn(b->loop, 0));
    assert_string_equal(b->trace.buf, "xx");
}

static void rest_other(void *ctx, int fd, unsigned events)
{
    struct mark *m = ctx;

    leave_fd_mark(ctx, fd, events);
    sf_loop_change_fd(m->bench->loop, m->bench->ids[1], 0);
}

static void test_rest_counts_in_the_same_turn(void **state)
{
    struct bench *b = *state;
    struct mark first = { b, 'a', NULL }, second = { b, 'b', NULL };

    b->ids[0] = sf_loop_watch_fd(b->loop, b->pipes[0][1], SF_FD_WRITE, rest_other, &first);
    b->ids[1] = sf_loop_watch_fd(b->loop, b->pipes[1][1], SF_FD_WRITE, leave_fd_mark, &second);
    assert_true(sf_loop_turn(b->loop, 0));
    assert_string_equal(b->trace.buf, "a");
}

static int earlier_calls;

static void earlier_handler(int signo)
{
    (void)signo;
    earlier_calls++;
}

static void test_signals(void **state)
{
    struct bench *b = *state;
    struct mark first = { b, 'a', NULL }, second = { b, 'b', NULL }, other = { b, 'c', NULL };
    const struct sigaction mine = { .sa_handler = earlier_handler };
    struct sigaction now;

    earlier_calls = 0;
    sigaction(SIGUSR1, &mine, NULL);
    b->ids[0] = sf_loop_watch_signal(b->loop, SIGUSR1, leave_signal_mark, &first);
    b->ids[1] = sf_loop_watch_signal(b->loop, SIGUSR1, leave_signal_mark, &second);
    b->ids[2] = sf_loop_watch_signal(b->loop, SIGUSR2, leave_signal_mark, &other);
    raise(SIGUSR1);
    raise(SIGUSR1);
    assert_true(sf_loop_turn(b->loop, -1));
    assert_string_equal(b->trace.buf, "ab");
    raise(SIGUSR2);
    assert_true(sf_loop_turn(b->loop, -1));
    assert_string_equal(b->trace.buf, "abc");

    sf_loop_remove(b->loop, b->ids[0]);
    raise(SIGUSR1);
    assert_true(sf_loop_turn(b->loop, -1));
    assert_string_equal(b->trace.buf, "abcb");
    assert_int_equal(earlier_calls, 0);
    sf_loop_remove(b->loop, b->ids[1]);
    raise(SIGUSR1);
    assert_int_equal(earlier_calls, 1);
    sigaction(SIGUSR1, NULL, &now);
    assert_true(now.sa_handler == earlier_handler);
    sf_loop_remove(b->loop, b->ids[2]);
    sigaction(SIGUSR2, NULL, &now);
    assert_true(now.sa_handler == SIG_DFL);
    signal(SIGUSR1, SIG_DFL);
}

static void test_signal_removes_the_next_watcher(void **state)
{
    struct bench *b = *state;
    struct mark first = { b, 'a', &b->ids[1] }, second = { b, 'b', NULL }, third = { b, 'c', NULL };

    b->ids[0] = sf_loop_watch_signal(b->loop, SIGUSR1, leave_signal_mark, &first);
    b->ids[1] = sf_loop_watch_signal(b->loop, SIGUSR1, leave_signal_mark, &second);
    b->ids[2] = sf_loop_watch_signal(b->loop, SIGUSR1, leave_signal_mark, &third);
    raise(SIGUSR1);
    assert_true(sf_loop_turn(b->loop, -1));
    assert_string_equal(b->trace.buf, "ac");
}

static void raise_and_leave_mark(void *ctx, int fd, unsigned events)
{
    raise(SIGUSR1);
    leave_fd_mark(ctx, fd, events);
}

/* It arrives when the poll has looked already, and the second descriptor is ready as well. */
static void test_signals_come_before_descriptors(void **state)
{
    struct bench *b = *state;
    struct mark first = { b, 'a', NULL }, second = { b, 'b', NULL }, sent = { b, 's', NULL };

    sf_loop_watch_signal(b->loop, SIGUSR1, leave_signal_mark, &sent);
    sf_loop_watch_fd(b->loop, b->pipes[0][1], SF_FD_WRITE, raise_and_leave_mark, &first);
    sf_loop_watch_fd(b->loop, b->pipes[1][1], SF_FD_WRITE, leave_fd_mark, &second);
    assert_true(sf_loop_turn(b->loop, -1));
    assert_string_equal(b->trace.buf, "asb");
}

static void test_freeing_the_loop_gives_signals_back(void **state)
{
    struct bench *b = *state;
    struct mark m = { b, 'a', NULL };
    struct sf_error err;
    struct sigaction now;

    sf_loop_watch_signal(b->loop, SIGUSR2, leave_signal_mark, &m);
    sf_loop_free(b->loop);
    b->loop = NULL;
    sigaction(SIGUSR2, NULL, &now);
    assert_true(now.sa_handler == SIG_DFL);
    b->loop = sf_loop_new(&err);
    assert_non_null(b->loop);
    sf_loop_watch_signal(b->loop, SIGUSR2, leave_signal_mark, &m);
    raise(SIGUSR2);
    assert_true(sf_loop_turn(b->loop, -1));
    assert_string_equal(b->trace.buf, "a");
}

/* Another process storms the loop with signals while it waits for a timer and a pipe. */
static void test_signal_storm_ends_no_wait(void **state)
{
    struct bench *b = *state;
    struct mark m = { b, 's', NULL }, t = { b, 't', NULL };
    pid_t parent = getpid();
    pid_t pid;
    size_t ticks = 0;
    int status = 1;

    sf_loop_watch_signal(b->loop, SIGUSR1, leave_signal_mark, &m);
    pid = fork();
    if (pid == 0) {
        for (int i = 0; i < 2000; i++)
            kill(parent, SIGUSR1);
        _exit(write(b->pipes[0][1], "x", 1) != 1);
    }
    b->ids[0] = sf_loop_add_timer(b->loop, 0, 1, leave_mark, &t);
    b->ids[1] = sf_loop_watch_fd(b->loop, b->pipes[0][0], SF_FD_READ, leave_fd_mark,
                                 &(struct mark){ b, 'x', &b->ids[1] });
    while (!strchr(b->trace.buf, 'x') || !strchr(b->trace.buf, 's'))
        assert_true(sf_loop_turn(b->loop, -1));
    assert_int_equal(TEMP_FAILURE_RETRY(waitpid(pid, &status, 0)), pid);
    assert_int_equal(status, 0);
    for (size_t i = 0; i < b->trace.len; i++)
        ticks += b->trace.buf[i] == 't';
    assert_true(ticks > 0);
}

enum { THREADS = 4, POSTS = 2000 };

struct poster {
    struct bench *bench;
    int next; /* what the loop's thread expects from this one */
};

struct parcel {
    struct poster *from;
    int number;
};

static void receive(void *ctx)
{
    struct parcel *p = ctx;

    if (p->from->next == p->number)
        p->from->next++;
    if (++p->from->bench->count == THREADS * POSTS)
        sf_loop_stop(p->from->bench->loop);
    free(p);
}

static void *post_many(void *ctx)
{
    struct poster *poster = ctx;

    for (int i = 0; i < POSTS; i++) {
        struct parcel *p = sf_alloc(sizeof(*p));

        *p = (struct parcel){ poster, i };
        sf_loop_post(poster->bench->loop, receive, p);
    }
    return NULL;
}

static void test_posts_from_threads(void **state)
{
    struct bench *b = *state;
    struct poster posters[THREADS];
    pthread_t threads[THREADS];
    struct mark never = { b, '!', NULL };

    /* Keeps the run going until all has arrived. */
    sf_loop_watch_fd(b->loop, b->pipes[0][0], SF_FD_READ, leave_fd_mark, &never);
    for (int i = 0; i < THREADS; i++) {
        posters[i] = (struct poster){ b, 0 };
        assert_int_equal(pthread_create(&threads[i], NULL, post_many, &posters[i]), 0);
    }
    sf_loop_run(b->loop);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(posters[i].next, POSTS);
    assert_string_equal(b->trace.buf, "");
}

static void post_another(void *ctx)
{
    struct mark *m = ctx;

    leave_mark(m);
    if (++m->bench->count < 3)
        sf_loop_post(m->bench->loop, post_another, m);
}

static void test_posts_keep_the_loop_running(void **state)
{
    struct bench *b = *state;
    struct mark m = { b, 'p', NULL };

    sf_loop_post(b->loop, post_another, &m);
    sf_loop_run(b->loop);
    assert_string_equal(b->trace.buf, "ppp");
}

static void test_run_ends_when_nothing_is_left(void **state)
{
    struct bench *b = *state;
    struct mark m = { b, 'x', NULL };

    sf_loop_run(b->loop);
    sf_loop_add_timer(b->loop, 0, 0, leave_mark, &m);
    sf_loop_run(b->loop);
    assert_string_equal(b->trace.buf, "x");
    assert_false(sf_loop_turn(b->loop, -1));
}

static void test_stop_ends_the_run(void **state)
{
    struct bench *b = *state;
    struct mark never = { b, '!', NULL };

    sf_loop_watch_fd(b->loop, b->pipes[0][0], SF_FD_READ, leave_fd_mark, &never);
    sf_loop_add_timer(b->loop, 0, 0, stop_loop, b);
    sf_loop_run(b->loop);
    sf_loop_post(b->loop, stop_loop, b);
    sf_loop_run(b->loop);
    sf_loop_stop(b->loop);
    sf_loop_run(b->loop);
    assert_string_equal(b->trace.buf, "");
}

/*
 * Without work the loop sleeps: however long the wait, the hook is called once for it. The other
 * side of a resting watch has hung up, which poll would tell again and again.
 */
static void test_idle_loop_sleeps(void **state)
{
    struct bench *b = *state;
    struct mark hook = { b, 'h', NULL }, fd = { b, '!', NULL };

    sf_loop_before_wait(b->loop, leave_mark, &hook);
    sf_loop_watch_fd(b->loop, b->pipes[0][0], SF_FD_READ, leave_fd_mark, &fd);
    sf_loop_watch_fd(b->loop, b->pipes[1][0], 0, leave_fd_mark, &fd);
    close(b->pipes[1][1]);
    b->pipes[1][1] = -1;
    sf_loop_add_timer(b->loop, 100, 0, stop_loop, b);
    sf_loop_run(b->loop);
    /* One turn waits, the next one runs the timer; one does, where it was due by then. */
    assert_in_range(b->trace.len, 1, 2);
    assert_int_equal(strspn(b->trace.buf, "h"), b->trace.len);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_BENCH(test_hook_comes_between_timers_and_waiting),
        ON_BENCH(test_hook_may_add_work),
        ON_BENCH(test_removing_another_ready_descriptor),
        ON_BENCH(test_reused_number_gets_no_stale_event),
        ON_BENCH(test_ids_are_not_used_twice),
        ON_BENCH(test_interest_can_change),
        ON_BENCH(test_rest_counts_in_the_same_turn),
        ON_BENCH(test_signals),
        ON_BENCH(test_signal_removes_the_next_watcher),
        ON_BENCH(test_signals_come_before_descriptors),
        ON_BENCH(test_freeing_the_loop_gives_signals_back),
        ON_BENCH(test_signal_storm_ends_no_wait),
        ON_BENCH(test_posts_from_threads),
        ON_BENCH(test_posts_keep_the_loop_running),
        ON_BENCH(test_run_ends_when_nothing_is_left),
        ON_BENCH(test_stop_ends_the_run),
        ON_BENCH(test_idle_loop_sleeps),
    };

    return cmocka_run_group_tests_name("loop", tests, NULL, NULL);
}
