/*
 * The rules of the machine that runs units, one table for each: what is a circle, what a unit, a
 * run and a day may use, how long a unit may take, what a verdict leads to, how a halt is left.
 */
#include "agent/agent.h"
#include "support/test.h"
#include "support/unit_bench.h"

#define MINUTE INT64_C(60000)

static bool moves_to(const struct unit_bench *b, enum sf_task_state to)
{
    for (size_t i = 0; i < b->fx.count; i++)
        if (b->fx.items[i].kind == SF_UNITS_DO_SAVE && b->fx.items[i].task &&
            b->fx.items[i].to == to)
            return true;
    return false;
}

static struct unit_bench *fresh(void **state)
{
    unit_bench_close(state);
    unit_bench_open(state);
    return *state;
}

static void end_unit(struct unit_bench *b, enum sf_units_end end, const char *text,
                     const char *path)
{
    unit_step(b, (struct sf_units_input){
                     .kind = SF_UNITS_IN_ENDED, .end = end, .text = text, .path = path });
}

static void fail_check(struct unit_bench *b, const char *what)
{
    unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_ENDED });
    unit_step(b, (struct sf_units_input){
                     .kind = SF_UNITS_IN_VERDICT, .verdict = SF_PROOF_FAILED, .text = what });
}

static void go(struct unit_bench *b)
{
    unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_GO });
}

/* ---- circles ---- */

/* One of the tasks T1 to T3 may start, the others wait for a person. */
static void only(struct unit_bench *b, char task)
{
    static const char *const ids[] = { "T1", "T2", "T3" };

    for (size_t i = 0; i < SF_COUNT(ids); i++)
        unit_row(b, ids[i], task == (char)('A' + i) ? SF_TASK_TODO : SF_TASK_BLOCKED, 0);
}

static const struct circle {
    const char *name;
    const char *units, *errors, *paths; /* a letter for each dispatch; '-': no path */
    const char *why;                    /* of the halt instead of the last one; NULL: none */
} circles[] = {
    { "one unit three times", "AAAA", "xyz.", "---.", "the same unit was started three times" },
    { "one unit twice", "AAA.", "xyz.", "---.", NULL },
    { "A-B-A-B", "ABAB", "wxy.", "---.", "two units take turns" },
    { "A-B-A-C", "ABAC", "wxy.", "---.", NULL },
    { "A-B-C-A", "ABCA", "wxy.", "---.", NULL },
    { "the same error twice", "ABC", "xx.", "--.", "the same error" },
    { "an error, another, the first again", "ABCA", "xyx.", "---.", NULL },
    { "the same missing path twice", "ABC", "xy.", "pp.", "the same missing path" },
    { "two missing paths", "ABC", "xy.", "pq.", NULL },
};

static void run_circle(struct unit_bench *b, const struct circle *c)
{
    size_t last = strspn(c->units, "ABC") - 1;

    only(b, c->units[0]);
    unit_start(b);
    for (size_t i = 0; i < last; i++) {
        const char error[] = { c->errors[i], '\0' }, path[] = { c->paths[i], '\0' };

        assert_true(unit_has(b, SF_UNITS_DO_START));
        end_unit(b, SF_UNITS_END_FAILED, error, *path == '-' ? NULL : path);
        only(b, c->units[i + 1]);
        unit_iterate(b);
    }
}

static void test_circles(void **state)
{
    for (size_t i = 0; i < SF_COUNT(circles); i++) {
        struct unit_bench *b = fresh(state);

        print_message("%s\n", circles[i].name);
        run_circle(b, &circles[i]);
        assert_int_equal(unit_has(b, SF_UNITS_DO_START), !circles[i].why);
        if (!circles[i].why)
            continue;
        unit_halted(b, SF_UNITS_GUARD_STUCK);
        assert_non_null(strstr(sf_units_halt(b->units)->why, circles[i].why));
    }
}

