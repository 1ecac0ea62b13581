/*
 * test_frontmatter.c: where it begins and ends, what its scalars mean, what is refused and where.
 */
#include "base/base.h"
#include "support/test.h"

#define BYTES(literal) (literal), sizeof(literal) - 1

/* The head as JSON text, or the error's message; the caller's to free. */
static char *head_of(const char *text, size_t len, size_t *body_at)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strbuf sb = SF_STRBUF_INIT;
    struct sf_json *head = NULL;
    struct sf_json_writer w;
    char *exact = sf_alloc(len);

    if (len)
        memcpy(exact, text, len);
    if (sf_frontmatter_parse(exact, len, &head, body_at, &err)) {
        sf_jw_init(&w, &sb);
        sf_jw_json(&w, head);
    } else {
        sf_strbuf_adds(&sb, err.msg);
    }
    sf_json_free(head);
    free(exact);
    return sf_strbuf_detach(&sb);
}

static const struct {
    const char *name, *text;
    size_t len;
    const char *head, *body;
} files[] = {
    { "nothing", BYTES(""), "{}", "" },
    { "only a body", BYTES("# Title\n"), "{}", "# Title\n" },
    { "a body behind a byte order mark", BYTES("\xef\xbb\xbfhi"), "{}", "hi" },
    { "head and body", BYTES("---\nname: x\n---\nbody\n"), "{\"name\":\"x\"}", "body\n" },
    { "a byte order mark", BYTES("\xef\xbb\xbf---\nname: x\n---\nb"), "{\"name\":\"x\"}", "b" },
    { "CRLF", BYTES("---\r\nname: x\r\nlist:\r\n  - 1\r\n---\r\nb\r\n"),
      "{\"name\":\"x\",\"list\":[1]}", "b\r\n" },
    { "blanks behind the dashes", BYTES("--- \t\na: 1\n---  \nb"), "{\"a\":1}", "b" },
    { "dots close it", BYTES("---\na: 1\n...\nb"), "{\"a\":1}", "b" },
    { "no line break at the end", BYTES("---\na: 1\n---"), "{\"a\":1}", "" },
    { "an empty head", BYTES("---\n---\nb"), "{}", "b" },
    { "a head of comments", BYTES("---\n# note\n\n---\nb"), "{}", "b" },
    { "dashes further down", BYTES("---\na: 1\n---\nb\n---\nc\n"), "{\"a\":1}", "b\n---\nc\n" },
    { "four dashes are a rule", BYTES("----\na: 1\n"), "{}", "----\na: 1\n" },
    { "dashes with text are none", BYTES("--- a\n---\n"), "{}", "--- a\n---\n" },
    { "indented dashes are none", BYTES(" ---\na: 1\n---\n"), "{}", " ---\na: 1\n---\n" },
    { "dashes on the second line are none", BYTES("\n---\na: 1\n---\n"), "{}",
      "\n---\na: 1\n---\n" },
    { "dashes before NUL are none", BYTES("---\0\na: 1\n---\n"), "{}", "---" },
    { "a colon in a word", BYTES("---\nurl: http://x.y/z\n---\n"), "{\"url\":\"http://x.y/z\"}",
      "" },
};

static void test_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(files); i++) {
        size_t at = 12345;
        char *head = head_of(files[i].text, files[i].len, &at);

        if (strcmp(head, files[i].head) != 0)
            fail_msg("%s: %s", files[i].name, head);
        assert_in_range(at, 0, files[i].len);
        if (strcmp(files[i].text + at, files[i].body) != 0)
            fail_msg("%s: the body is at %zu", files[i].name, at);
        free(head);
    }
}

