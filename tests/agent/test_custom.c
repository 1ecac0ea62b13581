/*
 * Custom commands as text: what a head says and what is wrong with one, and how the blanks of a
 * body are filled, whoever wrote it and whatever was typed.
 */
#include "agent/agent.h"
#include "base/base.h"
#include "support/test.h"

struct fixture {
    struct sf_custom custom;
    struct sf_template template;
    struct sf_strbuf text;
};

static int setup(void **state)
{
    struct fixture *f = sf_alloc(sizeof(*f));

    f->custom = (struct sf_custom)SF_CUSTOM_INIT;
    f->template = (struct sf_template)SF_TEMPLATE_INIT;
    sf_strbuf_init(&f->text);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    sf_custom_release(&f->custom);
    sf_template_release(&f->template);
    sf_strbuf_release(&f->text);
    free(f);
    return 0;
}

/* ---- heads ---- */

static const struct {
    const char *name, *text;
    const char *description, *hint, *model, *tools, *body; /* tools: NULL: all */
} heads[] = {
    { "no head", "Do it.\nNow.\n", "Do it.", "", NULL, NULL, "Do it.\nNow.\n" },
    { "all of it",
      "---\ndescription: fix it\nargument-hint: FILE\nmodel: big\nallowed-tools: Read, Grep\n---\nGo",
      "fix it", "FILE", "big", "Read|Grep|", "Go" },
    { "a hint in brackets is no list", "---\nargument-hint: [a] [b's]\n---\nGo", "Go", "[a] [b's]",
      NULL, NULL, "Go" },
    { "a hint in quotes", "---\nargument-hint: \"[a] [b]\"\n---\nGo", "Go", "[a] [b]", NULL, NULL,
      "Go" },
    { "brackets below the head stay", "---\nmodel: m\n---\nargument-hint: [x\n",
      "argument-hint: [x", "", "m", NULL, "argument-hint: [x\n" },
    { "tools as a list", "---\nallowed-tools:\n  - Read\n  - Bash(git add:*)\n---\nGo", "Go", "",
      NULL, "Read|Bash(git add:*)|", "Go" },
    { "tools with patterns", "---\nallowed-tools: Bash(git add:*, x), Read\n---\nGo", "Go", "",
      NULL, "Bash(git add:*, x)|Read|", "Go" },
    { "no tool at all", "---\nallowed-tools: []\n---\nGo", "Go", "", NULL, "", "Go" },
    { "a model of one's own is none", "---\nmodel: inherit\n---\nGo", "Go", "", NULL, NULL, "Go" },
    { "unknown keys are somebody else's", "---\nversion: 3\n---\nGo", "Go", "", NULL, NULL, "Go" },
    { "a mark at the beginning", "\xef\xbb\xbf---\nmodel: m\n---\nGo", "Go", "", "m", NULL, "Go" },
    { "lines of another system", "---\r\nmodel: m\r\n---\r\nGo\r\n", "Go", "", "m", NULL, "Go\n" },
    { "escapes are pictures", "---\ndescription: \"a\\e]0;x\\ab\"\n---\n\x1b[31mred\xe2\x80\xae",
      "a␛]0;x\xe2\x90\x87"
      "b",
      "", NULL, NULL, "␛[31mred\xef\xbf\xbd" },
    { "damage is seen", "caf\xe9 \xff", "caf\xef\xbf\xbd \xef\xbf\xbd", "", NULL, NULL,
      "caf\xef\xbf\xbd \xef\xbf\xbd" },
};

static void expect_text(const char *name, const char *what, const char *got, const char *want)
{
    if (!got != !want || (got && strcmp(got, want) != 0))
        fail_msg("%s: %s is \"%s\", want \"%s\"", name, what, got ? got : "(none)",
                 want ? want : "(none)");
}