static void test_a_circle_a_second_time_is_not_even_looked_at(void **state)
{
    struct unit_bench *b = *state;

    run_circle(b, &circles[0]);
    go(b);
    unit_iterate(b);
    unit_halted(b, SF_UNITS_GUARD_STUCK);
    assert_true(sf_units_halt(b->units)->again);
    go(b);
    unit_halted(b, SF_UNITS_GUARD_STUCK);
    assert_int_equal(b->fx.count, 1);
    unit_step(
        b, (struct sf_units_input){
               .kind = SF_UNITS_IN_WORD, .word = SF_UNITS_WORD_REDO, .task = "T1", .text = "try" });
    unit_iterate(b);
    assert_true(unit_has(b, SF_UNITS_DO_START));
}

static void test_the_same_failure_twice(void **state)
{
    static const struct {
        const char *second;
        bool halts;
    } rows[] = { { "two tests fail", true }, { "one test fails", false } };

    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        struct unit_bench *b = fresh(state);

        unit_start(b);
        fail_check(b, "two tests fail");
        unit_iterate(b);
        fail_check(b, rows[i].second);
        assert_int_equal(unit_has(b, SF_UNITS_DO_HALT), rows[i].halts);
        assert_int_equal(moves_to(b, SF_TASK_PAUSED), rows[i].halts);
        if (rows[i].halts)
            unit_halted(b, SF_UNITS_GUARD_FAILURE);
    }
}

/* ---- budgets ---- */

static void spend(struct unit_bench *b, enum sf_budget_kind kind, int64_t amount)
{
    if (kind == SF_BUDGET_TIME)
        unit_minutes(b, (int)amount);
    else
        unit_spend(b, kind, amount);
}

static void limit(struct unit_bench *b, int scope, int kind, int64_t amount)
{
    b->setup.limit[scope][kind] = kind == SF_BUDGET_TIME ? amount * MINUTE : amount;
    sf_units_set(b->units, &b->setup);
}

static void run_budget(struct unit_bench *b, int scope, int kind)
{
    const char *why;

    unit_no_limits(b);
    sf_units_day(b->units, "2026-11-18", NULL);
    limit(b, scope, kind, 10);
    unit_start(b);
    spend(b, (enum sf_budget_kind)kind, 9);
    assert_true(sf_units_may_spend(b->units, &why));
    spend(b, (enum sf_budget_kind)kind, 1);
    assert_true(unit_has(b, SF_UNITS_DO_CANCEL));
    assert_false(sf_units_may_spend(b->units, &why));
    assert_false(sf_units_may_act(b->units));
    end_unit(b, SF_UNITS_END_CANCELLED, NULL, NULL);
    unit_halted(b, SF_UNITS_GUARD_BUDGET);
    assert_non_null(strstr(sf_units_halt(b->units)->why, sf_units_scopes[scope]));
    assert_int_equal(sf_units_halt(b->units)->exit, SF_UNITS_EXIT_LIMITS);
}

static void test_every_budget_in_every_scope(void **state)
{
    for (int scope = 0; scope < SF_UNITS_PER_COUNT; scope++)
        for (int kind = 0; kind < SF_BUDGET_COUNT; kind++) {
            struct unit_bench *b = fresh(state);

            print_message("%s of the %s\n", sf_budgets[kind].name, sf_units_scopes[scope]);
            run_budget(b, scope, kind);
            go(b);
            unit_iterate(b);
            unit_halted(b, SF_UNITS_GUARD_BUDGET);
            go(b); /* in vain, and known to be */
            unit_halted(b, SF_UNITS_GUARD_BUDGET);
            assert_int_equal(b->fx.count, 1);
            limit(b, scope, kind, 20);
            go(b);
            unit_iterate(b);
            assert_true(unit_has(b, SF_UNITS_DO_START));
        }
}

static int alerted(const struct unit_bench *b)
{
    for (size_t i = 0; i < b->fx.count; i++)
        if (b->fx.items[i].kind == SF_UNITS_DO_ALERT)
            return b->fx.items[i].percent;
    return 0;
}

