/*
 * pending: changes of the axes that wait, between the machine of a process and the store all of
 * them share. Who asks for one from outside writes it down; who runs the session finds it there.
 */
#ifndef SF_JOURNAL_PENDING_H
#define SF_JOURNAL_PENDING_H

#include "base/base.h"
#include "modes/modes.h"
#include "store/store.h"

/* The machine has what the store has. `changed` may be NULL: something is other than before. */
bool sf_pending_read(struct sf_store *store, const char *session, struct sf_mode_machine *machine,
                     bool *changed, struct sf_error *err) SF_MUST_CHECK;

/* The store has what the machine has, so that it outlives this process. */
bool sf_pending_save(struct sf_store *store, struct sf_mode_machine *machine,
                     struct sf_error *err) SF_MUST_CHECK;

/* "work mode build → review, scope implement → review": what will be other than it is. */
void sf_pending_add(const struct sf_mode_machine *machine, struct sf_strbuf *out);

#endif
