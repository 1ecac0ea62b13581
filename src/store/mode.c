/*
 * mode.c: the axes of a session and the transitions that changed them. A transition and the
 * state it leads to are written together, so there is never one without the other.
 */
#include "store/internal.h"

static bool fill_state(struct sf_mode_state *state, sqlite3_stmt *stmt, struct sf_error *err)
{
    for (int axis = 0; axis < SF_AXIS_COUNT; axis++) {
        int value;

        if (!sf_axis_parse((enum sf_axis)axis, sf_sql_column_text(stmt, axis), &value, err))
            return false;
        sf_mode_state_set(state, (enum sf_axis)axis, value);
    }
    if (!sf_scope_name_ok(sf_sql_column_text(stmt, 5)))
        return sf_fail(err, SF_E_DAMAGED, "the store holds a scope that has no valid name");
    sf_mode_state_set_scope(state, sf_sql_column_text(stmt, 5));
    state->paused = sqlite3_column_int(stmt, 6) != 0;
    state->trust = sqlite3_column_int(stmt, 7) != 0;
    state->version = sqlite3_column_int64(stmt, 8);
    return true;
}

bool sf_store_mode_load(struct sf_store *store, const char *session, struct sf_mode_state *state,
                        bool *found, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(
                                 &store->sql,
                                 "SELECT work_mode, run_control, permission_profile, model_mode,"
                                 " surface, scope, paused, trust, version FROM mode_state"
                                 " WHERE session_id = ?1",
                                 err) };
    struct sf_mode_state loaded;
    bool ok = b.stmt != NULL;

    *found = false;
    if (!ok)
        return false;
    sf_mode_state_init(&loaded, SF_SURFACE_HEADLESS);
    sf_sql_bind_text(&b, session);
    ok = sf_sql_step(&store->sql, &b, found, err) && (!*found || fill_state(&loaded, b.stmt, err));
    if (ok && *found)
        *state = loaded;
    sqlite3_finalize(b.stmt);
    return ok;
}

/* Bound values are borrowed until the statement has run, so the caller provides `now`. */
static void bind_state(struct sf_sql_bind *b, const struct sf_mode_state *state,
                       char now[SF_TIME_MAX])
{
    for (int axis = 0; axis < SF_AXIS_COUNT; axis++)
        sf_sql_bind_text(
            b, sf_axis_name((enum sf_axis)axis, sf_mode_state_get(state, (enum sf_axis)axis)));
    sf_sql_bind_text(b, state->scope);
    sf_sql_bind_int(b, state->paused);
    sf_sql_bind_int(b, state->trust);
    sf_sql_bind_int(b, state->version);
    sf_time_format_utc(now, sf_clock_wall_ms());
    sf_sql_bind_text(b, now);
}

/* Runs one statement and counts the rows it changed. */
static bool change(struct sf_store *store, struct sf_sql_bind *b, int *changed,
                   struct sf_error *err)
{
    bool ok = sf_sql_run(&store->sql, b, err);

    *changed = ok ? sqlite3_changes(store->sql.db) : 0;
    sqlite3_finalize(b->stmt);
    return ok;
}

static bool end(struct sf_store *store, bool ok, struct sf_error *err)
{
    if (ok)
        return sf_sql_commit(&store->sql, err);
    sf_sql_rollback(&store->sql);
    return false;
}

static bool insert_state(struct sf_store *store, const char *session,
                         const struct sf_mode_state *state, struct sf_error *err)
{
    struct sf_sql_bind b = {
        .stmt = sf_sql_prepare(&store->sql,
                               "INSERT INTO mode_state (work_mode, run_control, permission_profile,"
                               " model_mode, surface, scope, paused, trust, version, updated_at,"
                               " session_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"
                               " ON CONFLICT DO NOTHING",
                               err)
    };
    char now[SF_TIME_MAX];
    int changed;

    if (!b.stmt)
        return false;
    bind_state(&b, state, now);
    sf_sql_bind_text(&b, session);
    if (!change(store, &b, &changed, err))
        return false;
    return changed == 1 || sf_fail(err, SF_E_EXIST, "the session has a mode already");
}

