/*
 * workspace: where sf works. The root is the git work tree that contains the starting directory, or
 * that directory itself; the search upwards stops below the home directory and /. The project is
 * identified by the real path of the main work tree, so that linked worktrees share one store; a
 * .git file is trusted only if the repository it names lists that worktree.
 */
#ifndef SF_CONFIG_WORKSPACE_H
#define SF_CONFIG_WORKSPACE_H

#include <stdbool.h>

#include "base/base.h"

struct sf_workspace {
    char *root;    /* real path; tools work below it, and .sf/ is in it */
    char *project; /* real path of the main work tree, usually the same */
};

bool sf_workspace_find(const char *start, struct sf_workspace *out, struct sf_error *err);
void sf_workspace_release(struct sf_workspace *workspace);

/* The project's directory below the state directory: projects/NAME-HASH. Owned by the caller. */
char *sf_workspace_state_dir(const struct sf_workspace *workspace, struct sf_error *err);

#endif
