/*
 * The list of settings at the terminal: values are written in the overlay, refused with the reason
 * beside them, and take effect at once where the terminal itself looks at them.
 */
#include "io/io.h"
#include "support/test.h"
#include "support/tui_case.h"

enum { ROWS = 30, COLS = 120 };

#define ESC "\033[27u"

static char *settings(struct tui_case *c)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_file_read(c->sandbox->config, 65536, &text, &err))
        assert_int_equal(err.code, SF_E_NOENT);
    return sf_strbuf_detach(&text);
}

static void expect_settings(struct tui_case *c, const char *has, const char *lacks)
{
    char *text = settings(c);

    if ((has && !strstr(text, has)) || (lacks && strstr(text, lacks)))
        fail_msg("the settings are: %s", text);
    free(text);
}

static void test_shows_origins(void **state)
{
    struct tui_case *c = *state;

    test_write(c->sandbox->config, "[ui]\nlow_motion = true\n", 23);
    sandbox_setenv(c->sandbox, "SF_UI_VIM", "false");
    tui_case_open(c, "", ROWS, COLS);
    tui_case_say(c, "/config");
    vt_type(c->vt, "uilow");
    vt_wait_text(c->vt, "config.toml:2:1");
    vt_wait_text(c->vt, "no pulse, no spinner");
    vt_type(c->vt, "\025uivim");
    vt_wait_text(c->vt, "SF_UI_VIM");
    tui_case_say(c, ESC "/quit");
}

static void test_writes_a_value(void **state)
{
    struct tui_case *c = *state;

    tui_case_open(c, "", ROWS, COLS);
    tui_case_say(c, "/config ui.vim");
    vt_wait_text(c->vt, "ui.vim = false");
    vt_type(c->vt, "\033[B");
    vt_wait_text(c->vt, "ui.vim = true");
    vt_type(c->vt, "\r");
    vt_wait_text(c->vt, "ui.vim is written and holds from now on");
    expect_settings(c, "vim = true", NULL);
    vt_type(c->vt, ESC);
    vt_wait_no_text(c->vt, "Settings");
    vt_type(c->vt, "hello" ESC);
    vt_wait_text(c->vt, "NORMAL");
}

static void test_keeps_a_theme(void **state)
{
    struct tui_case *c = *state;

    tui_case_open(c, "", ROWS, COLS);
    tui_case_say(c, "/theme");
    vt_wait_text(c->vt, "▸ dark");
    vt_type(c->vt, "\033[B");
    vt_wait_text(c->vt, "▸ light");
    vt_type(c->vt, ESC);
    vt_wait_no_text(c->vt, "Esc close");
    expect_settings(c, NULL, "theme"); /* it was only tried */
    tui_case_say(c, "/theme");
    vt_wait_text(c->vt, "▸ dark");
    vt_type(c->vt, "\033[B");
    vt_wait_text(c->vt, "▸ light");
    vt_type(c->vt, "\r");
    vt_wait_text(c->vt, "theme light, kept in your settings");
    expect_settings(c, "theme = \"light\"", NULL);
    tui_case_say(c, "/theme nord");
    vt_wait_text(c->vt, "theme nord, kept in your settings");
    expect_settings(c, "theme = \"nord\"", "light");
    tui_case_say(c, "/theme none");
    vt_wait_text(c->vt, "no theme called none");
    expect_settings(c, "theme = \"nord\"", "none");
}

static void test_empty_takes_it_out(void **state)
{
    struct tui_case *c = *state;

    test_write(c->sandbox->config, "[ui]\nlow_motion = true # mine\n", 30);
    tui_case_open(c, "", ROWS, COLS);
    tui_case_say(c, "/config ui.low_motion");
    vt_type(c->vt, "\025\r");
    vt_wait_text(c->vt, "ui.low_motion is no longer set, from now on");
    expect_settings(c, NULL, "low_motion");
}

static const struct {
    const char *name, *key, *value, *says;
} refused[] = {
    { "no such value", "defaults.work_mode", "biuld", "did you mean 'build'?" },
    { "out of range", "coach.frequency", "0", "from 1 to 1000" },
    { "not a number", "limits.max_turns", "many", "limits.max_turns" },
    { "no such theme", "ui.theme", "no-such", "there is no theme called no-such" },
    { "a theme outside", "ui.theme", "../x", "letters, digits" },
    { "no key of that name", "keys.send", "ctrl+nosuch", "nosuch" },
    { "a key that is taken", "keys.send", "f1", "F1 is taken" },
};

