/*
 * test_import.c: a session from elsewhere is there whole or not at all, and an event that could not
 * have been appended is not imported either.
 */
#include <stdlib.h>
#include <string.h>

#include "store/store.h"
#include "support/store_case.h"
#include "support/test.h"

#define TIME "2026-11-16T05:09:53.123Z"

static const struct sf_event_import good[] = {
    { TIME, "tui", "user", "{\"text\":\"marmalade\"}", 20 },
    { TIME, "tui", "assistant", "{\"text\":\"toast\"}", 16 },
    { TIME, "headless", "note", "{}", 2 },
};

struct source {
    const struct sf_event_import *bad; /* what comes third; NULL: nothing is wrong */
    bool breaks;                       /* the source itself fails there */
    size_t at;
};

static bool next_event(struct sf_event_import *event, void *ctx, struct sf_error *err)
{
    struct source *s = ctx;
    size_t at = s->at++;

    if (at == 2 && s->breaks)
        return sf_fail(err, SF_E_IO, "the file ends in the middle");
    if (at >= SF_COUNT(good))
        return false;
    *event = at == 2 && s->bad ? *s->bad : good[at];
    return true;
}

static const struct sf_session_new fresh = { .project = "/p",
                                             .title = "from afar",
                                             .surface = "tui" };

static void test_whole(void **state)
{
    struct store_pair *c = *state;
    struct source s = { .at = 0 };
    struct sf_error err = { .code = SF_E_IO }; /* of something before */
    char id[SF_ID_LEN + 1], *text;

    if (!sf_store_session_import(c->store, &fresh, next_event, &s, id, &err))
        fail_msg("%s", err.msg);
    sf_store_close(c->store);
    c->store = NULL;
    text = test_sql_text(c->dir, "SELECT group_concat(seq || surface || kind || time, ' ') FROM"
                                 " (SELECT * FROM events WHERE session_id = (SELECT id FROM"
                                 " sessions WHERE title = 'from afar') ORDER BY seq)");
    assert_string_equal(text, "1tuiuser" TIME " 2tuiassistant" TIME " 3headlessnote" TIME);
    assert_int_equal(test_sql_int(c->dir, "SELECT count(*) FROM sessions"), 4);
    free(text);
    c->store = test_store_open(c->dir, SF_STORE_WRITE);
}

static const struct {
    const char *name;
    struct sf_event_import event;
} refused[] = {
    { "no JSON", { TIME, "tui", "user", "{\"text\":", 8 } },
    { "no object", { TIME, "tui", "user", "[]", 2 } },
    { "an unknown surface", { TIME, "moon", "user", "{}", 2 } },
    { "no kind", { TIME, "tui", "", "{}", 2 } },
    { "no time", { "yesterday", "tui", "user", "{}", 2 } },
    { "a time of another zone", { "2026-11-16T06:09:53.123+01:00", "tui", "user", "{}", 2 } },
    { "a time without its thousandths", { "2026-11-16T05:09:53Z", "tui", "user", "{}", 2 } },
};

/* Neither the session nor an event is there, and the store goes on for everybody. */
static void expect_nothing(struct store_pair *c, const char *name)
{
    struct sf_store *other = test_store_open(c->dir, SF_STORE_WRITE);

    if (test_sql_int(c->dir, "SELECT count(*) FROM sessions WHERE title = 'from afar'") ||
        test_sql_int(c->dir, "SELECT count(*) FROM events WHERE data LIKE '%marmalade%'"))
        fail_msg("%s: something of it stayed", name);
    test_store_append(other, c->other, 1); /* or it would wait for the one that failed */
    test_store_append(c->store, c->session, 1);
    sf_store_close(other);
}

static void test_refused(void **state)
{
    struct store_pair *c = *state;

    for (size_t i = 0; i < SF_COUNT(refused); i++) {
        struct source s = { .bad = &refused[i].event };
        struct sf_error err = SF_ERROR_INIT;
        char id[SF_ID_LEN + 1];

        if (sf_store_session_import(c->store, &fresh, next_event, &s, id, &err))
            fail_msg("%s: it is taken", refused[i].name);
        if (err.code == SF_E_NONE || !*err.msg)
            fail_msg("%s: nothing is said", refused[i].name);
        expect_nothing(c, refused[i].name);
    }
}

static void test_source_breaks(void **state)
{
    struct store_pair *c = *state;
    struct source s = { .breaks = true };
    struct sf_error err = SF_ERROR_INIT;
    char id[SF_ID_LEN + 1];

    assert_false(sf_store_session_import(c->store, &fresh, next_event, &s, id, &err));
    assert_int_equal(err.code, SF_E_IO);
    assert_string_equal(err.msg, "the file ends in the middle");
    expect_nothing(c, "a source that breaks");
}

static void test_too_large(void **state)
{
    struct store_pair *c = *state;
    size_t len = SF_EVENT_BYTES_MAX + 1;
    char *json = sf_alloc(len + 1);
    struct sf_event_import large = { TIME, "tui", "user", json, len };
    struct source s = { .bad = &large };
    struct sf_error err = SF_ERROR_INIT;
    char id[SF_ID_LEN + 1];

    memset(json, ' ', len);
    json[0] = '{';
    json[1] = '}';
    assert_false(sf_store_session_import(c->store, &fresh, next_event, &s, id, &err));
    assert_int_equal(err.code, SF_E_LIMIT);
    expect_nothing(c, "too large");
    large.len--;
    s.at = 0;
    if (!sf_store_session_import(c->store, &fresh, next_event, &s, id, &err))
        fail_msg("the largest there may be: %s", err.msg);
    free(json);
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, store_pair_setup, store_pair_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_whole),
        CASE(test_refused),
        CASE(test_source_breaks),
        CASE(test_too_large),
    };

    test_use_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
