/*
 * spent: what a session used so far. The rows of usage are the account; an event `spent` in the log
 * of a long session holds their sum up to one of them, so that opening it adds up only the rest.
 */
#ifndef SF_SESSION_SPENT_H
#define SF_SESSION_SPENT_H

#include <stdbool.h>

#include "base/base.h"
#include "store/store.h"

#define SF_LOGGED_SPENT "spent"

/* The same numbers as those of all rows, see sf_store_spent. */
bool sf_spent_read(struct sf_store *store, const char *session, struct sf_spent *out,
                   struct sf_error *err) SF_MUST_CHECK;

/* Between turns: writes the sum down if many rows came since the last time. */
bool sf_spent_keep(struct sf_store *store, const char *session, const char *surface,
                   struct sf_error *err) SF_MUST_CHECK;

#endif
