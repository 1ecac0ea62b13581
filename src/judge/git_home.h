/*
 * git_home: whether the data of a repository in the workspace lies in the workspace too. A file
 * called .git, a link, "commondir" and "alternates" may each lead git to another repository, whose
 * content a command then reads without naming it. A linked worktree and a submodule look the same,
 * but the other side names them: that is outside the workspace, where no project could write it.
 */
#ifndef SF_JUDGE_GIT_HOME_H
#define SF_JUDGE_GIT_HOME_H

#include <stddef.h>

/* How many entries of directories may be looked at for one question, whatever it leads to. */
enum { SF_GIT_HOME_ENTRIES = 100000 };

/*
 * The first place outside `root`, which is real, that git reads data from when it is led by `dot`:
 * the absolute path of what is called .git, or of a git directory. NULL: there is none, or it knows
 * this worktree. Owned by the caller. `left` begins at SF_GIT_HOME_ENTRIES and counts down, also over
 * several repositories; a directory for which it is too small counts as such a place.
 */
char *sf_git_home_away(const char *root, const char *dot, size_t *left);

#endif
