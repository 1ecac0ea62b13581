/*
 * swapper.c: renameat2(RENAME_EXCHANGE) in a loop.
 */
#include "support/swapper.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "support/test.h"

struct swapper {
    pthread_t thread;
    char *one, *other;
    atomic_bool stop;
    unsigned long swaps;
};

static void *swap(void *arg)
{
    struct swapper *s = arg;

    while (!atomic_load(&s->stop) || s->swaps % 2) {
        if (renameat2(AT_FDCWD, s->one, AT_FDCWD, s->other, RENAME_EXCHANGE) < 0)
            abort();
        s->swaps++;
        sched_yield();
    }
    return NULL;
}

struct swapper *swapper_start(const char *one, const char *other)
{
    struct swapper *s = sf_alloc(sizeof(*s));

    s->one = sf_strdup(one);
    s->other = sf_strdup(other);
    if (pthread_create(&s->thread, NULL, swap, s))
        abort();
    return s;
}

unsigned long swapper_stop(struct swapper *s)
{
    unsigned long swaps;

    atomic_store(&s->stop, true);
    pthread_join(s->thread, NULL);
    swaps = s->swaps;
    free(s->one);
    free(s->other);
    free(s);
    return swaps;
}
