/*
 * test_args.c: schemas from rows, what is taken, what is refused and in which words; and a hundred
 * thousand made-up objects, of which nothing that does not fit the rows may pass.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "support/test.h"
#include "tools/tools.h"

static const char *const colours[] = { "red", "green", NULL };

/* clang-format off */
static const struct sf_tool_arg members[] = {
    { .name = "content", .type = SF_ARG_STRING, .required = true, .help = "what" },
    { .name = "done", .type = SF_ARG_BOOL },
};

static const struct sf_tool_arg rows[] = {
    { .name = "path", .type = SF_ARG_STRING, .required = true, .alias = "file", .help = "where" },
    { .name = "count", .type = SF_ARG_INT, .min = -5, .max = 10 },
    { .name = "size", .type = SF_ARG_INT },
    { .name = "from", .type = SF_ARG_INT, .min = 1, .max = INT64_MAX, .help = "first" },
    { .name = "all", .type = SF_ARG_BOOL },
    { .name = "colour", .type = SF_ARG_ENUM, .choices = colours },
    { .name = "names", .type = SF_ARG_STRINGS, .max = 3 },
    { .name = "items", .type = SF_ARG_OBJECTS, .min = 1, .max = 4, .members = members,
      .member_count = SF_COUNT(members) },
};
/* clang-format on */

static void test_schema(void **state)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    struct sf_json_writer w;
    bool same;

    (void)state;
    sf_jw_init(&w, &sb);
    sf_args_schema(rows, SF_COUNT(rows), &w);
    same = !strcmp(
        sb.buf,
        "{\"type\":\"object\",\"properties\":{"
        "\"path\":{\"type\":\"string\",\"description\":\"where\"},"
        "\"count\":{\"type\":\"integer\",\"description\":\"(-5 to 10)\"},"
        "\"size\":{\"type\":\"integer\"},"
        "\"from\":{\"type\":\"integer\",\"description\":\"first (at least 1)\"},"
        "\"all\":{\"type\":\"boolean\"},"
        "\"colour\":{\"type\":\"string\",\"enum\":[\"red\",\"green\"]},"
        "\"names\":{\"type\":\"array\",\"description\":\"(0 to 3 items)\","
        "\"items\":{\"type\":\"string\"}},"
        "\"items\":{\"type\":\"array\",\"description\":\"(1 to 4 items)\",\"items\":"
        "{\"type\":\"object\",\"properties\":{\"content\":{\"type\":\"string\",\"description\":"
        "\"what\"},\"done\":{\"type\":\"boolean\"}},\"required\":[\"content\"],"
        "\"additionalProperties\":false}}},"
        "\"required\":[\"path\"],\"additionalProperties\":false}");
    if (!same)
        print_error("%s\n", sb.buf);
    sf_strbuf_release(&sb);
    assert_true(same);
}

