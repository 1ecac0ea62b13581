/*
 * Editing TOML: exact bytes for the shapes a settings file takes, and the whole corpus as a
 * property: after setting a key, that key has the value and nothing else changed.
 */
#include <glob.h>

#include "base/base.h"
#include "support/test.h"

enum { MAX = 1 << 20 };

static const struct {
    const char *name, *before, *key, *value, *after; /* after NULL: refused, text as before */
} cases[] = {
    { "an empty file", "", "a.b", "1", "[a]\nb = 1\n" },
    { "an empty file, root key", "", "a", "1", "a = 1\n" },
    { "a value is replaced, its comment stays", "# top\n[d]\nx = 1 # why\ny = 2\n", "d.x", "7",
      "# top\n[d]\nx = 7 # why\ny = 2\n" },
    { "a new key goes to the end of its section", "[d]\nx = 1\n\n# next\n[e]\ny = 2\n", "d.n", "3",
      "[d]\nx = 1\nn = 3\n\n# next\n[e]\ny = 2\n" },
    { "a section without keys", "[d]\n\n[e]\n", "d.n", "3", "[d]\nn = 3\n\n[e]\n" },
    { "a new section goes to the end", "x = 1\n", "d.n", "3", "x = 1\n\n[d]\nn = 3\n" },
    { "the last line is closed first", "x = 1", "y", "2", "x = 1\ny = 2\n" },
    { "the last line is closed before a section too", "x = 1", "d.n", "2",
      "x = 1\n\n[d]\nn = 2\n" },
    { "a root key goes above the first header", "# about d\n[d]\nx = 1\n", "y", "2",
      "y = 2\n\n# about d\n[d]\nx = 1\n" },
    { "a root key stays below the file's own comment", "# file\n\n# about d\n[d]\n", "y", "2",
      "# file\n\ny = 2\n\n# about d\n[d]\n" },
    { "only comments", "# nothing here\n", "y", "2", "# nothing here\ny = 2\n" },
    { "dotted keys stay dotted", "d.x = 1\nz = 0\n", "d.n", "2", "d.x = 1\nz = 0\nd.n = 2\n" },
    { "dotted keys below a header", "[a]\nb.x = 1\n", "a.b.n", "2", "[a]\nb.x = 1\nb.n = 2\n" },
    { "an inline table grows", "d = { x = 1 } # c\n", "d.n", "2", "d = { x = 1, n = 2 } # c\n" },
    { "an empty inline table", "d = {}\n", "d.n", "2", "d = { n = 2 }\n" },
    { "a table deeper in an inline one", "d = { x = 1 }\n", "d.e.n", "2",
      "d = { x = 1, e.n = 2 }\n" },
    { "only a deeper header is there", "[a.b]\nx = 1\n", "a.n", "2",
      "[a.b]\nx = 1\n\n[a]\nn = 2\n" },
    { "CRLF stays CRLF", "[d]\r\nx = 1\r\n", "d.n", "2", "[d]\r\nx = 1\r\nn = 2\r\n" },
    { "a byte order mark stays first", "\xef\xbb\xbf[d]\nx = 1\n", "d.x", "2",
      "\xef\xbb\xbf[d]\nx = 2\n" },
    { "a multi-line array is one value", "a = [\n  1, # one\n  2,\n]\nb = 1\n", "a", "[]",
      "a = []\nb = 1\n" },
    { "names that need quotes", "[m]\n", "m.\"a.b\".u", "1", "[m]\n\n[m.\"a.b\"]\nu = 1\n" },
    { "indentation stays", "[d]\n  x = 1\n", "d.x", "2", "[d]\n  x = 2\n" },
    { "a table is no value", "[d.e]\nx = 1\n", "d.e", "2", NULL },
    { "a value is no table", "d = 1\n", "d.e", "2", NULL },
    { "an array of tables is ambiguous", "[[d]]\nx = 1\n", "d.x", "2", NULL },
    { "a broken file is left alone", "d = \n", "d", "2", NULL },
};

static void split(const char *key, struct sf_strlist *path)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    const struct sf_toml_value *v;
    struct sf_toml *doc;

    sf_strbuf_addf(&text, "%s = 0", key);
    doc = sf_toml_parse(text.buf, text.len, MAX, &err);
    for (v = sf_toml_root(doc); v->type == SF_TOML_TABLE;) {
        sf_strlist_add(path, v->as.table->keys.entries[0].key);
        v = v->as.table->keys.entries[0].value;
    }
    sf_toml_free(doc);
    sf_strbuf_release(&text);
}

