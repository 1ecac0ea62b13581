/*
 * Plans that are submitted: they wait for an answer that is bound to their text, and only an
 * acceptance that is in the log leads from plan to build.
 */
#include "support/session_case.h"
#include "support/test.h"

static const char submits[] = "reply\n"
                              "    call Plan {\"submit\": \"1. read\\n2. mend\"}\n"
                              "reply\n"
                              "    text \"So be it.\"\n";

/* What the surface saw, and how it answers. */
struct reader {
    struct session_case *c;
    char *id, *text, *digest;
    int seen;
    bool answered;
    void (*answer)(struct reader *r);
};

static struct reader reader;

static void watch(void *ctx, const struct sf_event *event)
{
    struct reader *r = ctx;

    if (event->kind != SF_EVENT_SUBMITTED)
        return;
    free(r->id);
    free(r->text);
    free(r->digest);
    r->id = sf_strdup(event->call->id);
    r->text = sf_strndup(event->submitted.text, event->submitted.len);
    r->digest = sf_strdup(event->submitted.digest);
    r->seen++;
    if (r->answer && !r->answered) {
        r->answered = true;
        r->answer(r);
    }
}

static int setup(void **state)
{
    struct session_case *c;

    session_case_setup(state);
    c = *state;
    sf_strlist_add(&c->tools, "Plan");
    reader = (struct reader){ .c = c };
    c->attended = true;
    c->watch = watch;
    c->watch_ctx = &reader;
    return 0;
}

static int teardown(void **state)
{
    free(reader.id);
    free(reader.text);
    free(reader.digest);
    return session_case_teardown(state);
}

static void change(struct session_case *c, enum sf_axis axis, int value)
{
    struct sf_mode_change change = SF_MODE_CHANGE_INIT;
    struct sf_confirm confirm = { .given = true };
    struct sf_error err = SF_ERROR_INIT;

    sf_change_axis(&change, axis, value);
    if (!sf_session_change(c->session, &change, SF_WHEN_DEFAULT, "test", &confirm, &err))
        fail_msg("%s", err.msg);
}

static void begin(struct session_case *c, const char *scenario)
{
    session_case_serve(c, SF_WIRE_ANTHROPIC, scenario);
    session_case_open(c, NULL);
    change(c, SF_AXIS_WORK, SF_WORK_PLAN);
}

/* ---- the log ---- */

static bool count_row(const struct sf_query_row *row, void *ctx)
{
    *(int64_t *)ctx = row->values[0].integer;
    return true;
}

static int64_t count_in(struct session_case *c, const char *table, const char *where)
{
    struct sf_strbuf sql = SF_STRBUF_INIT;
    int64_t n = -1;
    struct sf_query query = { .row = count_row, .ctx = &n };
    struct sf_error err = SF_ERROR_INIT;

    sf_strbuf_addf(&sql, "select count(*) from %s where %s", table, where);
    query.sql = sql.buf;
    if (!sf_store_query(c->state_dir, &query, &err))
        fail_msg("%s: %s", sql.buf, err.msg);
    sf_strbuf_release(&sql);
    return n;
}

static int64_t count(struct session_case *c, const char *where)
{
    return count_in(c, "events", where);
}

/* A decision of the engine's, with the answer it got. */
static int64_t decided(struct session_case *c, const char *where)
{
    return count_in(c, "decisions", where);
}

/* ---- answers ---- */

static struct sf_plan_answer accepts(const struct reader *r)
{
    return (struct sf_plan_answer){
        .reply = SF_PLAN_ACCEPT, .digest = r->digest, .profile = SF_PROFILE_NORMAL, .who = "test"
    };
}

static void accept(struct reader *r)
{
    struct sf_plan_answer answer = accepts(r);
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_session_answer_plan(r->c->session, r->id, &answer, NULL, &err))
        fail_msg("%s", err.msg);
}

