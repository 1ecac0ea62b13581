/*
 * Finding custom commands: where they lie, what they are called, who wins, what is left out and
 * said, and that a workspace nobody trusts is not read.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "session/session.h"
#include "support/test.h"
#include "support/tree.h"

struct fixture {
    char *dir, *work;
    struct sf_custom_files files;
};

static int setup(void **state)
{
    struct fixture *f = sf_alloc(sizeof(*f));
    struct sf_error err = SF_ERROR_INIT;
    char *top = test_dir_new(), *home, *state_dir;

    f->dir = sf_path_real(top, &err);
    free(top);
    f->work = test_path(f->dir, "work");
    home = test_path(f->dir, "home");
    state_dir = test_path(f->dir, "state");
    assert_true(sf_dir_make(f->work, 0755, &err) && sf_dir_make(home, 0755, &err));
    assert_int_equal(setenv("HOME", home, 1), 0);
    assert_int_equal(unsetenv("XDG_CONFIG_HOME"), 0);
    assert_int_equal(setenv("SF_HOME", state_dir, 1), 0);
    free(home);
    free(state_dir);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    sf_custom_files_release(&f->files);
    free(f->work);
    test_dir_free(f->dir);
    free(f);
    return 0;
}

static bool taken(const char *name)
{
    return !strcmp(name, "help");
}

static void put(struct fixture *f, const char *path, const char *text)
{
    tree_puts(f->dir, path, text);
}

static void trust(struct fixture *f)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_trust_add(f->work, 0, &err))
        fail_msg("%s", err.msg);
}

static void look(struct fixture *f)
{
    sf_custom_files_read(&f->files, f->work, taken);
}

static const struct sf_custom_file *need(struct fixture *f, const char *line)
{
    const struct sf_custom_file *file = sf_custom_files_find(&f->files, line);

    if (!file)
        fail_msg("%s is not there", line);
    return file;
}

static void expect_note(struct fixture *f, const char *file, const char *why)
{
    for (size_t i = 0; i < f->files.notes.count; i++)
        if (strstr(f->files.notes.items[i], file) && strstr(f->files.notes.items[i], why))
            return;
    fail_msg("no note says that %s: %s", file, why);
}

static void test_places_and_names(void **state)
{
    static const struct {
        const char *file, *line, *origin, *description;
    } cases[] = {
        { "work/.sf/commands/a.md", "/a", "project", "in a" },
        { "work/.sf/commands/git/commit.md", "/git:commit now", "project", "in git" },
        { "work/.sf/commands/w/x/y/z/deep.md", "/w:x:y:z:deep", "project", "deep" },
        { "work/.claude/commands/b.md", "/b\nmore", "project", "in b" },
        { "home/.config/sf/commands/c.md", "/c", "user", "in c" },
        { "home/.claude/commands/d.md", "/d", "user", "in d" },
        { "home/.claude/commands/überall.md", "/überall", "user", "everywhere" },
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(cases); i++)
        put(f, cases[i].file, cases[i].description);
    trust(f);
    look(f);
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        const struct sf_custom_file *file = need(f, cases[i].line);

        assert_string_equal(file->origin, cases[i].origin);
        assert_string_equal(file->custom.description, cases[i].description);
        assert_false(file->needs_trust);
    }
    assert_int_equal(f->files.count, SF_COUNT(cases));
    assert_int_equal(f->files.notes.count, 0);
    assert_null(sf_custom_files_find(&f->files, "/none"));
    assert_null(sf_custom_files_find(&f->files, "a"));
    assert_null(sf_custom_files_find(&f->files, "/"));
}

static void test_who_wins(void **state)
{
    struct fixture *f = *state;

    put(f, "work/.sf/commands/same.md", "the project's");
    put(f, "work/.claude/commands/same.md", "the project's second");
    put(f, "home/.config/sf/commands/same.md", "mine");
    put(f, "work/.sf/commands/help.md", "never");
    trust(f);
    look(f);
    assert_string_equal(need(f, "/same")->custom.description, "mine");
    assert_null(sf_custom_files_find(&f->files, "/help"));
    expect_note(f, ".sf/commands/same.md", "yours of this name wins");
    expect_note(f, ".claude/commands/same.md", "yours of this name wins");
    expect_note(f, ".sf/commands/help.md", "sf has a command of this name");
}

/* Each change of each file that trust is about takes it away. */
static void test_trust(void **state)
{
    static const struct {
        const char *name, *file, *text;
    } changes[] = {
        { "a changed command", "work/.sf/commands/a.md", "now !`evil`" },
        { "a new command", "work/.sf/commands/x/new.md", "new" },
        { "a changed command beside", "work/.claude/commands/b.md", "now !`evil`" },
        { "a new command beside", "work/.claude/commands/new.md", "new" },
    };
    struct fixture *f = *state;

    put(f, "home/.claude/commands/mine.md", "mine");
    for (size_t i = 0; i < SF_COUNT(changes); i++) {
        put(f, "work/.sf/commands/a.md", "---\ndescription: secret\n---\na");
        put(f, "work/.claude/commands/b.md", "b");
        free(tree_run(f->work, "rm -rf .sf/commands/x .claude/commands/new.md", NULL));
        trust(f);
        look(f);
        assert_string_equal(need(f, "/a")->custom.description, "secret");
        put(f, changes[i].file, changes[i].text);
        look(f);
        if (!need(f, "/a")->needs_trust || need(f, "/a")->custom.description ||
            !need(f, "/b")->needs_trust || need(f, "/b")->custom.body)
            fail_msg("%s: read all the same", changes[i].name);
        assert_false(need(f, "/mine")->needs_trust);
    }
}

