/*
 * discard: deletes a session, with its sub-agents, from the store, and the files beside the store:
 * spilled output and the draft. Refused while a process owns the session or a fork shares its
 * events.
 */
#ifndef SF_JOURNAL_DISCARD_H
#define SF_JOURNAL_DISCARD_H

#include <stdbool.h>

#include "base/base.h"
#include "store/store.h"

bool sf_discard_session(struct sf_store *store, const char *state_dir, const char *id,
                        struct sf_error *err) SF_MUST_CHECK;

#endif
