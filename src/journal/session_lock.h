/*
 * session_lock: one process at a time owns a session. The kernel drops the lock when its owner
 * ends, however that happens; the lock file names the owner, for messages of other processes.
 */
#ifndef SF_JOURNAL_SESSION_LOCK_H
#define SF_JOURNAL_SESSION_LOCK_H

#include "base/base.h"
#include "io/io.h"

char *sf_session_lock_path(const char *state_dir, const char *id); /* owned by the caller */

/* Takes the lock and writes our name into it. SF_E_BUSY with a message that names the owner. */
bool sf_session_lock_take(const char *state_dir, const char *id, struct sf_lock *lock,
                          struct sf_error *err) SF_MUST_CHECK;

/* Whether a process holds the lock at this moment. */
bool sf_session_lock_is_held(const char *state_dir, const char *id);

#endif
