/*
 * test_audit.c: whatever a command did beyond its own goes back, what it may write and what is ignored
 * stays, and what was put back is saved first.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "support/snapcase.h"
#include "support/test.h"

struct event {
    struct sf_strbuf text;
};

static bool below_src(void *ctx, const char *path, bool dir)
{
    (void)ctx;
    return !strncmp(path, "src/", 4) || (dir && !strcmp(path, "src"));
}

static bool tell(void *ctx, const struct sf_snap_change *change)
{
    struct event *t = ctx;

    sf_strbuf_addf(&t->text, "%s%s%s%s\n", change->path, change->kept ? " (" : "",
                   change->kept ? change->kept : "", change->kept ? ")" : "");
    return true;
}

static void fill(struct snap_case *c)
{
    tree_puts(c->work, ".gitignore", "build/\n*.log\n");
    tree_puts(c->work, "src/a.c", "int a;\n");
    tree_puts(c->work, "tests/t.c", "int t;\n");
    tree_puts(c->work, "tests/deep/u.c", "int u;\n");
    tree_puts(c->work, "build/out", "old\n");
    free(tree_run(c->work,
                  "git init -q && echo '*.own' > .git/info/exclude && "
                  "truncate -s 11M tests/large",
                  NULL));
}

static void in_work(struct snap_case *c, const char *script)
{
    struct sf_strbuf line = SF_STRBUF_INIT;

    sf_strbuf_addf(&line, "cd '%s' && { %s; }", c->work, script);
    assert_int_equal(system(line.buf), 0); /* NOLINT(cert-env33-c): a test's own words */
    sf_strbuf_release(&line);
}

static const struct {
    const char *name, *script, *event;
    const char *stays; /* a test that holds afterwards */
} cases[] = {
    { "nothing outside", "echo x > src/a.c; mkdir src/new; echo y > src/new/b.c", "",
      "grep -q x src/a.c && grep -q y src/new/b.c" },
    { "a changed file", "echo x > tests/t.c; echo x > src/a.c", "tests/t.c\n",
      "grep -q x src/a.c" },
    { "a new file", "echo x > tests/new.c", "tests/new.c\n", "true" },
    { "a new directory", "mkdir -p lib/x; echo x > lib/x/y", "lib\nlib/x\nlib/x/y\n", "true" },
    { "a removed directory", "rm -r tests",
      "tests\ntests/deep\ntests/deep/u.c\ntests/large (too large)\ntests/t.c\n", "true" },
    { "a move inwards", "mv tests/t.c src/t.c", "tests/t.c\n", "test -f src/t.c" },
    { "permissions", "chmod 755 tests/t.c; chmod 711 tests", "tests\ntests/t.c\n", "true" },
    { "a link in a file's place", "ln -sf ../src/a.c tests/t.c", "tests/t.c\n", "true" },
    { "a link in a directory's place", "rm -r tests; ln -s src tests",
      "tests\ntests/deep\ntests/deep/u.c\ntests/large (too large)\ntests/t.c\n", "true" },
    { "through a link", "ln -s ../tests src/l; echo x > src/l/t.c", "tests/t.c\n",
      "test -L src/l" },
    { "ignored output", "echo new > build/out; echo x > a.log; echo x > build/more", "",
      "grep -q new build/out && test -f a.log && test -f build/more" },
    { "rules that hide", "printf 'build/\\n*.log\\nhidden\\n' > .gitignore; echo x > tests/hidden",
      ".gitignore\ntests/hidden\n", "test -f build/out" },
    { "rules in its own place that hide",
      "echo '/tests/hid*' > src/.gitignore; printf '*' > tests/.ignore; echo x > tests/hidden",
      "tests/.ignore\ntests/hidden\n", "test -f src/.gitignore" },
    { "exclude that hides", "echo 'tests/h*' >> .git/info/exclude; echo x > tests/hidden",
      "tests/hidden\n.git/info/exclude\n", "test \"$(cat .git/info/exclude)\" = '*.own'" },
    { "exclude as it was", "echo '# nothing' >> .git/info/exclude; echo x > tests/x.own", "",
      "test -f tests/x.own" },
    { "a repository in the way",
      "git init -q tests; echo x > tests/t.c; echo x > tests/new.c; echo '*' > "
      "tests/.git/info/exclude",
      "tests/.git (a repository of its own)\ntests/new.c\ntests/t.c\n", "rm -r tests/.git" },
    { "no repository in the way",
      "mkdir -p tests/.git/info; echo '*' > tests/.git/info/exclude; echo x > tests/new.c",
      "tests/new.c\n", "rm -r tests/.git" },
    { "a repository that came", "git init -q lib", "lib (a repository of its own)\n", "rm -r lib" },
    { "a large file that goes", "rm tests/large", "tests/large (too large)\n",
      "truncate -s 11M tests/large" },
    { "a large file that changes", "echo >> tests/large", "tests/large (too large)\n", "true" },
    { "a large file that shrinks", "echo > tests/large", "tests/large (too large)\n", "true" },
    { "rules that go", "rm .gitignore; echo x > build/more", ".gitignore\n",
      "test -f build/out && test -f build/more" },
};

