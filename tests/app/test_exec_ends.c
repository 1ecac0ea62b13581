/*
 * How a run ends, told by its exit code and its last object: cut answers, what the offline operator
 * cannot do, input that comes late, starts that fail, and services that want less or more.
 */
#include "base/base.h"
#include "support/agent_sandbox.h"
#include "support/test.h"

static const enum sf_wire_format formats[] = { SF_WIRE_ANTHROPIC, SF_WIRE_CHAT, SF_WIRE_RESPONSES };

#define CUT_CALL                                                                             \
    "    call Write \"{\\\"file_path\\\": \\\"src/big.c\\\", \\\"content\\\": \\\"int x\"\n" \
    "    stop max_tokens\n"

/* A call that was cut is told of, not done, and can be made again. */
static void test_cut_call(void **state)
{
    static const char scenario[] =
        "reply\n" CUT_CALL
        "reply\n    expect-contains \"The call of Write was cut off by the length limit\"\n"
        "    call Write {\"file_path\":\"src/big.c\",\"content\":\"int x;\\n\"}\n"
        "reply\n    text \"made\"\n";
    struct sandbox *w = *state;

    for (size_t i = 0; i < SF_COUNT(formats); i++) {
        struct model_server *server;
        char *text;

        agent_sandbox_file(w, "src/a.c", "x\n");
        server = agent_sandbox_serve(w, formats[i], scenario, NULL);
        sandbox_expect(w, "exec --mode build --control assisted go", 0, "made", NULL);
        text = agent_sandbox_text(w, "src/big.c");
        assert_string_equal(text, "int x;\n");
        free(text);
        agent_sandbox_check(server, "cut call");
        model_server_stop(server);
        agent_sandbox_file(w, "src/big.c", "");
    }
}

static void test_cut_for_ever(void **state)
{
    static const char *const scenarios[] = {
        "reply\n" CUT_CALL "reply\n" CUT_CALL "reply\n" CUT_CALL "reply\n" CUT_CALL,
        "reply\n    text \"a\"\n    stop max_tokens\nreply\n    text \"b\"\n    stop max_tokens\n"
        "reply\n    text \"c\"\n    stop max_tokens\nreply\n    text \"d\"\n    stop max_tokens\n",
    };
    struct sandbox *w = *state;

    for (size_t i = 0; i < SF_COUNT(formats) * SF_COUNT(scenarios); i++) {
        struct model_server *server =
            agent_sandbox_serve(w, formats[i % 3], scenarios[i / 3], NULL);

        sandbox_expect(w, "exec go", 5, NULL, "cut off by the model's length limit");
        agent_sandbox_check(server, "cut for ever");
        model_server_stop(server);
        server = agent_sandbox_serve(w, formats[i % 3], "reply\n    text \"fine\"\n", NULL);
        sandbox_expect(w, "exec --continue more", 0, "fine", NULL);
        agent_sandbox_check(server, "after it");
        model_server_stop(server);
    }
}

/* Two summaries in one run: what the user asked for is in the request behind both. */
static void test_two_summaries(void **state)
{
    static const char scenario[] =
        "reply\n    usage input=15000 output=10\n    call Read {\"file_path\":\"a.txt\"}\n"
        "reply\n    text \"summary one\"\n"
        "reply\n    usage input=15000 output=10\n    call Read {\"file_path\":\"b.txt\"}\n"
        "reply\n    text \"summary two\"\n"
        "reply\n    expect-contains \"summary two\"\n    expect-contains \"keep FACT-42 in mind\"\n"
        "    text \"read\"\n";
    static const char row[] = "[models.scripted.\"test-model\"]\nwindow = 16000\n"
                              "max_output = 1000\n";
    struct sandbox *w = *state;
    char *path = test_path(w->dir, "config/sf/models.toml");

    agent_sandbox_file(w, "a.txt", "a\n");
    agent_sandbox_file(w, "b.txt", "b\n");
    for (size_t i = 0; i < SF_COUNT(formats); i++) {
        struct model_server *server = agent_sandbox_serve(w, formats[i], scenario, NULL);

        test_write(path, row, strlen(row));
        sandbox_expect(w, "exec 'keep FACT-42 in mind and read all'", 0, "read", NULL);
        agent_sandbox_check(server, "two summaries");
        model_server_stop(server);
    }
    free(path);
}

