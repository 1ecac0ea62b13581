/*
 * approval.c: approvals that outlive the call they were given for. A row is revoked, never
 * deleted, so that the store can always tell why a call ran without a question.
 */
#include "store/internal.h"

bool sf_store_approval_add(struct sf_store *store, const struct sf_approval_new *approval,
                           struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(
                                 &store->sql,
                                 "INSERT INTO approvals (session_id, pattern, decision_id,"
                                 " created_at) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
                                 err) };
    char now[SF_TIME_MAX];

    if (!b.stmt)
        return false;
    sf_time_format_utc(now, sf_clock_wall_ms());
    sf_sql_bind_text(&b, approval->session);
    sf_sql_bind_text(&b, approval->pattern);
    if (approval->decision)
        sf_sql_bind_int(&b, approval->decision);
    else
        sf_sql_bind_text(&b, NULL);
    sf_sql_bind_text(&b, now);
    return sf_store_run(store, &b, NULL, err);
}

bool sf_store_each_approval(struct sf_store *store, const char *session, sf_approval_fn *fn,
                            void *ctx, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(
                                 &store->sql,
                                 "SELECT id, session_id, pattern, created_at FROM approvals"
                                 " WHERE revoked_at IS NULL"
                                 " AND (session_id IS NULL OR ?1 IS NULL OR session_id = ?1)"
                                 " ORDER BY id",
                                 err) };
    bool more = true, ok = b.stmt != NULL;

    if (!ok)
        return false;
    sf_sql_bind_text(&b, session);
    while (ok && more) {
        ok = sf_sql_step(&store->sql, &b, &more, err);
        if (ok && more) {
            const char *whose = sf_sql_column_text(b.stmt, 1);
            const struct sf_approval_row row = { sqlite3_column_int64(b.stmt, 0),
                                                 *whose ? whose : NULL,
                                                 sf_sql_column_text(b.stmt, 2),
                                                 sf_sql_column_text(b.stmt, 3) };

            more = fn(ctx, &row);
        }
    }
    sqlite3_finalize(b.stmt);
    return ok;
}

bool sf_store_approval_revoke(struct sf_store *store, int64_t id, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(&store->sql,
                                                    "UPDATE approvals SET revoked_at = ?1"
                                                    " WHERE id = ?2 AND revoked_at IS NULL",
                                                    err) };
    char now[SF_TIME_MAX];

    if (!b.stmt)
        return false;
    sf_time_format_utc(now, sf_clock_wall_ms());
    sf_sql_bind_text(&b, now);
    sf_sql_bind_int(&b, id);
    if (!sf_store_run(store, &b, NULL, err))
        return false;
    if (sqlite3_changes(store->sql.db))
        return true;
    return sf_fail(err, SF_E_NOENT, "no approval in force has the number %lld", (long long)id);
}

/* ---- the approval mode of a session ---- */

bool sf_store_approval_mode_set(struct sf_store *store, const char *session, const char *mode,
                                struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(&store->sql,
                                                    "UPDATE mode_state SET approval_mode = ?1"
                                                    " WHERE session_id = ?2",
                                                    err) };

    if (!b.stmt)
        return false;
    sf_sql_bind_text(&b, mode);
    sf_sql_bind_text(&b, session);
    return sf_store_run(store, &b, NULL, err);
}

bool sf_store_approval_mode_is(struct sf_store *store, const char *session, const char *mode,
                               bool *is, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(&store->sql,
                                                    "SELECT 1 FROM mode_state WHERE session_id = ?1"
                                                    " AND approval_mode = ?2",
                                                    err) };
    bool ok = b.stmt != NULL;

    *is = false;
    if (!ok)
        return false;
    sf_sql_bind_text(&b, session);
    sf_sql_bind_text(&b, mode);
    ok = sf_sql_step(&store->sql, &b, is, err);
    sqlite3_finalize(b.stmt);
    return ok;
}
