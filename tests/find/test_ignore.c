/*
 * Ignore files: what single lines mean, and that whole trees come out as git lists them.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "find/find.h"
#include "support/test.h"
#include "support/tree.h"

static const struct {
    const char *name, *text, *path;
    bool dir, want;
} cases[] = {
    { "a name at any depth", "a.o\n", "x/y/a.o", false, true },
    { "a name is not part of a name", "a.o\n", "ba.o", false, false },
    { "a star stays in its component", "/src/*.o\n", "src/x/a.o", false, false },
    { "a slash in front anchors", "/a\n", "x/a", false, false },
    { "a slash in the middle anchors too", "x/a\n", "y/x/a", false, false },
    { "directories only", "a/\n", "a", false, false },
    { "directories only, of a directory", "a/\n", "a", true, true },
    { "the last line decides", "*.o\n!a.o\n", "a.o", false, false },
    { "and it may be the first that counts", "!a.o\n*.o\n", "a.o", false, true },
    { "two stars in front", "**/a\n", "x/y/a", false, true },
    { "two stars in front, no directory", "**/a\n", "a", false, true },
    { "an escaped slash behind two stars wants a directory", "**\\/a\n", "a", false, false },
    { "and takes several", "**\\/a\n", "x/y/a", false, true },
    { "two stars behind a literal beginning", "/x**/*a\n", "xy/z/ba", false, true },
    { "the same with an escaped slash", "/x**\\/*a\n", "xa", false, false },
    { "two stars between", "x/**/a\n", "x/a", false, true },
    { "two stars at the end", "x/**\n", "x/y/z", false, true },
    { "two stars at the end are not the directory", "x/**\n", "x", true, false },
    { "two stars in a name are one", "a**b\n", "axxb", false, true },
    { "a question mark is not a slash", "x/?a\n", "x//a", false, false },
    { "a set", "[a-c].o\n", "b.o", false, true },
    { "a negated set", "[!a-c].o\n", "b.o", false, false },
    { "a set that begins with its end", "[]a]\n", "]", false, true },
    { "a class", "[[:digit:]]\n", "7", false, true },
    { "no such class: the line is void", "[[:nothing:]]\n", "n", false, false },
    { "a set that never ends: the line is void", "a[b\n", "a[b", false, false },
    { "an escaped star", "a\\*\n", "a*", false, true },
    { "an escaped star is no star", "a\\*\n", "ab", false, false },
    { "a comment", "#a\n", "#a", false, false },
    { "an escaped comment", "\\#a\n", "#a", false, true },
    { "an escaped exclamation mark", "\\!a\n", "!a", false, true },
    { "blanks at the end", "a  \n", "a", false, true },
    { "an escaped blank at the end", "a\\ \n", "a ", false, true },
    { "a tab at the end stays", "a\t\n", "a", false, false },
    { "blanks in front stay", " a\n", "a", false, false },
    { "a backslash at the end: void", "a\\\n", "a\\", false, false },
    { "line ends of Windows", "a\r\n", "a", false, true },
    { "no line end", "a", "a", false, true },
    { "a mark in front of the file",
      "\xef\xbb\xbf"
      "a\n",
      "a", false, true },
    { "case counts", "A\n", "a", false, false },
    { "only a slash", "/\n", "a", true, false },
    { "only an exclamation mark", "*\n!\n", "a", false, true },
    { "bytes that are no UTF-8", "\xff*\n",
      "\xff"
      "a",
      false, true },
};

static void test_lines(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        const struct sf_ignore_texts texts = { .gitignore = cases[i].text,
                                               .gitignore_len = strlen(cases[i].text) };
        struct sf_ignore *ignore = sf_ignore_enter(NULL, 0, &texts);
        bool got = sf_ignore_covers(ignore, cases[i].path, strlen(cases[i].path), cases[i].dir);

        sf_ignore_unref(ignore);
        if (got != cases[i].want)
            fail_msg("%s: got %d", cases[i].name, got);
    }
}

