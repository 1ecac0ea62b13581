/*
 * test_registry.c: when a tool is offered, and that the verdict says the same with a row for the
 * reason.
 */
#include "base/base.h"
#include "guard/guard.h"
#include "modes/modes.h"
#include "support/test.h"

static const struct {
    const char *name, *tool;
    enum sf_profile least, profile;
    bool needs_shell, no_shell;
    const char *lacking;
    const char *session, *turn, *withheld; /* lists of tools; NULL: there is none */
    const char *rule;                      /* that refuses it; NULL: it is offered */
    bool listed;                           /* requests have it */
} cases[] = {
    { "no list, every tool", "Read", 0, 0, false, false, NULL, NULL, NULL, NULL, NULL, true },
    { "the profile is too low", "Write", 1, 0, false, false, NULL, NULL, NULL, NULL,
      "profile-too-low", false },
    { "the profile is high enough", "Write", 1, 1, false, false, NULL, NULL, NULL, NULL, NULL,
      true },
    { "no commands, no shell", "BashOutput", 0, 3, true, true, NULL, NULL, NULL, NULL,
      "allow-shell", false },
    { "others need none", "Read", 0, 3, false, true, NULL, NULL, NULL, NULL, NULL, true },
    { "the session lacks it", "Edit", 0, 3, false, false, "ApplyPatch takes its place", NULL, NULL,
      NULL, "toolset", false },
    { "on the session's list", "Read", 0, 0, false, false, NULL, "Read, Grep", NULL, NULL, NULL,
      true },
    { "not on it", "Bash", 0, 3, true, false, NULL, "Read, Grep", NULL, NULL, "allowed-tools",
      false },
    { "on it with limits", "Bash", 0, 0, true, false, NULL, "Bash(git status)", NULL, NULL, NULL,
      true },
    { "withheld", "Bash", 0, 3, true, false, NULL, NULL, NULL, "Bash", "disallowed-tools", false },
    { "withheld wins", "Bash", 0, 3, true, false, NULL, "Bash", NULL, "Bash", "disallowed-tools",
      false },
    { "withheld in part is offered", "Bash", 0, 0, true, false, NULL, NULL, NULL, "Bash(git push)",
      NULL, true },
    { "not in this turn, but listed", "Bash", 0, 3, true, false, NULL, NULL, "Read", NULL,
      "turn-tools", true },
    { "in this turn", "Read", 0, 0, false, false, NULL, NULL, "Read", NULL, NULL, true },
    { "a turn cannot widen", "Bash", 0, 3, true, false, NULL, "Read", "Bash", NULL, "allowed-tools",
      false },
};

static const struct sf_strlist *list(struct sf_strlist *out, const char *text)
{
    struct sf_error err = SF_ERROR_INIT;

    if (text)
        assert_true(sf_grants_read(out, text, &err));
    return text ? out : NULL;
}

typedef void check_fn(size_t i, const struct sf_registry *registry,
                      const struct sf_offer_terms *terms);

static void each(check_fn *check)
{
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_strlist session = SF_STRLIST_INIT, turn = SF_STRLIST_INIT,
                          withheld = SF_STRLIST_INIT;
        const struct sf_registry registry = { .allow_shell = !cases[i].no_shell,
                                              .session = list(&session, cases[i].session),
                                              .turn = list(&turn, cases[i].turn),
                                              .withheld = list(&withheld, cases[i].withheld) };
        const struct sf_offer_terms terms = { cases[i].least, cases[i].needs_shell,
                                              cases[i].lacking };

        check(i, &registry, &terms);
        sf_strlist_release(&session);
        sf_strlist_release(&turn);
        sf_strlist_release(&withheld);
    }
}

static void check_answer(size_t i, const struct sf_registry *registry,
                         const struct sf_offer_terms *terms)
{
    struct sf_registry_refusal why = { .rule = "" };
    const char *tool = cases[i].tool, *want = cases[i].rule ? cases[i].rule : "";
    bool offered = sf_registry_offers(registry, tool, terms, cases[i].profile, &why);

    if (offered != !cases[i].rule || strcmp(why.rule, want) != 0)
        fail_msg("%s: '%s', want '%s'", cases[i].name, why.rule, want);
    if (sf_registry_lists(registry, tool, terms, cases[i].profile) != cases[i].listed)
        fail_msg("%s: listed", cases[i].name);
}

static void test_answers(void **state)
{
    (void)state;
    each(check_answer);
}

/* What is not offered is refused by layer 4, whatever the call would do; what is, is not. */
static void check_verdict(size_t i, const struct sf_registry *registry,
                          const struct sf_offer_terms *terms)
{
    const struct sf_scope_set scopes = { NULL, 0, true };
    const struct sf_policy policy = { .approval = SF_APPROVAL_SUGGEST,
                                      .registry = *registry,
                                      .scope = sf_scope_find(&scopes, "free"),
                                      .scopes = &scopes };
    const struct sf_action action = { .tool = cases[i].tool, .act = SF_ACT_OWN, .terms = *terms };
    bool limited = cases[i].session && strchr(cases[i].session, '('); /* to what this is not */
    struct sf_mode_state state;
    struct sf_verdict v;

    sf_mode_state_init(&state, SF_SURFACE_TUI);
    state.profile = cases[i].profile;
    sf_guard_verdict(&action, &state, &policy, &v);
    if (!cases[i].rule && (v.layer == SF_GUARD_REGISTRY) != limited)
        fail_msg("%s: refused by %s", cases[i].name, v.rule);
    if (cases[i].rule && (v.answer != SF_DENY || v.layer != SF_GUARD_REGISTRY ||
                          strcmp(v.rule, cases[i].rule) != 0 || !*v.hint))
        fail_msg("%s: %s by %s (%s), hint '%s'", cases[i].name, sf_answer_names[v.answer], v.rule,
                 sf_guard_layers[v.layer].name, v.hint);
}

static void test_verdicts(void **state)
{
    (void)state;
    each(check_verdict);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),
        cmocka_unit_test(test_verdicts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
