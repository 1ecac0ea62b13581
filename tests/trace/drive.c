/*
 * drive.c: runs a traced sf and prints what it noted, a line each: thread, function, 1 if it is left.
 *
 *     trace-drive NOTES run COMMAND…         all of it, from the start to the exit
 *     trace-drive NOTES type KEYS COMMAND…   on a terminal, and only what the keys led to
 *
 * A program that has noted nothing for a while is taken to be at rest: good enough for a look.
 */
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trace/notes.h"

enum { REST_MS = 700, ROWS = 30, COLS = 100 };

static struct trace_notes *open_notes(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    void *map = MAP_FAILED;

    if (fd >= 0 && ftruncate(fd, sizeof(struct trace_notes)) == 0)
        map = mmap(NULL, sizeof(struct trace_notes), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (fd >= 0)
        close(fd);
    return map == MAP_FAILED ? NULL : map;
}

static void print(struct trace_notes *notes, uint64_t from, uint64_t to)
{
    for (; from < to && from < TRACE_NOTES_MAX; from++)
        printf("%llu %#llx %llu\n", (unsigned long long)notes->notes[from].thread,
               (unsigned long long)notes->notes[from].function,
               (unsigned long long)notes->notes[from].left);
}

/* Reads what the program shows until it shows and notes nothing more. */
static uint64_t wait_for_rest(struct trace_notes *notes, int terminal)
{
    struct pollfd p = { .fd = terminal, .events = POLLIN };
    uint64_t before, now = notes->count;
    char shown[65536];

    do {
        before = now;
        while (poll(&p, 1, REST_MS) > 0 && read(terminal, shown, sizeof(shown)) > 0)
            continue;
        now = notes->count;
    } while (now != before || !now);
    return now;
}

static int type(struct trace_notes *notes, const char *keys, char **argv)
{
    struct winsize size = { .ws_row = ROWS, .ws_col = COLS };
    size_t len = strlen(keys);
    uint64_t from, to;
    int terminal, status;
    pid_t pid = forkpty(&terminal, NULL, NULL, &size);

    if (pid == 0) {
        execvp(argv[0], argv);
        _exit(127);
    }
    if (pid < 0)
        return 1;
    from = wait_for_rest(notes, terminal);
    if (write(terminal, keys, len) != (ssize_t)len)
        return 1;
    to = wait_for_rest(notes, terminal);
    print(notes, from, to);
    kill(pid, SIGKILL);
    close(terminal);
    waitpid(pid, &status, 0);
    return 0;
}

static int run(struct trace_notes *notes, char **argv)
{
    int status;
    pid_t pid = fork();

    if (pid == 0) {
        dup2(2, 1);
        execvp(argv[0], argv);
        _exit(127);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
        return 1;
    print(notes, 0, notes->count);
    return 0;
}

int main(int argc, char **argv)
{
    bool types = argc > 4 && !strcmp(argv[2], "type");
    struct trace_notes *notes = argc > 3 ? open_notes(argv[1]) : NULL;

    if (!notes || setenv("SF_TRACE", argv[1], 1) != 0)
        return 2;
    return types ? type(notes, argv[3], argv + 4) : run(notes, argv + 3);
}
