/*
 * event_tour: one scripted session in which nearly every kind of event is told: answers with
 * reasoning, calls side by side and one by one, approvals, a call that the user changes, questions,
 * plans, a unit of one, a goal, steering, a summary, a sub-agent, retries, a command of the user's.
 */
#ifndef SF_TESTS_SUPPORT_EVENT_TOUR_H
#define SF_TESTS_SUPPORT_EVENT_TOUR_H

#include "support/session_case.h"

/* Opens a new session in `c` and plays everything; `heard` gets each event. It stays open. */
void event_tour_run(struct session_case *c, sf_session_event_fn *heard, void *ctx);

#endif
