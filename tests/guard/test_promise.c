/*
 * What the question about a change of mode promises, compared with what the engine answers to real
 * commands in every state: nothing is said to run unasked that is not, and nothing is left out.
 */
#include <string.h>

#include "base/base.h"
#include "guard/guard.h"
#include "modes/modes.h"
#include "support/test.h"

static const struct {
    enum sf_row row;
    const char *command; /* NULL: a file tool */
    const char *path;
    enum sf_path_zone zone;
    bool writes;
} samples[] = {
    { SF_ROW_READ_INSIDE, NULL, "src/a.c", SF_PATH_INSIDE, false },
    { SF_ROW_READ_OUTSIDE, NULL, "/etc/hosts", SF_PATH_OUTSIDE, false },
    { SF_ROW_EDIT, NULL, "src/a.c", SF_PATH_INSIDE, true },
    { SF_ROW_WRITE_OUTSIDE, NULL, "/opt/x", SF_PATH_OUTSIDE, true },
    { SF_ROW_COMMAND_READ, "ls -l", NULL, SF_PATH_INSIDE, false },
    { SF_ROW_COMMAND_LOCAL, "mkdir -p build", NULL, SF_PATH_INSIDE, false },
    { SF_ROW_COMMAND_BUILD, "make test", NULL, SF_PATH_INSIDE, false },
    { SF_ROW_UNKNOWN_CAGED, "frobnicate", NULL, SF_PATH_INSIDE, false },
    { SF_ROW_NETWORK_READ, "curl https://example.org/a", NULL, SF_PATH_INSIDE, false },
    { SF_ROW_NETWORK_WRITE, "git push origin main", NULL, SF_PATH_INSIDE, false },
    { SF_ROW_DESTRUCTIVE, "rm -rf build", NULL, SF_PATH_INSIDE, false },
};

static struct sf_shell_report reports[SF_COUNT(samples)];

static int setup(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(samples); i++)
        if (samples[i].command)
            sf_shell_classify(samples[i].command, strlen(samples[i].command), &reports[i]);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(samples); i++)
        if (samples[i].command)
            sf_shell_report_release(&reports[i]);
    return 0;
}

static enum sf_answer judge(size_t i, const struct sf_mode_state *state,
                            enum sf_approval_mode approval)
{
    const struct sf_scope_set set = { NULL, 0, true };
    const struct sf_action_path path = { .path = samples[i].path,
                                         .zone = samples[i].zone,
                                         .outside = samples[i].zone == SF_PATH_OUTSIDE,
                                         .writes = samples[i].writes,
                                         .rule = "",
                                         .reason = "" };
    const struct sf_action action = { .tool = "Tool",
                                      .act = samples[i].command  ? SF_ACT_SHELL
                                             : samples[i].writes ? SF_ACT_WRITE
                                                                 : SF_ACT_READ,
                                      .shell = samples[i].command ? &reports[i] : NULL,
                                      .command = samples[i].command,
                                      .command_len =
                                          samples[i].command ? strlen(samples[i].command) : 0,
                                      .paths = &path,
                                      .path_count = samples[i].path != NULL,
                                      .caged = true };
    const struct sf_policy policy = { .approval = approval,
                                      .registry.allow_shell = true,
                                      .scope = sf_scope_find(&set, "free"),
                                      .scopes = &set };
    struct sf_verdict verdict;

    sf_guard_verdict(&action, state, &policy, &verdict);
    return verdict.answer;
}

/* Whether the label stands under the heading. */
static bool says(const char *text, const char *heading, const char *label)
{
    const char *from = strstr(text, heading), *end = from ? strstr(from, "\n\n") : NULL, *at;
    char item[128];

    snprintf(item, sizeof(item), " %s", label); /* "non-destructive" is another one */
    at = from ? strstr(from, item) : NULL;
    return at && (!end || at < end);
}

static void check(const struct sf_mode_state *from, const struct sf_mode_state *to,
                  enum sf_approval_mode approval)
{
    const struct sf_promise promise = {
        .from = from, .to = to, .approval = approval, .allow_shell = true, .caged = true
    };
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_promise_add(&promise, &text);
    for (size_t i = 0; i < SF_COUNT(samples); i++) {
        const char *label = sf_matrix[samples[i].row].label;
        enum sf_answer before = judge(i, from, approval), after = judge(i, to, approval);

        if (says(text.buf, "**unasked then:**", label) !=
                (after == SF_ALLOW && before != SF_ALLOW) ||
            says(text.buf, "**asked about instead of refused:**", label) !=
                (after == SF_ASK && before == SF_DENY) ||
            says(text.buf, "**still asked about:**", label) !=
                (after == SF_ASK && before != SF_DENY) ||
            says(text.buf, "**still refused:**", label) != (after == SF_DENY && before == SF_DENY))
            fail_msg("%s: %s, then %s:%s", label, sf_answer_names[before], sf_answer_names[after],
                     text.buf);
    }
    sf_strbuf_release(&text);
}

static void set_state(struct sf_mode_state *state, int n)
{
    sf_mode_state_init(state, SF_SURFACE_TUI);
    state->work = (enum sf_work_mode)(n % 6);
    state->control = (enum sf_run_control)(n / 6 % 3);
    state->profile = (enum sf_profile)(n / 18 % 4);
    state->trust = n / 72 % 2;
}

static void test_every_change(void **unused)
{
    enum { STATES = 6 * 3 * 4 * 2 };

    (void)unused;
    for (int from = 0; from < STATES; from += 5)
        for (int to = 0; to < STATES; to++)
            for (int approval = SF_APPROVAL_NEVER; approval <= SF_APPROVAL_AUTO; approval++) {
                struct sf_mode_state before, after;

                set_state(&before, from);
                set_state(&after, to);
                check(&before, &after, (enum sf_approval_mode)approval);
            }
}

/* What the preset yolo leaves: pushing and destroying are asked about, credentials too. */
static void test_yolo(void **unused)
{
    const struct sf_scope_set set = { NULL, 0, true };
    struct sf_mode_change change = SF_MODE_CHANGE_INIT;
    struct sf_mode_state from, to;
    const struct sf_promise promise = { .from = &from,
                                        .to = &to,
                                        .approval = SF_APPROVAL_SUGGEST,
                                        .allow_shell = true,
                                        .caged = true };
    struct sf_strbuf text = SF_STRBUF_INIT;

    (void)unused;
    sf_mode_state_init(&from, SF_SURFACE_TUI);
    sf_preset_change(sf_preset_find("yolo", NULL), &change);
    to = sf_change_target(&change, &from, &set);
    sf_promise_add(&promise, &text);
    assert_true(says(text.buf, "**still asked about:**", "network write"));
    assert_true(says(text.buf, "**still asked about:**", "destructive"));
    assert_true(says(text.buf, "**still asked about:**", "reading credentials"));
    assert_true(says(text.buf, "**still asked about:**", "note for later sessions"));
    assert_true(says(text.buf, "**unasked then:**", "write outside the workspace"));
    assert_false(says(text.buf, "**unasked then:**", "network write"));
    sf_strbuf_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_change),
        cmocka_unit_test(test_yolo),
    };

    return cmocka_run_group_tests_name("promise", tests, setup, teardown);
}
