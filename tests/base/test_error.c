/*
 * test_error.c: bounded text, cut between characters, codes from errno, context in front.
 */
#include <errno.h>

#include "base/base.h"
#include "support/test.h"

static const char mark[] = "\xe2\x80\xa6";

/* Whether the text is whole UTF-8 characters, as far as leading and following bytes go. */
static bool whole_characters(const char *text)
{
    while (*text) {
        unsigned char c = (unsigned char)*text++;
        int more = c < 0x80 ? 0 : c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : c >= 0xc0 ? 1 : -1;

        for (; more > 0; more--)
            if (((unsigned char)*text++ & 0xc0) != 0x80)
                return false;
        if (more < 0)
            return false;
    }
    return true;
}

static bool ends_in_mark(const char *text)
{
    size_t len = strlen(text);

    return len >= 3 && !strcmp(text + len - 3, mark);
}

static void test_fail_and_hint(void **state)
{
    struct sf_error err = SF_ERROR_INIT;

    (void)state;
    assert_false(sf_fail(&err, SF_E_NOENT, "no %s", "file"));
    assert_false(sf_hint(&err, "make %d", 1));
    assert_int_equal(err.code, SF_E_NOENT);
    assert_string_equal(err.msg, "no file");
    assert_string_equal(err.hint, "make 1");
    sf_fail(&err, SF_E_ARG, "other");
    assert_string_equal(err.msg, "other");
    assert_string_equal(err.hint, "");
}

static void test_exact_fit_is_not_cut(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    char text[sizeof(err.msg) + 1];

    (void)state;
    memset(text, 'x', sizeof(text));
    text[sizeof(err.msg) - 1] = '\0';
    sf_fail(&err, SF_E_ARG, "%s", text);
    assert_string_equal(err.msg, text);
    text[sizeof(err.msg) - 1] = 'x';
    text[sizeof(err.msg)] = '\0';
    sf_fail(&err, SF_E_ARG, "%s", text);
    assert_int_equal(strlen(err.msg), sizeof(err.msg) - 1);
    assert_true(ends_in_mark(err.msg));
}

/* Characters of each width, shifted through every place at the border. */
static void test_cut_between_characters(void **state)
{
    static const char *const units[] = { "x", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80" };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strbuf sb = SF_STRBUF_INIT;

    (void)state;
    for (size_t u = 0; u < SF_COUNT(units); u++) {
        for (size_t shift = 0; shift < 5; shift++) {
            sf_strbuf_reset(&sb);
            sf_strbuf_fill(&sb, '-', shift);
            while (sb.len < 2 * sizeof(err.msg))
                sf_strbuf_adds(&sb, units[u]);
            sf_fail(&err, SF_E_ARG, "%s", sb.buf);
            sf_hint(&err, "%s", sb.buf);
            assert_true(whole_characters(err.msg) && whole_characters(err.hint));
            assert_true(ends_in_mark(err.msg) && ends_in_mark(err.hint));
            assert_true(strlen(err.msg) >= sizeof(err.msg) - 5);
            sf_error_prefix(&err, "reading %s: ", "a.toml");
            assert_true(whole_characters(err.msg) && ends_in_mark(err.msg));
            assert_memory_equal(err.msg, "reading a.toml: -", 16);
        }
    }
    sf_strbuf_release(&sb);
}

static void test_prefix(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    char longer[2 * sizeof(err.msg)];

    (void)state;
    sf_fail(&err, SF_E_SYNTAX, "line 3");
    sf_hint(&err, "fix it");
    sf_error_prefix(&err, "reading %s: ", "a.toml");
    assert_string_equal(err.msg, "reading a.toml: line 3");
    assert_string_equal(err.hint, "fix it");
    assert_int_equal(err.code, SF_E_SYNTAX);
    sf_error_prefix(&err, "start: ");
    assert_string_equal(err.msg, "start: reading a.toml: line 3");

    memset(longer, 'p', sizeof(longer) - 1);
    longer[sizeof(longer) - 1] = '\0';
    sf_error_prefix(&err, "%s", longer);
    assert_true(ends_in_mark(err.msg));
    assert_true(strlen(err.msg) < sizeof(err.msg));
}

static const struct {
    int number;
    enum sf_errc code;
    const char *want;
} numbers[] = {
    { ENOENT, SF_E_NOENT, "cannot open a: no such file or directory" },
    { EEXIST, SF_E_EXIST, "cannot open a: file exists" },
    { ENOSPC, SF_E_FULL, "cannot open a: no space left on device" },
    { EROFS, SF_E_READONLY, "cannot open a: read-only file system" },
    { EACCES, SF_E_READONLY, "cannot open a: permission denied" },
    { EMFILE, SF_E_IO, "cannot open a: too many open files" },
    { 99999, SF_E_IO, "cannot open a: unknown error 99999" },
};

static void test_errno(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(numbers); i++) {
        struct sf_error err = { SF_E_ARG, 0, 0, "old", "old" };

        errno = numbers[i].number;
        assert_false(sf_fail_errno(&err, "cannot open %s", "a"));
        assert_int_equal(err.code, numbers[i].code);
        assert_string_equal(err.msg, numbers[i].want);
        assert_string_equal(err.hint, "");
    }
}

static void test_errno_behind_long_text(void **state)
{
    struct sf_error err = SF_ERROR_INIT;

    (void)state;
    for (int n = 480; n < 520; n++) {
        errno = EACCES;
        sf_fail_errno(&err, "%*s", n, "\xc3\xa9");
        assert_true(strlen(err.msg) < sizeof(err.msg));
        assert_true(whole_characters(err.msg));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fail_and_hint),
        cmocka_unit_test(test_exact_fit_is_not_cut),
        cmocka_unit_test(test_cut_between_characters),
        cmocka_unit_test(test_prefix),
        cmocka_unit_test(test_errno),
        cmocka_unit_test(test_errno_behind_long_text),
    };

    return cmocka_run_group_tests_name("error", tests, NULL, NULL);
}
