/*
 * test_verdict.c: a table of single cases with layer, rule and hint, and the promises held over every
 * combination of axes, scopes, kinds of action and approval modes.
 */
#include "base/base.h"
#include "guard/guard.h"
#include "modes/modes.h"
#include "support/test.h"

enum { STATES = 6 * 3 * 4 * 3, REFUSED = -1 };

static void set_state(struct sf_mode_state *state, int n)
{
    sf_mode_state_init(state, SF_SURFACE_TUI);
    state->work = (enum sf_work_mode)(n % 6);
    state->control = (enum sf_run_control)(n / 6 % 3);
    state->profile = (enum sf_profile)(n / 18 % 4);
    state->model = (enum sf_model_mode)(n / 72 % 3);
}

/* One action of each sort, as tools would describe them. */
struct sample {
    const char *name;
    enum sf_act act;
    const char *command; /* of SF_ACT_SHELL */
    const char *path;    /* or NULL */
    int zone;            /* enum sf_path_zone, or REFUSED */
    bool writes;
    bool caged;
};

static const struct sample samples[] = {
    { "read inside", SF_ACT_READ, NULL, "src/a.c", SF_PATH_INSIDE, false, false },
    { "read outside", SF_ACT_READ, NULL, "/etc/hosts", SF_PATH_OUTSIDE, false, false },
    { "read a credential", SF_ACT_READ, NULL, ".env", SF_PATH_CREDENTIAL, false, false },
    { "edit a source", SF_ACT_WRITE, NULL, "src/a.c", SF_PATH_INSIDE, true, false },
    { "edit a test", SF_ACT_WRITE, NULL, "tests/a.c", SF_PATH_INSIDE, true, false },
    { "edit the manual", SF_ACT_WRITE, NULL, "docs/a.md", SF_PATH_INSIDE, true, false },
    { "write outside", SF_ACT_WRITE, NULL, "/tmp/x", SF_PATH_OUTSIDE, true, false },
    { "write a hook", SF_ACT_WRITE, NULL, ".git/hooks/x", SF_PATH_PROTECTED, true, false },
    { "write a trap", SF_ACT_WRITE, NULL, "-rf", SF_PATH_INSIDE, true, false },
    { "write a path that cannot be", SF_ACT_WRITE, NULL, "a", REFUSED, true, false },
    { "write the workspace itself", SF_ACT_WRITE, NULL, "", SF_PATH_INSIDE, true, false },
    { "delete a file", SF_ACT_DELETE, NULL, "src/a.c", SF_PATH_INSIDE, true, false },
    { "list", SF_ACT_SHELL, "ls -l src", NULL, SF_PATH_INSIDE, false, true },
    { "make a directory", SF_ACT_SHELL, "mkdir -p build", NULL, SF_PATH_INSIDE, false, true },
    { "run the tests", SF_ACT_SHELL, "make test", NULL, SF_PATH_INSIDE, false, true },
    { "an unknown program", SF_ACT_SHELL, "frobnicate -x", NULL, SF_PATH_INSIDE, false, true },
    { "the same without a cage", SF_ACT_SHELL, "frobnicate -x", NULL, SF_PATH_INSIDE, false,
      false },
    { "run the tests without a cage", SF_ACT_SHELL, "make test", NULL, SF_PATH_INSIDE, false,
      false },
    { "list without a cage", SF_ACT_SHELL, "ls -l src", NULL, SF_PATH_INSIDE, false, false },
    { "fetch", SF_ACT_SHELL, "curl https://example.org/a", NULL, SF_PATH_INSIDE, false, true },
    { "push", SF_ACT_SHELL, "git push origin main", NULL, SF_PATH_INSIDE, false, true },
    { "delete a tree", SF_ACT_SHELL, "rm -rf build", NULL, SF_PATH_INSIDE, false, true },
    { "unreadable", SF_ACT_SHELL, "echo 'open", NULL, SF_PATH_INSIDE, false, true },
    { "fetch by tool", SF_ACT_FETCH, NULL, NULL, SF_PATH_INSIDE, false, false },
    { "a server's tool", SF_ACT_EXTERNAL, NULL, NULL, SF_PATH_INSIDE, false, false },
    { "a plan", SF_ACT_OWN, NULL, NULL, SF_PATH_INSIDE, false, false },
    { "submit a plan", SF_ACT_SUBMIT, NULL, NULL, SF_PATH_INSIDE, false, false },
    { "accept a plan", SF_ACT_ACCEPT, NULL, NULL, SF_PATH_INSIDE, false, false },
    { "a note", SF_ACT_NOTE, NULL, NULL, SF_PATH_INSIDE, false, false },
    { "go back", SF_ACT_REVERT, NULL, NULL, SF_PATH_INSIDE, false, false },
};

