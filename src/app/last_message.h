/*
 * last_message: -o FILE: the last answer of a run, in a file of the user's. The file is tried before
 * the run begins, so that no money is spent on an answer that cannot be kept.
 */
#ifndef SF_APP_LAST_MESSAGE_H
#define SF_APP_LAST_MESSAGE_H

#include "base/base.h"
#include "judge/judge.h"

/* Fails if the file could not be written, or is protected: no option changes what steers git. */
bool sf_last_message_check(const char *file, const struct sf_policy_context *policy,
                           struct sf_error *err) SF_MUST_CHECK;

/* Replaces the file by the answer, as a whole or not at all. */
bool sf_last_message_write(const char *file, const struct sf_strbuf *answer,
                           struct sf_error *err) SF_MUST_CHECK;

#endif
