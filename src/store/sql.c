/*
 * sql.c: connections, waiting and errors. SQLite's own timeout does not cover every kind of busy,
 * so waiting happens here, in short sleeps of random length, and operations for which SQLite does
 * not call the busy handler are retried.
 */
#include "store/sql.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"

/* Messages for result codes. The first matching row wins; number 0 matches any errno. */
static const struct meaning {
    int rc; /* primary or extended */
    int number;
    enum sf_errc code;
    const char *text;
    const char *hint;
} meanings[] = {
#define HINT_FULL     "free some space and repeat; nothing stored so far is lost"
#define HINT_READONLY "make the directory writable, or set SF_HOME to another one"
#define HINT_BUSY     "end the sf that holds it, or wait, then repeat"
    { SQLITE_FULL, 0, SF_E_FULL, "no space left", HINT_FULL },
    { SQLITE_IOERR, ENOSPC, SF_E_FULL, "no space left", HINT_FULL },
    { SQLITE_IOERR, EDQUOT, SF_E_FULL, "the disk quota is used up", HINT_FULL },
    { SQLITE_IOERR, EFBIG, SF_E_FULL, "the file may not grow any more", HINT_FULL },
    { SQLITE_CANTOPEN, ENOSPC, SF_E_FULL, "no space left", HINT_FULL },
    { SQLITE_CANTOPEN, EDQUOT, SF_E_FULL, "the disk quota is used up", HINT_FULL },
    { SQLITE_READONLY_DBMOVED, 0, SF_E_IO, "it was moved or deleted while in use",
      "start sf again" },
    { SQLITE_READONLY, 0, SF_E_READONLY, "it cannot be written", HINT_READONLY },
    { SQLITE_PERM, 0, SF_E_READONLY, "permission denied", HINT_READONLY },
    { SQLITE_IOERR, EROFS, SF_E_READONLY, "read-only file system", HINT_READONLY },
    { SQLITE_CANTOPEN, EROFS, SF_E_READONLY, "read-only file system", HINT_READONLY },
    { SQLITE_CANTOPEN, EACCES, SF_E_READONLY, "permission denied", HINT_READONLY },
    { SQLITE_CANTOPEN, EPERM, SF_E_READONLY, "permission denied", HINT_READONLY },
    { SQLITE_BUSY, 0, SF_E_BUSY, "another process has held it for 30 seconds", HINT_BUSY },
    { SQLITE_LOCKED, 0, SF_E_BUSY, "another process has held it for 30 seconds", HINT_BUSY },
    { SQLITE_PROTOCOL, 0, SF_E_BUSY, "other processes keep it busy", HINT_BUSY },
    { SQLITE_NOMEM, 0, SF_E_LIMIT, "out of memory", "" },
    { SQLITE_TOOBIG, 0, SF_E_LIMIT, "the text is too long for one record", "" },
    { SQLITE_INTERRUPT, 0, SF_E_CANCELLED, "interrupted", "" },
};

bool sf_sql_damaged(const char *path, const char *why, struct sf_error *err)
{
    sf_fail(err, SF_E_DAMAGED, "%s is damaged%s%s%s", path, why ? " (" : "", why ? why : "",
            why ? ")" : "");
    return sf_hint(err, "run `sf store recover`: it sets the damaged file aside and saves what can "
                        "be read");
}

static bool is_damage(int rc)
{
    int primary = rc & 0xff;

    return primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB || primary == SQLITE_FORMAT ||
           rc == SQLITE_IOERR_SHORT_READ || rc == SQLITE_IOERR_CORRUPTFS || rc == SQLITE_IOERR_DATA;
}

static bool fail_meaning(const char *path, const struct meaning *m, struct sf_error *err)
{
    sf_fail(err, m->code, "cannot use %s: %s", path, m->text);
    return sf_hint(err, "%s", m->hint);
}

static int ask_errno(sqlite3 *db, int which)
{
    sqlite3_file *file = NULL;
    int number = 0;

    if (sqlite3_file_control(db, "main", which, &file) == SQLITE_OK && file && file->pMethods)
        file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &number);
    return number;
}

/* The errno of the connection is often overwritten; its files remember theirs. */
static int find_errno(sqlite3 *db, int rc)
{
    int number = 0;

    if (db && (rc & 0xff) == SQLITE_IOERR)
        number = ask_errno(db, SQLITE_FCNTL_JOURNAL_POINTER);
    if (!number && db && (rc & 0xff) == SQLITE_IOERR)
        number = ask_errno(db, SQLITE_FCNTL_FILE_POINTER);
    return number || !db ? number : sqlite3_system_errno(db);
}