static void test_heads(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(heads); i++) {
        struct sf_error err = SF_ERROR_INIT;

        if (!sf_custom_read(&f->custom, heads[i].text, strlen(heads[i].text), &err))
            fail_msg("%s: %s", heads[i].name, err.msg);
        expect_text(heads[i].name, "description", f->custom.description, heads[i].description);
        expect_text(heads[i].name, "hint", f->custom.hint, heads[i].hint);
        expect_text(heads[i].name, "model", f->custom.model, heads[i].model);
        expect_text(heads[i].name, "body", f->custom.body, heads[i].body);
        sf_strbuf_reset(&f->text);
        for (size_t k = 0; k < f->custom.tools.count; k++)
            sf_strbuf_addf(&f->text, "%s|", f->custom.tools.items[k]);
        expect_text(heads[i].name, "tools", f->custom.narrows ? f->text.buf : NULL, heads[i].tools);
        sf_custom_release(&f->custom);
    }
}

static void test_broken_heads(void **state)
{
    static const struct {
        const char *name, *text, *says;
    } cases[] = {
        { "a list that does not end", "---\nmodel: m\ndescription: [x\n---\nGo", "line 4, " },
        { "a head that does not end", "---\nmodel: m\n", "line " },
        { "a description that is a list", "---\ndescription: [a]\n---\nGo", "description" },
        { "a limit without an end", "---\nallowed-tools: Bash(git add:*, Read\n---\nGo",
          "allowed-tools" },
        { "a limit of nothing's", "---\nallowed-tools: (rm:*)\n---\nGo", "allowed-tools" },
        { "a limit with a tail", "---\nallowed-tools: Bash(git)Read\n---\nGo", "comma" },
        { "tools that are a number", "---\nallowed-tools: 3\n---\nGo", "allowed-tools" },
        { "twice the same", "---\nmodel: a\nmodel: b\n---\nGo", "line 3, " },
        { "nothing said", "---\nmodel: m\n---\n \n", "says nothing" },
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_error err = SF_ERROR_INIT;

        if (sf_custom_read(&f->custom, cases[i].text, strlen(cases[i].text), &err))
            fail_msg("%s: taken", cases[i].name);
        if (!strstr(err.msg, cases[i].says))
            fail_msg("%s: %s", cases[i].name, err.msg);
        assert_null(f->custom.body);
    }
}

static void test_too_large(void **state)
{
    struct fixture *f = *state;
    struct sf_error err = SF_ERROR_INIT;

    sf_strbuf_fill(&f->text, 'x', SF_CUSTOM_FILE + 1);
    assert_false(sf_custom_read(&f->custom, f->text.buf, f->text.len, &err));
    assert_int_equal(err.code, SF_E_LIMIT);
    assert_true(sf_custom_read(&f->custom, f->text.buf, SF_CUSTOM_FILE, &err));
}

/* ---- bodies ---- */

/* As it is compared: files as {path}, commands as <command>. */
static void show(struct fixture *f)
{
    static const char *const forms[][2] = { [SF_TEMPLATE_TEXT] = { "", "" },
                                            [SF_TEMPLATE_FILE] = { "{", "}" },
                                            [SF_TEMPLATE_COMMAND] = { "<", ">" } };

    sf_strbuf_reset(&f->text);
    for (size_t i = 0; i < f->template.count; i++) {
        const struct sf_template_part *p = &f->template.parts[i];

        sf_strbuf_addf(&f->text, "%s%s%s", forms[p->kind][0], p->text, forms[p->kind][1]);
    }
}

