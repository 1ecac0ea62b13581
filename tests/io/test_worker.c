/*
 * test_worker.c: jobs run beside the loop and come back on it, in order, side by side, and are
 * dropped or waited for when the pool goes.
 */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "io/io.h"
#include "support/test.h"

struct fixture {
    struct sf_loop *loop;
    struct sf_workers *workers;
    struct sf_strbuf trace; /* the loop's */
    pthread_mutex_t lock;
    struct sf_strbuf runs; /* under the lock */
    pthread_barrier_t pair;
    sem_t go, begun;
    atomic_int count;
};

struct piece {
    struct fixture *f;
    char letter;
    pthread_t ran_in, done_in;
    bool deaf; /* all signals were blocked */
};

static int setup(void **state)
{
    struct fixture *f = sf_alloc(sizeof(*f));
    struct sf_error err;

    f->loop = sf_loop_new(&err);
    f->workers = sf_workers_new(f->loop, 2);
    sf_strbuf_init(&f->trace);
    sf_strbuf_init(&f->runs);
    pthread_mutex_init(&f->lock, NULL);
    pthread_barrier_init(&f->pair, NULL, 2);
    sem_init(&f->go, 0, 0);
    sem_init(&f->begun, 0, 0);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    sf_workers_free(f->workers);
    sf_loop_free(f->loop);
    sf_strbuf_release(&f->trace);
    sf_strbuf_release(&f->runs);
    pthread_mutex_destroy(&f->lock);
    pthread_barrier_destroy(&f->pair);
    sem_destroy(&f->go);
    sem_destroy(&f->begun);
    free(f);
    return 0;
}

static void run_piece(void *ctx)
{
    struct piece *p = ctx;
    sigset_t blocked;

    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    p->deaf = sigismember(&blocked, SIGTERM) && sigismember(&blocked, SIGCHLD) &&
              sigismember(&blocked, SIGWINCH);
    p->ran_in = pthread_self();
    pthread_mutex_lock(&p->f->lock);
    sf_strbuf_addch(&p->f->runs, p->letter);
    pthread_mutex_unlock(&p->f->lock);
}

static void piece_done(void *ctx)
{
    struct piece *p = ctx;

    p->done_in = pthread_self();
    sf_strbuf_addch(&p->f->trace, p->letter);
}

static void test_runs_in_a_thread_and_comes_back_on_the_loop(void **state)
{
    struct fixture *f = *state;
    struct piece p = { .f = f, .letter = 'a' };

    sf_workers_start(f->workers, run_piece, piece_done, &p);
    sf_loop_run(f->loop); /* ends by itself: the job was all there was to wait for */
    assert_string_equal(f->trace.buf, "a");
    assert_false(pthread_equal(p.ran_in, pthread_self()));
    assert_true(pthread_equal(p.done_in, pthread_self()));
    assert_true(p.deaf);
}

static void test_one_thread_keeps_the_order(void **state)
{
    struct fixture *f = *state;
    struct piece pieces[26];

    sf_workers_free(f->workers);
    f->workers = sf_workers_new(f->loop, 1);
    for (size_t i = 0; i < SF_COUNT(pieces); i++) {
        pieces[i] = (struct piece){ .f = f, .letter = (char)('a' + i) };
        sf_workers_start(f->workers, run_piece, piece_done, &pieces[i]);
    }
    sf_loop_run(f->loop);
    assert_string_equal(f->runs.buf, "abcdefghijklmnopqrstuvwxyz");
    assert_string_equal(f->trace.buf, "abcdefghijklmnopqrstuvwxyz");
}

static void meet(void *ctx)
{
    struct fixture *f = ctx;

    pthread_barrier_wait(&f->pair);
}

static void count(void *ctx)
{
    struct fixture *f = ctx;

    atomic_fetch_add(&f->count, 1);
}

/* Each waits for the other: with one thread this would never end. */
static void test_two_run_side_by_side(void **state)
{
    struct fixture *f = *state;

    sf_workers_start(f->workers, meet, count, f);
    sf_workers_start(f->workers, meet, count, f);
    sf_loop_run(f->loop);
    assert_int_equal(atomic_load(&f->count), 2);
}

static void start_another(void *ctx)
{
    struct fixture *f = ctx;

    if (atomic_fetch_add(&f->count, 1) < 999)
        sf_workers_start(f->workers, count, start_another, f);
}

static void test_done_starts_the_next(void **state)
{
    struct fixture *f = *state;

    sf_workers_start(f->workers, count, start_another, f);
    sf_loop_run(f->loop);
    assert_in_range(atomic_load(&f->count), 1000, 1001);
}

static void test_thousands_all_come_back(void **state)
{
    struct fixture *f = *state;

    for (int i = 0; i < 5000; i++)
        sf_workers_start(f->workers, count, count, f);
    sf_loop_run(f->loop);
    assert_int_equal(atomic_load(&f->count), 10000);
}

static void wait_to_go(void *ctx)
{
    struct piece *p = ctx;

    sem_post(&p->f->begun);
    sem_wait(&p->f->go);
    run_piece(p);
}

static void let_go(void *ctx)
{
    struct fixture *f = ctx;

    sem_post(&f->go);
}

static void *free_pool(void *ctx)
{
    sf_workers_free(ctx);
    return NULL;
}

/* Two run, one waits; the pool goes: the two are waited for and announced, the third dropped. */
static void test_the_pool_goes_while_jobs_run(void **state)
{
    struct fixture *f = *state;
    struct piece pieces[3];
    struct sf_workers *workers = f->workers;
    pthread_t freer;

    for (size_t i = 0; i < SF_COUNT(pieces); i++) {
        pieces[i] = (struct piece){ .f = f, .letter = (char)('a' + i) };
        sf_workers_start(workers, wait_to_go, piece_done, &pieces[i]);
    }
    sem_wait(&f->begun);
    sem_wait(&f->begun);
    f->workers = NULL;
    assert_int_equal(pthread_create(&freer, NULL, free_pool, workers), 0);
    let_go(f);
    let_go(f);
    let_go(f); /* the third would take this one, were it started */
    pthread_join(freer, NULL);
    assert_true(strlen(f->trace.buf) >= 2);
    assert_int_equal(strlen(f->trace.buf), strlen(f->runs.buf));
}

static void test_an_unused_pool_is_free_to_go(void **state)
{
    struct fixture *f = *state;

    sf_loop_run(f->loop);
    sf_workers_free(NULL);
    assert_string_equal(f->trace.buf, "");
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_runs_in_a_thread_and_comes_back_on_the_loop),
        CASE(test_one_thread_keeps_the_order),
        CASE(test_two_run_side_by_side),
        CASE(test_done_starts_the_next),
        CASE(test_thousands_all_come_back),
        CASE(test_the_pool_goes_while_jobs_run),
        CASE(test_an_unused_pool_is_free_to_go),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
