/*
 * test_graph.c: orders and ready tasks against what a naive reading of the dependencies says, and
 * plans as large as they may be.
 */
#include "plan/plan.h"
#include "support/test.h"

static uint32_t seed;

static unsigned dice(unsigned n)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % n;
}

static bool parse(const struct sf_strbuf *text, struct sf_plan *plan)
{
    struct sf_plan_faults faults = SF_PLAN_FAULTS_INIT;
    bool ok = sf_plan_parse(text->buf, text->len, plan, &faults);

    for (size_t i = 0; i < faults.count; i++)
        if (!strstr(faults.items[i].msg, "wait for"))
            fail_msg("%u: %s", faults.items[i].line, faults.items[i].msg);
    sf_plan_faults_release(&faults);
    return ok;
}

static void random_plan(struct sf_strbuf *text)
{
    static const char *const refs[] = { "T1",    "T2",       "S1", "S2/T1",   "M1",
                                        "M1/S1", "M1/S1/T1", "M2", "M2/S1/T2" };

    sf_strbuf_reset(text);
    sf_strbuf_adds(text, "---\ntitle: t\n---\n");
    for (int m = 1; m <= 2; m++) {
        sf_strbuf_addf(text, "## M%d m\n", m);
        for (int s = 1; s <= 2; s++) {
            sf_strbuf_addf(text, "### S%d s\n", s);
            for (int t = 1; t <= 2; t++) {
                sf_strbuf_addf(text, "#### T%d t\n- what: w\n- priority: %u\n", t, 1 + dice(9));
                if (dice(3) == 0)
                    sf_strbuf_addf(text, "- depends_on: %s\n", refs[dice(SF_COUNT(refs))]);
            }
        }
    }
}

/* Whether task `t` depends directly on task `on`. */
static bool depends(const struct sf_plan *p, size_t t, size_t on)
{
    for (size_t i = 0; i < p->tasks[t].depends.count; i++) {
        const char *id = sf_plan_ref_id(p, &p->tasks[t].depends.items[i]);
        size_t len = strlen(id);

        if (!strncmp(p->tasks[on].head.id, id, len) && strchr("/", p->tasks[on].head.id[len]))
            return true;
    }
    return false;
}

static void check_order(const struct sf_plan *p)
{
    size_t order[16], place[16];

    sf_plan_order(p, order);
    for (size_t i = 0; i < p->task_count; i++)
        place[i] = SIZE_MAX;
    for (size_t i = 0; i < p->task_count; i++) {
        assert_int_equal(place[order[i]], SIZE_MAX);
        place[order[i]] = i;
    }
    for (size_t t = 0; t < p->task_count; t++)
        for (size_t on = 0; on < p->task_count; on++)
            if (depends(p, t, on))
                assert_true(place[on] < place[t]);
}

static void check_ready(const struct sf_plan *p)
{
    enum sf_task_state states[16];
    size_t ready[16], count, waits[2];

    for (size_t t = 0; t < p->task_count; t++)
        states[t] = dice(2) ? SF_TASK_DONE : (enum sf_task_state)dice(SF_TASK_STATES);
    count = sf_plan_ready(p, states, ready);
    for (size_t i = 1; i < count; i++) {
        int a = p->tasks[ready[i - 1]].priority, b = p->tasks[ready[i]].priority;

        assert_true(a < b || (a == b && ready[i - 1] < ready[i]));
    }
    for (size_t t = 0; t < p->task_count; t++) {
        size_t open = 0, found = 0;

        for (size_t on = 0; on < p->task_count; on++)
            open += depends(p, t, on) && states[on] != SF_TASK_DONE;
        for (size_t i = 0; i < count; i++)
            found += ready[i] == t;
        assert_int_equal(found,
                         !open && (states[t] == SF_TASK_TODO || states[t] == SF_TASK_RETRYING));
        assert_int_equal(sf_plan_waits_for(p, states, t, waits, 2), open);
        for (size_t i = 0; i < open && i < 2; i++)
            assert_true(depends(p, t, waits[i]) && states[waits[i]] != SF_TASK_DONE);
    }
}

