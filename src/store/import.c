/*
 * import.c: makes a session from imported events in one transaction: all of them or none. Each
 * event passes the same checks as one that is appended.
 */
#include "store/internal.h"

static bool insert(struct sf_store *store, const char *id, const struct sf_event_import *event,
                   int64_t seq, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(&store->sql,
                                                    "INSERT INTO events (session_id, seq, time,"
                                                    " surface, kind, data)"
                                                    " VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                                                    err) };
    bool ok;

    if (!b.stmt)
        return false;
    sf_sql_bind_text(&b, id);
    sf_sql_bind_int(&b, seq);
    sf_sql_bind_text(&b, event->time);
    sf_sql_bind_text(&b, event->surface);
    sf_sql_bind_text(&b, event->kind);
    sf_sql_bind_bytes(&b, event->json, event->len);
    ok = sf_sql_run(&store->sql, &b, err);
    sqlite3_finalize(b.stmt);
    return ok && sf_store_words_add(store, event->kind, sqlite3_last_insert_rowid(store->sql.db),
                                    false, err);
}

static bool is_acceptable(const char *id, const struct sf_event_import *event, struct sf_error *err)
{
    const struct sf_event_new as_new = { .session = id,
                                         .surface = event->surface,
                                         .kind = event->kind,
                                         .json = event->json,
                                         .len = event->len };
    char again[SF_TIME_MAX];
    int64_t ms;

    if (!sf_store_event_ok(&as_new, err) ||
        !sf_time_parse_rfc3339(event->time, strlen(event->time), &ms, err))
        return false;
    sf_time_format_utc(again, ms);
    return !strcmp(again, event->time) ||
           sf_fail(err, SF_E_ARG, "the time %.40s is not written as sf writes it", event->time);
}

static bool take_all(struct sf_store *store, const char *id, sf_import_fn *next, void *ctx,
                     struct sf_error *err)
{
    struct sf_event_import event = { 0 };
    int64_t seq = 0;

    err->code = SF_E_NONE;
    while (next(&event, ctx, err))
        if (!is_acceptable(id, &event, err) || !insert(store, id, &event, ++seq, err))
            return false;
    return err->code == SF_E_NONE;
}

bool sf_store_session_import(struct sf_store *store, const struct sf_session_new *new_session,
                             sf_import_fn *next, void *ctx, char id_out[SF_ID_LEN + 1],
                             struct sf_error *err)
{
    if (!sf_store_begin(store, err))
        return false;
    if (sf_store_session_insert(store, new_session, id_out, err) &&
        take_all(store, id_out, next, ctx, err))
        return sf_sql_commit(&store->sql, err);
    sf_sql_rollback(&store->sql);
    return false;
}
