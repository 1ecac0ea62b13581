/*
 * test_fork.c: what a fork sends is what was said before its point, byte for byte, and every service
 * takes it, whatever the turns were: parallel calls, sub-agents, cancelled and killed ones, words
 * that joined a running turn, a summary. Costs, approvals and permissions stay behind.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "support/session_case.h"
#include "support/store_case.h"
#include "support/test.h"

static const enum sf_wire_format formats[] = { SF_WIRE_ANTHROPIC, SF_WIRE_CHAT, SF_WIRE_RESPONSES };

enum how { PLAIN, CANCELLED, STEERED, KILLED };

static const struct turn {
    const char *words;
    enum how how;
    const char *replies;
} turns[] = {
    { "look around", PLAIN,
      "reply\n    call LS {\"path\":\".\"}\n    call Glob {\"pattern\":\"*\"}\n"
      "    call LS {\"path\":\".\"}\nreply\n    text \"I looked.\"\n" },
    { "write it", PLAIN,
      "reply\n    call Write {\"file_path\":\"a.txt\",\"content\":\"one\\n\"}\n"
      "reply\n    text \"Written.\"\n" },
    { "<turn_meta> let another look", PLAIN,
      "reply\n    call Agent {\"prompt\":\"count\",\"description\":\"count\"}\n"
      "reply\n    call LS {\"path\":\".\"}\nreply\n    text \"one file\"\n"
      "reply\n    text \"One.\"\n" },
    { "never mind", CANCELLED,
      "reply\n    call LS {\"path\":\".\"}\n    call Bash {\"command\":\"sleep 600\"}\n" },
    { "go on", STEERED,
      "reply\n    call Bash {\"command\":\"true\"}\nreply\n    text \"Both.\"\n" },
    { "and die", KILLED,
      "reply\n    call LS {\"path\":\".\"}\n    call AskUser {\"question\":\"really?\"}\n" },
    { "too much", PLAIN,
      "reply\n    status 400 code=context_length_exceeded \"prompt is too long: 9 > 8\"\n"
      "reply\n    text \"In short.\"\n" },
    { "a long one", PLAIN,
      "reply\n    text \"The first half\"\n    stop max_tokens\n"
      "reply\n    text \" and the second.\"\n" },
    { "side by side, and cut off", CANCELLED,
      "reply\n    text \"Both at once.\"\n    call Agent {\"prompt\":\"a\",\"description\":\"a\"}\n"
      "    call Bash {\"command\":\"sleep 600\"}\n"
      "reply\n    call LS {\"path\":\".\"}\nreply\n    text \"a\"\n" },
    { "the last", PLAIN, "reply\n    text \"Done.\"\n" },
};

static void add_history(struct session_case *c, struct sf_strbuf *out)
{
    const struct sf_history *h = sf_session_history(c->session);
    struct sf_json_writer w;

    for (size_t i = 0; i < h->count; i++) {
        sf_jw_init(&w, out);
        sf_message_json(&h->messages[i], &w);
        sf_strbuf_addch(out, '\n');
    }
}

/* A call runs, or where the process is to die, one has its result and the other waits. */
static bool is_time(const struct session_case *c, enum how how)
{
    if (how == KILLED)
        return c->event[SF_EVENT_QUESTION] && c->event[SF_EVENT_RESULT];
    return c->event[SF_EVENT_VERDICT] >= (how == STEERED ? 1 : 2);
}

/* One turn; something happens to it once its last call has begun. */
static void run_turn(struct session_case *c, const struct turn *turn)
{
    int64_t deadline = sf_clock_monotonic_ms() + SESSION_CASE_HANG_MS;
    struct sf_error err = SF_ERROR_INIT;
    bool acted = turn->how == PLAIN;
    char id[SF_ID_LEN + 1];

    memset(c->event, 0, sizeof(c->event));
    snprintf(id, sizeof(id), "%s", sf_session_id(c->session));
    assert_true(sf_session_send(c->session, turn->words, strlen(turn->words), &err));
    while (!c->event[SF_EVENT_DONE]) {
        assert_true(sf_clock_monotonic_ms() < deadline);
        sf_loop_turn(c->loop, 1000);
        if (acted || !is_time(c, turn->how))
            continue;
        acted = true;
        if (turn->how == CANCELLED)
            sf_session_cancel(c->session);
        else if (turn->how == STEERED)
            assert_true(sf_session_send(c->session, "and this", 8, &err));
        else
            break;
    }
    if (turn->how == KILLED)
        session_case_open(c, id);
}

