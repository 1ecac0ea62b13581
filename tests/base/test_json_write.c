/*
 * Writing JSON: exact bytes, hostile strings, and the property that whatever is written reads
 * back equal.
 */
#include <float.h>
#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "support/json_equal.h"
#include "support/test.h"

#define BYTES(literal) (literal), sizeof(literal) - 1

struct output {
    struct sf_strbuf sb;
    struct sf_json_writer w;
};

static int setup(void **state)
{
    struct output *o = sf_alloc(sizeof(*o));

    sf_strbuf_init(&o->sb);
    sf_jw_init(&o->w, &o->sb);
    *state = o;
    return 0;
}

static int teardown(void **state)
{
    struct output *o = *state;

    sf_strbuf_release(&o->sb);
    free(o);
    return 0;
}

static void restart(struct output *o)
{
    sf_strbuf_reset(&o->sb);
    sf_jw_init(&o->w, &o->sb);
}

static void test_layout(void **state)
{
    struct output *o = *state;
    struct sf_json_writer *w = &o->w;

    assert_false(sf_jw_done(w));
    sf_jw_object_begin(w);
    sf_jw_key_str(w, "s", "x");
    sf_jw_key_str(w, "none", NULL);
    sf_jw_key_int(w, "n", -5);
    sf_jw_key_bool(w, "yes", true);
    sf_jw_key(w, "list");
    sf_jw_array_begin(w);
    sf_jw_null(w);
    sf_jw_bool(w, false);
    sf_jw_array_begin(w);
    sf_jw_array_end(w);
    sf_jw_object_begin(w);
    sf_jw_object_end(w);
    sf_jw_raw(w, "{\"r\":1}", 7);
    sf_jw_strn(w, "abc", 2);
    sf_jw_array_end(w);
    sf_jw_key(w, "last");
    sf_jw_double(w, 0.5);
    assert_false(sf_jw_done(w));
    sf_jw_object_end(w);
    assert_true(sf_jw_done(w));
    assert_string_equal(o->sb.buf, "{\"s\":\"x\",\"none\":null,\"n\":-5,\"yes\":true,"
                                   "\"list\":[null,false,[],{},{\"r\":1},\"ab\"],\"last\":0.5}");
}

static void test_appends_to_what_is_there(void **state)
{
    struct output *o = *state;

    sf_strbuf_adds(&o->sb, "data: ");
    sf_jw_int(&o->w, 1);
    assert_string_equal(o->sb.buf, "data: 1");
}

static void test_integers(void **state)
{
    struct output *o = *state;

    sf_jw_array_begin(&o->w);
    sf_jw_int(&o->w, INT64_MIN);
    sf_jw_int(&o->w, INT64_MAX);
    sf_jw_int(&o->w, 0);
    sf_jw_array_end(&o->w);
    assert_string_equal(o->sb.buf, "[-9223372036854775808,9223372036854775807,0]");
}

static const struct {
    double value;
    const char *want;
} doubles[] = {
    { 0, "0" },
    { -0.0, "-0" },
    { 1, "1" },
    { -1.5, "-1.5" },
    { 0.1, "0.1" },
    { 0.30000000000000004, "0.30000000000000004" },
    { 1.0 / 3, "0.3333333333333333" },
    { 100, "100" },
    { 1e15, "1000000000000000" },
    { 9007199254740991.0, "9007199254740991" },
    { 1e16, "1e+16" },
    { 123456789012345680.0, "1.2345678901234568e+17" },
    { 1.5e300, "1.5e+300" },
    { 0.000001, "0.000001" },
    { 0.00000123, "0.00000123" },
    { 1e-7, "1e-7" },
    { -1.25e-9, "-1.25e-9" },
    { DBL_MAX, "1.7976931348623157e+308" },
    { DBL_MIN, "2.2250738585072014e-308" },
    { 5e-324, "5e-324" },
    { 2251799813685249.5, "2251799813685249.5" },
    { 9007199254740993.0, "9007199254740992" },
    { NAN, "null" },
    { INFINITY, "null" },
    { -INFINITY, "null" },
};

static void test_doubles(void **state)
{
    struct output *o = *state;

    for (size_t i = 0; i < SF_COUNT(doubles); i++) {
        restart(o);
        sf_jw_double(&o->w, doubles[i].value);
        assert_string_equal(o->sb.buf, doubles[i].want);
    }
}

