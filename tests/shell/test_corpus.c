/*
 * The labelled corpus: every figure of its README that is no time, printed and held to. Times
 * are measured by `./dev bench guard`; that nothing hangs, the test's own time limit sees.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guard/guard.h"
#include "support/class_named.h"
#include "support/test.h"

struct row {
    struct sf_strbuf text;
    char *line; /* the encoded command, for messages */
    enum sf_class class;
    bool alt[SF_CLASS_COUNT];
    bool scary;
};

struct corpus {
    struct row *rows;
    size_t count, cap;
};

static void add_alternatives(struct row *row, const char *note)
{
    if (strncmp(note, "alt=", 4) != 0)
        return;
    for (note += 4; *note && *note != ';';) {
        size_t len = strcspn(note, ",;");
        char *name = sf_strndup(note, len);
        enum sf_class class;

        assert_true(class_named(name, &class));
        row->alt[class] = true;
        free(name);
        note += len + (note[len] == ',');
    }
}

static void add_row(struct corpus *c, char *line)
{
    struct sf_error err = SF_ERROR_INIT;
    char *fields[4] = { line };
    struct row row = { .text = SF_STRBUF_INIT };

    for (int i = 1; i < 4; i++) {
        fields[i] = strchr(fields[i - 1], '\t');
        assert_non_null(fields[i]);
        *fields[i]++ = '\0';
    }
    assert_true(sf_corpus_decode(fields[0], strlen(fields[0]), &row.text, &err));
    assert_true(class_named(fields[1], &row.class));
    row.line = sf_strdup(fields[0]);
    row.alt[row.class] = true;
    add_alternatives(&row, fields[3]);
    row.scary = strstr(fields[3], "scary:") != NULL;
    c->rows = sf_grow(c->rows, &c->cap, c->count + 1, sizeof(*c->rows));
    c->rows[c->count++] = row;
}

