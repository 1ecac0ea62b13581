/*
 * A plan carried out at the port, with a scripted model: the order of its tasks, what verification
 * makes of them, and that control comes back with a reason and a way out. What the store was left
 * with is held against the table of legal moves after each run.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "port/log_replay.h"
#include "support/plan_case.h"
#include "support/port_case.h"
#include "support/store_case.h"
#include "support/test.h"
#include "support/tree.h"

#define HEAD "---\ntitle: Files\n---\n\n## M1 Files\n\n### S1 All\n"
#define TASK(id, letter, more)                                                                \
    "\n#### " id " Write " letter "\n\n- what: Write " letter ".txt.\n- verify: make " letter \
    "\n" more
#define UNIT(id)      "reply\n    expect-contains \"Unit M1/S1/" id "\"\n"
#define WRITE(letter) "    call Write {\"file_path\": \"" letter ".txt\", \"content\": \"x\"}\n"
#define SAYS          "reply\n    text \"It is written.\"\n"
/* Runs until the file "go" is there; what it prints comes at once. */
#define WAITS                                                                             \
    "    call Bash {\"command\": \"echo begun; while ! test -e go; do sleep 0.02; done; " \
    "echo x >> a.txt\"}\n"

static const char one[] = HEAD TASK("T1", "a", "");
static const char two[] = HEAD TASK("T1", "a", "") TASK("T2", "b", "");
static const char unchecked[] = HEAD "\n#### T1 Think\n\n- what: Think.\n";

/* What was told of the run, a line each. */
struct world {
    struct port_case *c;
    struct sf_strbuf lines, notices;
    bool begun; /* a command has printed something */
};

static struct world world;

static void add_line(struct sf_strbuf *out, const struct sf_event_run *run)
{
    sf_strbuf_addf(out, "%s %s: %.*s", run->what, run->task, (int)run->len, run->text);
    sf_strbuf_addf(out, "%s%s\n", *run->way_out ? " | " : "", run->way_out);
}

static void watch(void *ctx, const struct sf_event *event)
{
    struct world *w = ctx;

    if (event->kind == SF_EVENT_RUN)
        add_line(&w->lines, &event->run);
    if (event->kind == SF_EVENT_NOTICE)
        sf_strbuf_addf(&w->notices, "%.*s\n", (int)event->notice.len, event->notice.text);
    if (event->kind == SF_EVENT_OUTPUT)
        w->begun = true;
}

static int setup(void **state)
{
    static const char makefile[] = "a b c:\n\t@test -e $@.txt && echo '1 passed, 0 failed' || { "
                                   "echo \"$@.txt is not there\"; echo '0 passed, 1 failed'; "
                                   "exit 1; }\n";
    struct port_case *c;

    port_case_setup(state);
    c = *state;
    world = (struct world){ .c = c };
    sf_strbuf_init(&world.lines);
    sf_strbuf_init(&world.notices);
    c->parts->watch = watch;
    c->parts->watch_ctx = &world;
    tree_puts(c->parts->workspace.root, "Makefile", makefile);
    return 0;
}

static int64_t count(struct port_case *c, const char *what)
{
    struct sf_strbuf sql = SF_STRBUF_INIT;
    int64_t n;

    sf_strbuf_addf(&sql, "select count(*) from %s", what);
    n = test_sql_int(c->parts->state_dir, sql.buf);
    sf_strbuf_release(&sql);
    return n;
}

/* ---- what the store was left with ---- */

static enum sf_task_state state_of(const char *name)
{
    int which = 0;

    while (strcmp(sf_task_states[which], name) != 0)
        which++;
    return (enum sf_task_state)which;
}

struct moves {
    int64_t task;
    char last[32]; /* where the move before led */
};

static bool check_move(const struct sf_query_row *row, void *ctx)
{
    struct moves *m = ctx;
    const char *from = row->values[1].bytes, *to = row->values[2].bytes;

    if (row->values[0].integer != m->task)
        snprintf(m->last, sizeof(m->last), "todo");
    m->task = row->values[0].integer;
    if (strcmp(from, m->last) != 0 || !sf_task_move_is_legal(state_of(from), state_of(to)))
        fail_msg("a task moved from %s to %s, and was %s", from, to, m->last);
    snprintf(m->last, sizeof(m->last), "%s", to);
    return true;
}

