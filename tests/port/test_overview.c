/*
 * The overview at the port: steps, changed files, jobs and questions are what they are now, from
 * events while a turn runs and from a comparison of the files afterwards, and again after resuming.
 */
#include <string.h>

#include "port/internal.h"
#include "support/port_case.h"
#include "support/test.h"
#include "support/tree.h"

#define PLAN                                                                \
    "{\"items\": [{\"content\": \"read it\", \"status\": \"completed\"}, "  \
    "{\"content\": \"write\\u001b[31m it\", \"status\": \"in_progress\"}, " \
    "{\"content\": \"test it\", \"status\": \"pending\"}]}"

static const struct sf_overview *now(struct port_case *c)
{
    return sf_port_overview(c->port);
}

static void open_writing(struct port_case *c, const char *script)
{
    static const char *const tools[] = { "Plan", "Write", "Edit", "Read", "Bash" };

    for (size_t i = 0; i < SF_COUNT(tools); i++)
        sf_strlist_add(&c->parts->tools, tools[i]);
    c->parts->attended = true;
    c->parts->reply = SF_REPLY_ONCE;
    session_case_serve(c->parts, SF_WIRE_CHAT, script);
    port_case_open(c, NULL);
    sf_port_overview_want(c->port, true);
}

static void test_nothing(void **state)
{
    struct port_case *c = *state;

    port_case_open(c, NULL);
    assert_int_equal(now(c)->todo_count + now(c)->changed + now(c)->jobs + now(c)->questions, 0);
    port_case_begin(c, "/todos");
    port_case_expect(c, SF_RESPONSE_NOTE, "no steps in this session");
    port_case_begin(c, "/bashes");
    port_case_expect(c, SF_RESPONSE_NOTE, "no command runs in the background");
    port_case_begin(c, "/bashes 7");
    port_case_expect(c, SF_RESPONSE_ERROR, "there is no job 7");
    port_case_begin(c, "/bashes all");
    port_case_expect(c, SF_RESPONSE_NOTE, "/bashes cancel N");
    assert_true(sf_port_may_leave(c->port));
}

static void expect_todos(struct port_case *c)
{
    const struct sf_overview *o = now(c);
    const struct sf_response *r;

    assert_int_equal(o->todo_count, 3);
    assert_int_equal(o->todos_done, 1);
    assert_int_equal(o->todos[1].state, SF_TODO_RUNNING);
    assert_null(strchr(o->todos[1].text, 033));
    port_case_begin(c, "/todos");
    r = port_case_said(c, SF_RESPONSE_TABLE);
    assert_string_equal(r->title, "Steps   1 of 3 done");
    assert_string_equal(r->rows[0].cells.items[0], "done");
    assert_string_equal(r->rows[0].cells.items[1], "read it");
    assert_true(r->rows[1].current);
    assert_string_equal(r->rows[2].cells.items[0], "to do");
}

static void test_todos(void **state)
{
    struct port_case *c = *state;
    char *id;

    open_writing(c, "reply\n    call Plan " PLAN "\nreply\n    text \"Noted.\"\n");
    port_case_line(c, "plan");
    expect_todos(c);
    id = sf_strdup(sf_port_session(c->port));
    port_case_open(c, id);
    expect_todos(c);
    port_case_line(c, "/new");
    assert_int_equal(now(c)->todo_count, 0);
    free(id);
}

static const struct sf_tool_arg *member(const char *tool, const char *name)
{
    const struct sf_tool_arg *list = sf_tool_find(tool)->args;

    for (size_t i = 0; i < list->member_count; i++)
        if (!strcmp(list->members[i].name, name))
            return &list->members[i];
    fail_msg("%s has no %s", tool, name);
    return NULL;
}

/* What a tool lets the model say is what is understood of it, in the order of the enum. */
static void test_names(void **state)
{
    const struct {
        const char *tool, *member;
        const char *const *names;
    } cases[] = { { "Plan", "status", sf_todo_states },
                  { "Findings", "severity", sf_severity_names } };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        const char *const *choices = member(cases[i].tool, cases[i].member)->choices;
        size_t n = 0;

        for (; choices[n] && cases[i].names[n]; n++)
            assert_string_equal(choices[n], cases[i].names[n]);
        assert_null(choices[n]);
        assert_null(cases[i].names[n]);
    }
    assert_int_equal(sf_tool_find("Findings")->args->max, SF_FINDINGS_MAX);
}

