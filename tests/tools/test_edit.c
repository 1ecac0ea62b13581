/*
 * Edit and MultiEdit through the tool on real files: the exact bytes afterwards, what the model
 * is told, and what must not be touched. Each case of the table reads the file first, as a model
 * must.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "support/snapshot.h"
#include "support/store_case.h"
#include "support/test.h"
#include "support/toolcase.h"

#define BOM "\xef\xbb\xbf"

/* `after` NULL: refused, the file stays, and `says` is part of why. Lengths 0: strlen. */
struct edit_case {
    const char *name;
    const char *before;
    size_t before_len;
    const char *old_text, *new_text;
    bool all;
    const char *after;
    size_t after_len;
    const char *says;
};

/* clang-format off */
static const struct edit_case cases[] = {
    { "a word", "int a;\n", 0, "a", "b", false, "int b;\n", 0, "1: int b;" },
    { "a line among others", "one\ntwo\nthree\n", 0, "two", "TWO", false, "one\nTWO\nthree\n", 0, "2: TWO" },
    { "a line with its end", "one\ntwo\nthree\n", 0, "two\n", "2\n", false, "one\n2\nthree\n", 0, "2: 2" },
    { "a line goes", "one\ntwo\nthree\n", 0, "two\n", "", false, "one\nthree\n", 0, "" },
    { "all goes", "one\n", 0, "one\n", "", false, "", 0, "" },
    { "the first bytes", "abc", 0, "a", "x", false, "xbc", 0, "" },
    { "the last bytes", "abc", 0, "c", "x", false, "abx", 0, "" },
    { "lines are added", "a\nc\n", 0, "a\n", "a\nb\n", false, "a\nb\nc\n", 0, "2: b" },
    { "several lines by one", "a\nb\nc\nd\n", 0, "b\nc", "x", false, "a\nx\nd\n", 0, "2: x" },
    { "one by several", "a\nb\nc\n", 0, "b", "1\n2\n3", false, "a\n1\n2\n3\nc\n", 0, "4: 3" },
    { "no final newline, in the middle", "a\nb", 0, "a", "x", false, "x\nb", 0, "" },
    { "no final newline, at the end", "a\nb", 0, "b", "x", false, "a\nx", 0, "" },
    { "no final newline, though one is asked for", "a\nb", 0, "b\n", "x\n", false, "a\nx", 0, "" },
    { "a final newline is added", "a\nb", 0, "b", "b\n", false, "a\nb\n", 0, "" },
    { "a final newline goes", "a\nb\n", 0, "b\n", "b", false, "a\nb", 0, "" },
    { "only newlines", "\n\n\n", 0, "\n\n\n", "\n", false, "\n", 0, "" },

    { "CRLF stays around a word", "one\r\ntwo\r\n", 0, "two", "2", false, "one\r\n2\r\n", 0, "" },
    { "CRLF: plain newlines match", "a\r\nb\r\nc\r\n", 0, "a\nb", "x\ny", false, "x\r\ny\r\nc\r\n", 0, "" },
    { "CRLF: new lines take it over", "a\r\nb\r\n", 0, "a\n", "a\nnew\n", false, "a\r\nnew\r\nb\r\n", 0, "" },
    { "CRLF on both sides", "a\r\nb\r\n", 0, "a\r\nb", "x\r\ny", false, "x\r\ny\r\n", 0, "" },
    { "CRLF in the middle of a line", "abc\r\n", 0, "b", "1\n2", false, "a1\r\n2c\r\n", 0, "" },
    { "CRLF asked for in a plain file", "a\nb\n", 0, "a\r\nb", "x\r\ny", false, "x\ny\n", 0, "" },
    { "CRLF: a line goes", "a\r\nb\r\nc\r\n", 0, "b\n", "", false, "a\r\nc\r\n", 0, "" },
    { "mixed ends stay mixed", "a\r\nb\nc\r\nd\n", 0, "b", "x", false, "a\r\nx\nc\r\nd\n", 0, "" },
    { "mixed ends over several lines", "a\r\nb\nc\r\n", 0, "a\nb\nc", "a\nB\nc", false, "a\r\nB\nc\r\n", 0, "" },
    { "old ends", "a\rb\rc\r", 0, "b", "x", false, "a\rx\rc\r", 0, "" },
    { "old ends: plain newlines match", "a\rb\rc\r", 0, "a\nb", "x\ny", false, "x\ry\rc\r", 0, "" },
    { "only the endings differ", "a\r\nb\r\n", 0, "a\r\nb", "a\nb", false, NULL, 0, "only in their line endings" },
    { "CRLF without a final one", "a\r\nb", 0, "b", "x", false, "a\r\nx", 0, "" },

    { "a mark stays", BOM "int a;\n", 0, "a", "b", false, BOM "int b;\n", 0, "" },
    { "a mark stays when the first word goes", BOM "int a;\n", 0, "int ", "", false, BOM "a;\n", 0, "" },
    { "a mark in the old text means the file's", BOM "int a;\n", 0, BOM "int", "long", false, BOM "long a;\n", 0, "" },
    { "a mark and CRLF", BOM "a\r\nb\r\n", 0, "a\nb", "x\ny", false, BOM "x\r\ny\r\n", 0, "" },

    { "tabs", "\tif (x)\n\t\ty();\n", 0, "\tif (x)\n\t\ty();", "\tif (z)\n\t\tw();", false, "\tif (z)\n\t\tw();\n", 0, "" },
    { "blanks for tabs are put right", "\tif (x)\n\t\ty();\n", 0, "    if (x)\n        y();", "    if (z)\n        y();", false, "\tif (z)\n\t\ty();\n", 0, "ignoring" },
    { "trailing blanks stay", "a  \nb\t\nc\n", 0, "c", "x", false, "a  \nb\t\nx\n", 0, "" },
    { "trailing blanks missing in the old text", "a  \nb\nc\n", 0, "a\nb", "a\nx", false, "a  \nx\nc\n", 0, "ignoring" },
    { "trailing blanks too many in the old text", "a\nb\nc\n", 0, "a  \nb", "a  \nx", false, "a\nx\nc\n", 0, "ignoring" },
    { "trailing blanks in the new text", "a\n", 0, "a", "a  ", false, "a  \n", 0, "" },
    { "white space alone", "a \t b\n", 0, " \t ", "\t", false, "a\tb\n", 0, "" },
    { "a form feed", "a\n\x0c\nb\n", 0, "b", "x", false, "a\n\x0c\nx\n", 0, "" },

    { "accents", "caf\xc3\xa9\n", 0, "caf\xc3\xa9", "th\xc3\xa9", false, "th\xc3\xa9\n", 0, "th\xc3\xa9" },
    { "accents as marks stay as they are", "e\xcc\x81 x\n", 0, "x", "y", false, "e\xcc\x81 y\n", 0, "" },
    { "emoji", "a \xf0\x9f\x98\x80 b\n", 0, "\xf0\x9f\x98\x80", "\xf0\x9f\x9a\x80", false, "a \xf0\x9f\x9a\x80 b\n", 0, "" },
    { "joined emoji", "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb x\n", 0, "x", "y", false, "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb y\n", 0, "" },
    { "Chinese", "\xe4\xbd\xa0\xe5\xa5\xbd\n", 0, "\xe5\xa5\xbd", "\xe4\xbb\xac", false, "\xe4\xbd\xa0\xe4\xbb\xac\n", 0, "" },
    { "right to left", "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d x\n", 0, "x", "y", false, "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d y\n", 0, "" },
    { "a zero-width space stays", "a\xe2\x80\x8b" "b c\n", 0, "c", "d", false, "a\xe2\x80\x8b" "b d\n", 0, "" },
    { "an escape stays", "\x1b[1mx\x1b[0m\n", 0, "x", "y", false, "\x1b[1my\x1b[0m\n", 0, "" },

    { "Latin-1 keeps its bytes", "caf\xe9 x\n", 0, "x", "y", false, "caf\xe9 y\n", 0, "" },
    { "Latin-1, next to them", "\xe9x\xe9\n", 0, "x", "yy", false, "\xe9yy\xe9\n", 0, "" },
    { "UTF-16 stays", "\xff\xfeh\0i\0\n\0", 8, "hi", "ho", false, "\xff\xfeh\0o\0\n\0", 8, "" },
    { "UTF-16 the other way round", "\xfe\xff\0h\0i", 6, "i", "\xe2\x82\xac", false, "\xfe\xff\0h\x20\xac", 6, "" },
    { "UTF-16 with CRLF", "\xff\xfe" "a\0\r\0\n\0b\0", 10, "a\nb", "x\ny", false, "\xff\xfex\0\r\0\n\0y\0", 10, "" },
    { "UTF-16 that is damaged", "\xff\xfe\0\xd8x\0", 6, "x", "y", false, NULL, 0, "damaged" },
    { "binary", "ab\0cd", 5, "ab", "x", false, NULL, 0, "binary" },

    { "twice there", "x = 1;\nx = 1;\n", 0, "x = 1;", "y", false, NULL, 0, "2 times: lines 1, 2" },
    { "all of them", "a b a b a\n", 0, "a", "x", true, "x b x b x\n", 0, "3" },
    { "all, when there is one", "a b\n", 0, "a", "x", true, "x b\n", 0, "" },
    { "all, over lines", "a\nb\na\nb\n", 0, "a\nb\n", "c\n", true, "c\nc\n", 0, "" },
    { "all, with CRLF", "a\r\nb\r\na\r\nb\r\n", 0, "a\nb", "c", true, "c\r\nc\r\n", 0, "" },
    { "all, and the new holds the old", "a a\n", 0, "a", "aa", true, "aa aa\n", 0, "" },
    { "all, overlapping", "aaaa\n", 0, "aa", "b", true, "bb\n", 0, "" },
    { "overlapping is more than once", "aaa\n", 0, "aa", "b", false, NULL, 0, "2 times" },
    { "made unique by its surroundings", "f(1)\nx\nf(1)\ny\n", 0, "f(1)\ny", "f(2)\ny", false, "f(1)\nx\nf(2)\ny\n", 0, "" },
    { "the new text is there already, elsewhere", "a\nb\n", 0, "a", "b", false, "b\nb\n", 0, "" },

    { "not there", "int main(void)\n", 0, "zzzzzz", "y", false, NULL, 0, "old_string is not in the file" },
    { "not there, but nearly", "int count = 0;\nint total = 1;\n", 0, "int totals = 2;", "x", false, NULL, 0, "line 2" },
    { "in other letters", "Hello\n", 0, "hello", "x", false, NULL, 0, "not in the file" },
    { "with the numbers of Read", "one\ntwo\n", 0, "1: one", "x", false, NULL, 0, "not in the file" },
    { "the same texts", "a\n", 0, "a", "a", false, NULL, 0, "are the same" },
    { "both empty", "a\n", 0, "", "", false, NULL, 0, "are the same" },
    { "an empty old text", "a\n", 0, "", "x", false, NULL, 0, "old_string is empty, but the file is not" },
    { "an empty file", "", 0, "", "x\n", false, "x\n", 0, "1: x" },
    { "something in an empty file", "", 0, "a", "x", false, NULL, 0, "not in the file" },
    { "made already", "int b;\n", 0, "int a;", "int b;", false, NULL, 0, "perhaps the change was made already" },

    { "a dollar and a backslash mean themselves", "x$1\\n\n", 0, "$1\\n", "\\0&", false, "x\\0&\n", 0, "" },
    { "expressions mean themselves", "a.*b\naxxb\n", 0, "a.*b", "c", false, "c\naxxb\n", 0, "" },
    { "JSON", "{\"a\": [1, 2]}\n", 0, "[1, 2]", "[\"x\\\"y\"]", false, "{\"a\": [\"x\\\"y\"]}\n", 0, "" },
    { "percent signs", "100%s%n\n", 0, "%s%n", "%d", false, "100%d\n", 0, "" },
};
/* clang-format on */

