/*
 * thread: the one way to start a thread. Signals are blocked from its first instruction on, because
 * only the loop handles them. The faults of its own code are not: a handler for them, which puts
 * the terminal right, runs on a stack of its own, also when the thread's stack is full.
 */
#ifndef SF_IO_THREAD_H
#define SF_IO_THREAD_H

#include <pthread.h>
#include <stdbool.h>

typedef void *sf_thread_fn(void *ctx);

/* False: the system gives no further thread. Whoever starts it joins it. */
bool sf_thread_start(pthread_t *thread, sf_thread_fn *fn, void *ctx);

#endif
