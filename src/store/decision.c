/*
 * decision.c: verdicts, each with all five axes, written before anything acts on them; and the
 * answers of the user.
 */
#include "store/internal.h"

static void bind_axes(struct sf_sql_bind *b, const struct sf_mode_state *state)
{
    for (int axis = 0; axis < SF_AXIS_COUNT; axis++)
        sf_sql_bind_text(
            b, sf_axis_name((enum sf_axis)axis, sf_mode_state_get(state, (enum sf_axis)axis)));
    sf_sql_bind_text(b, state->scope);
}

/* Bound values are borrowed until the statement has run, so the caller provides `now`. */
static void bind_decision(struct sf_sql_bind *b, const struct sf_decision_new *d,
                          char now[SF_TIME_MAX])
{
    const char *const texts[] = { d->session,
                                  d->tool,
                                  d->action,
                                  d->class,
                                  d->verdict,
                                  d->layer,
                                  d->rule,
                                  d->reason,
                                  d->hint,
                                  d->paths ? d->paths : "[]",
                                  d->hosts ? d->hosts : "[]",
                                  d->programs ? d->programs : "[]",
                                  d->cage };

    for (size_t i = 0; i < SF_COUNT(texts); i++)
        sf_sql_bind_text(b, texts[i]);
    bind_axes(b, d->state);
    sf_time_format_utc(now, sf_clock_wall_ms());
    sf_sql_bind_text(b, now);
}

bool sf_store_decision_add(struct sf_store *store, const struct sf_decision_new *decision,
                           int64_t *id, struct sf_error *err)
{
    struct sf_sql_bind b = {
        .stmt = sf_sql_cached(&store->sql, &store->insert_decision,
                              "INSERT INTO decisions (session_id, tool, action, class, verdict,"
                              " layer, rule, reason, hint, paths, hosts, programs, cage, work_mode,"
                              " run_control, permission_profile, model_mode, surface, scope,"
                              " decided_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11,"
                              " ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)",
                              err)
    };

    char now[SF_TIME_MAX];

    if (!b.stmt || !sf_store_begin(store, err))
        return false;
    bind_decision(&b, decision, now);
    if (!sf_sql_run(&store->sql, &b, err)) {
        sf_sql_rollback(&store->sql);
        return false;
    }
    *id = sqlite3_last_insert_rowid(store->sql.db);
    return sf_sql_commit(&store->sql, err);
}

bool sf_store_decision_answer(struct sf_store *store, int64_t id, const char *answer,
                              const char *answered_by, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(
                                 &store->sql,
                                 "UPDATE decisions SET answer = ?1, answered_by = ?2,"
                                 " answered_at = ?3 WHERE id = ?4 AND answer IS NULL",
                                 err) };
    char now[SF_TIME_MAX];
    bool ok;
    int changed;

    if (!b.stmt)
        return false;
    if (!sf_store_begin(store, err)) {
        sqlite3_finalize(b.stmt);
        return false;
    }
    sf_time_format_utc(now, sf_clock_wall_ms());
    sf_sql_bind_text(&b, answer);
    sf_sql_bind_text(&b, answered_by);
    sf_sql_bind_text(&b, now);
    sf_sql_bind_int(&b, id);
    ok = sf_sql_run(&store->sql, &b, err);
    changed = ok ? sqlite3_changes(store->sql.db) : 0;
    sqlite3_finalize(b.stmt);
    if (ok && changed == 1)
        return sf_sql_commit(&store->sql, err);
    sf_sql_rollback(&store->sql);
    return ok ? sf_fail(err, SF_E_ARG, "decision %lld does not wait for an answer", (long long)id)
              : false;
}

/* ---- reading ---- */

#define FACTS                                                                              \
    "json_object('tool', tool, 'action', action, 'class', class, 'verdict', verdict,"      \
    " 'layer', layer, 'rule', rule, 'reason', reason, 'hint', hint, 'paths', json(paths)," \
    " 'hosts', json(hosts), 'programs', json(programs), 'work_mode', work_mode,"           \
    " 'run_control', run_control, 'permission_profile', permission_profile,"               \
    " 'model_mode', model_mode, 'scope', scope, 'cage', cage, 'answer', answer,"           \
    " 'answered_by', answered_by, 'answered_at', answered_at)"

static struct sf_event_row current(sqlite3_stmt *stmt)
{
    struct sf_event_row row = {
        .id = sqlite3_column_int64(stmt, 0),
        .session = sf_sql_column_text(stmt, 1),
        .time = sf_sql_column_text(stmt, 2),
        .surface = sf_sql_column_text(stmt, 3),
        .kind = SF_DECISION_EVENT,
    };

    row.json = sf_sql_column_bytes(stmt, 4, &row.len);
    return row;
}

static bool walk(struct sf_store *store, const struct sf_sql_bind *b, sf_event_fn *fn, void *ctx,
                 struct sf_error *err)
{
    bool row = true, ok = true;

    while (ok && row) {
        ok = sf_sql_step(&store->sql, b, &row, err);
        if (ok && row) {
            struct sf_event_row decision = current(b->stmt);

            row = fn(&decision, ctx);
        }
    }
    return ok;
}

bool sf_store_each_decision(struct sf_store *store, const struct sf_event_filter *filter,
                            sf_event_fn *fn, void *ctx, struct sf_error *err)
{
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_session_row session = { .id = "" };
    struct sf_sql_bind b = { 0 };
    char since[SF_TIME_MAX];
    bool ok;

    sf_time_format_utc(since, filter->since_ms);
    ok = !filter->session || sf_store_session_get(store, filter->session, &arena, &session, err);
    if (ok)
        b.stmt = sf_sql_prepare(&store->sql,
                                "SELECT id, session_id, decided_at, surface, " FACTS
                                " FROM decisions WHERE id IN (SELECT id FROM decisions"
                                " WHERE (?1 = '' OR session_id = ?1) AND decided_at >= ?2"
                                " ORDER BY id DESC LIMIT ?3) ORDER BY id",
                                err);
    ok = ok && b.stmt;
    if (ok) {
        sf_sql_bind_text(&b, session.id);
        sf_sql_bind_text(&b, since);
        sf_sql_bind_int(&b,
                        filter->limit && filter->limit < INT64_MAX ? (int64_t)filter->limit : -1);
        ok = walk(store, &b, fn, ctx, err);
    }
    sqlite3_finalize(b.stmt);
    sf_arena_release(&arena);
    return ok;
}
