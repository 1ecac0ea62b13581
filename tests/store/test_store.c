/*
 * Opening the store: what is made and with which rights, every way a file can be wrong, places
 * that are full or read-only, and files that move away under a running program.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/internal.h"
#include "store/schema.h"
#include "support/store_case.h"
#include "support/test.h"

#define RECOVER "run `sf store recover`: it sets the damaged file aside and saves what can be read"

static mode_t mode_of(const char *dir, const char *name)
{
    char *path = test_path(dir, name);
    struct stat st = { 0 };

    if (stat(path, &st) < 0)
        fail_msg("%s is missing", path);
    free(path);
    return st.st_mode & 07777;
}

static bool is_there(const char *dir, const char *name)
{
    char *path = test_path(dir, name);
    bool there = access(path, F_OK) == 0;

    free(path);
    return there;
}

static void test_made_private(void **state)
{
    static const mode_t masks[] = { 0, 022, 077, 0277 };

    for (size_t i = 0; i < SF_COUNT(masks); i++) {
        struct sf_store *store;
        char name[16], *dir;
        mode_t before;

        snprintf(name, sizeof(name), "p%zu", i);
        dir = test_path(*state, name);
        before = umask(masks[i]);
        store = test_store_open(dir, SF_STORE_WRITE);
        test_store_append(store, SF_SESSION_PROJECT, 1);
        umask(before);
        assert_int_equal(mode_of(dir, "."), 0700);
        assert_int_equal(mode_of(dir, "sf.db"), 0600);
        assert_int_equal(mode_of(dir, "sf.db-wal"), 0600);
        assert_int_equal(mode_of(dir, "sf.db-shm"), 0600);
        assert_false(is_there(dir, "sf.db.new"));
        sf_store_close(store);
        assert_false(is_there(dir, "sf.db-wal"));
        free(dir);
    }
}

static void test_rights_are_tightened(void **state)
{
    char *path = test_path(*state, "sf.db");

    sf_store_close(test_store_open(*state, SF_STORE_WRITE));
    chmod(path, 0644);
    sf_store_close(test_store_open(*state, SF_STORE_WRITE));
    assert_int_equal(mode_of(*state, "sf.db"), 0600);
    free(path);
}

/* Asked on the store's own connection, since they are not kept in the file. */
static void test_settings(void **state)
{
    static const struct {
        const char *pragma;
        int64_t want;
    } cases[] = {
        { "PRAGMA synchronous", 1 },
        { "PRAGMA foreign_keys", 1 },
        { "PRAGMA trusted_schema", 0 },
        { "PRAGMA recursive_triggers", 1 },
        { "PRAGMA mmap_size", 0 },
        { "PRAGMA temp_store", 2 },
        { "PRAGMA user_version", 8 },
        { "PRAGMA application_id", SF_STORE_APPLICATION_ID },
        { "PRAGMA journal_size_limit", 4194304 },
        { "PRAGMA page_size", SF_STORE_PAGE_SIZE },
        { "SELECT journal_mode = 'wal' FROM pragma_journal_mode", 1 },
        { "SELECT count(*) FROM sessions WHERE id = 'project' AND surface = 'headless'", 1 },
        { "SELECT count(*) FROM pragma_table_list WHERE type = 'table' AND NOT strict"
          " AND name NOT LIKE 'sqlite_%'",
          0 },
    };
    struct sf_store *store = test_store_open(*state, SF_STORE_WRITE);
    struct sf_error err = SF_ERROR_INIT;
    int defensive = 0;

    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        int64_t value = -1;

        if (!sf_sql_int(&store->sql, cases[i].pragma, &value, &err) || value != cases[i].want)
            fail_msg("%s: %lld", cases[i].pragma, (long long)value);
    }
    sqlite3_db_config(store->sql.db, SQLITE_DBCONFIG_DEFENSIVE, -1, &defensive);
    assert_int_equal(defensive, 1);
    assert_false(sf_sql_exec(&store->sql, "SELECT load_extension('x')", &err));
    assert_string_equal(sf_store_warning(store), "");
    assert_int_equal(store->version, sf_store_schema_version());
    sf_store_close(store);
}

