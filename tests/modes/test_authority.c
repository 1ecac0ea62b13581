/*
 * Who may change what: a table of cases, and over every pair of states that nobody but the user
 * widens beyond the ceiling of its row.
 */
#include "base/base.h"
#include "modes/modes.h"
#include "support/test.h"

static const char *const infra[] = { "infra/", NULL };
static const struct sf_scope extra[] = { { "deploy", infra, "" } };
static const struct sf_scope_set scopes = { extra, 1, true };

static struct sf_mode_state spelled(const char *text)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_mode_state s;

    sf_mode_state_init(&s, SF_SURFACE_TUI);
    if (!sf_mode_state_parse(&s, text, &err))
        fail_msg("%s", err.msg);
    return s;
}

static bool attempt(const struct sf_authority *authority, const struct sf_mode_change *change,
                    const struct sf_mode_state *from, struct sf_error *err)
{
    struct sf_mode_state to = sf_change_target(change, from, &scopes);

    return sf_authority_check(authority, change, from, &to, &scopes, err);
}

#define U SF_ACTOR_USER
#define M SF_ACTOR_MODEL
#define C SF_ACTOR_CONTROLLER
#define R SF_ACTOR_REMOTE
#define S SF_ACTOR_SCHEDULE

static const struct {
    const char *name, *from;
    enum sf_actor actor;
    enum sf_axis axis;
    int value;
    bool want;
} moves[] = {
    { "the user raises the profile", "build|manual|normal|smart", U, SF_AXIS_PROFILE, 3, true },
    { "remote raises to trusted", "build|manual|normal|smart", R, SF_AXIS_PROFILE, 2, true },
    { "remote does not unlock all", "build|manual|trusted|smart", R, SF_AXIS_PROFILE, 3, false },
    { "remote lowers", "build|manual|unrestricted|smart", R, SF_AXIS_PROFILE, 0, true },
    { "remote says what is so", "build|manual|unrestricted|smart", R, SF_AXIS_PROFILE, 3, true },
    { "remote drives", "build|manual|normal|smart", R, SF_AXIS_CONTROL, 2, true },
    { "the model raises nothing", "build|manual|normal|smart", M, SF_AXIS_PROFILE, 2, false },
    { "the model lowers nothing", "build|manual|normal|smart", M, SF_AXIS_PROFILE, 0, false },
    { "the model does not drive", "build|manual|normal|smart", M, SF_AXIS_CONTROL, 2, false },
    { "the model does not change mode", "build|manual|normal|smart", M, SF_AXIS_WORK, 0, false },
    { "the model does not think harder", "build|manual|normal|smart", M, SF_AXIS_MODEL, 2, false },
    { "the controller does not raise", "build|manual|normal|smart", C, SF_AXIS_PROFILE, 2, false },
    { "the controller lowers", "build|manual|trusted|smart", C, SF_AXIS_PROFILE, 1, true },
    { "the controller does not run", "build|assisted|normal|smart", C, SF_AXIS_CONTROL, 2, false },
    { "nor assist", "build|manual|normal|smart", C, SF_AXIS_CONTROL, 1, false },
    { "the controller slows", "build|autonomous|normal|smart", C, SF_AXIS_CONTROL, 1, true },
    { "the controller repairs", "build|autonomous|normal|smart", C, SF_AXIS_WORK, SF_WORK_REPAIR,
      true },
    { "the controller builds again", "repair|autonomous|normal|smart", C, SF_AXIS_WORK,
      SF_WORK_BUILD, true },
    { "but not out of a review", "review|autonomous|normal|smart", C, SF_AXIS_WORK, SF_WORK_REPAIR,
      false },
    { "nor out of chat", "chat|autonomous|normal|smart", C, SF_AXIS_WORK, SF_WORK_BUILD, false },
    { "nor out of a plan", "plan|autonomous|normal|smart", C, SF_AXIS_WORK, SF_WORK_BUILD, false },
    { "a schedule does not raise", "build|manual|normal|smart", S, SF_AXIS_PROFILE, 2, false },
    { "a schedule does not run", "build|assisted|normal|smart", S, SF_AXIS_CONTROL, 2, false },
    { "a schedule may think", "build|assisted|normal|smart", S, SF_AXIS_MODEL, 2, true },
};

