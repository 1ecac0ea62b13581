/* What people said for longer than one call, what requests cost, answers that are still coming. */
#include "base/base.h"
#include "store/store.h"
#include "support/store_case.h"
#include "support/test.h"

/* ---- approvals ---- */

static bool add_text(void *ctx, const struct sf_approval_row *row)
{
    sf_strbuf_addf(ctx, "%s:%s ", row->session ? "session" : "workspace", row->pattern);
    return true;
}

static void assert_approvals(struct store_pair *f, const char *session, const char *wanted)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    assert_true(sf_store_each_approval(f->store, session, add_text, &text, &err));
    assert_string_equal(text.buf, wanted);
    sf_strbuf_release(&text);
}

static void test_approvals(void **state)
{
    struct store_pair *f = *state;
    const struct sf_approval_new given[] = {
        { f->session, "make test", 0 }, { NULL, "npm ci", 0 },    { f->other, "cargo build", 0 },
        { f->session, "make test", 0 }, { NULL, "make test", 0 },
    };
    struct sf_error err = SF_ERROR_INIT;

    for (size_t i = 0; i < SF_COUNT(given); i++)
        assert_true(sf_store_approval_add(f->store, &given[i], &err));
    assert_approvals(f, f->session, "session:make test workspace:npm ci workspace:make test ");
    assert_approvals(f, f->other, "workspace:npm ci session:cargo build workspace:make test ");
    test_sql_exec(f->dir, "UPDATE approvals SET revoked_at = '2026-11-16T00:00:00.000Z'"
                          " WHERE pattern = 'npm ci'");
    assert_approvals(f, f->session, "session:make test workspace:make test ");
}

/* Taken back by number, and once; the row stays for who asks the log. */
static void test_revoke(void **state)
{
    struct store_pair *f = *state;
    const struct sf_approval_new given[] = { { f->session, "a", 0 }, { NULL, "b", 0 } };
    struct sf_error err = SF_ERROR_INIT;

    for (size_t i = 0; i < SF_COUNT(given); i++)
        assert_true(sf_store_approval_add(f->store, &given[i], &err));
    assert_approvals(f, NULL, "session:a workspace:b ");
    assert_approvals(f, f->other, "workspace:b ");
    assert_true(sf_store_approval_revoke(f->store, 1, &err));
    assert_approvals(f, NULL, "workspace:b ");
    assert_false(sf_store_approval_revoke(f->store, 1, &err));
    assert_int_equal(err.code, SF_E_NOENT);
    assert_int_equal(test_sql_int(f->dir, "SELECT count(*) FROM approvals"), 2);
}

static void test_refused_approvals(void **state)
{
    struct store_pair *f = *state;
    const struct sf_approval_new bad[] = { { "nobody", "make", 0 },
                                           { NULL, "", 0 },
                                           { NULL, "make", 4711 } };

    for (size_t i = 0; i < SF_COUNT(bad); i++) {
        struct sf_error err = SF_ERROR_INIT;

        assert_false(sf_store_approval_add(f->store, &bad[i], &err));
        assert_true(*err.msg);
    }
    assert_approvals(f, f->session, "");
}

/* ---- pieces of an answer ---- */

static void assert_partial(struct store_pair *f, const char *session, const char *wanted)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    assert_true(sf_store_partial_get(f->store, session, &text, &err));
    assert_string_equal(text.buf, wanted);
    sf_strbuf_release(&text);
}

static void test_partials(void **state)
{
    struct store_pair *f = *state;
    struct sf_event_new event = {
        .session = f->session, .surface = "tui", .kind = "assistant", .json = "{}", .len = 2
    };
    struct sf_event_ref ref;
    struct sf_error err = SF_ERROR_INIT;

    assert_true(sf_store_partial_add(f->store, f->session, "half ", 5, &err));
    assert_true(sf_store_partial_add(f->store, f->session, "an answer", 9, &err));
    assert_true(sf_store_partial_add(f->store, f->other, "theirs", 6, &err));
    assert_partial(f, f->session, "half an answer");
    assert_true(sf_store_append(f->store, &event, &ref, &err));
    assert_partial(f, f->session, "half an answer"); /* not the whole of it */
    event.whole = true;
    assert_true(sf_store_append(f->store, &event, &ref, &err));
    assert_partial(f, f->session, "");
    assert_partial(f, f->other, "theirs");
    assert_true(sf_store_partial_drop(f->store, f->other, &err));
    assert_partial(f, f->other, "");
    assert_false(sf_store_partial_add(f->store, "nobody", "x", 1, &err));
}

/* An event that is refused takes no pieces with it. */
static void test_partials_stay(void **state)
{
    struct store_pair *f = *state;
    struct sf_event_new event = {
        .session = f->session, .surface = "vr", .kind = "a", .json = "{}", .len = 2, .whole = true
    };
    struct sf_event_ref ref;
    struct sf_error err = SF_ERROR_INIT;

    assert_true(sf_store_partial_add(f->store, f->session, "half", 4, &err));
    assert_false(sf_store_append(f->store, &event, &ref, &err));
    assert_partial(f, f->session, "half");
}

/* ---- usage and labels ---- */

static void test_usage(void **state)
{
    struct store_pair *f = *state;
    const struct sf_usage_new known = { .session = f->session,
                                        .provider = "p",
                                        .model = "m",
                                        .input = 10,
                                        .output = 5,
                                        .cost_micro_usd = 1234 };
    struct sf_usage_new unknown = known;
    struct sf_error err = SF_ERROR_INIT;

    unknown.cost_micro_usd = -1;
    assert_true(sf_store_usage_add(f->store, &known, &err));
    assert_true(sf_store_usage_add(f->store, &unknown, &err));
    assert_int_equal(test_sql_int(f->dir, "SELECT sum(input_tokens) FROM usage"), 20);
    assert_int_equal(test_sql_int(f->dir, "SELECT sum(cost_micro_usd) FROM usage"), 1234);
    assert_int_equal(
        test_sql_int(f->dir, "SELECT count(*) FROM usage WHERE cost_micro_usd IS NULL"), 1);
    unknown.session = "nobody";
    assert_false(sf_store_usage_add(f->store, &unknown, &err));
}

static void test_labels(void **state)
{
    struct store_pair *f = *state;
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_session_row row;

    assert_true(sf_store_session_update(f->store, f->session, "a title", NULL, NULL, &err));
    assert_true(sf_store_session_update(f->store, f->session, NULL, "p", "m", &err));
    assert_true(sf_store_session_get(f->store, f->session, &arena, &row, &err));
    assert_string_equal(row.title, "a title");
    assert_string_equal(row.model, "m");
    assert_false(sf_store_session_update(f->store, "nobody", "x", NULL, NULL, &err));
    assert_int_equal(err.code, SF_E_NOENT);
    sf_arena_release(&arena);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, store_pair_setup, store_pair_teardown)
    const struct CMUnitTest tests[] = {
        CASE(test_approvals), CASE(test_revoke),        CASE(test_refused_approvals),
        CASE(test_partials),  CASE(test_partials_stay), CASE(test_usage),
        CASE(test_labels),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