static const struct {
    const char *yaml, *json; /* JSON of the value behind `v: ` */
} values[] = {
    { "", "null" },
    { "~", "null" },
    { "null", "null" },
    { "NULL", "null" },
    { "nULL", "\"nULL\"" },
    { "true", "true" },
    { "False", "false" },
    { "tRUE", "\"tRUE\"" },
    { "yes", "\"yes\"" },
    { "no", "\"no\"" },
    { "on", "\"on\"" },
    { "off", "\"off\"" },
    { "y", "\"y\"" },
    { "0", "0" },
    { "-17", "-17" },
    { "+17", "17" },
    { "007", "7" },
    { "0o17", "15" },
    { "0o18", "\"0o18\"" },
    { "0o", "\"0o\"" },
    { "0x1F", "31" },
    { "0xfg", "\"0xfg\"" },
    { "-0x1", "\"-0x1\"" },
    { "0b11", "\"0b11\"" },
    { "1_000", "\"1_000\"" },
    { "9223372036854775807", "9223372036854775807" },
    { "9007199254740993", "9007199254740993" },
    { "0xffffffffffffffff", "18446744073709551615" },
    { "1.5", "1.5" },
    { "1.", "1" },
    { ".5", "0.5" },
    { "+.5", "0.5" },
    { "-.5e1", "-5" },
    { "1e3", "1000" },
    { "1e", "\"1e\"" },
    { "1e5x", "\"1e5x\"" },
    { ".", "\".\"" },
    { "+", "\"+\"" },
    { "e5", "\"e5\"" },
    { "1.2.3", "\"1.2.3\"" },
    { "12:30", "\"12:30\"" },
    { "2026-08-01", "\"2026-08-01\"" },
    { "'5'", "\"5\"" },
    { "\"true\"", "\"true\"" },
    { "''", "\"\"" },
    { "'it''s'", "\"it's\"" },
    { "\"a\\tb\\u00e9\\U0001f600\"", "\"a\\tb\xc3\xa9\xf0\x9f\x98\x80\"" },
    { "plain words  # note", "\"plain words\"" },
    { "over\n  two lines", "\"over two lines\"" },
    { "|\n  a\n   b\n", "\"a\\n b\\n\"" },
    { ">-\n  a\n  b\n", "\"a b\"" },
    { "| # 5\n  5", "\"5\\n\"" },
    { "[1, two, [3], {a: b}]", "[1,\"two\",[3],{\"a\":\"b\"}]" },
    { "\n  - 1\n  - x: y\n    z:\n  -", "[1,{\"x\":\"y\",\"z\":null},null]" },
    { "\n  a:\n    b: {}\n  c: []", "{\"a\":{\"b\":{}},\"c\":[]}" },
    { "Bash(git diff:*)", "\"Bash(git diff:*)\"" },
    { "{\"<<\": 1}", "{\"<<\":1}" },
    { "{on: 1, \"1\": 2, 'null': 3}", "{\"on\":1,\"1\":2,\"null\":3}" },
};

static void test_values(void **state)
{
    struct sf_strbuf text = SF_STRBUF_INIT, want = SF_STRBUF_INIT;

    (void)state;
    for (size_t i = 0; i < SF_COUNT(values); i++) {
        size_t at;
        char *head;

        sf_strbuf_reset(&text);
        sf_strbuf_addf(&text, "---\nv: %s\n---\n", values[i].yaml);
        sf_strbuf_reset(&want);
        sf_strbuf_addf(&want, "{\"v\":%s}", values[i].json);
        head = head_of(text.buf, text.len, &at);
        if (strcmp(head, want.buf) != 0)
            fail_msg("%s: %s", values[i].yaml, head);
        free(head);
    }
    sf_strbuf_release(&text);
    sf_strbuf_release(&want);
}