static void add_edit(struct sf_json_writer *w, const char *old_text, const char *new_text, bool all)
{
    sf_jw_key_str(w, "old_string", old_text);
    sf_jw_key_str(w, "new_string", new_text);
    if (all)
        sf_jw_key_bool(w, "replace_all", true);
}

static const char *edit(struct toolcase *t, const char *name, const char *old_text,
                        const char *new_text, bool all)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    struct sf_json_writer w;
    const char *text;

    sf_jw_init(&w, &sb);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "file_path", name);
    add_edit(&w, old_text, new_text, all);
    sf_jw_object_end(&w);
    text = tool_run_json(t, "Edit", sb.buf, sb.len);
    sf_strbuf_release(&sb);
    return text;
}

static size_t length(const char *text, size_t len)
{
    return len ? len : strlen(text);
}

/* True when the case went as it says. */
static bool run_case(struct toolcase *t, const struct edit_case *c)
{
    size_t before_len = length(c->before, c->before_len), got_len;
    const char *want = c->after ? c->after : c->before;
    size_t want_len = c->after ? length(c->after, c->after_len) : before_len;
    const char *text;
    char *got;
    bool good;

    tool_put(t, "f", c->before, before_len);
    tool_run(t, "Read", "{'file_path':'f'}");
    if (tool_failed(t)) { /* neither text nor image: pretend, so that Edit itself must refuse */
        struct sf_file_seen seen = { .path = (char[]){ "f" } };

        sf_toolbox_remember(t->box, &seen);
    }
    text = edit(t, "f", c->old_text, c->new_text, c->all);
    got = tool_get(t, "f", &got_len);
    good = got_len == want_len && !memcmp(got, want, want_len) && tool_failed(t) == !c->after &&
           strstr(text, c->says);
    if (!good)
        print_error("%s: %s\n%s\n", c->name, text, got);
    if (good && c->after)
        good = t->call->result.diff.len > 0 && t->call->result.summary;
    free(got);
    return good;
}

