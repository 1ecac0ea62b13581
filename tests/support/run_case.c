/*
 * run_case.c: a port whose events are kept as lines, and a look at the store when it closes.
 */
#include "support/run_case.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/plan_case.h"
#include "support/store_case.h"
#include "support/test.h"
#include "support/tree.h"

struct run_heard *run_heard(struct port_case *c)
{
    return c->parts->watch_ctx;
}

void run_case_add(struct sf_strbuf *out, const struct sf_event_run *run)
{
    sf_strbuf_addf(out, "%s %s: %.*s", run->what, run->task, (int)run->len, run->text);
    sf_strbuf_addf(out, "%s%s\n", *run->way_out ? " | " : "", run->way_out);
}

static void watch(void *ctx, const struct sf_event *event)
{
    struct run_heard *w = ctx;

    if (event->kind == SF_EVENT_RUN)
        run_case_add(&w->lines, &event->run);
    if (event->kind == SF_EVENT_NOTICE)
        sf_strbuf_addf(&w->notices, "%.*s\n", (int)event->notice.len, event->notice.text);
    if (event->kind == SF_EVENT_OUTPUT)
        w->begun = true;
}

int run_case_setup(void **state)
{
    static const char makefile[] = "a b c:\n\t@test -e $@.txt && echo '1 passed, 0 failed' || { "
                                   "echo \"$@.txt is not there\"; echo '0 passed, 1 failed'; "
                                   "exit 1; }\n";
    struct run_heard *heard;
    struct port_case *c;

    port_case_setup(state);
    c = *state;
    heard = sf_alloc(sizeof(*heard));
    sf_strbuf_init(&heard->lines);
    sf_strbuf_init(&heard->notices);
    c->parts->watch = watch;
    c->parts->watch_ctx = heard;
    tree_puts(c->parts->workspace.root, "Makefile", makefile);
    return 0;
}

int64_t run_case_count(struct port_case *c, const char *what)
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
    assert_int_equal(
        run_case_count(c, "tasks t where status <> 'todo' and status <> (select to_status from"
                          " task_transitions m where m.task_id = t.id order by m.id desc"
                          " limit 1)"),
        0);
    assert_int_equal(
        run_case_count(c, "tasks where status = 'done' and coalesce(verdict, '') <> 'passed'"
                          " and id not in (select task_id from task_transitions where"
                          " to_status = 'done' and actor = 'person')"),
        0);
}

int run_case_teardown(void **state)
{
    struct port_case *c = *state;
    struct run_heard *heard = run_heard(c);
    int failed;

    check_moves(c);
    failed = port_case_teardown(state);
    sf_strbuf_release(&heard->lines);
    sf_strbuf_release(&heard->notices);
    free(heard);
    return failed;
}

/* ---- doing ---- */

void run_case_begin(struct port_case *c, const char *plan, const char *scenario)
{
    struct sf_error err = SF_ERROR_INIT;
    int64_t carried;

    if (!test_plan_accept(c->parts->store, "files", plan, &carried, &err))
        fail_msg("%s", err.msg);
    session_case_serve(c->parts, SF_WIRE_ANTHROPIC, scenario);
    port_case_open(c, NULL);
}

void run_case_said(struct port_case *c, const char *words)
{
    if (!strstr(run_heard(c)->lines.buf, words))
        fail_msg("not said: %s; but\n%s", words, run_heard(c)->lines.buf);
}

void run_case_silent(struct port_case *c, const char *words)
{
    if (strstr(run_heard(c)->lines.buf, words))
        fail_msg("said: %s, in\n%s", words, run_heard(c)->lines.buf);
}

void run_case_state(struct port_case *c, const char *task, const char *want)
{
    struct sf_strbuf sql = SF_STRBUF_INIT;
    char *is;

    sf_strbuf_addf(&sql, "select status from tasks where path = 'M1/S1/%s'", task);
    is = test_sql_text(c->parts->state_dir, sql.buf);
    if (strcmp(is, want) != 0)
        fail_msg("%s is %s, not %s; it was said:\n%s", task, is, want, run_heard(c)->lines.buf);
    free(is);
    sf_strbuf_release(&sql);
}

void run_case_requests(struct port_case *c, size_t want)
{
    session_case_check_server(c->parts, run_heard(c)->lines.buf);
    assert_int_equal(model_server_count(c->parts->server), want);
}

void run_case_done(struct port_case *c, int64_t want)
{
    assert_int_equal(run_case_count(c, "tasks t join plans p on p.id = t.plan_id where"
                                       " t.status = 'done' and p.dropped_at is null"),
                     want);
}

void run_case_output(struct port_case *c)
{
    int64_t deadline = sf_clock_monotonic_ms() + SESSION_CASE_HANG_MS;

    while (!run_heard(c)->begun) {
        if (sf_clock_monotonic_ms() > deadline)
            fail_msg("it hangs: %s", run_heard(c)->lines.buf);
        sf_loop_turn(c->parts->loop, 1000);
    }
}

void run_case_wait(struct port_case *c, const char *words)
{
    int64_t deadline = sf_clock_monotonic_ms() + SESSION_CASE_HANG_MS;

    while (!strstr(run_heard(c)->lines.buf, words)) {
        if (sf_clock_monotonic_ms() > deadline)
            fail_msg("not said: %s; but\n%s", words, run_heard(c)->lines.buf);
        sf_loop_turn(c->parts->loop, 1000);
    }
    for (int i = 0; i < 50; i++)
        sf_loop_turn(c->parts->loop, 0);
}

void run_case_let_go(struct port_case *c)
{
    tree_puts(c->parts->workspace.root, "go", "");
}

bool run_case_has(struct port_case *c, const char *name)
{
    char *path = test_path(c->parts->workspace.root, name);
    bool there = access(path, F_OK) == 0;

    free(path);
    return there;
}

bool run_case_leased(struct port_case *c)
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

void run_case_end(struct port_case *c)
{
    int64_t deadline = sf_clock_monotonic_ms() + SESSION_CASE_HANG_MS;

    while (sf_port_works(c->port)) {
        if (sf_clock_monotonic_ms() > deadline)
            fail_msg("it hangs: %s", run_heard(c)->lines.buf);
        sf_loop_turn(c->parts->loop, 1000);
    }
}
