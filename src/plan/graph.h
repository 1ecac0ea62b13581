/*
 * graph: which task may begin, which waits and for what. A reference to a slice or a milestone is
 * one edge, however many tasks it holds, so that everything here is linear or sorts once.
 */
#ifndef SF_PLAN_GRAPH_H
#define SF_PLAN_GRAPH_H

#include <stddef.h>

#include "plan/plan_file.h"
#include "plan/task_state.h"

/* All tasks so that each comes after what it depends on; then by priority, then as in the file. */
void sf_plan_order(const struct sf_plan *plan, size_t *order);

/*
 * The tasks in todo or retrying whose dependencies are all done, by priority, then as in the file.
 * `states` and `ready` have one element for each task; returns how many are ready.
 */
size_t sf_plan_ready(const struct sf_plan *plan, const enum sf_task_state *states, size_t *ready);

/* What a task waits for: those it depends on that are not done, at most `most` of them; returns how
 * many there are. */
size_t sf_plan_waits_for(const struct sf_plan *plan, const enum sf_task_state *states, size_t task,
                         size_t *out, size_t most);

#endif
