/*
 * test_read.c: what a model sees of files of all kinds, and what it is told where there is nothing to
 * see. Real files, real places.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "support/store_case.h"
#include "support/test.h"
#include "support/toolcase.h"

#define MIB ((size_t)1024 * 1024)

static void test_lines_are_numbered(void **state)
{
    struct toolcase *t = *state;

    tool_puts(t, "a.c", "int a;\n\n\tint b;\n");
    assert_string_equal(tool_run(t, "Read", "{'file_path':'a.c'}"),
                        "1: int a;\n2: \n3: \tint b;\n");
    assert_false(tool_failed(t));
    assert_string_equal(t->call->result.summary, "read a.c (3 lines)");
    assert_int_equal(t->call->result.seen_count, 1);
    assert_string_equal(t->call->result.seen[0].path, "a.c");
    assert_true(t->call->result.seen[0].whole);
    assert_int_equal(t->call->result.seen[0].size, 16);
}

/* clang-format off */
static const struct {
    const char *name, *bytes;
    size_t len; /* 0: strlen */
    const char *shown;
} texts[] = {
    { "no final newline", "a\nb", 0, "1: a\n2: b\n" },
    { "CRLF", "a\r\nb\r\n", 0, "1: a\n2: b\n" },
    { "mixed ends", "a\r\nb\nc", 0, "1: a\n2: b\n3: c\n" },
    { "old ends", "a\rb\rc\r", 0, "1: a\n2: b\n3: c\n" },
    { "a carriage return inside", "a\rb\nc\n", 0, "1: a\xe2\x90\x8d" "b\n2: c\n" },
    { "a mark of UTF-8", "\xef\xbb\xbfhi\n", 0, "1: hi\n" },
    { "blank lines", "\n\n\n", 0, "1: \n2: \n3: \n" },
    { "escapes", "a\x1b[31mred\x1b]0;t\x07\n", 0, "1: a\xe2\x90\x9b[31mred\xe2\x90\x9b]0;t\xe2\x90\x87\n" },
    { "combining marks stay", "e\xcc\x81\n", 0, "1: e\xcc\x81\n" },
    { "joined emoji stay", "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb\n", 0,
      "1: \xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb\n" },
    { "overrides are shown", "a\xe2\x80\xae" "b\n", 0, "1: a\xef\xbf\xbd" "b\n" },
    { "hidden tags are shown", "a\xf3\xa0\x81\x81" "b\n", 0, "1: a\xef\xbf\xbd" "b\n" },
    { "Latin-1", "caf\xe9 ol\xe9\n", 0,
      "1: caf\xef\xbf\xbd ol\xef\xbf\xbd\n[not UTF-8: damaged or foreign bytes are shown as \xef\xbf\xbd; "
      "editing leaves the other bytes as they are]\n" },
    { "UTF-16, little end first", "\xff\xfeh\0i\0\n\0\xac\x20", 10,
      "1: hi\n2: \xe2\x82\xac\n[the file is UTF-16LE; editing keeps that]\n" },
    { "UTF-16, big end first", "\xfe\xff\0h\0i", 6,
      "1: hi\n[the file is UTF-16BE; editing keeps that]\n" },
};
/* clang-format on */

static void test_texts(void **state)
{
    struct toolcase *t = *state;

    for (size_t i = 0; i < SF_COUNT(texts); i++) {
        const char *got;

        tool_put(t, "f", texts[i].bytes, texts[i].len ? texts[i].len : strlen(texts[i].bytes));
        got = tool_run(t, "Read", "{'file_path':'f'}");
        if (tool_failed(t) || strcmp(got, texts[i].shown) != 0)
            fail_msg("%s: got %s", texts[i].name, got);
    }
}

static void put_lines(struct toolcase *t, const char *name, int count, const char *text)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;

    for (int i = 1; i <= count; i++)
        sf_strbuf_addf(&sb, "%s%d\n", text, i);
    tool_put(t, name, sb.buf, sb.len);
    sf_strbuf_release(&sb);
}