/* Every move is legal, begins where the one before ended, and the last one is where the task is. */
static void check_moves(struct port_case *c)
{
    struct moves m = { .task = -1 };
    struct sf_error err = SF_ERROR_INIT;
    const struct sf_query query = {
        .sql = "select t.rowid, m.from_status, m.to_status from task_transitions m"
               " join tasks t on t.id = m.task_id where m.from_status <> '' order by t.rowid, m.id",
        .row = check_move,
        .ctx = &m,
    };

    if (!sf_store_query(c->parts->state_dir, &query, &err))
        fail_msg("%s", err.msg);
    assert_int_equal(count(c, "tasks t where status <> 'todo' and status <> (select to_status from"
                              " task_transitions m where m.task_id = t.id order by m.id desc"
                              " limit 1)"),
                     0);
    assert_int_equal(count(c, "tasks where status = 'done' and coalesce(verdict, '') <> 'passed'"
                              " and id not in (select task_id from task_transitions where"
                              " to_status = 'done' and actor = 'person')"),
                     0);
}

static int teardown(void **state)
{
    struct port_case *c = *state;

    check_moves(c);
    sf_strbuf_release(&world.lines);
    sf_strbuf_release(&world.notices);
    return port_case_teardown(state);
}

/* ---- doing ---- */

static void begin(struct port_case *c, const char *plan, const char *scenario)
{
    struct sf_error err = SF_ERROR_INIT;
    int64_t carried;

    if (!test_plan_accept(c->parts->store, "files", plan, &carried, &err))
        fail_msg("%s", err.msg);
    session_case_serve(c->parts, SF_WIRE_ANTHROPIC, scenario);
    port_case_open(c, NULL);
}

static void must_say(const char *words)
{
    if (!strstr(world.lines.buf, words))
        fail_msg("not said: %s; but\n%s", words, world.lines.buf);
}

static void must_not_say(const char *words)
{
    if (strstr(world.lines.buf, words))
        fail_msg("said: %s, in\n%s", words, world.lines.buf);
}

static void expect_state(struct port_case *c, const char *task, const char *want)
{
    struct sf_strbuf sql = SF_STRBUF_INIT;
    char *is;

    sf_strbuf_addf(&sql, "select status from tasks where path = 'M1/S1/%s'", task);
    is = test_sql_text(c->parts->state_dir, sql.buf);
    if (strcmp(is, want) != 0)
        fail_msg("%s is %s, not %s; it was said:\n%s", task, is, want, world.lines.buf);
    free(is);
    sf_strbuf_release(&sql);
}

static void expect_requests(struct port_case *c, size_t want)
{
    session_case_check_server(c->parts, world.lines.buf);
    assert_int_equal(model_server_count(c->parts->server), want);
}

static void expect_done(struct port_case *c, int64_t want)
{
    assert_int_equal(count(c, "tasks t join plans p on p.id = t.plan_id where"
                              " t.status = 'done' and p.dropped_at is null"),
                     want);
}

/* Until a command of the unit has printed something. */
static void wait_for_output(struct port_case *c)
{
    int64_t deadline = sf_clock_monotonic_ms() + SESSION_CASE_HANG_MS;

    while (!world.begun) {
        if (sf_clock_monotonic_ms() > deadline)
            fail_msg("it hangs: %s", world.lines.buf);
        sf_loop_turn(c->parts->loop, 1000);
    }
}

static void wait_for(struct port_case *c, const char *words)
{
    int64_t deadline = sf_clock_monotonic_ms() + SESSION_CASE_HANG_MS;

    while (!strstr(world.lines.buf, words)) {
        if (sf_clock_monotonic_ms() > deadline)
            fail_msg("not said: %s; but\n%s", words, world.lines.buf);
        sf_loop_turn(c->parts->loop, 1000);
    }
    for (int i = 0; i < 50; i++)
        sf_loop_turn(c->parts->loop, 0);
}

static void let_go(struct port_case *c)
{
    tree_puts(c->parts->workspace.root, "go", "");
}

static bool is_there(struct port_case *c, const char *name)
{
    char *path = test_path(c->parts->workspace.root, name);
    bool there = access(path, F_OK) == 0;

    free(path);
    return there;
}

static bool is_leased(struct port_case *c)
{
    char *path = test_path(c->parts->state_dir, "run.lock");
    struct sf_lock lock = SF_LOCK_INIT;
    struct sf_error ignored = SF_ERROR_INIT;
    bool taken = sf_lock_take(path, 0, &lock, &ignored);

    if (taken)
        sf_lock_drop(&lock);
    free(path);
    return !taken;
}