static int setup(void **state)
{
    struct corpus *c = sf_alloc(sizeof(*c));
    size_t len;
    char *data = test_read("corpus/shell/commands.tsv", &len);
    char *save = NULL;

    strtok_r(data, "\n", &save); /* the header */
    for (char *line = strtok_r(NULL, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
        add_row(c, line);
    free(data);
    *state = c;
    return 0;
}

static int teardown(void **state)
{
    struct corpus *c = *state;

    for (size_t i = 0; i < c->count; i++) {
        sf_strbuf_release(&c->rows[i].text);
        free(c->rows[i].line);
    }
    free(c->rows);
    free(c);
    return 0;
}

static enum sf_class class_of(const char *text, size_t len)
{
    struct sf_shell_report report;
    enum sf_class class;

    sf_shell_classify(text, len, &report);
    class = report.class;
    sf_shell_report_release(&report);
    return class;
}

struct tally {
    size_t missed, leaked, readonly, readonly_kept, scary, scary_stopped, other, other_stopped,
        exact;
};

static void count_row(struct tally *t, const struct row *row)
{
    enum sf_class got = class_of(row->text.buf, row->text.len);
    bool right = row->alt[got];

    if (row->class == SF_CLASS_DESTRUCTIVE && !right)
        t->missed++;
    if (row->class != SF_CLASS_READONLY && got == SF_CLASS_READONLY && !right)
        t->leaked++;
    if (!right)
        print_message("  %s: %s, wanted %s\n", row->line, sf_class_name(got),
                      sf_class_name(row->class));
    t->readonly += row->class == SF_CLASS_READONLY;
    t->readonly_kept += row->class == SF_CLASS_READONLY && got == SF_CLASS_READONLY;
    t->scary += row->scary;
    t->scary_stopped += row->scary && got == SF_CLASS_DESTRUCTIVE;
    if (!row->scary && row->class != SF_CLASS_DESTRUCTIVE) {
        t->other++;
        t->other_stopped += got == SF_CLASS_DESTRUCTIVE;
    }
    t->exact += right;
}

static double percent(size_t part, size_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void test_measures(void **state)
{
    const struct corpus *c = *state;
    struct tally t = { 0 };

    for (size_t i = 0; i < c->count; i++)
        count_row(&t, &c->rows[i]);
    print_message("1 destructive rows missed: %zu\n", t.missed);
    print_message("2 rows wrongly readonly: %zu\n", t.leaked);
    print_message("3 readonly rows kept: %.1f %%\n", percent(t.readonly_kept, t.readonly));
    print_message("4 stopped without need: %.1f %% of scary, %.1f %% of the others\n",
                  percent(t.scary_stopped, t.scary), percent(t.other_stopped, t.other));
    print_message("5 exact: %.1f %% of %zu\n", percent(t.exact, c->count), c->count);
    assert_int_equal(t.missed, 0);
    assert_int_equal(t.leaked, 0);
    assert_true(percent(t.readonly_kept, t.readonly) >= 92);
    assert_true(percent(t.scary_stopped, t.scary) <= 5);
    assert_true(percent(t.other_stopped, t.other) <= 3);
    assert_true(percent(t.exact, c->count) >= 90);
}

/* What stands behind the end of a text is not part of it: neither read, nor does it count. */
static void test_every_prefix(void **state)
{
    const struct corpus *c = *state;

    for (size_t i = 0; i < c->count; i++) {
        for (size_t len = 0; len <= c->rows[i].text.len; len++) {
            char *copy = sf_strndup(c->rows[i].text.buf, len); /* so that reading over shows */
            enum sf_class alone = class_of(copy, len);

            if (alone != class_of(c->rows[i].text.buf, len))
                fail_msg("%zu bytes of %s are %s alone, and something else with the rest behind",
                         len, c->rows[i].line, sf_class_name(alone));
            free(copy);
        }
    }
}

static void wrap(struct sf_strbuf *out, const char *before, const struct sf_strbuf *text,
                 const char *behind)
{
    sf_strbuf_adds(out, before);
    sf_strbuf_add(out, text->buf, text->len);
    sf_strbuf_adds(out, behind);
}

static void in_shell(struct sf_strbuf *out, const struct sf_strbuf *text)
{
    sf_strbuf_adds(out, "sh -c '");
    for (size_t i = 0; i < text->len; i++) {
        if (text->buf[i] == '\'')
            sf_strbuf_adds(out, "'\\''");
        else
            sf_strbuf_addch(out, text->buf[i]);
    }
    sf_strbuf_adds(out, "'");
}

static void doubled_blanks(struct sf_strbuf *out, const struct sf_strbuf *text)
{
    char quote = 0;

    for (size_t i = 0; i < text->len; i++) {
        char ch = text->buf[i];

        sf_strbuf_addch(out, ch);
        if (ch == '\\' && quote != '\'' && i + 1 < text->len)
            sf_strbuf_addch(out, text->buf[++i]);
        else if (quote && ch == quote)
            quote = 0;
        else if (quote)
            continue;
        else if (ch == '\'' || ch == '"')
            quote = ch;
        else if (ch == ' ')
            sf_strbuf_addch(out, ch);
    }
}

enum { CHANGES = 6 };

static void change(struct sf_strbuf *out, int how, const struct sf_strbuf *text)
{
    static const char *const around[][2] = {
        { "true; ", "" }, { "( ", " )" }, { "{ ", "; }" }, { "", " 2>/dev/null" }
    };

    if (how < 4)
        wrap(out, around[how][0], text, around[how][1]);
    else if (how == 4)
        in_shell(out, text);
    else
        doubled_blanks(out, text);
}

static void test_changes_never_lower(void **state)
{
    const struct corpus *c = *state;
    size_t lowered = 0;

    for (size_t i = 0; i < c->count; i++) {
        enum sf_class before = class_of(c->rows[i].text.buf, c->rows[i].text.len);

        for (int how = 0; how < CHANGES; how++) {
            struct sf_strbuf text = SF_STRBUF_INIT;

            change(&text, how, &c->rows[i].text);
            if (class_of(text.buf, text.len) < before) {
                print_message("  lowered by change %d: %s\n", how, c->rows[i].line);
                lowered++;
            }
            sf_strbuf_release(&text);
        }
    }
    print_message("6 lowered by a harmless change: %zu of %zu\n", lowered, c->count * CHANGES);
    assert_int_equal(lowered, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_measures),
        cmocka_unit_test(test_every_prefix),
        cmocka_unit_test(test_changes_never_lower),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
