/*
 * Temporary directories of commands: made while other processes clean up after those that died.
 */
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "judge/tempdir.h"
#include "support/child.h"
#include "support/test.h"

enum { ROUNDS = 300, SWEEPERS = 3 };

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

    for (size_t i = 0; i < SF_COUNT(dirs); i++) {
        char *path = sf_path_join(*state, dirs[i].name);

        assert_int_equal(mkdir(path, 0700), 0);
        free(path);
    }
    assert_true(make_and_release());
    for (size_t i = 0; i < SF_COUNT(dirs); i++) {
        char *path = sf_path_join(*state, dirs[i].name);

        if ((access(path, F_OK) == 0) != dirs[i].stays)
            fail_msg("%s", dirs[i].name);
        free(path);
    }
}

static void test_no_descriptor_stays(void **state)
{
    int before = child_count_fds();

    (void)state;
    for (int i = 0; i < 3; i++)
        assert_true(make_and_release());
    assert_int_equal(child_count_fds(), before);
}

/* As somebody whom permissions hold: the status of the child is 0 when all is gone. */
static int leave_closed(const char *base)
{
    struct sf_tempdir dir;
    struct sf_error err = SF_ERROR_INIT;
    char *inner, *deep, *file;
    struct stat st;
    bool ok;

    if (geteuid() == 0 && setuid(65534) < 0)
        return 2;
    if (!sf_tempdir_init(&dir, &err) || !sf_tempdir_make(&dir, &err))
        return 3;
    inner = sf_path_join(dir.path, "inner");
    deep = sf_path_join(inner, "deep");
    file = sf_path_join(deep, "file");
    ok = mkdir(inner, 0700) == 0 && mkdir(deep, 0700) == 0 && mkdir(file, 0700) == 0 &&
         chmod(file, 0) == 0 && chmod(deep, 0500) == 0 && chmod(inner, 0) == 0;
    free(inner);
    free(deep);
    free(file);
    inner = sf_strdup(dir.path);
    sf_tempdir_release(&dir);
    ok = ok && lstat(inner, &st) < 0 && stat(base, &st) == 0;
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

static int setup(void **state)
{
    test_dir_setup(state);
    return setenv("TMPDIR", *state, 1);
}

static int teardown(void **state)
{
    unsetenv("TMPDIR");
    return test_dir_teardown(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_together, setup, teardown),
        cmocka_unit_test_setup_teardown(test_leftovers, setup, teardown),
        cmocka_unit_test_setup_teardown(test_no_descriptor_stays, setup, teardown),
        cmocka_unit_test_setup_teardown(test_closed_directories_go_too, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
