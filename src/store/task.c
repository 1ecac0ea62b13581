/*
 * task.c: tasks as a run sees them: read, claimed, moved, kept. A move writes its row first and then
 * changes the task, both under the same condition; if the condition does not hold, neither happens
 * and the caller is told.
 */
#include "store/internal.h"

/* ---- reading ---- */

static void read_row(sqlite3_stmt *stmt, struct sf_task_row *out)
{
    const char *status = sf_sql_column_text(stmt, 5);
    int state = sf_names_find(sf_task_states, status);

    *out = (struct sf_task_row){ .id = sf_sql_column_text(stmt, 0),
                                 .plan_id = sf_sql_column_text(stmt, 1),
                                 .path = sf_sql_column_text(stmt, 2),
                                 .title = sf_sql_column_text(stmt, 3),
                                 .spec = sf_sql_column_text(stmt, 4),
                                 .state = state < 0 ? SF_TASK_BLOCKED : (enum sf_task_state)state,
                                 .position = sqlite3_column_int64(stmt, 6),
                                 .priority = sqlite3_column_int64(stmt, 7),
                                 .fence = sqlite3_column_int64(stmt, 8),
                                 .retries = sqlite3_column_int64(stmt, 9),
                                 .most_retries = sqlite3_column_int64(stmt, 10),
                                 .holder = sf_sql_column_text(stmt, 11),
                                 .lease_until = sf_sql_column_text(stmt, 12),
                                 .session = sf_sql_column_text(stmt, 13),
                                 .last_error = sf_sql_column_text(stmt, 14),
                                 .failure_digest = sf_sql_column_text(stmt, 15),
                                 .verdict = sf_sql_column_text(stmt, 16),
                                 .checkpoint = sf_sql_column_text(stmt, 17),
                                 .created_at = sf_sql_column_text(stmt, 18),
                                 .started_at = sf_sql_column_text(stmt, 19),
                                 .completed_at = sf_sql_column_text(stmt, 20) };
}

bool sf_store_each_task(struct sf_store *store, const struct sf_task_filter *filter, sf_task_fn *fn,
                        void *ctx, struct sf_error *err)
{
    static const char text[] =
        "SELECT t.id, t.plan_id, path, title, spec, status, position, priority, fence,"
        " retry_count, max_retries, holder, lease_until, t.session_id, last_error, failure_digest,"
        " verdict, checkpoint_ref, created_at, started_at, completed_at FROM tasks AS t"
        " LEFT JOIN plans AS p ON p.id = t.plan_id WHERE p.dropped_at IS NULL"
        " AND (?1 IS NULL OR t.id = ?1) AND (?2 IS NULL OR p.name = ?2)"
        " AND (?3 IS NULL OR (status IN ('running', 'verifying')"
        " AND (lease_until IS NULL OR lease_until <= ?3)))"
        " ORDER BY p.name, position, t.id";
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(&store->sql, text, err) };
    bool row = true, ok = b.stmt != NULL;
    char now[SF_TIME_MAX];
    struct sf_task_row task;

    if (!ok)
        return false;
    sf_time_format_utc(now, sf_clock_wall_ms());
    sf_sql_bind_text(&b, filter->id);
    sf_sql_bind_text(&b, filter->plan);
    sf_sql_bind_text(&b, filter->orphaned ? now : NULL);
    while (ok && row) {
        ok = sf_sql_step(&store->sql, &b, &row, err);
        if (ok && row) {
            read_row(b.stmt, &task);
            row = fn(&task, ctx);
        }
    }
    sqlite3_finalize(b.stmt);
    return ok;
}

/* ---- moving ---- */

static const char *mover_name(enum sf_task_mover mover)
{
    switch (mover) {
    case SF_TASK_BY_MACHINE:
        return "machine";
    case SF_TASK_BY_VERDICT:
        return "verdict";
    case SF_TASK_BY_PERSON:
        return "person";
    }
    return "";
}

static bool check_move(enum sf_task_state from, enum sf_task_state to, enum sf_task_mover mover,
                       struct sf_error *err)
{
    if (sf_task_move_may(from, to, mover))
        return true;
    if (!sf_task_move_is_legal(from, to))
        return sf_fail(err, SF_E_ARG, "a task cannot go from %s to %s", sf_task_states[from],
                       sf_task_states[to]);
    return sf_fail(err, SF_E_ARG, "a task does not go from %s to %s by %s", sf_task_states[from],
                   sf_task_states[to],
                   mover == SF_TASK_BY_PERSON ? "a person's word" : "the run's own word");
}

