/*
 * test_rule.c: what a pattern covers, in any order of rules.
 */
#include "base/base.h"
#include "guard/guard.h"
#include "support/test.h"

/* Judges a command under rules; what it writes is the file `out` of the workspace. */
static enum sf_answer judge_in(enum sf_work_mode work, enum sf_profile profile, const char *command,
                               const struct sf_rule *rules, size_t count)
{
    const struct sf_action_path out = {
        .path = "out", .zone = SF_PATH_INSIDE, .writes = true, .rule = "", .reason = ""
    };
    const struct sf_scope_set set = { NULL, 0, true };
    struct sf_policy policy = { .approval = SF_APPROVAL_SUGGEST,
                                .registry.allow_shell = true,
                                .rules = rules,
                                .rule_count = count };
    struct sf_shell_report report;
    struct sf_action action = { .tool = "Bash", .act = SF_ACT_SHELL, .shell = &report };
    struct sf_mode_state state;
    struct sf_verdict v;

    sf_mode_state_init(&state, SF_SURFACE_TUI);
    state.work = work;
    state.control = SF_RUN_ASSISTED;
    state.profile = profile;
    policy.scope = sf_scope_find(&set, "free");
    sf_shell_classify(command, strlen(command), &report);
    action.hosts = (const char *const *)report.hosts.items;
    action.paths = &out;
    action.path_count = report.redirects;
    sf_guard_verdict(&action, &state, &policy, &v);
    sf_shell_report_release(&report);
    return v.answer;
}

/* The rest of the state allows everything that is not destructive. */
static enum sf_answer judge(const char *command, const struct sf_rule *rules, size_t count)
{
    return judge_in(SF_WORK_BUILD, SF_PROFILE_NORMAL, command, rules, count);
}

static const struct {
    const char *name, *pattern, *command;
    enum sf_answer rule, want; /* under profile normal a build asks */
} cases[] = {
    { "a family covers its flags", "cargo build", "cargo build --release -v", SF_ALLOW, SF_ALLOW },
    { "and no other verb", "cargo build", "cargo test", SF_ALLOW, SF_ASK },
    { "a program covers its verbs", "yarn", "yarn test", SF_ALLOW, SF_ALLOW },
    { "but no longer name", "yarn", "yarnx test", SF_ALLOW, SF_ASK },
    { "one script is not all scripts", "npm run build", "npm run deploy", SF_ALLOW, SF_ASK },
    { "that script is", "npm run build", "npm run build", SF_ALLOW, SF_ALLOW },
    { "one target is not all targets", "make test", "make deploy", SF_ALLOW, SF_ASK },
    { "nor is it those beside it", "make test", "make test install", SF_ALLOW, SF_ASK },
    { "a denied target is found anywhere", "make install", "make test install", SF_DENY, SF_DENY },
    { "a rule is for this place", "cargo build", "cargo build --manifest-path /x/Cargo.toml",
      SF_ALLOW, SF_ASK },
    { "not for another directory", "make test", "make -C /x test", SF_ALLOW, SF_ASK },
    { "nor for another makefile", "make", "make -f/x/evil.mk", SF_ALLOW, SF_ASK },
    { "unless it says so", "make -C", "make -C sub test", SF_ALLOW, SF_ALLOW },
    { "a denial is for every place", "make test", "make -C /x test", SF_DENY, SF_DENY },
    { "a variable steers what is allowed", "make test", "MAKEFLAGS=-fevil make test", SF_ALLOW,
      SF_ASK },
    { "npm reads its settings from some", "npm test", "npm_config_script_shell=./evil npm test",
      SF_ALLOW, SF_ASK },
    { "one names the compiler", "cargo build", "RUSTC=./evil cargo build", SF_ALLOW, SF_ASK },
    { "so does one that env sets", "cargo build", "env RUSTC=./evil cargo build", SF_ALLOW,
      SF_ASK },
    { "and one nobody knows", "make test", "NOBODY_KNOWS=1 make test", SF_ALLOW, SF_ASK },
    { "some only change what it tells", "npm run build", "CI=1 NODE_ENV=test npm run build",
      SF_ALLOW, SF_ALLOW },
    { "every part must be covered", "cargo build", "cargo build && frobnicate", SF_ALLOW, SF_ASK },
    { "nothing rides along in a pipe", "cargo build", "cargo build | frobnicate", SF_ALLOW,
      SF_ASK },
    { "nor in a substitution", "cargo build", "cargo build $(frobnicate)", SF_ALLOW, SF_ASK },
    { "allow does not reach the harness", "rm", "rm -rf build", SF_ALLOW, SF_ASK },
    { "deny hits any part", "git push", "make && git push", SF_DENY, SF_DENY },
    { "deny looks through wrappers", "git push", "env A=1 git push", SF_DENY, SF_DENY },
    { "and into shell texts", "git push", "sh -c 'git push'", SF_DENY, SF_DENY },
    { "and past global options", "git push", "git -C x push", SF_DENY, SF_DENY },
    { "an option narrows a rule", "git push --force", "git push origin", SF_DENY, SF_ASK },
    { "and hits when it is there", "git push --force", "git push --force", SF_DENY, SF_DENY },
    { "short options in a cluster", "ls -R", "ls -laR", SF_DENY, SF_DENY },
    { "all of them", "ls -lR", "ls -Ral", SF_DENY, SF_DENY },
    { "not some of them", "ls -lR", "ls -la", SF_DENY, SF_ALLOW },
    { "a dash is no letter of it", "ls -lR", "ls -l-", SF_DENY, SF_ALLOW },
    { "nor does it hide the others", "ls -lR", "ls -l-R", SF_DENY, SF_DENY },
    { "a host in a command", "host:example.org", "curl https://example.org/x", SF_DENY, SF_DENY },
    { "a host below a star", "host:*.example.org", "curl https://a.example.org", SF_DENY, SF_DENY },
    { "a look-alike is another host", "host:example.org", "curl https://notexample.org", SF_DENY,
      SF_ASK },
    { "ask beats what would be allowed", "ls", "ls", SF_ASK, SF_ASK },
};

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        const struct sf_rule rule = { cases[i].pattern, cases[i].rule, SF_RULE_SETTINGS, NULL };
        enum sf_answer got = judge(cases[i].command, &rule, 1);

        if (got != cases[i].want)
            fail_msg("%s: %s", cases[i].name, sf_answer_names[got]);
    }
}

