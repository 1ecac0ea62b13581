/*
 * create.c: a store comes into being under another name and gets its own in one rename, when it
 * is complete and on disk. An sf.db that is empty or half-made is therefore always damage.
 */
#include "store/internal.h"
#include "store/schema.h"

/* Nobody else knows the file yet, so it needs neither journal nor syncs before the last one. */
static bool fill_fresh(struct sf_sql *sql, sf_fill_fn *fill, void *ctx, struct sf_error *err)
{
    char setup[192];

    snprintf(setup, sizeof(setup),
             "PRAGMA page_size=%d; PRAGMA auto_vacuum=NONE; PRAGMA encoding='UTF-8';"
             "PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF; PRAGMA application_id=%d",
             SF_STORE_PAGE_SIZE, SF_STORE_APPLICATION_ID);
    return sf_sql_exec(sql, setup, err) && sf_store_apply(sql, 0, err) &&
           (!fill || fill(sql, ctx, err)) && sf_sql_exec(sql, "PRAGMA journal_mode=WAL", err);
}

bool sf_store_create(const struct sf_store_files *files, sf_fill_fn *fill, void *ctx,
                     struct sf_error *err)
{
    struct sf_sql sql = { 0 };
    bool ok;

    sf_dbfile_discard(files->fresh); /* of somebody who died here */
    ok = sf_dbfile_make(files->fresh, err) && sf_sql_open(&sql, files->fresh, SF_SQL_WRITE, err) &&
         fill_fresh(&sql, fill, ctx, err);
    sf_sql_close(&sql);
    ok = ok && sf_dbfile_sync(files->fresh, err) && sf_dbfile_place(files->fresh, files->db, err);
    if (!ok) {
        struct sf_error cause = *err;

        sf_dbfile_discard(files->fresh);
        *err = cause;
    }
    return ok;
}
