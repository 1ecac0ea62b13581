/*
 * Reading JSON: the grammar to the letter, the ceilings, the getters. Most of what is refused
 * here is taken, cut or rounded without a word by lax readers.
 */

#include "base/base.h"
#include "support/json_equal.h"
#include "support/test.h"

#define BYTES(literal) (literal), sizeof(literal) - 1

static struct sf_json *parsed(const char *text)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json *json = sf_json_parse(text, strlen(text), NULL, &err);

    if (!json)
        fail_msg("%s: %s", text, err.msg);
    return json;
}

static const struct {
    const char *name, *text;
    size_t len;
    enum sf_json_type type;
} valid[] = {
    { "an empty object", BYTES("{}"), SF_JSON_OBJECT },
    { "an empty array", BYTES("[]"), SF_JSON_ARRAY },
    { "blanks of all four kinds", BYTES(" \t\r\n[ \t\r\n1 \t\r\n, \t\r\n2 ] \n"), SF_JSON_ARRAY },
    { "blanks in an object", BYTES("{ \"a\" : 1 , \"b\" : 2 }"), SF_JSON_OBJECT },
    { "true alone", BYTES("true"), SF_JSON_BOOL },
    { "false alone", BYTES("false"), SF_JSON_BOOL },
    { "null alone", BYTES("null"), SF_JSON_NULL },
    { "zero", BYTES("0"), SF_JSON_NUMBER },
    { "minus zero", BYTES("-0"), SF_JSON_NUMBER },
    { "an exponent", BYTES("1e5"), SF_JSON_NUMBER },
    { "a capital exponent with plus", BYTES("1E+5"), SF_JSON_NUMBER },
    { "an exponent with leading zeros", BYTES("1e-005"), SF_JSON_NUMBER },
    { "a fraction of zeros", BYTES("1.000"), SF_JSON_NUMBER },
    { "the largest double", BYTES("1.7976931348623157e308"), SF_JSON_NUMBER },
    { "less than the least double", BYTES("1e-400"), SF_JSON_NUMBER },
    { "a number of 63 characters",
      BYTES("100000000000000000000000000000000000000000000000000000000000000"), SF_JSON_NUMBER },
    { "the empty string", BYTES("\"\""), SF_JSON_STRING },
    { "every short escape", BYTES("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""), SF_JSON_STRING },
    { "a unicode escape in both cases", BYTES("\"\\u00e9\\u00E9\""), SF_JSON_STRING },
    { "a surrogate pair", BYTES("\"\\ud83d\\ude00\""), SF_JSON_STRING },
    { "four raw bytes", BYTES("\"\xf0\x9f\x98\x80\""), SF_JSON_STRING },
    { "the last code point", BYTES("\"\xf4\x8f\xbf\xbf\""), SF_JSON_STRING },
    { "a noncharacter", BYTES("\"\\uffff\xef\xbf\xbf\""), SF_JSON_STRING },
    { "DEL is no control of RFC 8259", BYTES("\"\x7f\""), SF_JSON_STRING },
    { "line separators", BYTES("\"\xe2\x80\xa8\xe2\x80\xa9\""), SF_JSON_STRING },
    { "an empty key", BYTES("{\"\":1}"), SF_JSON_OBJECT },
    { "keys that differ in case", BYTES("{\"a\":1,\"A\":2}"), SF_JSON_OBJECT },
    { "the same key in two objects", BYTES("[{\"a\":{\"a\":1}},{\"a\":2}]"), SF_JSON_ARRAY },
    { "the same key again after an inner object", BYTES("{\"b\":{\"a\":1},\"a\":2}"),
      SF_JSON_OBJECT },
};

static void test_valid(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(valid); i++) {
        struct sf_error err = SF_ERROR_INIT;
        struct sf_json *json = sf_json_parse(valid[i].text, valid[i].len, NULL, &err);

        if (!json)
            fail_msg("%s: %s", valid[i].name, err.msg);
        if (sf_json_type(json) != valid[i].type)
            fail_msg("%s: got %s", valid[i].name, sf_json_type_name(sf_json_type(json)));
        sf_json_free(json);
    }
}

static const struct {
    const char *name, *text;
    size_t len;
    size_t line, column;
} invalid[] = {
    { "nothing", BYTES(""), 1, 1 },
    { "only blanks", BYTES(" \n "), 2, 2 },
    { "a byte order mark", BYTES("\xef\xbb\xbf{}"), 1, 1 },
    { "a NUL behind the value", BYTES("{}\0"), 1, 3 },
    { "a NUL instead of a value", BYTES("\0"), 1, 1 },
    { "two values", BYTES("1 2"), 1, 3 },
    { "a comma behind the value", BYTES("1,"), 1, 2 },
    { "a bracket too many", BYTES("[]]"), 1, 3 },
    { "a bracket too few", BYTES("[1"), 1, 3 },
    { "a brace too few", BYTES("{\"a\":1"), 1, 7 },
    { "the wrong bracket", BYTES("[1}"), 1, 3 },
    { "the wrong brace", BYTES("{\"a\":1]"), 1, 7 },
    { "a closing bracket alone", BYTES("]"), 1, 1 },
    { "a trailing comma in an array", BYTES("[1,]"), 1, 4 },
    { "a trailing comma in an object", BYTES("{\"a\":1,}"), 1, 8 },
    { "a leading comma", BYTES("[,1]"), 1, 2 },
    { "two commas", BYTES("[1,,2]"), 1, 4 },
    { "no comma", BYTES("[1 2]"), 1, 4 },
    { "no colon", BYTES("{\"a\" 1}"), 1, 6 },
    { "two colons", BYTES("{\"a\"::1}"), 1, 6 },
    { "no value", BYTES("{\"a\":}"), 1, 6 },
    { "a key without quotes", BYTES("{a:1}"), 1, 2 },
    { "a number for a key", BYTES("{1:1}"), 1, 2 },
    { "single quotes", BYTES("['a']"), 1, 2 },
    { "a line comment", BYTES("[1] // x"), 1, 5 },
    { "a block comment", BYTES("[/* x */1]"), 1, 2 },
    { "a leading zero", BYTES("01"), 1, 1 },
    { "a leading zero behind minus", BYTES("[-01]"), 1, 3 },
    { "no digit behind the point", BYTES("1."), 1, 3 },
    { "no digit behind the point but an exponent", BYTES("1.e5"), 1, 3 },
    { "no digit before the point", BYTES(".5"), 1, 1 },
    { "a plus sign", BYTES("+1"), 1, 1 },
    { "minus alone", BYTES("-"), 1, 2 },
    { "two signs", BYTES("--1"), 1, 2 },
    { "minus before a word", BYTES("-true"), 1, 2 },
    { "an empty exponent", BYTES("1e"), 1, 3 },
    { "a signed empty exponent", BYTES("1e+"), 1, 4 },
    { "a fraction in the exponent", BYTES("1e5.5"), 1, 4 },
    { "hexadecimal", BYTES("0x10"), 1, 2 },
    { "digits with separators", BYTES("1_000"), 1, 2 },
    { "a letter behind a number", BYTES("[1a]"), 1, 3 },
    { "too large for a double", BYTES("1e309"), 1, 1 },
    { "too large, deep inside", BYTES("{\"a\":[1e5,\n {\"b\":-1e309}]}"), 2, 7 },
    { "just past the largest double", BYTES("[1.7976931348623159e308]"), 1, 2 },
    { "a number of 64 characters",
      BYTES("[1000000000000000000000000000000000000000000000000000000000000000]"), 1, 2 },
    { "NaN", BYTES("NaN"), 1, 1 },
    { "Infinity", BYTES("[Infinity]"), 1, 2 },
    { "minus Infinity", BYTES("[-Infinity]"), 1, 3 },
    { "a word in capitals", BYTES("True"), 1, 1 },
    { "a word cut short", BYTES("[tru]"), 1, 2 },
    { "a word at the end cut short", BYTES("nul"), 1, 1 },
    { "a word with a tail", BYTES("nulls"), 1, 5 },
    { "a string without end", BYTES("[\"a"), 1, 2 },
    { "a string that ends in a backslash", BYTES("\"a\\"), 1, 4 },
    { "a backslash before the last quote", BYTES("\"a\\\""), 1, 1 },
    { "a raw newline in a string", BYTES("\"a\nb\""), 1, 3 },
    { "a raw tab in a string", BYTES("\"a\tb\""), 1, 3 },
    { "a raw NUL in a string", BYTES("\"a\0b\""), 1, 3 },
    { "an unknown escape", BYTES("\"\\x41\""), 1, 3 },
    { "an escaped single quote", BYTES("\"\\'\""), 1, 3 },
    { "a backslash before NUL", BYTES("\"\\\0\""), 1, 3 },
    { "too few hexadecimal digits", BYTES("\"\\u12\""), 1, 6 },
    { "a letter among hexadecimal digits", BYTES("\"\\u12g4\""), 1, 6 },
    { "an escaped NUL", BYTES("\"a\\u0000b\""), 1, 3 },
    { "an escaped NUL in a key", BYTES("{\"a\\u0000\":1}"), 1, 4 },
    { "a high surrogate alone", BYTES("\"\\ud800\""), 1, 2 },
    { "a high surrogate before text", BYTES("\"\\ud800abcdef\""), 1, 2 },
    { "two high surrogates", BYTES("\"\\ud800\\ud800\""), 1, 2 },
    { "a low surrogate alone", BYTES("\"\\udc00\""), 1, 2 },
    { "the halves in the wrong order", BYTES("\"\\udc00\\ud800\""), 1, 2 },
    { "a high surrogate before another escape", BYTES("\"\\ud800\\n\""), 1, 2 },
    { "a high surrogate at the end of the text", BYTES("\"\\ud800\\"), 1, 2 },
    { "a raw surrogate", BYTES("\"\xed\xa0\x80\""), 1, 2 },
    { "a continuation byte alone", BYTES("\"\x80\""), 1, 2 },
    { "a sequence cut by the quote", BYTES("\"\xc3\""), 1, 2 },
    { "a sequence cut by the end", BYTES("\"\xe2\x80"), 1, 2 },
    { "an overlong slash", BYTES("\"\xc0\xaf\""), 1, 2 },
    { "an overlong three bytes", BYTES("\"\xe0\x80\xaf\""), 1, 2 },
    { "past the last code point", BYTES("\"\xf4\x90\x80\x80\""), 1, 2 },
    { "five bytes", BYTES("\"\xf8\x88\x80\x80\x80\""), 1, 2 },
    { "Latin-1", BYTES("\"caf\xe9\""), 1, 5 },
    { "bad bytes outside strings", BYTES("[\xff]"), 1, 2 },
    { "a no-break space", BYTES("\xc2\xa0[]"), 1, 1 },
    { "a form feed", BYTES("\f[]"), 1, 1 },
    { "a key twice", BYTES("{\"a\":1,\"b\":2,\n\"a\":3}"), 2, 1 },
    { "a key twice, once escaped", BYTES("{\"a\":1,\"\\u0061\":2}"), 1, 8 },
    { "a key twice, in two ways of writing a pair",
      BYTES("{\"\xf0\x9f\x98\x80\":1,\"\\uD83d\\uDE00\":2}"), 1, 8 },
    { "a key twice with a slash", BYTES("{\"a\\/b\":1,\"a/b\":2}"), 1, 11 },
    { "a key twice, both escaped", BYTES("{\"\\n\":1,\"\\u000a\":2}"), 1, 9 },
    { "the empty key twice", BYTES("{\"\":1,\"\":2}"), 1, 7 },
    { "columns count characters", BYTES("[\"\xc3\xa4\xf0\x9f\x98\x80\",x]"), 1, 7 },
};

static void test_invalid(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(invalid); i++) {
        struct sf_error err = SF_ERROR_INIT;
        char *copy = sf_strndup(invalid[i].text, invalid[i].len);
        struct sf_json *json = sf_json_parse(copy, invalid[i].len, NULL, &err);
        size_t line = 0, column = 0;

        free(copy);
        if (json)
            fail_msg("%s: accepted", invalid[i].name);
        if (sscanf(err.msg, "bad JSON at line %zu, column %zu:", &line, &column) != 2 ||
            line != invalid[i].line || column != invalid[i].column)
            fail_msg("%s: %s", invalid[i].name, err.msg);
    }
}