bool sf_sql_fail(const struct sf_sql *sql, int rc, struct sf_error *err)
{
    int number = find_errno(sql->db, rc);

    if (is_damage(rc)) {
        /* A checkpoint on close would mix the log, which may be intact, into the damaged file. */
        if (sql->db)
            sqlite3_db_config(sql->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
        return sf_sql_damaged(sql->path, NULL, err);
    }
    for (size_t i = 0; i < SF_COUNT(meanings); i++) {
        const struct meaning *m = &meanings[i];

        if ((m->rc == rc || m->rc == (rc & 0xff)) && (!m->number || m->number == number))
            return fail_meaning(sql->path, m, err);
    }
    if ((rc & 0xff) == SQLITE_CONSTRAINT)
        return sf_fail(err, SF_E_ARG, "the store refuses this record: %s", sqlite3_errmsg(sql->db));
    errno = number;
    if (number && ((rc & 0xff) == SQLITE_IOERR || (rc & 0xff) == SQLITE_CANTOPEN))
        return sf_fail_errno(err, "cannot use %s", sql->path);
    return sf_fail(err, SF_E_IO, "cannot use %s: %s", sql->path,
                   sql->db ? sqlite3_errmsg(sql->db) : sqlite3_errstr(rc));
}

/* xorshift: good enough to keep two waiting processes out of step. */
static uint64_t draw(struct sf_sql *sql)
{
    sql->lot ^= sql->lot << 13;
    sql->lot ^= sql->lot >> 7;
    sql->lot ^= sql->lot << 17;
    return sql->lot;
}

/* Sleeps 0.1 to about 5 ms, longer the longer the wait; false after the deadline. */
static bool wait_a_little(struct sf_sql *sql, int round)
{
    int64_t now = sf_clock_monotonic_ms();
    long ceiling = (round < 16 ? round + 1 : 16) * 300000L;
    struct timespec span = { 0, 100000L };

    if (round == 0)
        sql->patient_til = now + SF_STORE_PATIENCE_MS;
    else if (now >= sql->patient_til)
        return false;
    span.tv_nsec += (long)(draw(sql) % (uint64_t)ceiling);
    nanosleep(&span, NULL);
    return true;
}

static int on_busy(void *ctx, int round)
{
    return wait_a_little(ctx, round);
}

/*
 * The schema may only call functions marked as innocuous, and SQLite 3.40 does not mark its own
 * json_valid() as such. This one is marked, and parses as strictly as the rest of sf. (VACUUM
 * needs SQLite's own functions and is therefore not available on these connections.)
 */
static void json_valid(sqlite3_context *ctx, int count, sqlite3_value **args)
{
    const struct sf_json_limits limits = { .depth = SF_JSON_DEPTH_MAX };
    struct sf_error ignored = SF_ERROR_INIT;
    const char *text = (const char *)sqlite3_value_text(args[0]);
    struct sf_json *json;

    (void)count;
    if (!text)
        return;
    json = sf_json_parse(text, (size_t)sqlite3_value_bytes(args[0]), &limits, &ignored);
    sqlite3_result_int(ctx, json != NULL);
    sf_json_free(json);
}

static bool add_functions(struct sf_sql *sql, struct sf_error *err)
{
    static const struct {
        const char *name;
        int args;
        void (*call)(sqlite3_context *ctx, int count, sqlite3_value **args);
    } functions[] = { { "json_valid", 1, json_valid }, { "event_words", 2, sf_sql_event_words } };

    for (size_t i = 0; i < SF_COUNT(functions); i++) {
        int rc = sqlite3_create_function(sql->db, functions[i].name, functions[i].args,
                                         SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                                         NULL, functions[i].call, NULL, NULL);

        if (rc != SQLITE_OK)
            return sf_sql_fail(sql, rc, err);
    }
    return true;
}

static bool configure(struct sf_sql *sql, struct sf_error *err)
{
    static const struct {
        int option, value;
    } options[] = {
        { SQLITE_DBCONFIG_DEFENSIVE, 1 },
        { SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0 },
        { SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0 },
        { SQLITE_DBCONFIG_ENABLE_FKEY, 1 },
        { SQLITE_DBCONFIG_ENABLE_TRIGGER, 1 },
        { SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1 },
        { SQLITE_DBCONFIG_DQS_DML, 0 },
        { SQLITE_DBCONFIG_DQS_DDL, 0 },
    };

    for (size_t i = 0; i < SF_COUNT(options); i++) {
        int rc = sqlite3_db_config(sql->db, options[i].option, options[i].value, NULL);

        if (rc != SQLITE_OK)
            return sf_sql_fail(sql, rc, err);
    }
    if (!add_functions(sql, err))
        return false;
    sqlite3_busy_handler(sql->db, on_busy, sql);
    /* With recursive triggers, REPLACE cannot delete an event without firing the trigger. */
    return sf_sql_exec(sql,
                       "PRAGMA mmap_size=0; PRAGMA temp_store=MEMORY; PRAGMA recursive_triggers=ON;"
                       "PRAGMA cell_size_check=ON",
                       err);
}

/* Makes file:///path?immutable=1, with special characters as %XX. */
static void add_uri(struct sf_strbuf *out, const char *path)
{
    sf_strbuf_adds(out, "file://");
    for (const char *p = path; *p; p++) {
        unsigned char c = (unsigned char)*p;

        if (isalnum(c) || strchr("/-_.~", c))
            sf_strbuf_addch(out, *p);
        else
            sf_strbuf_addf(out, "%%%02x", c);
    }
    sf_strbuf_adds(out, "?immutable=1");
}

bool sf_sql_open(struct sf_sql *sql, const char *path, enum sf_sql_open how, struct sf_error *err)
{
    int flags = how == SF_SQL_WRITE ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY;
    struct sf_strbuf uri = SF_STRBUF_INIT;
    bool ok = false;
    int rc;

    *sql = (struct sf_sql){ .path = sf_strdup(path) };
    sql->lot = (uint64_t)getpid() << 32 ^ (uint64_t)sf_clock_wall_ms() ^ (uintptr_t)sql ^ 1;
    flags |= SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE;
    if (how == SF_SQL_IMMUTABLE) {
        flags |= SQLITE_OPEN_URI;
        add_uri(&uri, path);
    } else {
        sf_strbuf_adds(&uri, path);
    }
    rc = sqlite3_open_v2(uri.buf, &sql->db, flags, NULL);
    ok = rc == SQLITE_OK ? configure(sql, err) : sf_sql_fail(sql, rc, err);
    if (!ok)
        sf_sql_close(sql);
    sf_strbuf_release(&uri);
    return ok;
}

void sf_sql_close(struct sf_sql *sql)
{
    while (sql->kept_count)
        sqlite3_finalize(sql->kept[--sql->kept_count]);
    sqlite3_close(sql->db);
    free(sql->path);
    *sql = (struct sf_sql){ 0 };
}

bool sf_sql_exec(struct sf_sql *sql, const char *text, struct sf_error *err)
{
    int rc = sqlite3_exec(sql->db, text, NULL, NULL, NULL);

    return rc == SQLITE_OK || sf_sql_fail(sql, rc, err);
}

sqlite3_stmt *sf_sql_prepare(struct sf_sql *sql, const char *text, struct sf_error *err)
{
    sqlite3_stmt *stmt = NULL;
    int rc = sqlite3_prepare_v2(sql->db, text, -1, &stmt, NULL);

    if (rc != SQLITE_OK)
        sf_sql_fail(sql, rc, err);
    return stmt;
}

sqlite3_stmt *sf_sql_cached(struct sf_sql *sql, sqlite3_stmt **slot, const char *text,
                            struct sf_error *err)
{
    sqlite3_stmt *stmt = *slot;
    int rc;

    if (stmt)
        return stmt;
    assert(sql->kept_count < SF_SQL_KEPT);
    rc = sqlite3_prepare_v3(sql->db, text, -1, SQLITE_PREPARE_PERSISTENT, slot, NULL);
    if (rc == SQLITE_OK)
        sql->kept[sql->kept_count++] = *slot;
    else
        sf_sql_fail(sql, rc, err);
    return *slot;
}

bool sf_sql_int(struct sf_sql *sql, const char *text, int64_t *out, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(sql, text, err) };
    bool row = false, ok;

    *out = 0;
    ok = b.stmt && sf_sql_step(sql, &b, &row, err);
    if (row)
        *out = sqlite3_column_int64(b.stmt, 0);
    sqlite3_finalize(b.stmt);
    return ok;
}