static void test_cases(void **state)
{
    for (size_t i = 0; i < SF_COUNT(cases); i++)
        if (!run_case(*state, &cases[i]))
            fail_msg("%s", cases[i].name);
}

/* Whether quotes count as equal is the ladder's; the bytes outside must stay in any case. */
static void test_typographic_quotes(void **state)
{
    struct toolcase *t = *state;

    tool_puts(t, "f", "\xe2\x80\x9c\x61\xe2\x80\x9d\nsay \xe2\x80\x9chi\xe2\x80\x9d now\n");
    tool_ok(t, "Read", "{'file_path':'f'}", "say");
    edit(t, "f", "say \"hi\" now", "say nothing now", false);
    if (!tool_failed(t))
        tool_expect_file(t, "f", "\xe2\x80\x9c\x61\xe2\x80\x9d\nsay nothing now\n", 24);
}

static void expect(struct toolcase *t, const char *name, const char *want)
{
    tool_expect_file(t, name, want, want ? strlen(want) : 0);
}

static void test_must_be_read_first(void **state)
{
    struct toolcase *t = *state;

    tool_puts(t, "f", "one\n");
    assert_non_null(strstr(edit(t, "f", "one", "two", false), "f has not been read yet\nRead it"));
    assert_true(tool_failed(t));
    expect(t, "f", "one\n");
    tool_ok(t, "Read", "{'file_path':'f'}", "one");
    edit(t, "f", "one", "two", false);
    assert_false(tool_failed(t));
    expect(t, "f", "two\n");
    edit(t, "f", "two", "three", false); /* its own work it knows */
    assert_false(tool_failed(t));
    expect(t, "f", "three\n");
}