/* ?1 task, ?2 from, ?3 fence, ?4 now, ?5 whether a person: the condition of both statements. */
#define HOLDS                                                                  \
    " WHERE id = ?1 AND status = ?2 AND CASE WHEN ?3 > 0 THEN fence = ?3 ELSE" \
    " ?5 OR lease_until IS NULL OR lease_until <= ?4 END"

static void bind_condition(struct sf_sql_bind *b, const struct sf_task_move *m, const char *now)
{
    sf_sql_bind_text(b, m->task);
    sf_sql_bind_text(b, sf_task_states[m->from]);
    sf_sql_bind_int(b, m->fence);
    sf_sql_bind_text(b, now);
    sf_sql_bind_int(b, m->mover == SF_TASK_BY_PERSON);
}

/* Runs the statement; `changed` says whether its condition held. */
static bool finish(struct sf_store *store, struct sf_sql_bind *b, bool *changed,
                   struct sf_error *err)
{
    bool ok = sf_sql_run(&store->sql, b, err);

    *changed = ok && sqlite3_changes(store->sql.db) == 1;
    sqlite3_finalize(b->stmt);
    return ok;
}

static bool write_transition(struct sf_store *store, const struct sf_task_move *m, const char *now,
                             bool *holds, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(
                                 &store->sql,
                                 "INSERT INTO task_transitions (task_id, from_status, to_status,"
                                 " reason, scope, actor, fence, timestamp)"
                                 " SELECT id, status, ?6, ?7, ?8, ?9, nullif(?3, 0), ?4"
                                 " FROM tasks" HOLDS,
                                 err) };

    if (!b.stmt)
        return false;
    bind_condition(&b, m, now);
    sf_sql_bind_text(&b, sf_task_states[m->to]);
    sf_sql_bind_text(&b, m->reason);
    sf_sql_bind_text(&b, m->scope);
    sf_sql_bind_text(&b, mover_name(m->mover));
    return finish(store, &b, holds, err);
}

/* Nobody holds a task that is not being worked on. */
static bool change_state(struct sf_store *store, const struct sf_task_move *m, const char *now,
                         bool *holds, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(
                                 &store->sql,
                                 "UPDATE tasks SET status = ?6,"
                                 " fence = CASE WHEN ?3 > 0 THEN fence ELSE fence + 1 END,"
                                 " holder = CASE WHEN ?7 AND ?3 > 0 THEN holder END,"
                                 " lease_until = CASE WHEN ?7 AND ?3 > 0 THEN lease_until END,"
                                 " retry_count = retry_count + (?6 = 'retrying'),"
                                 " completed_at = CASE WHEN ?6 = 'done' THEN ?4 END,"
                                 " last_error = coalesce(?8, last_error),"
                                 " failure_digest = coalesce(?9, failure_digest),"
                                 " verdict = coalesce(?10, verdict),"
                                 " checkpoint_ref = coalesce(?11, checkpoint_ref)" HOLDS,
                                 err) };

    if (!b.stmt)
        return false;
    bind_condition(&b, m, now);
    sf_sql_bind_text(&b, sf_task_states[m->to]);
    sf_sql_bind_int(&b, sf_task_state_is_held(m->to));
    sf_sql_bind_text(&b, m->last_error);
    sf_sql_bind_text(&b, m->failure_digest);
    sf_sql_bind_text(&b, m->verdict);
    sf_sql_bind_text(&b, m->checkpoint);
    return finish(store, &b, holds, err);
}

/* What a claim adds to a move: a holder, a lease. The fence was raised by the move. */
static bool set_holder(struct sf_store *store, const struct sf_task_claim *c, const char *now,
                       int64_t *fence, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(
                                 &store->sql,
                                 "UPDATE tasks SET holder = ?2, lease_until = ?3, started_at ="
                                 " coalesce(started_at, ?4), session_id = coalesce(?5, session_id)"
                                 " WHERE id = ?1 RETURNING fence",
                                 err) };
    char until[SF_TIME_MAX];
    bool row = false, ok = b.stmt != NULL;

    if (!ok)
        return false;
    sf_time_format_utc(until, sf_clock_wall_ms() + c->lease_ms);
    sf_sql_bind_text(&b, c->task);
    sf_sql_bind_text(&b, c->holder);
    sf_sql_bind_text(&b, until);
    sf_sql_bind_text(&b, now);
    sf_sql_bind_text(&b, c->session);
    ok = sf_sql_step(&store->sql, &b, &row, err);
    *fence = ok && row ? sqlite3_column_int64(b.stmt, 0) : 0;
    sqlite3_finalize(b.stmt);
    return ok;
}

