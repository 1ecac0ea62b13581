/*
 * test_change.c: what is asked happens and nothing else, over every state; scopes follow work modes;
 * floors, roofs and pauses.
 */
#include "base/base.h"
#include "modes/modes.h"
#include "support/test.h"

static const struct sf_scope_set scopes = { NULL, 0, true };

enum { STATES = 6 * 3 * 4 * 3 };

static void nth_state(struct sf_mode_state *s, int n)
{
    sf_mode_state_init(s, SF_SURFACE_WEB);
    for (int a = 0; a < SF_AXIS_SETTABLE; a++) {
        sf_mode_state_set(s, (enum sf_axis)a, n % sf_axes[a].count);
        n /= sf_axes[a].count;
    }
    sf_mode_state_set_scope(s, sf_work_default_scope(&scopes, s->work));
    s->version = 5;
}

static void change_each(const struct sf_mode_state *from, int a)
{
    for (int v = 0; v < sf_axes[a].count; v++) {
        struct sf_mode_change change = SF_MODE_CHANGE_INIT;
        struct sf_mode_state to;
        unsigned moved;

        sf_change_axis(&change, (enum sf_axis)a, v);
        to = sf_change_target(&change, from, &scopes);
        moved = sf_change_between(from, &to);
        assert_int_equal(sf_mode_state_get(&to, (enum sf_axis)a), v);
        /* An axis moves itself; the work mode may bring its scope along; nothing else moves. */
        moved &= ~SF_FIELD_BIT(a);
        if (a == SF_AXIS_WORK)
            moved &= ~SF_FIELD_BIT(SF_FIELD_SCOPE);
        assert_int_equal(moved, 0);
        assert_int_equal(to.surface, from->surface);
        assert_int_equal(to.version, from->version);
        assert_string_equal(to.scope, sf_work_default_scope(&scopes, to.work));
    }
}

static void test_one_field_moves_alone(void **state)
{
    struct sf_mode_state s;

    (void)state;
    for (int n = 0; n < STATES; n++) {
        nth_state(&s, n);
        for (int a = 0; a < SF_AXIS_SETTABLE; a++)
            change_each(&s, a);
    }
}

static void test_nothing_asked_nothing_moves(void **state)
{
    const struct sf_mode_change nothing = SF_MODE_CHANGE_INIT;
    struct sf_mode_state s, to;

    (void)state;
    for (int n = 0; n < STATES; n++) {
        nth_state(&s, n);
        to = sf_change_target(&nothing, &s, &scopes);
        assert_int_equal(sf_change_between(&s, &to), 0);
    }
}

static struct sf_mode_state start(const char *spelling)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_mode_state s;

    sf_mode_state_init(&s, SF_SURFACE_TUI);
    if (!sf_mode_state_parse(&s, spelling, &err))
        fail_msg("%s", err.msg);
    return s;
}

static void test_scope_follows_the_work_mode(void **state)
{
    struct sf_mode_state s = start("build:test|manual|normal|smart"), to;
    struct sf_mode_change change = SF_MODE_CHANGE_INIT;

    (void)state;
    sf_change_axis(&change, SF_AXIS_WORK, SF_WORK_BUILD);
    to = sf_change_target(&change, &s, &scopes);
    assert_string_equal(to.scope, "test"); /* the same work mode: the scope stays */
    sf_change_axis(&change, SF_AXIS_WORK, SF_WORK_REVIEW);
    to = sf_change_target(&change, &s, &scopes);
    assert_string_equal(to.scope, "review");
    sf_change_axis(&change, SF_AXIS_WORK, SF_WORK_PLAN);
    sf_change_scope(&change, "explore");
    to = sf_change_target(&change, &s, &scopes);
    assert_string_equal(to.scope, "explore");
    sf_change_axis(&change, SF_AXIS_WORK, SF_WORK_BUILD);
    sf_change_scope_default(&change);
    to = sf_change_target(&change, &s, &scopes);
    assert_string_equal(to.scope, "implement");
    sf_change_scope(&change, "docs"); /* the last word holds */
    to = sf_change_target(&change, &s, &scopes);
    assert_string_equal(to.scope, "docs");
}

