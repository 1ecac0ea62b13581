/*
 * log_start: finds where reading a session's log has to begin. A summary replaces what came before
 * it, so a long log is read from a little before its last summary; that yields the same history as
 * reading all of it.
 */
#ifndef SF_JOURNAL_LOG_START_H
#define SF_JOURNAL_LOG_START_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"
#include "store/store.h"

/* The number of the first event needed for the history at event `upto`; 1: all events. */
bool sf_log_start(struct sf_store *store, const char *session, int64_t upto, int64_t *first,
                  struct sf_error *err) SF_MUST_CHECK;

#endif
