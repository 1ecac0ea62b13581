/*
 * seen: the files that a session has read, as they were then. Edit checks whether a file is still
 * the one that was seen, Write whether all of it was seen, and Read whether the same lines have
 * been shown already. Entries are identified by real path (below the workspace, or absolute). Safe
 * to use from several threads. Limited: when full it forgets everything, which costs only a Read.
 */
#ifndef SF_TOOLS_SEEN_H
#define SF_TOOLS_SEEN_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/call.h"

enum { SF_SEEN_MAX = 10000 };

struct sf_seen_files;

struct sf_seen_files *sf_seen_new(void);
void sf_seen_free(struct sf_seen_files *files); /* NULL is welcome */

/* How much was seen of a file that now has this digest. */
enum sf_seen_state {
    SF_SEEN_NEVER,
    SF_SEEN_STALE, /* the file has changed since */
    SF_SEEN_PART,
    SF_SEEN_WHOLE,
};
enum sf_seen_state sf_seen_state(struct sf_seen_files *files, const char *path,
                                 const unsigned char *digest);

/* Replaces the entry. A file that was seen whole and has not changed stays seen whole. */
void sf_seen_put(struct sf_seen_files *files, const struct sf_file_seen *seen);

/*
 * The same from a place, and also added to the call's result, for the log. The returned entry is
 * borrowed from the call.
 */
struct sf_file_seen *sf_seen_note(struct sf_seen_files *files, struct sf_tool_call *call,
                                  const struct sf_place *place, const unsigned char *digest,
                                  bool whole);
void sf_seen_drop(struct sf_seen_files *files, const char *path);

/*
 * Notes that lines `first` to `last` of `total` were shown; a file that was shown piece by piece
 * from its beginning has been seen whole in the end. True if that is so now.
 */
struct sf_seen_lines {
    int64_t first, last, total;
};
bool sf_seen_shown(struct sf_seen_files *files, const char *path, struct sf_seen_lines lines);

/*
 * Whether the last request for the file had the same offset and limit, and the digest is the same.
 * The request is then forgotten, so that asking again shows the lines.
 */
struct sf_seen_request {
    int64_t offset, limit;
};
bool sf_seen_repeated(struct sf_seen_files *files, const char *path, const unsigned char *digest,
                      struct sf_seen_request request);
void sf_seen_requested(struct sf_seen_files *files, const char *path,
                       struct sf_seen_request request);

/* Restores an entry of an earlier process, with the lines that had been shown. */
void sf_seen_restore(struct sf_seen_files *files, const struct sf_file_seen *seen);

/* The conversation was summarised: nothing counts as shown already. */
void sf_seen_forget_requests(struct sf_seen_files *files);

#endif
