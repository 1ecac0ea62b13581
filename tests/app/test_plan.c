/* sf plan: lists, shows and checks plans, makes one from a checklist, and never leaves the workspace. */
#include <unistd.h>

#include "base/base.h"
#include "support/agent_sandbox.h"
#include "support/test.h"

static const char list[] = "# Todo\n## One\n- [ ] first\n- [x] old\n- [ ] second\n";
static const char wrong[] = "---\ntitle: x\n---\n## M1 a\n### S1 b\n#### T1 c\n- what: x\n"
                            "- risk: hihg\n- veriy: x\n";

static const struct {
    const char *words;
    int code;
    const char *out, *err;
} steps[] = {
    { "plan", 0, "there is no plan here", NULL },
    { "plan import nosuch.md", 2, NULL, "nosuch.md" },
    { "plan import todo.md --as a/b", 2, NULL, "cannot be the name of a plan" },
    { "plan import todo.md", 0, ".sf/plans/todo.md: 2 tasks; 1 that were done are left out", NULL },
    { "plan import todo.md", 2, NULL, "is there already" },
    { "plan import todo.md --as again", 0, ".sf/plans/again.md", NULL },
    { "plan import wrong.md --as x", 1, NULL, "no open item" },
    { "plan list", 0, "again                draft     0 of 2 done  Todo", NULL },
    { "plan list --json", 0, "{\"name\":\"todo\",\"stage\":\"draft\",\"tasks\":2,\"done\":0}",
      NULL },
    { "plan show todo", 0, "- todo **M1/S1/T2** second", NULL },
    { "plan show todo --json", 0, "\"states\":{\"M1/S1/T1\":\"todo\"", NULL },
    { "plan show nosuch", 2, NULL, ".sf/plans/nosuch.md" },
    { "plan check .sf/plans/todo.md", 0, "2 tasks in 1 milestone; 2 without a command", NULL },
    { "plan check wrong.md", 1,
      "wrong.md:8:9: risk: there is no risk called \"hihg\"; did you mean high?", NULL },
    { "plan check wrong.md", 1,
      "wrong.md:9:3: a task has no field called \"veriy\"; did you mean verify?", NULL },
    { "plan check --json wrong.md", 1, "{\"line\":8,\"column\":9,", NULL },
    { "plan drop todo", 2, NULL, "no accepted plan is called todo" },
};

static void write_beside(struct sandbox *w, const char *name, const char *text)
{
    char *path = test_path(w->workspace, name);

    test_write(path, text, strlen(text));
    free(path);
}

static void test_steps(void **state)
{
    struct sandbox *w = *state;

    write_beside(w, "todo.md", list);
    write_beside(w, "wrong.md", wrong);
    for (size_t i = 0; i < SF_COUNT(steps); i++)
        sandbox_expect(w, steps[i].words, steps[i].code, steps[i].out, steps[i].err);
}

/* A link in the place of the directory leads nowhere: nothing is written behind it. */
static void test_link(void **state)
{
    struct sandbox *w = *state;
    char *link = test_path(w->workspace, ".sf/plans");
    char *outside = test_dir_new(), *leaked = test_path(outside, "todo.md");

    write_beside(w, "todo.md", list);
    assert_int_equal(symlink(outside, link), 0);
    sandbox_expect(w, "plan import todo.md", 2, NULL, "leads through a link");
    assert_int_not_equal(access(leaked, F_OK), 0);
    test_dir_free(outside);
    free(link);
    free(leaked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_steps, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_link, sandbox_setup, sandbox_teardown),
    };

    return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
