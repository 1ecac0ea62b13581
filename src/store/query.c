/*
 * query.c: untrusted SQL. Four barriers, each sufficient against most attacks: the connection is
 * read-only, the authorizer has a short list of permitted actions, only one statement is accepted,
 * and time and memory are limited.
 */
#include <inttypes.h>

#include "store/internal.h"

#define DEFAULT_TIMEOUT_MS 30000
#define STEPS_BETWEEN      5000
#define MEMORY_MAX         (256LL * 1024 * 1024)
#define VALUE_MAX          (64 * 1024 * 1024)

enum outcome { RUNNING, LATE, STOPPED, HEAVY };

struct run {
    const struct sf_query *query;
    struct sf_sql *sql;
    int64_t deadline;
    enum outcome outcome;
    const char *refused; /* what the authorizer refused */
};

/* Pragmas that only read; those marked `bare` would set something if given a value. */
static const struct {
    const char *name;
    bool bare;
} pragmas[] = {
    { "table_info", false },  { "table_xinfo", false },      { "table_list", false },
    { "index_list", false },  { "index_info", false },       { "index_xinfo", false },
    { "user_version", true }, { "foreign_key_list", false },
};

static bool is_harmless_pragma(const char *name, const char *value)
{
    for (size_t i = 0; i < SF_COUNT(pragmas); i++)
        if (!strcmp(pragmas[i].name, name))
            return !pragmas[i].bare || !value;
    return false;
}

static bool is_harmless_function(const char *name)
{
    static const char *const others[] = { "load_extension", "fts3_tokenizer", "readfile",
                                          "writefile", "edit" };

    for (size_t i = 0; i < SF_COUNT(others); i++)
        if (!sqlite3_stricmp(others[i], name))
            return false;
    return true;
}

/* Everything not listed is refused, such as writes, ATTACH, transactions and temporary objects. */
static int authorize(void *ctx, int action, const char *a, const char *b, const char *database,
                     const char *trigger)
{
    struct run *run = ctx;
    /* The first use of json_each() and the like appears as this; real updates fail elsewhere. */
    bool builtin = action == SQLITE_UPDATE && !strcmp(a, "sqlite_master");
    bool ok = builtin || action == SQLITE_SELECT || action == SQLITE_READ ||
              action == SQLITE_RECURSIVE ||
              (action == SQLITE_FUNCTION && is_harmless_function(b)) ||
              (action == SQLITE_PRAGMA && is_harmless_pragma(a, b));

    (void)database;
    (void)trigger;
    if (!ok && !run->refused)
        run->refused = action == SQLITE_FUNCTION ? "this function"
                       : action == SQLITE_PRAGMA ? "this PRAGMA"
                                                 : "anything but SELECT";
    return ok ? SQLITE_OK : SQLITE_DENY;
}

static int watch(void *ctx)
{
    struct run *run = ctx;

    if (sf_clock_monotonic_ms() >= run->deadline)
        run->outcome = LATE;
    else if (run->query->stop && run->query->stop(run->query->ctx))
        run->outcome = STOPPED;
    else if (sqlite3_memory_used() > MEMORY_MAX)
        run->outcome = HEAVY;
    return run->outcome != RUNNING;
}

static bool fail_refused(const struct run *run, struct sf_error *err)
{
    sf_fail(err, SF_E_ARG, "%s is not allowed here", run->refused);
    return sf_hint(err, "one SELECT statement may be given; it reads and never changes the store");
}

static bool fail_run(const struct run *run, int rc, struct sf_error *err)
{
    int primary = rc & 0xff;

    if (run->refused)
        return fail_refused(run, err);
    switch (run->outcome) {
    case LATE:
        sf_fail(err, SF_E_TIMEOUT, "the query took too long");
        return sf_hint(err, "add a LIMIT or a condition on kind or time");
    case STOPPED:
        return sf_fail(err, SF_E_CANCELLED, "the query was cancelled");
    case HEAVY:
        sf_fail(err, SF_E_LIMIT, "the query needs too much memory");
        return sf_hint(err, "add a LIMIT or leave out ORDER BY");
    case RUNNING:
        break;
    }
    if (primary == SQLITE_ERROR || primary == SQLITE_RANGE || primary == SQLITE_MISMATCH)
        return sf_fail(err, SF_E_SYNTAX, "%s", sqlite3_errmsg(run->sql->db));
    return sf_sql_fail(run->sql, rc, err);
}

