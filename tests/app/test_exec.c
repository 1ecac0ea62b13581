/*
 * sf -p and sf exec against a scripted model in each of the three wire formats: the whole
 * program, real HTTP, real files, real commands.
 */
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "store/store.h"
#include "support/agent_sandbox.h"
#include "support/peer.h"
#include "support/test.h"
#include "support/tree.h"

static const enum sf_wire_format formats[] = { SF_WIRE_ANTHROPIC, SF_WIRE_CHAT, SF_WIRE_RESPONSES };

static void fill_task(struct sandbox *w)
{
    agent_sandbox_file(w, "src/add.sh", "add() { echo $(( a - b )); }\n");
    agent_sandbox_file(w, "src/version", "1.0\n");
    agent_sandbox_file(w, "tests/run.sh",
                       "a=2 b=3; . src/add.sh; [ \"$(add)\" = 5 ] && echo PASS || { echo FAIL; "
                       "exit 1; }\n");
}

static void assert_file(struct sandbox *w, const char *name, const char *text)
{
    char *is = agent_sandbox_text(w, name);

    assert_string_equal(is, text);
    free(is);
}

/* Where the history begins in a request's body. */
static size_t history_at(const char *body, size_t len)
{
    const char *at = memmem(body, len, "\"messages\":[", 12);

    if (!at)
        at = memmem(body, len, "\"input\":[", 9);
    assert_non_null(at);
    return (size_t)(at - body);
}

/*
 * Each request begins with the whole of the one before it. Cache markers may move, so where there
 * are any they are taken out of both first; everything else must be the same bytes.
 */
static void strip_markers(struct sf_strbuf *text)
{
    static const char marker[] = ",\"cache_control\":{\"type\":\"ephemeral\"}";
    char *at;

    while ((at = memmem(text->buf, text->len, marker, sizeof(marker) - 1)))
        sf_strbuf_splice(text, (size_t)(at - text->buf), sizeof(marker) - 1, "", 0);
}

static void check_prefixes(struct model_server *server)
{
    for (size_t i = 1; i < model_server_count(server); i++) {
        struct sf_strbuf a = SF_STRBUF_INIT, b = SF_STRBUF_INIT;
        size_t len, same = 0;
        const char *body = model_server_body(server, i - 1, &len);

        sf_strbuf_add(&a, body, len);
        body = model_server_body(server, i, &len);
        sf_strbuf_add(&b, body, len);
        strip_markers(&a);
        strip_markers(&b);
        while (same < a.len && same < b.len && a.buf[same] == b.buf[same])
            same++;
        /* all but the closing brackets of the list and of the object */
        if (same + 4 < a.len)
            fail_msg("requests %zu and %zu differ at byte %zu of %zu: %.80s", i - 1, i, same, a.len,
                     a.buf + same);
        assert_true(same > history_at(a.buf, a.len));
        sf_strbuf_release(&a);
        sf_strbuf_release(&b);
    }
}

static void ten_steps(struct sandbox *w, enum sf_wire_format format, const char *words)
{
    struct model_server *server = agent_sandbox_serve(w, format, NULL, "ten-steps.txt");
    struct outcome o;

    fill_task(w);
    o = sandbox_run(w, words);
    agent_sandbox_check(server, sf_wire_format_names[format]);
    if (o.code != 0)
        fail_msg("%s: exit code %d\n%s\n%s", sf_wire_format_names[format], o.code, o.out, o.err);
    assert_non_null(strstr(o.out, "the tests pass. ✓"));
    assert_file(w, "src/add.sh", "add() { echo $(( a + b )); }\n");
    assert_file(w, "src/version", "1.1\n");
    assert_int_equal(model_server_replies(server), 8);
    check_prefixes(server);
    outcome_release(&o);
    model_server_stop(server);
}

static void test_ten_steps_print(void **state)
{
    for (size_t i = 0; i < SF_COUNT(formats); i++)
        ten_steps(*state, formats[i], "-p 'Make add() add' --permission-profile trusted");
}

static void test_ten_steps_stream(void **state)
{
    for (size_t i = 0; i < SF_COUNT(formats); i++)
        ten_steps(*state, formats[i],
                  "exec --output-format stream-json --permission-profile trusted Make 'add()' add");
}

