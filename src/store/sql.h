/*
 * sql: the thinnest layer over SQLite that every file of the store shares. It opens
 * connections with the store's settings, waits for other writers, and turns result codes into
 * errors that name the file and what to do. Internal to the store.
 *
 * Binding is sticky: fill a struct sf_sql_bind value by value, and the first failure is reported
 * when the statement is stepped.
 */
#ifndef SF_STORE_SQL_H
#define SF_STORE_SQL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sqlite3.h>

#include "base/base.h"

/* How long a writer waits for others before it fails with SF_E_BUSY. */
#define SF_STORE_PATIENCE_MS 30000

enum { SF_SQL_KEPT = 16 }; /* prepared statements kept for the life of a connection */

struct sf_sql {
    sqlite3 *db;
    char *path;          /* for messages, owned */
    int64_t patient_til; /* deadline of the current wait */
    uint64_t lot;        /* state of the random jitter */
    sqlite3_stmt *begin, *commit, *rollback;
    bool held; /* a transaction is held open, and those within it are savepoints */
    sqlite3_stmt *kept[SF_SQL_KEPT]; /* made by sf_sql_cached */
    size_t kept_count;
};

enum sf_sql_open {
    SF_SQL_WRITE,     /* the file must exist */
    SF_SQL_READ,      /* side files -wal and -shm may appear, the database does not change */
    SF_SQL_IMMUTABLE, /* touches nothing; only for files that no process writes */
};

/* By default, closing leaves the database and its log as they are, without a checkpoint. */
bool sf_sql_open(struct sf_sql *sql, const char *path, enum sf_sql_open how,
                 struct sf_error *err) SF_MUST_CHECK;
void sf_sql_close(struct sf_sql *sql); /* with all statements; does nothing if not open */

/* Fills `err` for SQLite's `rc` and returns false. */
bool sf_sql_fail(const struct sf_sql *sql, int rc, struct sf_error *err);

/* Fails with the common message for a damaged file; `why` may be NULL. */
bool sf_sql_damaged(const char *path, const char *why, struct sf_error *err);

/* Runs statements and ignores their rows. */
bool sf_sql_exec(struct sf_sql *sql, const char *text, struct sf_error *err) SF_MUST_CHECK;

/* The first column of the first row, as an integer; 0 when there is none. */
bool sf_sql_int(struct sf_sql *sql, const char *text, int64_t *out,
                struct sf_error *err) SF_MUST_CHECK;

/* NULL with `err` filled on failure; finalise with sqlite3_finalize. */
sqlite3_stmt *sf_sql_prepare(struct sf_sql *sql, const char *text, struct sf_error *err);

/* As sf_sql_prepare, for statements kept in `*slot` for the life of the connection. */
sqlite3_stmt *sf_sql_cached(struct sf_sql *sql, sqlite3_stmt **slot, const char *text,
                            struct sf_error *err);

struct sf_sql_bind {
    sqlite3_stmt *stmt;
    int at; /* parameters bound so far */
    int rc;
};

void sf_sql_bind_text(struct sf_sql_bind *b, const char *text); /* NULL binds NULL */
void sf_sql_bind_bytes(struct sf_sql_bind *b, const char *text,
                       size_t len); /* borrowed until reset */
void sf_sql_bind_int(struct sf_sql_bind *b, int64_t value);

/* One step; `*row` says whether there is a row. Resets the statement at the end and on error. */
bool sf_sql_step(struct sf_sql *sql, const struct sf_sql_bind *b, bool *row,
                 struct sf_error *err) SF_MUST_CHECK;

/* For statements without rows. */
bool sf_sql_run(struct sf_sql *sql, const struct sf_sql_bind *b,
                struct sf_error *err) SF_MUST_CHECK;

/* Text of a column; "" for NULL. Borrowed until the next step. */
const char *sf_sql_column_text(sqlite3_stmt *stmt, int column);
const char *sf_sql_column_bytes(sqlite3_stmt *stmt, int column, size_t *len);

/* event_words.c: event_words(kind, data), the text of an event by people and models; NULL: none. */
void sf_sql_event_words(sqlite3_context *ctx, int count, sqlite3_value **args);

/* BEGIN IMMEDIATE, waiting for other writers; then one of the other two. */
bool sf_sql_begin(struct sf_sql *sql, struct sf_error *err) SF_MUST_CHECK;
/* Rolls back on failure. */
bool sf_sql_commit(struct sf_sql *sql, struct sf_error *err) SF_MUST_CHECK;
void sf_sql_rollback(struct sf_sql *sql);

#endif
