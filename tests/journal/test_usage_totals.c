/*
 * Sums of usage: what is read by way of the sums in the log is what all rows come to, for a session,
 * its sub-agents and its forks; a sum that makes no sense is passed over.
 */
#include <stdlib.h>
#include <string.h>

#include "journal/log_event.h"
#include "journal/usage_totals.h"
#include "support/long_session.h"
#include "support/store_case.h"
#include "support/test.h"

enum { EVENTS = 1000, ROWS = EVENTS / 8 * 3, COST = 1234 };

struct fixture {
    char *dir;
    struct sf_store *store;
    char id[SF_ID_LEN + 1];
};

static int setup(void **state)
{
    const struct long_session how = { .project = "/p", .events = EVENTS, .lines = 1 };
    struct fixture *f = sf_alloc(sizeof(*f));
    struct sf_error err = SF_ERROR_INIT;

    *state = f;
    f->dir = test_dir_new();
    f->store = test_store_open(f->dir, SF_STORE_WRITE);
    return long_session_write(f->store, &how, f->id, &err) ? 0 : -1;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    sf_store_close(f->store);
    test_dir_free(f->dir);
    free(f);
    return 0;
}

static void use(struct fixture *f, const char *session, int64_t cost)
{
    const struct sf_usage_new row = {
        .session = session, .provider = "p", .model = "m", .input = 1, .cost_micro_usd = cost
    };
    struct sf_error err = SF_ERROR_INIT;

    assert_true(sf_store_usage_add(f->store, &row, &err));
}

static void below(struct fixture *f, const char *parent, bool agent, int64_t at,
                  char id[SF_ID_LEN + 1])
{
    const struct sf_session_new row = {
        .project = "/p", .surface = "tui", .parent_id = parent, .forked_at_seq = at, .agent = agent
    };
    struct sf_error err = SF_ERROR_INIT;

    assert_true(sf_store_session_create(f->store, &row, id, &err));
}

/* By way of the sums, and row by row: both. */
static struct sf_usage_totals spent(struct fixture *f, const char *session)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_usage_totals by_sums, by_rows = { 0 };

    assert_true(sf_usage_totals_read(f->store, session, &by_sums, &err));
    assert_true(sf_store_usage_totals(f->store, session, &by_rows, &err));
    assert_memory_equal(&by_sums, &by_rows, sizeof(by_rows));
    return by_rows;
}

static void test_same(void **state)
{
    struct fixture *f = *state;
    struct sf_event_count sums;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_usage_totals s = spent(f, f->id);

    assert_int_equal(s.requests, ROWS);
    assert_int_equal(s.cost_micro_usd, ROWS * COST);
    assert_int_equal(s.unpriced, 0);
    assert_true(sf_store_event_count(f->store, f->id, SF_LOG_USAGE_TOTALS, INT64_MAX, &sums, &err));
    assert_int_equal(sums.count, ROWS / 102); /* each hundred rows, between turns of three */
}

static void test_agents_and_forks(void **state)
{
    struct fixture *f = *state;
    char agent[SF_ID_LEN + 1], deeper[SF_ID_LEN + 1], fork[SF_ID_LEN + 1], of_fork[SF_ID_LEN + 1];
    struct sf_usage_totals s;

    below(f, f->id, true, 0, agent);
    below(f, agent, true, 0, deeper);
    below(f, f->id, false, EVENTS, fork);
    below(f, fork, true, 0, of_fork);
    use(f, agent, 5);
    use(f, deeper, 7);
    use(f, fork, 11);
    use(f, of_fork, -1);
    s = spent(f, f->id);
    assert_int_equal(s.requests, ROWS + 2);
    assert_int_equal(s.cost_micro_usd, ROWS * COST + 12);
    s = spent(f, fork); /* it shares a sum, which is not its own */
    assert_int_equal(s.requests, 2);
    assert_int_equal(s.cost_micro_usd, 11);
    assert_int_equal(s.unpriced, 1);
    s = spent(f, deeper);
    assert_int_equal(s.requests, 1);
}

static void test_nonsense(void **state)
{
    static const char negative[] =
        "{\"requests\":-1,\"input\":0,\"output\":0,\"cache_read\":0,\"cache_write\":0,"
        "\"reasoning\":0,\"cost_micro_usd\":0,\"unpriced\":0,\"last\":1}";
    static const char *const texts[] = { "{}", "{\"requests\":\"many\"}", negative };
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(texts); i++) {
        const struct sf_event_new event = { .session = f->id,
                                            .surface = "tui",
                                            .kind = SF_LOG_USAGE_TOTALS,
                                            .json = texts[i],
                                            .len = strlen(texts[i]) };
        struct sf_error err = SF_ERROR_INIT;
        struct sf_event_ref ref;

        assert_true(sf_store_append(f->store, &event, &ref, &err));
        assert_int_equal(spent(f, f->id).requests, ROWS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_same, setup, teardown),
        cmocka_unit_test_setup_teardown(test_agents_and_forks, setup, teardown),
        cmocka_unit_test_setup_teardown(test_nonsense, setup, teardown),
    };

    test_use_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
