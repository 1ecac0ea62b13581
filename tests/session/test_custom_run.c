/*
 * Custom commands becoming turns: what the model is told, what their commands and files may do, and
 * that every way to end is told once.
 */
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "support/session_case.h"
#include "support/test.h"
#include "support/tree.h"

static void trust(struct session_case *c)
{
    struct sf_error err = SF_ERROR_INIT;
    char *state = test_path(c->dir, "home");

    assert_int_equal(setenv("SF_HOME", state, 1), 0);
    free(state);
    if (!sf_trust_add(c->workspace.root, 0, &err))
        fail_msg("%s", err.msg);
}

static void command(struct session_case *c, const char *name, const char *text)
{
    struct sf_strbuf path = SF_STRBUF_INIT;

    sf_strbuf_addf(&path, ".sf/commands/%s.md", name);
    tree_puts(c->workspace.root, path.buf, text);
    sf_strbuf_release(&path);
}

static void open_with(struct session_case *c, const char *scenario)
{
    sf_strlist_add(&c->tools, "Bash");
    sf_strlist_add(&c->tools, "Grep");
    session_case_serve(c, SF_WIRE_ANTHROPIC, scenario);
    session_case_open(c, NULL);
    trust(c);
}

static bool nothing_taken(const char *name)
{
    (void)name;
    return false;
}

static bool begin(struct session_case *c, const char *line, struct sf_error *err)
{
    memset(c->event, 0, sizeof(c->event));
    sf_strbuf_reset(&c->text);
    sf_strbuf_reset(&c->heard);
    return sf_session_custom(c->session, line, nothing_taken, err);
}

static void finish(struct session_case *c, const char *line)
{
    int64_t deadline = sf_clock_monotonic_ms() + SESSION_CASE_HANG_MS;

    while (!c->event[SF_EVENT_DONE]) {
        char *id;

        if (sf_clock_monotonic_ms() > deadline)
            fail_msg("\"%s\" hangs", line);
        sf_loop_turn(c->loop, 1000);
        if (!c->asked)
            continue;
        id = c->asked;
        c->asked = NULL;
        sf_session_answer(c->session, id, c->reply, NULL, "test");
        free(id);
    }
    assert_int_equal(c->event[SF_EVENT_DONE], 1);
    assert_false(sf_session_shell_runs(c->session));
}

static void run(struct session_case *c, const char *line)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!begin(c, line, &err))
        fail_msg("%s: %s", line, err.msg);
    finish(c, line);
}

static void catalog(struct session_case *c, const char *toml)
{
    struct sf_error err = SF_ERROR_INIT;

    sf_catalog_free(c->catalog);
    c->catalog = sf_catalog_new(toml, strlen(toml), &err);
    if (!c->catalog)
        fail_msg("%s", err.msg);
}

static bool is_there(struct session_case *c, const char *name)
{
    char *path = test_path(c->workspace.root, name);
    bool there = access(path, F_OK) == 0;

    free(path);
    return there;
}

static void test_model_reads_it(void **state)
{
    struct session_case *c = *state;

    tree_puts(c->workspace.root, "src/a.c", "int answer = 42;\n");
    command(c, "fix", "Fix $1, see @src/a.c and @param.\nNow: !`echo one two`.\n");
    open_with(c, "reply\n"
                 "    expect-contains \"/fix 'the thing'\"\n"
                 "    expect-contains \"Fix the thing, see @src/a.c and @param.\"\n"
                 "    expect-contains \"Now: one two.\"\n"
                 "    expect-contains \"int answer = 42;\"\n"
                 "    text \"fixed\"\n"
                 "reply\n"
                 "    text \"again\"\n");
    run(c, "/fix 'the thing'");
    assert_string_equal(c->text.buf, "fixed");
    assert_int_equal(c->event[SF_EVENT_CALL], 2);
    session_case_turn(c, "and now?");
    assert_string_equal(c->text.buf, "again");
    session_case_check_history(c, "after two turns");
    session_case_check_server(c, "after two turns");
}

/* What was typed is what is remembered: the title, the prompt that backtracking gives back. */
static void test_prompt_is_what_was_typed(void **state)
{
    struct session_case *c = *state;
    struct sf_prompt_list said = SF_PROMPT_LIST_INIT;
    struct sf_error err = SF_ERROR_INIT;

    command(c, "hi", "Say hello.");
    open_with(c, "reply\n    text \"hello\"\n");
    run(c, "/hi you");
    assert_true(sf_prompt_list_read(&said, c->store, sf_session_id(c->session), NULL, &err));
    assert_int_equal(said.count, 1);
    assert_string_equal(said.items[0].text, "/hi you");
    sf_prompt_list_release(&said);
}