static void test_a_part_read_is_enough(void **state)
{
    struct toolcase *t = *state;

    tool_puts(t, "f", "1\n2\n3\n");
    tool_ok(t, "Read", "{'file_path':'f','offset':2,'limit':1}", "2: 2");
    edit(t, "f", "2", "two", false);
    assert_false(tool_failed(t));
    expect(t, "f", "1\ntwo\n3\n");
    assert_false(t->call->result.seen[0].whole);
}

static void test_changed_underneath(void **state)
{
    struct toolcase *t = *state;

    tool_puts(t, "f", "a\nb\nc\n");
    tool_ok(t, "Read", "{'file_path':'f'}", "b");
    tool_puts(t, "f", "a\nb\nC\n");
    assert_non_null(strstr(edit(t, "f", "b", "x", false), "changed since it was read"));
    assert_false(tool_failed(t)); /* there once, exactly: done, and said */
    expect(t, "f", "a\nx\nC\n");
    assert_int_equal(t->call->result.seen_count, 0); /* what else changed is still unseen */
    tool_fails(t, "Write", "{'file_path':'f','content':'y'}", "has changed since it was read");

    assert_non_null(strstr(edit(t, "f", "c", "y", false), "read it again"));
    assert_true(tool_failed(t));
    tool_puts(t, "f", "a  \nb\nb\n");
    assert_non_null(strstr(edit(t, "f", "b", "y", true), "changed since it was read"));
    assert_true(tool_failed(t)); /* several places */
    edit(t, "f", "a\nb", "y\nb", false);
    assert_true(tool_failed(t)); /* not exactly there */
    expect(t, "f", "a  \nb\nb\n");
    tool_ok(t, "Read", "{'file_path':'f'}", "2: b");
    edit(t, "f", "b", "y", true);
    assert_false(tool_failed(t));
    expect(t, "f", "a  \ny\ny\n");
}

