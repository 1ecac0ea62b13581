/*
 * spawn.c: how long a command takes from start to exit, with nothing else around it.
 * usage: bench_spawn ROUNDS COMMAND [ARGUMENT…]; prints the median in microseconds.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static int64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static int64_t once(char **argv, posix_spawn_file_actions_t *quiet)
{
    int64_t start = now_ns();
    int status;
    pid_t pid;

    if (posix_spawnp(&pid, argv[0], quiet, NULL, argv, environ) != 0 ||
        waitpid(pid, &status, 0) != pid || status != 0)
        return -1;
    return now_ns() - start;
}

int main(int argc, char **argv)
{
    posix_spawn_file_actions_t quiet;
    size_t rounds = argc > 2 ? strtoul(argv[1], NULL, 10) : 0;
    int64_t *times;

    if (rounds < 1 || rounds > 100000)
        return 2;
    times = calloc(rounds, sizeof(*times));
    if (!times)
        return 1;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
    for (size_t i = 0; i < rounds; i++) {
        times[i] = once(argv + 2, &quiet);
        if (times[i] < 0) {
            fprintf(stderr, "bench_spawn: %s failed\n", argv[2]);
            free(times);
            return 1;
        }
    }
    qsort(times, rounds, sizeof(*times), by_value);
    printf("%lld\n", (long long)(times[rounds / 2] / 1000));
    posix_spawn_file_actions_destroy(&quiet);
    free(times);
    return 0;
}
