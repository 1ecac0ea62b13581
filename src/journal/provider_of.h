/*
 * provider_of: which provider a session talks with. A session stays with its own when it is opened
 * again: another one would read what was not meant for it, and cost something else.
 */
#ifndef SF_JOURNAL_PROVIDER_OF_H
#define SF_JOURNAL_PROVIDER_OF_H

#include "base/base.h"
#include "store/store.h"

/* The model, and the provider, that somebody chose for a session; see keepsake.c. */
#define SF_LOG_MODEL "model"

/*
 * Appends the provider's name; nothing where the settings decide: nothing was said yet, or it was
 * said to somebody who only stood in, the offline operator or a recording that nobody asked for
 * by name. `session` is an id or its beginning.
 */
bool sf_provider_of(struct sf_store *store, const char *session, struct sf_strbuf *out,
                    struct sf_error *err) SF_MUST_CHECK;

#endif
