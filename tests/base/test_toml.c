/*
 * test_toml.c: the whole corpus, positions of errors, limits, and that what is written reads back.
 */
#include <glob.h>

#include "base/base.h"
#include "support/test.h"

enum { MAX = 1 << 20 };

static struct sf_toml *parse(const char *text, struct sf_error *err)
{
    return sf_toml_parse(text, strlen(text), MAX, err);
}

typedef void file_fn(const char *path, const char *text, size_t len);

/* Calls fn for each corpus file below corpus/toml/KIND; fails when there are none. */
static size_t each_case(const char *kind, file_fn *fn)
{
    static const char *const below[] = { "*.toml", "*/*.toml" };
    size_t count = 0;

    for (size_t d = 0; d < SF_COUNT(below); d++) {
        char pattern[64];
        glob_t found;

        snprintf(pattern, sizeof(pattern), "corpus/toml/%s/%s", kind, below[d]);
        if (glob(pattern, 0, NULL, &found) != 0)
            continue;
        for (size_t i = 0; i < found.gl_pathc; i++, count++) {
            size_t len;
            char *text = test_read(found.gl_pathv[i], &len);

            fn(found.gl_pathv[i], text, len);
            free(text);
        }
        globfree(&found);
    }
    return count;
}

/* Our JSON reader refuses NUL, TOML does not: for comparison it is U+E000 on both sides. */
static const char stand_in[] = "\xee\x80\x80";

static char *without_nul(const char *text, size_t len)
{
    struct sf_strbuf out = SF_STRBUF_INIT;

    for (size_t i = 0; i < len; i++) {
        if (text[i])
            sf_strbuf_addch(&out, text[i]);
        else
            sf_strbuf_adds(&out, stand_in);
    }
    return sf_strbuf_detach(&out);
}

static char *without_escaped_nul(const char *json)
{
    struct sf_strbuf out = SF_STRBUF_INIT;

    while (*json) {
        size_t n = *json == '\\' ? 2 : 1; /* an escaped backslash is none before a u */

        if (!strncmp(json, "\\u0000", 6)) {
            sf_strbuf_adds(&out, stand_in);
            n = 6;
        } else {
            sf_strbuf_add(&out, json, n);
        }
        json += n;
    }
    return sf_strbuf_detach(&out);
}

static bool same_scalar(const struct sf_json *want, const struct sf_toml_value *is)
{
    static const char *const names[] = {
        [SF_TOML_STRING] = "string",         [SF_TOML_INTEGER] = "integer",
        [SF_TOML_FLOAT] = "float",           [SF_TOML_BOOLEAN] = "bool",
        [SF_TOML_DATETIME] = "datetime",     [SF_TOML_DATETIME_LOCAL] = "datetime-local",
        [SF_TOML_DATE_LOCAL] = "date-local", [SF_TOML_TIME_LOCAL] = "time-local",
    };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;
    const char *type, *value;
    char *plain;
    bool same;

    if (!sf_json_get_str(want, "type", &type, &err) ||
        !sf_json_get_str(want, "value", &value, &err))
        return false;
    if (is->type > SF_TOML_TIME_LOCAL || strcmp(names[is->type], type) != 0)
        return false;
    if (is->type == SF_TOML_FLOAT) {
        double a = strtod(value, NULL), b = is->as.number;

        return a == b || (a != a && b != b);
    }
    if (is->type == SF_TOML_STRING)
        sf_strbuf_add(&text, is->as.str.text, is->as.str.len);
    else
        sf_toml_add_value(&text, is);
    plain = without_nul(text.buf, text.len);
    same = !strcmp(plain, value);
    free(plain);
    sf_strbuf_release(&text);
    return same;
}

static bool same(const struct sf_json *want, const struct sf_toml_value *is);

static bool same_array(const struct sf_json *want, const struct sf_toml_value *is)
{
    size_t i = 0;

    if (is->type != SF_TOML_ARRAY || sf_json_count(want) != is->as.array.count)
        return false;
    for (const struct sf_json *item = sf_json_first(want); item; item = sf_json_next(item))
        if (!same(item, is->as.array.items[i++]))
            return false;
    return true;
}

static bool same(const struct sf_json *want, const struct sf_toml_value *is)
{
    if (sf_json_type(want) == SF_JSON_ARRAY)
        return same_array(want, is);
    if (is->type != SF_TOML_TABLE)
        return same_scalar(want, is);
    if (sf_json_count(want) != is->as.table->keys.count)
        return false;
    for (size_t i = 0; i < is->as.table->keys.count; i++) {
        const struct sf_map_entry *e = &is->as.table->keys.entries[i];
        char *key = without_nul(e->key, e->len);
        const struct sf_json *item = sf_json_get(want, key);

        free(key);
        if (!item || !same(item, e->value))
            return false;
    }
    return true;
}

static void check_valid(const char *path, const char *text, size_t len)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_toml *doc = sf_toml_parse(text, len, MAX, &err);
    struct sf_strbuf json_path = SF_STRBUF_INIT;
    char *raw, *json_text;
    struct sf_json *want;

    if (!doc)
        fail_msg("%s is refused: %u:%u: %s", path, err.line, err.column, err.msg);
    sf_strbuf_addf(&json_path, "%.*s.json", (int)(strlen(path) - strlen(".toml")), path);
    raw = test_read(json_path.buf, NULL);
    json_text = without_escaped_nul(raw);
    want = sf_json_parse(json_text, strlen(json_text), NULL, &err);
    if (!want || !same(want, sf_toml_root(doc)))
        fail_msg("%s is read as something else", path);
    sf_json_free(want);
    free(raw);
    free(json_text);
    sf_strbuf_release(&json_path);
    sf_toml_free(doc);
}