static void test_ranges(void **state)
{
    struct toolcase *t = *state;

    put_lines(t, "f", 10, "l");
    assert_string_equal(tool_run(t, "Read", "{'file_path':'f','offset':3,'limit':2}"),
                        "3: l3\n4: l4\n[lines 3-4 of 10; Read again with offset 5 to go on]\n");
    assert_false(t->call->result.seen[0].whole);
    assert_string_equal(tool_run(t, "Read", "{'file_path':'f','offset':9}"),
                        "9: l9\n10: l10\n[lines 9-10, the end of the file]\n");
    tool_ok(t, "Read", "{'file_path':'f','offset':0,'limit':1}", "1: l1\n[lines 1-1 of 10");
    tool_fails(t, "Read", "{'file_path':'f','offset':11}",
               "offset 11 is past the end: f has 10 lines");
    tool_fails(t, "Read", "{'file_path':'f','offset':9223372036854775807}", "past the end");
    tool_fails(t, "Read", "{'file_path':'f','limit':0}", "limit must be at least 1");
    tool_fails(t, "Read", "{'file_path':'f','offset':-1}", "offset must be at least 0");
}

static void test_two_thousand_lines(void **state)
{
    struct toolcase *t = *state;

    put_lines(t, "f", 5000, "");
    tool_ok(t, "Read", "{'file_path':'f'}",
            "2000: 2000\n[lines 1-2000 of 5000; Read again with offset 2001 to go on]\n");
    tool_ok(t, "Read", "{'file_path':'f','limit':100000}", "has not changed"); /* the same lines */
    tool_ok(t, "Read", "{'file_path':'f','offset':2001}", "offset 4001");
    assert_false(t->call->result.seen[0].whole);
    tool_ok(t, "Read", "{'file_path':'f','offset':4001}", "the end of the file");
    assert_true(t->call->result.seen[0].whole);
}

static void test_fifty_kibibytes(void **state)
{
    struct toolcase *t = *state;
    char line[200];

    memset(line, 'x', sizeof(line) - 1);
    line[sizeof(line) - 1] = '\0';
    put_lines(t, "f", 1000, line);
    tool_ok(t, "Read", "{'file_path':'f'}", "to go on]");
    assert_in_range(t->call->result.text.len, 49 * 1024, 51 * 1024);
}

static void test_long_lines_are_folded(void **state)
{
    struct toolcase *t = *state;
    struct sf_strbuf sb = SF_STRBUF_INIT;

    sf_strbuf_fill(&sb, 'x', 5000);
    sf_strbuf_adds(&sb, "\nshort\n");
    for (int i = 0; i < 2001; i++)
        sf_strbuf_adds(&sb, "\xc3\xa9");
    sf_strbuf_addch(&sb, '\n');
    sf_strbuf_fill(&sb, 'y', 2000);
    tool_put(t, "f", sb.buf, sb.len);
    sf_strbuf_release(&sb);
    tool_ok(t, "Read", "{'file_path':'f'}",
            "xxx\xe2\x80\xa6 [3000 more bytes in this line]\n2: short\n3: ");
    assert_non_null(strstr(t->call->result.text.buf, "\xc3\xa9\xe2\x80\xa6 [2 more bytes"));
    assert_non_null(strstr(t->call->result.text.buf, "yyy\n"));
}

static void test_empty(void **state)
{
    struct toolcase *t = *state;

    tool_puts(t, "f", "");
    tool_ok(t, "Read", "{'file_path':'f'}", "[f is empty]");
    assert_true(t->call->result.seen[0].whole);
    tool_puts(t, "f", "\xef\xbb\xbf");
    tool_ok(t, "Read", "{'file_path':'f'}", "[f is empty]");
}

