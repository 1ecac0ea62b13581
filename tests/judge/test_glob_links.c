/*
 * What a pattern matches: links that lead out of the workspace count, wherever the pattern comes to
 * them; links that stay and names that only look odd do not.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "judge/glob_links.h"
#include "support/judge_case.h"
#include "support/test.h"
#include "support/tree.h"

static bool types_are_told = true;
static void (*on_entry)(const char *name); /* what another process does once an entry was read */

/* Some file systems do not say what kind an entry is; with this, none does. */
struct dirent *readdir(DIR *dir)
{
    static struct dirent *(*next)(DIR *);
    struct dirent *entry;

    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "readdir");
    entry = next(dir);
    if (entry && !types_are_told)
        entry->d_type = DT_UNKNOWN;
    if (entry && on_entry)
        on_entry(entry->d_name);
    return entry;
}

static void add_links(const struct judge_case *f)
{
    judge_case_link(f, "out", "../secret");
    judge_case_link(f, "src/away", "../../secret");
    judge_case_link(f, "src/deep/er/gone", "/nowhere/at/all");
    judge_case_link(f, "src/system", "/usr/bin");
    judge_case_link(f, "docs/stays", "text");
    judge_case_link(f, "loop/back", "../src");
    judge_case_link(f, "file", "docs/text");
    judge_case_link(f, "round/here", "..");
    judge_case_link(f, "[odd]", "../secret");
}

static int setup(void **state)
{
    static const char *const files[] = { "src/deep/er/text", "docs/text", "loop/text", "round/text",
                                         "plain/below/text" };
    struct judge_case *f = judge_case_new();

    tree_puts(f->dir, "secret", "");
    for (size_t i = 0; i < SF_COUNT(files); i++)
        tree_puts(f->workspace.root, files[i], "");
    add_links(f);
    judge_case_begin(f);
    types_are_told = true;
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    types_are_told = true;
    on_entry = NULL;
    judge_case_free(*state);
    return 0;
}

static enum sf_glob_links_end look(struct judge_case *f, const char *at, const char *pattern,
                                   char **found)
{
    struct sf_glob_links links = { .policy = &f->policy };
    struct sf_place place = SF_PLACE_INIT;
    struct sf_error err = SF_ERROR_INIT;
    enum sf_glob_links_end end;

    if (!sf_place_resolve(&f->policy.root, at, strlen(at), SF_WANT_ANY, &place, &err))
        fail_msg("%s: %s", at, err.msg);
    end = sf_glob_links_look(&links, &place, pattern, found);
    sf_place_release(&place);
    return end;
}

#define STAY SF_GLOB_LINKS_STAY
#define OUT  SF_GLOB_LINKS_OUT
#define CUT  SF_GLOB_LINKS_CUT

static const struct {
    const char *at, *pattern;
    enum sf_glob_links_end end;
    const char *link; /* the end of its path */
} cases[] = {
    { ".", "o*", OUT, "out" },
    { ".", "O?T", OUT, "out" }, /* where upper and lower case are the same */
    { ".", "x*", STAY, NULL },
    { ".", "p*", STAY, NULL },
    { ".", "fil?", STAY, NULL },
    { ".", "out/*", OUT, "out" },
    { ".", "\\o*", OUT, "out" },
    { ".", "[a-p]ut", OUT, "out" },
    { ".", "[odd]", OUT, NULL },
    { ".", "o[", OUT, "out" },
    { ".", "s*", STAY, NULL },
    { ".", "s*/a*", OUT, "src/away" },
    { ".", "s*//a*", OUT, "src/away" },
    { ".", "s*/sys*", STAY, NULL },
    { ".", "s*/sys*/*", STAY, NULL },
    { ".", "fil*/../o*", STAY, NULL }, /* nothing is above a file */
    { ".", "s*/d*/e*/g*", OUT, "src/deep/er/gone" },
    { ".", "s*/d*/e*", STAY, NULL },
    { ".", "s*/d*/../a*", CUT, NULL },
    { "src", "a*", OUT, "src/away" },
    { "src/deep", "*", STAY, NULL },
    { "src/deep/er/text", "*", STAY, NULL },
    { "docs", "*", STAY, NULL },
    { "docs", "st*/x*", STAY, NULL },
    { ".", "l*/b*", STAY, NULL },
    { ".", "l*/b*/t*", STAY, NULL },
    { ".", "l*/b*/a*", OUT, "src/away" },
    { "plain", "**", STAY, NULL },
    { "plain", "**/x", STAY, NULL },
    { "docs", "**", STAY, NULL },
    { "src", "**", OUT, NULL },
    { "src/deep", "**", OUT, "src/deep/er/gone" },
    { "loop", "**", OUT, NULL }, /* from there everything is reached */
    { "nothing", "*", STAY, NULL },
};

