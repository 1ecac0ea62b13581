/*
 * session.c: conversations and their lineage. Ids are ULIDs, so their order is the order of
 * creation.
 */
#include <assert.h>
#include <sys/random.h>

#include "store/internal.h"

#define COLUMNS                                                                    \
    "id, project, title, surface, coalesce(provider, ''), coalesce(model, ''),"    \
    " coalesce(parent_id, ''), created_at, updated_at, coalesce(archived_at, '')," \
    " coalesce(forked_at_seq, 0)"

/* Changes of the axes and of the model do not count: such a session has nothing worth keeping. */
#define BLANK                                                                                 \
    "title = '' AND coalesce(forked_at_seq, 0) = 0 AND NOT EXISTS (SELECT 1 FROM events AS e" \
    " WHERE e.session_id = sessions.id AND e.kind NOT IN ('" SF_TRANSITION_EVENT "', 'model'))"

/* Before schema 6 there were no forks and no deletion: a session with a parent was a sub-agent. */
static const struct {
    const char *role, *alive;
} wordings[] = { { "parent_id IS NOT NULL", "1" }, { "role = 'agent'", "deleted_at IS NULL" } };

static sqlite3_stmt *prepare_select(struct sf_store *store, const char *where, struct sf_error *err)
{
    size_t w = store->version >= 6;
    struct sf_strbuf sql = SF_STRBUF_INIT;
    sqlite3_stmt *stmt;

    sf_strbuf_addf(&sql, "SELECT " COLUMNS ", %s, " BLANK " FROM sessions WHERE %s AND %s",
                   wordings[w].role, wordings[w].alive, where);
    stmt = sf_sql_prepare(&store->sql, sql.buf, err);
    sf_strbuf_release(&sql);
    return stmt;
}

bool sf_store_session_insert(struct sf_store *store, const struct sf_session_new *from,
                             char id[SF_ID_LEN + 1], struct sf_error *err)
{
    struct sf_sql_bind b = {
        .stmt = sf_sql_prepare(&store->sql,
                               "INSERT INTO sessions (id, project, surface, title, provider, model,"
                               " parent_id, forked_at_seq, role, created_at, updated_at)"
                               " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?10)",
                               err)
    };
    unsigned char lot[SF_ID_RANDOM];
    char now[SF_TIME_MAX];
    bool ok;

    if (!b.stmt)
        return false;
    if (getrandom(lot, sizeof(lot), 0) != (ssize_t)sizeof(lot)) {
        sqlite3_finalize(b.stmt);
        return sf_fail_errno(err, "cannot make a session id");
    }
    sf_id_make(id, sf_clock_wall_ms(), lot);
    sf_time_format_utc(now, sf_clock_wall_ms());
    sf_sql_bind_text(&b, id);
    sf_sql_bind_text(&b, from->project);
    sf_sql_bind_text(&b, from->surface);
    sf_sql_bind_text(&b, from->title ? from->title : "");
    sf_sql_bind_text(&b, from->provider);
    sf_sql_bind_text(&b, from->model);
    sf_sql_bind_text(&b, from->parent_id);
    if (from->parent_id)
        sf_sql_bind_int(&b, from->forked_at_seq);
    else
        sf_sql_bind_text(&b, NULL);
    sf_sql_bind_text(&b, from->agent ? "agent" : "talk");
    sf_sql_bind_text(&b, now);
    ok = sf_sql_run(&store->sql, &b, err);
    sqlite3_finalize(b.stmt);
    return ok;
}

bool sf_store_session_create(struct sf_store *store, const struct sf_session_new *new_session,
                             char id_out[SF_ID_LEN + 1], struct sf_error *err)
{
    if (!sf_store_begin(store, err))
        return false;
    if (sf_store_session_insert(store, new_session, id_out, err))
        return sf_sql_commit(&store->sql, err);
    sf_sql_rollback(&store->sql);
    return false;
}

/* Borrowed from the statement until its next step. */
static struct sf_session_row current(sqlite3_stmt *stmt)
{
    return (struct sf_session_row){
        .id = sf_sql_column_text(stmt, 0),
        .project = sf_sql_column_text(stmt, 1),
        .title = sf_sql_column_text(stmt, 2),
        .surface = sf_sql_column_text(stmt, 3),
        .provider = sf_sql_column_text(stmt, 4),
        .model = sf_sql_column_text(stmt, 5),
        .parent_id = sf_sql_column_text(stmt, 6),
        .created_at = sf_sql_column_text(stmt, 7),
        .updated_at = sf_sql_column_text(stmt, 8),
        .archived_at = sf_sql_column_text(stmt, 9),
        .forked_at_seq = sqlite3_column_int64(stmt, 10),
        .agent = sqlite3_column_int(stmt, 11) != 0,
        .blank = sqlite3_column_int(stmt, 12) != 0,
    };
}

static void keep(struct sf_arena *arena, struct sf_session_row *session)
{
    const char **texts[] = { &session->id,         &session->project,    &session->title,
                             &session->surface,    &session->provider,   &session->model,
                             &session->parent_id,  &session->created_at, &session->updated_at,
                             &session->archived_at };

    for (size_t i = 0; i < SF_COUNT(texts); i++)
        *texts[i] = sf_arena_strndup(arena, *texts[i], strlen(*texts[i]));
}