static const struct {
    const char *name, *sent, *read; /* `read` NULL: refused, and then `says` is part of why */
    const char *says;
} cases[] = {
    { "the least", "{\"path\":\"a\"}", "{\"path\":\"a\"}", NULL },
    { "blanks around", " \n{ \"path\" : \"a\" }\t", "{\"path\":\"a\"}", NULL },
    { "the other name", "{\"file\":\"a\"}", "{\"path\":\"a\"}", NULL },
    { "an integer as text", "{\"path\":\"a\",\"count\":\"5\"}", "{\"path\":\"a\",\"count\":5}",
      NULL },
    { "a negative one as text", "{\"path\":\"a\",\"count\":\"-5\"}",
      "{\"path\":\"a\",\"count\":-5}", NULL },
    { "an integer with a fraction of zeros", "{\"path\":\"a\",\"count\":5.0}",
      "{\"path\":\"a\",\"count\":5}", NULL },
    { "an integer with an exponent", "{\"path\":\"a\",\"count\":1e1}",
      "{\"path\":\"a\",\"count\":10}", NULL },
    { "minus zero", "{\"path\":\"a\",\"count\":-0}", "{\"path\":\"a\",\"count\":0}", NULL },
    { "a boolean as text", "{\"path\":\"a\",\"all\":\"false\"}", "{\"path\":\"a\",\"all\":false}",
      NULL },
    { "null is absent", "{\"path\":\"a\",\"count\":null,\"items\":null}", "{\"path\":\"a\"}",
      NULL },
    { "null under one name", "{\"path\":null,\"file\":\"b\"}", "{\"path\":\"b\"}", NULL },
    { "the largest integer", "{\"path\":\"a\",\"size\":9223372036854775807}",
      "{\"path\":\"a\",\"size\":9223372036854775807}", NULL },
    { "the largest as text", "{\"path\":\"a\",\"size\":\"9223372036854775807\"}",
      "{\"path\":\"a\",\"size\":9223372036854775807}", NULL },
    { "controls in a string", "{\"path\":\"a\\u0001\\n\\u001b\"}",
      "{\"path\":\"a\\u0001\\n\\u001b\"}", NULL },
    { "all of them",
      "{\"items\":[{\"content\":\"x\",\"done\":\"true\"},{\"content\":\"\"}],\"names\":[\"\",\"b\"],"
      "\"colour\":\"green\",\"path\":\"\"}",
      "{\"path\":\"\",\"colour\":\"green\",\"names\":[\"\",\"b\"],\"items\":[{\"content\":\"x\","
      "\"done\":true},{\"content\":\"\"}]}",
      NULL },

    { "lists as text",
      "{\"path\":\"a\",\"names\":\"[\\\"b\\\"]\",\"items\":\"[{\\\"content\\\":\\\"x\\\"}]\"}",
      "{\"path\":\"a\",\"names\":[\"b\"],\"items\":[{\"content\":\"x\"}]}", NULL },
    { "an object as text where a list is wanted", "{\"path\":\"a\",\"names\":\"{}\"}", NULL,
      "names must be a list of strings, not a string" },
    { "a list of numbers as text", "{\"path\":\"a\",\"names\":\"[1]\"}", NULL,
      "it holds a number" },
    { "too deep, as text", "{\"path\":\"a\",\"names\":\"[[[[[[[[[[[[1]]]]]]]]]]]]\"}", NULL,
      "not a string" },

    { "nothing, where something is required", "", NULL, "the argument path is missing" },
    { "an empty object", "{}", NULL, "path (required)" },
    { "null for what is required", "{\"path\":null}", NULL, "the argument path is missing" },
    { "both names", "{\"path\":\"a\",\"file\":\"a\"}", NULL, "the same argument" },
    { "a list for all", "[]", NULL, "must be an object, not an array" },
    { "a string for all", "\"{}\"", NULL, "must be an object, not a string" },
    { "no JSON", "{path:a}", NULL, "cannot be read" },
    { "cut off", "{\"path\":\"a", NULL, "cannot be read" },
    { "a key twice", "{\"path\":\"a\",\"path\":\"b\"}", NULL, "cannot be read" },
    { "a NUL", "{\"path\":\"a\\u0000b\"}", NULL, "cannot be read" },
    { "a lone surrogate", "{\"path\":\"\\ud800\"}", NULL, "cannot be read" },
    { "damaged UTF-8", "{\"path\":\"\xff\"}", NULL, "cannot be read" },
    { "too deep", "{\"path\":[[[[[[[[[[[[1]]]]]]]]]]]]}", NULL, "cannot be read" },
    { "a number no double holds", "{\"path\":\"a\",\"size\":1e309}", NULL, "" },
    { "unknown, nearly right", "{\"path\":\"a\",\"coutn\":1}", NULL, "did you mean count?" },
    { "unknown, with an escape", "{\"path\":\"a\",\"\\u001b[2J\":1}", NULL,
      "there is no argument \xe2\x90\x9b[2J" },
    { "a number for a string", "{\"path\":5}", NULL, "path must be a string, not a number" },
    { "a list for a string", "{\"path\":[\"a\"]}", NULL, "path must be a string, not an array" },
    { "a string that is no integer", "{\"path\":\"a\",\"count\":\"5x\"}", NULL,
      "count must be a whole number, not a string" },
    { "a string with a blank", "{\"path\":\"a\",\"count\":\" 5\"}", NULL, "whole number" },
    { "a string with a plus", "{\"path\":\"a\",\"count\":\"+5\"}", NULL, "whole number" },
    { "an empty string", "{\"path\":\"a\",\"count\":\"\"}", NULL, "whole number" },
    { "a string too large", "{\"path\":\"a\",\"size\":\"9223372036854775808\"}", NULL, "whole" },
    { "a fraction", "{\"path\":\"a\",\"count\":5.5}", NULL, "whole number" },
    { "an integer too large", "{\"path\":\"a\",\"size\":9223372036854775808}", NULL, "whole" },
    { "below the range", "{\"path\":\"a\",\"count\":-6}", NULL, "from -5 to 10, not -6" },
    { "above the range", "{\"path\":\"a\",\"count\":11}", NULL, "from -5 to 10, not 11" },
    { "below the least", "{\"path\":\"a\",\"from\":0}", NULL, "at least 1, not 0" },
    { "1 for true", "{\"path\":\"a\",\"all\":1}", NULL, "all must be true or false" },
    { "yes for true", "{\"path\":\"a\",\"all\":\"yes\"}", NULL, "true or false" },
    { "no such choice", "{\"path\":\"a\",\"colour\":\"blue\"}", NULL, "it is one of: red, green" },
    { "a choice in capitals", "{\"path\":\"a\",\"colour\":\"RED\"}", NULL, "cannot be \"RED\"" },
    { "a number among strings", "{\"path\":\"a\",\"names\":[\"a\",1]}", NULL, "it holds a number" },
    { "null among strings", "{\"path\":\"a\",\"names\":[null]}", NULL, "it holds null" },
    { "a string for a list", "{\"path\":\"a\",\"names\":\"a\"}", NULL, "a list of strings" },
    { "too many", "{\"path\":\"a\",\"names\":[\"\",\"\",\"\",\"\"]}", NULL, "0 to 3 items, not 4" },
    { "too few", "{\"path\":\"a\",\"items\":[]}", NULL, "1 to 4 items, not 0" },
    { "a list of strings for objects", "{\"path\":\"a\",\"items\":[\"x\"]}", NULL,
      "a list of objects; it holds a string" },
    { "a member is missing", "{\"path\":\"a\",\"items\":[{\"content\":\"\"},{}]}", NULL,
      "items[1].content is missing" },
    { "a member is unknown", "{\"path\":\"a\",\"items\":[{\"content\":\"\",\"x\":1}]}", NULL,
      "no argument items[0].x" },
    { "a member is of another type", "{\"path\":\"a\",\"items\":[{\"content\":{}}]}", NULL,
      "items[0].content must be a string, not an object" },
};

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_error err = SF_ERROR_INIT;
        struct sf_json *json =
            sf_args_read(rows, SF_COUNT(rows), cases[i].sent, strlen(cases[i].sent), &err);
        struct sf_strbuf sb = SF_STRBUF_INIT;
        struct sf_json_writer w;
        bool good;

        sf_jw_init(&w, &sb);
        if (json)
            sf_jw_json(&w, json);
        good = cases[i].read
                   ? json && !strcmp(sb.buf, cases[i].read)
                   : !json && (strstr(err.msg, cases[i].says) || strstr(err.hint, cases[i].says));
        sf_json_free(json);
        if (!good)
            print_error("%s: got %s %s %s\n", cases[i].name, sb.buf, err.msg, err.hint);
        sf_strbuf_release(&sb);
        assert_true(good);
    }
}