/* Words that do not fit the window are refused with both sizes; nothing is cut, nothing is sent. */
static void test_too_many_words(void **state)
{
    static const char row[] = "[models.scripted.\"test-model\"]\nwindow = 16000\n"
                              "max_output = 1000\n";
    struct sandbox *w = *state;
    char *path = test_path(w->dir, "config/sf/models.toml"), *words = test_path(w->dir, "words");
    struct model_server *server =
        agent_sandbox_serve(w, formats[0], "reply\n    text \"fits\"\n", NULL);
    struct sf_strbuf text = SF_STRBUF_INIT, command = SF_STRBUF_INIT;
    struct outcome o;

    test_write(path, row, strlen(row));
    for (int i = 0; i < 12000; i++)
        sf_strbuf_addf(&text, "word%d ", i);
    test_write(words, text.buf, text.len);
    sf_strbuf_addf(&command, "-c '" SF_PROGRAM " -p - < %s'", words);
    o = sandbox_run_program(w, "/bin/sh", command.buf);
    assert_int_equal(o.code, 1);
    if (!strstr(o.err, " tokens, and test-model takes about ") || !strstr(o.err, "--model"))
        fail_msg("%s", o.err);
    assert_int_equal(model_server_count(server), 0);
    outcome_release(&o);
    sandbox_expect(w, "-p 'a few words'", 0, "fits", NULL);
    model_server_stop(server);
    sf_strbuf_release(&text);
    sf_strbuf_release(&command);
    free(words);
    free(path);
}

/* clang-format off */
static const struct {
    const char *scenario, *words, *hint;
} refusals[] = {
    { "reply\n status 401\n", " (HTTP 401 from scripted at http://127.0.0.1:", "check the provider's key" },
    { "reply\n status 403\n", " (HTTP 403 from scripted at http://127.0.0.1:", "check what the account may use" },
    { "reply\n status 404\n", " (HTTP 404 from scripted at http://127.0.0.1:", "check the provider's address" },
};
/* clang-format on */

/* Whom sf asked for which model, and whether there was a key, so that the wrong one is found. */
static void test_whom(void **state)
{
    struct sandbox *w = *state;

    for (size_t i = 0; i < SF_COUNT(refusals); i++) {
        struct model_server *server =
            agent_sandbox_serve(w, formats[0], refusals[i].scenario, NULL);
        struct outcome o = sandbox_run(w, "-p hello");

        if (!strstr(o.err, refusals[i].words) || !strstr(o.err, refusals[i].hint) ||
            !strstr(o.err, ", model test-model, ") || !strstr(o.err, " is set)"))
            fail_msg("%s", o.err);
        outcome_release(&o);
        model_server_stop(server);
    }
}

/* Half of the files may be of another state: no turn works on them before that is settled. */
static void test_between_states(void **state)
{
    struct sandbox *w = *state;
    struct outcome o;

    agent_sandbox_file(w, "a.txt", "a\n");
    sandbox_expect(w, "restore take", 0, NULL, NULL);
    o = sandbox_run_program(
        w, "/bin/sh",
        "-c 'cd \"$(dirname \"$(" SF_PROGRAM " store path)\")\"/snapshots.git/sf "
        "&& : > restore-$(cd \"$OLDPWD\" && printf %s \"$(pwd -P)\" | sha256sum "
        "| cut -c1-16)'");
    assert_int_equal(o.code, 0);
    outcome_release(&o);
    sandbox_expect(w, "-p 'read a.txt'", 1, "", "files are between two states");
    sandbox_expect(w, "-p 'read a.txt'", 1, "", "sf restore resume");
    sandbox_expect(w, "restore resume", 1, "", "remove that file");
    sandbox_expect(w, "-p /status", 0, NULL, NULL);
}

