/*
 * Work modes: default scopes, what the model may choose, what can be written, and the answer
 * ChangeToolMode gives.
 */
#include "base/base.h"
#include "modes/modes.h"
#include "support/test.h"

static const char *const rust[] = { "src/", "Cargo.toml", NULL };
static const struct sf_scope extra[] = { { "implement", rust, "" } };
static const struct sf_scope_set empty = { NULL, 0, false };
static const struct sf_scope_set with_sources = { NULL, 0, true };
static const struct sf_scope_set with_settings = { extra, 1, false };

static const struct {
    const char *name;
    const struct sf_scope_set *set;
    enum sf_work_mode work;
    const char *want;
} defaults[] = {
    { "chat", &with_sources, SF_WORK_CHAT, "free" },
    { "plan", &with_sources, SF_WORK_PLAN, "docs" },
    { "build without sources", &empty, SF_WORK_BUILD, "free" },
    { "build with sources", &with_sources, SF_WORK_BUILD, "implement" },
    { "build with [modes.implement]", &with_settings, SF_WORK_BUILD, "implement" },
    { "review", &with_sources, SF_WORK_REVIEW, "review" },
    { "repair", &with_sources, SF_WORK_REPAIR, "free" },
    { "research", &with_sources, SF_WORK_RESEARCH, "explore" },
};

static void test_defaults(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(defaults); i++)
        if (strcmp(sf_work_default_scope(defaults[i].set, defaults[i].work), defaults[i].want) != 0)
            fail_msg("%s", defaults[i].name);
}

static const char scope_names[][12] = { "free", "implement", "test", "docs", "explore", "review" };

/* clang-format off */
static const struct {
    enum sf_work_mode work;
    bool may[6]; /* in the order of scope_names */
    const char *text;
} switches[] = {
    { SF_WORK_CHAT,     { 1, 1, 1, 1, 1, 1 }, "any" },
    { SF_WORK_PLAN,     { 0, 0, 0, 1, 1, 0 }, "explore, docs" },
    { SF_WORK_BUILD,    { 1, 1, 1, 1, 1, 1 }, "any" },
    { SF_WORK_REVIEW,   { 0, 0, 0, 0, 1, 1 }, "explore, review" },
    { SF_WORK_REPAIR,   { 1, 1, 1, 1, 1, 1 }, "any" },
    { SF_WORK_RESEARCH, { 0, 0, 0, 1, 1, 0 }, "explore, docs" },
};
/* clang-format on */

static void test_switches(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(switches); i++) {
        char *text = sf_work_scopes_text(switches[i].work);
        bool same = !strcmp(text, switches[i].text);

        free(text);
        assert_true(same);
        for (size_t s = 0; s < SF_COUNT(scope_names); s++)
            if (sf_work_model_may(switches[i].work, scope_names[s]) != switches[i].may[s])
                fail_msg("%s in %s", scope_names[s], sf_work_mode_names[switches[i].work]);
        assert_true(sf_work_model_may(switches[i].work,
                                      sf_work_default_scope(&with_sources, switches[i].work)));
    }
    assert_false(sf_work_holds(SF_WORK_REVIEW, "free"));
    assert_true(sf_work_holds(SF_WORK_REVIEW, "explore"));
    assert_true(sf_work_holds(SF_WORK_PLAN, "implement"));
}

