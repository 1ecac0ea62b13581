/*
 * ApplyPatch through the tool: what it would touch, exact bytes afterwards, all or nothing over
 * several files, and that being killed in the middle leaves every file old or new.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "support/snapshot.h"
#include "support/store_case.h"
#include "support/test.h"
#include "support/toolcase.h"
#include "tools/box.h"

/* The patch as JSON arguments; owned by the caller. */
static char *as_args(const char *patch)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    struct sf_json_writer w;

    sf_jw_init(&w, &sb);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "patch", patch);
    sf_jw_object_end(&w);
    return sf_strbuf_detach(&sb);
}

static const char *apply(struct toolcase *t, const char *body)
{
    struct sf_strbuf patch = SF_STRBUF_INIT;
    const char *text;
    char *args;

    sf_strbuf_addf(&patch, "*** Begin Patch\n%s*** End Patch\n", body);
    args = as_args(patch.buf);
    text = tool_run_json(t, "ApplyPatch", args, strlen(args));
    free(args);
    sf_strbuf_release(&patch);
    return text;
}

static void ok(struct toolcase *t, const char *body, const char *has)
{
    const char *text = apply(t, body);

    if (tool_failed(t) || !strstr(text, has))
        fail_msg("wanted success with \"%s\", got %s", has, text);
}

static void fails(struct toolcase *t, const char *body, const char *has)
{
    const char *text = apply(t, body);

    if (!tool_failed(t) || !strstr(text, has))
        fail_msg("wanted an error with \"%s\", got %s", has, text);
}

static void expect(struct toolcase *t, const char *name, const char *want)
{
    tool_expect_file(t, name, want, want ? strlen(want) : 0);
}

static void test_add(void **state)
{
    struct toolcase *t = *state;

    ok(t, "*** Add File: x/new.txt\n+one\n+two\n", "added x/new.txt (+2)");
    expect(t, "x/new.txt", "one\ntwo\n");
    assert_string_equal(t->call->result.diff.buf,
                        "--- /dev/null\n+++ x/new.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n");
    assert_int_equal(t->call->result.seen_count, 1);
    assert_true(t->call->result.seen[0].whole);
    fails(t, "*** Add File: x/new.txt\n+three\n", "x/new.txt is there already");
    expect(t, "x/new.txt", "one\ntwo\n");
}

static void test_update(void **state)
{
    struct toolcase *t = *state;

    tool_puts(t, "a.c", "int a;\nint b;\nint c;\n");
    ok(t, "*** Update File: a.c\n@@\n int a;\n-int b;\n+long b;\n int c;\n", "updated a.c (+1 -1)");
    expect(t, "a.c", "int a;\nlong b;\nint c;\n");
    assert_string_equal(t->call->result.summary, "patched 1 file +1 \xe2\x88\x92"
                                                 "1");
}

static void test_update_keeps_what_it_does_not_touch(void **state)
{
    struct toolcase *t = *state;
    char *path = test_path(t->dir, "a.c");
    struct stat st;

    tool_puts(t, "a.c", "\xef\xbb\xbfint a;\r\nint b;  \r\nint c;");
    assert_int_equal(chmod(path, 0755), 0);
    ok(t, "*** Update File: a.c\n@@\n-int a;\n+long a;\n", "updated a.c");
    expect(t, "a.c", "\xef\xbb\xbflong a;\r\nint b;  \r\nint c;");
    assert_int_equal(stat(path, &st), 0);
    free(path);
    assert_int_equal(st.st_mode & 07777, 0755);
}

static void test_loose_is_said(void **state)
{
    struct toolcase *t = *state;

    tool_puts(t, "a.c", "int a;  \nint b;\n");
    ok(t, "*** Update File: a.c\n@@\n int a;\n-int b;\n+long b;\n", "matched ");
    expect(t, "a.c", "int a;  \nlong b;\n");
}

static void test_delete(void **state)
{
    struct toolcase *t = *state;

    tool_puts(t, "a.c", "int a;\n");
    ok(t, "*** Delete File: a.c\n", "deleted a.c");
    expect(t, "a.c", NULL);
    assert_string_equal(t->call->result.diff.buf,
                        "--- a.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-int a;\n");
    fails(t, "*** Delete File: a.c\n", "a.c is not there");
}