static void cut(const char *dir, long to)
{
    char *path = test_path(dir, "sf.db");
    struct stat st;

    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(truncate(path, to >= 0 ? to : st.st_size + to), 0);
    free(path);
}

static void empty(const char *dir)
{
    cut(dir, 0);
}

static void cut_to_header(const char *dir)
{
    cut(dir, 100);
}

static void cut_half(const char *dir)
{
    char *path = test_path(dir, "sf.db");
    struct stat st;

    assert_int_equal(stat(path, &st), 0);
    cut(dir, (long)st.st_size / 2);
    free(path);
}

static void cut_last_page(const char *dir)
{
    cut(dir, -4096);
}

static void cut_last_byte(const char *dir)
{
    cut(dir, -1);
}

static void put_garbage(const char *dir)
{
    char *path = test_path(dir, "sf.db");
    char bytes[8192];

    memset(bytes, 'x', sizeof(bytes));
    test_write(path, bytes, sizeof(bytes));
    free(path);
}

static void put_foreign(const char *dir)
{
    char *path = test_path(dir, "sf.db");

    unlink(path);
    free(path);
    test_sql_exec(dir, "CREATE TABLE notes (text); INSERT INTO notes VALUES ('mine')");
}

static void raise_version(const char *dir)
{
    test_sql_exec(dir, "PRAGMA user_version=9");
}

static void zero_version(const char *dir)
{
    test_sql_exec(dir, "PRAGMA user_version=0");
}

static void lower_version(const char *dir)
{
    test_sql_exec(dir, "PRAGMA user_version=2");
}

static void absurd_version(const char *dir)
{
    test_sql_exec(dir, "PRAGMA user_version=67108868");
}

static void drop_table(const char *dir)
{
    test_sql_exec(dir, "DROP TABLE goals");
}

static void orphan_log(const char *dir)
{
    char *db = test_path(dir, "sf.db"), *wal = test_path(dir, "sf.db-wal");

    rename(db, wal);
    free(wal);
    free(db);
}

static const struct {
    const char *name;
    void (*spoil)(const char *dir);
    enum sf_errc code;
    const char *msg; /* behind the path */
    const char *hint;
} broken[] = {
    { "an empty file", empty, SF_E_DAMAGED, " is damaged (it is empty)", RECOVER },
    { "only the header", cut_to_header, SF_E_DAMAGED, " is damaged", RECOVER },
    { "half the file", cut_half, SF_E_DAMAGED, " is damaged", RECOVER },
    { "one page less", cut_last_page, SF_E_DAMAGED, " is damaged", RECOVER },
    { "one byte less", cut_last_byte, SF_E_DAMAGED, " is damaged (its end is missing)", RECOVER },
    { "garbage", put_garbage, SF_E_DAMAGED, " is damaged", RECOVER },
    { "somebody else's database", put_foreign, SF_E_DAMAGED,
      " is damaged (it is not a store of sf)", RECOVER },
    { "schema number zero", zero_version, SF_E_DAMAGED, " is damaged (its schema number is wrong)",
      RECOVER },
    { "schema number too low for its tables", lower_version, SF_E_DAMAGED,
      " is damaged (its tables do not fit its schema number)", RECOVER },
    { "an absurd schema number", absurd_version, SF_E_DAMAGED,
      " is damaged (its schema number is wrong)", RECOVER },
    { "a missing table", drop_table, SF_E_DAMAGED,
      " is damaged (its tables do not fit its schema number)", RECOVER },
    { "a newer schema", raise_version, SF_E_NEWER,
      " was written by a newer sf (schema 9, this one knows 8)",
      "update sf, or set SF_HOME to another directory" },
    { "a log without its database", orphan_log, SF_E_DAMAGED,
      " is damaged (it is gone, but its log is there)", RECOVER },
};

