/*
 * test_preset.c: their names, what they set, which one a state is in, and the Tab cycle.
 */
#include "base/base.h"
#include "modes/modes.h"
#include "support/mode_state_equal.h"
#include "support/test.h"

static const struct sf_scope_set scopes = { NULL, 0, true };

static struct sf_mode_state spelled(const char *text)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_mode_state s;

    sf_mode_state_init(&s, SF_SURFACE_TUI);
    if (!sf_mode_state_parse(&s, text, &err))
        fail_msg("%s", err.msg);
    return s;
}

static const struct {
    const char *word, *want; /* NULL: none */
    bool old;
} names[] = {
    { "plan", "plan", false },   { "agent", "agent", false }, { "yolo", "yolo", false },
    { "1", "plan", false },      { "2", "agent", false },     { "3", "yolo", false },
    { "normal", "agent", true }, { "0", NULL, false },        { "4", NULL, false },
    { "Yolo", NULL, false },     { "", NULL, false },         { "build", NULL, false },
};

static void test_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(names); i++) {
        bool old = !names[i].old;
        const struct sf_preset *preset = sf_preset_find(names[i].word, &old);

        if (strcmp(preset ? preset->name : "", names[i].want ? names[i].want : "") != 0 ||
            old != names[i].old)
            fail_msg("%s", names[i].word);
        assert_ptr_equal(sf_preset_find(names[i].word, NULL), preset);
    }
}

static const struct {
    const char *name, *from, *preset, *to;
    bool trust;
} cases[] = {
    { "plan", "build:test|autonomous|trusted|deep", "plan", "plan:docs|manual|restricted|deep", 0 },
    { "agent", "chat|manual|normal|fast", "agent", "build:implement|assisted|normal|fast", 0 },
    { "agent is exactly assisted", "build|autonomous|normal|fast", "agent",
      "build:implement|assisted|normal|fast", 0 },
    { "yolo", "chat|manual|normal|smart", "yolo", "build:free|assisted|unrestricted|smart", 1 },
    { "yolo keeps an autonomous run", "build|autonomous|normal|smart", "yolo",
      "build:free|autonomous|unrestricted|smart", 1 },
    { "yolo in another scope", "build:test|assisted|normal|smart", "yolo",
      "build:free|assisted|unrestricted|smart", 1 },
    { "from yolo to agent", "build:free|assisted|unrestricted|smart", "agent",
      "build:implement|assisted|normal|smart", 0 },
};

static void test_what_they_set(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_mode_state from = spelled(cases[i].from), want = spelled(cases[i].to), to;
        const struct sf_preset *preset = sf_preset_find(cases[i].preset, NULL);
        struct sf_mode_change change = SF_MODE_CHANGE_INIT;

        from.trust = !cases[i].trust;
        want.trust = cases[i].trust;
        sf_preset_change(preset, &change);
        to = sf_change_target(&change, &from, &scopes);
        if (!mode_state_equal(&to, &want))
            fail_msg("%s", cases[i].name);
        assert_ptr_equal(sf_preset_of(&to), preset);
    }
}

static const struct {
    const char *name, *state;
    bool trust;
    const char *want; /* NULL: none */
} postures[] = {
    { "a new session is in none", "chat|manual|normal|smart", false, NULL },
    { "plan with more permission is not the preset", "plan|manual|normal|deep", false, NULL },
    { "any model mode", "plan|manual|restricted|deep", false, "plan" },
    { "agent in another scope", "build:test|assisted|normal|smart", false, "agent" },
    { "agent with trust", "build|assisted|normal|smart", true, "agent" },
    { "an autonomous build is not agent", "build|autonomous|normal|smart", false, NULL },
    { "unrestricted without trust is not yolo", "build:free|assisted|unrestricted|smart", false,
      NULL },
    { "unrestricted in a scope is not yolo", "build:test|assisted|unrestricted|smart", true, NULL },
    { "manual is not yolo", "build:free|manual|unrestricted|smart", true, NULL },
    { "autonomous yolo", "build:free|autonomous|unrestricted|smart", true, "yolo" },
};

static void test_postures(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(postures); i++) {
        struct sf_mode_state s = spelled(postures[i].state);
        const struct sf_preset *preset;

        s.trust = postures[i].trust;
        preset = sf_preset_of(&s);
        if (strcmp(preset ? preset->name : "", postures[i].want ? postures[i].want : "") != 0)
            fail_msg("%s", postures[i].name);
    }
}

static void test_tab(void **state)
{
    static const char *const order[] = { "plan", "agent", "yolo", "plan", "agent" };
    const struct sf_preset *preset = NULL;

    (void)state;
    for (size_t i = 0; i < SF_COUNT(order); i++) {
        preset = sf_preset_next(preset);
        assert_string_equal(preset->name, order[i]);
        assert_true(preset->trust == !strcmp(preset->name, "yolo"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_what_they_set),
        cmocka_unit_test(test_postures),
        cmocka_unit_test(test_tab),
    };

    return cmocka_run_group_tests_name("preset", tests, NULL, NULL);
}
