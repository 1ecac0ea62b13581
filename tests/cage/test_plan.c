/*
 * What a wish becomes: which paths are writable, kept, readable, hidden, and what is refused.
 */
#include <stdlib.h>
#include <string.h>

#include "cage/cage.h"
#include "support/test.h"

static const char *const git_dirs[] = { "/home/ann/work/.git", NULL };
static const char *const main_git[] = { "/home/ann/main/.git", NULL };
static const char *const own[] = { "/home/ann/.local/state/sf", "/home/ann/.config/sf", NULL };

static const struct sf_cage_wish usual = { .root = "/home/ann/work",
                                           .home = "/home/ann",
                                           .temp = "/tmp/sf-1",
                                           .git_dirs = git_dirs,
                                           .own = own };

struct fixture {
    struct sf_cage_plan plan;
    struct sf_strbuf text;
};

static int setup(void **state)
{
    struct fixture *f = sf_alloc(sizeof(*f));

    sf_strbuf_init(&f->text);
    sf_cage_plan_make(&f->plan, &usual);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    sf_cage_plan_release(&f->plan);
    sf_strbuf_release(&f->text);
    free(f);
    return 0;
}

static void make(struct fixture *f, const struct sf_cage_wish *wish)
{
    sf_cage_plan_release(&f->plan);
    sf_cage_plan_make(&f->plan, wish);
}

static bool has(const struct sf_cage_plan *plan, enum sf_cage_use use, const char *path)
{
    for (size_t i = 0; i < plan->count; i++)
        if (plan->rules[i].use == use && !strcmp(plan->rules[i].path, path))
            return true;
    return false;
}

static const struct {
    const char *name;
    enum sf_cage_use use;
    const char *path;
    bool want;
} rows[] = {
    { "the workspace is written", SF_CAGE_WRITE, "/home/ann/work", true },
    { "and its git data", SF_CAGE_WRITE, "/home/ann/work/.git", true },
    { "and the temporary directory", SF_CAGE_WRITE, "/tmp/sf-1", true },
    { "and a cache", SF_CAGE_WRITE, "/home/ann/.cache/go-build", true },
    { "and packages", SF_CAGE_WRITE, "/home/ann/.cargo/registry", true },
    { "not other projects' environments", SF_CAGE_WRITE, "/home/ann/.cache/pypoetry", false },
    { "nor browsers", SF_CAGE_WRITE, "/home/ann/.cache/ms-playwright", false },
    { "not the home", SF_CAGE_WRITE, "/home/ann", false },
    { "not all caches", SF_CAGE_WRITE, "/home/ann/.cache", false },
    { "not all of cargo", SF_CAGE_WRITE, "/home/ann/.cargo", false },
    { "hooks are kept", SF_CAGE_KEEP, "/home/ann/work/.git/hooks", true },
    { "git's settings are kept", SF_CAGE_KEEP, "/home/ann/work/.git/config", true },
    { "sf's settings are kept", SF_CAGE_KEEP, "/home/ann/work/.sf", true },
    { "its plans are written", SF_CAGE_WRITE, "/home/ann/work/.sf/plans", true },
    { "keys are hidden", SF_CAGE_HIDE, "/home/ann/.ssh", true },
    { "and cloud credentials", SF_CAGE_HIDE, "/home/ann/.aws", true },
    { "of every cloud", SF_CAGE_HIDE, "/home/ann/.config/gcloud", true },
    { "and password files", SF_CAGE_HIDE, "/home/ann/.netrc", true },
    { "and histories", SF_CAGE_HIDE, "/home/ann/.bash_history", true },
    { "and the home's .env", SF_CAGE_HIDE, "/home/ann/.env", true },
    { "and the system's", SF_CAGE_HIDE, "/etc/shadow", true },
    { "and sf's data", SF_CAGE_HIDE, "/home/ann/.local/state/sf", true },
    { "and sf's settings", SF_CAGE_HIDE, "/home/ann/.config/sf", true },
    { "not the project's .env", SF_CAGE_HIDE, "/home/ann/work/.env", false },
    { "nor processes", SF_CAGE_HIDE, "/proc/*", false },
};