static void test_alerts(void **state)
{
    static const struct {
        int64_t spend;
        int percent;
    } rows[] = { { 49, 0 }, { 1, 50 }, { 20, 0 }, { 5, 75 }, { 14, 0 }, { 1, 90 }, { 10, 100 } };

    for (int scope = 0; scope < SF_UNITS_PER_COUNT; scope++)
        for (int kind = 0; kind < SF_BUDGET_TIME; kind++) {
            struct unit_bench *b = fresh(state);

            unit_no_limits(b);
            limit(b, scope, kind, 100);
            unit_start(b);
            for (size_t i = 0; i < SF_COUNT(rows); i++) {
                unit_spend(b, (enum sf_budget_kind)kind, rows[i].spend);
                assert_int_equal(alerted(b), rows[i].percent);
            }
        }
}

static void test_a_dear_unit(void **state)
{
    static const char *const ids[] = { "T2", "T3", "T4" };
    struct unit_bench *b = *state;

    for (size_t i = 0; i < SF_COUNT(ids); i++)
        unit_row(b, ids[i], SF_TASK_TODO, 0);
    unit_start(b);
    for (int i = 0; i < 3; i++) {
        unit_spend(b, SF_BUDGET_COST, 100);
        unit_finish(b, SF_PROOF_PASSED);
        unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_CLOSED });
        unit_iterate(b);
    }
    unit_spend(b, SF_BUDGET_COST, 299);
    assert_false(unit_has(b, SF_UNITS_DO_HOLD));
    unit_spend(b, SF_BUDGET_COST, 1);
    assert_true(unit_has(b, SF_UNITS_DO_HOLD));
    unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_HELD });
    unit_halted(b, SF_UNITS_GUARD_DEAR);
    go(b);
    assert_true(unit_has(b, SF_UNITS_DO_RESUME));
    unit_spend(b, SF_BUDGET_COST, 1000); /* the person knows */
    assert_false(unit_has(b, SF_UNITS_DO_HOLD));
}

/* ---- clocks ---- */

static void test_clocks_go_with_the_estimate(void **state)
{
    static const struct {
        int estimate, soft, hard; /* minutes */
    } rows[] = {
        { 0, 20, 30 },  { 5, 20, 30 },    { 10, 20, 30 },    { 15, 30, 45 },
        { 20, 40, 60 }, { 60, 120, 180 }, { 600, 120, 180 },
    };

    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        struct unit_bench *b = fresh(state);

        memset(b->setup.limit, 0, sizeof(b->setup.limit));
        sf_units_set(b->units, &b->setup);
        unit_row(b, "T1", SF_TASK_TODO, rows[i].estimate * MINUTE);
        unit_start(b);
        for (int m = 1; m <= rows[i].hard; m++) {
            unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_ACTIVE });
            unit_minutes(b, 1);
            assert_int_equal(unit_has(b, SF_UNITS_DO_WRAP_UP), m == rows[i].soft);
            assert_int_equal(unit_has(b, SF_UNITS_DO_CANCEL), m == rows[i].hard);
        }
    }
}

static void test_questions_stop_every_clock(void **state)
{
    struct unit_bench *b = *state;

    unit_start(b);
    unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_QUESTION, .flag = true });
    unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_QUESTION, .flag = true });
    unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_QUESTION }); /* one is still open */
    for (int i = 0; i < 200; i++) {
        unit_minutes(b, 1);
        assert_int_equal(b->fx.count, 0);
    }
}

/* ---- verdicts ---- */

static void test_what_is_not_verified_never_becomes_done(void **state)
{
    static const enum sf_units_input_kind begins[] = { SF_UNITS_IN_GO, SF_UNITS_IN_NEXT };

    for (size_t i = 0; i < SF_COUNT(begins); i++) {
        struct unit_bench *b = fresh(state);

        unit_step(b, (struct sf_units_input){ .kind = begins[i] });
        unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_LEASED });
        unit_iterate(b);
        unit_finish(b, SF_PROOF_NONE);
        unit_halted(b, SF_UNITS_GUARD_UNVERIFIED);
        assert_true(moves_to(b, SF_TASK_REVIEWING) && unit_has(b, SF_UNITS_DO_ASK));
        for (int k = 0; k < 3; k++) {
            go(b);
            unit_iterate(b);
            assert_false(moves_to(b, SF_TASK_DONE) || unit_has(b, SF_UNITS_DO_START));
            assert_true(unit_has(b, SF_UNITS_DO_HALT));
        }
        unit_step(b, (struct sf_units_input){
                         .kind = SF_UNITS_IN_WORD, .word = SF_UNITS_WORD_ACCEPT, .task = "T1" });
        unit_iterate(b);
        assert_true(moves_to(b, SF_TASK_DONE) && unit_has(b, SF_UNITS_DO_CLOSE));
    }
}

