/*
 * unit_bench: a machine that runs units with one task, T1, on which tests take steps by hand.
 */
#ifndef SF_TESTS_SUPPORT_UNIT_BENCH_H
#define SF_TESTS_SUPPORT_UNIT_BENCH_H

#include "agent/agent.h"

struct unit_bench {
    struct sf_units *units;
    struct sf_units_setup setup; /* what sf_units_set gets */
    struct sf_units_effects fx;  /* of the last step */
    int64_t now;
};

/* For cmocka's setup and teardown. */
int unit_bench_open(void **state);
int unit_bench_close(void **state);

void unit_row(struct unit_bench *b, const char *id, enum sf_task_state state, int64_t estimate_ms);
void unit_step(struct unit_bench *b, struct sf_units_input in);
bool unit_has(const struct unit_bench *b, enum sf_units_effect_kind kind);
void unit_iterate(struct unit_bench *b); /* the gate and the rows are fine */
void unit_start(struct unit_bench *b);
void unit_finish(struct unit_bench *b, enum sf_proof verdict);
void unit_minutes(struct unit_bench *b, int minutes);
void unit_spend(struct unit_bench *b, enum sf_budget_kind kind, int64_t amount);

/* No budget and no clock ends anything. */
void unit_no_limits(struct unit_bench *b);

/* Fails unless the last step halted for that guard. */
void unit_halted(const struct unit_bench *b, enum sf_units_guard guard);

#endif
