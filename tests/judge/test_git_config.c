/* Which settings of a repository make git's reads run programs; the list agrees with git's own. */
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "judge/git_reach.h"
#include "support/judge_case.h"
#include "support/test.h"

/* Which verbs, of these, the text makes run something. */
#define VERBS "status|diff|log|show|add|commit|co|branch|rev-parse"

static const struct {
    const char *name, *text, *verbs;
} cases[] = {
    { "nothing", "", "" },
    { "what git init writes",
      "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n"
      "\tlogallrefupdates = true\n",
      "" },
    { "a remote and a branch",
      "[remote \"origin\"]\n\turl = https://example.org/x\n\tfetch = +refs/heads/*:refs/remotes/o/*\n"
      "[branch \"main\"]\n\tremote = origin\n\tmerge = refs/heads/main\n[user]\n\tname = A\n",
      "" },
    { "an external diff", "[diff]\n\texternal = /tmp/x\n", "diff" },
    { "a driver's command", "[diff \"x\"]\ncommand = y\n", "diff" },
    { "a text conversion", "[diff \"x\"]\n  textconv=y\n", "diff log show" },
    { "the old spelling of a subsection", "[diff.x]\ntextconv = y\n", "diff log show" },
    { "harmless diff settings", "[diff]\n\talgorithm = histogram\n\trenames = true\n", "" },
    { "case does not matter", "[DIFF]\nExternal = y\n", "diff" },
    { "on the section's own line", "[diff] external = y\n", "diff" },
    { "a bracket in the name", "[diff \"a]b\"] textconv = y\n", "diff log show" },
    { "a filter", "[filter \"x\"]\nclean = y\n", "status diff add commit co" },
    { "a filter without a name", "[filter]\nclean = y\n", "status diff add commit co" },
    { "a conversion of large files", "[diff \"lfs\"]\ntextconv = y\n", "diff log show" },
    { "the filter for large files is off for reads", "[filter \"lfs\"]\nclean = y\n",
      "add commit co" },
    { "another of nearly that name", "[filter \"LFS\"]\nclean = y\n", "status diff add commit co" },
    { "an alias, which hides no verb of git's own", "[alias]\nlfs = !y\n", "co" },
    { "hooks elsewhere", "[core]\nhooksPath = .husky/_\n", "commit co" },
    { "a program for signatures", "[gpg]\nprogram = y\n", "commit" },
    { "a format that may ask for signatures", "[format]\npretty = %G?\n", "log show" },
    { "a format by a name", "[pretty]\nx = %G?\n", "log show" },
    { "a program for signatures of one kind", "[gpg \"ssh\"]\nprogram = y\n", "commit" },
    { "hooks by configuration", "[hook \"x\"]\ncommand = y\n",
      "status diff log show add commit co branch rev-parse" },
    { "a filter of what is picked", "[interactive]\ndiffFilter = y\n", "add commit co" },
    { "a trailer's command", "[trailer \"x\"]\ncommand = y\n", "commit" },
    { "a hook of the collection of garbage", "[gc]\nrecentObjectsHook = y\n", "commit" },
    { "a clone that is partial", "[extensions]\npartialClone = o\n",
      "status diff log show add commit co branch rev-parse" },
    { "a remote that promises", "[remote \"o\"]\npromisor = true\n",
      "status diff log show add commit co branch rev-parse" },
    { "a remote's filter", "[remote \"o\"]\npartialCloneFilter = blob:none\n",
      "status diff log show add commit co branch rev-parse" },
    { "what other verbs run",
      "[core]\nsshCommand = y\nalternateRefsCommand = y\n[sequence]\neditor = y\n"
      "[tar \"x\"]\ncommand = y\n[man]\nviewer = y\n[help]\nbrowser = y\n[web]\nbrowser = y\n"
      "[browser \"x\"]\ncmd = y\n",
      "" },
    { "an include may hold anything", "[include]\npath = ../x\n",
      "status diff log show add commit co branch rev-parse" },
    { "a conditional one too", "[includeIf \"gitdir:x\"]\npath = y\n",
      "status diff log show add commit co branch rev-parse" },
    { "a monitor is switched off", "[core]\nfsmonitor = y\n", "" },
    { "pagers are switched off", "[core]\npager = y\n[pager]\nlog = z\n", "" },
    { "in a comment", "[diff]\n# external = y\n; external = y\n", "" },
    { "in a value", "[user]\nname = [diff] external = y\n", "" },
    { "another section's key of that name", "[x]\nexternal = y\n", "" },
    { "a section that never closes", "[diff\nexternal = y\n",
      "status diff log show add commit co branch rev-parse" },
    { "two sections in one line", "[user][diff]external = y\n",
      "status diff log show add commit co branch rev-parse" },
    { "a byte order mark", "\xef\xbb\xbf[diff]\nexternal = y\n",
      "status diff log show add commit co branch rev-parse" },
    { "a merge driver", "[merge \"x\"]\ndriver = y\n", "co" },
    { "no end of line", "[diff]\nexternal=y", "diff" },
};