static void check(struct judge_case *f, size_t i)
{
    char *found;
    enum sf_glob_links_end end = look(f, cases[i].at, cases[i].pattern, &found);
    size_t n = cases[i].link ? strlen(cases[i].link) : 0, len = found ? strlen(found) : 0;
    bool right = end == cases[i].end && (end == OUT) == (found != NULL) &&
                 (!n || (len >= n && !strcmp(found + len - n, cases[i].link)));

    if (!right)
        fail_msg("%s in %s: %d, %s", cases[i].pattern, cases[i].at, (int)end,
                 found ? found : "nothing found");
    free(found);
}

static void test_patterns(void **state)
{
    for (size_t i = 0; i < SF_COUNT(cases); i++)
        check(*state, i);
}

static void test_types_not_told(void **state)
{
    types_are_told = false;
    for (size_t i = 0; i < SF_COUNT(cases); i++)
        check(*state, i);
}

/* Names that xargs, or a loop over lines, takes for more than one or for another path. */
static const struct {
    const char *name;
    bool apart;
} names[] = {
    { "plain", false }, { "two words", false }, { "a ..b", true },  { "a ..", true },
    { "a ~b", true },   { "end ", true },       { "end\t", true },  { "a\n..b", true },
    { "a\tb", false },  { "a b ~c", true },     { "a.. b", false }, { "..a", false },
    { "a..b", false },  { "...", false },       { "'..'", true },   { "\".\"'.'", true },
    { "\\.\\.", true }, { ".\\.", true },       { "'.'", false },   { "'...'", false },
    { "'a..'", false }, { ".x.", false },       { "a . b", false }, { "-..", false },
};

static void test_names(void **state)
{
    struct judge_case *f = *state;

    for (size_t i = 0; i < SF_COUNT(names); i++) {
        char *dir = test_path(f->workspace.root, "names"), *path = test_path(dir, names[i].name);
        enum sf_glob_links_end end, flat;
        char *found, *none;

        assert_int_equal(mkdir(dir, 0700), 0);
        test_write(path, "", 0);
        end = look(f, "names", "**", &found);
        flat = look(f, "names", "*", &none); /* where the shell itself passes the names */
        if ((end == OUT) != names[i].apart || flat != STAY)
            fail_msg("'%s': %d and %d", names[i].name, (int)end, (int)flat);
        assert_int_equal(unlink(path), 0);
        assert_int_equal(rmdir(dir), 0);
        free(found);
        free(dir);
        free(path);
    }
}

/* How deep a tree is followed, and how many entries of it. */
static void test_bounds(void **state)
{
    struct judge_case *f = *state;
    struct sf_strbuf path = SF_STRBUF_INIT;
    char *found;

    sf_strbuf_adds(&path, "tall");
    for (int depth = 0; depth < 40; depth++)
        sf_strbuf_adds(&path, "/d");
    tree_puts(f->workspace.root, path.buf, "");
    assert_int_equal(look(f, "tall", "**", &found), STAY);
    sf_strbuf_adds(&path, "ir/d");
    tree_puts(f->workspace.root, path.buf, "");
    assert_int_equal(look(f, "tall", "**", &found), STAY);
    sf_strbuf_adds(&path, "ir/d");
    tree_puts(f->workspace.root, path.buf, "");
    assert_int_equal(look(f, "tall", "**", &found), CUT);
    sf_strbuf_release(&path);
}

static void test_entries(void **state)
{
    struct judge_case *f = *state;
    struct sf_glob_links links = { .policy = &f->policy };
    struct sf_place place = SF_PLACE_INIT;
    struct sf_error err = SF_ERROR_INIT;
    char *found;

    assert_true(sf_place_resolve(&f->policy.root, "docs", 4, SF_WANT_DIR, &place, &err));
    links.seen = SF_GLOB_LINKS_ENTRIES - 2;
    assert_int_equal(sf_glob_links_look(&links, &place, "*", &found), STAY);
    links.seen = SF_GLOB_LINKS_ENTRIES - 1;
    assert_int_equal(sf_glob_links_look(&links, &place, "*", &found), CUT);
    links = (struct sf_glob_links){ .policy = &f->policy, .all_clean = true };
    assert_int_equal(sf_glob_links_look(&links, &place, "*", &found), STAY);
    assert_int_equal(links.seen, 0); /* what was found clean is not searched again */
    sf_place_release(&place);
}

