/*
 * The index of words: kept with each event, made for stores that had none, made again where it is
 * damaged; whatever is looked for or was said, nothing breaks. And sessions that go for good.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "store/internal.h"
#include "support/store_case.h"
#include "support/test.h"

static void say(struct sf_store *store, const char *session, const char *kind, const char *text)
{
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_event_new event = { .session = session, .surface = "tui", .kind = kind };
    struct sf_event_ref ref;
    struct sf_json_writer w;

    sf_strbuf_addf(&json,
                   "{\"message\":{\"role\":\"%s\",\"blocks\":[{\"kind\":\"text\",\"text\":", kind);
    sf_jw_init(&w, &json);
    sf_jw_str(&w, text);
    sf_strbuf_adds(&json, "},{\"kind\":\"text\",\"text\":\"<turn_meta>hidden</turn_meta>\"}]}}");
    event.json = json.buf;
    event.len = json.len;
    if (!sf_store_append(store, &event, &ref, &err))
        fail_msg("%s", err.msg);
    sf_strbuf_release(&json);
}

static bool count_hit(const struct sf_search_hit *hit, void *ctx)
{
    size_t *count = ctx;

    assert_true(*hit->session != '\0');
    ++*count;
    return true;
}

static size_t hits(struct sf_store *store, const char *words)
{
    struct sf_error err = SF_ERROR_INIT;
    size_t count = 0;

    if (!sf_store_search(store, words, 100, count_hit, &count, &err))
        fail_msg("%s: %s", words, err.msg);
    return count;
}

static void test_words(void **state)
{
    static const struct {
        const char *words;
        size_t want;
    } cases[] = {
        { "zebra", 1 },      { "ZEBRA", 1 },         { "zeb", 1 },
        { "ebra", 0 },       { "stripes zeb", 1 },   { "stripes lion", 0 },
        { "über", 1 },       { "uber", 1 },          { "hidden", 0 },
        { "", 0 },           { "  \t ", 0 },         { "\"", 0 },
        { "*", 0 },          { "zebra OR lion", 0 }, { "NEAR(a b)", 0 },
        { "text:zebra", 0 }, { "-zebra", 1 },        { "\xff\xfe", 0 },
        { "^zebra", 1 },     { "世界", 1 },          { "'; DROP TABLE words; --", 0 },
    };
    struct sf_store *store = test_store_open(*state, SF_STORE_WRITE);
    char session[SF_ID_LEN + 1];

    test_store_session(store, session);
    say(store, session, "user", "a zebra has stripes, Über 世界");
    say(store, session, "result", "results are not indexed: mongoose");
    for (size_t i = 0; i < SF_COUNT(cases); i++)
        if (hits(store, cases[i].words) != cases[i].want)
            fail_msg("'%s' is found %zu times", cases[i].words, hits(store, cases[i].words));
    assert_int_equal(hits(store, "mongoose"), 0);
    sf_store_close(store);
}

/* A store without an index gets one, by steps; an event that is nothing of ours does no harm. */
static void test_old_store(void **state)
{
    struct sf_store *store;

    test_store_make_old(*state, 5);
    for (int i = 2; i < 1300; i++) {
        char sql[512];

        snprintf(sql, sizeof(sql),
                 "INSERT INTO events (session_id, seq, time, surface, kind, data) VALUES ('s1', %d,"
                 " '2026-05-08T10:00:00.000Z', 'tui', 'user', '{\"message\":{\"role\":\"user\","
                 "\"blocks\":[{\"kind\":\"text\",\"text\":\"%s number %d\"}]}}')",
                 i, i % 1000 ? "plain" : "rare", i);
        test_sql_exec(*state, sql);
    }
    test_sql_exec(*state, "INSERT INTO events (session_id, seq, time, surface, kind, data) VALUES"
                          " ('s1', 1300, '2026-05-08T10:00:00.000Z', 'tui', 'assistant',"
                          " '{\"message\":[1,{\"blocks\":7}]}')");
    store = test_store_open(*state, SF_STORE_WRITE);
    assert_int_equal(hits(store, "rare"), 1);
    assert_int_equal(hits(store, "1299"), 1);
    say(store, "s1", "user", "newer than the upgrade");
    assert_int_equal(hits(store, "upgrade"), 1);
    sf_store_close(store);
    assert_int_equal(test_sql_int(*state, "SELECT count(*) FROM search_todo"), 0);
}

/* An upgrade that died on its way goes on when the store is opened next. */
static void test_fill_goes_on(void **state)
{
    struct sf_store *store = test_store_open(*state, SF_STORE_WRITE);
    char session[SF_ID_LEN + 1];

    test_store_session(store, session);
    say(store, session, "user", "first zebra");
    say(store, session, "user", "second zebra");
    sf_store_close(store);
    test_sql_exec(*state, "INSERT INTO words (words) VALUES ('delete-all');"
                          "INSERT INTO search_todo (id, last) SELECT min(id), max(id) FROM events");
    store = test_store_open(*state, SF_STORE_WRITE);
    assert_int_equal(hits(store, "zebra"), 2);
    sf_store_close(store);
}

static void damage_index(const char *dir, const char *where)
{
    struct sf_store *store = test_store_open(dir, SF_STORE_WRITE);
    char session[SF_ID_LEN + 1], sql[128];

    test_store_session(store, session);
    say(store, session, "user", "first zebra");
    sf_store_close(store);
    snprintf(sql, sizeof(sql), "UPDATE words_data SET block = x'ffffffffffffffffffff' WHERE %s",
             where);
    test_sql_exec(dir, sql);
    store = test_store_open(dir, SF_STORE_WRITE);
    say(store, session, "user", "second zebra");
    sf_store_close(store);
    assert_int_equal(test_store_count(dir), 2);
}