bool sf_store_mode_begin(struct sf_store *store, const char *session, struct sf_mode_state *state,
                         struct sf_error *err)
{
    struct sf_mode_state first = *state;

    first.version = 1;
    if (!sf_store_begin(store, err) || !end(store, insert_state(store, session, &first, err), err))
        return false;
    *state = first;
    return true;
}

static bool update_state(struct sf_store *store, const struct sf_transition *t,
                         struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(
                                 &store->sql,
                                 "UPDATE mode_state SET work_mode = ?1, run_control = ?2,"
                                 " permission_profile = ?3, model_mode = ?4, surface = ?5,"
                                 " scope = ?6, paused = ?7, trust = ?8, version = ?9,"
                                 " updated_at = ?10 WHERE session_id = ?11 AND version = ?12",
                                 err) };
    char now[SF_TIME_MAX];
    int changed;

    if (!b.stmt)
        return false;
    bind_state(&b, &t->to, now);
    sf_sql_bind_text(&b, t->session);
    sf_sql_bind_int(&b, t->from.version);
    if (!change(store, &b, &changed, err))
        return false;
    if (changed == 1)
        return true;
    sf_fail(err, SF_E_BUSY, "the session's mode was changed somewhere else in the meantime");
    return sf_hint(err, "look at it with `sf mode`, then ask again");
}

static void bind_states(struct sf_sql_bind *b, const struct sf_transition *t,
                        struct sf_strbuf texts[3])
{
    struct sf_json_writer w;

    sf_jw_init(&w, &texts[0]);
    sf_mode_state_json(&t->from, &w);
    sf_jw_init(&w, &texts[1]);
    sf_mode_state_json(&t->to, &w);
    sf_jw_init(&w, &texts[2]);
    sf_transition_json(t, &w);
    for (int i = 0; i < 3; i++)
        sf_sql_bind_bytes(b, texts[i].buf, texts[i].len);
}

static void bind_row(struct sf_sql_bind *b, const struct sf_transition *t,
                     struct sf_strbuf texts[3], char now[SF_TIME_MAX])
{
    sf_time_format_utc(now, sf_clock_wall_ms());
    sf_sql_bind_text(b, t->session);
    sf_sql_bind_int(b, t->id);
    bind_states(b, t, texts);
    sf_sql_bind_text(b, t->reason);
    sf_sql_bind_text(b, sf_when_names[t->when]);
    sf_sql_bind_text(b, sf_actor_names[t->actor]);
    sf_sql_bind_text(b, sf_outcome_names[t->outcome]);
    sf_sql_bind_text(b, now);
    sf_sql_bind_text(b, t->outcome == SF_OUTCOME_PENDING ? NULL : now);
    if (t->superseded_by)
        sf_sql_bind_int(b, t->superseded_by);
    else
        sf_sql_bind_text(b, NULL);
}

/* A row is inserted when the request has to wait, and updated when it is settled. */
static bool write_row(struct sf_store *store, const struct sf_transition *t, struct sf_error *err)
{
    struct sf_sql_bind b = {
        .stmt = sf_sql_prepare(&store->sql,
                               t->written
                                   ? "UPDATE mode_transitions SET from_state = ?3, to_state = ?4,"
                                     " data = ?5, outcome = ?9, settled_at = ?11,"
                                     " superseded_by = ?12 WHERE session_id = ?1 AND number = ?2"
                                     " AND outcome = 'pending'"
                                   : "INSERT INTO mode_transitions (session_id, number, from_state,"
                                     " to_state, data, reason, scope, actor, outcome, requested_at,"
                                     " settled_at, superseded_by) VALUES"
                                     " (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)"
                                     " ON CONFLICT (session_id, number) DO NOTHING",
                               err)
    };
    struct sf_strbuf texts[3] = { SF_STRBUF_INIT, SF_STRBUF_INIT, SF_STRBUF_INIT };
    char now[SF_TIME_MAX];
    int changed = 0;
    bool ok;

    if (!b.stmt)
        return false;
    bind_row(&b, t, texts, now);
    ok = change(store, &b, &changed, err);
    for (int i = 0; i < 3; i++)
        sf_strbuf_release(&texts[i]);
    if (ok && changed != 1)
        ok = sf_fail(err, SF_E_BUSY, "transition %lld of the session is settled already",
                     (long long)t->id);
    return ok;
}