/* Exact length, no byte behind it: the sanitizer sees any step too far. */
static void test_every_prefix_is_refused_or_read_safely(void **state)
{
    static const char text[] =
        "{\"k\\u00e9\":[1.5e3,-0,true,false,null,\"\\ud83d\\ude00\xc3\xa9\"]}";
    size_t whole = sizeof(text) - 1;

    (void)state;
    for (size_t n = 0; n <= whole; n++) {
        struct sf_error err = SF_ERROR_INIT;
        char *exact = sf_alloc(n);
        struct sf_json *json;

        memcpy(exact, text, n);
        json = sf_json_parse(exact, n, NULL, &err);
        free(exact);
        assert_int_equal(json != NULL, n == whole);
        sf_json_free(json);
    }
}

static void repeat(struct sf_strbuf *sb, const char *text, size_t times)
{
    while (times--)
        sf_strbuf_adds(sb, text);
}

static bool nested_ok(size_t depth, const struct sf_json_limits *limits, struct sf_error *err)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    struct sf_json *json;

    repeat(&sb, "[{\"a\":", depth / 2);
    repeat(&sb, "[", depth % 2);
    if (depth % 2 == 0)
        sf_strbuf_adds(&sb, "1");
    repeat(&sb, "]", depth % 2);
    repeat(&sb, "}]", depth / 2);
    json = sf_json_parse(sb.buf, sb.len, limits, err);
    sf_strbuf_release(&sb);
    sf_json_free(json);
    return json != NULL;
}