static void test_move(void **state)
{
    struct toolcase *t = *state;
    char *from = test_path(t->dir, "a.c"), *to = test_path(t->dir, "y/b.c");
    struct stat st;

    tool_puts(t, "a.c", "int a;\nint b;\n");
    assert_int_equal(chmod(from, 0770), 0);
    ok(t, "*** Update File: a.c\n*** Move to: y/b.c\n@@\n-int a;\n+long a;\n",
       "moved a.c to y/b.c (+1 -1)");
    expect(t, "a.c", NULL);
    expect(t, "y/b.c", "long a;\nint b;\n");
    assert_int_equal(stat(to, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0770);
    free(from);
    free(to);
    assert_non_null(strstr(t->call->result.diff.buf, "--- a.c\n+++ y/b.c\n"));
    tool_puts(t, "c.c", "x\n");
    fails(t, "*** Update File: c.c\n*** Move to: y/b.c\n@@\n-x\n+y\n", "y/b.c is there already");
    expect(t, "c.c", "x\n");
}

static void test_what_it_names(void **state)
{
    static const struct {
        const char *path;
        enum sf_place_want want;
        enum sf_act act;
    } want[] = {
        { "new", SF_WANT_FILE, SF_ACT_WRITE }, { "old", SF_WANT_NAME, SF_ACT_DELETE },
        { "a", SF_WANT_FILE, SF_ACT_WRITE },   { "b", SF_WANT_NAME, SF_ACT_WRITE },
        { "c", SF_WANT_FILE, SF_ACT_WRITE },
    };
    struct sf_error err = SF_ERROR_INIT;
    char *args = as_args("*** Begin Patch\n*** Add File: new\n+x\n*** Delete File: old\n"
                         "*** Update File: a\n@@\n-x\n+y\n*** Update File: a\n@@\n-p\n+q\n"
                         "*** Update File: b\n*** Move to: c\n@@\n-x\n+y\n*** End Patch\n");
    struct sf_tool_call *call =
        sf_tool_call_new(sf_tool_find("ApplyPatch"), "1", args, strlen(args), &err);

    (void)state;
    free(args);
    assert_non_null(call);
    assert_int_equal(call->target_count, SF_COUNT(want));
    for (size_t i = 0; i < SF_COUNT(want); i++) {
        assert_string_equal(call->targets[i].path, want[i].path);
        assert_int_equal(call->targets[i].want, want[i].want);
        assert_int_equal(call->targets[i].act, want[i].act);
    }
    sf_tool_call_free(call);
}

static void test_bad_patches(void **state)
{
    struct toolcase *t = *state;

    tool_fails(t, "ApplyPatch", "{'patch':''}", "");
    tool_fails(t, "ApplyPatch", "{'patch':'nonsense'}", "");
    tool_fails(t, "ApplyPatch", "{'patch':'*** Begin Patch\\n*** End Patch'}", "");
    tool_fails(t, "ApplyPatch", "{'patch':['x']}", "patch must be a string");
    fails(t, "*** Update File: gone\n@@\n-x\n+y\n", "gone is not there");
    fails(t, "*** Add File: \n+x\n", "");
    fails(t, "*** Add File: a\x1b[2J\n+x\n", "");
}

static void test_several_files(void **state)
{
    struct toolcase *t = *state;

    tool_puts(t, "a", "1\n2\n3\n");
    tool_puts(t, "b", "x\n");
    tool_puts(t, "c", "y\n");
    ok(t,
       "*** Update File: a\n@@\n-2\n+two\n*** Delete File: b\n*** Update File: c\n*** Move to: d\n"
       "@@\n-y\n+z\n*** Add File: e\n+new\n*** Update File: a\n@@\n-3\n+three\n",
       "updated a (+2 -2)\ndeleted b\nmoved c to d");
    expect(t, "a", "1\ntwo\nthree\n");
    expect(t, "b", NULL);
    expect(t, "c", NULL);
    expect(t, "d", "z\n");
    expect(t, "e", "new\n");
    assert_string_equal(t->call->result.summary, "patched 4 files +4 \xe2\x88\x92"
                                                 "4");
}

static void test_deleted_and_made_anew(void **state)
{
    struct toolcase *t = *state;

    tool_puts(t, "a", "1\n2\n");
    ok(t, "*** Delete File: a\n*** Add File: a\n+new\n", "updated a");
    expect(t, "a", "new\n");
}

static void take(struct toolcase *t, struct sf_strlist *list)
{
    sf_strlist_release(list);
    *list = (struct sf_strlist)SF_STRLIST_INIT;
    snapshot_take(t->dir, list);
}

/* Whatever is wrong with one file: the others stay as they are. */
static void test_one_wrong_changes_nothing(void **state)
{
    static const char *const wrong[] = {
        "*** Update File: a\n@@\n-zzz\n+y\n",
        "*** Update File: gone\n@@\n-x\n+y\n",
        "*** Delete File: gone\n",
        "*** Add File: b\n+x\n",
        "*** Update File: b\n*** Move to: a\n@@\n-x\n+y\n",
        "*** Update File: ./a\n@@\n-1\n+y\n",
        "*** Update File: link\n@@\n-1\n+y\n",
        "*** Delete File: link\n",
        "*** Delete File: dir\n",
        "*** Add File: dir\n+x\n",
        "*** Add File: a/b\n+x\n",
        "*** Update File: locked\n@@\n-l\n+x\n",
    };
    struct toolcase *t = *state;
    struct sf_strlist before = SF_STRLIST_INIT, after = SF_STRLIST_INIT;
    char *locked = test_path(t->dir, "locked"), *link = test_path(t->dir, "link");
    bool same = true;

    tool_puts(t, "a", "1\n2\n");
    tool_puts(t, "b", "x\n");
    tool_puts(t, "c", "c\n");
    tool_puts(t, "d", "d\n");
    tool_puts(t, "dir/f", "f\n");
    tool_puts(t, "locked", "l\n");
    assert_int_equal(chmod(locked, 0444), 0);
    assert_int_equal(symlink("a", link), 0);
    free(locked);
    free(link);
    take(t, &before);
    for (size_t i = 0; same && i < SF_COUNT(wrong); i++) {
        struct sf_strbuf sb = SF_STRBUF_INIT;

        sf_strbuf_addf(&sb,
                       "*** Add File: new\n+n\n*** Update File: a\n@@\n-2\n+two\n%s"
                       "*** Delete File: c\n*** Update File: d\n*** Move to: e\n@@\n-d\n+D\n",
                       wrong[i]);
        apply(t, sb.buf);
        sf_strbuf_release(&sb);
        take(t, &after);
        same = tool_failed(t) && before.count == after.count && !snapshot_lost(&before, &after);
        if (!same)
            print_error("not as before: %s", wrong[i]);
    }
    sf_strlist_release(&before);
    sf_strlist_release(&after);
    assert_true(same);
}

/* Fails in the middle of writing, which no plan can foresee: a file changes after it was read. */
static void test_put_back_when_one_refuses(void **state)
{
    static const char patch[] =
        "*** Begin Patch\n*** Add File: new\n+n\n*** Update File: a\n@@\n-a\n+A\n"
        "*** Update File: m\n*** Move to: n\n@@\n-m\n+M\n*** Update File: locked\n@@\n-l\n+L\n"
        "*** Delete File: z\n*** End Patch\n";
    struct toolcase *t = *state;
    char *args = as_args(patch), *locked = test_path(t->dir, "locked");
    struct sf_strlist before = SF_STRLIST_INIT, after = SF_STRLIST_INIT;
    bool same;

    tool_puts(t, "a", "a\n");
    tool_puts(t, "m", "m\n");
    tool_puts(t, "locked", "l\n");
    tool_puts(t, "z", "z\n");
    assert_int_equal(chmod(locked, 0400), 0);
    take(t, &before);
    assert_non_null(tool_prepare(t, "ApplyPatch", args, strlen(args)));
    tool_finish(t);
    free(args);
    free(locked);
    assert_true(tool_failed(t));
    assert_non_null(strstr(t->call->result.text.buf, "cannot write locked"));
    assert_non_null(strstr(t->call->result.text.buf, "what had been done was put back"));
    take(t, &after);
    same = before.count == after.count && !snapshot_lost(&before, &after);
    sf_strlist_release(&before);
    sf_strlist_release(&after);
    assert_true(same);
}

static void test_what_was_seen(void **state)
{
    struct toolcase *t = *state;

    tool_puts(t, "a", "1\n2  \n");
    tool_ok(t, "Read", "{'file_path':'a'}", "1: 1");
    tool_puts(t, "a", "1!\n2  \n");
    fails(t, "*** Update File: a\n@@\n-2\n+two\n", "has changed since it was read");
    ok(t, "*** Update File: a\n@@\n-1!\n+one\n", "it had changed since it was read");
    expect(t, "a", "one\n2  \n");
    tool_fails(t, "Write", "{'file_path':'a','content':'x'}", "has changed since it was read");
    tool_ok(t, "Read", "{'file_path':'a'}", "1: one");
    ok(t, "*** Update File: a\n@@\n-one\n+1\n", "updated a");
    tool_ok(t, "Write", "{'file_path':'a','content':'x'}", "overwrote"); /* all of it is known */
}

static void test_unified_diffs(void **state)
{
    struct toolcase *t = *state;

    tool_puts(t, "src/a.c", "one\ntwo\nthree\n");
    tool_ok(
        t, "ApplyPatch",
        "{'patch':'--- a/src/a.c\\n+++ b/src/a.c\\n@@ -1,3 +1,3 @@\\n one\\n-two\\n+TWO\\n three\\n'}",
        "updated src/a.c");
    expect(t, "src/a.c", "one\nTWO\nthree\n");
}

static void test_too_many_files(void **state)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    struct toolcase *t = *state;
    const char *text;

    for (int i = 0; i < 300; i++)
        sf_strbuf_addf(&sb, "*** Add File: f%d\n+x\n", i);
    text = apply(t, sb.buf);
    sf_strbuf_release(&sb);
    assert_true(tool_failed(t));
    assert_non_null(strstr(text, "more than 256 files"));
    expect(t, "f0", NULL);
}