static void test_a_second_opinion_only_lowers(void **state)
{
    static const struct {
        enum sf_proof verdict, opinion;
        bool asked;
        enum sf_task_state to;
    } rows[] = {
        { SF_PROOF_PASSED, SF_PROOF_PASSED, true, SF_TASK_DONE },
        { SF_PROOF_PASSED, SF_PROOF_NONE, true, SF_TASK_REVIEWING },
        { SF_PROOF_PASSED, SF_PROOF_FAILED, true, SF_TASK_RETRYING },
        { SF_PROOF_NONE, SF_PROOF_PASSED, false, SF_TASK_REVIEWING },
        { SF_PROOF_FAILED, SF_PROOF_PASSED, false, SF_TASK_RETRYING },
    };

    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        struct unit_bench *b = fresh(state);

        b->setup.opinion = true;
        sf_units_set(b->units, &b->setup);
        unit_start(b);
        unit_finish(b, rows[i].verdict);
        assert_int_equal(unit_has(b, SF_UNITS_DO_OPINION), rows[i].asked);
        unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_OPINION,
                                              .verdict = rows[i].opinion,
                                              .text = "the diff" });
        assert_int_equal(unit_has(b, SF_UNITS_DO_CLOSE), rows[i].to == SF_TASK_DONE);
        assert_int_equal(unit_has(b, SF_UNITS_DO_HALT),
                         rows[i].asked && rows[i].to == SF_TASK_REVIEWING);
    }
}

/* ---- health ---- */

static void sick(struct unit_bench *b, const char *findings)
{
    unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_GATE, .text = findings });
}

static int axes(const struct unit_bench *b)
{
    for (size_t i = 0; i < b->fx.count; i++)
        if (b->fx.items[i].kind == SF_UNITS_DO_AXES)
            return b->fx.items[i].flag ? 1 : -1;
    return 0;
}

static void test_repair_and_the_axes_back(void **state)
{
    static const struct {
        enum sf_units_repair policy;
        bool asks, yes;
    } rows[] = {
        { SF_UNITS_REPAIR_AUTO, false, true },
        { SF_UNITS_REPAIR_ASK, true, true },
        { SF_UNITS_REPAIR_ASK, true, false },
        { SF_UNITS_REPAIR_LOG, false, false },
    };

    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        struct unit_bench *b = fresh(state);

        b->setup.repair = rows[i].policy;
        sf_units_set(b->units, &b->setup);
        go(b);
        unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_LEASED });
        sick(b, "it does not build");
        assert_int_equal(unit_has(b, SF_UNITS_DO_ASK), rows[i].asks);
        if (rows[i].asks)
            unit_step(b,
                      (struct sf_units_input){ .kind = SF_UNITS_IN_ANSWER, .flag = rows[i].yes });
        assert_int_equal(axes(b), rows[i].yes);
        assert_int_equal(unit_has(b, SF_UNITS_DO_START), rows[i].yes);
        if (!rows[i].yes) {
            unit_halted(b, SF_UNITS_GUARD_HEALTH);
            continue;
        }
        end_unit(b, SF_UNITS_END_DONE, NULL, NULL);
        assert_true(unit_has(b, SF_UNITS_DO_GATE));
        unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_GATE, .flag = true });
        assert_int_equal(axes(b), -1);
    }
}