/* Reads up to two sessions with that prefix; a second one means that the prefix is ambiguous. */
static bool find(struct sf_store *store, struct sf_sql_bind *b, const char *prefix,
                 struct sf_arena *arena, struct sf_session_row *out, struct sf_error *err)
{
    bool row = false;

    sf_sql_bind_text(b, prefix);
    if (!sf_sql_step(&store->sql, b, &row, err))
        return false;
    if (!row) {
        sf_fail(err, SF_E_NOENT, "there is no session %s", prefix);
        return sf_hint(err, "`sf sessions` lists them");
    }
    *out = current(b->stmt);
    keep(arena, out);
    if (!strcmp(out->id, prefix))
        return true;
    if (!sf_sql_step(&store->sql, b, &row, err))
        return false;
    if (!row)
        return true;
    sf_fail(err, SF_E_ARG, "several sessions begin with %s: %s, %s …", prefix, out->id,
            sf_sql_column_text(b->stmt, 0));
    return sf_hint(err, "give more of the id");
}

bool sf_store_session_get(struct sf_store *store, const char *prefix, struct sf_arena *arena,
                          struct sf_session_row *out, struct sf_error *err)
{
    struct sf_sql_bind b = { 0 };
    bool ok;

    if (!*prefix)
        return sf_fail(err, SF_E_ARG, "a session needs a name");
    b.stmt =
        prepare_select(store,
                       "id >= ?1 AND substr(id, 1, length(?1)) = ?1 AND (id <> '" SF_SESSION_PROJECT
                       "' OR id = ?1) ORDER BY id LIMIT 2",
                       err);
    ok = b.stmt && find(store, &b, prefix, arena, out, err);
    sqlite3_finalize(b.stmt);
    return ok;
}

bool sf_store_session_update(struct sf_store *store, const char *id, const char *title,
                             const char *provider, const char *model, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(
                                 &store->sql,
                                 "UPDATE sessions SET title = coalesce(?2, title),"
                                 " provider = coalesce(?3, provider), model = coalesce(?4, model)"
                                 " WHERE id = ?1",
                                 err) };
    int changed = 0;

    if (!b.stmt)
        return false;
    sf_sql_bind_text(&b, id);
    sf_sql_bind_text(&b, title);
    sf_sql_bind_text(&b, provider);
    sf_sql_bind_text(&b, model);
    if (!sf_store_run(store, &b, &changed, err))
        return false;
    return changed == 1 || sf_fail(err, SF_E_NOENT, "there is no session %s", id);
}

bool sf_store_each_session(struct sf_store *store, sf_session_fn *fn, void *ctx,
                           struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = prepare_select(store,
                                                    "id <> '" SF_SESSION_PROJECT
                                                    "' ORDER BY updated_at DESC, id DESC",
                                                    err) };
    bool row = true, ok = b.stmt != NULL;

    assert(!store->walking);
    store->walking = true;
    while (ok && row) {
        ok = sf_sql_step(&store->sql, &b, &row, err);
        if (ok && row) {
            struct sf_session_row session = current(b.stmt);

            row = fn(&session, ctx);
        }
    }
    store->walking = false;
    sqlite3_finalize(b.stmt);
    return ok;
}

bool sf_store_session_archive(struct sf_store *store, const char *id, bool archived,
                              struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(
                                 &store->sql, "UPDATE sessions SET archived_at = ?2 WHERE id = ?1",
                                 err) };
    char now[SF_TIME_MAX];
    int changed = 0;

    if (!b.stmt)
        return false;
    sf_time_format_utc(now, sf_clock_wall_ms());
    sf_sql_bind_text(&b, id);
    sf_sql_bind_text(&b, archived ? now : NULL);
    if (!sf_store_run(store, &b, &changed, err))
        return false;
    return changed == 1 || sf_fail(err, SF_E_NOENT, "there is no session %s", id);
}

/* Counts ends of turns, plus one if the last turn runs; prompts within a turn are sf's own. */
static bool count_turns(struct sf_store *store, const char *id, struct sf_session_tally *out,
                        struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(
                                 &store->sql,
                                 "SELECT (SELECT count(*) FROM sessions WHERE parent_id = ?1"
                                 " AND forked_at_seq > 0), coalesce(sum(kind = 'end'), 0)"
                                 " + (coalesce(max(iif(kind = 'user', seq, 0)), 0)"
                                 " > coalesce(max(iif(kind = 'end', seq, 0)), 0))"
                                 " FROM events WHERE session_id = ?1 AND kind IN ('user', 'end')",
                                 err) };
    bool row = false, ok = b.stmt != NULL;

    if (ok) {
        sf_sql_bind_text(&b, id);
        ok = sf_sql_step(&store->sql, &b, &row, err);
    }
    if (ok && row) {
        out->forks = sqlite3_column_int64(b.stmt, 0);
        out->turns = sqlite3_column_int64(b.stmt, 1);
    }
    sqlite3_finalize(b.stmt);
    return ok;
}

bool sf_store_session_tally(struct sf_store *store, const char *id, struct sf_session_tally *out,
                            struct sf_error *err)
{
    struct sf_usage_totals spent = { 0 };

    *out = (struct sf_session_tally){ 0 };
    if (!count_turns(store, id, out, err) || !sf_store_usage_totals(store, id, &spent, err))
        return false;
    out->tokens_in = spent.input + spent.cache_read + spent.cache_write;
    out->tokens_out = spent.output;
    out->cost_micro_usd = spent.cost_micro_usd;
    out->cost_known = !spent.unpriced;
    return true;
}
