/*
 * Tasks at the port: what runs and waits, and what becomes of it by its row's value.
 */
#include <string.h>

#include "support/port_case.h"
#include "support/store_case.h"
#include "support/test.h"

static const struct sf_response *list(struct port_case *c)
{
    port_case_begin(c, "/tasks");
    return port_case_said(c, SF_RESPONSE_TABLE);
}

static void begin_work(struct port_case *c)
{
    session_case_serve(c->parts, SF_WIRE_CHAT, "reply\n    stall headers\n");
    port_case_open(c, NULL);
    port_case_begin(c, "and now wait");
    assert_true(sf_port_queue_add(c->port, "then this"));
}

static const char *value_of(const struct sf_response *r, const char *what)
{
    for (size_t i = 0; i < r->count; i++)
        if (!strcmp(r->rows[i].cells.items[1], what))
            return r->rows[i].value;
    fail_msg("no row is about %s", what);
    return "";
}

static void test_nothing(void **state)
{
    struct port_case *c = *state;

    port_case_open(c, NULL);
    assert_int_equal(list(c)->count, 0);
    assert_string_equal(c->said[0].title, "Tasks   0 running   0 waiting   0 done");
}

static void test_turn(void **state)
{
    struct port_case *c = *state;

    begin_work(c);
    assert_string_equal(list(c)->title, "Tasks   1 running   1 waiting   0 done");
    assert_string_equal(port_case_row(&c->said[0], "turn")->cells.items[1], "this session's turn");
    port_case_begin(c, "/tasks cancel turn");
    port_case_wait(c);
    assert_string_equal(list(c)->title, "Tasks   0 running   1 waiting   0 done");
    assert_null(port_case_row(&c->said[0], "turn"));
    port_case_begin(c, "/tasks cancel turn");
    port_case_expect(c, SF_RESPONSE_NOTE, "no turn is running");
    port_case_begin(c, "/tasks cancel queue 4711");
    port_case_expect(c, SF_RESPONSE_NOTE, "it does not wait any more");
}

static void cancel(struct port_case *c, const char *value)
{
    struct sf_strbuf line = SF_STRBUF_INIT;

    sf_strbuf_addf(&line, "/tasks cancel %s", value);
    port_case_begin(c, line.buf);
    sf_strbuf_release(&line);
}

static void test_queue(void **state)
{
    struct port_case *c = *state;
    struct sf_strbuf line = SF_STRBUF_INIT;

    begin_work(c);
    assert_true(sf_port_queue_add(c->port, "and that"));
    cancel(c, value_of(list(c), "then this"));
    assert_int_equal(sf_port_queue(c->port)->count, 1);
    assert_string_equal(sf_port_queue(c->port)->items[0].text, "and that");
    sf_strbuf_addf(&line, "/tasks %s", value_of(list(c), "and that"));
    port_case_begin(c, line.buf);
    assert_string_equal(port_case_said(c, SF_RESPONSE_DRAFT)->text.buf, "and that");
    assert_int_equal(sf_port_queue(c->port)->count, 0);
    port_case_line(c, "/tasks cancel turn");
    sf_strbuf_release(&line);
}

static void test_job(void **state)
{
    static const char script[] =
        "reply\n    call Bash {\"command\": \"sleep 600\", \"run_in_background\": true}\n"
        "reply\n    text \"It sleeps.\"\n";
    struct port_case *c = *state;
    char *value;

    sf_strlist_add(&c->parts->tools, "Bash");
    c->parts->attended = true;
    c->parts->reply = SF_REPLY_ONCE;
    session_case_serve(c->parts, SF_WIRE_CHAT, script);
    port_case_open(c, NULL);
    port_case_line(c, "sleep");
    value = sf_strdup(value_of(list(c), "shell  sleep 600"));
    assert_string_equal(port_case_row(&c->said[0], value)->cells.items[0], "running");
    cancel(c, value);
    while (!strcmp(port_case_row(list(c), value)->cells.items[0], "running"))
        sf_loop_turn(c->parts->loop, 1000);
    cancel(c, value);
    port_case_expect(c, SF_RESPONSE_NOTE, "it does not run any more");
    free(value);
}

/* Those of the store are shown, and nothing in their names is believed. */
static void test_stored(void **state)
{
    struct port_case *c = *state;
    const struct sf_response *r;

    test_sql_exec(
        c->parts->state_dir,
        "insert into tasks (id,work_mode,run_control,permission_profile,model_mode,status,"
        "cost_spent,created_at,started_at,completed_at) values "
        "('m1/s1/t1','build','autonomous','normal','smart','done',0.88,"
        "'2026-01-01T00:00:00Z','2026-01-01T00:00:00Z','2026-01-01T00:26:10Z'),"
        "('m1\x1b]0;x\x07' || char(10) || 'words','repair','autonomous','normal','smart',"
        "'blocked',12.5,'2026-01-01T00:00:00Z',null,null)");
    port_case_open(c, NULL);
    r = list(c);
    assert_int_equal(r->count, 2);
    assert_string_equal(r->title, "Tasks   0 running   0 waiting   1 need you   1 done");
    assert_string_equal(port_case_row(r, "task m1/s1/t1")->cells.items[4], "26:10");
    for (size_t i = 0; i < r->count; i++)
        assert_null(strpbrk(r->rows[i].value, "\n\x1b"));
    cancel(c, "task m1/s1/t1");
    port_case_expect(c, SF_RESPONSE_NOTE, "it belongs to the project's work");
    port_case_begin(c, "/tasks cancel everything");
    port_case_expect(c, SF_RESPONSE_NOTE, "/tasks cancel and turn, job N, queue N");
}

#define AT_PORT(fn) cmocka_unit_test_setup_teardown(fn, port_case_setup, port_case_teardown)

/* What is counted is not only what is listed. */
static void test_many(void **state)
{
    struct port_case *c = *state;

    test_sql_exec(c->parts->state_dir,
                  "with recursive n(i) as (select 1 union all select i+1 from n where i<700) "
                  "insert into tasks (id,work_mode,run_control,permission_profile,model_mode,"
                  "status,cost_spent,created_at) select 't' || i,'build','autonomous','normal',"
                  "'smart','done',0,'2026-01-01T00:00:00Z' from n");
    port_case_open(c, NULL);
    assert_int_equal(list(c)->count, 500);
    assert_string_equal(c->said[0].title,
                        "Tasks   0 running   0 waiting   700 done   the first 500 of 700");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        AT_PORT(test_nothing), AT_PORT(test_turn),   AT_PORT(test_queue),
        AT_PORT(test_job),     AT_PORT(test_stored), AT_PORT(test_many),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