/* ---- order and verification ---- */

static void test_in_order(void **state)
{
    static const char plan[] = HEAD TASK("T1", "a", "- depends_on: T2\n") TASK("T2", "b", "")
        TASK("T3", "c", "- depends_on: T1\n");
    struct port_case *c = *state;

    begin(c, plan,
          UNIT("T2") WRITE("b") SAYS UNIT("T1") "    expect-lacks \"Unit M1/S1/T2\"\n"
                                                "    expect-lacks \"It is written.\"\n" WRITE("a")
                                                    SAYS UNIT("T3") WRITE("c") SAYS);
    port_case_line(c, "/autonomous");
    expect_requests(c, 6);
    assert_string_equal(world.lines.buf, "begin : the run begins\n"
                                         "start M1/S1/T2: begins\n"
                                         "verdict M1/S1/T2: verification passed\n"
                                         "start M1/S1/T1: begins\n"
                                         "verdict M1/S1/T1: verification passed\n"
                                         "start M1/S1/T3: begins\n"
                                         "verdict M1/S1/T3: verification passed\n"
                                         "end : the plan is done\n");
    assert_int_equal(count(c, "tasks where status = 'done'"), 3);
    assert_false(is_leased(c));
    assert_false(sf_port_carries_out(c->port));
    port_case_line(c, "/autonomous");
    port_case_expect(c, SF_RESPONSE_NOTE, "no accepted plan");
    expect_requests(c, 6);
}

static void test_failing_then_done(void **state)
{
    struct port_case *c = *state;

    begin(c, one,
          UNIT("T1") "    expect-lacks \"What failed before\"\n"
                     "    text \"I have done it.\"\n" UNIT(
                         "T1") "    expect-contains \"What failed before\"\n"
                               "    expect-contains \"a.txt is not there\"\n"
                               "    expect-lacks \"I have done it.\"\n" WRITE("a") SAYS);
    port_case_line(c, "/autonomous");
    expect_requests(c, 3);
    must_say("verdict M1/S1/T1: verification failed");
    must_say("start M1/S1/T1: begins, attempt 2");
    must_say("verdict M1/S1/T1: verification passed");
    expect_state(c, "T1", "done");
    assert_int_equal(count(c, "task_transitions where to_status = 'retrying'"), 1);
}

/* Twice may be chance; a third time without words leads to the same halt, and a fourth nowhere. */
static void test_same_failure(void **state)
{
    static const char script[] = UNIT("T1") "    text \"Done.\"\n" UNIT(
        "T1") "    text \"Done again.\"\n" UNIT("T1") "    text \"And again.\"\n";
    struct port_case *c = *state;

    begin(c, two, script);
    port_case_line(c, "/autonomous");
    expect_requests(c, 2);
    must_say("halt M1/S1/T1: verification failed twice in the same way | "
             "/next redo M1/S1/T1 WORDS\n");
    assert_false(sf_mode_state_drives(sf_port_state(c->port)));
    port_case_line(c, "/autonomous");
    expect_requests(c, 3);
    must_say("(as before)");
    assert_string_equal(world.notices.buf, "");
    port_case_line(c, "/autonomous");
    expect_requests(c, 3);
    assert_non_null(strstr(world.notices.buf, "to go on: /next redo M1/S1/T1 WORDS"));
    assert_false(sf_mode_state_drives(sf_port_state(c->port)));
    must_not_say("T2");
    expect_done(c, 0);
}

static void test_not_verified(void **state)
{
    struct port_case *c = *state;

    begin(c, unchecked, UNIT("T1") "    text \"I thought, and it is all verified.\"\n");
    port_case_line(c, "/autonomous");
    expect_requests(c, 1);
    must_say("verdict M1/S1/T1: not verified: the task names no check");
    must_say("halt M1/S1/T1");
    must_say("/next accept M1/S1/T1");
    expect_state(c, "T1", "reviewing");
    port_case_line(c, "/next accept M1/S1/T9");
    port_case_expect(c, SF_RESPONSE_ERROR, "has no task M1/S1/T9");
    port_case_line(c, "/next accept M1/S1/T1 I looked at it");
    expect_state(c, "T1", "done");
    must_say("accept by user: I looked at it");
    must_say("the plan is done");
    assert_int_equal(count(c, "task_transitions where to_status = 'done' and actor = 'person'"), 1);
    expect_requests(c, 1);
}

