/*
 * From verdicts to plans: which command gets the network, git's settings, the keys.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "session/session.h"
#include "support/test.h"
#include "support/tree.h"

struct fixture {
    char *dir, *home;
    struct sf_config *config;
    struct sf_workspace workspace;
    struct sf_policy_context policy;
    struct sf_mode_state state;
    struct sf_confine *confine;
};

static int setup(void **state)
{
    struct fixture *f = sf_alloc(sizeof(*f));
    struct sf_error err = SF_ERROR_INIT;
    char *dir = test_dir_new();

    f->dir = sf_path_real(dir, &err);
    free(dir);
    f->home = test_path(f->dir, "home");
    tree_puts(f->home, ".ssh/config", "");
    tree_puts(f->dir, "work/.git/config", "");
    setenv("HOME", f->home, 1);
    f->workspace.root = test_path(f->dir, "work");
    f->workspace.project = sf_strdup(f->workspace.root);
    f->config = sf_config_new();
    assert_true(sf_policy_context_init(&f->policy, f->config, &f->workspace, &err));
    assert_true(sf_policy_context_state(&f->policy, f->config, SF_SURFACE_TUI, &f->state, &err));
    f->confine = sf_confine_new(&f->policy, f->config, &f->workspace, &err);
    assert_non_null(f->confine);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    sf_confine_free(f->confine);
    sf_policy_context_release(&f->policy);
    sf_config_free(f->config);
    sf_workspace_release(&f->workspace);
    test_dir_free(f->dir);
    free(f->home);
    free(f);
    return 0;
}

static bool has(const struct sf_cage_plan *plan, enum sf_cage_use use, const char *dir,
                const char *name)
{
    char *path = test_path(dir, name);
    bool found = false;

    for (size_t i = 0; i < plan->count; i++)
        found = found || (plan->rules[i].use == use && !strcmp(plan->rules[i].path, path));
    free(path);
    return found;
}

static const struct {
    const char *command;
    bool network;
    bool settings; /* git's may change */
    bool keys;     /* ~/.ssh is readable */
    bool reads;    /* the workspace stays as it is */
} rows[] = {
    { "make", false, false, false, false },
    { "npm test", false, false, false, false },
    { "curl https://example.org", true, false, false, false },
    { "ls; git log | head", false, false, false, true },
    { "git status", false, true, false, true },
    { "git config a.b c", false, true, false, false },
    { "cd src && git remote add o x", false, true, false, false },
    { "git branch -u o/main | cat", false, true, false, false },
    { "git config user.name x; echo done; true", false, true, false, false },
    { "printf x; git status", false, true, false, true },
    { "echo x > y; git config a.b c", false, false, false, false },
    { "git config a.b c; sort x", false, false, false, false },
    { "echo x; cat y", false, false, false, true },
    { "git push origin main", true, true, true, false },
    { "git push --force origin main", true, true, true, false },
    { "git fetch && make", true, false, false, false },
    { "ssh host uptime", true, false, false, false }, /* that uptime runs there cannot be told */
    { "scp host:a .", true, false, true, false },
    { "gh pr view 1 && git push origin main", true, false, true, false },
    { "ssh host; cat ~/.ssh/id_rsa", true, false, false, false },
    { "rm -rf build && make", false, false, false, false },
    { "./unknown", false, false, false, false },
    { "echo ${x@P}", false, false, false, false }, /* nothing of it is git */
};