static void test_refuses(void **state)
{
    struct tui_case *c = *state;

    tui_case_open(c, "", ROWS, COLS);
    for (size_t i = 0; i < SF_COUNT(refused); i++) {
        struct sf_strbuf line = SF_STRBUF_INIT;

        print_message("%s\n", refused[i].name);
        sf_strbuf_addf(&line, "/config %s", refused[i].key);
        tui_case_say(c, line.buf);
        sf_strbuf_reset(&line);
        sf_strbuf_addf(&line, "\025%s", refused[i].value);
        tui_case_say(c, line.buf);
        vt_wait_text(c->vt, refused[i].says);
        sf_strbuf_reset(&line);
        sf_strbuf_addf(&line, "%s = %s", refused[i].key, refused[i].value);
        vt_wait_text(c->vt, line.buf); /* still open, nothing lost */
        expect_settings(c, NULL, refused[i].key + strcspn(refused[i].key, ".") + 1);
        vt_type(c->vt, ESC);
        vt_wait_quiet(c->vt);
        vt_type(c->vt, ESC);
        vt_wait_no_text(c->vt, "Settings");
        sf_strbuf_release(&line);
    }
}

static void test_hidden_is_said(void **state)
{
    struct tui_case *c = *state;

    tui_case_open(c, "--mode plan", ROWS, COLS);
    tui_case_say(c, "/config defaults.work_mode review");
    vt_wait_text(c->vt, "hidden: command line --mode says otherwise");
    expect_settings(c, "work_mode = \"review\"", NULL);
}

static void test_later_is_said(void **state)
{
    struct tui_case *c = *state;

    tui_case_open(c, "", ROWS, COLS);
    tui_case_say(c, "/config defaults.work_mode review");
    vt_wait_text(c->vt, "it holds from the next start of sf");
}

static void test_keys_at_once(void **state)
{
    struct tui_case *c = *state;

    tui_case_open(c, "", ROWS, COLS);
    tui_case_say(c, "/config keys.help f2");
    vt_wait_text(c->vt, "keys.help is written and holds from now on");
    vt_type(c->vt, "\033OQ");
    vt_wait_text(c->vt, "Write what you want done");
    expect_settings(c, "help = \"f2\"", NULL);
    vt_type(c->vt, ESC);
    vt_wait_no_text(c->vt, "Write what you want done");
    tui_case_say(c, "/config keys.help \"\"");
    vt_wait_text(c->vt, "keys.help is written and holds from now on");
    expect_settings(c, "help = \"\"", NULL);
}

/* The file named on the command line is the one that is read, so it is the one that is written. */
static void test_other_file(void **state)
{
    struct tui_case *c = *state;
    char *path = test_path(c->sandbox->dir, "other.toml"), *text;
    struct sf_strbuf words = SF_STRBUF_INIT;

    test_write(path, "[ui]\nvim = false\n", 17);
    sf_strbuf_addf(&words, "--config %s", path);
    tui_case_open(c, words.buf, ROWS, COLS);
    tui_case_say(c, "/config ui.vim true");
    vt_wait_text(c->vt, "ui.vim is written and holds from now on");
    text = test_read(path, NULL);
    assert_string_equal(text, "[ui]\nvim = true\n");
    expect_settings(c, NULL, "vim");
    free(text);
    free(path);
    sf_strbuf_release(&words);
}

int main(void)
{
#define AT_TERMINAL(fn) cmocka_unit_test_setup_teardown(fn, tui_case_setup, tui_case_teardown)
    const struct CMUnitTest tests[] = {
        AT_TERMINAL(test_shows_origins), AT_TERMINAL(test_writes_a_value),
        AT_TERMINAL(test_keeps_a_theme), AT_TERMINAL(test_empty_takes_it_out),
        AT_TERMINAL(test_refuses),       AT_TERMINAL(test_hidden_is_said),
        AT_TERMINAL(test_later_is_said), AT_TERMINAL(test_keys_at_once),
        AT_TERMINAL(test_other_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
