/*
 * What a workspace and the user's environment make of the rules: where secrets were moved to, and
 * which approvals there are.
 */
#include <stdlib.h>
#include <string.h>

#include "support/judge_case.h"
#include "support/store_case.h"
#include "support/test.h"
#include "support/tree.h"

static int setup(void **state)
{
    struct judge_case *f = judge_case_new();

    tree_puts(f->home, ".config/x", "");
    tree_puts(f->dir, "conf/x", "");
    judge_case_run(f->dir, "ln -s round round");
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    judge_case_free(*state);
    return 0;
}

/* "@" stands for the test's directory, in which the home directory is "home". */
static const struct {
    const char *name, *variable, *value;
    size_t count;
    const char *at; /* the last of them, below the test's directory */
} moves[] = {
    { "moved", "XDG_CONFIG_HOME", "@/conf", 1, "conf" },
    { "moved to where nothing is yet", "CARGO_HOME", "@/none", 1, "none" },
    { "where it always was", "XDG_CONFIG_HOME", "@/home/.config", 0, NULL },
    { "the home directory itself", "XDG_CONFIG_HOME", "@/home", 0, NULL },
    { "a directory that holds the home", "XDG_DATA_HOME", "@", 0, NULL },
    { "elsewhere in the home", "GNUPGHOME", "@/home/keys", 1, "home/keys" },
    { "no path from the root", "GNUPGHOME", "keys", 0, NULL },
    { "nothing", "GNUPGHOME", "", 0, NULL },
    { "a list", "KUBECONFIG", "@/a:@/b", 2, "b" },
    { "a list with gaps", "KUBECONFIG", ":@/a::@/home/.kube/config:", 1, "a" },
    { "where no path leads", "CARGO_HOME", "@/round/x/", 1, "round/x" },
    { "no list, with a colon", "NETRC", "@/a:b", 1, "a:b" },
};

static void set(const char *dir, const char *variable, const char *value)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    for (; *value; value++)
        if (*value == '@')
            sf_strbuf_adds(&text, dir);
        else
            sf_strbuf_addch(&text, *value);
    setenv(variable, text.buf ? text.buf : "", 1);
    sf_strbuf_release(&text);
}

static void test_moved(void **state)
{
    struct judge_case *f = *state;

    for (size_t i = 0; i < SF_COUNT(moves); i++) {
        struct sf_policy_context policy;
        struct sf_error err = SF_ERROR_INIT;
        const struct sf_path_places *p = &policy.places;
        char *want = moves[i].at ? test_path(f->dir, moves[i].at) : NULL;

        set(f->dir, moves[i].variable, moves[i].value);
        assert_true(sf_policy_context_init(&policy, f->config, &f->workspace, &err));
        if (p->moved_count != moves[i].count ||
            (want && strcmp(p->moved[p->moved_count - 1].at, want) != 0))
            fail_msg("%s: %zu, the last %s", moves[i].name, p->moved_count,
                     p->moved_count ? p->moved[p->moved_count - 1].at : "none");
        sf_policy_context_release(&policy);
        unsetenv(moves[i].variable);
        free(want);
    }
}

/* More than there is room for: the first of them count. */
static void test_too_many_moved(void **state)
{
    struct judge_case *f = *state;
    struct sf_strbuf list = SF_STRBUF_INIT;
    struct sf_policy_context policy;
    struct sf_error err = SF_ERROR_INIT;

    for (int i = 0; i < 500; i++)
        sf_strbuf_addf(&list, "%s%s/k%d", i ? ":" : "", f->dir, i);
    setenv("KUBECONFIG", list.buf, 1);
    assert_true(sf_policy_context_init(&policy, f->config, &f->workspace, &err));
    assert_int_equal(policy.places.moved_count, 32);
    sf_policy_context_release(&policy);
    unsetenv("KUBECONFIG");
    sf_strbuf_release(&list);
}