/* ---- what a person says ---- */

static void test_pause(void **state)
{
    struct port_case *c = *state;

    begin(c, one, UNIT("T1") WAITS WRITE("second") "reply\n    text \"done\"\n");
    port_case_begin(c, "/autonomous");
    wait_for_output(c);
    sf_port_line(c->port, "/pause");
    must_say("pausing : pausing: nothing new starts\n");
    must_not_say("halt");
    let_go(c);
    wait_for(c, "halt M1/S1/T1: paused | /autonomous\n");
    expect_requests(c, 1);
    expect_state(c, "T1", "paused");
    assert_false(is_there(c, "second.txt"));
    assert_false(sf_port_carries_out(c->port));
    sf_port_line(c->port, "/autonomous");
    port_case_wait(c);
    expect_requests(c, 2);
    expect_state(c, "T1", "done");
    assert_int_equal(count(c, "events where kind = 'unit_start'"), 1); /* the same unit */
    assert_int_equal(count(c, "events where kind = 'run_begin'"), 1);
    assert_true(is_there(c, "second.txt"));
}

static void test_stop(void **state)
{
    struct port_case *c = *state;

    begin(c, one, UNIT("T1") WAITS);
    port_case_begin(c, "/autonomous");
    wait_for_output(c);
    sf_port_line(c->port, "/stop");
    port_case_wait(c);
    expect_requests(c, 1);
    must_say("pausing : stopping: what runs is being ended\n");
    must_say("end : the run was stopped");
    assert_false(is_there(c, "a.txt"));
    assert_int_equal(count(c, "tasks where status in ('running', 'verifying', 'done')"), 0);
    assert_false(is_leased(c));
}

static void test_stop_paused(void **state)
{
    struct port_case *c = *state;

    begin(c, one, UNIT("T1") WAITS WRITE("second"));
    port_case_begin(c, "/autonomous");
    wait_for_output(c);
    sf_port_line(c->port, "/pause");
    let_go(c);
    wait_for(c, "halt M1/S1/T1: paused");
    sf_port_line(c->port, "/stop");
    port_case_wait(c);
    expect_requests(c, 1);
    must_say("end : the run was stopped");
    assert_false(is_there(c, "second.txt"));
    assert_false(is_leased(c));
}

static void test_next(void **state)
{
    struct port_case *c = *state;

    c->parts->attended = true;
    begin(c, two, UNIT("T1") WRITE("a") SAYS UNIT("T2") WRITE("b") SAYS);
    port_case_line(c, "/next");
    port_case_expect(c, SF_RESPONSE_QUESTION, "**M1/S1/T1** is ready for your review");
    expect_requests(c, 2);
    expect_state(c, "T1", "reviewing");
    must_say("halt M1/S1/T1");
    must_say("/next accept M1/S1/T1");
    assert_true(sf_port_reply(c->port, true));
    while (sf_port_works(c->port))
        sf_loop_turn(c->parts->loop, 1000);
    expect_state(c, "T1", "done");
    expect_state(c, "T2", "todo");
    expect_requests(c, 2);
    port_case_line(c, "/next");
    expect_requests(c, 4);
    expect_state(c, "T2", "reviewing");
}

/* ---- what comes from outside ---- */

