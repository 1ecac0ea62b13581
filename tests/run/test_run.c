/*
 * A plan carried out at the port, with a scripted model: the order of its tasks, what verification
 * makes of them, what stops it from outside, and that control comes back with a reason and a way
 * out.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "io/io.h"
#include "port/log_replay.h"
#include "support/run_case.h"
#include "support/store_case.h"
#include "support/test.h"
#include "support/tree.h"

static const char one[] = RUN_HEAD RUN_TASK("T1", "a", "");
static const char two[] = RUN_HEAD RUN_TASK("T1", "a", "") RUN_TASK("T2", "b", "");
static const char unchecked[] = RUN_HEAD "\n#### T1 Think\n\n- what: Think.\n";

/* ---- order and verification ---- */

static void test_in_order(void **state)
{
    static const char plan[] = RUN_HEAD RUN_TASK("T1", "a", "- depends_on: T2\n")
        RUN_TASK("T2", "b", "") RUN_TASK("T3", "c", "- depends_on: T1\n");
    struct port_case *c = *state;

    run_case_begin(c, plan,
                   RUN_UNIT("T2") RUN_WRITE("b") RUN_SAYS RUN_UNIT(
                       "T1") "    expect-lacks \"Unit M1/S1/T2\"\n"
                             "    expect-lacks \"It is written.\"\n" RUN_WRITE("a")
                                 RUN_SAYS RUN_UNIT("T3") RUN_WRITE("c") RUN_SAYS);
    port_case_line(c, "/autonomous");
    run_case_requests(c, 6);
    assert_string_equal(run_heard(c)->lines.buf, "begin : the run begins\n"
                                                 "start M1/S1/T2: begins\n"
                                                 "verdict M1/S1/T2: verification passed\n"
                                                 "start M1/S1/T1: begins\n"
                                                 "verdict M1/S1/T1: verification passed\n"
                                                 "start M1/S1/T3: begins\n"
                                                 "verdict M1/S1/T3: verification passed\n"
                                                 "end : the plan is done\n");
    assert_int_equal(run_case_count(c, "tasks where status = 'done'"), 3);
    assert_false(run_case_leased(c));
    assert_false(sf_port_carries_out(c->port));
    port_case_line(c, "/autonomous");
    port_case_expect(c, SF_RESPONSE_NOTE, "no accepted plan");
    run_case_requests(c, 6);
}

static void test_failing_then_done(void **state)
{
    struct port_case *c = *state;

    run_case_begin(c, one,
                   RUN_UNIT("T1") "    expect-lacks \"What failed before\"\n"
                                  "    text \"I have done it.\"\n" RUN_UNIT(
                                      "T1") "    expect-contains \"What failed before\"\n"
                                            "    expect-contains \"a.txt is not there\"\n"
                                            "    expect-lacks \"I have done it.\"\n" RUN_WRITE("a")
                                                RUN_SAYS);
    port_case_line(c, "/autonomous");
    run_case_requests(c, 3);
    run_case_said(c, "verdict M1/S1/T1: verification failed");
    run_case_said(c, "start M1/S1/T1: begins, attempt 2");
    run_case_said(c, "verdict M1/S1/T1: verification passed");
    run_case_state(c, "T1", "done");
    assert_int_equal(run_case_count(c, "task_transitions where to_status = 'retrying'"), 1);
}

/* Twice may be chance; a third time without words leads to the same halt, and a fourth nowhere. */
static void test_same_failure(void **state)
{
    static const char script[] = RUN_UNIT("T1") "    text \"Done.\"\n" RUN_UNIT(
        "T1") "    text \"Done again.\"\n" RUN_UNIT("T1") "    text \"And again.\"\n";
    struct port_case *c = *state;

    run_case_begin(c, two, script);
    port_case_line(c, "/autonomous");
    run_case_requests(c, 2);
    run_case_said(c, "halt M1/S1/T1: verification failed twice in the same way | "
                     "/next redo M1/S1/T1 WORDS\n");
    assert_false(sf_mode_state_drives(sf_port_state(c->port)));
    port_case_line(c, "/autonomous");
    run_case_requests(c, 3);
    run_case_said(c, "(as before)");
    assert_string_equal(run_heard(c)->notices.buf, "");
    port_case_line(c, "/autonomous");
    run_case_requests(c, 3);
    assert_non_null(strstr(run_heard(c)->notices.buf, "to go on: /next redo M1/S1/T1 WORDS"));
    assert_false(sf_mode_state_drives(sf_port_state(c->port)));
    run_case_silent(c, "T2");
    run_case_done(c, 0);
}

