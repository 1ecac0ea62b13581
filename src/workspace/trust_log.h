/*
 * trust_log: trust in a workspace, given and taken on the record. Trust that cannot be written in the
 * project's log is not given; taking it away works even when the log does not.
 */
#ifndef SF_WORKSPACE_TRUST_LOG_H
#define SF_WORKSPACE_TRUST_LOG_H

#include <stdbool.h>

#include "base/base.h"
#include "modes/modes.h"
#include "store/store.h"

/* `digest` is of the policy files as the user saw them, see config/trust.h; NULL: as they are. */
bool sf_trust_log_give(struct sf_store *store, enum sf_surface surface, const char *root,
                       const char *digest, struct sf_error *err) SF_MUST_CHECK;

/* `store` may be NULL. False with SF_E_NOENT when it was not trusted. */
bool sf_trust_log_take(struct sf_store *store, enum sf_surface surface, const char *root,
                       struct sf_error *err) SF_MUST_CHECK;

#endif