/* A patch in a process of its own, stopped for good before its n-th call of the system. */
static const char killed_patch[] =
    "*** Begin Patch\n*** Add File: new\n+fresh 1\n+fresh 2\n*** Update File: a\n@@\n-old a\n"
    "+young a\n*** Update File: m\n*** Move to: n\n@@\n-old m\n+young m\n*** Delete File: z\n"
    "*** End Patch\n";

static void put_victims(struct toolcase *t)
{
    static const char *const gone[] = { "new", "n" };

    for (size_t i = 0; i < SF_COUNT(gone); i++) {
        char *path = test_path(t->dir, gone[i]);

        unlink(path);
        free(path);
    }
    tool_puts(t, "a", "old a\nmore\n");
    tool_puts(t, "m", "old m\nmore\n");
    tool_puts(t, "z", "old z\n");
}

static void run_traced(struct toolcase *t, const char *args)
{
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
        _exit(99);
    if (!tool_prepare(t, "ApplyPatch", args, strlen(args)))
        _exit(98);
    raise(SIGSTOP);
    t->call->tool->run(t->box, t->call);
    _exit(t->call->result.is_error ? 97 : 0);
}

/* Calls made, or -1 when it was killed before `stop` of them; -2: no tracing here. */
static int trace_to(pid_t pid, int stop)
{
    int status, stops = 0;

    if (waitpid(pid, &status, 0) < 0 || !WIFSTOPPED(status))
        return -2;
    while (stops < stop) {
        if (ptrace(PTRACE_SYSCALL, pid, NULL, NULL) < 0 || waitpid(pid, &status, 0) < 0)
            return -2;
        if (WIFEXITED(status))
            return WEXITSTATUS(status) ? -2 : stops;
        stops++;
    }
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    return -1;
}