/* Output comes in pieces that end anywhere; no character is broken by that. */
static void test_pieces_of_output(void **state)
{
    struct sandbox *w = *state;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct outcome o;

    sf_strbuf_addch(&text, 'x');
    for (int i = 0; i < 60000; i++)
        sf_strbuf_adds(&text, "é");
    agent_sandbox_file(w, "u.txt", text.buf);
    o = sandbox_run(w, "exec --output-format stream-json 'run cat u.txt'");
    assert_int_equal(o.code, 0);
    assert_non_null(strstr(o.out, "\"type\":\"tool_output\""));
    assert_null(strstr(o.out, "\xef\xbf\xbd"));
    outcome_release(&o);
    sf_strbuf_release(&text);
}

static const struct {
    const char *words;
    int code;
} offline[] = {
    { "-p 'list src'", 0 },
    { "-p 'find nothing-like-this in src'", 0 },
    { "-p help", 0 },
    { "-p 'read nope.txt'", 1 },
    { "-p 'list nodir'", 1 },
    { "-p 'replace y with z in src/a.c'", 1 },
    { "-p 'run the tests' --on-ask allow", 1 },
    { "-p 'list src, then read nope.txt, then list src'", 1 },
    { "-p 'make me a sandwich'", 1 },
    { "-p 'run make'", 3 },
    { "-p 'list src, then list src, then list src, then list src, then list src, then list src, "
      "then list src, then list src, then list src, then list src, then list src, then list src, "
      "then list src, then list src, then list src, then list src, then list src'",
      1 },
};

/* `sf -p 'run the tests' && deploy` does not deploy when they fail. */
static void test_offline(void **state)
{
    struct sandbox *w = *state;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json *json;
    struct outcome o;
    const char *status;

    agent_sandbox_file(w, "src/a.c", "x\n");
    agent_sandbox_file(w, "Makefile", "test:\n\t@echo 1 failed; exit 1\n");
    for (size_t i = 0; i < SF_COUNT(offline); i++)
        sandbox_expect(w, offline[i].words, offline[i].code, NULL, NULL);
    o = sandbox_run(w, "exec --output-format stream-json 'read nope.txt'");
    json = agent_sandbox_object(o.out, "done");
    assert_true(json && sf_json_get_str(json, "status", &status, &err));
    assert_string_equal(status, "unable");
    assert_int_equal(o.code, 1);
    sf_json_free(json);
    outcome_release(&o);
}

/* A command in front of the pipe may work until long after sf has said that it waits. */
static void test_late_input(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server = agent_sandbox_serve(
        w, SF_WIRE_CHAT, "reply\n    expect-contains \"LATE-DATA\"\n    text \"fine\"\n", NULL);
    struct outcome o = sandbox_run_program(
        w, "/bin/sh",
        "-c '(until grep -q \"waiting for standard input\" said; do sleep 0.02; done; "
        "echo LATE-DATA) 2>/dev/null | " SF_PROGRAM " -p why 2>said'");

    assert_int_equal(o.code, 0);
    assert_non_null(strstr(o.out, "fine"));
    agent_sandbox_check(server, "late input");
    model_server_stop(server);
    outcome_release(&o);
}

static const struct {
    const char *words, *reason;
} starts[] = {
    { "--provider anthropic go", "ANTHROPIC_API_KEY" },
    { "--resume 01zz go", "01zz" },
    { "--provider nobody go", "nobody" },
};

/* Whoever reads objects reads one at the end, also of a run that never began. */
static void test_failed_starts(void **state)
{
    static const char *const kinds[] = { "json", "stream-json" };
    struct sandbox *w = *state;

    for (size_t i = 0; i < SF_COUNT(starts) * SF_COUNT(kinds); i++) {
        struct sf_strbuf words = SF_STRBUF_INIT;
        struct sf_error err = SF_ERROR_INIT;
        const char *reason = "";
        struct sf_json *done, *error;
        struct outcome o;
        int64_t code = 0;

        sf_strbuf_addf(&words, "exec --output-format %s %s", kinds[i % 2], starts[i / 2].words);
        o = sandbox_run(w, words.buf);
        done = agent_sandbox_object(o.out, "done");
        error = agent_sandbox_object(o.out, "error");
        if (!done || !sf_json_get_str(done, "reason", &reason, &err) ||
            !sf_json_get_int(done, "exit_code", &code, &err) || code != o.code || !o.code ||
            !strstr(reason, starts[i / 2].reason) || (i % 2 && !error))
            fail_msg("%s: exit code %d\n%s%s", words.buf, o.code, o.out, o.err);
        sf_json_free(done);
        sf_json_free(error);
        sf_strbuf_release(&words);
        outcome_release(&o);
    }
}

