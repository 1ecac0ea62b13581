/*
 * nearby: suggests existing names for a path that does not exist.
 */
#ifndef SF_TOOLS_NEARBY_H
#define SF_TOOLS_NEARBY_H

#include "base/base.h"
#include "io/io.h"

/*
 * Makes the error for a file that does not exist: what is missing, and the nearest names in the
 * deepest existing directory, as they are written from `stand`. Outside the workspace no names are
 * revealed.
 */
void sf_nearby_fail(const struct sf_place *place, const char *stand, struct sf_error *err);

#endif
