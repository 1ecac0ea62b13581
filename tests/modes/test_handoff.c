/*
 * test_handoff.c: an accepted plan becomes a build; a failed health gate becomes a repair only where
 * the policy and the state say so, and never with more permission.
 */
#include "base/base.h"
#include "modes/modes.h"
#include "support/test.h"

static const struct sf_scope_set scopes = { NULL, 0, true };

static void test_plan_accepted(void **state)
{
    struct sf_mode_state s, to;

    (void)state;
    sf_mode_state_init(&s, SF_SURFACE_TUI);
    s.work = SF_WORK_PLAN;
    s.model = SF_MODEL_DEEP;
    for (int profile = 0; profile < 4; profile++)
        for (int alone = 0; alone < 2; alone++) {
            struct sf_mode_change change = SF_MODE_CHANGE_INIT;

            sf_handoff_plan(&change, alone, (enum sf_profile)profile);
            to = sf_change_target(&change, &s, &scopes);
            assert_int_equal(to.work, SF_WORK_BUILD);
            assert_int_equal(to.control, alone ? SF_RUN_AUTONOMOUS : SF_RUN_ASSISTED);
            assert_int_equal(to.profile, profile);
            assert_int_equal(to.model, SF_MODEL_SMART);
            assert_string_equal(to.scope, "implement");
            assert_false(to.paused || to.trust);
        }
}

/* Nothing can be built under restricted, where plans are made. */
static void test_profile_offered(void **state)
{
    (void)state;
    assert_int_equal(sf_handoff_profile(SF_PROFILE_RESTRICTED), SF_PROFILE_NORMAL);
    assert_int_equal(sf_handoff_profile(SF_PROFILE_NORMAL), SF_PROFILE_NORMAL);
    assert_int_equal(sf_handoff_profile(SF_PROFILE_TRUSTED), SF_PROFILE_TRUSTED);
    assert_int_equal(sf_handoff_profile(SF_PROFILE_UNRESTRICTED), SF_PROFILE_UNRESTRICTED);
}

static void test_repair_never_widens(void **state)
{
    struct sf_mode_change change = SF_MODE_CHANGE_INIT;
    struct sf_mode_state s, to;

    (void)state;
    sf_handoff_repair(&change);
    for (int profile = 0; profile < 4; profile++) {
        sf_mode_state_init(&s, SF_SURFACE_TUI);
        s.work = SF_WORK_BUILD;
        s.control = SF_RUN_AUTONOMOUS;
        s.model = SF_MODEL_DEEP;
        s.profile = (enum sf_profile)profile;
        to = sf_change_target(&change, &s, &scopes);
        assert_int_equal(to.work, SF_WORK_REPAIR);
        assert_int_equal(to.control, SF_RUN_AUTONOMOUS);
        assert_int_equal(to.model, SF_MODEL_DEEP);
        assert_int_equal(to.profile, profile < SF_PROFILE_NORMAL ? profile : SF_PROFILE_NORMAL);
    }
}

static const struct {
    const char *name, *state;
    enum sf_repair_policy policy;
    enum sf_repair_step want;
} cases[] = {
    { "auto", "build|autonomous|trusted|smart", SF_REPAIR_AUTO, SF_REPAIR_STEP_SWITCH },
    { "ask", "build|autonomous|trusted|smart", SF_REPAIR_ASK, SF_REPAIR_STEP_OFFER },
    { "log only", "build|autonomous|trusted|smart", SF_REPAIR_LOG_ONLY, SF_REPAIR_STEP_STAY },
    { "a manual build stays", "build|manual|trusted|smart", SF_REPAIR_AUTO, SF_REPAIR_STEP_STAY },
    { "an assisted build stays", "build|assisted|trusted|smart", SF_REPAIR_AUTO,
      SF_REPAIR_STEP_STAY },
    { "a paused build stays", "build|paused|trusted|smart", SF_REPAIR_AUTO, SF_REPAIR_STEP_STAY },
    { "research stays", "research|autonomous|trusted|smart", SF_REPAIR_AUTO, SF_REPAIR_STEP_STAY },
    { "repair stays repair", "repair|autonomous|normal|smart", SF_REPAIR_AUTO,
      SF_REPAIR_STEP_STAY },
};

static void test_policy(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_mode_state s;

    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        sf_mode_state_init(&s, SF_SURFACE_TUI);
        assert_true(sf_mode_state_parse(&s, cases[i].state, &err));
        if (sf_repair_decide(cases[i].policy, &s) != cases[i].want)
            fail_msg("%s", cases[i].name);
    }
    assert_string_equal(sf_repair_policy_names[SF_REPAIR_LOG_ONLY], "log-only");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plan_accepted),
        cmocka_unit_test(test_profile_offered),
        cmocka_unit_test(test_repair_never_widens),
        cmocka_unit_test(test_policy),
    };

    return cmocka_run_group_tests_name("handoff", tests, NULL, NULL);
}