static void add(void *ctx, const struct sf_git_setting *setting)
{
    sf_git_helpers_add(ctx, setting);
}

/* As git_reach does with a file; what cannot be read for sure counts. */
static void read_text(struct sf_git_helpers *helpers, const char *text)
{
    if (!sf_git_settings_read(text, strlen(text), add, helpers))
        helpers->doubt = "unreadable";
}

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_git_helpers helpers = { 0 };
        struct sf_strbuf got = SF_STRBUF_INIT;
        char *verbs = sf_strdup(VERBS), *save = NULL;
        bool right;

        read_text(&helpers, cases[i].text);
        for (char *verb = strtok_r(verbs, "|", &save); verb; verb = strtok_r(NULL, "|", &save))
            if (sf_git_helpers_key(&helpers, verb))
                sf_strbuf_addf(&got, "%s%s", got.len ? " " : "", verb);
        right = !strcmp(got.buf, cases[i].verbs);
        if (!right)
            print_message("%s: %s\n", cases[i].name, got.buf);
        sf_strbuf_release(&got);
        free(verbs);
        assert_true(right);
    }
}

static const struct {
    const char *text, *verb, *key;
} others[] = {
    { "[core]\nsshCommand = y\n", "fetch", "core.sshcommand" },
    { "[core]\nalternateRefsCommand = y\n", "push", "core.alternaterefscommand" },
    { "[sequence]\neditor = y\n", "rebase", "sequence.editor" },
    { "[tar \"x\"]\ncommand = y\n", "archive", "tar.x.command" },
    { "[man]\nviewer = y\n", "help", "man.viewer" },
    { "[help]\nbrowser = y\n", "help", "help.browser" },
    { "[web]\nbrowser = y\n", "help", "web.browser" },
    { "[browser \"x\"]\ncmd = y\n", "help", "browser.x.cmd" },
    { "[gc]\nrecentObjectsHook = y\n", "repack", "gc.recentobjectshook" },
    { "[merge \"x\"]\ndriver = y\n", "pull", "merge.x.driver" },
    { "[trailer \"x\"]\ncommand = y\n", "interpret-trailers", "trailer.x.command" },
    { "[diff \"x\"]\ntextconv = y\n", "blame", "diff.x.textconv" },
    { "[diff]\nexternal = y\n", "range-diff", "diff.external" },
    { "[gpg]\nprogram = y\n", "verify-tag", "gpg.program" },
    { "[alias]\npraise = !y\n", "praise", "alias.praise" },
    { "[filter \"\"]\nclean = y\n", "add", "filter.clean" },
    { "[filter \"a b\"]\nclean = y\n", "add", "filter.clean" },
    { "[filter \"a-B_0.c\"]\nclean = y\n", "add", "filter.a-B_0.c.clean" },
    { "[filter]\nclean = y\nsmudge = z\n", "add", "filter.clean" }, /* the first of them */
};

/* Verbs that are rarer, and the word of the reason. */
static void test_other_verbs(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(others); i++) {
        struct sf_git_helpers helpers = { 0 };
        const char *key;

        read_text(&helpers, others[i].text);
        key = sf_git_helpers_key(&helpers, others[i].verb);
        if (!key || strcmp(key, others[i].key) != 0)
            fail_msg("%s: %s", others[i].verb, key ? key : "nothing");
        assert_null(sf_git_helpers_key(&helpers, "var"));
    }
}