static void test_depth(void **state)
{
    const struct sf_json_limits most = { .depth = SF_JSON_DEPTH_MAX }, two = { .depth = 2 };
    struct sf_error err = SF_ERROR_INIT;

    (void)state;
    assert_true(nested_ok(64, NULL, &err));
    assert_false(nested_ok(65, NULL, &err));
    assert_int_equal(err.code, SF_E_LIMIT);
    assert_true(nested_ok(128, &most, &err));
    assert_false(nested_ok(129, &most, &err));
    assert_true(nested_ok(2, &two, &err));
    assert_false(nested_ok(3, &two, &err));
}

static void test_brackets_without_end(void **state)
{
    static const char *const units[] = { "[", "{\"a\":", "[{\"a\":", "[[]," };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(units); i++) {
        struct sf_strbuf sb = SF_STRBUF_INIT;
        struct sf_error err = SF_ERROR_INIT;

        repeat(&sb, units[i], 100000);
        assert_null(sf_json_parse(sb.buf, sb.len, NULL, &err));
        assert_int_equal(err.code, SF_E_LIMIT);
        sf_strbuf_release(&sb);
    }
}

static void test_other_ceilings(void **state)
{
    const struct sf_json_limits small = { .bytes = 10, .nodes = 3 };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strbuf sb = SF_STRBUF_INIT;
    struct sf_json *json = sf_json_parse("[1, 2    ]", 10, &small, &err);

    (void)state;
    assert_non_null(json);
    sf_json_free(json);
    assert_null(sf_json_parse("[1, 2     ]", 11, &small, &err));
    assert_int_equal(err.code, SF_E_LIMIT);
    assert_null(sf_json_parse("[1,2,3]", 7, &small, &err));
    assert_int_equal(err.code, SF_E_LIMIT);
    assert_non_null(strstr(err.msg, "column 6"));

    sf_strbuf_addch(&sb, '"');
    sf_strbuf_fill(&sb, 'x', SF_JSON_BYTES - 2);
    sf_strbuf_addch(&sb, '"');
    json = sf_json_parse(sb.buf, sb.len, NULL, &err);
    assert_non_null(json);
    sf_json_free(json);
    sf_strbuf_addch(&sb, ' ');
    assert_null(sf_json_parse(sb.buf, sb.len, NULL, &err));
    assert_int_equal(err.code, SF_E_LIMIT);
    sf_strbuf_release(&sb);
}

