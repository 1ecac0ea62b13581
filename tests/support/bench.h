/*
 * bench: a loop to try things on, two pipes, and callbacks that leave a letter behind, so that a
 * test can say in one word what was called and in which order.
 */
#ifndef SF_TESTS_SUPPORT_BENCH_H
#define SF_TESTS_SUPPORT_BENCH_H

#include "io/io.h"

struct bench {
    struct sf_loop *loop;
    struct sf_strbuf trace;
    uint64_t ids[4];
    int pipes[2][2]; /* -1: closed by the test */
    int count;
};

/* A callback's context: the letter it leaves behind, and the watch it removes (or NULL). */
struct mark {
    struct bench *bench;
    char letter;
    uint64_t *victim;
};

int bench_setup(void **state);
int bench_teardown(void **state);

#define ON_BENCH(fn) cmocka_unit_test_setup_teardown(fn, bench_setup, bench_teardown)

void leave_mark(void *ctx);
void leave_fd_mark(void *ctx, int fd, unsigned events);

#endif
