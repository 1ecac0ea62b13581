/*
 * The log and the sessions: numbering, what is refused, what cannot be changed afterwards, and
 * every way of asking.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/internal.h"
#include "support/store_case.h"
#include "support/test.h"

struct fixture {
    char *dir;
    struct sf_store *store;
    char session[SF_ID_LEN + 1];
};

static int setup(void **state)
{
    struct fixture *f = sf_alloc(sizeof(*f));

    f->dir = test_dir_new();
    f->store = test_store_open(f->dir, SF_STORE_WRITE);
    test_store_session(f->store, f->session);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    sf_store_close(f->store);
    test_dir_free(f->dir);
    free(f);
    return 0;
}

static bool append(struct fixture *f, const char *kind, const char *json, size_t len,
                   struct sf_error *err)
{
    const struct sf_event_new event = {
        .session = f->session, .surface = "tui", .kind = kind, .json = json, .len = len
    };
    struct sf_event_ref ref;

    return sf_store_append(f->store, &event, &ref, err);
}

static void test_numbers_per_session(void **state)
{
    struct fixture *f = *state;
    char other[SF_ID_LEN + 1];

    test_store_session(f->store, other);
    for (int i = 1; i <= 10; i++) {
        struct sf_event_ref a = test_store_append(f->store, f->session, i);
        struct sf_event_ref b = test_store_append(f->store, other, i);

        assert_int_equal(a.seq, i);
        assert_int_equal(b.seq, i);
        assert_int_equal(b.id, a.id + 1);
    }
}

static const struct {
    const char *name;
    const char *json;
    size_t len; /* 0: up to the NUL */
    enum sf_errc code;
} refused[] = {
    { "an array", "[1]", 0, SF_E_ARG },
    { "a bare string", "\"x\"", 0, SF_E_ARG },
    { "nothing", "", 0, SF_E_SYNTAX },
    { "half an object", "{\"a\":", 0, SF_E_SYNTAX },
    { "text behind it", "{} x", 0, SF_E_SYNTAX },
    { "a NUL inside", "{\"a\":\"\0\"}", 9, SF_E_ARG },
    { "a NUL behind", "{}\0", 3, SF_E_ARG },
    { "an escaped NUL", "{\"a\":\"\\u0000\"}", 0, SF_E_SYNTAX },
    { "broken UTF-8", "{\"a\":\"\xff\"}", 0, SF_E_SYNTAX },
    { "the same key twice", "{\"a\":1,\"a\":2}", 0, SF_E_SYNTAX },
    { "JSON5", "{a:1}", 0, SF_E_SYNTAX },
};

static void test_refuses_bad_json(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(refused); i++) {
        struct sf_error err = SF_ERROR_INIT;
        size_t len = refused[i].len ? refused[i].len : strlen(refused[i].json);

        if (append(f, "k", refused[i].json, len, &err) || err.code != refused[i].code)
            fail_msg("%s: code %d, %s", refused[i].name, err.code, err.msg);
    }
    assert_int_equal(test_store_append(f->store, f->session, 1).seq, 1);
}

static void test_ceiling(void **state)
{
    struct fixture *f = *state;
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    sf_strbuf_adds(&json, "{\"a\":\"");
    sf_strbuf_fill(&json, 'x', SF_EVENT_BYTES_MAX - json.len - 2);
    sf_strbuf_adds(&json, "\"}");
    assert_true(append(f, "large", json.buf, json.len, &err));
    sf_strbuf_addch(&json, ' ');
    assert_false(append(f, "large", json.buf, json.len, &err));
    assert_int_equal(err.code, SF_E_LIMIT);
    sf_strbuf_release(&json);
    assert_int_equal(test_sql_int(f->dir, "SELECT length(data) FROM events"), SF_EVENT_BYTES_MAX);
}

