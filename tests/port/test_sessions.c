/*
 * Sessions at the port: listed, resumed, searched, renamed, archived and exported.
 */
#include <string.h>

#include "support/port_case.h"
#include "support/test.h"

/* Says the words in a session of their own; its id goes to `id`. */
static void say_in_new(struct port_case *c, const char *words, char id[SF_ID_LEN + 1])
{
    if (c->port)
        port_case_line(c, "/new");
    else
        port_case_open(c, NULL);
    port_case_line(c, words);
    snprintf(id, SF_ID_LEN + 1, "%s", sf_port_session(c->port));
}

static void test_list(void **state)
{
    struct port_case *c = *state;
    const struct sf_response *r;
    char first[SF_ID_LEN + 1], second[SF_ID_LEN + 1];

    say_in_new(c, "hello", first);
    say_in_new(c, "what can you do", second);
    port_case_line(c, "/sessions");
    r = port_case_said(c, SF_RESPONSE_CHOICE);
    assert_int_equal(r->count, 2);
    assert_string_equal(port_case_row(r, first)->cells.items[0], "hello");
    assert_false(port_case_row(r, first)->current);
    assert_true(port_case_row(r, second)->current);
}

static void test_resume(void **state)
{
    struct port_case *c = *state;
    char first[SF_ID_LEN + 1], second[SF_ID_LEN + 1], line[64];

    say_in_new(c, "hello", first);
    say_in_new(c, "hello again", second);
    snprintf(line, sizeof(line), "/sessions %s", second);
    port_case_line(c, line);
    port_case_expect(c, SF_RESPONSE_NOTE, "you are in this session");
    snprintf(line, sizeof(line), "/sessions %s", first);
    port_case_line(c, line);
    assert_string_equal(sf_port_session(c->port), first);
    port_case_line(c, "/sessions nobody");
    port_case_said(c, SF_RESPONSE_ERROR);
    assert_string_equal(sf_port_session(c->port), first);
}

/* ---- leaving while something still runs ---- */

struct leaving {
    struct port_case *c;
    const char *line;
    bool said;
};

/* A surface says its lines from callbacks of the loop. */
static void say_in_loop(void *ctx)
{
    struct leaving *l = ctx;

    sf_port_line(l->c->port, l->line);
    l->said = true;
}

static void leave(struct port_case *c, const char *line)
{
    struct leaving l = { c, line, false };
    int entered = c->entered;

    sf_loop_add_timer(c->parts->loop, 0, 0, say_in_loop, &l);
    while (!l.said)
        sf_loop_turn(c->parts->loop, 1000);
    port_case_wait(c);
    assert_int_equal(c->entered, entered + 1);
}

/* In the moment after a command its snapshot is taken, and compared for the overview. */
static void test_leave_snapshot(void **state)
{
    static const char *const lines[] = { "/new", "/sessions", "/fork" };
    struct port_case *c = *state;
    char first[SF_ID_LEN + 1], second[SF_ID_LEN + 1], line[64];

    sf_strlist_add(&c->parts->tools, "Bash");
    say_in_new(c, "hello", first);
    sf_port_overview_want(c->port, true);
    for (size_t i = 0; i < SF_COUNT(lines); i++) {
        say_in_new(c, "hello again", second);
        port_case_begin(c, "!echo one >one.txt; echo two >two.txt");
        while (!c->events[SF_EVENT_RESULT])
            sf_loop_turn(c->parts->loop, 1000);
        snprintf(line, sizeof(line), strcmp(lines[i], "/sessions") ? "%s" : "%s %s", lines[i],
                 first);
        leave(c, line);
        assert_string_not_equal(sf_port_session(c->port), second);
    }
}

/* Jobs of a session that is left are ended; those of its sub-agents end with these. */
static void test_leave_job(void **state)
{
    static const struct {
        const char *name, *script;
    } cases[] = {
        { "a job of the session",
          "reply\n    call Bash {\"command\": \"sleep 600\", \"run_in_background\": true}\n"
          "reply\n    text \"It sleeps.\"\n" },
        { "a job of a sub-agent",
          "reply\n    call Agent {\"prompt\": \"sleep\", \"description\": \"sleep\"}\n"
          "reply\n    call Bash {\"command\": \"sleep 600\", \"run_in_background\": true}\n"
          "reply\n    text \"It sleeps.\"\n"
          "reply\n    text \"It slept.\"\n" },
    };
    struct port_case *c = *state;

    sf_strlist_add(&c->parts->tools, "Bash");
    sf_strlist_add(&c->parts->tools, "Agent");
    c->parts->attended = true;
    c->parts->reply = SF_REPLY_ONCE;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        print_message("%s\n", cases[i].name);
        session_case_serve(c->parts, SF_WIRE_CHAT, cases[i].script);
        port_case_open(c, NULL);
        port_case_line(c, "sleep");
        leave(c, "/new");
    }
}

