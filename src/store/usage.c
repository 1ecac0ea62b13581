/*
 * usage.c: what requests cost, one row each; the goal they were made for counts with them.
 */
#include "store/internal.h"

/* What the request took, cache and all, counts for the goal. */
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