/* Comparing each key with each other would need minutes here, and ctest would end it. */
static void test_many_keys(void **state)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json *json;

    (void)state;
    sf_strbuf_addch(&sb, '{');
    for (int i = 0; i < 200000; i++)
        sf_strbuf_addf(&sb, "%s\"%s%d\":%d", i ? "," : "", i % 2 ? "k" : "\\u006b", i, i);
    sf_strbuf_addch(&sb, '}');
    json = sf_json_parse(sb.buf, sb.len, NULL, &err);
    assert_non_null(json);
    assert_int_equal(sf_json_count(json), 200000);
    assert_string_equal(sf_json_key(json_item(json, 199999)), "k199999");
    sf_json_free(json);

    sf_strbuf_truncate(&sb, sb.len - 1);
    sf_strbuf_adds(&sb, ",\"k0\":0}");
    assert_null(sf_json_parse(sb.buf, sb.len, NULL, &err));
    assert_non_null(strstr(err.msg, "the key \"k0\" appears twice"));
    sf_strbuf_release(&sb);
}

static void test_hostile_key_stays_out_of_the_message(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    static const char text[] = "{\"\xc2\x9b[2J\":1,\"\xc2\x9b[2J\":1}";

    (void)state;
    assert_null(sf_json_parse(text, sizeof(text) - 1, NULL, &err));
    for (const char *p = err.msg; *p; p++)
        assert_in_range(*p, ' ', '~');
}

