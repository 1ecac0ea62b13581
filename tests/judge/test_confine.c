/*
 * From verdicts to plans: which command gets the network, git's settings, the keys.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
    { "git config a.b c; :", false, true, false, false },
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

    f->c->state.work = SF_WORK_BUILD;
    f->c->state.control = SF_RUN_AUTONOMOUS;
    f->c->state.profile = SF_PROFILE_UNRESTRICTED;
    tree_puts(f->c->dir, "work/sub/a", "");
    tree_puts(f->c->dir, "work/.envrc", "");
    tree_puts(f->c->dir, "work/.vscode/tasks.json", "");
    for (size_t i = 0; i < SF_COUNT(obeyed); i++) {
        struct sf_confine_call call = { .judged = NULL };
        struct sf_judged judged;
        struct sf_cage_plan plan;

        judge_case_command(f->c, obeyed[i].command, &judged);
        if (judged.verdict.answer != obeyed[i].answer)
            fail_msg("%s: %s", obeyed[i].command, judged.verdict.reason);
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
        sf_confine_note(f->confine, &judged, false);
        assert_int_equal(judged.cannot_write,
                         judged.only_reads && judged.held.stands[SF_FENCE_WRITE]);
        judged.cannot_write = judged.only_reads && texts[i].held;
        care = sf_confine_care(f->confine, &call);
        if ((care != NULL) != texts[i].care ||
            sf_confine_records(f->confine, &call) != texts[i].care)
            fail_msg("%s: %s", texts[i].command, care ? "looked after" : "left alone");
        sf_git_repair_free(care);
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
    { "echo x > ~/.bashrc", "home/.bashrc", SF_CAGE_WRITE, false },
    { "cat ~/.netrc ~/notes", "home/notes", SF_CAGE_READ, true },
    { "cat ~/notes ~/.netrc", "home/.netrc", SF_CAGE_READ, true },
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

#define ALL_HELD ((1u << SF_FENCE_COUNT) - 1)
#define FENCE(f) (1u << SF_FENCE_##f)

/* Ten files that are read. */
#define TEN(n) n "0 " n "1 " n "2 " n "3 " n "4 " n "5 " n "6 " n "7 " n "8 " n "9 "

/* Each hint is given for what was closed, and for nothing that was open. */
static const struct {
    const char *name, *command, *output;
    unsigned held; /* fences */
    bool network;  /* open all the same */
    bool passed;   /* the command */
    const char *words;
    bool said;
} hints[] = {
    { "no network", "make", "Could not resolve host", FENCE(NETWORK), false, false,
      "The network was off", true },
    { "an open network", "make", "Could not resolve host", FENCE(NETWORK), true, false,
      "The network was off", false },
    { "no fence round it", "make", "Could not resolve host", 0, false, false, "The network was off",
      false },
    { "an open one without a fence", "make", "Could not resolve host", 0, true, false,
      "The network was off", false },
    { "a command that passed", "make", "Could not resolve host", FENCE(NETWORK), false, true,
      "The network was off", false },
    { "a socket", "make", "Cannot connect to the Docker daemon", FENCE(SOCKETS), false, false,
      "Sockets of other programs", true },
    { "an open socket", "make", "Cannot connect to the Docker daemon", ALL_HELD & ~FENCE(SOCKETS),
      false, false, "Sockets of other programs", false },
    { "a place outside", "make", "/opt/x: Read-only file system", FENCE(WRITE), false, false,
      "guard.caches", true },
    { "a place without a fence", "make", "/opt/x: Read-only file system", 0, false, false,
      "guard.caches", false },
    { "a command that reads", "ls", "a: Read-only file system", FENCE(WRITE), false, false,
      "judged to read only", true },
    { "one that does not", "make", "a: Read-only file system", FENCE(WRITE), false, false,
      "judged to read only", false },
    { "git's settings", "make", "could not lock config file", FENCE(GIT), false, false,
      "git's settings are read-only", true },
    { "the same though it passed", "make", "could not lock config file", FENCE(GIT), false, true,
      "git's settings are read-only", true },
    { "settings without a fence", "make", "could not lock config file", ALL_HELD & ~FENCE(GIT),
      false, false, "git's settings are read-only", false },
    { "git alone", "git config a.b c", "could not lock config file", FENCE(GIT), false, false,
      "git's settings are read-only", false },
    { "git and more than a report holds",
      "git config a.b c " TEN("<a") TEN("<b") TEN("<c") TEN("<d") TEN("<e") TEN("<f") TEN("<g"),
      "could not lock config file", FENCE(GIT), false, false, "git's settings are read-only",
      true },
    { "the first that is kept", "make", "'.git/hooks/x': Read-only file system", FENCE(GIT), false,
      false, ".git/hooks is read-only for commands", true },
    { "the last that is kept", "make", "'.sf/x': Read-only file system", FENCE(GIT), false, false,
      ".sf is read-only for commands", true },
    { "hooks that settings name", "make", "'own/hooks/x': Read-only file system", FENCE(GIT), false,
      false, "own/hooks is read-only for commands", true },
    { "kept without a fence", "make", "'.git/hooks/x': Read-only file system",
      ALL_HELD & ~FENCE(GIT), false, false, "is read-only for commands", false },
    { "kept, and it passed", "make", "'.git/hooks/x': Read-only file system", FENCE(GIT), false,
      true, "is read-only for commands", false },
    { "a secret", "make", "cat: .env: Permission denied", FENCE(SECRETS), false, false,
      ".env is hidden from commands", true },
    { "a secret without a fence", "make", "cat: .env: Permission denied",
      ALL_HELD & ~FENCE(SECRETS), false, false, ".env is hidden from commands", false },
    { "a secret that was named", "cat .env", "cat: .env: Permission denied", FENCE(SECRETS), false,
      false, ".env is hidden from commands", false },
    { "no such program", "make", "sh: 1: x: not found", 0, false, false, "/work/bin", true },
};