static struct sf_shell_report reports[SF_COUNT(samples)];

static int classify_all(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(samples); i++)
        if (samples[i].command)
            sf_shell_classify(samples[i].command, strlen(samples[i].command), &reports[i]);
    return 0;
}

static int release_all(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(samples); i++)
        if (samples[i].command)
            sf_shell_report_release(&reports[i]);
    return 0;
}

static void describe(size_t i, struct sf_action *action, struct sf_action_path *path)
{
    static const char *const hosts[] = { "example.org", NULL };

    *path = (struct sf_action_path){ .path = samples[i].path,
                                     .zone = samples[i].zone == REFUSED
                                                 ? SF_PATH_INSIDE
                                                 : (enum sf_path_zone)samples[i].zone,
                                     .refused = samples[i].zone == REFUSED,
                                     .writes = samples[i].writes,
                                     .rule = "some-rule",
                                     .reason = "because" };
    *action =
        (struct sf_action){ .tool = "Tool",
                            .act = samples[i].act,
                            .terms.least = SF_PROFILE_RESTRICTED,
                            .shell = samples[i].command ? &reports[i] : NULL,
                            .command = samples[i].command,
                            .command_len = samples[i].command ? strlen(samples[i].command) : 0,
                            .url = samples[i].act == SF_ACT_FETCH ? "https://example.org" : NULL,
                            .paths = path,
                            .path_count = samples[i].path != NULL,
                            .hosts = samples[i].act == SF_ACT_FETCH ? hosts : NULL,
                            .caged = samples[i].caged };
}

static void judge(size_t i, const struct sf_mode_state *state, enum sf_approval_mode approval,
                  const char *scope, struct sf_verdict *out)
{
    const struct sf_scope_set set = { NULL, 0, true };
    struct sf_action action;
    struct sf_action_path path;
    struct sf_policy policy = { .approval = approval,
                                .registry.allow_shell = true,
                                .scopes = &set };

    policy.scope = sf_scope_find(&set, scope);
    describe(i, &action, &path);
    sf_guard_verdict(&action, state, &policy, out);
}

static bool only_reads(size_t i)
{
    return samples[i].act == SF_ACT_READ || samples[i].act == SF_ACT_OWN ||
           samples[i].act == SF_ACT_SUBMIT || samples[i].act == SF_ACT_ACCEPT ||
           (samples[i].command && reports[i].class == SF_CLASS_READONLY);
}

typedef void check_fn(size_t i, const struct sf_mode_state *state, enum sf_approval_mode approval,
                      const char *scope, const struct sf_verdict *v);

/* Every state, sample, approval mode and built-in scope. */
static size_t each_combination(check_fn *check)
{
    size_t count = 0;

    for (int n = 0; n < STATES; n++)
        for (int approval = 0; approval < 3; approval++)
            for (size_t s = 0; s < sf_scope_builtin_count; s++)
                for (size_t i = 0; i < SF_COUNT(samples); i++, count++) {
                    struct sf_mode_state state;
                    struct sf_verdict v;

                    set_state(&state, n);
                    judge(i, &state, (enum sf_approval_mode)approval, sf_scopes_builtin[s].name,
                          &v);
                    check(i, &state, (enum sf_approval_mode)approval, sf_scopes_builtin[s].name,
                          &v);
                }
    return count;
}

