/*
 * history_git: what git itself says of a repository, where that is not written in one file;
 * internal to the room. Git is run outside of any cage, but runs no program of the repository's and
 * talks to nobody.
 */
#ifndef SF_CAGE_HISTORY_GIT_H
#define SF_CAGE_HISTORY_GIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* All questions after one command: together they are not waited for long. */
struct sf_git_asking {
    const atomic_bool *hurry; /* true: git is not waited for any more; or NULL */
    int64_t until_ms;         /* monotonic; 0: nothing was asked yet */
};

/* Blocks. Whether everything is there that references and logs reach; false: not, or unknown. */
bool sf_git_history_is_whole(struct sf_git_asking *asking, const char *git_dir);

#endif