static void test_refuses_bad_names(void **state)
{
    static const struct {
        const char *name;
        struct sf_event_new event;
        enum sf_errc code;
    } cases[] = {
        { "no such session", { "nobody", "tui", "k", "{}", 2, false }, SF_E_NOENT },
        { "a session by its beginning only", { "p", "tui", "k", "{}", 2, false }, SF_E_NOENT },
        { "no such surface", { "project", "vr", "k", "{}", 2, false }, SF_E_ARG },
        { "an empty kind", { "project", "tui", "", "{}", 2, false }, SF_E_ARG },
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_error err = SF_ERROR_INIT;
        struct sf_event_ref ref;

        if (sf_store_append(f->store, &cases[i].event, &ref, &err) || err.code != cases[i].code)
            fail_msg("%s: code %d, %s", cases[i].name, err.code, err.msg);
    }
    assert_int_equal(test_sql_int(f->dir, "SELECT count(*) FROM events"), 0);
}

/* Also for whoever gets hold of a connection with the store's settings. */
static void test_events_stay(void **state)
{
    static const char *const attempts[] = {
        "UPDATE events SET data = '{}'",
        "DELETE FROM events",
        "REPLACE INTO events SELECT id, session_id, seq, time, surface, kind, '{}' FROM events",
        "REPLACE INTO events SELECT 99, session_id, seq, time, surface, kind, '{}' FROM events",
        "UPDATE events SET seq = seq + 1",
        "INSERT INTO events SELECT id + 1, 'nobody', seq, time, surface, kind, data FROM events",
        "INSERT INTO events SELECT id + 1, session_id, 2, time, surface, kind, '{' FROM events",
        "INSERT INTO events SELECT id + 1, session_id, 2, 'noon', surface, kind, data FROM events",
        "INSERT INTO events SELECT id + 1, session_id, 0, time, surface, kind, data FROM events",
        "INSERT INTO events SELECT id + 1, session_id, '2x', time, surface, kind, data FROM events",
        "PRAGMA writable_schema=ON; DELETE FROM sqlite_schema",
        "DELETE FROM sessions",
    };
    struct fixture *f = *state;
    char *before;

    test_store_append(f->store, f->session, 1);
    before = test_sql_text(f->dir, "SELECT group_concat(id || data) FROM events");
    for (size_t i = 0; i < SF_COUNT(attempts); i++) {
        struct sf_error err = SF_ERROR_INIT;
        char *after;

        if (sf_sql_exec(&f->store->sql, attempts[i], &err))
            fail_msg("accepted: %s", attempts[i]);
        after = test_sql_text(f->dir, "SELECT group_concat(id || data) FROM events");
        assert_string_equal(before, after);
        free(after);
    }
    free(before);
}

struct seen {
    struct sf_strbuf text;
    size_t stop_after;
    size_t count;
};

static bool note(const struct sf_event_row *event, void *ctx)
{
    struct seen *seen = ctx;

    assert_int_equal(strlen(event->json), event->len);
    sf_strbuf_addf(&seen->text, "%s%s:%.*s", seen->count ? " " : "", event->kind, (int)event->len,
                   event->json);
    return ++seen->count != seen->stop_after;
}

static void check_seen(struct fixture *f, const char *name, const struct sf_event_filter *filter,
                       size_t stop_after, const char *want)
{
    struct seen seen = { .text = SF_STRBUF_INIT, .stop_after = stop_after };
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_store_each_event(f->store, filter, note, &seen, &err))
        fail_msg("%s: %s", name, err.msg);
    if (strcmp(seen.text.buf, want) != 0)
        fail_msg("%s: got '%s', want '%s'", name, seen.text.buf, want);
    sf_strbuf_release(&seen.text);
}