static void note(struct sf_sql_bind *b, int rc)
{
    if (b->rc == SQLITE_OK)
        b->rc = rc;
}

void sf_sql_bind_text(struct sf_sql_bind *b, const char *text)
{
    if (text)
        sf_sql_bind_bytes(b, text, strlen(text));
    else
        note(b, sqlite3_bind_null(b->stmt, ++b->at));
}

void sf_sql_bind_bytes(struct sf_sql_bind *b, const char *text, size_t len)
{
    note(b, sqlite3_bind_text64(b->stmt, ++b->at, text, len, SQLITE_STATIC, SQLITE_UTF8));
}

void sf_sql_bind_int(struct sf_sql_bind *b, int64_t value)
{
    note(b, sqlite3_bind_int64(b->stmt, ++b->at, value));
}

bool sf_sql_step(struct sf_sql *sql, const struct sf_sql_bind *b, bool *row, struct sf_error *err)
{
    int rc = b->rc == SQLITE_OK ? sqlite3_step(b->stmt) : b->rc;

    *row = rc == SQLITE_ROW;
    if (*row)
        return true;
    if (rc != SQLITE_DONE)
        sf_sql_fail(sql, rc, err);
    sqlite3_reset(b->stmt);
    return rc == SQLITE_DONE;
}