/* A scope of the settings has all that it names, and the strategy beside it. */
static void test_scopes(void **state)
{
    static const char text[] = "[modes.web]\nwritable = [\"web/\", \"css/\", \"a.html\"]\n"
                               "strategy = \"small steps\"\n[modes.api]\nwritable = [\"api/\"]\n";
    struct judge_case *f = *state;
    struct sf_policy_context policy;
    struct sf_error err = SF_ERROR_INIT;
    const struct sf_scope *web, *api;

    sf_config_add_file(f->config, SF_LAYER_USER, "config.toml", text, strlen(text), true);
    assert_true(sf_policy_context_init(&policy, f->config, &f->workspace, &err));
    web = sf_scope_find(&policy.scopes, "web");
    api = sf_scope_find(&policy.scopes, "api");
    assert_non_null(web);
    assert_non_null(api);
    assert_string_equal(web->writable[0], "web/");
    assert_string_equal(web->writable[1], "css/");
    assert_string_equal(web->writable[2], "a.html");
    assert_null(web->writable[3]);
    assert_string_equal(web->strategy, "small steps");
    assert_string_equal(api->writable[0], "api/");
    assert_null(api->writable[1]);
    assert_string_equal(api->strategy, "");
    sf_policy_context_release(&policy);
}

static void approve(struct sf_policy_context *policy, struct sf_store *store, const char *pattern,
                    const char *session)
{
    const struct sf_approval_new row = { .session = session, .pattern = pattern };
    struct sf_error err = SF_ERROR_INIT;

    if (store && !sf_store_approval_add(store, &row, &err))
        fail_msg("%s", err.msg);
    sf_policy_context_approve(policy, pattern, session);
}

/* What the store has no longer goes, a session's approvals go with it; the settings' rules stay. */
static void test_approvals_end(void **state)
{
    static const char text[] = "[guard]\nallow = [\"make\", \"ls\"]\n";
    struct judge_case *f = *state;
    char *dir = test_path(f->dir, "store"), session[SF_ID_LEN + 1];
    struct sf_store *store = test_store_open(dir, SF_STORE_WRITE);
    struct sf_policy_context policy;
    struct sf_error err = SF_ERROR_INIT;
    size_t before;

    test_store_session(store, session);
    sf_config_add_file(f->config, SF_LAYER_USER, "config.toml", text, strlen(text), true);
    assert_true(sf_policy_context_init(&policy, f->config, &f->workspace, &err));
    before = policy.rule_count;
    assert_true(before >= 2);
    approve(&policy, NULL, "one", session);
    approve(&policy, store, "two", NULL);
    approve(&policy, store, "three", session);
    approve(&policy, NULL, "four", NULL);
    assert_true(sf_policy_context_refresh(&policy, store, &err));
    assert_int_equal(policy.rule_count, before + 2);
    assert_string_equal(policy.rules[before].pattern, "two");
    assert_string_equal(policy.rules[before + 1].pattern, "three");
    sf_policy_context_forget(&policy);
    assert_int_equal(policy.rule_count, before + 1);
    assert_string_equal(policy.rules[before].pattern, "two");
    for (size_t i = 0; i < before; i++)
        assert_int_equal(policy.rules[i].source, SF_RULE_SETTINGS);
    sf_policy_context_release(&policy);
    sf_store_close(store);
    free(dir);
}

/* From now on sf takes no programs from the workspace. */
static void test_programs(void **state)
{
    struct judge_case *f = *state;
    struct sf_policy_context policy;
    struct sf_error err = SF_ERROR_INIT;
    char *path;

    assert_true(sf_policy_context_init(&policy, f->config, &f->workspace, &err));
    path = sf_env_path(f->workspace.root, NULL);
    assert_string_equal(path, "");
    free(path);
    path = sf_env_path(f->home, NULL);
    assert_string_equal(path, f->home);
    free(path);
    sf_policy_context_release(&policy);
}

/* Where there is no workspace there is no policy for it either. */
static void test_no_workspace(void **state)
{
    struct judge_case *f = *state;
    struct sf_policy_context policy;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_workspace none = { .root = test_path(f->dir, "none") };

    assert_false(sf_policy_context_init(&policy, f->config, &none, &err));
    assert_non_null(strstr(err.msg, "none"));
    free(none.root);
}

