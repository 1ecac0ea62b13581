/*
 * thread.c: the stack for handlers is a part of the thread's own one, at the end that an overflow
 * cannot come to. The system knows such a stack for each thread alone, so a thread without one dies
 * of an overflow before any handler runs.
 */
#include "io/thread.h"

#include <signal.h>
#include <stdlib.h>

#include "base/base.h"

enum { HANDLER_STACK = 64 * 1024 };

struct start {
    sf_thread_fn *fn;
    void *ctx;
};

static void *begin(void *ctx)
{
    struct start start = *(struct start *)ctx;
    char room[HANDLER_STACK];
    const stack_t own = { .ss_sp = room, .ss_size = sizeof(room) };
    stack_t before;
    bool set = sigaltstack(&own, &before) == 0;
    void *result;

    free(ctx);
    result = start.fn(start.ctx);
    if (set)
        sigaltstack(&before, NULL);
    return result;
}

/* All but those that the thread's own code raises: while one is blocked, no handler gets it. */
static void fill_mask(sigset_t *mask)
{
    static const int faults[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT };

    sigfillset(mask);
    for (size_t i = 0; i < SF_COUNT(faults); i++)
        sigdelset(mask, faults[i]);
}

bool sf_thread_start(pthread_t *thread, sf_thread_fn *fn, void *ctx)
{
    struct start *start = sf_alloc(sizeof(*start));
    sigset_t mask, before;
    int failed;

    *start = (struct start){ fn, ctx };
    fill_mask(&mask);
    pthread_sigmask(SIG_SETMASK, &mask, &before);
    failed = pthread_create(thread, NULL, begin, start);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed)
        free(start);
    return !failed;
}
