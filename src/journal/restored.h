/*
 * restored: texts about restored files, made from the log. The user reads the same text when a
 * restore happens and when the conversation is shown again.
 */
#ifndef SF_JOURNAL_RESTORED_H
#define SF_JOURNAL_RESTORED_H

#include <stdbool.h>

#include "base/base.h"
#include "snap/snap.h"
#include "store/store.h"

/* "files are as they were: 1 added, 0 changed, 2 removed", then a line for each exception. */
void sf_restored_say(const struct sf_snap_tally *tally, const struct sf_strlist *kept,
                     const struct sf_strlist *lost, struct sf_strbuf *out);

/* The same from an event of kind SF_LOG_RESTORE; false for a restore by the model. */
bool sf_restored_add(const struct sf_json *event, struct sf_strbuf *out);

/*
 * Appends which files of the worktree were restored since the last prompt of the session, for the
 * model. Appends nothing before the first prompt. `worktree` is a real path.
 */
bool sf_restored_find(struct sf_store *store, const char *session, const char *worktree,
                      struct sf_strbuf *out, struct sf_error *err) SF_MUST_CHECK;

#endif
