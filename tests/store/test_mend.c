/*
 * The cells that a repair may change: over all states of a task and back, those of other tables,
 * and rows that are not what they were.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "support/store_case.h"
#include "support/test.h"

static const char *const states[] = { "todo",    "running", "verifying", "reviewing", "done",
                                      "blocked", "paused",  "failed",    "cancelled", "retrying" };

static bool is_one_of(const char *word, const char *a, const char *b)
{
    return !strcmp(word, a) || !strcmp(word, b);
}

/* What had nobody is to be tried again, and back; no other move is among them. */
static bool may(const char *from, const char *to)
{
    return (is_one_of(from, "running", "verifying") && is_one_of(to, "todo", "retrying")) ||
           (is_one_of(to, "running", "verifying") && is_one_of(from, "todo", "retrying"));
}

static void put_task(struct store_pair *p, const char *status)
{
    char sql[400];

    snprintf(sql, sizeof(sql),
             "INSERT OR REPLACE INTO tasks (id, work_mode, run_control, permission_profile,"
             " model_mode, status) VALUES ('t', 'build', 'manual', 'normal', 'smart', '%s')",
             status);
    test_sql_exec(p->dir, sql);
}

static void test_all_moves(void **state)
{
    struct store_pair *p = *state;
    int64_t moves = 0;

    for (size_t i = 0; i < SF_COUNT(states); i++)
        for (size_t j = 0; j < SF_COUNT(states); j++) {
            const struct sf_store_cell cell = { "tasks", "status", "t", states[i], states[j] };
            struct sf_error err = SF_ERROR_INIT;
            bool did;
            char *now;

            put_task(p, states[i]);
            did = sf_store_mend(p->store, &cell, "why", &err);
            if (did != may(states[i], states[j]))
                fail_msg("%s to %s: %s", states[i], states[j], did ? "done" : err.msg);
            now = test_sql_text(p->dir, "SELECT status FROM tasks");
            assert_string_equal(now, did ? states[j] : states[i]);
            free(now);
            moves += did;
        }
    assert_int_equal(test_sql_int(p->dir, "SELECT count(*) FROM task_transitions"), moves);
    assert_int_equal(moves, 8);
}

static const struct {
    const char *name;
    struct sf_store_cell cell;
    enum sf_errc code;
} refused[] = {
    { "another table", { "sessions", "title", "project", "", "x" }, SF_E_DENIED },
    { "another column", { "tasks", "retry_count", "t", NULL, "0" }, SF_E_DENIED },
    { "a name of no column", { "tasks", "status = 'done' --", "t", "todo", "done" }, SF_E_DENIED },
    { "a row that changed", { "tasks", "status", "t", "verifying", "retrying" }, SF_E_BUSY },
    { "a row that is gone", { "tasks", "status", "gone", "running", "retrying" }, SF_E_BUSY },
    { "no status at all", { "tasks", "status", "t", NULL, "retrying" }, SF_E_DENIED },
};

static void test_refused(void **state)
{
    struct store_pair *p = *state;

    put_task(p, "running");
    for (size_t i = 0; i < SF_COUNT(refused); i++) {
        struct sf_error err = SF_ERROR_INIT;
        char *now;

        print_message("%s\n", refused[i].name);
        assert_false(sf_store_mend(p->store, &refused[i].cell, "why", &err));
        assert_int_equal(err.code, refused[i].code);
        now = test_sql_text(p->dir, "SELECT status FROM tasks");
        assert_string_equal(now, "running");
        free(now);
    }
    assert_int_equal(test_sql_int(p->dir, "SELECT count(*) FROM task_transitions"), 0);
}

static void test_cell_is(void **state)
{
    struct store_pair *p = *state;
    const struct sf_store_cell cell = { "tasks", "status", "t", "running", "retrying" };
    struct sf_error err = SF_ERROR_INIT;
    bool is;

    put_task(p, "running");
    assert_true(sf_store_cell_is(p->store, &cell, "running", &is, &err));
    assert_true(is);
    assert_true(sf_store_cell_is(p->store, &cell, NULL, &is, &err));
    assert_false(is);
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, store_pair_setup, store_pair_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = { CASE(test_all_moves), CASE(test_refused),
                                        CASE(test_cell_is) };

    cmocka_set_test_filter(getenv("SF_TEST_FILTER"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
