/*
 * restored: files that went back, as the log has it. What people read when it happens, they read
 * again whenever the conversation is shown.
 */
#ifndef SF_SESSION_RESTORED_H
#define SF_SESSION_RESTORED_H

#include <stdbool.h>

#include "base/base.h"
#include "snap/snap.h"

/* "files are as they were: 1 added, 0 changed, 2 removed", and what is not, a line each. */
void sf_restored_say(const struct sf_snap_tally *tally, const struct sf_strlist *kept,
                     const struct sf_strlist *lost, struct sf_strbuf *out);

/* The same of an event of kind SF_EVENT_RESTORE; false: it is nobody's but the model's. */
bool sf_restored_add(const struct sf_json *event, struct sf_strbuf *out);

#endif
