/*
 * internal: declarations shared by the files of this room only: the open store, the names of its
 * files, and the steps of making, upgrading and recovering it.
 */
#ifndef SF_STORE_INTERNAL_H
#define SF_STORE_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "io/io.h"
#include "store/sql.h"
#include "store/store.h"

/* The paths of everything that may be in the store's directory; all owned. */
struct sf_store_files {
    char *dir; /* real path, so that a later chdir or a changed link does not matter */
    char *db, *wal, *shm, *journal;
    char *lock;
    char *backups;
    char *fresh;      /* a database that is being made; no other process opens it */
    char *recovering; /* exists while a recovery runs or was interrupted */
};

struct sf_store {
    struct sf_sql sql;
    struct sf_store_files files;
    enum sf_store_mode mode;
    int version;
    char warning[256];
    bool walking; /* a callback is running */
    int64_t data_version;
    sqlite3_stmt *schema_number, *touch_session, *insert_event, *insert_decision;
    sqlite3_stmt *insert_partial, *delete_partials, *insert_words;
    sqlite3_stmt *event_range, *event_count, *forked_from;
};

/*
 * The sessions whose events make up a session's history, and up to which number: its own, and those
 * it was forked from. The limit breaks a cycle, which only damage can cause.
 */
#define SF_STORE_LINE(session)                                                                    \
    "WITH RECURSIVE line (id, upto) AS (VALUES (" session ", 9223372036854775807)"                \
    " UNION ALL SELECT s.parent_id, min(line.upto, s.forked_at_seq) FROM line JOIN sessions AS s" \
    " ON s.id = line.id WHERE s.forked_at_seq > 0 LIMIT 10000)"

/* event.c: visits the rows of a statement that selects the columns of events, in their order. */
bool sf_store_walk_events(struct sf_store *store, const struct sf_sql_bind *b, sf_event_fn *fn,
                          void *ctx, struct sf_error *err) SF_MUST_CHECK;

/* files.c */
bool sf_store_files_init(struct sf_store_files *files, const char *dir, enum sf_store_mode mode,
                         struct sf_error *err) SF_MUST_CHECK;
void sf_store_files_release(struct sf_store_files *files);
int64_t sf_dbfile_size(const char *path); /* -1: not there, or not a regular file */
bool sf_dbfile_exists(const char *path);  /* a file of any type */
bool sf_dbfile_sync(const char *path, struct sf_error *err) SF_MUST_CHECK; /* or a directory */

/* Makes a directory that only its owner may enter, whatever the umask; an existing one is kept. */
bool sf_dbdir_make(const char *dir, struct sf_error *err) SF_MUST_CHECK;

/* Makes a new empty file with mode 0600, whatever the umask. */
bool sf_dbfile_make(const char *path, struct sf_error *err) SF_MUST_CHECK;

/* Renames and syncs the directory above `to`; never replaces anything. */
bool sf_dbfile_place(const char *from, const char *to, struct sf_error *err) SF_MUST_CHECK;

/* Removes a database that was never used, with its side files. */
void sf_dbfile_discard(const char *db);

enum { SF_STAMP_MAX = 24 };
void sf_store_stamp(char out[SF_STAMP_MAX]); /* 20261116T050953.123Z, for file names */

/* create.c: makes a complete store in files->fresh, lets `fill` add to it, and puts it in place. */
typedef bool sf_fill_fn(struct sf_sql *sql, void *ctx, struct sf_error *err);
bool sf_store_create(const struct sf_store_files *files, sf_fill_fn *fill, void *ctx,
                     struct sf_error *err) SF_MUST_CHECK;

/* migrate.c: runs the migrations after number `from`; upgrade checks and makes a backup first. */
bool sf_store_apply(struct sf_sql *sql, int from, struct sf_error *err) SF_MUST_CHECK;
bool sf_store_upgrade(struct sf_sql *sql, const struct sf_store_files *files, int from,
                      struct sf_error *err) SF_MUST_CHECK;

