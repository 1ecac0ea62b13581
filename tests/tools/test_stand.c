/*
 * test_stand.c: every tool that names files, called from a directory of the workspace: relative
 * paths begin there, results name files as they can be named again from there, and people see them
 * from the workspace's root.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "support/test.h"
#include "support/toolcase.h"

#define PATCH(head, body) "{'patch':'*** Begin Patch\\n" head "\\n" body "\\n*** End Patch\\n'}"

/* @ stands for the workspace; `what` is what people see. */
static const struct {
    const char *name, *tool, *args, *has, *what;
    bool fails;
} rows[] = {
    { "Read, plain", "Read", "{'file_path':'a.c'}", "hello app", "src/app/a.c", false },
    { "Read, here", "Read", "{'file_path':'./a.c'}", "hello app", "src/app/a.c", false },
    { "Read, beside", "Read", "{'file_path':'../lib/b.c'}", "hello lib", "src/lib/b.c", false },
    { "Read, absolute", "Read", "{'file_path':'@/top.md'}", "hello top", "top.md", false },
    { "Read, through here", "Read", "{'file_path':'@/src/app/a.c'}", "hello app", "src/app/a.c",
      false },
    { "Read, the name it has from the root", "Read", "{'file_path':'src/app/a.c'}",
      "src/app/a.c is not there", "src/app/src/app/a.c", true },
    { "Read, nearly", "Read", "{'file_path':'../lib/b.h'}", "there is: ../lib/b.c", "src/lib/b.h",
      true },
    { "Read, behind a link", "Read", "{'file_path':'cur/../b.c'}", "b.c", "src/app/cur/../b.c",
      true },
    { "LS, left out", "LS", "{}", "a.c", "src/app", false },
    { "LS, up", "LS", "{'path':'..'}", "lib/", "src", false },
    { "LS, absolute", "LS", "{'path':'@'}", "top.md", ".", false },
    { "Glob, left out", "Glob", "{'pattern':'*.c'}", "a.c\n", "src/app", false },
    { "Glob, up", "Glob", "{'pattern':'b.*','path':'..'}", "../lib/b.c\n", "src", false },
    { "Glob, absolute", "Glob", "{'pattern':'*.md','path':'@'}", "../../top.md\n", ".", false },
    { "Grep, left out", "Grep", "{'pattern':'hello'}", "a.c\n", "src/app", false },
    { "Grep, lines", "Grep", "{'pattern':'hello','path':'../lib','output_mode':'content'}",
      "../lib/b.c:1:hello lib\n", "src/lib", false },
    { "Grep, counts", "Grep", "{'pattern':'hello','path':'@','output_mode':'count'}",
      "../../top.md:1\n", ".", false },
    { "Grep, a file", "Grep", "{'pattern':'hello','path':'./a.c'}", "a.c\n", "src/app/a.c", false },
    { "Write, plain", "Write", "{'file_path':'new.c','content':'x\\n'}", "created new.c",
      "src/app/new.c", false },
    { "Write, beside", "Write", "{'file_path':'../new/n.c','content':'y\\n'}", "created ../new/n.c",
      "src/new/n.c", false },
    { "Write, absolute", "Write", "{'file_path':'@/abs.c','content':'z\\n'}", "created", "abs.c",
      false },
    { "Edit, plain", "Edit", "{'file_path':'a.c','old_string':'app','new_string':'APP'}",
      "a.c:", "src/app/a.c", false },
    { "MultiEdit, beside", "MultiEdit",
      "{'file_path':'../lib/b.c','edits':[{'old_string':'lib','new_string':'LIB'}]}",
      "../lib/b.c:", "src/lib/b.c", false },
    { "Edit, absolute", "Edit", "{'file_path':'@/top.md','old_string':'top','new_string':'TOP'}",
      "top.md:", "top.md", false },
    { "ApplyPatch, plain", "ApplyPatch", PATCH("*** Add File: p.c", "+one"), "added p.c",
      "src/app/p.c", false },
    { "ApplyPatch, beside", "ApplyPatch", PATCH("*** Add File: ../lib/q.c", "+two"),
      "added ../lib/q.c", "src/lib/q.c", false },
};

static void plant(struct toolcase *t)
{
    char *link = test_path(t->dir, "src/app/cur");

    tool_puts(t, "src/app/a.c", "hello app\n");
    tool_puts(t, "src/lib/b.c", "hello lib\n");
    tool_puts(t, "deep/in/b.txt", "hello deep\n");
    tool_puts(t, "top.md", "hello top\n");
    assert_int_equal(symlink("../../deep/in", link), 0);
    free(link);
}

/* The arguments with the workspace for @. */
static char *args_of(const struct toolcase *t, const char *args)
{
    struct sf_strbuf out = SF_STRBUF_INIT;

    for (; *args; args++) {
        if (*args == '@')
            sf_strbuf_adds(&out, t->root.path);
        else
            sf_strbuf_addch(&out, *args);
    }
    return sf_strbuf_detach(&out);
}

