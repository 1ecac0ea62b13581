/*
 * test_undo_diff.c: lines are counted in every file that differs, and a text that does not show all
 * of them says how many it leaves out.
 */
#include "journal/undo.h"
#include "support/snapcase.h"
#include "support/test.h"

enum { FILES = 620 };

static void test_many(void **state)
{
    struct snap_case *c = *state;
    struct sf_undo_pair pair = { .max = 4096 };
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_undo_stat stat;
    unsigned shown = 0, left = 0;

    free(tree_run(c->work, "mkdir d && for i in $(seq 1 620); do echo one >d/$i; done", NULL));
    snap_take(c);
    free(tree_run(c->work, "for i in $(seq 1 620); do echo two >d/$i; done", NULL));
    pair.from = c->result.id;
    assert_true(sf_undo_diff(c->snap, &pair, &text, &stat, &err));
    assert_int_equal(stat.files, FILES);
    assert_int_equal(stat.plus, FILES);
    assert_int_equal(stat.minus, FILES);
    for (const char *at = text.buf; (at = strstr(at, "\n+++ ")); at++)
        shown++;
    assert_int_equal(sscanf(strstr(text.buf, "… and ") + strlen("… and "), "%u more files", &left),
                     1);
    assert_in_range(shown, 1, FILES - 1);
    assert_int_equal(shown + left, FILES);
    sf_strbuf_release(&text);
}

static void test_cancelled(void **state)
{
    struct snap_case *c = *state;
    atomic_bool cancel = true;
    struct sf_undo_pair pair = { .cancel = &cancel };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_undo_stat stat;
    char first[SF_SNAP_ID + 1];

    free(tree_run(c->work, "echo one >a", NULL));
    snap_take(c);
    memcpy(first, c->result.id, sizeof(first));
    pair.from = first;
    assert_false(sf_undo_diff(c->snap, &pair, NULL, &stat, &err));
    assert_int_equal(err.code, SF_E_CANCELLED);
    free(tree_run(c->work, "echo two >a", NULL));
    snap_take(c);
    pair.to = c->result.id;
    err = (struct sf_error)SF_ERROR_INIT;
    assert_false(sf_undo_diff(c->snap, &pair, NULL, &stat, &err));
    assert_int_equal(err.code, SF_E_CANCELLED);
    assert_int_equal(stat.files, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_many, snap_setup, snap_teardown),
        cmocka_unit_test_setup_teardown(test_cancelled, snap_setup, snap_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
