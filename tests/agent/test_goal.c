/* Goals: which move may follow which, how they are typed, how they are told. */
#include "agent/agent.h"
#include "base/base.h"
#include "support/test.h"

/* ---- budgets ---- */

static const struct {
    const char *text;
    int64_t tokens; /* -1: refused */
} budgets[] = {
    { "20000", 20000 },
    { "50k", 50000 },
    { "50K", 50000 },
    { "1.5M", 1500000 },
    { "1.25k", 1250 },
    { "0.5k", 500 },
    { "2g", 2000000000 },
    { "1000000000000", SF_GOAL_BUDGET_MAX },
    { "none", 0 },
    { "0", 0 },
    { "", -1 },
    { "k", -1 },
    { "1.k", -1 },
    { ".5k", -1 },
    { "1.5", -1 },
    { "0.0001k", -1 },
    { "1.0005k", -1 },
    { "0k", -1 },
    { "-5", -1 },
    { "+5", -1 },
    { "5kk", -1 },
    { "5 k", -1 },
    { "1..5k", -1 },
    { "0x10", -1 },
    { "many", -1 },
    { "1000000000001", -1 },
    { "9999999999999999999999", -1 },
    { "9223372036854775807G", -1 },
};

static void test_budgets(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(budgets); i++) {
        struct sf_error err = SF_ERROR_INIT;
        int64_t got = -1;
        bool ok = sf_goal_budget_parse(budgets[i].text, strlen(budgets[i].text), &got, &err);

        if (ok != (budgets[i].tokens >= 0) || (ok && got != budgets[i].tokens))
            fail_msg("'%s': %d, %lld (%s)", budgets[i].text, ok, (long long)got, err.msg);
        if (!ok && !err.msg[0])
            fail_msg("'%s': refused without a word", budgets[i].text);
    }
}

static const struct {
    int64_t tokens;
    const char *text;
} counts[] = {
    { 0, "0" },         { 999, "999" },      { 1000, "1k" },         { 1234, "1.2k" },
    { 12345, "12.3k" }, { 99949, "99.9k" },  { 123456, "123k" },     { 1500000, "1.5M" },
    { 999999, "999k" }, { 12000000, "12M" }, { 3000000000LL, "3G" },
};

static void test_counts(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(counts); i++) {
        struct sf_strbuf out = SF_STRBUF_INIT;

        sf_tokens_add(&out, counts[i].tokens);
        assert_string_equal(out.buf, counts[i].text);
        sf_strbuf_release(&out);
    }
}

/* ---- commands ---- */

static const struct {
    const char *line;
    enum sf_goal_verb verb;
    enum sf_goal_status to;
    const char *text;
    int64_t budget;
} lines[] = {
    { "", SF_GOAL_VERB_SHOW, 0, "", -1 },
    { "   ", SF_GOAL_VERB_SHOW, 0, "", -1 },
    { "fix the parser", SF_GOAL_VERB_SET, 0, "fix the parser", -1 },
    { "fix the parser --budget 50k", SF_GOAL_VERB_SET, 0, "fix the parser", 50000 },
    { "--budget 50k fix the parser", SF_GOAL_VERB_SET, 0, "fix the parser", 50000 },
    { "--budget 50k", SF_GOAL_VERB_BUDGET, 0, "", 50000 },
    { "--budget none", SF_GOAL_VERB_BUDGET, 0, "", 0 },
    { "explain --budget in the docs", SF_GOAL_VERB_SET, 0, "explain --budget in the docs", -1 },
    { "set pause", SF_GOAL_VERB_SET, SF_GOAL_ACTIVE, "pause", -1 },
    { "pause", SF_GOAL_VERB_MOVE, SF_GOAL_PAUSED, "", -1 },
    { "pause the video in a hidden tab", SF_GOAL_VERB_SET, 0, "pause the video in a hidden tab",
      -1 },
    { "resume", SF_GOAL_VERB_MOVE, SF_GOAL_ACTIVE, "", -1 },
    { "resume --budget 1.5M", SF_GOAL_VERB_MOVE, SF_GOAL_ACTIVE, "", 1500000 },
    { "complete", SF_GOAL_VERB_MOVE, SF_GOAL_COMPLETE, "", -1 },
    { "completes", SF_GOAL_VERB_SET, 0, "completes", -1 },
    { "blocked", SF_GOAL_VERB_MOVE, SF_GOAL_BLOCKED, "", -1 },
    { "blocked  no key ", SF_GOAL_VERB_MOVE, SF_GOAL_BLOCKED, "no key", -1 },
    { "clear", SF_GOAL_VERB_CLEAR, 0, "", -1 },
};

static void test_lines(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(lines); i++) {
        struct sf_goal_command c;
        struct sf_error err = SF_ERROR_INIT;

        if (!sf_goal_command_parse(lines[i].line, strlen(lines[i].line), &c, &err))
            fail_msg("'%s': %s", lines[i].line, err.msg);
        if (c.verb != lines[i].verb || c.to != lines[i].to || c.budget != lines[i].budget ||
            c.len != strlen(lines[i].text) || strncmp(c.text, lines[i].text, c.len) != 0)
            fail_msg("'%s': verb %d to %d text '%.*s' budget %lld", lines[i].line, c.verb, c.to,
                     (int)c.len, c.text, (long long)c.budget);
    }
}

static void test_bad_lines(void **state)
{
    static const char *const bad[] = { "x --budget much", "--budget", "x --budget",
                                       "--budget x y" };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(bad); i++) {
        struct sf_goal_command c;
        struct sf_error err = SF_ERROR_INIT;

        if (sf_goal_command_parse(bad[i], strlen(bad[i]), &c, &err))
            fail_msg("'%s' was taken", bad[i]);
    }
}

