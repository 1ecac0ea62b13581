/*
 * files: the names of files, for the Glob tool and for choosing a file. Everything the walk's
 * filter lets pass is found and counted; a page of it is given back, in an order that is always
 * the same. Life: sf_files_find, read, sf_files_release.
 */
#ifndef SF_FIND_FILES_H
#define SF_FIND_FILES_H

#include "base/base.h"
#include "find/hits.h"
#include "find/walk.h"

enum { SF_FILES_MAX = 200000 }; /* of offset and limit together */

enum sf_files_order {
    SF_FILES_BY_PATH, /* by bytes */
    SF_FILES_NEWEST,  /* by time of change, then by path */
};

struct sf_files_request {
    struct sf_walk_request walk; /* its filter says which; the rest as there */
    enum sf_files_order order;
    size_t limit, offset; /* limit 0: SF_FILES_MAX */
};

struct sf_files_result {
    struct sf_hits hits; /* from `first` on; path below the root, rank (ns), size */
    size_t first, count; /* the page within hits.items */
    uint64_t total;      /* files there are */
    bool truncated;      /* there are more behind the page */
    struct sf_walk_tally tally;
};

/* On failure there is nothing to release. Sizes and times are looked up by SF_FILES_NEWEST. */
bool sf_files_find(const struct sf_files_request *request, struct sf_files_result *result,
                   struct sf_error *err) SF_MUST_CHECK;
void sf_files_release(struct sf_files_result *result);

#endif