static void test_never_trusted(void **state)
{
    struct fixture *f = *state;

    put(f, "work/.sf/commands/a.md", "---\n[broken\n");
    look(f);
    assert_true(need(f, "/a")->needs_trust);
    assert_null(need(f, "/a")->custom.body);
    assert_null(need(f, "/a")->problem); /* nobody looked */
}

/* What is odd is left out and said, and the rest is there. */
static void test_odd_files(void **state)
{
    struct fixture *f = *state;

    put(f, "work/.sf/commands/good.md", "good");
    put(f, "work/.sf/commands/notes.txt", "no command");
    put(f, "work/.sf/commands/.hidden.md", "no command");
    put(f, "work/.sf/commands/broken.md", "---\nmodel: m\ndescription: [x\n---\nGo");
    put(f, "work/.sf/commands/two words.md", "x");
    put(f, "work/.sf/commands/esc\x1b[31m.md", "x");
    put(f, "work/.sf/commands/dark\xe2\x80\xae.md", "x");
    put(f, "work/.sf/commands/bad\xff.md", "x");
    put(f, "work/.sf/commands/1/2/3/4/5/too-deep.md", "x");
    free(tree_run(f->work, "head -c 70000 /dev/zero | tr '\\0' x > .sf/commands/large.md", NULL));
    trust(f);
    look(f);
    assert_string_equal(need(f, "/good")->custom.description, "good");
    assert_non_null(strstr(need(f, "/broken")->problem, "line 4"));
    assert_non_null(strstr(need(f, "/large")->problem, "64 KiB"));
    assert_int_equal(f->files.count, 3);
    expect_note(f, ".sf/commands/broken.md", "line 4");
    expect_note(f, ".sf/commands/two words.md", "cannot be typed");
    expect_note(f, ".sf/commands/esc␛[31m.md", "cannot be typed");
    expect_note(f, ".sf/commands/dark\xef\xbf\xbd.md", "cannot be typed");
    expect_note(f, ".sf/commands/bad\xef\xbf\xbd.md", "cannot be typed");
    expect_note(f, ".sf/commands/1/2/3/4/5", "deeper");
}

