/*
 * search.c: the index of words over all sessions, updated by the transaction that writes an event.
 * It can be rebuilt from the events: if it is damaged, events are written without it, and it is
 * rebuilt when the store is next opened or searched; if it cannot even be opened, by a recovery.
 */
#include <assert.h>
#include <string.h>

#include "io/io.h"
#include "store/internal.h"

enum { BATCH = 500, WORDS_MAX = 16, QUERY_MAX = 1024 };

static bool is_indexed(const char *kind)
{
    static const char *const kinds[] = { "user", "assistant", "steer", "shell" };

    for (size_t i = 0; i < SF_COUNT(kinds); i++)
        if (!strcmp(kinds[i], kind))
            return true;
    return false;
}

/* Notes that the event is to be indexed later. */
static bool put_off(struct sf_store *store, int64_t event, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(&store->sql,
                                                    "INSERT OR IGNORE INTO search_todo (id, last)"
                                                    " VALUES (?1, ?1)",
                                                    err) };
    bool ok;

    if (!b.stmt)
        return false;
    sf_sql_bind_int(&b, event);
    ok = sf_sql_run(&store->sql, &b, err);
    sqlite3_finalize(b.stmt);
    return ok;
}

/* A damaged index may show only at the end of the transaction; the retry then sets `later`. */
bool sf_store_words_add(struct sf_store *store, const char *kind, int64_t event, bool later,
                        struct sf_error *err)
{
    struct sf_sql_bind b = { 0 };

    if (!is_indexed(kind))
        return true;
    if (later)
        return put_off(store, event, err);
    b.stmt = sf_sql_cached(&store->sql, &store->insert_words,
                           "INSERT INTO words (rowid, text) SELECT id, text FROM said"
                           " WHERE id = ?1 AND text IS NOT NULL",
                           err);
    if (!b.stmt)
        return false;
    sf_sql_bind_int(&b, event);
    return sf_sql_run(&store->sql, &b, err);
}

/* ---- events to be indexed ---- */

static bool run_int(struct sf_sql *sql, const char *text, int64_t first, int64_t last,
                    struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(sql, text, err) };
    bool ok = b.stmt != NULL;

    if (ok) {
        sf_sql_bind_int(&b, first);
        sf_sql_bind_int(&b, last);
        ok = sf_sql_run(sql, &b, err);
    }
    sqlite3_finalize(b.stmt);
    return ok;
}

/* Indexes one batch of a row of search_todo; the row is advanced, or deleted at the end. */
static bool fill_batch(struct sf_sql *sql, int64_t id, int64_t last, struct sf_error *err)
{
    int64_t upto = last - id < BATCH ? last : id + BATCH - 1;

    if (!sf_sql_begin(sql, err))
        return false;
    if (run_int(sql,
                "INSERT INTO words (rowid, text) SELECT id, text FROM said"
                " WHERE id BETWEEN ?1 AND ?2 AND text IS NOT NULL",
                id, upto, err) &&
        run_int(sql, "DELETE FROM search_todo WHERE id = ?1 AND last <= ?2", id, upto, err) &&
        run_int(sql, "UPDATE search_todo SET id = ?2 + 1 WHERE id = ?1", id, upto, err))
        return sf_sql_commit(sql, err);
    sf_sql_rollback(sql);
    return false;
}

static bool next_todo(struct sf_sql *sql, int64_t *id, int64_t *last, bool *found,
                      struct sf_error *err)
{
    struct sf_sql_bind b = {
        .stmt = sf_sql_prepare(sql, "SELECT id, last FROM search_todo ORDER BY id LIMIT 1", err)
    };
    bool ok = b.stmt && sf_sql_step(sql, &b, found, err);

    *id = ok && *found ? sqlite3_column_int64(b.stmt, 0) : 0;
    *last = ok && *found ? sqlite3_column_int64(b.stmt, 1) : 0;
    sqlite3_finalize(b.stmt);
    return ok;
}

bool sf_store_words_rebuild(struct sf_sql *sql, struct sf_error *err)
{
    return sf_sql_exec(sql, "INSERT INTO words (words) VALUES ('rebuild'); DELETE FROM search_todo",
                       err);
}

static bool rebuild_alone(struct sf_sql *sql, struct sf_error *err)
{
    if (!sf_sql_begin(sql, err))
        return false;
    if (sf_store_words_rebuild(sql, err))
        return sf_sql_commit(sql, err);
    sf_sql_rollback(sql);
    return false;
}