/* An approval is one rule, however often it is given, and each source has its own. */
static void test_approvals(void **state)
{
    static const struct {
        const char *pattern;
        const char *session;
        size_t added;
    } steps[] = {
        { "Bash(make)", "a", 1 },  { "Bash(ls)", "a", 2 },  { "Bash(ls)", "a", 2 },
        { "Bash(make)", "a", 2 },  { "Bash(ls)", NULL, 3 }, { "Bash(ls)", NULL, 3 },
        { "Bash(make)", NULL, 4 }, { "Bash(l)", NULL, 5 },
    };
    struct judge_case *f = *state;
    struct sf_policy_context policy;
    struct sf_error err = SF_ERROR_INIT;
    size_t before;

    assert_true(sf_policy_context_init(&policy, f->config, &f->workspace, &err));
    before = policy.rule_count;
    for (size_t i = 0; i < SF_COUNT(steps); i++) {
        sf_policy_context_approve(&policy, steps[i].pattern, steps[i].session);
        if (policy.rule_count != before + steps[i].added)
            fail_msg("after step %zu there are %zu", i, policy.rule_count - before);
    }
    sf_policy_context_release(&policy);
}

/* The rules of the settings, each with its answer. */
static void test_rules(void **state)
{
    static const char text[] = "[guard]\nallow = [\"make\", \"ls\"]\nask = [\"curl\"]\n"
                               "deny = [\"rm\", \"dd\"]\n";
    static const struct {
        const char *pattern;
        enum sf_answer answer;
    } want[] = { { "rm", SF_DENY },
                 { "dd", SF_DENY },
                 { "curl", SF_ASK },
                 { "make", SF_ALLOW },
                 { "ls", SF_ALLOW } };
    struct judge_case *f = *state;

    sf_config_add_file(f->config, SF_LAYER_USER, "config.toml", text, strlen(text), true);
    judge_case_begin(f);
    assert_int_equal(f->policy.rule_count, SF_COUNT(want));
    for (size_t i = 0; i < SF_COUNT(want); i++) {
        assert_string_equal(f->policy.rules[i].pattern, want[i].pattern);
        assert_int_equal(f->policy.rules[i].answer, want[i].answer);
        assert_int_equal(f->policy.rules[i].source, SF_RULE_SETTINGS);
    }
}

/* A rule or a scope that says nothing makes no policy, and the error names it. */
static void test_bad_settings(void **state)
{
    static const struct {
        const char *text, *words;
    } texts[] = {
        { "[guard]\nask = [\"make\", \"--x\"]\n", "guard.ask: " },
        { "[modes.web]\nwritable = [\"../x\"]\n", "web" },
    };
    struct judge_case *f = *state;

    for (size_t i = 0; i < SF_COUNT(texts); i++) {
        struct sf_config *config = sf_config_new();
        struct sf_policy_context policy;
        struct sf_error err = SF_ERROR_INIT;

        sf_config_add_file(config, SF_LAYER_USER, "config.toml", texts[i].text,
                           strlen(texts[i].text), true);
        if (sf_policy_context_init(&policy, config, &f->workspace, &err) ||
            !strstr(err.msg, texts[i].words))
            fail_msg("%s: %s", texts[i].text, err.msg);
        sf_config_free(config);
    }
}

/* Directories that hold sources, by their usual names. */
static void test_sources(void **state)
{
    static const struct {
        const char *script;
        bool sources;
    } steps[] = {
        { "true", false },
        { "touch src lib", false },
        { "rm src; mkdir src", true },
        { "rm -r src lib; mkdir lib", true },
    };
    struct judge_case *f = *state;

    for (size_t i = 0; i < SF_COUNT(steps); i++) {
        judge_case_run(f->workspace.root, steps[i].script);
        judge_case_begin(f);
        if (f->policy.scopes.has_sources != steps[i].sources)
            fail_msg("%s", steps[i].script);
    }
}

/* Where sf's own data lies; a link of the project to its settings leads to such data too. */
static void test_own(void **state)
{
    static const struct {
        const char *script;
        size_t count;
    } steps[] = {
        { "mkdir .sf", 2 },
        { "rmdir .sf; mkdir ../theirs; ln -s ../theirs .sf", 3 },
    };
    struct judge_case *f = *state;

    for (size_t i = 0; i < SF_COUNT(steps); i++) {
        char *link = test_path(f->dir, "theirs");

        judge_case_run(f->workspace.root, steps[i].script);
        judge_case_begin(f);
        assert_int_equal(f->policy.places.own_count, steps[i].count);
        assert_non_null(strstr(f->policy.own[0], ".local/state/sf"));
        assert_non_null(strstr(f->policy.own[1], ".config/sf"));
        if (steps[i].count > 2)
            assert_string_equal(f->policy.own[2], link);
        free(link);
    }
}