/* All 720 orders of six rules give the same answer: deny beats ask beats allow. */
static void test_order_does_not_matter(void **state)
{
    static const struct sf_rule rules[6] = {
        { "git push", SF_ALLOW, SF_RULE_SETTINGS, NULL },
        { "git", SF_ASK, SF_RULE_SETTINGS, NULL },
        { "git push", SF_DENY, SF_RULE_SETTINGS, NULL },
        { "make", SF_ALLOW, SF_RULE_SETTINGS, NULL },
        { "make test", SF_ASK, SF_RULE_SETTINGS, NULL },
        { "cargo", SF_ALLOW, SF_RULE_SETTINGS, NULL },
    };
    size_t orders = 0;

    (void)state;
    for (int n = 0; n < 6 * 6 * 6 * 6 * 6 * 6; n++) {
        struct sf_rule shuffled[6];
        unsigned used = 0;

        for (int k = 0, m = n; k < 6; k++, m /= 6) {
            used |= 1U << m % 6;
            shuffled[k] = rules[m % 6];
        }
        if (used != 0x3f)
            continue;
        orders++;
        assert_int_equal(judge("git push", shuffled, 6), SF_DENY);
        assert_int_equal(judge("make test", shuffled, 6), SF_ASK);
        assert_int_equal(judge("cargo build", shuffled, 6), SF_ALLOW);
    }
    assert_int_equal(orders, 720);
}

/* What output goes into is no part of a command: it is judged as an edit of that file. */
static void test_redirects(void **state)
{
    static const struct {
        const char *name, *command, *more; /* a second allow rule */
        enum sf_work_mode work;
        enum sf_profile profile;
        enum sf_answer want;
    } rows[] = {
        { "restricted reads", "git log", "", SF_WORK_BUILD, SF_PROFILE_RESTRICTED, SF_ALLOW },
        { "and writes nothing by way of it", "git log -p > out", "", SF_WORK_BUILD,
          SF_PROFILE_RESTRICTED, SF_DENY },
        { "not by adding to it", "git log -p >> out", "", SF_WORK_BUILD, SF_PROFILE_RESTRICTED,
          SF_DENY },
        { "nor inside another shell", "git log && (git log &> out)", "", SF_WORK_BUILD,
          SF_PROFILE_RESTRICTED, SF_DENY },
        { "nor by an option", "git log --output=out", "", SF_WORK_BUILD, SF_PROFILE_RESTRICTED,
          SF_DENY },
        { "chat asks for that as well", "curl -o out https://example.org", "curl", SF_WORK_CHAT,
          SF_PROFILE_NORMAL, SF_ASK },
        { "a rule that names the option", "git log --output=out", "git log --output", SF_WORK_BUILD,
          SF_PROFILE_RESTRICTED, SF_ALLOW },
        { "an option that writes nowhere", "git log --output=/dev/null", "", SF_WORK_BUILD,
          SF_PROFILE_RESTRICTED, SF_ALLOW },
        { "chat asks for every write", "git log > out", "", SF_WORK_CHAT, SF_PROFILE_NORMAL,
          SF_ASK },
        { "building, edits are free", "git log > out", "", SF_WORK_BUILD, SF_PROFILE_NORMAL,
          SF_ALLOW },
        { "into nothing is no writing", "git log > /dev/null 2>&1", "", SF_WORK_CHAT,
          SF_PROFILE_RESTRICTED, SF_ALLOW },
        { "a rule for the file", "git log > out", "path:out", SF_WORK_CHAT, SF_PROFILE_RESTRICTED,
          SF_ALLOW },
        { "a rule for another file", "git log > out", "path:outer", SF_WORK_CHAT, SF_PROFILE_NORMAL,
          SF_ASK },
        { "no rule at all in chat", "make > out", "", SF_WORK_CHAT, SF_PROFILE_TRUSTED, SF_ASK },
    };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        const struct sf_rule rules[] = { { "git log", SF_ALLOW, SF_RULE_SETTINGS, NULL },
                                         { rows[i].more, SF_ALLOW, SF_RULE_SETTINGS, NULL } };
        enum sf_answer got;

        got =
            judge_in(rows[i].work, rows[i].profile, rows[i].command, rules, *rows[i].more ? 2 : 1);
        if (got != rows[i].want)
            fail_msg("%s: %s", rows[i].name, sf_answer_names[got]);
    }
}