bool sf_sql_run(struct sf_sql *sql, const struct sf_sql_bind *b, struct sf_error *err)
{
    bool row = true, ok = true;

    while (ok && row)
        ok = sf_sql_step(sql, b, &row, err);
    return ok;
}

const char *sf_sql_column_text(sqlite3_stmt *stmt, int column)
{
    const unsigned char *text = sqlite3_column_text(stmt, column);

    return text ? (const char *)text : "";
}

const char *sf_sql_column_bytes(sqlite3_stmt *stmt, int column, size_t *len)
{
    const unsigned char *text = sqlite3_column_text(stmt, column);

    *len = text ? (size_t)sqlite3_column_bytes(stmt, column) : 0;
    return text ? (const char *)text : "";
}

/* SQLite does not always call the handler, for instance while another process recovers the log. */
static bool worth_repeating(int rc)
{
    int primary = rc & 0xff;

    return primary == SQLITE_BUSY || primary == SQLITE_LOCKED || primary == SQLITE_PROTOCOL;
}

static bool begin_waiting(struct sf_sql *sql, struct sf_error *err)
{
    sqlite3_stmt *stmt = sf_sql_cached(sql, &sql->begin, "BEGIN IMMEDIATE", err);
    int64_t give_up = sf_clock_monotonic_ms() + SF_STORE_PATIENCE_MS;
    int rc;

    if (!stmt)
        return false;
    for (int round = 0;; round++) {
        rc = sqlite3_step(stmt);
        sqlite3_reset(stmt);
        if (!worth_repeating(rc) || sf_clock_monotonic_ms() >= give_up)
            break;
        wait_a_little(sql, round);
    }
    return rc == SQLITE_DONE || sf_sql_fail(sql, rc, err);
}

bool sf_sql_begin(struct sf_sql *sql, struct sf_error *err)
{
    if (sql->held)
        return sf_sql_exec(sql, "SAVEPOINT inner", err);
    return begin_waiting(sql, err);
}

bool sf_sql_commit(struct sf_sql *sql, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = NULL };

    if (sql->held)
        return sf_sql_exec(sql, "RELEASE inner", err);
    b.stmt = sf_sql_cached(sql, &sql->commit, "COMMIT", err);
    if (b.stmt && sf_sql_run(sql, &b, err))
        return true;
    sf_sql_rollback(sql);
    return false;
}

void sf_sql_rollback(struct sf_sql *sql)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_sql_bind b = { .stmt = NULL };

    if (sql->held) { /* this fails harmlessly if an error has ended the whole transaction */
        (void)!sf_sql_exec(sql, "ROLLBACK TO inner; RELEASE inner", &ignored);
        return;
    }
    b.stmt = sf_sql_cached(sql, &sql->rollback, "ROLLBACK", &ignored);
    /* Some errors roll back by themselves; rolling back again would be an error. */
    if (b.stmt && !sqlite3_get_autocommit(sql->db) && !sf_sql_run(sql, &b, &ignored))
        sqlite3_reset(b.stmt);
}