/* Written on one line and read again, a document holds the same data. */
static void check_round_trip(const char *path, const char *text, size_t len)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_toml *doc = sf_toml_parse(text, len, MAX, &err), *again;
    struct sf_strbuf out = SF_STRBUF_INIT;

    assert_non_null(doc);
    sf_strbuf_adds(&out, "v = ");
    sf_toml_add_value(&out, sf_toml_root(doc));
    again = sf_toml_parse(out.buf, out.len, MAX, &err);
    if (!again || !sf_toml_equal(sf_toml_root(doc), sf_toml_get(sf_toml_root(again), "v")))
        fail_msg("%s does not survive writing: %s", path, out.buf);
    sf_toml_free(doc);
    sf_toml_free(again);
    sf_strbuf_release(&out);
}

static void check_invalid(const char *path, const char *text, size_t len)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_toml *doc = sf_toml_parse(text, len, MAX, &err);

    if (doc)
        fail_msg("%s is accepted", path);
    if (!err.line || !err.column || !*err.msg)
        fail_msg("%s: the error has no place or no words", path);
}

/* No prefix of any document may crash, and none may be read past its end. */
static void check_prefixes(const char *path, const char *text, size_t len)
{
    (void)path;
    for (size_t n = 0; n < len; n++) {
        struct sf_error err = SF_ERROR_INIT;
        char *exact = sf_alloc_array(n, 1); /* so that the sanitizer sees a read behind it */

        memcpy(exact, text, n);
        sf_toml_free(sf_toml_parse(exact, n, MAX, &err));
        free(exact);
    }
}

static void test_corpus(void **state)
{
    (void)state;
    assert_true(each_case("valid", check_valid) > 70);
    assert_true(each_case("invalid", check_invalid) > 150);
    each_case("valid", check_round_trip);
    each_case("valid", check_prefixes);
}

static const struct {
    const char *name, *text;
    unsigned line, column;
    const char *says;
} errors[] = {
    { "a missing value", "a = 1\nb =\n", 2, 4, "expected a value" },
    { "columns count characters", "\"é\" = = 1", 1, 7, "expected a value" },
    { "a key set twice", "[t]\nx = 1\nx = 2", 3, 1, "set twice" },
    { "a table twice", "[a]\n[b]\n[a]", 3, 2, "defined twice" },
    { "an open string", "a = \"x\nb = 1", 1, 7, "not closed" },
    { "an open array is reported where it opens", "a = 1\nb = [1,\n2\n", 2, 5, "not closed" },
    { "words need quotes", "mode = build", 1, 8, "strings need quotes" },
    { "an integer too large", "a = 9223372036854775808", 1, 5, "64 bits" },
    { "a date that is not there", "d = 2023-02-29", 1, 5, "no such date" },
    { "text behind a value", "a = 1 b", 1, 7, "end of the line" },
    { "a dotted key into an inline table", "a = {}\na.b = 1", 2, 1, "cannot be extended" },
    { "a byte order mark is no column", "\xef\xbb\xbfx y", 1, 3, "expected '='" },
    { "a control character", "a = \"\x01\"", 1, 6, "control character" },
    { "not UTF-8", "a = \"\xff\"", 1, 6, "UTF-8" },
};

static void test_errors_say_where(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(errors); i++) {
        struct sf_error err = SF_ERROR_INIT;
        struct sf_toml *doc = parse(errors[i].text, &err);

        if (doc || err.line != errors[i].line || err.column != errors[i].column ||
            !strstr(err.msg, errors[i].says))
            fail_msg("%s: got %u:%u: %s", errors[i].name, err.line, err.column, err.msg);
    }
}

static void test_deep_nesting_is_refused(void **state)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    (void)state;
    sf_strbuf_adds(&text, "a = ");
    sf_strbuf_fill(&text, '[', 100000);
    assert_null(sf_toml_parse(text.buf, text.len, MAX, &err));
    assert_non_null(strstr(err.msg, "levels deep"));
    sf_strbuf_release(&text);
}

static void test_size_ceiling(void **state)
{
    struct sf_error err = SF_ERROR_INIT;

    (void)state;
    assert_null(sf_toml_parse("a = 1", 5, 4, &err));
    assert_int_equal(err.code, SF_E_LIMIT);
}

/* Many keys in one table: with a quadratic lookup this would take minutes. */
static void test_many_keys(void **state)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_toml *doc;

    (void)state;
    for (int i = 0; i < 200000; i++)
        sf_strbuf_addf(&text, "k%d=%d\n", i, i);
    doc = sf_toml_parse(text.buf, text.len, text.len, &err);
    assert_non_null(doc);
    assert_int_equal(sf_toml_get(sf_toml_root(doc), "k199999")->as.integer, 199999);
    sf_toml_free(doc);
    sf_strbuf_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_corpus),
        cmocka_unit_test(test_errors_say_where),
        cmocka_unit_test(test_deep_nesting_is_refused),
        cmocka_unit_test(test_size_ceiling),
        cmocka_unit_test(test_many_keys),
    };

    return cmocka_run_group_tests_name("toml", tests, NULL, NULL);
}
