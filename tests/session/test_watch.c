/*
 * Two processes on one session, from the session's own point of view: who watches follows and may
 * say nothing; it takes over with what resuming would give; changes from elsewhere are never lost
 * and hold for the next verdict; transitions that wait outlive their process.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "support/session_case.h"
#include "support/test.h"

/* Somebody who watches, beside the session of the fixture. */
struct watcher {
    struct session_case *c;
    struct sf_session *session;
    struct sf_strbuf seen; /* the kinds of the events, and what became of the watch */
    struct sf_strbuf text; /* of the answer that comes */
    int transitions;
};

static void seen(void *ctx, const struct sf_watch_event *s)
{
    static const char *const words[] = { "event", "holder", "taken", "lost" };
    struct watcher *w = ctx;

    if (s->kind == SF_WATCH_EVENT)
        sf_strbuf_addf(&w->seen, "%s ", s->event->kind);
    else
        sf_strbuf_addf(&w->seen, "[%s%s] ", words[s->kind], s->cut ? " cut" : "");
}

static void event(void *ctx, const struct sf_event *t)
{
    struct watcher *w = ctx;

    if (t->kind == SF_EVENT_TEXT)
        sf_strbuf_add(&w->text, t->words.text, t->words.len);
    if (t->kind == SF_EVENT_RESTART)
        sf_strbuf_reset(&w->text);
    w->transitions += t->kind == SF_EVENT_TRANSITION;
}

static void watch(struct watcher *w, struct session_case *c, struct sf_error *err)
{
    struct sf_session_setup setup = { .loop = c->loop,
                                      .workers = c->workers,
                                      .store = c->store,
                                      .config = c->config,
                                      .workspace = &c->workspace,
                                      .policy = &c->policy,
                                      .catalog = c->catalog,
                                      .provider = &c->provider,
                                      .state_dir = c->state_dir,
                                      .below = "",
                                      .resume = sf_session_id(c->session),
                                      .allowed = &c->tools,
                                      .attended = true,
                                      .event = event,
                                      .seen = seen,
                                      .ctx = w };

    *w = (struct watcher){ .c = c, .seen = SF_STRBUF_INIT, .text = SF_STRBUF_INIT };
    sf_mode_state_init(&setup.state, SF_SURFACE_TUI);
    w->session = sf_session_open(&setup, err);
    if (!w->session)
        fail_msg("%s", err->msg);
}

static void release(struct watcher *w)
{
    sf_session_close(w->session);
    sf_strbuf_release(&w->seen);
    sf_strbuf_release(&w->text);
}

/* `where` is the watcher's own: what it saw, or the text that came to it. */
static void turn_until(struct watcher *w, const struct sf_strbuf *where, const char *word)
{
    int64_t deadline = sf_clock_monotonic_ms() + SESSION_CASE_HANG_MS;

    while (!strstr(where->buf, word)) {
        if (sf_clock_monotonic_ms() > deadline)
            fail_msg("waited in vain for %s: seen %s, text %s", word, w->seen.buf, w->text.buf);
        sf_loop_turn(w->c->loop, 1000);
    }
}

static void test_follows_and_says_nothing(void **state)
{
    struct session_case *c = *state;
    struct sf_error err = SF_ERROR_INIT;
    char who[64];
    struct watcher w;

    session_case_serve(c, SF_WIRE_CHAT, "reply\n    text \"one\"\nreply\n    text \"two\"\n");
    session_case_open(c, NULL);
    session_case_turn(c, "first");
    watch(&w, c, &err);
    assert_non_null(sf_session_holder(w.session));
    assert_int_equal(sf_session_holder(w.session)->pid, getpid());
    assert_int_equal(sf_session_history(w.session)->count, sf_session_history(c->session)->count);
    assert_false(sf_session_send(w.session, "x", 1, &err));
    assert_int_equal(err.code, SF_E_BUSY);
    snprintf(who, sizeof(who), "process %d", (int)getpid());
    assert_non_null(strstr(err.msg, who));
    assert_false(sf_session_shell(w.session, "true", &err));
    session_case_turn(c, "second");
    turn_until(&w, &w.seen, "end");
    assert_string_equal(w.seen.buf, "user assistant end ");
    assert_int_equal(sf_session_history(w.session)->count, sf_session_history(c->session)->count);
    release(&w);
}

