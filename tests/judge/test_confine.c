/*
 * From verdicts to plans: which command gets the network, git's settings, the keys.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "session/session.h"
#include "support/judge_case.h"
#include "support/test.h"
#include "support/tree.h"

struct fixture {
    struct judge_case *c;
    struct sf_confine *confine;
};

/* Makes the cages of what the settings and the environment are now. */
static void begin(struct fixture *f)
{
    struct sf_error err = SF_ERROR_INIT;

    sf_confine_free(f->confine);
    judge_case_begin(f->c);
    f->confine = sf_confine_new(&f->c->policy, f->c->config, &f->c->workspace, &err);
    assert_non_null(f->confine);
}

static int setup(void **state)
{
    struct fixture *f = sf_alloc(sizeof(*f));

    f->c = judge_case_new();
    tree_puts(f->c->home, ".ssh/config", "");
    tree_puts(f->c->workspace.root, ".git/config", "");
    begin(f);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    sf_confine_free(f->confine);
    judge_case_free(f->c);
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
        struct sf_confine_call call = { .judged = NULL };
        struct sf_judged judged;
        struct sf_cage_plan plan;

        judge_case_command(f->c, rows[i].command, &judged);
        call.judged = &judged;
        sf_confine_plan(f->confine, &call, &plan);
        if (plan.network != rows[i].network)
            fail_msg("%s: network %d", rows[i].command, plan.network);
        if (has(&plan, SF_CAGE_READ, f->c->dir, "work") != rows[i].reads ||
            has(&plan, SF_CAGE_WRITE, f->c->dir, "work") == rows[i].reads)
            fail_msg("%s: the workspace", rows[i].command);
        if (!rows[i].reads &&
            has(&plan, SF_CAGE_KEEP, f->c->workspace.root, ".git/config") == rows[i].settings)
            fail_msg("%s: git's settings", rows[i].command);
        if (has(&plan, SF_CAGE_READ, f->c->home, ".ssh") != rows[i].keys)
            fail_msg("%s: keys", rows[i].command);
        assert_true(rows[i].reads || has(&plan, SF_CAGE_KEEP, f->c->workspace.root, ".git/hooks"));
        assert_true(has(&plan, SF_CAGE_HIDE, f->c->home, ".ssh"));
        sf_cage_plan_release(&plan);
        sf_judged_release(&judged);
    }
}

/* What a shell, an editor or an agent obeys is held, unless the command names it. */
static const struct {
    const char *command;
    bool envrc, tasks; /* are held */
} obeyed[] = {
    { "make", true, true },
    { "echo x >> .envrc", false, true },
    { "echo x > .vscode/tasks.json; make", true, false },
    { "cat .envrc && make", true, true },
    { "git checkout main", false, false },
};

