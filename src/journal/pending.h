/*
 * pending: pending changes of the axes, exchanged between the machine of a process and the store
 * that all processes share. A process that does not own the session writes its request there, and
 * the owner finds it.
 */
#ifndef SF_JOURNAL_PENDING_H
#define SF_JOURNAL_PENDING_H

#include "base/base.h"
#include "modes/modes.h"
#include "store/store.h"

/* Loads the pending changes into the machine. `changed` (or NULL) says whether any differ. */
bool sf_pending_read(struct sf_store *store, const char *session, struct sf_mode_machine *machine,
                     bool *changed, struct sf_error *err) SF_MUST_CHECK;

/* Saves the machine's pending changes, so that they survive this process. */
bool sf_pending_save(struct sf_store *store, struct sf_mode_machine *machine,
                     struct sf_error *err) SF_MUST_CHECK;

/* Appends what will change, as in "work mode build → review, scope implement → review". */
void sf_pending_add(const struct sf_mode_machine *machine, struct sf_strbuf *out);

#endif
