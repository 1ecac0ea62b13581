/*
 * LS, Glob and Grep through the tools: where they look, what they leave out, and how they say it.
 * What matches what is the find room's, and tested there.
 */
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "support/store_case.h"
#include "support/test.h"
#include "support/toolcase.h"

static void put_tree(struct toolcase *t)
{
    tool_puts(t, "README.md", "hello world\n");
    tool_puts(t, "src/a.c", "int hello(void)\n{\n    return 1;\n}\n");
    tool_puts(t, "src/b.c", "int world;\nint Hello;\n");
    tool_puts(t, "src/deep/c.h", "#define hello 1\n");
    tool_puts(t, ".gitignore", "build/\n*.log\n");
    tool_puts(t, "build/out.c", "int hello;\n");
    tool_puts(t, "x.log", "hello\n");
}

static void expect(struct toolcase *t, const char *tool, const char *args, const char *want)
{
    const char *got = tool_run(t, tool, args);

    if (strcmp(got, want) != 0)
        fail_msg("%s %s gave:\n%s", tool, args, got);
    assert_false(tool_failed(t));
}

static void test_grep_modes(void **state)
{
    struct toolcase *t = *state;

    put_tree(t);
    expect(t, "Grep", "{'pattern':'hello'}", "README.md\nsrc/a.c\nsrc/deep/c.h\n");
    expect(t, "Grep", "{'pattern':'hello','output_mode':'count','-i':true}",
           "README.md:1\nsrc/a.c:1\nsrc/b.c:1\nsrc/deep/c.h:1\n");
    expect(t, "Grep", "{'pattern':'hello','output_mode':'content','path':'src'}",
           "src/a.c:1:int hello(void)\nsrc/deep/c.h:1:#define hello 1\n");
    expect(t, "Grep", "{'pattern':'return','output_mode':'content','-C':1}",
           "src/a.c-2-{\nsrc/a.c:3:    return 1;\nsrc/a.c-4-}\n");
    expect(t, "Grep", "{'pattern':'return','output_mode':'content','-A':'1','-n':true}",
           "src/a.c:3:    return 1;\nsrc/a.c-4-}\n");
    expect(t, "Grep", "{'pattern':'return','output_mode':'content','-B':1}",
           "src/a.c-2-{\nsrc/a.c:3:    return 1;\n");
    assert_string_equal(t->call->result.summary, "searched for return (1 match in 1 file)");
}

static void test_grep_filters(void **state)
{
    struct toolcase *t = *state;

    put_tree(t);
    expect(t, "Grep", "{'pattern':'hello','glob':'*.c'}", "src/a.c\n");
    expect(t, "Grep", "{'pattern':'hello','type':'md'}", "README.md\n");
    expect(t, "Grep", "{'pattern':'hello','path':'src/a.c'}", "src/a.c\n");
    expect(t, "Grep", "{'pattern':'void.\\\\n.\\\\n','multiline':true}", "src/a.c\n");
    tool_fails(t, "Grep", "{'pattern':'hello','type':'klingon'}", "klingon");
    tool_fails(t, "Grep", "{'pattern':'hello','glob':'[a'}", "");
}

static void test_grep_pages(void **state)
{
    struct toolcase *t = *state;

    put_tree(t);
    tool_ok(t, "Grep", "{'pattern':'hello','head_limit':1}",
            "README.md\n[more follow: 3 matches in 3 files in all; go on with offset 1,");
    tool_ok(t, "Grep", "{'pattern':'hello','head_limit':1,'offset':1}", "src/a.c\n[more follow");
    expect(t, "Grep", "{'pattern':'hello','head_limit':1,'offset':2}", "src/deep/c.h\n");
    tool_ok(t, "Grep", "{'pattern':'hello','offset':9}", "nothing at offset 9: there are only 3");
}