/* Name, size and digest of every file: nothing may change where opening fails. */
static char *list_files(const char *dir)
{
    struct sf_strlist names = SF_STRLIST_INIT;
    struct sf_strbuf out = SF_STRBUF_INIT;
    DIR *d = opendir(dir);
    struct dirent *entry;

    assert_non_null(d);
    while ((entry = readdir(d))) {
        char hex[SF_SHA256_HEX + 1];

        if (entry->d_type != DT_REG || !strcmp(entry->d_name, "sf.db-shm"))
            continue;
        test_store_digest(dir, entry->d_name, hex);
        if (strcmp(entry->d_name, "sf.db-wal") != 0 || !is_there(dir, "sf.db"))
            sf_strlist_addf(&names, "%s %s", entry->d_name, hex);
    }
    closedir(d);
    sf_strlist_sort(&names);
    for (size_t i = 0; i < names.count; i++)
        sf_strbuf_addf(&out, "%s\n", names.items[i]);
    sf_strlist_release(&names);
    return sf_strbuf_detach(&out);
}

static void check_broken(const char *dir, size_t i, enum sf_store_mode mode)
{
    struct sf_error err = SF_ERROR_INIT;
    char *before = list_files(dir), *after;
    char *path = test_path(dir, "sf.db");
    struct sf_strbuf want = SF_STRBUF_INIT;
    struct sf_store *store = sf_store_open(dir, mode, &err);

    sf_strbuf_addf(&want, "%s%s", path, broken[i].msg);
    if (store)
        fail_msg("%s was opened", broken[i].name);
    if (err.code != broken[i].code || strcmp(err.msg, want.buf) != 0 ||
        strcmp(err.hint, broken[i].hint) != 0)
        fail_msg("%s: code %d, '%s', hint '%s'", broken[i].name, err.code, err.msg, err.hint);
    after = list_files(dir);
    if (strcmp(before, after) != 0)
        fail_msg("%s: files changed\n%s\n%s", broken[i].name, before, after);
    sf_strbuf_release(&want);
    free(path);
    free(after);
    free(before);
}

static void test_broken_files(void **state)
{
    for (size_t i = 0; i < SF_COUNT(broken); i++) {
        char name[16], session[SF_ID_LEN + 1];
        char *dir;

        snprintf(name, sizeof(name), "b%zu", i);
        dir = test_path(*state, name);
        test_store_fill(dir, 20, session);
        broken[i].spoil(dir);
        check_broken(dir, i, SF_STORE_WRITE);
        if (broken[i].code == SF_E_DAMAGED)
            check_broken(dir, i, SF_STORE_READ);
        free(dir);
    }
}

static void test_newer_can_be_read(void **state)
{
    char session[SF_ID_LEN + 1];
    struct sf_store *store;

    test_store_fill(*state, 5, session);
    raise_version(*state);
    store = test_store_open(*state, SF_STORE_READ);
    assert_non_null(strstr(sf_store_warning(store), "newer sf (schema 9, this one knows 8)"));
    assert_int_equal(store->version, 9);
    sf_store_close(store);
    assert_int_equal(test_store_count(*state), 5);
    assert_int_equal(test_sql_int(*state, "PRAGMA user_version"), 9);
}

static void test_read_makes_nothing(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    char *missing = test_path(*state, "not/there");
    char *listing;

    assert_null(sf_store_open(*state, SF_STORE_READ, &err));
    assert_int_equal(err.code, SF_E_NOENT);
    assert_non_null(strstr(err.msg, "there is no store in"));
    listing = list_files(*state);
    assert_string_equal(listing, "");
    assert_null(sf_store_open(missing, SF_STORE_READ, &err));
    assert_int_equal(err.code, SF_E_NOENT);
    free(listing);
    free(missing);
}

static void test_reader_cannot_write(void **state)
{
    const struct sf_session_new from = { .project = "/p", .surface = "tui" };
    struct sf_error err = SF_ERROR_INIT;
    char id[SF_ID_LEN + 1];
    struct sf_store *store;

    sf_store_close(test_store_open(*state, SF_STORE_WRITE));
    store = test_store_open(*state, SF_STORE_READ);
    assert_false(sf_store_session_create(store, &from, id, &err));
    assert_int_equal(err.code, SF_E_READONLY);
    sf_store_close(store);
}

