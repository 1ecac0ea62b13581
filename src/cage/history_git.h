/*
 * history_git: what git itself says of a repository, where that is not written in one file;
 * internal to the room. Git is run outside of any cage, but runs no program of the repository's and
 * talks to nobody.
 */
#ifndef SF_CAGE_HISTORY_GIT_H
#define SF_CAGE_HISTORY_GIT_H

#include <stdbool.h>

/* Whether everything is there that references and logs reach. False also when git cannot tell. */
bool sf_git_history_is_whole(const char *git_dir);

/* Whether a reference reaches the commit of this name. False also when git cannot tell. */
bool sf_git_history_is_reached(const char *git_dir, const char *commit);

#endif
