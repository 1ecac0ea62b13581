/*
 * The goal of a session: told to the model, counted with each request, stopped by its budget or by
 * the provider's limit, changed from elsewhere, and there again after a resume and in a fork.
 */
#include <string.h>

#include "base/base.h"
#include "session/session.h"
#include "support/session_case.h"
#include "support/test.h"

static void goal(struct session_case *c, const char *line)
{
    struct sf_goal_command command;
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_goal_command_parse(line, strlen(line), &command, &err) ||
        !sf_session_goal_do(c->session, &command, &err))
        fail_msg("%s: %s", line, err.msg);
}

static void open_with(struct session_case *c, const char *scenario)
{
    session_case_serve(c, SF_WIRE_ANTHROPIC, scenario);
    session_case_open(c, NULL);
}

static bool holds(struct session_case *c, size_t request, const char *text)
{
    size_t len;
    const char *body = model_server_body(c->server, request, &len);

    return memmem(body, len, text, strlen(text)) != NULL;
}

static void test_told_and_counted(void **state)
{
    struct session_case *c = *state;
    struct sf_mode_state before;
    const struct sf_goal *g;

    open_with(c, "reply\n    usage input=100 output=10 cache-read=7 cache-write=3\n    text \"a\"\n"
                 "reply repeat=3\n    usage input=200 output=20\n    text \"b\"\n");
    before = *sf_session_state(c->session);
    session_case_turn(c, "before there is one");
    assert_false(holds(c, 0, "goal:"));
    goal(c, "port the parser");
    session_case_turn(c, "one");
    assert_true(holds(c, 1, "goal: port the parser (active; 0 tokens used)"));
    g = sf_session_goal(c->session);
    assert_int_equal(g->tokens, 220);
    goal(c, "pause");
    session_case_turn(c, "two");
    assert_int_equal(g->tokens, 220);
    goal(c, "resume");
    session_case_turn(c, "three");
    assert_int_equal(g->tokens, 440);
    assert_true(holds(c, 3, "goal: port the parser (active; 220 tokens used)"));
    assert_false(sf_change_between(&before, sf_session_state(c->session)));
    session_case_check_server(c, "counted");
}

/* Cache counts as what goes in, as in every other number. */
static void test_cache_counts(void **state)
{
    struct session_case *c = *state;

    open_with(c,
              "reply\n    usage input=100 output=10 cache-read=7 cache-write=3\n    text \"a\"\n");
    goal(c, "x");
    session_case_turn(c, "go");
    assert_int_equal(sf_session_goal(c->session)->tokens, 120);
}

/* In the middle of a turn: the user hears of it at once, the turn with its next results. */
static void test_budget(void **state)
{
    struct session_case *c = *state;

    open_with(c, "reply\n    usage input=900 output=200\n"
                 "    call Read {\"file_path\": \"notes.md\"}\n"
                 "reply\n    expect-contains \"its budget is used up\"\n"
                 "    usage input=50 output=5\n    text \"that is all\"\n"
                 "reply\n    expect-contains \"(budget_limited; \"\n"
                 "    usage input=50 output=5\n    text \"yes\"\n");
    goal(c, "port the parser --budget 1k");
    session_case_turn(c, "go");
    assert_int_equal(c->status, SF_TURN_DONE);
    assert_string_equal(c->text.buf, "that is all");
    assert_int_equal(c->event[SF_EVENT_GOAL], 1);
    assert_int_equal(sf_session_goal(c->session)->status, SF_GOAL_BUDGET_LIMITED);
    assert_int_equal(sf_session_goal(c->session)->tokens,
                     1155); /* what comes behind it counts too */
    session_case_turn(c, "and now?");
    assert_int_equal(sf_session_goal(c->session)->tokens, 1210);
    session_case_check_history(c, "behind the remark");
    session_case_check_server(c, "budget");
    session_case_open(c, sf_session_id(c->session));
    session_case_check_history(c, "the remark is read again");
    goal(c, "resume --budget 5k");
    assert_int_equal(sf_session_goal(c->session)->status, SF_GOAL_ACTIVE);
}

/* Behind the last answer nothing more is asked for. */
static void test_budget_at_the_end(void **state)
{
    struct session_case *c = *state;

    open_with(c, "reply\n    usage input=900 output=200\n    text \"done\"\n");
    goal(c, "x --budget 1k");
    session_case_turn(c, "go");
    assert_int_equal(c->status, SF_TURN_DONE);
    assert_int_equal(model_server_count(c->server), 1);
    assert_int_equal(sf_session_goal(c->session)->status, SF_GOAL_BUDGET_LIMITED);
}

static void test_usage_limit(void **state)
{
    struct session_case *c = *state;
    const struct sf_goal *g;

    open_with(c, "reply\n    status 429 \"you have reached your weekly limit\"\n"
                 "reply\n    expect-contains \"(usage_limited; \"\n    text \"on\"\n");
    goal(c, "x");
    session_case_turn(c, "go");
    assert_int_equal(c->status, SF_TURN_FAILED);
    g = sf_session_goal(c->session);
    assert_int_equal(g->status, SF_GOAL_USAGE_LIMITED);
    assert_non_null(strstr(g->why, "weekly limit"));
    session_case_turn(c, "again");
    assert_int_equal(g->status, SF_GOAL_USAGE_LIMITED);
    goal(c, "resume");
    assert_int_equal(g->status, SF_GOAL_ACTIVE);
    assert_string_equal(g->why, "");
}

