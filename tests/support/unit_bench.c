/*
 * unit_bench.c: steps of the machine that runs units, as tests tell them.
 */
#include "support/unit_bench.h"

#include "base/base.h"
#include "support/test.h"

void unit_row(struct unit_bench *b, const char *id, enum sf_task_state state, int64_t estimate_ms)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_units_task task = {
        .id = id, .kind = "task", .milestone = "", .state = state, .estimate_ms = estimate_ms
    };

    assert_true(sf_units_task(b->units, &task, &err));
}

int unit_bench_open(void **state)
{
    struct unit_bench *b = sf_alloc(sizeof(*b));

    b->setup = sf_units_defaults;
    b->units = sf_units_new(&b->setup);
    b->now = 1000;
    unit_row(b, "T1", SF_TASK_TODO, 0);
    *state = b;
    return 0;
}

int unit_bench_close(void **state)
{
    struct unit_bench *b = *state;

    sf_units_free(b->units);
    sf_units_effects_release(&b->fx);
    free(b);
    return 0;
}

void unit_step(struct unit_bench *b, struct sf_units_input in)
{
    in.now_ms = b->now;
    sf_units_effects_reset(&b->fx);
    sf_units_step(b->units, &in, &b->fx);
}

bool unit_has(const struct unit_bench *b, enum sf_units_effect_kind kind)
{
    for (size_t i = 0; i < b->fx.count; i++)
        if (b->fx.items[i].kind == kind)
            return true;
    return false;
}

/* Lease, gate and rows are fine. */
void unit_iterate(struct unit_bench *b)
{
    unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_GATE, .flag = true });
    unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_RECONCILED });
}

void unit_start(struct unit_bench *b)
{
    unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_GO });
    unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_LEASED });
    unit_iterate(b);
    assert_true(unit_has(b, SF_UNITS_DO_START));
}

void unit_finish(struct unit_bench *b, enum sf_proof verdict)
{
    unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_ENDED });
    assert_true(unit_has(b, SF_UNITS_DO_VERIFY));
    unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_VERDICT, .verdict = verdict });
}

void unit_minutes(struct unit_bench *b, int minutes)
{
    for (int i = 0; i < minutes; i++) {
        b->now += 60000;
        unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_TIME });
    }
}

void unit_spend(struct unit_bench *b, enum sf_budget_kind kind, int64_t amount)
{
    struct sf_budget used = { .limit = { 0 } };

    used.spent[kind] = amount;
    unit_step(b, (struct sf_units_input){ .kind = SF_UNITS_IN_USED, .used = &used });
}

void unit_no_limits(struct unit_bench *b)
{
    memset(b->setup.limit, 0, sizeof(b->setup.limit));
    b->setup.soft_ms = b->setup.hard_ms = b->setup.idle_ms = 0;
    sf_units_set(b->units, &b->setup);
}

void unit_halted(const struct unit_bench *b, enum sf_units_guard guard)
{
    assert_true(unit_has(b, SF_UNITS_DO_HALT));
    assert_string_equal(sf_units_guards[sf_units_halt(b->units)->guard].name,
                        sf_units_guards[guard].name);
}