static const struct {
    const char *name, *text;
    size_t len;
    const char *want;
} strings[] = {
    { "empty", BYTES(""), "\"\"" },
    { "plain", BYTES("a b/c"), "\"a b/c\"" },
    { "quote and backslash", BYTES("\"\\"), "\"\\\"\\\\\"" },
    { "short escapes", BYTES("\b\f\n\r\t"), "\"\\b\\f\\n\\r\\t\"" },
    { "other controls", BYTES("\x01\x1b[2J\x1f"), "\"\\u0001\\u001b[2J\\u001f\"" },
    { "NUL", BYTES("a\0b"),
      "\"a\xef\xbf\xbd"
      "b\"" },
    { "DEL", BYTES("\x7f"), "\"\\u007f\"" },
    { "C1: a one-byte CSI",
      BYTES("\xc2\x9b"
            "2J\xc2\x80\xc2\x9f"),
      "\"\\u009b2J\\u0080\\u009f\"" },
    { "the first harmless code behind C1", BYTES("\xc2\xa0"), "\"\xc2\xa0\"" },
    { "line separators, and what turns text around",
      BYTES("\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xae\xe2\x81\xa6"),
      "\"\\u2028\\u2029\\u202e\\u2066\"" },
    { "tags, which hide text", BYTES("\xf3\xa0\x81\x81"), "\"\\udb40\\udc41\"" },
    { "letters and an emoji", BYTES("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"),
      "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"" },
    { "a lone byte", BYTES("a\xff"), "\"a\xef\xbf\xbd\"" },
    { "a cut sequence before plain text",
      BYTES("\xe2\x82"
            "A"),
      "\"\xef\xbf\xbd"
      "A\"" },
    { "a sequence cut by the end", BYTES("\xc3"), "\"\xef\xbf\xbd\"" },
    { "a sequence that would swallow the quote", BYTES("\xe2\""), "\"\xef\xbf\xbd\\\"\"" },
    { "a surrogate", BYTES("\xed\xa0\x80"), "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" },
    { "an overlong NUL", BYTES("\xc0\x80"), "\"\xef\xbf\xbd\xef\xbf\xbd\"" },
};

static void test_strings(void **state)
{
    struct output *o = *state;

    for (size_t i = 0; i < SF_COUNT(strings); i++) {
        char *exact = sf_alloc(strings[i].len);

        memcpy(exact, strings[i].text, strings[i].len);
        restart(o);
        sf_jw_strn(&o->w, exact, strings[i].len);
        free(exact);
        if (strcmp(o->sb.buf, strings[i].want) != 0)
            fail_msg("%s: %s", strings[i].name, o->sb.buf);
    }
}

static uint64_t seed;

static uint32_t rnd(uint32_t below)
{
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)((seed >> 33) % below);
}

/* Any bytes at all: what cannot be text comes out as text all the same. */
static void write_random_bytes(struct sf_json_writer *w)
{
    static const char *const spice[] = { "\"",       "\\",           "\n",
                                         "\xc2\x9b", "\xe2\x80\xa8", "\xf0\x9f\x98\x80" };
    struct sf_strbuf sb = SF_STRBUF_INIT;

    for (uint32_t n = rnd(12); n; n--) {
        if (rnd(3))
            sf_strbuf_addch(&sb, (char)rnd(256));
        else
            sf_strbuf_adds(&sb, spice[rnd(SF_COUNT(spice))]);
    }
    sf_jw_strn(w, sb.buf, sb.len);
    sf_strbuf_release(&sb);
}

static void write_random_double(struct sf_json_writer *w)
{
    uint64_t bits = (uint64_t)rnd(UINT32_MAX) << 33 ^ (uint64_t)rnd(UINT32_MAX) << 16 ^ rnd(65536);
    double value;

    memcpy(&value, &bits, sizeof(value));
    sf_jw_double(w, value);
}

static void write_random_int(struct sf_json_writer *w)
{
    uint64_t bits = (uint64_t)rnd(UINT32_MAX) << 33 | rnd(UINT32_MAX);

    sf_jw_int(w, (int64_t)(bits >> rnd(64)));
}

