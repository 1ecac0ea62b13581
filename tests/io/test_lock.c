/*
 * test_lock.c: one holder among many processes, and none that outlives its holder.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "support/test.h"

static void test_second_taker_is_told(void **state)
{
    char *path = test_path(*state, "lock");
    struct sf_lock first = SF_LOCK_INIT, second = SF_LOCK_INIT;
    struct sf_error err = SF_ERROR_INIT;
    mode_t before = umask(0);
    struct stat st;

    assert_true(sf_lock_take(path, 0, &first, &err));
    umask(before);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0600);
    assert_false(sf_lock_take(path, 30, &second, &err));
    assert_int_equal(err.code, SF_E_BUSY);
    assert_non_null(strstr(err.hint, path));
    assert_int_equal(second.fd, -1);
    sf_lock_drop(&first);
    assert_true(sf_lock_take(path, 0, &second, &err));
    sf_lock_drop(&second);
    sf_lock_drop(&second);
    free(path);
}

/* A process that takes the lock, says so through the pipe, and then waits to be killed. */
static pid_t start_holder(const char *path)
{
    int ready[2];
    char byte = 0;
    pid_t pid;

    assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
    pid = fork();
    if (pid == 0) {
        struct sf_lock lock = SF_LOCK_INIT;
        struct sf_error err;

        if (!sf_lock_take(path, 0, &lock, &err) || write(ready[1], "x", 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    assert_true(pid > 0);
    close(ready[1]);
    assert_int_equal(TEMP_FAILURE_RETRY(read(ready[0], &byte, 1)), 1);
    close(ready[0]);
    return pid;
}

static void test_killed_holder_blocks_nobody(void **state)
{
    char *path = test_path(*state, "lock");
    struct sf_lock lock = SF_LOCK_INIT;
    struct sf_error err = SF_ERROR_INIT;
    pid_t holder = start_holder(path);
    bool early = sf_lock_take(path, 20, &lock, &err);
    bool late;

    kill(holder, SIGKILL);
    TEMP_FAILURE_RETRY(waitpid(holder, NULL, 0));
    late = sf_lock_take(path, 0, &lock, &err);
    sf_lock_drop(&lock);
    free(path);
    assert_false(early);
    assert_true(late);
}

/* Drops the flock although a forked copy of the descriptor is still open somewhere. */
static void test_forked_copy_does_not_hold(void **state)
{
    char *path = test_path(*state, "lock");
    struct sf_lock lock = SF_LOCK_INIT;
    struct sf_error err = SF_ERROR_INIT;
    bool again;
    pid_t copy;

    assert_true(sf_lock_take(path, 0, &lock, &err));
    copy = fork();
    if (copy == 0)
        for (;;)
            pause();
    sf_lock_drop(&lock);
    again = sf_lock_take(path, 0, &lock, &err);
    kill(copy, SIGKILL);
    TEMP_FAILURE_RETRY(waitpid(copy, NULL, 0));
    sf_lock_drop(&lock);
    free(path);
    assert_true(again);
}

/* Reads a number, adds one, writes it back, each time under the lock. */
static int count_up(const char *lock_path, const char *number_path)
{
    for (int i = 0; i < 50; i++) {
        struct sf_lock lock = SF_LOCK_INIT;
        struct sf_error err;
        char text[16] = "";
        int fd, n;

        if (!sf_lock_take(lock_path, 60000, &lock, &err))
            return 1;
        fd = open(number_path, O_RDWR | O_CLOEXEC);
        if (fd < 0 || pread(fd, text, sizeof(text) - 1, 0) < 0)
            return 2;
        n = snprintf(text, sizeof(text), "%d", atoi(text) + 1);
        if (pwrite(fd, text, (size_t)n, 0) != n)
            return 3;
        close(fd);
        sf_lock_drop(&lock);
    }
    return 0;
}

static void test_contention_loses_nothing(void **state)
{
    enum { PROCESSES = 4 };
    /* Static, so that valgrind sees them reachable in the forked processes too. */
    static char *lock_path, *number_path;
    pid_t pids[PROCESSES];
    bool ok = true;
    char *got;

    lock_path = test_path(*state, "lock");
    number_path = test_path(*state, "number");
    test_write(number_path, "0", 1);
    for (int i = 0; i < PROCESSES; i++) {
        pids[i] = fork();
        if (pids[i] == 0)
            _exit(count_up(lock_path, number_path));
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status = 1;

        ok = TEMP_FAILURE_RETRY(waitpid(pids[i], &status, 0)) == pids[i] && status == 0 && ok;
    }
    got = test_read(number_path, NULL);
    ok = ok && !strcmp(got, "200");
    free(got);
    free(number_path);
    free(lock_path);
    assert_true(ok);
}

/* Whoever waited on a file that was removed must not believe to hold the new one's lock. */
static void test_removed_file_is_noticed(void **state)
{
    char *path = test_path(*state, "lock");
    struct sf_lock old = SF_LOCK_INIT, fresh = SF_LOCK_INIT, third = SF_LOCK_INIT;
    struct sf_error err = SF_ERROR_INIT;

    assert_true(sf_lock_take(path, 0, &old, &err));
    assert_int_equal(unlink(path), 0);
    assert_true(sf_lock_take(path, 0, &fresh, &err));
    sf_lock_drop(&old);
    assert_false(sf_lock_take(path, 0, &third, &err));
    sf_lock_drop(&fresh);
    free(path);
}

static void test_refused_places(void **state)
{
    char *fifo = test_path(*state, "fifo");
    char *link_path = test_path(*state, "link");
    char *missing = test_path(*state, "no/dir/lock");
    struct sf_lock lock = SF_LOCK_INIT;
    struct sf_error err = SF_ERROR_INIT;

    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_int_equal(symlink("elsewhere", link_path), 0);
    assert_false(sf_lock_take(fifo, 60000, &lock, &err));
    assert_int_equal(err.code, SF_E_ARG);
    assert_false(sf_lock_take(link_path, 60000, &lock, &err));
    assert_false(sf_lock_take(missing, 60000, &lock, &err));
    assert_int_equal(err.code, SF_E_NOENT);
    assert_int_equal(lock.fd, -1);
    free(missing);
    free(link_path);
    free(fifo);
}

#define IN_DIR(fn) cmocka_unit_test_setup_teardown(fn, test_dir_setup, test_dir_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_DIR(test_second_taker_is_told),      IN_DIR(test_killed_holder_blocks_nobody),
        IN_DIR(test_forked_copy_does_not_hold), IN_DIR(test_contention_loses_nothing),
        IN_DIR(test_removed_file_is_noticed),   IN_DIR(test_refused_places),
    };

    return cmocka_run_group_tests_name("lock", tests, NULL, NULL);
}