static void test_rows(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        const struct sf_call_asked asked = { .tool = "Bash",
                                             .act = SF_ACT_SHELL,
                                             .command = rows[i].command,
                                             .command_len = strlen(rows[i].command) };
        struct sf_confine_call call = { .judged = NULL };
        struct sf_error err = SF_ERROR_INIT;
        struct sf_judged judged;
        struct sf_cage_plan plan;

        assert_true(sf_judge_call(&f->policy, &asked, &f->state, &judged, &err));
        call.judged = &judged;
        sf_confine_plan(f->confine, &call, &plan);
        if (plan.network != rows[i].network)
            fail_msg("%s: network %d", rows[i].command, plan.network);
        if (has(&plan, SF_CAGE_READ, f->dir, "work") != rows[i].reads ||
            has(&plan, SF_CAGE_WRITE, f->dir, "work") == rows[i].reads)
            fail_msg("%s: the workspace", rows[i].command);
        if (!rows[i].reads &&
            has(&plan, SF_CAGE_KEEP, f->workspace.root, ".git/config") == rows[i].settings)
            fail_msg("%s: git's settings", rows[i].command);
        if (has(&plan, SF_CAGE_READ, f->home, ".ssh") != rows[i].keys)
            fail_msg("%s: keys", rows[i].command);
        assert_true(rows[i].reads || has(&plan, SF_CAGE_KEEP, f->workspace.root, ".git/hooks"));
        assert_true(has(&plan, SF_CAGE_HIDE, f->home, ".ssh"));
        sf_cage_plan_release(&plan);
        sf_judged_release(&judged);
    }
}

/* What a shell, an editor or an agent obeys is held, unless a build is told to make it by name. */
static const struct {
    const char *command;
    bool envrc, tasks;     /* are held */
    enum sf_answer answer; /* under the most generous profile */
} obeyed[] = {
    { "make", true, true, SF_ALLOW },
    { "make .envrc", false, true, SF_ASK },
    { "make OUT=.envrc", false, true, SF_ASK },
    { "env -i make .envrc", false, true, SF_ASK },
    { "cd sub && make ../.envrc", false, true, SF_ASK },
    { "cd sub && make .envrc", true, true, SF_ASK },
    { "python3 gen.py --out .vscode/tasks.json", true, false, SF_ASK },
    { "./gen .vscode", true, false, SF_ASK },
    { "make .git/hooks/pre-commit", true, true, SF_ALLOW },
    { "make server.key", true, true, SF_ALLOW },
    { "make .env.example", true, true, SF_ALLOW },
    { "make .env", true, true, SF_ASK },
    { "make .envrc; echo x > .envrc", false, true, SF_DENY },
    { "echo x >> .envrc", true, true, SF_DENY },
    { "echo x > .vscode/tasks.json; make", true, true, SF_DENY },
    { "cat .envrc && make", true, true, SF_ALLOW },
    { "git commit -m x .envrc", false, false, SF_ALLOW },
};

static void test_obeyed(void **state)
{
    struct fixture *f = *state;
    struct sf_mode_state generous = f->state;

    generous.work = SF_WORK_BUILD;
    generous.control = SF_RUN_AUTONOMOUS;
    generous.profile = SF_PROFILE_UNRESTRICTED;
    tree_puts(f->dir, "work/sub/a", "");
    tree_puts(f->dir, "work/.envrc", "");
    tree_puts(f->dir, "work/.vscode/tasks.json", "");
    for (size_t i = 0; i < SF_COUNT(obeyed); i++) {
        const struct sf_call_asked asked = { .tool = "Bash",
                                             .act = SF_ACT_SHELL,
                                             .command = obeyed[i].command,
                                             .command_len = strlen(obeyed[i].command) };
        struct sf_confine_call call = { .judged = NULL };
        struct sf_error err = SF_ERROR_INIT;
        struct sf_judged judged;
        struct sf_cage_plan plan;

        assert_true(sf_judge_call(&f->policy, &asked, &generous, &judged, &err));
        if (judged.verdict.answer != obeyed[i].answer)
            fail_msg("%s: %s", obeyed[i].command, judged.verdict.reason);
        call.judged = &judged;
        sf_confine_plan(f->confine, &call, &plan);
        if (has(&plan, SF_CAGE_KEEP, f->workspace.root, ".envrc") != obeyed[i].envrc ||
            has(&plan, SF_CAGE_KEEP, f->workspace.root, ".vscode") != obeyed[i].tasks)
            fail_msg("%s: held otherwise", obeyed[i].command);
        sf_cage_plan_release(&plan);
        sf_judged_release(&judged);
    }
}

