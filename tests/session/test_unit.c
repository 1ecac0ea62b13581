/*
 * What a run of units needs of a session: a unit's request holds nothing that was said before, a
 * hold lets what runs come to its end and starts nothing new, and a check is judged and asked about
 * like any call, and told to nobody but the run.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "support/session_case.h"
#include "support/store_case.h"
#include "support/test.h"
#include "support/tree.h"

/* Runs until the file "go" is there; what it prints comes at once. */
#define WAITS "echo begun; while ! test -e go; do sleep 0.02; done; echo over"

/* What the test does when a command has begun to print, and what it was told. */
struct world {
    struct session_case *c;
    int rested; /* how often the hold said that nothing runs */
    bool holds; /* hold when the command prints */
    const char *remark;
    int checked;
    struct sf_check_outcome outcome;
    struct sf_strbuf text;
};

static struct world world;

static void rests(void *ctx)
{
    ((struct world *)ctx)->rested++;
}

static void watch(void *ctx, const struct sf_event *event)
{
    struct world *w = ctx;

    if (event->kind != SF_EVENT_OUTPUT)
        return;
    if (w->remark)
        sf_session_remark(w->c->session, w->remark);
    w->remark = NULL;
    if (w->holds)
        sf_session_hold(w->c->session, rests, w);
    w->holds = false;
    tree_puts(w->c->workspace.root, "go", "");
}

static int setup(void **state)
{
    struct session_case *c;

    session_case_setup(state);
    c = *state;
    sf_strlist_add(&c->tools, "Bash");
    c->attended = true;
    c->reply = SF_REPLY_ONCE;
    world = (struct world){ .c = c };
    sf_strbuf_init(&world.text);
    c->watch = watch;
    c->watch_ctx = &world;
    return 0;
}

static int teardown(void **state)
{
    sf_strbuf_release(&world.text);
    return session_case_teardown(state);
}

static void begin(struct session_case *c, const char *scenario)
{
    session_case_serve(c, SF_WIRE_ANTHROPIC, scenario);
    session_case_open(c, NULL);
}

static void begin_unit(struct session_case *c, const char *words)
{
    struct sf_error err = SF_ERROR_INIT;

    memset(c->event, 0, sizeof(c->event));
    sf_strbuf_reset(&c->text);
    sf_strbuf_reset(&c->heard);
    if (!sf_session_unit(c->session, words, strlen(words), &err))
        fail_msg("%s", err.msg);
}

static void do_unit(struct session_case *c, const char *words)
{
    begin_unit(c, words);
    session_case_wait(c);
    if (c->status != SF_TURN_DONE)
        fail_msg("%s: %s", words, c->heard.buf);
}

static void reopen(struct session_case *c)
{
    char id[SF_ID_LEN + 1];

    snprintf(id, sizeof(id), "%s", sf_session_id(c->session));
    session_case_open(c, id);
}

static bool is_there(struct session_case *c, const char *name)
{
    char *path = test_path(c->workspace.root, name);
    bool there = access(path, F_OK) == 0;

    free(path);
    return there;
}

/* ---- a fresh context ---- */

static void test_afresh(void **state)
{
    struct session_case *c = *state;
    struct sf_error err = SF_ERROR_INIT;

    begin(c, "reply\n    text \"An answer of old.\"\n"
             "reply\n    expect-contains \"briefing alpha\"\n"
             "    expect-contains \"a pinned fact\"\n"
             "    expect-lacks \"words of old\"\n    expect-lacks \"An answer of old.\"\n"
             "    call Read {\"file_path\": \"a.txt\"}\n"
             "reply\n    expect-contains \"briefing alpha\"\n"
             "    expect-contains \"what is in a\"\n    expect-lacks \"words of old\"\n"
             "    text \"Unit alpha is done.\"\n"
             "reply\n    expect-contains \"briefing beta\"\n"
             "    expect-contains \"a pinned fact\"\n    expect-lacks \"alpha\"\n"
             "    expect-lacks \"what is in a\"\n    text \"So is the second.\"\n");
    tree_puts(c->workspace.root, "a.txt", "what is in a\n");
    session_case_turn(c, "words of old");
    assert_true(sf_session_pin(c->session, "a pinned fact", &err));
    do_unit(c, "briefing alpha");
    do_unit(c, "briefing beta");
    session_case_check_history(c, "units");
    session_case_check_server(c, "units");
}

