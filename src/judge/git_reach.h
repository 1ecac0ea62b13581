/*
 * git_reach: which repositories a git command comes to, what their settings make it run, and whether
 * their data lies outside the workspace. From a
 * directory git climbs to the next repository, and enters those that its index has as entries; a
 * command that says nothing of its directory may come to any repository of the workspace. Looked up
 * for each call, since a command before it may have made another one. Life: sf_git_reach_new, use,
 * sf_git_reach_free.
 */
#ifndef SF_JUDGE_GIT_REACH_H
#define SF_JUDGE_GIT_REACH_H

#include <stdbool.h>

#include "judge/git_config.h"

struct sf_git_reach;

/* `root` is real, `home` may be NULL; both are borrowed and must outlive it. */
struct sf_git_reach *sf_git_reach_new(const char *root, const char *home);
void sf_git_reach_free(struct sf_git_reach *reach); /* NULL is welcome */

/*
 * Adds what the repositories say that git comes to from an absolute path: a directory, or what an
 * option names as git's own. False: nothing is there.
 */
bool sf_git_reach_from(struct sf_git_reach *reach, const char *path,
                       struct sf_git_helpers *helpers);

/* The same of all repositories of the workspace. */
void sf_git_reach_all(struct sf_git_reach *reach, struct sf_git_helpers *helpers);

/* Whether the directory is the top of a repository. */
bool sf_git_reach_is_top(const char *dir);

#endif