static void test_hints_of_fences(void **state)
{
    struct fixture *f = *state;
    char *bin = test_path(f->c->workspace.root, "bin"), *path = sf_strdup(getenv("PATH"));
    struct sf_strbuf search = SF_STRBUF_INIT;

    sf_strbuf_addf(&search, "%s:%s:other", path, bin);
    setenv("PATH", search.buf, 1);
    judge_case_run(f->c->workspace.root,
                   "rm -r .git; git init -q; mkdir -p own/hooks; echo A=1 >.env;"
                   " git config core.hooksPath own/hooks");
    begin(f);
    assert_string_equal(sf_confine_unsearched(f->confine)->items[0], bin);
    for (size_t i = 0; i < SF_COUNT(hints); i++) {
        struct sf_strbuf said = SF_STRBUF_INIT, out = SF_STRBUF_INIT;
        struct sf_judged judged;
        const struct sf_confine_call call = { .judged = &judged, .network = hints[i].network };

        judge_case_command(f->c, hints[i].command, &judged);
        judged.cage = "noted";
        judged.held = (struct sf_cage_coverage){ .level = SF_CAGE_LEVEL_FULL };
        for (unsigned k = 0; k < SF_FENCE_COUNT; k++)
            judged.held.stands[k] = hints[i].held >> k & 1;
        sf_strbuf_adds(&said, hints[i].output);
        sf_strbuf_adds(&out, "");
        sf_confine_hint(f->confine, &call, !hints[i].passed, &said, &out);
        if ((strstr(out.buf, hints[i].words) != NULL) != hints[i].said)
            fail_msg("%s: %s", hints[i].name, out.buf);
        judged.cage = NULL;
        sf_judged_release(&judged);
        sf_strbuf_release(&said);
        sf_strbuf_release(&out);
    }
    setenv("PATH", path, 1);
    sf_strbuf_release(&search);
    free(path);
    free(bin);
}

static void configure(struct fixture *f, const char *text)
{
    sf_config_add_file(f->c->config, SF_LAYER_USER, "config.toml", text, strlen(text), true);
    begin(f);
}

/* What the settings say goes into the plan and to the supervisor. */
static void test_settings(void **state)
{
    static const char text[] = "[guard]\nmax_memory = 10\nmax_processes = 100\n"
                               "max_file_size = 3\nhide_secrets = false\n"
                               "caches = [\"~/one\", \"~/two\"]\nenv_keep = [\"SSH_AUTH_SOCK\"]\n";
    struct fixture *f = *state;
    struct sf_judged judged;
    const struct sf_confine_call call = { .judged = &judged, .trusted = true };
    const struct sf_confine_call bare = { .network = true };
    struct sf_cage_plan plan;
    struct sf_child_watch watch;
    const char *const *env;
    bool kept = false;

    setenv("SSH_AUTH_SOCK", "/nowhere/agent", 1);
    setenv("SSH_AUTH_SOCK_OTHER", "/nowhere/other", 1);
    tree_puts(f->c->home, "one/x", "");
    tree_puts(f->c->home, "two/x", "");
    tree_puts(f->c->workspace.root, ".env", "A=1\n");
    configure(f, text);
    watch = sf_confine_watch(f->confine);
    assert_int_equal(watch.processes, 100);
    assert_int_equal(watch.memory, sf_kernel_memory() / 100 * 10);
    for (env = sf_confine_env(f->confine); *env; env++)
        kept = kept || !strcmp(*env, "SSH_AUTH_SOCK=/nowhere/agent");
    assert_true(kept);

    judge_case_command(f->c, "git push origin main", &judged);
    sf_confine_plan(f->confine, &call, &plan);
    assert_int_equal(plan.limits.file_bytes, 3 << 20);
    assert_int_equal(plan.limits.processes, 100);
    assert_true(plan.trusted && plan.show_secrets && !plan.secrets_cut);
    assert_true(has(&plan, SF_CAGE_WRITE, f->c->home, "one"));
    assert_true(has(&plan, SF_CAGE_WRITE, f->c->home, "two"));
    assert_true(has(&plan, SF_CAGE_READ, "/nowhere", "agent"));
    assert_false(has(&plan, SF_CAGE_COVER, f->c->workspace.root, ".env"));
    sf_cage_plan_release(&plan);
    sf_judged_release(&judged);

    sf_confine_plan(f->confine, &bare, &plan);
    assert_true(plan.network && !plan.trusted);
    assert_false(has(&plan, SF_CAGE_READ, "/nowhere", "agent"));
    sf_cage_plan_release(&plan);
    unsetenv("SSH_AUTH_SOCK");
    unsetenv("SSH_AUTH_SOCK_OTHER");
}

