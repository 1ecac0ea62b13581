/*
 * worker: a few threads for work that would block the loop: reading, searching, editing files. A
 * job gets everything it needs by its pointer and shares nothing else; when it has run, its
 * `done` is called on the loop.
 *
 * Threads start with the first jobs and block all signals. A loop that waits for nothing else
 * still waits for running jobs. Life: sf_workers_new, start jobs, sf_workers_free, which
 * waits for the jobs that run, calls their `done` itself and drops the jobs that wait: their
 * `done` is not called. All three belong to the loop's thread; no job may be started from a
 * `done` that sf_workers_free calls.
 */
#ifndef SF_IO_WORKER_H
#define SF_IO_WORKER_H

#include <stddef.h>

#include "base/base.h"
#include "io/loop.h"

struct sf_workers;

typedef void sf_work_fn(void *ctx); /* in a thread of the pool */

struct sf_workers *sf_workers_new(struct sf_loop *loop, size_t threads);
void sf_workers_free(struct sf_workers *workers); /* NULL is welcome */

/* Calls `run` in a thread, then `done` on the loop. Jobs start in order. */
void sf_workers_start(struct sf_workers *workers, sf_work_fn *run, sf_loop_fn *done, void *ctx);

#endif