static void check_promises(size_t i, const struct sf_mode_state *state,
                           enum sf_approval_mode approval, const char *scope,
                           const struct sf_verdict *v)
{
    const char *name = samples[i].name;

    (void)scope;
    if (!*v->rule || !*v->reason || v->layer < SF_GUARD_DENYLIST || v->layer > SF_GUARD_LAST)
        fail_msg("%s: the verdict does not say why", name);
    if (approval == SF_APPROVAL_NEVER && !only_reads(i) && v->answer != SF_DENY)
        fail_msg("%s: never lets it through", name);
    if (state->profile == SF_PROFILE_RESTRICTED && !only_reads(i) && v->answer == SF_ALLOW)
        fail_msg("%s: restricted changes something", name);
    if (v->kind == SF_ROW_DESTRUCTIVE && v->answer == SF_ALLOW)
        fail_msg("%s: the harness sleeps", name);
    if (samples[i].zone == SF_PATH_PROTECTED && v->answer != SF_DENY)
        fail_msg("%s: a protected path can be written", name);
    if (samples[i].zone == SF_PATH_CREDENTIAL && v->answer == SF_ALLOW)
        fail_msg("%s: a secret is read unasked", name);
    if (samples[i].zone == SF_PATH_OUTSIDE && samples[i].writes && v->answer == SF_ALLOW &&
        approval != SF_APPROVAL_AUTO)
        fail_msg("%s: the fence is open", name);
    if (state->control == SF_RUN_MANUAL && approval == SF_APPROVAL_SUGGEST && !only_reads(i) &&
        v->answer == SF_ALLOW)
        fail_msg("%s: manual does not ask", name);
}

static void test_promises(void **state)
{
    (void)state;
    print_message("%zu combinations\n", each_combination(check_promises));
}

/* With nobody to ask, no question becomes an allow. */
static void check_unattended(size_t i, const struct sf_mode_state *state,
                             enum sf_approval_mode approval, const char *scope,
                             const struct sf_verdict *v)
{
    struct sf_verdict alone = *v;

    (void)i, (void)state, (void)approval, (void)scope;
    sf_verdict_unattended(&alone);
    if (alone.answer == SF_ASK || (v->answer != SF_ALLOW && alone.answer == SF_ALLOW))
        fail_msg("%s: answered by nobody", samples[i].name);
}

static void test_unattended(void **state)
{
    (void)state;
    each_combination(check_unattended);
}

/* A verdict that promises to remember does, and one that does not, asks again. */
static void check_remembers(size_t i, const struct sf_mode_state *state,
                            enum sf_approval_mode approval, const char *scope,
                            const struct sf_verdict *v)
{
    enum { RULES = 16 };
    const struct sf_scope_set set = { NULL, 0, true };
    struct sf_strlist likes = SF_STRLIST_INIT, offered = SF_STRLIST_INIT;
    struct sf_rule rules[RULES];
    struct sf_policy policy = { .approval = approval,
                                .registry.allow_shell = true,
                                .rules = rules };
    struct sf_action action;
    struct sf_action_path path;
    struct sf_verdict again;

    if (v->answer != SF_ASK)
        return;
    policy.scope = sf_scope_find(&set, scope);
    describe(i, &action, &path);
    sf_approval_keys(&action, &likes);
    for (; policy.rule_count < likes.count && policy.rule_count < RULES; policy.rule_count++)
        rules[policy.rule_count] =
            (struct sf_rule){ likes.items[policy.rule_count], SF_ALLOW, SF_RULE_SESSION, NULL };
    sf_guard_verdict(&action, state, &policy, &again);
    if ((again.answer == SF_ALLOW) != sf_verdict_keeps(v, &action, &offered))
        fail_msg("%s: asked by %s, and then %s", samples[i].name, sf_guard_layers[v->layer].name,
                 sf_answer_names[again.answer]);
    sf_strlist_release(&offered);
    sf_strlist_release(&likes);
}

