/*
 * goal: the goal of a session in the store, for processes that own the session and for others.
 * agent/goal.h checks a change, which is then written together with its event; the owner of the
 * session notices the change in the store.
 */
#ifndef SF_SESSION_GOAL_H
#define SF_SESSION_GOAL_H

#include <stdbool.h>

#include "agent/agent.h"
#include "base/base.h"
#include "store/store.h"

/* Always fills `out`; `out->set` is false when the session has no goal. */
bool sf_goal_load(struct sf_store *store, const char *session, struct sf_goal *out,
                  struct sf_error *err) SF_MUST_CHECK;

struct sf_goal_place {
    struct sf_store *store;
    const char *session; /* the full id */
    const char *surface;
};

/* Performs the command and stores the resulting goal in `out`. */
bool sf_goal_do(const struct sf_goal_place *place, const struct sf_goal_command *command,
                struct sf_goal *out, struct sf_error *err) SF_MUST_CHECK;

#endif
