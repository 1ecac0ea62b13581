/*
 * within: a path as somebody typed it, as one below the workspace.
 */
#ifndef SF_APP_WITHIN_H
#define SF_APP_WITHIN_H

#include <stdbool.h>

#include "base/base.h"

/*
 * `given` is absolute or starts from `start` (NULL: the current directory); directories on the
 * way may be gone, and links among them are followed, but the last name is not. Appends what it
 * is below `root`, which is real; "." for the root itself.
 */
bool sf_within(const char *root, const char *start, const char *given, struct sf_strbuf *out,
               struct sf_error *err) SF_MUST_CHECK;

#endif
