/*
 * test_write.c: new files, files overwritten, and files that must not be; exact bytes each time.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "support/snapshot.h"
#include "support/store_case.h"
#include "support/test.h"
#include "support/toolcase.h"

static void expect(struct toolcase *t, const char *name, const char *want)
{
    tool_expect_file(t, name, want, want ? strlen(want) : 0);
}

static void test_creates(void **state)
{
    struct toolcase *t = *state;

    tool_ok(t, "Write", "{'file_path':'a.txt','content':'one\\ntwo\\n'}",
            "created a.txt (2 lines)");
    expect(t, "a.txt", "one\ntwo\n");
    assert_string_equal(t->call->result.summary, "created a.txt +2 \xe2\x88\x92"
                                                 "0");
    assert_string_equal(t->call->result.diff.buf,
                        "--- /dev/null\n+++ a.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n");
    assert_int_equal(t->call->result.seen_count, 1);
    assert_true(t->call->result.seen[0].whole);
    assert_int_equal(t->call->result.seen[0].size, 8);
}

static void test_makes_directories(void **state)
{
    struct toolcase *t = *state;

    tool_ok(t, "Write", "{'file_path':'x/y/z/a.txt','content':''}",
            "created x/y/z/a.txt (0 lines)");
    expect(t, "x/y/z/a.txt", "");
}

static void test_new_files_respect_the_umask(void **state)
{
    struct toolcase *t = *state;
    mode_t before = umask(027);
    char *path = test_path(t->dir, "a");
    struct stat st;

    tool_ok(t, "Write", "{'file_path':'a','content':'x'}", "created");
    umask(before);
    assert_int_equal(stat(path, &st), 0);
    free(path);
    assert_int_equal(st.st_mode & 07777, 0640);
}

static void test_must_be_read_first(void **state)
{
    struct toolcase *t = *state;

    tool_puts(t, "a", "precious\n");
    tool_fails(t, "Write", "{'file_path':'a','content':'x'}",
               "a is there already and has not been read yet\nRead it first");
    expect(t, "a", "precious\n");
    tool_ok(t, "Read", "{'file_path':'a'}", "precious");
    tool_ok(t, "Write", "{'file_path':'a','content':'x\\n'}", "overwrote a (1 line)");
    expect(t, "a", "x\n");
    assert_string_equal(t->call->result.diff.buf, "--- a\n+++ a\n@@ -1 +1 @@\n-precious\n+x\n");
    tool_ok(t, "Write", "{'file_path':'a','content':'y\\n'}", "overwrote"); /* its own work */
    expect(t, "a", "y\n");
}

static void test_must_be_read_to_its_end(void **state)
{
    struct toolcase *t = *state;

    tool_puts(t, "a", "1\n2\n3\n");
    tool_ok(t, "Read", "{'file_path':'a','limit':2}", "lines 1-2 of 3");
    tool_fails(t, "Write", "{'file_path':'a','content':'x'}", "has not been read to its end");
    tool_ok(t, "Read", "{'file_path':'a','offset':3}", "3: 3");
    tool_ok(t, "Write", "{'file_path':'a','content':'x'}", "overwrote");
}

static void test_must_not_have_changed(void **state)
{
    struct toolcase *t = *state;

    tool_puts(t, "a", "old\n");
    tool_ok(t, "Read", "{'file_path':'a'}", "old");
    tool_puts(t, "a", "new\n"); /* the same size */
    tool_fails(t, "Write", "{'file_path':'a','content':'x'}",
               "a has changed since it was read\nRead it again");
    expect(t, "a", "new\n");
}

static void test_an_empty_file_is_no_loss(void **state)
{
    struct toolcase *t = *state;

    tool_puts(t, "a", "");
    tool_ok(t, "Write", "{'file_path':'a','content':'x'}", "overwrote a (1 line)");
    expect(t, "a", "x");
}

static void test_keeps_the_mode(void **state)
{
    struct toolcase *t = *state;
    char *path = test_path(t->dir, "run.sh");
    struct stat st;

    tool_puts(t, "run.sh", "#!/bin/sh\n");
    assert_int_equal(chmod(path, 0751), 0);
    tool_ok(t, "Read", "{'file_path':'run.sh'}", "sh");
    tool_ok(t, "Write", "{'file_path':'run.sh','content':'#!/bin/sh\\ntrue\\n'}", "overwrote");
    assert_int_equal(stat(path, &st), 0);
    free(path);
    assert_int_equal(st.st_mode & 07777, 0751);
}

static void test_read_only_is_left_alone(void **state)
{
    struct toolcase *t = *state;
    char *path = test_path(t->dir, "a");

    tool_puts(t, "a", "old\n");
    assert_int_equal(chmod(path, 0444), 0);
    free(path);
    tool_ok(t, "Read", "{'file_path':'a'}", "old");
    tool_fails(t, "Write", "{'file_path':'a','content':'x'}", "the file is read-only");
    expect(t, "a", "old\n");
}

