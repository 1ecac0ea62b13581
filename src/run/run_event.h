/*
 * run_event: what a row of a run's log means to people. Live and when a log is shown again the same
 * function makes the same event of a row.
 */
#ifndef SF_RUN_RUN_EVENT_H
#define SF_RUN_RUN_EVENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "session/session.h"

/* Whether the kind belongs to a run; most but not all of them are shown. */
bool sf_run_event_is(const char *kind);

/*
 * Calls `fn` with the event that the row yields; not at all for a row that nobody needs to see, or
 * that is damaged.
 */
void sf_run_event_read(const char *kind, const char *json, size_t len,
                       void (*fn)(void *ctx, const struct sf_event_run *event), void *ctx);

#endif
