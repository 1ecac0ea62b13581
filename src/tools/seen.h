/*
 * seen: the files a session has looked at, as they were then. Editing asks whether a file is
 * still the one that was seen, writing whether all of it was, and Read whether the same lines
 * have been shown already. Entries are known by real path (below the workspace, or absolute).
 * Safe to use from several threads. Bounded: past its ceiling it forgets everything, which costs
 * a Read and no more.
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

/* What is known of a file that now has this digest. */
enum sf_seen_state {
    SF_SEEN_NEVER,
    SF_SEEN_STALE, /* it has changed since */
    SF_SEEN_PART,
    SF_SEEN_WHOLE,
};
enum sf_seen_state sf_seen_state(struct sf_seen_files *files, const char *path,
                                 const unsigned char *digest);

/* Takes the place of what was known. Bytes that were seen whole and have not changed stay so. */
void sf_seen_put(struct sf_seen_files *files, const struct sf_file_seen *seen);

/*
 * The same from a place and into the call's result too, for the log. The entry of the result is
 * borrowed from the call.
 */
struct sf_file_seen *sf_seen_note(struct sf_seen_files *files, struct sf_tool_call *call,
                                  const struct sf_place *place, const unsigned char *digest,
                                  bool whole);
void sf_seen_drop(struct sf_seen_files *files, const char *path);

/*
 * Lines `first` to `last` of `total` were shown, of the bytes with this digest; a file shown
 * piece by piece from its beginning has been seen whole in the end. True when that is so now.
 */
struct sf_seen_lines {
    int64_t first, last, total;
};
bool sf_seen_shown(struct sf_seen_files *files, const char *path, struct sf_seen_lines lines);

/*
 * Whether the last thing shown of the file began at this line with this limit, and the digest
 * is the same. Then that is forgotten: whoever asks a third time really wants to see it.
 */
struct sf_seen_request {
    int64_t offset, limit;
};
bool sf_seen_repeated(struct sf_seen_files *files, const char *path, const unsigned char *digest,
                      struct sf_seen_request request);
void sf_seen_requested(struct sf_seen_files *files, const char *path,
                       struct sf_seen_request request);

/* What a call noted before a restart, with the lines it had shown. */
void sf_seen_restore(struct sf_seen_files *files, const struct sf_file_seen *seen);

/* The model's memory was shortened: nothing counts as shown already. */
void sf_seen_forget_requests(struct sf_seen_files *files);

#endif
