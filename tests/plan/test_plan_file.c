/*
 * test_plan_file.c: what a plan says is read, and what is wrong is told with its place, its value
 * and the nearest name.
 */
#include "plan/plan.h"
#include "support/test.h"

#define HEAD "---\ntitle: A plan\n---\n## M1 One\n### S1 First\n" /* the next line is 6 */
#define TASK "#### T1 Begin\n- what: begin\n"

struct reading {
    struct sf_plan plan;
    struct sf_plan_faults faults;
    bool ok;
};

static struct reading parse(const char *text)
{
    struct reading r = { .plan = SF_PLAN_INIT, .faults = SF_PLAN_FAULTS_INIT };

    r.ok = sf_plan_parse(text, strlen(text), &r.plan, &r.faults);
    assert_int_equal(r.ok, !r.faults.count);
    return r;
}

static void release(struct reading *r)
{
    sf_plan_release(&r->plan);
    sf_plan_faults_release(&r->faults);
}

static struct reading parse_well(const char *text)
{
    struct reading r = parse(text);

    if (!r.ok)
        fail_msg("%u:%u: %s", r.faults.items[0].line, r.faults.items[0].column,
                 r.faults.items[0].msg);
    return r;
}

static void test_example(void **state)
{
    struct reading r = parse_well(sf_plan_example);
    const struct sf_plan *p = &r.plan;
    const struct sf_plan_task *t = &p->tasks[0];

    (void)state;
    assert_string_equal(p->title, "Search in the notes");
    assert_string_equal(p->goal, "Anybody finds a note by a word in it.");
    assert_true(sf_plan_is_structured(sf_plan_example, strlen(sf_plan_example)));
    assert_int_equal(p->milestone_count, 1);
    assert_int_equal(p->slice_count, 2);
    assert_int_equal(p->task_count, 3);
    assert_string_equal(t->head.id, "M1/S1/T1");
    assert_string_equal(t->head.title, "Read the notes");
    assert_string_equal(t->what, "Read every note below `notes/` into an index of its words.\n"
                                 "A note that cannot be read is named and left out.");
    assert_int_equal(t->files.count, 2);
    assert_string_equal(t->files.items[1].path, "src/main.c");
    assert_int_equal(t->files.items[1].from, 10);
    assert_int_equal(t->files.items[1].to, 40);
    assert_string_equal(t->verify, "make test");
    assert_int_equal(t->risk, SF_RISK_LOW);
    assert_int_equal(t->mutation, SF_MUTATION_CODE);
    assert_int_equal(t->approval, SF_TASK_APPROVAL_NONE);
    assert_int_equal(t->estimate, 20);
    assert_int_equal(t->priority, 5);
    assert_int_equal(p->tasks[2].depends.count, 1);
    assert_string_equal(sf_plan_ref_id(p, &p->tasks[2].depends.items[0]), "M1/S1");
    assert_string_equal(p->tasks[2].head.id, "M1/S2/T1");
    release(&r);
}

/* Ways to write the same thing. */
static void test_ways(void **state)
{
    static const struct {
        const char *name, *lines, *want; /* the fields behind what, as they are written */
    } cases[] = {
        { "a list a line", "- files:\n  - a.c\n  - `b c.h:7`\n", "- files: a.c, b c.h:7\n" },
        { "a command as code", "- verify: `make test`\n", "- verify: make test\n" },
        { "code inside a command", "- verify: echo `date` `id`\n", "- verify: echo `date` `id`\n" },
        { "nothing to depend on", "- depends_on: none\n", "" },
        { "what is meant anyway", "- risk: medium\n- mutation: code\n- priority: 5\n", "" },
        { "minutes become hours", "- estimate: 90m\n", "- estimate: 1h30m\n" },
        { "one line of a file", "- files: a.c:3-3\n", "- files: a.c:3\n" },
        { "a blank between paragraphs", "- acceptance: one\n\n  two\n    three\n",
          "- acceptance: one\n\n  two\n    three\n" },
        { "another bullet", "* priority: 2\n", "- priority: 2\n" },
        { "dependencies of all kinds, once", "- depends_on: T2, S2/T1, M1/S2/T1, S2, M2\n",
          "- depends_on: M1/S1/T2, M1/S2/T1, M1/S2, M2\n" },
        { "an empty value", "- verify:\n", "" },
        { "lines end as on Windows", "- verify: make\r\n- risk: high\r\n",
          "- verify: make\n- risk: high\n" },
    };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_strbuf text = SF_STRBUF_INIT, out = SF_STRBUF_INIT, want = SF_STRBUF_INIT;
        struct reading r;

        sf_strbuf_addf(&text,
                       HEAD TASK "%s#### T2 Go on\n- what: x\n### S2 Second\n"
                                 "#### T1 End\n- what: y\n"
                                 "## M2 Two\n### S1 First\n#### T1 Z\n- what: z\n",
                       cases[i].lines);
        r = parse(text.buf);
        if (!r.ok)
            fail_msg("%s: %s", cases[i].name, r.faults.items[0].msg);
        sf_plan_write(&r.plan, &out);
        sf_strbuf_addf(&want, "- what: begin\n%s\n#### T2", cases[i].want);
        if (!strstr(out.buf, want.buf))
            fail_msg("%s: no\n%sin\n%s", cases[i].name, want.buf, out.buf);
        release(&r);
        sf_strbuf_release(&text);
        sf_strbuf_release(&out);
        sf_strbuf_release(&want);
    }
}