static void test_not_verified(void **state)
{
    struct port_case *c = *state;

    run_case_begin(c, unchecked,
                   RUN_UNIT("T1") "    text \"I thought, and it is all verified.\"\n");
    port_case_line(c, "/autonomous");
    run_case_requests(c, 1);
    run_case_said(c, "verdict M1/S1/T1: not verified: the task names no check");
    run_case_said(c, "halt M1/S1/T1");
    run_case_said(c, "/next accept M1/S1/T1");
    run_case_state(c, "T1", "reviewing");
    port_case_line(c, "/next accept M1/S1/T9");
    port_case_expect(c, SF_RESPONSE_ERROR, "has no task M1/S1/T9");
    port_case_line(c, "/next accept M1/S1/T1 I looked at it");
    run_case_state(c, "T1", "done");
    run_case_said(c, "accept by user: I looked at it");
    run_case_said(c, "the plan is done");
    assert_int_equal(
        run_case_count(c, "task_transitions where to_status = 'done' and actor = 'person'"), 1);
    run_case_requests(c, 1);
}

/* ---- what comes from outside ---- */

static void test_lease(void **state)
{
    struct port_case *c = *state;
    char *path = test_path(c->parts->state_dir, "run.lock");
    struct sf_lock lock = SF_LOCK_INIT;
    struct sf_error err = SF_ERROR_INIT;

    run_case_begin(c, one, RUN_UNIT("T1") RUN_WRITE("a") RUN_SAYS);
    assert_true(sf_lock_take(path, 0, &lock, &err));
    port_case_line(c, "/autonomous");
    run_case_requests(c, 0);
    assert_string_equal(run_heard(c)->lines.buf, ""); /* nothing is written without the lease */
    assert_non_null(strstr(run_heard(c)->notices.buf, "another sf process"));
    assert_non_null(
        strstr(run_heard(c)->notices.buf, "to go on: sf headless stop, then /autonomous"));
    assert_false(sf_mode_state_drives(sf_port_state(c->port)));
    run_case_state(c, "T1", "todo");
    sf_lock_drop(&lock);
    port_case_line(c, "/autonomous");
    run_case_state(c, "T1", "done");
    free(path);
}

static const struct {
    const char *name, *trigger;
    size_t requests;
} refusals[] = {
    { "the first row", "before insert on events when new.kind = 'run_begin'", 0 },
    { "the claim", "before insert on task_transitions when new.to_status = 'running'", 0 },
    { "the verdict", "before insert on events when new.kind = 'unit_verdict'", 2 },
};

/* What cannot be written does not happen; once it can be, the run takes up what was left. */
static void test_store_refuses(void **state)
{
    struct port_case *c = *state;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    for (size_t i = 0; i < SF_COUNT(refusals); i++) {
        if (i)
            assert_true(sf_store_plan_drop(c->parts->store, "files", "test", &err));
        run_case_begin(c, one, RUN_UNIT("T1") RUN_WRITE("a") RUN_SAYS RUN_UNIT("T1") RUN_SAYS);
        sf_strbuf_reset(&text);
        sf_strbuf_addf(&text, "create trigger no %s begin select raise(abort, 'no'); end",
                       refusals[i].trigger);
        test_sql_exec(c->parts->state_dir, text.buf);
        port_case_line(c, "/autonomous");
        port_case_said(c, SF_RESPONSE_ERROR);
        run_case_requests(c, refusals[i].requests);
        if (run_case_leased(c) || sf_port_carries_out(c->port))
            fail_msg("%s: it goes on", refusals[i].name);
        if (sf_mode_state_drives(sf_port_state(c->port)))
            fail_msg("%s: the badge says that it goes on", refusals[i].name);
        run_case_done(c, 0);
        test_sql_exec(c->parts->state_dir, "drop trigger no");
        port_case_line(c, "/autonomous");
        run_case_done(c, 1);
    }
    sf_strbuf_release(&text);
}

static void test_health(void **state)
{
    static const char conflict[] =
        "git init -q . && git config user.email a@b.c && git config user.name a && echo 1 >f && "
        "git add f && git commit -qm one && git branch -M trunk && git switch -qc x && "
        "echo 2 >f && git commit -qam x && git switch -q trunk && echo 3 >f && "
        "git commit -qam y && ! git merge -q x";
    struct port_case *c = *state;

    run_case_begin(c, one, RUN_UNIT("T1") RUN_WRITE("a") RUN_SAYS);
    free(tree_run(c->parts->workspace.root, conflict, NULL));
    port_case_line(c, "/autonomous");
    run_case_requests(c, 0);
    run_case_said(c, "halt ");
    run_case_said(c, "conflict");
    run_case_said(c, "| /doctor");
    run_case_state(c, "T1", "todo");
    free(tree_run(c->parts->workspace.root, "git merge --abort", NULL));
    port_case_line(c, "/autonomous");
    run_case_state(c, "T1", "done");
}