/* ---- the stream ---- */

static const char *const wanted_types[] = { "session",     "axes",     "text",
                                            "reasoning",   "tool_use", "verdict",
                                            "tool_result", "usage",    "done" };

static void test_stream_objects(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server = agent_sandbox_serve(w, SF_WIRE_ANTHROPIC, NULL, "ten-steps.txt");
    struct sf_error err = SF_ERROR_INIT;
    struct outcome o;
    struct sf_json *json;
    const char *text;
    int64_t n;

    fill_task(w);
    o = sandbox_run(w, "exec --output-format stream-json --permission-profile trusted "
                       "'Make add() add'");
    for (size_t i = 0; i < SF_COUNT(wanted_types); i++) {
        json = agent_sandbox_object(o.out, wanted_types[i]);
        if (!json)
            fail_msg("no object of type %s in\n%s", wanted_types[i], o.out);
        assert_true(sf_json_get_int(json, "v", &n, &err) && n == 1);
        sf_json_free(json);
    }
    json = agent_sandbox_object(o.out, "done");
    assert_true(sf_json_get_str(json, "status", &text, &err));
    assert_string_equal(text, "done");
    assert_true(sf_json_get_int(json, "exit_code", &n, &err) && n == 0);
    assert_true(sf_json_get_int(json, "tool_calls", &n, &err));
    assert_int_equal(n, 11);
    assert_true(sf_json_get_str(json, "result", &text, &err));
    assert_string_equal(text, "Grüße: add() adds, the tests pass. ✓");
    sf_json_free(json);
    outcome_release(&o);
    model_server_stop(server);
}

static bool take_text(const struct sf_query_row *row, void *ctx)
{
    sf_strbuf_adds(ctx, row->values[0].bytes);
    return true;
}

/* The only project's store below the sandbox. */
static void query(struct sandbox *w, const char *sql, struct sf_strbuf *out)
{
    const struct sf_query q = { .sql = sql, .row = take_text, .ctx = out };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strlist found = SF_STRLIST_INIT;

    tree_lines(w->state, "find . -name sf.db -printf '%h\\n'", '\n', &found);
    assert_int_equal(found.count, 1);
    sf_strlist_adopt(&found, test_path(w->state, found.items[0]));
    if (!sf_store_query(found.items[1], &q, &err))
        fail_msg("%s: %s", sql, err.msg);
    sf_strlist_release(&found);
}

/* A list of tools is one gate: in the stream, in the table and in what the model hears. */
static void test_not_offered(void **state)
{
    static const struct {
        const char *words, *call, *rule;
    } cases[] = {
        { "--allowed-tools Read,Grep", "Bash {\"command\":\"ls\"}", "allowed-tools" },
        { "--disallowed-tools Bash", "Bash {\"command\":\"ls\"}", "disallowed-tools" },
        { "--permission-profile restricted",
          "Edit {\"file_path\":\"a\",\"old_string\":\"b\","
          "\"new_string\":\"c\"}",
          "profile-too-low" },
    };
    struct sandbox *w = *state;

    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_strbuf script = SF_STRBUF_INIT, words = SF_STRBUF_INIT, row = SF_STRBUF_INIT;
        struct sf_error err = SF_ERROR_INIT;
        struct model_server *server;
        const char *verdict = "", *layer = "", *rule = "";
        struct sf_json *json;
        struct outcome o;

        sf_strbuf_addf(&script,
                       "reply\n    call %s\nreply\n    expect-tool-result %.4s contains "
                       "\"Refused by rule %s (registry)\"\n    text \"understood\"\n",
                       cases[i].call, cases[i].call, cases[i].rule);
        sf_strbuf_addf(&words, "exec --output-format stream-json %s go", cases[i].words);
        server = agent_sandbox_serve(w, formats[i % 3], script.buf, NULL);
        o = sandbox_run(w, words.buf);
        agent_sandbox_check(server, cases[i].words);
        assert_int_equal(o.code, 3);
        json = agent_sandbox_object(o.out, "verdict");
        assert_non_null(json);
        assert_true(sf_json_get_str(json, "verdict", &verdict, &err) &&
                    sf_json_get_str(json, "layer", &layer, &err) &&
                    sf_json_get_str(json, "rule", &rule, &err));
        assert_string_equal(verdict, "deny");
        assert_string_equal(layer, "registry");
        assert_string_equal(rule, cases[i].rule);
        query(
            w,
            "select verdict || ' ' || layer || ' ' || rule from decisions order by id desc limit 1",
            &row);
        assert_int_equal(strncmp(row.buf, "deny registry ", 14), 0);
        assert_string_equal(row.buf + 14, cases[i].rule);
        sf_json_free(json);
        outcome_release(&o);
        model_server_stop(server);
        sf_strbuf_release(&script);
        sf_strbuf_release(&words);
        sf_strbuf_release(&row);
    }
}