static void test_filters(void **state)
{
    struct fixture *f = *state;
    struct sf_error err = SF_ERROR_INIT;
    const struct sf_event_new outside = {
        .session = "project", .surface = "headless", .kind = "b", .json = "{\"n\":4}", .len = 7
    };
    struct sf_event_ref ref;
    int64_t now = sf_clock_wall_ms();
    char begin[5];

    snprintf(begin, sizeof(begin), "%.4s", f->session);
    assert_true(append(f, "a", "{\"n\":1}", 7, &err));
    assert_true(append(f, "b", "{\"n\":2}", 7, &err));
    assert_true(append(f, "a", "{\"n\":3}", 7, &err));
    assert_true(sf_store_append(f->store, &outside, &ref, &err));
    check_seen(f, "all", &(struct sf_event_filter){ 0 }, 0,
               "a:{\"n\":1} b:{\"n\":2} a:{\"n\":3} b:{\"n\":4}");
    check_seen(f, "the newest two, oldest first", &(struct sf_event_filter){ .limit = 2 }, 0,
               "a:{\"n\":3} b:{\"n\":4}");
    check_seen(f, "by kind", &(struct sf_event_filter){ .kind = "b" }, 0,
               "b:{\"n\":2} b:{\"n\":4}");
    check_seen(f, "by session", &(struct sf_event_filter){ .session = f->session }, 0,
               "a:{\"n\":1} b:{\"n\":2} a:{\"n\":3}");
    check_seen(f, "by the beginning of a session", &(struct sf_event_filter){ .session = begin }, 0,
               "a:{\"n\":1} b:{\"n\":2} a:{\"n\":3}");
    check_seen(f, "outside any", &(struct sf_event_filter){ .session = SF_SESSION_PROJECT }, 0,
               "b:{\"n\":4}");
    check_seen(f, "by all at once",
               &(struct sf_event_filter){
                   .kind = "a", .session = f->session, .since_ms = now - 1000, .limit = 1 },
               0, "a:{\"n\":3}");
    check_seen(f, "since tomorrow", &(struct sf_event_filter){ .since_ms = now + 86400000 }, 0, "");
    check_seen(f, "no such kind", &(struct sf_event_filter){ .kind = "x'; DROP TABLE events;" }, 0,
               "");
    check_seen(f, "stopped early", &(struct sf_event_filter){ 0 }, 2, "a:{\"n\":1} b:{\"n\":2}");
    check_seen(f, "an enormous limit", &(struct sf_event_filter){ .limit = SIZE_MAX, .kind = "b" },
               0, "b:{\"n\":2} b:{\"n\":4}");
}

/* The newest events are those written last, also where the clock was set back in between. */
static void test_clock_set_back(void **state)
{
    struct fixture *f = *state;

    test_sql_exec(f->dir, "WITH n(seq, time) AS (VALUES (1, '2026-11-16T05:09:55.000Z'),"
                          " (2, '2026-11-16T05:09:54.000Z'), (3, '2026-11-16T05:09:53.000Z'))"
                          " INSERT INTO events (session_id, seq, time, surface, kind, data)"
                          " SELECT s.id, n.seq, n.time, 'tui', 'a', json_object('n', n.seq)"
                          " FROM n, sessions AS s WHERE s.id <> 'project' ORDER BY n.seq");
    check_seen(f, "of all", &(struct sf_event_filter){ .limit = 1 }, 0, "a:{\"n\":3}");
    check_seen(f, "of a session", &(struct sf_event_filter){ .session = f->session, .limit = 2 }, 0,
               "a:{\"n\":2} a:{\"n\":3}");
    check_seen(f, "of a kind in a session",
               &(struct sf_event_filter){ .session = f->session, .kind = "a", .limit = 1 }, 0,
               "a:{\"n\":3}");
}