static void test_moves(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(moves); i++) {
        const struct sf_authority who = { moves[i].actor, true, true };
        struct sf_mode_state from = spelled(moves[i].from);
        struct sf_mode_change change = SF_MODE_CHANGE_INIT;
        struct sf_error err = SF_ERROR_INIT;

        sf_change_axis(&change, moves[i].axis, moves[i].value);
        if (attempt(&who, &change, &from, &err) != moves[i].want)
            fail_msg("%s: %s", moves[i].name, err.msg);
        assert_true(moves[i].want || err.msg[0]);
    }
}

static const struct {
    const char *name, *from, *scope;
    enum sf_actor actor;
    bool want;
} switches[] = {
    { "the model in build", "build|manual|normal|smart", "test", M, true },
    { "the model in a configured scope", "build|manual|normal|smart", "deploy", M, true },
    { "the model in an unknown scope", "build|manual|normal|smart", "nowhere", M, false },
    { "the model frees itself in build", "build:test|manual|normal|smart", "free", M, true },
    { "the model in plan", "plan:docs|manual|normal|smart", "explore", M, true },
    { "the model does not build in plan", "plan:docs|manual|normal|smart", "implement", M, false },
    { "the model does not leave research", "research:explore|manual|normal|smart", "free", M,
      false },
    { "the model does not leave review", "review:review|manual|normal|smart", "docs", M, false },
    { "the user in plan", "plan:docs|manual|normal|smart", "implement", U, true },
    { "the user in an unknown scope", "build|manual|normal|smart", "everything", U, false },
    { "review holds no other", "review:review|manual|normal|smart", "free", U, false },
    { "review may explore", "review:review|manual|normal|smart", "explore", U, true },
    { "the controller explores", "build:implement|autonomous|normal|smart", "explore", C, true },
    { "the controller goes back", "plan:explore|autonomous|normal|smart", "implement", C, true },
};

static void test_switches(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(switches); i++) {
        const struct sf_authority who = { switches[i].actor, false, false };
        struct sf_mode_state from = spelled(switches[i].from);
        struct sf_mode_change change = SF_MODE_CHANGE_INIT;
        struct sf_error err = SF_ERROR_INIT;

        sf_change_scope(&change, switches[i].scope);
        if (attempt(&who, &change, &from, &err) != switches[i].want)
            fail_msg("%s: %s", switches[i].name, err.msg);
        assert_true(switches[i].want || err.msg[0]);
    }
}

static const struct {
    const char *name;
    enum sf_actor actor;
    bool confirmed, trusted, before, after, want;
} trusts[] = {
    { "the user in a trusted workspace", U, false, true, false, true, true },
    { "the user unasked elsewhere", U, false, false, false, true, false },
    { "the user after a confirmation", U, true, false, false, true, true },
    { "the fence is lifted already", U, false, false, true, true, true },
    { "anybody may put it back", R, false, false, true, false, true },
    { "the controller too", C, false, false, true, false, true },
    { "remote does not lift it", R, true, true, false, true, false },
    { "the controller does not", C, true, true, false, true, false },
    { "a schedule does not", S, true, true, false, true, false },
    { "the model does not", M, true, true, false, true, false },
};

/* Where the workspace is not trusted, the widest profile is the same step as lifting the fence. */
static const struct {
    const char *name, *from;
    enum sf_profile to;
    bool confirmed, trusted, trust, want;
} widest[] = {
    { "unasked", "build|manual|normal|smart", SF_PROFILE_UNRESTRICTED, false, false, false, false },
    { "from trusted", "chat|manual|trusted|smart", SF_PROFILE_UNRESTRICTED, false, false, false,
      false },
    { "confirmed", "build|manual|normal|smart", SF_PROFILE_UNRESTRICTED, true, false, false, true },
    { "trusted", "build|manual|normal|smart", SF_PROFILE_UNRESTRICTED, false, true, false, true },
    { "in a session with trust", "build|manual|normal|smart", SF_PROFILE_UNRESTRICTED, false, false,
      true, true },
    { "already there", "build|manual|unrestricted|smart", SF_PROFILE_UNRESTRICTED, false, false,
      false, true },
    { "less than that", "build|manual|normal|smart", SF_PROFILE_TRUSTED, false, false, false,
      true },
    { "lowering", "build|manual|unrestricted|smart", SF_PROFILE_TRUSTED, false, false, false,
      true },
};