/* Nobody who typed a name has seen the commands behind it. */
static void test_commands_are_judged(void **state)
{
    static const struct {
        const char *name, *body;
        bool attended;
        enum sf_reply reply;
        bool runs, says;
    } cases[] = {
        { "what only reads runs unasked", "!`ls > made`", false, SF_REPLY_DENY, true, true },
        { "what asks is asked", "!`curl -o made http://127.0.0.1:9/`", true, SF_REPLY_DENY, false,
          false },
        { "with nobody there it is refused", "!`touch made; rm -r src`", false, SF_REPLY_DENY,
          false, false },
        { "what destroys is confirmed", "!`touch made; rm -r src`", true, SF_REPLY_DENY, false,
          false },
        { "the denylist holds, whoever says yes", "!`touch made; rm -rf /`", true, SF_REPLY_ONCE,
          false, false },
        { "policy files are closed", "!`touch made; echo x > .sf/config.toml`", true, SF_REPLY_ONCE,
          false, false },
    };
    struct session_case *c = *state;

    tree_puts(c->workspace.root, "src/a.c", "x");
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        free(tree_run(c->workspace.root, "rm -f made", NULL));
        command(c, "go", cases[i].body);
        c->attended = cases[i].attended;
        c->reply = cases[i].reply;
        open_with(c, "reply\n    text \"said\"\n");
        run(c, "/go");
        if (is_there(c, "made") != cases[i].runs || (c->text.len > 0) != cases[i].says)
            fail_msg("%s: %s", cases[i].name, c->heard.buf);
        if (!cases[i].says && !strstr(c->heard.buf, "/go was not said"))
            fail_msg("%s: not told: %s", cases[i].name, c->heard.buf);
        if (cases[i].attended && strstr(c->heard.buf, "nobody was there"))
            fail_msg("%s: somebody was there: %s", cases[i].name, c->heard.buf);
        assert_true(is_there(c, "src/a.c"));
    }
}

static void test_files_are_judged(void **state)
{
    static const struct {
        const char *name, *path;
    } cases[] = {
        { "out of the workspace", "../outside.txt" },
        { "through a link", "link.txt" },
        { "a secret", ".env" },
        { "an absolute path", "/etc/passwd" },
        { "a pipe", "pipe" },
        { "a device", "/dev/zero" },
        { "a directory", "src" },
    };
    struct session_case *c = *state;

    tree_puts(c->dir, "outside.txt", "the secret word");
    tree_puts(c->workspace.root, ".env", "the secret word");
    tree_puts(c->workspace.root, "src/a.c", "the secret word");
    free(tree_run(c->workspace.root, "ln -s ../outside.txt link.txt; mkfifo pipe", NULL));
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_strbuf text = SF_STRBUF_INIT;

        sf_strbuf_addf(&text, "See @%s", cases[i].path);
        command(c, "go", text.buf);
        open_with(c, "reply\n    expect-lacks \"secret word\"\n    text \"said\"\n");
        run(c, "/go");
        if (strcmp(c->text.buf, "said") != 0 || !strstr(c->heard.buf, "is not included"))
            fail_msg("%s: %s", cases[i].name, c->heard.buf);
        session_case_check_server(c, cases[i].name);
        sf_strbuf_release(&text);
    }
}

/* A list of tools takes away and never gives. */
static void test_tools_narrow(void **state)
{
    struct session_case *c = *state;

    tree_puts(c->workspace.root, "a.txt", "x");
    command(c, "look", "---\nallowed-tools: Read, LS\n---\nlook");
    open_with(c, "reply\n"
                 "    expect-contains \"can be called in this turn: Read, LS.\"\n"
                 "    call Write {\"file_path\":\"made\",\"content\":\"x\"}\n"
                 "    call LS {}\n"
                 "    call Read {\"file_path\":\"a.txt\"}\n"
                 "reply\n    text \"looked\"\n"
                 "reply\n"
                 "    call Write {\"file_path\":\"made\",\"content\":\"x\"}\n"
                 "reply\n    text \"written\"\n");
    run(c, "/look");
    assert_string_equal(c->text.buf, "looked");
    assert_false(is_there(c, "made"));
    assert_non_null(strstr(c->heard.buf, "Write is not offered in this turn"));
    assert_non_null(strstr(c->heard.buf, "LS is not offered"));
    session_case_turn(c, "write it"); /* a turn of the user's own has all of them again */
    assert_true(is_there(c, "made"));
    session_case_check_server(c, "narrowed");
}