/* The holder goes in the middle of a turn: the watcher is where resuming would be. */
static void test_takes_over(void **state)
{
    struct session_case *c = *state;
    struct sf_error err = SF_ERROR_INIT;
    char id[SF_ID_LEN + 1];
    struct watcher w;

    session_case_serve(c, SF_WIRE_CHAT,
                       "reply\n    text \"one\"\n"
                       "reply\n    text \"half of it\"\n    delay 60000\n    text \"never\"\n"
                       "reply\n    expect-contains \"half of it\"\n    text \"three\"\n");
    session_case_open(c, NULL);
    snprintf(id, sizeof(id), "%s", sf_session_id(c->session));
    session_case_turn(c, "first");
    watch(&w, c, &err);
    assert_true(sf_session_send(c->session, "second", 6, &err));
    turn_until(&w, &w.text, "half of it");
    sf_session_close(c->session);
    c->session = NULL;
    turn_until(&w, &w.seen, "[taken");
    assert_non_null(strstr(w.seen.buf, "end [taken cut] "));
    assert_null(sf_session_holder(w.session));
    assert_int_equal(w.text.len, 0);
    assert_true(sf_session_send(w.session, "third", 5, &err));
    turn_until(&w, &w.text, "three");
    assert_string_equal(w.text.buf, "three");
    release(&w);
    session_case_open(c, id);
    session_case_check_history(c, "taken over");
    session_case_check_server(c, "taken over");
}

/* ---- the axes, from elsewhere ---- */

static void change_elsewhere(struct session_case *c, enum sf_axis axis, int value)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_store *store = sf_store_open(c->state_dir, SF_STORE_WRITE, &err);
    struct sf_machine_setup setup = { .scopes = &c->policy.scopes, .workspace_trusted = true };
    struct sf_mode_change change = SF_MODE_CHANGE_INIT;
    char now[SF_TIME_MAX];
    struct sf_mode_request request = { .actor = SF_ACTOR_USER,
                                       .confirmed = true,
                                       .reason = "elsewhere",
                                       .session = sf_session_id(c->session),
                                       .time = now };
    struct sf_machine_receipt receipt;
    const struct sf_transition *due;
    struct sf_mode_machine *m;
    bool found;

    assert_non_null(store);
    sf_time_format_utc(now, sf_clock_wall_ms());
    sf_change_axis(&change, axis, value);
    request.change = change;
    assert_true(sf_store_mode_load(store, request.session, &setup.state, &found, &err) && found);
    assert_true(sf_store_transition_last(store, request.session, &setup.last_id, &err));
    m = sf_mode_machine_new(&setup);
    assert_true(sf_mode_machine_submit(m, &request, &receipt, &err));
    due = sf_mode_machine_due(m, now);
    assert_non_null(due);
    if (!sf_store_transition_save(store, due, &err))
        fail_msg("%s", err.msg);
    sf_mode_machine_free(m);
    sf_store_close(store);
}

static void meddle(void *ctx, const struct sf_event *t)
{
    struct session_case *c = ctx;

    if (t->kind == SF_EVENT_CALL && !strcmp(t->call->name, "Read"))
        change_elsewhere(c, SF_AXIS_WORK, SF_WORK_REVIEW);
}

/* In the middle of a turn: the turn goes on, and the next call is judged by the new axes. */
static void test_changed_in_mid_turn(void **state)
{
    struct session_case *c = *state;
    char *path = test_path(c->workspace.root, "a.txt");

    test_write(path, "a\n", 2);
    session_case_serve(c, SF_WIRE_CHAT,
                       "reply\n    call Read {\"file_path\":\"a.txt\"}\n"
                       "reply\n    call Write {\"file_path\":\"b.txt\",\"content\":\"x\"}\n"
                       "reply\n    text \"over\"\n");
    session_case_open(c, NULL);
    c->watch = meddle;
    c->watch_ctx = c;
    session_case_turn(c, "go");
    assert_int_equal(c->status, SF_TURN_DONE);
    assert_int_equal(sf_session_state(c->session)->work, SF_WORK_REVIEW);
    assert_int_equal(sf_session_state(c->session)->version, 2);
    free(path);
    path = test_path(c->workspace.root, "b.txt");
    assert_int_not_equal(access(path, F_OK), 0);
    free(path);
}

/* ---- transitions that wait ---- */

static void change(struct session_case *c, enum sf_axis axis, int value, enum sf_when when)
{
    struct sf_mode_change wanted = SF_MODE_CHANGE_INIT;
    struct sf_confirm confirm = { .given = true };
    struct sf_error err = SF_ERROR_INIT;

    sf_change_axis(&wanted, axis, value);
    if (!sf_session_change(c->session, &wanted, when, "test", &confirm, &err))
        fail_msg("%s", err.msg);
}

static void reopen(struct session_case *c)
{
    char id[SF_ID_LEN + 1];

    snprintf(id, sizeof(id), "%s", sf_session_id(c->session));
    session_case_open(c, id);
}

