/*
 * restored: files that went back, as the log has it. What people read when it happens, they read
 * again whenever the conversation is shown.
 */
#ifndef SF_JOURNAL_RESTORED_H
#define SF_JOURNAL_RESTORED_H

#include <stdbool.h>

#include "base/base.h"
#include "snap/snap.h"
#include "store/store.h"

/* "files are as they were: 1 added, 0 changed, 2 removed", and what is not, a line each. */
void sf_restored_say(const struct sf_snap_tally *tally, const struct sf_strlist *kept,
                     const struct sf_strlist *lost, struct sf_strbuf *out);

/* The same of an event of kind SF_LOG_RESTORE; false: it is nobody's but the model's. */
bool sf_restored_add(const struct sf_json *event, struct sf_strbuf *out);

/*
 * Appends which files went back since the last words of the session, in the worktree with this real
 * path: what the model has to be told. Nothing before the first words.
 */
bool sf_restored_find(struct sf_store *store, const char *session, const char *worktree,
                      struct sf_strbuf *out, struct sf_error *err) SF_MUST_CHECK;

#endif
