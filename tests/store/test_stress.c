/*
 * Many processes on one store, and processes that die. Writers share sessions and never see a
 * lock; a reader runs all the while; a writer is killed at 200 moments drawn from a fixed seed,
 * and what it was told is stored is stored.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "io/io.h"
#include "support/store_case.h"
#include "support/test.h"

enum { WRITERS = 8, EACH = 2000, SESSIONS = 4, ROUNDS = 200, SEED = 20261116 };

struct parallel {
    const char *dir;
    char sessions[SESSIONS][SF_ID_LEN + 1];
    int number;  /* of the writer */
    int barrier; /* end of file lets everybody go */
    int stop;    /* end of file ends the reader */
};

static bool append(struct sf_store *store, const char *session, int writer, int n,
                   struct sf_event_ref *ref, struct sf_error *err)
{
    char json[64];
    const struct sf_event_new event = {
        .session = session,
        .surface = "headless",
        .kind = "stress",
        .json = json,
        .len = (size_t)snprintf(json, sizeof(json), "{\"writer\":%d,\"n\":%d}", writer, n),
    };

    return sf_store_append(store, &event, ref, err);
}

/* Two writers for each session: what one of them wrote stays in its own order. */
static int write_child(void *ctx)
{
    const struct parallel *crowd = ctx;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_store *store = sf_store_open(crowd->dir, SF_STORE_WRITE, &err);
    int64_t last = 0;
    char c;

    CHILD_OK(store != NULL, &err);
    CHILD_CHECK(read(crowd->barrier, &c, 1) == 0);
    for (int n = 1; n <= EACH; n++) {
        struct sf_event_ref ref;

        CHILD_OK(
            append(store, crowd->sessions[crowd->number % SESSIONS], crowd->number, n, &ref, &err),
            &err);
        CHILD_CHECK(ref.seq > last);
        last = ref.seq;
    }
    sf_store_close(store);
    return 0;
}

struct view {
    int64_t last;
    size_t count;
};

static bool look(const struct sf_event_row *event, void *ctx)
{
    struct view *view = ctx;

    CHILD_CHECK(event->id > view->last);
    view->last = event->id;
    view->count++;
    return true;
}

/* The newest events over and over; later looks never show less than earlier ones. */
static int read_child(void *ctx)
{
    const struct parallel *crowd = ctx;
    const struct sf_event_filter newest = { .limit = 100 };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_store *store = sf_store_open(crowd->dir, SF_STORE_READ, &err);
    int64_t last = 0;
    char c;

    CHILD_OK(store != NULL, &err);
    CHILD_CHECK(fcntl(crowd->stop, F_SETFL, O_NONBLOCK) == 0);
    while (read(crowd->stop, &c, 1) < 0 && errno == EAGAIN) {
        struct view view = { 0 };

        CHILD_OK(sf_store_each_event(store, &newest, look, &view, &err), &err);
        CHILD_CHECK(view.last >= last && view.count <= 100);
        last = view.last;
    }
    sf_store_close(store);
    return 0;
}

static pid_t start(struct parallel *crowd, test_child_fn *fn, const int *close_in_child)
{
    pid_t pid;

    fflush(NULL);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        close(close_in_child[0]);
        close(close_in_child[1]);
        _exit(fn(crowd));
    }
    return pid;
}

static void check_crowd(const struct parallel *crowd)
{
    struct sf_strbuf report = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    assert_int_equal(test_sql_int(crowd->dir, "SELECT count(*) FROM events"), WRITERS * EACH);
    assert_int_equal(test_sql_int(crowd->dir, "SELECT count(*) FROM (SELECT session_id FROM events"
                                              " GROUP BY session_id HAVING min(seq) = 1 AND"
                                              " max(seq) = count(*))"),
                     SESSIONS);
    /* In each session, each writer's own numbers rise with seq and with id. */
    assert_int_equal(
        test_sql_int(crowd->dir,
                     "SELECT count(*) FROM (SELECT id, seq, json_extract(data, '$.n') AS n,"
                     " lag(json_extract(data, '$.n'), 1, 0) OVER w AS before, lag(id, 1, 0) OVER w"
                     " AS id_before FROM events WINDOW w AS (PARTITION BY session_id,"
                     " json_extract(data, '$.writer') ORDER BY seq))"
                     " WHERE n <> before + 1 OR id < id_before"),
        0);
    assert_true(sf_store_check(crowd->dir, &report, &err));
    sf_strbuf_release(&report);
}