static void test_words(void **state)
{
    struct reading r =
        parse_well("---\ntitle: A plan\n---\n# Heading\nIntro\n\n```\n## M9 No\n```\n"
                   "## M1 \xe2\x80\x94 One\nabout M1\n- a bullet\n### S1: First\n"
                   "#### T1. Begin\n~~~sh\n- risk: no field\n### S5 none\n~~~\n"
                   "- what: x\nmore words\n");

    (void)state;
    assert_string_equal(r.plan.notes, "# Heading\nIntro\n\n```\n## M9 No\n```");
    assert_string_equal(r.plan.milestones[0].head.title, "One");
    assert_string_equal(r.plan.milestones[0].head.notes, "about M1\n- a bullet");
    assert_string_equal(r.plan.slices[0].head.title, "First");
    assert_string_equal(r.plan.tasks[0].head.title, "Begin");
    assert_string_equal(r.plan.tasks[0].head.notes,
                        "~~~sh\n- risk: no field\n### S5 none\n~~~\nmore words");
    release(&r);
}

/* clang-format off */
static const struct {
    const char *name, *text;
    unsigned line, column;
    const char *says, *hint; /* parts of both */
} faults[] = {
    { "nothing", "", 1, 1, "no title", "title: " },
    { "no title", "## M1 One\n### S1 A\n" TASK, 1, 1, "no title", "title: " },
    { "no task", "---\ntitle: A\n---\nwords\n", 1, 1, "no task", "#### T1 Title" },
    { "an unknown key in front", "---\ntitle: A\ngaol: x\n---\n## M1 A\n### S1 A\n" TASK,
      3, 1, "\"gaol\"", "did you mean goal?" },
    { "a title that is none", "---\ntitle: [a]\n---\n## M1 A\n### S1 A\n" TASK, 2, 1, "title", "quotes" },
    { "bad frontmatter", "---\ntitle: a: b\n---\n", 2, 9, "bad frontmatter", "quotes" },
    { "a hidden title", "---\ntitle: \"a\\u202eb\"\n---\n## M1 A\n### S1 A\n" TASK, 2, 1, "title", "" },
    { "a field with a typing error", HEAD TASK "- verfy: make\n", 8, 3, "no field called \"verfy\"",
      "did you mean verify?" },
    { "a field nobody knows", HEAD TASK "- colour: red\n", 8, 3, "\"colour\"", "one of what, files" },
    { "a field twice", HEAD TASK "- risk: low\n- risk: high\n", 9, 3, "risk: it is given twice", "" },
    { "a bullet that is no field", HEAD TASK "- do it well\n", 8, 3, "a bullet of a task is a field", "" },
    { "a wrong risk", HEAD TASK "- risk: hgih\n", 8, 9, "no risk called \"hgih\"", "did you mean high?" },
    { "a wrong mutation", HEAD TASK "- mutation: everything\n", 8, 13, "\"everything\"", "one of none, docs" },
    { "a wrong approval", HEAD TASK "- approval: yes\n", 8, 13, "\"yes\"", "ask" },
    { "an estimate without unit", HEAD TASK "- estimate: 20\n", 8, 13, "\"20\"", "20m|2h|1h30m" },
    { "an estimate the wrong way round", HEAD TASK "- estimate: 3m2h\n", 8, 13, "\"3m2h\"", "" },
    { "no time at all", HEAD TASK "- estimate: 0m\n", 8, 13, "\"0m\"", "" },
    { "an endless time", HEAD TASK "- estimate: 99999999999999999999h\n", 8, 13, "estimate", "" },
    { "a priority too high", HEAD TASK "- priority: 10\n", 8, 13, "\"10\"", "1 to 9" },
    { "a priority in words", HEAD TASK "- priority: 0\n", 8, 13, "\"0\"", "" },
    { "a command of two lines", HEAD TASK "- verify: make\n  make test\n", 8, 11, "one line", "&&" },
    { "an absolute path", HEAD TASK "- files: a.c, /etc/passwd\n", 8, 15, "\"/etc/passwd\"", "relative" },
    { "a path that leaves", HEAD TASK "- files: a/../../b\n", 8, 10, "a/../../b", "stays in it" },
    { "a home", HEAD TASK "- files: ~/x\n", 8, 10, "~/x", "" },
    { "lines backwards", HEAD TASK "- files: a.c:9-3\n", 8, 10, "a.c:9-3", ":10-40" },
    { "line zero", HEAD TASK "- files: a.c:0\n", 8, 10, "a.c:0", "" },
    { "on the second line of a list", HEAD TASK "- files:\n  - a.c\n  - /b\n", 10, 5, "\"/b\"", "" },
    { "depends on nothing there", HEAD TASK "- depends_on: T7\n", 8, 15, "\"T7\"", "M1/S1/T1" },
    { "depends on a strange word", HEAD TASK "- depends_on: the first\n", 8, 15, "\"the first\"", "" },
    { "depends on itself", HEAD TASK "- depends_on: T1\n", 8, 15, "M1/S1/T1 would wait for itself", "" },
    { "depends on its slice", HEAD TASK "- depends_on: S1\n", 8, 15, "would wait for itself", "" },
    { "depends on its milestone", HEAD TASK "- depends_on: M1\n", 8, 15, "would wait for itself", "" },
    { "a circle of two", HEAD TASK "- depends_on: T2\n#### T2 B\n- what: b\n- depends_on: T1\n",
      8, 15, "wait for each other: M1/S1/T1 \xe2\x86\x92 M1/S1/T2 \xe2\x86\x92 M1/S1/T1", "" },
    { "a circle through a slice", HEAD TASK "- depends_on: S2\n### S2 B\n#### T1 B\n- what: b\n"
      "- depends_on: S1/T1\n", 8, 15, "wait for each other", "" },
    { "a task twice", HEAD TASK TASK, 8, 6, "there is a M1/S1/T1 already", "" },
    { "a milestone twice", HEAD TASK "## M1 Again\n### S1 A\n" TASK, 8, 4, "there is a M1 already", "" },
    { "a task without what", HEAD "#### T1 Begin\n- risk: low\n", 6, 1, "what: M1/S1/T1 has none", "- what:" },
    { "a slice without tasks", HEAD TASK "### S2 B\n", 8, 1, "M1/S2 holds no task", "" },
    { "a milestone without tasks", HEAD TASK "## M2 B\n", 8, 1, "M2 holds no task", "" },
    { "a task without a slice", "---\ntitle: A\n---\n## M1 A\n" TASK, 5, 6, "no slice stands above", "### S1" },
    { "a task without anything", "---\ntitle: A\n---\n" TASK, 4, 6, "no milestone stands above", "## M1" },
    { "a heading without an id", HEAD TASK "## Milestone two\n", 8, 4, "\"Milestone two\"", "## M1 Title" },
    { "a task with two marks", HEAD TASK "## T2 Go\n", 8, 4, "does not begin with the id of a milestone",
      "a task has ####" },
    { "an id with a nought in front", HEAD TASK "#### T02 Go\n", 8, 6, "\"T02 Go\"", "#### T1 Title" },
    { "no title behind the id", HEAD TASK "#### T2 :\n", 8, 6, "T2 has no title", "" },
    { "no blank behind the marks", HEAD TASK "####T2 Go\n", 8, 1, "a blank belongs", "" },
    { "a heading that is indented", HEAD "words\n ### S2 Go\n" TASK, 7, 1, "where its line begins", "" },
    { "a second title", HEAD TASK "# More\n", 8, 1, "one #", "##" },
    { "a field above the tasks", "---\ntitle: A\n---\n## M1 A\n- risk: high\n### S1 A\n" TASK,
      5, 3, "risk: this field belongs to a task", "" },
    { "code that does not end", HEAD TASK "words\n```\n## M2 lost\n", 9, 1, "does not end", "" },
    { "a character nobody sees", HEAD TASK "- verify: make \xe2\x80\xae tset\n", 8, 16, "U+202E", "" },
    { "a control character", HEAD TASK "\x1b[1m\n", 8, 1, "U+001B", "" },
    { "no UTF-8", HEAD TASK "\xff\n", 8, 1, "not UTF-8", "" },
};
/* clang-format on */