/* A way through links has an end as well. */
static void test_round_and_round(void **state)
{
    static const struct {
        const char *last;
        enum sf_glob_links_end end;
    } ways[] = { { "x*", STAY }, { "r*/x*", CUT } };

    for (size_t i = 0; i < SF_COUNT(ways); i++) {
        struct sf_strbuf pattern = SF_STRBUF_INIT;
        char *found;

        for (int k = 0; k < 20; k++)
            sf_strbuf_adds(&pattern, "round/her*/");
        sf_strbuf_adds(&pattern, ways[i].last);
        assert_int_equal(look(*state, ".", pattern.buf, &found), ways[i].end);
        sf_strbuf_release(&pattern);
    }
}

/* Only what the pattern comes to is searched. */
static void test_no_more_than_asked(void **state)
{
    struct judge_case *f = *state;
    struct sf_glob_links links = { .policy = &f->policy };
    struct sf_place place = SF_PLACE_INIT;
    struct sf_error err = SF_ERROR_INIT;
    char *found;

    assert_true(sf_place_resolve(&f->policy.root, "plain", 5, SF_WANT_DIR, &place, &err));
    assert_int_equal(sf_glob_links_look(&links, &place, "*", &found), STAY);
    assert_int_equal(links.seen, 1);
    assert_int_equal(sf_glob_links_look(&links, &place, "*/*", &found), STAY);
    assert_int_equal(links.seen, 3);
    sf_place_release(&place);
}

/* Where nothing leads out, a link in the tree makes all of it searched, and that once. */
static void test_all_clean(void **state)
{
    struct judge_case *f = *state;
    struct sf_strbuf path = SF_STRBUF_INIT;
    static const struct {
        const char *more;
        enum sf_glob_links_end end;
    } steps[] = { { "/file", STAY }, { "/d/file", CUT } };

    judge_case_run(f->workspace.root, "rm -r * && mkdir a b && ln -s ../b a/to");
    for (int depth = 0; depth < 40; depth++)
        sf_strbuf_adds(&path, depth ? "/d" : "b");
    for (size_t i = 0; i < SF_COUNT(steps); i++) {
        struct sf_glob_links links = { .policy = &f->policy };
        struct sf_place place = SF_PLACE_INIT;
        struct sf_error err = SF_ERROR_INIT;
        size_t len = path.len;
        char *found;

        sf_strbuf_adds(&path, steps[i].more);
        tree_puts(f->workspace.root, path.buf, "");
        sf_strbuf_truncate(&path, len);
        assert_true(sf_place_resolve(&f->policy.root, "a", 1, SF_WANT_DIR, &place, &err));
        assert_int_equal(sf_glob_links_look(&links, &place, "**", &found), steps[i].end);
        assert_int_equal(links.all_clean, steps[i].end == STAY);
        sf_place_release(&place);
    }
    sf_strbuf_release(&path);
}

static const struct judge_case *swapped;
static const char *swap_with;

static void swap(const char *name)
{
    if (strcmp(name, "below") != 0)
        return;
    on_entry = NULL;
    judge_case_run(swapped->workspace.root, "rm -r plain/below");
    judge_case_run(swapped->workspace.root, swap_with);
}

/* A directory that became something else meanwhile is neither followed nor waited for. */
static void test_swapped(void **state)
{
    static const char *const scripts[] = { "ln -s ../../many plain/below", "mkfifo plain/below" };
    struct judge_case *f = *state;

    judge_case_run(f->dir, "mkdir many; touch many/a many/b many/c");
    for (size_t i = 0; i < SF_COUNT(scripts); i++) {
        struct sf_glob_links links = { .policy = &f->policy };
        struct sf_place place = SF_PLACE_INIT;
        struct sf_error err = SF_ERROR_INIT;
        char *found;

        judge_case_run(f->workspace.root, "rm -rf plain/below; mkdir plain/below");
        assert_true(sf_place_resolve(&f->policy.root, "plain", 5, SF_WANT_DIR, &place, &err));
        swapped = f;
        swap_with = scripts[i];
        on_entry = swap;
        assert_int_equal(sf_glob_links_look(&links, &place, "*/*", &found), STAY);
        assert_null(on_entry);
        assert_int_equal(links.seen, 1);
        sf_place_release(&place);
    }
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_patterns),
        CASE(test_types_not_told),
        CASE(test_names),
        CASE(test_bounds),
        CASE(test_entries),
        CASE(test_round_and_round),
        CASE(test_no_more_than_asked),
        CASE(test_all_clean),
        CASE(test_swapped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
