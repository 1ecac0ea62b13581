/*
 * Custom commands at the terminal: offered with what they are for and whose they are, run with what
 * they need, and not run where the workspace is not trusted as it is.
 */
#include <unistd.h>

#include "support/pty_case.h"
#include "support/test.h"

#define ESC "\033[27u"

static void trust(struct pty_case *s)
{
    sandbox_expect(s->sandbox, "trust add", 0, "trusted", NULL);
}

static bool is_there(struct pty_case *s, const char *name)
{
    char *path = test_path(s->sandbox->workspace, name);
    bool there = access(path, F_OK) == 0;

    free(path);
    return there;
}

static void test_offered_and_run(void **state)
{
    struct pty_case *s = *state;

    pty_case_serve(s, "reply\n"
                      "    expect-contains \"Review a.c for bugs\"\n"
                      "    expect-contains \"the branch is made up\"\n"
                      "    text \"No bugs.\"\n");
    pty_case_file(s, ".sf/commands/qa/review.md",
                  "---\ndescription: look for bugs\nargument-hint: FILE\n---\n"
                  "Review $1 for bugs; !`echo the branch is made up`.\n");
    trust(s);
    pty_case_begin(s, NULL);
    pty_case_type(s, "/qa:r", "/qa:review FILE");
    assert_true(pty_case_sees(s, "look for bugs (project)"));
    pty_case_type(s, "\r", "› /qa:review");
    pty_case_type(s, "a.c\r", "No bugs.");
    vt_wait_text(s->vt, "Ran      echo the branch is made up");
    assert_true(pty_case_sees(s, "you  /qa:review a.c"));
    assert_int_equal(pty_case_leave(s), 0);
    pty_case_begin(s, "-c"); /* what was typed is what is shown again */
    vt_wait_text(s->vt, "you  /qa:review a.c");
    assert_false(pty_case_sees(s, "for bugs;"));
}

static void test_asks_before_it_runs(void **state)
{
    struct pty_case *s = *state;

    pty_case_serve(s, "reply\n    text \"Done.\"\n");
    pty_case_file(s, ".sf/commands/go.md", "!`./tool > made`");
    pty_case_file(s, "tool", "#!/bin/sh\necho x\n");
    trust(s);
    pty_case_begin(s, NULL);
    vt_type(s->vt, "/go\r");
    pty_case_wait_card(s->vt, 1);
    assert_true(pty_case_sees(s, "./tool > made"));
    pty_case_type(s, "n", "/go was not said");
    assert_false(pty_case_sees(s, "nobody was there"));
    assert_false(is_there(s, "made"));
    assert_int_equal(model_server_count(s->server), 0);
}

static void test_not_trusted(void **state)
{
    struct pty_case *s = *state;

    pty_case_serve(s, "reply\n    text \"Done.\"\n");
    pty_case_file(s, ".sf/commands/go.md", "---\ndescription: harmless\n---\n!`touch made`");
    pty_case_begin(s, NULL);
    pty_case_distrust(s);
    pty_case_type(s, "/go", "needs trust");
    assert_false(pty_case_sees(s, "harmless"));
    pty_case_type(s, "\r", "which you do not trust as it is now");
    trust(s); /* it takes effect at once, and so does a change */
    pty_case_type(s, "/go", "harmless (project)");
    pty_case_file(s, ".sf/commands/go.md", "!`touch made; echo more`");
    pty_case_type(s, "\r", "sf trust add");
    vt_wait_quiet(s->vt);
    assert_false(is_there(s, "made"));
    assert_int_equal(model_server_count(s->server), 0);
}

static void test_listed_with_problems(void **state)
{
    struct pty_case *s = *state;

    s->rows = 50;
    pty_case_file(s, ".sf/commands/good.md", "find TODO");
    pty_case_file(s, ".sf/commands/broken.md", "---\nmodel: [x\n---\nGo");
    pty_case_file(s, ".sf/commands/help.md", "mine");
    trust(s);
    pty_case_begin(s, NULL);
    vt_type(s->vt, "/commands\r");
    vt_wait_text(s->vt, "project: .sf/commands/good.md");
    vt_wait_text(s->vt, "broken.md: bad frontmatter at line 3");
    vt_wait_text(s->vt, "help.md: /help is not offered: sf has a command of this name");
    vt_type(s->vt, ESC);
    vt_wait_no_text(s->vt, "Not offered");
    pty_case_type(s, "/broken\r", "/broken cannot be run");
}

/* /init shows what it would write, and writes it for a yes. */
static void test_init(void **state)
{
    struct pty_case *s = *state;

    pty_case_file(s, "go.mod", "module frob\n");
    pty_case_begin(s, NULL);
    vt_type(s->vt, "/init\r");
    pty_case_wait_card(s->vt, 1);
    assert_true(pty_case_sees(s, "AGENTS.md would be written"));
    assert_true(pty_case_sees(s, "go test ./..."));
    assert_false(is_there(s, "AGENTS.md"));
    pty_case_type(s, "y", "written; scopes hold");
    assert_true(is_there(s, "AGENTS.md") && is_there(s, ".sf/config.toml"));
    pty_case_type(s, "/init\r", "what is there stays as it is");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_offered_and_run, pty_case_setup, pty_case_teardown),
        cmocka_unit_test_setup_teardown(test_asks_before_it_runs, pty_case_setup,
                                        pty_case_teardown),
        cmocka_unit_test_setup_teardown(test_not_trusted, pty_case_setup, pty_case_teardown),
        cmocka_unit_test_setup_teardown(test_listed_with_problems, pty_case_setup,
                                        pty_case_teardown),
        cmocka_unit_test_setup_teardown(test_init, pty_case_setup, pty_case_teardown),
    };

    return cmocka_run_group_tests_name("tui/custom", tests, NULL, NULL);
}