static void test_faults(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(faults); i++) {
        struct reading r = parse(faults[i].text);
        bool found = false;

        for (size_t k = 0; k < r.faults.count; k++) {
            const struct sf_error *f = &r.faults.items[k];

            found = found || (f->line == faults[i].line && f->column == faults[i].column &&
                              strstr(f->msg, faults[i].says) && strstr(f->hint, faults[i].hint));
        }
        if (!found || r.plan.task_count) {
            struct sf_strbuf text = SF_STRBUF_INIT;

            sf_plan_faults_text(&r.faults, "got", &text);
            fail_msg("%s: %s", faults[i].name, text.buf);
        }
        release(&r);
    }
}

/* One mistake is one fault: nothing that follows from it is told too. */
static void test_no_cascade(void **state)
{
    static const char *const texts[] = {
        HEAD TASK "#### Task two\n- what: x\n- verify: y\n",
        "---\ntitle: A\n---\n" TASK "- verify: y\n",
        HEAD TASK "## Milestone\n### S1 A\n" TASK,
        HEAD TASK "- estimate: x\n",
    };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(texts); i++) {
        struct reading r = parse(texts[i]);

        if (r.faults.count != 1)
            fail_msg("%zu faults in:\n%s\n%s", r.faults.count, texts[i],
                     r.faults.count > 1 ? r.faults.items[1].msg : "");
        release(&r);
    }
}

