/*
 * Stories of runs that went wrong elsewhere, each by name, told to the machine that runs units.
 */
#include "agent/agent.h"
#include "support/test.h"
#include "support/unit_bench.h"

static void test_94_dollars_on_a_finished_task(void **state)
{
    struct unit_bench *b = *state;

    unit_start(b);
    unit_finish(b, SF_PROOF_PASSED);
    assert_true(unit_has(b, SF_UNITS_DO_CLOSE));
    unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_CLOSED });
    unit_iterate(b);
    assert_true(unit_has(b, SF_UNITS_DO_END));
    unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_GO });
    unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_LEASED });
    unit_iterate(b);
    assert_false(unit_has(b, SF_UNITS_DO_START));
    assert_true(unit_has(b, SF_UNITS_DO_END));
}

static void test_no_tests_to_run_is_not_done(void **state)
{
    struct unit_bench *b = *state;

    unit_start(b);
    unit_finish(b, SF_PROOF_NONE);
    assert_true(unit_has(b, SF_UNITS_DO_HALT));
    assert_false(unit_has(b, SF_UNITS_DO_CLOSE));
    assert_int_equal(sf_units_halt(b->units)->guard, SF_UNITS_GUARD_UNVERIFIED);
}

static void test_a_pause_that_went_on(void **state)
{
    struct unit_bench *b = *state;
    const char *why;

    unit_start(b);
    unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_PAUSE });
    assert_true(unit_has(b, SF_UNITS_DO_HOLD));
    assert_int_equal(sf_units_state(b->units), SF_UNITS_STATE_PAUSING);
    assert_false(sf_units_may_act(b->units));
    assert_false(sf_units_may_spend(b->units, &why));
    unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_HELD });
    assert_int_equal(sf_units_state(b->units), SF_UNITS_STATE_PAUSED);
    unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_GO });
    assert_true(unit_has(b, SF_UNITS_DO_RESUME));
    assert_false(unit_has(b, SF_UNITS_DO_START));
    assert_true(sf_units_may_act(b->units));
}

static void test_a_block_without_an_exit(void **state)
{
    struct unit_bench *b = *state;
    struct sf_strbuf way = SF_STRBUF_INIT;

    unit_start(b);
    unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_ENDED, .end = SF_UNITS_END_REFUSED });
    unit_iterate(b);
    assert_int_equal(sf_units_halt(b->units)->guard, SF_UNITS_GUARD_BLOCKED);
    sf_units_way_out(sf_units_halt(b->units), &way);
    assert_string_equal(way.buf, "/next redo T1 WORDS");
    sf_strbuf_release(&way);
    unit_step(
        b, (struct sf_units_input){
               .kind = SF_UNITS_IN_WORD, .word = SF_UNITS_WORD_REDO, .task = "T1", .text = "try" });
    unit_iterate(b);
    assert_true(unit_has(b, SF_UNITS_DO_START));
}

static void test_a_watchdog_that_killed_a_long_test(void **state)
{
    struct unit_bench *b = *state;

    unit_start(b);
    for (int i = 0; i < 25; i++) {
        unit_minutes(b, 1);
        assert_false(unit_has(b, SF_UNITS_DO_CANCEL));
        unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_ACTIVE });
    }
    unit_minutes(b, 4);
    assert_false(unit_has(b, SF_UNITS_DO_CANCEL));
    unit_minutes(b, 1);
    assert_true(unit_has(b, SF_UNITS_DO_CANCEL)); /* the hard limit, after half an hour */
}

static void test_a_watchdog_that_killed_a_question(void **state)
{
    struct unit_bench *b = *state;

    unit_start(b);
    unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_QUESTION, .flag = true });
    for (int i = 0; i < 300; i++) {
        unit_minutes(b, 1);
        assert_false(unit_has(b, SF_UNITS_DO_CANCEL));
    }
    unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_QUESTION });
    unit_minutes(b, 9);
    assert_false(unit_has(b, SF_UNITS_DO_CANCEL));
    unit_minutes(b, 1);
    assert_true(unit_has(b, SF_UNITS_DO_CANCEL)); /* idle */
}

static void test_a_dead_holder_that_blocked(void **state)
{
    struct unit_bench *b = *state;

    unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_GO });
    unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_TAKEN, .text = "process 1" });
    assert_false(unit_has(b, SF_UNITS_DO_HALT));
    assert_true(unit_has(b, SF_UNITS_DO_CLAIM) && b->fx.items[0].flag);
    unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_LEASED });
    unit_iterate(b);
    assert_true(unit_has(b, SF_UNITS_DO_START));
}

/* Going on while files were put back once made the machine forget whose they are. */
static void test_a_go_while_files_are_put_back(void **state)
{
    static const enum sf_units_input_kind kinds[] = { SF_UNITS_IN_GO, SF_UNITS_IN_NEXT,
                                                      SF_UNITS_IN_WORD };
    struct unit_bench *b = *state;

    unit_start(b);
    for (size_t i = 0; i < SF_COUNT(kinds); i++) {
        unit_finish(b, SF_PROOF_NONE);
        unit_step(b, (struct sf_units_input){
                         .kind = SF_UNITS_IN_WORD, .word = SF_UNITS_WORD_REVERT, .task = "T1" });
        assert_true(unit_has(b, SF_UNITS_DO_REVERT));
        unit_step(b, (struct sf_units_input){
                         .kind = kinds[i], .word = SF_UNITS_WORD_REDO, .task = "T1" });
        assert_int_equal(b->fx.count, 0);
        unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_REVERTED, .flag = true });
        if (unit_has(b, SF_UNITS_DO_CLAIM)) /* the run has ended; the word begins another */
            unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_LEASED });
        unit_iterate(b);
        assert_true(unit_has(b, SF_UNITS_DO_START));
    }
}

#define STORY(name) cmocka_unit_test_setup_teardown(name, unit_bench_open, unit_bench_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        STORY(test_94_dollars_on_a_finished_task),
        STORY(test_no_tests_to_run_is_not_done),
        STORY(test_a_pause_that_went_on),
        STORY(test_a_block_without_an_exit),
        STORY(test_a_watchdog_that_killed_a_long_test),
        STORY(test_a_watchdog_that_killed_a_question),
        STORY(test_a_dead_holder_that_blocked),
        STORY(test_a_go_while_files_are_put_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
