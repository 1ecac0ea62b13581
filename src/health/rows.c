/*
 * rows.c: checks of rows that say that somebody is at work: leases, workers, tasks. A holder is
 * gone only if its process ended on this machine, or if nothing names a holder at all; of another
 * machine nothing is known, so nothing is offered.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "health/internal.h"
#include "io/io.h"
#include "store/store.h"

enum { ASK_MS = 5000, FAULTS = 50, GRACE_MS = 60000 };

/* One running query over the rows of a check. */
struct rows {
    struct sf_health *health;
    char host[256];
    int64_t now_ms;
    size_t found;
};

static const char *text_of(const struct sf_query_row *row, size_t column)
{
    const struct sf_query_value *v = &row->values[column];

    return v->type == SF_QUERY_TEXT ? v->bytes : "";
}

/* An instant in the past by more than a moment; what cannot be read is not. */
static bool is_past(const struct rows *r, const char *instant)
{
    struct sf_error ignored = SF_ERROR_INIT;
    int64_t ms;

    return *instant && sf_time_parse_rfc3339(instant, strlen(instant), &ms, &ignored) &&
           r->now_ms > ms + GRACE_MS;
}

static bool look_rows(struct sf_health *h, const char *sql, sf_query_row_fn *fn, const char *well)
{
    struct rows r = { .health = h, .now_ms = sf_clock_wall_ms() };
    struct sf_error err = SF_ERROR_INIT;
    const struct sf_query query = { .sql = sql, .timeout_ms = ASK_MS, .row = fn, .ctx = &r };

    if (!sf_health_has_state(h))
        return false;
    if (!sf_health_exists(h->at->state_dir, "sf.db")) {
        sf_health_say(h, SF_HEALTH_OK, "", "there is no store yet");
        return true;
    }
    if (gethostname(r.host, sizeof(r.host) - 1) < 0)
        r.host[0] = '\0';
    if (!sf_store_query(h->at->state_dir, &query, &err)) {
        sf_health_error(h, SF_HEALTH_PROBLEM, &err);
        return false;
    }
    if (!r.found)
        sf_health_say(h, SF_HEALTH_OK, "", "%s", well);
    return true;
}

static void offer_cell(struct sf_health *h, const char *cell, const char *key, const char *was,
                       const char *now)
{
    struct sf_strbuf subject = SF_STRBUF_INIT;

    sf_strbuf_addf(&subject, "%s/%s", cell, key);
    sf_health_offer(h, SF_HEALTH_CELL, subject.buf, was, now);
    sf_strbuf_release(&subject);
}

/* ---- orphans ---- */

/* Each row is one sentence; what foreign keys cover is left to the check of the store. */
#define ORPHANS                                                                                    \
    "SELECT 'moves of the task ' || task_id || ', which is gone' FROM task_transitions"            \
    " WHERE task_id NOT IN (SELECT id FROM tasks) GROUP BY task_id"                                \
    " UNION ALL SELECT 'the task ' || t.id || ' waits for ' || b.value || ', which is gone'"       \
    " FROM tasks AS t, json_each(CASE WHEN json_valid(t.dependency_blockers)"                      \
    "  THEN t.dependency_blockers ELSE '[]' END) AS b WHERE b.value NOT IN (SELECT id FROM tasks)" \
    " UNION ALL SELECT 'the task ' || id || ' has dependencies that cannot be read' FROM tasks"    \
    " WHERE dependency_blockers IS NOT NULL AND NOT json_valid(dependency_blockers)"               \
    " UNION ALL SELECT 'words wait in a session that was deleted: ' || q.session_id FROM queue"    \
    " AS q JOIN sessions AS s ON s.id = q.session_id WHERE s.deleted_at IS NOT NULL AND"           \
    " q.taken_at IS NULL AND q.dropped_at IS NULL LIMIT 20"

static bool look_orphan(const struct sf_query_row *row, void *ctx)
{
    struct rows *r = ctx;

    r->found++;
    sf_health_say(r->health, SF_HEALTH_WARNING, "sf log --sql 'select …' shows the rows", "%s",
                  text_of(row, 0));
    return true;
}

