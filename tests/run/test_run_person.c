/*
 * What a person says while a plan is carried out: pause, stop, one unit, words about a task. The
 * unit that ran stands still, ends or goes on, and nothing new begins meanwhile.
 */
#include <string.h>

#include "base/base.h"
#include "support/run_case.h"
#include "support/test.h"

static const char one[] = RUN_HEAD RUN_TASK("T1", "a", "");
static const char two[] = RUN_HEAD RUN_TASK("T1", "a", "") RUN_TASK("T2", "b", "");

static void test_pause(void **state)
{
    struct port_case *c = *state;

    run_case_begin(c, one,
                   RUN_UNIT("T1") RUN_WAITS RUN_WRITE("second") "reply\n    text \"done\"\n");
    port_case_begin(c, "/autonomous");
    run_case_output(c);
    sf_port_line(c->port, "/pause");
    run_case_said(c, "pausing : pausing: nothing new starts\n");
    run_case_silent(c, "halt");
    run_case_let_go(c);
    run_case_wait(c, "halt M1/S1/T1: paused | /autonomous\n");
    run_case_requests(c, 1);
    run_case_state(c, "T1", "paused");
    assert_false(run_case_has(c, "second.txt"));
    assert_false(sf_port_carries_out(c->port));
    sf_port_line(c->port, "/autonomous");
    port_case_wait(c);
    run_case_requests(c, 2);
    run_case_state(c, "T1", "done");
    assert_int_equal(run_case_count(c, "events where kind = 'unit_start'"), 1); /* the same unit */
    assert_int_equal(run_case_count(c, "events where kind = 'run_begin'"), 1);
    assert_true(run_case_has(c, "second.txt"));
}

static void test_stop(void **state)
{
    struct port_case *c = *state;

    run_case_begin(c, one, RUN_UNIT("T1") RUN_WAITS);
    port_case_begin(c, "/autonomous");
    run_case_output(c);
    sf_port_line(c->port, "/stop");
    port_case_wait(c);
    run_case_requests(c, 1);
    run_case_said(c, "pausing : stopping: what runs is being ended\n");
    run_case_said(c, "end : the run was stopped");
    assert_false(run_case_has(c, "a.txt"));
    assert_int_equal(run_case_count(c, "tasks where status in ('running', 'verifying', 'done')"),
                     0);
    assert_false(run_case_leased(c));
}

static void test_stop_paused(void **state)
{
    struct port_case *c = *state;

    run_case_begin(c, one, RUN_UNIT("T1") RUN_WAITS RUN_WRITE("second"));
    port_case_begin(c, "/autonomous");
    run_case_output(c);
    sf_port_line(c->port, "/pause");
    run_case_let_go(c);
    run_case_wait(c, "halt M1/S1/T1: paused");
    sf_port_line(c->port, "/stop");
    port_case_wait(c);
    run_case_requests(c, 1);
    run_case_said(c, "end : the run was stopped");
    assert_false(run_case_has(c, "second.txt"));
    assert_false(run_case_leased(c));
}

static void test_next(void **state)
{
    struct port_case *c = *state;

    c->parts->attended = true;
    run_case_begin(c, two,
                   RUN_UNIT("T1") RUN_WRITE("a") RUN_SAYS RUN_UNIT("T2") RUN_WRITE("b") RUN_SAYS);
    port_case_line(c, "/next");
    port_case_expect(c, SF_RESPONSE_QUESTION, "**M1/S1/T1** is ready for your review");
    run_case_requests(c, 2);
    run_case_state(c, "T1", "reviewing");
    run_case_said(c, "halt M1/S1/T1");
    run_case_said(c, "/next accept M1/S1/T1");
    assert_true(sf_port_reply(c->port, true));
    run_case_end(c);
    run_case_state(c, "T1", "done");
    run_case_state(c, "T2", "todo");
    run_case_requests(c, 2);
    port_case_line(c, "/next");
    run_case_requests(c, 4);
    run_case_state(c, "T2", "reviewing");
}

/* The unit that stands still is given up, and done again with the words. */
static void test_redo_paused(void **state)
{
    struct port_case *c = *state;

    run_case_begin(c, one,
                   RUN_UNIT("T1") RUN_WAITS RUN_WRITE("second")
                       RUN_UNIT("T1") "    expect-contains \"use a pen\"\n" RUN_WRITE("third")
                           RUN_SAYS);
    port_case_begin(c, "/autonomous");
    run_case_output(c);
    sf_port_line(c->port, "/pause");
    run_case_let_go(c);
    run_case_wait(c, "halt M1/S1/T1: paused");
    sf_port_line(c->port, "/next redo M1/S1/T1 use a pen");
    run_case_end(c);
    run_case_requests(c, 3);
    run_case_said(c, "redo by user: use a pen");
    assert_false(run_case_has(c, "second.txt"));
    assert_true(run_case_has(c, "third.txt"));
    run_case_state(c, "T1", "done");
}

