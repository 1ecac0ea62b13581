/*
 * A restore is a job of the session: from the moment it is asked for until its event is written no
 * turn and no command begins, whatever came of it they go on afterwards, and it does not begin
 * while one of them runs. The order is read from the log.
 */
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "port/port.h"
#include "support/session_case.h"
#include "support/test.h"
#include "support/tree.h"

/* Enough that putting them back takes longer than starting a command or a turn. */
#define MANY      "800"
#define MAKE_MANY "for i in $(seq " MANY "); do echo $i > many/$i; done"

struct restoring {
    struct session_case *c;
    bool yes;             /* the answer to a plan */
    bool waits;           /* the plan is not answered from within */
    size_t planned, over; /* how often it was told */
    enum sf_restore_state state;
    struct sf_error err;
    size_t removed;
    void (*at_plan)(struct restoring *r); /* or NULL */
};

static void serve(struct session_case *c, const char *scenario)
{
    static const char *const tools[] = { "Bash", "RevertTurn" };

    tree_puts(c->workspace.root, "src/a.txt", "one\n");
    tree_puts(c->workspace.root, "many/keep", "x\n");
    session_case_settings(c, "[network]\nretries = 0\n[snapshots]\nenabled = true\n");
    for (size_t i = 0; i < SF_COUNT(tools); i++)
        sf_strlist_add(&c->tools, tools[i]);
    c->attended = true;
    session_case_serve(c, SF_WIRE_ANTHROPIC, scenario);
    session_case_open(c, NULL);
}

static const char make_many[] = "reply\n    call Bash {\"command\":\"" MAKE_MANY "\"}\n"
                                "reply\n    text \"made\"\n"
                                "reply\n    text \"seen\"\n";

static bool exists(struct session_case *c, const char *name)
{
    char *path = test_path(c->workspace.root, name);
    bool there = access(path, F_OK) == 0;

    free(path);
    return there;
}

/* ---- the log ---- */

static bool add_kind(const struct sf_event_row *event, void *ctx)
{
    static const char *const shown[] = { "restore", "user", "end", "shell" };
    struct sf_strbuf *out = ctx;

    for (size_t i = 0; i < SF_COUNT(shown); i++)
        if (!strcmp(event->kind, shown[i]))
            sf_strbuf_addf(out, "%s ", shown[i]);
    return true;
}

/* The kinds of those events, in the order of their ids. */
static void read_log(struct session_case *c, struct sf_strbuf *out)
{
    const struct sf_event_filter filter = { .session = sf_session_id(c->session) };
    struct sf_error err = SF_ERROR_INIT;

    assert_true(sf_store_each_event(c->store, &filter, add_kind, out, &err));
}

static void expect_log(struct session_case *c, const char *want)
{
    struct sf_strbuf is = SF_STRBUF_INIT;
    bool same;

    read_log(c, &is);
    same = !strcmp(is.buf, want);
    if (!same)
        print_error("the log has %s, want %s\n", is.buf, want);
    sf_strbuf_release(&is);
    assert_true(same);
}

static void expect_before(struct session_case *c, const char *first, const char *then)
{
    struct sf_strbuf is = SF_STRBUF_INIT;
    const char *at;
    bool ok;

    read_log(c, &is);
    at = strstr(is.buf, first);
    ok = at && strstr(at, then);
    if (!ok)
        print_error("the log has %s, want %s before %s\n", is.buf, first, then);
    sf_strbuf_release(&is);
    assert_true(ok);
}

/* ---- going ---- */

static void moved(void *ctx, const struct sf_restore_job *job)
{
    struct restoring *r = ctx;

    r->state = job->state;
    if (job->state != SF_RESTORE_STATE_PLANNED) {
        r->over++;
        r->err = job->err;
        r->removed = job->done.tally.removed;
        return;
    }
    r->planned++;
    if (r->at_plan)
        r->at_plan(r);
    if (!r->waits)
        sf_session_restore_answer(r->c->session, r->yes);
}

static void begin(struct restoring *r, enum sf_restore_goal goal)
{
    const struct sf_restore_what what = { goal, 1 };
    const struct sf_restore_how how = { .reason = "a test" };
    struct sf_error err = SF_ERROR_INIT;

    memset(r->c->event, 0, sizeof(r->c->event));
    if (!sf_session_restore(r->c->session, &what, &how, moved, r, &err))
        fail_msg("%s", err.msg);
}

static void turn_loop(struct session_case *c, int64_t deadline)
{
    if (sf_clock_monotonic_ms() > deadline)
        fail_msg("it hangs");
    sf_loop_turn(c->loop, 1000);
}

