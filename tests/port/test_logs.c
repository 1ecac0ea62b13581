/*
 * The log at the port: events and lines of sf's own file, by level, and one of them whole.
 */
#include <string.h>

#include "support/port_case.h"
#include "support/test.h"

static const char lines[] = "2026-01-01T00:00:01.000Z 17 info begun\n"
                            "no line of sf's\n"
                            "2026-01-01T00:00:02.000Z 17 error it is broken\ttwice\n"
                            "2026-01-01T00:00:03.000Z 17 debug details\n";

static void begin(struct port_case *c)
{
    char *dir = test_path(c->parts->state_dir, "logs"), *path = test_path(dir, "sf.log");
    struct sf_error err = SF_ERROR_INIT;

    assert_true(sf_dir_make(dir, 0700, &err));
    test_write(path, lines, sizeof(lines) - 1);
    port_case_open(c, NULL);
    port_case_line(c, "hello");
    free(path);
    free(dir);
}

static const struct sf_response_row *row_about(const struct sf_response *r, const char *words)
{
    for (size_t i = 0; i < r->count; i++)
        if (strstr(r->rows[i].cells.items[2], words))
            return &r->rows[i];
    return NULL;
}

static const struct sf_response *list(struct port_case *c, const char *line)
{
    port_case_line(c, line);
    return port_case_said(c, SF_RESPONSE_TABLE);
}

static void test_levels(void **state)
{
    struct port_case *c = *state;

    begin(c);
    assert_string_equal(list(c, "/logs")->title, "Log, info and worse");
    assert_non_null(row_about(&c->said[0], "begun"));
    assert_non_null(row_about(&c->said[0], "it is broken twice"));
    assert_non_null(row_about(&c->said[0], "hello"));
    assert_null(row_about(&c->said[0], "details"));
    assert_null(row_about(&c->said[0], "no line"));
    assert_string_equal(list(c, "/logs error")->title, "Log, error");
    assert_null(row_about(&c->said[0], "begun"));
    assert_int_equal(sf_port_log_level(c->port), SF_LOG_ERROR);
    assert_string_equal(list(c, "/logs")->title, "Log, error"); /* as it was left */
    assert_non_null(row_about(list(c, "/logs debug"), "details"));
    port_case_line(c, "/logs loud");
    port_case_expect(c, SF_RESPONSE_NOTE, "levels are");
}

/* A list that does not hold everything says so. */
static void test_many(void **state)
{
    struct port_case *c = *state;
    char *path = test_path(c->parts->state_dir, "logs/sf.log");
    struct sf_strbuf text = SF_STRBUF_INIT;

    begin(c);
    for (unsigned i = 0; i < 501; i++)
        sf_strbuf_addf(&text, "2026-01-01T00:00:01.000Z 17 info line %u\n", i);
    test_write(path, text.buf, text.len);
    assert_string_equal(list(c, "/logs")->title, "Log, info and worse, the newest of more");
    sf_strbuf_release(&text);
    free(path);
}

static void show(struct port_case *c, const char *about)
{
    const struct sf_response_row *row = row_about(list(c, "/logs"), about);
    struct sf_strbuf line = SF_STRBUF_INIT;

    assert_non_null(row);
    sf_strbuf_addf(&line, "/logs %s", row->value);
    port_case_line(c, line.buf);
    sf_strbuf_release(&line);
}

static void test_whole(void **state)
{
    struct port_case *c = *state;

    begin(c);
    show(c, "it is broken");
    port_case_expect(c, SF_RESPONSE_PAGE,
                     "2026-01-01T00:00:02.000Z  error  sf\n\n    it is broken");
    show(c, "hello");
    port_case_expect(c, SF_RESPONSE_PAGE, "  info  user\n");
    port_case_expect(c, SF_RESPONSE_PAGE, "hello");
    port_case_line(c, "/logs event 4711");
    port_case_expect(c, SF_RESPONSE_NOTE, "the session has no event 4711");
    port_case_line(c, "/logs line 3"); /* in the middle of one */
    port_case_expect(c, SF_RESPONSE_NOTE, "no such line");
    port_case_line(c, "/logs line 99999");
    port_case_expect(c, SF_RESPONSE_NOTE, "no such line");
}

#define AT_PORT(fn) cmocka_unit_test_setup_teardown(fn, port_case_setup, port_case_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        AT_PORT(test_levels),
        AT_PORT(test_many),
        AT_PORT(test_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