/* Esc in a unit gives control back; it is no failure of the task. */
static void test_cancelled(void **state)
{
    struct port_case *c = *state;

    run_case_begin(c, one, RUN_UNIT("T1") RUN_WAITS RUN_UNIT("T1") RUN_WRITE("a") RUN_SAYS);
    port_case_begin(c, "/autonomous");
    run_case_output(c);
    sf_port_cancel(c->port);
    run_case_end(c);
    run_case_requests(c, 1);
    run_case_said(c, "halt M1/S1/T1: the turn was cancelled | /autonomous\n");
    run_case_state(c, "T1", "paused");
    assert_false(sf_mode_state_drives(sf_port_state(c->port)));
    port_case_line(c, "/autonomous");
    run_case_requests(c, 3);
    run_case_state(c, "T1", "done");
}

#define SLOW_CHECK                                                                          \
    RUN_HEAD "\n#### T1 Write\n\n- what: Write a.txt.\n- verify: echo begun; while ! test " \
             "-e go; do sleep 0.02; done; make a\n"

/* A check that runs comes to its end, and what it proved counts; then nothing follows. */
static void test_pause_in_check(void **state)
{
    struct port_case *c = *state;

    run_case_begin(c, SLOW_CHECK RUN_TASK("T2", "b", ""),
                   RUN_UNIT("T1") RUN_WRITE("a") RUN_SAYS RUN_UNIT("T2") RUN_WRITE("b") RUN_SAYS);
    port_case_begin(c, "/autonomous");
    run_case_output(c);
    sf_port_line(c->port, "/pause");
    run_case_let_go(c);
    run_case_wait(c, "halt ");
    run_case_requests(c, 2);
    run_case_said(c, "verdict M1/S1/T1: verification passed");
    run_case_state(c, "T2", "todo");
    port_case_line(c, "/autonomous");
    run_case_requests(c, 4);
    assert_int_equal(run_case_count(c, "events where kind = 'unit_verdict'"), 2);
    run_case_state(c, "T1", "done");
    run_case_state(c, "T2", "done");
}

static void test_stop_in_check(void **state)
{
    struct port_case *c = *state;

    run_case_begin(c, SLOW_CHECK, RUN_UNIT("T1") RUN_WRITE("a") RUN_SAYS);
    port_case_begin(c, "/autonomous");
    run_case_output(c);
    sf_port_line(c->port, "/stop");
    run_case_end(c);
    run_case_requests(c, 2);
    run_case_said(c, "end : the run was stopped");
    run_case_done(c, 0);
    assert_false(run_case_leased(c));
}

/* The session goes while the run works in it: in a unit and in a check. */
static void test_left(void **state)
{
    struct port_case *c = *state;

    run_case_begin(c, SLOW_CHECK, RUN_UNIT("T1") RUN_WRITE("a") RUN_SAYS);
    port_case_begin(c, "/autonomous");
    run_case_output(c);
    port_case_open(c, NULL);
    run_case_done(c, 0);
    assert_false(run_case_leased(c));
}

/* A check without a result proves nothing: it runs again, and the model has nothing to add. */
static void test_left_in_check(void **state)
{
    struct port_case *c = *state;
    char id[SF_ID_LEN + 1];

    run_case_begin(c, SLOW_CHECK, RUN_UNIT("T1") RUN_WRITE("a") RUN_SAYS);
    port_case_begin(c, "/autonomous");
    run_case_output(c);
    run_case_state(c, "T1", "verifying");
    snprintf(id, sizeof(id), "%s", sf_port_session(c->port));
    port_case_open(c, id);
    run_case_let_go(c);
    run_case_done(c, 0);
    port_case_line(c, "/autonomous");
    run_case_requests(c, 2);
    run_case_state(c, "T1", "done");
    assert_int_equal(run_case_count(c, "events where kind = 'unit_verdict'"), 1);
}

static void test_approval(void **state)
{
    struct port_case *c = *state;

    c->parts->attended = true;
    run_case_begin(c, RUN_HEAD RUN_TASK("T1", "a", "- approval: ask\n"),
                   RUN_UNIT("T1") RUN_WRITE("a") RUN_SAYS);
    port_case_line(c, "/autonomous");
    port_case_expect(c, SF_RESPONSE_QUESTION, "**M1/S1/T1** to be approved");
    run_case_requests(c, 0);
    run_case_state(c, "T1", "todo");
    assert_true(sf_port_reply(c->port, true));
    run_case_end(c);
    run_case_requests(c, 2);
    run_case_state(c, "T1", "done");
}

int main(void)
{
#define AT_PORT(fn) cmocka_unit_test_setup_teardown(fn, run_case_setup, run_case_teardown)
    const struct CMUnitTest tests[] = {
        AT_PORT(test_pause),          AT_PORT(test_stop),          AT_PORT(test_stop_paused),
        AT_PORT(test_next),           AT_PORT(test_redo_paused),   AT_PORT(test_cancelled),
        AT_PORT(test_pause_in_check), AT_PORT(test_stop_in_check), AT_PORT(test_left),
        AT_PORT(test_left_in_check),  AT_PORT(test_approval),
    };

    return cmocka_run_group_tests_name("run_person", tests, NULL, NULL);
}
