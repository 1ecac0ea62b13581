/*
 * salvage.c: copies whatever can be read from a damaged database. Tables are walked by rowid. When
 * the walk fails, the next readable rowid is searched in growing steps and then narrowed down, so
 * that a bad page costs only its own rows. The target's constraints decide whether a row is valid.
 */
#include "store/internal.h"
#include "store/schema.h"

struct copy {
    struct sf_sql *from, *to;
    sqlite3_stmt *read, *probe, *write;
    int columns;
    struct sf_store_tally *tally;
};

enum walk { WALK_DONE, WALK_BROKEN, WALK_FAILED };

static bool has_column(struct sf_sql *sql, const char *table, const char *column)
{
    return sqlite3_table_column_metadata(sql->db, "main", table, column, NULL, NULL, NULL, NULL,
                                         NULL) == SQLITE_OK;
}

/* The columns that both sides have: "a, b, c", and as many placeholders "?, ?, ?". */
static bool list_columns(struct copy *c, const char *table, struct sf_strbuf *names,
                         struct sf_strbuf *marks, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(c->to, "SELECT name FROM pragma_table_info(?1)",
                                                    err) };
    bool row = true, ok = b.stmt != NULL;

    if (ok)
        sf_sql_bind_text(&b, table);
    while (ok && row) {
        const char *name;

        ok = sf_sql_step(c->to, &b, &row, err);
        name = ok && row ? sf_sql_column_text(b.stmt, 0) : "";
        if (!ok || !row || !has_column(c->from, table, name))
            continue;
        sf_strbuf_addf(names, "%s%s", c->columns ? ", " : "", name);
        sf_strbuf_adds(marks, c->columns ? ", ?" : "?");
        c->columns++;
    }
    sqlite3_finalize(b.stmt);
    return ok;
}

static bool prepare(struct copy *c, const char *table, struct sf_error *err)
{
    struct sf_strbuf names = SF_STRBUF_INIT, marks = SF_STRBUF_INIT, text = SF_STRBUF_INIT;
    struct sf_error ignored = SF_ERROR_INIT;
    bool ok = list_columns(c, table, &names, &marks, err);

    if (!ok || !c->columns)
        goto out;
    sf_strbuf_addf(&text, "INSERT OR IGNORE INTO %s (%s) VALUES (%s)", table, names.buf, marks.buf);
    c->write = sf_sql_prepare(c->to, text.buf, err);
    ok = c->write != NULL;
    sf_strbuf_reset(&text);
    sf_strbuf_addf(&text, "SELECT rowid, %s FROM %s NOT INDEXED WHERE rowid >= ?1 ORDER BY rowid",
                   names.buf, table);
    c->read = sf_sql_prepare(c->from, text.buf, &ignored);
    sf_strbuf_reset(&text);
    sf_strbuf_addf(
        &text, "SELECT rowid FROM %s NOT INDEXED WHERE rowid >= ?1 ORDER BY rowid LIMIT 1", table);
    c->probe = sf_sql_prepare(c->from, text.buf, &ignored);
out:
    sf_strbuf_release(&text);
    sf_strbuf_release(&marks);
    sf_strbuf_release(&names);
    return ok;
}

/* Zeroed disk blocks read as NUL bytes, which no text of ours has. */
static bool is_whole(sqlite3_stmt *stmt, int column)
{
    size_t len;
    const char *text;

    if (sqlite3_column_type(stmt, column) != SQLITE_TEXT)
        return true;
    text = sf_sql_column_bytes(stmt, column, &len);
    return !memchr(text, 0, len);
}

static bool copy_row(struct copy *c, struct sf_error *err)
{
    int rc;

    for (int i = 1; i <= c->columns; i++) {
        if (!is_whole(c->read, i)) {
            c->tally->holes = true;
            return true;
        }
        rc = sqlite3_bind_value(c->write, i, sqlite3_column_value(c->read, i));
        if (rc != SQLITE_OK)
            return sf_sql_fail(c->to, rc, err);
    }
    rc = sqlite3_step(c->write);
    if (rc == SQLITE_DONE)
        c->tally->saved += sqlite3_changes(c->to->db);
    else if ((rc & 0xff) == SQLITE_CONSTRAINT)
        c->tally->holes = true;
    else
        sf_sql_fail(c->to, rc, err);
    sqlite3_reset(c->write);
    return rc == SQLITE_DONE || (rc & 0xff) == SQLITE_CONSTRAINT;
}

/* Copies rows from `start` on; `*next` is the rowid after the last row that was read. */
static enum walk copy_from(struct copy *c, int64_t start, int64_t *next, struct sf_error *err)
{
    enum walk result = WALK_DONE;
    int rc;

