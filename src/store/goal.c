/*
 * goal.c: the goals of sessions, one row each. A change names the row it started from, so that two
 * surfaces cannot overwrite each other's changes; counting adds to the current values.
 */
#include "store/internal.h"

#define MOST "900000000000000000" /* the sum of two does not overflow */

static const char *keep(struct sf_arena *arena, sqlite3_stmt *stmt, int column)
{
    const char *text = sf_sql_column_text(stmt, column);

    return sf_arena_strndup(arena, text, strlen(text));
}

bool sf_store_goal_get(struct sf_store *store, const char *session, struct sf_arena *arena,
                       struct sf_goal_row *out, bool *found, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(
                                 &store->sql,
                                 "SELECT id, objective, status, reason, coalesce(token_budget, 0),"
                                 " tokens_used, time_used_ms FROM goals"
                                 " WHERE session_id = ?1 AND cleared_at IS NULL",
                                 err) };
    bool ok = b.stmt != NULL;

    *found = false;
    if (!ok)
        return false;
    sf_sql_bind_text(&b, session);
    ok = sf_sql_step(&store->sql, &b, found, err);
    if (ok && *found)
        *out = (struct sf_goal_row){
            .id = sqlite3_column_int64(b.stmt, 0),
            .objective = keep(arena, b.stmt, 1),
            .status = keep(arena, b.stmt, 2),
            .reason = keep(arena, b.stmt, 3),
            .token_budget = sqlite3_column_int64(b.stmt, 4),
            .tokens_used = sqlite3_column_int64(b.stmt, 5),
            .time_used_ms = sqlite3_column_int64(b.stmt, 6),
        };
    sqlite3_finalize(b.stmt);
    return ok;
}

/* Runs one statement that must change exactly one row. */
static bool change_one(struct sf_store *store, struct sf_sql_bind *b, struct sf_error *err)
{
    bool ok = sf_sql_run(&store->sql, b, err);

    if (ok && sqlite3_changes(store->sql.db) != 1) {
        sf_fail(err, SF_E_BUSY, "the goal was changed somewhere else in the meantime");
        ok = sf_hint(err, "look at it again, then decide");
    }
    sqlite3_finalize(b->stmt);
    return ok;
}

static bool clear(struct sf_store *store, const struct sf_goal_row *was, const char *now,
                  struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(
                                 &store->sql,
                                 "UPDATE goals SET cleared_at = ?1, updated_at = ?1"
                                 " WHERE id = ?2 AND status = ?3 AND cleared_at IS NULL",
                                 err) };

    if (!b.stmt)
        return false;
    sf_sql_bind_text(&b, now);
    sf_sql_bind_int(&b, was->id);
    sf_sql_bind_text(&b, was->status);
    return change_one(store, &b, err);
}

static void bind_budget(struct sf_sql_bind *b, int64_t budget)
{
    if (budget > 0)
        sf_sql_bind_int(b, budget);
    else
        sf_sql_bind_text(b, NULL);
}

static bool insert(struct sf_store *store, const char *session, const struct sf_goal_row *row,
                   const char *now, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(
                                 &store->sql,
                                 "INSERT INTO goals (session_id, objective, status, reason,"
                                 " token_budget, tokens_used, time_used_ms, created_at, updated_at)"
                                 " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8)"
                                 " ON CONFLICT DO NOTHING",
                                 err) };

    if (!b.stmt)
        return false;
    sf_sql_bind_text(&b, session);
    sf_sql_bind_text(&b, row->objective);
    sf_sql_bind_text(&b, row->status);
    sf_sql_bind_text(&b, *row->reason ? row->reason : NULL);
    bind_budget(&b, row->token_budget);
    sf_sql_bind_int(&b, row->tokens_used);
    sf_sql_bind_int(&b, row->time_used_ms);
    sf_sql_bind_text(&b, now);
    return change_one(store, &b, err);
}

