/*
 * nearby: names that exist where a path was looked for in vain.
 */
#ifndef SF_TOOLS_NEARBY_H
#define SF_TOOLS_NEARBY_H

#include "base/base.h"
#include "io/io.h"

/*
 * The result of a call whose file is not there, in the words of the error: what is missing, and
 * the nearest names in the deepest directory that exists. Outside of the workspace no names are
 * told.
 */
void sf_nearby_fail(const struct sf_place *place, struct sf_error *err);

#endif