/* Something else under the name of the database neither hangs nor is written through. */
static void test_not_a_file(void **state)
{
    char *path = test_path(*state, "sf.db"), *target = test_path(*state, "elsewhere");
    struct sf_error err = SF_ERROR_INIT;
    size_t len;
    char *bytes;

    assert_int_equal(mkfifo(path, 0600), 0);
    assert_null(sf_store_open(*state, SF_STORE_WRITE, &err));
    assert_int_equal(err.code, SF_E_ARG);
    assert_null(sf_store_open(*state, SF_STORE_READ, &err));
    unlink(path);
    mkdir(path, 0700);
    assert_null(sf_store_open(*state, SF_STORE_WRITE, &err));
    assert_int_equal(err.code, SF_E_ARG);
    rmdir(path);
    test_write(target, "keep", 4);
    assert_int_equal(symlink(target, path), 0);
    assert_null(sf_store_open(*state, SF_STORE_WRITE, &err));
    assert_int_equal(err.code, SF_E_ARG);
    bytes = test_read(target, &len);
    assert_int_equal(len, 4);
    free(bytes);
    free(target);
    free(path);
}

/* A link to the directory is fine: what counts is where it leads. */
static void test_directory_link(void **state)
{
    char *real = test_path(*state, "real"), *link = test_path(*state, "link");
    char session[SF_ID_LEN + 1];

    mkdir(real, 0700);
    assert_int_equal(symlink(real, link), 0);
    test_store_fill(link, 3, session);
    assert_int_equal(test_store_count(real), 3);
    free(link);
    free(real);
}

static void test_leftovers_of_a_crash(void **state)
{
    static const char *const names[] = { "sf.db.new", "sf.db.new-wal", "sf.db.new-shm",
                                         "sf.db.new-journal" };

    for (size_t i = 0; i < SF_COUNT(names); i++) {
        char *path = test_path(*state, names[i]);

        test_write(path, "half a database", 15);
        free(path);
    }
    sf_store_close(test_store_open(*state, SF_STORE_WRITE));
    for (size_t i = 0; i < SF_COUNT(names); i++)
        assert_false(is_there(*state, names[i]));
}

static void test_moved_away(void **state)
{
    char *path = test_path(*state, "sf.db"), *aside = test_path(*state, "aside.db");
    const struct sf_event_new event = {
        .session = SF_SESSION_PROJECT, .surface = "tui", .kind = "k", .json = "{}", .len = 2
    };
    struct sf_store *store = test_store_open(*state, SF_STORE_WRITE);
    struct sf_error err = SF_ERROR_INIT;
    struct sf_event_ref ref;

    test_store_append(store, SF_SESSION_PROJECT, 1);
    assert_int_equal(rename(path, aside), 0);
    assert_false(sf_store_append(store, &event, &ref, &err));
    assert_int_equal(err.code, SF_E_IO);
    assert_non_null(strstr(err.msg, "moved or deleted"));
    assert_false(is_there(*state, "sf.db"));
    assert_int_equal(rename(aside, path), 0);
    test_store_append(store, SF_SESSION_PROJECT, 2);
    sf_store_close(store);
    free(aside);
    free(path);
}

static void test_upgraded_meanwhile(void **state)
{
    const struct sf_event_new event = {
        .session = SF_SESSION_PROJECT, .surface = "tui", .kind = "k", .json = "{}", .len = 2
    };
    struct sf_store *store = test_store_open(*state, SF_STORE_WRITE);
    struct sf_error err = SF_ERROR_INIT;
    struct sf_event_ref ref;

    raise_version(*state);
    assert_false(sf_store_append(store, &event, &ref, &err));
    assert_int_equal(err.code, SF_E_NEWER);
    assert_string_equal(err.hint, "start sf again");
    sf_store_close(store);
    assert_int_equal(test_sql_int(*state, "SELECT count(*) FROM events"), 0);
}

static int upgrade_and_die(void *ctx)
{
    char *path = test_path(ctx, "sf.db");
    sqlite3 *db = NULL;

    CHILD_CHECK(sqlite3_open(path, &db) == SQLITE_OK);
    CHILD_CHECK(sqlite3_exec(db, "PRAGMA user_version=9", NULL, NULL, NULL) == SQLITE_OK);
    return 0; /* without closing: it stays in the log */
}

