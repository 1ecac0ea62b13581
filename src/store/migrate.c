/*
 * migrate.c: upgrades a store to the newest schema. Each migration is one transaction that also
 * sets the number, so an interrupted upgrade continues where it stopped. The caller holds
 * store.lock.
 */
#include "store/internal.h"
#include "store/schema.h"

static bool run_statements(struct sf_sql *sql, const struct sf_store_migration *m,
                           struct sf_error *err)
{
    char number[64];

    for (const char *const *s = m->statements; *s; s++)
        if (!sf_sql_exec(sql, *s, err))
            return false;
    snprintf(number, sizeof(number), "PRAGMA user_version=%d", m->version);
    return sf_sql_exec(sql, number, err);
}

static bool apply_one(struct sf_sql *sql, const struct sf_store_migration *m, struct sf_error *err)
{
    if (!sf_sql_begin(sql, err))
        return false;
    if (run_statements(sql, m, err))
        return sf_sql_commit(sql, err);
    /* The SQL of migrations is valid, so the file does not match its schema number. */
    if (err->code == SF_E_IO && sqlite3_errcode(sql->db) == SQLITE_ERROR)
        sf_sql_damaged(sql->path, sqlite3_errmsg(sql->db), err);
    sf_sql_rollback(sql);
    return false;
}

bool sf_store_apply(struct sf_sql *sql, int from, struct sf_error *err)
{
    for (size_t i = 0; i < sf_store_migration_count; i++) {
        const struct sf_store_migration *m = &sf_store_migrations[i];

        if (m->version > from && !apply_one(sql, m, err)) {
            sf_error_prefix(err, "making the %s: ", m->name);
            return false;
        }
    }
    return true;
}

bool sf_store_upgrade(struct sf_sql *sql, const struct sf_store_files *files, int from,
                      struct sf_error *err)
{
    struct sf_strbuf report = SF_STRBUF_INIT;
    bool ok = sf_store_check_integrity(sql, &report, err) &&
              sf_store_backup_make(sql, files, from, err) && sf_store_apply(sql, from, err);

    if (!ok)
        sf_error_prefix(err, "upgrading the store from schema %d to %d: ", from,
                        sf_store_schema_version());
    sf_strbuf_release(&report);
    return ok;
}
