/*
 * shell: the state behind the Bash tools: the directory commands start in, their environment,
 * and the jobs that go on in the background. On the loop only.
 *
 * The directory is remembered below the workspace and looked at again before each command: one
 * that is gone, or that leads elsewhere by now, is given up for the workspace's root.
 */
#ifndef SF_TOOLS_SHELL_H
#define SF_TOOLS_SHELL_H

#include "base/base.h"
#include "io/io.h"
#include "tools/jobs.h"
#include "tools/toolbox.h"

struct sf_shell_state;

struct sf_shell_state *sf_shell_new(const struct sf_toolbox_setup *setup);

/* Ends the background jobs and waits for them, by turns of the loop: not from its callbacks. */
void sf_shell_free(struct sf_shell_state *shell);

/* Below the workspace; "" is its root. Bytes as the system has them, also newlines. */
const char *sf_shell_cwd(const struct sf_shell_state *shell);
void sf_shell_set_cwd(struct sf_shell_state *shell, const char *dir);

/* For the Bash tools. */
struct sf_jobs *sf_shell_jobs(const struct sf_shell_state *shell);
const char *sf_shell_program(const struct sf_shell_state *shell);
const char *const *sf_shell_env(const struct sf_shell_state *shell);

/* Where the next command starts, absolute, the caller's; a line in `note` when that changed. */
char *sf_shell_enter(struct sf_shell_state *shell, struct sf_strbuf *note);

/* The directory a command ended in, as its file tells; a line in `note` when it does not last. */
void sf_shell_follow(struct sf_shell_state *shell, const char *report, struct sf_strbuf *note);

/* True when the path is a directory and no part of it is a link. */
bool sf_shell_is_dir(const char *path);

#endif
