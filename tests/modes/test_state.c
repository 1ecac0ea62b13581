/*
 * The mode record: where it starts, that axes do not touch each other, and that what is written
 * reads back over every state there is.
 */
#include "base/base.h"
#include "modes/modes.h"
#include "support/mode_state_equal.h"
#include "support/test.h"

static void test_start(void **state)
{
    struct sf_mode_state s;

    (void)state;
    sf_mode_state_init(&s, SF_SURFACE_RPC);
    assert_int_equal(s.work, SF_WORK_CHAT);
    assert_int_equal(s.control, SF_RUN_MANUAL);
    assert_int_equal(s.profile, SF_PROFILE_NORMAL);
    assert_int_equal(s.model, SF_MODEL_SMART);
    assert_int_equal(s.surface, SF_SURFACE_RPC);
    assert_string_equal(s.scope, "free");
    assert_false(s.paused || s.trust);
    assert_int_equal(s.version, 0);
}

/* The n-th of all 6*3*4*3*4 states. */
static void nth_state(struct sf_mode_state *s, int n)
{
    sf_mode_state_init(s, SF_SURFACE_TUI);
    for (int a = 0; a < SF_AXIS_COUNT; a++) {
        sf_mode_state_set(s, (enum sf_axis)a, n % sf_axes[a].count);
        n /= sf_axes[a].count;
    }
}

enum { STATES = 6 * 3 * 4 * 3 * 4 };

static void set_each(const struct sf_mode_state *before, int a)
{
    for (int v = 0; v < sf_axes[a].count; v++) {
        struct sf_mode_state after = *before;

        sf_mode_state_set(&after, (enum sf_axis)a, v);
        for (int o = 0; o < SF_AXIS_COUNT; o++) {
            int want = o == a ? v : sf_mode_state_get(before, (enum sf_axis)o);

            assert_int_equal(sf_mode_state_get(&after, (enum sf_axis)o), want);
        }
        assert_string_equal(after.scope, before->scope);
        assert_true(after.paused == before->paused && after.trust == before->trust);
        assert_int_equal(mode_state_equal(&after, before),
                         sf_mode_state_get(before, (enum sf_axis)a) == v);
    }
}

static void test_no_axis_moves_another(void **state)
{
    struct sf_mode_state s;

    (void)state;
    for (int n = 0; n < STATES; n++) {
        nth_state(&s, n);
        for (int a = 0; a < SF_AXIS_COUNT; a++)
            set_each(&s, a);
    }
}

static bool read_state(const char *text, struct sf_mode_state *s, struct sf_error *err)
{
    struct sf_json *json = sf_json_parse(text, strlen(text), NULL, err);
    bool ok = json && sf_mode_state_from_json(s, json, err);

    sf_json_free(json);
    return ok;
}

static void test_json_reads_back(void **state)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_mode_state s, again;
    struct sf_json_writer w;
    bool ok = true;

    (void)state;
    for (int n = 0; n < STATES && ok; n++) {
        nth_state(&s, n);
        s.version = n;
        s.trust = n % 2;
        s.paused = s.control == SF_RUN_AUTONOMOUS && n % 5 == 0;
        sf_mode_state_set_scope(&s, n % 3 ? "docs" : "my-own_scope.2");
        sf_strbuf_reset(&sb);
        sf_jw_init(&w, &sb);
        sf_mode_state_json(&s, &w);
        ok = read_state(sb.buf, &again, &err) && mode_state_equal(&s, &again) && again.version == n;
    }
    sf_strbuf_release(&sb);
    if (!ok)
        fail_msg("%s", err.msg);
}

#define AXES                                                                                  \
    "\"workMode\":\"build\",\"runControl\":\"autonomous\",\"permissionProfile\":\"trusted\"," \
    "\"modelMode\":\"deep\",\"surface\":\"tui\""
#define REST "\"scope\":\"test\",\"paused\":true,\"trust\":false,\"version\":7"

static void test_json_is_exact(void **state)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_mode_state s;
    struct sf_json_writer w;
    bool ok;

    (void)state;
    assert_true(read_state("{" AXES "," REST "}", &s, &err));
    sf_jw_init(&w, &sb);
    sf_mode_state_json(&s, &w);
    ok = !strcmp(sb.buf, "{" AXES "," REST "}");
    sf_strbuf_release(&sb);
    assert_true(ok);
}