static const struct {
    const char *name, *scope, *path;
    enum sf_work_mode work;
    bool want;
} writes[] = {
    { "plan writes its plan", "docs", ".sf/plans/a.md", SF_WORK_PLAN, true },
    { "plan writes documents", "docs", "docs/a.md", SF_WORK_PLAN, true },
    { "plan writes no source", "docs", "src/a.c", SF_WORK_PLAN, false },
    { "plan writes its plan while exploring", "explore", ".sf/plans/a.md", SF_WORK_PLAN, true },
    { "plan reaches no policy", "docs", ".sf/config.toml", SF_WORK_PLAN, false },
    { "plan keeps out of research", "docs", ".sf/research/a.md", SF_WORK_PLAN, false },
    { "research writes its notes", "explore", ".sf/research/a.md", SF_WORK_RESEARCH, true },
    { "research writes nothing else", "explore", "docs/a.md", SF_WORK_RESEARCH, false },
    { "research in docs", "docs", "docs/a.md", SF_WORK_RESEARCH, true },
    { "review writes nothing", "review", "a", SF_WORK_REVIEW, false },
    { "review writes nothing even when free", "free", "a", SF_WORK_REVIEW, false },
    { "build in implement", "implement", "src/a.c", SF_WORK_BUILD, true },
    { "build in implement keeps tests", "implement", "tests/a.c", SF_WORK_BUILD, false },
    { "build has no extra", "implement", ".sf/plans/a.md", SF_WORK_BUILD, false },
    { "repair is free", "free", "any/thing", SF_WORK_REPAIR, true },
    { "free is not beyond the workspace", "free", "../a", SF_WORK_REPAIR, false },
};

static void test_writes(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(writes); i++) {
        struct sf_writable w =
            sf_writable_of(writes[i].work, sf_scope_find(&empty, writes[i].scope));

        if (sf_writable_allows(&w, writes[i].path, strlen(writes[i].path)) != writes[i].want)
            fail_msg("%s", writes[i].name);
    }
}

static const struct {
    const char *name;
    enum sf_work_mode work;
    const char *scope, *text, *json;
} answers[] = {
    { "test", SF_WORK_BUILD, "test", "tests/, test/, spec/",
      "{\"previous_mode\":\"implement\",\"new_mode\":\"test\",\"writable\":[\"tests/\",\"test/\","
      "\"spec/\"],\"strategy\":\"Write tests for expected behavior, not current behavior.\"}" },
    { "nothing writable", SF_WORK_BUILD, "explore", "nothing",
      "{\"previous_mode\":\"implement\",\"new_mode\":\"explore\",\"writable\":[],"
      "\"strategy\":\"Map the territory before making changes.\"}" },
    { "with the extra", SF_WORK_RESEARCH, "explore", ".sf/research/",
      "{\"previous_mode\":\"implement\",\"new_mode\":\"explore\",\"writable\":[\".sf/research/\"],"
      "\"strategy\":\"Map the territory before making changes.\"}" },
    { "everything needs no extra", SF_WORK_PLAN, "free", "*",
      "{\"previous_mode\":\"implement\",\"new_mode\":\"free\",\"writable\":[\"*\"],"
      "\"strategy\":\"\"}" },
};

static void check_answer(size_t i)
{
    struct sf_writable w = sf_writable_of(answers[i].work, sf_scope_find(&empty, answers[i].scope));
    struct sf_strbuf json = SF_STRBUF_INIT, text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    bool ok = sf_work_switch_answer(&empty, answers[i].work, "implement", answers[i].scope, &json,
                                    &err) &&
              !strcmp(json.buf, answers[i].json);

    sf_writable_text(&w, &text);
    ok = ok && !strcmp(text.buf, answers[i].text);
    sf_strbuf_release(&json);
    sf_strbuf_release(&text);
    if (!ok)
        fail_msg("%s", answers[i].name);
}

static void test_answers(void **state)
{
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    (void)state;
    for (size_t i = 0; i < SF_COUNT(answers); i++)
        check_answer(i);
    assert_false(sf_work_switch_answer(&empty, SF_WORK_BUILD, "free", "tset", &out, &err));
    assert_int_equal(out.len, 0);
    assert_string_equal(err.hint, "did you mean test?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_switches),
        cmocka_unit_test(test_writes),
        cmocka_unit_test(test_answers),
    };

    return cmocka_run_group_tests_name("work_mode", tests, NULL, NULL);
}