static void offer(struct session_case *c)
{
    static const char *const names[] = { "LS", "Glob", "Write", "Agent", "Bash", "AskUser" };

    c->attended = true;
    sf_strlist_release(&c->tools);
    for (size_t i = 0; i < SF_COUNT(names); i++)
        sf_strlist_add(&c->tools, names[i]);
}

/* All turns in one session; `before` holds the history that each found. */
static void run_all(struct session_case *c, enum sf_wire_format format, char id[SF_ID_LEN + 1],
                    struct sf_strbuf *before)
{
    struct sf_strbuf script = SF_STRBUF_INIT;

    for (size_t i = 0; i < SF_COUNT(turns); i++)
        sf_strbuf_adds(&script, turns[i].replies);
    offer(c);
    session_case_serve(c, format, script.buf);
    session_case_open(c, NULL);
    snprintf(id, SF_ID_LEN + 1, "%s", sf_session_id(c->session));
    for (size_t i = 0; i < SF_COUNT(turns); i++) {
        add_history(c, &before[i]);
        run_turn(c, &turns[i]);
        if (turns[i].how == PLAIN && c->status != SF_TURN_DONE)
            fail_msg("%s: it ended as %s: %s", turns[i].words, sf_turn_status_names[c->status],
                     c->error.message);
    }
    session_case_check_server(c, "the session itself");
    sf_strbuf_release(&script);
}

static void fork_at(struct session_case *c, const char *session, int64_t at, char id[SF_ID_LEN + 1])
{
    const struct sf_fork fork = {
        .store = c->store, .session = session, .at = at, .surface = "headless"
    };
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_fork_make(&fork, id, NULL, &err))
        fail_msg("event %" PRId64 ": %s", at, err.msg);
}

static void check_fork(struct session_case *c, const struct sf_prompt_entry *said,
                       const char *parent, const struct turn *turn, const struct sf_strbuf *before)
{
    struct sf_strbuf is = SF_STRBUF_INIT;
    char id[SF_ID_LEN + 1];

    assert_string_equal(said->text, turn->words);
    fork_at(c, parent, said->at, id);
    session_case_open(c, id);
    assert_string_equal(sf_session_id(c->session), id);
    add_history(c, &is);
    if (strcmp(is.buf, before->buf) != 0)
        fail_msg("before \"%s\" the history was\n%s\nthe fork's is\n%s", turn->words, before->buf,
                 is.buf);
    session_case_turn(c, "something else");
    if (c->status != SF_TURN_DONE || strcmp(c->text.buf, "fine") != 0)
        fail_msg("forked before \"%s\": %s: %s", turn->words, sf_turn_status_names[c->status],
                 c->error.message);
    session_case_check_history(c, turn->words);
    sf_strbuf_release(&is);
}

static void test_every_prompt(void **state)
{
    struct session_case *c = *state;

    for (size_t f = 0; f < SF_COUNT(formats); f++) {
        struct sf_strbuf before[SF_COUNT(turns)];
        struct sf_prompt_list list = SF_PROMPT_LIST_INIT;
        struct sf_error err = SF_ERROR_INIT;
        char id[SF_ID_LEN + 1];

        for (size_t i = 0; i < SF_COUNT(turns); i++)
            sf_strbuf_init(&before[i]);
        run_all(c, formats[f], id, before);
        assert_true(sf_prompt_list_read(&list, c->store, id, c->workspace.root, &err));
        assert_int_equal(list.count, SF_COUNT(turns));
        assert_false(list.open);
        session_case_serve(c, formats[f], "reply repeat=20\n    text \"fine\"\n");
        for (size_t i = 0; i < SF_COUNT(turns); i++)
            check_fork(c, &list.items[i], id, &turns[i], &before[i]);
        session_case_check_server(c, "forks");
        for (size_t i = 0; i < SF_COUNT(turns); i++)
            sf_strbuf_release(&before[i]);
        sf_prompt_list_release(&list);
    }
}

