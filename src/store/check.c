/*
 * check.c: checks whether a file is a valid store. The quick checks run at every open and touch a
 * few pages; SQLite itself compares the size with the header meanwhile. The thorough ones read
 * everything.
 */
#include <inttypes.h>

#include "store/internal.h"
#include "store/schema.h"

#define VERSION_MAX 9999 /* a higher number means a damaged header */

static bool expect(struct sf_sql *sql, const char *pragma, int64_t want, const char *why,
                   struct sf_error *err)
{
    int64_t value;

    if (!sf_sql_int(sql, pragma, &value, err))
        return false;
    return value == want || sf_sql_damaged(sql->path, why, err);
}

/*
 * SQLite rounds a partial last page up and would read zeros there. While there is a log, pages may
 * still be in it, and the size is meaningless. The size is read through SQLite's own descriptor.
 */
static bool has_all_pages(struct sf_sql *sql, const char *wal, struct sf_error *err)
{
    sqlite3_file *file = NULL;
    sqlite3_int64 size = 0;
    int64_t pages;

    if (!sf_sql_int(sql, "PRAGMA page_count", &pages, err))
        return false;
    if (sf_dbfile_size(wal) > 0)
        return true;
    if (sqlite3_file_control(sql->db, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK ||
        !file || !file->pMethods || file->pMethods->xFileSize(file, &size) != SQLITE_OK)
        return true;
    return size / SF_STORE_PAGE_SIZE >= pages ||
           sf_sql_damaged(sql->path, "its end is missing", err);
}

/* The schema number and the existing tables must agree. */
static bool has_tables(struct sf_sql *sql, int version, struct sf_error *err)
{
    for (size_t i = 0; i < sf_store_table_count; i++) {
        const struct sf_store_table *t = &sf_store_tables[i];
        int rc = sqlite3_table_column_metadata(sql->db, "main", t->name, NULL, NULL, NULL, NULL,
                                               NULL, NULL);

        if (rc != SQLITE_OK && rc != SQLITE_ERROR)
            return sf_sql_fail(sql, rc, err);
        if ((rc == SQLITE_OK) != (t->since <= version))
            return sf_sql_damaged(sql->path, "its tables do not fit its schema number", err);
    }
    return true;
}

static bool look(struct sf_sql *sql, const char *wal, int *version, struct sf_error *err)
{
    int64_t number;

    if (!expect(sql, "PRAGMA application_id", SF_STORE_APPLICATION_ID, "it is not a store of sf",
                err) ||
        !expect(sql, "PRAGMA page_size", SF_STORE_PAGE_SIZE, "its page size is wrong", err) ||
        !has_all_pages(sql, wal, err) || !sf_sql_int(sql, "PRAGMA user_version", &number, err))
        return false;
    if (number < 1 || number > VERSION_MAX)
        return sf_sql_damaged(sql->path, "its schema number is wrong", err);
    *version = (int)number;
    return has_tables(sql, *version, err);
}

bool sf_store_check_quick(struct sf_sql *sql, const char *wal, int *version, struct sf_error *err)
{
    bool ok;

    /* One read transaction for all checks, so that no checkpoint changes the size meanwhile. */
    if (!sf_sql_exec(sql, "BEGIN", err))
        return false;
    ok = look(sql, wal, version, err);
    /* The SQL of these checks is valid, so such an error means that the file is damaged. */
    if (!ok && err->code == SF_E_IO && sqlite3_errcode(sql->db) == SQLITE_ERROR)
        sf_sql_damaged(sql->path, sqlite3_errmsg(sql->db), err);
    sf_sql_rollback(sql);
    return ok;
}

/* Adds the rows of a query that finds faults to the report and counts them. */
static bool list_faults(struct sf_sql *sql, const char *text, struct sf_strbuf *report,
                        size_t *count, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(sql, text, err) };
    bool row = true, ok = b.stmt != NULL;

    while (ok && row) {
        ok = sf_sql_step(sql, &b, &row, err);
        if (!ok || !row || !strcmp(sf_sql_column_text(b.stmt, 0), "ok"))
            continue;
        sf_strbuf_addf(report, "%s\n", sf_sql_column_text(b.stmt, 0));
        ++*count;
    }
    sqlite3_finalize(b.stmt);
    return ok;
}

bool sf_store_check_integrity(struct sf_sql *sql, struct sf_strbuf *report, struct sf_error *err)
{
    static const char *const queries[] = {
        "SELECT integrity_check FROM pragma_integrity_check(50)",
        "SELECT 'row ' || coalesce(\"rowid\", '?') || ' of ' || \"table\" || ' points to a row of '"
        " || parent || ' that is not there' FROM pragma_foreign_key_check LIMIT 50",
    };
    size_t faults = 0;

    for (size_t i = 0; i < SF_COUNT(queries); i++)
        if (!list_faults(sql, queries[i], report, &faults, err))
            return false;
    return !faults || sf_sql_damaged(sql->path, NULL, err);
}

/*
 * The numbers of a fork continue those of its parent. Gaps before a recovery were reported then,
 * and are only mentioned.
 */
#define GAPS                                                                     \
    "SELECT 'session ' || session_id || ' lacks event ' || (before + 1) ||"      \
    " CASE WHEN seq > before + 2 THEN ' to ' || (seq - 1) ELSE '' END FROM ("    \
    "SELECT e.id, session_id, seq, lag(seq, 1, coalesce(forked_at_seq, 0)) OVER" \
    " (PARTITION BY session_id ORDER BY seq) AS before"                          \
    " FROM events AS e LEFT JOIN sessions AS s ON s.id = session_id)"            \
    " WHERE seq <> before + 1 AND id %s"                                         \
    " (SELECT coalesce(max(id), 0) FROM events WHERE kind = 'store.recovered') LIMIT 50"

/* SQLite's own check does not cover the index of words; this query shows whether it opens. */
#define INDEX "SELECT 'never' FROM words WHERE words MATCH 'a' AND rowid < 0"

bool sf_store_check_all(struct sf_sql *sql, int version, struct sf_strbuf *report,
                        struct sf_error *err)
{
    size_t faults = 0, known = 0;
    char query[sizeof(GAPS) + 8];

    if (!sf_store_check_integrity(sql, report, err))
        return false;
    if (version < 2)
        return true;
    if (version >= 6 && !list_faults(sql, INDEX, report, &faults, err))
        return false;
    snprintf(query, sizeof(query), GAPS, "<");
    if (!list_faults(sql, query, report, &known, err))
        return false;
    snprintf(query, sizeof(query), GAPS, ">");
    return list_faults(sql, query, report, &faults, err) &&
           (!faults || sf_sql_damaged(sql->path, "events are missing", err));
}

bool sf_store_check(const char *dir, struct sf_strbuf *report, struct sf_error *err)
{
    struct sf_sql sql = { 0 };
    struct sf_store_files files;
    int version = 0;
    bool ok = sf_store_files_init(&files, dir, SF_STORE_READ, err) &&
              sf_store_connect_read(&sql, &files, SF_SQL_WRITE, &version, err) &&
              sf_store_check_all(&sql, version, report, err);

    sf_sql_close(&sql);
    sf_store_files_release(&files);
    return ok;
}
