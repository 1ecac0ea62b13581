/*
 * The user's own line of facts at the port: what templates become, which are refused and with what
 * hint, that it is kept in the user's settings and cannot come from a project, and that nothing in
 * it can command a terminal.
 */
#include <string.h>

#include "io/io.h"
#include "support/port_case.h"
#include "support/test.h"
#include "support/tree.h"

static void serve(struct port_case *c)
{
    session_case_serve(
        c->parts, SF_WIRE_ANTHROPIC,
        "reply\n    usage input=3000 output=200\n"
        "    call Plan {\"items\": [{\"content\": \"one\", \"status\": \"completed\"}, "
        "{\"content\": \"two\", \"status\": \"pending\"}]}\n"
        "reply\n    usage input=3000 output=200\n    text \"Done.\"\n");
}

static const char writes[] =
    "reply\n    call Write {\"path\": \"a.txt\", \"content\": \"one\\n\"}\n"
    "reply\n    call Edit {\"path\": \"a.txt\", \"old_string\": \"one\", \"new_string\": \"1\"}\n"
    "reply\n    text \"Done.\"\n";

static void write_head(struct port_case *c, const char *text)
{
    char *git = test_path(sf_port_workspace(c->port), ".git"), *head = test_path(git, "HEAD");
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_port_branch(c->port)[0])
        assert_true(sf_dir_make(git, 0700, &err));
    assert_true(sf_file_write_atomic(head, text, strlen(text), 0600, &err));
    free(head);
    free(git);
    sf_port_look_checkout(c->port);
}

static void expect_line(struct port_case *c, const char *template, const char *want)
{
    struct sf_strbuf line = SF_STRBUF_INIT, command = SF_STRBUF_INIT;

    sf_strbuf_addf(&command, "/statusline %s", template);
    port_case_line(c, command.buf);
    sf_port_statusline_add(c->port, &line);
    if (strcmp(line.buf, want) != 0)
        fail_msg("%s became '%s', not '%s'", template, line.buf, want);
    sf_strbuf_release(&command);
    sf_strbuf_release(&line);
}

static void test_expand(void **state)
{
    static const struct {
        const char *template, *line;
    } cases[] = {
        { "{model}", "test-model" },
        { "{model} at {branch}", "test-model at main" },
        { "{branch}{dirty}", "main" },
        { "{steps}", "1 of 2" },
        { "{tokens} tokens", "6.4k tokens" },
        { "{limit} · x", "x" }, /* the session has none */
        { "words alone", "words alone" },
        { "a part is left out", "a part is left out" },
        { "{jobs} · {model} · {changed} · end", "test-model · end" },
        { "{model} · {jobs}", "test-model" },
        { "jobs: {jobs} | {branch}", "main" },
        { "{jobs}{branch} | x", "main | x" },
        { "{jobs}", "" },
        { "{{model}} {model}", "{model} test-model" },
        { "a } b", "a } b" },
        { "`{branch}` *x*", "`main` *x*" },
        { "off", "" },
    };
    struct port_case *c = *state;

    serve(c);
    c->reloads = true;
    port_case_open(c, NULL);
    write_head(c, "ref: refs/heads/main\n");
    port_case_line(c, "go");
    for (size_t i = 0; i < SF_COUNT(cases); i++)
        expect_line(c, cases[i].template, cases[i].line);
}

/* A line that names the changed files has them compared, with no surface asking for it. */
static void test_changed(void **state)
{
    static const char *const tools[] = { "Write", "Edit" };
    struct port_case *c = *state;
    struct sf_strbuf line = SF_STRBUF_INIT;

    for (size_t i = 0; i < SF_COUNT(tools); i++)
        sf_strlist_add(&c->parts->tools, tools[i]);
    c->parts->attended = true;
    c->parts->reply = SF_REPLY_ONCE;
    c->reloads = true;
    session_case_serve(c->parts, SF_WIRE_CHAT, writes);
    session_case_settings(c->parts, "[snapshots]\nenabled = true\n");
    port_case_open(c, NULL);
    port_case_line(c, "write");
    port_case_line(c, "/statusline {model}");
    assert_true(sf_port_overview(c->port)->about);
    port_case_line(c, "/statusline {changed}");
    sf_port_statusline_add(c->port, &line);
    assert_string_equal(line.buf, "1 file, about +2 −1");
    while (sf_port_overview(c->port)->about)
        sf_loop_turn(c->parts->loop, 1000);
    sf_strbuf_reset(&line);
    sf_port_statusline_add(c->port, &line);
    assert_string_equal(line.buf, "1 file, +1");
    sf_strbuf_release(&line);
}