static void test_touched_but_the_same(void **state)
{
    struct toolcase *t = *state;

    tool_puts(t, "f", "a\n");
    tool_ok(t, "Read", "{'file_path':'f'}", "a");
    tool_puts(t, "f", "b\n");
    tool_puts(t, "f", "a\n"); /* another time, the same bytes */
    assert_null(strstr(edit(t, "f", "a", "x", false), "changed"));
    assert_false(tool_failed(t));
}

static void test_swapped_while_it_was_judged(void **state)
{
    static const char args[] = "{\"file_path\":\"f\",\"old_string\":\"a\",\"new_string\":\"x\"}";
    struct toolcase *t = *state;
    char *path = test_path(t->dir, "f"), *other = test_path(t->dir, "g");

    tool_puts(t, "f", "a\n");
    tool_puts(t, "g", "a secret\n");
    tool_ok(t, "Read", "{'file_path':'f'}", "a");
    assert_non_null(tool_prepare(t, "Edit", args, strlen(args)));
    assert_int_equal(rename(other, path), 0);
    free(path);
    free(other);
    tool_finish(t);
    assert_true(tool_failed(t));
    expect(t, "f", "a secret\n");
}

static void test_read_only(void **state)
{
    struct toolcase *t = *state;
    char *path = test_path(t->dir, "f");

    tool_puts(t, "f", "a\n");
    assert_int_equal(chmod(path, 0444), 0);
    free(path);
    tool_ok(t, "Read", "{'file_path':'f'}", "a");
    assert_non_null(strstr(edit(t, "f", "a", "x", false), "read-only"));
    assert_true(tool_failed(t));
    expect(t, "f", "a\n");
}

static void test_mode_stays(void **state)
{
    struct toolcase *t = *state;
    char *path = test_path(t->dir, "f");
    struct stat st;

    tool_puts(t, "f", "a\n");
    assert_int_equal(chmod(path, 0750), 0);
    tool_ok(t, "Read", "{'file_path':'f'}", "a");
    edit(t, "f", "a", "x", false);
    assert_int_equal(stat(path, &st), 0);
    free(path);
    assert_int_equal(st.st_mode & 07777, 0750);
}