static void test_json_output(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server =
        agent_sandbox_serve(w, SF_WIRE_CHAT, "reply\n    text \"forty-two\"\n", NULL);
    struct outcome o = sandbox_run(w, "-p question --output-format json");
    struct sf_json *json = agent_sandbox_object(o.out, "done");
    struct sf_error err = SF_ERROR_INIT;
    const char *text;

    assert_int_equal(o.code, 0);
    assert_non_null(json);
    assert_true(sf_json_get_str(json, "result", &text, &err));
    assert_string_equal(text, "forty-two");
    assert_int_equal(strcspn(o.out, "\n") + 1, strlen(o.out)); /* one line */
    sf_json_free(json);
    outcome_release(&o);
    model_server_stop(server);
}

/* ---- sessions ---- */

static void test_resume(void **state)
{
    for (size_t i = 0; i < SF_COUNT(formats); i++) {
        struct sandbox *w = *state;
        struct model_server *server =
            agent_sandbox_serve(w, formats[i],
                                "reply\n    reasoning \"hm\"\n    call Read {\"file_path\":\"a\"}\n"
                                "reply\n    text \"one\"\n"
                                "reply\n    expect-contains \"first question\"\n"
                                "    expect-contains \"one\"\n    text \"two\"\n"
                                "reply\n    expect-contains \"second\"\n    text \"three\"\n",
                                NULL);

        agent_sandbox_file(w, "a", "x\n");
        sandbox_expect(w, "-p 'first question'", 0, "one", NULL);
        sandbox_expect(w, "exec --continue second", 0, "two", NULL);
        sandbox_expect(w, "exec -r latest third", 0, "three", NULL);
        sandbox_expect(w, "exec --resume zzz third", 2, NULL, "no session zzz");
        sandbox_expect(w, "exec --resume a --continue third", 2, NULL, "exclude each other");
        agent_sandbox_check(server, sf_wire_format_names[formats[i]]);
        check_prefixes(server);
        model_server_stop(server);
    }
}

/* ---- budgets ---- */

static const struct {
    const char *name, *words, *limit;
} limits[] = {
    { "turns", "--max-turns 2", "turns" },
    { "tool calls", "--max-tool-calls 2", "tool-calls" },
    { "tokens", "--max-tokens 2500", "tokens" },
    { "cost", "--max-cost 0.01", "cost" },
    { "nothing may be paid", "--max-cost 0", "cost" },
};

static const char endless[] = "loop\nreply\n    call Bash {\"command\":\"echo ${fill:1}\"}\n"
                              "    usage input=1000 output=100\n"
                              "reply\n    call Bash {\"command\":\"echo again\"}\n"
                              "    usage input=1000 output=100\n";

static void write_prices(struct sandbox *w)
{
    char *path = test_path(w->dir, "config/sf/models.toml");
    static const char text[] = "[models.scripted.\"test-model\"]\nwindow = 200000\n"
                               "max_output = 8000\nprice_input = 3.0\nprice_output = 15.0\n";

    test_write(path, text, strlen(text));
    free(path);
}

