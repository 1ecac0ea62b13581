/*
 * partial.c: the pieces of an answer while it arrives. They are not part of the log, which is never
 * changed: there are thousands of pieces, and they are useless once the answer is an event.
 */
#include "store/internal.h"

bool sf_store_partial_add(struct sf_store *store, const char *session, const char *text, size_t len,
                          struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_cached(
                                 &store->sql, &store->insert_partial,
                                 "INSERT INTO partials (session_id, text) VALUES (?1, ?2)", err) };
    bool ok;

    if (!b.stmt || !sf_store_begin(store, err))
        return false;
    sf_sql_bind_text(&b, session);
    sf_sql_bind_bytes(&b, text, len);
    ok = sf_sql_run(&store->sql, &b, err);
    sqlite3_clear_bindings(b.stmt); /* they borrow from the caller */
    if (ok)
        return sf_sql_commit(&store->sql, err);
    sf_sql_rollback(&store->sql);
    return false;
}

bool sf_store_partial_get(struct sf_store *store, const char *session, struct sf_strbuf *out,
                          struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(&store->sql,
                                                    "SELECT text FROM partials"
                                                    " WHERE session_id = ?1 ORDER BY id",
                                                    err) };
    bool row = true, ok = b.stmt != NULL;

    if (!ok)
        return false;
    sf_sql_bind_text(&b, session);
    while (ok && row) {
        size_t len;
        const char *text;

        ok = sf_sql_step(&store->sql, &b, &row, err);
        if (!ok || !row)
            break;
        text = sf_sql_column_bytes(b.stmt, 0, &len);
        sf_strbuf_add(out, text, len);
    }
    sqlite3_finalize(b.stmt);
    return ok;
}

bool sf_store_partial_delete(struct sf_store *store, const char *session, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt =
                                 sf_sql_cached(&store->sql, &store->delete_partials,
                                               "DELETE FROM partials WHERE session_id = ?1", err) };

    if (!b.stmt)
        return false;
    sf_sql_bind_text(&b, session);
    return sf_sql_run(&store->sql, &b, err);
}

bool sf_store_partial_drop(struct sf_store *store, const char *session, struct sf_error *err)
{
    if (!sf_store_begin(store, err))
        return false;
    if (sf_store_partial_delete(store, session, err))
        return sf_sql_commit(&store->sql, err);
    sf_sql_rollback(&store->sql);
    return false;
}