/* A structured plan that is wrong goes back with its places; once it is right, it waits as any. */
static void test_faults_go_back(void **state)
{
    struct session_case *c = *state;

    reader.answer = accept;
    begin(c, "reply\n"
             "    call Plan {\"submit\": \"---\\ntitle: a\\n---\\n## M1 a\\n### S1 b\\n#### T1 c\\n"
             "- what: x\\n- veriy: y\\n\"}\n"
             "reply\n"
             "    expect-contains \"plan:8:3: a task has no field called\"\n"
             "    call Plan {\"submit\": \"---\\ntitle: a\\n---\\n## M1 a\\n### S1 b\\n#### T1 c\\n"
             "- what: x\\n- verify: y\\n\"}\n"
             "reply\n"
             "    text \"So be it.\"\n");
    session_case_turn(c, "plan it");
    assert_int_equal(c->status, SF_TURN_DONE);
    assert_int_equal(reader.seen, 1);
    assert_int_equal(count(c, "kind='plan_submitted'"), 1);
    assert_int_equal(count(c, "kind='plan_accepted'"), 1);
    assert_int_equal(count_in(c, "plans", "name='a' and accepted_by='test'"), 1);
    assert_int_equal(count_in(c, "tasks",
                              "path='M1/S1/T1' and status='todo'"
                              " and work_mode='build'"),
                     1);
}

/* What the editor breaks is refused with its place, and what was shown still waits. */
static void edit_badly(struct reader *r)
{
    static const char bad[] =
        "---\ntitle: a\n---\n## M1 a\n### S1 b\n#### T1 c\n- what: x\n- wat: x\n";
    struct sf_error err = SF_ERROR_INIT;

    assert_false(sf_session_edit_plan(r->c->session, r->id, bad, strlen(bad), &err));
    assert_non_null(strstr(err.msg, "line 8, column 3: a task has no field"));
    accept(r);
}

static void test_broken_by_editor(void **state)
{
    struct session_case *c = *state;

    reader.answer = edit_badly;
    begin(c, submits);
    session_case_turn(c, "plan it");
    assert_int_equal(c->status, SF_TURN_DONE);
    assert_string_equal(reader.text, "1. read\n2. mend");
    assert_int_equal(count_in(c, "plans", "1"), 0);
}

static void test_accepted(void **state)
{
    struct session_case *c = *state;
    char digest[SF_SHA256_HEX + 1];

    begin(c, submits);
    reader.answer = accept;
    session_case_turn(c, "plan it");
    assert_int_equal(c->status, SF_TURN_DONE);
    assert_string_equal(reader.text, "1. read\n2. mend");
    sf_sha256_hex(reader.text, strlen(reader.text), digest);
    assert_string_equal(reader.digest, digest);
    assert_int_equal(sf_session_state(c->session)->work, SF_WORK_BUILD);
    assert_int_equal(sf_session_state(c->session)->control, SF_RUN_ASSISTED);
    assert_int_equal(sf_session_state(c->session)->profile, SF_PROFILE_NORMAL);
    assert_int_equal(sf_session_state(c->session)->model, SF_MODEL_SMART);
    assert_non_null(strstr(c->heard.buf, "accepted the plan"));
    assert_int_equal(count(c, "kind='plan_submitted'"), 1);
    assert_int_equal(count(c, "kind='plan_accepted' and json_extract(data,'$.who')='test'"), 1);
    assert_int_equal(decided(c, "rule='plan-submit' and verdict='allow'"), 1);
    assert_int_equal(decided(c, "rule='plan-accept' and verdict='ask' and answer='allow once'"
                                " and answered_by='test'"),
                     1);
    session_case_check_history(c, "accepted");
}

/* Somebody says yes to a text that is not the one that waits. */
static void accept_another(struct reader *r)
{
    struct sf_plan_answer answer = accepts(r);
    struct sf_error err = SF_ERROR_INIT;
    char other[SF_SHA256_HEX + 1];

    sf_sha256_hex("1. something else", 17, other);
    answer.digest = other;
    assert_false(sf_session_answer_plan(r->c->session, r->id, &answer, NULL, &err));
    assert_non_null(strstr(err.msg, "not the one that was shown"));
    assert_int_equal(sf_session_state(r->c->session)->work, SF_WORK_PLAN);
    assert_int_equal(count(r->c, "kind='plan_accepted'"), 0);
    accept(r); /* it still waits */
}