static bool holds(struct toolcase *t, const char *name, const char *want)
{
    size_t len;
    char *got = tool_get(t, name, &len);
    bool same = want ? got && !strcmp(got, want) : !got;

    free(got);
    return same;
}

/* Every file as it was or as it is to be; the moved one in one of its two places. */
static bool is_whole(struct toolcase *t)
{
    bool fresh = holds(t, "new", NULL) || holds(t, "new", "fresh 1\nfresh 2\n");
    bool a = holds(t, "a", "old a\nmore\n") || holds(t, "a", "young a\nmore\n");
    bool z = holds(t, "z", "old z\n") || holds(t, "z", NULL);
    bool here = holds(t, "m", "old m\nmore\n") && holds(t, "n", NULL);
    bool there =
        holds(t, "m", NULL) && (holds(t, "n", "old m\nmore\n") || holds(t, "n", "young m\nmore\n"));

    return fresh && a && z && (here || there);
}

static void test_killed_at_every_step(void **state)
{
    struct toolcase *t = *state;
    char *args = as_args(killed_patch);
    int result = -1, kills = 0;
    bool whole = true;

    for (int stop = 0; result == -1 && whole && stop < 5000; stop += 2) { /* in, out */
        pid_t pid;

        put_victims(t);
        pid = fork();
        if (pid == 0)
            run_traced(t, args);
        result = trace_to(pid, stop);
        whole = is_whole(t);
        kills += result == -1;
        if (!whole)
            print_error("not whole when killed before call %d\n", stop);
    }
    free(args);
    if (result == -2 && !kills)
        test_not_run("tracing is not allowed here");
    assert_true(whole);
    assert_true(result >= 0);
    assert_true(kills > 50);
    expect(t, "n", "young m\nmore\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_TOOLS(test_add),
        WITH_TOOLS(test_update),
        WITH_TOOLS(test_update_keeps_what_it_does_not_touch),
        WITH_TOOLS(test_loose_is_said),
        WITH_TOOLS(test_delete),
        WITH_TOOLS(test_move),
        WITH_TOOLS(test_what_it_names),
        WITH_TOOLS(test_bad_patches),
        WITH_TOOLS(test_several_files),
        WITH_TOOLS(test_deleted_and_made_anew),
        WITH_TOOLS(test_one_wrong_changes_nothing),
        WITH_TOOLS(test_put_back_when_one_refuses),
        WITH_TOOLS(test_what_was_seen),
        WITH_TOOLS(test_unified_diffs),
        WITH_TOOLS(test_too_many_files),
        WITH_TOOLS(test_killed_at_every_step),
    };

    test_use_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