static void test_widest(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(widest); i++) {
        const struct sf_authority who = { U, widest[i].confirmed, widest[i].trusted };
        struct sf_mode_state from = spelled(widest[i].from);
        struct sf_mode_change change = SF_MODE_CHANGE_INIT;
        struct sf_error err = SF_ERROR_INIT;

        from.trust = widest[i].trust;
        sf_change_axis(&change, SF_AXIS_PROFILE, (int)widest[i].to);
        if (attempt(&who, &change, &from, &err) != widest[i].want)
            fail_msg("%s: %s", widest[i].name, err.msg);
    }
}

static void test_trust(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(trusts); i++) {
        const struct sf_authority who = { trusts[i].actor, trusts[i].confirmed, trusts[i].trusted };
        struct sf_mode_state from = spelled("build|manual|normal|smart");
        struct sf_mode_change change = SF_MODE_CHANGE_INIT;
        struct sf_error err = SF_ERROR_INIT;

        from.trust = trusts[i].before;
        sf_change_trust(&change, trusts[i].after);
        if (attempt(&who, &change, &from, &err) != trusts[i].want)
            fail_msg("%s: %s", trusts[i].name, err.msg);
    }
}

static const struct {
    const char *name, *from;
    enum sf_actor actor;
    bool paused, want;
} pauses[] = {
    { "the user pauses", "build|autonomous|normal|smart", U, true, true },
    { "the controller pauses", "build|autonomous|normal|smart", C, true, true },
    { "there is no run to pause", "build|assisted|normal|smart", U, true, false },
    { "the user resumes", "build|paused|normal|smart", U, false, true },
    { "remote resumes", "build|paused|normal|smart", R, false, true },
    { "the controller does not resume", "build|paused|normal|smart", C, false, false },
    { "a schedule does not resume", "build|paused|normal|smart", S, false, false },
};

static void test_pauses(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(pauses); i++) {
        const struct sf_authority who = { pauses[i].actor, false, false };
        struct sf_mode_state from = spelled(pauses[i].from);
        struct sf_mode_change change = SF_MODE_CHANGE_INIT;
        struct sf_error err = SF_ERROR_INIT;

        sf_change_paused(&change, pauses[i].paused);
        if (attempt(&who, &change, &from, &err) != pauses[i].want)
            fail_msg("%s: %s", pauses[i].name, err.msg);
    }
}

enum { STATES = 6 * 3 * 4 };

static void nth(int n, struct sf_mode_state *s)
{
    sf_mode_state_init(s, SF_SURFACE_TUI);
    s->work = (enum sf_work_mode)(n % 6);
    s->control = (enum sf_run_control)(n / 6 % 3);
    s->profile = (enum sf_profile)(n / 18);
    sf_mode_state_set_scope(s, sf_work_default_scope(&scopes, s->work));
}

static bool widens(const struct sf_mode_state *from, const struct sf_mode_state *to)
{
    return to->profile > from->profile || to->control > from->control ||
           sf_work_modes[to->work].reach > sf_work_modes[from->work].reach ||
           (to->trust && !from->trust);
}

static void every_actor(const struct sf_mode_state *from, const struct sf_mode_state *want)
{
    struct sf_mode_change change = SF_MODE_CHANGE_INIT;
    struct sf_error err = SF_ERROR_INIT;

    for (int a = 0; a < SF_AXIS_SETTABLE; a++)
        sf_change_axis(&change, (enum sf_axis)a, sf_mode_state_get(want, (enum sf_axis)a));
    for (int actor = 0; sf_actor_names[actor]; actor++) {
        const struct sf_authority who = { (enum sf_actor)actor, true, true };
        bool ok = attempt(&who, &change, from, &err);

        if (actor == SF_ACTOR_USER)
            assert_true(ok);
        else if (actor == SF_ACTOR_MODEL)
            assert_false(ok);
        else if (actor == SF_ACTOR_REMOTE)
            assert_int_equal(ok,
                             want->profile <= SF_PROFILE_TRUSTED || want->profile <= from->profile);
        else
            assert_int_equal(ok, !widens(from, want));
    }
}

static void test_nobody_widens(void **state)
{
    struct sf_mode_state from, want;

    (void)state;
    for (int a = 0; a < STATES; a++)
        for (int b = 0; b < STATES; b++) {
            nth(a, &from);
            nth(b, &want);
            every_actor(&from, &want);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moves),  cmocka_unit_test(test_switches),
        cmocka_unit_test(test_widest), cmocka_unit_test(test_trust),
        cmocka_unit_test(test_pauses), cmocka_unit_test(test_nobody_widens),
    };

    return cmocka_run_group_tests_name("authority", tests, NULL, NULL);
}
