/*
 * SQL from outside: what it may ask, what it may not do, and how it ends when it does not end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/store.h"
#include "support/store_case.h"
#include "support/test.h"

static int setup(void **state)
{
    char session[SF_ID_LEN + 1];
    char *dir = test_dir_new();

    test_store_fill(dir, 3, session);
    *state = dir;
    return 0;
}

static void add_value(struct sf_strbuf *out, const struct sf_query_value *v)
{
    switch (v->type) {
    case SF_QUERY_NULL:
        sf_strbuf_adds(out, "null");
        break;
    case SF_QUERY_INT:
        sf_strbuf_addf(out, "%lld", (long long)v->integer);
        break;
    case SF_QUERY_REAL:
        sf_strbuf_addf(out, "%g", v->real);
        break;
    case SF_QUERY_TEXT:
        sf_strbuf_addf(out, "'%s'", v->bytes);
        break;
    case SF_QUERY_BLOB:
        sf_strbuf_addf(out, "blob%zu", v->len);
        break;
    }
}

static bool note(const struct sf_query_row *row, void *ctx)
{
    struct sf_strbuf *out = ctx;

    for (size_t i = 0; i < row->count; i++) {
        sf_strbuf_addf(out, "%s%s=", i ? "," : "", row->names[i]);
        add_value(out, &row->values[i]);
    }
    sf_strbuf_addch(out, ';');
    return out->len < 50;
}

static const struct {
    const char *name, *sql, *want;
} asked[] = {
    { "types", "SELECT 1 AS a, 1.5 AS b, 'x' AS c, NULL AS d, x'00ff' AS e",
      "a=1,b=1.5,c='x',d=null,e=blob2;" },
    { "rows", "SELECT seq FROM events ORDER BY seq", "seq=1;seq=2;seq=3;" },
    { "no rows", "SELECT seq FROM events WHERE 0", "" },
    { "JSON", "SELECT json_extract(data, '$.n') AS n FROM events WHERE seq = 2", "n=2;" },
    { "a table-valued function", "SELECT value FROM json_each('[7,8]')", "value=7;value=8;" },
    { "a common table", "WITH t(x) AS (VALUES (1), (2)) SELECT sum(x) AS s FROM t", "s=3;" },
    { "recursion",
      "WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t WHERE x < 9)"
      " SELECT max(x) AS m FROM t",
      "m=9;" },
    { "the schema", "SELECT count(*) > 20 AS many FROM sqlite_schema", "many=1;" },
    { "a table's columns", "SELECT count(*) AS n FROM pragma_table_info('events')", "n=7;" },
    { "the schema number", "PRAGMA user_version", "user_version=8;" },
    { "a semicolon and a comment behind", "SELECT 1 AS a; -- done\n ; /* really */ ", "a=1;" },
    { "stopped by the caller", "SELECT 'aaaaaaaaaaaaaaaaaaaaaaaa' AS a FROM events, events AS e",
      "a='aaaaaaaaaaaaaaaaaaaaaaaa';a='aaaaaaaaaaaaaaaaaaaaaaaa';" },
    { "an empty blob and text", "SELECT x'' AS a, '' AS b", "a=blob0,b='';" },
};

static void test_answers(void **state)
{
    for (size_t i = 0; i < SF_COUNT(asked); i++) {
        struct sf_strbuf out = SF_STRBUF_INIT;
        struct sf_error err = SF_ERROR_INIT;
        const struct sf_query query = { .sql = asked[i].sql, .row = note, .ctx = &out };

        if (!sf_store_query(*state, &query, &err))
            fail_msg("%s: %s", asked[i].name, err.msg);
        if (strcmp(out.buf, asked[i].want) != 0)
            fail_msg("%s: got %s", asked[i].name, out.buf);
        sf_strbuf_release(&out);
    }
}

static const struct {
    const char *name, *sql;
    enum sf_errc code;
} refused[] = {
    { "insert", "INSERT INTO tasks (id) VALUES ('x')", SF_E_ARG },
    { "update", "UPDATE sessions SET title = 'x'", SF_E_ARG },
    { "delete", "DELETE FROM sessions", SF_E_ARG },
    { "replace", "REPLACE INTO sessions (id) VALUES ('x')", SF_E_ARG },
    { "delete behind a common table", "WITH t AS (SELECT 1) DELETE FROM events", SF_E_ARG },
    { "returning", "DELETE FROM events RETURNING id", SF_E_ARG },
    { "create", "CREATE TABLE x (y)", SF_E_ARG },
    { "create temporary", "CREATE TEMP TABLE x (y)", SF_E_ARG },
    { "create view", "CREATE TEMP VIEW x AS SELECT 1", SF_E_ARG },
    { "virtual table", "CREATE VIRTUAL TABLE x USING fts5(y)", SF_E_ARG },
    { "drop", "DROP TABLE events", SF_E_ARG },
    { "alter", "ALTER TABLE events ADD COLUMN x", SF_E_ARG },
    { "attach", "ATTACH 'other.db' AS o", SF_E_ARG },
    { "attach in memory", "ATTACH ':memory:' AS o", SF_E_ARG },
    { "detach", "DETACH main", SF_E_ARG },
    { "vacuum", "VACUUM", SF_E_ARG },
    { "vacuum into", "VACUUM INTO 'copy.db'", SF_E_ARG },
    { "writable schema", "PRAGMA writable_schema=ON", SF_E_ARG },
    { "journal mode", "PRAGMA journal_mode=DELETE", SF_E_ARG },
    { "query only", "PRAGMA query_only=OFF", SF_E_ARG },
    { "setting the schema number", "PRAGMA user_version=8", SF_E_ARG },
    { "temp directory", "PRAGMA temp_store_directory='/'", SF_E_ARG },
    { "a long pragma as a table", "SELECT * FROM pragma_integrity_check", SF_E_ARG },
    { "begin", "BEGIN IMMEDIATE", SF_E_ARG },
    { "savepoint", "SAVEPOINT x", SF_E_ARG },
    { "analyze", "ANALYZE", SF_E_ARG },
    { "reindex", "REINDEX", SF_E_ARG },
    { "extension", "SELECT load_extension('/tmp/x.so')", SF_E_ARG },
    { "tokenizer", "SELECT fts3_tokenizer('simple', x'00')", SF_E_ARG },
    { "explain insert", "EXPLAIN INSERT INTO tasks (id) VALUES ('x')", SF_E_ARG },
    { "two statements", "SELECT 1; SELECT 2", SF_E_ARG },
    { "a second one that writes", "SELECT 1; DELETE FROM events", SF_E_ARG },
    { "a second one that is broken", "SELECT 1; SELEC", SF_E_ARG },
    { "nothing", "", SF_E_ARG },
    { "only a comment", "-- nothing", SF_E_ARG },
    { "changing the schema", "UPDATE sqlite_schema SET sql = ''", SF_E_SYNTAX },
    { "changing the schema by its old name", "UPDATE sqlite_master SET sql = ''", SF_E_SYNTAX },
    { "broken", "SELEC 1", SF_E_SYNTAX },
    { "no such table", "SELECT * FROM nothing", SF_E_SYNTAX },
    { "no such function", "SELECT writefile('x', 'y')", SF_E_SYNTAX },
    { "an open quote", "SELECT 'abc", SF_E_SYNTAX },
    { "a double-quoted string", "SELECT \"abc\"", SF_E_SYNTAX },
    { "too large a value", "SELECT randomblob(100000000)", SF_E_LIMIT },
    { "too large a text", "SELECT hex(zeroblob(60000000))", SF_E_LIMIT },
};

