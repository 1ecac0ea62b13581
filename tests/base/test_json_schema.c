/*
 * test_json_schema.c: a table of schemas with values that fit and that do not; which schemas are
 * refused, naming the keyword; which ones services take; and that neither circles nor alternatives
 * of alternatives run away.
 */
#include "base/base.h"
#include "support/test.h"

#define PERSON                                                                      \
    "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"},\"age\":{" \
    "\"type\":\"integer\",\"minimum\":0}},\"required\":[\"name\"],"                 \
    "\"additionalProperties\":false}"
#define TREE                                                                          \
    "{\"$defs\":{\"node\":{\"type\":\"object\",\"properties\":{\"next\":{\"anyOf\":[" \
    "{\"$ref\":\"#/$defs/node\"},{\"type\":\"null\"}]}},\"required\":[\"next\"]}},"   \
    "\"$ref\":\"#/$defs/node\"}"

static const struct {
    const char *name, *schema, *value;
    const char *why; /* NULL: it fits */
} cases[] = {
    { "anything", "{}", "[1]", NULL },
    { "true", "true", "1", NULL },
    { "false", "false", "1", "is not allowed" },
    { "a type", "{\"type\":\"string\"}", "\"a\"", NULL },
    { "another type", "{\"type\":\"string\"}", "1", "/: must be of type string" },
    { "one of two types", "{\"type\":[\"string\",\"null\"]}", "null", NULL },
    { "none of two types", "{\"type\":[\"string\",\"null\"]}", "1", "string or null" },
    { "an integer", "{\"type\":\"integer\"}", "3.0", NULL },
    { "no integer", "{\"type\":\"integer\"}", "3.5", "integer" },
    { "a great integer", "{\"type\":\"integer\"}", "123456789012345678901234", NULL },
    { "a person", PERSON, "{\"name\":\"x\",\"age\":3}", NULL },
    { "a member lacks", PERSON, "{\"age\":3}", "lacks the member name" },
    { "a member too many", PERSON, "{\"name\":\"x\",\"y\":1}", "has the member y" },
    { "a member is wrong", PERSON, "{\"name\":1}", "/name: must be of type string" },
    { "a number too small", PERSON, "{\"name\":\"x\",\"age\":-1}", "/age: is beyond minimum 0" },
    { "others by a schema", "{\"additionalProperties\":{\"type\":\"integer\"}}", "{\"a\":\"x\"}",
      "/a: must be of type integer" },
    { "an enum", "{\"enum\":[\"a\",{\"b\":1,\"c\":2}]}", "{\"c\":2,\"b\":1}", NULL },
    { "not of the enum", "{\"enum\":[\"a\",1]}", "\"b\"", "enum" },
    { "a const", "{\"const\":[1,2]}", "[1,2]", NULL },
    { "not the const", "{\"const\":[1,2]}", "[1]", "const" },
    { "items", "{\"items\":{\"type\":\"string\"}}", "[\"a\",\"b\"]", NULL },
    { "a wrong item", "{\"items\":{\"type\":\"string\"}}", "[\"a\",2]", "/1: must be" },
    { "first items", "{\"prefixItems\":[{\"type\":\"string\"}],\"items\":false}", "[\"a\"]", NULL },
    { "an item too many", "{\"prefixItems\":[{\"type\":\"string\"}],\"items\":false}", "[\"a\",1]",
      "/1: is not allowed" },
    { "too few items", "{\"minItems\":2}", "[1]", "fewer than 2 items" },
    { "too many items", "{\"maxItems\":1}", "[1,2]", "more than 1 items" },
    { "the same item twice", "{\"uniqueItems\":true}", "[{\"a\":1},{\"a\":1}]", "twice" },
    { "different items", "{\"uniqueItems\":true}", "[1,\"1\"]", NULL },
    { "letters are counted, not bytes", "{\"maxLength\":2}", "\"äö\"", NULL },
    { "too long", "{\"maxLength\":2}", "\"abc\"", "more than 2 characters" },
    { "too short", "{\"minLength\":2}", "\"ä\"", "fewer than 2 characters" },
    { "members", "{\"minProperties\":1}", "{}", "fewer than 1 members" },
    { "the limit itself", "{\"maximum\":3}", "3", NULL },
    { "the limit excluded", "{\"exclusiveMaximum\":3}", "3", "exclusiveMaximum 3" },
    { "below it", "{\"exclusiveMinimum\":3}", "4", NULL },
    { "a multiple", "{\"multipleOf\":0.1}", "0.3", NULL },
    { "no multiple", "{\"multipleOf\":2}", "3", "multiple of 2" },
    { "a limit says nothing of strings", "{\"minimum\":3}", "\"a\"", NULL },
    { "any of", "{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"null\"}]}", "null", NULL },
    { "none of", "{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"null\"}]}", "1", "anyOf" },
    { "one of", "{\"oneOf\":[{\"type\":\"integer\"},{\"minimum\":5}]}", "3", NULL },
    { "two of one", "{\"oneOf\":[{\"type\":\"integer\"},{\"minimum\":5}]}", "7", "several" },
    { "all of", "{\"allOf\":[{\"type\":\"integer\"},{\"minimum\":5}]}", "3", "minimum 5" },
    { "not", "{\"not\":{\"type\":\"null\"}}", "null", "excludes" },
    { "not, and it is not", "{\"not\":{\"type\":\"null\"}}", "1", NULL },
    { "a reference", TREE, "{\"next\":{\"next\":null}}", NULL },
    { "a reference that does not fit", TREE, "{\"next\":{\"next\":1}}", "/next: fits none" },
    { "notes", "{\"title\":\"x\",\"format\":\"date\",\"default\":1}", "\"no date\"", NULL },
};