/* ---- moves ---- */

/* By the status it comes from: what may follow, of a p b u l c. */
static const struct {
    enum sf_goal_status from;
    const char *to;
} moves[] = {
    { SF_GOAL_ACTIVE, "pbulc" }, { SF_GOAL_PAUSED, "abc" },
    { SF_GOAL_BLOCKED, "apc" },  { SF_GOAL_USAGE_LIMITED, "apbc" },
    { SF_GOAL_COMPLETE, "" },    { SF_GOAL_BUDGET_LIMITED, "apbc" },
};

static void test_moves(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(moves); i++) {
        for (int to = 0; to < SF_GOAL_STATUS_COUNT; to++) {
            bool want = strchr(moves[i].to, "apbulc"[to]) != NULL;
            struct sf_goal g = { .set = true, .status = moves[i].from };
            const struct sf_goal_command c = {
                .verb = SF_GOAL_VERB_MOVE, .to = (enum sf_goal_status)to, .text = "", .budget = -1
            };
            struct sf_error err = SF_ERROR_INIT;

            if (sf_goal_apply(&g, &c, &err) != want ||
                g.status != (want ? (enum sf_goal_status)to : moves[i].from))
                fail_msg("%s to %s: %s", sf_goal_status_names[moves[i].from],
                         sf_goal_status_names[to], err.msg);
        }
    }
}

static void apply(struct sf_goal *g, const char *line, bool want, const char *says)
{
    struct sf_goal_command c;
    struct sf_error err = SF_ERROR_INIT;

    assert_true(sf_goal_command_parse(line, strlen(line), &c, &err));
    if (sf_goal_apply(g, &c, &err) != want || (!want && !strstr(err.msg, says)))
        fail_msg("%s: %s", line, err.msg);
}

static void test_life(void **state)
{
    struct sf_goal g = { .set = false };

    (void)state;
    apply(&g, "pause", false, "there is no goal");
    apply(&g, "clear", false, "there is no goal");
    apply(&g, "fix\tthe\nparser \x1b[31m --budget 10k", true, "");
    assert_string_equal(g.text, "fix the parser \xe2\x90\x9b[31m");
    g.tokens = 10000;
    g.status = SF_GOAL_BUDGET_LIMITED;
    apply(&g, "resume", false, "budget is used up");
    apply(&g, "resume --budget 9k", false, "budget is used up");
    apply(&g, "--budget 9k", true, "");
    assert_int_equal(g.status, SF_GOAL_BUDGET_LIMITED);
    apply(&g, "--budget 20k", true, "");
    assert_int_equal(g.status, SF_GOAL_ACTIVE);
    apply(&g, "resume", false, "active already");
    apply(&g, "blocked no key", true, "");
    assert_string_equal(g.why, "no key");
    apply(&g, "resume", true, "");
    assert_string_equal(g.why, "");
    assert_int_equal(g.tokens, 10000);
    apply(&g, "complete", true, "");
    apply(&g, "resume", false, "complete cannot become active");
    apply(&g, "another one", true, "");
    assert_int_equal(g.tokens, 0);
    assert_int_equal(g.budget, 0);
    apply(&g, "clear", true, "");
    assert_false(g.set);
}

static void test_too_long(void **state)
{
    struct sf_goal g = { .set = false };
    struct sf_strbuf line = SF_STRBUF_INIT;

    (void)state;
    sf_strbuf_fill(&line, 'x', SF_GOAL_TEXT_MAX);
    apply(&g, line.buf, true, "");
    sf_strbuf_addch(&line, 'x');
    apply(&g, line.buf, false, "at most");
    assert_int_equal(strlen(g.text), SF_GOAL_TEXT_MAX); /* the old one stays */
    sf_strbuf_release(&line);
}

/* ---- as it is told ---- */

static const struct {
    const char *name;
    struct sf_goal goal;
    const char *meta;
} metas[] = {
    { "none", { .set = false }, "" },
    { "active",
      { .set = true, .text = "fix it", .tokens = 1500, .budget = 50000 },
      "fix it (active; 1.5k of 50k tokens used)" },
    { "without a budget",
      { .set = true, .text = "fix it", .tokens = 1500 },
      "fix it (active; 1.5k tokens used)" },
    { "paused is nobody's business", { .set = true, .text = "x", .status = SF_GOAL_PAUSED }, "" },
    { "complete neither", { .set = true, .text = "x", .status = SF_GOAL_COMPLETE }, "" },
    { "blocked, and why",
      { .set = true, .text = "fix it", .status = SF_GOAL_BLOCKED, .why = "no key" },
      "fix it (blocked: no key; 0 tokens used)" },
    { "used up",
      { .set = true,
        .text = "fix it",
        .status = SF_GOAL_BUDGET_LIMITED,
        .budget = 1000,
        .tokens = 1200 },
      "fix it (budget_limited; 1.2k of 1k tokens used: its budget is used up, so bring what is in "
      "hand to an end and say what is left)" },
};

static void test_meta(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(metas); i++) {
        struct sf_strbuf out = SF_STRBUF_INIT;

        sf_goal_meta(&metas[i].goal, &out);
        if (strcmp(out.buf, metas[i].meta) != 0)
            fail_msg("%s: '%s'", metas[i].name, out.buf);
        sf_strbuf_release(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_budgets),  cmocka_unit_test(test_counts),
        cmocka_unit_test(test_lines),    cmocka_unit_test(test_bad_lines),
        cmocka_unit_test(test_moves),    cmocka_unit_test(test_life),
        cmocka_unit_test(test_too_long), cmocka_unit_test(test_meta),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
