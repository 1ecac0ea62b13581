/*
 * Write scopes: which entry covers which, what a path must look like, which scope holds, and
 * that a stranger is never "everything".
 */
#include "base/base.h"
#include "modes/modes.h"
#include "support/test.h"

static const struct {
    const char *name, *other, *entry;
    bool want;
} cases[] = {
    { "everything covers a directory", "*", "src/", true },
    { "everything covers itself", "*", "*", true },
    { "a directory does not cover everything", "src/", "*", false },
    { "a directory covers itself", "src/", "src/", true },
    { "a directory covers a file below", "src/", "src/a.c", true },
    { "a directory covers a directory below", "src/", "src/deep/er/", true },
    { "a longer name is another directory", "src/", "src-evil/", false },
    { "a parent is wider", "src/guard/", "src/", false },
    { "a file covers itself", "README.md", "README.md", true },
    { "a file does not cover a longer name", "README.md", "README.md.bak", false },
    { "a file does not cover a directory", "src", "src/", false },
    { "dots lead out", "src/", "src/../tests/", false },
    { "a single dot is noise", "src/", "src/./a.c", true },
    { "and so is a doubled slash", "src//", "./src/a.c", true },
    { "a file is not what lies below it", "src", "src/.", false },
    { "a malformed one covers nothing", "/src/", "/src/a.c", false },
    { "a pattern covers nothing", "src/*", "src/*", false },
    { "nothing covers nothing", "", "a", false },
};

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++)
        if (sf_scope_entry_covers(cases[i].other, cases[i].entry) != cases[i].want)
            fail_msg("%s", cases[i].name);
}

static const char *const rust[] = { "src/", "Cargo.toml", "build.rs", NULL };
static const char *const infra[] = { "infra/", NULL };
static const char *const later[] = { "later/", NULL };
static const struct sf_scope extra[] = {
    { "implement", rust, "Mind the borrow checker." },
    { "deploy", infra, "Verify before applying." },
    { "deploy", later, "" },
};
static const struct sf_scope_set configured = { extra, SF_COUNT(extra), false };
static const struct sf_scope_set plain = { NULL, 0, false };

/* The byte string and its length, so that a NUL may stand inside. */
#define PATH(text) text, sizeof(text) - 1

static const struct {
    const char *name, *scope, *path;
    size_t len;
    bool want;
} paths[] = {
    { "free takes anything", "free", PATH("a/b/c"), true },
    { "free takes a dot file", "free", PATH(".gitignore"), true },
    { "below a directory", "implement", PATH("src/a.c"), true },
    { "the second entry", "implement", PATH("lib/deep/er/a.c"), true },
    { "the directory itself is no file below", "implement", PATH("src"), false },
    { "a name that begins the same", "implement", PATH("src-evil/a.c"), false },
    { "another directory", "implement", PATH("tests/a.c"), false },
    { "the same name deeper", "implement", PATH("x/src/a.c"), false },
    { "exactly that file", "docs", PATH("README.md"), true },
    { "a longer name", "docs", PATH("README.md.bak"), false },
    { "a directory of that name", "docs", PATH("README.md/x"), false },
    { "another case", "docs", PATH("readme.md"), false },
    { "an empty list", "explore", PATH("a"), false },
    { "up and over", "implement", PATH("src/../tests/a.c"), false },
    { "up and over under free", "free", PATH("../etc/passwd"), false },
    { "dots at the end", "free", PATH("src/.."), false },
    { "a dot part", "implement", PATH("src/./a.c"), false },
    { "three dots are a name", "free", PATH("src/.../a.c"), true },
    { "absolute", "free", PATH("/etc/passwd"), false },
    { "the root", "free", PATH("/"), false },
    { "empty", "free", PATH(""), false },
    { "an empty part", "implement", PATH("src//a.c"), false },
    { "a slash behind", "implement", PATH("src/a/"), false },
    { "a NUL", "free", PATH("src/a\0.c"), false },
    { "a line break", "free", PATH("src/a\n.c"), false },
    { "an escape", "free", PATH("src/\x1b[2J"), false },
    { "delete", "free", PATH("src/\x7f"), false },
    { "a C1 control", "free", PATH("src/\xc2\x9b"), false },
    { "letters beyond ASCII", "implement", PATH("src/\xc3\xa4.c"), true },
    { "bytes that are no UTF-8 are a legal name", "implement", PATH("src/\xff.c"), true },
};

/* As work mode build writes, which adds nothing to the scope and takes nothing from it. */
static bool allows(const struct sf_scope *scope, const char *path, size_t len)
{
    const struct sf_writable writable = sf_writable_of(SF_WORK_BUILD, scope);

    return sf_writable_allows(&writable, path, len);
}

static void test_paths(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(paths); i++) {
        const struct sf_scope *scope = sf_scope_find(&plain, paths[i].scope);

        assert_non_null(scope);
        if (allows(scope, paths[i].path, paths[i].len) != paths[i].want)
            fail_msg("%s", paths[i].name);
    }
}

static void test_path_length(void **state)
{
    const struct sf_scope *scope = sf_scope_find(&plain, "free");
    char path[SF_SCOPE_PATH_MAX + 1];

    (void)state;
    memset(path, 'a', sizeof(path));
    assert_true(allows(scope, path, SF_SCOPE_PATH_MAX));
    assert_false(allows(scope, path, SF_SCOPE_PATH_MAX + 1));
}