    *next = start;
    sqlite3_bind_int64(c->read, 1, start);
    while (result == WALK_DONE && (rc = sqlite3_step(c->read)) != SQLITE_DONE) {
        int64_t rowid = sqlite3_column_int64(c->read, 0);

        /* Rows out of order come from a damaged page. */
        if (rc != SQLITE_ROW || rowid < *next || rowid == INT64_MAX)
            result = WALK_BROKEN;
        else if (!copy_row(c, err))
            result = WALK_FAILED;
        else
            *next = rowid + 1;
    }
    sqlite3_reset(c->read);
    return result;
}

static bool is_readable(struct copy *c, int64_t rowid)
{
    bool ok;
    int rc;

    sqlite3_bind_int64(c->probe, 1, rowid);
    rc = sqlite3_step(c->probe);
    ok = rc == SQLITE_DONE || (rc == SQLITE_ROW && sqlite3_column_int64(c->probe, 0) >= rowid);
    sqlite3_reset(c->probe);
    return ok;
}

/* The first rowid from `start` on where reading works again, or -1. */
static int64_t find_readable(struct copy *c, int64_t start)
{
    int64_t bad = start - 1, good = start;

    for (int64_t leap = 1; !is_readable(c, good); leap *= 2) {
        if (leap > INT64_MAX / 4 || good > INT64_MAX - leap)
            return -1;
        bad = good;
        good += leap;
    }
    while (good - bad > 1) {
        int64_t middle = bad + (good - bad) / 2;

        if (is_readable(c, middle))
            good = middle;
        else
            bad = middle;
    }
    return good;
}

static bool copy_table(struct copy *c, struct sf_error *err)
{
    int64_t start = 0, next = 0;
    enum walk result = WALK_BROKEN;

    while (result == WALK_BROKEN && start >= 0) {
        result = copy_from(c, start, &next, err);
        if (result != WALK_BROKEN)
            break;
        c->tally->holes = true;
        /* If no row was read, the row at `start` itself is bad. */
        start = find_readable(c, next > start ? next : start + 1);
    }
    return result != WALK_FAILED;
}

/* Rows of numbered tables are never deleted, so the last number is the number of rows. */
static int64_t count_ever(struct sf_sql *from, const char *table)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_sql_bind b = {
        .stmt = sf_sql_prepare(from, "SELECT seq FROM sqlite_sequence WHERE name = ?1", &ignored)
    };
    int64_t count = 0;
    bool row = false;

    if (!b.stmt)
        return 0;
    sf_sql_bind_text(&b, table);
    if (sf_sql_step(from, &b, &row, &ignored) && row)
        count = sqlite3_column_int64(b.stmt, 0);
    sqlite3_finalize(b.stmt);
    return count > 0 ? count : 0;
}

static bool salvage_table(struct sf_sql *from, struct sf_sql *to, const char *table,
                          struct sf_store_tally *tally, struct sf_error *err)
{
    struct copy c = { .from = from, .to = to, .tally = tally };
    bool ok = prepare(&c, table, err);

    if (ok && c.read && c.probe)
        ok = copy_table(&c, err);
    else
        tally->holes = true;
    if (!tally->ever)
        tally->ever = count_ever(from, table);
    sqlite3_finalize(c.read);
    sqlite3_finalize(c.probe);
    sqlite3_finalize(c.write);
    return ok;
}

/*
 * Makes SQLite read files that it would otherwise reject: a truncated file, a broken schema. Since
 * no process writes there any more, side files are needed only if there is a log to read.
 */
static bool open_source(struct sf_sql *from, const char *path)
{
    struct sf_strbuf log = SF_STRBUF_INIT;
    struct sf_error ignored = SF_ERROR_INIT;
    bool ok;

    sf_strbuf_addf(&log, "%s-wal", path);
    ok = sf_dbfile_size(path) > 0 &&
         sf_sql_open(from, path, sf_dbfile_size(log.buf) > 0 ? SF_SQL_READ : SF_SQL_IMMUTABLE,
                     &ignored);
    sf_strbuf_release(&log);
    if (!ok)
        return false;
    sqlite3_db_config(from->db, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
    sqlite3_db_config(from->db, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, NULL);
    return true;
}

bool sf_store_salvage(struct sf_sql *to, const char *path, struct sf_store_tally *tallies,
                      struct sf_error *err)
{
    struct sf_sql from = { 0 };
    bool opened = open_source(&from, path);
    bool ok = true;

    for (size_t i = 0; i < sf_store_table_count && ok; i++) {
        if (opened)
            ok = salvage_table(&from, to, sf_store_tables[i].name, &tallies[i], err);
        else
            tallies[i].holes = true;
    }
    sf_sql_close(&from);
    return ok;
}
