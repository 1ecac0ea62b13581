/*
 * Keys from real commands, files and variables; and that no message ever shows one.
 */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "model/key.h"
#include "support/test.h"

#define SECRET "sk-test-1234567890"

static const struct {
    const char *name, *content;
    mode_t mode;
    const char *message; /* NULL: it is taken */
} files[] = {
    { "private", SECRET, 0600, NULL },
    { "read only", SECRET, 0400, NULL },
    { "a line end", SECRET "\n", 0600, NULL },
    { "blanks around", " \t" SECRET "\r\n\n", 0600, NULL },
    { "readable by the group", SECRET, 0640, "read by others" },
    { "readable by all", SECRET, 0644, "read by others" },
    { "writable by all", SECRET, 0602, "read by others" },
    { "empty", "", 0600, "holds no key" },
    { "blank", " \n\n", 0600, "holds no key" },
    { "two lines", SECRET "\n" SECRET "\n", 0600, "more than a key" },
    { "a blank inside", SECRET " x", 0600, "more than a key" },
    { "a control sign inside", SECRET "\033x", 0600, "more than a key" },
    { "no ASCII", SECRET "\xc3\xa4", 0600, "more than a key" },
    { "an assignment for a shell", "export KEY=" SECRET, 0600, "more than a key" },
};

static void expect(const char *name, char *key, const struct sf_error *err, const char *message)
{
    if (!message && (!key || strcmp(key, SECRET) != 0))
        fail_msg("%s: %s", name, key ? key : err->msg);
    if (message && (key || !strstr(err->msg, message)))
        fail_msg("%s: %s", name, key ? "taken" : err->msg);
    if (strstr(err->msg, "1234567890") || strstr(err->hint, "1234567890"))
        fail_msg("%s: the key is shown: %s", name, err->msg);
    sf_key_free(key);
}

static void test_files(void **state)
{
    char *path = test_path(*state, "key");

    for (size_t i = 0; i < SF_COUNT(files); i++) {
        const struct sf_key_sources sources = { .file = path, .env = "NOT_ASKED" };
        struct sf_error err = SF_ERROR_INIT;

        unlink(path);
        test_write(path, files[i].content, strlen(files[i].content));
        assert_int_equal(chmod(path, files[i].mode), 0);
        expect(files[i].name, sf_key_find(&sources, &err), &err, files[i].message);
    }
    free(path);
}

static void test_hint_can_be_copied(void **state)
{
    char *path = test_path(*state, "it's my key");
    const struct sf_key_sources sources = { .file = path };
    struct sf_error err = SF_ERROR_INIT;
    char *key;

    test_write(path, SECRET, strlen(SECRET));
    assert_int_equal(chmod(path, 0644), 0);
    assert_null(sf_key_find(&sources, &err));
    assert_int_equal(strncmp(err.hint, "chmod 600 ", 10), 0);
    assert_int_equal(system(err.hint), 0); // NOLINT: the hint is the thing under test
    key = sf_key_find(&sources, &err);
    assert_string_equal(key, SECRET);
    sf_key_free(key);
    free(path);
}

static void test_not_a_file(void **state)
{
    char *fifo = test_path(*state, "fifo"), *none = test_path(*state, "none");
    const struct {
        const char *path, *message;
    } cases[] = {
        { none, "cannot open the key file" },  { *state, "not a regular file" },
        { fifo, "not a regular file" },        { "relative/key", "absolute path" },
        { "~other/key", "absolute path" },     { "/dev/null", "not a regular file" },
        { "/dev/zero", "not a regular file" },
    };

    assert_int_equal(mkfifo(fifo, 0600), 0);
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        const struct sf_key_sources sources = { .file = cases[i].path };
        struct sf_error err = SF_ERROR_INIT;

        expect(cases[i].path, sf_key_find(&sources, &err), &err, cases[i].message);
    }
    free(fifo);
    free(none);
}

static void test_below_home(void **state)
{
    char *path = test_path(*state, "key"),
         *before = sf_strdup(getenv("HOME") ? getenv("HOME") : "/");
    const struct sf_key_sources sources = { .file = "~/key" };
    struct sf_error err = SF_ERROR_INIT;

    test_write(path, SECRET, strlen(SECRET));
    chmod(path, 0600);
    setenv("HOME", *state, 1);
    expect("below home", sf_key_find(&sources, &err), &err, NULL);
    setenv("HOME", before, 1);
    free(before);
    free(path);
}