static void test_remembers(void **state)
{
    (void)state;
    each_combination(check_remembers);
}

/* A wider profile is never stricter, whatever the rest. */
static void check_wider(size_t i, const struct sf_mode_state *state, enum sf_approval_mode approval,
                        const char *scope, const struct sf_verdict *v)
{
    struct sf_mode_state wider = *state;
    struct sf_verdict w;

    if (state->profile == SF_PROFILE_UNRESTRICTED)
        return;
    wider.profile++;
    judge(i, &wider, approval, scope, &w);
    if (w.answer > v->answer)
        fail_msg("%s: %s is stricter than %s", samples[i].name, sf_profile_names[wider.profile],
                 sf_profile_names[state->profile]);
    /* the first three layers and the harness hit under every profile or under none */
    if (approval != SF_APPROVAL_NEVER &&
        (v->layer <= SF_GUARD_PROTECTED || v->layer == SF_GUARD_HARNESS) && w.layer != v->layer)
        fail_msg("%s: layer %s depends on the profile", samples[i].name,
                 sf_guard_layers[v->layer].name);
}

static void test_wider_is_never_stricter(void **state)
{
    (void)state;
    each_combination(check_wider);
}

/* ---- advice ---- */

/* What the hint says, typed: the commands of the table, the settings, in this order. */
static enum sf_answer follow(size_t i, const char *hint, struct sf_mode_state *state,
                             struct sf_policy *policy)
{
    static const char approval[] = "/permissions mode suggest",
                      shell[] = "`sf config set guard.allow_shell true`";
    struct sf_action action;
    struct sf_action_path path;
    struct sf_verdict v;

    while (strncmp(hint, "allow", 5) != 0 && strncmp(hint, "make", 4) != 0) {
        size_t len = strcspn(hint, ",");
        const char *ends[] = { strstr(hint, " and "), strstr(hint, " allow"),
                               strstr(hint, " make") };
        struct sf_mode_command command;
        struct sf_error err = SF_ERROR_INIT;

        for (size_t e = 0; e < SF_COUNT(ends); e++)
            if (ends[e] && (size_t)(ends[e] - hint) < len)
                len = (size_t)(ends[e] - hint);
        if (!strncmp(hint, approval, len)) {
            policy->approval = SF_APPROVAL_SUGGEST;
        } else if (!strncmp(hint, shell, len)) {
            policy->registry.allow_shell = true;
        } else {
            if (!sf_mode_command_parse(hint, len, policy->scopes, &command, &err))
                fail_msg("%.*s: %s", (int)len, hint, err.msg);
            *state = sf_change_target(&command.change, state, policy->scopes);
        }
        hint += len;
        hint += strspn(hint, ", ");
        hint += !strncmp(hint, "and ", 4) ? 4 : 0;
    }
    policy->scope = sf_scope_find(policy->scopes, state->scope);
    describe(i, &action, &path);
    sf_guard_verdict(&action, state, policy, &v);
    return v.answer;
}

static bool is_promise(const char *hint)
{
    return hint[0] == '/' || !strncmp(hint, "`sf config set", 14);
}

/* The same change, as a surface that has keys for it makes it. */
static void check_change(size_t i, const struct sf_mode_state *state,
                         const struct sf_policy *policy, const struct sf_verdict *v,
                         enum sf_answer want)
{
    struct sf_mode_state to = sf_change_target(&v->advice, state, policy->scopes);
    struct sf_policy then = *policy;
    struct sf_action action;
    struct sf_action_path path;
    struct sf_verdict w;

    if (!v->advice.fields)
        return;
    then.scope = sf_scope_find(policy->scopes, to.scope);
    describe(i, &action, &path);
    sf_guard_verdict(&action, &to, &then, &w);
    if (w.answer != want)
        fail_msg("%s: the advice of \"%s\" is another", samples[i].name, v->hint);
}

