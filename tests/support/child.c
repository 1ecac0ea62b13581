/*
 * child.c: running commands from tests, and looking for what they left.
 */
#include "support/child.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "support/test.h"

int child_setup(void **state)
{
    static int round;
    struct child_fixture *f = sf_alloc(sizeof(*f));

    f->dir = test_dir_new();
    snprintf(f->marker, sizeof(f->marker), "9%d%03d", (int)getpid(), round++);
    *state = f;
    return 0;
}

static void forget_result(struct child_fixture *f)
{
    if (f->has_result)
        sf_child_result_release(&f->result);
    f->has_result = false;
}

int child_teardown(void **state)
{
    struct child_fixture *f = *state;

    forget_result(f);
    test_dir_free(f->dir);
    free(f);
    return 0;
}

const struct sf_child_result *child_run(struct child_fixture *f, const struct sf_child_spec *spec)
{
    struct sf_error err = SF_ERROR_INIT;

    forget_result(f);
    if (!sf_child_run(spec, &f->result, &err))
        fail_msg("%s", err.msg);
    f->has_result = true;
    return &f->result;
}

const struct sf_child_result *child_run_script(struct child_fixture *f, struct sf_child_spec spec,
                                               const char *script)
{
    const char *argv[] = { "/bin/sh", "-c", script, "sh", f->marker, NULL };

    spec.argv = argv;
    spec.cwd = f->dir;
    spec.output_cap = spec.output_cap ? spec.output_cap : CHILD_CAP;
    return child_run(f, &spec);
}

/* Zombies have no arguments and so are not found. */
static bool cmdline_has(const char *pid, const char *marker)
{
    char path[64], text[4096];
    size_t have = 0;
    ssize_t n = 1;
    int fd;

    snprintf(path, sizeof(path), "/proc/%.20s/cmdline", pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    while (n > 0) {
        n = TEMP_FAILURE_RETRY(read(fd, text + have, sizeof(text) - have));
        have += n > 0 ? (size_t)n : 0;
    }
    close(fd);
    return memmem(text, have, marker, strlen(marker)) != NULL;
}

static int count_entries(const char *dir, const char *marker)
{
    DIR *d = opendir(dir);
    const struct dirent *entry;
    int count = 0;

    assert_non_null(d);
    while ((entry = readdir(d)))
        count += !marker || cmdline_has(entry->d_name, marker);
    closedir(d);
    return count;
}

int child_count_marked(const char *marker)
{
    return count_entries("/proc", marker);
}

int child_count_fds(void)
{
    return count_entries("/proc/self/fd", NULL);
}

bool child_wait_until_gone(const char *marker)
{
    const struct timespec span = { .tv_nsec = 5000000 };

    for (int i = 0; i < 24000; i++) {
        if (child_count_marked(marker) == 0)
            return true;
        nanosleep(&span, NULL);
    }
    return false;
}

bool child_wait_for_byte(pid_t pid, const char *fifo)
{
    struct pollfd in = { .fd = open(fifo, O_RDONLY | O_NONBLOCK | O_CLOEXEC), .events = POLLIN };
    siginfo_t info = { .si_pid = 0 };
    char byte;
    bool came;

    assert_true(in.fd >= 0);
    while (poll(&in, 1, 20) <= 0 && !info.si_pid)
        waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT);
    came = read(in.fd, &byte, 1) == 1;
    close(in.fd);
    return came;
}

bool child_any_waiting(void)
{
    return waitpid(-1, NULL, WNOHANG) != -1 || errno != ECHILD;
}

int child_in_process(int (*fn)(int arg), int arg)
{
    int status = 0;
    pid_t pid = fork();

    if (pid == 0)
        _exit(fn(arg));
    assert_true(pid > 0);
    assert_int_equal(TEMP_FAILURE_RETRY(waitpid(pid, &status, 0)), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
