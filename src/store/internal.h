/*
 * internal: what the files of the store share with each other alone: the open
 * store, the names of its files, and the steps of making, upgrading and saving it.
 */
#ifndef SF_STORE_INTERNAL_H
#define SF_STORE_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "io/io.h"
#include "store/sql.h"
#include "store/store.h"

/* Everything that may lie in the store's directory; all owned. */
struct sf_store_files {
    char *dir; /* real path, so that a later chdir or a changed link does not matter */
    char *db, *wal, *shm, *journal;
    char *lock;
    char *backups;
    char *fresh;      /* a database in the making; never opened by anybody else */
    char *recovering; /* exists while a recovery is under way or was interrupted */
};

struct sf_store {
    struct sf_sql sql;
    struct sf_store_files files;
    enum sf_store_mode mode;
    int version;
    char warning[256];
    bool walking; /* a callback runs */
    int64_t data_version;
    sqlite3_stmt *schema_number, *touch_session, *insert_event, *insert_decision;
    sqlite3_stmt *insert_partial, *delete_partials, *insert_words;
    sqlite3_stmt *event_range, *event_count, *forked_from;
};

/*
 * Whose events a session's history is made of, and up to which number: its own, and those it
 * shares with what it was forked from. The limit ends a circle, which only damage can make.
 */
#define SF_STORE_LINE(session)                                                                    \
    "WITH RECURSIVE line (id, upto) AS (VALUES (" session ", 9223372036854775807)"                \
    " UNION ALL SELECT s.parent_id, min(line.upto, s.forked_at_seq) FROM line JOIN sessions AS s" \
    " ON s.id = line.id WHERE s.forked_at_seq > 0 LIMIT 10000)"

/* event.c: what a statement gives that selects what events have, in this order. */
bool sf_store_walk_events(struct sf_store *store, const struct sf_sql_bind *b, sf_event_fn *fn,
                          void *ctx, struct sf_error *err) SF_MUST_CHECK;

/* files.c */
bool sf_store_files_init(struct sf_store_files *files, const char *dir, enum sf_store_mode mode,
                         struct sf_error *err) SF_MUST_CHECK;
void sf_store_files_release(struct sf_store_files *files);
int64_t sf_dbfile_size(const char *path); /* -1: not there, or not a regular file */
bool sf_dbfile_exists(const char *path);  /* of any kind */
bool sf_dbfile_sync(const char *path, struct sf_error *err) SF_MUST_CHECK; /* directories too */

/* A directory that only its owner may enter, whatever the umask says; existing ones stay. */
bool sf_dbdir_make(const char *dir, struct sf_error *err) SF_MUST_CHECK;

/* A new empty file, 0600 whatever the umask says. */
bool sf_dbfile_make(const char *path, struct sf_error *err) SF_MUST_CHECK;

/* Renames and syncs the directory above `to`; never replaces anything. */
bool sf_dbfile_place(const char *from, const char *to, struct sf_error *err) SF_MUST_CHECK;

/* Removes a database of ours that never came into use, with its side files. */
void sf_dbfile_discard(const char *db);

enum { SF_STAMP_MAX = 24 };
void sf_store_stamp(char out[SF_STAMP_MAX]); /* 20261116T050953.123Z, for names of files */

/* create.c: makes files->fresh into a complete store, lets `fill` add to it, puts it in place. */
typedef bool sf_fill_fn(struct sf_sql *sql, void *ctx, struct sf_error *err);
bool sf_store_create(const struct sf_store_files *files, sf_fill_fn *fill, void *ctx,
                     struct sf_error *err) SF_MUST_CHECK;

/* migrate.c: the migrations after number `from`; with a check and a backup first for upgrade. */
bool sf_store_apply(struct sf_sql *sql, int from, struct sf_error *err) SF_MUST_CHECK;
bool sf_store_upgrade(struct sf_sql *sql, const struct sf_store_files *files, int from,
                      struct sf_error *err) SF_MUST_CHECK;

/* backup.c: the names in files->backups that sf gave, oldest first; and one more of them. */
void sf_store_backup_list(const struct sf_store_files *files, struct sf_strlist *out);
bool sf_store_backup_make(struct sf_sql *sql, const struct sf_store_files *files, int version,
                          struct sf_error *err) SF_MUST_CHECK;

/* check.c: cheap tests of an open connection; fills *version. Then the thorough ones. */
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
    int64_t ever; /* rows there ever were, 0: not known */
    bool holes;   /* something could not be read, or was no valid row */
};
bool sf_store_salvage(struct sf_sql *to, const char *path, struct sf_store_tally *tallies,
                      struct sf_error *err) SF_MUST_CHECK;

/* carve.c: finds events in the raw pages of a file, where no table leads to them any more. */
bool sf_store_carve_events(struct sf_sql *to, const char *path, int64_t *saved,
                           struct sf_error *err) SF_MUST_CHECK;

/*
 * open.c: connections that passed the quick checks; the caller holds store.lock if it can. With
 * SF_SQL_WRITE a reader sees the constraints too, which SQLite leaves out for SF_SQL_READ; where
 * the place does not allow the one, the next is taken.
 */
bool sf_store_connect_write(struct sf_sql *sql, const struct sf_store_files *files, int *version,
                            struct sf_error *err) SF_MUST_CHECK;
bool sf_store_connect_read(struct sf_sql *sql, const struct sf_store_files *files,
                           enum sf_sql_open how, int *version, struct sf_error *err) SF_MUST_CHECK;

/* event.c: whether it may be written. */
bool sf_store_event_ok(const struct sf_event_new *event, struct sf_error *err) SF_MUST_CHECK;

/* Inside a transaction of the caller's. `later`: without the index of words. */
bool sf_store_event_add(struct sf_store *store, const struct sf_event_new *event, bool later,
                        struct sf_event_ref *out, struct sf_error *err) SF_MUST_CHECK;

/* goal.c: what sf_store_goal_count does, inside a transaction of the caller's. */
bool sf_store_goal_spend(struct sf_store *store, const char *session, int64_t tokens,
                         int64_t time_ms, struct sf_error *err) SF_MUST_CHECK;

/* session.c: a new row, inside a transaction of the caller's. */
bool sf_store_session_insert(struct sf_store *store, const struct sf_session_new *from,
                             char id[SF_ID_LEN + 1], struct sf_error *err) SF_MUST_CHECK;

/* partial.c: inside a transaction of the caller's. */
bool sf_store_partial_delete(struct sf_store *store, const char *session,
                             struct sf_error *err) SF_MUST_CHECK;

/*
 * search.c: the index of words. It can always be made again from the events, so nothing that is
 * wrong with it keeps an event from being written or the store from being opened.
 */
bool sf_store_words_add(struct sf_store *store, const char *kind, int64_t event, bool later,
                        struct sf_error *err) SF_MUST_CHECK;
void sf_store_words_fill(struct sf_sql *sql); /* what waits since an upgrade, by small steps */
bool sf_store_words_rebuild(struct sf_sql *sql, struct sf_error *err) SF_MUST_CHECK;

/* store.c: a write transaction; ends with sf_sql_commit or sf_sql_rollback. */
bool sf_store_begin(struct sf_store *store, struct sf_error *err) SF_MUST_CHECK;

/* One statement as a transaction of its own; finalises it. `changed` may be NULL. */
bool sf_store_run(struct sf_store *store, struct sf_sql_bind *b, int *changed,
                  struct sf_error *err) SF_MUST_CHECK;

#endif