/* The transitive closure says whether there is a circle. */
static bool has_circle(const struct sf_plan *p)
{
    bool reach[16][16] = { { false } };

    for (size_t t = 0; t < p->task_count; t++)
        for (size_t on = 0; on < p->task_count; on++)
            reach[t][on] = depends(p, t, on);
    for (size_t k = 0; k < p->task_count; k++)
        for (size_t i = 0; i < p->task_count; i++)
            for (size_t j = 0; j < p->task_count; j++)
                reach[i][j] = reach[i][j] || (reach[i][k] && reach[k][j]);
    for (size_t t = 0; t < p->task_count; t++)
        if (reach[t][t])
            return true;
    return false;
}

/* The same plan without dependencies, to which they are given by hand: circles too. */
static void test_random(void **state)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    int good = 0, bad = 0;

    (void)state;
    for (uint32_t run = 1; run <= 2000; run++) {
        struct sf_plan plan = SF_PLAN_INIT;

        seed = run;
        random_plan(&text);
        if (parse(&text, &plan)) {
            assert_false(has_circle(&plan));
            check_order(&plan);
            for (int i = 0; i < 5; i++)
                check_ready(&plan);
            good++;
        } else {
            bad++;
        }
        sf_plan_release(&plan);
    }
    assert_true(good > 200 && bad > 200);
    sf_strbuf_release(&text);
}

/* Each task of the second half depends on all of the first: 25 million pairs, 5,000 edges. */
static void test_large(void **state)
{
    enum { N = SF_PLAN_TASKS };
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_plan plan = SF_PLAN_INIT;
    enum sf_task_state *states = sf_alloc_array(N, sizeof(*states));
    size_t *order = sf_alloc_array(N, sizeof(*order));

    (void)state;
    sf_strbuf_adds(&text, "---\ntitle: t\n---\n");
    for (int i = 0; i < N; i++) {
        if (i % (N / 2) == 0)
            sf_strbuf_addf(&text, "## M%d m\n### S1 s\n", i / (N / 2) + 1);
        sf_strbuf_addf(&text, "#### T%d t\n- what: w\n%s", i % (N / 2) + 1,
                       i >= N / 2 ? "- depends_on: M1\n" : "");
    }
    assert_true(parse(&text, &plan));
    sf_plan_order(&plan, order);
    for (size_t i = 0; i < N; i++)
        assert_int_equal(order[i], i);
    assert_int_equal(sf_plan_ready(&plan, states, order), N / 2);
    assert_int_equal(sf_plan_waits_for(&plan, states, N - 1, order, 10), N / 2);
    for (size_t i = 0; i < N / 2; i++)
        states[i] = SF_TASK_DONE;
    assert_int_equal(sf_plan_ready(&plan, states, order), N / 2);
    assert_int_equal(order[0], N / 2);
    sf_plan_release(&plan);
    sf_strbuf_release(&text);
    free(states);
    free(order);
}

/* A chain the long way round, closed at its end. */
static void test_long_circle(void **state)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_plan plan = SF_PLAN_INIT;
    struct sf_plan_faults faults = SF_PLAN_FAULTS_INIT;

    (void)state;
    sf_strbuf_adds(&text, "---\ntitle: t\n---\n## M1 m\n### S1 s\n");
    for (int i = 1; i <= SF_PLAN_TASKS; i++)
        sf_strbuf_addf(&text, "#### T%d t\n- what: w\n- depends_on: T%d\n", i,
                       i % SF_PLAN_TASKS + 1);
    assert_false(sf_plan_parse(text.buf, text.len, &plan, &faults));
    assert_int_equal(faults.count, 1);
    assert_non_null(strstr(faults.items[0].msg, "(10000 in all)"));
    sf_plan_faults_release(&faults);
    sf_strbuf_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_long_circle),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