/* Closing a database moves its log into it; not so when the store was refused. */
static void test_refused_with_a_log(void **state)
{
    char session[SF_ID_LEN + 1];
    struct sf_error err = SF_ERROR_INIT;
    char before[2][SF_SHA256_HEX + 1], after[2][SF_SHA256_HEX + 1];

    test_store_fill(*state, 3, session);
    assert_int_equal(test_wait(test_fork(upgrade_and_die, *state)), 0);
    test_store_digest(*state, "sf.db", before[0]);
    test_store_digest(*state, "sf.db-wal", before[1]);
    assert_null(sf_store_open(*state, SF_STORE_WRITE, &err));
    assert_int_equal(err.code, SF_E_NEWER);
    test_store_digest(*state, "sf.db", after[0]);
    test_store_digest(*state, "sf.db-wal", after[1]);
    assert_string_equal(before[0], after[0]);
    assert_string_equal(before[1], after[1]);
}

/* A backup put back by hand is in another journal mode; opening brings it back to the log. */
static void test_backup_put_back(void **state)
{
    char session[SF_ID_LEN + 1], *mode;

    test_store_fill(*state, 4, session);
    free(test_sql_text(*state, "PRAGMA journal_mode=DELETE"));
    sf_store_close(test_store_open(*state, SF_STORE_WRITE));
    mode = test_sql_text(*state, "PRAGMA journal_mode");
    assert_string_equal(mode, "wal");
    free(mode);
    assert_int_equal(test_store_count(*state), 4);
}

/* The fallback for read-only places goes through a URI. */
static void test_odd_names(void **state)
{
    static const char *const names[] = { "a b",   "what?mode=memory", "x#y",      "50%25",
                                         "a&b=c", "file:z",           "\xff\xfe", "\xc3\xa9" };

    for (size_t i = 0; i < SF_COUNT(names); i++) {
        char *dir = test_path(*state, names[i]), *db = test_path(dir, "sf.db");
        struct sf_error err = SF_ERROR_INIT;
        char session[SF_ID_LEN + 1];
        struct sf_sql sql = { 0 };
        int64_t count = 0;

        test_store_fill(dir, 2, session);
        assert_int_equal(test_store_count(dir), 2);
        if (!sf_sql_open(&sql, db, SF_SQL_IMMUTABLE, &err) ||
            !sf_sql_int(&sql, "SELECT count(*) FROM events", &count, &err) || count != 2)
            fail_msg("%s: %s", names[i], err.msg);
        sf_sql_close(&sql);
        free(db);
        free(dir);
    }
}

/* What is held back is there for who holds it, and for others from letting go on, or never. */
static void test_held_back(void **state)
{
    const struct sf_session_new orphan = { .project = "p",
                                           .surface = "tui",
                                           .parent_id = "nobody" };
    static const char count[] = "SELECT count(*) FROM sessions";
    struct sf_error err = SF_ERROR_INIT;
    char id[SF_ID_LEN + 1], other[SF_ID_LEN + 1];
    struct sf_store *store = test_store_open(*state, SF_STORE_WRITE);
    int64_t before = test_sql_int(*state, count);

    assert_true(sf_store_hold(store, &err));
    test_store_session(store, id);
    test_store_append(store, id, 1);
    assert_int_equal(test_sql_int(*state, count), before);
    assert_false(sf_store_session_create(store, &orphan, other, &err));
    assert_true(sf_store_let_go(store, &err));
    assert_int_equal(test_sql_int(*state, count), before + 1);
    test_store_append(store, id, 2);
    assert_true(sf_store_hold(store, &err));
    test_store_session(store, other);
    sf_store_close(store);
    assert_int_equal(test_sql_int(*state, count), before + 1);
    assert_int_equal(test_store_count(*state), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_made_private, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_rights_are_tightened, test_dir_setup,
                                        test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_settings, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_broken_files, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_newer_can_be_read, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_read_makes_nothing, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_reader_cannot_write, test_dir_setup,
                                        test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_not_a_file, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_directory_link, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_leftovers_of_a_crash, test_dir_setup,
                                        test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_moved_away, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_upgraded_meanwhile, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_refused_with_a_log, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_backup_put_back, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_odd_names, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_held_back, test_dir_setup, test_dir_teardown),
    };

    test_use_memory();
    return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
