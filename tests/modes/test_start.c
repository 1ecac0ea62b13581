/*
 * test_start.c: what a new session begins with, by surface, choice and scope.
 */
#include "modes/modes.h"
#include "support/test.h"

enum { NOBODY = -1 };

static const struct {
    const char *name;
    enum sf_surface surface;
    int work, control, profile; /* that somebody chose; or NOBODY */
    const char *scope;
    bool sources;
    const char *axes, *in; /* that come out, and the scope; NULL: it is refused */
} cases[] = {
    { "a terminal talks", SF_SURFACE_TUI, NOBODY, NOBODY, NOBODY, NULL, true,
      "chat|manual|normal|smart", "free" },
    { "so does a browser", SF_SURFACE_WEB, NOBODY, NOBODY, NOBODY, NULL, true,
      "chat|manual|normal|smart", "free" },
    { "and another program", SF_SURFACE_RPC, NOBODY, NOBODY, NOBODY, NULL, true,
      "chat|manual|normal|smart", "free" },
    { "without a screen it builds", SF_SURFACE_HEADLESS, NOBODY, NOBODY, NOBODY, NULL, true,
      "build|assisted|normal|smart", "implement" },
    { "everywhere, where nothing says source", SF_SURFACE_HEADLESS, NOBODY, NOBODY, NOBODY, NULL,
      false, "build|assisted|normal|smart", "free" },
    { "a chosen work mode holds", SF_SURFACE_HEADLESS, SF_WORK_PLAN, NOBODY, NOBODY, NULL, true,
      "plan|assisted|normal|smart", "docs" },
    { "also the one that terminals have", SF_SURFACE_HEADLESS, SF_WORK_CHAT, SF_RUN_MANUAL, NOBODY,
      NULL, true, "chat|manual|normal|smart", "free" },
    { "a chosen profile too", SF_SURFACE_TUI, NOBODY, NOBODY, SF_PROFILE_RESTRICTED, NULL, true,
      "chat|manual|restricted|smart", "free" },
    { "a chosen scope too", SF_SURFACE_HEADLESS, NOBODY, NOBODY, NOBODY, "test", true,
      "build|assisted|normal|smart", "test" },
    { "but one that there is", SF_SURFACE_TUI, NOBODY, NOBODY, NOBODY, "tset", true, NULL, NULL },
};

static void choose(struct sf_start *start, enum sf_axis axis, int value)
{
    start->chosen[axis] = value != NOBODY;
    start->values[axis] = value == NOBODY ? 0 : value;
}

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        const struct sf_scope_set scopes = { NULL, 0, cases[i].sources };
        struct sf_start start = { .scope = cases[i].scope };
        struct sf_error err = SF_ERROR_INIT;
        struct sf_mode_state got, want;
        bool ok;

        choose(&start, SF_AXIS_WORK, cases[i].work);
        choose(&start, SF_AXIS_CONTROL, cases[i].control);
        choose(&start, SF_AXIS_PROFILE, cases[i].profile);
        ok = sf_start_state(&start, cases[i].surface, &scopes, &got, &err);
        if (ok != !!cases[i].axes)
            fail_msg("%s: %s", cases[i].name, ok ? "taken" : err.msg);
        if (!ok)
            continue;
        sf_mode_state_init(&want, cases[i].surface);
        assert_true(sf_mode_state_parse(&want, cases[i].axes, &err));
        sf_mode_state_set_scope(&want, cases[i].in);
        if (sf_change_between(&got, &want))
            fail_msg("%s: %s, %s in %s", cases[i].name, sf_work_mode_names[got.work],
                     sf_run_control_names[got.control], got.scope);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
