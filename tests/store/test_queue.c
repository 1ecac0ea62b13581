/* Words that wait: in order, each taken or dropped once, and nobody else's. */
#include "base/base.h"
#include "store/store.h"
#include "support/store_case.h"
#include "support/test.h"

static bool add_text(void *ctx, int64_t id, const char *text)
{
    (void)id;
    sf_strbuf_addf(ctx, "%s ", text);
    return true;
}

static void assert_waits(struct store_pair *f, const char *session, const char *wanted)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    assert_true(sf_store_each_queued(f->store, session, add_text, &text, &err));
    assert_string_equal(text.buf ? text.buf : "", wanted);
    sf_strbuf_release(&text);
}

static int64_t add(struct store_pair *f, const char *session, const char *text)
{
    struct sf_error err = SF_ERROR_INIT;
    int64_t id = 0;

    assert_true(sf_store_queue_add(f->store, session, text, &id, &err));
    return id;
}

static void test_life(void **state)
{
    struct store_pair *f = *state;
    const struct sf_event_new said = {
        .session = f->session, .surface = "tui", .kind = "user", .json = "{}", .len = 2
    };
    struct sf_event_ref ref;
    struct sf_error err = SF_ERROR_INIT;
    int64_t a, b, c;

    assert_waits(f, f->session, "");
    a = add(f, f->session, "alpha");
    b = add(f, f->session, "line\n\"quoted\" ünï \\");
    c = add(f, f->session, "gamma");
    add(f, f->other, "theirs");
    assert_waits(f, f->session, "alpha line\n\"quoted\" ünï \\ gamma ");
    assert_true(sf_store_queue_swap(f->store, a, c, &err));
    assert_waits(f, f->session, "gamma line\n\"quoted\" ünï \\ alpha ");
    assert_true(sf_store_queue_end(f->store, b, SF_QUEUE_DROPPED, &err));
    assert_true(sf_store_queue_end(f->store, b, SF_QUEUE_TAKEN, &err)); /* too late: nothing */
    assert_waits(f, f->session, "gamma alpha ");
    assert_true(sf_store_queue_end(f->store, c, SF_QUEUE_TAKEN, &err));
    assert_waits(f, f->session, "gamma alpha "); /* it was not said yet */
    assert_true(sf_store_append(f->store, &said, &ref, &err));
    assert_waits(f, f->session, "alpha ");
    add(f, f->session, "delta");
    assert_waits(f, f->session, "alpha delta ");
    assert_waits(f, f->other, "theirs ");
}

static void test_outlives(void **state)
{
    struct store_pair *f = *state;

    add(f, f->session, "one");
    add(f, f->session, "two");
    sf_store_close(f->store);
    f->store = test_store_open(f->dir, SF_STORE_WRITE);
    assert_waits(f, f->session, "one two ");
}

static void test_nobody(void **state)
{
    struct store_pair *f = *state;
    struct sf_error err = SF_ERROR_INIT;
    int64_t id;

    assert_false(sf_store_queue_add(f->store, "no-such-session", "words", &id, &err));
    assert_true(err.code != 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_life, store_pair_setup, store_pair_teardown),
        cmocka_unit_test_setup_teardown(test_outlives, store_pair_setup, store_pair_teardown),
        cmocka_unit_test_setup_teardown(test_nobody, store_pair_setup, store_pair_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