static void test_too_long(void **state)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json *json;

    (void)state;
    sf_strbuf_adds(&sb, "{\"path\":\"");
    sf_strbuf_fill(&sb, 'x', SF_TOOL_ARGS_MAX);
    sf_strbuf_adds(&sb, "\"}");
    json = sf_args_read(rows, SF_COUNT(rows), sb.buf, sb.len, &err);
    sf_strbuf_release(&sb);
    assert_null(json);
    assert_non_null(strstr(err.msg, "cannot be read"));
}

/* As long as may be, and as expensive to write again as can be. */
static void test_longest(void **state)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json *json;
    size_t len;

    (void)state;
    sf_strbuf_adds(&sb, "{\"path\":\"");
    sf_strbuf_fill(&sb, '\x7f', SF_TOOL_ARGS_MAX - 11);
    sf_strbuf_adds(&sb, "\"}");
    json = sf_args_read(rows, SF_COUNT(rows), sb.buf, sb.len, &err);
    sf_strbuf_release(&sb);
    assert_non_null(json);
    len = strlen(sf_arg_str(json, "path", ""));
    sf_json_free(json);
    assert_int_equal(len, SF_TOOL_ARGS_MAX - 11);
}

static void test_values_and_fallbacks(void **state)
{
    static const char text[] = "{\"path\":\"p\",\"count\":\"7\",\"all\":\"true\"}";
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json *json = sf_args_read(rows, SF_COUNT(rows), text, strlen(text), &err);

    (void)state;
    assert_non_null(json);
    assert_string_equal(sf_arg_str(json, "path", "x"), "p");
    assert_string_equal(sf_arg_str(json, "colour", "x"), "x");
    assert_int_equal(sf_arg_int(json, "count", 3), 7);
    assert_int_equal(sf_arg_int(json, "size", 3), 3);
    assert_true(sf_arg_bool(json, "all", false));
    assert_true(sf_arg_bool(json, "nothing", true));
    sf_json_free(json);
}

