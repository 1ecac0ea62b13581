/*
 * test_add_dir.c: /add-dir at the port: a person adds a directory, sees which there are, and a
 * resumed session has them; the model can add none.
 */
#include <stdlib.h>
#include <string.h>

#include "io/io.h"
#include "support/port_case.h"
#include "support/test.h"

static void test_adds_and_lists(void **state)
{
    struct port_case *c = *state;
    struct sf_error err = SF_ERROR_INIT;
    char *dir = test_path(c->parts->dir, "another"), id[SF_ID_LEN + 1];
    struct sf_strbuf line = SF_STRBUF_INIT;

    assert_true(sf_dir_make(dir, 0755, &err));
    sf_strbuf_addf(&line, "/add-dir %s", dir);
    port_case_open(c, NULL);
    port_case_line(c, "/add-dir");
    port_case_expect(c, SF_RESPONSE_PAGE, "No directory was added");
    port_case_line(c, line.buf);
    port_case_expect(c, SF_RESPONSE_NOTE, "not covered by /undo");
    port_case_line(c, line.buf); /* once is enough */
    port_case_line(c, "/add-dir /");
    port_case_expect(c, SF_RESPONSE_ERROR, "no directory of a project");
    port_case_line(c, "/add-dir");
    port_case_expect(c, SF_RESPONSE_PAGE, dir);
    port_case_line(c, "/status");
    port_case_expect(c, SF_RESPONSE_PAGE, "not covered by undo");
    snprintf(id, sizeof(id), "%s", sf_port_session(c->port));
    port_case_open(c, NULL);
    port_case_line(c, "/add-dir");
    port_case_expect(c, SF_RESPONSE_PAGE, "No directory was added");
    port_case_open(c, id);
    port_case_line(c, "/add-dir");
    port_case_expect(c, SF_RESPONSE_PAGE, dir);
    sf_strbuf_release(&line);
    free(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_adds_and_lists, port_case_setup, port_case_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