static bool update(struct sf_store *store, const struct sf_goal_row *was,
                   const struct sf_goal_row *row, const char *now, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(
                                 &store->sql,
                                 "UPDATE goals SET status = ?1, reason = ?2, token_budget = ?3,"
                                 " updated_at = ?4 WHERE id = ?5 AND status = ?6"
                                 " AND coalesce(token_budget, 0) = ?7 AND cleared_at IS NULL",
                                 err) };

    if (!b.stmt)
        return false;
    sf_sql_bind_text(&b, row->status);
    sf_sql_bind_text(&b, *row->reason ? row->reason : NULL);
    bind_budget(&b, row->token_budget);
    sf_sql_bind_text(&b, now);
    sf_sql_bind_int(&b, was->id);
    sf_sql_bind_text(&b, was->status);
    sf_sql_bind_int(&b, was->token_budget);
    return change_one(store, &b, err);
}

static bool write_change(struct sf_store *store, const struct sf_goal_change *c, const char *now,
                         struct sf_error *err)
{
    if (c->was && c->now && c->now->id == c->was->id)
        return update(store, c->was, c->now, now, err);
    return (!c->was || clear(store, c->was, now, err)) &&
           (!c->now || insert(store, c->session, c->now, now, err));
}

bool sf_store_goal_change(struct sf_store *store, const struct sf_goal_change *c,
                          struct sf_error *err)
{
    struct sf_event_ref ref;
    char now[SF_TIME_MAX];

    if (!sf_store_event_ok(c->event, err) || !sf_store_begin(store, err))
        return false;
    sf_time_format_utc(now, sf_clock_wall_ms());
    if (write_change(store, c, now, err) && sf_store_event_add(store, c->event, false, &ref, err))
        return sf_sql_commit(&store->sql, err);
    sf_sql_rollback(&store->sql);
    return false;
}

bool sf_store_goal_spend(struct sf_store *store, const char *session, int64_t tokens,
                         int64_t time_ms, struct sf_error *err)
{
    struct sf_sql_bind b = {
        .stmt = sf_sql_prepare(
            &store->sql,
            "UPDATE goals SET"
            " tokens_used = min(tokens_used, " MOST ") + min(?2, " MOST "),"
            " time_used_ms = min(time_used_ms, " MOST ") + min(?3, " MOST "),"
            " status = CASE WHEN status = 'active' AND token_budget > 0"
            " AND tokens_used + min(?2, " MOST ") >= token_budget"
            " THEN 'budget_limited' ELSE status END,"
            " updated_at = ?4 WHERE session_id = ?1 AND status NOT IN ('paused', 'complete')"
            " AND cleared_at IS NULL",
            err)
    };
    char now[SF_TIME_MAX];
    bool ok = b.stmt != NULL;

    if (!ok)
        return false;
    sf_time_format_utc(now, sf_clock_wall_ms());
    sf_sql_bind_text(&b, session);
    sf_sql_bind_int(&b, tokens > 0 ? tokens : 0);
    sf_sql_bind_int(&b, time_ms > 0 ? time_ms : 0);
    sf_sql_bind_text(&b, now);
    ok = sf_sql_run(&store->sql, &b, err);
    sqlite3_finalize(b.stmt);
    return ok;
}

bool sf_store_goal_count(struct sf_store *store, const char *session, int64_t tokens,
                         int64_t time_ms, struct sf_error *err)
{
    if (!sf_store_begin(store, err))
        return false;
    if (sf_store_goal_spend(store, session, tokens, time_ms, err))
        return sf_sql_commit(&store->sql, err);
    sf_sql_rollback(&store->sql);
    return false;
}

bool sf_store_goal_copy(struct sf_store *store, const char *from, const char *to,
                        struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(
                                 &store->sql,
                                 "INSERT INTO goals (session_id, objective, status, reason,"
                                 " token_budget, tokens_used, time_used_ms, created_at, updated_at)"
                                 " SELECT ?1, objective, status, reason, token_budget, tokens_used,"
                                 " time_used_ms, created_at, updated_at FROM goals"
                                 " WHERE session_id = ?2 AND cleared_at IS NULL",
                                 err) };

    if (!b.stmt)
        return false;
    sf_sql_bind_text(&b, to);
    sf_sql_bind_text(&b, from);
    return sf_store_run(store, &b, NULL, err);
}

/* SQLite changes this number when another connection has committed. */
bool sf_store_changed(struct sf_store *store, bool *changed, struct sf_error *err)
{
    int64_t number;

    *changed = false;
    if (!sf_sql_int(&store->sql, "PRAGMA data_version", &number, err))
        return false;
    *changed = number != store->data_version;
    store->data_version = number;
    return true;
}
