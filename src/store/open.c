/*
 * open.c: opens a checked connection to the store of a directory. It first looks at the files
 * without opening them, because SQLite would delete the log of an empty database and replay an
 * orphaned log into a new one.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "store/internal.h"
#include "store/schema.h"

/* Whether a log or journal has changes that are not in the database yet. */
static bool has_log(const struct sf_store_files *files)
{
    return sf_dbfile_size(files->wal) > 0 || sf_dbfile_size(files->journal) > 0;
}

/* Finds out, without opening anything, whether there is a database to open. */
static bool inspect(const struct sf_store_files *files, bool *found, struct sf_error *err)
{
    int64_t size = sf_dbfile_size(files->db);

    *found = sf_dbfile_exists(files->db);
    if (sf_dbfile_exists(files->recovering))
        return sf_sql_damaged(files->db, "a recovery of it was interrupted", err);
    if (!*found && has_log(files))
        return sf_sql_damaged(files->db, "it is gone, but its log is there", err);
    if (*found && size < 0) {
        sf_fail(err, SF_E_ARG, "%s is not a regular file", files->db);
        return sf_hint(err, "move it away, then start sf again");
    }
    return !*found || size > 0 || sf_sql_damaged(files->db, "it is empty", err);
}

static bool fail_newer(const struct sf_sql *sql, int version, struct sf_error *err)
{
    sf_fail(err, SF_E_NEWER, "%s was written by a newer sf (schema %d, this one knows %d)",
            sql->path, version, sf_store_schema_version());
    return sf_hint(err, "update sf, or set SF_HOME to another directory");
}

/* A backup that was copied back by hand is not in WAL mode and may be readable by others. */
static bool settle(struct sf_sql *sql, struct sf_error *err)
{
    struct stat st;

    if (stat(sql->path, &st) == 0 && (st.st_mode & 0177) && st.st_uid == geteuid() &&
        chmod(sql->path, 0600) < 0)
        return sf_fail_errno(err, "cannot make %s private", sql->path);
    sqlite3_db_config(sql->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, NULL);
    return sf_sql_exec(sql,
                       "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
                       "PRAGMA journal_size_limit=4194304",
                       err);
}

static bool examine(struct sf_sql *sql, const struct sf_store_files *files, int *version,
                    struct sf_error *err)
{
    if (sqlite3_db_readonly(sql->db, "main") == 1)
        return sf_sql_fail(sql, SQLITE_READONLY, err);
    if (!sf_store_check_quick(sql, files->wal, version, err))
        return false;
    if (*version > sf_store_schema_version())
        return fail_newer(sql, *version, err);
    return true;
}

bool sf_store_connect_write(struct sf_sql *sql, const struct sf_store_files *files, int *version,
                            struct sf_error *err)
{
    bool found, ok;

    if (!inspect(files, &found, err) || (!found && !sf_store_create(files, NULL, NULL, err)) ||
        !sf_sql_open(sql, files->db, SF_SQL_WRITE, err))
        return false;
    ok = examine(sql, files, version, err) && settle(sql, err);
    if (ok && *version < sf_store_schema_version()) {
        ok = sf_store_upgrade(sql, files, *version, err);
        *version = sf_store_schema_version();
    }
    if (ok)
        sf_store_words_fill(sql);
    else
        sf_sql_close(sql);
    return ok;
}

static bool open_as(struct sf_sql *sql, const struct sf_store_files *files, enum sf_sql_open how,
                    int *version, struct sf_error *err)
{
    if (!sf_sql_open(sql, files->db, how, err))
        return false;
    if (sf_sql_exec(sql, "PRAGMA query_only=ON", err) &&
        sf_store_check_quick(sql, files->wal, version, err))
        return true;
    sf_sql_close(sql);
    return false;
}

/* Tries the ways of opening, from the most demanding to the one that needs no write access. */
static bool open_somehow(struct sf_sql *sql, const struct sf_store_files *files,
                         enum sf_sql_open how, int *version, struct sf_error *err)
{
    for (;; how++) {
        if (open_as(sql, files, how, version, err))
            return true;
        if (err->code == SF_E_DAMAGED || err->code == SF_E_BUSY || how == SF_SQL_IMMUTABLE)
            return false;
        /* Without side files no process writes; but a log could not be read either. */
        if (how == SF_SQL_READ && has_log(files))
            return false;
    }
}

bool sf_store_connect_read(struct sf_sql *sql, const struct sf_store_files *files,
                           enum sf_sql_open how, int *version, struct sf_error *err)
{
    bool found;

    if (!inspect(files, &found, err))
        return false;
    if (!found) {
        sf_fail(err, SF_E_NOENT, "there is no store in %s yet", files->dir);
        return sf_hint(err, "it is made when sf runs in the project for the first time");
    }
    return open_somehow(sql, files, how, version, err);
}