static void test_check(void **state)
{
    static const char *const bad[] = { "", "  ", "path:", "host: ", "-rf", "a\x1b" };
    struct sf_error err = SF_ERROR_INIT;

    (void)state;
    for (size_t i = 0; i < SF_COUNT(bad); i++)
        assert_false(sf_rule_check(bad[i], &err));
    assert_true(sf_rule_check("cargo build", &err));
    assert_true(sf_rule_check("path:src/", &err));
}

/* One that would match and is wider is not offered as if it were the same. */
static void test_wider(void **state)
{
    struct sf_error err = SF_ERROR_INIT;

    (void)state;
    assert_false(sf_rule_check("git push origin", &err));
    assert_string_equal(
        err.hint, "a rule names no operands: 'git push' would match, whatever stands behind it");
    assert_false(sf_rule_check("Bash(git push:*)", &err));
    assert_string_equal(err.hint, "write 'git push'");
}

/* A rule that can never match is an error that names the one that would. */
static void test_never(void **state)
{
    static const struct {
        const char *pattern, *form; /* NULL: it is fine */
    } rows[] = {
        { "cargo build", NULL },
        { "git push --force", NULL },
        { "npm run test", NULL },
        { "make test", NULL },
        { "yarn", NULL },
        { "*", NULL },
        { "git *", NULL },
        { "frobnicate", NULL },
        { "./run.sh", NULL },
        { "rm -rf", NULL },
        { "ls -R", NULL },
        { "path:src/", NULL },
        { "path:*", NULL },
        { "path:/etc/hosts", NULL },
        { "host:example.org", NULL },
        { "host:*.example.org", NULL },
        { "tool:Fetch", NULL },
        { "git push origin", "git push" },
        { "frobnicate build", "frobnicate" },
        { "sudo make install", "make install" },
        { "CC=gcc make", "make" },
        { "/usr/bin/make test", "make test" },
        { "Bash(git push:*)", "git push" },
        { "git push:*", "git push" },
        { "npm run test:*", "npm run test" },
        { "npm run te*", "npm run" },
        { "path:src/**", "path:src/" },
        { "path:./src/", "path:src/" },
        { "path:/etc/", "path:/etc" },
        { "path:*.c", "" },
        { "path:~/x", "" },
        { "host:https://example.org/x", "host:example.org" },
        { "host:example.org:443", "host:example.org" },
        { "host:*.*", "" },
        { "host:*.?", "" },
        { "host:a*.org", "" },
        { "host:*.a b", "" },
    };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        struct sf_error err = SF_ERROR_INIT;
        bool ok = sf_rule_check(rows[i].pattern, &err);

        if (ok != !rows[i].form)
            fail_msg("%s: %s", rows[i].pattern, ok ? "is accepted" : err.msg);
        if (!ok && rows[i].form && !strstr(err.hint, rows[i].form))
            fail_msg("%s: %s", rows[i].pattern, err.hint);
        if (!ok && rows[i].form && *rows[i].form) {
            struct sf_error other = SF_ERROR_INIT;

            if (!sf_rule_check(rows[i].form, &other))
                fail_msg("%s would not match either", rows[i].form);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),     cmocka_unit_test(test_order_does_not_matter),
        cmocka_unit_test(test_redirects), cmocka_unit_test(test_check),
        cmocka_unit_test(test_never),     cmocka_unit_test(test_wider),
    };

    return cmocka_run_group_tests_name("rule", tests, NULL, NULL);
}