/* Without a cage nothing is watched, recorded or put back. */
static void test_no_cage(void **state)
{
    struct fixture *f = *state;
    struct sf_judged judged;
    const struct sf_confine_call call = { .judged = &judged };
    struct sf_child_watch watch = sf_confine_watch(f->confine);
    struct sf_git_repair *care;

    assert_true(watch.memory > 0 && watch.processes > 0);
    judge_case_command(f->c, "make", &judged);
    assert_true(sf_confine_records(f->confine, &call));
    care = sf_confine_care(f->confine, &call);
    assert_non_null(care);
    sf_git_repair_free(care);
    sf_judged_release(&judged);
    configure(f, "[guard]\ncage = \"off\"\n");
    watch = sf_confine_watch(f->confine);
    assert_true(watch.memory == 0 && watch.processes == 0);
    judge_case_command(f->c, "make", &judged);
    assert_false(sf_confine_records(f->confine, &call));
    assert_null(sf_confine_care(f->confine, &call));
    sf_judged_release(&judged);
}

/* Git's settings after a command: what runs programs goes, unless that was what was allowed. */
static void test_settled(void **state)
{
    static const struct {
        const char *command;
        bool stays;
    } texts[] = {
        { "make", false },
        { "git commit -m x", false },
        { "git config core.fsmonitor ./x", true },
        { "git config core.fsmonitor ./x; make", false },
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(texts); i++) {
        struct sf_judged judged;
        const struct sf_confine_call call = { .judged = &judged };
        struct sf_strbuf out = SF_STRBUF_INIT;
        struct sf_git_repair *care;
        char *got;

        judge_case_run(f->c->workspace.root, "rm -rf .git; git init -q");
        begin(f);
        judge_case_command(f->c, texts[i].command, &judged);
        judged.cage = "noted"; /* without mounts, which would have held it */
        care = sf_confine_care(f->confine, &call);
        sf_git_repair_keep(care);
        judge_case_run(f->c->workspace.root, "git config core.fsmonitor ./x");
        sf_git_repair_settle(care, &out);
        sf_git_repair_settle_history(care, &out);
        sf_git_repair_free(care);
        got = tree_run(f->c->workspace.root, "git config core.fsmonitor || true", &(size_t){ 0 });
        if ((*got != '\0') != texts[i].stays)
            fail_msg("%s: '%s'", texts[i].command, got);
        judged.cage = NULL;
        sf_judged_release(&judged);
        sf_strbuf_release(&out);
        free(got);
    }
}

/* A call that runs no command has no cage to speak of. */
static void test_noted(void **state)
{
    struct fixture *f = *state;
    const struct sf_call_asked fetch = { .tool = "Fetch", .act = SF_ACT_FETCH, .url = "http://a" };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_judged judged;

    assert_true(sf_judge_call(&f->c->policy, &fetch, &f->c->state, &judged, &err));
    sf_confine_note(f->confine, &judged, false);
    assert_null(judged.cage);
    sf_judged_release(&judged);
    judge_case_command(f->c, "make", &judged);
    sf_confine_note(f->confine, &judged, false);
    assert_true(judged.cage && *judged.cage && judged.cage_brief && *judged.cage_brief);
    assert_string_not_equal(judged.cage, judged.cage_brief);
    sf_judged_release(&judged);
}

/* Where there is no repository, or a pointer to one, no directory of git's is known. */
static void test_git_directory(void **state)
{
    static const struct {
        const char *script;
        bool kept;
    } steps[] = {
        { "true", true },
        { "rm -r .git", false },
        { "echo gitdir: nowhere >.git", false },
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(steps); i++) {
        const struct sf_confine_call call = { .judged = NULL };
        struct sf_cage_plan plan;

        judge_case_run(f->c->workspace.root, steps[i].script);
        begin(f);
        sf_confine_plan(f->confine, &call, &plan);
        if (has(&plan, SF_CAGE_KEEP, f->c->workspace.root, ".git/config") != steps[i].kept)
            fail_msg("%s", steps[i].script);
        sf_cage_plan_release(&plan);
    }
}

