/*
 * Names of commands at the port: only a whole name runs, whichever surface the line comes from; what
 * is no name gets a hint that is true.
 */
#include <string.h>

#include "support/port_case.h"
#include "support/test.h"

static void add_names(struct sf_strlist *out)
{
    for (size_t i = 0; i < sf_port_command_count; i++) {
        sf_strlist_add(out, sf_port_commands[i].name);
        for (const char *const *a = sf_port_commands[i].aliases; a && *a; a++)
            sf_strlist_add(out, *a);
    }
    for (size_t i = 0; i < sf_mode_command_count; i++)
        sf_strlist_add(out, sf_mode_commands[i].name);
}

static void test_unique(void **state)
{
    struct sf_strlist names = SF_STRLIST_INIT;

    (void)state;
    add_names(&names);
    for (size_t i = 0; i < names.count; i++)
        for (size_t k = 0; k < i; k++)
            if (!strcmp(names.items[i], names.items[k]))
                fail_msg("/%s is called so twice", names.items[i]);
    sf_strlist_release(&names);
}

static bool has(const struct sf_strlist *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (!strcmp(names->items[i], name))
            return true;
    return false;
}

/* Every beginning of every name: an error and nothing else. */
static void test_beginnings(void **state)
{
    struct port_case *c = *state;
    struct sf_strlist names = SF_STRLIST_INIT;
    char line[64];

    add_names(&names);
    port_case_open(c, NULL);
    for (size_t i = 0; i < names.count; i++)
        for (size_t n = 1; names.items[i][n]; n++) {
            snprintf(line, sizeof(line), "/%.*s", (int)n, names.items[i]);
            if (has(&names, line + 1))
                continue;
            port_case_line(c, line);
            port_case_expect(c, SF_RESPONSE_ERROR, "there is no command");
            if (c->count != 1 || c->events[SF_EVENT_TRANSITION] || c->events[SF_EVENT_PROMPT])
                fail_msg("%s did something", line);
        }
    sf_strlist_release(&names);
}

static void test_hints(void **state)
{
    static const struct {
        const char *line, *hint;
    } cases[] = {
        { "/st", "did you mean /status, /statusline, /stop or /steer?" },
        { "/st now", "did you mean /status, /statusline, /stop or /steer?" },
        { "/sf", "commands stand for themselves: /mode" },
        { "/stauts", "did you mean /status?" },
        { "/rewnd", "did you mean /rewind?" },
        { "/exti", "did you mean /exit?" },
        { "/yolo", "/mode yolo" },
        { "/mcp", "there are no MCP servers" },
        { "/shell", "!COMMAND" },
        { "/xyzzy", "lists all" },
    };
    struct port_case *c = *state;

    port_case_open(c, NULL);
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        const struct sf_response *r;

        port_case_line(c, cases[i].line);
        r = port_case_said(c, SF_RESPONSE_ERROR);
        if (!strstr(r->hint, cases[i].hint) || !strstr(r->hint, "lists all"))
            fail_msg("%s: %s", cases[i].line, r->hint);
    }
}

/* An alias does what the command does, and answers under its name. */
static void test_aliases(void **state)
{
    static const struct {
        const char *line, *command;
    } cases[] = {
        { "/usage", "cost" },
        { "/rewind", "backtrack" },
        { "/settings", "config" },
        { "/resume", "sessions" },
        { "/continue", "sessions" },
        { "/approvals", "permissions" },
        { "/models", "model" },
        { "/checkpoint", "backtrack" },
        { "/keys", "help" },
        { "/hotkeys", "help" },
        { "/allowed-tools", "permissions" },
        { "/exit", "quit" },
        { "/q", "quit" },
        { "/themes", "theme" },
    };
    struct port_case *c = *state;

    port_case_open(c, NULL);
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        port_case_line(c, cases[i].line);
        assert_true(c->count > 0);
        assert_string_equal(c->said[0].command, cases[i].command);
        assert_int_not_equal(c->said[0].kind, SF_RESPONSE_ERROR);
    }
}

/* What /help finds, and what comes first. */
static void test_help(void **state)
{
    static const struct {
        const char *line, *first, *also;
    } cases[] = {
        { "/help", "| /help ", "| /trust " },
        { "/help cost", "| /cost ", "limits.max_cost" },
        { "/help /cost", "| /cost ", NULL },
        { "/help model", "| /model ", "| /model-mode " },
        { "/help rewind", "| /backtrack ", "also /rewind" },
        { "/help money tokens", "| /cost ", NULL },
        { "/help theme", "| /theme ", "ui.theme" },
        { "/help COST", "| /cost ", NULL },
    };
    struct port_case *c = *state;

    port_case_open(c, NULL);
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        const char *text, *first;

        port_case_line(c, cases[i].line);
        text = port_case_said(c, SF_RESPONSE_PAGE)->text.buf;
        first = strstr(text, "| /");
        if (!first || strncmp(first, cases[i].first, strlen(cases[i].first)) != 0)
            fail_msg("%s: first %.40s", cases[i].line, first ? first : "nothing");
        if (cases[i].also && !strstr(text, cases[i].also))
            fail_msg("%s: no %s", cases[i].line, cases[i].also);
    }
    port_case_line(c, "/help xyzzy");
    port_case_expect(c, SF_RESPONSE_NOTE, "no matches for xyzzy");
}

/* Tables made from usage strings and from what users write have the columns of their heads. */
static void test_cells(void **state)
{
    static const char *const lines[] = { "/help", "/help mode", "/goal", "/status", "/commands" };
    struct port_case *c = *state;

    port_case_open(c, NULL);
    port_case_line(c, "/goal a|b `c");
    port_case_line(c, "/goal blocked x|y|z");
    for (size_t i = 0; i < SF_COUNT(lines); i++) {
        size_t want = 0;

        port_case_line(c, lines[i]);
        for (const char *at = port_case_said(c, SF_RESPONSE_PAGE)->text.buf; *at;) {
            size_t len = strcspn(at, "\n"), bars = 0;

            for (size_t k = 0; k < len; k++)
                bars += at[k] == '|' && (!k || at[k - 1] != '\\');
            if (at[0] == '|' && want && bars != want)
                fail_msg("%s: %zu bars, not %zu: %.*s", lines[i], bars, want, (int)len, at);
            want = at[0] == '|' ? bars : 0;
            at += len + (at[len] == '\n');
        }
    }
}

/* Where there is nothing to show, a sentence says so and stays; no page is laid over the screen. */
static void test_sentences(void **state)
{
    static const char *const lines[] = { "/queue", "/queue list",  "/goal",
                                         "/pin",   "/permissions", "/instructions" };
    struct port_case *c = *state;

    port_case_open(c, NULL);
    for (size_t i = 0; i < SF_COUNT(lines); i++) {
        port_case_line(c, lines[i]);
        if (c->count != 1 || c->said[0].kind != SF_RESPONSE_NOTE || !c->said[0].lasts ||
            c->said[0].bad)
            fail_msg("%s does not answer with one sentence", lines[i]);
    }
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, port_case_setup, port_case_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unique),
        CASE(test_beginnings),
        CASE(test_hints),
        CASE(test_aliases),
        CASE(test_help),
        CASE(test_cells),
        CASE(test_sentences),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