static struct sf_json *parse(const char *text)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json *json = sf_json_parse(text, strlen(text), NULL, &err);

    if (!json)
        fail_msg("%s: %s", text, err.msg);
    return json;
}

static void test_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_json *schema = parse(cases[i].schema), *value = parse(cases[i].value);
        struct sf_error err = SF_ERROR_INIT;
        bool ok = sf_json_schema_check(schema, &err);

        if (!ok)
            fail_msg("%s: %s", cases[i].name, err.msg);
        ok = sf_json_schema_fits(schema, value, &err);
        if (ok != !cases[i].why || (!ok && !strstr(err.msg, cases[i].why)))
            fail_msg("%s: %s", cases[i].name, ok ? "fits" : err.msg);
        sf_json_free(schema);
        sf_json_free(value);
    }
}

static const struct {
    const char *name, *schema, *why;
} schemas[] = {
    { "an unknown keyword", "{\"pattern\":\"a\"}", "/: the keyword pattern is not supported" },
    { "one further in", "{\"properties\":{\"a\":{\"if\":true}}}",
      "/properties/a: the keyword if is not supported" },
    { "a list", "[]", "must be a schema" },
    { "no such type", "{\"type\":\"text\"}", "/type: is no type: text" },
    { "no such type in a list", "{\"type\":[\"text\"]}", "a name of a type" },
    { "an empty enum", "{\"enum\":[]}", "a list of values" },
    { "a negative count", "{\"minItems\":-1}", "a whole number from 0" },
    { "a half count", "{\"minItems\":1.5}", "a whole number from 0" },
    { "a limit that is a string", "{\"minimum\":\"1\"}", "must be a number" },
    { "no alternatives", "{\"anyOf\":[]}", "a list of schemas" },
    { "properties that are a list", "{\"properties\":[]}", "an object" },
    { "names that are numbers", "{\"required\":[1]}", "a string" },
    { "multiples of nothing", "{\"multipleOf\":0}", "a number above 0" },
    { "multiples of less", "{\"multipleOf\":-2}", "a number above 0" },
    { "a reference to itself", "{\"$ref\":\"#\"}", "could ever be checked" },
    { "a circle of references",
      "{\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{\"anyOf\":[{\"$ref\":\"#/$defs/a\"}]}}}",
      "could ever be checked" },
    { "a reference elsewhere", "{\"$ref\":\"http://example.org/a\"}", "no part of this schema" },
    { "a reference to nothing", "{\"$ref\":\"#/$defs/a\"}", "no part of this schema" },
};

