/*
 * test_glob.c: what they match, what is no glob, that none of them takes forever, and that whole trees
 * come out as ripgrep filters them.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "find/find.h"
#include "support/test.h"
#include "support/tree.h"

static const struct {
    const char *name, *glob, *path;
    bool want;
} cases[] = {
    { "an ending at any depth", "*.c", "src/x/a.c", true },
    { "an ending and no more", "*.c", "a.cc", false },
    { "a hidden file is a file", "*", ".env", true },
    { "a directory in front anchors", "src/*.c", "x/src/a.c", false },
    { "one star, one component", "src/*.c", "src/x/a.c", false },
    { "two stars, any", "src/**/*.c", "src/x/y/a.c", true },
    { "two stars, none", "src/**/*.c", "src/a.c", true },
    { "two stars in front", "**/x/*.c", "a/b/x/a.c", true },
    { "two stars at the end", "src/**", "src/x/y", true },
    { "two stars at the end need something", "src/**", "src", false },
    { "a slash in front is the start", "/a.c", "x/a.c", false },
    { "a slash in front, there", "/a.c", "a.c", true },
    { "a dot in front is the start", "./a.c", "a.c", true },
    { "alternatives", "*.{c,h}", "x/a.h", true },
    { "alternatives, none of them", "*.{c,h}", "a.hh", false },
    { "an empty alternative", "a{,b}.c", "a.c", true },
    { "alternatives with directories", "{src,lib}/**/*.c", "lib/x/a.c", true },
    { "alternatives with stars", "{a*,b/**}", "b/x/y", true },
    { "alternatives within alternatives", "{a,b{c,d}}x", "bdx", true },
    { "a comma outside of braces", "a,b", "a,b", true },
    { "a brace that only closes", "a}", "a}", true },
    { "escaped braces", "\\{a,b\\}", "{a,b}", true },
    { "a set", "[a-c]x", "bx", true },
    { "a set the other way", "[!a-c]x", "bx", false },
    { "a question mark is one character", "?.c", "é.c", true },
    { "and not two", "?.c", "éé.c", false },
    { "and never a slash", "a?c", "a/c", false },
    { "a set is never a slash", "a[!b]c/d", "a/c/d", false },
    { "head and tail may not overlap", "ab*ba", "aba", false },
    { "case counts", "*.C", "a.c", false },
    { "a plain path", "src/a.c", "src/a.c", true },
    { "a plain path, longer", "src/a.c", "src/a.cc", false },
};

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_error err = SF_ERROR_INIT;
        struct sf_glob *glob = sf_glob_new(cases[i].glob, &err);
        bool got = glob && sf_glob_match(glob, cases[i].path, strlen(cases[i].path));

        sf_glob_free(glob);
        if (got != cases[i].want || err.code)
            fail_msg("%s: got %d %s", cases[i].name, got, err.msg);
    }
}

static const struct {
    const char *name, *glob, *words;
} refused[] = {
    { "nothing", "", "empty" },
    { "only a slash", "/", "empty" },
    { "an open bracket", "a[b", "never closed" },
    { "an open brace", "a{b,c", "never closed" },
    { "a class nobody knows", "[[:what:]]", "no such character class" },
    { "a backslash at the end", "a\\", "ends in a backslash" },
    { "braces too deep", "{{{{{{{{{a}}}}}}}}}", "too deeply" },
};

static void test_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(refused); i++) {
        struct sf_error err = SF_ERROR_INIT;
        struct sf_glob *glob = sf_glob_new(refused[i].glob, &err);

        sf_glob_free(glob);
        if (glob || !strstr(err.msg, refused[i].words))
            fail_msg("%s: %s", refused[i].name, err.msg);
    }
}

static void test_too_long(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    char text[2000];

    (void)state;
    memset(text, 'a', sizeof(text));
    text[sizeof(text) - 1] = '\0';
    assert_null(sf_glob_new(text, &err));
    assert_int_equal(err.code, SF_E_LIMIT);
}

/* Each would take longer than the universe has if anything were tried twice. */
static void test_none_takes_forever(void **state)
{
    static const char *const parts[] = { "*a", "**/*a", "{a,a*}", "{*,*}", "[a]*", "{,a}" };
    char path[4000];

    (void)state;
    memset(path, 'a', sizeof(path));
    for (size_t i = 0; i < SF_COUNT(parts); i++) {
        struct sf_error err = SF_ERROR_INIT;
        struct sf_strbuf text = SF_STRBUF_INIT;
        struct sf_glob *glob;

        while (text.len < 990)
            sf_strbuf_adds(&text, parts[i]);
        sf_strbuf_adds(&text, "[b]?");
        glob = sf_glob_new(text.buf, &err);
        sf_strbuf_release(&text);
        if (!glob || sf_glob_match(glob, path, sizeof(path)))
            fail_msg("%s: %s", parts[i], err.msg);
        sf_glob_free(glob);
    }
}

