/*
 * Stories of runs that went wrong elsewhere, each by name, told to the machine that runs units.
 */
#include "agent/agent.h"
#include "support/test.h"

struct bench {
    struct sf_units *units;
    struct sf_units_effects fx;
    int64_t now;
};

static int bench_open(void **state)
{
    struct bench *b = sf_alloc(sizeof(*b));
    struct sf_error err = SF_ERROR_INIT;
    struct sf_units_task task = { .id = "T1", .kind = "task", .milestone = "" };

    b->units = sf_units_new(&sf_units_defaults);
    b->now = 1000;
    assert_true(sf_units_task(b->units, &task, &err));
    *state = b;
    return 0;
}

static int bench_close(void **state)
{
    struct bench *b = *state;

    sf_units_free(b->units);
    sf_units_effects_release(&b->fx);
    free(b);
    return 0;
}

static void step(struct bench *b, struct sf_units_input in)
{
    in.now_ms = b->now;
    sf_units_effects_reset(&b->fx);
    sf_units_step(b->units, &in, &b->fx);
}

static bool has(const struct bench *b, enum sf_units_effect_kind kind)
{
    for (size_t i = 0; i < b->fx.count; i++)
        if (b->fx.items[i].kind == kind)
            return true;
    return false;
}

/* Lease, gate and rows are fine. */
static void iterate(struct bench *b)
{
    step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_GATE, .flag = true });
    step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_RECONCILED });
}

static void start(struct bench *b)
{
    step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_GO });
    step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_LEASED });
    iterate(b);
    assert_true(has(b, SF_UNITS_DO_START));
}

static void finish_unit(struct bench *b, enum sf_proof verdict)
{
    step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_ENDED });
    assert_true(has(b, SF_UNITS_DO_VERIFY));
    step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_VERDICT, .verdict = verdict });
}

static void pass_minutes(struct bench *b, int minutes)
{
    for (int i = 0; i < minutes; i++) {
        b->now += 60000;
        step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_TIME });
    }
}

static void test_94_dollars_on_a_finished_task(void **state)
{
    struct bench *b = *state;

    start(b);
    finish_unit(b, SF_PROOF_PASSED);
    assert_true(has(b, SF_UNITS_DO_CLOSE));
    step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_CLOSED });
    iterate(b);
    assert_true(has(b, SF_UNITS_DO_END));
    step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_GO });
    step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_LEASED });
    iterate(b);
    assert_false(has(b, SF_UNITS_DO_START));
    assert_true(has(b, SF_UNITS_DO_END));
}

static void test_no_tests_to_run_is_not_done(void **state)
{
    struct bench *b = *state;

    start(b);
    finish_unit(b, SF_PROOF_NONE);
    assert_true(has(b, SF_UNITS_DO_HALT));
    assert_false(has(b, SF_UNITS_DO_CLOSE));
    assert_int_equal(sf_units_halt(b->units)->guard, SF_UNITS_GUARD_UNVERIFIED);
}

static void test_a_pause_that_went_on(void **state)
{
    struct bench *b = *state;
    const char *why;

    start(b);
    step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_PAUSE });
    assert_true(has(b, SF_UNITS_DO_HOLD));
    assert_int_equal(sf_units_state(b->units), SF_UNITS_PAUSING);
    assert_false(sf_units_may_act(b->units));
    assert_false(sf_units_may_spend(b->units, &why));
    step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_HELD });
    assert_int_equal(sf_units_state(b->units), SF_UNITS_PAUSED);
    step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_GO });
    assert_true(has(b, SF_UNITS_DO_RESUME));
    assert_false(has(b, SF_UNITS_DO_START));
    assert_true(sf_units_may_act(b->units));
}

static void test_a_block_without_an_exit(void **state)
{
    struct bench *b = *state;
    struct sf_strbuf way = SF_STRBUF_INIT;

    start(b);
    step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_ENDED, .end = SF_UNITS_END_REFUSED });
    iterate(b);
    assert_int_equal(sf_units_halt(b->units)->guard, SF_UNITS_GUARD_BLOCKED);
    sf_units_way_out(sf_units_halt(b->units), &way);
    assert_string_equal(way.buf, "/next redo T1 WORDS");
    sf_strbuf_release(&way);
    step(b, (struct sf_units_input){
                .kind = SF_UNITS_IN_WORD, .word = SF_UNITS_REDO, .task = "T1", .text = "try" });
    iterate(b);
    assert_true(has(b, SF_UNITS_DO_START));
}

static void test_a_watchdog_that_killed_a_long_test(void **state)
{
    struct bench *b = *state;

    start(b);
    for (int i = 0; i < 25; i++) {
        pass_minutes(b, 1);
        assert_false(has(b, SF_UNITS_DO_CANCEL));
        step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_ACTIVE });
    }
    pass_minutes(b, 4);
    assert_false(has(b, SF_UNITS_DO_CANCEL));
    pass_minutes(b, 1);
    assert_true(has(b, SF_UNITS_DO_CANCEL)); /* the hard limit, after half an hour */
}

static void test_a_watchdog_that_killed_a_question(void **state)
{
    struct bench *b = *state;

    start(b);
    step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_QUESTION, .flag = true });
    for (int i = 0; i < 300; i++) {
        pass_minutes(b, 1);
        assert_false(has(b, SF_UNITS_DO_CANCEL));
    }
    step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_QUESTION });
    pass_minutes(b, 9);
    assert_false(has(b, SF_UNITS_DO_CANCEL));
    pass_minutes(b, 1);
    assert_true(has(b, SF_UNITS_DO_CANCEL)); /* idle */
}

static void test_a_dead_holder_that_blocked(void **state)
{
    struct bench *b = *state;

    step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_GO });
    step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_TAKEN, .text = "process 1" });
    assert_false(has(b, SF_UNITS_DO_HALT));
    assert_true(has(b, SF_UNITS_DO_CLAIM) && b->fx.items[0].flag);
    step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_LEASED });
    iterate(b);
    assert_true(has(b, SF_UNITS_DO_START));
}

/* Going on while files were put back once made the machine forget whose they are. */
static void test_a_go_while_files_are_put_back(void **state)
{
    static const enum sf_units_input_kind kinds[] = { SF_UNITS_IN_GO, SF_UNITS_IN_NEXT,
                                                      SF_UNITS_IN_WORD };
    struct bench *b = *state;

    start(b);
    for (size_t i = 0; i < SF_COUNT(kinds); i++) {
        finish_unit(b, SF_PROOF_NONE);
        step(b, (struct sf_units_input){
                    .kind = SF_UNITS_IN_WORD, .word = SF_UNITS_REVERT, .task = "T1" });
        assert_true(has(b, SF_UNITS_DO_REVERT));
        step(b, (struct sf_units_input){ .kind = kinds[i], .word = SF_UNITS_REDO, .task = "T1" });
        assert_int_equal(b->fx.count, 0);
        step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_REVERTED, .flag = true });
        if (has(b, SF_UNITS_DO_CLAIM)) /* the run has ended; the word begins another */
            step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_LEASED });
        iterate(b);
        assert_true(has(b, SF_UNITS_DO_START));
    }
}

#define STORY(name) cmocka_unit_test_setup_teardown(name, bench_open, bench_close)

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