static void check_advice(size_t i, const struct sf_mode_state *state,
                         const struct sf_policy *policy, size_t *promises)
{
    struct sf_mode_state then = *state;
    struct sf_policy changed = *policy;
    struct sf_action action;
    struct sf_action_path path;
    struct sf_verdict v;
    enum sf_answer got, want;

    describe(i, &action, &path);
    sf_guard_verdict(&action, state, policy, &v);
    if (v.answer == SF_ALLOW || !is_promise(v.hint)) {
        assert_int_equal(v.advice.fields, 0);
        return;
    }
    ++*promises;
    want = strstr(v.hint, " allow") ? SF_ALLOW : SF_ASK;
    got = follow(i, v.hint, &then, &changed);
    if (got != want)
        fail_msg("%s under %s | %s | %s, scope %s, trust %d: \"%s\" leads to %s", samples[i].name,
                 sf_work_mode_names[state->work], sf_run_control_names[state->control],
                 sf_profile_names[state->profile], state->scope, state->trust, v.hint,
                 sf_answer_names[got]);
    check_change(i, state, policy, &v, want);
}

/* Whoever follows an advice gets what it says, in every state, under every scope and setting. */
static void test_advice_is_true(void **unused)
{
    const struct sf_scope_set sets[] = { { NULL, 0, true }, { NULL, 0, false } };
    size_t promises = 0;

    (void)unused;
    for (int n = 0; n < STATES / 3; n++) /* the model has no part in it */
        for (int k = 0; k < 2 * 2 * 2 * 3; k++)
            for (size_t s = 0; s < sf_scope_builtin_count; s++)
                for (size_t i = 0; i < SF_COUNT(samples); i++) {
                    struct sf_policy policy = { .approval = (enum sf_approval_mode)(k / 8),
                                                .registry.allow_shell = k & 1,
                                                .scopes = &sets[k >> 1 & 1] };
                    struct sf_mode_state state;

                    set_state(&state, n);
                    state.trust = k >> 2 & 1;
                    if (!sf_work_holds(state.work, sf_scopes_builtin[s].name) ||
                        (!policy.registry.allow_shell && !samples[i].command) ||
                        (!policy.scopes->has_sources && !samples[i].path))
                        continue; /* it cannot be, or would make no difference */
                    sf_mode_state_set_scope(&state, sf_scopes_builtin[s].name);
                    policy.scope = sf_scope_find(policy.scopes, state.scope);
                    check_advice(i, &state, &policy, &promises);
                }
    print_message("%zu promises\n", promises);
    assert_true(promises > 1000);
}

static void test_matrix_rows(void **state)
{
    (void)state;
    for (int kind = 0; kind < SF_ROW_COUNT; kind++)
        for (int p = 0; p < SF_PROFILE_COUNT; p++) {
            const struct sf_matrix_row *row = &sf_matrix[kind];

            assert_int_equal(row->kind, kind);
            assert_true(row->trusted[p] <= row->answers[p]);
            assert_true(p == 0 || row->answers[p] <= row->answers[p - 1]);
            assert_true(p == 0 || row->trusted[p] <= row->trusted[p - 1]);
        }
}

