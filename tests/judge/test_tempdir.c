/*
 * Temporary directories of commands: made while other processes clean up after those that died.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "judge/tempdir.h"
#include "support/child.h"
#include "support/test.h"

enum { ROUNDS = 300, SWEEPERS = 3, NOBODY = 65534 };

/* What another process does in the moment before this one has the lock. */
static void (*before_lock)(void);

int flock(int fd, int how)
{
    static int (*real)(int, int);
    void (*meanwhile)(void) = before_lock;

    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "flock");
    before_lock = NULL;
    if (meanwhile)
        meanwhile();
    return real(fd, how);
}

/* The same while this one waits; with it nobody waits in earnest. */
static void (*while_waiting)(void);

int nanosleep(const struct timespec *wanted, struct timespec *left)
{
    static int (*real)(const struct timespec *, struct timespec *);

    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "nanosleep");
    if (!while_waiting)
        return real(wanted, left);
    while_waiting();
    return 0;
}

static bool make_and_release(void)
{
    struct sf_tempdir dir;
    struct sf_error err = SF_ERROR_INIT;
    struct stat st;
    bool ok = sf_tempdir_init(&dir, &err) && sf_tempdir_make(&dir, &err) &&
              stat(dir.path, &st) == 0 && S_ISDIR(st.st_mode);

    sf_tempdir_release(&dir);
    return ok;
}

static int sweep(void)
{
    for (int i = 0; i < ROUNDS; i++)
        if (!make_and_release())
            return 1;
    return 0;
}

/* Each one that is made sweeps first, so all of them try to take what the others just made. */
static void test_together(void **state)
{
    pid_t pids[SWEEPERS];
    int status;

    (void)state;
    for (int i = 0; i < SWEEPERS; i++) {
        pids[i] = fork();
        if (pids[i] == 0)
            _exit(sweep());
        assert_true(pids[i] > 0);
    }
    for (int i = 0; i < SWEEPERS; i++) {
        assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
}

/* What a session that died has left is removed by the next one; what only looks like it is not. */
static void test_leftovers(void **state)
{
    static const struct {
        const char *name;
        bool stays;
    } dirs[] = {
        { "sf-0123456789abcdef", false },
        { "sf-ffffffffffffffff", false },
        { "sf-0123456789abcde", true },
        { "sf-0123456789abcdef0", true },
        { "sf-0123456789abcdeg", true },
        { "sg-0123456789abcdef", true },
        { "sf-", true },
    };
    int before;

    for (size_t i = 0; i < SF_COUNT(dirs); i++) {
        char *path = sf_path_join(*state, dirs[i].name);

        assert_int_equal(mkdir(path, 0700), 0);
        free(path);
    }
    before = child_count_fds();
    assert_true(make_and_release());
    assert_int_equal(child_count_fds(), before);
    for (size_t i = 0; i < SF_COUNT(dirs); i++) {
        char *path = sf_path_join(*state, dirs[i].name);

        if ((access(path, F_OK) == 0) != dirs[i].stays)
            fail_msg("%s", dirs[i].name);
        free(path);
    }
}

/* What has such a name and is no directory of this user's belongs to somebody else. */
static void test_what_is_not_a_leftover(void **state)
{
    static const char *const names[] = { "sf-0000000000000001", "sf-0000000000000002",
                                         "sf-0000000000000003" };
    char *paths[SF_COUNT(names)], *kept = test_path(*state, "kept");

    for (size_t i = 0; i < SF_COUNT(names); i++)
        paths[i] = test_path(*state, names[i]);
    assert_int_equal(mkdir(kept, 0700), 0);
    test_write(paths[0], "", 0);
    assert_int_equal(symlink("kept", paths[1]), 0);
    assert_int_equal(mkdir(paths[2], 0700), 0);
    assert_true(geteuid() != 0 || chown(paths[2], NOBODY, NOBODY) == 0);
    assert_true(make_and_release());
    assert_int_equal(access(paths[0], F_OK), 0);
    assert_int_equal(access(paths[1], F_OK), 0);
    assert_int_equal(access(paths[2], F_OK) == 0, geteuid() == 0);
    assert_int_equal(access(kept, F_OK), 0);
    for (size_t i = 0; i < SF_COUNT(names); i++)
        free(paths[i]);
    free(kept);
}

/* One that is in use stays, and what is made stays one and the same until it is released. */
static void test_in_use(void **state)
{
    struct sf_tempdir first, second;
    struct sf_error err = SF_ERROR_INIT;
    struct stat st;
    int fds;

    (void)state;
    assert_true(sf_tempdir_init(&first, &err));
    assert_int_equal(lstat(first.path, &st), -1); /* a name alone */
    assert_true(sf_tempdir_make(&first, &err));
    assert_int_equal(stat(first.path, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0700);
    fds = child_count_fds();
    assert_true(sf_tempdir_make(&first, &err));
    assert_int_equal(child_count_fds(), fds);
    assert_true(sf_tempdir_init(&second, &err));
    assert_true(sf_tempdir_make(&second, &err));
    assert_int_equal(access(first.path, F_OK), 0);
    sf_tempdir_release(&second);
    assert_int_equal(access(first.path, F_OK), 0);
    sf_tempdir_release(&first);
    sf_tempdir_release(&first); /* which has nothing left */
    assert_int_equal(child_count_fds(), fds - 1);
}

/* Where temporary directories are made: "@" stands for a directory that is there. */
static void test_base(void **state)
{
    static const struct {
        const char *value, *base; /* NULL: not set; it fails */
    } rows[] = {
        { "@", "@" },        { NULL, "/tmp" },           { "", "/tmp" },
        { "below", "/tmp" }, { "/no/such/place", NULL },
    };
    struct sf_error err = SF_ERROR_INIT;
    char *real = sf_path_real(*state, &err), *tmp = sf_path_real("/tmp", &err);

    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        const char *value = rows[i].value && *rows[i].value == '@' ? *state : rows[i].value;
        struct sf_tempdir dir;

        if (value)
            setenv("TMPDIR", value, 1);
        else
            unsetenv("TMPDIR");
        assert_int_equal(sf_tempdir_init(&dir, &err), rows[i].base != NULL);
        if (rows[i].base)
            assert_string_equal(dir.base, *rows[i].base == '@' ? real : tmp);
        sf_tempdir_release(&dir);
    }
    free(real);
    free(tmp);
}

static struct sf_tempdir made;
static int held;

static void take_away(void)
{
    assert_int_equal(rmdir(made.path), 0);
}

static void replace(void)
{
    take_away();
    assert_int_equal(mkdir(made.path, 0700), 0);
}

static void let_go(void)
{
    if (held >= 0)
        close(held);
    held = -1;
}

static void stay(void)
{
}

/* Another process may take the new directory for a leftover: the one that is held has the name. */
static void test_taken_away(void **state)
{
    static void (*const deeds[])(void) = { take_away, replace };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(deeds); i++) {
        struct sf_error err = SF_ERROR_INIT;
        struct stat by_name, by_lock;
        int fds = child_count_fds();

        assert_true(sf_tempdir_init(&made, &err));
        before_lock = deeds[i];
        while_waiting = stay;
        assert_true(sf_tempdir_make(&made, &err));
        assert_null(before_lock);
        assert_int_equal(stat(made.path, &by_name), 0);
        assert_int_equal(fstat(made.lock, &by_lock), 0);
        assert_int_equal(by_name.st_ino, by_lock.st_ino);
        assert_int_equal(child_count_fds(), fds + 1);
        sf_tempdir_release(&made);
    }
}

