/*
 * Temporary directories of commands: made while other processes clean up after those that died.
 */
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "judge/tempdir.h"
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
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