/* A fork that goes on, and back again: before what it shares, and before what is its own. */
static void test_back_again(void **state)
{
    struct session_case *c = *state;

    for (size_t f = 0; f < SF_COUNT(formats); f++) {
        struct sf_prompt_list list = SF_PROMPT_LIST_INIT;
        struct sf_error err = SF_ERROR_INIT;
        char id[SF_ID_LEN + 1], fork[SF_ID_LEN + 1], again[SF_ID_LEN + 1];

        offer(c);
        session_case_serve(c, formats[f],
                           "reply\n    call LS {\"path\":\".\"}\n    call LS {\"path\":\".\"}\n"
                           "reply\n    text \"alpha\"\nreply\n    text \"beta\"\n"
                           "reply\n    call LS {\"path\":\".\"}\nreply\n    text \"gamma\"\n"
                           "reply\n    expect-contains \"alpha\"\n    expect-lacks \"beta\"\n"
                           "    expect-contains \"say three\"\n    text \"own\"\n"
                           "reply\n    expect-lacks \"alpha\"\n    text \"shared\"\n");
        session_case_open(c, NULL);
        snprintf(id, sizeof(id), "%s", sf_session_id(c->session));
        session_case_turn(c, "say one");
        session_case_turn(c, "say two");
        assert_true(sf_prompt_list_read(&list, c->store, id, NULL, &err));
        fork_at(c, id, list.items[1].at, fork);
        session_case_open(c, fork);
        session_case_turn(c, "say three");
        sf_prompt_list_release(&list);
        assert_true(sf_prompt_list_read(&list, c->store, fork, NULL, &err));
        assert_int_equal(list.count, 2);
        assert_string_equal(list.items[1].text, "say three");
        fork_at(c, fork, SF_FORK_LAST, again);
        session_case_open(c, again);
        session_case_turn(c, "behind its own");
        assert_string_equal(c->text.buf, "own");
        fork_at(c, again, list.items[0].at, again);
        session_case_open(c, again);
        session_case_turn(c, "before all it shares");
        assert_string_equal(c->text.buf, "shared");
        session_case_check_server(c, "forks of forks");
        sf_prompt_list_release(&list);
    }
}

/* ---- what the turns changed ---- */

static void test_changes(void **state)
{
    struct session_case *c = *state;
    struct sf_prompt_list list = SF_PROMPT_LIST_INIT;
    struct sf_error err = SF_ERROR_INIT;
    char id[SF_ID_LEN + 1], fork[SF_ID_LEN + 1];

    session_case_settings(c, "[snapshots]\nenabled = true\n");
    offer(c);
    session_case_serve(c, SF_WIRE_CHAT,
                       "reply\n    text \"hm\"\n"
                       "reply\n    call Write {\"file_path\":\"a.txt\",\"content\":\"1\\n2\\n\"}\n"
                       "reply\n    text \"a\"\n"
                       "reply\n    call Write {\"file_path\":\"b.txt\",\"content\":\"1\\n\"}\n"
                       "reply\n    text \"b\"\n");
    session_case_open(c, NULL);
    snprintf(id, sizeof(id), "%s", sf_session_id(c->session));
    session_case_turn(c, "say");
    session_case_turn(c, "write a");
    session_case_turn(c, "write b");
    sf_session_close(c->session); /* the end of the last turn is kept before it returns */
    c->session = NULL;
    assert_true(sf_prompt_list_read(&list, c->store, id, c->workspace.root, &err));
    assert_int_equal(list.count, 3);
    assert_int_equal(list.items[0].files, 0);
    assert_int_equal(list.items[1].files, 1);
    assert_int_equal(list.items[1].plus, 2);
    assert_int_equal(list.items[2].files, 1);
    assert_true(list.items[0].before > 0);
    assert_int_equal(list.items[0].before, list.items[1].before);
    assert_true(list.items[2].before > list.items[1].before);
    fork_at(c, id, list.items[2].at, fork);
    sf_prompt_list_release(&list);
    assert_true(sf_prompt_list_read(&list, c->store, fork, c->workspace.root, &err));
    assert_int_equal(list.count, 2); /* and none of what came behind the point */
    assert_int_equal(list.items[1].files, 1);
    sf_prompt_list_release(&list);
}

/* ---- what is taken over, and what is not ---- */

