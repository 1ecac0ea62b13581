/*
 * test_workspace.c: the root, linked worktrees made by git itself, and .git files that lie.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "config/config.h"
#include "io/io.h"
#include "support/test.h"

struct fixture {
    char *dir; /* real path */
};

static int setup(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    char *dir = test_dir_new();
    struct fixture *f = sf_alloc(sizeof(*f));

    f->dir = sf_path_real(dir, &err);
    free(dir);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    test_dir_free(f->dir);
    free(f);
    return 0;
}

static void make(const struct fixture *f, const char *name)
{
    struct sf_error err = SF_ERROR_INIT;
    char *path = test_path(f->dir, name);

    assert_true(sf_dir_make(path, 0755, &err));
    free(path);
}

static void put(const struct fixture *f, const char *name, const char *text)
{
    char *path = test_path(f->dir, name);

    test_write(path, text, strlen(text));
    free(path);
}

/* Starting in START, the root must be ROOT and the project PROJECT, all below the fixture. */
static void expect(const struct fixture *f, const char *start, const char *root,
                   const char *project)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_workspace w;
    char *from = test_path(f->dir, start), *want_root = test_path(f->dir, root);
    char *want_project = test_path(f->dir, project);

    if (!sf_workspace_find(from, &w, &err))
        fail_msg("%s: %s", start, err.msg);
    assert_string_equal(w.root, want_root);
    assert_string_equal(w.project, want_project);
    sf_workspace_release(&w);
    free(from);
    free(want_root);
    free(want_project);
}

static void git(const struct fixture *f, const char *const *argv)
{
    const char *envp[] = { "PATH=/usr/bin:/bin",        "GIT_CONFIG_GLOBAL=/dev/null",
                           "GIT_CONFIG_NOSYSTEM=1",     "GIT_AUTHOR_NAME=a",
                           "GIT_AUTHOR_EMAIL=a@b.c",    "GIT_COMMITTER_NAME=a",
                           "GIT_COMMITTER_EMAIL=a@b.c", NULL };
    struct sf_child_spec spec = { .argv = argv, .envp = envp, .cwd = f->dir, .output_cap = 4096 };
    struct sf_child_result result;
    struct sf_error err = SF_ERROR_INIT;

    assert_true(sf_child_run(&spec, &result, &err));
    if (result.code != 0)
        fail_msg("git %s: %s", argv[1], result.output[SF_CHILD_STREAM_ERR].buf);
    sf_child_result_release(&result);
}

static void test_roots(void **state)
{
    const struct fixture *f = *state;

    make(f, "plain/sub");
    expect(f, "plain/sub", "plain/sub", "plain/sub");
    make(f, "repo/.git");
    make(f, "repo/a/b");
    expect(f, "repo/a/b", "repo", "repo");
    expect(f, "repo/a/../a/.", "repo", "repo");
}

/* A repository in the home directory does not swallow every project below it. */
static void test_home_is_no_root(void **state)
{
    const struct fixture *f = *state;
    char *home = getenv("HOME") ? sf_strdup(getenv("HOME")) : NULL;

    make(f, ".git");
    make(f, "project/sub");
    setenv("HOME", f->dir, 1);
    expect(f, "project/sub", "project/sub", "project/sub");
    if (home)
        setenv("HOME", home, 1);
    else
        unsetenv("HOME");
    free(home);
}

static void test_linked_worktree(void **state)
{
    const struct fixture *f = *state;
    const char *const init[] = { "git", "init", "-q", "main", NULL };
    const char *const commit[] = { "git",           "-C", "main", "commit", "-q",
                                   "--allow-empty", "-m", "x",    NULL };
    const char *const add[] = { "git", "-C", "main", "worktree", "add", "-q", "../linked", NULL };

    git(f, init);
    git(f, commit);
    git(f, add);
    make(f, "linked/deep");
    expect(f, "linked/deep", "linked", "main");
}

/* What a directory says about itself is no word of the repository it names. */
static void test_worktree_the_repository_does_not_know(void **state)
{
    static const char *const places[] = { "evil/fake", "evil/.git/worktrees/w", "worktrees/w",
                                          "victim/.git/worktrees/w/deeper",
                                          "victim/.git/worktreesx/w" };
    const struct fixture *f = *state;
    struct sf_strbuf text = SF_STRBUF_INIT;

    make(f, "victim/.git");
    make(f, "root");
    for (size_t i = 0; i < SF_COUNT(places); i++) {
        char *place = test_path(f->dir, places[i]), *pointer = test_path(places[i], "commondir");
        char *back = test_path(places[i], "gitdir");

        make(f, places[i]);
        sf_strbuf_reset(&text);
        sf_strbuf_addf(&text, "gitdir: %s\n", place);
        put(f, "root/.git", text.buf);
        sf_strbuf_reset(&text);
        sf_strbuf_addf(&text, "%s/victim/.git\n", f->dir);
        put(f, pointer, text.buf);
        sf_strbuf_reset(&text);
        sf_strbuf_addf(&text, "%s/root/.git\n", f->dir);
        put(f, back, text.buf);
        print_message("  %s\n", places[i]);
        expect(f, "root", "root", "root");
        free(place);
        free(pointer);
        free(back);
    }
    sf_strbuf_release(&text);
}

/* A .git file may name any repository; only one that names it back is believed. */
static void test_lying_git_file(void **state)
{
    const struct fixture *f = *state;

    make(f, "victim/.git/worktrees/w");
    put(f, "victim/.git/worktrees/w/commondir", "../..\n");
    put(f, "victim/.git/worktrees/w/gitdir", "/elsewhere/.git\n");
    make(f, "evil");
    put(f, "evil/.git", "gitdir: ../victim/.git/worktrees/w\n");
    expect(f, "evil", "evil", "evil");
    put(f, "evil/.git", "gitdir: \n");
    expect(f, "evil", "evil", "evil");
    put(f, "evil/.git", "no pointer at all");
    expect(f, "evil", "evil", "evil");
}

static void test_errors(void **state)
{
    const struct fixture *f = *state;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_workspace w;
    char *missing = test_path(f->dir, "missing"), *file = test_path(f->dir, "file");

    assert_false(sf_workspace_find(missing, &w, &err));
    test_write(file, "", 0);
    assert_false(sf_workspace_find(file, &w, &err));
    assert_non_null(strstr(err.msg, "not a directory"));
    free(missing);
    free(file);
}

static void test_state_dirs_differ(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    char one[] = "/a/project", two[] = "/b/project";
    const struct sf_workspace first = { one, one }, second = { two, two };
    char *a, *b;

    (void)state;
    setenv("SF_HOME", "/state", 1);
    a = sf_workspace_state_dir(&first, &err);
    b = sf_workspace_state_dir(&second, &err);
    assert_non_null(strstr(a, "/state/projects/project-"));
    assert_string_not_equal(a, b);
    free(a);
    free(b);
    unsetenv("SF_HOME");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_roots, setup, teardown),
        cmocka_unit_test_setup_teardown(test_home_is_no_root, setup, teardown),
        cmocka_unit_test_setup_teardown(test_linked_worktree, setup, teardown),
        cmocka_unit_test_setup_teardown(test_worktree_the_repository_does_not_know, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_lying_git_file, setup, teardown),
        cmocka_unit_test_setup_teardown(test_errors, setup, teardown),
        cmocka_unit_test(test_state_dirs_differ),
    };

    return cmocka_run_group_tests_name("workspace", tests, NULL, NULL);
}