/* axes, action, then what must come out */
static const struct {
    const char *name, *axes, *scope, *sample;
    bool trust;
    enum sf_answer answer;
    const char *layer, *rule, *hint;
} cases[] = {
    { "tests are not writable in implement", "build|assisted|normal|smart", "implement",
      "edit a test", false, SF_DENY, "path-guard", "scope", "/scope test allows this" },
    { "sources are", "build|assisted|normal|smart", "implement", "edit a source", false, SF_ALLOW,
      "profile", "edit", "" },
    { "free is the workspace itself too", "build|assisted|trusted|smart", "free",
      "write the workspace itself", false, SF_ALLOW, "profile", "edit", "" },
    { "other scopes are parts of it", "build|assisted|trusted|smart", "implement",
      "write the workspace itself", false, SF_DENY, "path-guard", "scope", "" },
    { "review writes nothing", "review|assisted|unrestricted|smart", "review", "edit a source",
      false, SF_DENY, "path-guard", "scope", "" },
    { "a review runs tests in the cage", "review|assisted|trusted|smart", "review", "run the tests",
      false, SF_ALLOW, "profile", "command-build", "" },
    { "and nowhere else", "review|autonomous|unrestricted|smart", "review",
      "run the tests without a cage", true, SF_DENY, "work-mode", "review", "sf doctor" },
    { "nor a program nobody knows", "review|autonomous|unrestricted|smart", "review",
      "the same without a cage", true, SF_DENY, "work-mode", "review", "sf doctor" },
    { "it reads without one", "review|assisted|normal|smart", "review", "list without a cage",
      false, SF_ALLOW, "profile", "command-read", "" },
    { "chat asks before it writes", "chat|assisted|trusted|smart", "free", "edit a source", false,
      SF_ASK, "work-mode", "chat", "/mode build allows this" },
    { "manual asks before anything", "build|manual|trusted|smart", "free", "run the tests", false,
      SF_ASK, "run-control", "manual", "/control assisted allows this" },
    { "an advice names every step", "chat|manual|normal|smart", "free", "run the tests", false,
      SF_ASK, "profile", "command-build",
      "/control assisted and /permission-profile trusted allow this" },
    { "normal asks before a build", "build|assisted|normal|smart", "free", "run the tests", false,
      SF_ASK, "profile", "command-build", "/permission-profile trusted allows" },
    { "trusted builds", "build|assisted|trusted|smart", "free", "run the tests", false, SF_ALLOW,
      "profile", "command-build", "" },
    { "a cage makes the difference", "build|assisted|trusted|smart", "free",
      "the same without a cage", false, SF_ASK, "profile", "unknown-uncaged", "unrestricted" },
    { "pushing always asks", "build|autonomous|unrestricted|smart", "free", "push", false, SF_ASK,
      "profile", "network-write", "" },
    { "deleting always asks", "build|autonomous|unrestricted|smart", "free", "delete a tree", false,
      SF_ASK, "safety-harness", "delete", "confirm" },
    { "restricted refuses it", "build|autonomous|restricted|smart", "free", "delete a tree", false,
      SF_DENY, "safety-harness", "delete", "normal makes this a question" },
    { "going back asks under every profile", "build|autonomous|unrestricted|smart", "free",
      "go back", true, SF_ASK, "safety-harness", "revert", "confirm" },
    { "under the strictest too", "review|manual|restricted|smart", "review", "go back", false,
      SF_ASK, "safety-harness", "revert", "confirm" },
    { "hooks stay untouched", "build|autonomous|unrestricted|smart", "free", "write a hook", true,
      SF_DENY, "protected-paths", "some-rule", "no profile" },
    { "a name that is an option elsewhere asks", "build|autonomous|unrestricted|smart", "free",
      "write a trap", true, SF_ASK, "path-guard", "trap-name", "choose a name" },
    { "outside needs trust", "build|assisted|normal|smart", "free", "write outside", false, SF_DENY,
      "path-guard", "write-outside", "/trust" },
    { "with trust it asks", "build|assisted|normal|smart", "free", "write outside", true, SF_ASK,
      "path-guard", "write-outside", "unrestricted" },
    { "with both it goes", "build|assisted|unrestricted|smart", "free", "write outside", true,
      SF_ALLOW, "profile", "write-outside", "" },
    { "what cannot be read asks", "build|autonomous|unrestricted|smart", "free", "unreadable",
      false, SF_ASK, "safety-harness", "unreadable", "" },
    { "plans are sf's own", "plan|manual|restricted|smart", "docs", "a plan", false, SF_ALLOW,
      "profile", "own-state", "" },
    { "a plan is submitted in plan", "plan|manual|restricted|smart", "docs", "submit a plan", false,
      SF_ALLOW, "profile", "plan-submit", "" },
    { "and nowhere else", "build|autonomous|unrestricted|smart", "free", "submit a plan", true,
      SF_DENY, "profile", "plan-elsewhere", "/mode plan" },
    { "whoever reads it accepts it", "plan|autonomous|unrestricted|smart", "docs", "accept a plan",
      true, SF_ASK, "profile", "plan-accept", "accepts it" },
};