static void test_usual_rules(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(rows); i++)
        if (has(&f->plan, rows[i].use, rows[i].path) != rows[i].want)
            fail_msg("%s", rows[i].name);
    assert_int_equal(f->plan.notes.count, 0);
    assert_false(f->plan.network);
}

/* A command that was judged to read writes nothing but its temporary directory. */
static void test_reading(void **state)
{
    struct fixture *f = *state;
    const char *caches[] = { "~/.my-cache", NULL };
    struct sf_cage_wish wish = usual;

    wish.readonly = true;
    wish.caches = caches;
    make(f, &wish);
    for (size_t i = 0; i < f->plan.count; i++)
        if (f->plan.rules[i].use == SF_CAGE_WRITE &&
            strcmp(f->plan.rules[i].path, "/tmp/sf-1") != 0)
            fail_msg("%s is written", f->plan.rules[i].path);
    assert_true(has(&f->plan, SF_CAGE_WRITE, "/tmp/sf-1"));
}

static const struct {
    const char *written;
    const char *path; /* NULL: refused */
} caches[] = {
    { "~/.my-cache", "/home/ann/.my-cache" },
    { "/var/cache/tool/", "/var/cache/tool" },
    { "~/", NULL },
    { "/home", NULL },
    { "/", NULL },
    { "~/.config", NULL },
    { "~/.ssh", NULL },
    { "~/.ssh/x", NULL },
    { "~/.local/state/sf", NULL },
    { "relative", NULL },
    { "~/a/../.ssh", NULL },
    { "/etc", NULL },
    { "", NULL },
};

static void test_caches(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(caches); i++) {
        const char *list[] = { caches[i].written, NULL };
        struct sf_cage_wish wish = usual;
        size_t before = f->plan.count;

        wish.caches = list;
        make(f, &wish);
        if (caches[i].path && !has(&f->plan, SF_CAGE_WRITE, caches[i].path))
            fail_msg("%s is not granted", caches[i].written);
        if (!caches[i].path && (f->plan.count != before || f->plan.notes.count != 1))
            fail_msg("%s is granted", caches[i].written);
        make(f, &usual);
    }
}

static void test_what_moved_is_hidden_there_too(void **state)
{
    static const struct sf_path_moved moved[] = { { "/srv/cfg", ".config" },
                                                  { "/srv/cargo", ".cargo" },
                                                  { "/srv/keys", ".gnupg" },
                                                  { "/srv/a.yaml", ".kube/config" } };
    static const char *const hidden[] = {
        "/srv/cfg/gh",     "/srv/cfg/gcloud", "/srv/cargo/credentials.toml",
        "/srv/keys",       "/srv/a.yaml",     "/home/ann/.config/gh",
        "/home/ann/.gnupg"
    };
    struct fixture *f = *state;
    struct sf_cage_wish wish = usual;

    wish.moved = moved;
    wish.moved_count = SF_COUNT(moved);
    make(f, &wish);
    for (size_t i = 0; i < SF_COUNT(hidden); i++)
        if (!has(&f->plan, SF_CAGE_HIDE, hidden[i]))
            fail_msg("%s is not hidden", hidden[i]);
    assert_false(has(&f->plan, SF_CAGE_HIDE, "/srv/cfg"));
    assert_false(has(&f->plan, SF_CAGE_HIDE, "/srv/cargo"));
}

static void test_a_search_that_was_cut_is_said(void **state)
{
    struct fixture *f = *state;
    struct sf_cage_wish wish = usual;

    wish.secrets_cut = true;
    make(f, &wish);
    assert_true(f->plan.secrets_cut);
    assert_int_equal(f->plan.notes.count, 1);
    assert_non_null(strstr(f->plan.notes.items[0], "not all of it was searched"));
}

