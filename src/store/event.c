/*
 * event.c: the log. Appending is the hot path: a few prepared statements in one transaction. The
 * number within the session is taken inside the write transaction, so two writers never get the
 * same one. The numbers of a fork continue those it shares with its parent, and reading a fork
 * begins with the parent's events.
 */
#include <assert.h>

#include "store/internal.h"

/* Our JSON parser is stricter than SQLite's own check, which remains as a second one. */
bool sf_store_event_ok(const struct sf_event_new *event, struct sf_error *err)
{
    const struct sf_json_limits limits = { .bytes = SF_EVENT_BYTES_MAX,
                                           .depth = SF_JSON_DEPTH_MAX };
    struct sf_json *json = NULL;
    bool ok;

    if (event->len > SF_EVENT_BYTES_MAX)
        return sf_fail(err, SF_E_LIMIT, "an event may hold %zu bytes, not %zu", SF_EVENT_BYTES_MAX,
                       event->len);
    if (memchr(event->json, 0, event->len))
        return sf_fail(err, SF_E_ARG, "an event may not hold a NUL byte");
    json = sf_json_parse(event->json, event->len, &limits, err);
    if (!json) {
        sf_error_prefix(err, "the event %s: ", event->kind);
        return false;
    }
    ok = sf_json_type(json) == SF_JSON_OBJECT ||
         sf_fail(err, SF_E_ARG, "the event %s must be a JSON object, not %s", event->kind,
                 sf_json_type_name(sf_json_type(json)));
    sf_json_free(json);
    return ok;
}

static bool touch(struct sf_store *store, const char *session, const char *now,
                  struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_cached(
                                 &store->sql, &store->touch_session,
                                 "UPDATE sessions SET updated_at = ?1 WHERE id = ?2", err) };

    if (!b.stmt)
        return false;
    sf_sql_bind_text(&b, now);
    sf_sql_bind_text(&b, session);
    if (!sf_sql_run(&store->sql, &b, err))
        return false;
    return sqlite3_changes(store->sql.db) == 1 ||
           sf_fail(err, SF_E_NOENT, "there is no session %s", session);
}

static bool insert(struct sf_store *store, const struct sf_event_new *event, const char *now,
                   struct sf_event_ref *out, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_cached(
                                 &store->sql, &store->insert_event,
                                 "INSERT INTO events (session_id, time, surface, kind, data, seq)"
                                 " VALUES (?1, ?2, ?3, ?4, ?5, 1 + coalesce("
                                 "(SELECT max(seq) FROM events WHERE session_id = ?1),"
                                 " (SELECT forked_at_seq FROM sessions WHERE id = ?1), 0))"
                                 " RETURNING id, seq",
                                 err) };
    bool row = false, ok;

    if (!b.stmt)
        return false;
    sf_sql_bind_text(&b, event->session);
    sf_sql_bind_text(&b, now);
    sf_sql_bind_text(&b, event->surface);
    sf_sql_bind_text(&b, event->kind);
    sf_sql_bind_bytes(&b, event->json, event->len);
    ok = sf_sql_step(&store->sql, &b, &row, err);
    if (ok && row) {
        out->id = sqlite3_column_int64(b.stmt, 0);
        out->seq = sqlite3_column_int64(b.stmt, 1);
        ok = sf_sql_run(&store->sql, &b, err);
    }
    sqlite3_clear_bindings(b.stmt); /* they borrow from the caller */
    return ok;
}

bool sf_store_event_add(struct sf_store *store, const struct sf_event_new *event, bool later,
                        struct sf_event_ref *out, struct sf_error *err)
{
    char now[SF_TIME_MAX];

    sf_time_format_utc(now, sf_clock_wall_ms());
    return touch(store, event->session, now, err) && insert(store, event, now, out, err) &&
           sf_store_words_add(store, event->kind, out->id, later, err) &&
           (!event->whole || sf_store_partial_delete(store, event->session, err));
}

static bool append(struct sf_store *store, const struct sf_event_new *event, bool later,
                   struct sf_event_ref *out, struct sf_error *err)
{
    *out = (struct sf_event_ref){ 0 };
    if (!sf_store_begin(store, err))
        return false;
    if (sf_store_event_add(store, event, later, out, err))
        return sf_sql_commit(&store->sql, err);
    sf_sql_rollback(&store->sql);
    return false;
}

/* If only the index is damaged, the event is written without it. */
bool sf_store_append(struct sf_store *store, const struct sf_event_new *event,
                     struct sf_event_ref *out, struct sf_error *err)
{
    *out = (struct sf_event_ref){ 0 };
    if (!sf_store_event_ok(event, err))
        return false;
    return append(store, event, false, out, err) ||
           (err->code == SF_E_DAMAGED && append(store, event, true, out, err));
}

/*
 * Only ids are sorted, since an event may be megabytes. The outer join reports an id without a row,
 * as in a damaged file, instead of skipping it.
 */