static void wait_for(struct session_case *c, const size_t *count)
{
    int64_t deadline = sf_clock_monotonic_ms() + SESSION_CASE_HANG_MS;

    while (!*count)
        turn_loop(c, deadline);
}

static void say(struct session_case *c, const char *words)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_session_send(c->session, words, strlen(words), &err))
        fail_msg("%s", err.msg);
}

static void run(struct session_case *c, const char *command)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_session_shell(c->session, command, &err))
        fail_msg("%s", err.msg);
}

static void wait_shell(struct session_case *c)
{
    int64_t deadline = sf_clock_monotonic_ms() + SESSION_CASE_HANG_MS;

    while (sf_session_restoring(c->session) || !c->event[SF_EVENT_RESULT])
        turn_loop(c, deadline);
}

static void expect_ended(const struct restoring *r, enum sf_restore_state state, const char *why)
{
    assert_int_equal(r->over, 1);
    assert_int_equal(r->state, state);
    assert_non_null(strstr(r->err.msg, why));
}

/* ---- words and commands wait ---- */

static void say_at_plan(struct restoring *r)
{
    say(r->c, "then say this");
}

static void test_words_wait(void **state)
{
    static const struct {
        const char *name;
        void (*at_plan)(struct restoring *r);
    } cases[] = { { "said while it is planned", say_at_plan }, { "said before", NULL } };
    struct session_case *c = *state;

    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct restoring r = { .c = c, .yes = true, .at_plan = cases[i].at_plan };

        print_message("%s\n", cases[i].name);
        serve(c, make_many);
        session_case_turn(c, "make them");
        assert_true(exists(c, "many/" MANY));
        begin(&r, SF_RESTORE_TO_TURN);
        if (!cases[i].at_plan)
            say(c, "then say this");
        assert_false(sf_session_busy(c->session));
        assert_non_null(sf_session_restoring(c->session));
        session_case_wait(c);
        expect_ended(&r, SF_RESTORE_STATE_RECORDED, "");
        assert_int_equal(r.removed, atoi(MANY));
        assert_string_equal(c->text.buf, "madeseen");
        assert_false(exists(c, "many/" MANY));
        expect_log(c, "user end restore user end ");
    }
}

/* All the while files go back, and as soon as they do. */
static void test_words_wait_while_it_runs(void **state)
{
    struct session_case *c = *state;
    struct restoring r = { .c = c, .waits = true };

    serve(c, make_many);
    session_case_turn(c, "make them");
    begin(&r, SF_RESTORE_TO_TURN);
    wait_for(c, &r.planned);
    sf_session_restore_answer(c->session, true);
    assert_int_equal(sf_session_restoring(c->session)->state, SF_RESTORE_STATE_RUNNING);
    assert_int_equal(sf_restore_files(sf_session_restoring(c->session)), atoi(MANY));
    say(c, "then say this");
    session_case_wait(c);
    expect_log(c, "user end restore user end ");
}

static void test_command_waits(void **state)
{
    struct session_case *c = *state;
    struct restoring r = { .c = c, .yes = true };
    struct sf_error err = SF_ERROR_INIT;

    serve(c, make_many);
    session_case_turn(c, "make them");
    begin(&r, SF_RESTORE_TO_TURN);
    sf_strbuf_reset(&c->heard);
    run(c, "ls many | wc -l");
    assert_false(sf_session_shell(c->session, "a second one", &err));
    wait_shell(c);
    assert_non_null(strstr(c->heard.buf, "\n1\n"));
    expect_log(c, "user end restore shell ");
}

/* ---- whatever comes of it ---- */

static void test_declined(void **state)
{
    struct session_case *c = *state;
    struct restoring r = { .c = c };

    serve(c, make_many);
    session_case_turn(c, "make them");
    begin(&r, SF_RESTORE_TO_TURN);
    say(c, "then say this");
    session_case_wait(c);
    expect_ended(&r, SF_RESTORE_STATE_ENDED, "");
    assert_true(exists(c, "many/" MANY));
    expect_log(c, "user end user end ");
}

static void test_failed(void **state)
{
    struct session_case *c = *state;
    struct restoring r = { .c = c, .yes = true };

    serve(c, "reply\n    text \"seen\"\n");
    begin(&r, SF_RESTORE_TO_TURN);
    say(c, "then say this");
    session_case_wait(c);
    expect_ended(&r, SF_RESTORE_STATE_ENDED, "no snapshot of this session from before a turn");
    assert_int_equal(r.planned, 0);
    expect_log(c, "user end ");
}

