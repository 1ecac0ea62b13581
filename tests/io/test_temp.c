/*
 * The temporary file of an atomic write: a process that is killed before the file is full leaves
 * nothing behind.
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/temp.h"
#include "support/test.h"

static size_t count_names(const char *path)
{
    DIR *dir = opendir(path);
    const struct dirent *entry;
    size_t count = 0;

    assert_non_null(dir);
    while ((entry = readdir(dir)))
        count += entry->d_name[0] != '.' || strlen(entry->d_name) > 2;
    closedir(dir);
    return count;
}

static bool lacks_nameless(int dir)
{
    int fd = openat(dir, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);

    if (fd >= 0)
        close(fd);
    return fd < 0;
}

static void test_killed(void **state)
{
    const char *path = *state;
    int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), status;
    pid_t child;

    assert_true(dir >= 0);
    if (lacks_nameless(dir)) {
        close(dir);
        test_not_run("the file system has no files without a name");
    }
    child = fork();
    if (child == 0) {
        struct sf_temp temp = SF_TEMP_INIT;
        struct sf_error err = SF_ERROR_INIT;
        bool ok = sf_temp_open(&temp, dir, "target", 0600, &err);

        if (ok)
            kill(getpid(), SIGKILL);
        _exit(1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(count_names(path), 0);
    close(dir);
}

static void test_full(void **state)
{
    const char *path = *state;
    int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct sf_temp temp = SF_TEMP_INIT;
    struct sf_error err = SF_ERROR_INIT;

    assert_true(sf_temp_open(&temp, dir, "target", 0640, &err));
    assert_true(sf_temp_fill(&temp, "text", 4, &err));
    assert_true(temp.name[0] != '\0' && count_names(path) == 1);
    sf_temp_discard(&temp);
    assert_int_equal(count_names(path), 0);
    close(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_killed, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_full, test_dir_setup, test_dir_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
