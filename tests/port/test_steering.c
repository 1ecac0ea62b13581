/*
 * Words said during a turn at the port: they wait, join the turn in their order, and are gone with
 * it.
 */
#include <string.h>

#include "support/port_case.h"
#include "support/test.h"

static void begin(struct port_case *c, const char *script)
{
    session_case_serve(c->parts, SF_WIRE_CHAT, script);
    port_case_open(c, NULL);
    port_case_begin(c, "begin");
    assert_int_equal(sf_port_steering(c->port)->count, 0);
    sf_port_line(c->port, "and look there");
    sf_port_line(c->port, "and there");
    assert_int_equal(sf_port_steering(c->port)->count, 2);
    assert_string_equal(sf_port_steering(c->port)->items[0], "and look there");
}

static void test_joined(void **state)
{
    struct port_case *c = *state;

    begin(c, "reply\n    text \"I begin.\"\n"
             "reply\n    expect-contains \"and look there\"\n    expect-contains \"and there\"\n"
             "    text \"I looked.\"\n");
    port_case_wait(c);
    assert_int_equal(c->events[SF_EVENT_STEERED], 2);
    assert_int_equal(sf_port_steering(c->port)->count, 0);
    session_case_check_server(c->parts, "joined");
}

static void test_cancelled(void **state)
{
    struct port_case *c = *state;

    begin(c, "reply\n    stall headers\n");
    sf_port_cancel(c->port);
    port_case_wait(c);
    assert_int_equal(c->events[SF_EVENT_STEERED], 0);
    assert_int_equal(sf_port_steering(c->port)->count, 0);
}

/* What is read of a log that another process writes counts as what is told here. */
static void test_followed(void **state)
{
    struct port_case *c = *state;
    const struct sf_event said = sf_event_of_words(SF_EVENT_STEER, "go on", 5);
    const struct sf_event joined = sf_event_of_words(SF_EVENT_STEERED, "go on", 5);

    port_case_open(c, NULL);
    sf_port_follow(c->port, &said);
    sf_port_follow(c->port, &said);
    assert_int_equal(sf_port_steering(c->port)->count, 2);
    sf_port_follow(c->port, &joined);
    assert_int_equal(sf_port_steering(c->port)->count, 1);
    sf_port_follow(c->port, NULL);
    assert_int_equal(sf_port_steering(c->port)->count, 0);
    sf_port_follow(c->port, &said);
    port_case_line(c, "/new");
    assert_int_equal(sf_port_steering(c->port)->count, 0);
}

#define AT_PORT(fn) cmocka_unit_test_setup_teardown(fn, port_case_setup, port_case_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        AT_PORT(test_joined),
        AT_PORT(test_cancelled),
        AT_PORT(test_followed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
