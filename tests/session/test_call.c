/*
 * test_call.c: the order in which a call is carried: the stages by name, in the table and in a real
 * run; that nothing runs before its decision is a row; and that whoever calls, the way is the same.
 */
#include "io/io.h"
#include "session/internal.h"
#include "support/decision_check.h"
#include "support/session_case.h"
#include "support/test.h"
#include "support/tree.h"

static const char *const order[] = { "describe",     "intercept",    "look",  "judge",
                                     "rehearse",     "preview loss", "ask",   "snapshot",
                                     "keep history", "run",          "cover", "audit scope",
                                     "coach",        "record" };

static void test_table(void **state)
{
    (void)state;
    assert_int_equal(SF_STAGE_COUNT, SF_COUNT(order));
    for (size_t i = 0; i < SF_COUNT(order); i++) {
        assert_string_equal(sf_call_stages[i].name, order[i]);
        assert_non_null(sf_call_stages[i].begin);
        /* what has run is looked at and put back, whatever became of the log */
        assert_int_equal(sf_call_stages[i].always, i > SF_STAGE_RUN);
    }
}

/* ---- real runs ---- */

/* What the store had when the first output or the result of a call came. */
struct witness {
    struct session_case *c;
    int64_t decisions, results; /* at the last event */
    bool early;                 /* something came of a call before its decision was written */
};

static bool take_number(const struct sf_query_row *row, void *ctx)
{
    *(int64_t *)ctx = row->values[0].integer;
    return true;
}

static int64_t number(struct session_case *c, const char *sql)
{
    int64_t n = -1;
    const struct sf_query query = { .sql = sql, .row = take_number, .ctx = &n };
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_store_query(c->state_dir, &query, &err))
        fail_msg("%s: %s", sql, err.msg);
    return n;
}

static void watch(void *ctx, const struct sf_event *event)
{
    struct witness *w = ctx;

    if (event->kind == SF_EVENT_CALL)
        w->decisions = number(w->c, "select count(*) from decisions");
    if (event->kind == SF_EVENT_VERDICT || event->kind == SF_EVENT_OUTPUT)
        w->early = w->early || number(w->c, "select count(*) from decisions") != w->decisions + 1;
    if (event->kind == SF_EVENT_RESULT)
        w->results++;
}

static struct witness witness;

static int setup(void **state)
{
    struct session_case *c;
    char *log;

    session_case_setup(state);
    c = *state;
    sf_strlist_add(&c->tools, "Bash");
    sf_strlist_add(&c->tools, "AskUser");
    witness = (struct witness){ .c = c };
    c->watch = watch;
    c->watch_ctx = &witness;
    log = test_path(c->dir, "log");
    sf_log_open(log, SF_LOG_DEBUG);
    free(log);
    return 0;
}

static int teardown(void **state)
{
    sf_log_close();
    return session_case_teardown(state);
}

/* The stages the log names for that call, in order: "describe, judge". */
static char *stages_of(struct session_case *c, const char *tool)
{
    struct sf_strbuf text = SF_STRBUF_INIT, out = SF_STRBUF_INIT, mark = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    char *path = test_path(c->dir, "log");

    assert_true(sf_file_read(path, 1 << 20, &text, &err));
    sf_strbuf_addf(&mark, " %s: ", tool);
    for (const char *at = text.buf; (at = strstr(at, " call "));) {
        size_t line = strcspn(at, "\n");
        const char *stage = memmem(at, line, mark.buf, mark.len);

        if (stage)
            sf_strbuf_addf(&out, "%s%.*s", out.len ? ", " : "", (int)(at + line - stage - mark.len),
                           stage + mark.len);
        at += line;
    }
    free(path);
    sf_strbuf_release(&text);
    sf_strbuf_release(&mark);
    return sf_strbuf_detach(&out);
}

#define ALL                                                                                        \
    "describe, intercept, look, judge, rehearse, preview loss, ask, snapshot, keep history, run, " \
    "cover, audit scope, coach, record"