/* All that a walk finds, sorted. */
static void found(const char *dir, const struct sf_walk_request *walk, struct sf_strlist *out)
{
    struct sf_files_request request = { .walk = *walk };
    struct sf_files_result result;
    struct sf_error err = SF_ERROR_INIT;

    request.walk.root = tree_open(dir);
    if (!sf_files_find(&request, &result, &err))
        fail_msg("%s", err.msg);
    for (size_t i = 0; i < result.count; i++)
        sf_strlist_add(out, result.hits.items[i].path);
    close(request.walk.root);
    sf_files_release(&result);
}

static const char *const names[] = { "a",   "b",  "ab", "a.c", "b.c",  "abc", "a b", "a ", "[a]",
                                     "a*b", "#a", "!a", "A",   ".hid", "é",   "-",   "^",  "a\\b" };

/* Files with every name, in directories with some of them, three deep. */
static void build_tree(const char *dir)
{
    struct sf_strbuf path = SF_STRBUF_INIT;
    const char *const in[] = { "", "a.d/", "b/", "ab/", "b/a.d/", "b/ab/", "b/ab/a.d/", ".hid.d/" };

    for (size_t d = 0; d < SF_COUNT(in); d++)
        for (size_t n = 0; n < SF_COUNT(names); n++) {
            sf_strbuf_reset(&path);
            sf_strbuf_addf(&path, "%s%s", in[d], names[n]);
            /* where a directory has that name there can be no file */
            if (strcmp(path.buf, "b") != 0 && strcmp(path.buf, "ab") != 0 &&
                strcmp(path.buf, "b/ab") != 0)
                tree_puts(dir, path.buf, "x\n");
        }
    sf_strbuf_release(&path);
}

static void random_lines(struct tree_random *r, struct sf_strbuf *out)
{
    static const char *const parts[] = {
        "a",    "b",     "ab",   ".c",    ".d",          "*",     "*",   "**",  "?",  "/",
        "[ab]", "[!a]",  "[^b]", "[a-c]", "[[:alpha:]]", "\\ ",   "\\*", "\\",  "!",  "#",
        " ",    "[",     "]",    "-",     "^",           "a*",    "**/", "/**", ".h", "é",
        "[]-]", "[\\]]", "/*",   "*/a",   "[a-]",        "[[:x]", NULL,
    };
    unsigned lines = 1 + tree_pick(r, 8);

    for (unsigned i = 0; i < lines; i++) {
        if (tree_pick(r, 4) == 0)
            sf_strbuf_addch(out, '!');
        if (tree_pick(r, 5) == 0)
            sf_strbuf_addch(out, '/');
        tree_words(r, parts, 1 + tree_pick(r, 5), out);
        if (tree_pick(r, 6) == 0)
            sf_strbuf_addch(out, '/');
        if (tree_pick(r, 10) == 0)
            sf_strbuf_adds(out, tree_pick(r, 2) ? "  " : "\r");
        sf_strbuf_addch(out, '\n');
    }
}

/* Several hundred random ignore files, each tree as `git ls-files` sees it. */
static void test_trees_as_git_lists_them(void **state)
{
    static const char *const places[] = { ".gitignore", "b/.gitignore", "b/ab/.gitignore",
                                          "a.d/.gitignore", ".git/info/exclude" };
    struct tree_random r = { 77 };
    struct sf_strbuf text = SF_STRBUF_INIT;
    const char *dir = *state;

    free(tree_run(dir, "git init -q .", NULL));
    build_tree(dir);
    for (int round = 0; round < 250; round++) {
        struct sf_strlist got = SF_STRLIST_INIT, want = SF_STRLIST_INIT;
        const struct sf_walk_request walk = { .threads = 2 };
        struct sf_strbuf name = SF_STRBUF_INIT;

        sf_strbuf_addf(&name, "round %d", round);
        for (size_t p = 0; p < SF_COUNT(places); p++) {
            sf_strbuf_reset(&text);
            if (p == 0 || tree_pick(&r, 2))
                random_lines(&r, &text);
            tree_puts(dir, places[p], text.buf);
            sf_strbuf_addf(&name, "\n%s:\n%s", places[p], text.buf);
        }
        found(dir, &walk, &got);
        tree_lines(dir, "git ls-files -z --others --exclude-standard", '\0', &want);
        tree_same(name.buf, &got, &want);
        sf_strlist_release(&got);
        sf_strlist_release(&want);
        sf_strbuf_release(&name);
    }
    sf_strbuf_release(&text);
}

