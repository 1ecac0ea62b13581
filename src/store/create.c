/*
 * create.c: makes a store under another name and renames it when it is complete and on disk. An
 * sf.db that is empty or half-made is therefore always damaged.
 */
#include "store/internal.h"
#include "store/schema.h"

/* No other process uses the file yet, so it needs no journal on disk and only the final sync. */
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

    sf_dbfile_discard(files->fresh); /* left by a process that died here */
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
