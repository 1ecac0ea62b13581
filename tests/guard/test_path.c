/*
 * What resolved paths mean: the rules and their exceptions, spellings that some file system takes
 * for the same name, scopes, and the words of a refusal. No file is touched here.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "guard/guard.h"
#include "support/ruling.h"
#include "support/test.h"

static const char *const own[] = { "/home/u/.local/state/sf", "/home/u/.config/sf" };
static const struct sf_path_places usual = {
    .root = "/home/u/work/p",
    .home = "/home/u",
    .own = own,
    .own_count = SF_COUNT(own),
};

static struct sf_path_facts facts_of(const char *path, const struct sf_path_places *places)
{
    const struct sf_path_found found = {
        .real = path,
        .inside = path[0] != '/',
        .links = 1,
    };

    return sf_path_classify(&found, places);
}

/* An absolute path is outside. */
static const struct {
    const char *path;
    enum sf_path_zone zone;
    const char *rule;
} zones[] = {
    { "src/a.c", SF_PATH_INSIDE, NULL },
    { "", SF_PATH_INSIDE, NULL },
    { ".gitignore", SF_PATH_INSIDE, NULL },
    { ".gitattributes", SF_PATH_INSIDE, NULL },
    { ".clang-format", SF_PATH_INSIDE, NULL },
    { ".editorconfig", SF_PATH_INSIDE, NULL },
    { ".github/workflows/ci.yml", SF_PATH_INSIDE, NULL },
    { "src/git/config.c", SF_PATH_INSIDE, NULL },
    { "src/.gitkeep", SF_PATH_INSIDE, NULL },
    { "x.git/a", SF_PATH_INSIDE, NULL },
    { "src/..a.c", SF_PATH_INSIDE, NULL },
    { "environment", SF_PATH_INSIDE, NULL },
    { "src/env.c", SF_PATH_INSIDE, NULL },
    { "keys.c", SF_PATH_INSIDE, NULL },
    { "docs/bashrc", SF_PATH_INSIDE, NULL },
    { "src/$id/page.tsx", SF_PATH_INSIDE, NULL },
    { "~notes.txt", SF_PATH_INSIDE, NULL },
    { "a~", SF_PATH_INSIDE, NULL },
    { "/etc/hosts", SF_PATH_OUTSIDE, NULL },
    { "/home/u/work/p-evil/a.c", SF_PATH_OUTSIDE, NULL },
    { "/proc/cpuinfo", SF_PATH_OUTSIDE, NULL },

    { ".git", SF_PATH_PROTECTED, "git-internals" },
    { ".git/config", SF_PATH_PROTECTED, "git-internals" },
    { "sub/.git/hooks/x", SF_PATH_PROTECTED, "git-internals" },
    { ".GIT/config", SF_PATH_PROTECTED, "git-internals" },
    { ".git./hooks/x", SF_PATH_PROTECTED, "git-internals" },
    { ".git /hooks/x", SF_PATH_PROTECTED, "git-internals" },
    { ".git . ./hooks/x", SF_PATH_PROTECTED, "git-internals" },
    { "git~1/hooks/x", SF_PATH_PROTECTED, "git-internals" },
    { "GIT~1/hooks/x", SF_PATH_PROTECTED, "git-internals" },
    { ".git::$INDEX_ALLOCATION/config", SF_PATH_PROTECTED, "git-internals" },
    { ".git\\hooks\\x", SF_PATH_PROTECTED, "git-internals" },
    { ".g\xe2\x80\x8cit/config", SF_PATH_PROTECTED, "git-internals" },
    { "\xef\xbb\xbf.git/config", SF_PATH_PROTECTED, "git-internals" },
    { "/srv/main/.git/worktrees/w/HEAD", SF_PATH_PROTECTED, "git-internals" },
    { ".gitmodules", SF_PATH_PROTECTED, "git-config" },
    { ".husky/pre-commit", SF_PATH_PROTECTED, "git-hooks" },

    { ".sf", SF_PATH_PROTECTED, "sf-policy" },
    { ".sf/config.toml", SF_PATH_PROTECTED, "sf-policy" },
    { ".sf/modes/review.md", SF_PATH_PROTECTED, "sf-policy" },
    { ".sf/hooks/x", SF_PATH_PROTECTED, "sf-policy" },
    { ".SF/Config.toml", SF_PATH_PROTECTED, "sf-policy" },
    { ".\xc5\xbf"
      "f/config.toml",
      SF_PATH_PROTECTED, "sf-policy" },
    { "sub/.sf/config.toml", SF_PATH_PROTECTED, "sf-policy" },
    { ".sf/plans/p.md", SF_PATH_INSIDE, NULL },
    { ".sf/tasks/1.md", SF_PATH_INSIDE, NULL },
    { ".sf/research/r/a.md", SF_PATH_INSIDE, NULL },
    { ".sf/plans-evil/x", SF_PATH_PROTECTED, "sf-policy" },
    { ".sf/plans/.env", SF_PATH_CREDENTIAL, "env-file" },
    { ".sf/plans/../config.toml", SF_PATH_PROTECTED, "sf-policy" },
    { ".kibitzer/config.toml", SF_PATH_PROTECTED, "kibitzer-policy" },
    { ".mcp.json", SF_PATH_PROTECTED, "agent-settings" },
    { ".claude/settings.local.json", SF_PATH_PROTECTED, "agent-settings" },
    { ".vscode/tasks.json", SF_PATH_PROTECTED, "editor-tasks" },
    { "sub/.vscode/settings.json", SF_PATH_PROTECTED, "editor-tasks" },
    { ".idea/workspace.xml", SF_PATH_PROTECTED, "editor-tasks" },
    { "p.code-workspace", SF_PATH_PROTECTED, "editor-tasks" },
    { ".envrc", SF_PATH_PROTECTED, "directory-hook" },
    { ".bashrc", SF_PATH_PROTECTED, "shell-start" },
    { "/home/u/.zshenv", SF_PATH_PROTECTED, "shell-start" },
    { "/home/u/.config/fish/conf.d/x.fish", SF_PATH_PROTECTED, "home-start" },
    { "/home/u/.local/bin/ls", SF_PATH_PROTECTED, "home-start" },
    { "/home/u/.local/state/sf/sf.db", SF_PATH_PROTECTED, "own-state" },
    { "/home/u/.local/state/sf-other", SF_PATH_OUTSIDE, NULL },
    { "RE\u200bADME.md", SF_PATH_PROTECTED, "unseen-name" },
    { "src\u2060/main.c", SF_PATH_PROTECTED, "unseen-name" },
    { "src/ma\u202ein.c", SF_PATH_PROTECTED, "unseen-name" },
    { "src/\u00fcber.c", SF_PATH_INSIDE, NULL },
    { "@args", SF_PATH_PROTECTED, "argument-name" },
    { "@types/x.d.ts", SF_PATH_INSIDE, NULL },
    { "src/@types", SF_PATH_INSIDE, NULL },
    { ".latexmkrc", SF_PATH_PROTECTED, "tool-start" },
    { "~/x", SF_PATH_PROTECTED, "literal-tilde" },
    { "src/~/x", SF_PATH_PROTECTED, "literal-tilde" },
    { "~root/x", SF_PATH_PROTECTED, "literal-variable" },
    { "$HOME/x", SF_PATH_PROTECTED, "literal-variable" },
    { "${HOME}/x", SF_PATH_PROTECTED, "literal-variable" },
    { "%USERPROFILE%/x", SF_PATH_PROTECTED, "literal-variable" },

    { ".env", SF_PATH_CREDENTIAL, "env-file" },
    { ".ENV", SF_PATH_CREDENTIAL, "env-file" },
    { "src/.env.local", SF_PATH_CREDENTIAL, "env-file" },
    { "deploy/production.env", SF_PATH_CREDENTIAL, "env-file" },
    { ".env.example", SF_PATH_INSIDE, NULL },
    { "src/.env.sample", SF_PATH_INSIDE, NULL },
    { ".env.template", SF_PATH_INSIDE, NULL },
    { ".env.example.local", SF_PATH_CREDENTIAL, "env-file" },
    { ".git/.env.example", SF_PATH_PROTECTED, "git-internals" },
    { ".env/lib/python3/site.py", SF_PATH_INSIDE, NULL },
    { "server.pem", SF_PATH_CREDENTIAL, "private-key" },
    { "tests/id_rsa", SF_PATH_CREDENTIAL, "private-key" },
    { "tests/id_rsa.pub", SF_PATH_INSIDE, NULL },
    { "/home/u/.ssh/id_rsa.pub", SF_PATH_CREDENTIAL, "key-store" },
    { "/home/u/.ssh/config", SF_PATH_CREDENTIAL, "key-store" },
    { "/home/u/.aws/credentials", SF_PATH_CREDENTIAL, "key-store" },
    { "/home/u/.kube/config", SF_PATH_CREDENTIAL, "key-store" },
    { "/home/u/.config/gh/hosts.yml", SF_PATH_CREDENTIAL, "key-store" },
    { "/home/u/.netrc", SF_PATH_CREDENTIAL, "password-file" },
    { ".npmrc", SF_PATH_CREDENTIAL, "password-file" },
    { "/home/u/.docker/config.json", SF_PATH_CREDENTIAL, "key-store" },
    { "/home/u/.cargo/credentials.toml", SF_PATH_CREDENTIAL, "home-credentials" },
    { "/home/u/snap/firefox/common/.mozilla/x", SF_PATH_CREDENTIAL, "browsers-and-mail" },
    { "/home/u/.var/app/org.mozilla.firefox/x", SF_PATH_CREDENTIAL, "browsers-and-mail" },
    { "/home/u/.config/microsoft-edge/Default/Cookies", SF_PATH_CREDENTIAL, "browsers-and-mail" },
    { "/home/u/.config/Code/User/globalStorage/state.vscdb", SF_PATH_CREDENTIAL,
      "browsers-and-mail" },
    { "/home/u/.config/Code/User/settings.json", SF_PATH_PROTECTED, "home-start" },
    { "/home/u/.config/Bitwarden CLI/data.json", SF_PATH_CREDENTIAL, "wallets" },
    { "/home/u/.bitcoin/wallets/x", SF_PATH_CREDENTIAL, "wallets" },
    { "/home/u/.config/glab-cli/config.yml", SF_PATH_CREDENTIAL, "home-credentials" },
    { "/home/u/.config/configstore/x.json", SF_PATH_CREDENTIAL, "home-credentials" },
    { "/home/u/.kaggle/kaggle.json", SF_PATH_CREDENTIAL, "home-credentials" },
    { "/home/u/.bundle/config", SF_PATH_CREDENTIAL, "home-credentials" },
    { "/home/u/.cache/huggingface/token", SF_PATH_CREDENTIAL, "home-credentials" },
    { "/home/u/.cache/huggingface/hub/model", SF_PATH_OUTSIDE, NULL },
    { "/home/u/.local/share/opencode/auth.json", SF_PATH_CREDENTIAL, "agent-credentials" },
    { "/home/u/.qwen/oauth_creds.json", SF_PATH_CREDENTIAL, "agent-credentials" },
    { "/home/u/.local/share/atuin/history.db", SF_PATH_CREDENTIAL, "history" },
    { "/home/u/.viminfo", SF_PATH_CREDENTIAL, "history" },
    { "/home/u/.netrc.bak", SF_PATH_CREDENTIAL, "password-file" },
    { "/home/u/.git-credentials.old", SF_PATH_CREDENTIAL, "password-file" },
    { "/home/u/.bash_history", SF_PATH_CREDENTIAL, "history" },
    { "/etc/shadow", SF_PATH_CREDENTIAL, "system-credentials" },
    { "/proc/1/mem", SF_PATH_CREDENTIAL, "process-memory" },
    { "/proc/1/task/1/environ", SF_PATH_CREDENTIAL, "process-memory" },
};