static void test_every_tool(void **state)
{
    struct toolcase *t = *state;

    plant(t);
    tool_stand(t, "src/app");
    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        char *args = args_of(t, rows[i].args);
        const char *text = tool_run(t, rows[i].tool, args);

        sf_toolbox_forget_shown(t->box);
        if (tool_failed(t) != rows[i].fails || !strstr(text, rows[i].has))
            fail_msg("%s: %s", rows[i].name, text);
        if (t->call && strcmp(t->call->what, rows[i].what) != 0)
            fail_msg("%s: people see %s, not %s", rows[i].name, t->call->what, rows[i].what);
        free(args);
    }
    tool_expect_file(t, "src/app/new.c", "x\n", 2);
    tool_expect_file(t, "src/new/n.c", "y\n", 2);
    tool_expect_file(t, "abs.c", "z\n", 2);
    tool_expect_file(t, "src/app/a.c", "hello APP\n", 10);
    tool_expect_file(t, "src/lib/b.c", "hello LIB\n", 10);
    tool_expect_file(t, "top.md", "hello TOP\n", 10);
    tool_expect_file(t, "src/app/p.c", "one\n", 4);
    tool_expect_file(t, "src/lib/q.c", "two\n", 4);
}

/* The line for people names the file from the root, also when the model did not. */
static void test_summaries(void **state)
{
    struct toolcase *t = *state;

    plant(t);
    tool_stand(t, "src/app");
    tool_ok(t, "Read", "{'file_path':'../lib/b.c'}", "hello");
    assert_string_equal(t->call->result.summary, "read src/lib/b.c (1 line)");
    tool_ok(t, "LS", "{}", "a.c");
    assert_non_null(strstr(t->call->result.summary, "listed src/app ("));
    tool_ok(t, "Write", "{'file_path':'n.c','content':'x\\n'}", "created n.c");
    assert_non_null(strstr(t->call->result.summary, "created src/app/n.c "));
}

/* A path that a search gave can be read as it is. */
static void test_results_can_be_named_again(void **state)
{
    struct toolcase *t = *state;
    struct sf_strbuf args = SF_STRBUF_INIT;
    const char *found;

    plant(t);
    tool_stand(t, "src/app");
    found = tool_run(t, "Grep", "{'pattern':'hello top','path':'../..'}");
    sf_strbuf_addf(&args, "{'file_path':'%.*s'}", (int)strcspn(found, "\n"), found);
    tool_ok(t, "Read", args.buf, "hello top");
    sf_strbuf_release(&args);
}

static void test_commands_begin_there(void **state)
{
    struct toolcase *t = *state;
    char *here;

    plant(t);
    here = test_path(t->dir, "src/app");
    tool_stand(t, "src/app");
    tool_ok(t, "Bash", "{'command':'pwd'}", here);
    tool_ok(t, "Bash", "{'command':'cat a.c','workdir':'.'}", "hello app");
    tool_ok(t, "Bash", "{'command':'cat b.c','workdir':'../lib'}", "hello lib");
    tool_ok(t, "Bash", "{'command':'cd ../lib'}", "");
    tool_ok(t, "Bash", "{'command':'cat b.c'}", "hello lib");
    tool_ok(t, "Read", "{'file_path':'a.c'}", "hello app"); /* files stay where they were */
    free(here);
}

/* The directory goes away: files in it are not there, and commands begin in the root. */
static void test_directory_is_removed(void **state)
{
    struct toolcase *t = *state;
    char *gone;

    plant(t);
    tool_puts(t, "gone/x", "x\n");
    gone = test_path(t->dir, "gone");
    tool_stand(t, "gone");
    tool_ok(t, "Bash", "{'command':'rm x; rmdir ../gone'}", "");
    tool_fails(t, "Read", "{'file_path':'x'}", "x is not there");
    tool_fails(t, "LS", "{}", "is not there");
    tool_ok(t, "Bash", "{'command':'cat top.md'}", "hello top");
    tool_ok(t, "Read", "{'file_path':'../top.md'}", "hello top");
    assert_int_equal(symlink("/", gone), 0); /* the name now leads out: ".." does not follow it */
    sf_toolbox_forget_shown(t->box);
    tool_ok(t, "Read", "{'file_path':'../top.md'}", "hello top");
    tool_prepare(t, "Read", "{\"file_path\":\"etc/passwd\"}", 26);
    assert_non_null(t->call);
    assert_false(t->call->targets[0].place.inside); /* the guard sees that it is outside */
    free(gone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_TOOLS(test_every_tool),
        WITH_TOOLS(test_summaries),
        WITH_TOOLS(test_results_can_be_named_again),
        WITH_TOOLS(test_commands_begin_there),
        WITH_TOOLS(test_directory_is_removed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