/* A model with prices, a limit on them, a repository with a change, a job that runs. */
static void open_full(struct port_case *c)
{
    static const char models[] = "[models.scripted.\"test-model\"]\nwindow = 100000\n"
                                 "price_input = 1.0\nprice_output = 5.0\n";
    static const char *const tools[] = { "Plan", "Write", "Bash" };
    struct sf_error err = SF_ERROR_INIT;

    for (size_t i = 0; i < SF_COUNT(tools); i++)
        sf_strlist_add(&c->parts->tools, tools[i]);
    free(tree_run(c->parts->workspace.root,
                  "git init -qb main && echo one >a && git add a && git -c user.name=n "
                  "-c user.email=e@x commit -qm first && echo two >a",
                  NULL));
    c->parts->attended = true;
    c->parts->reply = SF_REPLY_ONCE;
    c->cost_limit = 5000000;
    session_case_serve(
        c->parts, SF_WIRE_ANTHROPIC,
        "reply\n    usage input=3000 output=200\n"
        "    call Plan {\"items\": [{\"content\": \"one\", \"status\": \"completed\"}]}\n"
        "    call Write {\"path\": \"b\", \"content\": \"one\\n\"}\n"
        "    call Bash {\"command\": \"exec sleep 600\", \"run_in_background\": true}\n"
        "reply\n    usage input=3000 output=200\n    text \"Done.\"\n");
    sf_catalog_free(c->parts->catalog);
    c->parts->catalog = sf_catalog_new(models, sizeof(models) - 1, &err);
    assert_non_null(c->parts->catalog);
    port_case_open(c, NULL);
    sf_port_look_checkout(c->port);
    while (!sf_port_is_dirty(c->port))
        sf_loop_turn(c->parts->loop, 1000);
}

/* Each row of the table says something once there is something to say. */
static void test_table(void **state)
{
    static const char *const rows[] = { "| {model} | test-model |", "| {branch} | main |",
                                        "| {dirty} | * |",          "| {cost} | $0.008 |",
                                        "| {limit} | $5.00 |",      "| {changed} | 1 file",
                                        "| {jobs} | 1 job |" };
    struct port_case *c = *state;
    const char *text;

    c->reloads = true;
    open_full(c);
    port_case_line(c, "go");
    port_case_line(c, "/statusline");
    text = port_case_said(c, SF_RESPONSE_PAGE)->text.buf;
    assert_non_null(strstr(text, "There is no template"));
    for (size_t i = 0; i < SF_COUNT(rows); i++)
        if (!strstr(text, rows[i]))
            fail_msg("no %s in\n%s", rows[i], text);
    for (const char *row = strstr(text, "| {"); row; row = strstr(row + 1, "\n| {")) {
        const char *name = strchr(row, '{') + 1;

        if (strchr(name, '|')[2] == ' ')
            fail_msg("nothing stands for {%.12s", name);
    }
    port_case_line(c, "/statusline on {branch}");
    port_case_expect(c, SF_RESPONSE_NOTE, "ui.statusline is written and holds from now on");
    write_head(c, "0123456789abcdef0123456789abcdef01234567\n");
    port_case_line(c, "/statusline");
    port_case_expect(c, SF_RESPONSE_PAGE, "on {branch}");
    port_case_expect(c, SF_RESPONSE_PAGE, "on 01234567");
}