/* ---- dying in mid-unit ---- */

static void die_and_go_on(struct port_case *c, bool resume)
{
    char id[SF_ID_LEN + 1];

    run_case_begin(
        c, two,
        RUN_UNIT("T1") RUN_WRITE("a")
            RUN_SAYS RUN_UNIT("T2") "    expect-lacks \"It was begun before\"\n" RUN_WAITS RUN_UNIT(
                "T2") "    expect-contains \"It was begun before\"\n" RUN_WRITE("b") RUN_SAYS);
    port_case_begin(c, "/autonomous");
    run_case_output(c); /* of the check of T1 */
    while (model_server_count(c->parts->server) < 3 ||
           !strstr(run_heard(c)->lines.buf, "start M1/S1/T2"))
        sf_loop_turn(c->parts->loop, 1000);
    run_heard(c)->begun = false;
    run_case_output(c);
    run_case_state(c, "T1", "done");
    run_case_state(c, "T2", "running");
    snprintf(id, sizeof(id), "%s", sf_port_session(c->port));
    port_case_open(c, resume ? id : NULL);
    assert_false(run_case_leased(c));
    run_case_requests(c, 3);
    sf_strbuf_reset(&run_heard(c)->lines);
    port_case_line(c, "/autonomous");
    run_case_requests(c, 5);
    run_case_silent(c, "T1");
    run_case_said(c, "the plan is done");
    run_case_state(c, "T2", "done");
    assert_int_equal(run_case_count(c, "events where kind = 'unit_verdict'"), 2);
}

static void test_died_resumed(void **state)
{
    die_and_go_on(*state, true);
}

static void test_died_new_session(void **state)
{
    die_and_go_on(*state, false);
}

/* ---- the log ---- */

static void add_replayed(void *ctx, const struct sf_event *event)
{
    if (event->kind == SF_EVENT_RUN)
        run_case_add(ctx, &event->run);
}

struct reading {
    struct sf_log_replay *replay;
    struct sf_strbuf lines;
};

static bool read_row(const struct sf_event_row *row, void *ctx)
{
    struct reading *r = ctx;

    sf_log_replay_row(r->replay, row, add_replayed, &r->lines);
    return true;
}

static void test_replayed(void **state)
{
    struct port_case *c = *state;
    struct reading r = { NULL, SF_STRBUF_INIT };
    struct sf_event_filter all = { .session = NULL };
    struct sf_error err = SF_ERROR_INIT;

    run_case_begin(
        c, two,
        RUN_UNIT("T1") "    text \"I have done it.\"\n" RUN_UNIT("T1") RUN_WRITE("a")
            RUN_SAYS RUN_UNIT("T2") "    text \"Done.\"\n" RUN_UNIT("T2") "    text \"Done.\"\n");
    port_case_line(c, "/autonomous");
    port_case_line(c, "/next skip M1/S1/T2 not needed");
    run_case_said(c, "halt M1/S1/T2");
    run_case_said(c, "skip by user: not needed");
    all.session = sf_port_session(c->port);
    r.replay = sf_log_replay_new(c->parts->workspace.root);
    assert_true(sf_store_each_event(c->parts->store, &all, read_row, &r, &err));
    sf_log_replay_end(r.replay, add_replayed, &r.lines);
    assert_string_equal(r.lines.buf, run_heard(c)->lines.buf);
    sf_log_replay_free(r.replay);
    sf_strbuf_release(&r.lines);
}

int main(void)
{
#define AT_PORT(fn) cmocka_unit_test_setup_teardown(fn, run_case_setup, run_case_teardown)
    const struct CMUnitTest tests[] = {
        AT_PORT(test_in_order),
        AT_PORT(test_failing_then_done),
        AT_PORT(test_same_failure),
        AT_PORT(test_not_verified),
        AT_PORT(test_lease),
        AT_PORT(test_store_refuses),
        AT_PORT(test_health),
        AT_PORT(test_died_resumed),
        AT_PORT(test_died_new_session),
        AT_PORT(test_replayed),
    };

    return cmocka_run_group_tests_name("run", tests, NULL, NULL);
}
