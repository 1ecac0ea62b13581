/*
 * Rules that are used again: only while every name still means the file it meant.
 */
#include <fcntl.h>
#include <linux/kcmp.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cage/ruleset.h"
#include "io/io.h"
#include "support/test.h"

struct fixture {
    char *dir, *file, *other;
    struct sf_rulesets *all;
};

static int setup(void **state)
{
    struct fixture *f;

    if (sf_ll_version() < 1)
        test_not_run("this kernel has no Landlock");
    f = sf_alloc(sizeof(*f));
    f->dir = test_dir_new();
    f->file = sf_path_join(f->dir, "file");
    f->other = sf_path_join(f->dir, "other");
    test_write(f->file, "one", 3);
    test_write(f->other, "two", 3);
    f->all = sf_rulesets_new();
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    sf_rulesets_free(f->all);
    test_dir_free(f->dir);
    free(f->file);
    free(f->other);
    free(f);
    return 0;
}

static int open_for(struct fixture *f, const struct sf_grant *grant)
{
    const struct sf_ruleset_wish wish = {
        .handled = { .fs = sf_ll_fs_rights(1) }, .version = 1, .grants = grant, .count = 1
    };
    int fd = sf_rulesets_open(f->all, &wish);

    assert_true(fd >= 0);
    return fd;
}

static bool is_same_file(int one, int other)
{
    return syscall(SYS_kcmp, getpid(), getpid(), KCMP_FILE, one, other) == 0;
}

/* Whether somebody under the rules may read a file. */
static bool may_read(int ruleset, const char *path)
{
    pid_t pid = fork();
    int status;

    assert_true(pid >= 0);
    if (pid == 0) {
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || sf_ll_restrict(ruleset) < 0)
            _exit(2);
        _exit(open(path, O_RDONLY | O_CLOEXEC) >= 0 ? 0 : 1);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) < 2);
    return WEXITSTATUS(status) == 0;
}

static void test_the_same_names_are_the_same_rules(void **state)
{
    struct fixture *f = *state;
    const struct sf_grant grant = { .path = f->file, .rights = SF_LL_READ };
    int one = open_for(f, &grant), again = open_for(f, &grant);

    assert_true(is_same_file(one, again));
    assert_true(may_read(again, f->file));
    assert_false(may_read(again, f->other));
    close(one);
    close(again);
}

/* What took the file's place is what the name means now; the one that was moved away is not. */
static void test_another_file_of_that_name_makes_new_rules(void **state)
{
    struct fixture *f = *state;
    const struct sf_grant grant = { .path = f->file, .rights = SF_LL_READ };
    char *moved = sf_path_join(f->dir, "moved");
    int one = open_for(f, &grant), again;

    assert_int_equal(rename(f->file, moved), 0);
    assert_int_equal(rename(f->other, f->file), 0);
    again = open_for(f, &grant);
    assert_false(is_same_file(one, again));
    assert_true(may_read(again, f->file));
    assert_false(may_read(again, moved));
    close(one);
    close(again);
    free(moved);
}

/* A link that appears is not followed. */
static void test_a_link_in_its_place_opens_nothing(void **state)
{
    struct fixture *f = *state;
    const struct sf_grant grant = { .path = f->file, .rights = SF_LL_READ };
    int one = open_for(f, &grant), again;

    assert_int_equal(unlink(f->file), 0);
    assert_int_equal(symlink("other", f->file), 0);
    again = open_for(f, &grant);
    assert_false(is_same_file(one, again));
    assert_false(may_read(again, f->file));
    assert_false(may_read(again, f->other));
    close(one);
    close(again);
}

static void test_other_rights_are_other_rules(void **state)
{
    struct fixture *f = *state;
    const struct sf_grant reading = { .path = f->file, .rights = SF_LL_READ };
    const struct sf_grant nothing = { .path = f->file, .rights = SF_LL_WRITE_FILE };
    int one = open_for(f, &reading), other = open_for(f, &nothing), again = open_for(f, &reading);

    assert_false(is_same_file(one, other));
    assert_true(is_same_file(one, again));
    assert_false(may_read(other, f->file));
    close(one);
    close(other);
    close(again);
}

/* Each command leaves a rule about its own /dev/shm: they must not gather without end. */
static void test_rules_are_made_anew_now_and_then(void **state)
{
    struct fixture *f = *state;
    const struct sf_grant grant = { .path = f->file, .rights = SF_LL_READ };
    int first = open_for(f, &grant);
    bool anew = false;

    for (int i = 0; i < 100 && !anew; i++) {
        int fd = open_for(f, &grant);

        anew = !is_same_file(first, fd);
        close(fd);
    }
    assert_true(anew);
    close(first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_the_same_names_are_the_same_rules, setup, teardown),
        cmocka_unit_test_setup_teardown(test_another_file_of_that_name_makes_new_rules, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_a_link_in_its_place_opens_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(test_other_rights_are_other_rules, setup, teardown),
        cmocka_unit_test_setup_teardown(test_rules_are_made_anew_now_and_then, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