/* What the log says afterwards is what the model was shown. */
static void test_afresh_resumed(void **state)
{
    struct session_case *c = *state;
    struct sf_error err = SF_ERROR_INIT;

    begin(c, "reply\n    text \"An answer of old.\"\n"
             "reply\n    text \"The unit is done.\"\n"
             "reply\n    expect-contains \"the briefing\"\n    expect-contains \"a pinned fact\"\n"
             "    expect-contains \"The unit is done.\"\n    expect-lacks \"words of old\"\n"
             "    expect-lacks \"An answer of old.\"\n    text \"I go on.\"\n"
             "reply\n    expect-contains \"the next one\"\n    expect-contains \"a pinned fact\"\n"
             "    expect-lacks \"the briefing\"\n    expect-lacks \"I go on.\"\n"
             "    text \"That too.\"\n");
    session_case_turn(c, "words of old");
    assert_true(sf_session_pin(c->session, "a pinned fact", &err));
    do_unit(c, "the briefing");
    reopen(c);
    session_case_turn(c, "go on");
    assert_string_equal(c->text.buf, "I go on.");
    reopen(c);
    do_unit(c, "the next one");
    session_case_check_history(c, "resumed");
    session_case_check_server(c, "resumed");
}

static void test_one_at_a_time(void **state)
{
    struct session_case *c = *state;
    struct sf_error err = SF_ERROR_INIT;

    begin(c, "reply\n    text \"done\"\n");
    begin_unit(c, "the briefing");
    assert_false(sf_session_unit(c->session, "another", 7, &err));
    assert_int_equal(err.code, SF_E_BUSY);
    session_case_wait(c);
    assert_int_equal(model_server_count(c->server), 1);
}

static void test_remark(void **state)
{
    struct session_case *c = *state;

    world.remark = "Come to an end.";
    begin(c, "reply\n    expect-lacks \"Come to an end.\"\n"
             "    call Bash {\"command\": \"" WAITS "\"}\n"
             "reply\n    expect-contains \"Come to an end.\"\n    text \"done\"\n");
    do_unit(c, "the briefing");
    assert_int_equal(model_server_count(c->server), 2);
    session_case_check_server(c, "remark");
}

/* ---- holding ---- */

static const char one_call[] = "reply\n    call Bash {\"command\": \"" WAITS "\"}\n"
                               "reply\n    expect-contains \"over\"\n    text \"done\"\n"
                               "reply\n    text \"after\"\n";

static const char two_calls[] = "reply\n    call Bash {\"command\": \"" WAITS "\"}\n"
                                "    call Write {\"file_path\": \"second\", \"content\": \"x\"}\n"
                                "reply\n    text \"done\"\n"
                                "reply\n    text \"after\"\n";

static void turn_loop(struct session_case *c, int times)
{
    for (int i = 0; i < times; i++)
        sf_loop_turn(c->loop, 0);
}

/* Until the hold says that nothing runs any more; an ask is answered meanwhile. */
static void wait_for_rest(struct session_case *c)
{
    int64_t deadline = sf_clock_monotonic_ms() + SESSION_CASE_HANG_MS;

    while (!world.rested) {
        char *id = c->asked;

        if (sf_clock_monotonic_ms() > deadline)
            fail_msg("it hangs");
        c->asked = NULL;
        if (id)
            sf_session_answer(c->session, id, c->reply, NULL, "test");
        free(id);
        sf_loop_turn(c->loop, 1000);
    }
    turn_loop(c, 50);
}

static void hold_in(struct session_case *c, const char *scenario)
{
    world.holds = true;
    begin(c, scenario);
    begin_unit(c, "the briefing");
    wait_for_rest(c);
    assert_int_equal(world.rested, 1);
    assert_int_equal(c->event[SF_EVENT_RESULT], 1); /* what ran has come to its end */
    assert_non_null(strstr(c->heard.buf, "over"));
    assert_int_equal(c->event[SF_EVENT_DONE], 0);
    assert_int_equal(model_server_count(c->server), 1);
}

static void test_hold_request(void **state)
{
    struct session_case *c = *state;

    hold_in(c, one_call);
    sf_session_release(c->session);
    session_case_wait(c);
    assert_int_equal(c->status, SF_TURN_DONE);
    assert_string_equal(c->text.buf, "done");
    assert_int_equal(world.rested, 1);
    assert_int_equal(c->event[SF_EVENT_PROMPT], 1); /* the same turn */
    assert_int_equal(model_server_count(c->server), 2);
    session_case_check_server(c, "hold");
}

