/* Goals in the store: one at a time, counted in place, and no change is lost between two surfaces. */
#include <string.h>

#include "base/base.h"
#include "store/internal.h"
#include "support/store_case.h"
#include "support/test.h"

struct fixture {
    char *dir;
    struct sf_store *store;
    char session[SF_ID_LEN + 1], other[SF_ID_LEN + 1];
    struct sf_arena arena;
};

static int setup(void **state)
{
    struct fixture *f = sf_alloc(sizeof(*f));

    f->dir = test_dir_new();
    f->store = test_store_open(f->dir, SF_STORE_WRITE);
    test_store_session(f->store, f->session);
    test_store_session(f->store, f->other);
    f->arena = (struct sf_arena)SF_ARENA_INIT;
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    sf_store_close(f->store);
    sf_arena_release(&f->arena);
    test_dir_free(f->dir);
    free(f);
    return 0;
}

static bool change(struct fixture *f, const struct sf_goal_row *was, const struct sf_goal_row *now,
                   struct sf_error *err)
{
    const struct sf_event_new event = {
        .session = f->session, .surface = "headless", .kind = SF_LOG_GOAL, .json = "{}", .len = 2
    };
    const struct sf_goal_change c = {
        .session = f->session, .was = was, .now = now, .event = &event
    };

    return sf_store_goal_change(f->store, &c, err);
}

static struct sf_goal_row get(struct fixture *f, const char *session, bool want)
{
    struct sf_goal_row row = { .id = 0 };
    struct sf_error err = SF_ERROR_INIT;
    bool found;

    if (!sf_store_goal_get(f->store, session, &f->arena, &row, &found, &err))
        fail_msg("%s", err.msg);
    assert_int_equal(found, want);
    return row;
}

static const struct sf_goal_row first = {
    .objective = "port it", .status = "active", .reason = "", .token_budget = 1000
};

static void test_life(void **state)
{
    struct fixture *f = *state;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_goal_row was, now;

    get(f, f->session, false);
    assert_true(change(f, NULL, &first, &err));
    was = get(f, f->session, true);
    assert_string_equal(was.objective, "port it");
    assert_int_equal(was.token_budget, 1000);
    now = was;
    now.status = "blocked";
    now.reason = "no key";
    assert_true(change(f, &was, &now, &err));
    was = get(f, f->session, true);
    assert_string_equal(was.reason, "no key");
    now = (struct sf_goal_row){ .objective = "another", .status = "active", .reason = "" };
    assert_true(change(f, &was, &now, &err));
    was = get(f, f->session, true);
    assert_string_equal(was.objective, "another");
    assert_true(change(f, &was, NULL, &err));
    get(f, f->session, false);
    assert_int_equal(test_sql_int(f->dir, "SELECT count(*) FROM goals"), 2);
    assert_int_equal(test_sql_int(f->dir, "SELECT count(*) FROM events WHERE kind = 'goal'"), 4);
}

/* Whoever starts from what is no longer so is refused, and leaves no event either. */
static void test_two_surfaces(void **state)
{
    struct fixture *f = *state;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_goal_row was, now;

    assert_true(change(f, NULL, &first, &err));
    assert_false(change(f, NULL, &first, &err));
    assert_int_equal(err.code, SF_E_BUSY);
    was = get(f, f->session, true);
    now = was;
    now.status = "paused";
    assert_true(change(f, &was, &now, &err));
    now.status = "complete";
    assert_false(change(f, &was, &now, &err));
    assert_int_equal(err.code, SF_E_BUSY);
    assert_false(change(f, &was, NULL, &err));
    assert_string_equal(get(f, f->session, true).status, "paused");
    assert_int_equal(test_sql_int(f->dir, "SELECT count(*) FROM events WHERE kind = 'goal'"), 2);
}

static const struct {
    const char *name, *status;
    int64_t budget, tokens[3];
    int64_t used;
    const char *then;
} counts[] = {
    { "without a budget", "active", 0, { 500, 600, 700 }, 1800, "active" },
    { "below it", "active", 2000, { 500, 600, 700 }, 1800, "active" },
    { "to it", "active", 1800, { 500, 600, 700 }, 1800, "budget_limited" },
    { "past it, and on", "active", 1000, { 500, 600, 700 }, 1800, "budget_limited" },
    { "paused counts nothing", "paused", 1000, { 500, 600, 700 }, 0, "paused" },
    { "numbers without end",
      "active",
      1000,
      { INT64_MAX, 1, 1 },
      900000000000000001,
      "budget_limited" },
};

