/*
 * Axes and decisions in the store: rows before effects, two surfaces on one session, verdicts
 * with all five axes.
 */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/io.h"
#include "store/store.h"
#include "support/store_case.h"
#include "support/test.h"

static const char session[] = SF_SESSION_PROJECT;

static struct sf_store *open_store(const char *dir)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_store *store = sf_store_open(dir, SF_STORE_WRITE, &err);

    if (!store)
        fail_msg("%s", err.msg);
    return store;
}

static struct sf_mode_state begin(struct sf_store *store)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_mode_state state;

    sf_mode_state_init(&state, SF_SURFACE_HEADLESS);
    if (!sf_store_mode_begin(store, session, &state, &err))
        fail_msg("%s", err.msg);
    return state;
}

/* A machine that stands where the store does, with one change submitted. */
static struct sf_mode_machine *machine_with(struct sf_store *store, const char *command)
{
    static const struct sf_scope_set scopes = { NULL, 0, true };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_machine_setup setup = { .scopes = &scopes, .workspace_trusted = true };
    struct sf_mode_request request = { .when = SF_WHEN_NOW,
                                       .actor = SF_ACTOR_USER,
                                       .confirmed = true,
                                       .reason = "test",
                                       .session = session,
                                       .time = "2026-05-08T10:00:00.000Z" };
    struct sf_machine_receipt receipt;
    struct sf_mode_command parsed;
    struct sf_mode_machine *m;
    bool found;

    assert_true(sf_store_mode_load(store, session, &setup.state, &found, &err));
    assert_true(found);
    assert_true(sf_store_transition_last(store, session, &setup.last_id, &err));
    if (!sf_mode_command_parse(command, strlen(command), &scopes, &parsed, &err))
        fail_msg("%s", err.msg);
    request.change = parsed.change;
    m = sf_mode_machine_new(&setup);
    if (!sf_mode_machine_submit(m, &request, &receipt, &err))
        fail_msg("%s", err.msg);
    return m;
}

static const struct sf_transition *due(struct sf_mode_machine *m)
{
    const struct sf_transition *t = sf_mode_machine_due(m, "2026-05-08T10:00:01.000Z");

    assert_non_null(t);
    return t;
}

static struct sf_mode_state load(struct sf_store *store)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_mode_state state;
    bool found;

    assert_true(sf_store_mode_load(store, session, &state, &found, &err));
    assert_true(found);
    return state;
}

static void test_begin_once(void **state)
{
    struct sf_store *store = open_store(*state);
    struct sf_error err = SF_ERROR_INIT;
    struct sf_mode_state s;
    bool found = true;

    assert_true(sf_store_mode_load(store, session, &s, &found, &err));
    assert_false(found);
    s = begin(store);
    assert_int_equal(s.version, 1);
    assert_false(sf_store_mode_begin(store, session, &s, &err));
    assert_int_equal(err.code, SF_E_EXIST);
    assert_false(sf_store_mode_begin(store, "no-such-session", &s, &err));
    sf_store_close(store);
}

static void test_change_is_stored_whole(void **state)
{
    struct sf_store *store = open_store(*state);
    struct sf_error err = SF_ERROR_INIT;
    struct sf_mode_machine *m;
    struct sf_mode_state s;
    int64_t last;

    begin(store);
    m = machine_with(store,
                     "/mode build --assisted --permission-profile trusted --model-mode deep");
    assert_true(sf_store_transition_save(store, due(m), &err));
    s = load(store);
    assert_int_equal(s.work, SF_WORK_BUILD);
    assert_int_equal(s.control, SF_RUN_ASSISTED);
    assert_int_equal(s.profile, SF_PROFILE_TRUSTED);
    assert_int_equal(s.model, SF_MODEL_DEEP);
    assert_int_equal(s.surface, SF_SURFACE_HEADLESS);
    assert_int_equal(s.version, 2);
    assert_true(sf_store_transition_last(store, session, &last, &err));
    assert_int_equal(last, 1);
    sf_mode_machine_free(m);
    sf_store_close(store);
}

/* Two surfaces start from the same state; the second to write is told, and nothing is lost. */
static void test_two_surfaces(void **state)
{
    struct sf_store *one = open_store(*state), *two = open_store(*state);
    struct sf_error err = SF_ERROR_INIT;
    struct sf_mode_machine *first, *second;
    struct sf_mode_state s;

    begin(one);
    first = machine_with(one, "/mode build");
    second = machine_with(two, "/permission-profile restricted");
    assert_true(sf_store_transition_save(one, due(first), &err));
    assert_false(sf_store_transition_save(two, due(second), &err));
    assert_int_equal(err.code, SF_E_BUSY);
    s = load(two);
    assert_int_equal(s.work, SF_WORK_BUILD);
    assert_int_equal(s.profile, SF_PROFILE_NORMAL);
    sf_mode_machine_free(second);
    second = machine_with(two, "/permission-profile restricted");
    assert_true(sf_store_transition_save(two, due(second), &err));
    s = load(one);
    assert_int_equal(s.work, SF_WORK_BUILD);
    assert_int_equal(s.profile, SF_PROFILE_RESTRICTED);
    sf_mode_machine_free(first);
    sf_mode_machine_free(second);
    sf_store_close(one);
    sf_store_close(two);
}