static void test_a_repair_that_did_not_help(void **state)
{
    struct unit_bench *b = *state;

    b->setup.repair = SF_UNITS_REPAIR_AUTO;
    sf_units_set(b->units, &b->setup);
    go(b);
    unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_LEASED });
    sick(b, "it does not build");
    end_unit(b, SF_UNITS_END_DONE, NULL, NULL);
    sick(b, "it does not build");
    unit_halted(b, SF_UNITS_GUARD_HEALTH);
    for (int i = 0; i < 3; i++) { /* looked at again, but nothing is started */
        go(b);
        sick(b, "it does not build");
        unit_halted(b, SF_UNITS_GUARD_HEALTH);
        assert_true(sf_units_halt(b->units)->again);
        assert_false(unit_has(b, SF_UNITS_DO_START));
    }
}

/* ---- goals ---- */

static void test_a_goal_is_continued_so_often(void **state)
{
    struct unit_bench *b = *state;
    int starts = 0;

    b->setup.continues = 4;
    sf_units_set(b->units, &b->setup);
    sf_units_goal(b->units, true);
    unit_row(b, "T1", SF_TASK_DONE, 0);
    go(b);
    unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_LEASED });
    unit_iterate(b);
    while (unit_has(b, SF_UNITS_DO_START) && starts < 10) {
        starts++;
        unit_finish(b, SF_PROOF_PASSED);
        unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_CLOSED });
        unit_iterate(b);
    }
    assert_int_equal(starts, 4);
    unit_halted(b, SF_UNITS_GUARD_GOAL);
    assert_int_equal(sf_units_continues_left(b->units), 0);
    sf_units_goal(b->units, false);
    go(b);
    unit_iterate(b);
    assert_true(unit_has(b, SF_UNITS_DO_END));
}

/* ---- the log ---- */

static void test_damaged_events_are_errors(void **state)
{
    static const struct {
        const char *kind, *json;
    } rows[] = {
        { SF_UNITS_LOG_MOVE, "" },
        { SF_UNITS_LOG_MOVE, "{" },
        { SF_UNITS_LOG_MOVE, "[]" },
        { SF_UNITS_LOG_MOVE, "{}" },
        { SF_UNITS_LOG_MOVE,
          "{\"task\":\"T1\",\"from\":\"todo\",\"to\":\"x\",\"by\":\"machine\"}" },
        { SF_UNITS_LOG_MOVE, "{\"from\":\"todo\",\"to\":\"running\",\"by\":\"machine\"}" },
        { SF_UNITS_LOG_START, "{\"attempt\":-1}" },
        { SF_UNITS_LOG_START, "{\"attempt\":99999999999}" },
        { SF_UNITS_LOG_START, "{\"task\":7}" },
        { SF_UNITS_LOG_USED, "{\"cost\":\"much\"}" },
        { SF_UNITS_LOG_HALT, "{\"guard\":\"nobody\",\"exit\":\"go\"}" },
        { SF_UNITS_LOG_HALT, "{\"guard\":\"user\",\"exit\":1}" },
        { SF_UNITS_LOG_WORD, "{\"word\":\"accept\"}" },
        { SF_UNITS_LOG_VERDICT, "{\"verdict\":\"passed\"}" },
        { SF_UNITS_LOG_VERDICT, "{\"task\":\"T1\",\"verdict\":\"passed\"}" },
        { SF_UNITS_LOG_ENDED, "{\"task\":\"T1\",\"end\":\"done\"}" },
        { SF_UNITS_LOG_CLOSED, "{\"close\":\"committed\"}" },
        { SF_UNITS_LOG_ADDED, "{\"kind\":\"goal\"}" },
    };
    struct unit_bench *b = *state;
    struct sf_error none = SF_ERROR_INIT;

    assert_true(sf_units_load(b->units, SF_UNITS_LOG_START, "{}", 2, &none)); /* a repair */
    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        struct sf_error err = SF_ERROR_INIT;

        assert_false(
            sf_units_load(b->units, rows[i].kind, rows[i].json, strlen(rows[i].json), &err));
        assert_non_null(strstr(err.msg, rows[i].kind));
    }
}

