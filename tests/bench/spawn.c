/*
 * spawn.c: what a command takes from start to exit, with nothing else around it.
 * usage: bench_spawn [-u] ROUNDS COMMAND [ARGUMENT…]; prints the median time in microseconds, or
 * with -u each round: time and processor time in microseconds, and memory at most in KiB.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

struct use {
    int64_t wall_us, cpu_us, rss_kib;
};

static int64_t now_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static int64_t in_us(struct timeval t)
{
    return (int64_t)t.tv_sec * 1000000 + t.tv_usec;
}

static int by_time(const void *a, const void *b)
{
    int64_t x = ((const struct use *)a)->wall_us, y = ((const struct use *)b)->wall_us;

    return (x > y) - (x < y);
}

static bool once(char **argv, posix_spawn_file_actions_t *quiet, struct use *use)
{
    int64_t start = now_us();
    struct rusage r;
    int status;
    pid_t pid;

    if (posix_spawnp(&pid, argv[0], quiet, NULL, argv, environ) != 0 ||
        wait4(pid, &status, 0, &r) != pid || status != 0)
        return false;
    *use = (struct use){ now_us() - start, in_us(r.ru_utime) + in_us(r.ru_stime), r.ru_maxrss };
    return true;
}

static void print(struct use *uses, size_t rounds, bool each)
{
    for (size_t i = 0; each && i < rounds; i++)
        printf("%lld %lld %lld\n", (long long)uses[i].wall_us, (long long)uses[i].cpu_us,
               (long long)uses[i].rss_kib);
    qsort(uses, rounds, sizeof(*uses), by_time);
    if (!each)
        printf("%lld\n", (long long)uses[rounds / 2].wall_us);
}

int main(int argc, char **argv)
{
    bool each = argc > 1 && !strcmp(argv[1], "-u");
    posix_spawn_file_actions_t quiet;
    struct use *uses;
    size_t rounds;

    argv += each;
    argc -= each;
    rounds = argc > 2 ? strtoul(argv[1], NULL, 10) : 0;
    if (rounds < 1 || rounds > 100000)
        return 2;
    uses = calloc(rounds, sizeof(*uses));
    if (!uses)
        return 1;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
    for (size_t i = 0; i < rounds; i++)
        if (!once(argv + 2, &quiet, &uses[i])) {
            fprintf(stderr, "bench_spawn: %s failed\n", argv[2]);
            free(uses);
            return 1;
        }
    print(uses, rounds, each);
    posix_spawn_file_actions_destroy(&quiet);
    free(uses);
    return 0;
}
