/*
 * start: the axes a new session begins with. What somebody chose holds; the rest is the surface's:
 * at a terminal a person leads, so it talks and asks; a run without a screen has one task, so it
 * builds and hands back at the end.
 */
#ifndef SF_MODES_START_H
#define SF_MODES_START_H

#include <stdbool.h>

#include "base/base.h"
#include "modes/axes.h"
#include "modes/scope.h"
#include "modes/state.h"

/* What settings and options say about a new session. */
struct sf_start {
    bool chosen[SF_AXIS_SETTABLE]; /* by somebody, not by default */
    int values[SF_AXIS_SETTABLE];  /* of what was chosen */
    const char *scope;             /* NULL: the work mode's own */
};

/* Fails when the scope is not one of `scopes`. */
bool sf_start_state(const struct sf_start *start, enum sf_surface surface,
                    const struct sf_scope_set *scopes, struct sf_mode_state *state,
                    struct sf_error *err) SF_MUST_CHECK;

#endif
