/*
 * test_migrate.c: from every schema number to the newest with rows in place, with one backup each,
 * whoever else is starting at the same time, and without a trace when they fail.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/internal.h"
#include "store/schema.h"
#include "support/store_case.h"
#include "support/test.h"

static size_t count_backups(const char *dir)
{
    struct sf_strlist list = SF_STRLIST_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_store_files files;
    size_t count;

    assert_true(sf_store_files_init(&files, dir, SF_STORE_READ, &err));
    sf_store_backup_list(&files, &list);
    count = list.count;
    sf_strlist_release(&list);
    sf_store_files_release(&files);
    return count;
}

/* The first backup, put where plain SQL can look at it: DIR/look/sf.db. */
static char *open_backup(const char *dir)
{
    char *backups = test_path(dir, "backups"), *look = test_path(dir, "look");
    char *to = test_path(look, "sf.db");
    struct dirent *entry;
    DIR *d = opendir(backups);

    assert_non_null(d);
    mkdir(look, 0700);
    while ((entry = readdir(d))) {
        char *from = test_path(backups, entry->d_name);
        size_t len;
        char *bytes;

        if (!strncmp(entry->d_name, "sf.db.v", 7)) {
            bytes = test_read(from, &len);
            test_write(to, bytes, len);
            free(bytes);
        }
        free(from);
    }
    closedir(d);
    free(to);
    free(backups);
    return look;
}

static void check_rows(const char *dir, int version)
{
    for (size_t i = 0; i < sf_store_table_count; i++) {
        char sql[128];
        int64_t want = sf_store_tables[i].since <= version;

        if (!strcmp(sf_store_tables[i].name, "sessions"))
            want++; /* project */
        if (!strcmp(sf_store_tables[i].name, "search_todo"))
            want = 0; /* worked off by whoever opens it */
        snprintf(sql, sizeof(sql), "SELECT count(*) FROM %s", sf_store_tables[i].name);
        if (test_sql_int(dir, sql) != want)
            fail_msg("from schema %d: %s has wrong rows", version, sf_store_tables[i].name);
    }
}

static void test_from_every_version(void **state)
{
    for (int version = 1; version < sf_store_schema_version(); version++) {
        struct sf_strbuf report = SF_STRBUF_INIT;
        struct sf_error err = SF_ERROR_INIT;
        char name[16], *dir, *backup;
        struct sf_store *store;

        snprintf(name, sizeof(name), "v%d", version);
        dir = test_path(*state, name);
        test_store_make_old(dir, version);
        store = test_store_open(dir, SF_STORE_WRITE);
        assert_int_equal(store->version, sf_store_schema_version());
        test_store_append(store, SF_SESSION_PROJECT, 1);
        sf_store_close(store);
        test_sql_exec(dir, "DROP TRIGGER events_never_go; DELETE FROM events WHERE kind = 'test'");
        check_rows(dir, version);
        assert_true(sf_store_check(dir, &report, &err));
        assert_int_equal(count_backups(dir), 1);
        backup = open_backup(dir);
        assert_int_equal(test_sql_int(backup, "PRAGMA user_version"), version);
        assert_int_equal(test_sql_int(backup, "SELECT count(*) FROM tasks"), 1);
        sf_strbuf_release(&report);
        free(backup);
        free(dir);
    }
}

/* However it came about, the newest schema is the same. */
static void test_same_schema_in_the_end(void **state)
{
    static const char sql[] = "SELECT group_concat(sql, char(10)) FROM (SELECT sql FROM"
                              " sqlite_schema WHERE sql IS NOT NULL ORDER BY name)";
    char *fresh = test_path(*state, "fresh"), *old = test_path(*state, "old");
    char *a, *b;

    sf_store_close(test_store_open(fresh, SF_STORE_WRITE));
    test_store_make_old(old, 1);
    sf_store_close(test_store_open(old, SF_STORE_WRITE));
    a = test_sql_text(fresh, sql);
    b = test_sql_text(old, sql);
    assert_string_equal(a, b);
    free(a);
    free(b);
    free(old);
    free(fresh);
}

/* Upgrades a store of `version` made anew in the same directory. */
static void upgrade_again(const char *dir, int version)
{
    char *db = test_path(dir, "sf.db");

    unlink(db);
    test_store_make_old(dir, version);
    sf_store_close(test_store_open(dir, SF_STORE_WRITE));
    free(db);
}

static void check_newest_backup(const char *dir, const char *prefix)
{
    struct sf_strlist list = SF_STRLIST_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_store_files files;
    struct stat st;
    char *path;

    assert_true(sf_store_files_init(&files, dir, SF_STORE_READ, &err));
    sf_store_backup_list(&files, &list);
    assert_int_equal(list.count, 3);
    assert_int_equal(strncmp(list.items[2], prefix, strlen(prefix)), 0);
    path = test_path(files.backups, list.items[2]);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    free(path);
    sf_strlist_release(&list);
    sf_store_files_release(&files);
}

static void test_backups_are_private_and_few(void **state)
{
    char *backups = test_path(*state, "backups"), *foreign, *stale;

    mkdir(backups, 0700);
    foreign = test_path(backups, "sf.db.v1-mine");
    stale = test_path(backups, "new");
    test_write(foreign, "x", 1);
    test_write(stale, "half a copy", 11);
    for (int i = 0; i < 5; i++)
        upgrade_again(*state, 3 - i % 3);
    check_newest_backup(*state, "sf.db.v2-");
    assert_int_equal(access(foreign, F_OK), 0);
    assert_int_equal(access(stale, F_OK), -1);
    free(stale);
    free(foreign);
    free(backups);
}

