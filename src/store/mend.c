/*
 * mend.c: the few cells that a doctor may change, and back. Which those are is a table here, not
 * there: whatever a repair was thought up to do, no row of it leads a task towards done.
 */
#include "store/internal.h"

#define ANY "" /* any value, or none */

/* A change is allowed in both directions, so that it can be undone. */
static const struct {
    const char *table, *key, *column;
    const char *from, *to;
} changes[] = {
    { "tasks", "id", "status", "running", "retrying" },
    { "tasks", "id", "status", "verifying", "retrying" },
    { "tasks", "id", "status", "running", "todo" },
    { "tasks", "id", "status", "verifying", "todo" },
    { "leases", "resource", "released_at", ANY, ANY },
    { "workers", "id", "ended_at", ANY, ANY },
};

static bool fits(const char *pattern, const char *value)
{
    return !*pattern || (value && !strcmp(pattern, value));
}

/* The column of the row's key; NULL: the change is not among them. */
static const char *find_key(const struct sf_store_cell *cell)
{
    for (size_t i = 0; i < SF_COUNT(changes); i++)
        if (!strcmp(changes[i].table, cell->table) && !strcmp(changes[i].column, cell->column) &&
            ((fits(changes[i].from, cell->was) && fits(changes[i].to, cell->now)) ||
             (fits(changes[i].from, cell->now) && fits(changes[i].to, cell->was))))
            return changes[i].key;
    return NULL;
}

/* A task's move is a row of its own, which comes first. */
static bool add_move(struct sf_store *store, const struct sf_store_cell *cell, const char *reason,
                     struct sf_error *err)
{
    char now[SF_TIME_MAX];
    struct sf_sql_bind b = { .stmt = NULL };
    bool ok;

    if (strcmp(cell->table, "tasks") != 0)
        return true;
    b.stmt = sf_sql_prepare(&store->sql,
                            "INSERT INTO task_transitions (task_id, from_status, to_status, reason,"
                            " scope, timestamp) VALUES (?, ?, ?, ?, 'now', ?)",
                            err);
    if (!b.stmt)
        return false;
    sf_time_format_utc(now, sf_clock_wall_ms());
    sf_sql_bind_text(&b, cell->key);
    sf_sql_bind_text(&b, cell->was);
    sf_sql_bind_text(&b, cell->now);
    sf_sql_bind_text(&b, reason);
    sf_sql_bind_text(&b, now);
    ok = sf_sql_run(&store->sql, &b, err);
    sqlite3_finalize(b.stmt);
    return ok;
}

/* Table and columns are names of the table above, never text of the caller's. */
static bool change_cell(struct sf_store *store, const struct sf_store_cell *cell, const char *key,
                        struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = NULL };
    char text[160];
    bool ok;

    snprintf(text, sizeof(text), "UPDATE %s SET %s = ? WHERE %s = ? AND %s IS ?", cell->table,
             cell->column, key, cell->column);
    b.stmt = sf_sql_prepare(&store->sql, text, err);
    if (!b.stmt)
        return false;
    sf_sql_bind_text(&b, cell->now);
    sf_sql_bind_text(&b, cell->key);
    sf_sql_bind_text(&b, cell->was);
    ok = sf_sql_run(&store->sql, &b, err);
    sqlite3_finalize(b.stmt);
    if (ok && sqlite3_changes(store->sql.db) != 1)
        ok = sf_fail(err, SF_E_BUSY, "%s of %s %s is not what it was any more", cell->column,
                     cell->table, cell->key);
    return ok;
}

bool sf_store_mend(struct sf_store *store, const struct sf_store_cell *cell, const char *reason,
                   struct sf_error *err)
{
    const char *key = find_key(cell);

    if (!key)
        return sf_fail(err, SF_E_DENIED, "a repair must not change %s of %s from %s to %s",
                       cell->column, cell->table, cell->was ? cell->was : "nothing",
                       cell->now ? cell->now : "nothing");
    if (!sf_store_begin(store, err))
        return false;
    if (add_move(store, cell, reason, err) && change_cell(store, cell, key, err))
        return sf_sql_commit(&store->sql, err);
    sf_sql_rollback(&store->sql);
    return false;
}

bool sf_store_cell_is(struct sf_store *store, const struct sf_store_cell *cell, const char *value,
                      bool *is, struct sf_error *err)
{
    const char *key = find_key(cell);
    struct sf_sql_bind b = { .stmt = NULL };
    char text[160];
    bool ok;

    *is = false;
    if (!key)
        return sf_fail(err, SF_E_DENIED, "no repair changes %s of %s", cell->column, cell->table);
    snprintf(text, sizeof(text), "SELECT 1 FROM %s WHERE %s = ? AND %s IS ?", cell->table, key,
             cell->column);
    b.stmt = sf_sql_prepare(&store->sql, text, err);
    if (!b.stmt)
        return false;
    sf_sql_bind_text(&b, cell->key);
    sf_sql_bind_text(&b, value);
    ok = sf_sql_step(&store->sql, &b, is, err);
    sqlite3_finalize(b.stmt);
    return ok;
}

bool sf_store_checkpoint(struct sf_store *store, struct sf_error *err)
{
    return sf_sql_exec(&store->sql, "PRAGMA wal_checkpoint(TRUNCATE)", err);
}