static const struct {
    const char *text, *want; /* NULL: refused */
} integers[] = {
    { "0", "0" },
    { "-0", "0" },
    { "3.0", "3" },
    { "3e0", "3" },
    { "-25E-1", NULL },
    { "12.5e1", "125" },
    { "3.5", NULL },
    { "1e-400", NULL }, /* zero to a double */
    { "999999999999999", "999999999999999" },
    { "9007199254740991", "9007199254740991" },
    { "9007199254740993", "9007199254740993" },
    { "-9007199254740993", "-9007199254740993" },
    { "9007199254740993.0", "9007199254740993" },
    { "9007199254740992.5", NULL },
    { "1.00000000000000000001", NULL },
    { "100000000000000.0", "100000000000000" },
    { "9223372036854775807", "9223372036854775807" },
    { "-9223372036854775808", "-9223372036854775808" },
    { "9223372036854775808", NULL },
    { "-9223372036854775809", NULL },
    { "18446744073709551616", NULL },
    { "1e16", NULL },
    { "1e300", NULL },
    { "9e15", "9000000000000000" },
};

static void test_integers_are_exact_or_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(integers); i++) {
        struct sf_json *json = parsed(integers[i].text);
        struct sf_error err = SF_ERROR_INIT;
        char got[32] = "";
        int64_t value = 0;

        if (sf_json_as_int(json, "n", &value, &err))
            snprintf(got, sizeof(got), "%lld", (long long)value);
        if (strcmp(got, integers[i].want ? integers[i].want : "") != 0)
            fail_msg("%s: got %s %s", integers[i].text, got, err.msg);
        if (!integers[i].want)
            assert_non_null(strstr(err.msg, "\"n\""));
        sf_json_free(json);
    }
}

/* The walk that hands long numbers their text must meet each of them, however they are nested. */
static void test_long_numbers_in_a_tree(void **state)
{
    struct sf_json *json = parsed("[1,[9007199254740993,{\"a\":2,\"b\":[[],9007199254740995]}],"
                                  "1e2,{\"c\":[{\"d\":9007199254740997}]},9007199254740999]");
    const struct sf_json *inner = json_item(json, 1);
    struct sf_error err = SF_ERROR_INIT;
    int64_t n = 0;

    (void)state;
    assert_true(sf_json_as_int(sf_json_first(inner), "", &n, &err));
    assert_true(n == 9007199254740993);
    inner = sf_json_get(json_item(inner, 1), "b");
    assert_true(sf_json_as_int(json_item(inner, 1), "", &n, &err));
    assert_true(n == 9007199254740995);
    assert_null(sf_json_number_text(json_item(json, 0)));
    assert_null(sf_json_number_text(json_item(json, 2)));
    inner = sf_json_first(sf_json_get(json_item(json, 3), "c"));
    assert_true(sf_json_get_int(inner, "d", &n, &err));
    assert_true(n == 9007199254740997);
    assert_string_equal(sf_json_number_text(json_item(json, 4)), "9007199254740999");
    sf_json_free(json);
}

