/*
 * store.c: opens and closes the store. store.lock is held until the connection is open: a process
 * that makes, upgrades or recovers the store holds it throughout, so no other process can combine
 * the old database with the new one's log.
 */
#include <assert.h>
#include <sys/vfs.h>

#include "store/internal.h"
#include "store/schema.h"

/* SQLite's WAL mode needs shared memory, which does not work between machines. */
static bool is_network(const char *dir)
{
    static const unsigned long kinds[] = {
        0x6969,     /* NFS */
        0xff534d42, /* CIFS */
        0xfe534d42, /* SMB2 */
        0x517b,     /* SMB */
        0x01021997, /* 9P */
        0x5346414f, /* AFS */
        0x00c36400, /* Ceph */
        0x47504653, /* GPFS */
        0x0bd00bd0, /* Lustre */
    };
    struct statfs fs;

    if (statfs(dir, &fs) < 0)
        return false;
    for (size_t i = 0; i < SF_COUNT(kinds); i++)
        if (((unsigned long)fs.f_type & 0xffffffff) == kinds[i])
            return true;
    return false;
}

static void note_warnings(struct sf_store *store)
{
    int known = sf_store_schema_version();

    if (store->version > known)
        snprintf(store->warning, sizeof(store->warning),
                 "the store was written by a newer sf (schema %d, this one knows %d): reading only",
                 store->version, known);
    else if (store->version < known)
        snprintf(store->warning, sizeof(store->warning),
                 "the store has an older schema (%d of %d): what came later is missing",
                 store->version, known);
    else if (is_network(store->files.dir))
        snprintf(store->warning, sizeof(store->warning),
                 "the store is on a network file system, where two machines at once damage it; "
                 "set SF_HOME to a local directory");
}

static bool connect_locked(struct sf_store *store, struct sf_lock *lock, struct sf_error *err)
{
    struct sf_store_files *files = &store->files;

    if (store->mode == SF_STORE_WRITE)
        return sf_lock_take(files->lock, SF_STORE_PATIENCE_MS, lock, err) &&
               sf_store_connect_write(&store->sql, files, &store->version, err);
    /* A reader does not create the lock file, and goes on without the lock if it cannot open it. */
    if (sf_dbfile_exists(files->lock) &&
        !sf_lock_take(files->lock, SF_STORE_PATIENCE_MS, lock, err) && err->code == SF_E_BUSY)
        return false;
    return sf_store_connect_read(&store->sql, files, SF_SQL_READ, &store->version, err);
}

static void add_hint(const struct sf_store *store, struct sf_error *err)
{
    if (err->hint[0])
        return;
    if (err->code == SF_E_FULL)
        sf_hint(err, "free some space and repeat; nothing stored so far is lost");
    else if (err->code == SF_E_READONLY && store->mode == SF_STORE_WRITE)
        sf_hint(err, "make the directory writable, or set SF_HOME to another one");
}

struct sf_store *sf_store_open(const char *dir, enum sf_store_mode mode, struct sf_error *err)
{
    struct sf_store *store = sf_alloc(sizeof(*store));
    struct sf_lock lock = SF_LOCK_INIT;
    bool ok;

    store->mode = mode;
    ok = sf_store_files_init(&store->files, dir, mode, err) && connect_locked(store, &lock, err);
    sf_lock_drop(&lock);
    if (ok) {
        note_warnings(store);
        return store;
    }
    add_hint(store, err);
    sf_store_close(store);
    return NULL;
}

void sf_store_close(struct sf_store *store)
{
    if (!store)
        return;
    sf_sql_close(&store->sql);
    sf_store_files_release(&store->files);
    free(store);
}

const char *sf_store_warning(const struct sf_store *store)
{
    return store->warning;
}

/* A newer sf may have upgraded the file meanwhile, and we do not know its constraints. */
static bool is_same_schema(struct sf_store *store, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_cached(&store->sql, &store->schema_number,
                                                   "PRAGMA user_version", err) };
    int64_t number;
    bool row = false;

    if (!b.stmt || !sf_sql_step(&store->sql, &b, &row, err))
        return false;
    number = row ? sqlite3_column_int64(b.stmt, 0) : 0;
    sqlite3_reset(b.stmt);
    if (number == store->version)
        return true;
    sf_fail(err, SF_E_NEWER, "%s was upgraded by a newer sf while this one was running",
            store->files.db);
    return sf_hint(err, "start sf again");
}

bool sf_store_begin(struct sf_store *store, struct sf_error *err)
{
    int moved = 0;

    assert(!store->walking);
    if (store->mode == SF_STORE_READ)
        return sf_fail(err, SF_E_READONLY, "%s was opened for reading only", store->files.db);
    /* Writes to a file that was renamed or deleted would succeed and be lost. */
    sqlite3_file_control(store->sql.db, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    if (moved)
        return sf_sql_fail(&store->sql, SQLITE_READONLY_DBMOVED, err);
    if (!sf_sql_begin(&store->sql, err))
        return false;
    if (is_same_schema(store, err))
        return true;
    sf_sql_rollback(&store->sql);
    return false;
}

bool sf_store_hold(struct sf_store *store, struct sf_error *err)
{
    store->sql.held = sf_store_begin(store, err);
    return store->sql.held;
}

/* An error may have ended the transaction already; then nothing of it was written. */
bool sf_store_let_go(struct sf_store *store, struct sf_error *err)
{
    bool lost = sqlite3_get_autocommit(store->sql.db);

    store->sql.held = false;
    return lost ? sf_fail(err, SF_E_IO, "%s takes nothing", store->files.db)
                : sf_sql_commit(&store->sql, err);
}

bool sf_store_run(struct sf_store *store, struct sf_sql_bind *b, int *changed, struct sf_error *err)
{
    bool ok = sf_store_begin(store, err);

    if (ok) {
        ok = sf_sql_run(&store->sql, b, err);
        if (changed)
            *changed = ok ? sqlite3_changes(store->sql.db) : 0;
        if (ok)
            ok = sf_sql_commit(&store->sql, err);
        else
            sf_sql_rollback(&store->sql);
    }
    sqlite3_finalize(b->stmt);
    return ok;
}
