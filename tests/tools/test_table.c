/*
 * The table: its order, rows that are complete, and schemas that every server takes.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "support/test.h"
#include "tools/tools.h"

/* Never reordered: caches of services depend on it. Rows may be missing, not moved. */
static const char *const order[] = {
    "Read",  "Write",    "Edit",           "MultiEdit",   "ApplyPatch", "LS",
    "Glob",  "Grep",     "Bash",           "BashOutput",  "BashKill",   "Fetch",
    "Plan",  "AskUser",  "ChangeToolMode", "GetFeedback", "RevertTurn", "Agent",
    "Skill", "Remember", "Findings",
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

static void test_arguments(void **state)
{
    struct sf_error err = SF_ERROR_INIT;

    (void)state;
    assert_null(sf_tool_call_new(NULL, "1", "{}", 2, &err));
    assert_null(sf_tool_call_new(sf_tool_find("Read"), "1", "{}", 2, &err));
    assert_string_equal(err.msg, "Read: the argument file_path is missing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_rows_are_complete),
        cmocka_unit_test(test_schemas),
        cmocka_unit_test(test_arguments),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