/* What stands in brackets holds the tool to it, whatever else the session allows. */
static void test_limits(void **state)
{
    struct session_case *c = *state;

    tree_puts(c->workspace.root, "src/a.txt", "x");
    tree_puts(c->workspace.root, "b.txt", "secret word");
    command(c, "look", "---\nallowed-tools: Bash(echo:*), Read(src/**)\n---\nlook");
    open_with(c, "reply\n"
                 "    expect-contains \"in this turn: Bash(echo:*), Read(src/**).\"\n"
                 "    call Bash {\"command\":\"echo one two\"}\n"
                 "    call Bash {\"command\":\"echo one; touch made\"}\n"
                 "    call Bash {\"command\":\"echo one > made\"}\n"
                 "    call Bash {\"command\":\"echo one $(touch made)\"}\n"
                 "    call Bash {\"command\":\"touch made\"}\n"
                 "    call Read {\"file_path\":\"src/a.txt\"}\n"
                 "    call Read {\"file_path\":\"src/../b.txt\"}\n"
                 "reply\n    text \"looked\"\n"
                 "reply\n    call Bash {\"command\":\"touch made\"}\n"
                 "reply\n    text \"made\"\n");
    run(c, "/look");
    assert_string_equal(c->text.buf, "looked");
    assert_false(is_there(c, "made"));
    assert_non_null(strstr(c->heard.buf, "one two"));
    assert_non_null(strstr(c->heard.buf, "1: x"));
    assert_null(strstr(c->heard.buf, "secret word"));
    assert_non_null(strstr(c->heard.buf, "Bash is limited to: echo:*"));
    assert_non_null(strstr(c->heard.buf, "Read is limited to: src/**"));
    session_case_turn(c, "make it");
    assert_true(is_there(c, "made"));
    session_case_check_server(c, "limits");
}

/* What one command was held to says nothing about the next one. */
static void test_limits_end_with_the_turn(void **state)
{
    struct session_case *c = *state;

    command(c, "look", "---\nallowed-tools: Read\n---\nlook");
    command(c, "tell", "It says !`echo hello`.");
    open_with(c, "reply\n    text \"looked\"\n"
                 "reply\n    expect-contains \"It says hello.\"\n    text \"told\"\n");
    run(c, "/look");
    run(c, "/tell");
    assert_string_equal(c->text.buf, "told");
    session_case_check_server(c, "ended");
}

static void test_limits_that_cover_nothing(void **state)
{
    static const char *const limits[] = { "Bash(git-*)",     "Bash(tool:Bash)", "Bash()",
                                          "Bash(ls; rm:*)",  "Bash(path:src/)", "Read(../**)",
                                          "Read(src/*)",     "Read(/)",         "AskUser(x)",
                                          "Bash(-rf)",       "Write(**/x)",     "Bash(a|b)",
                                          "Bash(echo $(x))", "Fetch(a b)" };
    struct session_case *c = *state;
    struct sf_error err = SF_ERROR_INIT;

    open_with(c, "reply\n    text \"never\"\n");
    for (size_t i = 0; i < SF_COUNT(limits); i++) {
        struct sf_strbuf text = SF_STRBUF_INIT;

        sf_strbuf_addf(&text, "---\nallowed-tools: \"%s\"\n---\nlook", limits[i]);
        command(c, "bad", text.buf);
        trust(c);
        if (begin(c, "/bad", &err) || !strstr(err.msg, "can never cover a call"))
            fail_msg("%s: %s", limits[i], err.msg);
        sf_strbuf_release(&text);
    }
}

static void test_model_for_the_turn(void **state)
{
    struct session_case *c = *state;

    command(c, "other", "---\nmodel: other\n---\nhi");
    command(c, "alien", "---\nmodel: alien\n---\nhi");
    catalog(c, "[models.scripted.other]\nwindow = 100000\n");
    open_with(c, "reply\n    text \"1\"\nreply\n    text \"2\"\nreply\n    text \"3\"\n");
    run(c, "/other");
    assert_string_equal(sf_session_model(c->session), "other");
    session_case_turn(c, "mine");
    assert_string_equal(sf_session_model(c->session), "test-model");
    run(c, "/alien");
    assert_string_equal(sf_session_model(c->session), "test-model");
    assert_non_null(strstr(c->heard.buf, "alien"));
}

