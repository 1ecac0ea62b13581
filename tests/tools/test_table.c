/*
 * The table: its order, rows that are complete, schemas that every server takes, and which tools
 * a session offers.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "support/test.h"
#include "tools/tools.h"

/* Never reordered: caches of services depend on it. Rows may be missing, not moved. */
static const char *const order[] = {
    "Read",           "Write",       "Edit",       "MultiEdit", "ApplyPatch", "LS",       "Glob",
    "Grep",           "Bash",        "BashOutput", "BashKill",  "Fetch",      "Plan",     "AskUser",
    "ChangeToolMode", "GetFeedback", "RevertTurn", "Agent",     "Skill",      "Remember",
};

static void test_order(void **state)
{
    size_t at = 0;

    (void)state;
    for (size_t i = 0; i < sf_tool_count; i++) {
        while (at < SF_COUNT(order) && strcmp(order[at], sf_tools[i]->name) != 0)
            at++;
        if (at == SF_COUNT(order))
            fail_msg("%s is not where it should be", sf_tools[i]->name);
        at++;
    }
}

static void test_rows_are_complete(void **state)
{
    (void)state;
    for (size_t i = 0; i < sf_tool_count; i++) {
        const struct sf_tool *t = sf_tools[i];
        bool able = (t->where == SF_TOOL_WORKER && t->run && !t->start) ||
                    (t->where == SF_TOOL_CHILD && t->start && !t->run) ||
                    (t->where == SF_TOOL_SESSION && !t->run && !t->start);

        if (!able || !t->help || strlen(t->help) < 60)
            fail_msg("the row of %s is not complete", t->name);
        if (t->parallel && t->act != SF_ACT_READ && t->act != SF_ACT_OWN && t->act != SF_ACT_FETCH)
            fail_msg("%s does more than reading and says it is parallel", t->name);
        if (t->act == SF_ACT_WRITE && t->least < SF_PROFILE_NORMAL)
            fail_msg("%s writes and is offered to restricted sessions", t->name);
        assert_ptr_equal(sf_tool_find(t->name), t);
    }
    assert_null(sf_tool_find("read"));
    assert_null(sf_tool_find(""));
}

/* Type, description and enum of scalars; arrays of strings or of flat objects. */
static void check_property(const char *tool, const struct sf_json *p, int depth)
{
    static const char *const types = " string integer boolean array ";
    struct sf_error err = SF_ERROR_INIT;
    const char *type = "";
    const struct sf_json *items = sf_json_get(p, "items"), *inner;
    char wanted[32];

    assert_true(sf_json_get_str(p, "type", &type, &err));
    snprintf(wanted, sizeof(wanted), " %s ", type);
    if (!strstr(types, wanted) || !strcmp(type, "array") != !!items)
        fail_msg("%s has a property of type %s", tool, type);
    for (const struct sf_json *it = sf_json_first(p); it; it = sf_json_next(it))
        if (!strstr(" type description enum items ", sf_json_key(it)))
            fail_msg("%s uses the keyword %s", tool, sf_json_key(it));
    inner = items ? sf_json_get(items, "properties") : NULL;
    assert_true(depth == 0 || !items);
    for (const struct sf_json *it = inner ? sf_json_first(inner) : NULL; it; it = sf_json_next(it))
        check_property(tool, it, depth + 1);
}

static void test_schemas(void **state)
{
    (void)state;
    for (size_t i = 0; i < sf_tool_count; i++) {
        struct sf_strbuf sb = SF_STRBUF_INIT;
        struct sf_error err = SF_ERROR_INIT;
        struct sf_json_writer w;
        struct sf_json *json;
        const struct sf_json *props;

        sf_jw_init(&w, &sb);
        sf_args_schema(sf_tools[i]->args, sf_tools[i]->arg_count, &w);
        assert_true(sf_jw_done(&w));
        json = sf_json_parse(sb.buf, sb.len, NULL, &err);
        sf_strbuf_release(&sb);
        assert_non_null(json);
        assert_int_equal(sf_json_count(json), 4);
        assert_true(sf_json_get_object(json, "properties", &props, &err));
        assert_int_equal(sf_json_count(props), sf_tools[i]->arg_count);
        for (const struct sf_json *it = sf_json_first(props); it; it = sf_json_next(it))
            check_property(sf_tools[i]->name, it, 0);
        sf_json_free(json);
    }
}