static void test_hold_call(void **state)
{
    struct session_case *c = *state;

    hold_in(c, two_calls);
    assert_false(is_there(c, "second"));
    sf_session_release(c->session);
    session_case_wait(c);
    assert_int_equal(c->status, SF_TURN_DONE);
    assert_true(is_there(c, "second"));
    assert_int_equal(c->event[SF_EVENT_RESULT], 2);
    assert_int_equal(world.rested, 1);
    session_case_check_server(c, "hold");
}

/* Held again without anything having run between: it rests at once, and says so once more. */
static void test_hold_again(void **state)
{
    struct session_case *c = *state;

    hold_in(c, one_call);
    world.rested = 0;
    sf_session_hold(c->session, rests, &world);
    assert_int_equal(world.rested, 0); /* from the loop alone */
    wait_for_rest(c);
    assert_int_equal(world.rested, 1);
    sf_session_release(c->session);
    session_case_wait(c);
    assert_int_equal(c->status, SF_TURN_DONE);
}

static void test_hold_idle(void **state)
{
    struct session_case *c = *state;

    begin(c, "reply\n    text \"done\"\n");
    sf_session_hold(c->session, rests, &world);
    wait_for_rest(c);
    begin_unit(c, "the briefing");
    turn_loop(c, 50);
    assert_int_equal(model_server_count(c->server), 0);
    sf_session_release(c->session);
    session_case_wait(c);
    assert_int_equal(c->status, SF_TURN_DONE);
    assert_int_equal(world.rested, 1);
}

static void test_cancel_held(void **state)
{
    static const struct {
        const char *name, *scenario;
    } cases[] = { { "a request", one_call }, { "a call", two_calls } };
    struct session_case *c = *state;

    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        char *go = test_path(c->workspace.root, "go");

        unlink(go);
        free(go);
        world.rested = 0;
        hold_in(c, cases[i].scenario);
        sf_session_cancel(c->session);
        session_case_wait(c);
        if (c->status != SF_TURN_CANCELLED || model_server_count(c->server) != 1)
            fail_msg("%s: ended otherwise", cases[i].name);
        assert_false(is_there(c, "second"));
        sf_session_release(c->session);
        turn_loop(c, 50);
        assert_int_equal(model_server_count(c->server), 1); /* nothing of it is left to be sent */
        session_case_turn(c, "and now");
        assert_int_equal(c->status, SF_TURN_DONE);
        session_case_check_history(c, cases[i].name);
    }
}

/* ---- checks ---- */

static void checked(void *ctx, const struct sf_check_outcome *outcome)
{
    struct world *w = ctx;

    w->checked++;
    w->outcome = *outcome;
    sf_strbuf_reset(&w->text);
    sf_strbuf_add(&w->text, outcome->text, outcome->len);
    assert_false(sf_session_shell_runs(w->c->session)); /* what follows may begin */
}

static void check(struct session_case *c, const char *command)
{
    int64_t deadline = sf_clock_monotonic_ms() + SESSION_CASE_HANG_MS;
    struct sf_error err = SF_ERROR_INIT;

    memset(c->event, 0, sizeof(c->event));
    world.checked = 0;
    if (!sf_session_check(c->session, command, checked, &world, &err))
        fail_msg("%s: %s", command, err.msg);
    while (!world.checked) {
        char *id = c->asked;

        if (sf_clock_monotonic_ms() > deadline)
            fail_msg("it hangs");
        c->asked = NULL;
        if (id)
            sf_session_answer(c->session, id, c->reply, NULL, "test");
        free(id);
        if (!world.checked)
            sf_loop_turn(c->loop, 1000);
    }
    turn_loop(c, 20);
    assert_int_equal(world.checked, 1);
}

static void set_profile(struct session_case *c, int profile)
{
    struct sf_mode_change change = SF_MODE_CHANGE_INIT;
    struct sf_confirm confirm = { .given = true };
    struct sf_error err = SF_ERROR_INIT;

    sf_change_axis(&change, SF_AXIS_PROFILE, profile);
    if (!sf_session_change(c->session, &change, SF_WHEN_DEFAULT, "test", &confirm, &err))
        fail_msg("%s", err.msg);
}