/* A judge of its own: the tree has the shape the rows say, to the letter. */
static bool fits(const struct sf_tool_arg *args, size_t count, const struct sf_json *tree);

static bool value_fits(const struct sf_tool_arg *arg, const struct sf_json *v)
{
    struct sf_error err = SF_ERROR_INIT;
    const char *text = "";
    int64_t n = 0, items = (int64_t)sf_json_count(v);
    bool b, ok = true;

    switch (arg->type) {
    case SF_ARG_STRING:
        return sf_json_type(v) == SF_JSON_STRING;
    case SF_ARG_INT:
        return sf_json_as_int(v, "", &n, &err) &&
               ((!arg->min && !arg->max) || (n >= arg->min && n <= arg->max));
    case SF_ARG_BOOL:
        return sf_json_as_bool(v, "", &b, &err);
    case SF_ARG_ENUM:
        ok = sf_json_as_str(v, "", &text, &err);
        for (const char *const *c = arg->choices; ok && *c; c++)
            if (!strcmp(*c, text))
                return true;
        return false;
    case SF_ARG_STRINGS:
    case SF_ARG_OBJECTS:
        break;
    }
    if (sf_json_type(v) != SF_JSON_ARRAY || items < arg->min || (arg->max && items > arg->max))
        return false;
    for (const struct sf_json *it = sf_json_first(v); it && ok; it = sf_json_next(it))
        ok = arg->type == SF_ARG_STRINGS ? sf_json_type(it) == SF_JSON_STRING
                                         : fits(arg->members, arg->member_count, it);
    return ok;
}

static bool fits(const struct sf_tool_arg *args, size_t count, const struct sf_json *tree)
{
    size_t known = 0;

    if (sf_json_type(tree) != SF_JSON_OBJECT)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct sf_json *v = sf_json_get(tree, args[i].name);

        if (v ? !value_fits(&args[i], v) : args[i].required)
            return false;
        known += v != NULL;
    }
    return sf_json_count(tree) == known;
}

/* Numbers that are the same in every run. */
static uint64_t dice;

static unsigned roll(unsigned sides)
{
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return (unsigned)(dice >> 33) % sides;
}

static const char *const oddities[] = {
    "null",
    "true",
    "false",
    "0",
    "-0",
    "5",
    "-1",
    "5.5",
    "5.0",
    "1e309",
    "-1e309",
    "1e1",
    "1e-1",
    "99999999999999999999",
    "9223372036854775807",
    "-9223372036854775808",
    "\"\"",
    "\"5\"",
    "\"-0\"",
    "\"true\"",
    "\"True\"",
    "\"red\"",
    "\"pending\"",
    "\"content\"",
    "\"a/b.c\"",
    "\"\\ud800\"",
    "\"\\udc00\\ud800\"",
    "\"\\ud83d\\ude00\"",
    "\"\\u0000\"",
    "\"a\\u0000b\"",
    "\"\xff\xfe\"",
    "\"\xed\xa0\x80\"",
    "\"\x1b[2J\"",
    "\"\\u001b[2J\"",
    "[]",
    "[\"a\"]",
    "[\"a\",\"b\",\"c\",\"d\"]",
    "[1]",
    "[null]",
    "[[]]",
    "{}",
    "{\"a\":1}",
    "[{}]",
    "[{\"content\":\"x\"}]",
    "[{\"content\":\"x\",\"status\":\"pending\"}]",
    "[{\"content\":1}]",
    "[{\"content\":\"x\",\"content\":\"y\"}]",
    "[{\"old_string\":\"a\",\"new_string\":\"b\"}]",
    "[[[[[[[[[[]]]]]]]]]]",
    "NaN",
    "Infinity",
    "-",
    "+1",
    "01",
    "1.",
    "\"",
    "[",
    "{",
    "]",
    "",
};

