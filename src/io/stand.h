/*
 * stand: the same path seen from two directories: from the root of the workspace, where paths are
 * judged and shown, and from the directory in which sf was started, where the user and the model
 * stand. Text only: nothing is looked up. The directory is a real path, so its ".." can be resolved
 * in the text; a ".." behind any other name is left for the walk, since that name may be a link.
 */
#ifndef SF_IO_STAND_H
#define SF_IO_STAND_H

#include "base/base.h"

/*
 * A path as given by somebody who stands in `stand` (below the root, "" is the root itself), as a
 * path below `root`: "../lib/./x.c" from "src/app" is "src/lib/x.c". Climbing out of the root
 * begins with "..". An absolute path stays absolute unless it begins with the root. The caller
 * frees it.
 */
char *sf_stand_resolve(const char *root, const char *stand, const char *path);

/* Appends how a path below the root is written from `stand`: "lib/x.c" from "src" is "../lib/x.c". */
void sf_stand_spell(struct sf_strbuf *out, const char *stand, const char *path);

#endif
