/*
 * test_round_trip.c: writing a plan and reading it again gives the same plan, for random files that
 * are made of everything a plan may contain; and a cut or damaged file is never read as a plan with
 * fewer tasks in silence.
 */
#include "plan/plan.h"
#include "support/test.h"

static uint32_t seed;

static unsigned dice(unsigned n)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % n;
}

static const char *pick(const char *const *words, size_t count)
{
    return words[dice((unsigned)count)];
}

static void add_words(struct sf_strbuf *out)
{
    static const char *const lines[] = {
        "plain words\n",
        "\n",
        "    indented\n",
        "```\n## M9 in code\n- risk: x\n```\n",
        "# not in code\n",
        "~~~~\n```\n~~~~\n",
        "##### five\n",
        "a: b\n",
        "\xc3\xa4 \xe2\x80\x94\n",
    };

    for (unsigned n = dice(4); n; n--) {
        const char *line = pick(lines, SF_COUNT(lines));

        if (strncmp(line, "# ", 2) != 0)
            sf_strbuf_adds(out, line);
    }
    sf_strbuf_adds(out, "\n");
}

static void add_value(struct sf_strbuf *out)
{
    static const char *const more[] = { "  - item\n", "\n",     "    deeper\n",
                                        "\ttab\n",    "  x \n", "  ## M1 no heading\n" };

    sf_strbuf_adds(out, dice(2) ? " some `code` words  \n" : "\n  begun below\n");
    for (unsigned n = dice(4); n; n--)
        sf_strbuf_adds(out, pick(more, SF_COUNT(more)));
}

static void add_task(struct sf_strbuf *out, unsigned number)
{
    static const char *const fields[] = {
        "- verify: make  test\n", "- files: a b.c:3-9, src/\n",
        "- risk: high\n",         "- mutation: external\n",
        "- approval: ask\n",      "- estimate: 61m\n",
        "- priority: 1\n",        "- depends_on:\n  - M1/S1\n",
        "- verify: `x | y`\n",    "- files:\n  - `q`\n  - r\n",
    };
    bool seen[SF_COUNT(fields)] = { false };

    sf_strbuf_addf(out, "#### T%u %s\n", number,
                   dice(2) ? "Title" : ": - \xe2\x80\x94 A title: with marks -");
    add_words(out);
    sf_strbuf_adds(out, "- what:");
    add_value(out);
    for (unsigned n = dice(6); n; n--) {
        unsigned i = dice(SF_COUNT(fields));
        unsigned twin = i == 8 ? 0 : i == 9 ? 1 : i == 0 ? 8 : i == 1 ? 9 : i;

        if (seen[i] || seen[twin] || (i == 7 && !strstr(out->buf, "### S2 ")))
            continue;
        seen[i] = true;
        sf_strbuf_adds(out, fields[i]);
    }
    if (dice(3) == 0) {
        sf_strbuf_adds(out, "- acceptance:");
        add_value(out);
    }
    if (dice(3) == 0)
        sf_strbuf_adds(out, "behind the fields\n");
}

static void random_plan(struct sf_strbuf *out)
{
    sf_strbuf_reset(out);
    sf_strbuf_adds(out, dice(2) ? "---\ntitle: 'it''s: #1'\ngoal: g\n---\n"
                                : "---\r\ntitle: \"\\u00e4\"\r\n---\r\n");
    add_words(out);
    for (unsigned m = 1, ms = 1 + dice(3); m <= ms; m++) {
        sf_strbuf_addf(out, "## M%u M\n", m);
        add_words(out);
        for (unsigned s = 1, ss = 1 + dice(3); s <= ss; s++) {
            sf_strbuf_addf(out, "### S%u S\n", s);
            add_words(out);
            for (unsigned t = 1, ts = 1 + dice(4); t <= ts; t++)
                add_task(out, t);
        }
    }
}

static bool parse(const struct sf_strbuf *text, struct sf_plan *plan, struct sf_strbuf *report)
{
    struct sf_plan_faults faults = SF_PLAN_FAULTS_INIT;
    bool ok = sf_plan_parse(text->buf, text->len, plan, &faults);

    sf_strbuf_reset(report);
    sf_plan_faults_text(&faults, "plan", report);
    sf_plan_faults_release(&faults);
    return ok;
}

static void as_json(const struct sf_plan *plan, struct sf_strbuf *out)
{
    struct sf_json_writer w;

    sf_strbuf_reset(out);
    sf_jw_init(&w, out);
    sf_plan_json(plan, &w);
    assert_true(sf_jw_done(&w));
}

static void test_round_trip(void **state)
{
    struct sf_strbuf text = SF_STRBUF_INIT, once = SF_STRBUF_INIT, twice = SF_STRBUF_INIT;
    struct sf_strbuf a = SF_STRBUF_INIT, b = SF_STRBUF_INIT, report = SF_STRBUF_INIT;

    (void)state;
    for (uint32_t run = 1; run <= 1500; run++) {
        struct sf_plan first = SF_PLAN_INIT, second = SF_PLAN_INIT;

        seed = run;
        random_plan(&text);
        if (!parse(&text, &first, &report))
            fail_msg("seed %u: %s\n%s", run, report.buf, text.buf);
        sf_strbuf_reset(&once);
        sf_plan_write(&first, &once);
        if (!parse(&once, &second, &report))
            fail_msg("seed %u, written: %s\n%s", run, report.buf, once.buf);
        as_json(&first, &a);
        as_json(&second, &b);
        sf_strbuf_reset(&twice);
        sf_plan_write(&second, &twice);
        if (strcmp(a.buf, b.buf) != 0 || strcmp(once.buf, twice.buf) != 0)
            fail_msg("seed %u:\n%s\n%s\n%s", run, a.buf, b.buf, once.buf);
        sf_plan_release(&first);
        sf_plan_release(&second);
    }
    sf_strbuf_release(&text);
    sf_strbuf_release(&once);
    sf_strbuf_release(&twice);
    sf_strbuf_release(&a);
    sf_strbuf_release(&b);
    sf_strbuf_release(&report);
}

/* Any bytes are read to an end, and either are a plan or have a fault with its place. */
static void test_damage(void **state)
{
    struct sf_strbuf text = SF_STRBUF_INIT, report = SF_STRBUF_INIT;

    (void)state;
    for (uint32_t run = 1; run <= 3000; run++) {
        struct sf_plan plan = SF_PLAN_INIT;

        seed = run;
        random_plan(&text);
        for (unsigned n = 1 + dice(4); n; n--)
            text.buf[dice((unsigned)text.len)] = "#-:`\n /MST\xff"[dice(11)];
        sf_strbuf_truncate(&text, text.len - dice((unsigned)text.len / 2));
        if (!parse(&text, &plan, &report))
            assert_int_equal(strncmp(report.buf, "plan:", 5), 0);
        else
            assert_true(plan.task_count > 0);
        sf_plan_release(&plan);
    }
    sf_strbuf_release(&text);
    sf_strbuf_release(&report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_damage),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