static bool same_rule(const struct sf_path_rule *rule, const char *name)
{
    return name ? rule && !strcmp(rule->name, name) : !rule;
}

static void test_zones(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(zones); i++) {
        struct sf_path_facts facts = facts_of(zones[i].path, &usual);

        if (facts.zone != zones[i].zone || !same_rule(facts.rule, zones[i].rule))
            fail_msg("%s: zone %d, rule %s", zones[i].path, (int)facts.zone,
                     facts.rule ? facts.rule->name : "none");
    }
}

/* "./", "//" and letters of the other case change no rule. */
static void test_spelling_changes_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(zones); i++) {
        struct sf_strbuf loud = SF_STRBUF_INIT;
        struct sf_path_facts facts;
        const char *path = zones[i].path;

        if (zones[i].rule && zones[i].path[0] != '/') {
            for (const char *p = path; *p; p++) {
                bool letter = *p >= 'a' && *p <= 'z';

                sf_strbuf_addch(&loud, (char)(letter ? *p - 'a' + 'A' : *p));
                if (*p == '/')
                    sf_strbuf_adds(&loud, "/./");
            }
            facts = facts_of(loud.buf, &usual);
            if (facts.zone != zones[i].zone || !same_rule(facts.rule, zones[i].rule))
                fail_msg("%s: zone %d", loud.buf, (int)facts.zone);
        }
        sf_strbuf_release(&loud);
    }
}

