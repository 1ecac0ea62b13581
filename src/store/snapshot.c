/*
 * snapshot.c: rows about snapshots. The content is in snapshots.git; a row says when it was taken,
 * for which session and worktree, and why. A row outlives its content, and then says when that was
 * pruned.
 */
#include "store/internal.h"

#define COLUMNS                                                                     \
    "id, session_id, kind, worktree, commit_id, label, details, bytes, created_at," \
    " coalesce(pruned_at, '')"

bool sf_store_snapshot_add(struct sf_store *store, const struct sf_snapshot_new *snapshot,
                           int64_t *id, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(
                                 &store->sql,
                                 "INSERT INTO snapshots (session_id, event_id, kind, worktree,"
                                 " commit_id, label, details, bytes, created_at)"
                                 " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
                                 err) };
    char now[SF_TIME_MAX];

    if (!b.stmt)
        return false;
    sf_time_format_utc(now, sf_clock_wall_ms());
    sf_sql_bind_text(&b, snapshot->session);
    if (snapshot->event)
        sf_sql_bind_int(&b, snapshot->event);
    else
        sf_sql_bind_text(&b, NULL);
    sf_sql_bind_text(&b, snapshot->kind);
    sf_sql_bind_text(&b, snapshot->worktree);
    sf_sql_bind_text(&b, snapshot->commit);
    sf_sql_bind_text(&b, snapshot->label ? snapshot->label : "");
    sf_sql_bind_text(&b, snapshot->details ? snapshot->details : "{}");
    sf_sql_bind_int(&b, snapshot->bytes);
    sf_sql_bind_text(&b, now);
    if (!sf_store_run(store, &b, NULL, err))
        return false;
    *id = sqlite3_last_insert_rowid(store->sql.db);
    return true;
}

static void fill(sqlite3_stmt *stmt, struct sf_snapshot_row *row)
{
    *row = (struct sf_snapshot_row){ .id = sqlite3_column_int64(stmt, 0),
                                     .session = sf_sql_column_text(stmt, 1),
                                     .kind = sf_sql_column_text(stmt, 2),
                                     .worktree = sf_sql_column_text(stmt, 3),
                                     .commit = sf_sql_column_text(stmt, 4),
                                     .label = sf_sql_column_text(stmt, 5),
                                     .details = sf_sql_column_text(stmt, 6),
                                     .bytes = sqlite3_column_int64(stmt, 7),
                                     .created_at = sf_sql_column_text(stmt, 8),
                                     .pruned_at = sf_sql_column_text(stmt, 9) };
}

bool sf_store_each_snapshot(struct sf_store *store, const struct sf_snapshot_filter *filter,
                            sf_snapshot_fn *fn, void *ctx, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(
                                 &store->sql,
                                 "SELECT " COLUMNS " FROM snapshots"
                                 " WHERE (?1 IS NULL OR worktree = ?1)"
                                 " AND (?2 IS NULL OR session_id = ?2)"
                                 " AND (?3 IS NULL OR kind = ?3)"
                                 " AND (?4 IS NULL OR commit_id = ?4)"
                                 " AND (?5 = 0 OR id = ?5) AND (?6 OR pruned_at IS NULL)"
                                 " ORDER BY id DESC",
                                 err) };
    struct sf_snapshot_row found;
    bool row = true, ok = b.stmt != NULL;

    if (!ok)
        return false;
    sf_sql_bind_text(&b, filter->worktree);
    sf_sql_bind_text(&b, filter->session);
    sf_sql_bind_text(&b, filter->kind);
    sf_sql_bind_text(&b, filter->commit);
    sf_sql_bind_int(&b, filter->id);
    sf_sql_bind_int(&b, filter->pruned);
    while (ok && row) {
        ok = sf_sql_step(&store->sql, &b, &row, err);
        if (ok && row) {
            fill(b.stmt, &found);
            row = fn(ctx, &found);
        }
    }
    sqlite3_finalize(b.stmt);
    return ok;
}

struct finder {
    struct sf_arena *arena;
    struct sf_snapshot_row *out;
    bool found;
};

static const char *keep(struct sf_arena *arena, const char *text)
{
    return sf_arena_strndup(arena, text, strlen(text));
}

static bool take_first(void *ctx, const struct sf_snapshot_row *row)
{
    struct finder *f = ctx;

    *f->out = *row;
    f->out->session = keep(f->arena, row->session);
    f->out->kind = keep(f->arena, row->kind);
    f->out->worktree = keep(f->arena, row->worktree);
    f->out->commit = keep(f->arena, row->commit);
    f->out->label = keep(f->arena, row->label);
    f->out->details = keep(f->arena, row->details);
    f->out->created_at = keep(f->arena, row->created_at);
    f->out->pruned_at = keep(f->arena, row->pruned_at);
    f->found = true;
    return false;
}

bool sf_store_snapshot_get(struct sf_store *store, const struct sf_snapshot_filter *filter,
                           struct sf_arena *arena, struct sf_snapshot_row *out, bool *found,
                           struct sf_error *err)
{
    struct finder f = { arena, out, false };
    bool ok = sf_store_each_snapshot(store, filter, take_first, &f, err);

    *found = f.found;
    return ok;
}

bool sf_store_snapshot_pruned(struct sf_store *store, const char *commit, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(&store->sql,
                                                    "UPDATE snapshots SET pruned_at = ?1"
                                                    " WHERE commit_id = ?2 AND pruned_at IS NULL",
                                                    err) };
    char now[SF_TIME_MAX];

    if (!b.stmt)
        return false;
    sf_time_format_utc(now, sf_clock_wall_ms());
    sf_sql_bind_text(&b, now);
    sf_sql_bind_text(&b, commit);
    return sf_store_run(store, &b, NULL, err);
}

bool sf_store_snapshot_moved(struct sf_store *store, int64_t id, const char *commit,
                             struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(
                                 &store->sql, "UPDATE snapshots SET commit_id = ?1 WHERE id = ?2",
                                 err) };

    if (!b.stmt)
        return false;
    sf_sql_bind_text(&b, commit);
    sf_sql_bind_int(&b, id);
    return sf_store_run(store, &b, NULL, err);
}
