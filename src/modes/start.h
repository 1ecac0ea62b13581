/*
 * start: the axes of a new session. Values chosen by settings or options win; the others depend on
 * the surface: at a terminal the user leads, so it starts with chat and manual; a run without a
 * screen has one task, so it starts with build and assisted.
 */
#ifndef SF_MODES_START_H
#define SF_MODES_START_H

#include <stdbool.h>

#include "base/base.h"
#include "modes/axes.h"
#include "modes/scope.h"
#include "modes/state.h"

/* What settings and options choose for a new session. */
struct sf_start {
    bool chosen[SF_AXIS_SETTABLE]; /* chosen explicitly, not a default */
    int values[SF_AXIS_SETTABLE];  /* valid where `chosen` is set */
    const char *scope;             /* NULL: the work mode's default */
};

/* Fails when the scope is not one of `scopes`. */
bool sf_start_state(const struct sf_start *start, enum sf_surface surface,
                    const struct sf_scope_set *scopes, struct sf_mode_state *state,
                    struct sf_error *err) SF_MUST_CHECK;

#endif