/* What the settings and the user's trust say, and that nothing is trusted before. */
static void test_modes(void **state)
{
    static const char text[] = "[guard]\napproval_mode = \"never\"\nallow_shell = false\n"
                               "cage = \"off\"\n[defaults]\npermission_profile = \"trusted\"\n";
    struct judge_case *f = *state;
    struct sf_error err = SF_ERROR_INIT;

    judge_case_begin(f);
    assert_true(f->policy.allow_shell);
    assert_false(f->policy.trusted);
    assert_int_equal(f->policy.caged, sf_kernel_fences());
    assert_int_equal(f->policy.approval, f->policy.configured);
    assert_int_not_equal(f->state.profile, SF_PROFILE_TRUSTED);
    if (!sf_trust_add(f->workspace.root, 0, &err))
        fail_msg("%s", err.msg);
    sf_config_add_file(f->config, SF_LAYER_USER, "config.toml", text, strlen(text), true);
    judge_case_begin(f);
    assert_false(f->policy.allow_shell);
    assert_false(f->policy.caged);
    assert_true(f->policy.trusted);
    assert_int_equal(f->policy.approval, SF_APPROVAL_NEVER);
    assert_int_equal(f->policy.configured, SF_APPROVAL_NEVER);
    assert_int_equal(f->state.profile, SF_PROFILE_TRUSTED);
}

/* A store that cannot be read takes no approval away, and says why. */
static void test_store_fails(void **state)
{
    struct judge_case *f = *state;
    char *dir = test_path(f->dir, "store");
    struct sf_store *store = test_store_open(dir, SF_STORE_WRITE);
    struct sf_error err = SF_ERROR_INIT;

    judge_case_begin(f);
    sf_policy_context_approve(&f->policy, "one", NULL);
    test_sql_exec(dir, "DROP TABLE approvals");
    assert_false(sf_policy_context_refresh(&f->policy, store, &err));
    assert_true(*err.msg);
    assert_int_equal(f->policy.rule_count, 1);
    assert_false(sf_policy_context_recall(&f->policy, store, NULL, &err));
    sf_store_close(store);
    free(dir);
}

/* What the store kept comes back: the workspace's approvals and those of the session. */
static void test_recall(void **state)
{
    static const struct {
        const char *pattern;
        int session; /* -1: none */
    } rows[] = { { "all", -1 }, { "mine", 0 }, { "theirs", 1 } };
    struct judge_case *f = *state;
    char *dir = test_path(f->dir, "store"), sessions[2][SF_ID_LEN + 1];
    struct sf_store *store = test_store_open(dir, SF_STORE_WRITE);
    struct sf_error err = SF_ERROR_INIT;

    test_store_session(store, sessions[0]);
    test_store_session(store, sessions[1]);
    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        const struct sf_approval_new row = { .session = rows[i].session < 0
                                                            ? NULL
                                                            : sessions[rows[i].session],
                                             .pattern = rows[i].pattern };

        assert_true(sf_store_approval_add(store, &row, &err));
    }
    judge_case_begin(f);
    assert_true(sf_policy_context_recall(&f->policy, store, sessions[0], &err));
    assert_int_equal(f->policy.rule_count, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct sf_rule *rule = &f->policy.rules[i];
        bool mine = !strcmp(rule->pattern, "mine");

        assert_true(mine || !strcmp(rule->pattern, "all"));
        assert_int_equal(rule->answer, SF_ALLOW);
        assert_int_equal(rule->source, mine ? SF_RULE_SESSION : SF_RULE_WORKSPACE);
        if (mine)
            assert_string_equal(rule->session, sessions[0]);
        else
            assert_null(rule->session);
    }
    sf_store_close(store);
    free(dir);
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_moved),         CASE(test_too_many_moved),
        CASE(test_approvals),     CASE(test_no_workspace),
        CASE(test_scopes),        CASE(test_programs),
        CASE(test_approvals_end), CASE(test_rules),
        CASE(test_bad_settings),  CASE(test_sources),
        CASE(test_own),           CASE(test_modes),
        CASE(test_store_fails),   CASE(test_recall),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