bool sf_store_transition_save(struct sf_store *store, const struct sf_transition *transition,
                              struct sf_error *err)
{
    return sf_store_transition_save_both(store, transition, NULL, err);
}

bool sf_store_transition_save_both(struct sf_store *store, const struct sf_transition *transition,
                                   const struct sf_transition *back, struct sf_error *err)
{
    bool ok;

    if (!sf_store_begin(store, err))
        return false;
    ok = write_row(store, transition, err) &&
         (transition->outcome != SF_OUTCOME_APPLIED || update_state(store, transition, err)) &&
         (!back || write_row(store, back, err));
    return end(store, ok, err);
}

void sf_store_transition_tell(struct sf_store *store, const struct sf_transition *t,
                              enum sf_surface surface)
{
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_event_new event = { .session = t->session,
                                  .surface = sf_axis_name(SF_AXIS_SURFACE, (int)surface),
                                  .kind = SF_TRANSITION_EVENT };
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_event_ref ref;
    struct sf_json_writer w;

    sf_jw_init(&w, &json);
    sf_transition_json(t, &w);
    event.json = json.buf;
    event.len = json.len;
    (void)!sf_store_append(store, &event, &ref, &ignored);
    sf_strbuf_release(&json);
}

bool sf_store_transition_last(struct sf_store *store, const char *session, int64_t *number,
                              struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(&store->sql,
                                                    "SELECT coalesce(max(number), 0) FROM"
                                                    " mode_transitions WHERE session_id = ?1",
                                                    err) };
    bool row = false, ok = b.stmt != NULL;

    if (!ok)
        return false;
    sf_sql_bind_text(&b, session);
    ok = sf_sql_step(&store->sql, &b, &row, err);
    *number = ok && row ? sqlite3_column_int64(b.stmt, 0) : 0;
    sqlite3_finalize(b.stmt);
    return ok;
}

static bool read_pending(sqlite3_stmt *stmt, struct sf_transition *t, struct sf_error *err)
{
    struct sf_mode_state *const states[] = { &t->from, &t->to };
    struct sf_json *json = NULL;
    bool ok = true;

    for (int i = 0; ok && i < 3; i++) {
        size_t len;
        const char *text = sf_sql_column_bytes(stmt, i, &len);

        json = sf_json_parse(text, len, NULL, err);
        ok = json && (i < 2 ? sf_mode_state_from_json(states[i], json, err)
                            : sf_transition_from_json(t, json, err));
        sf_json_free(json);
    }
    return ok;
}

bool sf_store_each_pending(struct sf_store *store, const char *session, sf_pending_fn *fn,
                           void *ctx, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(&store->sql,
                                                    "SELECT from_state, to_state, data FROM"
                                                    " mode_transitions WHERE session_id = ?1"
                                                    " AND outcome = 'pending' ORDER BY number",
                                                    err) };
    struct sf_error ignored = SF_ERROR_INIT;
    bool row = true, ok = b.stmt != NULL;

    if (!ok)
        return false;
    sf_sql_bind_text(&b, session);
    while (ok && row) {
        struct sf_transition t = { .id = 0 };

        ok = sf_sql_step(&store->sql, &b, &row, err);
        if (ok && row && read_pending(b.stmt, &t, &ignored))
            fn(ctx, &t);
    }
    sqlite3_finalize(b.stmt);
    return ok;
}