/* Before anybody was asked, and when half of the files may be back: then they go again. */
static void test_cancelled(void **state)
{
    struct session_case *c = *state;
    struct restoring early = { .c = c, .yes = true }, late = { .c = c, .waits = true };

    serve(c, make_many);
    session_case_turn(c, "make them");
    begin(&early, SF_RESTORE_TO_TURN);
    sf_session_cancel(c->session);
    wait_for(c, &early.over);
    expect_ended(&early, SF_RESTORE_STATE_ENDED, "cancelled");
    assert_int_equal(early.planned, 0);

    while (sf_session_restoring(c->session))
        sf_loop_turn(c->loop, 1000);
    sf_loop_turn(c->loop, 0);
    begin(&late, SF_RESTORE_TO_TURN);
    wait_for(c, &late.planned);
    sf_session_restore_answer(c->session, true);
    say(c, "then say this");
    sf_session_cancel(c->session);
    session_case_wait(c);
    expect_ended(&late, SF_RESTORE_STATE_ENDED, "cancelled");
    assert_true(exists(c, "many/1"));
    assert_true(exists(c, "many/" MANY));
    expect_log(c, "user end user end ");
}

/* Words that wait when the session is closed wait in its queue. */
static bool add_queued(void *ctx, int64_t id, const char *text)
{
    (void)id;
    sf_strbuf_addf(ctx, "%s;", text);
    return true;
}

static void test_closed(void **state)
{
    struct session_case *c = *state;
    struct restoring r = { .c = c, .waits = true };
    struct sf_strbuf queued = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    char id[SF_ID_LEN + 1];

    serve(c, make_many);
    session_case_turn(c, "make them");
    snprintf(id, sizeof(id), "%s", sf_session_id(c->session));
    begin(&r, SF_RESTORE_TO_TURN);
    wait_for(c, &r.planned);
    say(c, "then say this");
    sf_session_close(c->session);
    c->session = NULL;
    expect_ended(&r, SF_RESTORE_STATE_ENDED, "");
    assert_true(sf_store_each_queued(c->store, id, add_queued, &queued, &err));
    assert_string_equal(queued.buf, "then say this;");
    sf_strbuf_release(&queued);
}

/* Files on their way back arrive when the session is closed, and the log says so. */
static void test_closed_while_it_runs(void **state)
{
    struct session_case *c = *state;
    struct restoring r = { .c = c, .waits = true };
    char id[SF_ID_LEN + 1];

    serve(c, make_many);
    session_case_turn(c, "make them");
    snprintf(id, sizeof(id), "%s", sf_session_id(c->session));
    begin(&r, SF_RESTORE_TO_TURN);
    wait_for(c, &r.planned);
    sf_session_restore_answer(c->session, true);
    session_case_open(c, id);
    expect_ended(&r, SF_RESTORE_STATE_RECORDED, "");
    assert_false(exists(c, "many/" MANY));
    expect_log(c, "user end restore ");
}

/* ---- it does not begin ---- */

static void expect_refused(struct session_case *c, const char *why)
{
    const struct sf_restore_what what = { SF_RESTORE_TO_TURN, 1 };
    const struct sf_restore_how how = { 0 };
    struct restoring r = { .c = c };
    struct sf_error err = SF_ERROR_INIT;

    assert_false(sf_session_restore(c->session, &what, &how, moved, &r, &err));
    assert_int_equal(err.code, SF_E_BUSY);
    assert_string_equal(err.msg, why);
    assert_int_equal(r.over, 0);
}

static void test_not_beside_anything(void **state)
{
    struct session_case *c = *state;
    struct restoring r = { .c = c };

    serve(c, make_many);
    memset(c->event, 0, sizeof(c->event));
    say(c, "make them");
    expect_refused(c, "a turn is running: Esc cancels it");
    session_case_wait(c);
    run(c, "cat");
    expect_refused(c, "a command of yours is running: Esc cancels it");
    c->event[SF_EVENT_RESULT] = 0;
    sf_session_cancel(c->session);
    wait_shell(c);
    begin(&r, SF_RESTORE_TO_TURN);
    expect_refused(c, "one moment: files are being looked at; then try again");
    wait_for(c, &r.over);
}

/* ---- the model's own restore ---- */

static const char revert[] = "reply\n    call Bash {\"command\":\"" MAKE_MANY "\"}\n"
                             "reply\n    text \"made\"\n"
                             "reply\n    call RevertTurn {}\n"
                             "reply\n    text \"done\"\n";

