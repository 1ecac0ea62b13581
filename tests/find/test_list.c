/*
 * test_list.c: names, kinds, sizes and marks, in order and within limits.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "find/find.h"
#include "support/test.h"
#include "support/tree.h"

static void make_tree(const char *dir)
{
    char *path = test_path(dir, "link");

    tree_puts(dir, "b.c", "12345");
    tree_puts(dir, "a/x", "1");
    tree_puts(dir, "a/y/z", "");
    tree_puts(dir, "a-b", "");
    tree_puts(dir, "out/x.o", "");
    tree_puts(dir, ".git/HEAD", "");
    tree_puts(dir, ".gitignore", "*.o\nout/\n");
    assert_int_equal(symlink("/etc", path), 0);
    free(path);
    path = test_path(dir, "pipe");
    assert_int_equal(mkfifo(path, 0600), 0);
    free(path);
}

/* "NAME" with "/", "@" or "|" for other kinds, "=SIZE", "!" when ignored, "+N" not shown. */
static void draw(const struct sf_list_result *result, struct sf_strbuf *out)
{
    static const char *const marks[] = { "", "/", "@", "|" };

    for (size_t i = 0; i < result->count; i++) {
        const struct sf_list_item *item = &result->items[i];

        sf_strbuf_addf(out, "%s%u:%s%s", i ? " " : "", item->depth, item->path, marks[item->kind]);
        if (item->size > 0)
            sf_strbuf_addf(out, "=%lld", (long long)item->size);
        if (item->ignored)
            sf_strbuf_addch(out, '!');
        if (item->more)
            sf_strbuf_addf(out, "+%zu", item->more);
        assert_null(strchr(item->path + item->name, '/'));
    }
}

static const struct {
    const char *name;
    struct sf_list_request request;
    const char *want;
    bool truncated;
} cases[] = {
    { "one directory",
      { 0 },
      "0:.git/ 0:.gitignore=9 0:a/ 0:a-b 0:b.c=5 0:link@ 0:out/! 0:pipe|",
      false },
    { "another", { .start = "./a/" }, "0:x=1 0:y/", false },
    { "with rules from above", { .start = "out" }, "0:x.o!", false },
    { "a tree",
      { .depth = 3 },
      "0:.git/ 0:.gitignore=9 0:a/ 1:a/x=1 1:a/y/ 2:a/y/z 0:a-b 0:b.c=5 0:link@ 0:out/! 0:pipe|",
      false },
    { "two levels", { .depth = 2, .start = "a" }, "0:x=1 0:y/ 1:y/z", false },
    { "nothing ignored, git's things still closed",
      { .depth = 2, .all = true, .max = 6 },
      "0:.git/ 0:.gitignore=9 0:a/ 1:a/x=1 1:a/y/ 0:a-b",
      true },
    { "a few", { .max = 3 }, "0:.git/ 0:.gitignore=9 0:a/", true },
    { "a few of each directory",
      { .depth = 9, .dir_max = 1 },
      "0:.git/ 0:.gitignore=9 0:a/+1 1:a/x=1 0:a-b 0:b.c=5 0:link@ 0:out/! 0:pipe|",
      true },
    { "the user's own patterns", { .start = "a", .user_ignore = "x\n" }, "0:x=1! 0:y/", false },
};

static void test_cases(void **state)
{
    make_tree(*state);
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_list_request request = cases[i].request;
        struct sf_list_result result;
        struct sf_strbuf got = SF_STRBUF_INIT;
        struct sf_error err = SF_ERROR_INIT;

        request.root = tree_open(*state);
        if (!sf_list(&request, &result, &err))
            fail_msg("%s: %s", cases[i].name, err.msg);
        close(request.root);
        draw(&result, &got);
        if (strcmp(got.buf, cases[i].want) != 0 || result.truncated != cases[i].truncated)
            fail_msg("%s: <%s> %d, want <%s>", cases[i].name, got.buf, result.truncated,
                     cases[i].want);
        sf_strbuf_release(&got);
        sf_list_release(&result);
    }
}

static const struct {
    const char *name, *start, *words;
} refused[] = {
    { "not there", "none", "cannot list none" }, { "a file", "b.c", "cannot list b.c" },
    { "a link", "link", "cannot list link" },    { "a FIFO", "pipe", "cannot list pipe" },
    { "upward", "a/../..", "leads out" },        { "absolute", "/", "not relative" },
};

static void test_refused(void **state)
{
    make_tree(*state);
    for (size_t i = 0; i < SF_COUNT(refused); i++) {
        struct sf_list_request request = { .root = tree_open(*state), .start = refused[i].start };
        struct sf_list_result result;
        struct sf_error err = SF_ERROR_INIT;
        bool ok = sf_list(&request, &result, &err);

        close(request.root);
        if (ok || !strstr(err.msg, refused[i].words))
            fail_msg("%s: %s", refused[i].name, err.msg);
    }
}

static void test_cancelled(void **state)
{
    atomic_bool cancel = true;
    struct sf_list_request request = { .root = tree_open(*state), .cancel = &cancel };
    struct sf_list_result result;
    struct sf_error err = SF_ERROR_INIT;

    assert_false(sf_list(&request, &result, &err));
    assert_int_equal(err.code, SF_E_CANCELLED);
    close(request.root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_cases, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_refused, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_cancelled, test_dir_setup, test_dir_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