/* Who submits a plan, where, and who accepts it. */
static void test_plans(void **state)
{
    static const struct {
        const char *axes;
        enum sf_surface surface;
        enum sf_act act;
        bool delegated;
        enum sf_approval_mode approval;
        enum sf_answer answer;
        const char *rule;
    } plans[] = {
        { "plan|manual|normal|smart", SF_SURFACE_TUI, SF_ACT_SUBMIT, false, SF_APPROVAL_NEVER,
          SF_ALLOW, "plan-submit" },
        { "plan|manual|normal|smart", SF_SURFACE_TUI, SF_ACT_SUBMIT, true, SF_APPROVAL_AUTO,
          SF_DENY, "plan-elsewhere" },
        { "repair|manual|normal|smart", SF_SURFACE_TUI, SF_ACT_SUBMIT, false, SF_APPROVAL_AUTO,
          SF_DENY, "plan-elsewhere" },
        { "plan|autonomous|normal|smart", SF_SURFACE_TUI, SF_ACT_ACCEPT, false, SF_APPROVAL_AUTO,
          SF_ASK, "plan-accept" },
        { "plan|assisted|normal|smart", SF_SURFACE_HEADLESS, SF_ACT_ACCEPT, false, SF_APPROVAL_AUTO,
          SF_ASK, "plan-accept" },
        { "plan|autonomous|restricted|smart", SF_SURFACE_HEADLESS, SF_ACT_ACCEPT, false,
          SF_APPROVAL_NEVER, SF_ALLOW, "plan-autonomous" },
    };
    const struct sf_scope_set set = { NULL, 0, true };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(plans); i++) {
        const struct sf_action action = { .tool = "Plan",
                                          .act = plans[i].act,
                                          .delegated = plans[i].delegated };
        const struct sf_policy policy = { .approval = plans[i].approval,
                                          .scope = sf_scope_find(&set, "docs"),
                                          .scopes = &set };
        struct sf_error err = SF_ERROR_INIT;
        struct sf_mode_state s;
        struct sf_verdict v;

        sf_mode_state_init(&s, plans[i].surface);
        assert_true(sf_mode_state_parse(&s, plans[i].axes, &err));
        sf_guard_verdict(&action, &s, &policy, &v);
        if (v.answer != plans[i].answer || strcmp(v.rule, plans[i].rule) != 0)
            fail_msg("row %zu: %s by %s", i, sf_answer_names[v.answer], v.rule);
    }
}

static void test_cases(void **state)
{
    (void)state;
    for (size_t c = 0; c < SF_COUNT(cases); c++) {
        struct sf_error err = SF_ERROR_INIT;
        struct sf_mode_state s;
        struct sf_verdict v;
        size_t i = 0;

        while (strcmp(samples[i].name, cases[c].sample) != 0)
            i++;
        sf_mode_state_init(&s, SF_SURFACE_TUI);
        assert_true(sf_mode_state_parse(&s, cases[c].axes, &err));
        s.trust = cases[c].trust;
        sf_mode_state_set_scope(&s, cases[c].scope);
        judge(i, &s, SF_APPROVAL_SUGGEST, cases[c].scope, &v);
        if (v.answer != cases[c].answer ||
            strcmp(sf_guard_layers[v.layer].name, cases[c].layer) != 0 ||
            !strstr(v.rule, cases[c].rule) || !strstr(v.hint, cases[c].hint))
            fail_msg("%s: %s by %s/%s: %s (%s)", cases[c].name, sf_answer_names[v.answer],
                     sf_guard_layers[v.layer].name, v.rule, v.reason, v.hint);
    }
}

