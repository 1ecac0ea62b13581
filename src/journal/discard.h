/*
 * discard: a session that its user no longer wants, gone from the store and from beside it: what
 * was said and done, and the long outputs kept in files. Refused while somebody talks in it or a
 * fork shares its events.
 */
#ifndef SF_JOURNAL_DISCARD_H
#define SF_JOURNAL_DISCARD_H

#include <stdbool.h>

#include "base/base.h"
#include "store/store.h"

bool sf_discard_session(struct sf_store *store, const char *state_dir, const char *id,
                        struct sf_error *err) SF_MUST_CHECK;

#endif
