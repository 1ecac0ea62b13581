/*
 * added_dirs: directories outside the workspace that the user added to a session. Files in them are
 * read like those of the workspace, and writing one asks, since no snapshot covers it. Whatever a
 * rule protects stays protected in there, and a link in there that leads elsewhere is judged by
 * where it leads.
 */
#ifndef SF_JUDGE_ADDED_DIRS_H
#define SF_JUDGE_ADDED_DIRS_H

#include <stdbool.h>

#include "base/base.h"

enum { SF_ADDED_DIRS_MAX = 16 };

struct sf_policy_context;

/*
 * The real path of a directory that may be added; owned by the caller. NULL with `err`: the file
 * system's root, directories of the system, a home or what is above it, sf's own directories, what
 * holds or is a store of credentials, or a directory of the workspace.
 */
char *sf_added_dirs_check(const struct sf_policy_context *policy, const char *path,
                          struct sf_error *err);

/* Replaces the list that is in force; real paths. */
void sf_added_dirs_set(struct sf_policy_context *policy, const struct sf_strlist *dirs);

/* Whether a real, absolute path lies in one of them. */
bool sf_added_dirs_have(const struct sf_policy_context *policy, const char *real);

#endif