static void test_schemas(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(schemas); i++) {
        struct sf_json *schema = parse(schemas[i].schema);
        struct sf_error err = SF_ERROR_INIT;

        if (sf_json_schema_check(schema, &err) || !strstr(err.msg, schemas[i].why))
            fail_msg("%s: %s", schemas[i].name, err.msg);
        sf_json_free(schema);
    }
}

static const struct {
    const char *name, *schema;
    bool closed;
} services[] = {
    { "all members are required",
      "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}},\"required\":[\"a\"],"
      "\"additionalProperties\":false}",
      true },
    { "one is not required", PERSON, false },
    { "others are allowed", "{\"type\":\"object\",\"properties\":{\"a\":{}},\"required\":[\"a\"]}",
      false },
    { "an open object further in",
      "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"object\"}},\"required\":[\"a\"],"
      "\"additionalProperties\":false}",
      false },
    { "a keyword that not all know",
      "{\"type\":\"object\",\"properties\":{\"a\":{\"minLength\":1}},\"required\":[\"a\"],"
      "\"additionalProperties\":false}",
      false },
    { "no object", "{\"type\":\"string\"}", false },
    { "no schema of an object", "true", false },
};

static void test_services(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(services); i++) {
        struct sf_json *schema = parse(services[i].schema);

        if (sf_json_schema_is_closed(schema) != services[i].closed)
            fail_msg("%s", services[i].name);
        sf_json_free(schema);
    }
}

/* A reference to itself, and alternatives that double with each level. */
/* Ways through a schema that multiply are found before a value comes; those of values, with it. */
static void test_ceilings(void **state)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json *schema,
        *value = parse("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]");

    (void)state;
    sf_strbuf_adds(&text, "{\"$defs\":{\"d0\":{\"type\":\"string\"}");
    for (int i = 1; i < 60; i++)
        sf_strbuf_addf(
            &text, ",\"d%d\":{\"oneOf\":[{\"$ref\":\"#/$defs/d%d\"},{\"$ref\":\"#/$defs/d%d\"}]}",
            i, i - 1, i - 1);
    sf_strbuf_adds(&text, "},\"$ref\":\"#/$defs/d30\"}");
    schema = parse(text.buf);
    assert_false(sf_json_schema_check(schema, &err));
    assert_non_null(strstr(err.msg, "could ever be checked"));
    sf_json_free(schema);
    schema = parse("{\"anyOf\":[{\"items\":{\"$ref\":\"#\"}},{\"items\":{\"$ref\":\"#\"}}],"
                   "\"not\":{\"items\":{\"$ref\":\"#\"}}}");
    assert_true(sf_json_schema_check(schema, &err));
    assert_false(sf_json_schema_fits(schema, value, &err));
    assert_int_equal(err.code, SF_E_LIMIT);
    sf_json_free(schema);
    sf_json_free(value);
    sf_strbuf_release(&text);
}

/* Many different items are compared in few steps; equal ones are found wherever they stand. */
static void test_many_items(void **state)
{
    struct sf_json *schema = parse("{\"uniqueItems\":true}");

    (void)state;
    for (int twice = 0; twice < 2; twice++) {
        struct sf_strbuf text = SF_STRBUF_INIT;
        struct sf_error err = SF_ERROR_INIT;
        struct sf_json *value;

        sf_strbuf_adds(&text, "[{\"a\":7,\"b\":[-0.0]}");
        for (int i = 0; i < 60000; i++)
            sf_strbuf_addf(&text, ",%d", i);
        sf_strbuf_adds(&text, twice ? ",{\"b\":[0],\"a\":7.0}]" : ",{\"b\":[0],\"a\":7.5}]");
        value = parse(text.buf);
        if (sf_json_schema_fits(schema, value, &err) == twice)
            fail_msg("twice %d: %s", twice, err.msg);
        sf_json_free(value);
        sf_strbuf_release(&text);
    }
    sf_json_free(schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),     cmocka_unit_test(test_schemas),
        cmocka_unit_test(test_services),   cmocka_unit_test(test_ceilings),
        cmocka_unit_test(test_many_items),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