/* Whatever the rules say, what is outside is never inside, and never simply allowed. */
static void test_outside_is_never_allowed(void **state)
{
    static const char *const everything[] = { "*", NULL };
    const struct sf_scope scope = { "free", everything, "" };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(zones); i++)
        for (int deed = PATH_READS; deed <= PATH_DELETES; deed++) {
            struct sf_path_found found = { .real = zones[i].path, .links = 1 };
            struct sf_path_facts facts = sf_path_classify(&found, &usual);

            if (facts.inside || facts.zone == SF_PATH_INSIDE ||
                path_ruling(&facts, (enum path_deed)deed, &scope, NULL) == SF_ALLOW)
                fail_msg("%s is allowed outside", zones[i].path);
        }
}

static void test_names_on_the_way_count(void **state)
{
    static const char *const via[] = { "src/l/config.toml", ".sf/config.toml" };
    static const char *const secret[] = { "/home/u/.ssh/k" };
    struct sf_path_found found = {
        .real = "decoy/config.toml",
        .inside = true,
        .via = via,
        .via_count = SF_COUNT(via),
        .links = 1,
    };

    (void)state;
    assert_string_equal(sf_path_classify(&found, &usual).rule->name, "sf-policy");
    found.via_count = 1;
    assert_int_equal(sf_path_classify(&found, &usual).zone, SF_PATH_INSIDE);
    found.git_dir = true;
    assert_string_equal(sf_path_classify(&found, &usual).rule->name, "git-shape");
    found.via = secret;
    assert_int_equal(sf_path_classify(&found, &usual).zone, SF_PATH_CREDENTIAL);
}