static void test_refusals(void **state)
{
    char before[SF_SHA256_HEX + 1], after[SF_SHA256_HEX + 1];

    test_store_digest(*state, "sf.db", before);
    for (size_t i = 0; i < SF_COUNT(refused); i++) {
        struct sf_strbuf out = SF_STRBUF_INIT;
        struct sf_error err = SF_ERROR_INIT;
        const struct sf_query query = { .sql = refused[i].sql, .row = note, .ctx = &out };

        if (sf_store_query(*state, &query, &err))
            fail_msg("%s: allowed, gave %s", refused[i].name, out.buf);
        if (err.code != refused[i].code)
            fail_msg("%s: code %d, %s", refused[i].name, err.code, err.msg);
        if (out.len)
            fail_msg("%s: gave a row", refused[i].name);
        sf_strbuf_release(&out);
    }
    test_store_digest(*state, "sf.db", after);
    assert_string_equal(before, after);
    assert_int_equal(access("other.db", F_OK), -1);
    assert_int_equal(access("copy.db", F_OK), -1);
}

static const struct {
    const char *sql, *want;
} reasons[] = {
    { "DELETE FROM events", "anything but SELECT is not allowed here" },
    { "BEGIN IMMEDIATE", "anything but SELECT is not allowed here" },
    { "PRAGMA journal_mode=DELETE", "this PRAGMA is not allowed here" },
    { "SELECT load_extension('/tmp/x.so')", "this function is not allowed here" },
};

static void test_reasons(void **state)
{
    for (size_t i = 0; i < SF_COUNT(reasons); i++) {
        const struct sf_query query = { .sql = reasons[i].sql, .row = note };
        struct sf_error err = SF_ERROR_INIT;

        assert_false(sf_store_query(*state, &query, &err));
        assert_string_equal(err.msg, reasons[i].want);
    }
}

#define ENDLESS                                                       \
    "WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t)" \
    " SELECT count(*) FROM t"
#define BOUNDLESS                                                     \
    "WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t)" \
    " SELECT x, zeroblob(1000000) AS z FROM t ORDER BY -x"

static bool stop_third(void *ctx)
{
    return ++*(int *)ctx == 3;
}

static bool ignore(const struct sf_query_row *row, void *ctx)
{
    (void)row;
    (void)ctx;
    return true;
}

static void test_endless(void **state)
{
    struct sf_query query = { .sql = ENDLESS, .timeout_ms = 50, .row = ignore };
    struct sf_error err = SF_ERROR_INIT;
    int asked_to_stop = 0;

    assert_false(sf_store_query(*state, &query, &err));
    assert_int_equal(err.code, SF_E_TIMEOUT);
    query.timeout_ms = 0;
    query.stop = stop_third;
    query.ctx = &asked_to_stop;
    assert_false(sf_store_query(*state, &query, &err));
    assert_int_equal(err.code, SF_E_CANCELLED);
    assert_int_equal(asked_to_stop, 3);
}

static void test_boundless(void **state)
{
    const struct sf_query query = { .sql = BOUNDLESS, .row = ignore };
    struct sf_error err = SF_ERROR_INIT;

    assert_false(sf_store_query(*state, &query, &err));
    assert_int_equal(err.code, SF_E_LIMIT);
}

static void test_no_store(void **state)
{
    const struct sf_query query = { .sql = "SELECT 1", .row = ignore };
    char *dir = test_path(*state, "none");
    struct sf_error err = SF_ERROR_INIT;

    assert_false(sf_store_query(dir, &query, &err));
    assert_int_equal(err.code, SF_E_NOENT);
    assert_int_equal(access(dir, F_OK), -1);
    free(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_answers, setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_refusals, setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_reasons, setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_endless, setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_boundless, setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_no_store, setup, test_dir_teardown),
    };

    test_use_memory();
    return cmocka_run_group_tests_name("query", tests, NULL, NULL);
}
