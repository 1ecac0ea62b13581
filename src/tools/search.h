/*
 * search: where the searching tools look. Inside the workspace a search starts at its root's
 * handle and goes down to the real path that was judged, so that ignore files on the way count;
 * outside it starts at the held directory itself. Files that may hold secrets are left out by
 * the path rules, and counted; only one that was asked for by name, and judged so, is looked
 * into.
 */
#ifndef SF_TOOLS_SEARCH_H
#define SF_TOOLS_SEARCH_H

#include <stdbool.h>

#include "base/base.h"
#include "find/find.h"
#include "tools/box.h"

/* Borrows from the place. */
struct sf_search_ground {
    const struct sf_path_places *places;
    const struct sf_place *place;
    int root;
    const char *start; /* below it */
    int64_t within_ms;
    int64_t (*clock_ms)(void);
};

/* Adds the target: the argument `path`, or the workspace. */
bool sf_search_describe(struct sf_tool_call *call, struct sf_error *err) SF_MUST_CHECK;

/* False: nothing is there, and the call has failed. */
bool sf_search_ground(struct sf_search_ground *policy, struct sf_toolbox *box,
                      struct sf_tool_call *call) SF_MUST_CHECK;

/*
 * A pattern for files as it is compared with paths below the place searched: one that begins with
 * the place's own path, as models like to write it, loses that. Borrowed from `pattern`, which may
 * be NULL.
 */
const char *sf_search_pattern(const struct sf_search_ground *policy, const char *pattern);

/* Says so of a pattern that begins at the top and found nothing. */
void sf_search_add_rooted(const char *pattern, struct sf_tool_call *call);

/* True for what may hold secrets; a sf_walk_veto_fn whose ctx is the ground. */
bool sf_search_veto(void *ctx, const char *path, bool dir);

/* Says so when the time was over before the tree was. */
void sf_search_add_late(const struct sf_search_ground *policy, const struct sf_walk_tally *tally,
                        struct sf_tool_call *call);

/* Where the paths of the answer begin, when that is not the workspace. */
void sf_search_add_base(const struct sf_search_ground *policy, struct sf_tool_call *call);

#endif