static void test_limits(void **state)
{
    struct sandbox *w = *state;

    for (size_t i = 0; i < SF_COUNT(limits); i++) {
        struct model_server *server = agent_sandbox_serve(w, formats[i % 3], endless, NULL);
        struct sf_error err = SF_ERROR_INIT;
        struct sf_strbuf words = SF_STRBUF_INIT;
        struct sf_json *json;
        const char *limit = "";
        struct outcome o;

        write_prices(w);
        sf_strbuf_addf(&words,
                       "exec --output-format stream-json --permission-profile trusted %s go",
                       limits[i].words);
        o = sandbox_run(w, words.buf);
        json = agent_sandbox_object(o.out, "error");
        if (o.code != 5 || !json || !sf_json_get_str(json, "limit", &limit, &err) ||
            strcmp(limit, limits[i].limit) != 0)
            fail_msg("%s: exit code %d, limit %s\n%s%s", limits[i].name, o.code, limit, o.out,
                     o.err);
        agent_sandbox_check(server, limits[i].name);
        sf_json_free(json);
        sf_strbuf_release(&words);
        outcome_release(&o);
        model_server_stop(server);
        /* the session goes on where it was stopped */
        server = agent_sandbox_serve(w, formats[i % 3], "reply\n    text \"fine\"\n", NULL);
        sandbox_expect(w, "exec --continue more", 0, "fine", NULL);
        agent_sandbox_check(server, limits[i].name);
        model_server_stop(server);
    }
}

/* A command that would run for ever is ended with the run. */
static void test_time(void **state)
{
    struct sandbox *w = *state;
    static const char waits[] = "reply\n    call Bash {\"command\":\"exec sleep 1000\"}\n";
    struct model_server *server = agent_sandbox_serve(w, SF_WIRE_ANTHROPIC, waits, NULL);

    sandbox_expect(w, "exec --permission-profile trusted --on-ask allow --max-time 1 go", 5, NULL,
                   "--max-time");
    model_server_stop(server);
    server = agent_sandbox_serve(w, SF_WIRE_ANTHROPIC, waits, NULL);
    sandbox_expect(w, "exec --permission-profile trusted --on-ask allow --timeout 1 go", 124, NULL,
                   "the run timed out");
    model_server_stop(server);
    server = agent_sandbox_serve(w, SF_WIRE_ANTHROPIC, "reply\n    text \"fine\"\n", NULL);
    sandbox_expect(w, "exec --continue", 0, "fine", NULL);
    agent_sandbox_check(server, "after the time");
    model_server_stop(server);
}

/* ---- permissions ---- */

static const struct {
    const char *name, *call, *words;
    int code;
    const char *result; /* what the model is told */
    const char *error;  /* what stands on stderr in the end, or NULL */
} asks[] = {
    { "an edit in scope runs", "Write {\"file_path\":\"src/x\",\"content\":\"1\"}", "", 0, "src/x",
      NULL },
    { "a build asks, and nobody is there", "Bash {\"command\":\"make\"}", "", 3,
      "no terminal to ask on", "--on-ask allow, a wider" },
    { "allowed beforehand", "Bash {\"command\":\"make -v\"}", "--on-ask allow", 0, "Make", NULL },
    { "auto is the same", "Bash {\"command\":\"make -v\"}", "--auto", 0, "Make", NULL },
    { "what destroys is never allowed by a policy", "Bash {\"command\":\"rm -rf src\"}",
      "--on-ask allow", 3, "confirmation", "it needs a person" },
    { "no person, so no user refused it", "Bash {\"command\":\"rm -rf src\"}", "--on-ask allow", 3,
      "Refused: needs a person", NULL },
    { "nor are credentials read", "Read {\"file_path\":\".env\"}", "--on-ask allow", 3,
      "Refused: needs a person", "it needs a person" },
    { "manual asks, and nobody is there", "Write {\"file_path\":\"src/x\",\"content\":\"1\"}",
      "--control manual", 3, "Refused: needs a person", "--control assisted" },
    { "a name that only the run knows", "Bash {\"command\":\"cat src/$(printf ../../x)\"}", "", 3,
      "no terminal to ask on", NULL },
    { "outside the scope", "Write {\"file_path\":\"other/x\",\"content\":\"1\"}", "", 3,
      "not writable in scope", "--scope free allows this" },
    { "outside the workspace", "Write {\"file_path\":\"/etc/sf-x\",\"content\":\"1\"}", "", 3,
      "Refused", NULL },
    { "restricted writes nothing", "Write {\"file_path\":\"src/x\",\"content\":\"1\"}",
      "--permission-profile restricted", 3, "Refused", NULL },
    { "plan writes no sources", "Write {\"file_path\":\"src/x\",\"content\":\"1\"}", "--mode plan",
      3, "Refused", NULL },
    { "review writes nothing", "Write {\"file_path\":\"docs/x\",\"content\":\"1\"}",
      "--mode review", 3, "Refused", NULL },
    { "a tool that is not offered", "Bash {\"command\":\"ls\"}", "--disallowed-tools Bash", 3,
      "not offered", "--disallowed-tools" },
    { "within a limit", "Bash {\"command\":\"ls src\"}", "--allowed-tools Bash(ls:*)", 0, "a",
      NULL },
    { "beyond a limit", "Bash {\"command\":\"ls; touch src/y\"}",
      "--auto --allowed-tools Bash(ls:*)", 3, "Bash is limited to: ls:*", NULL },
    { "a path beyond a limit", "Read {\"file_path\":\"src/a\"}",
      "--allowed-tools Read(docs/**),Grep", 3, "Read is limited to: docs/**", NULL },
    { "withheld in part", "Bash {\"command\":\"ls && make -v\"}",
      "--auto --disallowed-tools Bash(make:*)", 3, "Bash is withheld for: make:*", NULL },
    { "a tool nobody knows", "Frobnicate {\"x\":1}", "", 0, "Frobnicate", NULL },
    { "arguments that do not fit", "Read {\"file\":7}", "", 0, "file_path", NULL },
    { "a page asks, and nobody is there", "Fetch {\"url\":\"${url}/page\"}", "", 3,
      "no terminal to ask on", NULL },
    { "restricted asks no other host", "Fetch {\"url\":\"${url}/page\"}",
      "--permission-profile restricted", 3, "Refused", NULL },
    { "what is never asked is not asked about", "Fetch {\"url\":\"http://169.254.169.254/\"}",
      "--auto", 0, "never contacted", NULL },
    { "a question, and nobody is there", "AskUser {\"question\":\"which?\"}", "", 0,
      "Nobody is there", NULL },
};

