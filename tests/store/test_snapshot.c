/*
 * Rows of snapshots: newest first, filtered, found by number, and marked when their content went.
 */
#include "store/store.h"
#include "support/test.h"

struct fixture {
    char *dir;
    struct sf_store *store;
    struct sf_arena arena;
};

static int setup(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    struct fixture *f = sf_alloc(sizeof(*f));

    f->dir = test_dir_new();
    f->store = sf_store_open(f->dir, SF_STORE_WRITE, &err);
    *state = f;
    return f->store ? 0 : -1;
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

static bool add(struct fixture *f, const char *kind, const char *worktree, const char *commit)
{
    const struct sf_snapshot_new row = {
        .session = SF_SESSION_PROJECT, .kind = kind, .worktree = worktree, .commit = commit
    };
    struct sf_error err = SF_ERROR_INIT;
    int64_t id;

    return sf_store_snapshot_add(f->store, &row, &id, &err) && id > 0;
}

static bool join(void *ctx, const struct sf_snapshot_row *row)
{
    sf_strbuf_addf(ctx, "%s ", row->commit);
    return true;
}

static const struct {
    const char *name;
    struct sf_snapshot_filter filter;
    const char *want;
} cases[] = {
    { "all but the pruned", { 0 }, "c4 c3 c1 " },
    { "the pruned too", { .pruned = true }, "c4 c3 c2 c1 " },
    { "of one worktree", { .worktree = "/w" }, "c3 c1 " },
    { "of one kind", { .kind = "after" }, "c3 " },
    { "by number", { .id = 4 }, "c4 " },
    { "by number, pruned", { .id = 2 }, "" },
    { "by commit", { .commit = "c1" }, "c1 " },
    { "of nobody's session", { .session = "none" }, "" },
};

static void test_filters(void **state)
{
    struct fixture *f = *state;
    struct sf_error err = SF_ERROR_INIT;

    assert_true(add(f, "before", "/w", "c1") && add(f, "edit", "/w", "c2") &&
                add(f, "after", "/w", "c3") && add(f, "restore", "/v", "c4"));
    assert_false(add(f, "nonsense", "/w", "c5"));
    assert_true(sf_store_snapshot_pruned(f->store, "c2", &err));
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_strbuf got = SF_STRBUF_INIT;

        if (!sf_store_each_snapshot(f->store, &cases[i].filter, join, &got, &err) ||
            strcmp(got.buf, cases[i].want) != 0)
            fail_msg("%s: got %s, want %s", cases[i].name, got.buf, cases[i].want);
        sf_strbuf_release(&got);
    }
}

static void test_get(void **state)
{
    const struct sf_snapshot_filter filter = { .pruned = true };
    struct fixture *f = *state;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_snapshot_row row;
    bool found;

    assert_true(sf_store_snapshot_get(f->store, &filter, &f->arena, &row, &found, &err));
    assert_false(found);
    assert_true(add(f, "before", "/w", "c1"));
    assert_true(sf_store_snapshot_pruned(f->store, "c1", &err));
    assert_true(sf_store_snapshot_get(f->store, &filter, &f->arena, &row, &found, &err));
    assert_true(found);
    assert_int_equal(row.id, 1);
    assert_string_equal(row.session, SF_SESSION_PROJECT);
    assert_string_equal(row.commit, "c1");
    assert_string_equal(row.details, "{}");
    assert_string_not_equal(row.pruned_at, "");
}

/* Another commit stands for it; the others stay. */
static void test_moved(void **state)
{
    const struct sf_snapshot_filter filter = { .worktree = "/w" };
    struct fixture *f = *state;
    struct sf_strbuf got = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    assert_true(add(f, "before", "/w", "c1") && add(f, "before", "/w", "c2"));
    assert_true(sf_store_snapshot_moved(f->store, 1, "c3", &err));
    assert_true(sf_store_each_snapshot(f->store, &filter, join, &got, &err));
    assert_string_equal(got.buf, "c2 c3 ");
    sf_strbuf_release(&got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_filters, setup, teardown),
        cmocka_unit_test_setup_teardown(test_get, setup, teardown),
        cmocka_unit_test_setup_teardown(test_moved, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