static void test_workspaces_in_odd_places(void **state)
{
    struct sf_path_places places = usual;

    (void)state;
    /* In ~/.config work goes on, but the home's credentials stay what they are. */
    places.root = "/home/u/.config/nvim";
    assert_int_equal(facts_of("init.lua", &places).zone, SF_PATH_INSIDE);
    places.root = "/home/u/.mozilla/p";
    assert_int_equal(facts_of("key4.db", &places).zone, SF_PATH_CREDENTIAL);
    /* A worktree in the state directory is a workspace; the rest of that directory is not. */
    places.root = "/home/u/.local/state/sf/w/1";
    assert_int_equal(facts_of("src/a.c", &places).zone, SF_PATH_INSIDE);
    assert_int_equal(facts_of("/home/u/.local/state/sf/sf.db", &places).zone, SF_PATH_PROTECTED);
    /* The home directory as the workspace. */
    places.root = "/home/u";
    assert_int_equal(facts_of(".config/autostart/x.desktop", &places).zone, SF_PATH_PROTECTED);
    assert_int_equal(facts_of(".local/state/sf/sf.db", &places).zone, SF_PATH_PROTECTED);
    assert_int_equal(facts_of("work/a.c", &places).zone, SF_PATH_INSIDE);
    /* Everything as the workspace. */
    places.root = "/";
    assert_int_equal(facts_of("etc/shadow", &places).zone, SF_PATH_CREDENTIAL);
    assert_int_equal(facts_of("home/u/.bash_history", &places).zone, SF_PATH_CREDENTIAL);
    places.home = NULL;
    assert_int_equal(facts_of("home/u/.bash_history", &places).zone, SF_PATH_INSIDE);
}

/* What a variable moved is judged as if it lay in the home directory; its innermost place counts. */
static const struct sf_path_moved moves[] = {
    { "/srv/cfg", ".config" },
    { "/srv/cfg/tools/gh2", ".config/gh" },
    { "/home/u/keys", ".gnupg" },
    { "/srv/clusters/a.yaml", ".kube/config" },
    { "/home/u/work/p/.cargo-home", ".cargo" },
};