static const struct {
    const char *name, *call, *tool;
    const char *settings; /* or NULL */
    bool attended;
    enum sf_reply reply;
    const char *stages;
    int decisions;
} runs[] = {
    { "a command that may run", "Bash {\"command\": \"echo out\"}", "Bash", NULL, false, 0, ALL,
      1 },
    { "a file that is read", "Read {\"file_path\": \"list.txt\"}", "Read", NULL, false, 0, ALL, 1 },
    { "a change that is asked about, and made",
      "Write {\"file_path\": \"new.txt\", \"content\": \"x\"}", "Write",
      "[guard]\nask = [\"tool:Write\"]\n", true, SF_REPLY_ONCE, ALL, 1 },
    { "and one that is not", "Write {\"file_path\": \"new.txt\", \"content\": \"x\"}", "Write",
      "[guard]\nask = [\"tool:Write\"]\n", true, SF_REPLY_DENY,
      "describe, intercept, look, judge, rehearse, preview loss, ask, record", 1 },
    { "nor where nobody is there after all",
      "Write {\"file_path\": \"new.txt\", \"content\": \"x\"}", "Write",
      "[guard]\nask = [\"tool:Write\"]\n", true, SF_REPLY_ABSENT,
      "describe, intercept, look, judge, rehearse, preview loss, ask, record", 1 },
    { "what is refused ends with its verdict", "Bash {\"command\": \"echo out\"}", "Bash",
      "[guard]\ndeny = [\"tool:Bash\"]\n", false, 0, "describe, intercept, look, judge, record",
      1 },
    { "what is not offered too", "Grep {\"pattern\": \"x\"}", "Grep", NULL, false, 0,
      "describe, intercept, look, judge, record", 1 },
    { "a change that cannot be made is not asked about",
      "Write {\"file_path\": \"list.txt\", \"content\": \"x\"}", "Write",
      "[guard]\nask = [\"tool:Write\"]\n", true, SF_REPLY_ONCE,
      "describe, intercept, look, judge, rehearse, record", 1 },
    { "arguments that do not fit are not judged", "Read {\"file\": 7}", "Read", NULL, false, 0,
      "describe, record", 0 },
    { "nor is an unknown tool", "Frobnicate {}", "Frobnicate", NULL, false, 0, "describe, record",
      0 },
    { "a question of the model's own", "AskUser {\"question\": \"which?\"}", "AskUser", NULL, false,
      0,
      "describe, intercept, look, judge, rehearse, preview loss, ask, snapshot, keep history, run, "
      "record",
      1 },
};

static void begin(struct session_case *c, size_t i)
{
    struct sf_strbuf script = SF_STRBUF_INIT;

    tree_puts(c->workspace.root, "list.txt", "alpha\n");
    if (runs[i].settings)
        session_case_settings(c, runs[i].settings);
    c->attended = runs[i].attended;
    c->reply = runs[i].reply;
    sf_strbuf_addf(&script, "reply\n    call %s\nreply\n    text \"Done.\"\n", runs[i].call);
    session_case_serve(c, SF_WIRE_ANTHROPIC, script.buf);
    session_case_open(c, NULL);
    sf_strbuf_release(&script);
}

static void check_run(size_t i)
{
    void *state;
    struct session_case *c;
    char *stages;

    setup(&state);
    c = state;
    begin(c, i);
    session_case_turn(c, "go");
    assert_int_equal(c->status, SF_TURN_DONE);
    stages = stages_of(c, runs[i].tool);
    if (strcmp(stages, runs[i].stages) != 0)
        fail_msg("%s: %s", runs[i].name, stages);
    if (number(c, "select count(*) from decisions") != runs[i].decisions)
        fail_msg("%s: another number of decisions", runs[i].name);
    if (witness.early || witness.results != 1)
        fail_msg("%s: something came of it before its decision", runs[i].name);
    free(stages);
    teardown(&state);
}

static void test_runs(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(runs); i++)
        check_run(i);
}

