/*
 * test_words.c: small differences in how a word is written: what sets a variable sets it in both
 * spellings, and a character that is odd is not for that reason dangerous.
 */
#include <string.h>

#include "base/base.h"
#include "shell/path_rules.h"
#include "shell/shell.h"
#include "support/test.h"

static const struct {
    const char *name, *command;
    enum sf_class class;
    const char *rule;  /* NULL: any */
    const char *shown; /* what is pointed at; NULL: not looked at */
} rows[] = {
    { "a letter outside ASCII", "cat \xc3\xa9", SF_CLASS_READONLY, "", NULL },
    { "a carriage return in quotes", "cat 'a\rb'", SF_CLASS_READONLY, "", NULL },
    { "a carriage return", "cat a\rb", SF_CLASS_DESTRUCTIVE, "unreadable", NULL },
    { "a carriage return behind other words", "cat a b c\rd", SF_CLASS_DESTRUCTIVE, "unreadable",
      "c\rd" },
    { "sed's text, then a command that writes", "sed 'a ab\nw out' f", SF_CLASS_LOCAL_EDIT, NULL,
      NULL },
    { "the same with one letter more", "sed 'a abc\nw out' f", SF_CLASS_LOCAL_EDIT, NULL, NULL },
    { "sed's text that goes on in the next line", "sed 'a ab\\\nw out' f", SF_CLASS_READONLY, "",
      NULL },
    { "a name that is odd", "c\xc3\xa9t a", SF_CLASS_DESTRUCTIVE, "unreadable", "c\xc3\xa9t a" },
    { "a name that is odd, alone", "ls; c\xc3\xa9t", SF_CLASS_DESTRUCTIVE, "unreadable",
      "c\xc3\xa9t" },
};

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        struct sf_shell_report report;

        sf_shell_classify(rows[i].command, strlen(rows[i].command), &report);
        if (report.class != rows[i].class ||
            (rows[i].rule && strcmp(report.rule, rows[i].rule) != 0))
            fail_msg("%s: %s by '%s'", rows[i].name, sf_class_name(report.class), report.rule);
        if (rows[i].shown && (report.len != strlen(rows[i].shown) ||
                              memcmp(rows[i].command + report.at, rows[i].shown, report.len) != 0))
            fail_msg("%s: %zu bytes at %zu are shown", rows[i].name, (size_t)report.len,
                     (size_t)report.at);
        sf_shell_report_release(&report);
    }
}

/* A byte that is no character is part of the name: what only looks like a protected one is none. */
static void test_bytes_of_names(void **state)
{
    (void)state;
    assert_non_null(sf_path_rule_for_text(".git/config"));
    assert_non_null(sf_path_rule_for_text(".\xe2\x80\x8bgit/config")); /* ignored by HFS+ */
    assert_null(sf_path_rule_for_text(".g\xffit/config"));
    assert_null(sf_path_rule_for_text("\xff.git/config"));
}

/* Each text with `=` in it must be what it is with `:=`, and more than reading. */
static void test_assigning(void **state)
{
    static const char *const texts[][2] = {
        { "ls ${PATH=/tmp/x}; ls", "ls ${PATH:=/tmp/x}; ls" },
        { ": ${LD_PRELOAD=/tmp/x.so}; ls", ": ${LD_PRELOAD:=/tmp/x.so}; ls" },
        { ": ${GIT_DIR=x}; git status", ": ${GIT_DIR:=x}; git status" },
    };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(texts); i++) {
        struct sf_shell_report one, two;

        sf_shell_classify(texts[i][0], strlen(texts[i][0]), &one);
        sf_shell_classify(texts[i][1], strlen(texts[i][1]), &two);
        if (one.class != two.class || strcmp(one.rule, two.rule) != 0 ||
            one.class == SF_CLASS_READONLY)
            fail_msg("%s: %s by '%s', but with a colon %s by '%s'", texts[i][0],
                     sf_class_name(one.class), one.rule, sf_class_name(two.class), two.rule);
        sf_shell_report_release(&one);
        sf_shell_report_release(&two);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_bytes_of_names),
        cmocka_unit_test(test_assigning),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
