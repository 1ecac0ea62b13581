/*
 * The queue at the port: words that wait, in order, changed, dropped and sent.
 */
#include <string.h>

#include "support/port_case.h"
#include "support/test.h"

static void test_order(void **state)
{
    struct port_case *c = *state;
    const struct sf_response *r;

    port_case_open(c, NULL);
    assert_true(sf_port_queue_add(c->port, "one"));
    assert_true(sf_port_queue_add(c->port, "two"));
    assert_true(sf_port_queue_add(c->port, "three"));
    port_case_line(c, "/queue move 3 1");
    port_case_expect(c, SF_RESPONSE_NOTE, "moved to place 1");
    port_case_line(c, "/queue drop 2");
    port_case_line(c, "/queue");
    r = port_case_said(c, SF_RESPONSE_TABLE);
    assert_int_equal(r->count, 2);
    assert_string_equal(r->rows[0].cells.items[1], "three");
    assert_string_equal(r->rows[1].cells.items[1], "two");
}

static void test_edit(void **state)
{
    struct port_case *c = *state;

    port_case_open(c, NULL);
    assert_true(sf_port_queue_add(c->port, "to be changed"));
    port_case_line(c, "/queue edit 1");
    assert_string_equal(port_case_said(c, SF_RESPONSE_DRAFT)->text.buf, "to be changed");
    assert_true(port_case_said(c, SF_RESPONSE_DRAFT)->queued > 0);
    assert_int_equal(sf_port_queue(c->port)->count, 0);
}

/* What waits is sent one after the other, each as a turn of its own. */
static void test_sent(void **state)
{
    struct port_case *c = *state;

    port_case_open(c, NULL);
    port_case_begin(c, "hello");
    assert_true(sf_port_busy(c->port));
    assert_true(sf_port_queue_add(c->port, "hello"));
    assert_true(sf_port_queue_add(c->port, "/status"));
    port_case_wait(c);
    assert_int_equal(c->events[SF_EVENT_DONE], 2);
    port_case_said(c, SF_RESPONSE_PAGE);
    assert_int_equal(sf_port_queue(c->port)->count, 0);
}

/* Who resumes the session finds them. */
static void test_resumed(void **state)
{
    struct port_case *c = *state;
    char id[SF_ID_LEN + 1];

    port_case_open(c, NULL);
    port_case_line(c, "hello");
    assert_true(sf_port_queue_add(c->port, "for later"));
    snprintf(id, sizeof(id), "%s", sf_port_session(c->port));
    port_case_open(c, id);
    assert_int_equal(sf_port_queue(c->port)->count, 1);
    port_case_expect(c, SF_RESPONSE_NOTE, "1 queued from before");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_order, port_case_setup, port_case_teardown),
        cmocka_unit_test_setup_teardown(test_edit, port_case_setup, port_case_teardown),
        cmocka_unit_test_setup_teardown(test_sent, port_case_setup, port_case_teardown),
        cmocka_unit_test_setup_teardown(test_resumed, port_case_setup, port_case_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