static void test_asks(void **state)
{
    struct sandbox *w = *state;

    for (size_t i = 0; i < SF_COUNT(asks); i++) {
        struct sf_strbuf scenario = SF_STRBUF_INIT, words = SF_STRBUF_INIT;
        char tool[32];
        struct model_server *server;
        struct outcome o;

        sscanf(asks[i].call, "%31s", tool);
        sf_strbuf_addf(&scenario,
                       "reply\n    call %s\nreply\n    expect-tool-result %s contains \"%s\"\n"
                       "    text \"understood\"\n",
                       asks[i].call, tool, asks[i].result);
        sf_strbuf_addf(&words, "exec %s go", asks[i].words);
        agent_sandbox_file(w, "src/a", "a\n");
        server = agent_sandbox_serve(w, formats[i % 3], scenario.buf, NULL);
        o = sandbox_run(w, words.buf);
        agent_sandbox_check(server, asks[i].name);
        if (o.code != asks[i].code || (asks[i].error && !strstr(o.err, asks[i].error)))
            fail_msg("%s: exit code %d, not %d\n%s\n%s", asks[i].name, o.code, asks[i].code, o.out,
                     o.err);
        model_server_stop(server);
        outcome_release(&o);
        sf_strbuf_release(&scenario);
        sf_strbuf_release(&words);
    }
    assert_int_equal(access("/etc/sf-x", F_OK), -1);
}

static const struct {
    const char *name, *settings, *words, *result;
    int code;
} pages[] = {
    { "allowed beforehand", NULL, "--on-ask allow", "a page", 0 },
    { "by a rule, also where the profile asks nobody", "[guard]\nallow = [\"host:127.0.0.1\"]\n",
      "--permission-profile restricted", "a page", 0 },
    { "by a rule for another host", "[guard]\nallow = [\"host:*.example.org\"]\n",
      "--permission-profile restricted", "Refused", 3 },
    { "against a rule", "[guard]\ndeny = [\"host:127.0.0.1\"]\n", "--on-ask allow", "deny-rule",
      3 },
};