static void test_strings_are_decoded(void **state)
{
    struct sf_json *json =
        parsed("[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\",\"\\u00e9\\u20AC\\ud83d\\ude00\"]");
    struct sf_error err = SF_ERROR_INIT;
    const char *text = NULL;

    (void)state;
    assert_true(sf_json_as_str(json_item(json, 0), "s", &text, &err));
    assert_string_equal(text, "\"\\/\b\f\n\r\t");
    assert_true(sf_json_as_str(json_item(json, 1), "s", &text, &err));
    assert_string_equal(text, "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    sf_json_free(json);
}

static const char sample[] = "{\"s\":\"x\",\"n\":7,\"d\":0.5,\"t\":true,\"f\":false,\"z\":null,"
                             "\"a\":[1,2],\"o\":{\"k\":1}}";

static void test_required(void **state)
{
    struct sf_json *json = parsed(sample);
    struct sf_error err = SF_ERROR_INIT;
    const struct sf_json *node = NULL;
    const char *s = NULL;
    int64_t n = 0;
    double d = 0;
    bool b = false;

    (void)state;
    assert_true(sf_json_get_str(json, "s", &s, &err));
    assert_string_equal(s, "x");
    assert_true(sf_json_get_int(json, "n", &n, &err));
    assert_int_equal(n, 7);
    assert_true(sf_json_as_double(sf_json_get(json, "d"), "d", &d, &err));
    assert_true(d == 0.5);
    assert_true(sf_json_as_double(sf_json_get(json, "n"), "n", &d, &err));
    assert_true(d == 7);
    assert_true(sf_json_get_bool(json, "t", &b, &err));
    assert_true(b);
    assert_true(sf_json_get_bool(json, "f", &b, &err));
    assert_false(b);
    assert_true(sf_json_get_array(json, "a", &node, &err));
    assert_int_equal(sf_json_count(node), 2);
    assert_true(sf_json_get_object(json, "o", &node, &err));
    assert_true(sf_json_get_int(node, "k", &n, &err));
    assert_int_equal(n, 1);
    sf_json_free(json);
}

static void test_required_but_wrong(void **state)
{
    struct sf_json *json = parsed(sample);
    struct sf_error err = SF_ERROR_INIT;
    const struct sf_json *node = NULL;
    const char *s = "kept";
    int64_t n = 42;
    double d = 4.5;
    bool b = true;

    (void)state;
    assert_false(sf_json_get_str(json, "nope", &s, &err));
    assert_string_equal(err.msg, "\"nope\" is missing");
    assert_false(sf_json_get_str(json, "a", &s, &err));
    assert_string_equal(err.msg, "\"a\" must be a string, not an array");
    assert_false(sf_json_get_str(json, "z", &s, &err));
    assert_string_equal(err.msg, "\"z\" must be a string, not null");
    assert_string_equal(s, "kept");
    assert_false(sf_json_get_int(json, "d", &n, &err));
    assert_string_equal(err.msg, "\"d\" must be a whole number");
    assert_false(sf_json_get_int(json, "s", &n, &err));
    assert_string_equal(err.msg, "\"s\" must be a number, not a string");
    assert_int_equal(n, 42);
    assert_false(sf_json_as_double(sf_json_get(json, "t"), "t", &d, &err));
    assert_true(d == 4.5);
    assert_false(sf_json_get_bool(json, "n", &b, &err));
    assert_string_equal(err.msg, "\"n\" must be a boolean, not a number");
    assert_true(b);
    assert_false(sf_json_get_array(json, "o", &node, &err));
    assert_string_equal(err.msg, "\"o\" must be an array, not an object");
    assert_false(sf_json_get_object(json, "missing", &node, &err));
    assert_null(node);
    assert_false(sf_json_get_str(sf_json_get(json, "a"), "s", &s, &err));
    assert_string_equal(err.msg, "\"s\" must stand in an object, not in an array");
    sf_json_free(json);
}

static void test_optional(void **state)
{
    struct sf_json *json = parsed(sample);
    struct sf_error err = SF_ERROR_INIT;
    const char *s = NULL;
    int64_t n = 0;
    bool b = false;

    (void)state;
    assert_true(sf_json_opt_str(json, "nope", "else", &s, &err));
    assert_string_equal(s, "else");
    assert_true(sf_json_opt_str(json, "z", NULL, &s, &err));
    assert_null(s);
    assert_true(sf_json_opt_str(json, "s", "else", &s, &err));
    assert_string_equal(s, "x");
    assert_true(sf_json_opt_int(json, "nope", 9, &n, &err));
    assert_int_equal(n, 9);
    assert_true(sf_json_opt_int(json, "n", 9, &n, &err));
    assert_int_equal(n, 7);
    assert_true(sf_json_opt_bool(json, "nope", true, &b, &err));
    assert_true(b);

    assert_false(sf_json_opt_str(json, "n", "else", &s, &err));
    assert_false(sf_json_opt_int(json, "s", 9, &n, &err));
    assert_false(sf_json_opt_bool(json, "o", true, &b, &err));
    assert_string_equal(err.msg, "\"o\" must be a boolean, not an object");
    assert_false(sf_json_opt_str(sf_json_get(json, "s"), "k", "else", &s, &err));
    sf_json_free(json);
}

static void test_walking(void **state)
{
    struct sf_json *json = parsed("{\"b\":1,\"a\":[true,null,\"x\"],\"c\":{}}");
    struct sf_strbuf sb = SF_STRBUF_INIT;

    (void)state;
    for (const struct sf_json *it = sf_json_first(json); it; it = sf_json_next(it))
        sf_strbuf_addf(&sb, "%s=%s ", sf_json_key(it), sf_json_type_name(sf_json_type(it)));
    assert_string_equal(sb.buf, "b=a number a=an array c=an object ");
    sf_strbuf_release(&sb);
    assert_int_equal(sf_json_count(json), 3);
    assert_null(json_item(json, 3));
    assert_null(sf_json_key(json));
    assert_null(sf_json_key(json_item(sf_json_get(json, "a"), 0)));
    assert_null(sf_json_first(sf_json_get(json, "c")));
    assert_null(sf_json_first(sf_json_get(json, "b")));
    assert_null(sf_json_get(json, "A"));
    assert_null(sf_json_get(sf_json_get(json, "a"), "b"));
    assert_int_equal(sf_json_count(sf_json_get(json, "b")), 0);
    sf_json_free(json);
    sf_json_free(NULL);
}

static const struct {
    const char *a, *b;
    bool same;
} pairs[] = {
    { "1", "1.0", true },
    { "0", "-0", true },
    { "1", "true", false },
    { "true", "false", false },
    { "\"a\"", "\"\\u0061\"", true },
    { "\"a\"", "\"b\"", false },
    { "null", "null", true },
    { "null", "{}", false },
    { "[]", "{}", false },
    { "[1,2]", "[1,2]", true },
    { "[1,2]", "[1,2,3]", false },
    { "[[1],2]", "[[1,2]]", false },
    { "[[],1]", "[[1]]", false },
    { "{\"a\":1}", "{\"b\":1}", false },
    { "{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", false },
    { "{\"a\":{\"b\":[1]}}", "{\"a\":{\"b\":[1]}}", true },
    { "9007199254740993", "9007199254740992", false },
    { "9007199254740993", "9007199254740993", true },
    { "7199719925e9", "7199719925000000000", true },
};

static void test_equality(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(pairs); i++) {
        struct sf_json *a = parsed(pairs[i].a), *b = parsed(pairs[i].b);

        if (json_equal(a, b) != pairs[i].same || json_equal(b, a) != pairs[i].same)
            fail_msg("%s and %s", pairs[i].a, pairs[i].b);
        assert_true(json_equal(a, a));
        sf_json_free(a);
        sf_json_free(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_valid),
        cmocka_unit_test(test_invalid),
        cmocka_unit_test(test_every_prefix_is_refused_or_read_safely),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_brackets_without_end),
        cmocka_unit_test(test_other_ceilings),
        cmocka_unit_test(test_many_keys),
        cmocka_unit_test(test_hostile_key_stays_out_of_the_message),
        cmocka_unit_test(test_integers_are_exact_or_refused),
        cmocka_unit_test(test_long_numbers_in_a_tree),
        cmocka_unit_test(test_strings_are_decoded),
        cmocka_unit_test(test_required),
        cmocka_unit_test(test_required_but_wrong),
        cmocka_unit_test(test_optional),
        cmocka_unit_test(test_walking),
        cmocka_unit_test(test_equality),
    };

    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
