/* Which settings of a repository make git's reads run programs; the list agrees with git's own. */
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "judge/git_config.h"
#include "support/test.h"

static const struct {
    const char *name, *text;
    bool runs;
} cases[] = {
    { "nothing", "", false },
    { "what git init writes",
      "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n"
      "\tlogallrefupdates = true\n",
      false },
    { "a remote and a branch",
      "[remote \"origin\"]\n\turl = https://example.org/x\n\tfetch = +refs/heads/*:refs/remotes/o/*\n"
      "[branch \"main\"]\n\tremote = origin\n\tmerge = refs/heads/main\n[user]\n\tname = A\n",
      false },
    { "an external diff", "[diff]\n\texternal = /tmp/x\n", true },
    { "a driver's command", "[diff \"x\"]\ncommand = y\n", true },
    { "a text conversion", "[diff \"x\"]\n  textconv=y\n", true },
    { "the old spelling of a subsection", "[diff.x]\ntextconv = y\n", true },
    { "harmless diff settings", "[diff]\n\talgorithm = histogram\n\trenames = true\n", false },
    { "case does not matter", "[DIFF]\nExternal = y\n", true },
    { "on the section's own line", "[diff] external = y\n", true },
    { "a bracket in the name", "[diff \"a]b\"] textconv = y\n", true },
    { "a filter", "[filter \"lfs\"]\nclean = y\n", true },
    { "an alias", "[alias]\nlfs = !y\n", true },
    { "an include may hold anything", "[include]\npath = ../x\n", true },
    { "a conditional one too", "[includeIf \"gitdir:x\"]\npath = y\n", true },
    { "a monitor", "[core]\nfsmonitor = y\n", true },
    { "in a comment", "[diff]\n# external = y\n; external = y\n", false },
    { "in a value", "[user]\nname = [diff] external = y\n", false },
    { "another section's key of that name", "[x]\nexternal = y\n", false },
    { "a section that never closes", "[diff\nexternal = y\n", true },
    { "no end of line", "[diff]\nexternal=y", true },
};

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++)
        if (sf_gitconfig_runs(cases[i].text, strlen(cases[i].text)) != cases[i].runs)
            fail_msg("%s: %s", cases[i].name, cases[i].runs ? "not noticed" : "a false alarm");
}

static void run(const char *dir, const char *script)
{
    const char *argv[] = { "sh", "-c", script, NULL };
    struct sf_child_spec spec = { .argv = argv, .cwd = dir, .output_cap = 4096 };
    struct sf_child_result result;
    struct sf_error err = SF_ERROR_INIT;

    assert_true(sf_child_run(&spec, &result, &err));
    if (result.code != 0)
        fail_msg("%s: %s", script, result.output[SF_CHILD_STREAM_ERR].buf);
    sf_child_result_release(&result);
}

static void test_repositories(void **state)
{
    const char *dir = *state;
    char *tree = test_path(dir, "tree"), *linked = test_path(dir, "linked");

    assert_false(sf_gitconfig_repository_runs(dir)); /* none at all */
    run(dir, "git init -q tree && cd tree && git -c user.name=a -c user.email=a@b commit -q "
             "--allow-empty -m x && git worktree add -q ../linked");
    assert_false(sf_gitconfig_repository_runs(tree));
    assert_false(sf_gitconfig_repository_runs(linked));
    run(tree, "git config diff.external /tmp/x");
    assert_true(sf_gitconfig_repository_runs(tree));
    assert_true(sf_gitconfig_repository_runs(linked));
    run(tree, "git config --unset diff.external && chmod 755 .git && mkdir .git/config.worktree");
    assert_true(sf_gitconfig_repository_runs(tree)); /* a file that cannot be read */
    free(tree);
    free(linked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test_setup_teardown(test_repositories, test_dir_setup, test_dir_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
