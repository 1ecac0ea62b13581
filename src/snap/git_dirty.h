/*
 * git_dirty: whether tracked files differ from the last commit, as `git describe --dirty` says it,
 * found without git and without anything the repository configures: no hook, filter or monitor
 * runs. Files that git does not track do not count.
 *
 * It blocks, so it runs on a worker. Time and bytes are limited; a repository that is too large for
 * them, or that has something not understood here, is SF_DIRTY_UNKNOWN, never a guess. A file that
 * a filter of the repository rewrites counts as changed once it was touched.
 */
#ifndef SF_SNAP_GIT_DIRTY_H
#define SF_SNAP_GIT_DIRTY_H

#include <stdatomic.h>
#include <stdbool.h>

enum sf_dirty { SF_DIRTY_UNKNOWN, SF_DIRTY_NO, SF_DIRTY_YES };

enum sf_dirty sf_git_dirty(const char *root, const atomic_bool *cancel);

#endif
