/*
 * test_task.c: tasks in the store: every pair of states, who holds what, and many processes at once.
 */
#include <signal.h>
#include <unistd.h>

#include "io/io.h"
#include "store/internal.h"
#include "support/plan_case.h"
#include "support/store_case.h"
#include "support/test.h"

enum { LEASE = 600000 };

struct fixture {
    struct store_pair *pair;
    struct sf_store *store;
    char task[SF_ID_LEN + 1];
};

static void accept_plan(struct sf_store *store, int tasks)
{
    char *text = test_plan_text(tasks, "do");
    struct sf_error err = SF_ERROR_INIT;
    int64_t carried;

    if (!test_plan_accept(store, "work", text, &carried, &err))
        fail_msg("%s", err.msg);
    free(text);
}

static struct fixture begin(void **state)
{
    struct fixture f = { .pair = *state, .store = ((struct store_pair *)*state)->store };

    accept_plan(f.store, 2);
    test_task_id(f.store, "work", "M1/S1/T1", f.task);
    return f;
}

static int64_t claim_from(struct fixture *f, enum sf_task_state from, enum sf_task_mover mover,
                          int64_t lease)
{
    const struct sf_task_claim claim = { .task = f->task,
                                         .from = from,
                                         .mover = mover,
                                         .holder = "host:1",
                                         .session = f->pair->session,
                                         .lease_ms = lease };
    struct sf_error err = SF_ERROR_INIT;
    int64_t fence;

    if (!sf_store_task_claim(f->store, &claim, &fence, &err))
        fail_msg("%s", err.msg);
    return fence;
}

static bool move(struct fixture *f, enum sf_task_state from, enum sf_task_state to,
                 enum sf_task_mover mover, int64_t fence)
{
    const struct sf_task_move m = {
        .task = f->task, .from = from, .to = to, .mover = mover, .fence = fence, .reason = "because"
    };
    struct sf_error err = SF_ERROR_INIT;
    bool moved;

    if (!sf_store_task_move(f->store, &m, &moved, &err))
        fail_msg("%s", err.msg);
    return moved;
}

static int64_t count(const char *dir, const char *what)
{
    char sql[256];

    snprintf(sql, sizeof(sql), "SELECT count(*) FROM %s", what);
    return test_sql_int(dir, sql);
}

static void put_into(const struct fixture *f, enum sf_task_state state)
{
    char sql[512];

    snprintf(sql, sizeof(sql),
             "INSERT INTO task_transitions (task_id, from_status, to_status, timestamp)"
             " SELECT id, status, '%s', '' FROM tasks WHERE id = '%s';"
             "UPDATE tasks SET status = '%s', fence = 7, holder = 'h',"
             " lease_until = '9999-01-01T00:00:00.000Z' WHERE id = '%s'",
             sf_task_states[state], f->task, sf_task_states[state], f->task);
    test_sql_exec(f->pair->dir, sql);
}

/* What the table of moves forbids is an error that names both states, and writes nothing. */
static void test_all_pairs(void **state)
{
    static const enum sf_task_mover movers[] = { SF_TASK_BY_MACHINE, SF_TASK_BY_VERDICT,
                                                 SF_TASK_BY_PERSON };
    struct fixture f = begin(state);

    for (int i = 0; i < SF_TASK_STATES * SF_TASK_STATES * 3; i++) {
        enum sf_task_mover mover = movers[i % 3];
        enum sf_task_state from = (enum sf_task_state)(i / 3 / SF_TASK_STATES),
                           to = (enum sf_task_state)(i / 3 % SF_TASK_STATES);
        const struct sf_task_move m = {
            .task = f.task, .from = from, .to = to, .mover = mover, .fence = 7
        };
        struct sf_error err = SF_ERROR_INIT;
        int64_t before;
        bool moved;

        put_into(&f, from);
        before = count(f.pair->dir, "task_transitions");
        if (sf_task_move_may(from, to, mover)) {
            assert_true(sf_store_task_move(f.store, &m, &moved, &err));
            assert_true(moved);
            assert_int_equal(test_task_state(f.store, f.task, NULL), to);
            assert_int_equal(count(f.pair->dir, "task_transitions"), before + 1);
        } else {
            assert_false(sf_store_task_move(f.store, &m, &moved, &err));
            assert_false(moved);
            assert_int_equal(err.code, SF_E_ARG);
            assert_non_null(strstr(err.msg, sf_task_states[from]));
            assert_non_null(strstr(err.msg, sf_task_states[to]));
            assert_int_equal(test_task_state(f.store, f.task, NULL), from);
            assert_int_equal(count(f.pair->dir, "task_transitions"), before);
        }
    }
}

