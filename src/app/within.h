/*
 * within: a path as the user typed it, turned into one below the workspace.
 */
#ifndef SF_APP_WITHIN_H
#define SF_APP_WITHIN_H

#include <stdbool.h>

#include "base/base.h"

/*
 * `given` is absolute or starts from `start` (NULL: the current directory). Directories on the way
 * may be missing, and symlinks among them are followed; the last name is not. Appends the path
 * below `root`, which is resolved already; "." for the root itself.
 */
bool sf_within(const char *root, const char *start, const char *given, struct sf_strbuf *out,
               struct sf_error *err) SF_MUST_CHECK;

/*
 * Where the user stands, below `root`: the directory `start` (NULL: the current one). "" for the
 * root, and for a directory that is gone. The caller frees it.
 */
char *sf_within_stand(const char *root, const char *start);

#endif