/* Sends the words and waits until somebody is asked about RevertTurn. */
static char *wait_asked(struct session_case *c, const char *words)
{
    int64_t deadline = sf_clock_monotonic_ms() + SESSION_CASE_HANG_MS;
    char *id;

    memset(c->event, 0, sizeof(c->event));
    say(c, words);
    while (!c->asked)
        turn_loop(c, deadline);
    id = c->asked;
    c->asked = NULL;
    return id;
}

/* A command that is typed while the model's restore runs begins behind it. */
static void test_command_waits_for_revert(void **state)
{
    struct session_case *c = *state;
    char *id;

    serve(c, revert);
    session_case_turn(c, "make them");
    id = wait_asked(c, "take it back");
    sf_strbuf_reset(&c->heard);
    assert_true(sf_session_answer(c->session, id, SF_REPLY_ONCE, NULL, "test"));
    run(c, "ls many | wc -l");
    session_case_wait(c);
    while (sf_session_shell_runs(c->session))
        sf_loop_turn(c->loop, 1000);
    assert_non_null(strstr(c->heard.buf, "\n1\n"));
    free(id);
    expect_before(c, "restore ", "shell ");
}

/* A command that runs already may be writing. */
static void test_revert_beside_command(void **state)
{
    struct session_case *c = *state;
    char *id;

    serve(c, revert);
    session_case_turn(c, "make them");
    id = wait_asked(c, "take it back");
    run(c, "until [ -e go ]; do read -t 0.05 < <(:) || :; done");
    while (!c->event[SF_EVENT_VERDICT] || !sf_session_shell_runs(c->session))
        sf_loop_turn(c->loop, 1000);
    assert_true(sf_session_answer(c->session, id, SF_REPLY_ONCE, NULL, "test"));
    session_case_wait(c);
    assert_non_null(strstr(c->heard.buf, "Not run: a command of the user's is running"));
    assert_true(exists(c, "many/" MANY));
    tree_puts(c->workspace.root, "go", "");
    while (sf_session_shell_runs(c->session))
        sf_loop_turn(c->loop, 1000);
    free(id);
}

/* ---- looking ---- */

static void looked(void *ctx, const struct sf_restore_job *job)
{
    struct restoring *r = ctx;

    r->over++;
    r->state = job->state;
    r->err = job->err;
    r->removed = job->tally.removed;
    if (!*job->err.msg)
        assert_non_null(strstr(job->diff.buf, "many/1"));
}

/* A look holds nothing up, and changes nothing. */
static void test_look(void **state)
{
    const struct sf_restore_what turn = { SF_RESTORE_TO_TURN, 1 },
                                 nowhere = { SF_RESTORE_TO_NUMBER, 77 };
    const struct sf_restore_how how = { .diff_max = 65536 };
    struct session_case *c = *state;
    struct restoring r = { .c = c }, none = { .c = c };

    serve(c, make_many);
    session_case_turn(c, "make them");
    sf_session_look(c->session, &turn, &how, looked, &r);
    assert_null(sf_session_restoring(c->session));
    wait_for(c, &r.over);
    expect_ended(&r, SF_RESTORE_STATE_ENDED, "");
    assert_int_equal(r.removed, atoi(MANY));
    assert_true(exists(c, "many/" MANY));
    sf_session_look(c->session, &nowhere, &how, looked, &none);
    wait_for(c, &none.over);
    expect_ended(&none, SF_RESTORE_STATE_ENDED, "there is no such snapshot");
}

/* Nobody sees what is found after the session was closed, so closing does not wait for it. */
static void test_look_closed(void **state)
{
    const struct sf_restore_what start = { SF_RESTORE_TO_START, 0 };
    const struct sf_restore_how how = { .diff_only = true, .count_files = true };
    struct session_case *c = *state;
    struct restoring r = { .c = c };

    serve(c, make_many);
    session_case_turn(c, "make them");
    sf_session_look(c->session, &start, &how, looked, &r);
    sf_session_close(c->session);
    c->session = NULL;
    assert_int_equal(r.over, 1);
    assert_int_equal(r.err.code, SF_E_CANCELLED);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, session_case_setup, session_case_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_words_wait),
        CASE(test_words_wait_while_it_runs),
        CASE(test_command_waits),
        CASE(test_declined),
        CASE(test_failed),
        CASE(test_cancelled),
        CASE(test_closed),
        CASE(test_closed_while_it_runs),
        CASE(test_not_beside_anything),
        CASE(test_command_waits_for_revert),
        CASE(test_revert_beside_command),
        CASE(test_look),
        CASE(test_look_closed),
    };

    cmocka_set_test_filter(getenv("SF_TEST_FILTER"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
