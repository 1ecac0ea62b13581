/*
 * usage_totals: the usage of a session so far. The rows of usage are authoritative; an event
 * `spent` in the log of a long session holds their sum up to one row, so that opening the session
 * adds only the rest.
 */
#ifndef SF_JOURNAL_USAGE_TOTALS_H
#define SF_JOURNAL_USAGE_TOTALS_H

#include <stdbool.h>

#include "base/base.h"
#include "store/store.h"

/* Yields the same numbers as adding all rows, see sf_store_usage_totals. */
bool sf_usage_totals_read(struct sf_store *store, const char *session, struct sf_usage_totals *out,
                          struct sf_error *err) SF_MUST_CHECK;

/* Writes a subtotal if many rows were added since the last one. Called between turns. */
bool sf_usage_totals_keep(struct sf_store *store, const char *session, const char *surface,
                          struct sf_error *err) SF_MUST_CHECK;

#endif