static bool move_within(struct sf_store *store, const struct sf_task_move *m, const char *now,
                        bool *moved, struct sf_error *err)
{
    return write_transition(store, m, now, moved, err) &&
           (!*moved || change_state(store, m, now, moved, err));
}

bool sf_store_task_move(struct sf_store *store, const struct sf_task_move *move, bool *moved,
                        struct sf_error *err)
{
    char now[SF_TIME_MAX];
    bool ok;

    *moved = false;
    if (!check_move(move->from, move->to, move->mover, err))
        return false;
    if (sf_task_state_is_held(move->to) && !move->fence)
        return sf_fail(err, SF_E_ARG, "a task that goes from %s to %s has a holder",
                       sf_task_states[move->from], sf_task_states[move->to]);
    if (!sf_store_begin(store, err))
        return false;
    sf_time_format_utc(now, sf_clock_wall_ms());
    ok = move_within(store, move, now, moved, err);
    if (ok && *moved)
        return *moved = sf_sql_commit(&store->sql, err);
    *moved = false;
    sf_sql_rollback(&store->sql);
    return ok;
}

bool sf_store_task_claim(struct sf_store *store, const struct sf_task_claim *claim, int64_t *fence,
                         struct sf_error *err)
{
    const struct sf_task_move move = { .task = claim->task,
                                       .from = claim->from,
                                       .to = SF_TASK_RUNNING,
                                       .mover = claim->mover,
                                       .reason = "claimed" };
    char now[SF_TIME_MAX];
    bool moved = false, ok;

    *fence = 0;
    if (!check_move(move.from, move.to, move.mover, err) || !sf_store_begin(store, err))
        return false;
    sf_time_format_utc(now, sf_clock_wall_ms());
    ok = move_within(store, &move, now, &moved, err) &&
         (!moved || set_holder(store, claim, now, fence, err));
    if (ok && moved)
        return sf_sql_commit(&store->sql, err);
    sf_sql_rollback(&store->sql);
    return ok;
}

/* ---- moves of a run ---- */

static bool run_move(struct sf_store *store, const struct sf_task_step *step, int64_t *fence,
                     bool *moved, struct sf_error *err)
{
    const struct sf_task_claim claim = { .holder = step->holder,
                                         .session = step->event->session,
                                         .task = step->move->task,
                                         .lease_ms = step->lease_ms };
    char now[SF_TIME_MAX];

    sf_time_format_utc(now, sf_clock_wall_ms());
    if (!move_within(store, step->move, now, moved, err))
        return false;
    return !*moved || step->move->to != SF_TASK_RUNNING ||
           set_holder(store, &claim, now, fence, err);
}

bool sf_store_task_step(struct sf_store *store, const struct sf_task_step *step, int64_t *fence,
                        int64_t *event, struct sf_error *err)
{
    const struct sf_task_move *move = step->move;
    struct sf_event_ref ref = { 0 };
    bool moved = true;

    *event = 0;
    if ((move && !check_move(move->from, move->to, move->mover, err)) ||
        !sf_store_begin(store, err))
        return false;
    if ((move && !run_move(store, step, fence, &moved, err)) ||
        (moved && !sf_store_event_add(store, step->event, false, &ref, err)) ||
        (!moved &&
         !sf_fail(err, SF_E_BUSY, "task %s was changed somewhere else meanwhile", move->task))) {
        sf_sql_rollback(&store->sql);
        return false;
    }
    *event = ref.id;
    return sf_sql_commit(&store->sql, err);
}

/* ---- keeping ---- */

static bool set_lease(struct sf_store *store, const char *task, int64_t fence, int64_t lease_ms,
                      bool *held, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(
                                 &store->sql,
                                 "UPDATE tasks SET lease_until = ?3 WHERE id = ?1 AND fence = ?2"
                                 " AND holder IS NOT NULL",
                                 err) };
    char until[SF_TIME_MAX];
    int changed = 0;

    *held = false;
    if (!b.stmt)
        return false;
    sf_time_format_utc(until, sf_clock_wall_ms() + lease_ms);
    sf_sql_bind_text(&b, task);
    sf_sql_bind_int(&b, fence);
    sf_sql_bind_text(&b, until);
    if (!sf_store_run(store, &b, &changed, err))
        return false;
    *held = changed == 1;
    return true;
}

bool sf_store_task_renew(struct sf_store *store, const char *task, int64_t fence, int64_t lease_ms,
                         bool *held, struct sf_error *err)
{
    return set_lease(store, task, fence, lease_ms, held, err);
}

bool sf_store_task_release(struct sf_store *store, const char *task, int64_t fence,
                           struct sf_error *err)
{
    bool held;

    return set_lease(store, task, fence, -1, &held, err);
}
