/*
 * git_config: whether a repository's own git settings make plain reads run programs. A cloned
 * repository brings none, but one that was unpacked, or tampered with, may: an external diff, a
 * text conversion, a filter, an alias that hides another command. Then git's reads are judged as
 * what they are. The user's own settings, outside the repository, are the user's business.
 */
#ifndef SF_JUDGE_GIT_CONFIG_H
#define SF_JUDGE_GIT_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

/* Of the text of one settings file. What cannot be read for sure counts as yes. */
bool sf_gitconfig_runs(const char *text, size_t len);

/* Of the repository around the workspace: its config and config.worktree. */
bool sf_gitconfig_repository_runs(const char *workspace);

#endif