void sf_store_words_fill(struct sf_sql *sql)
{
    struct sf_error err = SF_ERROR_INIT;
    bool found = false, ok = true;
    int64_t id, last;

    while (ok && (ok = next_todo(sql, &id, &last, &found, &err)) && found)
        ok = fill_batch(sql, id, last, &err);
    if (!ok && err.code == SF_E_DAMAGED)
        ok = rebuild_alone(sql, &err);
    if (!ok)
        sf_log(SF_LOG_WARN, "the index of words is not complete: %s", err.msg);
}

/* ---- searching ---- */

/* Quotes each word, so that nothing in it is an operator; the last one matches as a prefix. */
static size_t write_match(struct sf_strbuf *out, const char *words)
{
    size_t count = 0;

    while (*words && count < WORDS_MAX && out->len < QUERY_MAX) {
        size_t n = strcspn(words, " \t\n\r");

        if (n) {
            sf_strbuf_adds(out, count++ ? " \"" : "\"");
            for (size_t i = 0; i < n; i++) {
                sf_strbuf_addch(out, words[i]);
                if (words[i] == '"')
                    sf_strbuf_addch(out, '"');
            }
            sf_strbuf_addch(out, '"');
        }
        words += n + (words[n] != '\0');
    }
    if (count)
        sf_strbuf_addch(out, '*');
    return count;
}

struct finding {
    sf_search_fn *fn;
    void *ctx;
    bool go_on, event;
};

static bool deliver(struct sf_store *store, const struct sf_sql_bind *b, struct finding *f,
                    struct sf_error *err)
{
    bool row = true, ok = true;

    assert(!store->walking);
    store->walking = true;
    while (ok && row && f->go_on) {
        ok = sf_sql_step(&store->sql, b, &row, err);
        if (ok && row) {
            const struct sf_search_hit hit = { .session = sf_sql_column_text(b->stmt, 0),
                                               .title = sf_sql_column_text(b->stmt, 1),
                                               .kind = sf_sql_column_text(b->stmt, 2),
                                               .time = sf_sql_column_text(b->stmt, 3),
                                               .text = sf_sql_column_text(b->stmt, 4),
                                               .seq = sqlite3_column_int64(b->stmt, 5) };

            f->event = true;
            f->go_on = f->fn(&hit, f->ctx);
        }
    }
    store->walking = false;
    return ok;
}

#define LIVING "s.role = 'talk' AND s.deleted_at IS NULL"

static const char in_titles[] =
    "SELECT s.id, s.title, '', s.updated_at, s.title, 0 FROM sessions AS s WHERE " LIVING
    " AND s.id <> '" SF_SESSION_PROJECT "' AND instr(lower(s.title), lower(?1)) > 0"
    " ORDER BY s.updated_at DESC LIMIT ?2";

static const char in_words[] =
    "SELECT s.id, s.title, e.kind, e.time, snippet(words, 0, '', '', '…', 16), e.seq FROM words"
    " JOIN events AS e ON e.id = words.rowid JOIN sessions AS s ON s.id = e.session_id"
    " WHERE words MATCH ?1 AND " LIVING " ORDER BY words.rowid DESC LIMIT ?2";

static bool look(struct sf_store *store, const char *query, const char *words, size_t limit,
                 struct finding *f, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(&store->sql, query, err) };
    bool ok = b.stmt != NULL;

    if (ok) {
        sf_sql_bind_text(&b, words);
        sf_sql_bind_int(&b, limit && limit < INT32_MAX ? (int64_t)limit : 1000);
        ok = deliver(store, &b, f, err);
    }
    sqlite3_finalize(b.stmt);
    return ok;
}

/* Rebuilds a damaged index and searches again, unless hits were already reported. */
static bool look_again(struct sf_store *store, const char *query, const char *words, size_t limit,
                       struct finding *f, struct sf_error *err)
{
    if (look(store, query, words, limit, f, err))
        return true;
    return err->code == SF_E_DAMAGED && store->mode == SF_STORE_WRITE && !f->event &&
           rebuild_alone(&store->sql, err) && look(store, query, words, limit, f, err);
}

bool sf_store_search(struct sf_store *store, const char *words, size_t limit, sf_search_fn *fn,
                     void *ctx, struct sf_error *err)
{
    struct sf_strbuf match = SF_STRBUF_INIT, clean = SF_STRBUF_INIT;
    struct finding f = { .fn = fn, .ctx = ctx, .go_on = true };
    bool ok = true;

    sf_utf8_scrub(&clean, words, strlen(words));
    if (store->version < 6) {
        ok = sf_fail(err, SF_E_ARG, "the store is too old to be searched");
    } else if (write_match(&match, clean.buf)) {
        ok = look(store, in_titles, clean.buf, limit, &f, err);
        f.event = false;
        ok = ok && (!f.go_on || look_again(store, in_words, match.buf, limit, &f, err));
    }
    sf_strbuf_release(&clean);
    sf_strbuf_release(&match);
    return ok;
}