static void fence(struct run *run)
{
    static const struct {
        int id, value;
    } limits[] = {
        { SQLITE_LIMIT_LENGTH, VALUE_MAX },
        { SQLITE_LIMIT_SQL_LENGTH, 1024 * 1024 },
        { SQLITE_LIMIT_ATTACHED, 0 },
        { SQLITE_LIMIT_WORKER_THREADS, 0 },
        { SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1024 },
    };
    int64_t timeout = run->query->timeout_ms;

    for (size_t i = 0; i < SF_COUNT(limits); i++)
        sqlite3_limit(run->sql->db, limits[i].id, limits[i].value);
    run->deadline = sf_clock_monotonic_ms() + (timeout > 0 ? timeout : DEFAULT_TIMEOUT_MS);
    sqlite3_progress_handler(run->sql->db, STEPS_BETWEEN, watch, run);
    sqlite3_set_authorizer(run->sql->db, authorize, run);
}

static bool prepare(struct run *run, sqlite3_stmt **stmt, struct sf_error *err)
{
    sqlite3_stmt *second = NULL;
    const char *rest = "";
    int rc = sqlite3_prepare_v2(run->sql->db, run->query->sql, -1, stmt, &rest);

    if (rc != SQLITE_OK)
        return fail_run(run, rc, err);
    if (!*stmt)
        return sf_fail(err, SF_E_ARG, "there is no SQL statement to run");
    /* Only whitespace and comments may follow, but no second statement, not even an invalid one. */
    rc = sqlite3_prepare_v2(run->sql->db, rest, -1, &second, NULL);
    sqlite3_finalize(second);
    if (rc != SQLITE_OK || second || !sqlite3_stmt_readonly(*stmt)) {
        run->refused = "more than one statement";
        return fail_refused(run, err);
    }
    return true;
}

static struct sf_query_value read_value(sqlite3_stmt *stmt, int column)
{
    static const enum sf_query_type types[] = {
        [SQLITE_INTEGER] = SF_QUERY_INT, [SQLITE_FLOAT] = SF_QUERY_REAL,
        [SQLITE_TEXT] = SF_QUERY_TEXT,   [SQLITE_BLOB] = SF_QUERY_BLOB,
        [SQLITE_NULL] = SF_QUERY_NULL,
    };
    struct sf_query_value value = { .type = types[sqlite3_column_type(stmt, column)], .bytes = "" };

    if (value.type == SF_QUERY_INT)
        value.integer = sqlite3_column_int64(stmt, column);
    else if (value.type == SF_QUERY_REAL)
        value.real = sqlite3_column_double(stmt, column);
    else if (value.type == SF_QUERY_TEXT)
        value.bytes = sf_sql_column_bytes(stmt, column, &value.len);
    else if (value.type == SF_QUERY_BLOB && sqlite3_column_bytes(stmt, column) > 0) {
        value.bytes = sqlite3_column_blob(stmt, column);
        value.len = (size_t)sqlite3_column_bytes(stmt, column);
    }
    return value;
}

static bool deliver(struct run *run, sqlite3_stmt *stmt, struct sf_error *err)
{
    size_t count = (size_t)sqlite3_column_count(stmt);
    struct sf_query_value *values = sf_alloc_array(count ? count : 1, sizeof(*values));
    const char **names = sf_alloc_array(count ? count : 1, sizeof(*names));
    const struct sf_query_row row = { count, names, values };
    int rc;

    for (size_t i = 0; i < count; i++)
        names[i] = sqlite3_column_name(stmt, (int)i);
    while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
        for (size_t i = 0; i < count; i++)
            values[i] = read_value(stmt, (int)i);
        if (!run->query->row(&row, run->query->ctx))
            break;
    }
    if (rc != SQLITE_DONE && rc != SQLITE_ROW)
        fail_run(run, rc, err);
    free(names);
    free(values);
    return rc == SQLITE_DONE || rc == SQLITE_ROW;
}

bool sf_store_query(const char *dir, const struct sf_query *query, struct sf_error *err)
{
    struct sf_store *store = sf_store_open(dir, SF_STORE_READ, err);
    struct run run = { .query = query };
    sqlite3_stmt *stmt = NULL;
    bool ok;

    if (!store)
        return false;
    run.sql = &store->sql;
    fence(&run);
    ok = prepare(&run, &stmt, err) && deliver(&run, stmt, err);
    sqlite3_finalize(stmt);
    sf_store_close(store);
    return ok;
}
