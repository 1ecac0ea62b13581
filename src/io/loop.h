/*
 * loop: the one place that waits. It watches descriptors, timers and signals, and runs functions
 * that other threads post. A turn is: run due timers, call the hook (which paints), wait for the
 * next event, run the callbacks. With nothing to do it sleeps in the kernel.
 *
 * A loop belongs to the thread that runs it; only sf_loop_post may be called from another. A
 * watch is identified by its id. Ids are never reused, and removing one is always safe: from any
 * callback, twice, while it is due in the same turn, or after a timer has run. Once removed, its
 * callback is not called again. Removing a watch does not close its descriptor.
 *
 * Life: sf_loop_new, use, sf_loop_free. Callbacks must not free the loop or start another turn.
 */
#ifndef SF_IO_LOOP_H
#define SF_IO_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

struct sf_loop; /* fields live in loop.c */

enum {
    SF_FD_READ = 1, /* readable, at end of file, or in error: a read tells which */
    SF_FD_WRITE = 2,
};

typedef void sf_loop_fn(void *ctx);
typedef void sf_loop_fd_fn(void *ctx, int fd, unsigned events);
typedef void sf_loop_signal_fn(void *ctx, int signo);

struct sf_loop *sf_loop_new(struct sf_error *err); /* NULL: out of descriptors */

/* Drops all watches and all posted functions that have not run. NULL is welcome. */
void sf_loop_free(struct sf_loop *loop);

/*
 * `events` is any of SF_FD_*; with 0 the watch is paused and reports nothing, not even end of file.
 * An error or hang-up is reported as the events that were asked for.
 */
uint64_t sf_loop_watch_fd(struct sf_loop *loop, int fd, unsigned events, sf_loop_fd_fn *fn,
                          void *ctx);
void sf_loop_change_fd(struct sf_loop *loop, uint64_t id, unsigned events);

/*
 * Calls `fn` once after `after_ms`, or repeatedly if `every_ms` is above 0; missed ticks are
 * skipped. Timers of the same time run in the order of adding. A timer added by a timer runs in a
 * later turn, however short it is.
 */
uint64_t sf_loop_add_timer(struct sf_loop *loop, int64_t after_ms, int64_t every_ms, sf_loop_fn *fn,
                           void *ctx);

/*
 * Several watches may share a signal, and signals that arrive together may be reported once.
 * The first watch installs a handler; removing the last one restores the previous handler. Only
 * one loop at a time may watch signals. Other threads should block all signals. A signal that has
 * arrived is reported before any descriptor, so the request to end a process comes before its end.
 */
uint64_t sf_loop_watch_signal(struct sf_loop *loop, int signo, sf_loop_signal_fn *fn, void *ctx);

void sf_loop_remove(struct sf_loop *loop, uint64_t id); /* 0 and unknown ids are welcome */

/* Runs `fn` in the loop's thread, in the order posted. May be called from any thread. */
void sf_loop_post(struct sf_loop *loop, sf_loop_fn *fn, void *ctx);

/* Called in every turn after the timers and before waiting; NULL removes it. */
void sf_loop_before_wait(struct sf_loop *loop, sf_loop_fn *fn, void *ctx);

/*
 * One turn, waiting at most `max_wait_ms` (negative: without limit). True while anything is watched
 * or posted; the hook alone does not count.
 */
bool sf_loop_turn(struct sf_loop *loop, int64_t max_wait_ms);

void sf_loop_run(struct sf_loop *loop);  /* until sf_loop_stop, or nothing is left to wait for */
void sf_loop_stop(struct sf_loop *loop); /* ends the run after the current turn */

#endif
