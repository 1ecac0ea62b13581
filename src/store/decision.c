/*
 * decision.c: verdicts, each with all five axes, written before anything acts on them; and the
 * answers people gave.
 */
#include "store/internal.h"

static void bind_axes(struct sf_sql_bind *b, const struct sf_mode_state *state)
{
    for (int axis = 0; axis < SF_AXIS_COUNT; axis++)
        sf_sql_bind_text(
            b, sf_axis_name((enum sf_axis)axis, sf_mode_state_get(state, (enum sf_axis)axis)));
    sf_sql_bind_text(b, state->scope);
}

/* What is bound is borrowed until the statement ran; `now` is the caller's for that reason. */
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