static const struct {
    const char *glob, *dir;
    bool want;
} reaches[] = {
    { "*.c", "src", true },          { "src/*.c", "src", true },   { "src/*.c", "lib", false },
    { "src/*.c", "s", false },       { "src/x/*.c", "src", true }, { "src/x/*.c", "src/y", false },
    { "{a,b}/*.c", "a", true },      { "**/a", "x/y", true },      { "src*/a", "src-old", true },
    { "src/**", "src/a/b/c", true },
};

static void test_directories_worth_entering(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(reaches); i++) {
        struct sf_error err = SF_ERROR_INIT;
        struct sf_glob *glob = sf_glob_new(reaches[i].glob, &err);
        bool got = sf_glob_reaches(glob, reaches[i].dir, strlen(reaches[i].dir));

        sf_glob_free(glob);
        if (got != reaches[i].want)
            fail_msg("%s in %s: got %d", reaches[i].glob, reaches[i].dir, got);
    }
}

static void found(const char *dir, const char *glob, struct sf_strlist *out)
{
    const char *const globs[] = { glob, NULL };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_filter *filter = sf_filter_new(globs, NULL, &err);
    struct sf_files_request request = { .walk = { .all = true, .filter = filter } };
    struct sf_files_result result;

    if (!filter)
        fail_msg("%s", err.msg);
    request.walk.root = tree_open(dir);
    if (!sf_files_find(&request, &result, &err))
        fail_msg("%s", err.msg);
    for (size_t i = 0; i < result.count; i++)
        sf_strlist_add(out, result.hits.items[i].path);
    close(request.walk.root);
    sf_files_release(&result);
    sf_filter_free(filter);
}

static void test_trees_as_ripgrep_filters_them(void **state)
{
    /* no negated set: in ripgrep it would match a slash */
    static const char *const parts[] = { "a",        "b",     "ab", ".c",    ".h",
                                         "*",        "*",     "**", "/",     "**/",
                                         "/**",      "[ab]",  "?",  "{a,b}", "{.c,.h}",
                                         "{a/b,b*}", "[a-c]", "x",  "\\*",   NULL };
    static const char *const where[] = { "", "a/", "b/", "a/b/", "ab/a/b/", "x/", NULL };
    static const char *const names[] = { "a.c", "b.c", "ab.h", "a*", "x", "c", ".a.c", NULL };
    struct tree_random r = { 5 };
    const char *dir = *state;

    if (!tree_has_rg())
        test_not_run("there is no rg");
    for (size_t w = 0; where[w]; w++)
        for (size_t n = 0; names[n]; n++)
            if (strcmp(names[n], "x") != 0 || *where[w]) {
                struct sf_strbuf path = SF_STRBUF_INIT;

                sf_strbuf_addf(&path, "%s%s", where[w], names[n]);
                tree_puts(dir, path.buf, "");
                sf_strbuf_release(&path);
            }
    for (int round = 0; round < 300; round++) {
        struct sf_strlist got = SF_STRLIST_INIT, want = SF_STRLIST_INIT;
        struct sf_strbuf glob = SF_STRBUF_INIT, command = SF_STRBUF_INIT;

        tree_words(&r, parts, 1 + tree_pick(&r, 5), &glob);
        /* ripgrep reads these as "directories only", or as a line of an ignore file would be */
        if (glob.buf[glob.len - 1] == '/' || strstr(glob.buf, "//") || glob.buf[0] == '/')
            sf_strbuf_adds(&glob, "a.c");
        sf_strbuf_addf(&command, "rg --no-config --files --hidden --no-ignore -g '%s'", glob.buf);
        if (!strstr(glob.buf, "//") && !strstr(glob.buf, "***")) {
            found(dir, glob.buf, &got);
            tree_lines(dir, command.buf, '\n', &want);
            tree_same(command.buf, &got, &want);
        }
        sf_strlist_release(&got);
        sf_strlist_release(&want);
        sf_strbuf_release(&glob);
        sf_strbuf_release(&command);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_too_long),
        cmocka_unit_test(test_none_takes_forever),
        cmocka_unit_test(test_directories_worth_entering),
        cmocka_unit_test_setup_teardown(test_trees_as_ripgrep_filters_them, test_dir_setup,
                                        test_dir_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
