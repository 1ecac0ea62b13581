/*
 * judge_case.c: the user's own settings and moved directories stay out of it.
 */
#include "support/judge_case.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/test.h"

struct judge_case *judge_case_new(void)
{
    struct judge_case *c = sf_alloc(sizeof(*c));
    struct sf_error err = SF_ERROR_INIT;
    char *dir = test_dir_new();

    for (size_t i = 0; i < sf_path_move_count; i++)
        unsetenv(sf_path_moves[i].variable);
    c->dir = sf_path_real(dir, &err);
    free(dir);
    c->home = test_path(c->dir, "home");
    c->workspace.root = test_path(c->dir, "work");
    c->workspace.project = sf_strdup(c->workspace.root);
    assert_int_equal(mkdir(c->home, 0700), 0);
    assert_int_equal(mkdir(c->workspace.root, 0700), 0);
    setenv("HOME", c->home, 1);
    c->config = sf_config_new();
    return c;
}

void judge_case_free(struct judge_case *c)
{
    if (c->has_policy)
        sf_policy_context_release(&c->policy);
    sf_config_free(c->config);
    sf_workspace_release(&c->workspace);
    test_dir_free(c->dir);
    free(c->home);
    free(c);
}

void judge_case_link(const struct judge_case *c, const char *name, const char *target)
{
    char *path = test_path(c->workspace.root, name);

    assert_int_equal(symlink(target, path), 0);
    free(path);
}

void judge_case_run(const char *dir, const char *script)
{
    const char *argv[] = { "sh", "-ec", script, NULL };
    struct sf_child_spec spec = { .argv = argv, .cwd = dir, .output_cap = 4096 };
    struct sf_child_result result;
    struct sf_error err = SF_ERROR_INIT;

    assert_true(sf_child_run(&spec, &result, &err));
    if (result.code != 0)
        fail_msg("%s: %s", script, result.output[SF_CHILD_STREAM_ERR].buf);
    sf_child_result_release(&result);
}

void judge_case_begin(struct judge_case *c)
{
    struct sf_error err = SF_ERROR_INIT;

    if (c->has_policy)
        sf_policy_context_release(&c->policy);
    c->has_policy = sf_policy_context_init(&c->policy, c->config, &c->workspace, &err);
    if (!c->has_policy ||
        !sf_policy_context_state(&c->policy, c->config, SF_SURFACE_TUI, &c->state, &err))
        fail_msg("%s", err.msg);
}

void judge_case_command(const struct judge_case *c, const char *command, struct sf_judged *out)
{
    const struct sf_call_asked asked = {
        .tool = "Bash", .act = SF_ACT_SHELL, .command = command, .command_len = strlen(command)
    };
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_judge_call(&c->policy, &asked, &c->state, out, &err))
        fail_msg("%s: %s", command, err.msg);
}
