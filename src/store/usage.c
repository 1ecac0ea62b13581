/*
 * usage.c: usage and cost of requests, one row each; the goal is counted in the same transaction.
 */
#include "store/internal.h"

/* All tokens of the request, including cached ones, count for the goal. */
static int64_t goal_tokens(const struct sf_usage_new *u)
{
    const int64_t parts[] = { u->input, u->output, u->cache_read, u->cache_write };
    int64_t sum = 0;

    for (size_t i = 0; i < SF_COUNT(parts); i++)
        if (parts[i] > 0 && __builtin_add_overflow(sum, parts[i], &sum))
            return INT64_MAX;
    return sum;
}

static void bind_count(struct sf_sql_bind *b, int64_t value)
{
    sf_sql_bind_int(b, value > 0 ? value : 0);
}

static bool insert(struct sf_store *store, const struct sf_usage_new *usage, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(
                                 &store->sql,
                                 "INSERT INTO usage (session_id, provider, model, input_tokens,"
                                 " output_tokens, cache_read_tokens, cache_write_tokens,"
                                 " reasoning_tokens, cost_micro_usd, time)"
                                 " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                                 err) };
    char now[SF_TIME_MAX];
    bool ok;

    if (!b.stmt)
        return false;
    sf_time_format_utc(now, sf_clock_wall_ms());
    sf_sql_bind_text(&b, usage->session);
    sf_sql_bind_text(&b, usage->provider);
    sf_sql_bind_text(&b, usage->model);
    bind_count(&b, usage->input);
    bind_count(&b, usage->output);
    bind_count(&b, usage->cache_read);
    bind_count(&b, usage->cache_write);
    bind_count(&b, usage->reasoning);
    if (usage->cost_micro_usd >= 0)
        sf_sql_bind_int(&b, usage->cost_micro_usd);
    else
        sf_sql_bind_text(&b, NULL);
    sf_sql_bind_text(&b, now);
    ok = sf_sql_run(&store->sql, &b, err);
    sqlite3_finalize(b.stmt);
    return ok;
}

bool sf_store_usage_add(struct sf_store *store, const struct sf_usage_new *usage,
                        struct sf_error *err)
{
    if (!sf_store_begin(store, err))
        return false;
    if (insert(store, usage, err) &&
        (!usage->goal_of ||
         sf_store_goal_spend(store, usage->goal_of, goal_tokens(usage), usage->goal_time_ms, err)))
        return sf_sql_commit(&store->sql, err);
    sf_sql_rollback(&store->sql);
    return false;
}

bool sf_store_usage_last(struct sf_store *store, const char *session, struct sf_usage_last *out,
                         struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(
                                 &store->sql,
                                 "SELECT input_tokens + output_tokens + cache_read_tokens"
                                 " + cache_write_tokens, time FROM usage WHERE session_id = ?1"
                                 " ORDER BY id DESC LIMIT 1",
                                 err) };
    bool row = false, ok = b.stmt != NULL;

    *out = (struct sf_usage_last){ .tokens = 0 };
    if (ok) {
        sf_sql_bind_text(&b, session);
        ok = sf_sql_step(&store->sql, &b, &row, err);
    }
    if (ok && row) {
        out->tokens = sqlite3_column_int64(b.stmt, 0);
        snprintf(out->time, sizeof(out->time), "%s", sf_sql_column_text(b.stmt, 1));
    }
    sqlite3_finalize(b.stmt);
    return ok;
}

/* Before schema 6 there were no forks: a session with a parent was a sub-agent. */
static const char *const agents[] = { "s.parent_id IS NOT NULL", "s.role = 'agent'" };

bool sf_store_usage_totals(struct sf_store *store, const char *session, struct sf_usage_totals *out,
                           struct sf_error *err)
{
    struct sf_strbuf sql = SF_STRBUF_INIT;
    struct sf_sql_bind b = { 0 };
    int64_t *const sums[] = { &out->requests,       &out->input,       &out->output,
                              &out->cache_read,     &out->cache_write, &out->reasoning,
                              &out->cost_micro_usd, &out->unpriced };
    bool row = false, ok;

    sf_strbuf_addf(&sql,
                   "WITH RECURSIVE own (id) AS (VALUES (?1) UNION SELECT s.id FROM own JOIN"
                   " sessions AS s ON s.parent_id = own.id WHERE %s)"
                   " SELECT count(*), sum(input_tokens), sum(output_tokens),"
                   " sum(cache_read_tokens), sum(cache_write_tokens), sum(reasoning_tokens),"
                   " sum(cost_micro_usd), count(*) - count(cost_micro_usd), max(usage.id)"
                   " FROM own JOIN usage ON usage.session_id = own.id AND usage.id > ?2",
                   agents[store->version >= 6]);
    b.stmt = sf_sql_prepare(&store->sql, sql.buf, err);
    ok = b.stmt != NULL;
    if (ok) {
        sf_sql_bind_text(&b, session);
        sf_sql_bind_int(&b, out->last);
        ok = sf_sql_step(&store->sql, &b, &row, err);
    }
    if (ok && row && sqlite3_column_int64(b.stmt, 0)) {
        for (int i = 0; i < (int)SF_COUNT(sums); i++)
            *sums[i] += sqlite3_column_int64(b.stmt, i); /* NULL reads as 0 */
        out->last = sqlite3_column_int64(b.stmt, (int)SF_COUNT(sums));
    }
    sqlite3_finalize(b.stmt);
    sf_strbuf_release(&sql);
    return ok;
}