static const struct {
    const char *name, *yaml;
    size_t len;
    size_t line, column;
    const char *why;
} refused[] = {
    { "an anchor on a scalar", BYTES("a: &x 1"), 2, 4, "anchors" },
    { "an anchor on a list", BYTES("a: &x [1]"), 2, 4, "anchors" },
    { "an anchor on a mapping", BYTES("a: &x {b: 1}"), 2, 4, "anchors" },
    { "an anchor on a key", BYTES("&x a: 1"), 2, 1, "anchors" },
    { "an alias", BYTES("a: 1\nb: *x"), 3, 4, "aliases" },
    { "a bomb of aliases", BYTES("a: &a [x,x]\nb: &b [*a,*a]"), 2, 4, "anchors" },
    { "a tag", BYTES("a: !!str 1"), 2, 4, "tags" },
    { "a tag on a list", BYTES("a: !!set [1]"), 2, 4, "tags" },
    { "a tag on a mapping", BYTES("a: !x {b: 1}"), 2, 4, "tags" },
    { "a tag for a program", BYTES("a: !!python/object:os.system x"), 2, 4, "tags" },
    { "the tag without a name", BYTES("a: ! x"), 2, 4, "tags" },
    { "a second document", BYTES("a: 1\n--- b\n"), 3, 1, "one document" },
    { "a second document behind dots", BYTES("a: 1\n... # x\nb: 2\n"), 4, 1, "document" },
    { "a directive", BYTES("%YAML 1.1\n--- {a: 1}\n"), 2, 1, "one document" },
    { "a key twice", BYTES("a: 1\nb: 2\na: 3"), 4, 1, "twice" },
    { "a key twice, once quoted", BYTES("a: 1\n'a': 3"), 3, 1, "twice" },
    { "a key twice, deep inside", BYTES("a:\n  - b: 1\n    b: 2"), 4, 5, "twice" },
    { "a key twice in braces", BYTES("{a: 1, a: 2}"), 2, 8, "twice" },
    { "a number for a key", BYTES("1: x"), 2, 1, "must be text" },
    { "an endless number for a key", BYTES(".inf: x"), 2, 1, "must be text" },
    { "a boolean for a key", BYTES("true: x"), 2, 1, "must be text" },
    { "null for a key", BYTES("~: x"), 2, 1, "must be text" },
    { "no key", BYTES(": x"), 2, 1, "key" },
    { "an empty key", BYTES("{a: 1, ? : x}"), 2, 10, "must be text" },
    { "a list for a key", BYTES("[a]: x"), 2, 1, "must be text" },
    { "a mapping for a key", BYTES("? {a: b}\n: x"), 2, 3, "must be text" },
    { "a merge key", BYTES("a: {<<: {b: 1}}"), 2, 5, "merge" },
    { "a list at the top", BYTES("- a\n- b"), 2, 1, "not a list" },
    { "text at the top", BYTES("just text"), 2, 1, "keys and values" },
    { "infinity", BYTES("a: -.inf"), 2, 4, "finite" },
    { "not a number", BYTES("a: .NaN"), 2, 4, "finite" },
    { "a number too large", BYTES("a: 1e309"), 2, 4, "too large" },
    { "a hexadecimal too large", BYTES("a: 0x10000000000000000"), 2, 4, "too large" },
    { "a number too long",
      BYTES("a: 1234567890123456789012345678901234567890123456789012345678901234"), 2, 4,
      "too long" },
    { "a NUL in quotes", BYTES("a: \"x\\0y\""), 2, 4, "NUL" },
    { "a NUL in a key", BYTES("\"x\\0y\": 1"), 2, 1, "NUL" },
    { "a raw NUL", BYTES("a: x\0y"), 2, 5, "control characters" },
    { "a raw escape", BYTES("a: 1\nb: \x1b[2J"), 3, 4, "control characters" },
    { "bad UTF-8", BYTES("a: 1\nb: \xc3\xa9 \xff"), 3, 6, "UTF-8" },
    { "a half surrogate", BYTES("a: \"\\ud800\""), 2, 7, "invalid Unicode" },
    { "a colon in plain text", BYTES("a: use when: always"), 2, 12, "mapping values" },
    { "a tab for indentation", BYTES("a:\n\tb: 1"), 3, 1, "token" },
    { "a bracket too few", BYTES("a: [1, 2"), 3, 1, "" },
    { "a quote too few", BYTES("a: \"x\nb: 1"), 4, 1, "" },
    { "a key behind a lone carriage return", BYTES("a: 1\rb: 2"), 2, 5, "line break" },
    { "a key behind a next-line character",
      BYTES("a: 1\xc2\x85"
            "b: 2"),
      2, 5, "line break" },
    { "a key behind a line separator",
      BYTES("a: 1\xe2\x80\xa8"
            "b: 2"),
      2, 5, "line break" },
    { "a key behind a paragraph separator",
      BYTES("c: 0\na: 1\xe2\x80\xa9"
            "b: 2"),
      3, 5, "line break" },
};

static void test_refused(void **state)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    (void)state;
    for (size_t i = 0; i < SF_COUNT(refused); i++) {
        size_t line = 0, column = 0, at = 77;
        char *msg;

        sf_strbuf_reset(&text);
        sf_strbuf_adds(&text, "---\n");
        sf_strbuf_add(&text, refused[i].yaml, refused[i].len);
        sf_strbuf_adds(&text, "\n---\nbody");
        msg = head_of(text.buf, text.len, &at);
        if (sscanf(msg, "bad frontmatter at line %zu, column %zu:", &line, &column) != 2 ||
            line != refused[i].line || column != refused[i].column || !strstr(msg, refused[i].why))
            fail_msg("%s: %s", refused[i].name, msg);
        assert_int_equal(at, 77);
        free(msg);
    }
    sf_strbuf_release(&text);
}

static void test_no_end(void **state)
{
    static const char *const texts[] = { "---", "---\n", "---\na: 1\n", "---\na: 1\n ---\n",
                                         "---\na: 1\n---x\n" };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(texts); i++) {
        struct sf_error err = SF_ERROR_INIT;
        struct sf_json *head = NULL;
        size_t at;

        assert_false(sf_frontmatter_parse(texts[i], strlen(texts[i]), &head, &at, &err));
        assert_null(head);
        assert_non_null(strstr(err.msg, "has no end"));
        assert_non_null(strstr(err.hint, "three dashes"));
    }
}