static const char *const strange_keys[] = {
    "", "path ", "PATH", "__proto__", "\\u0000", "\\u001b", "content", "command", "x",
};

static void add_key(struct sf_strbuf *sb, const struct sf_tool_arg *args, size_t count)
{
    const struct sf_tool_arg *arg = count ? &args[roll((unsigned)count)] : NULL;

    if (!arg || roll(8) == 0)
        sf_strbuf_addf(sb, "\"%s\":", strange_keys[roll(SF_COUNT(strange_keys))]);
    else
        sf_strbuf_addf(sb, "\"%s\":", arg->alias && roll(4) == 0 ? arg->alias : arg->name);
}

static void make_object(struct sf_strbuf *sb, const struct sf_tool_arg *args, size_t count)
{
    unsigned pairs = roll((unsigned)count + 3);

    sf_strbuf_reset(sb);
    sf_strbuf_addch(sb, '{');
    for (size_t i = 0; i < count; i++) /* mostly what is required is there */
        if (args[i].required && roll(6))
            sf_strbuf_addf(sb, "%s\"%s\":%s", sb->len > 1 ? "," : "", args[i].name,
                           roll(3) ? "\"red\"" : oddities[roll(SF_COUNT(oddities))]);
    for (unsigned i = 0; i < pairs; i++) {
        if (sb->len > 1)
            sf_strbuf_addch(sb, ',');
        add_key(sb, args, count);
        sf_strbuf_adds(sb, oddities[roll(SF_COUNT(oddities))]);
    }
    sf_strbuf_addch(sb, '}');
    if (roll(40) == 0)
        sf_strbuf_truncate(sb, roll((unsigned)sb->len));
    if (roll(40) == 0)
        sb->buf[roll((unsigned)sb->len + 1)] = (char)roll(256);
    if (roll(100) == 0)
        sf_strbuf_addch(sb, '\0');
}

enum { MADE_UP = 100000 };

/* No body may be entered with arguments that do not fit its rows. */
static void test_made_up_objects(void **state)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    size_t taken = 0, refused = 0, wrong = 0;

    (void)state;
    dice = 0x5f3759df5f3759df;
    for (int i = 0; i < MADE_UP && !wrong; i++) {
        const struct sf_tool *tool = sf_tools[roll((unsigned)sf_tool_count)];
        struct sf_error err = SF_ERROR_INIT;

        if (i % 2) {
            struct sf_json *json;

            make_object(&sb, rows, SF_COUNT(rows));
            json = sf_args_read(rows, SF_COUNT(rows), sb.buf, sb.len, &err);
            wrong += json && !fits(rows, SF_COUNT(rows), json);
            json ? taken++ : refused++;
            wrong += !json && !*err.msg;
            sf_json_free(json);
        } else {
            struct sf_tool_call *call;

            make_object(&sb, tool->args, tool->arg_count);
            call = sf_tool_call_new(tool, "id", sb.buf, sb.len, &err);
            wrong += call && !fits(tool->args, tool->arg_count, call->args);
            call ? taken++ : refused++;
            wrong += !call && !*err.msg;
            sf_tool_call_free(call);
        }
        wrong += !sf_utf8_valid(err.msg, strlen(err.msg), NULL) || strchr(err.msg, '\x1b');
        if (wrong)
            print_error("%s: %s\n", tool->name, sb.buf);
    }
    sf_strbuf_release(&sb);
    assert_int_equal(wrong, 0);
    assert_true(taken > MADE_UP / 50);
    assert_true(refused > MADE_UP / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_schema),
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_too_long),
        cmocka_unit_test(test_longest),
        cmocka_unit_test(test_values_and_fallbacks),
        cmocka_unit_test(test_made_up_objects),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