static void write_query(struct sf_strbuf *out, const struct sf_event_filter *filter)
{
    if (filter->session)
        sf_strbuf_adds(out, SF_STORE_LINE(":session") " ");
    sf_strbuf_adds(out, "SELECT e.id, e.seq, e.session_id, e.time, e.surface, e.kind, e.data"
                        " FROM (SELECT events.id FROM events");
    if (filter->session)
        sf_strbuf_adds(out, " JOIN line ON line.id = session_id AND seq <= line.upto");
    sf_strbuf_adds(out, " WHERE 1");
    if (filter->kind)
        sf_strbuf_adds(out, " AND kind = :kind");
    if (filter->since_ms)
        sf_strbuf_adds(out, " AND time >= :since");
    /* The index of kinds is ordered by time, so there is nothing to sort. */
    sf_strbuf_adds(out, filter->kind && !filter->session ? " ORDER BY time DESC, events.id DESC"
                                                         : " ORDER BY events.id DESC");
    if (filter->limit && filter->limit < INT64_MAX)
        sf_strbuf_addf(out, " LIMIT %zu", filter->limit);
    sf_strbuf_adds(out, ") AS newest LEFT JOIN events AS e ON e.id = newest.id ORDER BY newest.id");
}

/* Binds the values in the order of write_query. */
static void bind_filter(struct sf_sql_bind *b, const struct sf_event_filter *filter,
                        const char *session, const char *since)
{
    if (filter->session)
        sf_sql_bind_text(b, session);
    if (filter->kind)
        sf_sql_bind_text(b, filter->kind);
    if (filter->since_ms)
        sf_sql_bind_text(b, since);
}

static struct sf_event_row current(sqlite3_stmt *stmt)
{
    struct sf_event_row event = {
        .id = sqlite3_column_int64(stmt, 0),
        .seq = sqlite3_column_int64(stmt, 1),
        .session = sf_sql_column_text(stmt, 2),
        .time = sf_sql_column_text(stmt, 3),
        .surface = sf_sql_column_text(stmt, 4),
        .kind = sf_sql_column_text(stmt, 5),
    };

    event.json = sf_sql_column_bytes(stmt, 6, &event.len);
    return event;
}

/* Blocks that a disk lost read as zeros, which SQLite takes for empty or cut values. */
static bool is_whole(const struct sf_event_row *event)
{
    return event->id > 0 && event->seq > 0 && event->len > 0 &&
           !memchr(event->json, 0, event->len) && event->kind[0] && event->session[0] &&
           event->time[0] && event->surface[0];
}

bool sf_store_walk_events(struct sf_store *store, const struct sf_sql_bind *b, sf_event_fn *fn,
                          void *ctx, struct sf_error *err)
{
    bool row = true, ok = true;

    assert(!store->walking);
    store->walking = true;
    while (ok && row) {
        ok = sf_sql_step(&store->sql, b, &row, err);
        if (ok && row) {
            struct sf_event_row event = current(b->stmt);

            ok = is_whole(&event) || sf_sql_damaged(store->files.db, NULL, err);
            row = ok && fn(&event, ctx);
        }
    }
    store->walking = false;
    return ok;
}

bool sf_store_each_event(struct sf_store *store, const struct sf_event_filter *filter,
                         sf_event_fn *fn, void *ctx, struct sf_error *err)
{
    struct sf_strbuf query = SF_STRBUF_INIT;
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_session_row session = { .id = NULL };
    struct sf_sql_bind b = { 0 };
    char since[SF_TIME_MAX];
    bool ok = false;

    sf_time_format_utc(since, filter->since_ms);
    write_query(&query, filter);
    if (filter->session && !sf_store_session_get(store, filter->session, &arena, &session, err))
        goto out;
    b.stmt = sf_sql_prepare(&store->sql, query.buf, err);
    if (!b.stmt)
        goto out;
    bind_filter(&b, filter, session.id, since);
    ok = sf_store_walk_events(store, &b, fn, ctx, err);
out:
    sqlite3_finalize(b.stmt);
    sf_arena_release(&arena);
    sf_strbuf_release(&query);
    return ok;
}

/* Searches by id: the plus keeps SQLite from using the index of sessions for a long session. */
bool sf_store_each_later(struct sf_store *store, const char *session, int64_t id, sf_event_fn *fn,
                         void *ctx, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(
                                 &store->sql,
                                 "SELECT id, seq, session_id, time, surface, kind, data FROM events"
                                 " WHERE id > ?1 AND +session_id = ?2 ORDER BY id",
                                 err) };
    bool ok = b.stmt != NULL;

    if (ok) {
        sf_sql_bind_int(&b, id);
        sf_sql_bind_text(&b, session);
        ok = sf_store_walk_events(store, &b, fn, ctx, err);
    }
    sqlite3_finalize(b.stmt);
    return ok;
}