static const struct {
    const char *command;
    bool hidden; /* .env is */
} secret_rows[] = {
    { "make", true },
    { "sh run.sh", true },
    { "x=.env; cat $x", false }, /* the reader follows it, so the verdict was about it */
    { "cat .env", false },
    { "cat ./.env README", false },
    { "cat .env.other", true },
};

/* A verdict on the very file shows it to the command, and nothing else does. */
static void test_secrets(void **state)
{
    struct fixture *f = *state;

    tree_puts(f->workspace.root, ".env", "A=1\n");
    for (size_t i = 0; i < SF_COUNT(secret_rows); i++) {
        const struct sf_call_asked asked = { .tool = "Bash",
                                             .act = SF_ACT_SHELL,
                                             .command = secret_rows[i].command,
                                             .command_len = strlen(secret_rows[i].command) };
        struct sf_error err = SF_ERROR_INIT;
        struct sf_judged judged;
        struct sf_cage_plan plan;
        struct sf_confine_call call = { .judged = &judged };

        assert_true(sf_judge_call(&f->policy, &asked, &f->state, &judged, &err));
        sf_confine_plan(f->confine, &call, &plan);
        if (has(&plan, SF_CAGE_COVER, f->workspace.root, ".env") != secret_rows[i].hidden)
            fail_msg("%s: .env", secret_rows[i].command);
        sf_cage_plan_release(&plan);
        sf_judged_release(&judged);
    }
}

/* What sf writes itself for the command, and where the command starts. */
static void test_report(void **state)
{
    struct fixture *f = *state;
    char *report = test_path(f->home, ".local/state/sf/report");
    const struct sf_confine_call call = { .report = report, .dir = f->workspace.root };
    struct sf_cage_plan plan;

    sf_confine_plan(f->confine, &call, &plan);
    assert_true(has(&plan, SF_CAGE_WRITE, f->home, ".local/state/sf/report"));
    assert_false(plan.network);
    sf_cage_plan_release(&plan);
    free(report);
}

/* A program that logs in reads what says who one is, and no other's. */
static const struct {
    const char *command, *path; /* below the home */
} identified[] = {
    { "git push origin main", ".ssh" },
    { "git push origin main", ".git-credentials" },
    { "git push origin main", ".config/git/credentials" },
    { "git push origin main", ".netrc" },
    { "scp a host:b", ".ssh" },
    { "sftp host", ".ssh" },
    { "rsync -a a host:b", ".ssh" },
    { "gh pr view 1", ".config/gh" },
    { "npm view x", ".npmrc" },
    { "pnpm install", ".npmrc" },
    { "yarn install", ".npmrc" },
    { "yarn install", ".yarnrc" },
    { "yarn install", ".yarnrc.yml" },
    { "cargo search x", ".cargo/credentials" },
    { "cargo search x", ".cargo/credentials.toml" },
    { "twine upload x", ".pypirc" },
    { "aws s3 ls", ".aws" },
    { "gcloud projects list", ".config/gcloud" },
    { "kubectl get pods", ".kube" },
};

static bool is_own(const char *command, const char *path)
{
    size_t len = strcspn(command, " ") + 1;

    for (size_t i = 0; i < SF_COUNT(identified); i++)
        if (!strncmp(identified[i].command, command, len) && !strcmp(identified[i].path, path))
            return true;
    return false;
}