static void test_obeyed(void **state)
{
    struct fixture *f = *state;

    tree_puts(f->c->dir, "work/.envrc", "");
    tree_puts(f->c->dir, "work/.vscode/tasks.json", "");
    for (size_t i = 0; i < SF_COUNT(obeyed); i++) {
        struct sf_confine_call call = { .judged = NULL };
        struct sf_judged judged;
        struct sf_cage_plan plan;

        judge_case_command(f->c, obeyed[i].command, &judged);
        call.judged = &judged;
        sf_confine_plan(f->confine, &call, &plan);
        if (has(&plan, SF_CAGE_KEEP, f->c->workspace.root, ".envrc") != obeyed[i].envrc ||
            has(&plan, SF_CAGE_KEEP, f->c->workspace.root, ".vscode") != obeyed[i].tasks)
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

    tree_puts(f->c->workspace.root, ".env", "A=1\n");
    for (size_t i = 0; i < SF_COUNT(secret_rows); i++) {
        struct sf_judged judged;
        struct sf_cage_plan plan;
        struct sf_confine_call call = { .judged = &judged };

        judge_case_command(f->c, secret_rows[i].command, &judged);
        sf_confine_plan(f->confine, &call, &plan);
        if (has(&plan, SF_CAGE_COVER, f->c->workspace.root, ".env") != secret_rows[i].hidden)
            fail_msg("%s: .env", secret_rows[i].command);
        sf_cage_plan_release(&plan);
        sf_judged_release(&judged);
    }
}

/* What sf writes itself for the command, and where the command starts. */
static void test_report(void **state)
{
    struct fixture *f = *state;
    char *report = test_path(f->c->home, ".local/state/sf/report");
    const struct sf_confine_call call = { .report = report, .dir = f->c->workspace.root };
    struct sf_cage_plan plan;

    sf_confine_plan(f->confine, &call, &plan);
    assert_true(has(&plan, SF_CAGE_WRITE, f->c->home, ".local/state/sf/report"));
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
        struct sf_judged judged;
        struct sf_cage_plan plan;
        struct sf_confine_call call = { .judged = &judged };

        judge_case_command(f->c, identified[i].command, &judged);
        sf_confine_plan(f->confine, &call, &plan);
        for (size_t k = 0; k < SF_COUNT(identified); k++) {
            const char *path = identified[k].path;

            if (has(&plan, SF_CAGE_READ, f->c->home, path) != is_own(identified[i].command, path))
                fail_msg("%s: %s", identified[i].command, path);
        }
        sf_cage_plan_release(&plan);
        sf_judged_release(&judged);
    }
}

/* The same where variables have moved it, and no more of what they moved. */
static int setup_moved(void **state)
{
    setup(state);
    setenv("XDG_CONFIG_HOME", "/nowhere/conf", 1);
    setenv("KUBECONFIG", "/nowhere/cluster", 1);
    begin(*state);
    return 0;
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
        struct sf_judged judged;
        struct sf_cage_plan plan;
        struct sf_confine_call call = { .judged = &judged };

        judge_case_command(f->c, texts[i].command, &judged);
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
        struct sf_judged judged;
        const struct sf_confine_call call = { .judged = &judged };
        struct sf_git_repair *care;

        judge_case_command(f->c, texts[i].command, &judged);
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

    tree_puts(f->c->home, "notes", "");
    tree_puts(f->c->home, ".netrc", "");
    tree_puts(f->c->dir, "work/src/a", "");
    for (size_t i = 0; i < SF_COUNT(named); i++) {
        struct sf_judged judged;
        struct sf_cage_plan plan;
        struct sf_confine_call call = { .judged = &judged };

        judge_case_command(f->c, named[i].command, &judged);
        sf_confine_plan(f->confine, &call, &plan);
        if (has(&plan, named[i].use, f->c->dir, named[i].path) != named[i].opened)
            fail_msg("%s: %s", named[i].command, named[i].path);
        sf_cage_plan_release(&plan);
        sf_judged_release(&judged);
    }
}

/* What is said of a refusal depends on what held when the call was judged. */
static void test_hints(void **state)
{
    static const char output[] = "touch: cannot touch '/tmp/x': Permission denied\n";
    struct fixture *f = *state;
    struct sf_strbuf said = SF_STRBUF_INIT, out = SF_STRBUF_INIT;
    struct sf_judged judged;
    const struct sf_confine_call call = { .judged = &judged };

    sf_strbuf_adds(&said, output);
    judge_case_command(f->c, "make", &judged);
    judged.cage = "noted";
    for (int level = SF_CAGE_LEVEL_NONE; level <= SF_CAGE_LEVEL_FULL; level++) {
        judged.held = (struct sf_cage_coverage){ .level = (enum sf_cage_level)level };
        sf_strbuf_reset(&out);
        sf_confine_hint(f->confine, &call, true, &said, &out);
        assert_int_equal(strstr(out.buf, "Without namespaces") != NULL,
                         level == SF_CAGE_LEVEL_LANDLOCK);
    }
    tree_puts(f->c->workspace.root, ".env", "A=1\n");
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
