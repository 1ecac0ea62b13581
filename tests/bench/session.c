/*
 * session.c: makes long sessions for a bench and measures the search over them.
 *
 * usage: bench_session fill DIR PROJECT EVENTS COMPACT   a new session in the store in DIR with so
 *            many events, and a summary each COMPACT turns (0: never); prints its id
 *        bench_session search DIR ROUNDS WORDS           median and slowest search, in µs, and hits
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "store/store.h"
#include "support/long_session.h"

enum { ROUNDS_MAX = 10000, HITS = 50 };

static void die(const struct sf_error *err)
{
    fprintf(stderr, "bench_session: %s\n", err->msg);
    exit(1);
}

static struct sf_store *open_store(const char *dir)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_store *store = sf_store_open(dir, SF_STORE_WRITE, &err);

    if (!store)
        die(&err);
    return store;
}

static int fill(const char *dir, const struct long_session *how)
{
    struct sf_store *store = open_store(dir);
    struct sf_error err = SF_ERROR_INIT;
    char id[SF_ID_LEN + 1];

    if (!long_session_write(store, how, id, &err))
        die(&err);
    printf("%s\n", id);
    sf_store_close(store);
    return 0;
}

/* ---- searching ---- */

static int64_t now_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static bool count_hit(const struct sf_search_hit *hit, void *ctx)
{
    (void)hit;
    ++*(size_t *)ctx;
    return true;
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static int search(const char *dir, size_t rounds, const char *words)
{
    static int64_t times[ROUNDS_MAX];
    struct sf_store *store = open_store(dir);
    struct sf_error err = SF_ERROR_INIT;
    size_t hits = 0;

    rounds = !rounds || rounds > ROUNDS_MAX ? 1 : rounds;
    for (size_t i = 0; i < rounds; i++) {
        int64_t began = now_us();

        hits = 0;
        if (!sf_store_search(store, words, HITS, count_hit, &hits, &err))
            die(&err);
        times[i] = now_us() - began;
    }
    sf_store_close(store);
    qsort(times, rounds, sizeof(*times), by_value);
    printf("%" PRId64 "\t%" PRId64 "\t%zu\n", times[rounds / 2], times[rounds - 1], hits);
    return 0;
}

int main(int argc, char **argv)
{
    const struct long_session how = { .project = argc == 6 ? argv[3] : "",
                                      .events = argc == 6 ? strtoul(argv[4], NULL, 10) : 0,
                                      .compact = argc == 6 ? strtoul(argv[5], NULL, 10) : 0 };

    if (argc == 6 && !strcmp(argv[1], "fill"))
        return fill(argv[2], &how);
    if (argc == 5 && !strcmp(argv[1], "search"))
        return search(argv[2], strtoul(argv[3], NULL, 10), argv[4]);
    fprintf(stderr, "usage: see the top of tests/bench/session.c\n");
    return 2;
}