static void test_linked_worktree(void **state)
{
    struct fixture *f = *state;
    struct sf_cage_wish wish = usual;

    wish.git_dirs = main_git;
    make(f, &wish);
    assert_true(has(&f->plan, SF_CAGE_WRITE, "/home/ann/main/.git"));
    assert_true(has(&f->plan, SF_CAGE_KEEP, "/home/ann/main/.git/hooks"));
    assert_true(has(&f->plan, SF_CAGE_KEEP, "/home/ann/work/.git"));
    assert_false(has(&f->plan, SF_CAGE_WRITE, "/home/ann/main"));
}

static void test_git_alone_may_change_its_settings(void **state)
{
    struct fixture *f = *state;
    struct sf_cage_wish wish = usual;

    wish.git_settings = true;
    make(f, &wish);
    assert_false(has(&f->plan, SF_CAGE_KEEP, "/home/ann/work/.git/config"));
    assert_true(has(&f->plan, SF_CAGE_KEEP, "/home/ann/work/.git/hooks"));
}

/* What git enters on its own, and what its settings name. */
static void test_repositories_below(void **state)
{
    static char whole[] = "/home/ann/work/.git", sub[] = "/home/ann/work/.git/modules/a/b",
                linked[] = "/home/ann/work/.git/worktrees/w", inner[] = "/home/ann/work/inner/.git",
                hooks[] = "/home/ann/work/.husky", team[] = "/home/ann/work/.gitconfig";
    static char *hook_list[] = { hooks, NULL }, *settings[] = { team, NULL };
    static struct sf_git_dir dirs[] = { { whole, false, true },
                                        { sub, false, true },
                                        { linked, true, true },
                                        { inner, false, false } };
    const struct sf_repositories_found found = { .dirs = dirs,
                                                 .count = SF_COUNT(dirs),
                                                 .hooks = { hook_list, 1, 2 },
                                                 .settings = { settings, 1, 2 },
                                                 .cut = true };
    struct fixture *f = *state;
    struct sf_cage_wish wish = usual;

    wish.repositories = &found;
    make(f, &wish);
    assert_true(has(&f->plan, SF_CAGE_KEEP, "/home/ann/work/.git/modules/a/b/config"));
    assert_true(has(&f->plan, SF_CAGE_KEEP, "/home/ann/work/.git/modules/a/b/hooks"));
    assert_true(has(&f->plan, SF_CAGE_KEEP, "/home/ann/work/.git/worktrees/w/commondir"));
    assert_true(has(&f->plan, SF_CAGE_KEEP, "/home/ann/work/.git/worktrees/w/gitdir"));
    assert_true(has(&f->plan, SF_CAGE_KEEP, "/home/ann/work/.husky"));
    assert_true(has(&f->plan, SF_CAGE_KEEP, "/home/ann/work/.gitconfig"));
    assert_false(has(&f->plan, SF_CAGE_KEEP, "/home/ann/work/inner/.git/config")); /* may go */
    assert_true(f->plan.git_cut);
    assert_int_equal(f->plan.notes.count, 1);
    wish.git_settings = true;
    make(f, &wish);
    assert_false(has(&f->plan, SF_CAGE_KEEP, "/home/ann/work/.git/modules/a/b/config"));
    assert_false(has(&f->plan, SF_CAGE_KEEP, "/home/ann/work/.git/worktrees/w/commondir"));
    assert_true(has(&f->plan, SF_CAGE_KEEP, "/home/ann/work/.git/modules/a/b/hooks"));
    assert_true(has(&f->plan, SF_CAGE_KEEP, "/home/ann/work/.husky"));
}

