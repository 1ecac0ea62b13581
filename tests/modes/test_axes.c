/*
 * The axes' table: complete rows, words that read back, cycles, letters and roles.
 */
#include "base/base.h"
#include "modes/modes.h"
#include "support/test.h"

static void test_rows_are_complete(void **state)
{
    (void)state;
    for (int a = 0; a < SF_AXIS_COUNT; a++) {
        const struct sf_axis_info *info = &sf_axes[a];
        int n = 0;

        while (info->names[n])
            n++;
        assert_int_equal(n, info->count);
        assert_int_equal(strlen(info->letters), n);
        assert_true(info->fallback >= 0 && info->fallback < n);
        assert_true((info->word != NULL) == (a < SF_AXIS_SETTABLE));
        assert_true(*info->json && *info->config && *info->noun);
    }
}

static void test_every_name_reads_back(void **state)
{
    struct sf_error err = SF_ERROR_INIT;

    (void)state;
    for (int a = 0; a < SF_AXIS_COUNT; a++)
        for (int v = 0; v < sf_axes[a].count; v++) {
            int got = -1;

            assert_true(
                sf_axis_parse((enum sf_axis)a, sf_axis_name((enum sf_axis)a, v), &got, &err));
            assert_int_equal(got, v);
        }
}

static const struct {
    const char *name;
    enum sf_axis axis;
    const char *word, *hint;
} strangers[] = {
    { "a slip in a work mode", SF_AXIS_WORK, "biuld", "did you mean build?" },
    { "a slip in a run control", SF_AXIS_CONTROL, "autonomus", "did you mean autonomous?" },
    { "a slip in a profile", SF_AXIS_PROFILE, "unrestricetd", "did you mean unrestricted?" },
    { "a slip in a model mode", SF_AXIS_MODEL, "depe", "did you mean deep?" },
    { "a value of another axis", SF_AXIS_WORK, "trusted",
      "one of chat, plan, build, review, repair, research" },
    { "a number", SF_AXIS_WORK, "2", "one of chat, plan, build, review, repair, research" },
};

static void test_strangers(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(strangers); i++) {
        struct sf_error err = SF_ERROR_INIT;
        int got = 77;

        if (sf_axis_parse(strangers[i].axis, strangers[i].word, &got, &err) || got != 77 ||
            strcmp(err.hint, strangers[i].hint) != 0)
            fail_msg("%s: %s", strangers[i].name, err.hint);
    }
}

static void test_cycles(void **state)
{
    static const char *const work[] = { "chat", "plan", "build", "review", "repair", "research" };
    static const char *const profile[] = { "restricted", "normal", "trusted", "unrestricted" };
    int v = SF_WORK_CHAT;

    (void)state;
    for (size_t i = 0; i < SF_COUNT(work); i++, v = sf_axis_next(SF_AXIS_WORK, v))
        assert_string_equal(sf_axis_name(SF_AXIS_WORK, v), work[i]);
    assert_int_equal(v, SF_WORK_CHAT);
    v = SF_PROFILE_RESTRICTED;
    for (size_t i = 0; i < SF_COUNT(profile); i++, v = sf_axis_next(SF_AXIS_PROFILE, v))
        assert_string_equal(sf_axis_name(SF_AXIS_PROFILE, v), profile[i]);
    assert_int_equal(v, SF_PROFILE_RESTRICTED);
}

/* The short badge must say one thing only; review and repair are never shortened. */
static void test_letters_tell_values_apart(void **state)
{
    (void)state;
    for (int a = 0; a < SF_AXIS_SETTABLE; a++)
        for (int v = 0; v < sf_axes[a].count; v++)
            for (int o = 0; o < v; o++) {
                bool labelled = a == SF_AXIS_WORK && (o == SF_WORK_REVIEW || o == SF_WORK_REPAIR);

                if (!labelled &&
                    sf_axis_letter((enum sf_axis)a, v) == sf_axis_letter((enum sf_axis)a, o) &&
                    !(a == SF_AXIS_WORK && (v == SF_WORK_REVIEW || v == SF_WORK_REPAIR)))
                    fail_msg("%s and %s", sf_axes[a].names[v], sf_axes[a].names[o]);
            }
    assert_int_equal(sf_axis_letter(SF_AXIS_WORK, SF_WORK_BUILD), 'B');
    assert_int_equal(sf_axis_letter(SF_AXIS_CONTROL, SF_RUN_AUTONOMOUS), 'A');
    assert_int_equal(sf_axis_letter(SF_AXIS_PROFILE, SF_PROFILE_TRUSTED), 'T');
    assert_int_equal(sf_axis_letter(SF_AXIS_MODEL, SF_MODEL_SMART), 'S');
}

/* clang-format off */
static const struct {
    enum sf_axis axis;
    int value;
    enum sf_style role;
} colours[] = {
    { SF_AXIS_WORK, SF_WORK_CHAT, SF_STYLE_DIM },
    { SF_AXIS_WORK, SF_WORK_PLAN, SF_STYLE_ACCENT },
    { SF_AXIS_WORK, SF_WORK_BUILD, SF_STYLE_SUCCESS },
    { SF_AXIS_WORK, SF_WORK_REVIEW, SF_STYLE_WARNING },
    { SF_AXIS_WORK, SF_WORK_REPAIR, SF_STYLE_ERROR },
    { SF_AXIS_WORK, SF_WORK_RESEARCH, SF_STYLE_INFO },
    { SF_AXIS_CONTROL, SF_RUN_MANUAL, SF_STYLE_DIM },
    { SF_AXIS_CONTROL, SF_RUN_ASSISTED, SF_STYLE_WARNING },
    { SF_AXIS_CONTROL, SF_RUN_AUTONOMOUS, SF_STYLE_SUCCESS },
    { SF_AXIS_PROFILE, SF_PROFILE_RESTRICTED, SF_STYLE_SUCCESS },
    { SF_AXIS_PROFILE, SF_PROFILE_NORMAL, SF_STYLE_DIM },
    { SF_AXIS_PROFILE, SF_PROFILE_TRUSTED, SF_STYLE_WARNING },
    { SF_AXIS_PROFILE, SF_PROFILE_UNRESTRICTED, SF_STYLE_ERROR },
};
/* clang-format on */

static void test_roles(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(colours); i++)
        if (sf_axis_role(colours[i].axis, colours[i].value) != colours[i].role)
            fail_msg("%s", sf_axis_name(colours[i].axis, colours[i].value));
    assert_string_equal(sf_role_names[SF_STYLE_INFO], "info");
    assert_null(sf_role_names[SF_STYLE_INFO + 1]);
}

static void test_words(void **state)
{
    (void)state;
    for (int a = 0; a < SF_AXIS_SETTABLE; a++)
        assert_int_equal(sf_axis_by_word(sf_axes[a].word), a);
    assert_int_equal(sf_axis_by_word("surface"), -1);
    assert_int_equal(sf_axis_by_word(""), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_complete),
        cmocka_unit_test(test_every_name_reads_back),
        cmocka_unit_test(test_strangers),
        cmocka_unit_test(test_cycles),
        cmocka_unit_test(test_letters_tell_values_apart),
        cmocka_unit_test(test_roles),
        cmocka_unit_test(test_words),
    };

    return cmocka_run_group_tests_name("axes", tests, NULL, NULL);
}