static void test_identities(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(identified); i++) {
        const struct sf_call_asked asked = { .tool = "Bash",
                                             .act = SF_ACT_SHELL,
                                             .command = identified[i].command,
                                             .command_len = strlen(identified[i].command) };
        struct sf_error err = SF_ERROR_INIT;
        struct sf_judged judged;
        struct sf_cage_plan plan;
        struct sf_confine_call call = { .judged = &judged };

        assert_true(sf_judge_call(&f->policy, &asked, &f->state, &judged, &err));
        sf_confine_plan(f->confine, &call, &plan);
        for (size_t k = 0; k < SF_COUNT(identified); k++) {
            const char *path = identified[k].path;

            if (has(&plan, SF_CAGE_READ, f->home, path) != is_own(asked.command, path))
                fail_msg("%s: %s", asked.command, path);
        }
        sf_cage_plan_release(&plan);
        sf_judged_release(&judged);
    }
}

/* The same where variables have moved it, and no more of what they moved. */
static int setup_moved(void **state)
{
    setenv("XDG_CONFIG_HOME", "/nowhere/conf", 1);
    setenv("KUBECONFIG", "/nowhere/cluster", 1);
    return setup(state);
}

static int teardown_moved(void **state)
{
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("KUBECONFIG");
    return teardown(state);
}

static void test_moved_identities(void **state)
{
    static const struct {
        const char *command, *path; /* below /nowhere */
        bool opened;
    } texts[] = {
        { "kubectl get pods", "cluster", true }, { "kubectl get pods", "conf", false },
        { "gh pr view 1", "conf/gh", true },     { "gh pr view 1", "cluster", false },
        { "gh pr view 1", "conf", false },       { "aws s3 ls", "cluster", false },
        { "aws s3 ls", "conf", false },          { "gcloud projects list", "conf/gcloud", true },
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(texts); i++) {
        const struct sf_call_asked asked = { .tool = "Bash",
                                             .act = SF_ACT_SHELL,
                                             .command = texts[i].command,
                                             .command_len = strlen(texts[i].command) };
        struct sf_error err = SF_ERROR_INIT;
        struct sf_judged judged;
        struct sf_cage_plan plan;
        struct sf_confine_call call = { .judged = &judged };

        assert_true(sf_judge_call(&f->policy, &asked, &f->state, &judged, &err));
        sf_confine_plan(f->confine, &call, &plan);
        if (has(&plan, SF_CAGE_READ, "/nowhere", texts[i].path) != texts[i].opened)
            fail_msg("%s: %s", texts[i].command, texts[i].path);
        sf_cage_plan_release(&plan);
        sf_judged_release(&judged);
    }
}

/* Where nothing can be written there is nothing to look after. */
static void test_care(void **state)
{
    static const struct {
        const char *command;
        bool held, care;
    } texts[] = {
        { "ls", true, false },
        { "ls", false, true },
        { "make", true, true },
        { "make", false, true },
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(texts); i++) {
        const struct sf_call_asked asked = { .tool = "Bash",
                                             .act = SF_ACT_SHELL,
                                             .command = texts[i].command,
                                             .command_len = strlen(texts[i].command) };
        struct sf_error err = SF_ERROR_INIT;
        struct sf_judged judged;
        const struct sf_confine_call call = { .judged = &judged };
        struct sf_git_repair *care;

        assert_true(sf_judge_call(&f->policy, &asked, &f->state, &judged, &err));
        judged.cage = "noted";
        judged.held = (struct sf_cage_coverage){ .level = SF_CAGE_LEVEL_LANDLOCK };
        judged.held.stands[SF_FENCE_WRITE] = texts[i].held;
        care = sf_confine_care(f->confine, &call);
        if ((care != NULL) != texts[i].care ||
            sf_confine_records(f->confine, &call) != texts[i].care)
            fail_msg("%s: %s", texts[i].command, care ? "looked after" : "left alone");
        sf_git_repair_free(care);
        judged.cage = NULL;
        sf_judged_release(&judged);
    }
}