static void test_what_the_verdict_allowed(void **state)
{
    static const char *const reads[] = { "/home/ann/.ssh/config", "/home/ann", "/home/ann/work/a",
                                         NULL };
    static const char *const writes[] = { "/home/ann/notes", "/home/ann", "/home/ann/.config",
                                          NULL };
    struct fixture *f = *state;
    struct sf_cage_wish wish = usual;

    wish.may_read = reads;
    wish.may_write = writes;
    make(f, &wish);
    assert_true(has(&f->plan, SF_CAGE_READ, "/home/ann/.ssh/config"));
    assert_false(has(&f->plan, SF_CAGE_READ, "/home/ann"));
    assert_false(has(&f->plan, SF_CAGE_READ, "/home/ann/work/a"));
    assert_true(has(&f->plan, SF_CAGE_WRITE, "/home/ann/notes"));
    assert_false(has(&f->plan, SF_CAGE_WRITE, "/home/ann"));
    assert_false(has(&f->plan, SF_CAGE_WRITE, "/home/ann/.config"));
    assert_int_equal(f->plan.notes.count, 2);
}

static void test_home_as_workspace_is_said(void **state)
{
    struct fixture *f = *state;
    struct sf_cage_wish wish = usual;

    wish.root = "/home/ann";
    make(f, &wish);
    assert_int_equal(f->plan.notes.count, 1);
    wish.home = NULL; /* nobody's home: nothing is hidden below it, and nothing fails */
    make(f, &wish);
    assert_int_equal(f->plan.notes.count, 0);
    assert_true(has(&f->plan, SF_CAGE_HIDE, "/etc/shadow"));
}

static void test_explanation(void **state)
{
    static const char *const wanted[] = { "writable  ~/work (the workspace)",
                                          "read-only ~/work/.git/hooks (run by git)",
                                          "hidden    ~/.ssh (", "network   no\n", "no core files" };
    static const char *const homes[] = { "/home/ann", "/home/ann/" };
    struct fixture *f = *state;
    struct sf_cage_wish wish = usual;

    for (size_t i = 0; i < SF_COUNT(homes) * SF_COUNT(wanted); i++) {
        const char *line = wanted[i % SF_COUNT(wanted)];

        wish.home = homes[i / SF_COUNT(wanted)];
        make(f, &wish);
        sf_strbuf_reset(&f->text);
        sf_cage_plan_explain(&f->plan, &f->text);
        if (!strstr(f->text.buf, line))
            fail_msg("no line '%s' in\n%s", line, f->text.buf);
    }
}

static const struct {
    const char *name;
    const char *dir, *path;
    const char *rest;
} belows[] = {
    { "itself", "/a/b", "/a/b", "" },           { "itself with a slash more", "/a/b/", "/a/b", "" },
    { "beneath", "/a/b", "/a/b/c", "c" },       { "a slash more", "/a/b/", "/a/b/c", "c" },
    { "a longer name", "/a/b", "/a/bc", NULL }, { "above", "/a/b", "/a", NULL },
    { "everything", "/", "/a", "a" },
};

static void test_below(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(belows); i++) {
        char *path =
            sf_strdup(belows[i].path); /* of its own size, so that a sanitizer sees its end */
        const char *rest = sf_cage_rest(belows[i].dir, path);

        if (sf_cage_below(belows[i].dir, path) != (belows[i].rest != NULL) ||
            (rest ? !belows[i].rest || strcmp(rest, belows[i].rest) != 0 : belows[i].rest != NULL))
            fail_msg("%s", belows[i].name);
        free(path);
    }
}

int main(void)
{
#define CASE(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(test_usual_rules),
        CASE(test_reading),
        CASE(test_caches),
        CASE(test_what_moved_is_hidden_there_too),
        CASE(test_a_search_that_was_cut_is_said),
        CASE(test_linked_worktree),
        CASE(test_git_alone_may_change_its_settings),
        CASE(test_repositories_below),
        CASE(test_what_the_verdict_allowed),
        CASE(test_home_as_workspace_is_said),
        CASE(test_explanation),
        CASE(test_below),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
