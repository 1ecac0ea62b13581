/*
 * test_salvage.c: a recovery says of each table what became of it, neither more nor less, and takes
 * long rows up to the bound there is for them.
 */
#include <stdlib.h>
#include <string.h>

#include "store/schema.h"
#include "support/store_case.h"
#include "support/store_damage.h"
#include "support/test.h"

/* The recovery of a store that was made and spoiled; its report, owned. */
static char *recover(const char *dir)
{
    struct sf_strbuf report = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_store_recover(dir, &report, &err))
        fail_msg("%s", err.msg);
    return sf_strbuf_detach(&report);
}

#define BEFORE \
    "tasks: 1 saved\ntask_scheduler: 1 saved\ntask_runtime: 1 saved\ntask_transitions: 1 saved\n"
#define BEHIND                                                                                     \
    "snapshots: 1 saved\ngoals: 1 saved\nqueue: 1 saved\ncoach_state: 1 saved\nworkers: 1 saved\n" \
    "leases: 1 saved\napprovals: 1 saved\npartials: 1 saved\n"
#define BETWEEN   "mode_state: 1 saved\nmode_transitions: 1 saved\ndecisions: 1 saved\n"
#define ALL_SAVED "sessions: 1 saved\nplans: 1 saved\n" BEFORE "events: 0 saved, 1 lost\n" BETWEEN

/* Beside an event that is lost, which makes every one of these stores a damaged one. */
static const struct {
    const char *name, *spoil;
    const char *want; /* all that is said before the place of the old files */
} reports[] = {
    { "nothing else", "",
      ALL_SAVED "usage: 1 saved\n" BEHIND "2 pointers to lost rows were cut\n" },
    { "a text with a zeroed byte", "UPDATE usage SET model = 'a' || char(0) || 'b'",
      ALL_SAVED "usage: 0 saved, 1 lost\n" BEHIND "1 pointers to lost rows were cut\n" },
    { "a row that no constraint lets in",
      "PRAGMA ignore_check_constraints=ON; UPDATE goals SET time_used_ms = -1",
      ALL_SAVED "usage: 1 saved\n"
                "snapshots: 1 saved\ngoals: 0 saved, 1 lost\nqueue: 1 saved\n"
                "coach_state: 1 saved\nworkers: 1 saved\nleases: 1 saved\napprovals: 1 saved\n"
                "partials: 1 saved\n2 pointers to lost rows were cut\n" },
    { "a text with a zeroed byte, where nobody counts",
      "PRAGMA foreign_keys=OFF; UPDATE leases SET resource = 'a' || char(0)",
      ALL_SAVED "usage: 1 saved\n"
                "snapshots: 1 saved\ngoals: 1 saved\nqueue: 1 saved\ncoach_state: 1 saved\n"
                "workers: 1 saved\nleases: 0 saved, perhaps not all\napprovals: 1 saved\n"
                "partials: 1 saved\n2 pointers to lost rows were cut\n" },
    { "a table that is not there", "DROP TABLE leases",
      ALL_SAVED "usage: 1 saved\n"
                "snapshots: 1 saved\ngoals: 1 saved\nqueue: 1 saved\ncoach_state: 1 saved\n"
                "workers: 1 saved\nleases: 0 saved, perhaps not all\napprovals: 1 saved\n"
                "partials: 1 saved\n2 pointers to lost rows were cut\n" },
};

static void test_reports(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(reports); i++) {
        char *dir = test_dir_new(), *report, *place;

        test_store_make_old(dir, sf_store_schema_version());
        test_sql_exec(dir, "DROP TRIGGER events_never_go; PRAGMA foreign_keys=OFF;"
                           "DELETE FROM events WHERE seq = 1");
        test_sql_exec(dir, reports[i].spoil);
        report = recover(dir);
        place = strstr(report, "the damaged files are kept in ");
        assert_non_null(place);
        *place = '\0';
        if (strcmp(report, reports[i].want) != 0)
            fail_msg("%s: the report is\n%snot\n%s", reports[i].name, report, reports[i].want);
        free(report);
        test_dir_free(dir);
    }
}

/* More of them than are looked at in one go. */
static void test_many_dangling(void **state)
{
    char *report;

    test_store_make_old(*state, sf_store_schema_version());
    test_sql_exec(*state,
                  "DROP TRIGGER events_never_go; PRAGMA foreign_keys=OFF;"
                  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)"
                  " INSERT INTO partials (session_id, text) SELECT 'gone', 'x' FROM n;"
                  "DELETE FROM events WHERE seq = 1");
    report = recover(*state);
    assert_non_null(strstr(report, "partials: 2501 saved\n"));
    assert_non_null(strstr(report, "2502 pointers to lost rows were cut\n"));
    assert_int_equal(test_sql_int(*state, "SELECT count(*) FROM partials"), 1);
    assert_int_equal(test_sql_int(*state, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
    free(report);
}

static void append_text(struct sf_store *store, const char *session, size_t len)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_event_new event = { .session = session, .surface = "tui", .kind = "note" };
    struct sf_event_ref ref;

    sf_strbuf_adds(&json, "{\"a\":\"");
    memset(sf_strbuf_room(&json, len), 'x', len);
    json.len = len - 2;
    sf_strbuf_adds(&json, "\"}");
    event.json = json.buf;
    event.len = json.len;
    if (!sf_store_append(store, &event, &ref, &err))
        fail_msg("%zu bytes: %s", len, err.msg);
    sf_strbuf_release(&json);
}

/* Rows of every length around the ends of a page, and the longest there may be. */
static void test_long_rows(void **state)
{
    char session[SF_ID_LEN + 1], *db = test_path(*state, "sf.db"), *bytes, *report;
    struct sf_store *store = test_store_open(*state, SF_STORE_WRITE);
    const size_t sizes[] = { 10, 3950, 4092, 8184, 100000, SF_EVENT_BYTES_MAX };
    size_t len;
    int64_t sum;

    test_store_session(store, session);
    for (size_t i = 0; i < SF_COUNT(sizes); i++)
        append_text(store, session, sizes[i]);
    for (size_t n = 3900; n < 4100; n += 3) /* where a row begins to continue elsewhere */
        append_text(store, session, n);
    sf_store_close(store);
    /* one that no sf writes: it is not taken for an event */
    test_sql_exec(*state, "INSERT INTO events (session_id, seq, time, surface, kind, data)"
                          " SELECT session_id, seq + 1, time, surface, 'huge',"
                          " '{\"a\":\"' || hex(zeroblob(5000000)) || '\"}' FROM events"
                          " ORDER BY id DESC LIMIT 1; PRAGMA wal_checkpoint(TRUNCATE)");
    sum = test_sql_int(*state, "SELECT sum(length(data)) FROM events WHERE kind = 'note'");
    bytes = test_read(db, &len);
    memset(bytes, 0, 4096);
    damage_put(*state, bytes, len);
    report = recover(*state);
    assert_int_equal(
        test_sql_int(*state, "SELECT sum(length(data)) FROM events WHERE kind = 'note'"), sum);
    assert_int_equal(test_sql_int(*state, "SELECT count(*) FROM events WHERE kind = 'huge'"), 0);
    free(report);
    free(bytes);
    free(db);
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, test_dir_setup, test_dir_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reports),
        CASE(test_many_dangling),
        CASE(test_long_rows),
    };

    test_use_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
