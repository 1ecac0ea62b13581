/*
 * test_recover.c: what is damaged is kept as it was, what can be read is saved, and what was lost is
 * said. Stores that are sound, in use or newer are left alone.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/internal.h"
#include "support/store_case.h"
#include "support/store_damage.h"
#include "support/test.h"

/* Recovers a store of these bytes; returns how many events it had afterwards. */
static int64_t recover_bytes(const char *dir, const char *bytes, size_t len,
                             struct sf_strbuf *report)
{
    struct sf_error err = SF_ERROR_INIT;

    damage_put(dir, bytes, len);
    if (!sf_store_recover(dir, report, &err))
        fail_msg("%s", err.msg);
    damage_check_kept("recovered", dir, bytes, len);
    return damage_check_sound("recovered", dir);
}

static void test_schema_destroyed(void **state)
{
    struct sf_strbuf report = SF_STRBUF_INIT;
    char *bytes = damage_sample_copy();

    memset(bytes, 0, 4096);
    assert_int_equal(recover_bytes(*state, bytes, damage_sample_len, &report), damage_events);
    assert_non_null(strstr(report.buf, "sessions: 1 rebuilt from their events\n"));
    assert_non_null(strstr(report.buf, "events: 200 saved"));
    assert_non_null(strstr(report.buf, "the damaged files are kept in "));
    assert_int_equal(test_sql_int(*state, "SELECT count(*) FROM events"
                                          " WHERE kind = 'store.recovered'"),
                     1);
    free(bytes);
    sf_strbuf_release(&report);
}

static void test_one_row_spoiled(void **state)
{
    struct sf_strbuf report = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    char *bytes = damage_sample_copy();
    char *row = memmem(bytes, damage_sample_len, "{\"n\":77,", 8);

    assert_non_null(row);
    row[0] = '(';
    assert_int_equal(recover_bytes(*state, bytes, damage_sample_len, &report), damage_events - 1);
    assert_non_null(strstr(report.buf, "events: 199 saved, 1 lost\n"));
    sf_strbuf_reset(&report);
    assert_true(sf_store_check(*state, &report, &err)); /* known by now, but still said */
    assert_non_null(strstr(report.buf, "lacks event 77\n"));
    free(bytes);
    sf_strbuf_release(&report);
}

static void test_nothing_readable(void **state)
{
    struct sf_strbuf report = SF_STRBUF_INIT;
    char *bytes = sf_alloc(8192);

    memset(bytes, 0xa5, 8192);
    assert_int_equal(recover_bytes(*state, bytes, 8192, &report), 0);
    free(bytes);
    sf_strbuf_release(&report);
}

static void test_backup_used(void **state)
{
    struct sf_strbuf report = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    char *bytes = sf_alloc(8192);

    test_store_make_old(*state, 3);
    sf_store_close(test_store_open(*state, SF_STORE_WRITE));
    memset(bytes, 0xa5, 8192);
    damage_put(*state, bytes, 8192);
    assert_true(sf_store_recover(*state, &report, &err));
    assert_non_null(strstr(report.buf, "taken from the backup sf.db.v3-"));
    assert_int_equal(test_sql_int(*state, "SELECT count(*) FROM events WHERE kind = 'user'"), 1);
    assert_int_equal(test_sql_int(*state, "SELECT count(*) FROM decisions"), 1);
    assert_int_equal(test_sql_int(*state, "SELECT count(*) FROM tasks"), 1);
    free(bytes);
    sf_strbuf_release(&report);
}

/* Rows of every table come over, and pointers to what is gone are cut. */
static void test_all_tables(void **state)
{
    struct sf_strbuf report = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    test_store_make_old(*state, 4);
    test_sql_exec(*state, "PRAGMA foreign_keys=OFF; DELETE FROM tasks;"
                          "INSERT INTO sessions (id, project, surface, created_at, updated_at,"
                          " parent_id, forked_at_seq) SELECT 's2', project, surface, created_at,"
                          " updated_at, 'gone', 3 FROM sessions WHERE id = 's1'");
    assert_true(sf_store_recover(*state, &report, &err));
    assert_true(sf_store_check(*state, &report, &err));
    assert_int_equal(test_sql_int(*state, "SELECT count(*) FROM usage WHERE task_id IS NULL"), 1);
    assert_int_equal(test_sql_int(*state, "SELECT count(*) FROM workers WHERE task_id IS NULL"), 1);
    assert_int_equal(test_sql_int(*state, "SELECT count(*) FROM leases"), 1);
    assert_int_equal(test_sql_int(*state, "SELECT count(*) FROM task_runtime"), 0);
    assert_int_equal(test_sql_int(*state, "SELECT count(*) FROM sessions WHERE id = 's2'"
                                          " AND parent_id IS NULL"),
                     1);
    sf_strbuf_release(&report);
}