static void test_lease(void **state)
{
    struct port_case *c = *state;
    char *path = test_path(c->parts->state_dir, "run.lock");
    struct sf_lock lock = SF_LOCK_INIT;
    struct sf_error err = SF_ERROR_INIT;

    begin(c, one, UNIT("T1") WRITE("a") SAYS);
    assert_true(sf_lock_take(path, 0, &lock, &err));
    port_case_line(c, "/autonomous");
    expect_requests(c, 0);
    assert_string_equal(world.lines.buf, ""); /* nothing is written without the lease */
    assert_non_null(strstr(world.notices.buf, "another sf process"));
    assert_non_null(strstr(world.notices.buf, "to go on: sf headless stop, then /autonomous"));
    assert_false(sf_mode_state_drives(sf_port_state(c->port)));
    expect_state(c, "T1", "todo");
    sf_lock_drop(&lock);
    port_case_line(c, "/autonomous");
    expect_state(c, "T1", "done");
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
        begin(c, one, UNIT("T1") WRITE("a") SAYS UNIT("T1") SAYS);
        sf_strbuf_reset(&text);
        sf_strbuf_addf(&text, "create trigger no %s begin select raise(abort, 'no'); end",
                       refusals[i].trigger);
        test_sql_exec(c->parts->state_dir, text.buf);
        port_case_line(c, "/autonomous");
        port_case_said(c, SF_RESPONSE_ERROR);
        expect_requests(c, refusals[i].requests);
        if (is_leased(c) || sf_port_carries_out(c->port))
            fail_msg("%s: it goes on", refusals[i].name);
        if (sf_mode_state_drives(sf_port_state(c->port)))
            fail_msg("%s: the badge says that it goes on", refusals[i].name);
        expect_done(c, 0);
        test_sql_exec(c->parts->state_dir, "drop trigger no");
        port_case_line(c, "/autonomous");
        expect_done(c, 1);
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

    begin(c, one, UNIT("T1") WRITE("a") SAYS);
    free(tree_run(c->parts->workspace.root, conflict, NULL));
    port_case_line(c, "/autonomous");
    expect_requests(c, 0);
    must_say("halt ");
    must_say("conflict");
    must_say("| /doctor");
    expect_state(c, "T1", "todo");
    free(tree_run(c->parts->workspace.root, "git merge --abort", NULL));
    port_case_line(c, "/autonomous");
    expect_state(c, "T1", "done");
}

/* ---- dying in mid-unit ---- */

static void die_and_go_on(struct port_case *c, bool resume)
{
    char id[SF_ID_LEN + 1];

    begin(c, two,
          UNIT("T1") WRITE("a")
              SAYS UNIT("T2") "    expect-lacks \"It was begun before\"\n" WAITS UNIT(
                  "T2") "    expect-contains \"It was begun before\"\n" WRITE("b") SAYS);
    port_case_begin(c, "/autonomous");
    wait_for_output(c); /* of the check of T1 */
    while (model_server_count(c->parts->server) < 3 || !strstr(world.lines.buf, "start M1/S1/T2"))
        sf_loop_turn(c->parts->loop, 1000);
    world.begun = false;
    wait_for_output(c);
    expect_state(c, "T1", "done");
    expect_state(c, "T2", "running");
    snprintf(id, sizeof(id), "%s", sf_port_session(c->port));
    port_case_open(c, resume ? id : NULL);
    assert_false(is_leased(c));
    expect_requests(c, 3);
    sf_strbuf_reset(&world.lines);
    port_case_line(c, "/autonomous");
    expect_requests(c, 5);
    must_not_say("T1");
    must_say("the plan is done");
    expect_state(c, "T2", "done");
    assert_int_equal(count(c, "events where kind = 'unit_verdict'"), 2);
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
        add_line(ctx, &event->run);
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

    begin(c, two,
          UNIT("T1") "    text \"I have done it.\"\n" UNIT("T1") WRITE("a")
              SAYS UNIT("T2") "    text \"Done.\"\n" UNIT("T2") "    text \"Done.\"\n");
    port_case_line(c, "/autonomous");
    port_case_line(c, "/next skip M1/S1/T2 not needed");
    must_say("halt M1/S1/T2");
    must_say("skip by user: not needed");
    all.session = sf_port_session(c->port);
    r.replay = sf_log_replay_new(c->parts->workspace.root);
    assert_true(sf_store_each_event(c->parts->store, &all, read_row, &r, &err));
    sf_log_replay_end(r.replay, add_replayed, &r.lines);
    assert_string_equal(r.lines.buf, world.lines.buf);
    sf_log_replay_free(r.replay);
    sf_strbuf_release(&r.lines);
}

int main(void)
{
#define AT_PORT(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
    const struct CMUnitTest tests[] = {
        AT_PORT(test_in_order),
        AT_PORT(test_failing_then_done),
        AT_PORT(test_same_failure),
        AT_PORT(test_not_verified),
        AT_PORT(test_pause),
        AT_PORT(test_stop),
        AT_PORT(test_stop_paused),
        AT_PORT(test_next),
        AT_PORT(test_lease),
        AT_PORT(test_store_refuses),
        AT_PORT(test_health),
        AT_PORT(test_died_resumed),
        AT_PORT(test_died_new_session),
        AT_PORT(test_replayed),
    };

    return cmocka_run_group_tests_name("run", tests, NULL, NULL);
}
