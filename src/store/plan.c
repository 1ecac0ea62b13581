/*
 * plan.c: accepted plans and the rows of their tasks. A plan comes and goes in one transaction: its
 * row, its tasks, what is carried over from the plan it replaces, and the end of that one.
 */
#include <errno.h>
#include <sys/random.h>

#include "store/internal.h"

#define WORKED_ON " status IN ('running', 'verifying') AND lease_until > ?2"

static bool make_id(char id[SF_ID_LEN + 1], struct sf_error *err)
{
    unsigned char lot[SF_ID_RANDOM];

    if (getrandom(lot, sizeof(lot), 0) != (ssize_t)sizeof(lot))
        return sf_fail_errno(err, "cannot make an id");
    sf_id_make(id, sf_clock_wall_ms(), lot);
    return true;
}

/* Runs a statement about a plan: ?1 is its id, ?2 now, ?3 a further text. */
static bool about_plan(struct sf_store *store, const char *text, const char *plan, const char *now,
                       const char *more, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(&store->sql, text, err) };
    bool ok = b.stmt != NULL;

    if (!ok)
        return false;
    sf_sql_bind_text(&b, plan);
    if (sqlite3_bind_parameter_count(b.stmt) > 1)
        sf_sql_bind_text(&b, now);
    if (sqlite3_bind_parameter_count(b.stmt) > 2)
        sf_sql_bind_text(&b, more);
    ok = sf_sql_run(&store->sql, &b, err);
    sqlite3_finalize(b.stmt);
    return ok;
}

/* ---- the plan that is there ---- */

struct current {
    char id[SF_ID_LEN + 1]; /* "": none */
    char digest[SF_SHA256_HEX + 1];
    bool worked_on;
};

static bool find_current(struct sf_store *store, const char *name, const char *now,
                         struct current *out, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(&store->sql,
                                                    "SELECT id, digest, EXISTS (SELECT 1 FROM tasks"
                                                    " WHERE plan_id = plans.id AND" WORKED_ON
                                                    ") FROM plans"
                                                    " WHERE name = ?1 AND dropped_at IS NULL",
                                                    err) };
    bool row = false, ok = b.stmt != NULL;

    *out = (struct current){ .worked_on = false };
    if (!ok)
        return false;
    sf_sql_bind_text(&b, name);
    sf_sql_bind_text(&b, now);
    ok = sf_sql_step(&store->sql, &b, &row, err);
    if (ok && row) {
        snprintf(out->id, sizeof(out->id), "%s", sf_sql_column_text(b.stmt, 0));
        snprintf(out->digest, sizeof(out->digest), "%s", sf_sql_column_text(b.stmt, 1));
        out->worked_on = sqlite3_column_int64(b.stmt, 2) != 0;
    }
    sqlite3_finalize(b.stmt);
    if (ok && out->worked_on) {
        sf_fail(err, SF_E_BUSY, "a task of the plan %s is being worked on", name);
        return sf_hint(err, "pause or stop the run first");
    }
    return ok;
}

/* A person's move of all that is open; each row of the log stands before its move. */
static bool end_plan(struct sf_store *store, const char *id, const char *now, const char *why,
                     struct sf_error *err)
{
    return about_plan(
               store,
               "INSERT INTO task_transitions (task_id, from_status, to_status, reason, actor,"
               " timestamp) SELECT id, status, 'cancelled', ?3, 'person', ?2 FROM tasks"
               " WHERE plan_id = ?1 AND status NOT IN ('done', 'cancelled')",
               id, now, why, err) &&
           about_plan(store,
                      "UPDATE tasks SET status = 'cancelled', holder = NULL, lease_until = NULL,"
                      " fence = fence + 1"
                      " WHERE plan_id = ?1 AND status NOT IN ('done', 'cancelled')",
                      id, now, NULL, err) &&
           about_plan(store, "UPDATE plans SET dropped_at = ?2 WHERE id = ?1", id, now, NULL, err);
}

/* ---- accepting ---- */