/* Two pages in the middle of a table are gone: the rows before, between and behind come over. */
static void test_bad_pages_in_a_table(void **state)
{
    struct sf_strbuf report = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    char *db = test_path(*state, "sf.db"), *bytes;
    int64_t pages[2], saved;
    size_t len;

    sf_store_close(test_store_open(*state, SF_STORE_WRITE));
    test_sql_exec(*state, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
                          " WHERE i < 1000) INSERT INTO tasks (id, work_mode, run_control,"
                          " permission_profile, model_mode, status) SELECT 't' || i, 'build',"
                          " 'manual', 'normal', 'smart', 'todo' FROM n");
    pages[0] = test_sql_int(*state, "SELECT pageno FROM dbstat WHERE name = 'tasks' AND"
                                    " pagetype = 'leaf' ORDER BY path LIMIT 1 OFFSET 3");
    pages[1] = test_sql_int(*state, "SELECT pageno FROM dbstat WHERE name = 'tasks' AND"
                                    " pagetype = 'leaf' ORDER BY path LIMIT 1 OFFSET 7");
    bytes = test_read(db, &len);
    memset(bytes + (pages[0] - 1) * 4096, 0, 4096);
    memset(bytes + (pages[1] - 1) * 4096, 0, 4096);
    test_write(db, bytes, len);
    assert_true(sf_store_recover(*state, &report, &err));
    saved = test_sql_int(*state, "SELECT count(*) FROM tasks");
    if (saved < 800 || saved >= 1000)
        fail_msg("%d rows saved\n%s", (int)saved, report.buf);
    assert_int_equal(test_sql_int(*state, "SELECT count(*) FROM tasks WHERE id IN ('t1', 't1000')"),
                     2);
    assert_non_null(strstr(report.buf, "tasks: "));
    assert_non_null(strstr(report.buf, "perhaps not all"));
    free(bytes);
    free(db);
    sf_strbuf_release(&report);
}

static void test_log_is_kept_and_used(void **state)
{
    char *db = test_path(*state, "sf.db"), *wal = test_path(*state, "sf.db-wal");
    char *aside_wal, *aside, *log, *kept;
    struct sf_strbuf report = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    size_t log_len, kept_len, db_len;
    struct sf_store *store;
    char *bytes;

    damage_make_store(*state);
    store = test_store_open(*state, SF_STORE_WRITE);
    for (int i = 1; i <= 5; i++)
        test_store_append(store, SF_SESSION_PROJECT, i);
    log = test_read(wal, &log_len);
    bytes = test_read(db, &db_len);
    sf_store_close(store);
    memset(bytes + 100, 0, 300); /* the map of the first page */
    test_write(db, bytes, db_len);
    test_write(wal, log, log_len);
    assert_true(sf_store_recover(*state, &report, &err));
    aside = damage_find_aside(*state);
    aside_wal = test_path(aside, "sf.db-wal");
    kept = test_read(aside_wal, &kept_len);
    assert_int_equal(kept_len, log_len);
    assert_memory_equal(kept, log, log_len);
    assert_int_equal(damage_check_sound("with a log", *state), damage_events);
    assert_int_equal(test_sql_int(*state, "SELECT count(*) FROM events WHERE session_id = 'project'"
                                          " AND kind = 'test'"),
                     5 + 1);
    free(kept);
    free(aside_wal);
    free(aside);
    free(bytes);
    free(log);
    free(wal);
    free(db);
    sf_strbuf_release(&report);
}

/* Somebody emptied or deleted sf.db; the log beside it still holds the last events. */
static void test_only_the_log_left(void **state)
{
    char *db = test_path(*state, "sf.db"), *wal = test_path(*state, "sf.db-wal");
    struct sf_strbuf report = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_store *store = test_store_open(*state, SF_STORE_WRITE);
    char session[SF_ID_LEN + 1];
    size_t len;
    char *log;

    test_store_session(store, session);
    for (int i = 1; i <= 30; i++)
        test_store_append(store, session, i);
    log = test_read(wal, &len);
    sf_store_close(store);
    unlink(db);
    test_write(wal, log, len);
    assert_null(sf_store_open(*state, SF_STORE_WRITE, &err));
    assert_int_equal(err.code, SF_E_DAMAGED);
    assert_true(sf_store_recover(*state, &report, &err));
    assert_int_equal(damage_check_sound("only the log", *state), 30);
    free(log);
    free(wal);
    free(db);
    sf_strbuf_release(&report);
}

static void test_refuses_a_sound_store(void **state)
{
    struct sf_strbuf report = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    char *missing = test_path(*state, "none");

    assert_false(sf_store_recover(missing, &report, &err));
    assert_int_equal(err.code, SF_E_NOENT);
    assert_false(sf_store_recover(*state, &report, &err));
    assert_int_equal(err.code, SF_E_NOENT);
    damage_make_store(*state);
    assert_false(sf_store_recover(*state, &report, &err));
    assert_int_equal(err.code, SF_E_ARG);
    assert_non_null(strstr(err.msg, "is not damaged; nothing was changed"));
    assert_null(damage_find_aside(*state));
    test_sql_exec(*state, "PRAGMA user_version=9");
    assert_false(sf_store_recover(*state, &report, &err));
    assert_int_equal(err.code, SF_E_NEWER);
    assert_null(damage_find_aside(*state));
    free(missing);
    sf_strbuf_release(&report);
}