/* Two of one message go out side by side; each has its verdict, with the host in its row. */
static void test_pages(void **state)
{
    static const struct peer_answer answer = { .bytes =
                                                   "HTTP/1.1 200 OK\r\nContent-Type: text/html"
                                                   "\r\nContent-Length: 12\r\n\r\n<h1>a page\n\n" };
    struct sandbox *w = *state;
    struct peer *peer = peer_start(&answer, 1);

    for (size_t i = 0; i < SF_COUNT(pages); i++) {
        struct sf_strbuf scenario = SF_STRBUF_INIT, words = SF_STRBUF_INIT;
        struct model_server *server;

        sf_strbuf_addf(&scenario,
                       "reply\n    call Fetch {\"url\":\"http://127.0.0.1:%d/1\"}\n"
                       "    call Fetch {\"url\":\"http://127.0.0.1:%d/2\"}\n"
                       "reply\n    expect-tool-result Fetch contains \"%s\"\n"
                       "    text \"understood\"\n",
                       peer_port(peer), peer_port(peer), pages[i].result);
        sf_strbuf_addf(&words, "exec %s go", pages[i].words);
        agent_sandbox_settings(w, pages[i].settings);
        server = agent_sandbox_serve(w, formats[i % 3], scenario.buf, NULL);
        sandbox_expect(w, words.buf, pages[i].code, "understood", NULL);
        agent_sandbox_check(server, pages[i].name);
        model_server_stop(server);
        sf_strbuf_release(&scenario);
        sf_strbuf_release(&words);
    }
    agent_sandbox_settings(w, NULL);
    assert_int_equal(peer_requests(peer), 4);
    peer_stop(peer);
    sandbox_expect(w, "log --sql 'select count(*), hosts from decisions group by hosts'", 0,
                   "8\t[\"127.0.0.1\"]", NULL);
}

/* Every verdict has its row, with the axes, before anything came of it. */
static void test_decisions(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server = agent_sandbox_serve(w, SF_WIRE_CHAT, NULL, "ten-steps.txt");

    fill_task(w);
    sandbox_expect(w, "-p 'Make add() add' --permission-profile trusted", 0, "pass", NULL);
    sandbox_expect(w,
                   "log --sql 'select count(*) as n, count(distinct work_mode || run_control || "
                   "permission_profile || model_mode || surface) as s from decisions'",
                   0, "11", NULL);
    sandbox_expect(w, "log --sql 'select permission_profile, surface, count(*) from decisions'", 0,
                   "trusted", NULL);
    sandbox_expect(w, "log --sql 'select sum(input_tokens), count(*) from usage'", 0, "8", NULL);
    sandbox_expect(w, "log --kind decision --since 1d --json", 0,
                   "\"kind\":\"decision\",\"data\":{\"tool\":", NULL);
    sandbox_expect(w, "log --kind decision --limit 1", 0, "allow ", NULL);
    model_server_stop(server);
}

/* ---- sub-agents ---- */

static void test_subagent(void **state)
{
    struct sandbox *w = *state;

    for (size_t i = 0; i < SF_COUNT(formats); i++) {
        struct model_server *server = agent_sandbox_serve(
            w, formats[i],
            "reply\n    call Agent {\"prompt\":\"count the files\",\"description\":\"count\"}\n"
            "reply\n    expect-contains \"count the files\"\n    expect-contains \"sub-agent\"\n"
            "    call LS {\"path\":\".\"}\n"
            "reply\n    text \"there are three\"\n"
            "reply\n    expect-tool-result Agent contains \"there are three\"\n    text \"three\"\n",
            NULL);
        struct outcome o = sandbox_run(w, "exec --output-format stream-json go");

        agent_sandbox_check(server, "sub-agent");
        if (o.code != 0 || !strstr(o.out, "\"agent\":{") ||
            !strstr(o.out, "\"type\":\"agent_done\""))
            fail_msg("exit code %d\n%s%s", o.code, o.out, o.err);
        outcome_release(&o);
        model_server_stop(server);
    }
    sandbox_expect(w, "log --sql 'select count(*) from sessions where parent_id is not null'", 0,
                   "3", NULL);
}

/* ---- custom commands ---- */

