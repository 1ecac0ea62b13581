/*
 * Trust in the workspace at the port: asked where there is something to trust, given to what was seen
 * alone, taken back, and never asked about again for who wants that.
 */
#include <string.h>

#include "config/config.h"
#include "io/io.h"
#include "support/port_case.h"
#include "support/test.h"

static void put_policy(struct port_case *c, const char *work_mode)
{
    char *dir = test_path(c->parts->workspace.root, ".sf"), *path = test_path(dir, "config.toml");
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    assert_int_equal(setenv("SF_HOME", c->parts->dir, 1), 0); /* where the list of trust lies */
    if (!sf_dir_make(dir, 0755, &err))
        fail_msg("%s", err.msg);
    sf_strbuf_addf(&text, "[defaults]\nwork_mode = \"%s\"\n", work_mode);
    test_write(path, text.buf, text.len);
    sf_strbuf_release(&text);
    free(path);
    free(dir);
}

static void expect_trust(struct port_case *c, enum sf_trust_state want)
{
    struct sf_error err = SF_ERROR_INIT;
    enum sf_trust_state found;

    if (!sf_trust_check(c->parts->workspace.root, &found, &err))
        fail_msg("%s", err.msg);
    assert_int_equal(found, want);
}

/* What is asked at the beginning is said before any line. */
static void begin(struct port_case *c)
{
    port_case_open(c, NULL);
    sf_port_begin(c->port);
}

static void test_asked(void **state)
{
    struct port_case *c = *state;
    const struct sf_response *r;

    put_policy(c, "build");
    begin(c);
    r = port_case_said(c, SF_RESPONSE_QUESTION);
    assert_string_equal(r->command, "trust");
    assert_non_null(strstr(r->text.buf, "Do you trust work?"));
    assert_string_equal(r->rows[0].cells.items[0], ".sf/config.toml");
    expect_trust(c, SF_TRUST_NO);
    assert_true(sf_port_reply(c->port, false));
    expect_trust(c, SF_TRUST_NO);
    port_case_line(c, "/trust add");
    assert_true(sf_port_reply(c->port, true));
    port_case_expect(c, SF_RESPONSE_NOTE, "this workspace is trusted");
    expect_trust(c, SF_TRUST_YES);
    port_case_line(c, "/trust remove");
    expect_trust(c, SF_TRUST_NO);
}

/* What changes under the question is not trusted by its answer. */
static void test_changed(void **state)
{
    struct port_case *c = *state;

    put_policy(c, "build");
    begin(c);
    put_policy(c, "repair");
    assert_true(sf_port_reply(c->port, true));
    port_case_expect(c, SF_RESPONSE_ERROR, "changed while you were asked");
    expect_trust(c, SF_TRUST_NO);
    port_case_line(c, "/trust add");
    assert_true(sf_port_reply(c->port, true));
    put_policy(c, "review");
    begin(c);
    port_case_expect(c, SF_RESPONSE_QUESTION, "Do you still trust work?");
    assert_string_equal(port_case_said(c, SF_RESPONSE_QUESTION)->rows[0].cells.items[0],
                        "changed .sf/config.toml");
}

static void expect_unasked(struct port_case *c)
{
    begin(c);
    assert_false(sf_port_reply(c->port, true));
}

static void test_unasked(void **state)
{
    struct port_case *c = *state;
    const struct sf_response *r;

    assert_int_equal(setenv("SF_HOME", c->parts->dir, 1), 0);
    expect_unasked(c); /* nothing is there to be trusted */
    put_policy(c, "build");
    port_case_line(c, "/trust list");
    assert_non_null(port_case_row(port_case_said(c, SF_RESPONSE_CHOICE), "never"));
    port_case_line(c, "/trust never");
    expect_unasked(c);
    port_case_line(c, "/trust list");
    r = port_case_said(c, SF_RESPONSE_CHOICE);
    assert_non_null(strstr(r->text.buf, "You wanted not to be asked."));
    assert_non_null(port_case_row(r, "add"));
    assert_null(port_case_row(r, "never"));
    assert_null(port_case_row(r, "remove"));
    assert_non_null(port_case_row(r, "on"));
}

int main(void)
{
#define CASE(fn) cmocka_unit_test_setup_teardown(fn, port_case_setup, port_case_teardown)
    const struct CMUnitTest tests[] = { CASE(test_asked), CASE(test_changed), CASE(test_unasked) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