/* The user's own command goes the same way; who typed it need not be asked. */
static void test_own_command(void **state)
{
    struct session_case *c = *state;
    struct sf_error err = SF_ERROR_INIT;
    char *stages;

    c->attended = true;
    session_case_settings(c, "[guard]\nask = [\"tool:Bash\"]\n");
    session_case_serve(c, SF_WIRE_ANTHROPIC, "reply\n    text \"Done.\"\n");
    session_case_open(c, NULL);
    assert_true(sf_session_shell(c->session, "echo out", &err));
    while (sf_session_shell_runs(c->session))
        sf_loop_turn(c->loop, 1000);
    stages = stages_of(c, "Bash");
    assert_string_equal(stages, ALL);
    assert_int_equal(number(c, "select count(*) from decisions where answered_by like 'user%'"), 1);
    free(stages);
}

/* ---- the check of the whole suite ---- */

static void plant(struct sf_store *store, const char *verdict, const char *detail)
{
    const struct sf_session_new row = { .project = "/p", .surface = "headless", .title = "" };
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_mode_state axes;
    struct sf_decision_new decision = { .state = &axes,
                                        .tool = "Read",
                                        .action = "a",
                                        .class = "read-inside",
                                        .verdict = verdict,
                                        .layer = "profile",
                                        .rule = "read-inside",
                                        .reason = "r",
                                        .paths = "[]",
                                        .hosts = "[]",
                                        .programs = "[]" };
    struct sf_event_new event = { .surface = "headless", .kind = "result" };
    struct sf_event_ref ref;
    char id[SF_ID_LEN + 1];
    int64_t number;

    sf_mode_state_init(&axes, SF_SURFACE_HEADLESS);
    assert_true(sf_store_session_create(store, &row, id, &err));
    decision.session = event.session = id;
    assert_true(sf_store_decision_add(store, &decision, &number, &err));
    assert_int_equal(number, 1);
    sf_strbuf_addf(&json,
                   "{\"message\":{\"role\":\"user\",\"blocks\":[{\"kind\":\"result\",\"id\":\"1\","
                   "\"name\":\"Read\",\"error\":%s,\"text\":\"x\"}]},\"detail\":%s}",
                   strstr(detail, "took_ms") ? "false" : "true", detail);
    event.json = json.buf;
    event.len = json.len;
    assert_true(sf_store_append(store, &event, &ref, &err));
    sf_strbuf_release(&json);
}

/* A check that cannot fail is worth nothing. */
static void test_check_can_fail(void **state)
{
    static const struct {
        const char *name, *verdict, *detail;
        bool broken;
    } results[] = {
        { "it ran, as was allowed", "allow", "{\"decision\":1,\"took_ms\":1}", false },
        { "it was refused, as was said", "deny", "{\"decision\":1}", false },
        { "it was never judged", "allow", "{}", false },
        { "it ran without a decision", "allow", "{\"took_ms\":1}", true },
        { "by one that is not there", "allow", "{\"decision\":2,\"took_ms\":1}", true },
        { "it ran although it was refused", "deny", "{\"decision\":1,\"took_ms\":1}", true },
        { "and although nobody had answered", "ask", "{\"decision\":1,\"took_ms\":1}", true },
        { "it was allowed, and refused", "allow", "{\"decision\":1}", true },
    };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(results); i++) {
        char *dir = test_dir_new();
        struct sf_strbuf broken = SF_STRBUF_INIT;
        struct sf_error err = SF_ERROR_INIT;
        struct sf_store *store = sf_store_open(dir, SF_STORE_WRITE, &err);

        assert_non_null(store);
        plant(store, results[i].verdict, results[i].detail);
        assert_int_equal(decision_check(dir, &broken), 1);
        if (results[i].broken != (broken.len > 0))
            fail_msg("%s: %s", results[i].name, broken.buf);
        sf_store_close(store);
        sf_strbuf_release(&broken);
        test_dir_free(dir);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_runs),
        cmocka_unit_test_setup_teardown(test_own_command, setup, teardown),
        cmocka_unit_test(test_check_can_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
