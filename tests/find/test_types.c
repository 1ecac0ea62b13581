/*
 * File types and filters: the table is sound, and what it lets pass ripgrep would let pass too.
 */
#include <stdlib.h>
#include <string.h>

#include "find/find.h"
#include "support/test.h"
#include "support/tree.h"

static void test_every_row_works(void **state)
{
    (void)state;
    assert_true(sf_file_type_count >= 50);
    for (size_t i = 0; i < sf_file_type_count; i++) {
        struct sf_error err = SF_ERROR_INIT;
        char *name = sf_strndup(sf_file_types[i].name, strcspn(sf_file_types[i].name, " "));
        struct sf_filter *filter = sf_filter_new(NULL, name, &err);

        if (!filter || sf_file_type_find(name, &err) != &sf_file_types[i])
            fail_msg("%s: %s", name, err.msg);
        sf_filter_free(filter);
        free(name);
    }
}

static const struct {
    const char *name, *type, *globs[4], *path;
    bool want;
} cases[] = {
    { "by type", "py", { NULL }, "a/b.py", true },
    { "by another name of the type", "python", { NULL }, "a/b.pyi", true },
    { "by whole name", "make", { NULL }, "x/Makefile", true },
    { "another type", "rust", { NULL }, "a.c", false },
    { "nothing asked for", NULL, { NULL }, "a", true },
    { "one of two globs", NULL, { "*.c", "*.h", NULL }, "a.h", true },
    { "none of two globs", NULL, { "*.c", "*.h", NULL }, "a.o", false },
    { "an unwanted one", NULL, { "!*.h", NULL }, "a.h", false },
    { "not an unwanted one", NULL, { "!*.h", NULL }, "a.c", true },
    { "wanted and unwanted", NULL, { "*.c", "!test_*", NULL }, "test_a.c", false },
    { "type and glob", "c", { "src/**", NULL }, "src/x/a.c", true },
    { "type and glob, only the type", "c", { "src/**", NULL }, "lib/a.c", false },
};

static void test_filters(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_error err = SF_ERROR_INIT;
        struct sf_filter *filter = sf_filter_new(cases[i].globs, cases[i].type, &err);
        bool got = filter && sf_filter_file(filter, cases[i].path, strlen(cases[i].path));

        sf_filter_free(filter);
        if (got != cases[i].want)
            fail_msg("%s: got %d %s", cases[i].name, got, err.msg);
    }
}

static void test_directories(void **state)
{
    const char *const globs[] = { "src/**/*.c", "!vendor", NULL };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_filter *filter = sf_filter_new(globs, NULL, &err);

    (void)state;
    assert_true(sf_filter_dir(filter, "src", 3));
    assert_true(sf_filter_dir(filter, "src/x", 5));
    assert_false(sf_filter_dir(filter, "src/vendor", 10));
    assert_false(sf_filter_dir(filter, "lib", 3));
    sf_filter_free(filter);
}

static void test_unknown_type(void **state)
{
    struct sf_error err = SF_ERROR_INIT;

    (void)state;
    assert_null(sf_filter_new(NULL, "pyhton", &err));
    assert_non_null(strstr(err.msg, "no file type called pyhton"));
    assert_string_equal(err.hint, "did you mean python?");
    assert_null(sf_filter_new(NULL, "", &err));
    assert_null(sf_filter_new((const char *const[]){ "a", "[", NULL }, NULL, &err));
    assert_non_null(strstr(err.msg, "never closed"));
}

/* Names made from our table: for types both have, ripgrep knows most of them. */
static void test_ripgrep_agrees(void **state)
{
    static const char *const shared[] = { "c",    "cpp",  "py", "js",   "ts",  "rust", "go",
                                          "java", "json", "sh", "toml", "css", "sql",  "yaml" };
    const char *dir = *state;

    if (!tree_has_rg())
        test_not_run("there is no rg");
    for (size_t i = 0; i < SF_COUNT(shared); i++) {
        struct sf_strbuf name = SF_STRBUF_INIT, command = SF_STRBUF_INIT;
        struct sf_strlist want = SF_STRLIST_INIT;
        struct sf_error err = SF_ERROR_INIT;
        const char *first = sf_file_type_find(shared[i], &err)->patterns;

        sf_strbuf_addf(&name, "x%.*s", (int)strcspn(first + 1, " "), first + 1);
        tree_puts(dir, name.buf, "");
        sf_strbuf_addf(&command, "rg --no-config --files -t %s", shared[i]);
        tree_lines(dir, command.buf, '\n', &want);
        if (!sf_strlist_has(&want, name.buf))
            fail_msg("%s does not have %s", shared[i], name.buf);
        sf_strbuf_release(&name);
        sf_strbuf_release(&command);
        sf_strlist_release(&want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_row_works),
        cmocka_unit_test(test_filters),
        cmocka_unit_test(test_directories),
        cmocka_unit_test(test_unknown_type),
        cmocka_unit_test_setup_teardown(test_ripgrep_agrees, test_dir_setup, test_dir_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
