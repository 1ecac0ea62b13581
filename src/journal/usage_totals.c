/*
 * usage_totals.c: subtotals of usage in the log. A subtotal that cannot be read or belongs to
 * another session is ignored, and all rows are added instead.
 */
#include "journal/usage_totals.h"

#include <stddef.h>
#include <string.h>

#include "journal/log_event.h"

enum { ROWS = 100 }; /* this many new rows are worth another subtotal */

static const struct {
    const char *key;
    size_t at;
} members[] = {
    { "requests", offsetof(struct sf_usage_totals, requests) },
    { "input", offsetof(struct sf_usage_totals, input) },
    { "output", offsetof(struct sf_usage_totals, output) },
    { "cache_read", offsetof(struct sf_usage_totals, cache_read) },
    { "cache_write", offsetof(struct sf_usage_totals, cache_write) },
    { "reasoning", offsetof(struct sf_usage_totals, reasoning) },
    { "cost_micro_usd", offsetof(struct sf_usage_totals, cost_micro_usd) },
    { "unpriced", offsetof(struct sf_usage_totals, unpriced) },
    { "last", offsetof(struct sf_usage_totals, last) },
};

static int64_t *member(struct sf_usage_totals *spent, size_t i)
{
    return (int64_t *)(void *)((char *)spent + members[i].at);
}

struct reading {
    const char *session;
    struct sf_usage_totals spent;
};

static bool read_sum(const struct sf_event_row *event, void *ctx)
{
    struct reading *r = ctx;
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_json *json;
    bool ok;

    if (strcmp(event->session, r->session) != 0)
        return true; /* a subtotal of the session that this one was forked from */
    json = sf_json_parse(event->json, event->len, NULL, &ignored);
    ok = json != NULL;
    for (size_t i = 0; ok && i < SF_COUNT(members); i++)
        ok = sf_json_get_int(json, members[i].key, member(&r->spent, i), &ignored) &&
             *member(&r->spent, i) >= 0;
    if (!ok)
        r->spent = (struct sf_usage_totals){ 0 };
    sf_json_free(json);
    return true;
}

static bool read_last_sum(struct sf_store *store, const char *session, struct sf_usage_totals *out,
                          struct sf_error *err)
{
    struct reading r = { .session = session };
    struct sf_event_range one = { .session = session };
    bool ok = sf_store_event_newest(store, session, SF_LOG_USAGE_TOTALS, &one.first, err);

    one.last = one.first;
    if (ok && one.first) {
        ok = sf_store_each_in_range(store, &one, read_sum, &r, err);
    }
    *out = r.spent;
    return ok;
}

bool sf_usage_totals_read(struct sf_store *store, const char *session, struct sf_usage_totals *out,
                          struct sf_error *err)
{
    return read_last_sum(store, session, out, err) &&
           sf_store_usage_totals(store, session, out, err);
}

static bool write_sum(struct sf_store *store, const char *session, const char *surface,
                      struct sf_usage_totals *spent, struct sf_error *err)
{
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_event_new event = { .session = session,
                                  .surface = surface,
                                  .kind = SF_LOG_USAGE_TOTALS };
    struct sf_event_ref ref;
    struct sf_json_writer w;
    bool ok;

    sf_jw_init(&w, &json);
    sf_jw_object_begin(&w);
    for (size_t i = 0; i < SF_COUNT(members); i++)
        sf_jw_key_int(&w, members[i].key, *member(spent, i));
    sf_jw_object_end(&w);
    event.json = json.buf;
    event.len = json.len;
    ok = sf_store_append(store, &event, &ref, err);
    sf_strbuf_release(&json);
    return ok;
}

bool sf_usage_totals_keep(struct sf_store *store, const char *session, const char *surface,
                          struct sf_error *err)
{
    struct sf_usage_totals spent;
    int64_t before;

    if (!read_last_sum(store, session, &spent, err))
        return false;
    before = spent.requests;
    return sf_store_usage_totals(store, session, &spent, err) &&
           (spent.requests - before < ROWS || write_sum(store, session, surface, &spent, err));
}
