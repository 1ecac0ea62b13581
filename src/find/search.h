/*
 * search: the Grep tool's engine. A pattern in every file the walk finds, answered as one text in
 * the order of paths, whatever the threads did:
 *
 *     FILES    path                       one line a file that matches
 *     CONTENT  path:12:text               lines, with context as path-11-text and "--"
 *     COUNT    path:3                     matching lines (matches, with multiline) a file
 *
 * `offset` and `head_limit` cut that text by lines, as "tail -n +N | head -N" would. Everything
 * is searched to the end nevertheless, so the totals are true. Paths are below the root, or as seen
 * from `stand`; text is given back as bytes: whoever shows it makes it safe.
 *
 * The call blocks; run it on a worker and set `walk.cancel` to end it.
 */
#ifndef SF_FIND_SEARCH_H
#define SF_FIND_SEARCH_H

#include "base/base.h"
#include "find/pattern.h"
#include "find/walk.h"

enum sf_search_mode { SF_SEARCH_FILES, SF_SEARCH_CONTENT, SF_SEARCH_COUNT };

enum {
    SF_SEARCH_COLUMNS = 500,               /* bytes of a line that are shown */
    SF_SEARCH_FILE_MAX = 32 * 1024 * 1024, /* larger files are not searched */
    SF_SEARCH_BYTES_MAX = 4 * 1024 * 1024, /* of the answer */
    SF_SEARCH_SKIP_MAX = 32 * 1024 * 1024, /* bytes `offset` may pass over */
    SF_SEARCH_CONTEXT_MAX = 1000,          /* lines around a match */
    SF_SEARCH_FAILURES_MAX = 200,          /* files a pattern may fail on before it is given up */
};

/* Everything is borrowed for the call. A 0 in the last five is the default above, or no limit. */
struct sf_search_request {
    struct sf_walk_request walk; /* where, and by its filter in which files */
    const char *stand; /* paths are shown from this directory below the root; NULL: from the root */
    const char *pattern;
    struct sf_pattern_options options;
    enum sf_search_mode mode;
    size_t before, after; /* lines around a match, in CONTENT */
    size_t offset, head_limit;
    size_t columns_max, file_max, bytes_max;
};

struct sf_search_result {
    struct sf_strbuf text;
    size_t lines;            /* in the text */
    bool truncated;          /* there is more behind it */
    uint64_t files, matches; /* that match, in all; in FILES a file counts as one match */
    uint64_t searched;       /* files looked into */
    uint64_t binary, large, unreadable; /* files passed over, and why */
    uint64_t failed;                    /* files the pattern was too hard for; the first: */
    struct sf_error problem;
    struct sf_walk_tally tally;
};

/*
 * False, with nothing to release, for a pattern that is none, a start that is not there, a
 * cancelled search, and a pattern that is too hard for so many files or for the only ones that
 * might match.
 */
bool sf_search(const struct sf_search_request *request, struct sf_search_result *result,
               struct sf_error *err) SF_MUST_CHECK;
void sf_search_release(struct sf_search_result *result);

#endif