/* What sub-agents use is used for the goal. */
static void test_agents_count(void **state)
{
    struct session_case *c = *state;

    sf_strlist_add(&c->tools, "Agent");
    open_with(c, "reply\n    usage input=100 output=10\n"
                 "    call Agent {\"description\": \"look\", \"prompt\": \"look around\"}\n"
                 "reply\n    expect-lacks \"goal: x\"\n    usage input=1000 output=100\n"
                 "    text \"seen\"\n"
                 "reply\n    usage input=200 output=20\n    text \"done\"\n");
    goal(c, "x");
    session_case_turn(c, "go");
    assert_int_equal(c->status, SF_TURN_DONE);
    assert_int_equal(sf_session_goal(c->session)->tokens, 1430);
    session_case_check_server(c, "agents");
}

/* ---- from elsewhere ---- */

static void elsewhere(struct session_case *c, const char *line)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_store *store = sf_store_open(c->state_dir, SF_STORE_WRITE, &err);
    const struct sf_goal_place place = { store, sf_session_id(c->session), "headless" };
    struct sf_goal_command command;
    struct sf_goal now;

    assert_non_null(store);
    if (!sf_goal_command_parse(line, strlen(line), &command, &err) ||
        !sf_goal_do(&place, &command, &now, &err))
        fail_msg("%s: %s", line, err.msg);
    sf_store_close(store);
}

static void wait_for(struct session_case *c, enum sf_goal_status status)
{
    int64_t deadline = sf_clock_monotonic_ms() + SESSION_CASE_HANG_MS;

    while (!(sf_session_goal(c->session)->set && sf_session_goal(c->session)->status == status) &&
           sf_clock_monotonic_ms() < deadline)
        sf_loop_turn(c->loop, 100);
    assert_true(sf_session_goal(c->session)->set);
    assert_int_equal(sf_session_goal(c->session)->status, status);
}

static void test_elsewhere(void **state)
{
    struct session_case *c = *state;

    c->attended = true;
    open_with(c, "reply\n    expect-contains \"goal: from outside (active\"\n    text \"yes\"\n");
    elsewhere(c, "from outside");
    wait_for(c, SF_GOAL_ACTIVE);
    assert_int_equal(c->event[SF_EVENT_GOAL], 1);
    session_case_turn(c, "go");
    elsewhere(c, "pause");
    wait_for(c, SF_GOAL_PAUSED);
    assert_true(sf_session_goal(c->session)->tokens > 0); /* what was counted stays */
    elsewhere(c, "resume");
    wait_for(c, SF_GOAL_ACTIVE);
    session_case_check_server(c, "elsewhere");
}

/* Nobody watches without a surface; the turn looks by itself. */
static void test_unwatched(void **state)
{
    struct session_case *c = *state;

    open_with(c, "reply\n    expect-contains \"goal: from outside (active\"\n    text \"yes\"\n");
    elsewhere(c, "from outside");
    session_case_turn(c, "go");
    session_case_check_server(c, "unwatched");
    assert_int_equal(c->status, SF_TURN_DONE);
}

/* ---- afterwards ---- */

static void test_resume_and_fork(void **state)
{
    struct session_case *c = *state;
    struct sf_fork fork = { .store = c->store, .surface = "headless", .at = SF_FORK_LAST };
    struct sf_error err = SF_ERROR_INIT;
    char id[SF_ID_LEN + 1], forked[SF_ID_LEN + 1];
    const struct sf_goal *g;

    open_with(c, "reply repeat=3\n    usage input=100 output=10\n    text \"a\"\n");
    goal(c, "port the parser --budget 10k");
    session_case_turn(c, "go");
    snprintf(id, sizeof(id), "%s", sf_session_id(c->session));
    session_case_open(c, id);
    g = sf_session_goal(c->session);
    assert_string_equal(g->text, "port the parser");
    assert_int_equal(g->tokens, 110);
    assert_int_equal(g->budget, 10000);
    fork.session = id;
    if (!sf_fork_make(&fork, forked, NULL, &err))
        fail_msg("%s", err.msg);
    session_case_open(c, forked);
    g = sf_session_goal(c->session);
    assert_string_equal(g->text, "port the parser");
    assert_int_equal(g->tokens, 110); /* a fork gives no budget back */
    session_case_turn(c, "on");
    assert_int_equal(g->tokens, 220);
    goal(c, "clear");
    session_case_open(c, id);
    assert_int_equal(sf_session_goal(c->session)->tokens, 110); /* each has its own from there on */
}

int main(void)
{
#define CASE(fn) cmocka_unit_test_setup_teardown(fn, session_case_setup, session_case_teardown)
    const struct CMUnitTest tests[] = {
        CASE(test_told_and_counted),  CASE(test_cache_counts), CASE(test_budget),
        CASE(test_budget_at_the_end), CASE(test_usage_limit),  CASE(test_agents_count),
        CASE(test_elsewhere),         CASE(test_unwatched),    CASE(test_resume_and_fork),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
