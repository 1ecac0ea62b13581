/*
 * goal: the goal of a session in the store, for surfaces that hold the session and for those that
 * do not. A change is judged by agent/goal.h, then written with its event; whoever holds the
 * session hears of it.
 */
#ifndef SF_SESSION_GOAL_H
#define SF_SESSION_GOAL_H

#include <stdbool.h>

#include "agent/agent.h"
#include "base/base.h"
#include "store/store.h"

/* `out` is complete in any case; `set` false: there is none. */
bool sf_goal_load(struct sf_store *store, const char *session, struct sf_goal *out,
                  struct sf_error *err) SF_MUST_CHECK;

struct sf_goal_place {
    struct sf_store *store;
    const char *session; /* its whole id */
    const char *surface;
};

/* Does the command and leaves the goal as it is now in `out`. */
bool sf_goal_do(const struct sf_goal_place *place, const struct sf_goal_command *command,
                struct sf_goal *out, struct sf_error *err) SF_MUST_CHECK;

#endif
