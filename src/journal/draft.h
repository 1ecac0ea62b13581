/*
 * draft: text that was typed but not sent, in one file per session beside the store, since it
 * changes with every key and belongs in no log. A new session takes over the draft of an earlier
 * one that never got a prompt, so a user who comes back to a project finds the unfinished text.
 */
#ifndef SF_JOURNAL_DRAFT_H
#define SF_JOURNAL_DRAFT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "store/store.h"

/* Reads a draft of at most `max` bytes; `out` is empty when there is none or it is too long. */
void sf_draft_read(const char *state_dir, const char *id, size_t max, struct sf_strbuf *out);

/* Replaces the draft; an empty text removes it. May run on a worker. */
bool sf_draft_write(const char *state_dir, const char *id, const char *text, size_t len,
                    struct sf_error *err) SF_MUST_CHECK;

/* Takes over the newest draft of a session that never got a prompt; false: there is none. */
bool sf_draft_claim(struct sf_store *store, const char *state_dir, const char *id);

#endif