static void test_session_by_prefix(void **state)
{
    struct fixture *f = *state;
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_session_row got;
    char other[SF_ID_LEN + 1], prefix[8] = "";

    test_store_session(f->store, other);
    memcpy(prefix, f->session, 4);
    assert_false(sf_store_session_get(f->store, prefix, &arena, &got, &err));
    assert_int_equal(err.code, SF_E_ARG);
    assert_non_null(strstr(err.msg, "several sessions begin with"));
    assert_true(sf_store_session_get(f->store, f->session, &arena, &got, &err));
    assert_string_equal(got.id, f->session);
    assert_string_equal(got.title, "a title");
    assert_string_equal(got.project, "/p");
    assert_string_equal(got.surface, "tui");
    assert_string_equal(got.model, "");
    assert_string_equal(got.parent_id, "");
    assert_string_equal(got.archived_at, "");
    assert_true(sf_store_session_get(f->store, SF_SESSION_PROJECT, &arena, &got, &err));
    assert_string_equal(got.id, SF_SESSION_PROJECT);
    assert_false(sf_store_session_get(f->store, "proj", &arena, &got, &err)); /* in full, or not */
    assert_int_equal(err.code, SF_E_NOENT);
    assert_false(sf_store_session_get(f->store, "%", &arena, &got, &err));
    assert_int_equal(err.code, SF_E_NOENT);
    assert_false(sf_store_session_get(f->store, "", &arena, &got, &err));
    assert_int_equal(err.code, SF_E_ARG);
    assert_false(sf_store_session_get(f->store, "~", &arena, &got, &err));
    assert_int_equal(err.code, SF_E_NOENT);
    sf_arena_release(&arena);
}

/* An id that is the beginning of another one is meant itself. */
static void test_exact_id_wins(void **state)
{
    struct fixture *f = *state;
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_session_row got;

    test_sql_exec(
        f->dir,
        "INSERT INTO sessions (id, project, surface, created_at, updated_at)"
        " SELECT 'project2', project, surface, created_at, updated_at FROM sessions WHERE id = 'project'");
    assert_true(sf_store_session_get(f->store, "project", &arena, &got, &err));
    assert_string_equal(got.id, "project");
    sf_arena_release(&arena);
}

static void test_lineage(void **state)
{
    struct fixture *f = *state;
    struct sf_session_new from = { .project = "/p",
                                   .surface = "web",
                                   .model = "m",
                                   .provider = "offline",
                                   .parent_id = f->session,
                                   .forked_at_seq = 7 };
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_error err = SF_ERROR_INIT;
    char child[SF_ID_LEN + 1];
    struct sf_session_row got;

    assert_true(sf_store_session_create(f->store, &from, child, &err));
    assert_int_equal(strlen(child), SF_ID_LEN);
    assert_true(sf_store_session_get(f->store, child, &arena, &got, &err));
    assert_string_equal(got.parent_id, f->session);
    assert_int_equal(got.forked_at_seq, 7);
    assert_string_equal(got.model, "m");
    assert_string_equal(got.provider, "offline");
    from.parent_id = "nobody";
    assert_false(sf_store_session_create(f->store, &from, child, &err));
    assert_int_equal(err.code, SF_E_ARG);
    from.parent_id = NULL;
    from.surface = "nowhere";
    assert_false(sf_store_session_create(f->store, &from, child, &err));
    assert_int_equal(err.code, SF_E_ARG);
    sf_arena_release(&arena);
}

static bool note_session(const struct sf_session_row *session, void *ctx)
{
    sf_strlist_add(ctx, session->id);
    return true;
}

static void test_sessions_last_used_first(void **state)
{
    struct fixture *f = *state;
    struct sf_strlist ids = SF_STRLIST_INIT;
    struct sf_error err = SF_ERROR_INIT;
    char second[SF_ID_LEN + 1];

    test_store_session(f->store, second);
    test_sql_exec(f->dir, "UPDATE sessions SET updated_at = '2001-01-01T00:00:00.000Z'");
    test_store_append(f->store, f->session, 1);
    assert_true(sf_store_each_session(f->store, note_session, &ids, &err));
    assert_int_equal(ids.count, 2);
    assert_string_equal(ids.items[0], f->session);
    assert_string_equal(ids.items[1], second);
    sf_strlist_release(&ids);
}