/* Killed between writing the row and acting on it: the row and the state are both there. */
static void test_killed_before_the_effect(void **state)
{
    struct sf_store *store = open_store(*state);
    struct sf_error err = SF_ERROR_INIT;
    int64_t last;
    int status;
    pid_t pid;

    begin(store);
    sf_store_close(store);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        struct sf_store *mine = sf_store_open(*state, SF_STORE_WRITE, &err);
        struct sf_mode_machine *m = machine_with(mine, "/mode repair");

        if (!sf_store_transition_save(mine, due(m), &err))
            _exit(1);
        kill(getpid(), SIGKILL); /* sf_mode_machine_apply is never reached */
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
    store = open_store(*state);
    assert_int_equal(load(store).work, SF_WORK_REPAIR);
    assert_true(sf_store_transition_last(store, session, &last, &err));
    assert_int_equal(last, 1);
    sf_store_close(store);
}

static bool see_row(const struct sf_query_row *row, void *ctx)
{
    struct sf_strbuf *out = ctx;

    for (size_t i = 0; i < row->count; i++)
        sf_strbuf_addf(out, "%s%s", i ? "|" : "", row->values[i].bytes ? row->values[i].bytes : "");
    sf_strbuf_addch(out, '\n');
    return true;
}

static void test_decisions_carry_the_axes(void **state)
{
    struct sf_store *store = open_store(*state);
    struct sf_error err = SF_ERROR_INIT;
    struct sf_mode_state s = begin(store);
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_decision_new d = { .session = session,
                                 .state = &s,
                                 .tool = "Bash",
                                 .action = "rm -rf build",
                                 .class = "destructive",
                                 .verdict = "ask",
                                 .layer = "safety-harness",
                                 .rule = "delete",
                                 .reason = "it deletes",
                                 .hint = "confirm",
                                 .programs = "[\"rm\"]" };
    struct sf_query query = { .sql = "select work_mode, run_control, permission_profile,"
                                     " model_mode, surface, scope, verdict, answer, answered_by"
                                     " from decisions",
                              .row = see_row,
                              .ctx = &out };
    int64_t id;

    assert_true(sf_store_decision_add(store, &d, &id, &err));
    assert_true(sf_store_decision_answer(store, id, "deny", "user", &err));
    assert_false(sf_store_decision_answer(store, id, "allow", "model", &err));
    d.verdict = "perhaps";
    assert_false(sf_store_decision_add(store, &d, &id, &err));
    sf_store_close(store);
    assert_true(sf_store_query(*state, &query, &err));
    assert_string_equal(out.buf, "chat|manual|normal|smart|headless|free|ask|deny|user\n");
    sf_strbuf_release(&out);
}

static bool add_action(const struct sf_event_row *decision, void *ctx)
{
    const char *at = strstr(decision->json, "\"action\":\"");

    assert_non_null(at);
    sf_strbuf_add(ctx, at + strlen("\"action\":\""), 1);
    return true;
}

/* Without a bound all of them, with one the newest; the oldest first. */
static void test_decisions_are_listed(void **state)
{
    struct sf_store *store = test_store_open(*state, SF_STORE_WRITE);
    char one[SF_ID_LEN + 1], other[SF_ID_LEN + 1];
    struct sf_mode_state s;
    const struct {
        struct sf_event_filter filter;
        const char *want;
    } cases[] = {
        { { 0 }, "abc" },
        { { .limit = 2 }, "bc" },
        { { .limit = SIZE_MAX }, "abc" },
        { { .session = one }, "ac" },
        { { .session = one, .limit = 1 }, "c" },
        { { .session = other }, "b" },
        { { .since_ms = sf_clock_wall_ms() + 86400000 }, "" },
    };

    test_store_session(store, one);
    test_store_session(store, other);
    sf_mode_state_init(&s, SF_SURFACE_TUI);
    for (int i = 0; i < 3; i++) {
        const char action[] = { (char)('a' + i), '\0' };
        const struct sf_decision_new d = { .session = i == 1 ? other : one,
                                           .state = &s,
                                           .tool = "Bash",
                                           .action = action,
                                           .class = "destructive",
                                           .verdict = "ask",
                                           .layer = "safety-harness",
                                           .rule = "delete",
                                           .reason = "it deletes",
                                           .hint = "" };
        struct sf_error err = SF_ERROR_INIT;
        int64_t id;

        if (!sf_store_decision_add(store, &d, &id, &err))
            fail_msg("%s", err.msg);
    }
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_strbuf got = SF_STRBUF_INIT;
        struct sf_error err = SF_ERROR_INIT;

        if (!sf_store_each_decision(store, &cases[i].filter, add_action, &got, &err))
            fail_msg("%s", err.msg);
        if (strcmp(got.len ? got.buf : "", cases[i].want) != 0)
            fail_msg("case %zu: %s, not %s", i, got.buf, cases[i].want);
        sf_strbuf_release(&got);
    }
    sf_store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_begin_once, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_change_is_stored_whole, test_dir_setup,
                                        test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_two_surfaces, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_killed_before_the_effect, test_dir_setup,
                                        test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_decisions_carry_the_axes, test_dir_setup,
                                        test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_decisions_are_listed, test_dir_setup,
                                        test_dir_teardown),
    };

    return cmocka_run_group_tests_name("mode", tests, NULL, NULL);
}