static bool offers(const struct sf_tool_filter *filter, const char *name)
{
    return sf_tool_offered(sf_tool_find(name), filter);
}

static void test_profiles(void **state)
{
    struct sf_tool_filter f = { .profile = SF_PROFILE_RESTRICTED, .allow_shell = true };

    (void)state;
    assert_true(offers(&f, "Read"));
    assert_true(offers(&f, "Grep"));
    assert_true(offers(&f, "Plan"));
    assert_false(offers(&f, "Write"));
    assert_false(offers(&f, "Edit"));
    f.profile = SF_PROFILE_NORMAL;
    assert_true(offers(&f, "Write"));
    assert_true(offers(&f, "Edit"));
}

static void test_patches_instead_of_edits(void **state)
{
    struct sf_tool_filter f = { .profile = SF_PROFILE_NORMAL };

    (void)state;
    assert_true(offers(&f, "Edit"));
    assert_true(offers(&f, "MultiEdit"));
    assert_false(offers(&f, "ApplyPatch"));
    f.patches = true;
    assert_false(offers(&f, "Edit"));
    assert_false(offers(&f, "MultiEdit"));
    assert_true(offers(&f, "ApplyPatch"));
    assert_true(offers(&f, "Write"));
}

static void test_no_shell(void **state)
{
    struct sf_tool_filter f = { .profile = SF_PROFILE_UNRESTRICTED, .allow_shell = false };

    (void)state;
    for (size_t i = 0; i < sf_tool_count; i++)
        if (!strncmp(sf_tools[i]->name, "Bash", 4))
            assert_false(sf_tool_offered(sf_tools[i], &f));
}

static void test_depth(void **state)
{
    struct sf_tool_filter f = { .profile = SF_PROFILE_NORMAL, .depth = 2 };

    (void)state;
    assert_true(offers(&f, "Agent"));
    f.depth = 3;
    assert_false(offers(&f, "Agent"));
    assert_true(offers(&f, "Read"));
}

static void test_lists(void **state)
{
    struct sf_strlist some = SF_STRLIST_INIT, none = SF_STRLIST_INIT, odd = SF_STRLIST_INIT;
    struct sf_tool_filter f = { .profile = SF_PROFILE_NORMAL, .allowed = &some };
    struct sf_error err = SF_ERROR_INIT;

    (void)state;
    sf_strlist_add(&some, "Read");
    sf_strlist_add(&some, "Edit");
    sf_strlist_add(&none, "Edit");
    sf_strlist_add(&odd, "Raed");
    assert_true(offers(&f, "Read"));
    assert_true(offers(&f, "Edit"));
    assert_false(offers(&f, "Write"));
    f.disallowed = &none;
    assert_false(offers(&f, "Edit"));
    assert_true(sf_tool_filter_check(&f, &err));
    f.disallowed = &odd;
    assert_false(sf_tool_filter_check(&f, &err));
    assert_non_null(strstr(err.hint, "did you mean Read?"));
    sf_strlist_release(&some);
    sf_strlist_release(&none);
    sf_strlist_release(&odd);
}

static void test_unknown_tools(void **state)
{
    struct sf_error err = SF_ERROR_INIT;

    (void)state;
    assert_null(sf_tool_call_new("1", "read", "{}", 2, &err));
    assert_string_equal(err.msg, "there is no tool called read");
    assert_string_equal(err.hint, "did you mean Read?");
    assert_null(sf_tool_call_new("1", "\x1b[2J", "{}", 2, &err));
    assert_null(strchr(err.msg, '\x1b'));
    assert_null(sf_tool_call_new("1", "Read", "{}", 2, &err));
    assert_string_equal(err.msg, "Read: the argument file_path is missing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_rows_are_complete),
        cmocka_unit_test(test_schemas),
        cmocka_unit_test(test_profiles),
        cmocka_unit_test(test_patches_instead_of_edits),
        cmocka_unit_test(test_no_shell),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_unknown_tools),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
