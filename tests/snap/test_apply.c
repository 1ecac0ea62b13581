/*
 * test_apply.c: how a restore treats what it meets on the way: directories that are not empty, that
 * may not be written to, files that only changed their permissions.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "snap/snap.h"
#include "support/snapcase.h"
#include "support/test.h"

static struct stat stat_of(struct snap_case *c, const char *name)
{
    char *path = test_path(c->work, name);
    struct stat st = { .st_ino = 0 };

    (void)!lstat(path, &st);
    free(path);
    return st;
}

static bool is_there(struct snap_case *c, const char *name)
{
    return stat_of(c, name).st_ino != 0;
}

/* A directory that was not there goes, unless ignored files would go with it. */
static void test_not_empty(void **state)
{
    struct snap_case *c = *state;

    tree_puts(c->work, ".gitignore", "*.log\n");
    snap_take(c);
    free(tree_run(c->work,
                  "mkdir -p new/deep empty && touch new/deep/file new/deep/x.log new/other", NULL));
    snap_restore_id(c, c->result.id);
    assert_false(is_there(c, "new/deep/file"));
    assert_false(is_there(c, "new/other"));
    assert_false(is_there(c, "empty"));
    assert_true(is_there(c, "new/deep/x.log"));
    assert_true(sf_strlist_has(&c->restored.kept, "new/deep: still has files in it"));
    assert_true(sf_strlist_has(&c->restored.kept, "new: still has files in it"));
    assert_int_equal(c->restored.tally.removed, 2);
}

/* A file that only has other permissions stays the same file. */
static void test_only_mode(void **state)
{
    struct snap_case *c = *state;
    ino_t before;

    tree_puts(c->work, "run", "#!/bin/sh\n");
    free(tree_run(c->work, "chmod 750 run", NULL));
    snap_take(c);
    before = stat_of(c, "run").st_ino;
    free(tree_run(c->work, "chmod 644 run", NULL));
    snap_restore_id(c, c->result.id);
    assert_int_equal(stat_of(c, "run").st_mode & 07777, 0750);
    assert_int_equal(stat_of(c, "run").st_ino, before);
    assert_int_equal(c->restored.tally.changed, 1);
}

/* A directory nobody may write to is opened for the time of it, and closed again. */
static void test_closed_directory(void **state)
{
    struct snap_case *c = *state;

    free(tree_run(c->work, "mkdir shut && echo 1 >shut/a && echo 1 >shut/b && chmod 500 shut",
                  NULL));
    snap_take(c);
    free(tree_run(c->work,
                  "chmod 700 shut && echo 2 >shut/a && rm shut/b && echo 3 >shut/c && "
                  "chmod 500 shut",
                  NULL));
    snap_listing(c->work, NULL, &c->a);
    snap_restore_id(c, c->result.id);
    assert_int_equal(stat_of(c, "shut").st_mode & 07777, 0500);
    assert_true(is_there(c, "shut/b") && !is_there(c, "shut/c"));
    snap_restore_id(c, c->restored.before);
    snap_listing(c->work, NULL, &c->b);
    snap_same("back again", &c->b, &c->a);
    free(tree_run(c->work, "chmod 700 shut", NULL));
}

/* A file that only newer rules hide stays, and is named. */
static void test_hidden(void **state)
{
    struct snap_case *c = *state;

    tree_puts(c->work, ".gitignore", "*.log\n");
    snap_take(c);
    tree_puts(c->work, ".gitignore", "*.log\n*.txt\n");
    tree_puts(c->work, "new.txt", "hidden");
    tree_puts(c->work, "new.c", "seen");
    snap_restore_id(c, c->result.id);
    assert_true(is_there(c, "new.txt"));
    assert_int_equal(c->restored.kept.count, 1);
    assert_string_equal(c->restored.kept.items[0], "new.txt: ignored since");
    assert_false(is_there(c, "new.c"));
}

/* Nothing of a restore is left in the workspace but what was restored. */
static void test_no_leftovers(void **state)
{
    struct snap_case *c = *state;

    free(tree_run(c->work, "mkdir d && for i in 1 2 3 4; do echo $i >d/$i; done && ln -s 1 d/l",
                  NULL));
    snap_take(c);
    snap_listing(c->work, NULL, &c->a);
    free(tree_run(c->work, "rm -r d && echo file >d", NULL));
    snap_restore_id(c, c->result.id);
    snap_listing(c->work, NULL, &c->b);
    snap_same("a directory in place of a file", &c->b, &c->a);
    assert_int_equal(c->restored.tally.kept, 0);
    assert_int_equal(c->restored.tally.added, 5);
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, snap_setup, snap_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_not_empty), CASE(test_only_mode),    CASE(test_closed_directory),
        CASE(test_hidden),    CASE(test_no_leftovers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
