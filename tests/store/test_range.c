/*
 * Parts of a log by number: whatever the part, it is what reading the whole log shows of it, for
 * forks of forks too.
 */
#include <stdlib.h>

#include "store/store.h"
#include "support/store_case.h"
#include "support/test.h"

enum { FORKS = 4, EACH = 6, LENGTH = FORKS * EACH };

struct fixture {
    char *dir;
    struct sf_store *store;
    char sessions[FORKS][SF_ID_LEN + 1]; /* each forked from the one before it, at its end */
};

static void append(struct fixture *f, const char *session, const char *kind)
{
    const struct sf_event_new event = {
        .session = session, .surface = "tui", .kind = kind, .json = "{}", .len = 2
    };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_event_ref ref;

    assert_true(sf_store_append(f->store, &event, &ref, &err));
}

/* The parents go on behind the point of the fork, which is none of the fork's business. */
static int setup(void **state)
{
    struct fixture *f = sf_alloc(sizeof(*f));
    struct sf_error err = SF_ERROR_INIT;

    f->dir = test_dir_new();
    f->store = test_store_open(f->dir, SF_STORE_WRITE);
    for (int i = 0; i < FORKS; i++) {
        const struct sf_session_new row = { .project = "/p",
                                            .surface = "tui",
                                            .parent_id = i ? f->sessions[i - 1] : NULL,
                                            .forked_at_seq = (int64_t)i * EACH };

        assert_true(sf_store_session_create(f->store, &row, f->sessions[i], &err));
        for (int k = 0; k < EACH; k++)
            append(f, f->sessions[i], k ? "often" : "rare");
    }
    for (int i = 0; i < FORKS - 1; i++)
        append(f, f->sessions[i], "rare");
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    sf_store_close(f->store);
    test_dir_free(f->dir);
    free(f);
    return 0;
}

struct seen {
    int64_t ids[2 * LENGTH], seqs[2 * LENGTH];
    size_t count, stop;
};

static bool note(const struct sf_event_row *event, void *ctx)
{
    struct seen *s = ctx;

    assert_true(s->count < SF_COUNT(s->ids));
    s->ids[s->count] = event->id;
    s->seqs[s->count++] = event->seq;
    return s->count != s->stop;
}

static void test_every_part(void **state)
{
    struct fixture *f = *state;
    const char *session = f->sessions[FORKS - 1];
    const struct sf_event_filter filter = { .session = session };
    struct sf_error err = SF_ERROR_INIT;
    struct seen all = { .count = 0 };

    assert_true(sf_store_each_event(f->store, &filter, note, &all, &err));
    assert_int_equal(all.count, LENGTH);
    for (int64_t first = 0; first <= LENGTH + 1; first++)
        for (int64_t last = first - 1; last <= LENGTH + 1; last++) {
            const struct sf_event_range range = { session, first, last };
            int64_t from = first < 1 ? 1 : first, to = last > LENGTH ? LENGTH : last;
            size_t expected = to >= from ? (size_t)(to - from + 1) : 0;
            struct seen part = { .count = 0 };

            assert_true(sf_store_each_in_range(f->store, &range, note, &part, &err));
            assert_int_equal(part.count, expected);
            if (expected)
                assert_memory_equal(part.ids, all.ids + from - 1, expected * sizeof(*part.ids));
        }
}

static void test_stops(void **state)
{
    struct fixture *f = *state;
    const struct sf_event_range range = { f->sessions[FORKS - 1], 1, LENGTH };
    struct sf_error err = SF_ERROR_INIT;
    struct seen part = { .stop = EACH }; /* at the end of what the first of them has */

    assert_true(sf_store_each_in_range(f->store, &range, note, &part, &err));
    assert_int_equal(part.count, EACH);
    part = (struct seen){ .stop = 1 };
    assert_true(sf_store_each_in_range(f->store, &range, note, &part, &err));
    assert_int_equal(part.count, 1);
}

static void test_last(void **state)
{
    struct fixture *f = *state;
    const struct sf_session_new row = {
        .project = "/p", .surface = "tui", .parent_id = f->sessions[1], .forked_at_seq = EACH + 2
    };
    struct sf_error err = SF_ERROR_INIT;
    char fresh[SF_ID_LEN + 1];
    int64_t seq;

    assert_true(sf_store_event_last(f->store, f->sessions[FORKS - 1], &seq, &err));
    assert_int_equal(seq, LENGTH);
    assert_true(sf_store_event_last(f->store, f->sessions[0], &seq, &err));
    assert_int_equal(seq, EACH + 1);
    assert_true(sf_store_session_create(f->store, &row, fresh, &err));
    assert_true(sf_store_event_last(f->store, fresh, &seq, &err));
    assert_int_equal(seq, EACH + 2); /* nothing of its own yet */
    test_store_session(f->store, fresh);
    assert_true(sf_store_event_last(f->store, fresh, &seq, &err));
    assert_int_equal(seq, 0);
}

static void test_count(void **state)
{
    static const struct {
        int session;
        const char *kind;
        int64_t upto, count, last;
    } cases[] = {
        { FORKS - 1, "rare", INT64_MAX, FORKS, LENGTH - EACH + 1 },
        { FORKS - 1, "rare", LENGTH - EACH, FORKS - 1, LENGTH - 2 * EACH + 1 },
        { FORKS - 1, "rare", 1, 1, 1 },
        { FORKS - 1, "rare", 0, 0, 0 },
        { FORKS - 1, "often", INT64_MAX, LENGTH - FORKS, LENGTH },
        { FORKS - 1, "never", INT64_MAX, 0, 0 },
        { 0, "rare", INT64_MAX, 2, EACH + 1 },
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_error err = SF_ERROR_INIT;
        struct sf_event_count count;
        int64_t newest;

        assert_true(sf_store_event_count(f->store, f->sessions[cases[i].session], cases[i].kind,
                                         cases[i].upto, &count, &err));
        assert_int_equal(count.count, cases[i].count);
        assert_int_equal(count.last, cases[i].last);
        assert_true(sf_store_event_newest(f->store, f->sessions[cases[i].session], cases[i].kind,
                                          &newest, &err));
        if (cases[i].upto == INT64_MAX)
            assert_int_equal(newest, cases[i].last);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_every_part, setup, teardown),
        cmocka_unit_test_setup_teardown(test_stops, setup, teardown),
        cmocka_unit_test_setup_teardown(test_last, setup, teardown),
        cmocka_unit_test_setup_teardown(test_count, setup, teardown),
    };

    test_use_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
