/*
 * git_config: whether a repository's own git settings make plain reads run programs. A cloned
 * repository has no such settings, but one that was unpacked or tampered with may: an external
 * diff, a text conversion, a filter, an alias that hides another command. Then git's reads are
 * judged as running programs. The user's own settings, outside the repository, are trusted.
 */
#ifndef SF_JUDGE_GIT_CONFIG_H
#define SF_JUDGE_GIT_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

/* Checks the text of one settings file. Text that is not clearly understood counts as yes. */
bool sf_gitconfig_runs(const char *text, size_t len);

/* Checks the config and config.worktree of the repository of the workspace. */
bool sf_gitconfig_repository_runs(const char *workspace);

#endif