static void test_counts(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(counts); i++) {
        struct sf_error err = SF_ERROR_INIT;
        struct sf_goal_row row = { .objective = "x",
                                   .status = counts[i].status,
                                   .reason = "",
                                   .token_budget = counts[i].budget };

        assert_true(change(f, NULL, &row, &err));
        for (int k = 0; k < 3; k++)
            if (!sf_store_goal_count(f->store, f->session, counts[i].tokens[k], 10, &err))
                fail_msg("%s: %s", counts[i].name, err.msg);
        row = get(f, f->session, true);
        if (row.tokens_used != counts[i].used || strcmp(row.status, counts[i].then) != 0)
            fail_msg("%s: %lld, %s", counts[i].name, (long long)row.tokens_used, row.status);
        assert_true(change(f, &row, NULL, &err));
    }
}

/* A row of usage and what it counts for the goal are one. */
static void test_with_usage(void **state)
{
    struct fixture *f = *state;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_usage_new usage = { .session = f->other,
                                  .provider = "p",
                                  .model = "m",
                                  .input = 100,
                                  .output = 20,
                                  .cache_read = 3,
                                  .cache_write = -1,
                                  .cost_micro_usd = -1,
                                  .goal_of = f->session,
                                  .goal_time_ms = 5 };

    assert_true(change(f, NULL, &first, &err));
    assert_true(sf_store_usage_add(f->store, &usage, &err));
    assert_int_equal(get(f, f->session, true).tokens_used, 123);
    assert_int_equal(get(f, f->session, true).time_used_ms, 5);
    usage.session = "nobody";
    assert_false(sf_store_usage_add(f->store, &usage, &err));
    assert_int_equal(get(f, f->session, true).tokens_used, 123);
}

static void test_copy(void **state)
{
    struct fixture *f = *state;
    struct sf_error err = SF_ERROR_INIT;

    assert_true(sf_store_goal_copy(f->store, f->session, f->other, &err)); /* there is none */
    get(f, f->other, false);
    assert_true(change(f, NULL, &first, &err));
    assert_true(sf_store_goal_count(f->store, f->session, 70, 10, &err));
    assert_true(sf_store_goal_copy(f->store, f->session, f->other, &err));
    assert_int_equal(get(f, f->other, true).tokens_used, 70);
    assert_string_equal(get(f, f->other, true).objective, "port it");
}

static void test_changed(void **state)
{
    struct fixture *f = *state;
    struct sf_store *second = test_store_open(f->dir, SF_STORE_WRITE);
    struct sf_error err = SF_ERROR_INIT;
    bool changed;

    assert_true(sf_store_changed(f->store, &changed, &err));
    test_store_append(f->store, f->session, 1);
    assert_true(sf_store_changed(f->store, &changed, &err));
    assert_false(changed); /* one's own writing is no news */
    test_store_append(second, f->session, 2);
    assert_true(sf_store_changed(f->store, &changed, &err));
    assert_true(changed);
    assert_true(sf_store_changed(f->store, &changed, &err));
    assert_false(changed);
    sf_store_close(second);
}

/* A goal that cannot be written is not reported as counted. */
static void test_table_lost(void **state)
{
    struct fixture *f = *state;
    struct sf_error err = SF_ERROR_INIT;

    test_sql_exec(f->dir, "DROP TABLE goals");
    assert_false(sf_store_goal_count(f->store, f->session, 1, 1, &err));
    assert_non_null(strstr(err.msg, "goals"));
    assert_false(sf_store_goal_spend(f->store, f->session, 1, 1, &err));
    test_store_append(f->store, f->session, 1); /* no transaction was left open */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_life, setup, teardown),
        cmocka_unit_test_setup_teardown(test_two_surfaces, setup, teardown),
        cmocka_unit_test_setup_teardown(test_counts, setup, teardown),
        cmocka_unit_test_setup_teardown(test_with_usage, setup, teardown),
        cmocka_unit_test_setup_teardown(test_copy, setup, teardown),
        cmocka_unit_test_setup_teardown(test_changed, setup, teardown),
        cmocka_unit_test_setup_teardown(test_table_lost, setup, teardown),
    };

    test_use_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