static void test_refuse(void **state)
{
    static const struct {
        const char *line, *says, *hint;
    } cases[] = {
        { "/statusline {brnch}", "no placeholder {brnch}", "did you mean {branch}?" },
        { "/statusline {modle} · {branch}", "no placeholder {modle}", "{model}" },
        { "/statusline {xyzzy}", "no placeholder {xyzzy}", "lists all" },
        { "/statusline {}", "no placeholder {}", "lists all" },
        { "/statusline {model", "not closed", "{{" },
        { "/statusline a \033[31m", "control characters", "" },
        { "/config ui.statusline {brnch}", "no placeholder {brnch}", "did you mean {branch}?" },
    };
    struct port_case *c = *state;
    struct sf_strbuf lengthy = SF_STRBUF_INIT;

    port_case_open(c, NULL);
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        port_case_line(c, cases[i].line);
        port_case_expect(c, SF_RESPONSE_ERROR, cases[i].says);
        if (!strstr(port_case_said(c, SF_RESPONSE_ERROR)->hint, cases[i].hint))
            fail_msg("%s: %s", cases[i].line, port_case_said(c, SF_RESPONSE_ERROR)->hint);
        assert_false(sf_port_has_statusline(c->port));
    }
    sf_strbuf_adds(&lengthy, "/statusline ");
    sf_strbuf_fill(&lengthy, 'x', 401);
    port_case_line(c, lengthy.buf);
    port_case_expect(c, SF_RESPONSE_ERROR, "at most 400 bytes, not 401");
    sf_strbuf_release(&lengthy);
}

/* A run without a screen shows it, and changes nothing. */
static void test_headless(void **state)
{
    struct port_case *c = *state;

    session_case_settings(c->parts, "[ui]\nstatusline = \"in {project}\"\n");
    c->stays = true;
    port_case_open(c, NULL);
    port_case_line(c, "/statusline");
    port_case_expect(c, SF_RESPONSE_PAGE, "in {project}");
    port_case_line(c, "/statusline off");
    port_case_expect(c, SF_RESPONSE_ERROR, "changes no settings");
    assert_true(sf_port_has_statusline(c->port));
}

/* No project puts words into sf's own rows, not even one that is trusted. */
static void test_project(void **state)
{
    static const char text[] = "[ui]\nstatusline = \"PLAN read-only\"\n";
    struct port_case *c = *state;

    sf_config_add_file(c->parts->config, SF_LAYER_PROJECT, "project", text, strlen(text), true);
    port_case_open(c, NULL);
    assert_false(sf_port_has_statusline(c->port));
}

/* What a file or a repository says is shown, and commands nothing. */
static void test_hostile(void **state)
{
    struct port_case *c = *state;
    struct sf_strbuf line = SF_STRBUF_INIT, head = SF_STRBUF_INIT;

    session_case_settings(
        c->parts, "[ui]\nstatusline = \"\\u001b]0;x\\u0007{branch}\\n{no-such}\\u202e{model\"\n");
    port_case_open(c, NULL);
    sf_strbuf_adds(&head, "ref: refs/heads/\033[31m\u202e");
    sf_strbuf_fill(&head, 'y', 3000);
    write_head(c, head.buf);
    sf_port_statusline_add(c->port, &line);
    for (size_t i = 0; i < line.len; i++)
        assert_true((unsigned char)line.buf[i] >= ' ');
    assert_null(strstr(line.buf, "\u202e"));
    assert_non_null(strstr(line.buf, "{no-such}"));
    assert_true(sf_text_width(line.buf, line.len) < 200);
    sf_strbuf_release(&head);
    sf_strbuf_release(&line);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, port_case_setup, port_case_teardown)
    const struct CMUnitTest tests[] = {
        CASE(test_expand),  CASE(test_table),   CASE(test_refuse),  CASE(test_headless),
        CASE(test_project), CASE(test_hostile), CASE(test_changed),
    };

    return cmocka_run_group_tests_name("statusline", tests, NULL, NULL);
}