static const struct {
    const char *path;
    enum sf_path_zone zone;
    const char *rule;
} moved[] = {
    { "/srv/cfg/gh/hosts.yml", SF_PATH_CREDENTIAL, "key-store" },
    { "/srv/cfg/stripe/config.toml", SF_PATH_CREDENTIAL, "home-credentials" },
    { "/srv/cfg/tools/gh2/hosts.yml", SF_PATH_CREDENTIAL, "key-store" },
    { "/srv/cfg/autostart/x.desktop", SF_PATH_PROTECTED, "home-start" },
    { "/srv/cfg-evil/gh/hosts.yml", SF_PATH_OUTSIDE, NULL },
    { "/srv/other", SF_PATH_OUTSIDE, NULL },
    { "/home/u/keys/private-keys-v1.d/x", SF_PATH_CREDENTIAL, "key-store" },
    { "/srv/clusters/a.yaml", SF_PATH_CREDENTIAL, "key-store" },
    { "/srv/clusters/b.yaml", SF_PATH_OUTSIDE, NULL },
    { ".cargo-home/credentials.toml", SF_PATH_CREDENTIAL, "home-credentials" },
    { ".cargo-home/bin/x", SF_PATH_PROTECTED, "home-start" },
    { ".cargo-home/registry/index", SF_PATH_INSIDE, NULL },
    { "/home/u/.config/gh/hosts.yml", SF_PATH_CREDENTIAL, "key-store" },
};

static void test_places_that_moved(void **state)
{
    struct sf_path_places places = usual;

    (void)state;
    places.moved = moves;
    places.moved_count = SF_COUNT(moves);
    for (size_t i = 0; i < SF_COUNT(moved); i++) {
        struct sf_path_facts facts = facts_of(moved[i].path, &places);

        if (facts.zone != moved[i].zone ||
            (moved[i].rule && strcmp(facts.rule->name, moved[i].rule) != 0))
            fail_msg("%s: zone %d, rule %s", moved[i].path, facts.zone,
                     facts.rule ? facts.rule->name : "none");
    }
    /* Whoever opens a workspace in there means to work there. */
    places.root = "/srv/cfg/nvim";
    assert_int_equal(facts_of("init.lua", &places).zone, SF_PATH_INSIDE);
}

static const struct {
    const char *name, *entry, *path;
    bool want;
} scopes[] = {
    { "a directory", "src/", "src/a.c", true },
    { "its doubled slash", "src//", "src/a.c", true },
    { "its dot", "./src/./", "src/a.c", true },
    { "a longer sibling", "src/", "src-evil/a.c", false },
    { "the directory itself", "src/", "src", false },
    { "a file", "README.md", "README.md", true },
    { "a longer file", "README.md", "README.md.bak", false },
    { "below a file", "README.md", "README.md/x", false },
    { "everything", "*", "a/b/c", true },
    { "everything, but not the root", "*", "", false },
    { "nothing", "", "src/a.c", false },
    { "a dot alone", ".", "src/a.c", false },
    { "a slash alone", "/", "src/a.c", false },
    { "an absolute entry", "/src/", "src/a.c", false },
    { "an entry that leaves", "../lib/", "lib/x", false },
    { "an entry that leaves and returns", "src/../lib/", "lib/x", false },
    { "another case", "SRC/", "src/a.c", false },
    { "a star inside", "src/*", "src/a.c", false },
    { "a path that climbs", "src/", "src/../x", false },
    { "a control character", "src/\a", "src/\a/x", false },
};

/* As work mode build writes, which adds nothing to the scope and takes nothing from it. */
static bool allows(const struct sf_scope *scope, const char *path, size_t len)
{
    const struct sf_writable writable = sf_writable_of(SF_WORK_BUILD, scope);

    return sf_writable_allows(&writable, path, len);
}

static void test_scopes(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(scopes); i++) {
        const char *const list[] = { "nowhere/", scopes[i].entry, NULL };
        const struct sf_scope scope = { "s", list, "" };

        if (allows(&scope, scopes[i].path, strlen(scopes[i].path)) != scopes[i].want)
            fail_msg("%s", scopes[i].name);
    }
}

static const struct {
    const char *name, *path;
    enum path_deed deed;
    unsigned long links;
    enum sf_answer want;
    const char *rule;
} verdicts[] = {
    { "reading", "tests/a.c", PATH_READS, 1, SF_ALLOW, "" },
    { "writing in scope", "src/a.c", PATH_WRITES, 1, SF_ALLOW, "" },
    { "creating in scope", "lib/a.c", PATH_CREATES, 0, SF_ALLOW, "" },
    { "deleting in scope", "lib/a.c", PATH_DELETES, 1, SF_ALLOW, "" },
    { "deleting out of scope", "a.c", PATH_DELETES, 1, SF_DENY, "scope" },
    { "writing out of scope", "tests/a.c", PATH_WRITES, 1, SF_DENY, "scope" },
    { "writing a second name", "src/a.c", PATH_WRITES, 2, SF_ASK, "second-name" },
    { "reading a second name", "src/a.c", PATH_READS, 2, SF_ALLOW, "" },
    { "reading protected", ".git/HEAD", PATH_READS, 1, SF_ALLOW, "" },
    { "writing protected in scope", "src/.git/x", PATH_WRITES, 1, SF_DENY, "git-internals" },
    { "reading a credential", "src/.env", PATH_READS, 1, SF_ASK, "env-file" },
    { "writing a credential", "src/.env", PATH_WRITES, 1, SF_DENY, "env-file" },
    { "reading outside", "/etc/hosts", PATH_READS, 1, SF_ASK, "read-outside" },
    { "writing outside", "/etc/hosts", PATH_WRITES, 1, SF_ASK, "write-outside" },
    { "deleting credentials outside", "/home/u/.ssh/k", PATH_DELETES, 1, SF_DENY, "key-store" },
};

