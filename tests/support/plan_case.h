/*
 * plan_case: accepted plans for tests of the store and of what stands on it.
 */
#ifndef SF_TESTS_SUPPORT_PLAN_CASE_H
#define SF_TESTS_SUPPORT_PLAN_CASE_H

#include "store/store.h"

/* A plan of one slice with so many tasks, T1, T2 …; `what` goes into each. Owned by the caller. */
char *test_plan_text(int tasks, const char *what);

/* Accepts the text under that name; false with `err`. */
bool test_plan_accept(struct sf_store *store, const char *name, const char *text, int64_t *carried,
                      struct sf_error *err);

/* The row id of the task with that path; fails the test when there is none. */
void test_task_id(struct sf_store *store, const char *plan, const char *path,
                  char id[SF_ID_LEN + 1]);

/* The state and the fence of a task. */
enum sf_task_state test_task_state(struct sf_store *store, const char *id, int64_t *fence);

#endif