static void test_grep_finds_nothing(void **state)
{
    struct toolcase *t = *state;

    put_tree(t);
    tool_ok(t, "Grep", "{'pattern':'zzzz'}", "no matches in ");
    assert_non_null(strstr(t->call->result.text.buf, "what .gitignore leaves out"));
    expect(t, "Grep", "{'pattern':'hello','path':'build'}", "build/out.c\n");
    tool_fails(t, "Grep", "{'pattern':'(unclosed'}", "parenthes");
    tool_fails(t, "Grep", "{'pattern':'x','path':'scr'}", "scr is not there\nthere is: src");
    tool_fails(t, "Grep", "{'pattern':'x','output_mode':'lines'}", "files_with_matches, content");
    tool_fails(t, "Grep", "{'pattern':'x','-A':-1}", "-A must be from 0 to 1000");
    tool_fails(t, "Grep", "{}", "the argument pattern is missing");
}

static void test_grep_leaves_secrets_alone(void **state)
{
    struct toolcase *t = *state;

    tool_puts(t, ".env", "TOKEN=abc\n");
    tool_puts(t, "sub/.env.local", "TOKEN=def\n");
    tool_puts(t, "id_rsa", "TOKEN\n");
    tool_puts(t, "src/a.c", "TOKEN\n");
    tool_ok(t, "Grep", "{'pattern':'TOKEN','output_mode':'content'}", "src/a.c:1:TOKEN\n");
    assert_non_null(strstr(t->call->result.text.buf,
                           "3 files that may hold secrets left out; Read asks for them"));
    assert_null(strstr(t->call->result.text.buf, "abc"));
    assert_null(strstr(t->call->result.text.buf, "def"));
    /* named, it was judged as such by the session */
    expect(t, "Grep", "{'pattern':'TOKEN','output_mode':'content','path':'.env'}",
           ".env:1:TOKEN=abc\n");
}

static void test_grep_outside(void **state)
{
    struct toolcase *t = *state;
    char *dir = test_path(t->top, "out"), *key, *file;
    struct sf_strbuf args = SF_STRBUF_INIT;

    mkdir(dir, 0755);
    key = test_path(dir, ".env");
    file = test_path(dir, "a.txt");
    test_write(key, "needle=1\n", 9);
    test_write(file, "needle\n", 7);
    sf_strbuf_addf(&args, "{'pattern':'needle','path':'%s'}", dir);
    tool_ok(t, "Grep", args.buf, "\na.txt\n[1 file that may hold secrets left out");
    assert_non_null(strstr(t->call->result.text.buf, "[paths are below /"));
    sf_strbuf_reset(&args);
    sf_strbuf_addf(&args, "{'pattern':'needle','path':'%s'}", file);
    tool_ok(t, "Grep", args.buf, "a.txt\n");
    sf_strbuf_release(&args);
    free(file);
    free(key);
    free(dir);
}

static void test_links_are_not_followed(void **state)
{
    struct toolcase *t = *state;
    char *link = test_path(t->dir, "link"), *secret = test_path(t->top, "secret");

    test_write(secret, "needle\n", 7);
    assert_int_equal(symlink("..", link), 0);
    free(link);
    free(secret);
    tool_ok(t, "Grep", "{'pattern':'needle'}", "no matches in 0 files");
    expect(t, "LS", "{}", "link@\n");
    tool_ok(t, "Glob", "{'pattern':'**/secret'}", "no file is like");
}

static void test_grep_is_safe(void **state)
{
    struct toolcase *t = *state;

    tool_puts(t, "a", "needle \x1b[2J\xff\n");
    expect(t, "Grep", "{'pattern':'needle','output_mode':'content'}",
           "a:1:needle \xe2\x90\x9b[2J\xef\xbf\xbd\n");
}

static void test_grep_is_bounded(void **state)
{
    struct toolcase *t = *state;
    struct sf_strbuf sb = SF_STRBUF_INIT;

    for (int i = 0; i < 20000; i++)
        sf_strbuf_addf(&sb, "needle %d and a good deal more of text\n", i);
    tool_put(t, "a", sb.buf, sb.len);
    sf_strbuf_release(&sb);
    tool_ok(t, "Grep", "{'pattern':'needle','output_mode':'content','head_limit':10000}",
            "[more follow: 20000 matches in 1 file in all");
    assert_in_range(t->call->result.text.len, 30 * 1024, 50 * 1024);
    tool_ok(t, "Grep", "{'pattern':'needle','output_mode':'content'}", "offset 250");
}