static void test_many_writers(void **state)
{
    struct parallel crowd = { .dir = *state };
    struct sf_store *store = test_store_open(*state, SF_STORE_WRITE);
    int barrier[2], stop[2], both[2];
    pid_t writers[WRITERS], reader;
    int64_t began, took;

    for (int i = 0; i < SESSIONS; i++)
        test_store_session(store, crowd.sessions[i]);
    sf_store_close(store);
    assert_int_equal(pipe2(barrier, O_CLOEXEC), 0);
    assert_int_equal(pipe2(stop, O_CLOEXEC), 0);
    crowd.barrier = barrier[0];
    crowd.stop = stop[0];
    both[0] = barrier[1];
    both[1] = stop[1];
    reader = start(&crowd, read_child, both);
    for (crowd.number = 0; crowd.number < WRITERS; crowd.number++)
        writers[crowd.number] = start(&crowd, write_child, both);
    began = sf_clock_monotonic_ms();
    close(barrier[1]);
    for (int i = 0; i < WRITERS; i++)
        assert_int_equal(test_wait(writers[i]), 0);
    took = sf_clock_monotonic_ms() - began;
    close(stop[1]);
    assert_int_equal(test_wait(reader), 0);
    close(barrier[0]);
    close(stop[0]);
    check_crowd(&crowd);
    print_message("%d processes x %d events with a reader: %lld ms, %lld events/s\n", WRITERS, EACH,
                  (long long)took, (long long)WRITERS * EACH * 1000 / (took ? took : 1));
}

struct victim {
    const char *dir;
    const char *session;
    int ack; /* one number for each event that was acknowledged */
};

static int victim_child(void *ctx)
{
    const struct victim *v = ctx;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_store *store = sf_store_open(v->dir, SF_STORE_WRITE, &err);

    CHILD_OK(store != NULL, &err);
    for (int n = 1; n < 1000000; n++) {
        struct sf_event_ref ref;

        CHILD_OK(append(store, v->session, 0, n, &ref, &err), &err);
        CHILD_CHECK(write(v->ack, &ref.seq, sizeof(ref.seq)) == (ssize_t)sizeof(ref.seq));
    }
    return 1; /* nobody killed it */
}

static void pause_us(unsigned us)
{
    const struct timespec span = { 0, (long)us * 1000 };

    nanosleep(&span, NULL);
}

/* Lets the writer acknowledge a few, waits a moment, kills it. Returns the last number it saw. */
static int64_t kill_one(const struct victim *from, unsigned *seed)
{
    int wanted = rand_r(seed) % 12;
    unsigned moment = (unsigned)rand_r(seed) % 600;
    struct victim v = *from;
    int64_t seq, last = 0;
    int pipes[2];
    pid_t pid;

    assert_int_equal(pipe2(pipes, O_CLOEXEC), 0);
    v.ack = pipes[1];
    pid = test_fork(victim_child, &v);
    close(pipes[1]);
    for (int i = 0; i < wanted; i++) {
        assert_int_equal(read(pipes[0], &seq, sizeof(seq)), sizeof(seq));
        last = seq;
    }
    pause_us(moment);
    kill(pid, SIGKILL);
    while (read(pipes[0], &seq, sizeof(seq)) == (ssize_t)sizeof(seq))
        last = seq;
    close(pipes[0]);
    assert_int_equal(test_wait(pid), 128 + SIGKILL);
    return last;
}

static void test_killed_writers(void **state)
{
    struct victim v = { .dir = *state };
    unsigned seed = SEED;
    char session[SF_ID_LEN + 1];
    int64_t acknowledged = 0, present = 0, unacknowledged = 0;

    test_store_fill(*state, 0, session);
    v.session = session;
    for (int round = 0; round < ROUNDS; round++) {
        int64_t last = kill_one(&v, &seed);
        char *verdict = test_sql_text(*state, "PRAGMA integrity_check");

        present = test_store_count(*state);
        acknowledged = last > acknowledged ? last : acknowledged;
        if (present < acknowledged || strcmp(verdict, "ok") != 0)
            fail_msg("seed %d, round %d: %lld acknowledged, %lld there, %s", SEED, round,
                     (long long)acknowledged, (long long)present, verdict);
        unacknowledged += present - acknowledged;
        acknowledged = present;
        free(verdict);
    }
    print_message("killed %d times (seed %d): %lld events, 0 lost, %lld stored unacknowledged\n",
                  ROUNDS, SEED, (long long)present, (long long)unacknowledged);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_many_writers, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_killed_writers, test_dir_setup, test_dir_teardown),
    };

    test_use_memory();
    return cmocka_run_group_tests_name("stress", tests, NULL, NULL);
}
