/*
 * test_task_state.c: the moves of a task, over all pairs of states: what exists, who may, and what
 * nobody can do whatever the table says.
 */
#include "base/base.h"
#include "plan/plan.h"
#include "support/test.h"

enum { S = SF_TASK_STATES };

static enum sf_task_state state_named(const char *name)
{
    for (int i = 0; i < S; i++)
        if (!strcmp(sf_task_states[i], name))
            return (enum sf_task_state)i;
    fail_msg("no state is called %s", name);
    return SF_TASK_TODO;
}

static void test_names(void **state)
{
    static const char *const names[] = {
        "todo",    "running", "verifying", "reviewing", "done",
        "blocked", "paused",  "failed",    "cancelled", "retrying"
    };

    (void)state;
    for (int i = 0; i < S; i++)
        assert_string_equal(sf_task_states[i], names[i]);
    assert_null(sf_task_states[S]);
}

/* Every legal move, spelled a second time on purpose: m machine, v with a verdict, p a person. */
static void test_all_pairs(void **state)
{
    static const struct {
        const char *from, *moves;
    } rows[] = {
        { "todo", "running:mvp blocked:mvp cancelled:p" },
        { "running", "verifying:mv retrying:mvp todo:mvp blocked:mvp paused:mvp failed:mvp "
                     "cancelled:p" },
        { "verifying", "done:v reviewing:mv running:mv retrying:mvp todo:mvp blocked:mvp "
                       "paused:mvp failed:mvp cancelled:p" },
        { "reviewing", "done:vp running:mvp retrying:mvp todo:mvp blocked:mvp paused:mvp "
                       "failed:mvp cancelled:p" },
        { "done", "" },
        { "blocked", "todo:p retrying:p cancelled:p" },
        { "paused", "running:p todo:p cancelled:p" },
        { "failed", "todo:p retrying:p cancelled:p" },
        { "cancelled", "todo:p retrying:p" },
        { "retrying", "running:mvp todo:mvp blocked:mvp paused:mvp failed:mvp cancelled:p" },
    };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        enum sf_task_state from = state_named(rows[i].from);

        for (int to = 0; to < S; to++) {
            char word[32], who[4] = "";
            const char *at;

            snprintf(word, sizeof(word), "%s:", sf_task_states[to]);
            at = strstr(rows[i].moves, word);
            if (at)
                snprintf(who, sizeof(who), "%.*s", (int)strcspn(at + strlen(word), " "),
                         at + strlen(word));
            if (sf_task_move_is_legal(from, (enum sf_task_state)to) != (at != NULL) ||
                sf_task_move_may(from, (enum sf_task_state)to, SF_TASK_BY_MACHINE) !=
                    (strchr(who, 'm') != NULL) ||
                sf_task_move_may(from, (enum sf_task_state)to, SF_TASK_BY_VERDICT) !=
                    (strchr(who, 'v') != NULL) ||
                sf_task_move_may(from, (enum sf_task_state)to, SF_TASK_BY_PERSON) !=
                    (strchr(who, 'p') != NULL))
                fail_msg("%s to %s: expected %s", rows[i].from, sf_task_states[to],
                         at ? who : "no such move");
        }
    }
}

static void test_invariants(void **state)
{
    (void)state;
    for (int i = 0; i < S; i++) {
        enum sf_task_state a = (enum sf_task_state)i;

        assert_false(sf_task_move_is_legal(a, a));
        assert_false(sf_task_move_is_legal(SF_TASK_DONE, a));
        assert_false(sf_task_move_may(a, SF_TASK_DONE, SF_TASK_BY_MACHINE));
        if (a != SF_TASK_VERIFYING && a != SF_TASK_REVIEWING)
            assert_false(sf_task_move_is_legal(a, SF_TASK_DONE));
        for (int k = 0; k < S; k++) {
            enum sf_task_state b = (enum sf_task_state)k;

            assert_int_not_equal(
                sf_task_move_leads_to_done(a, b) + sf_task_move_leads_to_done(b, a), 2);
            if (sf_task_move_may(a, b, SF_TASK_BY_MACHINE))
                assert_true(sf_task_move_may(a, b, SF_TASK_BY_VERDICT));
        }
    }
}

/* What a repair and a crash may do: no legal way of theirs without a verdict or a person ends in
 * done, and what is at rest stays there. */
static void test_machine_alone(void **state)
{
    static const enum sf_task_state at_rest[] = { SF_TASK_DONE, SF_TASK_BLOCKED, SF_TASK_PAUSED,
                                                  SF_TASK_FAILED, SF_TASK_CANCELLED };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(at_rest); i++)
        for (int to = 0; to < S; to++)
            assert_false(sf_task_move_may(at_rest[i], (enum sf_task_state)to, SF_TASK_BY_VERDICT));
    for (int from = 0; from < S; from++) {
        assert_false(sf_task_move_leads_to_done(SF_TASK_DONE, (enum sf_task_state)from));
        if (from != SF_TASK_DONE)
            assert_true(sf_task_move_leads_to_done((enum sf_task_state)from, SF_TASK_DONE));
    }
    assert_false(sf_task_move_leads_to_done(SF_TASK_RUNNING, SF_TASK_RETRYING));
    assert_false(sf_task_move_leads_to_done(SF_TASK_RUNNING, SF_TASK_TODO));
    assert_true(sf_task_move_leads_to_done(SF_TASK_BLOCKED, SF_TASK_TODO));
    assert_true(sf_task_move_leads_to_done(SF_TASK_RUNNING, SF_TASK_VERIFYING));
}

static void test_held(void **state)
{
    (void)state;
    for (int i = 0; i < S; i++)
        assert_int_equal(sf_task_state_is_held((enum sf_task_state)i),
                         i == SF_TASK_RUNNING || i == SF_TASK_VERIFYING);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),      cmocka_unit_test(test_all_pairs),
        cmocka_unit_test(test_invariants), cmocka_unit_test(test_machine_alone),
        cmocka_unit_test(test_held),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
