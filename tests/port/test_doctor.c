/*
 * /doctor at the port: the answer of the program that runs, which is this test, comes later and is a
 * table; what is no answer is said so; who leaves waits for no answer.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/port_case.h"
#include "support/test.h"

#define SAYS "SF_TEST_DOCTOR" /* what the doctor prints */

static const char findings[] =
    "{\"findings\":[{\"check\":\"store\",\"health\":\"ok\",\"text\":\"it can be read\",\"hint\":\"\"},"
    "{\"check\":\"cage\",\"health\":\"warn\",\"text\":\"no namespaces\",\"hint\":\"allow them\"}]}";

static void begin(struct port_case *c, const char *says)
{
    assert_int_equal(setenv(SAYS, says, 1), 0);
    port_case_open(c, NULL);
}

static void test_findings(void **state)
{
    struct port_case *c = *state;
    const struct sf_response *r;

    begin(c, findings);
    port_case_begin(c, "/doctor");
    assert_false(sf_port_is_idle(c->port));
    port_case_wait(c);
    r = port_case_said(c, SF_RESPONSE_TABLE);
    assert_string_equal(r->command, "doctor");
    assert_int_equal(r->count, 2);
    assert_string_equal(r->rows[1].cells.items[0], "warn");
    assert_string_equal(r->rows[1].cells.items[3], "allow them");
}

static void test_online(void **state)
{
    struct port_case *c = *state;

    begin(c, "");
    port_case_line(c, "/doctor --online"); /* see main */
    assert_string_equal(port_case_said(c, SF_RESPONSE_TABLE)->rows[0].cells.items[1], "--online");
    port_case_line(c, "/doctor --everything");
    port_case_expect(c, SF_RESPONSE_NOTE, "/doctor, or /doctor --online;");
}

static void test_garbage(void **state)
{
    static const char *const answers[] = { "", "no JSON", "{}", "{\"findings\":[{\"check\":1}]}" };
    struct port_case *c = *state;

    for (size_t i = 0; i < SF_COUNT(answers); i++) {
        begin(c, answers[i]);
        port_case_line(c, "/doctor");
        port_case_expect(c, SF_RESPONSE_NOTE, "the doctor gave no answer");
    }
}

static void test_left(void **state)
{
    struct port_case *c = *state;

    begin(c, "wait");
    port_case_begin(c, "/doctor");
    assert_false(sf_port_has_ended(c->port));
    sf_port_end(c->port);
    while (!sf_port_has_ended(c->port))
        sf_loop_turn(c->parts->loop, 1000);
    assert_true(sf_port_is_idle(c->port));
    assert_int_equal(c->count, 1); /* that it is checked */
}

/* As the port starts it: -C DIR doctor --json [--online]. */
static int be_doctor(int argc, char **argv)
{
    const char *says = getenv(SAYS);

    if (says && !strcmp(says, "wait"))
        pause();
    if (argc > 5)
        printf("{\"findings\":[{\"check\":\"%s\",\"health\":\"ok\",\"text\":\"\",\"hint\":\"\"}]}",
               argv[5]);
    else
        fputs(says ? says : "", stdout);
    return 0;
}

#define AT_PORT(fn) cmocka_unit_test_setup_teardown(fn, port_case_setup, port_case_teardown)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        AT_PORT(test_findings),
        AT_PORT(test_online),
        AT_PORT(test_garbage),
        AT_PORT(test_left),
    };

    if (argc > 4 && !strcmp(argv[3], "doctor"))
        return be_doctor(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