static void write_row(struct sandbox *w, const char *more)
{
    char *path = test_path(w->dir, "config/sf/models.toml");
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_addf(
        &text, "[models.scripted.\"test-model\"]\nwindow = 200000\nmax_output = 8000\n%s", more);
    test_write(path, text.buf, text.len);
    sf_strbuf_release(&text);
    free(path);
}

/* Not every account gets summaries of reasoning: the run goes on without, and stays so. */
static void test_no_summaries(void **state)
{
    static const char scenario[] =
        "reply\n    status 400 \"Your organization must be verified to generate reasoning "
        "summaries.\"\n"
        "reply\n    text \"fine\"\n";
    struct sandbox *w = *state;
    struct model_server *server = agent_sandbox_serve(w, SF_WIRE_RESPONSES, scenario, NULL);
    const char *body;
    size_t len;

    write_row(w, "efforts = [\"low\", \"medium\", \"high\"]\n");
    sandbox_expect(w, "exec go", 0, "fine", NULL);
    body = model_server_body(server, 0, &len);
    assert_non_null(memmem(body, len, "\"summary\":\"auto\"", 16));
    body = model_server_body(server, 1, &len);
    assert_null(memmem(body, len, "\"summary\":\"", 11));
    model_server_stop(server);
    server = agent_sandbox_serve(w, SF_WIRE_RESPONSES, "reply\n    text \"again\"\n", NULL);
    write_row(w, "efforts = [\"low\", \"medium\", \"high\"]\n");
    sandbox_expect(w, "exec --continue more", 0, "again", NULL);
    body = model_server_body(server, 0, &len);
    assert_null(memmem(body, len, "\"summary\":\"", 11));
    model_server_stop(server);
}

static const struct {
    enum sf_wire_format format;
    const char *row, *has;
} wants[] = {
    { SF_WIRE_CHAT, "reasoning_back = true\n", "\"reasoning_content\":\"hm\"" },
    { SF_WIRE_ANTHROPIC, "efforts = [\"low\", \"medium\", \"high\"]\n",
      "\"thinking\":{\"type\":\"adaptive\"}" },
};

/* What a row says about a model is in its requests. */
static void test_rows(void **state)
{
    struct sandbox *w = *state;

    agent_sandbox_file(w, "a.txt", "a\n");
    for (size_t i = 0; i < SF_COUNT(wants); i++) {
        struct model_server *server = agent_sandbox_serve(
            w, wants[i].format,
            "reply\n    reasoning \"hm\"\n    call Read {\"file_path\":\"a.txt\"}\n"
            "reply\n    text \"fine\"\n",
            NULL);
        const char *body;
        size_t len;

        write_row(w, wants[i].row);
        sandbox_expect(w, "exec go", 0, "fine", NULL);
        body = model_server_body(server, 1, &len);
        if (!memmem(body, len, wants[i].has, strlen(wants[i].has)))
            fail_msg("%s is not in %.*s", wants[i].has, (int)len, body);
        agent_sandbox_check(server, wants[i].has);
        model_server_stop(server);
    }
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, sandbox_setup, sandbox_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_cut_call),         CASE(test_cut_for_ever), CASE(test_two_summaries),
        CASE(test_too_many_words),   CASE(test_whom),         CASE(test_between_states),
        CASE(test_pieces_of_output), CASE(test_offline),      CASE(test_late_input),
        CASE(test_failed_starts),    CASE(test_no_summaries), CASE(test_rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