static void test_ceilings(void **state)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct reading r;

    (void)state;
    sf_strbuf_adds(&text, HEAD TASK);
    for (int i = 0; i < 50; i++)
        sf_strbuf_addf(&text, "- wrong%d: x\n", i);
    r = parse(text.buf);
    assert_int_equal(r.faults.count, SF_PLAN_FAULTS_MAX);
    assert_int_equal(r.faults.left_out, 30);
    for (size_t i = 1; i < r.faults.count; i++)
        assert_true(r.faults.items[i - 1].line < r.faults.items[i].line);
    release(&r);

    sf_strbuf_reset(&text);
    sf_strbuf_adds(&text, HEAD);
    for (int i = 1; i <= SF_PLAN_TASKS + 1; i++)
        sf_strbuf_addf(&text, "#### T%d t\n- what: w\n", i);
    r = parse(text.buf);
    assert_int_equal(r.faults.count, 1);
    assert_non_null(strstr(r.faults.items[0].msg, "more than 10000 tasks"));
    release(&r);

    sf_strbuf_reset(&text);
    sf_strbuf_adds(&text, HEAD TASK);
    sf_strbuf_fill(&text, 'x', SF_PLAN_BYTES);
    r = parse(text.buf);
    assert_int_equal(r.faults.count, 1);
    release(&r);

    sf_strbuf_reset(&text);
    sf_strbuf_adds(&text, HEAD TASK "- acceptance: ");
    sf_strbuf_fill(&text, 'x', 8193);
    r = parse(text.buf);
    assert_int_equal(r.faults.count, 1);
    assert_non_null(strstr(r.faults.items[0].msg, "longer than 8192"));
    release(&r);
    sf_strbuf_release(&text);
}

static void test_structured(void **state)
{
    static const struct {
        const char *text;
        bool want;
    } cases[] = {
        { "1. do this\n2. do that\n", false },
        { "## Plan\n\n- step\n", false },
        { "", false },
        { "---\n", true },
        { "----\n", false },
        { "words\n## M1 One\n", true },
        { "#### T12 x", true },
        { "## MIT licence", false },
        { "### M1 wrong level", false },
    };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++)
        if (sf_plan_is_structured(cases[i].text, strlen(cases[i].text)) != cases[i].want)
            fail_msg("%s", cases[i].text);
}

/* What a model is told mentions every field, and what it is shown is right. */
static void test_syntax(void **state)
{
    struct sf_strbuf text = SF_STRBUF_INIT, doc = SF_STRBUF_INIT;

    (void)state;
    sf_plan_syntax(&text);
    sf_plan_doc(&doc);
    for (const struct sf_plan_field *f = sf_plan_fields; f->name; f++) {
        char bullet[64];

        snprintf(bullet, sizeof(bullet), "- %s: ", f->name);
        assert_non_null(strstr(text.buf, bullet));
        snprintf(bullet, sizeof(bullet), "| `%s` |", f->name);
        assert_non_null(strstr(doc.buf, bullet));
    }
    assert_non_null(strstr(text.buf, sf_plan_example));
    sf_strbuf_release(&text);
    sf_strbuf_release(&doc);
}

static void test_digest(void **state)
{
    char a[SF_SHA256_HEX + 1], b[SF_SHA256_HEX + 1];

    (void)state;
    sf_plan_digest("abc", 3, a);
    assert_string_equal(a, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    sf_plan_digest("abc\n", 4, b);
    assert_string_not_equal(a, b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_example),    cmocka_unit_test(test_ways),
        cmocka_unit_test(test_words),      cmocka_unit_test(test_faults),
        cmocka_unit_test(test_no_cascade), cmocka_unit_test(test_ceilings),
        cmocka_unit_test(test_structured), cmocka_unit_test(test_syntax),
        cmocka_unit_test(test_digest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
