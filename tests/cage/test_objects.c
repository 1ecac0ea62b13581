/*
 * test_objects.c: a file whose content git has already need not be hidden; one it does not have must
 * be. So a yes is only given for what was found, in an index that is whole.
 */
#include <string.h>
#include <unistd.h>

#include "cage/objects.h"
#include "support/test.h"
#include "support/tree.h"

enum { FILES = 600 };

static bool holds(const char *dir, const char *name)
{
    char *git = test_path(dir, ".git"), *path = test_path(dir, name);
    bool yes = sf_objects_hold(git, path);

    free(git);
    free(path);
    return yes;
}

static void make_repository(const char *dir)
{
    free(tree_run(dir,
                  "git init -q . && git config user.email a@b && git config user.name a && "
                  "for i in $(seq 600); do echo $i > f$i; done && git add -A && "
                  "git commit -qm x && echo secret >new && : >empty",
                  NULL));
}

static void expect(const char *dir, const char *where)
{
    for (int i = 1; i <= FILES; i++) {
        char name[16];

        snprintf(name, sizeof(name), "f%d", i);
        if (!holds(dir, name))
            fail_msg("%s: %s is not found", where, name);
    }
    if (holds(dir, "new") || holds(dir, "empty") || holds(dir, "none"))
        fail_msg("%s: something is found that is not there", where);
}

static void test_found(void **state)
{
    const char *dir = *state;

    make_repository(dir);
    expect(dir, "loose objects");
    free(tree_run(dir, "git gc -q --prune=now", NULL));
    expect(dir, "one pack");
    free(tree_run(dir, "git hash-object -w empty new", NULL));
    assert_true(holds(dir, "new") && holds(dir, "empty"));
}

/* Every first byte has its names between two numbers of the table. */
static const struct {
    const char *name, *spoil; /* of pack/p.idx */
    bool found;
} spoiled[] = {
    { "whole", "true", true },
    { "another format", "printf X | dd of=p.idx bs=1 conv=notrunc", false },
    { "another version", "printf '\\003' | dd of=p.idx bs=1 seek=7 conv=notrunc", false },
    { "cut in its head", "truncate -s 6 p.idx", false },
    { "cut in its table", "truncate -s 9 p.idx", false },
    { "cut before its names", "truncate -s 1032 p.idx", false },
    { "empty", ": >p.idx", false },
    { "a table of zeros", "dd if=/dev/zero of=p.idx bs=1 seek=8 count=1024 conv=notrunc", false },
    { "a table that promises too much",
      "head -c 8 p.idx >q && head -c 1024 /dev/zero | tr '\\0' '\\377' >>q && mv q p.idx", false },
    { "a pipe", "rm p.idx; mkfifo p.idx", false },
    { "a link", "mv p.idx ../../aside; ln -s ../../aside p.idx", false },
    { "another name", "mv p.idx p.rev", false },
};

static void test_spoiled(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(spoiled); i++) {
        char *dir = test_dir_new(), *pack = test_path(dir, ".git/objects/pack");

        make_repository(dir);
        free(tree_run(dir,
                      "git gc -q --prune=now && cd .git/objects/pack && "
                      "mv *.idx p.idx && mv *.pack p.pack && rm -f *.rev && chmod 644 p.idx",
                      NULL));
        free(tree_run(pack, spoiled[i].spoil, NULL));
        if (holds(dir, "f7") != spoiled[i].found || holds(dir, "f600") != spoiled[i].found)
            fail_msg("%s: wrong", spoiled[i].name);
        if (holds(dir, "new"))
            fail_msg("%s: what was never added is found", spoiled[i].name);
        free(pack);
        test_dir_free(dir);
    }
}

/* The bound on a file's size, and a repository that is none. */
static void test_bounds(void **state)
{
    const char *dir = *state;
    char *path = test_path(dir, "f1");

    make_repository(dir);
    free(tree_run(dir,
                  "head -c 1048576 /dev/zero >most; head -c 1048577 /dev/zero >more; "
                  "git hash-object -w most more",
                  NULL));
    assert_true(holds(dir, "most"));
    assert_false(holds(dir, "more"));
    assert_false(sf_objects_hold(dir, path));
    free(tree_run(dir, "mv .git/objects .git/objekts", NULL));
    assert_false(holds(dir, "f1"));
    free(path);
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, test_dir_setup, test_dir_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_found),
        cmocka_unit_test(test_spoiled),
        CASE(test_bounds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