struct holder {
    const char *dir;
    int ready, go; /* descriptors */
};

static int hold_child(void *ctx)
{
    const struct holder *h = ctx;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_store *store = sf_store_open(h->dir, SF_STORE_WRITE, &err);
    char c = 'x';

    CHILD_OK(store != NULL, &err);
    CHILD_CHECK(write(h->ready, &c, 1) == 1);
    CHILD_CHECK(read(h->go, &c, 1) == 1);
    sf_store_close(store);
    return 0;
}

static void test_refuses_a_store_in_use(void **state)
{
    struct sf_strbuf report = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    int ready[2], go[2];
    struct holder h;
    char want[64], c;
    pid_t pid;

    damage_make_store(*state);
    assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
    assert_int_equal(pipe2(go, O_CLOEXEC), 0);
    h = (struct holder){ *state, ready[1], go[0] };
    pid = test_fork(hold_child, &h);
    assert_int_equal(read(ready[0], &c, 1), 1);
    test_sql_exec(*state, "DROP TRIGGER events_never_go; DELETE FROM events WHERE seq = 5");
    assert_false(sf_store_recover(*state, &report, &err));
    assert_int_equal(err.code, SF_E_BUSY);
    snprintf(want, sizeof(want), "in use by process %d", (int)pid);
    assert_non_null(strstr(err.msg, want));
    assert_null(damage_find_aside(*state));
    assert_int_equal(write(go[1], &c, 1), 1);
    assert_int_equal(test_wait(pid), 0);
    assert_true(sf_store_recover(*state, &report, &err));
    assert_int_equal(damage_check_sound("after use", *state), damage_events - 1);
    close(ready[0]);
    close(ready[1]);
    close(go[0]);
    close(go[1]);
    sf_strbuf_release(&report);
}

/* While a recovery is unfinished nobody opens the store, and the next call finishes it. */
static void test_unfinished_recovery(void **state)
{
    char *recovering = test_path(*state, "recovering");
    struct sf_strbuf report = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    damage_make_store(*state);
    mkdir(recovering, 0700);
    assert_null(sf_store_open(*state, SF_STORE_WRITE, &err));
    assert_int_equal(err.code, SF_E_DAMAGED);
    assert_non_null(strstr(err.msg, "a recovery of it was interrupted"));
    assert_null(sf_store_open(*state, SF_STORE_READ, &err));
    assert_true(sf_store_recover(*state, &report, &err));
    assert_non_null(strstr(report.buf, "finishing a recovery that was interrupted"));
    assert_int_equal(damage_check_sound("finished", *state), damage_events);
    free(recovering);
    sf_strbuf_release(&report);
}

/* A first page that claims to be a leaf, with more rows than it has room for. */
static void test_first_page_lies(void **state)
{
    struct sf_strbuf report = SF_STRBUF_INIT;
    char *bytes = damage_sample_copy();

    memset(bytes, 0, 4096);
    bytes[100] = 0x0d;
    bytes[103] = (char)(2090 >> 8);
    bytes[104] = (char)(2090 & 0xff);
    assert_int_equal(recover_bytes(*state, bytes, damage_sample_len, &report), damage_events);
    free(bytes);
    sf_strbuf_release(&report);
}

/* The name of the place sorts by time and is one that every file system takes. */
static void test_place_of_the_old_files(void **state)
{
    char stamp[SF_STAMP_MAX];

    (void)state;
    sf_store_stamp(stamp);
    assert_int_equal(strlen(stamp), strlen("20261116T050953.123Z"));
    assert_int_equal(strspn(stamp, "0123456789"), 8);
    assert_int_equal(stamp[8], 'T');
    assert_int_equal(strspn(stamp + 9, "0123456789"), 6);
    assert_int_equal(stamp[15], '.');
    assert_int_equal(strspn(stamp + 16, "0123456789"), 3);
    assert_int_equal(stamp[19], 'Z');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_schema_destroyed, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_one_row_spoiled, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_nothing_readable, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_backup_used, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_all_tables, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_bad_pages_in_a_table, test_dir_setup,
                                        test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_log_is_kept_and_used, test_dir_setup,
                                        test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_only_the_log_left, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_refuses_a_sound_store, test_dir_setup,
                                        test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_refuses_a_store_in_use, test_dir_setup,
                                        test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_unfinished_recovery, test_dir_setup,
                                        test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_first_page_lies, test_dir_setup, test_dir_teardown),
        cmocka_unit_test(test_place_of_the_old_files),
    };

    test_use_memory();
    return cmocka_run_group_tests_name("recover", tests, damage_sample_setup,
                                       damage_sample_teardown);
}