static void test_verdicts(void **state)
{
    static const char *const list[] = { "src/", "lib/", NULL };
    const struct sf_scope scope = { "implement", list, "" };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(verdicts); i++) {
        struct sf_path_facts facts = facts_of(verdicts[i].path, &usual);
        struct sf_verdict verdict;
        enum sf_answer answer;

        facts.shared = verdicts[i].links > 1;
        answer = path_ruling(&facts, verdicts[i].deed, &scope, &verdict);
        if (answer != verdicts[i].want ||
            (answer != SF_ALLOW && strcmp(verdict.rule, verdicts[i].rule) != 0))
            fail_msg("%s: %d by %s", verdicts[i].name, (int)answer, verdict.rule);
        assert_true(answer == SF_ALLOW || verdict.reason[0]);
    }
}

static void test_words(void **state)
{
    static const char *const list[] = { "src/", "lib/", NULL }, *const none[] = { NULL };
    const struct sf_scope implement = { "implement", list, "" }, review = { "review", none, "" };
    struct sf_path_facts facts = facts_of("tests/a.c", &usual);
    struct sf_verdict verdict;

    (void)state;
    path_ruling(&facts, PATH_WRITES, &implement, &verdict);
    assert_string_equal(verdict.reason,
                        "Path 'tests/a.c' is not writable in scope implement (writable: src/, "
                        "lib/). Call ChangeToolMode to switch.");
    path_ruling(&facts, PATH_WRITES, &review, &verdict);
    assert_non_null(strstr(verdict.reason, "(writable: nothing)"));
}

/* A name that later commands take for something else asks, whoever writes it. */
static void test_traps(void **state)
{
    static const struct {
        const char *path;
        bool trap;
    } names[] = {
        { "-rf", true },
        { "src/-rf", true },
        { "--output=x", true },
        { "*", true },
        { "src/*.c", true },
        { "a?", true },
        { "~", true },
        { "~root", true },
        { "file:/x", true },
        { "http:/example.org/x", true },
        { "$(touch x)", true },
        { "a`id`", true },
        { "src/a-b.c", false },
        { "a-rf", false },
        { "pages/[id].tsx", false },
        { "app/[...slug]/page.tsx", false },
        { "src/$id/page.tsx", false },
        { "a~", false },
        { "c:x", false },
        { ".env.example", false },
        { "notes (old).md", false },
    };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(names); i++)
        if (sf_path_is_trap(names[i].path) != names[i].trap)
            fail_msg("%s: %s", names[i].path, names[i].trap ? "not noticed" : "a false alarm");
}

/* Long names and many parts cost no memory that is not there, and match as short ones do. */
static void test_long_paths(void **state)
{
    struct sf_strbuf path = SF_STRBUF_INIT;
    enum sf_path_zone deep, wide;

    (void)state;
    while (path.len < 4000)
        sf_strbuf_adds(&path, "d/");
    sf_strbuf_adds(&path, ".git/x");
    deep = facts_of(path.buf, &usual).zone;
    sf_strbuf_reset(&path);
    sf_strbuf_fill(&path, 'a', 4000);
    sf_strbuf_adds(&path, ".pem");
    wide = facts_of(path.buf, &usual).zone;
    sf_strbuf_release(&path);
    assert_int_equal(deep, SF_PATH_PROTECTED);
    assert_int_equal(wide, SF_PATH_CREDENTIAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zones),
        cmocka_unit_test(test_spelling_changes_nothing),
        cmocka_unit_test(test_outside_is_never_allowed),
        cmocka_unit_test(test_names_on_the_way_count),
        cmocka_unit_test(test_workspaces_in_odd_places),
        cmocka_unit_test(test_places_that_moved),
        cmocka_unit_test(test_scopes),
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_traps),
        cmocka_unit_test(test_long_paths),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