/* The newest of many come without reading the rest: asked of the planner. */
static void test_questions_use_indexes(void **state)
{
    static const struct {
        const char *name, *sql, *want;
    } cases[] = {
        { "newest of all", "SELECT id FROM events ORDER BY id DESC LIMIT 5", "SCAN events" },
        { "by kind and time",
          "SELECT id FROM events WHERE kind = 'a' AND time >= '2026' ORDER BY id DESC LIMIT 5",
          "SEARCH events USING COVERING INDEX events_kind_time (kind=? AND time>?)" },
        { "by session", "SELECT max(seq) FROM events WHERE session_id = 'a'",
          "SEARCH events USING COVERING INDEX sqlite_autoindex_events_1 (session_id=?)" },
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_strbuf sql = SF_STRBUF_INIT;
        struct sf_error err = SF_ERROR_INIT;
        sqlite3_stmt *stmt;

        sf_strbuf_addf(&sql, "EXPLAIN QUERY PLAN %s", cases[i].sql);
        stmt = sf_sql_prepare(&f->store->sql, sql.buf, &err);
        assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
        if (strcmp(sf_sql_column_text(stmt, 3), cases[i].want) != 0)
            fail_msg("%s: %s", cases[i].name, sf_sql_column_text(stmt, 3));
        sqlite3_finalize(stmt);
        sf_strbuf_release(&sql);
    }
}

static void test_check_finds_gaps(void **state)
{
    struct fixture *f = *state;
    struct sf_strbuf report = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    for (int i = 1; i <= 9; i++)
        test_store_append(f->store, f->session, i);
    assert_true(sf_store_check(f->dir, &report, &err));
    assert_int_equal(report.len, 0);
    test_sql_exec(f->dir, "DROP TRIGGER events_never_go;"
                          "DELETE FROM events WHERE seq IN (1, 4, 5, 6)");
    assert_false(sf_store_check(f->dir, &report, &err));
    assert_int_equal(err.code, SF_E_DAMAGED);
    assert_non_null(strstr(report.buf, "lacks event 1\n"));
    assert_non_null(strstr(report.buf, "lacks event 4 to 6\n"));
    sf_strbuf_release(&report);
}

static void test_check_finds_dangling(void **state)
{
    struct fixture *f = *state;
    struct sf_strbuf report = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    test_store_append(f->store, f->session, 1);
    test_sql_exec(f->dir, "DELETE FROM sessions WHERE id <> 'project'");
    assert_false(sf_store_check(f->dir, &report, &err));
    assert_int_equal(err.code, SF_E_DAMAGED);
    assert_string_equal(report.buf,
                        "row 1 of events points to a row of sessions that is not there\n");
    sf_strbuf_release(&report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_numbers_per_session, setup, teardown),
        cmocka_unit_test_setup_teardown(test_refuses_bad_json, setup, teardown),
        cmocka_unit_test_setup_teardown(test_ceiling, setup, teardown),
        cmocka_unit_test_setup_teardown(test_refuses_bad_names, setup, teardown),
        cmocka_unit_test_setup_teardown(test_events_stay, setup, teardown),
        cmocka_unit_test_setup_teardown(test_filters, setup, teardown),
        cmocka_unit_test_setup_teardown(test_clock_set_back, setup, teardown),
        cmocka_unit_test_setup_teardown(test_session_by_prefix, setup, teardown),
        cmocka_unit_test_setup_teardown(test_exact_id_wins, setup, teardown),
        cmocka_unit_test_setup_teardown(test_lineage, setup, teardown),
        cmocka_unit_test_setup_teardown(test_sessions_last_used_first, setup, teardown),
        cmocka_unit_test_setup_teardown(test_questions_use_indexes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_check_finds_gaps, setup, teardown),
        cmocka_unit_test_setup_teardown(test_check_finds_dangling, setup, teardown),
    };

    test_use_memory();
    return cmocka_run_group_tests_name("event", tests, NULL, NULL);
}