static const struct {
    const char *hook, *verb; /* NULL: all there are */
} hooks[] = {
    { "pre-commit", "commit" },        { "prepare-commit-msg", "commit" },
    { "commit-msg", "commit" },        { "post-commit", "commit" },
    { "pre-merge-commit", "merge" },   { "post-merge", "pull" },
    { "pre-rebase", "rebase" },        { "post-rewrite", "rebase" },
    { "applypatch-msg", "am" },        { "pre-applypatch", "am" },
    { "post-applypatch", "am" },       { "post-checkout", "switch" },
    { "pre-auto-gc", "gc" },           { "post-index-change", NULL },
    { "reference-transaction", NULL },
};

static void test_hooks(void **state)
{
    struct sf_git_helpers none = { 0 };
    char *nowhere = test_path(*state, "none");

    sf_git_helpers_hooks(&none, nowhere);
    assert_null(sf_git_helpers_key(&none, NULL));
    for (size_t i = 0; i < SF_COUNT(hooks); i++) {
        char *path = test_path(*state, hooks[i].hook);

        test_write(path, "", 0);
        for (int may_run = 0; may_run < 2; may_run++) {
            struct sf_git_helpers helpers = { 0 };
            const char *key, *other;

            assert_int_equal(chmod(path, may_run ? 0700 : 0600), 0);
            sf_git_helpers_hooks(&helpers, *state);
            key = sf_git_helpers_key(&helpers, hooks[i].verb ? hooks[i].verb : "status");
            other = sf_git_helpers_key(&helpers, "log");
            if ((key != NULL) != may_run || (other != NULL) != (may_run && !hooks[i].verb))
                fail_msg("%s: %s, %s", hooks[i].hook, key ? key : "none", other ? other : "none");
            if (key && (strncmp(key, "hooks/", 6) != 0 || strcmp(key + 6, hooks[i].hook) != 0))
                fail_msg("%s is told as %s", hooks[i].hook, key);
        }
        assert_int_equal(unlink(path), 0);
        free(path);
    }
    free(nowhere);
}

static void test_key_is_named(void **state)
{
    static const char text[] = "[filter \"x\"]\n\tprocess = y\n";
    struct sf_git_helpers helpers = { 0 };

    (void)state;
    read_text(&helpers, text);
    assert_string_equal(sf_git_helpers_key(&helpers, "status"), "filter.x.process");
    assert_null(sf_git_helpers_key(&helpers, "log"));
    assert_string_equal(sf_git_helpers_key(&helpers, NULL), "filter.x.process");
}

static bool repository_runs(const char *dir)
{
    struct sf_git_reach *reach = sf_git_reach_new(dir, NULL);
    struct sf_git_helpers helpers = { 0 };

    sf_git_reach_from(reach, dir, &helpers);
    sf_git_reach_free(reach);
    return sf_git_helpers_key(&helpers, "diff") != NULL;
}

static void test_repositories(void **state)
{
    const char *dir = *state;
    char *tree = test_path(dir, "tree"), *linked = test_path(dir, "linked");

    assert_false(repository_runs(dir)); /* none at all */
    judge_case_run(dir,
                   "git init -q tree && cd tree && git -c user.name=a -c user.email=a@b commit -q "
                   "--allow-empty -m x && git worktree add -q ../linked");
    assert_false(repository_runs(tree));
    assert_false(repository_runs(linked));
    judge_case_run(tree, "git config diff.external /tmp/x");
    assert_true(repository_runs(tree));
    assert_true(repository_runs(linked));
    judge_case_run(
        tree, "git config --unset diff.external && chmod 755 .git && mkdir .git/config.worktree");
    assert_true(repository_runs(tree)); /* a file that cannot be read */
    free(tree);
    free(linked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_other_verbs),
        cmocka_unit_test_setup_teardown(test_hooks, test_dir_setup, test_dir_teardown),
        cmocka_unit_test(test_key_is_named),
        cmocka_unit_test_setup_teardown(test_repositories, test_dir_setup, test_dir_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
