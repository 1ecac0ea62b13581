/*
 * test_import.c: checklists as people write them, and any text at all: what comes out can be read.
 */
#include "plan/plan.h"
#include "support/test.h"

static const struct {
    const char *name, *list;
    size_t taken, dropped;
    const char *want; /* id, title and what it depends on of each task; NULL: refused */
} cases[] = {
    { "a bare list", "- [ ] one\n- [x] two\n* [ ] three\n", 2, 1,
      "M1/S1/T1 one\nM1/S1/T2 three\n" },
    { "numbers", "1. [ ] one\n2) [X] two\n", 1, 1, "M1/S1/T1 one\n" },
    { "headings", "# Title\nwords\n## A\n- [ ] a\n### B\n- [ ] b\n## C\n- [ ] c\n", 3, 0,
      "M1/S1/T1 a\nM1/S2/T1 b\nM2/S1/T1 c\n" },
    { "items below items", "- [ ] whole\n  - [ ] part\n  - [x] old\n    - [ ] rest\n", 3, 1,
      "M1/S1/T1 whole < M1/S1/T2 M1/S1/T3\nM1/S1/T2 part\nM1/S1/T3 rest\n" },
    { "in code", "```\n- [ ] no\n```\n- [ ] yes\n", 1, 0, "M1/S1/T1 yes\n" },
    { "odd titles", "- [ ] - :\n- [ ] ## M1 x\n- [ ] risk: high\n", 3, 0,
      "M1/S1/T1 Task\nM1/S1/T2 ## M1 x\nM1/S1/T3 risk: high\n" },
    { "all done", "- [x] one\n", 0, 1, NULL },
    { "no list", "words\n- item\n", 0, 0, NULL },
    { "nothing", "", 0, 0, NULL },
};

static void describe(const struct sf_plan *p, struct sf_strbuf *out)
{
    for (size_t t = 0; t < p->task_count; t++) {
        sf_strbuf_addf(out, "%s %s", p->tasks[t].head.id, p->tasks[t].head.title);
        for (size_t i = 0; i < p->tasks[t].depends.count; i++)
            sf_strbuf_addf(out, "%s %s", i ? "" : " <",
                           sf_plan_ref_id(p, &p->tasks[t].depends.items[i]));
        sf_strbuf_addch(out, '\n');
    }
}

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_strbuf text = SF_STRBUF_INIT, got = SF_STRBUF_INIT;
        struct sf_plan_faults faults = SF_PLAN_FAULTS_INIT;
        struct sf_plan plan = SF_PLAN_INIT;
        struct sf_plan_import counts;
        struct sf_error err = SF_ERROR_INIT;
        bool ok =
            sf_plan_import(cases[i].list, strlen(cases[i].list), "notes", &text, &counts, &err);

        if (ok != (cases[i].want != NULL) || counts.taken != cases[i].taken ||
            counts.dropped != cases[i].dropped)
            fail_msg("%s: %zu taken, %zu dropped: %s", cases[i].name, counts.taken, counts.dropped,
                     err.msg);
        if (ok) {
            assert_true(sf_plan_parse(text.buf, text.len, &plan, &faults));
            describe(&plan, &got);
            if (strcmp(got.buf, cases[i].want) != 0)
                fail_msg("%s:\n%s", cases[i].name, got.buf);
        }
        sf_plan_release(&plan);
        sf_strbuf_release(&text);
        sf_strbuf_release(&got);
    }
}

static void test_words(void **state)
{
    static const char list[] = "# Release: *2*\n## Ship\n- [ ] Build it\n  for all\n\n  systems\n";
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_plan_faults faults = SF_PLAN_FAULTS_INIT;
    struct sf_plan plan = SF_PLAN_INIT;
    struct sf_plan_import counts;
    struct sf_error err = SF_ERROR_INIT;

    (void)state;
    assert_true(sf_plan_import(list, strlen(list), "x", &text, &counts, &err));
    assert_true(sf_plan_parse(text.buf, text.len, &plan, &faults));
    assert_string_equal(plan.title, "Release: *2*");
    assert_string_equal(plan.milestones[0].head.title, "Ship");
    assert_string_equal(plan.slices[0].head.title, "Tasks");
    assert_string_equal(plan.tasks[0].what, "Build it\nfor all\nsystems");
    sf_plan_release(&plan);
    sf_strbuf_release(&text);
}

static void test_anything(void **state)
{
    static const char *const parts[] = { "- [ ] ",       "- [x] ", "  ",   "\n",  "# ",
                                         "### ",         "a",      "`",    "```", ":",
                                         "\xe2\x80\x94", "\xff",   "\x1b", "M1",  "\t",
                                         "\xe2\x80\xae" };
    uint32_t seed = 7;

    (void)state;
    for (int run = 0; run < 3000; run++) {
        struct sf_strbuf list = SF_STRBUF_INIT, text = SF_STRBUF_INIT;
        struct sf_plan_import counts;
        struct sf_error err = SF_ERROR_INIT;

        for (int i = 0; i < 40; i++) {
            seed = seed * 1664525u + 1013904223u;
            sf_strbuf_adds(&list, parts[(seed >> 8) % SF_COUNT(parts)]);
        }
        if (!sf_plan_import(list.buf, list.len, "t", &text, &counts, &err) && counts.taken)
            fail_msg("%s from\n%s\nas\n%s", err.msg, list.buf, text.buf);
        sf_strbuf_release(&list);
        sf_strbuf_release(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_anything),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