static void test_hint_for_the_usual_mistake(void **state)
{
    static const char text[] = "---\ndescription: use when: always\n---\n";
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json *head = NULL;
    size_t at;

    (void)state;
    assert_false(sf_frontmatter_parse(text, sizeof(text) - 1, &head, &at, &err));
    assert_non_null(strstr(err.hint, "needs quotes"));
}

static enum sf_errc code_of(const struct sf_strbuf *text)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json *head = NULL;
    size_t at;
    bool ok = sf_frontmatter_parse(text->buf, text->len, &head, &at, &err);

    sf_json_free(head);
    assert_int_equal(ok, err.code == SF_E_NONE);
    return err.code;
}

static enum sf_errc code_of_depth(size_t depth, char open, char close)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    enum sf_errc code;

    sf_strbuf_adds(&sb, "---\na: ");
    for (size_t i = 1; i < depth; i++)
        sf_strbuf_addf(&sb, open == '{' && i > 1 ? "b: %c" : "%c", open);
    sf_strbuf_fill(&sb, close, depth - 1);
    sf_strbuf_adds(&sb, "\n---\n");
    code = code_of(&sb);
    sf_strbuf_release(&sb);
    return code;
}

static void test_depth(void **state)
{
    (void)state;
    assert_int_equal(code_of_depth(16, '[', ']'), SF_E_NONE);
    assert_int_equal(code_of_depth(17, '[', ']'), SF_E_LIMIT);
    assert_int_equal(code_of_depth(16, '{', '}'), SF_E_NONE);
    assert_int_equal(code_of_depth(17, '{', '}'), SF_E_LIMIT);
    assert_int_equal(code_of_depth(30000, '[', ']'), SF_E_LIMIT);
}

static enum sf_errc code_of_values(size_t count)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    enum sf_errc code;

    sf_strbuf_adds(&sb, "---\n");
    for (size_t i = 1; i < count; i++)
        sf_strbuf_addf(&sb, "k%zu: 1\n", i);
    sf_strbuf_adds(&sb, "---\n");
    code = code_of(&sb);
    sf_strbuf_release(&sb);
    return code;
}

static enum sf_errc code_of_bytes(size_t bytes)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    enum sf_errc code;

    sf_strbuf_adds(&sb, "---\na: ");
    sf_strbuf_fill(&sb, 'x', bytes - 4);
    sf_strbuf_adds(&sb, "\n---\n");
    sf_strbuf_fill(&sb, 'b', 200000);
    code = code_of(&sb);
    sf_strbuf_release(&sb);
    return code;
}

static void test_ceilings(void **state)
{
    struct sf_strbuf endless = SF_STRBUF_INIT;

    (void)state;
    assert_int_equal(code_of_values(SF_FRONTMATTER_NODES), SF_E_NONE);
    assert_int_equal(code_of_values(SF_FRONTMATTER_NODES + 1), SF_E_LIMIT);
    assert_int_equal(code_of_bytes(SF_FRONTMATTER_BYTES), SF_E_NONE);
    assert_int_equal(code_of_bytes(SF_FRONTMATTER_BYTES + 1), SF_E_LIMIT);
    sf_strbuf_adds(&endless, "---\n");
    sf_strbuf_fill(&endless, '\n', 1000000);
    assert_int_equal(code_of(&endless), SF_E_LIMIT);
    sf_strbuf_release(&endless);
}

/* A file cut anywhere gives an error or a shorter body, never a different head. */
static void test_every_prefix(void **state)
{
    static const char text[] = "---\nname: x\nlist: [1, {a: 'q'}]\ntext: |\n  a\n---\nbody";
    size_t closed = strlen(text) - 5;

    (void)state;
    for (size_t n = 0; n < sizeof(text); n++) {
        size_t at = 0;
        char *head = head_of(text, n, &at);

        if (n < 3)
            assert_string_equal(head, "{}");
        else if (n >= closed)
            assert_string_equal(head,
                                "{\"name\":\"x\",\"list\":[1,{\"a\":\"q\"}],\"text\":\"a\\n\"}");
        else
            assert_non_null(strstr(head, "has no end"));
        free(head);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_no_end),
        cmocka_unit_test(test_hint_for_the_usual_mistake),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_ceilings),
        cmocka_unit_test(test_every_prefix),
    };

    return cmocka_run_group_tests_name("frontmatter", tests, NULL, NULL);
}
