/*
 * test_busy.c: patience has an end. Another connection holds the store while time passes by a clock
 * of this test's own, a second each time it is read, so that nobody waits for real.
 */
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <sqlite3.h>

#include "store/store.h"
#include "support/store_case.h"
#include "support/test.h"

static struct {
    bool runs;
    long passed;   /* seconds */
    long let_go;   /* when the holder ends its transaction; 0: never */
    sqlite3 *held; /* by the other */
} fake;

static void let_go(void)
{
    if (fake.held)
        sqlite3_close(fake.held);
    fake.held = NULL;
}

/* Stands before the C library's. */
int clock_gettime(clockid_t id, struct timespec *out)
{
    long rc = syscall(SYS_clock_gettime, id, out);

    if (!fake.runs || id != CLOCK_MONOTONIC)
        return (int)rc;
    fake.passed++;
    out->tv_sec += fake.passed;
    if (fake.let_go && fake.passed >= fake.let_go)
        let_go();
    return (int)rc;
}

static void hold(const char *dir, const char *how, long until)
{
    char *path = test_path(dir, "sf.db");

    assert_int_equal(sqlite3_open(path, &fake.held), SQLITE_OK);
    assert_int_equal(sqlite3_exec(fake.held, how, NULL, NULL, NULL), SQLITE_OK);
    fake.passed = 0;
    fake.let_go = until;
    fake.runs = true;
    free(path);
}

static int teardown(void **state)
{
    fake.runs = false;
    let_go();
    return store_pair_teardown(state);
}

static bool append(struct store_pair *c, struct sf_error *err)
{
    const struct sf_event_new event = {
        .session = c->session, .surface = "tui", .kind = "note", .json = "{}", .len = 2
    };
    struct sf_event_ref ref;

    return sf_store_append(c->store, &event, &ref, err);
}

static void test_gives_up(void **state)
{
    struct store_pair *c = *state;
    struct sf_error err = SF_ERROR_INIT;

    hold(c->dir, "BEGIN IMMEDIATE", 0);
    assert_false(append(c, &err));
    assert_int_equal(err.code, SF_E_BUSY);
    assert_non_null(strstr(err.msg, "another process has held it for 30 seconds"));
    assert_non_null(strstr(err.hint, "end the sf that holds it"));
    assert_in_range(fake.passed, 30, 120);
    fake.runs = false;
    let_go();
    assert_true(append(c, &err)); /* nothing of the failed try is in the way */
    assert_int_equal(test_sql_int(c->dir, "SELECT count(*) FROM events WHERE kind = 'note'"), 1);
}

static void test_waits(void **state)
{
    struct store_pair *c = *state;
    struct sf_error err = SF_ERROR_INIT;

    hold(c->dir, "BEGIN IMMEDIATE", 25);
    if (!append(c, &err))
        fail_msg("given up after %ld seconds: %s", fake.passed, err.msg);
    assert_null(fake.held);
}

/* Against one that keeps everybody out, a reader has the same patience. */
static void test_reader(void **state)
{
    static const char alone[] = "PRAGMA locking_mode=EXCLUSIVE; BEGIN IMMEDIATE";
    struct store_pair *c = *state;
    struct sf_error err = SF_ERROR_INIT;

    sf_store_close(c->store);
    hold(c->dir, alone, 0);
    c->store = sf_store_open(c->dir, SF_STORE_READ, &err);
    assert_null(c->store);
    assert_int_equal(err.code, SF_E_BUSY);
    fake.runs = false;
    let_go();
    hold(c->dir, alone, 25);
    c->store = sf_store_open(c->dir, SF_STORE_READ, &err);
    if (!c->store)
        fail_msg("given up after %ld seconds: %s", fake.passed, err.msg);
    assert_null(fake.held);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_gives_up, store_pair_setup, teardown),
        cmocka_unit_test_setup_teardown(test_waits, store_pair_setup, teardown),
        cmocka_unit_test_setup_teardown(test_reader, store_pair_setup, teardown),
    };

    test_use_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
