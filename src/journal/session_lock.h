/*
 * session_lock: one process at a time talks in a session. Its lock goes with its holder, however that one
 * ends; the file says who it is, so that others can be told.
 */
#ifndef SF_JOURNAL_SESSION_LOCK_H
#define SF_JOURNAL_SESSION_LOCK_H

#include "base/base.h"
#include "io/io.h"

char *sf_session_lock_path(const char *state_dir, const char *id); /* owned by the caller */

/* Takes the session and signs for it. SF_E_BUSY, in words that name the holder: somebody has it. */
bool sf_session_lock_take(const char *state_dir, const char *id, struct sf_lock *lock,
                          struct sf_error *err) SF_MUST_CHECK;

/* Whether somebody has it, at this moment. */
bool sf_session_lock_is_held(const char *state_dir, const char *id);

#endif
