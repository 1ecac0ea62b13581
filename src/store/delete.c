/*
 * delete.c: deletes a conversation. The row stays, marked as deleted, because usage refers to it;
 * events, decisions and whatever waits are deleted in one transaction. A session whose events a
 * fork shares cannot be deleted.
 */
#include "store/internal.h"

/* The session and the sub-agents below it, to which no other session refers. */
#define GROUP                                                                           \
    "WITH RECURSIVE g (id) AS (VALUES (?1) UNION SELECT s.id FROM g JOIN sessions AS s" \
    " ON s.parent_id = g.id WHERE s.role = 'agent' LIMIT 100000) "

static const char *const steps[] = {
    GROUP "UPDATE sessions SET title = '', deleted_at = ?2 WHERE id IN (SELECT id FROM g)",
    GROUP "INSERT INTO words (words, rowid, text) SELECT 'delete', said.id, said.text FROM said"
          " JOIN events AS e ON e.id = said.id WHERE said.text IS NOT NULL"
          " AND e.session_id IN (SELECT id FROM g) AND NOT EXISTS (SELECT 1 FROM search_todo"
          " AS t WHERE said.id BETWEEN t.id AND t.last)",
    GROUP "UPDATE usage SET event_id = NULL WHERE session_id IN (SELECT id FROM g)",
    GROUP "UPDATE snapshots SET event_id = NULL, label = '' WHERE session_id IN"
          " (SELECT id FROM g)",
    GROUP "UPDATE approvals SET decision_id = NULL WHERE decision_id IN"
          " (SELECT id FROM decisions WHERE session_id IN (SELECT id FROM g))",
    GROUP "DELETE FROM approvals WHERE session_id IN (SELECT id FROM g)",
    GROUP "DELETE FROM decisions WHERE session_id IN (SELECT id FROM g)",
    GROUP "DELETE FROM partials WHERE session_id IN (SELECT id FROM g)",
    GROUP "DELETE FROM queue WHERE session_id IN (SELECT id FROM g)",
    GROUP "DELETE FROM goals WHERE session_id IN (SELECT id FROM g)",
    GROUP "DELETE FROM coach_state WHERE session_id IN (SELECT id FROM g)",
    GROUP "DELETE FROM mode_transitions WHERE session_id IN (SELECT id FROM g)",
    GROUP "DELETE FROM mode_state WHERE session_id IN (SELECT id FROM g)",
    GROUP "DELETE FROM events WHERE session_id IN (SELECT id FROM g)",
};

/* Finds a fork that was not deleted; forks of the sub-agents count too. */
static bool check_forks(struct sf_store *store, const char *id, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(
                                 &store->sql,
                                 GROUP "SELECT s.id FROM sessions AS s WHERE s.forked_at_seq > 0"
                                       " AND s.deleted_at IS NULL"
                                       " AND s.parent_id IN (SELECT id FROM g) LIMIT 1",
                                 err) };
    bool row = false, ok = b.stmt != NULL;

    if (ok) {
        sf_sql_bind_text(&b, id);
        ok = sf_sql_step(&store->sql, &b, &row, err);
    }
    if (ok && row) {
        sf_fail(err, SF_E_BUSY, "session %s shares what was said with %s, which was forked from it",
                id, sf_sql_column_text(b.stmt, 0));
        ok = sf_hint(err, "delete the fork first, or archive this one");
    }
    sqlite3_finalize(b.stmt);
    return ok;
}

static bool run_step(struct sf_store *store, const char *step, const char *id, const char *now,
                     struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(&store->sql, step, err) };
    bool ok = b.stmt != NULL;

    if (ok) {
        sf_sql_bind_text(&b, id);
        if (sqlite3_bind_parameter_count(b.stmt) > 1)
            sf_sql_bind_text(&b, now);
        ok = sf_sql_run(&store->sql, &b, err);
    }
    sqlite3_finalize(b.stmt);
    return ok;
}

static bool exists(struct sf_store *store, const char *id, struct sf_error *err)
{
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_session_row row;
    bool ok = sf_store_session_get(store, id, &arena, &row, err);

    if (ok && (!strcmp(row.id, SF_SESSION_PROJECT) || strcmp(row.id, id) != 0))
        ok = sf_fail(err, SF_E_ARG, "%s is not a conversation that can be deleted", id);
    sf_arena_release(&arena);
    return ok;
}

bool sf_store_session_delete(struct sf_store *store, const char *id, struct sf_error *err)
{
    char now[SF_TIME_MAX];
    bool ok;

    if (!sf_store_begin(store, err))
        return false;
    sf_time_format_utc(now, sf_clock_wall_ms());
    ok = exists(store, id, err) && check_forks(store, id, err);
    for (size_t i = 0; i < SF_COUNT(steps) && ok; i++)
        ok = run_step(store, steps[i], id, now, err);
    if (ok)
        return sf_sql_commit(&store->sql, err);
    sf_sql_rollback(&store->sql);
    return false;
}