/* A line with a reason in brackets is about a path that stays. */
static bool is_something_put_back(const char *event)
{
    for (size_t n; *event; event += n + 1) {
        n = strcspn(event, "\n");
        if (!memchr(event, '(', n))
            return true;
    }
    return false;
}

static void one_case(struct snap_case *c, size_t i)
{
    struct event event = { SF_STRBUF_INIT };
    struct sf_strlist saved = SF_STRLIST_INIT;
    struct sf_snap_fence fence = { .may = below_src, .put_back = true, .session = "test" };
    struct sf_error err = SF_ERROR_INIT;
    char *mark;

    in_work(c, "find . -mindepth 1 -delete");
    fill(c);
    mark = sf_strdup(snap_take(c));
    fence.mark = mark;
    in_work(c, cases[i].script);
    if (!sf_snap_audit(c->snap, &fence, tell, &event, &saved, &err))
        fail_msg("%s: %s", cases[i].name, err.msg);
    if (strcmp(event.text.buf, cases[i].event) != 0)
        fail_msg("%s: told\n%swant\n%s", cases[i].name, event.text.buf, cases[i].event);
    assert_int_equal(saved.count > 0, is_something_put_back(cases[i].event));
    in_work(c, cases[i].stays);
    if (strstr(cases[i].event, "(")) /* what cannot be put back is told again and again */
        snap_take(c);
    in_work(c, "test \"$(cat tests/t.c)\" = 'int t;' && test ! -L tests/t.c && test ! -L tests && "
               "test \"$(stat -c %a tests/t.c)\" = 644 && test -f tests/deep/u.c && "
               "test ! -e lib && test ! -e tests/new.c && test ! -e tests/hidden && "
               "test \"$(cat .gitignore)\" = \"$(printf 'build/\\n*.log')\"");
    sf_strbuf_reset(&event.text);
    sf_strlist_release(&saved);
    if (strstr(cases[i].event, "("))
        fence.mark = c->result.id;
    assert_true(sf_snap_audit(c->snap, &fence, tell, &event, &saved, &err));
    assert_string_equal(event.text.buf, "");
    sf_strbuf_release(&event.text);
    sf_strlist_release(&saved);
    free(mark);
}

static void test_cases(void **state)
{
    for (size_t i = 0; i < SF_COUNT(cases); i++)
        one_case(*state, i);
}

static void test_only_told(void **state)
{
    struct snap_case *c = *state;
    struct event event = { SF_STRBUF_INIT };
    struct sf_strlist saved = SF_STRLIST_INIT;
    struct sf_snap_fence fence = { .may = below_src };
    struct sf_error err = SF_ERROR_INIT;

    fill(c);
    fence.mark = snap_take(c);
    in_work(c, "echo x > tests/t.c");
    assert_true(sf_snap_audit(c->snap, &fence, tell, &event, &saved, &err));
    assert_string_equal(event.text.buf, "tests/t.c\n");
    assert_int_equal(saved.count, 0);
    in_work(c, "grep -q x tests/t.c");
    sf_strbuf_release(&event.text);
}