static void test_judged(void **state)
{
    static const struct {
        const char *name;
        int profile;
        bool attended;
        enum sf_reply reply;
        int asks;
        bool runs;
    } cases[] = {
        { "restricted", SF_PROFILE_RESTRICTED, true, SF_REPLY_ONCE, 0, false },
        { "normal, allowed", SF_PROFILE_NORMAL, true, SF_REPLY_ONCE, 1, true },
        { "normal, denied", SF_PROFILE_NORMAL, true, SF_REPLY_DENY, 1, false },
        { "normal, nobody there", SF_PROFILE_NORMAL, false, SF_REPLY_ONCE, 0, false },
        { "trusted", SF_PROFILE_TRUSTED, false, SF_REPLY_ONCE, 0, true },
    };
    struct session_case *c = *state;

    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        char *made = test_path(c->workspace.root, "made");

        unlink(made);
        free(made);
        c->attended = cases[i].attended;
        c->reply = cases[i].reply;
        tree_puts(c->workspace.root, "Makefile", "ok:\n\t@touch made\n");
        begin(c, "reply\n    text \"x\"\n");
        set_profile(c, cases[i].profile);
        check(c, "make ok");
        if (c->event[SF_EVENT_ASK] != cases[i].asks || world.outcome.refused == cases[i].runs ||
            is_there(c, "made") != cases[i].runs)
            fail_msg("%s: %d asks, refused %d, ran %d: %s", cases[i].name, c->event[SF_EVENT_ASK],
                     world.outcome.refused, is_there(c, "made"), world.text.buf);
        assert_int_equal(c->event[SF_EVENT_RESULT], 1); /* a person sees it like any call */
    }
}

static void test_outcome(void **state)
{
    struct session_case *c = *state;

    begin(c, "reply\n    text \"x\"\n");
    check(c, "echo this is it; exit 3");
    assert_int_equal(world.outcome.exit_code, 3);
    assert_false(world.outcome.refused);
    assert_non_null(strstr(world.text.buf, "this is it"));
    check(c, "echo again");
    assert_int_equal(world.outcome.exit_code, 0);
    assert_non_null(strstr(world.text.buf, "again"));
}

/* The model of the next turn reads what the user ran, and nothing of a check; also resumed. */
static void test_no_note(void **state)
{
    static const char script[] =
        "reply\n    expect-lacks \"output of a check\"\n    expect-lacks \"user_shell\"\n"
        "    text \"one\"\n"
        "reply\n    expect-lacks \"output of a check\"\n    expect-lacks \"user_shell\"\n"
        "    text \"two\"\n";
    struct session_case *c = *state;

    begin(c, script);
    check(c, "echo output of a check");
    session_case_turn(c, "go on");
    assert_string_equal(c->text.buf, "one");
    check(c, "echo output of a check");
    assert_int_equal(test_sql_int(c->state_dir, "select count(*) from events where kind="
                                                "'shell' and json_extract(data,'$.check')"),
                     2);
    reopen(c);
    session_case_turn(c, "go on");
    assert_string_equal(c->text.buf, "two");
    session_case_check_server(c, "no note");
}

static void test_cancel_check(void **state)
{
    struct session_case *c = *state;
    struct sf_error err = SF_ERROR_INIT;

    begin(c, "reply\n    text \"x\"\n");
    assert_true(sf_session_check(c->session, "sleep 1000", checked, &world, &err));
    assert_false(sf_session_check(c->session, "echo second", checked, &world, &err));
    assert_int_equal(err.code, SF_E_BUSY);
    assert_false(sf_session_unit(c->session, "a unit", 6, &err));
    assert_int_equal(err.code, SF_E_BUSY);
    sf_session_cancel(c->session);
    for (int i = 0; i < 1000 && !world.checked; i++)
        sf_loop_turn(c->loop, 100);
    assert_int_equal(world.checked, 1);
    assert_int_not_equal(world.outcome.exit_code, 0);
    session_case_turn(c, "hello");
    assert_string_equal(c->text.buf, "x");
}

int main(void)
{
#define IN_SESSION(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
    const struct CMUnitTest tests[] = {
        IN_SESSION(test_afresh),        IN_SESSION(test_afresh_resumed),
        IN_SESSION(test_one_at_a_time), IN_SESSION(test_remark),
        IN_SESSION(test_hold_request),  IN_SESSION(test_hold_call),
        IN_SESSION(test_hold_again),    IN_SESSION(test_hold_idle),
        IN_SESSION(test_cancel_held),   IN_SESSION(test_judged),
        IN_SESSION(test_outcome),       IN_SESSION(test_no_note),
        IN_SESSION(test_cancel_check),
    };

    return cmocka_run_group_tests_name("unit", tests, NULL, NULL);
}
