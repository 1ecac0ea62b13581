/* Limits: when they are reached, when somebody is told, and how they read. */
#include "agent/agent.h"
#include "base/base.h"
#include "support/test.h"

static const struct {
    const char *name;
    enum sf_budget_kind kind;
    int64_t limit, spend[6];
    int over, alerts[6];
    const char *text;
} cases[] = {
    { "no limit is never over", SF_BUDGET_COST, 0, { 1000000 }, -1, { 0 }, "$1.00 of $0.00" },
    { "three turns are three",
      SF_BUDGET_TURNS,
      3,
      { 1, 1, 1 },
      SF_BUDGET_TURNS,
      { 0, 50, 100 },
      "3 of 3" },
    { "alerts on the way",
      SF_BUDGET_TOKENS,
      100,
      { 49, 1, 25, 14, 1, 9 },
      -1,
      { 0, 50, 75, 0, 90, 0 },
      "99 of 100" },
    { "a jump tells the highest", SF_BUDGET_CALLS, 10, { 9, 0 }, -1, { 90, 0 }, "9 of 10" },
    { "nothing is given back", SF_BUDGET_TIME, 1000, { 500, -400 }, -1, { 50, 0 }, "0 s of 1 s" },
    { "no overflow",
      SF_BUDGET_TOKENS,
      5,
      { INT64_MAX, INT64_MAX },
      SF_BUDGET_TOKENS,
      { 100, 0 },
      "9,223,372,036,854,775,807 of 5" },
    { "minutes", SF_BUDGET_TIME, 14400000, { 754000 }, -1, { 0 }, "12 min of 4 h" },
    { "hours and minutes", SF_BUDGET_TIME, 14400000, { 5430000 }, -1, { 0 }, "1 h 30 min of 4 h" },
    { "many", SF_BUDGET_TOKENS, 20000000, { 28620 }, -1, { 0 }, "28,620 of 20,000,000" },
};

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_budget b = { 0 };
        struct sf_strbuf text = SF_STRBUF_INIT;

        b.limit[cases[i].kind] = cases[i].limit;
        for (size_t k = 0; k < 6; k++) {
            sf_budget_spend(&b, cases[i].kind, cases[i].spend[k]);
            if (sf_budget_alert(&b, cases[i].kind) != cases[i].alerts[k])
                fail_msg("%s: alert %zu", cases[i].name, k);
        }
        if (sf_budget_over(&b) != cases[i].over)
            fail_msg("%s: over %d", cases[i].name, sf_budget_over(&b));
        sf_budget_text(&b, cases[i].kind, &text);
        assert_string_equal(text.buf, cases[i].text);
        sf_strbuf_release(&text);
    }
}

/* Each limit names a setting and an option, so that a message can say how to raise it. */
static void test_rows(void **state)
{
    (void)state;
    for (int i = 0; i < SF_BUDGET_COUNT; i++) {
        assert_int_equal(sf_budgets[i].kind, i);
        assert_memory_equal(sf_budgets[i].setting, "limits.", 7);
        assert_memory_equal(sf_budgets[i].option, "--", 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
