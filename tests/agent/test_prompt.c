/* What the model is told: what is fixed stays fixed, what changes is in the turn_meta. */
#include "agent/agent.h"
#include "base/base.h"
#include "support/test.h"

static const struct sf_scope_set scopes = { NULL, 0, true };

static const struct {
    const char *name;
    struct sf_prompt_facts facts;
    const char *says, *silent;
} prompts[] = {
    { "the workspace",
      { .workspace = "/w", .platform = "Linux" },
      "Workspace: /w (no git",
      "sub-agent" },
    { "git",
      { .workspace = "/w", .platform = "Linux", .git = true },
      "(a git work tree)",
      "Nobody is" },
    { "headless",
      { .workspace = "/w", .platform = "Linux", .headless = true },
      "Nobody is watching",
      "sub-agent" },
    { "a sub-agent",
      { .workspace = "/w", .platform = "L", .depth = 1 },
      "You are a sub-agent",
      "Nobody is" },
    { "patches",
      { .workspace = "/w", .platform = "L", .patches = true },
      "ApplyPatch changes",
      "Edit replaces" },
    { "edits", { .workspace = "/w", .platform = "L" }, "Edit replaces", "ApplyPatch" },
    { "instructions",
      { .workspace = "/w", .platform = "L", .instructions = "## AGENTS.md\nuse tabs\n" },
      "use tabs",
      "Nobody" },
    { "appended",
      { .workspace = "/w", .platform = "L", .append = "be kind" },
      "be kind",
      "Nobody" },
};

static void test_system(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(prompts); i++) {
        struct sf_strbuf text = SF_STRBUF_INIT;

        sf_prompt_system(&prompts[i].facts, &text);
        if (!strstr(text.buf, prompts[i].says) || strstr(text.buf, prompts[i].silent))
            fail_msg("%s:\n%s", prompts[i].name, text.buf);
        sf_strbuf_release(&text);
    }
}

static void test_turn_meta(void **state)
{
    struct sf_mode_state s;
    struct sf_turn_facts facts = { .date = "2026-11-16 Monday",
                                   .state = &s,
                                   .scopes = &scopes,
                                   .model = "m-1",
                                   .routed = true,
                                   .goal = "ship it",
                                   .cwd = "src" };
    struct sf_strbuf text = SF_STRBUF_INIT;

    (void)state;
    sf_mode_state_init(&s, SF_SURFACE_HEADLESS);
    s.work = SF_WORK_BUILD;
    sf_mode_state_set_scope(&s, "test");
    sf_prompt_turn_meta(&facts, &text);
    assert_string_equal(
        text.buf,
        "<turn_meta>\ndate: 2026-11-16 Monday\naxes: build | manual | normal | smart\n"
        "work mode build: Implement what was asked, with tests, and verify it.\n"
        "run control manual: The user approves each step that has an effect.\n"
        "scope: test (writable: tests/, test/, spec/) Write tests for expected behavior, not current "
        "behavior.\n"
        "model: m-1 (chosen for this turn)\nshell directory: src\ngoal: ship it\n</turn_meta>");
    sf_strbuf_release(&text);
}

/* Every work mode and run control has its sentence. */
static void test_all_modes(void **state)
{
    (void)state;
    for (int work = 0; sf_work_mode_names[work]; work++)
        for (int control = 0; sf_run_control_names[control]; control++) {
            struct sf_mode_state s;
            struct sf_turn_facts facts = {
                .date = "d", .state = &s, .scopes = &scopes, .model = "m"
            };
            struct sf_strbuf text = SF_STRBUF_INIT;

            sf_mode_state_init(&s, SF_SURFACE_TUI);
            s.work = (enum sf_work_mode)work;
            s.control = (enum sf_run_control)control;
            sf_prompt_turn_meta(&facts, &text);
            assert_null(strstr(text.buf, "(null)"));
            assert_non_null(strstr(text.buf, sf_work_mode_names[work]));
            sf_strbuf_release(&text);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_system),
        cmocka_unit_test(test_turn_meta),
        cmocka_unit_test(test_all_modes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