static void test_binary(void **state)
{
    struct toolcase *t = *state;

    tool_put(t, "f",
             "\x7f"
             "ELF\0\0\0",
             7);
    tool_fails(t, "Read", "{'file_path':'f'}", "f is a program or library (ELF), 7 bytes");
    tool_put(t, "f", "ab\0c", 4);
    tool_fails(t, "Read", "{'file_path':'f'}", "f is binary data, 4 bytes");
    tool_put(t, "f", "\xff\xfe\0\xd8", 4);
    tool_fails(t, "Read", "{'file_path':'f'}", "UTF-16 is damaged");
}

static void test_images(void **state)
{
    static const char png[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    struct toolcase *t = *state;
    char *big = sf_alloc(6 * MIB);

    tool_put(t, "f.png", png, sizeof(png) - 1);
    tool_ok(t, "Read", "{'file_path':'f.png'}", "[f.png: image/png, 16 bytes]");
    assert_string_equal(t->call->result.media, "image/png");
    assert_string_equal(t->call->result.data, "iVBORw0KGgoAAAANSUhEUg==");
    assert_true(t->call->result.seen[0].whole);
    tool_put(t, "f", "RIFF\1\0\0\0WEBPVP8 \0", 17);
    tool_ok(t, "Read", "{'file_path':'f'}", "image/webp");
    tool_put(t, "f", "\xff\xd8\xff\xe0\0", 5);
    tool_ok(t, "Read", "{'file_path':'f'}", "image/jpeg");
    tool_put(t, "f", "GIF89a\1\0\1\0\0", 11);
    tool_ok(t, "Read", "{'file_path':'f'}", "image/gif");
    memcpy(big, png, sizeof(png) - 1);
    tool_put(t, "f", big, 6 * MIB);
    free(big);
    tool_fails(t, "Read", "{'file_path':'f'}", "images up to 3.75 MiB and 8000 pixels a side");
    assert_null(t->call->result.data);
}

#define ROW(bytes) bytes, sizeof(bytes) - 1

static const struct {
    const char *bytes;
    size_t len;
    const char *said; /* NULL: it is too large to be shown */
} extents[] = {
    { ROW("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x1f\x40\0\0\0\1"), "8000 by 1 pixels" },
    { ROW("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x1f\x41\0\0\0\1"), NULL },
    { ROW("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\xff\xff\xff\xff"), NULL },
    { ROW("GIF89a\x02\x01\x03\x00\0"), "258 by 3 pixels" },
    { ROW("GIF89a\0\0\xff\xff\0"), NULL },
    { ROW("\xff\xd8\xff\xe0\0\4ab\xff\xc4\0\3x\xff\xff\xc2\0\x11\x08\0\2\1\0zz"), "256 by 2 pixels" },
    { ROW("\xff\xd8\xff\xc0\0\x11\x08\xff\xff\1\0zz"), NULL },
    { ROW("RIFF\1\0\0\0WEBPVP8 \0\0\0\0abc\x9d\1\x2a\x20\0\x10\0"), "32 by 16 pixels" },
    { ROW("RIFF\1\0\0\0WEBPVP8L\0\0\0\0\x2f\xff\x3f\0\0zzzzz"), NULL },
    { ROW("RIFF\1\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0\7\0\0\3\0\0"), "8 by 4 pixels" },
};

/* What a service would refuse is refused here, and no cut header is read behind its end. */
static void test_extents(void **state)
{
    struct toolcase *t = *state;

    for (size_t i = 0; i < SF_COUNT(extents); i++) {
        tool_put(t, "f", extents[i].bytes, extents[i].len);
        if (extents[i].said)
            tool_ok(t, "Read", "{'file_path':'f'}", extents[i].said);
        else
            tool_fails(t, "Read", "{'file_path':'f'}", "8000 pixels a side");
        for (size_t n = 12; n < extents[i].len; n++) {
            tool_put(t, "g", extents[i].bytes, n);
            tool_run(t, "Read", "{'file_path':'g'}");
        }
    }
}

static void test_missing(void **state)
{
    struct toolcase *t = *state;

    tool_puts(t, "src/main.c", "x");
    tool_puts(t, "src/main.h", "x");
    tool_puts(t, "src/other.txt", "x");
    tool_fails(t, "Read", "{'file_path':'src/mian.c'}",
               "src/mian.c is not there\nthere is: src/main.c");
    tool_fails(t, "Read", "{'file_path':'src/main.py'}", "src/main.c, src/main.h");
    tool_fails(t, "Read", "{'file_path':'scr/main.c'}", "nor is its directory\nthere is: src");
    tool_fails(t, "Read", "{'file_path':'src/zzzzzzzz'}", "LS shows what is there");
    tool_fails(t, "Read", "{'file_path':'../nothing'}", "../nothing is not there");
    assert_null(strstr(t->call->result.text.buf, "work")); /* no names from outside */
}

static void test_directories_and_others(void **state)
{
    struct toolcase *t = *state;
    char *fifo = test_path(t->dir, "fifo"), *link = test_path(t->dir, "link");

    tool_puts(t, "src/a", "text\n");
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_int_equal(symlink("src/a", link), 0);
    free(fifo);
    free(link);
    tool_fails(t, "Read", "{'file_path':'src'}", "src is a directory\nuse LS");
    tool_fails(t, "Read", "{'file_path':'.'}", "use LS");
    tool_fails(t, "Read", "{'file_path':'fifo'}", "fifo is a FIFO");
    tool_fails(t, "Read", "{'file_path':''}", "the path is empty");
    tool_ok(t, "Read", "{'file_path':'link'}", "1: text");
    assert_string_equal(t->call->result.seen[0].path, "src/a");
    tool_ok(t, "Read", "{'path':'src/a','offset':1}", ""); /* the other name */
}

static void test_unchanged_is_said_once(void **state)
{
    struct toolcase *t = *state;

    tool_puts(t, "f", "one\ntwo\n");
    tool_ok(t, "Read", "{'file_path':'f'}", "1: one");
    tool_ok(t, "Read", "{'file_path':'f'}", "f has not changed since");
    assert_null(strstr(t->call->result.text.buf, "one"));
    tool_ok(t, "Read", "{'file_path':'f'}", "1: one");            /* it insists */
    tool_ok(t, "Read", "{'file_path':'f','offset':2}", "2: two"); /* other lines */
    tool_ok(t, "Read", "{'file_path':'f'}", "1: one");
    tool_puts(t, "f", "one\nTWO\n"); /* the same size, perhaps the same time */
    tool_ok(t, "Read", "{'file_path':'f'}", "2: TWO");
    tool_ok(t, "Read", "{'file_path':'f'}", "has not changed");
    tool_ok(t, "Read", "{'file_path':'f'}", "2: TWO");
    sf_toolbox_forget_shown(t->box); /* the conversation was shortened */
    tool_ok(t, "Read", "{'file_path':'f'}", "2: TWO");
}

static void test_reads_anew_after_an_edit(void **state)
{
    struct toolcase *t = *state;

    tool_puts(t, "f", "one\ntwo\n");
    tool_ok(t, "Read", "{'file_path':'f'}", "1: one");
    tool_ok(t, "Edit", "{'file_path':'f','old_string':'one','new_string':'1st'}", "1: 1st");
    tool_ok(t, "Read", "{'file_path':'f'}", "1: 1st");
}

static void test_remembered_from_the_log(void **state)
{
    struct toolcase *t = *state;
    struct sf_file_seen seen;

    tool_puts(t, "f", "one\n");
    tool_ok(t, "Read", "{'file_path':'f'}", "1: one");
    seen = t->call->result.seen[0];
    sf_toolbox_free(t->box);
    t->box = sf_toolbox_new(&(struct sf_toolbox_setup){ .loop = t->loop,
                                                        .workers = t->workers,
                                                        .root = &t->root,
                                                        .places = &t->places,
                                                        .spill_dir = t->top });
    sf_toolbox_remember(t->box, &seen);
    tool_ok(t, "Edit", "{'file_path':'f','old_string':'one','new_string':'1st'}", "1st");
}

/* Larger than what is held: 17 MiB in lines of 64 bytes, then a line without an end. */
/* Returns the number of that last line. */
static int put_large(struct toolcase *t)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    int i = 1;

    for (; sb.len < 17 * MIB; i++)
        sf_strbuf_addf(&sb, "line %-57d%s\n", i, i % 2 ? "\r" : "");
    sf_strbuf_fill(&sb, 'z', 300000);
    tool_put(t, "large", sb.buf, sb.len);
    sf_strbuf_release(&sb);
    return i;
}