static void test_not_begun(void **state)
{
    static const struct {
        const char *name, *line, *says;
        enum sf_errc code;
    } cases[] = {
        { "no such command", "/none", "no such", SF_E_NOENT },
        { "a broken head", "/broken", "line 3", SF_E_ARG },
        { "a word for a shell", "/shell a;b", "cannot be put into a command", SF_E_ARG },
    };
    struct session_case *c = *state;

    command(c, "broken", "---\nmodel: [x\n---\nhi");
    command(c, "shell", "!`echo $1`");
    open_with(c, "reply\n    text \"x\"\n");
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_error err = SF_ERROR_INIT;

        if (begin(c, cases[i].line, &err) || err.code != cases[i].code ||
            !strstr(err.msg, cases[i].says))
            fail_msg("%s: %s", cases[i].name, err.msg);
        assert_false(sf_session_shell_runs(c->session));
    }
    command(c, "broken", "changed since it was trusted");
    for (size_t i = 1; i < SF_COUNT(cases); i++) {
        struct sf_error err = SF_ERROR_INIT;

        assert_false(begin(c, cases[i].line, &err));
        assert_non_null(strstr(err.msg, "do not trust"));
    }
    session_case_turn(c, "hello");
    assert_string_equal(c->text.buf, "x");
}

static void test_one_at_a_time_and_cancel(void **state)
{
    struct session_case *c = *state;
    struct sf_error err = SF_ERROR_INIT;

    command(c, "slow", "!`sleep 100`");
    open_with(c, "reply\n    text \"x\"\n");
    assert_true(begin(c, "/slow", &err));
    assert_false(sf_session_custom(c->session, "/slow", nothing_taken, &err));
    assert_int_equal(err.code, SF_E_BUSY);
    assert_false(sf_session_shell(c->session, "echo x", &err));
    assert_false(sf_session_send(c->session, "x", 1, &err));
    sf_session_cancel(c->session);
    finish(c, "/slow");
    assert_int_equal(c->status, SF_TURN_CANCELLED);
    assert_true(begin(c, "/slow", &err));
    for (int i = 0; i < 1000 && !c->event[SF_EVENT_CALL]; i++)
        sf_loop_turn(c->loop, 10);
    sf_session_cancel(c->session);
    finish(c, "/slow");
    assert_int_equal(c->status, SF_TURN_CANCELLED);
    session_case_turn(c, "hello");
    assert_string_equal(c->text.buf, "x");
    assert_true(begin(c, "/slow", &err)); /* and closing it on its way leaves nothing behind */
}

/* Whatever is included, the request has an end. */
static void test_included_is_capped(void **state)
{
    struct session_case *c = *state;
    struct sf_strbuf body = SF_STRBUF_INIT;
    const struct sf_message *m;

    free(tree_run(c->workspace.root, "seq 200000 > big.txt", NULL));
    for (int i = 0; i < 10; i++)
        sf_strbuf_adds(&body, "@big.txt !`cat big.txt` ");
    command(c, "big", body.buf);
    sf_strbuf_release(&body);
    catalog(c, "[models.scripted.test-model]\nwindow = 1000000\n");
    open_with(c, "reply\n    text \"x\"\n");
    run(c, "/big");
    if (strcmp(c->text.buf, "x") != 0)
        fail_msg("%d: %s", (int)c->status, c->error.message);
    m = &sf_session_history(c->session)->messages[0];
    assert_true(m->blocks[1].len < 120000);
    assert_non_null(strstr(m->blocks[1].text, "left out"));
    session_case_check_history(c, "capped");
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, session_case_setup, session_case_teardown)
    const struct CMUnitTest tests[] = {
        CASE(test_model_reads_it),
        CASE(test_prompt_is_what_was_typed),
        CASE(test_commands_are_judged),
        CASE(test_files_are_judged),
        CASE(test_tools_narrow),
        CASE(test_limits),
        CASE(test_limits_end_with_the_turn),
        CASE(test_limits_that_cover_nothing),
        CASE(test_model_for_the_turn),
        CASE(test_not_begun),
        CASE(test_one_at_a_time_and_cancel),
        CASE(test_included_is_capped),
    };

    return cmocka_run_group_tests_name("session/custom_run", tests, NULL, NULL);
}
