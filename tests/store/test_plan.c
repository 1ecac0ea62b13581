/*
 * test_plan.c: plans in the store: accepted whole or not at all, replaced without losing what is
 * done, dropped with what is open.
 */
#include "io/io.h"
#include "store/internal.h"
#include "support/plan_case.h"
#include "support/store_case.h"
#include "support/test.h"

static int64_t count(void **state, const char *what)
{
    struct store_pair *p = *state;
    char sql[256];

    snprintf(sql, sizeof(sql), "SELECT count(*) FROM %s", what);
    return test_sql_int(p->dir, sql);
}

static bool accept(void **state, const char *text, int64_t *carried, struct sf_error *err)
{
    struct store_pair *p = *state;

    return test_plan_accept(p->store, "work", text, carried, err);
}

/* Takes a task through to done. */
static void finish(void **state, const char *path)
{
    struct store_pair *p = *state;
    char id[SF_ID_LEN + 1];
    const struct sf_task_claim claim = { .task = id,
                                         .from = SF_TASK_TODO,
                                         .mover = SF_TASK_BY_MACHINE,
                                         .holder = "h",
                                         .lease_ms = 600000 };
    struct sf_task_move m = { .task = id,
                              .from = SF_TASK_RUNNING,
                              .to = SF_TASK_VERIFYING,
                              .mover = SF_TASK_BY_VERDICT,
                              .verdict = "passed" };
    struct sf_error err = SF_ERROR_INIT;
    bool moved;

    test_task_id(p->store, "work", path, id);
    assert_true(sf_store_task_claim(p->store, &claim, &m.fence, &err) && m.fence);
    assert_true(sf_store_task_move(p->store, &m, &moved, &err) && moved);
    m.from = m.to;
    m.to = SF_TASK_DONE;
    assert_true(sf_store_task_move(p->store, &m, &moved, &err) && moved);
}

struct seen {
    int count;
    int64_t tasks, done;
    char text[64];
};

static bool see(const struct sf_plan_row *row, void *ctx)
{
    struct seen *s = ctx;

    s->count++;
    s->tasks = row->tasks;
    s->done = row->done;
    snprintf(s->text, sizeof(s->text), "%s", row->text);
    return true;
}

static void test_accept(void **state)
{
    struct store_pair *p = *state;
    char *text = test_plan_text(3, "do");
    struct sf_error err = SF_ERROR_INIT;
    struct seen all = { 0 }, one = { 0 };
    int64_t carried;

    assert_true(accept(state, text, &carried, &err));
    assert_int_equal(count(state, "tasks WHERE status = 'todo' AND json_extract(spec, '$.what')"
                                  " = 'do ' || position AND path = 'M1/S1/T' || position"),
                     3);
    assert_true(sf_store_each_plan(p->store, NULL, see, &all, &err));
    assert_int_equal(all.count, 1);
    assert_int_equal(all.tasks, 3);
    assert_string_equal(all.text, "");
    assert_true(sf_store_each_plan(p->store, "work", see, &one, &err));
    assert_int_equal(strncmp(one.text, text, 40), 0);
    assert_false(accept(state, text, &carried, &err));
    assert_int_equal(err.code, SF_E_EXIST);
    assert_int_equal(count(state, "tasks"), 3);
    free(text);
}

/* A changed byte is another plan; what is done and the same stays done, the rest begins anew. */
static void test_replace(void **state)
{
    char *text = test_plan_text(3, "do"), *more = test_plan_text(4, "do");
    char *other = test_plan_text(3, "undo");
    struct sf_error err = SF_ERROR_INIT;
    int64_t carried;

    assert_true(accept(state, text, &carried, &err));
    finish(state, "M1/S1/T2");
    assert_true(accept(state, more, &carried, &err));
    assert_int_equal(carried, 1);
    assert_int_equal(count(state, "tasks JOIN plans AS p ON p.id = plan_id"
                                  " WHERE p.dropped_at IS NULL AND status = 'done'"
                                  " AND path = 'M1/S1/T2' AND verdict = 'passed'"
                                  " AND carried_from IS NOT NULL"),
                     1);
    assert_int_equal(count(state, "tasks WHERE status = 'todo'"), 3);
    assert_int_equal(count(state, "tasks WHERE status = 'cancelled'"), 2);
    assert_true(accept(state, other, &carried, &err));
    assert_int_equal(carried, 0);
    assert_int_equal(count(state, "plans"), 3);
    free(text);
    free(more);
    free(other);
}

static void test_worked_on(void **state)
{
    struct store_pair *p = *state;
    char *text = test_plan_text(2, "do"), *more = test_plan_text(3, "do"), id[SF_ID_LEN + 1];
    const struct sf_task_claim claim = { .task = id,
                                         .from = SF_TASK_TODO,
                                         .mover = SF_TASK_BY_MACHINE,
                                         .holder = "h",
                                         .lease_ms = 600000 };
    struct sf_error err = SF_ERROR_INIT;
    int64_t carried, fence;

    assert_true(accept(state, text, &carried, &err));
    test_task_id(p->store, "work", "M1/S1/T1", id);
    assert_true(sf_store_task_claim(p->store, &claim, &fence, &err));
    assert_false(accept(state, more, &carried, &err));
    assert_int_equal(err.code, SF_E_BUSY);
    assert_false(sf_store_plan_drop(p->store, "work", "user", &err));
    assert_int_equal(err.code, SF_E_BUSY);
    assert_true(sf_store_task_release(p->store, id, fence, &err));
    assert_true(accept(state, more, &carried, &err));
    assert_int_equal(count(state, "task_transitions WHERE to_status = 'cancelled'"), 2);
    free(text);
    free(more);
}

static void test_drop(void **state)
{
    struct store_pair *p = *state;
    char *text = test_plan_text(2, "do");
    struct sf_error err = SF_ERROR_INIT;
    struct seen all = { 0 };
    int64_t carried;

    assert_false(sf_store_plan_drop(p->store, "work", "user", &err));
    assert_int_equal(err.code, SF_E_NOENT);
    assert_true(accept(state, text, &carried, &err));
    finish(state, "M1/S1/T1");
    assert_true(sf_store_plan_drop(p->store, "work", "user", &err));
    assert_true(sf_store_each_plan(p->store, NULL, see, &all, &err));
    assert_int_equal(all.count, 0);
    assert_int_equal(count(state, "tasks WHERE status = 'done'"), 1);
    assert_int_equal(count(state, "tasks WHERE status = 'cancelled'"), 1);
    free(text);
}

/* Nothing of a plan is there when its last row could not be written. */
static void test_whole_or_not(void **state)
{
    struct store_pair *p = *state;
    char *text = test_plan_text(5, "do");
    struct sf_error err = SF_ERROR_INIT;
    int64_t carried;

    test_sql_exec(p->dir, "CREATE TRIGGER no_fifth BEFORE INSERT ON tasks WHEN NEW.position = 5"
                          " BEGIN SELECT raise(ABORT, 'no'); END");
    assert_false(accept(state, text, &carried, &err));
    assert_int_equal(count(state, "plans"), 0);
    assert_int_equal(count(state, "tasks"), 0);
    free(text);
}

#define PAIR(test) cmocka_unit_test_setup_teardown(test, store_pair_setup, store_pair_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        PAIR(test_accept), PAIR(test_replace),      PAIR(test_worked_on),
        PAIR(test_drop),   PAIR(test_whole_or_not),
    };

    test_use_memory();
    return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
