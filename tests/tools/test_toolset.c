/*
 * test_toolset.c: the tools of one session: found by name, on which terms each is had, and lists of
 * tools that people write.
 */
#include "base/base.h"
#include "support/test.h"
#include "tools/tools.h"

static const struct {
    const char *name, *tool;
    bool patches;
    int depth;
    const char *lacking; /* "": the session has it */
} cases[] = {
    { "edits are edits", "Edit", false, 0, "" },
    { "several at once too", "MultiEdit", false, 0, "" },
    { "patches are for others", "ApplyPatch", false, 0, "Edit takes its place" },
    { "who prefers patches has them", "ApplyPatch", true, 0, "" },
    { "in place of edits", "Edit", true, 0, "ApplyPatch takes its place" },
    { "of all of them", "MultiEdit", true, 0, "ApplyPatch takes its place" },
    { "writing whole files stays", "Write", true, 0, "" },
    { "a sub-agent has sub-agents", "Agent", false, SF_TOOLSET_DEPTH - 1, "" },
    { "the deepest has none", "Agent", false, SF_TOOLSET_DEPTH, "sub-agents go no deeper" },
    { "but reads", "Read", false, SF_TOOLSET_DEPTH, "" },
};

static void test_terms(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_toolset set;
        struct sf_offer_terms terms;
        const struct sf_tool *tool;

        sf_toolset_init(&set, cases[i].patches, cases[i].depth);
        tool = sf_toolset_find(&set, cases[i].tool);
        assert_non_null(tool);
        terms = sf_toolset_terms(&set, tool);
        if (strcmp(terms.lacking ? terms.lacking : "", cases[i].lacking) != 0)
            fail_msg("%s: %s", cases[i].name, terms.lacking ? terms.lacking : "it has it");
        assert_int_equal(terms.least, tool->least);
        assert_int_equal(terms.needs_shell, !strncmp(cases[i].tool, "Bash", 4));
    }
}

/* Every tool of the table is one of the session's, whether it is offered or not. */
static void test_all_are_found(void **state)
{
    struct sf_toolset set;

    (void)state;
    sf_toolset_init(&set, true, SF_TOOLSET_DEPTH);
    assert_int_equal(set.count, sf_tool_count);
    for (size_t i = 0; i < sf_tool_count; i++)
        assert_ptr_equal(sf_toolset_find(&set, sf_tools[i]->name), sf_tools[i]);
    assert_null(sf_toolset_find(&set, "read"));
    assert_null(sf_toolset_find(&set, ""));
}

static void test_unknown_names(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_toolset set;

    (void)state;
    sf_toolset_init(&set, false, 0);
    assert_null(sf_toolset_get(&set, "read", &err));
    assert_string_equal(err.msg, "there is no tool called read");
    assert_string_equal(err.hint, "did you mean Read?");
    assert_null(sf_toolset_get(&set, "\x1b[2J", &err));
    assert_null(strchr(err.msg, '\x1b'));
}

static void test_lists(void **state)
{
    static const struct {
        const char *list;
        const char *hint; /* NULL: it is fine */
    } lists[] = {
        { "Read, Edit", NULL },
        { "Read, Bash(git add:*)", NULL },
        { "Read, Raed", "did you mean Read?" },
        { "Plan(src/**)", "name it without a limit" },
    };
    struct sf_toolset set;

    (void)state;
    sf_toolset_init(&set, false, 0);
    for (size_t i = 0; i < SF_COUNT(lists); i++) {
        struct sf_strlist grants = SF_STRLIST_INIT;
        struct sf_error err = SF_ERROR_INIT;
        bool ok;

        assert_true(sf_grants_read(&grants, lists[i].list, &err));
        ok = sf_toolset_check(&set, &grants, &err);
        if (ok != !lists[i].hint || (!ok && !strstr(err.hint, lists[i].hint)))
            fail_msg("%s: %s (%s)", lists[i].list, err.msg, err.hint);
        sf_strlist_release(&grants);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_terms),
        cmocka_unit_test(test_all_are_found),
        cmocka_unit_test(test_unknown_names),
        cmocka_unit_test(test_lists),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