static void test_custom_command(void **state)
{
    struct sandbox *w = *state;

    agent_sandbox_file(w, "src/a.c", "// TODO x\n");
    agent_sandbox_file(w, ".sf/commands/todo.md", "find TODO in $1");
    agent_sandbox_file(w, ".sf/commands/asks.md", "find TODO in !`./unknown`");
    sandbox_expect(w, "-p '/todo src'", 2, NULL, "sf trust add");
    sandbox_expect(w, "trust add", 0, NULL, NULL);
    sandbox_expect(w, "-p '/todo src'", 0, "src/a.c:1", NULL);
    sandbox_expect(w, "exec /todo src", 0, "src/a.c:1", NULL);
    sandbox_expect(w, "exec /asks", 3, NULL, "/asks was not said");
    sandbox_expect(w, "exec --disallowed-tools Bash --on-ask allow /asks", 3, NULL,
                   "/asks was not said");
    sandbox_expect(w, "-p /tood", 2, NULL, "did you mean /todo?");
    sandbox_expect(w, "-p '/no/such/command'", 2, NULL, "there is no command");
}

/* ---- what stands in the end ---- */

/* A refusal is made up for by another way to do as much, not by looking about afterwards. */
static const struct {
    const char *name, *first, *then;
    int code;
} ways[] = {
    { "another file", "Write {\"file_path\":\"other/x\",\"content\":\"1\"}",
      "Write {\"file_path\":\"src/x\",\"content\":\"1\"}", 0 },
    { "only looking", "Write {\"file_path\":\"other/x\",\"content\":\"1\"}",
      "Read {\"file_path\":\"src/a\"}", 3 },
    { "another failure", "Write {\"file_path\":\"other/x\",\"content\":\"1\"}",
      "Bash {\"command\":\"mkdir src/a/b\"}", 3 },
    { "nobody was there", "Bash {\"command\":\"make\"}",
      "Write {\"file_path\":\"src/x\",\"content\":\"1\"}", 3 },
};

static void test_ways(void **state)
{
    struct sandbox *w = *state;

    for (size_t i = 0; i < SF_COUNT(ways); i++) {
        struct sf_strbuf scenario = SF_STRBUF_INIT;
        struct model_server *server;

        sf_strbuf_addf(&scenario,
                       "reply\n    call %s\nreply\n    call %s\nreply\n    text \"%s\"\n",
                       ways[i].first, ways[i].then, ways[i].name);
        agent_sandbox_file(w, "src/a", "a\n");
        server = agent_sandbox_serve(w, formats[i % 3], scenario.buf, NULL);
        sandbox_expect(w, "exec go", ways[i].code, ways[i].name, NULL);
        agent_sandbox_check(server, ways[i].name);
        model_server_stop(server);
        sf_strbuf_release(&scenario);
    }
}

/* ---- usage errors ---- */

static const struct {
    const char *name, *words;
    int code;
    const char *err;
} mistakes[] = {
    { "no prompt", "exec", 2, "there is no prompt" },
    { "an unknown format", "exec --output-format xml go", 2, "--output-format cannot be 'xml'" },
    { "an unknown tool", "exec --allowed-tools Raed go", 2, "Read" },
    { "a list of nothing is not everything", "exec --allowed-tools= go", 2, "names no tool" },
    { "a limit that covers nothing", "exec --allowed-tools Bash(git*) go", 2,
      "can never cover a call" },
    { "a limit that does not end", "exec --disallowed-tools Bash(git go", 2, "--disallowed-tools" },
    { "an unknown provider", "exec --provider nobody go", 2, "nobody" },
    { "a file that is not there", "exec --append-system-prompt-file nope go", 2, "nope" },
    { "yolo where it is not trusted", "exec --yolo go", 2, "sf trust" },
    { "nor the widest profile", "exec --permission-profile unrestricted go", 2, "sf trust" },
    { "a limit that is none", "exec --max-turns x go", 2, "max_turns" },
    { "nothing to go on with", "exec --continue go", 2, "no session to resume" },
};