/* The index is damaged: events are written all the same, and it is made again. */
static void test_damaged_index(void **state)
{
    struct sf_store *store;

    damage_index(*state, "id > 10");
    store = test_store_open(*state, SF_STORE_WRITE);
    assert_int_equal(hits(store, "zebra"), 2);
    assert_int_equal(hits(store, "zebra"), 2);
    sf_store_close(store);
}

/* It cannot be opened at all: only a recovery helps, and loses nothing. */
static void test_lost_index(void **state)
{
    struct sf_strbuf report = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_store *store;
    size_t count = 0;

    damage_index(*state, "id = 10");
    store = test_store_open(*state, SF_STORE_WRITE);
    assert_false(sf_store_search(store, "zebra", 9, count_hit, &count, &err));
    assert_int_equal(err.code, SF_E_DAMAGED);
    assert_non_null(strstr(err.hint, "sf store recover"));
    sf_store_close(store);
    assert_false(sf_store_check(*state, &report, &err));
    assert_true(sf_store_recover(*state, &report, &err));
    store = test_store_open(*state, SF_STORE_WRITE);
    assert_int_equal(hits(store, "zebra"), 2);
    sf_store_close(store);
    sf_strbuf_release(&report);
}

/* ---- forks and what goes ---- */

static void fork_session(struct sf_store *store, const char *parent, int64_t at,
                         char id[SF_ID_LEN + 1])
{
    const struct sf_session_new from = {
        .project = "/p", .surface = "tui", .parent_id = parent, .forked_at_seq = at
    };
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_store_session_create(store, &from, id, &err))
        fail_msg("%s", err.msg);
}

static bool note_seq(const struct sf_event_row *event, void *ctx)
{
    sf_strbuf_addf(ctx, "%lld ", (long long)event->seq);
    return true;
}

static void expect_seqs(struct sf_store *store, const char *session, size_t limit, const char *want)
{
    const struct sf_event_filter filter = { .session = session, .limit = limit };
    struct sf_strbuf seqs = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    assert_true(sf_store_each_event(store, &filter, note_seq, &seqs, &err));
    if (strcmp(seqs.buf, want) != 0)
        fail_msg("events %s, not %s", seqs.buf, want);
    sf_strbuf_release(&seqs);
}

/* a: 1 2 3 4; b shares 1 2 and has 3 4; c shares 1 2 3 of b; d shares 1 of c. */
static void test_lineage(void **state)
{
    struct sf_store *store = test_store_open(*state, SF_STORE_WRITE);
    char a[SF_ID_LEN + 1], b[SF_ID_LEN + 1], c[SF_ID_LEN + 1], d[SF_ID_LEN + 1];
    struct sf_strbuf report = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    test_store_session(store, a);
    for (int i = 0; i < 3; i++)
        say(store, a, "user", "in a");
    fork_session(store, a, 2, b);
    say(store, b, "user", "in b");
    say(store, a, "user", "in a");
    say(store, b, "user", "in b");
    fork_session(store, b, 3, c);
    say(store, c, "user", "in c");
    fork_session(store, c, 1, d);
    say(store, d, "user", "in d");
    expect_seqs(store, a, 0, "1 2 3 4 ");
    expect_seqs(store, b, 0, "1 2 3 4 ");
    expect_seqs(store, c, 0, "1 2 3 4 ");
    expect_seqs(store, d, 0, "1 2 ");
    expect_seqs(store, c, 2, "3 4 ");
    assert_false(sf_store_session_delete(store, a, &err));
    assert_int_equal(err.code, SF_E_BUSY);
    assert_true(sf_store_session_delete(store, d, &err));
    assert_true(sf_store_session_delete(store, c, &err));
    assert_false(sf_store_session_delete(store, c, &err));
    assert_int_equal(err.code, SF_E_NOENT);
    assert_true(sf_store_session_delete(store, b, &err));
    assert_true(sf_store_session_delete(store, a, &err));
    assert_int_equal(hits(store, "in"), 0);
    assert_false(sf_store_session_delete(store, SF_SESSION_PROJECT, &err));
    sf_store_close(store);
    if (!sf_store_check(*state, &report, &err))
        fail_msg("%s\n%s", err.msg, report.buf);
    sf_strbuf_release(&report);
}

/* A circle, as only damage makes it, ends. */
static void test_circle(void **state)
{
    struct sf_store *store = test_store_open(*state, SF_STORE_WRITE);
    char a[SF_ID_LEN + 1], b[SF_ID_LEN + 1];
    struct sf_strbuf sql = SF_STRBUF_INIT, seqs = SF_STRBUF_INIT;
    struct sf_event_filter filter = { .session = a, .limit = 3 };
    struct sf_error err = SF_ERROR_INIT;

    test_store_session(store, a);
    say(store, a, "user", "x");
    fork_session(store, a, 1, b);
    sf_store_close(store);
    sf_strbuf_addf(&sql, "UPDATE sessions SET parent_id = '%s', forked_at_seq = 1 WHERE id = '%s'",
                   b, a);
    test_sql_exec(*state, sql.buf);
    store = test_store_open(*state, SF_STORE_WRITE);
    assert_true(sf_store_each_event(store, &filter, note_seq, &seqs, &err));
    sf_store_close(store);
    sf_strbuf_release(&seqs);
    sf_strbuf_release(&sql);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_words, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_old_store, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_fill_goes_on, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_damaged_index, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_lost_index, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_lineage, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_circle, test_dir_setup, test_dir_teardown),
    };

    test_use_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
