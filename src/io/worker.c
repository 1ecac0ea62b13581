/*
 * worker.c: the pool. Two lists pass jobs between the threads: `waiting`, which the threads
 * take from the front, and `finished`, which the loop empties when the wake descriptor is readable.
 * The descriptor is watched only while there are jobs, so that a loop with nothing else to wait for
 * still waits for them, and ends when they have ended.
 */
#include "io/worker.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/base.h"
#include "io/thread.h"

struct job {
    struct job *next;
    sf_work_fn *run;
    sf_loop_fn *done;
    void *ctx;
};

struct queue {
    struct job *first, **end;
};

struct sf_workers {
    struct sf_loop *loop;
    pthread_mutex_t lock;
    pthread_cond_t news;            /* a job waits, or the threads shall exit */
    struct queue waiting, finished; /* under the lock */
    size_t idle;                    /* threads that wait for a job; under the lock */
    bool leaving;                   /* under the lock */
    pthread_t *threads;
    size_t started, most;
    size_t under_way; /* jobs whose `done` has not been called; used by the loop's thread only */
    int wake;
    uint64_t watch; /* 0: there are no jobs */
};

static void queue_clear(struct queue *queue)
{
    queue->first = NULL;
    queue->end = &queue->first;
}

static void queue_push(struct queue *queue, struct job *job)
{
    job->next = NULL;
    *queue->end = job;
    queue->end = &job->next;
}

static struct job *queue_pop(struct queue *queue)
{
    struct job *job = queue->first;

    if (job)
        queue->first = job->next;
    if (!queue->first)
        queue->end = &queue->first;
    return job;
}

struct sf_workers *sf_workers_new(struct sf_loop *loop, size_t threads)
{
    struct sf_workers *w = sf_alloc(sizeof(*w));

    w->loop = loop;
    w->most = threads ? threads : 1;
    w->threads = sf_alloc_array(w->most, sizeof(*w->threads));
    w->wake = -1;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->news, NULL);
    queue_clear(&w->waiting);
    queue_clear(&w->finished);
    return w;
}

/* The counter of the descriptor cannot overflow: the loop empties it. */
static void speak(int wake)
{
    const uint64_t one = 1;

    while (write(wake, &one, sizeof(one)) < 0 && errno == EINTR)
        ;
}

/* Waits for a job; NULL: the thread shall exit. Called and left with the lock held. */
static struct job *wait_for_job(struct sf_workers *w)
{
    w->idle++;
    while (!w->leaving && !w->waiting.first)
        pthread_cond_wait(&w->news, &w->lock);
    w->idle--;
    return w->leaving ? NULL : queue_pop(&w->waiting);
}

static void *work(void *ctx)
{
    struct sf_workers *w = ctx;
    struct job *job;

    pthread_mutex_lock(&w->lock);
    while ((job = wait_for_job(w))) {
        pthread_mutex_unlock(&w->lock);
        job->run(job->ctx);
        pthread_mutex_lock(&w->lock);
        queue_push(&w->finished, job);
        speak(w->wake);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

static bool start_thread(struct sf_workers *w)
{
    bool started = sf_thread_start(&w->threads[w->started], work, w);

    w->started += started;
    return started;
}

static struct job *take_finished(struct sf_workers *w)
{
    struct job *first;

    pthread_mutex_lock(&w->lock);
    first = w->finished.first;
    queue_clear(&w->finished);
    pthread_mutex_unlock(&w->lock);
    return first;
}

/* A job's `done` may start further jobs; the watch is removed only when none is left. */
static void announce(struct sf_workers *w)
{
    struct job *next;

    for (struct job *job = take_finished(w); job; job = next) {
        next = job->next;
        w->under_way--;
        job->done(job->ctx);
        free(job);
    }
    if (!w->under_way && w->watch) {
        sf_loop_remove(w->loop, w->watch);
        w->watch = 0;
    }
}

static void on_wake(void *ctx, int fd, unsigned events)
{
    uint64_t count;

    (void)events;
    while (read(fd, &count, sizeof(count)) < 0 && errno == EINTR)
        ;
    announce(ctx);
}

/* If no descriptor or no thread can be had, the job runs synchronously. */
static void run_here(struct sf_workers *w, struct job *job)
{
    job->run(job->ctx);
    sf_loop_post(w->loop, job->done, job->ctx);
    free(job);
}

void sf_workers_start(struct sf_workers *w, sf_work_fn *run, sf_loop_fn *done, void *ctx)
{
    struct job *job = sf_alloc(sizeof(*job));
    bool enough;

    *job = (struct job){ .run = run, .done = done, .ctx = ctx };
    if (w->wake < 0)
        w->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    pthread_mutex_lock(&w->lock);
    enough = w->idle > 0 && !w->waiting.first;
    pthread_mutex_unlock(&w->lock);
    if (w->wake < 0 || (!enough && w->started < w->most && !start_thread(w) && w->started == 0)) {
        run_here(w, job);
        return;
    }
    if (!w->watch)
        w->watch = sf_loop_watch_fd(w->loop, w->wake, SF_FD_READ, on_wake, w);
    w->under_way++;
    pthread_mutex_lock(&w->lock);
    queue_push(&w->waiting, job);
    pthread_cond_signal(&w->news);
    pthread_mutex_unlock(&w->lock);
}

static void leave(struct sf_workers *w)
{
    pthread_mutex_lock(&w->lock);
    w->leaving = true;
    pthread_cond_broadcast(&w->news);
    pthread_mutex_unlock(&w->lock);
    for (size_t i = 0; i < w->started; i++)
        pthread_join(w->threads[i], NULL);
}

void sf_workers_free(struct sf_workers *w)
{
    struct job *job;

    if (!w)
        return;
    leave(w);
    announce(w);
    while ((job = queue_pop(&w->waiting)))
        free(job);
    sf_loop_remove(w->loop, w->watch);
    if (w->wake >= 0)
        close(w->wake);
    pthread_cond_destroy(&w->news);
    pthread_mutex_destroy(&w->lock);
    free(w->threads);
    free(w);
}