static void test_through_a_link(void **state)
{
    struct toolcase *t = *state;
    char *link = test_path(t->dir, "link");
    struct stat st;

    tool_puts(t, "real/f", "a\n");
    assert_int_equal(symlink("real/f", link), 0);
    tool_ok(t, "Read", "{'file_path':'link'}", "a");
    edit(t, "link", "a", "x", false);
    assert_false(tool_failed(t));
    expect(t, "real/f", "x\n");
    assert_int_equal(lstat(link, &st), 0);
    free(link);
    assert_true(S_ISLNK(st.st_mode));
}

static void test_not_there(void **state)
{
    struct toolcase *t = *state;

    tool_puts(t, "main.c", "a\n");
    assert_non_null(strstr(edit(t, "mian.c", "a", "b", false), "there is: main.c"));
    assert_true(tool_failed(t));
    edit(t, "new/f", "", "x\n", false);
    assert_false(tool_failed(t));
    expect(t, "new/f", "x\n");
    edit(t, "main.c/x", "a", "b", false);
    assert_true(tool_failed(t));
    edit(t, "new", "a", "b", false);
    assert_true(tool_failed(t));
}

static void test_huge(void **state)
{
    struct toolcase *t = *state;
    struct sf_strbuf sb = SF_STRBUF_INIT;
    size_t middle;

    for (int i = 0; i < 50000; i++)
        sf_strbuf_addf(&sb, "line %-93d\n", i);
    middle = sb.len / 2;
    sf_strbuf_splice(&sb, middle, 6, "NEEDLE", 6);
    tool_put(t, "f", sb.buf, sb.len);
    tool_ok(t, "Read", "{'file_path':'f','limit':1}", "1: line 0");
    edit(t, "f", "NEEDLE", "HAY", false);
    assert_false(tool_failed(t));
    sf_strbuf_splice(&sb, middle, 6, "HAY", 3);
    tool_expect_file(t, "f", sb.buf, sb.len);
    sf_strbuf_release(&sb);
}

static void test_too_huge(void **state)
{
    struct toolcase *t = *state;
    char *path = test_path(t->dir, "f");

    tool_puts(t, "f", "a\n");
    assert_int_equal(truncate(path, (off_t)17 * 1024 * 1024), 0);
    free(path);
    assert_non_null(strstr(edit(t, "f", "a", "b", false), "16 MiB"));
    assert_true(tool_failed(t));
}

static void test_a_very_long_line(void **state)
{
    struct toolcase *t = *state;
    struct sf_strbuf sb = SF_STRBUF_INIT;

    sf_strbuf_fill(&sb, 'x', 300000);
    sf_strbuf_adds(&sb, "END");
    tool_put(t, "f", sb.buf, sb.len);
    tool_ok(t, "Read", "{'file_path':'f'}", "more bytes in this line");
    edit(t, "f", "END", "FIN", false);
    assert_false(tool_failed(t));
    assert_true(t->call->result.text.len < 10000);
    sf_strbuf_truncate(&sb, 300000);
    sf_strbuf_adds(&sb, "FIN");
    tool_expect_file(t, "f", sb.buf, sb.len);
    sf_strbuf_release(&sb);
}

static void test_results_are_safe(void **state)
{
    struct toolcase *t = *state;

    tool_puts(t, "f", "\x1b]0;owned\x07 a\nb\n");
    tool_ok(t, "Read", "{'file_path':'f'}", "a");
    edit(t, "f", "b", "\x1b[2Jx", false);
    assert_false(tool_failed(t));
    assert_null(strchr(t->call->result.text.buf, '\x1b'));
    assert_null(strchr(t->call->result.diff.buf, '\x1b'));
    assert_null(strchr(t->call->result.summary, '\x1b'));
    expect(t, "f", "\x1b]0;owned\x07 a\n\x1b[2Jx\n");
}

