/*
 * usage.c: what requests cost, one row each.
 */
#include "store/internal.h"

static void bind_count(struct sf_sql_bind *b, int64_t value)
{
    sf_sql_bind_int(b, value > 0 ? value : 0);
}

bool sf_store_usage_add(struct sf_store *store, const struct sf_usage_new *usage,
                        struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(
                                 &store->sql,
                                 "INSERT INTO usage (session_id, provider, model, input_tokens,"
                                 " output_tokens, cache_read_tokens, cache_write_tokens,"
                                 " reasoning_tokens, cost_micro_usd, time)"
                                 " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                                 err) };
    char now[SF_TIME_MAX];

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
    return sf_store_run(store, &b, NULL, err);
}
