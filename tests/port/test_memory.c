/*
 * /memory and /init at the port: notes that are shown and written anew, and files that are written
 * for a yes alone.
 */
#include <string.h>

#include "io/io.h"
#include "support/port_case.h"
#include "support/test.h"

/* ---- memory ---- */

static void expect_file(struct port_case *c, const char *name, const char *text)
{
    char *path = test_path(c->parts->dir, name), *found = test_read(path, NULL);

    assert_string_equal(found, text);
    free(found);
    free(path);
}

static void edit(struct port_case *c, const char *text, bool kept)
{
    assert_int_equal(sf_port_edited(c->port, text, strlen(text)), kept);
}

static void test_list(void **state)
{
    struct port_case *c = *state;
    struct sf_strbuf text = SF_STRBUF_INIT;
    const struct sf_response *r;

    port_case_open(c, NULL);
    port_case_line(c, "#the llamas are fed");
    port_case_line(c, "/memory");
    r = port_case_said(c, SF_RESPONSE_CHOICE);
    assert_string_equal(port_case_row(r, "project")->cells.items[1], "1 line");
    assert_string_equal(port_case_row(r, "user")->cells.items[1], "0 lines");
    assert_true(sf_port_explain(c->port, "memory", "project", &text));
    assert_string_equal(text.buf, "- the llamas are fed\n");
    sf_strbuf_reset(&text);
    assert_true(sf_port_explain(c->port, "memory", "user", &text));
    assert_string_equal(text.buf, "Nothing is noted yet.");
    sf_strbuf_release(&text);
    port_case_line(c, "/memory nobody");
    port_case_expect(c, SF_RESPONSE_NOTE, "/memory, /memory project, /memory user");
}

/* What is noted while the text is being edited stays; a text that somebody replaced is not. */
static void test_edit(void **state)
{
    struct port_case *c = *state;
    char *path = test_path(c->parts->dir, "sf/memory.md");
    struct sf_error err = SF_ERROR_INIT;

    port_case_open(c, NULL);
    edit(c, "nobody asked", false);
    port_case_line(c, "##short answers");
    port_case_line(c, "/memory user");
    assert_true(port_case_said(c, SF_RESPONSE_PAGE)->editable);
    assert_string_equal(port_case_said(c, SF_RESPONSE_PAGE)->text.buf, "- short answers\n");
    sf_port_line(c->port, "##and kind ones");
    edit(c, "- long answers", true);
    expect_file(c, "sf/memory.md", "- long answers\n- and kind ones\n");
    port_case_line(c, "/memory user");
    if (!sf_file_write_atomic(path, "- other\n", 8, 0600, &err))
        fail_msg("%s", err.msg);
    edit(c, "- mine", false);
    port_case_expect(c, SF_RESPONSE_NOTE, "changed meanwhile: nothing was written");
    expect_file(c, "sf/memory.md", "- other\n");
    free(path);
}

/* ---- init ---- */

static bool has_agents(struct port_case *c)
{
    char *path = test_path(c->parts->workspace.root, "AGENTS.md");
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    bool there = sf_file_read(path, 1 << 20, &text, &err);

    sf_strbuf_release(&text);
    free(path);
    return there;
}

static void test_init(void **state)
{
    struct port_case *c = *state;

    port_case_open(c, NULL);
    port_case_line(c, "/init");
    port_case_expect(c, SF_RESPONSE_QUESTION, "**AGENTS.md** would be written");
    assert_true(sf_port_reply(c->port, false));
    assert_false(has_agents(c));
    port_case_line(c, "/init");
    assert_true(sf_port_reply(c->port, true));
    port_case_expect(c, SF_RESPONSE_NOTE, "written; scopes hold in full");
    assert_true(has_agents(c));
    port_case_line(c, "/init");
    port_case_expect(c, SF_RESPONSE_NOTE, "what is there stays as it is");
    assert_false(sf_port_reply(c->port, true));
}

int main(void)
{
#define CASE(fn) cmocka_unit_test_setup_teardown(fn, port_case_setup, port_case_teardown)
    const struct CMUnitTest tests[] = { CASE(test_list), CASE(test_edit), CASE(test_init) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