static void test_large_files_are_gone_through(void **state)
{
    struct toolcase *t = *state;
    int last = put_large(t);
    char args[80], want[80];

    tool_ok(t, "Read", "{'file_path':'large','limit':2}",
            "\n2: line 2                                                        \n[lines 1-2 of ");
    assert_int_equal(t->call->result.seen_count, 1);
    assert_false(t->call->result.seen[0].whole);
    snprintf(args, sizeof(args), "{'file_path':'large','offset':%d}", last - 1);
    tool_ok(t, "Read", args, "[298000 more bytes in this line]\n[lines ");
    snprintf(want, sizeof(want), "past the end: large has %d lines", last);
    tool_fails(t, "Read", "{'file_path':'large','offset':9000000}", want);
}

static void test_large_binary(void **state)
{
    struct toolcase *t = *state;
    char *path = test_path(t->dir, "f");

    tool_puts(t, "f", "%PDF-1.4");
    assert_int_equal(truncate(path, 40 * MIB), 0);
    free(path);
    tool_fails(t, "Read", "{'file_path':'f'}", "f is a PDF document, 40.0 MiB");
}

static void test_cancelled_before_it_began(void **state)
{
    struct toolcase *t = *state;
    static const char args[] = "{\"file_path\":\"f\"}";

    tool_puts(t, "f", "one\n");
    assert_non_null(tool_prepare(t, "Read", args, strlen(args)));
    atomic_store(&t->call->cancelled, true);
    tool_finish(t);
    assert_true(tool_failed(t));
    assert_string_equal(t->call->result.text.buf, "cancelled before it began");
}