void sf_health_look_orphans(struct sf_health *h)
{
    look_rows(h, ORPHANS, look_orphan, "every row belongs to something");
}

/* ---- leases and workers ---- */

static bool is_gone(const struct rows *r, const struct sf_query_row *row, size_t host, size_t pid)
{
    return r->host[0] && !strcmp(text_of(row, host), r->host) &&
           row->values[pid].type == SF_QUERY_INT &&
           !sf_health_is_alive((pid_t)row->values[pid].integer);
}

static void now_text(const struct rows *r, char out[SF_TIME_MAX])
{
    sf_time_format_utc(out, r->now_ms);
}

static bool look_lease(const struct sf_query_row *row, void *ctx)
{
    struct rows *r = ctx;
    bool gone = is_gone(r, row, 2, 3);
    char now[SF_TIME_MAX];

    if (!is_past(r, text_of(row, 1)))
        return true;
    r->found++;
    now_text(r, now);
    sf_health_say(r->health, SF_HEALTH_WARNING,
                  gone ? "sf doctor fix leases gives it back"
                       : "whoever needs it takes it over; nothing has to be done",
                  "the lease on %s ran out at %s", text_of(row, 0), text_of(row, 1));
    if (gone)
        offer_cell(r->health, "leases/released_at", text_of(row, 0), NULL, now);
    return true;
}

void sf_health_look_leases(struct sf_health *h)
{
    look_rows(h,
              "SELECT l.resource, l.expires_at, w.host, w.pid FROM leases AS l JOIN workers AS w"
              " ON w.id = l.worker_id WHERE l.released_at IS NULL LIMIT 50",
              look_lease, "no lease ran out");
}

static bool look_worker(const struct sf_query_row *row, void *ctx)
{
    struct rows *r = ctx;

    if (!is_gone(r, row, 1, 2))
        return true;
    r->found++;
    sf_health_say(r->health, SF_HEALTH_WARNING, "sf doctor fix workers notes their end",
                  "the worker %s is registered, but its process %" PRId64 " is gone",
                  text_of(row, 0), row->values[2].integer);
    offer_cell(r->health, "workers/ended_at", text_of(row, 0), NULL, text_of(row, 3));
    return true;
}

void sf_health_look_workers(struct sf_health *h)
{
    look_rows(
        h, "SELECT id, host, pid, last_heartbeat_at FROM workers WHERE ended_at IS NULL LIMIT 50",
        look_worker, "every worker is there");
}

/* ---- tasks ---- */

/*
 * Somebody is at a task if a process does, by its own row or by that of a worker. A worker on
 * another machine counts as long as it was not ended.
 */
static bool look_task(const struct sf_query_row *row, void *ctx)
{
    struct rows *r = ctx;
    bool runtime =
        row->values[2].type == SF_QUERY_INT && sf_health_is_alive((pid_t)row->values[2].integer);
    bool worker = *text_of(row, 3) && !is_gone(r, row, 3, 4);

    if (runtime || worker)
        return true;
    r->found++;
    sf_health_say(r->health, SF_HEALTH_WARNING, "sf doctor fix tasks lets it be tried again",
                  "the task %s is %s, but nobody is there", text_of(row, 0), text_of(row, 1));
    offer_cell(r->health, "tasks/status", text_of(row, 0), text_of(row, 1), "retrying");
    return true;
}

void sf_health_look_tasks(struct sf_health *h)
{
    look_rows(h,
              "SELECT t.id, t.status, r.process_pid, w.host, w.pid FROM tasks AS t"
              " LEFT JOIN task_runtime AS r ON r.task_id = t.id"
              " LEFT JOIN workers AS w ON w.id = (SELECT id FROM workers WHERE task_id = t.id AND"
              " ended_at IS NULL ORDER BY last_heartbeat_at DESC LIMIT 1)"
              " WHERE t.status IN ('running', 'verifying') LIMIT 50",
              look_task, "nobody is missing");
}