/* A surface that shows one session alone says how to resume another one. */
static void test_stays(void **state)
{
    struct port_case *c = *state;
    char first[SF_ID_LEN + 1], line[64];

    say_in_new(c, "hello", first);
    c->stays = true;
    port_case_open(c, NULL);
    snprintf(line, sizeof(line), "/sessions %.10s", first);
    port_case_line(c, line);
    assert_non_null(strstr(port_case_said(c, SF_RESPONSE_ERROR)->hint, "sf -r"));
    assert_string_not_equal(sf_port_session(c->port), first);
}

/* "Begun 2026-11-17 08:51:09" */
static bool has_date(const char *text, const char *before)
{
    const char *at = strstr(text, before);

    at = at ? at + strlen(before) : "";
    return strspn(at, "0123456789-") == 10 && strspn(at + 10, " 0123456789:") == 9;
}

static void test_explain(void **state)
{
    struct port_case *c = *state;
    struct sf_strbuf text = SF_STRBUF_INIT;
    char id[SF_ID_LEN + 1];

    say_in_new(c, "hello", id);
    assert_true(sf_port_explain(c->port, "sessions", id, &text));
    assert_non_null(strstr(text.buf, "**you** hello"));
    assert_true(has_date(text.buf, "Begun ") && has_date(text.buf, "last used "));
    sf_strbuf_release(&text);
}

/* One row a session, however often the words were said there. */
static void test_search(void **state)
{
    struct port_case *c = *state;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_response found;
    char first[SF_ID_LEN + 1], second[SF_ID_LEN + 1];

    say_in_new(c, "the quince is ripe", first);
    port_case_line(c, "is the quince ripe");
    say_in_new(c, "hello", second);
    sf_response_init(&found, SF_RESPONSE_TABLE, "");
    assert_true(sf_port_sessions_search(c->port, "quince", &found, &err));
    assert_int_equal(found.count, 1);
    assert_string_equal(found.rows[0].value, first);
    sf_response_release(&found);
    sf_response_init(&found, SF_RESPONSE_TABLE, "");
    assert_true(sf_port_sessions_search(c->port, "qu", &found, &err));
    assert_int_equal(found.count, 0);
    sf_response_release(&found);
}

static void test_rename(void **state)
{
    struct port_case *c = *state;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strbuf title = SF_STRBUF_INIT;
    char id[SF_ID_LEN + 1];

    say_in_new(c, "hello", id);
    assert_false(sf_port_session_rename(c->port, id, "", &err));
    assert_true(sf_port_session_rename(c->port, id, "orchard", &err));
    assert_true(sf_port_session_title(c->port, id, &title, &err));
    assert_string_equal(title.buf, "orchard");
    sf_strbuf_reset(&title);
    port_case_line(c, "/rename garden");
    port_case_expect(c, SF_RESPONSE_NOTE, "the session is called garden");
    assert_true(sf_port_session_title(c->port, id, &title, &err));
    assert_string_equal(title.buf, "garden");
    sf_strbuf_release(&title);
}

static void test_archive(void **state)
{
    struct port_case *c = *state;
    char first[SF_ID_LEN + 1], second[SF_ID_LEN + 1];

    say_in_new(c, "hello", first);
    say_in_new(c, "hello again", second);
    assert_false(sf_port_session_archive(c->port, second));
    port_case_expect(c, SF_RESPONSE_NOTE, "it is not archived");
    assert_true(sf_port_session_archive(c->port, first));
    port_case_line(c, "/sessions");
    assert_null(port_case_row(port_case_said(c, SF_RESPONSE_CHOICE), first));
    assert_non_null(port_case_row(port_case_said(c, SF_RESPONSE_CHOICE), second));
}

static void test_export(void **state)
{
    struct port_case *c = *state;
    char id[SF_ID_LEN + 1], *path, *text;

    say_in_new(c, "hello", id);
    port_case_line(c, "/export notes.md");
    port_case_expect(c, SF_RESPONSE_NOTE, "written to");
    path = test_path(c->parts->workspace.root, "notes.md");
    text = test_read(path, NULL);
    assert_non_null(strstr(text, "hello"));
    free(text);
    free(path);
    port_case_line(c, "/export notes.md");
    port_case_said(c, SF_RESPONSE_ERROR); /* a file that is there stays as it is */
    port_case_line(c, "/export tiff");
    port_case_expect(c, SF_RESPONSE_NOTE, "there is no format tiff");
}

#define AT_PORT(fn) cmocka_unit_test_setup_teardown(fn, port_case_setup, port_case_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        AT_PORT(test_list),      AT_PORT(test_resume), AT_PORT(test_stays),
        AT_PORT(test_explain),   AT_PORT(test_search), AT_PORT(test_rename),
        AT_PORT(test_archive),   AT_PORT(test_export), AT_PORT(test_leave_snapshot),
        AT_PORT(test_leave_job),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