static void test_life(void **state)
{
    struct fixture f = begin(state);
    int64_t fence = claim_from(&f, SF_TASK_TODO, SF_TASK_BY_MACHINE, LEASE), now;

    assert_int_equal(fence, 1);
    assert_int_equal(claim_from(&f, SF_TASK_TODO, SF_TASK_BY_MACHINE, LEASE), 0);
    assert_true(move(&f, SF_TASK_RUNNING, SF_TASK_VERIFYING, SF_TASK_BY_MACHINE, fence));
    assert_int_equal(count(f.pair->dir, "tasks WHERE holder = 'host:1'"), 1);
    assert_true(move(&f, SF_TASK_VERIFYING, SF_TASK_DONE, SF_TASK_BY_VERDICT, fence));
    assert_int_equal(test_task_state(f.store, f.task, &now), SF_TASK_DONE);
    assert_int_equal(now, 1);
    assert_int_equal(count(f.pair->dir, "tasks WHERE holder IS NOT NULL"), 0);
    assert_int_equal(count(f.pair->dir, "tasks WHERE completed_at IS NOT NULL"), 1);
    assert_int_equal(count(f.pair->dir, "task_transitions WHERE actor = 'verdict' AND fence = 1"),
                     1);
}

/* A stale holder writes nothing: after a take-over, and after a person's word. */
static void test_stale_fence(void **state)
{
    struct fixture f = begin(state);
    struct sf_error err = SF_ERROR_INIT;
    int64_t old = claim_from(&f, SF_TASK_TODO, SF_TASK_BY_MACHINE, -1), fence;
    bool held;

    assert_true(move(&f, SF_TASK_RUNNING, SF_TASK_RETRYING, SF_TASK_BY_MACHINE, 0));
    fence = claim_from(&f, SF_TASK_RETRYING, SF_TASK_BY_MACHINE, LEASE);
    assert_true(fence > old);
    assert_false(move(&f, SF_TASK_RUNNING, SF_TASK_VERIFYING, SF_TASK_BY_MACHINE, old));
    assert_true(sf_store_task_renew(f.store, f.task, old, LEASE, &held, &err));
    assert_false(held);
    assert_true(sf_store_task_release(f.store, f.task, old, &err));
    assert_true(sf_store_task_renew(f.store, f.task, fence, LEASE, &held, &err));
    assert_true(held);
    assert_false(move(&f, SF_TASK_RUNNING, SF_TASK_RETRYING, SF_TASK_BY_MACHINE, 0));

    assert_true(move(&f, SF_TASK_RUNNING, SF_TASK_PAUSED, SF_TASK_BY_PERSON, 0));
    assert_false(move(&f, SF_TASK_PAUSED, SF_TASK_TODO, SF_TASK_BY_PERSON, fence));
    assert_true(sf_store_task_renew(f.store, f.task, fence, LEASE, &held, &err));
    assert_false(held);
    assert_int_equal(test_task_state(f.store, f.task, NULL), SF_TASK_PAUSED);
    assert_true(claim_from(&f, SF_TASK_PAUSED, SF_TASK_BY_PERSON, LEASE) > fence);
}

static bool count_task(const struct sf_task_row *row, void *ctx)
{
    (void)row;
    ++*(int *)ctx;
    return true;
}

static int orphans(struct sf_store *store)
{
    const struct sf_task_filter filter = { .orphaned = true };
    struct sf_error err = SF_ERROR_INIT;
    int n = 0;

    assert_true(sf_store_each_task(store, &filter, count_task, &n, &err));
    return n;
}

static void test_orphans(void **state)
{
    struct fixture f = begin(state);
    struct sf_error err = SF_ERROR_INIT;
    int64_t fence;

    assert_int_equal(orphans(f.store), 0);
    fence = claim_from(&f, SF_TASK_TODO, SF_TASK_BY_MACHINE, LEASE);
    assert_int_equal(orphans(f.store), 0);
    assert_true(sf_store_task_release(f.store, f.task, fence, &err));
    assert_int_equal(orphans(f.store), 1);
    assert_true(move(&f, SF_TASK_RUNNING, SF_TASK_TODO, SF_TASK_BY_MACHINE, 0));
    assert_int_equal(orphans(f.store), 0);
}

/* Past the store, a state changes only behind the row of its move. */
static void test_trigger(void **state)
{
    struct fixture f = begin(state);
    struct sf_error err = SF_ERROR_INIT;

    assert_false(sf_sql_exec(&f.store->sql, "UPDATE tasks SET status = 'done'", &err));
    assert_non_null(strstr(err.msg, "written before it is made"));
    assert_int_equal(test_task_state(f.store, f.task, NULL), SF_TASK_TODO);
}

/* ---- many processes ---- */

