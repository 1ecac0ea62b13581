/*
 * Permissions at the port: rules and approvals as one list, an approval taken back while the session
 * runs, and the approval mode changed and shown.
 */
#include <string.h>

#include "support/port_case.h"
#include "support/test.h"

static void serve(struct port_case *c, const char *script)
{
    session_case_serve(c->parts, SF_WIRE_ANTHROPIC, script);
}

#define MAKE "reply\n    call Bash {\"command\":\"make all\"}\nreply\n    text \"Done.\"\n"

static bool asks(struct port_case *c)
{
    port_case_line(c, "go");
    return c->events[SF_EVENT_ASK] > 0;
}

/* Given for the session it runs unasked; taken back, by another process too, it is asked again. */
static void test_revoke(void **state)
{
    struct port_case *c = *state;
    const struct sf_response *r;

    serve(c, MAKE MAKE MAKE);
    c->parts->attended = true;
    c->parts->reply = SF_REPLY_SESSION;
    port_case_open(c, NULL);
    port_case_line(c, "/permission-profile normal");
    port_case_line(c, "/permissions");
    port_case_expect(c, SF_RESPONSE_NOTE, "no rules and no approvals");
    assert_true(asks(c));
    port_case_line(c, "/permissions");
    r = port_case_said(c, SF_RESPONSE_TABLE);
    assert_int_equal(r->count, 1);
    assert_string_equal(r->rows[0].cells.items[2], "every `make all`");
    assert_string_equal(r->rows[0].cells.items[3], "session");
    assert_false(asks(c));
    port_case_line(c, "/permissions revoke 77");
    port_case_expect(c, SF_RESPONSE_ERROR, "no approval in force has the number 77");
    port_case_line(c, "/permissions revoke");
    port_case_expect(c, SF_RESPONSE_ERROR, "/permissions revoke needs the number of an approval");
    port_case_line(c, "/permissions revoke make");
    port_case_expect(c, SF_RESPONSE_ERROR, "is not the number of an approval");
    port_case_line(c, "/permissions revoke 1");
    port_case_expect(c, SF_RESPONSE_NOTE, "taken back: every `make all`");
    assert_true(port_case_said(c, SF_RESPONSE_NOTE)->lasts);
    assert_true(asks(c));
}

/* The same approval of another session is no reason to go on with one that was taken back. */
static void test_revoke_one_of_two(void **state)
{
    struct port_case *c = *state;
    char first[64], second[64];

    serve(c, MAKE MAKE MAKE MAKE MAKE MAKE);
    c->parts->attended = true;
    c->parts->reply = SF_REPLY_SESSION;
    port_case_open(c, NULL);
    port_case_line(c, "/permission-profile normal");
    assert_true(asks(c));
    snprintf(first, sizeof(first), "%s", sf_port_session(c->port));
    port_case_open(c, NULL);
    port_case_line(c, "/permission-profile normal");
    assert_true(asks(c));
    snprintf(second, sizeof(second), "%s", sf_port_session(c->port));
    port_case_open(c, first);
    assert_false(asks(c));
    port_case_line(c, "/permissions revoke 1");
    port_case_expect(c, SF_RESPONSE_NOTE, "taken back: every `make all`");
    c->parts->reply = SF_REPLY_DENY;
    assert_true(asks(c));
    port_case_open(c, second);
    assert_false(asks(c)); /* that one was not taken back */
    port_case_line(c, "/permissions revoke 2");
    assert_true(asks(c));
}

static void test_mode(void **state)
{
    struct port_case *c = *state;

    serve(c, MAKE MAKE);
    c->parts->attended = true;
    c->parts->reply = SF_REPLY_DENY;
    port_case_open(c, NULL);
    assert_null(sf_port_approval(c->port));
    port_case_line(c, "/permission-profile normal");
    port_case_line(c, "/permissions mode always");
    port_case_expect(c, SF_RESPONSE_ERROR, "no approval mode 'always'");
    port_case_line(c, "/permissions mode never");
    port_case_expect(c, SF_RESPONSE_NOTE, "approval mode never for this session");
    assert_string_equal(sf_port_approval(c->port), "never");
    assert_false(asks(c));
    port_case_line(c, "/permissions mode suggest");
    assert_null(sf_port_approval(c->port));
    assert_true(asks(c));
    port_case_line(c, "/permissions nonsense");
    port_case_expect(c, SF_RESPONSE_ERROR, "does not know 'nonsense'");
}

/* Who left a session that refuses finds it so; one that answered by itself asks again. */
static void test_mode_recalled(void **state)
{
    static const struct {
        const char *line, *found;
    } rows[] = { { "/permissions mode never", "never" }, { "/permissions mode auto", NULL } };
    struct port_case *c = *state;

    serve(c, "loop\nreply\n    text \"yes\"\n");
    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        char id[64];

        port_case_open(c, NULL);
        port_case_line(c, "hello");
        port_case_line(c, rows[i].line);
        snprintf(id, sizeof(id), "%s", sf_port_session(c->port));
        port_case_open(c, NULL);
        assert_null(sf_port_approval(c->port)); /* another session is another matter */
        port_case_open(c, id);
        if (rows[i].found)
            assert_string_equal(sf_port_approval(c->port), rows[i].found);
        else
            assert_null(sf_port_approval(c->port));
    }
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, port_case_setup, port_case_teardown)
    const struct CMUnitTest tests[] = {
        CASE(test_revoke),
        CASE(test_revoke_one_of_two),
        CASE(test_mode),
        CASE(test_mode_recalled),
    };

    return cmocka_run_group_tests_name("permissions", tests, NULL, NULL);
}