/* One that another process holds is waited for, but not for ever. */
static void test_held_by_another(void **state)
{
    (void)state;
    for (int lets_go = 0; lets_go < 2; lets_go++) {
        struct sf_error err = SF_ERROR_INIT;

        assert_true(sf_tempdir_init(&made, &err));
        assert_int_equal(mkdir(made.path, 0700), 0);
        held = open(made.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        assert_int_equal(flock(held, LOCK_EX), 0);
        while_waiting = lets_go ? let_go : stay;
        assert_int_equal(sf_tempdir_make(&made, &err), lets_go);
        if (!lets_go)
            assert_non_null(strstr(err.msg, made.path));
        let_go();
        rmdir(made.path);
        sf_tempdir_release(&made);
    }
}

static void test_base_is_gone(void **state)
{
    char *base = test_path(*state, "base");
    struct sf_tempdir dir;
    struct sf_error err = SF_ERROR_INIT;

    assert_int_equal(mkdir(base, 0700), 0);
    setenv("TMPDIR", base, 1);
    assert_true(sf_tempdir_init(&dir, &err));
    assert_int_equal(rmdir(base), 0);
    assert_false(sf_tempdir_make(&dir, &err));
    assert_non_null(strstr(err.msg, dir.path));
    sf_tempdir_release(&dir);
    free(base);
}

/* Removing goes through no link: what it leads to keeps its files and its permissions. */
static void test_links_lead_nowhere(void **state)
{
    char *kept = test_path(*state, "kept"), *file = test_path(kept, "file"), *path;
    struct sf_tempdir dir;
    struct sf_error err = SF_ERROR_INIT;
    struct stat st;

    assert_int_equal(mkdir(kept, 0755), 0);
    test_write(file, "", 0);
    assert_true(sf_tempdir_init(&dir, &err));
    assert_true(sf_tempdir_make(&dir, &err));
    path = test_path(dir.path, "link");
    assert_int_equal(symlink(kept, path), 0);
    sf_tempdir_release(&dir);
    assert_int_equal(lstat(path, &st), -1);
    assert_int_equal(stat(file, &st), 0);
    assert_int_equal(stat(kept, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0755);
    free(kept);
    free(file);
    free(path);
}

static void test_no_descriptor_stays(void **state)
{
    int before = child_count_fds();

    (void)state;
    for (int i = 0; i < 3; i++)
        assert_true(make_and_release());
    assert_int_equal(child_count_fds(), before);
}

static bool tie(const char *target, const char *dir)
{
    char *path = sf_path_join(dir, "link");
    bool ok = symlink(target, path) == 0;

    free(path);
    return ok;
}

/* As somebody whom permissions hold: the status of the child is 0 when all is gone. */
static int leave_closed(const char *base)
{
    struct sf_tempdir dir;
    struct sf_error err = SF_ERROR_INIT;
    char *inner, *deep, *file;
    struct stat st;
    bool ok;

    if (geteuid() == 0 && setuid(NOBODY) < 0)
        return 2;
    if (!sf_tempdir_init(&dir, &err) || !sf_tempdir_make(&dir, &err))
        return 3;
    inner = sf_path_join(dir.path, "inner");
    deep = sf_path_join(inner, "deep");
    file = sf_path_join(deep, "file");
    ok = mkdir(inner, 0700) == 0 && mkdir(deep, 0700) == 0 && mkdir(file, 0700) == 0 &&
         tie(base, deep) && chmod(file, 0) == 0 && chmod(deep, 0500) == 0 && chmod(inner, 0) == 0;
    free(inner);
    free(deep);
    free(file);
    inner = sf_strdup(dir.path);
    sf_tempdir_release(&dir);
    ok = ok && lstat(inner, &st) < 0 && stat(base, &st) == 0 && (st.st_mode & 07777) == 0777;
    free(inner);
    return ok ? 0 : 1;
}

static void test_closed_directories_go_too(void **state)
{
    int status;
    pid_t pid;

    assert_int_equal(chmod(*state, 0777), 0);
    pid = fork();
    if (pid == 0)
        _exit(leave_closed(*state));
    assert_true(pid > 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* What cannot be opened, as another user closed it, stays, and removing ends all the same. */
static int leave_another_s(int ready, int go)
{
    struct sf_tempdir dir;
    struct sf_error err = SF_ERROR_INIT;
    char byte;

    if (setuid(NOBODY) < 0 || !sf_tempdir_init(&dir, &err) || !sf_tempdir_make(&dir, &err))
        return 2;
    if (write(ready, dir.path, strlen(dir.path)) < 0 || read(go, &byte, 1) != 1)
        return 3;
    sf_tempdir_release(&dir);
    return 0;
}

static void test_closed_by_another(void **state)
{
    int ready[2], go[2], status;
    char path[512] = "", *below;
    pid_t pid;

    if (geteuid() != 0)
        test_not_run("only root makes directories of another user");
    assert_int_equal(chmod(*state, 0777), 0);
    assert_int_equal(pipe(ready), 0);
    assert_int_equal(pipe(go), 0);
    pid = fork();
    if (pid == 0)
        _exit(leave_another_s(ready[1], go[0]));
    assert_true(pid > 0 && read(ready[0], path, sizeof(path) - 1) > 0);
    below = test_path(path, "theirs");
    assert_int_equal(mkdir(below, 0700), 0);
    assert_int_equal(write(go[1], "", 1), 1);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    for (int i = 0; i < 2; i++) {
        close(ready[i]);
        close(go[i]);
    }
    free(below);
}

static int setup(void **state)
{
    test_dir_setup(state);
    return setenv("TMPDIR", *state, 1);
}

static int teardown(void **state)
{
    before_lock = while_waiting = NULL;
    unsetenv("TMPDIR");
    return test_dir_teardown(state);
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_together),
        CASE(test_leftovers),
        CASE(test_what_is_not_a_leftover),
        CASE(test_in_use),
        CASE(test_base),
        CASE(test_taken_away),
        CASE(test_held_by_another),
        CASE(test_base_is_gone),
        CASE(test_links_lead_nowhere),
        CASE(test_no_descriptor_stays),
        CASE(test_closed_directories_go_too),
        CASE(test_closed_by_another),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