/* Neither is followed nor opened, and nobody can be talked into trusting them. */
static void test_no_files(void **state)
{
    static const struct {
        const char *name, *make, *says;
    } cases[] = {
        { "a link out of the workspace", "ln -s ../../../secret.md x.md", "link" },
        { "a link to a neighbour", "ln -s good.md x.md", "link" },
        { "a link to a device", "ln -s /dev/zero x.md", "link" },
        { "a link to a directory", "ln -s ../../.. x.md", "link" },
        { "a pipe", "mkfifo x.md", "regular" },
    };
    struct fixture *f = *state;

    put(f, "secret.md", "secret");
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_strbuf make = SF_STRBUF_INIT;

        put(f, "work/.sf/commands/good.md", "good");
        sf_strbuf_addf(&make, "cd .sf/commands && rm -f x.md && %s", cases[i].make);
        free(tree_run(f->work, make.buf, NULL));
        sf_strbuf_release(&make);
        look(f);
        if (sf_custom_files_find(&f->files, "/x"))
            fail_msg("%s is a command", cases[i].name);
        expect_note(f, ".sf/commands/x.md", cases[i].says);
        need(f, "/good");
    }
}

static void test_directories_that_are_links(void **state)
{
    static const char *const links[] = { ".sf", ".sf/commands" };
    struct fixture *f = *state;

    put(f, "outside/commands/x.md", "x");
    put(f, "outside/x.md", "x");
    for (size_t i = 0; i < SF_COUNT(links); i++) {
        struct sf_strbuf make = SF_STRBUF_INIT;

        sf_strbuf_addf(&make, "rm -rf .sf && mkdir -p .sf && rm -rf %s && ln -s %s/outside %s",
                       links[i], f->dir, links[i]);
        free(tree_run(f->work, make.buf, NULL));
        sf_strbuf_release(&make);
        trust(f);
        look(f);
        assert_int_equal(f->files.count, 0);
    }
}

/* One's own may be links: that is how people keep their settings. */
static void test_own_links(void **state)
{
    struct fixture *f = *state;

    put(f, "dotfiles/x.md", "linked");
    put(f, "home/.claude/commands/y.md", "plain");
    free(tree_run(f->dir, "ln -s ../../../dotfiles/x.md home/.claude/commands/x.md", NULL));
    look(f);
    assert_string_equal(need(f, "/x")->custom.description, "linked");
}

static void test_too_many(void **state)
{
    struct fixture *f = *state;

    put(f, "work/.sf/commands/a.md", "x");
    free(tree_run(f->work, "for i in $(seq 300); do cp .sf/commands/a.md .sf/commands/c$i.md; done",
                  NULL));
    trust(f);
    look(f);
    assert_int_equal(f->files.count, SF_CUSTOM_FILES);
    expect_note(f, ".sf/commands/", "left out");
}

/* A workspace that is the user's home: what is there is theirs, once. */
static void test_home_is_the_workspace(void **state)
{
    struct fixture *f = *state;

    put(f, "home/.claude/commands/a.md", "mine");
    free(f->work);
    f->work = test_path(f->dir, "home");
    look(f);
    assert_int_equal(f->files.count, 1);
    assert_string_equal(need(f, "/a")->origin, "user");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_places_and_names, setup, teardown),
        cmocka_unit_test_setup_teardown(test_who_wins, setup, teardown),
        cmocka_unit_test_setup_teardown(test_trust, setup, teardown),
        cmocka_unit_test_setup_teardown(test_never_trusted, setup, teardown),
        cmocka_unit_test_setup_teardown(test_odd_files, setup, teardown),
        cmocka_unit_test_setup_teardown(test_no_files, setup, teardown),
        cmocka_unit_test_setup_teardown(test_directories_that_are_links, setup, teardown),
        cmocka_unit_test_setup_teardown(test_own_links, setup, teardown),
        cmocka_unit_test_setup_teardown(test_too_many, setup, teardown),
        cmocka_unit_test_setup_teardown(test_home_is_the_workspace, setup, teardown),
    };

    return cmocka_run_group_tests_name("session/custom_files", tests, NULL, NULL);
}