static void test_events_out_of_order_are_no_crash(void **state)
{
    static const char *const kinds[] = {
        SF_UNITS_LOG_BEGIN, SF_UNITS_LOG_GO,     SF_UNITS_LOG_PAUSING, SF_UNITS_LOG_HALT,
        SF_UNITS_LOG_MOVE,  SF_UNITS_LOG_START,  SF_UNITS_LOG_ENDED,   SF_UNITS_LOG_VERDICT,
        SF_UNITS_LOG_WORD,  SF_UNITS_LOG_USED,   SF_UNITS_LOG_CLOSED,  SF_UNITS_LOG_DROPPED,
        SF_UNITS_LOG_END,   SF_UNITS_LOG_REPAIR,
    };
    static const char *const bodies[] = {
        "\"task\":\"T1\",\"to\":\"done\"",
        "\"task\":\"T9\",\"to\":\"running\",\"cost\":-5",
        "\"flag\":1,\"to\":\"paused\",\"cost\":9223372036854775807",
    };
    uint64_t rng = 1;

    for (int run = 0; run < 300; run++) {
        struct unit_bench *b = fresh(state);

        for (int i = 0; i < 12; i++) {
            struct sf_strbuf json = SF_STRBUF_INIT;
            struct sf_error err = SF_ERROR_INIT;

            rng = rng * 6364136223846793005U + 1442695040888963407U;
            sf_strbuf_addf(&json,
                           "{%s,\"from\":\"todo\",\"by\":\"machine\",\"end\":\"done\",\"verdict\":"
                           "\"passed\",\"word\":\"accept\",\"close\":\"hook\",\"guard\":\"cost\","
                           "\"exit\":\"redo\"}",
                           bodies[(rng >> 40) % SF_COUNT(bodies)]);
            (void)!sf_units_load(b->units, kinds[(rng >> 50) % SF_COUNT(kinds)], json.buf, json.len,
                                 &err);
            sf_strbuf_release(&json);
        }
        go(b);
        unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_LEASED });
        for (int i = 0; i < 4; i++) {
            unit_iterate(b);
            unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_ENDED });
            unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_VERDICT });
            unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_CLOSED });
        }
    }
}

/* ---- ways out ---- */

static void test_every_guard_names_a_command(void **state)
{
    static const char *const commands[] = { "/autonomous",         "/next accept T1",
                                            "/next redo T1 WORDS", "/next skip T1",
                                            "/next approve T1",    "/config work, ",
                                            "/doctor, ",           "sf headless stop, " };

    (void)state;
    for (int g = 0; g < SF_UNITS_GUARD_COUNT; g++) {
        struct sf_units_halt halt = { .exit = sf_units_guards[g].exit, .task = "T1" };
        struct sf_strbuf way = SF_STRBUF_INIT;
        bool known = false;

        assert_true(*sf_units_guards[g].name && *sf_units_guards[g].what);
        sf_units_way_out(&halt, &way);
        for (size_t i = 0; i < SF_COUNT(commands); i++)
            known = known || !strncmp(way.buf, commands[i], strlen(commands[i]));
        assert_true(known);
        sf_strbuf_release(&way);
    }
}

#define RULE(name) cmocka_unit_test_setup_teardown(name, unit_bench_open, unit_bench_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RULE(test_circles),
        RULE(test_a_circle_a_second_time_is_not_even_looked_at),
        RULE(test_the_same_failure_twice),
        RULE(test_every_budget_in_every_scope),
        RULE(test_alerts),
        RULE(test_a_dear_unit),
        RULE(test_clocks_go_with_the_estimate),
        RULE(test_questions_stop_every_clock),
        RULE(test_what_is_not_verified_never_becomes_done),
        RULE(test_a_second_opinion_only_lowers),
        RULE(test_repair_and_the_axes_back),
        RULE(test_a_repair_that_did_not_help),
        RULE(test_a_goal_is_continued_so_often),
        RULE(test_damaged_events_are_errors),
        RULE(test_events_out_of_order_are_no_crash),
        RULE(test_every_guard_names_a_command),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
