/*
 * range.c: parts of a session's log, by the numbers of its events. The numbers have no gaps, shared
 * events first, so the index finds any part, however long the log is. Opening a session asks many
 * times, so the statements are cached.
 */
#include "store/internal.h"

enum { LINE_MAX_LEN = 10000 }; /* breaks a cycle, which only damage can cause */

/* The sessions whose events make up a session's history, newest first, like SF_STORE_LINE. */
struct line {
    struct part {
        char session[SF_ID_LEN + 1];
        int64_t upto;
    } * parts;
    size_t count, cap;
};

static bool find_parent(struct sf_store *store, const struct part *of, struct part *parent,
                        bool *found, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_cached(
                                 &store->sql, &store->forked_from,
                                 "SELECT parent_id, forked_at_seq FROM sessions WHERE id = ?1"
                                 " AND forked_at_seq > 0",
                                 err) };
    bool ok = b.stmt != NULL;

    *found = false;
    if (!ok)
        return false;
    sf_sql_bind_text(&b, of->session);
    ok = sf_sql_step(&store->sql, &b, found, err);
    if (ok && *found) {
        snprintf(parent->session, sizeof(parent->session), "%s", sf_sql_column_text(b.stmt, 0));
        parent->upto = sqlite3_column_int64(b.stmt, 1);
        if (parent->upto > of->upto)
            parent->upto = of->upto;
    }
    sqlite3_reset(b.stmt);
    sqlite3_clear_bindings(b.stmt); /* they borrow from the caller */
    return ok;
}

static bool read_line(struct sf_store *store, const char *session, struct line *line,
                      struct sf_error *err)
{
    struct part part = { .upto = INT64_MAX };
    bool found = true, ok = true;

    snprintf(part.session, sizeof(part.session), "%s", session);
    while (ok && found && line->count < LINE_MAX_LEN) {
        line->parts = sf_grow(line->parts, &line->cap, line->count + 1, sizeof(*line->parts));
        line->parts[line->count++] = part;
        ok = find_parent(store, &line->parts[line->count - 1], &part, &found, err);
    }
    return ok;
}

struct telling {
    sf_event_fn *fn;
    void *ctx;
    bool stopped;
};

static bool tell(const struct sf_event_row *event, void *ctx)
{
    struct telling *t = ctx;

    t->stopped = !t->fn(event, t->ctx);
    return !t->stopped;
}

static bool walk_part(struct sf_store *store, const struct sf_event_range *range,
                      struct telling *telling, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_cached(
                                 &store->sql, &store->event_range,
                                 "SELECT id, seq, session_id, time, surface, kind, data FROM events"
                                 " WHERE session_id = ?1 AND seq BETWEEN ?2 AND ?3 ORDER BY seq",
                                 err) };
    bool ok;

    if (!b.stmt)
        return false;
    sf_sql_bind_text(&b, range->session);
    sf_sql_bind_int(&b, range->first);
    sf_sql_bind_int(&b, range->last);
    ok = sf_store_walk_events(store, &b, tell, telling, err);
    sqlite3_reset(b.stmt);
    sqlite3_clear_bindings(b.stmt);
    return ok;
}

bool sf_store_each_in_range(struct sf_store *store, const struct sf_event_range *range,
                            sf_event_fn *fn, void *ctx, struct sf_error *err)
{
    struct telling telling = { .fn = fn, .ctx = ctx };
    struct line line = { .parts = NULL };
    bool ok = read_line(store, range->session, &line, err);

    for (size_t i = line.count; ok && !telling.stopped && i-- > 0;) {
        const struct part *part = &line.parts[i];
        struct sf_event_range own = { part->session, range->first, range->last };

        if (own.last > part->upto)
            own.last = part->upto;
        if (own.first <= own.last)
            ok = walk_part(store, &own, &telling, err);
    }
    free(line.parts);
    return ok;
}

bool sf_store_event_last(struct sf_store *store, const char *session, int64_t *seq,
                         struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(
                                 &store->sql,
                                 "SELECT coalesce((SELECT max(seq) FROM events WHERE"
                                 " session_id = ?1), (SELECT forked_at_seq FROM sessions WHERE"
                                 " id = ?1), 0)",
                                 err) };
    bool row = false, ok = b.stmt != NULL;

    *seq = 0;
    if (ok) {
        sf_sql_bind_text(&b, session);
        ok = sf_sql_step(&store->sql, &b, &row, err);
    }
    if (ok && row)
        *seq = sqlite3_column_int64(b.stmt, 0);
    sqlite3_finalize(b.stmt);
    return ok;
}

/* Uses the index of kinds, because the kinds that are counted are rare. */
static bool count_part(struct sf_store *store, const struct part *part, const char *kind,
                       struct sf_event_count *out, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt =
                                 sf_sql_cached(&store->sql, &store->event_count,
                                               "SELECT count(*), coalesce(max(seq), 0) FROM events"
                                               " INDEXED BY events_kind_time WHERE kind = ?1"
                                               " AND session_id = ?2 AND seq <= ?3",
                                               err) };
    bool row = false, ok = b.stmt != NULL;

    if (!ok)
        return false;
    sf_sql_bind_text(&b, kind);
    sf_sql_bind_text(&b, part->session);
    sf_sql_bind_int(&b, part->upto);
    ok = sf_sql_step(&store->sql, &b, &row, err);
    if (ok && row) {
        out->count += sqlite3_column_int64(b.stmt, 0);
        if (!out->last) /* the newest part comes first */
            out->last = sqlite3_column_int64(b.stmt, 1);
    }
    sqlite3_reset(b.stmt);
    sqlite3_clear_bindings(b.stmt);
    return ok;
}

bool sf_store_event_count(struct sf_store *store, const char *session, const char *kind,
                          int64_t upto, struct sf_event_count *out, struct sf_error *err)
{
    struct line line = { .parts = NULL };
    bool ok = read_line(store, session, &line, err);

    *out = (struct sf_event_count){ 0 };
    for (size_t i = 0; ok && i < line.count; i++) {
        if (line.parts[i].upto > upto)
            line.parts[i].upto = upto;
        ok = count_part(store, &line.parts[i], kind, out, err);
    }
    free(line.parts);
    return ok;
}

static bool newest_part(struct sf_store *store, const struct part *part, const char *kind,
                        int64_t *seq, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(&store->sql,
                                                    "SELECT seq FROM events INDEXED BY"
                                                    " events_kind_time WHERE kind = ?1 AND"
                                                    " session_id = ?2 AND seq <= ?3"
                                                    " ORDER BY time DESC LIMIT 1",
                                                    err) };
    bool row = false, ok = b.stmt != NULL;

    if (ok) {
        sf_sql_bind_text(&b, kind);
        sf_sql_bind_text(&b, part->session);
        sf_sql_bind_int(&b, part->upto);
        ok = sf_sql_step(&store->sql, &b, &row, err);
    }
    if (ok && row)
        *seq = sqlite3_column_int64(b.stmt, 0);
    sqlite3_finalize(b.stmt);
    return ok;
}

bool sf_store_event_newest(struct sf_store *store, const char *session, const char *kind,
                           int64_t *seq, struct sf_error *err)
{
    struct line line = { .parts = NULL };
    bool ok = read_line(store, session, &line, err);

    *seq = 0;
    for (size_t i = 0; ok && !*seq && i < line.count; i++) /* the newest part comes first */
        ok = newest_part(store, &line.parts[i], kind, seq, err);
    free(line.parts);
    return ok;
}
