/*
 * test_limits.c: what lies behind a bound of the reader is not taken for harmless: a text with more
 * words than are read counts as one that cannot be read, whatever its first words are.
 */
#include <string.h>

#include "base/base.h"
#include "shell/shell.h"
#include "shell/syntax.h"
#include "support/test.h"

static const struct {
    const char *name, *head, *word, *tail;
    int fewer; /* than the words there may be, with the head's and the tail's */
    enum sf_class class;
    const char *rule; /* NULL: any */
} rows[] = {
    { "as many words as there may be", "cat ", "f ", "", 1, SF_CLASS_READONLY, "" },
    { "one more", "cat ", "f ", "", 0, SF_CLASS_DESTRUCTIVE, "unreadable" },
    { "many more", "cat ", "f ", "", -5000, SF_CLASS_DESTRUCTIVE, "unreadable" },
    { "a dangerous word as the last that is read", "find ", "d ", "-delete", 2,
      SF_CLASS_DESTRUCTIVE, NULL },
    { "a dangerous word behind it", "find ", "d ", "-delete", 1, SF_CLASS_DESTRUCTIVE,
      "unreadable" },
    { "a dangerous word far behind it", "find ", "d ", "-delete", -100, SF_CLASS_DESTRUCTIVE,
      "unreadable" },
    { "a dangerous command behind it", "cat ", "f ", "; rm -rf src", 0, SF_CLASS_DESTRUCTIVE,
      "unreadable" },
};

static void test_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        struct sf_strbuf text = SF_STRBUF_INIT;
        struct sf_shell_report report;

        sf_strbuf_adds(&text, rows[i].head);
        for (int n = rows[i].fewer; n < SF_SHELL_WORDS; n++)
            sf_strbuf_adds(&text, rows[i].word);
        sf_strbuf_adds(&text, rows[i].tail);
        sf_shell_classify(text.buf, text.len, &report);
        if (report.class != rows[i].class ||
            (rows[i].rule && strcmp(report.rule, rows[i].rule) != 0))
            fail_msg("%s: %s by '%s'", rows[i].name, sf_class_name(report.class), report.rule);
        sf_shell_report_release(&report);
        sf_strbuf_release(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_words) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