static const struct {
    const char *name, *text;
} refused[] = {
    { "a member missing", "{" AXES ",\"scope\":\"test\",\"paused\":true,\"trust\":false}" },
    { "an axis missing", "{\"workMode\":\"build\"," REST "}" },
    { "a member too many", "{" AXES "," REST ",\"mode\":1}" },
    { "an unknown value", "{\"workMode\":\"biuld\"," AXES "}" },
    { "a value in capitals", "{\"workMode\":\"Build\",\"runControl\":\"manual\","
                             "\"permissionProfile\":\"normal\",\"modelMode\":\"fast\","
                             "\"surface\":\"tui\"," REST "}" },
    { "a number for a name", "{\"workMode\":2," REST "}" },
    { "a negative version", "{" AXES ",\"scope\":\"test\",\"paused\":false,\"trust\":false,"
                            "\"version\":-1}" },
    { "half a version", "{" AXES ",\"scope\":\"test\",\"paused\":false,\"trust\":false,"
                        "\"version\":1.5}" },
    { "a text for a switch", "{" AXES ",\"scope\":\"test\",\"paused\":\"no\",\"trust\":false,"
                             "\"version\":1}" },
    { "a scope that is no name", "{" AXES ",\"scope\":\"a b\",\"paused\":false,\"trust\":false,"
                                 "\"version\":1}" },
    { "a scope far too long",
      "{" AXES ",\"scope\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\","
      "\"paused\":false,\"trust\":false,\"version\":1}" },
    { "a pause without a run",
      "{\"workMode\":\"build\",\"runControl\":\"manual\",\"permissionProfile\":\"normal\","
      "\"modelMode\":\"deep\",\"surface\":\"tui\"," REST "}" },
    { "an array", "[]" },
    { "null", "null" },
};

static void test_json_is_strict(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(refused); i++) {
        struct sf_error err = SF_ERROR_INIT;
        struct sf_mode_state s, before;

        sf_mode_state_init(&s, SF_SURFACE_WEB);
        before = s;
        if (read_state(refused[i].text, &s, &err) || !*err.msg)
            fail_msg("%s", refused[i].name);
        assert_true(mode_state_equal(&s, &before));
    }
}

static const struct {
    const char *name, *text, *want; /* NULL: refused */
} spellings[] = {
    { "tight", "build|assisted|normal|smart", "build:free assisted normal smart" },
    { "as the badge", "SF build:test | autonomous | trusted | deep",
      "build:test autonomous trusted deep" },
    { "blanks everywhere", "  plan |manual|  restricted\t|fast ",
      "plan:free manual restricted fast" },
    { "paused", "build|paused|normal|smart", "build:free paused normal smart" },
    { "three axes", "build|assisted|normal", NULL },
    { "five axes", "build|assisted|normal|smart|tui", NULL },
    { "a bar too many", "build|assisted|normal|smart|", NULL },
    { "an empty axis", "build||normal|smart", NULL },
    { "swapped axes", "assisted|build|normal|smart", NULL },
    { "a scope without a name", "build:|assisted|normal|smart", NULL },
    { "a scope on another axis", "build|assisted:test|normal|smart", NULL },
    { "nothing", "", NULL },
    { "a very long word", "buildbuildbuildbuildbuildbuildbuildbuildbuildbuildbuildbuildbuild|a|b|c",
      NULL },
};

static void check_spelling(size_t i)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_mode_state s;
    char got[128] = "";

    sf_mode_state_init(&s, SF_SURFACE_TUI);
    if (sf_mode_state_parse(&s, spellings[i].text, &err))
        snprintf(got, sizeof(got), "%s:%s %s %s %s", sf_work_mode_names[s.work], s.scope,
                 s.paused ? "paused" : sf_run_control_names[s.control], sf_profile_names[s.profile],
                 sf_model_mode_names[s.model]);
    if (strcmp(got, spellings[i].want ? spellings[i].want : "") != 0)
        fail_msg("%s: got %s (%s)", spellings[i].name, got, err.msg);
    if (!spellings[i].want && (!*err.msg || s.work != SF_WORK_CHAT))
        fail_msg("%s: no error, or half a change", spellings[i].name);
}

static void test_spellings(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(spellings); i++)
        check_spelling(i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_start),           cmocka_unit_test(test_no_axis_moves_another),
        cmocka_unit_test(test_json_reads_back), cmocka_unit_test(test_json_is_exact),
        cmocka_unit_test(test_json_is_strict),  cmocka_unit_test(test_spellings),
    };

    return cmocka_run_group_tests_name("state", tests, NULL, NULL);
}
