/*
 * bench.c: the loop under test and its traces.
 */
#include "support/bench.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/base.h"
#include "support/test.h"

int bench_setup(void **state)
{
    struct bench *b = sf_alloc(sizeof(*b));
    struct sf_error err;

    b->loop = sf_loop_new(&err);
    sf_strbuf_init(&b->trace);
    *state = b;
    if (!b->loop || pipe2(b->pipes[0], O_CLOEXEC | O_NONBLOCK) < 0)
        return -1;
    return pipe2(b->pipes[1], O_CLOEXEC | O_NONBLOCK);
}

int bench_teardown(void **state)
{
    struct bench *b = *state;

    sf_loop_free(b->loop);
    sf_strbuf_release(&b->trace);
    for (int i = 0; i < 4; i++)
        if (b->pipes[i / 2][i % 2] >= 0)
            close(b->pipes[i / 2][i % 2]);
    free(b);
    return 0;
}

void leave_mark(void *ctx)
{
    struct mark *m = ctx;

    sf_strbuf_addch(&m->bench->trace, m->letter);
    if (m->victim)
        sf_loop_remove(m->bench->loop, *m->victim);
}

void leave_fd_mark(void *ctx, int fd, unsigned events)
{
    (void)fd;
    (void)events;
    leave_mark(ctx);
}
