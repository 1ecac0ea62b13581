/*
 * Going back and forking at the port: which prompts there are, where the conversation goes on, and
 * what of it stays where it was.
 */
#include <string.h>

#include "support/port_case.h"
#include "support/test.h"

/* A conversation of two prompts. */
static void begin(struct port_case *c, char id[SF_ID_LEN + 1])
{
    port_case_open(c, NULL);
    port_case_line(c, "hello");
    port_case_line(c, "hello again");
    snprintf(id, SF_ID_LEN + 1, "%s", sf_port_session(c->port));
}

static void test_list(void **state)
{
    static const char *const lines[] = { "/backtrack", "/history", "/fork at" };
    struct port_case *c = *state;
    const struct sf_response *r;
    char id[SF_ID_LEN + 1];

    begin(c, id);
    for (size_t i = 0; i < SF_COUNT(lines); i++) {
        port_case_line(c, lines[i]);
        r = port_case_said(c, SF_RESPONSE_CHOICE);
        assert_int_equal(r->count, 2);
        assert_string_equal(r->rows[0].value, "2");
        assert_string_equal(r->rows[0].cells.items[1], "hello again");
        assert_string_equal(r->rows[1].value, "1");
    }
}

/* Each way's value is what the command takes. */
static void test_ways(void **state)
{
    struct port_case *c = *state;
    const struct sf_response *r;
    char id[SF_ID_LEN + 1];

    begin(c, id);
    port_case_line(c, "/backtrack 2");
    r = port_case_said(c, SF_RESPONSE_CHOICE);
    assert_string_equal(r->part, "ways");
    assert_int_equal(r->count, 3);
    assert_non_null(port_case_row(r, "2 conversation"));
    port_case_line(c, "/backtrack 2 files");
    port_case_expect(c, SF_RESPONSE_NOTE, "no snapshot of the files since then");
    assert_string_equal(sf_port_session(c->port), id);
    port_case_line(c, "/backtrack 2 sideways");
    port_case_expect(c, SF_RESPONSE_NOTE, "conversation, files or both");
    port_case_line(c, "/backtrack 9");
    port_case_expect(c, SF_RESPONSE_NOTE, "there is no prompt 9");
}

static void expect_fork_before_two(struct port_case *c, const char *from)
{
    assert_string_equal(port_case_said(c, SF_RESPONSE_DRAFT)->text.buf, "hello again");
    port_case_expect(c, SF_RESPONSE_NOTE, "a fork; how it went on before stays");
    assert_string_not_equal(sf_port_session(c->port), from);
    port_case_line(c, "/backtrack");
    assert_int_equal(port_case_said(c, SF_RESPONSE_CHOICE)->count, 1);
}

static void test_conversation(void **state)
{
    static const char *const lines[] = { "/backtrack 2 conversation", "/backtrack 2 both",
                                         "/fork 2", "/fork at 2" };
    struct port_case *c = *state;
    char id[SF_ID_LEN + 1];

    for (size_t i = 0; i < SF_COUNT(lines); i++) {
        begin(c, id);
        port_case_line(c, lines[i]);
        expect_fork_before_two(c, id);
    }
}

/* A fork from here has everything, and what was queued stays where it was. */
static void test_fork(void **state)
{
    struct port_case *c = *state;
    char id[SF_ID_LEN + 1], line[64];

    begin(c, id);
    assert_true(sf_port_queue_add(c->port, "for later"));
    port_case_line(c, "/fork");
    port_case_expect(c, SF_RESPONSE_NOTE, "1 queued stayed behind");
    assert_int_equal(sf_port_queue(c->port)->count, 0);
    port_case_line(c, "/backtrack");
    assert_int_equal(port_case_said(c, SF_RESPONSE_CHOICE)->count, 2);
    snprintf(line, sizeof(line), "/sessions %s", id);
    port_case_line(c, line);
    assert_int_equal(sf_port_queue(c->port)->count, 1);
    port_case_line(c, "/backtrack");
    assert_int_equal(port_case_said(c, SF_RESPONSE_CHOICE)->count, 2);
}

static void test_stays(void **state)
{
    struct port_case *c = *state;
    char id[SF_ID_LEN + 1];

    c->stays = true;
    begin(c, id);
    port_case_line(c, "/fork 2");
    port_case_expect(c, SF_RESPONSE_NOTE, "sf -r ");
    assert_int_equal(c->count, 1);
    assert_string_equal(sf_port_session(c->port), id);
    port_case_line(c, "/sessions");
    assert_int_equal(port_case_said(c, SF_RESPONSE_CHOICE)->count, 2);
}

static void test_busy(void **state)
{
    static const char *const lines[] = { "/backtrack", "/backtrack 1 conversation", "/fork" };
    struct port_case *c = *state;
    char id[SF_ID_LEN + 1];

    begin(c, id);
    for (size_t i = 0; i < SF_COUNT(lines); i++) {
        port_case_begin(c, "hello");
        sf_port_line(c->port, lines[i]);
        port_case_expect(c, SF_RESPONSE_ERROR, "a turn is running");
        port_case_wait(c);
        assert_string_equal(sf_port_session(c->port), id);
    }
}

#define AT_PORT(fn) cmocka_unit_test_setup_teardown(fn, port_case_setup, port_case_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        AT_PORT(test_list), AT_PORT(test_ways),  AT_PORT(test_conversation),
        AT_PORT(test_fork), AT_PORT(test_stays), AT_PORT(test_busy),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