static void test_waiting_outlives(void **state)
{
    struct session_case *c = *state;

    session_case_serve(c, SF_WIRE_CHAT, "reply\n    text \"one\"\n");
    session_case_open(c, NULL);
    change(c, SF_AXIS_MODEL, SF_MODEL_DEEP, SF_WHEN_FOR_NEXT_UNIT);
    change(c, SF_AXIS_WORK, SF_WORK_REPAIR, SF_WHEN_FOR_NEXT_UNIT);
    change(c, SF_AXIS_WORK, SF_WORK_PLAN, SF_WHEN_FOR_NEXT_UNIT); /* in its place */
    reopen(c);
    reopen(c);
    assert_int_equal(sf_session_state(c->session)->work, SF_WORK_BUILD);
    assert_int_equal(sf_session_preview(c->session).work, SF_WORK_PLAN);
    assert_int_equal(sf_session_preview(c->session).model, SF_MODEL_DEEP);
    session_case_turn(c, "go");
    assert_int_equal(sf_session_state(c->session)->work, SF_WORK_BUILD); /* and back */
    assert_int_equal(sf_session_state(c->session)->model, SF_MODEL_SMART);
    assert_int_equal(sf_session_preview(c->session).work, SF_WORK_BUILD);
    reopen(c);
    assert_int_equal(sf_session_preview(c->session).work, SF_WORK_BUILD);
}

/* Somebody else takes the next number while ours waits: both are there in the end. */
static void test_numbers_do_not_collide(void **state)
{
    struct session_case *c = *state;
    struct sf_error err = SF_ERROR_INIT;
    int64_t last;

    session_case_serve(c, SF_WIRE_CHAT, "reply\n    text \"one\"\n");
    session_case_open(c, NULL);
    change(c, SF_AXIS_MODEL, SF_MODEL_DEEP, SF_WHEN_FOR_NEXT_UNIT); /* 1 */
    change_elsewhere(c, SF_AXIS_CONTROL, SF_RUN_MANUAL);            /* 2 */
    change(c, SF_AXIS_WORK, SF_WORK_REPAIR, SF_WHEN_NOW);           /* 3 */
    assert_int_equal(sf_session_state(c->session)->control, SF_RUN_MANUAL);
    assert_int_equal(sf_session_state(c->session)->work, SF_WORK_REPAIR);
    assert_int_equal(sf_session_state(c->session)->version, 3);
    session_case_turn(c, "go"); /* 1 is applied, 4 leads back */
    assert_int_equal(sf_session_state(c->session)->model, SF_MODEL_SMART);
    assert_int_equal(sf_session_state(c->session)->version, 5);
    assert_true(sf_store_transition_last(c->store, sf_session_id(c->session), &last, &err));
    assert_int_equal(last, 4);
}

static void note_start(void *ctx, const struct sf_event *t)
{
    bool *started = ctx;

    *started |= t->kind == SF_EVENT_OUTPUT;
}

/* What is wanted now ends the running call, not the turn. */
static void test_now_ends_the_call(void **state)
{
    struct session_case *c = *state;
    struct sf_error err = SF_ERROR_INIT;
    bool started = false;

    sf_strlist_add(&c->tools, "Bash");
    session_case_serve(c, SF_WIRE_CHAT,
                       "reply\n    call Bash {\"command\":\"echo started; sleep 500\"}\n"
                       "reply\n    text \"over\"\n");
    session_case_open(c, NULL);
    change(c, SF_AXIS_PROFILE, SF_PROFILE_UNRESTRICTED, SF_WHEN_NOW);
    c->watch = note_start;
    c->watch_ctx = &started;
    assert_true(sf_session_send(c->session, "go", 2, &err));
    while (!started && sf_session_busy(c->session))
        sf_loop_turn(c->loop, 1000);
    assert_true(started);
    change(c, SF_AXIS_PROFILE, SF_PROFILE_RESTRICTED, SF_WHEN_AFTER_TOOL);
    assert_int_equal(sf_session_state(c->session)->profile, SF_PROFILE_UNRESTRICTED);
    change(c, SF_AXIS_MODEL, SF_MODEL_DEEP, SF_WHEN_NOW);
    session_case_wait(c);
    assert_int_equal(c->status, SF_TURN_DONE);
    assert_int_equal(sf_session_state(c->session)->profile, SF_PROFILE_RESTRICTED);
    assert_int_equal(sf_session_state(c->session)->model, SF_MODEL_DEEP);
    session_case_check_history(c, "a call that was ended");
}

/* ---- what else comes back ---- */