static void wait_compared(struct port_case *c)
{
    while (now(c)->about || !now(c)->changed)
        sf_loop_turn(c->parts->loop, 1000);
}

static const char writes[] =
    "reply\n    call Write {\"path\": \"a.txt\", \"content\": \"one\\ntwo\\nthree\\n\"}\n"
    "reply\n    call Edit {\"path\": \"a.txt\", \"old_string\": \"two\", \"new_string\": \"2\"}\n"
    "reply\n    call Edit {\"path\": \"a.txt\", \"old_string\": \"2\", \"new_string\": \"zwei\"}\n"
    "reply\n    call Write {\"path\": \"d/b.txt\", \"content\": \"--- x\\n+++ y\\n\"}\n"
    "reply\n    text \"Done.\"\n";

/* The same line changed twice is one change, which only a comparison can tell. */
static void test_files(void **state)
{
    struct port_case *c = *state;
    const struct sf_overview *o;

    session_case_settings(c->parts, "[snapshots]\nenabled = true\n");
    open_writing(c, writes);
    port_case_line(c, "write");
    wait_compared(c);
    o = now(c);
    assert_int_equal(o->changed, 2);
    assert_int_equal(o->file_count, 2);
    assert_string_equal(o->files[0].path, "a.txt");
    assert_int_equal(o->files[0].plus, 3);
    assert_int_equal(o->files[0].minus, 0);
    assert_string_equal(o->files[1].path, "d/b.txt");
    assert_int_equal(o->files[1].plus, 2);
    assert_int_equal(o->plus, 5);
    port_case_begin(c, "/status");
    assert_non_null(
        strstr(port_case_said(c, SF_RESPONSE_PAGE)->text.buf, "| changed | 2 files, +5; /diff |"));
}

/* Nothing is compared for a surface that does not show it, until it does. */
static void test_unwanted(void **state)
{
    struct port_case *c = *state;

    session_case_settings(c->parts, "[snapshots]\nenabled = true\n");
    open_writing(c, writes);
    sf_port_overview_want(c->port, false);
    port_case_line(c, "write");
    assert_false(c->port->files.runs || c->port->files.timer);
    assert_true(now(c)->about);
    sf_port_overview_want(c->port, true);
    wait_compared(c);
    assert_int_equal(now(c)->plus, 5);
}

/* /status names the files, so it has them compared first, and is owed until then. */
static void test_status(void **state)
{
    struct port_case *c = *state;

    session_case_settings(c->parts, "[snapshots]\nenabled = true\n");
    open_writing(c, writes);
    sf_port_overview_want(c->port, false);
    port_case_line(c, "write");
    assert_true(now(c)->about);
    port_case_begin(c, "/status");
    assert_int_equal(c->port->owed, 1);
    port_case_begin(c, "/status");
    assert_int_equal(c->port->owed, 1);
    port_case_wait(c);
    port_case_expect(c, SF_RESPONSE_PAGE, "| changed | 2 files, +5; /diff |");
    port_case_begin(c, "/status");
    assert_int_equal(c->port->owed, 0);
    port_case_expect(c, SF_RESPONSE_PAGE, "| changed | 2 files, +5; /diff |");
}

/* What another session overtakes is not answered there. */
static void test_overtaken(void **state)
{
    struct port_case *c = *state;

    session_case_settings(c->parts, "[snapshots]\nenabled = true\n");
    open_writing(c, writes);
    sf_port_overview_want(c->port, false);
    port_case_line(c, "write");
    port_case_begin(c, "/status");
    assert_int_equal(c->port->owed, 1);
    port_case_line(c, "/new");
    assert_int_equal(c->port->owed, 0);
    for (size_t i = 0; i < c->count; i++)
        assert_int_not_equal(c->said[i].kind, SF_RESPONSE_PAGE);
}

/* Without snapshots the lines of all edits are added up, and the overview says so. */
static void test_sums(void **state)
{
    struct port_case *c = *state;

    open_writing(c, writes);
    port_case_line(c, "write");
    assert_int_equal(now(c)->changed, 2);
    assert_true(now(c)->about);
    assert_int_equal(now(c)->files[0].plus, 5);
    assert_int_equal(now(c)->files[0].minus, 2);
    assert_int_equal(now(c)->files[1].plus, 2);
    port_case_line(c, "/status");
    port_case_expect(c, SF_RESPONSE_PAGE, "| 2 files, about +7 −2 by adding up the edits; /diff |");
}