/* What a command names outside of the workspace, and nothing else, is opened for it. */
static const struct {
    const char *command, *path; /* below the home, or ending the root */
    enum sf_cage_use use;
    bool opened;
} named[] = {
    { "cat ~/notes", "home/notes", SF_CAGE_READ, true },
    { "cat ~/notes", "home/notes", SF_CAGE_WRITE, false },
    { "echo x > ~/notes", "home/notes", SF_CAGE_WRITE, true },
    { "cat ~/.netrc", "home/.netrc", SF_CAGE_READ, true },
    { "echo x > ~/.netrc", "home/.netrc", SF_CAGE_WRITE, false },
    { "echo x > src/a", "work/src/a", SF_CAGE_WRITE, false },
    { "cat src/a", "work/src/a", SF_CAGE_READ, false },
};

static void test_named(void **state)
{
    struct fixture *f = *state;

    tree_puts(f->home, "notes", "");
    tree_puts(f->home, ".netrc", "");
    tree_puts(f->dir, "work/src/a", "");
    for (size_t i = 0; i < SF_COUNT(named); i++) {
        const struct sf_call_asked asked = { .tool = "Bash",
                                             .act = SF_ACT_SHELL,
                                             .command = named[i].command,
                                             .command_len = strlen(named[i].command) };
        struct sf_error err = SF_ERROR_INIT;
        struct sf_judged judged;
        struct sf_cage_plan plan;
        struct sf_confine_call call = { .judged = &judged };

        assert_true(sf_judge_call(&f->policy, &asked, &f->state, &judged, &err));
        sf_confine_plan(f->confine, &call, &plan);
        if (has(&plan, named[i].use, f->dir, named[i].path) != named[i].opened)
            fail_msg("%s: %s", named[i].command, named[i].path);
        sf_cage_plan_release(&plan);
        sf_judged_release(&judged);
    }
}

/* What is said of a refusal depends on what held when the call was judged. */
static void test_hints(void **state)
{
    static const char output[] = "touch: cannot touch '/tmp/x': Permission denied\n";
    static const char text[] = "make";
    const struct sf_call_asked asked = {
        .tool = "Bash", .act = SF_ACT_SHELL, .command = text, .command_len = strlen(text)
    };
    struct fixture *f = *state;
    struct sf_strbuf said = SF_STRBUF_INIT, out = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_judged judged;
    const struct sf_confine_call call = { .judged = &judged };

    sf_strbuf_adds(&said, output);
    assert_true(sf_judge_call(&f->policy, &asked, &f->state, &judged, &err));
    judged.cage = "noted";
    for (int level = SF_CAGE_LEVEL_NONE; level <= SF_CAGE_LEVEL_FULL; level++) {
        judged.held = (struct sf_cage_coverage){ .level = (enum sf_cage_level)level };
        sf_strbuf_reset(&out);
        sf_confine_hint(f->confine, &call, true, &said, &out);
        assert_int_equal(strstr(out.buf, "Without namespaces") != NULL,
                         level == SF_CAGE_LEVEL_LANDLOCK);
    }
    tree_puts(f->workspace.root, ".env", "A=1\n");
    judged.held.stands[SF_FENCE_SECRETS] = true;
    sf_strbuf_reset(&said);
    sf_strbuf_adds(&said, "cat: .env: Permission denied\n");
    sf_strbuf_reset(&out);
    sf_confine_hint(f->confine, &call, true, &said, &out);
    assert_non_null(strstr(out.buf, ".env is hidden from commands"));
    judged.cage = NULL;
    sf_judged_release(&judged);
    sf_strbuf_release(&said);
    sf_strbuf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_rows, setup, teardown),
        cmocka_unit_test_setup_teardown(test_obeyed, setup, teardown),
        cmocka_unit_test_setup_teardown(test_secrets, setup, teardown),
        cmocka_unit_test_setup_teardown(test_report, setup, teardown),
        cmocka_unit_test_setup_teardown(test_named, setup, teardown),
        cmocka_unit_test_setup_teardown(test_identities, setup, teardown),
        cmocka_unit_test_setup_teardown(test_moved_identities, setup_moved, teardown_moved),
        cmocka_unit_test_setup_teardown(test_care, setup, teardown),
        cmocka_unit_test_setup_teardown(test_hints, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