/* A `cd` of the model lasts as long as the program; a resumed session begins where one stands. */
static void test_shell_begins_where_one_stands(void **state)
{
    struct session_case *c = *state;
    struct sf_error err = SF_ERROR_INIT;
    char *sub = test_path(c->workspace.root, "sub");
    const char *body;
    size_t len;

    assert_true(sf_dir_make(sub, 0755, &err));
    sf_strlist_add(&c->tools, "Bash");
    session_case_serve(c, SF_WIRE_CHAT,
                       "reply\n    call Bash {\"command\":\"cd sub\"}\nreply\n    text \"one\"\n"
                       "reply\n    text \"two\"\nreply\n    text \"three\"\n");
    session_case_open(c, NULL);
    session_case_turn(c, "go");
    session_case_turn(c, "where?");
    body = model_server_body(c->server, 2, &len);
    assert_non_null(strstr(body, "working directory: the workspace's root\\nshell directory: sub"));
    c->below = "sub";
    reopen(c);
    session_case_turn(c, "and now?");
    body = model_server_body(c->server, 3, &len);
    assert_non_null(strstr(body, "working directory: sub\\n</turn_meta>"));
    free(sub);
}

static void note_job(void *ctx, const struct sf_job_view *job)
{
    sf_strbuf_addf(ctx, "%" PRId64 " %s: %s\n", job->id, job->running ? "runs" : "over",
                   job->status);
}

/* Numbers go on, so that a job of now is never taken for one of then. */
static void test_background_jobs(void **state)
{
    struct session_case *c = *state;
    struct sf_strbuf jobs = SF_STRBUF_INIT;

    sf_strlist_add(&c->tools, "Bash");
    session_case_serve(
        c, SF_WIRE_CHAT,
        "reply\n    call Bash {\"command\":\"sleep 600\",\"run_in_background\":true}\n"
        "reply\n    text \"one\"\n"
        "reply\n    call Bash {\"command\":\"sleep 601\",\"run_in_background\":true}\n"
        "reply\n    text \"two\"\n");
    session_case_open(c, NULL);
    session_case_turn(c, "go");
    reopen(c);
    sf_session_each_job(c->session, note_job, &jobs);
    assert_string_equal(jobs.buf, "1 over: ended with sf\n");
    session_case_turn(c, "again");
    sf_strbuf_reset(&jobs);
    sf_session_each_job(c->session, note_job, &jobs);
    assert_non_null(strstr(jobs.buf, "2 runs: "));
    reopen(c);
    sf_strbuf_reset(&jobs);
    sf_session_each_job(c->session, note_job, &jobs);
    assert_string_equal(jobs.buf, "1 over: ended with sf\n"
                                  "2 over: ended with sf\n");
    sf_strbuf_release(&jobs);
}

static void test_chosen_model_comes_back(void **state)
{
    struct session_case *c = *state;

    session_case_serve(c, SF_WIRE_CHAT, "reply\n    text \"one\"\n");
    session_case_open(c, NULL);
    sf_session_set_model(c->session, "another-model");
    reopen(c);
    assert_string_equal(sf_session_model(c->session), "another-model");
    sf_session_set_model(c->session, "");
    reopen(c);
    assert_string_equal(sf_session_model(c->session), "test-model");
}

/* A command of the user's runs while the session is closed: it is ended, and nothing else breaks. */
static void test_closed_while_a_command_runs(void **state)
{
    struct session_case *c = *state;
    struct sf_error err = SF_ERROR_INIT;

    session_case_serve(c, SF_WIRE_CHAT, "reply\n    text \"one\"\n");
    session_case_open(c, NULL);
    assert_true(sf_session_shell(c->session, "echo begun; sleep 600", &err));
    memset(c->event, 0, sizeof(c->event));
    while (!c->event[SF_EVENT_OUTPUT] && sf_session_shell_runs(c->session))
        sf_loop_turn(c->loop, 1000);
    assert_true(c->event[SF_EVENT_OUTPUT]);
    reopen(c);
    session_case_turn(c, "go");
    assert_int_equal(c->status, SF_TURN_DONE);
}

int main(void)
{
#define CASE(fn) cmocka_unit_test_setup_teardown(fn, session_case_setup, session_case_teardown)
    const struct CMUnitTest tests[] = {
        CASE(test_follows_and_says_nothing),    CASE(test_takes_over),
        CASE(test_changed_in_mid_turn),         CASE(test_waiting_outlives),
        CASE(test_numbers_do_not_collide),      CASE(test_shell_begins_where_one_stands),
        CASE(test_now_ends_the_call),           CASE(test_chosen_model_comes_back),
        CASE(test_closed_while_a_command_runs), CASE(test_background_jobs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