static void test_the_excerpt(void **state)
{
    struct toolcase *t = *state;

    tool_puts(t, "f", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n");
    tool_ok(t, "Read", "{'file_path':'f'}", "20");
    tool_ok(t, "MultiEdit",
            "{'file_path':'f','edits':[{'old_string':'5\\n6','new_string':'5\\n5.5\\n6'},"
            "{'old_string':'19','new_string':'XIX'}]}",
            "\n3: 3\n4: 4\n5: 5\n6: 5.5\n7: 6\n8: 7\n9: 8\n...\n17: 16\n18: 17\n19: 18\n20: XIX\n"
            "21: 20\n");
    assert_string_equal(t->call->result.summary, "edited f +2 \xe2\x88\x92"
                                                 "1");
}

static void test_several_edits_are_one(void **state)
{
    struct toolcase *t = *state;

    tool_puts(t, "f", "a\nb\nc\n");
    tool_ok(t, "Read", "{'file_path':'f'}", "a");
    tool_ok(t, "MultiEdit",
            "{'file_path':'f','edits':[{'old_string':'a','new_string':'1'},"
            "{'old_string':'1\\nb','new_string':'2'},"
            "{'old_string':'c','new_string':'3','replace_all':'true'}]}",
            "");
    expect(t, "f", "2\n3\n");
    tool_fails(t, "MultiEdit",
               "{'file_path':'f','edits':[{'old_string':'2','new_string':'x'},"
               "{'old_string':'zzz','new_string':'y'}]}",
               "edit 2 of 2");
    expect(t, "f", "2\n3\n"); /* none was made */
    tool_fails(t, "MultiEdit",
               "{'file_path':'f','edits':[{'old_string':'2','new_string':'x'},"
               "{'old_string':'2','new_string':'y'}]}",
               "right before edit 1");
    tool_fails(t, "MultiEdit", "{'file_path':'f','edits':[]}", "1 to 200 items");
    tool_fails(t, "MultiEdit", "{'file_path':'f','edits':[{'old_string':'2'}]}",
               "edits[0].new_string is missing");
    tool_fails(t, "MultiEdit", "{'file_path':'f','edits':'{}'}", "a list of objects");
    expect(t, "f", "2\n3\n");
}

static void test_nothing_is_left_behind(void **state)
{
    struct toolcase *t = *state;
    struct sf_strlist before = SF_STRLIST_INIT, after = SF_STRLIST_INIT;
    bool same;

    tool_puts(t, "f", "a\nb\n");
    tool_ok(t, "Read", "{'file_path':'f'}", "a");
    snapshot_take(t->dir, &before);
    edit(t, "f", "zzz", "x", false);
    edit(t, "f", "a", "x", false);
    edit(t, "f", "x", "a", false);
    snapshot_take(t->dir, &after);
    same = before.count == after.count && !snapshot_lost(&before, &after);
    sf_strlist_release(&before);
    sf_strlist_release(&after);
    assert_true(same);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_TOOLS(test_cases),
        WITH_TOOLS(test_typographic_quotes),
        WITH_TOOLS(test_must_be_read_first),
        WITH_TOOLS(test_a_part_read_is_enough),
        WITH_TOOLS(test_changed_underneath),
        WITH_TOOLS(test_touched_but_the_same),
        WITH_TOOLS(test_swapped_while_it_was_judged),
        WITH_TOOLS(test_read_only),
        WITH_TOOLS(test_mode_stays),
        WITH_TOOLS(test_through_a_link),
        WITH_TOOLS(test_not_there),
        WITH_TOOLS(test_huge),
        WITH_TOOLS(test_too_huge),
        WITH_TOOLS(test_a_very_long_line),
        WITH_TOOLS(test_results_are_safe),
        WITH_TOOLS(test_the_excerpt),
        WITH_TOOLS(test_several_edits_are_one),
        WITH_TOOLS(test_nothing_is_left_behind),
    };

    test_use_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