static void touch(struct toolcase *t, const char *name, time_t when)
{
    char *path = test_path(t->dir, name);
    struct timespec times[2] = { { .tv_sec = when }, { .tv_sec = when } };

    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    free(path);
}

static void test_glob(void **state)
{
    struct toolcase *t = *state;

    put_tree(t);
    touch(t, "src/a.c", 1000);
    touch(t, "src/b.c", 3000);
    touch(t, "src/deep/c.h", 2000);
    expect(t, "Glob", "{'pattern':'*.c'}", "src/b.c\nsrc/a.c\n");
    expect(t, "Glob", "{'pattern':'src/**/*.{c,h}'}", "src/b.c\nsrc/deep/c.h\nsrc/a.c\n");
    expect(t, "Glob", "{'pattern':'*.h','path':'src'}", "src/deep/c.h\n");
    tool_ok(t, "Glob", "{'pattern':'*.log'}", "no file is like *.log\n[what .gitignore");
    expect(t, "Glob", "{'pattern':'*.c','path':'build'}", "build/out.c\n");
    tool_fails(t, "Glob", "{'pattern':'*.c','path':'nowhere'}", "nowhere is not there");
    tool_fails(t, "Glob", "{'pattern':''}", "");
    tool_fails(t, "Glob", "{'pattern':'{a'}", "");
}

static void test_glob_is_cut_at_a_hundred(void **state)
{
    struct toolcase *t = *state;
    char name[32];

    for (int i = 0; i < 120; i++) {
        snprintf(name, sizeof(name), "d/f%03d.txt", i);
        tool_puts(t, name, "");
        touch(t, name, 1000 + i);
    }
    tool_ok(t, "Glob", "{'pattern':'*.txt'}",
            "d/f020.txt\n[the newest 100 of 120 files; narrow the pattern");
    assert_null(strstr(t->call->result.text.buf, "d/f019.txt"));
}

static void test_ls(void **state)
{
    struct toolcase *t = *state;

    put_tree(t);
    expect(t, "LS", "{}",
           ".gitignore  13 bytes\nREADME.md  12 bytes\nbuild/  (ignored)\nsrc/\n  a.c  34 bytes\n"
           "  b.c  22 bytes\n  deep/\nx.log  6 bytes  (ignored)\n");
    expect(t, "LS", "{'path':'src'}", "a.c  34 bytes\nb.c  22 bytes\ndeep/\n  c.h  16 bytes\n");
    expect(t, "LS", "{'path':'src','ignore':['*.c','deep']}",
           "[nothing in src but what was to be left out]\n");
    expect(t, "LS", "{'path':'src','ignore':['*.c']}", "deep/\n  c.h  16 bytes\n");
    tool_fails(t, "LS", "{'path':'README.md'}", "README.md is a file\nuse Read");
    tool_fails(t, "LS", "{'path':'scr'}", "there is: src");
    assert_string_equal(tool_run(t, "LS", "{'path':'.','ignore':['*']}"),
                        "[nothing in . but what was to be left out]\n");
}

static void test_ls_empty_and_odd_names(void **state)
{
    struct toolcase *t = *state;
    char *dir = test_path(t->dir, "empty");

    mkdir(dir, 0755);
    free(dir);
    expect(t, "LS", "{'path':'empty'}", "[empty is empty]\n");
    tool_puts(t, "o\x1b[2Jdd\nname", "");
    tool_ok(t, "LS", "{}", "o\xe2\x90\x9b[2Jdd name");
}