static void test_damage_stops_the_upgrade(void **state)
{
    char before[SF_SHA256_HEX + 1], after[SF_SHA256_HEX + 1];
    struct sf_error err = SF_ERROR_INIT;

    test_store_make_old(*state, 2);
    /* An index that lacks a row: found by reading everything, not by a glance. */
    test_sql_exec(*state,
                  "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET rootpage = (SELECT rootpage"
                  " FROM sqlite_schema WHERE name = 'sessions_parent')"
                  " WHERE name = 'events_time'");
    test_store_digest(*state, "sf.db", before);
    assert_null(sf_store_open(*state, SF_STORE_WRITE, &err));
    assert_int_equal(err.code, SF_E_DAMAGED);
    assert_non_null(strstr(err.msg, "upgrading the store from schema 2 to 8"));
    assert_non_null(strstr(err.hint, "sf store recover"));
    test_store_digest(*state, "sf.db", after);
    assert_string_equal(before, after);
    assert_int_equal(count_backups(*state), 0);
}

/* A failing migration leaves the number and the tables as they were. */
static void test_failing_migration_changes_nothing(void **state)
{
    struct sf_error err = SF_ERROR_INIT;

    test_store_make_old(*state, 3);
    test_sql_exec(*state, "CREATE INDEX usage_time ON tasks (status)");
    assert_null(sf_store_open(*state, SF_STORE_WRITE, &err));
    assert_non_null(strstr(err.msg, "usage_time"));
    assert_int_equal(test_sql_int(*state, "PRAGMA user_version"), 3);
    assert_int_equal(test_sql_int(*state, "SELECT count(*) FROM sqlite_schema WHERE name='usage'"),
                     0);
    test_sql_exec(*state, "DROP INDEX usage_time");
    sf_store_close(test_store_open(*state, SF_STORE_WRITE));
    check_rows(*state, 3);
}

static void test_reading_does_not_upgrade(void **state)
{
    struct sf_store *store;

    test_store_make_old(*state, 2);
    store = test_store_open(*state, SF_STORE_READ);
    assert_int_equal(store->version, 2);
    assert_non_null(strstr(sf_store_warning(store), "older schema (2 of 8)"));
    sf_store_close(store);
    assert_int_equal(test_store_count(*state), 1);
    assert_int_equal(test_sql_int(*state, "PRAGMA user_version"), 2);
    assert_int_equal(count_backups(*state), 0);
}

struct starter {
    const char *dir;
    int gate; /* readable when everybody may go */
};

static int start_child(void *ctx)
{
    const struct starter *s = ctx;
    const struct sf_event_new event = {
        .session = SF_SESSION_PROJECT, .surface = "tui", .kind = "start", .json = "{}", .len = 2
    };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_event_ref ref;
    struct sf_store *store;
    char c;

    CHILD_CHECK(read(s->gate, &c, 1) == 0);
    store = sf_store_open(s->dir, SF_STORE_WRITE, &err);
    CHILD_OK(store != NULL, &err);
    CHILD_CHECK(store && store->version == sf_store_schema_version());
    CHILD_OK(sf_store_append(store, &event, &ref, &err), &err);
    sf_store_close(store);
    return 0;
}

/* Everybody waits at a pipe; closing it lets them all go at once. */
static void race(const char *dir, int count)
{
    pid_t pids[64];
    int gate[2];

    assert_int_equal(pipe2(gate, O_CLOEXEC), 0);
    for (int i = 0; i < count; i++) {
        struct starter s = { dir, gate[0] };
        pid_t pid;

        fflush(NULL);
        pid = fork();
        assert_true(pid >= 0);
        if (pid == 0) {
            close(gate[1]);
            _exit(start_child(&s));
        }
        pids[i] = pid;
    }
    close(gate[0]);
    close(gate[1]);
    for (int i = 0; i < count; i++)
        assert_int_equal(test_wait(pids[i]), 0);
}

static void test_many_upgrade_at_once(void **state)
{
    for (int round = 0; round < 5; round++) {
        char name[16], *dir;

        snprintf(name, sizeof(name), "r%d", round);
        dir = test_path(*state, name);
        test_store_make_old(dir, 1 + round % 3);
        race(dir, 8);
        assert_int_equal(count_backups(dir), 1);
        assert_int_equal(test_sql_int(dir, "SELECT count(*) FROM events WHERE kind = 'start'"), 8);
        free(dir);
    }
}

static void test_many_start_cold(void **state)
{
    struct sf_strbuf report = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    char *dir = test_path(*state, "cold");

    race(dir, 50);
    assert_int_equal(test_sql_int(dir, "SELECT count(*) FROM events"), 50);
    assert_int_equal(test_sql_int(dir, "SELECT max(seq) FROM events"), 50);
    assert_true(sf_store_check(dir, &report, &err));
    assert_int_equal(report.len, 0);
    sf_strbuf_release(&report);
    free(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_from_every_version, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_same_schema_in_the_end, test_dir_setup,
                                        test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_backups_are_private_and_few, test_dir_setup,
                                        test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_damage_stops_the_upgrade, test_dir_setup,
                                        test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_failing_migration_changes_nothing, test_dir_setup,
                                        test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_reading_does_not_upgrade, test_dir_setup,
                                        test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_many_upgrade_at_once, test_dir_setup,
                                        test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_many_start_cold, test_dir_setup, test_dir_teardown),
    };

    test_use_memory();
    return cmocka_run_group_tests_name("migrate", tests, NULL, NULL);
}
