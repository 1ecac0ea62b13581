/*
 * shell: the state behind the Bash tools: the directory commands start in, their environment,
 * and the jobs that go on in the background. On the loop only.
 */
#ifndef SF_TOOLS_SHELL_H
#define SF_TOOLS_SHELL_H

#include "base/base.h"
#include "io/io.h"
#include "tools/toolbox.h"

struct sf_shell_state;

struct sf_shell_state *sf_shell_new(const struct sf_toolbox_setup *setup);
void sf_shell_free(struct sf_shell_state *shell); /* ends the background jobs and waits for them */

const char *sf_shell_cwd(const struct sf_shell_state *shell);
void sf_shell_set_cwd(struct sf_shell_state *shell, const char *dir);

#endif
