/*
 * Rows of a run's log as people read them: which rows are shown, in which words, with which way out
 * of a halt, and that a damaged row shows nothing.
 */
#include <string.h>

#include "agent/agent.h"
#include "run/run.h"
#include "support/test.h"

#define HALT(guard, exit, task, flag)                                                           \
    "{\"task\":\"" task "\",\"text\":\"why\",\"digest\":\"\",\"who\":\"sf\",\"guard\":\"" guard \
    "\",\"exit\":\"" exit "\",\"flag\":" flag "}"

static const struct {
    const char *kind, *json;
    const char *said; /* "what|task|text|way out"; "": nothing */
} rows[] = {
    { "run_begin", "{\"who\":\"user\",\"flag\":0}", "begin||the run begins|" },
    { "run_begin", "{\"who\":\"user\",\"flag\":1}", "begin||one unit of the plan, then a review|" },
    { "run_go", "{\"flag\":0}", "go||the run goes on|" },
    { "run_go", "{\"flag\":1}", "go||one unit more, then a review|" },
    { "run_pausing", "{\"flag\":0}", "pausing||pausing: nothing new starts|" },
    { "run_pausing", "{\"flag\":1}", "pausing||stopping: what runs is being ended|" },
    { "run_end", "{\"flag\":1}", "end||the plan is done|" },
    { "run_end", "{\"flag\":0,\"text\":\"2 left\"}", "end||the run was stopped: 2 left|" },
    { "run_repair", "{\"flag\":1}", "repair||the health gate failed: repairing|" },
    { "run_repair", "{\"flag\":0}", "repair||healthy again|" },
    { "unit_start", "{\"task\":\"M1/S1/T1\",\"attempt\":1}", "start|M1/S1/T1|begins|" },
    { "unit_start", "{\"task\":\"T1\",\"attempt\":3}", "start|T1|begins, attempt 3|" },
    { "unit_verdict", "{\"task\":\"T1\",\"verdict\":\"passed\",\"text\":\"x\"}",
      "verdict|T1|verification passed|" },
    { "unit_verdict", "{\"task\":\"T1\",\"verdict\":\"failed\",\"text\":\"a\\nb\"}",
      "verdict|T1|verification failed: a…|" },
    { "unit_verdict", "{\"task\":\"T1\",\"verdict\":\"not verified\",\"text\":\"no check\"}",
      "verdict|T1|not verified: no check|" },
    { "unit_word", "{\"task\":\"T1\",\"word\":\"accept\",\"who\":\"test\",\"text\":\"fine\"}",
      "word|T1|accept by test: fine|" },
    { "unit_word", "{\"task\":\"T1\",\"word\":\"skip\"}", "word|T1|skip by user|" },
    { "run_halt", HALT("user", "go", "T1", "0"), "halt|T1|why|/autonomous" },
    { "run_halt", HALT("failure", "redo", "T1", "1"),
      "halt|T1|why (as before)|/next redo T1 WORDS" },
    { "run_halt", HALT("unverified", "review", "T1", "0"), "halt|T1|why|/next accept T1" },
    { "run_halt", HALT("health", "doctor", "", "0"),
      "halt||why|/doctor, mend what it finds, then /autonomous" },

    /* nobody needs to see it */
    { "unit_added", "{\"task\":\"T1\",\"kind\":\"request\"}", "" },
    { "unit_move", "{\"task\":\"T1\",\"from\":\"todo\",\"to\":\"running\"}", "" },
    { "unit_used", "{\"task\":\"T1\",\"tokens\":1}", "" },
    { "unit_ended", "{\"task\":\"T1\",\"end\":\"done\"}", "" },
    { "unit_closed", "{\"task\":\"T1\"}", "" },
    { "unit_dropped", "{\"task\":\"T1\"}", "" },

    /* another room's, or damaged */
    { "user", "{\"text\":\"x\"}", "" },
    { "run", "{}", "" },
    { "run_begin", "", "" },
    { "run_begin", "{\"flag\":", "" },
    { "run_begin", "[]", "" },
    { "run_begin", "{\"flag\":\"yes\"}", "" },
    { "unit_start", "{\"task\":7}", "" },
    { "run_halt", "{\"task\":\"T1\",\"text\":\"why\",\"guard\":\"nonsense\"}", "halt|T1|why|" },
};

struct said {
    struct sf_strbuf text;
    int count;
};

static void hear(void *ctx, const struct sf_event_run *e)
{
    struct said *said = ctx;

    said->count++;
    sf_strbuf_addf(&said->text, "%s|%s|%.*s|%s", e->what, e->task, (int)e->len, e->text,
                   e->way_out);
}

static void test_rows(void **state)
{
    struct said said = { SF_STRBUF_INIT, 0 };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        sf_strbuf_reset(&said.text);
        said.count = 0;
        sf_run_event_read(rows[i].kind, rows[i].json, strlen(rows[i].json), hear, &said);
        if (said.count != (*rows[i].said != '\0') ||
            (said.count && strcmp(said.text.buf, rows[i].said) != 0))
            fail_msg("%s %s: said %d times: %s", rows[i].kind, rows[i].json, said.count,
                     said.text.buf);
    }
    sf_strbuf_release(&said.text);
}

/* A kind that is missing here would be written and never be read by the next run. */
static void test_kinds(void **state)
{
    static const char *const kinds[] = {
        SF_UNITS_LOG_BEGIN,  SF_UNITS_LOG_GO,     SF_UNITS_LOG_PAUSING, SF_UNITS_LOG_HALT,
        SF_UNITS_LOG_REPAIR, SF_UNITS_LOG_END,    SF_UNITS_LOG_ADDED,   SF_UNITS_LOG_MOVE,
        SF_UNITS_LOG_START,  SF_UNITS_LOG_USED,   SF_UNITS_LOG_ENDED,   SF_UNITS_LOG_VERDICT,
        SF_UNITS_LOG_WORD,   SF_UNITS_LOG_CLOSED, SF_UNITS_LOG_DROPPED,
    };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(kinds); i++)
        if (!sf_run_event_is(kinds[i]))
            fail_msg("%s is not known", kinds[i]);
    assert_false(sf_run_event_is("user"));
    assert_false(sf_run_event_is(""));
}

/* What a check printed may be long; it is cut between characters. */
static void test_long(void **state)
{
    struct said said = { SF_STRBUF_INIT, 0 };
    struct sf_strbuf json = SF_STRBUF_INIT;

    (void)state;
    sf_strbuf_adds(&json, "{\"task\":\"T1\",\"verdict\":\"failed\",\"text\":\"x");
    for (int i = 0; i < 2000; i++)
        sf_strbuf_adds(&json, "ä");
    sf_strbuf_adds(&json, "\"}");
    sf_run_event_read("unit_verdict", json.buf, json.len, hear, &said);
    assert_int_equal(said.count, 1);
    assert_in_range(said.text.len, 200, 260);
    assert_true(sf_utf8_valid(said.text.buf, said.text.len, NULL));
    assert_non_null(strstr(said.text.buf, "ä…|"));
    sf_strbuf_release(&json);
    sf_strbuf_release(&said.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_long),
    };

    return cmocka_run_group_tests_name("run_event", tests, NULL, NULL);
}
