/*
 * test_action.c: what is asked of an action besides its verdict, for every kind of it; and that all of
 * its paths and all of its limits count, not the first alone.
 */
#include <string.h>

#include "guard/guard.h"
#include "support/test.h"

/* What an action of each kind is; a command stands below, as it depends on its class. */
static const struct {
    const char *name;
    enum sf_act act;
    bool own, writes, may_change, looks;
} acts[] = {
    { "read", SF_ACT_READ, false, false, false, true },
    { "write", SF_ACT_WRITE, false, true, true, false },
    { "delete", SF_ACT_DELETE, false, false, true, false },
    { "fetch", SF_ACT_FETCH, false, false, false, true },
    { "external", SF_ACT_EXTERNAL, false, false, true, false },
    { "note", SF_ACT_NOTE, false, true, false, false },
    { "revert", SF_ACT_REVERT, false, false, false, false },
    { "own", SF_ACT_OWN, true, false, false, false },
    { "submit", SF_ACT_SUBMIT, true, false, false, false },
    { "accept", SF_ACT_ACCEPT, true, false, false, false },
};

static void test_kinds(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(acts); i++) {
        const struct sf_action a = { .tool = "T", .act = acts[i].act };

        if (sf_acts[a.act].own != acts[i].own || sf_action_writes(&a) != acts[i].writes ||
            sf_action_may_change(&a) != acts[i].may_change ||
            sf_action_looks(&a) != acts[i].looks || sf_action_needs_shell(&a))
            fail_msg("%s: own %d, writes %d, may change %d, looks %d", acts[i].name,
                     sf_acts[a.act].own, sf_action_writes(&a), sf_action_may_change(&a),
                     sf_action_looks(&a));
    }
}

static const struct {
    const char *command;
    bool writes, may_change, looks;
} commands[] = {
    { "ls", false, false, true },      { "touch a", true, true, false },
    { "ls > a", true, true, false },   { "make test", false, true, false },
    { "rm -r a", false, true, false },
};

static void test_commands(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(commands); i++) {
        struct sf_shell_report report;
        struct sf_action a = { .tool = "Bash", .act = SF_ACT_SHELL, .shell = &report };

        sf_shell_classify(commands[i].command, strlen(commands[i].command), &report);
        if (sf_action_writes(&a) != commands[i].writes ||
            sf_action_may_change(&a) != commands[i].may_change ||
            sf_action_looks(&a) != commands[i].looks || !sf_action_needs_shell(&a))
            fail_msg("%s: writes %d, may change %d, looks %d", commands[i].command,
                     sf_action_writes(&a), sf_action_may_change(&a), sf_action_looks(&a));
        sf_shell_report_release(&report);
    }
}

/* A refusal names every limit of the tool, and none of another. */
static void test_all_limits(void **state)
{
    struct sf_strlist grants = SF_STRLIST_INIT;
    struct sf_strbuf out = SF_STRBUF_INIT;

    (void)state;
    sf_strlist_add(&grants, "Read");
    sf_strlist_add(&grants, "Bash(git status)");
    sf_strlist_add(&grants, "Write(docs/**)");
    sf_strlist_add(&grants, "Bash(make *)");
    sf_grants_limits(&grants, "Bash", &out);
    assert_string_equal(out.buf, "git status, make *");
    sf_strlist_release(&grants);
    sf_strbuf_release(&out);
}

/* Protected places and what is to be confirmed are a person's to answer. */
static void test_person(void **state)
{
    (void)state;
    for (int layer = 0; layer <= SF_GUARD_LAST; layer++)
        for (int confirm = 0; confirm < 2; confirm++) {
            const struct sf_verdict v = { .answer = SF_ASK, .layer = layer, .confirm = confirm };

            if (sf_verdict_needs_person(&v) != (confirm || layer == SF_GUARD_PROTECTED))
                fail_msg("layer %d, to be confirmed %d", layer, confirm);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_commands),
        cmocka_unit_test(test_all_limits),
        cmocka_unit_test(test_person),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