static void test_of_another_user(void **state)
{
    char *path = test_path(*state, "key");
    const struct sf_key_sources sources = { .file = path };
    struct sf_error err = SF_ERROR_INIT;

    test_write(path, SECRET, strlen(SECRET));
    chmod(path, 0600);
    if (chown(path, 12345, (gid_t)-1) == 0)
        expect("another's", sf_key_find(&sources, &err), &err, "another user");
    free(path);
}

static void test_too_long(void **state)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    char *path = test_path(*state, "key");
    const struct sf_key_sources sources = { .file = path };
    struct sf_error err = SF_ERROR_INIT;

    sf_strbuf_fill(&text, 'k', SF_KEY_MAX + 1);
    test_write(path, text.buf, text.len);
    chmod(path, 0600);
    expect("too long", sf_key_find(&sources, &err), &err, "too long");
    sf_strbuf_release(&text);
    free(path);
}

static const struct {
    const char *name, *command, *message;
} commands[] = {
    { "prints it", "echo " SECRET, NULL },
    { "no line end", "printf %s " SECRET, NULL },
    { "more lines", "printf '%s\\nuser: me\\n' " SECRET, NULL },
    { "talks beside it", "echo hello >&2; echo " SECRET, NULL },
    { "fails", "echo " SECRET "; exit 3", "code 3" },
    { "fails and complains with the key", "echo " SECRET " >&2; exit 1", "code 1" },
    { "does not exist", "sf-no-such-command-" SECRET " 2>/dev/null", "code 127" },
    { "is killed", "kill -KILL $$", "signal 9" },
    { "prints nothing", "true", "holds no key" },
    { "prints an empty line first", "echo; echo " SECRET, "holds no key" },
    { "prints words", "echo the key is " SECRET, "more than a key" },
    { "sees no secrets", "printf %s \"$SF_TEST_SECRET\"", "holds no key" },
    { "sees a path", "test -n \"$PATH\" && echo " SECRET, NULL },
};

static void test_commands(void **state)
{
    (void)state;
    setenv("SF_TEST_SECRET", SECRET, 1);
    for (size_t i = 0; i < SF_COUNT(commands); i++) {
        const struct sf_key_sources sources = { .cmd = commands[i].command,
                                                .file = "/not/asked",
                                                .env = "NOT_ASKED" };
        struct sf_error err = SF_ERROR_INIT;

        expect(commands[i].name, sf_key_find(&sources, &err), &err, commands[i].message);
    }
    unsetenv("SF_TEST_SECRET");
}

static const struct {
    const char *name, *value, *message;
    enum sf_errc code;
} variables[] = {
    { "set", SECRET, NULL, SF_E_NONE },
    { "blanks around", " " SECRET " ", NULL, SF_E_NONE },
    { "not set", NULL, "the variable SF_TEST_KEY is not set", SF_E_NOENT },
    { "empty", "", "the variable SF_TEST_KEY is not set", SF_E_NOENT },
    { "blank", "  ", "holds no key", SF_E_ARG },
    { "two words", SECRET " " SECRET, "more than a key", SF_E_ARG },
    { "a header smuggled in", SECRET "\r\nX: y", "more than a key", SF_E_ARG },
};

static void test_variables(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(variables); i++) {
        const struct sf_key_sources sources = { .env = "SF_TEST_KEY" };
        struct sf_error err = SF_ERROR_INIT;

        unsetenv("SF_TEST_KEY");
        if (variables[i].value)
            setenv("SF_TEST_KEY", variables[i].value, 1);
        expect(variables[i].name, sf_key_find(&sources, &err), &err, variables[i].message);
        assert_int_equal(err.code, variables[i].code);
    }
    unsetenv("SF_TEST_KEY");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_files, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_hint_can_be_copied, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_not_a_file, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_below_home, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_of_another_user, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_too_long, test_dir_setup, test_dir_teardown),
        cmocka_unit_test(test_commands),
        cmocka_unit_test(test_variables),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