static void test_what_stays_behind(void **state)
{
    struct session_case *c = *state;
    struct sf_mode_change change = SF_MODE_CHANGE_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_session_tally tally;
    char id[SF_ID_LEN + 1], fork[SF_ID_LEN + 1];

    offer(c);
    session_case_serve(c, SF_WIRE_CHAT, "reply\n    text \"hm\"\n    usage input=10 output=5\n");
    session_case_open(c, NULL);
    snprintf(id, sizeof(id), "%s", sf_session_id(c->session));
    session_case_turn(c, "say");
    assert_true(sf_store_approval_add(
        c->store, &(struct sf_approval_new){ .session = id, .pattern = "Bash(make)" }, &err));
    sf_change_axis(&change, SF_AXIS_PROFILE, SF_PROFILE_RESTRICTED);
    assert_true(sf_session_change(c->session, &change, SF_WHEN_NOW, "test", NULL, &err));
    session_case_open(c, id);
    assert_int_equal(c->policy.rules[c->policy.rule_count - 1].source, SF_RULE_SESSION);
    fork_at(c, id, SF_FORK_LAST, fork);
    session_case_open(c, fork);
    for (size_t i = 0; i < c->policy.rule_count; i++)
        assert_int_not_equal(c->policy.rules[i].source, SF_RULE_SESSION);
    assert_int_equal(sf_session_state(c->session)->profile, SF_PROFILE_RESTRICTED);
    assert_int_equal(sf_session_history(c->session)->count, 2);
    assert_true(sf_store_session_tally(c->store, fork, &tally, &err));
    assert_int_equal(tally.turns, 0); /* its own are counted */
    assert_int_equal(tally.tokens_in, 0);
    assert_true(sf_store_session_tally(c->store, id, &tally, &err));
    assert_int_equal(tally.tokens_in, 10);
    assert_int_equal(tally.forks, 1);
}

static void add_event(struct sf_store *store, const char *session, const char *kind,
                      const char *json)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_event_ref ref;
    const struct sf_event_new event = {
        .session = session, .surface = "tui", .kind = kind, .json = json, .len = strlen(json)
    };

    if (!sf_store_append(store, &event, &ref, &err))
        fail_msg("%s", err.msg);
}

#define USER "{\"message\":{\"role\":\"user\",\"blocks\":[{\"kind\":\"text\",\"text\":\"do it\"}]}}"
#define CALL                                                                                      \
    "{\"message\":{\"role\":\"assistant\",\"blocks\":[{\"kind\":\"call\",\"id\":\"c1\",\"name\":" \
    "\"LS\",\"arguments\":\"{}\"}]}}"

static void test_points(void **state)
{
    static const struct {
        const char *name;
        int64_t at;
        bool legal;
    } cases[] = {
        { "the very beginning", 0, true },       { "behind a prompt", 1, false },
        { "between call and result", 2, false }, { "behind all there is", 3, false },
        { "behind nothing", 99, false },         { "before all", -7, false },
    };
    struct session_case *c = *state;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_fork fork = { .store = c->store, .surface = "tui", .at = SF_FORK_LAST };
    char session[SF_ID_LEN + 1], id[SF_ID_LEN + 1];
    bool shortened;

    test_store_session(c->store, session);
    fork.session = session;
    add_event(c->store, session, "user", USER);
    add_event(c->store, session, "assistant", CALL);
    add_event(c->store, session, "plan", "{}");
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        fork.at = cases[i].at;
        if (sf_fork_make(&fork, id, NULL, &err) != cases[i].legal)
            fail_msg("%s: %s", cases[i].name, err.msg);
    }
    fork.at = SF_FORK_LAST;
    assert_true(sf_fork_make(&fork, id, &shortened, &err));
    assert_true(shortened);
    fork.session = SF_SESSION_PROJECT;
    assert_false(sf_fork_make(&fork, id, NULL, &err));
    fork.session = "nobody";
    assert_false(sf_fork_make(&fork, id, NULL, &err));
    assert_int_equal(err.code, SF_E_NOENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_every_prompt, session_case_setup,
                                        session_case_teardown),
        cmocka_unit_test_setup_teardown(test_back_again, session_case_setup, session_case_teardown),
        cmocka_unit_test_setup_teardown(test_changes, session_case_setup, session_case_teardown),
        cmocka_unit_test_setup_teardown(test_what_stays_behind, session_case_setup,
                                        session_case_teardown),
        cmocka_unit_test_setup_teardown(test_points, session_case_setup, session_case_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
