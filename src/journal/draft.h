/*
 * draft: words that were written and not sent, one file for each session beside the store, since
 * they change with every key and belong to no log. A session in which nothing was said leaves its
 * draft to the next new one: whoever comes back to a project finds what was being written.
 */
#ifndef SF_JOURNAL_DRAFT_H
#define SF_JOURNAL_DRAFT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "store/store.h"

/* What there is, up to `max` bytes; nothing when there is none. */
void sf_draft_read(const char *state_dir, const char *id, size_t max, struct sf_strbuf *out);

/* No text removes it. Fit for a worker. */
bool sf_draft_write(const char *state_dir, const char *id, const char *text, size_t len,
                    struct sf_error *err) SF_MUST_CHECK;

/* The newest draft of a session in which nothing was ever said becomes this one's; false: none. */
bool sf_draft_claim(struct sf_store *store, const char *state_dir, const char *id);

#endif
