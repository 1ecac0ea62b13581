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
    { "another role",
      { .workspace = "/w", .platform = "Linux", .role = "Be a pirate." },
      "Be a pirate.\n",
      "You are the agent inside sf" },
    { "another role, the same rules",
      { .workspace = "/w", .platform = "Linux", .role = "Be a pirate." },
      "Each call is judged before it runs",
      "# How to work" },
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
                                   .stand = "src",
                                   .cwd = "src/sub" };
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
        "model: m-1 (chosen for this turn)\nworking directory: src\nshell directory: src/sub\n"
        "goal: ship it\n</turn_meta>");
    sf_strbuf_release(&text);
}

/* The words behind `label NAME: ` in what the model is told for these axes; owned. */
static char *sentence(int work, int control, const char *label, const char *name)
{
    struct sf_mode_state s;
    struct sf_turn_facts facts = { .date = "d", .state = &s, .scopes = &scopes, .model = "m" };
    struct sf_strbuf text = SF_STRBUF_INIT, line = SF_STRBUF_INIT;
    const char *at;
    char *words;

    sf_mode_state_init(&s, SF_SURFACE_TUI);
    s.work = (enum sf_work_mode)work;
    s.control = (enum sf_run_control)control;
    sf_prompt_turn_meta(&facts, &text);
    sf_strbuf_addf(&line, "\n%s %s: ", label, name);
    at = strstr(text.buf, line.buf);
    words = at ? sf_strndup(at + line.len, strcspn(at + line.len, "\n")) : NULL;
    if (!words)
        fail_msg("no '%s %s' in:\n%s", label, name, text.buf);
    sf_strbuf_release(&line);
    sf_strbuf_release(&text);
    return words;
}

/* A sentence has several words, an end, and belongs to one name alone. */
static void check_sentence(struct sf_strlist *seen, char *words, const char *name)
{
    size_t len = strlen(words);

    if (!strchr(words, ' ') || words[len - 1] != '.' || strstr(words, "(null)"))
        fail_msg("%s: '%s' is no sentence", name, words);
    if (sf_strlist_has(seen, words))
        fail_msg("%s: another one is told '%s' too", name, words);
    sf_strlist_adopt(seen, words);
}

/* Every work mode and every run control has a sentence of its own, whatever the other axis says. */
static void test_all_modes(void **state)
{
    (void)state;
    for (int control = 0; sf_run_control_names[control]; control++) {
        struct sf_strlist seen = SF_STRLIST_INIT;

        for (int work = 0; sf_work_mode_names[work]; work++)
            check_sentence(&seen, sentence(work, control, "work mode", sf_work_mode_names[work]),
                           sf_work_mode_names[work]);
        sf_strlist_release(&seen);
    }
    for (int work = 0; sf_work_mode_names[work]; work++) {
        struct sf_strlist seen = SF_STRLIST_INIT;

        for (int control = 0; sf_run_control_names[control]; control++)
            check_sentence(&seen,
                           sentence(work, control, "run control", sf_run_control_names[control]),
                           sf_run_control_names[control]);
        sf_strlist_release(&seen);
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