static void test_ls_is_bounded(void **state)
{
    struct toolcase *t = *state;
    char name[32];

    for (int i = 0; i < 60; i++) {
        snprintf(name, sizeof(name), "many/f%03d", i);
        tool_puts(t, name, "");
    }
    tool_ok(t, "LS", "{}", "many/  (40 more in it)");
    tool_ok(t, "LS", "{'path':'many'}", "f059");
    for (int i = 60; i < 600; i++) {
        snprintf(name, sizeof(name), "many/f%03d", i);
        tool_puts(t, name, "");
    }
    tool_ok(t, "LS", "{'path':'many'}", "[not all of it");
}

static atomic_int seconds;

static int64_t a_second_each_look(void)
{
    return (int64_t)atomic_fetch_add(&seconds, 1) * 1000;
}

/* A tree that takes too long: what was found so far, and that it is not all. */
static void test_searches_end_in_time(void **state)
{
    struct toolcase *t = *state;
    char *spill = test_path(t->top, "spill");

    for (int i = 0; i < 80; i++) {
        char name[32];

        snprintf(name, sizeof(name), "d%d/file", i);
        tool_puts(t, name, "hello\n");
    }
    sf_toolbox_free(t->box);
    t->box = sf_toolbox_new(&(struct sf_toolbox_setup){ .loop = t->loop,
                                                        .workers = t->workers,
                                                        .root = &t->root,
                                                        .places = &t->places,
                                                        .spill_dir = spill,
                                                        .search_ms = 40000,
                                                        .clock_ms = a_second_each_look });
    free(spill);
    tool_ok(t, "Grep", "{'pattern':'hello'}", "[sf] stopped after 40 s, not all was looked at");
    tool_ok(t, "Glob", "{'pattern':'*'}", "[sf] stopped after 40 s, not all was looked at");
}

/* Models like to write whole paths; the workspace's own stands for where it is. */
static void test_whole_paths_in_patterns(void **state)
{
    static const struct {
        const char *tool, *args, *want; /* %s: the workspace */
    } rows[] = {
        { "Glob", "{'pattern':'%s/src/*.c'}", "src/a.c\n" },
        { "Glob", "{'pattern':'%s/*.c'}", "no file is like" },
        { "Glob", "{'pattern':'%s/**/*.h'}", "src/deep/c.h\n" },
        { "Glob", "{'pattern':'%s/src/*.c','path':'src'}", "src/a.c\n" },
        { "Glob", "{'pattern':'%s-other/*.c'}", "name the directory as path" },
        { "Grep", "{'pattern':'hello','glob':'%s/src/*.c'}", "src/a.c\n" },
        { "Grep", "{'pattern':'hello','glob':'/nowhere/*.c'}", "name the directory as path" },
    };
    struct toolcase *t = *state;

    tool_puts(t, "src/a.c", "int hello(void)\n");
    tool_puts(t, "src/deep/c.h", "#define hello 1\n");
    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        const char *blank = strstr(rows[i].args, "%s");
        struct sf_strbuf args = SF_STRBUF_INIT;

        sf_strbuf_add(&args, rows[i].args, blank ? (size_t)(blank - rows[i].args) : 0);
        sf_strbuf_addf(&args, "%s%s", blank ? t->root.path : "", blank ? blank + 2 : rows[i].args);
        tool_ok(t, rows[i].tool, args.buf, rows[i].want);
        sf_strbuf_release(&args);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_TOOLS(test_searches_end_in_time),
        WITH_TOOLS(test_grep_modes),
        WITH_TOOLS(test_grep_filters),
        WITH_TOOLS(test_whole_paths_in_patterns),
        WITH_TOOLS(test_grep_pages),
        WITH_TOOLS(test_grep_finds_nothing),
        WITH_TOOLS(test_grep_leaves_secrets_alone),
        WITH_TOOLS(test_grep_outside),
        WITH_TOOLS(test_links_are_not_followed),
        WITH_TOOLS(test_grep_is_safe),
        WITH_TOOLS(test_grep_is_bounded),
        WITH_TOOLS(test_glob),
        WITH_TOOLS(test_glob_is_cut_at_a_hundred),
        WITH_TOOLS(test_ls),
        WITH_TOOLS(test_ls_empty_and_odd_names),
        WITH_TOOLS(test_ls_is_bounded),
    };

    test_use_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
