/*
 * /model at the port: which models there are, which answers, and which one is chosen.
 */
#include <string.h>

#include "support/port_case.h"
#include "support/test.h"

static void test_list(void **state)
{
    struct port_case *c = *state;
    const struct sf_response *r;

    setenv("GROQ_API_KEY", "not-a-key", 1);
    unsetenv("OPENAI_API_KEY");
    port_case_open(c, NULL);
    port_case_line(c, "/model");
    unsetenv("GROQ_API_KEY");
    r = port_case_said(c, SF_RESPONSE_CHOICE);
    assert_string_equal(r->command, "model");
    assert_non_null(port_case_row(r, "auto"));
    assert_true(port_case_row(r, sf_port_model(c->port))->current);
    /* of other providers those that have a key, which is nowhere in the answer */
    assert_string_equal(port_case_row(r, "--provider groq")->cells.items[4], "sf --provider groq");
    assert_null(port_case_row(r, "--provider openai"));
    for (size_t i = 0; i < r->count; i++)
        for (size_t k = 0; k < r->rows[i].cells.count; k++)
            assert_null(strstr(r->rows[i].cells.items[k], "not-a-key"));
}

static void test_choose(void **state)
{
    struct port_case *c = *state;

    port_case_open(c, NULL);
    port_case_line(c, "/model some-model");
    port_case_expect(c, SF_RESPONSE_NOTE, "some-model answers from the next turn on");
    assert_string_equal(sf_port_model(c->port), "some-model");
    port_case_line(c, "/model");
    assert_true(port_case_row(port_case_said(c, SF_RESPONSE_CHOICE), "some-model")->current);
    port_case_line(c, "/model by-mode");
    port_case_expect(c, SF_RESPONSE_NOTE, "each mode has its model");
    assert_string_not_equal(sf_port_model(c->port), "some-model");
    port_case_line(c, "/model --provider groq");
    port_case_expect(c, SF_RESPONSE_NOTE, "sf --provider groq begins there");
}

int main(void)
{
#define CASE(fn) cmocka_unit_test_setup_teardown(fn, port_case_setup, port_case_teardown)
    const struct CMUnitTest tests[] = { CASE(test_list), CASE(test_choose) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