static void test_bound_to_the_text(void **state)
{
    struct session_case *c = *state;

    begin(c, submits);
    reader.answer = accept_another;
    session_case_turn(c, "plan it");
    assert_int_equal(sf_session_state(c->session)->work, SF_WORK_BUILD);
}

static void edit_and_accept(struct reader *r)
{
    struct sf_error err = SF_ERROR_INIT;
    char *old = sf_strdup(r->digest);
    struct sf_plan_answer answer;

    assert_false(sf_session_edit_plan(r->c->session, r->id, "", 0, &err));
    assert_false(sf_session_edit_plan(r->c->session, r->id, "\xff", 1, &err));
    assert_true(sf_session_edit_plan(r->c->session, r->id, "1. mend only", 12, &err));
    assert_int_equal(r->seen, 2);
    answer = accepts(r);
    answer.digest = old; /* of the text before */
    assert_false(sf_session_answer_plan(r->c->session, r->id, &answer, NULL, &err));
    accept(r);
    free(old);
}

static void test_edited(void **state)
{
    struct session_case *c = *state;

    begin(c, submits);
    reader.answer = edit_and_accept;
    session_case_turn(c, "plan it");
    assert_non_null(strstr(c->heard.buf, "1. mend only"));
    assert_int_equal(count(c, "kind='plan_submitted'"), 2);
    assert_int_equal(count(c, "kind='plan_accepted' and json_extract(data,'$.edited')=1"), 1);
    assert_int_equal(decided(c, "rule='plan-accept' and answer='changed'"), 1);
    assert_int_equal(decided(c, "rule='plan-accept' and answer='allow once'"), 1);
}

static void reject(struct reader *r)
{
    sf_session_answer(r->c->session, r->id, SF_REPLY_DENY, "too short", "test");
}

static void test_rejected(void **state)
{
    struct session_case *c = *state;

    begin(c, submits);
    reader.answer = reject;
    session_case_turn(c, "plan it");
    assert_int_equal(sf_session_state(c->session)->work, SF_WORK_PLAN);
    assert_non_null(strstr(c->heard.buf, "did not accept the plan: too short"));
    assert_int_equal(count(c, "kind='plan_rejected'"), 1);
    assert_int_equal(decided(c, "rule='plan-accept' and answer='deny'"), 1);
    assert_int_equal(count(c, "kind='plan_accepted'"), 0);
}

static void stop(struct reader *r)
{
    sf_session_answer(r->c->session, r->id, SF_REPLY_STOP, NULL, "test");
}

static void test_stopped(void **state)
{
    struct session_case *c = *state;

    begin(c, submits);
    reader.answer = stop;
    session_case_turn(c, "plan it");
    assert_int_equal(c->status, SF_TURN_CANCELLED);
    assert_int_equal(sf_session_state(c->session)->work, SF_WORK_PLAN);
    session_case_check_history(c, "stopped");
}

static void leave(struct reader *r)
{
    sf_session_answer(r->c->session, r->id, SF_REPLY_ABSENT, NULL, "test");
}

/* Who goes before the answer has neither accepted nor rejected the plan. */
static void test_nobody_left(void **state)
{
    struct session_case *c = *state;

    begin(c, submits);
    reader.answer = leave;
    session_case_turn(c, "plan it");
    assert_int_equal(sf_session_state(c->session)->work, SF_WORK_PLAN);
    assert_non_null(strstr(c->heard.buf, "Nobody is there to accept it"));
    assert_null(strstr(c->heard.buf, "did not accept the plan"));
    assert_int_equal(count(c, "kind='plan_rejected'"), 0);
    assert_int_equal(decided(c, "rule='plan-accept' and answer='nobody there'"), 1);
}

static void test_nobody_there(void **state)
{
    struct session_case *c = *state;

    c->attended = false;
    begin(c, submits);
    session_case_turn(c, "plan it");
    assert_int_equal(reader.seen, 0);
    assert_int_equal(sf_session_state(c->session)->work, SF_WORK_PLAN);
    assert_non_null(strstr(c->heard.buf, "Nobody is there to accept it"));
    assert_int_equal(decided(c, "rule='plan-accept' and verdict='deny'"), 1);
    assert_int_equal(count(c, "kind='plan_submitted'"), 1);
    assert_int_equal(count(c, "kind='plan_accepted'"), 0);
}