static void test_exact_bytes(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_strbuf text = SF_STRBUF_INIT;
        struct sf_strlist path = SF_STRLIST_INIT;
        struct sf_error err = SF_ERROR_INIT;
        const char *want = cases[i].after ? cases[i].after : cases[i].before;
        bool ok;

        sf_strbuf_adds(&text, cases[i].before);
        split(cases[i].key, &path);
        ok = sf_toml_edit_set(&text, (const char *const *)path.items, path.count, cases[i].value,
                              &err);
        if (ok != (cases[i].after != NULL) || strcmp(text.buf, want) != 0)
            fail_msg("%s: %s\n--- got\n%s\n--- want\n%s", cases[i].name, ok ? "set" : err.msg,
                     text.buf, want);
        sf_strlist_release(&path);
        sf_strbuf_release(&text);
    }
}

static const struct {
    const char *name, *before, *key, *after;
} unsets[] = {
    { "the line goes, its neighbours stay", "# a\nx = 1 # one\ny = 2\n", "x", "# a\ny = 2\n" },
    { "a multi-line value goes whole", "x = [\n 1,\n]\ny = 2\n", "x", "y = 2\n" },
    { "the last line without newline", "y = 2\nx = 1", "x", "y = 2\n" },
    { "in an inline table: refused", "d = { x = 1, y = 2 }\n", "d.x", NULL },
    { "not there: refused", "y = 2\n", "x", NULL },
};

static void test_unset(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(unsets); i++) {
        struct sf_strbuf text = SF_STRBUF_INIT;
        struct sf_strlist path = SF_STRLIST_INIT;
        struct sf_error err = SF_ERROR_INIT;
        const char *want = unsets[i].after ? unsets[i].after : unsets[i].before;
        bool ok;

        sf_strbuf_adds(&text, unsets[i].before);
        split(unsets[i].key, &path);
        ok = sf_toml_edit_unset(&text, (const char *const *)path.items, path.count, &err);
        if (ok != (unsets[i].after != NULL) || strcmp(text.buf, want) != 0)
            fail_msg("%s: %s: %s", unsets[i].name, ok ? "unset" : err.msg, text.buf);
        sf_strlist_release(&path);
        sf_strbuf_release(&text);
    }
}

/* Every comment of the old text, in order, is in the new text. */
static bool comments_kept(const char *before, const char *after)
{
    while ((before = strchr(before, '#'))) {
        size_t n = strcspn(before, "\r\n");

        for (;; after++) {
            after = strchr(after, '#');
            if (!after)
                return false;
            if (!strncmp(after, before, n))
                break;
        }
        before += n;
        after += n;
    }
    return true;
}

static void set_and_compare(const char *file, const char *text, size_t len, const char *const *path,
                            size_t depth)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strbuf edited = SF_STRBUF_INIT;
    struct sf_toml *before = sf_toml_parse(text, len, MAX, &err), *after, *undone;
    const struct sf_toml_value *v;

    assert_non_null(before);
    sf_strbuf_add(&edited, text, len);
    if (!sf_toml_edit_set(&edited, path, depth, "\"value\"", &err))
        fail_msg("%s: %s", file, err.msg);
    after = sf_toml_parse(edited.buf, edited.len, MAX, &err);
    assert_non_null(after);
    v = sf_toml_find(after, path, depth);
    if (!v || v->type != SF_TOML_STRING || strcmp(v->as.str.text, "value") != 0)
        fail_msg("%s: the key has not got its value", file);
    if (!comments_kept(text, edited.buf))
        fail_msg("%s: a comment was lost:\n%s", file, edited.buf);
    /* taking it out again leaves the data of before, but for a table that is now empty */
    if (!sf_toml_edit_unset(&edited, path, depth, &err))
        fail_msg("%s: %s", file, err.msg);
    undone = sf_toml_parse(edited.buf, edited.len, MAX, &err);
    assert_non_null(undone);
    if (depth == 1 && !sf_toml_equal(sf_toml_root(before), sf_toml_root(undone)))
        fail_msg("%s: set and unset changed something else", file);
    sf_toml_free(before);
    sf_toml_free(after);
    sf_toml_free(undone);
    sf_strbuf_release(&edited);
}

static void test_corpus_round_trip(void **state)
{
    static const char *const table_key[] = { "sf-new-table", "key" }, *const root_key[] = {
        "sf-new"
    };
    static const char *const patterns[] = { "corpus/toml/valid/*.toml",
                                            "corpus/toml/valid/*/*.toml" };
    size_t count = 0;

    (void)state;
    for (size_t p = 0; p < SF_COUNT(patterns); p++) {
        glob_t found;

        assert_int_equal(glob(patterns[p], 0, NULL, &found), 0);
        for (size_t i = 0; i < found.gl_pathc; i++, count++) {
            size_t len;
            char *text = test_read(found.gl_pathv[i], &len);

            set_and_compare(found.gl_pathv[i], text, len, table_key, 2);
            set_and_compare(found.gl_pathv[i], text, len, root_key, 1);
            free(text);
        }
        globfree(&found);
    }
    assert_true(count > 70);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_bytes),
        cmocka_unit_test(test_unset),
        cmocka_unit_test(test_corpus_round_trip),
    };

    return cmocka_run_group_tests_name("toml_edit", tests, NULL, NULL);
}
