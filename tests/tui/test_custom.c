/*
 * Custom commands at the desk: offered with what they are for and whose they are, run with what
 * they need, and not run where the workspace is not trusted as it is.
 */
#include <unistd.h>

#include "support/pty_case.h"
#include "support/test.h"

#define ESC "\033[27u"

static void trust(struct sitting *s)
{
    world_expect(s->world, "trust add", 0, "trusted", NULL);
}

static bool is_there(struct sitting *s, const char *name)
{
    char *path = test_path(s->world->workspace, name);
    bool there = access(path, F_OK) == 0;

    free(path);
    return there;
}

static void test_offered_and_run(void **state)
{
    struct sitting *s = *state;

    sitting_serve(s, "reply\n"
                     "    expect-contains \"Review a.c for bugs\"\n"
                     "    expect-contains \"the branch is made up\"\n"
                     "    text \"No bugs.\"\n");
    sitting_file(s, ".sf/commands/qa/review.md",
                 "---\ndescription: look for bugs\nargument-hint: FILE\n---\n"
                 "Review $1 for bugs; !`echo the branch is made up`.\n");
    trust(s);
    sitting_begin(s, NULL);
    sitting_type(s, "/revi", "/qa:review FILE");
    assert_true(sitting_sees(s, "look for bugs (project)"));
    sitting_type(s, "\r", "› /qa:review");
    sitting_type(s, "a.c\r", "No bugs.");
    vt_wait_text(s->vt, "Ran      echo the branch is made up");
    assert_true(sitting_sees(s, "you  /qa:review a.c"));
    assert_int_equal(sitting_leave(s), 0);
    sitting_begin(s, "-c"); /* what was typed is what is shown again */
    vt_wait_text(s->vt, "you  /qa:review a.c");
    assert_false(sitting_sees(s, "for bugs;"));
}

static void test_asks_before_it_runs(void **state)
{
    struct sitting *s = *state;

    sitting_serve(s, "reply\n    text \"Done.\"\n");
    sitting_file(s, ".sf/commands/go.md", "!`./tool > made`");
    sitting_file(s, "tool", "#!/bin/sh\necho x\n");
    trust(s);
    sitting_begin(s, NULL);
    vt_type(s->vt, "/go\r");
    sitting_wait_card(s->vt, 1);
    assert_true(sitting_sees(s, "./tool > made"));
    sitting_type(s, "n", "/go was not said");
    assert_false(sitting_sees(s, "nobody was there"));
    assert_false(is_there(s, "made"));
    assert_int_equal(model_server_count(s->server), 0);
}

static void test_not_trusted(void **state)
{
    struct sitting *s = *state;

    sitting_serve(s, "reply\n    text \"Done.\"\n");
    sitting_file(s, ".sf/commands/go.md", "---\ndescription: harmless\n---\n!`touch made`");
    sitting_begin(s, NULL);
    sitting_distrust(s);
    sitting_type(s, "/go", "needs trust");
    assert_false(sitting_sees(s, "harmless"));
    sitting_type(s, "\r", "which you do not trust as it is now");
    trust(s); /* it takes effect at once, and so does a change */
    sitting_type(s, "/go", "harmless (project)");
    sitting_file(s, ".sf/commands/go.md", "!`touch made; echo more`");
    sitting_type(s, "\r", "sf trust add");
    vt_wait_quiet(s->vt);
    assert_false(is_there(s, "made"));
    assert_int_equal(model_server_count(s->server), 0);
}

static void test_listed_with_problems(void **state)
{
    struct sitting *s = *state;

    s->rows = 50;
    sitting_file(s, ".sf/commands/good.md", "find TODO");
    sitting_file(s, ".sf/commands/broken.md", "---\nmodel: [x\n---\nGo");
    sitting_file(s, ".sf/commands/help.md", "mine");
    trust(s);
    sitting_begin(s, NULL);
    vt_type(s->vt, "/commands\r");
    vt_wait_text(s->vt, "project: .sf/commands/good.md");
    vt_wait_text(s->vt, "broken.md: bad frontmatter at line 3");
    vt_wait_text(s->vt, "help.md: /help is not offered: sf has a command of this name");
    vt_type(s->vt, ESC);
    vt_wait_no_text(s->vt, "Not offered");
    sitting_type(s, "/broken\r", "/broken cannot be run");
}

/* /init shows what it would write, and writes it for a yes. */
static void test_init(void **state)
{
    struct sitting *s = *state;

    sitting_file(s, "go.mod", "module frob\n");
    sitting_begin(s, NULL);
    vt_type(s->vt, "/init\r");
    sitting_wait_card(s->vt, 1);
    assert_true(sitting_sees(s, "AGENTS.md would be written"));
    assert_true(sitting_sees(s, "go test ./..."));
    assert_false(is_there(s, "AGENTS.md"));
    sitting_type(s, "y", "written; scopes hold");
    assert_true(is_there(s, "AGENTS.md") && is_there(s, ".sf/config.toml"));
    sitting_type(s, "/init\r", "what is there stays as it is");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_offered_and_run, sitting_setup, sitting_teardown),
        cmocka_unit_test_setup_teardown(test_asks_before_it_runs, sitting_setup, sitting_teardown),
        cmocka_unit_test_setup_teardown(test_not_trusted, sitting_setup, sitting_teardown),
        cmocka_unit_test_setup_teardown(test_listed_with_problems, sitting_setup, sitting_teardown),
        cmocka_unit_test_setup_teardown(test_init, sitting_setup, sitting_teardown),
    };

    return cmocka_run_group_tests_name("desk/custom", tests, NULL, NULL);
}