/* A note outlives the session: it takes somebody who knows what this workspace's files may say. */
static const struct {
    const char *name, *axes;
    bool trusted;
    enum sf_answer answer;
    const char *rule;
} notes[] = {
    { "manual asks", "build|manual|normal|smart", true, SF_ASK, "manual" },
    { "chat asks", "chat|assisted|normal|smart", true, SF_ASK, "chat" },
    { "so it does when all is open", "chat|autonomous|unrestricted|smart", true, SF_ASK, "chat" },
    { "what nobody vouched for asks", "build|assisted|normal|smart", false, SF_ASK,
      "untrusted-note" },
    { "whatever the profile", "build|autonomous|unrestricted|smart", false, SF_ASK,
      "untrusted-note" },
    { "elsewhere it is work like any", "build|assisted|normal|smart", true, SF_ALLOW, "note" },
    { "restricted keeps nothing", "build|assisted|restricted|smart", true, SF_DENY, "note" },
};

static void test_notes(void **state)
{
    const struct sf_scope_set set = { NULL, 0, true };
    const struct sf_action action = { .tool = "Remember", .act = SF_ACT_NOTE };
    struct sf_policy policy = { .approval = SF_APPROVAL_SUGGEST, .registry.allow_shell = true };

    (void)state;
    policy.scope = sf_scope_find(&set, "free");
    for (size_t i = 0; i < SF_COUNT(notes); i++) {
        struct sf_error err = SF_ERROR_INIT;
        struct sf_mode_state s;
        struct sf_verdict v;

        sf_mode_state_init(&s, SF_SURFACE_TUI);
        assert_true(sf_mode_state_parse(&s, notes[i].axes, &err));
        policy.workspace_trusted = notes[i].trusted;
        sf_guard_verdict(&action, &s, &policy, &v);
        if (v.answer != notes[i].answer || strcmp(v.rule, notes[i].rule) != 0)
            fail_msg("%s: %s by %s: %s", notes[i].name, sf_answer_names[v.answer], v.rule,
                     v.reason);
    }
}

static void test_shell_switched_off(void **state)
{
    const struct sf_scope_set set = { NULL, 0, true };
    struct sf_policy policy = { .approval = SF_APPROVAL_AUTO,
                                .registry.allow_shell = false,
                                .scopes = &set };
    struct sf_mode_state s;
    struct sf_action action;
    struct sf_action_path path;
    struct sf_verdict v;

    (void)state;
    set_state(&s, 0);
    policy.scope = sf_scope_find(&set, "free");
    for (size_t i = 0; i < SF_COUNT(samples); i++) {
        describe(i, &action, &path);
        sf_guard_verdict(&action, &s, &policy, &v);
        if (action.act == SF_ACT_SHELL &&
            (v.answer != SF_DENY || !strstr(v.hint, "guard.allow_shell")))
            fail_msg("%s runs although the shell is off", samples[i].name);
    }
    describe(0, &action, &path);
    action.terms.least = SF_PROFILE_TRUSTED;
    s.profile = SF_PROFILE_NORMAL;
    sf_guard_verdict(&action, &s, &policy, &v);
    assert_int_equal(v.layer, SF_GUARD_REGISTRY);
    assert_int_equal(v.answer, SF_DENY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrix_rows),
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_plans),
        cmocka_unit_test(test_promises),
        cmocka_unit_test(test_unattended),
        cmocka_unit_test(test_remembers),
        cmocka_unit_test(test_wider_is_never_stricter),
        cmocka_unit_test(test_shell_switched_off),
        cmocka_unit_test(test_notes),
        cmocka_unit_test(test_advice_is_true),
    };

    return cmocka_run_group_tests_name("verdict", tests, classify_all, release_all);
}
