/*
 * Being woken by files: what happened before is not told, what happens is, and of whom.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "support/test.h"

struct heard {
    char *dir, *file;
    struct sf_loop *loop;
    struct sf_filewatch *notice;
    unsigned which;
};

static void hear(void *ctx, unsigned which)
{
    ((struct heard *)ctx)->which |= which;
}

static int setup(void **state)
{
    struct heard *h = sf_alloc(sizeof(*h));
    struct sf_error err = SF_ERROR_INIT;

    h->dir = test_dir_new();
    h->file = test_path(h->dir, "file");
    test_write(h->file, "x", 1);
    h->loop = sf_loop_new(&err);
    h->notice = sf_filewatch_new(h->loop, hear, h);
    *state = h;
    return h->loop && h->notice ? 0 : -1;
}

static int teardown(void **state)
{
    struct heard *h = *state;

    sf_filewatch_free(h->notice);
    sf_loop_free(h->loop);
    free(h->file);
    test_dir_free(h->dir);
    free(h);
    return 0;
}

static unsigned listen(struct heard *h)
{
    h->which = 0;
    while (!h->which)
        sf_loop_turn(h->loop, 10000);
    return h->which;
}

static void test_directory_and_file(void **state)
{
    struct heard *h = *state;
    char *other = test_path(h->dir, "other");

    assert_true(sf_filewatch_add(h->notice, h->dir));
    assert_true(sf_filewatch_add(h->notice, h->file));
    sf_loop_turn(h->loop, 0);
    assert_int_equal(h->which, 0);
    test_write(other, "y", 1);
    assert_int_equal(listen(h), 1);
    test_write(h->file, "z", 1);
    assert_int_equal(listen(h), 3);
    free(other);
}

/* A killed process closes its files too. */
static void test_killed_writer(void **state)
{
    struct heard *h = *state;
    int fd = open(h->file, O_RDWR | O_CLOEXEC), status;
    pid_t pid = fork();

    assert_true(fd >= 0 && pid >= 0);
    if (pid == 0)
        for (;;)
            pause();
    close(fd); /* the child has it still */
    assert_true(sf_filewatch_add(h->notice, h->file));
    sf_loop_turn(h->loop, 0);
    assert_int_equal(h->which, 0);
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(listen(h), 1);
    assert_int_equal(waitpid(pid, &status, 0), pid);
}

static void test_what_is_not_there(void **state)
{
    struct heard *h = *state;
    char *nowhere = test_path(h->dir, "nowhere");

    assert_false(sf_filewatch_add(h->notice, nowhere));
    for (int i = 0; i < SF_FILEWATCH_PATHS; i++)
        assert_true(sf_filewatch_add(h->notice, h->dir));
    assert_false(sf_filewatch_add(h->notice, h->file)); /* too many */
    free(nowhere);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_directory_and_file, setup, teardown),
        cmocka_unit_test_setup_teardown(test_killed_writer, setup, teardown),
        cmocka_unit_test_setup_teardown(test_what_is_not_there, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
