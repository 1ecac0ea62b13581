/*
 * /config at the port: settings listed, explained and written, refused with a reason, and handed to
 * the surface where it looks at them itself.
 */
#include <string.h>

#include "io/io.h"
#include "support/port_case.h"
#include "support/test.h"

/* ---- a surface that looks at ui.theme, and names two keys ---- */

static char applied[64];

static bool is_live(void *ctx, const char *key)
{
    (void)ctx;
    return !strcmp(key, "ui.theme");
}

static bool check(void *ctx, const char *key, const char *value, struct sf_error *err)
{
    (void)ctx;
    return strcmp(key, "ui.theme") != 0 || !strcmp(value, "dark") ||
           sf_fail(err, SF_E_ARG, "there is no theme called %s", value);
}

static void apply(void *ctx, const char *key)
{
    (void)ctx;
    snprintf(applied, sizeof(applied), "%s", key);
}

static bool named(void *ctx, const char *row, size_t index, struct sf_named_setting *out)
{
    static const struct sf_named_setting keys[] = { { "send", "enter", "send it" },
                                                    { "help", "f1", "show help" } };

    (void)ctx;
    if (strcmp(row, "keys.*") != 0 || index >= SF_COUNT(keys))
        return false;
    *out = keys[index];
    return true;
}

static const struct sf_surface_settings looks = { is_live, check, apply, named };

/* ---- cases ---- */

static char *settings(struct port_case *c)
{
    char *path = test_path(c->parts->dir, "sf/config.toml");
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_file_read(path, 65536, &text, &err))
        assert_int_equal(err.code, SF_E_NOENT);
    free(path);
    return sf_strbuf_detach(&text);
}

static void expect_settings(struct port_case *c, const char *has, const char *lacks)
{
    char *text = settings(c);

    if ((has && !strstr(text, has)) || (lacks && strstr(text, lacks)))
        fail_msg("the settings are: %s", text);
    free(text);
}

static void test_list(void **state)
{
    struct port_case *c = *state;
    struct sf_strbuf text = SF_STRBUF_INIT;
    const struct sf_response *r;

    c->settings = &looks;
    port_case_open(c, NULL);
    port_case_line(c, "/config");
    r = port_case_said(c, SF_RESPONSE_CHOICE);
    assert_string_equal(port_case_row(r, "ui.vim")->cells.items[1], "false");
    assert_string_equal(port_case_row(r, "ui.vim")->cells.items[2], "built in");
    assert_string_equal(port_case_row(r, "keys.help")->cells.items[1], "f1");
    assert_string_equal(port_case_row(r, "keys.help")->cells.items[3], "show help");
    assert_true(sf_port_explain(c->port, "config", "ui.theme", &text));
    assert_non_null(strstr(text.buf, "Takes effect: at once"));
    sf_strbuf_reset(&text);
    assert_true(sf_port_explain(c->port, "config", "ui.vim", &text));
    assert_non_null(strstr(text.buf, "Takes effect: with the next start of sf"));
    sf_strbuf_release(&text);
}

/* Without a surface that names keys there are only those that are set. */
static void test_list_headless(void **state)
{
    struct port_case *c = *state;

    session_case_settings(c->parts, "[keys]\nsend = \"ctrl+s\"\n");
    port_case_open(c, NULL);
    port_case_line(c, "/config");
    assert_non_null(port_case_row(port_case_said(c, SF_RESPONSE_CHOICE), "keys.send"));
    assert_null(port_case_row(port_case_said(c, SF_RESPONSE_CHOICE), "keys.help"));
}

static void test_written(void **state)
{
    struct port_case *c = *state;

    c->settings = &looks;
    applied[0] = '\0';
    port_case_open(c, NULL);
    port_case_line(c, "/config ui.vim true");
    port_case_expect(c, SF_RESPONSE_NOTE, "ui.vim is written; it holds from the next start of sf");
    expect_settings(c, "vim = true", NULL);
    port_case_line(c, "/config ui.theme dark");
    port_case_expect(c, SF_RESPONSE_NOTE, "ui.theme is written and holds from now on");
    assert_string_equal(applied, "ui.theme");
}

static const struct {
    const char *line, *says;
} refused[] = {
    { "/config ui.vmi true", "ui.vmi" },
    { "/config defaults.work_mode biuld", "biuld" },
    { "/config coach.frequency 0", "coach.frequency" },
    { "/config ui.theme no-such", "there is no theme called no-such" },
};

static void test_refuse(void **state)
{
    struct port_case *c = *state;

    c->settings = &looks;
    port_case_open(c, NULL);
    for (size_t i = 0; i < SF_COUNT(refused); i++) {
        print_message("%s\n", refused[i].line);
        port_case_line(c, refused[i].line);
        port_case_expect(c, SF_RESPONSE_ERROR, refused[i].says);
    }
    expect_settings(c, NULL, "=");
}

/* A field that is refused can be filled again; once it was taken, nothing is asked for any more. */
static void test_field(void **state)
{
    struct port_case *c = *state;
    struct sf_error err = SF_ERROR_INIT;
    const struct sf_response *r;

    port_case_open(c, NULL);
    assert_false(sf_port_fill(c->port, "true", &err));
    port_case_line(c, "/config ui.vim");
    r = port_case_said(c, SF_RESPONSE_FIELD);
    assert_string_equal(r->title, "ui.vim");
    assert_string_equal(r->text.buf, "false");
    assert_string_equal(r->values[0], "true");
    assert_false(sf_port_fill(c->port, "perhaps", &err));
    expect_settings(c, NULL, "vim");
    assert_true(sf_port_fill(c->port, "true", &err));
    expect_settings(c, "vim = true", NULL);
    assert_false(sf_port_fill(c->port, "false", &err));
    port_case_line(c, "/config ui.vim");
    assert_true(sf_port_fill(c->port, "", &err));
    port_case_expect(c, SF_RESPONSE_NOTE, "ui.vim is no longer set");
    expect_settings(c, NULL, "vim");
}

int main(void)
{
#define CASE(fn) cmocka_unit_test_setup_teardown(fn, port_case_setup, port_case_teardown)
    const struct CMUnitTest tests[] = { CASE(test_list), CASE(test_list_headless),
                                        CASE(test_written), CASE(test_refuse), CASE(test_field) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
