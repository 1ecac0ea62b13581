/*
 * trust_log: gives and revokes trust in a workspace, and logs it. Trust that cannot be logged is
 * not given; revoking works even if the log cannot be written.
 */
#ifndef SF_WORKSPACE_TRUST_LOG_H
#define SF_WORKSPACE_TRUST_LOG_H

#include <stdbool.h>

#include "base/base.h"
#include "modes/modes.h"
#include "store/store.h"

/* `digest` is that of the policy files as the user saw them (config/trust.h); NULL: as they are. */
bool sf_trust_log_give(struct sf_store *store, enum sf_surface surface, const char *root,
                       const char *digest, struct sf_error *err) SF_MUST_CHECK;

/* `store` may be NULL. False with SF_E_NOENT if the workspace was not trusted. */
bool sf_trust_log_take(struct sf_store *store, enum sf_surface surface, const char *root,
                       struct sf_error *err) SF_MUST_CHECK;

#endif