/* A scope that slipped past the settings' check still matches nothing it should not. */
static void test_malformed_entries_match_nothing(void **state)
{
    static const char *const bad[] = { "", "/", "../", "src/../", "./", "//", "s*", NULL };
    static const struct sf_scope scope = { "bad", bad, "" };
    static const char *const tries[] = { "a", "src/a", "../a", "/a", "./a", "src/../a", "sa" };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(tries); i++)
        if (allows(&scope, tries[i], strlen(tries[i])))
            fail_msg("%s", tries[i]);
}

static const struct {
    const char *name, *word, *hint; /* NULL: found */
} lookups[] = {
    { "a built-in one", "test", NULL },
    { "one of the settings", "deploy", NULL },
    { "a slip", "tset", "did you mean test?" },
    { "a slip in a configured one", "deplyo", "did you mean deploy?" },
    { "a stranger", "xyzzy", "one of free, implement, test, docs, explore, review, deploy" },
    { "nothing", "", "one of free, implement, test, docs, explore, review, deploy" },
    { "a star is no name", "*", "one of free, implement, test, docs, explore, review, deploy" },
};

static void test_lookup(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(lookups); i++) {
        struct sf_error err = SF_ERROR_INIT;
        const struct sf_scope *scope = sf_scope_get(&configured, lookups[i].word, &err);

        if ((scope != NULL) != (lookups[i].hint == NULL))
            fail_msg("%s", lookups[i].name);
        if (lookups[i].hint && strcmp(lookups[i].hint, err.hint) != 0)
            fail_msg("%s: %s", lookups[i].name, err.hint);
    }
}

static void test_settings_override(void **state)
{
    const char *names[16] = { 0 };
    const struct sf_scope *scope;
    size_t cursor = 0, n = 0;

    (void)state;
    assert_string_equal(sf_scope_find(&configured, "implement")->strategy,
                        "Mind the borrow checker.");
    assert_string_equal(sf_scope_find(&configured, "deploy")->writable[0], "later/");
    assert_true(sf_scope_configured(&configured, "implement"));
    assert_false(sf_scope_configured(&configured, "free"));
    while ((scope = sf_scope_next(&configured, &cursor))) {
        assert_true(n < SF_COUNT(names));
        names[n++] = scope->name;
    }
    assert_int_equal(n, 7);
    assert_string_equal(names[1], "implement");
    assert_string_equal(names[6], "deploy");
}

static const struct {
    const char *name, *scope, *entry;
    bool want;
} checks[] = {
    { "a directory", "a", "src/", true },
    { "a file", "a", "README.md", true },
    { "everything", "a", "*", true },
    { "empty", "a", "", false },
    { "absolute", "a", "/src/", false },
    { "only a slash", "a", "/", false },
    { "dots", "a", "src/../x/", false },
    { "a dot in front", "a", "./src/", true },
    { "two slashes", "a", "src//", true },
    { "two slashes in front", "a", "//src/", false },
    { "only a dot", "a", ".", false },
    { "only dots and slashes", "a", ".//./", false },
    { "upwards at the end", "a", "src/..", false },
    { "a pattern", "a", "src/*.c", false },
    { "two stars", "a", "**", false },
    { "a control character", "a", "src\n/", false },
    { "delete", "a", "src\x7f/", false },
    { "a control character of two bytes", "a", "src\xc2\x9b/", false },
    { "a name with a blank", "a b", "src/", false },
    { "a name with an escape", "a\x1b", "src/", false },
    { "a name like an option", "-a", "src/", false },
    { "no name", "", "src/", false },
    { "the longest name", "aaaaaaaabbbbbbbbccccccccdddddddd", "src/", true },
    { "a name too long", "aaaaaaaabbbbbbbbccccccccdddddddde", "src/", false },
};

static void test_checks(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(checks); i++) {
        const char *const list[] = { checks[i].entry, NULL };
        const struct sf_scope scope = { checks[i].scope, list, "" };
        struct sf_error err = SF_ERROR_INIT;

        if (sf_scope_check(&scope, &err) != checks[i].want)
            fail_msg("%s: %s", checks[i].name, err.msg);
        if (!checks[i].want && (!*err.msg || !*err.hint || strchr(err.msg, '\x1b')))
            fail_msg("%s: %s", checks[i].name, err.msg);
        if (sf_scope_name_ok(checks[i].scope) &&
            sf_scope_entry_covers(checks[i].entry, checks[i].entry) != checks[i].want)
            fail_msg("%s: the check and the cover disagree", checks[i].name);
    }
    for (size_t i = 0; i < sf_scope_builtin_count; i++) {
        struct sf_error err = SF_ERROR_INIT;

        assert_true(sf_scope_check(&sf_scopes_builtin[i], &err));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),       cmocka_unit_test(test_paths),
        cmocka_unit_test(test_path_length), cmocka_unit_test(test_malformed_entries_match_nothing),
        cmocka_unit_test(test_lookup),      cmocka_unit_test(test_settings_override),
        cmocka_unit_test(test_checks),
    };

    return cmocka_run_group_tests_name("scope", tests, NULL, NULL);
}