static void expect_found(const char *name, const char *dir, struct sf_walk_request walk,
                         const char *want)
{
    struct sf_strlist got = SF_STRLIST_INIT;
    struct sf_strbuf line = SF_STRBUF_INIT;

    found(dir, &walk, &got);
    for (size_t i = 0; i < got.count; i++)
        sf_strbuf_addf(&line, "%s%s", i ? " " : "", got.items[i]);
    if (strcmp(line.buf, want) != 0)
        fail_msg("%s: found <%s>, want <%s>", name, line.buf, want);
    sf_strlist_release(&got);
    sf_strbuf_release(&line);
}

static void test_ranks(void **state)
{
    const char *dir = *state;

    tree_puts(dir, ".git/HEAD", "");
    tree_puts(dir, ".git/info/exclude", "*.e\n*.g\n");
    tree_puts(dir, ".gitignore", "*.o\n!k.e\n*.i\n");
    tree_puts(dir, ".ignore", "!*.i\n*.g\n");
    tree_puts(dir, "x/.gitignore", "!a.o\n!b.g\n");
    for (const char *const *p = (const char *const[]){ "a.o", "k.e", "j.e", "b.g", "c.i", "d.u",
                                                       "x/a.o", "x/b.o", "x/b.g", NULL };
         *p; p++)
        tree_puts(dir, *p, "");
    expect_found("all sources together", dir,
                 (struct sf_walk_request){ .user_ignore = "*.u\n!*.o\n" },
                 ".gitignore .ignore c.i k.e x/.gitignore x/a.o");
    expect_found("rules from above the start", dir, (struct sf_walk_request){ .start = "./x/" },
                 "x/.gitignore x/a.o");
    expect_found("nothing ignored, .git neither entered nor named", dir,
                 (struct sf_walk_request){ .all = true, .user_ignore = "*" },
                 ".gitignore .ignore a.o b.g c.i d.u j.e k.e x/.gitignore x/a.o x/b.g x/b.o");
}

static void test_a_repository_starts_anew(void **state)
{
    const char *dir = *state;

    tree_puts(dir, ".git/HEAD", "");
    tree_puts(dir, ".gitignore", "*.o\n");
    tree_puts(dir, ".ignore", "*.i\n");
    tree_puts(dir, "sub/.git/HEAD", "");
    tree_puts(dir, "sub/x/a.o", "");
    tree_puts(dir, "sub/x/a.i", "");
    tree_puts(dir, "work/.git", "gitdir: elsewhere\n");
    tree_puts(dir, "work/a.o", "");
    expect_found("nested", dir, (struct sf_walk_request){ 0 },
                 ".gitignore .ignore sub/x/a.o work/a.o");
    expect_found("from within", dir, (struct sf_walk_request){ .start = "sub/x" }, "sub/x/a.o");
}

static void test_hostile_files(void **state)
{
    const char *dir = *state;
    struct sf_strbuf big = SF_STRBUF_INIT;
    char *link = test_path(dir, "x/.gitignore");
    char *fifo = test_path(dir, "y/.gitignore");

    tree_puts(dir, "x/a", "");
    tree_puts(dir, "y/a", "");
    tree_puts(dir, "z/a", "");
    tree_puts(dir, "rules", "*\n");
    assert_int_equal(symlink("../rules", link), 0);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    while (big.len < SF_IGNORE_FILE_MAX + 1000)
        sf_strbuf_adds(&big, "*a*a*a*a*a*a*a*a*a*a*b\n");
    sf_strbuf_adds(&big, "a\n");
    tree_puts(dir, "z/.gitignore", big.buf);
    expect_found("a link and a FIFO say nothing, a huge file only what fits", dir,
                 (struct sf_walk_request){ 0 }, "rules x/a y/a z/.gitignore z/a");
    sf_strbuf_release(&big);
    free(link);
    free(fifo);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test_setup_teardown(test_trees_as_git_lists_them, test_dir_setup,
                                        test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_ranks, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_a_repository_starts_anew, test_dir_setup,
                                        test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_hostile_files, test_dir_setup, test_dir_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