static void test_filled(void **state)
{
    static const struct {
        const char *name, *body, *args, *want;
    } cases[] = {
        { "plain text", "Do it.", "", "Do it." },
        { "all arguments", "Fix $ARGUMENTS now", "a  b", "Fix a  b now" },
        { "words", "$2 before $1", "one two", "two before one" },
        { "quoted words", "[$1][$2][$3]", "'a b' \"c d\" e", "[a b][c d][e]" },
        { "a quote inside a word", "[$1][$2]", "don't x", "[don't][x]" },
        { "missing words", "[$1][$9]", "a", "[a][]" },
        { "ten is not one", "$10 and $1", "a", "$10 and a" },
        { "money", "costs $ and $x", "", "costs $ and $x" },
        { "arguments without a place", "Do it.", "now", "Do it.\n\nArguments: now" },
        { "a file", "See @src/a.c.", "", "See {src/a.c}." },
        { "a file in brackets", "(@a.md, @b.md)", "", "({a.md}, {b.md})" },
        { "a file by argument", "See @$1 and @src/$2.c", "x.c y", "See {x.c} and {src/y.c}" },
        { "an address is no file", "write to me@example.org", "", "write to me@example.org" },
        { "an at alone", "meet @ noon, @", "", "meet @ noon, @" },
        { "a command", "On !`git branch`.", "", "On <git branch>." },
        { "a command with arguments", "!`git log -$1 $ARGUMENTS`", "3 x", "<git log -3 3 x>" },
        { "code is no command", "use `ls` and wow!`x`", "", "use `ls` and wow!`x`" },
        { "a command that does not end", "!`ls\n`", "", "!`ls\n`" },
        { "an empty command", "a !`` b", "", "a !`` b" },
        { "backslashes keep", "\\$1 \\$ARGUMENTS \\@x \\!`y` \\n", "a",
          "$1 $ARGUMENTS @x !`y` \\n\n\nArguments: a" },
        { "arguments bring no command", "Say $ARGUMENTS", "!`touch x`", "Say !`touch x`" },
        { "arguments bring no file", "Say $ARGUMENTS", "@/etc/passwd", "Say @/etc/passwd" },
        { "arguments bring no arguments", "$1 $2", "'$2' b", "$2 b" },
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_error err = SF_ERROR_INIT;

        if (!sf_template_fill(&f->template, cases[i].body, cases[i].args, &err))
            fail_msg("%s: %s", cases[i].name, err.msg);
        show(f);
        expect_text(cases[i].name, "text", f->text.buf, cases[i].want);
        sf_template_release(&f->template);
    }
}

/* What a shell would read something into has no way into a command, however it is wrapped. */
static void test_shell_words_are_refused(void **state)
{
    static const char *const bodies[] = { "!`echo $1`", "!`echo \"$1\"`", "!`echo '$1'`",
                                          "!`echo $ARGUMENTS`" };
    static const char *const args[] = { ";x",  "a;b", "$(x)", "`x`",  "a&b", "a|b",  "a>b",
                                        "a<b", "a'b", "a\"b", "a\\b", "$x",  "a\nb", "*",
                                        "?",   "{a}", "!x",   "#x",   "(x)", "[a]" };
    struct fixture *f = *state;

    for (size_t b = 0; b < SF_COUNT(bodies); b++)
        for (size_t i = 0; i < SF_COUNT(args); i++) {
            struct sf_error err = SF_ERROR_INIT;
            bool one_word = !strstr(bodies[b], "ARGUMENTS");

            if (one_word && strchr(args[i], '\n'))
                continue; /* a line break only parts words */
            if (sf_template_fill(&f->template, bodies[b], args[i], &err))
                fail_msg("%s with %s: taken", bodies[b], args[i]);
            assert_int_equal(f->template.count, 0);
        }
}

static void test_ceilings(void **state)
{
    struct fixture *f = *state;
    struct sf_strbuf body = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    sf_strbuf_fill(&f->text, 'x', 4096);
    for (int i = 0; i < 100; i++)
        sf_strbuf_adds(&body, "$ARGUMENTS ");
    assert_false(sf_template_fill(&f->template, body.buf, f->text.buf, &err));
    assert_int_equal(err.code, SF_E_LIMIT);
    sf_strbuf_reset(&body);
    for (int i = 0; i <= SF_CUSTOM_PARTS; i++)
        sf_strbuf_adds(&body, "!`ls` ");
    err = (struct sf_error)SF_ERROR_INIT;
    assert_false(sf_template_fill(&f->template, body.buf, "", &err));
    assert_int_equal(err.code, SF_E_LIMIT);
    sf_strbuf_release(&body);
    sf_strbuf_fill(&f->text, 'x', SF_CUSTOM_ARGS);
    assert_false(sf_template_fill(&f->template, "$1", f->text.buf, &err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_heads, setup, teardown),
        cmocka_unit_test_setup_teardown(test_broken_heads, setup, teardown),
        cmocka_unit_test_setup_teardown(test_too_large, setup, teardown),
        cmocka_unit_test_setup_teardown(test_filled, setup, teardown),
        cmocka_unit_test_setup_teardown(test_shell_words_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(test_ceilings, setup, teardown),
    };

    return cmocka_run_group_tests_name("agent/custom", tests, NULL, NULL);
}
