/*
 * usage_totals: what a session used so far. The rows of usage are the account; an event `spent` in the log
 * of a long session holds their sum up to one of them, so that opening it adds up only the rest.
 */
#ifndef SF_JOURNAL_USAGE_TOTALS_H
#define SF_JOURNAL_USAGE_TOTALS_H

#include <stdbool.h>

#include "base/base.h"
#include "store/store.h"

#define SF_LOG_USAGE_TOTALS "spent"

/* The same numbers as those of all rows, see sf_store_usage_totals. */
bool sf_usage_totals_read(struct sf_store *store, const char *session, struct sf_usage_totals *out,
                          struct sf_error *err) SF_MUST_CHECK;

/* Between turns: writes the sum down if many rows came since the last time. */
bool sf_usage_totals_keep(struct sf_store *store, const char *session, const char *surface,
                          struct sf_error *err) SF_MUST_CHECK;

#endif