static void answer_yes(struct reader *r)
{
    assert_true(sf_session_answer(r->c->session, r->id, SF_REPLY_ONCE, NULL, "user"));
}

/* Preset plan is restricted, where nothing can be built: a person's yes leads to normal. */
static void test_accepted_from_preset(void **state)
{
    struct session_case *c = *state;

    begin(c, submits);
    change(c, SF_AXIS_PROFILE, SF_PROFILE_RESTRICTED);
    reader.answer = answer_yes;
    session_case_turn(c, "plan it");
    assert_int_equal(sf_session_state(c->session)->work, SF_WORK_BUILD);
    assert_int_equal(sf_session_state(c->session)->profile, SF_PROFILE_NORMAL);
}

/* A run without a screen that goes on by itself goes on from its plan too, with its profile. */
static void test_autonomous_chain(void **state)
{
    struct session_case *c = *state;

    c->attended = false;
    begin(c, submits);
    change(c, SF_AXIS_CONTROL, SF_RUN_AUTONOMOUS);
    change(c, SF_AXIS_PROFILE, SF_PROFILE_RESTRICTED);
    session_case_turn(c, "plan it");
    assert_int_equal(c->status, SF_TURN_DONE);
    assert_int_equal(sf_session_state(c->session)->work, SF_WORK_BUILD);
    assert_int_equal(sf_session_state(c->session)->control, SF_RUN_AUTONOMOUS);
    assert_int_equal(sf_session_state(c->session)->profile, SF_PROFILE_RESTRICTED);
    assert_int_equal(
        count(c, "kind='plan_accepted' and json_extract(data,'$.who')='autonomous run'"), 1);
    assert_int_equal(decided(c, "rule='plan-autonomous' and verdict='allow'"), 1);
}

static const struct {
    const char *name, *args;
    enum sf_work_mode work;
    const char *says;
} misuses[] = {
    { "in build", "{\"submit\": \"1. x\"}", SF_WORK_BUILD, "submitted in work mode plan" },
    { "nothing at all", "{}", SF_WORK_PLAN, "items, or a plan to submit" },
    { "an empty plan", "{\"submit\": \"\"}", SF_WORK_PLAN, "items, or a plan to submit" },
};

static void test_misuse(void **state)
{
    struct session_case *c = *state;

    for (size_t i = 0; i < SF_COUNT(misuses); i++) {
        struct sf_strbuf script = SF_STRBUF_INIT;

        sf_strbuf_addf(&script, "reply\n    call Plan %s\nreply\n    text \"Oh.\"\n",
                       misuses[i].args);
        session_case_serve(c, SF_WIRE_ANTHROPIC, script.buf);
        session_case_open(c, NULL);
        change(c, SF_AXIS_WORK, (int)misuses[i].work);
        session_case_turn(c, "plan it");
        if (!strstr(c->heard.buf, misuses[i].says) || reader.seen)
            fail_msg("%s: %s", misuses[i].name, c->heard.buf);
        sf_strbuf_release(&script);
    }
    assert_int_equal(decided(c, "rule='plan-elsewhere' and verdict='deny'"), 1);
    assert_int_equal(decided(c, "rule like 'plan-%' and verdict!='deny'"), 0);
}

int main(void)
{
#define IN_SESSION(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
    const struct CMUnitTest tests[] = {
        IN_SESSION(test_faults_go_back),    IN_SESSION(test_broken_by_editor),
        IN_SESSION(test_accepted),          IN_SESSION(test_accepted_from_preset),
        IN_SESSION(test_bound_to_the_text), IN_SESSION(test_edited),
        IN_SESSION(test_rejected),          IN_SESSION(test_stopped),
        IN_SESSION(test_nobody_there),      IN_SESSION(test_nobody_left),
        IN_SESSION(test_autonomous_chain),  IN_SESSION(test_misuse),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