/* backup.c: lists the backups that sf made, oldest first; makes another one. */
void sf_store_backup_list(const struct sf_store_files *files, struct sf_strlist *out);
bool sf_store_backup_make(struct sf_sql *sql, const struct sf_store_files *files, int version,
                          struct sf_error *err) SF_MUST_CHECK;

/* check.c: cheap checks of an open connection, which fill *version; then the thorough checks. */
bool sf_store_check_quick(struct sf_sql *sql, const char *wal, int *version,
                          struct sf_error *err) SF_MUST_CHECK;
bool sf_store_check_integrity(struct sf_sql *sql, struct sf_strbuf *report,
                              struct sf_error *err) SF_MUST_CHECK;
bool sf_store_check_all(struct sf_sql *sql, int version, struct sf_strbuf *report,
                        struct sf_error *err) SF_MUST_CHECK;

/*
 * salvage.c: copies every row of `path` that can be read into `to`, table by table; `tallies` has
 * one element per row of sf_store_tables. Only trouble with `to` is an error.
 */
struct sf_store_tally {
    int64_t saved;
    int64_t ever; /* number of rows ever written; 0: unknown */
    bool holes;   /* something could not be read, or was not a valid row */
};
bool sf_store_salvage(struct sf_sql *to, const char *path, struct sf_store_tally *tallies,
                      struct sf_error *err) SF_MUST_CHECK;

/* carve.c: finds events in the raw pages of a file, when the table no longer leads to them. */
bool sf_store_carve_events(struct sf_sql *to, const char *path, int64_t *saved,
                           struct sf_error *err) SF_MUST_CHECK;

/*
 * open.c: opens connections and runs the quick checks; the caller holds store.lock if it can. With
 * SF_SQL_WRITE a reader also sees the constraints, which SQLite omits for SF_SQL_READ; if the
 * directory does not allow one way of opening, the next is tried.
 */
bool sf_store_connect_write(struct sf_sql *sql, const struct sf_store_files *files, int *version,
                            struct sf_error *err) SF_MUST_CHECK;
bool sf_store_connect_read(struct sf_sql *sql, const struct sf_store_files *files,
                           enum sf_sql_open how, int *version, struct sf_error *err) SF_MUST_CHECK;

/* event.c: whether the event may be written. */
bool sf_store_event_ok(const struct sf_event_new *event, struct sf_error *err) SF_MUST_CHECK;

/* Within a transaction of the caller. `later`: the index of words is updated later. */
bool sf_store_event_add(struct sf_store *store, const struct sf_event_new *event, bool later,
                        struct sf_event_ref *out, struct sf_error *err) SF_MUST_CHECK;

/* goal.c: sf_store_goal_count within a transaction of the caller. */
bool sf_store_goal_spend(struct sf_store *store, const char *session, int64_t tokens,
                         int64_t time_ms, struct sf_error *err) SF_MUST_CHECK;

/* session.c: inserts a row, within a transaction of the caller. */
bool sf_store_session_insert(struct sf_store *store, const struct sf_session_new *from,
                             char id[SF_ID_LEN + 1], struct sf_error *err) SF_MUST_CHECK;

/* partial.c: within a transaction of the caller. */
bool sf_store_partial_delete(struct sf_store *store, const char *session,
                             struct sf_error *err) SF_MUST_CHECK;

/*
 * search.c: the index of words. It can always be rebuilt from the events, so a damaged index does
 * not keep an event from being written or the store from being opened.
 */
bool sf_store_words_add(struct sf_store *store, const char *kind, int64_t event, bool later,
                        struct sf_error *err) SF_MUST_CHECK;
void sf_store_words_fill(struct sf_sql *sql); /* indexes waiting events in small batches */
bool sf_store_words_rebuild(struct sf_sql *sql, struct sf_error *err) SF_MUST_CHECK;

/* store.c: begins a write transaction; end it with sf_sql_commit or sf_sql_rollback. */
bool sf_store_begin(struct sf_store *store, struct sf_error *err) SF_MUST_CHECK;

/* Runs one statement in a transaction of its own and finalises it. `changed` may be NULL. */
bool sf_store_run(struct sf_store *store, struct sf_sql_bind *b, int *changed,
                  struct sf_error *err) SF_MUST_CHECK;

#endif