enum { WORKERS = 8, TASKS = 500 };

struct ids {
    char id[TASKS][SF_ID_LEN + 1];
    int count;
};

static bool keep_id(const struct sf_task_row *row, void *ctx)
{
    struct ids *ids = ctx;

    snprintf(ids->id[ids->count++], SF_ID_LEN + 1, "%s", row->id);
    return true;
}

/* Claims what it can, each task through to done. */
static int worker(void *ctx)
{
    const struct sf_task_filter all = { .plan = "work" };
    struct ids *ids = sf_alloc(sizeof(*ids));
    struct sf_error err = SF_ERROR_INIT;
    struct sf_store *store = sf_store_open(ctx, SF_STORE_WRITE, &err);

    CHILD_OK(store != NULL, &err);
    CHILD_OK(sf_store_each_task(store, &all, keep_id, ids, &err), &err);
    for (int i = 0; i < ids->count; i++) {
        const struct sf_task_claim claim = { .task = ids->id[i],
                                             .from = SF_TASK_TODO,
                                             .mover = SF_TASK_BY_MACHINE,
                                             .holder = "worker",
                                             .lease_ms = LEASE };
        struct sf_task_move m = { .task = ids->id[i],
                                  .from = SF_TASK_RUNNING,
                                  .to = SF_TASK_VERIFYING,
                                  .mover = SF_TASK_BY_MACHINE };
        bool moved;

        CHILD_OK(sf_store_task_claim(store, &claim, &m.fence, &err), &err);
        if (!m.fence)
            continue;
        CHILD_OK(sf_store_task_move(store, &m, &moved, &err), &err);
        CHILD_CHECK(moved);
        m.from = SF_TASK_VERIFYING;
        m.to = SF_TASK_DONE;
        m.mover = SF_TASK_BY_VERDICT;
        CHILD_OK(sf_store_task_move(store, &m, &moved, &err), &err);
        CHILD_CHECK(moved);
    }
    sf_store_close(store);
    free(ids);
    return 0;
}

/* Whatever was cut, each task has a row for each of its states, and its last row is its state. */
static void check_whole(const char *dir)
{
    assert_int_equal(count(dir, "tasks WHERE status <> 'todo' AND status <> (SELECT to_status"
                                " FROM task_transitions WHERE task_id = tasks.id"
                                " ORDER BY id DESC LIMIT 1)"),
                     0);
    assert_int_equal(count(dir, "task_transitions AS a JOIN task_transitions AS b ON"
                                " a.task_id = b.task_id AND a.id < b.id"
                                " AND a.to_status = b.to_status"),
                     0);
}

static void test_eight_processes(void **state)
{
    struct sf_store *store = test_store_open(*state, SF_STORE_WRITE);
    pid_t pids[WORKERS];

    accept_plan(store, TASKS);
    sf_store_close(store);
    for (int i = 0; i < WORKERS; i++)
        pids[i] = test_fork(worker, *state);
    for (int i = 0; i < WORKERS; i++)
        assert_int_equal(test_wait(pids[i]), 0);
    assert_int_equal(count(*state, "tasks WHERE status = 'done' AND fence = 1"), TASKS);
    assert_int_equal(count(*state, "task_transitions WHERE to_status = 'running'"), TASKS);
    check_whole(*state);
}

/* Killed wherever they are, workers leave moves whole; what they held can be taken over. */
static void test_killed(void **state)
{
    struct sf_store *store = test_store_open(*state, SF_STORE_WRITE);
    int64_t done = 0;

    accept_plan(store, TASKS);
    sf_store_close(store);
    for (int round = 0; round < 12; round++) {
        pid_t pid = test_fork(worker, *state);
        int64_t want = done + 3 + round;

        while (done < want)
            done = count(*state, "tasks WHERE status = 'done'");
        kill(pid, SIGKILL);
        test_wait(pid);
        check_whole(*state);
    }
    assert_int_equal(count(*state, "tasks WHERE status IN ('running', 'verifying')") +
                         count(*state, "tasks WHERE status IN ('todo', 'done')"),
                     TASKS);
    assert_true(count(*state, "tasks WHERE status IN ('running', 'verifying')") <= 12);
}

#define PAIR(test) cmocka_unit_test_setup_teardown(test, store_pair_setup, store_pair_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        PAIR(test_all_pairs),
        PAIR(test_life),
        PAIR(test_stale_fence),
        PAIR(test_orphans),
        PAIR(test_trigger),
        cmocka_unit_test_setup_teardown(test_eight_processes, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_killed, test_dir_setup, test_dir_teardown),
    };

    test_use_memory();
    return cmocka_run_group_tests_name("task", tests, NULL, NULL);
}
