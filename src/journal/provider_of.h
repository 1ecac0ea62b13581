/*
 * provider_of: which provider a session uses. A resumed session keeps its provider: another one
 * would get a conversation that was not meant for it, at another price.
 */
#ifndef SF_JOURNAL_PROVIDER_OF_H
#define SF_JOURNAL_PROVIDER_OF_H

#include "base/base.h"
#include "store/store.h"

/*
 * Appends the provider's name, or nothing if the settings decide: the session has no prompt yet, or
 * only a stand-in answered, that is the offline operator or a replay file that the user did not
 * choose by name. `session` is an id or a prefix of it.
 */
bool sf_provider_of(struct sf_store *store, const char *session, struct sf_strbuf *out,
                    struct sf_error *err) SF_MUST_CHECK;

#endif