static void test_gone_or_swapped_meanwhile(void **state)
{
    struct toolcase *t = *state;
    static const char args[] = "{\"file_path\":\"f\"}";
    char *path = test_path(t->dir, "f"), *other = test_path(t->dir, "other");

    tool_puts(t, "f", "one\n");
    tool_puts(t, "other", "secret\n");
    assert_non_null(tool_prepare(t, "Read", args, strlen(args)));
    assert_int_equal(rename(other, path), 0);
    tool_finish(t);
    free(path);
    free(other);
    assert_true(tool_failed(t));
    assert_non_null(strstr(t->call->result.text.buf, "changed since it was looked at"));
    assert_null(strstr(t->call->result.text.buf, "secret"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_TOOLS(test_lines_are_numbered),
        WITH_TOOLS(test_texts),
        WITH_TOOLS(test_ranges),
        WITH_TOOLS(test_two_thousand_lines),
        WITH_TOOLS(test_fifty_kibibytes),
        WITH_TOOLS(test_long_lines_are_folded),
        WITH_TOOLS(test_empty),
        WITH_TOOLS(test_binary),
        WITH_TOOLS(test_images),
        WITH_TOOLS(test_extents),
        WITH_TOOLS(test_missing),
        WITH_TOOLS(test_directories_and_others),
        WITH_TOOLS(test_unchanged_is_said_once),
        WITH_TOOLS(test_reads_anew_after_an_edit),
        WITH_TOOLS(test_remembered_from_the_log),
        WITH_TOOLS(test_large_files_are_gone_through),
        WITH_TOOLS(test_large_binary),
        WITH_TOOLS(test_cancelled_before_it_began),
        WITH_TOOLS(test_gone_or_swapped_meanwhile),
    };

    test_use_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