static void test_floors_and_roofs(void **state)
{
    (void)state;
    for (int from = 0; from < 4; from++)
        for (int want = 0; want < 4; want++) {
            struct sf_mode_state s = start("build|manual|normal|smart");
            struct sf_mode_change floor = SF_MODE_CHANGE_INIT, roof = SF_MODE_CHANGE_INIT;

            s.profile = (enum sf_profile)from;
            sf_change_axis_floor(&floor, SF_AXIS_PROFILE, want);
            sf_change_axis_roof(&roof, SF_AXIS_PROFILE, want);
            assert_int_equal(sf_change_target(&floor, &s, &scopes).profile,
                             from > want ? from : want);
            assert_int_equal(sf_change_target(&roof, &s, &scopes).profile,
                             from < want ? from : want);
            sf_change_axis(&floor, SF_AXIS_PROFILE, want); /* exact again */
            assert_int_equal(sf_change_target(&floor, &s, &scopes).profile, want);
        }
}

static void test_a_pause_needs_an_autonomous_run(void **state)
{
    struct sf_mode_state s = start("build|autonomous|normal|smart"), to;
    struct sf_mode_change pause = SF_MODE_CHANGE_INIT, leave = SF_MODE_CHANGE_INIT;

    (void)state;
    sf_change_paused(&pause, true);
    s = sf_change_target(&pause, &s, &scopes);
    assert_true(s.paused);
    sf_change_axis(&leave, SF_AXIS_CONTROL, SF_RUN_AUTONOMOUS);
    to = sf_change_target(&leave, &s, &scopes);
    assert_true(to.paused); /* saying autonomous again resumes nothing by itself */
    sf_change_axis(&leave, SF_AXIS_CONTROL, SF_RUN_ASSISTED);
    to = sf_change_target(&leave, &s, &scopes);
    assert_false(to.paused);
    to = sf_change_target(&pause, &to, &scopes);
    assert_false(to.paused);
}

static void test_one_change_on_top_of_another(void **state)
{
    struct sf_mode_state s = start("chat|autonomous|normal|smart"), to;
    struct sf_mode_change change = SF_MODE_CHANGE_INIT, top = SF_MODE_CHANGE_INIT;

    (void)state;
    sf_change_axis(&change, SF_AXIS_WORK, SF_WORK_BUILD);
    sf_change_axis_floor(&change, SF_AXIS_CONTROL, SF_RUN_ASSISTED);
    sf_change_scope_default(&change);
    sf_change_trust(&change, true);
    sf_change_axis(&top, SF_AXIS_CONTROL, SF_RUN_MANUAL); /* exactly, no floor any more */
    sf_change_axis_roof(&top, SF_AXIS_PROFILE, SF_PROFILE_RESTRICTED);
    sf_change_scope(&top, "docs");
    sf_change_put(&change, &top);
    to = sf_change_target(&change, &s, &scopes);
    assert_int_equal(to.work, SF_WORK_BUILD);
    assert_int_equal(to.control, SF_RUN_MANUAL);
    assert_int_equal(to.profile, SF_PROFILE_RESTRICTED);
    assert_int_equal(to.model, SF_MODEL_SMART);
    assert_string_equal(to.scope, "docs");
    assert_true(to.trust);
}

static void test_fields_copy(void **state)
{
    struct sf_mode_state a = start("build:test|paused|trusted|deep"), b;

    (void)state;
    a.trust = true;
    for (int f = 0; f < SF_FIELD_COUNT; f++) {
        b = start("chat|manual|normal|smart");
        assert_int_equal(sf_change_between(&a, &b), SF_FIELDS_ALL);
        sf_field_copy(&b, &a, (enum sf_field)f);
        assert_int_equal(sf_change_between(&a, &b), SF_FIELDS_ALL & ~SF_FIELD_BIT(f));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_field_moves_alone),
        cmocka_unit_test(test_nothing_asked_nothing_moves),
        cmocka_unit_test(test_scope_follows_the_work_mode),
        cmocka_unit_test(test_floors_and_roofs),
        cmocka_unit_test(test_a_pause_needs_an_autonomous_run),
        cmocka_unit_test(test_one_change_on_top_of_another),
        cmocka_unit_test(test_fields_copy),
    };

    return cmocka_run_group_tests_name("change", tests, NULL, NULL);
}