static void write_random(struct sf_json_writer *w, int depth)
{
    uint32_t kind = rnd(depth ? 8 : 6), n = rnd(6);

    if (kind == 0)
        sf_jw_null(w);
    else if (kind == 1)
        sf_jw_bool(w, rnd(2));
    else if (kind == 2)
        write_random_int(w);
    else if (kind == 3)
        write_random_double(w);
    else if (kind <= 5)
        write_random_bytes(w);
    else if (kind == 6) {
        sf_jw_array_begin(w);
        while (n--)
            write_random(w, depth - 1);
        sf_jw_array_end(w);
    } else {
        sf_jw_object_begin(w);
        while (n--) {
            char key[24];

            snprintf(key, sizeof(key), "%u\n\xc3\xa9", n);
            sf_jw_key(w, key);
            write_random(w, depth - 1);
        }
        sf_jw_object_end(w);
    }
}

static void round_trip(struct output *o)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strbuf again = SF_STRBUF_INIT;
    struct sf_json *a = sf_json_parse(o->sb.buf, o->sb.len, NULL, &err), *b = NULL;
    struct sf_json_writer w;

    if (!a)
        fail_msg("%s: %s", o->sb.buf, err.msg);
    sf_jw_init(&w, &again);
    sf_jw_json(&w, a);
    assert_true(sf_jw_done(&w));
    assert_string_equal(again.buf, o->sb.buf);
    b = sf_json_parse(again.buf, again.len, NULL, &err);
    assert_non_null(b);
    assert_true(json_equal(a, b));
    sf_json_free(a);
    sf_json_free(b);
    sf_strbuf_release(&again);
}

static void test_random_trees_survive(void **state)
{
    struct output *o = *state;

    for (uint64_t i = 0; i < 3000; i++) {
        seed = i;
        restart(o);
        write_random(&o->w, 5);
        for (const char *p = o->sb.buf; *p; p++)
            assert_false(((unsigned char)*p < ' ') || *p == 0x7f);
        round_trip(o);
    }
}

static const struct {
    const char *name, *text, *want; /* NULL: the same */
} trees[] = {
    { "blanks go", " { \"a\" : [ 1 , 2 ] , \"b\" : { } } ", "{\"a\":[1,2],\"b\":{}}" },
    { "scalars", "\"x\"", NULL },
    { "empty containers in a row", "[[],{},[[]],[{}]]", NULL },
    { "deep ends", "{\"a\":{\"b\":{\"c\":[[[1]]]}},\"d\":2}", NULL },
    { "long integers", "[9007199254740993,18446744073709551616,-123456789012345678901234]", NULL },
    { "long fractions", "[3.14159265358979323846,0.30000000000000004]", NULL },
    { "short numbers", "[1.0,1e2,-0,2.50,1E-7]", "[1,100,-0,2.5,1e-7]" },
    { "what a double would lose", "[1e-400]", NULL },
    { "escapes", "[\"\\u001b\\/\\u00e9\\ud83d\\ude00\"]",
      "[\"\\u001b/\xc3\xa9\xf0\x9f\x98\x80\"]" },
    { "keys are escaped too", "{\"\\n\\\"\\u2028\":1}", NULL },
    { "words", "[true,false,null]", NULL },
};

static void test_trees(void **state)
{
    struct output *o = *state;

    for (size_t i = 0; i < SF_COUNT(trees); i++) {
        struct sf_error err = SF_ERROR_INIT;
        struct sf_json *json = sf_json_parse(trees[i].text, strlen(trees[i].text), NULL, &err);

        if (!json)
            fail_msg("%s: %s", trees[i].name, err.msg);
        restart(o);
        sf_jw_json(&o->w, json);
        sf_json_free(json);
        if (strcmp(o->sb.buf, trees[i].want ? trees[i].want : trees[i].text) != 0)
            fail_msg("%s: %s", trees[i].name, o->sb.buf);
    }
}