/* The result of an edit of the file, a line of which changed. */
static void edit(struct port_case *c, const char *name)
{
    struct sf_tool_result tool = { .exit_code = -1,
                                   .text = SF_STRBUF_INIT,
                                   .diff = SF_STRBUF_INIT };
    const struct sf_event_call call = { .id = "c1", .name = "Edit", .args = "{}", .what = "" };
    const struct sf_event event = { .kind = SF_EVENT_RESULT,
                                    .call = &call,
                                    .result = { .tool = &tool } };

    sf_strbuf_addf(&tool.diff, "--- a/%s\n+++ b/%s\n@@ -1 +1 @@\n-one\n+two\n", name, name);
    sf_overview_take(c->port, &event);
    sf_strbuf_release(&tool.diff);
}

/* Each file is counted once, also behind the end of the list and by whatever name. */
static void test_counts(void **state)
{
    struct port_case *c = *state;
    char name[32];

    port_case_open(c, NULL);
    for (int i = 0; i < 3; i++)
        edit(c, "a\033[31m\001b");
    assert_int_equal(now(c)->changed, 1);
    assert_int_equal(now(c)->files[0].plus, 3);
    for (int i = 1; i < 203; i++) {
        snprintf(name, sizeof(name), "%d", i);
        edit(c, name);
        edit(c, name);
    }
    assert_int_equal(now(c)->file_count, 200);
    assert_int_equal(now(c)->changed, 203);
    assert_int_equal(now(c)->plus, 3 + 202 * 2);
}

static void wait_looked(struct port_case *c)
{
    while (c->port->checkout.look)
        sf_loop_turn(c->parts->loop, 1000);
}

/* Calls that only read do not have the checkout looked at again. */
static void test_checkout(void **state)
{
    static const char script[] =
        "reply\n    call Read {\"path\": \"a\"}\nreply\n    text \"It was read.\"\n"
        "reply\n    call Write {\"path\": \"b\", \"content\": \"x\"}\n"
        "reply\n    text \"It was written.\"\n";
    struct port_case *c = *state;

    free(tree_run(c->parts->workspace.root,
                  "git init -q && echo one >a && git add a && git -c user.name=n -c user.email=e@x "
                  "commit -qm first",
                  NULL));
    open_writing(c, script);
    sf_port_look_checkout(c->port);
    wait_looked(c);
    assert_false(sf_port_is_dirty(c->port));
    tree_puts(c->parts->workspace.root, "a", "another\n");
    port_case_line(c, "read");
    wait_looked(c);
    assert_int_equal(c->events[SF_EVENT_RESULT], 1);
    assert_false(sf_port_is_dirty(c->port));
    port_case_line(c, "write");
    wait_looked(c);
    assert_true(sf_port_is_dirty(c->port));
}

static void test_job(void **state)
{
    static const char script[] = "reply\n    call Bash {\"command\": \"echo here-$((20+3)); exec "
                                 "sleep 600\", \"run_in_background\": true}\n"
                                 "reply\n    text \"It sleeps.\"\n";
    struct port_case *c = *state;
    const struct sf_response *r = NULL;

    open_writing(c, script);
    port_case_line(c, "sleep");
    assert_int_equal(now(c)->jobs, 1);
    port_case_begin(c, "/bashes");
    r = port_case_said(c, SF_RESPONSE_TABLE);
    assert_string_equal(r->title, "Jobs   1 running   0 ended");
    do {
        sf_loop_turn(c->parts->loop, 100);
        port_case_begin(c, "/bashes 1");
        r = port_case_said(c, SF_RESPONSE_PAGE);
    } while (!strstr(r->text.buf, "here-23"));
    assert_int_equal(r->number, 1);
    assert_false(sf_port_may_leave(c->port));
    port_case_expect(c, SF_RESPONSE_QUESTION, "sleep 600");
    assert_true(sf_port_reply(c->port, false));
    port_case_begin(c, "/bashes cancel 1");
    while (now(c)->jobs)
        sf_loop_turn(c->parts->loop, 1000);
    assert_true(sf_port_may_leave(c->port));
}

#define AT_PORT(fn) cmocka_unit_test_setup_teardown(fn, port_case_setup, port_case_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        AT_PORT(test_nothing),
        AT_PORT(test_todos),
        AT_PORT(test_files),
        AT_PORT(test_sums),
        AT_PORT(test_job),
        AT_PORT(test_unwanted),
        AT_PORT(test_checkout),
        AT_PORT(test_counts),
        AT_PORT(test_status),
        AT_PORT(test_overtaken),
        cmocka_unit_test(test_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
