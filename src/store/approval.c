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
                                 "SELECT session_id, pattern FROM approvals"
                                 " WHERE revoked_at IS NULL"
                                 " AND (session_id IS NULL OR session_id = ?1) ORDER BY id",
                                 err) };
    bool row = true, ok = b.stmt != NULL;

    if (!ok)
        return false;
    sf_sql_bind_text(&b, session);
    while (ok && row) {
        ok = sf_sql_step(&store->sql, &b, &row, err);
        if (ok && row) {
            const char *whose = sf_sql_column_text(b.stmt, 0);

            row = fn(ctx, *whose ? whose : NULL, sf_sql_column_text(b.stmt, 1));
        }
    }
    sqlite3_finalize(b.stmt);
    return ok;
}