static bool insert_plan(struct sf_store *store, const struct sf_plan_new *plan, const char *id,
                        const char *now, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(
                                 &store->sql,
                                 "INSERT INTO plans (id, session_id, name, digest, text,"
                                 " accepted_by, accepted_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                                 err) };
    char digest[SF_SHA256_HEX + 1];
    bool ok = b.stmt != NULL;

    if (!ok)
        return false;
    sf_plan_digest(plan->text, plan->len, digest);
    sf_sql_bind_text(&b, id);
    sf_sql_bind_text(&b, plan->session);
    sf_sql_bind_text(&b, plan->name);
    sf_sql_bind_text(&b, digest);
    sf_sql_bind_bytes(&b, plan->text, plan->len);
    sf_sql_bind_text(&b, plan->accepted_by);
    sf_sql_bind_text(&b, now);
    ok = sf_sql_run(&store->sql, &b, err);
    sqlite3_finalize(b.stmt);
    return ok;
}

static const char *axis(const struct sf_mode_state *s, enum sf_axis a)
{
    const int values[] = { [SF_AXIS_WORK] = (int)s->work,
                           [SF_AXIS_CONTROL] = (int)s->control,
                           [SF_AXIS_PROFILE] = (int)s->profile,
                           [SF_AXIS_MODEL] = (int)s->model };

    return sf_axis_name(a, values[a]);
}

static void bind_axes(struct sf_sql_bind *b, const struct sf_mode_state *s)
{
    sf_sql_bind_text(b, axis(s, SF_AXIS_WORK));
    sf_sql_bind_text(b, axis(s, SF_AXIS_CONTROL));
    sf_sql_bind_text(b, axis(s, SF_AXIS_PROFILE));
    sf_sql_bind_text(b, axis(s, SF_AXIS_MODEL));
}

/* What it depends on, as ids within the plan. */
static void blockers_json(const struct sf_plan *plan, size_t task, struct sf_strbuf *out)
{
    const struct sf_plan_refs *refs = &plan->tasks[task].depends;
    struct sf_json_writer w;

    sf_strbuf_reset(out);
    sf_jw_init(&w, out);
    sf_jw_array_begin(&w);
    for (size_t i = 0; i < refs->count; i++)
        sf_jw_str(&w, sf_plan_ref_id(plan, &refs->items[i]));
    sf_jw_array_end(&w);
}

static void spec_json(const struct sf_plan *plan, size_t task, struct sf_strbuf *out)
{
    struct sf_json_writer w;

    sf_strbuf_reset(out);
    sf_jw_init(&w, out);
    sf_plan_task_json(plan, task, &w);
}

/* What all tasks of a plan have in common. */
struct plan_place {
    const struct sf_plan_new *plan;
    const char *id, *now;
};

static bool insert_task(struct sf_store *store, struct sf_sql_bind *b, const struct plan_place *at,
                        size_t task, struct sf_error *err)
{
    struct sf_strbuf spec = SF_STRBUF_INIT, blockers = SF_STRBUF_INIT;
    const struct sf_plan_task *t = &at->plan->plan->tasks[task];
    char id[SF_ID_LEN + 1];
    bool ok = make_id(id, err);

    spec_json(at->plan->plan, task, &spec);
    blockers_json(at->plan->plan, task, &blockers);
    *b = (struct sf_sql_bind){ .stmt = b->stmt };
    sf_sql_bind_text(b, id);
    bind_axes(b, at->plan->state);
    sf_sql_bind_text(b, blockers.buf);
    sf_sql_bind_text(b, at->now);
    sf_sql_bind_text(b, at->id);
    sf_sql_bind_text(b, t->head.id);
    sf_sql_bind_text(b, t->head.title);
    sf_sql_bind_int(b, (int64_t)task + 1);
    sf_sql_bind_int(b, t->priority);
    sf_sql_bind_text(b, spec.buf);
    ok = ok && sf_sql_run(&store->sql, b, err);
    sf_strbuf_release(&spec);
    sf_strbuf_release(&blockers);
    return ok;
}

static bool insert_tasks(struct sf_store *store, const struct sf_plan_new *plan, const char *id,
                         const char *now, struct sf_error *err)
{
    const struct plan_place at = { plan, id, now };
    struct sf_sql_bind b = {
        .stmt =
            sf_sql_prepare(&store->sql,
                           "INSERT INTO tasks (id, work_mode, run_control, permission_profile,"
                           " model_mode, status, dependency_blockers, created_at, plan_id, path,"
                           " title, position, priority, spec)"
                           " VALUES (?1, ?2, ?3, ?4, ?5, 'todo', ?6, ?7, ?8, ?9, ?10, ?11, ?12,"
                           " ?13)",
                           err)
    };
    bool ok = b.stmt != NULL;

    for (size_t i = 0; ok && i < plan->plan->task_count; i++)
        ok = insert_task(store, &b, &at, i, err);
    sqlite3_finalize(b.stmt);
    return ok;
}

/*
 * Tasks that are done and the same keep their state. They were verified then, so that this is no
 * move: the row says where it comes from.
 */
static bool carry_over(struct sf_store *store, const char *from, const char *to, int64_t *carried,
                       struct sf_error *err)
{
    static const char text[] =
        "INSERT OR REPLACE INTO tasks (id, work_mode, run_control, permission_profile, model_mode,"
        " status, dependency_blockers, created_at, plan_id, path, title, position, priority, spec,"
        " checkpoint_ref, cost_spent, started_at, completed_at, session_id, verdict, carried_from)"
        " SELECT n.id, o.work_mode, o.run_control, o.permission_profile, o.model_mode, 'done',"
        " n.dependency_blockers, n.created_at, n.plan_id, n.path, n.title, n.position, n.priority,"
        " n.spec, o.checkpoint_ref, o.cost_spent, o.started_at, o.completed_at, o.session_id,"
        " o.verdict, o.id FROM tasks AS n JOIN tasks AS o ON o.plan_id = ?1 AND o.path = n.path"
        " AND o.spec = n.spec AND o.status = 'done' WHERE n.plan_id = ?2";

    if (!about_plan(store, text, from, to, NULL, err))
        return false;
    *carried = sqlite3_changes(store->sql.db);
    return true;
}

static bool accept(struct sf_store *store, const struct sf_plan_new *plan, const char *id,
                   int64_t *carried, struct sf_error *err)
{
    char now[SF_TIME_MAX], digest[SF_SHA256_HEX + 1];
    struct current old;

    sf_time_format_utc(now, sf_clock_wall_ms());
    sf_plan_digest(plan->text, plan->len, digest);
    if (!find_current(store, plan->name, now, &old, err))
        return false;
    if (*old.id && !strcmp(old.digest, digest))
        return sf_fail(err, SF_E_EXIST, "the plan %s is accepted already, as it is", plan->name);
    return (!*old.id || end_plan(store, old.id, now, "replaced by another plan", err)) &&
           insert_plan(store, plan, id, now, err) && insert_tasks(store, plan, id, now, err) &&
           (!*old.id || carry_over(store, old.id, id, carried, err));
}

bool sf_store_plan_accept(struct sf_store *store, const struct sf_plan_new *plan,
                          char id[SF_ID_LEN + 1], int64_t *carried, struct sf_error *err)
{
    *carried = 0;
    if (!make_id(id, err) || !sf_store_begin(store, err))
        return false;
    if (accept(store, plan, id, carried, err))
        return sf_sql_commit(&store->sql, err);
    sf_sql_rollback(&store->sql);
    return false;
}

static bool drop(struct sf_store *store, const char *name, const char *by, struct sf_error *err)
{
    struct sf_strbuf why = SF_STRBUF_INIT;
    char now[SF_TIME_MAX];
    struct current old;
    bool ok;

    sf_time_format_utc(now, sf_clock_wall_ms());
    if (!find_current(store, name, now, &old, err))
        return false;
    if (!*old.id)
        return sf_fail(err, SF_E_NOENT, "no accepted plan is called %s", name);
    sf_strbuf_addf(&why, "the plan was dropped by %s", by);
    ok = end_plan(store, old.id, now, why.buf, err);
    sf_strbuf_release(&why);
    return ok;
}

bool sf_store_plan_drop(struct sf_store *store, const char *name, const char *by,
                        struct sf_error *err)
{
    if (!sf_store_begin(store, err))
        return false;
    if (drop(store, name, by, err))
        return sf_sql_commit(&store->sql, err);
    sf_sql_rollback(&store->sql);
    return false;
}

bool sf_store_each_plan(struct sf_store *store, const char *name, sf_plan_fn *fn, void *ctx,
                        struct sf_error *err)
{
    static const char text[] =
        "SELECT p.id, p.name, p.digest, CASE WHEN ?1 IS NULL THEN '' ELSE p.text END,"
        " coalesce(p.session_id, ''), p.accepted_by, p.accepted_at, count(t.id),"
        " count(t.id) FILTER (WHERE t.status = 'done') FROM plans AS p LEFT JOIN tasks AS t"
        " ON t.plan_id = p.id WHERE p.dropped_at IS NULL AND (?1 IS NULL OR p.name = ?1)"
        " GROUP BY p.id ORDER BY p.name";
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(&store->sql, text, err) };
    bool row = true, ok = b.stmt != NULL;

    if (ok)
        sf_sql_bind_text(&b, name);
    while (ok && row) {
        ok = sf_sql_step(&store->sql, &b, &row, err);
        if (ok && row) {
            const struct sf_plan_row plan = { .id = sf_sql_column_text(b.stmt, 0),
                                              .name = sf_sql_column_text(b.stmt, 1),
                                              .digest = sf_sql_column_text(b.stmt, 2),
                                              .text = sf_sql_column_text(b.stmt, 3),
                                              .session = sf_sql_column_text(b.stmt, 4),
                                              .accepted_by = sf_sql_column_text(b.stmt, 5),
                                              .accepted_at = sf_sql_column_text(b.stmt, 6),
                                              .tasks = sqlite3_column_int64(b.stmt, 7),
                                              .done = sqlite3_column_int64(b.stmt, 8) };

            row = fn(&plan, ctx);
        }
    }
    sqlite3_finalize(b.stmt);
    return ok;
}