static void test_through_a_link(void **state)
{
    struct toolcase *t = *state;
    char *link = test_path(t->dir, "link");
    struct stat st;

    tool_puts(t, "real/a", "old\n");
    assert_int_equal(symlink("real/a", link), 0);
    tool_ok(t, "Read", "{'file_path':'link'}", "old");
    tool_ok(t, "Write", "{'file_path':'real/a','content':'1'}", "overwrote"); /* the same file */
    tool_ok(t, "Write", "{'file_path':'link','content':'2'}", "overwrote");
    expect(t, "real/a", "2");
    assert_int_equal(lstat(link, &st), 0);
    free(link);
    assert_true(S_ISLNK(st.st_mode));
}

static void test_says_what_else_changed(void **state)
{
    struct toolcase *t = *state;

    tool_puts(t, "a", "x\r\ny\r\n");
    tool_ok(t, "Read", "{'file_path':'a'}", "x");
    tool_ok(t, "Write", "{'file_path':'a','content':'x\\ny\\n'}",
            "[its line ends were CRLF and are LF now]");
    tool_put(t, "b", "\xff\xfeh\0i\0", 6);
    tool_ok(t, "Read", "{'file_path':'b'}", "hi");
    tool_ok(t, "Write", "{'file_path':'b','content':'hi'}",
            "[the file was UTF-16LE and is UTF-8 now]");
}

static void test_binary_is_not_overwritten(void **state)
{
    struct toolcase *t = *state;

    tool_put(t, "a",
             "\x7f"
             "ELF\0\0",
             6);
    tool_fails(t, "Read", "{'file_path':'a'}", "ELF");
    tool_fails(t, "Write", "{'file_path':'a','content':'x'}", "has not been read yet");
    tool_expect_file(t, "a",
                     "\x7f"
                     "ELF\0\0",
                     6);
}

static void test_odd_targets(void **state)
{
    struct toolcase *t = *state;

    tool_puts(t, "dir/a", "x");
    tool_fails(t, "Write", "{'file_path':'dir','content':'x'}", "dir is a directory");
    tool_fails(t, "Write", "{'file_path':'dir/a/b','content':'x'}", "");
    tool_fails(t, "Write", "{'file_path':'','content':'x'}", "the path is empty");
    tool_fails(t, "Write", "{'file_path':'a\\u0007','content':'x'}", "control character");
    tool_fails(t, "Write", "{'file_path':'a'}", "content is missing");
    tool_fails(t, "Write", "{'file_path':'a','content':['x']}", "content must be a string");
    expect(t, "a", NULL);
}

static void test_bytes_are_as_given(void **state)
{
    struct toolcase *t = *state;

    tool_ok(t, "Write",
            "{'file_path':'a','content':'\\ufeffa\\r\\n\\u001b[0m\\t\\ud83d\\ude00 \\u007f'}",
            "created");
    expect(t, "a",
           "\xef\xbb\xbf"
           "a\r\n\x1b[0m\t\xf0\x9f\x98\x80 \x7f");
}

/* The place was judged; what lies there when the tool comes is another thing. */
static void test_swapped_meanwhile(void **state)
{
    static const char args[] = "{\"file_path\":\"a\",\"content\":\"x\"}";
    struct toolcase *t = *state;

    assert_non_null(tool_prepare(t, "Write", args, strlen(args)));
    tool_puts(t, "a", "somebody was faster\n");
    tool_finish(t);
    assert_true(tool_failed(t));
    assert_non_null(strstr(t->call->result.text.buf, "a is there already"));
    expect(t, "a", "somebody was faster\n");
}

static void test_nothing_is_left_behind(void **state)
{
    struct toolcase *t = *state;
    struct sf_strlist names = SF_STRLIST_INIT;
    size_t count;

    tool_ok(t, "Write", "{'file_path':'a','content':'1'}", "created");
    tool_ok(t, "Write", "{'file_path':'a','content':'2'}", "overwrote");
    snapshot_take(t->dir, &names);
    count = names.count;
    sf_strlist_release(&names);
    assert_in_range(count, 1, 2); /* the file, and perhaps the directory itself */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_TOOLS(test_creates),
        WITH_TOOLS(test_makes_directories),
        WITH_TOOLS(test_new_files_respect_the_umask),
        WITH_TOOLS(test_must_be_read_first),
        WITH_TOOLS(test_must_be_read_to_its_end),
        WITH_TOOLS(test_must_not_have_changed),
        WITH_TOOLS(test_an_empty_file_is_no_loss),
        WITH_TOOLS(test_keeps_the_mode),
        WITH_TOOLS(test_read_only_is_left_alone),
        WITH_TOOLS(test_through_a_link),
        WITH_TOOLS(test_says_what_else_changed),
        WITH_TOOLS(test_binary_is_not_overwritten),
        WITH_TOOLS(test_odd_targets),
        WITH_TOOLS(test_bytes_are_as_given),
        WITH_TOOLS(test_swapped_meanwhile),
        WITH_TOOLS(test_nothing_is_left_behind),
    };

    test_use_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
