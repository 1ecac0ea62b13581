/*
 * queue.c: prompts that wait for the next turns of a session. A row is marked as taken or dropped,
 * never deleted, so that the store can tell what became of it. It is taken before its prompt is
 * sent: if the log has no prompt since, the program died in between, and the row waits again.
 */
#include "store/internal.h"

bool sf_store_queue_add(struct sf_store *store, const char *session, const char *text, int64_t *id,
                        struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(
                                 &store->sql,
                                 "INSERT INTO queue (session_id, kind, position, data, created_at)"
                                 " SELECT ?1, 'prompt', coalesce(max(position), 0) + 1,"
                                 " json_object('text', ?2), ?3 FROM queue WHERE session_id = ?1",
                                 err) };
    char now[SF_TIME_MAX];

    if (!b.stmt)
        return false;
    sf_time_format_utc(now, sf_clock_wall_ms());
    sf_sql_bind_text(&b, session);
    sf_sql_bind_text(&b, text);
    sf_sql_bind_text(&b, now);
    if (!sf_store_run(store, &b, NULL, err))
        return false;
    *id = sqlite3_last_insert_rowid(store->sql.db);
    return true;
}

bool sf_store_each_queued(struct sf_store *store, const char *session, sf_queued_fn *fn, void *ctx,
                          struct sf_error *err)
{
    static const char waits[] =
        "SELECT id, json_extract(data, '$.text') FROM queue"
        " WHERE session_id = ?1 AND kind = 'prompt' AND dropped_at IS NULL"
        " AND (taken_at IS NULL OR NOT EXISTS (SELECT 1 FROM events AS e"
        "   WHERE e.session_id = ?1 AND e.kind = 'user' AND e.time >= queue.taken_at))"
        " ORDER BY position, id";
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(&store->sql, waits, err) };
    bool row = true, ok = b.stmt != NULL;

    if (!ok)
        return false;
    sf_sql_bind_text(&b, session);
    while (ok && row) {
        ok = sf_sql_step(&store->sql, &b, &row, err);
        if (ok && row)
            row = fn(ctx, sqlite3_column_int64(b.stmt, 0), sf_sql_column_text(b.stmt, 1));
    }
    sqlite3_finalize(b.stmt);
    return ok;
}

bool sf_store_queue_end(struct sf_store *store, int64_t id, enum sf_queue_end how,
                        struct sf_error *err)
{
    static const char *const texts[] = {
        [SF_QUEUE_TAKEN] = "UPDATE queue SET taken_at = ?1 WHERE id = ?2"
                           " AND dropped_at IS NULL",
        [SF_QUEUE_DROPPED] = "UPDATE queue SET dropped_at = ?1, taken_at = NULL"
                             " WHERE id = ?2 AND dropped_at IS NULL",
    };
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(&store->sql, texts[how], err) };
    char now[SF_TIME_MAX];

    if (!b.stmt)
        return false;
    sf_time_format_utc(now, sf_clock_wall_ms());
    sf_sql_bind_text(&b, now);
    sf_sql_bind_int(&b, id);
    return sf_store_run(store, &b, NULL, err);
}

/* One statement for both, so that a crash cannot leave two rows at the same position. */
bool sf_store_queue_swap(struct sf_store *store, int64_t a, int64_t b, struct sf_error *err)
{
    struct sf_sql_bind bind = {
        .stmt = sf_sql_prepare(&store->sql,
                               "UPDATE queue SET position = s.position"
                               " FROM (SELECT id, position FROM queue WHERE id IN (?1, ?2)) AS s"
                               " WHERE queue.id IN (?1, ?2) AND s.id <> queue.id",
                               err)
    };

    if (!bind.stmt)
        return false;
    sf_sql_bind_int(&bind, a);
    sf_sql_bind_int(&bind, b);
    return sf_store_run(store, &bind, NULL, err);
}
