/*
 * log_start: where a session's log has to be read from to know its history. A summary stands for what
 * came before it, so a long log is read from a little before its last one; what is read from there
 * comes to the same history as reading all of it.
 */
#ifndef SF_JOURNAL_LOG_START_H
#define SF_JOURNAL_LOG_START_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"
#include "store/store.h"

/* The number of the first event that counts for the history at `upto`; 1: all of them. */
bool sf_log_start(struct sf_store *store, const char *session, int64_t upto, int64_t *first,
                  struct sf_error *err) SF_MUST_CHECK;

#endif