/* A part of a tree must not drag its siblings along. */
static void test_part_of_a_tree(void **state)
{
    static const char text[] = "{\"a\":1,\"b\":[2,3],\"c\":4}";
    struct output *o = *state;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json *json = sf_json_parse(text, sizeof(text) - 1, NULL, &err);

    assert_non_null(json);
    sf_jw_array_begin(&o->w);
    sf_jw_json(&o->w, sf_json_get(json, "a"));
    sf_jw_json(&o->w, sf_json_get(json, "b"));
    sf_jw_array_end(&o->w);
    sf_json_free(json);
    assert_string_equal(o->sb.buf, "[1,[2,3]]");
}

static void test_deepest_input_below_the_deepest_output(void **state)
{
    const struct sf_json_limits most = { .depth = SF_JSON_DEPTH_MAX };
    struct output *o = *state;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json *json;

    sf_strbuf_fill(&text, '[', SF_JSON_DEPTH_MAX);
    sf_strbuf_fill(&text, ']', SF_JSON_DEPTH_MAX);
    json = sf_json_parse(text.buf, text.len, &most, &err);
    assert_non_null(json);
    for (int i = 0; i < SF_JW_DEPTH; i++)
        sf_jw_array_begin(&o->w);
    sf_jw_json(&o->w, json);
    for (int i = 0; i < SF_JW_DEPTH; i++)
        sf_jw_array_end(&o->w);
    assert_true(sf_jw_done(&o->w));
    assert_int_equal(o->sb.len, 2 * (SF_JSON_DEPTH_MAX + SF_JW_DEPTH));
    sf_json_free(json);
    sf_strbuf_release(&text);
}

static void value_without_key(struct sf_json_writer *w)
{
    sf_jw_object_begin(w);
    sf_jw_int(w, 1);
}

static void key_without_object(struct sf_json_writer *w)
{
    sf_jw_array_begin(w);
    sf_jw_key(w, "a");
}

static void key_without_value(struct sf_json_writer *w)
{
    sf_jw_object_begin(w);
    sf_jw_key(w, "a");
    sf_jw_object_end(w);
}

static void two_values(struct sf_json_writer *w)
{
    sf_jw_int(w, 1);
    sf_jw_int(w, 2);
}

static void wrong_end(struct sf_json_writer *w)
{
    sf_jw_array_begin(w);
    sf_jw_object_end(w);
}

static void end_too_many(struct sf_json_writer *w)
{
    sf_jw_array_end(w);
}

static void too_deep(struct sf_json_writer *w)
{
    for (int i = 0; i <= SF_JW_DEPTH; i++)
        sf_jw_array_begin(w);
}

static const struct {
    const char *name;
    void (*misuse)(struct sf_json_writer *);
} misuses[] = {
    { "a value without its key", value_without_key },
    { "a key outside an object", key_without_object },
    { "an end behind a key", key_without_value },
    { "a second value", two_values },
    { "the wrong end", wrong_end },
    { "an end too many", end_too_many },
    { "nested too deep", too_deep },
};

/* In a child, since an assert ends the program; its message would only confuse the log. */
static void test_misuse_asserts(void **state)
{
    struct output *o = *state;

    for (size_t i = 0; i < SF_COUNT(misuses); i++) {
        int status = 0;
        pid_t pid = fork();

        assert_true(pid >= 0);
        if (pid == 0) {
            signal(SIGABRT, SIG_DFL);
            close(STDERR_FILENO);
            misuses[i].misuse(&o->w);
            _exit(0);
        }
        assert_int_equal(waitpid(pid, &status, 0), pid);
        if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT)
            fail_msg("%s: accepted", misuses[i].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_layout, setup, teardown),
        cmocka_unit_test_setup_teardown(test_appends_to_what_is_there, setup, teardown),
        cmocka_unit_test_setup_teardown(test_integers, setup, teardown),
        cmocka_unit_test_setup_teardown(test_doubles, setup, teardown),
        cmocka_unit_test_setup_teardown(test_strings, setup, teardown),
        cmocka_unit_test_setup_teardown(test_random_trees_survive, setup, teardown),
        cmocka_unit_test_setup_teardown(test_trees, setup, teardown),
        cmocka_unit_test_setup_teardown(test_part_of_a_tree, setup, teardown),
        cmocka_unit_test_setup_teardown(test_deepest_input_below_the_deepest_output, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_misuse_asserts, setup, teardown),
    };

    return cmocka_run_group_tests_name("json_write", tests, NULL, NULL);
}