/* What is too large to be kept cannot be put back: that is said. */
static void test_too_large(void **state)
{
    struct snap_case *c = *state;
    struct event event = { SF_STRBUF_INIT };
    struct sf_strlist saved = SF_STRLIST_INIT;
    struct sf_snap_fence fence = { .may = below_src, .put_back = true };
    struct sf_error err = SF_ERROR_INIT;

    fill(c);
    fence.mark = snap_take(c);
    in_work(c, "truncate -s 11M tests/huge");
    assert_true(sf_snap_audit(c->snap, &fence, tell, &event, &saved, &err));
    assert_string_equal(event.text.buf, "tests/huge (too large)\n");
    sf_strbuf_release(&event.text);
    sf_strlist_release(&saved);
}

/* What went is saved: restoring that state brings it back. */
static void test_saved(void **state)
{
    struct snap_case *c = *state;
    struct event event = { SF_STRBUF_INIT };
    struct sf_strlist saved = SF_STRLIST_INIT;
    struct sf_snap_fence fence = { .may = below_src, .put_back = true };
    struct sf_error err = SF_ERROR_INIT;

    fill(c);
    fence.mark = snap_take(c);
    in_work(c, "echo precious > tests/t.c");
    assert_true(sf_snap_audit(c->snap, &fence, tell, &event, &saved, &err));
    in_work(c, "grep -q 'int t' tests/t.c");
    snap_restore_id(c, saved.items[0]);
    in_work(c, "grep -q precious tests/t.c");
    sf_strbuf_release(&event.text);
    sf_strlist_release(&saved);
}

/* ---- ignored files that are about to be edited ---- */

static const char *amend(struct snap_case *c, const char *id, const char *path)
{
    struct sf_strlist extra = SF_STRLIST_INIT;
    const struct sf_snap_request request = { .kind = SF_SNAP_BEFORE, .extra = &extra };
    struct sf_error err = SF_ERROR_INIT;

    sf_strlist_add(&extra, path);
    sf_snap_result_release(&c->result);
    c->result = (struct sf_snap_result)SF_SNAP_RESULT_INIT;
    if (!sf_snap_amend(c->snap, id, &request, &c->result, &err))
        fail_msg("%s", err.msg);
    sf_strlist_release(&extra);
    return c->result.id;
}

static void test_amend(void **state)
{
    struct snap_case *c = *state;
    char *id, *whole;

    fill(c);
    in_work(c, "chmod 750 build");
    id = sf_strdup(snap_take(c));
    assert_string_equal(amend(c, id, "src/a.c"), "");
    assert_string_equal(amend(c, id, "src/new.c"), "");
    whole = sf_strdup(amend(c, id, "build/out"));
    assert_int_equal(strlen(whole), SF_SNAP_ID);
    free(id);
    id = sf_strdup(amend(c, whole, "deep.log"));
    assert_int_equal(strlen(id), SF_SNAP_ID);
    in_work(c, "echo edited > build/out; echo made > deep.log; echo x > src/a.c; echo x > o.log");
    snap_restore_id(c, id);
    in_work(c, "grep -q old build/out && test ! -e deep.log && grep -q 'int a' src/a.c && "
               "test -e o.log && test \"$(stat -c %a build)\" = 750");
    assert_int_equal(c->restored.tally.kept, 0);
    free(id);
    free(whole);
}

/* Asked for from the start, and in a directory that was not there either. */
static void test_absent(void **state)
{
    struct snap_case *c = *state;
    struct sf_strlist extra = SF_STRLIST_INIT;
    char *id;

    fill(c);
    in_work(c, "rm -r build");
    sf_strlist_add(&extra, "build/made");
    sf_strlist_add(&extra, "src/new.c");
    id = sf_strdup(snap_take_extra(c, &extra));
    assert_int_equal(c->result.extra.count, 1);
    assert_string_equal(c->result.extra.items[0], "build/made");
    in_work(c, "mkdir build; echo x > build/made");
    snap_restore_id(c, id);
    in_work(c, "test ! -e build");
    sf_strlist_release(&extra);
    free(id);
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, snap_setup, snap_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_cases), CASE(test_only_told), CASE(test_too_large),
        CASE(test_saved), CASE(test_amend),     CASE(test_absent),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
