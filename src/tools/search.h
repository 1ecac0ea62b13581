/*
 * search: where the search tools look. Inside the workspace a search starts at the root's handle
 * and walks down to the real path that was judged, so that ignore files on the way apply; outside
 * it starts at the held directory itself. Files that may contain secrets are left out by the path
 * rules, and counted; such a file is searched only if the call named it and was allowed.
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
    const char *stand; /* below it too: where the results are seen from */
    int64_t within_ms;
    bool by_name; /* not the newest first */
    int64_t (*clock_ms)(void);
};

/* Adds the target: the argument `path`, or the directory where sf was started. */
bool sf_search_describe(struct sf_tool_call *call, struct sf_error *err) SF_MUST_CHECK;

/* False: the path does not exist, and the call has failed. */
bool sf_search_ground(struct sf_search_ground *policy, struct sf_toolbox *box,
                      struct sf_tool_call *call) SF_MUST_CHECK;

/*
 * The pattern to compare with paths below the searched directory: if it begins with the path of
 * that directory, as models often write it, that part is removed. Borrowed from `pattern`, which
 * may be NULL.
 */
const char *sf_search_pattern(const struct sf_search_ground *policy, const char *pattern);

/* Adds a remark about a pattern that begins with a slash and found nothing. */
void sf_search_add_rooted(const char *pattern, struct sf_tool_call *call);

/* True for files that may contain secrets; a sf_walk_veto_fn whose ctx is a sf_search_ground. */
bool sf_search_veto(void *ctx, const char *path, bool dir);

/* Adds a remark if the time was up before the whole tree was searched. */
void sf_search_add_late(const struct sf_search_ground *policy, const struct sf_walk_tally *tally,
                        struct sf_tool_call *call);

/* Says to which directory the paths of the result are relative, if not the workspace. */
void sf_search_add_base(const struct sf_search_ground *policy, struct sf_tool_call *call);

#endif