/* sf's own data is hidden; what the workspace's .sf leads to only where it lies elsewhere. */
static void test_own(void **state)
{
    static const struct {
        const char *script, *path; /* of what .sf leads to, below the test's directory */
        bool hidden;
    } steps[] = {
        { "mkdir conf; ln -s conf .sf", "work/conf", false },
        { "rm .sf; mkdir ../conf; ln -s ../conf .sf", "conf", true },
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(steps); i++) {
        const struct sf_confine_call call = { .judged = NULL };
        struct sf_cage_plan plan;

        judge_case_run(f->c->workspace.root, steps[i].script);
        begin(f);
        sf_confine_plan(f->confine, &call, &plan);
        if (has(&plan, SF_CAGE_HIDE, f->c->dir, steps[i].path) != steps[i].hidden)
            fail_msg("%s", steps[i].script);
        assert_true(has(&plan, SF_CAGE_HIDE, f->c->home, ".config/sf"));
        sf_cage_plan_release(&plan);
    }
}

/* Without a place for temporary directories there are no cages, and the error says so. */
static void test_no_place(void **state)
{
    struct fixture *f = *state;
    struct sf_error err = SF_ERROR_INIT;

    setenv("TMPDIR", "/no/such/place", 1);
    assert_null(sf_confine_new(&f->c->policy, f->c->config, &f->c->workspace, &err));
    assert_true(*err.msg);
    unsetenv("TMPDIR");
}

/* What is named like a secret below an added directory is hidden, too, for as long as that is added. */
static void test_added_secrets(void **state)
{
    static const struct {
        const char *command;
        bool hidden; /* DIR/.env is */
    } texts[] = { { "make", true }, { "ls ../other", true }, { "cat ../other/.env", false } };
    struct fixture *f = *state;
    struct sf_strlist dirs = SF_STRLIST_INIT;

    tree_puts(f->c->dir, "other/.env", "A=1\n");
    tree_puts(f->c->dir, "other/k/id_rsa", "key\n");
    sf_strlist_adopt(&dirs, test_path(f->c->dir, "other"));
    for (int added = 0; added < 2; added++)
        for (size_t i = 0; i < SF_COUNT(texts); i++) {
            struct sf_judged judged;
            struct sf_cage_plan plan;
            const struct sf_confine_call call = { .judged = &judged };
            static const struct sf_strlist none = SF_STRLIST_INIT;

            sf_added_dirs_set(&f->c->policy, added ? &dirs : &none);
            judge_case_command(f->c, texts[i].command, &judged);
            sf_confine_plan(f->confine, &call, &plan);
            if (has(&plan, SF_CAGE_COVER, f->c->dir, "other/.env") != (added && texts[i].hidden) ||
                has(&plan, SF_CAGE_COVER, f->c->dir, "other/k/id_rsa") != (bool)added)
                fail_msg("%s: added %d", texts[i].command, added);
            sf_cage_plan_release(&plan);
            sf_judged_release(&judged);
        }
    sf_strlist_release(&dirs);
}

/* The directory of a command, and what earlier ones have spilled, are readable. */
static void test_also_read(void **state)
{
    struct fixture *f = *state;
    char *dir = test_path(f->c->home, ".ssh/here"), *spill = test_path(f->c->home, ".ssh/spill");
    const struct sf_confine_call call = { .dir = dir };
    struct sf_cage_plan plan;

    tree_puts(f->c->home, ".ssh/here/x", "");
    tree_puts(f->c->home, ".ssh/spill/x", "");
    sf_policy_context_set_spill(&f->c->policy, spill);
    sf_confine_plan(f->confine, &call, &plan);
    assert_true(has(&plan, SF_CAGE_READ, f->c->home, ".ssh/here"));
    assert_true(has(&plan, SF_CAGE_READ, f->c->home, ".ssh/spill"));
    sf_cage_plan_release(&plan);
    free(dir);
    free(spill);
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_rows),
        CASE(test_obeyed),
        CASE(test_secrets),
        CASE(test_added_secrets),
        CASE(test_report),
        CASE(test_named),
        CASE(test_identities),
        CASE(test_care),
        CASE(test_hints),
        CASE(test_hints_of_fences),
        CASE(test_settings),
        CASE(test_no_cage),
        CASE(test_settled),
        CASE(test_noted),
        CASE(test_git_directory),
        CASE(test_own),
        CASE(test_no_place),
        CASE(test_also_read),
        cmocka_unit_test_setup_teardown(test_moved_identities, setup_moved, teardown_moved),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