/* The prompt is the next word, or comes through a pipe; what looks like an option is words. */
static void test_where_the_prompt_stands(void **state)
{
    static const struct {
        const char *words, *out, *err;
        int code;
    } rows[] = {
        { "--output-format json -p 'list src'", "\"result\":\"a.c", NULL, 0 },
        { "-p 'list src' --output-format json", "\"result\":\"a.c", NULL, 0 },
        { "--permission-profile restricted --print 'replace x with y in src/a.c'", "not offered",
          NULL, 1 },
        { "-p list src", "a.c", NULL, 0 },
        { "-p --verbose", "I do not understand \"--verbose\"", NULL, 1 },
        { "-p --config=evil.toml", "I do not understand \"--config=evil.toml\"", NULL, 1 },
        { "--print --yolo", "I do not understand \"--yolo\"", NULL, 1 },
        { "-p --no-such-option", "I do not understand \"--no-such-option\"", NULL, 1 },
        { "-p", NULL, "there is no prompt", 2 },
    };
    struct sandbox *w = *state;
    struct outcome o;

    agent_sandbox_file(w, "src/a.c", "x\n");
    for (size_t i = 0; i < SF_COUNT(rows); i++)
        sandbox_expect(w, rows[i].words, rows[i].code, rows[i].out, rows[i].err);
    o = sandbox_run_program(w, "/bin/sh", "-c 'echo list src | " SF_PROGRAM " -p'");
    assert_int_equal(o.code, 0);
    assert_non_null(strstr(o.out, "a.c"));
    outcome_release(&o);
    o = sandbox_run_program(w, "/bin/sh",
                            "-c 'printf \"\\357\\273\\277list src\" | " SF_PROGRAM " -p'");
    assert_int_equal(o.code, 0);
    assert_non_null(strstr(o.out, "a.c"));
    outcome_release(&o);
    o = sandbox_run_program(w, "/bin/sh", "-c 'printf \"\\357\\273\\277\" | " SF_PROGRAM " -p'");
    assert_int_equal(o.code, 2);
    assert_non_null(strstr(o.err, "there is no prompt"));
    outcome_release(&o);
}

/* Silence on standard output is explained on the other one. */
static void test_no_answer(void **state)
{
    struct sandbox *w = *state;

    for (size_t i = 0; i < SF_COUNT(formats); i++) {
        struct model_server *server = agent_sandbox_serve(w, formats[i],
                                                          "reply\n    stop end\n"
                                                          "reply\n    text \"here\"\n",
                                                          NULL);

        sandbox_expect(w, "-p go", 0, NULL, "the model ended without an answer");
        sandbox_expect(w, "--continue -p go", 0, "here", NULL);
        agent_sandbox_check(server, "no answer");
        model_server_stop(server);
    }
}

/* A cost limit that cannot be counted is no limit: it is said before anything is sent. */
static void test_unknown_price(void **state)
{
    struct sandbox *w = *state;
    struct sf_error err = SF_ERROR_INIT;
    char *dir = test_path(w->dir, "config/sf");
    static const char settings[] = "[network]\nproxy = \"http://127.0.0.1:9\"\nretries = 0\n";

    assert_true(sf_dir_make(dir, 0700, &err));
    test_write(w->config, settings, strlen(settings));
    sandbox_setenv(w, "DEEPSEEK_API_KEY", "x");
    sandbox_expect(w, "exec --provider deepseek --max-cost 1 go", 2, NULL,
                   "the cost limit cannot be enforced");
    sandbox_expect(w, "exec --provider deepseek --max-tokens 1000 go", 75, NULL, NULL);
    free(dir);
}

static void test_mistakes(void **state)
{
    for (size_t i = 0; i < SF_COUNT(mistakes); i++)
        sandbox_expect(*state, mistakes[i].words, mistakes[i].code, NULL, mistakes[i].err);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, sandbox_setup, sandbox_teardown)
    const struct CMUnitTest tests[] = {
        CASE(test_ten_steps_print),
        CASE(test_ten_steps_stream),
        CASE(test_stream_objects),
        CASE(test_not_offered),
        CASE(test_json_output),
        CASE(test_resume),
        CASE(test_limits),
        CASE(test_time),
        CASE(test_asks),
        CASE(test_ways),
        CASE(test_pages),
        CASE(test_decisions),
        CASE(test_subagent),
        CASE(test_custom_command),
        CASE(test_where_the_prompt_stands),
        CASE(test_no_answer),
        CASE(test_unknown_price),
        CASE(test_mistakes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
